//! The one hash of the log: SHA-256 with the prefixes of RFC 6962, section 2.1.
//!
//! A leaf and a node hash under different prefixes, so that no node can be
//! passed off as a leaf nor a leaf as a node.

use sha2::{Digest, Sha256};

/// A SHA-256 digest: a leaf's hash, a node's hash or a root.
pub type Hash = [u8; 32];

/// Bytes in a [`type@Hash`].
pub const HASH_BYTES: usize = 32;

/// The root of a tree without leaves: SHA-256 of the empty string (RFC 6962, 2.1).
pub const EMPTY_ROOT: Hash = [
    0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4, 0xc8, 0x99, 0x6f, 0xb9, 0x24,
    0x27, 0xae, 0x41, 0xe4, 0x64, 0x9b, 0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52, 0xb8, 0x55,
];

/// Prefix of a leaf's bytes (RFC 6962, 2.1).
const LEAF_PREFIX: [u8; 1] = [0x00];

/// Prefix of a node's two children (RFC 6962, 2.1).
const NODE_PREFIX: [u8; 1] = [0x01];

/// Plain SHA-256 of `bytes`.
#[must_use]
pub fn sha256(bytes: &[u8]) -> Hash {
    Sha256::digest(bytes).into()
}

/// The hash of a leaf: SHA-256(0x00 ‖ `leaf`).
#[must_use]
pub fn leaf_hash(leaf: &[u8]) -> Hash {
    let mut hasher = Sha256::new();
    hasher.update(LEAF_PREFIX);
    hasher.update(leaf);
    hasher.finalize().into()
}

/// The hash of a node over its two children: SHA-256(0x01 ‖ `left` ‖ `right`).
#[must_use]
pub fn node_hash(left: &Hash, right: &Hash) -> Hash {
    let mut hasher = Sha256::new();
    hasher.update(NODE_PREFIX);
    hasher.update(left);
    hasher.update(right);
    hasher.finalize().into()
}
