//! Every test of the package, in one program.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test's failure is its own report"
)]

mod amendment;
mod below_floor;
mod book_limits;
mod counter;
mod named_set;
mod rules_file;
mod slip_sentence;
