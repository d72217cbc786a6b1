//! Every test of the package, in one program.

mod supervisor;
mod units;
