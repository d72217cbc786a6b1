//! The draw room of the story: three sets of balls, draw 5 of the computer whose secrets choose one of
//! them, and draw 6, which is held with it.

use keno_log::hash::sha256;

use super::scenario::{close, commit, drawn, entered, scheduled};
use super::*;

/// Names of the sets.
pub const SETS: [&str; 3] = ["jeu 1", "jeu 2", "jeu 3"];
/// Secrets of draw 5.
pub const CHOOSING: [Hash; 2] = [[0x6a; 32], [0x77; 32]];
/// Secrets of a draw 7, where a test has one.
pub const AGAIN: [Hash; 2] = [[0x88; 32], [0x99; 32]];
/// A day, in milliseconds.
pub const DAY_MS: i64 = 86_400_000;
/// Three in the morning of the day on which the room is open.
const ROOM_DAY_MS: i64 = FIRST_DAY_MS + 55 * DAY_MS;
/// Number of the desk.
const DESK: u32 = 12;

/// When an entry of that day is written.
pub fn time_of(entry: u64) -> i64 {
    ROOM_DAY_MS + entry as i64 * 1_000
}

/// A set of eighty balls that passed.
pub fn measured(set: &str) -> BallSetMeasured {
    BallSetMeasured {
        set: set.to_owned(),
        masses_mg: (0..80).map(|ball| 2_700 + ball % 5).collect(),
        gauge: 1,
        instruments: "balance 4, calibre 2".to_owned(),
        least_mg: 2_700,
        most_mg: 2_704,
        most_draws: 100,
        good_until_ms: ROOM_DAY_MS + 30 * DAY_MS,
        by: "M301".to_owned(),
        second: "M302".to_owned(),
    }
}

/// These sets are offered to the secrets of a draw.
pub fn offered(draw: u64, sets: &[&str], reason: &str) -> BallSetsOffered {
    BallSetsOffered {
        sets: sets.iter().map(|set| (*set).to_owned()).collect(),
        draw,
        reason: reason.to_owned(),
        by: "M301".to_owned(),
        second: "M302".to_owned(),
    }
}

/// The set that the secrets of a draw choose.
pub fn chosen(draw: u64, secrets: &[Hash], sets: &[String]) -> String {
    let mut text = format!("boulier/ball-set/v1\n{HOUSE}\n{draw}\n");
    for secret in secrets {
        text += &hex::encode(secret);
        text.push('\n');
    }
    for set in sets {
        text += set;
        text.push('\n');
    }
    let digest = sha256(text.as_bytes());
    let place = digest[..8].iter().fold(0_u128, |number, byte| {
        (number * 256 + u128::from(*byte)) % sets.len() as u128
    });
    sets[place as usize].clone()
}

/// The room is opened with this set, by the choice of a draw.
pub fn opened_with(set: &str, draw: u64) -> DrawRoomOpened {
    DrawRoomOpened {
        set: set.to_owned(),
        draw,
        counted: 80,
        camera: "caméra 3, 19:02".to_owned(),
        by: "M301".to_owned(),
        second: "M302".to_owned(),
    }
}

/// The room is opened with what was chosen by the last offer in the log, and these secrets of its draw.
pub fn opened_by(log: &Log, secrets: &[Hash]) -> DrawRoomOpened {
    // By its body alone: a header may be wrong on purpose.
    let event = |entry: &Entry| Event::decode(entry.leaf.header.kind, &entry.body).unwrap();
    let offer = log.entries.iter().rev().find_map(|it| match event(it) {
        Event::BallSetsOffered(body) => Some(body),
        _ => None,
    });
    let offer = offer.filter(|offer| !offer.sets.is_empty());
    offer.map_or_else(
        || opened_with(SETS[0], 5),
        |offer| opened_with(&chosen(offer.draw, secrets, &offer.sets), offer.draw),
    )
}

/// The room's day is over (0), or passes to other people (1).
pub fn ended(goes_on: u8) -> DrawRoomEnded {
    DrawRoomEnded {
        goes_on,
        by: "M301".to_owned(),
        second: "M302".to_owned(),
    }
}

