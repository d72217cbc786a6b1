//! A follower of a log: what it takes, what it refuses, what it says of a draw, and what is left of it
//! when it is started again.

#![allow(clippy::unwrap_used, reason = "a test's failure is its own report")]
#![allow(clippy::panic, reason = "likewise")]

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use crate::support::{Fault, HOUSE, Log, follower};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use keno_audit::follow::Follower;
use keno_audit::follow::copy::CopyFault;
use keno_audit::verify::{Outside, verify};
use keno_line::HostKey;
use keno_line::follow::{Answer, Ask, More, OfDraw};
use keno_line::frame::Hex32;
use keno_line::server::{Part as _, Refused};
use keno_log::checkpoint::cosignature::cosigned_at;
use keno_log::checkpoint::{Checkpoint, Note, SignatureLine, VerifyingKey};
use keno_log::event::DrawSettled;
use keno_log::export::{put_end, put_entry, put_magic};
use keno_log::follower::{Said, beginning};
use keno_log::leaf::Entry;
use keno_log::proof::consistency_proof_of;
use keno_log::tree::root_of;
use keno_log::{Event, EventKind, Hash};

/// What is changed in what is handed over.
type Change<'a> = Box<dyn Fn(&mut More) + 'a>;

const NOW: u64 = 1_790_000_000;
/// The draw of the story that has prizes, and is settled after somebody began to follow.
const DRAWN: u64 = 5;

fn own_key() -> HostKey {
    HostKey::from_seed("audit-office", [7; 32]).unwrap()
}

fn open(folder: &Path, log: &Log) -> Result<Follower, CopyFault> {
    let key = VerifyingKey::parse(&log.verifier_key()).unwrap();
    Follower::open(folder, HOUSE, own_key(), key, Arc::new(|| NOW))
}

fn bytes_of(entries: &[Entry]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for entry in entries {
        put_entry(entry, &entry.leaf.hash(), &mut bytes);
    }
    bytes
}

fn hashes(log: &Log) -> Vec<Hash> {
    log.entries.iter().map(|entry| entry.leaf.hash()).collect()
}

/// What hands over the entries of a log from a place to another, under a checkpoint of the whole.
fn more(log: &Log, from: u64, to: u64) -> More {
    let (entries, all) = (&log.entries[from as usize..to as usize], hashes(log));
    let proof = consistency_proof_of(to, &all).unwrap();
    More {
        from,
        entries: STANDARD.encode(bytes_of(entries)),
        checkpoint: log.checkpoint(log.size()),
        consistency: proof.into_iter().map(Hex32).collect(),
        draws: Vec::new(),
    }
}

fn answer(follower: &mut Follower, ask: Ask) -> Answer {
    let mut said = Vec::new();
    follower
        .answer(ask, &mut |answer| {
            said.push(answer);
            Ok(())
        })
        .unwrap();
    said.remove(0)
}

fn hand(follower: &mut Follower, more: More) -> Answer {
    answer(follower, Ask::Follow(Box::new(more)))
}

/// The name of a refusal.
fn refused(answer: Answer) -> String {
    match answer {
        Answer::Refused(Refused { name, .. }) => name,
        other => panic!("{other:?}"),
    }
}

fn state(follower: &mut Follower) -> (u64, Hash) {
    match answer(follower, Ask::State) {
        Answer::State {
            size,
            began,
            signature,
            ..
        } => {
            let text = beginning(HOUSE, &began.0);
            let key = own_key();
            assert!(SignatureLine::is_under(
                &signature,
                &text,
                key.verifying_key()
            ));
            (size, began.0)
        }
        other => panic!("{other:?}"),
    }
}

/// The log of the story as far as the entry that settles the draw with prizes.
fn settled(fault: Fault) -> Log {
    let mut log = follower::play(fault);
    let is_it = |event: &Event| matches!(event, Event::DrawSettled(body) if body.draw == DRAWN);
    let mut events = log
        .entries
        .iter()
        .map(|entry| Event::decode(entry.leaf.header.kind, &entry.body).unwrap());
    let end = events.position(|event| is_it(&event)).unwrap();
    log.entries.truncate(end + 1);
    log
}

fn of_draw(follower: &mut Follower, log: &Log) -> OfDraw {
    let mut asked = more(log, log.size(), log.size());
    asked.draws = vec![DRAWN, 99];
    match hand(follower, asked) {
        Answer::Followed { draws, .. } => {
            assert_eq!(draws.len(), 1, "nothing of a draw that is not there");
            draws.into_iter().next().unwrap()
        }
        other => panic!("{other:?}"),
    }
}

