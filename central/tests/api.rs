//! A ticket's life through the public door.

#![allow(clippy::unwrap_used, reason = "a test's failure is its own report")]

use crate::common::{House, second, straight, sure_prize_cents, sure_win};
use keno_wire::claim_code::ClaimCode;
use keno_wire::reply::{CancelReply, CheckReply, KeyReply, PayReply, SellReply, TicketView};
use serde_json::{Value, json};

#[actix_web::test]
async fn a_slip_is_priced_sold_checked_and_sold_only_once() {
    let house = House::new(None);
    let clerk = house.sign_on(1, "C1").await;
    let slip = straight(&[7, 18, 33, 42, 71], 200, 2);
    let order = house.order(&clerk, &slip).await;
    let sold: SellReply = house.post(&clerk, "/sales", order.clone()).await.ok();
    assert_eq!(sold.ticket.total_cents, 400);
    assert_eq!(sold.ticket.selections[0].groups, [[7, 18, 33, 42, 71]]);
    assert_eq!(
        (
            sold.ticket.first.draw,
            sold.ticket.last.draw,
            sold.ticket.draws
        ),
        (1, 2, 2)
    );
    assert_eq!(sold.ticket.terminal, "T01");
    assert!(!sold.repeated);
    let code = sold.ticket.claim_code.clone().unwrap();
    assert!(
        code.bytes()
            .all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
    );

    let again: SellReply = house.post(&clerk, "/sales", order.clone()).await.ok();
    assert!(again.repeated);
    assert_eq!(again.ticket.ticket, sold.ticket.ticket);
    // The same paper: the newest checkpoint beside the secret may be a newer one.
    let (first, repeated) = (
        ClaimCode::parse(&code).unwrap(),
        ClaimCode::parse(again.ticket.claim_code.as_deref().unwrap()).unwrap(),
    );
    assert_eq!(
        (first.control_number, first.copy, first.secret),
        (repeated.control_number, repeated.copy, repeated.secret)
    );

    let mut other = order;
    other["slip"]["draws"] = json!(1);
    other["total_cents"] = json!(200);
    let refused = house.post(&clerk, "/sales", other).await;
    assert_eq!(refused.refusal(), (409, "key_other_content".to_owned()));

    let check = house.check(&clerk, &code).await;
    assert_eq!(check.verdict.code, "not_yet_drawn");
    let ticket = check.ticket.unwrap();
    assert_eq!(ticket.claim_code, None);
    assert_eq!(
        TicketView {
            claim_code: Some(code),
            ..ticket
        },
        sold.ticket
    );
}

#[actix_web::test]
async fn once_the_paper_is_confirmed_the_secret_is_not_said_again() {
    let house = House::new(None);
    let clerk = house.sign_on(1, "C1").await;
    let order = house.order(&clerk, &straight(&[1], 100, 1)).await;
    let sold: SellReply = house.post(&clerk, "/sales", order.clone()).await.ok();
    let key = order["key"].clone();
    let known: KeyReply = house
        .post(&clerk, "/keys/question", json!({"key": key}))
        .await
        .ok();
    assert!(known.sale.unwrap().ticket.claim_code.is_some());
    let body = json!({"ticket": sold.ticket.ticket, "copy": 1, "how": "clerk"});
    assert_eq!(house.post_device(1, "/prints", body).await.status, 200);
    let again: SellReply = house.post(&clerk, "/sales", order).await.ok();
    assert_eq!((again.repeated, again.ticket.claim_code), (true, None));
    let known: KeyReply = house
        .post(&clerk, "/keys/question", json!({"key": key}))
        .await
        .ok();
    assert_eq!(known.sale.unwrap().ticket.claim_code, None);
}

