//! Whatever stands in a body, there is an answer: every extreme value in every field of every kind
//! of entry, alone and two together, in a log that is signed anew around them. A panic, an
//! arithmetic overflow (these builds check for it) or an answer that does not come fails.
//!
//! The short form takes what chance of a fixed seed picks; `BOULIER_EXTREMES=SECONDS` goes on for
//! so long, with all that stand alone first.

#![allow(clippy::unwrap_used)] // a failure here is the test's own
#![expect(
    clippy::disallowed_methods,
    reason = "a long run is given so many seconds"
)]

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use keno_audit::{Options, Outside, verify};
use keno_log::leaf::{Entry, Leaf, body_commitment};
use keno_log::{Event, EventKind};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

use crate::support::scenario::play;
use crate::support::{Fault, Log};

const FORMAT: &str = include_str!("../../log/FORMAT.md");
const LEAVES: &str = include_str!("../../log/vectors/leaves.txt");

/// An answer to a log of some dozens of entries; a sound one takes some milliseconds, here too.
const ANSWER_MAX: Duration = Duration::from_secs(10);
/// Logs that the short form judges, of one extreme value and of two.
const SHORT: usize = 700;

/// Fields with their types, in order.
type Fields = Vec<(String, String)>;

/// The types of the log as the document lists them: kinds by number, records by name.
struct Types {
    kinds: BTreeMap<u8, Fields>,
    records: BTreeMap<String, Fields>,
}

fn types() -> Types {
    let mut pieces = FORMAT.split("\n### ");
    let general = pieces.next().unwrap();
    let pair = |text: &str| {
        let (name, kind) = text.split_once(" `")?;
        Some((
            name.trim_matches('`').to_owned(),
            kind.trim_end_matches('`').to_owned(),
        ))
    };
    let records = general
        .lines()
        .filter_map(|line| {
            line.strip_prefix("| `")?
                .strip_suffix(" |")?
                .split_once("` | ")
        })
        .filter(|(name, _)| name.starts_with(char::is_uppercase))
        .filter_map(|(name, fields)| {
            let fields: Option<Fields> = fields.split(", ").map(pair).collect();
            Some((name.to_owned(), fields?))
        })
        .collect();
    let kinds = pieces
        .filter_map(|text| {
            let number = text.split(' ').next()?.parse().ok()?;
            let fields = text.lines().filter_map(|line| {
                let mut cells = line.strip_prefix("| `")?.split("` | `");
                Some((
                    cells.next()?.to_owned(),
                    cells.next()?.split('`').next()?.to_owned(),
                ))
            });
            Some((number, fields.collect()))
        })
        .collect();
    Types { kinds, records }
}

/// A value within a body: where it stands, and what type it is of.
#[derive(Debug, Clone)]
struct Spot {
    place: String,
    kind: String,
    bytes: Range<usize>,
}

impl Types {
    /// The length of a value at the front of `body`; notes it, and the values within it.
    fn walk(&self, body: &[u8], at: usize, place: &str, kind: &str, out: &mut Vec<Spot>) -> usize {
        let count = |at: usize| u32::from_be_bytes(body[at..at + 4].try_into().unwrap()) as usize;
        let mine = out.len();
        out.push(Spot {
            place: place.to_owned(),
            kind: kind.to_owned(),
            bytes: at..at,
        });
        let inner = kind
            .split_once('<')
            .map(|(_, rest)| rest.strip_suffix('>').unwrap());
        let end = match (kind, inner) {
            ("u8" | "bool", _) => at + 1,
            ("u16", _) => at + 2,
            ("u32", _) => at + 4,
            ("u64" | "i64", _) => at + 8,
            ("Hash", _) => at + 32,
            ("String", _) => at + 4 + count(at),
            (_, Some(of)) if kind.starts_with("Option") => match body[at] {
                0 => at + 1,
                _ => self.walk(body, at + 1, &format!("{place}?"), of, out),
            },
            (_, Some(of)) => (0..count(at)).fold(at + 4, |at, number| {
                self.walk(body, at, &format!("{place}[{number}]"), of, out)
            }),
            (record, None) => self.records[record].iter().fold(at, |at, (name, kind)| {
                self.walk(body, at, &format!("{place}.{name}"), kind, out)
            }),
        };
        out[mine].bytes = at..end;
        end
    }

