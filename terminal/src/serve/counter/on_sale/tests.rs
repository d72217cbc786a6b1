//! Which rule books central is asked for, and which it is not asked for again.

use super::*;

const RULES: &str = include_str!("../../../../../samples/rules/demonstration.toml");

fn rules(text: &str) -> Rules {
    Rules {
        hash: rules_file::read(text).map_or_else(|_| "unreadable".to_owned(), |it| hash_of(&it)),
        text: text.to_owned(),
    }
}

/// What central tells of an evening without draws: the hash of the rules now, and those of later ones.
pub(in crate::serve::counter) fn facts(now: Option<&str>, later: &[(u64, &str)]) -> CounterReply {
    let later = (2_u32..)
        .zip(later)
        .map(|(version, (from_draw, hash))| LaterRules {
            version,
            hash: (*hash).to_owned(),
            from_draw: *from_draw,
        });
    CounterReply {
        central_ms: 0,
        today: "2026-11-20".to_owned(),
        house_name: "Casino".to_owned(),
        sales_suspended: false,
        rules_version: Some(1),
        rules_hash: now.map(str::to_owned),
        later_rules: later.collect(),
        draws: Vec::new(),
        shift: None,
        shift_badge: None,
        stopped: false,
        messages: Vec::new(),
    }
}

fn away() -> CallFault {
    CallFault::Lost("nobody answers".into())
}

#[test]
fn a_book_is_asked_for_until_it_is_known_or_known_to_be_unreadable() {
    let later = RULES.replacen("version = 1", "version = 2", 1);
    let (hash, later_hash) = (rules(RULES).hash, rules(&later).hash);
    let facts = facts(
        Some(&hash),
        &[(8, &later_hash), (20, "unreadable"), (30, "other")],
    );
    let ask = |before: Option<&OnSale>, is_there: bool| {
        let mut asked = Vec::new();
        let mut fetch = |path: &str| {
            let name = path.rsplit('/').next().unwrap().to_owned();
            let given = match name.as_str() {
                "current" => Ok(rules(RULES)),
                "2" if is_there => Ok(rules(&later)),
                "2" => Err(away()),
                "3" => Ok(rules("format = 9")),
                // Another text than that whose hash was told.
                _ => Ok(rules(RULES)),
            };
            asked.push(name);
            given
        };
        let sale = OnSale::of(facts.clone(), before, &mut fetch).unwrap();
        let known: Vec<bool> = sale.known_later().iter().map(|(_, is)| *is).collect();
        (sale, known, asked.join(" "))
    };
    let (first, known, asked) = ask(None, false);
    assert!(first.book().is_some());
    assert_eq!((known, asked.as_str()), (vec![false; 3], "current 2 3 4"));
    let (second, known, asked) = ask(Some(&first), true);
    assert_eq!((known, asked.as_str()), (vec![true, false, false], "2 4"));
    assert!(second.differs(&first), "pages would not be told");
    let (third, _, asked) = ask(Some(&second), true);
    assert_eq!(asked, "4");
    assert!(!third.differs(&second));
}

/// Of two books that came one after the other pages are told of both.
#[test]
fn a_second_later_book_is_a_difference_too() {
    let of = |second: &str| OnSale::told(facts(None, &[]), RULES, &[(8, RULES), (20, second)]);
    assert!(of(RULES).differs(&of("format = 9")));
    assert!(!of(RULES).differs(&of(RULES)));
}

#[test]
fn a_page_is_told_of_a_set_only_where_one_is_sold() {
    let game = |text: &str| {
        let book = rules_file::read(text).unwrap();
        serde_json::to_value(game_view(book.rules.games.last().unwrap())).unwrap()
    };
    let rules = include_str!("../../../../../samples/rules/demonstration.toml");
    let ten = serde_json::json!({ "min": 1, "max": 10 });
    let keno = serde_json::json!({ "code": "keno", "straight": ten, "way": ten, "king": ten });
    assert_eq!(game(rules), keno);
    let set = "\n[[game]]\ncode = \"low\"\nname.fr = \"Petits\"\nname.en = \"Low\"\nset = \"1-3 5\"\n\
        king_alone = false\n[game.wager]\nstep = \"1\"\nmin = \"1\"\nmax = \"2\"\nsame_numbers = \"2\"\n\
        [game.pays]\n4 = { 0 = \"1\", 1 = \"1\" }\n";
    let name = serde_json::json!({ "fr": "Petits", "en": "Low" });
    let set_told = serde_json::json!({ "min": 4, "max": 4, "name": name, "numbers": [1, 2, 3, 5] });
    let none = serde_json::Value::Null;
    let low = serde_json::json!({
        "code": "low", "straight": none, "way": none, "king": none, "set": set_told
    });
    assert_eq!(game(&format!("{rules}{set}")), low);
}
