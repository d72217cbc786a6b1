//! Slips: prices as published, every refusal with its figures, and their order.
#![allow(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

use crate::common::selection_text::{Text, selection_of};
use crate::common::{cents, demonstration};
use keno_game::slip::price;
use keno_game::{
    BallSet, ConditioningAsked, Pick, Pool, Priced, RuleBook, SelectionType, Slip, SlipDetail,
    SlipRefusal, SlipRefusalCode as Code, SlipSelection,
};
use proptest::prelude::*;

fn set(numbers: &[u8]) -> BallSet {
    BallSet::from_numbers(numbers).unwrap()
}

fn straight(numbers: &[u8], wager: &str) -> SlipSelection {
    SlipSelection {
        game: "keno".to_owned(),
        kind: SelectionType::Straight,
        pick: Pick::Numbers {
            groups: vec![numbers.to_vec()],
            kings: Vec::new(),
        },
        conditioning: Vec::new(),
        wager: Some(cents(wager)),
    }
}

fn quick(spots: u8, wager: &str) -> SlipSelection {
    SlipSelection {
        pick: Pick::Quick { spots },
        ..straight(&[], wager)
    }
}

/// `lines` are (ways, spots, wager).
fn way(groups: &[&[u8]], kings: &[u8], lines: &[(Option<u32>, u8, &str)]) -> SlipSelection {
    SlipSelection {
        game: "keno".to_owned(),
        kind: if kings.is_empty() {
            SelectionType::Way
        } else {
            SelectionType::King
        },
        pick: Pick::Numbers {
            groups: groups.iter().map(|group| group.to_vec()).collect(),
            kings: kings.to_vec(),
        },
        conditioning: lines
            .iter()
            .map(|(ways, spots, wager)| ConditioningAsked {
                ways: *ways,
                spots: *spots,
                wager: cents(wager),
            })
            .collect(),
        wager: None,
    }
}

fn slip(selections: Vec<SlipSelection>, draws: u16) -> Slip {
    Slip { selections, draws }
}

/// Prices with the lowest numbers as quick pick.
fn priced(slip: &Slip, rules: &RuleBook) -> Result<Priced, SlipRefusal> {
    price(slip, rules, &mut |spots, _| {
        set(&(1..=spots).collect::<Vec<u8>>())
    })
}

fn refused(selection: SlipSelection) -> SlipRefusal {
    priced(&slip(vec![selection], 1), &demonstration()).unwrap_err()
}

#[test]
fn two_fours_and_an_eight_at_a_dollar_cost_3_and_ten_draws_30() {
    let asked = way(
        &[&[3, 14, 22, 29], &[40, 51, 66, 80]],
        &[],
        &[(Some(2), 4, "1.00"), (None, 8, "1.00")],
    );
    let told = priced(&slip(vec![asked], 10), &demonstration()).unwrap();
    assert_eq!((told.per_draw, told.total), (cents("3.00"), cents("30.00")));
    assert_eq!(
        Text(&told.selections[0]).to_string(),
        "keno (03 14 22 29)(40 51 66 80) 2/4 @ 1.00 1/8 @ 1.00"
    );
}

#[test]
fn several_selections_are_priced_alone_and_summed() {
    let asked = slip(
        vec![
            straight(&[71, 7, 18, 33, 42], "2.00"),
            quick(3, "1.50"),
            way(&[&[2, 3], &[4, 5, 6]], &[1], &[(Some(1), 6, "0.50")]),
        ],
        2,
    );
    let told = priced(&asked, &demonstration()).unwrap();
    let texts: Vec<String> = told
        .selections
        .iter()
        .map(|it| Text(it).to_string())
        .collect();
    assert_eq!(
        texts,
        [
            "keno 07 18 33 42 71 @ 2.00",
            "keno QP 01 02 03 @ 1.50",
            "keno K01 (02 03)(04 05 06) 1/6 @ 0.50"
        ]
    );
    assert_eq!((told.per_draw, told.total), (cents("4.00"), cents("8.00")));
}

