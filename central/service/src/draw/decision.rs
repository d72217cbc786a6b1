//! What two people decide of a draw, each from a session of their own: the first asks, the second
//! asks the same.
//!
//! What waits for the second person is no record: nothing was decided, and a start of central
//! forgets it.

use keno_book::rules_file::InterruptedRule;
use keno_game::DrawState;
use keno_record::people::{badges_of_humans, is_one_human};
use keno_record::store::tickets;
use keno_record::view::{DrawInfo, View};

use crate::authority::Operation;
use crate::central::Central;
use crate::central::decisions::{Asked, WAITS_MS};
pub use crate::central::decisions::{Decision, Waiting};
use crate::draw::interrupted::is_undone;
use crate::draw::postponed::must_be_minutes;
use crate::draw::steps::Draw;
use crate::refusal::Refusal;
use crate::staff::staff_of;
use crate::staff::two_people::must_be_two;
use crate::{Fault, Stop, bounds};

impl Waiting {
    /// Whether somebody may be the second.
    pub fn may_agree(&self, central: &Central, view: &View, badge: &str) -> bool {
        let is_leaving = matches!(&self.decision, Decision::Replace { leaving }
            if is_one_human(&view.people, leaving, badge));
        let staff = staff_of(central, view);
        !is_leaving && must_be_two(staff, self.decision.operation(), &self.by, badge).is_ok()
    }
}

impl Decision {
    /// Its row of the table of authority.
    pub fn operation(&self) -> Operation {
        match self {
            Self::Certify => Operation::CertifyDraw,
            Self::Suspend => Operation::SuspendDraw,
            Self::Resume | Self::Complete => Operation::ResumeDraw,
            Self::Void(_) => Operation::VoidDraw,
            Self::StandIn => Operation::StandIn,
            Self::Postpone(_) => Operation::PostponeDraw,
            Self::Replace { .. } => Operation::ReplaceEnterer,
        }
    }

    /// Whether a reason belongs to it.
    fn needs_reason(&self) -> bool {
        let is_told = matches!(self, Self::Suspend | Self::Void(_) | Self::StandIn);
        is_told || matches!(self, Self::Replace { .. } | Self::Postpone(_))
    }
}

/// What may be decided of a draw as it is: what is not among it is not offered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Offered {
    /// Certify its balls.
    pub certify: bool,
    /// Go on from the seal.
    pub resume: bool,
    /// Go on from the last ball.
    pub complete: bool,
    /// Void it.
    pub void: bool,
    /// Void it, where it cannot be completed.
    pub void_unfinished: bool,
    /// Let the computer draw.
    pub stand_in: bool,
    /// Take the place of somebody who entered.
    pub replace: bool,
    /// Hold it later.
    pub postpone: bool,
    /// Interrupt it.
    pub suspend: bool,
    /// One person does that.
    pub suspend_alone: bool,
}

impl Offered {
    /// What may be decided of a draw.
    pub fn of(view: &View, draw: &DrawInfo) -> Self {
        let is_suspended = draw.state() == DrawState::Suspended;
        let is_under_way = matches!(draw.state(), DrawState::Closed | DrawState::Drawing);
        let has_balls = draw.has_balls();
        let is_drawn = draw.is_final();
        let rule = view
            .rules_for(draw.number())
            .map(|rules| rules.texts.interrupted);
        let completes = rule == Some(InterruptedRule::Complete);
        let can_decide = has_balls && is_suspended && !is_drawn;
        let is_before = matches!(
            draw.state(),
            DrawState::Scheduled | DrawState::Open | DrawState::Closed | DrawState::Drawing
        );
        let holders = draw.holders();
        let is_committed =
            !holders.is_empty() && holders.iter().all(|holder| holder.commitment.is_some());
        Self {
            certify: draw.state() == DrawState::Drawing && has_balls && draw.is_entered(),
            resume: is_suspended && !has_balls,
            complete: can_decide && completes,
            void: (can_decide && !completes) || (!has_balls && (is_suspended || is_before)),
            void_unfinished: can_decide && completes,
            stand_in: draw.is_of_balls()
                && !has_balls
                && is_committed
                && (is_suspended || is_under_way),
            replace: draw.state() == DrawState::Drawing
                && draw.enterers().next().is_some()
                && !draw.is_entered(),
            postpone: draw.state() == DrawState::Closed,
            suspend: is_under_way && !is_drawn,
            suspend_alone: !has_balls,
        }
    }

