//! Backups that are none: each is refused with its own word, and leaves nothing.

use std::path::Path;
use std::sync::Arc;

use keno_record::clock::ManualClock;
use keno_record::record::OpenRecordFault;
use keno_record::recover::DoubtfulPast;
use keno_schema::Database;
use keno_service::central::{Central, OpenCentralFault};
use keno_service::draw::Conductor;
use keno_service::maintenance::Backup;
use keno_service::maintenance::{BackupFault, RestoreOrder, Restored};
use keno_testing::copy_folder;

use crate::backup::{Place, back_keys_up, back_up, free_folder, on_both, restore_to, sell_some};
use crate::support::{House, options};

/// The name of the refusal, and that no folder came of it.
#[track_caller]
fn refused(outcome: Result<Restored, BackupFault>, data: &Path) -> (&'static str, String) {
    let fault = outcome.unwrap_err();
    assert!(!data.exists(), "a data folder was left behind");
    let mut part = data.to_owned().into_os_string();
    part.push(".part");
    assert!(!Path::new(&part).exists(), "a draft was left behind");
    if let Some(words) = fault.words() {
        assert_ne!(words.fr, fault.to_string());
    }
    (fault.name(), fault.to_string())
}

#[test]
fn every_planted_fault_is_refused_with_its_own_word() {
    let house = crate::backup::house_on(None);
    let place = Place::empty();
    sell_some(&house, 1, "C1", 8);
    let made = back_up(&house, &place.at("records")).unwrap();
    sell_some(&house, 1, "C1", 2);
    house.clock.advance(1_000);
    let second = back_up(&house, &place.at("records")).unwrap();
    let keys = back_keys_up(&house, &place.at("keys")).unwrap();
    let other = crate::backup::house_on(None);
    sell_some(&other, 1, "C1", 8);
    let other_keys = back_keys_up(&other, &place.at("other-keys")).unwrap();
    let now_ms = house.clock_ms() + 1_000;

    type Change = fn(&Path, &Path);
    let changes: [(&str, Change); 9] = [
        ("file_changed", |folder, _| {
            let path = folder.join("record.sqlite");
            let mut bytes = std::fs::read(&path).unwrap();
            let middle = bytes.len() / 2;
            bytes[middle] ^= 4;
            std::fs::write(path, bytes).unwrap();
        }),
        ("file_changed", |folder, _| {
            let path = folder.join("record.sqlite");
            let bytes = std::fs::read(&path).unwrap();
            std::fs::write(path, &bytes[..bytes.len() - 4096]).unwrap();
        }),
        ("file_absent", |folder, _| {
            std::fs::remove_file(folder.join("anchors.log")).unwrap();
        }),
        ("file_unknown", |folder, _| {
            std::fs::write(folder.join("record.sqlite-wal"), b"x").unwrap();
        }),
        ("file_changed", |folder, second| {
            std::fs::copy(second.join("manifest.toml"), folder.join("manifest.toml"))
                .map(drop)
                .unwrap();
        }),
        ("manifest_absent", |folder, _| {
            std::fs::remove_file(folder.join("manifest.toml")).unwrap();
        }),
        ("other_format", |folder, _| {
            let path = folder.join("manifest.toml");
            let text = std::fs::read_to_string(&path).unwrap();
            // A manifest of another form has other keys too.
            let other = text.replace("format = 2", "format = 1\nshape = \"other\"");
            assert_ne!(text, other);
            std::fs::write(path, other).unwrap();
        }),
        ("manifest_unreadable", |folder, _| {
            std::fs::write(folder.join("manifest.toml"), "size = 1\n").unwrap();
        }),
        // The files are those that it lists, but it speaks of another record.
        ("other_manifest", |folder, _| {
            let path = folder.join("manifest.toml");
            let text = std::fs::read_to_string(&path).unwrap();
            let text = text.replace("fence = 1", "fence = 7");
            std::fs::write(path, text).unwrap();
        }),
    ];
    for (number, (word, change)) in changes.iter().enumerate() {
        let copy = place.at(&format!("copy-{number}"));
        copy_folder(&made.folder, &copy).unwrap();
        change(&copy, &second.folder);
        let folder = free_folder();
        let outcome = restore_to(&copy, &keys, folder.path(), &[], now_ms);
        let (name, words) = refused(outcome, folder.path());
        assert_eq!(name, *word, "change {number}: {words}");
        let checked = Backup::check(&copy, &place.at("records")).unwrap_err();
        assert_eq!(checked.name(), *word, "change {number}");
    }

    // A record that was changed with its hash in the manifest is found by its leaves.
    let copy = place.at("forged");
    copy_folder(&made.folder, &copy).unwrap();
    let keno_schema::Connection::Sqlite(mut record) = Database::Sqlite(copy.join("record.sqlite"))
        .open_writer()
        .unwrap()
    else {
        unreachable!()
    };
    use diesel::connection::SimpleConnection;
    record
        .batch_execute("UPDATE ticket SET last_draw = last_draw + 1 WHERE number = (SELECT min(number) FROM ticket)")
        .unwrap();
    drop(record);
    let bytes = std::fs::read(copy.join("record.sqlite")).unwrap();
    let manifest = std::fs::read_to_string(copy.join("manifest.toml")).unwrap();
    let old = &made.manifest.file[0];
    let manifest = manifest
        .replace(&old.sha256, &hex::encode(keno_log::hash::sha256(&bytes)))
        .replace(
            &format!("bytes = {}", old.bytes),
            &format!("bytes = {}", bytes.len()),
        );
    std::fs::write(copy.join("manifest.toml"), manifest).unwrap();
    Backup::open(&copy).unwrap();
    let folder = free_folder();
    let (name, words) = refused(
        restore_to(&copy, &keys, folder.path(), &[], now_ms),
        folder.path(),
    );
    assert_eq!(name, "record_wrong", "{words}");
    assert!(words.contains("table ticket"), "{words}");

    // Keys.
    let folder = free_folder();
    let no_keys = place.at("no-keys");
    std::fs::create_dir(&no_keys).unwrap();
    let outcome = restore_to(&made.folder, &no_keys, folder.path(), &[], now_ms);
    assert_eq!(refused(outcome, folder.path()).0, "keys_absent");
    let outcome = restore_to(&made.folder, &other_keys, folder.path(), &[], now_ms);
    assert_eq!(refused(outcome, folder.path()).0, "other_keys");
    let changed = place.at("changed-keys");
    copy_folder(&keys, &changed).unwrap();
    let text = std::fs::read_to_string(changed.join("house.toml")).unwrap();
    std::fs::write(changed.join("house.toml"), format!("{text}\n")).unwrap();
    let outcome = restore_to(&made.folder, &changed, folder.path(), &[], now_ms);
    assert_eq!(refused(outcome, folder.path()).0, "keys_changed");

    // Anchors of another log of the same length.
    let anchors = [other.path().join("anchors.log")];
    let outcome = restore_to(&made.folder, &keys, folder.path(), &anchors, now_ms);
    assert_eq!(refused(outcome, folder.path()).0, "other_log");

    // Nothing was wrong with the backup itself.
    restore_to(&made.folder, &keys, folder.path(), &[], now_ms).unwrap();
    let again = restore_to(&made.folder, &keys, folder.path(), &[], now_ms);
    assert!(matches!(again, Err(BackupFault::TargetExists(_))));
}