#[test]
fn a_straight_may_say_its_one_way() {
    let mut asked = straight(&[1, 2, 3], "1.00");
    asked.wager = None;
    asked.conditioning = vec![ConditioningAsked {
        ways: Some(1),
        spots: 3,
        wager: cents("1.00"),
    }];
    let told = priced(&slip(vec![asked.clone()], 1), &demonstration()).unwrap();
    assert_eq!(
        Text(&told.selections[0]).to_string(),
        "keno 01 02 03 @ 1.00"
    );
    asked.conditioning[0].ways = Some(2);
    assert_eq!(refused(asked).code, Code::WayNotGenerated);
}

/// A player writes 2-2 / 2-2 and means 2/4: the groups give six.
#[test]
fn ways_that_the_groups_do_not_give_are_refused_with_those_they_do() {
    let refusal = refused(way(
        &[&[1, 2], &[3, 4], &[5, 6], &[7, 8]],
        &[],
        &[(Some(1), 8, "1.00"), (Some(2), 4, "1.00")],
    ));
    assert_eq!(refusal.code, Code::WayNotGenerated);
    assert_eq!(refusal.selection, Some(0));
    assert_eq!(refusal.field, Some("conditioning"));
    assert_eq!(
        refusal.detail,
        SlipDetail::Ways {
            asked_ways: Some(2),
            asked_spots: 4,
            generated: vec![(4, 2), (6, 4), (4, 6), (1, 8)]
        }
    );
    assert_eq!(
        refusal.to_string(),
        "way_not_generated in selection A (conditioning)"
    );
}

#[test]
fn a_king_plays_alone_only_if_the_book_says_so() {
    let asked = slip(vec![way(&[&[2, 3]], &[1], &[(Some(1), 1, "1.00")])], 1);
    let mut book = demonstration();
    assert!(priced(&asked, &book).is_ok());
    book.games[0].king_alone = false;
    assert_eq!(
        priced(&asked, &book).unwrap_err().code,
        Code::WayNotGenerated
    );
}

#[test]
fn ways_are_counted_to_the_limit() {
    // 24 lone groups by threes are 2,024 ways; 23 are 1,771.
    let numbers: Vec<[u8; 1]> = (1..=24).map(|number| [number]).collect();
    let groups: Vec<&[u8]> = numbers.iter().map(|group| group.as_slice()).collect();
    let refusal = refused(way(&groups, &[], &[(None, 3, "0.50")]));
    assert_eq!(refusal.code, Code::TooManyWays);
    assert_eq!(
        refusal.detail,
        SlipDetail::Count {
            asked: 2024,
            min: 1,
            max: 2000
        }
    );
    let asked = slip(vec![way(&groups[..23], &[], &[(None, 3, "0.50")])], 1);
    let told = priced(&asked, &demonstration()).unwrap();
    assert_eq!(told.total, cents("885.50"));
    // 1,771 + 253 = 2,024 over two sizes as well.
    let both = [(None, 3, "0.50"), (None, 2, "0.50")];
    assert_eq!(
        refused(way(&groups[..23], &[], &both)).code,
        Code::TooManyWays
    );
}

#[test]
fn the_most_on_the_same_numbers_counts_over_selections_and_ways() {
    let five = &[1, 2, 3, 4, 5];
    let told = |selections| priced(&slip(selections, 1), &demonstration());
    assert!(told(vec![straight(five, "10.00"), straight(five, "10.00")]).is_ok());
    let refusal = told(vec![straight(five, "10.00"), straight(five, "10.50")]).unwrap_err();
    assert_eq!(refusal.code, Code::SameNumbersOverLimit);
    assert_eq!(refusal.selection, Some(1));
    assert_eq!(
        refusal.detail,
        SlipDetail::Amount {
            asked: cents("20.50"),
            max: cents("20.00")
        }
    );
    // The same five numbers as one way of another selection.
    let other = way(&[&[1, 2], &[3, 4, 5], &[6]], &[], &[(None, 5, "10.50")]);
    let refusal = told(vec![straight(five, "10.00"), other.clone()]).unwrap_err();
    assert_eq!(refusal.code, Code::SameNumbersOverLimit);
    // Numbers that merely share some are not the same numbers.
    assert!(told(vec![straight(&[1, 2, 3, 4, 6], "20.00"), other]).is_ok());
    // In another game with a lower limit the lower one holds.
    let mut book = demonstration();
    let mut second = book.games[0].clone();
    second.code = "keno-2".to_owned();
    second.wager.same_numbers_max = cents("10.00");
    book.games.push(second);
    let mut there = straight(five, "0.50");
    there.game = "keno-2".to_owned();
    let asked = slip(vec![straight(five, "10.00"), there], 1);
    assert_eq!(
        priced(&asked, &book).unwrap_err().code,
        Code::SameNumbersOverLimit
    );
}

