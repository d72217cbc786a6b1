//! Every test of the package, in one program.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test's failure is its own report"
)]

#[path = "../../game/tests/common/mod.rs"]
mod common;
mod slip_code;
mod slip_mark;
