//! Doubt: a request or its answer is lost, the wire is cut, central stops. Never two tickets for
//! one wager, never a paper that central denies, and no cash back before the key is closed.

use keno_house_tests::counter::Counter;
use keno_house_tests::house::{House, refusal};
use keno_house_tests::line::{Carried, Lost};
use keno_house_tests::paper::text;
use keno_terminal::exit::Exit;
use keno_wire::request::SecondPerson;

use crate::{papers_agree, straight, sure_win, tickets};

const SALES: &str = "/api/v1/sales";
const PAYMENTS: &str = "/api/v1/payments";
const CANCELLATIONS: &str = "/api/v1/cancellations";

/// The papers agree with the record, and nothing is open.
fn agree(house: &House, counter: &Counter, count: usize) {
    papers_agree(house, counter, count);
    assert_eq!(counter.open_items(), []);
}

fn only(carried: Vec<Carried>, path: &str) -> Vec<Carried> {
    carried
        .into_iter()
        .filter(|one| one.request.path() == path)
        .collect()
}

fn place(carried: &[Carried], path: &str) -> usize {
    carried
        .iter()
        .position(|one| one.request.path() == path)
        .unwrap_or_else(|| panic!("{path} was not asked"))
}

#[test]
fn a_lost_answer_is_asked_for_and_the_ticket_printed_once() {
    let house = House::new();
    let counter = Counter::open(&house);
    counter.line.lose(SALES, Lost::Answer);
    counter
        .agent_sells("", &straight(&[7, 18], 200, 2))
        .ended(Exit::Done)
        .said(&[
            "Le central l’avait enregistrée.",
            "Central had recorded it.",
        ]);
    let carried = counter.line.carried();
    assert!(place(&carried, SALES) < place(&carried, "/api/v1/keys/question"));
    assert_eq!(only(carried, SALES).len(), 1, "the sale is not sent again");
    assert!(!text(&counter.newest_paper()).contains("REPRINT"));
    agree(&house, &counter, 1);
}

#[test]
fn a_lost_request_gives_the_money_back_once_its_key_is_closed_and_comes_too_late() {
    let house = House::new();
    let counter = Counter::open(&house);
    counter.line.carried();
    counter.line.lose(SALES, Lost::Request);
    let slip = straight(&[7, 18], 200, 2).replace("}],", "}],\"received_cents\":2000,");
    counter
        .agent_sells("", &slip)
        .ended(Exit::Refused)
        .said(&["RENDEZ 20,00 $ au joueur", "GIVE $20.00 BACK to the player"]);
    let carried = counter.line.carried();
    let sale = carried[place(&carried, SALES)].clone();
    assert_eq!(sale.status, None);
    let closing = place(&carried, "/api/v1/keys/close");
    assert_eq!(carried[closing].status, Some(200));
    // The request that was lost arrives after all, from somewhere on the way.
    let size = house.log_size();
    for _ in 0..2 {
        let answer = sale.request.ask(house.address());
        assert_eq!(
            (answer.status, refusal(&answer).as_str()),
            (409, "key_closed")
        );
    }
    assert_eq!(house.log_size(), size);
    agree(&house, &counter, 0);
    // And the counter goes on.
    counter.sells(&straight(&[7, 18], 200, 2));
    agree(&house, &counter, 1);
}

#[test]
fn no_cash_goes_back_before_central_has_said_that_the_key_is_closed() {
    for closing in [Lost::Request, Lost::Answer] {
        let house = House::new();
        let counter = Counter::open(&house);
        counter.line.lose(SALES, Lost::Request);
        counter.line.lose_and_cut("/api/v1/keys/close", closing);
        let done = counter
            .agent_sells("", &straight(&[7, 18], 200, 2))
            .ended(Exit::InDoubt);
        let said = format!("{}{}", done.output, done.notes);
        assert!(!said.contains("RENDEZ") && !said.contains("BACK"), "{said}");
        let sale = only(counter.line.carried(), SALES).remove(0);
        // In the meantime a late copy may still become a ticket, if the key was not closed.
        let late = sale.request.ask(house.address());
        counter.line.mend(house.address());
        let done = counter.agent_status("").ended(Exit::Done);
        if closing == Lost::Answer {
            assert_eq!(refusal(&late), "key_closed");
            done.said(&["GIVE $4.00 BACK"]);
            agree(&house, &counter, 0);
        } else {
            assert_eq!(late.status, 200);
            done.said(&["Central had recorded it."]);
            agree(&house, &counter, 1);
        }
    }
}