#[test]
fn the_computer_chooses_around_what_is_carried() {
    // One number, 20.00 each: the first choice, 1, is taken by the patron.
    let asked = slip(vec![quick(1, "20.00"), straight(&[1], "20.00")], 1);
    let mut next = 0;
    let told = price(&asked, &demonstration(), &mut |_, _| {
        next += 1;
        set(&[next])
    })
    .unwrap();
    assert_eq!(Text(&told.selections[0]).to_string(), "keno QP 02 @ 20.00");
    assert_eq!(next, 2);
    // A computer that never finds others ends in a refusal, not in a loop.
    let refusal = price(&asked, &demonstration(), &mut |_, _| set(&[1])).unwrap_err();
    assert_eq!(refusal.code, Code::SameNumbersOverLimit);
}

#[test]
fn a_computer_that_gives_other_than_asked_is_refused() {
    let mut book = demonstration();
    book.pool = Pool::TWENTY_OF_SEVENTY;
    let asked = slip(vec![quick(2, "1.00")], 1);
    for wrong in [set(&[1]), set(&[1, 2, 3]), set(&[1, 71])] {
        let refusal = price(&asked, &book, &mut |_, _| wrong).unwrap_err();
        assert_eq!(refusal.code, Code::QuickPickFailed);
    }
    assert!(price(&asked, &book, &mut |_, _| set(&[1, 70])).is_ok());
}

#[test]
fn a_refused_slip_uses_no_chance() {
    let asked = slip(vec![quick(2, "1.00"), straight(&[0], "1.00")], 1);
    let refusal = price(&asked, &demonstration(), &mut |_, _| {
        panic!("nothing may be picked")
    })
    .unwrap_err();
    assert_eq!(refusal.code, Code::NumberOutOfRange);
    assert_eq!(refusal.selection, Some(1));
}

#[test]
fn the_pool_of_70_has_no_71() {
    let mut book = demonstration();
    let asked = slip(vec![straight(&[71], "1.00")], 1);
    assert!(priced(&asked, &book).is_ok());
    book.pool = Pool::TWENTY_OF_SEVENTY;
    let refusal = priced(&asked, &book).unwrap_err();
    assert_eq!(
        refusal.detail,
        SlipDetail::NumberOfPool {
            number: 71,
            max: 70
        }
    );
}

#[test]
fn wagers_are_checked_to_the_cent() {
    let with = |wager: &str| refused(straight(&[1, 2, 3], wager));
    assert_eq!(with("0.49").code, Code::WagerBelowMinimum);
    assert_eq!(with("20.01").code, Code::WagerAboveMaximum);
    assert_eq!(with("0.51").code, Code::WagerOffStep);
    assert_eq!(with("0.00").code, Code::WagerMissing);
    assert_eq!(with("-1.00").code, Code::WagerBelowMinimum);
    for wager in ["0.50", "20.00"] {
        let asked = slip(vec![straight(&[1, 2, 3], wager)], 1);
        assert_eq!(
            priced(&asked, &demonstration()).unwrap().total,
            cents(wager)
        );
    }
}

