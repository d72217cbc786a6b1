//! The command line of central's own machine, as it asks a central that runs: it shows a key that
//! stands in the data folder, so whoever cannot read that folder is not the console.

use std::fs::{OpenOptions, Permissions};
use std::io::Write;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;

use keno_record::chance;
use subtle::ConstantTimeEq;

/// Header of the console's key.
pub const CONSOLE_HEADER: &str = "Boulier-Console";
/// File in the data folder; made anew at each start.
pub const CONSOLE_FILE: &str = "console.key";

/// The key of this run.
pub struct Console(String);

impl std::fmt::Debug for Console {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Console")
    }
}

impl Console {
    /// Makes a key and leaves it in the data folder, for the account of central alone.
    ///
    /// # Errors
    /// When there is no entropy, or the file cannot be written.
    pub fn open(folder: &Path) -> std::io::Result<Self> {
        let key = hex::encode(chance::bytes().map_err(std::io::Error::other)?.as_slice());
        let path = folder.join(CONSOLE_FILE);
        let mut file = OpenOptions::new()
            .create(true)
            .truncate(true)
            .write(true)
            .mode(0o600)
            .open(&path)?;
        // One that was there keeps its mode otherwise.
        file.set_permissions(Permissions::from_mode(0o600))?;
        file.write_all(key.as_bytes())?;
        Ok(Self(key))
    }

    /// Whether this is the key.
    pub fn is(&self, given: &[u8]) -> bool {
        self.0.as_bytes().ct_eq(given).into()
    }
}
