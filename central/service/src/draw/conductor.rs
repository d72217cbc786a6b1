//! The schedule: which step is due, and taking it.
//!
//! [`Step::due`] is pure: a picture and a moment give the next step. The conductor's thread asks it
//! and takes the step; a draw that is late never blocks the sale of the next.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use chrono::NaiveTime;
use keno_game::DrawState;
use keno_record::calendar::Calendar;
use keno_record::fault::chain;
use keno_record::people::GUARD;
use keno_record::state::SILENCE_MS;
use keno_record::view::{DrawInfo, View};
use keno_words::Say;
use parking_lot::Mutex;

use crate::central::Central;
use crate::central::schedule::Schedule;
use crate::draw::steps::{Draw, halt_schedule};
use crate::refusal::Refusal;
use crate::{Fault, Stop, bounds};

/// A step that is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Announce, commit to and open a draw.
    Schedule {
        /// Draw number.
        draw: u64,
        /// When its first number is to be shown.
        draws_at_ms: i64,
    },
    /// Close and seal a draw.
    Close(u64),
    /// Hand out the seal.
    Start(u64),
    /// Have the machine draw.
    Record(u64),
    /// Declare the numbers official.
    Certify(u64),
    /// Publish the secrets.
    Reveal(u64),
    /// Write the next slice of prizes.
    Settle(u64),
}

impl Step {
    /// The draw that the step is of.
    pub fn draw(&self) -> u64 {
        match *self {
            Self::Schedule { draw, .. }
            | Self::Close(draw)
            | Self::Start(draw)
            | Self::Record(draw)
            | Self::Certify(draw)
            | Self::Reveal(draw)
            | Self::Settle(draw) => draw,
        }
    }
}

/// The first slot of the schedule after `after_ms`.
pub fn next_slot(schedule: &Schedule, calendar: Calendar, after_ms: i64) -> i64 {
    const DAY_MS: i64 = 86_400_000;
    let every_ms = i64::from(schedule.every_minutes.max(1)) * 60_000;
    let mut day = after_ms;
    // Two days on there is always a slot: a day has at least its first.
    for _ in 0..4 {
        let first = calendar.at_time(day, schedule.first);
        let last = calendar.at_time(day, schedule.last);
        let slot = if after_ms < first {
            first
        } else {
            first + ((after_ms - first) / every_ms + 1) * every_ms
        };
        if slot <= last {
            return slot;
        }
        // Noon of the next day, whatever the clocks do in the night.
        day = calendar.at_time(day, NaiveTime::MIN) + DAY_MS + DAY_MS / 2;
    }
    after_ms + every_ms
}

