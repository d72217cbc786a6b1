//! Balls that two people enter, and draws of them that are interrupted.

use super::*;
use crate::support::scenario::{drawn, entered, person};

/// The draw of balls, after its ball 17.
const DRAW: u64 = 2;
/// What counts there.
fn counted() -> Vec<u8> {
    (4..=20).rev().collect()
}

fn suspended() -> Event {
    let by = "S201".to_owned();
    let reason = "panne".to_owned();
    DrawSuspended {
        draw: DRAW,
        reason,
        by,
    }
    .into()
}

fn attested(finding: u8) -> Event {
    attested_of(counted(), finding)
}

fn attested_of(balls: Vec<u8>, finding: u8) -> Event {
    TubesAttested {
        draw: DRAW,
        balls,
        finding,
        by: "S201".to_owned(),
        second: "S202".to_owned(),
    }
    .into()
}

fn resumed() -> Event {
    DrawResumed {
        draw: DRAW,
        by: "S201".to_owned(),
        second: "S202".to_owned(),
    }
    .into()
}

fn voided() -> Event {
    DrawVoided {
        draw: DRAW,
        reason: "panne".to_owned(),
        by: "S201".to_owned(),
        second: "S202".to_owned(),
        // All but the one that was marked unpaid.
        tickets: 5,
        refund_cents: 1_050,
    }
    .into()
}

fn replaced(leaving: &str, arriving: &str, second: &str) -> Event {
    EntererReplaced {
        draw: DRAW,
        leaving: leaving.to_owned(),
        arriving: arriving.to_owned(),
        second: second.to_owned(),
        reason: "malade".to_owned(),
    }
    .into()
}

fn stands_in() -> Event {
    ComputerStoodIn {
        draw: DRAW,
        reason: "muet".to_owned(),
        by: "S201".to_owned(),
        second: "S202".to_owned(),
    }
    .into()
}

/// Two interrupt the draw, and then?
fn stopped(then: Vec<Event>) -> Vec<Event> {
    [vec![attested(5), suspended()], then].concat()
}

/// Puts facts before what stands at a label, and whoever arrives before them.
fn before(events: &mut Vec<Event>, facts: Vec<Event>) {
    events.splice(0..0, facts);
}

macro_rules! entry {
    ($at:literal, $it:ident => $change:expr) => {
        ("ball_entry_wrong", $at, alter!(BallEntered, $it => $change), $at, 0)
    };
}

macro_rules! told {
    ($name:literal, $facts:expr, $offset:literal) => {
        (
            $name,
            "enter 18",
            |events, _| before(events, $facts),
            "enter 18",
            $offset,
        )
    };
}

