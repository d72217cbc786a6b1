//! The balls of one draw, as a machine says them on its line: what counts, and what is wrong.
//!
//! The machine is asked for the next ball until it says that the draw is over; so what is lost on the
//! line is said again. A ball counts only if it is the next of this draw, of the set in the machine,
//! in the pool, and no other ball's; what cannot be stops the line, and never is a ball guessed. After
//! a silence, at a start in the middle, and at the end the machine says every ball once more: one that
//! began anew unseen is found out by that.
//! Nothing here reads a clock or touches a line.

use crate::ball_line::{Content, Frame, NoFrame, Question, Standing};

/// Nothing was heard for so long: the machine is silent.
pub const SILENCE_MS: i64 = 2_000;
/// No new ball was read for so long: people may enter them.
pub const STALLED_MS: i64 = 30_000;
/// So far the machine's clock may be from central's.
const CLOCK_MS: i64 = 5_000;
/// So much of a line is told.
const TOLD_MAX: usize = 64;

/// What was wrong on a line: in the record by its number. The list is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Incident {
    /// Signs that are no frame.
    Noise = 1,
    /// A frame that is cut, changed or mixed with another.
    FrameBroken = 2,
    /// A ball that was said already.
    FrameDoubled = 3,
    /// A ball before its turn.
    BallAhead = 4,
    /// A frame of another draw.
    OtherDraw = 5,
    /// Nothing was heard for [`SILENCE_MS`].
    Silent = 6,
    /// The connection was lost.
    ConnectionLost = 7,
    /// The machine's clock is not central's, or went back.
    ClockWrong = 8,
    /// People enter the balls from here on.
    TakenOver = 20,
    /// A number that another ball has.
    BallRepeated = 21,
    /// A number outside the pool.
    BallOutside = 22,
    /// Another number for a ball that counts.
    BallChanged = 23,
    /// A place that the draw does not have.
    PlaceOutside = 24,
    /// A set that is not in the machine, or another than before.
    OtherSet = 25,
    /// The draw is over for the machine, before its last ball.
    EndedShort = 26,
    /// The machine says that it is stopped.
    MachineStopped = 27,
    /// The machine knows fewer balls than count.
    Forgotten = 28,
}

/// Every incident, in the order of their numbers.
pub const INCIDENTS: [Incident; 17] = {
    use Incident::{
        BallAhead, BallChanged, BallOutside, BallRepeated, ClockWrong, ConnectionLost, EndedShort,
        Forgotten, FrameBroken, FrameDoubled, MachineStopped, Noise, OtherDraw, OtherSet,
        PlaceOutside, Silent, TakenOver,
    };
    [
        Noise,
        FrameBroken,
        FrameDoubled,
        BallAhead,
        OtherDraw,
        Silent,
        ConnectionLost,
        ClockWrong,
        TakenOver,
        BallRepeated,
        BallOutside,
        BallChanged,
        PlaceOutside,
        OtherSet,
        EndedShort,
        MachineStopped,
        Forgotten,
    ]
};

impl Incident {
    /// Its number in the record.
    #[must_use]
    pub fn number(self) -> u8 {
        self as u8
    }

    /// The incident of a number in the record.
    #[must_use]
    pub fn of(number: u8) -> Option<Self> {
        INCIDENTS.into_iter().find(|one| one.number() == number)
    }

    /// Its stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Noise => "noise",
            Self::FrameBroken => "frame_broken",
            Self::FrameDoubled => "frame_doubled",
            Self::BallAhead => "ball_ahead",
            Self::OtherDraw => "other_draw",
            Self::Silent => "silent",
            Self::ConnectionLost => "connection_lost",
            Self::ClockWrong => "clock_wrong",
            Self::TakenOver => "taken_over",
            Self::BallRepeated => "ball_repeated",
            Self::BallOutside => "ball_outside",
            Self::BallChanged => "ball_changed",
            Self::PlaceOutside => "place_outside",
            Self::OtherSet => "other_set",
            Self::EndedShort => "ended_short",
            Self::MachineStopped => "machine_stopped",
            Self::Forgotten => "forgotten",
        }
    }

    /// Whether nothing more of the draw is read after it.
    #[must_use]
    pub fn stops(self) -> bool {
        self >= Self::TakenOver
    }
}

