//! What takes two people, at the command line: duplicates, releases, unpaid wagers, reversals,
//! fills and drops, and the count that follows.

use keno_house_tests::counter::{Counter, Done, Kind};
use keno_house_tests::house::{FLOAT_CENTS, House, pin_of};
use keno_house_tests::line::Lost;
use keno_house_tests::paper::text;
use keno_log::Event;
use keno_terminal::config::Language;
use keno_terminal::exit::Exit;
use keno_terminal::virtual_printer::Fault;
use keno_wire::request::SecondPerson;
use keno_wire::request::TillMovementKind;

use crate::{straight, sure_win};

const MOVEMENTS: &str = "/api/v1/shifts/movements";

/// A command line with this second person at the end of it.
fn with_second(counter: &Counter, arguments: &[&str], badge: &str) -> Done {
    let pin = pin_of(badge);
    let mut all = arguments.to_vec();
    all.extend(["--second", badge, "--second-pin", &pin]);
    counter.keno(&all)
}

fn number_of(code: &str) -> String {
    keno_wire::ClaimCode::parse(code)
        .unwrap()
        .control_number
        .digits()
}

/// Cash that was moved, as the record says it.
fn moved(house: &House) -> Vec<(u8, i64)> {
    house
        .events()
        .into_iter()
        .filter_map(|event| match event {
            Event::TillMoved(body) => Some((body.kind, body.amount_cents)),
            _ => None,
        })
        .collect()
}

#[test]
fn a_till_is_filled_dropped_and_counted_with_papers_to_sign() {
    let house = House::new();
    let counter = Counter::open(&house);
    for (who, name) in [
        ("C1", "(same_person_twice)"),
        ("C2", "(badge_or_pin_wrong)"),
    ] {
        with_second(&counter, &["fill", "100000"], who)
            .ended(Exit::Refused)
            .said(&[name]);
    }
    with_second(&counter, &["fill", "-5"], "S1")
        .ended(Exit::Refused)
        .said(&["(amount_invalid)"]);
    assert_eq!((moved(&house), counter.papers().len()), (Vec::new(), 0));
    counter
        .keno_typing(&format!("S1\n{}\n", pin_of("S1")), &["fill", "100000"])
        .ended(Exit::Done)
        .said(&[
            "Mettez 1 000,00 $ dans le tiroir.",
            "Put $1,000.00 into the till.",
        ]);
    let paper = text(&counter.newest_paper());
    for words in [
        "APPROVISIONNEMENT Fill",
        "MIS DANS LE TIROIR 1 000,00 $",
        "Put into the till $1,000.00",
        "C1 ____",
        "S1 ____",
    ] {
        assert!(paper.contains(words), "{words}: {paper}");
    }
    with_second(&counter, &["drop", "20000"], "S2")
        .ended(Exit::Done)
        .said(&[
            "Sortez 200,00 $ du tiroir.",
            "Take $200.00 out of the till.",
        ]);
    let paper = text(&counter.newest_paper());
    assert!(paper.contains("DÉPÔT Drop") && paper.contains("SORTI DU TIROIR 200,00 $"));
    counter.sells(&straight(&[7, 18], 200, 1));
    assert_eq!(moved(&house), [(1, 100_000), (2, 20_000)]);

    let expected_cents = FLOAT_CENTS + 100_000 - 20_000 + 200;
    counter
        .keno(&["close-till", &(expected_cents - 5).to_string()])
        .ended(Exit::Done)
        .said(&["Manque de 0,05 $", "Short by $0.05"]);
    counter
        .keno(&["close-till", "1"])
        .ended(Exit::Refused)
        .said(&["(no_open_till)"]);
    let outcome = house.verified(None);
    assert!(outcome.holds(), "{:?}", outcome.findings.first());
    let journal = counter.journal_text();
    assert!(!journal.contains(&pin_of("S1")) && !journal.contains(&pin_of("S2")));
    assert_eq!(counter.open_items(), []);
}

#[test]
fn cash_in_doubt_is_moved_once() {
    let house = House::new();
    let counter = Counter::open(&house);
    let fill = |agent: &mut keno_terminal::agent::Agent<'_>| {
        let second = SecondPerson {
            badge: "S1".to_owned(),
            pin: pin_of("S1"),
            ..SecondPerson::default()
        };
        agent.move_till(TillMovementKind::Fill, 10_000, second)
    };
    counter.line.lose(MOVEMENTS, Lost::Answer);
    counter
        .agent("", fill)
        .ended(Exit::Done)
        .said(&["Put $100.00 into the till."]);
    assert_eq!(moved(&house), [(1, 10_000)]);

    counter.line.lose(MOVEMENTS, Lost::Request);
    counter
        .agent("", fill)
        .ended(Exit::Refused)
        .said(&["Mouvement de 100,00 $ non enregistré", "put the cash back"]);
    assert_eq!(moved(&house), [(1, 10_000)]);

    counter.line.lose_and_cut(MOVEMENTS, Lost::Answer);
    counter.agent("", fill).ended(Exit::InDoubt);
    counter.line.mend(house.address());
    counter
        .agent_status("")
        .ended(Exit::Done)
        .said(&["Central had recorded it."]);
    assert_eq!(moved(&house), [(1, 10_000), (1, 10_000)]);
    let papers = counter.papers();
    assert_eq!(papers.len(), 2, "each movement has one paper");
    assert!(papers.iter().all(|paper| text(paper).contains("Fill")));
    assert_eq!(counter.open_items(), []);
}

