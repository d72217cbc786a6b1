//! The sheet of a shift: what went through one till, and whether its count agrees.

mod figures;
mod layout;
mod reply;

use std::collections::{BTreeMap, BTreeSet};

use diesel::prelude::*;
use keno_log::event::{ShiftClosed, ShiftOpened, TillCounted};
use keno_log::{Event, EventKind};
use keno_record::fault::Fault;
use keno_record::store::{big, log, unbig};
use keno_schema::rows::ShiftRow;
use keno_schema::tables::{command_key, hand_over, shift, ticket_fact, till_count};
use keno_schema::{Connection, on};

use super::leaves::Fact;
use super::{ReportFault, leaves};

pub use figures::{Elsewhere, ShiftFigures, Tendered};
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

/// Counts of a till in the middle of its shift.
fn counts(connection: &mut Connection, number: i64) -> Result<Vec<u64>, Fault> {
    let found: Vec<i64> = on!(connection, c => till_count::table
        .filter(till_count::shift.eq(number))
        .select(till_count::leaf)
        .load(c))?;
    Ok(found.into_iter().map(unbig).collect())
}

/// Tills opened after this one that are looked through for the next at its terminal.
const NEXT_LOOKED_AT: i64 = 64;

/// For whom the next till was opened at a device after a leaf.
fn incoming(
    connection: &mut Connection,
    device: i64,
    closed: i64,
) -> Result<Option<String>, Fault> {
    // Where a till is by now says nothing of where it was opened: its leaf does.
    let opened: Vec<i64> = on!(connection, c => shift::table
        .filter(shift::opened_leaf.gt(closed))
        .order(shift::opened_leaf.asc())
        .limit(NEXT_LOOKED_AT)
        .select(shift::opened_leaf)
        .load(c))?;
    let opened: Vec<u64> = opened.into_iter().map(unbig).collect();
    let mut facts = leaves::facts(connection, &opened)?.into_iter();
    Ok(facts.find_map(|fact| match fact.event {
        Event::ShiftOpened(body) if i64::from(body.device) == device => Some(body.badge),
        _ => None,
    }))
}

/// Facts of tickets between two leaves that are out of the ordinary, at whatever till.
fn unusual(connection: &mut Connection, (first, last): (i64, i64)) -> Result<Vec<u64>, Fault> {
    let kinds: Vec<i16> = EventKind::ALL
        .iter()
        .filter(|kind| kind.marks().incident)
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

/// How a shift began and ended.
struct Ends {
    opened: ShiftOpened,
    opened_at_ms: i64,
    closed: Option<(ShiftClosed, i64)>,
    /// The last leaf that may speak of it.
    last: i64,
}

fn ends(connection: &mut Connection, row: &ShiftRow) -> Result<Ends, Fault> {
    let wrong = |what: &str| Fault::Record(format!("shift {}: {what}", row.number));
    let opened = leaves::fact(connection, unbig(row.opened_leaf))?;
    let Event::ShiftOpened(opening) = opened.event else {
        return Err(wrong("its opening is not one"));
    };
    let closed = match row.closed_leaf {
        None => None,
        Some(leaf) => {
            let fact = leaves::fact(connection, unbig(leaf))?;
            let Event::ShiftClosed(body) = fact.event else {
                return Err(wrong("its closing is not one"));
            };
            Some((body, fact.at_ms))
        }
    };
    let last = match row.closed_leaf {
        Some(leaf) => leaf,
        None => log::head(connection)?.map_or(row.opened_leaf, |(edge, _)| big(edge.size()) - 1),
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
    let device = i64::from(ends.opened.device);
    let (stays, mut named) = stays(connection, row, device, ends.last)?;
    for stay in &stays {
        named.extend(commands(connection, stay.device, (stay.first, stay.last))?);
    }
    named.extend(unusual(connection, (row.opened_leaf, ends.last))?);
    named.extend(counts(connection, row.number)?);
    named.sort_unstable();
    named.dedup();
    Ok((stays, leaves::facts(connection, &named)?))
}

/// Shift and tender of each sale that these facts speak of, by its ticket.
type Sold = BTreeMap<u64, (u64, u8)>;

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
            Event::TicketSold(body) => Some((fact.leaf, (body.shift, body.tender))),
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
                let of_this_till = sale.is_some_and(|(shift, _)| *shift == number);
                event.kind().marks().incident
                    && (of_this_till || names.badges().any(|by| by == badge))
            }
        },
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
    let names = leaves::device_names(connection)?;
    let name_of = |device: i64| {
        let device = u32::try_from(device).ok();
        let name = device.and_then(|device| names.get(&device));
        name.cloned().unwrap_or_else(|| "?".to_owned())
    };
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
                let name = name_of(i64::from(body.device));
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
        leaves: (unbig(row.opened_leaf), unbig(ends.last)),
        figures,
        counts,
        seconds,
        unusual,
    })
}
