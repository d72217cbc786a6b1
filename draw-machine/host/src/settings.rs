//! The settings file of a host.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use keno_line::settings::{Key, SettingsFault, read};
use keno_log::beacon::Beacon;
use serde::Deserialize;

/// What a host is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// It draws.
    Machine,
    /// It holds secrets.
    Holder,
}

/// A public beacon by its text: scheme, name, moment of round 1, period, key.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct BeaconText(pub Beacon);

impl TryFrom<String> for BeaconText {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Beacon::parse(&text)
            .map(Self)
            .map_err(|fault| format!("{text:?} is no beacon: {fault}"))
    }
}

/// What a settings file says.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// What the host is.
    pub part: Role,
    /// Name of the host, as people know the place; it is in the record and in each transcript.
    pub host: String,
    /// Code of the house, as in its `house.toml`.
    pub house: String,
    /// Of a holder: its name, as in `house.toml`.
    #[serde(default)]
    pub holder: Option<String>,
    /// Where it listens for central.
    pub listen: SocketAddr,
    /// Where key and journal are.
    pub folder: PathBuf,
    /// The host's key, as `credential:NAME` that systemd hands over; `host.key` in the folder otherwise.
    #[serde(default)]
    pub key: Option<PathBuf>,
    /// Of a holder: where its journal is a second time, on another disk or host.
    #[serde(default)]
    pub second_folder: Option<PathBuf>,
    /// Central's key on this line.
    pub central: Key,
    /// The key of the game log.
    pub log: Key,
    /// Of a machine: the keys of the holders' hosts, by the names of the holders.
    #[serde(default)]
    pub holders: BTreeMap<String, Key>,
    /// Of a machine: the public beacons among the holders, by the names of the holders.
    #[serde(default)]
    pub beacons: BTreeMap<String, BeaconText>,
}

impl Settings {
    /// Reads and judges the file at `path`; folders in it are meant from where it lies.
    ///
    /// # Errors
    /// [`SettingsFault`].
    pub fn read(path: &Path) -> Result<Self, SettingsFault> {
        let mut settings: Self = read(path)?;
        if let Some(what) = settings.unfit() {
            let path = path.display().to_string();
            return Err(SettingsFault::Unfit { path, what });
        }
        let from = path.parent().unwrap_or(Path::new("."));
        settings.folder = from.join(&settings.folder);
        settings.second_folder = settings.second_folder.map(|folder| from.join(folder));
        Ok(settings)
    }

    fn unfit(&self) -> Option<&'static str> {
        match self.part {
            Role::Holder => {
                if self.holder.is_none() {
                    return Some("a holder needs its name: holder = \"…\"");
                }
                if !self.holders.is_empty() || !self.beacons.is_empty() {
                    return Some("the keys of the holders are for a machine");
                }
                match &self.second_folder {
                    None => Some("a holder needs a second_folder, on another disk or host"),
                    Some(second) if *second == self.folder => {
                        Some("folder and second_folder are one folder")
                    }
                    Some(_) => None,
                }
            }
            Role::Machine => {
                if self.holder.is_some() || self.second_folder.is_some() {
                    return Some("holder and second_folder are for a holder");
                }
                let mut beacons = self.beacons.keys();
                if beacons.any(|name| self.holders.contains_key(name)) {
                    return Some("a holder is a host or a beacon, and not both");
                }
                self.holders
                    .is_empty()
                    .then_some("a machine needs the keys of the holders: [holders]")
            }
        }
    }
}
