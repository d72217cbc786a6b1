//! What the supervisor's wall shows of the rows.

use diesel::prelude::*;
use keno_game::{DrawState, TicketState};
use keno_schema::rows::TicketRow;
use keno_schema::tables::{draw, ticket};
use keno_schema::{Connection, on};

use super::big;

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
