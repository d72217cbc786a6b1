//! Sales, checks, cancellations, duplicates.

use serde_json::json;

use super::script::{By, Script};
use crate::common::{second, straight};

#[actix_web::test]
async fn tickets_are_sold_checked_and_cancelled() {
    let mut day = Script::new();
    let clerk = day.house.sign_on(1, "C1").await;
    let clerk_by = || By::Person(&clerk);
    let order = day
        .house
        .order(&clerk, &straight(&[7, 18, 33, 42, 71], 200, 2))
        .await;
    let sold = day
        .post("a sale", clerk_by(), "/sales", order.clone())
        .await
        .value();
    day.post("the same again", clerk_by(), "/sales", order.clone())
        .await;
    let mut other = order.clone();
    other["slip"]["draws"] = json!(1);
    other["total_cents"] = json!(200);
    day.post("its key for something else", clerk_by(), "/sales", other)
        .await;
    for (title, field, value) in [
        ("another total than was told", "total_cents", json!(300)),
        ("too little received", "received_cents", json!(100)),
        (
            "far too much received",
            "received_cents",
            json!(100_000_000),
        ),
        ("a tender that nobody knows", "tender", json!("gold")),
        ("an intake that nobody knows", "intake", json!("gold")),
        (
            "a ticket that is not there repeated",
            "replay_of",
            json!(99_999),
        ),
        (
            "a key of nobody",
            "key",
            json!({"session": 99, "counter": 1}),
        ),
    ] {
        let mut order = day.house.order(&clerk, &straight(&[7], 200, 1)).await;
        order[field] = value;
        day.post(title, clerk_by(), "/sales", order).await;
    }
    let key = order["key"].clone();
    day.post(
        "what became of the key",
        clerk_by(),
        "/keys/question",
        json!({"key": key}),
    )
    .await;
    let unused = json!({"key": day.house.key(&clerk)});
    day.post(
        "a key that is closed",
        clerk_by(),
        "/keys/close",
        unused.clone(),
    )
    .await;
    day.post(
        "what became of that",
        clerk_by(),
        "/keys/question",
        unused.clone(),
    )
    .await;
    let mut late = day.house.order(&clerk, &straight(&[8], 200, 1)).await;
    late["key"] = unused["key"].clone();
    day.post("a sale under a closed key", clerk_by(), "/sales", late)
        .await;
    let print = json!({"ticket": sold["ticket"]["ticket"], "copy": 1, "how": "printer"});
    day.post("the paper is out", clerk_by(), "/prints", print.clone())
        .await;
    day.post("the paper is out twice", clerk_by(), "/prints", print)
        .await;
    day.post(
        "a sale repeated after its paper",
        clerk_by(),
        "/sales",
        order,
    )
    .await;
    let code = sold["ticket"]["claim_code"].as_str().unwrap().to_owned();
    let number = sold["ticket"]["control_number"]
        .as_str()
        .unwrap()
        .to_owned();
    let typed = format!("{number}{}", &code[21..41]);
    for (title, asked) in [
        ("the paper", code.as_str()),
        ("the number alone", &number),
        ("number and signs", &typed),
        ("a number that was mistyped", "0731552890146664"),
        ("a number of no ticket", "0731552890146663"),
        ("a code that was cut", &code[..40]),
        ("no code at all", "ABC"),
        ("nothing", ""),
    ] {
        let body = json!({"code": asked});
        day.post(title, clerk_by(), "/checks", body.clone()).await;
        day.post(
            &format!("{title}, at a kiosk"),
            By::Device(3),
            "/checks",
            body.clone(),
        )
        .await;
        day.post(&format!("{title}, for nobody"), By::Nobody, "/checks", body)
            .await;
    }
    let mut cancel = json!({"key": day.house.key(&clerk), "code": number, "reason": "other"});
    day.post(
        "cancelled by its number",
        clerk_by(),
        "/cancellations",
        cancel.clone(),
    )
    .await;
    cancel["code"] = json!(code);
    cancel["reason"] = json!("bored");
    day.post(
        "cancelled for no reason",
        clerk_by(),
        "/cancellations",
        cancel.clone(),
    )
    .await;
    cancel["reason"] = json!("changed_mind");
    day.post("cancelled", clerk_by(), "/cancellations", cancel.clone())
        .await;
    day.post(
        "cancelled, the same again",
        clerk_by(),
        "/cancellations",
        cancel.clone(),
    )
    .await;
    cancel["key"] = day.house.key(&clerk);
    day.post("cancelled twice", clerk_by(), "/cancellations", cancel)
        .await;
    day.post(
        "the cancelled paper",
        clerk_by(),
        "/checks",
        json!({"code": code}),
    )
    .await;

    let torn = day
        .house
        .sell_printed(&clerk, &straight(&[9], 100, 1))
        .await;
    let old = torn.ticket.claim_code.unwrap();
    let mut copy = json!({"code": old, "reason": "torn", "second": second("C1")});
    day.post(
        "a duplicate by one person",
        clerk_by(),
        "/duplicates",
        copy.clone(),
    )
    .await;
    copy["second"] = second("S1");
    let made = day
        .post("a duplicate", clerk_by(), "/duplicates", copy.clone())
        .await;
    day.post(
        "a duplicate of a dead paper",
        clerk_by(),
        "/duplicates",
        copy,
    )
    .await;
    day.post(
        "the dead paper",
        clerk_by(),
        "/checks",
        json!({"code": old}),
    )
    .await;
    let new = made.value()["claim_code"].clone();
    day.post("the new paper", clerk_by(), "/checks", json!({"code": new}))
        .await;
    let unpaid = json!({"code": new, "second": second("S1")});
    day.post(
        "never paid by the patron",
        clerk_by(),
        "/unpaid",
        unpaid.clone(),
    )
    .await;
    day.post("never paid, twice", clerk_by(), "/unpaid", unpaid)
        .await;
    day.post(
        "the unpaid paper",
        clerk_by(),
        "/checks",
        json!({"code": new}),
    )
    .await;

    let late = day
        .house
        .sell_printed(&clerk, &straight(&[10], 100, 1))
        .await;
    let late = late.ticket.claim_code.unwrap();
    let gone = json!({"code": late, "reason": "minor"});
    day.post(
        "a holder who is not served",
        clerk_by(),
        "/patron-refusals",
        gone,
    )
    .await;
    day.house.until_closed(1);
    let cancel = json!({"key": day.house.key(&clerk), "code": late, "reason": "other"});
    day.post(
        "cancelled after the close",
        clerk_by(),
        "/cancellations",
        cancel,
    )
    .await;
    day.house.until_settled(1);
    day.post("the loser", clerk_by(), "/checks", json!({"code": late}))
        .await;
    let mut gone = day.house.order(&clerk, &straight(&[1], 100, 1)).await;
    gone["slip"]["first_draw"] = json!(1);
    day.post("a draw that is over", clerk_by(), "/sales", gone)
        .await;
    day.end("day-of-sales").await;
}
