//! A second small story: somebody follows the log. Seven draws, of which the rules of the last four say
//! that large payments wait; six are void, so that what is owed is what was wagered, and one has
//! prizes.

use keno_log::checkpoint::{Note, SigningKey};

use super::scenario::{book_of, close, drawn, entered, scheduled, staff};
use super::*;

/// From this draw on large payments wait.
pub const WAITS_FROM: u64 = 4;
/// So many minutes.
pub const MINUTES: i64 = 60;
/// What a follower begins with.
pub const BEGAN: [Hash; 3] = [[0xb1; 32], [0xb2; 32], [0xb3; 32]];
/// The draw with prizes.
const DRAWN: u64 = 5;
/// Keys that follow.
const KEYS: u8 = 2;

fn signing_key(seed: u8) -> SigningKey {
    SigningKey::from_seed("essai/suiveur", &[0x61 + seed; 32]).unwrap()
}

/// The text of a key that follows.
pub fn key_text(key: u8) -> String {
    signing_key(key).verifying_key().to_string()
}

/// The signature line of that key under a text. They all have one name.
pub fn line(key: u8, text: &str) -> String {
    let note = Note::sign(text, &signing_key(key)).unwrap();
    note.signatures()[0].to_string()
}

/// What is signed when somebody begins.
pub fn beginning(began: &Hash) -> String {
    beginning_in(HOUSE, began)
}

fn beginning_in(house: &str, began: &Hash) -> String {
    format!("boulier/follower/v1\n{house}\n{}\n", hex::encode(began))
}

/// Somebody begins.
pub fn begun(key: u8, began: Hash) -> FollowerBegan {
    FollowerBegan {
        key: key_text(key),
        began,
        signature: line(key, &beginning(&began)),
        by: "S201".to_owned(),
        second: "I601".to_owned(),
    }
}

/// Somebody begins, in the house that the log is of.
fn begun_in(log: &Log, key: u8, began: Hash) -> FollowerBegan {
    FollowerBegan {
        signature: line(key, &beginning_in(&house(log), &began)),
        ..begun(key, began)
    }
}

/// The house of a log.
fn house(log: &Log) -> String {
    let first = events(log).next();
    match first {
        Some(Event::HouseOpened(body)) => body.house,
        other => panic!("{other:?}"),
    }
}

fn events(log: &Log) -> impl DoubleEndedIterator<Item = Event> + ExactSizeIterator {
    // By its body alone: a header may be wrong on purpose.
    let event = |entry: &Entry| Event::decode(entry.leaf.header.kind, &entry.body).unwrap();
    log.entries.iter().map(event)
}

/// Key and beginning of the last who began; of the first, where nobody did.
fn last_begun(log: &Log) -> (u8, Hash) {
    let last = events(log).rev().find_map(|it| match it {
        Event::FollowerBegan(body) => Some(body),
        _ => None,
    });
    let last = last.and_then(|body| {
        let key = (0..KEYS).find(|key| key_text(*key) == body.key)?;
        Some((key, body.began))
    });
    last.unwrap_or((0, BEGAN[0]))
}

/// The entry that finished a draw.
pub fn finished_at(log: &Log, draw: u64) -> Option<u64> {
    let finishes = |it: &Event| match it {
        Event::DrawSettled(body) => body.draw == draw,
        Event::DrawVoided(body) => body.draw == draw,
        _ => false,
    };
    let at = events(log).position(|it| finishes(&it))?;
    Some(at as u64)
}

/// What the last who began says of a draw as the log has it.
pub fn said(log: &Log, draw: u64, found: &str) -> String {
    said_since(log, draw, found, &last_begun(log).1)
}

/// What is said of a draw by who began so.
pub fn said_since(log: &Log, draw: u64, found: &str, began: &Hash) -> String {
    let size = finished_at(log, draw).map_or(0, |entry| entry + 1);
    let (root, began) = (hex::encode(log.root_at(size)), hex::encode(began));
    let house = house(log);
    format!("boulier/followed/v1\n{house}\n{draw}\n{size}\n{root}\n{began}\n{found}\n")
}

fn found(finding: &str, entry: Option<u64>) -> String {
    match (finding, entry) {
        ("", None) => "agrees".to_owned(),
        ("", Some(entry)) => format!("agrees {entry}"),
        (_, None) => format!("differs {finding}"),
        (_, Some(entry)) => format!("differs {finding} {entry}"),
    }
}

/// A draw was computed again by the last who began; an empty finding agrees.
pub fn followed(log: &Log, draw: u64, finding: &str, entry: Option<u64>) -> DrawFollowed {
    let (key, began) = last_begun(log);
    followed_by(log, (key, began), draw, (finding, entry))
}

