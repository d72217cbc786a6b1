//! Why a reply cannot become a paper.

use thiserror::Error;

/// A reply that lacks what the law or the reader needs. A paper that would lack one of the six
/// facts of s. 82 is not made at all: a defective ticket is void (s. 83).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Error)]
pub enum SlipFault {
    /// There is no selection (s. 82(1)).
    #[error("the ticket has no selection")]
    NoSelections,
    /// A selection has neither numbers nor kings (s. 82(1)).
    #[error("a selection of the ticket has no numbers")]
    NoNumbers,
    /// A wager, or the price, is not above zero (s. 82(2)).
    #[error("a wager of the ticket is not above zero")]
    Wager,
    /// The wagers do not come to the price (s. 82(2)).
    #[error("the wagers of the ticket do not come to its price")]
    Total,
    /// There is no draw, or the last draw is before the first (s. 82(3)).
    #[error("the draws of the ticket are not a range")]
    Draws,
    /// The control number is not one (s. 82(4)).
    #[error("the control number is not sixteen digits with their check")]
    ControlNumber,
    /// The maximum payable per draw is not above zero (s. 82(5)).
    #[error("the maximum payable per draw is not above zero")]
    Cap,
    /// There is no last day to claim (s. 82(6)).
    #[error("the deadline for claim is missing")]
    ClaimBy,
    /// The code for the QR is not a claim code of this ticket and copy.
    #[error("the claim code is not the one of this ticket and copy")]
    ClaimCode,
}

impl SlipFault {
    /// Stable name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoSelections => "no_selections",
            Self::NoNumbers => "no_numbers",
            Self::Wager => "wager",
            Self::Total => "total",
            Self::Draws => "draws",
            Self::ControlNumber => "control_number",
            Self::Cap => "cap",
            Self::ClaimBy => "claim_by",
            Self::ClaimCode => "claim_code",
        }
    }
}
