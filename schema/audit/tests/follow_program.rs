//! `keno-audit follow` as a program on the network: central alone is answered, and a follower that was
//! killed goes on from what it had said.

#![allow(clippy::unwrap_used, reason = "a test's failure is its own report")]
#![allow(clippy::panic, reason = "likewise")]

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::support::{Fault, HOUSE, Log, follower};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use keno_line::follow::{Answer, Ask, BOUNDS, More};
use keno_line::{Host, HostKey, HostPlace};
use keno_log::checkpoint::VerifyingKey;
use keno_log::export::put_entry;

fn central_key() -> HostKey {
    HostKey::from_seed("central", [2; 32]).unwrap()
}

/// The program at work, killed with the test.
struct Program {
    child: Child,
    address: String,
}

impl Program {
    fn start(settings: &Path) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_keno-audit"))
            .args(["follow", "--settings"])
            .arg(settings)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let address = line.trim_end().strip_prefix("listening\t").unwrap();
        Self {
            address: address.to_owned(),
            child,
        }
    }

    /// The host as somebody with a key sees it.
    fn seen_by(&self, own: &HostKey, key: &VerifyingKey) -> Host {
        let place = HostPlace {
            address: self.address.clone(),
            key: key.clone(),
        };
        Host::new(HOUSE, &place, own, BOUNDS).unwrap()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

/// The key of the host, as its own command makes it.
fn key_of(folder: &Path) -> VerifyingKey {
    let output = Command::new(env!("CARGO_BIN_EXE_keno-audit"))
        .args(["key", "--host", "audit-office", "--folder"])
        .arg(folder)
        .output()
        .unwrap();
    assert!(output.status.success());
    VerifyingKey::parse(String::from_utf8(output.stdout).unwrap().trim_end()).unwrap()
}

fn settings(folder: &Path, log: &Log) -> std::path::PathBuf {
    let path = folder.join("follower.toml");
    let text = format!(
        "host = \"audit-office\"\nlisten = \"127.0.0.1:0\"\nfolder = \"copy\"\nhouse = \"{HOUSE}\"\n\
         central = \"{}\"\nlog = \"{}\"\n",
        central_key().verifying_key(),
        log.verifier_key()
    );
    std::fs::write(&path, text).unwrap();
    path
}

/// The whole log at once.
fn whole(log: &Log) -> Ask {
    let mut bytes = Vec::new();
    for entry in &log.entries {
        put_entry(entry, &entry.leaf.hash(), &mut bytes);
    }
    Ask::Follow(Box::new(More {
        from: 0,
        entries: STANDARD.encode(bytes),
        checkpoint: log.checkpoint(log.size()),
        consistency: Vec::new(),
        draws: Vec::new(),
    }))
}

fn size_of(host: &Host) -> u64 {
    match host.answer(&Ask::State).unwrap() {
        Answer::State { size, .. } => size,
        other => panic!("{other:?}"),
    }
}

#[test]
fn central_alone_hands_over_the_log_and_a_killed_follower_has_what_it_said() {
    let log = follower::play(Fault::None);
    let folder = tempfile::tempdir().unwrap();
    let settings = settings(folder.path(), &log);
    let key = key_of(&folder.path().join("copy"));
    let program = Program::start(&settings);
    for stranger in [
        HostKey::from_seed("central", [3; 32]).unwrap(),
        HostKey::read(&folder.path().join("copy"), "audit-office").unwrap(),
    ] {
        let answered = program
            .seen_by(&stranger, &key)
            .answer::<Answer>(&Ask::State);
        assert!(answered.is_err(), "{answered:?}");
    }
    // Another program at the address is not taken for it either.
    let other = HostKey::from_seed("audit-office", [4; 32]).unwrap();
    let wrong = program.seen_by(&central_key(), other.verifying_key());
    assert!(wrong.answer::<Answer>(&Ask::State).is_err());

    let host = program.seen_by(&central_key(), &key);
    assert_eq!(size_of(&host), 0);
    match host.answer(&whole(&log)).unwrap() {
        Answer::Followed {
            size, cosignature, ..
        } => assert_eq!((size, cosignature.is_some()), (log.size(), true)),
        other => panic!("{other:?}"),
    }
    drop(program);
    let program = Program::start(&settings);
    assert_eq!(size_of(&program.seen_by(&central_key(), &key)), log.size());
}

#[test]
fn settings_that_cannot_be_used_are_told_before_anybody_is_answered() {
    let log = follower::play(Fault::None);
    let folder = tempfile::tempdir().unwrap();
    let path = settings(folder.path(), &log);
    let run = || {
        let output = Command::new(env!("CARGO_BIN_EXE_keno-audit"))
            .args(["follow", "--settings"])
            .arg(&path)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(output.stdout.is_empty());
        String::from_utf8(output.stderr).unwrap()
    };
    // No key was made.
    let said = run();
    assert!(
        said.starts_with("keno-audit: the key of this host"),
        "{said}"
    );
    assert!(said.contains("\nhint: the `key` command"), "{said}");
    std::fs::write(&path, "host = 5\n").unwrap();
    assert!(run().contains("follower.toml"), "{}", run());
}
