//! The long-lived agent: it starts without central and says so, sees its absence and its return,
//! and prints once what was asked for again.

use std::time::Duration;

use keno_house_tests::agent::{AtWork, How};
use keno_house_tests::counter::{Counter, Kind};
use keno_house_tests::house::{House, pin_of};
use keno_house_tests::line::{Carried, Lost};
use keno_house_tests::paper::text;
use keno_terminal::config::{Language, Role};
use keno_terminal::virtual_printer::Fault;
use serde_json::json;

use crate::{papers_agree, straight, sure_win, tickets};

const SALES: &str = "/api/v1/sales";
const PRICES: &str = "/api/v1/prices";
const PAYMENTS: &str = "/api/v1/payments";
const CANCELLATIONS: &str = "/api/v1/cancellations";
const TIME: &str = "/api/v1/time";

#[test]
fn a_shift_at_a_page() {
    let house = House::new();
    let counter = Counter::open(&house);
    let agent = AtWork::start(&house, &counter);
    agent.sells(&sure_win(50, 1)).ended("done").said(&["N° "]);
    agent.until_open(&[]);
    // The page knows the total, and central sells at no other: it is asked once.
    let asked = counter.line.carried();
    let asked = |path: &str| {
        asked
            .iter()
            .filter(|one| one.request.path() == path)
            .count()
    };
    assert_eq!((asked(PRICES), asked(SALES)), (0, 1));
    papers_agree(&house, &counter, 1);
    let code = tickets(&counter)[0].qr_payloads()[0].to_owned();
    // A price that changed is not sold, a prize that was not told is not paid.
    let slip: serde_json::Value = serde_json::from_str(&straight(&[7], 200, 1)).unwrap();
    agent
        .does("sales", &json!({"slip": slip, "total_cents": 199}))
        .ended("refused")
        .said(&["n’est pas celle qui a été dite"]);
    house.until_settled(house.next_draw());
    let checked = agent.does("checks", &json!({"code": code})).ended("done");
    assert_eq!(checked.reply["fact"]["check"]["payable_cents"], 3_000);
    agent
        .does("payments", &json!({"code": code, "total_cents": 2_999}))
        .ended("refused")
        .said(&["n’est plus celui qui a été dit"]);
    agent
        .does("payments", &json!({"code": code, "total_cents": 3_000}))
        .ended("done")
        .said(&["Hand over $30.00."]);
    assert!(text(&counter.newest_paper()).contains("REÇU DE PAIEMENT DE LOT"));
    agent.does("sign-off", &json!({})).ended("done");
    assert!(agent.state()["badge"].is_null());
    agent
        .does("checks", &json!({"code": code}))
        .ended("refused");
    agent
        .does("sign-on", &json!({"badge": "C1", "pin": pin_of("C1")}))
        .ended("done");
    assert_eq!(agent.state()["badge"], "C1");
    papers_agree(&house, &counter, 1);
}

#[test]
fn it_starts_without_central_and_shows_what_it_last_heard() {
    let mut house = House::new();
    let counter = Counter::open(&house);
    let agent = AtWork::start(&house, &counter);
    house.until_settled(house.next_draw());
    agent.until(|state| !state["next_draw"].is_null());
    agent.stop();
    house.stop();
    counter.line.cut();
    let agent = AtWork::start_as(&house, &counter, How::default());
    let state = agent.state();
    assert_eq!(state["central"]["state"], "away");
    assert!(!state["next_draw"].is_null() && state["draws_at_ms"].is_i64());
    assert_eq!(state["badge"], "C1");
    let page = agent.ask("GET", "/", &[], &json!(null));
    assert_eq!(page.status, 200);
    assert!(
        String::from_utf8(page.body)
            .unwrap()
            .contains("<html lang=\"fr-CA\">")
    );
    agent
        .does(
            "sales",
            &json!({"slip": {"selections": [], "draws": 1}, "total_cents": 1}),
        )
        .refused("central_away")
        .said(&["Le central ne répond pas", "Central does not answer"]);
    agent.stop();
    assert_eq!(counter.commands(), 0);
    // And goes on by itself when central is there.
    let agent = AtWork::start_as(&house, &counter, How::default());
    house.start();
    counter.line.mend(house.address());
    agent.until_central("trusted");
    agent.sells(&straight(&[7, 18], 200, 2)).ended("done");
    papers_agree(&house, &counter, 1);
}

