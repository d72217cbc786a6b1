//! What a printer says of itself, before a sale and after a paper.
//!
//! `DLE EOT` 1 to 4 are asked one by one and each answer is waited for: the answers do not say
//! which question they belong to, so that after one that stays out no other is asked on this way.
//! Whatever else comes in meanwhile (automatic status, late confirmations, noise) is kept or
//! skipped, and never taken for an answer.

use keno_wire::reply::Bilingual;
use keno_words::{Language, Say, printer};

use std::io::ErrorKind;
use std::time::Duration;

use super::answers::{Answer, Reader, has_confirmed};
use super::driver::{Driver, open};
use super::fault::PrinterFault;
use super::patience::{Deadline, Timing};
use super::transport::Transport;

/// Whether a printer can print.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It is ready.
    Ready,
    /// It names a trouble.
    Trouble(PrinterFault),
    /// It says nothing, as many do: not an error.
    Silent,
}

/// What a printer says of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Condition {
    /// Whether it can print.
    pub standing: Standing,
    /// The roll is near its end: the printer's sensor sees it.
    pub is_near_end: bool,
    /// Level of the pin of the drawer's connector; whether high means open is the drawer's wiring.
    pub is_drawer_pin_high: Option<bool>,
}

impl Condition {
    /// Of a printer that says nothing.
    pub const SILENT: Self = Self::of(Standing::Silent);

    /// Nothing known but this.
    pub const fn of(standing: Standing) -> Self {
        Self {
            standing,
            is_near_end: false,
            is_drawer_pin_high: None,
        }
    }

    /// The trouble, when one is named.
    pub const fn trouble(&self) -> Option<PrinterFault> {
        match self.standing {
            Standing::Trouble(fault) => Some(fault),
            Standing::Ready | Standing::Silent => None,
        }
    }

    /// That the roll is near its end, with a rough count when the settings say how many tickets
    /// the rest of a roll holds.
    pub fn near_end(&self, tickets: Option<u32>) -> Option<Bilingual> {
        let about = match tickets {
            Some(1) => Some(Bilingual::of(&printer::AboutOneTicket)),
            Some(count) => Some(Bilingual::of(&printer::AboutTickets { count: &count })),
            None => None,
        };
        self.is_near_end
            .then(|| Bilingual::of(&printer::NearEnd { about: &about }))
    }
}

impl Standing {
    /// `ready`, `silent`, or the name of a trouble.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::Silent => "silent",
            Self::Trouble(fault) => fault.name(),
        }
    }
}

/// Whether the printer can print.
impl Say for Standing {
    fn say(&self, language: Language, to: &mut String) {
        match self {
            Self::Ready => printer::Ready.say(language, to),
            Self::Silent => printer::Silent.say(language, to),
            Self::Trouble(fault) => fault.say(language, to),
        }
    }
}

/// Bits of the answers to the questions 1 to 4, or of the bytes of an automatic status.
type Mask = [u8; 4];

/// Where a state stands: its bits among the answers, and among the bytes of an automatic status.
type Place = (Mask, Mask);

/// The troubles, the one that a person mends first before those that follow from it. What is an
/// error of an unknown kind is as being offline.
const TROUBLES: [(PrinterFault, Place); 7] = [
    (PrinterFault::CoverOpen, ([0, 0x04, 0, 0], [0x20, 0, 0, 0])),
    (
        PrinterFault::OutOfPaper,
        ([0, 0x20, 0, 0x60], [0, 0, 0x0C, 0]),
    ),
    (PrinterFault::Cutter, ([0, 0, 0x08, 0], [0, 0x08, 0, 0])),
    (
        PrinterFault::Unrecoverable,
        ([0, 0, 0x20, 0], [0, 0x20, 0, 0]),
    ),
    (
        PrinterFault::Recoverable,
        ([0, 0, 0x04, 0], [0, 0x04, 0, 0]),
    ),
    (PrinterFault::Passing, ([0, 0, 0x40, 0], [0, 0x40, 0, 0])),
    (PrinterFault::Offline, ([0x08, 0x40, 0, 0], [0x08, 0, 0, 0])),
];

const NEAR_END: Place = ([0, 0, 0, 0x0C], [0, 0, 0x03, 0]);
const DRAWER_PIN: Place = ([0x04, 0, 0, 0], [0x04, 0, 0, 0]);

/// What a printer said of itself, whichever way it came.
#[derive(Debug, Clone, Copy)]
enum Bits {
    /// What it answered to each question, 0 to those that were not answered.
    Asked(Mask),
    Automatic(Mask),
}

impl Bits {
    fn has(self, (asked, automatic): Place) -> bool {
        let (said, wanted) = match self {
            Self::Asked(said) => (said, asked),
            Self::Automatic(said) => (said, automatic),
        };
        said.iter().zip(wanted).any(|(said, bits)| said & bits != 0)
    }

    fn trouble(self) -> Option<PrinterFault> {
        let found = TROUBLES.iter().find(|(_, place)| self.has(*place));
        found.map(|(fault, _)| *fault)
    }

    fn condition(self) -> Condition {
        Condition {
            standing: self.trouble().map_or(Standing::Ready, Standing::Trouble),
            is_near_end: self.has(NEAR_END),
            is_drawer_pin_high: Some(self.has(DRAWER_PIN)),
        }
    }
}

/// The way broke while something was asked or heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Broken;

/// How often a wait for an answer may end without one.
const EMPTY_HEARINGS_MAX: u32 = 64;
/// Bytes that are kept of what was heard: a printer that babbles must not take all memory.
const HEARD_BYTES_MAX: usize = 1024;

