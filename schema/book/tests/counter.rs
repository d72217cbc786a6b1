//! What a counter offers at one key: the usual wager and express picks.

use keno_book::rules_file::{RuleBookFault, RuleBookFaultKind, RuleBookFile, read};
use keno_game::Cents;
use keno_words::Say;

const DEMONSTRATION: &str = include_str!("../../../samples/rules/demonstration.toml");

fn faults(text: &str) -> Vec<RuleBookFault> {
    match read(text) {
        Ok(_) => panic!("the text should have a fault"),
        Err(faults) => faults,
    }
}

fn read_whole(text: &str) -> RuleBookFile {
    read(text).unwrap_or_else(|faults| panic!("{faults:#?}"))
}

/// A text with one passage, which is there once, replaced.
fn replaced(text: &str, passage: &str, replacement: &str) -> String {
    assert_eq!(text.matches(passage).count(), 1, "{passage:?}");
    text.replacen(passage, replacement, 1)
}

#[test]
fn the_demonstration_has_eight_express_picks() {
    let counter = read_whole(DEMONSTRATION).counter.unwrap();
    assert_eq!(counter.default_wager, Cents::new(100));
    let picks: Vec<(&str, u8, i64)> = counter
        .express
        .iter()
        .map(|pick| (pick.game.as_str(), pick.spots, pick.wager.get()))
        .collect();
    let expected = [
        (3, 100),
        (4, 100),
        (5, 200),
        (6, 200),
        (7, 200),
        (8, 500),
        (9, 500),
        (10, 500),
    ];
    assert_eq!(
        picks,
        expected
            .map(|(spots, wager)| ("keno", spots, wager))
            .to_vec()
    );
}

/// The worked cases of `RULES.md`, which the audit and the verifier judge too.
#[test]
fn what_a_counter_offers_is_judged_as_the_document_says() {
    let vectors = include_str!("../../log/vectors/meaning.json");
    let vectors: serde_json::Value = serde_json::from_str(vectors).unwrap();
    let mut refused = 0;
    for vector in vectors["counters"].as_array().unwrap() {
        let text = vector["text"].as_str().unwrap();
        let without = without_counter();
        // A key of the root stands before every table.
        let before = if text.starts_with("counter = ") {
            "format = 3"
        } else {
            "[[game]]"
        };
        let read = read(&without.replacen(before, &format!("{text}{before}"), 1));
        assert_eq!(read.is_ok(), vector["holds"].as_bool().unwrap(), "{vector}");
        refused += usize::from(read.is_err());
    }
    assert_eq!(refused, 23);
}

/// The demonstration without what a counter offers.
fn without_counter() -> String {
    let start = DEMONSTRATION.find("[counter]").unwrap_or_default();
    let end = DEMONSTRATION.find("[[game]]").unwrap_or_default();
    format!("{}{}", &DEMONSTRATION[..start], &DEMONSTRATION[end..])
}

#[test]
fn a_book_need_not_say_what_a_counter_offers() {
    assert_eq!(read_whole(&without_counter()).counter, None);
    let text = without_counter().replace("[[game]]", "[counter]\nwager = \"2\"\n\n[[game]]");
    let counter = read_whole(&text).counter.unwrap();
    assert_eq!(counter.default_wager, Cents::new(200));
    assert!(counter.express.is_empty());
}

/// A pick is judged by the game that it names, the usual wager by the first.
#[test]
fn an_express_pick_is_judged_by_its_own_game() {
    let start = DEMONSTRATION.find("[[game]]").unwrap();
    let second = DEMONSTRATION[start..]
        .replace("code = \"keno\"", "code = \"special\"")
        .replace("min = \"0.50\"", "min = \"3.00\"")
        .replace(
            "straight = { min = 1, max = 10 }",
            "straight = { min = 2, max = 4 }",
        );
    let two = format!("{DEMONSTRATION}\n{second}");
    assert_eq!(read_whole(&two).counter.unwrap().express.len(), 8);
    let of_special = |spots: u8, wager: &str| {
        let passage = "spots = 3\nwager = \"1.00\"";
        let pick = format!("game = \"special\"\nspots = {spots}\nwager = \"{wager}\"");
        replaced(&two, passage, &pick)
    };
    let counter = read_whole(&of_special(4, "3.50")).counter.unwrap();
    assert_eq!(counter.express[0].game, "special");
    let found = faults(&of_special(5, "2.50"));
    let sentences: Vec<(String, String)> =
        found.iter().map(|fault| (fault.fr(), fault.en())).collect();
    let line = found[0].line;
    let below = line + 1;
    assert_eq!(
        sentences,
        [
            (
                format!(
                    "ligne {line} : counter.express[0].spots : une sélection simple du jeu \
                     special a de 2 à 4 numéros, pas 5."
                ),
                format!(
                    "line {line}: counter.express[0].spots: a straight selection of game special \
                     has 2 to 4 numbers, not 5."
                ),
            ),
            (
                format!(
                    "ligne {below} : counter.express[0].wager : une mise du jeu special va de \
                     3,00\u{a0}$ à 20,00\u{a0}$ par pas de 0,50\u{a0}$."
                ),
                format!(
                    "line {below}: counter.express[0].wager: a wager of game special goes from \
                     $3.00 to $20.00 in steps of $0.50."
                ),
            ),
        ]
    );
}

/// What is wrong with a game is told once, and not again by every pick of it.
#[test]
fn a_pick_of_a_game_that_is_wrong_itself_is_not_told_twice() {
    for (passage, replacement, name) in [
        ("code = \"keno\"", "code = \"Keno\"", "game_code_malformed"),
        (
            "straight = { min = 1, max = 10 }",
            "straight = { min = \"1\", max = 10 }",
            "type_wrong",
        ),
        ("\nmax = \"20.00\"", "\nmax = \"20.005\"", "money_malformed"),
    ] {
        let text = replaced(DEMONSTRATION, passage, replacement);
        let named = text.replace("spots = 10\n", "game = \"keno\"\nspots = 10\n");
        let names: Vec<&str> = faults(&named)
            .iter()
            .map(|fault| fault.kind.name())
            .collect();
        assert_eq!(names, [name], "{replacement}");
    }
    let text = replaced(DEMONSTRATION, "straight = { min = 1, max = 10 }\n", "");
    let found = faults(&text);
    assert_eq!(found.len(), 8);
    assert!(found.iter().all(|fault| {
        fault.kind == RuleBookFaultKind::ExpressSpotsRefused
            && fault.detail.en == "game keno has no straight selection"
            && fault.place.starts_with("counter.express[")
    }));
}
