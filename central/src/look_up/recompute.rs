//! Prizes computed anew from a ticket's own leaf: every way is listed and counted one by one, where
//! settlement counts by a polynomial.

use keno_game::BallSet;
use keno_game::ways::enumerate;
use keno_log::event::{DrawSettled, SelectionRecord};
use keno_record::fault::Fault;
use keno_record::state::PublishedRules;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::convert;

/// One draw and selection: the prize computed anew from the leaf.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RecomputedSelection {
    /// Selection, 0 for A.
    pub selection: u8,
    /// Its numbers.
    pub numbers: Vec<u8>,
    /// Ways by how many were caught of how many: `2 × 3/4`.
    pub catches: String,
    /// Prize before the cap, in cents.
    pub computed_cents: i64,
    /// Prize after the published factors, in cents.
    pub payable_cents: i64,
}

/// Prize of one way: pays are in hundredths, and the cent is floored.
fn way_prize(wager_cents: i64, hundredths: u32) -> i128 {
    i128::from(wager_cents) * i128::from(hundredths) / 100
}

/// What a draw's published factors leave of a prize.
fn after_cap(prize: i128, full_below_cents: i64, settlement: &DrawSettled) -> i128 {
    let (numerator, denominator) = if prize < i128::from(full_below_cents) {
        (settlement.small_numerator, settlement.small_denominator)
    } else {
        (settlement.large_numerator, settlement.large_denominator)
    };
    prize * i128::from(numerator) / i128::from(denominator).max(1)
}

/// Ways listed for one selection at most: the most that a rule book may permit.
const WAYS_LISTED_MAX: usize = keno_game::rules::WAYS_MAX as usize;

/// One selection computed anew.
pub(super) fn recompute(
    index: u8,
    record: &SelectionRecord,
    rules: &PublishedRules,
    winning: BallSet,
    full_below_cents: i64,
    settlement: &DrawSettled,
) -> Result<RecomputedSelection, Fault> {
    let fault = |what: &str| Fault::Record(format!("selection {index}: {what}"));
    let game = rules
        .rules
        .game(&record.game)
        .ok_or_else(|| fault("its game is not in the rule book"))?;
    let groups = record
        .groups
        .iter()
        .map(|group| BallSet::from_numbers(group))
        .collect::<Result<Vec<_>, _>>()
        .map_err(|_| fault("its groups cannot be read"))?;
    let kings =
        BallSet::from_numbers(&record.kings).map_err(|_| fault("its kings cannot be read"))?;
    let (mut computed, mut payable) = (0_i128, 0_i128);
    let mut catches = Vec::new();
    for line in &record.conditioning {
        let table = game
            .table(line.spots)
            .ok_or_else(|| fault("a way has no pay table"))?;
        let ways = enumerate(&groups, kings, game.king_alone, line.spots, WAYS_LISTED_MAX)
            .map_err(|_| fault("its ways cannot be listed"))?;
        let mut by_catch = std::collections::BTreeMap::<u8, u32>::new();
        for way in ways {
            let caught = way
                .iter()
                .filter(|number| winning.contains(*number))
                .count();
            let caught = u8::try_from(caught).unwrap_or(u8::MAX);
            *by_catch.entry(caught).or_default() += 1;
            let prize = way_prize(line.wager_cents, table.pays(caught).hundredths());
            computed += prize;
            payable += after_cap(prize, full_below_cents, settlement);
        }
        for (caught, ways) in by_catch.into_iter().rev() {
            let spots = line.spots;
            catches.push(if ways == 1 {
                format!("{caught}/{spots}")
            } else {
                format!("{ways} × {caught}/{spots}")
            });
        }
    }
    let cents =
        |value: i128| i64::try_from(value).map_err(|_| fault("its prize cannot be counted"));
    Ok(RecomputedSelection {
        selection: index,
        numbers: convert::numbers_of(record).iter().collect(),
        catches: catches.join(", "),
        computed_cents: cents(computed)?,
        payable_cents: cents(payable)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settlement(large: (u64, u64)) -> DrawSettled {
        DrawSettled {
            draw: 1,
            winners: 1,
            small_cents: 0,
            large_cents: 0,
            payable_cents: 0,
            small_numerator: 1,
            small_denominator: 1,
            large_numerator: large.0,
            large_denominator: large.1,
            breakage_cents: 0,
            prize_root: [0; 32],
        }
    }

    #[test]
    fn prizes_are_floored_once_per_way_and_the_cap_falls_on_the_large_ones() {
        assert_eq!(way_prize(50, 333), 166);
        let half = settlement((1, 2));
        assert_eq!(after_cap(99_999, 100_000, &half), 99_999);
        assert_eq!(after_cap(100_001, 100_000, &half), 50_000);
    }
}
