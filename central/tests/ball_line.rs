//! A machine that reads its own balls, through the public door: whether it is there is said in the draw
//! room before a draw, and by an alarm once one waits for it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "helpers of tests, whose failures are the test's"
)]

use std::collections::BTreeSet;
use std::net::TcpListener;
use std::sync::Arc;

use crate::common::{House, RULES, blocking, record};
use keno_central::alarm::Alarm;
use keno_central::watch::{Files, Sight, Watcher};
use keno_draw_machine::ball_link::{BallMachine, BallPlace};
use keno_draw_machine::simulate;
use keno_draw_machine::simulator::{Simulator, Trouble};
use keno_record::clock::Clock as _;
use keno_record::roles::Role;
use serde_json::{Value, json};

fn house_with(address: &str) -> House {
    let house = House::opened(None, RULES, |options| {
        options.house.balls = Some((options.house.first, options.house.last));
        options.house.ball_machine = Some(BallMachine {
            name: "k-1".to_owned(),
            place: BallPlace::Network(address.to_owned()),
        });
    });
    blocking(|| record(&house.central, "M1", &[Role::Marker]));
    house
}

/// The alarms that stand.
fn alarms(house: &House) -> Vec<String> {
    let seen: BTreeSet<Alarm> =
        Watcher::default().judge(&Sight::look(&house.app, Files::default()));
    let names = seen
        .iter()
        .map(|alarm| format!("{} {}", alarm.name.name(), alarm.subject));
    names.collect()
}

/// Looks at the line for three seconds.
fn look(house: &House) {
    blocking(|| {
        let line = house.central.ball_line.as_ref().unwrap();
        for _ in 0..30 {
            line.turn(&house.central);
            house.clock.advance(100);
        }
        line.turn(&house.central);
    });
}

/// What the draw room says of the machine, to whoever is at a desk.
async fn check(house: &House) -> Value {
    let desk = house.sign_on(7, "M1").await;
    let room = house.get_as(&desk, "/api/v1/room").await.value();
    let checks = room["checks"].as_array().unwrap().clone();
    let mut checks = checks
        .into_iter()
        .filter(|it| it["check"] == "ball_machine");
    checks.next().unwrap()["is_good"].clone()
}

#[actix_web::test]
async fn a_machine_that_is_not_there_is_said_before_its_draw_and_once_one_waits() {
    let house = house_with("127.0.0.1:1");
    look(&house);
    assert_eq!(check(&house).await, json!(false));
    assert_eq!(alarms(&house), Vec::<String>::new(), "no draw waits for it");
    house.until_closed(1);
    assert_eq!(alarms(&house), ["ball_machine_away k-1"]);
}

#[actix_web::test]
async fn a_machine_that_is_there_alarms_nobody() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let house = house_with(&listener.local_addr().unwrap().to_string());
    let clock = Arc::clone(&house.clock);
    let machine = Simulator::new(1, "A", 0, Trouble::None);
    // It ends with the test: it only ever answers.
    std::thread::spawn(move || simulate::on_network(&listener, machine, &|| clock.now_ms()));
    look(&house);
    assert_eq!(check(&house).await, json!(true));
    house.until_closed(1);
    look(&house);
    assert_eq!(alarms(&house), Vec::<String>::new());
}
