//! The chain of the access log: each line is a leaf of an RFC 6962 tree of its own
//! (`schema/log/FORMAT.md`, "The access log").
//!
//! Hashes are kept apart from the lines: a line that is gone is missed, and its hash holds the
//! chain together. Hashes and head are written in the transaction of the line.

use std::fmt::Write as _;
use std::path::Path;

use diesel::prelude::*;
use diesel::sqlite::SqliteConnection;
use keno_log::access::{
    AccessAnchor, AccessFinding, AccessRecord, Judge, Judged, MAGIC, export_line,
};
use keno_log::checkpoint::{SigningKey, VerifyingKey};
use keno_log::hash::Hash;
use keno_log::tree::Edge;
use keno_record::fault::Fault;
use keno_record::publish::read_anchor_file;
use thiserror::Error;

use super::{AccessLine, FILE, access};

diesel::table! {
    /// Hash of each line.
    access_leaf (id) {
        /// The line.
        id -> BigInt,
        /// Hash of its leaf.
        hash -> Binary,
    }
}

diesel::table! {
    /// The one row of the head.
    access_head (id) {
        /// Always 1.
        id -> BigInt,
        /// The epoch of the record in which the file was begun.
        epoch -> BigInt,
        /// The tree's right edge.
        edge -> Binary,
    }
}

/// A line as it stands in the file.
type LineRow = (i64, i64, String, Option<i64>, String, String, String);

/// Lines read at once.
const SLICE: i64 = 10_000;

/// Where the chain is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Chain {
    /// The epoch of the record in which the file was begun.
    pub(super) epoch: u32,
    /// The tree's right edge.
    pub(super) edge: Edge,
}

/// The chain in the file.
pub(super) struct ChainFile;

/// The access log cannot be judged.
#[derive(Debug, Error)]
pub enum ChainFault {
    /// The file cannot be read.
    #[error("the access log cannot be read: {0}")]
    Read(String),
    /// An anchor file cannot be read.
    #[error(transparent)]
    Anchors(#[from] Fault),
    /// Its head cannot be signed.
    #[error("the head of the access log cannot be signed")]
    Sign,
}

impl From<diesel::result::Error> for ChainFault {
    fn from(fault: diesel::result::Error) -> Self {
        Self::Read(fault.to_string())
    }
}

fn number(size: u64) -> i64 {
    i64::try_from(size).unwrap_or(i64::MAX)
}

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

impl ChainFile {
    /// Makes the tables. Neither a line nor its hash is ever changed, and no hash is taken out.
    pub(super) const TABLES: [&'static str; 4] = [
        "CREATE TABLE IF NOT EXISTS access_leaf (id INTEGER PRIMARY KEY, hash BLOB NOT NULL)",
        "CREATE TRIGGER IF NOT EXISTS access_leaf_no_update BEFORE UPDATE ON access_leaf
             BEGIN SELECT RAISE(ABORT, 'hashes are added and never changed'); END",
        "CREATE TRIGGER IF NOT EXISTS access_leaf_no_delete BEFORE DELETE ON access_leaf
             BEGIN SELECT RAISE(ABORT, 'hashes are added and never taken out'); END",
        "CREATE TABLE IF NOT EXISTS access_head (
             id INTEGER PRIMARY KEY CHECK (id = 1),
             epoch BIGINT NOT NULL,
             edge BLOB NOT NULL)",
    ];

    /// The chain as it stands; a file without one is begun in `epoch`. A head that is not there or
    /// cannot be read is made anew from the hashes of the lines: the house goes on, and what was
    /// anchored says whether they are those.
    pub(super) fn begin(connection: &mut SqliteConnection, epoch: u32) -> QueryResult<Chain> {
        match Self::head(connection) {
            Ok(Some(chain)) => return Ok(chain),
            Ok(None) => {}
            Err(diesel::result::Error::DeserializationError(why)) => {
                tracing::error!(%why, "the head of the access log cannot be read: it is made anew");
            }
            Err(fault) => return Err(fault),
        }
        let mut edge = Edge::new();
        let hashes: Vec<Vec<u8>> = access_leaf::table
            .order(access_leaf::id)
            .select(access_leaf::hash)
            .load(connection)?;
        for hash in hashes {
            let hash = Hash::try_from(hash.as_slice()).map_err(|_| {
                diesel::result::Error::DeserializationError("a hash of another length".into())
            })?;
            edge.append(hash);
        }
        let chain = Chain { epoch, edge };
        diesel::replace_into(access_head::table)
            .values((
                access_head::id.eq(1),
                access_head::epoch.eq(i64::from(epoch)),
                access_head::edge.eq(chain.edge.to_bytes()),
            ))
            .execute(connection)?;
        Ok(chain)
    }

