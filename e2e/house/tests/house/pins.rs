//! A PIN that somebody else set: the counter asks for another before anything else.

use keno_house_tests::agent::AtWork;
use keno_house_tests::counter::Counter;
use keno_house_tests::house::{House, pin_of};
use keno_record::roles::Role;
use keno_service::staff::NewPerson;
use keno_terminal::exit::Exit;
use serde_json::json;

/// A PIN that two administrators set.
const SET: &str = "471108";
/// One that its owner chooses.
const CHOSEN: &str = "850274";

fn hire(house: &House, badge: &str) {
    let person = NewPerson {
        must_change: true,
        ..NewPerson::of(badge, &[Role::Clerk], SET)
    };
    person.record(house.central(), "X1", "X2").unwrap();
}

#[test]
fn a_pin_that_others_set_is_changed_before_anything_else() {
    let house = House::new();
    hire(&house, "C9");
    let counter = Counter::open(&house);
    let agent = AtWork::start(&house, &counter);
    agent.until_central("trusted");
    let person = |pin: &str| json!({"badge": "C9", "pin": pin});
    agent
        .does("sign-on", &person(SET))
        .ended("refused")
        .said(&["donné par quelqu’un d’autre"]);
    let choose = |pin: &str, new: &str| json!({"badge": "C9", "pin": pin, "new_pin": new});
    agent.does("pin", &choose(SET, SET)).ended("refused");
    agent
        .does("pin", &choose("850275", CHOSEN))
        .ended("refused");
    agent.does("pin", &choose(SET, CHOSEN)).ended("done");
    agent.does("sign-on", &person(SET)).ended("refused");
    agent.does("sign-on", &person(CHOSEN)).ended("done");
    assert_eq!(agent.state()["badge"], "C9");
}

/// The command line asks for it in the middle of a sign-on, and by itself.
#[test]
fn the_command_line_asks_for_a_pin_of_ones_own() {
    let house = House::new();
    hire(&house, "C9");
    let counter = Counter::open(&house);
    let signs_on = |typed: &str| {
        counter.agent(typed, |agent| {
            agent.credentials.badge = Some("C9".to_owned());
            agent.credentials.pin = None;
            agent.sign_on(None)
        })
    };
    let done = signs_on(&format!("{SET}\n{CHOSEN}\n")).ended(Exit::Done);
    assert!(done.notes.contains("Nouveau NIP"), "{}", done.notes);
    signs_on(&format!("{SET}\n")).ended(Exit::Refused);
    let other = pin_of("C9");
    counter
        .agent(&format!("C9\n{CHOSEN}\n{other}\n"), |agent| {
            agent.choose_pin_typed()
        })
        .ended(Exit::Done);
    signs_on(&format!("{other}\n")).ended(Exit::Done);
}