/// One slip for each code, each wrong in that one way; then each with all later
/// faults of the selection planted too, which must change nothing.
fn one_fault_each() -> Vec<(Code, Slip)> {
    let one = |selection| slip(vec![selection], 1);
    let good = || straight(&[1, 2, 3], "1.00");
    let mut other_game = good();
    other_game.game = "bingo".to_owned();
    let mut quick_way = quick(3, "1.00");
    quick_way.kind = SelectionType::Way;
    let mut kingless = way(&[&[1, 2]], &[], &[(None, 2, "1.00")]);
    kingless.kind = SelectionType::King;
    let mut twice = way(&[&[1, 2]], &[], &[(None, 2, "1.00")]);
    twice.wager = Some(cents("1.00"));
    let mut unpriced = good();
    unpriced.wager = None;
    vec![
        (Code::NoSelections, slip(vec![], 1)),
        (Code::TooManySelections, slip(vec![good(); 5], 1)),
        (Code::NoDraws, slip(vec![good()], 0)),
        (Code::TooManyDraws, slip(vec![good()], 21)),
        (Code::UnknownGame, one(other_game)),
        (Code::QuickPickNotStraight, one(quick_way)),
        (Code::NoNumbers, one(straight(&[], "1.00"))),
        (Code::NumbersNotOfType, one(kingless)),
        (Code::NumberOutOfRange, one(straight(&[1, 81], "1.00"))),
        (Code::NumberRepeated, one(straight(&[7, 7], "1.00"))),
        (
            Code::TooManyNumbers,
            one(straight(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], "1.00")),
        ),
        (
            Code::GroupsOverlap,
            one(way(&[&[1, 2], &[2, 3]], &[], &[(None, 2, "1.00")])),
        ),
        (
            Code::WayNotGenerated,
            one(way(&[&[1, 2], &[3]], &[], &[(None, 4, "1.00")])),
        ),
        (
            Code::WayRepeated,
            one(way(
                &[&[1, 2], &[3]],
                &[],
                &[(None, 2, "1.00"), (None, 2, "1.00")],
            )),
        ),
        (Code::NoWaysChosen, one(way(&[&[1, 2], &[3]], &[], &[]))),
        (
            Code::WayPaysNothing,
            one(way(
                &[&[1, 2, 3, 4, 5, 6], &[7, 8, 9, 10, 11]],
                &[],
                &[(None, 11, "1.00")],
            )),
        ),
        (Code::WagerMissing, one(unpriced)),
        (Code::WagerGivenTwice, one(twice)),
        (Code::WagerBelowMinimum, one(straight(&[1], "0.01"))),
        (Code::WagerAboveMaximum, one(straight(&[1], "20.50"))),
        (Code::WagerOffStep, one(straight(&[1], "1.01"))),
        (
            Code::SameNumbersOverLimit,
            slip(vec![straight(&[1], "15.00"); 2], 1),
        ),
    ]
}

#[test]
fn each_code_is_told_for_its_own_fault() {
    for (code, asked) in one_fault_each() {
        let refusal = priced(&asked, &demonstration()).unwrap_err();
        assert_eq!(refusal.code, code);
    }
    let mut book = demonstration();
    book.games[0].types.remove(&SelectionType::Way);
    let asked = slip(vec![way(&[&[1, 2]], &[], &[(None, 2, "1.00")])], 1);
    assert_eq!(priced(&asked, &book).unwrap_err().code, Code::UnknownType);
    let four_up = keno_game::SpotsAllowed { min: 4, max: 10 };
    let types = &mut book.games[0].types;
    types.insert(SelectionType::Straight, four_up);
    let asked = slip(vec![straight(&[1, 2, 3], "1.00")], 1);
    assert_eq!(priced(&asked, &book).unwrap_err().code, Code::TooFewNumbers);
}

#[test]
fn a_price_beyond_counting_is_refused() {
    let mut book = demonstration();
    let huge = keno_game::Cents::new(i64::MAX - i64::MAX % 50);
    let wager = &mut book.games[0].wager;
    (wager.max, wager.same_numbers_max) = (huge, huge);
    let mut asked = straight(&[1], "1.00");
    asked.wager = Some(huge);
    let refusal = priced(&slip(vec![asked.clone()], 2), &book).unwrap_err();
    assert_eq!(refusal.code, Code::TotalOverflow);
    let mut other = asked.clone();
    other.pick = Pick::Quick { spots: 2 };
    let refusal = priced(&slip(vec![asked, other], 1), &book).unwrap_err();
    assert_eq!(refusal.code, Code::TotalOverflow);
}

