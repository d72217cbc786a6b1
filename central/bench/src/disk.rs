//! The disk below: what one sync costs there, and that it is a disk.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::clock::timed;

/// The kernel's number of a file system in memory.
const TMPFS: u64 = 0x0102_1994;
/// What a probe appends.
const PAGE: [u8; 4096] = [0x5a; 4096];

/// Refuses a folder whose files are in memory: a sync costs nothing there.
///
/// # Errors
/// When it is one, or cannot be asked.
pub fn must_be_a_disk(folder: &Path) -> io::Result<()> {
    let about = rustix::fs::statfs(folder)?;
    if u64::try_from(about.f_type) == Ok(TMPFS) {
        return Err(io::Error::other(format!(
            "{} is in memory, where a sync costs nothing: name a folder on a disk",
            folder.display()
        )));
    }
    Ok(())
}

/// Appends a page and syncs it, again and again.
#[derive(Debug)]
pub struct Probe {
    file: File,
    path: PathBuf,
}

impl Probe {
    /// A file of its own in a folder.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn new(folder: &Path) -> io::Result<Self> {
        let path = folder.join("probe");
        let file = OpenOptions::new().create(true).append(true).open(&path)?;
        Ok(Self { file, path })
    }

    /// One append of 4 KiB with its `fdatasync`.
    ///
    /// # Errors
    /// The disk's.
    pub fn append(&mut self) -> io::Result<Duration> {
        let (took, written) = timed(|| {
            self.file.write_all(&PAGE)?;
            self.file.sync_data()
        });
        written?;
        Ok(took)
    }
}

impl Drop for Probe {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}