#[actix_web::test]
async fn a_cancelled_ticket_is_given_back_once_and_its_verdict_says_when() {
    let house = House::new(None);
    let clerk = house.sign_on(1, "C1").await;
    let sold = house.sell_printed(&clerk, &straight(&[1, 2], 150, 3)).await;
    let code = sold.ticket.claim_code.unwrap();
    let order = json!({"key": house.key(&clerk), "code": code, "reason": "changed_mind"});
    let reply: CancelReply = house
        .post(&clerk, "/cancellations", order.clone())
        .await
        .ok();
    assert_eq!(
        (reply.refund_cents, reply.tender.as_str(), reply.repeated),
        (450, "cash", false)
    );
    let again: CancelReply = house.post(&clerk, "/cancellations", order).await.ok();
    assert_eq!((again.leaf, again.repeated), (reply.leaf, true));
    let other = json!({"key": house.key(&clerk), "code": code, "reason": "changed_mind"});
    let refused = house.post(&clerk, "/cancellations", other).await;
    assert_eq!(refused.refusal(), (409, "ticket_cancelled".to_owned()));
    let check = house.check(&clerk, &code).await;
    assert_eq!(check.verdict.code, "cancelled");
    assert!(
        check.verdict.sentence.en.contains("2026-11-20 12:00"),
        "{:?}",
        check.verdict
    );
    let bare =
        json!({"key": house.key(&clerk), "code": sold.ticket.control_number, "reason": "other"});
    let refused = house.post(&clerk, "/cancellations", bare).await;
    assert_eq!(refused.refusal(), (422, "claim_code_needed".to_owned()));
}

#[actix_web::test]
async fn a_prize_is_paid_once_at_the_amount_that_was_shown() {
    let house = House::new(None);
    let clerk = house.sign_on(1, "C1").await;
    let sold = house.sell_printed(&clerk, &sure_win(50, 2)).await;
    let code = sold.ticket.claim_code.clone().unwrap();
    house.until_settled(1);
    let check = house.check(&clerk, &code).await;
    assert_eq!(check.verdict.code, "winner");
    assert_eq!(check.payable_cents, Some(sure_prize_cents(50)));
    assert_eq!(check.draws[0].balls.len(), 20);
    assert_eq!(check.draws[0].caught, [20]);
    assert_eq!(check.draws[1].state, "to_come");
    let order = house.pay_order(&clerk, &code).await;
    let mut wrong = order.clone();
    wrong["items"][0]["amount_cents"] = json!(1);
    let refused = house.post(&clerk, "/payments", wrong).await;
    assert_eq!(refused.refusal(), (409, "amount_changed".to_owned()));
    let mut order = order;
    order["key"] = house.key(&clerk);
    let paid: PayReply = house.post(&clerk, "/payments", order.clone()).await.ok();
    assert_eq!(
        (paid.total_cents, paid.cash_cents, paid.draws_left),
        (3_000, 3_000, 1)
    );
    let again: PayReply = house.post(&clerk, "/payments", order.clone()).await.ok();
    assert_eq!((again.payment, again.repeated), (paid.payment, true));
    order["key"] = house.key(&clerk);
    let refused = house.post(&clerk, "/payments", order).await;
    assert_eq!(refused.refusal(), (409, "already_paid".to_owned()));

    // Not handed over: undone by two people, and payable again.
    let body = json!({"payment": paid.payment, "reason": "left", "second": second("C2")});
    let refused = house.post(&clerk, "/reversals", body).await;
    assert_eq!(refused.refusal(), (401, "badge_or_pin_wrong".to_owned()));
    let body = json!({"payment": paid.payment, "reason": "left", "second": second("S1")});
    assert_eq!(
        house.post(&clerk, "/reversals", body.clone()).await.status,
        200
    );
    let refused = house.post(&clerk, "/reversals", body).await;
    assert_eq!(refused.refusal(), (409, "payment_reversed".to_owned()));
    assert_eq!(house.check(&clerk, &code).await.payable_cents, Some(3_000));
}

#[actix_web::test]
async fn large_prizes_need_a_second_person_and_then_the_cage() {
    let house = House::new(None);
    let clerk = house.sign_on(1, "C1").await;
    let cage = house.sign_on(8, "S2").await;
    let sold = house.sell_printed(&clerk, &sure_win(2_000, 5)).await;
    let code = sold.ticket.claim_code.unwrap();
    house.until_settled(1);
    let check = house.check(&clerk, &code).await;
    assert_eq!(
        (check.payable_cents, check.second_person),
        (Some(120_000), true)
    );
    let mut order = house.pay_order(&clerk, &code).await;
    let refused = house.post(&clerk, "/payments", order.clone()).await;
    assert_eq!(refused.refusal(), (403, "second_person_needed".to_owned()));
    order["second"] = second("C1");
    let refused = house.post(&clerk, "/payments", order.clone()).await;
    assert_eq!(refused.refusal(), (403, "same_person_twice".to_owned()));
    order["second"] = json!({"badge": "S1", "pin": "wrong"});
    let refused = house.post(&clerk, "/payments", order.clone()).await;
    assert_eq!(refused.refusal(), (401, "badge_or_pin_wrong".to_owned()));
    house.until_settled(5);
    let mut order = house.pay_order(&clerk, &code).await;
    assert_eq!(
        house.check(&clerk, &code).await.verdict.code,
        "winner_at_cage"
    );
    order["second"] = second("S1");
    let refused = house.post(&clerk, "/payments", order).await;
    assert_eq!(refused.refusal(), (403, "cage_only".to_owned()));
    let mut order = house.pay_order(&cage, &code).await;
    order["second"] = second("S1");
    let paid: PayReply = house.post(&cage, "/payments", order).await.ok();
    assert_eq!(
        (paid.total_cents, paid.second.as_deref()),
        (600_000, Some("S1"))
    );
}

