//! Every test of the package, in one program.

mod common;
mod meaning;
mod returns;
mod rule_book;
mod selection_text;
mod settle;
mod slip;
mod ways;
