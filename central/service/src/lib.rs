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
//! these names are a use case, what it is asked and what it answers: an operation of the table has
//! one of each. The steps of a draw and what they are made of are there for tests and benches, which
//! take them one by one as the conductor does.

pub mod access;
pub mod authority;
pub mod bounds;
pub mod central;
pub mod counter;
pub mod draw;
pub mod house;
pub mod maintenance;
pub mod refusal;
pub mod staff;

pub use central::{Central, house_file};
pub use keno_record::fault::Fault;
pub use refusal::{Refusal, Stop};
