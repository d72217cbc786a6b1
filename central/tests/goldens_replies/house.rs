//! Tills, draws, and what is public.

use keno_service::draw;
use serde_json::{Value, json};

use super::script::{By, Script};
use crate::common::{blocking, second, straight, sure_win};

#[actix_web::test]
async fn tills_are_moved_counted_and_closed() {
    let mut day = Script::new();
    let clerk = day.house.sign_on(1, "C1").await;
    let clerk_by = || By::Person(&clerk);
    day.house
        .sell_printed(&clerk, &straight(&[7], 200, 1))
        .await;
    for (title, kind, amount_cents, by) in [
        ("a fill", "fill", 10_000, "S1"),
        ("a drop", "drop", 5_000, "S1"),
        ("a fill with a clerk", "fill", 10_000, "C2"),
        ("a fill alone", "fill", 10_000, "C1"),
        ("a fill of nothing", "fill", 0, "S1"),
        ("a loan", "loan", 100, "S1"),
    ] {
        let body = json!({
            "key": day.house.key(&clerk), "kind": kind, "amount_cents": amount_cents,
            "second": second(by),
        });
        day.post(title, clerk_by(), "/shifts/movements", body).await;
    }
    let count = json!({"counted_cents": 505_000, "reason": "disputed", "second": second("S1")});
    day.post("a count in between", clerk_by(), "/shifts/counts", count)
        .await;
    let count = json!({"counted_cents": -1, "reason": "disputed", "second": second("S1")});
    day.post("a count below nothing", clerk_by(), "/shifts/counts", count)
        .await;
    day.get("the counter", clerk_by(), "/api/v1/counter").await;
    day.post(
        "a sheet of an open till",
        clerk_by(),
        "/sessions/end",
        json!({}),
    )
    .await;
    day.post(
        "counted",
        clerk_by(),
        "/shifts/close",
        json!({"counted_cents": 505_300}),
    )
    .await;
    let clerk = day.house.sign_on(1, "C1").await;
    let clerk_by = || By::Person(&clerk);
    day.get("its sheet", clerk_by(), "/api/v1/shifts/1/sheet")
        .await;
    day.get(
        "a sheet that is not there",
        clerk_by(),
        "/api/v1/shifts/99/sheet",
    )
    .await;
    let auditor = day.house.sign_on(5, "A1").await;
    for format in ["csv", "html", "pdf", "json"] {
        let path = format!("/api/v1/reports/shifts/1?format={format}");
        day.get(
            &format!("the shift as {format}"),
            By::Person(&auditor),
            &path,
        )
        .await;
    }
    day.end("day-of-tills").await;
}

#[actix_web::test]
async fn draws_and_what_is_public() {
    let mut day = Script::new();
    let clerk = day.house.sign_on(1, "C1").await;
    let supervisor = day.house.sign_on(2, "S1").await;
    day.house.sell_printed(&clerk, &sure_win(50, 3)).await;
    let nobody = || By::Nobody;
    let public = [
        "/api/v1/time",
        "/api/v1/draws/next",
        "/api/v1/draws/last",
        "/api/v1/draws/1",
        "/api/v1/draws/1/transcript",
        "/api/v1/draws/999",
        "/healthz",
        "/log/checkpoint",
        "/log/epochs",
        "/log/entries/0",
        "/log/entries/9999",
        "/log/inclusion/0",
        "/log/consistency?from=3&to=9",
        "/log/tile/0/000.p/5",
    ];
    for path in public {
        day.get("before the first draw", nobody(), path).await;
    }
    day.get("rules to come", nobody(), "/api/v1/rules/versions/2")
        .await;
    day.house.until_closed(1);
    day.get("closed", nobody(), "/api/v1/draws/1").await;
    let supervisor_by = || By::Person(&supervisor);
    let reason = json!({"reason": "the machine stopped"});
    day.post(
        "suspended",
        supervisor_by(),
        "/draws/1/suspend",
        reason.clone(),
    )
    .await;
    day.post(
        "suspended twice",
        supervisor_by(),
        "/draws/1/suspend",
        reason.clone(),
    )
    .await;
    day.get("suspended, for everybody", nobody(), "/api/v1/draws/1")
        .await;
    let two = json!({"reason": "checked", "second": second("S2")});
    day.post("resumed", supervisor_by(), "/draws/1/resume", two.clone())
        .await;
    day.post(
        "resumed twice",
        supervisor_by(),
        "/draws/1/resume",
        two.clone(),
    )
    .await;
    day.house.until_settled(1);
    for path in public {
        day.get("after the first draw", nobody(), path).await;
    }
    day.house.until_closed(2);
    day.post(
        "suspended for good",
        supervisor_by(),
        "/draws/2/suspend",
        reason.clone(),
    )
    .await;
    day.post(
        "void by one person",
        supervisor_by(),
        "/draws/2/void",
        json!({"reason": "x", "second": second("S1")}),
    )
    .await;
    day.post("void", supervisor_by(), "/draws/2/void", two.clone())
        .await;
    day.get("void, for everybody", nobody(), "/api/v1/draws/2")
        .await;
    day.get("its transcript", nobody(), "/api/v1/draws/2/transcript")
        .await;
    day.post(
        "void before it is closed",
        supervisor_by(),
        "/draws/5/void",
        two,
    )
    .await;
    let order = day.house.order(&clerk, &straight(&[1], 100, 1)).await;
    day.post("sales stop", supervisor_by(), "/house/suspend", reason)
        .await;
    day.post("a sale meanwhile", By::Person(&clerk), "/sales", order)
        .await;
    day.get("the time meanwhile", nobody(), "/api/v1/time")
        .await;
    day.post(
        "sales go on",
        supervisor_by(),
        "/house/resume",
        json!({"second": second("S2")}),
    )
    .await;
    blocking(|| draw::halt_schedule(&day.house.central, 1, 0, 0)).unwrap();
    day.get("the schedule halted", nobody(), "/api/v1/time")
        .await;
    day.post(
        "the clock is right",
        supervisor_by(),
        "/schedule/confirm",
        json!({"second": second("S2")}),
    )
    .await;
    day.get("alarms", supervisor_by(), "/api/v1/alarms").await;
    day.end("day-of-draws").await;
}