#[test]
fn a_central_that_answers_nothing_more_is_seen_and_its_return_too() {
    let house = House::new();
    let counter = Counter::open(&house);
    let how = How {
        patience: Duration::from_millis(500),
        ..How::default()
    };
    let agent = AtWork::start_as(&house, &counter, how);
    for _ in 0..2 {
        agent.until_central("trusted");
        counter.line.freeze();
        agent.until_central("away");
        counter.line.thaw();
    }
    agent.until_central("trusted");
}

/// A packet that must be sent again takes as long as an answer may: who pays meanwhile must not be
/// told that central is away.
#[test]
fn one_answer_that_is_lost_is_no_absence() {
    let house = House::new();
    let counter = Counter::open(&house);
    let agent = AtWork::start(&house, &counter);
    let mut since_ms = 0;
    for what in [Lost::Answer, Lost::Request].repeat(3) {
        let mut has_come = |so: &dyn Fn() -> bool| {
            for _ in 0..100_000 {
                let central = &agent.state()["central"];
                assert_eq!(central["state"], "trusted");
                // It stands so since the beginning, and was not away between two looks.
                let now_ms = central["since_ms"].as_u64().unwrap();
                assert!(now_ms >= since_ms, "away {now_ms} ms ago");
                since_ms = now_ms;
                if so() {
                    return;
                }
            }
            panic!("the agent asks no more");
        };
        counter.line.lose(TIME, what);
        has_come(&|| counter.line.has_lost());
        counter.line.carried();
        let is_heard =
            |carried: Carried| carried.request.path() == TIME && carried.status == Some(200);
        has_come(&|| counter.line.carried().into_iter().any(is_heard));
    }
    // Two in a row are an absence, until it is heard again.
    counter.line.deafen(TIME);
    agent.until_central("away");
    counter.line.hear_all();
    agent.until_central("trusted");
}

#[test]
fn every_money_command_whose_answer_is_lost_is_asked_for_and_printed_once() {
    let house = House::new();
    let counter = Counter::open(&house);
    let agent = AtWork::start(&house, &counter);
    counter.line.lose(SALES, Lost::Answer);
    agent
        .sells(&sure_win(50, 1))
        .ended("done")
        .said(&["Central had recorded it."]);
    let won = tickets(&counter)[0].qr_payloads()[0].to_owned();
    agent.sells(&straight(&[7, 18], 200, 3)).ended("done");
    let undone = tickets(&counter)[1].qr_payloads()[0].to_owned();
    counter.line.lose(CANCELLATIONS, Lost::Answer);
    agent
        .does(
            "cancellations",
            &json!({"code": undone, "reason": "changed_mind"}),
        )
        .ended("done")
        .said(&["Central had recorded it."]);
    assert!(text(&counter.newest_paper()).contains("REÇU D’ANNULATION"));
    house.until_settled(house.next_draw());
    counter.line.lose(PAYMENTS, Lost::Answer);
    agent
        .does("payments", &json!({"code": won, "total_cents": 3_000}))
        .ended("done")
        .said(&["Hand over $30.00."]);
    agent.until_open(&[]);
    papers_agree(&house, &counter, 2);
}

#[test]
fn a_printer_that_cannot_say_is_asked_of_the_clerk() {
    let house = House::new();
    let mut counter = Counter::open(&house);
    counter.printer_patience = Duration::from_millis(50);
    counter.new_printer(Some(Fault::Silent));
    let agent = AtWork::start(&house, &counter);
    agent
        .sells(&straight(&[7, 18], 200, 2))
        .ended("printer_trouble");
    let state = agent.until_open(&["paper_in_doubt"]);
    // Killed or stopped, the question comes first.
    agent.stop();
    let agent = AtWork::start(&house, &counter);
    agent.sells(&straight(&[1], 50, 1)).ended("printer_trouble");
    assert_eq!(house.tickets(), 1);
    let key = state["open"][0]["key"].clone();
    agent
        .does("paper", &json!({"key": key, "whole": true}))
        .ended("done");
    agent.until_open(&[]);
    papers_agree(&house, &counter, 1);
}

