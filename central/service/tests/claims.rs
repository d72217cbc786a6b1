//! What two people, the cage and the till that paid are needed for, who may not void a draw, and what
//! a command may ask at most: through the one door, on both databases. In a file of its own: until
//! when what is owed is claimed.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "helpers of tests, whose failures are the test's"
)]

mod deadlines;
mod silences;

use crate::support::{House, RULES, assert_same, quick, slip, straight, wait, whole_pool};
use deadlines::DAY_MS;
use keno_game::{
    Cents, ConditioningAsked, DrawState, Pick, PrintMeans, SelectionType, SlipSelection,
};
use keno_record::past_draws::draw_range;
use keno_service::authority::identity::Caller;
use keno_service::counter::{CancelOrder, Named, PayOrder, Sold, TicketPicture};
use keno_service::draw::Draw;
use keno_service::refusal::Refusal;
use keno_service::{Stop, draw};

/// Runs a test on SQLite and on PostgreSQL, under rules with some figures changed.
fn on_both_with(changes: &[(&str, &str)], test: fn(House)) {
    let mut rules = RULES.to_owned();
    for (old, new) in changes {
        assert!(rules.contains(old), "{old}");
        rules = rules.replace(old, new);
    }
    test(House::with_rules(None, None, &rules));
    let database = keno_testing::empty_postgres_database().unwrap();
    test(House::with_rules(Some(database.address()), None, &rules));
}

fn refused<T: std::fmt::Debug>(outcome: Result<T, Stop>) -> &'static str {
    match outcome {
        Err(Stop::Refused(refusal)) => refusal.name(),
        other => panic!("expected a refusal, got {other:?}"),
    }
}

/// An order to pay some draws of a ticket, with a second person or none.
fn order(house: &House, by: &Caller, sold: &Sold, items: &[(u64, i64)], second: &str) -> PayOrder {
    PayOrder {
        counter: house.next_counter(),
        session: by.session,
        paper: house.paper(sold).into(),
        items: items.to_vec(),
        second: (!second.is_empty()).then(|| house.person(second)),
    }
}

/// What is payable on a ticket, by draw.
fn due(house: &House, sold: &Sold) -> Vec<(u64, i64)> {
    let paper = house.paper(sold);
    let row = paper.find(&house.central).unwrap().unwrap();
    let picture = TicketPicture::of(&house.central, row).unwrap();
    let payable = picture.payable();
    payable
        .map(|draw| (draw.draw.number(), draw.payable_cents))
        .collect()
}

#[test]
fn a_ticket_is_not_paid_in_parts_below_the_limit_of_one_person() {
    on_both_with(
        &[("second_person = \"1000.00\"", "second_person = \"7.00\"")],
        |house| {
            let clerk = house.clerk(1, "C1");
            let first = house.next_draw();
            let tickets = whole_pool(&house, &clerk, 2);
            Draw(first + 1)
                .void(&house.central, "essai", "S1", "S2")
                .unwrap();
            house.until_settled(first);
            // A prize of 3.00 and a refund of 4.00: together from the limit on.
            let seven = |sold: &&Sold| due(&house, sold) == [(first, 300), (first + 1, 400)];
            let sold = tickets.iter().find(seven).unwrap();
            for item in [(first, 300), (first + 1, 400)] {
                let alone = order(&house, &clerk, sold, &[item], "");
                let outcome = wait(alone.pay(&house.central, &clerk));
                assert_eq!(refused(outcome), "second_person_needed", "{item:?}");
            }
            let by_two = order(&house, &clerk, sold, &[(first, 300)], "S1");
            let paid = wait(by_two.pay(&house.central, &clerk)).unwrap();
            // What was paid counts on.
            let rest = order(&house, &clerk, sold, &[(first + 1, 400)], "");
            let outcome = wait(rest.pay(&house.central, &clerk));
            assert_eq!(refused(outcome), "second_person_needed");
            // What was reversed is owed again, and counts once.
            wait(clerk.reverse_payment(
                &house.central,
                &house.person("S1"),
                paid.leaf,
                "pas remis",
            ))
            .unwrap();
            let rest = order(&house, &clerk, sold, &[(first + 1, 400)], "S1");
            wait(rest.pay(&house.central, &clerk)).unwrap();
            // A ticket that owes less is paid by one person, as ever.
            let less = |sold: &&Sold| due(&house, sold) == [(first + 1, 400)];
            let sold = tickets.iter().find(less).unwrap();
            let alone = order(&house, &clerk, sold, &[(first + 1, 400)], "");
            wait(alone.pay(&house.central, &clerk)).unwrap();
        },
    );
}

