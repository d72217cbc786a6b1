//! House, rules, tills.

use diesel::dsl::min;
use diesel::prelude::*;
use keno_schema::rows::{EpochRow, HandOverRow, ShiftRow};
use keno_schema::tables::{draw, epoch, hand_over, house, rule_book, shift};
use keno_schema::{Connection, on};

use super::{big, unbig};

/// Sets the house-wide marks.
///
/// # Errors
/// The database's.
pub fn set_marks(
    connection: &mut Connection,
    sales_suspended: Option<u64>,
    schedule_halted: Option<u64>,
) -> QueryResult<()> {
    set!(connection, house::table.find(1) => (
        house::sales_suspended_leaf.eq(sales_suspended.map(big)),
        house::schedule_halted_leaf.eq(schedule_halted.map(big)),
    ))
}

/// Sets the lease.
///
/// # Errors
/// The database's.
pub fn set_lease(connection: &mut Connection, fence: u64, instance: &str) -> QueryResult<()> {
    set!(connection, house::table.find(1) => (
        house::fence.eq(big(fence)),
        house::instance.eq(instance),
    ))
}

/// Every epoch, in order.
///
/// # Errors
/// The database's.
pub fn epochs(connection: &mut Connection) -> QueryResult<Vec<EpochRow>> {
    all!(connection, EpochRow => epoch::table.order(epoch::number.asc()))
}

/// The leaf of the rule book that governs a ticket sold now; of the last that was published while no
/// draw is on sale; none before the first.
///
/// # Errors
/// The database's.
pub fn rules_in_force(connection: &mut Connection) -> QueryResult<Option<u64>> {
    let next: Option<i64> = on!(&mut *connection, c => draw::table
        .filter(draw::opened_leaf.is_not_null())
        .filter(draw::closed_leaf.is_null())
        .filter(draw::voided_leaf.is_null())
        .select(min(draw::number))
        .first(c))?;
    let leaf: Option<i64> = on!(connection, c => rule_book::table
        .filter(rule_book::effective_from.le(next.unwrap_or(i64::MAX)))
        .order(rule_book::version.desc())
        .select(rule_book::leaf)
        .first(c)
        .optional())?;
    Ok(leaf.map(unbig))
}

/// Closes a till.
///
/// # Errors
/// The database's.
pub fn close_shift(
    connection: &mut Connection,
    number: u64,
    leaf: u64,
    counted: i64,
    expected: i64,
) -> QueryResult<()> {
    set!(connection, shift::table.find(big(number)) => (
        shift::closed_leaf.eq(Some(big(leaf))),
        shift::counted_cents.eq(Some(counted)),
        shift::expected_cents.eq(Some(expected)),
    ))
}

/// A shift.
///
/// # Errors
/// The database's.
pub fn shift(connection: &mut Connection, number: u64) -> QueryResult<Option<ShiftRow>> {
    one!(connection, ShiftRow => shift::table.find(big(number)).limit(1))
}

/// The shift that was counted and closed last at a device.
///
/// # Errors
/// The database's.
pub fn last_closed_at(connection: &mut Connection, device: u32) -> QueryResult<Option<u64>> {
    let number: Option<i64> = on!(connection, c => shift::table
        .filter(shift::device.eq(i64::from(device)))
        .filter(shift::closed_leaf.is_not_null())
        .order(shift::closed_leaf.desc())
        .select(shift::number)
        .first(c)
        .optional())?;
    Ok(number.map(unbig))
}

/// A device is left: the fact, and the till that moves.
///
/// # Errors
/// The database's.
pub fn insert_hand_over(connection: &mut Connection, row: &HandOverRow) -> QueryResult<()> {
    on!(&mut *connection, c => diesel::insert_into(hand_over::table).values(row).execute(c))?;
    if let Some(number) = row.shift {
        set!(connection, shift::table.find(big(number)) =>
            shift::device.eq(i64::from(row.to_device)))?;
    }
    Ok(())
}

/// A device that was left serves again.
///
/// # Errors
/// The database's.
pub fn return_device(connection: &mut Connection, device: u32, leaf: u64) -> QueryResult<()> {
    let left = hand_over::table
        .filter(hand_over::device.eq(i64::from(device)))
        .filter(hand_over::returned_leaf.is_null());
    set!(connection, left => hand_over::returned_leaf.eq(Some(big(leaf))))
}