/// By who has this key and began so.
pub fn followed_by(
    log: &Log,
    (key, began): (u8, Hash),
    draw: u64,
    (finding, entry): (&str, Option<u64>),
) -> DrawFollowed {
    let text = said_since(log, draw, &found(finding, entry), &began);
    DrawFollowed {
        draw,
        finding: finding.to_owned(),
        entry,
        signature: line(key, &text),
    }
}

/// Two people open the payouts of a draw.
pub fn opened(draw: u64) -> PayoutsOpened {
    PayoutsOpened {
        draw,
        reason: "suiveur muet".to_owned(),
        by: "S201".to_owned(),
        second: "I601".to_owned(),
    }
}

/// A version of the rules of this story, and for how many minutes large payments wait.
pub fn rules(version: u32, effective_from: u64, minutes: Option<i64>) -> RuleBookPublished {
    // Another limit in each, so that the book of a ticket and that of a draw are told apart.
    let second_person = ["0.00", "3.00", "5.00", "5.00"][version as usize];
    let waits = minutes.map_or(String::new(), |it| format!("\nsecond_computation = {it}"));
    let text = book_text(version)
        .replace("draws_ahead = 1", "draws_ahead = 9")
        .replace(
            "second_person = \"622.60\"",
            &format!("second_person = \"{second_person}\"{waits}"),
        );
    book_of(version, effective_from, text)
}

/// A draw is void; its tickets, and what is given back.
pub fn voided(draw: u64, tickets: u64, refund_cents: i64) -> DrawVoided {
    DrawVoided {
        draw,
        reason: "panne".to_owned(),
        by: "S201".to_owned(),
        second: "S202".to_owned(),
        tickets,
        refund_cents,
    }
}

/// Wagers on different numbers, so many cents each.
fn sold(log: &mut Log, draws: (u64, u64), wagers: &[i64]) -> TicketSold {
    let numbers = [9_u8, 10, 11];
    let selections = numbers.iter().zip(wagers);
    let selections = selections.map(|(number, cents)| straight(&[*number], *cents));
    let selections = selections.collect();
    let mut body = ticket(log, draws, selections);
    if draws.0 >= WAITS_FROM {
        body.rule_book = 2;
    }
    body
}

/// The draw with prizes, from its start to its settlement.
fn drawn_by_people(log: &mut Log, seal: (u64, Hash), winners: [u64; 2]) {
    let rule_book_hash = rules(2, WAITS_FROM, Some(MINUTES)).hash;
    let body = DrawStarted {
        draw: DRAWN,
        seal_size: seal.0,
        seal_root: seal.1,
        rule_book_hash,
    };
    log.push("start 5", body);
    let balls: Vec<u8> = (1..=20).collect();
    for (position, number) in (1_u8..).zip(&balls) {
        log.push("enter", entered(DRAWN, position, *number, "M301"));
        log.push("enter too", entered(DRAWN, position, *number, "M302"));
        log.push("ball", drawn(DRAWN, position, *number));
    }
    let body = BallsRecorded {
        draw: DRAWN,
        machine: 2,
        balls: balls.clone(),
        words_used: 0,
        words_rejected: 0,
        secrets_hash: [0; 32],
    };
    log.push("balls 5", body);
    let certifiers = vec!["M301".to_owned(), "M302".to_owned()];
    let body = DrawCertified {
        draw: DRAWN,
        certifiers,
    };
    log.push("certify 5", body);
    let ways = [
        (winners[0], vec![1, 2, 3, 4, 5], 50),
        (winners[1], vec![1, 2], 50),
    ];
    log.push("settle 5", settled(DRAWN, &balls, &ways).0);
}

/// The house, its people and rules, a counter, and seven draws that are open.
fn begin(log: &mut Log) {
    let house = HouseOpened {
        house: HOUSE.to_owned(),
        name: "Maison d'essai".to_owned(),
        zone: "America/Toronto".to_owned(),
        log_key: log.verifier_key(),
        first_draw: 1,
    };
    log.push("house", house);
    staff(log);
    log.push("book 1", rules(1, 1, None));
    log.push("book 2", rules(2, WAITS_FROM, Some(MINUTES)));
    let session = SessionOpened {
        session: 1,
        device: 7,
        badge: "C142".to_owned(),
        token_hash: [1; 32],
    };
    log.push("session", session);
    let shift = ShiftOpened {
        shift: 1,
        device: 7,
        badge: "C142".to_owned(),
        float_cents: 50_000,
    };
    log.push("shift", shift);
    for draw in 1..=7 {
        log.push("schedule", scheduled(draw, 2, &[]));
        let label = if draw == 7 { "open 7" } else { "open" };
        log.push(label, DrawOpened { draw });
    }
}

/// Writes the story; `fault` is what is done to it on purpose.
pub fn play(fault: Fault) -> Log {
    let mut log = Log::new(fault);
    begin(&mut log);
    story(&mut log);
    log
}

