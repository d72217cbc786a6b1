//! Small files of this device that a restart reads again. What must not be lost is written by
//! `keno_daemon::private::write_whole`.

use std::fs;
use std::io;
use std::path::Path;

use serde::Serialize;

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