#[test]
fn a_ticket_is_not_paid_in_parts_below_the_limit_of_the_counter() {
    on_both_with(
        &[
            ("second_person = \"1000.00\"", "second_person = \"20.00\""),
            ("cage = \"5000.00\"", "cage = \"12.00\""),
        ],
        |house| {
            let clerk = house.clerk(1, "C1");
            let first = house.next_draw();
            let four = (1..=4).map(|n| straight(&[n], 100)).collect();
            let sold = house.sell(&clerk, slip(four, 3));
            house.confirm(&clerk, &sold);
            for draw in first..first + 3 {
                Draw(draw)
                    .void(&house.central, "essai", "S1", "S2")
                    .unwrap();
            }
            let part = order(&house, &clerk, &sold, &[(first, 400)], "S1");
            assert_eq!(refused(wait(part.pay(&house.central, &clerk))), "cage_only");
            let row = part.paper.find(&house.central).unwrap();
            let picture = TicketPicture::of(&house.central, row.unwrap()).unwrap();
            let verdict = picture.verdict(&house.central);
            assert_eq!(verdict.name(), "winner_at_cage", "{verdict:?}");
            // A badge of the cage takes the cage nowhere: the place pays.
            let badge = house.clerk(2, "S2");
            let here = order(&house, &badge, &sold, &[(first, 400)], "S1");
            assert_eq!(refused(wait(here.pay(&house.central, &badge))), "cage_only");
            let there = house.at_the_cage(&badge);
            for draw in first..first + 3 {
                let part = order(&house, &there, &sold, &[(draw, 400)], "S1");
                wait(part.pay(&house.central, &there)).unwrap();
            }
        },
    );
}

#[test]
fn a_payment_is_reversed_at_the_till_that_paid_it_and_at_no_other() {
    on_both_with(&[], |house| {
        let here = house.clerk(1, "C1");
        let there = house.clerk(2, "C2");
        let draw = house.next_draw();
        let sold = house.sell(&here, slip(vec![quick(4, 200)], 1));
        house.confirm(&here, &sold);
        Draw(draw)
            .void(&house.central, "essai", "S1", "S2")
            .unwrap();
        let all = order(&house, &here, &sold, &[(draw, 200)], "");
        let paid = wait(all.pay(&house.central, &here)).unwrap();
        let reverse = |by: &Caller| {
            wait(by.reverse_payment(&house.central, &house.person("S1"), paid.leaf, "pas remis"))
        };
        assert_eq!(refused(reverse(&there)), "payment_other_till");
        let of_no_session = Caller {
            session: 999,
            ..here.clone()
        };
        assert_eq!(refused(reverse(&of_no_session)), "session_ended");
        assert_eq!(house.expected_cents(1), 50_000);
        reverse(&here).unwrap();
        assert_eq!(house.expected_cents(1), 50_200);
        assert_eq!(house.expected_cents(2), 50_000);
    });
}