/// A draw is held later.
pub fn postponed(draw: u64, draws_at_ms: i64) -> DrawPostponed {
    DrawPostponed {
        draw,
        draws_at_ms,
        reason: "trémie bloquée".to_owned(),
        by: "S201".to_owned(),
        second: "M302".to_owned(),
    }
}

/// Something happened.
pub fn incident(draw: Option<u64>) -> IncidentLogged {
    IncidentLogged {
        draw,
        text: "porte ouverte".to_owned(),
        camera: "caméra 1, 19:20".to_owned(),
        by: "M301".to_owned(),
        device: DESK,
    }
}

/// The announcement of a draw of balls on the day of the room.
pub fn scheduled_then(draw: u64, holders: &[&str]) -> DrawScheduled {
    let closes_at_ms = ROOM_DAY_MS + 600_000;
    DrawScheduled {
        closes_at_ms,
        draws_at_ms: closes_at_ms + 10_000,
        ..scheduled(draw, 2, holders)
    }
}

pub fn started(log: &mut Log, label: &'static str, draw: u64, seal: (u64, Hash)) -> Hash {
    let rule_book_hash = sha256(book_text(2).as_bytes());
    let body = DrawStarted {
        draw,
        seal_size: seal.0,
        seal_root: seal.1,
        rule_book_hash,
    };
    log.push(label, body);
    rule_book_hash
}

/// A day of the room, from the first measuring on.
pub fn day(log: &mut Log) {
    log.push("measure 1", measured(SETS[0]));
    log.push("measure 2", measured(SETS[1]));
    log.push("measure 3", measured(SETS[2]));
    log.push("schedule 5", scheduled(5, 1, &["machine", "audit"]));
    log.push("commit 5.0", commit(5, 0, &CHOOSING[0]));
    log.push("commit 5.1", commit(5, 1, &CHOOSING[1]));
    log.push("open 5", DrawOpened { draw: 5 });
    log.push("schedule 6", scheduled_then(6, &[]));
    log.push("open 6", DrawOpened { draw: 6 });
    log.push("offer", offered(5, &SETS, ""));
    log.push("close 5", close(5, 0, 0, 0));
    choose(log);
    let body = opened_by(log, &CHOOSING);
    log.push("room", body);
    log.push("close 6", close(6, 0, 0, 0));
    let seal = (log.size(), log.edge.root());
    log.push("postpone 6", postponed(6, ROOM_DAY_MS + 3_600_000));
    started(log, "start 6", 6, seal);
    log.push("others", ended(1));
    let balls: Vec<u8> = (21..=40).collect();
    for (position, number) in (1_u8..).zip(&balls) {
        log.push("enter of 6", entered(6, position, *number, "M301"));
        log.push("enter of 6 too", entered(6, position, *number, "M302"));
        log.push("ball of 6", drawn(6, position, *number));
    }
    let body = BallsRecorded {
        draw: 6,
        machine: 2,
        balls: balls.clone(),
        words_used: 0,
        words_rejected: 0,
        secrets_hash: [0; 32],
    };
    log.push("balls 6", body);
    let certifiers = vec!["M301".to_owned(), "M302".to_owned()];
    let body = DrawCertified {
        draw: 6,
        certifiers,
    };
    log.push("certify 6", body);
    log.push("settle 6", settled(6, &balls, &[]).0);
    log.push("incident", incident(Some(6)));
    log.push("incident of no draw", incident(None));
    log.push("room ends", ended(0));
}

/// The computer's draw whose secrets choose.
fn choose(log: &mut Log) {
    let seal = (log.size(), log.edge.root());
    let rule_book_hash = started(log, "start 5", 5, seal);
    let (balls, used, rejected) = draw_balls(5, seal, rule_book_hash, &CHOOSING);
    let body = BallsRecorded {
        draw: 5,
        machine: 1,
        balls: balls.clone(),
        words_used: used,
        words_rejected: rejected,
        secrets_hash: sha256(&CHOOSING.concat()),
    };
    log.push("balls 5", body);
    let certifiers = vec!["guard".to_owned()];
    let body = DrawCertified {
        draw: 5,
        certifiers,
    };
    log.push("certify 5", body);
    let secrets = CHOOSING.to_vec();
    log.push("secrets 5", SecretsRevealed { draw: 5, secrets });
    log.push("settle 5", settled(5, &balls, &[]).0);
}