impl Step {
    /// The next step that is due, if any: closing first, then the draw under way, then announcing.
    ///
    /// `waits` says which draws are left alone for now, because a step of theirs just failed: a draw
    /// in trouble must not hold the others up.
    pub fn due(
        view: &View,
        schedule: &Schedule,
        calendar: Calendar,
        now_ms: i64,
        waits: impl Fn(u64) -> bool,
    ) -> Option<Step> {
        if view.schedule_halted.is_some() {
            return None;
        }
        for draw in view.draws.values() {
            if draw.state() == DrawState::Open && now_ms >= draw.closes_at_ms() {
                // In their order: else a later draw of a ticket could have its numbers while the ticket
                // can still be cancelled, its first draw being open.
                if waits(draw.number()) {
                    break;
                }
                return Some(Step::Close(draw.number()));
            }
        }
        // There is one ball machine: a draw begins once the one before it is decided.
        let mut is_machine_free = true;
        for draw in view.draws.values() {
            let number = draw.number();
            let is_free = is_machine_free;
            let has_begun = matches!(draw.state(), DrawState::Drawing | DrawState::Suspended);
            is_machine_free &= !(draw.is_of_balls() && has_begun);
            if waits(number) {
                continue;
            }
            let hidden = draw.holders().iter().any(|holder| holder.secret.is_none());
            match draw.state() {
                DrawState::Closed if draw.is_of_balls() && !is_free => {}
                // Without a room that is ready people open one, postpone it, or void it.
                DrawState::Closed
                    if draw.is_of_balls() && !view.room.is_ready(draw.pool().0, now_ms) => {}
                DrawState::Closed if now_ms >= draw.draws_at_ms() - schedule.start_lead_ms => {
                    return Some(Step::Start(number));
                }
                // People enter what the machine has drawn, and declare it official.
                DrawState::Drawing | DrawState::Drawn if draw.is_of_balls() => {}
                DrawState::Drawing => return Some(Step::Record(number)),
                DrawState::Drawn
                    if draw
                        .reveal_ends_ms(schedule.ball_interval_ms)
                        .is_some_and(|end| now_ms >= end) =>
                {
                    return Some(Step::Certify(number));
                }
                DrawState::Official if hidden && !draw.is_of_balls() => {
                    return Some(Step::Reveal(number));
                }
                DrawState::Official => return Some(Step::Settle(number)),
                // The secrets of a void draw are published too.
                DrawState::Void
                    if hidden
                        && draw
                            .holders()
                            .iter()
                            .all(|holder| holder.commitment.is_some()) =>
                {
                    return Some(Step::Reveal(number));
                }
                _ => {}
            }
        }
        let open = view
            .draws
            .values()
            .filter(|draw| draw.state() == DrawState::Open)
            .count();
        if u64::try_from(open).unwrap_or(u64::MAX) < schedule.saleable_draws {
            // Draws that a new epoch made void leave their moments free: the house draws at once.
            let of_epoch = |draw: &&Arc<DrawInfo>| draw.number() >= view.epoch.next_draw;
            let (draw, after_ms) = match view.draws.values().next_back().filter(of_epoch) {
                Some(last) => (
                    last.number() + 1,
                    last.draws_at_ms().max(now_ms + schedule.close_before_ms),
                ),
                None => (
                    view.house
                        .as_ref()
                        .map_or(1, |house| house.first_draw)
                        .max(view.epoch.next_draw),
                    now_ms + schedule.close_before_ms,
                ),
            };
            view.rules_for(draw)?;
            if waits(draw) {
                return None;
            }
            return Some(Step::Schedule {
                draw,
                draws_at_ms: next_slot(schedule, calendar, after_ms),
            });
        }
        None
    }
}

/// A draw whose step failed is tried again after so long.
const TRY_AGAIN_MS: i64 = 2_000;
/// So long after its moment a draw waits for a host that is away, before people decide about it.
const AWAY_MS: i64 = 60_000;

/// A jump of the wall clock against the monotonic one that halts the schedule.
const JUMP_MS: i64 = 5_000;

/// Watches the wall clock against the one that nobody can set.
#[derive(Debug, Default)]
pub struct ClockWatch(Option<(i64, i64)>);

impl ClockWatch {
    /// What the wall clock should show, when it jumped.
    pub fn jumped(&mut self, wall_ms: i64, monotonic_ms: i64) -> Option<i64> {
        let before = self.0.replace((wall_ms, monotonic_ms));
        let (wall, monotonic) = before?;
        let expected = wall + (monotonic_ms - monotonic);
        ((wall_ms - expected).abs() > JUMP_MS).then_some(expected)
    }
}

impl Conductor {
    /// Takes every step that is due. Returns how many were taken.
    pub fn tick(central: &Central) -> usize {
        tick_at(central, central.clock.now_ms())
    }
}

/// Takes every step that is due at a moment that was judged before: a clock that jumps
/// between the look at it and the steps must not decide any of them.
fn tick_at(central: &Central, now_ms: i64) -> usize {
    let mut taken = 0;
    // A bound, so that a step that changes nothing cannot spin.
    for _ in 0..10_000 {
        let view = central.view.get();
        let step = Step::due(&view, &central.schedule, central.calendar, now_ms, |draw| {
            central
                .troubled_draws
                .lock()
                .get(&draw)
                .is_some_and(|until| now_ms < *until)
        });
        let Some(step) = step else {
            return taken;
        };
        let troubled = || central.troubled_draws.lock();
        match take(central, &step) {
            Ok(()) => {
                troubled().remove(&step.draw());
                taken += 1;
            }
            Err(stop) => {
                // A holder whose journal went with the lost part will never know the secret of
                // a draw of before: it is asked again when central is started anew.
                let epoch = view.epoch;
                let is_lost = epoch.number > 1
                    && step.draw() < epoch.next_draw
                    && matches!(step, Step::Reveal(_));
                let until = if is_lost {
                    i64::MAX
                } else {
                    now_ms + TRY_AGAIN_MS
                };
                troubled().insert(step.draw(), until);
                step_failed(central, &step, &stop);
            }
        }
    }
    taken
}

