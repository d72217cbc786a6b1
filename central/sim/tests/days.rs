//! Short days in the ordinary run of the tests; `keno-sim days` plays long ones.

use std::collections::BTreeSet;

use keno_sim::day::{Settings, TEMPTATIONS, Villain, play};
use keno_sim::judge::Failure;

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

fn words(failure: &Failure) -> String {
    match failure {
        Failure::Wrong(wrong) => wrong.clone(),
        Failure::Broken(fault) => format!("{fault:#}"),
    }
}

#[test]
fn short_days_hold() {
    for seed in 1..=8 {
        if let Err(failure) = play(seed, SHORT) {
            panic!("seed {seed}: {}", words(&failure));
        }
    }
}

#[test]
fn a_seed_plays_the_same_day_again() {
    let once = play(9, SHORT).unwrap_or_else(|failure| panic!("{}", words(&failure)));
    let again = play(9, SHORT).unwrap_or_else(|failure| panic!("{}", words(&failure)));
    assert_eq!(once, again);
    assert_eq!(once.root.len(), 64);
    let other = play(10, SHORT).unwrap_or_else(|failure| panic!("{}", words(&failure)));
    assert_ne!(once.root, other.root);
}

/// Seeds that once found something wrong, with how much was played: what they found is mended,
/// and stays so.
#[test]
fn what_was_found_stays_mended() {
    let list = include_str!("seeds.txt");
    let mut played = 0;
    for line in list.lines().filter(|line| !line.starts_with('#')) {
        let figures: Vec<&str> = line.split_whitespace().take(3).collect();
        let [seed, draws, commands] = figures[..] else {
            panic!("not a line of seeds: {line:?}");
        };
        let settings = Settings {
            draws: draws.parse().unwrap_or(0),
            commands: commands.parse().unwrap_or(0),
            // As the days were when they were found.
            hand_overs: false,
            named_sets: false,
            remarks: false,
            ..Settings::DAY
        };
        let seed = seed.parse().unwrap_or(0);
        if let Err(failure) = play(seed, settings) {
            panic!("{line}: {}", words(&failure));
        }
        played += 1;
    }
    assert!(played > 0);
}

const DISHONEST: Settings = Settings {
    villains: Villain::ALL,
    ..SHORT
};

#[test]
fn nobody_gets_what_is_not_theirs() {
    let mut tried = BTreeSet::new();
    for seed in 1..=12 {
        match play(seed, DISHONEST) {
            Ok(report) => tried.extend(report.temptations.into_keys()),
            Err(failure) => panic!("seed {seed}: {}", words(&failure)),
        }
    }
    let never: Vec<&str> = TEMPTATIONS
        .iter()
        .copied()
        .filter(|words| !tried.contains(words))
        .collect();
    assert_eq!(never, Vec::<&str>::new(), "never tried");
}
