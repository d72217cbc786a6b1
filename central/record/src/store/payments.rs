//! Prizes and payments.

use diesel::prelude::*;
use keno_game::TicketState;
use keno_log::event::ExpiredItem;
use keno_schema::rows::{PaymentItemRow, PaymentRow, PrizeRow};
use keno_schema::tables::{draw_settlement, payment, payment_item, prize, ticket};
use keno_schema::{Connection, on};

use super::{big, numbers, small, unbig};

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
pub fn count_prizes(connection: &mut Connection, draw: u64) -> QueryResult<u64> {
    let written = prize::table.filter(prize::draw.eq(big(draw))).count();
    on!(connection, c => written.get_result(c)).map(unbig)
}

/// Prizes of a settled draw, ascending by ticket.
///
/// # Errors
/// The database's.
pub fn prizes_of_draw(connection: &mut Connection, draw: u64) -> QueryResult<Vec<PrizeRow>> {
    all!(connection, PrizeRow => prize::table
        .filter(prize::draw.eq(big(draw)))
        .order(prize::ticket.asc()))
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

/// Payments of a ticket with their items, in order.
///
/// # Errors
/// The database's.
pub fn of_ticket(
    connection: &mut Connection,
    number: u64,
) -> QueryResult<Vec<(PaymentRow, PaymentItemRow)>> {
    on!(connection, c => payment::table
        .inner_join(payment_item::table)
        .filter(payment::ticket.eq(big(number)))
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

/// What a draw owed a ticket expires. Refunds are no rows; one that expired becomes one with it.
///
/// # Errors
/// The database's.
pub fn expire(connection: &mut Connection, item: &ExpiredItem, leaf: u64) -> QueryResult<()> {
    let prize = prize::table.find((big(item.draw), big(item.ticket)));
    let marked = on!(&mut *connection, c => diesel::update(prize)
        .set(prize::expired_leaf.eq(Some(big(leaf))))
        .execute(c))?;
    if marked > 0 {
        return Ok(());
    }
    let refund = PrizeRow {
        draw: item.draw,
        ticket: item.ticket,
        computed_cents: item.amount_cents,
        payable_cents: item.amount_cents,
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
    number: u64,
    first: u64,
    last: u64,
) -> QueryResult<Vec<u64>> {
    let found = on!(connection, c => prize::table
        .filter(prize::draw.between(big(first), big(last)))
        .filter(prize::ticket.eq(big(number)))
        .filter(prize::expired_leaf.is_not_null())
        .select(prize::draw)
        .load(c))?;
    Ok(numbers(found))
}

/// What may expire of a ticket: its number, draw, cents, last day on the paper, rules, and when a
/// draw of it was first presented.
pub type MayExpire = (u64, u64, i64, u32, u32, Option<i64>);

/// A row of it.
fn may_expire(row: (i64, i64, i64, i64, i64, Option<i64>)) -> MayExpire {
    let (ticket, draw, cents, claim_by, rules, presented_at_ms) = row;
    (
        unbig(ticket),
        unbig(draw),
        cents,
        small(claim_by),
        small(rules),
        presented_at_ms,
    )
}

/// Unpaid prizes of tickets whose last day on the paper was `through_day` or before, that come
/// after `(ticket, draw)` in their order.
///
/// # Errors
/// The database's.
pub fn prizes_that_may_expire(
    connection: &mut Connection,
    through_day: u32,
    after: (u64, u64),
    count: i64,
) -> QueryResult<Vec<MayExpire>> {
    let (after_ticket, after_draw) = (big(after.0), big(after.1));
    let rows: Vec<_> = on!(connection, c => prize::table
        .inner_join(ticket::table)
        .inner_join(draw_settlement::table.on(draw_settlement::draw.eq(prize::draw)))
        .filter(
            prize::ticket.gt(after_ticket)
                .or(prize::ticket.eq(after_ticket).and(prize::draw.gt(after_draw))),
        )
        .filter(ticket::claim_by.le(i64::from(through_day)))
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
        .load(c))?;
    Ok(rows.into_iter().map(may_expire).collect())
}

/// Unpaid refunds of one void draw, of tickets whose last day on the paper was `through_day` or
/// before, that come after the ticket `after`. No ticket has more draws than `draws_max`.
///
/// # Errors
/// The database's.
pub fn refunds_that_may_expire(
    connection: &mut Connection,
    draw: u64,
    draws_max: u64,
    through_day: u32,
    after: u64,
    count: i64,
) -> QueryResult<Vec<MayExpire>> {
    let rows: Vec<(i64, i64, i64, i64, Option<i64>)> = on!(connection, c => ticket::table
        .filter(ticket::last_draw.between(big(draw), big(draw).saturating_add(big(draws_max))))
        .filter(ticket::first_draw.le(big(draw)))
        .filter(ticket::number.gt(big(after)))
        .filter(ticket::claim_by.le(i64::from(through_day)))
        .filter(ticket::state.eq(i16::from(TicketState::Sold.code())))
        .filter(diesel::dsl::not(diesel::dsl::exists(
            prize::table.filter(prize::ticket.eq(ticket::number)).filter(prize::draw.eq(big(draw))),
        )))
        .filter(diesel::dsl::not(diesel::dsl::exists(
            payment_item::table
                .filter(payment_item::ticket.eq(ticket::number))
                .filter(payment_item::draw.eq(big(draw)))
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
        may_expire((number, big(draw), cents, claim_by, rules, presented))
    };
    Ok(rows.into_iter().map(whole).collect())
}
