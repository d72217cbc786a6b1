//! A shift as a sheet: for paper and for programs.

use keno_log::event::ShiftClosed;
use keno_record::calendar::Calendar;
use keno_words::{Say, report};

use super::{ShiftFacts, ShiftFigures, Tendered};
use crate::report::sheet::{Block, Section, Sheet, Value, column, said};
use crate::report::{House, facts};

/// The business day on which the till was opened.
pub(super) fn business_day(calendar: &Calendar, facts: &ShiftFacts) -> String {
    let opened = calendar.local(facts.opened_at_ms);
    opened.format("%Y-%m-%d").to_string()
}

fn identity(house: &House, facts: &ShiftFacts) -> Section {
    let mut section = Section::new("shift", &report::Shift);
    section.fact(
        "number",
        &report::ShiftNumber,
        Value::Count(facts.opened.shift),
    );
    section.fact(
        "business_day",
        &report::BusinessDay,
        Value::Text(business_day(&house.calendar, facts)),
    );
    section.fact("terminal", &"Terminal", Value::Text(facts.device.clone()));
    section.fact(
        "badge",
        &report::BadgeOfClerk,
        Value::Text(facts.opened.badge.clone()),
    );
    section.fact(
        "opened_at",
        &report::TillOpenedAt,
        Value::Moment(facts.opened_at_ms),
    );
    section.fact(
        "closed_at",
        &report::TillClosedAt,
        facts
            .closed
            .as_ref()
            .map_or(said(&report::StillOpen).into(), |(_, at_ms)| {
                Value::Moment(*at_ms)
            }),
    );
    if let Some((closed, _)) = &facts.closed {
        section.fact(
            "closed_by",
            &report::CountedAndClosedBy,
            Value::Text(closed.by.clone()),
        );
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
    section.fact(
        "first_leaf",
        &report::LeavesOfRecordFrom,
        Value::Leaf(facts.leaves.0),
    );
    section.fact("last_leaf", &report::To, Value::Leaf(facts.leaves.1));
    section
}

fn activity(facts: &ShiftFacts) -> Section {
    let mut section = Section::new("activity", &report::Activity);
    let figures = &facts.figures;
    let row = |words: &dyn Say, tendered: &Tendered| {
        vec![
            said(words).into(),
            Value::Count(tendered.count),
            Value::Money(tendered.cents),
            Value::Money(tendered.cash_cents),
            Value::Money(tendered.coupon_cents),
            Value::Money(tendered.chip_cents),
        ]
    };
    section.table(
        vec![
            column("what", &report::What),
            column("count", &report::Count),
            column("amount", &report::Amount),
            column("cash", &report::Cash),
            column("coupon", &"Coupons"),
            column("chip", &report::Chips),
        ],
        vec![
            row(&report::Sales, &figures.sales),
            row(&report::Cancellations, &figures.cancels),
            row(&report::WagersNotPaid, &figures.unpaid),
            row(&report::Payouts, &figures.prizes),
            row(&report::RefundsOfVoidDraws, &figures.refunds),
            row(&report::LostTicketsRefunded, &figures.lost),
            row(&report::PaymentsReversed, &figures.reversals),
            row(&report::Fills, &figures.fills),
            row(&report::Drops, &figures.drops),
        ],
        said(&""),
    );
    section
}

/// What went through the till in cash.
fn moved(section: &mut Section, figures: &ShiftFigures) {
    section.fact(
        "float",
        &report::OpeningFloat,
        Value::Money(figures.float_cents),
    );
    section.fact(
        "sales",
        &report::PlusSales,
        Value::Money(figures.sales.cash_cents),
    );
    section.fact(
        "cancels",
        &report::LessCancels,
        Value::Money(figures.cancels.cash_cents),
    );
    section.fact(
        "unpaid",
        &report::LessWagersNotPaid,
        Value::Money(figures.unpaid.cash_cents),
    );
    section.fact(
        "payouts",
        &report::LessPayouts,
        Value::Money(figures.prizes.cash_cents),
    );
    section.fact(
        "refunds",
        &report::LessRefunds,
        Value::Money(figures.refunds.cash_cents),
    );
    section.fact(
        "lost",
        &report::LessLostTickets,
        Value::Money(figures.lost.cash_cents),
    );
    section.fact(
        "rounding",
        &report::LessCashRounding,
        Value::Money(figures.rounding_cents),
    );
    section.fact(
        "reversals",
        &report::PlusPaymentsReversed,
        Value::Money(figures.reversals.cash_cents),
    );
    section.fact(
        "fills",
        &report::PlusFills,
        Value::Money(figures.fills.cash_cents),
    );
    section.fact(
        "drops",
        &report::LessDrops,
        Value::Money(figures.drops.cash_cents),
    );
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
    let rows = facts
        .counts
        .iter()
        .map(|(fact, body, terminal)| {
            let difference = body.counted_cents.saturating_sub(body.expected_cents);
            vec![
                Value::Leaf(fact.leaf),
                Value::Moment(fact.at_ms),
                Value::Text(terminal.clone()),
                Value::Money(body.counted_cents),
                Value::Money(body.expected_cents),
                Value::Money(difference),
                Value::text_or_absent(facts::by(&fact.event)),
                Value::text_or_absent(body.reason.clone()),
            ]
        })
        .collect();
    section.table(
        vec![
            column("leaf", &report::Leaf),
            column("at", &report::When),
            column("terminal", &"Terminal"),
            column("counted", &report::Counted),
            column("expected", &report::Expected),
            column("difference", &report::Difference),
            column("by", &report::By),
            column("reason", &report::Reason),
        ],
        rows,
        said(&report::NoneMasculine),
    );
    section
}

fn events(facts: &ShiftFacts) -> Section {
    let mut section = Section::new("unusual", &report::UnusualEvents);
    let rows = facts
        .unusual
        .iter()
        .map(|fact| {
            vec![
                Value::Leaf(fact.leaf),
                Value::Moment(fact.at_ms),
                facts::kind(fact.event.kind()).into(),
                Value::text_or_absent(facts::by(&fact.event)),
                fact.event.names().ticket.map_or(Value::Absent, Value::Leaf),
                facts::detail(&fact.event).into(),
            ]
        })
        .collect();
    section.table(
        vec![
            column("leaf", &report::Leaf),
            column("at", &report::When),
            column("kind", &report::What),
            column("by", &report::By),
            column("ticket", &report::Ticket),
            column("detail", &report::Detail),
        ],
        rows,
        said(&report::NoneMasculine),
    );
    section.blocks.push(Block::Signatures(vec![
        said(&report::OutgoingClerkBadge),
        said(&report::IncomingClerkBadge),
        said(&report::SupervisorBadge),
    ]));
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
