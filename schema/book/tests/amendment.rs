//! A change of express picks and limits gives the next version's text: those values in their
//! places, and every other byte as it stands.
#![allow(clippy::unwrap_used)]

use keno_book::amendment::{AskedPick, Changes, Difference, GameChanges, Value, amend};
use keno_book::rules_file::{RuleBookFault, read};
use keno_game::Cents;

const DEMONSTRATION: &str = include_str!("../../../samples/rules/demonstration.toml");

/// A text with one passage, which is there once, replaced.
fn replaced(text: &str, passage: &str, replacement: &str) -> String {
    assert_eq!(text.matches(passage).count(), 1, "{passage:?}");
    text.replacen(passage, replacement, 1)
}

fn second_version() -> String {
    replaced(DEMONSTRATION, "\nversion = 1\n", "\nversion = 2\n")
}

fn cents(cents: i64) -> Option<Cents> {
    Some(Cents::new(cents))
}

fn pick(spots: i64, cents: i64) -> AskedPick {
    AskedPick {
        game: None,
        spots,
        wager: Cents::new(cents),
    }
}

/// The express picks of the demonstration.
fn picks() -> Vec<AskedPick> {
    [
        (3, 100),
        (4, 100),
        (5, 200),
        (6, 200),
        (7, 200),
        (8, 500),
        (9, 500),
        (10, 500),
    ]
    .map(|(spots, cents)| pick(spots, cents))
    .to_vec()
}

fn amended(text: &str, changes: &Changes) -> (String, Vec<Difference>) {
    let amended = amend(text, changes).unwrap_or_else(|faults| panic!("{faults:#?}"));
    (amended.after.text, amended.differences)
}

fn faults(changes: &Changes) -> Vec<RuleBookFault> {
    match amend(DEMONSTRATION, changes) {
        Ok(_) => panic!("the change should have a fault: {changes:?}"),
        Err(faults) => faults,
    }
}

fn money(place: &str, old: i64, new: i64) -> Difference {
    Difference {
        place: place.to_owned(),
        old: Some(Value::Money(Cents::new(old))),
        new: Some(Value::Money(Cents::new(new))),
    }
}

fn number(place: &str, old: i64, new: i64) -> Difference {
    Difference {
        place: place.to_owned(),
        old: Some(Value::Number(old)),
        new: Some(Value::Number(new)),
    }
}

