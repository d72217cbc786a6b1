//! The file of the access log, a database of its own beside the record: its lines and their chain,
//! messages, stopped terminals, counters of PINs.
//!
//! Hashes are kept apart from the lines: a line that is gone is missed, and its hash holds the
//! chain together. Hashes and head are written in the transaction of the line.

use std::path::Path;

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::result::Error;
use diesel::sqlite::SqliteConnection;
use keno_log::Hash;
use keno_log::access::AccessRecord;
use keno_log::tree::Edge;
use keno_schema::altered::{damaged, told_of_access};
use keno_schema::migrate::MigrateFault;
use thiserror::Error as ErrorOf;

use super::big;

use self::tables::{
    access, access_head, access_leaf, acknowledgement, message, pin_count, terminal_stop,
};

mod tables {
    diesel::table! {
        /// Lines.
        access (id) {
            id -> BigInt,
            at_ms -> BigInt,
            kind -> Text,
            device -> Nullable<BigInt>,
            badge -> Text,
            trace -> Text,
            purpose -> Text,
        }
    }

    diesel::table! {
        /// Hash of each line.
        access_leaf (id) {
            id -> BigInt,
            hash -> Binary,
        }
    }

    diesel::table! {
        /// The one row of the head.
        access_head (id) {
            id -> BigInt,
            epoch -> BigInt,
            edge -> Binary,
        }
    }

    diesel::table! {
        /// Messages.
        message (id) {
            id -> BigInt,
            at_ms -> BigInt,
            sender -> Text,
            device -> Nullable<BigInt>,
            fr -> Text,
            en -> Text,
        }
    }

    diesel::table! {
        /// Who has read which.
        acknowledgement (message, device) {
            message -> BigInt,
            device -> BigInt,
            badge -> Text,
            at_ms -> BigInt,
        }
    }

    diesel::table! {
        /// Stops of terminals.
        terminal_stop (id) {
            id -> BigInt,
            at_ms -> BigInt,
            device -> BigInt,
            stopped -> SmallInt,
            badge -> Text,
            reason -> Text,
        }
    }

    diesel::table! {
        /// How a badge stands at a device.
        pin_count (badge, device) {
            badge -> Text,
            device -> BigInt,
            failures -> BigInt,
            waits_until_ms -> BigInt,
            has_succeeded -> Bool,
        }
    }

    diesel::allow_tables_to_appear_in_same_query!(access, access_leaf);
}

/// Lines read at once.
const SLICE: i64 = 10_000;

