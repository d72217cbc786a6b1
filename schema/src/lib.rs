//! Tables, rows, connections, write transactions and migrations of the record.
//!
//! One schema serves SQLite and PostgreSQL under the same names. A connection is an enum of the
//! two; the macro [`on!`] writes a statement once for both. Only [`write()`] opens a write
//! transaction, and only the sequencer and a rebuild call it: a statement function takes a
//! connection and cannot open one.

pub mod altered;
pub mod column;
pub mod connection;
pub mod migrate;
pub mod postgres_address;
pub mod tables;
pub mod write;

pub use connection::{Connection, Database, OpenFault, ReadPool};
pub use tables::rows;
pub use write::{WriteFault, write};

/// Runs the same diesel expression on whichever database the connection is of.
#[macro_export]
macro_rules! on {
    ($connection:expr, $inner:ident => $expression:expr) => {
        match $connection {
            $crate::Connection::Sqlite($inner) => $expression,
            $crate::Connection::Postgres($inner) => $expression,
        }
    };
}