    /// Every value of a body.
    fn spots(&self, kind: EventKind, body: &[u8]) -> Vec<Spot> {
        let mut out = Vec::new();
        // What was added to a kind stands at the end of its body, or nowhere.
        let end =
            self.kinds[&kind.number()]
                .iter()
                .fold(0, |at, (name, of)| match at == body.len() {
                    true => at,
                    false => self.walk(body, at, name, of, &mut out),
                });
        assert_eq!(end, body.len(), "{kind:?}");
        out
    }

    /// What may stand at a place instead.
    fn extremes(&self, kind: &str, now: &[u8]) -> Vec<Vec<u8>> {
        let text = |text: &str| {
            [
                (text.len() as u32).to_be_bytes().as_slice(),
                text.as_bytes(),
            ]
            .concat()
        };
        let of_width = |width: usize| {
            let mut all: Vec<Vec<u8>> = Vec::new();
            for first in [0x00, 0x7f, 0x80, 0xff] {
                for rest in [0x00, 0xff] {
                    all.push([vec![first], vec![rest; width - 1]].concat());
                }
            }
            // One, and the neighbours of what stands there and of the extremes.
            let number = now
                .iter()
                .fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte));
            for near in [
                1,
                2,
                u64::MAX - 1,
                number.wrapping_add(1),
                number.wrapping_sub(1),
            ] {
                all.push(near.to_be_bytes()[8 - width..].to_vec());
            }
            all
        };
        let mut all: Vec<Vec<u8>> = match kind {
            "bool" | "u8" => (0..=5)
                .chain([127, 128, 254, 255])
                .map(|byte| vec![byte])
                .collect(),
            "u16" => of_width(2),
            "u32" => of_width(4),
            "u64" | "i64" => of_width(8),
            "Hash" => vec![vec![0; 32], vec![0xff; 32]],
            "String" => vec![
                text(""),
                text("guard"),
                text("\u{1b}[2J\u{0}"),
                text("format = 3\nversion = 4294967295\n"),
                text(&"é".repeat(40_000)),
            ],
            option if option.starts_with("Option") => vec![vec![0], vec![1; 9], vec![1; 5]],
            list if list.starts_with("Vec") => {
                let mut repeated = 0_u32.to_be_bytes().to_vec();
                let items = now.get(4..).unwrap_or_default();
                let mut all = vec![repeated.clone()];
                if !items.is_empty() {
                    // As many times as 64 KiB hold.
                    let times = (65_536 / items.len()).max(2);
                    let before = u32::from_be_bytes(now[..4].try_into().unwrap());
                    repeated = (before * times as u32).to_be_bytes().to_vec();
                    repeated.extend(items.repeat(times));
                    all.push(repeated);
                    all.push(
                        [
                            before.saturating_mul(2).to_be_bytes().as_slice(),
                            items,
                            items,
                        ]
                        .concat(),
                    );
                }
                all.push(u32::MAX.to_be_bytes().to_vec());
                all
            }
            _ => Vec::new(),
        };
        all.retain(|value| value != now);
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// One value put in the place of another.
#[derive(Debug, Clone)]
struct Change {
    entry: usize,
    spot: Spot,
    value: Vec<u8>,
}

/// A log with one sample of each kind that its story does not have.
fn whole() -> Log {
    let mut log = play(Fault::None);
    let unhex = |text: &str| -> Vec<u8> {
        let byte = |at| u8::from_str_radix(&text[at..at + 2], 16).unwrap();
        (0..text.len()).step_by(2).map(byte).collect()
    };
    for line in LEAVES.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let kind = EventKind::from_number(words[0].parse().unwrap()).unwrap();
        let has = log
            .entries
            .iter()
            .any(|entry| entry.leaf.header.kind == kind);
        if !has {
            let event = Event::decode(kind, &unhex(words[2])).unwrap();
            log.push("sample", event);
        }
    }
    log
}

