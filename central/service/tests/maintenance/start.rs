//! A start believes leaves and nothing else: no row that somebody edited has an effect on it, and a
//! snapshot only where it was signed by the log's key and leads to the head.

use keno_log::checkpoint::{self, Checkpoint, SigningKey};
use keno_log::encode::{Reader, put_bytes, take_bytes};
use keno_log::hash::sha256;
use keno_log::leaf::body_commitment;
use keno_log::{Event, Leaf};
use keno_record::keys::{ServerKeys, signing_key};
use keno_record::record::{keys_path, origin_of};
use keno_record::recover::{DoubtfulPast, recover};
use keno_record::snapshot::{Snapshot, SnapshotPlace, snapshot_path};
use keno_record::state::State;
use keno_record::store::{leaves, log};
use keno_service::maintenance::{Finding, without_anchors};

use diesel::RunQueryDsl;
use keno_schema::on;

use super::{Stopped, on_both};

/// The house of the tests.
const HOUSE: &str = "demo";

impl Stopped {
    fn log_key(&self) -> SigningKey {
        let keys = ServerKeys::load(&keys_path(&self.house.path())).unwrap();
        signing_key(&keys, &origin_of(HOUSE)).unwrap()
    }

    fn snapshots(&self) -> SnapshotPlace {
        let key = self.log_key().verifying_key().clone();
        SnapshotPlace::new(&self.house.path(), key)
    }

    /// What a start makes of the record as it is, with or without its snapshot.
    fn started(&self, with_snapshot: bool) -> Result<State, DoubtfulPast> {
        let snapshots = self.snapshots();
        recover(
            &mut self.connection(),
            &self.anchors(),
            with_snapshot.then_some(&snapshots),
            self.house.clock_ms(),
        )
    }

    /// Folds the first `size` leaves and keeps a snapshot of what they give.
    pub(super) fn keep_snapshot(&self, size: u64) -> State {
        let state = self.folded(size);
        Snapshot::of(&state)
            .write(&snapshot_path(&self.house.path()), &self.log_key())
            .unwrap();
        state
    }

    /// Edits rows, unless the table refuses that by itself; false when none was changed.
    fn is_edited(&self, statement: &str) -> bool {
        let mut connection = self.connection();
        let rows = on!(&mut connection, c => diesel::sql_query(statement).execute(c));
        rows.is_ok_and(|rows| rows > 0)
    }

    /// What the first `size` leaves give.
    fn folded(&self, size: u64) -> State {
        let mut connection = self.connection();
        let mut state = State::default();
        for index in 0..size {
            let row = log::entry(&mut connection, index).unwrap().unwrap();
            let (entry, hash) = log::checked_entry(&row).unwrap();
            let event = entry.event().unwrap();
            let mut sale = |ticket| keno_record::project::sale_of(&mut connection, ticket);
            state
                .apply(&entry.leaf.header, &event, hash, &mut sale, &mut Vec::new())
                .unwrap();
        }
        state
    }
}

/// Rows that a start of before took something from, each edited so that it would have mattered.
const EDITS: [&str; 27] = [
    "UPDATE house SET fence = 99",
    "UPDATE house SET sales_suspended_leaf = 1",
    "UPDATE house SET schedule_halted_leaf = 1",
    "UPDATE session SET ended_leaf = NULL",
    "UPDATE session SET ended_leaf = 1 WHERE number = (SELECT max(number) FROM session)",
    "UPDATE session SET number = number + 1000 WHERE number = (SELECT min(number) FROM session)",
    "UPDATE shift SET number = number + 1000 WHERE number = (SELECT min(number) FROM shift)",
    "UPDATE shift SET expected_cents = expected_cents + 5",
    "UPDATE draw SET state = 7 WHERE state = 2",
    "UPDATE draw SET state = 2 WHERE state = 7",
    "UPDATE draw SET tickets = tickets + 1, wagered_cents = wagered_cents + 100",
    "UPDATE draw SET closes_at_ms = closes_at_ms + 1000, draws_at_ms = draws_at_ms + 1000",
    "UPDATE draw SET scheduled_leaf = 1 WHERE number = 1",
    "UPDATE draw_settlement SET winners = winners + 1",
    "DELETE FROM draw_settlement",
    "UPDATE draw_result SET certifiers = 'X1 X2'",
    "DELETE FROM draw_result",
    "DELETE FROM draw_holder",
    "UPDATE rule_book SET effective_from = 3",
    "UPDATE person SET active = FALSE",
    "UPDATE person SET leaf = 1, name = 'X'",
    "UPDATE device SET active = FALSE, leaf = 1",
    "DELETE FROM hand_over",
    "INSERT INTO silence VALUES (2, 0)",
    "DELETE FROM key_page",
    "DELETE FROM command",
    "DELETE FROM person WHERE acting_leaf IS NOT NULL",
];

