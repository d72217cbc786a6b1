//! The data folder: its house file, its database, its lock.

use std::fs::File;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use keno_book::toml_faults::{FileFault, text_of};
use keno_central::alarm::{fatal, program_of};
use keno_record::clock::SystemClock;
use keno_record::keys::KeysPlace;
use keno_record::record::{LOCK_FILE, OpenRecordFault, keys_path, lock_folder};
use keno_record::store::log;
use keno_schema::{Connection, Database};
use keno_service::Central;
use keno_service::central::{OpenCentralFault, Options};
use keno_service::house_file::HouseFile;

use super::fail::{advised, locked};
use super::note;

/// Where a central that runs says its address, for the commands that ask it.
const ADDRESS_FILE: &str = "central.address";

/// Says where central listens on its own machine. The file of a central that has ended means
/// nothing: it is read only while another program holds the lock.
///
/// # Errors
/// When the data folder cannot be written.
pub fn say_address(data: &Path, address: SocketAddr) -> anyhow::Result<()> {
    let path = data.join(ADDRESS_FILE);
    std::fs::write(&path, address.to_string())
        .with_context(|| format!("{} cannot be written", path.display()))
}

/// Name of the house file.
pub const HOUSE_FILE: &str = "house.toml";

/// A data folder whose house file was judged.
pub struct Folder {
    /// The folder.
    pub path: PathBuf,
    /// What is not a rule.
    pub house: HouseFile,
}

impl Folder {
    /// Reads `house.toml`; prints each of its faults.
    ///
    /// # Errors
    /// When it is absent or faulty.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let file = path.join(HOUSE_FILE);
        let bytes = match std::fs::read(&file) {
            Ok(bytes) => bytes,
            Err(fault) if fault.kind() == std::io::ErrorKind::NotFound => {
                return Err(advised(
                    format!("{} is not there", file.display()),
                    &[
                        "is --data the folder that you mean?",
                        "`keno-central init` makes a house, `keno-central demo` one to try",
                    ],
                ));
            }
            Err(fault) => {
                return Err(fault).with_context(|| format!("{} cannot be read", file.display()));
            }
        };
        match text_of(&bytes).and_then(HouseFile::read) {
            Ok(house) => Ok(Self {
                path: path.to_owned(),
                house,
            }),
            Err(faults) => {
                for fault in &faults {
                    note(&fault_text(&file, fault));
                }
                let count = faults.len();
                Err(advised(
                    format!("{} has {count} fault{}", file.display(), plural(count)),
                    &["each line above says where, and what is expected there"],
                ))
            }
        }
    }

    /// Where the record is.
    ///
    /// # Errors
    /// When there is no record yet: reading must not make one.
    pub fn database(&self) -> anyhow::Result<Database> {
        match Database::parse(&self.house.database_url) {
            Database::Sqlite(file) => {
                let file = self.path.join(file);
                if !file.exists() {
                    return Err(advised(
                        format!("there is no record at {}", file.display()),
                        &["`keno-central init` or `serve` begins one"],
                    ));
                }
                Ok(Database::Sqlite(file))
            }
            other => Ok(other),
        }
    }

    /// A connection that only reads.
    ///
    /// # Errors
    /// When the record is not there or cannot be opened.
    pub fn reader(&self) -> anyhow::Result<Connection> {
        let mut reader = self
            .database()?
            .open_reader()
            .context("the record cannot be opened")?;
        log::must_know_every_kind(&mut reader)?;
        Ok(reader)
    }

    /// The anchor files.
    pub fn anchors(&self) -> Vec<PathBuf> {
        std::iter::once(&self.house.anchors_file)
            .chain(&self.house.anchors_extra)
            .map(|file| self.path.join(file))
            .collect()
    }

    /// Where the central that runs listens on its own machine.
    pub fn address(&self) -> SocketAddr {
        std::fs::read_to_string(self.path.join(ADDRESS_FILE))
            .ok()
            .and_then(|text| text.trim().parse().ok())
            .unwrap_or(self.house.listen)
    }

    /// Where the server's keys are.
    ///
    /// # Errors
    /// When house.toml names a credential that was not handed over.
    pub fn keys(&self) -> anyhow::Result<KeysPlace> {
        let Some(setting) = &self.house.keys_file else {
            return Ok(KeysPlace::File(keys_path(&self.path)));
        };
        match keno_daemon::credential::named(setting) {
            None => Ok(KeysPlace::File(self.path.join(setting))),
            Some(Ok(path)) => Ok(KeysPlace::Credential(path)),
            Some(Err(fault)) => Err(advised(
                format!("keys.file of {HOUSE_FILE}: {fault}"),
                &["under systemd's units, `boulier-central COMMAND` hands it over"],
            )),
        }
    }

    /// Takes the lock that central holds while it runs; given back when the file is dropped.
    ///
    /// # Errors
    /// When central runs.
    pub fn lock(&self) -> anyhow::Result<File> {
        lock_folder(&self.path).map_err(|fault| advised_of(fault.into(), self.address()))
    }

    /// Whether a central is at work on this folder; asked once, as of this moment.
    pub fn is_held(&self) -> bool {
        File::open(self.path.join(LOCK_FILE)).is_ok_and(|file| file.try_lock().is_err())
    }

    /// Opens central, without the conductor.
    ///
    /// # Errors
    /// When another central runs, or the past is doubtful.
    pub fn open(self) -> anyhow::Result<Arc<Central>> {
        self.open_with(|_| {})
    }

    /// As [`Self::open`], with `change` made to the options before.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_with(self, change: impl FnOnce(&mut Options)) -> anyhow::Result<Arc<Central>> {
        let listen = self.address();
        let clock = Arc::new(SystemClock::new());
        let alarm = self.house.alarm_command.as_deref();
        let program = alarm.map(|text| program_of(text, &self.path));
        let fatal = fatal(program, &self.house.code);
        let keys = self.keys()?;
        let mut options = Options::new(self.path, self.house, clock);
        options.fatal = Some(fatal);
        options.keys = Some(keys);
        change(&mut options);
        Central::open(options).map_err(|fault| advised_of(fault, listen))
    }
}

fn advised_of(fault: OpenCentralFault, listen: SocketAddr) -> anyhow::Error {
    match fault {
        OpenCentralFault::Record(OpenRecordFault::Locked(folder)) => locked(&folder, listen),
        fault => fault.into(),
    }
}

/// `FILE:LINE: place: what`, in English and then in French.
pub fn fault_text<Kind>(file: &Path, fault: &FileFault<Kind>) -> String {
    let place = if fault.place.is_empty() {
        String::new()
    } else {
        format!("{}: ", fault.place)
    };
    format!(
        "{}:{}: {place}{}\n    {}",
        file.display(),
        fault.line,
        fault.detail.en,
        fault.detail.fr
    )
}

/// An `s` for any number but one.
pub fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
