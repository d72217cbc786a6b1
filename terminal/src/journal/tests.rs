//! The journal through restarts, kills, torn writes and hands that meddle.

use keno_game::PrintMeans;
use keno_wire::request::CommandKey;

use super::*;

fn key(counter: u64) -> CommandKey {
    CommandKey {
        session: 3,
        counter,
    }
}

fn sent(counter: u64) -> Record {
    Record::Sent {
        key: key(counter),
        kind: CommandKind::Sale,
        request: serde_json::json!({"draws": 5}),
        total_cents: 2_500,
        received_cents: 4_000,
        device: None,
    }
}

fn records() -> Vec<Record> {
    vec![
        sent(1),
        Record::Outcome {
            key: key(1),
            outcome: Outcome::Recorded { leaf: 77 },
        },
        Record::Paper {
            key: key(1),
            state: PaperState::Started,
        },
        Record::Paper {
            key: key(1),
            state: PaperState::Printed {
                how: PrintMeans::Printer.into(),
            },
        },
        Record::Reported { key: key(1) },
        sent(2),
        Record::Outcome {
            key: key(2),
            outcome: Outcome::Refused {
                name: "draw_closed".to_owned(),
            },
        },
        sent(3),
    ]
}

#[test]
fn open_items_and_the_next_key_survive_reopening() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(folder.path()).unwrap();
    assert_eq!(journal.next_key(3), key(1));
    for record in records() {
        journal.write(&record).unwrap();
    }
    drop(journal);
    let journal = Journal::open(folder.path()).unwrap();
    let open: Vec<(u64, Stage)> = journal
        .open_items()
        .iter()
        .map(|item| (item.key.counter, item.stage()))
        .collect();
    assert_eq!(open, [(2, Stage::ToTell), (3, Stage::Asking)]);
    assert_eq!(journal.next_key(3), key(4));
    assert_eq!(
        journal.next_key(4),
        CommandKey {
            session: 4,
            counter: 1
        }
    );
}

#[test]
fn a_command_goes_from_stage_to_stage() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(folder.path()).unwrap();
    let paper = |state| Record::Paper { key: key(1), state };
    let printed = || PaperState::Printed {
        how: PrintMeans::Clerk.into(),
    };
    let failed = |sent| PaperState::Failed {
        fault: "out_of_paper".to_owned(),
        sent,
    };
    for (record, stage) in [
        (sent(1), Stage::Asking),
        (
            Record::Parked {
                key: key(1),
                money: Some(ParkedMoney::Kept),
            },
            Stage::Parked,
        ),
        (
            Record::Outcome {
                key: key(1),
                outcome: Outcome::Recorded { leaf: 9 },
            },
            Stage::ToPrint,
        ),
        (paper(failed(0)), Stage::ToPrint),
        (paper(PaperState::Started), Stage::PaperInDoubt),
        (paper(failed(8)), Stage::Torn),
        (paper(PaperState::Unknown), Stage::PaperInDoubt),
        (paper(printed()), Stage::ToReport),
        (Record::Reported { key: key(1) }, Stage::Done),
    ] {
        journal.write(&record).unwrap();
        assert_eq!(journal.item(key(1)).unwrap().stage(), stage, "{record:?}");
        assert_eq!(journal.parked(), usize::from(stage == Stage::Parked));
    }
    journal.write(&sent(2)).unwrap();
    for (record, stage) in [
        (
            Record::Outcome {
                key: key(2),
                outcome: Outcome::Closed,
            },
            Stage::ToTell,
        ),
        (Record::Told { key: key(2) }, Stage::Done),
    ] {
        journal.write(&record).unwrap();
        assert_eq!(journal.item(key(2)).unwrap().stage(), stage, "{record:?}");
    }
}

/// What the clerk said of the money at parking decides what a recorded sale may still come to,
/// whatever is known of a paper, and through a restart.
#[test]
fn money_that_was_given_back_is_never_followed_by_a_paper() {
    for (money, stage) in [
        (ParkedMoney::Kept, Stage::ToPrint),
        (ParkedMoney::GivenBack, Stage::ToWithdraw),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = Journal::open(folder.path()).unwrap();
        let key = key(1);
        let parked = Record::Parked {
            key,
            money: Some(money),
        };
        let outcome = Outcome::Recorded { leaf: 9 };
        for record in [sent(1), parked, Record::Outcome { key, outcome }] {
            journal.write(&record).unwrap();
        }
        drop(journal);
        let mut journal = Journal::open(folder.path()).unwrap();
        let item = journal.item(key).unwrap();
        assert_eq!((item.money, item.stage()), (Some(money), stage));
        let state = PaperState::Unknown;
        journal.write(&Record::Paper { key, state }).unwrap();
        let then = journal.item(key).unwrap().stage();
        assert_eq!(then == Stage::ToWithdraw, money == ParkedMoney::GivenBack);
        assert_eq!(ParkedMoney::from_name(money.name()), Some(money));
    }
}

