//! The supervisor's wall: what the terminals say beside what the record says, what waits for a
//! second person, and messages that wait for their reader.

#![allow(clippy::unwrap_used, reason = "a test's failure is its own report")]

use crate::common::{FLOAT_CENTS, House, NOON_MS, Person, pin_of, second, straight, sure_win};
use keno_house_builder::without_guards;
use keno_record::clock::Clock;
use keno_service::access::AccessLog;
use keno_service::staff::Badge;
use keno_wire::wall::{CashBand, MessageView, TerminalState, WallReply, WallRow};
use serde_json::{Value, json};

async fn on_both(check: impl AsyncFn(House)) {
    check(House::new(None)).await;
    let database = crate::common::blocking(|| keno_testing::empty_postgres_database().unwrap());
    check(House::new(Some(database.address()))).await;
}

async fn wall(house: &House, supervisor: &Person) -> WallReply {
    house.get_as(supervisor, "/api/v1/wall").await.ok()
}

fn row(wall: &WallReply, device: u32) -> &WallRow {
    wall.rows.iter().find(|row| row.device == device).unwrap()
}

fn report(open: &Value) -> Value {
    json!({
        "version": "0.1.0", "locked": false,
        "printer": {"state": "ready", "near_end": true}, "open": open,
    })
}

async fn says(house: &House, device: u32, report: Value) {
    let answer = house.post_device(device, "/terminals/report", report).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
}

/// Lets seconds pass, a draw step at each.
fn pass(house: &House, seconds: i64) {
    for _ in 0..seconds {
        house.clock.advance(1_000);
        house.tick();
    }
}

#[actix_web::test]
async fn one_row_says_how_each_terminal_is() {
    on_both(async |house| {
        let clerk = house.sign_on(1, "C1").await;
        let supervisor = house.sign_on(2, "S1").await;
        let before = wall(&house, &supervisor).await;
        assert_eq!(before.rows.len(), 8);
        assert_eq!(row(&before, 1).state, TerminalState::NeverHeard);
        assert_eq!(row(&before, 1).last_sale, None);
        assert_eq!(row(&before, 3).role, "kiosk");
        assert_eq!(row(&before, 3).badge, None);

        house.clock.advance(2_000);
        house.sell(&clerk, &straight(&[7], 200, 1)).await;
        house.sell(&clerk, &straight(&[7], 300, 2)).await;
        says(&house, 1, report(&json!([]))).await;
        says(
            &house,
            3,
            json!({"version": "0.1.0", "locked": false, "open": []}),
        )
        .await;
        let heard = wall(&house, &supervisor).await;
        let first = row(&heard, 1);
        assert_eq!(first.state, TerminalState::Online);
        assert_eq!(first.badge.as_deref(), Some("C1"));
        assert_eq!(first.since_ms, Some(NOON_MS));
        assert_eq!(first.since_local.as_deref(), Some("2026-11-20 12:00:00"));
        assert_eq!(first.shift, clerk.shift);
        // The last, and not the dearest or the first.
        let last = first.last_sale.as_ref().unwrap();
        assert_eq!(
            (last.total_cents, last.local.as_str()),
            (600, "2026-11-20 12:00:02")
        );
        assert!(first.printer.as_ref().unwrap().near_end);
        assert_eq!(row(&heard, 2).last_sale, None);
        assert_eq!(row(&heard, 3).state, TerminalState::Online);

        let mut locked = report(&json!([]));
        locked["locked"] = json!(true);
        says(&house, 1, locked).await;
        assert_eq!(
            row(&wall(&house, &supervisor).await, 1).state,
            TerminalState::Locked
        );
        house.clock.advance(6_000);
        assert_eq!(
            row(&wall(&house, &supervisor).await, 1).state,
            TerminalState::Locked
        );
        house.clock.advance(1);
        let silent = wall(&house, &supervisor).await;
        assert_eq!(row(&silent, 1).state, TerminalState::Silent);
        assert_eq!(row(&silent, 1).silent_ms, Some(6_001));
        assert_eq!(silent.clock.central_ms, house.clock.now_ms());
        assert_eq!(silent.clock.next.as_ref().unwrap().draw, 1);
        assert_eq!(silent.clock.closes_at_ms, Some(house.closes_at_ms(1)));
        assert!(!silent.clock.sales_suspended && !silent.clock.schedule_halted);
    })
    .await;
}

