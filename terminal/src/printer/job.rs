//! One job: condition, bytes, confirmation.

use std::io::ErrorKind;
use std::time::Duration;

use keno_slip::Paper;

use super::condition::{Standing, Talk};
use super::driver::{Driver, open};
use super::fault::{PrintFailure, PrinterFault};
use super::patience::{Deadline, Timing};
use super::render::{JobId, RenderFault, last_line_end, render};
use super::transport::Transport;

/// How a job ended whose bytes the printer took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Confirmation {
    /// The printer said that it printed the last line and cut the paper.
    Printer,
    /// It said nothing: a person must look whether the paper ends with `*** FIN / END`.
    Unknown,
}

/// A rendered paper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// What the printer is to repeat.
    pub id: JobId,
    /// How long the paper is.
    pub millimetres: u32,
}

impl Job {
    /// Renders a paper.
    ///
    /// # Errors
    /// [`RenderFault`] when the printing crate refuses a line.
    pub fn of(paper: &Paper, id: JobId) -> Result<Self, RenderFault> {
        Ok(Self {
            bytes: render(paper, id)?,
            id,
            millimetres: paper.length_millimetres(),
        })
    }
}

/// While the confirmation is waited for, the printer is asked so often whether it is in trouble:
/// a roll that ends is told within two seconds, however long the paper is.
const TROUBLE_PAUSE: Duration = Duration::from_secs(1);

/// How often a wait may end without a byte, when the printer takes no time to say nothing.
const HEARINGS_MAX: u32 = 4_096;

/// What the printer has said so far.
enum Ending {
    Both,
    Silent,
    HungUp,
    Trouble(PrinterFault),
}

fn await_confirmation(
    talk: &mut Talk<'_>,
    id: JobId,
    wait: Duration,
    status: Duration,
    trouble_pause: Duration,
) -> Ending {
    let is_both = |talk: &Talk<'_>| {
        talk.has_confirmed(id.after_last_line()) && talk.has_confirmed(id.after_cut())
    };
    if !talk.transport.can_answer() {
        return Ending::Silent;
    }
    let end = Deadline::after(wait);
    let mut pause = Deadline::after(trouble_pause);
    let mut can_tell = true;
    for _ in 0..HEARINGS_MAX {
        let Some(left) = end.left() else {
            break;
        };
        let slice = pause.left().unwrap_or(Duration::ZERO);
        let heard = talk.hear(if can_tell { left.min(slice) } else { left });
        // What it says last counts, even when it hangs up after it.
        if is_both(talk) {
            return Ending::Both;
        }
        match heard {
            Err(_) => return Ending::HungUp,
            Ok(Some(_)) if !talk.has_automatic_trouble() => continue,
            Ok(Some(_)) => {}
            Ok(None) if pause.left().is_some() || !can_tell => continue,
            Ok(None) => {}
        }
        if can_tell {
            let standing = talk.condition(status).standing;
            if is_both(talk) {
                return Ending::Both;
            }
            match standing {
                Standing::Trouble(PrinterFault::Absent) => return Ending::HungUp,
                Standing::Trouble(fault) => return Ending::Trouble(fault),
                Standing::Ready => {}
                Standing::Silent => can_tell = false,
            }
            pause = Deadline::after(trouble_pause);
        }
    }
    match talk.condition(status).standing {
        _ if is_both(talk) => Ending::Both,
        Standing::Trouble(PrinterFault::Absent) => Ending::HungUp,
        Standing::Trouble(fault) => Ending::Trouble(fault),
        Standing::Ready | Standing::Silent => Ending::Silent,
    }
}

