//! The one kind of write transaction.

use diesel::connection::{AnsiTransactionManager, SimpleConnection, TransactionManager};
use thiserror::Error;

use crate::Connection;

/// How a write transaction ended when it did not commit.
#[derive(Debug, Error)]
pub enum WriteFault<E: std::error::Error + 'static> {
    /// It could not begin; nothing was written.
    #[error("the write transaction cannot begin")]
    Begin(#[source] diesel::result::Error),
    /// The work inside failed; everything was undone.
    #[error("the write was undone")]
    Undone(#[source] E),
    /// `COMMIT` failed or its outcome is unknown: the head must be read again before anyone is
    /// answered.
    #[error("the outcome of the commit is unknown")]
    Unknown(#[source] diesel::result::Error),
}

fn begin(connection: &mut Connection) -> diesel::QueryResult<()> {
    match connection {
        // Immediate: a deferred transaction that reads first and writes later fails under other
        // writers in spite of the busy timeout.
        Connection::Sqlite(c) => {
            AnsiTransactionManager::begin_transaction_sql(c, "BEGIN IMMEDIATE")
        }
        Connection::Postgres(c) => {
            AnsiTransactionManager::begin_transaction_sql(c, "BEGIN ISOLATION LEVEL READ COMMITTED")
        }
    }
}

fn commit(connection: &mut Connection) -> diesel::QueryResult<()> {
    match connection {
        Connection::Sqlite(c) => AnsiTransactionManager::commit_transaction(c),
        Connection::Postgres(c) => AnsiTransactionManager::commit_transaction(c),
    }
}

fn undo(connection: &mut Connection) {
    // A failed rollback leaves nothing committed either: the connection is then broken, and the
    // next statement on it says so.
    let outcome = match connection {
        Connection::Sqlite(c) => AnsiTransactionManager::rollback_transaction(c),
        Connection::Postgres(c) => AnsiTransactionManager::rollback_transaction(c),
    };
    if let Err(fault) = outcome {
        tracing::warn!(%fault, "a rollback failed");
        if let Connection::Sqlite(c) = connection {
            let _ = c.batch_execute("ROLLBACK");
        }
    }
}

/// Runs `work` in one write transaction.
///
/// # Errors
/// A [`WriteFault`] that says whether nothing was written or the outcome is unknown.
pub fn write<T, E: std::error::Error + 'static>(
    connection: &mut Connection,
    work: impl FnOnce(&mut Connection) -> Result<T, E>,
) -> Result<T, WriteFault<E>> {
    begin(connection).map_err(WriteFault::Begin)?;
    match work(connection) {
        Ok(value) => match commit(connection) {
            Ok(()) => Ok(value),
            Err(fault) => Err(WriteFault::Unknown(fault)),
        },
        Err(fault) => {
            undo(connection);
            Err(WriteFault::Undone(fault))
        }
    }
}
