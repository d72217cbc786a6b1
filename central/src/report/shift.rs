//! The sheet of a shift: what went through one till, and whether its count agrees.

mod figures;

use std::collections::BTreeMap;

use diesel::prelude::*;
use keno_log::event::{ShiftClosed, ShiftOpened};
use keno_log::{Event, EventKind};
use keno_schema::rows::ShiftRow;
use keno_schema::tables::{command_key, hand_over, shift, ticket_fact};
use keno_schema::{Connection, on};
use keno_service::fault::Fault;
use keno_service::store::{big, log, unbig};

use super::leaves::{self, Fact};
use super::sheet::{Block, Section, Sheet, Value, column, words};
use super::{House, ReportFault, facts};
pub use figures::{ShiftFigures, Tendered};

/// What the leaves say of a shift.
#[derive(Debug)]
pub struct ShiftFacts {
    opened: ShiftOpened,
    opened_at_ms: i64,
    device: String,
    closed: Option<(ShiftClosed, i64)>,
    leaves: (u64, u64),
    figures: ShiftFigures,
    unusual: Vec<Fact>,
}

/// Commands of the till's device between two leaves.
fn commands(
    connection: &mut Connection,
    device: i64,
    (first, last): (i64, i64),
) -> Result<Vec<u64>, Fault> {
    let found: Vec<i64> = on!(connection, c => command_key::table
        .filter(command_key::device.eq(device))
        .filter(command_key::leaf.gt(first))
        .filter(command_key::leaf.le(last))
        .select(command_key::leaf)
        .load(c))?;
    Ok(found.into_iter().map(unbig).collect())
}

/// Where a till was, and between which leaves: it moves when its terminal is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stay {
    device: i64,
    first: i64,
    last: i64,
}

/// The stays of a till, and the leaves of its moves.
fn stays(
    connection: &mut Connection,
    row: &ShiftRow,
    opened_at: i64,
    last: i64,
) -> Result<(Vec<Stay>, Vec<u64>), Fault> {
    let moves: Vec<(i64, i64)> = on!(connection, c => hand_over::table
        .filter(hand_over::shift.eq(row.number))
        .order(hand_over::leaf.asc())
        .select((hand_over::leaf, hand_over::to_device))
        .load(c))?;
    let mut stays = vec![Stay {
        device: opened_at,
        first: row.opened_leaf,
        last,
    }];
    for (leaf, to) in &moves {
        if let Some(before) = stays.last_mut() {
            before.last = *leaf;
        }
        stays.push(Stay {
            device: *to,
            first: *leaf,
            last,
        });
    }
    Ok((stays, moves.iter().map(|(leaf, _)| unbig(*leaf)).collect()))
}

/// Facts of tickets between two leaves that are out of the ordinary, at whatever till.
fn unusual(connection: &mut Connection, (first, last): (i64, i64)) -> Result<Vec<u64>, Fault> {
    let kinds: Vec<i16> = [
        EventKind::TicketUnpaid,
        EventKind::TicketReleased,
        EventKind::TicketDuplicated,
        EventKind::PaymentReversed,
        EventKind::PaymentHeld,
        EventKind::DiscrepancyNoted,
    ]
    .into_iter()
    .map(|kind| i16::from(kind.number()))
    .collect();
    let found: Vec<i64> = on!(connection, c => ticket_fact::table
        .filter(ticket_fact::leaf.gt(first))
        .filter(ticket_fact::leaf.le(last))
        .filter(ticket_fact::kind.eq_any(&kinds))
        .select(ticket_fact::leaf)
        .load(c))?;
    Ok(found.into_iter().map(unbig).collect())
}

/// The ticket that a fact speaks of.
fn ticket_of(event: &Event) -> Option<u64> {
    match event {
        Event::TicketUnpaid(body) => Some(body.ticket),
        Event::TicketReleased(body) => Some(body.ticket),
        Event::TicketDuplicated(body) => Some(body.ticket),
        Event::PaymentReversed(body) => Some(body.ticket),
        Event::PaymentHeld(body) => Some(body.ticket),
        Event::DiscrepancyNoted(body) => Some(body.ticket),
        Event::TicketCancelled(body) => Some(body.ticket),
        Event::PrizePaid(body) => Some(body.ticket),
        _ => None,
    }
}