#[test]
fn whoever_sold_for_a_draw_does_not_void_it_once_the_machine_holds_the_seal() {
    on_both_with(&[], |house| {
        let central = &house.central;
        let seller = house.clerk(1, "S1");
        let draw = house.next_draw();
        let sold = house.sell(&seller, slip(vec![quick(4, 200)], 2));
        house.confirm(&seller, &sold);
        // Two people void a draw, and one of them is a supervisor.
        let void = |by: &str, second: &str| Draw(draw).void(central, "panne", by, second);
        assert_eq!(refused(void("C1", "C2")), "wrong_role");
        // A supervisor who is no longer one does not count, nor does a badge that nobody has.
        assert_eq!(refused(void("C1", "X9")), "wrong_role");
        Draw(draw).close(central).unwrap();
        Draw(draw).start(central).unwrap();
        Draw(draw).suspend(central, "panne", "S1").unwrap();
        for (by, second) in [("S1", "S2"), ("S2", "S1")] {
            assert_eq!(refused(void(by, second)), "sold_for_draw");
        }
        // Resumed and interrupted again before a start: the machine has had the seal.
        Draw(draw).resume(central, "S1", "S2").unwrap();
        assert_eq!(refused(void("S1", "S2")), "sold_for_draw");
        // Who sold for other draws alone may.
        void("S2", "C2").unwrap();
        // Before the machine has the seal whoever sold may, and the ticket is for that draw too.
        Draw(draw + 1).void(central, "panne", "S1", "S2").unwrap();
    });
}

#[test]
fn a_draw_that_has_numbers_is_void_by_nobodys_wish() {
    on_both_with(&[], |house| {
        let central = &house.central;
        let clerk = house.clerk(1, "C1");
        let draw = house.next_draw();
        house.sell(&clerk, slip(vec![quick(4, 200)], 1));
        Draw(draw).close(central).unwrap();
        Draw(draw).start(central).unwrap();
        Draw(draw).record_balls(central).unwrap();
        let outcome = Draw(draw).void(central, "panne", "S1", "S2");
        assert_eq!(refused(outcome), "draw_step_refused");
        house.until_settled(draw);
        let state = draw_range(central, draw, draw).unwrap()[0].state();
        assert_eq!(state, DrawState::Settled);
    });
}

#[test]
fn whoever_sold_for_a_draw_does_not_certify_it() {
    on_both_with(&[], |house| {
        let central = &house.central;
        let seller = house.clerk(1, "C1");
        let draw = house.next_draw();
        house.sell(&seller, slip(vec![quick(4, 200)], 1));
        Draw(draw).close(central).unwrap();
        Draw(draw).start(central).unwrap();
        Draw(draw).record_balls(central).unwrap();
        let certify =
            |badges: [&str; 2]| Draw(draw).certify(central, badges.map(str::to_owned).into());
        assert_eq!(refused(certify(["C1", "S2"])), "sold_for_draw");
        assert_eq!(refused(certify(["S2", "S2"])), "same_person_twice");
        certify(["S1", "S2"]).unwrap();
    });
}

/// How many facts the record has.
fn size(house: &House) -> usize {
    house.events().len()
}

/// Rules under which the possible prizes on the same numbers are at most 10.00 in a draw.
const TEN: &[(&str, &str)] = &[("ways = 2000", "ways = 2000\nliability = \"10.00\"")];

/// A way selection, or one with kings, of one number a way at 1.00.
fn singles(groups: &[&[u8]], kings: &[u8]) -> SlipSelection {
    SlipSelection {
        kind: if kings.is_empty() {
            SelectionType::Way
        } else {
            SelectionType::King
        },
        pick: Pick::Numbers {
            groups: groups.iter().map(|group| group.to_vec()).collect(),
            kings: kings.to_vec(),
        },
        conditioning: vec![ConditioningAsked {
            ways: None,
            spots: 1,
            wager: Cents::new(100),
        }],
        wager: None,
        ..straight(&[], 100)
    }
}

