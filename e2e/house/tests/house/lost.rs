//! A patron with a ticket that a restore lost, at the counter: its price goes back once, whatever
//! is lost on the way, with a paper that two people sign.

use keno_house_tests::agent::AtWork;
use keno_house_tests::counter::{Counter, Done, Kind};
use keno_house_tests::house::{FLOAT_CENTS, House, pin_of, refusal, second};
use keno_house_tests::line::Lost;
use keno_house_tests::paper::text;
use keno_log::Event;
use keno_terminal::agent::LostTicket;
use keno_terminal::config::Language;
use keno_terminal::exit::Exit;
use keno_wire::request::SecondPerson;
use serde_json::json;

use crate::straight;

const LOST_REFUNDS: &str = "/api/v1/lost-refunds";

/// A house that lost what its first counter sold after the backup, and the codes of those papers.
fn after_a_restore() -> (House, String, Vec<String>) {
    let mut house = House::new();
    let before = Counter::open(&house);
    let kept = before.sells(&straight(&[7, 18], 200, 1));
    house.stop();
    let copy = house.copied();
    house.start();
    before.line.mend(house.address());
    let lost = (1..=3)
        .map(|number| before.sells(&straight(&[number, 40], 250, 2)))
        .collect();
    house.goes_on_from(&copy);
    (house, kept, lost)
}

/// A counter that has seen nothing of what was lost.
fn counter(house: &House) -> Counter {
    Counter::open_as(
        house,
        Kind {
            device: 2,
            language: Language::Fr,
            columns: 48,
        },
    )
}

fn refund(counter: &Counter, code: &str, cents: &str, badge: &str) -> Done {
    let pin = pin_of(badge);
    counter.keno(&[
        "refund-lost",
        code,
        "--amount-cents",
        cents,
        "--reason",
        "prix lu sur le papier",
        "--second",
        badge,
        "--second-pin",
        &pin,
    ])
}

/// What was given back, as the record says it.
fn refunded(house: &House) -> Vec<i64> {
    let events = house.events().into_iter();
    events
        .filter_map(|event| match event {
            Event::LostTicketRefunded(body) => Some(body.amount_cents),
            _ => None,
        })
        .collect()
}

#[test]
fn the_price_of_a_lost_ticket_goes_back_once() {
    let (house, kept, lost) = after_a_restore();
    let counter = counter(&house);
    // Whoever is not lost is not refunded here, and nothing is sent.
    refund(&counter, &kept, "200", "S1")
        .ended(Exit::Refused)
        .said(&["Rien n’a été remboursé.", "Nothing was refunded."]);
    assert_eq!(counter.commands(), 0);
    refund(&counter, &lost[0], "500", "C1")
        .ended(Exit::Refused)
        .said(&["(badge_or_pin_wrong)"]);
    refund(&counter, &lost[0], "0", "S1")
        .ended(Exit::Refused)
        .said(&["(amount_invalid)"]);
    assert_eq!((refunded(&house), counter.papers().len()), (Vec::new(), 0));

    refund(&counter, &lost[0], "500", "S1")
        .ended(Exit::Done)
        .said(&[
            "dont l’inscription est perdue",
            "Billet perdu, remboursé : rendez 5,00 $ et gardez le papier.",
            "Lost ticket, refunded: give $5.00 back and keep the paper.",
        ]);
    let paper = text(&counter.newest_paper());
    for words in [
        "BILLET PERDU, REMBOURSÉ Lost ticket, refunded",
        "REMBOURSÉ, comptant 5,00 $",
        "Motif / Reason: prix lu sur le papier",
        "C2 ____",
        "S1 ____",
    ] {
        assert!(paper.contains(words), "{words}: {paper}");
    }
    assert_eq!(house.verdict(&lost[0]), "lost_refunded");
    refund(&counter, &lost[0], "500", "S1")
        .ended(Exit::Refused)
        .said(&["remboursé le 2026-11-20", "(lost_refunded)"]);
    assert_eq!(refunded(&house), [500]);
    // The journal has neither the code nor a PIN.
    let journal = counter.journal_text();
    assert!(!journal.contains(&lost[0]) && !journal.contains(&pin_of("S1")));
    counter
        .keno(&["close-till", &(FLOAT_CENTS - 500).to_string()])
        .ended(Exit::Done)
        .said(&["Juste", "Even"]);
    assert_eq!(counter.open_items(), []);
    let outcome = house.verified(None);
    assert!(outcome.holds(), "{:?}", outcome.findings.first());
    assert_eq!(outcome.replay.totals().lost_refunded_cents, 500);
}