#[actix_web::test]
async fn a_bare_number_never_shows_an_amount_and_is_never_paid() {
    let house = House::new(None);
    let clerk = house.sign_on(1, "C1").await;
    let sold = house.sell_printed(&clerk, &sure_win(2_000, 5)).await;
    let number = sold.ticket.control_number.clone();
    let code = sold.ticket.claim_code.unwrap();
    house.until_settled(5);
    for answer in [
        house.post_nobody("/checks", json!({"code": number})).await,
        house
            .post_device(3, "/checks", json!({"code": number}))
            .await,
    ] {
        let text = answer.text().to_owned();
        let reply: CheckReply = answer.ok();
        // Not even that it is one for the cage.
        assert_eq!(reply.verdict.code, "winner");
        assert!(reply.payable_cents.is_none() && reply.ticket.is_none() && reply.draws.is_empty());
        assert!(!text.contains("600") && !text.contains("120"), "{text}");
    }
    let whole: CheckReply = house
        .post_device(3, "/checks", json!({"code": code}))
        .await
        .ok();
    assert_eq!(whole.payable_cents, Some(600_000));
    assert_eq!(whole.ticket.unwrap().claim_code, None);
    // Nobody on the staff sees more, and no two of them pay it.
    let person = house.check(&clerk, &number).await;
    assert_eq!(person.payable_cents, None);
    assert!(person.code_needed && person.ticket.is_none() && person.payable.is_empty());
    let sentence = &person.verdict.sentence;
    assert!(sentence.fr.contains("le code du papier"), "{sentence:?}");
    let items = json!([{"draw": 1, "amount_cents": 120_000}]);
    let order = json!({
        "key": house.key(&clerk), "code": number, "items": items, "second": second("S1"),
    });
    let refused = house.post(&clerk, "/payments", order).await;
    assert_eq!(refused.refusal(), (422, "claim_code_needed".to_owned()));
    let content = json!({"what": "payment", "code": number, "items": items});
    let asked = house
        .post(&clerk, "/approvals", json!({"content": content}))
        .await;
    assert_eq!(asked.refusal(), (422, "claim_code_needed".to_owned()));
}

#[actix_web::test]
async fn guessing_numbers_is_made_slow_for_the_kiosk_that_guesses() {
    let house = House::new(None);
    let clerk = house.sign_on(1, "C1").await;
    let sold = house.sell(&clerk, &straight(&[9], 100, 1)).await;
    let guess = |payload: u64| {
        keno_game::ControlNumber::from_payload(payload)
            .unwrap()
            .digits()
    };
    for payload in 1..=5 {
        let reply: CheckReply = house
            .post_device(3, "/checks", json!({"code": guess(payload)}))
            .await
            .ok();
        assert_eq!(
            (reply.verdict.code.as_str(), reply.state),
            ("not_found", None)
        );
    }
    let known = json!({"code": sold.ticket.control_number});
    let refused = house.post_device(3, "/checks", known.clone()).await;
    assert_eq!(refused.refusal(), (429, "too_many_unknown".to_owned()));
    assert_eq!(refused.header("retry-after"), "60");
    assert_eq!(
        house.post_device(4, "/checks", known.clone()).await.status,
        200
    );
    house.clock.advance(60_000);
    assert_eq!(house.post_device(3, "/checks", known).await.status, 200);
    let mistyped = house
        .post_device(3, "/checks", json!({"code": "0731552890146664"}))
        .await;
    assert_eq!(mistyped.refusal(), (422, "number_mistyped".to_owned()));
}

