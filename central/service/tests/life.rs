//! A ticket's whole life through the one door, on both databases.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "helpers of tests, whose failures are the test's"
)]

use crate::support::{House, cancel, quick, slip, straight, two_fours_one_eight, wait};
use keno_game::PrintMeans;
use keno_record::past_draws::draw_range;
use keno_service::Stop;
use keno_service::counter::{DueKind, Named, PayOrder, TicketPicture, Verdict};
use keno_service::draw::{Conductor, Draw};
use keno_service::refusal::Refusal;
use keno_service::staff::Recognised;

/// Runs a test on SQLite and on PostgreSQL.
fn on_both(test: fn(House)) {
    test(House::new(None));
    let database = keno_testing::empty_postgres_database().unwrap();
    test(House::new(Some(database.address())));
}

fn refusal<T: std::fmt::Debug>(outcome: Result<T, Stop>) -> Refusal {
    match outcome {
        Err(Stop::Refused(refusal)) => refusal,
        other => panic!("expected a refusal, got {other:?}"),
    }
}

/// Everything payable on a ticket, as a request shows it.
fn due(house: &House, paper: &keno_service::counter::Paper) -> Vec<(u64, i64)> {
    let row = paper.find(&house.central).unwrap().unwrap();
    TicketPicture::of(&house.central, row)
        .unwrap()
        .payable()
        .map(|draw| (draw.draw.number(), draw.payable_cents))
        .collect()
}

#[test]
fn a_slip_becomes_a_paid_ticket() {
    on_both(|mut house| {
        let clerk = house.clerk(1, "C1");
        let draw = house.next_draw();
        // Every single number: a quarter of them win on any draw.
        let tickets: Vec<_> = (1..=20_u8)
            .map(|n| {
                house.sell(
                    &clerk,
                    slip(
                        vec![
                            straight(&[n * 4 - 3], 100),
                            straight(&[n * 4 - 2], 100),
                            straight(&[n * 4 - 1], 100),
                            straight(&[n * 4], 100),
                        ],
                        1,
                    ),
                )
            })
            .collect();
        let ways = house.sell(&clerk, slip(vec![two_fours_one_eight(100)], 10));
        assert_eq!(ways.sold.total_cents, 3_000, "2/4 + 1/8 at 1 $ x 10 draws");
        for sold in tickets.iter().chain([&ways]) {
            house.confirm(&clerk, sold);
        }
        // Before the draw: nothing to pay, and no number to see.
        let paper = house.paper(&tickets[0]);
        let row = paper.find(&house.central).unwrap().unwrap();
        let picture = TicketPicture::of(&house.central, row).unwrap();
        assert!(matches!(
            picture.verdict(&house.central),
            Verdict::NotYetDrawn { .. }
        ));

        house.until_settled(draw);
        let mut paid_cents = 0;
        for sold in &tickets {
            let paper = house.paper(sold);
            let items = due(&house, &paper);
            if items.is_empty() {
                let row = paper.find(&house.central).unwrap().unwrap();
                let picture = TicketPicture::of(&house.central, row).unwrap();
                assert_eq!(picture.verdict(&house.central), Verdict::NotWinner);
                continue;
            }
            let order = PayOrder {
                counter: house.next_counter(),
                session: clerk.session,
                paper: paper.clone().into(),
                items,
                second: None,
            };
            let paid = wait(order.pay(&house.central, &clerk)).unwrap();
            paid_cents += paid.event.total_cents;
            // The same key repeats its answer; another key is told that it is paid.
            let again = wait(order.pay(&house.central, &clerk)).unwrap();
            assert!(again.repeated && again.leaf == paid.leaf);
            let other = PayOrder {
                counter: house.next_counter(),
                ..order
            };
            assert!(matches!(
                refusal(wait(other.pay(&house.central, &clerk))),
                Refusal::AlreadyPaid { .. }
            ));
        }
        // 20 of the 80 one-number selections win 3.00 each, whatever is drawn.
        assert_eq!(paid_cents, 20 * 300);
        let settled = draw_range(&house.central, draw, draw).unwrap();
        let totals = settled[0].settlement().unwrap();
        assert!(totals.payable_cents >= 6_000, "{totals:?}");
        assert!(
            Draw(draw)
                .transcript(&house.central)
                .unwrap()
                .check()
                .is_ok()
        );

        // After a restart everything still stands.
        let before = house
            .central
            .view
            .get()
            .draws
            .keys()
            .copied()
            .collect::<Vec<_>>();
        house.restart();
        let after = house
            .central
            .view
            .get()
            .draws
            .keys()
            .copied()
            .collect::<Vec<_>>();
        assert_eq!(before, after);
        let row = paper.find(&house.central).unwrap().unwrap();
        let picture = TicketPicture::of(&house.central, row).unwrap();
        assert!(matches!(
            picture.verdict(&house.central),
            Verdict::AlreadyPaid { .. } | Verdict::NotWinner
        ));
        assert!(picture.payable().next().is_none());
    });
}

