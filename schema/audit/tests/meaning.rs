//! The worked figures of `RULES.md` (`schema/log/vectors/meaning.json`), which a program that
//! shares no code with this crate made from the document.

// Helpers beside the tests unwrap too: a vector that cannot be read fails its test.
#![allow(clippy::unwrap_used)]

use crate::support::scenario::{SECRETS, book, cancelled, staff};
use crate::support::{CAP_CENTS, FIRST_DAY_MS, FULL_BELOW_CENTS, Fault, HOUSE, Log, straight};
use keno_audit::calendar::Calendar;
use keno_audit::prizes::{Cap, settle};
use keno_audit::replay::{Options, cash_rounding};
use keno_audit::returns::{Carried, returns};
use keno_audit::rule_book::RuleBook;
use keno_audit::verify::{Outside, verify};
use keno_audit::{FindingCode, ticket};
use keno_log::CommandKey;
use keno_log::event::*;
use keno_log::hash::sha256;
use serde_json::{Value, json};

const BOOK: &str = include_str!("../../../samples/rules/demonstration.toml");

fn vectors() -> Value {
    serde_json::from_str(include_str!("../../log/vectors/meaning.json")).unwrap()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

fn numbers(value: &Value) -> Vec<u8> {
    list(value)
        .iter()
        .map(|number| number.as_u64().unwrap() as u8)
        .collect()
}

fn sold(vector: &Value) -> TicketSold {
    let lines = list(&vector["conditioning"]).iter();
    let selection = SelectionRecord {
        game: "keno".to_owned(),
        kind: vector["kind"].as_u64().unwrap() as u8,
        quick_pick: false,
        groups: list(&vector["groups"]).iter().map(numbers).collect(),
        kings: numbers(&vector["kings"]),
        conditioning: lines
            .map(|line| ConditioningRecord {
                ways: line["ways"].as_u64().unwrap() as u32,
                spots: line["spots"].as_u64().unwrap() as u8,
                wager_cents: line["wager_cents"].as_i64().unwrap(),
            })
            .collect(),
    };
    let mut body = crate::support::ticket(&mut Log::new(Fault::None), (1, 1), vec![selection]);
    body.per_draw_cents = vector["per_draw_cents"].as_i64().unwrap();
    body.total_cents = body.per_draw_cents;
    body
}

/// What stands in the book between `[counter]` and `[[game]]` is each of these in turn.
#[test]
fn what_a_counter_offers_is_judged_as_the_document_says() {
    let vectors = vectors();
    let (start, end) = (
        BOOK.find("[counter]").unwrap(),
        BOOK.find("[[game]]").unwrap(),
    );
    let without = format!("{}{}", &BOOK[..start], &BOOK[end..]);
    let mut refused = 0;
    for vector in list(&vectors["counters"]) {
        let text = vector["text"].as_str().unwrap();
        // A key of the root stands before every table.
        let before = if text.starts_with("counter = ") {
            "format = 3"
        } else {
            "[[game]]"
        };
        let read = RuleBook::parse(&without.replacen(before, &format!("{text}{before}"), 1));
        assert_eq!(
            read.is_ok(),
            vector["holds"].as_bool().unwrap(),
            "{vector}: {read:?}"
        );
        refused += usize::from(read.is_err());
    }
    assert_eq!(refused, 23);
}

#[test]
fn selections_have_these_ways_prices_and_prizes() {
    let vectors = vectors();
    let drawn: u128 = numbers(&vectors["drawn"])
        .iter()
        .map(|number| 1 << (number - 1))
        .sum();
    for vector in list(&vectors["selections"]) {
        let king_alone = format!("king_alone = {}", vector["king_alone"]);
        let text = BOOK.replace("king_alone = true", &king_alone);
        let rules = RuleBook::parse(&text).unwrap();
        let body = sold(vector);
        let wagers = ticket::judge(&body, &rules).unwrap();
        let mut found = Vec::new();
        wagers.prizes(&rules, drawn, &mut found);
        let mut expected: Vec<i64> = list(&vector["conditioning"])
            .iter()
            .flat_map(|line| list(&line["prizes"]))
            .map(|prize| prize["prize_cents"].as_i64().unwrap())
            .filter(|prize| *prize > 0)
            .collect();
        let mut found: Vec<i64> = found
            .iter()
            .flat_map(|(prize, ways)| vec![*prize; *ways as usize])
            .collect();
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, expected, "{vector}");
        assert_eq!(json!(found.iter().sum::<i64>()), vector["won_cents"]);
        // One way more or less is not what the groups and kings make.
        for step in [1, u32::MAX] {
            let mut other = body.clone();
            let line = &mut other.selections[0].conditioning[0];
            line.ways = line.ways.wrapping_add(step);
            let (code, _) = ticket::judge(&other, &rules).unwrap_err();
            assert_eq!(code, FindingCode::TicketWays);
        }
    }
}

