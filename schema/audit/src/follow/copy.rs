//! The follower's own copy of the log, on its disk: the entries as in an export without an end (`log`),
//! when it began and how far it had come when it last answered (`state`), and the newest checkpoint that
//! it cosigned (`cosigned`).

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use keno_daemon::private::write_whole;
use keno_daemon::sole;
use keno_log::checkpoint::Note;
use keno_log::export::{ExportRecord, ExportedEntry, MAGIC};
use keno_log::hash::EMPTY_ROOT;
use keno_log::leaf::LEAF_LENGTH;
use keno_log::{Event, Hash, Leaf};

use crate::stream::{Records, StreamFault};
use crate::verify::read_entry;

const LOG: &str = "log";
const STATE: &str = "state";
const COSIGNED: &str = "cosigned";

/// Why the copy cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CopyFault {
    /// The disk.
    #[error("{path} cannot be used")]
    Disk {
        /// Which file.
        path: String,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// Another follower has the folder.
    #[error("another follower is at work in {path}")]
    Taken {
        /// The folder.
        path: String,
    },
    /// What stands in the folder was never a copy.
    #[error("{path} is no copy of a log of this version")]
    NoCopy {
        /// Which file.
        path: String,
    },
    /// The copy is of another log than the settings name.
    #[error("the copy is of the house {house}, with the log key {key}")]
    OtherLog {
        /// Whose it is.
        house: String,
        /// The key of its log.
        key: String,
    },
    /// The operating system gives no random bytes.
    #[error("the operating system gives no random bytes")]
    Entropy,
    /// The copy was changed, or cut. It is left as it is: somebody will want to look at it.
    #[error(
        "{size} entries were answered for, and the copy has others, or fewer: {own} can be read"
    )]
    NotWhatWasKept {
        /// Entries that were answered for.
        size: u64,
        /// Entries that can be read.
        own: u64,
    },
}

impl CopyFault {
    /// Stable name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Disk { .. } => "disk",
            Self::Taken { .. } => "taken",
            Self::NoCopy { .. } => "no_copy",
            Self::OtherLog { .. } => "other_log",
            Self::Entropy => "entropy",
            Self::NotWhatWasKept { .. } => "not_what_was_kept",
        }
    }
}

fn at(path: &Path) -> impl Fn(io::Error) -> CopyFault {
    let path = path.display().to_string();
    move |source| CopyFault::Disk {
        path: path.clone(),
        source,
    }
}

/// Bytes that an entry takes in an export: its mark, leaf, leaf hash, nonce, and the body behind its
/// length.
#[must_use]
pub fn length_of(exported: &ExportedEntry) -> usize {
    1 + LEAF_LENGTH
        + size_of::<Hash>()
        + exported.nonce.len()
        + size_of::<u32>()
        + exported.body.len()
}

/// What the follower has answered for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct State {
    /// Chosen by chance when it began.
    pub(super) began: Hash,
    /// Entries, and the root of the tree over them.
    pub(super) size: u64,
    pub(super) root: Hash,
}

impl State {
    fn begin() -> Result<Self, CopyFault> {
        let mut began = [0; 32];
        getrandom::fill(&mut began).map_err(|_| CopyFault::Entropy)?;
        Ok(Self {
            began,
            size: 0,
            root: EMPTY_ROOT,
        })
    }

    fn text(&self) -> String {
        let (began, root) = (hex::encode(self.began), hex::encode(self.root));
        format!("{began}\n{}\n{root}\n", self.size)
    }

    fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let mut state = Self {
            began: [0; 32],
            size: 0,
            root: [0; 32],
        };
        hex::decode_to_slice(lines.next()?, &mut state.began).ok()?;
        state.size = lines.next()?.parse().ok()?;
        hex::decode_to_slice(lines.next()?, &mut state.root).ok()?;
        // As it was written, and no other way.
        (state.text() == text).then_some(state)
    }
}

/// The folder of a copy.
#[derive(Debug)]
pub struct Copy {
    folder: PathBuf,
    /// Held by a lock: whoever has the file has the copy.
    log: File,
    /// Bytes of the log that are wholly there.
    length: u64,
    state: State,
}

/// What was in the copy at the start.
#[derive(Debug)]
pub struct Kept {
    path: PathBuf,
}

