//! The terminal's own journal: what was sent, what came of it, what was printed.
//!
//! One file, append only, one line a record, each synced before what it announces is done:
//!
//! ```text
//! <16 hexadecimal digits> <JSON>\n
//! ```
//!
//! The digits are the first 8 bytes of SHA-256(the digits of the line before ‖ the JSON), so
//! that a line that was changed, moved or taken out is noticed. A last line without its end is
//! a write that a power cut stopped: nothing was done on its account, and it is dropped. A
//! whole line that does not agree stops the terminal: its past is doubtful.
//!
//! Neither a claim code nor a PIN is ever written here.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use keno_wire::request::CommandKey;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use thiserror::Error;

/// What kind of command a key is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommandKind {
    /// A sale.
    Sale,
    /// A cancellation.
    Cancellation,
    /// A payment.
    Payment,
    /// A fill or a drop of the till.
    TillMovement,
}

/// What became of a command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "outcome")]
pub enum Outcome {
    /// It is in central's record.
    Recorded {
        /// Leaf index of the fact.
        leaf: u64,
    },
    /// Central refused it by that name.
    Refused {
        /// Stable name.
        name: String,
    },
    /// It never left this machine.
    NotSent,
    /// Its key is closed at central: it can never be recorded.
    Closed,
}

/// What became of the paper.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "paper")]
pub enum PaperState {
    /// Its bytes are about to leave for the printer.
    Started,
    /// It came out whole: `printer` or `clerk` says so.
    Printed {
        /// Who says so.
        how: String,
    },
    /// Nobody knows.
    Unknown,
    /// The printer failed, after so many bytes.
    Failed {
        /// Name of the trouble.
        fault: String,
        /// Bytes sent; 0 means that there is no paper.
        sent: u64,
    },
    /// It will not be printed from here: a supervisor makes a duplicate.
    Given,
}

/// One record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "record")]
pub enum Record {
    /// A command is about to be sent.
    Sent {
        /// Its key.
        key: CommandKey,
        /// Its kind.
        kind: CommandKind,
        /// What it is about, without secrets.
        request: serde_json::Value,
        /// Price, refund or prize in cents, as it was told.
        total_cents: i64,
        /// What the patron handed over, in cents.
        received_cents: i64,
    },
    /// What became of a command.
    Outcome {
        /// Its key.
        key: CommandKey,
        /// What became of it.
        #[serde(flatten)]
        outcome: Outcome,
    },
    /// What became of its paper.
    Paper {
        /// Its key.
        key: CommandKey,
        /// What became of it.
        #[serde(flatten)]
        state: PaperState,
    },
    /// Central knows that the paper came out.
    Reported {
        /// Its key.
        key: CommandKey,
    },
}

/// A command as the journal knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Its key.
    pub key: CommandKey,
    /// Its kind.
    pub kind: CommandKind,
    /// Price, refund or prize in cents.
    pub total_cents: i64,
    /// What the patron handed over, in cents.
    pub received_cents: i64,
    /// What became of it; none while in doubt.
    pub outcome: Option<Outcome>,
    /// What became of its paper; none when no byte of it was sent.
    pub paper: Option<PaperState>,
    /// Central knows that the paper came out.
    pub is_reported: bool,
}

impl Item {
    /// True when something is left to do for it.
    pub const fn is_open(&self) -> bool {
        match (&self.outcome, &self.paper) {
            (None, _) => true,
            (Some(Outcome::Recorded { .. }), Some(PaperState::Printed { .. })) => {
                matches!(self.kind, CommandKind::Sale) && !self.is_reported
            }
            (Some(Outcome::Recorded { .. }), Some(PaperState::Given)) => false,
            (Some(Outcome::Recorded { .. }), _) => true,
            (Some(_), _) => false,
        }
    }
}

