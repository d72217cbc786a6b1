//! Draws that are interrupted: they go on from their seal, the computer stands in, or they are void
//! and refunded. Of balls the rules say which, and only that is possible.

use keno_book::rules_file::InterruptedRule;
use keno_game::{DrawSource, DrawState, DrawStep, TubesFinding};
use keno_log::EventKind;
use keno_log::event::{ComputerStoodIn, DrawResumed, DrawSuspended, DrawVoided, TubesAttested};
use keno_record::roles::{Role, has_any};
use keno_record::sequencer::{Judge, Lane};
use keno_record::state::Draw as LiveDraw;

use crate::Stop;
use crate::bounds;
use crate::central::Central;
use crate::draw::steps::{Draw, must_allow, must_not_have_sold};
use crate::refusal::Refusal;
use crate::staff::two_people::must_differ;

/// Whether every ball of the draw counts, by what people said: its result is known to the hall. What
/// a machine alone said may be interrupted.
fn is_drawn(live: &LiveDraw) -> bool {
    live.hands.is_final(live.drawn)
}

/// Whether this is found of balls that cannot be gone on from.
pub(super) fn is_undone(finding: TubesFinding) -> bool {
    !matches!(finding, TubesFinding::InTubes | TubesFinding::Unfinished)
}

impl Draw {
    fn live<'a>(self, judge: &'a Judge<'_>) -> Result<&'a LiveDraw, Refusal> {
        let live = judge.state.draws.get(&self.0);
        live.ok_or(Refusal::DrawUnknown { draw: self.0 })
    }

    /// Refuses what the rules do not say of a draw of which a ball was entered, and records what two
    /// people found in the tubes. A computer's numbers follow from the seal, whoever goes on and
    /// whenever; so may a draw of which no ball has fallen.
    fn attest(
        self,
        judge: &mut Judge<'_>,
        step: DrawStep,
        finding: Option<TubesFinding>,
        (by, second): (&str, &str),
    ) -> Result<(), Stop> {
        let live = self.live(judge)?;
        if !live.hands.has_begun() {
            return match finding {
                None => Ok(()),
                Some(_) => Err(Refusal::NothingToAttest.into()),
            };
        }
        if live.state != DrawState::Suspended || is_drawn(live) {
            return Err(Refusal::DrawStepRefused {
                state: live.state.name(),
            }
            .into());
        }
        let balls = live.hands.counted.clone();
        let rules = judge.state.rules_for(self.0).ok_or(Refusal::NoRules)?;
        let rule = rules.texts.interrupted;
        let is_the_rule = match (rule, step) {
            (InterruptedRule::Void, DrawStep::Void) => finding.is_none(),
            (InterruptedRule::Complete, DrawStep::Resume) => finding == Some(TubesFinding::InTubes),
            (InterruptedRule::Complete, DrawStep::Void) => finding.is_some_and(is_undone),
            _ => false,
        };
        if !is_the_rule {
            return Err(Refusal::RuleForInterrupted { rule: rule.code() }.into());
        }
        must_not_have_sold(judge, self.0, &[by.to_owned(), second.to_owned()])?;
        if let Some(finding) = finding {
            judge.record(TubesAttested {
                draw: self.0,
                balls,
                finding: finding.number(),
                by: by.to_owned(),
                second: second.to_owned(),
            })?;
        }
        Ok(())
    }

    /// Interrupts a draw, by one person; its seal stands. Not once a ball was entered: from then on the
    /// rules say what becomes of it, and one person would decide by interrupting.
    ///
    /// # Errors
    /// [`Refusal::SecondPersonNeeded`], another refusal, or a fault.
    pub fn suspend(self, central: &Central, reason: &str, by: &str) -> Result<(), Stop> {
        self.interrupt(central, reason, by, None)
    }

    /// Interrupts a draw of which balls were entered, by two people who did not sell for it. Not once
    /// every ball of it counts.
    ///
    /// # Errors
    /// A refusal or a fault.
    pub fn suspend_by_two(
        self,
        central: &Central,
        reason: &str,
        by: &str,
        second: &str,
    ) -> Result<(), Stop> {
        must_differ(&central.view.get().people, by, second)?;
        self.interrupt(central, reason, by, Some(second.to_owned()))
    }

    fn interrupt(
        self,
        central: &Central,
        reason: &str,
        by: &str,
        second: Option<String>,
    ) -> Result<(), Stop> {
        bounds::reason("reason", reason)?;
        let (reason, by) = (reason.to_owned(), by.to_owned());
        central.sequencer.submit_blocking(Lane::Draw, move |judge| {
            must_allow(judge, self.0, DrawStep::Suspend)?;
            let live = self.live(judge)?;
            if is_drawn(live) {
                return Err(Refusal::DrawStepRefused {
                    state: DrawState::Drawn.name(),
                }
                .into());
            }
            if live.hands.has_begun() {
                let balls = live.hands.counted.clone();
                let second = second.clone().ok_or(Refusal::SecondPersonNeeded)?;
                must_not_have_sold(judge, self.0, &[by.clone(), second.clone()])?;
                judge.record(TubesAttested {
                    draw: self.0,
                    balls,
                    finding: TubesFinding::Unfinished.number(),
                    by: by.clone(),
                    second,
                })?;
            }
            judge.record(DrawSuspended {
                draw: self.0,
                reason: reason.clone(),
                by: by.clone(),
            })?;
            Ok(())
        })
    }

