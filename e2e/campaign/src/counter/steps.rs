//! The steps of a command as they can be seen from outside: bytes that pass on the line to central
//! and on the one to the printer, writes of central's record and of the agent's journal. An
//! instant is a place in these steps, not a moment of a clock: whoever carries the bytes stops in
//! the middle of them until the fault has happened.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A fault that has not happened by then will not: what was held goes on.
const HELD_AT_MOST: Duration = Duration::from_secs(30);
/// Parts of a chunk.
pub const WHOLE: u64 = 1_000;

/// A kind of step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Bytes on their way to central.
    Request,
    /// A write of central's record.
    Record,
    /// Bytes on their way from central.
    Answer,
    /// A write of the agent's journal.
    Journal,
    /// Bytes on their way to the printer.
    Print,
    /// What the printer says: its state, its confirmation.
    Confirmation,
}

impl Kind {
    /// How many there are.
    pub const COUNT: usize = 6;
    /// Every kind.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Request,
        Self::Record,
        Self::Answer,
        Self::Journal,
        Self::Print,
        Self::Confirmation,
    ];

    /// What it is called in the report.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Record => "central writes",
            Self::Answer => "answer",
            Self::Journal => "journal",
            Self::Print => "print",
            Self::Confirmation => "printer answers",
        }
    }

    /// Of the instants of a command so many are of this kind, out of the sum of all.
    const fn share(self) -> u64 {
        match self {
            Self::Request | Self::Answer | Self::Journal => 4,
            Self::Record | Self::Print => 3,
            Self::Confirmation => 2,
        }
    }
}

/// Steps of a command, by kind.
pub type Counts = [u64; Kind::COUNT];

/// An instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    /// The kind of step.
    pub kind: Kind,
    /// Which one of the command, from 0.
    pub chunk: u64,
    /// So much of it has passed, of [`WHOLE`].
    pub part: u64,
    /// The rest of it is lost with whoever sent it.
    pub loses_rest: bool,
}

impl Target {
    /// The instant of that number out of so many, over the whole of a command of so many steps:
    /// each kind of step has its share, and within it the places are even. `jitter` is below
    /// [`WHOLE`]; `row` tells apart what is spread beside it, so that few instants of each meet
    /// different kinds.
    pub fn spread(number: u64, of: u64, row: u64, steps: &Counts, jitter: u64) -> Self {
        let has = |kind: Kind| steps.get(kind as usize).is_some_and(|count| *count > 0);
        let shares: Vec<Kind> = Kind::ALL
            .into_iter()
            .filter(|kind| has(*kind))
            .flat_map(|kind| (0..kind.share()).map(move |_| kind))
            .collect();
        let sum = u64::try_from(shares.len()).unwrap_or(1).max(1);
        // Neighbouring numbers are of different kinds: a small campaign meets each.
        let slot = (number * 7 + row * 3) % sum;
        let kind = usize::try_from(slot)
            .ok()
            .and_then(|slot| shares.get(slot).copied())
            .unwrap_or(Kind::Request);
        let first = shares.iter().position(|it| *it == kind).unwrap_or(0);
        let within = slot - u64::try_from(first).unwrap_or(0);
        // Rounds over the slots; each slot of a kind has its own places between the others'.
        let rounds = of.div_ceil(sum).max(1);
        let place = (number / sum) * kind.share() + within;
        let places = rounds * kind.share();
        let count = steps.get(kind as usize).copied().unwrap_or(1).max(1);
        let at = (place * WHOLE + jitter.min(WHOLE - 1)) * count / places;
        let part = match at % WHOLE {
            // Before the first byte and after the last one are places of their own.
            0..200 => 0,
            part @ 200..700 => (part - 200) * 2,
            _ => WHOLE,
        };
        Self {
            kind,
            chunk: at / WHOLE,
            part,
            loses_rest: false,
        }
    }
}

#[derive(Debug, Default)]
struct State {
    counts: Counts,
    is_counting: bool,
    target: Option<Target>,
    is_reached: bool,
    has_ended: bool,
    is_struck: bool,
}

