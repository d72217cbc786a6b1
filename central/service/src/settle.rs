//! Settlement: computed once from the sealed wagers in memory, written in slices between sales,
//! fixed by one leaf.

use std::sync::{Arc, OnceLock};

use keno_game::settle::{
    factors, merge, totals_straight, totals_way, winners_straight, winners_way,
};
use keno_game::{
    BallSet, Cents, DrawState, PackedStraight, PackedWay, PayTable, Pool, PrizeTotals, SettleFault,
    TicketPrize,
};
use keno_log::Hash;
use keno_log::event::DrawSettled;
use keno_log::hash::leaf_hash;
use keno_log::tree::Edge;
use keno_schema::rows::PrizeRow;

use crate::fault::{Fault, Stop};
use crate::guard::{self, Seen};
use crate::planted::{Plant, planted};
use crate::refusal::Refusal;
use crate::sequencer::Judge;
use crate::state::{Settling, State};
use crate::store::{big, payments};

/// Prizes written in one transaction: a slice holds sales up for milliseconds.
pub const SLICE: usize = 6_000;

/// How far a settlement is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// More slices are to be written.
    More,
    /// The draw is settled: leaf.
    Done(u64),
}

fn settle_fault(draw: u64) -> impl Fn(SettleFault) -> Fault {
    move |fault| Fault::Record(format!("draw {draw} cannot be settled: {fault}"))
}

/// What the prizes of a draw follow from, taken out of the writer's memory in one copy: a million
/// wagers are 24 MB, which are copied in a few milliseconds, and computed with elsewhere while
/// sales go on.
#[derive(Debug, Clone)]
pub struct Wagers {
    draw: u64,
    wagered: u64,
    pool: Pool,
    drawn: BallSet,
    threshold: Cents,
    cap: Cents,
    tables: Vec<PayTable>,
    straight: Vec<PackedStraight>,
    ways: Vec<PackedWay>,
}

/// What was computed from the wagers of a draw.
#[derive(Debug, Clone)]
pub struct Computed {
    /// Prizes, ascending by ticket.
    pub prizes: Arc<Vec<TicketPrize>>,
    /// The settling leaf but for the root over the prizes.
    leaf: DrawSettled,
    /// The root: more than half of the computation, and needed only by the last slice.
    root: Arc<OnceLock<Hash>>,
    /// What the guard saw among the wins.
    pub seen: Arc<Seen>,
    /// Sum of the wagers that it was computed from.
    wagered: u64,
}

fn ranged_of(state: &State, number: u64) -> impl Iterator<Item = &PackedStraight> {
    state
        .ranged
        .iter()
        .filter(move |ranged| ranged.first <= number && number <= ranged.last)
        .map(|ranged| &ranged.wager)
}

fn ways_of(state: &State, number: u64) -> impl Iterator<Item = &PackedWay> {
    state
        .ways
        .iter()
        .filter(move |ranged| ranged.first <= number && number <= ranged.last)
        .map(|ranged| &ranged.wager)
}

/// The sum of all wagers of a draw: less once one of them was taken out of play.
fn wagered(state: &State, number: u64) -> u64 {
    let single = state.single.get(&number).map_or(&[][..], Vec::as_slice);
    let straight = |wager: &PackedStraight| u64::from(wager.wager_cents);
    let ways: u64 = ways_of(state, number)
        .flat_map(|way| way.lines.iter())
        .map(|line| u64::from(line.wager_cents))
        .sum();
    single.iter().map(straight).sum::<u64>()
        + ranged_of(state, number).map(straight).sum::<u64>()
        + ways
}

/// The root over the list of prizes.
fn prize_root(prizes: &[TicketPrize]) -> Hash {
    let mut list = Edge::new();
    let mut line = [0_u8; 24];
    for prize in prizes {
        line[..8].copy_from_slice(&prize.ticket.to_be_bytes());
        line[8..16].copy_from_slice(&prize.computed.get().to_be_bytes());
        line[16..].copy_from_slice(&prize.payable.get().to_be_bytes());
        list.append(leaf_hash(&line));
    }
    list.root()
}

