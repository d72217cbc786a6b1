//! A locked screen: it opens nothing, shows nothing of its person's, and is nobody else's.

use keno_house_tests::agent::{AtWork, How};
use keno_house_tests::counter::{Counter, Kind};
use keno_house_tests::fake_printer::{FakePrinter, Way};
use keno_house_tests::house::{House, pin_of};
use keno_log::Event;
use keno_terminal::config::{Config, Language};
use keno_terminal::printer::Driver;
use keno_terminal::printer::settings::DrawerSetting;
use serde_json::{Value, json};

use crate::straight;

fn at_work(house: &House, counter: &Counter, change: impl FnOnce(&mut Config)) -> AtWork {
    let mut settings = counter.settings();
    settings.printing.drawer = DrawerSetting::Pin2;
    change(&mut settings);
    let agent = AtWork::on(house, settings, counter.printer_patience, How::default()).unwrap();
    agent.until_central("trusted");
    agent
}

fn printer_of(counter: &mut Counter) -> FakePrinter {
    let printer = FakePrinter::new(Way::Network, 576);
    let Driver::Network(address) = printer.driver() else {
        panic!("a network address");
    };
    counter.printer_at(address);
    printer
}

fn person(badge: &str) -> Value {
    json!({"badge": badge, "pin": pin_of(badge)})
}

fn reads(agent: &AtWork, path: &str) -> Value {
    let answer = agent.ask("GET", path, &[], &Value::Null);
    assert_eq!(answer.status, 200, "{path}");
    serde_json::from_slice(&answer.body).unwrap()
}

fn locks(agent: &AtWork) {
    assert_eq!(agent.does("lock", &Value::Null).status, 200);
    assert_eq!(agent.state()["locked"], true);
}

#[test]
fn nothing_is_tried_on_a_locked_screen_and_its_drawer_stays_shut() {
    let house = House::new();
    let mut counter = Counter::open(&house);
    let printer = printer_of(&mut counter);
    let agent = at_work(&house, &counter, |_| {});
    let pulses = || {
        printer.settle();
        printer.mechanism(|one| one.pulses)
    };
    agent.does("drawer", &Value::Null).ended("done");
    assert_eq!(pulses(), 1);
    locks(&agent);
    for (what, body) in [
        ("drawer", Value::Null),
        ("printer-test", Value::Null),
        ("printer-state", Value::Null),
        ("scanner-test", json!({"typed": "x"})),
        ("till-close", json!({"counted_cents": 1})),
        ("hand-out", json!({})),
    ] {
        let said = agent.does(what, &body).refused("terminal_locked");
        assert_eq!(said.status, 423, "{what}");
    }
    assert_eq!(pulses(), 1);
    assert!(printer.seen().is_empty());
    agent.does("unlock", &person("C1")).ended("done");
    agent.does("drawer", &Value::Null).ended("done");
    assert_eq!(pulses(), 2);
    // Without central: no drawer at all, and no trial where a till is open.
    agent.until(|state| !state["sale"]["shift"].is_null());
    counter.line.cut();
    agent.until_central("away");
    agent
        .does("drawer", &Value::Null)
        .refused("central_away")
        .said(&["sa clé", "its key"]);
    for what in ["printer-test", "printer-state"] {
        agent.does(what, &Value::Null).refused("till_open");
    }
    assert_eq!(pulses(), 2);
}

#[test]
fn without_central_a_terminal_without_a_till_may_be_tried() {
    let house = House::new();
    let mut counter = Counter::without_till(
        &house,
        Kind {
            device: 1,
            language: Language::Fr,
            columns: 48,
        },
    );
    let printer = printer_of(&mut counter);
    let agent = at_work(&house, &counter, |_| {});
    agent.until(|state| state["sale"]["next"].is_object());
    counter.line.cut();
    agent.until_central("away");
    agent.does("printer-test", &Value::Null).ended("done");
    agent.does("drawer", &Value::Null).refused("central_away");
    printer.settle();
    assert_eq!(printer.mechanism(|one| one.pulses), 0);
}

#[test]
fn a_wall_that_nobody_is_in_front_of_says_that_something_waits_and_no_more() {
    let house = House::new();
    let mut counter = Counter::open(&house);
    let code = counter.sells(&straight(&[7], 200, 1));
    counter.sign_on_as("S1");
    let agent = at_work(&house, &counter, |_| {});
    assert!(reads(&agent, "/agent/wall")["rows"].is_array());
    // What is of the back office is not asked here at all.
    let elsewhere = agent.ask("GET", "/agent/amendments", &[], &Value::Null);
    assert_eq!(elsewhere.status, 404);
    locks(&agent);
    let left = reads(&agent, "/agent/wall");
    assert_eq!(left["name"], "terminal_locked");
    assert_eq!(left["waits"], false, "{left}");
    let path = "/agent/approvals/1";
    assert_eq!(reads(&agent, path)["name"], "terminal_locked", "{path}");
    // Something comes to wait: that, and nothing of what it is.
    let content = json!({"what": "duplicate", "code": code, "reason": "mouillé"});
    let asked = json!({"content": content, "reason": "le joueur attend"});
    house.person("C2").does::<Value>("/approvals", &asked);
    let left = reads(&agent, "/agent/wall");
    assert_eq!(left["waits"], true, "{left}");
    assert_eq!(left.as_object().unwrap().len(), 4, "{left}");
    agent.does("unlock", &person("S1")).ended("done");
    assert!(reads(&agent, "/agent/wall")["rows"].is_array());
    agent.stop();
    // As long untouched as would lock it, with a doubt that keeps it from locking.
    let agent = at_work(&house, &counter, |settings| settings.lock_after_seconds = 1);
    agent.until(|state| state["locked"] == true);
    assert_eq!(reads(&agent, "/agent/wall")["name"], "terminal_locked");
    assert_eq!(agent.state()["locked_by"], "S1");
}

