//! The file under the journal: one SQLite database, one row a record, each synced by its commit.

use std::path::Path;

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Binary, Text};

use super::JournalFault;

/// The form of a new file; a later one is not read by an older program, nor an earlier one by
/// this: what its rows mean has changed.
const FORM: i64 = 5;
/// The form of a file whose first row stands for others that were taken out.
const FORM_CUT: i64 = 6;

const TABLES: &str = "\
CREATE TABLE record (
    -- From 1, without a gap: a row that was taken out is noticed.
    sequence INTEGER PRIMARY KEY CHECK (sequence > 0),
    -- First bytes of SHA-256 over the digest before and the text: a row that was changed is noticed.
    digest BLOB NOT NULL CHECK (length(digest) = 8),
    text TEXT NOT NULL
) STRICT;
";

#[derive(QueryableByName)]
struct NumberValue {
    #[diesel(sql_type = BigInt)]
    value: i64,
}

#[derive(QueryableByName)]
struct TextValue {
    #[diesel(sql_type = Text)]
    value: String,
}

/// One row.
#[derive(QueryableByName)]
pub(super) struct Row {
    #[diesel(sql_type = BigInt)]
    pub sequence: i64,
    #[diesel(sql_type = Binary)]
    pub digest: Vec<u8>,
    #[diesel(sql_type = Text)]
    pub text: String,
}

/// The database, open and set to sync every commit.
pub(super) struct Store(SqliteConnection);

fn number(connection: &mut SqliteConnection, pragma: &str) -> QueryResult<i64> {
    diesel::sql_query(format!("SELECT {pragma} AS value FROM pragma_{pragma}"))
        .get_result::<NumberValue>(connection)
        .map(|row| row.value)
}

fn text(connection: &mut SqliteConnection, query: &str) -> QueryResult<String> {
    diesel::sql_query(query)
        .get_result::<TextValue>(connection)
        .map(|row| row.value)
}

fn insert(connection: &mut SqliteConnection, row: &Row) -> QueryResult<()> {
    diesel::sql_query("INSERT INTO record (sequence, digest, text) VALUES (?, ?, ?)")
        .bind::<BigInt, _>(row.sequence)
        .bind::<Binary, _>(&row.digest)
        .bind::<Text, _>(&row.text)
        .execute(connection)
        .map(drop)
}

impl Store {
    /// Opens the file, making it when it is not there. What durability rests on is read back.
    ///
    /// # Errors
    /// A [`JournalFault`], also for a file that is damaged or of a later form.
    pub(super) fn open(path: &Path) -> Result<Self, JournalFault> {
        let path = path.to_str().ok_or(JournalFault::Path)?;
        let mut connection = SqliteConnection::establish(path)?;
        connection.batch_execute(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF;",
        )?;
        let mode = text(
            &mut connection,
            "SELECT journal_mode AS value FROM pragma_journal_mode",
        )?;
        if !mode.eq_ignore_ascii_case("wal") || number(&mut connection, "synchronous")? != 2 {
            return Err(JournalFault::NotDurable);
        }
        if text(
            &mut connection,
            "SELECT quick_check AS value FROM pragma_quick_check",
        )? != "ok"
        {
            return Err(JournalFault::DamagedFile);
        }
        match number(&mut connection, "user_version")? {
            FORM | FORM_CUT => {}
            0 => connection.batch_execute(&format!(
                "BEGIN IMMEDIATE; {TABLES} PRAGMA user_version = {FORM}; COMMIT;"
            ))?,
            found if (1..FORM).contains(&found) => return Err(JournalFault::EarlierForm { found }),
            found => return Err(JournalFault::LaterForm { found }),
        }
        Ok(Self(connection))
    }

    /// Every row in order.
    pub(super) fn rows(&mut self) -> Result<Vec<Row>, JournalFault> {
        Ok(
            diesel::sql_query("SELECT sequence, digest, text FROM record ORDER BY sequence")
                .load(&mut self.0)?,
        )
    }

    /// The newest rows, oldest of them first.
    pub(super) fn newest_rows(&mut self, count: u32) -> Result<Vec<Row>, JournalFault> {
        let mut rows: Vec<Row> = diesel::sql_query(
            "SELECT sequence, digest, text FROM record ORDER BY sequence DESC LIMIT ?",
        )
        .bind::<BigInt, _>(i64::from(count))
        .load(&mut self.0)?;
        rows.reverse();
        Ok(rows)
    }

    /// Puts a row in the place of all up to it.
    pub(super) fn cut(&mut self, row: &Row) -> Result<(), JournalFault> {
        self.0.immediate_transaction(|connection| {
            diesel::sql_query("DELETE FROM record WHERE sequence <= ?")
                .bind::<BigInt, _>(row.sequence)
                .execute(connection)?;
            insert(connection, row)?;
            connection.batch_execute(&format!("PRAGMA user_version = {FORM_CUT}"))?;
            Ok(())
        })
    }

    /// Adds rows, all of them or none; when this returns, they are kept.
    pub(super) fn add(&mut self, rows: &[Row]) -> Result<(), JournalFault> {
        self.0.immediate_transaction(|connection| {
            for row in rows {
                insert(connection, row)?;
            }
            Ok(())
        })
    }

    /// What someone with the file in hand could do.
    #[cfg(test)]
    pub(super) fn meddle(&mut self, statements: &str) {
        self.0.batch_execute(statements).unwrap();
    }
}
