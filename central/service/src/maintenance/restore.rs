//! Restoring a record: a verified backup, its keys, and a new epoch of the log by two people.
//!
//! Everything is made in a folder beside the new one, which takes its name last. So there is never
//! a data folder with an older record that does not say of itself that it is one.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use keno_draw::adapter::{DrawEvent, DrawMachine, DrawOrder, MachineFault, MachineKind};
use keno_log::Hash;
use keno_log::access::AccessAnchor;
use keno_record::clock::Clock;
use keno_record::fault::Fault;
use keno_record::keys::{ServerKeys, signing_key};
use keno_record::publish::{Anchor, epoch_line, read_anchor_file, read_anchors};
use keno_record::record::origin_of;
use keno_record::store::log;
use keno_schema::Database;
use keno_schema::migrate::migrate;

use super::backup::{ANCHORS_FILE, HOUSE_FILE, KEYS_FILE, KeysBackup, RECORD_FILE};
use super::backup_fault::BackupFault;
use super::files;
use super::files::Draft;
use super::transfer::transfer;
use super::verify::verify;
use crate::central::house_file::HouseFile;
use crate::central::{Central, MachineParts, Options};
use crate::maintenance::backup::Backup;
use crate::maintenance::epoch::{EpochOrder, OpenedEpoch};

/// What is restored, where to, and who says so.
pub struct RestoreOrder<'a> {
    /// The backup.
    pub backup: &'a Path,
    /// The keys.
    pub keys: &'a Path,
    /// The house file; that beside the keys when absent.
    pub house: Option<&'a Path>,
    /// The data folder to make.
    pub data: &'a Path,
    /// Anchor files of the house that was lost.
    pub anchors: &'a [PathBuf],
    /// Badge of the first person.
    pub by: &'a str,
    /// Badge of the second.
    pub second: &'a str,
    /// Why, in words.
    pub reason: &'a str,
    /// Time.
    pub clock: Arc<dyn Clock>,
}

/// What came of a restore.
#[derive(Debug)]
pub struct Restored {
    /// The data folder.
    pub folder: PathBuf,
    /// The epoch.
    pub epoch: OpenedEpoch,
    /// Leaves and root of the restored record, the new epoch in it.
    pub size: u64,
    /// Its root.
    pub root: Hash,
    /// The house's draw holders: their folders are in no backup, and are put back by hand.
    pub holders: Vec<String>,
}

/// No machine: while a record is restored, nothing is drawn.
struct NoMachine;

impl DrawMachine for NoMachine {
    fn kind(&self) -> MachineKind {
        MachineKind::Rng
    }

    fn begin(&mut self, _order: &DrawOrder) -> Result<(), MachineFault> {
        Err(MachineFault::NotBegun)
    }

    fn next(&mut self) -> Result<DrawEvent, MachineFault> {
        Err(MachineFault::NotBegun)
    }
}

/// What is known from outside of the log that is restored.
struct Known {
    /// Anchors of leaves that the backup holds.
    held: Vec<Anchor>,
    /// The largest of those that it does not hold.
    lost: Option<(u64, Hash)>,
    /// The newest epoch that the files were told of.
    epoch: u32,
    /// What was published of the access log that is not in the backup.
    access: Vec<AccessAnchor>,
}

/// Reads anchors. Those of leaves that the backup holds must be its own: they are judged with it.
fn read_known(files: &[PathBuf], size: u64) -> Result<Known, BackupFault> {
    let mut known = Known {
        held: Vec::new(),
        lost: None,
        epoch: 1,
        access: Vec::new(),
    };
    for file in files {
        if !file.exists() {
            return Err(BackupFault::at(file)(std::io::Error::from(
                std::io::ErrorKind::NotFound,
            )));
        }
        let read = read_anchor_file(file)?;
        for (epoch, _) in read.epochs {
            known.epoch = known.epoch.max(epoch);
        }
        known.access.extend(read.access);
        for anchor in read.anchors {
            if anchor.size <= size {
                known.held.push(anchor);
            } else if known.lost.is_none_or(|lost| lost.0 < anchor.size) {
                known.lost = Some((anchor.size, anchor.root));
            }
        }
    }
    known.held.sort_by_key(|anchor| anchor.size);
    Ok(known)
}

