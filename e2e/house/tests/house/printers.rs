//! Printers in trouble: what is sold stays sold, the outcome has a name, and no second paper of a
//! ticket can be paid.

use std::time::Duration;

use keno_house_tests::counter::Counter;
use keno_house_tests::house::{House, second};
use keno_house_tests::line::Lost;
use keno_house_tests::paper::text;
use keno_log::Event;
use keno_service::draw::Conductor;
use keno_terminal::exit::Exit;
use keno_terminal::journal::PaperState;
use keno_terminal::virtual_printer::{Fault, Sheet};
use serde_json::{Value, json};

use crate::{straight, sure_win};

/// The number of the only ticket of the house, of which its clerk is told the end.
fn number_of_the_only(house: &House, output: &str) -> String {
    let is_sale = |event: &Event| matches!(event, Event::TicketSold(_));
    let leaf = house.events().iter().position(is_sale).unwrap();
    let number = house.number_of(u64::try_from(leaf).unwrap());
    assert!(output.contains(&format!("N° •••• •••• •••• {}", &number[12..])));
    assert!(!output.contains(&number[..4]), "{output}");
    number
}

fn failed(counter: &Counter) -> (String, u64) {
    match &counter.open_items()[0].paper {
        Some(PaperState::Failed { fault, sent }) => (fault.clone(), *sent),
        other => panic!("{other:?}"),
    }
}

/// Bytes after which the code of a sure win has been printed, and the foot has not.
fn just_after_the_code() -> usize {
    let house = House::new();
    let counter = Counter::open(&house);
    counter.sells(&sure_win(50, 1));
    counter.newest_bytes() - 200
}

fn state_of(house: &House, number: &str) -> keno_wire::reply::CheckReply {
    house.person("S1").does("/checks", &json!({"code": number}))
}

#[test]
fn a_printer_that_is_not_there_or_has_no_paper_stops_a_sale_before_the_money() {
    let house = House::new();
    let mut counter = Counter::open(&house);
    let slip = counter.slip(&straight(&[7, 18], 200, 2));
    let commands = counter.commands();
    let size = house.log_size();
    counter.no_printer();
    counter
        .sell(&slip)
        .ended(Exit::PrinterTrouble)
        .said(&["Rien n’a été vendu.", "Nothing was sold."]);
    for fault in [Fault::OutOfPaper, Fault::CoverOpen] {
        counter.new_printer(Some(fault));
        counter
            .sell(&slip)
            .ended(Exit::PrinterTrouble)
            .said(&["Rien n’a été vendu.", "Nothing was sold."]);
    }
    assert_eq!((counter.commands(), house.log_size()), (commands, size));
    assert_eq!(counter.papers().len(), 0);
    counter.new_printer(None);
    counter.sell(&slip).ended(Exit::Done);
    assert_eq!(house.tickets(), 1);
}

#[test]
fn a_printer_that_dies_mid_ticket_leaves_it_sold_until_it_is_cancelled() {
    let mut torn_codes = 0;
    for bytes in [1, 40, 700, just_after_the_code()] {
        let house = House::new();
        let mut counter = Counter::open(&house);
        counter.new_printer(Some(Fault::DieAfter(bytes)));
        let slip = counter.slip(&sure_win(50, 1));
        let done = counter
            .sell(&slip)
            .ended(Exit::PrinterTrouble)
            .said(&["C’est enregistré.", "It is recorded."]);
        let number = number_of_the_only(&house, &done.output);
        // When every byte had left, nobody but the clerk knows how far it was printed.
        match &counter.open_items()[0].paper {
            Some(PaperState::Unknown) => {}
            Some(PaperState::Failed { fault, sent }) => {
                assert!(fault == "died_mid_ticket" && *sent > 0, "{bytes}");
            }
            other => panic!("{other:?}"),
        }
        let check = state_of(&house, &number);
        assert_eq!(check.verdict.code, "not_yet_drawn");
        assert_eq!(house.tickets(), 1);
        for torn in counter.papers() {
            assert!(!torn.is_cut);
            assert!(!text(&torn).contains("FIN / END"), "{bytes}");
        }
        counter.new_printer(None);
        // Nothing new before the clerk has looked at the paper.
        counter.sell(&slip).ended(Exit::PrinterTrouble);
        assert_eq!(house.tickets(), 1);
        counter
            .keno_typing("0\n", &["status"])
            .ended(Exit::Done)
            .said(&[
                "Gardez tous les morceaux",
                "Keep all pieces",
                "give $40.00 back",
            ]);
        let whole: Vec<Sheet> = counter
            .papers()
            .into_iter()
            .filter(|one| one.is_cut)
            .collect();
        assert_eq!(whole.len(), 1);
        assert!(text(&whole[0]).contains("REÇU D’ANNULATION"));
        assert_eq!((house.tickets(), counter.open_items().len()), (1, 0));
        // Sold again, under another number; that one is paid, and only once.
        let code = counter.sells(&sure_win(50, 1));
        house.until_settled(house.next_draw());
        house.clock.advance(60_000);
        counter.keno(&["pay", "--yes", &code]).ended(Exit::Done);
        // What was torn off shows a code or none; whichever, nothing is paid on it.
        for torn in counter.papers().iter().filter(|one| !one.is_cut) {
            for code in torn.qr_payloads() {
                torn_codes += 1;
                counter
                    .keno(&["pay", "--yes", code])
                    .ended(Exit::Refused)
                    .said(&["(cancelled)"]);
            }
        }
        assert_eq!(house.verified(None).replay.totals().paid_cents, 3_000);
    }
    assert!(torn_codes > 0, "no torn paper showed its code");
}

