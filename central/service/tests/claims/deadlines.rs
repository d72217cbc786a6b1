//! Until when what is owed can be claimed: presented, late, expired.

use keno_house_builder::exported;
use keno_service::counter::{DueState, Named, Sold, TicketPicture};
use keno_service::draw::{self, Draw};
use keno_service::maintenance::verify;

use crate::claims::{due, on_both_with, order, refused, size, whole_pool};
use crate::support::{House, assert_same, quick, slip, wait};

/// Rules whose claim period is one day.
pub const ONE_DAY: &[(&str, &str)] = &[("days = 365", "days = 1")];

/// The draws of these tickets of which something was owed and can no longer be claimed, with what it
/// was. The second computation comes to the same sum.
pub fn lapsed(house: &House, tickets: &[Sold]) -> Vec<(u64, u64, i64)> {
    let mut found = Vec::new();
    for sold in tickets {
        let row = house.paper(sold).find(&house.central).unwrap().unwrap();
        let draws = TicketPicture::of(&house.central, row).unwrap().draws;
        let over = draws.iter().filter(|it| it.due == DueState::Expired);
        found.extend(over.map(|it| (sold.ticket, it.draw.number(), it.payable_cents)));
    }
    // The day of the last leaf is the one that the second computation goes by.
    draw::suspend_sales(&house.central, "essai", "S1").unwrap();
    draw::resume_sales(&house.central, "S1", "S2").unwrap();
    let bytes = exported(&house.central).unwrap();
    let outside = keno_audit::Outside::default();
    let outcome = keno_audit::verify(&bytes[..], outside, keno_audit::Options::default()).unwrap();
    let sum: i64 = found.iter().map(|(_, _, cents)| cents).sum();
    assert_eq!(outcome.replay.totals().expired_cents, sum);
    found
}

pub const DAY_MS: i64 = 24 * 3_600_000;
/// As long as what was presented in an outage may be entered.
pub const AFTERWARDS_MS: i64 = 7 * DAY_MS;

#[test]
fn a_ticket_is_presented_for_the_draws_that_have_numbers() {
    on_both_with(ONE_DAY, |house| {
        let clerk = house.clerk(1, "C1");
        let first = house.next_draw();
        let sold = house.sell(&clerk, slip(vec![quick(4, 200)], 2));
        house.confirm(&clerk, &sold);
        let paper = house.paper(&sold);
        let present = || wait(Named::from(&paper).present(&house.central, &clerk));
        assert_eq!(refused(present()), "not_drawn_yet");
        house.until_closed(first);
        assert_eq!(refused(present()), "not_drawn_yet");
        house.until_settled(first);
        let presented = present().unwrap();
        assert_eq!((presented.draws, presented.is_first), (vec![first], true));
        // Presented again, the same leaf answers; a later draw of the ticket is presented apart.
        let before = size(&house);
        let again = present().unwrap();
        assert_eq!((again.leaf, again.at_ms), (presented.leaf, presented.at_ms));
        assert!(!again.is_first);
        assert_eq!(size(&house), before, "a repetition writes no second leaf");
        house.until_settled(first + 1);
        assert_eq!(present().unwrap().draws, [first + 1]);
        house.audit_holds();
    });
}

#[test]
fn what_is_presented_waits_and_what_is_late_expires() {
    on_both_with(ONE_DAY, |house| {
        let clerk = house.clerk(1, "C1");
        let draw = house.next_draw();
        let tickets = whole_pool(&house, &clerk, 1);
        house.until_settled(draw);
        let mut winners = tickets.iter().filter(|sold| !due(&house, sold).is_empty());
        let (kept, late) = (winners.next().unwrap(), winners.next().unwrap());
        let owed = due(&house, kept);
        wait(Named::from(&house.paper(kept)).present(&house.central, &clerk)).unwrap();
        house.clock.advance(3 * DAY_MS);
        // Late: it is refused, and it expires as one that nobody ever presented.
        let outcome = wait(Named::from(&house.paper(late)).present(&house.central, &clerk));
        assert_eq!(refused(outcome), "claim_expired");
        house.clock.advance(AFTERWARDS_MS);
        let over = lapsed(&house, &tickets);
        assert!(over.iter().any(|(ticket, _, _)| *ticket == late.ticket));
        assert!(over.iter().all(|(ticket, _, _)| *ticket != kept.ticket));
        let outcome = wait(Named::from(&house.paper(late)).present(&house.central, &clerk));
        assert_eq!(refused(outcome), "claim_expired");
        assert_eq!(due(&house, late), []);
        let all = order(&house, &clerk, kept, &owed, "");
        wait(all.pay(&house.central, &clerk)).unwrap();
        house.audit_holds();
    });
}

