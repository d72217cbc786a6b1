//! Balls that the machine reads: such as cannot be, such as come once its line has stopped or somebody
//! enters, and incidents that cannot be. The verifier in Python judges the same logs, and must say the
//! same.

use super::*;
use crate::support::room::measured;
use crate::support::scenario::entered;

/// What is expected, what is done at each label, and the label and offset of the entry to be named.
type OfSome = (
    &'static str,
    &'static [(&'static str, Change)],
    &'static str,
    u64,
);

/// The draw of balls in the room, which was just started.
const DRAW: u64 = 6;

fn ball(position: u8, number: u8) -> BallRead {
    BallRead {
        draw: DRAW,
        position,
        number,
        ball_set: super::room::in_the_room(),
        machine: "K-1".to_owned(),
        said_at_ms: 0,
    }
}

fn read(position: u8, number: u8) -> Event {
    ball(position, number).into()
}

fn with(position: u8, number: u8, change: impl FnOnce(&mut BallRead)) -> Event {
    let mut body = ball(position, number);
    change(&mut body);
    body.into()
}

fn incident(incident: u8, counted: u8) -> Event {
    LineIncident {
        draw: DRAW,
        incident,
        counted,
        said: "B,6,1".to_owned(),
    }
    .into()
}

/// So many balls as the story has them.
fn reads(count: u8) -> Vec<Event> {
    (1..=count)
        .map(|position| read(position, 20 + position))
        .collect()
}

fn after(count: u8, then: Vec<Event>) -> Vec<Event> {
    [reads(count), then].concat()
}

/// Puts facts behind the start of the draw.
macro_rules! told {
    ($name:literal, $facts:expr, $offset:literal) => {
        (
            $name,
            "others",
            |events, _| drop(events.splice(0..0, $facts)),
            "others",
            $offset,
        )
    };
}

pub const PLANTED: &[Planted] = &[
    // No ball that can be.
    told!("ball_read_wrong", vec![read(2, 21)], 0),
    told!("ball_read_wrong", vec![read(0, 21)], 0),
    told!("ball_read_wrong", vec![read(1, 0)], 0),
    told!("ball_read_wrong", vec![read(1, 81)], 0),
    told!("ball_read_wrong", after(1, vec![read(1, 21)]), 1),
    told!("ball_read_wrong", after(1, vec![read(2, 21)]), 1),
    told!("ball_read_wrong", after(20, vec![read(21, 50)]), 20),
    // Nobody's, another's, out of another set.
    told!(
        "ball_read_wrong",
        vec![with(1, 21, |it| it.machine.clear())],
        0
    ),
    told!(
        "ball_read_wrong",
        after(1, vec![with(2, 22, |it| it.machine.push('2'))]),
        1
    ),
    told!(
        "ball_read_wrong",
        vec![with(1, 21, |it| it.ball_set.push('2'))],
        0
    ),
    told!(
        "ball_read_wrong",
        after(1, vec![with(2, 22, |it| it.ball_set.push('2'))]),
        1
    ),
    // Of a draw of the computer, or of none.
    told!(
        "draw_step_out_of_order",
        vec![with(1, 21, |it| it.draw = 5)],
        0
    ),
    told!("draw_unknown", vec![with(1, 21, |it| it.draw = 99)], 0),
    (
        "epoch_draw",
        "others",
        |events, log| {
            events.splice(0..0, [read(1, 21)]);
            super::epochs::before(events, log, (7, 9, 9), |_| {});
        },
        "others",
        2,
    ),
    (
        "epoch_draw",
        "others",
        |events, log| {
            events.splice(0..0, [incident(1, 0)]);
            super::epochs::before(events, log, (7, 9, 9), |_| {});
        },
        "others",
        2,
    ),
    // Nobody listens any more.
    told!(
        "ball_read_wrong",
        after(1, vec![incident(20, 1), read(2, 22)]),
        2
    ),
    told!(
        "ball_read_wrong",
        vec![entered(DRAW, 1, 21, "M301").into(), read(1, 21)],
        1
    ),
    told!(
        "ball_entry_wrong",
        after(1, vec![entered(DRAW, 1, 21, "M301").into()]),
        1
    ),
    told!(
        "ball_entry_wrong",
        after(1, vec![incident(8, 1), entered(DRAW, 1, 21, "M301").into()]),
        2
    ),
    // What cannot have been wrong.
    told!("line_incident_wrong", vec![incident(0, 0)], 0),
    told!("line_incident_wrong", vec![incident(9, 0)], 0),
    told!("line_incident_wrong", vec![incident(19, 0)], 0),
    told!("line_incident_wrong", vec![incident(29, 0)], 0),
    told!("line_incident_wrong", vec![incident(1, 1)], 0),
    told!("line_incident_wrong", after(2, vec![incident(1, 1)]), 2),
    told!(
        "line_incident_wrong",
        vec![incident(3, 0), incident(3, 0)],
        1
    ),
    told!(
        "line_incident_wrong",
        vec![incident(21, 0), incident(3, 0)],
        1
    ),
    // The draw has balls: one person does not interrupt it, and no computer stands in.
    told!(
        "interrupted_wrong",
        after(
            1,
            vec![
                DrawSuspended {
                    draw: DRAW,
                    reason: "panne".to_owned(),
                    by: "S201".to_owned(),
                }
                .into()
            ]
        ),
        1
    ),
    told!(
        "stand_in_wrong",
        after(
            1,
            vec![
                ComputerStoodIn {
                    draw: DRAW,
                    reason: "muet".to_owned(),
                    by: "S201".to_owned(),
                    second: "S202".to_owned(),
                }
                .into()
            ]
        ),
        1
    ),
];

