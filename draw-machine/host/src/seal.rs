//! What proves that the sales of a draw are closed and sealed: a checkpoint that the log's key
//! signed, whose last leaf is the one that closed the draw.

use keno_draw::holder::{Seal, SealProof};
use keno_log::checkpoint::{self, NoteFault, VerifyingKey};
use keno_log::proof::{ProofFault, verify_inclusion};
use keno_log::{DecodeFault, EventKind, Leaf};

/// A seal that the log's key vouches for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProvenSeal {
    /// The draw that it closed.
    pub draw: u64,
    /// Size and root of the log.
    pub seal: Seal,
    /// When the draw closed, UTC milliseconds, as central stamped it.
    pub closed_at_ms: i64,
}

/// Why a seal proves nothing. Closed; the order is the order of the checks.
#[derive(Debug, thiserror::Error)]
pub enum SealFault {
    /// The checkpoint is not one that the log's key signed.
    #[error("the checkpoint is not signed by the log: {0}")]
    Unsigned(NoteFault),
    /// The leaf cannot be read.
    #[error("the leaf cannot be read: {0}")]
    LeafUnreadable(DecodeFault),
    /// The leaf does not close a draw.
    #[error("the leaf does not close a draw")]
    NotAClosing,
    /// The leaf is not the last of the checkpoint.
    #[error("the leaf is not the last of the checkpoint")]
    NotTheLast,
    /// The leaf is not in the checkpoint's tree.
    #[error("the leaf is not in the log: {0}")]
    NotIncluded(ProofFault),
    /// The seal is of another draw than the one asked for.
    #[error("the seal is of draw {found}")]
    OtherDraw {
        /// The draw that it closed.
        found: u64,
    },
}

impl SealFault {
    /// Stable name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Unsigned(_) => "seal_unsigned",
            Self::LeafUnreadable(_) => "seal_leaf_unreadable",
            Self::NotAClosing => "seal_not_a_closing",
            Self::NotTheLast => "seal_not_the_last",
            Self::NotIncluded(_) => "seal_not_included",
            Self::OtherDraw { .. } => "seal_of_another_draw",
        }
    }
}

/// Judges the proof of `draw`'s seal by the log's key.
///
/// # Errors
/// The first [`SealFault`] in its order.
pub fn prove(draw: u64, proof: &SealProof, log: &VerifyingKey) -> Result<ProvenSeal, SealFault> {
    let checkpoint = checkpoint::open(&proof.checkpoint, log).map_err(SealFault::Unsigned)?;
    let leaf = Leaf::from_bytes(&proof.leaf).map_err(SealFault::LeafUnreadable)?;
    let header = &leaf.header;
    if header.kind != EventKind::DrawClosed {
        return Err(SealFault::NotAClosing);
    }
    if header.index.checked_add(1) != Some(checkpoint.size) {
        return Err(SealFault::NotTheLast);
    }
    verify_inclusion(
        &leaf.hash(),
        header.index,
        checkpoint.size,
        &proof.path,
        &checkpoint.root,
    )
    .map_err(SealFault::NotIncluded)?;
    if header.draw != draw {
        return Err(SealFault::OtherDraw { found: header.draw });
    }
    Ok(ProvenSeal {
        draw,
        seal: Seal {
            size: checkpoint.size,
            root: checkpoint.root,
        },
        closed_at_ms: header.at_ms,
    })
}
