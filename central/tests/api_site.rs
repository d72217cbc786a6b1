//! The published log, live events, pages, health, the headers that every answer carries, and what is
//! answered alike (in `shared`).

#![allow(clippy::unwrap_used, reason = "a test's failure is its own report")]

mod heads;
mod problems;
mod shared;

use crate::common::{Answer, House, blocking, pin_of, straight, sure_win};
use actix_web::http::header;
use actix_web::test::TestRequest;
use actix_web::web;
use keno_central::server::{ServeFault, serve};
use keno_log::checkpoint::{self, VerifyingKey};
use keno_log::proof::{verify_consistency, verify_inclusion};
use keno_record::roles::DeviceRole;
use keno_service::staff::{DeviceNumber, Origin, Recognised};
use serde_json::Value;

fn hash(value: &Value) -> [u8; 32] {
    hex::decode(value.as_str().unwrap())
        .unwrap()
        .try_into()
        .unwrap()
}

fn hashes(value: &Value) -> Vec<[u8; 32]> {
    value.as_array().unwrap().iter().map(hash).collect()
}

/// Waits until the publisher's thread has signed a head of at least `size` leaves.
async fn signed(house: &House, size: u64) -> (u64, [u8; 32]) {
    loop {
        match house.central.checkpoint() {
            Some(newest) if newest.size >= size => return (newest.size, newest.root),
            _ => tokio::task::yield_now().await,
        }
    }
}

#[actix_web::test]
async fn the_published_log_proves_itself() {
    let house = House::new(None);
    let clerk = house.sign_on(1, "C1").await;
    let (old_size, old_root) = signed(&house, 20).await;
    // More than one full tile.
    let mut last = 0;
    for _ in 0..300 {
        last = house
            .sell(&clerk, &straight(&[9], 100, 1))
            .await
            .ticket
            .ticket;
    }
    let (size, root) = signed(&house, last + 1).await;
    let note = house.get("/log/checkpoint").await;
    let log_key = house
        .central
        .view
        .get()
        .house
        .as_ref()
        .unwrap()
        .log_key
        .clone();
    let key = VerifyingKey::parse(&log_key).unwrap();
    let read = checkpoint::open(note.text(), &key).unwrap();
    assert_eq!((read.size, read.root), (size, root));

    for index in [0, old_size, 255, 256, size - 1] {
        let found = house
            .get(&format!("/log/inclusion/{index}?size={size}"))
            .await
            .value();
        let leaf = hash(&found["leaf_hash"]);
        let proof = hashes(&found["proof"]);
        assert_eq!(
            verify_inclusion(&leaf, index, size, &proof, &root),
            Ok(()),
            "{index}"
        );
        assert!(verify_inclusion(&leaf, index + 1, size, &proof, &root).is_err());
        let entry = house.get(&format!("/log/entries/{index}")).await.value();
        assert_eq!(hash(&entry["leaf_hash"]), leaf);
    }
    let found = house
        .get(&format!("/log/consistency?from={old_size}&to={size}"))
        .await
        .value();
    let proof = hashes(&found["proof"]);
    assert_eq!(
        verify_consistency(old_size, size, &old_root, &root, &proof),
        Ok(())
    );
    assert!(verify_consistency(old_size, size, &[7; 32], &root, &proof).is_err());

    let full = house.get("/log/tile/0/000").await;
    assert_eq!((full.status, full.body.len()), (200, 256 * 32));
    assert!(full.header("cache-control").contains("immutable"));
    let width = size - 256;
    let partial = house.get(&format!("/log/tile/0/001.p/{width}")).await;
    assert_eq!(partial.body.len() as u64, width * 32);
    assert_eq!(partial.header("cache-control"), "no-cache");
    let above = house.get("/log/tile/1/000.p/1").await;
    let (leaves, _) = full.body.as_chunks::<32>();
    assert_eq!(above.body, keno_log::tree::root_of(leaves));
    let too_wide = format!("/log/tile/0/001.p/{}", width + 1);
    for missing in [
        too_wide.as_str(),
        "/log/tile/0/002",
        "/log/tile/9/000",
        "/log/tile/x",
    ] {
        assert_eq!(house.get(missing).await.status, 404, "{missing}");
    }
    for missing in [
        "/log/inclusion/5?size=5",
        "/log/inclusion/1?size=99999",
        "/log/entries/99999",
    ] {
        assert_eq!(house.get(missing).await.status, 404, "{missing}");
    }
    assert_eq!(house.get("/log/consistency?from=1").await.status, 400);
}

