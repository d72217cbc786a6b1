//! A shift as a sheet: for paper and for programs.

use keno_log::event::ShiftClosed;
use keno_record::calendar::Calendar;

use super::{ShiftFacts, ShiftFigures, Tendered};
use crate::report::sheet::{Block, Section, Sheet, Value, column, words};
use crate::report::{House, facts};

/// The business day on which the till was opened.
pub(super) fn business_day(calendar: &Calendar, facts: &ShiftFacts) -> String {
    let opened = calendar.local(facts.opened_at_ms);
    opened.format("%Y-%m-%d").to_string()
}

fn identity(house: &House, facts: &ShiftFacts) -> Section {
    let mut section = Section::new("shift", "Quart", "Shift");
    section.fact(
        "number",
        "Numéro de quart",
        "Shift number",
        Value::Count(facts.opened.shift),
    );
    section.fact(
        "business_day",
        "Jour d’affaires",
        "Business day",
        Value::Text(business_day(&house.calendar, facts)),
    );
    section.fact(
        "terminal",
        "Terminal",
        "Terminal",
        Value::Text(facts.device.clone()),
    );
    section.fact(
        "badge",
        "Insigne du préposé",
        "Badge of the clerk",
        Value::Text(facts.opened.badge.clone()),
    );
    section.fact(
        "opened_at",
        "Caisse ouverte le",
        "Till opened at",
        Value::Moment(facts.opened_at_ms),
    );
    section.fact(
        "closed_at",
        "Caisse fermée le",
        "Till closed at",
        facts.closed.as_ref().map_or(
            words("encore ouverte", "still open").into(),
            |(_, at_ms)| Value::Moment(*at_ms),
        ),
    );
    if let Some((closed, _)) = &facts.closed {
        section.fact(
            "closed_by",
            "Comptée et fermée par (sortant)",
            "Counted and closed by (outgoing)",
            Value::Text(closed.by.clone()),
        );
        section.fact(
            "incoming",
            "Caisse suivante à ce terminal (entrant)",
            "Next till at this terminal (incoming)",
            facts.incoming.clone().map(Value::Text),
        );
    }
    let seconds: Vec<String> = facts.seconds.iter().cloned().collect();
    section.fact(
        "seconds",
        "Deuxièmes personnes à cette caisse",
        "Second persons at this till",
        Value::text_or_absent(seconds.join(", ")),
    );
    section.fact(
        "first_leaf",
        "Feuilles du registre, de",
        "Leaves of the record, from",
        Value::Leaf(facts.leaves.0),
    );
    section.fact("last_leaf", "à", "to", Value::Leaf(facts.leaves.1));
    section
}

fn activity(facts: &ShiftFacts) -> Section {
    let mut section = Section::new("activity", "Activité", "Activity");
    let figures = &facts.figures;
    let row = |fr: &str, en: &str, tendered: &Tendered| {
        vec![
            words(fr, en).into(),
            Value::Count(tendered.count),
            Value::Money(tendered.cents),
            Value::Money(tendered.cash_cents),
            Value::Money(tendered.coupon_cents),
            Value::Money(tendered.chip_cents),
        ]
    };
    section.table(
        vec![
            column("what", "Quoi", "What"),
            column("count", "Nombre", "Count"),
            column("amount", "Montant", "Amount"),
            column("cash", "Comptant", "Cash"),
            column("coupon", "Coupons", "Coupons"),
            column("chip", "Jetons", "Chips"),
        ],
        vec![
            row("Mises vendues", "Sales", &figures.sales),
            row("Annulations", "Cancels", &figures.cancels),
            row(
                "Mises non payées (art. 83)",
                "Wagers not paid (s. 83)",
                &figures.unpaid,
            ),
            row("Lots payés", "Payouts", &figures.prizes),
            row(
                "Remboursements de tirages annulés",
                "Refunds of void draws",
                &figures.refunds,
            ),
            row(
                "Billets perdus, remboursés",
                "Lost tickets refunded",
                &figures.lost,
            ),
            row(
                "Paiements renversés",
                "Payments reversed",
                &figures.reversals,
            ),
            row("Approvisionnements", "Fills", &figures.fills),
            row("Dépôts", "Drops", &figures.drops),
        ],
        words("", ""),
    );
    section
}

