//! Cosignatures of checkpoints (C2SP tlog-cosignature): those of the follower of the log, and those
//! that witnesses whom the house names hand in.
//!
//! They are no facts of the log, which cannot hold what is said of itself. The newest of each is kept
//! in a file, so that a start forgets none.

use std::path::{Path, PathBuf};

use keno_daemon::private::write_whole;
use keno_log::checkpoint::cosignature::cosigned_at;
use keno_log::checkpoint::{Checkpoint, Note, VerifyingKey};
use keno_log::proof::{consistency_proof, verify_consistency};
use keno_record::fault::Fault;
use keno_record::keys::signing_key;
use keno_record::log_tree::TreeReader;
use keno_record::publish::SignedCheckpoint;
use keno_record::record::{Record, origin_of};
use parking_lot::Mutex;

use super::Central;
use crate::Stop;
use crate::refusal::Refusal;

/// The folder of their files, within that of the data.
const FOLDER: &str = "cosigned";
/// Bytes of a note.
const NOTE_MAX: u64 = 65_536;
/// What comes with every ask is written down once in so many seconds: nobody was told that it is kept.
const WRITTEN_EVERY_SECONDS: u64 = 60;

/// A checkpoint with a cosignature that holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cosigned {
    /// Name of the key that cosigned it.
    pub by: String,
    /// Leaves.
    pub size: u64,
    /// When it was cosigned, by who did: seconds since 1970.
    pub at_seconds: u64,
    /// The note with the log's signature and this cosignature alone.
    note: Note,
}

impl Cosigned {
    /// What of a note is under both keys; none where one of the two did not sign it.
    fn read(note: &Note, log: &VerifyingKey, key: &VerifyingKey) -> Option<(Self, Checkpoint)> {
        note.verify(log).ok()?;
        let at_seconds = cosigned_at(note, key).ok()?;
        let checkpoint = Checkpoint::from_body(note.text()).ok()?;
        // Lines of others are not handed on in anybody's name.
        let names = [log.name(), key.name()];
        let lines = note.signatures().iter();
        let own = lines.filter(|line| names.contains(&line.name()));
        let text = own.fold(format!("{}\n", note.text()), |text, line| {
            format!("{text}{line}\n")
        });
        let cosigned = Self {
            by: key.name().to_owned(),
            size: checkpoint.size,
            at_seconds,
            note: Note::parse(&text).ok()?,
        };
        Some((cosigned, checkpoint))
    }
}

/// Who cosigns, and the newest of each.
#[derive(Debug)]
pub struct Cosignatures {
    log: VerifyingKey,
    keys: Vec<VerifyingKey>,
    folder: PathBuf,
    kept: Mutex<Vec<Kept>>,
}

/// The newest of one of them.
#[derive(Debug)]
struct Kept {
    cosigned: Cosigned,
    /// When that in the file was cosigned, in seconds since 1970.
    written: u64,
}

fn at(path: &Path) -> impl FnOnce(std::io::Error) -> Fault {
    let path = path.display().to_string();
    move |fault| Fault::File(format!("{path}: {fault}"))
}

/// Which log a note is of.
fn origin(note: &Note) -> Option<&str> {
    note.text().lines().next()
}

fn file_of(folder: &Path, key: &VerifyingKey) -> PathBuf {
    folder.join(format!("{}.note", hex::encode(&key.to_bytes()[..8])))
}

/// A note of a file that is one: what else may lie there nobody waits for.
fn read_note(path: &Path) -> Option<String> {
    let about = std::fs::metadata(path).ok()?;
    let is_note = about.is_file() && about.len() <= NOTE_MAX;
    is_note.then(|| std::fs::read_to_string(path).ok())?
}

impl Cosignatures {
    /// Those that are kept of these keys.
    ///
    /// # Errors
    /// [`Fault::Crypto`]: the log's own key.
    pub(crate) fn open(record: &Record, keys: Vec<VerifyingKey>) -> Result<Self, Fault> {
        let own = signing_key(&record.keys, &origin_of(&record.house_code));
        let log = own.ok_or(Fault::Crypto("the log key"))?;
        let log = log.verifying_key().clone();
        let folder = record.folder.join(FOLDER);
        // What cannot be read or does not hold is as if nobody had cosigned.
        let read = |key: &VerifyingKey| {
            let note = read_note(&file_of(&folder, key))?;
            let (cosigned, _) = Cosigned::read(&Note::parse(&note).ok()?, &log, key)?;
            let written = cosigned.at_seconds;
            // Of the log as it is, whoever cosigned more than there is has seen what is gone.
            let newest = record.checkpoint();
            if newest.is_some_and(|newest| {
                cosigned.size > newest.size && origin(&cosigned.note) == newest.note.lines().next()
            }) {
                let (by, size) = (&cosigned.by, cosigned.size);
                tracing::error!(%by, size, "cosigned more of this log than there is: entries are gone");
            }
            Some(Kept { cosigned, written })
        };
        Ok(Self {
            kept: Mutex::new(keys.iter().filter_map(read).collect()),
            log,
            keys,
            folder,
        })
    }

