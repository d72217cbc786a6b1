//! Hosts that draw and hold secrets: what they sign that is not what they say of the draw. The verifier
//! in Python judges the same logs, and must say the same.

use super::*;
use crate::support::hosts::{line, line_of_another, said};

/// The draw on hosts.
const DRAW: u64 = 4;

/// Where the seal's root stands in what a host signs; the same for all of them.
const ROOT_LINE: usize = 4;
/// Where the hash of the rules stands in what a machine signs, and the commitment in what a holder
/// does.
const HASH_LINE: usize = 5;
/// Where the balls stand.
const BALLS_LINE: usize = 6;

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
];

#[test]
fn the_verifier_in_python_finds_the_same_first() {
    let logs = PLANTED.iter().map(|it| play(Fault::Events(it.1, it.2)));
    let logs: Vec<Log> = logs.chain([play(Fault::None)]).collect();
    assert_eq!(judged_alike(&logs), 1);
}
