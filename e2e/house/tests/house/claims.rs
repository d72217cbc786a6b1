//! Claims: checked, paid once, refused twice; replayed, cancelled, duplicated, refunded.

use keno_house_tests::counter::Counter;
use keno_house_tests::house::{House, pin_of, second};
use keno_house_tests::paper::{facts_on_paper, text};
use keno_slip::{Issue, Width, ticket};
use keno_terminal::exit::Exit;
use keno_wire::reply::TicketView;
use serde_json::json;

use crate::{straight, sure_win};

/// `1234` of a claim code: what a receipt may show.
fn last_digits(code: &str) -> String {
    let number = keno_wire::ClaimCode::parse(code).unwrap().control_number;
    number.digits()[12..].to_owned()
}

/// How many digits follow one another, spaces or not.
fn longest_digits(text: &str) -> usize {
    text.replace([' ', '\u{A0}'], "")
        .split(|character: char| !character.is_ascii_digit())
        .map(str::len)
        .max()
        .unwrap_or(0)
}

#[test]
fn every_number_is_sold_once_and_twenty_of_them_are_paid_once() {
    let house = House::new();
    let counter = Counter::open(&house);
    let draw = house.next_draw();
    let codes: Vec<String> = (1..=80)
        .map(|number| counter.sells(&straight(&[number], 50, 1)))
        .collect();
    for code in &codes {
        counter
            .keno(&["check", code])
            .ended(Exit::Done)
            .said(&["(not_yet_drawn)"]);
        counter
            .keno(&["pay", "--yes", code])
            .ended(Exit::Refused)
            .said(&["Rien à payer maintenant.", "Nothing to pay now."]);
    }
    house.until_settled(draw);
    let balls = house.balls(draw);
    assert_eq!(balls.len(), 20);
    let mut papers = counter.papers().len();
    for (number, code) in (1_u8..).zip(&codes) {
        if !balls.contains(&number) {
            counter.keno(&["check", code]).ended(Exit::Done).said(&[
                "(not_winner)",
                "Non gagnant",
                "Not a winner",
            ]);
            counter
                .keno(&["pay", "--yes", code])
                .ended(Exit::Refused)
                .said(&["(not_winner)"]);
            continue;
        }
        counter
            .keno(&["check", code])
            .ended(Exit::Done)
            .said(&["(winner)", "1,50 $", "$1.50"]);
        counter
            .keno(&["pay", "--yes", code])
            .ended(Exit::Done)
            .said(&["Remettez 1,50 $.", "Hand over $1.50."]);
        papers += 1;
        let receipt = text(&counter.newest_paper());
        let shown = format!("…{}", last_digits(code));
        assert!(receipt.contains(&shown), "{receipt}");
        // Beside them, the day and the draw, no four digits follow one another.
        let others = [shown.as_str(), "2026-11-20", "000 001"]
            .iter()
            .fold(receipt.clone(), |text, known| text.replacen(known, "", 1));
        assert_eq!(longest_digits(&others), 3, "{others}");
        for words in [
            "REÇU DE PAIEMENT DE LOT",
            "Prize payment receipt",
            "TOTAL 1,50 $",
            "Total $1.50",
            "Aucun tirage à venir pour ce billet.",
            "No draws left on this ticket.",
        ] {
            assert!(receipt.contains(words), "{words}: {receipt}");
        }
        assert_eq!(counter.newest_paper().qr_payloads().len(), 0);
        counter
            .keno(&["pay", "--yes", code])
            .ended(Exit::Refused)
            .said(&["(already_paid)", "Lot déjà payé", "Prize already paid"]);
    }
    assert_eq!(papers, 100, "80 tickets and 20 receipts");
    assert_eq!(counter.papers().len(), papers);
    let totals = house.verified(None).replay.totals();
    assert_eq!((totals.tickets, totals.paid_cents), (80, 20 * 150));
}

