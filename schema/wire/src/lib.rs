//! What travels between the programs of a house: requests, replies, problems and the codes on
//! tickets and slips. JSON under `/api/v1`; money is in integer cents, times are UTC milliseconds
//! since 1970, business days are `yyyy-mm-dd`. Unknown fields are refused, so that a misspelt field
//! is an answer and never a silent default.

#[macro_use]
mod shape;

pub mod amendment;
pub mod badge_card;
pub mod claim_code;
pub mod coded;
pub mod counter;
pub mod damaged;
pub mod desk;
mod discreet;
pub mod enrolment;
pub mod people;
pub mod problem;
pub mod reply;
pub mod request;
pub mod room;
pub mod slip;
pub mod slip_code;
pub mod trust;
pub mod version;
pub mod wall;

pub use claim_code::{ClaimCode, ClaimCodeFault, PaperCode};
pub use problem::Problem;
pub use slip_code::{SlipCode, SlipCodeRefusal};
pub use version::Version;