    fn has(self, decision: &Decision) -> bool {
        match decision {
            Decision::Certify => self.certify,
            Decision::Resume => self.resume,
            Decision::Complete => self.complete,
            Decision::Void(None) => self.void,
            Decision::Suspend => self.suspend,
            Decision::Void(Some(finding)) => self.void_unfinished && is_undone(*finding),
            Decision::StandIn => self.stand_in,
            Decision::Postpone(_) => self.postpone,
            Decision::Replace { .. } => self.replace,
        }
    }
}

impl Draw {
    /// Decides, or agrees to what another has decided: true once two have, and it is done. With the
    /// number of what was asked it agrees to that and nothing else.
    ///
    /// # Errors
    /// [`Refusal::NothingAsked`]; [`Refusal::RuleForInterrupted`] or [`Refusal::DrawStepRefused`] for what is not offered,
    /// [`Refusal::SoldForDraw`], and what the step refuses.
    pub fn decide(
        self,
        central: &Central,
        by: &str,
        decision: Decision,
        reason: &str,
        agreeing: Option<u64>,
    ) -> Result<bool, Stop> {
        let view = central.view.get();
        let known = view.draws.get(&self.0);
        let draw = known.ok_or(Refusal::DrawUnknown { draw: self.0 })?;
        self.must_be_offered(&view, draw, &decision)?;
        if decision == Decision::Suspend && Offered::of(&view, draw).suspend_alone {
            return self.suspend(central, reason, by).map(|()| true);
        }
        // Before the machine has the seal a draw goes on or is void whoever sold.
        if let Decision::Postpone(minutes) = decision {
            must_be_minutes(minutes)?;
        }
        let is_before = matches!(
            decision,
            Decision::Resume | Decision::Void(None) | Decision::Postpone(_)
        );
        if !is_before && let Some(badge) = self.sold_by(central, &view, by)? {
            let draw = self.0;
            return Err(Refusal::SoldForDraw { draw, badge }.into());
        }
        let same = self.waiting(central).filter(|it| it.decision == decision);
        let Some(first) = same.filter(|it| agreeing.is_none_or(|number| number == it.number))
        else {
            if agreeing.is_some() {
                return Err(Refusal::NothingAsked.into());
            }
            if matches!(decision, Decision::Replace { .. }) {
                Operation::EnterBall.judge_roles(&staff_of(central, &view).roles(by))?;
            }
            if decision.needs_reason() {
                bounds::reason("reason", reason)?;
            }
            let waiting = Waiting {
                number: central.ask_numbers.next(central.clock.now_ms()),
                decision,
                reason: reason.to_owned(),
                by: by.to_owned(),
            };
            let asked = Asked {
                waiting,
                state: draw.state(),
                until_ms: central.clock.monotonic_ms() + WAITS_MS,
            };
            central.decisions.lock().insert(self.0, asked);
            return Ok(false);
        };
        if is_one_human(&view.people, &first.by, by) {
            return Ok(false);
        }
        self.agree(central, &first, by)
    }

    /// Agrees to what was asked. One of several who agree at once takes it: nothing is done twice. Who may
    /// not agree takes nothing away from who may.
    fn agree(self, central: &Central, first: &Waiting, by: &str) -> Result<bool, Stop> {
        let staff_view = central.view.get();
        let operation = first.decision.operation();
        must_be_two(staff_of(central, &staff_view), operation, &first.by, by)?;
        let taken = {
            let mut asked = central.decisions.lock();
            let is_it = asked.get(&self.0).map(|it| it.waiting.number) == Some(first.number);
            is_it.then(|| asked.remove(&self.0)).flatten()
        };
        let asked = taken.ok_or(Refusal::NothingAsked)?;
        let Waiting {
            decision,
            reason,
            by: first_by,
            ..
        } = first;
        let done = self.carry_out(central, decision, reason, (first_by, by));
        if matches!(done, Err(Stop::Refused(_))) {
            central.decisions.lock().entry(self.0).or_insert(asked);
        }
        done.map(|()| true)
    }

