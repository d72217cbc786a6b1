//! A start on a doubtful past is refused, in words that say what to do.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a failure here is the test's own"
)]

mod clocks;

use std::path::Path;
use std::sync::Arc;

use crate::support::{House, options, quick, slip, wait};
use diesel::connection::SimpleConnection;
use keno_house_builder::without_guards;
use keno_log::hash::leaf_hash;
use keno_log::leaf::body_commitment;
use keno_log::tree::Edge;
use keno_log::{Event, Leaf, RetiredKind};
use keno_record::fault::{Fault, chain};
use keno_record::record::OpenRecordFault;
use keno_record::recover::DoubtfulPast;
use keno_record::store::log;
use keno_schema::on;
use keno_service::central::OpenCentralFault;
use keno_service::{Central, Stop};
use keno_testing::copy_folder;

/// A house with a few sales behind it, stopped.
fn stopped_house() -> House {
    stopped_house_on(None)
}

/// The same on a database.
fn stopped_house_on(database: Option<&str>) -> House {
    let mut house = House::new(database);
    let clerk = house.clerk(1, "C1");
    for _ in 0..5 {
        house.sell(&clerk, slip(vec![quick(5, 200)], 1));
    }
    house.stop();
    house
}

fn open(house: &House) -> Result<Arc<Central>, OpenCentralFault> {
    open_in(house.folder.path(), house)
}

fn open_in(folder: &Path, house: &House) -> Result<Arc<Central>, OpenCentralFault> {
    Central::open(options(folder, &house.clock, None))
}

/// Asserts that the start is refused and that the words hold each of `parts`.
#[track_caller]
fn refused(house: &House, parts: &[&str]) -> OpenCentralFault {
    let fault = open(house).expect_err("central was opened on a doubtful past");
    let words = fault.to_string();
    for part in parts {
        assert!(words.contains(part), "{part:?} is not in: {words}");
    }
    fault
}

/// Runs SQL on the stopped house's record, as someone with the file would.
fn tamper(house: &House, sql: &str) {
    let mut connection = house.record().open_writer().unwrap();
    without_guards(
        &mut connection,
        |connection| on!(connection, c => c.batch_execute(sql)),
    )
    .unwrap();
}

/// The place of the last ticket.
fn last_ticket(house: &House) -> usize {
    house
        .events()
        .iter()
        .rposition(|event| matches!(event, Event::TicketSold(_)))
        .unwrap()
}

#[test]
fn what_was_not_tampered_with_is_opened() {
    let house = stopped_house();
    tamper(&house, "");
    let central = open(&house).unwrap();
    assert_eq!(central.last_at_start_ms(), crate::support::NOON_MS);
}

#[test]
fn a_record_of_an_earlier_format_is_refused_before_anything_is_changed() {
    assert_eq!(
        keno_schema::connection::RECORD_FORMAT,
        keno_log::leaf::FORMAT_VERSION
    );
    let house = stopped_house();
    tamper(
        &house,
        "UPDATE log_entry SET leaf = CAST(x'01' || substr(leaf, 2) AS BLOB)",
    );
    let record = house.folder.path().join("keno.sqlite");
    let files = || std::fs::read(&record).unwrap();
    let before = files();
    let fault = refused(
        &house,
        &["of format 1", "keno-central init", "Nothing was changed"],
    );
    assert!(matches!(
        fault,
        OpenCentralFault::Record(OpenRecordFault::Open(_))
    ));
    assert!(files() == before, "the record was changed");
}

