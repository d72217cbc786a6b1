//! A change of express picks and limits: what it would do is a plan, computed from a picture of the
//! state; carrying it out is publishing the next version of the rules, which the writer judges.
//!
//! A version that is made from the newest never holds earlier than that one does: whatever else the
//! newest changes would come with it.

use keno_book::amendment::{Amended, Changes, amend};
use keno_book::rules_file::{RuleBookFault, RuleBookFaultKind, line_of};
use keno_book::toml_faults::{FileFault, Words};
use keno_game::{DrawState, RuleFaultCode};
use keno_words::file_fault;

use crate::Stop;
use crate::central::Central;
use crate::house::rules::record_rules;
use crate::refusal::Refusal;

/// Two people look at a change for so long.
const LOOK_MS: i64 = 120_000;

/// First draws that a version after the newest may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FirstDraws {
    /// The earliest.
    pub earliest: u64,
    /// The first whose sales close late enough for two people to look at the change before.
    pub proposed: u64,
}

/// What a change would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AmendmentPlan {
    /// The version that it would be.
    pub version: u32,
    /// First draw.
    pub effective_from: u64,
    /// First draws that it may have.
    pub first_draws: FirstDraws,
    /// The new book beside the old, or every fault of it.
    pub outcome: Result<Amended, Vec<RuleBookFault>>,
}

impl AmendmentPlan {
    /// The new book, if it may be published.
    ///
    /// # Errors
    /// [`Refusal::RuleBookFaulty`], [`Refusal::RuleBookTooEarly`].
    pub fn amended(&self) -> Result<&Amended, Refusal> {
        let amended = self.outcome.as_ref().map_err(|faults| {
            let faults = faults.clone();
            Refusal::RuleBookFaulty { faults }
        })?;
        self.must_be_late_enough()?;
        Ok(amended)
    }

    /// Its first draw is not before the earliest that a new version may govern.
    ///
    /// # Errors
    /// [`Refusal::RuleBookTooEarly`].
    pub fn must_be_late_enough(&self) -> Result<(), Refusal> {
        let earliest = self.first_draws.earliest;
        if self.effective_from < earliest {
            return Err(Refusal::RuleBookTooEarly { earliest });
        }
        Ok(())
    }

    /// First draws that a version after the newest may have.
    ///
    /// # Errors
    /// [`Refusal::NoRules`].
    pub fn first_draws(central: &Central) -> Result<FirstDraws, Refusal> {
        let view = central.view.get();
        let newest = view.newest_rules().ok_or(Refusal::NoRules)?.effective_from;
        let after_all = view.draws.keys().next_back().map_or(1, |last| last + 1);
        let open = || {
            view.draws
                .values()
                .filter(|draw| draw.state() == DrawState::Open)
        };
        let next = open().next().map_or(after_all, |draw| draw.number());
        let until = central.clock.now_ms().saturating_add(LOOK_MS);
        let proposed = open()
            .find(|draw| draw.closes_at_ms() >= until)
            .map_or(after_all, |draw| draw.number());
        Ok(FirstDraws {
            earliest: next.max(newest),
            proposed: proposed.max(newest),
        })
    }

    /// What a change would do.
    ///
    /// # Errors
    /// [`Refusal::NoRules`]; [`Refusal::RuleBookMovedOn`] when the newest version is not the one
    /// that the change was made from.
    pub fn of(
        central: &Central,
        base_version: u32,
        changes: &Changes,
        effective_from: Option<u64>,
    ) -> Result<AmendmentPlan, Refusal> {
        let view = central.view.get();
        let newest = view.newest_rules().ok_or(Refusal::NoRules)?;
        let version = newest.rules.version;
        if base_version != version {
            return Err(Refusal::RuleBookMovedOn { version });
        }
        let first_draws = AmendmentPlan::first_draws(central)?;
        let outcome =
            amend(&newest.text, changes).and_then(|amended| match beyond(central, &amended) {
                Some(fault) => Err(vec![fault]),
                None => Ok(amended),
            });
        Ok(AmendmentPlan {
            version: version.saturating_add(1),
            effective_from: effective_from.unwrap_or(first_draws.earliest),
            first_draws,
            outcome,
        })
    }
}

/// More draws on a ticket than the house opens at once.
fn beyond(central: &Central, amended: &Amended) -> Option<RuleBookFault> {
    const PLACE: &str = "limits.draws";
    let is_changed = amended.differences.iter().any(|one| one.place == PLACE);
    let opened = central.house.saleable_draws;
    if !is_changed || amended.after.rules.limits.draws_max <= opened {
        return None;
    }
    Some(FileFault {
        line: line_of(&amended.after.text, PLACE),
        place: PLACE.to_owned(),
        kind: RuleBookFaultKind::Rule(RuleFaultCode::LimitOutOfRange),
        detail: Words::of(&file_fault::DrawsBeyondSaleable { opened: &opened }),
    })
}

impl AmendmentPlan {
    /// Publishes the version of a plan, by two people.
    ///
    /// # Errors
    /// As [`AmendmentPlan::amended`] and [`crate::house::publish_rules`]; [`Refusal::RuleBookMovedOn`]
    /// when another version was published in between.
    pub fn amend(&self, central: &Central, by: &str, second: &str) -> Result<u64, Stop> {
        let text = &self.amended()?.after.text;
        record_rules(central, text, self.effective_from, (by, second), |_| Ok(())).map_err(|stop| {
            match stop {
                Stop::Refused(Refusal::RuleBookVersion { expected }) => {
                    let version = expected.saturating_sub(1);
                    Refusal::RuleBookMovedOn { version }.into()
                }
                other => other,
            }
        })
    }
}
