//! Backups of the record, made while central serves, and of its keys, kept apart.
//!
//! A backup is a folder: the record as an SQLite file, whatever database it came from; the anchors
//! that it holds against; and a manifest. It is verified before it has its name: what is named as
//! a backup was whole and held when it was made. Secrets are in none of it: not the server's keys,
//! and not the journals of those who hold a draw's secrets, which central never reads.

use std::fs;
use std::path::{Path, PathBuf};

use diesel::prelude::*;
use keno_log::checkpoint::{Checkpoint, VerifyingKey};
use keno_log::{Hash, checkpoint};
use keno_record::fault::Fault;
use keno_record::keys::{KeysPlace, ServerKeys, signing_key};
use keno_record::publish::{epoch_line, read_anchor_file};
use keno_record::record::{origin_of, origin_of_epoch};
use keno_record::store::log;
use keno_schema::migrate::migrate;
use keno_schema::tables::house as house_table;
use keno_schema::{Connection, Database, on};
use serde::{Deserialize, Serialize};

use super::backup_fault::BackupFault;
use super::files;
use super::files::Draft;
use super::transfer::transfer;
use super::verify::verify;
use crate::central::house_file::HouseFile;
use crate::maintenance::epoch::EpochOrder;

/// The record in a backup.
pub const RECORD_FILE: &str = "record.sqlite";
/// The anchors in a backup.
pub const ANCHORS_FILE: &str = "anchors.log";
/// What a backup says of itself.
const MANIFEST_FILE: &str = "manifest.toml";
/// What a backup of keys says of itself.
const KEYS_MANIFEST_FILE: &str = "keys-manifest.toml";
/// Version of the manifest's form, and with it of the record that it describes.
const MANIFEST_FORMAT: u8 = 2;
/// The server's keys.
pub const KEYS_FILE: &str = "keys.toml";
/// What is not a rule; it may hold the database's password, and so goes with the keys.
pub const HOUSE_FILE: &str = "house.toml";
/// The house's own authority for devices, where there is one.
const TRUST_FOLDER: &str = "trust";

/// A file of a backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManifestFile {
    /// Its name.
    pub name: String,
    /// Its length.
    pub bytes: u64,
    /// SHA-256 in hexadecimal.
    pub sha256: String,
}

/// What a backup says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Version of this form: 2.
    pub format: u8,
    /// Short name of the house.
    pub house: String,
    /// When the backup was begun, UTC.
    pub made_at: String,
    /// The same in milliseconds since 1970.
    pub made_at_ms: i64,
    /// Leaves.
    pub size: u64,
    /// Root of their tree in hexadecimal.
    pub root: String,
    /// Epoch of the log.
    pub epoch: u32,
    /// Fencing number of the central that wrote the last leaves.
    pub fence: i64,
    /// The program that made it.
    pub program: String,
    /// Size and root, signed with the house's log key.
    pub checkpoint: String,
    /// Its files.
    pub file: Vec<ManifestFile>,
}

/// What a backup of keys says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeysManifest {
    format: u8,
    house: String,
    made_at: String,
    /// Verifier key of the log, by which keys and record are matched.
    log_key: String,
    file: Vec<ManifestFile>,
}

/// What is to be backed up, and where to.
#[derive(Debug, Clone, Copy)]
pub struct BackupOrder<'a> {
    /// The house.
    pub house: &'a HouseFile,
    /// Its record.
    pub database: &'a Database,
    /// Its anchor files.
    pub anchors: &'a [PathBuf],
    /// Its keys: they sign the manifest's checkpoint.
    pub keys: &'a ServerKeys,
    /// The folder that backups are kept in; made when it is not there.
    pub to: &'a Path,
    /// Now.
    pub now_ms: i64,
}

/// A backup whose files are what its manifest says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Backup {
    /// Its folder.
    pub folder: PathBuf,
    /// What it says of itself.
    pub manifest: Manifest,
}

fn moment(now_ms: i64) -> chrono::DateTime<chrono::Utc> {
    chrono::DateTime::from_timestamp_millis(now_ms).unwrap_or_default()
}

