//! Any bytes whatever, given to everything that reads bytes from outside: what is asked is an
//! answer, in time, and no panic. Arithmetic is checked.

use std::str::FromStr;

use keno_audit::replay::{Options, Replay};
use keno_audit::verify::{Outside, verify};
use keno_log::access::{AccessAnchor, AccessRecord};
use keno_log::event::{Event, EventKind};
use keno_log::hash::sha256;
use keno_log::leaf::{Entry, Leaf, LeafHeader, body_commitment};
use keno_wire::claim_code::ClaimCode;

/// The first entry of a replay is at this time: 2026-11-20 12:00 in Toronto.
const BEGINS_MS: i64 = 1_795_194_000_000;
/// Its business day.
const BEGINS_DAY: u32 = 20_261_120;

/// An export as it comes from anywhere.
pub fn export(bytes: &[u8]) {
    let _ = verify(bytes, Outside::default(), Options::default());
    let _ = keno_audit::compare::read_log(bytes, &[]);
}

/// Entries whose bytes are right and whose meaning is anything: each is a kind, a length of two
/// bytes and a body; headers and hashes are made around them.
pub fn replay(bytes: &[u8]) {
    let mut replay = Replay::new(Options::default());
    for (index, (kind, body)) in (0_u64..).zip(facts(bytes)) {
        let draw = Event::decode(kind, body).map_or(0, |event| event.draw());
        let nonce = sha256(&index.to_be_bytes());
        let header = LeafHeader {
            kind,
            index,
            at_ms: BEGINS_MS + i64::try_from(index).unwrap_or(0) * 60_000,
            business_day: BEGINS_DAY,
            draw,
        };
        let commitment = body_commitment(&nonce, body);
        replay.push(&Entry {
            leaf: Leaf { header, commitment },
            nonce,
            body: body.to_vec(),
        });
    }
    let _ = (replay.findings().len(), replay.totals());
}

/// The kinds and bodies that bytes stand for.
fn facts(mut bytes: &[u8]) -> Vec<(EventKind, &[u8])> {
    let mut facts = Vec::new();
    while let Some((&[kind, high, low], rest)) = bytes.split_first_chunk() {
        let length = usize::from(u16::from_be_bytes([high, low])).min(rest.len());
        let (body, rest) = rest.split_at(length);
        bytes = rest;
        if let Some(kind) = EventKind::from_number(kind) {
            facts.push((kind, body));
        }
    }
    facts
}

/// The bytes that stand for facts.
pub fn of_facts<'a>(facts: impl Iterator<Item = (u8, &'a [u8])>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (kind, body) in facts {
        if let Ok(length) = u16::try_from(body.len()) {
            bytes.push(kind);
            bytes.extend_from_slice(&length.to_be_bytes());
            bytes.extend_from_slice(body);
        }
    }
    bytes
}

/// A rule book, by both programs that judge one: neither accepts what the other refuses for its
/// returns.
pub fn rule_book(bytes: &[u8]) {
    let read = keno_book::rules_file::read_bytes(bytes);
    let Ok(text) = std::str::from_utf8(bytes) else {
        assert!(read.is_err(), "a book that is not UTF-8");
        return;
    };
    let parsed = keno_audit::rule_book::RuleBook::parse(text);
    if read.is_ok() {
        // What central publishes the audit reads, and finds above 65 %.
        let book = parsed.unwrap_or_else(|fault| panic!("the audit refuses it: {fault}"));
        let lines = keno_audit::returns::returns(&book).unwrap_or_else(|fault| panic!("{fault}"));
        assert!(lines.iter().all(|line| !line.rate.is_below_least()));
    } else if let Ok(book) = parsed {
        let _ = keno_audit::returns::returns(&book);
    }
}

/// Checkpoints, keys, proofs, papers and access logs.
pub fn checkpoint(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let _ = keno_log::checkpoint::Note::parse(text);
    let _ = keno_log::checkpoint::VerifyingKey::parse(text);
    let _ = keno_log::tile::Tile::parse_path(text);
    let _ = keno_audit::compare::state_of_code(text);
    let _ = keno_audit::compare::states_of_file(text);
    let _ = keno_audit::compare::proof_of_reply(text);
    let _ = keno_log::access::judge_export(text, &[], None);
    if let Some(anchor) = AccessAnchor::parse(text) {
        let again = AccessAnchor::parse(&anchor.line());
        assert_eq!(
            again,
            Some(anchor),
            "an anchor that is not read as it was written"
        );
    }
}

