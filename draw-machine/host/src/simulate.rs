//! The simulated machine on a wire: TCP, one connection at a time, or a pseudo-terminal.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Write};
use std::net::TcpListener;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use keno_draw::ball_line::{Lines, Question};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::ball_link::open_serial;
use crate::simulator::{Answer, Simulator};

/// A pseudo-terminal has no speed; one is set all the same.
const BAUDS: u32 = 115_200;

/// Answers on one wire until it is hung up, by either.
fn answer(
    wire: &mut (impl Read + Write),
    machine: &mut Simulator,
    clock_ms: &dyn Fn() -> i64,
) -> io::Result<()> {
    let mut lines = Lines::default();
    let mut bytes = [0; 256];
    loop {
        let count = wire.read(&mut bytes)?;
        if count == 0 {
            return Ok(());
        }
        for byte in &bytes[..count] {
            let asked = lines.take(*byte).and_then(|line| Question::read(&line));
            match asked.map(|asked| machine.answer(asked, clock_ms())) {
                Some(Answer::Bytes(answer)) => wire.write_all(&answer)?,
                Some(Answer::HangsUp) => return Ok(()),
                None => {}
            }
        }
    }
}

/// Serves the machine over TCP.
///
/// # Errors
/// It can be listened no more.
pub fn on_network(
    listener: &TcpListener,
    mut machine: Simulator,
    clock_ms: &dyn Fn() -> i64,
) -> io::Result<()> {
    loop {
        let (mut wire, _) = listener.accept()?;
        wire.set_nodelay(true)?;
        // Whoever hangs up may call again.
        if let Err(fault) = answer(&mut wire, &mut machine, clock_ms) {
            eprintln!("the wire is gone: {fault}");
        }
    }
}

/// Serves the machine on a pseudo-terminal, and tells which device it is.
///
/// # Errors
/// The system has no pseudo-terminal.
pub fn on_pty(
    mut machine: Simulator,
    clock_ms: &dyn Fn() -> i64,
    tell: impl FnOnce(&Path),
) -> io::Result<()> {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
    grantpt(&master)?;
    unlockpt(&master)?;
    let name = ptsname(&master, Vec::new())?;
    let device = Path::new(OsStr::from_bytes(name.as_bytes()));
    // Held open and raw: nothing echoes what is said, and whoever closes it may open it again.
    let _held = open_serial(device, BAUDS)?;
    tell(device);
    let mut wire = File::from(master);
    loop {
        // A wire of this kind is not hung up: the machine is quiet instead.
        answer(&mut wire, &mut machine, clock_ms)?;
    }
}
