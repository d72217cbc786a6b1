//! The draw room: sets of balls that may not be used or were not chosen, a room that is opened and left
//! when it may not be, and draws that are put off. The verifier in Python judges the same logs, and
//! must say the same.

use super::*;
use crate::support::room::{
    AGAIN, CHOOSING, DAY_MS, SETS, chosen, ended, incident, measured, offered, opened_by,
    opened_with, postponed, scheduled_then, time_of,
};
use crate::support::scenario::{close, commit, person, scheduled};

/// The computer's draw whose secrets choose, and the draw of balls.
const CHOOSES: u64 = 5;
const OF_BALLS: u64 = 6;
/// Another draw of the computer, which a test announces itself.
const OTHER: u64 = 7;

fn all_sets() -> Vec<String> {
    SETS.map(str::to_owned).to_vec()
}

/// The set that the story uses.
pub fn in_the_room() -> String {
    chosen(CHOOSES, &CHOOSING, &all_sets())
}

/// One that it does not.
fn beside() -> &'static str {
    let used = in_the_room();
    SETS.into_iter().find(|set| *set != used).unwrap()
}

/// All sets but the one that the story uses.
fn others() -> Vec<&'static str> {
    let used = in_the_room();
    SETS.into_iter().filter(|set| *set != used).collect()
}

/// That set as it is measured, but for what is changed.
fn measured_anew(change: impl FnOnce(&mut BallSetMeasured)) -> Event {
    let mut body = measured(&in_the_room());
    change(&mut body);
    body.into()
}

/// A set that is never offered, but for what is changed.
fn unfit(change: fn(&mut BallSetMeasured)) -> Event {
    let mut body = measured("vieux");
    body.gauge = 2;
    change(&mut body);
    body.into()
}

/// Another draw of the computer is announced, committed to and opened.
fn another() -> Vec<Event> {
    let opened = DrawOpened { draw: OTHER };
    vec![
        scheduled(OTHER, 1, &["machine", "audit"]).into(),
        commit(OTHER, 0, &AGAIN[0]).into(),
        commit(OTHER, 1, &AGAIN[1]).into(),
        opened.into(),
    ]
}

/// Entries of [`another`].
const ANOTHER: u64 = 4;

/// That draw is announced and opened, and then?
fn another_and(then: Vec<Event>) -> Vec<Event> {
    [another(), then].concat()
}

fn voided(draw: u64) -> Event {
    DrawVoided {
        draw,
        reason: "panne".to_owned(),
        by: "S201".to_owned(),
        second: "S202".to_owned(),
        tickets: 0,
        refund_cents: 0,
    }
    .into()
}

fn revealed(draw: u64, secrets: &[keno_log::Hash]) -> Event {
    let secrets = secrets.to_vec();
    SecretsRevealed { draw, secrets }.into()
}

fn suspended() -> Event {
    DrawSuspended {
        draw: OF_BALLS,
        reason: "panne".to_owned(),
        by: "S201".to_owned(),
    }
    .into()
}

fn resumed() -> Event {
    DrawResumed {
        draw: OF_BALLS,
        by: "S201".to_owned(),
        second: "S202".to_owned(),
    }
    .into()
}

fn halted() -> Event {
    let halt = ScheduleHalted {
        reason: 1,
        seen_ms: 0,
        expected_ms: 0,
    };
    halt.into()
}

fn confirmed() -> Event {
    let (by, second) = ("S201".to_owned(), "S202".to_owned());
    ScheduleConfirmed { by, second }.into()
}

/// Puts facts before what stands at a label.
fn before(events: &mut Vec<Event>, facts: Vec<Event>) {
    events.splice(0..0, facts);
}

/// The draw is interrupted as soon as it is started, and started again after these facts.
fn again_after(events: &mut Vec<Event>, facts: Vec<Event>) {
    let start = events[0].clone();
    events.extend([suspended(), resumed()]);
    events.extend(facts);
    events.push(start);
}

/// An epoch that goes on from here, with no number used up by it.
fn epoch(events: &mut Vec<Event>, log: &Log, next_draw: u64) {
    epochs::before(events, log, (next_draw, 4, 4), |_| {});
}

/// A fault in the fields of what stands at a label.
macro_rules! of {
    ($name:literal, $label:literal, $kind:ident, $it:ident => $change:expr) => {
        ($name, $label, alter!($kind, $it => $change), $label, 0)
    };
}

