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

/// The bits of all answers, whichever way they came.
#[derive(Debug, Clone, Copy, Default)]
struct Bits {
    offline: bool,
    drawer_pin: bool,
    cover: bool,
    paper_end: bool,
    near_end: bool,
    cutter: bool,
    unrecoverable: bool,
    recoverable: bool,
    passing: bool,
    /// Some error, its kind unknown.
    error: bool,
}

const fn is_set(byte: u8, bits: u8) -> bool {
    byte & bits != 0
}

impl Bits {
    fn add(&mut self, question: u8, byte: u8) {
        match question {
            1 => {
                self.offline = is_set(byte, 0x08);
                self.drawer_pin = is_set(byte, 0x04);
            }
            2 => {
                self.cover = is_set(byte, 0x04);
                self.paper_end = is_set(byte, 0x20);
                self.error = is_set(byte, 0x40);
            }
            3 => {
                self.recoverable = is_set(byte, 0x04);
                self.cutter = is_set(byte, 0x08);
                self.unrecoverable = is_set(byte, 0x20);
                self.passing = is_set(byte, 0x40);
            }
            _ => {
                self.near_end = is_set(byte, 0x0C);
                self.paper_end |= is_set(byte, 0x60);
            }
        }
    }

    const fn of_automatic([printer, error, paper, _]: [u8; 4]) -> Self {
        Self {
            offline: is_set(printer, 0x08),
            drawer_pin: is_set(printer, 0x04),
            cover: is_set(printer, 0x20),
            paper_end: is_set(paper, 0x0C),
            near_end: is_set(paper, 0x03),
            recoverable: is_set(error, 0x04),
            cutter: is_set(error, 0x08),
            unrecoverable: is_set(error, 0x20),
            passing: is_set(error, 0x40),
            error: false,
        }
    }

    /// In the order of [`PrinterFault::ALL`].
    const fn trouble(&self) -> Option<PrinterFault> {
        Some(if self.cover {
            PrinterFault::CoverOpen
        } else if self.paper_end {
            PrinterFault::OutOfPaper
        } else if self.cutter {
            PrinterFault::Cutter
        } else if self.unrecoverable {
            PrinterFault::Unrecoverable
        } else if self.recoverable {
            PrinterFault::Recoverable
        } else if self.passing {
            PrinterFault::Passing
        } else if self.offline || self.error {
            PrinterFault::Offline
        } else {
            return None;
        })
    }

    const fn condition(&self) -> Condition {
        Condition {
            standing: match self.trouble() {
                Some(fault) => Standing::Trouble(fault),
                None => Standing::Ready,
            },
            is_near_end: self.near_end,
            is_drawer_pin_high: Some(self.drawer_pin),
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
            .is_some_and(|status| Bits::of_automatic(status).trouble().is_some())
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
        let mut bits: Option<Bits> = None;
        for question in 1..=4 {
            if self.has_missed {
                break;
            }
            match self.ask(question, wait) {
                Ok(Some(byte)) => bits.get_or_insert_default().add(question, byte),
                Ok(None) => break,
                Err(Broken) => return absent,
            }
        }
        // Nothing asked was answered: what it said unasked is all there is.
        bits.or_else(|| self.automatic.map(Bits::of_automatic))
            .map_or(Condition::SILENT, |bits| bits.condition())
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