/// The house file of the restored record, as text and judged.
fn read_house(order: &RestoreOrder<'_>, code: &str) -> Result<(String, HouseFile), BackupFault> {
    let path = match order.house {
        Some(path) => path.to_owned(),
        None => order.keys.join(HOUSE_FILE),
    };
    if !path.is_file() {
        return Err(BackupFault::HouseAbsent(order.keys.to_owned()));
    }
    let text = std::fs::read_to_string(&path).map_err(BackupFault::at(&path))?;
    let house = HouseFile::read(&text).map_err(|faults| {
        let words: Vec<String> = faults.iter().map(ToString::to_string).collect();
        BackupFault::OtherHouse(words.join("; "))
    })?;
    if house.code != code {
        return Err(BackupFault::OtherHouse(format!(
            "{} and not {code}",
            house.code
        )));
    }
    Ok((text, house))
}

impl RestoreOrder<'_> {
    /// Restores a record into a new data folder and opens a new epoch of its log. `authorise` is asked
    /// once central is open on the copy, before anything is recorded: whether the two people are who
    /// they say, and may.
    ///
    /// # Errors
    /// [`BackupFault`], or what `authorise` says; then there is no such folder, and a PostgreSQL
    /// database is empty as it was.
    pub fn restore<E: From<BackupFault>>(
        &self,
        authorise: impl FnOnce(&Central) -> Result<(), E>,
    ) -> Result<Restored, E> {
        if self.data.exists() {
            return Err(BackupFault::TargetExists(self.data.to_owned()).into());
        }
        let backup = Backup::open(self.backup)?;
        let size = backup.manifest.size;
        let keys_backup = KeysBackup::open(self.keys)?;
        let (house_text, house) = read_house(self, &backup.manifest.house)?;
        let known = read_known(self.anchors, size)?;
        must_know_anchors(self, &house, size)?;
        let target = match Database::parse(&house.database_url) {
            Database::Sqlite(_) => None,
            server => Some(empty_database(&server)?),
        };

        let mut name = self.data.to_owned().into_os_string();
        name.push(".part");
        let part = PathBuf::from(name);
        let draft = Draft::new(&part).map_err(BackupFault::at(&part))?;
        let further = part.join("known.log");
        let lines: String = known.held.iter().map(Anchor::line).collect();
        files::write_new(&further, lines.as_bytes(), 0o600).map_err(BackupFault::at(&further))?;
        backup
            .copy_to(&part, std::slice::from_ref(&further))
            .map_err(|fault| other_log(fault, self, &known))?;
        std::fs::remove_file(&further).map_err(BackupFault::at(&further))?;
        keep_access_anchors(&part.join(ANCHORS_FILE), &known)?;
        keys_backup.copy_to(&part)?;
        must_be_its_keys(self.keys, &part, &house.code)?;

        let epoch = open_epoch(self, &part, &house, &known, authorise)?;
        let (size, root) = finish(&part, &house_text, &house, &epoch, target)?;
        tell_anchors(self, &house, &epoch)?;
        draft
            .finish(self.data)
            .map_err(BackupFault::at(self.data))?;
        Ok(Restored {
            folder: self.data.to_owned(),
            epoch,
            size,
            root,
            holders: house
                .holders
                .iter()
                .filter_map(|holder| holder.folder())
                .map(|folder| folder.display().to_string())
                .collect(),
        })
    }
}

