//! `keno-audit escrow` as a program: it opens a half for the host that gave it and for no other, whatever
//! log it is shown, and writes over nothing.

#![allow(clippy::unwrap_used, reason = "a test's failure is its own report")]
#![allow(clippy::panic, reason = "likewise")]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output};

use crate::support::hosts::{key_text, line, said};
use crate::support::scenario::play;
use crate::support::{Fault, HOUSE, Log};
use keno_line::HostKey;
use keno_line::sealed::{open, seal};
use keno_log::Event;
use keno_log::checkpoint::{Note, SigningKey};
use keno_log::escrow::{Bound, Opened};
use keno_log::event::SecretEscrowed;

/// The draw on hosts, and the holder whose secret is in escrow.
const DRAW: u64 = 4;
const HOLDER: &str = "machine";
/// Its place among the hosts, and the seed of that host in the story.
const PLACE: usize = 1;
const HOST_SEED: [u8; 32] = [0x52; 32];

const AUDITORS: [(&str, u8); 2] = [("un", 0x61), ("autre", 0x62)];

fn auditor((name, seed): (&str, u8)) -> HostKey {
    HostKey::from_seed(name, [seed; 32]).unwrap()
}

/// Somebody who has central's keys, and names a host of his own.
fn insider() -> SigningKey {
    SigningKey::from_seed("essai/appareil", &[0x99; 32]).unwrap()
}

fn commitment(log: &Log) -> [u8; 32] {
    match log.event("commit 4.0") {
        Event::CommitmentRecorded(body) => body.commitment,
        other => panic!("{other:?}"),
    }
}

/// The secret in escrow as its host gave it, signed by `sign`.
fn escrowed(log: &Log, sign: fn(&str) -> String) -> SecretEscrowed {
    let commitment = commitment(log);
    let bound = Bound {
        house: HOUSE,
        draw: DRAW,
        commitment: &commitment,
    };
    let auditors = AUDITORS.map(|one| auditor(one).verifying_key().to_string());
    let sealed = |at: usize| {
        let about = bound.half(&key_text(PLACE), &auditors[at]);
        let half = [0x40 + at as u8; 32];
        seal(
            auditor(AUDITORS[at]).verifying_key(),
            &about,
            &half,
            [at as u8; 32],
        )
        .unwrap()
    };
    let halves = vec![sealed(0), sealed(1)];
    let text = bound.escrow(&auditors, &halves);
    SecretEscrowed {
        draw: DRAW,
        position: 0,
        signature: sign(&text),
        auditors: auditors.to_vec(),
        halves,
    }
}

fn by_insider(text: &str) -> String {
    let note = Note::sign(text, &insider()).unwrap();
    note.signatures()[0].to_string()
}

/// The holder's host says of its secret that it is in escrow.
fn signs(events: &mut [Event], log: &Log, sign: fn(&str) -> String) {
    let text = said(log, DRAW, PLACE).unwrap();
    let Some(Event::HostsSigned(body)) = events.first_mut() else {
        panic!("another kind stands here");
    };
    body.signatures[PLACE] = sign(&text.replacen("secret", "escrowed-secret", 1));
}

/// A lawful log with escrow.
fn lawful() -> Log {
    play(Fault::Both([
        ("hosts 4", |events, log| {
            events.push(escrowed(log, |text| line(PLACE, text)).into());
        }),
        ("signed 4", |events, log| {
            signs(events, log, |text| line(PLACE, text))
        }),
    ]))
}

/// The same as the insider writes it: lawful too, and the host is his.
fn forged() -> Log {
    play(Fault::Both([
        ("hosts 4", |events, log| {
            let Some(Event::HostsNamed(body)) = events.first_mut() else {
                panic!("another kind stands here");
            };
            body.keys[PLACE] = insider().verifying_key().to_string();
            events.push(escrowed(log, by_insider).into());
        }),
        ("signed 4", |events, log| signs(events, log, by_insider)),
    ]))
}

fn run(at: &Path, log: &Log, of: (&str, u8), more: &[&str]) -> (i32, String) {
    fs::write(at.join("log"), log.export()).unwrap();
    let folder = at.join(of.0);
    fs::create_dir_all(&folder).unwrap();
    let key = folder.join("host.key");
    fs::write(&key, hex::encode([of.1; 32])).unwrap();
    fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_keno-audit"));
    command
        .current_dir(at)
        .args(["escrow", "log", "--key", &log.verifier_key()]);
    command.args(["--holder", HOLDER, "--folder", of.0, "--host", of.0]);
    let Output {
        status,
        stdout,
        stderr,
    } = command.args(more).output().unwrap();
    let said = [stdout, stderr].concat();
    (status.code().unwrap(), String::from_utf8(said).unwrap())
}

#[test]
fn a_half_is_opened_for_the_host_that_gave_it_and_nothing_is_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let log = lawful();
    let own = HostKey::from_seed("essai/appareil", HOST_SEED).unwrap();
    let named = own.verifying_key().to_string();
    assert_eq!(named, key_text(PLACE));
    for (place, of) in AUDITORS.into_iter().enumerate() {
        let (code, said) = run(at, &log, of, &["--draw", "4", "--out", "opened"]);
        assert_eq!((code, said), (0, format!("draw\t4\topened for\t{named}\n")));
        let file = at.join("opened");
        let mode = fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let note = fs::read_to_string(&file).unwrap();
        let opened = Opened::read(&note, auditor(of).verifying_key()).unwrap();
        let half = &opened.halves[0];
        let bound = Bound {
            house: HOUSE,
            draw: DRAW,
            commitment: &half.commitment,
        };
        let read = open(&own, &bound.half(&named, &named), &half.half).unwrap();
        assert_eq!(*read, [0x40 + place as u8; 32]);
        // What is there stays, the auditor's key too.
        for there in ["opened", &format!("{}/host.key", of.0)] {
            let before = fs::read(at.join(there)).unwrap();
            let (code, said) = run(at, &log, of, &["--draw", "4", "--out", there]);
            assert_eq!(code, 2);
            assert!(said.contains("is there already"), "{said}");
            assert_eq!(fs::read(at.join(there)).unwrap(), before);
        }
        fs::remove_file(file).unwrap();
    }
}

#[test]
fn a_log_that_names_another_host_opens_nothing_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let log = forged();
    for of in AUDITORS {
        let (code, said) = run(at, &log, of, &["--draw", "4", "--out", "opened"]);
        assert_eq!(code, 2, "{said}");
        assert!(said.contains("another host than the log names"), "{said}");
        assert!(!at.join("opened").exists());
    }
}

#[test]
fn nothing_is_opened_of_what_is_not_in_escrow_with_the_key() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let [one, _] = AUDITORS;
    for (log, of, more, expected) in [
        (
            lawful(),
            ("un", 0x63),
            &["--draw", "4"][..],
            "nothing is in escrow",
        ),
        (lawful(), one, &["--draw", "3"], "nothing is in escrow"),
        (lawful(), one, &["--draw", "99"], "no draw 99"),
        // Its secret is told: nobody needs it back.
        (lawful(), one, &[], "no draw waits"),
        (
            play(Fault::None),
            one,
            &["--draw", "4"],
            "nothing is in escrow",
        ),
    ] {
        let more = [more, &["--out", "opened"]].concat();
        let (code, said) = run(at, &log, of, &more);
        assert_eq!(code, 2, "{said}");
        assert!(said.contains(expected), "{said}");
        assert!(!at.join("opened").exists());
    }
}
