//! Every test of the package, in one program.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test's failure is its own report"
)]

mod common;
mod meaning;
mod returns;
mod rule_book;
mod selection_text;
mod settle;
mod slip;
mod ways;