#[test]
fn a_key_has_one_outcome() {
    on_both(|house| {
        let clerk = house.clerk(1, "C1");
        let order = house.order(&clerk, slip(vec![quick(5, 200)], 1), None);
        let sold = wait(order.sell(&house.central, &clerk)).unwrap();
        let again = wait(order.sell(&house.central, &clerk)).unwrap();
        assert_eq!((sold.ticket, &sold.sold), (again.ticket, &again.sold));
        assert!(again.repeated && again.secret_may_be_said);
        let mut other = order.clone();
        other.received_cents += 500;
        assert_eq!(
            refusal(wait(other.sell(&house.central, &clerk))),
            Refusal::KeyOtherContent
        );
        // A closed key refuses a late copy, and an answered key cannot be closed.
        let late = house.order(&clerk, slip(vec![quick(5, 200)], 1), None);
        wait(clerk.close_key(&house.central, None, clerk.session, late.counter)).unwrap();
        assert_eq!(
            refusal(wait(late.sell(&house.central, &clerk))),
            Refusal::KeyClosed
        );
        let kept =
            wait(clerk.close_key(&house.central, None, clerk.session, order.counter)).unwrap();
        assert_eq!(kept.leaf, Some(sold.ticket));
        // Once the paper is confirmed the key answers the facts without the secret.
        house.confirm(&clerk, &sold);
        assert!(
            !wait(order.sell(&house.central, &clerk))
                .unwrap()
                .secret_may_be_said
        );
    });
}

#[test]
fn a_cancelled_ticket_takes_no_part() {
    on_both(|house| {
        let clerk = house.clerk(1, "C1");
        let draw = house.next_draw();
        let all: Vec<_> = (1..=20_u8)
            .map(|n| {
                house.sell(
                    &clerk,
                    slip(
                        vec![
                            straight(&[n], 100),
                            straight(&[n + 20], 100),
                            straight(&[n + 40], 100),
                            straight(&[n + 60], 100),
                        ],
                        1,
                    ),
                )
            })
            .collect();
        for sold in &all {
            let cancelled = house.cancel(&clerk, sold).unwrap();
            assert_eq!(cancelled.event.refund_cents, 400);
        }
        let kept = house.sell(&clerk, slip(vec![quick(10, 100)], 1));
        house.until_closed(draw);
        assert_eq!(
            refusal(house.cancel(&clerk, &kept)),
            Refusal::CancelAfterClose { draw }
        );
        let sealed = draw_range(&house.central, draw, draw).unwrap();
        assert_eq!(sealed[0].seal().unwrap().1, 1, "one ticket takes part");
        house.until_settled(draw);
        for sold in &all {
            assert!(due(&house, &house.paper(sold)).is_empty());
        }
        let shift = house.central.view.get();
        let (_, till) = shift.shift_at(1).unwrap();
        assert_eq!(till.expected_cents, 50_000 + 100);
    });
}

#[test]
fn a_void_draw_is_refunded_once_and_the_others_live_on() {
    on_both(|house| {
        let clerk = house.clerk(1, "C1");
        let draw = house.next_draw();
        let sold = house.sell(&clerk, slip(vec![quick(4, 200)], 3));
        house.confirm(&clerk, &sold);
        house.until_closed(draw);
        Draw(draw)
            .void(&house.central, "essai", "S1", "S2")
            .unwrap();
        let paper = house.paper(&sold);
        let row = paper.find(&house.central).unwrap().unwrap();
        let picture = TicketPicture::of(&house.central, row).unwrap();
        assert_eq!(
            picture.verdict(&house.central),
            Verdict::DrawCancelled { cents: 200 }
        );
        assert_eq!(picture.draws[0].kind, DueKind::Refund);
        let order = PayOrder {
            counter: house.next_counter(),
            session: clerk.session,
            paper: paper.into(),
            items: vec![(draw, 200)],
            second: None,
        };
        wait(order.pay(&house.central, &clerk)).unwrap();
        Conductor::tick(&house.central);
        assert!(
            draw_range(&house.central, draw, draw).unwrap()[0]
                .holders()
                .iter()
                .all(|h| h.secret.is_some()),
            "the secrets of a void draw are published too"
        );
        house.until_settled(draw + 2);
    });
}

