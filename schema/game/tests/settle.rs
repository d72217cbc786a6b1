//! Settlement: the published vectors of the cap, and the packed kernels against a
//! plain computation, way by way.
#![allow(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

use crate::common::{cents, demonstration_tables, table};
use keno_game::settle::{
    factors, merge, payable, totals_straight, totals_way, winners_straight, winners_way,
};
use keno_game::ways::enumerate;
use keno_game::{
    BallSet, Cents, Factors, PackedLine, PackedStraight, PackedWay, PrizeTotals, SettleFault,
    TicketPrize,
};
use proptest::prelude::*;

fn set(numbers: &[u8]) -> BallSet {
    BallSet::from_numbers(numbers).unwrap()
}

/// What is payable of prizes under a cap, and the breakage.
fn share(prizes: &[i64], cap: i64, threshold: i64) -> (Vec<i64>, i64) {
    let threshold = Cents::new(threshold);
    let mut totals = PrizeTotals::default();
    for &prize in prizes {
        let one = if prize < threshold.get() {
            PrizeTotals {
                small: Cents::new(prize),
                small_count: 1,
                ..PrizeTotals::default()
            }
        } else {
            PrizeTotals {
                large: Cents::new(prize),
                large_count: 1,
                ..PrizeTotals::default()
            }
        };
        totals = totals.add(one).unwrap();
    }
    let factors = factors(Cents::new(cap), totals);
    let paid: Vec<i64> = prizes
        .iter()
        .map(|prize| payable(Cents::new(*prize), threshold, &factors).get())
        .collect();
    let breakage = cap.min(prizes.iter().sum()) - paid.iter().sum::<i64>();
    (paid, breakage)
}

#[test]
fn the_cap_shares_as_published() {
    // All share, floored; the threshold at zero makes every prize large.
    assert_eq!(
        share(&[5_000_000, 2_500_000, 300, 200], 5_000_000, 0),
        (vec![3_333_111, 1_666_555, 199, 133], 2)
    );
    // Small in full, the large share the rest.
    assert_eq!(
        share(&[5_000_000, 2_500_000, 300, 200], 5_000_000, 100_000),
        (vec![3_333_000, 1_666_500, 300, 200], 0)
    );
    assert_eq!(
        share(&[1_000_000; 3], 2_500_000, 100_000),
        (vec![833_333; 3], 1)
    );
    // Nevada: 50k, 25k and 25k under a limit of 50k.
    assert_eq!(
        share(&[5_000_000, 2_500_000, 2_500_000], 5_000_000, 100_000),
        (vec![2_500_000, 1_250_000, 1_250_000], 0)
    );
}

#[test]
fn the_bounds_of_the_cap() {
    // Exactly the cap: in full.
    assert_eq!(share(&[600, 400], 1000, 500), (vec![600, 400], 0));
    // One cent above.
    assert_eq!(share(&[601, 400], 1000, 500), (vec![600, 400], 0));
    // The small alone are the cap: nothing is left for the large.
    assert_eq!(share(&[400, 600, 900], 1000, 700), (vec![400, 600, 0], 0));
    // The small alone exceed it: all shrink alike.
    assert_eq!(share(&[600, 600, 800], 1000, 700), (vec![300, 300, 400], 0));
    // A prize of the threshold itself is large.
    assert_eq!(share(&[700, 699], 1000, 700), (vec![301, 699], 0));
    assert_eq!(share(&[], 1000, 700), (vec![], 0));

    let totals = PrizeTotals {
        small: Cents::new(500),
        large: Cents::new(7_500_000),
        small_count: 2,
        large_count: 2,
    };
    assert_eq!(
        factors(Cents::new(5_000_000), totals),
        Factors {
            small_num: 1,
            small_den: 1,
            large_num: 4_999_500,
            large_den: 7_500_000
        },
        "as the rule reads, not reduced"
    );
    let only_small = PrizeTotals {
        small: Cents::new(2_000),
        large: Cents::ZERO,
        small_count: 4,
        large_count: 0,
    };
    assert_eq!(
        factors(Cents::new(1_000), only_small),
        Factors {
            small_num: 1_000,
            small_den: 2_000,
            large_num: 1,
            large_den: 1
        },
        "a factor with nothing to apply to is one"
    );
    assert!(factors(Cents::new(7_500_500), totals).is_full());
    assert!(!factors(Cents::new(7_500_499), totals).is_full());
    let huge = PrizeTotals {
        small: Cents::new(i64::MAX),
        large: Cents::new(i64::MAX),
        small_count: 1,
        large_count: 1,
    };
    let factors = factors(Cents::new(100), huge);
    assert_eq!(factors.small_den, u64::MAX - 1);
    assert_eq!(huge.add(huge), Err(SettleFault::Overflow));
    assert_eq!(huge.total(), Err(SettleFault::Overflow));
}

