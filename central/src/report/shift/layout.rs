//! A shift as a sheet: for paper and for programs.

use keno_log::event::{ShiftClosed, TillCounted};
use keno_record::calendar::Calendar;
use keno_record::store::leaves::Fact;
use keno_wire::reply::{Bilingual, ShiftLine};
use keno_words::{Say, report};

use super::{ShiftFacts, ShiftFigures};
use crate::report::sheet::{Section, Sheet, Value, columns, rows};
use crate::report::{House, facts};

/// The business day on which the till was opened.
pub(super) fn business_day(calendar: &Calendar, facts: &ShiftFacts) -> String {
    let opened = calendar.local(facts.opened_at_ms);
    opened.format("%Y-%m-%d").to_string()
}

fn identity(house: &House, facts: &ShiftFacts) -> Section {
    let mut section = Section::new("shift", &report::Shift);
    let closed_at = match &facts.closed {
        Some((_, at_ms)) => Value::Moment(*at_ms),
        None => Value::said(&report::StillOpen),
    };
    rows! { section:
        "number" ShiftNumber: Value::Count(facts.opened.shift),
        "business_day" BusinessDay: Value::Text(business_day(&house.calendar, facts)),
        "terminal" "Terminal": Value::Text(facts.device.clone()),
        "badge" BadgeOfClerk: Value::Text(facts.opened.badge.clone()),
        "opened_at" TillOpenedAt: Value::Moment(facts.opened_at_ms),
        "closed_at" TillClosedAt: closed_at,
    }
    if let Some((closed, _)) = &facts.closed {
        rows! { section:
            "closed_by" CountedAndClosedBy: Value::Text(closed.by.clone()),
            "incoming" NextTill: facts.incoming.clone().map(Value::Text),
        }
    }
    let seconds: Vec<String> = facts.seconds.iter().cloned().collect();
    rows! { section:
        "seconds" SecondPersons: Value::text_or_absent(seconds.join(", ")),
        "first_leaf" LeavesOfRecordFrom: Value::Leaf(facts.leaves.0),
        "last_leaf" To: Value::Leaf(facts.leaves.1),
    }
    section
}

fn activity(facts: &ShiftFacts) -> Section {
    let mut section = Section::new("activity", &report::Activity);
    let figures = &facts.figures;
    let rows: [(&dyn Say, ShiftLine); 9] = [
        (&report::Sales, figures.sales),
        (&report::Cancellations, figures.cancels),
        (&report::WagersNotPaid, figures.unpaid),
        (&report::Payouts, figures.prizes),
        (&report::RefundsOfVoidDraws, figures.refunds),
        (&report::LostTicketsRefunded, figures.lost),
        (&report::PaymentsReversed, figures.reversals),
        (&report::Fills, figures.fills),
        (&report::Drops, figures.drops),
    ];
    section.table(
        &rows,
        columns![
            "what" What: |(words, _)| Value::said(*words),
            "count" Count: |(_, of)| Value::Count(of.count),
            "amount" Amount: |(_, of)| Value::Money(of.amount_cents),
            "cash" Cash: |(_, of)| Value::Money(of.cash_cents),
            "coupon" "Coupons": |(_, of)| Value::Money(of.coupon_cents),
            "chip" Chips: |(_, of)| Value::Money(of.chip_cents),
        ],
        &"",
    );
    section
}

/// What went through the till in cash.
fn moved(section: &mut Section, figures: &ShiftFigures) {
    rows! { section:
        "float" OpeningFloat: Value::Money(figures.float_cents),
        "sales" PlusSales: Value::Money(figures.sales.cash_cents),
        "cancels" LessCancels: Value::Money(figures.cancels.cash_cents),
        "unpaid" LessWagersNotPaid: Value::Money(figures.unpaid.cash_cents),
        "payouts" LessPayouts: Value::Money(figures.prizes.cash_cents),
        "refunds" LessRefunds: Value::Money(figures.refunds.cash_cents),
        "lost" LessLostTickets: Value::Money(figures.lost.cash_cents),
        "rounding" LessCashRounding: Value::Money(figures.rounding_cents),
        "chip_change" LessChipChange: Value::Money(figures.chip_change_cents),
        "reversals" PlusPaymentsReversed: Value::Money(figures.reversals.cash_cents),
        "fills" PlusFills: Value::Money(figures.fills.cash_cents),
        "drops" LessDrops: Value::Money(figures.drops.cash_cents),
    }
}

/// What was counted against what was expected.
fn counted(section: &mut Section, closed: &ShiftClosed, figures: &ShiftFigures) {
    let money = Value::Money;
    section.total("expected", &report::Expected, money(closed.expected_cents));
    section.total(
        "counted",
        &report::CountedBlind,
        money(closed.counted_cents),
    );
    let difference = closed.counted_cents.saturating_sub(closed.expected_cents);
    let label: &dyn Say = match difference {
        0 => &report::OverShortExact,
        1.. => &report::Over,
        _ => &report::Short,
    };
    section.total("difference", label, money(difference));
    let added_up = figures.expected_cents();
    if added_up != closed.expected_cents {
        let label = &report::WarningLeavesAddUpTo;
        section.total("added_up", label, money(added_up));
    }
}