/// A talk with a printer over one way: nothing that it says is lost between two questions.
pub(super) struct Talk<'a> {
    pub(super) transport: &'a mut dyn Transport,
    reader: Reader,
    heard: Vec<u8>,
    automatic: Option<[u8; 4]>,
    /// An answer that stayed out could still come, and be taken for that of the next question.
    has_missed: bool,
}

impl<'a> Talk<'a> {
    pub(super) fn with(transport: &'a mut dyn Transport) -> Self {
        Self {
            transport,
            reader: Reader::default(),
            heard: Vec::new(),
            automatic: None,
            has_missed: false,
        }
    }

    /// Hears what comes within `wait`; none when nothing does.
    pub(super) fn hear(&mut self, wait: Duration) -> Result<Option<Vec<Answer>>, Broken> {
        let mut buffer = [0_u8; 64];
        match self.transport.receive(&mut buffer, wait) {
            Ok(0) => Err(Broken),
            Ok(count) => {
                let bytes = buffer.get(..count).unwrap_or_default();
                self.heard.extend_from_slice(bytes);
                let surplus = self.heard.len().saturating_sub(HEARD_BYTES_MAX);
                self.heard.drain(..surplus);
                let answers = self.reader.push(bytes);
                for answer in &answers {
                    if let Answer::Automatic(status) = answer {
                        self.automatic = Some(*status);
                    }
                }
                Ok(Some(answers))
            }
            Err(error)
                if matches!(
                    error.kind(),
                    ErrorKind::TimedOut
                        | ErrorKind::WouldBlock
                        | ErrorKind::Unsupported
                        | ErrorKind::Interrupted
                ) =>
            {
                Ok(None)
            }
            Err(_) => Err(Broken),
        }
    }

    /// Hears what has already come in, and forgets that it was said: it belongs to an earlier job.
    pub(super) fn forget_the_past(&mut self) -> Result<(), Broken> {
        if !self.transport.can_answer() {
            return Ok(());
        }
        let mut bytes_left = HEARD_BYTES_MAX;
        while let Some(rest) = bytes_left.checked_sub(1) {
            bytes_left = rest;
            if self.hear(Duration::ZERO)?.is_none() {
                break;
            }
        }
        self.reader = Reader::default();
        self.heard.clear();
        Ok(())
    }

    pub(super) fn has_confirmed(&self, id: [u8; 4]) -> bool {
        has_confirmed(&self.heard, id)
    }

    /// True when automatic status has named a trouble.
    pub(super) fn has_automatic_trouble(&self) -> bool {
        self.automatic
            .is_some_and(|status| Bits::Automatic(status).trouble().is_some())
    }

    pub(super) fn send(&mut self, bytes: &[u8]) -> Result<(), Broken> {
        let mut rest = bytes;
        while !rest.is_empty() {
            match self.transport.send(rest) {
                Ok(0) => return Err(Broken),
                Ok(count) => rest = rest.get(count..).unwrap_or_default(),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Err(Broken),
            }
        }
        self.transport.flush().map_err(|_| Broken)
    }

    /// One question; none when there is no answer that is one.
    fn ask(&mut self, question: u8, wait: Duration) -> Result<Option<u8>, Broken> {
        // Three bytes by hand: the crate's call adds a NUL that a printer would take for text.
        self.send(&[0x10, 0x04, question])?;
        let deadline = Deadline::after(wait);
        // A device may wake us for nothing, but not for ever.
        for _ in 0..EMPTY_HEARINGS_MAX {
            let Some(left) = deadline.left() else {
                break;
            };
            let Some(answers) = self.hear(left)? else {
                continue;
            };
            let state = answers.iter().find_map(|answer| match answer {
                Answer::State(byte) => Some(*byte),
                Answer::Automatic(_) => None,
            });
            if state.is_some() {
                return Ok(state);
            }
        }
        self.has_missed = true;
        Ok(None)
    }

    /// What the printer says of itself now.
    pub(super) fn condition(&mut self, wait: Duration) -> Condition {
        let absent = Condition::of(Standing::Trouble(PrinterFault::Absent));
        if !self.transport.can_answer() {
            return Condition::SILENT;
        }
        let mut answers = [0; 4];
        for (question, answer) in (1..).zip(&mut answers) {
            if self.has_missed {
                break;
            }
            match self.ask(question, wait) {
                Ok(Some(byte)) => *answer = byte,
                Ok(None) => break,
                Err(Broken) => return absent,
            }
        }
        let asked = (answers != [0; 4]).then_some(Bits::Asked(answers));
        // Nothing asked was answered: what it said unasked is all there is.
        asked
            .or(self.automatic.map(Bits::Automatic))
            .map_or(Condition::SILENT, Bits::condition)
    }
}

/// What a printer says of itself over an open way. A way that breaks while asking is
/// [`PrinterFault::Absent`].
pub fn condition_over(transport: &mut dyn Transport, wait: Duration) -> Condition {
    let mut talk = Talk::with(transport);
    if talk.forget_the_past().is_err() {
        return Condition::of(Standing::Trouble(PrinterFault::Absent));
    }
    talk.condition(wait)
}

/// What a printer says of itself: asked before a sale, so that no money is taken for a paper that
/// cannot come out.
pub fn condition(driver: &Driver, timing: Timing) -> Condition {
    match open(driver, timing.connect) {
        Ok(mut transport) => condition_over(transport.as_mut(), timing.status),
        Err(error) => Condition::of(Standing::Trouble(PrinterFault::of_opening(&error))),
    }
}
