//! Every test of the package, in one program.

mod faults;
#[path = "../patch.rs"]
mod patch;
mod patches;