/// The log with what was changed in it; leaves and tree are made anew around it.
fn with(log: &Log, changes: &[&Change]) -> Vec<u8> {
    let mut entries = log.entries.clone();
    // From the back: what comes before keeps its place.
    let mut ordered = changes.to_vec();
    ordered.sort_by_key(|change| std::cmp::Reverse((change.entry, change.spot.bytes.start)));
    for change in ordered {
        let entry = &mut entries[change.entry];
        drop(
            entry
                .body
                .splice(change.spot.bytes.clone(), change.value.iter().copied()),
        );
        let mut header = entry.leaf.header;
        if let Ok(event) = Event::decode(header.kind, &entry.body) {
            header.draw = event.draw();
        }
        let commitment = body_commitment(&entry.nonce, &entry.body);
        *entry = Entry {
            leaf: Leaf { header, commitment },
            ..entry.clone()
        };
    }
    export_of(log, entries)
}

fn export_of(log: &Log, entries: Vec<Entry>) -> Vec<u8> {
    let mut out = Vec::new();
    keno_log::export::put_magic(&mut out);
    for entry in &entries {
        keno_log::export::put_entry(entry, &entry.leaf.hash(), &mut out);
    }
    // The signature is of another tree: a finding without an entry, and nothing else.
    keno_log::export::put_end(&log.checkpoint(log.size()), &mut out);
    out
}

/// Judges a log with changes, and complains if there is no answer, none in time, or one that names
/// no entry where an entry's own bytes cannot be read any more.
fn judge(log: &Log, changes: &[&Change]) -> Result<(), String> {
    let export = with(log, changes);
    let (tell, told) = mpsc::channel();
    // A thread of its own: one that never ends is left behind, and the test goes on to say so.
    thread::spawn(move || {
        let outcome = verify(export.as_slice(), Outside::default(), Options::default()).unwrap();
        let said = keno_audit::report::text(&outcome);
        let _ = tell.send((outcome.findings, said));
    });
    let said = |what: &str| format!("{what}: {changes:?}");
    let (findings, text) = match told.recv_timeout(ANSWER_MAX) {
        Ok(answer) => answer,
        Err(RecvTimeoutError::Timeout) => return Err(said("no answer in time")),
        Err(RecvTimeoutError::Disconnected) => return Err(said("a panic")),
    };
    if text.chars().any(|one| one.is_control() && one != '\n') {
        return Err(said("the answer has control characters"));
    }
    let is_named = |index: usize| findings.iter().any(|it| it.entry == Some(index as u64));
    for change in changes {
        let kind = log.entries[change.entry].leaf.header.kind;
        let body = {
            let mut body = log.entries[change.entry].body.clone();
            drop(body.splice(change.spot.bytes.clone(), change.value.iter().copied()));
            body
        };
        if changes.len() == 1 && Event::decode(kind, &body).is_err() && !is_named(change.entry) {
            return Err(said("the entry is not named"));
        }
    }
    Ok(())
}

fn all_changes(log: &Log) -> Vec<Change> {
    let types = types();
    let mut all = Vec::new();
    for (at, entry) in log.entries.iter().enumerate() {
        for spot in types.spots(entry.leaf.header.kind, &entry.body) {
            let now = &entry.body[spot.bytes.clone()];
            for value in types.extremes(&spot.kind, now) {
                all.push(Change {
                    entry: at,
                    spot: spot.clone(),
                    value,
                });
            }
        }
    }
    all
}

/// Whether two changes can be made together.
fn go_together(one: &Change, other: &Change) -> bool {
    let (a, b) = (&one.spot.bytes, &other.spot.bytes);
    one.entry != other.entry || a.end <= b.start || b.end <= a.start
}

