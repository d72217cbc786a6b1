//! The one door at which a PIN is tried, seen from every door that leads to it: how often a PIN is
//! tried at all, who is kept out and who is not, what is told and what is on record.
//!
//! Seen to fail: with the count made after the hash (seven guesses of a burst tried instead of
//! five); with the counters of the file not taken up (a restart gave further tries); with one
//! counter a badge (people kept out at one counter by guesses made at another); with whoever comes
//! while others are tried told so at once.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test fails where it stands"
)]

use std::collections::BTreeMap;

use crate::common::{House, Person, blocking, pin_of, second};
use actix_web::http::header;
use actix_web::test::TestRequest;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text};
use futures_util::future::join_all;
use keno_central::console::{CONSOLE_FILE, CONSOLE_HEADER};
use keno_house_builder::{Pins, people, record_people};
use keno_record::roles::{DeviceRole, Role, has_any};
use keno_service::access::{AccessKind, AccessLine};
use keno_service::staff::{Badge, DeviceNumber, Recognised};
use serde_json::{Value, json};

const WRONG: &str = "000000";

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = Nullable<BigInt>)]
    device: Option<i64>,
    #[diesel(sql_type = Text)]
    badge: String,
    #[diesel(sql_type = Text)]
    purpose: String,
}

/// The lines of the access log, all of them on disk.
fn lines(house: &House) -> Vec<Line> {
    blocking(|| {
        let flush = AccessLine {
            at_ms: 0,
            kind: AccessKind::AuditView,
            device: None,
            badge: "flush".to_owned(),
            trace: String::new(),
            purpose: String::new(),
        };
        house.app.access.write(flush).unwrap();
        let path = house.folder.join("access.sqlite");
        let mut connection = SqliteConnection::establish(path.to_str().unwrap()).unwrap();
        diesel::sql_query("SELECT kind, device, badge, purpose FROM access ORDER BY id")
            .load(&mut connection)
            .unwrap()
    })
}

/// How often a badge's PIN was truly tried, and was wrong.
fn tried(house: &House, badge: &str) -> usize {
    lines(house)
        .iter()
        .filter(|line| line.badge == badge && line.purpose.ends_with(": wrong_pin"))
        .count()
}

/// The key that the command line shows.
fn console_key(house: &House) -> String {
    std::fs::read_to_string(house.folder.join(CONSOLE_FILE)).unwrap()
}

fn post(path: &str, body: &Value) -> TestRequest {
    TestRequest::post()
        .uri(&format!("/api/v1{path}"))
        .set_json(body)
}

/// A technician beside the house's people.
fn hire(house: &House) {
    let one = people(&[("T1", &[Role::Technician])]);
    let pins = Pins::Recorded(pin_of);
    blocking(|| record_people(&house.central, ["X1", "X2"], &one, pins).unwrap());
}

/// A door: its name, the badge that is guessed there, and the request with a PIN.
type Guess<'a> = (
    &'static str,
    &'static str,
    Box<dyn Fn(&str) -> TestRequest + 'a>,
);

