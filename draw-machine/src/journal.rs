//! An append-only journal of records that, once acknowledged, are never lost or altered
//! unnoticed.
//!
//! A record is: length of the payload (u32, big-endian) ‖ payload ‖ check, followed by a mark
//! of 16 bytes. The check is SHA-256 over a tag, the check of the record before, and the
//! payload with its length, so that records can be neither altered, nor left out, nor moved.
//! The first record names what the journal is of.
//!
//! Appending writes length, payload and check, syncs, writes the mark, syncs, and only then
//! returns. So a mark says "this record was durable before its caller heard of it", which tells
//! a torn tail (a crash during the last append, never acknowledged: dropped on opening) from
//! damage to an acknowledged record (refused: the journal is not opened at all).
//!
//! After any failure to write or sync nothing is known of the tail: the journal answers no
//! more until it is opened again.
//!
//! What it does not see is an older copy of the whole file put in its place. The commitments
//! in the game log show that: a draw would get another commitment than the published one.

use std::io;

use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use crate::bytes::put;
use crate::medium::Medium;

/// Domain tag of the checks.
const CHECK_TAG: &str = "boulier/journal/v1";
/// Follows each durable record.
const MARK: &[u8; 16] = b"\xffBOULIER-SYNCED\n";
const LENGTH_BYTES: usize = 4;
const CHECK_BYTES: usize = 32;
/// Longest payload: a record of a draw is a few hundred bytes.
const PAYLOAD_BYTES_MAX: usize = 64 * 1024;

/// Why a journal cannot be used. Closed.
#[derive(Debug, thiserror::Error)]
pub enum JournalFault {
    /// The operating system refused.
    #[error("the journal cannot be read or written")]
    Io(#[from] io::Error),
    /// An acknowledged record is damaged.
    #[error("the journal is damaged at byte {offset}")]
    Damaged {
        /// First byte of the damaged record.
        offset: u64,
    },
    /// The journal belongs to another house, holder or machine.
    #[error("the journal is not of {expected:?}")]
    NotOurs {
        /// What it should be of.
        expected: String,
    },
    /// A record contradicts an earlier one, or is of an unknown kind.
    #[error("record {record} of the journal contradicts what comes before it")]
    Contradiction {
        /// Number of the record, from 1.
        record: usize,
    },
    /// A record that an earlier version wrote, and this one does not know.
    #[error(
        "record {record} of the journal is of a secret in escrow, which this version does not know: \
         hold the secrets of its draws with the version that wrote it"
    )]
    InEscrow {
        /// Number of the record, from 1.
        record: usize,
    },
    /// An earlier failure left the end of the journal unknown.
    #[error("the journal failed earlier and must be opened again")]
    Failed,
    /// The record is longer than a journal takes.
    #[error("a record of {length} bytes is too long for the journal")]
    TooLong {
        /// Bytes of the payload.
        length: usize,
    },
}

impl JournalFault {
    /// Stable name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Io(_) => "journal_io",
            Self::Damaged { .. } => "journal_damaged",
            Self::NotOurs { .. } => "journal_not_ours",
            Self::Contradiction { .. } => "journal_contradiction",
            Self::InEscrow { .. } => "journal_in_escrow",
            Self::Failed => "journal_failed",
            Self::TooLong { .. } => "journal_too_long",
        }
    }
}

/// Where the payload of a record lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    offset: u64,
    length: usize,
}

/// A payload with the place where it can be read again.
pub type Placed = (Place, Zeroizing<Vec<u8>>);

/// An open journal.
pub struct Journal {
    medium: Box<dyn Medium>,
    length: u64,
    last_check: [u8; 32],
    failed: bool,
}

impl std::fmt::Debug for Journal {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Journal")
            .field("length", &self.length)
            .field("failed", &self.failed)
            .finish_non_exhaustive()
    }
}

impl Journal {
    /// Opens the journal of `subject` on `medium` and gives its records in order. An empty
    /// medium becomes a new journal; a torn tail is dropped.
    ///
    /// # Errors
    /// [`JournalFault::Damaged`], [`JournalFault::NotOurs`] or [`JournalFault::Io`].
    pub fn open(
        mut medium: Box<dyn Medium>,
        subject: &[u8],
    ) -> Result<(Self, Vec<Placed>), JournalFault> {
        let bytes = medium.read_all()?;
        let scan = scan(&bytes)?;
        let mut journal = Self {
            medium,
            length: 0,
            last_check: scan.last_check,
            failed: false,
        };
        // What follows the last whole record, or its torn mark, was never acknowledged.
        if scan.keep < bytes.len() {
            journal.medium.cut(scan.keep as u64)?;
        }
        journal.length = scan.keep as u64;
        // A crash may have left bytes that were read here from the cache and are not durable.
        journal.medium.sync()?;
        if scan.mark_missing {
            journal.append_mark()?;
        }
        let mut records = scan.records.into_iter();
        match records.next() {
            None => {
                journal.append(subject)?;
            }
            Some((_, found)) if found.as_slice() == subject => {}
            Some(_) => {
                return Err(JournalFault::NotOurs {
                    expected: String::from_utf8_lossy(subject).into_owned(),
                });
            }
        }
        Ok((journal, records.collect()))
    }

