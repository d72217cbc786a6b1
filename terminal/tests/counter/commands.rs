//! Sales, cancellations and payments: money, paper and doubt.

use super::*;

/// The reply to a cancellation of the full ticket.
fn cancelled(counter: u64) -> Value {
    json!({
        "key": key(counter), "leaf": 78, "control_number": "0731552890146663",
        "refund_cents": 2500, "tender": "cash", "at_local": "2026-11-20 21:06:40",
        "terminal": "T07", "badge": "C142", "house_name": "Casino", "repeated": false
    })
}

#[test]
fn a_sale_from_slip_to_confirmed_paper() {
    let counter = Counter::new(None);
    counter.expect_sign_on();
    counter.expect_price();
    counter
        .central
        .expect("/api/v1/sales", Answer::Reply(sale(1, false)));
    counter
        .central
        .expect("/api/v1/prints", Answer::Reply(json!({"leaf": 5})));
    let done = counter.sell("");
    assert_eq!(done.exit, Exit::Done, "{}", done.notes);
    assert!(
        done.output
            .contains("MISE TOTALE 25,00\u{A0}$\nTOTAL WAGER $25.00"),
        "{}",
        done.output
    );
    // The whole number stands on paper alone.
    assert!(done.output.contains("N° •••• •••• •••• 6663"));
    assert!(!done.output.contains("0731"), "{}", done.output);
    assert!(done.output.contains("Monnaie 15,00"));
    let asked = counter.central.asked();
    assert_eq!(paths(&asked), ["/sessions", "/prices", "/sales", "/prints"]);
    assert_eq!(asked[2].1["key"], key(1));
    assert_eq!(asked[2].1["total_cents"], 2500);
    assert_eq!(asked[2].1["received_cents"], 4000);
    assert_eq!(
        asked[3].1,
        json!({"ticket": 9118203, "copy": 1, "how": "printer"})
    );
    let headers = counter.central.headers().join("\n").to_ascii_lowercase();
    assert!(headers.contains("boulier-device: 7.00ff"), "{headers}");
    assert!(headers.contains("boulier-session: 3.abc"), "{headers}");
    let papers = counter.papers();
    assert_eq!(papers.len(), 1);
    assert!(papers[0].ends_with("*** FIN / END") && !papers[0].contains("REPRINT"));
    assert_eq!(counter.open_items(), 0);
    let journal = counter.journal_text();
    assert!(
        !journal.contains("KT2") && !journal.contains("246813"),
        "{journal}"
    );

    // The next command has the next key, in the same session.
    counter.expect_price();
    counter
        .central
        .expect("/api/v1/sales", Answer::Problem(409, "draw_closed"));
    let done = counter.sell("");
    assert_eq!(done.exit, Exit::Refused);
    assert!(
        done.notes
            .contains("Refusé.\nRefused.\nSélection B\nSelection B\nChamp : numbers"),
        "{}",
        done.notes
    );
    let asked = counter.central.asked();
    assert_eq!(asked[1].1["key"], key(2));
    assert_eq!(counter.open_items(), 0);
}

/// A page knows the total, and central sells at no other: it is asked once.
#[test]
fn a_total_that_was_told_is_asked_about_by_the_sale_alone() {
    let counter = Counter::new(None);
    counter.expect_sign_on();
    counter
        .central
        .expect("/api/v1/sales", Answer::Reply(sale(1, false)));
    counter
        .central
        .expect("/api/v1/prints", Answer::Reply(json!({"leaf": 5})));
    let done = counter.sell_told("", Some(2_500));
    assert_eq!(done.exit, Exit::Done, "{}", done.notes);
    let asked = counter.central.asked();
    assert_eq!(paths(&asked), ["/sessions", "/sales", "/prints"]);
    assert_eq!(asked[1].1["total_cents"], 2_500);

    counter
        .central
        .expect("/api/v1/sales", Answer::Problem(409, "total_changed"));
    let done = counter.sell_told("", Some(2_400));
    assert_eq!(done.exit, Exit::Refused);
    let words = "La mise totale n’est pas celle qui a été dite";
    assert!(done.notes.contains(words), "{}", done.notes);
    assert_eq!((counter.open_items(), counter.papers().len()), (0, 1));
}