/// Whether what it says is signed, of the tree as it was when the draw was finished.
fn is_signed(said: &OfDraw, log: &Log, began: &Hash) -> bool {
    let text = Said {
        draw: DRAWN,
        tree: (log.size(), root_of(&hashes(log))),
        finding: &said.finding,
        entry: said.entry,
    };
    let key = own_key();
    SignatureLine::is_under(
        &said.signature,
        &text.text(HOUSE, began),
        key.verifying_key(),
    )
}

#[test]
fn it_goes_on_piece_by_piece_and_cosigns_what_it_has() {
    let log = settled(Fault::None);
    let folder = tempfile::tempdir().unwrap();
    let mut follower = open(folder.path(), &log).unwrap();
    let (size, began) = state(&mut follower);
    assert_eq!(size, 0);
    let middle = log.size() / 2;
    for (from, to) in [(0, 1), (1, middle), (middle, log.size())] {
        let (asked, note) = (more(&log, from, to), log.checkpoint(log.size()));
        match hand(&mut follower, asked) {
            Answer::Followed {
                size, cosignature, ..
            } => {
                assert_eq!(size, to);
                assert_eq!(cosignature.is_some(), to == log.size());
                let Some(line) = cosignature else { continue };
                let mut note = Note::parse(&note).unwrap();
                note.add(SignatureLine::parse(&line).unwrap()).unwrap();
                let key = own_key();
                assert_eq!(cosigned_at(&note, key.verifying_key()), Ok(NOW));
                let kept = std::fs::read_to_string(folder.path().join("cosigned")).unwrap();
                assert_eq!(kept, note.to_string());
            }
            other => panic!("{other:?}"),
        }
    }
    let said = of_draw(&mut follower, &log);
    assert_eq!((said.finding.as_str(), said.entry), ("", None));
    assert!(is_signed(&said, &log, &began));
    assert!(!is_signed(&said, &log, &[1; 32]), "another beginning");
    // What is kept is the log: with an end it is an export that holds.
    drop(follower);
    let mut export = std::fs::read(folder.path().join("log")).unwrap();
    put_end(&log.checkpoint(log.size()), &mut export);
    assert!(
        verify(
            export.as_slice(),
            Outside::default(),
            keno_audit::Options::default()
        )
        .unwrap()
        .holds()
    );
    // Started again it is where it was, and began when it did.
    let mut follower = open(folder.path(), &log).unwrap();
    assert_eq!(state(&mut follower), (log.size(), began));
    assert_eq!(of_draw(&mut follower, &log), said);
}