#[test]
fn while_the_wire_is_cut_the_sale_is_in_doubt_and_nothing_new_is_sold() {
    for lost in [Lost::Request, Lost::Answer] {
        let house = House::new();
        let counter = Counter::open(&house);
        counter.line.lose_and_cut(SALES, lost);
        counter
            .agent_sells("", &straight(&[7, 18], 200, 2))
            .ended(Exit::InDoubt)
            .said(&["EN SUSPENS", "IN DOUBT", "Gardez l’argent à part"]);
        // No paper promises anything before it is said what becomes of the money.
        assert_eq!(counter.papers().len(), 0);
        assert_eq!(tickets(&counter).len(), 0);
        assert_eq!(counter.open_items().len(), 1);
        // Nothing new before that: another sale asks about the old one first, and does not get
        // further than that.
        let again = counter.agent_sells("", &straight(&[1], 50, 1));
        again
            .ended(Exit::InDoubt)
            .said(&["À régler d’abord", "To be resolved first"]);
        assert_eq!(counter.open_items().len(), 1);
        let sent = only(counter.line.carried(), SALES);
        assert_eq!(sent.len(), 1, "{lost:?}");
        counter.line.mend(house.address());
        let done = counter.agent_status("").ended(Exit::Done);
        match lost {
            Lost::Answer => {
                done.said(&["Central had recorded it."]);
                agree(&house, &counter, 1);
            }
            Lost::Request => {
                done.said(&["GIVE $4.00 BACK"]);
                agree(&house, &counter, 0);
                let late = sent[0].request.ask(house.address());
                assert_eq!(refusal(&late), "key_closed");
                agree(&house, &counter, 0);
            }
        }
    }
}

#[test]
fn central_stops_after_the_commit_and_the_next_start_prints_the_ticket() {
    let mut house = House::new();
    let counter = Counter::open(&house);
    counter.line.lose_and_cut(SALES, Lost::Answer);
    counter
        .agent_sells("", &straight(&[7, 18], 200, 2))
        .ended(Exit::InDoubt);
    house.stop();
    house.start();
    counter.line.mend(house.address());
    counter
        .agent_status("")
        .ended(Exit::Done)
        .said(&["Central had recorded it."]);
    agree(&house, &counter, 1);
    // The old copy of the request repeats the old answer at most: it makes no second ticket.
    let sale = only(counter.line.carried(), SALES).remove(0);
    let repeated = sale.request.ask(house.address());
    assert_eq!(repeated.status, 200);
    let reply: serde_json::Value = serde_json::from_slice(&repeated.body).unwrap();
    assert_eq!(reply["repeated"], true);
    assert_eq!(
        reply["ticket"]["claim_code"],
        serde_json::Value::Null,
        "its paper is confirmed: the secret is not told again"
    );
    agree(&house, &counter, 1);
}

#[test]
fn central_stops_before_the_commit_and_the_next_start_closes_the_key() {
    let mut house = House::new();
    let counter = Counter::open(&house);
    counter.line.lose_and_cut(SALES, Lost::Request);
    counter
        .agent_sells("", &straight(&[7, 18], 200, 2))
        .ended(Exit::InDoubt);
    let sale = only(counter.line.carried(), SALES).remove(0);
    house.stop();
    house.start();
    counter.line.mend(house.address());
    counter
        .agent_status("")
        .ended(Exit::Done)
        .said(&["GIVE $4.00 BACK"]);
    let late = sale.request.ask(house.address());
    assert_eq!(refusal(&late), "key_closed");
    agree(&house, &counter, 0);
}

/// The clerk has gone home, another signed on at the counter, and only then is the old doubt
/// looked at: its session has ended, and its unknown keys with it.
#[test]
fn a_doubt_outlives_its_session() {
    for lost in [Lost::Request, Lost::Answer] {
        let house = House::new();
        let counter = Counter::open(&house);
        counter.line.lose_and_cut(SALES, lost);
        counter
            .agent_sells("", &straight(&[7, 18], 200, 2))
            .ended(Exit::InDoubt);
        let sale = only(counter.line.carried(), SALES).remove(0);
        counter.line.mend(house.address());
        let done = counter
            .agent("", |agent| {
                agent.sign_on(None).and_then(|_| agent.resolve())
            })
            .ended(Exit::Done);
        let count = if lost == Lost::Answer { 1 } else { 0 };
        if lost == Lost::Request {
            done.said(&["GIVE $4.00 BACK"]);
            let late = refusal(&sale.request.ask(house.address()));
            assert!(
                ["key_closed", "session_ended"].contains(&late.as_str()),
                "{late}"
            );
        }
        agree(&house, &counter, count);
    }
}

