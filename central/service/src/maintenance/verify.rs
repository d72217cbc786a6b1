//! Judging a record: every leaf, the head, the anchors, and every table against the leaves.

use std::fmt;
use std::path::{Path, PathBuf};

use keno_log::hash::sha256;
use keno_log::{Event, Hash};
use keno_record::fault::Fault;
use keno_record::publish::read_anchors;
use keno_record::snapshot::SnapshotPlace;
use keno_record::state::State;
use keno_record::store::snapshot::on_snapshot;
use keno_record::store::{leaves, log, people};
use keno_schema::migrate::migrate;
use keno_schema::{Connection, Database, WriteFault, altered};
use keno_words::{Language, Say, verify};

use super::compare::{Difference, differences};
use super::replay::{RebuildFault, Sides, replay};

/// Something that is not as it must be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// The first leaf that cannot be trusted. The tables were not compared.
    Leaf {
        /// Which leaf.
        index: u64,
        /// What is wrong with it.
        what: String,
    },
    /// A payment of what was not owed.
    Payment {
        /// Its leaf.
        index: u64,
        /// What is wrong with it.
        what: String,
    },
    /// Head and leaves disagree.
    Head {
        /// What disagrees.
        what: String,
    },
    /// The record is not what was published of it.
    Anchor {
        /// The anchor file.
        file: PathBuf,
        /// Leaves at the first anchor that disagrees.
        size: u64,
        /// What disagrees.
        what: &'static str,
    },
    /// The snapshot that a start would go on from is not what the leaves give.
    Snapshot {
        /// Leaves that it says it was made from.
        size: u64,
    },
    /// The snapshot is not what the log's key signed.
    Unsigned {
        /// Why it is not.
        what: String,
    },
    /// The tables are not as this program makes them.
    Schema {
        /// What is not.
        what: String,
    },
    /// The database finds fault with its own pages, or an index is not what its table holds.
    Database {
        /// What it says.
        what: String,
    },
    /// The first row of a table that is not what the leaves give.
    Table(Difference),
}

/// Without its detail, which [`fmt::Display`] says in English.
impl Say for Finding {
    fn say(&self, language: Language, to: &mut String) {
        let words: &dyn Say = match self {
            Self::Leaf { index, .. } => &verify::Leaf { index },
            Self::Payment { index, .. } => &verify::Payment { index },
            Self::Head { .. } => &verify::Head,
            Self::Anchor { file, size, .. } => &verify::Anchor { file, size },
            Self::Snapshot { size } => &verify::Snapshot { size },
            Self::Unsigned { .. } => &verify::Unsigned,
            Self::Schema { .. } => &verify::Schema,
            Self::Database { .. } => &verify::Database,
            Self::Table(Difference { table, .. }) => &verify::Table { table },
        };
        words.say(language, to);
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.en())?;
        match self {
            Self::Leaf { what, .. } | Self::Payment { what, .. } | Self::Head { what } => {
                write!(formatter, ": {what}")
            }
            Self::Anchor { what, .. } => write!(formatter, ": {what}"),
            Self::Unsigned { what } | Self::Schema { what } | Self::Database { what } => {
                write!(formatter, ": {what}")
            }
            Self::Snapshot { .. } => Ok(()),
            Self::Table(Difference { key, what, .. }) => write!(formatter, " ({key}): {what}"),
        }
    }
}

/// What a verification found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verification {
    /// Leaves that hold.
    pub leaves: u64,
    /// Root of their tree.
    pub root: Hash,
    /// Anchors that agree.
    pub anchors: usize,
    /// Rows that are what the leaves give.
    pub rows: u64,
    /// The key of the log, as the record names it; the epoch that it is in. `None` for a record
    /// without a house, or whose leaves do not hold.
    pub house: Option<(String, u32)>,
    /// What is wrong, the leaves first.
    pub findings: Vec<Finding>,
}

impl Verification {
    /// True when nothing is wrong.
    pub fn holds(&self) -> bool {
        self.findings.is_empty()
    }
}

/// What was published, in the order of its size.
struct Anchors {
    /// Size, root, and index of the file.
    list: Vec<(u64, Hash, usize)>,
    next: usize,
    finding: Option<Finding>,
}

impl Anchors {
    fn read(files: &[PathBuf]) -> Result<Self, Fault> {
        let mut list = Vec::new();
        for (index, file) in files.iter().enumerate() {
            list.extend(
                read_anchors(file)?
                    .iter()
                    .map(|anchor| (anchor.size, anchor.root, index)),
            );
        }
        list.sort_unstable_by_key(|(size, _, _)| *size);
        Ok(Self {
            list,
            next: 0,
            finding: None,
        })
    }