fn take(central: &Central, step: &Step) -> Result<(), Stop> {
    match *step {
        Step::Schedule { draw, draws_at_ms } => Draw(draw).schedule(
            central,
            draws_at_ms - central.schedule.close_before_ms,
            draws_at_ms,
        ),
        Step::Close(draw) => Draw(draw).close(central),
        Step::Start(draw) => Draw(draw).start(central),
        Step::Record(draw) => Draw(draw).record_balls(central),
        Step::Certify(draw) => Draw(draw).certify(central, vec![GUARD.to_owned()]),
        Step::Reveal(draw) => Draw(draw).reveal_secrets(central),
        Step::Settle(draw) => Draw(draw).settle(central).map(drop),
    }
}

/// A machine that fails interrupts its draw, and people decide; anything else is tried
/// again at the next tick.
fn step_failed(central: &Central, step: &Step, stop: &Stop) {
    let words = match stop {
        Stop::Refused(refusal) => refusal.en(),
        Stop::Broke(fault) | Stop::Undone(fault) => chain(fault),
    };
    tracing::error!(?step, %words, "a draw step failed");
    let machine_failed = match stop {
        Stop::Broke(Fault::Machine(_)) | Stop::Undone(Fault::Machine(_)) => true,
        // Its journal lets it come back with the same numbers.
        Stop::Broke(Fault::Away(_)) => {
            let view = central.view.get();
            let draw = view.draws.get(&step.draw());
            draw.is_some_and(|draw| central.clock.now_ms() > draw.draws_at_ms() + AWAY_MS)
        }
        _ => false,
    };
    if let (Step::Record(draw), true) = (step, machine_failed)
        && let Err(second) = Draw(*draw).suspend(central, &bounds::cut(&words), GUARD)
        && !matches!(second, Stop::Refused(Refusal::DrawStepRefused { .. }))
    {
        tracing::error!(draw, "the draw could not be suspended either");
    }
}

impl Conductor {
    /// Halts the schedule when the last leaf is more than a day old: the machine may have been
    /// off, or its clock may be wrong.
    ///
    /// # Errors
    /// A fault.
    pub fn check_silence(central: &Central, last_at_ms: i64) -> Result<bool, Stop> {
        let now_ms = central.clock.now_ms();
        if last_at_ms > 0 && now_ms - last_at_ms > SILENCE_MS {
            halt_schedule(central, 2, now_ms, last_at_ms)?;
            return Ok(true);
        }
        Ok(false)
    }
}

/// The conductor's thread.
pub struct Conductor {
    stop: Mutex<Option<Sender<()>>>,
    thread: Mutex<Option<std::thread::JoinHandle<()>>>,
}

impl std::fmt::Debug for Conductor {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Conductor(..)")
    }
}

/// How often the conductor looks.
const LOOK_EVERY: Duration = Duration::from_millis(50);

impl Conductor {
    /// Starts the thread.
    ///
    /// # Errors
    /// When no thread can be started.
    pub fn start(central: Arc<Central>) -> std::io::Result<Self> {
        let (stop, stopped) = channel();
        let thread = std::thread::Builder::new()
            .name("conductor".to_owned())
            .spawn(move || run(&central, &stopped))?;
        Ok(Self {
            stop: Mutex::new(Some(stop)),
            thread: Mutex::new(Some(thread)),
        })
    }

    /// Stops the thread after the step in hand.
    pub fn stop(&self) {
        drop(self.stop.lock().take());
        let thread = self.thread.lock().take();
        if let Some(thread) = thread
            && thread.join().is_err()
        {
            tracing::error!("the conductor ended in a panic");
        }
    }
}

impl Drop for Conductor {
    fn drop(&mut self) {
        self.stop();
    }
}

