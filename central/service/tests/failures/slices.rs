//! A settlement of more than three slices, with sales between them, stopped in the middle.

use keno_log::Event;
use keno_record::past_draws::draw_range;
use keno_record::sequencer::Lane;
use keno_record::store::payments;
use keno_schema::rows::PrizeRow;
use keno_service::authority::identity::Caller;
use keno_service::draw::{Draw, Progress};
use keno_service::{Fault, Stop};

use crate::rules_where_one_number_always_wins;
use crate::support::{House, quick, slip, straight, wait};

pub fn prizes(house: &House, draw: u64) -> Vec<PrizeRow> {
    let mut reader = house.record().open_reader().unwrap();
    payments::prizes_of_draw(&mut reader, draw).unwrap()
}

/// Sells so many tickets that win whatever is drawn.
pub fn sell_winners(house: &House, clerk: &Caller, draw: u64, tickets: usize) {
    let model = house.order(clerk, slip(vec![straight(&[7], 50)], 1), Some(draw));
    let central = &house.central;
    std::thread::scope(|scope| {
        for thread in 0..64_u64 {
            let model = &model;
            let share = (0..tickets as u64).filter(move |ticket| ticket % 64 == thread);
            scope.spawn(move || {
                for ticket in share {
                    let mut order = model.clone();
                    order.counter = 1_000_000 + ticket;
                    wait(order.sell(central, clerk)).unwrap();
                }
            });
        }
    });
}

/// Brings a draw to where it is settled next.
pub fn until_official(house: &House, draw: u64) {
    let central = &house.central;
    Draw(draw).close(central).unwrap();
    Draw(draw).start(central).unwrap();
    Draw(draw).record_balls(central).unwrap();
    Draw(draw)
        .certify(central, vec!["guard".to_owned()])
        .unwrap();
    Draw(draw).reveal_secrets(central).unwrap();
}

/// Settles to the end; returns how many slices that took.
pub fn settle(house: &House, draw: u64) -> usize {
    for slices in 1..100 {
        if let Progress::Done(_) = Draw(draw).settle_slice(&house.central).unwrap() {
            return slices;
        }
    }
    panic!("draw {draw} is never settled");
}

/// Seen to fail: with `written` taken as 0 at a restart, the primary key of `prize` refuses the
/// first slice for ever; with `written: end` not kept, the second.
#[test]
fn a_settlement_goes_on_where_it_was() {
    let tickets = 3 * Draw::SLICE + 100;
    let mut house = House::founded(None, &rules_where_one_number_always_wins(), |_| {});
    let clerk = house.clerk(1, "C1");
    let draw = house.next_draw();
    sell_winners(&house, &clerk, draw, tickets);
    until_official(&house, draw);
    // The same settlement without an interruption.
    let twin = house.twin();
    assert_eq!(settle(&twin, draw), 4);
    let whole = prizes(&twin, draw);
    assert_eq!(whole.len(), tickets);
    let twin_leaf = draw_range(&twin.central, draw, draw).unwrap()[0]
        .settlement()
        .cloned()
        .unwrap();

    for slice in 1..=2 {
        assert_eq!(
            Draw(draw).settle_slice(&house.central).unwrap(),
            Progress::More
        );
        assert_eq!(prizes(&house, draw), whole[..slice * Draw::SLICE]);
        // Nothing is payable yet, and sales go on.
        let live = &draw_range(&house.central, draw, draw).unwrap()[0];
        assert!(live.settlement().is_none());
        let sold = house.sell(&clerk, slip(vec![quick(5, 200)], 1));
        assert!(sold.sold.first_draw > draw);
    }
    let leaves = house.events().len();
    house.restart();
    assert_eq!(
        prizes(&house, draw),
        whole[..2 * Draw::SLICE],
        "as it was stopped"
    );
    assert_eq!(
        Draw(draw).settle_slice(&house.central).unwrap(),
        Progress::More
    );
    house.sell(&clerk, slip(vec![quick(5, 200)], 1));
    house.restart();
    assert_eq!(settle(&house, draw), 1, "the last slice alone was left");
    assert_eq!(prizes(&house, draw), whole);
    assert_eq!(
        draw_range(&house.central, draw, draw).unwrap()[0].settlement(),
        Some(&twin_leaf)
    );
    let events = house.events();
    assert_eq!(events.len(), leaves + 4, "two leases, a sale, a settlement");
    let settled: Vec<_> = events
        .iter()
        .filter(|event| matches!(event, Event::DrawSettled(_)))
        .collect();
    assert_eq!(settled.len(), 1);
    assert_eq!(twin_leaf.winners, tickets as u64);
    assert_eq!(
        twin_leaf.payable_cents,
        whole.iter().map(|prize| prize.payable_cents).sum::<i64>()
    );
    assert!(
        Draw(draw).settle_slice(&house.central).is_err(),
        "settled once"
    );
}

/// Prizes are computed off the writer's thread: what it would write without them, or with those
/// of other wagers, it refuses. Seen to fail: with the comparison of the sums left out, a prize
/// is written for the wager that was taken out of play.
#[test]
fn prizes_of_other_wagers_are_not_written() {
    let house = House::founded(None, &rules_where_one_number_always_wins(), |_| {});
    let clerk = house.clerk(1, "C1");
    let draw = house.next_draw();
    house.sell(&clerk, slip(vec![straight(&[7], 50)], 1));
    house.sell(&clerk, slip(vec![straight(&[8], 50)], 1));
    until_official(&house, draw);
    let writer = &house.central.sequencer;
    let wagers = writer.look_blocking(move |state| Draw(draw).needs(state));
    let computed = wagers.unwrap().prepare().unwrap().unwrap();
    assert_eq!(computed.prizes.len(), 2);

    let without =
        writer.submit_blocking(Lane::Draw, move |judge| Draw(draw).next_slice(judge, None));
    assert!(without.is_err(), "{without:?}");
    let stale = computed.clone();
    let changed = writer.submit_blocking(Lane::Draw, move |judge| {
        let wager = &mut judge.state.single.get_mut(&draw).unwrap()[0];
        let cents = std::mem::take(&mut wager.wager_cents);
        let outcome = Draw(draw).next_slice(judge, Some(&stale));
        if let Some(wagers) = judge.state.single.get_mut(&draw) {
            wagers[0].wager_cents = cents;
        }
        outcome
    });
    assert!(
        matches!(&changed, Err(Stop::Undone(Fault::Record(words))) if words.contains("wagers")),
        "{changed:?}"
    );
    assert_eq!(prizes(&house, draw), []);

    // With what it was computed from, the draw is settled.
    let settled = writer.submit_blocking(Lane::Draw, move |judge| {
        Draw(draw).next_slice(judge, Some(&computed))
    });
    assert!(matches!(settled, Ok(Progress::Done(_))), "{settled:?}");
    assert_eq!(prizes(&house, draw).len(), 2);
}
