//! Tickets, their facts, and keys.

use diesel::prelude::*;
use keno_game::TicketState;
use keno_log::CommandKey;
use keno_schema::rows::{CommandKeyRow, TicketFactRow, TicketRow};
use keno_schema::tables::{command_key, ticket, ticket_fact};
use keno_schema::{Connection, on};

use super::big;

/// The terminal that put a sale aside gave its price back before anybody could know what is drawn: no
/// paper of the ticket is made any more, by whomever it is asked. Said by its reference.
pub const MONEY_GIVEN_BACK: (&str, u8) = ("money_given_back", 4);

/// Inserts tickets.
///
/// # Errors
/// The database's; a taken control number is a unique violation.
pub fn insert(connection: &mut Connection, rows: &[TicketRow]) -> QueryResult<()> {
    insert_rows!(connection, ticket::table, rows)
}

/// Inserts facts of tickets.
///
/// # Errors
/// The database's.
pub fn insert_facts(connection: &mut Connection, rows: &[TicketFactRow]) -> QueryResult<()> {
    insert_rows!(connection, ticket_fact::table, rows)
}

/// Inserts answered keys.
///
/// # Errors
/// The database's; a key that was answered is a unique violation.
pub fn insert_keys(connection: &mut Connection, rows: &[CommandKeyRow]) -> QueryResult<()> {
    insert_rows!(connection, command_key::table, rows)
}

/// What a key was answered with.
///
/// # Errors
/// The database's.
pub fn key(connection: &mut Connection, key: &CommandKey) -> QueryResult<Option<CommandKeyRow>> {
    // Beyond what a column counts there is none, and not the last one that it does.
    if i64::try_from(key.counter.max(key.session)).is_err() {
        return Ok(None);
    }
    one!(connection, CommandKeyRow => command_key::table
        .find((i64::from(key.device), big(key.session), big(key.counter))))
}

/// One ticket.
///
/// # Errors
/// The database's.
pub fn find(connection: &mut Connection, number: u64) -> QueryResult<Option<TicketRow>> {
    one!(connection, TicketRow => ticket::table.find(big(number)))
}

/// The ticket under a keyed hash of its control number.
///
/// # Errors
/// The database's.
pub fn find_by_control(
    connection: &mut Connection,
    control_hash: &[u8],
) -> QueryResult<Option<TicketRow>> {
    one!(connection, TicketRow => ticket::table.filter(ticket::control_hash.eq(control_hash)))
}

/// One of these badges that sold a ticket for a draw, whatever became of the ticket.
///
/// # Errors
/// The database's.
pub fn seller_for(
    connection: &mut Connection,
    draw: u64,
    badges: &[String],
) -> QueryResult<Option<String>> {
    on!(connection, c => ticket::table
        .filter(ticket::last_draw.ge(big(draw)))
        .filter(ticket::first_draw.le(big(draw)))
        .filter(ticket::badge.eq_any(badges))
        .select(ticket::badge)
        .first(c)
        .optional())
}

/// Whether a shift sold a ticket between two leaves.
///
/// # Errors
/// The database's.
pub fn is_sold_between(
    connection: &mut Connection,
    shift: u64,
    first: u64,
    last: u64,
) -> QueryResult<bool> {
    let found: Option<i64> = on!(connection, c => ticket::table
        .filter(ticket::number.between(big(first), big(last)))
        .filter(ticket::shift.eq(big(shift)))
        .select(ticket::number)
        .first(c)
        .optional())?;
    Ok(found.is_some())
}

/// The tickets just before and just after one, in the order of the record.
///
/// # Errors
/// The database's.
pub fn neighbours(
    connection: &mut Connection,
    number: u64,
) -> QueryResult<(Option<TicketRow>, Option<TicketRow>)> {
    let before = one!(connection, TicketRow => ticket::table
        .filter(ticket::number.lt(big(number)))
        .order(ticket::number.desc())
        .limit(1))?;
    let after = one!(connection, TicketRow => ticket::table
        .filter(ticket::number.gt(big(number)))
        .order(ticket::number.asc())
        .limit(1))?;
    Ok((before, after))
}

/// Facts of a ticket after its sale, in order.
///
/// # Errors
/// The database's.
pub fn facts(connection: &mut Connection, number: u64) -> QueryResult<Vec<TicketFactRow>> {
    all!(connection, TicketFactRow => ticket_fact::table
        .filter(ticket_fact::ticket.eq(big(number)))
        .order(ticket_fact::leaf.asc()))
}

/// Sets a ticket's state.
///
/// # Errors
/// The database's.
pub fn set_state(connection: &mut Connection, number: u64, state: TicketState) -> QueryResult<()> {
    set!(connection, ticket::table.find(big(number)) => ticket::state.eq(i16::from(state.code())))
}

/// The paper of a copy came out whole.
///
/// # Errors
/// The database's.
pub fn set_confirmed(connection: &mut Connection, number: u64, copy: u8) -> QueryResult<()> {
    set!(connection, ticket::table.find(big(number)) => ticket::confirmed_copy.eq(i16::from(copy)))
}

/// A ticket's payment is held; an earlier release does not cover it.
///
/// # Errors
/// The database's.
pub fn set_held(connection: &mut Connection, number: u64, leaf: u64) -> QueryResult<()> {
    set!(connection, ticket::table.find(big(number)) => (
        ticket::held_leaf.eq(Some(big(leaf))),
        ticket::released_leaf.eq(None::<i64>),
    ))
}

/// A held ticket is released.
///
/// # Errors
/// The database's.
pub fn set_released(connection: &mut Connection, number: u64, leaf: u64) -> QueryResult<()> {
    set!(connection, ticket::table.find(big(number)) => ticket::released_leaf.eq(Some(big(leaf))))
}

/// A holder of a ticket is not paid; a later refusal says its own reason, unless its price was given
/// back, which stays so.
///
/// # Errors
/// The database's.
pub fn set_refused(connection: &mut Connection, number: u64, reason: u8) -> QueryResult<()> {
    let given_back = i16::from(MONEY_GIVEN_BACK.1);
    let may_change = ticket::refused_reason
        .is_null()
        .or(ticket::refused_reason.ne(given_back));
    set!(connection, ticket::table.find(big(number)).filter(may_change) =>
        ticket::refused_reason.eq(Some(i16::from(reason))))
}

/// A new copy is issued.
///
/// # Errors
/// The database's.
pub fn set_copy(connection: &mut Connection, number: u64, copy: u8) -> QueryResult<()> {
    set!(connection, ticket::table.find(big(number)) => ticket::copy.eq(i16::from(copy)))
}

/// The first presentation as a claim; a later one changes nothing.
///
/// # Errors
/// The database's.
pub fn set_presented(connection: &mut Connection, number: u64, at_ms: i64) -> QueryResult<()> {
    set!(connection, ticket::table.find(big(number)).filter(ticket::presented_at_ms.is_null()) =>
        ticket::presented_at_ms.eq(Some(at_ms)))
}
