//! A ticket, a receipt, a slip as lines and marks; pure.
//!
//! A reply of central becomes a [`Paper`]: lines that any printer can follow one by one
//! without a decision. The six facts of s. 82 are named on their lines ([`Fact`]), so that a
//! test, or a person, can ask where each one stands. French comes first and English is beside
//! or below it on every paper.
//!
//! Nothing here is longer than the paper is wide: what does not fit is wrapped between words,
//! and a word that is longer than a line is cut. Every text is first reduced to what the
//! printer's page (Windows-1252) can print, so that a house's own text can never reach a
//! printer as commands.
#![deny(clippy::float_arithmetic)]

pub mod aside;
pub mod damaged;
pub mod fault;
pub mod form;
pub mod in_doubt;
mod layout;
pub mod money;
pub mod paper;
pub mod presentation;
pub mod receipt;
mod selection;
pub mod shift_sheet;
pub mod test_page;
pub mod text;
pub mod ticket;

pub use damaged::{file_answer, file_receipt};
pub use fault::SlipFault;
pub use in_doubt::{DoubtMoney, InDoubt, in_doubt};
pub use paper::{Align, Fact, Issue, Line, Mark, Paper, Size, Span, TextLine, Width};
pub use presentation::{draws_text, presentation_receipt};
pub use receipt::{
    cancellation_receipt, lost_refund_receipt, payment_receipt, till_count_receipt,
    till_movement_receipt,
};
pub use shift_sheet::shift_sheet;
pub use test_page::test_page;
pub use ticket::ticket;
