//! A machine that reads all of its balls but the last: what no row of `ball_line.txt` can say, for the
//! balls of the story have one label.

use super::*;

/// What a person enters is read by the machine instead, but for the last.
fn read_but_the_last(events: &mut Vec<Event>, _: &Log) {
    let Some(Event::BallEntered(body)) = events.first() else {
        panic!("another kind stands here");
    };
    let read = BallRead {
        draw: body.draw,
        position: body.position,
        number: body.number,
        ball_set: "jeu 2".to_owned(),
        machine: "K-1".to_owned(),
        said_at_ms: 0,
    };
    let is_last = body.position == 20;
    events.clear();
    events.extend((!is_last).then(|| read.into()));
}

const CHANGES: &[(&str, Change)] = &[
    ("enter of 6", read_but_the_last),
    ("enter of 6 too", drop_it),
    ("ball of 6", drop_it),
];

#[test]
fn a_ball_that_the_machine_did_not_read_is_missed() {
    let log = play(Fault::Each(CHANGES));
    assert_eq!(missed(&log, "balls_not_entered", "balls 6", 0), None);
    assert_eq!(judged_alike(&[log]), 0);
}
