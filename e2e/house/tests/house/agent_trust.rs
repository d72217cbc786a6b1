//! Where an agent and its central do not trust one another: a clock, a log, a certificate or a
//! device that is refused, and what is said of it.

use std::time::Duration;

use keno_house_tests::agent::{AtWork, How};
use keno_house_tests::counter::{Counter, Kind};
use keno_house_tests::house::{House, pin_of};
use keno_house_tests::secure::{Terminal, revoke};
use keno_terminal::config::Language;
use keno_terminal::exit::Exit;
use serde_json::json;

use crate::straight;

#[test]
fn a_clock_that_is_far_from_centrals_stops_sales_and_nothing_else() {
    let house = House::new();
    let counter = Counter::open(&house);
    let code = counter.sells(&straight(&[7, 18], 200, 2));
    for (ahead_ms, state) in [(4_900, "trusted"), (5_200, "skewed"), (-5_200, "skewed")] {
        let agent = AtWork::start_as(
            &house,
            &counter,
            How {
                ahead_ms,
                ..How::default()
            },
        );
        agent.until_central(state);
        if state == "skewed" {
            agent
                .does(
                    "sales",
                    &json!({"slip": {"selections": [], "draws": 1}, "total_cents": 1}),
                )
                .refused("clock_skewed");
        }
        agent.does("checks", &json!({"code": code})).ended("done");
    }
    assert_eq!(counter.keno(&["status"]).exit, Exit::Done);
}

/// Someone sets central back to an older copy of its disk, without the anchors, and lets it sign
/// other sales: the device that saw the first ones refuses it, and says why.
#[test]
fn a_central_that_was_set_back_and_signs_again_is_refused() {
    for (mistrust, others) in [("shorter", 0), ("rewritten", 30)] {
        let mut house = House::new();
        let counter = Counter::open(&house);
        let agent = AtWork::start(&house, &counter);
        let stranger = Kind {
            device: 2,
            language: Language::Fr,
            columns: 48,
        };
        let other = Counter::open_as(&house, stranger);
        house.stop();
        let copy = house.copied();
        house.start();
        counter.line.mend(house.address());
        agent.until_central("trusted");
        agent.sells(&straight(&[7, 18], 200, 2)).ended("done");
        // The agent has seen a checkpoint with the sale in it.
        let size = house.log_size();
        agent.until(|state| state["central"]["log_size"].as_u64() > Some(size));
        counter.line.cut();
        house.stop();
        house.set_back(&copy);
        house.start();
        other.line.mend(house.address());
        // This one saw nothing of what was taken out.
        let unsuspecting = AtWork::start(&house, &other);
        for _ in 0..others {
            unsuspecting.sells(&straight(&[1], 50, 1)).ended("done");
        }
        counter.line.mend(house.address());
        let state = agent.until_central("refused");
        assert_eq!(state["central"]["mistrust"], mistrust);
        let tickets = house.tickets();
        for (command, body) in [
            (
                "sales",
                json!({"slip": {"selections": [], "draws": 1}, "total_cents": 1}),
            ),
            ("payments", json!({"code": "KT2", "total_cents": 1})),
            ("resolve", json!({})),
        ] {
            agent
                .does(command, &body)
                .refused("central_log_refused")
                .said(&["appelez le superviseur", "call the supervisor"]);
        }
        // A restart does not make it forget, nor does the command line pass it by.
        agent.stop();
        counter
            .sell(&counter.slip(&straight(&[1], 50, 1)))
            .ended(Exit::Refused)
            .said(&["central_log_refused", mistrust]);
        let agent = AtWork::start_as(&house, &counter, How::default());
        assert_eq!(agent.state()["central"]["mistrust"], mistrust);
        agent.stop();
        assert_eq!(house.tickets(), tickets);
        // Nor is it said to be well.
        counter
            .keno_typing("", &["status"])
            .ended(Exit::Refused)
            .said(&["son registre est refusé", "its log is refused"]);
        // People have looked.
        counter
            .keno_typing("0\n", &["begin-anew"])
            .ended(Exit::Refused);
        // Not by a clerk, nor with a PIN that is wrong, nor while central is away.
        let by = |badge: &str, pin: &str| {
            counter.keno_typing(&format!("1\n{pin}\n"), &["begin-anew", "--badge", badge])
        };
        for (badge, pin) in [("C1", pin_of("C1")), ("S1", pin_of("C1"))] {
            by(badge, &pin).ended(Exit::Refused).said(&[
                "(badge_or_pin_wrong)",
                "Rien n’a changé",
                "Nothing has changed",
            ]);
        }
        counter.line.cut();
        by("S1", &pin_of("S1"))
            .ended(Exit::CentralUnreachable)
            .said(&["Rien n’a changé", "give the command again"]);
        counter.line.mend(house.address());
        counter
            .keno_typing("", &["status"])
            .ended(Exit::Refused)
            .said(&["its log is refused"]);
        by("S1", &pin_of("S1"))
            .ended(Exit::Done)
            .said(&["central-log-1.json"]);
        counter.sells(&straight(&[1], 50, 1));
    }
}

