//! Prizes and payments.

use diesel::prelude::*;
use keno_game::TicketState;
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

/// Whether what was paid for a draw was not undone.
pub fn stands(item: &PaymentItemRow) -> bool {
    item.reversed == 0
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

/// Payments of a shift from one leaf to another, in order.
///
/// # Errors
/// The database's.
pub fn of_shift(
    connection: &mut Connection,
    shift: i64,
    first: i64,
    last: i64,
) -> QueryResult<Vec<PaymentRow>> {
    on!(connection, c => payment::table
        .filter(payment::number.between(first, last))
        .filter(payment::shift.eq(shift))
        .order(payment::number.asc())
        .select(PaymentRow::as_select())
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

/// What a draw owed a ticket expires. Refunds are no rows; one that expired becomes one with it.
///
/// # Errors
/// The database's.
pub fn expire(
    connection: &mut Connection,
    draw: i64,
    number: i64,
    cents: i64,
    leaf: i64,
) -> QueryResult<()> {
    let marked = on!(connection, c => diesel::update(prize::table.find((draw, number)))
        .set(prize::expired_leaf.eq(Some(leaf)))
        .execute(c))?;
    if marked > 0 {
        return Ok(());
    }
    let refund = PrizeRow {
        draw,
        ticket: number,
        computed_cents: cents,
        payable_cents: cents,
        expired_leaf: Some(leaf),
    };
    insert_prizes(connection, &[refund])
}

/// Draws of a ticket, from `first` to `last`, whose prize or refund has expired.
///
/// # Errors
/// The database's.
pub fn expired_draws(
    connection: &mut Connection,
    number: i64,
    first: i64,
    last: i64,
) -> QueryResult<Vec<i64>> {
    on!(connection, c => prize::table
        .filter(prize::draw.between(first, last))
        .filter(prize::ticket.eq(number))
        .filter(prize::expired_leaf.is_not_null())
        .select(prize::draw)
        .load(c))
}

/// What may expire of a ticket: its number, draw, cents, last day on the paper, rules, and when a
/// draw of it was first presented.
pub type MayExpire = (i64, i64, i64, i64, i64, Option<i64>);

/// Unpaid prizes of tickets whose last day on the paper was `through_day` or before, that come
/// after `(ticket, draw)` in their order.
///
/// # Errors
/// The database's.
pub fn prizes_that_may_expire(
    connection: &mut Connection,
    through_day: i64,
    (after_ticket, after_draw): (i64, i64),
    count: i64,
) -> QueryResult<Vec<MayExpire>> {
    on!(connection, c => prize::table
        .inner_join(ticket::table)
        .inner_join(draw_settlement::table.on(draw_settlement::draw.eq(prize::draw)))
        .filter(
            prize::ticket.gt(after_ticket)
                .or(prize::ticket.eq(after_ticket).and(prize::draw.gt(after_draw))),
        )
        .filter(ticket::claim_by.le(through_day))
        .filter(ticket::state.eq(i16::from(TicketState::Sold.code())))
        .filter(prize::expired_leaf.is_null())
        .filter(prize::payable_cents.gt(0))
        .filter(diesel::dsl::not(diesel::dsl::exists(
            payment_item::table
                .filter(payment_item::ticket.eq(prize::ticket))
                .filter(payment_item::draw.eq(prize::draw))
                .filter(payment_item::reversed.eq(0)),
        )))
        .order((prize::ticket.asc(), prize::draw.asc()))
        .limit(count)
        .select((
            prize::ticket,
            prize::draw,
            prize::payable_cents,
            ticket::claim_by,
            ticket::rule_book,
            ticket::presented_at_ms,
        ))
        .load(c))
}

/// Unpaid refunds of one void draw, of tickets whose last day on the paper was `through_day` or
/// before, that come after the ticket `after`. No ticket has more draws than `draws_max`.
///
/// # Errors
/// The database's.
pub fn refunds_that_may_expire(
    connection: &mut Connection,
    draw: i64,
    draws_max: i64,
    through_day: i64,
    after: i64,
    count: i64,
) -> QueryResult<Vec<MayExpire>> {
    let rows: Vec<(i64, i64, i64, i64, Option<i64>)> = on!(connection, c => ticket::table
        .filter(ticket::last_draw.between(draw, draw.saturating_add(draws_max)))
        .filter(ticket::first_draw.le(draw))
        .filter(ticket::number.gt(after))
        .filter(ticket::claim_by.le(through_day))
        .filter(ticket::state.eq(i16::from(TicketState::Sold.code())))
        .filter(diesel::dsl::not(diesel::dsl::exists(
            prize::table.filter(prize::ticket.eq(ticket::number)).filter(prize::draw.eq(draw)),
        )))
        .filter(diesel::dsl::not(diesel::dsl::exists(
            payment_item::table
                .filter(payment_item::ticket.eq(ticket::number))
                .filter(payment_item::draw.eq(draw))
                .filter(payment_item::reversed.eq(0)),
        )))
        .order(ticket::number.asc())
        .limit(count)
        .select((
            ticket::number,
            ticket::per_draw_cents,
            ticket::claim_by,
            ticket::rule_book,
            ticket::presented_at_ms,
        ))
        .load(c))?;
    let whole = |(number, cents, claim_by, rules, presented)| {
        (number, draw, cents, claim_by, rules, presented)
    };
    Ok(rows.into_iter().map(whole).collect())
}
