//! The key of a host: Ed25519 (RFC 8032), made on the host and never elsewhere. It speaks for the
//! host in TLS and signs what the host says of a draw.

use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use keno_daemon::private::WholeFile;
use keno_log::checkpoint::{KeyFault, Note, SigningKey, VerifyingKey};
use zeroize::Zeroizing;

/// Name of the key's file in a host's folder.
pub const KEY_FILE: &str = "host.key";

/// The key cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum HostKeyFault {
    /// The file cannot be read or written.
    #[error("{path} cannot be used")]
    File {
        /// Its path.
        path: String,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The name of the host, or what the file holds, is no key.
    #[error("no key can be made of it")]
    Key(#[from] KeyFault),
    /// The operating system gives no random bytes.
    #[error("the operating system gives no random bytes")]
    Entropy,
}

/// A host's key, with the name of the host.
#[derive(Clone)]
pub struct HostKey {
    seed: Zeroizing<[u8; 32]>,
    signing: SigningKey,
}

impl std::fmt::Debug for HostKey {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.signing.name())
    }
}

impl HostKey {
    /// The key of host `name` from its 32 secret bytes.
    ///
    /// # Errors
    /// [`HostKeyFault::Key`] for a name that a key cannot have.
    pub fn from_seed(name: &str, seed: [u8; 32]) -> Result<Self, HostKeyFault> {
        let seed = Zeroizing::new(seed);
        let signing = SigningKey::from_seed(name, &seed)?;
        Ok(Self { seed, signing })
    }

    /// Central's key on the line, from its 32 secret bytes.
    ///
    /// # Errors
    /// Never in practice: the name is one that a key can have.
    pub fn of_central(seed: [u8; 32]) -> Result<Self, HostKeyFault> {
        Self::from_seed("central", seed)
    }

    /// The key in `folder`.
    ///
    /// # Errors
    /// [`HostKeyFault`], also when there is none.
    pub fn read(folder: &Path, name: &str) -> Result<Self, HostKeyFault> {
        let path = folder.join(KEY_FILE);
        let mode = fs::metadata(&path).map(|about| about.permissions().mode());
        if mode.is_ok_and(|mode| mode & 0o077 != 0) {
            return Err(HostKeyFault::File {
                path: path.display().to_string(),
                source: io::Error::new(
                    io::ErrorKind::PermissionDenied,
                    "others than its owner may read it: chmod 600 it",
                ),
            });
        }
        Self::read_file(&path, name)
    }

    /// The key in a file that systemd hands over, whoever may seem to read it.
    ///
    /// # Errors
    /// [`HostKeyFault`].
    pub fn read_file(path: &Path, name: &str) -> Result<Self, HostKeyFault> {
        let file = |source| HostKeyFault::File {
            path: path.display().to_string(),
            source,
        };
        let text = Zeroizing::new(fs::read_to_string(path).map_err(file)?);
        let mut seed = [0; 32];
        hex::decode_to_slice(text.trim_end(), &mut seed)
            .map_err(|cause| file(io::Error::new(io::ErrorKind::InvalidData, cause)))?;
        Self::from_seed(name, seed)
    }

    /// The key in `folder`, made if there is none.
    ///
    /// # Errors
    /// [`HostKeyFault`].
    pub fn read_or_make(folder: &Path, name: &str) -> Result<Self, HostKeyFault> {
        let path = folder.join(KEY_FILE);
        if path.exists() {
            return Self::read(folder, name);
        }
        let mut seed = [0; 32];
        getrandom::fill(&mut seed).map_err(|_| HostKeyFault::Entropy)?;
        let key = Self::from_seed(name, seed)?;
        let write = || {
            fs::create_dir_all(folder)?;
            let mut whole = WholeFile::new(&path)?;
            let text = Zeroizing::new(hex::encode(key.seed.as_slice()));
            writeln!(whole.file, "{}", text.as_str())?;
            whole.finish()
        };
        write().map_err(|source| HostKeyFault::File {
            path: path.display().to_string(),
            source,
        })?;
        Ok(key)
    }

    /// Its public half, with the name of the host.
    #[must_use]
    pub fn verifying_key(&self) -> &VerifyingKey {
        self.signing.verifying_key()
    }

    /// The 32 secret bytes, for TLS.
    pub(crate) fn seed(&self) -> &[u8; 32] {
        &self.seed
    }

    /// The key itself, for what is no note of its own.
    #[must_use]
    pub const fn signing(&self) -> &SigningKey {
        &self.signing
    }

    /// The signature line under `text` (C2SP signed note). Empty for a text that no note can have,
    /// which nobody here makes.
    #[must_use]
    pub fn sign(&self, text: &str) -> String {
        Note::sign(text, &self.signing).map_or_else(
            |_| String::new(),
            |note| note.signatures().iter().map(ToString::to_string).collect(),
        )
    }
}