fn doors<'a>(house: &'a House, clerk: &'a Person, supervisor: &'a Person) -> Vec<Guess<'a>> {
    let seconds: [(&'static str, &'static str, Value); 8] = [
        (
            "till movement",
            "/shifts/movements",
            json!({
                "key": house.key(clerk), "kind": "fill", "amount_cents": 100,
            }),
        ),
        (
            "till count",
            "/shifts/counts",
            json!({"counted_cents": 1, "reason": "x"}),
        ),
        ("unpaid", "/unpaid", json!({"code": "0731552890146663"})),
        (
            "release",
            "/releases",
            json!({"code": "0731552890146663", "evidence": "x"}),
        ),
        (
            "duplicate",
            "/duplicates",
            json!({"code": "0731552890146663", "reason": "x"}),
        ),
        (
            "reversal",
            "/reversals",
            json!({"payment": 1, "reason": "x"}),
        ),
        (
            "payment",
            "/payments",
            json!({
                "key": house.key(clerk), "code": "0731552890146663",
                "items": [{"draw": 1, "amount_cents": 1}],
            }),
        ),
        (
            "take-over",
            "/hand-overs",
            json!({"device": 2, "reason": "x"}),
        ),
    ];
    let mut doors: Vec<Guess<'a>> = Vec::new();
    for (name, path, body) in seconds {
        doors.push((
            name,
            "S2",
            Box::new(move |pin| {
                let mut body = body.clone();
                body["second"] = json!({"badge": "S2", "pin": pin});
                clerk.sign(post(path, &body))
            }),
        ));
    }
    for (name, path, body) in [
        ("house", "/house/resume", json!({})),
        ("schedule", "/schedule/confirm", json!({})),
        ("resume", "/draws/1/resume", json!({"reason": "x"})),
        ("void", "/draws/1/void", json!({"reason": "x"})),
        ("lift", "/badges/lift", json!({"badge": "C2"})),
    ] {
        doors.push((
            name,
            "S2",
            Box::new(move |pin| {
                let mut body = body.clone();
                body["second"] = json!({"badge": "S2", "pin": pin});
                supervisor.sign(post(path, &body))
            }),
        ));
    }
    doors.push((
        "sign-on",
        "S2",
        Box::new(|pin| {
            post("/sessions", &json!({"badge": "S2", "pin": pin}))
                .insert_header(("Boulier-Device", house.device_header(1)))
        }),
    ));
    doors.push((
        "unlock",
        "C1",
        Box::new(|pin| {
            clerk.sign(post(
                "/sessions/unlock",
                &json!({"badge": "C1", "pin": pin}),
            ))
        }),
    ));
    doors.push((
        "revoke",
        "T1",
        Box::new(|pin| {
            post("/devices/4/revoke", &json!({"badge": "T1", "pin": pin}))
                .insert_header(("Boulier-Device", house.device_header(1)))
        }),
    ));
    doors.push((
        "console",
        "T1",
        Box::new(|pin| {
            let two = json!({"by": {"badge": "T1", "pin": pin}, "second": second("X1")});
            post("/devices/4/return", &two).insert_header((CONSOLE_HEADER, console_key(house)))
        }),
    ));
    doors.push((
        "audit",
        "A1",
        Box::new(|pin| {
            TestRequest::post()
                .uri("/audit/sign-in")
                .insert_header((header::CONTENT_TYPE, "application/x-www-form-urlencoded"))
                .insert_header(("Boulier-Device", house.device_header(5)))
                .set_payload(format!("badge=A1&pin={pin}&purpose=claim"))
        }),
    ));
    doors
}

