//! A sale in doubt is put aside with its money, and what becomes of it then: it is asked about by
//! itself, and nothing is given back twice.

use keno_house_tests::agent::{AtWork, How, stages_of};
use keno_house_tests::counter::Counter;
use keno_house_tests::house::{House, refusal};
use keno_house_tests::line::Lost;
use keno_house_tests::paper::text;
use serde_json::json;

use crate::{papers_agree, straight};

const SALES: &str = "/api/v1/sales";

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
