//! The edge agent of a Keno counter, on the command line.

use std::io;
use std::process::ExitCode;

use keno_terminal::cli::{Streams, run};
use keno_terminal::clock::system_ms;
use rustix::process::{DumpableBehavior, Resource, Rlimit, set_dumpable_behavior, setrlimit};
use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};

/// Shows, or does not show, what is typed, when a person types at all.
fn echo(is_shown: bool) {
    let input = io::stdin();
    if let Ok(mut modes) = tcgetattr(&input) {
        modes.local_modes.set(LocalModes::ECHO, is_shown);
        // A terminal that refuses shows the PIN; there is nothing else to try.
        let _ = tcsetattr(&input, OptionalActions::Now, &modes);
    }
}

/// Keys are in memory: a process that dies leaves no image of it on disk, and other programs of
/// the same account cannot read it. Where the system refuses, the terminal works all the same.
fn no_core_dumps() {
    let none = Rlimit {
        current: Some(0),
        maximum: Some(0),
    };
    if let Err(error) = setrlimit(Resource::Core, none)
        .and_then(|()| set_dumpable_behavior(DumpableBehavior::NotDumpable))
    {
        tracing::warn!(%error, "core dumps cannot be switched off");
    }
}

fn main() -> ExitCode {
    keno_daemon::private::keep();
    keno_daemon::log::start("warn");
    no_core_dumps();
    run(
        std::env::args(),
        Streams {
            input: &mut io::stdin().lock(),
            output: &mut io::stdout(),
            notes: &mut io::stderr(),
            echo,
            now_ms: system_ms,
        },
    )
    .into()
}