#[actix_web::test]
async fn cash_is_told_as_a_band_and_never_as_a_figure() {
    let house = House::new(None);
    let supervisor = house.sign_on(2, "S1").await;
    house.sign_on(1, "C1").await;
    let told = house.get_as(&supervisor, "/api/v1/wall").await;
    let wall: WallReply = told.ok();
    assert_eq!(row(&wall, 1).cash, Some(CashBand::High));
    assert!(
        !told.text().contains(&FLOAT_CENTS.to_string()),
        "{}",
        told.text()
    );
    let drop = json!({
        "key": house.key(&supervisor), "kind": "drop", "amount_cents": FLOAT_CENTS - 10_000,
        "second": second("C2"),
    });
    let answer = house.post(&supervisor, "/shifts/movements", drop).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let band = async || {
        let answer = house.get_as(&supervisor, "/api/v1/wall").await;
        row(&answer.ok::<WallReply>(), 2).cash
    };
    assert_eq!(band().await, Some(CashBand::Usual));
    let drop = json!({
        "key": house.key(&supervisor), "kind": "drop", "amount_cents": 1, "second": second("C2"),
    });
    house.post(&supervisor, "/shifts/movements", drop).await;
    assert_eq!(band().await, Some(CashBand::Low));
    assert_eq!(row(&wall, 3).cash, None);
}