#[test]
fn codes_are_ordered_and_named() {
    assert!(Code::ALL.is_sorted());
    for code in Code::ALL {
        assert_eq!(Code::from_name(code.name()), Some(code));
        let is_snake = code
            .name()
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b == b'_');
        assert!(is_snake, "{}", code.name());
    }
    assert_eq!(Code::from_name("other"), None);
}

/// Slips with several faults of one selection: the earliest code is told.
#[test]
fn the_earliest_fault_is_told() {
    let mut selection = way(
        &[&[0, 1], &[2, 2], &[2, 3]],
        &[],
        &[(Some(9), 4, "0.01"), (None, 4, "99.99")],
    );
    selection.game = "bingo".to_owned();
    selection.wager = Some(cents("1.00"));
    let mut asked = slip(vec![selection; 5], 0);
    let book = demonstration();
    let mut told = Vec::new();
    // Mend what is told, one fault at a time, until the slip is valid.
    for _ in 0..40 {
        let Err(refusal) = priced(&asked, &book) else {
            break;
        };
        told.push(refusal.code);
        let first = asked.selections[0].clone();
        let selection = &mut asked.selections[0];
        let Pick::Numbers { groups, .. } = &mut selection.pick else {
            panic!("numbers are marked");
        };
        match refusal.code {
            Code::TooManySelections => asked.selections = vec![first],
            Code::NoDraws => asked.draws = 21,
            Code::TooManyDraws => asked.draws = 1,
            Code::UnknownGame => selection.game = "keno".to_owned(),
            Code::NumberOutOfRange => groups[0][0] = 4,
            Code::NumberRepeated => groups[1] = vec![2, 5],
            Code::GroupsOverlap => groups[2] = vec![3, 6],
            Code::WayNotGenerated => selection.conditioning[0].ways = Some(3),
            Code::WayRepeated => selection.conditioning[1].spots = 2,
            Code::WagerGivenTwice => selection.wager = None,
            Code::WagerBelowMinimum => selection.conditioning[0].wager = cents("1.01"),
            Code::WagerAboveMaximum => selection.conditioning[1].wager = cents("1.00"),
            Code::WagerOffStep => selection.conditioning[0].wager = cents("1.00"),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(
        told,
        [
            Code::TooManySelections,
            Code::NoDraws,
            Code::TooManyDraws,
            Code::UnknownGame,
            Code::NumberOutOfRange,
            Code::NumberRepeated,
            Code::GroupsOverlap,
            Code::WayNotGenerated,
            Code::WayRepeated,
            Code::WagerGivenTwice,
            Code::WagerBelowMinimum,
            Code::WagerAboveMaximum,
            Code::WagerOffStep
        ]
    );
    assert!(told.is_sorted());
    assert!(priced(&asked, &book).is_ok());
}

proptest! {
    /// A valid selection's text reads back as the same selection, and its price is
    /// ways times wager.
    #[test]
    fn what_is_priced_reads_back(
        numbers in Just((1..=80u8).collect::<Vec<u8>>()).prop_shuffle(),
        sizes in prop::collection::vec(1usize..=4, 2..=5),
        kings in 0usize..=2,
        halves in 1i64..=40,
        draws in 1u16..=20,
    ) {
        let mut rest = numbers.as_slice();
        let mut take = |count: usize| {
            let (taken, left) = rest.split_at(count);
            rest = left;
            taken.to_vec()
        };
        let groups: Vec<Vec<u8>> = sizes.iter().map(|size| take(*size)).collect();
        let kings = take(kings);
        let wager = keno_game::Cents::new(halves * 50);
        let mut asked = way(&[], &kings, &[]);
        asked.conditioning = vec![ConditioningAsked {
            ways: None,
            spots: (sizes[0] + sizes[1]) as u8,
            wager,
        }];
        asked.pick = Pick::Numbers { groups, kings };
        let told = priced(&slip(vec![asked], draws), &demonstration()).unwrap();
        let selection = &told.selections[0];
        prop_assert_eq!(&selection_of(&Text(selection).to_string()).unwrap(), selection);
        let ways = i64::from(selection.ways_total());
        prop_assert!(ways >= 1);
        prop_assert_eq!(told.per_draw.get(), ways * wager.get());
        prop_assert_eq!(told.total.get(), ways * wager.get() * i64::from(draws));
    }
}
