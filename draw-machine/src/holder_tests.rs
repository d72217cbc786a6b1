//! Tests of the file holder: kills at every byte, second seals, void draws, ill sources.

use super::*;
use crate::health::tests::{FallsIll, ILLNESSES, Recorded};
use crate::medium::testing::MemoryMedium;

const HOUSE: &str = "maison d'essai";

/// `stream` stands for the entropy of one run: another run has another.
fn open(medium: &MemoryMedium, stream: u8) -> Result<FileHolder<Recorded>, JournalFault> {
    let source = Recorded::stream(stream);
    FileHolder::open_on(Box::new(medium.clone()), HOUSE, "machine", source)
}

fn seal(draw: u64) -> Seal {
    Seal {
        size: 100 + draw,
        root: [u8::try_from(draw).unwrap(); 32],
    }
}

#[test]
fn the_secret_matches_the_commitment_and_both_repeat() {
    let mut holder = open(&MemoryMedium::default(), 1).unwrap();
    let first = holder.commit(7).unwrap();
    assert_eq!(holder.commit(7).unwrap(), first);
    assert_ne!(holder.commit(8).unwrap(), first);
    let secret = holder.reveal(7, &seal(7)).unwrap();
    assert_eq!(commitment(HOUSE, 7, &secret), first);
    assert_eq!(holder.reveal(7, &seal(7)).unwrap(), secret);
    assert_eq!(holder.commit(7).unwrap(), first, "also once revealed");
}

#[test]
fn a_second_seal_is_refused_forever() {
    let medium = MemoryMedium::default();
    let mut holder = open(&medium, 1).unwrap();
    holder.commit(7).unwrap();
    let secret = holder.reveal(7, &seal(7)).unwrap();
    let other_root = Seal {
        root: [99; 32],
        ..seal(7)
    };
    let other_size = Seal { size: 5, ..seal(7) };
    for stream in 2..4 {
        for second in [other_root, other_size] {
            assert_eq!(holder.reveal(7, &second).unwrap_err().name(), "second_seal");
        }
        assert_eq!(holder.reveal(7, &seal(7)).unwrap(), secret);
        holder = open(&medium, stream).unwrap();
    }
}

#[test]
fn nothing_is_revealed_without_the_seal_of_that_draw() {
    let mut holder = open(&MemoryMedium::default(), 1).unwrap();
    holder.commit(7).unwrap();
    holder.commit(8).unwrap();
    let name = |outcome: Result<[u8; 32], HolderFault>| outcome.unwrap_err().name();
    assert_eq!(
        name(holder.reveal(
            7,
            &Seal {
                size: 0,
                root: [1; 32]
            }
        )),
        "seal_missing"
    );
    assert_eq!(
        name(holder.reveal(
            7,
            &Seal {
                size: 1,
                root: [0; 32]
            }
        )),
        "seal_missing"
    );
    assert_eq!(name(holder.reveal(9, &seal(9))), "draw_unknown");
    assert_eq!(name(holder.publish_void(9)), "draw_unknown");
    holder.reveal(7, &seal(7)).unwrap();
    assert_eq!(name(holder.reveal(8, &seal(7))), "seal_of_another_draw");
    holder.reveal(8, &seal(8)).unwrap();
}

#[test]
fn a_seal_is_durable_before_the_secret_is_out() {
    // The sync that would make the seal durable fails: the secret must not be given.
    for kept in [false, true] {
        for step in 1..=4 {
            let medium = MemoryMedium::default();
            let mut holder = open(&medium, 1).unwrap();
            holder.commit(7).unwrap();
            {
                let mut state = medium.0.lock().unwrap();
                state.failing_call = Some(state.calls + step);
                state.kept = kept;
            }
            assert_eq!(holder.reveal(7, &seal(7)).unwrap_err().name(), "journal_io");
            // And not on asking again either, nor with another seal.
            assert_eq!(
                holder.reveal(7, &seal(7)).unwrap_err().name(),
                "journal_failed"
            );
            assert_eq!(holder.commit(8).unwrap_err().name(), "journal_failed");
        }
    }
}

