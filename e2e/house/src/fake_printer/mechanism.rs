//! A printer without its wire: bytes in, answers out, papers beside it. Written from the layout of
//! the commands; papers are read by the virtual printer's decoder, and nothing is shared with the
//! path that prints.

use std::collections::VecDeque;

use keno_terminal::virtual_printer::decoder::Effect;
use keno_terminal::virtual_printer::{Decoder, Sheet};

use super::death::{Death, Plan};

/// The last line of every paper.
const LAST_LINE: &str = "*** FIN / END";
/// The state of a printer in which nothing is wrong.
const WELL: u8 = 0x12;

/// What the wire has to do after a byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Nothing.
    Continue,
    /// It ends.
    End,
    /// It is reset.
    Reset,
    /// Everything before was taken: whoever asked is told.
    Settled,
}

/// What was printed between two jobs, whole or not.
#[derive(Debug, Clone)]
pub struct Printed {
    /// What stands on it.
    pub sheet: Sheet,
    /// Bytes of its job said that the last line, and that the cut, were printed.
    pub confirmed: bool,
}

impl Printed {
    /// True when its last line is there: a person says that it came out whole.
    pub fn is_whole(&self) -> bool {
        self.sheet
            .texts()
            .iter()
            .any(|text| text.contains(LAST_LINE))
    }
}

/// A job as it came in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Received {
    /// Bytes.
    pub bytes: usize,
    /// Its last line was among them.
    pub has_last_line: bool,
}

/// A printer.
pub struct Mechanism {
    decoder: Decoder,
    plan: Option<Plan>,
    died: Option<Death>,
    /// Papers in the order in which they came out, torn ones among them.
    pub papers: Vec<Printed>,
    /// Jobs in the order in which they came.
    pub jobs: Vec<Received>,
    /// Pulses for the drawer.
    pub pulses: usize,
    /// Commands that this printer does not have.
    pub strange: usize,
    /// The roll is near its end.
    pub is_near_end: bool,
    question: Vec<u8>,
    waiting: VecDeque<u8>,
    tail: Vec<u8>,
    confirmations: usize,
    dots: usize,
    noise: u64,
}

impl Mechanism {
    /// A sound printer.
    pub fn new(dots: usize) -> Self {
        Self {
            decoder: Decoder::new(dots),
            plan: None,
            died: None,
            papers: Vec::new(),
            jobs: Vec::new(),
            pulses: 0,
            strange: 0,
            is_near_end: false,
            question: Vec::new(),
            waiting: VecDeque::new(),
            tail: Vec::new(),
            confirmations: 0,
            dots,
            noise: 1,
        }
    }

    /// The next job kills it.
    pub fn dies(&mut self, plan: Plan) {
        self.plan = Some(plan);
        self.jobs.push(Received::default());
        self.noise = (plan.at as u64).wrapping_add(1);
    }

    /// How it died, while it is dead.
    pub const fn died(&self) -> Option<Death> {
        self.died
    }

    /// Somebody mends it: closes the cover, changes the roll, switches it off and on. What the
    /// printer still holds comes out first where it does; what then hangs from it is torn off.
    /// What it says meanwhile.
    pub fn mend(&mut self) -> Vec<u8> {
        let mut out = Vec::new();
        let died = self.died.take();
        self.plan = None;
        if died == Some(Death::Cover) {
            for byte in std::mem::take(&mut self.waiting) {
                self.print(byte, &mut out);
            }
        }
        self.tear();
        out
    }

    fn tear(&mut self) {
        let sheet = self.decoder.hanging();
        if !sheet.rows.is_empty() {
            self.papers.push(Printed {
                sheet,
                confirmed: false,
            });
        }
        self.decoder = Decoder::new(self.dots);
        self.waiting.clear();
        self.question.clear();
        self.tail.clear();
        self.confirmations = 0;
    }

    /// What came out and what hangs from the printer, as a person sees it.
    pub fn seen(&self) -> Vec<Printed> {
        let mut seen = self.papers.clone();
        let hanging = self.decoder.hanging();
        if !hanging.rows.is_empty() {
            seen.push(Printed {
                sheet: hanging,
                confirmed: false,
            });
        }
        seen
    }

    /// A byte comes; what is said goes to `out`.
    pub fn take(&mut self, byte: u8, out: &mut Vec<u8>) -> Next {
        self.question.push(byte);
        match self.question.as_slice() {
            [0x10] | [0x10, 0x04 | 0x05] => return Next::Continue,
            [0x10, 0x04, question @ 1..=4] => {
                let question = *question;
                self.question.clear();
                self.tell_state(question, out);
                return Next::Continue;
            }
            // No command of any printer: the test asks whether everything before was taken.
            [0x10, 0x05, b'S'] => {
                self.question.clear();
                return Next::Settled;
            }
            _ => {}
        }
        for byte in std::mem::take(&mut self.question) {
            match self.job_byte(byte, out) {
                Next::Continue => {}
                other => return other,
            }
        }
        Next::Continue
    }

