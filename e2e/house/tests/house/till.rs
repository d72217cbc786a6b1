//! The till at the command line: counted by two in the middle of a shift, closed with its sheet,
//! and the sheet printed again; handed to the next person while a draw is on.

use keno_house_tests::counter::{Counter, Done};
use keno_house_tests::house::{FLOAT_CENTS, House, pin_of};
use keno_house_tests::line::Lost;
use keno_house_tests::paper::text;
use keno_log::Event;
use keno_terminal::exit::Exit;
use keno_terminal::virtual_printer::Fault;

use crate::{on_both, straight, sure_win};

const COUNTS: &str = "/api/v1/shifts/counts";
const SHEET: &str = "/api/v1/shifts/1/sheet";

/// What was counted and expected in the middle of a shift, as the record says it.
fn counted(house: &House) -> Vec<(i64, i64)> {
    let events = house.events().into_iter();
    events
        .filter_map(|event| match event {
            Event::TillCounted(body) => Some((body.counted_cents, body.expected_cents)),
            _ => None,
        })
        .collect()
}

fn count(counter: &Counter, cents: i64, badge: &str) -> Done {
    let (cents, pin) = (cents.to_string(), pin_of(badge));
    counter.keno(&[
        "count-till",
        &cents,
        "--reason",
        "change disputed",
        "--second",
        badge,
        "--second-pin",
        &pin,
    ])
}

fn close(counter: &Counter, cents: i64) -> Done {
    counter.keno(&["close-till", &cents.to_string()])
}

#[test]
fn two_people_count_in_the_middle_of_a_shift_and_the_sheet_comes_after_the_close() {
    on_both(|house| {
        let counter = Counter::open(house);
        counter.sells(&straight(&[7, 18], 200, 1));
        for (who, name) in [
            ("C1", "(same_person_twice)"),
            ("C2", "(badge_or_pin_wrong)"),
        ] {
            count(&counter, FLOAT_CENTS, who)
                .ended(Exit::Refused)
                .said(&[name]);
        }
        assert_eq!((counted(house), counter.papers().len()), (vec![], 1));
        count(&counter, FLOAT_CENTS, "S1").ended(Exit::Done).said(&[
            "Tiroir compté, quart 1 ; il reste ouvert.",
            "Short by $2.00",
        ]);
        let paper = text(&counter.newest_paper());
        for words in [
            "DÉCOMPTE DU TIROIR Till count",
            "MANQUE -2,00 $",
            "Motif / Reason: change disputed",
            "Le tiroir reste ouvert.",
            "C1 ____",
            "S1 ____",
        ] {
            assert!(paper.contains(words), "{words}: {paper}");
        }
        // The sheet of an open till is no way around the count.
        counter
            .keno(&["shift-sheet", "1"])
            .ended(Exit::Refused)
            .said(&["(till_still_open)"]);
        assert_eq!(counter.papers().len(), 2);

        let expected = FLOAT_CENTS + 200;
        close(&counter, expected + 5)
            .ended(Exit::Done)
            .said(&["Surplus de 0,05 $", "Over by $0.05"]);
        assert_eq!(counter.papers().len(), 3);
        let first = text(&counter.newest_paper());
        for words in [
            "FEUILLE DE QUART Shift sheet",
            "Jour d’affaires / Business day 2026-11-20",
            "Mises / Write (1) 2,00 $",
            "SURPLUS 0,05 $",
            "DÉCOMPTES EN COURS DE QUART",
            "Écart / Difference -2,00 $",
            "Sortant / Outgoing C1 ____",
            "Superviseur / Supervisor ____",
        ] {
            assert!(first.contains(words), "{words}: {first}");
        }
        assert!(!first.contains("REPRINT"));
        counter.keno(&["shift-sheet", "1"]).ended(Exit::Done);
        let again = text(&counter.newest_paper());
        assert!(
            again.contains("Shift sheet RÉIMPRESSION / REPRINT"),
            "{again}"
        );
        assert_eq!(counted(house), [(FLOAT_CENTS, FLOAT_CENTS + 200)]);
        let outcome = house.verified(None);
        assert!(outcome.holds(), "{:?}", outcome.findings.first());
        assert!(!counter.journal_text().contains(&pin_of("S1")));
        assert_eq!(counter.open_items(), []);
    });
}

#[test]
fn a_count_whose_answer_was_lost_is_given_again_as_another_count() {
    let house = House::new();
    let counter = Counter::open(&house);
    counter.line.lose(COUNTS, Lost::Answer);
    count(&counter, FLOAT_CENTS - 5, "S1")
        .ended(Exit::InDoubt)
        .said(&["count again"]);
    assert_eq!(counter.papers().len(), 0);
    count(&counter, FLOAT_CENTS - 5, "S1").ended(Exit::Done);
    let both = [(FLOAT_CENTS - 5, FLOAT_CENTS); 2];
    assert_eq!(
        (counted(&house).as_slice(), counter.papers().len()),
        (&both[..], 1)
    );
    // Nothing moved, however often it was counted.
    close(&counter, FLOAT_CENTS)
        .ended(Exit::Done)
        .said(&["Even"]);
    assert!(house.verified(None).holds());
}

#[test]
fn a_till_that_is_closed_stays_so_whatever_becomes_of_its_sheet() {
    let house = House::new();
    let mut counter = Counter::open(&house);
    counter.line.lose(SHEET, Lost::Answer);
    close(&counter, FLOAT_CENTS).ended(Exit::Done).said(&[
        "Till closed, shift 1.",
        "The sheet of shift 1 can be printed later",
    ]);
    assert_eq!(counter.papers().len(), 0);

    counter.new_printer(Some(Fault::OutOfPaper));
    counter
        .keno(&["shift-sheet", "1"])
        .ended(Exit::PrinterTrouble)
        .said(&["The sheet of shift 1 can be printed later"]);
    counter.new_printer(None);
    counter.keno(&["shift-sheet", "1"]).ended(Exit::Done);
    assert!(text(&counter.newest_paper()).contains("RÉIMPRESSION / REPRINT"));
    close(&counter, FLOAT_CENTS)
        .ended(Exit::Refused)
        .said(&["(no_open_till)"]);
}

#[test]
fn the_next_person_opens_the_till_while_a_draw_is_on_and_pays_what_it_owes() {
    on_both(|house| {
        let mut counter = Counter::open(house);
        let code = counter.sells(&sure_win(50, 1));
        let draw = house.next_draw();
        house.until_closed(draw);
        close(&counter, FLOAT_CENTS + 4_000)
            .ended(Exit::Done)
            .said(&["Even"]);
        assert_ne!(house.draw_state(draw), keno_game::DrawState::Settled);
        counter.sign_on_as("C2");
        counter.sign_on_with_float();
        assert_ne!(house.draw_state(draw), keno_game::DrawState::Settled);
        counter.keno(&["pay", "--yes", &code]).ended(Exit::Refused);
        house.until_settled(draw);
        counter.keno(&["pay", "--yes", &code]).ended(Exit::Done);
        close(&counter, FLOAT_CENTS - 3_000)
            .ended(Exit::Done)
            .said(&["Even"]);
        let paper = text(&counter.newest_paper());
        assert!(
            paper.contains("Lots payés / Payouts (1) 30,00 $"),
            "{paper}"
        );
        assert!(paper.contains("Sortant / Outgoing C2"), "{paper}");
        assert!(house.verified(None).holds());
    });
}
