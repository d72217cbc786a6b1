//! Every test of the package, in one program.

mod amendment;
mod below_floor;
mod book_limits;
mod counter;
mod named_set;
mod rules_file;
mod slip_sentence;
