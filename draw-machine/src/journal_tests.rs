//! Tests of the journal: every cut, every flipped bit, every failed call.

use super::*;
use crate::medium::testing::MemoryMedium;

fn open(medium: &MemoryMedium) -> Result<(Journal, Vec<Vec<u8>>), JournalFault> {
    let (journal, records) = Journal::open(Box::new(medium.clone()), b"test")?;
    let payloads = records
        .iter()
        .map(|(_, payload)| payload.to_vec())
        .collect();
    Ok((journal, payloads))
}

const PAYLOADS: [&[u8]; 4] = [b"one", b"", b"three, somewhat longer", b"four"];

/// A journal of the four payloads, with its length after each acknowledgement (the first is
/// the length of a journal without records).
fn four() -> (MemoryMedium, Vec<usize>) {
    let medium = MemoryMedium::default();
    let (mut journal, _) = open(&medium).unwrap();
    let mut lengths = vec![medium.bytes().len()];
    for payload in PAYLOADS {
        journal.append(payload).unwrap();
        lengths.push(medium.bytes().len());
    }
    (medium, lengths)
}

#[test]
fn records_come_back_in_order_and_by_place() {
    let (medium, _) = four();
    let (mut journal, records) = Journal::open(Box::new(medium), b"test").unwrap();
    assert_eq!(records.len(), 4);
    for ((place, payload), expected) in records.iter().zip(PAYLOADS) {
        assert_eq!(payload.as_slice(), expected);
        assert_eq!(journal.read(*place).unwrap().as_slice(), expected);
    }
    let place = journal.append(b"five").unwrap();
    assert_eq!(journal.read(place).unwrap().as_slice(), b"five");
}

#[test]
fn everything_acknowledged_was_synced() {
    let medium = MemoryMedium::default();
    let (mut journal, _) = open(&medium).unwrap();
    for payload in PAYLOADS {
        journal.append(payload).unwrap();
        assert_eq!(medium.synced(), medium.bytes().len());
    }
}

#[test]
fn a_cut_at_any_byte_keeps_all_that_was_acknowledged() {
    let (whole, lengths) = four();
    let bytes = whole.bytes();
    for cut in 0..=bytes.len() {
        let medium = MemoryMedium::holding(&bytes[..cut]);
        let (mut journal, records) = open(&medium).unwrap();
        let acknowledged = lengths[1..].iter().filter(|length| **length <= cut).count();
        assert!(records.len() >= acknowledged, "cut at {cut}");
        // At most the record under way at the cut, whole but not yet acknowledged.
        assert!(records.len() <= acknowledged + 1, "cut at {cut}");
        assert_eq!(records, PAYLOADS[..records.len()].to_vec());
        // And the journal goes on from there.
        journal.append(b"after").unwrap();
        let (_, again) = open(&medium).unwrap();
        assert_eq!(again.last().unwrap(), b"after");
        assert_eq!(again.len(), records.len() + 1);
    }
}

#[test]
fn garbage_instead_of_the_last_record_is_dropped_too() {
    // A power cut may leave the length of a write without its content.
    let (whole, lengths) = four();
    for filling in [0x00, 0xFF] {
        for cut in lengths[3]..lengths[4] {
            let mut bytes = whole.bytes()[..cut].to_vec();
            bytes.resize(lengths[4] - MARK.len(), filling);
            let (_, records) = open(&MemoryMedium::holding(&bytes)).unwrap();
            assert!(records.len() >= 3);
            assert_eq!(records, PAYLOADS[..records.len()].to_vec());
        }
    }
}

#[test]
fn a_flipped_bit_in_an_acknowledged_record_is_refused() {
    let (whole, _) = four();
    let bytes = whole.bytes();
    let mut refused = 0;
    for place in 0..bytes.len() {
        for bit in 0..8 {
            let mut flipped = bytes.clone();
            flipped[place] ^= 1 << bit;
            match open(&MemoryMedium::holding(&flipped)) {
                Err(JournalFault::Damaged { .. } | JournalFault::NotOurs { .. }) => refused += 1,
                Err(other) => panic!("{other}"),
                // Only the last mark may be repaired; the records are all there.
                Ok((_, records)) => {
                    assert!(place >= bytes.len() - MARK.len(), "byte {place} bit {bit}");
                    assert_eq!(records, PAYLOADS.to_vec());
                }
            }
        }
    }
    assert_eq!(refused, (bytes.len() - MARK.len()) * 8);
}

#[test]
fn a_record_left_out_or_moved_is_refused() {
    let (whole, lengths) = four();
    let bytes = whole.bytes();
    let part = |record: usize| &bytes[lengths[record]..lengths[record + 1]];
    let head = &bytes[..lengths[0]];
    let left_out = [head, part(0), part(2), part(3)].concat();
    let moved = [head, part(1), part(0), part(2), part(3)].concat();
    for altered in [left_out, moved] {
        let outcome = open(&MemoryMedium::holding(&altered));
        assert!(matches!(outcome, Err(JournalFault::Damaged { .. })));
    }
}

#[test]
fn a_journal_of_another_subject_is_refused() {
    let (whole, _) = four();
    let outcome = Journal::open(Box::new(whole), b"other");
    assert!(matches!(outcome, Err(JournalFault::NotOurs { .. })));
}

#[test]
fn every_call_failed_twice_loses_nothing_acknowledged() {
    // Once with the call lost, once with the call carried out but reported as failed.
    for kept in [false, true] {
        for failing_call in 1..=24 {
            let medium = MemoryMedium::default();
            {
                let mut state = medium.0.lock().unwrap();
                state.failing_call = Some(failing_call);
                state.kept = kept;
            }
            let mut acknowledged = 0;
            if let Ok((mut journal, _)) = open(&medium) {
                for payload in PAYLOADS {
                    match journal.append(payload) {
                        Ok(_) => acknowledged += 1,
                        Err(fault) => {
                            assert_eq!(fault.name(), "journal_io");
                            let next = journal.append(b"next").unwrap_err();
                            assert_eq!(next.name(), "journal_failed");
                            break;
                        }
                    }
                }
            }
            // Power cut: what was not synced is lost, wholly or from any byte on.
            let (bytes, synced) = (medium.bytes(), medium.synced());
            for cut in synced..=bytes.len() {
                let after = MemoryMedium::holding(&bytes[..cut]);
                let (_, records) = open(&after).unwrap();
                assert!(
                    records.len() >= acknowledged,
                    "call {failing_call} kept {kept}"
                );
                assert_eq!(records, PAYLOADS[..records.len()].to_vec());
            }
        }
    }
}