#[test]
fn a_factor_with_nothing_to_apply_to_is_one() {
    let small_only = PrizeTotals {
        small: Cents::new(1_600),
        small_count: 4,
        ..PrizeTotals::default()
    };
    assert_eq!(
        factors(Cents::new(1_000), small_only),
        Factors {
            small_num: 1_000,
            small_den: 1_600,
            large_num: 1,
            large_den: 1
        }
    );
}

#[test]
fn a_table_that_is_not_there_is_told() {
    let wager = PackedStraight::new(9, set(&[1, 2, 3]), 10, 100);
    let drawn: BallSet = set(&(1..=20).collect::<Vec<u8>>());
    let tables = demonstration_tables();
    let fault = SettleFault::UnknownTable {
        ticket: 9,
        table: 10,
    };
    assert_eq!(
        totals_straight(&[wager], drawn, &tables, Cents::ZERO),
        Err(fault)
    );
    let way = PackedWay {
        ticket: 9,
        groups: Box::new([set(&[1, 2, 3])]),
        kings: BallSet::EMPTY,
        king_alone: false,
        lines: Box::new([PackedLine {
            spots: 3,
            table: 10,
            wager_cents: 100,
        }]),
    };
    assert_eq!(totals_way(&[way], drawn, &tables, Cents::ZERO), Err(fault));
}

#[test]
fn the_floor_is_per_way() {
    // Two ways that win 0.335 each: 0.33 twice, never 0.67.
    let tables = [table(1, &[(1, "0.67")])];
    let drawn = set(&(1..=20).collect::<Vec<u8>>());
    let way = PackedWay {
        ticket: 1,
        groups: Box::new([set(&[1]), set(&[2])]),
        kings: BallSet::EMPTY,
        king_alone: false,
        lines: Box::new([PackedLine {
            spots: 1,
            table: 0,
            wager_cents: 50,
        }]),
    };
    let totals = totals_way(std::slice::from_ref(&way), drawn, &tables, Cents::new(34)).unwrap();
    assert_eq!((totals.small, totals.small_count), (Cents::new(66), 2));
    // The threshold looks at one way, not at the ticket.
    assert_eq!(totals.large_count, 0);
    // Under a cap of 0.65 each way gets 0.33 × 65/66 = 0.325, floored: 0.32.
    let mut out = Vec::new();
    let factors = factors(Cents::new(65), totals);
    winners_way(&[way], drawn, &tables, Cents::new(34), &factors, &mut out).unwrap();
    assert_eq!(out[0].computed, Cents::new(66));
    assert_eq!(out[0].payable, Cents::new(64));
}

#[test]
fn prizes_of_one_ticket_are_merged() {
    let prize = |ticket, computed, payable| TicketPrize {
        ticket,
        computed: Cents::new(computed),
        payable: Cents::new(payable),
    };
    let merged = merge(vec![prize(7, 5, 4), prize(3, 1, 1), prize(7, 10, 9)]).unwrap();
    assert_eq!(merged, [prize(3, 1, 1), prize(7, 15, 13)]);
    assert_eq!(
        merge(vec![prize(1, i64::MAX, 1), prize(1, 1, 1)]),
        Err(SettleFault::Overflow)
    );
}

