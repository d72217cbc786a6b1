//! Every patch fits the product as it stands, acts only when it is planted, and the copies are
//! built of what the product is built of.

#![allow(clippy::unwrap_used, reason = "a test's failure is its own report")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::patch::{Patch, plant_all, read_all};

const HERE: &str = ".";
const ROOT: &str = "../../..";

/// The folders that are copied.
const COPIED: [&str; 2] = ["record", "service"];

#[test]
fn every_patch_fits_the_product() {
    let patches = read_all(Path::new(HERE)).unwrap();
    let hunks = patches.iter().flat_map(|patch| &patch.hunks);
    let files: BTreeSet<&str> = hunks.map(|hunk| hunk.file.as_str()).collect();
    let mut wrong = Vec::new();
    for file in files {
        let is_in = |name: &&str| file.starts_with(&format!("central/{name}/src/"));
        if COPIED.iter().any(is_in) {
            let text = fs::read_to_string(Path::new(ROOT).join(file)).unwrap_or_default();
            wrong.extend(plant_all(&patches, file, &text).1);
        } else {
            wrong.push(format!(
                "{file} is changed by a patch, and nothing copies it"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The faults that the lines of a patch ask for.
fn asked(patch: &Patch) -> BTreeSet<&str> {
    let lines = patch.hunks.iter().flat_map(|hunk| &hunk.lines);
    let calls = lines.flat_map(|line| line.split("planted(\"").skip(1));
    calls.filter_map(|rest| rest.split('"').next()).collect()
}

/// A patch that asks for another fault, or for none, would be planted with that one or always.
#[test]
fn every_patch_asks_for_its_own_fault() {
    let patches = read_all(Path::new(HERE)).unwrap();
    for patch in &patches {
        let own = BTreeSet::from([patch.name.as_str()]);
        assert_eq!(asked(patch), own, "{}.patch asks for these", patch.name);
    }
    let names: BTreeSet<&str> = patches.iter().map(|patch| patch.name.as_str()).collect();
    assert_eq!(names.len(), patches.len(), "two faults of one name");
    let sentences: BTreeSet<&str> = patches.iter().map(|one| one.sentence.as_str()).collect();
    assert_eq!(sentences.len(), patches.len(), "two faults of one sentence");
}

/// RELIABILITY.md says which day found each mistake, and how many doors were left open.
#[test]
fn every_fault_is_told_and_every_fault_that_is_told_is_there() {
    let page = fs::read_to_string(Path::new(ROOT).join("RELIABILITY.md")).unwrap();
    let patches = read_all(Path::new(HERE)).unwrap();
    let told: BTreeSet<(&str, &str)> = page
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once("` | "))
        .filter_map(|(name, rest)| Some((name, rest.split_once(" |")?.0)))
        .filter(|(_, words)| words.ends_with('.'))
        .collect();
    let (mistakes, doors): (Vec<_>, Vec<_>) =
        patches.iter().partition(|patch| patch.folder == "mistakes");
    let numbers = [
        format!("{} mistakes", mistakes.len()),
        format!("each of {} doors", doors.len()),
    ];
    for words in numbers {
        assert!(
            page.contains(&words),
            "RELIABILITY.md does not say {words:?}"
        );
    }
    let there: BTreeSet<(&str, &str)> = mistakes
        .iter()
        .map(|patch| (patch.name.as_str(), patch.sentence.as_str()))
        .collect();
    assert_eq!(told, there, "told in RELIABILITY.md, and there as patches");
}

/// Each dependency of a manifest as it is written; of what is copied, the name alone.
fn dependencies(manifest: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(Path::new(ROOT).join(manifest)).unwrap();
    let table: toml::Table = text.parse().unwrap();
    let needs = table["dependencies"].as_table().unwrap();
    needs
        .iter()
        .map(|(name, needed)| match needed.get("package") {
            Some(_) => format!("{name}: {{ workspace = true }}"),
            None => format!("{name}: {needed}"),
        })
        .collect()
}

#[test]
fn copies_need_what_the_product_needs() {
    for (copy, of) in [
        ("record", "record"),
        ("service", "service"),
        ("builder", "testing"),
        (".", "sim"),
    ] {
        assert_eq!(
            dependencies(&format!("central/sim/planted/{copy}/Cargo.toml")),
            dependencies(&format!("central/{of}/Cargo.toml")),
            "central/sim/planted/{copy} and central/{of}"
        );
    }
}
