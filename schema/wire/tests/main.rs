//! Every test of the package, in one program.

#[path = "../../game/tests/common/mod.rs"]
mod common;
mod slip_code;
mod slip_mark;
