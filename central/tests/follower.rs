//! A house with a follower of its log, through the public door: it is put on record, what waits is
//! shown at the wall, and the alarms say how it stands.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "helpers of tests, whose failures are the test's"
)]

use std::collections::BTreeSet;
use std::time::Duration;

use crate::common::{House, Person, RULES, blocking, second, sure_win};
use diesel::connection::SimpleConnection as _;
use keno_central::alarm::{Alarm, AlarmName};
use keno_central::watch::{Files, Sight, Watcher};
use keno_house_builder::{FOLLOWER_NOW, FollowerHost, without_guards};
use keno_log::checkpoint::Note;
use keno_log::checkpoint::cosignature::cosigned_at;
use keno_schema::{Database, on};
use serde_json::{Value, json};

/// Payments from 20.00 on take two people, and wait for the follower.
fn rules() -> String {
    let wanted = "second_person = \"20.00\"\nsecond_computation = 60";
    RULES.replace("second_person = \"1000.00\"", wanted)
}

fn house_with(database: Option<&str>) -> (House, FollowerHost) {
    let mut office = None;
    let house = House::opened(database, &rules(), |options| {
        office = Some(FollowerHost::start(options).unwrap());
    });
    (house, office.unwrap())
}

/// Hands over what there is, until the follower has it all or goes on with nothing.
fn feed(house: &House) {
    house.published();
    blocking(|| {
        let line = house.central.follower.as_ref().unwrap();
        let left_alone = |_| line.turn(&house.central) > Duration::ZERO;
        assert!((0..100).any(left_alone), "the follower is never done");
    });
}

/// The alarms that stand.
fn seen(house: &House) -> BTreeSet<Alarm> {
    Watcher::default().judge(&Sight::look(&house.app, Files::default()))
}

/// Their names.
fn alarms(house: &House) -> Vec<&'static str> {
    seen(house).iter().map(|alarm| alarm.name.name()).collect()
}

async fn wall(house: &House, by: &Person) -> Value {
    house.get_as(by, "/api/v1/wall").await.value()
}

async fn the_whole_way(house: House, office: FollowerHost) {
    let clerk = house.sign_on(1, "C1").await;
    let supervisor = house.sign_on(2, "S1").await;
    let shown = wall(&house, &supervisor).await;
    assert_eq!(
        shown["follower"]["standing"], "not_heard",
        "nothing was heard yet"
    );
    feed(&house);
    assert_eq!(alarms(&house), ["follower_new"]);
    let shown = wall(&house, &supervisor).await;
    assert_eq!(shown["follower"]["standing"], "not_on_record");
    assert_eq!(shown["follower"]["name"], "audit-office");
    let began = shown["follower"]["began"].as_str().unwrap();
    let begins = json!({"began": began, "second": second("X1")});
    assert_eq!(
        house
            .post(&supervisor, "/follower/begin", begins.clone())
            .await
            .status,
        200
    );
    let again = house.post(&supervisor, "/follower/begin", begins).await;
    assert_eq!(again.refusal(), (409, "nobody_begins".to_owned()));
    feed(&house);
    assert!(alarms(&house).is_empty());
    let shown = wall(&house, &supervisor).await;
    assert_eq!(
        (&shown["follower"]["standing"], &shown["follower"]["behind"]),
        (&json!("at_work"), &json!(0))
    );
    assert_eq!(shown["follower"].get("began"), None);

    let cosigned = house.get("/log/cosigned").await;
    let note = Note::parse(cosigned.text()).unwrap();
    assert_eq!(cosigned_at(&note, office.key()), Ok(FOLLOWER_NOW));
    let checkpoint = house.get("/log/checkpoint").await;
    assert!(
        checkpoint.text().starts_with(note.text()),
        "of everything that is there"
    );

    let sold = house.sell_printed(&clerk, &sure_win(50, 1)).await;
    let code = sold.ticket.claim_code.unwrap();
    house.until_settled(1);
    let check = json!({"code": code});
    let checked = house.post(&clerk, "/checks", check.clone()).await.value();
    assert_eq!(checked["verdict"]["code"], "draw_unofficial");
    assert_eq!(checked["draws"][0]["payment"], "waits");
    assert_eq!(
        checked["draws"][0]["payable_cents"], 0,
        "no amount is told that may be another"
    );
    let shown = wall(&house, &supervisor).await;
    let waits = &shown["unfollowed"][0];
    assert_eq!(
        (&waits["draw"], &waits["holds_large"]),
        (&json!(1), &json!(true))
    );
    assert_eq!(waits["may_be_opened"], false);

    office.go_away();
    house.clock.advance(30_001);
    feed(&house);
    assert_eq!(alarms(&house), ["follower_away"]);
    assert_eq!(
        wall(&house, &supervisor).await["follower"]["standing"],
        "away"
    );
    office.come_back("copy").unwrap();
    feed(&house);
    feed(&house);
    assert!(alarms(&house).is_empty());
    assert_eq!(wall(&house, &supervisor).await["unfollowed"], json!([]));
    let checked = house.post(&clerk, "/checks", check).await.value();
    assert_eq!(checked["verdict"]["code"], "winner");
    assert_eq!(checked["payable_cents"], 3_000);
}

/// What it refuses stands at the wall in words, and as one alarm however the words go on.
#[actix_web::test]
async fn what_the_follower_refuses_is_one_alarm() {
    let (house, _office) = house_with(None);
    let clerk = house.sign_on(1, "C1").await;
    let supervisor = house.sign_on(2, "S1").await;
    feed(&house);
    let sold = house.sell_printed(&clerk, &sure_win(50, 1)).await;
    let statement = format!(
        "UPDATE log_entry SET body = zeroblob(length(body)) WHERE leaf_index = {}",
        sold.ticket.ticket
    );
    let record = Database::Sqlite(house.folder.path().join("keno.sqlite"));
    without_guards(
        &mut record.open_writer().unwrap(),
        |connection| on!(connection, c => c.batch_execute(&statement)),
    )
    .unwrap();
    feed(&house);
    let refuses = Alarm::about(AlarmName::FollowerRefuses, "entry_wrong");
    assert!(seen(&house).contains(&refuses), "{:?}", seen(&house));
    let before = seen(&house);
    house.sell_printed(&clerk, &sure_win(50, 1)).await;
    feed(&house);
    assert_eq!(seen(&house), before);
    let follower = wall(&house, &supervisor).await["follower"].clone();
    assert_eq!(follower["standing"], "refuses");
    let words = follower["refuses"].as_str().unwrap();
    let entry = format!("entry {}", sold.ticket.ticket);
    assert!(
        words.starts_with("entry_wrong: ") && words.contains(&entry),
        "{words}"
    );
}

#[actix_web::test]
async fn a_follower_is_put_on_record_and_opens_the_gate() {
    let (house, office) = house_with(None);
    the_whole_way(house, office).await;
    let database = keno_testing::empty_postgres_database().unwrap();
    let (house, office) = house_with(Some(database.address()));
    the_whole_way(house, office).await;
}