/// A folder that holds one of `names`: `folder` itself, one right below it, or one above it; or
/// a backup of that kind, told by its manifest, right beside it.
fn holds(folder: &Path, names: &[&str], manifest: &str) -> Option<PathBuf> {
    let there = |folder: &Path| {
        let mut names = names.iter().chain([&manifest]);
        names.any(|name| folder.join(name).exists())
    };
    let below = |folder: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).into_iter().flatten();
        let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
        paths.filter(|path| path.is_dir()).collect()
    };
    // A folder that is to be made lies in one that is there.
    let mut known = folder.to_owned();
    while !known.exists() && known.pop() {}
    let whole = fs::canonicalize(&known).unwrap_or(known);
    if let Some(above) = whole.ancestors().find(|folder| there(folder)) {
        return Some(above.to_owned());
    }
    let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let beside = absolute.parent().map(below).unwrap_or_default();
    let mut backups = beside.into_iter().filter(|it| it.join(manifest).exists());
    below(folder)
        .into_iter()
        .find(|folder| there(folder))
        .or_else(|| backups.next())
}

fn listed(folder: &Path, name: &str) -> Result<ManifestFile, BackupFault> {
    let path = folder.join(name);
    let (bytes, sha256) = files::hash_of(&path).map_err(BackupFault::at(&path))?;
    Ok(ManifestFile {
        name: name.to_owned(),
        bytes,
        sha256: hex::encode(sha256),
    })
}

fn written<T: Serialize>(
    folder: &Path,
    name: &str,
    manifest: &T,
    mode: u32,
) -> Result<(), BackupFault> {
    let path = folder.join(name);
    let text = toml::to_string(manifest).map_err(|_| Fault::Crypto("the manifest"))?;
    files::write_new(&path, text.as_bytes(), mode).map_err(BackupFault::at(&path))
}

impl BackupOrder<'_> {
    /// Backs the record up, verifies the copy, and gives it its name. Central may serve meanwhile: it
    /// is read on a connection of this call's own, at one moment, and the writer never waits for it.
    ///
    /// # Errors
    /// [`BackupFault`]; then nothing has the name of a backup.
    pub fn write(&self) -> Result<Backup, BackupFault> {
        if let Some(folder) = holds(self.to, &[KEYS_FILE], KEYS_MANIFEST_FILE) {
            return Err(BackupFault::KeysBesideRecord(folder));
        }
        files::make_folder(self.to).map_err(BackupFault::at(self.to))?;
        let at = moment(self.now_ms);
        let name = format!("keno-{}-{}", self.house.code, at.format("%Y%m%dT%H%M%SZ"));
        let part = self.to.join(format!("{name}.part"));
        let draft = Draft::new(&part).map_err(BackupFault::at(&part))?;

        let record = part.join(RECORD_FILE);
        copy_record(self.database, &record)?;
        let (size, root, epoch, fence) = {
            let mut copy = Database::Sqlite(record.clone()).open_reader()?;
            let (head, _) = log::head(&mut copy)?.ok_or(BackupFault::Empty)?;
            let fence = fence_of(&mut copy)?;
            (
                head.size(),
                head.root(),
                EpochOrder::current(&mut copy)?,
                fence,
            )
        };
        write_anchors(self.anchors, size, &part.join(ANCHORS_FILE))?;

        let origin = origin_of_epoch(&self.house.code, epoch);
        let key = signing_key(self.keys, &origin_of(&self.house.code))
            .ok_or(Fault::Crypto("the log key"))?;
        let note = checkpoint::sign(&Checkpoint::new(&origin, size, root), &key)
            .map_err(|_| Fault::Crypto("the checkpoint"))?;
        let manifest = Manifest {
            format: MANIFEST_FORMAT,
            house: self.house.code.clone(),
            made_at: at.to_rfc3339(),
            made_at_ms: self.now_ms,
            size,
            root: hex::encode(root),
            epoch,
            fence,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            checkpoint: note,
            file: vec![listed(&part, RECORD_FILE)?, listed(&part, ANCHORS_FILE)?],
        };
        written(&part, MANIFEST_FILE, &manifest, 0o600)?;
        // What is on the disk is judged, not what was meant to be written.
        judge_copy(&manifest, &part, &[])?;
        let backup = Backup::open(&part)?;

        let folder = self.to.join(format!("{name}-{size}"));
        if folder.exists() {
            return Err(BackupFault::TargetExists(folder));
        }
        draft.finish(&folder).map_err(BackupFault::at(&folder))?;
        Ok(Backup { folder, ..backup })
    }
}

