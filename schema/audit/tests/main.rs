//! Every test of the package, in one program.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test's failure is its own report"
)]

mod byte_flips;
mod command_line;
mod compare;
mod draw_vectors;
mod extremes;
mod follow;
mod follow_program;
mod goldens_help;
mod meaning;
mod planted_faults;
mod support;
mod two_epochs;
#[path = "../../log/tests/support/two_epochs.rs"]
mod vectors_of_two_epochs;
mod whole_log;
