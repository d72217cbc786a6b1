//! An exported log, from its first byte to its signed checkpoint.
//!
//! Bytes are judged before meaning, entry by entry. A fault in the bytes ends the reading: what
//! comes after it is not what was signed. A fault in the meaning does not: the entry is named
//! and the reading goes on, so that one look shows how far the damage reaches.

use std::io::{self, Read};
use std::sync::mpsc::sync_channel;
use std::thread;

use keno_log::checkpoint::{self, Checkpoint, NoteFault, VerifyingKey};
use keno_log::epoch::epoch_of;
use keno_log::export::{ExportRecord, ExportedEntry};
use keno_log::hash::leaf_hash;
use keno_log::leaf::Leaf;
use keno_log::{DecodeFault, Event, Hash, RetiredKind};
use keno_words::{audit, both};

use crate::finding::{Finding, FindingCode};
use crate::replay::{Options, Replay, code_of, printable};
use crate::stream::{Records, StreamFault};

/// Bytes that are handed over at a time, or one record with more.
const HANDED_OVER: usize = 64 * 1024;

/// What is known from outside the export.
#[derive(Debug, Clone, Copy, Default)]
pub struct Outside<'a> {
    /// A signed checkpoint that was kept elsewhere: on paper, by a witness.
    pub checkpoint: Option<&'a str>,
    /// The verifier key that the house published.
    pub key: Option<&'a str>,
}

/// What came of the reading.
#[derive(Debug)]
pub struct Outcome {
    /// What is wrong, by entry; first what is wrong first.
    pub findings: Vec<Finding>,
    /// The facts.
    pub replay: Replay,
    /// The exporter's checkpoint, if its signature holds.
    pub checkpoint: Option<Checkpoint>,
    /// Size of the outside checkpoint, if it was given and its signature holds.
    pub outside_size: Option<u64>,
    /// The epoch whose opening admits that the outside checkpoint's state was lost.
    pub outside_lost_in: Option<u32>,
}

impl Outcome {
    /// Whether nothing is wrong.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.findings.is_empty()
    }

    /// Whether the file is of another format: nothing in it was judged, and nobody is accused.
    #[must_use]
    pub fn is_other_format(&self) -> bool {
        let of_format = |finding: &Finding| finding.code == FindingCode::ExportFormat;
        self.findings.iter().any(of_format)
    }
}

/// What a record is by its bytes alone.
#[expect(clippy::large_enum_variant, reason = "nearly all are entries")]
enum Told {
    Entry(Leaf, Event),
    Wrong(Finding),
    End(String),
}

fn told(record: ExportRecord) -> Told {
    let exported = match record {
        ExportRecord::Entry(exported) => exported,
        ExportRecord::End(text) => return Told::End(text),
    };
    match read_entry(&exported) {
        Ok((leaf, event)) => Told::Entry(leaf, event),
        Err((code, detail)) => {
            // What the bytes claim to be, whether or not they are to be believed.
            let claimed = Leaf::from_bytes(&exported.leaf_bytes).ok();
            Told::Wrong(Finding {
                entry: None,
                kind: claimed.map(|leaf| leaf.header.kind),
                code,
                detail,
            })
        }
    }
}