#[test]
fn a_void_draw_gives_its_secret_and_takes_no_seal_after() {
    let medium = MemoryMedium::default();
    let mut holder = open(&medium, 1).unwrap();
    let committed = holder.commit(7).unwrap();
    let secret = holder.publish_void(7).unwrap();
    assert_eq!(commitment(HOUSE, 7, &secret), committed);
    let mut holder = open(&medium, 2).unwrap();
    assert_eq!(holder.publish_void(7).unwrap(), secret);
    assert_eq!(holder.reveal(7, &seal(7)).unwrap_err().name(), "draw_void");
    // A draw that was sealed first and voided later still answers that seal.
    holder.commit(8).unwrap();
    let sealed = holder.reveal(8, &seal(8)).unwrap();
    assert_eq!(holder.publish_void(8).unwrap(), sealed);
    let mut holder = open(&medium, 3).unwrap();
    assert_eq!(holder.reveal(8, &seal(8)).unwrap(), sealed);
}

/// What was answered, with the length of the journal when it was.
enum Answered {
    Commitment(u64, [u8; 32]),
    Secret(u64, Seal, [u8; 32]),
    Void(u64, [u8; 32]),
}

fn a_day(medium: &MemoryMedium) -> Vec<(usize, Answered)> {
    let mut holder = open(medium, 1).unwrap();
    let mut answers = Vec::new();
    let length = || medium.bytes().len();
    for draw in 1..=4 {
        let committed = holder.commit(draw).unwrap();
        answers.push((length(), Answered::Commitment(draw, committed)));
    }
    for draw in 1..=3 {
        let secret = holder.reveal(draw, &seal(draw)).unwrap();
        answers.push((length(), Answered::Secret(draw, seal(draw), secret)));
    }
    let secret = holder.publish_void(4).unwrap();
    answers.push((length(), Answered::Void(4, secret)));
    answers
}

#[test]
fn killed_at_any_byte_it_never_takes_back_an_answer() {
    let whole = MemoryMedium::default();
    let answers = a_day(&whole);
    let bytes = whole.bytes();
    for cut in 0..=bytes.len() {
        let medium = MemoryMedium::holding(&bytes[..cut]);
        // Other entropy than before: a holder that had forgotten would answer differently.
        let mut holder = open(&medium, 200).unwrap();
        for (length, answer) in &answers {
            if *length > cut {
                continue;
            }
            match answer {
                Answered::Commitment(draw, committed) => {
                    assert_eq!(holder.commit(*draw).unwrap(), *committed, "cut {cut}");
                }
                Answered::Secret(draw, seal, secret) => {
                    let second = Seal {
                        root: [77; 32],
                        ..*seal
                    };
                    let refused = holder.reveal(*draw, &second).unwrap_err();
                    assert_eq!(refused.name(), "second_seal", "cut {cut}");
                    assert_eq!(holder.reveal(*draw, seal).unwrap(), *secret);
                }
                Answered::Void(draw, secret) => {
                    assert_eq!(holder.publish_void(*draw).unwrap(), *secret);
                    let refused = holder.reveal(*draw, &seal(50)).unwrap_err();
                    assert_eq!(refused.name(), "draw_void", "cut {cut}");
                }
            }
        }
    }
}

#[test]
fn planted_forgetful_holder_would_be_caught_by_the_kill_test() {
    // The same check on a journal that lost an acknowledged record: the commitment differs.
    let whole = MemoryMedium::default();
    let answers = a_day(&whole);
    let (length, Answered::Commitment(draw, committed)) = &answers[1] else {
        panic!("the second answer is a commitment");
    };
    let medium = MemoryMedium::holding(&whole.bytes()[..length - 40]);
    assert_ne!(
        open(&medium, 200).unwrap().commit(*draw).unwrap(),
        *committed
    );
}

#[test]
fn a_damaged_or_foreign_journal_refuses_to_start() {
    let whole = MemoryMedium::default();
    a_day(&whole);
    let mut bytes = whole.bytes();
    bytes[200] ^= 1;
    let fault = open(&MemoryMedium::holding(&bytes), 2).unwrap_err();
    assert_eq!(fault.name(), "journal_damaged");
    let foreign = |house: &str, name: &str| {
        FileHolder::open_on(Box::new(whole.clone()), house, name, Recorded::default())
            .unwrap_err()
            .name()
    };
    assert_eq!(foreign(HOUSE, "audit"), "journal_not_ours");
    assert_eq!(foreign("other house", "machine"), "journal_not_ours");
}