impl Copy {
    /// The copy in a folder, begun if there is none. One that is there is only looked at.
    ///
    /// # Errors
    /// [`CopyFault`].
    pub fn open(folder: &Path) -> Result<(Self, Kept), CopyFault> {
        fs::create_dir_all(folder).map_err(at(folder))?;
        let (path, state_path) = (folder.join(LOG), folder.join(STATE));
        let known = match fs::read_to_string(&state_path) {
            Ok(text) => Some(State::parse(&text).ok_or_else(|| no_copy(&state_path))?),
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => None,
            Err(fault) => return Err(at(&state_path)(fault)),
        };
        let mut log = OpenOptions::new()
            .read(true)
            .append(true)
            .create(known.is_none())
            .mode(0o600)
            .open(&path)
            .map_err(at(&path))?;
        sole::hold(&log).map_err(|_| CopyFault::Taken {
            path: folder.display().to_string(),
        })?;
        let state = match known {
            Some(state) => state,
            None => {
                // Entries of which nobody knows how far they were answered for are no copy.
                if log.metadata().map_err(at(&path))?.len() > MAGIC.len() as u64 {
                    return Err(no_copy(&state_path));
                }
                log.set_len(0).map_err(at(&path))?;
                log.write_all(MAGIC).map_err(at(&path))?;
                log.sync_all().map_err(at(&path))?;
                State::begin()?
            }
        };
        let mut copy = Self {
            folder: folder.to_owned(),
            log,
            length: MAGIC.len() as u64,
            state,
        };
        if known.is_none() {
            copy.keep(0, EMPTY_ROOT).map_err(at(&state_path))?;
        }
        Ok((copy, Kept { path }))
    }

    /// What was chosen when it began.
    #[must_use]
    pub const fn began(&self) -> &Hash {
        &self.state.began
    }

    pub(super) const fn state(&self) -> &State {
        &self.state
    }

    /// Notes how far it has come: from here on it answers for so many entries.
    fn keep(&mut self, size: u64, root: Hash) -> io::Result<()> {
        let state = State {
            size,
            root,
            ..self.state
        };
        self.write(STATE, &state.text())?;
        self.state = state;
        Ok(())
    }

    /// A file of the folder, whole, and there after whatever happens to the machine.
    fn write(&self, name: &str, text: &str) -> io::Result<()> {
        write_whole(&self.folder.join(name), text.as_bytes())?;
        File::open(&self.folder)?.sync_all()
    }

    /// Adds entries, so that there are `size` under `root`, and comes back once they are on the disk and
    /// it answers for them.
    ///
    /// # Errors
    /// The disk. Nothing is answered for; what of it is there is cut off before the next ones, or at the
    /// next start.
    pub(super) fn append(&mut self, bytes: &[u8], size: u64, root: Hash) -> io::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        // What is written to a file that has no name any more is gone with the program.
        let named = fs::metadata(self.folder.join(LOG))?;
        let own = self.log.metadata()?;
        if (named.dev(), named.ino()) != (own.dev(), own.ino()) {
            let words = "the copy is not where it was";
            return Err(io::Error::new(io::ErrorKind::NotFound, words));
        }
        self.log.set_len(self.length)?;
        self.log.write_all(bytes)?;
        self.log.sync_data()?;
        self.keep(size, root)?;
        self.length += bytes.len() as u64;
        Ok(())
    }

    /// Cuts off what was never wholly there: nothing was said of it.
    pub(super) fn cut_after(&mut self, bytes: u64) -> Result<(), CopyFault> {
        let path = self.folder.join(LOG);
        let length = self.log.metadata().map_err(at(&path))?.len();
        if length > bytes {
            self.log.set_len(bytes).map_err(at(&path))?;
            self.log.sync_all().map_err(at(&path))?;
        }
        self.length = bytes;
        Ok(())
    }

    pub(super) fn keep_cosigned(&self, note: &Note) -> io::Result<()> {
        self.write(COSIGNED, &note.to_string())
    }
}

fn no_copy(path: &Path) -> CopyFault {
    CopyFault::NoCopy {
        path: path.display().to_string(),
    }
}

impl Kept {
    /// Hands over as many entries as were answered for, in order, or those of them that can be read, and
    /// says how many bytes they are. What follows was never answered for.
    pub(super) fn read(
        &self,
        size: u64,
        mut entry: impl FnMut(Leaf, Event),
    ) -> Result<u64, CopyFault> {
        let file = File::open(&self.path).map_err(at(&self.path))?;
        let records = match Records::new(BufReader::with_capacity(1 << 20, file)) {
            Ok(records) => records,
            Err(StreamFault::Io(fault)) => return Err(at(&self.path)(fault)),
            Err(_) => return Err(no_copy(&self.path)),
        };
        let mut bytes = MAGIC.len();
        for record in records.take(usize::try_from(size).unwrap_or(usize::MAX)) {
            match record {
                Ok(ExportRecord::Entry(exported)) => {
                    let Ok((leaf, event)) = read_entry(&exported) else {
                        break;
                    };
                    bytes += length_of(&exported);
                    entry(leaf, event);
                }
                Err(StreamFault::Io(fault)) => return Err(at(&self.path)(fault)),
                Ok(ExportRecord::End(_)) | Err(_) => break,
            }
        }
        Ok(bytes as u64)
    }
}