#[test]
fn a_duplicate_comes_out_with_its_own_code_and_the_old_paper_is_dead() {
    let house = House::new();
    let mut counter = Counter::open(&house);
    let old = counter.sells(&sure_win(50, 1));
    let again = ["duplicate", &old, "--reason", "wet"];
    with_second(&counter, &again, "C2")
        .ended(Exit::Refused)
        .said(&["(badge_or_pin_wrong)"]);
    assert_eq!(house.verdict(&old), "not_yet_drawn");
    with_second(&counter, &again, "S1")
        .ended(Exit::Done)
        .said(&["Exemplaire 2", "Copy 2"]);
    let second = counter.newest_paper();
    assert!(text(&second).contains("DUPLICATA 2 / DUPLICATE 2"));
    let second_code = second.qr_payloads()[0].to_owned();

    // A printer that dies in the middle of it: the copy is dead with its paper, and made again.
    let bytes = counter.newest_bytes();
    counter.new_printer(Some(Fault::DieAfter(bytes / 2)));
    // A number is not the paper, and this one's print was confirmed.
    let number = number_of(&old);
    with_second(&counter, &["duplicate", &number, "--reason", "torn"], "S1")
        .ended(Exit::Refused)
        .said(&["(claim_code_needed)"]);
    let again = ["duplicate", &second_code, "--reason", "torn"];
    let pin = pin_of("S1");
    let mut all = again.to_vec();
    all.extend(["--second", "S1", "--second-pin", &pin]);
    counter
        .keno_typing("0\n", &all)
        .ended(Exit::PrinterTrouble)
        .said(&["refaites-le", "make it again"]);
    assert_eq!(house.verdict(&second_code), "replaced");
    counter.new_printer(None);
    // Nobody said that the third came out: the number will do.
    with_second(&counter, &["duplicate", &number, "--reason", "torn"], "S1")
        .ended(Exit::Done)
        .said(&["Exemplaire 4", "Copy 4"]);
    let fourth = counter.newest_paper();
    assert!(text(&fourth).contains("DUPLICATA 4 / DUPLICATE 4"));
    let new = fourth.qr_payloads()[0].to_owned();
    // So many papers, and no more.
    with_second(&counter, &["duplicate", &new, "--reason", "torn"], "S1")
        .ended(Exit::Refused)
        .said(&["(copies_used_up)"]);
    house.until_settled(house.next_draw());
    house.clock.advance(60_000);
    for dead in [&old, &second_code] {
        counter.keno(&["pay", "--yes", dead]).ended(Exit::Refused);
    }
    // Its paper was confirmed: it is not held.
    counter
        .keno(&["pay", "--yes", &new])
        .ended(Exit::Done)
        .said(&["Hand over $30.00."]);
    with_second(&counter, &["duplicate", &new, "--reason", "torn"], "S1")
        .ended(Exit::Refused)
        .said(&["(duplicate_after_payment)"]);
    let outcome = house.verified(None);
    assert!(outcome.holds(), "{:?}", outcome.findings.first());
    assert_eq!(outcome.replay.totals().paid_cents, 3_000);
}

#[test]
fn a_held_ticket_is_released_on_evidence_at_another_counter() {
    let house = House::new();
    let counter = Counter::open(&house);
    counter.line.lose_and_cut("/api/v1/prints", Lost::Request);
    counter.agent_sells("", &sure_win(50, 1)).ended(Exit::Done);
    let code = counter.newest_paper().qr_payloads()[0].to_owned();
    house.until_settled(house.next_draw());
    house.clock.advance(60_000);
    let other = Counter::open_as(
        &house,
        Kind {
            device: 2,
            language: Language::En,
            columns: 48,
        },
    );
    other
        .keno(&["pay", "--yes", &code])
        .ended(Exit::Refused)
        .said(&["(in_doubt)"]);
    let release = ["release", &code, "--evidence", "the paper is whole"];
    with_second(&other, &release, "C1")
        .ended(Exit::Refused)
        .said(&["(badge_or_pin_wrong)"]);
    with_second(&other, &release, "S1")
        .ended(Exit::Done)
        .said(&["Billet libéré", "Ticket released"]);
    with_second(&other, &release, "S1")
        .ended(Exit::Refused)
        .said(&["(not_held)"]);
    other
        .keno(&["pay", "--yes", &code])
        .ended(Exit::Done)
        .said(&["Hand over $30.00."]);
}

