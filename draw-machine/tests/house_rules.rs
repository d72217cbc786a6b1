//! What the source of this crate may not contain: a clock, a convenience generator, a network.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

/// Words that would let something else than secrets and seal move a ball, with the reason.
const FORBIDDEN: [(&str, &str); 10] = [
    ("SystemTime", "a draw must not depend on the date"),
    ("Instant", "a draw must not depend on the hour"),
    ("chrono", "a draw must not depend on the calendar"),
    ("Duration", "a draw must not depend on how long things take"),
    ("thread_rng", "no other generator than the one in DRAW.md"),
    ("rand::", "a library's sampling changes between releases"),
    (
        "std::env::var",
        "a draw must not depend on its surroundings",
    ),
    ("std::net", "the machine opens no connection"),
    ("hostname", "a draw must not depend on where it is made"),
    ("process::id", "a draw must not depend on the process"),
];

/// Crates that the machine must not name in its manifest.
const FORBIDDEN_CRATES: [&str; 6] = ["rand", "chrono", "time", "fastrand", "ureq", "tokio"];

fn first_forbidden(source: &str) -> Option<&'static str> {
    FORBIDDEN
        .into_iter()
        .find(|(word, _)| source.contains(word))
        .map(|(word, _)| word)
}

fn first_forbidden_crate(manifest: &str) -> Option<&'static str> {
    let named = |name: &&str| {
        manifest.lines().any(|line| {
            line.strip_prefix(*name)
                .is_some_and(|rest| rest.starts_with(['.', ' ', '=']))
        })
    };
    FORBIDDEN_CRATES.into_iter().find(named)
}

#[test]
fn nothing_but_secrets_and_seal_can_move_a_ball() {
    let folder = Path::new("src");
    let mut read = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let source = fs::read_to_string(&path).unwrap();
        assert!(
            source.starts_with("//!"),
            "{}: no module text",
            path.display()
        );
        assert_eq!(first_forbidden(&source), None, "{}", path.display());
        read += 1;
    }
    assert!(read > 10, "the sources were read");
    let manifest = include_str!("../Cargo.toml");
    assert_eq!(first_forbidden_crate(manifest), None);
    assert!(manifest.contains("rand_chacha"), "the manifest was read");
}

#[test]
fn planted_clock_and_crate_are_caught() {
    let clock = "if SystemTime::now() > FRIDAY { seed = 7 }";
    assert_eq!(first_forbidden(clock), Some("SystemTime"));
    assert_eq!(first_forbidden_crate("rand.workspace = true"), Some("rand"));
    assert_eq!(first_forbidden_crate("rand = \"0.10\""), Some("rand"));
}