/// What a machine that reads its own balls says, or somebody on its wire: from the first balls on, a
/// ball counts that is the next, in the pool and no other's, and none after what stops the line.
pub fn ball_line(bytes: &[u8]) {
    use keno_draw::ball_line::{Frame, Lines, NoFrame, Question, read};
    use keno_draw::ball_reader::{BallReader, Heard};

    // No checksum is hit by chance: behind a plus sign each line is given its own.
    let summed = bytes.strip_prefix(b"+").map(|lines| {
        let lines = lines.split(|byte| *byte == b'\r');
        lines.flat_map(with_checksum).collect::<Vec<u8>>()
    });
    let bytes = summed.as_deref().unwrap_or(bytes);
    let (pool_size, drawn) = (80, 20);
    let mut reader = BallReader::new(7, (pool_size, drawn), None, Vec::new(), 0);
    let mut lines = Lines::default();
    for (now, byte) in (0_i64..).zip(bytes) {
        let Some(line) = lines.take(*byte) else {
            continue;
        };
        let _ = Question::read(&line);
        let read: Result<Frame, NoFrame> = read(line);
        if let Ok(frame) = &read {
            let mut again = Lines::default();
            let said = frame.to_bytes();
            let said = said.iter().find_map(|byte| again.take(*byte));
            assert_eq!(
                said.map(keno_draw::ball_line::read),
                Some(Ok(frame.clone()))
            );
        }
        let (before, had_stopped) = (reader.balls().to_vec(), reader.has_stopped());
        let heard = reader.hear(read, now, BEGINS_MS + now);
        assert!(
            reader.balls().starts_with(&before),
            "a ball that counts is another"
        );
        for one in heard {
            assert!(
                !had_stopped,
                "something is heard after the line has stopped"
            );
            if let Heard::Ball {
                position, number, ..
            } = one
            {
                assert_eq!(usize::from(position), before.len() + 1);
                assert!((1..=pool_size).contains(&number) && !before.contains(&number));
            }
        }
        assert!(reader.balls().len() <= usize::from(drawn));
    }
}

fn with_checksum(line: &[u8]) -> Vec<u8> {
    let crc = format!(",{:08X}\r", crc32fast::hash(line));
    [line, crc.as_bytes()].concat()
}

/// Codes that somebody scans or types.
pub fn code(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let _ = keno_wire::claim_code::read_secret(text);
    if let Ok(code) = ClaimCode::parse(text) {
        assert_eq!(
            ClaimCode::parse(&code.text()),
            Ok(code),
            "a code in two readings"
        );
    }
    let _ = keno_wire::claim_code::PaperCode::parse(text);
    let _ = keno_wire::claim_code::reference(text);
    let _ = keno_wire::claim_code::file_code(text);
    let _ = keno_wire::slip_code::SlipCode::parse(text);
    let _ = keno_wire::enrolment::EnrolmentCode::read(text);
    let _ = keno_game::ControlNumber::parse(text);
    let _ = keno_game::Cents::from_str(text);
    let _ = keno_schema::postgres_address::PostgresAddress::parse(text);
}

/// A fact of each kind, a leaf, a line of an access log, a transcript: what is read is written again as it was.
pub fn record(bytes: &[u8]) {
    let Some((&number, body)) = bytes.split_first() else {
        return;
    };
    if let Some(kind) = EventKind::from_number(number)
        && let Ok(event) = Event::decode(kind, body)
    {
        assert_eq!(event.encode(), body, "a {} in two encodings", kind.name());
    }
    if let Ok(leaf) = Leaf::from_bytes(body) {
        assert_eq!(leaf.to_bytes(), body);
    }
    if let Ok(line) = AccessRecord::from_bytes(body) {
        assert_eq!(
            line.to_bytes(),
            body,
            "a line of an access log in two encodings"
        );
    }
    let _ = keno_draw::transcript::Transcript::decode(body);
}
