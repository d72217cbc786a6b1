//! The record: entries and head.

use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::Bool;
use keno_log::export::BYTES_MAX;
use keno_log::leaf::{Entry, FORMAT_VERSION};
use keno_log::tree::Edge;
use keno_log::{DecodeFault, Hash, Leaf, RetiredKind};
use keno_schema::connection::has_record;
use keno_schema::rows::{LogEntryRow, LogHeadRow};
use keno_schema::tables::{log_entry, log_head};
use keno_schema::{Connection, on};

use super::{big, hash, unbig};
use crate::fault::{Fault, RetiredLeaf};

/// Inserts entries.
///
/// # Errors
/// The database's.
pub fn insert_entries(connection: &mut Connection, rows: &[LogEntryRow]) -> QueryResult<()> {
    insert_rows!(connection, log_entry::table, rows)
}

/// Writes the first head.
///
/// # Errors
/// The database's.
pub fn insert_head(connection: &mut Connection, edge: &Edge, at_ms: i64) -> QueryResult<()> {
    let row = head_row(edge, at_ms);
    on!(connection, c => diesel::insert_into(log_head::table).values(&row).execute(c))?;
    Ok(())
}

fn head_row(edge: &Edge, at_ms: i64) -> LogHeadRow {
    LogHeadRow {
        id: 1,
        size: edge.size(),
        edge: edge.to_bytes(),
        root: edge.root().to_vec(),
        at_ms,
    }
}

/// Advances the head from `old_size` by compare-and-swap; false when another writer moved it.
///
/// # Errors
/// The database's.
pub fn advance_head(
    connection: &mut Connection,
    old_size: u64,
    edge: &Edge,
    at_ms: i64,
) -> QueryResult<bool> {
    let row = head_row(edge, at_ms);
    let before = log_head::table
        .filter(log_head::id.eq(1))
        .filter(log_head::size.eq(big(old_size)));
    let changed = on!(connection, c => diesel::update(before)
        .set((
            log_head::size.eq(big(row.size)),
            log_head::edge.eq(&row.edge),
            log_head::root.eq(&row.root),
            log_head::at_ms.eq(row.at_ms),
        ))
        .execute(c))?;
    Ok(changed == 1)
}

/// Locks the head row for this transaction and returns the size it holds.
///
/// # Errors
/// The database's.
pub fn lock_head(connection: &mut Connection) -> QueryResult<Option<u64>> {
    let size: Option<i64> = match connection {
        // `BEGIN IMMEDIATE` is the lock.
        Connection::Sqlite(c) => log_head::table
            .select(log_head::size)
            .get_result(c)
            .optional(),
        Connection::Postgres(c) => log_head::table
            .select(log_head::size)
            .for_update()
            .get_result(c)
            .optional(),
    }?;
    Ok(size.map(unbig))
}

/// The head: edge and time of the last leaf.
///
/// # Errors
/// The database's, or [`Fault::Record`] when edge and root do not belong together.
pub fn head(connection: &mut Connection) -> Result<Option<(Edge, i64)>, Fault> {
    let row: Option<LogHeadRow> = one!(connection, LogHeadRow => log_head::table)?;
    let Some(row) = row else { return Ok(None) };
    let edge = Edge::from_bytes(&row.edge)
        .map_err(|fault| Fault::Record(format!("the head cannot be read: {fault}")))?;
    if edge.root().as_slice() != row.root || edge.size() != row.size {
        return Err(Fault::Record(
            "the head's edge, size and root disagree".to_owned(),
        ));
    }
    Ok(Some((edge, row.at_ms)))
}

/// How many leaves there are, by the last one's place.
///
/// # Errors
/// The database's.
pub fn count(connection: &mut Connection) -> QueryResult<u64> {
    let last: Option<i64> = on!(connection, c => log_entry::table
        .select(diesel::dsl::max(log_entry::leaf_index))
        .get_result(c))?;
    Ok(last.map_or(0, |last| unbig(last) + 1))
}

/// Reads the bytes of a leaf.
///
/// # Errors
/// [`Fault::Record`] naming the leaf, or [`Fault::Retired`].
pub fn leaf_of(index: u64, bytes: &[u8]) -> Result<Leaf, Fault> {
    Leaf::from_bytes(bytes).map_err(|fault| {
        let kind = match fault {
            DecodeFault::Retired { number, .. } => RetiredKind::from_number(number),
            _ => None,
        };
        match kind {
            Some(kind) => RetiredLeaf { leaf: index, kind }.into(),
            None => Fault::Record(format!("leaf {index}: {fault}")),
        }
    })
}

