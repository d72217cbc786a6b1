//! Brute force: every proof of every tree up to 64 leaves, and every small
//! damage to each.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a failed helper is a failed test

use crate::support::{leaves, reader};
use keno_log::hash::{Hash, sha256};
use keno_log::proof::{
    BuildFault, ProofFault, consistency_proof, consistency_proof_of, inclusion_proof,
    inclusion_proof_of, verify_consistency, verify_inclusion,
};
use keno_log::tree::{Edge, EdgeFault, TREE_SIZE_MAX, root_of};

const SIZE_MAX: u64 = 64;

/// `proof` damaged in every small way: a bit flipped in each hash, each hash
/// dropped or doubled, one more at each place, two neighbours exchanged.
fn damaged(proof: &[Hash]) -> Vec<Vec<Hash>> {
    let mut all = Vec::new();
    for at in 0..proof.len() {
        let mut flipped = proof.to_vec();
        flipped[at][at % 32] ^= 1 << (at % 8);
        all.push(flipped);

        let mut dropped = proof.to_vec();
        dropped.remove(at);
        all.push(dropped);

        let mut doubled = proof.to_vec();
        doubled.insert(at, proof[at]);
        all.push(doubled);

        if at > 0 {
            let mut exchanged = proof.to_vec();
            exchanged.swap(at - 1, at);
            all.push(exchanged);
        }
    }
    for at in 0..=proof.len() {
        let mut extra = proof.to_vec();
        extra.insert(at, sha256(b"extra"));
        all.push(extra);
    }
    all
}

fn roots(leaves: &[Hash]) -> Vec<Hash> {
    (0..=leaves.len())
        .map(|size| root_of(&leaves[..size]))
        .collect()
}

#[test]
fn every_inclusion_proof_verifies_and_no_damaged_one_does() {
    let leaves = leaves(SIZE_MAX);
    let roots = roots(&leaves);
    for size in 1..=SIZE_MAX {
        let tree = &leaves[..size as usize];
        let root = &roots[size as usize];
        for index in 0..size {
            let leaf = &leaves[index as usize];
            let proof = inclusion_proof_of(index, tree).unwrap();
            assert_eq!(
                inclusion_proof(index, size, &mut reader(tree)).unwrap(),
                proof
            );
            assert_eq!(verify_inclusion(leaf, index, size, &proof, root), Ok(()));

            for wrong in damaged(&proof) {
                assert!(
                    verify_inclusion(leaf, index, size, &wrong, root).is_err(),
                    "damaged proof of {index} in {size} accepted"
                );
            }
            for other in 0..SIZE_MAX {
                if other != index {
                    assert!(
                        verify_inclusion(leaf, other, size, &proof, root).is_err(),
                        "proof of {index} in {size} accepted for {other}"
                    );
                }
            }
            // One of another leaf, and one of another tree.
            let other_leaf = &leaves[(index ^ 1) as usize];
            assert!(verify_inclusion(other_leaf, index, size, &proof, root).is_err());
            let other_root = &roots[size as usize - 1];
            assert!(verify_inclusion(leaf, index, size, &proof, other_root).is_err());
        }
    }
}

#[test]
fn every_consistency_proof_verifies_and_no_damaged_one_does() {
    let leaves = leaves(SIZE_MAX);
    let roots = roots(&leaves);
    for new in 0..=SIZE_MAX {
        let tree = &leaves[..new as usize];
        let new_root = &roots[new as usize];
        for old in 0..=new {
            let old_root = &roots[old as usize];
            let proof = consistency_proof_of(old, tree).unwrap();
            assert_eq!(
                consistency_proof(old, new, &mut reader(tree)).unwrap(),
                proof
            );
            assert_eq!(
                verify_consistency(old, new, old_root, new_root, &proof),
                Ok(())
            );
            if old == 0 || old == new {
                assert!(proof.is_empty());
            }

            for wrong in damaged(&proof) {
                assert!(
                    verify_consistency(old, new, old_root, new_root, &wrong).is_err(),
                    "damaged proof from {old} to {new} accepted"
                );
            }
            for (other, other_root) in roots.iter().enumerate() {
                if other as u64 != old {
                    assert!(
                        verify_consistency(old, new, other_root, new_root, &proof).is_err(),
                        "proof from {old} to {new} accepted for the root of {other}"
                    );
                }
                if other as u64 != new && old > 0 {
                    assert!(verify_consistency(old, new, old_root, other_root, &proof).is_err());
                }
            }
        }
    }
}

#[test]
fn a_rewritten_leaf_breaks_consistency() {
    let honest = leaves(40);
    for old in 1..40_u64 {
        let mut rewritten = honest.clone();
        rewritten[(old / 2) as usize] = sha256(b"rewritten");
        let proof = consistency_proof_of(old, &rewritten).unwrap();
        let old_root = root_of(&honest[..old as usize]);
        let verdict = verify_consistency(old, 40, &old_root, &root_of(&rewritten), &proof);
        // Where the older root itself is the proof's seed, the newer one breaks.
        let fault = if old.is_power_of_two() {
            ProofFault::RootMismatch
        } else {
            ProofFault::OldRootMismatch
        };
        assert_eq!(verdict, Err(fault), "old size {old}");
    }
}

