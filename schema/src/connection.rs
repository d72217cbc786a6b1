//! Connections with their guarantees read back.
//!
//! On SQLite a commit is durable only with `WAL` and `synchronous = FULL`, and `synchronous`
//! belongs to each connection, so every connection sets its pragmas and reads them back; one
//! that says otherwise is refused.

use std::path::PathBuf;

use diesel::Connection as _;
use diesel::r2d2::{ManageConnection, Pool};
use diesel::sql_types::{BigInt, Text};
use diesel::{PgConnection, QueryableByName, SqliteConnection};
use diesel::{QueryResult, RunQueryDsl};
use thiserror::Error;

use crate::on;

/// Where the record is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Database {
    /// A file in the data folder.
    Sqlite(PathBuf),
    /// A PostgreSQL connection string.
    Postgres(String),
}

/// A connection to either database.
pub enum Connection {
    /// SQLite.
    Sqlite(SqliteConnection),
    /// PostgreSQL.
    Postgres(PgConnection),
}

impl std::fmt::Debug for Connection {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Sqlite(_) => "Connection::Sqlite",
            Self::Postgres(_) => "Connection::Postgres",
        })
    }
}

/// Why a connection was refused.
#[derive(Debug, Error)]
pub enum OpenFault {
    /// The database cannot be reached.
    #[error("the database cannot be opened")]
    Connect(#[from] diesel::ConnectionError),
    /// A statement failed while the connection was made ready.
    #[error("the connection cannot be made ready")]
    Statement(#[from] diesel::result::Error),
    /// A setting that durability rests on is not what was asked.
    #[error(
        "{setting} is {found}, and only {wanted} keeps an acknowledged sale through a power cut; \
         put the data folder on a local disk that allows it"
    )]
    Setting {
        /// Name of the setting.
        setting: &'static str,
        /// What the database answers.
        found: String,
        /// What is needed.
        wanted: &'static str,
    },
    /// PostgreSQL is asked for over a network without encryption.
    #[error(
        "PostgreSQL at {0} is off this machine, and this build has no TLS for it: use a local \
         socket or loopback"
    )]
    Plain(String),
    /// The path of the database file is not text.
    #[error("the path of the database file is not UTF-8")]
    Path,
}

#[derive(QueryableByName)]
struct TextValue {
    #[diesel(sql_type = Text)]
    value: String,
}

#[derive(QueryableByName)]
struct NumberValue {
    #[diesel(sql_type = BigInt)]
    value: i64,
}

/// Reads a numeric pragma back.
fn pragma_number(connection: &mut SqliteConnection, name: &'static str) -> QueryResult<i64> {
    diesel::sql_query(format!("SELECT {name} AS value FROM pragma_{name}"))
        .get_result::<NumberValue>(connection)
        .map(|row| row.value)
}

fn pragma_text(connection: &mut SqliteConnection, name: &'static str) -> QueryResult<String> {
    diesel::sql_query(format!("SELECT {name} AS value FROM pragma_{name}"))
        .get_result::<TextValue>(connection)
        .map(|row| row.value)
}

/// Sets what durability rests on and reads it back.
fn ready_sqlite(connection: &mut SqliteConnection, read_only: bool) -> Result<(), OpenFault> {
    use diesel::connection::SimpleConnection;
    // A reader waits for a checkpoint at most; a writer is alone by the lock on the folder.
    connection.batch_execute("PRAGMA busy_timeout = 5000;")?;
    if !read_only {
        connection.batch_execute("PRAGMA journal_mode = WAL;")?;
    }
    connection.batch_execute(
        "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -65536; \
         PRAGMA temp_store = MEMORY;",
    )?;
    let journal = pragma_text(connection, "journal_mode")?;
    if !journal.eq_ignore_ascii_case("wal") {
        return Err(OpenFault::Setting {
            setting: "journal_mode",
            found: journal,
            wanted: "WAL",
        });
    }
    for (setting, wanted, number) in [
        ("synchronous", "FULL (2)", 2),
        ("foreign_keys", "ON (1)", 1),
    ] {
        let found = pragma_number(connection, setting)?;
        if found != number {
            return Err(OpenFault::Setting {
                setting,
                found: found.to_string(),
                wanted,
            });
        }
    }
    if read_only {
        connection.batch_execute("PRAGMA query_only = ON;")?;
    }
    Ok(())
}

/// Reads PostgreSQL's durability settings back.
fn ready_postgres(connection: &mut PgConnection, read_only: bool) -> Result<(), OpenFault> {
    use diesel::connection::SimpleConnection;
    connection.batch_execute("SET synchronous_commit = on; SET lock_timeout = '5s';")?;
    let value = diesel::sql_query("SELECT current_setting('synchronous_commit') AS value")
        .get_result::<TextValue>(connection)?
        .value;
    if value != "on" && value != "remote_apply" {
        return Err(OpenFault::Setting {
            setting: "synchronous_commit",
            found: value,
            wanted: "on",
        });
    }
    if read_only {
        connection.batch_execute("SET default_transaction_read_only = on;")?;
    }
    Ok(())
}

