//! The follower of the log: it is handed every entry, and what it says of a finished draw is recorded;
//! two people say who follows, and open payouts that wait for it (`RULES.md`, "The follower").

mod feed;

use std::sync::Arc;

use keno_log::event::{FollowerBegan, PayoutsOpened};
use keno_log::follower::beginning;
use keno_log::{Event, checkpoint};
use keno_record::sequencer::Lane;

use crate::authority::Operation;
use crate::authority::identity::Caller;
use crate::central::Central;
use crate::central::follower_line::{Beginning, FollowerLine};
use crate::central::pin_door::Recognised;
use crate::draw::Draw;
use crate::refusal::Refusal;
use crate::staff::two_people::must_be_second;
use crate::{Stop, bounds};

/// The follower that answers and has not begun on record.
///
/// # Errors
/// [`Refusal::NobodyBegins`].
fn newcomer(central: &Central, line: &FollowerLine) -> Result<(String, Beginning), Refusal> {
    let heard = line.heard();
    let view = central.view.get();
    let began = |own: &Beginning| view.following.begun.contains(&own.began);
    match heard.beginning {
        Some(own) if !began(&own) => Ok((line.host.key().to_string(), own)),
        _ => Err(Refusal::NobodyBegins),
    }
}

impl FollowerLine {
    /// Two people say that the log is followed from here on by who answers at the place in `house.toml` and
    /// began so, in lower-case hexadecimal. Returns the leaf.
    ///
    /// # Errors
    /// [`Refusal::NobodyBegins`], who may not be the second, or a fault.
    pub fn begin(
        &self,
        central: &Central,
        caller: &Caller,
        second: &Recognised,
        began: &str,
    ) -> Result<u64, Stop> {
        caller.may(Operation::BeginFollowing)?;
        must_be_second(central, Operation::BeginFollowing, caller, second)?;
        // They agreed to the one that they were shown.
        if hex::encode(newcomer(central, self)?.1.began) != began {
            return Err(Refusal::NobodyBegins.into());
        }
        self.begin_by(central, &caller.badge, &second.badge)
    }

    /// As [`Self::begin`], by two badges that were judged.
    ///
    /// # Errors
    /// [`Refusal::NobodyBegins`], or a fault.
    pub fn begin_by(&self, central: &Central, by: &str, second: &str) -> Result<u64, Stop> {
        let (key, own) = newcomer(central, self)?;
        let body = FollowerBegan {
            key,
            began: own.began,
            signature: own.signature,
            by: by.to_owned(),
            second: second.to_owned(),
        };
        central.sequencer.submit_blocking(Lane::Draw, move |judge| {
            let house = judge.state.house()?.code.as_str();
            let text = beginning(house, &body.began);
            let is_signed = checkpoint::VerifyingKey::parse(&body.key)
                .is_ok_and(|key| checkpoint::SignatureLine::is_under(&body.signature, &text, &key));
            if !is_signed || judge.state.following.begun.contains(&body.began) {
                return Err(Refusal::NobodyBegins.into());
            }
            Ok(judge.record(body.clone())?)
        })
    }
}

impl Draw {
    /// Two people open the payouts of a draw for which the follower is still awaited, or which it said to
    /// differ before somebody began anew. Returns the leaf.
    ///
    /// # Errors
    /// [`Refusal::RecordRefused`], [`Refusal::NothingWaits`], [`Refusal::DrawDiffers`], [`Refusal::NothingHeldBack`],
    /// [`Refusal::OpensLater`], a reason that is none, who may not be the second, or a fault.
    pub fn open_payouts(
        self,
        central: &Central,
        caller: &Caller,
        second: &Recognised,
        reason: &str,
    ) -> Result<u64, Stop> {
        caller.may(Operation::OpenPayouts)?;
        must_be_second(central, Operation::OpenPayouts, caller, second)?;
        bounds::reason("reason", reason)?;
        let draw = self.0;
        // It is there, and takes nothing: that is worse than one that is away, and no time opens it.
        let refuses = |line: &Arc<FollowerLine>| {
            let heard = line.heard();
            heard.refuses.is_some() && !heard.is_away(central.clock.monotonic_ms())
        };
        if central.follower.as_ref().is_some_and(refuses) {
            return Err(Refusal::RecordRefused.into());
        }
        let body = PayoutsOpened {
            draw,
            reason: reason.to_owned(),
            by: caller.badge.clone(),
            second: second.badge.clone(),
        };
        let calendar = central.calendar;
        central.sequencer.submit_blocking(Lane::Draw, move |judge| {
            let following = &judge.state.following;
            let waiting = following.waiting.get(&draw);
            let waiting = waiting.ok_or(Refusal::NothingWaits { draw })?;
            if !following.may_be_opened(waiting, judge.now_ms) {
                return Err(match (&waiting.differs, waiting.may_be_opened_ms()) {
                    (Some(_), _) => Refusal::DrawDiffers { draw },
                    (None, None) => Refusal::NothingHeldBack { draw },
                    (None, Some(at_ms)) => Refusal::OpensLater {
                        draw,
                        from: calendar.minute_after_text(at_ms),
                    },
                }
                .into());
            }
            Ok(judge.record(Event::PayoutsOpened(body.clone()))?)
        })
    }
}