impl Computed {
    /// Computes the root over the prizes on a thread of its own, while the first slices are
    /// written.
    fn begin_root(&self) {
        let (prizes, root) = (Arc::clone(&self.prizes), Arc::clone(&self.root));
        let begun = std::thread::Builder::new()
            .name("prize-root".to_owned())
            .spawn(move || {
                root.get_or_init(|| prize_root(&prizes));
            });
        // Without a thread it is computed when it is asked for.
        drop(begun);
    }

    /// The root; waits for it, or computes it.
    fn root(&self) -> Hash {
        *self.root.get_or_init(|| prize_root(&self.prizes))
    }

    fn settled(&self) -> DrawSettled {
        DrawSettled {
            prize_root: self.root(),
            ..self.leaf.clone()
        }
    }
}

impl Wagers {
    /// Those of a draw that has its numbers.
    ///
    /// # Errors
    /// [`Fault::Record`] when it has none.
    pub fn of(state: &State, number: u64) -> Result<Self, Fault> {
        let draw = state
            .draws
            .get(&number)
            .ok_or_else(|| Fault::Record(format!("draw {number} is not in memory")))?;
        let balls = draw
            .balls
            .as_ref()
            .ok_or_else(|| Fault::Record(format!("draw {number} has no numbers")))?;
        let unreadable = |fault: String| Fault::Record(format!("draw {number}: {fault}"));
        let mut straight = state.single.get(&number).cloned().unwrap_or_default();
        straight.extend(ranged_of(state, number));
        Ok(Self {
            draw: number,
            wagered: wagered(state, number),
            pool: Pool::new(draw.pool_size, draw.drawn)
                .map_err(|fault| unreadable(fault.to_string()))?,
            drawn: BallSet::from_numbers(&balls.balls)
                .map_err(|fault| unreadable(fault.to_string()))?,
            threshold: Cents::new(draw.full_below_cents),
            cap: Cents::new(draw.cap_cents),
            tables: state.tables.clone(),
            straight,
            ways: ways_of(state, number).cloned().collect(),
        })
    }

    /// What the guard sees among the wins.
    pub fn seen(&self) -> Seen {
        guard::look(
            self.pool,
            self.drawn,
            &self.tables,
            &self.straight,
            &self.ways,
        )
    }

    /// Prizes, and the settling leaf but for their root.
    fn prizes(&self) -> Result<(Vec<TicketPrize>, DrawSettled), Fault> {
        let fault = settle_fault(self.draw);
        let (drawn, threshold, tables) = (self.drawn, self.threshold, &self.tables);
        let totals: PrizeTotals = totals_straight(&self.straight, drawn, tables, threshold)
            .and_then(|sum| sum.add(totals_way(&self.ways, drawn, tables, threshold)?))
            .map_err(&fault)?;
        let factors = factors(self.cap, totals);
        let mut prizes = Vec::new();
        winners_straight(
            &self.straight,
            drawn,
            tables,
            threshold,
            &factors,
            &mut prizes,
        )
        .map_err(&fault)?;
        winners_way(&self.ways, drawn, tables, threshold, &factors, &mut prizes).map_err(&fault)?;
        let mut prizes = merge(prizes).map_err(&fault)?;
        if planted(Plant::RoundedUp) {
            for prize in &mut prizes {
                if prize.payable < prize.computed {
                    prize.payable = Cents::new(prize.payable.get() + 1);
                }
            }
        }

        let mut payable = Cents::ZERO;
        for prize in &prizes {
            payable = payable
                .checked_add(prize.payable)
                .ok_or_else(|| fault(SettleFault::Overflow))?;
        }
        let total = totals.total().map_err(&fault)?;
        let breakage = total.min(self.cap).get() - payable.get();
        let positive = |value: i64| u64::try_from(value).unwrap_or(0);
        let leaf = DrawSettled {
            draw: self.draw,
            winners: u64::try_from(prizes.len()).unwrap_or(u64::MAX),
            small_cents: totals.small.get(),
            large_cents: totals.large.get(),
            payable_cents: payable.get(),
            small_numerator: positive(factors.small_num),
            small_denominator: factors.small_den,
            large_numerator: positive(factors.large_num),
            large_denominator: factors.large_den,
            breakage_cents: breakage,
            prize_root: [0; 32],
        };
        Ok((prizes, leaf))
    }

