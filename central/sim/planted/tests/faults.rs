//! Each planted fault is found by a short day; `keno-sim-planted` plants them in long ones.
//!
//! A run plants those whose patch, or whose file of the product, was changed since the last commit
//! that passed, and a fifth of the others; see `schema/testing/src/planted.rs`.

#![allow(clippy::unwrap_used, reason = "a test's failure is its own report")]

use std::collections::BTreeSet;
use std::path::Path;

use keno_record::{faults, with_planted};
use keno_sim_planted::day::{Settings, Villain, play};
use keno_sim_planted::judge::Failure;
use keno_testing::chosen_faults;

use crate::patch::{self, Patch};

const SHORT: Settings = Settings {
    draws: 25,
    commands: 250,
    faults: true,
    hand_overs: true,
    named_sets: true,
    remarks: true,
    villains: &[],
    bystanders: false,
};

/// Seeds that are tried for each fault.
const SEEDS: u64 = 200;

/// Seeds that find what is rare. A change of the days may move it to another of them.
const FOUND: [(&str, u64); 9] = [
    ("cancelled_twice", 10),
    ("closed_key_open", 5),
    ("late_sale", 3),
    ("refused_paid_alone", 148),
    ("reversed_twice", 11),
    ("rounded_up", 8),
    ("set_of_newest", 4),
    ("time_runs_back", 4),
    ("void_by_seller", 3),
];

/// Which of these no seed finds, of those that this run plants.
fn missed(whose: &str, all: &[&'static str], settings: Settings) -> Vec<&'static str> {
    let patches = patch::read_all(Path::new(".")).unwrap();
    let is_of_it = |fault: &str, path: &str| {
        let mut own = patches.iter().filter(|patch| patch.name == fault);
        is_of_the_days(path) || own.any(|patch| is_touched(patch, path))
    };
    let chosen = chosen_faults(whose, all, is_of_it);
    let mut sound = BTreeSet::new();
    let is_missed = |fault: &&'static str| !is_found(fault, settings, &mut sound);
    chosen.into_iter().filter(is_missed).collect()
}

/// Whether a file plays days or judges them, as the second computation does with what it stands on: a
/// change of it can hide any fault.
fn is_of_the_days(path: &str) -> bool {
    const FOLDERS: [&str; 12] = [
        "Cargo.lock",
        "central/sim/",
        "central/testing/",
        "draw-machine/src/",
        "packaging/line/",
        "samples/rules/",
        "schema/audit/src/",
        "schema/book/src/",
        "schema/game/src/",
        "schema/log/src/",
        "schema/src/",
        "schema/testing/src/",
    ];
    FOLDERS.iter().any(|folder| path.starts_with(folder)) && !path.ends_with(".patch")
}

/// Whether a file is a fault's patch, or changed by it.
fn is_touched(fault: &Patch, path: &str) -> bool {
    let own = format!("central/sim/planted/{}/{}.patch", fault.folder, fault.name);
    path == own || fault.hunks.iter().any(|hunk| hunk.file == path)
}

/// Whether a day with this fault is seen to be wrong: first one that was, when somebody looked. Days
/// in `sound` are well with nothing planted: one that is wrong by itself would find anything.
fn is_found(fault: &'static str, settings: Settings, sound: &mut BTreeSet<u64>) -> bool {
    let is_wrong = |seed: &u64| {
        let played = with_planted(fault, || play(*seed, settings));
        matches!(played, Err(Failure::Wrong(_)))
    };
    let found = FOUND.iter().filter(|(name, _)| *name == fault);
    let Some(seed) = found.map(|(_, seed)| *seed).chain(1..=SEEDS).find(is_wrong) else {
        return false;
    };
    sound.contains(&seed) || (play(seed, settings).is_ok() && sound.insert(seed))
}

#[test]
fn every_planted_fault_is_found() {
    assert_eq!(
        missed("among the mistakes", faults::MISTAKES, SHORT),
        Vec::<&str>::new()
    );
}

#[test]
fn every_door_left_open_is_found() {
    let settings = Settings {
        villains: Villain::ALL,
        ..SHORT
    };
    assert_eq!(
        missed("among the doors", faults::DOORS, settings),
        Vec::<&str>::new()
    );
}

/// A patch that is changed plants its fault, and so does the file that it changes; what judges the
/// days plants all.
#[test]
fn every_fault_is_touched_by_its_patch_its_file_and_the_judge() {
    let patches = patch::read_all(Path::new(".")).unwrap();
    let touched = |path: &str| {
        let own = patches.iter().filter(|patch| is_touched(patch, path));
        own.map(|patch| patch.name.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(
        touched("central/sim/planted/doors/any_role.patch"),
        ["any_role"]
    );
    assert!(touched("central/service/src/counter/pay.rs").contains(&"held_paid"));
    assert_eq!(touched("README.md"), Vec::<&str>::new());
    for path in [
        "central/sim/src/judge.rs",
        "central/sim/planted/copy.rs",
        "central/testing/src/lib.rs",
        "schema/audit/src/lib.rs",
        "schema/book/src/lib.rs",
        "Cargo.lock",
    ] {
        assert!(is_of_the_days(path), "{path}");
    }
    assert!(!is_of_the_days("central/sim/planted/doors/any_role.patch"));
    assert!(!is_of_the_days("central/service/src/counter/pay.rs"));
}

/// What a fault does before it is planted would be a fault of the judgement: the copies play the
/// days of the product.
#[test]
fn a_copy_with_nothing_planted_is_the_product() {
    let settings = keno_sim::day::Settings {
        draws: SHORT.draws,
        commands: SHORT.commands,
        villains: keno_sim::day::Villain::ALL,
        ..keno_sim::day::Settings::DAY
    };
    let copied = Settings {
        villains: Villain::ALL,
        ..SHORT
    };
    for seed in 1..=3 {
        let product = keno_sim::day::play(seed, settings).map(|report| format!("{report:?}"));
        let copy = play(seed, copied).map(|report| format!("{report:?}"));
        assert!(product.is_ok(), "seed {seed} of the product");
        assert_eq!(copy.ok(), product.ok(), "seed {seed}");
    }
}