#[actix_web::test]
async fn what_is_in_doubt_stands_beside_what_the_record_says_of_it() {
    on_both(async |house| {
        let clerk = house.sign_on(1, "C1").await;
        let supervisor = house.sign_on(2, "S1").await;
        let mut keys = Vec::new();
        for _ in 0..2 {
            let mut order = house.order(&clerk, &straight(&[7], 200, 1)).await;
            let key = house.key(&clerk);
            order["key"] = key.clone();
            let sold = house.post(&clerk, "/sales", order).await.value();
            let ticket = &sold["ticket"];
            keys.push((
                key,
                ticket["ticket"].clone(),
                ticket["control_number"].clone(),
            ));
        }
        let printed = json!({"ticket": keys[1].1, "copy": 1, "how": "printer"});
        house.post(&clerk, "/prints", printed).await;
        let closed = house.key(&clerk);
        house
            .post(&clerk, "/keys/close", json!({"key": closed}))
            .await;
        let open: Vec<Value> = [&keys[0].0, &keys[1].0, &closed, &house.key(&clerk)]
            .into_iter()
            .map(|key| {
                json!({
                    "key": key, "kind": "sale", "stage": "parked", "total_cents": 200,
                    "since_ms": 9000,
                })
            })
            .collect();
        says(&house, 1, report(&json!(open))).await;
        let wall = wall(&house, &supervisor).await;
        assert_eq!(row(&wall, 1).in_doubt, 4);
        let said: Vec<_> = wall
            .in_doubt
            .iter()
            .map(|one| {
                let record = &one.record;
                (record.state.as_str(), record.leaf, record.print_confirmed)
            })
            .collect();
        assert_eq!(
            said,
            [
                ("recorded", keys[0].1.as_u64(), Some(false)),
                ("recorded", keys[1].1.as_u64(), Some(true)),
                ("closed", None, None),
                ("unknown", None, None),
            ]
        );
        // What cannot be open is not: another's session, one that nobody opened, a key a second time,
        // or more without an outcome than a terminal ever has.
        let made_up = |session: &Value, counter: u64| {
            let mut one = open[3].clone();
            one["key"] = json!({"session": session, "counter": counter});
            one
        };
        let mut more = open.clone();
        more.push(open[0].clone());
        let own = &open[0]["key"]["session"];
        for session in [json!(supervisor.session), json!(99_999)] {
            more.push(made_up(&session, 1));
        }
        more.extend((50..75).map(|counter| made_up(own, counter)));
        says(&house, 1, report(&json!(more))).await;
        let said: WallReply = house.get_as(&supervisor, "/api/v1/wall").await.ok();
        let known = |one: &&keno_wire::wall::InDoubtView| one.record.state != "unknown";
        assert_eq!(said.in_doubt.iter().filter(known).count(), 3);
        assert_eq!(said.in_doubt.len(), 7);
        says(&house, 1, report(&json!(open))).await;
        assert_eq!(wall.in_doubt[0].record.total_cents, Some(200));
        assert_eq!(wall.in_doubt[0].terminal.stage, "parked");
        // While its draw is open the terminal prints it alone; then two people decide about the
        // one that has no paper, by its reference.
        let named = |wall: &WallReply| -> Vec<Option<u64>> {
            let of = |one: &keno_wire::wall::InDoubtView| {
                one.record.reference.as_ref().map(|it| it.ticket)
            };
            wall.in_doubt.iter().map(of).collect()
        };
        assert_eq!(named(&wall), [None; 4]);
        house.until_closed(1);
        says(&house, 1, report(&json!(open))).await;
        let answer = house.get_as(&supervisor, "/api/v1/wall").await;
        let number = keys[0].2.as_str().unwrap();
        assert!(!answer.text().contains(number), "{}", answer.text());
        let wall: WallReply = answer.ok();
        assert_eq!(named(&wall), [keys[0].1.as_u64(), None, None, None]);
        let reference = wall.in_doubt[0].record.reference.as_ref().unwrap();
        assert!(reference.number.ends_with(&number[12..]), "{reference:?}");
        assert_eq!(reference.terminal, "T01");
        // Nor does the answer to its key say the whole number any more.
        let asked = json!({"key": keys[0].0});
        let known = house.post_device(1, "/keys/question", asked).await;
        assert!(!known.text().contains(number), "{}", known.text());
        let known = known.value();
        assert_eq!(known["sale"]["ticket"]["claim_code"], Value::Null);
        assert_eq!(known["sale"]["without_paper"]["ticket"], keys[0].1);
        let code = format!("#{}", reference.ticket);
        let content = json!({"what": "unpaid", "code": code});
        let asked = house
            .post(&clerk, "/approvals", json!({"content": content}))
            .await;
        let id = asked.value()["id"].clone();
        let grant = format!("/approvals/{id}/grant");
        house
            .post(&supervisor, &grant, json!({"pin": pin_of("S1")}))
            .await;
        let unpaid = json!({"code": code, "second": {"approval": id}});
        let answer = house.post(&clerk, "/unpaid", unpaid).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        says(&house, 1, report(&json!(open))).await;
        assert_eq!(named(&self::wall(&house, &supervisor).await), [None; 4]);
    })
    .await;
}

