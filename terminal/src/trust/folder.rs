//! What a device keeps about trust, each set whole or not at all.
//!
//! ```text
//! current           the name of the set in force, such as set-0003
//! next              the name of a set whose key central has not confirmed yet; seldom there
//! set-0003/device.key   PKCS#8, PEM, mode 0600
//! set-0003/device.pem   the certificate
//! set-0003/ca.pem       the house's authority
//! set-0003/device.toml  number, name, role, when the certificate begins and ends
//! ```
//!
//! A set is written and synced file by file under a name that nobody points to; then the pointer
//! is written, synced and renamed into its place. A power cut leaves the old set or the new one.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;
use zeroize::Zeroizing;

use crate::kept;

/// What is kept cannot be used.
#[derive(Debug, Error)]
pub enum TrustFolderFault {
    /// A file cannot be read or written.
    #[error("{path} cannot be used")]
    File {
        /// Its path.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// Others than its owner can read the key.
    #[error("{0} can be read by others: chmod 600 it")]
    Mode(PathBuf),
    /// A file is not one of this program's.
    #[error("{0} is not a file of this program's: enrol this device again")]
    Form(PathBuf),
}

/// Which of two sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    /// The one in force.
    Current,
    /// The one whose key central has not confirmed yet.
    Next,
}

impl Slot {
    const fn file(self) -> &'static str {
        match self {
            Self::Current => "current",
            Self::Next => "next",
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct About {
    format: u8,
    device: u32,
    name: String,
    role: String,
    not_before_ms: i64,
    not_after_ms: i64,
}

/// A device as central knows it.
#[derive(Clone)]
pub struct Identity {
    /// Device number.
    pub device: u32,
    /// Name.
    pub name: String,
    /// `counter`, `kiosk`, `display` or `audit`.
    pub role: String,
    /// The private key, PKCS#8 as PEM.
    pub key: Zeroizing<String>,
    /// The certificate, PEM.
    pub certificate: String,
    /// The house's authority, PEM.
    pub authority: String,
    /// When the certificate begins, UTC milliseconds.
    pub not_before_ms: i64,
    /// When it ends, UTC milliseconds.
    pub not_after_ms: i64,
}

/// A key is never printed, whoever asks.
impl std::fmt::Debug for Identity {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Identity")
            .field("device", &self.device)
            .finish_non_exhaustive()
    }
}

impl Identity {
    /// Whether less than a third of the certificate's life is left.
    pub const fn is_due(&self, now_ms: i64) -> bool {
        self.not_after_ms - now_ms < (self.not_after_ms - self.not_before_ms) / 3
    }

    /// Whether the certificate has ended.
    pub const fn has_ended(&self, now_ms: i64) -> bool {
        now_ms > self.not_after_ms
    }
}

/// The folder.
#[derive(Debug, Clone)]
pub struct TrustFolder {
    path: PathBuf,
}

fn at(path: &Path) -> impl Fn(io::Error) -> TrustFolderFault + '_ {
    |source| TrustFolderFault::File {
        path: path.to_owned(),
        source,
    }
}

fn sync(path: &Path) -> Result<(), TrustFolderFault> {
    File::open(path)
        .and_then(|file| file.sync_all())
        .map_err(at(path))
}

fn write(path: &Path, text: &str, mode: u32) -> Result<(), TrustFolderFault> {
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(mode)
        .open(path)
        .map_err(at(path))?;
    file.write_all(text.as_bytes()).map_err(at(path))?;
    file.sync_all().map_err(at(path))
}

fn read(path: &Path) -> Result<String, TrustFolderFault> {
    fs::read_to_string(path).map_err(at(path))
}

