//! A settlement whose commit is lost, or that would be of other wagers.

use keno_record::sequencer::Lane;
use keno_service::draw::Draw;
use keno_service::{Fault, Stop};

use crate::failures::rules_where_one_number_always_wins;
use crate::support::{House, slip, straight};

/// Prizes are computed off the writer's thread: what was computed from other wagers it refuses.
/// Seen to fail: with the comparison of the sums left out, a prize is settled for the wager that was
/// taken out of play.
#[test]
fn prizes_of_other_wagers_are_not_settled() {
    let house = House::founded(None, &rules_where_one_number_always_wins(), |_| {});
    let clerk = house.clerk(1, "C1");
    let draw = house.next_draw();
    house.sell(&clerk, slip(vec![straight(&[7], 50)], 1));
    house.sell(&clerk, slip(vec![straight(&[8], 50)], 1));
    Draw(draw).close(&house.central).unwrap();
    house.until_official(draw);
    let writer = &house.central.sequencer;
    let wagers = writer.look_blocking(move |state| Draw(draw).wagers(state));
    let computed = wagers.unwrap().compute().unwrap();
    assert_eq!(computed.leaf.winners, 2);

    let stale = computed.clone();
    let leaves = house.events().len();
    let changed = writer.submit_blocking(Lane::Draw, move |judge| {
        let wager = &mut judge.state.single.get_mut(&draw).unwrap()[0];
        let cents = std::mem::take(&mut wager.wager_cents);
        let outcome = Draw(draw).judge_settlement(judge, &stale);
        if let Some(wagers) = judge.state.single.get_mut(&draw) {
            wagers[0].wager_cents = cents;
        }
        outcome
    });
    assert!(
        matches!(&changed, Err(Stop::Undone(Fault::Record(words))) if words.contains("wagers")),
        "{changed:?}"
    );
    assert_eq!(house.events().len(), leaves);

    // With what it was computed from, the draw is settled, and once.
    let settle = || {
        let computed = computed.clone();
        writer.submit_blocking(Lane::Draw, move |judge| {
            Draw(draw).judge_settlement(judge, &computed)
        })
    };
    assert_eq!(settle().unwrap(), leaves as u64);
    assert!(matches!(settle(), Err(Stop::Refused(_))));
}
