//! Which leaves may speak of a shift, for its sheet. A till moves when its terminal is left.

use diesel::prelude::*;
use keno_log::EventKind;
use keno_schema::tables::{hand_over, shift, ticket_fact, till_count};
use keno_schema::{Connection, on};

use super::{big, numbers, small, unbig};

/// The moves of a till, in order: the leaf, and to which device.
///
/// # Errors
/// The database's.
pub fn moves(connection: &mut Connection, number: u64) -> QueryResult<Vec<(u64, u32)>> {
    let found: Vec<(i64, i64)> = on!(connection, c => hand_over::table
        .filter(hand_over::shift.eq(big(number)))
        .order(hand_over::leaf.asc())
        .select((hand_over::leaf, hand_over::to_device))
        .load(c))?;
    let read = |(leaf, to)| (unbig(leaf), small(to));
    Ok(found.into_iter().map(read).collect())
}

/// Counts of a till in the middle of its shift.
///
/// # Errors
/// The database's.
pub fn counts(connection: &mut Connection, number: u64) -> QueryResult<Vec<u64>> {
    let found = on!(connection, c => till_count::table
        .filter(till_count::shift.eq(big(number)))
        .select(till_count::leaf)
        .load(c))?;
    Ok(numbers(found))
}

/// The first `count` openings of tills after a leaf, in order.
///
/// # Errors
/// The database's.
pub fn opened_after(connection: &mut Connection, leaf: u64, count: i64) -> QueryResult<Vec<u64>> {
    let found = on!(connection, c => shift::table
        .filter(shift::opened_leaf.gt(big(leaf)))
        .order(shift::opened_leaf.asc())
        .limit(count)
        .select(shift::opened_leaf)
        .load(c))?;
    Ok(numbers(found))
}

/// Facts of tickets of some kinds after `first` and up to `last`, at whatever till.
///
/// # Errors
/// The database's.
pub fn ticket_facts(
    connection: &mut Connection,
    (first, last): (u64, u64),
    kinds: &[EventKind],
) -> QueryResult<Vec<u64>> {
    let kinds: Vec<i16> = kinds.iter().map(|kind| i16::from(kind.number())).collect();
    let found = on!(connection, c => ticket_fact::table
        .filter(ticket_fact::leaf.gt(big(first)))
        .filter(ticket_fact::leaf.le(big(last)))
        .filter(ticket_fact::kind.eq_any(&kinds))
        .select(ticket_fact::leaf)
        .load(c))?;
    Ok(numbers(found))
}