/// A random draw with its tickets.
#[derive(Debug, Clone)]
struct Case {
    drawn: BallSet,
    straights: Vec<PackedStraight>,
    ways: Vec<PackedWay>,
    cap: Cents,
    threshold: Cents,
}

fn shuffled() -> impl Strategy<Value = Vec<u8>> {
    // Twenty-four numbers only, so that draws of twenty catch a lot.
    Just((1..=24u8).collect::<Vec<u8>>()).prop_shuffle()
}

fn straight() -> impl Strategy<Value = PackedStraight> {
    (shuffled(), 1u16..=10, 1u32..5_000, 0u64..6).prop_map(|(numbers, spots, wager, ticket)| {
        let numbers = set(&numbers[..usize::from(spots)]);
        PackedStraight::new(ticket, numbers, spots - 1, wager)
    })
}

fn way() -> impl Strategy<Value = PackedWay> {
    let sizes = prop::collection::vec(1usize..=3, 1..=5);
    let wagers = prop::collection::vec((1u16..=10, 1u32..5_000), 1..=3);
    (
        shuffled(),
        sizes,
        0usize..=3,
        any::<bool>(),
        wagers,
        0u64..6,
    )
        .prop_map(|(numbers, sizes, kings, king_alone, wagers, ticket)| {
            let mut rest = numbers.as_slice();
            let mut take = |count: usize| {
                let (taken, left) = rest.split_at(count);
                rest = left;
                set(taken)
            };
            let groups: Vec<BallSet> = sizes.into_iter().map(&mut take).collect();
            let kings = take(kings);
            let lines: Vec<PackedLine> = wagers
                .into_iter()
                .map(|(spots, wager_cents)| PackedLine {
                    spots: spots as u8,
                    table: spots - 1,
                    wager_cents,
                })
                .collect();
            PackedWay {
                ticket,
                groups: groups.into(),
                kings,
                king_alone,
                lines: lines.into(),
            }
        })
}

fn case() -> impl Strategy<Value = Case> {
    (
        shuffled(),
        prop::collection::vec(straight(), 0..12),
        prop::collection::vec(way(), 0..6),
        prop_oneof![1i64..5_000, 1i64..5_000_000, Just(i64::MAX)],
        prop_oneof![Just(0i64), 1i64..200_000],
    )
        .prop_map(|(drawn, straights, ways, cap, threshold)| Case {
            drawn: set(&drawn[..20]),
            straights,
            ways,
            cap: Cents::new(cap),
            threshold: Cents::new(threshold),
        })
}

/// Every way of the draw one by one: (ticket, prize).
fn prizes_by_hand(case: &Case) -> Vec<(u64, i64)> {
    let tables = demonstration_tables();
    let mut played: Vec<(u64, BallSet, i64)> = case
        .straights
        .iter()
        .map(|wager| (wager.ticket, wager.numbers(), i64::from(wager.wager_cents)))
        .collect();
    for wager in &case.ways {
        for line in &wager.lines {
            let listed = enumerate(
                &wager.groups,
                wager.kings,
                wager.king_alone,
                line.spots,
                5_000,
            );
            for way in listed.unwrap() {
                played.push((wager.ticket, way, i64::from(line.wager_cents)));
            }
        }
    }
    played
        .into_iter()
        .map(|(ticket, numbers, wager)| {
            let catch = numbers.iter().filter(|n| case.drawn.contains(*n)).count();
            let pays = tables[usize::from(numbers.len()) - 1].pays(catch as u8);
            (ticket, wager * i64::from(pays.hundredths()) / 100)
        })
        .filter(|(_, prize)| *prize > 0)
        .collect()
}

