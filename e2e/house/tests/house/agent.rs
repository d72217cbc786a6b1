//! The long-lived agent: it starts without central and says so, sees its absence and its return,
//! refuses a log that was rewritten, and loses no command in doubt.

use std::time::Duration;

use keno_house_tests::agent::{AtWork, How, stages_of};
use keno_house_tests::counter::{Counter, Kind};
use keno_house_tests::house::{House, pin_of, refusal};
use keno_house_tests::line::{Carried, Lost};
use keno_house_tests::paper::text;
use keno_house_tests::secure::{Terminal, revoke};
use keno_terminal::config::{Language, Role};
use keno_terminal::exit::Exit;
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

/// The request is lost with the wire: the clerk puts it aside, the next patron is served once
/// central is back, and only then the envelope is opened: money back, by a key of its own.
#[test]
fn a_sale_in_doubt_is_put_aside_and_its_money_goes_back_after_its_key_is_closed() {
    for lost in [Lost::Request, Lost::Answer] {
        let house = House::new();
        let counter = Counter::open(&house);
        let agent = AtWork::start(&house, &counter);
        counter.line.lose_and_cut(SALES, lost);
        std::thread::scope(|scope| {
            let sale = scope.spawn(|| agent.sells(&straight(&[7, 18], 200, 2)));
            // While it is asked about, nothing else is taken; the clerk puts it aside.
            let state = agent.until(|state| state["busy"] == "asking");
            let key = state["asking"].clone();
            agent
                .does("acknowledge", &json!({"key": {"session": 1, "counter": 1}}))
                .refused("terminal_busy");
            agent
                .does("park", &json!({ "key": key, "money": "kept" }))
                .ended("done")
                .said(&["Mise de côté", "Put aside"]);
            sale.join().unwrap().ended("in_doubt");
        });
        let words = text(&counter.newest_paper());
        assert!(words.contains("EN SUSPENS") && words.contains("NON VALIDE COMME BILLET"));
        assert!(words.contains("ARGENT GARDÉ DANS L’ENVELOPPE"), "{words}");
        assert_eq!(stages_of(&agent.until_open(&["parked"])), ["parked"]);
        // A restart does not forget it.
        agent.stop();
        let agent = AtWork::start_as(&house, &counter, How::default());
        assert_eq!(stages_of(&agent.state()), ["parked"]);
        counter.line.mend(house.address());
        match lost {
            Lost::Answer => {
                // Its ticket comes out by itself, and waits for the clerk's own key.
                let state = agent.until_open(&["to_hand_over"]);
                assert_eq!(state["open"][0]["owed_cents"], 0);
                let key = state["open"][0]["key"].clone();
                agent.stop();
                let agent = AtWork::start(&house, &counter);
                assert_eq!(stages_of(&agent.state()), ["to_hand_over"]);
                agent
                    .does("acknowledge", &json!({"key": key}))
                    .ended("done");
                agent.until_open(&[]);
                papers_agree(&house, &counter, 1);
            }
            Lost::Request => {
                let state = agent.until_open(&["to_tell"]);
                assert_eq!(state["open"][0]["received_cents"], 400);
                let sale = counter.line.carried();
                let sale = sale.iter().find(|one| one.request.path() == SALES).unwrap();
                let late = refusal(&sale.request.ask(house.address()));
                assert_eq!(late, "key_closed");
                // It keeps nobody up, and stays until the clerk says that it is done.
                agent.sells(&straight(&[1], 50, 1)).ended("done");
                let key = state["open"][0]["key"].clone();
                agent
                    .does("acknowledge", &json!({"key": key}))
                    .ended("done");
                agent.until_open(&[]);
                agent
                    .does("acknowledge", &json!({"key": key}))
                    .ended("refused");
                papers_agree(&house, &counter, 1);
            }
        }
    }
}

#[test]
fn what_was_not_put_aside_is_given_back_before_anything_new() {
    let house = House::new();
    let counter = Counter::open(&house);
    let agent = AtWork::start(&house, &counter);
    counter.line.lose(SALES, Lost::Request);
    agent
        .sells(&straight(&[7, 18], 200, 2))
        .ended("in_doubt")
        .said(&["RENDEZ 4,00 $ au joueur"]);
    let state = agent.until_open(&["to_tell"]);
    agent
        .sells(&straight(&[1], 50, 1))
        .ended("in_doubt")
        .said(&["RENDEZ 4,00 $ au joueur"]);
    papers_agree(&house, &counter, 0);
    // Not even a restart makes the clerk's word superfluous.
    agent.stop();
    let agent = AtWork::start(&house, &counter);
    let key = state["open"][0]["key"].clone();
    assert_eq!(stages_of(&agent.state()), ["to_tell"]);
    agent
        .does("acknowledge", &json!({"key": key}))
        .ended("done");
    agent.sells(&straight(&[1], 50, 1)).ended("done");
    papers_agree(&house, &counter, 1);
}