#[test]
fn a_wager_that_was_refunded_in_part_is_not_given_back_whole() {
    on_both(|house| {
        let clerk = house.clerk(1, "C1");
        let draw = house.next_draw();
        let sold = house.sell(&clerk, slip(vec![quick(4, 200)], 3));
        let paper = house.paper(&sold);
        // A later draw of the ticket is void while the first is still on sale.
        let void = draw + 1;
        Draw(void)
            .void(&house.central, "essai", "S1", "S2")
            .unwrap();
        let order = PayOrder {
            counter: house.next_counter(),
            session: clerk.session,
            paper: paper.clone().into(),
            items: vec![(void, 200)],
            second: None,
        };
        let paid = wait(order.pay(&house.central, &clerk)).unwrap();
        let cancel = |counter: u64| cancel(&house.central, &clerk, &paper, counter);
        let unpaid =
            || wait(Named::from(&paper).mark_unpaid(&house.central, &clerk, &house.person("S1")));
        for refused in [refusal(cancel(house.next_counter())), refusal(unpaid())] {
            assert!(
                matches!(refused, Refusal::AlreadyPaid { draw, .. } if draw == void),
                "{refused:?}"
            );
        }
        // The refund came back to the till: the whole wager is there to be given back.
        wait(clerk.reverse_payment(
            &house.central,
            &house.person("S1"),
            paid.leaf,
            "not handed over",
        ))
        .unwrap();
        let cancelled = cancel(house.next_counter()).unwrap();
        assert_eq!(cancelled.event.refund_cents, 600);
        assert_eq!(house.expected_cents(1), 50_000);
    });
}

#[test]
fn a_payment_not_handed_over_is_undone_by_two_people() {
    on_both(|house| {
        let clerk = house.clerk(1, "C1");
        let draw = house.next_draw();
        let tickets: Vec<_> = (0..20_u8)
            .map(|n| {
                house.sell(
                    &clerk,
                    slip(
                        vec![
                            straight(&[n + 1], 2_000),
                            straight(&[n + 21], 2_000),
                            straight(&[n + 41], 2_000),
                            straight(&[n + 61], 2_000),
                        ],
                        1,
                    ),
                )
            })
            .collect();
        for sold in &tickets {
            house.confirm(&clerk, sold);
        }
        house.until_settled(draw);
        let (paper, items) = tickets
            .iter()
            .map(|sold| house.paper(sold))
            .map(|paper| {
                let items = due(&house, &paper);
                (paper, items)
            })
            .find(|(_, items)| !items.is_empty())
            .unwrap();
        let order = PayOrder {
            counter: house.next_counter(),
            session: clerk.session,
            paper: paper.clone().into(),
            items: items.clone(),
            second: None,
        };
        let paid = wait(order.pay(&house.central, &clerk)).unwrap();
        let expected = house
            .central
            .view
            .get()
            .shift_at(1)
            .unwrap()
            .1
            .expected_cents;
        wait(clerk.reverse_payment(
            &house.central,
            &house.person("S1"),
            paid.leaf,
            "joueur parti",
        ))
        .unwrap();
        let back = house
            .central
            .view
            .get()
            .shift_at(1)
            .unwrap()
            .1
            .expected_cents;
        assert_eq!(
            back - expected,
            paid.event.total_cents + paid.event.rounding_cents
        );
        assert_eq!(
            refusal(wait(clerk.reverse_payment(
                &house.central,
                &house.person("S1"),
                paid.leaf,
                "encore"
            ))),
            Refusal::PaymentReversed
        );
        assert_eq!(due(&house, &paper), items, "it can be paid again");
        let again = PayOrder {
            counter: house.next_counter(),
            ..order
        };
        wait(again.pay(&house.central, &clerk)).unwrap();
    });
}

