//! Migrations, embedded in the program.

use diesel::connection::BoxableConnection;
use diesel::migration::{Migration, MigrationSource};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};
use thiserror::Error;

use crate::Connection;

/// Those of SQLite.
pub const SQLITE: EmbeddedMigrations = embed_migrations!("../migrations/sqlite");
/// The same of PostgreSQL.
pub const POSTGRES: EmbeddedMigrations = embed_migrations!("../migrations/postgres");

/// Makes the tables of the access log that are not there yet: it is a file of its own.
pub const ACCESS: &str = include_str!("../../migrations/access/tables.sql");

/// A migration could not be run.
#[derive(Debug, Error)]
#[error("the schema cannot be brought up to date: {0}")]
pub struct MigrateFault(String);

impl From<diesel::result::Error> for MigrateFault {
    fn from(fault: diesel::result::Error) -> Self {
        told(fault)
    }
}

impl From<diesel::ConnectionError> for MigrateFault {
    fn from(fault: diesel::ConnectionError) -> Self {
        told(fault)
    }
}

/// Makes the tables, and keeps no book of what was made.
pub(crate) fn make<C>(from: &EmbeddedMigrations, connection: &mut C) -> Result<(), MigrateFault>
where
    C: BoxableConnection<C::Backend> + diesel::Connection,
{
    let migrations: Vec<Box<dyn Migration<C::Backend>>> = from.migrations().map_err(told)?;
    migrations
        .iter()
        .try_for_each(|migration| migration.run(connection))
        .map_err(told)
}

fn told(fault: impl std::fmt::Display) -> MigrateFault {
    MigrateFault(fault.to_string())
}

/// Whether a migration would run.
///
/// # Errors
/// [`MigrateFault`] with the database's own words.
pub fn is_pending(connection: &mut Connection) -> Result<bool, MigrateFault> {
    match connection {
        Connection::Sqlite(c) => c.has_pending_migration(SQLITE),
        Connection::Postgres(c) => c.has_pending_migration(POSTGRES),
    }
    .map_err(told)
}

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
        .map_err(told)
}
