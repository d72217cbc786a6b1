//! Closing, seal, numbers, settlement.

use super::*;
use crate::support::scenario::person;

pub const PLANTED: &[Planted] = &[
    // The close, the seal, the numbers.
    (
        "close_totals",
        "close 2",
        alter!(DrawClosed, it => it.tickets -= 1),
        "close 2",
        0,
    ),
    (
        "close_totals",
        "close 2",
        alter!(DrawClosed, it => it.selections += 1),
        "close 2",
        0,
    ),
    (
        "close_totals",
        "close 2",
        alter!(DrawClosed, it => it.wagered_cents -= 50),
        "close 2",
        0,
    ),
    ("close_totals", "cancel e", drop_it, "close 1", 0),
    (
        "draw_step_out_of_order",
        "close 2",
        |events, _| events.push(events[0].clone()),
        "close 2",
        1,
    ),
    (
        "seal_wrong",
        "start 1",
        alter!(DrawStarted, it => it.seal_root[31] ^= 1),
        "start 1",
        0,
    ),
    (
        "seal_wrong",
        "start 1",
        alter!(DrawStarted, it => it.seal_size += 1),
        "start 1",
        0,
    ),
    (
        "seal_wrong",
        "start 2 again",
        |events, log| {
            let Event::DrawStarted(body) = &mut events[0] else {
                panic!()
            };
            (body.seal_size, body.seal_root) = (log.size(), log.edge.root());
        },
        "start 2 again",
        0,
    ),
    (
        "draw_rule_book",
        "start 1",
        alter!(DrawStarted, it => it.rule_book_hash[0] ^= 1),
        "start 1",
        0,
    ),
    ("draw_step_out_of_order", "start 1", drop_it, "balls 1", 0),
    (
        "source_wrong",
        "balls 1",
        alter!(BallsRecorded, it => it.machine = 2),
        "balls 1",
        0,
    ),
    (
        "source_wrong",
        "balls 1",
        alter!(BallsRecorded, it => it.machine = 3),
        "balls 1",
        0,
    ),
    (
        "source_wrong",
        "balls 2",
        alter!(BallsRecorded, it => it.machine = 1),
        "balls 2",
        0,
    ),
    (
        "balls_invalid",
        "balls 2",
        alter!(BallsRecorded, it => it.balls[0] = it.balls[1]),
        "balls 2",
        0,
    ),
    (
        "balls_invalid",
        "balls 2",
        alter!(BallsRecorded, it => it.balls[0] = 81),
        "balls 2",
        0,
    ),
    (
        "balls_invalid",
        "balls 2",
        alter!(BallsRecorded, it => it.balls.truncate(19)),
        "balls 2",
        0,
    ),
    (
        "balls_repeated",
        "balls 2",
        |events, log| {
            let Event::BallsRecorded(first) = log.event("balls 1") else {
                panic!()
            };
            let Event::BallsRecorded(body) = &mut events[0] else {
                panic!()
            };
            body.balls = first.balls;
            body.balls.sort_unstable();
        },
        "balls 2",
        0,
    ),
    (
        "words_differ",
        "balls 2",
        alter!(BallsRecorded, it => it.words_used = 1),
        "balls 2",
        0,
    ),
    (
        "balls_differ",
        "balls 1",
        alter!(BallsRecorded, it => it.balls.swap(3, 4)),
        "balls 1",
        0,
    ),
    (
        "balls_differ",
        "balls 1",
        alter!(BallsRecorded, it => {
            let other = (1..=80).find(|number| !it.balls.contains(number)).unwrap();
            it.balls[19] = other;
        }),
        "balls 1",
        0,
    ),
    (
        "words_differ",
        "balls 1",
        alter!(BallsRecorded, it => it.words_used += 1),
        "balls 1",
        0,
    ),
    (
        "words_differ",
        "balls 1",
        alter!(BallsRecorded, it => it.words_rejected += 1),
        "balls 1",
        0,
    ),
    (
        "secrets_hash",
        "balls 1",
        alter!(BallsRecorded, it => it.secrets_hash[0] ^= 1),
        "balls 1",
        0,
    ),
    (
        "certifier_wrong",
        "certify 1",
        alter!(DrawCertified, it => it.certifiers.clear()),
        "certify 1",
        0,
    ),
    (
        "certifier_wrong",
        "certify 1",
        alter!(DrawCertified, it => it.certifiers = vec!["M301".to_owned()]),
        "certify 1",
        0,
    ),
    (
        "certifier_wrong",
        "certify 1",
        alter!(DrawCertified, it => it.certifiers.push("M301".to_owned())),
        "certify 1",
        0,
    ),
    (
        "certifier_wrong",
        "certify 2",
        alter!(DrawCertified, it => it.certifiers.truncate(1)),
        "certify 2",
        0,
    ),
    (
        "certifier_wrong",
        "certify 2",
        alter!(DrawCertified, it => it.certifiers[1] = "M301".to_owned()),
        "certify 2",
        0,
    ),
    (
        "certifier_wrong",
        "certify 2",
        alter!(DrawCertified, it => it.certifiers[1] = "C142".to_owned()),
        "certify 2",
        0,
    ),
    // Another badge of somebody who sold, and of the other certifier.
    (
        "certifier_wrong",
        "certify 2",
        |events, _| certified_beside(events, "C142"),
        "certify 2",
        1,
    ),
    (
        "certifier_wrong",
        "certify 2",
        |events, _| certified_beside(events, "M301"),
        "certify 2",
        1,
    ),
    (
        "certifier_wrong",
        "certify 2",
        alter!(DrawCertified, it => it.certifiers[1] = "guard".to_owned()),
        "certify 2",
        0,
    ),
    (
        "secret_not_committed",
        "secrets 1",
        alter!(SecretsRevealed, it => it.secrets.reverse()),
        "secrets 1",
        0,
    ),
    (
        "secret_not_committed",
        "secrets 1",
        alter!(SecretsRevealed, it => it.secrets.truncate(1)),
        "secrets 1",
        0,
    ),
    (
        "secret_not_committed",
        "secrets 3",
        alter!(SecretsRevealed, it => it.secrets[0] = SECRETS[0]),
        "secrets 3",
        0,
    ),
    (
        "draw_step_out_of_order",
        "secrets 1",
        drop_it,
        "settle 1",
        0,
    ),
    (
        "draw_step_out_of_order",
        "certify 2",
        drop_it,
        "settle 2",
        0,
    ),
    // The settlement.
    (
        "settlement_winners",
        "settle 2",
        alter!(DrawSettled, it => it.winners -= 1),
        "settle 2",
        0,
    ),
    (
        "settlement_sums",
        "settle 2",
        alter!(DrawSettled, it => { it.small_cents += 100; it.large_cents -= 100 }),
        "settle 2",
        0,
    ),
    (
        "settlement_factors",
        "settle 2",
        alter!(DrawSettled, it => it.large_numerator -= 1),
        "settle 2",
        0,
    ),
    (
        "settlement_factors",
        "settle 2",
        alter!(DrawSettled, it => { it.small_numerator = 2; it.small_denominator = 2 }),
        "settle 2",
        0,
    ),
    (
        "settlement_payable",
        "settle 2",
        alter!(DrawSettled, it => it.payable_cents += 1),
        "settle 2",
        0,
    ),
    (
        "settlement_payable",
        "settle 2",
        alter!(DrawSettled, it => it.breakage_cents = 0),
        "settle 2",
        0,
    ),
    (
        "settlement_root",
        "settle 2",
        alter!(DrawSettled, it => it.prize_root[9] ^= 4),
        "settle 2",
        0,
    ),
    ("close_totals", "sell g", drop_it, "close 2", 0),
    (
        "void_wrong",
        "void 3",
        alter!(DrawVoided, it => it.by = "C142".to_owned()),
        "void 3",
        0,
    ),
    (
        "void_wrong",
        "void 3",
        alter!(DrawVoided, it => it.second = "C142".to_owned()),
        "void 3",
        0,
    ),
    // Another badge of somebody who sold.
    (
        "void_wrong",
        "void 3",
        |events, _| {
            another_badge(events, "S203", 2, "C142");
            let Some(Event::DrawVoided(body)) = events.last_mut() else {
                panic!("another kind stands here");
            };
            body.second = "S203".to_owned();
        },
        "void 3",
        1,
    ),
    (
        "void_wrong",
        "certify 1",
        |events, _| {
            let refund = DrawVoided {
                draw: 1,
                reason: "essai".to_owned(),
                by: "S201".to_owned(),
                second: "S202".to_owned(),
                tickets: 2,
                refund_cents: 300,
            };
            events.insert(0, refund.into());
        },
        "certify 1",
        0,
    ),
    (
        "void_totals",
        "void 3",
        alter!(DrawVoided, it => it.tickets += 1),
        "void 3",
        0,
    ),
    (
        "void_totals",
        "void 3",
        alter!(DrawVoided, it => it.refund_cents += 200),
        "void 3",
        0,
    ),
];

/// Another badge of a human, recorded before what stands here.
fn another_badge(events: &mut Vec<Event>, badge: &str, role: u8, human: &str) {
    let mut again = person(badge, &[role]);
    again.staff = format!("number of {human}");
    events.insert(0, again.into());
}

/// The second certifier has another badge of this human.
fn certified_beside(events: &mut Vec<Event>, human: &str) {
    another_badge(events, "M303", 5, human);
    let Some(Event::DrawCertified(body)) = events.last_mut() else {
        panic!("another kind stands here");
    };
    body.certifiers[1] = "M303".to_owned();
}
