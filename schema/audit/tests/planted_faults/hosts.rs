//! Hosts that draw and hold secrets: named where they may not be, and numbers that they did not sign.
//! The verifier in Python judges the same logs, and must say the same.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::*;
use crate::support::hosts::{key_text, line, line_of_another, named, said, signed};
use crate::support::scenario::person;

/// The draw on hosts.
const DRAW: u64 = 4;

/// Where the seal's root stands in what a host signs; the same for all of them.
const ROOT_LINE: usize = 4;
/// Where the hash of the rules stands in what a machine signs, and the commitment in what a holder
/// does.
const HASH_LINE: usize = 5;
/// Where the balls stand.
const BALLS_LINE: usize = 6;

/// The text of a key that is made of any bytes, with the id that belongs to it.
fn key_of(kind: u8, public: [u8; 32]) -> String {
    let bytes = [vec![kind], public.to_vec()].concat();
    let id = sha256(&[b"hote\n".as_slice(), &bytes].concat());
    format!("hote+{}+{}", hex::encode(&id[..4]), STANDARD.encode(bytes))
}

/// A point of small order: the neutral one.
fn weak_key() -> String {
    let mut public = [0; 32];
    public[0] = 1;
    key_of(1, public)
}

/// A text with another line in the place of one of its own.
fn with_line(text: &str, at: usize, line: impl Fn(&str) -> String) -> String {
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut changed = lines.clone();
    changed[at] = line(&lines[at]);
    assert_ne!(lines, changed);
    changed.join("\n") + "\n"
}

/// Puts a line in the place of what a host has signed.
fn put_line(events: &mut [Event], place: usize, line: String) {
    let Some(Event::HostsSigned(body)) = events.first_mut() else {
        panic!("another kind stands here");
    };
    body.signatures[place] = line;
}

fn halted() -> Event {
    let halt = ScheduleHalted {
        reason: 1,
        seen_ms: 0,
        expected_ms: 0,
    };
    halt.into()
}

/// Something that has nothing to do with the draw.
fn between() -> Event {
    person("M309", &[4]).into()
}

macro_rules! names {
    ($keys:ident => $change:expr) => {
        (
            "hosts_misnamed",
            "hosts 4",
            alter!(HostsNamed, it => { let $keys = &mut it.keys; $change }),
            "hosts 4",
            0,
        )
    };
}

macro_rules! signs {
    ($lines:ident => $change:expr) => {
        (
            "host_signature_wrong",
            "signed 4",
            alter!(HostsSigned, it => { let $lines = &mut it.signatures; $change }),
            "signed 4",
            0,
        )
    };
}

/// A host signs something else than what it says of the draw.
macro_rules! says {
    ($place:literal, $text:ident => $other:expr) => {
        (
            "host_signature_wrong",
            "signed 4",
            |events, log| {
                let $text = said(log, DRAW, $place).unwrap();
                let other: String = $other;
                assert_ne!(other, $text);
                put_line(events, $place, line($place, &other));
            },
            "signed 4",
            0,
        )
    };
    ($place:literal, $at:expr, $line:ident => $other:expr) => {
        says!($place, text => with_line(&text, $at, |$line| $other))
    };
}

