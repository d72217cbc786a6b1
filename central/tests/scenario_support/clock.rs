//! Time in a scenario: it passes from one event of the schedule to the next, and nothing sleeps.

use keno_game::DrawState;
use keno_record::clock::Clock;
use keno_record::past_draws::draw_range;
use keno_service::draw::Conductor;

use super::house::House;

/// More events than any scenario lets pass.
const EVENTS_MAX: usize = 100_000;

impl House {
    /// Every step that is due, and whether the disk has room again.
    fn look(&mut self) {
        Conductor::tick(&self.central);
        if self.central.reserve.is_released() {
            self.central.reserve.try_keep();
        }
        // However long it was, everybody is back at their screen and has typed the PIN.
        let now_ms = self.clock.monotonic_ms();
        for (session, open) in &self.central.view.get().sessions {
            self.door.app.idle.unlocked(open.device, *session, now_ms);
        }
    }

    /// The next moment at which the schedule has something to do.
    fn next_event_ms(&self) -> i64 {
        let now_ms = self.clock.now_ms();
        let view = self.central.view.get();
        if view.schedule_halted.is_some() {
            return now_ms + 60_000;
        }
        let schedule = &self.central.schedule;
        view.draws
            .values()
            .filter_map(|draw| match draw.state() {
                DrawState::Open => Some(draw.closes_at_ms()),
                DrawState::Closed => Some(draw.draws_at_ms() - schedule.start_lead_ms),
                DrawState::Drawn => draw.reveal_ends_ms(schedule.ball_interval_ms),
                DrawState::Drawing | DrawState::Official => Some(now_ms),
                _ => None,
            })
            // A step that is due already failed just now: it is tried again.
            .map(|at_ms| {
                if at_ms <= now_ms {
                    now_ms + 1_000
                } else {
                    at_ms
                }
            })
            .min()
            .unwrap_or(now_ms + 60_000)
    }

    /// Lets time pass until a moment.
    pub fn pass_until(&mut self, target_ms: i64) {
        for _ in 0..EVENTS_MAX {
            self.look();
            let now_ms = self.clock.now_ms();
            if now_ms >= target_ms {
                return;
            }
            let next_ms = self.next_event_ms().min(target_ms);
            self.clock.advance(next_ms - now_ms);
        }
        panic!("{EVENTS_MAX} events have passed and the moment has not come");
    }

    /// Lets time pass until a draw is in one of the states.
    pub fn pass_until_draw(&mut self, draw: u64, is_there: impl Fn(DrawState) -> bool) {
        for _ in 0..EVENTS_MAX {
            self.look();
            let found = draw_range(&self.central, draw, draw).unwrap();
            if found.first().is_some_and(|draw| is_there(draw.state())) {
                return;
            }
            let next_ms = self.next_event_ms();
            self.clock.advance(next_ms - self.clock.now_ms());
        }
        panic!("draw {draw} did not come so far");
    }

    /// A line about time: `clock +30s`, `clock to 2026-11-21 23:59:59`, `until closed 3`.
    ///
    /// Returns false for a line about something else.
    pub fn time(&mut self, action: &str) -> bool {
        let words: Vec<&str> = action.split_whitespace().collect();
        match words.as_slice() {
            ["clock", "to", day, time] => self.pass_until(self.moment(day, time)),
            ["clock", by] => {
                let by_ms = milliseconds(by).unwrap_or_else(|| panic!("no time is {by:?}"));
                self.pass_until(self.clock.now_ms() + by_ms);
            }
            ["until", state, draw] => {
                let draw = draw.parse().unwrap();
                match *state {
                    "closed" => self.pass_until_draw(draw, |state| {
                        !matches!(state, DrawState::Scheduled | DrawState::Open)
                    }),
                    "drawn" => self.pass_until_draw(draw, |state| state == DrawState::Drawn),
                    "settled" => self.pass_until_draw(draw, |state| {
                        matches!(state, DrawState::Settled | DrawState::Void)
                    }),
                    other => panic!("no state of a draw is {other:?}"),
                }
            }
            _ => return false,
        }
        true
    }

    /// A local time of the house, in winter: the scenarios are in November.
    fn moment(&self, day: &str, time: &str) -> i64 {
        let written = format!("{day}T{time}-05:00");
        chrono::DateTime::parse_from_rfc3339(&written)
            .unwrap_or_else(|error| panic!("{written}: {error}"))
            .timestamp_millis()
    }
}

/// `+30s`, `+5m`, `+2h`.
fn milliseconds(text: &str) -> Option<i64> {
    let text = text.strip_prefix('+')?;
    let unit = text.chars().next_back()?;
    let count: i64 = text.strip_suffix(unit)?.parse().ok()?;
    Some(match unit {
        's' => count * 1_000,
        'm' => count * 60_000,
        'h' => count * 3_600_000,
        _ => return None,
    })
}
