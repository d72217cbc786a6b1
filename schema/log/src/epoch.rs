//! Whether a newer checkpoint continues one that was kept: in the same epoch, or in a later one
//! that says what it lost (`FORMAT.md`, "Epochs").
//!
//! Pure: whoever kept a checkpoint asks the log for what is needed, and judges it here.

use thiserror::Error;

use crate::Event;
use crate::checkpoint::Checkpoint;
use crate::event::EpochOpened;
use crate::hash::Hash;
use crate::leaf::{Entry, EntryFault, Leaf};
use crate::proof::{ProofFault, verify_consistency, verify_inclusion};

/// The leaf that opened an epoch, with what ties it to the newer checkpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EpochEvidence {
    /// The leaf (62 bytes) as `/log/entries/{index}` shows it.
    pub leaf: Vec<u8>,
    /// Its nonce.
    pub nonce: Hash,
    /// Its body.
    pub body: Vec<u8>,
    /// Inclusion of the leaf in the newer tree (`/log/inclusion/{index}?size=`).
    pub inclusion: Vec<Hash>,
    /// Consistency of the tree before the leaf with the newer one
    /// (`/log/consistency?from={index}&to=`).
    pub consistency: Vec<Hash>,
}

/// How the newer checkpoint continues the one that was kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Continuity {
    /// Everything that was kept is in it.
    Consistent,
    /// Everything that was kept is in it, and a restore lost what came later.
    NewEpoch(EpochOpened),
    /// What was kept is of the part that a restore lost, and the house says so: a person must hear
    /// of it.
    Lost(EpochOpened),
}

/// Why the newer checkpoint is not to be believed. Ordered: the first that applies is reported.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ContinuityFault {
    /// The newer origin is not one of this house, or not one of any epoch.
    #[error("the origin {0} is of another log")]
    OtherLog(String),
    /// The newer checkpoint is of an earlier epoch.
    #[error("the log went back from epoch {kept} to epoch {newer}")]
    EpochBackwards {
        /// Epoch of what was kept.
        kept: u32,
        /// Epoch of the newer one.
        newer: u32,
    },
    /// No consistency could be shown in one epoch, or with what a new one goes on from.
    #[error("the log was rewritten: what was kept is not its beginning")]
    Inconsistent(#[source] ProofFault),
    /// The leaf that ended the kept epoch was not shown.
    #[error("the leaf that ended epoch {0} was not shown")]
    EvidenceMissing(u32),
    /// The leaf that was shown cannot be read, or is another.
    #[error("the leaf that was shown did not end epoch {0}")]
    NotThatEpoch(u32),
    /// The leaf's body is not what the leaf commits to.
    #[error("the body of the leaf is not its own")]
    Body(#[source] EntryFault),
    /// The leaf is not in the newer tree.
    #[error("the leaf is not in the log")]
    NotIncluded(#[source] ProofFault),
    /// The leaf does not go on from where it stands.
    #[error("the epoch does not go on from where it stands")]
    OtherPast,
    /// More was kept than the house says it lost, or another log.
    #[error("the house says that it lost {lost} leaves, and {kept} were kept, or others")]
    LossDenied {
        /// Leaves that were kept.
        kept: u64,
        /// Leaves that the leaf admits.
        lost: u64,
    },
}

/// The epoch of an origin: `FIRST` is 1, `FIRST/N` is N from 2 on.
#[must_use]
pub fn epoch_of(origin: &str, first: &str) -> Option<u32> {
    let rest = origin.strip_prefix(first)?;
    if rest.is_empty() {
        return Some(1);
    }
    let text = rest.strip_prefix('/')?;
    let epoch: u32 = text.parse().ok()?;
    (epoch >= 2 && epoch.to_string() == text).then_some(epoch)
}

/// Judges whether `newer` continues `kept`; both signatures were verified before. `first_origin`
/// is `boulier/HOUSE`, the name of the house's log key.
///
/// `consistency` is the proof from `kept` to `newer`; it is not looked at when what was kept is
/// lost, and there is none when `newer` is smaller, as it may be after a restore. `evidence` is that of the first epoch after the kept one, whenever the origins differ.
///
/// # Errors
/// The first [`ContinuityFault`] that applies: the newer checkpoint is not taken, and a person
/// hears of it.
pub fn consistent_or_new_epoch(
    first_origin: &str,
    kept: &Checkpoint,
    newer: &Checkpoint,
    consistency: &[Hash],
    evidence: Option<&EpochEvidence>,
) -> Result<Continuity, ContinuityFault> {
    let epoch = |checkpoint: &Checkpoint| {
        epoch_of(&checkpoint.origin, first_origin)
            .ok_or_else(|| ContinuityFault::OtherLog(checkpoint.origin.clone()))
    };
    let (kept_epoch, newer_epoch) = (epoch(kept)?, epoch(newer)?);
    if newer_epoch < kept_epoch {
        return Err(ContinuityFault::EpochBackwards {
            kept: kept_epoch,
            newer: newer_epoch,
        });
    }
    let is_beginning = || {
        verify_consistency(kept.size, newer.size, &kept.root, &newer.root, consistency)
            .map_err(ContinuityFault::Inconsistent)
    };
    if newer_epoch == kept_epoch {
        is_beginning()?;
        return Ok(Continuity::Consistent);
    }
    let evidence = evidence.ok_or(ContinuityFault::EvidenceMissing(kept_epoch))?;
    let opened = proven_epoch(evidence, (kept_epoch, newer_epoch), newer)?;
    if kept.size <= opened.continues_size {
        is_beginning()?;
        return Ok(Continuity::NewEpoch(opened));
    }
    let is_admitted = opened.lost_size > kept.size
        || (opened.lost_size, opened.lost_root) == (kept.size, kept.root);
    if !is_admitted {
        return Err(ContinuityFault::LossDenied {
            kept: kept.size,
            lost: opened.lost_size,
        });
    }
    Ok(Continuity::Lost(opened))
}

/// The fact that opened an epoch after the first of `epochs` and up to the second, once it is
/// proven to stand in the newer tree where it says, on the tree that it says.
fn proven_epoch(
    evidence: &EpochEvidence,
    epochs: (u32, u32),
    newer: &Checkpoint,
) -> Result<EpochOpened, ContinuityFault> {
    let other = ContinuityFault::NotThatEpoch(epochs.0);
    let Ok(leaf) = Leaf::from_bytes(&evidence.leaf) else {
        return Err(other);
    };
    let index = leaf.header.index;
    let leaf_hash = leaf.hash();
    let entry = Entry {
        leaf,
        nonce: evidence.nonce,
        body: evidence.body.clone(),
    };
    let Event::EpochOpened(opened) = entry.event().map_err(ContinuityFault::Body)? else {
        return Err(other);
    };
    if opened.epoch <= epochs.0 || opened.epoch > epochs.1 {
        return Err(other);
    }
    verify_inclusion(
        &leaf_hash,
        index,
        newer.size,
        &evidence.inclusion,
        &newer.root,
    )
    .map_err(ContinuityFault::NotIncluded)?;
    if opened.continues_size != index {
        return Err(ContinuityFault::OtherPast);
    }
    verify_consistency(
        index,
        newer.size,
        &opened.continues_root,
        &newer.root,
        &evidence.consistency,
    )
    .map_err(|_| ContinuityFault::OtherPast)?;
    Ok(opened)
}