    fn head(connection: &mut SqliteConnection) -> QueryResult<Option<Chain>> {
        let row: Option<(i64, Vec<u8>)> = access_head::table
            .select((access_head::epoch, access_head::edge))
            .first(connection)
            .optional()?;
        let unreadable = |what: &str| diesel::result::Error::DeserializationError(what.into());
        row.map(|(epoch, edge)| {
            Ok(Chain {
                epoch: u32::try_from(epoch).map_err(|_| unreadable("the epoch is no number"))?,
                edge: Edge::from_bytes(&edge).map_err(|_| unreadable("the head is no edge"))?,
            })
        })
        .transpose()
    }

    /// Writes a line and its hash.
    pub(super) fn append(
        connection: &mut SqliteConnection,
        chain: &mut Chain,
        line: &AccessLine,
    ) -> QueryResult<()> {
        let record = AccessRecord {
            at_ms: line.at_ms,
            kind: line.kind.name().to_owned(),
            device: line.device,
            badge: line.badge.clone(),
            trace: line.trace.clone(),
            purpose: line.purpose.clone(),
        };
        let hash = record.hash();
        chain.edge.append(hash);
        let id = number(chain.edge.size());
        diesel::insert_into(access::table)
            .values((
                access::id.eq(id),
                access::at_ms.eq(line.at_ms),
                access::kind.eq(line.kind.name()),
                access::device.eq(line.device.map(i64::from)),
                access::badge.eq(&line.badge),
                access::trace.eq(&line.trace),
                access::purpose.eq(&line.purpose),
            ))
            .execute(connection)?;
        diesel::insert_into(access_leaf::table)
            .values((access_leaf::id.eq(id), access_leaf::hash.eq(hash.to_vec())))
            .execute(connection)
            .map(drop)
    }

    /// Writes the head, where lines were added. The head in the file must be the one that these
    /// lines follow: another writer would break the chain.
    pub(super) fn keep_head(
        connection: &mut SqliteConnection,
        before: &Chain,
        now: &Chain,
    ) -> QueryResult<()> {
        if before == now {
            return Ok(());
        }
        let changed =
            diesel::update(access_head::table.filter(access_head::edge.eq(before.edge.to_bytes())))
                .set(access_head::edge.eq(now.edge.to_bytes()))
                .execute(connection)?;
        if changed == 1 {
            Ok(())
        } else {
            Err(diesel::result::Error::NotFound)
        }
    }
}

/// What a judgement of the file came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JudgedFile {
    /// Lines, anchors and findings.
    pub judged: Judged,
    /// Access logs of earlier epochs that were anchored and are not this one: epoch and lines. A
    /// restored house begins a new one.
    pub elsewhere: Vec<(u32, u64)>,
}

fn open(folder: &Path) -> Result<Option<SqliteConnection>, ChainFault> {
    let path = folder.join(FILE);
    if !path.exists() {
        return Ok(None);
    }
    let text = path
        .to_str()
        .ok_or_else(|| ChainFault::Read("its name is not UTF-8".to_owned()))?;
    let mut connection =
        SqliteConnection::establish(text).map_err(|fault| ChainFault::Read(fault.to_string()))?;
    // One picture, while central writes on; nothing is written here.
    for statement in ["PRAGMA query_only = ON", "BEGIN"] {
        diesel::sql_query(statement).execute(&mut connection)?;
    }
    Ok(Some(connection))
}