fn run(central: &Central, stopped: &Receiver<()>) {
    let mut rounds = Rounds::default();
    loop {
        match stopped.recv_timeout(LOOK_EVERY) {
            Err(RecvTimeoutError::Timeout) | Ok(()) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        rounds.look(central);
    }
}

/// What the conductor does each time it looks.
#[derive(Debug, Default)]
pub struct Rounds {
    watch: ClockWatch,
    /// What the clock showed and should have, until the halt is recorded.
    jump: Option<(i64, i64)>,
    reserve_looked_at: i64,
}

impl Rounds {
    /// Looks at the clock, and takes the steps that are due.
    pub fn look(&mut self, central: &Central) {
        let (wall, monotonic) = (central.clock.now_ms(), central.clock.monotonic_ms());
        if let Some(expected) = self.watch.jumped(wall, monotonic) {
            tracing::error!(wall, expected, "the clock jumped; the schedule is halted");
            self.jump = Some((wall, expected));
        }
        // A jump stays known until the halt is in the record: the watch sees it only once, and no
        // step may be taken by a clock that two people have not confirmed.
        if let Some((seen, expected)) = self.jump {
            if let Err(fault) = halt_schedule(central, 1, seen, expected) {
                tracing::error!(%fault, "the schedule could not be halted; no step is taken");
                return;
            }
            self.jump = None;
        }
        tick_at(central, wall);
        // Space may have returned: looked at every ten seconds.
        if central.reserve.is_released() && monotonic - self.reserve_looked_at >= 10_000 {
            self.reserve_looked_at = monotonic;
            central.reserve.try_keep();
        }
    }
}

#[cfg(test)]
mod tests {
    use keno_record::clock::{Clock, ManualClock};

    use super::*;

    fn schedule(first: &str, last: &str, every_minutes: u16) -> Schedule {
        Schedule {
            every_minutes,
            first: first.parse().unwrap(),
            last: last.parse().unwrap(),
            close_before_ms: 10_000,
            ball_interval_ms: 2_000,
            saleable_draws: 3,
            start_lead_ms: 1_500,
            balls: None,
        }
    }

    fn moment(text: &str) -> i64 {
        chrono::DateTime::parse_from_rfc3339(text)
            .unwrap()
            .timestamp_millis()
    }

    #[test]
    fn slots_follow_the_house_hours_and_the_night() {
        let calendar = Calendar::new("America/Toronto").unwrap();
        let hours = schedule("09:00:00", "23:00:00", 5);
        for (after, slot) in [
            ("2026-11-20T08:00:00-05:00", "2026-11-20T09:00:00-05:00"),
            ("2026-11-20T09:00:00-05:00", "2026-11-20T09:05:00-05:00"),
            ("2026-11-20T09:04:59-05:00", "2026-11-20T09:05:00-05:00"),
            ("2026-11-20T23:00:00-05:00", "2026-11-21T09:00:00-05:00"),
            ("2026-10-31T23:30:00-04:00", "2026-11-01T09:00:00-05:00"),
            ("2026-03-07T23:30:00-05:00", "2026-03-08T09:00:00-04:00"),
        ] {
            assert_eq!(
                next_slot(&hours, calendar, moment(after)),
                moment(slot),
                "{after}"
            );
        }
    }

    #[test]
    fn slots_never_repeat_through_both_nights_of_the_year() {
        let calendar = Calendar::new("America/Toronto").unwrap();
        let always = schedule("00:00:00", "23:58:00", 2);
        for start in ["2026-10-31T20:00:00-04:00", "2026-03-07T20:00:00-05:00"] {
            let mut at = moment(start);
            for _ in 0..400 {
                let next = next_slot(&always, calendar, at);
                assert!(
                    next > at && next - at <= 3 * 60_000 + 3_600_000,
                    "{at} {next}"
                );
                at = next;
            }
        }
    }

    #[test]
    fn a_jump_is_seen_and_passing_time_is_not() {
        let mut watch = ClockWatch::default();
        assert_eq!(watch.jumped(1_000, 0), None);
        assert_eq!(watch.jumped(1_000_000, 999_000), None);
        assert_eq!(watch.jumped(1_060_000, 999_100), Some(1_000_100));
        assert_eq!(watch.jumped(1_060_050, 999_150), None);
    }

    #[test]
    fn passing_time_is_no_jump() {
        let mut watch = ClockWatch::default();
        let clock = ManualClock::at(moment("2026-11-20T12:00:00-05:00"));
        for _ in 0..1_000 {
            clock.advance(3_600_000);
            assert_eq!(watch.jumped(clock.now_ms(), clock.monotonic_ms()), None);
        }
        clock.jump(5_000);
        assert_eq!(watch.jumped(clock.now_ms(), clock.monotonic_ms()), None);
        clock.jump(5_001);
        assert!(watch.jumped(clock.now_ms(), clock.monotonic_ms()).is_some());
    }
}