/// The host that a PostgreSQL address names, if it is off this machine.
fn foreign_host(address: &str) -> Option<String> {
    let after_scheme = address
        .strip_prefix("postgres://")
        .or_else(|| address.strip_prefix("postgresql://"));
    let host = match after_scheme {
        Some(rest) => {
            let authority = rest.split(['/', '?']).next().unwrap_or_default();
            let host = authority.rsplit('@').next().unwrap_or_default();
            let host = if let Some(v6) = host.strip_prefix('[') {
                v6.split(']').next().unwrap_or_default()
            } else {
                host.split(':').next().unwrap_or_default()
            };
            let by_parameter = rest
                .split(['?', '&'])
                .find_map(|part| part.strip_prefix("host="));
            by_parameter.unwrap_or(host).to_owned()
        }
        None => address
            .split_whitespace()
            .find_map(|part| part.strip_prefix("host="))
            .unwrap_or_default()
            .to_owned(),
    };
    let local = host.is_empty()
        || host.starts_with('/')
        || host.starts_with("%2F")
        || host.starts_with("%2f")
        || host == "localhost"
        || host == "::1"
        || host.starts_with("127.");
    (!local).then_some(host)
}

impl Database {
    /// Reads an address: `postgres://…` or a file's path.
    pub fn parse(address: &str) -> Self {
        if address.starts_with("postgres://") || address.starts_with("postgresql://") {
            Self::Postgres(address.to_owned())
        } else {
            Self::Sqlite(PathBuf::from(address))
        }
    }

    fn connect(&self, read_only: bool) -> Result<Connection, OpenFault> {
        match self {
            Self::Sqlite(path) => {
                let path = path.to_str().ok_or(OpenFault::Path)?;
                let mut connection = SqliteConnection::establish(path)?;
                ready_sqlite(&mut connection, read_only)?;
                Ok(Connection::Sqlite(connection))
            }
            Self::Postgres(address) => {
                if let Some(host) = foreign_host(address) {
                    return Err(OpenFault::Plain(host));
                }
                let mut connection = PgConnection::establish(address)?;
                ready_postgres(&mut connection, read_only)?;
                Ok(Connection::Postgres(connection))
            }
        }
    }

    /// The one connection that writes.
    ///
    /// # Errors
    /// An [`OpenFault`] when the database is absent or not durable.
    pub fn open_writer(&self) -> Result<Connection, OpenFault> {
        self.connect(false)
    }

    /// A connection that can only read.
    ///
    /// # Errors
    /// As [`Self::open_writer`].
    pub fn open_reader(&self) -> Result<Connection, OpenFault> {
        self.connect(true)
    }

    /// Reading connections that never wait for the writer.
    ///
    /// # Errors
    /// When the first connection cannot be made.
    pub fn read_pool(&self, connections_max: u32) -> Result<ReadPool, OpenFault> {
        let first = self.open_reader()?;
        drop(first);
        Ok(ReadPool(
            Pool::builder()
                .max_size(connections_max)
                .min_idle(Some(0))
                // A file does not hang up; a server may have, since the last loan.
                .test_on_check_out(matches!(self, Self::Postgres(_)))
                .connection_timeout(std::time::Duration::from_secs(5))
                .build_unchecked(ReadManager(self.clone())),
        ))
    }
}

/// Makes reading connections for the pool.
#[derive(Debug)]
pub struct ReadManager(Database);

impl ManageConnection for ReadManager {
    type Connection = Connection;
    type Error = OpenFault;

    fn connect(&self) -> Result<Connection, OpenFault> {
        self.0.open_reader()
    }

    fn is_valid(&self, connection: &mut Connection) -> Result<(), OpenFault> {
        on!(connection, c => diesel::sql_query("SELECT 1").execute(c))?;
        Ok(())
    }

    fn has_broken(&self, connection: &mut Connection) -> bool {
        std::thread::panicking() || on!(connection, c => diesel::r2d2::R2D2Connection::is_broken(c))
    }
}

/// A pool of reading connections.
#[derive(Debug, Clone)]
pub struct ReadPool(Pool<ReadManager>);

/// A reading connection on loan.
pub type Reader = diesel::r2d2::PooledConnection<ReadManagerAlias>;
type ReadManagerAlias = ReadManager;

impl ReadPool {
    /// A reading connection.
    ///
    /// # Errors
    /// When none became free within five seconds, or none can be opened.
    pub fn get(&self) -> Result<Reader, diesel::r2d2::PoolError> {
        self.0.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_off_this_machine_is_refused_before_anything_is_sent() {
        for (address, foreign) in [
            ("postgres:///keno?host=/run/x", false),
            ("postgres://u:p@localhost:5432/keno", false),
            ("postgres://u@127.0.0.1/keno", false),
            ("postgres://u@[::1]:5432/keno", false),
            ("postgres://u:p@db.house.example:5432/keno", true),
            ("postgres://u:p@10.1.2.3/keno", true),
            ("postgres:///keno?host=10.1.2.3", true),
        ] {
            assert_eq!(foreign_host(address).is_some(), foreign, "{address}");
        }
        let fault = Database::parse("postgres://u:p@10.1.2.3/keno").open_writer();
        assert!(matches!(fault, Err(OpenFault::Plain(host)) if host == "10.1.2.3"));
    }
}