#[test]
fn a_held_ticket_waits_for_two_people() {
    on_both(|house| {
        let clerk = house.clerk(1, "C1");
        let supervisor = house.clerk(2, "S1");
        let draw = house.next_draw();
        let tickets: Vec<_> = (0..20_u8)
            .map(|n| {
                house.sell(
                    &clerk,
                    slip(
                        vec![
                            straight(&[n + 1], 100),
                            straight(&[n + 21], 100),
                            straight(&[n + 41], 100),
                            straight(&[n + 61], 100),
                        ],
                        1,
                    ),
                )
            })
            .collect();
        house.until_settled(draw);
        let prizes: Vec<i64> = tickets
            .iter()
            .map(|sold| {
                let row = house.paper(sold).find(&house.central).unwrap().unwrap();
                let picture = TicketPicture::of(&house.central, row).unwrap();
                assert_eq!(picture.verdict(&house.central), Verdict::InDoubt);
                picture.draws[0].payable_cents
            })
            .collect();
        let winner = prizes.iter().position(|cents| *cents > 0).unwrap();
        let paper = house.paper(&tickets[winner]);
        let order = PayOrder {
            counter: house.next_counter(),
            session: clerk.session,
            paper: paper.clone().into(),
            items: vec![(draw, prizes[winner])],
            second: None,
        };
        assert_eq!(
            refusal(wait(order.pay(&house.central, &clerk))),
            Refusal::TicketHeld
        );
        wait(Named::from(&paper).release(
            &house.central,
            &supervisor,
            &house.person("S2"),
            "billet vu, complet",
        ))
        .unwrap();
        wait(order.pay(&house.central, &clerk)).unwrap();
    });
}

#[test]
fn a_ticket_whose_holder_was_refused_is_paid_by_two_after_a_restart_too() {
    on_both(|mut house| {
        let clerk = house.clerk(1, "C1");
        let draw = house.next_draw();
        let tickets: Vec<_> = (1..=20_u8)
            .map(|n| {
                let singles = [n, n + 20, n + 40, n + 60];
                let singles = singles.map(|single| straight(&[single], 100));
                house.sell(&clerk, slip(singles.to_vec(), 1))
            })
            .collect();
        for sold in &tickets {
            house.confirm(&clerk, sold);
        }
        house.until_settled(draw);
        let (paper, items) = tickets
            .iter()
            .map(|sold| house.paper(sold))
            .map(|paper| {
                let items = due(&house, &paper);
                (paper, items)
            })
            .find(|(_, items)| !items.is_empty())
            .unwrap();
        // The clerk has the amount before them when another counter refuses a holder.
        let mut order = PayOrder {
            counter: house.next_counter(),
            session: clerk.session,
            paper: paper.clone().into(),
            items: items.clone(),
            second: None,
        };
        let other = house.clerk(2, "C2");
        wait(Named::from(&paper).refuse_patron(&house.central, &other, "minor")).unwrap();
        assert_eq!(
            refusal(wait(order.pay(&house.central, &clerk))),
            Refusal::SecondPersonNeeded
        );
        house.restart();
        assert_eq!(
            refusal(wait(order.pay(&house.central, &clerk))),
            Refusal::SecondPersonNeeded
        );
        assert_eq!(due(&house, &paper), items, "nothing of the prize is lost");
        order.second = Some(house.person("S1"));
        let paid = wait(order.pay(&house.central, &clerk)).unwrap();
        assert_eq!(paid.event.second.as_deref(), Some("S1"));
        let refused: Vec<_> = house
            .events()
            .into_iter()
            .filter_map(|event| match event {
                keno_log::Event::PatronRefused(body) => {
                    Some((body.reason, body.device, body.badge))
                }
                _ => None,
            })
            .collect();
        assert_eq!(refused, [(1, 2, "C2".to_owned())]);
    });
}