/// What went through the till in cash.
fn moved(section: &mut Section, figures: &ShiftFigures) {
    section.fact(
        "float",
        "Fonds de caisse",
        "Opening float",
        Value::Money(figures.float_cents),
    );
    section.fact(
        "sales",
        "+ Mises vendues",
        "+ Sales",
        Value::Money(figures.sales.cash_cents),
    );
    section.fact(
        "cancels",
        "− Annulations",
        "− Cancels",
        Value::Money(figures.cancels.cash_cents),
    );
    section.fact(
        "unpaid",
        "− Mises non payées (art. 83)",
        "− Wagers not paid (s. 83)",
        Value::Money(figures.unpaid.cash_cents),
    );
    section.fact(
        "payouts",
        "− Lots payés",
        "− Payouts",
        Value::Money(figures.prizes.cash_cents),
    );
    section.fact(
        "refunds",
        "− Remboursements",
        "− Refunds",
        Value::Money(figures.refunds.cash_cents),
    );
    section.fact(
        "lost",
        "− Billets perdus, remboursés",
        "− Lost tickets refunded",
        Value::Money(figures.lost.cash_cents),
    );
    section.fact(
        "rounding",
        "− Arrondi au comptant (5 ¢)",
        "− Cash rounding (5 ¢)",
        Value::Money(figures.rounding_cents),
    );
    section.fact(
        "reversals",
        "+ Paiements renversés",
        "+ Payments reversed",
        Value::Money(figures.reversals.cash_cents),
    );
    section.fact(
        "fills",
        "+ Approvisionnements",
        "+ Fills",
        Value::Money(figures.fills.cash_cents),
    );
    section.fact(
        "drops",
        "− Dépôts",
        "− Drops",
        Value::Money(figures.drops.cash_cents),
    );
}

/// What was counted against what was expected.
fn counted(section: &mut Section, closed: &ShiftClosed, figures: &ShiftFigures) {
    section.total(
        "expected",
        "Attendu",
        "Expected",
        Value::Money(closed.expected_cents),
    );
    section.total(
        "counted",
        "Compté (à l’aveugle)",
        "Counted (blind)",
        Value::Money(closed.counted_cents),
    );
    let difference = closed.counted_cents.saturating_sub(closed.expected_cents);
    let (fr, en) = match difference {
        0 => ("Surplus / manque : juste", "Over / short: exact"),
        1.. => ("Surplus", "Over"),
        _ => ("Manque", "Short"),
    };
    section.total("difference", fr, en, Value::Money(difference));
    let added_up = figures.expected_cents();
    if added_up != closed.expected_cents {
        section.total(
            "added_up",
            "ATTENTION : la somme des feuilles donne",
            "WARNING: the leaves add up to",
            Value::Money(added_up),
        );
    }
}

fn cash(facts: &ShiftFacts) -> Section {
    let mut section = Section::new("cash", "Caisse (comptant)", "Till (cash)");
    let figures = &facts.figures;
    moved(&mut section, figures);
    let Some((closed, _)) = &facts.closed else {
        section.note(
            "Attendu et écart paraissent une fois la caisse comptée à l’aveugle.",
            "Expected and over or short appear once the till was counted blind.",
        );
        return section;
    };
    counted(&mut section, closed, figures);
    section
}

/// Counts in the middle of the shift.
fn counts(facts: &ShiftFacts) -> Section {
    let mut section = Section::new(
        "counts",
        "Décomptes en cours de quart",
        "Counts in the middle of the shift",
    );
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
            column("leaf", "Feuille", "Leaf"),
            column("at", "Quand", "When"),
            column("terminal", "Terminal", "Terminal"),
            column("counted", "Compté", "Counted"),
            column("expected", "Attendu", "Expected"),
            column("difference", "Écart", "Difference"),
            column("by", "Par", "By"),
            column("reason", "Motif", "Reason"),
        ],
        rows,
        words("Aucun.", "None."),
    );
    section
}

fn events(facts: &ShiftFacts) -> Section {
    let mut section = Section::new("unusual", "Faits inhabituels", "Unusual events");
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
            column("leaf", "Feuille", "Leaf"),
            column("at", "Quand", "When"),
            column("kind", "Quoi", "What"),
            column("by", "Par", "By"),
            column("ticket", "Billet", "Ticket"),
            column("detail", "Détail", "Detail"),
        ],
        rows,
        words("Aucun.", "None."),
    );
    section.blocks.push(Block::Signatures(vec![
        words("Préposé sortant (insigne)", "Outgoing clerk (badge)"),
        words("Préposé entrant (insigne)", "Incoming clerk (badge)"),
        words("Superviseur (insigne)", "Supervisor (badge)"),
    ]));
    section
}

/// What the leaves say, as a sheet.
pub fn sheet(house: &House, facts: &ShiftFacts) -> Sheet {
    let number = facts.opened.shift;
    let opened_day = business_day(&house.calendar, facts);
    Sheet {
        title: words(
            format!(
                "Feuille du quart {number} · {} · {opened_day}",
                facts.device
            ),
            format!("Shift sheet {number} · {} · {opened_day}", facts.device),
        ),
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
