//! Tickets presented without being paid, several at the command line.

use super::*;

const PATH: &str = "/api/v1/presentations";

fn presented(end: &str) -> Answer {
    Answer::Reply(json!({
        "leaf": 90, "ticket": 12, "number_end": end, "presented_at_local": "2026-11-21 23:58:07",
        "draws": [4], "claim_by": "2026-11-21", "repeated": false, "terminal": "T07",
        "badge": "C142", "house_name": "Casino"
    }))
}

/// One that is refused does not keep the next from being in time, and a ticket that is scanned
/// twice is one ticket; what is to be tried again is told before what never will be.
#[test]
fn each_ticket_is_presented_once_whatever_became_of_the_one_before() {
    for (answers, exit) in [
        (vec![presented("0001"), presented("0002")], Exit::Done),
        (
            vec![Answer::Problem(404, "number_unknown"), presented("0002")],
            Exit::Refused,
        ),
        (
            vec![Answer::HangUp, Answer::Problem(404, "number_unknown")],
            Exit::InDoubt,
        ),
    ] {
        let counter = Counter::new(None);
        counter.expect_sign_on();
        let good = answers
            .iter()
            .filter(|one| matches!(one, Answer::Reply(_)))
            .count();
        for answer in answers {
            counter.central.expect(PATH, answer);
        }
        let codes = ["A", "A", "B", "A"].map(str::to_owned);
        let done = counter.run("", |agent| agent.present_all(&codes));
        assert_eq!(done.exit, exit, "{}", done.notes);
        let asked = counter.central.asked();
        let codes: Vec<&Value> = asked[1..].iter().map(|(_, body)| &body["code"]).collect();
        assert_eq!(codes, ["A", "B"]);
        let papers = counter.papers();
        assert_eq!(papers.len(), usize::from(good > 0));
        if let Some(paper) = papers.first() {
            assert_eq!(paper.matches('…').count(), good, "{paper}");
        }
    }
}

/// What was presented while central was away is entered with its hour, by two people who are asked
/// once; which ticket was refused is said.
#[test]
fn tickets_of_an_outage_are_entered_with_their_hour_by_two() {
    let counter = Counter::new(None);
    counter.expect_sign_on();
    let path = "/api/v1/presentations/afterwards";
    for answer in [
        presented("0001"),
        Answer::Problem(422, "moment_invalid"),
        presented("0003"),
    ] {
        counter.central.expect(path, answer);
    }
    let codes = ["A", "B", "A", "C"].map(str::to_owned);
    let done = counter.run("S007\n135792\n", |agent| {
        agent.present_all_at(&codes, "1740", SecondPerson::default())
    });
    assert_eq!(done.exit, Exit::Refused, "{}", done.notes);
    assert!(done.notes.contains("pas inscrit") && done.notes.contains("not entered"));
    let asked = counter.central.asked();
    let said: Vec<Value> = asked[1..].iter().map(|(_, body)| body.clone()).collect();
    let expected = ["A", "B", "C"].map(|code| {
        json!({
            "code": code, "presented_at": "1740",
            "second": {"badge": "S007", "pin": "135792"},
        })
    });
    assert_eq!(said, expected);
    let papers = counter.papers();
    assert_eq!(papers.len(), 1);
    assert!(papers[0].contains("…0001") && papers[0].contains("…0003"));
}
