//! Small files of this device that are put in the place of what they said before, whole or not at
//! all.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use serde::Serialize;

/// Says something else in a file, for nobody but this program's user, and comes back once it is on
/// the disk.
///
/// # Errors
/// The disk. The file says what it said before.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let partial = path.with_extension("partial");
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600);
    let mut file = options.open(&partial)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(partial, path)
}

/// Keeps for a restart what can be asked for again: a power cut may lose it.
///
/// # Errors
/// The disk, or what cannot be written as JSON.
pub(crate) fn remember(path: &Path, what: &impl Serialize) -> io::Result<()> {
    let partial = path.with_extension("partial");
    fs::write(&partial, serde_json::to_vec(what)?)?;
    fs::rename(partial, path)
}

/// Removes a file, where there is one.
///
/// # Errors
/// The disk.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
