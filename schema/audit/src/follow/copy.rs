//! The follower's own copy of the log, on its disk: the entries as in an export without an end, what
//! was chosen when it began, and the newest checkpoint that it cosigned.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use keno_daemon::private::write_whole;
use keno_daemon::sole;
use keno_log::checkpoint::{Checkpoint, Note};
use keno_log::export::{ExportRecord, ExportedEntry, MAGIC};
use keno_log::leaf::LEAF_LENGTH;
use keno_log::{Event, Hash, Leaf};

use crate::stream::{Records, StreamFault};
use crate::verify::read_entry;

const LOG: &str = "log";
const BEGAN: &str = "began";
const COSIGNED: &str = "cosigned";
const LOCK: &str = "lock";

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
    /// The operating system gives no random bytes.
    #[error("the operating system gives no random bytes")]
    Entropy,
    /// The copy was changed, or cut: it is less than what was cosigned.
    #[error(
        "{size} entries were cosigned, and the copy, of {own}, does not have them as they were"
    )]
    NotWhatWasCosigned {
        /// Entries that were cosigned.
        size: u64,
        /// Entries of the copy.
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
            Self::Entropy => "entropy",
            Self::NotWhatWasCosigned { .. } => "not_what_was_cosigned",
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

/// The folder of a copy.
#[derive(Debug)]
pub struct Copy {
    folder: PathBuf,
    log: File,
    /// Bytes of the log that are wholly there.
    length: u64,
    began: Hash,
    _lock: File,
}

/// What was in the copy at the start.
#[derive(Debug)]
pub struct Kept {
    path: PathBuf,
}

impl Copy {
    /// The copy in a folder, begun if there is none.
    ///
    /// # Errors
    /// [`CopyFault`].
    pub fn open(folder: &Path) -> Result<(Self, Kept), CopyFault> {
        fs::create_dir_all(folder).map_err(at(folder))?;
        let lock_path = folder.join(LOCK);
        let lock = private(&lock_path).map_err(at(&lock_path))?;
        sole::hold(&lock).map_err(|_| CopyFault::Taken {
            path: folder.display().to_string(),
        })?;
        let path = folder.join(LOG);
        let mut log = private(&path).map_err(at(&path))?;
        if log.metadata().map_err(at(&path))?.len() < MAGIC.len() as u64 {
            // A copy that ends within its first bytes has no entry.
            log.set_len(0).map_err(at(&path))?;
            log.write_all(MAGIC).map_err(at(&path))?;
            log.sync_all().map_err(at(&path))?;
        }
        let began = Self::begin(folder)?;
        let copy = Self {
            folder: folder.to_owned(),
            log,
            length: MAGIC.len() as u64,
            began,
            _lock: lock,
        };
        Ok((copy, Kept { path }))
    }

    fn begin(folder: &Path) -> Result<Hash, CopyFault> {
        let path = folder.join(BEGAN);
        let mut began = [0; 32];
        if path.exists() {
            let text = fs::read_to_string(&path).map_err(at(&path))?;
            hex::decode_to_slice(text.trim_end(), &mut began).map_err(|_| CopyFault::NoCopy {
                path: path.display().to_string(),
            })?;
            return Ok(began);
        }
        getrandom::fill(&mut began).map_err(|_| CopyFault::Entropy)?;
        let text = format!("{}\n", hex::encode(began));
        write_whole(&path, text.as_bytes()).map_err(at(&path))?;
        Ok(began)
    }

    /// What was chosen when it began.
    #[must_use]
    pub const fn began(&self) -> &Hash {
        &self.began
    }

    /// Adds entries, and comes back once they are on the disk.
    ///
    /// # Errors
    /// The disk; what of them is there is cut off before the next ones, or at the next start.
    pub fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        self.log.set_len(self.length)?;
        self.log.write_all(bytes)?;
        self.log.sync_data()?;
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

    /// The newest checkpoint that was cosigned.
    pub(super) fn cosigned(&self) -> Result<Option<Checkpoint>, CopyFault> {
        let path = self.folder.join(COSIGNED);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(fault) => return Err(at(&path)(fault)),
        };
        let note = Note::parse(&text).and_then(|note| Checkpoint::from_body(note.text()));
        note.map(Some).map_err(|_| CopyFault::NoCopy {
            path: path.display().to_string(),
        })
    }

    pub(super) fn keep_cosigned(&self, note: &Note) -> io::Result<()> {
        write_whole(&self.folder.join(COSIGNED), note.to_string().as_bytes())
    }
}

/// A file for its owner alone, to read and to add to.
fn private(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .read(true)
        .append(true)
        .create(true)
        .mode(0o600)
        .open(path)
}

impl Kept {
    /// Hands over each whole entry, in order, and says how many bytes they are: what follows was cut
    /// off as it was written, or is not what it was.
    pub(super) fn read(&self, mut entry: impl FnMut(Leaf, Event)) -> Result<u64, CopyFault> {
        let file = File::open(&self.path).map_err(at(&self.path))?;
        let records = match Records::new(BufReader::with_capacity(1 << 20, file)) {
            Ok(records) => records,
            Err(StreamFault::Io(fault)) => return Err(at(&self.path)(fault)),
            Err(_) => {
                let path = self.path.display().to_string();
                return Err(CopyFault::NoCopy { path });
            }
        };
        let mut bytes = MAGIC.len();
        for record in records {
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
