//! A small house that writes a log, for tests: it signs, seals and draws as the documents say,
//! by other code than the crate under test (library HKDF and ChaCha, prizes from ways written
//! out by hand).

// Each test program uses a part of it.
#![allow(dead_code)]
// A story that cannot be written fails its test.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::sync::Mutex;

use hkdf::Hkdf;
use keno_log::checkpoint::{Checkpoint, SigningKey, sign};
use keno_log::encode::Field as _;
use keno_log::event::*;
use keno_log::export::{put_end, put_entry, put_magic};
use keno_log::hash::{leaf_hash, sha256};
use keno_log::leaf::{Entry, Leaf, LeafHeader, body_commitment};
use keno_log::tree::{Edge, root_of};
use keno_log::{CommandKey, Event, Hash};

pub mod beacon;
pub mod follower;
pub mod hosts;
pub mod read;
pub mod room;
pub mod scenario;
pub mod table;
pub mod value;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};
use sha2::Sha256;

pub const HOUSE: &str = "essai";

/// Three in the morning of the story's first day, 2026-01-05, in Toronto.
pub const FIRST_DAY_MS: i64 = 1_767_600_000_000;

/// Replaces what is about to be written under a label.
pub type Change = fn(&mut Vec<Event>, &Log);

/// What is done on purpose to a log while it is written.
#[derive(Clone, Copy)]
pub enum Fault {
    None,
    /// Changes, adds or drops events at a label.
    Events(&'static str, Change),
    /// Does so at two labels.
    Both([(&'static str, Change); 2]),
    /// Does so at as many as there are.
    Each(&'static [(&'static str, Change)]),
    /// Does what a row of a table says.
    Row(&'static table::Row),
    /// Changes the header of the leaf at a label.
    Header(&'static str, fn(&mut LeafHeader)),
}

pub struct Log {
    pub entries: Vec<Entry>,
    /// Roots by size, of those that were asked for while it is written.
    roots: Mutex<BTreeMap<u64, Hash>>,
    pub labels: Vec<(&'static str, u64)>,
    pub day: u32,
    /// How much later than one second an entry everything is written, from here on.
    pub later_ms: i64,
    pub counter: u64,
    pub edge: Edge,
    fault: Fault,
    key: SigningKey,
}

impl Log {
    /// The event that stands at a label.
    pub fn event(&self, label: &str) -> Event {
        self.entries[self.at(label) as usize].event().unwrap()
    }

    pub fn new(fault: Fault) -> Self {
        Self {
            entries: Vec::new(),
            roots: Mutex::default(),
            labels: Vec::new(),
            day: 20_260_105,
            later_ms: 0,
            counter: 0,
            edge: Edge::new(),
            fault,
            key: SigningKey::from_seed("boulier/essai", &[5; 32]).unwrap(),
        }
    }

    pub fn verifier_key(&self) -> String {
        self.key.verifying_key().to_string()
    }

    /// Writes an event under a label; the index of its leaf.
    pub fn push(&mut self, label: &'static str, event: impl Into<Event>) -> u64 {
        let event = event.into();
        let kind = event.kind();
        let mut events = vec![event];
        let changes = match self.fault {
            Fault::Events(at, change) => vec![(at, change)],
            Fault::Both(changes) => changes.to_vec(),
            Fault::Each(changes) => changes.to_vec(),
            _ => Vec::new(),
        };
        for (at, change) in changes {
            if at == label {
                change(&mut events, self);
            }
        }
        if let Fault::Row(row) = self.fault {
            row.change(label, &mut events, self);
        }
        let first = self.entries.len() as u64;
        self.labels.push((label, first));
        let mut index = first;
        for event in events {
            if event.kind() == kind {
                index = self.entries.len() as u64;
            }
            self.write(label, &event);
        }
        index
    }

    fn write(&mut self, label: &str, event: &Event) {
        let index = self.entries.len() as u64;
        let body = event.encode();
        let nonce = sha256(&index.to_be_bytes());
        let mut header = LeafHeader {
            kind: event.kind(),
            index,
            at_ms: self.time_of(index),
            business_day: self.day,
            draw: event.draw(),
        };
        if let Fault::Header(at, change) = self.fault
            && at == label
        {
            change(&mut header);
        }
        if let Fault::Row(row) = self.fault {
            row.change_header(label, &mut header);
        }
        let leaf = Leaf {
            header,
            commitment: body_commitment(&nonce, &body),
        };
        self.edge.append(leaf.hash());
        self.entries.push(Entry { leaf, nonce, body });
    }

    /// When an entry of the day is written.
    pub fn time_of(&self, entry: u64) -> i64 {
        self.day_begins_ms() + entry as i64 * 1_000 + self.later_ms
    }

    /// Three in the morning of the day, in Toronto.
    fn day_begins_ms(&self) -> i64 {
        let days = match self.day {
            20_260_105 => 0,
            20_260_106 => 1,
            20_260_301 => 55,
            other => panic!("the story has no day {other}"),
        };
        FIRST_DAY_MS + days * 86_400_000
    }

    pub fn size(&self) -> u64 {
        self.entries.len() as u64
    }

    pub fn at(&self, label: &str) -> u64 {
        let mut labels = self.labels.iter();
        labels.find(|(name, _)| *name == label).unwrap().1
    }

    /// A fresh command key of session 1.
    pub fn key(&mut self) -> CommandKey {
        self.counter += 1;
        CommandKey {
            device: 7,
            session: 1,
            counter: self.counter,
        }
    }

    /// A checkpoint of the first `size` leaves.
    pub fn checkpoint(&self, size: u64) -> String {
        sign(
            &Checkpoint::new("boulier/essai", size, self.root_of_first(size)),
            &self.key,
        )
        .unwrap()
    }

    fn root_of_first(&self, size: u64) -> Hash {
        let entries = self.entries[..size as usize].iter();
        let hashes: Vec<Hash> = entries.map(|entry| entry.leaf.hash()).collect();
        root_of(&hashes)
    }

    /// The root of the first `size` leaves of a log that is still written: several sign for one.
    pub fn root_at(&self, size: u64) -> Hash {
        let mut roots = self.roots.lock().unwrap();
        let root = || self.root_of_first(size);
        *roots.entry(size).or_insert_with(root)
    }

    pub fn sign(&self, checkpoint: &Checkpoint) -> String {
        sign(checkpoint, &self.key).unwrap()
    }

    pub fn export(&self) -> Vec<u8> {
        self.export_with(&self.checkpoint(self.size()))
    }

    pub fn export_with(&self, checkpoint: &str) -> Vec<u8> {
        let mut out = Vec::new();
        put_magic(&mut out);
        for entry in &self.entries {
            put_entry(entry, &entry.leaf.hash(), &mut out);
        }
        put_end(checkpoint, &mut out);
        out
    }
}

fn prefixed(fields: &[&[u8]]) -> Vec<u8> {
    let mut out = Vec::new();
    for field in fields {
        (field.len() as u32).put(&mut out);
        out.extend_from_slice(field);
    }
    out
}

pub fn commitment(draw: u64, secret: &Hash) -> Hash {
    sha256(&prefixed(&[
        b"boulier/commitment/v1",
        HOUSE.as_bytes(),
        &draw.to_be_bytes(),
        secret,
    ]))
}

/// Balls, words used, words rejected.
pub fn draw_balls(
    draw: u64,
    seal: (u64, Hash),
    rule_book_hash: Hash,
    secrets: &[Hash],
) -> (Vec<u8>, u64, u64) {
    let input: Vec<&[u8]> = secrets.iter().map(Hash::as_slice).collect();
    let info = prefixed(&[
        b"boulier/draw/v1",
        HOUSE.as_bytes(),
        &draw.to_be_bytes(),
        &seal.0.to_be_bytes(),
        &rule_book_hash,
        &[80],
        &[20],
    ]);
    let mut key = [0; 32];
    Hkdf::<Sha256>::new(Some(&seal.1), &prefixed(&input))
        .expand(&info, &mut key)
        .unwrap();
    let mut stream = ChaCha20Rng::from_seed(key);
    let mut order: Vec<u8> = (1..=80).collect();
    let (mut used, mut rejected) = (0, 0);
    for place in 0..20_usize {
        let left = 80 - place as u64;
        let limit = (1_u64 << 32) / left * left;
        let word = loop {
            used += 1;
            let word = u64::from(stream.next_u32());
            if word < limit {
                break word;
            }
            rejected += 1;
        };
        order.swap(place, place + (word % left) as usize);
    }
    order.truncate(20);
    (order, used, rejected)
}

/// One way as a test writes it out: ticket, numbers, wager in cents.
pub type Way = (u64, Vec<u8>, i64);

/// What the test's rule book pays for one, whole units only.
fn pays(spots: usize, catch: usize) -> i64 {
    match (spots, catch) {
        (1, 1) => 3,
        (2, 1) => 1,
        (2, 2) => 5,
        (3, 2) => 2,
        (3, 3) => 30,
        (4, 2) => 1,
        (4, 3) => 5,
        (4, 4) => 100,
        (5, 3) => 2,
        (5, 4) => 20,
        (5, 5) => 450,
        _ => 0,
    }
}

pub const CAP_CENTS: i64 = 200_000;
pub const FULL_BELOW_CENTS: i64 = 10_000;

/// The settlement of a draw from its ways, and what is payable by ticket.
pub fn settled(draw: u64, balls: &[u8], ways: &[Way]) -> (DrawSettled, Vec<(u64, i64)>) {
    let prizes: Vec<(u64, i64)> = ways
        .iter()
        .map(|(ticket, numbers, wager)| {
            let catch = numbers
                .iter()
                .filter(|number| balls.contains(number))
                .count();
            (*ticket, wager * pays(numbers.len(), catch))
        })
        .filter(|(_, prize)| *prize > 0)
        .collect();
    let small: i64 = prizes
        .iter()
        .map(|it| it.1)
        .filter(|it| *it < FULL_BELOW_CENTS)
        .sum();
    let large: i64 = prizes
        .iter()
        .map(|it| it.1)
        .filter(|it| *it >= FULL_BELOW_CENTS)
        .sum();
    assert!(small <= CAP_CENTS, "the scenario does not go there");
    let factor = if small + large > CAP_CENTS {
        (CAP_CENTS - small, large)
    } else {
        (1, 1)
    };
    let mut list: Vec<(u64, i64, i64)> = Vec::new();
    for (ticket, prize) in &prizes {
        let paid = if *prize < FULL_BELOW_CENTS {
            *prize
        } else {
            prize * factor.0 / factor.1
        };
        match list.iter_mut().find(|(other, _, _)| other == ticket) {
            Some(line) => {
                line.1 += prize;
                line.2 += paid;
            }
            None => list.push((*ticket, *prize, paid)),
        }
    }
    list.sort_unstable();
    let records: Vec<Hash> = list
        .iter()
        .map(|(ticket, computed, payable)| {
            let mut record = ticket.to_be_bytes().to_vec();
            record.extend_from_slice(&computed.to_be_bytes());
            record.extend_from_slice(&payable.to_be_bytes());
            leaf_hash(&record)
        })
        .collect();
    let payable_cents: i64 = list.iter().map(|line| line.2).sum();
    let body = DrawSettled {
        draw,
        winners: list.len() as u64,
        small_cents: small,
        large_cents: large,
        payable_cents,
        small_numerator: 1,
        small_denominator: 1,
        large_numerator: factor.0 as u64,
        large_denominator: factor.1 as u64,
        breakage_cents: CAP_CENTS.min(small + large) - payable_cents,
        prize_root: root_of(&records),
    };
    (body, list.iter().map(|line| (line.0, line.2)).collect())
}

pub fn book_text(version: u32) -> String {
    format!(
        r#"format = 3
version = {version}
[name]
fr = "Essai"
en = "Trial"
[pool]
size = 80
drawn = 20
[cap]
per_draw = "2000.00"
full_below = "100.00"
[limits]
selections = 3
draws = 3
draws_ahead = 1
ways = 20
copies = 4
[confirm]
second_key = "25.00"
type_total = "100.00"
draws = 10
[payout]
second_person = "622.60"
cage = "622.60"
federal_report = "10000.00"
[claim]
days = 30
place = {{ fr = "Comptoir", en = "Counter" }}
cage = {{ fr = "Caisse", en = "Cage" }}
[damaged]
at_once = "55.00"
per_day = 1
wait_hours = 24
third_person = "1.50"
answer_days = 30
complaints = {{ fr = "Ici", en = "Here" }}
[tenders]
accepted = ["cash", "coupon"]
[texts]
rules_place = {{ fr = "Comptoir", en = "Counter" }}
notice = {{ fr = "Essai", en = "Trial" }}
[interrupted]
machine_draw = "void"
[[game]]
code = "keno"
name.fr = "Keno"
name.en = "Keno"
straight = {{ min = 1, max = 5 }}
way = {{ min = 1, max = 5 }}
king = {{ min = 2, max = 4 }}
king_alone = false
[game.wager]
step = "0.50"
min = "0.50"
max = "2.00"
same_numbers = "2.00"
[game.pays]
1 = {{ 1 = "3" }}
2 = {{ 1 = "1", 2 = "5" }}
3 = {{ 2 = "2", 3 = "30" }}
4 = {{ 2 = "1", 3 = "5", 4 = "100" }}
5 = {{ 3 = "2", 4 = "20", 5 = "450" }}
[[game]]
code = "plus"
name.fr = "Plus"
name.en = "Plus"
straight = {{ min = 1, max = 1 }}
king_alone = false
[game.wager]
step = "0.50"
min = "0.50"
max = "1.00"
same_numbers = "1.00"
[game.pays]
1 = {{ 1 = "2.80" }}
"#
    )
}

pub fn straight(numbers: &[u8], wager_cents: i64) -> SelectionRecord {
    SelectionRecord {
        game: "keno".to_owned(),
        kind: 1,
        quick_pick: false,
        groups: vec![numbers.to_vec()],
        kings: Vec::new(),
        conditioning: vec![ConditioningRecord {
            ways: 1,
            spots: numbers.len() as u8,
            wager_cents,
        }],
    }
}

/// A ticket; price and what was received follow from the selections.
pub fn ticket(log: &mut Log, draws: (u64, u64), selections: Vec<SelectionRecord>) -> TicketSold {
    let per_draw_cents: i64 = selections
        .iter()
        .flat_map(|selection| &selection.conditioning)
        .map(|line| i64::from(line.ways) * line.wager_cents)
        .sum();
    let total_cents = per_draw_cents * (draws.1 - draws.0 + 1) as i64;
    let key = log.key();
    TicketSold {
        key,
        content_hash: sha256(b"request"),
        secret_key: 1,
        rule_book: 1,
        first_draw: draws.0,
        last_draw: draws.1,
        selections,
        per_draw_cents,
        total_cents,
        cap_cents: CAP_CENTS,
        claim_by: 20_260_204,
        tender: 1,
        received_cents: total_cents,
        badge: "C142".to_owned(),
        shift: 1,
        intake: 3,
        replay_of: None,
        chip_change_cents: 0,
    }
}

pub fn payment(log: &mut Log, ticket: u64, items: &[(u64, u8, i64)]) -> PrizePaid {
    PrizePaid {
        ticket,
        key: log.key(),
        content_hash: sha256(b"request"),
        items: items
            .iter()
            .map(|(draw, kind, amount_cents)| PaidItem {
                draw: *draw,
                kind: *kind,
                amount_cents: *amount_cents,
            })
            .collect(),
        total_cents: items.iter().map(|item| item.2).sum(),
        tender: 1,
        rounding_cents: 0,
        path: 1,
        badge: "C142".to_owned(),
        second: Some("S201".to_owned()),
        shift: 1,
    }
}