/// Turns a leaf into one of a kind that this version does not know, and makes hash and head fit, as the
/// version that recorded it had them.
fn retire(house: &House, index: u64) {
    let mut connection = house.record().open_reader().unwrap();
    let rows = log::entries(&mut connection, 0, i64::MAX).unwrap();
    drop(connection);
    let mut leaf = rows[usize::try_from(index).unwrap()].leaf.clone();
    leaf[1] = RetiredKind::SecretEscrowed.number();
    let mut edge = Edge::new();
    for row in &rows {
        let hash = row.leaf_hash.as_slice().try_into().unwrap();
        edge.append(match row.leaf_index == index {
            true => leaf_hash(&leaf),
            false => hash,
        });
    }
    let is_sqlite = house.database.is_none();
    let blob = |bytes: &[u8]| match is_sqlite {
        true => format!("x'{}'", hex(bytes)),
        false => format!("'\\x{}'", hex(bytes)),
    };
    let (leaf, hash) = (blob(&leaf), blob(&leaf_hash(&leaf)));
    let (edge, root) = (blob(&edge.to_bytes()), blob(&edge.root()));
    tamper(
        house,
        &format!(
            "UPDATE log_entry SET leaf = {leaf}, leaf_hash = {hash} WHERE leaf_index = {index}; \
             UPDATE log_head SET edge = {edge}, root = {root}"
        ),
    );
}

#[test]
fn a_record_with_a_retired_kind_is_refused_before_anything_is_changed() {
    let postgres = keno_testing::empty_postgres_database().unwrap();
    for database in [None, Some(postgres.address())] {
        let house = stopped_house_on(database);
        let rows = || {
            let mut connection = house.record().open_reader().unwrap();
            let rows = log::entries(&mut connection, 0, i64::MAX).unwrap();
            let leaves: Vec<_> = rows
                .into_iter()
                .map(|row| (row.leaf, row.leaf_hash))
                .collect();
            (leaves, log::head(&mut connection).unwrap())
        };
        let last = rows().0.len() as u64 - 1;
        std::fs::remove_file(house.folder.path().join("anchors.log")).unwrap();
        for index in [last, 9, 3] {
            retire(&house, index);
            let before = rows();
            let mut connection = house.record().open_writer().unwrap();
            let looked = log::must_know_every_kind(&mut connection).unwrap_err();
            drop(connection);
            let opened = Central::open(options(house.folder.path(), &house.clock, database));
            for words in [chain(&looked), chain(&opened.unwrap_err())] {
                for part in [
                    "the record holds secrets in escrow",
                    &format!("(leaf {index}, kind 70)"),
                    "Nothing was changed",
                    "The version that wrote it reads it",
                ] {
                    assert!(words.contains(part), "{part:?} is not in: {words}");
                }
            }
            assert!(rows() == before, "the record was changed");
        }
    }
}

#[test]
fn an_older_copy_is_refused() {
    let mut house = stopped_house();
    let older = tempfile::tempdir().unwrap();
    copy_folder(house.folder.path(), older.path()).unwrap();
    house.central = open(&house).unwrap().into();
    let clerk = house.clerk(2, "C2");
    house.sell(&clerk, slip(vec![quick(5, 200)], 1));
    house.stop();
    for file in ["keno.sqlite", "keno.sqlite-wal", "keno.sqlite-shm"] {
        let (old, new) = (older.path().join(file), house.folder.path().join(file));
        let _ = std::fs::remove_file(&new);
        if old.exists() {
            std::fs::copy(old, new).unwrap();
        }
    }
    let fault = refused(
        &house,
        &[
            "this is an older copy",
            "Start the newest copy",
            "restore",
            "anchors.log",
        ],
    );
    assert!(matches!(
        fault,
        OpenCentralFault::Record(OpenRecordFault::Past(DoubtfulPast::BehindAnchor { found, anchored, .. })) if found < anchored
    ));
    // The older copy with its own, older anchors cannot be told from the truth by itself; an
    // anchor kept elsewhere can.
    open_in(older.path(), &house).unwrap();
    let mut kept = options(older.path(), &house.clock, None);
    kept.house.anchors_extra = vec![house.folder.path().join("anchors.log")];
    let fault = Central::open(kept).expect_err("an anchor elsewhere is not asked");
    assert!(
        fault.to_string().contains("this is an older copy"),
        "{fault}"
    );
}