#[test]
fn keys_and_record_are_never_in_one_folder() {
    let house = crate::backup::house_on(None);
    let place = Place::empty();
    sell_some(&house, 1, "C1", 2);
    let both = place.at("both");
    let made = back_up(&house, &both).unwrap();
    for to in [
        both.clone(),
        both.join("deeper"),
        made.folder.join("deeper"),
        house.path(),
        house.path().join("deeper"),
    ] {
        let outcome = back_keys_up(&house, &to);
        assert!(
            matches!(outcome, Err(BackupFault::RecordBesideKeys(_))),
            "{}: {outcome:?}",
            to.display()
        );
    }
    let apart = place.at("apart");
    let keys = back_keys_up(&house, &apart).unwrap();
    for to in [
        apart.clone(),
        apart.join("deeper"),
        keys,
        house.path().join("deeper"),
    ] {
        let outcome = back_up(&house, &to);
        assert!(
            matches!(outcome, Err(BackupFault::KeysBesideRecord(_))),
            "{}: {outcome:?}",
            to.display()
        );
    }
}

/// Every byte that a backup holds: no key, no secret of a draw's holder.
#[test]
fn no_secret_is_in_a_backup() {
    on_both(|house, _| {
        let place = Place::empty();
        sell_some(house, 1, "C1", 5);
        let made = back_up(house, &place.at("records")).unwrap();
        let keys = back_keys_up(house, &place.at("keys")).unwrap();
        // Secrets of the draws that are open, as the holders' journals keep them: 32 bytes each.
        let mut canaries: Vec<Vec<u8>> = Vec::new();
        for holder in ["machine", "audit-office"] {
            let journal = std::fs::read(house.path().join(holder).join("secrets.journal")).unwrap();
            let draw = house.next_draw();
            // A record: kind, draw and secret, each behind its length.
            let mut mark = vec![0, 0, 0, 1, 1, 0, 0, 0, 8];
            mark.extend_from_slice(&draw.to_be_bytes());
            mark.extend_from_slice(&[0, 0, 0, 32]);
            let at = journal
                .windows(mark.len())
                .position(|window| window == mark)
                .expect("the journal holds the secret of the next draw");
            let secret = journal[at + mark.len()..at + mark.len() + 32].to_vec();
            canaries.push(hex::encode(&secret).into_bytes());
            canaries.push(secret);
        }
        let text = std::fs::read_to_string(house.path().join("keys.toml")).unwrap();
        for word in text.split('"').filter(|word| word.len() == 64) {
            canaries.push(word.as_bytes().to_vec());
            canaries.push(hex::decode(word).unwrap());
        }
        assert!(canaries.len() >= 14, "{}", canaries.len());
        let all_of = |folder: &Path| -> Vec<u8> {
            let mut files: Vec<_> = std::fs::read_dir(folder)
                .unwrap()
                .map(|entry| entry.unwrap().path())
                .collect();
            files.sort();
            files
                .iter()
                .flat_map(|path| std::fs::read(path).unwrap())
                .collect()
        };
        let holds = |bytes: &[u8], canary: &[u8]| {
            bytes.windows(canary.len()).any(|window| window == canary)
        };
        let of_record = all_of(&made.folder);
        for canary in &canaries {
            assert!(!holds(&of_record, canary), "a secret is in the backup");
        }
        // The search finds what is there: the keys are where they belong, the holders' are not.
        let of_keys = all_of(&keys);
        let found = canaries.iter().filter(|it| holds(&of_keys, it)).count();
        assert_eq!(found, (canaries.len() - 4) / 2);
    });
}

