//! Proofs of inclusion and of consistency (RFC 6962, 2.1.1-2.1.2; verified as
//! in RFC 9162, 2.1.3.2 and 2.1.4.2).
//!
//! Building follows the recursive definition over ranges of leaves; verifying
//! follows the bits of index and size. The two share no arithmetic.

use std::convert::Infallible;

use crate::hash::{EMPTY_ROOT, Hash, node_hash};
use crate::tree::{complete_subtrees, fold_right_edge, root_of};

faults! {
    /// Why a proof is refused. Ordered: the first that applies is reported.
    ProofFault {
        /// The leaf's index is not below the size of the tree.
        IndexOutside "index_outside": "the index lies outside the tree",
        /// The older tree is larger than the newer one.
        SizeBackwards "size_backwards": "the older tree is larger than the newer one",
        /// The proof has fewer hashes than index and size ask for.
        TooShort "too_short": "the proof is too short",
        /// The proof has more hashes than index and size ask for.
        TooLong "too_long": "the proof is too long",
        /// The proof does not lead to the older root.
        OldRootMismatch "old_root_mismatch": "the proof does not lead to the older root",
        /// The proof does not lead to the root (the newer one, for consistency).
        RootMismatch "root_mismatch": "the proof does not lead to the root",
    }
}

/// Why a proof could not be built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BuildFault<E> {
    /// No leaf of that index in a tree of that size.
    #[error("the index lies outside the tree")]
    IndexOutside,
    /// The older tree is larger than the newer one.
    #[error("the older tree is larger than the newer one")]
    SizeBackwards,
    /// A node's hash could not be read.
    #[error("a hash of the tree could not be read")]
    Read(#[source] E),
}

/// A range of leaves, `start..end`, whose root is one hash of a proof.
type LeafRange = (u64, u64);

/// The hashes that prove leaf `index` in the tree of `size` leaves, from the
/// leaf's sibling upwards (RFC 6962, 2.1.1).
///
/// `get(level, index)` answers a node's hash, as named in [`crate::tree`]; only
/// complete subtrees within `size` are asked for, at most 64 per hash.
///
/// # Errors
/// [`BuildFault::IndexOutside`], or [`BuildFault::Read`] with what `get` said.
pub fn inclusion_proof<E>(
    index: u64,
    size: u64,
    get: &mut dyn FnMut(u8, u64) -> Result<Hash, E>,
) -> Result<Vec<Hash>, BuildFault<E>> {
    if index >= size {
        return Err(BuildFault::IndexOutside);
    }
    read_ranges(&inclusion_ranges(index, size), get)
}

/// The hashes that prove that the tree of `old_size` leaves is the beginning
/// of the tree of `new_size` leaves (RFC 6962, 2.1.2). Empty if the sizes are
/// equal or the older tree has no leaves.
///
/// `get` is as for [`inclusion_proof`], over the newer tree.
///
/// # Errors
/// [`BuildFault::SizeBackwards`], or [`BuildFault::Read`] with what `get` said.
pub fn consistency_proof<E>(
    old_size: u64,
    new_size: u64,
    get: &mut dyn FnMut(u8, u64) -> Result<Hash, E>,
) -> Result<Vec<Hash>, BuildFault<E>> {
    if old_size > new_size {
        return Err(BuildFault::SizeBackwards);
    }
    read_ranges(&consistency_ranges(old_size, new_size), get)
}

/// [`inclusion_proof`] of leaf `index` in the tree over all of `leaves` (leaf hashes).
///
/// # Errors
/// [`BuildFault::IndexOutside`].
pub fn inclusion_proof_of(
    index: u64,
    leaves: &[Hash],
) -> Result<Vec<Hash>, BuildFault<Infallible>> {
    inclusion_proof(index, leaves.len() as u64, &mut |level, index| {
        Ok(node_of(leaves, level, index))
    })
}

/// [`consistency_proof`] from `old_size` to the tree over all of `leaves` (leaf hashes).
///
/// # Errors
/// [`BuildFault::SizeBackwards`].
pub fn consistency_proof_of(
    old_size: u64,
    leaves: &[Hash],
) -> Result<Vec<Hash>, BuildFault<Infallible>> {
    consistency_proof(old_size, leaves.len() as u64, &mut |level, index| {
        Ok(node_of(leaves, level, index))
    })
}

/// Checks that the leaf with hash `leaf` is number `index` in the tree of
/// `size` leaves with root `root` (RFC 9162, 2.1.3.2).
///
/// # Errors
/// The first [`ProofFault`] that applies.
pub fn verify_inclusion(
    leaf: &Hash,
    index: u64,
    size: u64,
    proof: &[Hash],
    root: &Hash,
) -> Result<(), ProofFault> {
    if index >= size {
        return Err(ProofFault::IndexOutside);
    }
    let mut climb = Climb {
        node: index,
        last: size - 1,
    };
    let mut reached = *leaf;
    for sibling in proof {
        reached = match climb.step()? {
            Side::Left => node_hash(sibling, &reached),
            Side::Right => node_hash(&reached, sibling),
        };
    }
    if climb.last != 0 {
        return Err(ProofFault::TooShort);
    }
    if reached != *root {
        return Err(ProofFault::RootMismatch);
    }
    Ok(())
}

