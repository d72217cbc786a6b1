//! The guard over wins: one that is too improbable holds its payment and stops sales until
//! people have looked.
//!
//! At the Casino de Montréal in April 1994 one player hit 19 of 20 three times running, each one
//! chance in 10^15, and was three times not stopped.

use keno_game::returns::hypergeometric;
use keno_game::ways::ways_by_catch;
use keno_game::{BallSet, Cents, PackedStraight, PackedWay, PayTable, Pool};
use keno_log::event::{PaymentHeld, SalesSuspended};

use crate::draws::GUARD;
use crate::fault::Fault;
use crate::sequencer::Judge;
use crate::store::{big, payments, tickets, unbig};

/// Why a win is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Suspicion {
    /// The win had less than one chance in 10^9.
    Improbable = 1,
    /// A rare top prize, and the ticket had won one in an earlier draw.
    TopAgain = 2,
}

/// A win of less than one chance in so many is improbable.
const IMPROBABLE: u128 = 1_000_000_000;
/// A top prize of less than one chance in so many is rare.
const RARE: u128 = 10_000;

/// What each catch of a pay table means to the guard.
struct Watch {
    improbable: [bool; 21],
    rare_top: [bool; 21],
}

/// True when a catch has less than one chance in `limit`.
fn is_below(pool: Pool, spots: u8, catch: u8, limit: u128) -> bool {
    let (hits, all) = hypergeometric(pool, spots, catch);
    hits.checked_mul(limit).is_some_and(|scaled| scaled < all)
}

fn watch(pool: Pool, table: &PayTable) -> Watch {
    let unit = Cents::new(100);
    let top = table.top_prize(unit);
    let mut watch = Watch {
        improbable: [false; 21],
        rare_top: [false; 21],
    };
    for (catch, (improbable, rare)) in
        (0_u8..).zip(watch.improbable.iter_mut().zip(watch.rare_top.iter_mut()))
    {
        if catch > table.catch_max() || table.prize(unit, catch) == Cents::ZERO {
            continue;
        }
        *improbable = is_below(pool, table.spots(), catch, IMPROBABLE);
        *rare = table.prize(unit, catch) == top && is_below(pool, table.spots(), catch, RARE);
    }
    watch
}

/// Wins of a draw that have little chance, before the record is asked about them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seen {
    improbable: Vec<u64>,
    /// With a rare top prize.
    rare: Vec<u64>,
}

/// Looks at every win of a draw.
pub fn look(
    pool: Pool,
    drawn: BallSet,
    tables: &[PayTable],
    straight: &[PackedStraight],
    ways: &[PackedWay],
) -> Seen {
    let mut seen = Seen::default();
    let watches: Vec<Watch> = tables.iter().map(|table| watch(pool, table)).collect();
    let mut note = |ticket: u64, table: u16, catch: usize| {
        let Some(watch) = watches.get(usize::from(table)) else {
            return;
        };
        if watch.improbable.get(catch) == Some(&true) {
            seen.improbable.push(ticket);
        }
        if watch.rare_top.get(catch) == Some(&true) {
            seen.rare.push(ticket);
        }
    };
    for wager in straight {
        if wager.wager_cents > 0 {
            let catch = wager.numbers().intersection(drawn).len();
            note(wager.ticket, wager.table, usize::from(catch));
        }
    }
    for way in ways {
        for line in &way.lines {
            let counts = ways_by_catch(&way.groups, way.kings, way.king_alone, line.spots, drawn);
            for (catch, count) in counts.iter().enumerate() {
                if *count > 0 {
                    note(way.ticket, line.table, catch);
                }
            }
        }
    }
    seen
}

/// What of the wins that were seen people must look at, ascending by ticket.
///
/// # Errors
/// A fault of the database, or of a record that cannot be read.
pub fn judge_seen(
    judge: &mut Judge<'_>,
    number: u64,
    seen: &Seen,
) -> Result<Vec<(u64, Suspicion)>, Fault> {
    let mut found: Vec<(u64, Suspicion)> = seen
        .improbable
        .iter()
        .map(|ticket| (*ticket, Suspicion::Improbable))
        .collect();
    for ticket in &seen.rare {
        if won_a_top_before(judge, *ticket, number)? {
            found.push((*ticket, Suspicion::TopAgain));
        }
    }
    found.sort_unstable();
    found.dedup_by_key(|(ticket, _)| *ticket);
    Ok(found)
}