#[test]
fn a_locked_counter_is_its_persons_whoever_signs_on() {
    let house = House::new();
    let counter = Counter::open(&house);
    let agent = at_work(&house, &counter, |_| {});
    locks(&agent);
    let size = house.log_size();
    for badge in ["C2", "S1", "X1"] {
        for what in ["sign-on", "unlock"] {
            let said = agent
                .does(what, &person(badge))
                .refused("terminal_locked_for_another");
            assert_eq!(said.status, 423);
            said.said(&["verrouillé par C1", "locked by C1"]);
        }
    }
    // Whoever is not signed on locks nothing for himself.
    locks(&agent);
    assert_eq!(agent.state()["locked_by"], "C1");
    agent.stop();
    // Pulling the plug is no key, and neither is a session that central has ended.
    house.ends_session_at(1, "C1");
    let agent = at_work(&house, &counter, |_| {});
    assert_eq!(agent.state()["locked_by"], "C1");
    agent
        .does("sign-on", &person("C2"))
        .refused("terminal_locked_for_another");
    agent
        .does("unlock", &json!({"badge": "C1", "pin": "0000"}))
        .ended("refused");
    assert_eq!(agent.state()["locked"], true);
    let signed_on = |badge: &str| {
        let is_it =
            |event: &Event| matches!(event, Event::SessionOpened(body) if body.badge == badge);
        house.events().iter().filter(|event| is_it(event)).count()
    };
    assert_eq!((signed_on("C2"), signed_on("X1")), (0, 0));
    assert!(house.log_size() > size);
    agent.does("unlock", &person("C1")).ended("done");
    let state = agent.state();
    assert_eq!(
        (&state["badge"], &state["locked"]),
        (&json!("C1"), &json!(false))
    );
    agent.sells(&straight(&[7], 200, 1)).ended("done");
}

#[test]
fn two_people_end_the_session_of_a_clerk_who_does_not_come_back() {
    let house = House::new();
    let counter = Counter::open(&house);
    let agent = at_work(&house, &counter, |_| {});
    let relief = |badge: &str, second: &str| {
        let body = json!({"staying": person(badge), "second": person(second)});
        agent.does("relief", &body)
    };
    locks(&agent);
    // One is not two, the absent one is not one of them, and a supervisor is.
    relief("S1", "S1")
        .ended("refused")
        .said(&["deux personnes"]);
    relief("S1", "C1")
        .ended("refused")
        .said(&["deux personnes"]);
    relief("C1", "S1")
        .ended("refused")
        .said(&["deux personnes"]);
    let wrong = json!({"staying": person("S1"), "second": {"badge": "C2", "pin": "0000"}});
    let size = house.log_size();
    agent.does("relief", &wrong).ended("refused");
    assert_eq!(house.log_size(), size, "nothing came of it");
    assert_eq!(agent.state()["badge"], "C1");
    relief("C2", "C3")
        .ended("refused")
        .said(&["Badge, PIN or place is not right"]);
    assert_eq!(house.log_size(), size, "nor of two clerks");
    let state = agent.state();
    assert_eq!(
        (&state["locked_by"], &state["badge"]),
        (&json!("C1"), &json!("C1"))
    );
    agent
        .does("drawer", &Value::Null)
        .refused("terminal_locked");
    relief("S1", "C2")
        .ended("done")
        .said(&["La session de C1 est terminée"]);
    let state = agent.state();
    assert_eq!(
        (&state["badge"], &state["locked"]),
        (&json!("S1"), &json!(false))
    );
    let ended = house.events().into_iter().find_map(|event| match event {
        Event::SessionEnded(body) => Some((body.reason, body.by)),
        _ => None,
    });
    assert_eq!(ended, Some((3, "S1".to_owned())), "a supervisor ended it");
    let beside = |event: &Event| matches!(event, Event::SessionOpened(body) if body.badge == "C2");
    assert_eq!(house.events().iter().filter(|it| beside(it)).count(), 1);
    // The till is as it was, and its count is the next thing.
    agent.until(|state| !state["sale"]["shift"].is_null());
    assert!(house.verified(None).holds());
}
