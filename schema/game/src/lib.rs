//! The rules of Keno: pure, exact, without a clock, a file or a random source.
//!
//! Money is whole cents, probabilities are whole fractions, and what the world
//! must supply (chance, time, a published rule book) comes in as an argument.
//! Section numbers such as `s. 82(4)` are those of the By-law respecting casino
//! games, S-13.1, r. 3 (ss. 75-86).
#![deny(clippy::float_arithmetic)]

pub mod ball;
pub mod bet;
pub mod cents;
pub mod control_number;
pub mod draw;
pub mod drawn;
pub mod numbered;
pub mod paytable;
pub mod returns;
mod rule_check;
pub mod rules;
pub mod selection;
pub mod settle;
pub mod slip;
pub mod ticket;
pub mod ways;

pub use ball::{BallError, BallSet, Pool, PoolError};
pub use bet::SelectionType;
pub use cents::{Cents, CentsOverflow, CentsTextError};
pub use control_number::{ControlNumber, ControlNumberError};
pub use draw::{DrawState, DrawStep, StepRefused};
pub use drawn::{Drawn, DrawnError};
pub use numbered::{DrawSource, Intake, PaidKind, PrintMeans, TillMovementKind, TubesFinding};
pub use paytable::{PayTable, PayTableError, Pays, PaysError};
pub use returns::{Carried, CarriedWager, Certificate, CertificateLine, Fraction};
pub use rule_check::{RuleFault, RuleFaultCode};
pub use rules::{
    Claim, ConfirmThresholds, Damaged, Game, Limits, PayoutThresholds, RuleBook, SpotsAllowed,
    Tender, WagerLimits,
};
pub use selection::{Conditioning, Selection, letter as selection_letter};
pub use settle::{
    Factors, PackedLine, PackedStraight, PackedWay, PrizeTotals, SettleFault, TicketPrize,
};
pub use slip::{
    ConditioningAsked, Pick, Priced, Slip, SlipDetail, SlipRefusal, SlipRefusalCode, SlipSelection,
};
pub use ticket::TicketState;
pub use ways::WayError;
