//! Every test of the package, in one program.

mod private_files;
mod schema;