/// Central is asked about a command that was not put aside before: those are asked about first.
pub(crate) fn asks_about_the_new(state: &serde_json::Value) -> bool {
    let open = state["open"].as_array().unwrap();
    let is_open = open.iter().any(|item| item["key"] == state["asking"]);
    state["busy"] == "asking" && !is_open
}

/// The player goes with the money back. Whatever became of the sale, nobody gets its ticket, and
/// nothing is given back a second time: also where the agent dies between the steps.
#[test]
fn a_sale_whose_money_was_given_back_is_cancelled_once_it_is_known() {
    for lost in [Lost::Request, Lost::Answer] {
        let house = House::new();
        let counter = Counter::open(&house);
        let agent = AtWork::start(&house, &counter);
        counter.line.lose_and_cut(SALES, lost);
        let key = std::thread::scope(|scope| {
            let sale = scope.spawn(|| agent.sells(&straight(&[7, 18], 200, 2)));
            let key = agent.until(|state| state["busy"] == "asking")["asking"].clone();
            // Not before it is said what becomes of the money.
            agent
                .does("park", &json!({ "key": key }))
                .ended("refused")
                .said(&["ce que devient l’argent", "what becomes of the money"]);
            sale.join().unwrap().ended("in_doubt");
            assert_eq!(stages_of(&agent.until_open(&["asking"])), ["asking"]);
            let papers = counter.papers().len();
            agent
                .does("park", &json!({ "key": key, "money": "given_back" }))
                .ended("done")
                .said(&["RENDEZ 4,00", "GIVE $4.00 BACK"]);
            assert_eq!(counter.papers().len(), papers + 1);
            key
        });
        let words = text(&counter.newest_paper());
        assert!(words.contains("ARGENT RENDU AU JOUEUR") && words.contains("ni billet ni lot"));
        let state = agent.until_open(&["parked"]);
        assert_eq!(state["open"][0]["money"], "given_back");
        agent.stop();
        let agent = AtWork::start_as(&house, &counter, How::default());
        assert_eq!(agent.state()["open"][0]["money"], "given_back");
        counter.line.mend(house.address());
        let stage = match lost {
            Lost::Request => "to_tell",
            Lost::Answer => "to_hand_over",
        };
        let state = agent.until_open(&[stage]);
        assert_eq!(state["open"][0]["key"], key);
        if lost == Lost::Answer {
            // By itself: the ticket was cancelled, and only the paper of that came out.
            assert_eq!(state["open"][0]["owed_cents"], 0);
            assert!(text(&counter.newest_paper()).contains("REÇU D’ANNULATION"));
        }
        let codes = counter
            .papers()
            .iter()
            .map(|it| it.qr_payloads().len())
            .sum::<usize>();
        assert_eq!(codes, 0, "a paper of the ticket came out");
        agent
            .does("acknowledge", &json!({ "key": key }))
            .ended("done");
        agent.until_open(&[]);
        // The next patron is served, and the till agrees: in and out again.
        agent.sells(&straight(&[1], 50, 1)).ended("done");
        let outcome = house.verified(None);
        assert!(outcome.holds(), "{:?}", outcome.findings.first());
    }
}

/// A window that was opened before means a command that is no longer in doubt: what is asked about
/// now is neither put aside by it nor asked about any less.
#[test]
fn a_stale_window_puts_nothing_else_aside() {
    let house = House::new();
    let counter = Counter::open(&house);
    let agent = AtWork::start(&house, &counter);
    counter.line.deafen("/api/v1/keys/question");
    let mut stale = None;
    for count in 1..=2 {
        counter.line.lose(SALES, Lost::Request);
        std::thread::scope(|scope| {
            let sale = scope.spawn(|| agent.sells(&straight(&[count], 100, 1)));
            agent.until(|state| state["busy"] == "asking");
            let said = stale.take().map(|stale| {
                let window = &agent;
                scope.spawn(move || window.does("park", &json!({ "key": stale, "money": "kept" })))
            });
            let key = agent.until(asks_about_the_new)["asking"].clone();
            // It is asked about on and on.
            let before = agent.state()["asked"].as_u64();
            agent.until(|state| state["asked"].as_u64() > before);
            assert_eq!(agent.state()["asking"], key);
            agent
                .does("park", &json!({ "key": key, "money": "kept" }))
                .ended("done");
            if let Some(said) = said {
                said.join()
                    .unwrap()
                    .ended("done")
                    .said(&["It is put aside already"]);
            }
            sale.join().unwrap().ended("in_doubt");
            stale = Some(key);
        });
    }
    agent.until_open(&["parked", "parked"]);
    let never = json!({"key": {"session": 1, "counter": 99}});
    agent
        .does("park", &never)
        .ended("refused")
        .said(&["This command is no longer in doubt"]);
    assert_eq!(stages_of(&agent.state()), ["parked", "parked"]);
}

