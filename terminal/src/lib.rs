//! The edge agent of a counter: sale, check, payment, paper.
//!
//! - [`agent`]: the commands; each is journaled before it is sent.
//! - [`told`]: what a person is told and asked meanwhile.
//! - [`journal`]: the terminal's own append-only journal.
//! - [`central`]: requests by HTTP, and what the absence of an answer means.
//! - [`printer`]: a paper becomes bytes, goes to a printer, and the outcome has a name.
//! - [`serve`]: the long-lived agent, with its pages on loopback.
//! - [`witness`]: the newest checkpoint of central's log, and the refusal of one that was rewritten.
//! - [`scanner`]: what a scanner reads, by three ways, and what it means.
//! - [`trust`]: the device's key and certificate, and the house's authority.
//! - [`enrolment`]: how they come, are renewed, and pass to a new key.
//! - [`virtual_printer`]: an independent reading of those bytes, as an image in a window.

pub mod agent;
pub mod bundle;
pub mod central;
mod central_log;
pub mod chance;
pub mod cli;
pub mod clock;
pub mod config;
pub mod enrolment;
pub mod exit;
pub mod journal;
mod kept;
pub mod printer;
pub mod scanner;
pub mod serve;
pub mod slip_file;
pub mod told;
pub mod trust;
pub mod virtual_printer;
pub mod witness;