fn instead(events: &mut Vec<Event>, _: &Log) {
    let Some(Event::BallEntered(body)) = events.first() else {
        panic!("another kind stands here");
    };
    *events = vec![read(body.position, body.number)];
}

/// What may happen, at each of the labels.
const LAWFUL: &[(&str, &[(&str, Change)])] = &[
    (
        "the machine reads every ball",
        &[
            ("enter of 6", instead),
            ("enter of 6 too", drop_it),
            ("ball of 6", drop_it),
        ],
    ),
    (
        "the line goes on after what is noticed, and people take over",
        &[("others", |events, _| {
            let facts = vec![incident(1, 3), incident(8, 3), incident(20, 3)];
            events.splice(0..0, after(3, facts));
        })],
    ),
    (
        "people put right what the machine misread, after its last ball too",
        &[("others", |events, _| {
            let mut facts = after(20, vec![incident(20, 20)]);
            facts[3] = read(4, 80);
            events.splice(0..0, facts);
        })],
    ),
    (
        "another set is in the machine by then, where the room has passed to others",
        &[("others", |events, _| {
            events.push(measured("autre").into());
            events.extend(after(1, vec![incident(27, 1)]));
        })],
    ),
];

/// Wrong only once more is: what is found stands behind.
const OF_THREE: &[OfSome] = &[
    // It was stopped behind its last ball, and nobody entered them.
    (
        "balls_not_entered",
        &[
            ("enter of 6", instead),
            ("enter of 6 too", drop_it),
            ("ball of 6", drop_it),
            ("balls 6", |events, _| {
                events.splice(0..0, [incident(28, 20)]);
            }),
        ],
        "balls 6",
        1,
    ),
    // One ball is missing.
    (
        "balls_not_entered",
        &[
            ("enter of 6", |events, log| {
                instead(events, log);
                if matches!(&events[0], Event::BallRead(body) if body.position == 20) {
                    events.clear();
                }
            }),
            ("enter of 6 too", drop_it),
            ("ball of 6", drop_it),
        ],
        "balls 6",
        0,
    ),
    // The record has others than were read.
    (
        "balls_not_entered",
        &[
            ("enter of 6", instead),
            ("enter of 6 too", drop_it),
            ("ball of 6", drop_it),
            ("balls 6", alter!(BallsRecorded, it => it.balls.swap(3, 4))),
        ],
        "balls 6",
        0,
    ),
];

#[test]
fn what_the_machine_may_say_is_found_lawful() {
    for (why, changes) in LAWFUL {
        assert_eq!(judged(&play(Fault::Each(changes))).findings, [], "{why}");
    }
    for (name, changes, label, offset) in OF_THREE {
        let log = play(Fault::Each(changes));
        assert_eq!(missed(&log, name, label, *offset), None);
    }
}

#[test]
fn the_verifier_in_python_finds_the_same_first_of_the_line() {
    let planted = PLANTED.iter().map(|it| Fault::Events(it.1, it.2));
    let others = OF_THREE.iter().map(|it| Fault::Each(it.1));
    let lawful = LAWFUL.iter().map(|it| Fault::Each(it.1));
    let logs: Vec<Log> = planted.chain(others).chain(lawful).map(play).collect();
    assert_eq!(judged_alike(&logs), LAWFUL.len());
}