#[test]
fn only_the_living_copy_is_paid_and_a_bare_number_never_is() {
    on_both(|house| {
        let clerk = house.clerk(1, "C1");
        let draw = house.next_draw();
        let tickets: Vec<_> = (0..20_u8)
            .map(|n| {
                house.sell(
                    &clerk,
                    slip(
                        vec![
                            straight(&[n + 1], 100),
                            straight(&[n + 21], 100),
                            straight(&[n + 41], 100),
                            straight(&[n + 61], 100),
                        ],
                        1,
                    ),
                )
            })
            .collect();
        for sold in &tickets {
            house.confirm(&clerk, sold);
        }
        house.until_settled(draw);
        let sold = tickets
            .iter()
            .find(|sold| !due(&house, &house.paper(sold)).is_empty())
            .unwrap();
        let original = house.paper(sold);
        let items = due(&house, &original);
        let (_, copy) = wait(Named::from(&original).duplicate(
            &house.central,
            &clerk,
            &house.person("S1"),
            "original mouillé",
        ))
        .unwrap();
        assert_eq!(copy, 2);
        let mut order = PayOrder {
            counter: house.next_counter(),
            session: clerk.session,
            paper: original.clone().into(),
            items,
            second: None,
        };
        assert_eq!(
            refusal(wait(order.pay(&house.central, &clerk))),
            Refusal::CopyReplaced
        );
        order.paper = house.forged(sold, 2).into();
        assert_eq!(
            refusal(wait(order.pay(&house.central, &clerk))),
            Refusal::NumberUnknown
        );
        order.paper = keno_service::counter::Paper::number_alone(original.number).into();
        assert_eq!(
            refusal(wait(order.pay(&house.central, &clerk))),
            Refusal::ClaimCodeNeeded
        );
        order.second = Some(Recognised {
            badge: "C2".into(),
            roles: vec![1],
            credential: None,
        });
        assert_eq!(
            refusal(wait(order.pay(&house.central, &clerk))),
            Refusal::SecondPersonRefused
        );
        order.second = Some(Recognised {
            badge: "S1".into(),
            roles: vec![2],
            credential: None,
        });
        // Not even with a supervisor beside.
        assert_eq!(
            refusal(wait(order.pay(&house.central, &clerk))),
            Refusal::ClaimCodeNeeded
        );
        // Unconfirmed copy 2: held until it is confirmed or released.
        order.paper = house.paper_copy(sold, 2).into();
        assert_eq!(
            refusal(wait(order.pay(&house.central, &clerk))),
            Refusal::TicketHeld
        );
        wait(
            clerk
                .device
                .confirm_print(&house.central, sold.ticket, 2, PrintMeans::Clerk),
        )
        .unwrap();
        let paid = wait(order.pay(&house.central, &clerk)).unwrap();
        assert_eq!(paid.event.path, 1);
    });
}

#[test]
fn nobody_withdraws_a_wager_that_may_have_lost() {
    on_both(|house| {
        let clerk = house.clerk(1, "C1");
        let first = house.next_draw();
        let two_draws = house.sell(&clerk, slip(vec![quick(3, 100)], 2));
        house.until_closed(first);
        Draw(first).suspend(&house.central, "panne", "S1").unwrap();
        // The first draw waits for people; the second has taken place.
        house.until_settled(first + 1);
        Draw(first).resume(&house.central, "S1", "S2").unwrap();
        let paper = house.paper(&two_draws);
        assert_eq!(
            refusal(wait(Named::from(&paper).mark_unpaid(
                &house.central,
                &clerk,
                &house.person("S1")
            ))),
            Refusal::UnpaidAfterFirstBall { draw: first + 1 }
        );
        house.until_settled(first);
    });
}

#[test]
fn secrets_are_told_once() {
    on_both(|house| {
        let draw = house.next_draw();
        house.until_settled(draw);
        assert!(matches!(
            Draw(draw).reveal_secrets(&house.central),
            Err(Stop::Refused(Refusal::DrawStepRefused { state: "settled" }))
        ));
    });
}

#[test]
fn unpaid_is_by_two_people_before_the_first_ball() {
    on_both(|house| {
        let clerk = house.clerk(1, "C1");
        let draw = house.next_draw();
        let one = house.sell(&clerk, slip(vec![quick(3, 100)], 1));
        let two = house.sell(&clerk, slip(vec![quick(3, 100)], 1));
        wait(Named::from(&house.paper(&one)).mark_unpaid(
            &house.central,
            &clerk,
            &house.person("S1"),
        ))
        .unwrap();
        house.until_settled(draw);
        assert_eq!(
            refusal(wait(Named::from(&house.paper(&two)).mark_unpaid(
                &house.central,
                &clerk,
                &house.person("S1")
            ))),
            Refusal::UnpaidAfterFirstBall { draw }
        );
        let row = house.paper(&one).find(&house.central).unwrap().unwrap();
        let picture = TicketPicture::of(&house.central, row).unwrap();
        assert_eq!(picture.verdict(&house.central), Verdict::VoidUnpaid);
        assert_eq!(
            house
                .central
                .view
                .get()
                .shift_at(1)
                .unwrap()
                .1
                .expected_cents,
            50_000 + 100
        );
    });
}
