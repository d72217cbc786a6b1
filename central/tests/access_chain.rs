//! The access log is a chain, anchored beside the record: each way to falsify it is named, in the
//! file itself and in what a stranger is given.

#![allow(clippy::unwrap_used, reason = "a test's failure is its own report")]

use std::path::{Path, PathBuf};

use crate::common::{House, NOON_MS, blocking, pin_of};
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sqlite::SqliteConnection;
use keno_log::access::{AccessAnchor, AccessFinding, judge_export, origin};
use keno_log::checkpoint::{SigningKey, VerifyingKey};
use keno_log::tree::Edge;
use keno_record::keys::signing_key;
use keno_record::publish::read_anchor_file;
use keno_record::record::origin_of;
use keno_service::access::{AccessKind, AccessLine, AccessLog, JudgedFile, export};
use serde_json::json;

fn signing(house: &House) -> SigningKey {
    signing_key(&house.central.keys, &origin_of(&house.central.house_code)).unwrap()
}

fn anchors_of(house: &House) -> PathBuf {
    house.folder.path().join(&house.central.house.anchors_file)
}

/// Writes a line, and waits until its chain is anchored.
fn write(house: &House, badge: &str) -> u64 {
    let line = AccessLine {
        at_ms: NOON_MS,
        kind: AccessKind::AuditView,
        device: Some(5),
        badge: badge.to_owned(),
        trace: "ab12".to_owned(),
        purpose: "claim".to_owned(),
    };
    house.app.access.write(line).unwrap();
    let lines = judged(house).judged.lines;
    loop {
        let read = read_anchor_file(&anchors_of(house)).unwrap();
        if read.access.iter().any(|anchor| anchor.size == lines) {
            return lines;
        }
        std::thread::yield_now();
    }
}

fn judged(house: &House) -> JudgedFile {
    judge_against(house, &[anchors_of(house)])
}

fn judge_against(house: &House, anchors: &[PathBuf]) -> JudgedFile {
    let key = signing(house).verifying_key().to_string();
    JudgedFile::of(house.folder.path(), anchors, Some(&(key, 1))).unwrap()
}

fn file(folder: &Path) -> SqliteConnection {
    let path = folder.join("access.sqlite");
    SqliteConnection::establish(path.to_str().unwrap()).unwrap()
}

/// Does to the file what only someone with the disk in hands can do, and says what is found.
fn found(house: &House, act: &str) -> Vec<AccessFinding> {
    let path = house.folder.path().join("access.sqlite");
    let mut connection = file(house.folder.path());
    // The picture goes beside it, so that each act begins with the true file.
    let kept = house.folder.path().join("kept.sqlite");
    connection
        .batch_execute(&format!("VACUUM INTO '{}'", kept.display()))
        .unwrap();
    let mut other = SqliteConnection::establish(kept.to_str().unwrap()).unwrap();
    other
        .batch_execute(
            "DROP TRIGGER access_no_update; DROP TRIGGER access_leaf_no_update;
             DROP TRIGGER access_leaf_no_delete;",
        )
        .unwrap();
    other.batch_execute(act).unwrap();
    drop(other);
    let elsewhere = house.folder.path().join("changed");
    std::fs::create_dir_all(&elsewhere).unwrap();
    std::fs::rename(&kept, elsewhere.join(path.file_name().unwrap())).unwrap();
    let key = signing(house).verifying_key().to_string();
    let outcome = JudgedFile::of(&elsewhere, &[anchors_of(house)], Some(&(key, 1))).unwrap();
    outcome.judged.findings
}