#[actix_web::test]
async fn a_ticket_whose_paper_nobody_confirmed_is_held_after_the_close_and_not_before() {
    on_both(async |house| {
        let clerk = house.sign_on(1, "C1").await;
        let supervisor = house.sign_on(2, "S1").await;
        house.sell_printed(&clerk, &straight(&[7], 200, 1)).await;
        let sold = house.sell(&clerk, &straight(&[7], 300, 2)).await;
        house.sell(&clerk, &straight(&[7], 100, 1)).await;
        house.until_closed(1);
        assert!(wall(&house, &supervisor).await.held.is_empty());
        pass(&house, 45);
        // A ticket of a draw that is still on sale is not held.
        let mut later = straight(&[7], 100, 1);
        later["first_draw"] = json!(2);
        house.sell(&clerk, &later).await;
        let held = wall(&house, &supervisor).await.held;
        assert_eq!(held.len(), 2, "{held:?}");
        assert_eq!(held[1].ticket, sold.ticket.ticket);
        assert_eq!((held[1].first_draw, held[1].last_draw), (1, 2));
        assert_eq!(
            (held[1].total_cents, held[1].why.as_str()),
            (Some(600), "unconfirmed")
        );
        assert_eq!(held[1].name, "T01");
        let digits = &sold.ticket.control_number;
        assert!(!held[1].number.contains(&digits[..4]), "{}", held[1].number);
        let release = json!({
            "code": format!("#{}", held[1].ticket), "evidence": "FIN au bas",
            "second": second("S1"),
        });
        let answer = house.post(&clerk, "/releases", release).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        pass(&house, 15);
        let held = wall(&house, &supervisor).await.held;
        assert!(held.iter().all(|one| one.ticket != sold.ticket.ticket));
        assert_eq!(held.len(), 1);
        // Of one whose leaf somebody changed the list says so, and the wall stays up. Whoever looks at
        // the ticket before it is shown that one too.
        let statement = format!(
            "UPDATE log_entry SET body = leaf WHERE leaf_index = {}",
            held[0].ticket
        );
        crate::common::blocking(|| {
            let url = &house.central.house.database_url;
            let database = keno_schema::Database::parse_in(house.folder.path(), url);
            let mut writer = database.open_writer().unwrap();
            without_guards(&mut writer, |c| {
                keno_schema::on!(c, c => diesel::RunQueryDsl::execute(
                    diesel::sql_query(statement), c))
            })
            .unwrap();
        });
        pass(&house, 15);
        let doubtful = wall(&house, &supervisor).await.held;
        assert_eq!((doubtful[0].ticket, doubtful.len()), (held[0].ticket, 1));
        assert_eq!(
            (doubtful[0].total_cents, doubtful[0].why.as_str()),
            (None, "doubtful")
        );
        let auditor = house.sign_on(5, "A1").await;
        let look = json!({"code": digits, "purpose": "inquiry"});
        let found: Value = house.post(&auditor, "/audit/tickets", look).await.ok();
        let after = &found["after"];
        assert_eq!(after["ticket"], held[0].ticket);
        assert_eq!(
            (&after["terminal"], &after["sold_at_local"]),
            (&json!("?"), &json!("?"))
        );
    })
    .await;
}

#[actix_web::test]
async fn an_approval_shows_what_it_is_about_and_the_granter_is_on_the_record() {
    let house = House::new(None);
    let clerk = house.sign_on(1, "C1").await;
    let supervisor = house.sign_on(2, "S1").await;
    let sold = house.sell_printed(&clerk, &straight(&[7], 200, 1)).await;
    let code = sold.ticket.claim_code.unwrap();
    let content = json!({"what": "duplicate", "code": code, "reason": "mouillé"});
    let asked = json!({"content": content, "reason": "le joueur attend"});
    let id = house.post(&clerk, "/approvals", asked).await.value()["id"].clone();
    let answer = house.get_as(&supervisor, "/api/v1/wall").await;
    // A claim code is money: not even who approves is shown it.
    assert!(!answer.text().contains(&code));
    assert!(!answer.text().contains(&sold.ticket.control_number));
    let wall: WallReply = answer.ok();
    let one = &wall.approvals[0];
    assert_eq!(
        (one.what.as_str(), one.state.as_str()),
        ("duplicate", "waiting")
    );
    assert_eq!((one.by.as_str(), one.name.as_str()), ("C1", "T01"));
    assert_eq!(one.rule, "always_by_two");
    assert_eq!(one.reason, "mouillé · le joueur attend");
    let ticket = one.ticket.as_ref().unwrap();
    assert_eq!(
        (ticket.ticket, ticket.total_cents),
        (sold.ticket.ticket, 200)
    );
    assert!(ticket.number.starts_with("••••"), "{}", ticket.number);
    let grant = format!("/approvals/{id}/grant");
    let answer = house
        .post(&supervisor, &grant, json!({"pin": pin_of("S1")}))
        .await;
    assert_eq!(answer.value()["answered_by"], "S1");
    let made = json!({"code": code, "reason": "mouillé", "second": {"approval": id}});
    let answer = house.post(&clerk, "/duplicates", made.clone()).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let again = house.post(&clerk, "/duplicates", made).await;
    assert_eq!(again.refusal(), (409, "approval_used".to_owned()));
    let auditor = house.sign_on(5, "A1").await;
    let look = json!({"code": sold.ticket.control_number, "purpose": "inquiry"});
    let life = house.post(&auditor, "/audit/tickets", look).await;
    assert!(life.text().contains("\"second\":\"S1\"") || life.text().contains("S1"));
}

