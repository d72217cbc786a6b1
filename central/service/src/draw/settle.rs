//! Settlement: computed once from the sealed wagers in memory, written in slices between sales,
//! fixed by one leaf.

use keno_game::{DrawState, TicketPrize};
use keno_record::fault::Fault;
use keno_record::sequencer::{Judge, Lane};
use keno_record::state::prizes::{Computed, Wagers, wagered};
use keno_record::state::{Settling, State};
use keno_record::store::payments;
use keno_schema::rows::PrizeRow;

use crate::Stop;
use crate::central::Central;
use crate::draw::steps::Draw;
use crate::refusal::Refusal;

impl Draw {
    /// Prizes written in one transaction: a slice holds sales up for milliseconds.
    pub const SLICE: usize = 6_000;

    /// Writes the next slice of a draw's prizes.
    ///
    /// # Errors
    /// A refusal or a fault.
    pub fn settle_slice(self, central: &Central) -> Result<Progress, Stop> {
        let needs = central
            .sequencer
            .look_blocking(move |state| self.needs(state))?;
        let computed = needs.prepare()?;
        central.sequencer.submit_blocking(Lane::Draw, move |judge| {
            self.next_slice(judge, computed.as_ref())
        })
    }
}

/// How far a settlement is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// More slices are to be written.
    More,
    /// The draw is settled: leaf.
    Done(u64),
}

impl Draw {
    /// A slice of prizes as rows.
    pub fn prize_rows(self, prizes: &[TicketPrize]) -> Vec<PrizeRow> {
        prizes
            .iter()
            .map(|prize| PrizeRow {
                draw: self.0,
                ticket: prize.ticket,
                computed_cents: prize.computed.get(),
                payable_cents: prize.payable.get(),
                expired_leaf: None,
            })
            .collect()
    }
}

/// What the next slice of a draw needs.
#[derive(Debug)]
pub enum Needs {
    /// The prizes of these wagers, which nobody has computed yet.
    Prizes(Box<Wagers>),
    /// Nothing: its prizes are known.
    Nothing(Box<Settling>),
}

impl Draw {
    /// What the next slice of an official draw needs.
    ///
    /// # Errors
    /// [`Refusal::DrawStepRefused`] unless the draw is official, or a fault.
    pub fn needs(self, state: &State) -> Result<Needs, Stop> {
        must_be_official(state, self.0)?;
        match &state.settling {
            Some(settling) if settling.draw == self.0 => {
                Ok(Needs::Nothing(Box::new(settling.clone())))
            }
            _ => Ok(Needs::Prizes(Box::new(Wagers::of(state, self.0)?))),
        }
    }
}

impl Needs {
    /// Computes what the next slice needs, on the caller's thread and not on the writer's: sales go
    /// on. The root over the prizes is waited for only before the last slice.
    ///
    /// # Errors
    /// [`Fault::Record`] for money beyond what can be counted.
    pub fn prepare(self) -> Result<Option<Computed>, Fault> {
        match self {
            Needs::Prizes(wagers) => {
                let computed = wagers.compute()?;
                if computed.prizes.len() > Draw::SLICE {
                    computed.begin_root();
                } else {
                    computed.root();
                }
                Ok(Some(computed))
            }
            Needs::Nothing(settling) => {
                let computed = &settling.computed;
                if computed.prizes.len() <= settling.written.saturating_add(Draw::SLICE) {
                    computed.root();
                }
                Ok(None)
            }
        }
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

impl Draw {
    /// Writes the next slice of a draw's prizes; with the last one the draw is settled. `computed` is
    /// needed for the first.
    ///
    /// After a crash it goes on where it was: the prizes are the same and in the same order, so the
    /// number of rows already written says where.
    ///
    /// # Errors
    /// [`Refusal::DrawStepRefused`] unless the draw is official, or a fault; among these
    /// [`Fault::Record`] when a wager was taken out of play since the prizes were computed.
    pub fn next_slice(
        self,
        judge: &mut Judge<'_>,
        computed: Option<&Computed>,
    ) -> Result<Progress, Stop> {
        let number = self.0;
        must_be_official(judge.state, number)?;
        let settling = match (&judge.state.settling, computed) {
            (Some(settling), _) if settling.draw == number => settling.clone(),
            (_, Some(computed)) => {
                let state = &*judge.state;
                if computed.leaf.draw != number || computed.wagered != wagered(state, number) {
                    return Err(Fault::Record(format!(
                    "the wagers of draw {number} are not those that its prizes were computed from"
                ))
                .into());
                }
                judge.settle_rows()?;
                let written = payments::count_prizes(judge.connection, number)?;
                Settling {
                    draw: number,
                    computed: computed.clone(),
                    written: usize::try_from(written).unwrap_or(0),
                }
            }
            _ => {
                return Err(
                    Fault::Record(format!("the prizes of draw {number} are not computed")).into(),
                );
            }
        };
        let prizes = &settling.computed.prizes;
        if settling.written.saturating_add(Draw::SLICE) >= prizes.len() {
            // What is about to become payable is there: a row that is missing would be a prize that
            // the record owes and the counter refuses.
            judge.settle_rows()?;
            let there = payments::count_prizes(judge.connection, number)?;
            if usize::try_from(there) != Ok(settling.written) {
                let written = settling.written;
                return Err(Fault::Record(format!(
                    "draw {number} has {there} rows of prizes where {written} were written"
                ))
                .into());
            }
        }
        let end = settling
            .written
            .saturating_add(Draw::SLICE)
            .min(prizes.len());
        let slice = prizes.get(settling.written..end).unwrap_or(&[]);
        judge.settle_rows()?;
        payments::insert_prizes(judge.connection, &self.prize_rows(slice))?;
        if end < prizes.len() {
            judge.set_settling(Some(Settling {
                written: end,
                ..settling
            }));
            return Ok(Progress::More);
        }
        let suspicions = self.improbable_wins(judge, &settling.computed.seen)?;
        let leaf = judge.record(settling.computed.settled())?;
        self.hold_wins(judge, &suspicions)?;
        Ok(Progress::Done(leaf))
    }
}