#[actix_web::test]
async fn people_act_and_papers_are_damaged() {
    let mut day = Script::new();
    let clerk = day.house.sign_on(1, "C1").await;
    let supervisor = day.house.sign_on(2, "S1").await;
    let office = day.house.sign_on(6, "X1").await;
    let clerk_by = || By::Person(&clerk);
    let office_by = || By::Person(&office);
    let named = |badge: &str, second_badge: &str| {
        json!({
            "badge": badge, "may_act": true, "by": second("X1"), "second": second(second_badge),
        })
    };
    let path = "/people/acting/naming";
    day.post("named by one", office_by(), path, named("C2", "X1"))
        .await;
    day.post("nobody named", office_by(), path, named("C9", "X2"))
        .await;
    day.post("named", office_by(), path, named("C2", "X2"))
        .await;
    let acting = |badge: &str| json!({"badge": badge, "by": second("S1")});
    day.post(
        "acting without a name",
        clerk_by(),
        "/people/acting",
        acting("C1"),
    )
    .await;
    day.post("acting", clerk_by(), "/people/acting", acting("C2"))
        .await;
    day.get("the people", office_by(), "/api/v1/people").await;
    let lift = json!({"badge": "C2", "second": second("S2")});
    day.post(
        "a badge lifted",
        By::Person(&supervisor),
        "/badges/lift",
        lift,
    )
    .await;

    let sold = day
        .house
        .sell_printed(&clerk, &straight(&[4, 17, 33], 200, 1))
        .await;
    let (number, terminal) = (sold.ticket.control_number, sold.ticket.terminal);
    let read = |numbers: &[u8], second: Value| {
        json!({
            "number": number,
            "reading": {
                "first_draw": 1, "last_draw": 1, "total_cents": 200, "terminal": terminal,
                "numbers": numbers,
            },
            "second": second,
        })
    };
    let path = "/damaged/readings";
    day.post(
        "other numbers than the paper's",
        clerk_by(),
        path,
        read(&[4, 17, 34], second("S1")),
    )
    .await;
    day.post(
        "read by one",
        clerk_by(),
        path,
        read(&[4, 17, 33], second("C1")),
    )
    .await;
    day.post("read", clerk_by(), path, read(&[4, 17, 33], second("S1")))
        .await;
    let file = |by: &str, note: &str| json!({"number": number, "presented_by": by, "note": note});
    let path = "/damaged/files";
    day.post("a file for nobody", clerk_by(), path, file("", "torn"))
        .await;
    day.post(
        "a file without a note",
        clerk_by(),
        path,
        file("Mme Roy", ""),
    )
    .await;
    let opened = day
        .post("a file", clerk_by(), path, file("Mme Roy", "torn"))
        .await
        .value();
    day.get(
        "the files",
        By::Person(&supervisor),
        "/api/v1/damaged/files",
    )
    .await;
    let judged = json!({"picture": "0".repeat(64), "note": "ours", "second": second("C2")});
    let path = format!("/damaged/files/{}/judgement", opened["number"]);
    day.post("judged by its opener", clerk_by(), &path, judged.clone())
        .await;
    day.post(
        "judged too early",
        By::Person(&supervisor),
        &path,
        judged.clone(),
    )
    .await;
    day.house.clock.advance(24 * 3_600_000);
    day.house.tick();
    let supervisor = day.house.sign_on(2, "S1").await;
    let by = || By::Person(&supervisor);
    day.post("judged", by(), &path, judged.clone()).await;
    day.post("judged twice", by(), &path, judged.clone()).await;
    day.post(
        "no such file",
        by(),
        "/damaged/files/99999/judgement",
        judged,
    )
    .await;
    day.end("day-of-doubts").await;
}
