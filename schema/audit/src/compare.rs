//! Papers against a log: each carries size and root of the newest checkpoint at its sale.
//!
//! A paper is marked under a key that only central has. Without it anybody can write any root on a
//! paper, so a paper alone accuses nobody: what counts is a paper that central has *attested*, in a
//! note signed with the log's key (`FORMAT.md`, "Papers"). Of any other it is said that it is
//! unattested, and nothing else. An anchor file or a checkpoint is held against the log as it is.
//!
//! What a paper knows is a [`State`]: so many leaves, with this root. So is each line of an anchor
//! file, and a signed checkpoint. States of one log are beginnings of one another.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{self, Read};

use keno_log::Event;
use keno_log::checkpoint::{self, Checkpoint, Note, VerifyingKey};
use keno_log::event::EpochOpened;
use keno_log::export::ExportRecord;
use keno_log::hash::{EMPTY_ROOT, Hash, sha256};
use keno_log::proof::verify_consistency;
use keno_log::tree::Edge;
use keno_words::{Say, compare};

use crate::stream::{Records, StreamFault};
use crate::verify::read_entry;

/// What a claim code begins with.
const CODE_MARK: &str = "KT2";
/// Its length.
const CODE_LENGTH: usize = 120;
/// Where the size begins: behind the mark, the control number, the copy and the secret.
const SIZE_AT: usize = 3 + 16 + 2 + 20;
/// Where the root begins.
const ROOT_AT: usize = SIZE_AT + 11;
/// Where the mark begins.
const MARK_AT: usize = ROOT_AT + 52;
/// First line of the note in which central attests papers.
const ATTESTED: &str = "boulier/attested/v1";
/// Base 32 of the code: five bits a character.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// What someone knows of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// Leaves.
    pub size: u64,
    /// Root of the tree over them.
    pub root: Hash,
}

/// A paper, an anchor file or a checkpoint, with what it knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Witness {
    /// What it is called in the answer; never the claim code, which is money.
    pub name: String,
    /// What it knows, in its order.
    pub states: Vec<State>,
    /// SHA-256 of its claim code, when it is a paper.
    pub paper: Option<Hash>,
}

/// A claim code as it was printed, from what a scanner or a person made of it: without an AIM
/// identifier, spaces, hyphens and dots; in capitals; O is 0, I and L are 1.
#[must_use]
pub fn printed_code(text: &str) -> String {
    let text = text.trim();
    let rest = text.strip_prefix(']').and_then(|rest| rest.get(2..));
    let signs = rest.unwrap_or(text).chars();
    let is_between =
        |sign: &char| sign.is_whitespace() || matches!(sign, '-' | '.' | '\u{2010}'..='\u{2015}');
    let printed = |sign: char| match sign.to_ascii_uppercase() {
        'O' => '0',
        'I' | 'L' => '1',
        other => other,
    };
    signs
        .filter(|sign| !is_between(sign))
        .map(printed)
        .collect()
}

/// Reads the size and root of a claim code; `None` for any other text.
#[must_use]
pub fn state_of_code(text: &str) -> Option<State> {
    let text = printed_code(text);
    if !text.is_ascii() || text.len() != CODE_LENGTH || !text.starts_with(CODE_MARK) {
        return None;
    }
    let size = text.get(SIZE_AT..ROOT_AT)?;
    if !size.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let mut bits = Vec::with_capacity(260);
    for letter in text.get(ROOT_AT..MARK_AT)?.bytes() {
        let value = ALPHABET.iter().position(|known| *known == letter)?;
        bits.extend((0..5).rev().map(|bit| value >> bit & 1 == 1));
    }
    // 52 characters hold four bits more than a root: they are zero.
    if bits.iter().skip(256).any(|bit| *bit) {
        return None;
    }
    let is_sign = |letter: u8| ALPHABET.contains(&letter);
    if !text.get(MARK_AT..)?.bytes().all(is_sign) {
        return None;
    }
    let mut root = [0_u8; 32];
    for (byte, of) in root.iter_mut().zip(bits.chunks(8)) {
        *byte = of.iter().fold(0, |byte, bit| byte << 1 | u8::from(*bit));
    }
    Some(State {
        size: size.parse().ok()?,
        root,
    })
}

/// What a note of central attests a paper by: the SHA-256 of its claim code. It is no money: a code
/// has 90 bits that nobody can guess.
#[must_use]
pub fn paper_hash(code: &str) -> Hash {
    sha256(printed_code(code).as_bytes())
}

/// The papers that a note attests. `None` when it is no such note, or not signed with the log's key.
#[must_use]
pub fn attested(note: &str, key: &VerifyingKey) -> Option<BTreeSet<Hash>> {
    let note = Note::parse(note).ok()?;
    note.verify(key).ok()?;
    let mut lines = note.text().lines();
    if lines.next() != Some(ATTESTED) {
        return None;
    }
    lines.map(hash_of).collect()
}