/// The draws from their sales on, what is said of them, and what is paid.
fn story(log: &mut Log) {
    let body = sold(log, (1, 1), &[150, 150]);
    let a = log.push("sell a", body);
    let body = sold(log, (2, 2), &[150, 150]);
    let b = log.push("sell b", body);
    let body = sold(log, (2, 2), &[150, 100]);
    let small_b = log.push("sell small b", body);
    let body = sold(log, (3, 3), &[150, 150]);
    let c = log.push("sell c", body);
    // Each draw for less than the limit, both together for more; the first is under the first rules.
    let body = sold(log, (3, 4), &[150]);
    let d = log.push("sell d", body);
    let body = sold(log, (4, 4), &[200, 200, 100]);
    let e = log.push("sell e", body);
    let mut body = ticket(log, (5, 5), vec![straight(&[1, 2, 3, 4, 5], 50)]);
    body.rule_book = 2;
    let f = log.push("sell f", body);
    let mut body = ticket(log, (5, 5), vec![straight(&[1, 2], 50)]);
    body.rule_book = 2;
    let small_f = log.push("sell small f", body);
    let body = sold(log, (6, 6), &[200, 200, 100]);
    let g = log.push("sell g", body);
    let body = sold(log, (6, 6), &[200, 200, 50]);
    let small_g = log.push("sell small g", body);
    let body = sold(log, (6, 7), &[200, 50]);
    let h = log.push("sell h", body);
    let body = sold(log, (7, 7), &[200, 200, 100]);
    let i = log.push("sell i", body);

    log.push("close 5", close(DRAWN, 2, 2, 100));
    let seal = (log.size(), log.edge.root());
    // Finished before anybody follows: the first waits for nobody, the other for whoever comes.
    log.push("void 1", voided(1, 1, 300));
    log.push("void 4", voided(4, 2, 650));
    let body = begun_in(log, 0, BEGAN[0]);
    log.push("begin", body);
    log.push("void 2", voided(2, 2, 550));
    log.push("void 3", voided(3, 2, 450));
    log.push("void 7", voided(7, 2, 750));
    log.push("void 6", voided(6, 3, 1_200));
    drawn_by_people(log, seal, [f, small_f]);

    let body = payment(log, a, &[(1, 2, 300)]);
    log.push("pay a", body);
    let body = payment(log, c, &[(3, 2, 300)]);
    log.push("pay c", body);
    let body = payment(log, small_f, &[(5, 1, 250)]);
    log.push("pay small f", body);
    let body = payment(log, small_g, &[(6, 2, 450)]);
    log.push("pay small g", body);
    let body = followed(log, DRAWN, "", None);
    log.push("agree 5", body);
    let body = payment(log, f, &[(5, 1, 22_500)]);
    log.push("pay f", body);
    // Draw 3 is not released, and keeps no payment of it.
    let body = followed(log, 4, "", None);
    log.push("agree 4", body);
    let body = payment(log, e, &[(4, 2, 500)]);
    log.push("pay e", body);
    let body = payment(log, d, &[(3, 2, 150), (4, 2, 150)]);
    log.push("pay d", body);
    let body = followed(log, 2, "void_totals", Some(41));
    log.push("differ 2", body);
    let body = followed(log, 7, "void_wrong", None);
    log.push("differ 7", body);
    let body = begun_in(log, 1, BEGAN[1]);
    log.push("begin anew", body);
    let body = followed(log, 2, "", None);
    log.push("agree 2", body);
    let body = payment(log, b, &[(2, 2, 300)]);
    log.push("pay b", body);
    let body = payment(log, small_b, &[(2, 2, 250)]);
    log.push("pay small b", body);
    let body = followed(log, 7, "void_wrong", None);
    log.push("differ 7 again", body);
    log.push("payouts 7", opened(7));
    let body = payment(log, i, &[(7, 2, 500)]);
    log.push("pay i", body);
    wait(log);
    log.push("payouts 6", opened(6));
    let body = payment(log, g, &[(6, 2, 500)]);
    log.push("pay g", body);
    let body = payment(log, h, &[(6, 2, 250), (7, 2, 250)]);
    log.push("pay h", body);
    let body = followed(log, 3, "void_totals", Some(0));
    log.push("differ 3", body);
    let body = begun_in(log, 1, BEGAN[2]);
    log.push("begin again", body);
    let body = followed(log, 3, "", None);
    log.push("agree 3", body);
}

/// The next entry comes the moment at which two may open draw 6.
fn wait(log: &mut Log) {
    let since_ms = finished_at(log, 6).map_or(0, |at| log.entries[at as usize].leaf.header.at_ms);
    let until_ms = since_ms + MINUTES * 60_000;
    log.later_ms = (until_ms - log.time_of(log.size())).max(0);
}
