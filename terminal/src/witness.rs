//! This device as a witness of central's log: it keeps the newest checkpoint that was proven to
//! go on from all before it, and refuses a central whose log does not.
//!
//! On first contact the log's first entry names the house and the key that signs its checkpoints;
//! from then on they are this device's own knowledge, in a synced file beside the journal. A
//! central that was set back and signs again, or signs with another key, or of another house, is
//! caught at the first checkpoint that does not go on from the kept one; the two notes are the
//! evidence, and the refusal outlives a restart until a person has looked. A house that was
//! honestly restored says so in its log (`FORMAT.md`, "Epochs"): that is believed once it is proven
//! that nothing this device saw is lost; else a person decides.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use keno_daemon::private::write_whole;
use keno_log::Event;
use keno_log::checkpoint::{self, Checkpoint, VerifyingKey};
use keno_log::epoch::{Continuity, EpochEvidence, consistent_or_new_epoch, epoch_of};
use keno_log::hash::Hash;
use keno_log::leaf::{Entry, Leaf};
use keno_log::proof::{verify_consistency, verify_inclusion};
use serde::{Deserialize, Serialize};
use thiserror::Error;

keno_game::named! {
    /// Why central's log is refused. Closed and ordered: the first that applies is told.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    Mistrust {
        /// The first entry is not that of a log of ours, or is not proven to be in it.
        NotOurLog "not_our_log",
        /// The checkpoint is not signed by the key that this device knows.
        OtherKey "other_key",
        /// The checkpoint is of another house's log.
        OtherHouse "other_house",
        /// The log is shorter than it was.
        Shorter "shorter",
        /// The log was rewritten: what this device saw is not its beginning.
        Rewritten "rewritten",
        /// The house says in its log that it lost what this device saw, and was restored.
        Restored "restored",
    }
}

// What the clerk is told.
keno_words::says! { Mistrust: witness { NotOurLog, OtherKey, OtherHouse, Shorter, Rewritten, Restored } }

/// What this device knows of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Known {
    /// The key that signs checkpoints, C2SP text form.
    pub log_key: String,
    /// The log's identity.
    pub origin: String,
    /// Leaves of the newest checkpoint.
    pub size: u64,
    /// Its root, 64 hexadecimal digits.
    pub root: String,
    /// The signed note.
    pub note: String,
}

/// The evidence against a central.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Against {
    /// Why.
    pub mistrust: Mistrust,
    /// The signed note that it offered.
    pub offered: String,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Memory {
    #[serde(default)]
    known: Option<Known>,
    #[serde(default)]
    against: Option<Against>,
    /// Who let the device begin anew, in what is kept of the past.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    begun_anew_by: Option<String>,
}

/// An entry of the log and the proof that it is in the tree.
#[derive(Debug, Clone)]
pub struct ProvenEntry {
    /// The leaf's bytes.
    pub leaf: Vec<u8>,
    /// Nonce of the body's commitment.
    pub nonce: [u8; 32],
    /// The body's bytes.
    pub body: Vec<u8>,
    /// Hashes of the proof of inclusion.
    pub proof: Vec<Hash>,
}

/// Where checkpoints and proofs come from.
pub trait LogSource {
    /// Why there is no answer.
    type Fault;

    /// The newest signed checkpoint.
    ///
    /// # Errors
    /// When there is no answer.
    fn checkpoint(&mut self) -> Result<String, Self::Fault>;

    /// The first entry, proven to be in the tree of `size` leaves.
    ///
    /// # Errors
    /// When there is no answer, or none of that form.
    fn first_entry(&mut self, size: u64) -> Result<ProvenEntry, Self::Fault>;

    /// The leaf that opened the first epoch after `epoch`, tied to the tree of `size` leaves;
    /// none when there is no such epoch.
    ///
    /// # Errors
    /// When there is no answer, or none of that form.
    fn epoch_after(&mut self, epoch: u32, size: u64) -> Result<Option<EpochEvidence>, Self::Fault>;

    /// The proof that the tree of `from` leaves is the beginning of that of `to`.
    ///
    /// # Errors
    /// When there is no answer, or none of that form.
    fn consistency(&mut self, from: u64, to: u64) -> Result<Vec<Hash>, Self::Fault>;
}

