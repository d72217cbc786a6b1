//! What does not come as it must, and slips.

use actix_web::test::TestRequest;
use serde_json::{Value, json};

use super::script::{By, Script};
use crate::common::{pin_of, straight};

#[actix_web::test]
async fn what_does_not_come_as_it_must() {
    let mut day = Script::new();
    let clerk = day.house.sign_on(1, "C1").await;
    let nobody = || By::Nobody;
    let at = |device| By::Device(device);
    let pin = |badge: &str| json!({"badge": badge, "pin": pin_of(badge)});
    let price = json!({"slip": straight(&[1], 100, 1)});
    day.post("no device", nobody(), "/prices", price.clone())
        .await;
    let mut stranger = clerk.clone();
    stranger.device_header = "99.00ff".to_owned();
    day.post(
        "a device that nobody knows",
        By::Person(&stranger),
        "/prices",
        price.clone(),
    )
    .await;
    stranger = clerk.clone();
    stranger.device_header = format!("2.{}", &day.house.keys[&1]);
    day.post(
        "a key of another device",
        By::Person(&stranger),
        "/prices",
        price.clone(),
    )
    .await;
    day.post("nobody signed on", at(2), "/prices", price.clone())
        .await;
    stranger = clerk.clone();
    stranger.session_header = format!("{}.{}", clerk.session, "0".repeat(64));
    day.post(
        "a wrong token",
        By::Person(&stranger),
        "/prices",
        price.clone(),
    )
    .await;
    let wrong = json!({"badge": "C2", "pin": "471109"});
    day.post("a wrong PIN", at(2), "/sessions", wrong).await;
    let nowhere = json!({"badge": "C9", "pin": "471109"});
    day.post("a badge that nobody has", at(2), "/sessions", nowhere)
        .await;
    day.post("a clerk at a kiosk", at(3), "/sessions", pin("C2"))
        .await;
    day.post("an auditor at a counter", at(1), "/sessions", pin("A1"))
        .await;
    day.post(
        "a till that is open",
        at(1),
        "/sessions",
        json!({"badge": "C1", "pin": pin_of("C1"), "float_cents": 100}),
    )
    .await;
    day.post(
        "a float above the limit",
        at(2),
        "/sessions",
        json!({"badge": "C2", "pin": pin_of("C2"), "float_cents": 100_000_001}),
    )
    .await;
    day.post("a sale at a display", at(4), "/sales", price.clone())
        .await;
    let clerk_by = || By::Person(&clerk);
    day.get("the people, for a clerk", clerk_by(), "/api/v1/people")
        .await;
    day.get("no such path", clerk_by(), "/api/v1/gifts").await;
    day.get("no such method", clerk_by(), "/api/v1/sales").await;
    day.get("a draw that is no number", nobody(), "/api/v1/draws/first")
        .await;
    day.post(
        "a field too many",
        clerk_by(),
        "/prices",
        json!({"slip": {}, "gift": 1}),
    )
    .await;
    day.post(
        "a field that is missing",
        clerk_by(),
        "/sales",
        json!({"tender": "cash"}),
    )
    .await;
    let cut = TestRequest::post()
        .uri("/api/v1/prices")
        .insert_header(("content-type", "application/json"))
        .set_payload("{\"slip\":");
    day.send(
        "a body that is cut",
        clerk_by(),
        cut,
        "POST /api/v1/prices {\"slip\":",
    )
    .await;
    let large = TestRequest::post()
        .uri("/api/v1/prices")
        .insert_header(("content-type", "application/json"))
        .set_payload(" ".repeat(70_000));
    day.send(
        "a body that is too large",
        clerk_by(),
        large,
        "POST /api/v1/prices 70,000 blanks",
    )
    .await;
    let plain = TestRequest::post()
        .uri("/api/v1/prices")
        .set_payload(price.to_string());
    day.send(
        "a body of no kind",
        clerk_by(),
        plain,
        &format!("POST /api/v1/prices {price}"),
    )
    .await;
    day.end("day-at-the-door").await;
}

#[actix_web::test]
async fn slips_are_priced_or_refused() {
    let mut day = Script::new();
    let clerk = day.house.sign_on(1, "C1").await;
    let folder = "../samples/slips";
    for folder in [folder.to_owned(), format!("{folder}/bad")] {
        let mut files: Vec<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().path())
            .filter(|path| path.extension().is_some_and(|kind| kind == "json"))
            .collect();
        files.sort();
        for file in files {
            let text = std::fs::read_to_string(&file).unwrap();
            let name = file.file_stem().unwrap().to_str().unwrap();
            let Ok(mut slip) = serde_json::from_str::<Value>(&text) else {
                continue;
            };
            // Said by the file to the terminal, and no part of the slip.
            if let Some(slip) = slip.as_object_mut() {
                slip.retain(|field, _| !matches!(field.as_str(), "received_cents" | "tender"));
            }
            day.post(name, By::Person(&clerk), "/prices", json!({"slip": slip}))
                .await;
        }
    }
    day.end("day-of-slips").await;
}
