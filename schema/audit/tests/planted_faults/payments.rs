//! Payments, reversals, expiry.

use super::*;

pub const PLANTED: &[Planted] = &[
    // Payments.
    (
        "payment_not_due",
        "refund h",
        alter!(PrizePaid, it => { it.items[0].kind = 1; it.tender = 1 }),
        "refund h",
        0,
    ),
    (
        "payment_not_due",
        "pay c",
        alter!(PrizePaid, it => it.items[0].kind = 2),
        "pay c",
        0,
    ),
    (
        "payment_not_due",
        "pay c",
        alter!(PrizePaid, it => it.items[0].draw = 1),
        "pay c",
        0,
    ),
    (
        "payment_not_due",
        "settle 2",
        |events, log| {
            let mut log_of_payment = Log::new(Fault::None);
            let mut body =
                crate::support::payment(&mut log_of_payment, log.at("sell b"), &[(2, 1, 62_260)]);
            body.key = next_key(1);
            events.insert(0, body.into());
        },
        "settle 2",
        0,
    ),
    (
        "payment_amount",
        "pay a",
        alter!(PrizePaid, it => { it.items[0].amount_cents += 1; it.total_cents += 1 }),
        "pay a",
        0,
    ),
    (
        "payment_amount",
        "refund h",
        alter!(PrizePaid, it => { it.items[0].amount_cents = 300; it.total_cents = 300 }),
        "refund h",
        0,
    ),
    ("payment_twice", "reverse a", drop_it, "pay a again", 0),
    (
        "payment_twice",
        "pay c",
        |events, _| {
            let Event::PrizePaid(mut body) = events[0].clone() else {
                panic!()
            };
            body.key = next_key(1);
            events.push(body.into());
        },
        "pay c",
        1,
    ),
    (
        "payment_twice",
        "pay c",
        alter!(PrizePaid, it => {
            it.items.push(it.items[0]);
            it.total_cents += it.items[0].amount_cents;
        }),
        "pay c",
        0,
    ),
    (
        "payment_total",
        "pay c",
        alter!(PrizePaid, it => it.total_cents += 1),
        "pay c",
        0,
    ),
    (
        "payment_total",
        "pay c",
        alter!(PrizePaid, it => it.rounding_cents = 3),
        "pay c",
        0,
    ),
    (
        "payment_total",
        "refund h",
        alter!(PrizePaid, it => it.tender = 1),
        "refund h",
        0,
    ),
    (
        "payment_alone",
        "pay a",
        alter!(PrizePaid, it => it.second = None),
        "pay a",
        0,
    ),
    (
        "payment_place",
        "counter",
        alter!(DeviceRecorded, it => it.role = crate::support::scenario::COUNTER),
        "pay a",
        0,
    ),
    (
        "payment_total",
        "pay c",
        alter!(PrizePaid, it => it.rounding_cents = 0),
        "pay c",
        0,
    ),
    (
        "payment_total",
        "pay d",
        alter!(PrizePaid, it => it.rounding_cents = -2),
        "pay d",
        0,
    ),
    (
        "payment_while_held",
        "pay c",
        |events, _| {
            let Some(Event::PrizePaid(body)) = events.first() else {
                panic!("another kind stands here");
            };
            let held = PaymentHeld {
                ticket: body.ticket,
                draw: 2,
                reason: 1,
                by: "guard".to_owned(),
            };
            events.insert(0, held.into());
        },
        "pay c",
        1,
    ),
    (
        "payment_without_code",
        "refund h",
        alter!(PrizePaid, it => it.path = 2),
        "refund h",
        0,
    ),
    // After a refusal nobody pays alone, neither a prize nor a refund, however small.
    (
        "payment_alone",
        "pay c",
        alter!(PrizePaid, it => it.second = None),
        "pay c",
        0,
    ),
    (
        "payment_alone",
        "refund h",
        |events, _| {
            let Some(Event::PrizePaid(body)) = events.first() else {
                panic!("another kind stands here");
            };
            let refused = PatronRefused {
                ticket: body.ticket,
                reason: 2,
                device: 7,
                badge: "C142".to_owned(),
            };
            events.insert(0, refused.into());
        },
        "refund h",
        1,
    ),
    (
        "ticket_unknown",
        "refuse c",
        alter!(PatronRefused, it => it.ticket = 0),
        "refuse c",
        0,
    ),
    (
        "ticket_withdrawn",
        "refuse c",
        |events, log| {
            let Some(Event::PatronRefused(body)) = events.first_mut() else {
                panic!("another kind stands here");
            };
            body.ticket = log.at("sell f");
        },
        "refuse c",
        0,
    ),
    ("payment_late", "present d", drop_it, "pay d", 0),
    (
        "presentation_wrong",
        "present d",
        alter!(ClaimPresented, it => it.draws = vec![]),
        "present d",
        0,
    ),
    // Of another ticket's range, twice at once, and twice in two entries.
    (
        "presentation_wrong",
        "present d",
        alter!(ClaimPresented, it => it.draws = vec![2, 3]),
        "present d",
        0,
    ),
    (
        "presentation_wrong",
        "present d",
        alter!(ClaimPresented, it => it.draws = vec![2, 2]),
        "present d",
        0,
    ),
    (
        "presentation_wrong",
        "present d",
        |events, _| events.push(events[0].clone()),
        "present d",
        1,
    ),
    // A draw to come, and one that is late.
    (
        "presentation_wrong",
        "print a",
        |events, log| {
            let body = ClaimPresented {
                ticket: log.at("sell a"),
                draws: vec![1],
                path: 1,
                device: 7,
                badge: "C142".to_owned(),
                presented_at_ms: None,
                second: None,
            };
            events.insert(0, body.into());
        },
        "print a",
        0,
    ),
    (
        "presentation_wrong",
        "pay d",
        |events, log| {
            let body = ClaimPresented {
                ticket: log.at("sell b"),
                draws: vec![2],
                path: 1,
                device: 7,
                badge: "C142".to_owned(),
                presented_at_ms: None,
                second: None,
            };
            events.insert(0, body.into());
        },
        "pay d",
        0,
    ),
    (
        "ticket_withdrawn",
        "pay c",
        |events, log| {
            let Event::PrizePaid(mut body) = events[0].clone() else {
                panic!()
            };
            body.key = next_key(1);
            body.ticket = log.at("sell f");
            body.items.truncate(1);
            body.items[0].amount_cents = 300;
            body.total_cents = 300;
            events.insert(0, body.into());
        },
        "pay c",
        0,
    ),
    (
        "reversal_wrong",
        "reverse a",
        alter!(PaymentReversed, it => it.shift = 2),
        "reverse a",
        0,
    ),
    (
        "reversal_wrong",
        "reverse a",
        alter!(PaymentReversed, it => it.ticket += 1),
        "reverse a",
        0,
    ),
    (
        "reversal_wrong",
        "reverse a",
        |events, _| events.push(events[0].clone()),
        "reverse a",
        1,
    ),
    (
        "reversal_amount",
        "reverse a",
        alter!(PaymentReversed, it => it.cash_cents -= 5),
        "reverse a",
        0,
    ),
];
