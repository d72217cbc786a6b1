//! Refunds of tickets whose record a restore lost.

use diesel::prelude::*;
use keno_log::Hash;
use keno_schema::Connection;
use keno_schema::rows::LostRefundRow;
use keno_schema::tables::lost_refund;

/// The refund of a control number.
///
/// # Errors
/// The database's.
pub fn find(connection: &mut Connection, control: &Hash) -> QueryResult<Option<LostRefundRow>> {
    one!(connection, LostRefundRow => lost_refund::table
        .filter(lost_refund::control_hash.eq(control.to_vec()))
        .limit(1))
}