/// A look at central's log that did not end in trust.
#[derive(Debug, Error)]
pub enum WitnessFault<F> {
    /// Central's log is refused.
    #[error("central's log is refused: {}", .0.name())]
    Mistrusted(Mistrust),
    /// Central gave no answer, or not the proof that was asked: nothing is proven either way.
    #[error("central gave no proof of its log")]
    NoAnswer(F),
    /// The memory cannot be written.
    #[error("the memory of central's log cannot be kept")]
    Disk(#[from] io::Error),
}

/// The witness of one device.
#[derive(Debug)]
pub struct Witness {
    path: PathBuf,
    memory: Memory,
}

const FILE: &str = "central-log.json";

/// Reads the first entry: the key and the origin of the log.
fn first_contact(entry: &ProvenEntry, note: &str) -> Option<(String, checkpoint::Checkpoint)> {
    let leaf = Leaf::from_bytes(&entry.leaf).ok()?;
    let hash = leaf.hash();
    let opened = Entry {
        leaf,
        nonce: entry.nonce,
        body: entry.body.clone(),
    };
    let Ok(Event::HouseOpened(opened)) = opened.event() else {
        return None;
    };
    let key = VerifyingKey::parse(&opened.log_key).ok()?;
    let newest = checkpoint::open(note, &key).ok()?;
    epoch_of(&newest.origin, key.name())?;
    verify_inclusion(&hash, 0, newest.size, &entry.proof, &newest.root).ok()?;
    Some((opened.log_key, newest))
}

impl Witness {
    /// The witness of a folder.
    ///
    /// # Errors
    /// When its memory is there and cannot be read: a memory that is lost is no reason to trust.
    pub fn open(folder: &Path) -> io::Result<Self> {
        let path = folder.join(FILE);
        let memory = match std::fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(io::Error::other)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Memory::default(),
            Err(error) => return Err(error),
        };
        Ok(Self { path, memory })
    }

    /// What is known of the log.
    pub const fn known(&self) -> Option<&Known> {
        self.memory.known.as_ref()
    }

    /// The evidence against central, if it is refused.
    pub const fn against(&self) -> Option<&Against> {
        self.memory.against.as_ref()
    }

    /// Writes the memory anew: a power cut leaves the old one or the new one.
    fn keep(&mut self, memory: Memory) -> io::Result<()> {
        write_whole(&self.path, &serde_json::to_vec_pretty(&memory)?)?;
        if let Some(folder) = self.path.parent() {
            File::open(folder)?.sync_all()?;
        }
        self.memory = memory;
        Ok(())
    }

    fn mistrust<F>(&mut self, mistrust: Mistrust, offered: &str) -> WitnessFault<F> {
        let memory = Memory {
            known: self.memory.known.clone(),
            against: Some(Against {
                mistrust,
                offered: offered.to_owned(),
            }),
            begun_anew_by: None,
        };
        tracing::error!(
            name = mistrust.name(),
            "central's log is refused; the evidence is kept in central-log.json"
        );
        match self.keep(memory) {
            Ok(()) => WitnessFault::Mistrusted(mistrust),
            Err(error) => error.into(),
        }
    }

    /// Looks at central's newest checkpoint. When this returns without an error, its log goes on
    /// from everything that this device ever saw of it, and that is kept.
    ///
    /// # Errors
    /// A [`WitnessFault`]: nothing may be sold or paid.
    pub fn look<S: LogSource>(&mut self, source: &mut S) -> Result<&Known, WitnessFault<S::Fault>> {
        if let Some(against) = &self.memory.against {
            return Err(WitnessFault::Mistrusted(against.mistrust));
        }
        let note = source.checkpoint().map_err(WitnessFault::NoAnswer)?;
        let known = match self.memory.known.clone() {
            None => self.meet(source, note)?,
            Some(known) => self.advance(source, known, note)?,
        };
        let is_news = self.memory.known.as_ref() != Some(&known);
        if is_news {
            self.keep(Memory {
                known: Some(known),
                ..Memory::default()
            })?;
        }
        match &self.memory.known {
            Some(known) => Ok(known),
            None => Err(io::Error::other("nothing is known").into()),
        }
    }

    fn meet<S: LogSource>(
        &mut self,
        source: &mut S,
        note: String,
    ) -> Result<Known, WitnessFault<S::Fault>> {
        // How many leaves a note that nobody has verified speaks of: only to ask for the proof.
        let size = checkpoint::Note::parse(&note)
            .and_then(|note| checkpoint::Checkpoint::from_body(note.text()))
            .map(|unverified| unverified.size);
        let Ok(size) = size else {
            return Err(self.mistrust(Mistrust::NotOurLog, &note));
        };
        let entry = source.first_entry(size).map_err(WitnessFault::NoAnswer)?;
        match first_contact(&entry, &note) {
            Some((log_key, newest)) => Ok(Known {
                log_key,
                origin: newest.origin,
                size: newest.size,
                root: hex::encode(newest.root),
                note,
            }),
            None => Err(self.mistrust(Mistrust::NotOurLog, &note)),
        }
    }

