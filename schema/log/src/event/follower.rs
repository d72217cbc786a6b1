//! Facts of the follower: a program beside the house that has its own copy of the log, and computes each
//! finished draw again.

use crate::encode::record;
use crate::hash::Hash;

record! {
    /// Two people say who follows the log, from its first entry on.
    FollowerBegan {
        /// Verifier key of the follower, C2SP text form.
        key: String,
        /// Chosen by chance when it began its copy.
        began: Hash,
        /// Its signature line.
        signature: String,
        /// Badge code.
        by: String,
        /// Badge of the second person.
        second: String,
    }
}

record! {
    /// The follower has computed a finished draw.
    DrawFollowed {
        /// Draw number.
        draw: u64,
        /// What it found wrong first, by the name of `RULES.md`; empty where it agrees.
        finding: String,
        /// The entry in which that is, if it is in one.
        entry: Option<u64>,
        /// Its signature line.
        signature: String,
    }
}

record! {
    /// Two people open the payouts of a draw for which the second computation is still out, or
    /// differed.
    PayoutsOpened {
        /// Draw number.
        draw: u64,
        /// Why, in words.
        reason: String,
        /// Badge code.
        by: String,
        /// Badge of the second person.
        second: String,
    }
}
