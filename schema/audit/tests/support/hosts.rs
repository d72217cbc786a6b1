//! The hosts of draw 4 of the story: its machine and its two holders, each with a key of its own.

use keno_log::checkpoint::{Note, SigningKey};

use super::*;

/// Names of the hosts: the machine, then the holders in their order.
const NAMES: [&str; 3] = ["essai/boulier", "essai/appareil", "essai/audit"];

/// The key of a host, 0 for the machine.
fn key(place: usize) -> SigningKey {
    SigningKey::from_seed(NAMES[place], &[0x51 + place as u8; 32]).unwrap()
}

/// The text form of that key.
pub fn key_text(place: usize) -> String {
    key(place).verifying_key().to_string()
}

/// Machine and both holders of a draw on hosts.
pub fn named(draw: u64) -> HostsNamed {
    HostsNamed {
        draw,
        keys: (0..NAMES.len()).map(key_text).collect(),
    }
}

/// The signature line of a host under a text.
pub fn line(place: usize, text: &str) -> String {
    let note = Note::sign(text, &key(place)).unwrap();
    note.signatures()[0].to_string()
}

/// The line of somebody who has the name of a host, and another key.
pub fn line_of_another(place: usize, text: &str) -> String {
    let key = SigningKey::from_seed(NAMES[place], &[0x77; 32]).unwrap();
    Note::sign(text, &key).unwrap().signatures()[0].to_string()
}

/// What a host says of a draw as the log has it so far; none before its numbers.
pub fn said(log: &Log, draw: u64, place: usize) -> Option<String> {
    // By its body alone: a header may be wrong on purpose.
    let event = |entry: &Entry| Event::decode(entry.leaf.header.kind, &entry.body).unwrap();
    let events = || log.entries.iter().map(event);
    let closed =
        events().position(|it| matches!(it, Event::DrawClosed(body) if body.draw == draw))?;
    let size = closed as u64 + 1;
    let root = hex::encode(log.root_at(size));
    let about = |tag: &str, of: &Hash| {
        format!(
            "{tag}\n{HOUSE}\n{draw}\n{size}\n{root}\n{}\n",
            hex::encode(of)
        )
    };
    if place > 0 {
        let commitment = events().find_map(|it| match it {
            Event::CommitmentRecorded(body)
                if (body.draw, usize::from(body.position)) == (draw, place - 1) =>
            {
                Some(body.commitment)
            }
            _ => None,
        });
        return Some(about("boulier/secret/v1", &commitment?));
    }
    let rules = events().find_map(|it| match it {
        Event::DrawStarted(body) if body.draw == draw => Some(body.rule_book_hash),
        _ => None,
    });
    let balls = events().find_map(|it| match it {
        Event::BallsRecorded(body) if body.draw == draw => Some(body.balls),
        _ => None,
    });
    let balls: Vec<String> = balls?.iter().map(ToString::to_string).collect();
    let balls = balls.join(" ");
    Some(format!("{}{balls}\n", about("boulier/balls/v1", &rules?)))
}

/// Machine and both holders have signed; where one has nothing to say of the draw, nothing.
pub fn signed(log: &Log, draw: u64) -> HostsSigned {
    let signature = |place| said(log, draw, place).map_or(String::new(), |text| line(place, &text));
    HostsSigned {
        draw,
        signatures: (0..NAMES.len()).map(signature).collect(),
    }
}
