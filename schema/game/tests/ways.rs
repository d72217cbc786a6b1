//! Ways: published examples, and the polynomial against plain enumeration.
#![allow(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

use keno_game::BallSet;
use keno_game::ways::{WayError, enumerate, ways_by_catch, ways_by_size};
use proptest::prelude::*;

fn set(numbers: &[u8]) -> BallSet {
    BallSet::from_numbers(numbers).unwrap()
}

/// `size × ways` of all sizes that have any.
fn sizes(groups: &[BallSet], kings: BallSet, king_alone: bool) -> Vec<(u8, u64)> {
    let counts = ways_by_size(groups, kings, king_alone).unwrap();
    (0u8..).zip(counts).filter(|(_, ways)| *ways > 0).collect()
}

/// Every way by trying every subset of groups and kings: nothing in common with
/// the code under test.
fn every_way(groups: &[BallSet], kings: BallSet, king_alone: bool) -> Vec<BallSet> {
    let kings: Vec<BallSet> = kings.iter().map(|king| set(&[king])).collect();
    let parts: Vec<BallSet> = groups.iter().chain(&kings).copied().collect();
    let mut ways = Vec::new();
    for chosen in 1u32..(1 << parts.len()) {
        let has_group = chosen & ((1 << groups.len()) - 1) != 0;
        if !has_group && !king_alone {
            continue;
        }
        let way = (0..parts.len())
            .filter(|index| chosen & (1 << index) != 0)
            .fold(BallSet::EMPTY, |way, index| way.union(parts[index]));
        ways.push(way);
    }
    ways
}

#[test]
fn two_groups_of_four_give_two_fours_and_one_eight() {
    let groups = [set(&[3, 14, 22, 29]), set(&[40, 51, 66, 80])];
    assert_eq!(sizes(&groups, BallSet::EMPTY, false), [(4, 2), (8, 1)]);
}

#[test]
fn twenty_groups_of_four_by_pairs_are_190() {
    let groups: Vec<BallSet> = (0..20u8)
        .map(|g| set(&[4 * g + 1, 4 * g + 2, 4 * g + 3, 4 * g + 4]))
        .collect();
    let counts = ways_by_size(&groups, BallSet::EMPTY, false).unwrap();
    assert_eq!(counts[4], 20);
    assert_eq!(counts[8], 190);
    assert_eq!(counts[40], 184_756);
    assert_eq!(counts[80], 1);
    assert_eq!(counts[5], 0);
    assert_eq!(counts.iter().sum::<u64>(), (1 << 20) - 1);
    let listed = enumerate(&groups, BallSet::EMPTY, false, 8, 2000).unwrap();
    assert_eq!(listed.len(), 190);
    assert_eq!(
        enumerate(&groups, BallSet::EMPTY, false, 8, 189),
        Err(WayError::TooMany(189))
    );
}

