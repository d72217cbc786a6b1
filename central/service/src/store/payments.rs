//! Prizes and payments.

use diesel::prelude::*;
use keno_schema::rows::{PaymentItemRow, PaymentRow, PrizeRow};
use keno_schema::tables::{draw_settlement, payment, payment_item, prize, ticket};
use keno_schema::{Connection, on};

/// Writes prizes.
///
/// # Errors
/// The database's.
pub fn insert_prizes(connection: &mut Connection, rows: &[PrizeRow]) -> QueryResult<()> {
    insert_rows!(connection, prize::table, rows, 256)
}

/// How many prizes of a draw are written.
///
/// # Errors
/// The database's.
pub fn count_prizes(connection: &mut Connection, draw: i64) -> QueryResult<i64> {
    on!(connection, c => prize::table.filter(prize::draw.eq(draw)).count().get_result(c))
}

/// Prizes of a ticket in those of the draws from `first` to `last` that are settled: none shows
/// before its draw is.
///
/// # Errors
/// The database's.
pub fn prizes_of(
    connection: &mut Connection,
    number: i64,
    first: i64,
    last: i64,
) -> QueryResult<Vec<PrizeRow>> {
    on!(connection, c => prize::table
        .inner_join(draw_settlement::table.on(draw_settlement::draw.eq(prize::draw)))
        .filter(prize::draw.between(first, last))
        .filter(prize::ticket.eq(number))
        .order(prize::draw.asc())
        .select(PrizeRow::as_select())
        .load(c))
}

/// Prizes of a settled draw, ascending by ticket.
///
/// # Errors
/// The database's.
pub fn prizes_of_draw(connection: &mut Connection, draw: i64) -> QueryResult<Vec<PrizeRow>> {
    on!(connection, c => prize::table
        .filter(prize::draw.eq(draw))
        .order(prize::ticket.asc())
        .select(PrizeRow::as_select())
        .load(c))
}

/// Records a payment.
///
/// # Errors
/// The database's.
pub fn insert_payment(connection: &mut Connection, row: &PaymentRow) -> QueryResult<usize> {
    on!(connection, c => diesel::insert_into(payment::table).values(row).execute(c))
}

/// Records what a payment pays.
///
/// # Errors
/// The database's; a (ticket, draw) that is paid is a unique violation.
pub fn insert_items(connection: &mut Connection, rows: &[PaymentItemRow]) -> QueryResult<usize> {
    on!(connection, c => diesel::insert_into(payment_item::table).values(rows).execute(c))
}

/// One payment.
///
/// # Errors
/// The database's.
pub fn find(connection: &mut Connection, number: i64) -> QueryResult<Option<PaymentRow>> {
    on!(connection, c => payment::table
        .find(number)
        .select(PaymentRow::as_select())
        .get_result(c)
        .optional())
}

/// Payments of a ticket with their items, in order.
///
/// # Errors
/// The database's.
pub fn of_ticket(
    connection: &mut Connection,
    number: i64,
) -> QueryResult<Vec<(PaymentRow, PaymentItemRow)>> {
    on!(connection, c => payment::table
        .inner_join(payment_item::table)
        .filter(payment::ticket.eq(number))
        .order((payment::number.asc(), payment_item::draw.asc()))
        .select((PaymentRow::as_select(), PaymentItemRow::as_select()))
        .load(c))
}

/// Undoes a payment.
///
/// # Errors
/// The database's.
pub fn reverse(connection: &mut Connection, number: i64, leaf: i64) -> QueryResult<usize> {
    on!(connection, c => diesel::update(payment_item::table.filter(payment_item::payment.eq(number)))
        .set(payment_item::reversed.eq(number))
        .execute(c))?;
    on!(connection, c => diesel::update(
            payment::table.find(number).filter(payment::reversed_leaf.is_null()),
        )
        .set(payment::reversed_leaf.eq(Some(leaf)))
        .execute(c))
}

/// Marks a prize expired.
///
/// # Errors
/// The database's.
pub fn expire(
    connection: &mut Connection,
    draw: i64,
    number: i64,
    leaf: i64,
) -> QueryResult<usize> {
    on!(connection, c => diesel::update(prize::table.find((draw, number)))
        .set(prize::expired_leaf.eq(Some(leaf)))
        .execute(c))
}

/// Unpaid prizes whose claim period ended on `through_day` or before and that were never
/// presented: ticket, draw, payable.
///
/// # Errors
/// The database's.
pub fn to_expire(
    connection: &mut Connection,
    through_day: i64,
    count: i64,
) -> QueryResult<Vec<(i64, i64, i64)>> {
    on!(connection, c => prize::table
        .inner_join(ticket::table)
        .inner_join(draw_settlement::table.on(draw_settlement::draw.eq(prize::draw)))
        .filter(ticket::claim_by.le(through_day))
        .filter(ticket::state.eq(1))
        .filter(ticket::presented_at_ms.is_null())
        .filter(prize::expired_leaf.is_null())
        .filter(prize::payable_cents.gt(0))
        .filter(diesel::dsl::not(diesel::dsl::exists(
            payment_item::table
                .filter(payment_item::ticket.eq(prize::ticket))
                .filter(payment_item::draw.eq(prize::draw))
                .filter(payment_item::reversed.eq(0)),
        )))
        .order((ticket::number.asc(), prize::draw.asc()))
        .limit(count)
        .select((prize::ticket, prize::draw, prize::payable_cents))
        .load(c))
}