pub const PLANTED: &[Planted] = &[
    // Which keys are named.
    names!(keys => drop(keys.pop())),
    names!(keys => keys.push(String::new())),
    names!(keys => keys.clear()),
    names!(keys => keys.fill(String::new())),
    names!(keys => keys[1] = "essai/appareil".to_owned()),
    names!(keys => keys[1].push('\n')),
    names!(keys => keys[1].insert(0, ' ')),
    names!(keys => keys[1] = keys[1].replacen("appareil", "appareils", 1)),
    names!(keys => keys[2] = key_of(2, [9; 32])),
    names!(keys => keys[0] = weak_key()),
    names!(keys => keys[0] = key_of(1, [0xff; 32])),
    // Where they are.
    (
        "hosts_misnamed",
        "commit 4.1",
        |events, _| events.insert(0, named(DRAW).into()),
        "commit 4.1",
        0,
    ),
    ("hosts_misnamed", "commit 4.1", drop_it, "hosts 4", 0),
    (
        "hosts_misnamed",
        "hosts 4",
        |events, _| events.insert(0, between()),
        "hosts 4",
        1,
    ),
    (
        "hosts_misnamed",
        "hosts 4",
        |events, _| events.push(named(DRAW).into()),
        "hosts 4",
        1,
    ),
    (
        "hosts_misnamed",
        "open 3",
        |events, _| {
            let keys = vec![key_text(0), key_text(1)];
            events.push(HostsNamed { draw: 3, keys }.into());
        },
        "open 3",
        1,
    ),
    (
        "hosts_misnamed",
        "schedule 2",
        |events, _| {
            let keys = vec![key_text(0)];
            events.push(HostsNamed { draw: 2, keys }.into());
        },
        "schedule 2",
        1,
    ),
    (
        "draw_unknown",
        "hosts 4",
        alter!(HostsNamed, it => it.draw = 9),
        "hosts 4",
        0,
    ),
    (
        "step_while_halted",
        "hosts 4",
        |events, _| events.insert(0, halted()),
        "hosts 4",
        1,
    ),
    (
        "epoch_draw",
        "hosts 4",
        |events, log| epochs::before(events, log, (5, 4, 4), |_| {}),
        "hosts 4",
        2,
    ),
    // Who has signed.
    signs!(lines => drop(lines.pop())),
    signs!(lines => lines.push(String::new())),
    signs!(lines => lines.clear()),
    signs!(lines => lines[0].clear()),
    signs!(lines => lines[2].clear()),
    signs!(lines => lines.swap(1, 2)),
    signs!(lines => lines[1].push('\n')),
    signs!(lines => lines[1] = format!("{}\n{}", lines[1], lines[1])),
    signs!(lines => lines[1] = lines[1].replacen("\u{2014} ", "", 1)),
    signs!(lines => lines[1] = lines[1].replacen("appareil", "appareils", 1)),
    signs!(lines => drop(lines[1].split_off(20))),
    (
        "host_signature_wrong",
        "signed 4",
        |events, log| {
            let text = said(log, DRAW, 1).unwrap();
            put_line(events, 1, line_of_another(1, &text));
        },
        "signed 4",
        0,
    ),
    // A longer text that begins as the right one does.
    (
        "host_signature_wrong",
        "signed 4",
        |events, log| {
            let text = said(log, DRAW, 1).unwrap();
            let longer = format!("{text}\n{text}");
            put_line(events, 1, format!("{text}\n{}", line(1, &longer)));
        },
        "signed 4",
        0,
    ),
    ("host_signature_wrong", "hosts 4", drop_it, "signed 4", 0),
    (
        "host_signature_wrong",
        "hosts 4",
        alter!(HostsNamed, it => it.keys[1].clear()),
        "signed 4",
        0,
    ),
    // What a machine has signed.
    says!(0, 0, it => it.replacen("v1", "v2", 1)),
    says!(0, 0, _it => "boulier/secret/v1".to_owned()),
    says!(0, 1, _it => "autre".to_owned()),
    says!(0, 2, _it => "5".to_owned()),
    says!(0, 2, it => format!("0{it}")),
    says!(0, 3, it => (it.parse::<u64>().unwrap() + 1).to_string()),
    says!(0, ROOT_LINE, _it => "5".repeat(64)),
    says!(0, ROOT_LINE, it => it.to_uppercase()),
    says!(0, HASH_LINE, _it => hex::encode(sha256(crate::support::book_text(1).as_bytes()))),
    says!(0, BALLS_LINE, it => it.split(' ').rev().collect::<Vec<_>>().join(" ")),
    says!(0, BALLS_LINE, it => it.replace(' ', ",")),
    says!(0, BALLS_LINE, it => format!("{it} ")),
    says!(0, text => format!("{text}fin\n")),
    (
        "host_signature_wrong",
        "signed 4",
        |events, log| {
            let text = said(log, DRAW, 1).unwrap();
            put_line(events, 0, line(0, &text));
        },
        "signed 4",
        0,
    ),
    // What a holder has signed.
    says!(2, 0, it => it.replacen("v1", "v2", 1)),
    says!(2, 0, _it => "boulier/balls/v1".to_owned()),
    says!(2, 1, _it => "autre".to_owned()),
    says!(2, 2, _it => "5".to_owned()),
    says!(2, 3, it => (it.parse::<u64>().unwrap() - 1).to_string()),
    says!(2, ROOT_LINE, _it => "5".repeat(64)),
    says!(2, HASH_LINE, it => it.to_uppercase()),
    says!(2, text => format!("{text}fin\n")),
    (
        "host_signature_wrong",
        "signed 4",
        |events, log| {
            let text = said(log, DRAW, 1).unwrap();
            put_line(events, 2, line(2, &text));
        },
        "signed 4",
        0,
    ),
    // Where it is.
    (
        "host_signature_wrong",
        "signed 4",
        |events, _| events.insert(0, between()),
        "signed 4",
        1,
    ),
    (
        "host_signature_wrong",
        "signed 4",
        |events, _| events.push(events[0].clone()),
        "signed 4",
        1,
    ),
    (
        "host_signature_wrong",
        "balls 4",
        |events, log| events.insert(0, signed(log, DRAW).into()),
        "balls 4",
        0,
    ),
    (
        "host_signature_wrong",
        "certify 4",
        |events, log| events.push(signed(log, DRAW).into()),
        "certify 4",
        1,
    ),
    (
        "host_signature_wrong",
        "certify 1",
        |events, log| events.insert(0, signed(log, 1).into()),
        "certify 1",
        0,
    ),
    (
        "draw_unknown",
        "signed 4",
        alter!(HostsSigned, it => it.draw = 9),
        "signed 4",
        0,
    ),
    (
        "step_while_halted",
        "signed 4",
        |events, _| events.insert(0, halted()),
        "signed 4",
        1,
    ),
    (
        "epoch_draw",
        "signed 4",
        |events, log| epochs::before(events, log, (5, 4, 4), |_| {}),
        "signed 4",
        2,
    ),
    // That it is there.
    (
        "host_signature_missing",
        "signed 4",
        drop_it,
        "certify 4",
        0,
    ),
];

