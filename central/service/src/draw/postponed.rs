//! A draw that is closed is held later than announced: its seal stands (s. 15 of the sister by-law:
//! as soon as possible).

use keno_game::DrawState;
use keno_log::event::DrawPostponed;
use keno_record::sequencer::Lane;

use crate::central::Central;
use crate::draw::steps::Draw;
use crate::refusal::Refusal;
use crate::staff::two_people::must_differ;
use crate::{Stop, bounds};

/// Minutes by which a draw is postponed at once. All in all it is held within a day of its close.
const MINUTES_MOST: u16 = 720;

/// A draw is held at most so long after its sales were to close.
const DAY_MS: i64 = 86_400_000;

/// Refuses minutes that nobody postpones a draw by.
pub(super) fn must_be_minutes(minutes: u16) -> Result<(), Refusal> {
    match (1..=MINUTES_MOST).contains(&minutes) {
        true => Ok(()),
        false => Err(Refusal::PostponedTooFar { most: MINUTES_MOST }),
    }
}

impl Draw {
    /// Postpones a draw that is closed and not begun, by two people: its first number is shown so
    /// many minutes after the moment that was said, or after now where that is over.
    ///
    /// # Errors
    /// [`Refusal::PostponedTooFar`], [`Refusal::SamePersonTwice`], [`Refusal::DrawUnknown`],
    /// [`Refusal::DrawStepRefused`], or a fault.
    pub fn postpone(
        self,
        central: &Central,
        minutes: u16,
        reason: &str,
        by: &str,
        second: &str,
    ) -> Result<(), Stop> {
        bounds::reason("reason", reason)?;
        must_be_minutes(minutes)?;
        must_differ(&central.view.get().people, by, second)?;
        let (reason, by, second) = (reason.to_owned(), by.to_owned(), second.to_owned());
        central.sequencer.submit_blocking(Lane::Draw, move |judge| {
            let live = judge.state.draws.get(&self.0);
            let live = live.ok_or(Refusal::DrawUnknown { draw: self.0 })?;
            if live.state != DrawState::Closed {
                let state = live.state.name();
                return Err(Refusal::DrawStepRefused { state }.into());
            }
            let later = i64::from(minutes) * 60_000;
            let latest = live.closes_at_ms.min(judge.now_ms) + DAY_MS;
            let draws_at_ms = live.draws_at_ms.max(judge.now_ms) + later;
            if draws_at_ms > latest {
                return Err(Refusal::PostponedTooFar { most: MINUTES_MOST }.into());
            }
            judge.record(DrawPostponed {
                draw: self.0,
                draws_at_ms,
                reason: reason.clone(),
                by: by.clone(),
                second: second.clone(),
            })?;
            Ok(())
        })
    }
}