#[test]
fn a_ticket_of_many_draws_is_paid_before_its_last_one_with_the_same_paper() {
    let house = House::new();
    let counter = Counter::open(&house);
    let code = counter.sells(&sure_win(50, 3));
    let first = house.next_draw();
    for (position, draw) in (first..first + 3).enumerate() {
        house.until_settled(draw);
        counter
            .keno(&["check", &code])
            .ended(Exit::Done)
            .said(&["(winner)", "30,00 $"]);
        let done = counter
            .keno(&["pay", "--yes", &code])
            .ended(Exit::Done)
            .said(&["Hand over $30.00."]);
        let receipt = text(&counter.newest_paper());
        let words = match position {
            0 => "2 tirages à venir : gardez votre billet. 2 draws left: keep your ticket.",
            1 => "1 tirage à venir : gardez votre billet. 1 draw left: keep your ticket.",
            _ => "Aucun tirage à venir pour ce billet. No draws left on this ticket.",
        };
        assert!(receipt.contains(words), "{receipt}");
        assert_eq!(done.output.contains("Rendez le billet"), position < 2);
        counter.keno(&["pay", "--yes", &code]).ended(Exit::Refused);
    }
    assert_eq!(house.verdict(&code), "already_paid");
    assert_eq!(
        house.verified(None).replay.totals().paid_cents,
        3 * 3_000,
        "each draw once"
    );
}

/// Central ended the session in the meantime: the claim is presented all the same, because its
/// clock stops then and not when it is paid (s. 86).
#[test]
fn a_claim_is_presented_in_a_new_session_when_the_old_one_has_ended() {
    let house = House::new();
    let counter = Counter::open(&house);
    let code = counter.sells(&sure_win(50, 1));
    house.until_settled(house.next_draw());
    house.ends_session_at(1, "C2");
    counter.line.carried();
    counter.keno(&["pay", "--yes", &code]).ended(Exit::Done);
    let presented: Vec<Option<u16>> = counter
        .line
        .carried()
        .iter()
        .filter(|one| one.request.path() == "/api/v1/presentations")
        .map(|one| one.status)
        .collect();
    assert_eq!(presented, [Some(401), Some(200)]);
}

/// A ticket that was presented on its last day, while central was away: it is entered days later by
/// two people with the hour on the paper, and then paid.
#[test]
fn what_was_presented_during_an_outage_is_entered_with_its_hour_and_paid() {
    let house = House::new();
    let counter = Counter::open(&house);
    let code = counter.sells(&sure_win(50, 1));
    house.until_settled(house.next_draw());
    house.clock.advance(120_000);
    // The hour on the paper, by the house's clock.
    let hour = house.local_minute().replace([':', '-', ' '], "")[6..].to_owned();
    house.clock.advance(3 * 86_400_000);
    // Nobody knows who was at the counter meanwhile: its clerk says so anew.
    counter.keno(&["sign-on"]).ended(Exit::Done);
    // Codes are read until an empty line.
    let enter = |at: &str, typed: &str| {
        let words = ["present", "--at", at, &code, "--second", "S1"];
        counter.keno_typing(&format!("\n{typed}"), &words)
    };
    let pin = format!("{}\n", pin_of("S1"));
    // Not by one alone, nor at an hour that is none, or when it had not been drawn.
    enter(&hour, "").ended(Exit::Refused);
    enter("2500", &pin)
        .ended(Exit::Refused)
        .said(&["(moment_invalid)", "JJHHMM", "DDHHMM"]);
    let papers = counter.papers().len();
    enter(&hour, &pin)
        .ended(Exit::Done)
        .said(&["présenté le", "in time"]);
    assert_eq!(counter.papers().len(), papers + 1);
    let receipt = text(&counter.newest_paper());
    assert!(receipt.contains("REÇU DE PRÉSENTATION"), "{receipt}");
    let (day, minute) = hour.split_at(2);
    let shown = format!("{day} {}:{}:00", &minute[..2], &minute[2..]);
    assert!(
        receipt.replace('\u{a0}', " ").contains(&shown),
        "{shown}: {receipt}"
    );
    let outcome = house.verified(None);
    assert!(outcome.holds(), "{:?}", outcome.findings.first());
}

