//! Keys of commands: those of the sessions that have ended, a page a row, and the commands of a device
//! in the order of their leaves. What an open session was answered is in memory.

use diesel::prelude::*;
use keno_log::hash::sha256;
use keno_log::{CommandKey, Hash};
use keno_schema::rows::{CommandRow, KeyPageRow};
use keno_schema::tables::{command, key_page, ticket};
use keno_schema::{Connection, on};

use super::{big, numbers};
use crate::fault::Fault;
use crate::state::{Keys, leaf_in, page_bytes, page_of};

/// Bytes of a key in its page: the lower part of its counter, and the leaf.
const KEY_BYTES: usize = 10;

/// Inserts commands.
///
/// # Errors
/// The database's.
pub fn insert_commands(connection: &mut Connection, rows: &[CommandRow]) -> QueryResult<()> {
    insert_rows!(connection, command::table, rows)
}

/// Writes the keys of sessions that have ended.
///
/// # Errors
/// The database's.
pub fn insert_ended(connection: &mut Connection, ended: &Keys) -> QueryResult<()> {
    let rows: Vec<KeyPageRow> = ended
        .pages()
        .map(|(&(device, session, page), keys)| KeyPageRow {
            device,
            session,
            page,
            keys: page_bytes(keys),
        })
        .collect();
    insert_rows!(connection, key_page::table, &rows)
}

/// The leaf that answered a key of a session that has ended, by the row of its page: that whose hash
/// this is, or none where there is no page.
///
/// # Errors
/// The database's, or [`Fault::Record`] for a row that is missing or is another.
pub fn ended(
    connection: &mut Connection,
    key: &CommandKey,
    hash: Option<Hash>,
) -> Result<Option<u64>, Fault> {
    let Some(hash) = hash else { return Ok(None) };
    let ((device, session, page), lower) = page_of(key);
    let row: Option<KeyPageRow> = one!(connection, KeyPageRow => key_page::table
        .find((i64::from(device), big(session), big(page))))?;
    let is_own = |row: &KeyPageRow| sha256(&row.keys) == hash;
    let other = || {
        Fault::Record(format!(
            "the keys of session {session} are not what was recorded"
        ))
    };
    let row = row.filter(is_own).ok_or_else(other)?;
    let keys: Vec<(u16, u64)> = row.keys.chunks(KEY_BYTES).filter_map(read_key).collect();
    Ok(leaf_in(&keys, lower))
}

fn read_key(bytes: &[u8]) -> Option<(u16, u64)> {
    let (lower, leaf) = bytes.split_first_chunk()?;
    let leaf = u64::from_be_bytes(leaf.try_into().ok()?);
    Some((u16::from_be_bytes(*lower), leaf))
}

/// Commands of a device after `first` and up to `last`, sales with them.
///
/// # Errors
/// The database's.
pub fn commands(
    connection: &mut Connection,
    device: u32,
    (first, last): (u64, u64),
) -> QueryResult<Vec<u64>> {
    let sales: Vec<i64> = on!(&mut *connection, c => ticket::table
        .filter(ticket::number.gt(big(first)))
        .filter(ticket::number.le(big(last)))
        .filter(ticket::device.eq(i64::from(device)))
        .select(ticket::number)
        .load(c))?;
    let rest: Vec<i64> = on!(connection, c => command::table
        .filter(command::leaf.gt(big(first)))
        .filter(command::leaf.le(big(last)))
        .filter(command::device.eq(i64::from(device)))
        .select(command::leaf)
        .load(c))?;
    Ok(numbers([sales, rest].concat()))
}
