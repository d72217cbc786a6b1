//! Express picks and limits changed by two people: what is shown before is what is recorded, from
//! the draw that was said, with the slips that it leaves valid.

#![allow(clippy::unwrap_used, reason = "a test's failure is its own report")]

use crate::common::{House, Person, RULES, second, straight};
use keno_record::clock::Clock;
use keno_service::house;
use keno_wire::amendment::{
    AmendableReply, AmendedReply, PreviewReply, RuleDifference, RuleValue, SlipsFate,
};
use keno_wire::counter::CounterReply;
use serde_json::{Value, json};

async fn on_both(check: impl AsyncFn(House)) {
    check(House::new(None)).await;
    let database = crate::common::blocking(|| keno_testing::empty_postgres_database().unwrap());
    check(House::new(Some(database.address()))).await;
}

async fn amendable(house: &House, person: &Person) -> AmendableReply {
    house.get_as(person, "/api/v1/rules/amendments").await.ok()
}

async fn preview(house: &House, person: &Person, changes: Value) -> PreviewReply {
    let base = amendable(house, person).await.version;
    let asked = json!({"base_version": base, "changes": changes});
    house
        .post(person, "/rules/amendments/preview", asked)
        .await
        .ok()
}

/// A change by S1 and S2 from the earliest draw on.
async fn amend(house: &House, supervisor: &Person, changes: Value) -> AmendedReply {
    let base = amendable(house, supervisor).await.version;
    let asked = json!({"base_version": base, "changes": changes, "second": second("S2")});
    house
        .post(supervisor, "/rules/amendments", asked)
        .await
        .ok()
}

fn log_size(house: &House) -> u64 {
    house.central.view.get().log_size
}

fn money(place: &str, old: i64, new: i64) -> RuleDifference {
    RuleDifference {
        place: place.to_owned(),
        game: None,
        old: Some(RuleValue::Money { cents: old }),
        new: Some(RuleValue::Money { cents: new }),
    }
}

/// The express picks of the demonstration with another wager at one key.
fn picks(key: usize, wager_cents: i64) -> Value {
    let mut wagers = [100, 100, 200, 200, 200, 500, 500, 500];
    wagers[key - 1] = wager_cents;
    let picks = wagers.iter().zip(3..);
    picks
        .map(|(wager, spots)| json!({"spots": spots, "wager_cents": wager}))
        .collect()
}

#[actix_web::test]
async fn what_can_be_changed_is_told_as_the_newest_version_has_it() {
    on_both(async |house| {
        let supervisor = house.sign_on(6, "S1").await;
        let told = amendable(&house, &supervisor).await;
        assert_eq!((told.version, told.effective.draw), (1, 1));
        assert_eq!(told.earliest.draw, house.next_draw());
        assert!(told.earliest.local.is_some());
        let settings = &told.settings;
        assert_eq!(settings.usual_wager_cents, Some(100));
        assert_eq!(settings.express.len(), 8);
        assert_eq!(settings.express[7].spots, 10);
        assert_eq!((settings.selections, settings.ways), (4, 2_000));
        assert_eq!(settings.games[0].wager_max_cents, 2_000);
        // In the last two minutes of a draw, the next one is proposed.
        let left_ms = house.closes_at_ms(told.earliest.draw) - house.clock.now_ms();
        house.clock.advance(left_ms - 119_999);
        let late = amendable(&house, &supervisor).await;
        assert_eq!(late.earliest.draw, told.earliest.draw);
        assert!(late.proposed.draw > late.earliest.draw);
    })
    .await;
}

