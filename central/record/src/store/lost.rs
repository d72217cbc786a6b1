//! Refunds of tickets whose record a restore lost.

use diesel::prelude::*;
use keno_schema::Connection;
use keno_schema::rows::LostRefundRow;
use keno_schema::tables::lost_refund;

use super::big;
use crate::numbers::Place;

/// The refund of the ticket whose leaf stood there.
///
/// # Errors
/// The database's.
pub fn find(connection: &mut Connection, lost: Place) -> QueryResult<Option<LostRefundRow>> {
    one!(connection, LostRefundRow => lost_refund::table
        .filter(lost_refund::lost_leaf.eq(big(lost.leaf)))
        .filter(lost_refund::sold_epoch.eq(i64::from(lost.epoch)))
        .limit(1))
}
