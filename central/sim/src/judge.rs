//! Log = leaves = rows = memory: what central holds and shows, against what the record says.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use keno_game::DrawState;
use keno_record::past_draws::draw_range;
use keno_record::recover;
use keno_record::state::State;
use keno_record::store::tickets;
use keno_record::ticket::Ticket;
use keno_schema::Connection;
use keno_service::Central;
use keno_service::counter::TicketPicture;

use crate::model::{Model, Stage, Standing, Wrong, must};
use crate::world::World;

/// What went wrong with the simulation itself, or with what is judged.
#[derive(Debug)]
pub enum Failure {
    /// The model was contradicted.
    Wrong(Wrong),
    /// The house could not be run.
    Broken(anyhow::Error),
}

impl From<anyhow::Error> for Failure {
    fn from(fault: anyhow::Error) -> Self {
        Self::Broken(fault)
    }
}

impl From<Wrong> for Failure {
    fn from(wrong: Wrong) -> Self {
        Self::Wrong(wrong)
    }
}

fn same(stage: Stage, state: DrawState) -> bool {
    matches!(
        (stage, state),
        (Stage::Scheduled, DrawState::Scheduled)
            | (Stage::Open, DrawState::Open)
            | (Stage::Closed, DrawState::Closed)
            | (Stage::Drawing, DrawState::Drawing)
            | (Stage::Drawn, DrawState::Drawn)
            | (Stage::Official, DrawState::Official)
            | (Stage::Settled, DrawState::Settled)
            | (Stage::Suspended, DrawState::Suspended)
            | (Stage::Void, DrawState::Void)
    )
}

/// The writer's memory against the model.
fn memory(model: &Model, state: &State) -> Result<(), Wrong> {
    must(state.edge.size() == model.size, || {
        format!("memory has {} leaves of {}", state.edge.size(), model.size)
    })?;
    for (number, draw) in model.draws.iter().rev().take(14) {
        let held = state.draws.get(number);
        must(
            held.is_some_and(|held| same(draw.stage, held.state)),
            || {
                format!(
                    "draw {number} is {:?}, in memory {:?}",
                    draw.stage,
                    held.map(|held| held.state)
                )
            },
        )?;
    }
    let tills: BTreeMap<u64, i64> = state
        .shifts
        .iter()
        .map(|(number, till)| (*number, till.expected_cents))
        .collect();
    let expected: BTreeMap<u64, i64> = model
        .tills
        .iter()
        .map(|(number, till)| (*number, till.expected_cents))
        .collect();
    must(tills == expected, || {
        format!("tills in memory {tills:?} and not {expected:?}")
    })?;
    let sessions = state.sessions.keys().eq(model.sessions.keys());
    must(sessions, || "sessions in memory differ".to_owned())?;
    let marks = (
        state.sales_suspended.is_some(),
        state.schedule_halted.is_some(),
    );
    must(marks == (model.sales_suspended, model.halted), || {
        format!("marks in memory {marks:?}")
    })
}

/// The wagers that memory holds for draws that are not over, against the tickets of the record.
fn wagers(model: &Model, state: &State) -> Result<(), Wrong> {
    for (number, draw) in &model.draws {
        if matches!(draw.stage, Stage::Settled | Stage::Void) {
            continue;
        }
        let covers = |first: u64, last: u64| (first..=last).contains(number);
        let single = state.single.get(number).into_iter().flatten();
        let single = single.filter(|wager| wager.wager_cents > 0).count();
        let ranged = state.ranged.iter();
        let ranged = ranged.filter(|one| covers(one.first, one.last) && one.wager.wager_cents > 0);
        let ways = state.ways.iter();
        let ways = ways.filter(|one| covers(one.first, one.last) && !one.wager.lines.is_empty());
        let held = single + ranged.count() + ways.count();
        let sold: usize = draw
            .tickets
            .iter()
            .filter_map(|ticket| model.tickets.get(ticket))
            .filter(|ticket| ticket.standing == Standing::Sold)
            .map(|ticket| ticket.sold.selections.len())
            .sum();
        must(held == sold, || {
            format!("draw {number} has {sold} selections, in memory {held}")
        })?;
    }
    Ok(())
}

/// What boards show: no number before its moment.
fn boards(model: &Model, central: &Central, now_ms: i64) -> Result<(), Wrong> {
    let view = central.view.get();
    for (number, draw) in model.draws.iter().rev().take(14) {
        let Some(shown) = view.draws.get(number) else {
            return Err(format!("draw {number} is not shown"));
        };
        must(same(draw.stage, shown.state()), || {
            format!(
                "draw {number} is {:?}, shown {:?}",
                draw.stage,
                shown.state()
            )
        })?;
        let allowed = match (&draw.balls, draw.stage) {
            (Some((balls, _)), Stage::Official | Stage::Settled) => balls.len(),
            (Some((balls, at_ms)), Stage::Drawn | Stage::Suspended) => {
                let since = now_ms - draw.draws_at_ms.max(*at_ms);
                let whole = usize::try_from(since.div_euclid(model.ball_interval_ms) + 1);
                whole.unwrap_or(0).min(balls.len())
            }
            _ => 0,
        };
        let told = shown.shown(now_ms, model.ball_interval_ms);
        let right = draw.balls.as_ref().map_or(&[][..], |(balls, _)| balls);
        must(Some(told) == right.get(..allowed), || {
            format!("draw {number} shows {told:?} of {right:?}, {allowed} are due")
        })?;
    }
    Ok(())
}

