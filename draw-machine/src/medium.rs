//! Where a journal's bytes lie: a file, or in tests a memory that can lose power.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

use zeroize::Zeroizing;

/// Bytes that are appended to and synced.
pub trait Medium: Send {
    /// Everything that is there, from the first byte.
    ///
    /// # Errors
    /// What the operating system says.
    fn read_all(&mut self) -> io::Result<Zeroizing<Vec<u8>>>;

    /// Fills `buffer` from `offset`.
    ///
    /// # Errors
    /// What the operating system says; `UnexpectedEof` if there are not so many bytes.
    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<()>;

    /// Writes at the end, without syncing.
    ///
    /// # Errors
    /// What the operating system says; a part may have been written.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Returns when what was appended would survive a power cut.
    ///
    /// # Errors
    /// What the operating system says; after that nothing is known of what was appended.
    fn sync(&mut self) -> io::Result<()>;

    /// Cuts everything from `length` on and syncs.
    ///
    /// # Errors
    /// What the operating system says.
    fn cut(&mut self, length: u64) -> io::Result<()>;
}

/// A file of mode 0600 in a folder of its own (mode 0700), locked for this process.
pub struct FileMedium {
    file: File,
}

impl FileMedium {
    /// Opens `folder/name`, making folder and file if they are missing. Both are synced into
    /// their parents before this returns.
    ///
    /// # Errors
    /// `WouldBlock` if another process holds the file, `PermissionDenied` if others than its
    /// owner may read or write it, or what the operating system says.
    pub fn open(folder: &Path, name: &str) -> io::Result<Self> {
        if !folder.is_dir() {
            DirBuilder::new().mode(0o700).create(folder)?;
        }
        let file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .mode(0o600)
            .open(folder.join(name))?;
        if file.metadata()?.permissions().mode() & 0o077 != 0 {
            return Err(io::Error::new(
                io::ErrorKind::PermissionDenied,
                "the journal may be read or written by others than its owner",
            ));
        }
        file.try_lock()?;
        // Each time and not only at creation: a crash may have come between creation and sync.
        file.sync_all()?;
        sync_folder(folder)?;
        if let Some(parent) = folder.canonicalize()?.parent() {
            sync_folder(parent)?;
        }
        Ok(Self { file })
    }
}

/// Makes the entries of a folder survive a power cut.
fn sync_folder(folder: &Path) -> io::Result<()> {
    fs::File::open(folder)?.sync_all()
}

impl Medium for FileMedium {
    fn read_all(&mut self) -> io::Result<Zeroizing<Vec<u8>>> {
        let length = usize::try_from(self.file.metadata()?.len())
            .map_err(|_| io::Error::from(io::ErrorKind::FileTooLarge))?;
        // Sized beforehand: a vector that grows leaves copies of secrets behind.
        let mut bytes = Zeroizing::new(vec![0; length]);
        self.file.seek(SeekFrom::Start(0))?;
        self.file.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(offset))?;
        self.file.read_exact(buffer)
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.file.sync_data()
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length)?;
        self.file.sync_all()
    }
}

/// The same bytes twice, in folders that should be on two disks or hosts: what is synced is synced
/// on both.
pub struct TwinMedium {
    first: Box<dyn Medium>,
    second: Box<dyn Medium>,
}

impl TwinMedium {
    /// Two media of which one is the beginning of the other. A power cut between their two writes,
    /// or a new empty disk, leaves one behind: it is brought up to the other, so that nothing is
    /// lost.
    ///
    /// # Errors
    /// `InvalidData` when they contradict each other: then a person looks which one is right, and
    /// moves the other away. Or what the operating system says.
    pub fn open(mut first: Box<dyn Medium>, mut second: Box<dyn Medium>) -> io::Result<Self> {
        let (one, other) = (first.read_all()?, second.read_all()?);
        if let Some(behind) = one.strip_prefix(other.as_slice()) {
            bring_up(second.as_mut(), behind)?;
        } else if let Some(behind) = other.strip_prefix(one.as_slice()) {
            bring_up(first.as_mut(), behind)?;
        } else {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "the two copies of the journal contradict each other",
            ));
        }
        Ok(Self { first, second })
    }
}

fn bring_up(medium: &mut dyn Medium, behind: &[u8]) -> io::Result<()> {
    if behind.is_empty() {
        return Ok(());
    }
    medium.append(behind)?;
    medium.sync()
}

impl Medium for TwinMedium {
    fn read_all(&mut self) -> io::Result<Zeroizing<Vec<u8>>> {
        self.first.read_all()
    }

    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.first.read_at(offset, buffer)
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.first.append(bytes)?;
        self.second.append(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.first.sync()?;
        self.second.sync()
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.first.cut(length)?;
        self.second.cut(length)
    }
}

#[cfg(test)]
pub(crate) mod testing {
    //! A medium in memory that can fail and lose power.

    use std::sync::{Arc, Mutex};

    use super::{Medium, Zeroizing, io};