/// Asks for each hash and the bytes of its line, in order: `each(line, hash, bytes)`. A number
/// without a hash is asked for once, and nothing after it.
fn walk(
    connection: &mut SqliteConnection,
    each: &mut dyn FnMut(Option<Hash>, Option<Vec<u8>>),
) -> QueryResult<()> {
    let mut done = 0_i64;
    loop {
        let until = done + SLICE;
        let hashes: Vec<(i64, Vec<u8>)> = access_leaf::table
            .filter(access_leaf::id.gt(done))
            .order(access_leaf::id)
            .limit(SLICE)
            .load(connection)?;
        let lines: Vec<LineRow> = access::table
            .filter(access::id.gt(done).and(access::id.le(until)))
            .order(access::id)
            .load(connection)?;
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

fn anchored(files: &[impl AsRef<Path>]) -> Result<Vec<AccessAnchor>, ChainFault> {
    let mut anchors = Vec::new();
    for file in files {
        anchors.extend(read_anchor_file(file.as_ref())?.access);
    }
    Ok(anchors)
}

/// Judges the access log of a data folder against `anchor_files`: a line that was changed, removed
/// or inserted, and an end that was cut off. `house` is the log's key and the epoch of the record.
/// Central may run.
///
/// # Errors
/// A [`ChainFault`] when the judgement cannot be made.
pub fn judge(
    folder: &Path,
    anchor_files: &[impl AsRef<Path>],
    house: Option<&(String, u32)>,
) -> Result<JudgedFile, ChainFault> {
    // Read first: an anchor written after the picture was taken is not one of its own.
    let anchors = anchored(anchor_files)?;
    let key = house.and_then(|(key, _)| VerifyingKey::parse(key).ok());
    let mut connection = open(folder)?;
    let head = match &mut connection {
        Some(connection) => ChainFile::head(connection)?,
        None => None,
    };
    // Where there is none, it would be begun in the epoch of the record.
    let epoch = head
        .as_ref()
        .map_or_else(|| house.map_or(1, |(_, epoch)| *epoch), |head| head.epoch);
    let mut judge = Judge::new(epoch, &anchors, key.as_ref());
    let mut without: Vec<i64> = Vec::new();
    if let Some(connection) = &mut connection {
        walk(connection, &mut |hash, bytes| {
            judge.line(hash, bytes.as_deref())
        })?;
        without = access::table
            .left_join(access_leaf::table.on(access_leaf::id.eq(access::id)))
            .filter(access_leaf::id.is_null())
            .select(access::id)
            .order(access::id)
            .load(connection)?;
    }
    let mut judged = judge.finish(head.as_ref().map(|head| &head.edge));
    if let Some((_, of_record)) = house
        && epoch > *of_record
    {
        judged.findings.push(AccessFinding::LaterEpoch {
            epoch,
            record: *of_record,
        });
    }
    judged
        .findings
        .extend(without.into_iter().map(AccessFinding::inserted));
    let mut elsewhere: Vec<(u32, u64)> = Vec::new();
    for anchor in anchors.iter().filter(|anchor| anchor.epoch < epoch) {
        match elsewhere.iter_mut().find(|(of, _)| *of == anchor.epoch) {
            Some((_, lines)) => *lines = anchor.size.max(*lines),
            None => elsewhere.push((anchor.epoch, anchor.size)),
        }
    }
    Ok(JudgedFile { judged, elsewhere })
}

/// The access log as text, with a signed checkpoint at its end: `keno-audit access` judges it.
/// Returns how many lines are in it.
///
/// # Errors
/// A [`ChainFault`].
pub fn export(
    folder: &Path,
    house_origin: &str,
    key: &SigningKey,
) -> Result<Option<(u64, String)>, ChainFault> {
    let Some(mut connection) = open(folder)? else {
        return Ok(None);
    };
    let Some(head) = ChainFile::head(&mut connection)? else {
        return Ok(None);
    };
    let mut text = format!("{MAGIC}\n");
    walk(&mut connection, &mut |hash, bytes| {
        if let Some(hash) = hash {
            text.push_str(&export_line(&hash, bytes.as_deref()));
        }
    })?;
    let anchor =
        AccessAnchor::sign(house_origin, head.epoch, &head.edge, key).ok_or(ChainFault::Sign)?;
    // A text is written to without fail.
    let _ = write!(text, "\n{}", anchor.note);
    Ok(Some((head.edge.size(), text)))
}

diesel::allow_tables_to_appear_in_same_query!(access, access_leaf);