#[test]
fn a_lost_answer_is_asked_for_and_the_paper_is_the_first() {
    let counter = Counter::new(None);
    counter.expect_sign_on();
    counter.expect_price();
    counter.central.expect("/api/v1/sales", Answer::HangUp);
    counter
        .central
        .expect("/api/v1/keys/question", Answer::HangUp);
    counter.central.expect(
        "/api/v1/keys/question",
        Answer::Reply(json!({"state": "sale", "leaf": 9118203, "sale": sale(1, true)})),
    );
    counter
        .central
        .expect("/api/v1/prints", Answer::Reply(json!({"leaf": 5})));
    let done = counter.sell("");
    assert_eq!(done.exit, Exit::Done, "{}", done.notes);
    let asked = counter.central.asked();
    assert_eq!(asked[3].1, json!({"key": key(1)}));
    assert_eq!(asked[4].1, json!({"key": key(1)}));
    let papers = counter.papers();
    assert_eq!(papers.len(), 1);
    assert!(!papers[0].contains("REPRINT"));
}

#[test]
fn an_unknown_key_is_closed_before_money_goes_back() {
    let counter = Counter::new(None);
    counter.expect_sign_on();
    counter.expect_price();
    counter.central.expect("/api/v1/sales", Answer::HangUp);
    counter.central.expect(
        "/api/v1/keys/question",
        Answer::Reply(json!({"state": "unknown"})),
    );
    counter.central.expect(
        "/api/v1/keys/close",
        Answer::Reply(json!({"state": "closed"})),
    );
    let done = counter.sell("");
    assert_eq!(done.exit, Exit::Refused);
    assert!(
        done.output.contains("RENDEZ 40,00\u{A0}$ au joueur"),
        "{}",
        done.output
    );
    assert!(done.output.contains("GIVE $40.00 BACK"));
    assert_eq!(
        paths(&counter.central.asked()),
        [
            "/sessions",
            "/prices",
            "/sales",
            "/keys/question",
            "/keys/close"
        ]
    );
    assert_eq!((counter.open_items(), counter.papers().len()), (0, 0));
}

#[test]
fn closing_can_still_find_the_sale() {
    let counter = Counter::new(None);
    counter.expect_sign_on();
    counter.expect_price();
    counter.central.expect("/api/v1/sales", Answer::HangUp);
    counter.central.expect(
        "/api/v1/keys/question",
        Answer::Reply(json!({"state": "unknown"})),
    );
    counter.central.expect(
        "/api/v1/keys/close",
        Answer::Reply(json!({"state": "sale", "leaf": 9118203, "sale": sale(1, true)})),
    );
    counter
        .central
        .expect("/api/v1/prints", Answer::Reply(json!({"leaf": 5})));
    let done = counter.sell("");
    assert_eq!(done.exit, Exit::Done, "{}", done.notes);
    assert!(!done.output.contains("RENDEZ"));
    assert_eq!(counter.papers().len(), 1);
}

#[test]
fn without_any_answer_the_sale_stays_in_doubt_and_comes_first_next_time() {
    let counter = Counter::new(None);
    counter.expect_sign_on();
    counter.expect_price();
    counter.central.expect("/api/v1/sales", Answer::HangUp);
    for _ in 0..8 {
        counter
            .central
            .expect("/api/v1/keys/question", Answer::HangUp);
    }
    let done = counter.sell("");
    assert_eq!(done.exit, Exit::InDoubt);
    assert!(
        !done.output.contains("RENDEZ"),
        "no money back while it may be recorded"
    );
    counter.central.asked();
    assert_eq!(counter.open_items(), 1);
    // The waiting slip comes when it is put aside, and says what becomes of the money.
    assert_eq!(counter.papers(), Vec::<String>::new());

    // The next sale: the old key first, then its paper, then the new one.
    counter.central.expect(
        "/api/v1/keys/question",
        Answer::Reply(json!({"state": "sale", "leaf": 9118203, "sale": sale(1, true)})),
    );
    counter
        .central
        .expect("/api/v1/prints", Answer::Reply(json!({"leaf": 5})));
    counter.expect_price();
    counter
        .central
        .expect("/api/v1/sales", Answer::Reply(sale(2, false)));
    counter
        .central
        .expect("/api/v1/prints", Answer::Reply(json!({"leaf": 6})));
    assert_eq!(counter.sell("").exit, Exit::Done);
    assert_eq!(
        paths(&counter.central.asked()),
        ["/keys/question", "/prints", "/prices", "/sales", "/prints"]
    );
    assert_eq!((counter.open_items(), counter.papers().len()), (0, 2));
}

