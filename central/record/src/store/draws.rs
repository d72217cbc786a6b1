//! Draws, holders, results, settlements.

use diesel::prelude::*;
use keno_game::DrawState;
use keno_log::Hash;
use keno_log::event::DrawClosed;
use keno_schema::rows::{DrawHolderRow, DrawResultRow, DrawRow, DrawSettlementRow};
use keno_schema::tables::{draw, draw_holder, draw_result, draw_settlement};
use keno_schema::{Connection, on};

use super::big;

/// A draw with its numbers and totals, as far as it has them.
pub type FullDraw = (DrawRow, Option<DrawResultRow>, Option<DrawSettlementRow>);

/// Names the holders of a draw.
///
/// # Errors
/// The database's.
pub fn insert_holders(connection: &mut Connection, rows: &[DrawHolderRow]) -> QueryResult<()> {
    on!(connection, c => diesel::insert_into(draw_holder::table).values(rows).execute(c)).map(drop)
}

/// Records a commitment.
///
/// # Errors
/// The database's.
pub fn set_commitment(
    connection: &mut Connection,
    (draw, position): (u64, u8),
    commitment: &[u8],
    leaf: u64,
) -> QueryResult<()> {
    set!(connection, draw_holder::table.find((big(draw), i16::from(position))) => (
        draw_holder::commitment.eq(Some(commitment)),
        draw_holder::commitment_leaf.eq(Some(big(leaf))),
    ))
}

/// Reveals a secret.
///
/// # Errors
/// The database's.
pub fn set_secret(
    connection: &mut Connection,
    (draw, position): (u64, u8),
    secret: &[u8],
) -> QueryResult<()> {
    set!(connection, draw_holder::table.find((big(draw), i16::from(position))) =>
        draw_holder::secret.eq(Some(secret)))
}

/// Sets a draw's state.
///
/// # Errors
/// The database's.
pub fn set_state(connection: &mut Connection, number: u64, state: DrawState) -> QueryResult<()> {
    set!(connection, draw::table.find(big(number)) => draw::state.eq(i16::from(state.code())))
}

/// Sets when a draw's first number is to be shown.
///
/// # Errors
/// The database's.
pub fn postpone(connection: &mut Connection, number: u64, draws_at_ms: i64) -> QueryResult<()> {
    set!(connection, draw::table.find(big(number)) => draw::draws_at_ms.eq(draws_at_ms))
}

/// Sets where a draw's numbers come from, when that is no set of balls any more.
///
/// # Errors
/// The database's.
pub fn set_source(connection: &mut Connection, number: u64, source: u8) -> QueryResult<()> {
    set!(connection, draw::table.find(big(number)) => (
        draw::source.eq(i16::from(source)),
        draw::ball_set.eq(None::<&str>),
    ))
}

/// Opens a draw for sale.
///
/// # Errors
/// The database's.
pub fn open(
    connection: &mut Connection,
    number: u64,
    state: DrawState,
    leaf: u64,
) -> QueryResult<()> {
    set!(connection, draw::table.find(big(number)) => (
        draw::state.eq(i16::from(state.code())),
        draw::opened_leaf.eq(Some(big(leaf))),
    ))
}

/// Closes and seals a draw.
///
/// # Errors
/// The database's.
pub fn close(
    connection: &mut Connection,
    body: &DrawClosed,
    (state, leaf): (DrawState, u64),
    seal_root: &Hash,
) -> QueryResult<()> {
    set!(connection, draw::table.find(big(body.draw)) => (
        draw::state.eq(i16::from(state.code())),
        draw::closed_leaf.eq(Some(big(leaf))),
        draw::seal_root.eq(Some(seal_root.as_slice())),
        draw::tickets.eq(big(body.tickets)),
        draw::selections.eq(big(body.selections)),
        draw::wagered_cents.eq(body.wagered_cents),
    ))
}

/// Starts a draw.
///
/// # Errors
/// The database's.
pub fn start(
    connection: &mut Connection,
    number: u64,
    state: DrawState,
    leaf: u64,
    ball_set: Option<&str>,
) -> QueryResult<()> {
    set!(connection, draw::table.find(big(number)) => (
        draw::state.eq(i16::from(state.code())),
        draw::started_leaf.eq(Some(big(leaf))),
        draw::ball_set.eq(ball_set),
    ))
}

/// Voids a draw.
///
/// # Errors
/// The database's.
pub fn void(connection: &mut Connection, number: u64, leaf: u64, reason: &str) -> QueryResult<()> {
    set!(connection, draw::table.find(big(number)) => (
        draw::state.eq(i16::from(DrawState::Void.code())),
        draw::voided_leaf.eq(Some(big(leaf))),
        draw::void_reason.eq(Some(reason)),
    ))
}

/// Certifies the numbers.
///
/// # Errors
/// The database's.
pub fn certify(
    connection: &mut Connection,
    number: u64,
    leaf: u64,
    certifiers: &str,
) -> QueryResult<()> {
    set!(connection, draw_result::table.find(big(number)) => (
        draw_result::certified_leaf.eq(Some(big(leaf))),
        draw_result::certifiers.eq(Some(certifiers)),
    ))
}

/// Notes where the secrets were revealed.
///
/// # Errors
/// The database's.
pub fn set_revealed(connection: &mut Connection, number: u64, leaf: u64) -> QueryResult<()> {
    set!(connection, draw_result::table.find(big(number)) =>
        draw_result::revealed_leaf.eq(Some(big(leaf))))
}

/// One draw with its numbers and totals.
///
/// # Errors
/// The database's.
pub fn full(connection: &mut Connection, number: u64) -> QueryResult<Option<FullDraw>> {
    Ok(range(connection, number, number)?.pop())
}

/// Draws from `first` to `last` with their numbers and totals.
///
/// # Errors
/// The database's.
pub fn range(connection: &mut Connection, first: u64, last: u64) -> QueryResult<Vec<FullDraw>> {
    on!(connection, c => draw::table
        .left_join(draw_result::table)
        .left_join(draw_settlement::table)
        .filter(draw::number.ge(big(first)))
        .filter(draw::number.le(big(last)))
        .order(draw::number.asc())
        .select((
            DrawRow::as_select(),
            Option::<DrawResultRow>::as_select(),
            Option::<DrawSettlementRow>::as_select(),
        ))
        .load(c))
}

/// Official draws after a number, in order, at most `count`: the draw, and the leaf of its numbers.
///
/// # Errors
/// The database's.
pub fn official_after(
    connection: &mut Connection,
    after: u64,
    count: i64,
) -> QueryResult<Vec<(DrawRow, DrawResultRow)>> {
    on!(connection, c => draw::table
        .inner_join(draw_result::table)
        .filter(draw::number.gt(big(after)))
        .filter(draw_result::certified_leaf.is_not_null())
        .order(draw::number.asc())
        .limit(count)
        .select((DrawRow::as_select(), DrawResultRow::as_select()))
        .load(c))
}

/// Holders of a draw in the order of the derivation.
///
/// # Errors
/// The database's.
pub fn holders(connection: &mut Connection, number: u64) -> QueryResult<Vec<DrawHolderRow>> {
    all!(connection, DrawHolderRow => draw_holder::table
        .filter(draw_holder::draw.eq(big(number)))
        .order(draw_holder::position.asc()))
}
