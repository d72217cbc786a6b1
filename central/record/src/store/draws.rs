//! Draws, holders, results, settlements.

use diesel::prelude::*;
use keno_schema::rows::{DrawHolderRow, DrawResultRow, DrawRow, DrawSettlementRow};
use keno_schema::tables::{draw, draw_holder, draw_result, draw_settlement};
use keno_schema::{Connection, on};

/// A draw with its numbers and totals, as far as it has them.
pub type FullDraw = (DrawRow, Option<DrawResultRow>, Option<DrawSettlementRow>);

/// Announces a draw.
///
/// # Errors
/// The database's.
pub fn insert_draw(connection: &mut Connection, row: &DrawRow) -> QueryResult<usize> {
    on!(connection, c => diesel::insert_into(draw::table).values(row).execute(c))
}

/// Names the holders of a draw.
///
/// # Errors
/// The database's.
pub fn insert_holders(connection: &mut Connection, rows: &[DrawHolderRow]) -> QueryResult<usize> {
    on!(connection, c => diesel::insert_into(draw_holder::table).values(rows).execute(c))
}

/// Records a commitment.
///
/// # Errors
/// The database's.
pub fn set_commitment(
    connection: &mut Connection,
    number: i64,
    position: i16,
    commitment: &[u8],
    leaf: i64,
) -> QueryResult<usize> {
    on!(connection, c => diesel::update(draw_holder::table.find((number, position)))
        .set((
            draw_holder::commitment.eq(Some(commitment)),
            draw_holder::commitment_leaf.eq(Some(leaf)),
        ))
        .execute(c))
}

/// Reveals a secret.
///
/// # Errors
/// The database's.
pub fn set_secret(
    connection: &mut Connection,
    number: i64,
    position: i16,
    secret: &[u8],
) -> QueryResult<usize> {
    on!(connection, c => diesel::update(draw_holder::table.find((number, position)))
        .set(draw_holder::secret.eq(Some(secret)))
        .execute(c))
}

/// Sets a draw's state.
///
/// # Errors
/// The database's.
pub fn set_state(connection: &mut Connection, number: i64, state: i16) -> QueryResult<usize> {
    on!(connection, c => diesel::update(draw::table.find(number))
        .set(draw::state.eq(state))
        .execute(c))
}

/// Opens a draw for sale.
///
/// # Errors
/// The database's.
pub fn open(connection: &mut Connection, number: i64, state: i16, leaf: i64) -> QueryResult<usize> {
    on!(connection, c => diesel::update(draw::table.find(number))
        .set((draw::state.eq(state), draw::opened_leaf.eq(Some(leaf))))
        .execute(c))
}

/// What a closing writes.
#[derive(Debug)]
pub struct Closing<'a> {
    /// State number.
    pub state: i16,
    /// Closing leaf.
    pub leaf: i64,
    /// Root of the seal.
    pub seal_root: &'a [u8],
    /// Tickets that take part.
    pub tickets: i64,
    /// Selections that take part.
    pub selections: i64,
    /// Wagers for the draw.
    pub wagered_cents: i64,
}

/// Closes and seals a draw.
///
/// # Errors
/// The database's.
pub fn close(
    connection: &mut Connection,
    number: i64,
    closing: &Closing<'_>,
) -> QueryResult<usize> {
    on!(connection, c => diesel::update(draw::table.find(number))
        .set((
            draw::state.eq(closing.state),
            draw::closed_leaf.eq(Some(closing.leaf)),
            draw::seal_root.eq(Some(closing.seal_root)),
            draw::tickets.eq(closing.tickets),
            draw::selections.eq(closing.selections),
            draw::wagered_cents.eq(closing.wagered_cents),
        ))
        .execute(c))
}

/// Starts a draw.
///
/// # Errors
/// The database's.
pub fn start(
    connection: &mut Connection,
    number: i64,
    state: i16,
    leaf: i64,
) -> QueryResult<usize> {
    on!(connection, c => diesel::update(draw::table.find(number))
        .set((draw::state.eq(state), draw::started_leaf.eq(Some(leaf))))
        .execute(c))
}

