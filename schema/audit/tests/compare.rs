//! Two papers, or a paper and an anchor file, against a log and against each other.

// Helpers beside the tests unwrap too: a file that cannot be written fails its test.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::support::scenario::play;
use crate::support::{Fault, Log};
use keno_audit::compare::{State, paper_hash, state_of_code, states_of_file};
use keno_log::checkpoint::{Checkpoint, Note, SigningKey};
use keno_log::event::{EpochOpened, LeaseTaken, TicketSold};
use keno_log::hash::Hash;
use keno_log::proof::consistency_proof_of;
use keno_log::tree::{Edge, root_of};
use keno_log::{Event, EventKind};

/// The code that `keno-wire` holds its own writer to.
const CODE: &str = "KT2073155289014666301\
                    MPJTB9D5MPJTB9D5MP0W00009118204\
                    7GY3RF1W7GY3RF1W7GY3RF1W7GY3RF1W7GY3RF1W7GY3RF1W7GY0\
                    JTB9D5MPJTB9D5MP";

/// A claim code with this state, written out by other means than the reader's.
fn code(size: u64, root: &Hash) -> String {
    let letters: Vec<char> = "0123456789ABCDEFGHJKMNPQRSTVWXYZ".chars().collect();
    let mut text = String::new();
    let (mut waiting, mut bits) = (0_u32, 0);
    for byte in root {
        waiting = waiting << 8 | u32::from(*byte);
        bits += 8;
        while bits >= 5 {
            bits -= 5;
            text.push(letters[(waiting >> bits & 31) as usize]);
        }
    }
    text.push(letters[(waiting << (5 - bits) & 31) as usize]);
    format!(
        "KT20731552890146663{:02}{}{size:011}{text}{}",
        1,
        "A".repeat(20),
        "B".repeat(16)
    )
}

/// Runs `compare`; what is a claim code is typed.
fn run(folder: &Path, arguments: &[&str]) -> (i32, String) {
    let is_code = |argument: &&&str| argument.starts_with("KT2");
    let codes: Vec<&str> = arguments.iter().filter(is_code).copied().collect();
    let words = arguments
        .iter()
        .map(|one| if is_code(&one) { "-" } else { one });
    let mut child = Command::new(env!("CARGO_BIN_EXE_keno-audit"))
        .current_dir(folder)
        .arg("compare")
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let typed = codes.join("\n") + "\n";
    // A command that is refused before it reads has no reader any more.
    let _ = child.stdin.take().unwrap().write_all(typed.as_bytes());
    let Output {
        status,
        stdout,
        stderr,
    } = child.wait_with_output().unwrap();
    let said = [stdout, stderr].concat();
    (status.code().unwrap(), String::from_utf8(said).unwrap())
}

/// As [`run`], with the note of a house that attests each of these papers.
fn run_attested(folder: &Path, arguments: &[&str]) -> (i32, String) {
    let codes: Vec<&str> = arguments.to_vec();
    let note = note_of(&codes, [5; 32]);
    fs::write(folder.join("note"), note).unwrap();
    run(folder, &[arguments, &["--attested", "note"]].concat())
}

