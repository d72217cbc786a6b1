//! Migrations, embedded in the program.

use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};
use thiserror::Error;

use crate::Connection;

const SQLITE: EmbeddedMigrations = embed_migrations!("../migrations/sqlite");
const POSTGRES: EmbeddedMigrations = embed_migrations!("../migrations/postgres");

/// Makes the tables of the access log that are not there yet: it is a file of its own.
pub const ACCESS: &str = include_str!("../../migrations/access/tables.sql");

/// A migration could not be run.
#[derive(Debug, Error)]
#[error("the schema cannot be brought up to date: {0}")]
pub struct MigrateFault(String);

/// Brings the schema up to date; returns the names of the migrations that ran.
///
/// # Errors
/// [`MigrateFault`] with the database's own words.
pub fn migrate(connection: &mut Connection) -> Result<Vec<String>, MigrateFault> {
    let ran = match connection {
        Connection::Sqlite(c) => c.run_pending_migrations(SQLITE),
        Connection::Postgres(c) => c.run_pending_migrations(POSTGRES),
    };
    ran.map(|versions| versions.iter().map(ToString::to_string).collect())
        .map_err(|fault| MigrateFault(fault.to_string()))
}

/// Takes every migration back; for tests and for an empty start.
///
/// # Errors
/// [`MigrateFault`] with the database's own words.
pub fn revert_all(connection: &mut Connection) -> Result<(), MigrateFault> {
    match connection {
        Connection::Sqlite(c) => c.revert_all_migrations(SQLITE),
        Connection::Postgres(c) => c.revert_all_migrations(POSTGRES),
    }
    .map(drop)
    .map_err(|fault| MigrateFault(fault.to_string()))
}

/// True when the database lacks a migration of this program.
///
/// # Errors
/// [`MigrateFault`] when the database cannot be asked.
pub fn is_pending(connection: &mut Connection) -> Result<bool, MigrateFault> {
    match connection {
        Connection::Sqlite(c) => c.has_pending_migration(SQLITE),
        Connection::Postgres(c) => c.has_pending_migration(POSTGRES),
    }
    .map_err(|fault| MigrateFault(fault.to_string()))
}
