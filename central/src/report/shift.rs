//! The sheet of a shift: what went through one till, and whether its count agrees.

mod figures;
mod layout;
mod reply;

use std::collections::{BTreeMap, BTreeSet};

use keno_log::event::{ShiftClosed, ShiftOpened, TillCounted};
use keno_log::{Event, EventKind};
use keno_record::fault::Fault;
use keno_record::store::leaves::{self, Fact};
use keno_record::store::{house, keys, log, people, shifts};
use keno_schema::Connection;
use keno_schema::rows::ShiftRow;

use super::ReportFault;

use figures::{Elsewhere, Sale, ShiftFigures};
pub use layout::sheet;
pub use reply::sheet_reply;

/// What the leaves say of a shift.
#[derive(Debug)]
pub struct ShiftFacts {
    opened: ShiftOpened,
    opened_at_ms: i64,
    device: String,
    closed: Option<(ShiftClosed, i64)>,
    /// Badge for whom the next till was opened at the terminal.
    incoming: Option<String>,
    leaves: (u64, u64),
    figures: ShiftFigures,
    /// Counts in the middle of the shift, each with the name of its terminal.
    counts: Vec<(Fact, TillCounted, String)>,
    /// Badges of second persons, each once.
    seconds: BTreeSet<String>,
    unusual: Vec<Fact>,
}

/// Where a till was, and between which leaves: it moves when its terminal is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stay {
    device: u32,
    first: u64,
    last: u64,
}

/// The stays of a till, and the leaves of its moves.
fn stays(
    connection: &mut Connection,
    row: &ShiftRow,
    opened_at: u32,
    last: u64,
) -> Result<(Vec<Stay>, Vec<u64>), Fault> {
    let moves = shifts::moves(connection, row.number)?;
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
    Ok((stays, moves.into_iter().map(|(leaf, _)| leaf).collect()))
}

/// Tills opened after this one that are looked through for the next at its terminal.
const NEXT_LOOKED_AT: i64 = 64;

/// For whom the next till was opened at a device after a leaf.
fn incoming(
    connection: &mut Connection,
    device: u32,
    closed: u64,
) -> Result<Option<String>, Fault> {
    // Where a till is by now says nothing of where it was opened: its leaf does.
    let opened = shifts::opened_after(connection, closed, NEXT_LOOKED_AT)?;
    let mut facts = leaves::facts(connection, &opened)?.into_iter();
    Ok(facts.find_map(|fact| match fact.event {
        Event::ShiftOpened(body) if body.device == device => Some(body.badge),
        _ => None,
    }))
}

/// Facts of tickets that are out of the ordinary, at whatever till.
fn unusual() -> Vec<EventKind> {
    let kinds = EventKind::ALL.iter().copied();
    kinds.filter(|kind| kind.marks().incident).collect()
}

/// How a shift began and ended.
struct Ends {
    opened: ShiftOpened,
    opened_at_ms: i64,
    closed: Option<(ShiftClosed, i64)>,
    /// The last leaf that may speak of it.
    last: u64,
}

fn ends(connection: &mut Connection, row: &ShiftRow) -> Result<Ends, Fault> {
    let wrong = |what: &str| Fault::Record(format!("shift {}: {what}", row.number));
    let opened = leaves::fact(connection, row.opened_leaf)?;
    let Event::ShiftOpened(opening) = opened.event else {
        return Err(wrong("its opening is not one"));
    };
    let closed = match row.closed_leaf {
        None => None,
        Some(leaf) => {
            let fact = leaves::fact(connection, leaf)?;
            let Event::ShiftClosed(body) = fact.event else {
                return Err(wrong("its closing is not one"));
            };
            Some((body, fact.at_ms))
        }
    };
    let last = match row.closed_leaf {
        Some(leaf) => leaf,
        None => log::head(connection)?
            .map_or(row.opened_leaf, |(edge, _)| edge.size().saturating_sub(1)),
    };
    Ok(Ends {
        opened: opening,
        opened_at_ms: opened.at_ms,
        closed,
        last,
    })
}

/// Where the till was, and the facts that may be on its sheet.
fn stays_and_facts(
    connection: &mut Connection,
    row: &ShiftRow,
    ends: &Ends,
) -> Result<(Vec<Stay>, Vec<Fact>), Fault> {
    let (stays, mut named) = stays(connection, row, ends.opened.device, ends.last)?;
    for stay in &stays {
        let between = (stay.first, stay.last);
        named.extend(keys::commands(connection, stay.device, between)?);
    }
    let between = (row.opened_leaf, ends.last);
    named.extend(shifts::ticket_facts(connection, between, &unusual())?);
    named.extend(shifts::counts(connection, row.number)?);
    named.sort_unstable();
    named.dedup();
    Ok((stays, leaves::facts(connection, &named)?))
}

