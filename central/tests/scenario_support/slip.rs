//! A slip as a person says it.
//!
//! ```text
//! keno 07 18 33 @ 2.00                     straight
//! keno quick 5 @ 2.00                      the computer picks five
//! keno way 3 14 / 40 51 : 2/2 @ 1.00 and 1/4 @ 1.00
//! keno king K1 / 2 3 / 4 5 6 : all/3 @ 0.50
//! keno every number @ 0.50                 80 ways of one number: 20 of them win on any draw
//! A + B x5 from 3                          two selections, five draws, the first is draw 3
//! ```

use serde_json::{Value, json};

/// `2.00` in cents.
pub fn cents(text: &str) -> i64 {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text),
    };
    let (units, hundredths) = digits
        .split_once('.')
        .unwrap_or_else(|| panic!("no amount is {text:?}: write 2.00"));
    assert_eq!(hundredths.len(), 2, "no amount is {text:?}: write 2.00");
    sign * (units.parse::<i64>().unwrap() * 100 + hundredths.parse::<i64>().unwrap())
}

/// Cents as `2.00`.
pub fn amount(cents: i64) -> String {
    let sign = if cents < 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", cents.abs() / 100, cents.abs() % 100)
}

fn numbers(words: &str) -> Vec<i64> {
    words
        .split_whitespace()
        .map(|word| {
            word.parse()
                .unwrap_or_else(|_| panic!("no number is {word:?}"))
        })
        .collect()
}

/// `2/4 @ 1.00 and 1/8 @ 1.00`
fn ways(text: &str) -> Vec<Value> {
    text.split(" and ")
        .map(|line| {
            let (size, wager) = line
                .split_once('@')
                .unwrap_or_else(|| panic!("no wager in {line:?}"));
            let (count, spots) = size.trim().split_once('/').unwrap();
            let spots: u8 = spots.trim().parse().unwrap();
            let wager = cents(wager.trim());
            match count.trim() {
                "all" => json!({"spots": spots, "wager_cents": wager}),
                count => {
                    json!({"ways": count.parse::<u32>().unwrap(), "spots": spots, "wager_cents": wager})
                }
            }
        })
        .collect()
}

fn selection(text: &str) -> Value {
    let (game, rest) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
    let (pick, composition) = match rest.split_once(':') {
        Some((pick, composition)) => (pick.trim(), Some(composition)),
        None => (rest.trim(), None),
    };
    let (pick, wager) = match pick.split_once('@') {
        Some((pick, wager)) => (pick.trim(), Some(cents(wager.trim()))),
        None => (pick, None),
    };
    let mut selection = json!({"game": game});
    let (kind, pick) = match pick.split_once(' ').unwrap_or((pick, "")) {
        ("way", rest) => ("way", rest),
        ("king", rest) => ("king", rest),
        (kind, rest) if kind.starts_with("type=") => (kind.trim_start_matches("type="), rest),
        _ => ("straight", pick),
    };
    selection["type"] = kind.into();
    if pick == "every number" {
        selection["type"] = "way".into();
        selection["groups"] = (1..=80)
            .map(|number| vec![number])
            .collect::<Vec<_>>()
            .into();
        selection["ways"] = json!([{"spots": 1, "wager_cents": wager}]);
        return selection;
    }
    if let Some(spots) = pick.strip_prefix("quick ") {
        selection["quick_pick"] = spots.trim().parse::<u8>().unwrap().into();
    } else if !matches!(kind, "way" | "king") {
        let (plain, kings): (Vec<&str>, Vec<&str>) = pick
            .split_whitespace()
            .partition(|word| !word.starts_with('K'));
        if !plain.is_empty() {
            selection["numbers"] = numbers(&plain.join(" ")).into();
        }
        if !kings.is_empty() {
            selection["kings"] = numbers(&kings.join(" ").replace('K', "")).into();
        }
    } else {
        let (kings, groups): (Vec<&str>, Vec<&str>) = pick
            .split('/')
            .map(str::trim)
            .partition(|group| group.starts_with('K'));
        let groups: Vec<Vec<i64>> = groups.iter().map(|group| numbers(group)).collect();
        selection["groups"] = groups.into();
        if !kings.is_empty() {
            selection["kings"] = numbers(&kings.join(" ").replace('K', "")).into();
        }
    }
    if let Some(wager) = wager {
        selection["wager_cents"] = wager.into();
    }
    if let Some(composition) = composition {
        selection["ways"] = ways(composition.trim()).into();
    }
    selection
}

/// A slip as central reads it.
pub fn read(text: &str) -> Value {
    let (mut text, mut first) = (text.trim(), None);
    if let Some((before, draw)) = text.rsplit_once(" from ") {
        first = Some(draw.trim().parse::<u64>().unwrap());
        text = before.trim();
    }
    let mut draws = 1;
    if let Some((before, count)) = text.rsplit_once(" x")
        && let Ok(count) = count.trim().parse::<u64>()
    {
        draws = count;
        text = before.trim();
    }
    let selections: Vec<Value> = match text {
        "nothing" => Vec::new(),
        _ => text.split(" + ").map(selection).collect(),
    };
    let mut slip = json!({"selections": selections, "draws": draws});
    if let Some(first) = first {
        slip["first_draw"] = first.into();
    }
    slip
}

#[test]
fn slips_are_read_as_they_are_said() {
    assert_eq!(
        read("keno 07 18 @ 2.00 + keno quick 5 @ 0.50 x5 from 3"),
        json!({"selections": [
            {"game": "keno", "type": "straight", "numbers": [7, 18], "wager_cents": 200},
            {"game": "keno", "type": "straight", "quick_pick": 5, "wager_cents": 50}
        ], "draws": 5, "first_draw": 3})
    );
    assert_eq!(
        read("keno king K1 / 2 3 : all/3 @ 0.50 and 1/1 @ 1.00"),
        json!({"selections": [{"game": "keno", "type": "king", "groups": [[2, 3]], "kings": [1],
            "ways": [{"spots": 3, "wager_cents": 50}, {"ways": 1, "spots": 1, "wager_cents": 100}]
        }], "draws": 1})
    );
    assert_eq!(read("nothing x0"), json!({"selections": [], "draws": 0}));
}
