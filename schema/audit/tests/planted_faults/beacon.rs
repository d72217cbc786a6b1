//! A public beacon as a holder: bound before the first wager, its round that of the draw, its secret
//! that of its round. The verifier in Python judges the same logs; the signature of a round it does not.

use keno_testing::beacon::Network;

use super::*;
use crate::support::beacon::{DRAW, bound, network, play, play_after, round_of, secret};

fn keys_of(beacon: String) -> Vec<String> {
    vec![String::new(), String::new(), beacon]
}

/// Names these hosts.
fn names(events: &mut [Event], keys: Vec<String>) {
    let Some(Event::HostsNamed(body)) = events.first_mut() else {
        panic!("another kind stands here");
    };
    body.keys = keys;
}

/// Says this of the round.
fn says(events: &mut [Event], line: String) {
    let Some(Event::HostsSigned(body)) = events.first_mut() else {
        panic!("another kind stands here");
    };
    body.signatures[2] = line;
}

/// Another text in the place of the beacon's.
macro_rules! named {
    ($text:ident => $other:expr) => {
        (
            "hosts_misnamed",
            "hosts 7",
            |events, _| {
                let $text = network().text();
                names(events, keys_of($other));
            },
            "hosts 7",
            0,
        )
    };
}

/// Another round in the place of the draw's.
macro_rules! said {
    ($number:ident => $other:expr) => {
        (
            "host_signature_wrong",
            "signed 7",
            |events, log| {
                let $number = round_of(log);
                says(events, $other);
            },
            "signed 7",
            0,
        )
    };
}

pub const PLANTED: &[Planted] = &[
    // Another beacon than the draw was bound to, and what is none.
    named!(_text => Network::new(2).text()),
    named!(text => text.replacen("testnet", "testnet2", 1)),
    named!(text => text.replacen("testnet", "quicknet", 1)),
    named!(text => text.replacen(" 3 ", " 30 ", 1)),
    named!(text => text.replacen(" 3 ", " 0 ", 1)),
    named!(text => text.replacen("rfc9380", "rfc9381", 1)),
    named!(text => format!("{text} ")),
    named!(text => text.to_uppercase()),
    named!(text => text.replacen(' ', "  ", 1)),
    (
        "hosts_misnamed",
        "commit 7.1",
        alter!(CommitmentRecorded, it => it.commitment = [9; 32]),
        "hosts 7",
        0,
    ),
    // The machine is none, and neither are all holders.
    (
        "hosts_misnamed",
        "hosts 7",
        |events, _| {
            let text = network().text();
            names(events, vec![text.clone(), String::new(), text]);
        },
        "hosts 7",
        0,
    ),
    (
        "hosts_misnamed",
        "schedule 7",
        |events, _| {
            let Some(Event::DrawScheduled(body)) = events.first_mut() else {
                panic!("another kind stands here");
            };
            // One holder, the beacon alone.
            body.holders = vec!["drand".to_owned()];
            let alone = CommitmentRecorded {
                position: 0,
                ..bound(&network().text())
            };
            let keys = vec![String::new(), network().text()];
            events.push(alone.into());
            events.push(HostsNamed { draw: DRAW, keys }.into());
        },
        "schedule 7",
        2,
    ),
    // Another round, or none.
    said!(number => network().round(number - 1)),
    said!(number => network().round(number + 1)),
    said!(number => format!("0{}", network().round(number))),
    said!(number => network().round(number).to_uppercase().replacen(' ', "  ", 1)),
    said!(number => format!("{number} {}", network().signature(number).to_uppercase())),
    said!(number => format!("{number} ")),
    said!(_number => String::new()),
    (
        "host_signature_wrong",
        "signed 7",
        alter!(HostsSigned, it => it.signatures[1] = it.signatures[2].clone()),
        "signed 7",
        0,
    ),
    (
        "host_signature_missing",
        "signed 7",
        drop_it,
        "certify 7",
        0,
    ),
    // Another secret than that of the round.
    (
        "secret_not_committed",
        "secrets 7",
        alter!(SecretsRevealed, it => it.secrets[1] = secret(&[])),
        "secrets 7",
        0,
    ),
    (
        "secret_not_committed",
        "secrets 7",
        alter!(SecretsRevealed, it => it.secrets.swap(0, 1)),
        "secrets 7",
        0,
    ),
];

