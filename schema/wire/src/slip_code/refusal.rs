//! Why a code of a slip is not taken.

use thiserror::Error;

/// Why a code of a slip is not taken. Closed and ordered: the first that applies is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SlipCodeRefusal {
    /// Not the code of a slip, torn, or with a character that none has.
    #[error("not a whole code of a slip")]
    Unreadable,
    /// Of a version of the code that this program does not know.
    #[error("a code of a slip of another format")]
    OtherFormat,
    /// The check is wrong: a character was misread.
    #[error("the check of the slip's code is wrong")]
    CheckWrong,
    /// Made for another pool.
    #[error("a slip for {slip} numbers, where {house} are played")]
    OtherPool {
        /// Numbers of the slip's pool.
        slip: u8,
        /// Numbers of the house's.
        house: u8,
    },
    /// Made under a version of the rules that is not in force yet, or was never published.
    #[error("a slip of version {slip}; version {in_force} is in force")]
    VersionUnknown {
        /// Version on the slip.
        slip: u32,
        /// Version in force.
        in_force: u32,
    },
    /// Made under an earlier version of the rules, and what it shows has changed since.
    #[error("a slip of version {slip}, withdrawn; version {in_force} is in force")]
    VersionWithdrawn {
        /// Version on the slip.
        slip: u32,
        /// Version in force.
        in_force: u32,
    },
    /// For a game that the rule book does not have.
    #[error("a slip for a game that the rule book does not have")]
    GameUnknown,
    /// Of the version in force by its number, and yet made under other rules: another house's.
    #[error("a slip of another rule book of version {version}")]
    OtherRules {
        /// Version on the slip and in force.
        version: u32,
    },
}

impl SlipCodeRefusal {
    /// Stable name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unreadable => "slip_code_unreadable",
            Self::OtherFormat => "slip_code_other_format",
            Self::CheckWrong => "slip_code_check_wrong",
            Self::OtherPool { .. } => "slip_code_other_pool",
            Self::VersionUnknown { .. } => "slip_version_unknown",
            Self::VersionWithdrawn { .. } => "slip_version_withdrawn",
            Self::OtherRules { .. } => "slip_of_other_rules",
            Self::GameUnknown => "slip_game_unknown",
        }
    }
}

// What it is and what to do next.
keno_words::says! { SlipCodeRefusal: slip_code {
    Unreadable,
    OtherFormat,
    CheckWrong,
    OtherPool { slip, house },
    VersionUnknown { slip, in_force },
    VersionWithdrawn { slip, in_force },
    GameUnknown,
    OtherRules { version },
} }