/// One request or its answer is lost, the wire is cut, central stops after its commit.
#[test]
fn a_refund_in_doubt_is_given_back_once_or_not_at_all() {
    let (mut house, _, lost) = after_a_restore();
    let counter = counter(&house);
    let refund = |counter: &Counter, code: &str| {
        let ticket = LostTicket {
            code: code.to_owned(),
            amount_cents: 500,
            tender: "cash".into(),
            reason: "prix lu sur le papier".to_owned(),
            second: SecondPerson {
                badge: "S1".to_owned(),
                pin: pin_of("S1"),
                ..SecondPerson::default()
            },
        };
        counter.agent("", |agent| agent.refund_lost(ticket))
    };
    // The answer is lost: it is asked for.
    counter.line.lose(LOST_REFUNDS, Lost::Answer);
    refund(&counter, &lost[0])
        .ended(Exit::Done)
        .said(&["give $5.00 back"]);
    assert_eq!(refunded(&house), [500]);

    // The request is lost: its key is closed, and a late copy of it is refused.
    counter.line.carried();
    counter.line.lose(LOST_REFUNDS, Lost::Request);
    refund(&counter, &lost[1])
        .ended(Exit::Refused)
        .said(&["ne remettez rien", "hand over nothing"]);
    let carried = counter.line.carried();
    let late = carried
        .iter()
        .find(|one| one.request.path() == LOST_REFUNDS)
        .unwrap();
    assert_eq!(refusal(&late.request.ask(house.address())), "key_closed");
    assert_eq!(refunded(&house), [500]);
    assert_eq!(house.verdict(&lost[1]), "record_lost");

    // Central stops after its commit, with the answer unsaid: nothing new before it is known.
    counter.line.lose_and_cut(LOST_REFUNDS, Lost::Answer);
    refund(&counter, &lost[1]).ended(Exit::InDoubt);
    house.stop();
    house.start();
    refund(&counter, &lost[2])
        .ended(Exit::InDoubt)
        .said(&["To be resolved first"]);
    counter.line.mend(house.address());
    counter.agent_status("").ended(Exit::Done).said(&[
        "Central had recorded it.",
        "rendez 5,00 $ et gardez le papier",
    ]);
    assert_eq!(refunded(&house), [500, 500]);
    refund(&counter, &lost[1])
        .ended(Exit::Refused)
        .said(&["(lost_refunded)"]);
    assert_eq!(house.verdict(&lost[2]), "record_lost");
    let papers = counter.papers();
    assert_eq!(papers.len(), 2, "each refund has one paper");
    for paper in &papers {
        let words = text(paper);
        assert!(
            words.contains("REMBOURSÉ") && !words.contains("REPRINT"),
            "{words}"
        );
    }
    assert_eq!(counter.open_items(), []);
    assert!(house.verified(None).holds());
}

#[test]
fn at_the_page_of_the_agent() {
    let (house, kept, lost) = after_a_restore();
    let counter = counter(&house);
    let agent = AtWork::start(&house, &counter);
    agent.until_central("trusted");
    let asked = |code: &str| {
        json!({
            "code": code, "amount_cents": 500, "tender": "cash",
            "reason": "prix lu sur le papier", "second": second("S1"),
        })
    };
    agent
        .does("lost-refunds", &asked(&kept))
        .ended("refused")
        .said(&["Nothing was refunded."]);
    agent
        .does("lost-refunds", &asked(&lost[0]))
        .ended("done")
        .said(&["give $5.00 back"]);
    agent
        .does("lost-refunds", &asked(&lost[0]))
        .ended("refused")
        .said(&["Nothing was refunded."]);
    // Put aside with its paper, and told once it is known.
    counter.line.lose_and_cut(LOST_REFUNDS, Lost::Answer);
    agent
        .does("lost-refunds", &asked(&lost[1]))
        .ended("in_doubt");
    let state = agent.until_open(&["asking"]);
    let key = state["open"][0]["key"].clone();
    agent.does("park", &json!({ "key": key })).ended("done");
    assert!(text(&counter.newest_paper()).contains("In doubt: Refund of a lost ticket"));
    counter.line.mend(house.address());
    let state = agent.until_open(&["to_hand_over"]);
    assert_eq!(state["open"][0]["kind"], "lost_refund");
    agent
        .does("acknowledge", &json!({"key": state["open"][0]["key"]}))
        .ended("done");
    agent.until_open(&[]);
    assert_eq!(refunded(&house), [500, 500]);
    // The counter's screen asks for it.
    let page = agent.ask("GET", "/shift.js", &[], &json!(null));
    let page = String::from_utf8(page.body).unwrap();
    assert!(page.contains("\"lost-refunds\""));
}