#[actix_web::test]
async fn who_grants_the_payment_of_a_refused_ticket_is_told_and_a_patron_never_is() {
    let house = House::new(None);
    let clerk = house.sign_on(1, "C1").await;
    let supervisor = house.sign_on(2, "S1").await;
    let sold = house.sell_printed(&clerk, &sure_win(50, 1)).await;
    let code = sold.ticket.claim_code.unwrap();
    house.until_settled(1);
    assert_eq!(house.check(&clerk, &code).await.patron_refused, None);
    let refusal = json!({"code": code, "reason": "excluded"});
    let refused = house.post(&clerk, "/patron-refusals", refusal).await;
    assert_eq!(refused.status, 200, "{}", refused.text());
    let check = house.check(&clerk, &code).await;
    assert_eq!(check.patron_refused.as_deref(), Some("excluded"));
    assert!(check.second_person);
    // The same code at a device where nobody is signed on: not even that two people are needed.
    let patron = house.post_device(3, "/checks", json!({"code": code})).await;
    let reply = patron.value();
    assert_eq!(reply["payable_cents"], json!(check.payable_cents));
    assert_eq!(reply["second_person"], json!(false));
    for word in ["patron", "refus", "exclu"] {
        assert!(!patron.text().contains(word), "{}", patron.text());
    }
    let content = json!({"what": "payment", "code": code, "items": check.payable});
    let asked = json!({"content": content});
    let asked = house.post(&clerk, "/approvals", asked).await.value();
    assert_eq!(asked["rule"], "patron_refused");
    let pin = json!({"pin": pin_of("S1")});
    let granted = house.post(&supervisor, "/approvals/1/grant", pin).await;
    assert_eq!(granted.status, 200, "{}", granted.text());
    let pay = |second: Value| json!({"key": house.key(&clerk), "code": code, "items": check.payable, "second": second});
    let alone = house.post(&clerk, "/payments", pay(Value::Null)).await;
    assert_eq!(alone.refusal(), (403, "second_person_needed".to_owned()));
    let paid = house
        .post(&clerk, "/payments", pay(json!({"approval": 1})))
        .await;
    assert_eq!(paid.value()["second"], "S1", "{}", paid.text());
}

#[actix_web::test]
async fn a_grant_of_someone_who_lost_the_role_meanwhile_is_none() {
    let house = House::new(None);
    let clerk = house.sign_on(1, "C1").await;
    let supervisor = house.sign_on(2, "S1").await;
    let content = json!({"what": "till_movement", "kind": "fill", "amount_cents": 500});
    let asked = json!({"content": content});
    house.post(&clerk, "/approvals", asked).await;
    let pin = json!({"pin": pin_of("S1")});
    let granted = house.post(&supervisor, "/approvals/1/grant", pin).await;
    assert_eq!(granted.status, 200, "{}", granted.text());
    crate::common::blocking(|| Badge("S1").withdraw(&house.central, "X1", "X2")).unwrap();
    let fill = json!({
        "key": house.key(&clerk), "kind": "fill", "amount_cents": 500, "second": {"approval": 1},
    });
    let answer = house.post(&clerk, "/shifts/movements", fill).await;
    assert_eq!(answer.refusal(), (403, "second_person_refused".to_owned()));
}