/// A fault of a fact that is put before what stands at a label.
macro_rules! told {
    ($name:literal, $label:literal, $facts:expr, $offset:expr) => {
        (
            $name,
            $label,
            |events, _| before(events, $facts),
            $label,
            $offset,
        )
    };
}

/// Two people who are one, or not two.
macro_rules! one_person {
    ($($label:literal, $kind:ident;)*) => {
        [$(
            of!("same_person", $label, $kind, it => it.second = it.by.clone()),
            of!("same_person", $label, $kind, it => it.second.clear()),
        )*]
    };
}

/// Whoever works in the room: a role of the two, and of the second, is another.
macro_rules! by_others {
    ($($label:literal, $kind:ident;)*) => {
        [$(
            of!("role_wrong", $label, $kind, it => it.by = "C142".to_owned()),
            of!("role_wrong", $label, $kind, it => it.second = "A401".to_owned()),
            of!("badge_unknown", $label, $kind, it => it.second = "X".to_owned()),
        )*]
    };
}

/// What is planted in who acts.
const ACTING: &[&[Planted]] = &[
    &one_person! {
        "postpone 6", DrawPostponed;
        "measure 1", BallSetMeasured;
        "offer", BallSetsOffered;
        "room", DrawRoomOpened;
        "others", DrawRoomEnded;
    },
    &by_others! {
        "postpone 6", DrawPostponed;
        "measure 1", BallSetMeasured;
        "offer", BallSetsOffered;
        "room", DrawRoomOpened;
        "others", DrawRoomEnded;
    },
];

mod day;
mod sets;

/// Everything that is planted here.
pub fn planted() -> impl Iterator<Item = &'static Planted> {
    let acting = ACTING.iter().copied();
    acting.chain([day::PLANTED, sets::PLANTED]).flatten()
}

/// Another draw stays open until its secrets, of a void draw, choose among the sets that are left.
fn chosen_again(events: &mut Vec<Event>, reason: &str) {
    let sets = others();
    let names: Vec<String> = sets.iter().map(|set| (*set).to_owned()).collect();
    let set = chosen(OTHER, &AGAIN, &names);
    events[0] = opened_with(&set, OTHER).into();
    let facts = another_and(vec![
        offered(OTHER, &sets, reason).into(),
        voided(OTHER),
        revealed(OTHER, &AGAIN),
    ]);
    before(events, facts);
}

/// The draw of balls has holders, so that a computer can stand in for its machine.
fn with_holders(events: &mut Vec<Event>, _: &Log) {
    events[0] = scheduled_then(OF_BALLS, &["machine", "audit"]).into();
    for (position, secret) in (0..).zip([[0xaa; 32], [0xbb; 32]]) {
        events.push(commit(OF_BALLS, position, &secret).into());
    }
}

/// Another draw of the computer is closed, and the set of the room is good for one start.
fn closed_beside(events: &mut Vec<Event>, _: &Log) {
    before(events, vec![measured_anew(|it| it.most_draws = 1)]);
    events.extend(another_and(vec![close(OTHER, 0, 0, 0).into()]));
}

fn started_beside(events: &mut Vec<Event>, log: &Log) {
    let started = DrawStarted {
        draw: OTHER,
        seal_size: log.size(),
        seal_root: log.edge.root(),
        rule_book_hash: sha256(crate::support::book_text(2).as_bytes()),
    };
    before(events, vec![started.into()]);
}

const NOTHING: Change = |_, _| {};

