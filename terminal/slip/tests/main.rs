//! Every test of the package, in one program.

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