#[test]
fn an_empty_record_beside_anchors_is_refused() {
    let house = stopped_house();
    for file in ["keno.sqlite", "keno.sqlite-wal", "keno.sqlite-shm"] {
        let _ = std::fs::remove_file(house.folder.path().join(file));
    }
    let fault = refused(&house, &["ends at leaf 0", "this is an older copy"]);
    assert!(matches!(
        fault,
        OpenCentralFault::Record(OpenRecordFault::Past(DoubtfulPast::BehindAnchor {
            found: 0,
            ..
        }))
    ));
}

/// One bit of each column of a leaf, one at a time.
/// Whoever changes the tables could have what is written or read there be another thing.
#[test]
fn tables_that_somebody_changed_are_refused() {
    let house = stopped_house();
    for (change, told, back) in [
        (
            "CREATE TRIGGER mine AFTER INSERT ON ticket_fact \
             BEGIN DELETE FROM ticket_fact WHERE leaf = NEW.leaf; END",
            "trigger mine was added",
            "DROP TRIGGER mine",
        ),
        (
            "ALTER TABLE payment RENAME TO kept; CREATE VIEW payment AS SELECT * FROM kept",
            "table payment is missing",
            "DROP VIEW payment; ALTER TABLE kept RENAME TO payment",
        ),
    ] {
        let size = house.events().len();
        tamper(&house, change);
        refused(&house, &["tables of the database", told, "audit office"]);
        assert_eq!(house.events().len(), size, "something was recorded");
        tamper(&house, back);
        drop(open(&house).unwrap_or_else(|fault| panic!("{back}: {fault}")));
    }
}

