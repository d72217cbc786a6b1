//! The settings file of a follower.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use keno_line::settings::{Key, SettingsFault, read};
use serde::Deserialize;

/// What a settings file says.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Name of the host, as people know the place; it stands in the record.
    pub host: String,
    /// Code of the house, as in its `house.toml`.
    pub house: String,
    /// Where it listens for central.
    pub listen: SocketAddr,
    /// Where key and copy are.
    pub folder: PathBuf,
    /// The host's key, as `credential:NAME` that systemd hands over; `host.key` in the folder otherwise.
    #[serde(default)]
    pub key: Option<PathBuf>,
    /// Central's key on this line.
    pub central: Key,
    /// The key of the game log.
    pub log: Key,
}

impl Settings {
    /// Reads the file at `path`; the folder in it is meant from where it lies.
    ///
    /// # Errors
    /// [`SettingsFault`].
    pub fn read(path: &Path) -> Result<Self, SettingsFault> {
        let mut settings: Self = read(path)?;
        let from = path.parent().unwrap_or(Path::new("."));
        settings.folder = from.join(&settings.folder);
        Ok(settings)
    }
}
