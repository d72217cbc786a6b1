//! Settlement: computed once from the sealed wagers in memory, while sales go on, and fixed by one
//! leaf. No prize is written: what a ticket won follows from its leaf, the numbers and that leaf.

use keno_game::DrawState;
use keno_record::fault::Fault;
use keno_record::sequencer::{Judge, Lane};
use keno_record::state::State;
use keno_record::state::prizes::{Computed, Wagers, wagered};

use crate::Stop;
use crate::central::Central;
use crate::draw::steps::Draw;
use crate::refusal::Refusal;

impl Draw {
    /// Settles an official draw. Returns its leaf.
    ///
    /// # Errors
    /// [`Refusal::DrawStepRefused`] unless the draw is official, or a fault.
    pub fn settle(self, central: &Central) -> Result<u64, Stop> {
        let sequencer = &central.sequencer;
        let computed = sequencer
            .look_blocking(move |state| self.wagers(state))?
            .compute()?;
        sequencer.submit_blocking(Lane::Draw, move |judge| {
            self.judge_settlement(judge, &computed)
        })
    }

    /// What its prizes are computed from, once it is official.
    ///
    /// # Errors
    /// As [`Self::settle`].
    pub fn wagers(self, state: &State) -> Result<Wagers, Stop> {
        must_be_official(state, self.0)?;
        Ok(Wagers::of(state, self.0)?)
    }

    /// Records what was computed off the writer's thread.
    ///
    /// # Errors
    /// As [`Self::settle`]; among these [`Fault::Record`] when a wager was taken out of play since.
    pub fn judge_settlement(self, judge: &mut Judge<'_>, computed: &Computed) -> Result<u64, Stop> {
        let number = self.0;
        must_be_official(judge.state, number)?;
        if computed.leaf.draw != number || computed.wagered != wagered(judge.state, number) {
            return Err(Fault::Record(format!(
                "the wagers of draw {number} are not those that its prizes were computed from"
            ))
            .into());
        }
        let suspicions = self.improbable_wins(judge, &computed.seen)?;
        let leaf = judge.record(computed.leaf.clone())?;
        self.hold_wins(judge, &suspicions)?;
        Ok(leaf)
    }
}

fn must_be_official(state: &State, number: u64) -> Result<(), Refusal> {
    match state.draws.get(&number).map(|draw| draw.state) {
        Some(DrawState::Official) => Ok(()),
        other => Err(Refusal::DrawStepRefused {
            state: other.map_or("unknown", DrawState::name),
        }),
    }
}