#[test]
fn faults_come_in_their_order() {
    let leaves = leaves(8);
    let root = root_of(&leaves);
    let leaf = &leaves[5];
    let proof = inclusion_proof_of(5, &leaves).unwrap();
    let too_long = [proof.as_slice(), &[root]].concat();
    for (index, size, proof, fault) in [
        (0, 0, [].as_slice(), ProofFault::IndexOutside),
        (8, 8, &proof, ProofFault::IndexOutside),
        (u64::MAX, 8, &proof, ProofFault::IndexOutside),
        (5, 8, &proof[..2], ProofFault::TooShort),
        (5, 8, &too_long, ProofFault::TooLong),
        (4, 8, &proof, ProofFault::RootMismatch),
        (5, u64::MAX, &proof, ProofFault::TooShort),
    ] {
        assert_eq!(
            verify_inclusion(leaf, index, size, proof, &root),
            Err(fault)
        );
    }

    let six = root_of(&leaves[..6]);
    let empty = root_of(&[]);
    let proof = consistency_proof_of(6, &leaves).unwrap();
    for (old, new, old_root, new_root, proof, fault) in [
        (8, 6, root, six, proof.as_slice(), ProofFault::SizeBackwards),
        (6, 8, six, root, &[], ProofFault::TooShort),
        (4, 8, six, root, &[], ProofFault::TooShort),
        (6, 8, six, root, &proof[..2], ProofFault::TooShort),
        (6, 7, six, root, &too_long, ProofFault::TooLong),
        (6, 8, root, six, &proof, ProofFault::OldRootMismatch),
        (6, 8, six, six, &proof, ProofFault::RootMismatch),
        (0, 8, six, root, &[], ProofFault::OldRootMismatch),
        (0, 8, empty, root, &proof, ProofFault::TooLong),
        (6, 6, six, root, &[], ProofFault::RootMismatch),
        (6, 6, six, six, &proof, ProofFault::TooLong),
    ] {
        assert_eq!(
            verify_consistency(old, new, &old_root, &new_root, proof),
            Err(fault),
            "{old} to {new}"
        );
    }
    assert_eq!(
        inclusion_proof_of(8, &leaves),
        Err(BuildFault::IndexOutside)
    );
    assert_eq!(inclusion_proof_of(0, &[]), Err(BuildFault::IndexOutside));
    assert_eq!(
        consistency_proof_of(9, &leaves),
        Err(BuildFault::SizeBackwards)
    );
}

#[test]
fn a_reader_that_fails_is_heard() {
    let failing = &mut |_: u8, _: u64| Err::<Hash, _>("disk");
    assert_eq!(
        inclusion_proof(5, 8, failing),
        Err(BuildFault::Read("disk"))
    );
    assert_eq!(
        consistency_proof(6, 8, failing),
        Err(BuildFault::Read("disk"))
    );
    assert_eq!(Edge::read(8, failing), Err("disk"));
}

#[test]
fn fault_names_are_stable() {
    let names: Vec<_> = [
        ProofFault::IndexOutside,
        ProofFault::SizeBackwards,
        ProofFault::TooShort,
        ProofFault::TooLong,
        ProofFault::OldRootMismatch,
        ProofFault::RootMismatch,
    ]
    .iter()
    .map(|fault| fault.name())
    .collect();
    assert_eq!(
        names.join(" "),
        "index_outside size_backwards too_short too_long old_root_mismatch root_mismatch"
    );
}

#[test]
fn the_edge_follows_the_tree_and_its_bytes_come_back() {
    let leaves = leaves(600);
    let mut edge = Edge::new();
    for size in 0..=leaves.len() {
        let tree = &leaves[..size];
        assert_eq!(edge.size(), size as u64);
        assert_eq!(edge.hashes().len(), size.count_ones() as usize);
        assert_eq!(edge.root(), root_of(tree), "size {size}");
        assert_eq!(edge, Edge::read(size as u64, &mut reader(tree)).unwrap());
        assert_eq!(Edge::from_bytes(&edge.to_bytes()), Ok(edge.clone()));
        if let Some(leaf) = leaves.get(size) {
            edge.append(*leaf);
        }
    }
}

#[test]
fn an_edge_of_the_wrong_length_is_refused() {
    let mut edge = Edge::new();
    leaves(6).into_iter().for_each(|leaf| edge.append(leaf));
    let bytes = edge.to_bytes();
    assert_eq!(bytes.len(), 8 + 2 * 32);
    assert_eq!(bytes[..8], 6_u64.to_be_bytes());
    for length in 0..8 {
        assert_eq!(Edge::from_bytes(&bytes[..length]), Err(EdgeFault::TooShort));
    }
    for length in 8..bytes.len() {
        assert_eq!(
            Edge::from_bytes(&bytes[..length]),
            Err(EdgeFault::WrongLength)
        );
    }
    let longer = [bytes.as_slice(), &[0; 32]].concat();
    assert_eq!(Edge::from_bytes(&longer), Err(EdgeFault::WrongLength));
    assert_eq!(
        Edge::from_bytes(&[bytes.as_slice(), &[0]].concat()),
        Err(EdgeFault::WrongLength)
    );
    // Another size with as many bits set is another tree, so another root.
    let mut other = bytes.clone();
    other[..8].copy_from_slice(&5_u64.to_be_bytes());
    assert_ne!(Edge::from_bytes(&other).unwrap(), edge);
    let above = [(TREE_SIZE_MAX + 1).to_be_bytes().as_slice(), &[0; 32]].concat();
    assert_eq!(Edge::from_bytes(&above), Err(EdgeFault::SizeTooLarge));
    // The largest edge takes one more leaf without overflow.
    let largest = [TREE_SIZE_MAX.to_be_bytes().as_slice(), &[7; 63 * 32]].concat();
    let mut largest = Edge::from_bytes(&largest).unwrap();
    largest.append([1; 32]);
    assert_eq!(
        (largest.size(), largest.hashes().len()),
        (TREE_SIZE_MAX + 1, 1)
    );
}
