//! The signed log of two epochs (`schema/log/vectors/epochs.json`), which a program that shares
//! no code with this crate made from `FORMAT.md` and `RULES.md`: it holds, and what is wrong with
//! other checkpoints of it, and with changed copies, is found where the documents say.

// Helpers beside the tests unwrap too: a vector that cannot be read fails its test.
#![allow(clippy::unwrap_used)]

use crate::support::{Fault, Log};
use crate::vectors_of_two_epochs::{Change, ChangedEntry, TwoEpochs, read};
use keno_audit::replay::Options;
use keno_audit::verify::{Outcome, Outside, verify};
use keno_log::checkpoint::{Checkpoint, VerifyingKey, open};
use keno_log::leaf::{Entry, Leaf, LeafHeader, body_commitment};
use keno_log::{Event, EventKind};

fn judged(export: &[u8], outside: Outside<'_>) -> Outcome {
    verify(export, outside, Options::default()).unwrap()
}

/// Place and name of everything that was found, in the order in which it is told.
fn found(outcome: &Outcome) -> Vec<(Option<u64>, &'static str)> {
    let findings = outcome.findings.iter();
    findings.map(|one| (one.entry, one.name())).collect()
}

/// An export of these entries under that checkpoint.
fn exported(entries: Vec<Entry>, note: &str) -> Vec<u8> {
    let mut log = Log::new(Fault::None);
    log.entries = entries;
    log.export_with(note)
}

#[test]
fn the_log_holds() {
    let vector = read();
    for key in [None, Some(vector.key.as_str())] {
        let outside = Outside {
            checkpoint: None,
            key,
        };
        let outcome = judged(&vector.export(), outside);
        assert_eq!(outcome.findings, []);
        assert_eq!(outcome.replay.size(), vector.proofs.size);
        assert_eq!(outcome.replay.root(), vector.root());
        let (size, root) = (vector.proofs.size, vector.root());
        let own = Checkpoint::new("boulier/essai/2", size, root);
        assert_eq!(outcome.checkpoint, Some(own));
    }
    // The tests below write copies; what is not changed in them is written as it was.
    let (entries, note) = vector.entries();
    assert_eq!(exported(entries, &note), vector.export());
}

#[test]
fn a_checkpoint_kept_outside_has_the_one_finding_that_is_given_to_it() {
    let vector = read();
    let export = vector.export();
    let key = VerifyingKey::parse(&vector.key).unwrap();
    let opening = vector.proofs.inclusion.index;
    for case in &vector.outside {
        let outside = Outside {
            checkpoint: Some(&case.note),
            key: Some(&vector.key),
        };
        let outcome = judged(&export, outside);
        // The documents give each checkpoint of the vector one fault, and it is of no entry.
        let expected: Vec<_> = case.finding.iter().map(|name| (None, &**name)).collect();
        assert_eq!(found(&outcome), expected, "{}", case.why);
        assert_eq!(outcome.replay.root(), vector.root(), "{}", case.why);
        // That what was kept is lost is no fault where the house says so; it is told apart.
        let kept = open(&case.note, &key).unwrap();
        let is_lost = kept.origin == "boulier/essai" && kept.size > opening;
        let admitted = (is_lost && case.finding.is_none()).then_some(2);
        assert_eq!(outcome.outside_lost_in, admitted, "{}", case.why);
    }
}

#[test]
fn another_checkpoint_at_the_end_has_the_one_finding_that_is_given_to_it() {
    let vector = read();
    let (entries, _) = vector.entries();
    for case in &vector.own {
        let export = exported(entries.clone(), &case.note);
        let expected: Vec<_> = case.finding.iter().map(|name| (None, &**name)).collect();
        let outcome = judged(&export, Outside::default());
        assert_eq!(found(&outcome), expected, "{}", case.why);
    }
}