/// Coupons and chips that were counted, against what was expected of them.
fn pieces(section: &mut Section, closed: &ShiftClosed, figures: &ShiftFigures) {
    let (coupons, chips) = (closed.coupon_cents, closed.chip_cents);
    if (coupons, figures.coupons_cents) != (0, 0) {
        rows! { section:
            "coupons_expected" CouponsExpected: Value::Money(figures.coupons_cents),
            "coupons_counted" CouponsCounted: Value::Money(coupons),
            "coupons" CouponPieces: Value::Count(u64::from(closed.coupons)),
        }
    }
    if (chips, figures.chips_cents) != (0, 0) {
        rows! { section:
            "chips_expected" ChipsExpected: Value::Money(figures.chips_cents),
            "chips_counted" ChipsCounted: Value::Money(chips),
            "chips" ChipPieces: Value::Count(u64::from(closed.chips)),
        }
    }
}

fn cash(facts: &ShiftFacts) -> Section {
    let mut section = Section::new("cash", &report::TillCash);
    let figures = &facts.figures;
    moved(&mut section, figures);
    let Some((closed, _)) = &facts.closed else {
        section.note(&report::ExpectedOnceCounted);
        return section;
    };
    counted(&mut section, closed, figures);
    pieces(&mut section, closed, figures);
    section
}

fn over_or_short(body: &TillCounted) -> i64 {
    body.counted_cents.saturating_sub(body.expected_cents)
}

/// Counts in the middle of the shift.
fn counts(facts: &ShiftFacts) -> Section {
    let mut section = Section::new("counts", &report::CountsInShift);
    section.table(
        &facts.counts,
        columns![
            "leaf" Leaf: |(fact, ..)| Value::Leaf(fact.leaf),
            "at" When: |(fact, ..)| Value::Moment(fact.at_ms),
            "terminal" "Terminal": |(.., name)| Value::Text(name.clone()),
            "counted" Counted: |(_, body, _)| Value::Money(body.counted_cents),
            "expected" Expected: |(_, body, _)| Value::Money(body.expected_cents),
            "difference" Difference: |(_, body, _)| Value::Money(over_or_short(body)),
            "by" By: |(fact, ..)| facts::BY.2(fact),
            "reason" Reason: |(_, body, _)| Value::text_or_absent(body.reason.clone()),
        ],
        &report::NoneMasculine,
    );
    section
}

fn events(facts: &ShiftFacts) -> Section {
    let mut section = Section::new("unusual", &report::UnusualEvents);
    let ticket = |fact: &Fact| fact.event.names().ticket.map(Value::Leaf).into();
    let columns = [
        facts::LEAF,
        facts::AT,
        facts::KIND,
        facts::BY,
        ("ticket", &report::Ticket, &ticket),
        facts::DETAIL,
    ];
    section.table(&facts.unusual, &columns, &report::NoneMasculine);
    section.signatures(&[
        &report::OutgoingClerkBadge,
        &report::IncomingClerkBadge,
        &report::SupervisorBadge,
    ]);
    section
}

/// What the leaves say, as a sheet.
pub fn sheet(house: &House, facts: &ShiftFacts) -> Sheet {
    let number = facts.opened.shift;
    let opened_day = business_day(&house.calendar, facts);
    Sheet {
        title: Bilingual::of(&report::ShiftSheet {
            device: &facts.device,
            number: &number,
            opened_day: &opened_day,
        }),
        house: house.name.clone(),
        made_at_ms: house.now_ms,
        calendar: house.calendar,
        sections: vec![
            identity(house, facts),
            cash(facts),
            counts(facts),
            activity(facts),
            events(facts),
        ],
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use keno_log::event::{ShiftClosed, ShiftOpened};

    use super::super::ShiftFigures;
    use super::*;

    #[test]
    fn a_recorded_figure_that_the_leaves_do_not_add_up_to_is_said_on_the_sheet() {
        let house = House {
            code: "demo".to_owned(),
            name: "Casino".to_owned(),
            calendar: Calendar::new("America/Toronto").unwrap(),
            now_ms: 0,
        };
        for (expected_cents, is_said) in [(50_000, false), (50_001, true)] {
            let facts = ShiftFacts {
                opened: ShiftOpened {
                    shift: 7,
                    device: 1,
                    badge: "C1".to_owned(),
                    float_cents: 50_000,
                },
                opened_at_ms: 0,
                device: "T01".to_owned(),
                closed: Some((
                    ShiftClosed {
                        shift: 7,
                        counted_cents: 50_000,
                        expected_cents,
                        by: "C1".to_owned(),
                        second: None,
                        coupons: 0,
                        coupon_cents: 0,
                        chips: 0,
                        chip_cents: 0,
                    },
                    0,
                )),
                incoming: None,
                leaves: (1, 2),
                figures: ShiftFigures {
                    float_cents: 50_000,
                    ..ShiftFigures::default()
                },
                counts: Vec::new(),
                seconds: BTreeSet::new(),
                unusual: Vec::new(),
            };
            let csv = crate::report::csv::csv(&sheet(&house, &facts));
            assert_eq!(csv.contains("cash,0,added_up,"), is_said, "{csv}");
        }
    }
}
