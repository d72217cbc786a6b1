//! What was asked at the door before is judged by the record again: who ends the session of somebody
//! that does not come back, and whose PIN is another since it was tried. On both databases.
//!
//! Seen to fail: with a writer that believes the door (each of the three that a stale PIN asks for),
//! and with one that asks nothing of the device.

#![allow(clippy::unwrap_used, reason = "a test's failure is its own report")]

use crate::support::{House, wait};
use keno_log::Event;
use keno_service::Stop;
use keno_service::staff::{Badge, DeviceNumber, Origin, Recognised};

fn on_both(test: impl Fn(House)) {
    test(House::new(None));
    let database = keno_testing::empty_postgres_database().unwrap();
    test(House::new(Some(database.address())));
}

#[test]
fn a_supervisor_and_another_relieve_somebody_else() {
    on_both(|house| {
        let ill = house.clerk(1, "C1");
        let relieve = |staying: &str, second: &str| {
            let (staying, second) = (house.person(staying), house.person(second));
            wait(staying.relieve(&house.central, &ill.device, "C1", &second))
        };
        let size = house.central.view.get().log_size;
        for (staying, second, name) in [
            ("C2", "A1", "second_person_refused"),
            ("A1", "S1", "wrong_role"),
            ("S1", "A1", "second_person_refused"),
            ("S1", "S1", "same_person_twice"),
            ("C1", "S1", "same_person_twice"),
            ("S1", "C1", "same_person_twice"),
        ] {
            match relieve(staying, second) {
                Err(Stop::Refused(refusal)) => assert_eq!(refusal.name(), name),
                other => panic!("{staying} and {second}: {other:?}"),
            }
        }
        // Another is signed on there than the one who is said to be absent.
        let (staying, second) = (house.person("S1"), house.person("C2"));
        let other = staying.relieve(&house.central, &ill.device, "C9", &second);
        match wait(other) {
            Err(Stop::Refused(refusal)) => assert_eq!(refusal.name(), "session_ended"),
            other => panic!("{other:?}"),
        }
        assert_eq!(house.central.view.get().log_size, size);
        let opened = relieve("S1", "C2").unwrap();
        let view = house.central.view.get();
        let here: Vec<(u64, &str)> = view
            .sessions
            .iter()
            .filter(|(_, session)| session.device == 1)
            .map(|(number, session)| (*number, session.badge.as_str()))
            .collect();
        assert_eq!(here, [(opened.session, "S1")], "one goes on");
        let ends: Vec<(u8, String)> = house
            .events()
            .into_iter()
            .filter_map(|event| match event {
                Event::SessionEnded(body) => Some((body.reason, body.by)),
                _ => None,
            })
            .collect();
        let by = |reason: u8| (reason, "S1".to_owned());
        assert_eq!(ends, [by(3), by(2)]);
        // Asked again after a lost answer: the supervisor's own session is replaced.
        relieve("S1", "C2").unwrap();
        let again = house
            .events()
            .into_iter()
            .rev()
            .find_map(|event| match event {
                Event::SessionEnded(body) => Some(body.reason),
                _ => None,
            });
        assert_eq!(again, Some(2));
    });
}

#[track_caller]
fn refused<T: std::fmt::Debug>(outcome: Result<T, Stop>, name: &str) {
    match outcome {
        Err(Stop::Refused(refusal)) => assert_eq!(refusal.name(), name),
        other => panic!("expected {name}, got {other:?}"),
    }
}

/// Somebody whose PIN was tried, and found right, a moment ago.
fn tried(house: &House, badge: &str) -> Recognised {
    Recognised {
        credential: Some(house.central.view.get().people[badge].credential),
        ..house.person(badge)
    }
}

/// Whoever knows a PIN that others replace just then gets nothing by it, and neither does who was
/// withdrawn, nor a device that was revoked.
#[test]
fn what_was_right_a_moment_ago_is_judged_again() {
    on_both(|house| {
        let central = &house.central;
        let at = house.clerk(1, "C1").device;
        let (thief, second) = (tried(&house, "C1"), tried(&house, "S1"));
        let withdrawn = tried(&house, "C2");
        Badge("C1").reset_pin(central, "S1", "S2").unwrap();
        Badge("C2").withdraw(central, "X1", "X2").unwrap();
        let size = central.view.get().log_size;
        let wrong = "badge_or_pin_wrong";
        refused(wait(thief.sign_on(central, &at)), wrong);
        refused(wait(withdrawn.sign_on(central, &at)), wrong);
        refused(wait(thief.relieve(central, &at, "C9", &second)), wrong);
        refused(wait(second.relieve(central, &at, "C9", &thief)), wrong);
        let chosen = thief.choose_pin(central, "582917", "693028", Origin::Console);
        refused(chosen, wrong);
        assert_eq!(central.view.get().log_size, size);
        assert!(central.view.get().people["C1"].must_change);
        wait(second.sign_on(central, &at)).unwrap();
        DeviceNumber(1).revoke(central, "X1").unwrap();
        refused(wait(second.sign_on(central, &at)), "device_revoked");
    });
}
