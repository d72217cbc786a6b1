//! Statements: one file for each group of tables, one function for each statement, each taking
//! a connection. None of them opens a transaction; the sequencer does.

//!
//! Where a statement finds one row at most, it is asked with `get_result` and not with `first`:
//! that adds a `LIMIT ?`, and SQLite prepares a statement again whenever its limit is bound.

/// Inserts rows, many in a statement. There are three widths and no others, so that each is
/// prepared once: making and parsing a statement of another width for every group of sales took
/// as long as writing their rows.
macro_rules! insert_rows {
    ($connection:expr, $table:expr, $rows:expr) => {
        insert_rows!($connection, $table, $rows, 64)
    };
    ($connection:expr, $table:expr, $rows:expr, $wide:literal) => {{
        let (wide, rest) = $rows.as_chunks::<$wide>();
        let (narrow, single) = rest.as_chunks::<8>();
        keno_schema::on!($connection, c => {
            for chunk in wide {
                diesel::insert_into($table).values(chunk).execute(c)?;
            }
            for chunk in narrow {
                diesel::insert_into($table).values(chunk).execute(c)?;
            }
            for row in single {
                diesel::insert_into($table).values(row).execute(c)?;
            }
        });
        Ok(())
    }};
}

pub mod access;
pub mod damaged;
pub mod draws;
pub mod hand_overs;
pub mod house;
pub mod leaves;
pub mod log;
pub mod lost;
pub mod payments;
pub mod people;
pub mod shifts;
pub mod snapshot;
pub mod tickets;
pub mod wall;

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