#[test]
fn a_replay_sells_the_same_numbers_again_from_the_next_draw() {
    let house = House::new();
    let counter = Counter::open(&house);
    let slip = r#"{"selections":[{"type":"straight","quick_pick":6,"wager_cents":200},
        {"type":"king","groups":[[20,30],[40,50]],"kings":[10],"ways":[{"spots":3,"wager_cents":100}]}],
        "draws":2}"#;
    let code = counter.sells(slip);
    let old = facts_on_paper(&counter.newest_paper()).unwrap();
    let next = house.next_draw();
    house.until_settled(next);
    counter
        .keno(&["replay", &code, "--draws", "3", "--yes"])
        .ended(Exit::Done);
    let new = facts_on_paper(&counter.newest_paper()).unwrap();
    assert_ne!(new.control_number, old.control_number);
    assert_eq!((new.draws, new.first.0), (3, house.next_draw()));
    for (new, old) in new.selections.iter().zip(&old.selections) {
        assert_eq!(
            (&new.groups, &new.kings, &new.ways),
            (&old.groups, &old.kings, &old.ways)
        );
    }
    // A number alone shows nobody what the ticket says.
    counter
        .keno(&["replay", &old.control_number, "--yes"])
        .ended(Exit::Refused)
        .said(&["il ne peut pas être rejoué"]);
    // Other numbers are picked when asked.
    counter
        .keno(&["replay", &code, "--new-numbers", "--yes"])
        .ended(Exit::Done);
    let picked = facts_on_paper(&counter.newest_paper()).unwrap();
    assert!(picked.selections[0].quick_pick && !picked.selections[1].quick_pick);
    assert_eq!(picked.selections[1].groups, old.selections[1].groups);
    assert_eq!(house.tickets(), 3);
}

#[test]
fn a_ticket_is_cancelled_before_it_closes_and_not_after() {
    let house = House::new();
    let counter = Counter::open(&house);
    let (one, other) = (
        counter.sells(&straight(&[7, 18], 200, 2)),
        counter.sells(&straight(&[7, 18], 200, 2)),
    );
    // The number alone is not the paper.
    let number = keno_wire::ClaimCode::parse(&one).unwrap().control_number;
    counter
        .keno(&["cancel", &number.digits()])
        .ended(Exit::Refused)
        .said(&["(claim_code_needed)"]);
    counter
        .keno(&["cancel", &one])
        .ended(Exit::Done)
        .said(&["Annulé : rendez 4,00 $", "Cancelled: give $4.00 back"]);
    let receipt = text(&counter.newest_paper());
    for words in [
        "REÇU D’ANNULATION",
        "Cancellation receipt",
        "REMBOURSÉ, comptant 4,00 $",
        "Refunded, cash $4.00",
        "Ce billet ne participe plus au tirage.",
        "This ticket is no longer in the draw.",
    ] {
        assert!(receipt.contains(words), "{words}: {receipt}");
    }
    counter
        .keno(&["cancel", &one])
        .ended(Exit::Refused)
        .said(&["(ticket_cancelled)"]);
    counter
        .keno(&["check", &one])
        .ended(Exit::Done)
        .said(&["(cancelled)"]);
    house.until_closed(house.next_draw());
    let papers = counter.papers().len();
    counter
        .keno(&["cancel", &other])
        .ended(Exit::Refused)
        .said(&["(cancel_after_close)"]);
    assert_eq!(counter.papers().len(), papers);
    assert_eq!(counter.open_items(), []);
}