#[test]
fn every_kind_has_its_fields_changed() {
    let log = whole();
    let changes = all_changes(&log);
    for kind in EventKind::ALL {
        let of_kind = |change: &&Change| log.entries[change.entry].leaf.header.kind == *kind;
        let mut places: Vec<&str> = changes
            .iter()
            .filter(of_kind)
            .map(|it| it.spot.place.as_str())
            .collect();
        places.sort_unstable();
        places.dedup();
        let always = kind.fields().iter().filter(|it| !it.is_added);
        for field in always.map(|it| it.name) {
            let is_of = |place: &&str| place.split(['.', '[', '?']).next() == Some(field);
            assert!(
                places.iter().any(is_of),
                "{kind:?}.{field} is never changed"
            );
        }
    }
    assert!(changes.len() > 4_000, "{}", changes.len());
}

#[test]
fn extreme_values_alone_and_two_together_get_an_answer() {
    let log = whole();
    let changes = all_changes(&log);
    let mut chance = ChaCha20Rng::seed_from_u64(20_261_123);
    let mut pick = |below: usize| chance.next_u64() as usize % below;
    let seconds: Option<u64> = std::env::var("BOULIER_EXTREMES")
        .ok()
        .map(|it| it.parse().unwrap());
    let mut wrong = Vec::new();
    let mut judged = (0_u64, 0_u64);
    let begun = Instant::now();
    let mut alone = |change: &Change, judged: &mut (u64, u64)| {
        judged.0 += 1;
        wrong.extend(judge(&log, &[change]).err());
    };
    match seconds {
        Some(_) => changes.iter().for_each(|change| alone(change, &mut judged)),
        None => (0..SHORT).for_each(|_| alone(&changes[pick(changes.len())], &mut judged)),
    }
    let goes_on = |pairs: u64| match seconds {
        Some(seconds) => begun.elapsed() < Duration::from_secs(seconds),
        None => pairs < SHORT as u64,
    };
    while goes_on(judged.1) {
        let one = &changes[pick(changes.len())];
        // Every other pair within one entry, where they meet soonest.
        let other = if pick(2) == 0 {
            let same: Vec<&Change> = changes.iter().filter(|it| it.entry == one.entry).collect();
            same[pick(same.len())]
        } else {
            &changes[pick(changes.len())]
        };
        if go_together(one, other) {
            judged.1 += 1;
            wrong.extend(judge(&log, &[one, other]).err());
        }
    }
    println!(
        "{} changes alone, {} pairs, {:?}",
        judged.0,
        judged.1,
        begun.elapsed()
    );
    assert!(
        wrong.is_empty(),
        "{} of them, first:\n{}",
        wrong.len(),
        wrong[0]
    );
}

/// What was found first: each of these took for ever or ended the program.
#[test]
fn what_was_found_stays_answered() {
    let log = whole();
    let types = types();
    let change = |label: &str, field: &str, value: &[u8]| {
        let entry = log.at(label) as usize;
        let kind = log.entries[entry].leaf.header.kind;
        let spots = types.spots(kind, &log.entries[entry].body);
        let spot = spots.into_iter().find(|spot| spot.place == field).unwrap();
        Change {
            entry,
            spot,
            value: value.to_vec(),
        }
    };
    let most = u64::MAX.to_be_bytes();
    let least = i64::MIN.to_be_bytes();
    for changes in [
        // Cancelled later.
        vec![change("sell e", "last_draw", &most)],
        // Marked unpaid later.
        vec![change("sell f", "first_draw", &most)],
        vec![change("sell f", "last_draw", &[0; 8])],
        vec![change("pay a", "total_cents", &least)],
        vec![
            change("house", "first_draw", &most),
            change("schedule 1", "draw", &most),
        ],
    ] {
        let changes: Vec<&Change> = changes.iter().collect();
        judge(&log, &changes).unwrap();
        let export = with(&log, &changes);
        let outcome = verify(export.as_slice(), Outside::default(), Options::default()).unwrap();
        assert!(
            outcome.findings.iter().any(|it| it.entry.is_some()),
            "{changes:?}"
        );
    }
}