/// A rollback is refused: of the file, and with the newest anchors kept, on both databases.
#[test]
fn an_older_copy_is_refused_behind_its_anchors() {
    let mut house = crate::backup::house_on(None);
    sell_some(&house, 1, "C1", 2);
    house.stop();
    let place = Place::empty();
    copy_folder(&house.path(), &place.at("older")).unwrap();
    house.restart();
    sell_some(&house, 2, "C2", 3);
    house.stop();
    std::fs::copy(
        place.at("older").join("keno.sqlite"),
        house.path().join("keno.sqlite"),
    )
    .unwrap();
    for suffix in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(house.path().join(format!("keno.sqlite{suffix}")));
    }
    must_be_behind(&house, None);
    // On PostgreSQL: a dump of before, with the anchors of after.
    let database = keno_testing::empty_postgres_database().unwrap();
    let older = keno_testing::empty_postgres_database().unwrap();
    let mut house = crate::backup::house_on(Some(database.address()));
    sell_some(&house, 1, "C1", 2);
    let place = Place::empty();
    let made = back_up(&house, &place.at("records")).unwrap();
    sell_some(&house, 2, "C2", 3);
    house.stop();
    let mut from = Database::Sqlite(made.folder.join("record.sqlite"))
        .open_reader()
        .unwrap();
    let mut to = Database::parse(older.address()).open_writer().unwrap();
    keno_schema::migrate::migrate(&mut to).unwrap();
    keno_service::maintenance::transfer(&mut from, &mut to).unwrap();
    drop(to);
    must_be_behind(&house, Some(older.address()));
}

