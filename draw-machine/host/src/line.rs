//! Asks and answers: a line of JSON each (`LINE.md`). Hashes, secrets and leaves are in lower-case
//! hexadecimal.

use std::time::Duration;

use keno_draw::holder::SealProof;
use keno_line::Bounds;
use keno_line::frame::Hex32;
use keno_line::server::{MayRefuse, Refused};
use serde::{Deserialize, Serialize};

/// What the line has room and time for: a proof has at most 64 hashes, a checkpoint a few hundred
/// bytes. The closing of the next draw waits behind an answer.
pub const BOUNDS: Bounds = Bounds {
    line_bytes: 64 * 1024,
    within: Duration::from_secs(2),
};

/// The same at the host's end: a stranger that says nothing is cut off after it.
pub const HOST_BOUNDS: Bounds = Bounds {
    within: Duration::from_secs(5),
    ..BOUNDS
};

/// What proves a seal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proof {
    /// The signed checkpoint.
    pub checkpoint: String,
    /// The leaf that closed the draw, in hexadecimal.
    pub leaf: String,
    /// Its inclusion proof.
    pub path: Vec<Hex32>,
}

impl From<&SealProof> for Proof {
    fn from(proof: &SealProof) -> Self {
        Self {
            checkpoint: proof.checkpoint.clone(),
            leaf: hex::encode(&proof.leaf),
            path: proof.path.iter().copied().map(Hex32).collect(),
        }
    }
}

impl TryFrom<Proof> for SealProof {
    type Error = hex::FromHexError;

    fn try_from(proof: Proof) -> Result<Self, Self::Error> {
        Ok(Self {
            checkpoint: proof.checkpoint,
            leaf: hex::decode(proof.leaf)?,
            path: proof.path.into_iter().map(|hash| hash.0).collect(),
        })
    }
}

/// A holder of the draw with what it gave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Given {
    /// Name of the holder.
    pub name: String,
    /// What it committed to.
    pub commitment: Hex32,
    /// Its secret.
    pub secret: Hex32,
    /// Its signature line for this seal.
    pub signature: String,
}

/// What central asks a machine for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Order {
    /// The draw.
    pub draw: u64,
    /// What proves its seal.
    pub proof: Proof,
    /// Hash of the rule book that it is drawn by.
    pub rule_book_hash: Hex32,
    /// Balls in the pool.
    pub pool_size: u8,
    /// Balls to draw.
    pub drawn: u8,
    /// Holders in the order of the derivation.
    pub holders: Vec<Given>,
}

/// What central asks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case", deny_unknown_fields)]
pub enum Ask {
    /// Whether the host is at work, and as what.
    State,
    /// Of a holder: the commitment for a draw.
    Commit {
        /// The draw.
        draw: u64,
    },
    /// Of a holder: the secret of a draw that is sealed.
    Reveal {
        /// The draw.
        draw: u64,
        /// What proves its seal.
        proof: Proof,
    },
    /// Of a holder: the secret of a draw that is void.
    PublishVoid {
        /// The draw.
        draw: u64,
    },
    /// Of a machine: the balls of a draw that is sealed.
    Draw(Order),
}

/// What a host answers. A draw is answered by a line for each ball and one when it is done; each
/// other ask by one line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Answer {
    /// It is at work.
    State {
        /// `machine` or `holder`.
        part: String,
        /// Whose secrets it holds; the host of a machine.
        name: String,
        /// Draws on record.
        draws: u64,
        /// Whether it can make new secrets; a machine always is.
        healthy: bool,
    },
    /// A commitment.
    Commitment(Hex32),
    /// A secret, with the signature line for the seal that it was given for.
    Secret {
        /// The secret.
        secret: Hex32,
        /// The signature line.
        signature: String,
    },
    /// The secret of a void draw.
    VoidSecret(Hex32),
    /// A ball.
    Ball {
        /// Place in the order, from 1.
        position: u8,
        /// The number.
        number: u8,
    },
    /// All balls were given.
    Drawn {
        /// The machine's signature line.
        signature: String,
    },
    /// No.
    Refused(Refused),
}

impl From<Refused> for Answer {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused)
    }
}

impl MayRefuse for Answer {
    fn refusal(&self) -> Option<&Refused> {
        match self {
            Self::Refused(refused) => Some(refused),
            _ => None,
        }
    }
}