/// Checks that the tree of `old_size` leaves with root `old_root` is the
/// beginning of the tree of `new_size` leaves with root `new_root`
/// (RFC 9162, 2.1.4.2).
///
/// An older tree without leaves is the beginning of any tree; its root must
/// then be [`EMPTY_ROOT`] and the proof empty. RFC 9162 leaves that case open.
///
/// # Errors
/// The first [`ProofFault`] that applies.
pub fn verify_consistency(
    old_size: u64,
    new_size: u64,
    old_root: &Hash,
    new_root: &Hash,
    proof: &[Hash],
) -> Result<(), ProofFault> {
    if old_size > new_size {
        return Err(ProofFault::SizeBackwards);
    }
    if old_size == 0 || old_size == new_size {
        return verify_trivial_consistency(old_size, new_size, old_root, new_root, proof);
    }

    let mut climb = Climb {
        node: old_size - 1,
        last: new_size - 1,
    };
    // Up to the largest complete subtree that ends the older tree: below it
    // the two trees are one.
    climb.rise(climb.node.trailing_ones());

    // If that subtree is the whole older tree, its root is known and left out.
    let (seed, rest) = if old_size.is_power_of_two() {
        (old_root, proof)
    } else {
        proof.split_first().ok_or(ProofFault::TooShort)?
    };

    let mut old_reached = *seed;
    let mut new_reached = *seed;
    for sibling in rest {
        match climb.step()? {
            Side::Left => {
                old_reached = node_hash(sibling, &old_reached);
                new_reached = node_hash(sibling, &new_reached);
            }
            // What stands to the right came after the older tree.
            Side::Right => new_reached = node_hash(&new_reached, sibling),
        }
    }
    if climb.last != 0 {
        return Err(ProofFault::TooShort);
    }
    if old_reached != *old_root {
        return Err(ProofFault::OldRootMismatch);
    }
    if new_reached != *new_root {
        return Err(ProofFault::RootMismatch);
    }
    Ok(())
}

/// The cases without hashes: nothing before, or nothing new.
fn verify_trivial_consistency(
    old_size: u64,
    new_size: u64,
    old_root: &Hash,
    new_root: &Hash,
    proof: &[Hash],
) -> Result<(), ProofFault> {
    if !proof.is_empty() {
        return Err(ProofFault::TooLong);
    }
    if old_size == 0 && *old_root != EMPTY_ROOT {
        return Err(ProofFault::OldRootMismatch);
    }
    if old_size == new_size && old_root != new_root {
        return Err(ProofFault::RootMismatch);
    }
    Ok(())
}

/// On which side of the path a proof's hash stands.
enum Side {
    Left,
    Right,
}

/// A climb from a node to the root: its index at the present level, and the
/// index of the last node of that level.
struct Climb {
    node: u64,
    last: u64,
}

impl Climb {
    /// Takes one hash of the proof into account.
    fn step(&mut self) -> Result<Side, ProofFault> {
        if self.last == 0 {
            return Err(ProofFault::TooLong);
        }
        let side = if self.node & 1 == 1 {
            Side::Left
        } else if self.node == self.last {
            // The last node of a level with an odd number of nodes has no
            // sibling: it moves up unchanged until it is a right child.
            // (`node` is not 0 here, for `last` is not.)
            self.rise(self.node.trailing_zeros());
            Side::Left
        } else {
            Side::Right
        };
        self.rise(1);
        Ok(side)
    }

    /// Moves up `levels` levels.
    fn rise(&mut self, levels: u32) {
        self.node = self.node.checked_shr(levels).unwrap_or(0);
        self.last = self.last.checked_shr(levels).unwrap_or(0);
    }
}

/// PATH(m, D\[n\]) of RFC 6962, 2.1.1, as ranges, lowest first.
fn inclusion_ranges(index: u64, size: u64) -> Vec<LeafRange> {
    let (mut start, mut end) = (0, size);
    let mut ranges = Vec::new();
    while end - start > 1 {
        let middle = middle_of(start, end);
        if index < middle {
            ranges.push((middle, end));
            end = middle;
        } else {
            ranges.push((start, middle));
            start = middle;
        }
    }
    ranges.reverse();
    ranges
}

/// PROOF(m, D\[n\]) of RFC 6962, 2.1.2, as ranges, lowest first.
fn consistency_ranges(old_size: u64, new_size: u64) -> Vec<LeafRange> {
    if old_size == 0 {
        return Vec::new();
    }
    let (mut start, mut end) = (0, new_size);
    let mut ranges = Vec::new();
    while end != old_size {
        let middle = middle_of(start, end);
        if old_size <= middle {
            ranges.push((middle, end));
            end = middle;
        } else {
            ranges.push((start, middle));
            start = middle;
        }
    }
    // At the start of the tree this range is the older tree itself, whose
    // root the verifier has.
    if start != 0 {
        ranges.push((start, end));
    }
    ranges.reverse();
    ranges
}

/// Where RFC 6962 splits the leaves `start..end` (two at least): after the
/// largest power of two smaller than their number.
fn middle_of(start: u64, end: u64) -> u64 {
    start + (1_u64 << (end - start - 1).ilog2())
}

/// The root of each range, its complete subtrees read with `get`.
fn read_ranges<E>(
    ranges: &[LeafRange],
    get: &mut dyn FnMut(u8, u64) -> Result<Hash, E>,
) -> Result<Vec<Hash>, BuildFault<E>> {
    let mut proof = Vec::with_capacity(ranges.len());
    for &(start, end) in ranges {
        let hashes = complete_subtrees(start, end)
            .map(|(level, index)| get(level, index))
            .collect::<Result<Vec<_>, E>>()
            .map_err(BuildFault::Read)?;
        proof.push(fold_right_edge(&hashes));
    }
    Ok(proof)
}

/// Node (level, index) of the tree over `leaves`; only complete subtrees
/// within them are ever asked for.
fn node_of(leaves: &[Hash], level: u8, index: u64) -> Hash {
    let start = (index << level) as usize;
    let end = start + (1_usize << level);
    root_of(leaves.get(start..end).unwrap_or_default())
}
