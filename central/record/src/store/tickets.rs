//! Tickets, their facts, and keys.

use diesel::dsl::{max, min};
use diesel::prelude::*;
use keno_schema::rows::{TicketFactRow, TicketRow};
use keno_schema::tables::{ticket, ticket_fact};
use keno_schema::{Connection, on};

use super::{big, unbig};

/// Inserts tickets.
///
/// # Errors
/// The database's.
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

/// One ticket.
///
/// # Errors
/// The database's.
pub fn find(connection: &mut Connection, number: u64) -> QueryResult<Option<TicketRow>> {
    one!(connection, TicketRow => ticket::table.find(big(number)))
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

/// The tickets just before and just after one, in the order of the record.
///
/// # Errors
/// The database's.
pub fn neighbours(
    connection: &mut Connection,
    number: u64,
) -> QueryResult<(Option<u64>, Option<u64>)> {
    let before: Option<i64> = on!(&mut *connection, c => ticket::table
        .filter(ticket::number.lt(big(number)))
        .select(max(ticket::number))
        .get_result(c))?;
    let after: Option<i64> = on!(connection, c => ticket::table
        .filter(ticket::number.gt(big(number)))
        .select(min(ticket::number))
        .get_result(c))?;
    Ok((before.map(unbig), after.map(unbig)))
}

/// Facts of the tickets from one to another after their sales, in order.
///
/// # Errors
/// The database's.
pub fn facts(
    connection: &mut Connection,
    (first, last): (u64, u64),
) -> QueryResult<Vec<TicketFactRow>> {
    all!(connection, TicketFactRow => ticket_fact::table
        .filter(ticket_fact::ticket.between(big(first), big(last)))
        .order(ticket_fact::leaf.asc()))
}

/// Writes what has become of a ticket since its sale.
///
/// # Errors
/// The database's.
pub fn set_life(connection: &mut Connection, row: &TicketRow) -> QueryResult<()> {
    set!(connection, ticket::table.find(big(row.number)) => (
        ticket::state.eq(i16::from(row.state)),
        ticket::copy.eq(i16::from(row.copy)),
        ticket::confirmed_copy.eq(i16::from(row.confirmed_copy)),
        ticket::held_leaf.eq(row.held_leaf.map(big)),
        ticket::released_leaf.eq(row.released_leaf.map(big)),
    ))
}
