//! The use cases of central: what is done at a counter, with a draw, by the staff, for the house,
//! and to look after the record.
//!
//! A use case is a function that takes [`Central`] and what was asked, or a method of what was
//! asked: of an order, a paper, a draw, somebody who signs. It prepares its command on the caller's
//! thread (validation, pricing, encoding, hashing), and hands it to the record's sequencer, whose
//! single writer judges it against the state in memory, appends its leaf and projects its rows in
//! one transaction, and answers after the commit. There is no HTTP here, and nothing here prints.
//!
//! Three kinds of error: a [`Refusal`] is the rules saying no, in both languages; a [`Fault`] is
//! something that broke, logged once where it is handled; both are closed lists. A [`Stop`] is
//! either.
//!
//! What stands in a folder's `pub use` is for whoever is outside; the rooms inside are not. Most of
//! these names are what a use case is asked or what it answers; the use case itself is a method of
//! the one or the other. What is done about somebody or about a device is a method of
//! [`staff::Badge`] or [`staff::DeviceNumber`]. The steps of a draw, methods of [`draw::Draw`], are
//! there for tests and benches too, which take them one by one as the conductor does.

pub mod access;
pub mod authority;
pub mod bounds;
pub mod central;
pub mod counter;
pub mod draw;
mod follower;
pub mod house;
pub mod maintenance;
pub mod refusal;
pub mod staff;

pub use central::{Central, house_file};
pub use keno_record::fault::Fault;
pub use refusal::{Refusal, Stop};