pub const PLANTED: &[Planted] = &[
    // What somebody enters.
    entry!("enter 19", it => it.position = 20),
    entry!("enter 19", it => it.position = 0),
    entry!("enter 19", it => it.position = 200),
    entry!("enter 19", it => it.number = 81),
    entry!("enter 19", it => it.number = 0),
    entry!("enter 19", it => it.number = 9),
    (
        "ball_entry_wrong",
        "enter 18",
        |events, _| {
            before(
                events,
                vec![
                    person("M303", &[5]).into(),
                    entered(DRAW, 1, 20, "M303").into(),
                ],
            );
        },
        "enter 18",
        1,
    ),
    // Who sold for the draw, by another badge.
    (
        "ball_entry_wrong",
        "enter",
        |events, _| {
            let mut again = person("M303", &[5]);
            again.staff = "number of C142".to_owned();
            before(
                events,
                vec![again.into(), entered(DRAW, 1, 20, "M303").into()],
            );
        },
        "enter",
        1,
    ),
    (
        "draw_step_out_of_order",
        "start 2 again",
        drop_it,
        "enter",
        0,
    ),
    (
        "place_wrong",
        "enter 18",
        alter!(BallEntered, it => it.device = 7),
        "enter 18",
        0,
    ),
    // What counts.
    ("ball_drawn_wrong", "enter 18 too", drop_it, "ball 18", 0),
    (
        "ball_drawn_wrong",
        "ball 18",
        alter!(BallDrawn, it => it.number = 77),
        "ball 18",
        0,
    ),
    (
        "ball_drawn_wrong",
        "ball 18",
        alter!(BallDrawn, it => it.position = 0),
        "ball 18",
        0,
    ),
    (
        "ball_drawn_wrong",
        "ball 18",
        alter!(BallDrawn, it => std::mem::swap(&mut it.by, &mut it.second)),
        "ball 18",
        0,
    ),
    ("ball_drawn_wrong", "ball 18", drop_it, "ball 19", 0),
    // The two differ: none counts before both have entered it anew.
    (
        "ball_drawn_wrong",
        "ball 18",
        |events, _| {
            before(
                events,
                vec![
                    entered(DRAW, 18, 70, "M301").into(),
                    entered(DRAW, 18, 3, "M301").into(),
                ],
            );
        },
        "ball 18",
        2,
    ),
    // The numbers of the draw.
    ("balls_not_entered", "ball 20", drop_it, "balls 2", 0),
    (
        "balls_not_entered",
        "balls 2",
        alter!(BallsRecorded, it => it.balls.swap(3, 4)),
        "balls 2",
        0,
    ),
    (
        "balls_not_entered",
        "balls 2",
        |events, _| before(events, vec![entered(DRAW, 7, 0, "M302").into()]),
        "balls 2",
        1,
    ),
    (
        "balls_not_entered",
        "balls 2",
        |events, _| {
            before(
                events,
                vec![
                    person("M303", &[4]).into(),
                    replaced("M302", "M303", "S201"),
                ],
            );
        },
        "balls 2",
        2,
    ),
    // Who takes a place.
    told!(
        "enterer_wrong",
        vec![
            person("M303", &[4]).into(),
            replaced("M304", "M303", "S201")
        ],
        1
    ),
    told!("enterer_wrong", vec![replaced("M302", "M301", "S201")], 0),
    told!(
        "enterer_wrong",
        vec![
            person("M303", &[4]).into(),
            replaced("M302", "M303", "M302")
        ],
        1
    ),
    told!("role_wrong", vec![replaced("M302", "S201", "M301")], 0),
    told!(
        "role_wrong",
        vec![
            person("M303", &[4]).into(),
            replaced("M302", "M303", "M301")
        ],
        1
    ),
    // Interrupted: by two, and then by these rules it is void, and nobody says otherwise.
    told!("interrupted_wrong", vec![suspended()], 0),
    told!("interrupted_wrong", stopped(vec![resumed()]), 2),
    told!(
        "interrupted_wrong",
        stopped(vec![attested(1), resumed()]),
        3
    ),
    told!("interrupted_wrong", stopped(vec![attested(2), voided()]), 3),
    told!("interrupted_wrong", vec![voided()], 0),
    told!("interrupted_wrong", vec![attested(5), voided()], 1),
    (
        "interrupted_wrong",
        "balls 2",
        |events, _| {
            let all = (1..=20).rev().collect();
            before(events, vec![attested_of(all, 5), suspended()]);
        },
        "balls 2",
        1,
    ),
    told!("tubes_wrong", stopped(vec![attested(6)]), 2),
    told!("draw_step_out_of_order", vec![attested(1)], 0),
    told!("draw_step_out_of_order", stopped(vec![attested(5)]), 2),
    (
        "tubes_wrong",
        "enter 19",
        |events, _| before(events, vec![attested(5)]),
        "enter 19",
        0,
    ),
    (
        "tubes_wrong",
        "resume 2",
        |events, _| before(events, vec![attested(1)]),
        "resume 2",
        0,
    ),
    // The computer in place of the balls.
    told!("stand_in_wrong", vec![stands_in()], 0),
    (
        "stand_in_wrong",
        "resume 2",
        |events, _| before(events, vec![stands_in()]),
        "resume 2",
        0,
    ),
];

#[test]
fn what_the_two_may_do_is_found_lawful() {
    let with = |change: Change| judged(&play(Fault::Events("enter 18", change))).findings;
    // Asked again, corrected, and corrected back.
    let corrected = with(|events, _| {
        before(
            events,
            vec![
                entered(DRAW, 17, 0, "M302").into(),
                entered(DRAW, 17, 66, "M301").into(),
                entered(DRAW, 17, 66, "M302").into(),
                drawn(DRAW, 17, 66).into(),
                entered(DRAW, 17, 4, "M302").into(),
                entered(DRAW, 17, 4, "M301").into(),
                entered(DRAW, 17, 4, "M302").into(),
                drawn(DRAW, 17, 4).into(),
            ],
        );
    });
    assert_eq!(corrected, []);
    // What stands in the story after a void is out of order.
    let void = with(|events, _| before(events, stopped(vec![voided()])));
    assert_eq!(void[0].name(), "draw_step_out_of_order", "{void:?}");
    assert!(void.iter().all(|it| it.name() != "void_totals"), "{void:?}");
}
