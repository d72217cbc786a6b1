//! A machine with real balls that is none: it speaks the line of `keno_draw::ball_line`, healthy or
//! with a fault, all of it by a seed. For whoever tries the line, and for the tests of it; its numbers
//! are no draw.

use std::collections::BTreeMap;
use std::path::PathBuf;

use keno_draw::ball_line::{Content, Frame, Question, Said, Standing};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

/// Balls in the machine, and how many are drawn of them.
const POOL: u8 = 80;
const DRAWN: u8 = 20;

/// What is wrong with the machine or its wire. The list is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fault {
    /// A number comes twice.
    Repeated,
    /// Ball 0.
    Zero,
    /// A number above the pool.
    Beyond,
    /// The draw ends a ball too early.
    Short,
    /// A ball is said anew with another number.
    Changed,
    /// Positions begin at 0.
    FromZero,
    /// Another set is in the machine after some balls.
    OtherSet,
    /// The machine stops.
    Stops,
    /// The machine forgets what it drew, and begins anew.
    Forgets,
    /// A frame is cut.
    Cut,
    /// A bit of a frame changes.
    Flipped,
    /// A frame comes twice.
    Doubled,
    /// Two frames come mixed.
    Interleaved,
    /// A frame comes after the one behind it.
    Late,
    /// Noise between frames.
    Noise,
    /// The machine says nothing for a while.
    Silent,
    /// The wire is lost in the middle, and comes back.
    Reconnects,
    /// Frames of yesterday's draw come again.
    Yesterday,
    /// The machine's clock is wrong.
    Clock,
}

/// Every fault, by its name.
pub const FAULTS: [(Fault, &str); 19] = [
    (Fault::Repeated, "repeated"),
    (Fault::Zero, "zero"),
    (Fault::Beyond, "beyond"),
    (Fault::Short, "short"),
    (Fault::Changed, "changed"),
    (Fault::FromZero, "from-zero"),
    (Fault::OtherSet, "other-set"),
    (Fault::Stops, "stops"),
    (Fault::Forgets, "forgets"),
    (Fault::Cut, "cut"),
    (Fault::Flipped, "flipped"),
    (Fault::Doubled, "doubled"),
    (Fault::Interleaved, "interleaved"),
    (Fault::Late, "late"),
    (Fault::Noise, "noise"),
    (Fault::Silent, "silent"),
    (Fault::Reconnects, "reconnects"),
    (Fault::Yesterday, "yesterday"),
    (Fault::Clock, "clock"),
];

/// How often something is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// Never.
    None,
    /// In each draw this.
    Always(Fault),
    /// In each draw something else, or nothing.
    Any,
}

/// What the machine does when it is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// It sends these bytes, or nothing.
    Bytes(Vec<u8>),
    /// It hangs up.
    HangsUp,
}

/// A draw in the machine.
#[derive(Debug, Clone)]
struct Drawing {
    balls: Vec<u8>,
    began_ms: i64,
    /// The fault has happened.
    is_over: bool,
    random: ChaCha20Rng,
}

/// The machine.
#[derive(Debug, Clone)]
pub struct Simulator {
    seed: u64,
    set: String,
    trouble: Trouble,
    /// From one ball to the next, milliseconds.
    interval_ms: i64,
    /// Where it stands which balls have fallen, when none falls by itself.
    tubes: Option<PathBuf>,
    draws: BTreeMap<u64, Drawing>,
    silent_until_ms: i64,
}

impl Simulator {
    /// A machine with a set of balls.
    #[must_use]
    pub fn new(seed: u64, set: &str, interval_ms: i64, trouble: Trouble) -> Self {
        Self {
            seed,
            set: set.to_owned(),
            trouble,
            interval_ms,
            tubes: None,
            draws: BTreeMap::new(),
            silent_until_ms: 0,
        }
    }

    /// As many balls have fallen as this file says, by a draw and a count (`4711 3`), and none falls by
    /// itself: a machine that is started again has what lies in its tubes.
    #[must_use]
    pub fn with_tubes(mut self, file: Option<PathBuf>) -> Self {
        self.tubes = file;
        self
    }

