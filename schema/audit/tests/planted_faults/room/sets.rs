//! Sets of balls that are not measured as the rules say, and choices of one that nobody may begin.

use super::*;

pub const PLANTED: &[Planted] = &[
    // What is measured.
    of!("measure_wrong", "measure 1", BallSetMeasured, it => it.set.clear()),
    of!("measure_wrong", "measure 1", BallSetMeasured, it => it.set.push('\n')),
    of!("measure_wrong", "measure 1", BallSetMeasured, it => it.set.insert(0, '\u{1f}')),
    of!("measure_wrong", "measure 1", BallSetMeasured, it => it.masses_mg.clear()),
    of!("measure_wrong", "measure 1", BallSetMeasured, it => it.masses_mg = vec![2_700; 256]),
    of!("measure_wrong", "measure 1", BallSetMeasured, it => it.gauge = 0),
    of!("measure_wrong", "measure 1", BallSetMeasured, it => it.gauge = 3),
    of!("measure_wrong", "measure 1", BallSetMeasured, it => it.least_mg = it.most_mg + 1),
    (
        "measure_wrong",
        "measure 1",
        |events, log| {
            let mut body = measured(SETS[0]);
            body.good_until_ms = time_of(log.size());
            events[0] = body.into();
        },
        "measure 1",
        0,
    ),
    (
        "pin_not_chosen",
        "measure 1",
        |events, _| {
            let mut new = person("M303", &[4]);
            new.must_change = true;
            let Some(Event::BallSetMeasured(body)) = events.first_mut() else {
                panic!("another kind stands here");
            };
            body.second = new.badge.clone();
            before(events, vec![new.into()]);
        },
        "measure 1",
        1,
    ),
    // Which sets are offered: all that can be used, and no other.
    of!("offer_wrong", "offer", BallSetsOffered, it => drop(it.sets.pop())),
    of!("offer_wrong", "offer", BallSetsOffered, it => drop(it.sets.remove(0))),
    of!("offer_wrong", "offer", BallSetsOffered, it => it.sets.push(SETS[2].to_owned())),
    of!("offer_wrong", "offer", BallSetsOffered, it => it.sets.push("jeu 4".to_owned())),
    of!("offer_wrong", "offer", BallSetsOffered, it => it.sets.swap(0, 1)),
    of!("offer_wrong", "offer", BallSetsOffered, it => it.sets.clear()),
    told!("offer_wrong", "offer", vec![unfit(|it| it.gauge = 1)], 1),
    (
        "offer_wrong",
        "offer",
        |events, _| {
            let unfit = SETS.map(|set| {
                let gauge = 2;
                BallSetMeasured {
                    gauge,
                    ..measured(set)
                }
                .into()
            });
            events[0] = offered(CHOOSES, &[], "").into();
            before(events, unfit.to_vec());
        },
        "offer",
        3,
    ),
    (
        "offer_wrong",
        "measure 2",
        alter!(BallSetMeasured, it => it.gauge = 2),
        "offer",
        0,
    ),
    (
        "offer_wrong",
        "measure 2",
        alter!(BallSetMeasured, it => it.masses_mg[79] = 2_699),
        "offer",
        0,
    ),
    (
        "offer_wrong",
        "measure 2",
        alter!(BallSetMeasured, it => it.masses_mg[0] = 2_705),
        "offer",
        0,
    ),
    (
        "offer_wrong",
        "measure 2",
        alter!(BallSetMeasured, it => it.most_draws = 0),
        "offer",
        0,
    ),
    (
        "offer_wrong",
        "measure 2",
        |events, log| {
            let good_until_ms = time_of(log.size() + 1);
            events[0] = BallSetMeasured {
                good_until_ms,
                ..measured(SETS[1])
            }
            .into();
        },
        "offer",
        0,
    ),
    ("offer_wrong", "measure 2", drop_it, "offer", 0),
    // Of which draw the secrets are.
    of!("offer_wrong", "offer", BallSetsOffered, it => it.draw = 99),
    of!("offer_wrong", "offer", BallSetsOffered, it => it.draw = OF_BALLS),
    of!("offer_wrong", "offer", BallSetsOffered, it => it.draw = 4),
    told!(
        "offer_wrong",
        "open 5",
        vec![offered(CHOOSES, &SETS, "").into()],
        0
    ),
    told!(
        "offer_wrong",
        "offer",
        vec![close(CHOOSES, 0, 0, 0).into()],
        1
    ),
    told!("offer_wrong", "offer", vec![voided(CHOOSES)], 1),
    (
        "offer_wrong",
        "offer",
        |events, _| {
            let mut facts = another();
            facts[0] = scheduled(OTHER, 2, &["machine", "audit"]).into();
            events[0] = offered(OTHER, &SETS, "").into();
            before(events, facts);
        },
        "offer",
        ANOTHER,
    ),
    (
        "offer_wrong",
        "offer",
        |events, log| epoch(events, log, OTHER),
        "offer",
        2,
    ),
    // A reason, where one choice follows another.
    of!("offer_wrong", "offer", BallSetsOffered, it => it.reason = "pluie".to_owned()),
    told!(
        "offer_wrong",
        "room",
        another_and(vec![offered(OTHER, &others(), "").into()]),
        ANOTHER
    ),
    told!(
        "offer_wrong",
        "close 5",
        another_and(vec![voided(CHOOSES), offered(OTHER, &SETS, "").into()]),
        ANOTHER + 1
    ),
    // A choice that is not known yet stands.
    told!(
        "offer_wrong",
        "close 5",
        another_and(vec![offered(OTHER, &SETS, "échappé").into()]),
        ANOTHER
    ),
    told!(
        "offer_wrong",
        "secrets 5",
        another_and(vec![offered(OTHER, &SETS, "échappé").into()]),
        ANOTHER
    ),
    // What was chosen is set aside: itself, and nothing else, until it is measured anew.
    told!(
        "offer_wrong",
        "room",
        another_and(vec![offered(OTHER, &SETS, "échappé").into()]),
        ANOTHER
    ),
    told!(
        "offer_wrong",
        "room",
        another_and(vec![offered(OTHER, &[beside()], "échappé").into()]),
        ANOTHER
    ),
    (
        "offer_wrong",
        "room",
        |events, _| {
            let mut third = another();
            third[0] = scheduled(8, 1, &["machine", "audit"]).into();
            third[1] = commit(8, 0, &AGAIN[0]).into();
            third[2] = commit(8, 1, &AGAIN[1]).into();
            third[3] = DrawOpened { draw: 8 }.into();
            let facts = another_and(vec![
                offered(OTHER, &others(), "échappé").into(),
                voided(OTHER),
            ]);
            before(
                events,
                [facts, third, vec![offered(8, &SETS, "panne").into()]].concat(),
            );
        },
        "room",
        2 * ANOTHER + 2,
    ),
    told!(
        "room_opened_wrong",
        "room",
        another_and(vec![offered(OTHER, &others(), "échappé").into()]),
        ANOTHER + 1
    ),
    // The room is open.
    told!(
        "offer_wrong",
        "close 6",
        another_and(vec![offered(OTHER, &SETS, "").into()]),
        ANOTHER
    ),
    // The draw of a choice is void, or an epoch found it announced: another choice may follow, and the
    // next step of that draw is what is wrong.
    told!(
        "draw_step_out_of_order",
        "close 5",
        another_and(vec![voided(CHOOSES), offered(OTHER, &SETS, "panne").into()]),
        ANOTHER + 2
    ),
    (
        "epoch_draw",
        "close 5",
        |events, log| {
            before(
                events,
                another_and(vec![offered(OTHER, &SETS, "panne").into()]),
            );
            epoch(events, log, OTHER);
        },
        "close 5",
        2 + ANOTHER + 1,
    ),
];
