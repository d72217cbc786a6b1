//! A house's day through the public door: sessions, tills, draws, rules, and requests that cannot be read.

#![allow(clippy::unwrap_used, reason = "a test's failure is its own report")]

use crate::common::printed::Printed;
use crate::common::{FLOAT_CENTS, House, pin_of, second, straight};
use actix_web::test::TestRequest;
use keno_game::DrawState;
use keno_service::house_file::Tls;
use keno_wire::reply::SignOnReply;
use serde_json::{Value, json};

#[actix_web::test]
async fn devices_and_sessions_are_recognised_or_refused() {
    let house = House::new(None);
    let clerk = house.sign_on(1, "C1").await;
    assert_eq!(clerk.shift, Some(1));
    let price = json!({"slip": straight(&[9], 100, 1)});
    let answer = house.post_nobody("/prices", price.clone()).await;
    assert_eq!(answer.refusal(), (401, "device_unknown".to_owned()));
    let mut stranger = clerk.clone();
    stranger.device_header = format!("1.{}", "ab".repeat(32));
    let answer = house.post(&stranger, "/prices", price.clone()).await;
    assert_eq!(answer.refusal(), (401, "device_unknown".to_owned()));
    let sale = house.order(&clerk, &straight(&[9], 100, 1)).await;
    let answer = house.post_device(1, "/sales", sale.clone()).await;
    assert_eq!(answer.refusal(), (401, "not_signed_in".to_owned()));
    let mut elsewhere = clerk.clone();
    elsewhere.device_header = house.device_header(2);
    let answer = house.post(&elsewhere, "/sales", sale.clone()).await;
    assert_eq!(answer.refusal(), (401, "session_elsewhere".to_owned()));
    let wrong = json!({"badge": "C2", "pin": "0000"});
    for _ in 0..5 {
        let answer = house.post_device(2, "/sessions", wrong.clone()).await;
        assert_eq!(answer.refusal(), (401, "badge_or_pin_wrong".to_owned()));
    }
    let right = json!({"badge": "C2", "pin": pin_of("C2")});
    let answer = house.post_device(2, "/sessions", right.clone()).await;
    assert_eq!(answer.refusal(), (429, "locked_out".to_owned()));
    house.clock.advance(300_000);
    house.tick();
    let reply: SignOnReply = house.post_device(2, "/sessions", right).await.ok();
    assert_eq!((reply.roles, reply.shift), (vec!["clerk".to_owned()], None));
    let request = clerk.sign(TestRequest::delete().uri("/api/v1/sessions/current"));
    assert_eq!(house.call(request).await.status, 200);
    let answer = house.post(&clerk, "/sales", sale).await;
    assert_eq!(answer.refusal(), (401, "session_ended".to_owned()));
}

#[actix_web::test]
async fn a_till_is_counted_blind() {
    let house = House::new(None);
    let clerk = house.sign_on(1, "C1").await;
    house.sell(&clerk, &straight(&[9], 100, 1)).await;
    let answer = house
        .post(
            &clerk,
            "/shifts/close",
            json!({"counted_cents": FLOAT_CENTS}),
        )
        .await;
    let reply: Value = answer.ok();
    assert_eq!(reply["expected_cents"], json!(FLOAT_CENTS + 100));
    assert_eq!(reply["difference_cents"], json!(-100));
    let sale = house.order(&clerk, &straight(&[9], 100, 1)).await;
    let refused = house.post(&clerk, "/sales", sale).await;
    assert_eq!(refused.refusal(), (409, "no_open_till".to_owned()));
}

