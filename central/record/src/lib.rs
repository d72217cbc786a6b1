//! The record: the one door through which every fact about money passes, the memory by which it
//! is judged, and the rows that follow from it.
//!
//! A use case hands a command to the [`sequencer`], whose single writer judges it against the
//! [`state`] in memory, appends its leaf and projects its rows in one transaction, and answers
//! after the commit. At a start [`recover`] makes that memory again from leaves, the older of them
//! spared by a signed [`snapshot`]. [`publish`] signs and anchors the head after each commit.
//!
//! It knows no use case and no reason for which one is refused: what a judge says no with is the
//! type that its caller names ([`fault::Stop`]). There is no HTTP here, and nothing here prints.

pub mod calendar;
pub mod chance;
pub mod clock;
pub mod fault;
pub mod keys;
pub mod log_tree;
pub mod numbers;
pub mod paper_code;
pub mod past_draws;
pub mod people;
pub mod project;
pub mod publish;
pub mod record;
pub mod recover;
pub mod reserve;
pub mod roles;
pub mod sequencer;
pub mod snapshot;
pub mod state;
pub mod store;
pub mod ticket;
pub mod view;

pub use fault::{Fault, Stop};
pub use record::Record;
