//! Statements: one file for each group of tables, one function for each statement, each taking
//! a connection. None of them opens a transaction; the sequencer does.

pub mod draws;
pub mod house;
pub mod log;
pub mod payments;
pub mod people;
pub mod tickets;

/// Rows in one `INSERT`: SQLite binds at most 32,766 values in a statement and PostgreSQL
/// 65,535, and the widest table has 28 columns.
pub const ROWS_A_STATEMENT: usize = 500;

/// A `u64` of the log as the database's integer. Log positions and draw numbers stay below
/// 2^63; a larger one could only come from a foreign record and saturates.
pub fn big(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// The database's integer as a `u64`; columns hold no negative positions (`CHECK`).
pub fn unbig(value: i64) -> u64 {
    u64::try_from(value).unwrap_or(0)
}

/// A 32-byte column.
///
/// # Errors
/// [`crate::Fault::Record`] when the column has another length.
pub fn hash(bytes: &[u8]) -> Result<[u8; 32], crate::Fault> {
    bytes
        .try_into()
        .map_err(|_| crate::Fault::Record("a hash column is not 32 bytes long".to_owned()))
}