#[test]
fn three_are_put_aside_at_most_and_all_are_asked_about_by_themselves() {
    let house = House::new();
    let counter = Counter::open(&house);
    let agent = AtWork::start(&house, &counter);
    // Central is there, and questions about keys do not reach it.
    counter.line.deafen("/api/v1/keys/question");
    for count in 1..=4 {
        counter.line.lose(SALES, Lost::Request);
        std::thread::scope(|scope| {
            let sale = scope.spawn(|| agent.sells(&straight(&[count], 100, 1)));
            agent.until(|state| state["busy"] == "asking");
            if let Some(first) = agent.state()["open"].get(0).cloned() {
                // A clerk with a queue does not wait for what is put aside already.
                let window = &agent;
                scope.spawn(move || {
                    window.does("park", &json!({ "key": first["key"], "money": "kept" }))
                });
            }
            let state = agent.until(asks_about_the_new);
            let parked = agent.does("park", &json!({ "key": state["asking"], "money": "kept" }));
            if count <= 3 {
                parked.ended("done");
            } else {
                parked
                    .ended("refused")
                    .said(&["Three commands are put aside already"]);
            }
            sale.join().unwrap().ended("in_doubt");
        });
    }
    agent.until_open(&["parked", "parked", "parked", "asking"]);
    counter.line.hear_all();
    let state = agent.until_open(&["to_tell"; 4]);
    for item in state["open"].as_array().unwrap() {
        agent
            .does("acknowledge", &json!({"key": item["key"]}))
            .ended("done");
    }
    agent.sells(&straight(&[1], 50, 1)).ended("done");
    papers_agree(&house, &counter, 1);
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

#[test]
fn a_clock_that_is_far_from_centrals_stops_sales_and_nothing_else() {
    let house = House::new();
    let counter = Counter::open(&house);
    let code = counter.sells(&straight(&[7, 18], 200, 2));
    for (ahead_ms, state) in [(4_900, "trusted"), (5_200, "skewed"), (-5_200, "skewed")] {
        let agent = AtWork::start_as(
            &house,
            &counter,
            How {
                ahead_ms,
                ..How::default()
            },
        );
        agent.until_central(state);
        if state == "skewed" {
            agent
                .does(
                    "sales",
                    &json!({"slip": {"selections": [], "draws": 1}, "total_cents": 1}),
                )
                .refused("clock_skewed");
        }
        agent.does("checks", &json!({"code": code})).ended("done");
    }
    assert_eq!(counter.keno(&["status"]).exit, Exit::Done);
}

/// Someone sets central back to an older copy of its disk, without the anchors, and lets it sign
/// other sales: the device that saw the first ones refuses it, and says why.
#[test]
fn a_central_that_was_set_back_and_signs_again_is_refused() {
    for (mistrust, others) in [("shorter", 0), ("rewritten", 30)] {
        let mut house = House::new();
        let counter = Counter::open(&house);
        let agent = AtWork::start(&house, &counter);
        let stranger = Kind {
            device: 2,
            language: Language::Fr,
            columns: 48,
        };
        let other = Counter::open_as(&house, stranger);
        house.stop();
        let copy = house.copied();
        house.start();
        counter.line.mend(house.address());
        agent.until_central("trusted");
        agent.sells(&straight(&[7, 18], 200, 2)).ended("done");
        // The agent has seen a checkpoint with the sale in it.
        let size = house.log_size();
        agent.until(|state| state["central"]["log_size"].as_u64() > Some(size));
        counter.line.cut();
        house.stop();
        house.set_back(&copy);
        house.start();
        other.line.mend(house.address());
        // This one saw nothing of what was taken out.
        let unsuspecting = AtWork::start(&house, &other);
        for _ in 0..others {
            unsuspecting.sells(&straight(&[1], 50, 1)).ended("done");
        }
        counter.line.mend(house.address());
        let state = agent.until_central("refused");
        assert_eq!(state["central"]["mistrust"], mistrust);
        let tickets = house.tickets();
        for (command, body) in [
            (
                "sales",
                json!({"slip": {"selections": [], "draws": 1}, "total_cents": 1}),
            ),
            ("payments", json!({"code": "KT2", "total_cents": 1})),
            ("resolve", json!({})),
        ] {
            agent
                .does(command, &body)
                .refused("central_log_refused")
                .said(&["appelez le superviseur", "call the supervisor"]);
        }
        // A restart does not make it forget, nor does the command line pass it by.
        agent.stop();
        counter
            .sell(&counter.slip(&straight(&[1], 50, 1)))
            .ended(Exit::Refused)
            .said(&["central_log_refused", mistrust]);
        let agent = AtWork::start_as(&house, &counter, How::default());
        assert_eq!(agent.state()["central"]["mistrust"], mistrust);
        agent.stop();
        assert_eq!(house.tickets(), tickets);
        // Nor is it said to be well.
        counter
            .keno_typing("", &["status"])
            .ended(Exit::Refused)
            .said(&["son registre est refusé", "its log is refused"]);
        // People have looked.
        counter
            .keno_typing("0\n", &["begin-anew"])
            .ended(Exit::Refused);
        // Not by a clerk, nor with a PIN that is wrong, nor while central is away.
        let by = |badge: &str, pin: &str| {
            counter.keno_typing(&format!("1\n{pin}\n"), &["begin-anew", "--badge", badge])
        };
        for (badge, pin) in [("C1", pin_of("C1")), ("S1", pin_of("C1"))] {
            by(badge, &pin).ended(Exit::Refused).said(&[
                "(badge_or_pin_wrong)",
                "Rien n’a changé",
                "Nothing has changed",
            ]);
        }
        counter.line.cut();
        by("S1", &pin_of("S1"))
            .ended(Exit::CentralUnreachable)
            .said(&["Rien n’a changé", "give the command again"]);
        counter.line.mend(house.address());
        counter
            .keno_typing("", &["status"])
            .ended(Exit::Refused)
            .said(&["its log is refused"]);
        by("S1", &pin_of("S1"))
            .ended(Exit::Done)
            .said(&["central-log-1.json"]);
        counter.sells(&straight(&[1], 50, 1));
    }
}

/// Over TLS the agent is its certificate: it sells, a new key takes nothing from it, and once it
/// is revoked central is out of its reach.
#[test]
fn an_agent_over_tls_sells_until_it_is_revoked() {
    let house = House::new();
    let terminal = Terminal::enrolled(&house, 7);
    let patient = Duration::from_secs(60);
    let start = || {
        let settings = terminal.settings(house.secure());
        AtWork::on(&house, settings, patient, How::default()).unwrap()
    };
    let agent = start();
    agent.until_central("trusted");
    assert_eq!(agent.state()["device"], 7);
    agent
        .does(
            "sign-on",
            &json!({"badge": "C1", "pin": pin_of("C1"), "float_cents": 50_000}),
        )
        .ended("done");
    agent.sells(&straight(&[7, 18], 200, 2)).ended("done");
    agent.stop();
    assert_eq!(terminal.rotates(house.secure()), Exit::Done);
    let agent = start();
    agent.until_central("trusted");
    agent.sells(&straight(&[7, 18], 200, 2)).ended("done");
    assert_eq!(house.tickets(), 2);
    revoke(&house, 7);
    let state = agent.until_central("denied");
    assert_eq!(state["central"]["denial"], "device_revoked");
    let told = state["central"]["sentence"].to_string();
    assert!(
        told.contains("revoked") && told.contains("technicien"),
        "{told}"
    );
    let slip: serde_json::Value = serde_json::from_str(&straight(&[7], 200, 1)).unwrap();
    agent
        .does("sales", &json!({"slip": slip, "total_cents": 200}))
        .refused("device_revoked");
    assert_eq!(house.tickets(), 2);
    let nobody = keno_terminal::config::Config {
        trust: "nowhere".into(),
        ..terminal.settings(house.secure())
    };
    let started = AtWork::on(&house, nobody, patient, How::default());
    assert!(started.is_err_and(|error| error.contains("not enrolled")));
}

/// Another machine got the number: this one is unknown, which is another thing than revoked, and
/// something else is to be done about it.
#[test]
fn a_device_that_central_does_not_know_is_told_to_enrol() {
    let house = House::new();
    let terminal = Terminal::enrolled(&house, 7);
    let patient = Duration::from_secs(60);
    let settings = terminal.settings(house.secure());
    let agent = AtWork::on(&house, settings, patient, How::default()).unwrap();
    agent.until_central("trusted");
    let _other = Terminal::enrolled(&house, 7);
    let state = agent.until_central("denied");
    assert_eq!(state["central"]["denial"], "device_unknown");
    let told = state["central"]["sentence"].to_string();
    assert!(
        told.contains("inscrire") && told.contains("enrol"),
        "{told}"
    );
    let sign_on = json!({"badge": "C1", "pin": pin_of("C1")});
    agent.does("sign-on", &sign_on).refused("device_unknown");
}
