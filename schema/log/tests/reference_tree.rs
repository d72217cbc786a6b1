//! The published reference tree (`vectors/rfc6962.txt`): roots and proofs.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a failed helper is a failed test

use crate::support::{bytes_of, hash_of};
use keno_log::hash::{EMPTY_ROOT, Hash, leaf_hash, node_hash, sha256};
use keno_log::proof::{
    ProofFault, consistency_proof_of, inclusion_proof_of, verify_consistency, verify_inclusion,
};
use keno_log::tree::{Edge, root_of};

const VECTORS: &str = include_str!("../vectors/rfc6962.txt");

/// The fields of each line that begins with `kind`.
fn lines(kind: &str) -> Vec<Vec<&'static str>> {
    let found: Vec<Vec<&str>> = VECTORS
        .lines()
        .map(|line| line.split(' ').collect::<Vec<_>>())
        .filter(|fields| fields[0] == kind)
        .map(|fields| fields[1..].to_vec())
        .collect();
    assert!(!found.is_empty(), "no vector of kind {kind}");
    found
}

fn reference_leaves() -> Vec<Hash> {
    lines("leaf")
        .iter()
        .enumerate()
        .map(|(index, fields)| {
            assert_eq!(fields[0], index.to_string());
            leaf_hash(&bytes_of(fields[1]))
        })
        .collect()
}

fn reference_root(size: usize) -> Hash {
    let fields = &lines("root")[size];
    assert_eq!(fields[0], size.to_string());
    hash_of(fields[1])
}

/// Two numbers, then hashes.
fn proofs(kind: &str) -> Vec<(u64, u64, Vec<Hash>)> {
    lines(kind)
        .iter()
        .map(|fields| {
            let hashes = fields[2..].iter().map(|hex| hash_of(hex)).collect();
            (
                fields[0].parse().unwrap(),
                fields[1].parse().unwrap(),
                hashes,
            )
        })
        .collect()
}

#[test]
fn the_empty_root_is_the_hash_of_nothing() {
    assert_eq!(EMPTY_ROOT, sha256(b""));
    assert_eq!(Edge::new().root(), EMPTY_ROOT);
    assert_eq!(root_of(&[]), EMPTY_ROOT);
}

#[test]
fn prefixes_keep_leaves_and_nodes_apart() {
    let (left, right) = (sha256(b"left"), sha256(b"right"));
    let children = [left, right].concat();
    assert_eq!(
        node_hash(&left, &right),
        sha256(&[&[1], children.as_slice()].concat())
    );
    assert_eq!(
        leaf_hash(&children),
        sha256(&[&[0], children.as_slice()].concat())
    );
    assert_ne!(node_hash(&left, &right), leaf_hash(&children));
    assert_ne!(node_hash(&left, &right), node_hash(&right, &left));
}

#[test]
fn roots_are_the_published_ones() {
    let leaves = reference_leaves();
    assert_eq!(leaves.len(), 8);
    let mut edge = Edge::new();
    for size in 0..=leaves.len() {
        assert_eq!(
            root_of(&leaves[..size]),
            reference_root(size),
            "size {size}"
        );
        assert_eq!(edge.root(), reference_root(size), "edge of size {size}");
        if let Some(leaf) = leaves.get(size) {
            edge.append(*leaf);
        }
    }
}

#[test]
fn inclusion_proofs_are_the_published_ones() {
    let leaves = reference_leaves();
    for (index, size, published) in proofs("inclusion") {
        let tree = &leaves[..size as usize];
        assert_eq!(
            inclusion_proof_of(index, tree).unwrap(),
            published,
            "{index} of {size}"
        );
        let leaf = &leaves[index as usize];
        let root = reference_root(size as usize);
        assert_eq!(
            verify_inclusion(leaf, index, size, &published, &root),
            Ok(())
        );
        // The same hashes prove no other leaf and lead to no other root.
        let other = sha256(b"other");
        assert!(verify_inclusion(&other, index, size, &published, &root).is_err());
        assert_eq!(
            verify_inclusion(leaf, index, size, &published, &other),
            Err(ProofFault::RootMismatch)
        );
    }
}

#[test]
fn consistency_proofs_are_the_published_ones() {
    let leaves = reference_leaves();
    for (old, new, published) in proofs("consistency") {
        let tree = &leaves[..new as usize];
        assert_eq!(
            consistency_proof_of(old, tree).unwrap(),
            published,
            "{old} to {new}"
        );
        let old_root = reference_root(old as usize);
        let new_root = reference_root(new as usize);
        assert_eq!(
            verify_consistency(old, new, &old_root, &new_root, &published),
            Ok(())
        );
        if old != new {
            assert!(verify_consistency(old, new, &new_root, &old_root, &published).is_err());
        }
    }
}

/// The example of RFC 6962, section 2.1.3: seven leaves, nodes named by letters.
#[test]
fn proofs_have_the_shape_of_the_example_in_the_rfc() {
    let leaves = crate::support::leaves(7);
    let [a, b, c, d, e, f, j] = leaves[..].try_into().unwrap();
    let (g, h, i) = (node_hash(&a, &b), node_hash(&c, &d), node_hash(&e, &f));
    let (k, l) = (node_hash(&g, &h), node_hash(&i, &j));
    assert_eq!(root_of(&leaves), node_hash(&k, &l));

    assert_eq!(inclusion_proof_of(0, &leaves).unwrap(), [b, h, l]);
    assert_eq!(inclusion_proof_of(3, &leaves).unwrap(), [c, g, l]);
    assert_eq!(inclusion_proof_of(4, &leaves).unwrap(), [f, j, k]);
    assert_eq!(inclusion_proof_of(6, &leaves).unwrap(), [i, k]);

    assert_eq!(consistency_proof_of(3, &leaves).unwrap(), [c, d, g, l]);
    assert_eq!(consistency_proof_of(4, &leaves).unwrap(), [l]);
    assert_eq!(consistency_proof_of(6, &leaves).unwrap(), [i, j, k]);
}
