//! What the supervisor's wall shows of the rows.

use diesel::prelude::*;
use keno_game::{DrawState, TicketState};
use keno_schema::rows::TicketRow;
use keno_schema::tables::{draw, ticket};
use keno_schema::{Connection, on};

use super::big;

/// The newest tickets, at most `most`, that are held: by somebody, whenever that was; or because nobody
/// confirmed their paper before sales closed at `closed_by_ms`, of those whose last draw is `from` or a
/// later one.
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
    let most_rows = i64::try_from(most).unwrap_or(i64::MAX);
    let by_somebody: Vec<TicketRow> = on!(connection, c => ticket::table
        .filter(ticket::held_leaf.is_not_null())
        .filter(ticket::released_leaf.is_null())
        .filter(ticket::state.eq(i16::from(TicketState::Sold.code())))
        .order(ticket::number.desc())
        .limit(most_rows)
        .select(TicketRow::as_select())
        .load(c))?;
    let mut all: Vec<TicketRow> = on!(connection, c => ticket::table
        .inner_join(draw::table.on(draw::number.eq(ticket::first_draw)))
        .filter(ticket::last_draw.ge(big(from)))
        .filter(ticket::state.eq(i16::from(TicketState::Sold.code())))
        .filter(ticket::released_leaf.is_null())
        .filter(ticket::held_leaf.is_null())
        .filter(ticket::confirmed_copy.lt(ticket::copy))
        .filter(draw::closes_at_ms.le(closed_by_ms))
        .filter(draw::state.ne_all(open))
        .order(ticket::number.desc())
        .limit(most_rows)
        .select(TicketRow::as_select())
        .load(c))?;
    all.extend(by_somebody);
    all.sort_unstable_by_key(|row| std::cmp::Reverse(row.number));
    all.truncate(most);
    Ok(all)
}