#[test]
fn a_contradicting_record_refuses_to_start() {
    let record = |kind: u8, draw: u64| {
        let mut record = Vec::new();
        put(&mut record, &[kind]);
        put_u64(&mut record, draw);
        record
    };
    for payload in [
        record(RECORD_VOID, 9),
        record(9, 1),
        record(RECORD_SECRET, 1),
        vec![],
    ] {
        let medium = MemoryMedium::default();
        let mut holder = open(&medium, 1).unwrap();
        holder.commit(1).unwrap();
        holder.journal.append(&payload).unwrap();
        let fault = open(&medium, 2).unwrap_err();
        assert_eq!(fault.name(), "journal_contradiction");
    }
}

#[test]
fn a_journal_of_a_version_that_knew_escrow_is_named_and_not_read() {
    for kind in [4, 5] {
        // Whatever follows the kind, and wherever the record stands.
        for rest in [&[][..], &[0xff; 60], &[0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 7]] {
            for draws in [0, 2] {
                let medium = MemoryMedium::default();
                let mut holder = open(&medium, 1).unwrap();
                for draw in 1..=draws {
                    holder.commit(draw).unwrap();
                }
                let mut record = Vec::new();
                put(&mut record, &[kind]);
                record.extend_from_slice(rest);
                holder.journal.append(&record).unwrap();
                let fault = open(&medium, 2).unwrap_err();
                assert_eq!(fault.name(), "journal_in_escrow");
                let words = fault.to_string();
                let place = format!("record {} of the journal", draws + 1);
                assert!(
                    words.contains(&place) && words.contains("escrow"),
                    "{words}"
                );
            }
        }
    }
}

#[test]
fn an_ill_source_stops_commitments_and_leaves_earlier_ones_alone() {
    for (name, ill, expected) in ILLNESSES {
        let medium = MemoryMedium::default();
        let mut first = open(&medium, 1).unwrap();
        let committed = first.commit(1).unwrap();
        let source = FallsIll {
            healthy: Recorded::stream(2),
            requests_left: 0,
            ill,
        };
        let mut holder =
            FileHolder::open_on(Box::new(medium.clone()), HOUSE, "machine", source).unwrap();
        let before = medium.bytes();
        for draw in 2..5 {
            assert_eq!(
                holder.commit(draw).unwrap_err().name(),
                expected.name(),
                "{name}"
            );
        }
        assert_eq!(medium.bytes(), before, "{name}: nothing is journalled");
        assert_eq!(holder.health(), Health::OutOfService(expected));
        assert_eq!(holder.commit(1).unwrap(), committed);
        holder.reveal(1, &seal(1)).unwrap();
    }
}

#[test]
fn a_source_that_replays_an_earlier_run_is_caught() {
    let medium = MemoryMedium::default();
    open(&medium, 1).unwrap().commit(1).unwrap();
    // The same stream again, as after a snapshot of a machine with its generator was restored.
    let fault = open(&medium, 1).unwrap().commit(2).unwrap_err();
    assert_eq!(fault.name(), "repeated_block");
}

#[test]
fn on_a_real_folder_it_survives_reopening_and_hides_its_secret() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("machine");
    let mut holder = FileHolder::open(&own, HOUSE, "machine", Recorded::stream(1)).unwrap();
    let committed = holder.commit(1).unwrap();
    assert_eq!(holder.name(), "machine");
    let second = FileHolder::open(&own, HOUSE, "machine", Recorded::stream(2)).unwrap_err();
    assert_eq!(second.name(), "journal_io", "one process at a time");
    drop(holder);
    let mut holder = FileHolder::open(&own, HOUSE, "machine", Recorded::stream(2)).unwrap();
    assert_eq!(holder.commit(1).unwrap(), committed);
    let secret = holder.reveal(1, &seal(1)).unwrap();
    let text = format!("{holder:?}");
    assert!(
        !text.contains(&format!("{}, {}", secret[0], secret[1])),
        "{text}"
    );
    assert!(!text.contains(&hex::encode(&secret[..4])), "{text}");
}