    /// Does what two people decided.
    ///
    /// # Errors
    /// What the step refuses, or a fault.
    pub fn carry_out(
        self,
        central: &Central,
        decision: &Decision,
        reason: &str,
        (by, second): (&str, &str),
    ) -> Result<(), Stop> {
        let view = central.view.get();
        must_be_two(staff_of(central, &view), decision.operation(), by, second)?;
        match decision {
            Decision::Certify => self.certify(central, vec![by.to_owned(), second.to_owned()]),
            Decision::Suspend => self.suspend_by_two(central, reason, by, second),
            Decision::Resume => self.resume(central, by, second),
            Decision::Complete => self.complete(central, by, second),
            Decision::Void(None) => self.void(central, reason, by, second),
            Decision::Void(Some(finding)) => {
                self.void_unfinished(central, *finding, reason, by, second)
            }
            Decision::StandIn => self.stand_in(central, reason, by, second),
            Decision::Postpone(minutes) => self.postpone(central, *minutes, reason, by, second),
            Decision::Replace { leaving } => {
                self.replace_enterer(central, leaving, by, second, reason)
            }
        }
    }

    /// The decision about a draw that waits for a second person.
    pub fn waiting(self, central: &Central) -> Option<Waiting> {
        let mut asked = central.decisions.lock();
        let view = central.view.get();
        let now_ms = central.clock.monotonic_ms();
        // What was asked of a draw that stands otherwise by now is over.
        let is_good = |it: &Asked| {
            let draw = view.draws.get(&self.0);
            it.until_ms > now_ms
                && draw.is_some_and(|draw| {
                    draw.state() == it.state && Offered::of(&view, draw).has(&it.waiting.decision)
                })
        };
        if !asked.get(&self.0).is_some_and(is_good) {
            asked.remove(&self.0);
        }
        asked.get(&self.0).map(|it| it.waiting.clone())
    }

    fn must_be_offered(
        self,
        view: &View,
        draw: &DrawInfo,
        decision: &Decision,
    ) -> Result<(), Refusal> {
        let offered = Offered::of(view, draw);
        if offered.has(decision) {
            return Ok(());
        }
        let is_attested = matches!(decision, Decision::Complete | Decision::Void(Some(_)));
        let is_of_rule = is_attested || matches!(decision, Decision::Resume | Decision::Void(None));
        let has_balls = draw.has_balls();
        let rules = view.rules_for(self.0);
        match (draw.state(), rules) {
            _ if *decision == Decision::StandIn && has_balls => Err(Refusal::BallsWereEntered),
            _ if *decision == Decision::StandIn && !draw.is_of_balls() => {
                Err(Refusal::DrawByComputer { draw: self.0 })
            }
            (DrawState::Suspended, _) if is_attested && !has_balls => Err(Refusal::NothingToAttest),
            (DrawState::Suspended, Some(rules)) if is_of_rule => Err(Refusal::RuleForInterrupted {
                rule: rules.texts.interrupted.code(),
            }),
            (DrawState::Drawing, _) if draw.is_of_balls() && *decision == Decision::Certify => {
                Err(Refusal::BallsNotEntered)
            }
            (state, _) => Err(Refusal::DrawStepRefused {
                state: state.name(),
            }),
        }
    }

    /// Whether somebody sold for the draw, with this badge or another: with which. The steps judge it
    /// once more.
    ///
    /// # Errors
    /// The database's.
    pub fn sold_by(
        self,
        central: &Central,
        view: &View,
        by: &str,
    ) -> Result<Option<String>, Fault> {
        let badges = badges_of_humans(&view.people, &[by.to_owned()]);
        let mut reader = central.readers.get()?;
        Ok(tickets::seller_for(&mut reader, self.0, &badges)?)
    }
}