#[test]
fn an_edited_row_has_no_effect_on_a_start() {
    on_both(|day| {
        let before = day.started(false).unwrap();
        let size = before.edge.size();
        day.keep_snapshot(size / 2);
        assert_eq!(
            day.started(true).unwrap().fingerprint(),
            before.fingerprint()
        );
        let mut edited = 0;
        for edit in EDITS {
            // Some edits a table refuses by itself: then there is nothing to believe.
            let is_edited = day.is_edited(edit);
            if !is_edited {
                println!("refused: {edit}");
            }
            edited += usize::from(is_edited);
            for with_snapshot in [false, true] {
                assert_eq!(
                    day.started(with_snapshot).unwrap().fingerprint(),
                    before.fingerprint(),
                    "{edit}"
                );
            }
        }
        assert!(edited >= 20, "only {edited} edits could be made");
        // The head's time is a row too, and the last leaf has its own.
        day.sql("UPDATE log_head SET at_ms = at_ms - 1");
        let fault = day.started(true).unwrap_err().to_string();
        assert!(fault.contains("the head says"), "{fault}");
    });
}

#[test]
fn a_snapshot_spares_the_leaves_before_it_and_leads_to_the_same_memory() {
    on_both(|day| {
        let before = day.started(false).unwrap();
        let all = before.edge.size();
        for size in [1, all / 3, all / 2, all - 1, all] {
            let kept = day.keep_snapshot(size);
            // Every part of it comes back.
            let read = day.snapshots().read().unwrap();
            assert_eq!(read.fingerprint(), kept.fingerprint());
            assert_eq!(read.to_bytes(), kept.to_bytes());
            assert_eq!(
                day.started(true).unwrap().fingerprint(),
                before.fingerprint()
            );
        }
        assert_eq!(day.words(), Vec::<String>::new());
        // A leaf before it is not read again.
        day.keep_snapshot(all - 1);
        day.tamper("DELETE FROM log_entry WHERE leaf_index = 5");
        assert_eq!(
            day.started(true).unwrap().fingerprint(),
            before.fingerprint()
        );
        let fault = day.started(false).unwrap_err().to_string();
        assert!(fault.contains("leaf 5 is missing"), "{fault}");
    });
}

#[test]
fn a_snapshot_that_is_not_this_program_s_is_passed_over() {
    on_both(|day| {
        let before = day.started(false).unwrap().fingerprint();
        let size = day.checkpoint.size / 2;
        day.keep_snapshot(size);
        let path = snapshot_path(&day.house.path());
        let whole = std::fs::read(&path).unwrap();
        let passed_over = |bytes: &[u8], what: &str| {
            std::fs::write(&path, bytes).unwrap();
            assert!(day.snapshots().read().is_none(), "{what}");
            assert_eq!(day.started(true).unwrap().fingerprint(), before, "{what}");
        };
        passed_over(&[], "empty");
        // What is no file is not opened: a start must not wait for a pipe.
        std::fs::remove_file(&path).unwrap();
        let beside = path.with_extension("snapshot-new");
        for place in [&path, &beside] {
            let made = std::process::Command::new("mkfifo").arg(place).status();
            assert!(made.unwrap().success());
        }
        assert!(day.snapshots().read().is_none(), "a pipe");
        assert_eq!(day.started(true).unwrap().fingerprint(), before, "a pipe");
        std::fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink(day.house.path().join("keno.sqlite"), &path).unwrap();
        assert!(day.snapshots().read().is_none(), "a link");
        // And what is written takes the place of both.
        day.keep_snapshot(size);
        assert_eq!(std::fs::read(&path).unwrap(), whole);
        assert!(!beside.exists());
        passed_over(&whole[..whole.len() - 1], "cut short");
        passed_over(&[whole.as_slice(), &[0]].concat(), "longer");
        for at in (0..whole.len()).step_by(whole.len() / 40) {
            let mut other = whole.clone();
            other[at] ^= 1;
            passed_over(&other, "another byte");
        }
        // Signed with the log's key, by another version.
        let mut reader = Reader::new(&whole);
        let note = take_bytes(&mut reader).unwrap();
        let state = reader.bytes(reader.left(), "state").unwrap();
        let mine = checkpoint::open(
            std::str::from_utf8(note).unwrap(),
            day.log_key().verifying_key(),
        )
        .unwrap();
        let signed = |origin: &str, key: &SigningKey| {
            let said = Checkpoint::new(origin, mine.size, sha256(state));
            let mut bytes = Vec::new();
            put_bytes(checkpoint::sign(&said, key).unwrap().as_bytes(), &mut bytes);
            bytes.extend_from_slice(state);
            bytes
        };
        passed_over(
            &signed("boulier/demo/state/0.1.0.1", &day.log_key()),
            "another version",
        );
        let stranger = SigningKey::from_seed(&origin_of(HOUSE), &[9; 32]).unwrap();
        passed_over(&signed(&mine.origin, &stranger), "another key");
        // And as it was it is used.
        std::fs::write(&path, signed(&mine.origin, &day.log_key())).unwrap();
        assert_eq!(day.snapshots().read().unwrap().edge.size(), size);
    });
}