impl TrustFolder {
    /// A folder; nothing is read or made.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn set_of(&self, slot: Slot) -> Result<Option<String>, TrustFolderFault> {
        let pointer = self.path.join(slot.file());
        match fs::read_to_string(&pointer) {
            Ok(name) if name.starts_with("set-") && !name.contains(['/', '.']) => Ok(Some(name)),
            Ok(_) => Err(TrustFolderFault::Form(pointer)),
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(fault) => Err(at(&pointer)(fault)),
        }
    }

    /// The set of a slot, if there is one.
    ///
    /// # Errors
    /// A [`TrustFolderFault`].
    pub fn read(&self, slot: Slot) -> Result<Option<Identity>, TrustFolderFault> {
        let Some(set) = self.set_of(slot)? else {
            return Ok(None);
        };
        let set = self.path.join(set);
        let key = set.join("device.key");
        let mode = fs::metadata(&key).map_err(at(&key))?.permissions().mode();
        if mode & 0o077 != 0 {
            return Err(TrustFolderFault::Mode(key));
        }
        let path = set.join("device.toml");
        let about: About =
            toml::from_str(&read(&path)?).map_err(|_| TrustFolderFault::Form(path.clone()))?;
        if about.format != 1 {
            return Err(TrustFolderFault::Form(path));
        }
        Ok(Some(Identity {
            device: about.device,
            name: about.name,
            role: about.role,
            key: Zeroizing::new(read(&key)?),
            certificate: read(&set.join("device.pem"))?,
            authority: read(&set.join("ca.pem"))?,
            not_before_ms: about.not_before_ms,
            not_after_ms: about.not_after_ms,
        }))
    }

    /// Keeps a set in a slot: all of it is on disk before the slot points to it.
    ///
    /// # Errors
    /// A [`TrustFolderFault`]; what was in the slot is in it still.
    pub fn keep(&self, slot: Slot, identity: &Identity) -> Result<(), TrustFolderFault> {
        self.keep_until(slot, identity, Step::Done)
    }

    /// As [`Self::keep`], up to a step: what a power cut there leaves.
    fn keep_until(
        &self,
        slot: Slot,
        identity: &Identity,
        last: Step,
    ) -> Result<(), TrustFolderFault> {
        if !self.path.exists() {
            DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(&self.path)
                .map_err(at(&self.path))?;
            let parent = self.path.parent().filter(|one| *one != Path::new(""));
            sync(parent.unwrap_or(Path::new(".")))?;
        }
        let name = self.new_name()?;
        let set = self.path.join(&name);
        DirBuilder::new()
            .mode(0o700)
            .create(&set)
            .map_err(at(&set))?;
        let about = About {
            format: 1,
            device: identity.device,
            name: identity.name.clone(),
            role: identity.role.clone(),
            not_before_ms: identity.not_before_ms,
            not_after_ms: identity.not_after_ms,
        };
        let path = set.join("device.toml");
        let about = toml::to_string(&about).map_err(|_| TrustFolderFault::Form(path.clone()))?;
        write(&set.join("device.key"), &identity.key, 0o600)?;
        if last == Step::Key {
            return Ok(());
        }
        write(&set.join("device.pem"), &identity.certificate, 0o644)?;
        write(&set.join("ca.pem"), &identity.authority, 0o644)?;
        write(&path, &about, 0o644)?;
        sync(&set)?;
        sync(&self.path)?;
        if last == Step::Set {
            return Ok(());
        }
        let partial = self.path.join(format!("{}.part", slot.file()));
        kept::remove(&partial).map_err(at(&partial))?;
        write(&partial, &name, 0o644)?;
        if last == Step::Partial {
            return Ok(());
        }
        let pointer = self.path.join(slot.file());
        fs::rename(&partial, &pointer).map_err(at(&pointer))?;
        sync(&self.path)?;
        self.clear();
        Ok(())
    }

    /// The next set is the one in force from here on.
    ///
    /// # Errors
    /// A [`TrustFolderFault`].
    pub fn promote(&self) -> Result<(), TrustFolderFault> {
        let current = self.path.join(Slot::Current.file());
        fs::rename(self.path.join(Slot::Next.file()), &current).map_err(at(&current))?;
        sync(&self.path)?;
        self.clear();
        Ok(())
    }

    /// The next set will never be in force.
    ///
    /// # Errors
    /// A [`TrustFolderFault`].
    pub fn drop_next(&self) -> Result<(), TrustFolderFault> {
        let next = self.path.join(Slot::Next.file());
        fs::remove_file(&next).map_err(at(&next))?;
        sync(&self.path)?;
        self.clear();
        Ok(())
    }

    fn sets(&self) -> Result<Vec<String>, TrustFolderFault> {
        let entries = fs::read_dir(&self.path).map_err(at(&self.path))?;
        Ok(entries
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter(|name| name.starts_with("set-"))
            .collect())
    }

    /// A name above every other.
    fn new_name(&self) -> Result<String, TrustFolderFault> {
        let highest = self
            .sets()?
            .iter()
            .filter_map(|name| name.strip_prefix("set-")?.parse::<u32>().ok())
            .max();
        Ok(format!("set-{:04}", highest.map_or(1, |one| one + 1)))
    }

    /// Takes away the sets that nothing points to. What cannot be taken away now is next time.
    fn clear(&self) {
        let kept = [Slot::Current, Slot::Next].map(|slot| self.set_of(slot));
        let [Ok(current), Ok(next)] = kept else {
            return;
        };
        for name in self.sets().unwrap_or_default() {
            if Some(&name) != current.as_ref() && Some(&name) != next.as_ref() {
                let _ = fs::remove_dir_all(self.path.join(name));
            }
        }
    }
}

