//! What central and the follower of its log say to each other ([docs/follower.md]).
//!
//! [docs/follower.md]: ../../../docs/follower.md

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::Bounds;
use crate::frame::Hex32;
use crate::server::{MayRefuse, Refused};

/// Most bytes of entries that are handed over in one ask, but for one entry that is longer.
pub const ENTRIES_BYTES: usize = 2 * 1024 * 1024;
/// Most draws that are asked for at once.
pub const DRAWS_MAX: usize = 64;

/// What the line has room and time for: entries as base64, and as long as it takes to compute a draw
/// of a million tickets. Nobody waits for an answer but who feeds the follower.
pub const BOUNDS: Bounds = Bounds {
    line_bytes: 96 * 1024 * 1024,
    within: Duration::from_secs(60),
};

/// What central asks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case", deny_unknown_fields)]
pub enum Ask {
    /// How far it has come, and since when it follows.
    State,
    /// To go on, and what it says of draws.
    Follow(Box<More>),
}

/// More of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct More {
    /// The place of the first entry: as many as the follower has.
    pub from: u64,
    /// Entries as they stand in an export (`FORMAT.md`, "Export"), in base64.
    pub entries: String,
    /// A checkpoint that the log signed, at the size after these entries or later.
    pub checkpoint: String,
    /// The proof that the tree after these entries is the beginning of that one (RFC 9162, 2.1.4).
    pub consistency: Vec<Hex32>,
    /// Draws of which it is asked what it says.
    pub draws: Vec<u64>,
}

/// What the follower says of a draw.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfDraw {
    /// The draw.
    pub draw: u64,
    /// What is wrong first, by its name; empty where it agrees.
    pub finding: String,
    /// The entry in which that is.
    pub entry: Option<u64>,
    /// Its signature line.
    pub signature: String,
}

/// What the follower answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Answer {
    /// How far it has come.
    State {
        /// Entries that it has.
        size: u64,
        /// Chosen by chance when it began.
        began: Hex32,
        /// Its signature line under that.
        signature: String,
        /// Things that it found wrong, in the whole log.
        findings: usize,
    },
    /// It has gone on.
    Followed {
        /// Entries that it has on its disk by now.
        size: u64,
        /// Its cosignature line (C2SP tlog-cosignature), where that is the checkpoint's size.
        cosignature: Option<String>,
        /// Of the draws that were asked for, those of which it says something.
        draws: Vec<OfDraw>,
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
