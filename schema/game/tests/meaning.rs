//! The worked figures of `RULES.md` (`schema/log/vectors/meaning.json`), which a program that
//! shares no code with this crate made from the document: ways, prices, prizes, caps, returns.
#![allow(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

use crate::common::{demonstration, table};
use keno_game::returns::{RETURN_FLOOR, return_of_ticket};
use keno_game::settle::{factors, merge, totals_straight, winners_straight};
use keno_game::slip::price;
use keno_game::ways::{enumerate, ways_by_size};
use keno_game::{
    BallSet, Carried, Cents, ConditioningAsked, Fraction, PackedStraight, PayTable, Pays, Pick,
    SelectionType, Slip, SlipSelection, SpotsAllowed, WagerLimits,
};
use serde_json::{Value, json};

fn vectors() -> Value {
    serde_json::from_str(include_str!("../../log/vectors/meaning.json")).unwrap()
}

fn set(numbers: &[u8]) -> BallSet {
    BallSet::from_numbers(numbers).unwrap()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

fn cents(value: &Value) -> Cents {
    Cents::new(value.as_i64().unwrap())
}

fn byte(value: &Value) -> u8 {
    u8::try_from(value.as_u64().unwrap()).unwrap()
}

fn numbers(value: &Value) -> Vec<u8> {
    list(value).iter().map(byte).collect()
}

fn asked(vector: &Value) -> SlipSelection {
    let lines = list(&vector["conditioning"]);
    SlipSelection {
        game: "keno".to_owned(),
        kind: SelectionType::from_number(byte(&vector["kind"])).unwrap(),
        pick: Pick::Numbers {
            groups: list(&vector["groups"]).iter().map(numbers).collect(),
            kings: numbers(&vector["kings"]),
        },
        conditioning: lines
            .iter()
            .map(|line| ConditioningAsked {
                ways: Some(u32::try_from(line["ways"].as_u64().unwrap()).unwrap()),
                spots: byte(&line["spots"]),
                wager: cents(&line["wager_cents"]),
            })
            .collect(),
        wager: None,
    }
}

#[test]
fn selections_have_these_ways_prices_and_prizes() {
    let vectors = vectors();
    let drawn = set(&numbers(&vectors["drawn"]));
    for vector in list(&vectors["selections"]) {
        let mut book = demonstration();
        book.games[0].king_alone = vector["king_alone"].as_bool().unwrap();
        let slip = Slip {
            selections: vec![asked(vector)],
            draws: 1,
        };
        let priced = price(&slip, &book, &mut |_, _| BallSet::EMPTY).unwrap();
        assert_eq!(priced.per_draw, cents(&vector["per_draw_cents"]));
        let selection = &priced.selections[0];
        let (groups, kings) = (&selection.groups, selection.kings);
        let king_alone = book.games[0].king_alone;
        let by_size = ways_by_size(groups, kings, king_alone).unwrap();
        let generated: Vec<[u64; 2]> = (0..)
            .zip(by_size)
            .filter(|(_, ways)| *ways > 0)
            .map(|(spots, ways)| [spots, ways])
            .collect();
        assert_eq!(serde_json::json!(generated), vector["generated"]);
        let mut won = 0;
        for line in list(&vector["conditioning"]) {
            let spots = byte(&line["spots"]);
            let ways = enumerate(groups, kings, king_alone, spots, 100).unwrap();
            let prizes = list(&line["prizes"]);
            assert_eq!(ways.len(), prizes.len());
            for prize in prizes {
                let way = set(&numbers(&prize["numbers"]));
                assert!(ways.contains(&way), "{prize}");
                let catch = way.intersection(drawn).len();
                assert_eq!(catch, byte(&prize["catch"]));
                let table = book.games[0].table(spots).unwrap();
                let computed = table.prize(cents(&line["wager_cents"]), catch);
                assert_eq!(computed, cents(&prize["prize_cents"]), "{prize}");
                won += computed.get();
            }
        }
        assert_eq!(Cents::new(won), cents(&vector["won_cents"]));
    }
}

/// Every prize of the vector as a straight on number 1 at that wager, which pays 1 for one.
#[test]
fn settlements_come_out_to_the_cent() {
    let table = PayTable::new(1, &[(1, Pays::from_hundredths(100))]).unwrap();
    let tables = [table];
    let drawn = set(&[1]);
    for vector in list(&vectors()["settlements"]) {
        let mut wagers = Vec::new();
        for ticket in list(&vector["tickets"]) {
            for prize in list(&ticket[1]) {
                let wager = u32::try_from(prize.as_u64().unwrap()).unwrap();
                let number = ticket[0].as_u64().unwrap();
                wagers.push(PackedStraight::new(number, drawn, 0, wager));
            }
        }
        let threshold = cents(&vector["full_below_cents"]);
        let totals = totals_straight(&wagers, drawn, &tables, threshold).unwrap();
        assert_eq!(totals.small, cents(&vector["small_cents"]));
        assert_eq!(totals.large, cents(&vector["large_cents"]));
        let found = factors(cents(&vector["cap_cents"]), totals);
        let pairs = serde_json::json!([
            [found.small_num, found.small_den],
            [found.large_num, found.large_den]
        ]);
        let expected = [&vector["small_factor"], &vector["large_factor"]];
        assert_eq!(pairs, serde_json::json!(expected), "{}", vector["why"]);
        let mut prizes = Vec::new();
        winners_straight(&wagers, drawn, &tables, threshold, &found, &mut prizes).unwrap();
        let merged: Vec<(u64, i64, i64)> = merge(prizes)
            .unwrap()
            .iter()
            .map(|it| (it.ticket, it.computed.get(), it.payable.get()))
            .collect();
        assert_eq!(serde_json::json!(merged), vector["prize_list"]);
    }
}

#[test]
fn returns_are_the_exact_fractions() {
    let book = demonstration();
    for vector in list(&vectors()["returns"]) {
        let wagers: Vec<(Cents, u64)> = list(&vector["wagers"])
            .iter()
            .map(|wager| (cents(&wager[0]), wager[1].as_u64().unwrap()))
            .collect();
        let table = book.games[0].table(byte(&vector["spots"])).unwrap();
        let rate = return_of_ticket(table, book.pool, &wagers, book.cap, book.cap_threshold);
        assert_eq!(
            rate.unwrap().to_string(),
            vector["return"].as_str().unwrap()
        );
    }
}

/// The document's books, with this book's other rules.
#[test]
fn least_returns_are_those_of_the_document() {
    let text = |value: &Value| -> Cents {
        let text = value.as_str().unwrap();
        // An amount of the file may leave its cents out.
        let whole = format!("{text}.00");
        text.parse().or_else(|_| whole.parse()).unwrap()
    };
    let mut ways = std::collections::BTreeSet::new();
    for vector in list(&vectors()["judged"]) {
        let mut book = demonstration();
        let template = book.games.remove(0);
        (book.cap, book.cap_threshold) = (text(&vector["cap"]), text(&vector["full_below"]));
        book.limits.selections_max = byte(&vector["selections"]);
        let spots = byte(&vector["spots"]);
        for (at, game) in list(&vector["games"]).iter().enumerate() {
            let mut rule = template.clone();
            rule.code = format!("game-{at}");
            let played = SpotsAllowed {
                min: spots,
                max: spots,
            };
            rule.types = [(SelectionType::Straight, played)].into();
            let wager = &game["wager"];
            rule.wager = WagerLimits {
                step: text(&wager["step"]),
                min: text(&wager["min"]),
                max: text(&wager["max"]),
                same_numbers_max: text(&wager["same_numbers"]),
            };
            let pays: Vec<(u8, &str)> = game["pays"]
                .as_object()
                .unwrap()
                .iter()
                .map(|(catch, pays)| (catch.parse().unwrap(), pays.as_str().unwrap()))
                .collect();
            rule.tables = vec![table(spots, &pays)];
            book.games.push(rule);
        }
        let expected: Vec<(usize, i64, &str)> = list(&vector["lines"])
            .iter()
            .map(|line| {
                let game = line[0].as_u64().unwrap() as usize;
                (game, line[1].as_i64().unwrap(), line[2].as_str().unwrap())
            })
            .collect();
        let lowest = |game: usize| {
            let of_game = expected.iter().filter(|line| line.0 == game);
            let rates = of_game.map(|line| {
                let (above, below) = line.2.split_once('/').unwrap();
                Fraction::new(above.parse().unwrap(), below.parse().unwrap()).unwrap()
            });
            rates.min().unwrap()
        };
        let how = |carried: &Carried| match carried {
            Carried::Alone => "alone",
            Carried::Ticket(_) => "ticket",
            Carried::UpTo { .. } => "bound",
        };
        ways.insert(vector["how"].as_str().unwrap().to_owned());
        // A book that is refused names the lowest line of each table.
        match book.check() {
            Ok(certificate) => {
                let found: Vec<_> = certificate
                    .lines
                    .iter()
                    .map(|line| {
                        assert_eq!(json!(how(&line.carried)), vector["how"]);
                        let game = book.games.iter().position(|game| game.code == line.game);
                        (game.unwrap(), line.wager.get(), line.rate.to_string())
                    })
                    .collect();
                assert_eq!(json!(found), vector["lines"], "{}", vector["why"]);
            }
            Err(faults) => {
                for game in 0..book.games.len() {
                    let path = format!("games[{game}].tables[0].pays");
                    let fault = faults.iter().find(|fault| fault.path == path);
                    let line = fault.and_then(|fault| fault.line.as_ref());
                    let rate = line.map(|line| line.rate);
                    let below = Some(lowest(game)).filter(|rate| *rate < RETURN_FLOOR);
                    assert_eq!(rate, below, "{}", vector["why"]);
                    if let Some(line) = line {
                        assert_eq!(json!(how(&line.carried)), vector["how"]);
                    }
                }
            }
        }
    }
    assert_eq!(ways.len(), 3);
}

#[test]
fn a_ticket_costs_at_most_what_the_document_says() {
    let rules = demonstration();
    let most = &vectors()["lost_ticket"];
    assert_eq!(rules.most_of_a_ticket(), exact(&most["most_cents"]));
    // Without ways a selection has one; at the widest limits it is beyond 64 bits, and exact.
    let mut straight = rules.clone();
    let mut widest = rules;
    for game in &mut straight.games {
        game.types
            .retain(|kind, _| *kind == SelectionType::Straight);
    }
    assert_eq!(
        straight.most_of_a_ticket(),
        exact(&most["without_ways_cents"])
    );
    widest.limits.draws_max = u16::MAX;
    widest.limits.selections_max = u8::MAX;
    widest.limits.ways_max = 2_000;
    for game in &mut widest.games {
        game.wager.max = Cents::new(0xffff_ffff);
    }
    assert_eq!(widest.most_of_a_ticket(), exact(&most["widest_cents"]));
}

/// A figure that may be beyond 64 bits: a text of digits.
fn exact(value: &Value) -> i128 {
    value.as_str().unwrap().parse().unwrap()
}