    /// Goes on with an interrupted draw from its seal, by two people: one of which no ball was
    /// entered.
    ///
    /// # Errors
    /// [`Refusal::SamePersonTwice`], [`Refusal::DrawStepRefused`], [`Refusal::RuleForInterrupted`],
    /// or a fault.
    pub fn resume(self, central: &Central, by: &str, second: &str) -> Result<(), Stop> {
        self.go_on(central, None, by, second)
    }

    /// Goes on with an interrupted draw of balls from the last ball, by two people who have seen that
    /// those before are still in the tubes.
    ///
    /// # Errors
    /// As [`Self::resume`], and [`Refusal::SoldForDraw`].
    pub fn complete(self, central: &Central, by: &str, second: &str) -> Result<(), Stop> {
        self.go_on(central, Some(TubesFinding::InTubes), by, second)
    }

    fn go_on(
        self,
        central: &Central,
        finding: Option<TubesFinding>,
        by: &str,
        second: &str,
    ) -> Result<(), Stop> {
        must_differ(&central.view.get().people, by, second)?;
        let (by, second) = (by.to_owned(), second.to_owned());
        central.sequencer.submit_blocking(Lane::Draw, move |judge| {
            must_allow(judge, self.0, DrawStep::Resume)?;
            self.attest(judge, DrawStep::Resume, finding, (&by, &second))?;
            judge.record(DrawResumed {
                draw: self.0,
                by: by.clone(),
                second: second.clone(),
            })?;
            Ok(())
        })
    }

    /// Lets the computer draw in place of the ball machine, by two people: every holder committed
    /// before the first wager, and no ball was entered.
    ///
    /// # Errors
    /// [`Refusal::DrawByComputer`], [`Refusal::BallsWereEntered`], [`Refusal::DrawStepRefused`], or
    /// a fault.
    pub fn stand_in(
        self,
        central: &Central,
        reason: &str,
        by: &str,
        second: &str,
    ) -> Result<(), Stop> {
        bounds::reason("reason", reason)?;
        must_differ(&central.view.get().people, by, second)?;
        let event = ComputerStoodIn {
            draw: self.0,
            reason: reason.to_owned(),
            by: by.to_owned(),
            second: second.to_owned(),
        };
        central.sequencer.submit_blocking(Lane::Draw, move |judge| {
            must_allow(judge, self.0, DrawStep::StandIn)?;
            let live = self.live(judge)?;
            if live.source != DrawSource::Balls.number() {
                return Err(Refusal::DrawByComputer { draw: self.0 }.into());
            }
            if live.hands.has_begun() {
                return Err(Refusal::BallsWereEntered.into());
            }
            let is_committed =
                |holder: &keno_record::state::HolderState| holder.commitment.is_some();
            if live.holders.is_empty() || !live.holders.iter().all(is_committed) {
                return Err(Refusal::NothingCommitted.into());
            }
            must_not_have_sold(judge, self.0, &[event.by.clone(), event.second.clone()])?;
            judge.record(event.clone())?;
            Ok(())
        })
    }

    /// Voids a draw by two people, one of them a supervisor; every wager for it is refunded. Once
    /// the machine has had the seal, neither may have sold for the draw; once its numbers are
    /// recorded, nobody voids it; once a ball was entered, only as the rules say.
    ///
    /// # Errors
    /// A refusal or a fault.
    pub fn void(self, central: &Central, reason: &str, by: &str, second: &str) -> Result<(), Stop> {
        self.make_void(central, None, reason, by, second)
    }

    /// Voids an interrupted draw of balls that by the rules is completed, and cannot be: `finding`
    /// says why.
    ///
    /// # Errors
    /// As [`Self::void`].
    pub fn void_unfinished(
        self,
        central: &Central,
        finding: TubesFinding,
        reason: &str,
        by: &str,
        second: &str,
    ) -> Result<(), Stop> {
        self.make_void(central, Some(finding), reason, by, second)
    }

    fn make_void(
        self,
        central: &Central,
        finding: Option<TubesFinding>,
        reason: &str,
        by: &str,
        second: &str,
    ) -> Result<(), Stop> {
        bounds::reason("reason", reason)?;
        must_differ(&central.view.get().people, by, second)?;
        let (reason, by, second) = (reason.to_owned(), by.to_owned(), second.to_owned());
        central.sequencer.submit_blocking(Lane::Draw, move |judge| {
            must_allow(judge, self.0, DrawStep::Void)?;
            let staff = judge.staff();
            let answers = |badge: &String| has_any(&staff.roles(badge), &[Role::Supervisor]);
            if !answers(&by) && !answers(&second) {
                return Err(Refusal::WrongRole {
                    needed: vec![Role::Supervisor],
                }
                .into());
            }
            let live = self.live(judge)?;
            if live.balls.is_some() {
                return Err(Refusal::DrawStepRefused {
                    state: live.state.name(),
                }
                .into());
            }
            let mut leaves = live.leaves.iter();
            let has_begun = leaves.any(|(kind, _, _)| *kind == EventKind::DrawStarted);
            if has_begun {
                must_not_have_sold(judge, self.0, &[by.clone(), second.clone()])?;
            }
            self.attest(judge, DrawStep::Void, finding, (&by, &second))?;
            let live = self.live(judge)?;
            let event = DrawVoided {
                draw: self.0,
                reason: reason.clone(),
                by: by.clone(),
                second: second.clone(),
                tickets: live.tickets.saturating_sub(live.unpaid_after_seal.0),
                refund_cents: live.wagered_cents - live.unpaid_after_seal.1,
            };
            judge.record(event)?;
            Ok(())
        })
    }
}