/// Sold, and no paper at all: the printer was lost between the sale and its paper. Each trouble
/// has its name, the ticket stays sold and unconfirmed, and the first paper is the only one.
#[test]
fn a_sale_whose_printer_is_lost_stays_sold_and_is_printed_once_there_is_one() {
    let house = House::new();
    let mut counter = Counter::open(&house);
    counter.line.lose_and_cut("/api/v1/sales", Lost::Answer);
    counter
        .agent_sells("", &sure_win(50, 1))
        .ended(Exit::InDoubt);
    let before = counter.papers().len();
    counter.line.mend(house.address());
    let slip = counter.slip(&straight(&[1], 50, 1));
    for (fault, name) in [
        (None, "absent"),
        (Some(Fault::OutOfPaper), "out_of_paper"),
        (Some(Fault::CoverOpen), "cover_open"),
    ] {
        match fault {
            None => counter.no_printer(),
            fault => counter.new_printer(fault),
        }
        counter
            .sell(&slip)
            .ended(Exit::PrinterTrouble)
            .said(&["C’est enregistré.", "It is recorded."]);
        assert_eq!(failed(&counter), (name.to_owned(), 0));
        assert_eq!(house.tickets(), 1, "nothing new before that");
    }
    counter.new_printer(None);
    counter.keno(&["status"]).ended(Exit::Done);
    assert_eq!(counter.papers().len(), before + 1);
    let paper = counter.newest_paper();
    assert!(paper.is_cut && !text(&paper).contains("REPRINT"));
    house.until_settled(house.next_draw());
    house.clock.advance(60_000);
    assert_eq!(house.verdict(paper.qr_payloads()[0]), "winner");
    assert_eq!(counter.open_items(), []);
}

/// The paper is whole and central was not told: held, until it is told.
#[test]
fn a_late_confirmation_frees_a_held_ticket_without_a_second_paper() {
    let house = House::new();
    let counter = Counter::open(&house);
    counter.line.lose_and_cut("/api/v1/prints", Lost::Request);
    counter
        .agent_sells("", &sure_win(50, 1))
        .ended(Exit::Done)
        .said(&["Le central ne sait pas encore", "Central does not know yet"]);
    let paper = counter.newest_paper();
    let code = paper.qr_payloads()[0];
    assert_eq!(counter.open_items().len(), 1);
    let draw = house.next_draw();
    house.until_settled(draw);
    house.clock.advance(60_000);
    assert_eq!(house.verdict(code), "in_doubt");
    counter.line.mend(house.address());
    counter.agent_status("").ended(Exit::Done);
    assert_eq!(house.verdict(code), "winner");
    assert_eq!((counter.papers().len(), counter.open_items().len()), (1, 0));
}