/// Of guesses sent at once, wave after wave, five are tried and no more, at every door; the right
/// PIN is then no better than a wrong one.
#[actix_web::test]
async fn five_guesses_are_tried_at_any_door_however_many_are_sent_at_once() {
    let names: Vec<&str> = {
        let house = House::new(None);
        let (clerk, supervisor) = (house.sign_on(1, "C1").await, house.sign_on(2, "S1").await);
        doors(&house, &clerk, &supervisor)
            .iter()
            .map(|door| door.0)
            .collect()
    };
    // A house for several doors: each its own pair of badge and device, or a lift between them.
    let house = House::with_true_pins();
    hire(&house);
    let (clerk, supervisor) = (house.sign_on(1, "C1").await, house.sign_on(2, "S1").await);
    let (mut before, mut was_busy) = (BTreeMap::<&str, usize>::new(), false);
    for (index, name) in names.iter().enumerate() {
        let doors = doors(&house, &clerk, &supervisor);
        let (_, badge, guess) = &doors[index];
        // The hour of the doors before must not make this one wait.
        house.clock.advance(3_600_000);
        house.unlock_all();
        blocking(|| Badge(badge).lift(&house.central));
        for wave in 0..4 {
            house.clock.awaited();
            let answers = join_all((0..50).map(|_| house.call(guess(WRONG)))).await;
            for answer in &answers {
                assert!(answer.status != 500, "{name}: {}", answer.text());
            }
            if wave == 0 {
                // Four are under way at most: who comes meanwhile is told so, at the pages in words.
                let is_busy = |answer: &crate::common::Answer| {
                    answer.text().contains("pins_busy")
                        || answer.text().contains("Trop d’identifications")
                };
                was_busy |= answers.iter().any(is_busy);
            }
            // Nobody is answered before the moment of a refusal, not even who was told to come again:
            // so a flood is as fast as it has connections, and no faster.
            assert_eq!(house.clock.awaited().len(), 50, "{name}");
        }
        let count = tried(&house, badge);
        assert_eq!(count - before.get(badge).unwrap_or(&0), 5, "{name}");
        before.insert(badge, count);
        let late = house.call(guess(&pin_of(badge))).await;
        let text = late.text().to_owned();
        assert!(
            text.contains("locked_out") || text.contains("Trop d’essais"),
            "{name}: {text}"
        );
        assert_eq!(tried(&house, badge), count, "{name}");
    }
    // Not at each door: hashing may keep pace with what is sent.
    assert!(was_busy);
    // The command line counts too.
    let (right, mut wrong) = (pin_of("X1"), 0);
    blocking(|| {
        for _ in 0..20 {
            let outcome = Recognised::at_console(&house.central, "X1", WRONG, &|roles| {
                has_any(roles, &[Role::Administrator])
            });
            assert!(outcome.is_err());
        }
        assert!(
            Recognised::at_console(&house.central, "X1", &right, &|roles| has_any(
                roles,
                &[Role::Administrator]
            ))
            .is_err()
        );
    });
    wrong += tried(&house, "X1");
    assert_eq!(wrong, 5);
    assert!(lines(&house).iter().any(|line| line.badge == "X1"
        && line.device.is_none()
        && line.purpose == "command: waits"
        && line.kind == "locked_out"));
}

/// Whatever is wrong, the same sentence at the same moment; the access log has the true reason, and
/// a place that is not the badge's is no failure of the PIN.
#[actix_web::test]
async fn wrong_badge_pin_and_place_are_told_alike_and_noted_apart() {
    let house = House::new(None);
    let clerk = house.sign_on(1, "C1").await;
    house.clock.awaited();
    let mut bodies = Vec::new();
    for (badge, pin) in [
        ("S1", WRONG),
        ("Z9", WRONG),
        ("C2", &pin_of("C2")),
        ("A1", WRONG),
    ] {
        let body = json!({
            "key": house.key(&clerk), "kind": "fill", "amount_cents": 100,
            "second": {"badge": badge, "pin": pin},
        });
        let answer = house.post(&clerk, "/shifts/movements", body).await;
        assert_eq!(answer.status, 401);
        bodies.push(answer.body);
    }
    bodies.dedup();
    assert_eq!(bodies.len(), 1, "one sentence");
    // The clock stands: four requests, each answered half a second after it came.
    assert_eq!(house.clock.awaited(), [500; 4]);
    let found: Vec<(String, String)> = lines(&house)
        .into_iter()
        .filter(|line| line.kind == "sign_on_refused")
        .map(|line| (line.badge, line.purpose))
        .collect();
    let told = |badge: &str, reason: &str| (badge.to_owned(), format!("second: {reason}"));
    assert_eq!(
        found,
        [
            told("S1", "wrong_pin"),
            told("Z9", "unknown_badge"),
            told("C2", "wrong_place"),
            told("A1", "wrong_place"),
        ]
    );
    for _ in 0..20 {
        let kiosk = house
            .post_device(3, "/sessions", json!({"badge": "S1", "pin": WRONG}))
            .await;
        assert_eq!(kiosk.refusal(), (403, "wrong_place".to_owned()));
    }
    assert_eq!(tried(&house, "S1"), 1);
}