/// How far [`TrustFolder::keep`] has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    #[cfg_attr(not(test), allow(dead_code, reason = "tests stop there"))]
    Key,
    #[cfg_attr(not(test), allow(dead_code, reason = "tests stop there"))]
    Set,
    #[cfg_attr(not(test), allow(dead_code, reason = "tests stop there"))]
    Partial,
    Done,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity(device: u32) -> Identity {
        Identity {
            device,
            name: format!("T{device:02}"),
            role: "counter".to_owned(),
            key: Zeroizing::new(format!("key {device}")),
            certificate: format!("certificate {device}"),
            authority: "authority".to_owned(),
            not_before_ms: 0,
            not_after_ms: 90,
        }
    }

    fn folder() -> (tempfile::TempDir, TrustFolder) {
        let parent = tempfile::tempdir().unwrap();
        let folder = TrustFolder::new(parent.path().join("trust"));
        (parent, folder)
    }

    fn device(folder: &TrustFolder, slot: Slot) -> Option<(u32, String)> {
        let read = folder.read(slot).unwrap()?;
        assert_eq!(read.certificate, format!("certificate {}", read.device));
        Some((read.device, read.key.to_string()))
    }

    #[test]
    fn a_power_cut_leaves_the_old_set_or_the_new_one() {
        let (_parent, folder) = folder();
        assert!(device(&folder, Slot::Current).is_none());
        for step in [Step::Key, Step::Set, Step::Partial] {
            folder
                .keep_until(Slot::Current, &identity(1), step)
                .unwrap();
            assert!(device(&folder, Slot::Current).is_none(), "{step:?}");
        }
        folder.keep(Slot::Current, &identity(1)).unwrap();
        for step in [Step::Key, Step::Set, Step::Partial] {
            folder
                .keep_until(Slot::Current, &identity(2), step)
                .unwrap();
            let kept = device(&folder, Slot::Current).unwrap();
            assert_eq!(kept, (1, "key 1".to_owned()), "{step:?}");
        }
        folder.keep(Slot::Current, &identity(2)).unwrap();
        assert_eq!(device(&folder, Slot::Current).unwrap().0, 2);
        assert_eq!(folder.sets().unwrap().len(), 1, "old keys are taken away");
    }

    #[test]
    fn the_next_set_takes_the_place_of_the_one_in_force() {
        let (_parent, folder) = folder();
        folder.keep(Slot::Current, &identity(1)).unwrap();
        folder.keep(Slot::Next, &identity(2)).unwrap();
        assert_eq!(device(&folder, Slot::Current).unwrap().0, 1);
        folder.drop_next().unwrap();
        assert!(device(&folder, Slot::Next).is_none());
        folder.keep(Slot::Next, &identity(3)).unwrap();
        folder.promote().unwrap();
        assert_eq!(device(&folder, Slot::Current).unwrap().0, 3);
        assert!(device(&folder, Slot::Next).is_none());
    }

    #[test]
    fn a_key_that_others_can_read_is_refused() {
        let (_parent, folder) = folder();
        folder.keep(Slot::Current, &identity(1)).unwrap();
        let key = folder.path().join("set-0001/device.key");
        let mode = fs::metadata(&key).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        fs::set_permissions(&key, fs::Permissions::from_mode(0o640)).unwrap();
        assert!(matches!(
            folder.read(Slot::Current),
            Err(TrustFolderFault::Mode(_))
        ));
    }

    #[test]
    fn a_third_of_the_life_is_when_it_is_due() {
        let identity = identity(1);
        assert!(!identity.is_due(60));
        assert!(identity.is_due(61));
        assert!(!identity.has_ended(90));
        assert!(identity.has_ended(91));
    }
}