/// Voids a draw.
///
/// # Errors
/// The database's.
pub fn void(
    connection: &mut Connection,
    number: i64,
    state: i16,
    leaf: i64,
    reason: &str,
) -> QueryResult<usize> {
    on!(connection, c => diesel::update(draw::table.find(number))
        .set((
            draw::state.eq(state),
            draw::voided_leaf.eq(Some(leaf)),
            draw::void_reason.eq(Some(reason)),
        ))
        .execute(c))
}

/// Records the numbers.
///
/// # Errors
/// The database's.
pub fn insert_result(connection: &mut Connection, row: &DrawResultRow) -> QueryResult<usize> {
    on!(connection, c => diesel::insert_into(draw_result::table).values(row).execute(c))
}

/// Certifies the numbers.
///
/// # Errors
/// The database's.
pub fn certify(
    connection: &mut Connection,
    number: i64,
    leaf: i64,
    certifiers: &str,
) -> QueryResult<usize> {
    on!(connection, c => diesel::update(draw_result::table.find(number))
        .set((
            draw_result::certified_leaf.eq(Some(leaf)),
            draw_result::certifiers.eq(Some(certifiers)),
        ))
        .execute(c))
}

/// Notes where the secrets were revealed.
///
/// # Errors
/// The database's.
pub fn set_revealed(connection: &mut Connection, number: i64, leaf: i64) -> QueryResult<usize> {
    on!(connection, c => diesel::update(draw_result::table.find(number))
        .set(draw_result::revealed_leaf.eq(Some(leaf)))
        .execute(c))
}

/// Fixes the totals.
///
/// # Errors
/// The database's.
pub fn insert_settlement(
    connection: &mut Connection,
    row: &DrawSettlementRow,
) -> QueryResult<usize> {
    on!(connection, c => diesel::insert_into(draw_settlement::table).values(row).execute(c))
}

/// One draw with its numbers and totals.
///
/// # Errors
/// The database's.
pub fn full(connection: &mut Connection, number: i64) -> QueryResult<Option<FullDraw>> {
    on!(connection, c => draw::table
        .left_join(draw_result::table)
        .left_join(draw_settlement::table)
        .filter(draw::number.eq(number))
        .select((
            DrawRow::as_select(),
            Option::<DrawResultRow>::as_select(),
            Option::<DrawSettlementRow>::as_select(),
        ))
        .get_result(c)
        .optional())
}

/// Draws from `first` to `last` with their numbers and totals.
///
/// # Errors
/// The database's.
pub fn range(connection: &mut Connection, first: i64, last: i64) -> QueryResult<Vec<FullDraw>> {
    on!(connection, c => draw::table
        .left_join(draw_result::table)
        .left_join(draw_settlement::table)
        .filter(draw::number.ge(first))
        .filter(draw::number.le(last))
        .order(draw::number.asc())
        .select((
            DrawRow::as_select(),
            Option::<DrawResultRow>::as_select(),
            Option::<DrawSettlementRow>::as_select(),
        ))
        .load(c))
}

/// The draws from `first` to `last` that are in a state, ascending.
///
/// # Errors
/// The database's.
pub fn in_state(
    connection: &mut Connection,
    first: i64,
    last: i64,
    state: i16,
) -> QueryResult<Vec<i64>> {
    on!(connection, c => draw::table
        .filter(draw::number.between(first, last))
        .filter(draw::state.eq(state))
        .order(draw::number.asc())
        .select(draw::number)
        .load(c))
}

/// Holders of a draw in the order of the derivation.
///
/// # Errors
/// The database's.
pub fn holders(connection: &mut Connection, number: i64) -> QueryResult<Vec<DrawHolderRow>> {
    on!(connection, c => draw_holder::table
        .filter(draw_holder::draw.eq(number))
        .order(draw_holder::position.asc())
        .select(DrawHolderRow::as_select())
        .load(c))
}