    /// Appends a record; when this returns, it would survive a power cut.
    ///
    /// # Errors
    /// [`JournalFault`]; after [`JournalFault::Io`] the journal answers no more.
    pub fn append(&mut self, payload: &[u8]) -> Result<Place, JournalFault> {
        if self.failed {
            return Err(JournalFault::Failed);
        }
        if payload.len() > PAYLOAD_BYTES_MAX {
            return Err(JournalFault::TooLong {
                length: payload.len(),
            });
        }
        let check = check(&self.last_check, payload);
        let size = LENGTH_BYTES + payload.len() + CHECK_BYTES;
        let mut record = Zeroizing::new(Vec::with_capacity(size));
        put(&mut record, payload);
        record.extend_from_slice(&check);
        self.failed = true;
        self.medium.append(&record)?;
        self.medium.sync()?;
        self.failed = false;
        let place = Place {
            offset: self.length + LENGTH_BYTES as u64,
            length: payload.len(),
        };
        self.length += size as u64;
        self.last_check = check;
        self.append_mark()?;
        Ok(place)
    }

    /// Reads the payload of a record again.
    ///
    /// # Errors
    /// [`JournalFault::Io`] or [`JournalFault::Failed`].
    pub fn read(&mut self, place: Place) -> Result<Zeroizing<Vec<u8>>, JournalFault> {
        if self.failed {
            return Err(JournalFault::Failed);
        }
        let mut payload = Zeroizing::new(vec![0; place.length]);
        self.medium.read_at(place.offset, &mut payload)?;
        Ok(payload)
    }

    fn append_mark(&mut self) -> Result<(), JournalFault> {
        self.failed = true;
        self.medium.append(MARK)?;
        self.medium.sync()?;
        self.failed = false;
        self.length += MARK.len() as u64;
        Ok(())
    }
}

/// What a journal's bytes hold.
struct Scan {
    records: Vec<Placed>,
    /// Bytes to keep: up to the end of the last whole record and of its mark if whole.
    keep: usize,
    /// The last whole record has no whole mark.
    mark_missing: bool,
    last_check: [u8; 32],
}

fn scan(bytes: &[u8]) -> Result<Scan, JournalFault> {
    let mut scan = Scan {
        records: Vec::new(),
        keep: 0,
        mark_missing: false,
        last_check: [0; 32],
    };
    loop {
        let rest = bytes.get(scan.keep..).unwrap_or_default();
        let damaged = JournalFault::Damaged {
            offset: scan.keep as u64,
        };
        let Some(payload) = whole_record(rest, &scan.last_check) else {
            // A mark anywhere in what cannot be read tells of an acknowledged record.
            if rest.windows(MARK.len()).any(|window| window == MARK) {
                return Err(damaged);
            }
            return Ok(scan);
        };
        let record_size = LENGTH_BYTES + payload.len() + CHECK_BYTES;
        scan.last_check = check(&scan.last_check, payload);
        scan.records.push((
            Place {
                offset: (scan.keep + LENGTH_BYTES) as u64,
                length: payload.len(),
            },
            Zeroizing::new(payload.to_vec()),
        ));
        scan.keep += record_size;
        let after = rest.get(record_size..).unwrap_or_default();
        if after.starts_with(MARK) {
            scan.keep += MARK.len();
        } else if after.len() <= MARK.len() {
            scan.mark_missing = true;
            return Ok(scan);
        } else {
            return Err(damaged);
        }
    }
}

/// The payload of the record at the start of `rest`, if it is whole and its check is right.
fn whole_record<'a>(rest: &'a [u8], last_check: &[u8; 32]) -> Option<&'a [u8]> {
    let (length, rest) = rest.split_first_chunk::<LENGTH_BYTES>()?;
    let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
    let (payload, rest) = rest.split_at_checked(length)?;
    let (found, _) = rest.split_first_chunk::<CHECK_BYTES>()?;
    (length <= PAYLOAD_BYTES_MAX && *found == check(last_check, payload)).then_some(payload)
}

fn check(last_check: &[u8; 32], payload: &[u8]) -> [u8; 32] {
    let mut input = Zeroizing::new(Vec::with_capacity(payload.len() + 128));
    put(&mut input, CHECK_TAG.as_bytes());
    put(&mut input, last_check);
    put(&mut input, payload);
    Sha256::digest(input.as_slice()).into()
}

#[cfg(test)]
#[path = "journal_tests.rs"]
mod tests;