/// Reads an anchor file or a signed checkpoint; `None` for any other text.
#[must_use]
pub fn states_of_file(text: &str) -> Option<Vec<State>> {
    let state = |size: &str, root: &str| {
        Some(State {
            size: size.parse().ok()?,
            root: hash_of(root)?,
        })
    };
    let mut states = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let anchor = match words.as_slice() {
            ["anchor", size, root] => state(size, root),
            _ => None,
        };
        match words.as_slice() {
            _ if anchor.is_some() => states.extend(anchor),
            // The second is of the access log, another tree.
            ["epoch", _, _] | ["access", _, _, _] => {}
            // A last line that a power cut tore.
            _ if !states.is_empty() && text.lines().last() == Some(line) => {}
            _ => {
                let body = text.split("\n\n").next()?;
                let note = Checkpoint::from_body(&format!("{body}\n")).ok()?;
                return Some(vec![State {
                    size: note.size,
                    root: note.root,
                }]);
            }
        }
    }
    (!states.is_empty()).then_some(states)
}

/// Where a witness stands to a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// Everything it knows is a beginning of the log.
    Beginning,
    /// At this size the log has another root.
    Other(State),
    /// It knows this state, and the log has fewer leaves.
    Ahead(State),
    /// It knows this state of a part that the log says was lost, in the words of this epoch.
    Lost(State, EpochOpened),
}

/// A log as far as the comparison needs it.
#[derive(Debug, Clone, Default)]
pub struct Sizes {
    /// Leaves.
    pub size: u64,
    /// Epochs that it opened.
    pub epochs: Vec<EpochOpened>,
    /// What is wrong with the export itself: then nothing is said of the papers.
    pub fault: Option<String>,
    /// The key that signs its checkpoints.
    pub key: Option<VerifyingKey>,
    /// Roots at the sizes that were asked for, ascending.
    roots: Vec<(u64, Hash)>,
}

/// Reads an export and its roots at the sizes that the witnesses know.
///
/// Every leaf is held to its hash, and the whole to its signed checkpoint; what the leaves mean is
/// `verify`'s.
///
/// # Errors
/// Only when the bytes cannot be read.
pub fn read_log(export: impl Read, witnesses: &[Witness]) -> io::Result<Sizes> {
    let states = witnesses.iter().flat_map(|witness| &witness.states);
    let mut wanted: Vec<u64> = states.map(|state| state.size).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let mut wanted = wanted.into_iter().peekable();
    let mut log = Sizes::default();
    let mut edge = Edge::new();
    if wanted.next_if_eq(&0).is_some() {
        log.roots.push((0, EMPTY_ROOT));
    }
    let records = match Records::new(export) {
        Ok(records) => records,
        Err(StreamFault::Io(fault)) => return Err(fault),
        Err(fault) => return Ok(log.faulty(fault.to_string())),
    };
    for record in records {
        match record {
            Ok(ExportRecord::Entry(exported)) => {
                let (_, event) = match read_entry(&exported) {
                    Ok(read) => read,
                    Err((code, _)) => {
                        let what = format!("entry {}: {}", edge.size(), code.en());
                        return Ok(log.faulty(what));
                    }
                };
                match event {
                    Event::HouseOpened(body) => {
                        log.key = log.key.or_else(|| VerifyingKey::parse(&body.log_key).ok());
                    }
                    Event::EpochOpened(body) => log.epochs.push(body),
                    _ => {}
                }
                edge.append(exported.leaf_hash);
                if wanted.next_if_eq(&edge.size()).is_some() {
                    log.roots.push((edge.size(), edge.root()));
                }
            }
            Ok(ExportRecord::End(note)) => {
                let signed = log
                    .key
                    .as_ref()
                    .and_then(|key| checkpoint::open(&note, key).ok());
                let is_whole =
                    signed.is_some_and(|it| (it.size, it.root) == (edge.size(), edge.root()));
                if !is_whole {
                    return Ok(log.faulty("its checkpoint is not that of its leaves".to_owned()));
                }
            }
            Err(StreamFault::Io(fault)) => return Err(fault),
            Err(fault) => return Ok(log.faulty(fault.to_string())),
        }
    }
    log.size = edge.size();
    Ok(log)
}

impl Sizes {
    fn faulty(mut self, what: String) -> Self {
        self.fault = Some(what);
        self
    }

    /// Where a state stands to the log.
    #[must_use]
    pub fn standing(&self, state: &State) -> Standing {
        let place = self.roots.binary_search_by_key(&state.size, |it| it.0);
        let root = place.ok().and_then(|at| self.roots.get(at)).map(|it| it.1);
        if root == Some(state.root) {
            return Standing::Beginning;
        }
        let admits = |epoch: &&EpochOpened| {
            state.size > epoch.continues_size
                && (epoch.lost_size > state.size
                    || (epoch.lost_size, epoch.lost_root) == (state.size, state.root))
        };
        if let Some(epoch) = self.epochs.iter().find(admits) {
            return Standing::Lost(state.clone(), epoch.clone());
        }
        if root.is_none() {
            Standing::Ahead(state.clone())
        } else {
            Standing::Other(state.clone())
        }
    }
}

