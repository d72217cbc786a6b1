//! Every test of the package, in one program.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test's failure is its own report"
)]

#[path = "../../../schema/game/tests/common/mod.rs"]
mod common;
mod form;
#[allow(dead_code, reason = "only the texts of a house are used here")]
#[path = "support/generated.rs"]
mod generated;
mod goldens_forms;
mod never_wider;
mod presentation;
mod shift_sheet;
mod support;
mod wording;