/// What may happen in the room, each with its two changes of the story.
const LAWFUL: &[(&str, [(&str, Change); 2])] = &[
    (
        "put off as far as may be, and once more, while the clock is not confirmed",
        [
            ("postpone 6", |events, log| {
                let last = |at| time_of(log.size() + at) + DAY_MS;
                *events = vec![
                    halted(),
                    postponed(OF_BALLS, last(1)).into(),
                    postponed(OF_BALLS, last(2)).into(),
                    confirmed(),
                ];
            }),
            ("room ends", NOTHING),
        ],
    ),
    (
        "sets of every sort that are not fit",
        [
            ("offer", |events, log| {
                let soon = time_of(log.size() + 4) + 1;
                let mut brief = measured("bref");
                (brief.gauge, brief.good_until_ms) = (2, soon);
                before(
                    events,
                    vec![
                        unfit(|it| it.set = " \u{7f}".to_owned()),
                        unfit(|it| it.masses_mg = vec![1; 255]),
                        unfit(|it| it.masses_mg = vec![u32::MAX]),
                        unfit(|it| it.least_mg = it.most_mg),
                        brief.into(),
                    ],
                );
            }),
            ("room ends", NOTHING),
        ],
    ),
    (
        "sets in the order of their bytes",
        [
            ("offer", |events, _| {
                let sets = ["Z", "\u{ff5e}", "\u{1f3b1}", "jeu 1", "jeu 10", "été"];
                let new = sets.map(|set| measured(set).into());
                let all = [
                    "Z",
                    "jeu 1",
                    "jeu 10",
                    "jeu 2",
                    "jeu 3",
                    "été",
                    "\u{ff5e}",
                    "\u{1f3b1}",
                ];
                events[0] = offered(CHOOSES, &all, "").into();
                before(events, new.to_vec());
            }),
            ("room ends", NOTHING),
        ],
    ),
    (
        "without what is not fit",
        [
            (
                "measure 2",
                alter!(BallSetMeasured, it => it.masses_mg[5] = 2_600),
            ),
            (
                "offer",
                alter!(BallSetsOffered, it => drop(it.sets.remove(1))),
            ),
        ],
    ),
    (
        "a set that is good to the last moment",
        [
            ("room", |events, log| {
                let good_until_ms = time_of(log.size() + 1);
                before(
                    events,
                    vec![measured_anew(|it| it.good_until_ms = good_until_ms)],
                );
            }),
            ("close 6", |events, _| {
                before(events, vec![measured_anew(|_| {})])
            }),
        ],
    ),
    (
        "as many starts as a set is good for",
        [
            ("room", |events, _| {
                before(events, vec![measured_anew(|it| it.most_draws = 2)])
            }),
            ("start 6", |events, _| again_after(events, Vec::new())),
        ],
    ),
    (
        "a set that is measured anew after its last start",
        [
            ("room", |events, _| {
                before(events, vec![measured_anew(|it| it.most_draws = 1)])
            }),
            ("start 6", |events, _| {
                again_after(events, vec![measured_anew(|it| it.most_draws = 1)])
            }),
        ],
    ),
    (
        "a start of the computer, which is none of the set",
        [("room", closed_beside), ("close 6", started_beside)],
    ),
    (
        "chosen again, by a draw that is void",
        [
            ("room", |events, _| chosen_again(events, "échappé")),
            ("room ends", NOTHING),
        ],
    ),
    (
        "measured anew after it was set aside, and offered again",
        [
            ("room", |events, _| {
                chosen_again(events, "échappé");
                let mut third = another();
                third[0] = scheduled(8, 1, &["machine", "audit"]).into();
                third[1] = commit(8, 0, &[0xcc; 32]).into();
                third[2] = commit(8, 1, &[0xdd; 32]).into();
                third[3] = DrawOpened { draw: 8 }.into();
                third.push(measured_anew(|_| {}));
                let Some(Event::DrawRoomOpened(mut body)) = events.pop() else {
                    panic!("another kind stands here");
                };
                let left: Vec<&str> = SETS.into_iter().filter(|set| *set != body.set).collect();
                let names: Vec<String> = left.iter().map(|set| (*set).to_owned()).collect();
                third.push(offered(8, &left, "rayé").into());
                third.extend([voided(8), revealed(8, &[[0xcc; 32], [0xdd; 32]])]);
                body.set = chosen(8, &[[0xcc; 32], [0xdd; 32]], &names);
                body.draw = 8;
                third.push(body.into());
                events.extend(third);
            }),
            ("room ends", NOTHING),
        ],
    ),
    (
        "opened again another day, with what was used before among the sets",
        [
            ("room ends", |events, log| {
                let facts = another_and(vec![
                    offered(OTHER, &SETS, "").into(),
                    voided(OTHER),
                    revealed(OTHER, &AGAIN),
                    opened_with(&chosen(OTHER, &AGAIN, &all_sets()), OTHER).into(),
                    ended(1).into(),
                    ended(0).into(),
                ]);
                events.extend(facts);
                assert_eq!(opened_by(log, &CHOOSING).set, in_the_room());
            }),
            ("measure 1", NOTHING),
        ],
    ),
    (
        "supervisors in the room",
        [
            (
                "measure 1",
                alter!(BallSetMeasured, it =>
                    (it.by, it.second) = ("S201".to_owned(), "S202".to_owned())),
            ),
            (
                "incident",
                alter!(IncidentLogged, it => it.by = "S202".to_owned()),
            ),
        ],
    ),
    (
        "the secrets of another draw, which choose nothing",
        [
            ("room", |events, _| {
                let other = chosen(OTHER, &AGAIN, &all_sets());
                assert_ne!(other, in_the_room());
                before(
                    events,
                    another_and(vec![voided(OTHER), revealed(OTHER, &AGAIN)]),
                );
            }),
            ("room ends", NOTHING),
        ],
    ),
    (
        "left once every draw of balls is official, and not again",
        [
            ("settle 6", |events, _| {
                before(events, vec![ended(0).into()])
            }),
            ("room ends", drop_it),
        ],
    ),
    (
        "left while the computer draws",
        [
            ("room ends", |events, _| {
                before(events, another_and(vec![close(OTHER, 0, 0, 0).into()]));
            }),
            ("measure 1", NOTHING),
        ],
    ),
    (
        "an incident of a draw that is over, and one of a draw to come",
        [
            ("incident", |events, _| {
                events.extend(another_and(vec![
                    incident(Some(1)).into(),
                    incident(Some(OTHER)).into(),
                ]));
            }),
            ("room ends", NOTHING),
        ],
    ),
];

