//! What takes two people.

use keno_wire::request::{DuplicateRequest, UnpaidRequest};

use super::*;

/// A duplicate of a paper that got wet.
fn wet(second: SecondPerson) -> DuplicateRequest {
    DuplicateRequest {
        code: "KT2".to_owned(),
        reason: "wet".to_owned(),
        second,
    }
}

/// The answer to a duplicate is lost: nobody knows, the person is told to give the command again,
/// and no paper comes out for a copy that may not be.
#[test]
fn a_duplicate_without_an_answer_prints_nothing_and_says_so() {
    let counter = Counter::new(None);
    counter.expect_sign_on();
    counter.central.expect("/api/v1/duplicates", Answer::HangUp);
    let second = || SecondPerson {
        badge: "S007".to_owned(),
        pin: "135792".to_owned(),
        ..SecondPerson::default()
    };
    let done = counter.run("", |agent| agent.duplicate(wet(second())));
    assert_eq!(done.exit, Exit::InDoubt, "{}", done.notes);
    assert!(
        done.notes.contains("refaites la commande")
            && done.notes.contains("give the command again")
    );
    assert_eq!((counter.papers().len(), counter.open_items()), (0, 0));
    assert_eq!(
        counter.central.asked()[1].1,
        json!({"code": "KT2", "reason": "wet", "second": {"badge": "S007", "pin": "135792"}})
    );

    // The next try succeeds; central does not hear that its paper came out.
    let copy = serde_json::to_value(crate::support::sample("duplicate")).unwrap();
    counter
        .central
        .expect("/api/v1/duplicates", Answer::Reply(copy));
    counter.central.expect("/api/v1/prints", Answer::HangUp);
    let done = counter.run("", |agent| agent.duplicate(wet(second())));
    assert_eq!(done.exit, Exit::Done, "{}", done.notes);
    assert!(done.output.contains("Exemplaire 2") && done.output.contains("Copy 2"));
    assert!(done.notes.contains("\u{ab} release \u{bb}") && done.notes.contains("release it"));
    assert!(counter.papers()[0].contains("DUPLICATA 2 / DUPLICATE 2"));
    assert_eq!(
        counter.central.asked()[1].1,
        json!({"ticket": 9118203, "copy": 2, "how": "printer"})
    );

    // Nor does it take it down: the paper is valid all the same, and is not made again.
    let copy = serde_json::to_value(crate::support::sample("duplicate")).unwrap();
    counter
        .central
        .expect("/api/v1/duplicates", Answer::Reply(copy));
    counter
        .central
        .expect("/api/v1/prints", Answer::Busy("record_unavailable"));
    let done = counter.run("", |agent| agent.duplicate(wet(second())));
    assert_eq!(done.exit, Exit::Done, "{}", done.notes);
    assert!(done.notes.contains("release it") && !done.notes.contains("record_unavailable"));
}

/// A printer that cannot print stops a duplicate before the old paper is dead.
#[test]
fn a_duplicate_is_not_asked_for_without_a_printer() {
    let counter = Counter::new(Some(Fault::OutOfPaper));
    counter.expect_sign_on();
    let done = counter.run("", |agent| agent.duplicate(wet(SecondPerson::default())));
    assert_eq!(done.exit, Exit::PrinterTrouble, "{}", done.notes);
    assert!(done.notes.contains("Rien n’a été fait.") && done.notes.contains("Nothing was done."));
    assert_eq!(paths(&counter.central.asked()), ["/sessions"]);
}

/// Two people at a terminal whose printer has no paper: what needs none goes on.
#[test]
fn an_unpaid_wager_is_declared_while_the_printer_is_out_of_paper() {
    let counter = Counter::new(Some(Fault::OutOfPaper));
    counter.expect_sign_on();
    counter
        .central
        .expect("/api/v1/unpaid", Answer::Reply(json!({"leaf": 31})));
    let done = counter.run("S007\n135792\n", |agent| {
        agent.unpaid(UnpaidRequest {
            code: "KT2".to_owned(),
            second: SecondPerson::default(),
        })
    });
    assert_eq!(done.exit, Exit::Done, "{}", done.notes);
    assert!(done.output.contains("(n° 31)") && done.output.contains("(no. 31)"));
    assert_eq!(
        counter.central.asked()[1].1["second"],
        json!({"badge": "S007", "pin": "135792"})
    );
}
