//! Leaves of the record as facts, each checked against its hash and its place.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use diesel::prelude::*;
use keno_log::tree::root_of;
use keno_log::{Event, EventKind, Hash};
use keno_schema::rows::LogEntryRow;
use keno_schema::tables::log_entry;
use keno_schema::{Connection, on};

use super::{big, log, unbig};
use crate::fault::Fault;
use crate::state::{Block, Leaves};

/// Leaves named in one statement.
const LEAVES_A_READ: usize = 500;

/// A fact with its place and moment.
#[derive(Debug, Clone)]
pub struct Fact {
    /// Leaf index.
    pub leaf: u64,
    /// When, UTC milliseconds.
    pub at_ms: i64,
    /// Leaf hash.
    pub leaf_hash: Hash,
    /// The fact.
    pub event: Event,
}

fn fact_of(row: &LogEntryRow) -> Result<Fact, Fault> {
    let (entry, leaf_hash) = log::checked_entry(row)?;
    let leaf = entry.leaf.header.index;
    Ok(Fact {
        leaf,
        at_ms: entry.leaf.header.at_ms,
        leaf_hash,
        event: entry
            .event()
            .map_err(|fault| Fault::Record(format!("leaf {leaf}: {fault}")))?,
    })
}

/// One leaf.
///
/// # Errors
/// The database's, or [`Fault::Record`] for a leaf that is missing or is not what its hash says.
pub fn fact(connection: &mut Connection, leaf: u64) -> Result<Fact, Fault> {
    let row = log::entry(connection, leaf)?
        .ok_or_else(|| Fault::Record(format!("leaf {leaf} is missing")))?;
    fact_of(&row)
}

/// The leaf that somebody names; none where there is no such leaf.
pub fn fact_if_any(connection: &mut Connection, leaf: u64) -> Result<Option<Fact>, Fault> {
    match i64::try_from(leaf) {
        Ok(_) => log::entry(connection, leaf)?
            .as_ref()
            .map(fact_of)
            .transpose(),
        Err(_) => Ok(None),
    }
}

/// The event of a leaf that somebody names; none where there is no such leaf.
pub fn event_if_any(connection: &mut Connection, leaf: u64) -> Result<Option<Event>, Fault> {
    Ok(fact_if_any(connection, leaf)?.map(|fact| fact.event))
}

/// The named leaf's event and time, from a checked leaf.
pub fn event_at(connection: &mut Connection, leaf: u64) -> Result<(Event, i64), Fault> {
    let fact = fact(connection, leaf)?;
    Ok((fact.event, fact.at_ms))
}

/// The body of a leaf that must be a fact of its kind, and when it was recorded.
///
/// # Errors
/// The database's, or [`Fault::Record`] for a leaf that is missing, is not what its hash says, or
/// is a fact of another kind.
pub fn body_at<T: TryFrom<Event, Error = Event>>(
    connection: &mut Connection,
    leaf: u64,
) -> Result<(T, i64), Fault> {
    let (event, at_ms) = event_at(connection, leaf)?;
    let foreign = |event: Event| Fault::Record(format!("leaf {leaf} is a {}", event.kind().name()));
    Ok((event.try_into().map_err(foreign)?, at_ms))
}

/// These leaves, in order; each must be there.
///
/// # Errors
/// The database's, or [`Fault::Record`] for a leaf that is missing or is not what its hash says.
pub fn facts(connection: &mut Connection, leaves: &[u64]) -> Result<Vec<Fact>, Fault> {
    let mut found = Vec::with_capacity(leaves.len());
    for some in leaves.chunks(LEAVES_A_READ) {
        let indices: Vec<i64> = some.iter().map(|leaf| big(*leaf)).collect();
        let rows: Vec<LogEntryRow> = all!(connection, LogEntryRow => log_entry::table
            .filter(log_entry::leaf_index.eq_any(&indices))
            .order(log_entry::leaf_index.asc()))?;
        for row in &rows {
            found.push(fact_of(row)?);
        }
    }
    if found.len() != leaves.len() {
        return Err(Fault::Record(
            "a leaf that a table names is missing".to_owned(),
        ));
    }
    Ok(found)
}

/// Refuses leaves that are not those that were recorded. The rows of their hashes prove nothing by
/// themselves: they must come to the root of their block.
///
/// # Errors
/// The database's, or [`Fault::Record`] naming the leaf.
pub fn must_be_known(
    connection: &mut Connection,
    known: &Leaves,
    facts: &[Fact],
) -> Result<(), Fault> {
    let mut blocks: BTreeMap<u64, Vec<Hash>> = BTreeMap::new();
    for fact in facts {
        let leaf = fact.leaf;
        let foreign = || Fault::Record(format!("leaf {leaf} is not the one that was recorded"));
        let hashes = match known.block_of(leaf).ok_or_else(foreign)? {
            Block::Last(hashes) => hashes,
            Block::Full(first, count, root) => {
                if let Entry::Vacant(block) = blocks.entry(first) {
                    let hashes = log::leaf_hashes(connection, first, big(count))?;
                    if root_of(&hashes) != *root {
                        return Err(foreign());
                    }
                    block.insert(hashes);
                }
                blocks.get(&first).map_or(&[][..], Vec::as_slice)
            }
        };
        if hashes.get(Leaves::place_of(leaf)) != Some(&fact.leaf_hash) {
            return Err(foreign());
        }
    }
    Ok(())
}

/// The leaves of some kinds about a draw between two leaves, both ends included. Only headers are
/// read of the others.
///
/// # Errors
/// The database's, or [`Fault::Record`] for a leaf that is missing or is not what its hash says.
pub fn of_draw(
    connection: &mut Connection,
    draw: u64,
    (first, last): (u64, u64),
    kinds: &[EventKind],
) -> Result<Vec<Fact>, Fault> {
    const HEADERS_A_READ: i64 = 2_000;
    let mut wanted = Vec::new();
    let mut next = big(first);
    loop {
        let rows: Vec<(i64, Vec<u8>)> = on!(connection, c => log_entry::table
            .filter(log_entry::leaf_index.ge(next))
            .filter(log_entry::leaf_index.le(big(last)))
            .order(log_entry::leaf_index.asc())
            .limit(HEADERS_A_READ)
            .select((log_entry::leaf_index, log_entry::leaf))
            .load(c))?;
        let Some((end, _)) = rows.last() else { break };
        next = end + 1;
        for (index, bytes) in &rows {
            let header = log::leaf_of(unbig(*index), bytes)?.header;
            if header.draw == draw && kinds.contains(&header.kind) {
                wanted.push(header.index);
            }
        }
    }
    facts(connection, &wanted)
}