    /// How many balls of a draw lie in the tubes; none of another than the file names, nor where it
    /// cannot be read.
    fn in_tubes(&self, draw: u64) -> Option<i64> {
        // Of none nothing falls.
        if draw == 0 {
            return Some(0);
        }
        let text = std::fs::read_to_string(self.tubes.as_ref()?).unwrap_or_default();
        let count = text.trim_end().strip_prefix(&format!("{draw} "));
        Some(count.and_then(|count| count.parse().ok()).unwrap_or(0))
    }

    /// The balls of a draw as they fall, healthy.
    #[must_use]
    pub fn balls(&self, draw: u64) -> Vec<u8> {
        let mut random = ChaCha20Rng::seed_from_u64(self.seed ^ draw.rotate_left(32));
        shuffled(&mut random)
    }

    /// What is wrong in a draw.
    #[must_use]
    pub fn fault(&self, draw: u64) -> Option<Fault> {
        match self.trouble {
            Trouble::None => None,
            Trouble::Always(fault) => Some(fault),
            Trouble::Any => {
                let place = draw.wrapping_add(self.seed) % (FAULTS.len() as u64 + 1);
                let place = usize::try_from(place).ok()?;
                FAULTS.get(place).map(|(fault, _)| *fault)
            }
        }
    }

    /// The ball at which what is wrong happens, from 2 to 19.
    fn at(&self, draw: u64) -> u8 {
        let mut random = ChaCha20Rng::seed_from_u64(self.seed ^ draw.rotate_left(32) ^ 1);
        2 + u8::try_from(random.next_u32() % 18).unwrap_or(0)
    }

    /// Answers a question at a moment, on a clock in UTC milliseconds.
    pub fn answer(&mut self, asked: Question, now_ms: i64) -> Answer {
        if now_ms < self.silent_until_ms {
            return Answer::Bytes(Vec::new());
        }
        let Question { draw, next } = asked;
        let (at, wrong) = (self.at(draw), self.fault(draw));
        let in_tubes = self.in_tubes(draw);
        let fresh = self.balls(draw);
        let random = ChaCha20Rng::seed_from_u64(self.seed ^ draw.rotate_left(32) ^ 2);
        let drawing = self.draws.entry(draw).or_insert_with(|| Drawing {
            balls: fresh,
            began_ms: now_ms,
            is_over: false,
            random,
        });
        let fallen = in_tubes.unwrap_or_else(|| match self.interval_ms {
            0 => i64::from(DRAWN),
            every => (now_ms - drawing.began_ms) / every,
        });
        let mut fallen = u8::try_from(fallen.clamp(0, i64::from(DRAWN))).unwrap_or(DRAWN);
        let (mut set, mut at_ms) = (self.set.clone(), now_ms);
        let mut standing = None;
        let has_come = fallen >= at;
        match wrong {
            Some(Fault::Short) if fallen >= DRAWN - 1 => {
                (fallen, standing) = (DRAWN - 1, Some(Standing::Ended));
            }
            Some(Fault::Stops) if has_come => {
                (fallen, standing) = (at, Some(Standing::Stopped));
            }
            Some(Fault::Forgets) if has_come && next > at => {
                drawing.balls = shuffled(&mut drawing.random);
                (drawing.began_ms, fallen) = (now_ms, 0);
            }
            Some(Fault::OtherSet) if has_come => set = format!("{set}x"),
            Some(Fault::Clock) => at_ms -= 3_600_000,
            _ => {}
        }
        let said = Said { draw, set, at_ms };
        let framed = |content| {
            let said = said.clone();
            Frame { said, content }.to_bytes()
        };
        let mut frames: Vec<Vec<u8>> = Vec::new();
        for mut position in next.max(1)..=fallen {
            let place = usize::from(position) - 1;
            let Some(mut number) = drawing.balls.get(place).copied() else {
                continue;
            };
            match wrong.filter(|_| position == at) {
                Some(Fault::Repeated) => number = drawing.balls[place - 1],
                Some(Fault::Zero) => number = 0,
                Some(Fault::Beyond) => number = POOL + 1,
                _ => {}
            }
            if wrong == Some(Fault::FromZero) {
                position -= 1;
            }
            frames.push(framed(Content::Ball { position, number }));
        }
        if wrong == Some(Fault::Changed) && next > at && !drawing.is_over {
            drawing.is_over = true;
            let (position, number) = (at, 1 + drawing.balls[usize::from(at) - 1] % POOL);
            frames.push(framed(Content::Ball { position, number }));
        }
        let standing = standing.unwrap_or(match fallen {
            DRAWN => Standing::Ended,
            _ => Standing::Alive,
        });
        let count = fallen;
        frames.push(framed(Content::Count { count, standing }));
        // The fault happens at one ball, once.
        let place = (next.max(1)..=fallen).position(|position| position == at);
        self.send(draw, place, frames, now_ms)
    }

