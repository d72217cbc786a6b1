//! Every test of the package, in one program.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test's failure is its own report"
)]

#[path = "support/central.rs"]
mod central;
mod command_line;
mod counter;
mod devices;
mod every_paper;
#[path = "../slip/tests/support/generated.rs"]
mod generated;
mod goldens_help;
mod goldens_pages;
mod goldens_papers;
mod owned;
mod pages;
#[path = "support/papers.rs"]
mod papers;
mod patience;
mod picture;
mod printer_faults;
mod random_tickets;
mod scanner;
mod six_facts;
mod slip_samples;
mod support;
mod virtual_printer_page;
mod words;