/// Sends a rendered paper over an open way; `wait` is for the confirmation, from the last byte.
///
/// # Errors
/// A [`PrintFailure`] that names the trouble and says how many bytes had left.
pub fn print_over(
    transport: &mut dyn Transport,
    bytes: &[u8],
    id: JobId,
    wait: Duration,
    status: Duration,
) -> Result<Confirmation, PrintFailure> {
    let total = bytes.len();
    let last_line_end = last_line_end(bytes, id);
    let failure = |fault, sent| PrintFailure {
        fault,
        sent,
        total,
        last_line_end,
    };
    let mut talk = Talk::with(transport);
    if talk.forget_the_past().is_err() {
        return Err(failure(PrinterFault::Absent, 0));
    }
    let before = talk.condition(status);
    if let Some(fault) = before.trouble() {
        return Err(failure(fault, 0));
    }
    let mut sent = 0;
    while let Some(rest) = bytes.get(sent..).filter(|rest| !rest.is_empty()) {
        match talk.transport.send(rest) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Ok(count @ 1..) => sent += count,
            stopped => {
                // It takes nothing more: when it can still be asked, it may say why.
                let is_stalled = matches!(&stopped, Err(error)
                    if matches!(error.kind(), ErrorKind::TimedOut | ErrorKind::WouldBlock));
                let cause = if is_stalled && before.standing == Standing::Ready {
                    talk.condition(status).trouble()
                } else {
                    None
                };
                talk.transport.discard();
                let fault = cause
                    .filter(|fault| *fault != PrinterFault::Absent)
                    .unwrap_or(PrinterFault::DiedMidTicket);
                return Err(failure(fault, sent));
            }
        }
    }
    if talk.transport.flush().is_err() {
        talk.transport.discard();
        return Err(failure(PrinterFault::DiedMidTicket, sent));
    }
    match await_confirmation(&mut talk, id, wait, status, TROUBLE_PAUSE) {
        Ending::Both => Ok(Confirmation::Printer),
        Ending::Silent => Ok(Confirmation::Unknown),
        Ending::HungUp => Err(failure(PrinterFault::DiedMidTicket, sent)),
        Ending::Trouble(fault) => {
            talk.transport.discard();
            Err(failure(fault, sent))
        }
    }
}

/// How long the confirmation of a job is waited for: what its paper takes, what its bytes take on
/// the way, and a margin.
fn confirmation_wait(driver: &Driver, job: &Job, timing: Timing) -> Duration {
    timing
        .confirmation
        .saturating_add(timing.printing(job.millimetres))
        .saturating_add(driver.way_time(job.bytes.len()))
}

/// Sends a job to a printer, waiting for its confirmation as long as its paper takes, and
/// `timing.confirmation` more.
///
/// # Errors
/// As [`print_over`]; a [`PrinterFault`] of the way itself when it cannot be opened.
pub fn print_job(driver: &Driver, job: &Job, timing: Timing) -> Result<Confirmation, PrintFailure> {
    let mut transport = open(driver, timing.connect).map_err(|error| PrintFailure {
        fault: PrinterFault::of_opening(&error),
        sent: 0,
        total: job.bytes.len(),
        last_line_end: last_line_end(&job.bytes, job.id),
    })?;
    let wait = confirmation_wait(driver, job, timing);
    print_over(transport.as_mut(), &job.bytes, job.id, wait, timing.status)
}