/// Gives every line its hash anew and the head with them, as who knows the format would.
fn chained_anew(house: &House, act: &str) -> Vec<AccessFinding> {
    let folder = house.folder.path().join("anew");
    std::fs::create_dir_all(&folder).unwrap();
    for name in ["access.sqlite", "access.sqlite-wal", "access.sqlite-shm"] {
        let _ = std::fs::remove_file(folder.join(name));
    }
    let kept = folder.join("from.sqlite");
    let _ = std::fs::remove_file(&kept);
    file(house.folder.path())
        .batch_execute(&format!("VACUUM INTO '{}'", kept.display()))
        .unwrap();
    let mut from = SqliteConnection::establish(kept.to_str().unwrap()).unwrap();
    from.batch_execute("DROP TRIGGER access_no_update").unwrap();
    from.batch_execute(act).unwrap();
    let rows: Vec<Row> = diesel::sql_query("SELECT * FROM access ORDER BY id, at_ms")
        .load(&mut from)
        .unwrap();
    let log = AccessLog::open(&folder, 1).unwrap();
    for row in rows {
        let kind = match row.kind.as_str() {
            "signed_on" => AccessKind::SignedOn,
            "audit_view" => AccessKind::AuditView,
            other => panic!("{other}"),
        };
        log.write(AccessLine {
            at_ms: row.at_ms,
            kind,
            device: row.device.map(|device| u32::try_from(device).unwrap()),
            badge: row.badge,
            trace: row.trace,
            purpose: row.purpose,
        })
        .unwrap();
    }
    drop(log);
    let key = signing(house).verifying_key().to_string();
    let outcome = JudgedFile::of(&folder, &[anchors_of(house)], Some(&(key, 1))).unwrap();
    outcome.judged.findings
}

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = diesel::sql_types::BigInt)]
    at_ms: i64,
    #[diesel(sql_type = diesel::sql_types::Text)]
    kind: String,
    #[diesel(sql_type = diesel::sql_types::Nullable<diesel::sql_types::BigInt>)]
    device: Option<i64>,
    #[diesel(sql_type = diesel::sql_types::Text)]
    badge: String,
    #[diesel(sql_type = diesel::sql_types::Text)]
    trace: String,
    #[diesel(sql_type = diesel::sql_types::Text)]
    purpose: String,
}

/// A house in which somebody signed on, and five auditors looked.
async fn house_with_lines() -> (House, u64) {
    let house = House::new(None);
    house.sign_on(1, "C1").await;
    let (house, lines) = blocking(move || {
        let mut lines = 0;
        for badge in ["V1", "V2", "V3", "V4", "V5"] {
            lines = write(&house, badge);
        }
        (house, lines)
    });
    (house, lines)
}

#[actix_web::test]
async fn what_was_written_holds_and_every_falsification_is_named() {
    let (house, lines) = house_with_lines().await;
    blocking(move || {
        let outcome = judged(&house);
        assert_eq!(outcome.judged.findings, []);
        assert!(outcome.judged.anchors >= 5 && lines >= 6, "{outcome:?}");
        assert_eq!(found(&house, "SELECT 1"), []);

        // One line, by who does not know the chain.
        assert_eq!(
            found(&house, "UPDATE access SET badge = 'V9' WHERE id = 3"),
            [AccessFinding::Changed { line: 3 }]
        );
        assert_eq!(
            found(
                &house,
                "UPDATE access SET device = 99999999999 WHERE id = 3"
            ),
            [AccessFinding::Changed { line: 3 }]
        );
        assert_eq!(
            found(&house, "DELETE FROM access WHERE id = 3"),
            [AccessFinding::Removed { line: 3 }]
        );
        assert_eq!(
            found(
                &house,
                "INSERT INTO access SELECT id + 100, at_ms, kind, device, badge, trace, purpose
                 FROM access WHERE id = 3"
            ),
            [AccessFinding::Inserted { line: 103 }]
        );
        // Emptied, and said to be of an epoch that the record has not come to.
        assert_eq!(
            found(
                &house,
                &format!(
                    "DELETE FROM access; DELETE FROM access_leaf;
                     UPDATE access_head SET epoch = 2, edge = X'{}'",
                    hex::encode(Edge::new().to_bytes())
                )
            ),
            [AccessFinding::LaterEpoch {
                epoch: 2,
                record: 1
            }]
        );
        // The end, with its hashes and a head that fits.
        let mut edge = Edge::new();
        let hashes: Vec<HashRow> =
            diesel::sql_query("SELECT hash FROM access_leaf ORDER BY id LIMIT 4")
                .load(&mut file(house.folder.path()))
                .unwrap();
        for row in hashes {
            edge.append(row.hash.try_into().unwrap());
        }
        assert_eq!(
            found(
                &house,
                &format!(
                    "DELETE FROM access WHERE id > 4; DELETE FROM access_leaf WHERE id > 4;
                     UPDATE access_head SET edge = X'{}'",
                    hex::encode(edge.to_bytes())
                )
            ),
            [AccessFinding::Cut {
                lines: 4,
                anchored: lines
            }]
        );
        assert_eq!(
            found(
                &house,
                "DELETE FROM access WHERE id > 4; DELETE FROM access_leaf WHERE id > 4"
            ),
            [
                AccessFinding::Head,
                AccessFinding::Cut {
                    lines: 4,
                    anchored: lines
                }
            ]
        );
        assert_eq!(
            found(&house, "DELETE FROM access_leaf WHERE id = 3"),
            [
                AccessFinding::HashRemoved { line: 3 },
                AccessFinding::Inserted { line: 3 }
            ]
        );

        // By who knows it, and chains everything anew: the anchors know what was.
        assert_eq!(chained_anew(&house, "SELECT 1"), []);
        let first = read_anchor_file(&anchors_of(&house)).unwrap().access;
        let after = |line: u64| {
            let before = first.iter().map(|anchor| anchor.size);
            before.filter(|size| *size < line).max().unwrap_or(0)
        };
        let at = |line: u64| {
            let from = first.iter().map(|anchor| anchor.size);
            from.filter(|size| *size >= line).min().unwrap()
        };
        let expected = AccessFinding::OtherRoot {
            from: after(4) + 1,
            size: at(4),
        };
        assert_eq!(
            chained_anew(&house, "UPDATE access SET badge = 'V9' WHERE id = 4"),
            [expected]
        );
        let removed = chained_anew(&house, "DELETE FROM access WHERE id = 4");
        assert!(
            matches!(
                removed[..],
                [AccessFinding::OtherRoot { .. }, AccessFinding::Cut { .. }]
            ),
            "{removed:?}"
        );
        let inserted = chained_anew(
            &house,
            "UPDATE access SET id = id + 100 WHERE id >= 4;
             INSERT INTO access SELECT 50, at_ms, kind, device, 'V9', trace, purpose
             FROM access WHERE id = 104",
        );
        assert_eq!(
            inserted,
            [AccessFinding::OtherRoot {
                from: after(4) + 1,
                size: at(4)
            }]
        );
    });
}