#[actix_web::test]
async fn bodies_of_private_facts_are_never_shown() {
    let house = House::new(None);
    let clerk = house.sign_on(1, "C1").await;
    let sold = house.sell(&clerk, &straight(&[9], 100, 1)).await;
    let entry = house
        .get(&format!("/log/entries/{}", sold.ticket.ticket))
        .await
        .value();
    assert_eq!(
        (entry["kind"].as_str(), &entry["body"], &entry["nonce"]),
        (Some("TicketSold"), &Value::Null, &Value::Null)
    );
    let size = house.central.view.get().log_size;
    for index in 0..size {
        let entry = house.get(&format!("/log/entries/{index}")).await.value();
        let kind = entry["kind"].as_str().unwrap();
        let is_shown = entry["body"].is_string();
        let kind = keno_log::EventKind::ALL
            .iter()
            .find(|of| of.name() == kind)
            .unwrap();
        assert_eq!(is_shown, kind.is_public(), "{index} {kind:?}");
    }
}

#[actix_web::test]
async fn every_answer_carries_the_headers_and_pages_hold_nothing_inline() {
    let house = House::new(None);
    let clerk = house.sign_on(1, "C1").await;
    house.sell(&clerk, &straight(&[9], 100, 1)).await;
    house.until_settled(1);
    for path in [
        "/",
        "/board",
        "/check",
        "/draws",
        "/draws/1",
        "/draws/2",
        "/prizes",
        "/audit/sign-in",
        "/?lang=en",
        "/draws?from=1",
        "/healthz",
        "/api/v1/time",
        "/openapi.json",
    ] {
        let answer = if path.starts_with("/audit") {
            house.get_device(5, path).await
        } else {
            house.get(path).await
        };
        assert_eq!(answer.status, 200, "{path} {}", answer.text());
        assert!(
            answer
                .header("content-security-policy")
                .contains("frame-ancestors 'none'"),
            "{path}"
        );
        assert!(
            !answer.header("content-security-policy").contains("unsafe"),
            "{path}"
        );
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("referrer-policy"), "no-referrer", "{path}");
    }
    for (path, status) in [
        ("/nothing", 404),
        ("/draws/999", 404),
        ("/draws/abc", 404),
        ("/assets/none.js", 404),
    ] {
        let answer = house.get(path).await;
        assert_eq!(answer.status, status, "{path}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
    }
    let page = house.get("/board").await;
    let script = page
        .text()
        .split("src=\"")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap()
        .to_owned();
    let asset = house.get(&script).await;
    assert_eq!(asset.status, 200, "{script}");
    assert!(asset.header("cache-control").contains("immutable"));
    assert!(house.get("/prizes").await.text().contains("50\u{a0}000"));
}

#[actix_web::test]
async fn a_patron_checks_a_ticket_on_the_page() {
    let house = House::new(None);
    let clerk = house.sign_on(1, "C1").await;
    let sold = house.sell_printed(&clerk, &sure_win(50, 1)).await;
    house.until_settled(1);
    let ask = |code: &str| {
        house.call(
            TestRequest::post()
                .uri("/check")
                .insert_header((header::CONTENT_TYPE, "application/x-www-form-urlencoded"))
                .set_payload(format!("lang=en&code={code}")),
        )
    };
    let whole = ask(sold.ticket.claim_code.as_deref().unwrap()).await;
    assert_eq!(whole.status, 200);
    assert!(whole.text().contains("winner"), "{}", whole.text());
    let bare = ask(&sold.ticket.control_number).await;
    assert!(!bare.text().contains("30.00"), "{}", bare.text());
    let torn = ask("KT2TORN").await;
    assert!(torn.text().contains("unreadable"), "{}", torn.text());
}

