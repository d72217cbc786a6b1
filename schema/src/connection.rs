//! Connections with their guarantees read back.
//!
//! On SQLite a commit is durable only with `WAL` and `synchronous = FULL`, and `synchronous`
//! belongs to each connection, so every connection sets its pragmas and reads them back; one
//! that says otherwise is refused.

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use diesel::Connection as _;
use diesel::r2d2::{ManageConnection, Pool};
use diesel::sql_types::{BigInt, Text};
use diesel::{PgConnection, QueryableByName, SqliteConnection};
use diesel::{QueryResult, RunQueryDsl};
use thiserror::Error;

use crate::on;
use crate::postgres_address::{AddressFault, PostgresAddress, is_postgres, judge_environment};

/// The format of the log's leaves that this program reads and writes: a record of another is not
/// opened, whatever is to be done with it.
pub const RECORD_FORMAT: u8 = 4;

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

impl Connection {
    /// The synchronous standbys of a PostgreSQL server as it names them; `None` on SQLite, or when
    /// it waits for none.
    ///
    /// # Errors
    /// The database's.
    pub fn synchronous_standbys(&mut self) -> QueryResult<Option<String>> {
        #[derive(QueryableByName)]
        struct Setting {
            #[diesel(sql_type = Text)]
            value: String,
        }
        let Self::Postgres(connection) = self else {
            return Ok(None);
        };
        let setting: Setting =
            diesel::sql_query("SELECT current_setting('synchronous_standby_names') AS value")
                .get_result(connection)?;
        Ok(Some(setting.value).filter(|names| !names.trim().is_empty()))
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
    /// The address of PostgreSQL is not one that this program may speak to.
    #[error(transparent)]
    Address(#[from] AddressFault),
    /// The path of the database file is not text.
    #[error("the path of the database file is not UTF-8")]
    Path,
    /// The record is of another format: another version of this program wrote it.
    #[error("{}", other_format(*found))]
    OtherFormat {
        /// The format of its leaves.
        found: u8,
    },
}

/// What to do about a record of another format.
fn other_format(found: u8) -> String {
    if found < RECORD_FORMAT {
        format!(
            "the record is of format {found}, of an earlier version of this program; this one \
             reads format {RECORD_FORMAT}. Nothing was changed. Pay that house's tickets out and \
             export it with the version that wrote it, and begin a new house in another folder \
             (`keno-central init`)"
        )
    } else {
        format!(
            "the record is of format {found}, of a later version of this program; this one reads \
             format {RECORD_FORMAT}. Nothing was changed. Start the version that wrote it"
        )
    }
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

/// Pages that a connection of SQLite keeps, in KiB. Rows are appended, and what is read was mostly
/// written lately: more is kept by the system anyway, once for all connections.
const WRITER_KEEPS_KIB: u32 = 16 * 1024;
/// As [`WRITER_KEEPS_KIB`], of each that reads.
const READER_KEEPS_KIB: u32 = 4 * 1024;

/// Sets what durability rests on and reads it back.
fn ready_sqlite(connection: &mut SqliteConnection, read_only: bool) -> Result<(), OpenFault> {
    use diesel::connection::SimpleConnection;
    // A reader waits for a checkpoint at most; a writer is alone by the lock on the folder.
    connection.batch_execute("PRAGMA busy_timeout = 5000;")?;
    if !read_only {
        connection.batch_execute("PRAGMA journal_mode = WAL;")?;
    }
    let kept = match read_only {
        true => READER_KEEPS_KIB,
        false => WRITER_KEEPS_KIB,
    };
    connection.batch_execute(&format!(
        "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -{kept}; \
         PRAGMA temp_store = MEMORY;"
    ))?;
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

/// Whether the database has a record, or is a new one.
///
/// # Errors
/// The database's.
pub fn has_record(connection: &mut Connection) -> QueryResult<bool> {
    let is_there = match connection {
        Connection::Sqlite(_) => {
            "SELECT count(*) AS value FROM sqlite_master WHERE type = 'table' \
             AND name = 'log_entry'"
        }
        Connection::Postgres(_) => {
            "SELECT count(*) AS value FROM (SELECT to_regclass('log_entry') AS name) AS known \
             WHERE name IS NOT NULL"
        }
    };
    let tables = on!(connection, c => diesel::sql_query(is_there).get_result::<NumberValue>(c))?;
    Ok(tables.value > 0)
}

/// Refuses a record whose leaves are of another format. One leaf alone does not say it: a first or
/// a last leaf that was changed is damage, which whoever verifies the record names.
fn must_be_of_this_format(connection: &mut Connection) -> Result<(), OpenFault> {
    if !has_record(connection)? {
        return Ok(());
    }
    let formats = match connection {
        Connection::Sqlite(_) => {
            "SELECT hex(substr(leaf, 1, 1)) AS value FROM log_entry \
             WHERE leaf_index IN (0, (SELECT max(leaf_index) FROM log_entry))"
        }
        Connection::Postgres(_) => {
            "SELECT encode(substring(leaf FROM 1 FOR 1), 'hex') AS value FROM log_entry \
             WHERE leaf_index IN (0, (SELECT max(leaf_index) FROM log_entry))"
        }
    };
    let leaves: Vec<TextValue> = on!(connection, c => diesel::sql_query(formats).load(c))?;
    let format = |leaf: &TextValue| u8::from_str_radix(&leaf.value, 16).ok();
    let first = leaves.first().and_then(format);
    match first.filter(|first| leaves.iter().all(|leaf| format(leaf) == Some(*first))) {
        Some(found) if found != RECORD_FORMAT => Err(OpenFault::OtherFormat { found }),
        _ => Ok(()),
    }
}

/// What libpq would read from the environment of this process. It cannot be taken out of it soundly
/// once there are threads, so it must not be there.
fn judge_own_environment() -> Result<(), AddressFault> {
    let names: Vec<String> = std::env::vars_os()
        .filter_map(|(name, _)| name.into_string().ok())
        .collect();
    judge_environment(names.iter().map(String::as_str))
}

/// Makes the file of a SQLite database, which its owner alone may read, when it is not there:
/// SQLite would make it readable for all. What it writes beside the file (`-wal`, `-shm`) takes its
/// mode.
///
/// # Errors
/// When the file cannot be made.
pub fn private_file(path: &Path) -> std::io::Result<()> {
    let made = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path);
    match made {
        Err(fault) if fault.kind() != std::io::ErrorKind::AlreadyExists => Err(fault),
        _ => Ok(()),
    }
}

impl Database {
    /// Reads an address: `postgres://…`, `host=…` as libpq writes it, or a file's path.
    pub fn parse(address: &str) -> Self {
        if is_postgres(address) {
            Self::Postgres(address.to_owned())
        } else {
            Self::Sqlite(PathBuf::from(address))
        }
    }

    /// As [`Self::parse`], where the path of a file is from a folder on.
    pub fn parse_in(folder: &Path, address: &str) -> Self {
        match Self::parse(address) {
            Self::Sqlite(path) => Self::Sqlite(folder.join(path)),
            server @ Self::Postgres(_) => server,
        }
    }

    fn connect(&self, read_only: bool) -> Result<Connection, OpenFault> {
        let mut connection = self.connect_to_any(read_only)?;
        must_be_of_this_format(&mut connection)?;
        Ok(connection)
    }

    fn connect_to_any(&self, read_only: bool) -> Result<Connection, OpenFault> {
        match self {
            Self::Sqlite(path) => {
                // A database in memory has no file.
                if !read_only && path.as_os_str() != ":memory:" {
                    // What is wrong with the place, SQLite says in its own words.
                    let _ = private_file(path);
                }
                let path = path.to_str().ok_or(OpenFault::Path)?;
                let mut connection = SqliteConnection::establish(path)?;
                ready_sqlite(&mut connection, read_only)?;
                Ok(Connection::Sqlite(connection))
            }
            Self::Postgres(address) => {
                judge_own_environment()?;
                let address = PostgresAddress::parse(address)?;
                let mut connection = PgConnection::establish(&address.connection_string())?;
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
        let fault = Database::parse("postgres://u:p@10.1.2.3/keno").open_writer();
        assert!(
            matches!(&fault, Err(OpenFault::Address(AddressFault::Plain(host))) if host == "10.1.2.3")
        );
    }
}
