//! The terminal's own journal: what was sent, what came of it, what was printed.
//!
//! A SQLite database in the terminal's folder, one row a record, each committed and synced
//! before what it announces is done. A row carries the first 8 bytes of SHA-256(the digest of the
//! row before ‖ its text), so that a row that was changed, moved or taken out is noticed; then the
//! terminal stops: its past is doubtful. What a power cut stopped was never committed, and nothing
//! was done on its account.
//!
//! What the chain does not see: rows that are missing at its end, an older copy of the whole file
//! in its place, and a file that was made anew by someone who computes the digests. Then commands
//! are forgotten, and the next key of the session may be one that was sent before. Central keeps
//! one outcome a key: the same content gets the same answer, any other is refused
//! (`key_other_content`), so that no key ever has two facts. What was in doubt is not asked about
//! again by such a journal: the till's count and the held ticket show it. Old rows of commands that
//! have ended are taken out, and a row that says so stands in their place (`cut`).
//!
//! Neither a claim code nor a PIN is ever written here.

mod cut;
mod record;
mod state;
mod store;
#[cfg(test)]
mod tests;

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;

use keno_wire::request::CommandKey;
use keno_words::{both, journal as words};
use thiserror::Error;

pub use keno_wire::coded::{CommandKind, ParkedMoney, Stage};
pub use record::{Item, Outcome, PaperState, Record};
use state::{Past, digest, place};
use store::{Row, Store};

/// Most commands in doubt that may be put aside at once.
pub const PARKED_MAX: usize = 3;

