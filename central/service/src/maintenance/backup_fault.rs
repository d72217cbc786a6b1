//! Why a backup, or a restore from one, was not made: closed, in the order in which it is judged.

use std::path::{Path, PathBuf};

use keno_record::fault::Fault;
use keno_record::record::OpenRecordFault;
use thiserror::Error;

use super::RebuildFault;
use crate::Stop;
use crate::central::OpenCentralFault;

/// Why a backup was not made or not taken. Nothing is left under its final name.
#[derive(Debug, Error)]
pub enum BackupFault {
    /// Keys lie in, above or below the folder of the record's backup.
    #[error("keys lie in {0}: record and keys are never kept in one place. Give another folder")]
    KeysBesideRecord(PathBuf),
    /// A record lies in, above or below the folder of the keys' backup.
    #[error(
        "a record lies in {0}: keys and record are never kept in one place. Give another folder"
    )]
    RecordBesideKeys(PathBuf),
    /// The folder to make is there.
    #[error("{0} is there already: nothing is written over it. Give a folder that is not there")]
    TargetExists(PathBuf),
    /// There is no leaf to back up.
    #[error("the record is empty: there is nothing to back up")]
    Empty,
    /// The folder is no backup.
    #[error("{0} has no manifest: it is no backup, or not a whole one. Take another backup")]
    ManifestAbsent(PathBuf),
    /// The manifest cannot be read.
    #[error("the manifest of {0} cannot be read: it was changed. Take another backup")]
    ManifestUnreadable(PathBuf),
    /// Another version of this program made the backup.
    #[error(
        "the backup in {0} is of format {1}, of another version of this program: restore it with that version"
    )]
    OtherFormat(PathBuf, u8),
    /// A file of the manifest is not there.
    #[error("{0} of the backup is missing. Take another backup")]
    FileAbsent(String),
    /// A file is not what the manifest says.
    #[error(
        "{0} of the backup is not what the manifest says: it was cut or changed. Take another backup"
    )]
    FileChanged(String),
    /// A file is there that the manifest does not name.
    #[error("{0} is in the backup and not in its manifest. Take another backup")]
    FileUnknown(String),
    /// The record does not hold.
    #[error("the record of the backup does not hold ({0}). Take another backup")]
    RecordWrong(String),
    /// The manifest is that of another record.
    #[error("the manifest is of another backup: {0} differs. Take another backup")]
    OtherManifest(&'static str),
    /// There are no keys.
    #[error("there is no keys.toml in {0}. Give the folder of the keys' backup")]
    KeysAbsent(PathBuf),
    /// The keys were changed.
    #[error(
        "{0} of the keys' backup is not what its manifest says. Take another backup of the keys"
    )]
    KeysChanged(String),
    /// The keys are not those of the record.
    #[error(
        "the keys in {0} are not those that this record was begun with. Give the keys of this house"
    )]
    OtherKeys(PathBuf),
    /// There is no house file.
    #[error("there is no house.toml in {0}, and none was given. Give one with --house")]
    HouseAbsent(PathBuf),
    /// The house file is of another house, or faulty.
    #[error("the house file is not of this record: {0}")]
    OtherHouse(String),
    /// An anchor contradicts the backup.
    #[error(
        "{file} proves that another log was published at leaf {size}: this backup is not of the log that it anchors. Keep both as evidence and call the audit office"
    )]
    OtherLog {
        /// The anchor file.
        file: PathBuf,
        /// Leaves at the anchor.
        size: u64,
    },
    /// An anchor file that the house names knows of more than the backup and was not given.
    #[error(
        "house.toml names {0}, which knows of leaves that the backup does not hold. Give it with --anchor, if they are lost; if this is a drill, name another file in house.toml"
    )]
    AnchorsAhead(PathBuf),
    /// The database to restore into is not empty.
    #[error("the database that house.toml names holds a record already. Name an empty one")]
    DatabaseTaken,
    /// The tables could not be made.
    #[error("the tables cannot be made from the leaves")]
    Tables(#[from] RebuildFault),
    /// Central could not be opened on the copy.
    #[error(transparent)]
    Open(#[from] OpenCentralFault),
    /// The rules say no.
    #[error("refused")]
    Stopped(#[from] Stop),
    /// A file cannot be read or written.
    #[error("{path} cannot be used")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// Something else failed.
    #[error(transparent)]
    Fault(#[from] Fault),
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

    /// The sentence in French, of what people can set right; none of what broke.
    pub fn sentence_fr(&self) -> Option<String> {
        let shown = |path: &Path| path.display().to_string();
        let retake = "Prenez une autre sauvegarde";
        Some(match self {
            Self::KeysBesideRecord(path) => format!(
                "Des clés se trouvent dans {} : le registre et les clés ne sont jamais gardés au même endroit. Donnez un autre dossier",
                shown(path)
            ),
            Self::RecordBesideKeys(path) => format!(
                "Un registre se trouve dans {} : les clés et le registre ne sont jamais gardés au même endroit. Donnez un autre dossier",
                shown(path)
            ),
            Self::TargetExists(path) => format!(
                "{} existe déjà : rien n’est écrit par-dessus. Donnez un dossier qui n’existe pas",
                shown(path)
            ),
            Self::Empty => "Le registre est vide : il n’y a rien à sauvegarder".to_owned(),
            Self::ManifestAbsent(path) => format!(
                "{} n’a pas de manifeste : ce n’est pas une sauvegarde, ou pas une entière. {retake}",
                shown(path)
            ),
            Self::ManifestUnreadable(path) => format!(
                "Le manifeste de {} est illisible : il a été modifié. {retake}",
                shown(path)
            ),
            Self::OtherFormat(path, format) => format!(
                "La sauvegarde de {} est du format {format}, d’une autre version de ce programme : restaurez-la avec cette version",
                shown(path)
            ),
            Self::FileAbsent(file) => format!("{file} manque à la sauvegarde. {retake}"),
            Self::FileChanged(file) => format!(
                "{file} de la sauvegarde n’est pas ce que dit le manifeste : il a été coupé ou modifié. {retake}"
            ),
            Self::FileUnknown(file) => format!(
                "{file} est dans la sauvegarde et non dans son manifeste. {retake}"
            ),
            Self::RecordWrong(what) => {
                format!("Le registre de la sauvegarde ne tient pas ({what}). {retake}")
            }
            Self::OtherManifest(what) => format!(
                "Le manifeste est celui d’une autre sauvegarde : {what} diffère. {retake}"
            ),
            Self::KeysAbsent(path) => format!(
                "Il n’y a pas de keys.toml dans {}. Donnez le dossier de la sauvegarde des clés",
                shown(path)
            ),
            Self::KeysChanged(file) => format!(
                "{file} de la sauvegarde des clés n’est pas ce que dit son manifeste. Prenez une autre sauvegarde des clés"
            ),
            Self::OtherKeys(path) => format!(
                "Les clés de {} ne sont pas celles de ce registre. Donnez les clés de cette maison",
                shown(path)
            ),
            Self::HouseAbsent(path) => format!(
                "Il n’y a pas de house.toml dans {}, et aucun n’a été donné. Donnez-en un avec --house",
                shown(path)
            ),
            Self::OtherHouse(what) => {
                format!("Le fichier de la maison n’est pas celui de ce registre : {what}")
            }
            Self::OtherLog { file, size } => format!(
                "{} prouve qu’un autre journal a été publié à la feuille {size} : cette sauvegarde n’est pas celle de ce journal. Gardez les deux comme preuves et appelez le bureau de vérification",
                shown(file)
            ),
            Self::AnchorsAhead(path) => format!(
                "house.toml nomme {}, qui connaît des feuilles que la sauvegarde n’a pas. Donnez-le avec --anchor, si elles sont perdues ; si c’est un exercice, nommez un autre fichier dans house.toml",
                shown(path)
            ),
            Self::DatabaseTaken => "La base de données que nomme house.toml contient déjà un registre. Nommez-en une qui est vide".to_owned(),
            Self::Tables(_)
            | Self::Open(_)
            | Self::Stopped(_)
            | Self::File { .. }
            | Self::Fault(_) => return None,
        })
    }

    /// A fault of a file.
    pub(super) fn at(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::File { path, source }
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
