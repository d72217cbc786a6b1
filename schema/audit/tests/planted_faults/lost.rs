//! Refunds of tickets that a restore lost, and the tills that they are paid out of.

use super::epochs::{before, judged_with, names, some_lost};
use super::*;

/// A refund as it must be, of a ticket sold in the first epoch.
fn refund(session: u64, counter: u64) -> LostTicketRefunded {
    LostTicketRefunded {
        key: CommandKey {
            device: 7,
            session,
            counter: 2_000 + counter,
        },
        content_hash: sha256(b"request"),
        sold_epoch: 1,
        lost_leaf: 1_000,
        amount_cents: 500,
        tender: 1,
        reason: "prix lu sur le papier".to_owned(),
        badge: "C142".to_owned(),
        second: "S201".to_owned(),
        shift: 1,
    }
}

/// A refund where the till of the story is in the end: at the neighbour.
fn refund_at_last(counter: u64) -> LostTicketRefunded {
    let mut body = refund(2, counter);
    body.key.device = 8;
    body
}

/// The story with an epoch before its first session, and something done at another label.
fn after_a_loss(label: &'static str, change: Change) -> Log {
    play(Fault::Both([
        ("session", |events, log| {
            before(events, log, (1, 1, 1), some_lost)
        }),
        (label, change),
    ]))
}

#[test]
fn a_lost_ticket_is_refunded_out_of_the_till() {
    let log = after_a_loss("close shift", |events, _| {
        let mut dearest = refund_at_last(1);
        dearest.amount_cents = 36_000;
        let mut coupon = refund_at_last(2);
        (coupon.lost_leaf, coupon.tender) = (1_001, 2);
        let Some(Event::ShiftClosed(body)) = events.first_mut() else {
            panic!("another kind stands here");
        };
        // A coupon is no cash.
        body.expected_cents -= 36_000;
        events.splice(0..0, [dearest.into(), coupon.into()]);
    });
    let outcome = judged_with(&log, "boulier/essai/2", None);
    assert_eq!(names(&outcome), [""; 0]);
    assert_eq!(outcome.replay.totals().lost_refunded_cents, 36_500);
}

#[test]
fn a_till_without_its_refund_of_a_lost_ticket_is_found() {
    let log = after_a_loss("close shift", |events, _| {
        events.insert(0, refund_at_last(1).into());
    });
    assert_eq!(missed(&log, "till_expected", "close shift", 1), None);
}

#[test]
fn a_number_shows_what_nobody_knew_to_be_lost() {
    let log = play(Fault::Both([
        ("session", |events, log| {
            before(events, log, (1, 1, 1), |_| {});
        }),
        ("close shift", |events, log| {
            let mut body = refund_at_last(1);
            // The first leaf that the epoch does not go on from.
            (body.lost_leaf, body.tender) = (log.at("session"), 2);
            events.insert(0, body.into());
        }),
    ]));
    let outcome = judged_with(&log, "boulier/essai/2", None);
    assert_eq!(names(&outcome), [""; 0]);
}