#[test]
fn the_limit_on_possible_prizes_counts_every_way_king_repetition_and_draw() {
    on_both_with(TEN, |mut house| {
        let clerk = house.clerk(1, "C1");
        let first = house.next_draw();
        let sell = |house: &House, selections: &[SlipSelection], from: u64, draws: u16| {
            let slip = slip(selections.to_vec(), draws);
            let order = house.order(&clerk, slip, Some(from));
            wait(order.sell(&house.central, &clerk))
        };
        // One number pays three times its wager: three tickets of 1.00 come to 9.00.
        // The same selection four times on one ticket.
        let seven = straight(&[7], 100);
        let outcome = sell(&house, &vec![seven.clone(); 4], first, 1);
        assert_eq!(refused(outcome), "liability_over_limit");
        sell(&house, &vec![seven.clone(); 3], first, 1).unwrap();
        assert_eq!(
            refused(sell(&house, std::slice::from_ref(&seven), first, 1)),
            "liability_over_limit"
        );
        // A way of a ticket for several draws, a king, and a straight add up where they meet.
        let way = singles(&[&[8], &[9]], &[]);
        let king = singles(&[&[10]], &[9]);
        sell(&house, std::slice::from_ref(&way), first, 3).unwrap();
        sell(&house, std::slice::from_ref(&king), first + 1, 1).unwrap();
        let last = sell(&house, &[straight(&[9], 100)], first + 1, 1).unwrap();
        for over in [&way, &king, &straight(&[9], 100)] {
            assert_eq!(
                refused(sell(&house, std::slice::from_ref(over), first, 2)),
                "liability_over_limit"
            );
        }
        // In another draw, and on other numbers, there is room.
        sell(&house, &[straight(&[9], 100)], first + 2, 1).unwrap();
        sell(&house, &[straight(&[8], 100)], first + 1, 1).unwrap();
        // What is cancelled makes room again, and a start remembers all of it.
        house.cancel(&clerk, &last).unwrap();
        sell(&house, &[straight(&[9], 100)], first + 1, 1).unwrap();
        assert_same(&house.remembered(), &house.recovered(), "a start");
        house.restart();
        assert_eq!(
            refused(sell(&house, &[straight(&[9], 100)], first + 1, 1)),
            "liability_over_limit"
        );
        house.audit_holds();
    });
}

#[test]
fn a_sale_across_a_void_draw_is_told_a_draw_from_which_it_is_sold() {
    on_both_with(&[], |house| {
        let clerk = house.clerk(1, "C1");
        let first = house.next_draw();
        for void in [first + 1, first + 4] {
            Draw(void)
                .void(&house.central, "essai", "S1", "S2")
                .unwrap();
        }
        let slip = slip(vec![quick(4, 200)], 3);
        let mut order = house.order(&clerk, slip, Some(first));
        (order.total_cents, order.received_cents) = (600, 600);
        let outcome = wait(order.sell(&house.central, &clerk));
        let Err(Stop::Refused(Refusal::DrawClosed { draw, next })) = outcome else {
            panic!("{outcome:?}");
        };
        assert_eq!((draw, next), (first + 1, Some(first + 5)));
        order.counter = house.next_counter();
        order.order.first_draw = next;
        wait(order.sell(&house.central, &clerk)).unwrap();
    });
}