#[test]
fn a_king_with_two_three_and_four_is_15_ways_with_the_king_alone_and_14_without() {
    let groups = [set(&[2, 3]), set(&[4, 5, 6]), set(&[7, 8, 9, 10])];
    let king = set(&[1]);
    assert_eq!(
        sizes(&groups, king, true),
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
    let without = sizes(&groups, king, false);
    assert_eq!(without.iter().map(|(_, ways)| ways).sum::<u64>(), 14);
    assert_eq!(without[0], (2, 1));
}

#[test]
fn kings_without_group_play_only_where_kings_play_alone() {
    let kings = set(&[1, 2, 3]);
    assert_eq!(sizes(&[], kings, true), [(1, 3), (2, 3), (3, 1)]);
    assert_eq!(sizes(&[], kings, false), []);
    assert!(enumerate(&[], kings, false, 1, 10).unwrap().is_empty());
}

/// A player writes 2-2 / 2-2 and means two four-spot ways; the groups make six.
#[test]
fn four_groups_of_two_give_six_fours() {
    let groups = [set(&[1, 2]), set(&[3, 4]), set(&[5, 6]), set(&[7, 8])];
    assert_eq!(
        sizes(&groups, BallSet::EMPTY, false),
        [(2, 4), (4, 6), (6, 4), (8, 1)]
    );
}

#[test]
fn groups_that_overlap_or_are_empty_are_refused() {
    let first = set(&[1, 2]);
    assert_eq!(
        ways_by_size(&[first, set(&[2, 3])], BallSet::EMPTY, false),
        Err(WayError::Overlap(2))
    );
    assert_eq!(
        ways_by_size(&[first], set(&[1]), true),
        Err(WayError::Overlap(1))
    );
    assert_eq!(
        ways_by_size(&[first, BallSet::EMPTY], BallSet::EMPTY, false),
        Err(WayError::EmptyGroup(1))
    );
}

#[test]
fn eighty_groups_of_one_do_not_overflow() {
    let groups: Vec<BallSet> = (1..=80).map(|number| set(&[number])).collect();
    let counts = ways_by_size(&groups, BallSet::EMPTY, false).unwrap();
    assert_eq!((counts[1], counts[2], counts[79]), (80, 3160, 80));
    assert_eq!(counts[10], 1_646_492_110_120);
    assert_eq!(counts[40], u64::MAX, "stays at the most");
    // The published row of ten spots, counted as ways of one huge selection.
    let drawn: Vec<u8> = (1..=20).collect();
    let caught = ways_by_catch(&groups, BallSet::EMPTY, false, 10, set(&drawn));
    assert_eq!(caught[0], 75_394_027_566);
    assert_eq!(caught[10], 184_756);
    assert_eq!(
        enumerate(&groups, BallSet::EMPTY, false, 79, 80)
            .unwrap()
            .len(),
        80
    );
}

/// Disjoint groups, kings and drawn numbers of a small random ticket.
fn ticket() -> impl Strategy<Value = (Vec<BallSet>, BallSet, bool, BallSet)> {
    let numbers = Just((1..=80u8).collect::<Vec<u8>>()).prop_shuffle();
    let drawn = Just((1..=80u8).collect::<Vec<u8>>()).prop_shuffle();
    let group_sizes = prop::collection::vec(1usize..=5, 0..=6);
    (numbers, drawn, group_sizes, 0usize..=4, any::<bool>()).prop_map(
        |(numbers, drawn, group_sizes, king_count, king_alone)| {
            let mut rest = numbers.as_slice();
            let mut take = |count: usize| {
                let (taken, left) = rest.split_at(count);
                rest = left;
                set(taken)
            };
            let groups: Vec<BallSet> = group_sizes.into_iter().map(&mut take).collect();
            let kings = take(king_count);
            (groups, kings, king_alone, set(&drawn[..20]))
        },
    )
}

proptest! {
    #[test]
    fn the_polynomial_counts_what_enumeration_finds(
        (groups, kings, king_alone, drawn) in ticket()
    ) {
        let all = every_way(&groups, kings, king_alone);
        let counts = ways_by_size(&groups, kings, king_alone).unwrap();
        for spots in 0..=80u8 {
            let of_size: Vec<BallSet> =
                all.iter().copied().filter(|way| way.len() == spots).collect();
            prop_assert_eq!(counts[usize::from(spots)], of_size.len() as u64);

            let mut listed = enumerate(&groups, kings, king_alone, spots, 2000).unwrap();
            listed.sort_unstable();
            let mut wanted = of_size.clone();
            wanted.sort_unstable();
            prop_assert_eq!(listed, wanted);

            let caught = ways_by_catch(&groups, kings, king_alone, spots, drawn);
            for (catch, ways) in (0u8..).zip(caught) {
                let found = of_size
                    .iter()
                    .filter(|way| way.intersection(drawn).len() == catch)
                    .count();
                prop_assert_eq!(ways, found as u64);
            }
        }
    }
}
