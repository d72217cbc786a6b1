//! The signed log of two epochs (`vectors/epochs.json`): its bytes, its proofs, its signatures,
//! and what a device that kept one of its checkpoints makes of it. A program that shares no code
//! with this crate made it from `FORMAT.md` and `RULES.md`.

// Helpers beside the tests unwrap too: a vector that cannot be read fails its test.
#![allow(clippy::unwrap_used)]

use crate::support::two_epochs::{TwoEpochs, read};
use keno_log::checkpoint::{
    Checkpoint, NoteFault, SigningKey, VerifyingKey, open, open_from, sign,
};
use keno_log::epoch::{Continuity, ContinuityFault, EpochEvidence, consistent_or_new_epoch};
use keno_log::event::EpochOpened;
use keno_log::export::{put_end, put_entry, put_magic};
use keno_log::hash::sha256;
use keno_log::proof::{
    ProofFault, consistency_proof_of, inclusion_proof_of, verify_consistency, verify_inclusion,
};
use keno_log::tree::{Edge, root_of};
use keno_log::{Event, EventKind, Hash};

/// Origin of the first epoch, and name of the key.
const FIRST: &str = "boulier/essai";
const SECOND: &str = "boulier/essai/2";

fn leaf_hashes(vector: &TwoEpochs) -> Vec<Hash> {
    let entries = vector.entries().0;
    entries.iter().map(|entry| entry.leaf.hash()).collect()
}

/// Each way in which a proof loses, gains, exchanges or alters one hash.
fn bent(path: &[Hash]) -> Vec<Vec<Hash>> {
    let mut all = Vec::new();
    for at in 0..path.len() {
        let changed = |change: fn(&mut Vec<Hash>, usize)| {
            let mut other = path.to_vec();
            change(&mut other, at);
            other
        };
        all.push(changed(|path, at| path[at][at] ^= 1));
        all.push(changed(|path, at| {
            path.remove(at);
        }));
        all.push(changed(|path, at| path.insert(at, path[at])));
        if at > 0 {
            all.push(changed(|path, at| path.swap(at - 1, at)));
        }
    }
    all
}

#[test]
fn the_export_is_read_and_written_again_byte_for_byte() {
    let vector = read();
    let (entries, note) = vector.entries();
    let mut written = Vec::new();
    put_magic(&mut written);
    for entry in &entries {
        // Body to fact and back: there is one encoding of every value.
        let event = entry.event().unwrap();
        assert_eq!(event.encode(), entry.body, "{event:?}");
        put_entry(entry, &entry.leaf.hash(), &mut written);
    }
    put_end(&note, &mut written);
    assert_eq!(written, vector.export());

    let hashes = leaf_hashes(&vector);
    let mut edge = Edge::new();
    for hash in &hashes {
        edge.append(*hash);
    }
    assert_eq!(entries.len() as u64, vector.proofs.size);
    assert_eq!(root_of(&hashes), vector.root());
    assert_eq!(edge.root(), vector.root());
}

#[test]
fn the_bodies_of_the_changes_are_each_the_one_encoding_of_their_fact() {
    for change in read().changes {
        for changed in change.entries {
            let kind = EventKind::from_number(changed.kind).unwrap();
            let body = changed.body();
            let event = Event::decode(kind, &body);
            let encoded = event.map(|event| event.encode());
            assert_eq!(encoded, Ok(body), "{}: {}", change.why, changed.entry);
        }
    }
}

#[test]
fn the_inclusion_proof_is_the_same_and_of_no_other_leaf() {
    let vector = read();
    let (size, root) = (vector.proofs.size, vector.root());
    let hashes = leaf_hashes(&vector);
    let (index, path) = (
        vector.proofs.inclusion.index,
        vector.proofs.inclusion.path(),
    );
    assert_eq!(inclusion_proof_of(index, &hashes), Ok(path.clone()));
    for (place, hash) in (0..).zip(&hashes) {
        let proven = verify_inclusion(hash, place, size, &path, &root).is_ok();
        assert_eq!(proven, place == index, "entry {place}");
    }
    let leaf = &hashes[index as usize];
    for wrong in bent(&path) {
        assert!(verify_inclusion(leaf, index, size, &wrong, &root).is_err());
    }
}

#[test]
fn the_consistency_proofs_are_the_same_and_from_no_other_tree() {
    let vector = read();
    let (size, root) = (vector.proofs.size, vector.root());
    let hashes = leaf_hashes(&vector);
    for proof in &vector.proofs.consistency {
        let (from, old_root, path) = (proof.from, proof.root(), proof.path());
        assert_eq!(root_of(&hashes[..from as usize]), old_root, "{from}");
        assert_eq!(consistency_proof_of(from, &hashes), Ok(path.clone()));
        let verify = |from: u64, old_root: &Hash, path: &[Hash]| {
            verify_consistency(from, size, old_root, &root, path)
        };
        assert_eq!(verify(from, &old_root, &path), Ok(()), "{from}");
        for wrong in bent(&path) {
            assert!(verify(from, &old_root, &wrong).is_err(), "{from}");
        }
        for other in (1..=size).filter(|other| *other != from) {
            let other_root = root_of(&hashes[..other as usize]);
            assert!(verify(from, &other_root, &path).is_err(), "{from}, {other}");
        }
    }
}

