//! Wins of a draw that have little chance, seen before the record is asked about them.

use keno_game::returns::hypergeometric;
use keno_game::ways::ways_by_catch;
use keno_game::{BallSet, Cents, PackedStraight, PackedWay, PayTable, Pool};

/// A win of less than one chance in so many is improbable.
const IMPROBABLE: u128 = 1_000_000_000;
/// A top prize of less than one chance in so many is rare.
const RARE: u128 = 10_000;

/// What each catch of a pay table means to the guard.
pub struct Watch {
    /// Less than one chance in 10^9.
    pub improbable: [bool; 21],
    /// A top prize of less than one chance in 10,000.
    pub rare_top: [bool; 21],
}

/// True when a catch has less than one chance in `limit`.
fn is_below(pool: Pool, spots: u8, catch: u8, limit: u128) -> bool {
    let (hits, all) = hypergeometric(pool, spots, catch);
    hits.checked_mul(limit).is_some_and(|scaled| scaled < all)
}

/// What each catch of a table means.
pub fn watch(pool: Pool, table: &PayTable) -> Watch {
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
    /// Tickets with a win of less than one chance in 10^9.
    pub improbable: Vec<u64>,
    /// With a rare top prize.
    pub rare: Vec<u64>,
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
