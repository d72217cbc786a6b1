//! Why a backup, or a restore from one, was not made: closed, in the order in which it is judged.

use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};

use keno_book::toml_faults::Words;
use keno_record::fault::Fault;
use keno_record::record::OpenRecordFault;
use keno_words::{Say, backup};

use super::RebuildFault;
use crate::Stop;
use crate::central::OpenCentralFault;

/// Why a backup was not made or not taken. Nothing is left under its final name.
#[derive(Debug)]
pub enum BackupFault {
    /// Keys lie in, above or below the folder of the record's backup.
    KeysBesideRecord(PathBuf),
    /// A record lies in, above or below the folder of the keys' backup.
    RecordBesideKeys(PathBuf),
    /// The folder to make is there.
    TargetExists(PathBuf),
    /// There is no leaf to back up.
    Empty,
    /// The folder is no backup.
    ManifestAbsent(PathBuf),
    /// The manifest cannot be read.
    ManifestUnreadable(PathBuf),
    /// Another version of this program made the backup.
    OtherFormat(PathBuf, u8),
    /// A file of the manifest is not there.
    FileAbsent(String),
    /// A file is not what the manifest says.
    FileChanged(String),
    /// A file is there that the manifest does not name.
    FileUnknown(String),
    /// The record does not hold.
    RecordWrong(String),
    /// The manifest is that of another record.
    OtherManifest(&'static str),
    /// There are no keys.
    KeysAbsent(PathBuf),
    /// The keys were changed.
    KeysChanged(String),
    /// The keys are not those of the record.
    OtherKeys(PathBuf),
    /// There is no house file.
    HouseAbsent(PathBuf),
    /// The house file is of another house, or faulty.
    OtherHouse(String),
    /// An anchor contradicts the backup.
    OtherLog {
        /// The anchor file.
        file: PathBuf,
        /// Leaves at the anchor.
        size: u64,
    },
    /// An anchor file that the house names knows of more than the backup and was not given.
    AnchorsAhead(PathBuf),
    /// The database to restore into is not empty.
    DatabaseTaken,
    /// The tables could not be made.
    Tables(RebuildFault),
    /// Central could not be opened on the copy.
    Open(OpenCentralFault),
    /// The rules say no.
    Stopped(Stop),
    /// A file cannot be read or written.
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Something else failed.
    Fault(Fault),
}

impl BackupFault {
    /// The stable name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::KeysBesideRecord(_) => "keys_beside_record",
            Self::RecordBesideKeys(_) => "record_beside_keys",
            Self::TargetExists(_) => "target_exists",
            Self::Empty => "record_empty",
            Self::ManifestAbsent(_) => "manifest_absent",
            Self::ManifestUnreadable(_) => "manifest_unreadable",
            Self::OtherFormat(..) => "other_format",
            Self::FileAbsent(_) => "file_absent",
            Self::FileChanged(_) => "file_changed",
            Self::FileUnknown(_) => "file_unknown",
            Self::RecordWrong(_) => "record_wrong",
            Self::OtherManifest(_) => "other_manifest",
            Self::KeysAbsent(_) => "keys_absent",
            Self::KeysChanged(_) => "keys_changed",
            Self::OtherKeys(_) => "other_keys",
            Self::HouseAbsent(_) => "house_absent",
            Self::OtherHouse(_) => "other_house",
            Self::OtherLog { .. } => "other_log",
            Self::AnchorsAhead(_) => "anchors_ahead",
            Self::DatabaseTaken => "database_taken",
            Self::Tables(_) => "tables",
            Self::Open(_) => "open",
            Self::Stopped(_) => "stopped",
            Self::File { .. } => "file",
            Self::Fault(_) => "fault",
        }
    }

    /// What people can set right, and how; nothing of what broke.
    pub fn words(&self) -> Option<Words> {
        let words: &dyn Say = match self {
            Self::KeysBesideRecord(path) => &backup::KeysBesideRecord { path },
            Self::RecordBesideKeys(path) => &backup::RecordBesideKeys { path },
            Self::TargetExists(path) => &backup::TargetExists { path },
            Self::Empty => &backup::Empty,
            Self::ManifestAbsent(path) => &backup::ManifestAbsent { path },
            Self::ManifestUnreadable(path) => &backup::ManifestUnreadable { path },
            Self::OtherFormat(path, format) => &backup::OtherFormat { path, format },
            Self::FileAbsent(file) => &backup::FileAbsent { file },
            Self::FileChanged(file) => &backup::FileChanged { file },
            Self::FileUnknown(file) => &backup::FileUnknown { file },
            Self::RecordWrong(what) => &backup::RecordWrong { what },
            Self::OtherManifest(what) => &backup::OtherManifest { what },
            Self::KeysAbsent(path) => &backup::KeysAbsent { path },
            Self::KeysChanged(file) => &backup::KeysChanged { file },
            Self::OtherKeys(path) => &backup::OtherKeys { path },
            Self::HouseAbsent(path) => &backup::HouseAbsent { path },
            Self::OtherHouse(what) => &backup::OtherHouse { what },
            Self::OtherLog { file: path, size } => &backup::OtherLog { path, size },
            Self::AnchorsAhead(path) => &backup::AnchorsAhead { path },
            Self::DatabaseTaken => &backup::DatabaseTaken,
            Self::Tables(_)
            | Self::Open(_)
            | Self::Stopped(_)
            | Self::File { .. }
            | Self::Fault(_) => return None,
        };
        Some(Words::of(words))
    }

    /// A fault of a file.
    pub(super) fn at(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::File { path, source }
    }
}

impl fmt::Display for BackupFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tables(_) => formatter.write_str("the tables cannot be made from the leaves"),
            Self::Open(fault) => fault.fmt(formatter),
            Self::Stopped(_) => formatter.write_str("refused"),
            Self::File { path, .. } => write!(formatter, "{} cannot be used", path.display()),
            Self::Fault(fault) => fault.fmt(formatter),
            _ => formatter.write_str(&self.words().map_or_else(String::new, |words| words.en)),
        }
    }
}

impl Error for BackupFault {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Tables(fault) => Some(fault),
            // These two say themselves.
            Self::Open(fault) => fault.source(),
            Self::Fault(fault) => fault.source(),
            Self::Stopped(stop) => Some(stop),
            Self::File { source, .. } => Some(source),
            _ => None,
        }
    }
}

impl From<RebuildFault> for BackupFault {
    fn from(fault: RebuildFault) -> Self {
        Self::Tables(fault)
    }
}

impl From<OpenCentralFault> for BackupFault {
    fn from(fault: OpenCentralFault) -> Self {
        Self::Open(fault)
    }
}

impl From<Stop> for BackupFault {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

impl From<Fault> for BackupFault {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl From<diesel::result::Error> for BackupFault {
    fn from(fault: diesel::result::Error) -> Self {
        Self::Fault(fault.into())
    }
}

impl From<keno_schema::OpenFault> for BackupFault {
    fn from(fault: keno_schema::OpenFault) -> Self {
        Self::Open(OpenRecordFault::from(fault).into())
    }
}

impl From<keno_schema::migrate::MigrateFault> for BackupFault {
    fn from(fault: keno_schema::migrate::MigrateFault) -> Self {
        Self::Open(OpenRecordFault::from(fault).into())
    }
}

impl From<keno_record::keys::KeysFault> for BackupFault {
    fn from(fault: keno_record::keys::KeysFault) -> Self {
        Self::Open(OpenRecordFault::from(fault).into())
    }
}