#[test]
fn what_does_not_go_on_from_its_copy_is_refused_and_leaves_no_trace() {
    let log = settled(Fault::None);
    let folder = tempfile::tempdir().unwrap();
    let mut follower = open(folder.path(), &log).unwrap();
    let middle = log.size() / 2;
    hand(&mut follower, more(&log, 0, middle));
    let whole = || more(&log, middle, log.size());
    // Another log of the same house, signed by the same key: one entry of the past is another.
    let mut other = settled(Fault::None);
    let first = other.entries[3].clone();
    other.entries[3].nonce = [8; 32];
    other.entries[3].leaf.commitment = keno_log::leaf::body_commitment(&[8; 32], &first.body);
    let forged = SignatureLine::parse("— essai/suiveur AAAAAAEC")
        .unwrap()
        .to_string();
    let changes: [(&str, Change<'_>); 9] = [
        ("other_size", Box::new(|it| it.from -= 1)),
        ("other_size", Box::new(|it| it.from += 1)),
        (
            "unsigned",
            Box::new(|it| it.checkpoint = it.checkpoint.replacen('\n', "x\n", 1)),
        ),
        (
            "unsigned",
            Box::new(|it| it.checkpoint = format!("a\n0\nb\n\n{forged}\n")),
        ),
        (
            "unreadable",
            Box::new(|it| it.entries.truncate(it.entries.len() - 8)),
        ),
        ("unreadable", Box::new(|it| it.entries.push('!'))),
        (
            "other_past",
            Box::new(|it| *it = more(&other, middle, other.size())),
        ),
        (
            "other_past",
            Box::new(|it| it.consistency = vec![Hex32([0; 32])]),
        ),
        (
            "other_past",
            Box::new(|it| {
                it.entries = STANDARD.encode(bytes_of(&log.entries[middle as usize + 1..]));
            }),
        ),
    ];
    for (name, change) in changes {
        let mut asked = whole();
        change(&mut asked);
        assert_eq!(refused(hand(&mut follower, asked)), name);
        assert_eq!(state(&mut follower).0, middle, "{name}");
    }
    // An entry whose body is not what its leaf commits to.
    let mut entries = log.entries[middle as usize..].to_vec();
    entries[2].body.push(0);
    let mut asked = whole();
    asked.entries = STANDARD.encode(bytes_of(&entries));
    match hand(&mut follower, asked) {
        Answer::Refused(Refused { name, words }) => {
            assert_eq!(name, "entry_wrong");
            let entry = format!("entry {}", middle + 2);
            assert_eq!(words.matches(&entry).count(), 1, "{words}");
        }
        other => panic!("{other:?}"),
    }
    drop(follower);
    let kept = std::fs::read(folder.path().join("log")).unwrap();
    let mut wanted = Vec::new();
    put_magic(&mut wanted);
    wanted.extend(bytes_of(&log.entries[..middle as usize]));
    assert_eq!(kept, wanted);
    assert!(matches!(
        hand(&mut open(folder.path(), &log).unwrap(), whole()),
        Answer::Followed { .. }
    ));
}

#[test]
fn a_settlement_that_is_wrong_is_said_by_name_and_entry() {
    let wrong = |events: &mut Vec<Event>, _: &Log| {
        for event in events {
            if let Event::DrawSettled(DrawSettled {
                draw,
                payable_cents,
                ..
            }) = event
                && *draw == DRAWN
            {
                *payable_cents += 1;
            }
        }
    };
    let labels: Vec<&str> = follower::play(Fault::None)
        .labels
        .iter()
        .map(|(label, _)| *label)
        .filter(|label| label.contains("settle"))
        .collect();
    let mut seen = 0;
    for label in labels {
        let log = settled(Fault::Events(label, wrong));
        let folder = tempfile::tempdir().unwrap();
        let mut follower = open(folder.path(), &log).unwrap();
        let began = state(&mut follower).1;
        hand(&mut follower, more(&log, 0, log.size()));
        let said = of_draw(&mut follower, &log);
        if said.finding.is_empty() {
            continue;
        }
        seen += 1;
        assert_eq!(said.finding, "settlement_payable");
        assert_eq!(said.entry, Some(log.size() - 1));
        assert!(is_signed(&said, &log, &began));
        // The same after a start: nobody makes it forget.
        drop(follower);
        assert_eq!(of_draw(&mut open(folder.path(), &log).unwrap(), &log), said);
    }
    assert_eq!(seen, 1, "the settlement of the draw was not changed");
}

#[test]
fn a_copy_that_is_cut_within_an_entry_loses_only_what_was_never_answered() {
    let log = settled(Fault::None);
    let folder = tempfile::tempdir().unwrap();
    let middle = log.size() / 2;
    hand(
        &mut open(folder.path(), &log).unwrap(),
        more(&log, 0, middle),
    );
    let path = folder.path().join("log");
    let whole = std::fs::read(&path).unwrap();
    let next = bytes_of(&log.entries[middle as usize..=middle as usize]);
    // The whole of it as well: no checkpoint was seen to lead to it.
    for cut in 1..=next.len() {
        std::fs::write(&path, [whole.as_slice(), &next[..cut]].concat()).unwrap();
        assert_eq!(open(folder.path(), &log).unwrap().size(), middle);
        assert_eq!(std::fs::read(&path).unwrap(), whole, "cut after {cut}");
    }
}

/// Everything in a folder, by name.
fn all_in(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all: Vec<(String, Vec<u8>)> = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| {
            let path = file.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read(path).unwrap())
        })
        .collect();
    all.sort();
    all
}

#[test]
fn a_copy_that_is_less_than_what_was_answered_for_is_left_as_it_is() {
    let log = settled(Fault::None);
    let middle = log.size() / 2;
    // What was answered for and not cosigned counts as well.
    for size in [log.size(), middle] {
        let folder = tempfile::tempdir().unwrap();
        hand(&mut open(folder.path(), &log).unwrap(), more(&log, 0, size));
        let path = folder.path().join("log");
        let whole = std::fs::read(&path).unwrap();
        let mut changed = whole.clone();
        let at = changed.len() / 2;
        changed[at] ^= 1;
        for bytes in [&whole[..whole.len() - 1], &whole[..at], &changed[..]] {
            std::fs::write(&path, bytes).unwrap();
            let before = all_in(folder.path());
            let fault = open(folder.path(), &log).unwrap_err();
            assert_eq!(fault.name(), "not_what_was_kept", "{fault}");
            assert_eq!(all_in(folder.path()), before, "{size}: {fault}");
        }
        std::fs::write(&path, &whole).unwrap();
        // Without its state, or without its log, it is no copy; and nothing begins in its place.
        for missing in ["state", "log"] {
            let file = folder.path().join(missing);
            let kept = std::fs::read(&file).unwrap();
            std::fs::remove_file(&file).unwrap();
            let before = all_in(folder.path());
            assert!(open(folder.path(), &log).is_err(), "without its {missing}");
            assert_eq!(all_in(folder.path()), before, "without its {missing}");
            for text in ["", "00\n", "x\n1\nx\n"] {
                if missing == "state" {
                    std::fs::write(&file, text).unwrap();
                    assert_eq!(open(folder.path(), &log).unwrap_err().name(), "no_copy");
                }
            }
            if missing == "state" {
                std::fs::write(&file, [kept.as_slice(), b"\n"].concat()).unwrap();
                assert_eq!(open(folder.path(), &log).unwrap_err().name(), "no_copy");
            }
            std::fs::write(&file, kept).unwrap();
        }
        // The note of what was cosigned is for people: what counts stands in the state.
        let _ = std::fs::remove_file(folder.path().join("cosigned"));
        assert_eq!(open(folder.path(), &log).unwrap().size(), size);
    }
}

