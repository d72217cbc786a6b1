//! Ways by enumeration: every combination of groups that has the asked number of spots.
//!
//! A king is a lone number that joins any group or groups; kings without a group make a way
//! only where the rule book lets them play alone. A branch from which the size can no longer be
//! reached exactly is never entered, so that the work is proportional to the ways found.

/// Visits every way of `spots` numbers as a set of numbers (bit n-1 is number n).
///
/// `kings` are sets of one number, `groups` sets of one or more, all disjoint. `visit` answers
/// whether to go on; the result is false when it stopped the visit.
pub fn each_way(
    kings: &[u128],
    groups: &[u128],
    king_alone: bool,
    spots: u8,
    visit: &mut dyn FnMut(u128) -> bool,
) -> bool {
    if spots == 0 || spots > 127 {
        return true;
    }
    let parts: Vec<u128> = kings.iter().chain(groups).copied().collect();
    let plan = Plan {
        reachable: reachable(&parts, kings.len(), king_alone),
        parts,
    };
    plan.from(0, u32::from(spots), 0, visit)
}

/// How many ways of `spots` numbers there are, counted no further than `limit`.
#[must_use]
pub fn count_ways(kings: &[u128], groups: &[u128], king_alone: bool, spots: u8, limit: u64) -> u64 {
    let mut count = 0;
    each_way(kings, groups, king_alone, spots, &mut |_| {
        count += 1;
        count < limit
    });
    count
}

/// For each place, the sizes (as bits) that the parts from there on can still make. Between the
/// last king and the first group the size 0 is struck out unless kings may play alone: what is
/// then missing must come from at least one group.
fn reachable(parts: &[u128], kings: usize, king_alone: bool) -> Vec<u128> {
    let mut sizes = vec![1_u128; parts.len() + 1];
    let mut bits = 1_u128;
    for (place, part) in parts.iter().enumerate().rev() {
        if place + 1 == kings && !king_alone {
            bits &= !1;
            if let Some(at_border) = sizes.get_mut(kings) {
                *at_border = bits;
            }
        }
        bits |= bits.checked_shl(part.count_ones()).unwrap_or(0);
        if let Some(here) = sizes.get_mut(place) {
            *here = bits;
        }
    }
    sizes
}

struct Plan {
    parts: Vec<u128>,
    reachable: Vec<u128>,
}

impl Plan {
    fn from(
        &self,
        place: usize,
        missing: u32,
        chosen: u128,
        visit: &mut dyn FnMut(u128) -> bool,
    ) -> bool {
        let open = self.reachable.get(place).copied().unwrap_or(0);
        if open >> missing & 1 == 0 {
            return true;
        }
        let Some(part) = self.parts.get(place) else {
            return visit(chosen);
        };
        if let Some(left) = missing.checked_sub(part.count_ones())
            && !self.from(place + 1, left, chosen | part, visit)
        {
            return false;
        }
        self.from(place + 1, missing, chosen, visit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn part(numbers: std::ops::Range<u32>) -> u128 {
        numbers.map(|number| 1_u128 << (number - 1)).sum()
    }

    fn sizes(kings: &[u128], groups: &[u128], king_alone: bool) -> Vec<(u8, u64)> {
        (1..=80)
            .map(|spots| {
                let ways = count_ways(kings, groups, king_alone, spots, u64::MAX);
                (spots, ways)
            })
            .filter(|(_, ways)| *ways > 0)
            .collect()
    }

    #[test]
    fn a_king_with_groups_of_two_three_and_four() {
        let groups = [part(2..4), part(4..7), part(7..11)];
        let king = [part(1..2)];
        let with = sizes(&king, &groups, true);
        assert_eq!(
            with,
            [
                (1, 1),
                (2, 1),
                (3, 2),
                (4, 2),
                (5, 2),
                (6, 2),
                (7, 2),
                (8, 1),
                (9, 1),
                (10, 1)
            ]
        );
        assert_eq!(with.iter().map(|(_, ways)| ways).sum::<u64>(), 15);
        let without = sizes(&king, &groups, false);
        assert_eq!(without.iter().map(|(_, ways)| ways).sum::<u64>(), 14);
        assert!(!without.contains(&(1, 1)));
    }

    #[test]
    fn twenty_groups_of_four_by_pairs_are_190_eights() {
        let groups: Vec<u128> = (0..20).map(|at| part(at * 4 + 1..at * 4 + 5)).collect();
        assert_eq!(count_ways(&[], &groups, false, 8, u64::MAX), 190);
        assert_eq!(count_ways(&[], &groups, false, 7, u64::MAX), 0);
    }

    #[test]
    fn counting_stops_at_the_limit() {
        let groups: Vec<u128> = (0..80).map(|at| 1 << at).collect();
        assert_eq!(count_ways(&[], &groups, false, 40, 2_001), 2_001);
    }

    proptest! {
        #[test]
        fn the_visit_is_what_trying_every_subset_gives(
            lengths in proptest::collection::vec(1_u32..5, 0..7),
            kings in 0_u32..4,
            king_alone: bool,
            spots in 1_u8..16,
        ) {
            let kings: Vec<u128> = (0..kings).map(|at| 1 << at).collect();
            let mut next = 10;
            let groups: Vec<u128> = lengths.iter().map(|length| {
                next += length;
                part(next - length..next)
            }).collect();
            let mut expected = Vec::new();
            for choice in 1_u32..1 << (kings.len() + groups.len()) {
                let chosen: u128 = kings.iter().chain(&groups).enumerate()
                    .filter(|(at, _)| choice >> at & 1 == 1)
                    .map(|(_, part)| part)
                    .sum();
                let has_group = choice >> kings.len() != 0;
                if chosen.count_ones() == u32::from(spots) && (has_group || king_alone) {
                    expected.push(chosen);
                }
            }
            let mut found = Vec::new();
            each_way(&kings, &groups, king_alone, spots, &mut |way| { found.push(way); true });
            expected.sort_unstable();
            found.sort_unstable();
            prop_assert_eq!(found, expected);
        }
    }
}
