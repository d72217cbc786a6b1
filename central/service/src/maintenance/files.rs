//! Files that must be whole: copied, hashed, and on the disk before they are spoken of.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::{fs, io};

use sha2::{Digest, Sha256};

/// Bytes read at a time.
const BLOCK: usize = 1 << 20;

/// Length and SHA-256 of a file.
pub fn hash_of(path: &Path) -> io::Result<(u64, [u8; 32])> {
    copy_into(&mut File::open(path)?, &mut io::sink())
}

fn copy_into(from: &mut impl Read, to: &mut impl Write) -> io::Result<(u64, [u8; 32])> {
    let mut hasher = Sha256::new();
    let mut block = vec![0_u8; BLOCK];
    let mut length = 0_u64;
    loop {
        let count = from.read(&mut block)?;
        let part = block.get(..count).unwrap_or_default();
        if part.is_empty() {
            return Ok((length, hasher.finalize().into()));
        }
        hasher.update(part);
        to.write_all(part)?;
        length += u64::try_from(count).unwrap_or(0);
    }
}

/// Copies a file to a new one of `mode`, synced; length and SHA-256 of what was copied.
pub fn copy(from: &Path, to: &Path, mode: u32) -> io::Result<(u64, [u8; 32])> {
    let mut target = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(mode)
        .open(to)?;
    let copied = copy_into(&mut File::open(from)?, &mut target)?;
    target.sync_all()?;
    Ok(copied)
}

/// Writes a new file of `mode`, synced.
pub fn write_new(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(mode)
        .open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Adds a line to the end of a file that is there, synced.
///
/// A last line that a power cut left unfinished is taken off first: nothing may be glued to it.
pub fn append(path: &Path, line: &str) -> io::Result<()> {
    keno_record::publish::trim_torn_line(path)?;
    let mut file = OpenOptions::new().append(true).open(path)?;
    file.write_all(line.as_bytes())?;
    file.sync_all()
}

/// Makes a folder that its owner alone can look into, with those above it.
pub fn make_folder(path: &Path) -> io::Result<()> {
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(path)
}

/// Syncs the names in a folder.
pub fn sync_folder(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

/// Gives a folder its final name; from here on it is there after a power cut, too.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    sync_folder(from)?;
    fs::rename(from, to)?;
    match to.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => sync_folder(parent),
        _ => sync_folder(Path::new(".")),
    }
}

/// Copies a folder with everything in it, modes too.
pub fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    make_folder(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type()?.is_dir() {
            copy_folder(&source, &target)?;
        } else {
            let mode = fs::metadata(&source)?.permissions().mode() & 0o777;
            copy(&source, &target, mode)?;
        }
    }
    sync_folder(to)
}

/// A folder that is gone when this is, unless it was kept.
#[derive(Debug)]
pub struct Draft(Option<std::path::PathBuf>);

impl Draft {
    /// An empty folder; what an interrupted run left under the same name is removed.
    pub fn new(path: &Path) -> io::Result<Self> {
        if path.exists() {
            fs::remove_dir_all(path)?;
        }
        make_folder(path)?;
        Ok(Self(Some(path.to_owned())))
    }

    /// Gives the folder its final name.
    pub fn finish(mut self, to: &Path) -> io::Result<()> {
        if let Some(from) = self.0.take() {
            rename(&from, to)?;
        }
        Ok(())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            // What is left is named as a draft, and the next run removes it.
            let _ = fs::remove_dir_all(path);
        }
    }
}