#[test]
fn settings_of_another_house_do_not_go_on_with_a_copy() {
    let log = settled(Fault::None);
    let folder = tempfile::tempdir().unwrap();
    hand(&mut open(folder.path(), &log).unwrap(), more(&log, 0, 9));
    let before = all_in(folder.path());
    let own = VerifyingKey::parse(&log.verifier_key()).unwrap();
    let other = own_key().verifying_key().clone();
    for (house, key) in [("autre", own), (HOUSE, other)] {
        let clock: Arc<dyn Fn() -> u64 + Send + Sync> = Arc::new(|| NOW);
        let opened = Follower::open(folder.path(), house, own_key(), key, clock);
        assert_eq!(opened.unwrap_err().name(), "other_log");
        assert_eq!(all_in(folder.path()), before);
    }
}

#[test]
fn in_an_empty_folder_it_begins_anew_and_says_so() {
    let log = settled(Fault::None);
    let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let began = |folder: &tempfile::TempDir| state(&mut open(folder.path(), &log).unwrap());
    let first = began(&one);
    assert_eq!(first, began(&one));
    assert_ne!(first.1, began(&other).1);
}

#[test]
fn a_copy_whose_file_was_taken_away_is_not_added_to() {
    let log = settled(Fault::None);
    let folder = tempfile::tempdir().unwrap();
    let mut follower = open(folder.path(), &log).unwrap();
    let middle = log.size() / 2;
    hand(&mut follower, more(&log, 0, middle));
    let path = folder.path().join("log");
    let kept = std::fs::read(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let whole = || more(&log, middle, log.size());
    assert_eq!(refused(hand(&mut follower, whole())), "disk");
    std::fs::write(&path, &kept).unwrap();
    assert_eq!(refused(hand(&mut follower, whole())), "disk");
    drop(follower);
    assert_eq!(open(folder.path(), &log).unwrap().size(), middle);
}

#[test]
fn a_checkpoint_of_another_epoch_is_not_cosigned() {
    let log = settled(Fault::None);
    let folder = tempfile::tempdir().unwrap();
    let mut follower = open(folder.path(), &log).unwrap();
    let root = root_of(&hashes(&log));
    for origin in ["boulier/essai/2", "boulier/autre"] {
        let mut asked = more(&log, 0, log.size());
        asked.checkpoint = log.sign(&Checkpoint::new(origin, log.size(), root));
        assert_eq!(refused(hand(&mut follower, asked)), "other_log", "{origin}");
        assert_eq!(state(&mut follower).0, 0);
    }
}

#[test]
fn what_a_full_disk_left_of_entries_is_not_in_the_way_of_the_next() {
    let log = settled(Fault::None);
    let folder = tempfile::tempdir().unwrap();
    let middle = log.size() / 2;
    let mut follower = open(folder.path(), &log).unwrap();
    hand(&mut follower, more(&log, 0, middle));
    let mut file = OpenOptions::new()
        .append(true)
        .open(folder.path().join("log"))
        .unwrap();
    file.write_all(&[1; 40]).unwrap();
    hand(&mut follower, more(&log, middle, log.size()));
    drop(follower);
    assert_eq!(open(folder.path(), &log).unwrap().size(), log.size());
}

#[test]
fn two_followers_do_not_share_a_folder() {
    let log = settled(Fault::None);
    let folder = tempfile::tempdir().unwrap();
    let first = open(folder.path(), &log).unwrap();
    assert_eq!(open(folder.path(), &log).unwrap_err().name(), "taken");
    drop(first);
    assert!(open(folder.path(), &log).is_ok());
}

#[test]
fn the_story_is_followed_by_somebody() {
    let log = settled(Fault::None);
    let kinds = log.entries.iter().map(|entry| entry.leaf.header.kind);
    assert!(
        kinds
            .into_iter()
            .any(|kind| kind == EventKind::FollowerBegan)
    );
}