    fn at(&mut self, edge: &keno_log::tree::Edge, files: &[PathBuf]) {
        while let Some((size, root, file)) = self.list.get(self.next)
            && *size <= edge.size()
        {
            if *size == edge.size() && *root != edge.root() && self.finding.is_none() {
                self.finding = Some(finding(files, *file, *size, "the root is another one"));
            }
            self.next += 1;
        }
    }
}

fn finding(files: &[PathBuf], file: usize, size: u64, what: &'static str) -> Finding {
    Finding::Anchor {
        file: files.get(file).cloned().unwrap_or_default(),
        size,
        what,
    }
}

/// Judges a record: every leaf (its bytes against its hash, its body against its commitment,
/// order, and whether it can follow what came before), the head, the anchors of `anchor_files`,
/// the snapshot of the memory in `folder` if a start would go on from it, the schema, and every table
/// against one made from the leaves in a scratch file inside `folder`.
///
/// Nothing is written outside that file, which is removed. Central may run meanwhile.
///
/// # Errors
/// A [`Fault`] when the judgement cannot be made; what is wrong is a [`Finding`].
pub fn verify(
    connection: &mut Connection,
    anchor_files: &[PathBuf],
    folder: &Path,
) -> Result<Verification, Fault> {
    // Read first: an anchor written after the picture was taken is not one of its own.
    let mut anchors = Anchors::read(anchor_files)?;
    let scratch = Scratch::new(folder)?;
    let (kept, unsigned) = match kept_state(connection, folder) {
        Ok(kept) => (kept, None),
        Err(what) => (None, Some(Finding::Unsigned { what })),
    };
    let altered = altered::told(connection).map_err(|fault| Fault::Record(fault.to_string()))?;
    let schema = altered.map(|what| Finding::Schema { what });
    let damage = match connection {
        Connection::Sqlite(file) => altered::damaged(file)?.map(|what| Finding::Database { what }),
        Connection::Postgres(_) => None,
    };
    on_snapshot(connection, |record| {
        let mut tables = scratch.open()?;
        let outcome = keno_schema::write(&mut tables, |tables| {
            judge(record, tables, &mut anchors, anchor_files, kept.as_ref())
        });
        let mut judged = outcome.map_err(|fault| match fault {
            WriteFault::Undone(fault) => fault,
            WriteFault::Begin(fault) | WriteFault::Unknown(fault) => fault.into(),
        })?;
        judged.findings.extend(unsigned);
        judged.findings.extend(schema);
        judged.findings.extend(damage);
        Ok(judged)
    })
}

fn judge(
    record: &mut Connection,
    tables: &mut Connection,
    anchors: &mut Anchors,
    files: &[PathBuf],
    kept: Option<&State>,
) -> Result<Verification, Fault> {
    let mut last = keno_log::tree::Edge::new();
    let mut findings = Vec::new();
    let (mut snapshot, mut payments) = (None, Vec::new());
    let replayed = {
        let mut sides = Sides {
            record: Some(&mut *record),
            tables: &mut *tables,
        };
        replay(&mut sides, &mut |state, wrong| {
            let index = state.edge.size().saturating_sub(1);
            payments.extend(wrong.map(|what| Finding::Payment { index, what }));
            anchors.at(&state.edge, files);
            last.clone_from(&state.edge);
            let size = state.edge.size();
            if kept
                .is_some_and(|kept| kept.edge.size() == size && kept.to_bytes() != state.to_bytes())
            {
                snapshot = Some(Finding::Snapshot { size });
            }
        })
    };
    let state = match replayed {
        Ok(state) => Some(state),
        Err(RebuildFault::Leaf { index, what }) => {
            findings.push(Finding::Leaf { index, what });
            None
        }
        Err(RebuildFault::Fault(fault)) => return Err(fault),
        Err(other) => return Err(Fault::Record(other.to_string())),
    };
    findings.extend(payments);
    findings.extend(anchors.finding.take());
    findings.extend(snapshot);
    let mut rows = 0;
    let mut house = None;
    if let Some(state) = state {
        house = state
            .house
            .as_ref()
            .map(|known| (known.log_key.clone(), state.epoch.number.max(1)));
        findings.extend(judge_head(record, &state)?);
        // A start is refused by it, unless an epoch was opened since.
        let knows_more = |kept: &&State| {
            kept.edge.size() > state.edge.size() && kept.epoch.number >= state.epoch.number
        };
        findings.extend(kept.filter(knows_more).map(|kept| Finding::Snapshot {
            size: kept.edge.size(),
        }));
        if let Some((size, _, file)) = anchors.list.get(anchors.next) {
            let what = "the record ends before it: this is an older copy";
            findings.push(finding(files, *file, *size, what));
        }
        let (alike, found) = differences(record, tables)?;
        rows = alike;
        findings.extend(found.into_iter().map(Finding::Table));
        findings.extend(judge_credentials(record, &state)?.map(Finding::Table));
    }
    Ok(Verification {
        leaves: last.size(),
        root: last.root(),
        anchors: anchors.next,
        rows,
        house,
        findings,
    })
}