#[test]
fn a_record_of_an_unknown_key_or_a_key_sent_twice_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(folder.path()).unwrap();
    assert!(journal.write(&Record::Told { key: key(1) }).is_err());
    journal.write(&sent(1)).unwrap();
    assert!(journal.write(&sent(1)).is_err());
    drop(journal);
    assert_eq!(Journal::open(folder.path()).unwrap().len(), 1);
}

/// What a kill leaves behind: the files as they are while the journal is still open. Every
/// record that was written is there, and it goes on from there.
#[test]
fn killed_after_any_record_none_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(folder.path()).unwrap();
    for (count, record) in (1..).zip(records()) {
        journal.write(&record).unwrap();
        let left = tempfile::tempdir().unwrap();
        for name in ["journal.sqlite", "journal.sqlite-wal"] {
            std::fs::copy(folder.path().join(name), left.path().join(name)).unwrap();
        }
        let mut after = Journal::open(left.path()).unwrap();
        assert_eq!(
            (after.past.rows, &after.past.state),
            (count, &journal.past.state)
        );
        after.write(&sent(9)).unwrap();
        drop(after);
        assert_eq!(Journal::open(left.path()).unwrap().next_key(3), key(10));
    }
}

/// A power cut in the middle of a write leaves half a frame at the end of the write-ahead log.
#[test]
fn a_torn_write_loses_no_record_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(folder.path()).unwrap();
    let wal = folder.path().join("journal.sqlite-wal");
    // How long the log was when each record was synced.
    let mut ends = Vec::new();
    for record in records() {
        journal.write(&record).unwrap();
        ends.push(std::fs::metadata(&wal).unwrap().len());
    }
    let bytes = std::fs::read(&wal).unwrap();
    let main = std::fs::read(folder.path().join("journal.sqlite")).unwrap();
    let first = ends[0];
    for length in (first..=bytes.len() as u64).step_by(97) {
        let left = tempfile::tempdir().unwrap();
        std::fs::write(left.path().join("journal.sqlite"), &main).unwrap();
        let torn = &bytes[..usize::try_from(length).unwrap()];
        std::fs::write(left.path().join("journal.sqlite-wal"), torn).unwrap();
        let synced = ends.iter().filter(|&&end| end <= length).count();
        let after = Journal::open(left.path()).unwrap();
        assert_eq!(after.past.rows, synced as i64, "cut at {length}");
    }
}

#[test]
fn a_changed_row_stops_the_terminal() {
    let found = |change: &str| {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = Journal::open(folder.path()).unwrap();
        for record in records() {
            journal.write(&record).unwrap();
        }
        journal.store.meddle(change);
        drop(journal);
        match Journal::open(folder.path()) {
            Err(JournalFault::Damaged { row }) => Some(row),
            Ok(_) => None,
            Err(other) => panic!("{other}"),
        }
    };
    assert_eq!(found("SELECT 1"), None);
    assert_eq!(
        found("UPDATE record SET text = replace(text, '2500', '2600') WHERE sequence = 1"),
        Some(1)
    );
    assert_eq!(found("DELETE FROM record WHERE sequence = 4"), Some(4));
    assert_eq!(
        found(
            "DELETE FROM record WHERE sequence = 4; UPDATE record SET sequence = sequence - 1 WHERE sequence > 4"
        ),
        Some(4)
    );
    assert_eq!(
        found(
            "UPDATE record SET sequence = 100 WHERE sequence = 6; \
             UPDATE record SET sequence = 6 WHERE sequence = 7; \
             UPDATE record SET sequence = 7 WHERE sequence = 100"
        ),
        Some(6)
    );
}

#[test]
fn a_journal_of_a_later_form_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(folder.path()).unwrap();
    journal.store.meddle("PRAGMA user_version = 7");
    drop(journal);
    assert!(matches!(
        Journal::open(folder.path()),
        Err(JournalFault::LaterForm { found: 7 })
    ));
}

