//! Every test of the package, in one program.

mod days;
mod goldens;
mod stranger;