/// True when a ticket's prize in an earlier draw was at least the largest it can win for one of
/// its selections at a rare top: judged by the amount, which the record holds.
fn won_a_top_before(judge: &mut Judge<'_>, ticket: u64, number: u64) -> Result<bool, Fault> {
    judge.settle_rows()?;
    let Some(row) = tickets::find(judge.connection, big(ticket))? else {
        return Ok(false);
    };
    let sold = crate::project::sale_of(judge.connection, ticket)?;
    let Some(rules) = judge.state.rule_books.get(&sold.rule_book) else {
        return Ok(false);
    };
    let top = sold
        .selections
        .iter()
        .flat_map(|selection| {
            let game = rules.rules.game(&selection.game);
            selection.conditioning.iter().filter_map(move |line| {
                let table = game?.table(line.spots)?;
                let rare = watch(rules.rules.pool, table).rare_top.contains(&true);
                rare.then(|| table.top_prize(Cents::new(line.wager_cents)).get())
            })
        })
        .min();
    let Some(top) = top else { return Ok(false) };
    let prizes = payments::prizes_of(
        judge.connection,
        row.number,
        row.first_draw,
        big(number) - 1,
    )?;
    Ok(prizes
        .iter()
        .any(|prize| unbig(prize.draw) != number && prize.computed_cents >= top))
}

/// Holds what is suspicious, and stops sales: the manager is called.
///
/// # Errors
/// A fault.
pub fn act(
    judge: &mut Judge<'_>,
    number: u64,
    suspicions: &[(u64, Suspicion)],
) -> Result<(), Fault> {
    for (ticket, suspicion) in suspicions {
        tracing::error!(
            ticket,
            draw = number,
            ?suspicion,
            "a win is held by the guard"
        );
        judge.record(PaymentHeld {
            ticket: *ticket,
            draw: number,
            reason: *suspicion as u8,
            by: GUARD.to_owned(),
        })?;
    }
    if !suspicions.is_empty() && judge.state.sales_suspended.is_none() {
        judge.record(SalesSuspended {
            reason: format!(
                "tirage {number} : {} gain(s) improbable(s) / draw {number}: {} improbable win(s)",
                suspicions.len(),
                suspicions.len()
            ),
            by: GUARD.to_owned(),
        })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use keno_game::Pays;

    fn table(spots: u8, pays: &[(u8, u32)]) -> PayTable {
        let pays: Vec<_> = pays
            .iter()
            .map(|(catch, pays)| (*catch, Pays::from_hundredths(*pays)))
            .collect();
        PayTable::new(spots, &pays).unwrap()
    }

    #[test]
    fn only_what_has_less_than_one_chance_in_a_billion_is_improbable() {
        let pool = Pool::TWENTY_OF_EIGHTY;
        // 10 of 10: one in 8.9 million; 12 of 12: one in 478 million; 13 of 13: one in 3.7
        // billion; 19 of 20: one in 2.9 x 10^15.
        for (spots, catch, expected) in [
            (10, 10, false),
            (12, 12, false),
            (13, 13, true),
            (20, 19, true),
        ] {
            let watch = watch(pool, &table(spots, &[(catch, 100_000)]));
            assert_eq!(
                watch.improbable[usize::from(catch)],
                expected,
                "{catch} of {spots}"
            );
        }
    }

    #[test]
    fn a_common_top_prize_is_not_rare_and_a_catch_that_pays_nothing_is_nothing() {
        let pool = Pool::TWENTY_OF_EIGHTY;
        assert!(!watch(pool, &table(1, &[(1, 300)])).rare_top[1]);
        assert!(watch(pool, &table(10, &[(5, 200), (10, 250_000)])).rare_top[10]);
        assert!(!watch(pool, &table(20, &[(20, 100)])).improbable[19]);
    }
}