async fn pending(house: &House, device: u32) -> Vec<u64> {
    let request = actix_web::test::TestRequest::get()
        .uri("/api/v1/counter")
        .insert_header(("Boulier-Device", house.device_header(device)));
    let counter: keno_wire::counter::CounterReply = house.call(request).await.ok();
    counter.messages.iter().map(|one| one.id).collect()
}

#[actix_web::test]
async fn a_message_waits_at_each_counter_until_somebody_has_read_it() {
    let house = House::new(None);
    let clerk = house.sign_on(1, "C1").await;
    let other = house.sign_on(2, "C2").await;
    let supervisor = house.sign_on(6, "S1").await;
    let to_all = json!({"fr": "Tirage retardé", "en": "Draw late"});
    let sent: MessageView = house.post(&supervisor, "/messages", to_all).await.ok();
    assert_eq!(sent.waiting, [1, 2]);
    let to_one = json!({"fr": "Passez me voir", "device": 1});
    house.post(&supervisor, "/messages", to_one).await;
    assert_eq!(pending(&house, 1).await, [1, 2]);
    assert_eq!(pending(&house, 2).await, [1]);
    assert_eq!(pending(&house, 3).await, [] as [u64; 0]);
    // Nobody at another counter reads what is not for them.
    let elsewhere = house
        .post(&other, "/messages/2/acknowledge", json!({}))
        .await;
    assert_eq!(elsewhere.refusal().1, "record_unknown");
    house.clock.advance(1_000);
    let read = house
        .post(&clerk, "/messages/1/acknowledge", json!({}))
        .await;
    assert_eq!(read.status, 200, "{}", read.text());
    let shown = wall(&house, &supervisor).await.messages;
    assert_eq!(shown[1].waiting, [2]);
    let who = &shown[1].acknowledged[0];
    assert_eq!(
        (who.badge.as_str(), who.device, who.at_ms),
        ("C1", 1, NOON_MS + 1_000)
    );
    assert_eq!(shown[0].fr, shown[0].en);
    assert_eq!(pending(&house, 1).await, [2]);
    // Who wrote it is not asked to read it.
    let own = house.sign_on(2, "S1").await;
    assert_eq!(pending(&house, own.device).await, [] as [u64; 0]);
    house.sign_on(2, "C2").await;
    assert_eq!(pending(&house, own.device).await, [1]);
    // The file has it: a restart loses none.
    let folder = house.folder.path().to_owned();
    let now_ms = house.clock.now_ms();
    crate::common::blocking(move || {
        let again = AccessLog::open(&folder, 1).unwrap();
        let stands = again.messages.shown(now_ms);
        assert_eq!(stands.len(), 2);
        assert_eq!(stands[1].1.read[&1], ("C1".to_owned(), NOON_MS + 1_000));
        assert_eq!(again.messages.pending(1, now_ms).len(), 1);
    });
}

#[actix_web::test]
async fn no_message_comes_in_the_last_minute_before_a_close() {
    let house = House::new(None);
    let supervisor = house.sign_on(2, "S1").await;
    house.sign_on(1, "C1").await;
    house
        .post(&supervisor, "/messages", json!({"fr": "x"}))
        .await;
    let left_ms = house.closes_at_ms(1) - house.clock.now_ms();
    assert!(left_ms > 61_000, "{left_ms}");
    house.clock.advance(left_ms - 60_000);
    assert_eq!(pending(&house, 1).await, [1]);
    house.clock.advance(1);
    assert_eq!(pending(&house, 1).await, [] as [u64; 0]);
    house.clock.advance(59_998);
    assert_eq!(pending(&house, 1).await, [] as [u64; 0]);
    house.clock.advance(1_000);
    house.tick();
    assert_eq!(pending(&house, 1).await, [1]);
}