#[test]
fn a_printer_in_trouble_stops_the_sale_before_the_money() {
    for fault in [Fault::OutOfPaper, Fault::CoverOpen] {
        let counter = Counter::new(Some(fault));
        counter.expect_sign_on();
        let done = counter.sell("");
        assert_eq!(done.exit, Exit::PrinterTrouble);
        assert_eq!(paths(&counter.central.asked()), ["/sessions"]);
        assert_eq!(counter.open_items(), 0);
    }
}

/// The clerk says that the paper of the sale is not whole, and central takes the ticket back.
fn takes_back_the_torn(counter: &Counter) -> Done {
    counter.central.expect(
        "/api/v1/keys/question",
        Answer::Reply(json!({"state": "sale", "leaf": 9118203, "sale": sale(1, true)})),
    );
    counter
        .central
        .expect("/api/v1/cancellations", Answer::Reply(cancelled(2)));
    let done = counter.run("0\n", |agent| agent.resolve());
    assert_eq!(done.exit, Exit::Done, "{}", done.notes);
    done
}

#[test]
fn a_ticket_that_was_torn_is_cancelled_and_never_printed_twice() {
    let mut counter = Counter::new(Some(Fault::DieAfter(400)));
    counter.expect_sign_on();
    counter.expect_price();
    counter
        .central
        .expect("/api/v1/sales", Answer::Reply(sale(1, false)));
    let done = counter.sell("");
    assert_eq!(done.exit, Exit::PrinterTrouble);
    assert!(done.notes.contains("au milieu du papier"), "{}", done.notes);
    assert_eq!(
        paths(&counter.central.asked()),
        ["/sessions", "/prices", "/sales"],
        "no print confirmed"
    );
    assert_eq!(counter.open_items(), 1);

    let papers = tempfile::tempdir().unwrap();
    counter.printer = printer(&papers, None);
    let done = takes_back_the_torn(&counter);
    assert!(done.notes.contains("Gardez tous les morceaux"));
    assert!(done.output.contains("rendez 25,00"), "{}", done.output);
    let asked = counter.central.asked();
    assert_eq!(asked.last().unwrap().1["reason"], "printed_badly");
    let papers = counter.papers();
    assert_eq!(papers.len(), 1);
    assert!(papers[0].contains("REÇU D’ANNULATION"));
    assert_eq!(counter.open_items(), 0);
}

#[test]
fn a_torn_ticket_that_can_no_longer_be_cancelled_needs_two_people() {
    let mut counter = Counter::new(Some(Fault::DieAfter(400)));
    counter.expect_sign_on();
    counter.expect_price();
    counter
        .central
        .expect("/api/v1/sales", Answer::Reply(sale(1, false)));
    counter.sell("");
    let papers = tempfile::tempdir().unwrap();
    counter.printer = printer(&papers, None);
    counter.central.expect(
        "/api/v1/keys/question",
        Answer::Reply(json!({"state": "sale", "leaf": 9118203, "sale": sale(1, true)})),
    );
    counter
        .central
        .expect("/api/v1/cancellations", Answer::Problem(409, "draw_closed"));
    let done = counter.run("0\n", |agent| agent.resolve());
    assert_eq!(done.exit, Exit::Done, "{}", done.notes);
    assert!(done.notes.contains("deux personnes font un duplicata"));
    assert!(!done.output.contains("rendez"), "{}", done.output);
    assert!(done.output.contains("SANS BILLET"), "{}", done.output);
    assert_eq!(counter.papers().len(), 0);
    // A task, until two people have decided.
    assert_eq!(counter.open_items(), 1);
}

