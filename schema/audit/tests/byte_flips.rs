//! One bit of any byte of an export: the log no longer holds, and the entry is named.

// Helpers beside the tests unwrap too: a story that cannot be written fails its test.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::Command;
use std::thread;

use crate::support::scenario::play;
use crate::support::{Fault, Log};
use keno_audit::Finding;
use keno_audit::replay::Options;
use keno_audit::verify::{Outside, verify};
use keno_log::RetiredKind;
use keno_log::encode::put_bytes;
use keno_log::export::{MAGIC, put_end};
use keno_log::hash::leaf_hash;
use keno_log::leaf::{LEAF_LENGTH, body_commitment};

fn first_finding(export: &[u8]) -> Option<Finding> {
    let outcome = verify(export, Outside::default(), Options::default()).unwrap();
    outcome.findings.into_iter().next()
}

/// For each byte of the export, the entry that it belongs to; none for what is before the first
/// entry and after the last.
fn owners(log: &Log, export: &[u8]) -> Vec<Option<u64>> {
    let mut owners = vec![None; MAGIC.len()];
    for (place, entry) in (0..).zip(&log.entries) {
        let length = 1 + LEAF_LENGTH + 32 + 32 + 4 + entry.body.len();
        owners.extend(vec![Some(place); length]);
    }
    owners.resize(export.len(), None);
    owners
}

#[test]
fn every_flipped_byte_is_found_in_its_entry() {
    let mut log = play(Fault::None);
    // House, rules, draws and the first sales: what a body means plays no part here.
    log.entries.truncate(24);
    let export = log.export();
    let owners = owners(&log, &export);
    assert_eq!(first_finding(&export), None);
    let judge = |from: usize| {
        let mut misses = Vec::new();
        let mut changed = export.clone();
        for place in (from..export.len()).step_by(2) {
            let bit = 1 << (place % 8);
            changed[place] ^= bit;
            let found = first_finding(&changed);
            changed[place] ^= bit;
            let hit = match (&found, owners[place]) {
                (None, _) => false,
                (Some(found), Some(owner)) => {
                    // The kind is the leaf's own unless the leaf is what was changed.
                    let kind = log.entries[owner as usize].leaf.header.kind;
                    let kind_fits =
                        found.name() != "body_not_committed" || found.kind == Some(kind);
                    found.entry == Some(owner) && kind_fits
                }
                // Before the entries: not an export. After them: the end's mark is where entry
                // `size` would begin; the checkpoint is the export's own.
                (Some(found), None) if place < MAGIC.len() => {
                    // Of the digit, other digits are other formats.
                    let is_digit = place == MAGIC.len() - 2;
                    found.name() == "framing" || is_digit && found.name() == "export_format"
                }
                (Some(found), None) => found.entry.is_none_or(|entry| entry == log.size()),
            };
            if !hit {
                misses.push((place, owners[place], found));
            }
        }
        misses
    };
    let misses = thread::scope(|scope| {
        let odd = scope.spawn(|| judge(1));
        let mut misses = judge(0);
        misses.extend(odd.join().unwrap());
        misses
    });
    assert!(misses.is_empty(), "{:?}", &misses[..misses.len().min(5)]);
}

#[test]
fn an_export_cut_anywhere_is_found() {
    let log = play(Fault::None);
    let export = log.export();
    for length in (0..export.len()).step_by(97).chain([export.len() - 1]) {
        let found = first_finding(&export[..length]).unwrap();
        assert_eq!(found.name(), "framing", "{length} bytes");
    }
    let longer = [export.as_slice(), &[0]].concat();
    assert_eq!(first_finding(&longer).unwrap().name(), "framing");
}

/// Where the bytes agree with each other, but are not of the format.
#[test]
fn bytes_that_agree_but_cannot_be_read_are_found() {
    let log = play(Fault::None);
    let export = log.export();
    let first = |leaf: &[u8], nonce: &[u8; 32], body: &[u8]| {
        let mut out = MAGIC.to_vec();
        out.push(1);
        out.extend_from_slice(leaf);
        out.extend_from_slice(&leaf_hash(leaf));
        out.extend_from_slice(nonce);
        put_bytes(body, &mut out);
        let found = first_finding(&out).unwrap();
        assert_eq!(found.entry, Some(0));
        found.name()
    };
    assert_eq!(first_finding(&export), None);
    let entry = &log.entries[0];
    let mut leaf = entry.leaf.to_bytes();
    leaf[0] = 1;
    assert_eq!(first(&leaf, &entry.nonce, &entry.body), "leaf_unreadable");
    let mut body = entry.body.clone();
    body.push(0);
    let mut leaf = entry.leaf;
    assert_eq!(
        first(&leaf.to_bytes(), &entry.nonce, &body),
        "body_not_committed"
    );
    leaf.commitment = body_commitment(&entry.nonce, &body);
    assert_eq!(
        first(&leaf.to_bytes(), &entry.nonce, &body),
        "body_unreadable"
    );
}

/// A log with an entry in its middle of a kind that an earlier version recorded.
fn with_retired(log: &Log, middle: usize, body: &[u8]) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    for (place, entry) in log.entries.iter().enumerate() {
        let (mut leaf, mut said) = (entry.leaf.to_bytes(), entry.body.as_slice());
        if place == middle {
            leaf[1] = RetiredKind::SecretEscrowed.number();
            leaf[30..].copy_from_slice(&body_commitment(&entry.nonce, body));
            said = body;
        }
        out.push(1);
        out.extend_from_slice(&leaf);
        out.extend_from_slice(&leaf_hash(&leaf));
        out.extend_from_slice(&entry.nonce);
        put_bytes(said, &mut out);
    }
    put_end("", &mut out);
    out
}

#[test]
fn a_retired_kind_is_named_whatever_its_body_is() {
    let log = play(Fault::None);
    let middle = log.entries.len() / 2;
    let folder = tempfile::tempdir().unwrap();
    let verifier = Path::new("../../e2e/stranger/verify.py");
    let mut stranger = Command::new("python3");
    stranger.arg("-B").arg(verifier).arg("--json");
    let bodies: [&[u8]; 4] = [&[], &[0xff; 200], &[0; 8], &log.entries[middle].body];
    for (number, body) in bodies.iter().enumerate() {
        let export = with_retired(&log, middle, body);
        let found = first_finding(&export).unwrap();
        assert_eq!(found.name(), "kind_retired");
        assert_eq!(found.entry, Some(middle as u64));
        let words = found.to_string();
        for part in [
            "of an older version",
            "kind 70, secrets in escrow",
            "sorte 70, des secrets sous séquestre",
        ] {
            assert!(words.contains(part), "{part:?} is not in: {words}");
        }
        let file = folder.path().join(format!("{number}.log"));
        std::fs::write(&file, export).unwrap();
        stranger.arg(file);
    }
    // Python must be installed: the second verifier is not optional.
    let said = String::from_utf8(stranger.output().unwrap().stdout).unwrap();
    assert_eq!(said.lines().count(), bodies.len());
    for line in said.lines() {
        let report: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(report["first_bad"], middle);
        let first = &report["findings"][0];
        assert_eq!(first["what"], "kind_retired");
        let words = first["detail"].as_str().unwrap();
        assert!(
            words.contains("kind 70, SecretEscrowed, is of an older version"),
            "{words}"
        );
    }
}