/// The record as one SQLite file, closed and synced.
fn copy_record(database: &Database, to: &Path) -> Result<(), BackupFault> {
    use diesel::connection::SimpleConnection;
    match database.open_reader()? {
        Connection::Sqlite(mut from) => {
            let target = to.to_str().ok_or_else(|| BackupFault::File {
                path: to.to_owned(),
                source: std::io::Error::from(std::io::ErrorKind::InvalidFilename),
            })?;
            // This connection writes nothing into the record; the pragma would forbid the copy too.
            from.batch_execute("PRAGMA query_only = OFF;")?;
            diesel::sql_query("VACUUM INTO ?")
                .bind::<diesel::sql_types::Text, _>(target)
                .execute(&mut from)?;
            // It is to be opened as it is: with the settings that the record is kept with.
            drop(Database::Sqlite(to.to_owned()).open_writer()?);
        }
        mut from @ Connection::Postgres(_) => {
            let mut copy = Database::Sqlite(to.to_owned()).open_writer()?;
            migrate(&mut copy)?;
            transfer(&mut from, &mut copy)?;
        }
    }
    let sync = || fs::File::open(to)?.sync_all();
    sync().map_err(BackupFault::at(to))
}

fn fence_of(connection: &mut Connection) -> Result<i64, BackupFault> {
    let fence: Option<i64> = on!(connection, c => house_table::table
        .select(house_table::fence)
        .first(c)
        .optional())?;
    fence.ok_or(BackupFault::Empty)
}

/// The anchors of `from` up to `size` leaves, in one file. Those written while the copy was made
/// are of leaves that it does not hold.
fn write_anchors(from: &[PathBuf], size: u64, to: &Path) -> Result<(), BackupFault> {
    let mut anchors = std::collections::BTreeSet::new();
    let mut epochs = std::collections::BTreeMap::new();
    let mut access = std::collections::BTreeMap::new();
    for file in from {
        let read = read_anchor_file(file)?;
        // Of the access log nothing is in a backup: all that was anchored of it is kept.
        for anchor in read.access {
            access.insert((anchor.epoch, anchor.size, anchor.root), anchor.line());
        }
        epochs.extend(read.epochs);
        // Two that contradict each other are both kept: one of them will not hold.
        anchors.extend(read.anchors.into_iter().filter(|it| it.size <= size));
    }
    let mut text = String::new();
    for (number, from) in epochs.into_iter().filter(|(_, from)| *from < size) {
        text.push_str(&epoch_line(number, from));
    }
    for anchor in anchors {
        text.push_str(&anchor.line());
    }
    for line in access.values() {
        text.push_str(&format!("{line}\n"));
    }
    files::write_new(to, text.as_bytes(), 0o600).map_err(BackupFault::at(to))
}

/// Judges the record in `folder` as `verify` does, against the backup's own anchors and `further`
/// ones, and the manifest against the record.
///
/// # Errors
/// [`BackupFault::RecordWrong`], [`BackupFault::OtherManifest`], or a fault.
pub(super) fn judge_copy(
    manifest: &Manifest,
    folder: &Path,
    further: &[PathBuf],
) -> Result<(), BackupFault> {
    let record = folder.join(RECORD_FILE);
    let mut copy = Database::Sqlite(record).open_reader()?;
    let mut anchors = vec![folder.join(ANCHORS_FILE)];
    anchors.extend_from_slice(further);
    let outcome = verify(&mut copy, &anchors, folder)?;
    if let Some(finding) = outcome.findings.first() {
        return Err(BackupFault::RecordWrong(finding.to_string()));
    }
    if (manifest.size, manifest.root.as_str()) != (outcome.leaves, &hex::encode(outcome.root)) {
        return Err(BackupFault::OtherManifest("root"));
    }
    let house = house_of(&mut copy)?;
    if house.0 != manifest.house {
        return Err(BackupFault::OtherManifest("house"));
    }
    if manifest.epoch != EpochOrder::current(&mut copy)? {
        return Err(BackupFault::OtherManifest("epoch"));
    }
    if manifest.fence != fence_of(&mut copy)? {
        return Err(BackupFault::OtherManifest("fence"));
    }
    let wanted = Checkpoint::new(
        &origin_of_epoch(&house.0, manifest.epoch),
        outcome.leaves,
        outcome.root,
    );
    let signed = VerifyingKey::parse(&house.1)
        .ok()
        .and_then(|key| checkpoint::open(&manifest.checkpoint, &key).ok());
    if signed != Some(wanted) {
        return Err(BackupFault::OtherManifest("checkpoint"));
    }
    Ok(())
}

/// Code and log key of the house in a record.
pub(super) fn house_of(connection: &mut Connection) -> Result<(String, String), BackupFault> {
    let found: Option<(String, String)> = on!(connection, c => house_table::table
        .select((house_table::code, house_table::log_key))
        .first(c)
        .optional())?;
    found.ok_or(BackupFault::Empty)
}