    /// Takes a checkpoint that somebody handed in. Returns who cosigned it; an older one than is kept
    /// of theirs changes nothing.
    ///
    /// # Errors
    /// [`Refusal::NotCosigned`], [`Refusal::CosignedOtherwise`], or a fault.
    pub fn take(&self, central: &Central, note: &str) -> Result<Vec<String>, Stop> {
        self.take_each(central, note, 0)
    }

    /// As [`Self::take`], of what the follower says every half second.
    pub(crate) fn take_often(&self, central: &Central, note: &str) -> Result<(), Stop> {
        self.take_each(central, note, WRITTEN_EVERY_SECONDS)
            .map(drop)
    }

    fn take_each(&self, central: &Central, note: &str, every: u64) -> Result<Vec<String>, Stop> {
        let note = Note::parse(note).map_err(|_| Refusal::NotCosigned)?;
        let read = |key| Cosigned::read(&note, &self.log, key);
        let read: Vec<_> = self.keys.iter().filter_map(read).collect();
        let Some((_, checkpoint)) = read.first() else {
            return Err(Refusal::NotCosigned.into());
        };
        must_be_of_this_log(central, checkpoint)?;
        let mut names = Vec::new();
        for (cosigned, _) in read {
            names.push(cosigned.by.clone());
            self.keep(cosigned, every)?;
        }
        Ok(names)
    }

    /// Keeps the newest of whoever cosigned; in its file where the last there is so many seconds old.
    fn keep(&self, cosigned: Cosigned, every: u64) -> Result<(), Fault> {
        let Some(key) = self.keys.iter().find(|key| key.name() == cosigned.by) else {
            return Ok(());
        };
        let mut kept = self.kept.lock();
        let place = kept.iter().position(|one| one.cosigned.by == cosigned.by);
        let known = place.and_then(|at| kept.get(at));
        let age = |one: &Cosigned| (one.size, one.at_seconds);
        // A log that began anew has another origin, and its sizes begin anew.
        let is_of_same = |one: &Cosigned| origin(&one.note) == origin(&cosigned.note);
        if known
            .is_some_and(|one| is_of_same(&one.cosigned) && age(&one.cosigned) >= age(&cosigned))
        {
            return Ok(());
        }
        let mut written = known.map_or(0, |one| one.written);
        if cosigned.at_seconds.abs_diff(written) >= every {
            written = cosigned.at_seconds;
            std::fs::create_dir_all(&self.folder).map_err(at(&self.folder))?;
            let file = file_of(&self.folder, key);
            write_whole(&file, cosigned.note.to_string().as_bytes()).map_err(at(&file))?;
        }
        if let Some(place) = place {
            kept.remove(place);
        }
        kept.push(Kept { cosigned, written });
        Ok(())
    }

    /// What each cosigned of the log as it is, the newest first.
    pub fn newest(&self, of: &SignedCheckpoint) -> Vec<Cosigned> {
        let of_origin = of.note.lines().next();
        let kept = self.kept.lock();
        let all = kept.iter().map(|kept| &kept.cosigned);
        let of_log = all.filter(|one| one.size <= of.size && origin(&one.note) == of_origin);
        let mut newest: Vec<Cosigned> = of_log.cloned().collect();
        newest.sort_by(|one, other| (other.size, &one.by).cmp(&(one.size, &other.by)));
        newest
    }

    /// The newest checkpoint that anybody cosigned, or the newest of one of them, with every
    /// cosignature of it that is kept.
    pub fn note(&self, of: &SignedCheckpoint, by: Option<&str>) -> Option<String> {
        let newest = self.newest(of);
        let found = newest.iter().find(|one| by.is_none_or(|by| one.by == by))?;
        let mut note = found.note.clone();
        for other in newest
            .iter()
            .filter(|one| one.note.text() == found.note.text())
        {
            for line in other.note.signatures() {
                // One line too many is left out: it stands under the name of its witness.
                let _ = note.add(line.clone());
            }
        }
        Some(note.to_string())
    }
}

/// Whoever holds a checkpoint under the log's own key that is none of this log holds the proof that
/// somebody has that key and shows two logs.
fn must_be_of_this_log(central: &Central, checkpoint: &Checkpoint) -> Result<(), Stop> {
    let newest = central.checkpoint().ok_or(Refusal::RecordUnavailable)?;
    let own = Note::parse(&newest.note).ok();
    let own = own.and_then(|note| Checkpoint::from_body(note.text()).ok());
    if own.is_none_or(|own| own.origin != checkpoint.origin) {
        return Err(Refusal::NotCosigned.into());
    }
    let is_of_log = checkpoint.size <= newest.size && {
        let mut reader = central.readers.get().map_err(Fault::from)?;
        let mut tree = TreeReader::new(&mut reader, &central.tile_roots, newest.size);
        let proof = consistency_proof(checkpoint.size, newest.size, &mut |level, index| {
            tree.node(level, index)
        });
        let proof = proof.map_err(|fault| Fault::Record(fault.to_string()))?;
        let sizes = (checkpoint.size, newest.size);
        verify_consistency(sizes.0, sizes.1, &checkpoint.root, &newest.root, &proof).is_ok()
    };
    if is_of_log {
        return Ok(());
    }
    tracing::error!(
        size = checkpoint.size,
        "a witness cosigned another log under the key of this one"
    );
    Err(Refusal::CosignedOtherwise.into())
}