/// Reads a shift from its leaves.
pub fn read(connection: &mut Connection, number: u64) -> Result<ShiftFacts, ReportFault> {
    let row: ShiftRow = on!(connection, c => shift::table
        .find(big(number))
        .select(ShiftRow::as_select())
        .first(c)
        .optional())
    .map_err(Fault::from)?
    .ok_or(ReportFault::Unknown)?;
    let wrong = |what: &str| Fault::Record(format!("shift {number}: {what}"));
    let opened = leaves::fact(connection, unbig(row.opened_leaf))?;
    let Event::ShiftOpened(opening) = opened.event else {
        return Err(wrong("its opening is not one").into());
    };
    let closed = match row.closed_leaf {
        None => None,
        Some(leaf) => {
            let fact = leaves::fact(connection, unbig(leaf))?;
            let Event::ShiftClosed(body) = fact.event else {
                return Err(wrong("its closing is not one").into());
            };
            Some((body, fact.at_ms))
        }
    };
    let last = match row.closed_leaf {
        Some(leaf) => leaf,
        None => log::head(connection)?.map_or(row.opened_leaf, |(edge, _)| big(edge.size()) - 1),
    };
    let range = (row.opened_leaf, last);
    let (stays, mut named) = stays(connection, &row, i64::from(opening.device), last)?;
    for stay in &stays {
        named.extend(commands(connection, stay.device, (stay.first, stay.last))?);
    }
    named.extend(unusual(connection, range)?);
    named.sort_unstable();
    named.dedup();
    let all = leaves::facts(connection, &named)?;

    // Sales that a fact out of the ordinary speaks of may lie before this shift.
    let mut spoken_of: Vec<u64> = all
        .iter()
        .filter_map(|fact| ticket_of(&fact.event))
        .collect();
    spoken_of.sort_unstable();
    spoken_of.dedup();
    let sold: BTreeMap<u64, (u64, u8)> = leaves::facts(connection, &spoken_of)?
        .into_iter()
        .filter_map(|fact| match fact.event {
            Event::TicketSold(body) => Some((fact.leaf, (body.shift, body.tender))),
            _ => None,
        })
        .collect();
    let events: Vec<&Event> = all.iter().map(|fact| &fact.event).collect();
    let figures = ShiftFigures::add_up(number, opening.float_cents, &events, &|ticket| {
        sold.get(&ticket).copied()
    });
    let is_here = |event: &Event| match event {
        Event::TicketCancelled(body) => body.shift == number,
        Event::PaymentReversed(body) => body.shift == number,
        Event::TillMoved(body) => body.shift == number,
        Event::DeviceHandedOver(body) => body.shift == Some(number),
        Event::LostTicketRefunded(body) => body.shift == number,
        // Under supervision, or by two people.
        Event::PrizePaid(body) => body.shift == number && (body.path == 2 || body.second.is_some()),
        Event::KeyClosed(_) => true,
        Event::TicketUnpaid(_)
        | Event::TicketReleased(_)
        | Event::TicketDuplicated(_)
        | Event::PaymentHeld(_)
        | Event::DiscrepancyNoted(_) => {
            let of_this_till = ticket_of(event)
                .and_then(|ticket| sold.get(&ticket))
                .is_some_and(|(shift, _)| *shift == number);
            let by = facts::by(event);
            of_this_till || by.split(" + ").any(|badge| badge == opening.badge)
        }
        _ => false,
    };
    let names = leaves::device_names(connection)?;
    let of_stays: Vec<String> = stays
        .iter()
        .map(|stay| {
            let name = u32::try_from(stay.device)
                .ok()
                .and_then(|device| names.get(&device));
            name.cloned().unwrap_or_else(|| stay.device.to_string())
        })
        .collect();
    let device = of_stays.join(" → ");
    let unusual = all
        .iter()
        .filter(|fact| is_here(&fact.event))
        .cloned()
        .collect();
    Ok(ShiftFacts {
        opened: opening,
        opened_at_ms: opened.at_ms,
        device,
        closed,
        leaves: (unbig(row.opened_leaf), unbig(last)),
        figures,
        unusual,
    })
}

fn identity(facts: &ShiftFacts) -> Section {
    let mut section = Section::new("shift", "Quart", "Shift");
    section.fact(
        "number",
        "Numéro de quart",
        "Shift number",
        Value::Count(facts.opened.shift),
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
            "Fermée par",
            "Closed by",
            Value::Text(closed.by.clone()),
        );
    }
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
        ]
    };
    section.table(
        vec![
            column("what", "Quoi", "What"),
            column("count", "Nombre", "Count"),
            column("amount", "Montant", "Amount"),
            column("cash", "Dont comptant", "Of it cash"),
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

fn cash(facts: &ShiftFacts) -> Section {
    let mut section = Section::new("cash", "Caisse (comptant)", "Till (cash)");
    let figures = &facts.figures;
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
    let Some((closed, _)) = &facts.closed else {
        section.note(
            "Attendu et écart paraissent une fois la caisse comptée à l’aveugle.",
            "Expected and over or short appear once the till was counted blind.",
        );
        return section;
    };
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
                ticket_of(&fact.event).map_or(Value::Absent, Value::Leaf),
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
    let opened_day = house.calendar.local(facts.opened_at_ms).format("%Y-%m-%d");
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
        sections: vec![identity(facts), cash(facts), activity(facts), events(facts)],
    }
}

#[cfg(test)]
mod tests {
    use keno_service::calendar::Calendar;

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
                    },
                    0,
                )),
                leaves: (1, 2),
                figures: ShiftFigures::add_up(7, 50_000, &[], &|_| None),
                unusual: Vec::new(),
            };
            let csv = super::super::csv::csv(&sheet(&house, &facts));
            assert_eq!(csv.contains("cash,0,added_up,"), is_said, "{csv}");
        }
    }
}
