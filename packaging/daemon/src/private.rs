//! Files that nobody else on the machine reads.

use std::fs::{File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;

use rustix::fs::Mode;

/// From here on no file and no folder that this program makes is for anybody but its account,
/// whatever made it.
pub fn keep() {
    rustix::process::umask(Mode::from_raw_mode(0o077));
}

/// A file to write, empty and for its owner alone, also when it was there before.
///
/// # Errors
/// When it cannot be made.
pub fn create(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(path)?;
    file.set_permissions(Permissions::from_mode(0o600))?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_for_its_owner_alone_even_if_it_was_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("export");
        for before in [None, Some(0o644)] {
            if let Some(mode) = before {
                std::fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
            }
            let made = create(&path).unwrap();
            assert_eq!(made.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        }
    }
}
