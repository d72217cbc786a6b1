//! A ticket that a restore lost, at the counter: its price is given back once, by two people, and
//! whoever asks about it afterwards is told.

#![allow(clippy::unwrap_used, reason = "a test's failure is its own report")]

use crate::common::restored::{Restored, restored};
use crate::common::{FLOAT_CENTS, House, Person, second, straight};
use serde_json::{Value, json};

/// What one counter asks for a paper at its price, with the supervisor beside.
fn refund(house: &House, person: &Person, code: &str, cents: i64) -> Value {
    json!({
        "key": house.key(person), "code": code, "amount_cents": cents, "tender": "cash",
        "reason": "prix lu sur le papier", "second": second("S1"),
    })
}

async fn verdict(house: &House, person: &Person, code: &str) -> String {
    house.check(person, code).await.verdict.code.to_string()
}

async fn on_both(check: impl AsyncFn(Restored)) {
    check(restored(None, None).await).await;
    let database = crate::common::blocking(|| keno_testing::empty_postgres_database().unwrap());
    let other = crate::common::blocking(|| keno_testing::empty_postgres_database().unwrap());
    check(restored(Some(database.address()), Some(other.address())).await).await;
}

#[actix_web::test]
async fn a_lost_ticket_is_refunded_once_and_everyone_is_told() {
    on_both(async |Restored { house, kept, lost }| {
        let clerk = house.sign_on(1, "C1").await;
        let elsewhere = house.sign_on(2, "C2").await;
        let auditor = house.sign_on(5, "A1").await;
        let (code, cents) = (
            lost[0].ticket.claim_code.clone().unwrap(),
            lost[0].ticket.total_cents,
        );
        let number = &lost[0].ticket.control_number;
        assert_eq!(verdict(&house, &clerk, &code).await, "record_lost");
        assert_eq!(verdict(&house, &clerk, number).await, "not_found");
        let look = json!({"code": code, "purpose": "claim"});
        assert_eq!(
            house
                .post(&auditor, "/audit/tickets", look.clone())
                .await
                .refusal(),
            (404, "number_unknown".to_owned())
        );

        let order = refund(&house, &clerk, &code, cents);
        let reply = house.post(&clerk, "/lost-refunds", order.clone()).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
        let first = reply.value();
        assert_eq!(first["amount_cents"], json!(cents));
        assert_eq!(
            (&first["badge"], &first["second"], &first["terminal"]),
            (&json!("C1"), &json!("S1"), &json!("T01"))
        );
        // The same key: the same answer. Its question: the same too.
        let again = house
            .post(&clerk, "/lost-refunds", order.clone())
            .await
            .value();
        assert_eq!(
            (&again["leaf"], &again["repeated"]),
            (&first["leaf"], &json!(true))
        );
        let asked = house
            .post(&clerk, "/keys/question", json!({"key": order["key"]}))
            .await
            .value();
        assert_eq!(asked["state"], json!("lost_refund"));
        assert_eq!(asked["lost_refund"]["leaf"], first["leaf"]);
        let mut other = order.clone();
        other["amount_cents"] = json!(cents + 50);
        assert_eq!(
            house.post(&clerk, "/lost-refunds", other).await.refusal(),
            (409, "key_other_content".to_owned())
        );
        // Elsewhere, under another key: who did it, and when.
        let twice = refund(&house, &elsewhere, &code, cents);
        let problem = house
            .post(&elsewhere, "/lost-refunds", twice)
            .await
            .problem();
        assert_eq!((problem.status, problem.name()), (409, "lost_refunded"));
        for sentence in [&problem.sentence.fr, &problem.sentence.en] {
            for word in ["T01", "C1", "S1", "2026-11-20"] {
                assert!(sentence.contains(word), "{word}: {sentence}");
            }
        }

        // A patron who scans it, or types its number, is told; a forger is not.
        for asked in [&code, number] {
            let reply = house
                .post_device(3, "/checks", json!({"code": asked}))
                .await
                .value();
            assert_eq!(reply["verdict"]["code"], json!("lost_refunded"), "{reply}");
            let sentence = &reply["verdict"]["sentence"];
            assert!(
                sentence["fr"]
                    .as_str()
                    .unwrap()
                    .contains("remboursé le 2026-11-20")
            );
            assert!(
                sentence["en"]
                    .as_str()
                    .unwrap()
                    .contains("refunded 2026-11-20")
            );
            assert!(
                !sentence.to_string().contains("S1"),
                "a patron needs no badge"
            );
        }
        let forged = forge(&code);
        assert_eq!(verdict(&house, &clerk, &forged).await, "not_found");
        // The audit office is told by whom.
        let problem = house.post(&auditor, "/audit/tickets", look).await.problem();
        assert_eq!(problem.name(), "lost_refunded");
        assert!(
            problem.sentence.en.contains("by C1 and S1"),
            "{}",
            problem.sentence.en
        );

        // The sheet of the shift has it, and its sum is the till's.
        let shift = clerk.shift.unwrap();
        let sheet = house
            .get_as(
                &auditor,
                &format!("/api/v1/reports/shifts/{shift}?format=csv"),
            )
            .await;
        assert_eq!(sheet.status, 200, "{}", sheet.text());
        for words in [
            "Billets perdus, remboursés",
            "Lost ticket refunded",
            "C1 + S1",
        ] {
            assert!(sheet.text().contains(words), "{words}: {}", sheet.text());
        }
        let counted = FLOAT_CENTS + 200 - cents;
        let closed = house
            .post(&clerk, "/shifts/close", json!({"counted_cents": counted}))
            .await
            .value();
        assert_eq!(closed["expected_cents"], json!(counted), "{closed}");

        // What is in the record is refused, and so is what proves nothing.
        let known = kept.ticket.claim_code.clone().unwrap();
        for (code, name) in [
            (known.as_str(), "ticket_not_lost"),
            (
                &forge(lost[1].ticket.claim_code.as_deref().unwrap()),
                "number_unknown",
            ),
            (&lost[1].ticket.control_number, "claim_code_needed"),
            ("KT2 no code", "code_unreadable"),
        ] {
            let order = refund(&house, &elsewhere, code, 200);
            let refusal = house
                .post(&elsewhere, "/lost-refunds", order)
                .await
                .refusal();
            assert_eq!(refusal.1, name, "{code}");
        }
    })
    .await;
}