/// Of the first try nobody is told any more that the ticket still holds, here or at the neighbour
/// who has taken the counter over.
#[test]
fn a_torn_ticket_is_cancelled_at_the_second_try_and_only_that_is_told() {
    for is_taken_over in [false, true] {
        let counter = Counter::new(None);
        let folder = counter.folder.path().join("journal");
        let left = tempfile::tempdir().unwrap();
        let mut journal = Journal::open(left.path()).unwrap();
        let records = [
            json!({"record": "sent", "key": key(1), "kind": "sale", "request": {}, "total_cents": 2500, "received_cents": 2500}),
            json!({"record": "outcome", "key": key(1), "outcome": "recorded", "leaf": 9118203}),
            json!({"record": "paper", "key": key(1), "paper": "failed", "fault": "died_mid_ticket", "sent": 400}),
            json!({"record": "sent", "key": key(2), "kind": "cancellation", "request": {"torn": key(1)}, "total_cents": 2500, "received_cents": 0}),
            json!({"record": "outcome", "key": key(2), "outcome": "closed"}),
        ]
        .map(|record| serde_json::from_value(record).unwrap());
        if is_taken_over {
            for record in &records {
                journal.write(record).unwrap();
            }
            let code = Bundle::new(6, &journal.open_items(), None).code().unwrap();
            let mut neighbour = Journal::open(&folder).unwrap();
            for records in Bundle::read(&code).unwrap().adopted() {
                neighbour.adopt(&records).unwrap();
            }
            assert_eq!(neighbour.open_items()[1].torn, journal.open_items()[1].torn);
        } else {
            let mut journal = Journal::open(&folder).unwrap();
            for record in &records {
                journal.write(record).unwrap();
            }
        }
        assert_eq!(counter.open_items(), 2);
        counter.expect_sign_on();
        let done = takes_back_the_torn(&counter);
        assert!(done.output.contains("rendez 25,00"), "{}", done.output);
        let said = format!("{}{}", done.output, done.notes);
        assert!(!said.contains("vaut toujours"), "{is_taken_over}: {said}");
        assert_eq!(counter.open_items(), 0);
    }
}

#[test]
fn a_crash_while_printing_asks_about_the_paper_before_anything_else() {
    for (typed, exit, papers) in [
        ("1\n", Exit::Done, 0),
        ("0\n", Exit::Done, 1),
        ("", Exit::PrinterTrouble, 0),
    ] {
        let counter = Counter::new(None);
        // As the journal stands when the process dies after the bytes left.
        let mut journal = Journal::open(&counter.folder.path().join("journal")).unwrap();
        let records = [
            json!({"record": "sent", "key": key(1), "kind": "sale", "request": {}, "total_cents": 2500, "received_cents": 2500}),
            json!({"record": "outcome", "key": key(1), "outcome": "recorded", "leaf": 9118203}),
            json!({"record": "paper", "key": key(1), "paper": "started"}),
        ];
        for record in records {
            journal
                .write(&serde_json::from_value(record).unwrap())
                .unwrap();
        }
        drop(journal);
        counter.expect_sign_on();
        counter.central.expect(
            "/api/v1/keys/question",
            Answer::Reply(json!({"state": "sale", "leaf": 9118203, "sale": sale(1, true)})),
        );
        match typed {
            "1\n" => counter
                .central
                .expect("/api/v1/prints", Answer::Reply(json!({"leaf": 5}))),
            "0\n" => counter
                .central
                .expect("/api/v1/cancellations", Answer::Reply(cancelled(2))),
            _ => {}
        }
        let done = counter.run(typed, |agent| agent.resolve());
        assert_eq!(done.exit, exit, "{}", done.notes);
        assert!(done.notes.contains("*** FIN / END"));
        let asked = counter.central.asked();
        match typed {
            "1\n" => assert_eq!(asked.last().unwrap().1["how"], "clerk"),
            "0\n" => assert_eq!(asked.last().unwrap().1["reason"], "printed_badly"),
            _ => {}
        }
        assert_eq!(counter.papers().len(), papers);
        assert!(
            counter
                .papers()
                .iter()
                .all(|paper| paper.contains("REÇU D’ANNULATION"))
        );
    }
}

#[test]
fn a_sale_that_central_had_answered_before_says_reprint() {
    let counter = Counter::new(None);
    counter.expect_sign_on();
    counter.expect_price();
    counter
        .central
        .expect("/api/v1/sales", Answer::Reply(sale(1, true)));
    counter
        .central
        .expect("/api/v1/prints", Answer::Reply(json!({"leaf": 5})));
    assert_eq!(counter.sell("").exit, Exit::Done);
    assert!(counter.papers()[0].contains("RÉIMPRESSION / REPRINT"));
}

#[test]
fn central_out_of_reach_sells_nothing() {
    let mut counter = Counter::new(None);
    counter.expect_sign_on();
    assert_eq!(
        counter.run("", |agent| agent.sign_on(None)).exit,
        Exit::Done
    );
    let listener = std::net::TcpListener::bind(ANY).unwrap();
    counter.central.address = listener.local_addr().unwrap();
    drop(listener);
    let done = counter.sell("");
    assert_eq!(done.exit, Exit::CentralUnreachable);
    assert!(done.notes.contains("rien n’a été enregistré"));
    assert_eq!((counter.open_items(), counter.papers().len()), (0, 0));
}

