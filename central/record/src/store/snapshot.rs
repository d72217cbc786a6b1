//! One picture of the record for a reader of many tables.

use diesel::QueryResult;
use diesel::connection::{AnsiTransactionManager, TransactionManager};
use keno_schema::{Connection, on};

use crate::fault::Fault;

/// Runs `work` on one picture of the record: what is written meanwhile does not show.
///
/// # Errors
/// When no picture can be taken, or what `work` returns.
pub fn on_snapshot<T, E: From<Fault>>(
    connection: &mut Connection,
    work: impl FnOnce(&mut Connection) -> Result<T, E>,
) -> Result<T, E> {
    begin_snapshot(connection).map_err(Fault::from)?;
    let outcome = work(connection);
    // Nothing was written: how a reading transaction ends changes nothing.
    if let Err(fault) = on!(connection, c => AnsiTransactionManager::rollback_transaction(c)) {
        tracing::warn!(%fault, "a reading transaction did not end");
    }
    outcome
}

fn begin_snapshot(connection: &mut Connection) -> QueryResult<()> {
    match connection {
        // The picture is taken at the first read.
        Connection::Sqlite(c) => AnsiTransactionManager::begin_transaction_sql(c, "BEGIN"),
        Connection::Postgres(c) => AnsiTransactionManager::begin_transaction_sql(
            c,
            "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        ),
    }
}
