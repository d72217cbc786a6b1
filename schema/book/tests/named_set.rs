//! A named set in a rule book: how it is written, what it returns, how a slip asks for it.

#![allow(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

use keno_book::rules_file::{RuleBookFile, hidden_signs, read};
use keno_game::slip::{SlipRefusalCode, price};
use keno_game::{
    BallSet, Cents, Fraction, PackedStraight, Pick, SelectionType, Slip, SlipSelection,
    SpotsAllowed,
};
use keno_words::Say;

const DEMONSTRATION: &str = include_str!("../../../samples/rules/demonstration.toml");

/// A game that sells these numbers alone.
fn game(code: &str, set: &str, pays: &str) -> String {
    format!(
        "\n[[game]]\ncode = \"{code}\"\nname.fr = \"Pile\"\nname.en = \"Heads\"\nset = \"{set}\"\n\
         king_alone = false\n[game.wager]\nstep = \"1.00\"\nmin = \"1.00\"\nmax = \"20.00\"\n\
         same_numbers = \"20.00\"\n[game.pays]\n{pays}\n"
    )
}

/// Evens money and a half for eleven numbers and more of forty.
fn eleven_up() -> String {
    let pays: Vec<String> = (11..=20).map(|catch| format!("{catch} = \"2\"")).collect();
    format!("40 = {{ {} }}", pays.join(", "))
}

fn with(games: &[String]) -> Result<RuleBookFile, Vec<String>> {
    let text = format!("{DEMONSTRATION}{}", games.concat());
    read(&text).map_err(|faults| {
        let said = faults
            .iter()
            .map(|fault| format!("{} {}", fault.place, fault.kind.name()));
        said.collect()
    })
}

fn heads_and_tails() -> RuleBookFile {
    let evens = game("evens", "1-40", "40 = { 10 = \"4\" }");
    with(&[
        game("heads", "1-40", &eleven_up()),
        game("tails", "41-80", &eleven_up()),
        evens,
    ])
    .unwrap()
}

fn asked(game: &str, groups: Vec<Vec<u8>>) -> Slip {
    let selection = SlipSelection {
        game: game.to_owned(),
        kind: SelectionType::NamedSet,
        pick: Pick::Numbers {
            groups,
            kings: Vec::new(),
        },
        conditioning: Vec::new(),
        wager: Some(Cents::new(200)),
    };
    Slip {
        selections: vec![selection],
        draws: 3,
    }
}

fn half(from: u8) -> Vec<u8> {
    (from..from + 40).collect()
}

#[test]
fn the_book_says_the_numbers_and_the_exact_return() {
    let file = heads_and_tails();
    let tails = file.rules.game("tails").unwrap();
    assert_eq!(tails.set, BallSet::from_numbers(&half(41)).ok());
    let forty = SpotsAllowed { min: 40, max: 40 };
    assert_eq!(tails.spots_allowed(SelectionType::NamedSet), Some(forty));
    assert_eq!(tails.spots_allowed(SelectionType::Straight), None);
    // Σ C(40,k)·C(40,20−k), k from 11 to 20, twice over C(80,20); four times k = 10.
    for (code, numerator, denominator) in [
        ("heads", 1_073_333_510_451, 1_347_127_860_995),
        ("tails", 1_073_333_510_451, 1_347_127_860_995),
        ("evens", 1_095_177_402_176, 1_347_127_860_995),
    ] {
        let mut lines = file
            .certificate
            .lines
            .iter()
            .filter(|line| line.game == code);
        let rate = Fraction::new(numerator, denominator).unwrap();
        assert!(
            lines.all(|line| (line.spots, line.rate) == (40, rate)),
            "{code}"
        );
    }
}

#[test]
fn below_the_floor_or_wrongly_written_it_is_refused() {
    // Evens at three for one return 60.97 %.
    let low = game("evens", "1-40", "40 = { 10 = \"3\" }");
    assert_eq!(
        with(&[low]).unwrap_err(),
        ["game[1].pays.40 return_below_floor"]
    );
    assert_eq!(
        with(&[game("heads", "1-39", &eleven_up())]).unwrap_err(),
        ["game[1].set table_missing"]
    );
    for set in [
        "",
        " ",
        "0-39",
        "40-1",
        "1-20 20-40",
        "1-20  21-40",
        "21-40 1-20",
        "1,2",
        "01-40",
        "1-1",
        "1-",
        "-40",
        "all",
    ] {
        let faults = with(&[game("heads", set, &eleven_up())]).unwrap_err();
        assert_eq!(faults, ["game[1].set type_wrong"], "{set:?}");
    }
}

