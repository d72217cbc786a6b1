//! A device that kept a checkpoint tells an honest restore from a rewritten log.

// Helpers beside the tests unwrap too: a log that cannot be made fails its test.
#![allow(clippy::unwrap_used)]

use keno_log::checkpoint::Checkpoint;
use keno_log::epoch::{
    Continuity, ContinuityFault, EpochEvidence, consistent_or_new_epoch, epoch_of,
};
use keno_log::event::{EpochOpened, LeaseTaken};
use keno_log::leaf::{Entry, Leaf, LeafHeader, body_commitment};
use keno_log::proof::{consistency_proof_of, inclusion_proof_of};
use keno_log::tree::root_of;
use keno_log::{Event, Hash};

const FIRST: &str = "boulier/demo";
/// Leaves in the backup that the log goes on from.
const BACKUP: usize = 11;

fn entry(index: usize, event: &Event) -> Entry {
    let body = event.encode();
    let nonce = [7; 32];
    Entry {
        leaf: Leaf {
            header: LeafHeader {
                kind: event.kind(),
                index: index as u64,
                at_ms: index as i64,
                business_day: 20_261_120,
                draw: event.draw(),
            },
            commitment: body_commitment(&nonce, &body),
        },
        nonce,
        body,
    }
}

fn lease(index: usize, instance: &str) -> Entry {
    let lease = LeaseTaken {
        instance: instance.to_owned(),
        fence: 1,
    };
    entry(index, &lease.into())
}

/// A log as its entries, with the checkpoints over it.
struct Log {
    entries: Vec<Entry>,
}

impl Log {
    fn hashes(&self) -> Vec<Hash> {
        self.entries.iter().map(|it| it.leaf.hash()).collect()
    }

    fn checkpoint(&self, size: usize, epoch: u32) -> Checkpoint {
        let origin = match epoch {
            1 => FIRST.to_owned(),
            later => format!("{FIRST}/{later}"),
        };
        Checkpoint::new(&origin, size as u64, root_of(&self.hashes()[..size]))
    }

    fn consistency(&self, from: usize) -> Vec<Hash> {
        consistency_proof_of(from as u64, &self.hashes()).unwrap_or_default()
    }

    fn evidence(&self, index: usize) -> EpochEvidence {
        let shown = &self.entries[index];
        EpochEvidence {
            leaf: shown.leaf.to_bytes().to_vec(),
            nonce: shown.nonce,
            body: shown.body.clone(),
            inclusion: inclusion_proof_of(index as u64, &self.hashes()).unwrap(),
            consistency: self.consistency(index),
        }
    }
}

/// The log before it was lost: 20 leaves of epoch 1.
fn lost_log() -> Log {
    Log {
        entries: (0..20).map(|index| lease(index, "a")).collect(),
    }
}

/// The log as it went on from its first leaves, with what `change` does to the fact.
fn restored(known: Option<usize>, change: impl Fn(&mut EpochOpened)) -> Log {
    let lost = lost_log();
    let mut entries: Vec<Entry> = lost.entries[..BACKUP].to_vec();
    let before = lost.checkpoint(BACKUP, 1);
    let known = known.map_or(before.clone(), |size| lost.checkpoint(size, 1));
    let mut opened = EpochOpened {
        epoch: 2,
        continues_size: before.size,
        continues_root: before.root,
        lost_size: known.size,
        lost_root: known.root,
        next_draw: 100,
        next_session: 100,
        next_shift: 100,
        reason: "disque perdu".to_owned(),
        by: "S1".to_owned(),
        second: "S2".to_owned(),
    };
    change(&mut opened);
    entries.push(entry(BACKUP, &opened.into()));
    entries.extend((BACKUP + 1..30).map(|index| lease(index, "b")));
    Log { entries }
}

/// What a device that kept so many leaves of the lost log makes of the restored one.
fn asked(kept: usize, log: &Log) -> Result<Continuity, ContinuityFault> {
    consistent_or_new_epoch(
        FIRST,
        &lost_log().checkpoint(kept, 1),
        &log.checkpoint(30, 2),
        &log.consistency(kept),
        Some(&log.evidence(BACKUP)),
    )
}

#[test]
fn in_one_epoch_consistency_is_demanded_as_ever() {
    let log = lost_log();
    let (kept, newer) = (log.checkpoint(7, 1), log.checkpoint(20, 1));
    let ask = |proof: &[Hash]| consistent_or_new_epoch(FIRST, &kept, &newer, proof, None);
    assert_eq!(ask(&log.consistency(7)), Ok(Continuity::Consistent));
    assert!(matches!(
        ask(&log.consistency(6)),
        Err(ContinuityFault::Inconsistent(_))
    ));
    // A log made anew from an older copy, under the old origin.
    let other = restored(None, |_| {});
    let rewritten = other.checkpoint(30, 1);
    let kept = log.checkpoint(15, 1);
    let outcome = consistent_or_new_epoch(
        FIRST,
        &kept,
        &rewritten,
        &other.consistency(15),
        Some(&other.evidence(BACKUP)),
    );
    assert!(matches!(outcome, Err(ContinuityFault::Inconsistent(_))));
}