#[test]
fn a_payment_in_doubt_is_paid_once() {
    let house = House::new();
    let counter = Counter::open(&house);
    let (one, other) = (
        counter.sells(&sure_win(50, 1)),
        counter.sells(&sure_win(50, 1)),
    );
    house.until_settled(house.next_draw());
    counter.line.carried();

    // The answer is lost: asked for, handed over once.
    counter.line.lose(PAYMENTS, Lost::Answer);
    counter
        .agent("", |agent| agent.pay(&one, SecondPerson::default(), true))
        .ended(Exit::Done)
        .said(&["Hand over $30.00."]);
    counter
        .agent("", |agent| agent.pay(&one, SecondPerson::default(), true))
        .ended(Exit::Refused)
        .said(&["(already_paid)"]);

    // The request is lost: nothing is handed over, a late copy is refused, and the ticket is
    // still worth what it was.
    counter.line.lose(PAYMENTS, Lost::Request);
    counter
        .agent("", |agent| agent.pay(&other, SecondPerson::default(), true))
        .ended(Exit::Refused)
        .said(&["ne remettez rien", "hand over nothing"]);
    let late = only(counter.line.carried(), PAYMENTS).remove(1);
    assert_eq!(refusal(&late.request.ask(house.address())), "key_closed");
    assert_eq!(house.verdict(&other), "winner");

    // Cut off after the commit: in doubt; the next start prints the receipt and pays no second
    // time.
    counter.line.lose_and_cut(PAYMENTS, Lost::Answer);
    counter
        .agent("", |agent| agent.pay(&other, SecondPerson::default(), true))
        .ended(Exit::InDoubt);
    counter.line.mend(house.address());
    counter
        .agent_status("")
        .ended(Exit::Done)
        .said(&["Central had recorded it."]);
    assert!(text(&counter.newest_paper()).contains("REÇU DE PAIEMENT DE LOT"));
    counter
        .agent("", |agent| agent.pay(&other, SecondPerson::default(), true))
        .ended(Exit::Refused)
        .said(&["(already_paid)"]);
    assert_eq!(house.verified(None).replay.totals().paid_cents, 2 * 3_000);
    assert_eq!(counter.open_items(), []);
}

#[test]
fn a_cancellation_in_doubt_is_refunded_once() {
    let house = House::new();
    let counter = Counter::open(&house);
    let code = counter.sells(&straight(&[7, 18], 200, 2));
    counter.line.lose(CANCELLATIONS, Lost::Request);
    counter
        .agent("", |agent| agent.cancel(&code, "changed_mind", None))
        .ended(Exit::Refused)
        .said(&["ne remboursez rien", "refund nothing"]);
    assert_eq!(house.verdict(&code), "not_yet_drawn");
    counter.line.lose_and_cut(CANCELLATIONS, Lost::Answer);
    counter
        .agent("", |agent| agent.cancel(&code, "changed_mind", None))
        .ended(Exit::InDoubt);
    assert_eq!(house.verdict(&code), "cancelled");
    counter.line.mend(house.address());
    counter.agent_status("").ended(Exit::Done);
    assert!(text(&counter.newest_paper()).contains("REÇU D’ANNULATION"));
    counter
        .agent("", |agent| agent.cancel(&code, "changed_mind", None))
        .ended(Exit::Refused)
        .said(&["(ticket_cancelled)"]);
    assert_eq!(counter.open_items(), []);
}

#[test]
fn a_central_that_is_not_there_is_told_and_nothing_is_sent() {
    let mut house = House::new();
    let counter = Counter::open(&house);
    let commands = counter.commands();
    house.stop();
    counter.line.cut();
    counter
        .agent_sells("", &straight(&[7, 18], 200, 2))
        .ended(Exit::CentralUnreachable)
        .said(&["rien n’a été enregistré", "nothing was recorded"]);
    assert_eq!((counter.commands(), counter.papers().len()), (commands, 0));
    house.start();
    counter.line.mend(house.address());
    counter.sells(&straight(&[7, 18], 200, 2));
    agree(&house, &counter, 1);
}