/// Each sale that these facts speak of, by its ticket.
type Sold = BTreeMap<u64, Sale>;

/// Sales that a fact out of the ordinary speaks of may lie before this shift.
fn sold(connection: &mut Connection, all: &[Fact]) -> Result<Sold, Fault> {
    let mut spoken_of: Vec<u64> = all
        .iter()
        .filter_map(|fact| fact.event.names().ticket)
        .collect();
    spoken_of.sort_unstable();
    spoken_of.dedup();
    Ok(leaves::facts(connection, &spoken_of)?
        .into_iter()
        .filter_map(|fact| match fact.event {
            Event::TicketSold(body) => Some((fact.leaf, Sale::from(&body))),
            _ => None,
        })
        .collect())
}

/// Whether a fact is one of this shift that is out of the ordinary.
fn is_here(event: &Event, number: u64, badge: &str, sold: &Sold) -> bool {
    let names = event.names();
    match event {
        Event::TicketSold(_) => false,
        // Under supervision, or by two people.
        Event::PrizePaid(body) => body.shift == number && (body.path == 2 || body.second.is_some()),
        Event::KeyClosed(_) => true,
        _ => match names.shift {
            Some(shift) => shift == number,
            None => {
                let sale = names.ticket.and_then(|ticket| sold.get(&ticket));
                let of_this_till = sale.is_some_and(|sale| sale.shift == number);
                event.kind().marks().incident
                    && (of_this_till || names.badges().any(|by| by == badge))
            }
        },
    }
}

/// Reads a shift from its leaves.
pub fn read(connection: &mut Connection, number: u64) -> Result<ShiftFacts, ReportFault> {
    let row = house::shift(connection, number)
        .map_err(Fault::from)?
        .ok_or(ReportFault::Unknown)?;
    let ends = ends(connection, &row)?;
    let (stays, all) = stays_and_facts(connection, &row, &ends)?;
    let sold = sold(connection, &all)?;
    let events: Vec<&Event> = all.iter().map(|fact| &fact.event).collect();
    // A payment is undone in its own shift alone: it is among these facts.
    let paid: BTreeMap<u64, (i64, u8)> = all
        .iter()
        .filter_map(|fact| match &fact.event {
            Event::PrizePaid(body) => Some((fact.leaf, (body.total_cents, body.tender))),
            _ => None,
        })
        .collect();
    let elsewhere = Elsewhere {
        sold: &|ticket| sold.get(&ticket).copied(),
        paid: &|payment| paid.get(&payment).copied(),
    };
    let figures = ShiftFigures::add_up(number, ends.opened.float_cents, &events, elsewhere);
    let names = people::device_names(connection).map_err(Fault::from)?;
    let name_of = |device: u32| names.get(&device).map_or("?", String::as_str).to_owned();
    let of_stays: Vec<String> = stays.iter().map(|stay| name_of(stay.device)).collect();
    let unusual: Vec<Fact> = all
        .iter()
        .filter(|fact| is_here(&fact.event, number, &ends.opened.badge, &sold))
        .cloned()
        .collect();
    let seconds = unusual
        .iter()
        .filter(|fact| !matches!(&fact.event, Event::PrizePaid(body) if body.shift != number))
        .map(|fact| fact.event.names())
        .filter_map(|names| names.shift.and(names.second).map(str::to_owned))
        .collect();
    let counts = unusual
        .iter()
        .filter_map(|fact| match &fact.event {
            Event::TillCounted(body) => {
                let name = name_of(body.device);
                Some((fact.clone(), body.clone(), name))
            }
            _ => None,
        })
        .collect();
    let closed_at = stays.last().map(|stay| stay.device);
    let incoming = match (row.closed_leaf, closed_at) {
        (Some(leaf), Some(device)) => incoming(connection, device, leaf)?,
        _ => None,
    };
    Ok(ShiftFacts {
        opened: ends.opened,
        opened_at_ms: ends.opened_at_ms,
        device: of_stays.join(" → "),
        closed: ends.closed,
        incoming,
        leaves: (row.opened_leaf, ends.last),
        figures,
        counts,
        seconds,
        unusual,
    })
}