/// Reads an export to its end and judges it: its bytes on one thread, their meaning on this one.
///
/// # Errors
/// Only when the bytes cannot be read from `export`; whatever they are, they are judged.
pub fn verify(
    export: impl Read + Send,
    outside: Outside<'_>,
    options: Options,
) -> io::Result<Outcome> {
    let mut reading = Reading {
        outside,
        replay: Replay::new(options),
        of_bytes: Vec::new(),
        key: None,
        outside_checkpoint: None,
        root_at_outside: None,
        outside_lost_in: None,
        checkpoint: None,
    };
    let mut records = match Records::new(export) {
        Ok(records) => records,
        Err(StreamFault::Io(fault)) => return Err(fault),
        Err(StreamFault::Framing(detail)) => {
            reading.find(None, FindingCode::Framing, detail);
            return Ok(reading.outcome());
        }
        Err(StreamFault::OtherFormat(format)) => {
            let detail = format!("format {format}");
            reading.find(None, FindingCode::ExportFormat, &detail);
            return Ok(reading.outcome());
        }
    };
    thread::scope(|scope| {
        let (hand, handed) = sync_channel(2);
        scope.spawn(move || {
            loop {
                let (mut some, mut bytes) = (Vec::new(), 0);
                while bytes < HANDED_OVER
                    && let Some(record) = records.next()
                {
                    if let Ok(ExportRecord::Entry(exported)) = &record {
                        bytes += exported.leaf_bytes.len() + exported.body.len();
                    }
                    some.push(record.map(told));
                }
                // Whoever judges may have seen enough.
                if some.is_empty() || hand.send(some).is_err() {
                    break;
                }
            }
        });
        for record in handed.into_iter().flatten() {
            match record {
                Ok(Told::Entry(leaf, event)) => reading.entry(&leaf, event),
                Ok(Told::Wrong(finding)) => {
                    reading.of_bytes.push(Finding {
                        entry: Some(reading.replay.size()),
                        ..finding
                    });
                    break;
                }
                Ok(Told::End(text)) => reading.end(&text),
                Err(StreamFault::Io(fault)) => return Err(fault),
                Err(StreamFault::Framing(detail)) => {
                    let place = reading.replay.size();
                    reading.find(Some(place), FindingCode::Framing, detail);
                }
                // Said at the first byte and never later.
                Err(StreamFault::OtherFormat(_)) => break,
            }
        }
        Ok(reading.outcome())
    })
}

/// The leaf of an exported record and what it says, if its bytes agree with each other.
///
/// # Errors
/// The first thing that is wrong with the bytes.
pub fn read_entry(exported: &ExportedEntry) -> Result<(Leaf, Event), (FindingCode, String)> {
    if leaf_hash(&exported.leaf_bytes) != exported.leaf_hash {
        return Err((FindingCode::LeafHashWrong, String::new()));
    }
    let entry = exported.entry().map_err(|fault| match fault {
        DecodeFault::Retired { number, .. } => (FindingCode::KindRetired, retired(number)),
        fault => (FindingCode::LeafUnreadable, fault.to_string()),
    })?;
    match entry.event() {
        Ok(event) => Ok((entry.leaf, event)),
        Err(fault) => Err((code_of(&fault), String::new())),
    }
}

keno_words::says!(Was of RetiredKind: retired {
    SecretEscrowed,
});

/// What a kind was that an earlier version recorded.
fn retired(kind: u8) -> String {
    let was = RetiredKind::from_number(kind);
    let what = was.as_ref().map(Was);
    both(&audit::KindRetired {
        kind: &kind,
        what: &what,
    })
}

struct Reading<'a> {
    outside: Outside<'a>,
    replay: Replay,
    of_bytes: Vec<Finding>,
    key: Option<VerifyingKey>,
    outside_checkpoint: Option<Checkpoint>,
    root_at_outside: Option<Hash>,
    outside_lost_in: Option<u32>,
    checkpoint: Option<Checkpoint>,
}

/// The epoch that an origin of this house is of.
fn epoch_of_origin(house: &str, origin: &str) -> Option<u32> {
    epoch_of(origin, &format!("boulier/{house}"))
}

