//! Balls that the machine reads: it is asked over its line while a draw of balls is under way that
//! nobody enters, each ball that it says is recorded at once, and each thing that is wrong by its name.

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Weak};
use std::time::Duration;

use keno_draw::ball_line::{Content, Question, read};
use keno_draw::ball_reader::{BallReader, Heard, Incident};
use keno_draw_machine::ball_link::BallLink;
use keno_game::DrawState;
use keno_log::event::{BallRead, LineIncident};
use keno_record::fault::chain;
use keno_record::sequencer::{Judge, Lane};
use keno_record::view::DrawInfo;

use crate::central::Central;
use crate::central::ball_line::{BallLine, LineStanding, Reading};
use crate::draw::steps::Draw;
use crate::{Refusal, Stop};

/// From an answer to the next question: a ball is on the board within a quarter of a second.
const ASK_EVERY_MS: i64 = 100;
/// For an answer.
const ANSWER_MS: i64 = 500;
/// From one question to the next while no draw is under way, of a draw that is none: is it there?
const ASK_IDLE_MS: i64 = 1_000;
/// An answer is so long a sign that it is.
const ANSWERS_MS: i64 = 3_000;
/// From a wire that is gone to the next try.
const CALL_EVERY_MS: i64 = 1_000;
/// Without a frame for so long the wire is opened anew.
const HANGS_UP_MS: i64 = 5_000;
/// After each look while a draw is read.
const BREATH: Duration = Duration::from_millis(2);
/// How long the thread rests while no draw is read.
const LOOK_EVERY: Duration = Duration::from_millis(50);

impl Draw {
    /// Records a ball that the machine read.
    fn read_ball(self, central: &Central, ball: BallRead) -> Result<(), Stop> {
        central.sequencer.submit_blocking(Lane::Draw, move |judge| {
            let live = self.drawing_balls(judge)?;
            let is_next = live.hands.counted.len() + 1 == usize::from(ball.position);
            let is_ball = (1..=live.pool_size).contains(&ball.number)
                && !live.hands.counted.contains(&ball.number);
            let set = live.ball_set.as_ref();
            let is_set = set.is_none_or(|set| *set == ball.ball_set);
            if !(live.hands.may_read() && is_next && is_ball && is_set) {
                let state = live.state.name();
                return Err(Refusal::DrawStepRefused { state }.into());
            }
            judge.record(ball.clone())?;
            Ok(())
        })
    }

    /// Records what is wrong with the line, once for each draw.
    fn note_line(self, central: &Central, incident: Incident, said: &str) -> Result<(), Stop> {
        let said = said.to_owned();
        central.sequencer.submit_blocking(Lane::Draw, move |judge| {
            self.record_incident(judge, incident, &said)
        })
    }

    /// As a part of what is judged.
    pub(super) fn record_incident(
        self,
        judge: &mut Judge<'_>,
        incident: Incident,
        said: &str,
    ) -> Result<(), Stop> {
        let live = self.drawing_balls(judge)?;
        let hands = &live.hands;
        if hands.line.has_stopped || hands.line.has_had(incident.number()) {
            return Ok(());
        }
        let counted = u8::try_from(hands.counted.len()).unwrap_or(u8::MAX);
        judge.record(LineIncident {
            draw: self.0,
            incident: incident.number(),
            counted,
            said: said.to_owned(),
        })?;
        Ok(())
    }
}

/// The draw that the machine is to read: the one of balls that is being drawn, if nobody enters it.
fn to_be_read(central: &Central) -> Option<Arc<DrawInfo>> {
    let view = central.view.get();
    let mut draws = view.draws.values();
    let found = draws.find(|draw| {
        draw.is_of_balls() && draw.state() == DrawState::Drawing && draw.may_be_read()
    });
    found.cloned()
}

