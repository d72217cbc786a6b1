//! The tree of RFC 6962, section 2.1: its root by definition, and the right
//! edge, which is all that is needed to append a leaf and to know the root.
//!
//! A *node* is named by its level and its index: node (level, index) is the
//! root of the complete subtree over the leaves
//! `index * 2^level .. (index + 1) * 2^level`. Level 0 are the leaf hashes.
//! Such a node never changes once its last leaf is in.

use crate::hash::{EMPTY_ROOT, HASH_BYTES, Hash, node_hash};

/// The largest tree that [`Edge::from_bytes`] accepts: sizes are stored as
/// `BIGINT`, and below this bound no count in this crate can overflow.
pub const TREE_SIZE_MAX: u64 = i64::MAX as u64;

/// Bytes of the size at the head of an edge's bytes.
const SIZE_BYTES: usize = 8;

/// The right edge of a tree: the roots of its complete subtrees, largest
/// (leftmost) first, one for each bit set in the size.
///
/// Two trees of equal size with equal edges have equal roots, and every later
/// root follows from the edge and the leaves appended since.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Edge {
    size: u64,
    hashes: Vec<Hash>,
}

faults! {
    /// Why bytes are not an [`Edge`].
    EdgeFault {
        /// Shorter than the eight bytes of the size.
        TooShort "too_short": "the edge is shorter than its size field",
        /// The size is above [`TREE_SIZE_MAX`].
        SizeTooLarge "size_too_large": "the edge's size is above the largest tree",
        /// The hashes are not one for each bit set in the size.
        WrongLength "wrong_length": "the edge's length does not fit its size",
    }
}

impl Edge {
    /// The edge of the tree without leaves.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            size: 0,
            hashes: Vec::new(),
        }
    }

    /// The edge of the tree's first `size` leaves, its nodes read with `get`.
    ///
    /// `get(level, index)` answers the hash of a node, as described in this
    /// module; only complete subtrees within `size` are asked for.
    ///
    /// # Errors
    /// What `get` answers.
    pub fn read<E>(size: u64, get: &mut dyn FnMut(u8, u64) -> Result<Hash, E>) -> Result<Self, E> {
        let hashes = complete_subtrees(0, size)
            .map(|(level, index)| get(level, index))
            .collect::<Result<Vec<_>, E>>()?;
        Ok(Self { size, hashes })
    }

    /// Number of leaves.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// The roots of the complete subtrees, largest first.
    #[must_use]
    pub fn hashes(&self) -> &[Hash] {
        &self.hashes
    }

    /// Appends one leaf by its hash ([`crate::hash::leaf_hash`] of its bytes).
    pub fn append(&mut self, leaf: Hash) {
        let mut hash = leaf;
        // Each low bit set in the size is a complete subtree of the same
        // height as what we carry: the two become one of the next height.
        let mut carry = self.size;
        while carry & 1 == 1 {
            let Some(left) = self.hashes.pop() else { break };
            hash = node_hash(&left, &hash);
            carry >>= 1;
        }
        self.hashes.push(hash);
        self.size += 1;
    }

    /// The root of the tree (RFC 6962, 2.1).
    #[must_use]
    pub fn root(&self) -> Hash {
        fold_right_edge(&self.hashes)
    }

    /// The edge as bytes: the size as a big-endian `u64`, then the hashes,
    /// largest subtree first, 32 bytes each.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(SIZE_BYTES + self.hashes.len() * HASH_BYTES);
        bytes.extend_from_slice(&self.size.to_be_bytes());
        for hash in &self.hashes {
            bytes.extend_from_slice(hash);
        }
        bytes
    }

    /// Reads what [`Edge::to_bytes`] wrote; nothing else is accepted.
    ///
    /// # Errors
    /// An [`EdgeFault`] if the bytes are not exactly an edge.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, EdgeFault> {
        let (size_bytes, hash_bytes) = bytes
            .split_first_chunk::<SIZE_BYTES>()
            .ok_or(EdgeFault::TooShort)?;
        let size = u64::from_be_bytes(*size_bytes);
        if size > TREE_SIZE_MAX {
            return Err(EdgeFault::SizeTooLarge);
        }
        let (hashes, rest) = hash_bytes.as_chunks::<HASH_BYTES>();
        if !rest.is_empty() || hashes.len() as u64 != u64::from(size.count_ones()) {
            return Err(EdgeFault::WrongLength);
        }
        Ok(Self {
            size,
            hashes: hashes.to_vec(),
        })
    }
}

/// The root of a tree over `leaves` (leaf hashes), straight from the
/// definition in RFC 6962, section 2.1. It shares no arithmetic with [`Edge`],
/// so that each checks the other.
#[must_use]
pub fn root_of(leaves: &[Hash]) -> Hash {
    match leaves {
        [] => EMPTY_ROOT,
        [leaf] => *leaf,
        _ => {
            // The largest power of two smaller than the number of leaves.
            let split = 1_usize << (leaves.len() - 1).ilog2();
            let (left, right) = leaves.split_at(split);
            node_hash(&root_of(left), &root_of(right))
        }
    }
}

/// The nodes (level, index) of the complete subtrees that tile the leaves
/// `start..end`, left to right. `start` must be 0 or the left end of a subtree
/// in the sense of RFC 6962 (a multiple of the smallest power of two that is
/// not below `end - start`).
pub(crate) fn complete_subtrees(start: u64, end: u64) -> impl Iterator<Item = (u8, u64)> {
    let mut next = start;
    std::iter::from_fn(move || {
        let level = end.checked_sub(next)?.checked_ilog2()?;
        let index = next >> level;
        next += 1_u64 << level;
        // ilog2 of a u64 is at most 63.
        Some((level as u8, index))
    })
}

/// The root over complete subtrees, largest first: folded from the right.
pub(crate) fn fold_right_edge(hashes: &[Hash]) -> Hash {
    let mut from_right = hashes.iter().rev();
    match from_right.next() {
        None => EMPTY_ROOT,
        Some(last) => from_right.fold(*last, |right, left| node_hash(left, &right)),
    }
}