fn read_manifest<T: serde::de::DeserializeOwned>(
    folder: &Path,
    name: &str,
) -> Result<Option<T>, BackupFault> {
    let path = folder.join(name);
    match fs::read_to_string(&path) {
        Ok(text) => toml::from_str(&text)
            .map(Some)
            .map_err(|_| BackupFault::ManifestUnreadable(folder.to_owned())),
        Err(fault) if fault.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(fault) if fault.kind() == std::io::ErrorKind::InvalidData => {
            Err(BackupFault::ManifestUnreadable(folder.to_owned()))
        }
        Err(fault) => Err(BackupFault::at(&path)(fault)),
    }
}

/// The first file that is not what the manifest says.
fn must_be_listed(
    folder: &Path,
    listed: &[ManifestFile],
    absent: impl Fn(String) -> BackupFault,
    changed: impl Fn(String) -> BackupFault,
) -> Result<(), BackupFault> {
    for file in listed {
        let path = folder.join(&file.name);
        match files::hash_of(&path) {
            Ok((bytes, hash)) if bytes == file.bytes && hex::encode(hash) == file.sha256 => {}
            Ok(_) => return Err(changed(file.name.clone())),
            Err(fault) if fault.kind() == std::io::ErrorKind::NotFound => {
                return Err(absent(file.name.clone()));
            }
            Err(fault) => return Err(BackupFault::at(&path)(fault)),
        }
    }
    Ok(())
}

/// The form that a manifest says it is of, whatever else it says.
#[derive(Deserialize)]
struct FormOf {
    format: u8,
}

impl Backup {
    /// Reads a backup's manifest and holds every file to it, byte for byte.
    ///
    /// # Errors
    /// [`BackupFault`]; the record itself is judged by [`Self::check`] and by a restore.
    pub fn open(folder: &Path) -> Result<Backup, BackupFault> {
        if let Some(FormOf { format }) = read_manifest(folder, MANIFEST_FILE)?
            && format != MANIFEST_FORMAT
        {
            return Err(BackupFault::OtherFormat(folder.to_owned(), format));
        }
        let manifest: Manifest = read_manifest(folder, MANIFEST_FILE)?
            .ok_or_else(|| BackupFault::ManifestAbsent(folder.to_owned()))?;
        let names: Vec<&str> = manifest
            .file
            .iter()
            .map(|file| file.name.as_str())
            .collect();
        if names != [RECORD_FILE, ANCHORS_FILE] {
            return Err(BackupFault::ManifestUnreadable(folder.to_owned()));
        }
        must_be_listed(
            folder,
            &manifest.file,
            BackupFault::FileAbsent,
            BackupFault::FileChanged,
        )?;
        // A stray -wal beside the record would be taken for a part of it.
        for entry in fs::read_dir(folder).map_err(BackupFault::at(folder))? {
            let name = entry.map_err(BackupFault::at(folder))?.file_name();
            if !names.iter().any(|known| name == *known) && name != MANIFEST_FILE {
                return Err(BackupFault::FileUnknown(
                    name.to_string_lossy().into_owned(),
                ));
            }
        }
        Ok(Backup {
            folder: folder.to_owned(),
            manifest,
        })
    }

    /// Copies record and anchors into a folder, and judges the copies: those are what is used.
    pub(super) fn copy_to(&self, folder: &Path, further: &[PathBuf]) -> Result<(), BackupFault> {
        for file in &self.manifest.file {
            let (from, to) = (self.folder.join(&file.name), folder.join(&file.name));
            let copied = files::copy(&from, &to, 0o600).map_err(BackupFault::at(&from))?;
            if (copied.0, hex::encode(copied.1)) != (file.bytes, file.sha256.clone()) {
                return Err(BackupFault::FileChanged(file.name.clone()));
            }
        }
        judge_copy(&self.manifest, folder, further)
    }

    /// Root of the tree.
    pub fn root(&self) -> Option<Hash> {
        let mut root = [0_u8; 32];
        hex::decode_to_slice(&self.manifest.root, &mut root).ok()?;
        Some(root)
    }

    /// Judges a backup whole, as it was judged when it was made, on a copy in `scratch`, which is
    /// removed.
    ///
    /// # Errors
    /// [`BackupFault`].
    pub fn check(folder: &Path, scratch: &Path) -> Result<Backup, BackupFault> {
        let backup = Backup::open(folder)?;
        let copy = scratch.join(format!("check-{}.part", std::process::id()));
        let _draft = Draft::new(&copy).map_err(BackupFault::at(&copy))?;
        backup.copy_to(&copy, &[])?;
        Ok(backup)
    }

