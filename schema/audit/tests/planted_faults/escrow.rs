//! Secrets in escrow: given where and how they may be, and come back, or not. The verifier in Python
//! judges the same logs, and must say the same.

use keno_log::checkpoint::SigningKey;
use keno_log::escrow::Bound;

use super::*;
use crate::support::HOUSE;
use crate::support::hosts::{key_text, line, line_of_another, said};

/// The draw on hosts.
const DRAW: u64 = 4;

fn auditor(place: usize) -> String {
    let (name, seed) = [("essai/un", 0x61), ("essai/autre", 0x62)][place];
    let key = SigningKey::from_seed(name, &[seed; 32]).unwrap();
    key.verifying_key().to_string()
}

fn bound_text(log: &Log, body: &SecretEscrowed) -> String {
    let events = log.entries.iter().filter_map(|entry| entry.event().ok());
    let mut commitment = events.filter_map(|event| match event {
        Event::CommitmentRecorded(it) if (it.draw, it.position) == (body.draw, body.position) => {
            Some(it.commitment)
        }
        _ => None,
    });
    let bound = Bound {
        house: HOUSE,
        draw: body.draw,
        commitment: &commitment.next_back().unwrap_or([0; 32]),
    };
    bound.escrow(&body.auditors, &body.halves)
}

/// The secret of a holder in escrow, as it may be.
fn escrowed(log: &Log, position: u8) -> SecretEscrowed {
    escrowed_but(log, position, |_| {})
}

/// The same with something else in it, which the host has signed.
fn escrowed_but(log: &Log, position: u8, change: fn(&mut SecretEscrowed)) -> SecretEscrowed {
    let mut body = SecretEscrowed {
        draw: DRAW,
        position,
        auditors: vec![auditor(0), auditor(1)],
        halves: vec![vec![3; 80], vec![4; 80]],
        signature: String::new(),
    };
    change(&mut body);
    let text = bound_text(log, &body);
    body.signature = line(usize::from(body.position) + 1, &text);
    body
}

/// The host of a holder says that its secret came back from escrow.
fn restores(events: &mut [Event], log: &Log, holder: usize) {
    signs(events, log, holder, "restored-secret");
}

/// The host of a holder says that its secret is in escrow.
fn keeps(events: &mut [Event], log: &Log, holder: usize) {
    signs(events, log, holder, "escrowed-secret");
}

fn signs(events: &mut [Event], log: &Log, holder: usize, as_what: &str) {
    let place = holder + 1;
    let text = said(log, DRAW, place).unwrap();
    let text = text.replacen("boulier/secret/v1", &format!("boulier/{as_what}/v1"), 1);
    let Some(Event::HostsSigned(body)) = events.first_mut() else {
        panic!("another kind stands here");
    };
    body.signatures[place] = line(place, &text);
}

/// Something else is given, and signed.
macro_rules! gives {
    ($body:ident => $change:expr) => {
        (
            "escrow_wrong",
            "hosts 4",
            |events, log| {
                let escrowed = escrowed_but(log, 0, |$body| {
                    $change;
                });
                events.push(escrowed.into());
            },
            "hosts 4",
            1,
        )
    };
}

/// Something else than what was signed stands in the record.
macro_rules! changes {
    ($body:ident => $change:expr) => {
        (
            "escrow_wrong",
            "hosts 4",
            |events, log| {
                let mut escrowed = escrowed(log, 0);
                {
                    let $body = &mut escrowed;
                    $change;
                }
                events.push(escrowed.into());
            },
            "hosts 4",
            1,
        )
    };
}