#[track_caller]
fn must_be_behind(house: &House, database: Option<&str>) {
    let outcome = Central::open(options(&house.path(), &house.clock, database));
    let fault = outcome.map(drop).unwrap_err();
    assert!(
        matches!(
            fault,
            OpenCentralFault::Record(OpenRecordFault::Past(DoubtfulPast::BehindAnchor { found, anchored, .. }))
                if found < anchored
        ),
        "{fault}"
    );
    assert!(fault.to_string().contains("restore"), "{fault}");
}

/// An anchor file outside the folder is told of the epoch once it was named; what it was told of
/// is demanded of the record from then on.
#[test]
fn an_anchor_file_elsewhere_is_named_and_told() {
    let place = Place::empty();
    let outside = place.at("outside.log");
    let line = format!("file = \"{}\"", outside.display());
    let text = crate::backup::house_text(None).replace("file = \"anchors.log\"", &line);
    let mut house = House::founded(None, crate::support::RULES, |options| {
        options.house.anchors_file = outside.clone();
    });
    std::fs::write(house.path().join("house.toml"), &text).unwrap();
    sell_some(&house, 1, "C1", 2);
    let made = back_up(&house, &place.at("records")).unwrap();
    let keys = back_keys_up(&house, &place.at("keys")).unwrap();
    sell_some(&house, 1, "C1", 2);
    let now_ms = house.clock_ms() + 1_000;
    house.stop();
    let before = std::fs::read(&outside).unwrap();

    let folder = free_folder();
    let outcome = restore_to(&made.folder, &keys, folder.path(), &[], now_ms);
    assert_eq!(refused(outcome, folder.path()).0, "anchors_ahead");
    assert_eq!(std::fs::read(&outside).unwrap(), before);

    let anchors = [outside.clone()];
    restore_to(&made.folder, &keys, folder.path(), &anchors, now_ms).unwrap();
    // Before the restored house has written a line: the lost one has no such epoch.
    let mut lost = options(&house.path(), &house.clock, None);
    lost.house.anchors_file = outside.clone();
    let fault = Central::open(lost).map(drop).unwrap_err();
    assert!(
        matches!(
            fault,
            OpenCentralFault::Record(OpenRecordFault::Past(DoubtfulPast::EpochMissing {
                epoch: 2,
                ..
            }))
        ),
        "{fault}"
    );
    let mut again = House::open_on(folder, now_ms, |options| {
        options.house.anchors_file = outside.clone();
    });
    Conductor::tick(&again.central);
    again.stop();

    // The house that was lost turns up again: its record has no such epoch.
    let mut old = options(&house.path(), &again.clock, None);
    old.house.anchors_file = outside;
    let fault = Central::open(old).map(drop).unwrap_err();
    assert!(
        matches!(
            fault,
            OpenCentralFault::Record(OpenRecordFault::Past(
                DoubtfulPast::BehindAnchor { .. } | DoubtfulPast::EpochMissing { epoch: 2, .. }
            ))
        ),
        "{fault}"
    );
}

/// The house's authority for devices goes with the keys, is held to their manifest, and comes back.
#[test]
fn the_trust_folder_goes_with_the_keys() {
    let house = crate::backup::house_on(None);
    let place = Place::empty();
    let trust = house.path().join("trust/devices");
    std::fs::create_dir_all(&trust).unwrap();
    std::fs::write(trust.join("ca.key"), b"secret").unwrap();
    sell_some(&house, 1, "C1", 1);
    let made = back_up(&house, &place.at("records")).unwrap();
    assert!(!made.folder.join("trust").exists());
    let keys = back_keys_up(&house, &place.at("keys")).unwrap();
    let now_ms = house.clock_ms() + 1_000;
    let folder = free_folder();
    restore_to(&made.folder, &keys, folder.path(), &[], now_ms).unwrap();
    let back = std::fs::read(folder.path().join("trust/devices/ca.key")).unwrap();
    assert_eq!(back, b"secret");
    std::fs::write(keys.join("trust/devices/ca.key"), b"Secret").unwrap();
    let folder = free_folder();
    let outcome = restore_to(&made.folder, &keys, folder.path(), &[], now_ms);
    let (name, words) = refused(outcome, folder.path());
    assert_eq!(name, "keys_changed");
    assert!(words.contains("trust/devices/ca.key"), "{words}");
}