/// What was heard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// A ball that counts.
    Ball {
        /// Place in the order, from 1.
        position: u8,
        /// The number.
        number: u8,
        /// The set, as the machine names it.
        set: String,
        /// The machine's clock, UTC milliseconds; 0 where it has none.
        at_ms: i64,
    },
    /// Something is wrong; `said` is the line, as far as it can be shown.
    Incident {
        /// What.
        incident: Incident,
        /// The line.
        said: String,
    },
}

/// What is read of one draw.
#[derive(Debug, Clone)]
pub struct BallReader {
    draw: u64,
    pool_size: u8,
    drawn: u8,
    /// The set in the machine, once it is known.
    set: Option<String>,
    balls: Vec<u8>,
    /// When what it says of this draw fitted last, on a clock that nobody can set, milliseconds.
    heard_at: i64,
    /// When the last ball came to count.
    ball_at: i64,
    /// Incidents that were told: each once.
    told: u32,
    is_silent: bool,
    said_at_ms: i64,
    has_stopped: bool,
    /// The balls that count are said once more: so many were by now.
    again: Option<usize>,
    /// Every ball was said once more at the end.
    is_whole_twice: bool,
}

/// A line as far as it can be shown: printable ASCII, cut.
fn shown(line: &[u8]) -> String {
    let signs = line.iter().take(TOLD_MAX);
    signs
        .map(|sign| match sign {
            b' '..=b'~' => char::from(*sign),
            _ => '?',
        })
        .collect()
}

impl BallReader {
    /// A reader of a draw of `drawn` balls out of a pool, of which `balls` count already; `set` is in
    /// the machine, where that is known.
    #[must_use]
    pub fn new(
        draw: u64,
        (pool_size, drawn): (u8, u8),
        set: Option<String>,
        balls: Vec<u8>,
        now: i64,
    ) -> Self {
        Self {
            draw,
            pool_size,
            drawn,
            set,
            again: (!balls.is_empty()).then_some(0),
            is_whole_twice: false,
            balls,
            heard_at: now,
            ball_at: now,
            told: 0,
            is_silent: false,
            said_at_ms: 0,
            has_stopped: false,
        }
    }

    /// The draw.
    #[must_use]
    pub fn draw(&self) -> u64 {
        self.draw
    }

    /// The balls that count, in order.
    #[must_use]
    pub fn balls(&self) -> &[u8] {
        &self.balls
    }