/// Anchors that contradict the backup are named, rather than the backup.
fn other_log(fault: BackupFault, order: &RestoreOrder<'_>, known: &Known) -> BackupFault {
    let BackupFault::RecordWrong(words) = &fault else {
        return fault;
    };
    let of_given = words.strip_prefix("anchor at leaf ").and_then(|rest| {
        rest.contains("known.log")
            .then(|| rest.split(' ').next()?.parse().ok())
            .flatten()
    });
    let Some(size) = of_given else { return fault };
    let is_there = known.held.iter().any(|anchor| anchor.size == size);
    let file = order.anchors.iter().find(|file| {
        read_anchors(file).is_ok_and(|anchors| anchors.iter().any(|it| it.size == size))
    });
    match file {
        Some(file) if is_there => BackupFault::OtherLog {
            file: file.clone(),
            size,
        },
        _ => fault,
    }
}

/// An anchor file of the house outside the folder would refuse the restored record at its first
/// start, and be written into by a drill: whoever restores says that it is lost.
fn must_know_anchors(
    order: &RestoreOrder<'_>,
    house: &HouseFile,
    size: u64,
) -> Result<(), BackupFault> {
    for file in outside_anchors(order, house) {
        let is_given = order
            .anchors
            .iter()
            .any(|given| std::fs::canonicalize(given).ok() == std::fs::canonicalize(&file).ok());
        let anchors = read_anchors(&file)?;
        let is_ahead = anchors.iter().any(|anchor| anchor.size > size);
        if is_ahead && !is_given {
            return Err(BackupFault::AnchorsAhead(file));
        }
    }
    Ok(())
}

/// Anchor files that house.toml names and that are there.
fn outside_anchors(order: &RestoreOrder<'_>, house: &HouseFile) -> Vec<PathBuf> {
    std::iter::once(&house.anchors_file)
        .chain(&house.anchors_extra)
        .map(|file| without_parents(&order.data.join(file)))
        .filter(|file| file.exists())
        .collect()
}

/// A path without `..`: the folder that it leads through is not there yet.
fn without_parents(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        if part == std::path::Component::ParentDir {
            plain.pop();
        } else {
            plain.push(part);
        }
    }
    plain
}

/// A migrated database without a record.
fn empty_database(server: &Database) -> Result<Database, BackupFault> {
    let mut connection = server.open_writer()?;
    migrate(&mut connection)?;
    if log::head(&mut connection)?.is_some() || !log::entries(&mut connection, 0, 1)?.is_empty() {
        return Err(BackupFault::DatabaseTaken);
    }
    Ok(server.clone())
}

fn must_be_its_keys(keys: &Path, part: &Path, code: &str) -> Result<(), BackupFault> {
    let loaded = ServerKeys::load(&part.join(KEYS_FILE))?;
    let key = signing_key(&loaded, &origin_of(code)).ok_or(Fault::Crypto("the log key"))?;
    let mut copy = Database::Sqlite(part.join(RECORD_FILE)).open_reader()?;
    let (_, log_key) = super::backup::house_of(&mut copy)?;
    if log_key != key.verifying_key().to_string() {
        return Err(BackupFault::OtherKeys(keys.to_owned()));
    }
    Ok(())
}

/// Opens central on the copy, for the one batch that opens the epoch.
fn open_epoch<E: From<BackupFault>>(
    order: &RestoreOrder<'_>,
    part: &Path,
    house: &HouseFile,
    known: &Known,
    authorise: impl FnOnce(&Central) -> Result<(), E>,
) -> Result<OpenedEpoch, E> {
    let file = HouseFile {
        database_url: RECORD_FILE.to_owned(),
        anchors_file: PathBuf::from(ANCHORS_FILE),
        anchors_extra: Vec::new(),
        ..house.clone()
    };
    let mut options = Options::new(part.to_owned(), file, Arc::clone(&order.clock));
    options.machine = Some(MachineParts {
        machine: Box::new(NoMachine),
        holders: Vec::new(),
    });
    options.reserve_bytes = 0;
    options.opens_epoch = true;
    // The copy is a draft: whoever restores is told, and tries again.
    options.fatal = Some(Box::new(
        |fault| tracing::error!(%fault, "the copy cannot be written"),
    ));
    let central = Central::open(options).map_err(BackupFault::from)?;
    authorise(&central)?;
    let opened = EpochOrder {
        lost: known.lost,
        lost_epoch: known.epoch,
        reason: order.reason.to_owned(),
        by: order.by.to_owned(),
        second: order.second.to_owned(),
    }
    .open(&central)
    .map_err(BackupFault::from);
    central.sequencer.stop();
    drop(central);
    Ok(opened?)
}