    /// What the medium holds and how it misbehaves.
    #[derive(Debug, Default)]
    pub(crate) struct State {
        pub(crate) bytes: Vec<u8>,
        /// Length up to which a power cut loses nothing.
        pub(crate) synced: usize,
        /// Calls of append, sync and cut so far.
        pub(crate) calls: u32,
        /// The call that fails, counted from 1.
        pub(crate) failing_call: Option<u32>,
        /// Whether the failing call is carried out all the same (kept but reported lost).
        pub(crate) kept: bool,
    }

    /// A handle on a shared state: clones see the same bytes, as processes see one file.
    #[derive(Debug, Default, Clone)]
    pub(crate) struct MemoryMedium(pub(crate) Arc<Mutex<State>>);

    impl MemoryMedium {
        pub(crate) fn holding(bytes: &[u8]) -> Self {
            let medium = Self::default();
            medium.0.lock().unwrap().bytes = bytes.to_vec();
            medium.0.lock().unwrap().synced = bytes.len();
            medium
        }

        pub(crate) fn bytes(&self) -> Vec<u8> {
            self.0.lock().unwrap().bytes.clone()
        }

        pub(crate) fn synced(&self) -> usize {
            self.0.lock().unwrap().synced
        }

        fn call(&self, action: impl FnOnce(&mut State)) -> io::Result<()> {
            let mut state = self.0.lock().unwrap();
            state.calls += 1;
            if state.failing_call == Some(state.calls) {
                if state.kept {
                    action(&mut state);
                }
                return Err(io::Error::other("planted failure"));
            }
            action(&mut state);
            Ok(())
        }
    }

    impl Medium for MemoryMedium {
        fn read_all(&mut self) -> io::Result<Zeroizing<Vec<u8>>> {
            Ok(Zeroizing::new(self.bytes()))
        }

        fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
            let bytes = self.bytes();
            let start = usize::try_from(offset).unwrap();
            let slice = bytes
                .get(start..start + buffer.len())
                .ok_or(io::ErrorKind::UnexpectedEof)?;
            buffer.copy_from_slice(slice);
            Ok(())
        }

        fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
            self.call(|state| state.bytes.extend_from_slice(bytes))
        }

        fn sync(&mut self) -> io::Result<()> {
            self.call(|state| state.synced = state.bytes.len())
        }

        fn cut(&mut self, length: u64) -> io::Result<()> {
            self.call(|state| {
                state.bytes.truncate(usize::try_from(length).unwrap());
                state.synced = state.bytes.len();
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_for_its_owner_alone_and_for_one_process() {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().join("machine");
        let medium = FileMedium::open(&own, "journal").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&own.join("journal")), 0o600);
        assert_eq!(mode(&own), 0o700);
        let second = FileMedium::open(&own, "journal").err().unwrap();
        assert_eq!(second.kind(), io::ErrorKind::WouldBlock);
        drop(medium);
        assert!(FileMedium::open(&own, "journal").is_ok());
    }

    #[test]
    fn twins_keep_the_same_bytes_and_mend_the_one_that_fell_behind() {
        use super::testing::MemoryMedium;
        let twins = |one: &MemoryMedium, other: &MemoryMedium| {
            TwinMedium::open(Box::new(one.clone()), Box::new(other.clone()))
        };
        for (one, other) in [
            ("abc", "abc"),
            ("abc", "ab"),
            ("a", "abc"),
            ("abc", ""),
            ("", "abc"),
        ] {
            let (first, second) = (one.as_bytes(), other.as_bytes());
            let (first, second) = (MemoryMedium::holding(first), MemoryMedium::holding(second));
            let mut medium = twins(&first, &second).unwrap();
            assert_eq!(medium.read_all().unwrap().as_slice(), b"abc");
            assert_eq!(
                (first.synced(), second.synced()),
                (3, 3),
                "{one:?} {other:?}"
            );
            medium.append(b"de").unwrap();
            assert_eq!((first.synced(), second.synced()), (3, 3));
            medium.sync().unwrap();
            assert_eq!((first.synced(), second.synced()), (5, 5));
            medium.cut(4).unwrap();
            assert_eq!(
                (first.bytes(), second.bytes()),
                (b"abcd".to_vec(), b"abcd".to_vec())
            );
        }
        for (one, other) in [("abc", "abd"), ("a", "b"), ("abcd", "x")] {
            let first = MemoryMedium::holding(one.as_bytes());
            let second = MemoryMedium::holding(other.as_bytes());
            let refused = twins(&first, &second).err().unwrap();
            assert_eq!(refused.kind(), io::ErrorKind::InvalidData);
            assert_eq!(first.bytes(), one.as_bytes(), "nothing was written");
            assert_eq!(second.bytes(), other.as_bytes(), "nothing was written");
        }
    }

    #[test]
    fn a_file_open_to_others_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        drop(FileMedium::open(folder.path(), "journal").unwrap());
        let path = folder.path().join("journal");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        let refused = FileMedium::open(folder.path(), "journal").err().unwrap();
        assert_eq!(refused.kind(), io::ErrorKind::PermissionDenied);
    }
}
