//! The record of a day at the counters, judged by the second computation.

use keno_audit::{Options, Outside, verify};
use keno_house_tests::counter::Counter;
use keno_house_tests::house::House;
use keno_house_tests::line::Lost;
use keno_terminal::exit::Exit;

use crate::{straight, sure_win};

/// Sales, a doubt, a cancellation, payments, a restart; the checkpoint that was fetched at noon.
fn a_day(house: &mut House) -> String {
    let counter = Counter::open(house);
    let code = counter.sells(&sure_win(50, 2));
    let withdrawn = counter.sells(&straight(&[1, 2, 3], 100, 1));
    let noon = house.checkpoint();
    counter.keno(&["cancel", &withdrawn]).ended(Exit::Done);
    counter.line.lose("/api/v1/sales", Lost::Answer);
    counter
        .agent_sells("", &straight(&[4, 5], 100, 1))
        .ended(Exit::Done);
    let draw = house.next_draw();
    house.until_settled(draw);
    counter.keno(&["pay", "--yes", &code]).ended(Exit::Done);
    house.stop();
    house.start();
    counter.line.mend(house.address());
    house.until_settled(draw + 1);
    counter.keno(&["pay", "--yes", &code]).ended(Exit::Done);
    noon
}

fn holds(house: &mut House) {
    let noon = a_day(house);
    let outcome = house.verified(Some(&noon));
    assert!(outcome.holds(), "{:?}", outcome.findings.first());
    let size = outcome.outside_size.unwrap();
    assert!(size > 0 && size < outcome.replay.size());
    let totals = outcome.replay.totals();
    assert_eq!((totals.tickets, totals.paid_cents), (3, 2 * 3_000));
}

#[test]
fn the_exported_log_of_a_day_holds_against_a_checkpoint_fetched_at_noon() {
    let mut house = House::new();
    holds(&mut house);

    // A byte that is changed anywhere is found, and so is a log that noon's checkpoint does not
    // begin.
    let key = house.central().view.get().house.clone().unwrap().log_key;
    let whole = house.exported();
    let step = whole.len() / 97;
    for place in (8..whole.len()).step_by(step) {
        let mut planted = whole.clone();
        planted[place] ^= 1;
        let outside = Outside {
            checkpoint: None,
            key: Some(&key),
        };
        let outcome = verify(planted.as_slice(), outside, Options::default()).unwrap();
        assert!(!outcome.holds(), "byte {place}");
    }
    let mut other = House::new();
    let foreign = a_day(&mut other);
    assert!(!house.verified(Some(&foreign)).holds());
}

#[test]
fn the_same_day_on_postgresql() {
    let database = keno_testing::empty_postgres_database().unwrap();
    let mut house = House::on(Some(database.address()));
    holds(&mut house);
}