/// The steps of one counter.
#[derive(Debug, Clone, Default)]
pub struct Steps(Arc<(Mutex<State>, Condvar)>);

impl Steps {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A command begins.
    pub fn begin(&self, target: Option<Target>) {
        *self.state() = State {
            is_counting: true,
            target,
            ..State::default()
        };
    }

    /// A step is about to be taken. When it is the one: how much of it, and whether the rest is
    /// lost. Whoever asked takes that much of it and then calls [`Self::here`].
    pub fn step(&self, kind: Kind) -> Option<(u64, bool)> {
        let mut state = self.state();
        if !state.is_counting {
            return None;
        }
        let count = state.counts.get_mut(kind as usize)?;
        let number = *count;
        *count += 1;
        let target = state
            .target
            .filter(|target| target.kind == kind && target.chunk == number)?;
        state.target = None;
        Some((target.part, target.loses_rest))
    }

    /// The instant is now; returns when the fault has happened.
    pub fn here(&self) {
        let mut state = self.state();
        state.is_reached = true;
        self.0.1.notify_all();
        let waited = self
            .0
            .1
            .wait_timeout_while(state, HELD_AT_MOST, |state| !state.is_struck);
        drop(waited);
    }

    /// The command has ended, whether or not its instant was reached.
    pub fn ended(&self) {
        self.state().has_ended = true;
        self.0.1.notify_all();
    }

    /// Waits for the instant; false when the command ended before it.
    pub fn wait(&self) -> bool {
        let waited = self
            .0
            .1
            .wait_while(self.state(), |state| !state.is_reached && !state.has_ended);
        waited.unwrap_or_else(PoisonError::into_inner).is_reached
    }

    /// The fault has happened: what was held goes on, and nothing is counted any more. The steps
    /// of the command until then.
    pub fn struck(&self) -> Counts {
        let mut state = self.state();
        state.is_struck = true;
        state.is_counting = false;
        state.target = None;
        self.0.1.notify_all();
        state.counts
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_instants_are_spread_over_every_step_of_the_command() {
        let steps: Counts = [9, 4, 9, 12, 30, 5];
        let mut met = BTreeSet::new();
        for number in 0..500 {
            let target = Target::spread(number, 500, 5, &steps, number * 37 % WHOLE);
            assert!(target.chunk < steps[target.kind as usize], "{target:?}");
            met.insert((target.kind, target.chunk));
        }
        let all: u64 = steps.iter().sum();
        assert_eq!(met.len() as u64, all);
        // A small campaign meets every kind.
        let kinds: BTreeSet<Kind> = (0..20)
            .map(|number| Target::spread(number, 20, 0, &steps, 0).kind)
            .collect();
        assert_eq!(kinds.len(), Kind::COUNT);
        let kinds: BTreeSet<Kind> = (0..12)
            .map(|row| Target::spread(0, 1, row, &steps, 0).kind)
            .collect();
        assert_eq!(kinds.len(), Kind::COUNT);
    }

    #[test]
    fn what_carries_the_bytes_is_held_until_the_fault_has_happened() {
        let steps = Steps::default();
        steps.begin(Some(Target {
            kind: Kind::Print,
            chunk: 1,
            part: 500,
            loses_rest: false,
        }));
        assert_eq!(steps.step(Kind::Print), None);
        assert_eq!(steps.step(Kind::Answer), None);
        assert_eq!(steps.step(Kind::Print), Some((500, false)));
        let held = {
            let steps = steps.clone();
            std::thread::spawn(move || steps.here())
        };
        assert!(steps.wait());
        assert!(!held.is_finished());
        assert_eq!(steps.struck(), [0, 0, 1, 0, 2, 0]);
        held.join().unwrap();
        // Nothing is counted, or held, after it.
        assert_eq!(steps.step(Kind::Print), None);
    }

    #[test]
    fn a_command_that_ends_first_is_not_waited_for() {
        let steps = Steps::default();
        steps.begin(None);
        steps.ended();
        assert!(!steps.wait());
    }
}