impl BallLine {
    /// One look at the line: for how long it is left alone after it.
    pub fn turn(&self, central: &Central) -> Duration {
        let now = central.clock.monotonic_ms();
        let mut reading = self.reading.lock();
        let rests = reading.turn(self, central);
        let reader = reading.reader.as_ref();
        self.stands(LineStanding {
            is_connected: reading.link.is_some(),
            answers: reading.link.is_some()
                && (reading.heard_at).is_some_and(|at| now - at < ANSWERS_MS),
            draw: reader.map(BallReader::draw),
            is_silent: reader.is_some_and(BallReader::is_silent),
            is_stalled: reader.is_some_and(|reader| reader.is_stalled(now)),
        });
        rests
    }

    /// Reads on a thread of its own, until [`Self::stop`] or until central is gone.
    ///
    /// # Errors
    /// When no thread can be started.
    pub fn start(self: &Arc<Self>, central: &Arc<Central>) -> io::Result<()> {
        let (stop, stopped) = channel();
        let (weak, line) = (Arc::downgrade(central), Arc::clone(self));
        let thread = std::thread::Builder::new()
            .name("ball-line".to_owned())
            .spawn(move || run(&weak, &line, &stopped))?;
        *self.thread.lock() = Some((stop, thread));
        Ok(())
    }

    /// Reads nothing more, and holds central no more.
    pub fn stop(&self) {
        let Some((stop, thread)) = self.thread.lock().take() else {
            return;
        };
        drop(stop);
        if thread.join().is_err() {
            tracing::error!("the thread of the ball machine ended in a panic");
        }
    }
}

impl Reading {
    fn turn(&mut self, line: &BallLine, central: &Central) -> Duration {
        let now = central.clock.monotonic_ms();
        let draw = to_be_read(central);
        self.look_at(draw.as_deref(), now);
        self.call(line, now);
        let mut heard = self.listen(line, central);
        if let Some(reader) = &mut self.reader {
            heard.extend(reader.wait(now));
        }
        for one in heard {
            self.record(line, central, one);
        }
        if let Some(lost) = self.ask(line, now) {
            self.record(line, central, lost);
        }
        self.hang_up(now);
        match self.link.is_some() && self.reader.is_some() {
            // To listen is to wait; under a flood others have their turn.
            true => BREATH,
            false => LOOK_EVERY,
        }
    }

    /// Reads the draw that is under way, from the ball at which it stands.
    fn look_at(&mut self, draw: Option<&DrawInfo>, now: i64) {
        let Some(draw) = draw else {
            self.reader = None;
            return;
        };
        let reads = self.reader.as_ref().map(BallReader::draw);
        if reads != Some(draw.number()) {
            let set = draw.ball_set().or(draw.set_read()).map(str::to_owned);
            let balls = draw.counted().to_vec();
            let reader = BallReader::new(draw.number(), draw.pool(), set, balls, now);
            (self.reader, self.asks_at) = (Some(reader), now);
        }
    }

    /// Opens the wire, where it is not open.
    fn call(&mut self, line: &BallLine, now: i64) {
        if self.link.is_some() || now < self.calls_at {
            return;
        }
        match BallLink::open(&line.machine.place) {
            Ok(link) => {
                self.lines.clear();
                (self.link, self.trouble) = (Some(link), None);
                (self.asks_at, self.opened_at) = (now, now);
            }
            Err(fault) => self.lose(line, now, &fault),
        }
    }

    /// A wire on which nothing comes is opened anew: a machine that lost its power knows nothing of the
    /// connection that it had.
    fn hang_up(&mut self, now: i64) {
        let since = self
            .heard_at
            .map_or(self.opened_at, |at| at.max(self.opened_at));
        if self.link.is_some() && now - since >= HANGS_UP_MS {
            (self.link, self.calls_at) = (None, now);
        }
    }

    fn lose(&mut self, line: &BallLine, now: i64, fault: &io::Error) {
        self.link = None;
        self.calls_at = now + CALL_EVERY_MS;
        let why = fault.to_string();
        let (machine, place) = (&line.machine.name, &line.machine.place);
        if self.trouble.as_ref() != Some(&why) {
            tracing::warn!(%machine, %place, %why, "the line of the ball machine does not stand");
            self.trouble = Some(why);
        }
    }

