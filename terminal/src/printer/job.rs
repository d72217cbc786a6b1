//! One job: status, bytes, confirmation.

use std::io::ErrorKind;
use std::time::Duration;

use super::fault::{PrintFailure, PrinterFault};
use super::render::JobId;
use super::status::{Status, status};
use super::transport::{Driver, Transport, open};

/// How long to wait for what.
#[derive(Debug, Clone, Copy)]
pub struct Timing {
    /// For a connection, and for a printer to take more bytes.
    pub connect: Duration,
    /// For an answer about its state.
    pub status: Duration,
    /// For the confirmation: the length of the paper over the printer's speed, and a second.
    pub confirmation: Duration,
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(3),
            status: Duration::from_millis(400),
            confirmation: Duration::from_secs(4),
        }
    }
}

/// How a job ended whose bytes the printer took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Confirmation {
    /// The printer said that it printed the last line and cut the paper.
    Printer,
    /// It said nothing: a person must look whether the paper ends with `*** FIN / END`.
    Unknown,
}

/// Answers that are not ours (automatic status) are skipped up to so many bytes.
const ANSWER_BYTES_MAX: usize = 512;

/// What the printer has said so far.
enum Answer {
    Both,
    Silent,
    HungUp,
}

fn has_confirmed(answer: &[u8], id: [u8; 4]) -> bool {
    let [a, b, c, d] = id;
    let expected = [0x37, 0x22, a, b, c, d, 0x00];
    answer
        .windows(expected.len())
        .any(|window| window == expected)
}

fn await_confirmation(transport: &mut dyn Transport, id: JobId, wait: Duration) -> Answer {
    let mut answer = Vec::new();
    let mut buffer = [0_u8; 64];
    while answer.len() < ANSWER_BYTES_MAX {
        match transport.receive(&mut buffer, wait) {
            Ok(0) => return Answer::HungUp,
            Ok(count) => answer.extend_from_slice(buffer.get(..count).unwrap_or_default()),
            Err(error) => {
                return match error.kind() {
                    ErrorKind::TimedOut | ErrorKind::WouldBlock | ErrorKind::Unsupported => {
                        Answer::Silent
                    }
                    _ => Answer::HungUp,
                };
            }
        }
        if has_confirmed(&answer, id.after_last_line()) && has_confirmed(&answer, id.after_cut()) {
            return Answer::Both;
        }
    }
    Answer::Silent
}

/// Sends a rendered paper over an open way.
///
/// # Errors
/// A [`PrintFailure`] that names the trouble and says how many bytes had left.
pub fn print_over(
    transport: &mut dyn Transport,
    bytes: &[u8],
    id: JobId,
    timing: Timing,
) -> Result<Confirmation, PrintFailure> {
    let total = bytes.len();
    let failure = |fault, sent| PrintFailure { fault, sent, total };
    if let Status::Trouble(fault) = status(transport, timing.status) {
        return Err(failure(fault, 0));
    }
    let mut sent = 0;
    while let Some(rest) = bytes.get(sent..).filter(|rest| !rest.is_empty()) {
        match transport.send(rest) {
            Ok(0) => return Err(failure(PrinterFault::DiedMidTicket, sent)),
            Ok(count) => sent += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return Err(failure(PrinterFault::DiedMidTicket, sent)),
        }
    }
    if transport.flush().is_err() {
        return Err(failure(PrinterFault::DiedMidTicket, sent));
    }
    match await_confirmation(transport, id, timing.confirmation) {
        Answer::Both => Ok(Confirmation::Printer),
        Answer::HungUp => Err(failure(PrinterFault::DiedMidTicket, sent)),
        Answer::Silent => match status(transport, timing.status) {
            Status::Trouble(PrinterFault::Absent) => {
                Err(failure(PrinterFault::DiedMidTicket, sent))
            }
            Status::Trouble(fault) => Err(failure(fault, sent)),
            Status::Ready | Status::Unknown => Ok(Confirmation::Unknown),
        },
    }
}

/// Sends a rendered paper to a printer.
///
/// # Errors
/// As [`print_over`]; [`PrinterFault::Absent`] when there is no way to the printer.
pub fn print_bytes(
    driver: &Driver,
    bytes: &[u8],
    id: JobId,
    timing: Timing,
) -> Result<Confirmation, PrintFailure> {
    let mut transport = open(driver, timing.connect).map_err(|_| PrintFailure {
        fault: PrinterFault::Absent,
        sent: 0,
        total: bytes.len(),
    })?;
    print_over(transport.as_mut(), bytes, id, timing)
}