#[actix_web::test]
async fn requests_that_cannot_be_read_are_told_why() {
    let house = House::new(None);
    let clerk = house.sign_on(1, "C1").await;
    let of_kind = |kind: &'static str, body: String| {
        let request = TestRequest::post().uri("/api/v1/prices").set_payload(body);
        clerk.sign(match kind {
            "" => request,
            kind => request.insert_header(("content-type", kind)),
        })
    };
    let raw = |body: String| of_kind("application/json", body);
    let answer = house.call(raw("{".to_owned())).await;
    assert_eq!(answer.refusal(), (400, "malformed_request".to_owned()));
    let answer = house.call(raw("{\"slip\":{},\"tip\":1}".to_owned())).await;
    assert_eq!(answer.problem().field.as_deref(), Some("selections"));
    let answer = house
        .post(
            &clerk,
            "/prices",
            json!({"slip": straight(&[1], 100, 1), "tip": 1}),
        )
        .await;
    assert_eq!(answer.problem().field.as_deref(), Some("tip"));
    let answer = house.call(raw(" ".repeat(64 * 1024 + 1))).await;
    assert_eq!(answer.refusal(), (413, "body_too_large".to_owned()));
    // JSON is told by its content type alone: what it looks like says nothing.
    let price = json!({"slip": straight(&[1], 100, 1)}).to_string();
    for (kind, status) in [
        ("application/json", 200),
        ("application/json; charset=utf-8", 200),
        ("Application/JSON", 200),
        ("", 415),
        ("text/plain", 415),
        ("text/json", 415),
        ("application/jsonp", 415),
        ("application/x-www-form-urlencoded", 415),
        ("nonsense", 415),
    ] {
        let answer = house.call(of_kind(kind, price.clone())).await;
        assert_eq!(answer.status, status, "{kind}");
        if status == 415 {
            let refused = (415, "media_type_unsupported".to_owned());
            assert_eq!(answer.refusal(), refused, "{kind}");
        }
    }
    // Who may not ask is told that first.
    let unsigned = TestRequest::post().uri("/api/v1/prices").set_payload(price);
    assert_eq!(house.call(unsigned).await.status, 401);
    let answer = house.get("/api/v1/nothing").await;
    assert_eq!(answer.refusal(), (404, "path_unknown".to_owned()));
    let answer = house.get("/api/v1/sales").await;
    assert_eq!(answer.refusal(), (405, "method_not_allowed".to_owned()));
    assert_eq!(answer.header("allow"), "POST");
}

#[actix_web::test]
async fn people_interrupt_resume_and_void_draws_and_stop_sales() {
    let house = House::new(None);
    let clerk = house.sign_on(1, "C1").await;
    let supervisor = house.sign_on(2, "S1").await;
    let sold = house.sell_printed(&clerk, &straight(&[9], 100, 2)).await;
    house.until_closed(1);
    let reason = json!({"reason": "the machine stopped"});
    let refused = house.post(&clerk, "/draws/1/suspend", reason.clone()).await;
    assert_eq!(refused.refusal(), (403, "wrong_role".to_owned()));
    assert_eq!(
        house
            .post(&supervisor, "/draws/1/suspend", reason.clone())
            .await
            .status,
        200
    );
    let refused = house
        .post(&supervisor, "/draws/1/resume", reason.clone())
        .await;
    assert_eq!(refused.refusal(), (403, "second_person_needed".to_owned()));
    let two = json!({"reason": "the machine broke", "second": second("S2")});
    assert_eq!(
        house
            .post(&supervisor, "/draws/1/resume", two.clone())
            .await
            .status,
        200
    );
    assert_eq!(
        house
            .post(&supervisor, "/draws/1/void", two.clone())
            .await
            .status,
        200
    );
    let refused = house.post(&supervisor, "/draws/1/void", two.clone()).await;
    assert_eq!(refused.refusal(), (409, "draw_step_refused".to_owned()));
    let refused = house.post(&supervisor, "/draws/999/void", two).await;
    assert_eq!(refused.status, 404);
    let code = sold.ticket.claim_code.unwrap();
    let check = house.check(&clerk, &code).await;
    assert_eq!(
        (check.verdict.code.as_str(), check.payable_cents),
        ("draw_cancelled", Some(100))
    );

    let body = json!({"reason": "improbable wins"});
    assert_eq!(
        house.post(&supervisor, "/house/suspend", body).await.status,
        200
    );
    let refused = house
        .post(&clerk, "/prices", json!({"slip": straight(&[1], 100, 1)}))
        .await;
    assert_eq!(refused.refusal(), (409, "sales_suspended".to_owned()));
    let body = json!({"second": second("S2")});
    assert_eq!(
        house
            .post(&supervisor, "/house/resume", body.clone())
            .await
            .status,
        200
    );
    assert_eq!(house.price(&clerk, &straight(&[1], 100, 1)).await, 100);
    let refused = house.post(&supervisor, "/schedule/confirm", body).await;
    assert_eq!(refused.refusal(), (409, "not_halted".to_owned()));
}

