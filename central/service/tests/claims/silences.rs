//! Days in which central was off, and what can be claimed after them.

use keno_service::counter::{Named, Sold};
use keno_service::draw;
use keno_service::maintenance::verify;

use crate::claims::deadlines::{AFTERWARDS_MS, DAY_MS, ONE_DAY, lapsed};
use crate::claims::{due, on_both_with, order, refused, whole_pool};
use crate::support::{House, assert_same, wait};

/// Seen to fail: with no silence noticed (refused on the third day), and with silences that extend
/// what another extended (paid after the second).
#[test]
fn what_could_be_claimed_when_the_house_fell_silent_can_be_for_a_week_after() {
    on_both_with(ONE_DAY, |mut house| {
        let clerk = house.clerk(1, "C1");
        let draw = house.next_draw();
        let tickets = whole_pool(&house, &clerk, 1);
        house.until_settled(draw);
        let winners: Vec<&Sold> = tickets
            .iter()
            .filter(|sold| !due(&house, sold).is_empty())
            .collect();
        let until = |house: &House, sold: &Sold| {
            let presented = wait(Named::from(&house.paper(sold)).present(&house.central, &clerk));
            presented.map(|presented| presented.claim_until)
        };
        let pays = |house: &House, sold: &Sold| {
            let order = order(house, &clerk, sold, &due(house, sold), "");
            wait(order.pay(&house.central, &clerk)).is_ok()
        };
        assert!(house.central.view.get().silences.is_empty());
        // Off on the day of the draw, and on again when the last day, the next, is over.
        house.stop();
        house.clock.advance(3 * DAY_MS);
        house.restart();
        assert_eq!(until(&house, winners[0]).unwrap(), 20_261_130);
        assert_eq!(lapsed(&house, &tickets), []);
        assert_same(&house.remembered(), &house.recovered(), "a start");
        // To the last day of that week.
        house.clock.advance(7 * DAY_MS);
        assert!(pays(&house, winners[1]));
        // A silence that begins after a day of one's own extends nothing of what the first did.
        house.stop();
        house.clock.advance(2 * DAY_MS);
        house.restart();
        assert_eq!(house.central.view.get().silences.len(), 2);
        assert_eq!(refused(until(&house, winners[2])), "claim_expired");
        assert!(!pays(&house, winners[2]));
        house.clock.advance(AFTERWARDS_MS);
        assert_eq!(lapsed(&house, &tickets).len(), winners.len() - 2);
        assert_same(&house.remembered(), &house.recovered(), "a start");
        house.audit_holds();
        let anchors = [house.path().join("anchors.log")];
        let mut record = house.record().open_reader().unwrap();
        let verified = verify(&mut record, &anchors, &house.path()).unwrap();
        assert!(verified.findings.is_empty(), "{:?}", verified.findings);
    });
}

/// A day to the millisecond is no silence, and neither is time that passes while central runs.
#[test]
fn a_day_without_a_start_is_no_silence() {
    on_both_with(ONE_DAY, |mut house| {
        house.clerk(1, "C1");
        house.stop();
        house.clock.advance(DAY_MS);
        house.restart();
        house.clock.advance(5 * DAY_MS);
        draw::suspend_sales(&house.central, "fermé", "S1").unwrap();
        assert!(house.central.view.get().silences.is_empty());
        // Whatever else was recorded meanwhile, nobody was served.
        house.restart();
        assert_eq!(house.central.view.get().silences.len(), 1);
        house.clock.advance(DAY_MS);
        house.restart();
        let until_ms = house.clock_ms();
        let silences = house.central.view.get().silences.to_vec();
        let of_one: Vec<_> = silences.iter().map(|it| it.served_leaf).collect();
        assert_eq!(of_one, [of_one[0]; 2]);
        assert_eq!(silences[1].until_ms, until_ms);
        // Somebody is: the next start says nothing more.
        house.clerk(2, "C2");
        house.clock.advance(DAY_MS);
        house.restart();
        assert_eq!(house.central.view.get().silences.len(), 2);
    });
}