#[test]
fn amounts_and_texts_have_a_most() {
    on_both_with(&[], |house| {
        let central = &house.central;
        let clerk = house.clerk(1, "C1");
        let draw = house.next_draw();
        for received in [100_000_001, i64::MAX] {
            let mut order = house.order(&clerk, slip(vec![quick(4, 200)], 1), None);
            order.received_cents = received;
            let outcome = wait(order.sell(central, &clerk));
            assert_eq!(refused(outcome), "received_too_much", "{received}");
        }
        let sold = house.sell(&clerk, slip(vec![quick(4, 200)], 1));
        let paper = house.paper(&sold);
        // Characters count, not bytes.
        let (long, most) = ("é".repeat(501), "é".repeat(500));
        let note = |text: &str| wait(paper.note_discrepancy(central, &clerk, 1, text));
        let second = house.person("S1");
        let duplicate = |text: &str| {
            wait(Named::from(&paper).duplicate(central, &clerk, &second, text)).map(drop)
        };
        let suspend = |text: &str| Draw(draw).suspend(central, text, "S1");
        let stop = |text: &str| draw::suspend_sales(central, text, "S1");
        let void = |text: &str| Draw(draw).void(central, text, "S1", "S2");
        let reverse = |text: &str| wait(clerk.reverse_payment(central, &second, 1, text));
        let release =
            |text: &str| wait(Named::from(&paper).release(central, &clerk, &second, text));
        assert_eq!(refused(note(&long)), "text_too_long");
        assert_eq!(refused(duplicate(&long)), "text_too_long");
        assert_eq!(refused(suspend(&long)), "text_too_long");
        assert_eq!(refused(stop(&long)), "text_too_long");
        assert_eq!(refused(void(&long)), "text_too_long");
        assert_eq!(refused(reverse(&long)), "text_too_long");
        assert_eq!(refused(release(&long)), "text_too_long");
        note(&most).unwrap();
        duplicate(&most).unwrap();
        void(&most).unwrap();
    });
}

#[test]
fn a_repetition_writes_no_second_leaf() {
    on_both_with(&[], |house| {
        let central = &house.central;
        let clerk = house.clerk(1, "C1");
        let sold = house.sell(&clerk, slip(vec![quick(4, 200)], 1));
        let paper = house.paper(&sold);
        let repeated = |what: &dyn Fn() -> u64| {
            let leaf = what();
            let before = size(&house);
            for _ in 0..50 {
                assert_eq!(what(), leaf);
            }
            assert_eq!(size(&house), before);
            leaf
        };
        let confirm = |copy: u8| {
            wait(
                clerk
                    .device
                    .confirm_print(central, sold.ticket, copy, PrintMeans::Printer),
            )
            .unwrap()
        };
        let first = repeated(&|| confirm(1));
        let note = |text: &str| wait(paper.note_discrepancy(central, &clerk, 1, text)).unwrap();
        let noted = repeated(&|| note("une lettre"));
        assert_ne!(note("une autre lettre"), noted);
        let refuse = |reason: &str| {
            wait(Named::from(&paper).refuse_patron(central, &clerk, reason)).unwrap()
        };
        let minor = repeated(&|| refuse("minor"));
        assert_ne!(refuse("excluded"), minor);
        // Another holder may be refused for what the last but one was.
        assert_ne!(refuse("minor"), minor);
        // The paper of a duplicate is another paper.
        assert_eq!(confirm(1), first);
        let second = house.person("S1");
        wait(Named::from(&paper).duplicate(central, &clerk, &second, "abîmé")).unwrap();
        assert_ne!(repeated(&|| confirm(2)), first);
    });
}

