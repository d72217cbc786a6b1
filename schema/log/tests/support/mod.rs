//! Leaves and hexadecimal for the tests of tree, proofs and tiles.

pub mod tiles;
pub mod two_epochs;

use std::convert::Infallible;

use keno_log::hash::{Hash, leaf_hash};
use keno_log::tree::root_of;

/// `count` leaf hashes, all different.
pub fn leaves(count: u64) -> Vec<Hash> {
    (0..count)
        .map(|index| leaf_hash(&index.to_be_bytes()))
        .collect()
}

/// Reads nodes straight from leaf hashes; panics if asked outside them, so
/// that a builder that asks for too much is caught.
pub fn reader(leaves: &[Hash]) -> impl FnMut(u8, u64) -> Result<Hash, Infallible> + '_ {
    move |level, index| {
        let start = usize::try_from(index << level).unwrap();
        Ok(root_of(&leaves[start..start + (1_usize << level)]))
    }
}

/// Bytes from hexadecimal; "-" for none.
pub fn bytes_of(hex: &str) -> Vec<u8> {
    if hex == "-" {
        return Vec::new();
    }
    assert!(hex.len().is_multiple_of(2), "odd hexadecimal: {hex}");
    (0..hex.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap())
        .collect()
}

/// A hash from hexadecimal.
pub fn hash_of(hex: &str) -> Hash {
    bytes_of(hex).try_into().unwrap()
}
