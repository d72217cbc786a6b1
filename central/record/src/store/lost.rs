//! Refunds of tickets whose record a restore lost.

use diesel::prelude::*;
use keno_log::Hash;
use keno_schema::rows::LostRefundRow;
use keno_schema::tables::lost_refund;
use keno_schema::{Connection, on};

/// Writes a refund.
///
/// # Errors
/// The database's; a control number that was refunded before is a unique violation.
pub fn insert(connection: &mut Connection, row: &LostRefundRow) -> QueryResult<usize> {
    on!(connection, c => diesel::insert_into(lost_refund::table).values(row).execute(c))
}

/// The refund of a control number.
///
/// # Errors
/// The database's.
pub fn find(connection: &mut Connection, control: &Hash) -> QueryResult<Option<LostRefundRow>> {
    on!(connection, c => lost_refund::table
        .filter(lost_refund::control_hash.eq(control.to_vec()))
        .select(LostRefundRow::as_select())
        .first(c)
        .optional())
}