    fn job_byte(&mut self, byte: u8, out: &mut Vec<u8>) -> Next {
        self.tail.push(byte);
        if self.tail.ends_with(&[0x1B, b'@']) && self.jobs.last().is_none_or(|job| job.bytes > 1) {
            self.jobs.push(Received {
                bytes: 1,
                ..Received::default()
            });
        }
        if let Some(job) = self.jobs.last_mut() {
            job.bytes += 1;
            job.has_last_line |= self.tail.ends_with(LAST_LINE.as_bytes());
        }
        if let Some(plan) = self.plan
            && self.died.is_none()
            && self.jobs.last().is_some_and(|job| job.bytes > plan.at)
        {
            return self.die(plan.death, byte, out);
        }
        self.handle(byte, out)
    }

    fn handle(&mut self, byte: u8, out: &mut Vec<u8>) -> Next {
        match self.died {
            Some(Death::Cover | Death::PaperEnd) => self.waiting.push_back(byte),
            Some(Death::Hung) => {}
            Some(death) if death.cuts_the_wire() => {}
            _ => self.print(byte, out),
        }
        Next::Continue
    }

    fn die(&mut self, death: Death, byte: u8, out: &mut Vec<u8>) -> Next {
        self.died = Some(death);
        match death {
            Death::Unplugged | Death::PowerCycle => Next::End,
            Death::Reset => Next::Reset,
            Death::Cover => {
                // It also says so, unasked: offline, cover open.
                out.extend([0x38, 0x00, 0x00, 0x0F]);
                self.handle(byte, out)
            }
            Death::PaperEnd => {
                out.extend([0x18, 0x00, 0x0C, 0x0F]);
                self.handle(byte, out)
            }
            _ => self.handle(byte, out),
        }
    }

    fn print(&mut self, byte: u8, out: &mut Vec<u8>) {
        self.decoder.push(&[byte]);
        match self.decoder.step() {
            Ok(Some(Effect::TellPrinted(id))) => self.confirm(id, out),
            Ok(Some(Effect::Paper(sheet))) => {
                self.papers.push(Printed {
                    sheet,
                    confirmed: false,
                });
                self.tail.clear();
            }
            Ok(Some(Effect::Drawer(_))) => self.pulses += 1,
            Ok(_) => {}
            Err(_) => {
                self.strange += 1;
                self.tear();
            }
        }
    }

    fn confirm(&mut self, [a, b, c, d]: [u8; 4], out: &mut Vec<u8>) {
        let whole = [0x37, 0x22, a, b, c, d, 0x00];
        match self.died {
            Some(Death::Silent | Death::TerminalDies) => return,
            Some(Death::Garbage) => {
                // A half, with something in place of the rest.
                out.extend(&whole[..3 + self.chance(4)]);
                for _ in 0..self.chance(9) {
                    let byte = u8::try_from(self.chance(256)).unwrap_or(0);
                    // Not the byte that would end it: then it would be a confirmation.
                    out.push(byte.max(1));
                }
                return;
            }
            _ => out.extend(whole),
        }
        self.confirmations += 1;
        // The one after the cut speaks of the newest paper.
        if d == b'C' && self.confirmations >= 2 {
            self.confirmations = 0;
            if let Some(paper) = self.papers.last_mut() {
                paper.confirmed = true;
            }
        }
    }

    fn tell_state(&mut self, question: u8, out: &mut Vec<u8>) {
        let near_end = if self.is_near_end { 0x0C } else { 0 };
        let bits = match (self.died, question) {
            (Some(Death::Silent | Death::Hung | Death::TerminalDies), _) => return,
            (Some(Death::Garbage), _) => {
                for _ in 0..self.chance(4) {
                    out.push([0x37, 0x14, 0x00, 0xFF, 0x22, 0x10][self.chance(6)]);
                }
                return;
            }
            (Some(Death::Cover), 1) | (Some(Death::PaperEnd), 1) => 0x08,
            (Some(Death::Cover), 2) => 0x04,
            (Some(Death::PaperEnd), 2) => 0x20,
            (Some(Death::PaperEnd), 4) => 0x60,
            (_, 4) => near_end,
            _ => 0,
        };
        out.push(WELL | bits);
    }

    /// A number below `below`, the same each time.
    fn chance(&mut self, below: usize) -> usize {
        self.noise = self
            .noise
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.noise >> 33).unwrap_or(0) % below.max(1)
    }
}
