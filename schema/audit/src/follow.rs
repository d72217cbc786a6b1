//! Following a log: a copy of its own, every entry judged as it comes, and for each finished draw a
//! signed word whether the record agrees with what was computed here.
//!
//! Nothing is taken that the log's key has not signed for, nothing that does not go on from what is
//! on the disk already, and nothing is said of an entry before it is on the disk.

pub mod copy;
mod settings;

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use keno_line::HostKey;
use keno_line::follow::{Answer, Ask, DRAWS_MAX, More, OfDraw};
use keno_line::frame::Hex32;
use keno_line::server::{Part, Refused};
use keno_log::checkpoint::cosignature::cosign;
use keno_log::checkpoint::{self, Note, VerifyingKey};
use keno_log::epoch::epoch_of;
use keno_log::export::{ExportReader, ExportRecord, put_magic};
use keno_log::follower::{Said, beginning};
use keno_log::proof::verify_consistency;
use keno_log::{Event, Hash, Leaf};

pub use settings::Settings;

use crate::finding::Finding;
use crate::replay::{FINDINGS_MAX, Options, Replay};
use crate::verify::read_entry;
use copy::{Copy, CopyFault};

/// The follower's clock, seconds since 1970.
pub type Clock = Arc<dyn Fn() -> u64 + Send + Sync>;

/// Why the follower refuses what it is handed.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// The entries do not begin where the copy ends.
    #[error("the copy has {own} entries, and these begin at {from}")]
    OtherSize {
        /// Entries of the copy.
        own: u64,
        /// Where these begin.
        from: u64,
    },
    /// The checkpoint is not the log's.
    #[error("the checkpoint is not signed by the log")]
    Unsigned,
    /// The checkpoint is of another house.
    #[error("the checkpoint is of {0}")]
    OtherLog(String),
    /// What is handed over cannot be read.
    #[error("{0} cannot be read")]
    Unreadable(&'static str),
    /// The bytes of an entry disagree with each other.
    #[error("{0}")]
    EntryWrong(Finding),
    /// The entries are not those that were signed, or those before them are not.
    #[error("these entries do not lead from the {own} that are kept to the checkpoint of {size}")]
    OtherPast {
        /// Entries of the copy.
        own: u64,
        /// Those of the checkpoint.
        size: u64,
    },
    /// The disk.
    #[error("the copy cannot be written")]
    Disk(#[source] io::Error),
}

impl Refusal {
    /// Stable name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::OtherSize { .. } => "other_size",
            Self::Unsigned => "unsigned",
            Self::OtherLog(_) => "other_log",
            Self::Unreadable(_) => "unreadable",
            Self::EntryWrong(_) => "entry_wrong",
            Self::OtherPast { .. } => "other_past",
            Self::Disk(_) => "disk",
        }
    }
}

/// A follower of one house's log.
pub struct Follower {
    house: String,
    key: HostKey,
    log: VerifyingKey,
    copy: Copy,
    replay: Replay,
    /// Findings that were counted against a draw by now.
    counted: usize,
    /// What is wrong first with each finished draw that waits; none where nothing is.
    judged: BTreeMap<u64, Option<Finding>>,
    clock: Clock,
}

impl std::fmt::Debug for Follower {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} of {}", self.replay.size(), self.house)
    }
}

impl Follower {
    /// The follower of `house` with its copy in `folder`, which is read and judged anew from its first
    /// entry; `log` signs its checkpoints, and `key` is the follower's own.
    ///
    /// # Errors
    /// [`CopyFault`]: the copy is not what was answered for.
    pub fn open(
        folder: &Path,
        house: &str,
        key: HostKey,
        log: VerifyingKey,
        clock: Clock,
    ) -> Result<Self, CopyFault> {
        let (copy, kept) = Copy::open(folder)?;
        let mut follower = Self {
            house: house.to_owned(),
            key,
            log,
            copy,
            replay: Replay::new(Options::default()),
            counted: 0,
            judged: BTreeMap::new(),
            clock,
        };
        let kept_state = *follower.copy.state();
        let bytes = kept.read(kept_state.size, |leaf, event| follower.take(&leaf, event))?;
        let read = (follower.replay.size(), follower.replay.root());
        if read != (kept_state.size, kept_state.root) {
            return Err(CopyFault::NotWhatWasKept {
                size: kept_state.size,
                own: follower.replay.size(),
            });
        }
        if let Some(opened) = follower.replay.house()
            && (opened.house != house || opened.log_key != follower.log.to_string())
        {
            return Err(CopyFault::OtherLog {
                house: opened.house.clone(),
                key: opened.log_key.clone(),
            });
        }
        // Only now: what is cut off was never answered for.
        follower.copy.cut_after(bytes)?;
        Ok(follower)
    }