/// Over TLS the agent is its certificate: it sells, a new key takes nothing from it, and once it
/// is revoked central is out of its reach.
#[test]
fn an_agent_over_tls_sells_until_it_is_revoked() {
    let house = House::new();
    let terminal = Terminal::enrolled(&house, 7);
    let patient = Duration::from_secs(60);
    let start = || {
        let settings = terminal.settings(house.secure());
        AtWork::on(&house, settings, patient, How::default()).unwrap()
    };
    let agent = start();
    agent.until_central("trusted");
    assert_eq!(agent.state()["device"], 7);
    agent
        .does(
            "sign-on",
            &json!({"badge": "C1", "pin": pin_of("C1"), "float_cents": 50_000}),
        )
        .ended("done");
    agent.sells(&straight(&[7, 18], 200, 2)).ended("done");
    agent.stop();
    assert_eq!(terminal.rotates(house.secure()), Exit::Done);
    let agent = start();
    agent.until_central("trusted");
    agent.sells(&straight(&[7, 18], 200, 2)).ended("done");
    assert_eq!(house.tickets(), 2);
    revoke(&house, 7);
    let state = agent.until_central("denied");
    assert_eq!(state["central"]["denial"], "device_revoked");
    let told = state["central"]["sentence"].to_string();
    assert!(
        told.contains("revoked") && told.contains("technicien"),
        "{told}"
    );
    let slip: serde_json::Value = serde_json::from_str(&straight(&[7], 200, 1)).unwrap();
    agent
        .does("sales", &json!({"slip": slip, "total_cents": 200}))
        .refused("device_revoked");
    assert_eq!(house.tickets(), 2);
    let nobody = keno_terminal::config::Config {
        trust: "nowhere".into(),
        ..terminal.settings(house.secure())
    };
    let started = AtWork::on(&house, nobody, patient, How::default());
    assert!(started.is_err_and(|error| error.contains("not enrolled")));
}

/// Another machine got the number: this one is unknown, which is another thing than revoked, and
/// something else is to be done about it.
#[test]
fn a_device_that_central_does_not_know_is_told_to_enrol() {
    let house = House::new();
    let terminal = Terminal::enrolled(&house, 7);
    let patient = Duration::from_secs(60);
    let settings = terminal.settings(house.secure());
    let agent = AtWork::on(&house, settings, patient, How::default()).unwrap();
    agent.until_central("trusted");
    let _other = Terminal::enrolled(&house, 7);
    let state = agent.until_central("denied");
    assert_eq!(state["central"]["denial"], "device_unknown");
    let told = state["central"]["sentence"].to_string();
    assert!(
        told.contains("inscrire") && told.contains("enrol"),
        "{told}"
    );
    let sign_on = json!({"badge": "C1", "pin": pin_of("C1")});
    agent.does("sign-on", &sign_on).refused("device_unknown");
}