#[test]
fn a_payment_with_a_second_person() {
    let counter = Counter::new(None);
    let code = crate::support::sample("full").claim_code.unwrap();
    counter.expect_sign_on();
    counter
        .central
        .expect("/api/v1/presentations", Answer::Reply(json!({"leaf": 4})));
    counter.central.expect("/api/v1/checks", Answer::Reply(json!({
        "verdict": {"code": "winner", "sentence": {"fr": "Billet gagnant : 1 234,00 $", "en": "Winning ticket: $1,234.00"}},
        "payable_cents": 123_400, "payable": [{"draw": 48_214, "amount_cents": 123_400}], "second_person": true})));
    counter.central.expect("/api/v1/payments", Answer::Reply(json!({
        "key": key(1), "payment": 77, "control_number": "0731552890146663",
        "items": [{"draw": 48_214, "kind": "prize", "amount_cents": 123_400}], "total_cents": 123_400,
        "cash_cents": 123_400, "tender": "cash", "draws_left": 4, "at_local": "2026-11-20 21:31:02",
        "terminal": "T07", "badge": "C142", "second": "S007", "house_name": "Casino", "repeated": false})));
    let done = counter.run("1\n", |agent| {
        let second = SecondPerson {
            badge: "S007".to_owned(),
            pin: "135792".to_owned(),
            ..SecondPerson::default()
        };
        agent.pay(&code, second, false)
    });
    assert_eq!(done.exit, Exit::Done, "{}", done.notes);
    let asked = counter.central.asked();
    assert_eq!(
        asked[3].1["second"],
        json!({"badge": "S007", "pin": "135792"})
    );
    assert_eq!(
        asked[3].1["items"],
        json!([{"draw": 48_214, "amount_cents": 123_400}])
    );
    let paper = &counter.papers()[0];
    assert!(
        paper.contains("REÇU DE PAIEMENT DE LOT")
            && paper.contains("…6663")
            && !paper.contains("0731")
    );
    let journal = counter.journal_text();
    assert!(
        !journal.contains(&code) && !journal.contains("135792"),
        "{journal}"
    );
    assert_eq!(counter.open_items(), 0);
}

#[test]
fn a_cancellation_and_a_receipt() {
    let counter = Counter::new(None);
    let code = crate::support::sample("full").claim_code.unwrap();
    counter.expect_sign_on();
    counter
        .central
        .expect("/api/v1/cancellations", Answer::Reply(cancelled(1)));
    let done = counter.run("", |agent| agent.cancel(&code, "keyed_wrong", None));
    assert_eq!(done.exit, Exit::Done, "{}", done.notes);
    assert_eq!(counter.central.asked()[1].1["reason"], "keyed_wrong");
    assert!(counter.papers()[0].contains("REÇU D’ANNULATION"));
}

#[test]
fn a_replay_repeats_the_numbers_and_names_the_old_ticket() {
    let counter = Counter::new(None);
    let mut old = ticket();
    old["claim_code"] = Value::Null;
    counter.expect_sign_on();
    counter.central.expect("/api/v1/checks", Answer::Reply(json!({
        "verdict": {"code": "not_winner", "sentence": {"fr": "Non gagnant.", "en": "Not a winner."}},
        "ticket": old, "second_person": false})));
    counter.expect_price();
    counter
        .central
        .expect("/api/v1/sales", Answer::Reply(sale(1, false)));
    counter
        .central
        .expect("/api/v1/prints", Answer::Reply(json!({"leaf": 5})));
    let options = SaleOptions {
        tender: "cash".into(),
        received_cents: None,
        told_cents: None,
        is_confirmed: true,
        intake: "slip".into(),
        replay_of: None,
    };
    let done = counter.run("", |agent| agent.replay("KT2", 2, true, &options));
    assert_eq!(done.exit, Exit::Done, "{}", done.notes);
    let asked = counter.central.asked();
    let request = &asked[3].1;
    assert_eq!(request["intake"], "replay");
    assert_eq!(request["replay_of"], 9_118_203);
    assert_eq!(request["slip"]["draws"], 2);
    assert_eq!(request["slip"]["selections"][0]["quick_pick"], 5);
    assert_eq!(
        request["slip"]["selections"][1]["groups"],
        json!([[3, 14, 22, 29], [40, 51, 66, 80]])
    );
}