#[test]
fn settlements_come_out_to_the_cent_with_their_roots() {
    for vector in list(&vectors()["settlements"]) {
        let mut prizes = Vec::new();
        for ticket in list(&vector["tickets"]) {
            for prize in list(&ticket[1]) {
                prizes.push((ticket[0].as_u64().unwrap(), prize.as_i64().unwrap(), 1));
            }
        }
        let cap = Cap {
            cap_cents: vector["cap_cents"].as_i64().unwrap(),
            full_below_cents: vector["full_below_cents"].as_i64().unwrap(),
        };
        let found = settle(&cap, &prizes).unwrap();
        let payable: Vec<[i64; 2]> = found
            .payable
            .iter()
            .map(|(ticket, cents)| [*ticket as i64, *cents])
            .collect();
        let listed: Vec<Value> = list(&vector["prize_list"])
            .iter()
            .map(|line| json!([line[0], line[2]]))
            .collect();
        assert_eq!(json!(payable), json!(listed));
        let root: String = found
            .prize_root
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let figures = json!({
            "small_cents": found.factors.small_cents,
            "large_cents": found.factors.large_cents,
            "small_factor": found.factors.small,
            "large_factor": found.factors.large,
            "winners": found.winners,
            "payable_cents": found.payable_cents,
            "breakage_cents": found.breakage_cents,
            "prize_root": root,
        });
        for (name, figure) in figures.as_object().unwrap() {
            assert_eq!(figure, &vector[name], "{name}: {}", vector["why"]);
        }
    }
}

#[test]
fn least_returns_are_those_of_the_document() {
    let head = &BOOK[..BOOK.find("[counter]").unwrap()];
    let set = |text: &str, key: &str, value: &Value| {
        let lines = text.lines().map(|line| match line.split_once(" = ") {
            Some((found, _)) if found == key => format!("{key} = {value}\n"),
            _ => format!("{line}\n"),
        });
        lines.collect::<String>()
    };
    for vector in list(&vectors()["judged"]) {
        let mut text = head.to_owned();
        text = set(&text, "per_draw", &vector["cap"]);
        text = set(&text, "full_below", &vector["full_below"]);
        text = set(&text, "selections", &vector["selections"]);
        let spots = &vector["spots"];
        for (at, game) in list(&vector["games"]).iter().enumerate() {
            text += &format!("[[game]]\ncode = \"game-{at}\"\nking_alone = false\n");
            text += "name = { fr = \"Jeu\", en = \"Game\" }\n";
            text += &format!("straight = {{ min = {spots}, max = {spots} }}\n[game.wager]\n");
            for (key, value) in game["wager"].as_object().unwrap() {
                text += &format!("{key} = {value}\n");
            }
            let pays = game["pays"].as_object().unwrap().iter();
            let pays: Vec<String> = pays
                .map(|(catch, pays)| format!("{catch} = {pays}"))
                .collect();
            text += &format!("[game.pays]\n{spots} = {{ {} }}\n", pays.join(", "));
        }
        let found: Vec<Value> = returns(&RuleBook::parse(&text).unwrap())
            .unwrap()
            .iter()
            .map(|line| {
                let how = match line.carried {
                    Carried::Alone => "alone",
                    Carried::Ticket(_) => "ticket",
                    Carried::UpTo { .. } => "bound",
                };
                assert_eq!(json!(how), vector["how"]);
                let game: usize = line.game.strip_prefix("game-").unwrap().parse().unwrap();
                let rate = format!("{}/{}", line.rate.numerator, line.rate.denominator);
                json!([game, line.wager_cents, rate])
            })
            .collect();
        assert_eq!(json!(found), vector["lines"], "{}", vector["why"]);
    }
}