#[test]
fn an_unpaid_wager_is_void_before_the_first_ball_and_not_after() {
    let house = House::new();
    let counter = Counter::open(&house);
    let (one, other) = (
        counter.sells(&straight(&[7, 18], 200, 1)),
        counter.sells(&straight(&[7, 18], 200, 1)),
    );
    with_second(&counter, &["unpaid", &one], "C2")
        .ended(Exit::Refused)
        .said(&["(badge_or_pin_wrong)"]);
    // Its paper came out: who holds it has paid, for all that anybody can tell.
    with_second(&counter, &["unpaid", &number_of(&one)], "S1")
        .ended(Exit::Refused)
        .said(&["(claim_code_needed)"]);
    with_second(&counter, &["unpaid", &one], "S1")
        .ended(Exit::Done)
        .said(&["(art. 83)", "(s. 83)"]);
    with_second(&counter, &["unpaid", &one], "S1")
        .ended(Exit::Refused)
        .said(&["(ticket_void_unpaid)"]);
    assert_eq!(house.verdict(&one), "void_unpaid");
    house.until_settled(house.next_draw());
    with_second(&counter, &["unpaid", &other], "S1")
        .ended(Exit::Refused)
        .said(&["(unpaid_after_first_ball)"]);
    let outcome = house.verified(None);
    assert!(outcome.holds(), "{:?}", outcome.findings.first());
    assert_eq!(outcome.replay.totals().unpaid_cents, 200);
}

#[test]
fn a_payment_is_reversed_by_the_number_on_its_receipt_and_paid_again() {
    let house = House::new();
    let counter = Counter::open(&house);
    let code = counter.sells(&sure_win(50, 1));
    house.until_settled(house.next_draw());
    counter.keno(&["pay", "--yes", &code]).ended(Exit::Done);
    let receipt = text(&counter.newest_paper());
    let (_, after) = receipt.rsplit_once("n° ").unwrap();
    let payment = after.split_whitespace().next().unwrap();
    let reverse = ["reverse", payment, "--reason", "the patron left"];
    with_second(&counter, &reverse, "C2")
        .ended(Exit::Refused)
        .said(&["(badge_or_pin_wrong)"]);
    with_second(&counter, &reverse, "S1")
        .ended(Exit::Done)
        .said(&["Paiement renversé", "Payment reversed"]);
    with_second(&counter, &reverse, "S1")
        .ended(Exit::Refused)
        .said(&["(payment_reversed)"]);
    assert_eq!(house.verdict(&code), "winner");
    counter.keno(&["pay", "--yes", &code]).ended(Exit::Done);
    counter
        .keno(&["close-till", &(FLOAT_CENTS + 4_000 - 3_000).to_string()])
        .ended(Exit::Done)
        .said(&["Juste", "Even"]);
    assert_eq!(house.verified(None).replay.totals().paid_cents, 3_000);
}

#[test]
fn a_supervisor_stops_sales_and_decides_about_draws_at_a_terminal() {
    let house = House::new();
    let mut counter = Counter::open(&house);
    let code = counter.sells(&straight(&[7, 18], 200, 1));
    counter
        .keno(&["stop-sales", "--reason", "the hall is flooded"])
        .ended(Exit::Refused)
        .said(&["(wrong_role)"]);
    let draw = house.next_draw();
    let number = draw.to_string();
    counter.sign_on_as("S1");
    counter
        .keno(&["stop-sales", "--reason", "the hall is flooded"])
        .ended(Exit::Done)
        .said(&["Ventes arrêtées", "Sales are stopped"]);
    let slip = counter.slip(&straight(&[9], 200, 1));
    counter
        .sell(&slip)
        .ended(Exit::Refused)
        .said(&["(sales_suspended)"]);
    with_second(&counter, &["resume-sales"], "S1")
        .ended(Exit::Refused)
        .said(&["(same_person_twice)"]);
    with_second(&counter, &["resume-sales"], "S2")
        .ended(Exit::Done)
        .said(&["Les ventes reprennent", "Sales go on"]);
    counter.sell(&slip).ended(Exit::Done);

    house.until_closed(draw);
    counter
        .keno(&["suspend-draw", &number, "--reason", "smoke"])
        .ended(Exit::Done)
        .said(&["interrompu", "is interrupted"]);
    with_second(&counter, &["resume-draw", &number], "C2")
        .ended(Exit::Refused)
        .said(&["(badge_or_pin_wrong)"]);
    with_second(&counter, &["resume-draw", &number], "S2")
        .ended(Exit::Done)
        .said(&["reprend depuis son sceau", "goes on from its seal"]);
    with_second(&counter, &["void-draw", &number, "--reason", "fire"], "S2")
        .ended(Exit::Done)
        .said(&["se remboursent", "is cancelled"]);
    with_second(&counter, &["void-draw", &number, "--reason", "fire"], "S2")
        .ended(Exit::Refused)
        .said(&["(draw_step_refused)"]);
    counter
        .keno(&["pay", "--yes", &code])
        .ended(Exit::Done)
        .said(&["Hand over $2.00."]);
    let outcome = house.verified(None);
    assert!(outcome.holds(), "{:?}", outcome.findings.first());
}
