//! Who recorded people and devices, and what they may be together.

use super::*;
use crate::support::scenario::person;

pub const PLANTED: &[Planted] = &[
    // People.
    (
        "person_wrong",
        "person A401",
        alter!(PersonRecorded, it => it.roles = vec![1]),
        "person A401",
        0,
    ),
    (
        "person_wrong",
        "person A402",
        alter!(PersonRecorded, it => it.by = "A401".to_owned()),
        "person A402",
        0,
    ),
    (
        "person_wrong",
        "person T501",
        alter!(PersonRecorded, it => {
            it.by = "console".to_owned();
            it.second.clear();
        }),
        "person T501",
        0,
    ),
    (
        "person_wrong",
        "person T501",
        alter!(PersonRecorded, it => it.second.clear()),
        "person T501",
        0,
    ),
    (
        "person_wrong",
        "person C142",
        alter!(PersonRecorded, it => it.second = "T501".to_owned()),
        "person C142",
        0,
    ),
    (
        "person_wrong",
        "person C142",
        alter!(PersonRecorded, it => it.staff.clear()),
        "person C142",
        0,
    ),
    // A card that counts again, and one that somebody made with one's own badge.
    (
        "person_wrong",
        "counter",
        |events, _| {
            for card in [1, 2, 1] {
                events.push(with_card("C142", card).into());
            }
        },
        "counter",
        3,
    ),
    (
        "person_wrong",
        "counter",
        |events, _| {
            let mut own = with_card("C142", 1);
            own.by = "C142".to_owned();
            own.second.clear();
            events.push(own.into());
        },
        "counter",
        1,
    ),
    // A supervisor and another reset a clerk's PIN, and no administrator's; nobody their own.
    (
        "person_wrong",
        "counter",
        |events, _| {
            for (badge, roles) in [("S201", [2]), ("S202", [2])] {
                events.push(person(badge, &roles).into());
            }
            events.push(reset("C142", &[1], "S201", "S202").into());
            events.push(reset("A402", &[8], "S201", "S202").into());
        },
        "counter",
        4,
    ),
    (
        "person_wrong",
        "counter",
        |events, _| {
            events.push(person("S201", &[2]).into());
            events.push(reset("C142", &[1], "S201", "C142").into());
        },
        "counter",
        2,
    ),
    // A PIN that others set is good for nothing but to choose another.
    (
        "pin_not_chosen",
        "sell a",
        |events, _| {
            events.push(person_to_choose("A403", 8).into());
            let mut by_them = person("C144", &[1]);
            by_them.second = "A403".to_owned();
            events.push(by_them.into());
        },
        "sell a",
        2,
    ),
    (
        "pin_not_chosen",
        "void 3",
        |events, _| events.insert(0, person_to_choose("S202", 2).into()),
        "void 3",
        1,
    ),
    // With the recovery code one administrator makes another, once.
    (
        "person_wrong",
        "counter",
        |events, _| events.push(recovered("A403", "A401").into()),
        "counter",
        1,
    ),
    (
        "person_wrong",
        "counter",
        |events, _| {
            events.push(code("A401", "A402").into());
            events.push(recovered("A403", "S201").into());
        },
        "counter",
        2,
    ),
    (
        "person_wrong",
        "counter",
        |events, _| {
            events.push(code("A401", "A402").into());
            events.push(recovered("A403", "A401").into());
            events.push(recovered("A404", "A402").into());
        },
        "counter",
        3,
    ),
    // The code after a use is new, and by who used the one before.
    (
        "person_wrong",
        "counter",
        |events, _| {
            events.push(code("A401", "A402").into());
            events.push(recovered("A403", "A401").into());
            events.push(code("A401", "").into());
        },
        "counter",
        3,
    ),
    (
        "person_wrong",
        "counter",
        |events, _| {
            events.push(code("A401", "A402").into());
            events.push(recovered("A403", "A401").into());
            let mut next = code("A402", "");
            next.credential = [8; 32];
            events.push(next.into());
        },
        "counter",
        3,
    ),
    (
        "person_wrong",
        "counter",
        |events, _| {
            events.push(code("A401", "A402").into());
            let mut again = code("A401", "");
            again.credential = [8; 32];
            events.push(again.into());
        },
        "counter",
        2,
    ),
    // A PIN of one's own changes nothing else.
    (
        "person_wrong",
        "counter",
        |events, _| {
            let mut own = person("C142", &[1]);
            own.by = "C142".to_owned();
            own.second.clear();
            events.push(own.clone().into());
            own.roles = vec![1, 2];
            events.push(own.into());
        },
        "counter",
        2,
    ),
    (
        "same_person",
        "person C142",
        alter!(PersonRecorded, it => it.second = it.by.clone()),
        "person C142",
        0,
    ),
    // Two badges of one human.
    (
        "same_person",
        "counter",
        |events, _| {
            let mut again = person("A403", &[8]);
            again.staff = "number of A401".to_owned();
            events.push(again.into());
            let mut by_one = person("C143", &[1]);
            by_one.second = "A403".to_owned();
            events.push(by_one.into());
        },
        "counter",
        2,
    ),
    (
        "roles_excluded",
        "person C142",
        alter!(PersonRecorded, it => it.roles = vec![1, 7]),
        "person C142",
        0,
    ),
    (
        "roles_excluded",
        "counter",
        |events, _| events.push(person("A402", &[6, 8]).into()),
        "counter",
        1,
    ),
    (
        "administrators_few",
        "counter",
        |events, _| events.push(person("A402", &[1]).into()),
        "counter",
        1,
    ),
    (
        "person_session",
        "shift",
        |events, _| events.push(person("C142", &[1]).into()),
        "shift",
        1,
    ),
    // Devices.
    (
        "same_person",
        "counter",
        alter!(DeviceRecorded, it => it.second = it.by.clone()),
        "counter",
        0,
    ),
    (
        "device_wrong",
        "counter",
        alter!(DeviceRecorded, it => it.second.clear()),
        "counter",
        0,
    ),
    (
        "device_wrong",
        "counter",
        alter!(DeviceRecorded, it => it.second = "C142".to_owned()),
        "counter",
        0,
    ),
    (
        "device_wrong",
        "counter",
        alter!(DeviceRecorded, it => {
            it.by = "C142".to_owned();
            it.second = "A401".to_owned();
        }),
        "counter",
        0,
    ),
    // By its own key, and it has none yet.
    (
        "device_wrong",
        "counter",
        alter!(DeviceRecorded, it => {
            it.by = "device".to_owned();
            it.second.clear();
        }),
        "counter",
        0,
    ),
    (
        "device_wrong",
        "device 7",
        alter!(DeviceRecorded, it => {
            it.by = "device".to_owned();
            it.second.clear();
        }),
        "device 7",
        0,
    ),
];

fn reset(badge: &str, roles: &[u8], by: &str, second: &str) -> keno_log::event::PersonRecorded {
    let mut reset = person(badge, roles);
    reset.must_change = true;
    reset.by = by.to_owned();
    reset.second = second.to_owned();
    reset
}

/// A clerk with this card.
fn with_card(badge: &str, card: u32) -> PersonRecorded {
    let mut person = person(badge, &[1]);
    person.card = card;
    person
}

/// Somebody whose PIN two administrators set.
fn person_to_choose(badge: &str, role: u8) -> PersonRecorded {
    let mut person = person(badge, &[role]);
    person.must_change = true;
    person
}

/// A recovery code, by these.
fn code(by: &str, second: &str) -> PersonRecorded {
    let mut code = person("recovery", &[]);
    code.staff = "recovery".to_owned();
    code.credential = [7; 32];
    code.must_change = second.is_empty();
    code.by = by.to_owned();
    code.second = second.to_owned();
    code
}

/// An administrator made with the recovery code, by this one.
fn recovered(badge: &str, by: &str) -> PersonRecorded {
    let mut made = person_to_choose(badge, 8);
    made.by = by.to_owned();
    made.second = "recovery".to_owned();
    made
}