    fn advance<S: LogSource>(
        &mut self,
        source: &mut S,
        known: Known,
        note: String,
    ) -> Result<Known, WitnessFault<S::Fault>> {
        if note == known.note {
            return Ok(known);
        }
        let mut root = [0_u8; 32];
        let key = VerifyingKey::parse(&known.log_key).ok();
        let (Some(key), Ok(())) = (key, hex::decode_to_slice(&known.root, &mut root)) else {
            return Err(io::Error::other("the memory of central's log cannot be read").into());
        };
        let Ok(newest) = checkpoint::open(&note, &key) else {
            return Err(self.mistrust(Mistrust::OtherKey, &note));
        };
        if newest.origin != known.origin {
            let kept = Checkpoint::new(&known.origin, known.size, root);
            return self.change_epoch(source, known, &kept, (key.name(), &newest), note);
        }
        if newest.size < known.size {
            return Err(self.mistrust(Mistrust::Shorter, &note));
        }
        let proof = if newest.size == known.size {
            Vec::new()
        } else {
            source
                .consistency(known.size, newest.size)
                .map_err(WitnessFault::NoAnswer)?
        };
        if verify_consistency(known.size, newest.size, &root, &newest.root, &proof).is_err() {
            return Err(self.mistrust(Mistrust::Rewritten, &note));
        }
        Ok(Known {
            size: newest.size,
            root: hex::encode(newest.root),
            note,
            ..known
        })
    }

    /// Central says that its log is in another epoch: it was restored from a backup.
    fn change_epoch<S: LogSource>(
        &mut self,
        source: &mut S,
        known: Known,
        kept: &Checkpoint,
        (first_origin, newest): (&str, &Checkpoint),
        note: String,
    ) -> Result<Known, WitnessFault<S::Fault>> {
        let epochs =
            epoch_of(&kept.origin, first_origin).zip(epoch_of(&newest.origin, first_origin));
        let Some((kept_epoch, newest_epoch)) = epochs else {
            return Err(self.mistrust(Mistrust::OtherHouse, &note));
        };
        if newest_epoch < kept_epoch {
            return Err(self.mistrust(Mistrust::Shorter, &note));
        }
        let evidence = source
            .epoch_after(kept_epoch, newest.size)
            .map_err(WitnessFault::NoAnswer)?;
        // After a restore the log may be shorter than what was kept: then there is no proof.
        let proof = if newest.size > kept.size {
            source
                .consistency(kept.size, newest.size)
                .map_err(WitnessFault::NoAnswer)?
        } else {
            Vec::new()
        };
        let judged = consistent_or_new_epoch(first_origin, kept, newest, &proof, evidence.as_ref());
        match judged {
            Ok(Continuity::Consistent) => {}
            Ok(Continuity::NewEpoch(opened)) => tracing::warn!(
                epoch = opened.epoch,
                reason = opened.reason,
                "the house was restored; what this device had proof of is there, and what came after it \
                 may be lost"
            ),
            // What is lost is the house's word alone: a person decides.
            Ok(Continuity::Lost(opened)) => {
                tracing::error!(
                    epoch = opened.epoch,
                    reason = opened.reason,
                    lost_size = opened.lost_size,
                    "the house was restored, and says that it lost what this device saw"
                );
                return Err(self.mistrust(Mistrust::Restored, &note));
            }
            Err(fault) => {
                tracing::error!(%fault, "the new epoch of central's log is not believed");
                return Err(self.mistrust(Mistrust::Rewritten, &note));
            }
        }
        Ok(Known {
            origin: newest.origin.clone(),
            size: newest.size,
            root: hex::encode(newest.root),
            note,
            ..known
        })
    }

    /// A person has looked at the evidence and lets this device begin anew with the central that
    /// is there. What was known, what stood against central and who that person was stay in a file of
    /// their own.
    ///
    /// # Errors
    /// When the files cannot be written; then nothing has changed.
    pub fn begin_anew(&mut self, by: &str) -> io::Result<Option<PathBuf>> {
        if self.memory == Memory::default() {
            return Ok(None);
        }
        let folder = self.path.parent().unwrap_or_else(|| Path::new("."));
        let past = (1..u32::MAX)
            .map(|number| folder.join(format!("central-log-{number}.json")))
            .find(|path| !path.exists())
            .ok_or_else(|| io::Error::other("no name is free"))?;
        self.keep(Memory {
            begun_anew_by: Some(by.to_owned()),
            ..self.memory.clone()
        })?;
        std::fs::copy(&self.path, &past)?;
        File::open(&past)?.sync_all()?;
        self.keep(Memory::default())?;
        Ok(Some(past))
    }
}

#[cfg(test)]
mod tests;
