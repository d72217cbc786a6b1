//! What the prizes of a draw come to: computed from the sealed wagers in memory, whoever asks.

use keno_game::settle::{
    factors, merge, totals_straight, totals_way, winners_straight, winners_way,
};
use keno_game::{
    BallSet, Cents, PackedStraight, PackedWay, PayTable, Pool, PrizeTotals, SettleFault,
    TicketPrize,
};
use keno_log::Hash;
use keno_log::event::DrawSettled;
use keno_log::hash::leaf_hash;
use keno_log::tree::Edge;

use super::improbable;
use super::improbable::Seen;
use crate::fault::Fault;
use crate::state::State;

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
    /// The settling leaf.
    pub leaf: DrawSettled,
    /// What the guard saw among the wins.
    pub seen: Seen,
    /// Sum of the wagers that it was computed from.
    pub wagered: u64,
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
pub fn wagered(state: &State, number: u64) -> u64 {
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

/// The root over a list of prizes, ascending by ticket (`FORMAT.md`, "Prize list").
pub fn prize_root(prizes: &[TicketPrize]) -> Hash {
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
        improbable::look(
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
        let prizes = merge(prizes).map_err(&fault)?;

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

    /// Everything that a settlement needs. The root over the prizes is more than half of it, and is
    /// computed beside what the guard sees.
    ///
    /// # Errors
    /// [`Fault::Record`] for money beyond what can be counted.
    pub fn compute(&self) -> Result<Computed, Fault> {
        let (prizes, leaf) = self.prizes()?;
        let (seen, prize_root) = std::thread::scope(|scope| {
            let seen = std::thread::Builder::new().spawn_scoped(scope, || self.seen());
            let root = prize_root(&prizes);
            let seen = seen.ok().and_then(|thread| thread.join().ok());
            (seen.unwrap_or_else(|| self.seen()), root)
        });
        Ok(Computed {
            leaf: DrawSettled { prize_root, ..leaf },
            seen,
            wagered: self.wagered,
        })
    }

    /// The prizes, ascending by ticket, and the settling leaf.
    ///
    /// # Errors
    /// As [`Self::compute`].
    pub fn list(&self) -> Result<(Vec<TicketPrize>, DrawSettled), Fault> {
        let (prizes, leaf) = self.prizes()?;
        let prize_root = prize_root(&prizes);
        Ok((prizes, DrawSettled { prize_root, ..leaf }))
    }
}
