//! Acting supervisors: named and made by others than those who must, on another day, after a
//! change, about their own sales.

use super::*;
use crate::support::scenario::person;

fn named(badge: &str) -> Event {
    ActingNamed {
        badge: badge.to_owned(),
        may_act: true,
        by: "A401".to_owned(),
        second: "A402".to_owned(),
    }
    .into()
}

fn made(badge: &str, by: &str, second: Option<&str>) -> Event {
    ActingMade {
        badge: badge.to_owned(),
        by: by.to_owned(),
        second: second.map(str::to_owned),
    }
    .into()
}

/// The count in the middle of the shift, with another second person.
fn counted_with(events: &[Event], badge: &str) -> Event {
    let Some(Event::TillCounted(mut body)) = events.first().cloned() else {
        panic!("another kind stands here");
    };
    body.second = badge.to_owned();
    body.into()
}

/// The ticket that is called unpaid, by these.
fn unpaid_by(events: &[Event], by: &str, second: &str) -> Event {
    let Some(Event::TicketUnpaid(mut body)) = events.first().cloned() else {
        panic!("another kind stands here");
    };
    (body.by, body.second) = (by.to_owned(), second.to_owned());
    body.into()
}

pub const PLANTED: &[Planted] = &[
    // Named by somebody who is no administrator; by one human; somebody who cannot act.
    (
        "acting_wrong",
        "count",
        |events, _| {
            events.insert(
                0,
                ActingNamed {
                    badge: "C143".to_owned(),
                    may_act: true,
                    by: "A401".to_owned(),
                    second: "S201".to_owned(),
                }
                .into(),
            );
        },
        "count",
        0,
    ),
    (
        "same_person",
        "count",
        |events, _| {
            events.insert(
                0,
                ActingNamed {
                    badge: "C143".to_owned(),
                    may_act: true,
                    by: "A401".to_owned(),
                    second: "A401".to_owned(),
                }
                .into(),
            );
        },
        "count",
        0,
    ),
    (
        "acting_wrong",
        "count",
        |events, _| events.insert(0, named("T501")),
        "count",
        0,
    ),
    (
        "acting_wrong",
        "count",
        |events, _| events.insert(0, named("S202")),
        "count",
        0,
    ),
    (
        "acting_wrong",
        "count",
        |events, _| events.insert(0, named("N999")),
        "count",
        0,
    ),
    // Another badge of the human is a technician’s.
    (
        "acting_wrong",
        "count",
        |events, _| {
            let mut other = person("N600", &[7]);
            other.staff = "number of N700".to_owned();
            let taken = [other.into(), person("N700", &[4]).into(), named("N700")];
            events.splice(0..0, taken);
        },
        "count",
        2,
    ),
    // Made without being named; by nobody who may; by himself; beside himself.
    (
        "acting_wrong",
        "count",
        |events, _| events.insert(0, made("C143", "S201", None)),
        "count",
        0,
    ),
    (
        "acting_wrong",
        "count",
        |events, _| {
            events.splice(0..0, [named("C143"), made("C143", "A401", None)]);
        },
        "count",
        1,
    ),
    (
        "acting_wrong",
        "count",
        |events, _| {
            let cage = person("G601", &[3]).into();
            events.splice(0..0, [cage, named("C143"), made("C143", "G601", None)]);
        },
        "count",
        2,
    ),
    (
        "acting_wrong",
        "count",
        |events, _| {
            let cage = person("G601", &[3]).into();
            let own = made("G601", "G601", Some("C142"));
            events.splice(0..0, [cage, named("G601"), own]);
        },
        "count",
        2,
    ),
    (
        "acting_wrong",
        "count",
        |events, _| {
            let cage = person("G601", &[3]).into();
            let own = made("C143", "G601", Some("C143"));
            events.splice(0..0, [cage, named("C143"), own]);
        },
        "count",
        2,
    ),
    (
        "acting_wrong",
        "count",
        |events, _| {
            let cage = person("G601", &[3]).into();
            let technician = made("C143", "G601", Some("T501"));
            events.splice(0..0, [cage, named("C143"), technician]);
        },
        "count",
        2,
    ),
    (
        "same_person",
        "count",
        |events, _| {
            let cage = person("G601", &[3]).into();
            let alone = made("C143", "G601", Some("G601"));
            events.splice(0..0, [cage, named("C143"), alone]);
        },
        "count",
        2,
    ),
    // An acting supervisor makes no other one.
    (
        "acting_wrong",
        "count",
        |events, _| {
            let first = [named("C143"), made("C143", "S201", None)];
            events.splice(0..0, first);
            events.push(person("C144", &[1]).into());
            events.push(named("C144"));
            events.push(made("C144", "C143", None));
        },
        "count",
        5,
    ),
    (
        "pin_not_chosen",
        "count",
        |events, _| {
            let mut fresh = person("S203", &[2]);
            fresh.must_change = true;
            events.splice(
                0..0,
                [fresh.into(), named("C143"), made("C143", "S203", None)],
            );
        },
        "count",
        2,
    ),
    // Whoever acts counts as a supervisor, and after any change of theirs no more.
    (
        "role_wrong",
        "count",
        |events, _| {
            let count = counted_with(events, "C143");
            let cage = person("G601", &[3]).into();
            events.splice(
                0..0,
                [
                    cage,
                    named("C143"),
                    made("C143", "G601", Some("C142")),
                    count.clone(),
                    person("C143", &[1]).into(),
                ],
            );
            events.push(count);
        },
        "count",
        6,
    ),
    (
        "role_wrong",
        "count",
        |events, _| {
            let count = counted_with(events, "C143");
            let Event::ActingNamed(mut no_more) = named("C143") else {
                panic!("another kind stands here");
            };
            no_more.may_act = false;
            events.splice(
                0..0,
                [
                    named("C143"),
                    made("C143", "S201", None),
                    count.clone(),
                    no_more.into(),
                ],
            );
            events.push(count);
        },
        "count",
        5,
    ),
    // Withdrawn and recorded again, nobody has named them.
    (
        "acting_wrong",
        "count",
        |events, _| {
            let mut gone = person("C143", &[1]);
            gone.active = false;
            events.splice(
                0..0,
                [
                    named("C143"),
                    gone.into(),
                    person("C143", &[1]).into(),
                    made("C143", "S201", None),
                ],
            );
        },
        "count",
        3,
    ),
    // Never about a ticket that they sold; about another's, they do.
    (
        "role_wrong",
        "unpaid f",
        |events, _| {
            let own = unpaid_by(events, "C142", "C143");
            events.clear();
            events.extend([named("C142"), made("C142", "S201", None), own]);
        },
        "unpaid f",
        2,
    ),
    (
        "role_wrong",
        "unpaid f",
        |events, log| {
            let another = unpaid_by(events, "C143", "C144");
            let release = |second: &str| TicketReleased {
                ticket: log.at("sell g"),
                evidence: "seen".to_owned(),
                by: "C144".to_owned(),
                second: second.to_owned(),
            };
            events.clear();
            events.extend([
                person("C144", &[1]).into(),
                named("C142"),
                named("C143"),
                made("C142", "S201", None),
                made("C143", "S201", None),
                another,
                release("C143").into(),
                release("C142").into(),
            ]);
        },
        "unpaid f",
        7,
    ),
];

#[test]
fn an_acting_supervisor_serves_on_that_business_day_alone() {
    let acts = |events: &mut Vec<Event>, _: &Log| {
        events.extend([named("C143"), made("C143", "S201", None)]);
    };
    let counts = |events: &mut Vec<Event>, _: &Log| {
        events[0] = counted_with(events, "C143");
    };
    // Of the same day, and of the days before.
    let log = play(Fault::Both([("drop", acts), ("count", counts)]));
    assert_eq!(judged(&log).findings, []);
    let log = play(Fault::Both([("present h", acts), ("count", counts)]));
    assert_eq!(missed(&log, "role_wrong", "count", 0), None);
}