/// Puts the record where house.toml says, with anchors of its own, and judges it once more.
fn finish(
    part: &Path,
    house_text: &str,
    house: &HouseFile,
    epoch: &OpenedEpoch,
    target: Option<Database>,
) -> Result<(u64, Hash), BackupFault> {
    // The access log that who restores has begun is of the epoch that ends; the record names both.
    let access = ["access.sqlite", "access.sqlite-wal", "access.sqlite-shm"];
    for left in ["central.lock", "reserve"].into_iter().chain(access) {
        // What central makes for itself, it makes again.
        let _ = std::fs::remove_file(part.join(left));
    }
    let house_file = part.join(HOUSE_FILE);
    files::write_new(&house_file, house_text.as_bytes(), 0o600)
        .map_err(BackupFault::at(&house_file))?;
    let event = &epoch.event;
    let anchors = part.join(ANCHORS_FILE);
    files::append(&anchors, &epoch_line(event.epoch, event.continues_size))
        .map_err(BackupFault::at(&anchors))?;
    let record = part.join(RECORD_FILE);
    let kept = match target {
        Some(server) => {
            let mut from = Database::Sqlite(record.clone()).open_reader()?;
            transfer(&mut from, &mut server.open_writer()?)?;
            drop(from);
            std::fs::remove_file(&record).map_err(BackupFault::at(&record))?;
            server
        }
        None => {
            let file = part.join(&house.database_url);
            if let Some(folder) = file.parent() {
                files::make_folder(folder).map_err(BackupFault::at(folder))?;
            }
            std::fs::rename(&record, &file).map_err(BackupFault::at(&file))?;
            let sync = || std::fs::File::open(&file)?.sync_all();
            sync().map_err(BackupFault::at(&file))?;
            Database::Sqlite(file)
        }
    };
    // An anchor file elsewhere is told last, and its own lines are not those of a new folder.
    let named = if house.anchors_file.is_relative() {
        part.join(&house.anchors_file)
    } else {
        anchors.clone()
    };
    if named != anchors {
        std::fs::rename(&anchors, &named).map_err(BackupFault::at(&named))?;
    }
    let outcome = verify(&mut kept.open_reader()?, std::slice::from_ref(&named), part)?;
    match outcome.findings.first() {
        None => Ok((outcome.leaves, outcome.root)),
        Some(finding) => Err(BackupFault::RecordWrong(finding.to_string())),
    }
}

/// What was anchored of the access log of the house that was stays known: that log is in no backup,
/// and whoever keeps it can still judge it.
fn keep_access_anchors(anchors: &Path, known: &Known) -> Result<(), BackupFault> {
    let has = read_anchor_file(anchors)?.access;
    let lines: String = known
        .access
        .iter()
        .filter(|anchor| !has.contains(anchor))
        .map(|anchor| format!("{}\n", anchor.line()))
        .collect();
    files::append(anchors, &lines).map_err(BackupFault::at(anchors))
}

/// Tells the house's anchor files outside the folder that what they know beyond the backup is
/// lost. Last of all: before it, nothing of the house that was is changed.
fn tell_anchors(
    order: &RestoreOrder<'_>,
    house: &HouseFile,
    epoch: &OpenedEpoch,
) -> Result<(), BackupFault> {
    let line = epoch_line(epoch.event.epoch, epoch.event.continues_size);
    for file in outside_anchors(order, house) {
        files::append(&file, &line).map_err(BackupFault::at(&file))?;
    }
    Ok(())
}
