//! Every test of the package, in one program.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test's failure is its own report"
)]

mod beacon;
mod epochs;
mod every_proof;
mod format_document;
mod leaves;
mod names;
mod notes;
mod properties;
mod reference_tree;
mod support;
mod tiles;
mod two_epochs;