/// Who has no device has no PIN tried, and locks nobody; a technician then revokes a stolen device,
/// at another device and at central's own machine.
#[actix_web::test]
async fn requests_of_nobody_lock_nobody_out() {
    let house = House::new(None);
    hire(&house);
    for badge in ["C1", "S1", "S2", "X1", "T1"] {
        for path in ["/sessions", "/devices/4/revoke", "/devices/4/return"] {
            for _ in 0..10 {
                let body = if path == "/devices/4/return" {
                    json!({"by": {"badge": badge, "pin": WRONG}, "second": second("X2")})
                } else {
                    json!({"badge": badge, "pin": WRONG})
                };
                let answer = house.post_nobody(path, body).await;
                assert_eq!(
                    answer.refusal(),
                    (401, "device_unknown".to_owned()),
                    "{path}"
                );
            }
        }
        let body = format!("badge={badge}&pin={WRONG}&purpose=claim");
        let request = TestRequest::post()
            .uri("/audit/sign-in")
            .insert_header((header::CONTENT_TYPE, "application/x-www-form-urlencoded"))
            .set_payload(body);
        let answer = house.call(request).await;
        assert_eq!(answer.status, 403, "{}", answer.text());
    }
    assert!(lines(&house).iter().all(|line| line.kind == "audit_view"));
    // A stolen counter guesses as long as it likes, and tries another's key.
    let guess = json!({"badge": "T1", "pin": WRONG});
    for _ in 0..20 {
        house
            .post_device(2, "/devices/1/revoke", guess.clone())
            .await;
    }
    let forged = post("/devices/2/revoke", &guess).insert_header((CONSOLE_HEADER, "00".repeat(32)));
    assert_eq!(house.call(forged).await.status, 401);
    let right = json!({"badge": "T1", "pin": pin_of("T1")});
    let console =
        post("/devices/2/revoke", &right).insert_header((CONSOLE_HEADER, console_key(&house)));
    assert_eq!(house.call(console).await.status, 200);
    assert_eq!(
        house
            .post_device(1, "/devices/4/revoke", right)
            .await
            .status,
        200
    );
    assert_eq!(house.sign_on(1, "S1").await.badge, "S1");
}

/// A hundred failures lock a badge where it never succeeded; where it did it goes on. Two people
/// lift it.
#[actix_web::test]
async fn a_locked_badge_serves_where_it_has_served_and_two_people_lift_it() {
    let house = House::new(None);
    house.sign_on(2, "S2").await;
    let supervisor = house.sign_on(1, "S1").await;
    let wrong = json!({"badge": "S2", "pin": WRONG});
    for _ in 0..100 {
        house.clock.advance(900_000);
        let answer = house.post_device(1, "/sessions", wrong.clone()).await;
        assert_eq!(answer.refusal(), (401, "badge_or_pin_wrong".to_owned()));
    }
    house.clock.advance(900_000);
    let right = json!({"badge": "S2", "pin": pin_of("S2")});
    let locked = house.post_device(1, "/sessions", right.clone()).await;
    assert_eq!(locked.refusal(), (403, "badge_locked".to_owned()));
    assert_eq!(
        house
            .post_device(2, "/sessions", right.clone())
            .await
            .status,
        200
    );
    assert!(
        blocking(
            || Recognised::at_console(&house.central, "S2", &pin_of("S2"), &|roles| has_any(
                roles,
                &[Role::Cage]
            ))
        )
        .is_ok()
    );
    let alone = json!({"badge": "S2", "second": second("S1")});
    let refused = house.post(&supervisor, "/badges/lift", alone).await;
    assert_eq!(refused.refusal(), (403, "same_person_twice".to_owned()));
    let by_two = json!({"badge": "S2", "second": second("X1")});
    assert_eq!(
        house.post(&supervisor, "/badges/lift", by_two).await.status,
        200
    );
    assert_eq!(house.post_device(1, "/sessions", right).await.status, 200);
    assert!(
        lines(&house).iter().any(|line| line.kind == "lock_lifted"
            && line.badge == "S2"
            && line.purpose == "S1 + X1")
    );
}