#[derive(QueryableByName)]
struct HashRow {
    #[diesel(sql_type = diesel::sql_types::Binary)]
    hash: Vec<u8>,
}

#[actix_web::test]
async fn anchors_are_signed_and_those_of_an_earlier_epoch_are_another_file() {
    let (house, lines) = house_with_lines().await;
    blocking(move || {
        let key = signing(&house);
        let name = origin_of(&house.central.house_code);
        let own = read_anchor_file(&anchors_of(&house)).unwrap().access;
        assert!(own.iter().all(|it| it.is_signed_by(key.verifying_key())));
        assert!(own[0].note.starts_with(&format!("{}\n", origin(&name, 1))));
        // Another key, by who wants the true anchors to seem wrong.
        let stranger = SigningKey::from_seed(&name, &[9; 32]).unwrap();
        let mut edge = Edge::new();
        edge.append([1; 32]);
        let forged = AccessAnchor::sign(&name, 1, &edge, &stranger).unwrap();
        let path = house.folder.path().join("other-anchors.log");
        std::fs::write(&path, format!("{}\n", forged.line())).unwrap();
        let outcome = judge_against(&house, std::slice::from_ref(&path));
        assert_eq!(
            outcome.judged.findings,
            [AccessFinding::NotSigned { size: 1 }]
        );

        // A restored house begins a file of its own; the old one is said to be elsewhere.
        let folder = house.folder.path().join("restored");
        std::fs::create_dir_all(&folder).unwrap();
        drop(AccessLog::open(&folder, 2).unwrap());
        let house_key = key.verifying_key().to_string();
        let outcome = JudgedFile::of(
            &folder,
            &[anchors_of(&house)],
            Some(&(house_key.clone(), 2)),
        )
        .unwrap();
        assert_eq!(outcome.judged.findings, []);
        assert_eq!(outcome.elsewhere, [(1, lines)]);
        // No file at all, in the epoch that had one: its end was cut off at the first line.
        let empty = house.folder.path().join("empty");
        std::fs::create_dir_all(&empty).unwrap();
        let outcome = JudgedFile::of(&empty, &[anchors_of(&house)], Some(&(house_key, 1))).unwrap();
        assert_eq!(
            outcome.judged.findings,
            [AccessFinding::Cut {
                lines: 0,
                anchored: lines
            }]
        );
    });
}

#[actix_web::test]
async fn a_stranger_judges_what_is_exported() {
    let (house, lines) = house_with_lines().await;
    blocking(move || {
        let key = signing(&house);
        let verifying = VerifyingKey::parse(&key.verifying_key().to_string()).unwrap();
        let name = origin_of(&house.central.house_code);
        let (exported, text) = export(house.folder.path(), &name, &key).unwrap().unwrap();
        assert_eq!(exported, lines);
        let anchors = read_anchor_file(&anchors_of(&house)).unwrap().access;
        let findings = |text: &str| {
            let outcome = judge_export(text, &anchors, Some(&verifying)).unwrap();
            outcome.findings
        };
        assert_eq!(findings(&text), []);
        // Its own checkpoint counts too.
        let all: Vec<&str> = text.lines().collect();
        let without = |at: usize| {
            let mut kept = all.clone();
            kept.remove(at);
            format!("{}\n", kept.join("\n"))
        };
        let swapped = {
            let mut other = all.clone();
            other.swap(2, 3);
            format!("{}\n", other.join("\n"))
        };
        for (changed, what) in [(without(2), "removed"), (swapped, "swapped")] {
            let found = findings(&changed);
            assert!(
                matches!(found.first(), Some(AccessFinding::OtherRoot { .. })),
                "{what}: {found:?}"
            );
        }
        let doubled = text.replacen(all[2], &format!("{0}\n{0}", all[2]), 1);
        assert!(!findings(&doubled).is_empty());
        let emptied = text.replacen(
            all[2],
            &format!("{} -", all[2].split(' ').next().unwrap()),
            1,
        );
        assert_eq!(findings(&emptied), [AccessFinding::Removed { line: 2 }]);
    });
}

