//! A snapshot: the memory at one moment, in a file beside the record, so that a start need not fold
//! every leaf since the first.
//!
//! It is bound to the log by the log's own signature: a checkpoint of an origin of its own
//! (`boulier/HOUSE/state/VERSION`), whose size is the number of leaves that were folded and whose
//! "root" is the SHA-256 of the state's bytes, in which the tree's edge stands. A snapshot decides
//! nothing: what cannot be read, was made by another version or does not lead to the record's head
//! is passed over, and the record is folded from its first leaf.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use keno_log::Hash;
use keno_log::checkpoint::{self, Checkpoint, NoteFault, SigningKey, VerifyingKey};
use keno_log::encode::{Reader, put_bytes, take_bytes};
use sha2::{Digest, Sha256};

use crate::fault::Fault;
use crate::state::State;

/// How a state is made and written. Raised with every change of [`State::to_bytes`], and of what
/// [`State::apply`] makes of a leaf.
pub const STATE_FORMAT: u32 = 10;

/// Leaves between two snapshots, unless an option says otherwise.
pub const SNAPSHOT_LEAVES: u64 = 20_000;
/// So many times later a snapshot is made even though no draw was finished meanwhile.
const OVERDUE: u64 = 10;

/// No snapshot is larger: ten million wagers in play are half of it.
const BYTES_MAX: u64 = 1 << 30;

/// The file in a data folder.
pub fn snapshot_path(folder: &Path) -> PathBuf {
    folder.join("state.snapshot")
}

/// Where the snapshots of a house are, and by what they are known.
#[derive(Debug, Clone)]
pub struct SnapshotPlace {
    path: PathBuf,
    origin: String,
    key: VerifyingKey,
}

impl SnapshotPlace {
    /// Those of the house of a log key, in a data folder.
    pub fn new(folder: &Path, key: VerifyingKey) -> Self {
        Self {
            path: snapshot_path(folder),
            origin: state_origin(key.name()),
            key,
        }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The state that was kept last, if this program made it; why not goes to the process's log.
    pub fn read(&self) -> Option<State> {
        self.judged().unwrap_or_else(|why| {
            tracing::warn!(%why, "the snapshot of the state is not used");
            None
        })
    }

    /// The state that was kept last; none where there is no file, or one of another version.
    ///
    /// # Errors
    /// In words, when it is not what the log's key signed.
    pub fn judged(&self) -> Result<Option<State>, String> {
        match read_file(&self.path).map_err(|fault| fault.to_string())? {
            Some(bytes) => self.open(&bytes),
            None => Ok(None),
        }
    }

    /// Reads a snapshot: signed by the log's key, and whole; none of another version.
    fn open(&self, bytes: &[u8]) -> Result<Option<State>, String> {
        let mut reader = Reader::new(bytes);
        let note = take_bytes(&mut reader).map_err(|fault| fault.to_string())?;
        let note = std::str::from_utf8(note).map_err(|fault| fault.to_string())?;
        let state = reader
            .bytes(reader.left(), "state")
            .map_err(|fault| fault.to_string())?;
        let said = match checkpoint::open_from(note, &self.origin, &self.key) {
            Err(NoteFault::OtherOrigin) => return Ok(None),
            said => said.map_err(|fault| fault.to_string())?,
        };
        if said.root != hash_of(state) {
            return Err("its bytes are not what was signed".to_owned());
        }
        let state = State::from_bytes(state).map_err(|fault| fault.to_string())?;
        if state.edge.size() != said.size {
            return Err("its size is not what was signed".to_owned());
        }
        if !state.leaves.are_of(&state.edge) {
            return Err("what it knows of the leaves is not its tree".to_owned());
        }
        Ok(Some(state))
    }
}

/// What a file holds; nothing when there is none. What is no file, or one that no central wrote, is
/// not opened: a start must not wait for a pipe.
fn read_file(path: &Path) -> std::io::Result<Option<Vec<u8>>> {
    let metadata = match std::fs::symlink_metadata(path) {
        Err(fault) if fault.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        metadata => metadata?,
    };
    if !metadata.is_file() || metadata.len() > BYTES_MAX {
        return Err(std::io::Error::other("it is no file, or too large"));
    }
    std::fs::read(path).map(Some)
}

/// A log key is named after the origin of its house.
fn state_origin(name: &str) -> String {
    format!("{name}/state/{}.{STATE_FORMAT}", env!("CARGO_PKG_VERSION"))
}

fn hash_of(bytes: &[u8]) -> Hash {
    Sha256::digest(bytes).into()
}

/// A copy of a state, on its way to its file. It is made on the writer's thread, and written as
/// bytes on another: sales wait for the copy alone.
#[derive(Debug)]
pub struct Snapshot {
    state: Box<State>,
}

impl Snapshot {
    /// That of a state.
    pub fn of(state: &State) -> Self {
        Self {
            state: Box::new(state.clone()),
        }
    }

    /// Signs it, and puts it in the place of the one before: whole, or not at all.
    ///
    /// # Errors
    /// [`Fault::File`], and a fault of the signature.
    pub fn write(&self, path: &Path, key: &SigningKey) -> Result<(), Fault> {
        let origin = state_origin(key.name());
        let state = self.state.to_bytes();
        let said = Checkpoint::new(&origin, self.state.edge.size(), hash_of(&state));
        let note = checkpoint::sign(&said, key).map_err(|_| Fault::Crypto("a snapshot"))?;
        let mut head = Vec::new();
        put_bytes(note.as_bytes(), &mut head);
        let at = |fault: std::io::Error| Fault::File(format!("{}: {fault}", path.display()));
        let beside = path.with_extension("snapshot-new");
        // Whatever stands there is let go and not written to: it may be a pipe, or lead elsewhere.
        if std::fs::symlink_metadata(&beside).is_ok() {
            std::fs::remove_file(&beside).map_err(at)?;
        }
        let mut file = File::create_new(&beside).map_err(at)?;
        file.write_all(&head).map_err(at)?;
        file.write_all(&state).map_err(at)?;
        file.sync_all().map_err(at)?;
        std::fs::rename(&beside, path).map_err(at)
    }
}

/// Says when a snapshot is due: not before so many leaves since the last, and then when a draw is
/// over, because its wagers have just left the memory; much later, whatever is in it.
#[derive(Debug)]
pub struct Due {
    leaves: u64,
    kept_size: u64,
    last_finished: Option<u64>,
}

impl Due {
    /// With so many leaves between two. The first is due at once if there are so many: the next
    /// start has that much less to fold.
    pub fn new(leaves: u64) -> Self {
        Self {
            leaves,
            kept_size: 0,
            last_finished: None,
        }
    }

    /// The snapshot of a state, if one is due.
    pub fn of(&mut self, state: &State) -> Option<Snapshot> {
        let since = state.edge.size().saturating_sub(self.kept_size);
        if since < self.leaves {
            return None;
        }
        let last_finished = state.last_finished();
        if last_finished == self.last_finished && since < self.leaves.saturating_mul(OVERDUE) {
            return None;
        }
        self.kept_size = state.edge.size();
        self.last_finished = last_finished;
        Some(Snapshot::of(state))
    }
}