/// A journal that cannot be used.
#[derive(Debug, Error)]
pub enum JournalFault {
    /// The disk failed.
    #[error("{}", both(&words::Disk))]
    Disk(#[from] io::Error),
    /// The database cannot be opened.
    #[error("{}", both(&words::Open))]
    Open(#[from] diesel::ConnectionError),
    /// A statement failed: the disk is full, or gone.
    #[error("{}", both(&words::Statement))]
    Statement(#[from] diesel::result::Error),
    /// The file's path is not text.
    #[error("{}", both(&words::Path))]
    Path,
    /// The database does not sync what it commits.
    #[error("{}", both(&words::NotDurable))]
    NotDurable,
    /// The database says that it is damaged.
    #[error("{}", both(&words::DamagedFile))]
    DamagedFile,
    /// An earlier program wrote it.
    #[error("{}", both(&words::EarlierForm { found }))]
    EarlierForm {
        /// The form.
        found: i64,
    },
    /// A later program wrote it.
    #[error("{}", both(&words::LaterForm { found }))]
    LaterForm {
        /// The form.
        found: i64,
    },
    /// Another program of this terminal is at work.
    #[error("{}", both(&words::Busy))]
    Busy,
    /// A row does not agree with its digest, is missing, or is no record.
    #[error("{}", both(&words::Damaged { row }))]
    Damaged {
        /// From 1.
        row: i64,
    },
    /// A record could not be written as JSON.
    #[error("{}", both(&words::Encode))]
    Encode(#[from] serde_json::Error),
}

/// The journal, open and locked.
pub struct Journal {
    store: Store,
    /// Held while the journal is open.
    _lock: File,
    past: Past,
}

impl Journal {
    /// Opens the journal of a folder, making both when they are not there.
    ///
    /// # Errors
    /// A [`JournalFault`].
    pub fn open(folder: &Path) -> Result<Self, JournalFault> {
        make_folder(folder)?;
        let lock = private_file(&folder.join("lock"))?;
        keno_daemon::sole::hold(&lock).map_err(|held| match held {
            TryLockError::WouldBlock => JournalFault::Busy,
            TryLockError::Error(error) => error.into(),
        })?;
        let path = folder.join("journal.sqlite");
        // Made by hand first, so that nobody else can read it from its first byte on.
        drop(private_file(&path)?);
        // The name of a new file must last as long as what is written in it.
        File::open(folder)?.sync_all()?;
        let mut store = Store::open(&path)?;
        let rows = store.rows()?;
        let mut journal = Self {
            store,
            _lock: lock,
            past: Past::default(),
        };
        for row in rows {
            let number = journal.past.rows + 1;
            journal
                .past
                .read(&row)
                .ok_or(JournalFault::Damaged { row: number })?;
        }
        Ok(journal)
    }

    /// True when what is open was written down for a neighbour, and nothing is done here.
    pub const fn is_handed_out(&self) -> bool {
        self.past.state.is_handed_out
    }

    /// Leaf of the last time that this device was handed over, as far as it knows.
    pub const fn left(&self) -> Option<u64> {
        self.past.state.left
    }

    /// Writes a record and syncs it; when this returns, it is kept.
    ///
    /// # Errors
    /// A [`JournalFault`]; the record may or may not be kept, and what it announces must not
    /// be done.
    pub fn write(&mut self, record: &Record) -> Result<(), JournalFault> {
        let is_known = record.key().map(|key| self.is_known(key));
        if is_known == Some(matches!(record, Record::Sent { .. })) {
            return Err(io::Error::other("a record of a key in the wrong order").into());
        }
        self.write_together(std::slice::from_ref(record))
    }

    /// Writes the records by which a command of another device stands here, all of them or none:
    /// half of them would say something else of its paper or its cash.
    ///
    /// # Errors
    /// A [`JournalFault`]; then none of them is applied.
    pub fn adopt(&mut self, records: &[Record]) -> Result<(), JournalFault> {
        let key = records.first().and_then(Record::key);
        let is_of_one = records.iter().all(|record| record.key() == key);
        let begins = matches!(records.first(), Some(Record::Sent { .. }));
        if !is_of_one || key.is_none_or(|key| self.is_known(key) == begins) {
            return Err(io::Error::other("records of a key in the wrong order").into());
        }
        self.write_together(records)
    }

    fn write_together(&mut self, records: &[Record]) -> Result<(), JournalFault> {
        let mut rows: Vec<Row> = Vec::with_capacity(records.len());
        for record in records {
            let text = serde_json::to_string(record)?;
            let (before, after) = rows.last().map_or_else(
                || (&self.past.newest, self.past.rows + 1),
                |row| (&row.digest, row.sequence + 1),
            );
            rows.push(Row {
                sequence: after,
                digest: digest(before, &text),
                text,
            });
        }
        self.store.add(&rows)?;
        if let Some(last) = rows.pop() {
            self.past.rows = last.sequence;
            self.past.newest = last.digest;
        }
        for record in records {
            let _ = self.past.state.apply(record);
        }
        Ok(())
    }

    /// Whether a command stands here: one that was left may come back.
    fn is_known(&self, key: CommandKey) -> bool {
        self.item(key).is_some_and(|item| !item.is_left()) || self.is_settled(key)
    }

    /// True of a command that ended here and was taken out, and that another may still name.
    pub fn is_settled(&self, key: CommandKey) -> bool {
        self.past.state.settled.contains(&place(key))
    }

    /// The newest records, oldest of them first.
    ///
    /// # Errors
    /// A [`JournalFault`].
    pub fn newest_records(&mut self, count: u32) -> Result<Vec<Record>, JournalFault> {
        let rows = self.store.newest_rows(count)?;
        rows.iter()
            .map(|row| Ok(serde_json::from_str(&row.text)?))
            .collect()
    }

    /// The next key of a session: one above the highest that was ever sent in it.
    pub fn next_key(&self, session: u64) -> CommandKey {
        CommandKey {
            session,
            counter: self.past.state.highest(session) + 1,
        }
    }

    /// A command by its key.
    pub fn item(&self, key: CommandKey) -> Option<&Item> {
        self.past.state.items.get(&place(key))
    }

    /// Commands for which something is left to do, oldest first.
    pub fn open_items(&self) -> Vec<Item> {
        self.past
            .state
            .items
            .values()
            .filter(|item| item.is_open())
            .cloned()
            .collect()
    }

    /// Commands that were open when this device was handed over the last time, oldest first: they
    /// are done at the neighbour.
    pub fn left_items(&self) -> Vec<Item> {
        self.past
            .state
            .items
            .values()
            .filter(|item| self.past.state.is_left_last(item))
            .cloned()
            .collect()
    }

    /// Commands in doubt that were put aside.
    pub fn parked(&self) -> usize {
        let is_parked = |item: &&Item| item.stage() == Stage::Parked;
        self.past.state.items.values().filter(is_parked).count()
    }

    /// The command that was sent last; none when it was taken out.
    pub fn newest(&self) -> Option<&Item> {
        self.past.state.newest_key.and_then(|key| self.item(key))
    }

    /// How many commands were ever sent, those that were taken out too.
    pub fn len(&self) -> usize {
        let taken_out = usize::try_from(self.past.state.taken_out).unwrap_or(usize::MAX);
        taken_out.saturating_add(self.past.state.items.len())
    }

    /// True before the first command.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

fn private_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}