pub const PLANTED: &[Planted] = &[
    // To whom, and what.
    gives!(it => drop(it.auditors.pop())),
    gives!(it => it.auditors.push(key_text(0).replacen("essai", "autre", 1))),
    gives!(it => it.auditors.clear()),
    gives!(it => it.auditors[1] = it.auditors[0].clone()),
    gives!(it => it.auditors[1] = {
        let key = SigningKey::from_seed("essai/encore", &[0x61; 32]).unwrap();
        key.verifying_key().to_string()
    }),
    gives!(it => it.auditors[0].clear()),
    gives!(it => it.auditors[0].push(' ')),
    gives!(it => it.auditors[0] = "personne".to_owned()),
    gives!(it => drop(it.halves.pop())),
    gives!(it => it.halves.push(vec![5; 80])),
    gives!(it => it.halves[0].truncate(79)),
    gives!(it => it.halves[1].push(0)),
    gives!(it => it.halves.clear()),
    // What the host has not signed.
    changes!(it => it.halves[0][7] ^= 1),
    changes!(it => it.halves.swap(0, 1)),
    changes!(it => it.auditors.swap(0, 1)),
    changes!(it => it.signature.clear()),
    changes!(it => it.signature.push('\n')),
    changes!(it => it.position = 1),
    changes!(it => it.position = 2),
    changes!(it => it.position = 255),
    (
        "escrow_wrong",
        "hosts 4",
        |events, log| {
            let mut other = escrowed(log, 0);
            other.signature = line_of_another(1, &bound_text(log, &other));
            events.push(other.into());
        },
        "hosts 4",
        1,
    ),
    (
        "escrow_wrong",
        "hosts 4",
        |events, log| {
            let mut other = escrowed(log, 0);
            other.signature = line(2, &bound_text(log, &other));
            events.push(other.into());
        },
        "hosts 4",
        1,
    ),
    (
        "escrow_wrong",
        "hosts 4",
        |events, log| {
            let mut other = escrowed(log, 0);
            other.signature = line(1, &bound_text(log, &other).replacen("v1", "v2", 1));
            events.push(other.into());
        },
        "hosts 4",
        1,
    ),
    // Where it stands.
    (
        "escrow_wrong",
        "hosts 4",
        |events, log| events.insert(0, escrowed(log, 0).into()),
        "hosts 4",
        0,
    ),
    (
        "escrow_wrong",
        "hosts 4",
        |events, log| {
            let twice: Event = escrowed(log, 0).into();
            events.extend([twice.clone(), twice]);
        },
        "hosts 4",
        2,
    ),
    (
        "escrow_wrong",
        "hosts 4",
        |events, log| events.extend([escrowed(log, 1).into(), escrowed(log, 0).into()]),
        "hosts 4",
        2,
    ),
    (
        "escrow_wrong",
        "hosts 4",
        |events, log| {
            events.push(crate::support::scenario::person("M309", &[4]).into());
            events.push(escrowed(log, 0).into());
        },
        "hosts 4",
        2,
    ),
    (
        "escrow_wrong",
        "open 4",
        |events, log| events.push(escrowed(log, 0).into()),
        "open 4",
        1,
    ),
    (
        "escrow_wrong",
        "open 3",
        |events, log| {
            let without_hosts = SecretEscrowed {
                draw: 3,
                ..escrowed(log, 0)
            };
            events.push(without_hosts.into());
        },
        "open 3",
        1,
    ),
    (
        "draw_unknown",
        "hosts 4",
        |events, log| {
            let unknown = SecretEscrowed {
                draw: 9,
                ..escrowed(log, 0)
            };
            events.push(unknown.into());
        },
        "hosts 4",
        1,
    ),
    // Nothing comes back from where nothing was given.
    (
        "host_signature_wrong",
        "signed 4",
        |events, log| restores(events, log, 0),
        "signed 4",
        0,
    ),
    (
        "host_signature_wrong",
        "signed 4",
        |events, log| keeps(events, log, 0),
        "signed 4",
        0,
    ),
    // A host that gave halves says so: its 70 is not left out, nor one put in.
    (
        "host_signature_wrong",
        "hosts 4",
        |events, log| events.push(escrowed(log, 0).into()),
        "signed 4",
        0,
    ),
];

const OF_TWO: &[OfTwo] = &[
    (
        "host_signature_wrong",
        [
            ("hosts 4", |events, log| {
                events.push(escrowed(log, 0).into());
            }),
            ("signed 4", |events, log| {
                keeps(events, log, 0);
                restores(events, log, 1);
            }),
        ],
        "signed 4",
        0,
    ),
    // The machine has nothing in escrow.
    (
        "host_signature_wrong",
        [
            ("hosts 4", |events, log| {
                events.push(escrowed(log, 0).into());
            }),
            ("signed 4", |events, log| {
                restores(events, log, 0);
                let Some(Event::HostsSigned(body)) = events.first_mut() else {
                    panic!("another kind stands here");
                };
                body.signatures[0] = body.signatures[1].clone();
            }),
        ],
        "signed 4",
        0,
    ),
];

const LAWFUL: &[[(&str, Change); 2]] = &[
    [
        ("hosts 4", |events, log| {
            events.extend([escrowed(log, 0).into(), escrowed(log, 1).into()]);
        }),
        ("signed 4", |events, log| {
            keeps(events, log, 0);
            keeps(events, log, 1);
        }),
    ],
    [
        ("hosts 4", |events, log| {
            events.push(escrowed(log, 1).into())
        }),
        ("signed 4", |events, log| restores(events, log, 1)),
    ],
    [
        ("hosts 4", |events, log| {
            events.extend([escrowed(log, 0).into(), escrowed(log, 1).into()]);
        }),
        ("signed 4", |events, log| {
            restores(events, log, 0);
            restores(events, log, 1);
        }),
    ],
];

#[test]
fn escrow_as_it_may_be_is_found_lawful_and_what_came_back_is_named() {
    let restored = |log: &Log| {
        let outcome = judged(log);
        assert_eq!(outcome.findings, []);
        let draw = outcome.replay.draw(DRAW).unwrap();
        [0, 1].map(|holder| draw.is_restored(HOUSE, holder))
    };
    let found: Vec<[bool; 2]> = LAWFUL
        .iter()
        .map(|changes| restored(&play(Fault::Both(*changes))))
        .collect();
    assert_eq!(found, [[false, false], [false, true], [true, true]]);
    assert_eq!(restored(&play(Fault::None)), [false, false]);
}

#[test]
fn what_comes_back_was_given_by_that_holder() {
    for (name, changes, label, offset) in OF_TWO {
        let log = play(Fault::Both(*changes));
        assert_eq!(missed(&log, name, label, *offset), None);
    }
}

#[test]
fn the_verifier_in_python_finds_the_same_first() {
    let planted = PLANTED.iter().map(|it| Fault::Events(it.1, it.2));
    let of_two = OF_TWO.iter().map(|it| Fault::Both(it.1));
    let lawful = LAWFUL.iter().map(|it| Fault::Both(*it));
    let logs: Vec<Log> = planted.chain(of_two).chain(lawful).map(play).collect();
    assert_eq!(judged_alike(&logs), LAWFUL.len());
}
