//! The use cases of central and the one door through which every fact about money passes.
//!
//! A use case prepares its command on the caller's thread (validation, pricing, encoding,
//! hashing), and hands it to the [`sequencer`], whose single writer judges it against the state
//! in memory, appends its leaf and projects its rows in one transaction, and answers after the
//! commit. There is no HTTP here, and nothing here prints.
//!
//! Three kinds of error: a [`refusal::Refusal`] is the rules saying no, in both languages; a
//! [`fault::Fault`] is something that broke, logged once where it is handled; both are closed
//! lists.

pub mod acting;
pub mod amend;
pub mod authority;
pub mod bounds;
pub mod break_glass;
pub mod central;
pub mod check;
pub mod claim;
pub mod conductor;
pub mod damaged;
pub mod deadline;
pub mod doubt;
pub mod draws;
pub mod epoch;
pub mod guard;
pub mod hand_over;
pub mod house;
pub mod identity;
pub mod lost;
pub mod maintenance;
pub mod new_pin;
pub mod patron;
pub mod pay;
pub mod people;
pub mod pins;
pub mod refusal;
pub mod rules;
pub mod sell;
pub mod sessions;
pub mod settle;
pub mod staff;
pub mod till;
pub mod wall;
pub mod withdraw;

pub use central::Central;
pub use keno_record::fault::Fault;
pub use refusal::{Refusal, Stop};