/// The value of a hidden field or of a cookie.
fn between(text: &str, start: &str, end: &str) -> String {
    text.split_once(start)
        .unwrap()
        .1
        .split_once(end)
        .unwrap()
        .0
        .to_owned()
}

fn form(office: &str, path: &str, body: String, cookie: &str) -> TestRequest {
    TestRequest::post()
        .uri(path)
        .insert_header(("Boulier-Device", office))
        .insert_header((header::CONTENT_TYPE, "application/x-www-form-urlencoded"))
        .insert_header((header::COOKIE, format!("other=1; boulier-audit={cookie}")))
        .set_payload(body)
}

#[actix_web::test]
async fn the_numbers_of_a_named_set_are_shown_and_are_not_for_choosing() {
    const HEADS: &str = r#"
[[game]]
code = "heads"
name.fr = "Face"
name.en = "Heads"
set = "1-40"
king_alone = false
[game.wager]
step = "1.00"
min = "1.00"
max = "20.00"
same_numbers = "20.00"
[game.pays]
40 = { 11 = "2", 12 = "2", 13 = "2", 14 = "2", 15 = "2", 16 = "2", 17 = "2", 18 = "2", 19 = "2", 20 = "2" }
"#;
    let rules = include_str!("../../samples/rules/demonstration.toml");
    let house = House::with_rules(None, &format!("{rules}{HEADS}"));
    house.published();
    for (path, said) in [
        ("/prizes?lang=fr", "« Face », 40 numéros : 1 à 40"),
        ("/prizes?lang=fr", "De 1 à 10 numéros par sélection"),
        ("/prizes?lang=en", "Set “Heads”, 40 numbers: 1 to 40"),
        ("/board", "1 to 10 numbers per selection"),
    ] {
        let page = house.get(path).await;
        let text = page.text().replace('\u{a0}', " ");
        assert!(text.contains(said), "{path} {said}\n{text}");
        assert!(!text.contains("1 à 40 numéros"), "{text}");
    }
}