/// Renders a paper under an id that no other job has, and sends it to a printer.
///
/// # Errors
/// [`RenderFault`] when there are no bytes to send; the inner error as [`print_job`].
pub fn print_paper(
    driver: &Driver,
    paper: &Paper,
    timing: Timing,
) -> Result<Result<Confirmation, PrintFailure>, RenderFault> {
    let job = Job::of(paper, JobId::fresh()?)?;
    Ok(print_job(driver, &job, timing))
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::io;

    use super::*;

    /// Answers to `DLE EOT` 1 to 4; 0 is silence.
    type State = [u8; 4];
    const READY: State = [0x12; 4];
    const MUTE: State = [0; 4];
    const NO_PAPER: State = [0x1A, 0x32, 0x12, 0x72];
    const BOTH: &[u8] = b"\x37\x22005L\0\x37\x22005C\0";
    const JOB: &[u8] = b"a ticket of\x1D(H\x06\x000\x30005L some bytes";

    /// A printer on no wire: takes so many bytes at a time, says its states one after the other,
    /// and what it is told to say once it has the whole job.
    struct Scripted {
        taken: Vec<u8>,
        at_once: usize,
        /// Bytes of the job after which it takes no more.
        takes: usize,
        states: VecDeque<State>,
        now: State,
        says: Vec<&'static [u8]>,
        outbox: VecDeque<Vec<u8>>,
        hangs_up: bool,
    }

    impl Transport for Scripted {
        fn can_answer(&self) -> bool {
            true
        }

        fn send(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if let [0x10, 4, question] = bytes {
                if *question == 1 {
                    self.now = self.states.pop_front().unwrap_or(self.now);
                }
                match self.now[usize::from(*question) - 1] {
                    0 => {}
                    answer => self.outbox.push_back(vec![answer]),
                }
                return Ok(bytes.len());
            }
            let room = self.takes - self.taken.len();
            let count = bytes.len().min(self.at_once).min(room);
            if count == 0 {
                return Err(ErrorKind::TimedOut.into());
            }
            self.taken.extend_from_slice(&bytes[..count]);
            if self.taken.len() == JOB.len() {
                self.outbox.extend(self.says.drain(..).map(<[u8]>::to_vec));
            }
            Ok(count)
        }

        fn receive(&mut self, buffer: &mut [u8], _wait: Duration) -> io::Result<usize> {
            match self.outbox.pop_front() {
                Some(answer) => {
                    buffer[..answer.len()].copy_from_slice(&answer);
                    Ok(answer.len())
                }
                None if self.hangs_up && self.taken.len() == JOB.len() => Ok(0),
                None => Err(ErrorKind::TimedOut.into()),
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn scripted(states: &[State], says: &[&'static [u8]]) -> Scripted {
        Scripted {
            taken: Vec::new(),
            at_once: 3,
            takes: usize::MAX,
            states: states.iter().copied().collect(),
            now: READY,
            says: says.to_vec(),
            outbox: VecDeque::new(),
            hangs_up: false,
        }
    }

    fn run(mut printer: Scripted) -> (Result<Confirmation, PrintFailure>, Vec<u8>) {
        let wait = Duration::from_millis(20);
        let done = print_over(&mut printer, JOB, JobId::from_number(5), wait, wait);
        (done, printer.taken)
    }

    #[test]
    fn every_byte_leaves_once_however_few_are_taken_at_a_time() {
        let (done, taken) = run(scripted(&[READY], &[BOTH]));
        assert_eq!(done, Ok(Confirmation::Printer));
        assert_eq!(taken, JOB);
    }

    #[test]
    fn answers_may_come_in_pieces_and_among_others() {
        let says: [&[u8]; 4] = [
            b"\x14\0\0\x0F\x37\x220",
            b"05L\0",
            b"\x37\x2200\x10\0\0",
            b"\x005C\0",
        ];
        assert_eq!(run(scripted(&[READY], &says)).0, Ok(Confirmation::Printer));
    }

    #[test]
    fn the_confirmation_of_another_job_or_of_half_a_job_is_none() {
        for answer in [
            &b"\x37\x22004L\0\x37\x22004C\0"[..],
            b"\x37\x22005L\0",
            b"\x37\x22005C\0",
            b"\x37\x22005L\0\x37\x22005C",
        ] {
            let done = run(scripted(&[READY, READY], &[answer])).0;
            assert_eq!(done, Ok(Confirmation::Unknown));
        }
    }

    #[test]
    fn what_was_said_before_the_job_confirms_nothing() {
        let mut printer = scripted(&[READY, READY], &[]);
        printer.outbox.push_back(BOTH.to_vec());
        assert_eq!(run(printer).0, Ok(Confirmation::Unknown));
    }

    #[test]
    fn a_cause_that_the_printer_names_afterwards_is_the_outcome() {
        for says in [&[][..], &[&b"\x1C\0\x0C\x0F"[..]]] {
            let failure = run(scripted(&[READY, NO_PAPER], says)).0.unwrap_err();
            assert_eq!(
                (failure.fault, failure.sent, failure.total),
                (PrinterFault::OutOfPaper, JOB.len(), JOB.len())
            );
            assert!(failure.may_be_whole());
        }
    }

    #[test]
    fn a_printer_that_takes_no_more_is_asked_why_and_sent_nothing_again() {
        for (state, fault) in [
            (NO_PAPER, PrinterFault::OutOfPaper),
            (READY, PrinterFault::DiedMidTicket),
            (MUTE, PrinterFault::DiedMidTicket),
        ] {
            let mut printer = scripted(&[READY, state], &[]);
            printer.takes = 7;
            let (done, taken) = run(printer);
            let failure = done.unwrap_err();
            assert_eq!((failure.fault, failure.sent), (fault, 7));
            assert!(!failure.may_be_whole());
            assert_eq!(taken, &JOB[..7]);
        }
    }

    #[test]
    fn a_printer_that_hangs_up_died_unless_it_had_said_that_it_printed() {
        let mut printer = scripted(&[READY], &[]);
        printer.hangs_up = true;
        let failure = run(printer).0.unwrap_err();
        assert_eq!(
            (failure.fault, failure.sent),
            (PrinterFault::DiedMidTicket, JOB.len())
        );
        let mut printer = scripted(&[READY], &[BOTH]);
        printer.hangs_up = true;
        assert_eq!(run(printer).0, Ok(Confirmation::Printer));
    }

    #[test]
    fn states_before_the_job() {
        let cases: [(State, PrinterFault); 8] = [
            ([0x1A, 0x12, 0x12, 0x12], PrinterFault::Offline),
            ([0x1A, 0, 0, 0], PrinterFault::Offline),
            ([0x1A, 0x36, 0x12, 0x72], PrinterFault::CoverOpen),
            ([0x12, 0x12, 0x12, 0x72], PrinterFault::OutOfPaper),
            ([0x1A, 0x52, 0x1A, 0x12], PrinterFault::Cutter),
            ([0x1A, 0x52, 0x32, 0x12], PrinterFault::Unrecoverable),
            ([0x1A, 0x52, 0x16, 0x12], PrinterFault::Recoverable),
            ([0x1A, 0x52, 0x52, 0x12], PrinterFault::Passing),
        ];
        for (state, fault) in cases {
            let (done, taken) = run(scripted(&[state], &[BOTH]));
            let failure = done.unwrap_err();
            assert_eq!((failure.fault, failure.sent), (fault, 0));
            assert!(taken.is_empty());
        }
    }

    #[test]
    fn a_printer_without_a_state_prints_all_the_same() {
        for nonsense in [MUTE, [0xFF; 4]] {
            let done = run(scripted(&[nonsense], &[BOTH])).0;
            assert_eq!(done, Ok(Confirmation::Printer));
        }
    }

    #[test]
    fn a_trouble_while_the_paper_is_waited_for_is_told_long_before_the_wait_ends() {
        let mut printer = scripted(&[READY, READY, NO_PAPER], &[]);
        let mut talk = Talk::with(&mut printer);
        let hour = Duration::from_secs(3_600);
        let id = JobId::from_number(5);
        let ending = await_confirmation(&mut talk, id, hour, hour, Duration::ZERO);
        assert!(matches!(ending, Ending::Trouble(PrinterFault::OutOfPaper)));
    }

    #[test]
    fn the_wait_is_that_of_the_paper_the_way_and_a_margin() {
        let line = crate::printer::SerialLine {
            speed: 9_600,
            parity: crate::printer::Parity::None,
            flow: crate::printer::Flow::None,
        };
        let job = Job {
            bytes: vec![0; 1_920],
            id: JobId::from_number(0),
            millimetres: 300,
        };
        let timing = Timing {
            millimetres_per_second: 100,
            ..Timing::default()
        };
        let wait = |driver| confirmation_wait(&driver, &job, timing);
        let usb = Driver::Usb("/dev/usb/lp0".into());
        assert_eq!(wait(usb), Duration::from_secs(4));
        let serial = Driver::Serial("/dev/ttyS0".into(), line);
        assert_eq!(wait(serial), Duration::from_secs(6));
    }

    #[test]
    fn a_roll_near_its_end_is_told_and_a_long_paper_is_waited_for_longer() {
        let mut printer = scripted(&[[0x16, 0x12, 0x12, 0x1E]], &[]);
        let condition =
            super::super::condition::condition_over(&mut printer, Duration::from_millis(20));
        assert_eq!(condition.standing, Standing::Ready);
        assert_eq!(condition.is_drawer_pin_high, Some(true));
        let told = condition.near_end(Some(12)).unwrap();
        assert_eq!(told.fr, "Bientôt plus de papier : environ 12 billets.");
        let timing = Timing::default();
        assert_eq!(timing.printing(180), Duration::from_secs(3));
    }
}
