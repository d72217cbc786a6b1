//! Two people end the session of somebody who does not come back, whatever was asked at the door
//! before: the record is judged by itself. On both databases.

#![allow(clippy::unwrap_used, reason = "a test's failure is its own report")]

mod support;

use keno_log::Event;
use keno_service::Stop;
use support::{House, wait};

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