/// Looks at every leaf for a kind that an earlier version recorded: a record with one is left to that
/// version, before anything is changed in it or said of it.
///
/// # Errors
/// The database's, or [`Fault::Retired`].
pub fn must_know_every_kind(connection: &mut Connection) -> Result<(), Fault> {
    if !has_record(connection)? {
        return Ok(());
    }
    for kind in RetiredKind::ALL {
        let begins = hex::encode([FORMAT_VERSION, kind.number()]);
        let of_kind = sql::<Bool>(&match connection {
            Connection::Sqlite(_) => format!("substr(leaf, 1, 2) = x'{begins}'"),
            Connection::Postgres(_) => format!("substring(leaf FROM 1 FOR 2) = '\\x{begins}'"),
        });
        let first: Option<i64> = on!(&mut *connection, c => log_entry::table
            .filter(of_kind)
            .select(diesel::dsl::min(log_entry::leaf_index))
            .get_result(c))?;
        if let Some(leaf) = first.map(unbig) {
            return Err(RetiredLeaf { leaf, kind: *kind }.into());
        }
    }
    Ok(())
}

/// Reads a row as an entry, after its leaf was checked against its hash and its place.
///
/// # Errors
/// [`Fault::Record`] naming the leaf, or [`Fault::Retired`].
pub fn checked_entry(row: &LogEntryRow) -> Result<(Entry, Hash), Fault> {
    let fault = |what: &str| Fault::Record(format!("leaf {}: {what}", row.leaf_index));
    let leaf = leaf_of(row.leaf_index, &row.leaf)?;
    let leaf_hash = leaf.hash();
    if leaf_hash.as_slice() != row.leaf_hash {
        return Err(fault("its bytes are not what its hash says"));
    }
    if !fits_an_export(row.body.len()) {
        return Err(fault("its body is longer than an export may hold"));
    }
    if leaf.header.index != row.leaf_index {
        return Err(fault("it stands in another place than it says"));
    }
    Ok((
        Entry {
            leaf,
            nonce: hash(&row.nonce)?,
            body: row.body.clone(),
        },
        leaf_hash,
    ))
}

/// Entries from `first` on, at most `count`, in order.
///
/// # Errors
/// The database's.
pub fn entries(
    connection: &mut Connection,
    first: u64,
    count: i64,
) -> QueryResult<Vec<LogEntryRow>> {
    all!(connection, LogEntryRow => log_entry::table
        .filter(log_entry::leaf_index.ge(big(first)))
        .order(log_entry::leaf_index.asc())
        .limit(count))
}

/// One entry.
///
/// # Errors
/// The database's.
pub fn entry(connection: &mut Connection, index: u64) -> QueryResult<Option<LogEntryRow>> {
    one!(connection, LogEntryRow => log_entry::table.find(big(index)))
}

/// Times of some leaves, from their own bytes.
///
/// # Errors
/// The database's, or [`Fault::Record`] for bytes that are not a leaf.
pub fn leaf_times(
    connection: &mut Connection,
    leaves: &[u64],
) -> Result<std::collections::HashMap<u64, i64>, Fault> {
    let wanted: Vec<i64> = leaves.iter().map(|leaf| big(*leaf)).collect();
    let rows: Vec<Vec<u8>> = on!(connection, c => log_entry::table
        .select(log_entry::leaf)
        .filter(log_entry::leaf_index.eq_any(&wanted))
        .load(c))?;
    rows.iter()
        .map(|row| {
            Leaf::from_bytes(row)
                .map(|leaf| (leaf.header.index, leaf.header.at_ms))
                .map_err(|fault| Fault::Record(format!("a leaf cannot be read: {fault}")))
        })
        .collect()
}

/// Leaf hashes from `first` on, at most `count`, in order.
///
/// # Errors
/// The database's.
pub fn leaf_hashes(
    connection: &mut Connection,
    first: u64,
    count: i64,
) -> Result<Vec<Hash>, Fault> {
    let rows: Vec<Vec<u8>> = on!(connection, c => log_entry::table
        .select(log_entry::leaf_hash)
        .filter(log_entry::leaf_index.ge(big(first)))
        .order(log_entry::leaf_index.asc())
        .limit(count)
        .load(c))?;
    rows.iter().map(|row| hash(row)).collect()
}

/// Whether an export with a body of this length can be read.
pub fn fits_an_export(bytes: usize) -> bool {
    u32::try_from(bytes).is_ok_and(|bytes| bytes <= BYTES_MAX)
}