/// What somebody with the log's key could sign: a memory that the leaves do not give.
#[test]
fn verify_folds_anew_and_finds_a_snapshot_that_says_something_else() {
    on_both(|day| {
        let size = day.checkpoint.size / 2;
        let mut other = day.folded(size);
        other.fence += 1;
        Snapshot::of(&other)
            .write(&snapshot_path(&day.house.path()), &day.log_key())
            .unwrap();
        assert_eq!(day.findings(), [Finding::Snapshot { size }]);
        // One that knows more leaves than there are refuses a start, and is named.
        other = day.folded(day.checkpoint.size);
        other.edge.append([0; 32]);
        other.leaves.append([0; 32]);
        let size = other.edge.size();
        Snapshot::of(&other)
            .write(&snapshot_path(&day.house.path()), &day.log_key())
            .unwrap();
        assert_eq!(day.findings(), [Finding::Snapshot { size }]);
        assert!(matches!(
            day.started(true),
            Err(DoubtfulPast::BehindAnchor { .. })
        ));
        day.keep_snapshot(day.checkpoint.size / 2);
        assert_eq!(day.findings(), []);
    });
}

/// The sale of a ticket that is taken back after the snapshot is read again, and must be the one
/// that was recorded.
#[test]
fn a_sale_before_the_snapshot_is_checked_against_the_tree() {
    on_both(|day| {
        let before = day.started(false).unwrap().fingerprint();
        let mut connection = day.connection();
        let all = day.checkpoint.size;
        let event = |connection: &mut keno_schema::Connection, index| {
            leaves::event_at(connection, index).unwrap().0
        };
        // The last cancellation: its ticket was sold some leaves before.
        let (cancelled, ticket) = (0..all)
            .rev()
            .find_map(|index| match event(&mut connection, index) {
                Event::TicketCancelled(body) => Some((index, body.ticket)),
                _ => None,
            })
            .unwrap();
        day.keep_snapshot(cancelled);
        assert_eq!(day.started(true).unwrap().fingerprint(), before);
        // Another sale in its place, with hashes that go together.
        let row = log::entry(&mut connection, ticket).unwrap().unwrap();
        let (entry, _) = log::checked_entry(&row).unwrap();
        let Event::TicketSold(mut sold) = entry.event().unwrap() else {
            panic!("leaf {ticket} is no sale")
        };
        sold.per_draw_cents += 100;
        let body = Event::from(sold).encode();
        let leaf = Leaf {
            header: entry.leaf.header,
            commitment: body_commitment(&entry.nonce, &body),
        };
        drop(connection);
        day.tamper(&format!(
            "UPDATE log_entry SET body = {}, leaf = {}, leaf_hash = {} WHERE leaf_index = {ticket}",
            day.bytes(&hex(&body)),
            day.bytes(&hex(&leaf.to_bytes())),
            day.bytes(&hex(&leaf.hash())),
        ));
        let fault = day.started(true).unwrap_err();
        assert!(
            matches!(fault, DoubtfulPast::OtherThanAnchor { .. }),
            "{fault:?}"
        );
    });
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What somebody does who has no key of the house, and what a look at the record says of it.
#[test]
fn verify_names_what_is_beside_the_leaves() {
    on_both(|day| {
        day.keep_snapshot(day.checkpoint.size / 2);
        assert_eq!(day.words(), Vec::<String>::new());
        // A snapshot of other bytes than were signed.
        let path = snapshot_path(&day.house.path());
        let whole = std::fs::read(&path).unwrap();
        let mut other = whole.clone();
        *other.last_mut().unwrap() ^= 1;
        std::fs::write(&path, other).unwrap();
        assert!(
            matches!(&day.findings()[..], [Finding::Unsigned { .. }]),
            "{:?}",
            day.words()
        );
        std::fs::write(&path, whole).unwrap();
        // An anchor file that was emptied, or taken away.
        let anchors = day.house.path().join("anchors.log");
        let lines = std::fs::read(&anchors).unwrap();
        let without = || {
            let found = without_anchors(&day.anchors()).unwrap();
            assert!(
                matches!(&found[..], [Finding::Anchor { size: 0, .. }]),
                "{found:?}"
            );
        };
        std::fs::write(&anchors, "").unwrap();
        without();
        std::fs::remove_file(&anchors).unwrap();
        without();
        std::fs::write(&anchors, lines).unwrap();
        assert_eq!(without_anchors(&day.anchors()).unwrap(), []);
        // A credential that is not the one of its hash.
        day.sql(
            "INSERT INTO credential (hash, phc) \
             SELECT credential, '$argon2id$another' FROM person WHERE badge = 'C1'",
        );
        let words = day.words();
        assert!(
            matches!(&words[..], [one] if one.starts_with("table credential (badge ")),
            "{words:?}"
        );
        day.sql("DELETE FROM credential");
        assert_eq!(day.words(), Vec::<String>::new());
        // A head of tomorrow is a head that disagrees, and no clock to be set.
        day.sql("UPDATE log_head SET at_ms = at_ms + 86400000");
        assert!(matches!(day.started(true), Err(DoubtfulPast::Head { .. })));
    });
}
