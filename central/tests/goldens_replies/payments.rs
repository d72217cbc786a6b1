//! Payments, approvals, evidence.

use serde_json::json;

use super::script::{By, Script};
use crate::common::{pin_of, second, sure_win};

#[actix_web::test]
async fn prizes_are_paid() {
    let mut day = Script::new();
    let clerk = day.house.sign_on(1, "C1").await;
    let supervisor = day.house.sign_on(2, "S1").await;
    let cage = day.house.sign_on(8, "S2").await;
    let clerk_by = || By::Person(&clerk);
    let small = day.house.sell_printed(&clerk, &sure_win(50, 2)).await;
    let large = day.house.sell_printed(&clerk, &sure_win(2_000, 5)).await;
    let held = day.house.sell(&clerk, &sure_win(100, 1)).await;
    let small_code = small.ticket.claim_code.unwrap();
    let large_code = large.ticket.claim_code.unwrap();
    let early = json!({"key": day.house.key(&clerk), "code": small_code, "items": [{"draw": 1, "amount_cents": 3000}]});
    day.post("before the draw", clerk_by(), "/payments", early)
        .await;
    day.house.until_settled(1);
    day.post(
        "a winner",
        clerk_by(),
        "/checks",
        json!({"code": small_code}),
    )
    .await;
    day.post(
        "a winner, at a kiosk",
        By::Device(3),
        "/checks",
        json!({"code": small_code}),
    )
    .await;
    day.post(
        "a winner by its number",
        clerk_by(),
        "/checks",
        json!({"code": small.ticket.control_number}),
    )
    .await;
    let right = day.house.pay_order(&clerk, &small_code).await;
    for (title, items) in [
        (
            "another amount than was shown",
            json!([{"draw": 1, "amount_cents": 1}]),
        ),
        ("nothing", json!([])),
        (
            "a draw twice",
            json!([{"draw": 1, "amount_cents": 3000}, {"draw": 1, "amount_cents": 3000}]),
        ),
        (
            "a draw of another ticket",
            json!([{"draw": 9, "amount_cents": 3000}]),
        ),
        ("a draw to come", json!([{"draw": 2, "amount_cents": 3000}])),
    ] {
        let mut wrong = right.clone();
        wrong["key"] = day.house.key(&clerk);
        wrong["items"] = items;
        day.post(title, clerk_by(), "/payments", wrong).await;
    }
    let paid = day
        .post("paid", clerk_by(), "/payments", right.clone())
        .await
        .value();
    day.post(
        "paid, the same again",
        clerk_by(),
        "/payments",
        right.clone(),
    )
    .await;
    let mut twice = right;
    twice["key"] = day.house.key(&clerk);
    day.post("paid twice", clerk_by(), "/payments", twice).await;
    day.post(
        "what was paid",
        clerk_by(),
        "/checks",
        json!({"code": small_code}),
    )
    .await;
    let mut undone = json!({"payment": paid["payment"], "reason": "", "second": second("S1")});
    day.post(
        "not handed over, for no reason",
        clerk_by(),
        "/reversals",
        undone.clone(),
    )
    .await;
    undone["reason"] = json!("the patron left");
    day.post("not handed over", clerk_by(), "/reversals", undone.clone())
        .await;
    day.post("not handed over, twice", clerk_by(), "/reversals", undone)
        .await;

    day.post(
        "a large winner",
        clerk_by(),
        "/checks",
        json!({"code": large_code}),
    )
    .await;
    let mut order = day.house.pay_order(&clerk, &large_code).await;
    day.post("paid by one person", clerk_by(), "/payments", order.clone())
        .await;
    order["second"] = second("C1");
    day.post(
        "paid by one person twice",
        clerk_by(),
        "/payments",
        order.clone(),
    )
    .await;
    order["second"] = json!({"badge": "S1", "pin": "wrong"});
    day.post(
        "paid with a wrong PIN",
        clerk_by(),
        "/payments",
        order.clone(),
    )
    .await;
    let asked =
        json!({"content": {"what": "payment", "code": large_code, "items": order["items"]}});
    let asked = day
        .post("an approval is asked", clerk_by(), "/approvals", asked)
        .await
        .value();
    day.get("what waits", By::Person(&supervisor), "/api/v1/approvals")
        .await;
    day.get("the wall", By::Person(&supervisor), "/api/v1/wall")
        .await;
    order["second"] = json!({"approval": asked["id"]});
    day.post(
        "paid before the approval",
        clerk_by(),
        "/payments",
        order.clone(),
    )
    .await;
    let path = format!("/approvals/{}/grant", asked["id"]);
    day.post(
        "granted",
        By::Person(&supervisor),
        &path,
        json!({"pin": pin_of("S1")}),
    )
    .await;
    day.post("paid by two people", clerk_by(), "/payments", order)
        .await;

    let code = held.ticket.control_number;
    day.post(
        "a paper that nobody saw",
        clerk_by(),
        "/checks",
        json!({"code": code}),
    )
    .await;
    let body = json!({"code": code, "evidence": "whole", "second": second("C1")});
    day.post(
        "a paper released",
        By::Person(&supervisor),
        "/releases",
        body,
    )
    .await;

    day.house.until_settled(5);
    day.post(
        "a winner for the cage",
        clerk_by(),
        "/checks",
        json!({"code": large_code}),
    )
    .await;
    let mut order = day.house.pay_order(&clerk, &large_code).await;
    order["second"] = second("S1");
    day.post("paid at a counter", clerk_by(), "/payments", order)
        .await;
    let mut order = day.house.pay_order(&cage, &large_code).await;
    order["second"] = second("S1");
    day.post("paid at the cage", By::Person(&cage), "/payments", order)
        .await;
    let auditor = day.house.sign_on(5, "A1").await;
    let body = json!({"code": large_code, "purpose": "claim"});
    day.post(
        "the audit office looks",
        By::Person(&auditor),
        "/audit/tickets",
        body,
    )
    .await;
    for format in ["csv", "html", "pdf", "json"] {
        let body = json!({"code": large_code, "purpose": "claim", "format": format});
        day.post(
            &format!("the evidence as {format}"),
            By::Person(&auditor),
            "/reports/tickets",
            body,
        )
        .await;
        day.get(
            &format!("a draw as {format}"),
            By::Person(&auditor),
            &format!("/api/v1/reports/draws/1?format={format}"),
        )
        .await;
    }
    day.house.clock.advance(400 * 24 * 3_600_000);
    day.house.tick();
    let clerk = day.house.sign_on(1, "C1").await;
    day.post(
        "after a year",
        By::Person(&clerk),
        "/checks",
        json!({"code": small_code}),
    )
    .await;
    day.end("day-of-payments").await;
}
