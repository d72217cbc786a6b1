//! Payments.

use diesel::prelude::*;
use keno_schema::rows::{PaymentItemRow, PaymentRow};
use keno_schema::tables::{payment, payment_item};
use keno_schema::{Connection, on};

use super::big;

/// Whether what was paid for a draw was not undone.
pub fn stands(item: &PaymentItemRow) -> bool {
    item.reversed == 0
}

/// Records what a payment pays.
///
/// # Errors
/// The database's; a (ticket, draw) that is paid is a unique violation.
pub fn insert_items(connection: &mut Connection, rows: &[PaymentItemRow]) -> QueryResult<()> {
    on!(connection, c => diesel::insert_into(payment_item::table).values(rows).execute(c)).map(drop)
}

/// One payment.
///
/// # Errors
/// The database's.
pub fn find(connection: &mut Connection, number: u64) -> QueryResult<Option<PaymentRow>> {
    one!(connection, PaymentRow => payment::table.find(big(number)))
}

/// What was paid of a ticket with its payments, in order; none where a row of it is missing.
///
/// # Errors
/// The database's.
pub fn of_ticket(
    connection: &mut Connection,
    number: u64,
) -> QueryResult<Vec<(Option<PaymentRow>, PaymentItemRow)>> {
    on!(connection, c => payment_item::table
        .left_join(payment::table)
        .filter(payment_item::ticket.eq(big(number)))
        .order((payment_item::payment.asc(), payment_item::draw.asc()))
        .select((Option::<PaymentRow>::as_select(), PaymentItemRow::as_select()))
        .load(c))
}

/// Payments of a shift from one leaf to another, in order.
///
/// # Errors
/// The database's.
pub fn of_shift(
    connection: &mut Connection,
    shift: u64,
    first: u64,
    last: u64,
) -> QueryResult<Vec<PaymentRow>> {
    all!(connection, PaymentRow => payment::table
        .filter(payment::number.between(big(first), big(last)))
        .filter(payment::shift.eq(big(shift)))
        .order(payment::number.asc()))
}

/// Undoes a payment.
///
/// # Errors
/// The database's.
pub fn reverse(connection: &mut Connection, number: u64, leaf: u64) -> QueryResult<()> {
    set!(&mut *connection, payment_item::table.filter(payment_item::payment.eq(big(number))) =>
        payment_item::reversed.eq(big(number)))?;
    set!(connection, payment::table.find(big(number)).filter(payment::reversed_leaf.is_null()) =>
        payment::reversed_leaf.eq(Some(big(leaf))))
}