#[actix_web::test]
async fn the_chain_goes_on_after_a_restart() {
    let (house, lines) = house_with_lines().await;
    let house = house.restarted();
    let answer = house
        .post_device(1, "/sign-on", json!({"badge": "C1", "pin": pin_of("C1")}))
        .await;
    assert!(answer.status < 500);
    blocking(move || {
        let later = write(&house, "V6");
        assert!(later > lines);
        assert_eq!(judged(&house).judged.findings, []);
    });
}

/// A trigger that keeps a line out and leaves the chain as it was would be seen by nobody: the tables
/// themselves are compared, before the file is opened and when it is judged.
#[actix_web::test]
async fn tables_that_somebody_changed_are_named_and_refused() {
    let (house, _) = house_with_lines().await;
    blocking(move || {
        assert_eq!(judged(&house).altered, None);
        assert!(judged(&house).holds());
        for (act, named, is_made_again) in [
            (
                "CREATE TRIGGER none AFTER INSERT ON access BEGIN
                    DELETE FROM access WHERE id = NEW.id; END",
                "trigger none was added",
                false,
            ),
            (
                "CREATE TRIGGER never AFTER UPDATE ON pin_count BEGIN
                    UPDATE pin_count SET failures = 0; END",
                "trigger never was added",
                false,
            ),
            // SQLite's own names are nobody's licence: only what it keeps itself is passed over.
            (
                "CREATE UNIQUE INDEX plain ON access (badge) WHERE badge = 'V1';
                 PRAGMA writable_schema = ON;
                 UPDATE sqlite_master SET name = 'sqlite_stat9',
                    sql = replace(sql, 'plain', 'sqlite_stat9') WHERE name = 'plain'",
                "index sqlite_stat9 was added",
                false,
            ),
            (
                "ALTER TABLE message RENAME TO kept; CREATE VIEW message AS SELECT * FROM kept",
                "table message is missing",
                false,
            ),
            (
                "DROP TRIGGER access_no_update",
                "trigger access_no_update is missing",
                true,
            ),
            // Of this a start says nothing: the whole file would have to be read.
            (
                "PRAGMA writable_schema = ON;
                 UPDATE sqlite_master SET rootpage =
                    (SELECT rootpage FROM sqlite_master WHERE name = 'access_trace')
                    WHERE name = 'sqlite_autoindex_pin_count_1'",
                "reference to page",
                true,
            ),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("access.sqlite");
            file(house.folder.path())
                .batch_execute(&format!("VACUUM INTO '{}'", path.display()))
                .unwrap();
            // Counted by SQLite for itself: nobody's change.
            file(folder.path()).batch_execute("ANALYZE").unwrap();
            file(folder.path()).batch_execute(act).unwrap();
            let none: [&Path; 0] = [];
            let outcome = JudgedFile::of(folder.path(), &none, None).unwrap();
            let altered = outcome.altered.clone().unwrap();
            assert!(altered.contains(named), "{altered}");
            assert!(!outcome.holds());
            let opened = AccessLog::open(folder.path(), 1).map(drop);
            match is_made_again {
                true => opened.unwrap(),
                false => assert!(opened.unwrap_err().to_string().contains(named)),
            }
        }
    });
}

/// A head that is gone or unreadable stops no house: it is made anew from the hashes, and the chain
/// is what was anchored.
#[actix_web::test]
async fn without_a_head_the_house_goes_on() {
    let (mut house, _) = house_with_lines().await;
    for act in [
        "UPDATE access_head SET edge = X''",
        "DELETE FROM access_head",
        "UPDATE access_head SET epoch = -1",
    ] {
        let before = blocking(|| {
            let before = judged(&house).judged.lines;
            file(house.folder.path()).batch_execute(act).unwrap();
            before
        });
        house = house.restarted();
        blocking(|| {
            assert!(write(&house, "V7") > before, "{act}");
            assert_eq!(judged(&house).judged.findings, [], "{act}");
        });
    }
}
