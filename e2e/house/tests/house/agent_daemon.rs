//! The agent as systemd sees it, and beside a central of another version.

use std::net::TcpListener;

use keno_house_tests::agent::AtWork;
use keno_house_tests::counter::Counter;
use keno_house_tests::house::{House, pin_of};
use serde_json::{Value, json};

use crate::straight;

/// The watchdog hears nothing of hands that hang, although the pages answer.
#[test]
fn hands_that_hang_are_not_at_work() {
    let house = House::new();
    let mut counter = Counter::open(&house);
    let printer = TcpListener::bind("127.0.0.1:0").unwrap();
    counter.printer_at(printer.local_addr().unwrap());
    let agent = AtWork::start(&house, &counter);
    let mut is_at_work = agent.is_at_work();
    // The printer is asked how it is at the start, and lets that go.
    drop(printer.accept().unwrap());
    // Idle hands turn too.
    for _ in 0..2 {
        while !is_at_work() {
            std::thread::yield_now();
        }
    }
    std::thread::scope(|scope| {
        let sale = scope.spawn(|| agent.sells(&straight(&[7], 200, 1)));
        // Idle hands ask the printer how it is, and so do those that are about to sell: only these
        // get no answer.
        let connection = loop {
            let (connection, _) = printer.accept().unwrap();
            if agent.state()["busy"] == "sale" {
                break connection;
            }
        };
        is_at_work();
        assert!(!is_at_work(), "hands that hang are said to be at work");
        assert_eq!(agent.state()["busy"], "sale");
        assert!(!is_at_work(), "a page that answers is taken for the hands");
        // The door first: what is asked next finds nobody.
        drop((printer, connection));
        sale.join().unwrap().ended("printer_trouble");
    });
    while !is_at_work() {
        std::thread::yield_now();
    }
    assert_eq!(house.tickets(), 0);
}

fn sign_on(agent: &AtWork) -> keno_house_tests::agent::Said {
    agent.does("sign-on", &json!({"badge": "C1", "pin": pin_of("C1")}))
}

/// Central raises its minimum over this agent: who is signed on goes on, nobody else comes.
#[test]
fn an_agent_that_is_too_old_is_told_so_and_sells_the_day_out() {
    let mut house = House::new();
    let counter = Counter::open(&house);
    let agent = AtWork::start(&house, &counter);
    let own = agent.state()["version"].clone();
    let state = agent.until(|state| !state["central"]["version"].is_null());
    assert_eq!(
        state["central"]["version"], own,
        "one workspace, one version"
    );
    assert_eq!(state["central"]["mismatch"], Value::Null);

    // The very version that it has is no hindrance: the agent tells it with each request.
    counter.line.cut();
    house.stop();
    house.agents_minimum = own.as_str().map(str::to_owned);
    house.start();
    counter.line.mend(house.address());
    agent.until_central("trusted");
    sign_on(&agent).ended("done");

    counter.line.cut();
    house.stop();
    house.agents_minimum = Some("99.0.0".to_owned());
    house.start();
    counter.line.mend(house.address());
    agent.until(|state| state["central"]["mismatch"]["name"] == "agent_too_old");
    agent.until_central("trusted");
    agent.sells(&straight(&[7], 200, 1)).ended("done");
    sign_on(&agent)
        .ended("refused")
        .said(&["trop ancien", "99.0.0", "technicien"]);
    // The session that there was still holds.
    agent.sells(&straight(&[8], 200, 1)).ended("done");
    agent.does("sign-off", &Value::Null).ended("done");
    sign_on(&agent).ended("refused");
    assert_eq!(house.tickets(), 2);

    counter.line.cut();
    house.stop();
    house.agents_minimum = None;
    house.start();
    counter.line.mend(house.address());
    agent.until(|state| state["central"]["mismatch"].is_null());
    agent.until_central("trusted");
    sign_on(&agent).ended("done");
    assert!(house.verified(None).holds());
}