/// Whoever tries what is not theirs to do, or not alone, leaves a line; a wrong number does not, nor
/// does anybody without a device.
#[actix_web::test]
async fn what_is_refused_beyond_the_door_of_pins_stands_in_the_access_log() {
    let house = House::new(None);
    let clerk = house.sign_on(1, "C1").await;
    let sold = house
        .sell(&clerk, &crate::common::straight(&[9], 2_000, 6))
        .await;
    let code = sold.ticket.claim_code.clone().unwrap();
    let cancel = json!({"key": house.key(&clerk), "code": code, "reason": "other"});
    let bare = json!({"key": house.key(&clerk), "code": "#1", "reason": "other"});
    for (path, body) in [
        ("/cancellations", cancel.clone()),
        ("/cancellations", bare),
        ("/house/suspend", json!({"reason": "essai"})),
        ("/people/withdraw", json!({"badge": "S1"})),
    ] {
        let answer = house.post(&clerk, path, body).await;
        assert!(
            matches!(answer.status, 401 | 403 | 422),
            "{}",
            answer.text()
        );
    }
    let refused: Vec<_> = lines(&house)
        .into_iter()
        .filter(|line| line.kind == "refused")
        .map(|line| (line.device, line.badge, line.purpose))
        .collect();
    let line = |badge: &str, purpose: &str| (Some(1), badge.to_owned(), purpose.to_owned());
    assert_eq!(
        refused,
        [
            line("C1", "cancel second_person_needed"),
            line("C1", "cancel claim_code_needed"),
            line("C1", "suspend_sales wrong_role"),
            line("", "record_person wrong_place"),
        ]
    );
}

/// Counters hold through a restart.
#[actix_web::test]
async fn a_restart_gives_no_further_guess() {
    let mut house = House::new(None);
    for _ in 0..5 {
        let wrong = json!({"badge": "S1", "pin": WRONG});
        assert_eq!(house.post_device(1, "/sessions", wrong).await.status, 401);
    }
    house = house.restarted();
    let right = json!({"badge": "S1", "pin": pin_of("S1")});
    let answer = house.post_device(1, "/sessions", right.clone()).await;
    assert_eq!(answer.refusal(), (429, "locked_out".to_owned()));
    assert_eq!(answer.header("retry-after"), "30");
    assert_eq!(
        house
            .post_device(2, "/sessions", right.clone())
            .await
            .status,
        200
    );
    house.clock.advance(30_000);
    assert_eq!(house.post_device(1, "/sessions", right).await.status, 200);
}

/// A device that failed twenty times within the hour is slow, and locked out of nothing.
#[actix_web::test]
async fn many_failures_make_a_device_slow_and_no_other() {
    let house = House::new(None);
    for number in 0..20 {
        let wrong = json!({"badge": format!("Z{number}"), "pin": WRONG});
        assert_eq!(house.post_device(1, "/sessions", wrong).await.status, 401);
    }
    house.clock.awaited();
    let wrong = json!({"badge": "S1", "pin": WRONG});
    house.post_device(1, "/sessions", wrong.clone()).await;
    house.post_device(2, "/sessions", wrong).await;
    let within = i64::try_from(keno_wire::people::PIN_REFUSED_AFTER_MS).unwrap();
    assert_eq!(house.clock.awaited(), [within, 500]);
    assert_eq!(house.app.access.lock_outs(), 2, "an alarm says so");
    let right = json!({"badge": "S1", "pin": pin_of("S1")});
    assert_eq!(house.post_device(1, "/sessions", right).await.status, 200);
}