    /// Entries that it has.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.replay.size()
    }

    /// What is wrong in the log so far.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        self.replay.findings()
    }

    /// Judges an entry, and what became of a draw with it.
    fn take(&mut self, leaf: &Leaf, event: Event) {
        let finished = match &event {
            Event::DrawSettled(body) => Some(body.draw),
            Event::DrawVoided(body) => Some(body.draw),
            _ => None,
        };
        let released = match &event {
            Event::DrawFollowed(body) => Some(body.draw),
            Event::PayoutsOpened(body) => Some(body.draw),
            _ => None,
        };
        self.replay.push_read(leaf, Ok(event));
        if let Some(draw) = released
            && self.replay.waits(draw).is_none()
        {
            self.judged.remove(&draw);
        }
        if let Some(draw) = finished
            && self.replay.waits(draw).is_some()
        {
            let findings = self.replay.findings();
            // Beyond so many nothing is judged any more.
            let first = match findings.len() >= FINDINGS_MAX {
                true => findings.last(),
                false => findings.get(self.counted),
            };
            self.judged.insert(draw, first.cloned());
            self.counted = findings.len();
        }
    }

    /// What it says of a draw; none of one that does not wait.
    fn of_draw(&self, draw: u64) -> Option<OfDraw> {
        let tree = self.replay.waits(draw)?;
        let finding = self.judged.get(&draw)?.as_ref();
        let said = Said {
            draw,
            tree,
            finding: finding.map_or("", |it| it.code.name()),
            entry: finding.and_then(|it| it.entry),
        };
        Some(OfDraw {
            draw,
            finding: said.finding.to_owned(),
            entry: said.entry,
            signature: self.key.sign(&said.text(&self.house, self.copy.began())),
        })
    }

    fn follow(&mut self, more: &More) -> Result<Answer, Refusal> {
        let own = self.replay.size();
        if more.from != own {
            let from = more.from;
            return Err(Refusal::OtherSize { own, from });
        }
        let Handed { bytes, entries } = Handed::read(more)?;
        let signed =
            checkpoint::open(&more.checkpoint, &self.log).map_err(|_| Refusal::Unsigned)?;
        let epoch = epoch_of(&signed.origin, &format!("boulier/{}", self.house));
        if epoch.is_none() {
            return Err(Refusal::OtherLog(signed.origin));
        }
        let mut edge = self.replay.edge().clone();
        for (leaf, _) in &entries {
            edge.append(leaf.hash());
        }
        let proof: Vec<Hash> = more.consistency.iter().map(|hash| hash.0).collect();
        let (size, root) = (edge.size(), edge.root());
        verify_consistency(size, signed.size, &root, &signed.root, &proof).map_err(|_| {
            let size = signed.size;
            Refusal::OtherPast { own, size }
        })?;
        if size == signed.size && epoch != Some(epoch_after(&entries, &self.replay)) {
            return Err(Refusal::OtherLog(signed.origin));
        }
        let appended = self.copy.append(&bytes, size, root);
        appended.map_err(Refusal::Disk)?;
        for (leaf, event) in entries {
            self.take(&leaf, event);
        }
        let cosignature = match size == signed.size {
            true => Some(self.cosign(&more.checkpoint)?),
            false => None,
        };
        let draws = more.draws.iter().take(DRAWS_MAX);
        Ok(Answer::Followed {
            size,
            cosignature,
            draws: draws.filter_map(|draw| self.of_draw(*draw)).collect(),
        })
    }

    /// Cosigns a checkpoint of what is kept, and keeps that it did.
    fn cosign(&self, note: &str) -> Result<String, Refusal> {
        let unreadable = |_| Refusal::Unreadable("the checkpoint");
        let mut note = Note::parse(note).map_err(unreadable)?;
        let line = cosign(note.text(), (self.clock)(), self.key.signing()).map_err(unreadable)?;
        let shown = line.to_string();
        note.add(line).map_err(unreadable)?;
        self.copy.keep_cosigned(&note).map_err(Refusal::Disk)?;
        Ok(shown)
    }
}

/// Entries that were handed over.
struct Handed {
    /// As they are kept.
    bytes: Vec<u8>,
    /// As they are read; the bytes of each agree with each other.
    entries: Vec<(Leaf, Event)>,
}

impl Handed {
    fn read(more: &More) -> Result<Self, Refusal> {
        let unreadable = || Refusal::Unreadable("the entries");
        let decoded = STANDARD.decode(&more.entries).map_err(|_| unreadable())?;
        let mut export = Vec::new();
        put_magic(&mut export);
        let begins = export.len();
        export.extend_from_slice(&decoded);
        let mut records = ExportReader::new(&export).map_err(|_| unreadable())?;
        let (mut left, mut entries) = (decoded.len(), Vec::new());
        while left > 0 {
            let Some(Ok(ExportRecord::Entry(exported))) = records.next() else {
                return Err(unreadable());
            };
            let entry = more.from + entries.len() as u64;
            entries.push(read_entry(&exported).map_err(|(code, detail)| {
                Refusal::EntryWrong(Finding {
                    entry: Some(entry),
                    kind: None,
                    code,
                    detail,
                })
            })?);
            left = left.saturating_sub(copy::length_of(&exported));
        }
        Ok(Self {
            bytes: export.split_off(begins),
            entries,
        })
    }
}

/// The epoch that the log is in after these entries.
fn epoch_after(entries: &[(Leaf, Event)], replay: &Replay) -> u32 {
    let opened = |(_, event): &(Leaf, Event)| match event {
        Event::EpochOpened(body) => Some(body.epoch),
        _ => None,
    };
    let last = entries.iter().rev().find_map(opened);
    last.unwrap_or_else(|| replay.epoch())
}

impl Part for Follower {
    type Ask = Ask;
    type Answer = Answer;

    fn answer(
        &mut self,
        ask: Ask,
        say: &mut dyn FnMut(Answer) -> io::Result<()>,
    ) -> io::Result<()> {
        let answer = match ask {
            Ask::State => Answer::State {
                size: self.replay.size(),
                began: Hex32(*self.copy.began()),
                signature: self.key.sign(&beginning(&self.house, self.copy.began())),
                findings: self.replay.findings().len(),
            },
            Ask::Follow(more) => match self.follow(&more) {
                Ok(answer) => answer,
                Err(refusal) => Refused::new(refusal.name(), refusal.to_string()).into(),
            },
        };
        say(answer)
    }
}