/// Draw 2, of balls, has holders too, and all of it is on hosts.
fn balls_on_hosts(events: &mut Vec<Event>, _: &Log) {
    let Some(Event::DrawScheduled(body)) = events.first_mut() else {
        panic!("another kind stands here");
    };
    body.holders = vec!["appareil".to_owned(), "audit".to_owned()];
    for (position, secret) in [(0, [0x66; 32]), (1, [0x67; 32])] {
        let committed = CommitmentRecorded {
            draw: 2,
            position,
            commitment: crate::support::commitment(2, &secret),
        };
        events.push(committed.into());
    }
    events.push(named(2).into());
}

/// The draw is suspended, and goes on from its first seal.
fn interrupted(events: &mut Vec<Event>, _: &Log) {
    let suspended = DrawSuspended {
        draw: DRAW,
        reason: "panne".to_owned(),
        by: "S201".to_owned(),
    };
    let resumed = DrawResumed {
        draw: DRAW,
        by: "S201".to_owned(),
        second: "S202".to_owned(),
    };
    events.extend([suspended.into(), resumed.into(), events[0].clone()]);
}

fn stands_in(events: &mut Vec<Event>, _: &Log) {
    let stood_in = ComputerStoodIn {
        draw: DRAW,
        reason: "muet".to_owned(),
        by: "S201".to_owned(),
        second: "S202".to_owned(),
    };
    events.insert(0, stood_in.into());
}

const OF_BALLS: Change = alter!(DrawScheduled, it => it.source = 2);

/// Ways in which hosts are named and sign, or do not, as they may: two changes of the story each.
const LAWFUL: &[(&str, [(&str, Change); 2])] = &[
    (
        "holders alone",
        [
            ("hosts 4", alter!(HostsNamed, it => it.keys[0].clear())),
            (
                "signed 4",
                alter!(HostsSigned, it => it.signatures[0].clear()),
            ),
        ],
    ),
    (
        "the machine alone",
        [
            (
                "hosts 4",
                alter!(HostsNamed, it => it.keys[1..].fill(String::new())),
            ),
            (
                "signed 4",
                alter!(HostsSigned, it => it.signatures[1..].fill(String::new())),
            ),
        ],
    ),
    ("nothing", [("hosts 4", drop_it), ("signed 4", drop_it)]),
    (
        "interrupted",
        [("start 4", interrupted), ("certify 4", |_, _| {})],
    ),
    (
        "balls",
        [("schedule 2", balls_on_hosts), ("certify 2", |_, _| {})],
    ),
    (
        "balls, then the computer",
        [("schedule 4", OF_BALLS), ("start 4", stands_in)],
    ),
];

/// Faults of two changes: the hosts of balls sign nothing, and whoever is not named neither.
const OF_TWO: &[OfTwo] = &[
    (
        "host_signature_wrong",
        [
            ("schedule 2", balls_on_hosts),
            ("certify 2", |events, log| {
                events.insert(0, signed(log, 2).into());
            }),
        ],
        "certify 2",
        0,
    ),
    (
        "host_signature_wrong",
        [
            ("hosts 4", drop_it),
            ("signed 4", alter!(HostsSigned, it => it.signatures.clear())),
        ],
        "signed 4",
        0,
    ),
    (
        "host_signature_missing",
        [("start 4", interrupted), ("signed 4", drop_it)],
        "certify 4",
        0,
    ),
];

#[test]
fn hosts_that_are_named_and_sign_as_they_may_are_found_lawful() {
    for (why, changes) in LAWFUL {
        assert_eq!(judged(&play(Fault::Both(*changes))).findings, [], "{why}");
    }
}

#[test]
fn the_hosts_of_balls_and_whoever_is_not_named_sign_nothing() {
    for (name, changes, label, offset) in OF_TWO {
        let log = play(Fault::Both(*changes));
        assert_eq!(missed(&log, name, label, *offset), None);
    }
}

#[test]
fn the_verifier_in_python_finds_the_same_first() {
    let planted = PLANTED.iter().map(|it| Fault::Events(it.1, it.2));
    let of_two = OF_TWO.iter().map(|it| Fault::Both(it.1));
    let lawful = LAWFUL.iter().map(|it| Fault::Both(it.1));
    let faults = planted.chain(of_two).chain(lawful).chain([Fault::None]);
    let logs: Vec<Log> = faults.map(play).collect();
    assert_eq!(judged_alike(&logs), LAWFUL.len() + 1);
}
