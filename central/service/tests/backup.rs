//! Backups, restores and epochs: what was lost is said, and nothing of it is used again.

#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests, whose failures are the test's"
)]

mod restored;

mod faults;

mod lost;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::support::{House, quick, slip};
use keno_game::DrawState;
use keno_log::{Event, Hash};
use keno_record::clock::{Clock, ManualClock};
use keno_record::keys::{KeysPlace, ServerKeys};
use keno_record::past_draws::draw_range;
use keno_schema::Connection;
use keno_service::counter::Sold;
use keno_service::draw;
use keno_service::house_file::HouseFile;
use keno_service::maintenance::{Backup, BackupFault, BackupOrder, RestoreOrder, Restored};

/// A house whose data folder has its house file too, as the command line makes it.
pub fn house_on(database: Option<&str>) -> House {
    let house = House::new(database);
    std::fs::write(house.path().join("house.toml"), house_text(database)).unwrap();
    house
}

/// The demonstration's house file with another record, and as many draws as the tests' houses.
pub fn house_text(database: Option<&str>) -> String {
    let text = HouseFile::demonstration().replace("saleable_draws = 40", "saleable_draws = 20");
    match database {
        None => text,
        Some(address) => text.replace("keno.sqlite", address),
    }
}

/// Backs a house up into a folder of its own.
pub fn back_up(house: &House, to: &Path) -> Result<Backup, BackupFault> {
    let file = HouseFile::read(&house_text(house.database.as_deref())).unwrap();
    BackupOrder {
        house: &file,
        database: &house.record(),
        anchors: &[house.path().join("anchors.log")],
        keys: &ServerKeys::load(&house.path().join("keys.toml")).unwrap(),
        to,
        now_ms: house.clock_ms(),
    }
    .write()
}

/// Backs a house's keys up.
pub fn back_keys_up(house: &House, to: &Path) -> Result<PathBuf, BackupFault> {
    let file = HouseFile::read(&house_text(house.database.as_deref())).unwrap();
    let keys = KeysPlace::File(house.path().join("keys.toml"));
    Backup::copy_keys(&house.path(), &file, &keys, to, house.clock_ms())
}

/// Restores a backup into a folder that is not there yet, by S1 and S2.
pub fn restore_to(
    backup: &Path,
    keys: &Path,
    data: &Path,
    anchors: &[PathBuf],
    now_ms: i64,
) -> Result<Restored, BackupFault> {
    restore_with(backup, keys, data, anchors, now_ms, None)
}

/// As [`restore_to`], with a house file.
pub fn restore_with(
    backup: &Path,
    keys: &Path,
    data: &Path,
    anchors: &[PathBuf],
    now_ms: i64,
    house: Option<&Path>,
) -> Result<Restored, BackupFault> {
    (RestoreOrder {
        backup,
        keys,
        house,
        data,
        anchors,
        by: "S1",
        second: "S2",
        reason: "disque perdu",
        clock: Arc::new(ManualClock::at(now_ms)) as Arc<dyn Clock>,
    })
    .restore(|_| Ok(()))
}

/// A folder of a test's own with room for everything around a house.
pub struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    /// An empty one.
    pub fn empty() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { folder }
    }

    /// A path in it.
    pub fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

/// The folder of a house to be: its name is free, and it is removed with the value.
pub fn free_folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::remove_dir(folder.path()).unwrap();
    folder
}

/// Opens central on a restored folder.
pub fn open_restored(folder: tempfile::TempDir, now_ms: i64, database: Option<&str>) -> House {
    let mut house = House::open_on(folder, now_ms, |options| {
        if let Some(address) = database {
            options.house.database_url = address.to_owned();
        }
    });
    house.database = database.map(str::to_owned);
    house
}

/// Sells some tickets for one draw and more; after a restore two let sales go on first.
pub fn sell_some(house: &House, device: u32, badge: &str, count: u16) -> Vec<Sold> {
    if house.central.view.get().waits_after_restore() {
        draw::resume_sales(&house.central, "S1", "S2").unwrap();
    }
    let caller = house.clerk(device, badge);
    (0..count)
        .map(|at| {
            let sold = house.sell(&caller, slip(vec![quick(4, 100), quick(2, 50)], 1 + at % 5));
            house.confirm(&caller, &sold);
            sold
        })
        .collect()
}

/// Size and root of a record.
pub fn head(connection: &mut Connection) -> (u64, Hash) {
    let (edge, _) = keno_record::store::log::head(connection).unwrap().unwrap();
    (edge.size(), edge.root())
}

/// The whole record judged by the second computation, under the checkpoint that central signs now
/// and against one that was kept outside.
pub fn audit(house: &House, outside: Option<&str>) -> keno_audit::verify::Outcome {
    let central = &house.central;
    let mut reader = central.readers.get().unwrap();
    let (size, root) = head(&mut reader);
    let key = keno_record::keys::signing_key(
        &central.keys,
        &keno_record::record::origin_of(&central.house_code),
    )
    .unwrap();
    let checkpoint = keno_log::checkpoint::Checkpoint::new(&central.origin, size, root);
    let note = keno_log::checkpoint::sign(&checkpoint, &key).unwrap();
    let signed = keno_record::publish::SignedCheckpoint { size, root, note };
    let mut bytes = Vec::new();
    keno_service::maintenance::export(&mut reader, &signed, &mut bytes).unwrap();
    keno_audit::verify::verify(
        bytes.as_slice(),
        keno_audit::verify::Outside {
            checkpoint: outside,
            key: None,
        },
        keno_audit::Options::default(),
    )
    .unwrap()
}

/// Numbers of draws that were announced.
pub fn announced(events: &[Event]) -> Vec<u64> {
    events
        .iter()
        .filter_map(|event| match event {
            Event::DrawScheduled(body) => Some(body.draw),
            _ => None,
        })
        .collect()
}

/// The state of a draw.
pub fn state_of(house: &House, draw: u64) -> DrawState {
    draw_range(&house.central, draw, draw).unwrap()[0].state()
}

/// Both databases, each with a house, and the address of an empty database of the same kind.
pub fn on_both(check: impl Fn(&mut House, Option<&str>)) {
    check(&mut house_on(None), None);
    let database = keno_testing::empty_postgres_database().unwrap();
    let other = keno_testing::empty_postgres_database().unwrap();
    check(
        &mut house_on(Some(database.address())),
        Some(other.address()),
    );
}