fn hex(hash: &Hash) -> String {
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A note that attests the claim codes among these, by the key of that seed.
fn note_of(codes: &[&str], seed: [u8; 32]) -> String {
    let codes = codes.iter().filter(|it| it.starts_with("KT2"));
    let lines: String = codes
        .map(|it| format!("{}\n", hex(&paper_hash(it))))
        .collect();
    let key = SigningKey::from_seed("boulier/essai", &seed).unwrap();
    let text = format!("boulier/attested/v1\n{lines}");
    Note::sign(&text, &key).unwrap().to_string()
}

fn hashes(log: &Log) -> Vec<Hash> {
    log.entries.iter().map(|it| it.leaf.hash()).collect()
}

fn paper(log: &Log, size: u64) -> String {
    code(size, &root_of(&hashes(log)[..size as usize]))
}

fn anchors(log: &Log, sizes: &[u64]) -> String {
    let mut text = String::new();
    for size in sizes {
        let root: String = root_of(&hashes(log)[..*size as usize])
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        text.push_str(&format!("anchor {size} {root}\n"));
    }
    text
}

/// The story, and the same one made anew from its tenth leaf on.
fn two_logs() -> (Log, Log) {
    let rewritten = play(Fault::Events("sell b", |events, _| {
        if let Some(Event::TicketSold(TicketSold { received_cents, .. })) = events.first_mut() {
            *received_cents += 100;
        }
    }));
    (play(Fault::None), rewritten)
}

#[test]
fn a_code_is_read_and_nothing_else_is() {
    assert_eq!(
        state_of_code(CODE),
        Some(State {
            size: 9_118_204,
            root: [0x3C; 32]
        })
    );
    let root: Hash = core::array::from_fn(|at| (at * 37) as u8);
    assert_eq!(
        state_of_code(&code(77, &root)),
        Some(State { size: 77, root })
    );
    // A code is one thing, however it was read or typed.
    for (read, how) in [
        (CODE.to_lowercase(), "small letters"),
        (format!("]Q1{CODE}"), "an identifier"),
        (
            CODE.replace('0', "O").replace('1', "l"),
            "letters for digits",
        ),
        (
            format!("{} {}-{}", &CODE[..9], &CODE[9..50], &CODE[50..]),
            "spaces and hyphens",
        ),
    ] {
        assert_eq!(state_of_code(&read), state_of_code(CODE), "{how}");
        assert_eq!(paper_hash(&read), paper_hash(CODE), "{how}");
    }
    for wrong in [
        &CODE[..119],
        &CODE.replace("KT2", "KT1"),
        &CODE.replace('W', "U"),
        // The last letter holds one bit of the root and four that are zero.
        &format!("{}1{}", &CODE[..103], &CODE[104..]),
    ] {
        assert_eq!(state_of_code(wrong), None, "{wrong}");
    }
    assert_eq!(states_of_file(""), None);
    assert_eq!(states_of_file("anchor 1 zz\n"), None);
    let (log, _) = two_logs();
    let torn = format!("{}anchor 9 tor", anchors(&log, &[3, 5]));
    assert_eq!(states_of_file(&torn).unwrap().len(), 2);
    assert_eq!(states_of_file(&log.checkpoint(7)).unwrap()[0].size, 7);
}

#[test]
fn two_papers_of_one_log_agree_and_a_rewritten_one_is_exposed() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let (log, rewritten) = two_logs();
    let split = log.at("sell b");
    fs::write(at.join("log"), log.export()).unwrap();
    fs::write(at.join("rewritten"), rewritten.export()).unwrap();
    let (early, late) = (paper(&log, split), paper(&log, split + 9));
    let (code, said) = run(at, &[&early, &late, "--log", "log"]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("All of it is of one log.") && said.contains("Tout est d'un seul"));
    // The papers are of the log that was, and the house shows the one that was made anew.
    // Who only shows the papers shows nothing: anybody can write them.
    let (code, said) = run(at, &[&early, &late, "--log", "rewritten"]);
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("paper 2: UNATTESTED"), "{said}");
    assert!(!said.contains("DISAGREE"), "{said}");
    // So do papers that another key attests.
    fs::write(at.join("forged"), note_of(&[&early, &late], [9; 32])).unwrap();
    let forged = ["--log", "rewritten", "--attested", "forged"];
    let (code, said) = run(at, &[&[early.as_str(), &late][..], &forged].concat());
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("no note of this house"), "{said}");
    let (code, said) = run_attested(at, &[&early, &late, "--log", "rewritten"]);
    assert_eq!(code, 1, "{said}");
    assert!(
        said.contains("papier 1 / paper 1: the log begins with"),
        "{said}"
    );
    assert!(
        said.contains("paper 2 AND THE LOG DISAGREE: at size"),
        "{said}"
    );
    assert!(
        said.contains("paper 2 ET LE REGISTRE SE CONTREDISENT"),
        "{said}"
    );
    // One paper of each: whichever log is shown, one of them disagrees.
    let other = paper(&rewritten, split + 5);
    for shown in ["log", "rewritten"] {
        let (code, said) = run_attested(at, &[&late, &other, "--log", shown]);
        assert_eq!(code, 1, "{said}");
        assert_eq!(said.matches("DISAGREE").count(), 1, "{said}");
    }
    // A log that was cut.
    let (code, said) = run(at, &[&paper(&log, log.size()), &late, "--log", "log"]);
    assert_eq!(code, 0, "{said}");
    let short = {
        let mut short = play(Fault::None);
        short.entries.truncate(split as usize + 2);
        short.export()
    };
    fs::write(at.join("short"), short).unwrap();
    let (code, said) = run_attested(at, &[&early, &late, "--log", "short"]);
    assert_eq!(code, 1);
    assert!(said.contains("and the log ends at"), "{said}");
    // A log that is none.
    let mut broken = log.export();
    let middle = broken.len() / 2;
    broken[middle] ^= 1;
    fs::write(at.join("broken"), broken).unwrap();
    let (code, said) = run(at, &[&early, &late, "--log", "broken"]);
    assert_eq!(code, 1);
    assert!(said.contains("nothing is said of the papers"), "{said}");
    // The claim code is money: no answer repeats it.
    assert!(!said.contains("0731552890146663"));
    assert_eq!(run(at, &[&early[..90], &late, "--log", "log"]).0, 2);
    // Nor does it stand among the arguments, which everybody on the machine sees.
    let given = Command::new(env!("CARGO_BIN_EXE_keno-audit"))
        .args(["compare", &early, "-"])
        .output()
        .unwrap();
    let said = String::from_utf8(given.stderr).unwrap();
    assert!(said.contains("no argument") && !said.contains("0731552890146663"));
    assert!(
        !run(at, &[&early[..90], &late])
            .1
            .contains("0731552890146663")
    );
    assert_eq!(run(at, &[&early, "absent"]).0, 2);
}

