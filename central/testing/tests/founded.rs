//! What was asked for stands in the record, in which the second computation finds nothing, and
//! PINs are good where there are any.

#![allow(clippy::unwrap_used, reason = "a test's failure is its own report")]

use std::sync::Arc;

use keno_house_builder::{
    NOON_MS, NewHouse, Person, Pins, counters, exported, found, furnish, house_file, is_over,
    options, record_people, until_draw,
};
use keno_log::Event;
use keno_log::export::{ExportReader, ExportRecord};
use keno_record::clock::ManualClock;
use keno_record::roles::Role;
use keno_service::staff::Recognised;
use keno_service::{Central, Stop};
use keno_testing::{TestFolder, pin_of};

/// The facts of a record, each as what it names.
fn facts(central: &Central) -> Vec<String> {
    let bytes = exported(central).unwrap();
    ExportReader::new(&bytes)
        .unwrap()
        .filter_map(|record| match record.unwrap() {
            ExportRecord::Entry(entry) => Some(entry.entry().unwrap().event().unwrap()),
            ExportRecord::End(_) => None,
        })
        .map(|event| match event {
            Event::PersonRecorded(person) => {
                let by = [person.by, person.second].join("+");
                format!("{} {:?} {by}", person.badge, person.roles)
            }
            Event::DeviceRecorded(device) => format!("{} {}", device.device, device.name),
            Event::RuleBookPublished(rules) => {
                format!("rules {} {}+{}", rules.version, rules.by, rules.second)
            }
            other => other.kind().name().to_owned(),
        })
        .collect()
}

const USUAL: [&str; 13] = [
    "HouseOpened",
    "LeaseTaken",
    "X1 [8] console+",
    "X2 [8] console+",
    "C1 [1] X1+X2",
    "C2 [1] X1+X2",
    "S1 [2] X1+X2",
    "S2 [2, 3] X1+X2",
    "A1 [6] X1+X2",
    "1 T01",
    "2 T02",
    "rules 1 S1+S2",
    "DrawScheduled",
];

#[test]
fn the_same_house_stands_whatever_the_pins_and_on_both_databases() {
    let database = keno_testing::empty_postgres_database().unwrap();
    for (pins, database) in [
        (Pins::None, None),
        (Pins::Recorded(pin_of), None),
        (Pins::Quick(pin_of), None),
        (Pins::None, Some(database.address())),
    ] {
        let folder = TestFolder::new().unwrap();
        let clock = Arc::new(ManualClock::at(NOON_MS));
        let options = options(folder.path(), &clock, house_file(database).unwrap());
        let house = NewHouse {
            pins,
            ..NewHouse::default()
        };
        let founded = found(options, &house).unwrap();
        let facts = facts(&founded.central);
        assert_eq!(facts[..USUAL.len()], USUAL, "{pins:?}");
        let opened = |fact: &&String| fact.as_str() == "DrawOpened";
        assert_eq!(facts.iter().filter(opened).count(), 20, "{pins:?}");
        assert_eq!(founded.keys.keys().copied().collect::<Vec<_>>(), [1, 2]);
        until_draw(&founded.central, &clock, (1, 3_600), is_over).unwrap();
        assert!(until_draw(&founded.central, &clock, (999, 1), is_over).is_err());
        let bytes = exported(&founded.central).unwrap();
        let (outside, options) = (
            keno_audit::Outside::default(),
            keno_audit::Options::default(),
        );
        let outcome = keno_audit::verify(&bytes[..], outside, options).unwrap();
        assert_eq!(outcome.findings, [], "{pins:?}");
    }
}

/// Whether a PIN is that of a badge.
fn is_good(central: &Central, badge: &str, pin: &str) -> bool {
    Recognised::at_console(central, badge, pin, &|_| true).is_ok()
}

#[test]
fn pins_are_good_and_recorded_ones_after_another_start() {
    for (pins, after) in [
        (Pins::Recorded(pin_of), true),
        (Pins::Quick(pin_of), true),
        (Pins::None, false),
    ] {
        let folder = TestFolder::new().unwrap();
        let clock = Arc::new(ManualClock::at(NOON_MS));
        let open = || options(folder.path(), &clock, house_file(None).unwrap());
        let house = NewHouse {
            pins,
            ..NewHouse::default()
        };
        let central = found(open(), &house).unwrap().central;
        let more = [Person::of("T1", &[Role::Technician])];
        record_people(&central, house.administrators, &more, pins).unwrap();
        let good = |central: &Central| {
            ["X1", "C1", "T1"].map(|badge| is_good(central, badge, &pin_of(badge)))
        };
        let has_pins = !matches!(pins, Pins::None);
        assert_eq!(good(&central), [has_pins; 3], "{pins:?}");
        assert!(!is_good(&central, "C1", &pin_of("C2")), "{pins:?}");
        drop(central);
        assert_eq!(
            good(&Central::open(open()).unwrap()),
            [after; 3],
            "{pins:?}"
        );
    }
}

#[test]
fn what_central_refuses_is_said() {
    let folder = TestFolder::new().unwrap();
    let clock = Arc::new(ManualClock::at(NOON_MS));
    let open = || options(folder.path(), &clock, house_file(None).unwrap());
    let wrong = NewHouse {
        rules: Some("version = 1".to_owned()),
        devices: counters(1..=1),
        ..NewHouse::default()
    };
    let words = format!("{:#}", found(open(), &wrong).unwrap_err());
    assert!(words.contains("RuleBookFaulty"), "{words}");
    let central = Central::open(open()).unwrap();
    let again = NewHouse {
        pins: Pins::Recorded(pin_of),
        ..NewHouse::default()
    };
    let refused = furnish(&central, &again);
    assert!(matches!(refused, Err(Stop::Refused(_))), "{refused:?}");
}

/// No draw is on sale where no rules were published.
#[test]
fn a_house_without_rules_has_no_draws() {
    let folder = TestFolder::new().unwrap();
    let clock = Arc::new(ManualClock::at(NOON_MS));
    let options = options(folder.path(), &clock, house_file(None).unwrap());
    let house = NewHouse {
        rules: None,
        ..NewHouse::default()
    };
    let founded = found(options, &house).unwrap();
    assert_eq!(facts(&founded.central), USUAL[..11]);
}
