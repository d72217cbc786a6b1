//! Files of damaged papers.

use diesel::prelude::*;
use keno_schema::rows::DamagedFileRow;
use keno_schema::tables::{damaged_file, payment, ticket};
use keno_schema::{Connection, on};

use super::{big, numbers};

/// What was decided of a file.
///
/// # Errors
/// The database's.
pub fn judge(
    connection: &mut Connection,
    file: u64,
    leaf: u64,
    is_paid: bool,
    by_three: bool,
) -> QueryResult<()> {
    set!(connection, damaged_file::table.find(big(file)) => (
        damaged_file::judged_leaf.eq(Some(big(leaf))),
        damaged_file::is_paid.eq(i16::from(is_paid)),
        damaged_file::by_three.eq(i16::from(by_three)),
    ))
}

/// One file.
///
/// # Errors
/// The database's.
pub fn find(connection: &mut Connection, file: u64) -> QueryResult<Option<DamagedFileRow>> {
    one!(connection, DamagedFileRow => damaged_file::table.find(big(file)))
}

/// The last file that a device opened.
///
/// # Errors
/// The database's.
pub fn last_at(connection: &mut Connection, device: u32) -> QueryResult<Option<DamagedFileRow>> {
    one!(connection, DamagedFileRow => damaged_file::table
        .filter(damaged_file::device.eq(i64::from(device)))
        .order(damaged_file::leaf.desc())
        .limit(1))
}

/// Every file that nobody has judged, then the last that were, the newest first: `most` at most.
///
/// # Errors
/// The database's.
pub fn newest(connection: &mut Connection, most: i64) -> QueryResult<Vec<DamagedFileRow>> {
    let mut open: Vec<DamagedFileRow> = all!(connection, DamagedFileRow => damaged_file::table
        .filter(damaged_file::judged_leaf.is_null())
        .order(damaged_file::leaf.desc())
        .limit(most))?;
    let judged: Vec<DamagedFileRow> = all!(connection, DamagedFileRow => damaged_file::table
        .filter(damaged_file::judged_leaf.is_not_null())
        .order(damaged_file::leaf.desc())
        .limit(most))?;
    let left = usize::try_from(most)
        .unwrap_or(0)
        .saturating_sub(open.len());
    open.extend(judged.into_iter().take(left));
    Ok(open)
}

/// When a badge paid on a path, from a moment on, and whether alone.
///
/// # Errors
/// The database's.
pub fn paid_by_path(
    connection: &mut Connection,
    badge: &str,
    path: u8,
    since_ms: i64,
) -> QueryResult<Vec<(i64, bool)>> {
    on!(connection, c => payment::table
        .filter(payment::badge.eq(badge))
        .filter(payment::path.eq(i16::from(path)))
        .filter(payment::paid_at_ms.ge(since_ms))
        .select((payment::paid_at_ms, payment::second.is_null()))
        .load(c))
}

/// The tickets whose first draw is this one, from one number on, in their order.
///
/// # Errors
/// The database's.
pub fn tickets_from(
    connection: &mut Connection,
    first_draw: u64,
    from: u64,
    most: i64,
) -> QueryResult<Vec<u64>> {
    let found = on!(connection, c => ticket::table
        .filter(ticket::first_draw.eq(big(first_draw)))
        .filter(ticket::last_draw.ge(big(first_draw)))
        .filter(ticket::number.ge(big(from)))
        .order(ticket::number.asc())
        .limit(most)
        .select(ticket::number)
        .load(c))?;
    Ok(numbers(found))
}
