//! The central computer of a Keno house, on the command line: data to stdout, everything else
//! to stderr.

use std::process::ExitCode;

use clap::Parser;
use tracing_subscriber::EnvFilter;

mod commands;

fn main() -> ExitCode {
    let arguments = commands::Arguments::parse();
    tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::try_from_env("BOULIER_LOG").unwrap_or_else(|_| "info".into()))
        .with_writer(std::io::stderr)
        .init();
    commands::run(arguments)
}