/// The code with another secret, whose check signs are right.
fn forge(code: &str) -> String {
    let mut code = keno_wire::ClaimCode::parse(code).unwrap();
    code.secret[0] ^= 1;
    code.text()
}

#[actix_web::test]
async fn the_paper_of_another_house_and_people_who_may_not_are_refused() {
    let Restored { house, lost, .. } = restored(None, None).await;
    let theirs = House::new(None);
    let they = theirs.sign_on(1, "C1").await;
    let foreign = theirs.sell_printed(&they, &straight(&[7], 200, 1)).await;
    let clerk = house.sign_on(1, "C1").await;
    let code = lost[0].ticket.claim_code.clone().unwrap();
    let mut asked = Vec::new();
    let mut ask = |name: &'static str, change: &dyn Fn(&mut Value)| {
        let mut order = refund(&house, &clerk, &code, lost[0].ticket.total_cents);
        change(&mut order);
        asked.push((name, order));
    };
    ask("number_unknown", &|it| {
        it["code"] = json!(foreign.ticket.claim_code)
    });
    ask("badge_or_pin_wrong", &|it| it["second"] = second("C2"));
    ask("badge_or_pin_wrong", &|it| {
        it["second"]["pin"] = json!("0000")
    });
    ask("same_person_twice", &|it| it["second"] = second("C1"));
    ask("amount_invalid", &|it| it["amount_cents"] = json!(0));
    ask("amount_invalid", &|it| it["amount_cents"] = json!(i64::MAX));
    ask("tender_unknown", &|it| it["tender"] = json!("credit"));
    ask("reason_needed", &|it| it["reason"] = json!("  "));
    ask("cage_only", &|it| it["amount_cents"] = json!(1_000_000));
    ask("session_ended", &|it| it["key"]["session"] = json!(1));
    for (name, order) in asked {
        let answer = house.post(&clerk, "/lost-refunds", order.clone()).await;
        assert_eq!(answer.refusal().1, name, "{order}");
    }
    assert_eq!(verdict(&house, &clerk, &code).await, "record_lost");
    let auditor = house.sign_on(5, "A1").await;
    let order = refund(&house, &auditor, &code, 200);
    assert_eq!(
        house.post(&auditor, "/lost-refunds", order).await.refusal(),
        (403, "wrong_place".to_owned())
    );
}

#[actix_web::test]
async fn two_counters_at_once_give_it_back_once() {
    on_both(async |Restored { house, lost, .. }| {
        let clerk = house.sign_on(1, "C1").await;
        let elsewhere = house.sign_on(2, "C2").await;
        for sold in &lost {
            let code = sold.ticket.claim_code.as_deref().unwrap();
            let cents = sold.ticket.total_cents;
            let (one, other) = (
                refund(&house, &clerk, code, cents),
                refund(&house, &elsewhere, code, cents),
            );
            let (one, other) = tokio::join!(
                house.post(&clerk, "/lost-refunds", one),
                house.post(&elsewhere, "/lost-refunds", other)
            );
            let mut statuses = [one.status, other.status];
            statuses.sort_unstable();
            assert_eq!(statuses, [200, 409], "{} {}", one.text(), other.text());
        }
    })
    .await;
}