#[test]
fn a_void_draw_is_refunded_once() {
    let house = House::new();
    let counter = Counter::open(&house);
    let code = counter.sells(&straight(&[7, 18], 200, 2));
    let draw = house.next_draw();
    house.until_closed(draw);
    let supervisor = house.person("S1");
    let void = json!({"reason": "the machine broke", "second": second("S2")});
    let _: serde_json::Value = supervisor.does(&format!("/draws/{draw}/void"), &void);
    counter
        .keno(&["check", &code])
        .ended(Exit::Done)
        .said(&["(draw_cancelled)", "2,00 $"]);
    counter
        .keno(&["pay", "--yes", &code])
        .ended(Exit::Done)
        .said(&["Hand over $2.00."]);
    let receipt = text(&counter.newest_paper());
    assert!(
        receipt.contains("remboursement / refund 2,00 $"),
        "{receipt}"
    );
    counter.keno(&["pay", "--yes", &code]).ended(Exit::Refused);
    house.until_settled(draw + 1);
    let outcome = house.verified(None);
    assert!(outcome.holds(), "{:?}", outcome.findings.first());
    assert_eq!(outcome.replay.totals().refunded_cents, 200);
}

#[test]
fn a_duplicate_by_two_people_kills_the_old_paper() {
    let house = House::new();
    let counter = Counter::open(&house);
    let old = counter.sells(&sure_win(50, 1));
    let draw = house.next_draw();
    let supervisor = house.person("S1");
    let asked = |who: &str| json!({"code": old, "reason": "torn", "second": second(who)});
    assert_eq!(
        supervisor.is_refused("/duplicates", &asked("S1")),
        "same_person_twice"
    );
    let view: TicketView = supervisor.does("/duplicates", &asked("S2"));
    counter.print(&ticket(&view, Issue::First, Width::Wide).unwrap(), 77);
    let paper = counter.newest_paper();
    assert!(text(&paper).contains("DUPLICATA 2 / DUPLICATE 2"));
    let codes = paper.qr_payloads();
    let new = codes[0];
    assert_ne!(new, old);
    assert_eq!(house.verdict(&old), "replaced");
    assert_eq!(house.verdict(new), "not_yet_drawn");
    let confirmed = json!({"ticket": view.ticket, "copy": 2, "how": "printer"});
    let _: serde_json::Value = supervisor.does("/prints", &confirmed);
    house.until_settled(draw);
    counter
        .keno(&["check", &old])
        .ended(Exit::Done)
        .said(&["(replaced)"]);
    counter.keno(&["pay", "--yes", &old]).ended(Exit::Refused);
    counter
        .keno(&["cancel", &old])
        .ended(Exit::Refused)
        .said(&["(copy_replaced)"]);
    counter
        .keno(&["pay", "--yes", new])
        .ended(Exit::Done)
        .said(&["Hand over $30.00."]);
    counter.keno(&["pay", "--yes", &old]).ended(Exit::Refused);
    assert_eq!(house.verified(None).replay.totals().paid_cents, 3_000);
}

#[test]
fn a_large_prize_needs_a_second_person_at_the_counter() {
    let house = House::new();
    let counter = Counter::open(&house);
    // 80 ways at 20.00: 20 of them pay 60.00, 1,200.00 in all.
    let code = counter.sells(&sure_win(2_000, 1));
    house.until_settled(house.next_draw());
    counter
        .keno(&[
            "pay",
            "--yes",
            &code,
            "--second",
            "C2",
            "--second-pin",
            &pin_of("C2"),
        ])
        .ended(Exit::Refused)
        .said(&["(badge_or_pin_wrong)"]);
    counter
        .keno_typing(&format!("S1\n{}\n", pin_of("S1")), &["pay", "--yes", &code])
        .ended(Exit::Done)
        .said(&["Remettez 1 200,00 $.", "Hand over $1,200.00."]);
    let receipt = text(&counter.newest_paper());
    assert!(receipt.contains("T01 C1 + S1"), "{receipt}");
    let journal = counter.journal_text();
    assert!(!journal.contains(&code) && !journal.contains(&pin_of("S1")));
}
