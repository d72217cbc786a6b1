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

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::io;

    use super::*;

    /// A printer on no wire: takes so many bytes at a time, and answers from a list.
    struct Scripted {
        taken: Vec<u8>,
        at_once: usize,
        /// What it says: `None` is silence.
        says: VecDeque<Option<Vec<u8>>>,
    }

    impl Transport for Scripted {
        fn can_answer(&self) -> bool {
            true
        }

        fn send(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let count = bytes.len().min(self.at_once);
            self.taken.extend_from_slice(&bytes[..count]);
            Ok(count)
        }

        fn receive(&mut self, buffer: &mut [u8], _wait: Duration) -> io::Result<usize> {
            match self.says.pop_front() {
                Some(Some(answer)) => {
                    buffer[..answer.len()].copy_from_slice(&answer);
                    Ok(answer.len())
                }
                Some(None) => Err(ErrorKind::TimedOut.into()),
                None => Ok(0),
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    const READY: [Option<&[u8]>; 3] = [Some(&[0x12]), Some(&[0x12]), Some(&[0x12])];

    fn run(says: &[Option<&[u8]>]) -> (Result<Confirmation, PrintFailure>, Vec<u8>) {
        let mut printer = Scripted {
            taken: Vec::new(),
            at_once: 3,
            says: says
                .iter()
                .map(|answer| answer.map(<[u8]>::to_vec))
                .collect(),
        };
        let id = JobId::from_number(5);
        let done = print_over(
            &mut printer,
            b"a ticket of some bytes",
            id,
            Timing::default(),
        );
        (done, printer.taken)
    }

    fn after(
        before: &[Option<&'static [u8]>],
        more: &[Option<&'static [u8]>],
    ) -> Vec<Option<&'static [u8]>> {
        [before, more].concat()
    }

    #[test]
    fn every_byte_leaves_once_however_few_are_taken_at_a_time() {
        let says = after(&READY, &[Some(b"\x37\x22005L\0\x37\x22005C\0")]);
        let (done, taken) = run(&says);
        assert_eq!(done, Ok(Confirmation::Printer));
        assert_eq!(
            taken,
            b"\x10\x04\x01\x10\x04\x02\x10\x04\x04a ticket of some bytes"
        );
    }

    #[test]
    fn answers_may_come_in_pieces_and_among_others() {
        let says = after(
            &READY,
            &[
                Some(b"\x14\0\0\x0F\x37\x220"),
                Some(b"05L\0"),
                Some(b"\x37\x22005"),
                Some(b"C\0"),
            ],
        );
        assert_eq!(run(&says).0, Ok(Confirmation::Printer));
    }

    #[test]
    fn the_confirmation_of_another_job_or_of_half_a_job_is_none() {
        for answer in [
            &b"\x37\x22004L\0\x37\x22004C\0"[..],
            b"\x37\x22005L\0",
            b"\x37\x22005C\0",
        ] {
            let says = after(
                &READY,
                &[
                    Some(answer),
                    None,
                    Some(&[0x12]),
                    Some(&[0x12]),
                    Some(&[0x12]),
                ],
            );
            assert_eq!(run(&says).0, Ok(Confirmation::Unknown));
        }
    }

    #[test]
    fn a_cause_that_the_printer_names_afterwards_is_the_outcome() {
        let says = after(&READY, &[None, Some(&[0x1A]), Some(&[0x32]), Some(&[0x72])]);
        let failure = run(&says).0.unwrap_err();
        assert_eq!(
            (failure.fault, failure.sent, failure.total),
            (PrinterFault::OutOfPaper, 22, 22)
        );
    }

    #[test]
    fn a_printer_that_hangs_up_died() {
        let failure = run(&READY).0.unwrap_err();
        assert_eq!(
            (failure.fault, failure.sent),
            (PrinterFault::DiedMidTicket, 22)
        );
    }

    #[test]
    fn states_before_the_job() {
        let cases: [(&[Option<&[u8]>], PrinterFault); 4] = [
            (
                &[Some(&[0x1A]), Some(&[0x12]), Some(&[0x12])],
                PrinterFault::Offline,
            ),
            (
                &[Some(&[0x1A]), Some(&[0x36]), Some(&[0x72])],
                PrinterFault::CoverOpen,
            ),
            (
                &[Some(&[0x12]), Some(&[0x12]), Some(&[0x72])],
                PrinterFault::OutOfPaper,
            ),
            (&[], PrinterFault::Absent),
        ];
        for (says, fault) in cases {
            let failure = run(says).0.unwrap_err();
            assert_eq!((failure.fault, failure.sent), (fault, 0));
        }
    }

    #[test]
    fn a_printer_without_a_state_prints_all_the_same() {
        for nonsense in [None, Some(&[0xFF_u8][..])] {
            let says = after(&[nonsense], &[Some(b"\x37\x22005L\0\x37\x22005C\0")]);
            assert_eq!(run(&says).0, Ok(Confirmation::Printer));
        }
    }
}
