//! Tickets, their facts, and keys.

use diesel::prelude::*;
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
    on!(connection, c => command_key::table
        .find((i64::from(key.device), big(key.session), big(key.counter)))
        .select(CommandKeyRow::as_select())
        .get_result(c)
        .optional())
}

/// Keys answered in any of these sessions.
///
/// # Errors
/// The database's.
pub fn keys_of_sessions(
    connection: &mut Connection,
    sessions: &[i64],
) -> QueryResult<Vec<CommandKeyRow>> {
    on!(connection, c => command_key::table
        .filter(command_key::session.eq_any(sessions))
        .select(CommandKeyRow::as_select())
        .load(c))
}

/// One ticket.
///
/// # Errors
/// The database's.
pub fn find(connection: &mut Connection, number: i64) -> QueryResult<Option<TicketRow>> {
    on!(connection, c => ticket::table
        .find(number)
        .select(TicketRow::as_select())
        .get_result(c)
        .optional())
}

/// The ticket under a keyed hash of its control number.
///
/// # Errors
/// The database's.
pub fn find_by_control(
    connection: &mut Connection,
    control_hash: &[u8],
) -> QueryResult<Option<TicketRow>> {
    on!(connection, c => ticket::table
        .filter(ticket::control_hash.eq(control_hash))
        .select(TicketRow::as_select())
        .get_result(c)
        .optional())
}

/// Indices of the tickets whose last draw is `draw` or later: those that a restart reads.
///
/// # Errors
/// The database's.
pub fn not_over_before(connection: &mut Connection, draw: i64) -> QueryResult<Vec<i64>> {
    on!(connection, c => ticket::table
        .filter(ticket::last_draw.ge(draw))
        .order(ticket::number.asc())
        .select(ticket::number)
        .load(c))
}

/// One of these badges that sold a ticket for a draw, whatever became of the ticket.
///
/// # Errors
/// The database's.
pub fn seller_for(
    connection: &mut Connection,
    draw: i64,
    badges: &[String],
) -> QueryResult<Option<String>> {
    on!(connection, c => ticket::table
        .filter(ticket::last_draw.ge(draw))
        .filter(ticket::first_draw.le(draw))
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
    shift: i64,
    first: i64,
    last: i64,
) -> QueryResult<bool> {
    let found: Option<i64> = on!(connection, c => ticket::table
        .filter(ticket::number.between(first, last))
        .filter(ticket::shift.eq(shift))
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
    number: i64,
) -> QueryResult<(Option<TicketRow>, Option<TicketRow>)> {
    let before = on!(connection, c => ticket::table
        .filter(ticket::number.lt(number))
        .order(ticket::number.desc())
        .select(TicketRow::as_select())
        .first(c)
        .optional())?;
    let after = on!(connection, c => ticket::table
        .filter(ticket::number.gt(number))
        .order(ticket::number.asc())
        .select(TicketRow::as_select())
        .first(c)
        .optional())?;
    Ok((before, after))
}

/// Facts of a ticket after its sale, in order.
///
/// # Errors
/// The database's.
pub fn facts(connection: &mut Connection, number: i64) -> QueryResult<Vec<TicketFactRow>> {
    on!(connection, c => ticket_fact::table
        .filter(ticket_fact::ticket.eq(number))
        .order(ticket_fact::leaf.asc())
        .select(TicketFactRow::as_select())
        .load(c))
}

/// Sets a ticket's state.
///
/// # Errors
/// The database's.
pub fn set_state(connection: &mut Connection, number: i64, state: i16) -> QueryResult<usize> {
    on!(connection, c => diesel::update(ticket::table.find(number))
        .set(ticket::state.eq(state))
        .execute(c))
}

/// The paper of a copy came out whole.
///
/// # Errors
/// The database's.
pub fn set_confirmed(connection: &mut Connection, number: i64, copy: i16) -> QueryResult<usize> {
    on!(connection, c => diesel::update(ticket::table.find(number))
        .set(ticket::confirmed_copy.eq(copy))
        .execute(c))
}

/// A ticket's payment is held; an earlier release does not cover it.
///
/// # Errors
/// The database's.
pub fn set_held(connection: &mut Connection, number: i64, leaf: i64) -> QueryResult<usize> {
    on!(connection, c => diesel::update(ticket::table.find(number))
        .set((
            ticket::held_leaf.eq(Some(leaf)),
            ticket::released_leaf.eq(None::<i64>),
        ))
        .execute(c))
}

/// A held ticket is released.
///
/// # Errors
/// The database's.
pub fn set_released(connection: &mut Connection, number: i64, leaf: i64) -> QueryResult<usize> {
    on!(connection, c => diesel::update(ticket::table.find(number))
        .set(ticket::released_leaf.eq(Some(leaf)))
        .execute(c))
}

/// A holder of a ticket is not paid; a later refusal says its own reason, unless its price was given
/// back, which stays so.
///
/// # Errors
/// The database's.
pub fn set_refused(connection: &mut Connection, number: i64, reason: i16) -> QueryResult<usize> {
    let given_back = i16::from(MONEY_GIVEN_BACK.1);
    let may_change = ticket::refused_reason
        .is_null()
        .or(ticket::refused_reason.ne(given_back));
    on!(connection, c => diesel::update(ticket::table.find(number).filter(may_change))
        .set(ticket::refused_reason.eq(Some(reason)))
        .execute(c))
}

/// A new copy is issued.
///
/// # Errors
/// The database's.
pub fn set_copy(connection: &mut Connection, number: i64, copy: i16) -> QueryResult<usize> {
    on!(connection, c => diesel::update(ticket::table.find(number))
        .set(ticket::copy.eq(copy))
        .execute(c))
}

/// The first presentation as a claim; a later one changes nothing.
///
/// # Errors
/// The database's.
pub fn set_presented(connection: &mut Connection, number: i64, at_ms: i64) -> QueryResult<usize> {
    on!(connection, c => diesel::update(
            ticket::table.find(number).filter(ticket::presented_at_ms.is_null()),
        )
        .set(ticket::presented_at_ms.eq(Some(at_ms)))
        .execute(c))
}