    /// Backs up keys, house file and the house's authority for devices, apart from any record. The
    /// keys may lie elsewhere than in the data folder, as those that systemd hands over.
    ///
    /// # Errors
    /// [`BackupFault`]; then nothing has the name of a backup.
    pub fn copy_keys(
        data: &Path,
        house: &HouseFile,
        source: &KeysPlace,
        to: &Path,
        now_ms: i64,
    ) -> Result<PathBuf, BackupFault> {
        let records = [RECORD_FILE, house.database_url.as_str()];
        if let Some(folder) = holds(to, &records, MANIFEST_FILE) {
            return Err(BackupFault::RecordBesideKeys(folder));
        }
        if !source.path().exists() {
            return Err(BackupFault::KeysAbsent(data.to_owned()));
        }
        let keys = ServerKeys::load_from(source)?;
        let key =
            signing_key(&keys, &origin_of(&house.code)).ok_or(Fault::Crypto("the log key"))?;
        files::make_folder(to).map_err(BackupFault::at(to))?;
        let at = moment(now_ms);
        let name = format!("keno-keys-{}-{}", house.code, at.format("%Y%m%dT%H%M%SZ"));
        let part = to.join(format!("{name}.part"));
        let draft = Draft::new(&part).map_err(BackupFault::at(&part))?;
        for (from, file) in [
            (source.path().to_owned(), KEYS_FILE),
            (data.join(HOUSE_FILE), HOUSE_FILE),
        ] {
            files::copy(&from, &part.join(file), 0o600).map_err(BackupFault::at(&from))?;
        }
        let trust = data.join(TRUST_FOLDER);
        if trust.is_dir() {
            files::copy_folder(&trust, &part.join(TRUST_FOLDER))
                .map_err(BackupFault::at(&trust))?;
        }
        let mut names = Vec::new();
        walk(&part, Path::new(""), &mut names).map_err(BackupFault::at(&part))?;
        let manifest = KeysManifest {
            format: 1,
            house: house.code.clone(),
            made_at: at.to_rfc3339(),
            log_key: key.verifying_key().to_string(),
            file: names
                .iter()
                .map(|name| listed(&part, name))
                .collect::<Result<_, _>>()?,
        };
        written(&part, KEYS_MANIFEST_FILE, &manifest, 0o600)?;
        let folder = to.join(name);
        if folder.exists() {
            return Err(BackupFault::TargetExists(folder));
        }
        draft.finish(&folder).map_err(BackupFault::at(&folder))?;
        Ok(folder)
    }
}

/// Names of the files in a folder and below it.
fn walk(folder: &Path, below: &Path, names: &mut Vec<String>) -> std::io::Result<()> {
    let mut entries: Vec<_> = fs::read_dir(folder.join(below))?.collect::<Result<_, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = below.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            walk(folder, &name, names)?;
        } else {
            names.push(name.to_string_lossy().into_owned());
        }
    }
    Ok(())
}

/// A folder with the keys of a house.
#[derive(Debug, Clone)]
pub struct KeysBackup {
    /// The folder.
    pub folder: PathBuf,
}

impl KeysBackup {
    /// Keys in a folder: a backup of keys, held to its manifest, or a keys file as it is.
    ///
    /// # Errors
    /// [`BackupFault::KeysAbsent`] or [`BackupFault::KeysChanged`].
    pub fn open(folder: &Path) -> Result<Self, BackupFault> {
        let keys = folder.join(KEYS_FILE);
        if !keys.is_file() {
            return Err(BackupFault::KeysAbsent(folder.to_owned()));
        }
        if let Some(manifest) = read_manifest::<KeysManifest>(folder, KEYS_MANIFEST_FILE)? {
            must_be_listed(
                folder,
                &manifest.file,
                BackupFault::KeysChanged,
                BackupFault::KeysChanged,
            )?;
        }
        Ok(Self {
            folder: folder.to_owned(),
        })
    }

    /// Copies keys and the house's authority for devices into a data folder.
    pub(super) fn copy_to(&self, data: &Path) -> Result<(), BackupFault> {
        let from = self.folder.join(KEYS_FILE);
        files::copy(&from, &data.join(KEYS_FILE), 0o600).map_err(BackupFault::at(&from))?;
        let trust = self.folder.join(TRUST_FOLDER);
        if trust.is_dir() {
            files::copy_folder(&trust, &data.join(TRUST_FOLDER))
                .map_err(BackupFault::at(&trust))?;
        }
        Ok(())
    }
}