#[test]
fn cash_and_days_are_those_of_the_document() {
    let vectors = vectors();
    for pair in list(&vectors["cash_rounding"]) {
        assert_eq!(json!(cash_rounding(pair[0].as_i64().unwrap())), pair[1]);
    }
    for vector in list(&vectors["days"]) {
        let calendar = Calendar::of(vector["zone"].as_str().unwrap()).unwrap();
        let at_ms = vector["draws_at_ms"].as_i64().unwrap();
        let days = vector["days"].as_u64().unwrap() as u16;
        assert_eq!(json!(calendar.day(at_ms)), vector["business_day"]);
        let claim_by = calendar.day_after(at_ms, days);
        assert_eq!(json!(claim_by), vector["claim_by"], "{vector}");
    }
}

/// The facts of the till's vector as a log: draw 1 is void and refunds, draw 2 is on sale.
fn till_log(expected_cents: i64) -> Log {
    let mut log = Log::new(Fault::None);
    let log_key = log.verifier_key();
    log.push(
        "house",
        HouseOpened {
            house: HOUSE.to_owned(),
            name: "Maison d'essai".to_owned(),
            zone: "America/Toronto".to_owned(),
            log_key,
            first_draw: 1,
        },
    );
    staff(&mut log);
    let mut rules = book(1, 1);
    // Wagers to the cent, so that there is something to round.
    rules.text = rules.text.replace("step = \"0.50\"", "step = \"0.01\"");
    rules.hash = sha256(rules.text.as_bytes());
    log.push("book", rules);
    let badge = || "C142".to_owned();
    log.push(
        "session",
        SessionOpened {
            session: 1,
            device: 7,
            badge: badge(),
            token_hash: [1; 32],
        },
    );
    log.push(
        "shift",
        ShiftOpened {
            shift: 1,
            device: 7,
            badge: badge(),
            float_cents: 50_000,
        },
    );
    for (draw, secret) in [(1, SECRETS[0]), (2, SECRETS[1])] {
        log.push(
            "schedule",
            DrawScheduled {
                draw,
                closes_at_ms: FIRST_DAY_MS,
                draws_at_ms: FIRST_DAY_MS,
                source: 1,
                holders: vec!["machine".to_owned()],
                pool_size: 80,
                drawn: 20,
                cap_cents: CAP_CENTS,
                full_below_cents: FULL_BELOW_CENTS,
            },
        );
        let commitment = crate::support::commitment(draw, &secret);
        log.push(
            "commit",
            CommitmentRecorded {
                draw,
                position: 0,
                commitment,
            },
        );
        log.push("open", DrawOpened { draw });
    }
    let sell = |log: &mut Log, draw, wagers: &[i64], tender| {
        let selections = (1..)
            .zip(wagers)
            .map(|(number, wager)| straight(&[number], *wager))
            .collect();
        let mut body = crate::support::ticket(log, (draw, draw), selections);
        body.tender = tender;
        log.push("sell", body)
    };
    let unpaid = sell(&mut log, 2, &[200, 200], 1);
    let coupon = sell(&mut log, 1, &[200, 50], 2);
    let cancel = sell(&mut log, 2, &[200, 100], 1);
    let refunded = sell(&mut log, 1, &[102], 1);
    let moved = |key: CommandKey, kind, amount_cents| TillMoved {
        shift: 1,
        key,
        content_hash: sha256(b"request"),
        kind,
        amount_cents,
        by: "C142".to_owned(),
        second: "S201".to_owned(),
    };
    let key = log.key();
    log.push("fill", moved(key, 1, 100_000));
    let body = cancelled(&mut log, cancel, 2, 300);
    log.push("cancel", body);
    let two = || ("S201".to_owned(), "S202".to_owned());
    let (by, second) = two();
    log.push(
        "unpaid",
        TicketUnpaid {
            first_draw: 2,
            ticket: unpaid,
            amount_cents: 400,
            on: 2,
            by,
            second,
        },
    );
    let (by, second) = two();
    log.push(
        "void",
        DrawVoided {
            draw: 1,
            reason: "essai".to_owned(),
            by,
            second,
            tickets: 2,
            refund_cents: 352,
        },
    );
    let mut body = crate::support::payment(&mut log, refunded, &[(1, 2, 102)]);
    body.rounding_cents = -2;
    let payment = log.push("pay", body.clone());
    let (second, _) = two();
    log.push(
        "reverse",
        PaymentReversed {
            payment,
            ticket: refunded,
            reason: "parti".to_owned(),
            by: badge(),
            second,
            shift: 1,
            cash_cents: 100,
        },
    );
    body.key = log.key();
    log.push("pay again", body);
    let mut body = crate::support::payment(&mut log, coupon, &[(1, 2, 250)]);
    body.tender = 2;
    log.push("refund", body);
    let key = log.key();
    log.push("drop", moved(key, 2, 20_000));
    log.push(
        "count",
        ShiftClosed {
            shift: 1,
            counted_cents: 0,
            expected_cents,
            by: badge(),
            second: None,
            coupons: 0,
            coupon_cents: 0,
            chips: 0,
            chip_cents: 0,
        },
    );
    log
}