#[test]
fn a_fault_of_central_is_a_doubt_and_a_shed_sale_is_not() {
    let counter = Counter::new(None);
    counter.expect_sign_on();
    counter.expect_price();
    counter
        .central
        .expect("/api/v1/sales", Answer::Problem(500, "outcome_unknown"));
    counter.central.expect(
        "/api/v1/keys/question",
        Answer::Reply(json!({"state": "closed"})),
    );
    let done = counter.sell("");
    assert_eq!(done.exit, Exit::Refused);
    assert!(done.output.contains("RENDEZ 40,00"));
    counter.expect_price();
    counter
        .central
        .expect("/api/v1/sales", Answer::Problem(503, "queue_full"));
    assert_eq!(counter.sell("").exit, Exit::Refused);
    assert!(
        !paths(&counter.central.asked())
            .last()
            .unwrap()
            .contains("keys")
    );
    assert_eq!(counter.open_items(), 0);
}

/// After a restore of central the leaf may be another ticket's: its print is not reported.
#[test]
fn a_paper_whose_sale_central_lost_is_not_reported_as_anothers() {
    let counter = Counter::new(None);
    let mut journal = Journal::open(&counter.folder.path().join("journal")).unwrap();
    for record in [
        json!({"record": "sent", "key": key(1), "kind": "sale", "request": {}, "total_cents": 2500, "received_cents": 2500}),
        json!({"record": "outcome", "key": key(1), "outcome": "recorded", "leaf": 9_118_203}),
        json!({"record": "paper", "key": key(1), "paper": "printed", "how": "printer"}),
    ] {
        journal
            .write(&serde_json::from_value(record).unwrap())
            .unwrap();
    }
    drop(journal);
    counter.expect_sign_on();
    counter.central.expect(
        "/api/v1/keys/question",
        Answer::Reply(json!({"state": "closed"})),
    );
    let done = counter.run("", |agent| agent.resolve());
    assert_eq!(done.exit, Exit::Done, "{}", done.notes);
    assert!(done.notes.contains("restauration"), "{}", done.notes);
    assert_eq!(
        paths(&counter.central.asked()),
        ["/sessions", "/keys/question"]
    );
    assert_eq!(counter.open_items(), 0);
}

#[test]
fn a_crash_after_each_record_of_a_sale_is_finished_once() {
    let records = [
        json!({"record": "sent", "key": key(1), "kind": "sale", "request": {}, "total_cents": 2500, "received_cents": 2500}),
        json!({"record": "outcome", "key": key(1), "outcome": "recorded", "leaf": 9_118_203}),
        json!({"record": "paper", "key": key(1), "paper": "started"}),
        json!({"record": "paper", "key": key(1), "paper": "printed", "how": "printer"}),
        json!({"record": "reported", "key": key(1)}),
    ];
    // What is asked of central, and how many papers come out, when the process died just after
    // that many records. The person finds the paper whole where one may exist.
    let expected: [(&[&str], usize); 5] = [
        (&["/sessions", "/keys/question", "/prints"], 1),
        (&["/sessions", "/keys/question", "/prints"], 1),
        (&["/sessions", "/keys/question", "/prints"], 0),
        (&["/sessions", "/keys/question", "/prints"], 0),
        (&[], 0),
    ];
    for (count, (calls, papers)) in (1..).zip(expected) {
        let counter = Counter::new(None);
        let mut journal = Journal::open(&counter.folder.path().join("journal")).unwrap();
        for record in records.iter().take(count) {
            journal
                .write(&serde_json::from_value(record.clone()).unwrap())
                .unwrap();
        }
        drop(journal);
        for call in calls {
            match *call {
                "/sessions" => counter.expect_sign_on(),
                "/keys/question" => counter.central.expect(
                    "/api/v1/keys/question",
                    Answer::Reply(
                        json!({"state": "sale", "leaf": 9_118_203, "sale": sale(1, true)}),
                    ),
                ),
                _ => counter
                    .central
                    .expect("/api/v1/prints", Answer::Reply(json!({"leaf": 5}))),
            }
        }
        let done = counter.run("1\n", |agent| agent.resolve());
        assert_eq!(
            done.exit,
            Exit::Done,
            "after {count} records: {}",
            done.notes
        );
        assert_eq!(
            paths(&counter.central.asked()),
            *calls,
            "after {count} records"
        );
        assert_eq!(counter.papers().len(), papers, "after {count} records");
        assert!(
            counter
                .papers()
                .iter()
                .all(|paper| !paper.contains("REPRINT"))
        );
        assert_eq!(counter.open_items(), 0);
        // Once more: nothing is left to do.
        let done = counter.run("", |agent| agent.resolve());
        assert_eq!((done.exit, counter.papers().len()), (Exit::Done, papers));
    }
}
