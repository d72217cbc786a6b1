//! Refunds of tickets that a restore lost: of none that was lost, of one that is there, twice, too
//! much, out of another's till.

use super::epochs::{before, judged_with, names, opened, resumed, some_lost};
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

/// An epoch that lost something, a session of it, and a refund with something done to it: in
/// place of the third ticket. The refund is two entries further.
fn refunded(events: &mut Vec<Event>, log: &Log, change: fn(&mut LostTicketRefunded, &Log)) {
    let mut epoch = opened(log, (4, 2, 2));
    some_lost(&mut epoch);
    after_epoch(events, log, epoch, change);
}

fn after_epoch(
    events: &mut Vec<Event>,
    log: &Log,
    epoch: EpochOpened,
    change: fn(&mut LostTicketRefunded, &Log),
) {
    let session = SessionOpened {
        session: 2,
        device: 7,
        badge: "C142".to_owned(),
        token_hash: [2; 32],
    };
    let mut body = refund(2, 1);
    change(&mut body, log);
    *events = vec![epoch.into(), session.into(), body.into(), resumed().into()];
}

/// Another refund after the one that is lawful.
fn then_another(events: &mut Vec<Event>, log: &Log, change: fn(&mut LostTicketRefunded)) {
    refunded(events, log, |_, _| {});
    let mut second = refund(2, 2);
    second.lost_leaf += 1;
    change(&mut second);
    events.insert(3, second.into());
}

/// A planted fault in the refund, or in the one after it.
macro_rules! of_one {
    ($name:literal, $change:expr) => {
        (
            $name,
            "sell c",
            |events, log| refunded(events, log, $change),
            "sell c",
            2,
        )
    };
}
macro_rules! of_the_next {
    ($name:literal, $change:expr) => {
        (
            $name,
            "sell c",
            |events, log| then_another(events, log, $change),
            "sell c",
            3,
        )
    };
}

pub const PLANTED: &[Planted] = &[
    // No epoch at all, and one in which the ticket cannot have been sold.
    (
        "lost_ticket_epoch",
        "sell c",
        |events, _| *events = vec![refund(1, 1).into()],
        "sell c",
        0,
    ),
    of_one!("lost_ticket_epoch", |it, _| it.sold_epoch = 2),
    of_one!("lost_ticket_epoch", |it, _| it.sold_epoch = 0),
    // The last leaf that the log kept.
    of_one!("lost_ticket_epoch", |it, log| it.lost_leaf = log.size() - 1),
    of_the_next!("lost_ticket_twice", |it| it.lost_leaf -= 1),
    of_one!("lost_ticket_amount", |it, _| it.amount_cents = 0),
    of_one!("lost_ticket_amount", |it, _| it.amount_cents = -500),
    // Three draws, three selections, twenty ways, two dollars: and a cent.
    of_one!("lost_ticket_amount", |it, _| it.amount_cents = 36_001),
    of_one!("lost_ticket_amount", |it, _| it.tender = 3),
    of_one!("same_person", |it, _| it.second = it.badge.clone()),
    of_one!("same_person", |it, _| it.second.clear()),
    of_one!("role_wrong", |it, _| it.second = "C143".to_owned()),
    of_one!("role_wrong", |it, _| it.second = "M301".to_owned()),
    of_one!("session_wrong", |it, _| it.key.session = 1),
    of_one!("till_wrong", |it, _| it.shift = 2),
    of_the_next!("key_repeated", |it| it.key.counter -= 1),
    (
        "key_closed",
        "sell c",
        |events, log| {
            refunded(events, log, |_, _| {});
            let closed = KeyClosed {
                key: refund(2, 1).key,
                badge: "C142".to_owned(),
            };
            events.insert(2, closed.into());
        },
        "sell c",
        3,
    ),
];

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