#[test]
fn a_till_expects_what_the_document_adds_up() {
    let expected = vectors()["till"]["expected_cents"].as_i64().unwrap();
    let judged = |cents| {
        let export = till_log(cents).export();
        let outcome = verify(export.as_slice(), Outside::default(), Options::default());
        outcome.unwrap().findings
    };
    assert_eq!(judged(expected), []);
    assert_eq!(judged(expected + 2)[0].name(), "till_expected");
}

/// A log under the demonstration book in which a lost ticket of so many cents is refunded.
fn lost_log(amount_cents: i64) -> Log {
    let mut log = Log::new(Fault::None);
    let house = HouseOpened {
        house: HOUSE.to_owned(),
        name: HOUSE.to_owned(),
        zone: "America/Toronto".to_owned(),
        log_key: log.verifier_key(),
        first_draw: 1,
    };
    log.push("house", house);
    staff(&mut log);
    let body = RuleBookPublished {
        hash: sha256(BOOK.as_bytes()),
        text: BOOK.to_owned(),
        ..book(1, 1)
    };
    log.push("book", body);
    let (continues_size, continues_root) = (log.size(), log.edge.root());
    log.push(
        "epoch",
        EpochOpened {
            epoch: 2,
            continues_size,
            continues_root,
            lost_size: continues_size + 1,
            lost_root: [9; 32],
            next_draw: 1,
            next_session: 1,
            next_shift: 1,
            reason: "disque perdu".to_owned(),
            by: "S201".to_owned(),
            second: "S202".to_owned(),
        },
    );
    let badge = || "C142".to_owned();
    log.push(
        "session",
        SessionOpened {
            session: 1,
            device: 7,
            badge: badge(),
            token_hash: [1; 32],
        },
    );
    log.push(
        "shift",
        ShiftOpened {
            shift: 1,
            device: 7,
            badge: badge(),
            float_cents: 0,
        },
    );
    let key = log.key();
    log.push(
        "refund",
        LostTicketRefunded {
            key,
            content_hash: [0; 32],
            sold_epoch: 1,
            lost_leaf: 1_000,
            amount_cents,
            tender: 1,
            reason: "prix lu".to_owned(),
            badge: badge(),
            second: "S201".to_owned(),
            shift: 1,
        },
    );
    log
}

#[test]
fn a_lost_ticket_costs_at_most_what_the_document_says() {
    let most: i64 = vectors()["lost_ticket"]["most_cents"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    let judged = |cents| {
        let log = lost_log(cents);
        let (size, root) = (log.size(), log.edge.root());
        let checkpoint = keno_log::checkpoint::Checkpoint::new("boulier/essai/2", size, root);
        let export = log.export_with(&log.sign(&checkpoint));
        let outcome = verify(export.as_slice(), Outside::default(), Options::default());
        let findings = outcome.unwrap().findings;
        findings.first().map(|it| it.name())
    };
    assert_eq!(judged(most), None);
    assert_eq!(judged(most + 1), Some("lost_ticket_amount"));
}

/// The list of findings in `RULES.md`, one line each.
fn documented(document: &str) -> Vec<&str> {
    let (_, section) = document
        .split_once("\n## What the entries must keep\n")
        .unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let mut names = Vec::new();
    for line in section.lines().filter_map(|line| line.strip_prefix("- ")) {
        let (head, _) = line.split_once(':').unwrap();
        names.extend(head.split(", ").map(|name| name.trim_matches('`')));
    }
    names.sort_unstable();
    names
}

#[test]
fn the_document_lists_every_finding_and_no_other() {
    let document = include_str!("../../log/RULES.md");
    let mut names: Vec<&str> = FindingCode::ALL.iter().map(|code| code.name()).collect();
    names.sort_unstable();
    assert_eq!(documented(document), names);
    let fewer = document.replacen("- `seal_wrong`", "- `seal_bad`", 1);
    assert_ne!(documented(&fewer), names);
}
