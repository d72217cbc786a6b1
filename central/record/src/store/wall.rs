//! What the supervisor's wall shows of the rows.

use diesel::prelude::*;
use keno_game::{DrawState, TicketState};
use keno_schema::rows::TicketRow;
use keno_schema::tables::{command_key, draw, ticket};
use keno_schema::{Connection, on};

use super::big;
use crate::state::KeyKind;

/// Moment and price in cents of what a device sold last; none when it never sold.
///
/// # Errors
/// The database's.
pub fn last_sale(connection: &mut Connection, device: u32) -> QueryResult<Option<(i64, i64)>> {
    // By the key's own order: sessions and counters of a device only grow.
    on!(connection, c => command_key::table
        .inner_join(ticket::table.on(ticket::number.eq(command_key::leaf)))
        .filter(command_key::device.eq(i64::from(device)))
        .filter(command_key::kind.eq(KeyKind::Sale as i16))
        .order((command_key::session.desc(), command_key::counter.desc()))
        .select((ticket::sold_at_ms, ticket::total_cents))
        .first(c)
        .optional())
}

/// The newest tickets, at most `most`, whose last draw is `from` or a later one and which are held:
/// by somebody, or because nobody confirmed their paper before sales closed at `closed_by_ms`.
///
/// # Errors
/// The database's.
pub fn held(
    connection: &mut Connection,
    from: u64,
    closed_by_ms: i64,
    most: usize,
) -> QueryResult<Vec<TicketRow>> {
    let open = [DrawState::Scheduled, DrawState::Open].map(|state| i16::from(state.code()));
    on!(connection, c => ticket::table
        .inner_join(draw::table.on(draw::number.eq(ticket::first_draw)))
        .filter(ticket::last_draw.ge(big(from)))
        .filter(ticket::state.eq(i16::from(TicketState::Sold.code())))
        .filter(ticket::released_leaf.is_null())
        .filter(ticket::held_leaf.is_not_null().or(ticket::confirmed_copy
            .lt(ticket::copy)
            .and(draw::closes_at_ms.le(closed_by_ms))
            .and(draw::state.ne_all(open))))
        .order(ticket::number.desc())
        .limit(i64::try_from(most).unwrap_or(i64::MAX))
        .select(TicketRow::as_select())
        .load(c))
}
