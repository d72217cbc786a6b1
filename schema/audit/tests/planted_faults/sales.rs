//! Tickets sold and withdrawn.

use super::*;

pub const PLANTED: &[Planted] = &[
    // Sales.
    (
        "ticket_after_close",
        "start 1",
        |events, log| {
            events.insert(0, sold_again(log, "sell a").into());
        },
        "start 1",
        0,
    ),
    (
        "ticket_draw_not_open",
        "sell b",
        alter!(TicketSold, it => { it.last_draw = 4; reprice(it) }),
        "sell b",
        0,
    ),
    ("ticket_draw_not_open", "open 1", drop_it, "sell a", 0),
    (
        "ticket_while_suspended",
        "sell b",
        |events, _| {
            let stop = SalesSuspended {
                reason: "essai".to_owned(),
                by: "S201".to_owned(),
            };
            events.insert(0, stop.into());
        },
        "sell b",
        1,
    ),
    (
        "ticket_rule_book",
        "sell b",
        alter!(TicketSold, it => it.rule_book = 2),
        "sell b",
        0,
    ),
    (
        "ticket_limits",
        "sell b",
        alter!(TicketSold, it => {
            it.selections = (1..=4).map(|number| straight(&[number], 100)).collect();
            reprice(it);
        }),
        "sell b",
        0,
    ),
    (
        "ticket_limits",
        "sell b",
        alter!(TicketSold, it => { it.selections.clear(); reprice(it) }),
        "sell b",
        0,
    ),
    (
        "ticket_limits",
        "sell b",
        alter!(TicketSold, it => it.last_draw = 1),
        "sell b",
        0,
    ),
    (
        "ticket_selection",
        "sell b",
        alter!(TicketSold, it => it.selections[0].groups[0][4] = 81),
        "sell b",
        0,
    ),
    (
        "ticket_selection",
        "sell b",
        alter!(TicketSold, it => it.selections[0].groups[0][4] = 4),
        "sell b",
        0,
    ),
    (
        "ticket_selection",
        "sell b",
        alter!(TicketSold, it => it.selections[0].game = "autre".to_owned()),
        "sell b",
        0,
    ),
    (
        "ticket_selection",
        "sell b",
        alter!(TicketSold, it => it.selections[0].kind = 4),
        "sell b",
        0,
    ),
    (
        "ticket_selection",
        "sell b",
        alter!(TicketSold, it => it.selections[0].kings.push(9)),
        "sell b",
        0,
    ),
    (
        "ticket_selection",
        "sell b",
        alter!(TicketSold, it => {
            it.selections = vec![straight(&[1, 2, 3, 4, 5, 6], 100)];
            reprice(it);
        }),
        "sell b",
        0,
    ),
    (
        "ticket_selection",
        "sell c",
        alter!(TicketSold, it => it.selections[0].groups[1][0] = 2),
        "sell c",
        0,
    ),
    (
        "ticket_ways",
        "sell c",
        alter!(TicketSold, it => { it.selections[0].conditioning[0].ways = 3; reprice(it) }),
        "sell c",
        0,
    ),
    (
        "ticket_ways",
        "sell d",
        alter!(TicketSold, it => { it.selections[0].conditioning[0].ways = 1; reprice(it) }),
        "sell d",
        0,
    ),
    (
        "ticket_wager",
        "sell b",
        alter!(TicketSold, it => { it.selections[0].conditioning[0].wager_cents = 75; reprice(it) }),
        "sell b",
        0,
    ),
    (
        "ticket_wager",
        "sell b",
        alter!(TicketSold, it => { it.selections[0].conditioning[0].wager_cents = 250; reprice(it) }),
        "sell b",
        0,
    ),
    (
        "ticket_wager",
        "sell b",
        alter!(TicketSold, it => {
            it.selections.push(straight(&[1, 2, 3, 4, 5], 50));
            reprice(it);
        }),
        "sell b",
        0,
    ),
    (
        "ticket_wager",
        "sell b",
        |events, _| {
            let Some(Event::TicketSold(it)) = events.first_mut() else {
                panic!("another kind stands here");
            };
            // 1.50 on the number 9: below keno's limit, above that of the other game.
            it.selections = vec![straight(&[9], 100), straight(&[9], 50)];
            it.selections[1].game = "plus".to_owned();
            reprice(it);
        },
        "sell b",
        0,
    ),
    (
        "ticket_limits",
        "sell b",
        alter!(TicketSold, it => { it.first_draw = 3; it.last_draw = 3 }),
        "sell b",
        0,
    ),
    (
        "ticket_price",
        "sell b",
        alter!(TicketSold, it => it.per_draw_cents -= 50),
        "sell b",
        0,
    ),
    (
        "ticket_price",
        "sell c",
        alter!(TicketSold, it => it.total_cents /= 2),
        "sell c",
        0,
    ),
    (
        "ticket_unpaid_for",
        "sell b",
        alter!(TicketSold, it => it.received_cents -= 1),
        "sell b",
        0,
    ),
    (
        "ticket_unpaid_for",
        "sell b",
        alter!(TicketSold, it => it.tender = 3),
        "sell b",
        0,
    ),
    (
        "ticket_cap",
        "sell b",
        alter!(TicketSold, it => it.cap_cents += 1),
        "sell b",
        0,
    ),
    (
        "ticket_claim_by",
        "sell b",
        alter!(TicketSold, it => it.claim_by = 20_260_203),
        "sell b",
        0,
    ),
    (
        "ticket_unknown",
        "sell b",
        alter!(TicketSold, it => it.replay_of = Some(3)),
        "sell b",
        0,
    ),
    (
        "key_repeated",
        "sell b",
        alter!(TicketSold, it => it.key.counter = 1),
        "sell b",
        0,
    ),
    (
        "key_repeated",
        "close key",
        alter!(KeyClosed, it => it.key.counter = 1),
        "close key",
        0,
    ),
    (
        "key_closed",
        "sell f",
        |events, log| {
            let Event::KeyClosed(closed) = log.event("close key") else {
                panic!()
            };
            let Event::TicketSold(body) = &mut events[0] else {
                panic!()
            };
            body.key = closed.key;
        },
        "sell f",
        0,
    ),
    (
        "session_wrong",
        "sell b",
        alter!(TicketSold, it => it.key.device = 8),
        "sell b",
        0,
    ),
    (
        "session_wrong",
        "sell b",
        alter!(TicketSold, it => it.key.session = 2),
        "sell b",
        0,
    ),
    (
        "session_wrong",
        "sell b",
        |events, _| {
            let end = SessionEnded {
                session: 1,
                reason: 1,
                by: "C142".to_owned(),
            };
            events.insert(0, end.into());
        },
        "sell b",
        1,
    ),
    (
        "ticket_unknown",
        "print a",
        alter!(PrintConfirmed, it => it.ticket = 0),
        "print a",
        0,
    ),
    (
        "copy_wrong",
        "copy g",
        alter!(TicketDuplicated, it => it.copy = 3),
        "copy g",
        0,
    ),
    (
        "duplicate_without_paper",
        "copy g",
        alter!(TicketDuplicated, it => it.on = 3),
        "copy g",
        0,
    ),
    // A copy on a print that was never confirmed, of a ticket whose price was given back.
    (
        "duplicate_without_paper",
        "copy g",
        |events, _| {
            let Some(Event::TicketDuplicated(body)) = events.first_mut() else {
                panic!("another kind stands here");
            };
            body.on = 2;
            let given_back = PatronRefused {
                ticket: body.ticket,
                reason: 4,
                device: 7,
                badge: "C142".to_owned(),
            };
            events.insert(0, given_back.into());
        },
        "copy g",
        1,
    ),
    // A copy on a print that was never confirmed, and its confirmation just before.
    (
        "duplicate_without_paper",
        "copy g",
        |events, _| {
            let Some(Event::TicketDuplicated(body)) = events.first_mut() else {
                panic!("another kind stands here");
            };
            body.on = 2;
            let confirmed = PrintConfirmed {
                ticket: body.ticket,
                copy: 1,
                how: 1,
                device: 7,
            };
            events.insert(0, confirmed.into());
        },
        "copy g",
        1,
    ),
    (
        "copy_wrong",
        "print a",
        alter!(PrintConfirmed, it => it.copy = 2),
        "print a",
        0,
    ),
    (
        "copy_wrong",
        "copy g",
        alter!(TicketDuplicated, it => it.copy = 1),
        "copy g",
        0,
    ),
    // Withdrawals.
    (
        "ticket_withdrawn",
        "cancel e",
        |events, _| {
            let Event::TicketCancelled(mut body) = events[0].clone() else {
                panic!()
            };
            body.key = next_key(1);
            events.push(body.into());
        },
        "cancel e",
        1,
    ),
    (
        "cancel_after_close",
        "start 1",
        |events, log| {
            let Event::TicketCancelled(mut body) = log.event("cancel e") else {
                panic!()
            };
            body.key = next_key(1);
            body.ticket = log.at("sell a");
            body.refund_cents = 400;
            events.insert(0, body.into());
        },
        "start 1",
        0,
    ),
    (
        "withdrawn_paid",
        "pay d",
        |events, log| {
            let Event::TicketCancelled(mut body) = log.event("cancel e") else {
                panic!()
            };
            let Event::TicketSold(sold) = log.event("sell h") else {
                panic!()
            };
            body.key = next_key(1);
            (body.ticket, body.first_draw) = (log.at("sell h"), sold.first_draw);
            body.refund_cents = sold.total_cents;
            events.insert(0, body.into());
        },
        "pay d",
        0,
    ),
    (
        "cancel_amount",
        "cancel e",
        alter!(TicketCancelled, it => it.refund_cents = 200),
        "cancel e",
        0,
    ),
    (
        "cancel_amount",
        "cancel e",
        alter!(TicketCancelled, it => it.tender = 2),
        "cancel e",
        0,
    ),
    (
        "unpaid_after_ball",
        "certify 2",
        |events, log| {
            let Event::TicketUnpaid(mut body) = log.event("unpaid f") else {
                panic!()
            };
            body.ticket = log.at("sell b");
            events.insert(0, body.into());
        },
        "certify 2",
        0,
    ),
    (
        // The machine had the seal before the draw was interrupted.
        "unpaid_after_ball",
        "start 2 again",
        |events, log| {
            let Event::TicketUnpaid(mut body) = log.event("unpaid f") else {
                panic!()
            };
            body.ticket = log.at("sell b");
            events.insert(0, body.into());
        },
        "start 2 again",
        0,
    ),
    (
        "unpaid_amount",
        "unpaid f",
        alter!(TicketUnpaid, it => it.amount_cents = 100),
        "unpaid f",
        0,
    ),
];