#[actix_web::test]
async fn a_preview_says_everything_and_records_nothing() {
    let house = House::new(None);
    let supervisor = house.sign_on(6, "S1").await;
    let before = log_size(&house);
    let told = preview(
        &house,
        &supervisor,
        json!({"express": picks(5, 300), "second_key_cents": 3_000}),
    )
    .await;
    assert_eq!((told.version, told.faults.len()), (2, 0));
    assert_eq!(told.effective, told.earliest);
    let pick = |wager_cents| {
        let game = "keno".to_owned();
        Some(RuleValue::Pick {
            game,
            name: None,
            spots: 7,
            wager_cents,
        })
    };
    let fifth = RuleDifference {
        place: "counter.express[4]".to_owned(),
        game: None,
        old: pick(200),
        new: pick(300),
    };
    assert_eq!(
        told.differences,
        [money("confirm.second_key", 2_500, 3_000), fifth]
    );
    let fate = SlipsFate {
        withdrawn: Vec::new(),
        print: vec!["express-5".to_owned()],
    };
    assert_eq!(told.slips, fate);

    let told = preview(&house, &supervisor, json!({"selections": 1})).await;
    let blank = vec!["blank".to_owned()];
    let fate = SlipsFate {
        withdrawn: blank.clone(),
        print: blank,
    };
    assert_eq!(told.slips, fate);
    // Its wager is not sold any more: the card of F8 goes with it.
    let game = json!([{"code": "keno", "wager_max_cents": 300}]);
    let few = json!([{"spots": 3, "wager_cents": 100}]);
    let told = preview(&house, &supervisor, json!({"games": game, "express": few})).await;
    assert_eq!(
        told.slips.withdrawn,
        ["blank", "express-6", "express-7", "express-8"]
    );
    assert_eq!(told.slips.print, ["blank"]);

    // Every fault with its place, both the book's and the house's.
    let told = preview(
        &house,
        &supervisor,
        json!({"usual_wager_cents": 75, "selections": 0}),
    )
    .await;
    let places: Vec<&str> = told.faults.iter().map(|one| one.place.as_str()).collect();
    assert_eq!(places, ["limits.selections", "counter.wager"]);
    assert!(told.differences.is_empty());
    let told = preview(&house, &supervisor, json!({"draws": 21})).await;
    assert_eq!(told.faults[0].place, "limits.draws");
    assert!(told.faults[0].sentence.fr.contains("20 tirages"));
    assert_eq!(log_size(&house), before);
}

#[actix_web::test]
async fn a_change_holds_from_its_draw_on_and_leaves_the_rest_of_the_text() {
    on_both(async |house| {
        let clerk = house.sign_on(1, "C1").await;
        let supervisor = house.sign_on(6, "S1").await;
        let next = house.next_draw();
        let asked = json!({
            "base_version": 1, "changes": {"express": picks(5, 300), "selections": 1},
            "effective_from": next + 1, "second": second("S2"),
        });
        let done: AmendedReply = house
            .post(&supervisor, "/rules/amendments", asked.clone())
            .await
            .ok();
        assert_eq!((done.version, done.effective.draw), (2, next + 1));
        assert_eq!(done.slips.print, ["blank", "express-5"]);

        // The draw on sale is under version 1 still, for every counter.
        let counter: CounterReply = house.get_as(&clerk, "/api/v1/counter").await.ok();
        assert_eq!(counter.rules_version, Some(1));
        let two = json!({"draws": 1, "selections": [
            straight(&[7], 100, 1)["selections"][0], straight(&[8], 100, 1)["selections"][0],
        ]});
        house.sell(&clerk, &two).await;
        house.until_closed(next);
        let counter: CounterReply = house.get_as(&clerk, "/api/v1/counter").await.ok();
        assert_eq!(counter.rules_version, Some(2));
        let refused = house.post(&clerk, "/prices", json!({"slip": two})).await;
        assert_eq!(refused.refusal().1, "too_many_selections");

        // Byte for byte, but for what was changed.
        let text = house.get("/api/v1/rules/current").await.value();
        let expected = RULES
            .replace("\nversion = 1\n", "\nversion = 2\n")
            .replace("selections = 4", "selections = 1")
            .replace("spots = 7\nwager = \"2.00\"", "spots = 7\nwager = \"3.00\"");
        assert_eq!(text["text"], json!(expected));

        // The same again was made from a version that is the newest no more.
        let again = house.post(&supervisor, "/rules/amendments", asked).await;
        assert_eq!(again.refusal(), (409, "rule_book_moved_on".to_owned()));
        assert!(again.problem().sentence.fr.contains("version 2"));
    })
    .await;
}

