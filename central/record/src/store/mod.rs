//! Statements: one file for each group of tables, one function for each statement, each taking
//! a connection. None of them opens a transaction; the sequencer does.
//!
//! Where a statement finds one row at most, it is asked with `get_result` and not with `first`:
//! that adds a `LIMIT ?`, and SQLite prepares a statement again whenever its limit is bound.

use diesel::{QueryResult, RunQueryDsl};
use keno_schema::{Connection, on, rows, tables};

/// Inserts rows, many in a statement. PostgreSQL takes all of them by one `COPY`, since each of its
/// statements is a journey there and back. SQLite has three widths and no others, so that each is
/// prepared once: making and parsing a statement of another width for every group of sales took
/// as long as writing their rows.
macro_rules! insert_rows {
    ($connection:expr, $table:expr, $rows:expr) => {{
        match &mut *$connection {
            keno_schema::Connection::Postgres(c) if $rows.len() > 1 => {
                diesel::copy_from($table).from_insertable(&$rows[..]).execute(c)?;
            }
            connection => {
                let (wide, rest) = $rows.as_chunks::<64>();
                let (narrow, single) = rest.as_chunks::<8>();
                keno_schema::on!(connection, c => {
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
            }
        }
        Ok(())
    }};
}

/// The one row that a query finds, if it finds one.
macro_rules! one {
    ($connection:expr, $row:ident => $query:expr) => {
        keno_schema::on!($connection, c => $query.select($row::as_select()).get_result(c).optional())
    };
}

/// Every row that a query finds.
macro_rules! all {
    ($connection:expr, $row:ident => $query:expr) => {
        keno_schema::on!($connection, c => $query.select($row::as_select()).load(c))
    };
}

/// Sets columns of the rows that a query finds.
macro_rules! set {
    ($connection:expr, $which:expr => $what:expr) => {
        keno_schema::on!($connection, c => diesel::update($which).set($what).execute(c)).map(drop)
    };
}

pub mod access;
pub mod damaged;
pub mod draws;
pub mod hand_overs;
pub mod house;
pub mod keys;
pub mod leaves;
pub mod log;
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

/// As [`unbig`], of a device or another number that is never large.
fn small(value: i64) -> u32 {
    u32::try_from(value).unwrap_or(0)
}

fn numbers(found: Vec<i64>) -> Vec<u64> {
    found.into_iter().map(unbig).collect()
}

/// A row that is written as it is.
pub trait Insert {
    /// Writes it.
    ///
    /// # Errors
    /// The database's; where the same was written before, a unique violation.
    fn insert(&self, connection: &mut Connection) -> QueryResult<()>;
}

macro_rules! insert {
    ($($row:ident into $table:ident),* $(,)?) => {$(
        impl Insert for rows::$row {
            fn insert(&self, connection: &mut Connection) -> QueryResult<()> {
                let into = diesel::insert_into(tables::$table::table);
                on!(connection, c => into.values(self).execute(c)).map(drop)
            }
        }
    )*};
}
insert! {
    HouseRow into house,
    RuleBookRow into rule_book,
    EpochRow into epoch,
    SilenceRow into silence,
    ShiftRow into shift,
    TillMovementRow into till_movement,
    TillCountRow into till_count,
    SessionRow into session,
    DrawRow into draw,
    DrawResultRow into draw_result,
    DrawSettlementRow into draw_settlement,
    PaymentRow into payment,
    DamagedFileRow into damaged_file,
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