    /// Whether every ball counts, and the machine said each twice and that the draw is over.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.is_whole_twice && !self.has_stopped
    }

    /// Whether nothing more is read.
    #[must_use]
    pub fn has_stopped(&self) -> bool {
        self.has_stopped
    }

    /// What the machine is asked.
    #[must_use]
    pub fn question(&self) -> Question {
        let next = self.again.unwrap_or(self.balls.len()) + 1;
        Question {
            draw: self.draw,
            next: u8::try_from(next).unwrap_or(u8::MAX),
        }
    }

    /// Takes the connection for lost.
    pub fn lose(&mut self) -> Option<Heard> {
        self.ask_again();
        self.tell(Incident::ConnectionLost, String::new())
    }

    /// Notices silence, once until something is heard; `now` is on the clock that nobody can set.
    pub fn wait(&mut self, now: i64) -> Option<Heard> {
        if self.is_silent || self.is_complete() || now - self.heard_at < SILENCE_MS {
            return None;
        }
        self.is_silent = true;
        self.ask_again();
        self.tell(Incident::Silent, String::new())
    }

    /// Every ball that counts is to be said once more.
    fn ask_again(&mut self) {
        self.again = (!self.balls.is_empty()).then_some(0);
    }

    /// Whether nothing was heard for so long that it was noticed.
    #[must_use]
    pub fn is_silent(&self) -> bool {
        self.is_silent
    }

    /// Whether no ball came to count for so long that people may enter them.
    #[must_use]
    pub fn is_stalled(&self, now: i64) -> bool {
        !self.is_complete() && now - self.ball_at >= STALLED_MS
    }

    /// Judges a line: `now` on the clock that nobody can set, `wall_ms` on that of the house, both in
    /// milliseconds.
    pub fn hear(&mut self, read: Result<Frame, NoFrame>, now: i64, wall_ms: i64) -> Vec<Heard> {
        let mut heard = Vec::new();
        if self.has_stopped {
            return heard;
        }
        match read {
            Err(NoFrame::Noise(line)) => heard.extend(self.tell(Incident::Noise, shown(&line))),
            Err(NoFrame::Broken(line)) => {
                heard.extend(self.tell(Incident::FrameBroken, shown(&line)));
            }
            Ok(frame) => {
                let line = frame.to_bytes();
                let said = shown(line.trim_ascii_end());
                if frame.said.draw != self.draw {
                    heard.extend(self.tell(Incident::OtherDraw, said));
                    return heard;
                }
                if !self.is_clock_right(frame.said.at_ms, wall_ms) {
                    heard.extend(self.tell(Incident::ClockWrong, said.clone()));
                }
                let before = (self.balls.len(), self.again);
                let content = frame.content;
                heard.extend(self.judge(frame, said));
                // Whoever counts balls that it does not say is not heard.
                let has_gone_on = (self.balls.len(), self.again) != before;
                if has_gone_on || self.says_all(content) {
                    (self.heard_at, self.is_silent) = (now, false);
                }
                if self.balls.len() != before.0 {
                    self.ball_at = now;
                }
            }
        }
        heard
    }

    /// Whether it counts the balls that it has said, and no more.
    fn says_all(&self, content: Content) -> bool {
        matches!(content, Content::Count { count, .. }
            if self.again.is_none() && usize::from(count) == self.balls.len())
    }

    fn is_clock_right(&mut self, at_ms: i64, wall_ms: i64) -> bool {
        let before = std::mem::replace(&mut self.said_at_ms, at_ms);
        at_ms == 0 || (at_ms >= before && at_ms.abs_diff(wall_ms) <= CLOCK_MS.unsigned_abs())
    }

    fn tell(&mut self, incident: Incident, said: String) -> Option<Heard> {
        let bit = 1_u32 << incident.number();
        if self.has_stopped || self.told & bit != 0 {
            return None;
        }
        self.told |= bit;
        self.has_stopped = incident.stops();
        Some(Heard::Incident { incident, said })
    }

    /// Judges a frame of this draw.
    fn judge(&mut self, frame: Frame, said: String) -> Option<Heard> {
        let Frame { said: of, content } = frame;
        if self.set.as_ref().is_some_and(|set| *set != of.set) {
            return self.tell(Incident::OtherSet, said);
        }
        let wrong = match content {
            Content::Ball { position, number } => self.wrong_ball(usize::from(position), number),
            Content::Count { count, standing } => self.wrong_count(count, standing),
        };
        if let Some(incident) = wrong {
            return self.tell(incident, said);
        }
        let Content::Ball { position, number } = content else {
            return None;
        };
        // Said once more, or new while others are still to be said once more.
        if usize::from(position) <= self.balls.len()
            || self.again.is_some_and(|so_far| so_far < self.balls.len())
        {
            return None;
        }
        if let Some(so_far) = &mut self.again {
            *so_far += 1;
        }
        self.balls.push(number);
        self.set = Some(of.set.clone());
        Some(Heard::Ball {
            position,
            number,
            set: of.set,
            at_ms: of.at_ms,
        })
    }

    fn wrong_ball(&mut self, position: usize, number: u8) -> Option<Incident> {
        let counted = self.balls.len();
        if !(1..=usize::from(self.drawn)).contains(&position) {
            return Some(Incident::PlaceOutside);
        }
        if !(1..=self.pool_size).contains(&number) {
            return Some(Incident::BallOutside);
        }
        if let Some(known) = self.balls.get(position - 1) {
            if *known != number {
                return Some(Incident::BallChanged);
            }
            let Some(so_far) = &mut self.again else {
                return Some(Incident::FrameDoubled);
            };
            if position == *so_far + 1 {
                *so_far = position;
            }
            return None;
        }
        if self.balls.contains(&number) {
            return Some(Incident::BallRepeated);
        }
        (position > counted + 1).then_some(Incident::BallAhead)
    }

    fn wrong_count(&mut self, count: u8, standing: Standing) -> Option<Incident> {
        if count > self.drawn {
            return Some(Incident::PlaceOutside);
        }
        if usize::from(count) < self.balls.len() {
            return Some(Incident::Forgotten);
        }
        match standing {
            Standing::Stopped => return Some(Incident::MachineStopped),
            Standing::Ended if count < self.drawn => return Some(Incident::EndedShort),
            Standing::Alive | Standing::Ended => {}
        }
        let is_over = standing == Standing::Ended && self.balls.len() == usize::from(self.drawn);
        if self.again.is_none() && is_over && !self.is_whole_twice {
            self.ask_again();
        } else if self.again.is_some_and(|so_far| so_far >= self.balls.len()) {
            (self.again, self.is_whole_twice) = (None, is_over);
        }
        None
    }
}