/// Nobody was at the screen for ten minutes in which the device was heard: the session asks for the
/// PIN, and its keys live. Time in which the device was away does not count, and a restart begins
/// anew.
#[actix_web::test]
async fn an_idle_session_waits_for_its_pin_and_loses_nothing() {
    let mut house = House::new(None);
    let clerk = house.sign_on(1, "C1").await;
    let order = house
        .order(&clerk, &crate::common::straight(&[9], 100, 1))
        .await;
    let report = json!({"version": "0.1.0", "locked": false, "open": []});
    // Away for half an hour: the next sale goes on.
    house.clock.advance(1_800_000);
    house.tick();
    house
        .sell(&clerk, &crate::common::straight(&[9], 100, 1))
        .await;
    for _ in 0..120 {
        house.clock.advance(5_000);
        assert_eq!(
            house
                .post_device(1, "/terminals/report", report.clone())
                .await
                .status,
            200
        );
    }
    house.tick();
    let idle = house.post(&clerk, "/sales", order.clone()).await;
    assert_eq!(idle.refusal(), (401, "session_idle".to_owned()));
    let key = json!({"key": order["key"]});
    assert_eq!(
        house
            .post(&clerk, "/keys/question", key.clone())
            .await
            .status,
        200
    );
    let unlock = json!({"badge": "C1", "pin": pin_of("C1")});
    assert_eq!(
        house.post(&clerk, "/sessions/unlock", unlock).await.status,
        200
    );
    assert_eq!(house.post(&clerk, "/sales", order).await.status, 200);
    for _ in 0..120 {
        house.clock.advance(5_000);
        let mut touched = report.clone();
        touched["hand_ms"] = json!(1_000);
        house.post_device(1, "/terminals/report", touched).await;
    }
    house.tick();
    house
        .sell(&clerk, &crate::common::straight(&[9], 100, 1))
        .await;
    for _ in 0..120 {
        house.clock.advance(5_000);
        house
            .post_device(1, "/terminals/report", report.clone())
            .await;
    }
    house = house.restarted();
    house.tick();
    house
        .sell(&clerk, &crate::common::straight(&[9], 100, 1))
        .await;
}

/// After twelve hours a session ends, by central, once what is in doubt there is cleared up; the
/// till stays open.
#[actix_web::test]
async fn a_session_ends_after_twelve_hours_and_leaves_its_till_open() {
    let house = House::new(None);
    let clerk = house.sign_on(1, "C1").await;
    let look = || blocking(|| keno_central::watch::end_overlong(&house.app));
    let is_open = || {
        house
            .central
            .view
            .get()
            .sessions
            .contains_key(&clerk.session)
    };
    house.clock.advance(12 * 3_600_000 - 1_000);
    look();
    assert!(is_open());
    house.clock.advance(1_000);
    let doubt = json!({"version": "0.1.0", "locked": false, "open": [{
        "key": {"session": clerk.session, "counter": 1}, "kind": "sale", "stage": "asking",
        "total_cents": 100, "since_ms": 1,
    }]});
    house.post_device(1, "/terminals/report", doubt).await;
    look();
    assert!(is_open(), "it has something in doubt");
    let none = json!({"version": "0.1.0", "locked": false, "open": []});
    house.post_device(1, "/terminals/report", none).await;
    look();
    assert!(!is_open());
    assert!(house.central.view.get().shift_at(1).is_some());
    let order = house
        .order(&clerk, &crate::common::straight(&[9], 100, 1))
        .await;
    let late = house.post(&clerk, "/sales", order).await;
    assert_eq!(late.refusal(), (401, "session_ended".to_owned()));
    let again = house.sign_on(1, "C1").await;
    assert_eq!(again.shift, clerk.shift);
}

/// Whoever is signed on at a device that is recorded anew was signed on with its old key. Seen to fail:
/// with the sessions left as they are.
#[actix_web::test]
async fn a_device_that_is_recorded_anew_has_nobody_signed_on() {
    let house = House::new(None);
    house.sign_on(1, "C1").await;
    let at = |device: u32| {
        let view = house.central.view.get();
        view.sessions.values().any(|one| one.device == device)
    };
    assert!(at(1));
    blocking(|| {
        let counter = DeviceRole::Counter.number();
        DeviceNumber(1).record(&house.central, "R1", counter, ("X1", "X2"))
    })
    .unwrap();
    assert!(!at(1));
}

