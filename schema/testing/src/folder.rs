//! A folder of one test's own, and files that are made once and copied.

use std::collections::HashMap;
use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};

use crate::TestingFault;

/// A new empty folder of one test's own, removed with this value.
#[derive(Debug)]
pub struct TestFolder(tempfile::TempDir);

impl TestFolder {
    /// Makes the folder.
    ///
    /// # Errors
    /// [`TestingFault::File`].
    pub fn new() -> Result<Self, TestingFault> {
        Ok(Self(
            tempfile::Builder::new().prefix("keno-test-").tempdir()?,
        ))
    }

    /// As [`Self::new`], in memory where the system has such a place: for a house that syncs its
    /// files at every step, where what survives a power cut is not asked.
    ///
    /// # Errors
    /// [`TestingFault::File`].
    pub fn in_memory() -> Result<Self, TestingFault> {
        let made = tempfile::Builder::new()
            .prefix("keno-test-")
            .tempdir_in("/dev/shm");
        made.map_or_else(|_| Self::new(), |folder| Ok(Self(folder)))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// The path of `name` inside it; nothing is made.
    pub fn join(&self, name: impl AsRef<Path>) -> PathBuf {
        self.path().join(name)
    }
}

/// Copies a folder with everything in it, and its modes: keys are the owner's alone. What lies at
/// `to` already and has another name stays.
///
/// # Errors
/// The file system's.
pub fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else {
            std::fs::copy(entry.path(), &target)?;
        }
    }
    std::fs::set_permissions(to, std::fs::metadata(from)?.permissions())
}

/// Writes to `target` a copy of the file that `make` makes, which runs once for each `template`
/// name in a process: a migrated SQLite database costs its migrations once, and each test gets a
/// file of its own.
///
/// `make` gets the path of a file that does not exist yet and must leave it whole, with every
/// connection closed: a write-ahead log with something in it beside the file is refused, since
/// the copy would lack it.
///
/// # Errors
/// [`TestingFault::Template`] when `make` fails or leaves a log; [`TestingFault::File`].
pub fn file_from_template<E>(
    template: &str,
    target: &Path,
    make: impl FnOnce(&Path) -> Result<(), E>,
) -> Result<(), TestingFault>
where
    E: Into<Box<dyn Error + Send + Sync>>,
{
    static MADE: LazyLock<Mutex<HashMap<String, Vec<u8>>>> = LazyLock::new(Mutex::default);
    // A test that panicked while it made a template has stored nothing.
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(bytes) = made.get(template) {
        return Ok(std::fs::write(target, bytes)?);
    }
    let folder = TestFolder::new()?;
    let path = folder.join("template");
    make(&path).map_err(|error| TestingFault::Template(error.into().to_string()))?;
    let log = folder.join("template-wal");
    if std::fs::metadata(&log).is_ok_and(|about| about.len() > 0) {
        let words = format!("{template} left a write-ahead log: a connection is still open");
        return Err(TestingFault::Template(words));
    }
    let bytes = std::fs::read(&path)?;
    std::fs::write(target, &bytes)?;
    made.insert(template.to_owned(), bytes);
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};

    use super::*;

    #[test]
    fn a_folder_is_new_and_goes_with_its_value() {
        let first = TestFolder::new().unwrap();
        let second = TestFolder::new().unwrap();
        assert_ne!(first.path(), second.path());
        std::fs::write(first.join("x"), "y").unwrap();
        let path = first.path().to_owned();
        drop(first);
        assert!(!path.exists());
        assert!(second.path().exists());
    }

    #[test]
    fn a_folder_is_copied_whole_with_its_modes() {
        let (from, to) = (TestFolder::in_memory().unwrap(), TestFolder::new().unwrap());
        let mode = |path: &Path| std::fs::metadata(path).unwrap().mode() & 0o777;
        std::fs::create_dir(from.join("keys")).unwrap();
        std::fs::write(from.join("keys/one"), "secret").unwrap();
        std::fs::write(from.join("two"), "2").unwrap();
        for (name, bits) in [("keys", 0o700), ("keys/one", 0o600), ("two", 0o644)] {
            std::fs::set_permissions(from.join(name), PermissionsExt::from_mode(bits)).unwrap();
        }
        copy_folder(from.path(), &to.join("copy")).unwrap();
        for (name, bits) in [("keys", 0o700), ("keys/one", 0o600), ("two", 0o644)] {
            assert_eq!(mode(&to.join("copy").join(name)), bits, "{name}");
        }
        let read = |name: &str| std::fs::read_to_string(to.join("copy").join(name)).unwrap();
        assert_eq!(
            (read("keys/one"), read("two")),
            ("secret".into(), "2".into())
        );
        assert!(copy_folder(&from.join("nowhere"), &to.join("other")).is_err());
    }

    #[test]
    fn a_template_is_made_once_and_copied_apart() {
        let folder = TestFolder::new().unwrap();
        let mut times = 0;
        for name in ["a", "b"] {
            file_from_template("once", &folder.join(name), |path| {
                times += 1;
                std::fs::write(path, "made")
            })
            .unwrap();
        }
        assert_eq!(times, 1);
        std::fs::write(folder.join("a"), "changed").unwrap();
        assert_eq!(std::fs::read(folder.join("b")).unwrap(), b"made");
    }

    #[test]
    fn a_template_with_an_open_log_is_refused_and_not_kept() {
        let folder = TestFolder::new().unwrap();
        let with_log = |path: &Path| {
            std::fs::write(path, "half")?;
            std::fs::write(path.with_file_name("template-wal"), "the other half")
        };
        let refused = file_from_template("open", &folder.join("a"), with_log);
        assert!(matches!(refused, Err(TestingFault::Template(_))));
        assert!(!folder.join("a").exists());
        file_from_template("open", &folder.join("a"), |path| {
            std::fs::write(path, "whole")
        })
        .unwrap();
        assert_eq!(std::fs::read(folder.join("a")).unwrap(), b"whole");
    }
}