#[test]
fn a_journal_of_an_earlier_form_is_refused_with_what_to_do_and_stays_as_it_was() {
    for form in [1, 2, 3, 4] {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = Journal::open(folder.path()).unwrap();
        journal.write(&sent(1)).unwrap();
        journal.store.meddle(&format!(
            "PRAGMA user_version = {form}; PRAGMA wal_checkpoint(TRUNCATE)"
        ));
        drop(journal);
        let file = folder.path().join("journal.sqlite");
        let before = std::fs::read(&file).unwrap();
        let fault = Journal::open(folder.path()).map(drop).unwrap_err();
        assert!(matches!(fault, JournalFault::EarlierForm { found } if found == form));
        let said = fault.to_string();
        for words in [
            "version antérieure",
            "rangez son dossier",
            "earlier version",
            "put its folder away",
        ] {
            assert!(said.contains(words), "{said}");
        }
        assert_eq!(std::fs::read(&file).unwrap(), before);
    }
}

#[test]
fn one_command_at_a_time_and_nobody_else_reads() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let mut first = Journal::open(folder.path()).unwrap();
    first.write(&sent(1)).unwrap();
    assert!(matches!(
        Journal::open(folder.path()),
        Err(JournalFault::Busy)
    ));
    // One that lets go in time is waited for.
    let waiting = {
        let folder = folder.path().to_owned();
        std::thread::spawn(move || Journal::open(&folder).map(|journal| journal.len()))
    };
    drop(first);
    assert_eq!(waiting.join().unwrap().unwrap(), 1);
    let _first = Journal::open(folder.path()).unwrap();
    for name in ["lock", "journal.sqlite", "journal.sqlite-wal"] {
        let about = std::fs::metadata(folder.path().join(name)).unwrap();
        assert_eq!(about.permissions().mode() & 0o077, 0, "{name}");
    }
}

fn told(counter: u64) -> [Record; 3] {
    let outcome = Outcome::Closed;
    [
        sent(counter),
        Record::Outcome {
            key: key(counter),
            outcome,
        },
        Record::Told { key: key(counter) },
    ]
}

/// Twelve commands of three records; those of these counters are still open.
fn long(folder: &Path, open: &[u64]) -> Journal {
    let mut journal = Journal::open(folder).unwrap();
    for counter in 1..=12 {
        for record in told(counter) {
            if open.contains(&counter) && matches!(record, Record::Told { .. }) {
                continue;
            }
            journal.write(&record).unwrap();
        }
    }
    journal
}

/// What anyone can ask of a journal.
fn seen(journal: &Journal) -> (Vec<Item>, CommandKey, usize, bool, Option<u64>) {
    (
        journal.open_items(),
        journal.next_key(3),
        journal.len(),
        journal.is_handed_out(),
        journal.left(),
    )
}

#[test]
fn what_has_ended_is_taken_out_and_nothing_else_changes() {
    for (open, left_over) in [
        (&[][..], 13),
        (&[12], 12),
        (&[9], 12),
        (&[4], 27),
        (&[1], 35),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = long(folder.path(), open);
        let before = seen(&journal);
        let count = usize::try_from(journal.past.rows).unwrap();
        let taken_out = journal.cut(20).unwrap();
        // Ten rows are left, to a command's beginning, and the one that stands for the others.
        let rows = journal.store.rows().unwrap().len();
        assert_eq!(
            (rows, taken_out),
            (left_over, count + usize::from(taken_out > 0) - rows),
            "{open:?}"
        );
        assert_eq!(seen(&journal), before);
        drop(journal);
        let mut journal = Journal::open(folder.path()).unwrap();
        assert_eq!(seen(&journal), before);
        assert_eq!(journal.cut(20).unwrap(), 0);
        for record in told(13) {
            journal.write(&record).unwrap();
        }
        drop(journal);
        assert_eq!(Journal::open(folder.path()).unwrap().len(), 13);
    }
}

