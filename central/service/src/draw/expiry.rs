//! Prizes and refunds that nobody claimed in time, day by day (s. 86).

use std::collections::BTreeMap;

use keno_log::event::{ExpiredItem, PrizesExpired};
use keno_record::sequencer::{Judge, Lane};
use keno_record::store::{draws, payments};
use keno_record::ticket::Ticket;

use crate::Stop;
use crate::central::Central;
use crate::counter::deadline::{AFTERWARDS_MS, Extensions, decided_at, draws_of};
use crate::draw::conductor::Conductor;

impl Conductor {
    /// Expires prizes and refunds whose claim period is over, in slices. Returns how many.
    ///
    /// # Errors
    /// A refusal or a fault.
    pub fn sweep_expired(central: &Central) -> Result<usize, Stop> {
        let void = draws::void_between(&mut *central.readers.get()?, 0, u64::MAX)?;
        let mut total = sweep(central, Owed::Prizes)?;
        for draw in void {
            total += sweep(central, Owed::Refunds(draw))?;
        }
        Ok(total)
    }
}

/// Expires what is owed and over, slice after slice in its order.
fn sweep(central: &Central, owed: Owed) -> Result<usize, Stop> {
    let mut total = 0;
    let mut after = (0, 0);
    loop {
        let (last, swept) = central
            .sequencer
            .submit_blocking(Lane::Draw, move |judge| sweep_slice(judge, owed, after))?;
        total += swept;
        match last {
            Some(last) => after = last,
            None => return Ok(total),
        }
    }
}

/// What may expire.
#[derive(Debug, Clone, Copy)]
enum Owed {
    /// Prizes of all draws.
    Prizes,
    /// Refunds of a void draw.
    Refunds(u64),
}

/// Expires the next slice of what is owed and over: where it ended, if there may be more, and how
/// much of it was over. What was presented in time, or is of a draw that was decided late, waits.
fn sweep_slice(
    judge: &mut Judge<'_>,
    owed: Owed,
    after: (u64, u64),
) -> Result<(Option<(u64, u64)>, usize), Stop> {
    const SLICE: i64 = 1_000;
    // What was presented while nothing could be entered may still be entered with its hour: until
    // then nothing is recorded as expired. It is refused as late meanwhile.
    let then_ms = judge.now_ms.saturating_sub(AFTERWARDS_MS);
    let yesterday = judge.calendar.day_before(then_ms);
    judge.settle_rows()?;
    let found = match owed {
        Owed::Prizes => {
            payments::prizes_that_may_expire(judge.connection, yesterday, after, SLICE)?
        }
        Owed::Refunds(draw) => {
            let books = judge.state.rule_books.values();
            let draws = books.map(|it| it.rules.limits.draws_max).max();
            let draws = u64::from(draws.unwrap_or(u16::MAX));
            payments::refunds_that_may_expire(
                judge.connection,
                draw,
                draws,
                yesterday,
                after.0,
                SLICE,
            )?
        }
    };
    let is_whole = i64::try_from(found.len()) == Ok(SLICE);
    let last = found.last().filter(|_| is_whole).map(|one| (one.0, one.1));
    let mut decided = BTreeMap::new();
    let mut items = Vec::new();
    for (ticket, draw, amount_cents, claim_by, rule_book, presented_at_ms) in found {
        let decided_at_ms = match decided.get(&draw) {
            Some(known) => *known,
            None => {
                let mut draws = draws_of(judge.connection, judge.state, draw, draw)?;
                let live = draws.remove(&draw);
                let at_ms = live.and_then(|live| decided_at(&live.leaves));
                decided.insert(draw, at_ms);
                at_ms
            }
        };
        let until = Extensions::of(judge, rule_book).claim_until(claim_by, decided_at_ms);
        let is_over = until <= yesterday;
        let is_presented = is_over
            && presented_at_ms.is_some()
            && Ticket::read(judge.connection, ticket)?
                .is_some_and(|it| it.presented().contains(&draw));
        if is_over && !is_presented {
            items.push(ExpiredItem {
                ticket,
                draw,
                amount_cents,
            });
        }
    }
    let count = items.len();
    if count > 0 {
        judge.record(PrizesExpired {
            through_day: yesterday,
            items,
        })?;
    }
    Ok((last, count))
}
