//! What a device that was left had open: its sessions, its papers, and where they went.

use diesel::prelude::*;
use keno_game::TicketState;
use keno_schema::tables::{device, hand_over, session, shift, ticket};
use keno_schema::{Connection, on};

use super::{big, numbers, small, unbig};

/// Sessions of a device that are looked through for papers: those of one shift, and more.
const SESSIONS_LOOKED_AT: i64 = 64;

/// The device of a session, and the leaf that opened it.
///
/// # Errors
/// The database's.
pub fn session(connection: &mut Connection, number: u64) -> QueryResult<Option<(u32, u64)>> {
    let found = on!(connection, c => session::table
        .find(big(number))
        .select((session::device, session::opened_leaf))
        .get_result(c)
        .optional())?;
    Ok(found.map(|(device, leaf)| (small(device), unbig(leaf))))
}

/// The first time that a device was left after a leaf: that leaf, and the device that went on.
///
/// # Errors
/// The database's.
pub fn next(
    connection: &mut Connection,
    device: u32,
    after: u64,
) -> QueryResult<Option<(u64, u32)>> {
    let found = on!(connection, c => hand_over::table
        .filter(hand_over::device.eq(i64::from(device)))
        .filter(hand_over::leaf.gt(big(after)))
        .order(hand_over::leaf.asc())
        .select((hand_over::leaf, hand_over::to_device))
        .first(c)
        .optional())?;
    Ok(found.map(|(leaf, to)| (unbig(leaf), small(to))))
}

/// The name of the device at which a shift was opened.
///
/// # Errors
/// The database's.
pub fn place_of_shift(connection: &mut Connection, number: u64) -> QueryResult<Option<String>> {
    on!(connection, c => shift::table
        .inner_join(device::table.on(device::number.eq(shift::device)))
        .filter(shift::number.eq(big(number)))
        .select(device::name)
        .get_result(c)
        .optional())
}

/// The tickets that a device sold in a till (or, where none was open, in the last session) before
/// it was left at `leaf`, and whose paper nobody has confirmed.
///
/// # Errors
/// The database's.
pub fn unconfirmed(
    connection: &mut Connection,
    device: u32,
    leaf: u64,
    till: Option<u64>,
) -> QueryResult<Vec<u64>> {
    let opened: Option<i64> = match till {
        None => None,
        Some(number) => on!(&mut *connection, c => shift::table
            .find(big(number))
            .select(shift::opened_leaf)
            .get_result(c)
            .optional())?,
    };
    let mut sessions: Vec<(i64, i64, Option<i64>)> = on!(&mut *connection, c => session::table
        .filter(session::device.eq(i64::from(device)))
        .filter(session::opened_leaf.lt(big(leaf)))
        .order(session::number.desc())
        .limit(SESSIONS_LOOKED_AT)
        .select((session::number, session::opened_leaf, session::ended_leaf))
        .load(c))?;
    match opened {
        Some(opened) => sessions.retain(|(.., ended)| ended.is_none_or(|ended| ended > opened)),
        None => sessions.truncate(1),
    }
    let since = sessions.iter().map(|(_, opened, _)| *opened).min();
    let since = since.unwrap_or(i64::MAX);
    let open: Vec<i64> = sessions.into_iter().map(|(number, ..)| number).collect();
    let sales = on!(connection, c => ticket::table
        .filter(ticket::number.between(since, big(leaf)))
        .filter(ticket::device.eq(i64::from(device)))
        .filter(ticket::session.eq_any(&open))
        .filter(ticket::state.eq(i16::from(TicketState::Sold.code())))
        // A duplicate is the affair of whoever made it.
        .filter(ticket::copy.eq(1))
        .filter(ticket::confirmed_copy.lt(1))
        .select(ticket::number)
        .load(c))?;
    Ok(numbers(sales))
}
