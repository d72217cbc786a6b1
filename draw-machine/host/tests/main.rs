//! Every test of the package, in one program.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test's failure is its own report"
)]

mod ball_line;
mod beacon;
mod common;
mod goldens_help;
mod hosts;
mod strangers;
mod strangers_on_the_line;
