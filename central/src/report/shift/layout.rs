//! A shift as a sheet: for paper and for programs.

use keno_log::event::ShiftClosed;
use keno_record::calendar::Calendar;
use keno_record::store::leaves::Fact;
use keno_wire::reply::ShiftLine;
use keno_words::{Say, report};

use super::{ShiftFacts, ShiftFigures};
use crate::report::sheet::{Section, Sheet, Value, said};
use crate::report::{House, facts};

/// The business day on which the till was opened.
pub(super) fn business_day(calendar: &Calendar, facts: &ShiftFacts) -> String {
    let opened = calendar.local(facts.opened_at_ms);
    opened.format("%Y-%m-%d").to_string()
}

fn identity(house: &House, facts: &ShiftFacts) -> Section {
    let mut section = Section::new("shift", &report::Shift);
    section.count("number", &report::ShiftNumber, facts.opened.shift);
    section.text(
        "business_day",
        &report::BusinessDay,
        &business_day(&house.calendar, facts),
    );
    section.text("terminal", &"Terminal", &facts.device);
    section.text("badge", &report::BadgeOfClerk, &facts.opened.badge);
    section.moment("opened_at", &report::TillOpenedAt, facts.opened_at_ms);
    let closed_at = match &facts.closed {
        Some((_, at_ms)) => Value::Moment(*at_ms),
        None => said(&report::StillOpen).into(),
    };
    section.fact("closed_at", &report::TillClosedAt, closed_at);
    if let Some((closed, _)) = &facts.closed {
        section.text("closed_by", &report::CountedAndClosedBy, &closed.by);
        section.fact(
            "incoming",
            &report::NextTill,
            facts.incoming.clone().map(Value::Text),
        );
    }
    let seconds: Vec<String> = facts.seconds.iter().cloned().collect();
    section.fact(
        "seconds",
        &report::SecondPersons,
        Value::text_or_absent(seconds.join(", ")),
    );
    section.leaf("first_leaf", &report::LeavesOfRecordFrom, facts.leaves.0);
    section.leaf("last_leaf", &report::To, facts.leaves.1);
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
        &[
            ("what", &report::What, &|(words, _)| said(*words).into()),
            ("count", &report::Count, &|(_, of)| Value::Count(of.count)),
            ("amount", &report::Amount, &|(_, of)| {
                Value::Money(of.amount_cents)
            }),
            ("cash", &report::Cash, &|(_, of)| {
                Value::Money(of.cash_cents)
            }),
            ("coupon", &"Coupons", &|(_, of)| {
                Value::Money(of.coupon_cents)
            }),
            ("chip", &report::Chips, &|(_, of)| {
                Value::Money(of.chip_cents)
            }),
        ],
        &"",
    );
    section
}

/// What went through the till in cash.
fn moved(section: &mut Section, figures: &ShiftFigures) {
    section.money("float", &report::OpeningFloat, figures.float_cents);
    section.money("sales", &report::PlusSales, figures.sales.cash_cents);
    section.money("cancels", &report::LessCancels, figures.cancels.cash_cents);
    section.money(
        "unpaid",
        &report::LessWagersNotPaid,
        figures.unpaid.cash_cents,
    );
    section.money("payouts", &report::LessPayouts, figures.prizes.cash_cents);
    section.money("refunds", &report::LessRefunds, figures.refunds.cash_cents);
    section.money("lost", &report::LessLostTickets, figures.lost.cash_cents);
    section.money(
        "rounding",
        &report::LessCashRounding,
        figures.rounding_cents,
    );
    section.money(
        "reversals",
        &report::PlusPaymentsReversed,
        figures.reversals.cash_cents,
    );
    section.money("fills", &report::PlusFills, figures.fills.cash_cents);
    section.money("drops", &report::LessDrops, figures.drops.cash_cents);
}

/// What was counted against what was expected.
fn counted(section: &mut Section, closed: &ShiftClosed, figures: &ShiftFigures) {
    section.total(
        "expected",
        &report::Expected,
        Value::Money(closed.expected_cents),
    );
    section.total(
        "counted",
        &report::CountedBlind,
        Value::Money(closed.counted_cents),
    );
    let difference = closed.counted_cents.saturating_sub(closed.expected_cents);
    let label: &dyn Say = match difference {
        0 => &report::OverShortExact,
        1.. => &report::Over,
        _ => &report::Short,
    };
    section.total("difference", label, Value::Money(difference));
    let added_up = figures.expected_cents();
    if added_up != closed.expected_cents {
        section.total(
            "added_up",
            &report::WarningLeavesAddUpTo,
            Value::Money(added_up),
        );
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
    section
}

/// Counts in the middle of the shift.
fn counts(facts: &ShiftFacts) -> Section {
    let mut section = Section::new("counts", &report::CountsInShift);
    section.table(
        &facts.counts,
        &[
            ("leaf", &report::Leaf, &|(fact, ..)| Value::Leaf(fact.leaf)),
            ("at", &report::When, &|(fact, ..)| Value::Moment(fact.at_ms)),
            ("terminal", &"Terminal", &|(.., name)| {
                Value::Text(name.clone())
            }),
            ("counted", &report::Counted, &|(_, body, _)| {
                Value::Money(body.counted_cents)
            }),
            ("expected", &report::Expected, &|(_, body, _)| {
                Value::Money(body.expected_cents)
            }),
            ("difference", &report::Difference, &|(_, body, _)| {
                Value::Money(body.counted_cents.saturating_sub(body.expected_cents))
            }),
            ("by", &report::By, &|(fact, ..)| facts::BY.2(fact)),
            ("reason", &report::Reason, &|(_, body, _)| {
                Value::text_or_absent(body.reason.clone())
            }),
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
        title: said(&report::ShiftSheet {
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