/// Two people who are not recognised leave nothing: no folder, and a server's database empty. What
/// an interrupted restore left behind is no hindrance, and a database that is taken is one.
#[test]
fn a_restore_that_is_not_authorised_leaves_everything_as_it_was() {
    on_both(|house, other| {
        let place = Place::empty();
        sell_some(house, 1, "C1", 2);
        let made = back_up(house, &place.at("records")).unwrap();
        let keys = back_keys_up(house, &place.at("keys")).unwrap();
        let now_ms = house.clock_ms() + 1_000;
        let file = place.at("house.toml");
        std::fs::write(&file, crate::backup::house_text(other)).unwrap();
        let folder = free_folder();
        let mut part = folder.path().to_owned().into_os_string();
        part.push(".part");
        std::fs::create_dir(&part).unwrap();
        std::fs::write(Path::new(&part).join("record.sqlite"), b"half").unwrap();
        let order = RestoreOrder {
            backup: &made.folder,
            keys: &keys,
            house: Some(&file),
            data: folder.path(),
            anchors: &[],
            by: "S1",
            second: "S2",
            reason: "essai",
            clock: Arc::new(ManualClock::at(now_ms)),
        };
        let outcome = order.restore(|_| Err(BackupFault::Empty));
        assert_eq!(refused(outcome, folder.path()).0, "record_empty");
        if let Some(address) = other {
            let mut server = Database::parse(address).open_reader().unwrap();
            let entries = keno_record::store::log::entries(&mut server, 0, 1).unwrap();
            assert!(entries.is_empty(), "something was written");
        }
        order.restore::<BackupFault>(|_| Ok(())).unwrap();
        let another = free_folder();
        let again = RestoreOrder {
            data: another.path(),
            ..order
        };
        let outcome = again.restore::<BackupFault>(|_| Ok(()));
        match other {
            None => drop(outcome.unwrap()),
            Some(_) => assert_eq!(refused(outcome, another.path()).0, "database_taken"),
        }
    });
}

/// A backup is verified before it has its name: a record that does not hold gives none.
#[test]
fn a_record_that_does_not_hold_is_not_backed_up() {
    on_both(|house, _| {
        let place = Place::empty();
        let sold = sell_some(house, 1, "C1", 4);
        let ticket = sold[2].ticket;
        // Nobody writes while this test does.
        house.stop();
        // A leaf's bytes cannot be changed through the database's own guards; a table's can.
        let statement = format!("UPDATE ticket SET session = session + 5 WHERE number = {ticket}");
        let mut writer = house.record().open_writer().unwrap();
        keno_schema::on!(&mut writer, c => diesel::RunQueryDsl::execute(
            diesel::sql_query(statement), c))
        .unwrap();
        let records = place.at("records");
        let outcome = back_up(house, &records);
        // On PostgreSQL the tables of the backup are made from the leaves, which hold.
        if house.database.is_some() {
            Backup::check(&outcome.unwrap().folder, &place.at("records")).unwrap();
        } else {
            assert!(
                matches!(outcome, Err(BackupFault::RecordWrong(_))),
                "{outcome:?}"
            );
            assert_eq!(std::fs::read_dir(&records).unwrap().count(), 0);
        }
        // An anchor that says otherwise stops both.
        let mut edge = keno_log::tree::Edge::new();
        for leaf in 0..5_u8 {
            edge.append([leaf; 32]);
        }
        let (size, root) = (edge.size(), edge.root());
        let line = keno_record::publish::Anchor { size, root }.line();
        let anchors = house.path().join("anchors.log");
        let text = std::fs::read_to_string(&anchors).unwrap();
        std::fs::write(&anchors, format!("{line}{text}")).unwrap();
        let other = place.at("others");
        let outcome = back_up(house, &other);
        assert!(
            matches!(outcome, Err(BackupFault::RecordWrong(_))),
            "{outcome:?}"
        );
        assert_eq!(std::fs::read_dir(&other).unwrap().count(), 0);
    });
}