/// A journal that cannot be used.
#[derive(Debug, Error)]
pub enum JournalFault {
    /// The disk failed.
    #[error("the journal cannot be read or written")]
    Disk(#[from] io::Error),
    /// Another program of this terminal is at work.
    #[error("another command of this terminal is at work")]
    Busy,
    /// A whole line does not agree with its checksum, or is no record.
    #[error("line {line} of the journal was damaged or changed")]
    Damaged {
        /// From 1.
        line: usize,
    },
    /// A record could not be written as JSON.
    #[error("a record cannot be written")]
    Encode(#[from] serde_json::Error),
}

/// The journal, open and locked.
pub struct Journal {
    file: File,
    /// Digits of the newest line.
    newest: String,
    items: BTreeMap<(u64, u64), Item>,
}

const DIGITS: usize = 16;

fn digits(before: &str, json: &str) -> String {
    let mut hash = Sha256::new();
    hash.update(before.as_bytes());
    hash.update(json.as_bytes());
    hex::encode(hash.finalize().get(..DIGITS / 2).unwrap_or_default())
}

impl Journal {
    /// Opens the journal of a folder, making both when they are not there.
    ///
    /// # Errors
    /// A [`JournalFault`].
    pub fn open(folder: &Path) -> Result<Self, JournalFault> {
        make_folder(folder)?;
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(folder.join("journal"))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(std::fs::TryLockError::WouldBlock) => return Err(JournalFault::Busy),
            Err(std::fs::TryLockError::Error(error)) => return Err(error.into()),
        }
        // The name of a new file must last as long as what is written in it.
        File::open(folder)?.sync_all()?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let whole = bytes
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |end| end + 1);
        if whole < bytes.len() {
            file.set_len(whole as u64)?;
            file.sync_all()?;
        }
        file.seek(SeekFrom::End(0))?;
        let mut journal = Self {
            file,
            newest: String::new(),
            items: BTreeMap::new(),
        };
        bytes.truncate(whole);
        for (position, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
            journal
                .replay(line)
                .ok_or(JournalFault::Damaged { line: position + 1 })?;
        }
        Ok(journal)
    }

    fn replay(&mut self, line: &[u8]) -> Option<()> {
        let text = std::str::from_utf8(line).ok()?.strip_suffix('\n')?;
        let (own, json) = text.split_once(' ')?;
        if own != digits(&self.newest, json) {
            return None;
        }
        let record: Record = serde_json::from_str(json).ok()?;
        self.apply(&record)?;
        own.clone_into(&mut self.newest);
        Some(())
    }

    /// Carries a record into the state; none when it speaks of a key that was never sent.
    fn apply(&mut self, record: &Record) -> Option<()> {
        let place = |key: &CommandKey| (key.session, key.counter);
        match record {
            Record::Sent {
                key,
                kind,
                total_cents,
                received_cents,
                ..
            } => {
                let item = Item {
                    key: *key,
                    kind: *kind,
                    total_cents: *total_cents,
                    received_cents: *received_cents,
                    outcome: None,
                    paper: None,
                    is_reported: false,
                };
                self.items.insert(place(key), item).is_none().then_some(())
            }
            Record::Outcome { key, outcome } => {
                self.items.get_mut(&place(key))?.outcome = Some(outcome.clone());
                Some(())
            }
            Record::Paper { key, state } => {
                self.items.get_mut(&place(key))?.paper = Some(state.clone());
                Some(())
            }
            Record::Reported { key } => {
                self.items.get_mut(&place(key))?.is_reported = true;
                Some(())
            }
        }
    }

    /// Writes a record and syncs it; when this returns, it is kept.
    ///
    /// # Errors
    /// A [`JournalFault`]; the record may or may not be kept, and what it announces must not
    /// be done.
    pub fn write(&mut self, record: &Record) -> Result<(), JournalFault> {
        let json = serde_json::to_string(record)?;
        let own = digits(&self.newest, &json);
        self.file.write_all(format!("{own} {json}\n").as_bytes())?;
        self.file.sync_data()?;
        self.newest = own;
        self.apply(record)
            .ok_or_else(|| io::Error::other("a record of a key that was never sent"))?;
        Ok(())
    }

    /// The next key of a session: one above the highest that was ever sent in it.
    pub fn next_key(&self, session: u64) -> CommandKey {
        let highest = self
            .items
            .range((session, 0)..=(session, u64::MAX))
            .next_back()
            .map_or(0, |((_, counter), _)| *counter);
        CommandKey {
            session,
            counter: highest + 1,
        }
    }

    /// A command by its key.
    pub fn item(&self, key: CommandKey) -> Option<&Item> {
        self.items.get(&(key.session, key.counter))
    }