#[test]
fn a_changed_leaf_is_refused() {
    for (column, byte, words) in [
        ("leaf", 0, "the record is damaged"),
        ("leaf", 40, "the record is damaged"),
        ("leaf_hash", 0, "its bytes are not what its hash says"),
        ("nonce", 5, "the record is damaged"),
        ("body", 30, "the record is damaged"),
    ] {
        let house = stopped_house();
        let index = last_ticket(&house);
        let mut connection = house.record().open_reader().unwrap();
        let row = log::entry(&mut connection, index as u64).unwrap().unwrap();
        drop(connection);
        let mut bytes = match column {
            "leaf" => row.leaf,
            "leaf_hash" => row.leaf_hash,
            "nonce" => row.nonce,
            _ => row.body,
        };
        bytes[byte] ^= 1;
        tamper(
            &house,
            &format!(
                "UPDATE log_entry SET {column} = x'{}' WHERE leaf_index = {index}",
                hex(&bytes)
            ),
        );
        let place = format!("leaf {index}");
        let fault = refused(&house, &[words, &place, "Run `keno-central verify`"]);
        assert!(
            matches!(
                fault,
                OpenCentralFault::Record(OpenRecordFault::Past(DoubtfulPast::Leaf { .. }))
            ),
            "{column}: {fault:?}"
        );
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Someone rewrites the wager of a ticket and everything that follows from it: body, leaf, hash,
/// and in the end the head. The nonce and its commitment need no key.
fn rewrite(house: &House, with_head: bool) {
    let index = last_ticket(house);
    let mut connection = house.record().open_reader().unwrap();
    let rows = log::entries(&mut connection, 0, i64::MAX).unwrap();
    let mut sql = String::new();
    let mut edge = Edge::new();
    for row in &rows {
        let (mut entry, mut leaf_hash) = log::checked_entry(row).unwrap();
        if row.leaf_index == index as u64 {
            let Event::TicketSold(mut sold) = entry.event().unwrap() else {
                panic!("leaf {index} is no ticket")
            };
            sold.selections[0].groups[0] = vec![1, 2, 3, 4, 5];
            let body = Event::from(sold).encode();
            entry.leaf = Leaf {
                header: entry.leaf.header,
                commitment: body_commitment(&entry.nonce, &body),
            };
            leaf_hash = entry.leaf.hash();
            sql = format!(
                "UPDATE log_entry SET body = x'{}', leaf = x'{}', leaf_hash = x'{}' \
                 WHERE leaf_index = {index};",
                hex(&body),
                hex(&entry.leaf.to_bytes()),
                hex(&leaf_hash),
            );
        }
        edge.append(leaf_hash);
    }
    if with_head {
        sql.push_str(&format!(
            "UPDATE log_head SET edge = x'{}', root = x'{}';",
            hex(&edge.to_bytes()),
            hex(&edge.root())
        ));
    }
    drop(connection);
    tamper(house, &sql);
}

#[test]
fn a_consistent_forgery_is_refused_by_head_or_anchor() {
    let house = stopped_house();
    rewrite(&house, false);
    let fault = refused(&house, &["leaves were changed", "call the audit office"]);
    assert!(
        matches!(
            fault,
            OpenCentralFault::Record(OpenRecordFault::Past(DoubtfulPast::OtherThanAnchor { .. }))
        ),
        "{fault:?}"
    );
    let house = stopped_house();
    rewrite(&house, true);
    let fault = refused(
        &house,
        &[
            "leaves were changed",
            "Keep this copy as evidence",
            "anchors.log",
        ],
    );
    assert!(
        matches!(
            fault,
            OpenCentralFault::Record(OpenRecordFault::Past(DoubtfulPast::OtherThanAnchor { .. }))
        ),
        "{fault:?}"
    );
    // Without anchors the head alone sees the first, and nothing the second: that is what
    // anchors are for.
    for (with_head, opened) in [(false, false), (true, true)] {
        let house = stopped_house();
        rewrite(&house, with_head);
        std::fs::remove_file(house.folder.path().join("anchors.log")).unwrap();
        let outcome = open(&house);
        assert_eq!(outcome.is_ok(), opened, "{outcome:?}");
        if let Err(fault) = outcome {
            assert!(
                matches!(
                    fault,
                    OpenCentralFault::Record(OpenRecordFault::Past(DoubtfulPast::Head { .. }))
                ),
                "{fault:?}"
            );
        }
    }
}

/// A snapshot was signed at its place in the log: it holds the record to it as an anchor does.
#[test]
fn a_signed_snapshot_of_another_past_is_refused() {
    let kept = || {
        let mut house = stopped_house();
        house.restart_with(|options| options.snapshot_leaves = 1);
        house.stop();
        let _ = std::fs::remove_file(house.folder.path().join("anchors.log"));
        house
    };
    let is_other = |house: &House| {
        let fault = refused(house, &["leaves were changed", "state.snapshot"]);
        assert!(
            matches!(
                fault,
                OpenCentralFault::Record(OpenRecordFault::Past(
                    DoubtfulPast::OtherThanAnchor { .. }
                ))
            ),
            "{fault:?}"
        );
    };
    let house = kept();
    rewrite(&house, true);
    is_other(&house);
    // Without it nothing would hold the record to what it was.
    std::fs::remove_file(house.folder.path().join("state.snapshot")).unwrap();
    open(&house).unwrap();
    // An older copy: the snapshot was made after it.
    let mut house = stopped_house();
    let older = tempfile::tempdir().unwrap();
    copy_folder(house.folder.path(), older.path()).unwrap();
    for _ in 0..2 {
        house.restart_with(|options| options.snapshot_leaves = 1);
    }
    house.stop();
    let newer = house.folder.path().join("state.snapshot");
    std::fs::copy(newer, older.path().join("state.snapshot")).unwrap();
    std::fs::remove_file(older.path().join("anchors.log")).unwrap();
    let fault = open_in(older.path(), &house).expect_err("an older copy was opened");
    let words = fault.to_string();
    assert!(
        words.contains("this is an older copy") && words.contains("state.snapshot"),
        "{words}"
    );
}

#[test]
fn a_head_that_disagrees_is_refused() {
    for (change, words) in [
        ("root = edge_root", "edge, size and root disagree"),
        ("size = size - 1", "edge, size and root disagree"),
        ("size = size + 1", "edge, size and root disagree"),
        ("edge = x'00'", "cannot be read"),
    ] {
        let house = stopped_house();
        let change = change.replace("edge_root", &format!("x'{}'", "ab".repeat(32)));
        tamper(&house, &format!("UPDATE log_head SET {change}"));
        let fault = refused(
            &house,
            &["the head of the record and its leaves disagree", words],
        );
        assert!(
            matches!(
                fault,
                OpenCentralFault::Record(OpenRecordFault::Past(DoubtfulPast::Head { .. }))
            ),
            "{change}: {fault:?}"
        );
    }
    // A head that is right in itself, for fewer leaves than there are.
    let house = stopped_house();
    let mut connection = house.record().open_reader().unwrap();
    let hashes = log::leaf_hashes(&mut connection, 0, i64::MAX).unwrap();
    drop(connection);
    let mut edge = Edge::new();
    for hash in &hashes[..hashes.len() - 1] {
        edge.append(*hash);
    }
    tamper(
        &house,
        &format!(
            "UPDATE log_head SET size = {}, edge = x'{}', root = x'{}'",
            edge.size(),
            hex(&edge.to_bytes()),
            hex(&edge.root())
        ),
    );
    refused(&house, &["this is an older copy"]);
    std::fs::remove_file(house.folder.path().join("anchors.log")).unwrap();
    refused(&house, &["the head counts", "verify"]);
}

#[test]
fn a_missing_leaf_is_refused() {
    let house = stopped_house();
    tamper(
        &house,
        "DELETE FROM log_entry WHERE leaf_index = (SELECT max(leaf_index) FROM log_entry)",
    );
    let fault = refused(&house, &["the head counts", "verify"]);
    assert!(
        matches!(
            fault,
            OpenCentralFault::Record(OpenRecordFault::Past(DoubtfulPast::Head { .. }))
        ),
        "{fault:?}"
    );
    let house = stopped_house();
    let index = last_ticket(&house) - 1;
    tamper(
        &house,
        &format!("DELETE FROM log_entry WHERE leaf_index = {index}"),
    );
    refused(&house, &[&format!("leaf {index} is missing"), "verify"]);
    // The rules, which stand before everything that is read in a row.
    let house = stopped_house();
    let index = house
        .events()
        .iter()
        .position(|event| matches!(event, Event::RuleBookPublished(_)))
        .unwrap();
    tamper(
        &house,
        &format!("DELETE FROM log_entry WHERE leaf_index = {index}"),
    );
    refused(&house, &[&format!("leaf {index} is missing"), "verify"]);
}

#[test]
fn another_house_is_refused() {
    let house = stopped_house();
    let mut other = options(house.folder.path(), &house.clock, None);
    other.house.code = "autre".to_owned();
    let fault = Central::open(other).expect_err("the record of another house was opened");
    assert!(matches!(
        &fault,
        OpenCentralFault::Record(OpenRecordFault::OtherHouse { found, wanted }) if found == "demo" && wanted == "autre"
    ));
    let words = fault.to_string();
    assert!(
        words.contains("house demo") && words.contains("house.toml says autre"),
        "{words}"
    );
}

#[test]
fn keys_that_are_not_the_record_s_are_refused() {
    use std::os::unix::fs::PermissionsExt;
    let house = stopped_house();
    let path = keno_record::record::keys_path(house.folder.path());
    let own = std::fs::read(&path).unwrap();

    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
    refused(&house, &["can be read by others", "chmod 600"]);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();

    std::fs::write(&path, "format = 1\n").unwrap();
    refused(&house, &["keys.toml", "is not one of this program's"]);

    std::fs::remove_file(&path).unwrap();
    // New keys are made for a new house only: a record without its keys is not a new house.
    refused(&house, &["keys.toml", "cannot be used"]);
    assert!(!path.exists());

    keno_record::keys::ServerKeys::generate(&keno_record::chance::Chance::System)
        .unwrap()
        .save_new(&path)
        .unwrap();
    refused(&house, &["not the one that this record was begun with"]);

    std::fs::write(&path, own).unwrap();
    open(&house).unwrap();
}

#[test]
fn keys_that_systemd_hands_over_are_those_of_the_record_and_hidden_from_everyone() {
    use keno_record::keys::KeysPlace;
    use std::os::unix::fs::PermissionsExt;
    let house = stopped_house();
    let elsewhere = tempfile::tempdir().unwrap();
    let path = elsewhere.path().join("central_keys");
    std::fs::rename(keno_record::record::keys_path(house.folder.path()), &path).unwrap();
    let opened = |place: KeysPlace, mode: u32| {
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        let mut options = options(house.folder.path(), &house.clock, None);
        options.keys = Some(place);
        Central::open(options)
            .map(drop)
            .map_err(|fault| fault.to_string())
    };
    let credential = || KeysPlace::Credential(path.clone());
    opened(credential(), 0o400).unwrap();
    // An access list shows as the permission of a group.
    opened(credential(), 0o440).unwrap();
    assert!(
        opened(credential(), 0o444)
            .unwrap_err()
            .contains("read by others")
    );
    assert!(
        opened(KeysPlace::File(path.clone()), 0o440)
            .unwrap_err()
            .contains("read by others")
    );
    let absent = KeysPlace::Credential(elsewhere.path().join("other_keys"));
    assert!(opened(absent, 0o400).is_err());
    opened(credential(), 0o400).unwrap();
}

#[test]
fn a_torn_anchor_is_passed_over_and_a_damaged_one_is_not() {
    use std::io::Write;
    let house = stopped_house();
    let path = house.folder.path().join("anchors.log");
    let append = |text: &str| {
        std::fs::OpenOptions::new()
            .append(true)
            .open(&path)
            .unwrap()
            .write_all(text.as_bytes())
            .unwrap();
    };
    let whole = std::fs::read_to_string(&path).unwrap();
    for torn in ["a", "anchor 9", "anchor 999999 abcd"] {
        append(torn);
        drop(open(&house).unwrap());
        let after = std::fs::read_to_string(&path).unwrap();
        assert!(
            after.starts_with(&whole) && after.ends_with('\n'),
            "{after}"
        );
        assert!(!after.contains("anchor 999999"), "{after}");
        for line in after.lines() {
            assert_eq!(line.split(' ').count(), 3, "{line}");
        }
    }
    let lines = std::fs::read_to_string(&path).unwrap();
    let second = lines.lines().nth(1).unwrap();
    std::fs::write(&path, lines.replacen(second, "anchor 9 torn", 1)).unwrap();
    let fault = open(&house).expect_err("a damaged anchor was passed over");
    let words = keno_record::fault::chain(&fault);
    assert!(words.contains("line 2 is not an anchor"), "{words}");
}

#[test]
fn two_centrals_on_one_folder_are_refused() {
    let mut house = House::new(None);
    let fault = refused(&house, &["another central runs on", "stop it first"]);
    assert!(matches!(
        fault,
        OpenCentralFault::Record(OpenRecordFault::Locked(_))
    ));
    // The first is none the worse for it.
    house.clerk(1, "C1");
    house.stop();
    open(&house).unwrap();
}

/// A record that this program could not have written is refused too.
#[test]
fn a_record_that_cannot_be_is_refused() {
    let mut house = House::new(None);
    let draw = house.next_draw();
    let outcome =
        house
            .central
            .sequencer
            .submit_blocking(keno_record::sequencer::Lane::Draw, move |judge| {
                // Numbers for a draw that is still on sale: the door itself says no.
                judge.record(keno_log::event::BallsRecorded {
                    draw,
                    machine: 1,
                    balls: (1..=20).collect(),
                    words_used: 20,
                    words_rejected: 0,
                    secrets_hash: [0; 32],
                })?;
                Ok(())
            });
    assert!(
        matches!(outcome, Err(Stop::Undone(Fault::Record(_)))),
        "{outcome:?}"
    );
    let clerk = house.clerk(1, "C1");
    wait(clerk.close_key(&house.central, None, clerk.session, 9)).unwrap();
    house.restart();
}