#[test]
fn a_kiosk_tells_and_moves_nothing_and_a_display_only_shows() {
    let house = House::new();
    let counter = Counter::open(&house);
    let code = counter.sells(&straight(&[7, 18], 200, 2));
    let kind = Kind {
        device: 2,
        language: Language::Fr,
        columns: 48,
    };
    let other = Counter::open_as(&house, kind);
    let commands = [
        (
            "sales",
            json!({"slip": {"selections": [], "draws": 1}, "total_cents": 1}),
        ),
        ("payments", json!({"code": code, "total_cents": 1})),
        ("cancellations", json!({"code": code, "reason": "other"})),
        ("sign-on", json!({"badge": "C2", "pin": pin_of("C2")})),
        ("park", json!({})),
    ];
    for role in [Role::Kiosk, Role::Display] {
        let how = How {
            role,
            ..How::default()
        };
        let agent = AtWork::start_as(&house, &other, how);
        agent.until_central("trusted");
        for (command, body) in &commands {
            let said = agent.does(command, body);
            assert_eq!(
                (said.status, &said.reply["name"]),
                (404, &json!("path_unknown"))
            );
        }
        let checked = agent.does("checks", &json!({"code": code}));
        match role {
            Role::Kiosk => {
                checked.ended("done").said(&["not_yet_drawn"]);
            }
            _ => {
                checked.refused("path_unknown");
            }
        }
        assert_eq!(agent.state()["role"], serde_json::to_value(role).unwrap());
    }
}

#[test]
fn a_page_elsewhere_asks_in_vain() {
    let house = House::new();
    let counter = Counter::open(&house);
    let agent = AtWork::start(&house, &counter);
    // What varies in an address and is none of it, and a request that is none: in both languages.
    let headers = [("boulier-page", "1")];
    for (method, path, body, words) in [
        (
            "GET",
            "/agent/approvals/none",
            json!(null),
            ["Adresse inconnue.", "Unknown address."],
        ),
        (
            "POST",
            "/agent/park",
            json!({"key": 7}),
            ["ne peut pas être lue", "cannot be read"],
        ),
    ] {
        let answer = agent.ask(method, path, &headers, &body);
        let said = String::from_utf8(answer.body).unwrap();
        assert!(words.iter().all(|one| said.contains(one)), "{path}: {said}");
    }
    let no_header = agent.ask("POST", "/agent/park", &[], &json!({}));
    assert_eq!(
        (no_header.status, refusal_name(&no_header.body)),
        (403, "page_header_missing".to_owned())
    );
    // A page whose name was made to point here may say what it likes of the way it came.
    let foreign = keno_house_tests::http::Request {
        head: "POST /agent/park HTTP/1.1\r\nhost: evil.example\r\nx-forwarded-host: localhost\r\n\
               forwarded: host=localhost\r\nboulier-page: 1\r\ncontent-type: application/json\r\n\
               content-length: 2\r\n"
            .to_owned(),
        body: b"{}".to_vec(),
    };
    let answer = agent.sends(&foreign);
    assert_eq!(
        (answer.status, refusal_name(&answer.body)),
        (421, "host_unknown".to_owned())
    );
    let unreadable = agent.does("sales", &json!({"slip": 7}));
    assert_eq!(
        (unreadable.status, &unreadable.reply["name"]),
        (400, &json!("request_unreadable"))
    );
    let mut settings = counter.settings();
    settings.listen = ([0, 0, 0, 0], 0).into();
    let refused =
        keno_terminal::serve::start(&settings, &keno_terminal::serve::Surroundings::default());
    assert!(refused.is_err_and(|error| error.to_string().contains("for this one alone")));
}

fn refusal_name(body: &[u8]) -> String {
    let reply: serde_json::Value = serde_json::from_slice(body).unwrap();
    reply["name"].as_str().unwrap().to_owned()
}