    /// Everything that a settlement needs: prizes, leaf, and what the guard sees.
    ///
    /// # Errors
    /// [`Fault::Record`] for money beyond what can be counted.
    pub fn compute(&self) -> Result<Computed, Fault> {
        let (prizes, leaf) = self.prizes()?;
        Ok(Computed {
            prizes: Arc::new(prizes),
            leaf,
            root: Arc::default(),
            seen: Arc::new(self.seen()),
            wagered: self.wagered,
        })
    }
}

/// Computes the prizes of a draw from the wagers in memory.
///
/// # Errors
/// [`Fault::Record`] when the draw has no numbers, or money beyond what can be counted.
pub fn compute(state: &State, number: u64) -> Result<(Vec<TicketPrize>, DrawSettled), Fault> {
    let (prizes, leaf) = Wagers::of(state, number)?.prizes()?;
    let prize_root = prize_root(&prizes);
    Ok((prizes, DrawSettled { prize_root, ..leaf }))
}

/// A slice of prizes as rows.
pub fn prize_rows(draw: u64, prizes: &[TicketPrize]) -> Vec<PrizeRow> {
    prizes
        .iter()
        .map(|prize| PrizeRow {
            draw: big(draw),
            ticket: big(prize.ticket),
            computed_cents: prize.computed.get(),
            payable_cents: prize.payable.get(),
            expired_leaf: None,
        })
        .collect()
}

/// What the next slice of a draw needs.
#[derive(Debug)]
pub enum Needs {
    /// The prizes of these wagers, which nobody has computed yet.
    Prizes(Box<Wagers>),
    /// Nothing: its prizes are known.
    Nothing(Box<Settling>),
}

/// What the next slice of an official draw needs.
///
/// # Errors
/// [`Refusal::DrawStepRefused`] unless the draw is official, or a fault.
pub fn needs(state: &State, number: u64) -> Result<Needs, Stop> {
    must_be_official(state, number)?;
    match &state.settling {
        Some(settling) if settling.draw == number => Ok(Needs::Nothing(Box::new(settling.clone()))),
        _ => Ok(Needs::Prizes(Box::new(Wagers::of(state, number)?))),
    }
}

/// Computes what the next slice needs, on the caller's thread and not on the writer's: sales go
/// on. The root over the prizes is waited for only before the last slice.
///
/// # Errors
/// [`Fault::Record`] for money beyond what can be counted.
pub fn prepare(needs: Needs) -> Result<Option<Computed>, Fault> {
    match needs {
        Needs::Prizes(wagers) => {
            let computed = wagers.compute()?;
            if computed.prizes.len() > SLICE {
                computed.begin_root();
            } else {
                computed.root();
            }
            Ok(Some(computed))
        }
        Needs::Nothing(settling) => {
            let computed = &settling.computed;
            if computed.prizes.len() <= settling.written.saturating_add(SLICE) {
                computed.root();
            }
            Ok(None)
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
    judge: &mut Judge<'_>,
    number: u64,
    computed: Option<&Computed>,
) -> Result<Progress, Stop> {
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
            let written = payments::count_prizes(judge.connection, big(number))?;
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
    if settling.written.saturating_add(SLICE) >= prizes.len() {
        // What is about to become payable is there: a row that is missing would be a prize that
        // the record owes and the counter refuses.
        judge.settle_rows()?;
        let there = payments::count_prizes(judge.connection, big(number))?;
        if usize::try_from(there) != Ok(settling.written) {
            let written = settling.written;
            return Err(Fault::Record(format!(
                "draw {number} has {there} rows of prizes where {written} were written"
            ))
            .into());
        }
    }
    let end = settling.written.saturating_add(SLICE).min(prizes.len());
    let slice = prizes.get(settling.written..end).unwrap_or(&[]);
    judge.settle_rows()?;
    payments::insert_prizes(judge.connection, &prize_rows(number, slice))?;
    if end < prizes.len() {
        judge.set_settling(Some(Settling {
            written: end,
            ..settling
        }));
        return Ok(Progress::More);
    }
    let suspicions = guard::judge_seen(judge, number, &settling.computed.seen)?;
    let leaf = judge.record(settling.computed.settled())?;
    guard::act(judge, number, &suspicions)?;
    Ok(Progress::Done(leaf))
}