type Case = (Changes, &'static [(&'static str, &'static str)], Difference);

/// Each change alone: the passages of the text that become others, and the difference that is told.
fn cases() -> Vec<Case> {
    let none = Changes::default;
    let game = |wager_max, same_numbers| Changes {
        games: vec![GameChanges {
            code: "keno".to_owned(),
            wager_max,
            same_numbers,
        }],
        ..none()
    };
    vec![
        (
            Changes {
                usual_wager: cents(250),
                ..none()
            },
            &[("[counter]\nwager = \"1.00\"", "[counter]\nwager = \"2.50\"")],
            money("counter.wager", 100, 250),
        ),
        (
            Changes {
                second_key: cents(3_050),
                ..none()
            },
            &[("second_key = \"25.00\"", "second_key = \"30.50\"")],
            money("confirm.second_key", 2_500, 3_050),
        ),
        (
            Changes {
                type_total: cents(123_456),
                ..none()
            },
            &[("type_total = \"100.00\"", "type_total = \"1234.56\"")],
            money("confirm.type_total", 10_000, 123_456),
        ),
        (
            Changes {
                confirm_draws: Some(5),
                ..none()
            },
            &[("draws = 10\n", "draws = 5\n")],
            number("confirm.draws", 10, 5),
        ),
        (
            Changes {
                second_person: cents(50_000),
                ..none()
            },
            &[("second_person = \"1000.00\"", "second_person = \"500.00\"")],
            money("payout.second_person", 100_000, 50_000),
        ),
        (
            Changes {
                cage: cents(300_000),
                ..none()
            },
            &[("cage = \"5000.00\"", "cage = \"3000.00\"")],
            money("payout.cage", 500_000, 300_000),
        ),
        (
            Changes {
                draws: Some(7),
                ..none()
            },
            &[("draws = 20\n", "draws = 7\n")],
            number("limits.draws", 20, 7),
        ),
        (
            Changes {
                draws_ahead: Some(0),
                ..none()
            },
            &[("draws_ahead = 100\n", "draws_ahead = 0\n")],
            number("limits.draws_ahead", 100, 0),
        ),
        (
            Changes {
                selections: Some(1),
                ..none()
            },
            &[("selections = 4\n", "selections = 1\n")],
            number("limits.selections", 4, 1),
        ),
        (
            Changes {
                ways: Some(190),
                ..none()
            },
            &[("ways = 2000\n", "ways = 190\n")],
            number("limits.ways", 2_000, 190),
        ),
        (
            game(cents(1_000), None),
            &[("\nmax = \"20.00\"\n", "\nmax = \"10.00\"\n")],
            money("game[0].wager.max", 2_000, 1_000),
        ),
    ]
}

#[test]
fn each_value_changes_at_its_place_and_nothing_else_does() {
    for (changes, passages, difference) in cases() {
        let mut expected = second_version();
        for (passage, replacement) in passages {
            expected = replaced(&expected, passage, replacement);
        }
        let (text, differences) = amended(DEMONSTRATION, &changes);
        assert_eq!(text, expected, "{changes:?}");
        assert_eq!(differences, [difference], "{changes:?}");
    }
}

#[test]
fn what_is_asked_as_it_stands_keeps_its_spelling_and_is_no_difference() {
    let spelt = replaced(DEMONSTRATION, "\"25.00\"", "\"25\"   # from here on");
    let same = Changes {
        usual_wager: cents(100),
        express: Some(picks()),
        second_key: cents(2_500),
        type_total: cents(10_000),
        confirm_draws: Some(10),
        second_person: cents(100_000),
        cage: cents(500_000),
        draws: Some(20),
        draws_ahead: Some(100),
        selections: Some(4),
        ways: Some(2_000),
        games: vec![GameChanges {
            code: "keno".to_owned(),
            wager_max: cents(2_000),
            same_numbers: cents(2_000),
        }],
    };
    let (text, differences) = amended(&spelt, &same);
    assert_eq!(text, replaced(&spelt, "\nversion = 1\n", "\nversion = 2\n"));
    assert_eq!(differences, []);
    // Another value keeps the comment beside it.
    let other = Changes {
        second_key: cents(3_000),
        ..Changes::default()
    };
    let (text, _) = amended(&spelt, &other);
    assert!(text.contains("second_key = \"30.00\"   # from here on\n"));
}

#[test]
fn picks_change_come_and_go_in_their_order() {
    let express = |picks| Changes {
        express: Some(picks),
        ..Changes::default()
    };
    let mut other = picks();
    other[2] = pick(5, 300);
    let (text, differences) = amended(DEMONSTRATION, &express(other));
    let expected = replaced(
        &second_version(),
        "spots = 5\nwager = \"2.00\"",
        "spots = 5\nwager = \"3.00\"",
    );
    assert_eq!(text, expected);
    assert_eq!(differences.len(), 1);
    assert_eq!(differences[0].place, "counter.express[2]");

    // The last two go, with nothing left of them.
    let (text, differences) = amended(DEMONSTRATION, &express(picks()[..6].to_vec()));
    let gone = "[[counter.express]]\nspots = 9\nwager = \"5.00\"\n\n\
                [[counter.express]]\nspots = 10\nwager = \"5.00\"\n\n";
    assert_eq!(text, replaced(&second_version(), gone, ""));
    let told: Vec<_> = differences
        .iter()
        .map(|one| (one.place.as_str(), one.old.is_some(), one.new.is_some()))
        .collect();
    assert_eq!(
        told,
        [
            ("counter.express[6]", true, false),
            ("counter.express[7]", true, false)
        ]
    );

    // And come again, after the others and before the games.
    let (again, _) = amended(&text, &express(picks()));
    let expected = replaced(DEMONSTRATION, "\nversion = 1\n", "\nversion = 3\n");
    assert_eq!(again, expected);

    // All of them go, and one comes.
    let (text, _) = amended(DEMONSTRATION, &express(Vec::new()));
    assert!(!text.contains("express]]"));
    assert_eq!(read(&text).unwrap().counter.unwrap().express, []);
    let (text, _) = amended(&text, &express(picks()[..1].to_vec()));
    assert_eq!(read(&text).unwrap().counter.unwrap().express.len(), 1);
}

#[test]
fn picks_of_a_further_game_name_it() {
    let start = DEMONSTRATION.find("[[game]]").unwrap();
    let further = DEMONSTRATION[start..].replace("code = \"keno\"", "code = \"special\"");
    let two = format!("{DEMONSTRATION}\n{further}");
    let of_special = AskedPick {
        game: Some("special".to_owned()),
        ..pick(3, 100)
    };
    let mut all = picks();
    all[0] = of_special;
    let express = |picks: Vec<AskedPick>| Changes {
        express: Some(picks),
        ..Changes::default()
    };
    let (text, _) = amended(&two, &express(all));
    assert!(
        text.contains("[[counter.express]]\nspots = 3\nwager = \"1.00\"\ngame = \"special\"\n")
    );
    let (back, _) = amended(&text, &express(picks()));
    let first = &read(&back).unwrap().counter.unwrap().express[0];
    assert_eq!(first.game, "keno");

    // The wagers of the second game alone.
    let changes = Changes {
        games: vec![GameChanges {
            code: "special".to_owned(),
            wager_max: cents(1_000),
            same_numbers: cents(1_500),
        }],
        ..Changes::default()
    };
    let (_, differences) = amended(&two, &changes);
    assert_eq!(
        differences,
        [
            money("game[1].wager.max", 2_000, 1_000),
            money("game[1].wager.same_numbers", 2_000, 1_500)
        ]
    );
}

/// However the same book is written: inline, dotted, with lines that end in two signs.
#[test]
fn other_spellings_of_a_book_are_kept_too() {
    let start = DEMONSTRATION.find("[[counter.express]]").unwrap();
    let end = DEMONSTRATION.find("[[game]]").unwrap();
    let inline = format!(
        "{}express = [{{ spots = 3, wager = \"1.00\" }}, {{ spots = 4, wager = \"2.00\" }}]\n\n{}",
        &DEMONSTRATION[..start],
        &DEMONSTRATION[end..]
    );
    let changes = Changes {
        express: Some(vec![pick(3, 150), pick(4, 200), pick(5, 250)]),
        ..Changes::default()
    };
    let (text, _) = amended(&inline, &changes);
    let expected = "express = [{ spots = 3, wager = \"1.50\" }, { spots = 4, wager = \"2.00\" }, \
                    { spots = 5, wager = \"2.50\" }]\n";
    assert!(text.contains(expected), "{text}");

    let dotted = replaced(
        DEMONSTRATION,
        "[payout]\nsecond_person = \"1000.00\"\ncage = \"5000.00\"\nfederal_report = \"10000.00\"\n\
         cancel_alone = \"100.00\"\ntyped_alone = \"50.00\"\ntyped_per_day = 5\n",
        "",
    );
    let dotted = replaced(
        &dotted,
        "version = 1\n",
        "version = 1\npayout.second_person = \"1000.00\" # two\npayout.cage = \"5000.00\"\n\
         payout.federal_report = \"10000.00\"\n",
    );
    let changes = Changes {
        second_person: cents(40_000),
        ..Changes::default()
    };
    let (text, _) = amended(&dotted, &changes);
    assert!(text.contains("payout.second_person = \"400.00\" # two\n"));

    let two_signs = DEMONSTRATION.replace('\n', "\r\n");
    let (text, _) = amended(&two_signs, &changes);
    let expected = replaced(
        &second_version(),
        "= \"1000.00\"\ncage",
        "= \"400.00\"\ncage",
    );
    assert_eq!(text, expected.replace('\n', "\r\n"));
    let mixed = two_signs.replacen("\r\n", "\n", 1);
    let found = amend(&mixed, &changes).unwrap_err();
    assert_eq!(found[0].kind.name(), "not_kept");

    // A book that says nothing of counters.
    let silent = format!(
        "{}{}",
        &DEMONSTRATION[..DEMONSTRATION.find("[counter]").unwrap()],
        &DEMONSTRATION[end..]
    );
    let changes = Changes {
        usual_wager: cents(200),
        express: Some(picks()),
        ..Changes::default()
    };
    let (text, differences) = amended(&silent, &changes);
    assert_eq!(read(&text).unwrap().counter.unwrap().express.len(), 8);
    assert_eq!(differences.len(), 9);
    assert_eq!(
        (differences[0].place.as_str(), &differences[0].old),
        ("counter.wager", &None)
    );
}

/// The faults are the book's own, with their place and both languages.
#[test]
fn a_change_that_the_book_refuses_says_why() {
    let none = Changes::default;
    let game = |code: &str, wager_max, same_numbers| Changes {
        games: vec![GameChanges {
            code: code.to_owned(),
            wager_max,
            same_numbers,
        }],
        ..none()
    };
    let express = |picks: Vec<AskedPick>| Changes {
        express: Some(picks),
        ..none()
    };
    for (changes, name, place) in [
        (
            Changes {
                usual_wager: cents(75),
                ..none()
            },
            "counter_wager_refused",
            "counter.wager",
        ),
        (
            express(vec![pick(11, 100)]),
            "express_spots_refused",
            "counter.express[0].spots",
        ),
        (
            express(vec![pick(3, 100), pick(300, 100)]),
            "number_out_of_range",
            "counter.express[1].spots",
        ),
        (
            express(vec![pick(3, 2_050)]),
            "counter_wager_refused",
            "counter.express[0].wager",
        ),
        (
            express([picks(), picks()].concat()),
            "express_too_many",
            "counter.express[8]",
        ),
        (
            express(vec![AskedPick {
                game: Some("bingo".to_owned()),
                ..pick(3, 100)
            }]),
            "express_game_unknown",
            "counter.express[0].game",
        ),
        (
            Changes {
                second_key: cents(0),
                ..none()
            },
            "confirm_out_of_range",
            "confirm.second_key",
        ),
        (
            Changes {
                type_total: cents(100),
                ..none()
            },
            "confirm_out_of_range",
            "confirm.type_total",
        ),
        (
            Changes {
                second_person: cents(-5),
                ..none()
            },
            "payout_out_of_range",
            "payout.second_person",
        ),
        (
            Changes {
                selections: Some(0),
                ..none()
            },
            "limit_out_of_range",
            "limits.selections",
        ),
        (
            Changes {
                draws: Some(70_000),
                ..none()
            },
            "number_out_of_range",
            "limits.draws",
        ),
        (
            Changes {
                ways: Some(2_001),
                ..none()
            },
            "limit_out_of_range",
            "limits.ways",
        ),
        (
            game("keno", cents(2_050), None),
            "same_numbers_below_maximum",
            "game[0].wager.same_numbers",
        ),
        (
            game("keno", cents(1_025), None),
            "wager_off_step",
            "game[0].wager.max",
        ),
        // More on the same numbers: the cap takes the return under 65 % (s. 85).
        (
            game("keno", cents(20_000), cents(20_000)),
            "return_below_floor",
            "game[0].pays.5",
        ),
        (
            game("bingo", cents(100), None),
            "changed_game_unknown",
            "game",
        ),
    ] {
        let found = faults(&changes);
        let all: Vec<_> = found
            .iter()
            .map(|fault| (fault.kind.name(), fault.place.as_str()))
            .collect();
        assert!(all.contains(&(name, place)), "{changes:?}: {all:?}");
        for fault in found {
            assert_ne!(fault.detail.fr, fault.detail.en);
        }
    }
}

/// Whatever is asked, what may not be changed here is not.
#[test]
fn nothing_else_of_the_rules_can_change() {
    let before = read(DEMONSTRATION).unwrap();
    let all = Changes {
        usual_wager: cents(200),
        express: Some(picks()[..3].to_vec()),
        second_key: cents(1_000),
        type_total: cents(5_000),
        confirm_draws: Some(3),
        second_person: cents(60_000),
        cage: cents(200_000),
        draws: Some(5),
        draws_ahead: Some(50),
        selections: Some(2),
        ways: Some(100),
        games: vec![GameChanges {
            code: "keno".to_owned(),
            wager_max: cents(1_000),
            same_numbers: cents(1_000),
        }],
    };
    let amended = amend(DEMONSTRATION, &all).unwrap();
    assert_eq!(amended.differences.len(), 17);
    let mut rules = amended.after.rules.clone();
    assert_eq!(rules.version, 2);
    rules.version = 1;
    rules.limits = before.rules.limits;
    rules.confirm = before.rules.confirm;
    rules.payout.second_person = before.rules.payout.second_person;
    rules.payout.cage = before.rules.payout.cage;
    rules.games[0].wager.max = before.rules.games[0].wager.max;
    rules.games[0].wager.same_numbers_max = before.rules.games[0].wager.same_numbers_max;
    assert_eq!(rules, before.rules);
    assert_eq!(amended.after.texts, before.texts);
    // Comments stay, each as often as it was.
    for line in DEMONSTRATION.lines().filter(|line| line.starts_with('#')) {
        assert!(amended.after.text.contains(line), "{line}");
    }
}
