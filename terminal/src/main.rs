//! The edge agent of a Keno counter, on the command line.

use std::io;
use std::process::ExitCode;

use keno_terminal::cli::{Streams, run};
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

fn main() -> ExitCode {
    keno_daemon::log::start("warn");
    run(
        std::env::args(),
        Streams {
            input: &mut io::stdin().lock(),
            output: &mut io::stdout(),
            notes: &mut io::stderr(),
            echo,
        },
    )
    .into()
}
