//! Each planted fault is found by a short day; `keno-sim-planted` plants them in long ones.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use keno_record::{faults, with_planted};
use keno_sim_planted::day::{Settings, Villain, play};
use keno_sim_planted::judge::Failure;

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

/// Days played at a time, so that a fault that is found late does not keep one core waiting.
const AT_A_TIME: u64 = 2;

/// Which of these no seed finds.
fn missed(all: &[&'static str], settings: Settings) -> Vec<&'static str> {
    let is_missed = |fault: &&'static str| !is_found(fault, settings);
    all.iter().copied().filter(is_missed).collect()
}

/// Whether a day with this fault is seen to be wrong; what is planted acts on one thread alone.
fn is_found(fault: &'static str, settings: Settings) -> bool {
    let found = AtomicBool::new(false);
    thread::scope(|scope| {
        for first in 1..=AT_A_TIME {
            let found = &found;
            scope.spawn(move || {
                let seeds = (first..=SEEDS).step_by(usize::try_from(AT_A_TIME).unwrap_or(1));
                for seed in seeds.take_while(|_| !found.load(Ordering::SeqCst)) {
                    let played = with_planted(fault, || play(seed, settings));
                    if matches!(played, Err(Failure::Wrong(_))) {
                        found.store(true, Ordering::SeqCst);
                    }
                }
            });
        }
    });
    found.into_inner()
}

#[test]
fn every_planted_fault_is_found() {
    assert_eq!(missed(faults::MISTAKES, SHORT), Vec::<&str>::new());
}

#[test]
fn every_door_left_open_is_found() {
    let settings = Settings {
        villains: Villain::ALL,
        ..SHORT
    };
    assert_eq!(missed(faults::DOORS, settings), Vec::<&str>::new());
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
