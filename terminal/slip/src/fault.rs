//! Why a reply cannot become a paper.

use thiserror::Error;

keno_game::named! {
    /// A reply that lacks what the law or the reader needs. A paper that would lack one of the six
    /// facts of s. 82 is not made at all: a defective ticket is void (s. 83).
    #[derive(Error)]
    SlipFault {
        /// There is no selection (s. 82(1)).
        #[error("the ticket has no selection")]
        NoSelections "no_selections",
        /// A selection has neither numbers nor kings (s. 82(1)).
        #[error("a selection of the ticket has no numbers")]
        NoNumbers "no_numbers",
        /// A wager, or the price, is not above zero (s. 82(2)).
        #[error("a wager of the ticket is not above zero")]
        Wager "wager",
        /// The wagers do not come to the price (s. 82(2)).
        #[error("the wagers of the ticket do not come to its price")]
        Total "total",
        /// There is no draw, or the last draw is before the first (s. 82(3)).
        #[error("the draws of the ticket are not a range")]
        Draws "draws",
        /// The control number is not one (s. 82(4)).
        #[error("the control number is not sixteen digits with their check")]
        ControlNumber "control_number",
        /// The maximum payable per draw is not above zero (s. 82(5)).
        #[error("the maximum payable per draw is not above zero")]
        Cap "cap",
        /// There is no last day to claim (s. 82(6)).
        #[error("the deadline for claim is missing")]
        ClaimBy "claim_by",
        /// The code for the QR is not a claim code of this ticket and copy.
        #[error("the claim code is not the one of this ticket and copy")]
        ClaimCode "claim_code",
    }
}