fn settle(case: &Case) -> (PrizeTotals, Vec<TicketPrize>) {
    let tables = demonstration_tables();
    let (drawn, threshold) = (case.drawn, case.threshold);
    let totals = totals_straight(&case.straights, drawn, &tables, threshold)
        .unwrap()
        .add(totals_way(&case.ways, drawn, &tables, threshold).unwrap())
        .unwrap();
    let factors = factors(case.cap, totals);
    let mut out = Vec::new();
    winners_straight(
        &case.straights,
        drawn,
        &tables,
        threshold,
        &factors,
        &mut out,
    )
    .unwrap();
    winners_way(&case.ways, drawn, &tables, threshold, &factors, &mut out).unwrap();
    (totals, merge(out).unwrap())
}

proptest! {
    #[test]
    fn the_kernels_pay_what_a_person_would(case in case()) {
        let prizes = prizes_by_hand(&case);
        let threshold = case.threshold.get();
        let cap = i128::from(case.cap.get());
        let small: i128 = prizes.iter().filter(|p| p.1 < threshold).map(|p| i128::from(p.1)).sum();
        let large: i128 = prizes.iter().filter(|p| p.1 >= threshold).map(|p| i128::from(p.1)).sum();

        let mut wanted = std::collections::BTreeMap::<u64, (i64, i64)>::new();
        for (ticket, prize) in &prizes {
            let exact = i128::from(*prize);
            let paid = if small + large <= cap {
                exact
            } else if small > cap {
                exact * cap / (small + large)
            } else if *prize < threshold {
                exact
            } else {
                exact * (cap - small) / large
            };
            let entry = wanted.entry(*ticket).or_default();
            entry.0 += prize;
            entry.1 += paid as i64;
        }
        let (totals, told) = settle(&case);
        prop_assert_eq!(i128::from(totals.small.get()), small);
        prop_assert_eq!(i128::from(totals.large.get()), large);
        prop_assert_eq!(totals.small_count + totals.large_count, prizes.len() as u64);
        let told_map: std::collections::BTreeMap<u64, (i64, i64)> = told
            .iter()
            .map(|prize| (prize.ticket, (prize.computed.get(), prize.payable.get())))
            .collect();
        prop_assert_eq!(&told_map, &wanted);

        // Never more than the cap, and less than a cent short for each prize.
        let paid: i128 = told.iter().map(|prize| i128::from(prize.payable.get())).sum();
        let due = cap.min(small + large);
        prop_assert!(paid <= due && due - paid <= prizes.len() as i128);
    }

    #[test]
    fn slices_and_order_change_nothing(case in case(), cut in 0usize..12) {
        let (totals, prizes) = settle(&case);
        let mut turned = case.clone();
        turned.straights.reverse();
        turned.ways.reverse();
        prop_assert_eq!(&settle(&turned), &(totals, prizes));

        let tables = demonstration_tables();
        let cut = cut.min(case.straights.len());
        let (first, second) = case.straights.split_at(cut);
        let sum = |slice: &[PackedStraight]| {
            totals_straight(slice, case.drawn, &tables, case.threshold).unwrap()
        };
        let ways = totals_way(&case.ways, case.drawn, &tables, case.threshold).unwrap();
        let joined = sum(first).add(sum(second)).unwrap().add(ways).unwrap();
        prop_assert_eq!(joined, totals);
    }
}

/// The check above must be able to fail: one way floored with the ticket instead
/// of alone, or one cent of a factor, is seen.
#[test]
fn a_planted_cent_in_a_factor_is_seen() {
    let threshold = cents("1000.00");
    let right = Factors {
        large_num: 4_999_500,
        large_den: 7_500_000,
        ..Factors::FULL
    };
    let planted = Factors {
        large_num: 4_999_501,
        ..right
    };
    let prize = cents("50000.00");
    assert_eq!(payable(prize, threshold, &right), cents("33330.00"));
    assert_eq!(payable(prize, threshold, &planted), cents("33330.00"));
    let prize = cents("75000.00");
    assert_ne!(
        payable(prize, threshold, &right),
        payable(prize, threshold, &planted)
    );
}