/// An answer: its lines in French and English, and whether all of it is of one log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The lines.
    pub text: String,
    /// Whether everything is a beginning of one log; `None` when that cannot be told: papers that
    /// disagree and that central has not attested tell nothing.
    pub is_one: Option<bool>,
}

/// Holds witnesses against a log. Of papers that are not among those `attested` by central, a
/// disagreement is said to tell nothing.
#[must_use]
pub fn against_log(witnesses: &[Witness], log: &Sizes, attested: &BTreeSet<Hash>) -> Answer {
    let mut text = String::new();
    if let Some(fault) = &log.fault {
        say(&mut text, &compare::LogDoesNotHold { fault });
        return Answer {
            text,
            is_one: Some(false),
        };
    }
    let mut is_one = true;
    let mut is_told = true;
    for witness in witnesses {
        let name = &witness.name;
        let is_unattested = witness
            .paper
            .is_some_and(|paper| !attested.contains(&paper));
        let standings = witness.states.iter().map(|state| log.standing(state));
        // The first state that disagrees says it best; what is lost and said to be, only when
        // nothing else disagrees.
        let mut worst: Option<Standing> = None;
        for standing in standings.filter(|it| *it != Standing::Beginning) {
            let is_said = |it: &Standing| matches!(it, Standing::Lost(..));
            if worst.is_none() || (worst.as_ref().is_some_and(is_said) && !is_said(&standing)) {
                worst = Some(standing);
            }
        }
        if is_unattested {
            is_told &= worst.is_none();
        } else {
            is_one &= worst.is_none();
        }
        match &worst {
            Some(_) if is_unattested => say(&mut text, &compare::Unattested { name }),
            None => say(&mut text, &compare::Beginning { name }),
            Some(Standing::Lost(state, epoch)) => say(
                &mut text,
                &compare::Lost {
                    name,
                    size: &state.size,
                    epoch: &epoch.epoch,
                    continues: &epoch.continues_size,
                },
            ),
            Some(Standing::Ahead(State { size, .. })) => {
                let end = &log.size;
                say(&mut text, &compare::Ahead { name, size, end });
            }
            Some(Standing::Other(State { size, .. })) => {
                say(&mut text, &compare::OtherRoot { name, size });
            }
            Some(Standing::Beginning) => {}
        }
    }
    match (is_one, is_told) {
        (true, true) => say(&mut text, &compare::AllOfOneLog),
        (true, false) => say(&mut text, &compare::NothingAttestedDisagrees),
        (false, _) => say(&mut text, &compare::NotAllOfOneLog),
    }
    Answer {
        text,
        is_one: (!is_one || is_told).then_some(is_one),
    }
}

/// Holds two witnesses against each other, with a consistency proof from the smaller to the larger
/// state where there is one (`/log/consistency`).
#[must_use]
pub fn against_each_other(one: &Witness, other: &Witness, proof: Option<&[Hash]>) -> Answer {
    let mut text = String::new();
    let pairs = one
        .states
        .iter()
        .flat_map(|state| other.states.iter().map(move |known| (state, known)));
    let mut is_one = None;
    for (left, right) in pairs {
        let found = if left.size == right.size {
            Some(left.root == right.root)
        } else {
            let (old, new) = if left.size < right.size {
                (left, right)
            } else {
                (right, left)
            };
            proof.map(|proof| {
                verify_consistency(old.size, new.size, &old.root, &new.root, proof).is_ok()
            })
        };
        if found == Some(false) && (one.paper.is_some() || other.paper.is_some()) {
            say(&mut text, &compare::UnattestedPair);
            return Answer { text, is_one: None };
        }
        if found == Some(false) {
            say(
                &mut text,
                &compare::PairDisagrees {
                    one: &one.name,
                    one_size: &left.size,
                    other: &other.name,
                    other_size: &right.size,
                },
            );
            return Answer {
                text,
                is_one: Some(false),
            };
        }
        is_one = is_one.or(found);
    }
    match is_one {
        Some(_) => say(
            &mut text,
            &compare::PairOfOneLog {
                one: &one.name,
                other: &other.name,
            },
        ),
        None => say(&mut text, &compare::DifferentSizes),
    }
    Answer { text, is_one }
}

fn say(text: &mut String, words: &dyn Say) {
    // Writing to a text cannot fail.
    let _ = writeln!(text, "{}\n{}", words.fr(), words.en());
}

/// The hashes of a consistency proof as `/log/consistency` answers it: an object with `proof`, a
/// list of hashes in hexadecimal.
#[must_use]
pub fn proof_of_reply(text: &str) -> Option<Vec<Hash>> {
    let (_, rest) = text.split_once("\"proof\"")?;
    let (_, list) = rest.split_once('[')?;
    let (list, _) = list.split_once(']')?;
    let words = list.split(',').map(str::trim).filter(|it| !it.is_empty());
    words
        .map(|word| {
            let word = word.strip_prefix('"')?.strip_suffix('"')?;
            hash_of(word)
        })
        .collect()
}

fn hash_of(text: &str) -> Option<Hash> {
    if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let mut hash = [0_u8; 32];
    for (at, byte) in hash.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(2 * at..2 * at + 2)?, 16).ok()?;
    }
    Some(hash)
}