impl Reading<'_> {
    /// Judges what an entry says.
    fn entry(&mut self, leaf: &Leaf, event: Event) {
        self.replay.push_read(leaf, Ok(event));
        if self.replay.size() == 1 {
            self.open();
        }
        if let Some(outside) = &self.outside_checkpoint
            && outside.size == self.replay.size()
        {
            self.root_at_outside = Some(self.replay.root());
        }
    }

    /// What leaf 0 lets us read: the key, and with it the outside checkpoint.
    fn open(&mut self) {
        let Some(house) = self.replay.house().cloned() else {
            return;
        };
        let key = VerifyingKey::parse(&house.log_key);
        if let Err(fault) = &key {
            self.find(Some(0), FindingCode::LogKeyUnreadable, &fault.to_string());
        }
        let differs = |text: &str| text.trim() != house.log_key;
        if self.outside.key.is_some_and(differs) {
            self.find(Some(0), FindingCode::KeyDiffers, "");
        }
        let Ok(key) = key else {
            return;
        };
        if let Some(text) = self.outside.checkpoint {
            self.outside_checkpoint = self.signed(text, &house.house, &key, "outside checkpoint");
        }
        self.key = Some(key);
    }

    fn signed(
        &mut self,
        text: &str,
        house: &str,
        key: &VerifyingKey,
        which: &str,
    ) -> Option<Checkpoint> {
        let found = match checkpoint::open(text, key) {
            Ok(found) => found,
            Err(fault) => {
                self.find_note(which, fault);
                return None;
            }
        };
        if epoch_of_origin(house, &found.origin).is_none() {
            let detail = format!("{which}: {}", found.origin);
            self.find(None, FindingCode::CheckpointOrigin, &detail);
            return None;
        }
        Some(found)
    }

    fn find_note(&mut self, which: &str, fault: NoteFault) {
        let detail = format!("{which}: {fault}");
        self.find(None, FindingCode::CheckpointUnsigned, &detail);
    }

    /// The end of the export: its own checkpoint, then the one from outside.
    fn end(&mut self, text: &str) {
        let Some(house) = self.replay.house().map(|house| house.house.clone()) else {
            self.find(Some(0), FindingCode::HouseNotFirst, "");
            return;
        };
        let Some(key) = self.key.clone() else {
            return;
        };
        if let Some(found) = self.signed(text, &house, &key, "checkpoint") {
            if epoch_of_origin(&house, &found.origin) != Some(self.replay.epoch()) {
                let detail = format!("checkpoint: {}", found.origin);
                self.find(None, FindingCode::CheckpointOrigin, &detail);
            } else if found.size != self.replay.size() {
                let detail = format!("{} for {}", found.size, self.replay.size());
                self.find(None, FindingCode::CheckpointSize, &detail);
            } else if found.root != self.replay.root() {
                self.find(None, FindingCode::CheckpointRoot, "");
            }
            self.checkpoint = Some(found);
        }
        self.judge_outside(&house);
    }

    fn judge_outside(&mut self, house: &str) {
        let Some(outside) = self.outside_checkpoint.clone() else {
            return;
        };
        let epoch = epoch_of_origin(house, &outside.origin).unwrap_or(0);
        if epoch > self.replay.epoch() {
            let detail = format!("outside checkpoint: {}", outside.origin);
            self.find(None, FindingCode::CheckpointOrigin, &detail);
        }
        // What ended the epoch of the checkpoint, if it has ended.
        let mut epochs = self.replay.epochs().iter();
        let next = epochs.find(|next| next.epoch > epoch);
        if let Some(next) = next
            && outside.size > next.continues_size
        {
            let known = (outside.size, outside.root);
            let is_admitted =
                next.lost_size > outside.size || (next.lost_size, next.lost_root) == known;
            let (detail, lost_in) = (
                format!("{} of {}", outside.size, next.lost_size),
                next.epoch,
            );
            if is_admitted {
                self.outside_lost_in = Some(lost_in);
            } else {
                self.find(None, FindingCode::OutsideLost, &detail);
            }
        } else if outside.size > self.replay.size() {
            let detail = format!("{} of {}", self.replay.size(), outside.size);
            self.find(None, FindingCode::ExportShort, &detail);
        } else if outside.size > 0 && self.root_at_outside != Some(outside.root) {
            let detail = format!("size {}", outside.size);
            self.find(None, FindingCode::OutsideRoot, &detail);
        }
    }

    fn find(&mut self, entry: Option<u64>, code: FindingCode, detail: &str) {
        self.of_bytes.push(Finding {
            entry,
            kind: None,
            code,
            detail: printable(detail),
        });
    }

    fn outcome(self) -> Outcome {
        let mut findings = self.replay.findings().to_vec();
        findings.extend(self.of_bytes);
        // Stable: of what is wrong with one entry, the first found stays first.
        findings.sort_by_key(|finding| finding.entry.unwrap_or(u64::MAX));
        Outcome {
            findings,
            replay: self.replay,
            checkpoint: self.checkpoint,
            outside_size: self.outside_checkpoint.map(|it| it.size),
            outside_lost_in: self.outside_lost_in,
        }
    }
}