/// Faults of two changes.
const OF_TWO: &[OfTwo] = &[
    // A computer that stands in needs no room, and keeps nobody there: it is left, and nobody takes it
    // over.
    (
        "room_ended_wrong",
        [
            ("schedule 6", with_holders),
            ("start 6", |events, _| {
                let stood_in = ComputerStoodIn {
                    draw: OF_BALLS,
                    reason: "muet".to_owned(),
                    by: "S201".to_owned(),
                    second: "S202".to_owned(),
                };
                before(events, vec![stood_in.into(), ended(0).into()]);
            }),
        ],
        "others",
        0,
    ),
];

#[test]
fn what_may_happen_in_the_room_is_found_lawful() {
    for (why, changes) in LAWFUL {
        assert_eq!(judged(&play(Fault::Both(*changes))).findings, [], "{why}");
    }
}

#[test]
fn two_changes_that_are_wrong_together_are_found() {
    for (name, changes, label, offset) in OF_TWO {
        let log = play(Fault::Both(*changes));
        assert_eq!(missed(&log, name, label, *offset), None);
    }
}

/// Clauses that can be wrong only where an entry before is: what they find is not the first.
const BEHIND: &[Planted] = &[
    // Not every holder has committed, and the draw is open all the same.
    ("offer_wrong", "commit 5.1", drop_it, "offer", 0),
    // The room is open, and a choice stands all the same.
    (
        "room_opened_wrong",
        "close 6",
        |events, _| {
            let facts = another_and(vec![
                offered(OTHER, &SETS, "").into(),
                voided(OTHER),
                revealed(OTHER, &AGAIN),
                opened_with(&chosen(OTHER, &AGAIN, &all_sets()), OTHER).into(),
            ]);
            before(events, facts);
        },
        "close 6",
        ANOTHER + 3,
    ),
];

#[test]
fn what_is_wrong_behind_another_entry_is_found_too() {
    for (name, at, change, label, offset) in BEHIND {
        let log = play(Fault::Events(at, *change));
        let entry = Some(log.at(label) + offset);
        let found = judged(&log).findings;
        let is_it = |it: &keno_audit::Finding| it.name() == *name && it.entry == entry;
        assert!(found[0].entry < entry, "{name}: {found:?}");
        assert!(found.iter().any(is_it), "{name}: {found:?}");
    }
}

#[test]
fn the_verifier_in_python_finds_the_same_first() {
    let planted = planted().map(|it| Fault::Events(it.1, it.2));
    let of_two = OF_TWO.iter().map(|it| Fault::Both(it.1));
    let lawful = LAWFUL.iter().map(|it| Fault::Both(it.1));
    let headers = PLANTED_HEADERS.iter().map(|it| Fault::Header(it.1, it.2));
    let faults = planted.chain(of_two).chain(headers).chain(lawful);
    let logs: Vec<Log> = faults.chain([Fault::None]).map(play).collect();
    assert_eq!(judged_alike(&logs), LAWFUL.len() + 1);
}