/// The paper never came out and the draw is over: held, then released by two people.
#[test]
fn an_unconfirmed_ticket_is_held_after_the_close_until_two_people_release_it() {
    let house = House::new();
    let mut counter = Counter::open(&house);
    counter.new_printer(Some(Fault::DieAfter(just_after_the_code())));
    let slip = counter.slip(&sure_win(50, 1));
    let done = counter.sell(&slip).ended(Exit::PrinterTrouble);
    let number = number_of_the_only(&house, &done.output);
    let draw = house.next_draw();
    house.until_closed(draw);
    assert_ne!(state_of(&house, &number).verdict.code, "in_doubt");
    house.clock.advance(29_000);
    Conductor::tick(house.central());
    assert_ne!(state_of(&house, &number).verdict.code, "in_doubt");
    house.clock.advance(1_500);
    Conductor::tick(house.central());
    assert_eq!(state_of(&house, &number).verdict.code, "in_doubt");
    house.until_settled(draw);
    let held = state_of(&house, &number);
    assert_eq!(
        (held.verdict.code.as_str(), held.payable.len()),
        ("in_doubt", 0)
    );

    // The draw has closed: central tells no secret any more, and the terminal prints nothing.
    counter.new_printer(None);
    let papers = counter.papers().len();
    counter
        .keno_typing("0\n", &["status"])
        .ended(Exit::InDoubt)
        .said(&[
            "SANS BILLET",
            "Deux personnes décident",
            "Two people decide",
        ]);
    assert_eq!(counter.papers().len(), papers);
    // A task, until two people have decided.
    assert_eq!(counter.open_items().len(), 1);

    let supervisor = house.person("S1");
    let release = |who: &str| json!({"code": number, "evidence": "video of the counter", "second": second(who)});
    assert_eq!(
        supervisor.is_refused("/releases", &release("S1")),
        "same_person_twice"
    );
    let _: Value = supervisor.does("/releases", &release("S2"));
    let view: keno_wire::reply::TicketView = supervisor.does(
        "/duplicates",
        &json!({"code": number, "reason": "never printed whole", "second": second("S2")}),
    );
    let paper = keno_slip::ticket(&view, keno_slip::Issue::First, keno_slip::Width::Wide).unwrap();
    counter.print(&paper, 5);
    let confirmed = json!({"ticket": view.ticket, "copy": 2, "how": "printer"});
    let _: Value = supervisor.does("/prints", &confirmed);
    let duplicate = counter.newest_paper();
    let codes = duplicate.qr_payloads();
    assert_eq!(house.verdict(codes[0]), "winner");
    let papers = counter.papers();
    let torn: Vec<&Sheet> = papers.iter().filter(|one| !one.is_cut).collect();
    assert_eq!(torn.len(), 1);
    assert!(!torn[0].qr_payloads().is_empty(), "torn after its code");
    for torn in torn {
        for code in torn.qr_payloads() {
            assert_eq!(house.verdict(code), "replaced");
            counter.keno(&["pay", "--yes", code]).ended(Exit::Refused);
        }
    }
    counter
        .keno(&["pay", "--yes", codes[0]])
        .ended(Exit::Done)
        .said(&["Hand over $30.00."]);
    assert_eq!(house.verified(None).replay.totals().paid_cents, 3_000);
}

/// A printer that says nothing: the clerk's word stands in the record.
#[test]
fn a_silent_printer_is_vouched_for_by_the_clerk() {
    let house = House::new();
    let mut counter = Counter::open(&house);
    counter.new_printer(Some(Fault::Silent));
    // It answers nothing, however long one waits.
    counter.printer_patience = Duration::from_millis(20);
    // Nobody answers either: unknown, not whole.
    counter
        .agent_sells("", &sure_win(50, 1))
        .ended(Exit::PrinterTrouble);
    assert_eq!(counter.open_items()[0].paper, Some(PaperState::Unknown));
    counter.agent_status("1\n").ended(Exit::Done);
    assert_eq!(counter.open_items(), []);
    let paper = counter.newest_paper();
    let codes = paper.qr_payloads();
    assert_eq!((counter.papers().len(), house.tickets()), (1, 1));
    house.until_settled(house.next_draw());
    house.clock.advance(60_000);
    assert_eq!(house.verdict(codes[0]), "winner", "confirmed, not held");
}

/// A receipt that does not come out is printed later, and pays nobody a second time.
#[test]
fn a_receipt_that_did_not_come_out_is_printed_later() {
    let house = House::new();
    let mut counter = Counter::open(&house);
    let code = counter.sells(&sure_win(50, 1));
    house.until_settled(house.next_draw());
    counter.no_printer();
    counter
        .keno(&["pay", "--yes", &code])
        .ended(Exit::PrinterTrouble)
        .said(&["Hand over $30.00."]);
    assert_eq!(failed(&counter), ("absent".to_owned(), 0));
    counter.new_printer(None);
    counter.keno(&["status"]).ended(Exit::Done);
    let receipt = text(&counter.newest_paper());
    assert!(receipt.contains("REÇU DE PAIEMENT DE LOT") && !receipt.contains("REPRINT"));
    counter.keno(&["pay", "--yes", &code]).ended(Exit::Refused);
    assert_eq!(house.verified(None).replay.totals().paid_cents, 3_000);
}
