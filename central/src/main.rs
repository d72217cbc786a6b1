//! The central computer of a Keno house, on the command line: data to stdout, everything else
//! to stderr.

use std::process::ExitCode;

use clap::Parser;

mod commands;

/// That of the C library keeps what it was given once: after the first PIN was hashed (19 MiB) the
/// process never shrank.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments = commands::Arguments::parse();
    keno_daemon::private::keep();
    // What a stranger sends that is no HTTP gets its answer, and is nothing to look at: his
    // connection would else write a line of the gravest kind whenever he likes.
    keno_daemon::log::start("info,actix_http=off");
    commands::run(arguments)
}