#[test]
fn a_row_that_stands_for_others_is_believed_at_the_beginning_alone_and_as_it_was_written() {
    let found = |change: &str| {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = long(folder.path(), &[]);
        assert_eq!(journal.cut(20).unwrap(), 24);
        journal.store.meddle(change);
        drop(journal);
        match Journal::open(folder.path()) {
            Err(JournalFault::Damaged { row }) => Some(row),
            Ok(_) => None,
            Err(other) => panic!("{other}"),
        }
    };
    assert_eq!(found("SELECT 1"), None);
    let changed = "UPDATE record SET text = replace(text, '\"counter\":8', '\"counter\":1') \
                   WHERE sequence = 24";
    assert_eq!(found(changed), Some(1));
    assert_eq!(found("DELETE FROM record WHERE sequence = 24"), Some(1));
    assert_eq!(found("DELETE FROM record WHERE sequence = 25"), Some(25));
    let moved = "UPDATE record SET sequence = 23 WHERE sequence = 24";
    assert_eq!(found(moved), Some(24));
    // Another one, with a digest that is right, behind the first.
    let folder = tempfile::tempdir().unwrap();
    let mut journal = long(folder.path(), &[]);
    journal.cut(20).unwrap();
    let again = Record::Cut {
        commands: 0,
        newest: None,
        handed_out: false,
        left: None,
        settled: Vec::new(),
        chain: hex::encode(&journal.past.newest),
    };
    journal.write(&again).unwrap();
    drop(journal);
    assert!(matches!(
        Journal::open(folder.path()),
        Err(JournalFault::Damaged { row: 37 })
    ));
}

/// A cut that the disk refuses half done changes nothing, and the journal goes on.
#[test]
fn a_cut_that_fails_takes_nothing_out() {
    for when in ["DELETE", "INSERT"] {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = long(folder.path(), &[11]);
        let before = seen(&journal);
        journal.store.meddle(&format!(
            "CREATE TRIGGER refuses BEFORE {when} ON record WHEN {} % 24 = 0 \
             BEGIN SELECT RAISE(ABORT, 'disk'); END",
            if when == "DELETE" {
                "OLD.sequence"
            } else {
                "NEW.sequence"
            }
        ));
        assert!(journal.cut(20).is_err(), "{when}");
        assert_eq!(seen(&journal), before);
        journal.write(&sent(13)).unwrap();
        journal.store.meddle("DROP TRIGGER refuses");
        drop(journal);
        let journal = Journal::open(folder.path()).unwrap();
        assert_eq!((journal.past.rows, journal.past.first), (36, 0));
        assert_eq!(journal.next_key(3), key(14));
    }
}

/// What was open when this device was left is the neighbour's: it does not keep the journal long
/// for ever.
#[test]
fn what_was_left_is_taken_out() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(folder.path()).unwrap();
    journal.write(&sent(1)).unwrap();
    journal.write(&Record::Left { leaf: 7, to: 2 }).unwrap();
    assert_eq!(journal.left_items().len(), 1);
    for record in (2..12).flat_map(told) {
        journal.write(&record).unwrap();
    }
    assert_eq!(journal.cut(20).unwrap(), 20);
    // It may come back from there, and then counts again.
    assert!(!journal.is_known(key(1)));
    assert_eq!(
        (journal.left(), journal.left_items()),
        (Some(7), Vec::new())
    );
}

/// A command that ended here and that another could still name is never taken up again.
#[test]
fn an_adopted_command_that_ended_is_not_adopted_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(folder.path()).unwrap();
    let of_another = |counter: u64| Record::Sent {
        key: CommandKey {
            session: 2,
            counter,
        },
        kind: CommandKind::Sale,
        request: serde_json::Value::Null,
        total_cents: 100,
        received_cents: 100,
        device: Some(9),
    };
    let there = CommandKey {
        session: 2,
        counter: 5,
    };
    let ended = [
        Record::Outcome {
            key: there,
            outcome: Outcome::Recorded { leaf: 70 },
        },
        Record::Paper {
            key: there,
            state: PaperState::Given,
        },
    ];
    journal.adopt(&[of_another(5)]).unwrap();
    for record in &ended {
        journal.write(record).unwrap();
    }
    // One of its own that was left, and came back.
    journal.write(&sent(1)).unwrap();
    journal.write(&Record::Left { leaf: 80, to: 9 }).unwrap();
    for record in told(1) {
        journal.write(&record).unwrap();
    }
    for round in 0..3 {
        for record in (2 + round * 10..12 + round * 10).flat_map(told) {
            journal.write(&record).unwrap();
        }
        assert!(journal.cut(20).unwrap() > 0);
        drop(journal);
        journal = Journal::open(folder.path()).unwrap();
        for record in [of_another(5), sent(1)] {
            let key = record.key().unwrap();
            assert!(journal.is_settled(key), "{round}: {key:?}");
            assert!(journal.adopt(&[record]).is_err());
        }
    }
    journal.adopt(&[of_another(6)]).unwrap();
    assert!(!journal.is_settled(key(2)));
}

