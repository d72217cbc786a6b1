//! Who acted without the role for it, at the wrong place, in another's name, or not at all.

use super::*;

/// A planted fault in the event at a label, named there.
macro_rules! of {
    ($name:literal, $label:literal, $kind:ident, $body:ident => $change:expr) => {
        ($name, $label, alter!($kind, $body => $change), $label, 0)
    };
}

/// A person was recorded with other roles: the first entry that needs the others is named.
macro_rules! has {
    ($badge:literal, $roles:expr, $named:literal) => {
        (
            "role_wrong",
            concat!("person ", $badge),
            alter!(PersonRecorded, it => it.roles = $roles.to_vec()),
            $named,
            0,
        )
    };
}

/// A fact beside the third ticket, by somebody who may not.
macro_rules! beside {
    ($body:expr) => {
        (
            "role_wrong",
            "sell c",
            |events, log| {
                let ticket = log.at("sell b");
                let body = $body(ticket);
                events.push(Event::from(body));
            },
            "sell c",
            1,
        )
    };
}

fn text(text: &str) -> String {
    text.to_owned()
}

pub const PLANTED: &[Planted] = &[
    // Nobody of that badge was recorded, or he was withdrawn.
    ("badge_unknown", "person C142", drop_it, "session", 0),
    ("badge_unknown", "person M302", drop_it, "enter too", 0),
    (
        "badge_unknown",
        "person S202",
        alter!(PersonRecorded, it => it.active = false),
        "unpaid f",
        0,
    ),
    of!("badge_unknown", "end session", SessionEnded, it => it.by = text("guard")),
    of!("badge_unknown", "sell a", TicketSold, it => it.badge.clear()),
    // The badge stands, and its role is another.
    has!("C142", [6], "shift"),
    has!("C142", [3], "sell a"),
    has!("S201", [1], "fill"),
    has!("S201", [8], "fill"),
    has!("M301", [1], "enter"),
    of!("role_wrong", "book 1", RuleBookPublished, it => it.by = text("T501")),
    of!("role_wrong", "book 2", RuleBookPublished, it => it.second = text("C143")),
    of!("role_wrong", "unpaid f", TicketUnpaid, it => it.by = text("T501")),
    of!("role_wrong", "unpaid f", TicketUnpaid, it => it.second = text("M301")),
    of!("role_wrong", "suspend 2", DrawSuspended, it => it.by = text("C143")),
    of!("role_wrong", "resume 2", DrawResumed, it => it.second = text("C143")),
    of!("role_wrong", "void 3", DrawVoided, it => it.by = text("M301")),
    of!("role_wrong", "pay a", PrizePaid, it => it.second = Some(text("C143"))),
    of!("role_wrong", "reverse a", PaymentReversed, it => it.second = text("C143")),
    of!("role_wrong", "refuse c", PatronRefused, it => it.badge = text("T501")),
    of!("role_wrong", "remark c", TicketRemarked, it => it.badge = text("S201")),
    of!("role_wrong", "remark c", TicketRemarked, it => it.badge = text("A401")),
    of!("badge_unknown", "remark c", TicketRemarked, it => it.badge = text("A999")),
    of!("ticket_unknown", "remark c", TicketRemarked, it => it.ticket = 0),
    of!("role_wrong", "present d", ClaimPresented, it => it.badge = text("A401")),
    of!("role_wrong", "copy g", TicketDuplicated, it => it.by = text("M301")),
    of!("role_wrong", "copy g", TicketDuplicated, it => it.second = text("M301")),
    of!("role_wrong", "close key", KeyClosed, it => it.badge = text("T501")),
    of!("role_wrong", "count", TillCounted, it => it.by = text("M301")),
    // Neither of the two answers for it.
    of!("role_wrong", "fill", TillMoved, it => it.second = text("C143")),
    of!("role_wrong", "count", TillCounted, it => it.second = text("C143")),
    of!("role_wrong", "hand over", DeviceHandedOver, it => it.second = text("C143")),
    of!("role_wrong", "unpaid f", TicketUnpaid, it => (it.by, it.second) = (text("C142"), text("C143"))),
    of!("role_wrong", "copy g", TicketDuplicated, it => (it.by, it.second) = (text("C142"), text("C143"))),
    of!("role_wrong", "close shift", ShiftClosed, it => it.second = Some(text("C143"))),
    beside!(|ticket| TicketReleased {
        ticket,
        evidence: text("reçu"),
        by: text("C142"),
        second: text("C143"),
    }),
    beside!(|ticket| PaymentHeld {
        ticket,
        draw: 2,
        reason: 1,
        by: text("M301"),
    }),
    beside!(|ticket| DiscrepancyNoted {
        ticket,
        facts: 1,
        note: text("cote"),
        badge: text("M301"),
    }),
    beside!(|_| SalesSuspended {
        reason: text("panne"),
        by: text("C142"),
    }),
    beside!(|_| SalesResumed {
        by: text("S201"),
        second: text("T501"),
    }),
    beside!(|_| ScheduleConfirmed {
        by: text("C142"),
        second: text("S201"),
    }),
    // A command in another's name.
    of!("session_badge", "sell a", TicketSold, it => it.badge = text("C143")),
    of!("session_badge", "cancel e", TicketCancelled, it => it.badge = text("C143")),
    of!("session_badge", "refund h", PrizePaid, it => it.badge = text("C143")),
    of!("session_badge", "drop", TillMoved, it => it.by = text("C143")),
    of!("session_badge", "reverse a", PaymentReversed, it => it.by = text("C143")),
    // The place is unknown, of another role, or revoked.
    ("place_wrong", "counter", drop_it, "session", 0),
    (
        "place_wrong",
        "counter",
        alter!(DeviceRecorded, it => it.role = 2),
        "session",
        0,
    ),
    (
        "place_wrong",
        "counter",
        alter!(DeviceRecorded, it => it.role = 4),
        "shift",
        0,
    ),
    (
        "place_wrong",
        "neighbour",
        alter!(DeviceRecorded, it => it.role = 3),
        "hand over",
        0,
    ),
    (
        "place_wrong",
        "neighbour",
        alter!(DeviceRecorded, it => {
            it.active = false;
            it.second.clear();
        }),
        "session at 8",
        0,
    ),
    of!("place_wrong", "print a", PrintConfirmed, it => it.device = 99),
    of!("place_wrong", "refuse c", PatronRefused, it => it.device = 99),
    of!("place_wrong", "present d", ClaimPresented, it => it.device = 99),
];
