//! Settlement: computed once from the sealed wagers in memory, written in slices between sales,
//! fixed by one leaf.

use std::sync::Arc;

use keno_game::settle::{
    factors, merge, totals_straight, totals_way, winners_straight, winners_way,
};
use keno_game::{
    BallSet, Cents, DrawState, PackedStraight, PackedWay, PrizeTotals, SettleFault, TicketPrize,
};
use keno_log::event::DrawSettled;
use keno_log::hash::leaf_hash;
use keno_log::tree::Edge;
use keno_schema::rows::PrizeRow;

use crate::fault::{Fault, Stop};
use crate::guard;
use crate::planted::{Plant, planted};
use crate::refusal::Refusal;
use crate::sequencer::Judge;
use crate::state::{Settling, State};
use crate::store::{big, payments};

/// Prizes written in one transaction: a slice holds sales up for milliseconds.
pub const SLICE: usize = 3_000;

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

/// Computes the prizes of a draw from the wagers in memory.
///
/// # Errors
/// [`Fault::Record`] when the draw has no numbers, or money beyond what can be counted.
pub fn compute(state: &State, number: u64) -> Result<(Vec<TicketPrize>, DrawSettled), Fault> {
    let fault = settle_fault(number);
    let draw = state
        .draws
        .get(&number)
        .ok_or_else(|| Fault::Record(format!("draw {number} is not in memory")))?;
    let balls = draw
        .balls
        .as_ref()
        .ok_or_else(|| Fault::Record(format!("draw {number} has no numbers")))?;
    let drawn = BallSet::from_numbers(&balls.balls)
        .map_err(|fault| Fault::Record(format!("draw {number}: {fault}")))?;
    let threshold = Cents::new(draw.full_below_cents);
    let cap = Cents::new(draw.cap_cents);

    let single: &[PackedStraight] = state.single.get(&number).map_or(&[], Vec::as_slice);
    let ranged: Vec<PackedStraight> = state
        .ranged
        .iter()
        .filter(|ranged| ranged.first <= number && number <= ranged.last)
        .map(|ranged| ranged.wager)
        .collect();
    let ways: Vec<PackedWay> = state
        .ways
        .iter()
        .filter(|ranged| ranged.first <= number && number <= ranged.last)
        .map(|ranged| ranged.wager.clone())
        .collect();

    let tables = &state.tables;
    let totals: PrizeTotals = totals_straight(single, drawn, tables, threshold)
        .and_then(|sum| sum.add(totals_straight(&ranged, drawn, tables, threshold)?))
        .and_then(|sum| sum.add(totals_way(&ways, drawn, tables, threshold)?))
        .map_err(&fault)?;
    let factors = factors(cap, totals);
    let mut prizes = Vec::new();
    winners_straight(single, drawn, tables, threshold, &factors, &mut prizes).map_err(&fault)?;
    winners_straight(&ranged, drawn, tables, threshold, &factors, &mut prizes).map_err(&fault)?;
    winners_way(&ways, drawn, tables, threshold, &factors, &mut prizes).map_err(&fault)?;
    let mut prizes = merge(prizes).map_err(&fault)?;
    if planted(Plant::RoundedUp) {
        for prize in &mut prizes {
            if prize.payable < prize.computed {
                prize.payable = Cents::new(prize.payable.get() + 1);
            }
        }
    }

    let mut payable = Cents::ZERO;
    let mut list = Edge::new();
    let mut line = [0_u8; 24];
    for prize in &prizes {
        payable = payable
            .checked_add(prize.payable)
            .ok_or_else(|| fault(SettleFault::Overflow))?;
        line[..8].copy_from_slice(&prize.ticket.to_be_bytes());
        line[8..16].copy_from_slice(&prize.computed.get().to_be_bytes());
        line[16..].copy_from_slice(&prize.payable.get().to_be_bytes());
        list.append(leaf_hash(&line));
    }
    let total = totals.total().map_err(&fault)?;
    let breakage = total.min(cap).get() - payable.get();
    let positive = |value: i64| u64::try_from(value).unwrap_or(0);
    let leaf = DrawSettled {
        draw: number,
        winners: u64::try_from(prizes.len()).unwrap_or(u64::MAX),
        small_cents: totals.small.get(),
        large_cents: totals.large.get(),
        payable_cents: payable.get(),
        small_numerator: positive(factors.small_num),
        small_denominator: factors.small_den,
        large_numerator: positive(factors.large_num),
        large_denominator: factors.large_den,
        breakage_cents: breakage,
        prize_root: list.root(),
    };
    Ok((prizes, leaf))
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

/// Writes the next slice of a draw's prizes; with the last one the draw is settled.
///
/// After a crash it goes on where it was: the prizes are the same and in the same order, so the
/// number of rows already written says where.
///
/// # Errors
/// [`Refusal::DrawStepRefused`] unless the draw is official, or a fault.
pub fn next_slice(judge: &mut Judge<'_>, number: u64) -> Result<Progress, Stop> {
    let state = judge.state.draws.get(&number).map(|draw| draw.state);
    if state != Some(DrawState::Official) {
        return Err(Refusal::DrawStepRefused {
            state: state.map_or("unknown", DrawState::name),
        }
        .into());
    }
    let settling = match &judge.state.settling {
        Some(settling) if settling.draw == number => settling.clone(),
        _ => {
            let (prizes, leaf) = compute(judge.state, number)?;
            judge.settle_rows()?;
            let written = payments::count_prizes(judge.connection, big(number))?;
            Settling {
                draw: number,
                prizes: Arc::new(prizes),
                leaf,
                written: usize::try_from(written).unwrap_or(0),
            }
        }
    };
    let end = settling
        .written
        .saturating_add(SLICE)
        .min(settling.prizes.len());
    let slice = settling.prizes.get(settling.written..end).unwrap_or(&[]);
    judge.settle_rows()?;
    payments::insert_prizes(judge.connection, &prize_rows(number, slice))?;
    if end < settling.prizes.len() {
        judge.set_settling(Some(Settling {
            written: end,
            ..settling
        }));
        return Ok(Progress::More);
    }
    let suspicions = guard::suspicions(judge, number)?;
    let leaf = judge.record(settling.leaf)?;
    guard::act(judge, number, &suspicions)?;
    Ok(Progress::Done(leaf))
}
