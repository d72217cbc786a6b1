//! Backups of record and keys, and the record restored from them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use clap::Args;
use keno_record::clock::{Clock, SystemClock};
use keno_record::keys::ServerKeys;
use keno_service::authority::Operation;
use keno_service::maintenance::Backup;
use keno_service::maintenance::{BackupFault, BackupOrder, RestoreOrder, Restored};
use keno_words::{Money, Say};

use super::fail::stopped;
use super::folder::{Folder, plural};
use super::staff::{say_device, say_person};
use super::{ByTwo, Ending, note, people, say};

/// How far a backup steps aside for the house that serves on the same machine.
const NICE: i32 = 10;

/// Backs the record up; central may run.
pub fn record(data: &Path, to: &Path) -> anyhow::Result<Ending> {
    let folder = Folder::read(data)?;
    let keys = ServerKeys::load_from(&folder.keys()?)?;
    if let Err(fault) = rustix::process::nice(NICE) {
        note(&format!(
            "the backup runs beside the house at full speed: {fault}"
        ));
    }
    let made = BackupOrder {
        house: &folder.house,
        database: &folder.database()?,
        anchors: &folder.anchors(),
        keys: &keys,
        to,
        now_ms: SystemClock::new().now_ms(),
    }
    .write()?;
    note(&format!(
        "{} leaves with root {} are backed up and verified",
        made.manifest.size, made.manifest.root
    ));
    note("the keys are not in it: `keno-central backup-keys` keeps them in another place");
    say(&made.folder.display().to_string())?;
    Ok(Ending::Done)
}

/// Backs the keys up, apart.
pub fn keys(data: &Path, to: &Path) -> anyhow::Result<Ending> {
    let folder = Folder::read(data)?;
    let now_ms = SystemClock::new().now_ms();
    let made = Backup::copy_keys(data, &folder.house, &folder.keys()?, to, now_ms)?;
    note("whoever has these keys and the record can make tickets: lock them away");
    if folder.house.keys_file.is_some() {
        note(
            "house.toml says where the keys are (keys.file), and a restored house has them in its \
             own keys.toml: take that line out there, or have the keys handed over again",
        );
    }
    note("the folders of the draw's holders are in no backup: their secrets stay with them");
    say(&made.display().to_string())?;
    Ok(Ending::Done)
}

/// Judges a backup as it stands.
pub fn check(backup: &Path) -> anyhow::Result<Ending> {
    let scratch = std::env::temp_dir();
    let found = Backup::check(backup, &scratch)?.manifest;
    say(&format!(
        "{} leaves, root {}; house {}, epoch {}; made {}",
        found.size, found.root, found.house, found.epoch, found.made_at
    ))?;
    note("all of it holds");
    Ok(Ending::Done)
}

/// A restore as the command line gives it.
#[derive(Debug, Args)]
pub struct Asked {
    /// The backup.
    #[arg(long, value_name = "BACKUP")]
    pub from: PathBuf,
    /// The backup of the keys.
    #[arg(long, value_name = "KEYS")]
    pub keys: PathBuf,
    /// The house file, when it is not the one beside the keys.
    #[arg(long, value_name = "FILE")]
    pub house: Option<PathBuf>,
    /// The data folder to make.
    #[arg(long, value_name = "NEW")]
    pub data: PathBuf,
    /// Anchor files of the house that was lost: they tell how much was.
    #[arg(long = "anchor", value_name = "FILE")]
    pub anchors: Vec<PathBuf>,
    #[command(flatten)]
    pub people: ByTwo,
    /// Why, for the record.
    #[arg(long, value_name = "WORDS")]
    pub reason: String,
}

/// Restores the record into a new folder, by two people.
pub fn restore(asked: &Asked) -> anyhow::Result<Ending> {
    let order = RestoreOrder {
        backup: &asked.from,
        keys: &asked.keys,
        house: asked.house.as_deref(),
        data: &asked.data,
        anchors: &asked.anchors,
        by: &asked.people.by,
        second: &asked.people.second,
        reason: &asked.reason,
        clock: Arc::new(SystemClock::new()),
    };
    let restored = order.restore(|central| people::two(central, &asked.people, Operation::Restore));
    let restored = restored.map_err(|error| match error.downcast::<BackupFault>() {
        Ok(BackupFault::Stopped(stop)) => stopped(stop),
        Ok(fault) => fault.into(),
        Err(error) => error,
    })?;
    tell(&restored, &asked.anchors).context("the restore is done, and cannot be told")?;
    Ok(Ending::Done)
}

/// What people must know after a restore.
fn tell(restored: &Restored, anchors: &[PathBuf]) -> anyhow::Result<()> {
    let epoch = &restored.epoch;
    let event = &epoch.event;
    say(&format!(
        "{} goes on from leaf {} in epoch {}; {} leaves, root {}",
        restored.folder.display(),
        event.continues_size,
        event.epoch,
        restored.size,
        hex::encode(restored.root)
    ))?;
    if event.lost_size > event.continues_size {
        say(&format!(
            "LOST: at least {} leaves, up to leaf {}",
            event.lost_size - event.continues_size,
            event.lost_size
        ))?;
    } else if anchors.is_empty() {
        say("LOST: unknown, for no anchor file was given")?;
    } else {
        say("LOST: nothing that the anchors know of")?;
    }
    for (draw, tickets, cents) in &epoch.voided {
        say(&format!(
            "VOID: draw {draw}: {tickets} ticket{}, {} to refund",
            plural(usize::try_from(*tickets).unwrap_or(usize::MAX)),
            Money(*cents).en()
        ))?;
    }
    for draw in &epoch.to_settle {
        say(&format!(
            "TO SETTLE: draw {draw} is official, and is settled when central serves"
        ))?;
    }
    say(&format!(
        "SESSIONS: {} ended; everyone signs on again",
        epoch.sessions
    ))?;
    for (number, shift) in &epoch.shifts {
        say(&format!(
            "TILL: shift {number} of {} at device {} is open, with {} expected by this record: \
             count it and close it, and look for what was lost",
            shift.badge,
            shift.device,
            Money(shift.expected_cents).en()
        ))?;
    }
    for (badge, person) in &epoch.people {
        say_person(
            badge,
            &person.staff,
            &person.roles,
            epoch.may_act.contains(badge),
        )?;
    }
    for (number, device) in &epoch.devices {
        say_device(*number, &device.name, device.role)?;
    }
    say(&format!(
        "NUMBERS: draws go on from {}, sessions from {}, shifts from {}",
        event.next_draw, event.next_session, event.next_shift
    ))?;
    note("next: put the folders of the draw's holders back, if they are there:");
    for holder in &restored.holders {
        note(&format!(
            "next:   {}",
            restored.folder.join(holder).display()
        ));
    }
    note("next: withdraw the badges and revoke the devices above that are not yours any more");
    note("next: then let sales go on, by two: at the wall, or `keno-central sales resume`");
    note("next: `keno-central serve`, then back up record and keys");
    note("next: docs/backup.md says what to do about papers and payments of the lost part");
    Ok(())
}