/// Memory and boards after a step.
///
/// # Errors
/// What differs.
pub fn after_step(world: &World, model: &Model) -> Result<(), Failure> {
    let central = world.central()?;
    let look = |state: &State| memory(model, state);
    central.sequencer.peek(look).context("nobody steps")??;
    boards(model, central, world.now_ms())?;
    Ok(())
}

/// Everything in memory: the wagers against the tickets, and all of it against what a start would
/// make of the record as it now is.
///
/// # Errors
/// What differs.
pub fn whole_memory(world: &World, model: &Model) -> Result<(), Failure> {
    let central = world.central()?;
    let look = |state: &State| wagers(model, state).map(|()| state.fingerprint());
    let held = central.sequencer.peek(look).context("nobody steps")??;
    let mut reader = world.reader()?;
    let now_ms = world.now_ms().max(model.last_at_ms);
    let found = recover::recover(&mut reader, &world.anchors(), None, now_ms);
    let found = found
        .context("the record cannot be recovered")?
        .fingerprint();
    let differs = held.iter().zip(&found).find(|(held, found)| held != found);
    if let Some((held, found)) = differs {
        return Err(Failure::Wrong(format!(
            "memory holds {held}, the record gives {found}"
        )));
    }
    must(held.len() == found.len(), || {
        format!(
            "{} things in memory, {} in the record",
            held.len(),
            found.len()
        )
    })?;
    Ok(())
}

/// A ticket's rows and the verdict on it.
///
/// # Errors
/// What differs.
pub fn ticket(
    world: &World,
    model: &Model,
    reader: &mut Connection,
    number: u64,
) -> Result<(), Failure> {
    let central = world.central()?;
    let Some(ticket) = model.tickets.get(&number) else {
        return Ok(());
    };
    let row = tickets::find(reader, number).context("a ticket's row")?;
    let row = row.ok_or_else(|| format!("ticket {number} has no row"))?;
    let found = Ticket::must_read(reader, number).context("a ticket")?;
    let standing = match ticket.standing {
        Standing::Sold => 1,
        Standing::Cancelled => 2,
        Standing::Unpaid => 3,
    };
    let right = (
        standing,
        ticket.copy,
        ticket.confirmed_copy,
        ticket.released,
        ticket.held_by_guard,
        ticket.presented_at_ms,
        ticket.refused,
    );
    let told = (
        row.state,
        row.copy,
        row.confirmed_copy,
        row.released_leaf.is_some(),
        row.held_leaf.is_some(),
        found.presented_at_ms(),
        found.refused_reason(),
    );
    must(told == right, || {
        format!("ticket {number}: it is said to be {told:?}, the record {right:?}")
    })?;
    let told = tickets::facts(reader, (number, number)).context("a ticket's life")?;
    let told = told.iter().map(|fact| fact.leaf);
    // A commit of which nobody has learned is in the rows, and not yet in the model.
    let told: Vec<u64> = told.filter(|leaf| *leaf < model.size).collect();
    let lived = model.lives.get(&number).cloned().unwrap_or_default();
    must(told == lived, || {
        format!("ticket {number}: its rows tell {told:?}, the record {lived:?}")
    })?;
    let now_ms = world.now_ms();
    let picture = TicketPicture::of(central, found).context("a ticket's picture")?;
    let verdict = picture.verdict(central);
    let cents = match &verdict {
        keno_service::counter::Verdict::Winner { cents }
        | keno_service::counter::Verdict::DrawCancelled { cents } => Some(*cents),
        _ => None,
    };
    let right = model.verdict(number, now_ms);
    let told = crate::model::Verdict {
        name: verdict.name(),
        cents,
    };
    must(right == Some(told), || {
        format!("ticket {number} is said to be {told:?} and is {right:?}")
    })?;
    Ok(())
}

/// The prizes of a settled draw, as central computes each from its ticket's leaf.
///
/// # Errors
/// What differs.
pub fn prizes(
    world: &World,
    model: &Model,
    reader: &mut Connection,
    number: u64,
) -> Result<(), Failure> {
    let Some(draw) = model.draws.get(&number) else {
        return Ok(());
    };
    let central = world.central()?;
    let found = draw_range(central, number, number).context("a draw")?;
    let settled = found.first().and_then(|draw| draw.settled());
    let settled = settled.ok_or_else(|| format!("draw {number} is not settled"))?;
    let view = central.view.get();
    let mut told: BTreeMap<u64, (i64, i64)> = BTreeMap::new();
    for leaf in &draw.tickets {
        let ticket = Ticket::must_read(reader, *leaf).context("a ticket")?;
        let rules = view.rule_books.get(&ticket.sale.rule_book);
        let rules = rules.ok_or_else(|| format!("ticket {leaf} has no rules"))?;
        let prize = ticket.prize(&rules.rules, settled).context("a prize")?;
        told.extend(prize.map(|it| (*leaf, (it.computed.get(), it.payable.get()))));
    }
    must(told == draw.prizes, || {
        format!(
            "draw {number}: central pays {told:?}, the record {:?}",
            draw.prizes
        )
    })?;
    Ok(())
}
