//! Files that nobody else on the machine reads.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

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

/// A file on its way, which takes its name once it is whole and on disk. What had the name before
/// has it until then.
pub struct WholeFile {
    path: PathBuf,
    draft: PathBuf,
    /// What is written.
    pub file: BufWriter<File>,
}

impl WholeFile {
    /// Begins one, beside the place that it is to have.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn new(path: &Path) -> io::Result<Self> {
        let draft = path.with_added_extension("part");
        Ok(Self {
            path: path.to_owned(),
            file: BufWriter::with_capacity(1 << 20, create(&draft)?),
            draft,
        })
    }

    /// Gives it its name.
    ///
    /// # Errors
    /// The disk.
    pub fn finish(mut self) -> io::Result<()> {
        self.file.flush()?;
        self.file.get_ref().sync_all()?;
        fs::rename(&self.draft, &self.path)
    }
}

/// Writes a whole file, and comes back once it is on the disk.
///
/// # Errors
/// The disk. The file says what it said before.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut whole = WholeFile::new(path)?;
    whole.file.write_all(bytes)?;
    whole.finish()
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
