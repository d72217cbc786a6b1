//! The draw as strangers see it: recomputed by another program, checked by ours.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use keno_draw::published::to_json;
use keno_draw::vectors::VECTORS_JSON;
use keno_draw::{
    DrawContext, DrawOrder, FileHolder, HolderRecord, OsEntropy, RngMachine, Seal, SecretHolder,
    Transcript, collect,
};

const HOUSE: &str = "maison d'essai";

fn here(path: &str) -> PathBuf {
    Path::new("..").join(path)
}

fn recompute(arguments: &[&str], file: &Path) -> Output {
    Command::new("python3")
        .arg("-B")
        .arg(here("tests/recompute.py"))
        .args(arguments)
        .arg(file)
        .output()
        .expect("python3 must be installed: the second computation is not optional")
}

fn program(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_keno-draw-machine"))
        .args(arguments)
        .output()
        .unwrap();
    (
        output.status.code(),
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

#[test]
fn another_program_recomputes_every_vector() {
    let output = recompute(&[], &here("vectors.json"));
    let lines = String::from_utf8_lossy(&output.stdout).lines().count();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(lines >= 6);
}

#[test]
fn another_program_catches_a_planted_ball() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("vectors.json");
    let mut vectors: serde_json::Value = serde_json::from_str(VECTORS_JSON).unwrap();
    vectors[3]["balls"].as_array_mut().unwrap().swap(18, 19);
    fs::write(&file, vectors.to_string()).unwrap();
    assert_eq!(recompute(&[], &file).status.code(), Some(1));
}

/// A draw from end to end: two holders commit, the seal comes, they reveal, the machine draws.
fn a_whole_draw(folder: &Path) -> Transcript {
    let open = |name: &str| FileHolder::open(&folder.join(name), HOUSE, name, OsEntropy).unwrap();
    let mut holders = [open("machine"), open("audit")];
    let commitments = [holders[0].commit(1).unwrap(), holders[1].commit(1).unwrap()];
    let seal = Seal {
        size: 321,
        root: [0xAB; 32],
    };
    let records: Vec<HolderRecord> = holders
        .iter_mut()
        .zip(commitments)
        .map(|(holder, commitment)| HolderRecord {
            name: holder.name().to_owned(),
            commitment,
            secret: holder.reveal(1, &seal).unwrap(),
            beacon: String::new(),
        })
        .collect();
    let context = DrawContext {
        house: HOUSE.to_owned(),
        draw: 1,
        log_size: seal.size,
        seal_root: seal.root,
        rule_book_hash: [0xCD; 32],
        pool_size: 80,
        drawn: 20,
    };
    let order = DrawOrder::within(context.clone(), records.clone());
    let mut machine = RngMachine::open(&folder.join("draws"), HOUSE).unwrap();
    let collected = collect(&mut machine, &order).unwrap();
    let transcript = Transcript::compute(context, records).unwrap();
    assert_eq!(collected.balls, transcript.balls);
    transcript
}

#[test]
fn a_whole_draw_is_confirmed_by_both_programs() {
    let folder = tempfile::tempdir().unwrap();
    let transcript = a_whole_draw(folder.path());
    let file = folder.path().join("transcript.json");
    fs::write(&file, to_json(&transcript).unwrap()).unwrap();
    let (code, stdout, stderr) = program(&["check", file.to_str().unwrap()]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.ends_with("result\tholds\n"), "{stdout}");
    let output = recompute(&["--transcript"], &file);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn two_cold_starts_share_nothing() {
    let balls: Vec<Vec<u8>> = (0..2)
        .map(|_| a_whole_draw(tempfile::tempdir().unwrap().path()).balls)
        .collect();
    assert_ne!(balls[0], balls[1]);
}

#[test]
fn a_bad_transcript_exits_1_and_names_the_fault() {
    let folder = tempfile::tempdir().unwrap();
    let transcript = a_whole_draw(folder.path());
    let file = folder.path().join("transcript.json");
    let verdict = |text: &str| {
        fs::write(&file, text).unwrap();
        let (code, stdout, stderr) = program(&["check", file.to_str().unwrap()]);
        assert_eq!(code, Some(1), "{stdout}");
        assert!(stdout.is_empty() && stderr.contains("hint: "), "{stderr}");
        stderr
    };
    let mut swapped = transcript.clone();
    swapped.balls.swap(0, 1);
    assert!(verdict(&to_json(&swapped).unwrap()).starts_with("error: ball_differs: "));
    let mut other_secret = transcript.clone();
    other_secret.holders[0].secret[0] ^= 1;
    let text = to_json(&other_secret).unwrap();
    assert!(verdict(&text).starts_with("error: commitment_mismatch: "));
    let edited = to_json(&transcript)
        .unwrap()
        .replace("\"draw\": 1,", "\"draw\": 2,");
    assert!(verdict(&edited).starts_with("error: digest_differs: "));
    assert!(verdict("not JSON").starts_with("error: malformed: "));
    let (code, _, stderr) = program(&["check", "absent.json"]);
    assert_eq!(code, Some(1));
    assert!(stderr.starts_with("error: unreadable: "), "{stderr}");
}

#[test]
fn the_self_test_passes() {
    let (code, stdout, stderr) = program(&["self-test"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.starts_with("entropy\tok\nvectors\tok\t"), "{stdout}");
}
