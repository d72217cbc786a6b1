//! A sale that central recorded and whose answer was lost until its draw had closed: no paper of it
//! comes out alone any more. It is named by reference, and two people decide.

use keno_house_tests::counter::{Counter, Done, Kind};
use keno_house_tests::house::{House, pin_of};
use keno_house_tests::line::Lost;
use keno_house_tests::paper::{facts_on_paper, text};
use keno_terminal::config::Language;
use keno_terminal::exit::Exit;
use keno_terminal::journal::ParkedMoney;
use keno_terminal::virtual_printer::Sheet;

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

/// A sale whose answer was lost, parked with its money kept or given back, and whose draw has closed
/// when the link returns. Its leaf.
fn is_referred(house: &House, counter: &Counter, money: ParkedMoney) -> u64 {
    let draw = house.next_draw();
    counter.line.lose_and_cut(SALES, Lost::Answer);
    counter
        .agent_sells("", &straight(&[7, 18], 200, 1))
        .ended(Exit::InDoubt);
    counter
        .agent("", |agent| agent.park(None, Some(money)))
        .ended(Exit::Done)
        .said(&[match money {
            ParkedMoney::Kept => "Gardez l’argent à part",
            ParkedMoney::GivenBack => "RENDEZ 2,00",
        }]);
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
    let ticket = is_referred(&house, &counter, ParkedMoney::Kept);
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
    // Nor do two people decide anything else than what was said of the money.
    for other in [
        vec!["unpaid", &reference],
        vec!["release", &reference, "--evidence", "FIN au bas"],
    ] {
        with_second(&counter, &other).ended(Exit::Refused).said(&[
            "a été gardé à la mise de côté",
            "was kept when it was put aside",
        ]);
    }
    with_second(&counter, &duplicate).ended(Exit::Done).said(&[
        "Exemplaire 2",
        "contre le reçu d’attente",
        "L’argent gardé à part va dans le tiroir",
    ]);
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

/// The player had the money back: two people say that the wager was not paid, before the draw, and
/// nobody makes a duplicate, whatever the numbers are.
#[test]
fn a_sale_without_paper_whose_money_was_given_back_is_unpaid_or_nothing() {
    for is_late in [false, true] {
        let house = House::new();
        let counter = Counter::open(&house);
        let draw = house.next_draw();
        let ticket = is_referred(&house, &counter, ParkedMoney::GivenBack);
        let reference = format!("#{ticket}");
        if is_late {
            house.until_settled(draw);
        }
        for other in [
            vec!["duplicate", &reference, "--reason", "sans papier"],
            vec!["release", &reference, "--evidence", "FIN au bas"],
        ] {
            with_second(&counter, &other).ended(Exit::Refused).said(&[
                "a été rendu à la mise de côté",
                "was given back when it was put aside",
            ]);
        }
        let unpaid = with_second(&counter, &["unpaid", &reference]);
        if is_late {
            unpaid.ended(Exit::Refused).said(&[
                "(unpaid_after_first_ball)",
                "Aucun papier n’existe",
                "note it",
            ]);
        } else {
            unpaid.ended(Exit::Done).said(&[
                "mise non payée",
                "ne rendez rien de plus",
                "give nothing more back",
            ]);
        }
        assert_eq!(counter.open_items(), []);
        if is_late {
            // Nor once the task has ended, here or at another counter: central knows it.
            let elsewhere = Kind {
                device: 3,
                language: Language::En,
                columns: 32,
            };
            for at in [&counter, &Counter::open_as(&house, elsewhere)] {
                let again = ["duplicate", &reference, "--reason", "sans papier"];
                with_second(at, &again).ended(Exit::Refused).said(&[
                    "(money_given_back)",
                    "aucun papier n’en est fait",
                    "no paper of it is made",
                ]);
            }
        }
        let codes = counter
            .papers()
            .iter()
            .map(|it| it.qr_payloads().len())
            .sum::<usize>();
        assert_eq!(codes, 0, "a paper of the ticket came out");
        let outcome = house.verified(None);
        assert!(outcome.holds(), "{:?}", outcome.findings.first());
    }
}

/// The paper that goes into the envelope is no ticket, and tells that it is none.
fn is_in_doubt_paper(paper: &Sheet) {
    let words = text(paper);
    for word in [
        "EN SUSPENS",
        "NON VALIDE COMME BILLET",
        "not valid as a ticket",
        "REÇU DU JOUEUR 2,00 $",
    ] {
        assert!(words.contains(word), "{word}: {words}");
    }
    assert!(paper.qr_payloads().is_empty() && paper.itf_digits().is_empty());
}

#[test]
fn what_is_said_of_the_money_is_asked_at_the_command_line() {
    for (typed, ended, said) in [
        ("1\n", Exit::Done, "Gardez l’argent à part"),
        ("0\n", Exit::Done, "RENDEZ 2,00"),
        ("", Exit::Refused, "Rien n’est mis de côté"),
    ] {
        let house = House::new();
        let counter = Counter::open(&house);
        counter.line.lose_and_cut(SALES, Lost::Request);
        counter
            .agent_sells("", &straight(&[7, 18], 200, 1))
            .ended(Exit::InDoubt)
            .said(&["keno-terminal park"]);
        assert_eq!(
            counter.papers().len(),
            0,
            "no slip before the money is known"
        );
        counter
            .agent(typed, |agent| agent.park(None, None))
            .ended(ended)
            .said(&[said]);
        let is_aside = ended == Exit::Done;
        assert_eq!(counter.papers().len(), usize::from(is_aside));
        counter.papers().iter().for_each(is_in_doubt_paper);
        assert_eq!(counter.open_items().remove(0).is_parked, is_aside);
        counter.line.mend(house.address());
        let told = match typed {
            "1\n" => "contre le reçu d’attente",
            "0\n" => "il n’y a plus rien à faire",
            _ => "au joueur.",
        };
        counter.agent_status("").ended(Exit::Done).said(&[told]);
    }
}

#[test]
fn what_two_people_decide_elsewhere_ends_the_task_here() {
    let house = House::new();
    let counter = Counter::open(&house);
    let ticket = is_referred(&house, &counter, ParkedMoney::GivenBack);
    let clerk = house.person("S2");
    let asked = serde_json::json!({
        "code": format!("#{ticket}"),
        "second": keno_house_tests::house::second("S1"),
    });
    let _: serde_json::Value = clerk.does("/unpaid", &asked);
    counter.agent_status("").ended(Exit::Done);
    assert_eq!(counter.open_items(), []);
}