#[test]
fn a_restore_is_told_by_what_was_kept() {
    let log = restored(Some(18), |_| {});
    for kept in 1..=BACKUP {
        assert!(
            matches!(asked(kept, &log), Ok(Continuity::NewEpoch(_))),
            "{kept}"
        );
    }
    for kept in BACKUP + 1..=18 {
        assert!(
            matches!(asked(kept, &log), Ok(Continuity::Lost(opened)) if opened.epoch == 2),
            "{kept}"
        );
    }
    // More than the house admits, and as much but of another log.
    assert_eq!(
        asked(19, &log),
        Err(ContinuityFault::LossDenied { kept: 19, lost: 18 })
    );
    let other = restored(Some(18), |it| it.lost_root = [1; 32]);
    assert_eq!(
        asked(18, &other),
        Err(ContinuityFault::LossDenied { kept: 18, lost: 18 })
    );
    let unknown = restored(None, |_| {});
    assert!(matches!(asked(11, &unknown), Ok(Continuity::NewEpoch(_))));
    assert!(matches!(
        asked(12, &unknown),
        Err(ContinuityFault::LossDenied { .. })
    ));
}

#[test]
fn what_is_not_proven_is_not_believed() {
    let log = restored(Some(18), |_| {});
    let kept = lost_log().checkpoint(15, 1);
    let newer = log.checkpoint(30, 2);
    let ask = |evidence: Option<&EpochEvidence>| {
        consistent_or_new_epoch(FIRST, &kept, &newer, &[], evidence)
    };
    let good = log.evidence(BACKUP);
    assert!(matches!(ask(Some(&good)), Ok(Continuity::Lost(_))));
    assert_eq!(ask(None), Err(ContinuityFault::EvidenceMissing(1)));
    let changed = |change: fn(&mut EpochEvidence)| {
        let mut evidence = good.clone();
        change(&mut evidence);
        ask(Some(&evidence))
    };
    assert_eq!(
        changed(|it| it.leaf.truncate(61)),
        Err(ContinuityFault::NotThatEpoch(1))
    );
    assert!(matches!(
        changed(|it| it.body[3] ^= 1),
        Err(ContinuityFault::Body(_))
    ));
    assert!(matches!(
        changed(|it| it.nonce[3] ^= 1),
        Err(ContinuityFault::Body(_))
    ));
    assert!(matches!(
        changed(|it| it.inclusion[0][0] ^= 1),
        Err(ContinuityFault::NotIncluded(_))
    ));
    assert_eq!(
        changed(|it| it.consistency[0][0] ^= 1),
        Err(ContinuityFault::OtherPast)
    );
    // Another leaf, however well proven.
    assert_eq!(
        ask(Some(&log.evidence(BACKUP + 1))),
        Err(ContinuityFault::NotThatEpoch(1))
    );
    // Facts that say something else than where they stand.
    let epoch_3 = restored(Some(18), |it| it.epoch = 3);
    assert_eq!(asked(15, &epoch_3), Err(ContinuityFault::NotThatEpoch(1)));
    for change in [
        (|it| it.continues_size -= 1) as fn(&mut EpochOpened),
        |it| it.continues_root[0] ^= 1,
    ] {
        assert_eq!(
            asked(15, &restored(Some(18), change)),
            Err(ContinuityFault::OtherPast)
        );
    }
    // A kept checkpoint that the restored log should hold, and does not.
    let mut forged = lost_log().checkpoint(5, 1);
    forged.root[0] ^= 1;
    let outcome = consistent_or_new_epoch(FIRST, &forged, &newer, &log.consistency(5), Some(&good));
    assert!(matches!(outcome, Err(ContinuityFault::Inconsistent(_))));
}

#[test]
fn epochs_do_not_come_back_and_origins_are_exact() {
    let log = restored(Some(18), |_| {});
    let outcome = consistent_or_new_epoch(
        FIRST,
        &log.checkpoint(20, 2),
        &lost_log().checkpoint(20, 1),
        &[],
        None,
    );
    assert_eq!(
        outcome,
        Err(ContinuityFault::EpochBackwards { kept: 2, newer: 1 })
    );
    let mut other = log.checkpoint(30, 2);
    other.origin = "boulier/demo/x".to_owned();
    let outcome = consistent_or_new_epoch(FIRST, &log.checkpoint(20, 2), &other, &[], None);
    assert_eq!(
        outcome,
        Err(ContinuityFault::OtherLog("boulier/demo/x".to_owned()))
    );
    for (origin, epoch) in [
        ("boulier/demo", Some(1)),
        ("boulier/demo/2", Some(2)),
        ("boulier/demo/17", Some(17)),
        ("boulier/demo/1", None),
        ("boulier/demo/02", None),
        ("boulier/demo/", None),
        ("boulier/demo2", None),
        ("boulier/dem", None),
    ] {
        assert_eq!(epoch_of(origin, FIRST), epoch, "{origin}");
    }
}