/// The snapshot that a start would go on from, by the house and the key of the first leaf.
fn kept_state(record: &mut Connection, folder: &Path) -> Result<Option<State>, String> {
    let Ok(Some(Event::HouseOpened(opened))) = leaves::event_if_any(record, 0) else {
        return Ok(None);
    };
    match opened.log_key.parse() {
        Ok(key) => SnapshotPlace::new(folder, key).judged(),
        Err(_) => Ok(None),
    }
}

/// Files of a house that runs in which no anchor is: each start and each batch writes one.
///
/// # Errors
/// [`Fault::File`] for a file that cannot be read.
pub fn without_anchors(files: &[PathBuf]) -> Result<Vec<Finding>, Fault> {
    let mut found = Vec::new();
    for (at, file) in files.iter().enumerate() {
        if read_anchors(file)?.is_empty() {
            found.push(finding(files, at, 0, "it has no anchor"));
        }
    }
    Ok(found)
}

/// The first credential beside the record that is not what its hash says: nobody signs on with it.
fn judge_credentials(record: &mut Connection, state: &State) -> Result<Option<Difference>, Fault> {
    let rows = people::credentials(record)?;
    let mut other = rows
        .iter()
        .filter(|row| sha256(row.phc.as_bytes()) != row.hash);
    Ok(other.next().map(|row| {
        let badges = state.people.iter();
        let whose = badges.filter(|(_, person)| person.credential == row.hash);
        let whose = whose.map(|(badge, _)| badge).min();
        Difference {
            table: "credential",
            key: whose.map_or_else(String::new, |badge| format!("badge {badge}")),
            what: "its text is not what its hash says: set that person's PIN anew".to_owned(),
        }
    }))
}

fn judge_head(record: &mut Connection, state: &State) -> Result<Option<Finding>, Fault> {
    let what = match log::head(record) {
        Err(Fault::Record(what)) => what,
        Err(other) => return Err(other),
        Ok(None) if state.edge.size() == 0 => return Ok(None),
        Ok(None) => "there are leaves and no head".to_owned(),
        Ok(Some((head, at_ms))) => {
            if head == state.edge && (head.size() == 0 || at_ms == state.last_at_ms) {
                return Ok(None);
            }
            format!(
                "it says {} leaves with root {} at {at_ms} ms, and the leaves give {} with root \
                 {} at {} ms",
                head.size(),
                hex::encode(head.root()),
                state.edge.size(),
                hex::encode(state.edge.root()),
                state.last_at_ms
            )
        }
    };
    Ok(Some(Finding::Head { what }))
}

/// A database file that is gone when this is.
struct Scratch(PathBuf);

impl Scratch {
    fn new(folder: &Path) -> Result<Self, Fault> {
        let path = folder.join(format!("verify-{}.sqlite", std::process::id()));
        let scratch = Self(path);
        // One of an earlier process of this number, ended before it could clear up.
        scratch.remove();
        Ok(scratch)
    }

    fn open(&self) -> Result<Connection, Fault> {
        use diesel::connection::SimpleConnection;
        let failed = |what: String| Fault::File(format!("{}: {what}", self.0.display()));
        let mut connection = Database::Sqlite(self.0.clone())
            .open_writer()
            .map_err(|fault| failed(fault.to_string()))?;
        migrate(&mut connection).map_err(|fault| failed(fault.to_string()))?;
        if let Connection::Sqlite(c) = &mut connection {
            // Nothing here must outlive a power cut.
            c.batch_execute("PRAGMA synchronous = OFF;")?;
        }
        Ok(connection)
    }

    fn remove(&self) {
        for suffix in ["", "-wal", "-shm"] {
            let mut name = self.0.clone().into_os_string();
            name.push(suffix);
            // Gone is what it is to be.
            let _ = std::fs::remove_file(name);
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        self.remove();
    }
}