/// Rounds that the network did not sign, under the right number: only whoever computes with its curve
/// sees it.
pub const UNSIGNED: &[[(&str, Change); 2]] = &[
    // The rounds are of another network than the one that was named.
    [
        ("commit 7.1", |events, _| {
            events[0] = bound(&Network::new(2).text()).into();
        }),
        ("hosts 7", |events, _| {
            names(events, keys_of(Network::new(2).text()));
        }),
    ],
    // A key that is no point of the curve.
    [
        ("commit 7.1", |events, _| {
            events[0] = bound(&off_the_curve()).into()
        }),
        ("hosts 7", |events, _| {
            names(events, keys_of(off_the_curve()))
        }),
    ],
];

fn off_the_curve() -> String {
    let text = network().text();
    let (about, key) = text.rsplit_once(' ').unwrap();
    format!("{about} {}", "8".repeat(key.len()))
}

/// A draw that is void has no round, and says so.
const VOID: &[(&str, Change)] = &[
    ("close 7", |events, log| {
        let voided = DrawVoided {
            draw: DRAW,
            reason: "panne".to_owned(),
            by: "S201".to_owned(),
            second: "S202".to_owned(),
            tickets: 0,
            refund_cents: 0,
        };
        let Event::DrawScheduled(_) = log.event("schedule 7") else {
            panic!("another kind stands here");
        };
        *events = vec![voided.into()];
    }),
    ("start 7", drop_it),
    ("balls 7", drop_it),
    ("signed 7", drop_it),
    ("certify 7", drop_it),
    ("settle 7", drop_it),
    (
        "secrets 7",
        alter!(SecretsRevealed, it => it.secrets[1] = secret(&[])),
    ),
];

#[test]
fn a_round_that_the_network_did_not_sign_is_found_by_whoever_computes_with_its_curve() {
    let logs: Vec<Log> = UNSIGNED.iter().map(|it| play(Fault::Both(*it))).collect();
    assert_eq!(
        missed(&logs[0], "host_signature_wrong", "signed 7", 0),
        None
    );
    assert_eq!(missed(&logs[1], "hosts_misnamed", "hosts 7", 0), None);
    // The verifier in Python says so of itself (`e2e/stranger/README.md`).
    let exports: Vec<Vec<u8>> = logs.iter().map(Log::export).collect();
    assert_eq!(strange(&exports), vec![(None, Vec::new()); 2]);
}

#[test]
fn no_round_is_on_record_before_its_moment() {
    // The entry of the round comes two seconds behind the close, or five and more.
    let early = play_after(Fault::None, 0);
    assert_eq!(missed(&early, "host_signature_wrong", "signed 7", 0), None);
    assert_eq!(judged_alike(&[early, play_after(Fault::None, 10_000)]), 1);
}

#[test]
fn a_void_draw_has_no_round() {
    let log = play(Fault::Each(VOID));
    assert_eq!(judged(&log).findings, []);
    assert_eq!(judged_alike(&[log]), 1);
}

#[test]
fn each_planted_fault_is_named_in_its_entry() {
    let missed = PLANTED
        .iter()
        .filter_map(|(name, at, change, label, offset)| {
            missed(&play(Fault::Events(at, *change)), name, label, *offset)
        });
    let missed: Vec<String> = missed.collect();
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn the_verifier_in_python_finds_the_same_first() {
    let planted = PLANTED.iter().map(|it| Fault::Events(it.1, it.2));
    let logs: Vec<Log> = planted.chain([Fault::None]).map(play).collect();
    assert_eq!(judged_alike(&logs), 1);
}