#[actix_web::test]
async fn a_duplicate_has_its_own_code_and_kills_the_old_paper() {
    let house = House::new(None);
    let clerk = house.sign_on(1, "C1").await;
    let sold = house.sell_printed(&clerk, &straight(&[9], 100, 1)).await;
    let old = sold.ticket.claim_code.unwrap();
    let body = json!({"code": old, "reason": "torn", "second": second("S1")});
    let copy: TicketView = house.post(&clerk, "/duplicates", body).await.ok();
    assert_eq!(
        (copy.copy, &copy.control_number),
        (2, &sold.ticket.control_number)
    );
    let new = copy.claim_code.unwrap();
    assert_ne!(
        ClaimCode::parse(&new).unwrap().secret,
        ClaimCode::parse(&old).unwrap().secret
    );
    assert_eq!(house.check(&clerk, &old).await.verdict.code, "replaced");
    assert_eq!(
        house.check(&clerk, &new).await.verdict.code,
        "not_yet_drawn"
    );
    let cancel = json!({"key": house.key(&clerk), "code": old, "reason": "other"});
    let refused = house.post(&clerk, "/cancellations", cancel).await;
    assert_eq!(refused.refusal(), (409, "copy_replaced".to_owned()));
}

#[actix_web::test]
async fn a_duplicate_is_made_of_a_paper_or_of_a_print_that_nobody_confirmed() {
    let house = House::new(None);
    let clerk = house.sign_on(1, "C1").await;
    let make = |code: &str| {
        let body = json!({"code": code, "reason": "torn", "second": second("S1")});
        house.post(&clerk, "/duplicates", body)
    };
    let sold = house
        .sell_printed(&clerk, &straight(&[9], 100, 1))
        .await
        .ticket;
    // Neither the number nor the leaf is a paper.
    for named in [sold.control_number.clone(), format!("#{}", sold.ticket)] {
        let refused = make(&named).await;
        assert_eq!(refused.refusal(), (422, "claim_code_needed".to_owned()));
    }
    let code = sold.claim_code.unwrap();
    assert_eq!(make(&code).await.status, 200);
    // The second copy is not known to have come out: the dead paper's code will do, its leaf too.
    assert_eq!(make(&code).await.status, 200);
    let fourth: TicketView = make(&format!("#{}", sold.ticket)).await.ok();
    assert_eq!(fourth.copy, 4);
    let refused = make(&fourth.claim_code.unwrap()).await;
    assert_eq!(refused.refusal(), (409, "copies_used_up".to_owned()));
}

#[actix_web::test]
async fn a_replaced_paper_that_is_shown_holds_both_until_two_people_have_looked() {
    let house = House::new(None);
    let clerk = house.sign_on(1, "C1").await;
    let sold = house.sell_printed(&clerk, &sure_win(50, 1)).await.ticket;
    let old = sold.claim_code.unwrap();
    let body = json!({"code": old, "reason": "wet", "second": second("S1")});
    let copy: TicketView = house.post(&clerk, "/duplicates", body).await.ok();
    let printed = json!({"ticket": copy.ticket, "copy": 2, "how": "clerk"});
    house.post(&clerk, "/prints", printed).await;
    let new = copy.claim_code.unwrap();
    house.until_settled(1);
    let order = house.pay_order(&clerk, &new).await;
    let shown = json!({"code": old, "facts": [4], "note": "shown by another"});
    assert_eq!(
        house
            .post(&clerk, "/discrepancies", shown.clone())
            .await
            .status,
        200
    );
    let refused = house.post(&clerk, "/payments", order.clone()).await;
    assert_eq!(refused.refusal(), (409, "ticket_held".to_owned()));
    assert_eq!(house.check(&clerk, &new).await.verdict.code, "in_doubt");
    let release = json!({"code": new, "evidence": "the holder's", "second": second("S1")});
    assert_eq!(house.post(&clerk, "/releases", release).await.status, 200);
    // From here on the dead paper blocks nobody.
    assert_eq!(
        house.post(&clerk, "/discrepancies", shown).await.status,
        200
    );
    assert_eq!(house.post(&clerk, "/payments", order).await.status, 200);
}

