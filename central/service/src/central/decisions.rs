//! What one person has decided of a draw, and a second has not yet: no record, and forgotten by a
//! start.

use std::collections::BTreeMap;

use keno_game::{DrawState, TubesFinding};
use parking_lot::Mutex;

/// What two people may decide of a draw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// The balls are official.
    Certify,
    /// It is interrupted: by one person, and by two once a ball was entered.
    Suspend,
    /// It goes on from its seal; no ball was entered.
    Resume,
    /// It goes on from the last ball: those before are still in the tubes.
    Complete,
    /// It is void; what was found where the rules say that it is completed.
    Void(Option<TubesFinding>),
    /// The computer draws in place of the ball machine.
    StandIn,
    /// It is held so many minutes later.
    Postpone(u16),
    /// Whoever asks takes the place of somebody who entered balls.
    Replace {
        /// Badge of who leaves.
        leaving: String,
    },
}

/// Numbers what is asked of two people, in the room and of draws. None comes twice, after a start either:
/// a page that is old must not agree to something else than it shows.
#[derive(Debug, Default)]
pub(crate) struct AskNumbers(Mutex<u64>);

impl AskNumbers {
    /// The next number: the moment, or one more than the last where that is not later. A start is never
    /// before the last leaf, and what was asked since is later than that.
    pub(crate) fn next(&self, now_ms: i64) -> u64 {
        let mut last = self.0.lock();
        *last = u64::try_from(now_ms)
            .unwrap_or(0)
            .max(last.saturating_add(1));
        *last
    }
}

/// A decision that waits for a second person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// Its number, by which it can be agreed to.
    pub number: u64,
    /// What was decided.
    pub decision: Decision,
    /// Why, in words.
    pub reason: String,
    /// Badge of who asked first.
    pub by: String,
}

/// A decision that waits is over after so long: whoever asked has seen another hall.
pub(crate) const WAITS_MS: i64 = 5 * 60_000;

/// What waits, and of which draw it was asked: as it stood then, and until when.
#[derive(Debug)]
pub(crate) struct Asked {
    /// What was asked.
    pub(crate) waiting: Waiting,
    /// The draw's state then.
    pub(crate) state: DrawState,
    /// Until when, by the clock that nobody sets.
    pub(crate) until_ms: i64,
}

/// What waits, by draw.
pub(crate) type Decisions = Mutex<BTreeMap<u64, Asked>>;