/// The file cannot be used.
#[derive(Debug, ErrorOf)]
pub enum AccessFileFault {
    /// Its name is not UTF-8.
    #[error("its name is not UTF-8")]
    Name,
    /// It cannot be made.
    #[error(transparent)]
    File(#[from] std::io::Error),
    /// It cannot be opened.
    #[error(transparent)]
    Open(#[from] ConnectionError),
    /// A statement failed.
    #[error(transparent)]
    Statement(#[from] Error),
    /// Its tables cannot be compared.
    #[error(transparent)]
    Compare(#[from] MigrateFault),
    /// Somebody changed its tables: what is written there may not be what stands there.
    #[error("its tables are not as this program makes them: {0}; undo by hand what was changed")]
    Altered(String),
}

/// A connection to the file.
pub struct AccessFile(SqliteConnection);

/// Where the chain is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain {
    /// The epoch of the record in which the file was begun.
    pub epoch: u32,
    /// The tree's right edge.
    pub edge: Edge,
}

/// A message.
#[derive(Debug, Clone, Queryable, Insertable)]
#[diesel(table_name = message)]
pub struct MessageRow {
    /// Number.
    pub id: i64,
    /// When it was sent, UTC milliseconds.
    pub at_ms: i64,
    /// Badge of who sent it.
    pub sender: String,
    /// Device that it is for; every counter when null.
    pub device: Option<i64>,
    /// In French.
    pub fr: String,
    /// In English.
    pub en: String,
}

/// Who has read which message.
#[derive(Debug, Clone, Queryable, Insertable)]
#[diesel(table_name = acknowledgement)]
pub struct AcknowledgementRow {
    /// Message.
    pub message: i64,
    /// Device at which.
    pub device: i64,
    /// Badge.
    pub badge: String,
    /// When, UTC milliseconds.
    pub at_ms: i64,
}

/// A terminal was stopped, or let sell again.
#[derive(Debug, Clone, Queryable, Selectable, Insertable)]
#[diesel(table_name = terminal_stop)]
pub struct StopRow {
    /// When, UTC milliseconds.
    pub at_ms: i64,
    /// Device.
    pub device: i64,
    /// 1 stopped, 0 sells again.
    pub stopped: i16,
    /// Badge.
    pub badge: String,
    /// Why.
    pub reason: String,
}

/// How a badge stands at a device.
#[derive(Debug, Clone, Queryable, Insertable)]
#[diesel(table_name = pin_count)]
pub struct PinCountRow {
    /// The badge.
    pub badge: String,
    /// Device number; 0 is the command line.
    pub device: i64,
    /// Failures since it last succeeded there.
    pub failures: i64,
    /// No try is taken before, UTC milliseconds.
    pub waits_until_ms: i64,
    /// Whether it ever succeeded there.
    pub has_succeeded: bool,
}

/// A line as it stands in the file.
type LineRow = (i64, i64, String, Option<i64>, String, String, String);

fn bytes_of(row: LineRow) -> Vec<u8> {
    let (_, at_ms, kind, device, badge, trace, purpose) = row;
    let device = match device.map(u32::try_from) {
        None => None,
        Some(Ok(device)) => Some(device),
        // No line that central wrote has such a number.
        Some(Err(_)) => return Vec::new(),
    };
    let record = AccessRecord {
        at_ms,
        kind,
        device,
        badge,
        trace,
        purpose,
    };
    record.to_bytes()
}

fn unreadable(what: &str) -> Error {
    Error::DeserializationError(what.into())
}

fn connect(path: &Path) -> Result<SqliteConnection, AccessFileFault> {
    let text = path.to_str().ok_or(AccessFileFault::Name)?;
    Ok(SqliteConnection::establish(text)?)
}

/// Opens the file for its one writer; what is not there is made, and what is there must be as this
/// program makes it: a trigger could take lines out and mend their chain.
///
/// # Errors
/// [`AccessFileFault`].
pub fn open(path: &Path) -> Result<AccessFile, AccessFileFault> {
    keno_schema::connection::private_file(path)?;
    let mut connection = connect(path)?;
    connection.batch_execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;")?;
    connection.batch_execute(keno_schema::migrate::ACCESS)?;
    match told_of_access(&mut connection)? {
        Some(what) => Err(AccessFileFault::Altered(what)),
        None => Ok(AccessFile(connection)),
    }
}

/// What about its tables or its pages is not as this program and SQLite make them, in words.
///
/// # Errors
/// [`MigrateFault`].
pub fn altered(file: &mut AccessFile) -> Result<Option<String>, MigrateFault> {
    Ok(told_of_access(&mut file.0)?.or(damaged(&mut file.0)?))
}

/// Opens one picture of the file, while central writes on; nothing is written there.
///
/// # Errors
/// [`AccessFileFault`].
pub fn open_picture(path: &Path) -> Result<AccessFile, AccessFileFault> {
    let mut connection = connect(path)?;
    connection.batch_execute("PRAGMA query_only = ON; BEGIN;")?;
    Ok(AccessFile(connection))
}

/// Writes what `work` writes in one transaction.
///
/// # Errors
/// As `work`, or the database's; then nothing was written.
pub fn write<R>(
    file: &mut AccessFile,
    work: impl FnOnce(&mut AccessFile) -> QueryResult<R>,
) -> QueryResult<R> {
    file.0.batch_execute("BEGIN IMMEDIATE")?;
    let written = work(file);
    let end = match written {
        Ok(_) => "COMMIT",
        Err(_) => "ROLLBACK",
    };
    let ended = file.0.batch_execute(end);
    let written = written?;
    ended.map(|()| written)
}

/// The chain as it stands; a file without one is begun in `epoch`. A head that is not there or
/// cannot be read is made anew from the hashes of the lines: the house goes on, and what was
/// anchored says whether they are those.
///
/// # Errors
/// The database's.
pub fn begin_chain(file: &mut AccessFile, epoch: u32) -> QueryResult<Chain> {
    match head(file) {
        Ok(Some(chain)) => return Ok(chain),
        Ok(None) => {}
        Err(Error::DeserializationError(why)) => {
            tracing::error!(%why, "the head of the access log cannot be read: it is made anew");
        }
        Err(fault) => return Err(fault),
    }
    let mut edge = Edge::new();
    let hashes: Vec<Vec<u8>> = access_leaf::table
        .order(access_leaf::id)
        .select(access_leaf::hash)
        .load(&mut file.0)?;
    for hash in hashes {
        edge.append(
            Hash::try_from(hash.as_slice()).map_err(|_| unreadable("a hash of another length"))?,
        );
    }
    let chain = Chain { epoch, edge };
    diesel::replace_into(access_head::table)
        .values((
            access_head::id.eq(1),
            access_head::epoch.eq(i64::from(epoch)),
            access_head::edge.eq(chain.edge.to_bytes()),
        ))
        .execute(&mut file.0)?;
    Ok(chain)
}

/// The head of the chain, if there is one.
///
/// # Errors
/// The database's, or a head that cannot be read.
pub fn head(file: &mut AccessFile) -> QueryResult<Option<Chain>> {
    let row: Option<(i64, Vec<u8>)> = access_head::table
        .select((access_head::epoch, access_head::edge))
        .first(&mut file.0)
        .optional()?;
    row.map(|(epoch, edge)| {
        Ok(Chain {
            epoch: u32::try_from(epoch).map_err(|_| unreadable("the epoch is no number"))?,
            edge: Edge::from_bytes(&edge).map_err(|_| unreadable("the head is no edge"))?,
        })
    })
    .transpose()
}

/// Writes a line and its hash at the end of the chain.
///
/// # Errors
/// The database's.
pub fn append(file: &mut AccessFile, chain: &mut Chain, line: &AccessRecord) -> QueryResult<()> {
    let hash = line.hash();
    chain.edge.append(hash);
    let id = big(chain.edge.size());
    diesel::insert_into(access::table)
        .values((
            access::id.eq(id),
            access::at_ms.eq(line.at_ms),
            access::kind.eq(&line.kind),
            access::device.eq(line.device.map(i64::from)),
            access::badge.eq(&line.badge),
            access::trace.eq(&line.trace),
            access::purpose.eq(&line.purpose),
        ))
        .execute(&mut file.0)?;
    diesel::insert_into(access_leaf::table)
        .values((access_leaf::id.eq(id), access_leaf::hash.eq(hash.to_vec())))
        .execute(&mut file.0)
        .map(drop)
}

/// Writes the head, where lines were added. The head in the file must be the one that these lines
/// follow: another writer would break the chain.
///
/// # Errors
/// The database's, or [`Error::NotFound`] where the head is another.
pub fn keep_head(file: &mut AccessFile, before: &Chain, now: &Chain) -> QueryResult<()> {
    if before == now {
        return Ok(());
    }
    let changed =
        diesel::update(access_head::table.filter(access_head::edge.eq(before.edge.to_bytes())))
            .set(access_head::edge.eq(now.edge.to_bytes()))
            .execute(&mut file.0)?;
    if changed == 1 {
        Ok(())
    } else {
        Err(Error::NotFound)
    }
}

/// Asks for each hash and the bytes of its line, in order: `each(hash, bytes)`. A number without
/// a hash is asked for once, and nothing after it.
///
/// # Errors
/// The database's.
pub fn walk(
    file: &mut AccessFile,
    each: &mut dyn FnMut(Option<Hash>, Option<Vec<u8>>),
) -> QueryResult<()> {
    let mut done = 0_i64;
    loop {
        let until = done + SLICE;
        let hashes: Vec<(i64, Vec<u8>)> = access_leaf::table
            .filter(access_leaf::id.gt(done))
            .order(access_leaf::id)
            .limit(SLICE)
            .load(&mut file.0)?;
        let lines: Vec<LineRow> = access::table
            .filter(access::id.gt(done).and(access::id.le(until)))
            .order(access::id)
            .load(&mut file.0)?;
        let mut lines = lines.into_iter().peekable();
        let is_last = hashes.len() < usize::try_from(SLICE).unwrap_or(usize::MAX);
        for (id, hash) in hashes {
            done += 1;
            if id != done {
                each(None, None);
                return Ok(());
            }
            while lines.next_if(|line| line.0 < id).is_some() {}
            let bytes = lines.next_if(|line| line.0 == id).map(bytes_of);
            // A hash of another length is none that central wrote.
            each(Some(Hash::try_from(hash).unwrap_or_default()), bytes);
        }
        if is_last {
            return Ok(());
        }
    }
}

/// Lines that have no hash.
///
/// # Errors
/// The database's.
pub fn without_hash(file: &mut AccessFile) -> QueryResult<Vec<i64>> {
    access::table
        .left_join(access_leaf::table.on(access_leaf::id.eq(access::id)))
        .filter(access_leaf::id.is_null())
        .select(access::id)
        .order(access::id)
        .load(&mut file.0)
}

/// The newest lines of a kind whose purpose ends in one of two words after a colon, the oldest
/// first: when, and at which device.
///
/// # Errors
/// The database's.
pub fn newest_of(
    file: &mut AccessFile,
    kind: &str,
    endings: [&str; 2],
    count: i64,
) -> QueryResult<Vec<(i64, Option<i64>)>> {
    let [one, other] = endings.map(|ending| access::purpose.like(format!("%: {ending}")));
    let mut found: Vec<(i64, Option<i64>)> = access::table
        .filter(access::kind.eq(kind))
        .filter(one.or(other))
        .order(access::id.desc())
        .limit(count)
        .select((access::at_ms, access::device))
        .load(&mut file.0)?;
    found.reverse();
    Ok(found)
}

/// Counters of PINs.
///
/// # Errors
/// The database's.
pub fn pin_counts(file: &mut AccessFile) -> QueryResult<Vec<PinCountRow>> {
    pin_count::table.load(&mut file.0)
}

/// Keeps a counter.
///
/// # Errors
/// The database's.
pub fn keep_pin_count(file: &mut AccessFile, row: &PinCountRow) -> QueryResult<()> {
    diesel::replace_into(pin_count::table)
        .values(row)
        .execute(&mut file.0)
        .map(drop)
}

/// Messages, and who has read which.
///
/// # Errors
/// The database's.
pub fn messages(file: &mut AccessFile) -> QueryResult<(Vec<MessageRow>, Vec<AcknowledgementRow>)> {
    Ok((
        message::table.load(&mut file.0)?,
        acknowledgement::table.load(&mut file.0)?,
    ))
}

/// Writes a message.
///
/// # Errors
/// The database's.
pub fn insert_message(file: &mut AccessFile, row: &MessageRow) -> QueryResult<()> {
    diesel::insert_into(message::table)
        .values(row)
        .execute(&mut file.0)
        .map(drop)
}

/// Somebody has read a message: the first at a device has.
///
/// # Errors
/// The database's.
pub fn acknowledge(file: &mut AccessFile, row: &AcknowledgementRow) -> QueryResult<()> {
    diesel::insert_or_ignore_into(acknowledgement::table)
        .values(row)
        .execute(&mut file.0)
        .map(drop)
}

/// Stops of terminals, in the order of writing.
///
/// # Errors
/// The database's.
pub fn stops(file: &mut AccessFile) -> QueryResult<Vec<StopRow>> {
    terminal_stop::table
        .order(terminal_stop::id.asc())
        .select(StopRow::as_select())
        .load(&mut file.0)
}

/// Writes that a terminal was stopped, or let sell again.
///
/// # Errors
/// The database's.
pub fn insert_stop(file: &mut AccessFile, row: &StopRow) -> QueryResult<()> {
    diesel::insert_into(terminal_stop::table)
        .values(row)
        .execute(&mut file.0)
        .map(drop)
}