/// Unknown numbers at any door count against the counter that asks; a true code never does, and
/// neither kiosks nor strangers use up what is a counter's.
#[actix_web::test]
async fn unknown_numbers_count_at_every_door_and_against_the_asker_alone() {
    let house = House::new(None);
    let clerk = house.sign_on(1, "C1").await;
    let other = house.sign_on(2, "C2").await;
    let sold = house
        .sell_printed(&clerk, &crate::common::straight(&[9], 100, 1))
        .await;
    let code = sold.ticket.claim_code.clone().unwrap();
    let limit = house.central.house.unknown_numbers_per_minute;
    let mut payload = 0;
    let mut unknown = || {
        payload += 1;
        keno_game::ControlNumber::from_payload(payload)
            .unwrap()
            .digits()
    };
    // Kiosk and strangers use up theirs.
    for _ in 0..(limit * 25) {
        let number = unknown();
        house
            .post_device(3, "/checks", json!({"code": number}))
            .await;
        house.post_nobody("/checks", json!({"code": number})).await;
    }
    let kiosk = house
        .post_device(3, "/checks", json!({"code": unknown()}))
        .await;
    assert_eq!(kiosk.refusal(), (429, "too_many_unknown".to_owned()));
    let doors: [(&str, Value); 5] = [
        ("/presentations", json!({})),
        ("/discrepancies", json!({"facts": [1], "note": "x"})),
        ("/patron-refusals", json!({"reason": "minor"})),
        (
            "/cancellations",
            json!({"reason": "changed_mind", "key": house.key(&clerk)}),
        ),
        ("/unpaid", json!({"second": second("S1")})),
    ];
    for (path, body) in &doors {
        house.clock.advance(60_000);
        house.tick();
        for _ in 0..limit {
            let mut body = body.clone();
            body["code"] = json!(unknown());
            let answer = house.post(&clerk, path, body).await;
            assert_eq!(answer.refusal().1, "number_unknown", "{path}");
        }
        let mut body = body.clone();
        body["code"] = json!(unknown());
        let answer = house.post(&clerk, path, body.clone()).await;
        assert_eq!(answer.refusal().1, "too_many_unknown", "{path}");
        // Another counter has its own.
        let answer = house
            .post(&other, "/presentations", json!({"code": unknown()}))
            .await;
        assert_eq!(answer.refusal().1, "number_unknown");
    }
    // The true code goes on at the counter whose budget is gone.
    let shown = house
        .post(&clerk, "/presentations", json!({"code": code}))
        .await;
    assert!(!shown.text().contains("too_many_unknown"));
    let asked = json!({"content": {"what": "unpaid", "code": unknown()}, "reason": "x"});
    let answer = house.post(&clerk, "/approvals", asked).await;
    assert_eq!(answer.refusal().1, "too_many_unknown");
}

/// A badge that may not sign on somewhere is refused there as one that nobody has, however often, and
/// its owner is kept out nowhere. Who set whose PIN is told to nobody before both PINs were right.
/// Seen to fail: with a wrong place that is not counted, with one that is counted against its owner,
/// and with two people who are compared before they are recognised.
#[actix_web::test]
async fn no_door_tells_whose_a_badge_is() {
    let house = House::new(None);
    let mut told = Vec::new();
    for badge in ["A1", "Z9"] {
        let mut answers = Vec::new();
        for _ in 0..7 {
            let body = json!({"badge": badge, "pin": WRONG});
            let answer = house.post_device(1, "/sessions", body).await;
            answers.push((answer.status, answer.body));
        }
        told.push(answers);
    }
    assert_eq!(told[0], told[1], "one that exists, one that does not");
    assert_eq!(told[0].last().unwrap().0, 429, "both wait");
    // At one device: as a second person who may not be one, and then as who works there.
    let clerk = house.sign_on(2, "C1").await;
    for _ in 0..7 {
        let body = json!({
            "key": house.key(&clerk), "kind": "fill", "amount_cents": 100,
            "second": {"badge": "C2", "pin": WRONG},
        });
        let answer = house.post(&clerk, "/shifts/movements", body).await;
        assert!([401, 429].contains(&answer.status));
    }
    house.sign_on(2, "C2").await;
    // On a first PIN, which the second person set.
    blocking(|| Badge("C1").reset_pin(&house.central, "S1", "S2")).unwrap();
    let relief = json!({
        "absent": "C2", "staying": {"badge": "C1", "pin": WRONG},
        "second": {"badge": "S1", "pin": WRONG},
    });
    let answer = house.post_device(2, "/sessions/relief", relief).await;
    assert_eq!(answer.refusal(), (401, "badge_or_pin_wrong".to_owned()));
}