    /// What has come on the wire by now.
    fn listen(&mut self, line: &BallLine, central: &Central) -> Vec<Heard> {
        let mut heard = Vec::new();
        let Some(link) = &mut self.link else {
            return heard;
        };
        let mut bytes = [0; 1_024];
        let (now, wall_ms) = (central.clock.monotonic_ms(), central.clock.now_ms());
        let count = match link.receive(&mut bytes) {
            Ok(count) => count,
            Err(fault) => {
                self.lose(line, now, &fault);
                heard.extend(self.reader.as_mut().and_then(BallReader::lose));
                return heard;
            }
        };
        for byte in bytes.iter().take(count) {
            let Some(said) = self.lines.take(*byte) else {
                continue;
            };
            let read = read(said);
            if read.is_ok() {
                self.heard_at = Some(now);
            }
            let Some(reader) = &mut self.reader else {
                continue;
            };
            if let Ok(frame) = &read
                && frame.said.draw == reader.draw()
            {
                self.asks_at = match frame.content {
                    // The last frame of an answer: the machine is asked again a little later.
                    Content::Count { .. } => self.asks_at.min(now + ASK_EVERY_MS),
                    // More of it comes, on a slow line for a while.
                    Content::Ball { .. } => self.asks_at.max(now + ANSWER_MS),
                };
            }
            // What it answered when it was asked of no draw.
            if read.as_ref().is_ok_and(|frame| frame.said.draw == 0) {
                continue;
            }
            heard.extend(reader.hear(read, now, wall_ms));
        }
        heard
    }

    /// Records what was heard; where that is refused the draw is not read any more.
    fn record(&mut self, line: &BallLine, central: &Central, heard: Heard) {
        let Some(number) = self.reader.as_ref().map(BallReader::draw) else {
            return;
        };
        let draw = Draw(number);
        // What has another name in the house file by now is the same machine for this draw.
        let view = central.view.get();
        let begun = view.draws.get(&number).map(|draw| draw.line());
        let machine = match begun {
            Some(begun) if begun.has_read() => begun.machine.clone(),
            _ => line.machine.name.clone(),
        };
        let recorded = match heard {
            Heard::Ball {
                position,
                number: ball,
                set,
                at_ms,
            } => draw.read_ball(
                central,
                BallRead {
                    draw: number,
                    position,
                    number: ball,
                    ball_set: set,
                    machine,
                    said_at_ms: at_ms,
                },
            ),
            Heard::Incident { incident, said } => draw.note_line(central, incident, &said),
        };
        match recorded {
            Ok(()) => {}
            // People enter by now, or it is interrupted.
            Err(Stop::Refused(_)) => self.reader = None,
            Err(Stop::Broke(fault) | Stop::Undone(fault)) => {
                tracing::error!(fault = %chain(&fault), "what the ball machine said is not recorded");
                // What is on record is read again from there.
                self.reader = None;
            }
        }
    }

    /// Asks for what comes next; of no draw while none is read.
    fn ask(&mut self, line: &BallLine, now: i64) -> Option<Heard> {
        let link = self.link.as_mut().filter(|_| now >= self.asks_at)?;
        let is_over = |reader: &&BallReader| reader.is_complete() || reader.has_stopped();
        let (question, again_in) = match self.reader.as_ref() {
            Some(reader) if !is_over(&reader) => (reader.question(), ANSWER_MS),
            _ => (Question { draw: 0, next: 1 }, ASK_IDLE_MS),
        };
        self.asks_at = now + again_in;
        if let Err(fault) = link.send(&question.to_bytes()) {
            self.lose(line, now, &fault);
            return self.reader.as_mut().and_then(BallReader::lose);
        }
        None
    }
}

fn run(central: &Weak<Central>, line: &BallLine, stopped: &Receiver<()>) {
    let mut rests = Duration::ZERO;
    loop {
        match stopped.recv_timeout(rests) {
            Err(RecvTimeoutError::Timeout) | Ok(()) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        let Some(central) = central.upgrade() else {
            return;
        };
        rests = line.turn(&central);
    }
}
