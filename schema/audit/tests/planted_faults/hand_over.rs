//! A device that is left, and the neighbour that goes on.

use super::*;

fn second_till(device: u32) -> ShiftOpened {
    ShiftOpened {
        shift: 2,
        device,
        badge: "C143".to_owned(),
        float_cents: 0,
    }
}

pub const PLANTED: &[Planted] = &[
    (
        "same_person",
        "hand over",
        alter!(DeviceHandedOver, it => it.second = it.by.clone()),
        "hand over",
        0,
    ),
    (
        "hand_over_wrong",
        "hand over",
        alter!(DeviceHandedOver, it => it.to = it.device),
        "hand over",
        0,
    ),
    (
        "hand_over_wrong",
        "hand over",
        alter!(DeviceHandedOver, it => it.shift = None),
        "hand over",
        0,
    ),
    (
        "hand_over_wrong",
        "hand over",
        alter!(DeviceHandedOver, it => it.shift = Some(2)),
        "hand over",
        0,
    ),
    // Somebody is still signed on there.
    ("hand_over_wrong", "end session", drop_it, "hand over", 0),
    // The neighbour has a till of its own.
    (
        "hand_over_wrong",
        "end session",
        |events, _| events.push(second_till(8).into()),
        "hand over",
        0,
    ),
    // Left twice.
    (
        "hand_over_wrong",
        "drop at 8",
        |events, log| {
            let Event::DeviceHandedOver(mut again) = log.event("hand over") else {
                panic!()
            };
            again.shift = None;
            again.to = 9;
            events.push(again.into());
        },
        "drop at 8",
        1,
    ),
    (
        "device_locked",
        "session at 8",
        alter!(SessionOpened, it => it.device = 7),
        "session at 8",
        0,
    ),
    ("device_locked", "device 7", drop_it, "session at 7", 0),
    (
        "device_locked",
        "device 7",
        alter!(DeviceRecorded, it => {
            it.active = false;
            it.second.clear();
        }),
        "session at 7",
        0,
    ),
    (
        "device_locked",
        "drop at 8",
        |events, _| events.push(second_till(7).into()),
        "drop at 8",
        1,
    ),
    (
        "device_locked",
        "close shift",
        |events, log| {
            let Event::DeviceHandedOver(mut back) = log.event("hand over") else {
                panic!()
            };
            back.shift = None;
            (back.device, back.to) = (8, 7);
            events.push(back.into());
        },
        "close shift",
        1,
    ),
    // The till did not move: what the neighbour does is not of its till.
    ("till_wrong", "hand over", drop_it, "drop at 8", 0),
];