#[actix_web::test]
async fn the_audit_pages_ask_for_a_sign_in_of_their_own_and_a_token_with_every_form() {
    let house = House::new(None);
    let clerk = house.sign_on(1, "C1").await;
    let sold = house.sell_printed(&clerk, &sure_win(50, 1)).await;
    let number = &sold.ticket.control_number;
    house.until_settled(1);
    let to_come = house.sell_printed(&clerk, &sure_win(50, 1)).await;
    let to_come = &to_come.ticket.control_number;
    let office = house.device_header(5);
    assert_eq!(house.get("/audit").await.status, 403);
    assert_eq!(house.get_device(3, "/audit/sign-in").await.status, 403);
    let moved = house.get_device(5, "/audit").await;
    assert_eq!(
        (moved.status, moved.header("location")),
        (303, "/audit/sign-in")
    );
    let sign_in = |badge: &str, pin: String| {
        house.call(form(
            &office,
            "/audit/sign-in",
            format!("badge={badge}&pin={pin}&purpose=claim"),
            "",
        ))
    };
    // The table says who may: neither a clerk nor a supervisor.
    for badge in ["C1", "S1"] {
        let other = sign_in(badge, pin_of(badge)).await;
        assert_eq!((other.status, other.header("set-cookie")), (200, ""));
        assert!(other.text().contains("ne convient pas"), "{badge}");
    }
    let refused = sign_in("A1", "0000".to_owned()).await;
    assert_eq!((refused.status, refused.header("set-cookie")), (200, ""));
    let welcome: Answer = sign_in("A1", pin_of("A1")).await;
    assert_eq!(
        (welcome.status, welcome.header("location")),
        (303, "/audit")
    );
    let set = welcome.header("set-cookie");
    assert!(
        set.contains("HttpOnly") && set.contains("SameSite=Strict"),
        "{set}"
    );
    let cookie = between(set, "boulier-audit=", ";");
    let page = house
        .call(
            TestRequest::get()
                .uri("/audit")
                .insert_header(("Boulier-Device", office.as_str()))
                .insert_header((header::COOKIE, format!("boulier-audit={cookie}"))),
        )
        .await;
    let token = between(page.text(), "name=\"form_token\" value=\"", "\"");
    let look_at = |number: &str, token: &str, cookie: &str| {
        house.call(form(
            &office,
            "/audit",
            format!("number={number}&purpose=claim&form_token={token}"),
            cookie,
        ))
    };
    let look = |token: &str, cookie: &str| look_at(number, token, cookie);
    assert_eq!(look("", &cookie).await.status, 403);
    assert_eq!(look(&token, "").await.status, 303);
    let found = look(&token, &cookie).await;
    assert_eq!(found.status, 200);
    assert!(found.text().contains("30,00"), "{}", found.text());
    assert!(found.text().contains("Recalculé par central"));
    // A remark is shown in the ticket's life, once, and is not taken without the token.
    let (leaf, remark) = (sold.ticket.ticket, "porteur+entendu");
    let remark_at = |number: &str, token: &str, text: &str| {
        let body =
            format!("number={number}&purpose=claim&form_token={token}&ticket={leaf}&remark={text}");
        house.call(form(&office, "/audit", body, &cookie))
    };
    let remark_on = |token: &str, text: &str| remark_at(number, token, text);
    let expired = remark_on("", remark).await;
    assert_eq!(expired.status, 403);
    assert!(
        expired.text().contains("Ce formulaire a expiré"),
        "{}",
        expired.text()
    );
    assert!(!expired.text().contains("rôle"), "{}", expired.text());
    // Nor where it is about one ticket and shows another.
    let other = remark_at(to_come, &token, remark).await;
    assert!(
        other.text().contains("Ce formulaire a expiré"),
        "{}",
        other.text()
    );
    let life = between(other.text(), "<ol class=\"life\">", "</ol>");
    assert!(!life.contains("porteur entendu"), "{}", other.text());
    assert!(
        !look(&token, &cookie)
            .await
            .text()
            .contains("porteur entendu")
    );
    for _ in 0..2 {
        let remarked = remark_on(&token, remark).await;
        assert_eq!(remarked.status, 200);
        let shown = remarked.text().matches("porteur entendu").count();
        assert_eq!(shown, 1, "{}", remarked.text());
        assert!(remarked.text().contains("Remarque de l’audit interne"));
    }
    // Several lines are one.
    let lines = remark_on(&token, "premi%C3%A8re%0D%0A++deuxi%C3%A8me").await;
    assert!(
        lines.text().contains("première deuxième"),
        "{}",
        lines.text()
    );
    // What is wrong with a remark is said beside its ticket.
    let too_long = "x".repeat(501);
    for (text, said) in [
        (too_long.as_str(), "plus de 500"),
        ("+", "Écrivez une remarque"),
    ] {
        let refused = remark_on(&token, text).await;
        assert_eq!(refused.status, 200);
        // What was typed is there to be corrected, and not in the ticket's life.
        let life = between(refused.text(), "<ol class=\"life\">", "</ol>");
        assert!(!life.contains("xxx"), "{}", refused.text());
        let typed = between(refused.text(), "<textarea", "</textarea>");
        assert_eq!(
            typed.contains("xxx"),
            text == too_long,
            "{}",
            refused.text()
        );
        assert!(refused.text().contains(said), "{}", refused.text());
        assert!(refused.text().contains("porteur entendu"));
    }
    // Nobody is said to have computed what is still to come.
    let early = look_at(to_come, &token, &cookie).await;
    assert!(early.text().contains("sans recalcul"), "{}", early.text());
    assert!(!early.text().contains("Recalculé par central"));
    house.clock.advance(30 * 60 * 1000);
    assert_eq!(look(&token, &cookie).await.status, 303);
    // The views are on record, with purpose and without the number.
    let log = std::fs::read(house.folder.join("access.sqlite-wal")).unwrap_or_default();
    let text = String::from_utf8_lossy(&log);
    assert!(text.contains("audit_view") && !text.contains(number.as_str()));
}