#[actix_web::test]
async fn a_held_ticket_is_released_on_evidence_and_an_unpaid_one_is_void() {
    let house = House::new(None);
    let clerk = house.sign_on(1, "C1").await;
    let supervisor = house.sign_on(2, "S1").await;
    let held = house.sell(&clerk, &sure_win(50, 1)).await;
    let unpaid = house.sell_printed(&clerk, &straight(&[9], 100, 1)).await;
    let body = json!({"code": unpaid.ticket.claim_code, "second": second("S1")});
    assert_eq!(house.post(&clerk, "/unpaid", body).await.status, 200);
    house.until_settled(1);
    let code = held.ticket.claim_code.unwrap();
    assert_eq!(house.check(&clerk, &code).await.verdict.code, "in_doubt");
    assert_eq!(
        house
            .check(&clerk, &unpaid.ticket.control_number)
            .await
            .verdict
            .code,
        "void_unpaid"
    );
    let order = json!({"key": house.key(&clerk), "code": code, "items": [{"draw": 1, "amount_cents": 3000}]});
    let refused = house.post(&clerk, "/payments", order).await;
    assert_eq!(refused.refusal(), (409, "ticket_held".to_owned()));
    let body = json!({"code": code, "evidence": "the paper is whole", "second": second("C1")});
    let refused = house.post(&clerk, "/releases", body.clone()).await;
    assert_eq!(refused.status, 403);
    assert_eq!(house.post(&supervisor, "/releases", body).await.status, 200);
    assert_eq!(house.check(&clerk, &code).await.verdict.code, "winner");
}

#[actix_web::test]
async fn keys_are_asked_and_closed() {
    let house = House::new(None);
    let clerk = house.sign_on(1, "C1").await;
    let order = house.order(&clerk, &straight(&[9], 100, 1)).await;
    let key = json!({"key": order["key"]});
    let known: KeyReply = house.post(&clerk, "/keys/question", key.clone()).await.ok();
    assert_eq!(known.state, "unknown");
    let closed: KeyReply = house.post(&clerk, "/keys/close", key.clone()).await.ok();
    assert_eq!(closed.state, "closed");
    let late = house.post(&clerk, "/sales", order).await;
    assert_eq!(late.refusal(), (409, "key_closed".to_owned()));
    let known: KeyReply = house.post(&clerk, "/keys/question", key).await.ok();
    assert_eq!(known.state, "closed");
    // A counter that the record cannot count is nobody's, and not the last one that it can.
    for counter in [i64::MAX as u64 + 1, u64::MAX] {
        let mut order = house.order(&clerk, &straight(&[9], 100, 1)).await;
        order["key"]["counter"] = json!(counter);
        let key = json!({"key": order["key"]});
        let sold = house.post(&clerk, "/sales", order).await;
        assert_eq!(sold.refusal().1, "key_foreign");
        let closed = house.post(&clerk, "/keys/close", key.clone()).await;
        assert_eq!(closed.refusal().1, "key_foreign");
        let known: KeyReply = house.post(&clerk, "/keys/question", key).await.ok();
        assert_eq!(known.state, "unknown");
    }
    let mut last = house.order(&clerk, &straight(&[9], 100, 1)).await;
    last["key"]["counter"] = json!(i64::MAX);
    assert_eq!(house.post(&clerk, "/sales", last).await.status, 200);
}

#[actix_web::test]
async fn a_slip_at_fault_names_selection_and_field() {
    let house = House::new(None);
    let clerk = house.sign_on(1, "C1").await;
    let slip = json!({"selections": [
        {"type": "straight", "numbers": [1, 2], "wager_cents": 100},
        {"type": "straight", "numbers": [3, 81], "wager_cents": 100},
    ], "draws": 1});
    let problem = house
        .post(&clerk, "/prices", json!({"slip": slip}))
        .await
        .problem();
    assert_eq!(
        (problem.status, problem.name()),
        (422, "number_out_of_range")
    );
    assert_eq!(
        (problem.selection, problem.field.as_deref()),
        (Some(1), Some("numbers"))
    );
    house.until_closed(1);
    let mut late = straight(&[9], 100, 1);
    late["first_draw"] = json!(1);
    let problem = house
        .post(&clerk, "/prices", json!({"slip": late}))
        .await
        .problem();
    assert_eq!(
        (problem.status, problem.name(), problem.next_draw),
        (409, "draw_closed", Some(2))
    );
}