#[test]
fn every_checkpoint_is_signed_byte_for_byte() {
    let vector = read();
    // The seed stands in `make_epochs.py`; an Ed25519 signature follows from key and text.
    let seed = sha256(b"a key of a vector, of no house");
    let signer = SigningKey::from_seed(FIRST, &seed).unwrap();
    let key = VerifyingKey::parse(&vector.key).unwrap();
    assert_eq!(signer.verifying_key().to_string(), vector.key);
    let (_, own) = vector.entries();
    let kept = vector.outside.iter().chain(&vector.own);
    for note in kept.map(|kept| &kept.note).chain([&own]) {
        let checkpoint = open(note, &key).unwrap();
        assert_eq!(&sign(&checkpoint, &signer).unwrap(), note);
    }
    // The key signs for both epochs; the origin tells them apart.
    let whole = Checkpoint::new(SECOND, vector.proofs.size, vector.root());
    assert_eq!(open_from(&own, SECOND, &key), Ok(whole));
    assert_eq!(open_from(&own, FIRST, &key), Err(NoteFault::OtherOrigin));
}

/// What the document has a device do that kept the checkpoint and now sees the whole log.
fn judged(
    vector: &TwoEpochs,
    kept: &Checkpoint,
    newer: &Checkpoint,
) -> Result<Continuity, ContinuityFault> {
    let (entries, _) = vector.entries();
    let hashes = leaf_hashes(vector);
    let opening = &vector.proofs.inclusion;
    let shown = &entries[opening.index as usize];
    let mut proofs = vector.proofs.consistency.iter();
    let past = proofs.find(|proof| proof.from == opening.index).unwrap();
    let evidence = EpochEvidence {
        leaf: shown.leaf.to_bytes(),
        nonce: shown.nonce,
        body: shown.body.clone(),
        inclusion: opening.path(),
        consistency: past.path(),
    };
    let proof = consistency_proof_of(kept.size, &hashes).unwrap_or_default();
    consistent_or_new_epoch(FIRST, kept, newer, &proof, Some(&evidence))
}

#[test]
fn who_kept_a_checkpoint_believes_the_log_where_the_document_says_so() {
    let vector = read();
    let key = VerifyingKey::parse(&vector.key).unwrap();
    let (entries, own) = vector.entries();
    let newer = open(&own, &key).unwrap();
    let place = vector.proofs.inclusion.index;
    let Event::EpochOpened(opened) = entries[place as usize].event().unwrap() else {
        panic!("another kind stands there");
    };
    let mut misses = Vec::new();
    for case in &vector.outside {
        let kept = open(&case.note, &key).unwrap();
        let found = judged(&vector, &kept, &newer);
        let fits = match case.finding.as_deref() {
            None => found == Ok(believed(&kept, &opened)),
            Some("outside_root") => matches!(
                found,
                Err(ContinuityFault::Inconsistent(
                    ProofFault::OldRootMismatch | ProofFault::RootMismatch
                ))
            ),
            Some("export_short") => {
                found == Err(ContinuityFault::Inconsistent(ProofFault::SizeBackwards))
            }
            Some("outside_lost") => {
                let (kept, lost) = (kept.size, opened.lost_size);
                found == Err(ContinuityFault::LossDenied { kept, lost })
            }
            // An epoch that is to come, or the origin of no epoch of this house.
            Some("checkpoint_origin") if kept.origin == "boulier/essai/3" => {
                found == Err(ContinuityFault::EpochBackwards { kept: 3, newer: 2 })
            }
            Some("checkpoint_origin") => {
                found == Err(ContinuityFault::OtherLog(kept.origin.clone()))
            }
            Some(other) => panic!("{other} is not judged here"),
        };
        if !fits {
            misses.push(format!("{}: {found:?}", case.why));
        }
    }
    assert!(misses.is_empty(), "{}", misses.join("\n"));
}

/// How the log continues a checkpoint that holds beside it: `FORMAT.md`, "Epochs".
fn believed(kept: &Checkpoint, opened: &EpochOpened) -> Continuity {
    if kept.origin == SECOND {
        Continuity::Consistent
    } else if kept.size <= opened.continues_size {
        Continuity::NewEpoch(opened.clone())
    } else {
        Continuity::Lost(opened.clone())
    }
}
