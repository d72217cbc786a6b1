//! A house that was backed up, sold on, was lost, and goes on from the backup.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicU64;

use keno_record::keys::{KeysPlace, ServerKeys};
use keno_service::draw::Conductor;
use keno_service::house_file::HouseFile;
use keno_service::maintenance::{Backup, BackupFault, BackupOrder, RestoreOrder};

use super::*;

/// The house after its restore, and the papers of before.
pub struct Restored {
    pub house: House,
    /// Sold before the backup.
    pub kept: SellReply,
    /// Sold after it: in no record any more.
    pub lost: Vec<SellReply>,
}

fn house_text(database: Option<&str>) -> String {
    let text = HouseFile::demonstration().replace("saleable_draws = 40", "saleable_draws = 20");
    match database {
        None => text,
        Some(address) => text.replace("keno.sqlite", address),
    }
}

/// A house on a database, lost and restored into another that is empty, or into files.
pub async fn restored(database: Option<&str>, other: Option<&str>) -> Restored {
    let before = House::new(database);
    let text = house_text(database);
    std::fs::write(before.folder.join("house.toml"), &text).unwrap();
    let clerk = before.sign_on(1, "C1").await;
    let kept = before.sell_printed(&clerk, &straight(&[7], 200, 1)).await;
    let place = TestFolder::new().unwrap();
    let now_ms = keno_record::clock::Clock::now_ms(before.clock.as_ref());
    let (made, keys) = blocking(|| {
        let file = HouseFile::read(&text).unwrap();
        let record = database.map_or_else(
            || keno_schema::Database::Sqlite(before.folder.join("keno.sqlite")),
            keno_schema::Database::parse,
        );
        let made = BackupOrder {
            house: &file,
            database: &record,
            anchors: &[before.folder.join("anchors.log")],
            keys: &ServerKeys::load(&before.folder.join("keys.toml")).unwrap(),
            to: &place.join("records"),
            now_ms,
        }
        .write()
        .unwrap();
        let keys_file = KeysPlace::File(before.folder.join("keys.toml"));
        let to = place.join("keys");
        let keys = Backup::copy_keys(before.folder.path(), &file, &keys_file, &to, now_ms).unwrap();
        (made.folder, keys)
    });
    let mut lost = Vec::new();
    for number in 1..=6 {
        let slip = straight(&[number, 70], 150, 2);
        lost.push(before.sell_printed(&clerk, &slip).await);
    }
    let House {
        folder,
        central,
        app,
        keys: device_keys,
        asked,
        ..
    } = before;
    let clock = Arc::new(ManualClock::at(now_ms + 60_000));
    drop(asked);
    let (central, app) = blocking(|| {
        drop(app);
        drop(central);
        let data = folder.join("restored");
        let file = place.join("house.toml");
        std::fs::write(&file, house_text(other)).unwrap();
        (RestoreOrder {
            backup: &made,
            keys: &keys,
            house: Some(&file),
            data: &data,
            anchors: &[folder.join("anchors.log")],
            by: "S1",
            second: "S2",
            reason: "disk lost",
            clock: Arc::clone(&clock) as Arc<_>,
        })
        .restore(|_| Ok::<(), BackupFault>(()))
        .unwrap();
        let central = Central::open(options(&data, &clock, other)).unwrap();
        Conductor::tick(&central);
        let app = web::Data::new(App::new(Arc::clone(&central), &data).unwrap());
        (central, app)
    });
    let house = House {
        folder,
        clock,
        central,
        app,
        keys: BTreeMap::clone(&device_keys),
        counter: AtomicU64::new(0),
        asked: Asked,
    };
    Restored { house, kept, lost }
}