/// The entry with another kind and body: commitment, leaf hash and the header's draw are made
/// anew; index, time, day and nonce stay.
fn changed_entry(entry: &Entry, changed: &ChangedEntry) -> Entry {
    let kind = EventKind::from_number(changed.kind).unwrap();
    let body = changed.body();
    let header = LeafHeader {
        kind,
        draw: Event::decode(kind, &body).unwrap().draw(),
        ..entry.leaf.header
    };
    Entry {
        leaf: Leaf {
            header,
            commitment: body_commitment(&entry.nonce, &body),
        },
        nonce: entry.nonce,
        body,
    }
}

/// The entries with the change.
fn changed_entries(vector: &TwoEpochs, change: &Change) -> Vec<Entry> {
    let mut entries = vector.entries().0;
    for changed in &change.entries {
        let place = changed.entry as usize;
        let entry = changed_entry(&entries[place], changed);
        assert_ne!(entry, entries[place], "{}: nothing changes", change.why);
        entries[place] = entry;
    }
    entries
}

/// The epoch that the last of the entries is in.
fn last_epoch(entries: &[Entry]) -> u32 {
    let mut epochs = entries
        .iter()
        .rev()
        .filter_map(|entry| match entry.event() {
            Ok(Event::EpochOpened(opened)) => Some(opened.epoch),
            _ => None,
        });
    epochs.next().unwrap_or(1)
}

/// What else is wrong with the first bad entry of a change, besides the finding that the vector
/// gives: the sale is at device 2, and the till that it names is handed over to it later; the device
/// is revoked, too; and who is withdrawn was one of two administrators.
const BESIDE: &[(&str, &str)] = &[
    ("a draw of an epoch that has ended is sold", "till_wrong"),
    (
        "a draw of an epoch that has ended is sold",
        "ticket_while_suspended",
    ),
    ("the device that was left is not let in", "place_wrong"),
    ("a withdrawal of one's own badge", "administrators_few"),
];

/// The documents promise, of every verifier: the first bad entry, and that the name given is one
/// of that place ("the entry counts, not which name is told first"). They promise nothing of the
/// entries after it, which may be wrong for what the change made of them.
///
/// Asserted of keno-audit beyond that: at the first bad entry it names what the vector gives and
/// what stands in [`BESIDE`], which is each rule of `RULES.md` that the entry breaks; it tells
/// findings in the order of the entries; and of the export as a whole it names the checkpoint
/// once. A change leaves the signature as it was, so either the origin is not that of the last
/// entry's epoch, or the root is another; of the root beside a wrong origin a verifier may speak,
/// and this one does not.
#[test]
fn a_changed_copy_is_refused_in_its_first_bad_entry() {
    let vector = read();
    let (_, note) = vector.entries();
    let mut misses = Vec::new();
    for change in &vector.changes {
        let entries = changed_entries(&vector, change);
        let of_whole = match last_epoch(&entries) {
            2 => "checkpoint_root",
            _ => "checkpoint_origin",
        };
        let outcome = judged(&exported(entries, &note), Outside::default());
        let found = found(&outcome);
        let mut first_bad = vec![change.finding.as_str()];
        if change.first_bad.is_some() {
            let beside = BESIDE.iter().filter(|(why, _)| *why == change.why);
            first_bad.extend(beside.map(|(_, name)| name));
        }
        first_bad.sort_unstable();
        let at = |place: Option<u64>| -> Vec<&str> {
            let there = found.iter().filter(|(entry, _)| *entry == place);
            let mut names: Vec<&str> = there.map(|(_, name)| *name).collect();
            names.sort_unstable();
            names
        };
        let is_told_in_order = found.is_sorted_by_key(|(entry, _)| entry.unwrap_or(u64::MAX));
        let lowest = found.iter().filter_map(|(entry, _)| *entry).min();
        let fits = lowest == change.first_bad
            && at(change.first_bad) == first_bad
            && at(None) == [of_whole]
            && is_told_in_order;
        if !fits {
            let (why, place, name) = (&change.why, change.first_bad, &change.finding);
            misses.push(format!("{why}: {name} at {place:?}: found {found:?}"));
        }
    }
    assert!(misses.is_empty(), "{}", misses.join("\n"));
}