#[test]
fn a_number_that_the_pool_lacks_is_named() {
    let said = |set: &str, size: u8| {
        let text = format!("{DEMONSTRATION}{}", game("tails", set, &eleven_up()));
        let text = text.replace("size = 80", &format!("size = {size}"));
        let faults = read(&text).unwrap_err();
        assert_eq!(faults.len(), 1, "{faults:?}");
        let fault = &faults[0];
        assert_eq!(fault.place, "game[1].set");
        assert_eq!(fault.kind.name(), "number_out_of_range");
        fault.detail.en()
    };
    assert_eq!(said("41-81", 80), "\"41-81\" has 81; the pool ends at 80");
    assert_eq!(said("1 255", 80), "\"1 255\" has 255; the pool ends at 80");
    assert_eq!(said("31-71", 70), "\"31-71\" has 71; the pool ends at 70");
}

/// What a name hides is refused where a version is published, and read where one was.
#[test]
fn a_sign_that_nobody_sees_is_found_in_every_text() {
    let heads = game("heads", "1-40", &eleven_up());
    let text = format!("{DEMONSTRATION}{heads}# a comment with \u{202e} harms nobody\n");
    assert_eq!(hidden_signs(&text), []);
    for (old, new, place) in [
        (
            "name.en = \"Heads\"",
            "name.en = \"He\u{200b}ads\"",
            "game[1].name.en",
        ),
        (
            "name.en = \"Heads\"",
            "name.en = \"\\u202eHeads\"",
            "game[1].name.en",
        ),
        (
            "notice.en = \"",
            "notice.en = \"\u{feff}",
            "texts.notice.en",
        ),
    ] {
        assert!(text.contains(old), "{old}");
        let text = text.replace(old, new);
        assert!(read(&text).is_ok());
        let faults = hidden_signs(&text);
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert_eq!(faults[0].place, place);
        assert_eq!(faults[0].kind.name(), "text_malformed");
    }
}

#[test]
fn a_slip_says_its_name_or_exactly_its_numbers() {
    let rules = heads_and_tails().rules;
    let mut none = |_, _| BallSet::EMPTY;
    for groups in [Vec::new(), vec![half(1)]] {
        let priced = price(&asked("heads", groups), &rules, &mut none).unwrap();
        assert_eq!(priced.total, Cents::new(600));
        let selection = &priced.selections[0];
        assert_eq!(
            selection.numbers(),
            BallSet::from_numbers(&half(1)).unwrap()
        );
        assert_eq!(
            (selection.ways_total(), selection.conditioning[0].spots),
            (1, 40)
        );
    }
    for groups in [vec![half(41)], vec![vec![1, 2]], vec![half(1), vec![41]]] {
        let refused = price(&asked("heads", groups), &rules, &mut none).unwrap_err();
        assert_eq!(refused.code, SlipRefusalCode::NumbersNotOfType);
    }
    let refused = price(&asked("keno", Vec::new()), &rules, &mut none).unwrap_err();
    assert_eq!(refused.code, SlipRefusalCode::UnknownType);
}

/// Eleven of forty pay heads, nine of them pay tails, ten pay evens.
#[test]
fn it_is_paid_by_its_catch() {
    let rules = heads_and_tails().rules;
    for (caught, heads, tails, evens) in [(11, 400, 0, 0), (9, 0, 400, 0), (10, 0, 0, 800)] {
        let drawn: Vec<u8> = (1..=caught).chain(41..=60 - caught).collect();
        let drawn = BallSet::from_numbers(&drawn).unwrap();
        assert_eq!(drawn.len(), 20);
        for (code, prize) in [("heads", heads), ("tails", tails), ("evens", evens)] {
            let game = rules.game(code).unwrap();
            let packed = PackedStraight::new(1, game.set.unwrap(), 0, 200);
            let tables = [game.table(40).unwrap().clone()];
            let threshold = Cents::new(100_000);
            let totals = keno_game::settle::totals_straight(&[packed], drawn, &tables, threshold);
            assert_eq!(totals.unwrap().small, Cents::new(prize), "{code}, {caught}");
        }
    }
}
