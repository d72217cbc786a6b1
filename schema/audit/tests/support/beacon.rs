//! One draw more behind the story, 7: the computer draws, all of it within central, but for the second
//! holder, which is a public beacon.

use keno_log::beacon::{Beacon, Round};
use keno_testing::beacon::Network;

use super::room::started;
use super::scenario::{close, commit, scheduled};
use super::*;

/// The draw.
pub const DRAW: u64 = 7;
const OWN: Hash = [0xab; 32];

/// The network whose rounds it takes.
pub fn network() -> Network {
    Network::new(1)
}

/// What binds the draw to a beacon.
pub fn bound(beacon: &str) -> CommitmentRecorded {
    let draw = DRAW.to_be_bytes();
    let fields = [
        b"boulier/beacon/v1".as_slice(),
        HOUSE.as_bytes(),
        &draw,
        beacon.as_bytes(),
    ];
    CommitmentRecorded {
        draw: DRAW,
        position: 1,
        commitment: sha256(&prefixed(&fields)),
    }
}

/// The secret that a round of this beacon gives the draw.
pub fn secret_of(beacon: &str, signature: &[u8]) -> Hash {
    let draw = DRAW.to_be_bytes();
    let fields = [
        b"boulier/round/v1".as_slice(),
        HOUSE.as_bytes(),
        &draw,
        beacon.as_bytes(),
        signature,
    ];
    sha256(&prefixed(&fields))
}

/// The secret that a round gives the draw.
pub fn secret(signature: &[u8]) -> Hash {
    secret_of(&network().text(), signature)
}

/// The number of the draw's round: it closed when its entry says so.
pub fn round_of(log: &Log) -> u64 {
    let closed = &log.entries[log.at("close 7") as usize];
    let beacon = Beacon::parse(&network().text()).unwrap();
    beacon.round_of(closed.leaf.header.at_ms)
}

/// The story, and the draw from its announcement to its settlement.
pub fn play(fault: Fault) -> Log {
    play_after(fault, 10_000)
}

/// The same, with the numbers recorded so many milliseconds later than they could be.
pub fn play_after(fault: Fault, later_ms: i64) -> Log {
    let mut log = scenario::play(fault);
    draw(&mut log, later_ms);
    log
}

fn draw(log: &mut Log, later_ms: i64) {
    let closes_at_ms = log.time_of(log.size()) + 60_000;
    let body = DrawScheduled {
        closes_at_ms,
        draws_at_ms: closes_at_ms + 10_000,
        ..scheduled(DRAW, 1, &["machine", "drand"])
    };
    log.push("schedule 7", body);
    log.push("commit 7.0", commit(DRAW, 0, &OWN));
    log.push("commit 7.1", bound(&network().text()));
    let keys = vec![String::new(), String::new(), network().text()];
    log.push("hosts 7", HostsNamed { draw: DRAW, keys });
    log.push("open 7", DrawOpened { draw: DRAW });
    log.push("close 7", close(DRAW, 0, 0, 0));
    let seal = (log.size(), log.edge.root());
    let rule_book_hash = started(log, "start 7", DRAW, seal);
    log.later_ms += later_ms;
    // The network that was named may be another, which a round of this one does not fit.
    let beacon = match log.event("hosts 7") {
        Event::HostsNamed(body) => body.keys.last().cloned(),
        _ => None,
    };
    let beacon = beacon
        .filter(|text| text.contains(' '))
        .unwrap_or_else(|| network().text());
    let round = network().round(round_of(log));
    let signature = Round::parse(&round).unwrap().signature;
    let secrets = vec![OWN, secret_of(&beacon, &signature)];
    let (balls, words_used, words_rejected) = draw_balls(DRAW, seal, rule_book_hash, &secrets);
    let body = BallsRecorded {
        draw: DRAW,
        machine: 1,
        balls: balls.clone(),
        words_used,
        words_rejected,
        secrets_hash: sha256(&secrets.concat()),
    };
    log.push("balls 7", body);
    let signatures = vec![String::new(), String::new(), round];
    let body = HostsSigned {
        draw: DRAW,
        signatures,
    };
    log.push("signed 7", body);
    let certifiers = vec!["guard".to_owned()];
    let body = DrawCertified {
        draw: DRAW,
        certifiers,
    };
    log.push("certify 7", body);
    log.push(
        "secrets 7",
        SecretsRevealed {
            draw: DRAW,
            secrets,
        },
    );
    log.push("settle 7", settled(DRAW, &balls, &[]).0);
}