#[test]
fn a_refund_expires_after_a_claim_period_of_its_own() {
    on_both_with(ONE_DAY, |mut house| {
        let clerk = house.clerk(1, "C1");
        let draw = house.next_draw();
        let all: Vec<Sold> = (0..3)
            .map(|_| {
                let sold = house.sell(&clerk, slip(vec![quick(4, 200)], 1));
                house.confirm(&clerk, &sold);
                sold
            })
            .collect();
        house.until_closed(draw);
        Draw(draw).suspend(&house.central, "panne", "S1").unwrap();
        // Two days later it is void: the day on the paper is over, the refund's begins.
        house.clock.advance(2 * DAY_MS);
        assert_eq!(lapsed(&house, &all), []);
        Draw(draw)
            .void(&house.central, "panne", "S1", "S2")
            .unwrap();
        wait(Named::from(&house.paper(&all[0])).present(&house.central, &clerk)).unwrap();
        let pay = |sold: &Sold| {
            let order = order(&house, &clerk, sold, &[(draw, 200)], "");
            wait(order.pay(&house.central, &clerk))
        };
        pay(&all[1]).unwrap();
        house.clock.advance(DAY_MS);
        assert_eq!(lapsed(&house, &all), [], "the last day is not over");
        house.clock.advance(DAY_MS);
        assert_eq!(lapsed(&house, &all), [(all[2].ticket, draw, 200)]);
        assert_eq!(refused(pay(&all[2])), "claim_expired");
        let row = house.paper(&all[2]).find(&house.central);
        let picture = TicketPicture::of(&house.central, row.unwrap().unwrap()).unwrap();
        assert_eq!(picture.verdict(&house.central).name(), "claim_expired");
        pay(&all[0]).unwrap();
        house.audit_holds();
        // The same after a start, and after the tables are made again from the leaves.
        assert_same(&house.remembered(), &house.recovered(), "a start");
        let anchors = [house.path().join("anchors.log")];
        let mut record = house.record().open_reader().unwrap();
        let verified = verify(&mut record, &anchors, &house.path()).unwrap();
        assert!(verified.findings.is_empty(), "{:?}", verified.findings);
        drop(record);
        house.restart();
        assert_eq!(lapsed(&house, &all), [(all[2].ticket, draw, 200)]);
    });
}

#[test]
fn a_draw_that_is_late_leaves_the_whole_claim_period() {
    on_both_with(ONE_DAY, |house| {
        let central = &house.central;
        let clerk = house.clerk(1, "C1");
        let draw = house.next_draw();
        let tickets = whole_pool(&house, &clerk, 1);
        house.until_closed(draw);
        Draw(draw).suspend(central, "panne", "S1").unwrap();
        house.clock.advance(5 * DAY_MS);
        Draw(draw).resume(central, "S1", "S2").unwrap();
        house.until_official(draw);
        Draw(draw).settle(central).unwrap();
        assert_eq!(lapsed(&house, &tickets), []);
        let winners: Vec<&Sold> = tickets
            .iter()
            .filter(|sold| !due(&house, sold).is_empty())
            .collect();
        house.clock.advance(DAY_MS);
        assert_eq!(lapsed(&house, &tickets), []);
        let owed = due(&house, winners[0]);
        let all = order(&house, &clerk, winners[0], &owed, "");
        wait(all.pay(central, &clerk)).unwrap();
        house.clock.advance(DAY_MS + AFTERWARDS_MS);
        assert_eq!(lapsed(&house, &tickets).len(), winners.len() - 1);
        house.audit_holds();
    });
}
