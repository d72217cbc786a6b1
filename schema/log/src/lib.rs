//! The game log: leaf bytes, tree, proofs and signed checkpoints.
//!
//! This crate is the ground floor of the record: pure functions over bytes, without a clock, a
//! file, a random source or a database. `FORMAT.md` beside it says every byte; its golden
//! vectors are tests. Anything that can be said about money in a Boulier house is one
//! [`Event`], and every event becomes one leaf of an RFC 6962 Merkle tree.

/// Declares why something is refused: each fault with its stable name and its sentence.
macro_rules! faults {
    ($(#[$about:meta])* $kind:ident {
        $($(#[$what:meta])* $fault:ident $name:literal: $sentence:literal,)*
    }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, thiserror::Error)]
        pub enum $kind {
            $($(#[$what])* #[error($sentence)] $fault,)*
        }

        impl $kind {
            /// The stable name of this fault.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$fault => $name,)*
                }
            }
        }
    };
}

pub mod access;
pub mod beacon;
pub mod checkpoint;
pub mod encode;
pub mod epoch;
pub mod event;
pub mod export;
pub mod follower;
pub mod hash;
pub mod leaf;
pub mod proof;
pub mod tile;
pub mod tree;

pub use encode::DecodeFault;
pub use event::{CommandKey, Event, EventKind, RetiredKind};
pub use hash::Hash;
pub use leaf::{Leaf, LeafHeader};