    /// What of the frames of a draw comes to the wire.
    fn send(
        &mut self,
        draw: u64,
        place: Option<usize>,
        mut frames: Vec<Vec<u8>>,
        now_ms: i64,
    ) -> Answer {
        let yesterday = self.balls(draw.saturating_sub(100));
        let (set, wrong) = (self.set.clone(), self.fault(draw));
        let drawing = self.draws.get_mut(&draw);
        let hit = drawing.filter(|drawing| !drawing.is_over).zip(place);
        let Some(((drawing, place), fault)) = hit.zip(wrong) else {
            return Answer::Bytes(frames.concat());
        };
        let random = drawing.random.next_u32() as usize;
        let frame = frames[place].clone();
        let other = frames.get(place + 1).unwrap_or(&frames[0]).clone();
        match fault {
            Fault::Cut => frames[place].truncate(random % frame.len()),
            Fault::Flipped => {
                let bit = random % (frame.len() * 8);
                frames[place][bit / 8] ^= 1 << (bit % 8);
            }
            Fault::Doubled => frames.insert(place, frame),
            Fault::Interleaved => {
                let cut = 1 + random % (frame.len() - 1);
                let mixed = [&frame[..cut], &other, &frame[cut..]].concat();
                frames[place] = mixed;
                if place + 1 < frames.len() {
                    frames.remove(place + 1);
                }
            }
            Fault::Late if place + 1 < frames.len() => frames.swap(place, place + 1),
            Fault::Late => frames.push(frame),
            Fault::Noise => {
                let noise =
                    (0..1 + random % 200).map(|_| drawing.random.next_u32().to_le_bytes()[0]);
                let noise = noise.collect();
                frames.insert(place, noise);
            }
            Fault::Silent => {
                self.silent_until_ms = now_ms + 3_000;
                frames.truncate(place);
            }
            Fault::Reconnects => {
                drawing.is_over = true;
                return Answer::HangsUp;
            }
            Fault::Yesterday => {
                let old = (1..=DRAWN).zip(yesterday).map(|(position, number)| {
                    let said = Said {
                        draw: draw.saturating_sub(100),
                        set: set.clone(),
                        at_ms: now_ms - 86_400_000,
                    };
                    let content = Content::Ball { position, number };
                    Frame { said, content }.to_bytes()
                });
                frames.insert(place, old.collect::<Vec<_>>().concat());
            }
            _ => return Answer::Bytes(frames.concat()),
        }
        drawing.is_over = true;
        Answer::Bytes(frames.concat())
    }
}

fn shuffled(random: &mut ChaCha20Rng) -> Vec<u8> {
    let mut all: Vec<u8> = (1..=POOL).collect();
    let drawn = usize::from(DRAWN);
    for at in 0..drawn {
        let left = all.len() - at;
        all.swap(at, at + random.next_u32() as usize % left);
    }
    all.truncate(drawn);
    all
}
