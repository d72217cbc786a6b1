//! The central computer of a Keno house, on the command line: data to stdout, everything else
//! to stderr.

use std::process::ExitCode;

use clap::Parser;

mod commands;

fn main() -> ExitCode {
    let arguments = commands::Arguments::parse();
    keno_daemon::private::keep();
    keno_daemon::log::start("info");
    commands::run(arguments)
}