/// A draft that was priced under the old book is sold at that price, or not at all.
#[actix_web::test]
async fn a_draft_of_the_old_book_is_never_sold_for_another_amount() {
    on_both(async |house| {
        let clerk = house.sign_on(1, "C1").await;
        let supervisor = house.sign_on(6, "S1").await;
        let five = straight(&[7, 18], 500, 2);
        let first = house.order(&clerk, &five).await;
        let second = house.order(&clerk, &five).await;
        let third = house.order(&clerk, &straight(&[7, 18], 100, 2)).await;
        assert_eq!(first["total_cents"], 1_000);

        // Another pick at a key changes no draft.
        amend(&house, &supervisor, json!({"express": picks(8, 200)})).await;
        let sold = house.post(&clerk, "/sales", first).await.value();
        assert_eq!(sold["ticket"]["total_cents"], 1_000);

        // A wager that is not sold any more is refused, and takes no money.
        let few = json!([{"spots": 3, "wager_cents": 100}]);
        let game = json!([{"code": "keno", "wager_max_cents": 300}]);
        amend(&house, &supervisor, json!({"games": game, "express": few})).await;
        let before = log_size(&house);
        let refused = house.post(&clerk, "/sales", second).await;
        assert_eq!(refused.refusal().1, "wager_above_maximum");
        assert_eq!(log_size(&house), before);
        let sold = house.post(&clerk, "/sales", third).await.value();
        assert_eq!(sold["ticket"]["total_cents"], 200);
    })
    .await;
}

/// What the newest version changes later is not brought forward by one that is made from it.
#[actix_web::test]
async fn a_change_never_holds_before_the_version_that_it_is_made_from() {
    let house = House::new(None);
    let supervisor = house.sign_on(6, "S1").await;
    let next = house.next_draw();
    let prizes = RULES
        .replace("\nversion = 1\n", "\nversion = 2\n")
        .replace("1 = { 1 = \"3\" }", "1 = { 1 = \"3.10\" }");
    crate::common::blocking(|| {
        house::publish_rules(&house.central, &prizes, next + 5, "X1", "S1").unwrap()
    });
    let told = amendable(&house, &supervisor).await;
    assert_eq!((told.version, told.earliest.draw), (2, next + 5));
    let asked = |from: u64| {
        json!({
            "base_version": 2, "changes": {"ways": 100}, "effective_from": from,
            "second": second("S2"),
        })
    };
    let early = house
        .post(&supervisor, "/rules/amendments", asked(next + 4))
        .await;
    assert_eq!(early.refusal(), (409, "rule_book_too_early".to_owned()));
    assert_eq!(early.problem().field.as_deref(), Some("effective_from"));
    let done = house
        .post(&supervisor, "/rules/amendments", asked(next + 5))
        .await;
    assert_eq!(done.status, 200, "{}", done.text());
}

