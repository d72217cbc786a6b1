//! House, rules, tills.

use diesel::dsl::min;
use diesel::prelude::*;
use keno_schema::rows::{
    EpochRow, HandOverRow, HouseRow, RuleBookRow, ShiftRow, SilenceRow, TillCountRow,
    TillMovementRow,
};
use keno_schema::tables::{
    draw, epoch, hand_over, house, rule_book, shift, silence, till_count, till_movement,
};
use keno_schema::{Connection, on};

use super::{big, unbig};

/// Writes the house.
///
/// # Errors
/// The database's.
pub fn insert_house(connection: &mut Connection, row: &HouseRow) -> QueryResult<usize> {
    on!(connection, c => diesel::insert_into(house::table).values(row).execute(c))
}

/// Sets the house-wide marks.
///
/// # Errors
/// The database's.
pub fn set_marks(
    connection: &mut Connection,
    sales_suspended: Option<i64>,
    schedule_halted: Option<i64>,
) -> QueryResult<usize> {
    on!(connection, c => diesel::update(house::table.find(1))
        .set((
            house::sales_suspended_leaf.eq(sales_suspended),
            house::schedule_halted_leaf.eq(schedule_halted),
        ))
        .execute(c))
}

/// Sets the lease.
///
/// # Errors
/// The database's.
pub fn set_lease(connection: &mut Connection, fence: i64, instance: &str) -> QueryResult<usize> {
    on!(connection, c => diesel::update(house::table.find(1))
        .set((house::fence.eq(fence), house::instance.eq(instance)))
        .execute(c))
}

/// Writes a silence.
///
/// # Errors
/// The database's.
pub fn insert_silence(connection: &mut Connection, row: &SilenceRow) -> QueryResult<usize> {
    on!(connection, c => diesel::insert_into(silence::table).values(row).execute(c))
}

/// Writes an epoch.
///
/// # Errors
/// The database's.
pub fn insert_epoch(connection: &mut Connection, row: &EpochRow) -> QueryResult<usize> {
    on!(connection, c => diesel::insert_into(epoch::table).values(row).execute(c))
}

/// Every epoch, in order.
///
/// # Errors
/// The database's.
pub fn epochs(connection: &mut Connection) -> QueryResult<Vec<EpochRow>> {
    on!(connection, c => epoch::table
        .select(EpochRow::as_select())
        .order(epoch::number.asc())
        .load(c))
}

/// Writes a rule book.
///
/// # Errors
/// The database's.
pub fn insert_rules(connection: &mut Connection, row: &RuleBookRow) -> QueryResult<usize> {
    on!(connection, c => diesel::insert_into(rule_book::table).values(row).execute(c))
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

/// Opens a till.
///
/// # Errors
/// The database's.
pub fn insert_shift(connection: &mut Connection, row: &ShiftRow) -> QueryResult<usize> {
    on!(connection, c => diesel::insert_into(shift::table).values(row).execute(c))
}

/// Closes a till.
///
/// # Errors
/// The database's.
pub fn close_shift(
    connection: &mut Connection,
    number: i64,
    leaf: i64,
    counted: i64,
    expected: i64,
) -> QueryResult<usize> {
    on!(connection, c => diesel::update(shift::table.find(number))
        .set((
            shift::closed_leaf.eq(Some(leaf)),
            shift::counted_cents.eq(Some(counted)),
            shift::expected_cents.eq(Some(expected)),
        ))
        .execute(c))
}

/// A shift.
///
/// # Errors
/// The database's.
pub fn shift(connection: &mut Connection, number: u64) -> QueryResult<Option<ShiftRow>> {
    on!(connection, c => shift::table
        .find(big(number))
        .select(ShiftRow::as_select())
        .first(c)
        .optional())
}

/// The shift that was counted and closed last at a device.
///
/// # Errors
/// The database's.
pub fn last_closed_at(connection: &mut Connection, device: i64) -> QueryResult<Option<u64>> {
    let number: Option<i64> = on!(connection, c => shift::table
        .filter(shift::device.eq(device))
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
        on!(connection, c => diesel::update(shift::table.find(number))
            .set(shift::device.eq(row.to_device))
            .execute(c))?;
    }
    Ok(())
}

/// A device that was left serves again.
///
/// # Errors
/// The database's.
pub fn return_device(connection: &mut Connection, device: i64, leaf: i64) -> QueryResult<usize> {
    on!(connection, c => diesel::update(hand_over::table)
        .filter(hand_over::device.eq(device))
        .filter(hand_over::returned_leaf.is_null())
        .set(hand_over::returned_leaf.eq(Some(leaf)))
        .execute(c))
}

/// A fill or a drop.
///
/// # Errors
/// The database's.
pub fn insert_movement(connection: &mut Connection, row: &TillMovementRow) -> QueryResult<usize> {
    on!(connection, c => diesel::insert_into(till_movement::table).values(row).execute(c))
}

/// A count in the middle of a shift.
///
/// # Errors
/// The database's.
pub fn insert_count(connection: &mut Connection, row: &TillCountRow) -> QueryResult<usize> {
    on!(connection, c => diesel::insert_into(till_count::table).values(row).execute(c))
}