/// The terminal that put a sale aside says that its price was given back: nobody makes a paper of it
/// without its code any more, whatever is said of it later.
#[test]
fn a_ticket_whose_price_was_given_back_gets_no_paper() {
    on_both_with(&[], |house| {
        let central = &house.central;
        let (clerk, other) = (house.clerk(1, "C1"), house.clerk(2, "C2"));
        let aside = house.sell(&clerk, slip(vec![quick(4, 200)], 1));
        let note = |caller: &Caller, ticket| {
            let named = Named::Reference(ticket);
            wait(named.refuse_patron(central, caller, "money_given_back"))
        };
        assert_eq!(refused(note(&other, aside.ticket)), "print_elsewhere");
        assert_eq!(refused(note(&clerk, aside.ticket + 1)), "number_unknown");
        let whole = house.sell(&clerk, slip(vec![quick(4, 200)], 1));
        house.confirm(&clerk, &whole);
        assert_eq!(refused(note(&clerk, whole.ticket)), "paper_is_whole");
        let by_code = wait(Named::from(&house.paper(&aside)).refuse_patron(
            central,
            &clerk,
            "money_given_back",
        ));
        assert_eq!(refused(by_code), "reason_unknown");
        let leaf = note(&clerk, aside.ticket).unwrap();
        assert_eq!(note(&clerk, aside.ticket).unwrap(), leaf);
        // Another refusal changes nothing of it.
        wait(Named::from(&house.paper(&aside)).refuse_patron(central, &other, "minor")).unwrap();
        let by_reference = Named::Reference(aside.ticket);
        let after = size(&house);
        assert_eq!(note(&clerk, aside.ticket).unwrap(), leaf);
        assert_eq!(size(&house), after);
        let second = house.person("S1");
        let made = wait(
            by_reference
                .clone()
                .duplicate(central, &other, &second, "mouillé"),
        );
        assert_eq!(refused(made), "money_given_back");
        // Nor is it given back again, at another counter and on its code either.
        let order = |named, session, second| CancelOrder {
            counter: 901,
            session,
            named,
            reason: "printed_badly".to_owned(),
            second,
        };
        for caller in [&clerk, &other] {
            let paper = Named::from(&house.paper(&aside));
            for (named, second) in [(paper, None), (by_reference.clone(), Some(second.clone()))] {
                let order = order(named, caller.session, second);
                let cancelled = wait(order.cancel(central, caller));
                assert_eq!(refused(cancelled), "money_given_back");
            }
        }
        wait(by_reference.mark_unpaid(central, &clerk, &second)).unwrap();
    });
}

#[test]
fn claims_that_the_house_links_are_flagged_and_paid() {
    on_both_with(
        &[(
            "federal_report = \"10000.00\"",
            "federal_report = \"10.00\"",
        )],
        |house| {
            let clerk = house.clerk(1, "C1");
            let first = house.next_draw();
            let sell = || {
                let four = (1..=4).map(|n| straight(&[n], 100)).collect();
                let sold = house.sell(&clerk, slip(four, 4));
                house.confirm(&clerk, &sold);
                sold
            };
            let (one, other, third) = (sell(), sell(), sell());
            let small = house.sell(&clerk, slip(vec![straight(&[5], 50)], 1));
            house.confirm(&clerk, &small);
            for draw in first..first + 4 {
                Draw(draw)
                    .void(&house.central, "essai", "S1", "S2")
                    .unwrap();
            }
            let pay_cents = |sold: &Sold, draw: u64, cents: i64| {
                let order = order(&house, &clerk, sold, &[(draw, cents)], "");
                let paid = wait(order.pay(&house.central, &clerk)).unwrap();
                // Told again where the answer was lost.
                let again = wait(order.pay(&house.central, &clerk)).unwrap();
                let report_cents = paid.report_cents(&house.central).unwrap();
                assert_eq!(again.report_cents(&house.central).unwrap(), report_cents);
                report_cents
            };
            let pay = |sold: &Sold, draw: u64| pay_cents(sold, draw, 400);
            // One ticket in parts, then another right after at the same till.
            assert_eq!(pay(&one, first), None);
            assert_eq!(pay(&one, first + 1), None);
            assert_eq!(pay(&one, first + 2), Some(1_200));
            assert_eq!(pay(&other, first), Some(1_600));
            // A sale between breaks nothing.
            house.sell(&clerk, slip(vec![quick(4, 200)], 1));
            assert_eq!(pay(&third, first), Some(2_000));
            // What is less than a tenth of the limit is linked to nothing.
            assert_eq!(pay_cents(&small, first, 50), None);
            assert_eq!(pay(&one, first + 3), Some(2_400));
            // After 24 consecutive hours nothing is linked.
            house.clock.advance(DAY_MS);
            assert_eq!(pay(&other, first + 1), None);
        },
    );
}