/// A command of another device that this one left in its turn comes back, also when the journal
/// was cut between the command and the leaving.
#[test]
fn what_was_adopted_and_left_comes_back_after_a_cut() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(folder.path()).unwrap();
    let there = CommandKey {
        session: 2,
        counter: 5,
    };
    let of_another = Record::Sent {
        key: there,
        kind: CommandKind::Sale,
        request: serde_json::Value::Null,
        total_cents: 100,
        received_cents: 100,
        device: Some(9),
    };
    journal.adopt(std::slice::from_ref(&of_another)).unwrap();
    for record in (1..11).flat_map(told) {
        journal.write(&record).unwrap();
    }
    journal.write(&Record::Left { leaf: 7, to: 2 }).unwrap();
    assert!(journal.cut(20).unwrap() > 0);
    assert!(!journal.is_settled(there));
    drop(journal);
    let mut journal = Journal::open(folder.path()).unwrap();
    journal.adopt(&[of_another]).unwrap();
    assert_eq!(journal.open_items().len(), 1);
}

/// Rows that were changed while the journal was open are not covered up by a cut.
#[test]
fn a_cut_does_not_cover_up_what_was_changed() {
    for change in [
        "UPDATE record SET text = replace(text, '2500', '2600') WHERE sequence = 4",
        "DELETE FROM record WHERE sequence IN (4, 5, 6)",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = long(folder.path(), &[]);
        journal.store.meddle(change);
        assert!(matches!(
            journal.cut(20),
            Err(JournalFault::Damaged { row: 4 })
        ));
        drop(journal);
        assert!(matches!(
            Journal::open(folder.path()),
            Err(JournalFault::Damaged { row: 4 })
        ));
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { cases: 24, ..Default::default() })]

    /// A journal that is cut at any moment says what one that never was says.
    #[test]
    fn cut_or_not_it_says_the_same(steps in proptest::collection::vec((0_u8..9, 0_usize..4), 1..60)) {
        let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let mut journals = [0, 1].map(|at: usize| Journal::open(folders[at].path()).unwrap());
        for (number, (what, which)) in (1_u64..).zip(steps) {
            let open = journals[1].open_items();
            let one = open.get(which.min(open.len().saturating_sub(1))).map(|item| item.key);
            let outcome = |key| Record::Outcome { key, outcome: Outcome::Closed };
            let records = match (what, one) {
                (0 | 1, _) => vec![sent(journals[1].next_key(3).counter)],
                (2, Some(key)) => vec![outcome(key)],
                (3 | 4, Some(key)) => vec![outcome(key), Record::Told { key }],
                (5, _) if which == 0 => vec![Record::Left { leaf: number, to: 2 }],
                (6, _) if which == 0 => vec![Record::HandedOut],
                (6, _) if which == 1 => vec![Record::TakenBack],
                (6, Some(key)) => vec![Record::Parked { key, money: None }],
                (7, _) if which == 3 => vec![Record::Sent {
                    key: CommandKey {
                        session: 2,
                        counter: number % 7,
                    },
                    kind: CommandKind::Sale,
                    request: serde_json::Value::Null,
                    total_cents: 100,
                    received_cents: 100,
                    device: Some(9),
                }],
                _ => Vec::new(),
            };
            let written = journals.each_mut().map(|journal| {
                records.iter().all(|record| journal.write(record).is_ok())
            });
            proptest::prop_assert_eq!(written[0], written[1]);
            if what == 7 {
                journals[0].cut(u32::try_from(which * 4).unwrap()).unwrap();
            }
            if what == 8 {
                let [cut, whole] = journals;
                drop(cut);
                journals = [Journal::open(folders[0].path()).unwrap(), whole];
            }
            // How many there were is for display: one that came back after it was taken out counts
            // twice.
            let [cut, whole] = journals.each_ref().map(|journal| {
                let (open, key, _, handed_out, left) = seen(journal);
                (open, key, handed_out, left)
            });
            proptest::prop_assert_eq!(cut, whole);
        }
    }
}
