//! The follower of the log: it is handed every entry, and what it says of a finished draw is recorded;
//! two people say who follows, and open payouts that wait for it (`RULES.md`, "The follower").

mod feed;

use std::sync::Arc;

use keno_log::event::{FollowerBegan, PayoutsOpened};
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

impl FollowerLine {
    /// How the follower that answers began, unless that is on record.
    ///
    /// # Errors
    /// [`Refusal::NobodyBegins`].
    fn newcomer(&self, central: &Central) -> Result<Beginning, Refusal> {
        let view = central.view.get();
        let is_new = |own: &Beginning| !view.following.begun.contains(&own.began);
        let own = self.heard().beginning.filter(is_new);
        own.ok_or(Refusal::NobodyBegins)
    }

    /// Two people say that the log is followed from here on by who answers at the place in
    /// `house.toml`, if that is who began so, in lower-case hexadecimal. Returns the leaf.
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
        let own = self.newcomer(central)?;
        // They agreed to the one that they were shown, whoever answers by now.
        if hex::encode(own.began) != began {
            return Err(Refusal::NobodyBegins.into());
        }
        self.record_beginning(central, own, (&caller.badge, &second.badge))
    }

    /// As [`Self::begin`], of whoever answers, by two badges that were judged.
    ///
    /// # Errors
    /// [`Refusal::NobodyBegins`], or a fault.
    pub fn begin_by(&self, central: &Central, by: &str, second: &str) -> Result<u64, Stop> {
        self.record_beginning(central, self.newcomer(central)?, (by, second))
    }

    fn record_beginning(
        &self,
        central: &Central,
        own: Beginning,
        (by, second): (&str, &str),
    ) -> Result<u64, Stop> {
        let body = FollowerBegan {
            key: self.host.key().to_string(),
            began: own.began,
            signature: own.signature,
            by: by.to_owned(),
            second: second.to_owned(),
        };
        central.sequencer.submit_blocking(Lane::Draw, move |judge| {
            if judge.state.following.begun.contains(&body.began) {
                return Err(Refusal::NobodyBegins.into());
            }
            Ok(judge.record(body.clone())?)
        })
    }
}

impl Draw {
    /// Two people open the payouts of a draw for which the follower is still awaited after the time of
    /// its rules, or which was said to differ, and again by who began since. Returns the leaf.
    ///
    /// # Errors
    /// [`Refusal::RecordRefused`], [`Refusal::NothingWaits`], [`Refusal::DrawDiffers`],
    /// [`Refusal::NothingHeldBack`], [`Refusal::OpensLater`], a reason that is none, who may not be the
    /// second, or a fault.
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
            let waiting = judge.state.following.waiting.get(&draw);
            let waiting = waiting.ok_or(Refusal::NothingWaits { draw })?;
            if !waiting.may_be_opened(judge.now_ms) {
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
            Ok(judge.record(body.clone())?)
        })
    }
}