#[test]
fn an_anchor_file_and_a_checkpoint_do_as_well() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let (log, rewritten) = two_logs();
    let split = log.at("sell b");
    fs::write(at.join("log"), log.export()).unwrap();
    fs::write(at.join("anchors"), anchors(&log, &[4, split, split + 5])).unwrap();
    fs::write(at.join("kept"), log.checkpoint(split + 3)).unwrap();
    let good = paper(&log, split + 5);
    let bad = paper(&rewritten, split + 5);
    assert_eq!(run(at, &[&good, "anchors", "--log", "log"]).0, 0);
    assert_eq!(run(at, &["kept", "anchors", "--log", "log"]).0, 0);
    assert_eq!(run(at, &[&bad, "anchors", "--log", "log"]).0, 2);
    assert_eq!(run_attested(at, &[&bad, "anchors", "--log", "log"]).0, 1);
    // Without a log: the sizes that both know must agree.
    let (code, said) = run(at, &[&good, "anchors"]);
    assert_eq!(code, 0, "{said}");
    let (code, said) = run(at, &[&bad, "anchors"]);
    assert_eq!(code, 2);
    assert!(
        said.contains("UNATTESTED") && said.contains("NON ATTESTÉ"),
        "{said}"
    );
    let (code, said) = run(at, &[&good, "kept"]);
    assert_eq!(code, 2);
    assert!(
        said.contains("--proof") && said.contains("cannot be told"),
        "{said}"
    );
}

#[test]
fn a_proof_of_the_published_log_does_as_well() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let (log, rewritten) = two_logs();
    let split = log.at("sell b");
    let (from, to) = (split + 2, split + 9);
    let reply = |log: &Log| {
        let proof = consistency_proof_of(from, &hashes(log)[..to as usize]).unwrap();
        let list: Vec<String> = proof.iter().map(|it| format!("\"{}\"", hex(it))).collect();
        format!(
            "{{\"from\":{from},\"to\":{to},\"proof\":[{}]}}",
            list.join(",")
        )
    };
    fs::write(at.join("proof"), reply(&log)).unwrap();
    fs::write(at.join("other"), reply(&rewritten)).unwrap();
    let (one, two) = (paper(&log, from), paper(&log, to));
    let (code, said) = run(at, &[&two, &one, "--proof", "proof"]);
    assert_eq!(code, 0, "{said}");
    // What is signed tells; a paper alone does not.
    fs::write(at.join("from"), log.checkpoint(from)).unwrap();
    fs::write(at.join("to"), log.checkpoint(to)).unwrap();
    assert_eq!(run(at, &["from", "to", "--proof", "proof"]).0, 0);
    assert_eq!(run(at, &["from", "to", "--proof", "other"]).0, 1);
    assert_eq!(run(at, &[&one, &two, "--proof", "other"]).0, 2);
    let anew = paper(&rewritten, to);
    assert_eq!(run(at, &[&one, &anew, "--proof", "other"]).0, 2);
    assert_eq!(run(at, &[&one, &two, "--proof", "absent"]).0, 2);
}

#[test]
fn what_a_restore_lost_is_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let (log, _) = two_logs();
    let from = log.at("session");
    let lost = from + 6;
    // The log goes on from a backup, and says what it lost.
    let mut restored = play(Fault::None);
    restored.entries.truncate(from as usize);
    restored.labels.clear();
    restored.edge = Edge::new();
    for hash in &hashes(&restored) {
        restored.edge.append(*hash);
    }
    let epoch = EpochOpened {
        epoch: 2,
        continues_size: from,
        continues_root: restored.edge.root(),
        lost_size: lost,
        lost_root: root_of(&hashes(&log)[..lost as usize]),
        next_draw: 9,
        next_session: 9,
        next_shift: 9,
        reason: "disque perdu".to_owned(),
        by: "S201".to_owned(),
        second: "S202".to_owned(),
    };
    restored.push("epoch", epoch);
    for fence in 2..20 {
        let instance = "b".to_owned();
        restored.push("lease", LeaseTaken { instance, fence });
    }
    assert_eq!(
        restored.entries[from as usize].leaf.header.kind,
        EventKind::EpochOpened
    );
    let own = Checkpoint::new("boulier/essai/2", restored.size(), restored.edge.root());
    fs::write(at.join("log"), restored.export_with(&restored.sign(&own))).unwrap();
    let (code, said) = run(
        at,
        &[
            &paper(&log, from),
            &paper(&restored, from + 9),
            "--log",
            "log",
        ],
    );
    assert_eq!(code, 0, "{said}");
    for size in [from + 1, lost] {
        let (code, said) = run_attested(
            at,
            &[
                &paper(&log, size),
                &paper(&restored, from + 9),
                "--log",
                "log",
            ],
        );
        assert_eq!(code, 1);
        assert!(
            said.contains("the part that the log says was lost (epoch 2"),
            "{said}"
        );
        assert!(!said.contains("DISAGREE"), "{said}");
    }
    let (code, said) = run_attested(
        at,
        &[&paper(&log, lost + 1), &paper(&log, from), "--log", "log"],
    );
    assert_eq!(code, 1);
    assert!(said.contains("DISAGREE"), "{said}");
}