#[actix_web::test]
async fn no_endpoint_serves_a_number_before_its_moment() {
    let house = House::new(None);
    house.until(1, &[DrawState::Drawn]);
    // The numbers are recorded, and none may be seen.
    let starts_ms = house.central.view.get().draws[&1]
        .reveal_starts_ms()
        .unwrap();
    assert!(house.central.clock.now_ms() < starts_ms);
    let balls_leaf = house.central.view.get().draws[&1]
        .leaves()
        .iter()
        .find(|(kind, _, _)| *kind == keno_log::EventKind::BallsRecorded)
        .map(|(_, leaf, _)| *leaf)
        .unwrap();
    let balls = |answer: &crate::common::Answer| answer.value()["balls"].as_array().unwrap().len();
    let entry = format!("/log/entries/{balls_leaf}");
    assert_eq!(balls(&house.get("/api/v1/draws/1").await), 0);
    assert_eq!(house.get(&entry).await.value()["body"], Value::Null);
    assert_eq!(house.get(&entry).await.value()["nonce"], Value::Null);
    assert_eq!(
        house.get("/api/v1/draws/1/transcript").await.refusal(),
        (409, "result_not_official".to_owned())
    );
    assert_eq!(
        house.get("/api/v1/draws/1/certificate").await.refusal(),
        (409, "result_not_official".to_owned())
    );
    assert_eq!(house.get("/draws/1/certificate.pdf").await.status, 404);
    let lead_ms = starts_ms - house.central.clock.now_ms();
    house.clock.advance(lead_ms + 2_000 * 18);
    assert_eq!(balls(&house.get("/api/v1/draws/1").await), 19);
    assert_eq!(house.get(&entry).await.value()["body"], Value::Null);
    house.clock.advance(4_000);
    house.tick();
    let shown = house.get("/api/v1/draws/last").await.value();
    assert_eq!(shown["balls"].as_array().unwrap().len(), 20);
    assert!(house.get(&entry).await.value()["body"].is_string());
    let transcript = house.get("/api/v1/draws/1/transcript").await.value();
    assert_eq!(transcript["balls"], shown["balls"]);
    // What the page of the draw publishes is what the machine's own program reads and computes again.
    let published = house.get("/draws/1/transcript.json").await;
    let read = keno_draw::published::from_json(published.text()).unwrap();
    read.check().unwrap();
    assert_eq!(json!(read.balls), shown["balls"]);
    assert_eq!(house.get("/draws/2/transcript.json").await.status, 404);
    let page = house.get("/draws/1").await;
    let next = house.get("/draws/2").await;
    for file in ["transcript.json", "certificate.pdf"] {
        assert!(page.text().contains(&format!("href=\"/draws/1/{file}\"")));
        assert!(!next.text().contains(file));
    }
    assert_eq!(transcript["holders"].as_array().unwrap().len(), 2);
}

#[actix_web::test]
async fn a_certificate_leads_to_the_page_of_its_draw_where_the_house_has_an_address() {
    let certificate = async |house: House| {
        house.until_settled(1);
        let answer = house.get("/draws/1/certificate.pdf").await;
        assert_eq!(answer.header("content-type"), "application/pdf");
        assert!(
            answer
                .header("content-disposition")
                .ends_with("-certificate-1.pdf\"")
        );
        Printed::new(&answer.body)
    };
    let of_house = certificate(House::with_file(|file| {
        file.tls = Some(Tls {
            listen: "0.0.0.0:8443".parse().unwrap(),
            public: "0.0.0.0:8444".parse().unwrap(),
            names: vec!["10.0.0.5".to_owned(), "keno.example.org".to_owned()],
        });
    }))
    .await;
    let address = "https://keno.example.org:8444/draws/1";
    assert_eq!(of_house.codes(), [address]);
    let text = of_house.text();
    assert!(
        text.lines()
            .any(|line| line.ends_with(&format!(" {address}"))),
        "{text}"
    );
    assert!(text.contains(&format!("{address}/transcript.json")));
    // A house without one says no address, and shows no code.
    let without = certificate(House::new(None)).await;
    let text = without.text();
    assert!(
        !text.contains("https://") && text.contains(" /draws/1/transcript.json"),
        "{text}"
    );
    assert_eq!(without.codes(), Vec::<String>::new());
}

#[actix_web::test]
async fn rules_are_shown_with_their_certificate_and_published_by_two_people() {
    let house = House::new(None);
    let administrator = house.sign_on(6, "X1").await;
    let rules: Value = house.get("/api/v1/rules/current").await.ok();
    assert_eq!(rules["version"], 1);
    assert_eq!(rules["text"], crate::common::RULES);
    assert!(rules["certificate"].as_array().unwrap().len() >= 10);
    let text = crate::common::RULES.replace("version = 1", "version = 2");
    let mut body = json!({"text": text, "effective_from": 100, "second": second("C1")});
    let refused = house.post(&administrator, "/rules", body.clone()).await;
    assert_eq!(refused.refusal(), (401, "badge_or_pin_wrong".to_owned()));
    body["second"] = second("S1");
    assert_eq!(
        house
            .post(&administrator, "/rules", body.clone())
            .await
            .status,
        200
    );
    let refused = house.post(&administrator, "/rules", body.clone()).await;
    assert_eq!(refused.refusal(), (409, "rule_book_version".to_owned()));
    body["text"] = json!("format = 3\nversion = 3\n");
    let refused = house.post(&administrator, "/rules", body).await;
    assert_eq!(refused.refusal(), (422, "rule_book_faulty".to_owned()));
}