#[actix_web::test]
async fn the_audit_office_sees_the_whole_life_and_is_seen_looking() {
    let house = House::new(None);
    let clerk = house.sign_on(1, "C1").await;
    let auditor = house.sign_on(5, "A1").await;
    let before = house.sell_printed(&clerk, &sure_win(50, 1)).await.ticket;
    let sold = house.sell_printed(&clerk, &sure_win(50, 1)).await;
    let after = house.sell_printed(&clerk, &sure_win(50, 1)).await.ticket;
    let code = sold.ticket.claim_code.unwrap();
    house.until_settled(1);
    let order = house.pay_order(&clerk, &code).await;
    assert_eq!(house.post(&clerk, "/payments", order).await.status, 200);
    let note = json!({"code": code, "facts": [1], "note": "08 for 07"});
    assert_eq!(house.post(&clerk, "/discrepancies", note).await.status, 200);
    let path = "/audit/tickets";
    let look = |purpose: &str| json!({"code": sold.ticket.control_number, "purpose": purpose});
    let asked = house.post(&clerk, path, look("claim")).await;
    assert_eq!(asked.refusal(), (403, "wrong_place".to_owned()));
    for wrong in ["", "gossip"] {
        let asked = house.post(&auditor, path, look(wrong)).await;
        assert_eq!(asked.problem().field.as_deref(), Some("purpose"));
    }
    let answer = house.post(&auditor, path, look("claim")).await;
    // Neighbours are told by reference: who looks one ticket up holds no other.
    let text = answer.text().to_owned();
    let found: Value = answer.ok();
    for (side, ticket) in [("before", &before), ("after", &after)] {
        assert!(!text.contains(&ticket.control_number), "{text}");
        assert_eq!(found[side]["ticket"], json!(ticket.ticket));
        let number = found[side]["number"].as_str().unwrap();
        assert!(number.starts_with("••••") && number.ends_with(&ticket.control_number[12..]));
    }
    // They are looked up by that, with a purpose, and their number stays masked.
    let by_leaf =
        |purpose: &str| json!({"code": format!("#{}", before.ticket), "purpose": purpose});
    let asked = house.post(&auditor, path, by_leaf("")).await;
    assert_eq!(asked.problem().field.as_deref(), Some("purpose"));
    let answer = house.post(&auditor, path, by_leaf("inquiry")).await;
    assert!(!answer.text().contains(&before.control_number));
    assert_eq!(answer.value()["ticket"]["ticket"], json!(before.ticket));
    let no_ticket = json!({"code": "#0", "purpose": "inquiry"});
    let asked = house.post(&auditor, path, no_ticket).await;
    assert_eq!(asked.refusal(), (404, "number_unknown".to_owned()));
    let kinds: Vec<&str> = found["life"]
        .as_array()
        .unwrap()
        .iter()
        .map(|fact| fact["kind"].as_str().unwrap())
        .collect();
    assert_eq!(
        kinds,
        [
            "TicketSold",
            "PrintConfirmed",
            "PrizePaid",
            "DiscrepancyNoted"
        ]
    );
    assert_eq!(found["verdict"]["code"], "already_paid");
    assert_eq!(found["draws"][0]["agrees"], true);
    assert_eq!(found["draws"][0]["recomputed"][0]["payable_cents"], 3_000);
    assert_eq!(
        found["draws"][0]["recomputed"][0]["catches"],
        "20 × 1/1, 60 × 0/1"
    );
    assert_eq!(found["ticket"]["claim_code"], Value::Null);
}

#[actix_web::test]
async fn postgresql_answers_as_sqlite_does() {
    let database = keno_testing::empty_postgres_database().unwrap();
    let house = House::new(Some(database.address()));
    let clerk = house.sign_on(1, "C1").await;
    let auditor = house.sign_on(5, "A1").await;
    let sold = house.sell_printed(&clerk, &sure_win(50, 1)).await;
    let code = sold.ticket.claim_code.unwrap();
    house.until_settled(1);
    let order = house.pay_order(&clerk, &code).await;
    let paid: PayReply = house.post(&clerk, "/payments", order).await.ok();
    assert_eq!(paid.total_cents, sure_prize_cents(50));
    let look = json!({"code": code, "purpose": "sampling"});
    let found: Value = house.post(&auditor, "/audit/tickets", look).await.ok();
    assert_eq!(found["draws"][0]["agrees"], true);
    assert_eq!(found["inclusion"]["included"], true);
    assert_eq!(house.get("/healthz").await.status, 200);
}
