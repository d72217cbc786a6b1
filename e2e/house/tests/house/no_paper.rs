//! A sale that central recorded and whose answer was lost until its draw had closed: no paper of it
//! comes out alone any more. It is named by reference, and two people decide.

use keno_house_tests::counter::{Counter, Done};
use keno_house_tests::house::{House, pin_of};
use keno_house_tests::line::Lost;
use keno_house_tests::paper::{facts_on_paper, text};
use keno_terminal::exit::Exit;

use crate::straight;

const SALES: &str = "/api/v1/sales";

fn with_second(counter: &Counter, arguments: &[&str]) -> Done {
    let pin = pin_of("S1");
    let mut all = arguments.to_vec();
    all.extend(["--second", "S1", "--second-pin", &pin]);
    counter.keno(&all)
}

/// Everything that a command told, in both languages.
fn all_of(done: &Done) -> String {
    format!("{}{}", done.output, done.notes)
}

/// A sale whose answer was lost, parked, and whose draw has closed when the link returns. Its leaf.
fn is_referred(house: &House, counter: &Counter) -> u64 {
    let draw = house.next_draw();
    counter.line.lose_and_cut(SALES, Lost::Answer);
    counter
        .agent_sells("", &straight(&[7, 18], 200, 1))
        .ended(Exit::InDoubt);
    counter
        .agent("", |agent| agent.park(None))
        .ended(Exit::Done)
        .said(&["Gardez l’argent à part"]);
    house.until_closed(draw);
    counter.line.mend(house.address());
    let done = counter.agent_status("").ended(Exit::InDoubt).said(&[
        "Vente enregistrée SANS BILLET",
        "Sale recorded WITHOUT A TICKET",
        "Ne remettez rien",
        "Hand over nothing",
    ]);
    assert_eq!(house.tickets(), 1);
    let item = counter.open_items().remove(0);
    let reference = item.reference().unwrap();
    let number = house.number_of(reference.ticket);
    let said = all_of(&done);
    assert!(said.contains(&format!("#{}", reference.ticket)), "{said}");
    assert!(said.contains(&format!("•••• {}", &number[12..])), "{said}");
    // Nobody is told to hand over a ticket that there is not, and the number stays on paper.
    assert!(
        !said.contains("Remettez le billet") && !said.contains("Give the ticket"),
        "{said}"
    );
    let digits = |text: &str| text.replace([' ', '\u{a0}'], "");
    assert!(!digits(&said).contains(&number), "{said}");
    assert!(!counter.journal_text().contains(&number));
    assert!(
        counter
            .papers()
            .iter()
            .all(|paper| paper.qr_payloads().is_empty())
    );
    reference.ticket
}

#[test]
fn a_sale_without_paper_gets_its_duplicate_by_reference() {
    let house = House::new();
    let counter = Counter::open(&house);
    let ticket = is_referred(&house, &counter);
    // The next patron is served meanwhile.
    counter.sells(&straight(&[3], 50, 1));
    assert_eq!(counter.open_items().len(), 1);
    let reference = format!("#{ticket}");
    counter
        .keno(&["check", &reference])
        .ended(Exit::Refused)
        .said(&["(claim_code_needed)"]);
    // One person decides nothing.
    let duplicate = ["duplicate", &reference, "--reason", "sans papier"];
    let pin = pin_of("C1");
    let mut alone = duplicate.to_vec();
    alone.extend(["--second", "C1", "--second-pin", &pin]);
    counter.keno(&alone).ended(Exit::Refused);
    with_second(&counter, &duplicate)
        .ended(Exit::Done)
        .said(&["Exemplaire 2", "L’argent gardé à part va dans la caisse"]);
    let paper = counter.newest_paper();
    assert!(text(&paper).contains("DUPLICATA 2"));
    let number = facts_on_paper(&paper).unwrap().control_number;
    assert_eq!(number, house.number_of(ticket));
    assert_eq!(counter.open_items(), []);
    // Its paper is whole: by reference there is no second one.
    with_second(&counter, &duplicate)
        .ended(Exit::Refused)
        .said(&["(claim_code_needed)"]);
    let outcome = house.verified(None);
    assert!(outcome.holds(), "{:?}", outcome.findings.first());
}

#[test]
fn a_sale_without_paper_is_unpaid_or_released_by_reference() {
    for command in ["unpaid", "release"] {
        let house = House::new();
        let counter = Counter::open(&house);
        let ticket = is_referred(&house, &counter);
        let reference = format!("#{ticket}");
        if command == "unpaid" {
            with_second(&counter, &["unpaid", &reference])
                .ended(Exit::Done)
                .said(&["mise non payée", "gardé à part, 2,00 $"]);
        } else {
            house.clock.advance(60_000);
            with_second(
                &counter,
                &["release", &reference, "--evidence", "FIN au bas"],
            )
            .ended(Exit::Done)
            .said(&["Billet libéré"]);
        }
        assert_eq!(counter.open_items(), [], "{command}");
        let outcome = house.verified(None);
        assert!(outcome.holds(), "{:?}", outcome.findings.first());
    }
}

#[test]
fn what_two_people_decide_elsewhere_ends_the_task_here() {
    let house = House::new();
    let counter = Counter::open(&house);
    let ticket = is_referred(&house, &counter);
    let clerk = house.person("S2");
    let asked = serde_json::json!({
        "code": format!("#{ticket}"),
        "second": keno_house_tests::house::second("S1"),
    });
    let _: serde_json::Value = clerk.does("/unpaid", &asked);
    counter.agent_status("").ended(Exit::Done);
    assert_eq!(counter.open_items(), []);
}
