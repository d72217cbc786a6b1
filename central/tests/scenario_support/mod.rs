//! What runs a scenario: a text table whose lines are people with a role at a device, asking
//! central over HTTP, each with the outcome that is expected as the last words of its line.
//!
//! `scenarios/README.md` says the words. Only time and faults come from outside HTTP.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "support code of tests, whose failures are the test's"
)]

mod certificate;
pub mod clock;
mod counter;
mod desk;
pub mod door;
pub mod faults;
pub mod house;
mod office;
pub mod outcome;
mod room;
pub mod runner;
pub mod slip;
pub mod table;
pub mod words;