    /// Commands for which something is left to do, oldest first.
    pub fn open_items(&self) -> Vec<Item> {
        self.items
            .values()
            .filter(|item| item.is_open())
            .cloned()
            .collect()
    }

    /// How many commands were ever sent.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// True before the first command.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(counter: u64) -> CommandKey {
        CommandKey {
            session: 3,
            counter,
        }
    }

    fn sent(counter: u64) -> Record {
        Record::Sent {
            key: key(counter),
            kind: CommandKind::Sale,
            request: serde_json::json!({"draws": 5}),
            total_cents: 2_500,
            received_cents: 4_000,
        }
    }

    fn records() -> Vec<Record> {
        vec![
            sent(1),
            Record::Outcome {
                key: key(1),
                outcome: Outcome::Recorded { leaf: 77 },
            },
            Record::Paper {
                key: key(1),
                state: PaperState::Started,
            },
            Record::Paper {
                key: key(1),
                state: PaperState::Printed {
                    how: "printer".to_owned(),
                },
            },
            Record::Reported { key: key(1) },
            sent(2),
            Record::Outcome {
                key: key(2),
                outcome: Outcome::Refused {
                    name: "draw_closed".to_owned(),
                },
            },
            sent(3),
        ]
    }

    #[test]
    fn open_items_and_the_next_key_survive_reopening() {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = Journal::open(folder.path()).unwrap();
        assert_eq!(journal.next_key(3), key(1));
        for record in records() {
            journal.write(&record).unwrap();
        }
        drop(journal);
        let journal = Journal::open(folder.path()).unwrap();
        let open: Vec<u64> = journal
            .open_items()
            .iter()
            .map(|item| item.key.counter)
            .collect();
        assert_eq!(open, [3]);
        assert_eq!(journal.next_key(3), key(4));
        assert_eq!(
            journal.next_key(4),
            CommandKey {
                session: 4,
                counter: 1
            }
        );
    }

    #[test]
    fn truncated_at_any_byte_no_synced_record_is_lost() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let mut journal = Journal::open(folder.path()).unwrap();
        // How long the file was when each record was synced.
        let mut ends = Vec::new();
        for record in records() {
            journal.write(&record).unwrap();
            ends.push(std::fs::metadata(&path).unwrap().len() as usize);
        }
        drop(journal);
        let bytes = std::fs::read(&path).unwrap();
        for length in 0..=bytes.len() {
            std::fs::write(&path, &bytes[..length]).unwrap();
            let synced = ends.iter().filter(|&&end| end <= length).count();
            let journal = Journal::open(folder.path()).unwrap();
            let other = tempfile::tempdir().unwrap();
            let mut model = Journal::open(other.path()).unwrap();
            for record in records().iter().take(synced) {
                model.write(record).unwrap();
            }
            assert_eq!(journal.items, model.items, "cut at {length}");
            drop(journal);
            // And it goes on from there.
            let mut journal = Journal::open(folder.path()).unwrap();
            journal.write(&sent(9)).unwrap();
            drop(journal);
            assert_eq!(Journal::open(folder.path()).unwrap().next_key(3), key(10));
        }
    }

    #[test]
    fn a_changed_line_stops_the_terminal() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let mut journal = Journal::open(folder.path()).unwrap();
        for record in records() {
            journal.write(&record).unwrap();
        }
        drop(journal);
        let whole = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = whole.lines().collect();
        let open = |lines: &[&str]| {
            std::fs::write(&path, lines.join("\n") + "\n").unwrap();
            match Journal::open(folder.path()) {
                Err(JournalFault::Damaged { line }) => Some(line),
                Ok(_) => None,
                Err(other) => panic!("{other}"),
            }
        };
        assert_eq!(open(&lines), None);
        let mut changed = lines.clone();
        let other = lines[0].replace("2500", "2600");
        changed[0] = &other;
        assert_eq!(open(&changed), Some(1));
        let mut without = lines.clone();
        without.remove(3);
        assert_eq!(open(&without), Some(4));
        let mut swapped = lines.clone();
        swapped.swap(5, 6);
        assert_eq!(open(&swapped), Some(6));
    }

    #[test]
    fn one_command_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let _first = Journal::open(folder.path()).unwrap();
        assert!(matches!(
            Journal::open(folder.path()),
            Err(JournalFault::Busy)
        ));
    }
}