/// With several games each value says of which it is, to whoever makes the change and to whoever
/// approves it at the wall.
#[actix_web::test]
async fn a_change_of_several_games_names_them() {
    let house = House::new(None);
    let start = RULES.find("[[game]]").unwrap();
    let special = RULES[start..]
        .replace("code = \"keno\"", "code = \"special\"")
        .replace("name.fr = \"Keno\"", "name.fr = \"Keno d’un soir\"")
        .replace("name.en = \"Keno\"", "name.en = \"Evening Keno\"");
    let two = format!("{RULES}\n{special}").replace("\nversion = 1\n", "\nversion = 2\n");
    let next = house.next_draw();
    crate::common::blocking(|| {
        house::publish_rules(&house.central, &two, next, "X1", "S1").unwrap()
    });
    let first = house.sign_on(6, "S1").await;
    let mut express = picks(1, 100);
    express[0]["game"] = json!("special");
    let changes = json!({
        "express": express,
        "games": [
            {"code": "keno", "wager_max_cents": 1_500},
            {"code": "special", "wager_max_cents": 1_000},
        ],
    });
    let names = |code: &str| match code {
        "keno" => json!({"fr": "Keno", "en": "Keno"}),
        _ => json!({"fr": "Keno d’un soir", "en": "Evening Keno"}),
    };
    let pick = |code: &str| {
        json!({
            "kind": "pick", "game": code, "name": names(code), "spots": 3, "wager_cents": 100,
        })
    };
    let wager = |place: &str, code: &str, new: i64| {
        json!({
            "place": place, "game": names(code),
            "old": {"kind": "money", "cents": 2_000}, "new": {"kind": "money", "cents": new},
        })
    };
    let expected = json!([
        {"place": "counter.express[0]", "old": pick("keno"), "new": pick("special")},
        wager("game[0].wager.max", "keno", 1_500),
        wager("game[1].wager.max", "special", 1_000),
    ]);
    let told = preview(&house, &first, changes.clone()).await;
    assert_eq!(json!(told.differences), expected);

    let other = house.sign_on(1, "S2").await;
    let content = json!({
        "what": "rules_amendment", "base_version": 2, "changes": changes, "effective_from": next,
    });
    let asked = house
        .post(&first, "/approvals", json!({"content": content}))
        .await;
    assert_eq!(asked.status, 200, "{}", asked.text());
    let waiting = house.get_as(&other, "/api/v1/approvals").await.value();
    let shown = &waiting["waiting"][0]["amendment"]["differences"];
    assert_eq!(shown, &expected);
}

/// Another supervisor, at another screen, sees the change as it will be and grants it, for exactly
/// that change.
#[actix_web::test]
async fn the_second_person_may_stand_at_the_wall() {
    on_both(async |house| {
        let first = house.sign_on(6, "S1").await;
        let other = house.sign_on(1, "S2").await;
        let next = house.next_draw();
        let changes = json!({"second_key_cents": 3_000});
        let content = json!({
            "what": "rules_amendment", "base_version": 1, "changes": changes,
            "effective_from": next,
        });
        let asked = house
            .post(&first, "/approvals", json!({"content": content}))
            .await
            .value();
        let waiting = house.get_as(&other, "/api/v1/approvals").await.value();
        let shown = &waiting["waiting"][0]["amendment"];
        assert_eq!(shown["version"], 2, "{waiting}");
        assert_eq!(shown["effective"]["draw"], next);
        assert_eq!(
            shown["differences"],
            json!([money("confirm.second_key", 2_500, 3_000)])
        );
        let amend = |changes: &Value, from: u64| {
            json!({
                "base_version": 1, "changes": changes, "effective_from": from,
                "second": {"approval": asked["id"]},
            })
        };
        let early = house
            .post(&first, "/rules/amendments", amend(&changes, next))
            .await;
        assert_eq!(early.refusal().1, "approval_waiting");
        let grant = format!("/approvals/{}/grant", asked["id"]);
        let own = house
            .post(&first, &grant, json!({"pin": crate::common::pin_of("S1")}))
            .await;
        assert_eq!(own.refusal().1, "same_person_twice");
        let granted = house
            .post(&other, &grant, json!({"pin": crate::common::pin_of("S2")}))
            .await;
        assert_eq!(granted.status, 200, "{}", granted.text());
        for (changes, from) in [
            (json!({"second_key_cents": 3_001}), next),
            (json!({"type_total_cents": 3_000}), next),
            (json!({"second_key_cents": 3_000, "ways": 2_000}), next),
            (changes.clone(), next + 1),
        ] {
            let another = house
                .post(&first, "/rules/amendments", amend(&changes, from))
                .await;
            assert_eq!(another.refusal().1, "approval_not_for_this", "{changes}");
        }
        let done = house
            .post(&first, "/rules/amendments", amend(&changes, next))
            .await;
        assert_eq!(done.status, 200, "{}", done.text());
        assert_eq!(done.value()["version"], 2);
    })
    .await;
}