#[actix_web::test]
async fn health_follows_the_writer_and_metrics_count() {
    let house = House::new(None);
    let clerk = house.sign_on(1, "C1").await;
    house.sell(&clerk, &straight(&[9], 100, 1)).await;
    assert_eq!(house.get("/healthz").await.status, 200);
    let text = house.get("/metrics").await.text().to_owned();
    for line in [
        "boulier_sales_total 1",
        "boulier_sales_cents_total 100",
        "route=\"/api/v1/sales\",status=\"200\"",
        "boulier_open_tills 1",
        "# EOF",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    crate::common::blocking(|| house.central.sequencer.stop());
    let down = house.get("/healthz").await;
    assert_eq!(down.refusal(), (503, "record_unavailable".to_owned()));
    let order = serde_json::json!({"counted_cents": 1});
    let undone = house.post(&clerk, "/shifts/close", order).await;
    assert_eq!(undone.refusal(), (503, "record_unavailable".to_owned()));
}

#[actix_web::test]
async fn central_listens_on_its_own_machine_alone() {
    let house = House::new(None);
    let open = serve(house.app.clone(), "0.0.0.0:0".parse().unwrap());
    let Err(fault @ ServeFault::NotLoopback(_)) = open.map(|served| served.address) else {
        panic!("an address of every machine was taken");
    };
    assert!(fault.to_string().contains("TLS"));
    let served = serve(house.app.clone(), "127.0.0.1:0".parse().unwrap()).unwrap();
    assert_ne!(served.address.port(), 0);
    drop(served.server);
}

/// The events in a stream's text.
fn events(text: &str) -> Vec<(String, Value)> {
    text.split("\n\n")
        .filter_map(|event| {
            let (name, data) = event.strip_prefix("event: ")?.split_once("\ndata: ")?;
            Some((name.to_owned(), serde_json::from_str(data).ok()?))
        })
        .collect()
}

#[actix_web::test]
async fn the_stream_begins_with_a_snapshot_and_shows_each_number_at_its_moment() {
    use actix_web::body::MessageBody;
    use std::future::poll_fn;
    use std::pin::pin;
    let house = House::new(None);
    house.until_closed(1);
    let app = house.app.clone();
    let service = actix_web::test::init_service(
        actix_web::App::new()
            .configure(|cfg| keno_central::server::configure(cfg, web::Data::clone(&app))),
    )
    .await;
    let request = TestRequest::get().uri("/live").to_request();
    let response = actix_web::test::call_service(&service, request).await;
    assert_eq!(
        response.headers().get("content-type").unwrap(),
        "text/event-stream"
    );
    let mut body = pin!(response.into_body());
    let mut seen = Vec::new();
    let mut seq = None;
    let mut shown = Vec::new();
    let mut is_over = false;
    while !is_over {
        let chunk = poll_fn(|context| {
            loop {
                let polled = body.as_mut().poll_next(context);
                if polled.is_ready() {
                    return polled;
                }
                // Nothing to send at this moment: time passes.
                house.clock.advance(500);
                house.tick();
                house.app.live.step();
            }
        })
        .await
        .unwrap()
        .unwrap();
        for (name, data) in events(std::str::from_utf8(&chunk).unwrap()) {
            let number = data["seq"].as_u64().unwrap();
            match (name.as_str(), seq) {
                ("snapshot", _) => {}
                ("hb", Some(last)) => assert_eq!(number, last),
                (_, Some(last)) => assert_eq!(number, last + 1, "{name}"),
                (_, None) => panic!("the first event is {name}"),
            }
            seq = Some(number);
            if name == "ball" {
                let draw = house.central.view.get().draws[&1].clone();
                let now_ms = house.central.clock.now_ms();
                let position = data["position"].as_u64().unwrap();
                assert_eq!(position, shown.len() as u64 + 1);
                let moment_ms = draw.reveal_starts_ms().unwrap() + 2_000 * (position as i64 - 1);
                assert!(now_ms >= moment_ms, "number {position} came early");
                shown.push(data["number"].as_u64().unwrap());
            }
            if name == "draw" && data["role"] == "last" {
                is_over = true;
            }
            seen.push(name);
        }
    }
    assert_eq!(seen.first().map(String::as_str), Some("snapshot"));
    assert_eq!(shown.len(), 20);
    assert!(seen.iter().any(|name| name == "hb"));
    let last = house.get("/api/v1/draws/last").await.value();
    assert_eq!(last["balls"], serde_json::json!(shown));
}

#[actix_web::test]
async fn a_path_that_cannot_be_read_is_told_as_every_other_problem() {
    let house = House::new(None);
    let supervisor = house.sign_on(2, "S1").await;
    for path in [
        "/api/v1/draws/abc",
        "/api/v1/draws/99999999999999999999999",
        "/api/v1/rules/-1",
    ] {
        let answer = house.get_as(&supervisor, path).await;
        let (status, name) = answer.refusal();
        assert_eq!(status, 404, "{path}: {name}");
        assert!(
            ["path_unknown", "record_unknown"].contains(&&*name),
            "{path}: {name}"
        );
    }
    // A page says it as a page.
    let page = house.get("/draws/abc").await;
    assert_eq!(page.status, 404);
    assert!(page.header("content-type").starts_with("text/html"));
}

/// Whoever signed in at the audit pages is signed in at that device, as long as its key and their PIN
/// are the ones by which they did. Seen to fail: with pages that ask for an active person alone.
#[actix_web::test]
async fn an_audit_session_ends_with_its_pin_and_is_its_devices() {
    let house = House::new(None);
    let sign_in = async |pin: &str| {
        let body = format!("badge=A1&pin={pin}&purpose=claim");
        let welcome = house
            .call(form(&house.device_header(5), "/audit/sign-in", body, ""))
            .await;
        between(welcome.header("set-cookie"), "boulier-audit=", ";")
    };
    let looks = |device: &str, cookie: &str| {
        let request = TestRequest::get()
            .uri("/audit")
            .insert_header(("Boulier-Device", device))
            .insert_header((header::COOKIE, format!("boulier-audit={cookie}")));
        house.call(request)
    };
    let recorded = |number: u32| {
        let role = DeviceRole::Audit.number();
        let key =
            blocking(|| DeviceNumber(number).record(&house.central, "O02", role, ("X1", "X2")));
        format!("{number}.{}", key.unwrap())
    };
    let here = house.device_header(5);
    let cookie = sign_in(&pin_of("A1")).await;
    assert_eq!(looks(&here, &cookie).await.status, 200);
    let other = looks(&recorded(50), &cookie).await;
    assert_eq!(other.header("location"), "/audit/sign-in", "elsewhere");
    let cookie = sign_in(&pin_of("A1")).await;
    blocking(|| {
        let owner = Recognised {
            badge: "A1".to_owned(),
            roles: Vec::new(),
            credential: None,
        };
        owner.choose_pin(&house.central, &pin_of("A1"), "850274", Origin::Console)
    })
    .unwrap();
    assert_eq!(looks(&here, &cookie).await.status, 303, "after another PIN");
    let cookie = sign_in("850274").await;
    assert_eq!(looks(&here, &cookie).await.status, 200);
    let anew = looks(&recorded(5), &cookie).await;
    assert_eq!(anew.header("location"), "/audit/sign-in", "recorded anew");
}
