//! The short forms: the same questions on fewer draws, with stronger faults.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use keno_statistics::cold_starts::{self, ColdPlant};
use keno_statistics::draws::make;
use keno_statistics::instants::{self, Image, calendar};
use keno_statistics::judge::judge;
use keno_statistics::plant::{Plant, plant};
use keno_statistics::quick_picks::{PickPlant, judge_picks};
use keno_statistics::tampering::{InstantPlant, is_fraud_evening};

fn program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_keno-statistics"))
}

#[test]
fn draws_made_as_central_makes_them_are_fair_and_planted_faults_are_seen() {
    let made = make(2026, 20_000, 2, 80, 20).unwrap();
    assert_eq!(made.draws.len(), 20_000);
    let judgement = judge(&made.draws);
    assert!(judgement.is_fair(), "{judgement}");
    for (fault, strength, question) in [
        (Plant::Bias, 0.15, "singles worst"),
        (Plant::Pair, 0.2, "pairs worst"),
        (Plant::Echo, 0.5, "lags 1..50 worst"),
        (Plant::Swing, 0.2, "runs of sums"),
        (Plant::Sorted, 0.05, "rises within a draw"),
        (Plant::Modulo, 0.0, "sum mean"),
        (Plant::OffByOne, 0.0, "singles all"),
        (Plant::OffByOneStart, 0.0, "positions all"),
        (Plant::PoolFromZero, 0.0, "possible"),
    ] {
        let mut draws = made.draws.clone();
        plant(&mut draws, fault, strength, 2026);
        let judgement = judge(&draws);
        let failed: Vec<&str> = judgement.failed().map(|row| row.name.as_str()).collect();
        assert!(failed.contains(&question), "{fault:?}\n{judgement}");
    }
}

#[test]
fn the_same_seed_makes_the_same_draws_on_any_number_of_threads() {
    let one = make(1, 300, 1, 80, 20).unwrap().draws;
    assert_eq!(one, make(1, 300, 2, 80, 20).unwrap().draws);
    assert_ne!(one, make(2, 300, 1, 80, 20).unwrap().draws);
    assert_eq!(make(1, 300, 1, 70, 20).unwrap().draws.pool, 70);
}

#[test]
fn quick_picks_are_fair_and_planted_faults_are_seen() {
    let judgement = judge_picks(200_000, 2026, None).unwrap();
    assert!(judgement.is_fair(), "{judgement}");
    for fault in [PickPlant::OffByOne, PickPlant::Modulo, PickPlant::Repeat] {
        let judgement = judge_picks(200_000, 2026, Some(fault)).unwrap();
        assert!(!judgement.is_fair(), "{fault:?}\n{judgement}");
    }
}

#[test]
fn cold_starts_share_no_secret_and_a_clock_for_entropy_is_seen() {
    let seen = |plant| {
        let folder = tempfile::tempdir().unwrap();
        cold_starts::run(program(), folder.path(), 40, 2, plant).unwrap()
    };
    let sound = seen(None);
    assert!(sound.is_sound(), "{sound:?}");
    let planted = seen(Some(ColdPlant::DiskAndClock));
    assert!(!planted.is_sound() && planted.different == 1, "{planted:?}");
}

#[test]
fn balls_are_the_same_at_every_hour_and_code_that_asks_the_date_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    let image = Image::make(folder.path()).unwrap();
    let all = calendar(image.due_ms, 400, 50);
    // Every 1,111th instant, and the first of the planted code's on each of its days.
    let mut instants: Vec<i64> = all.iter().copied().step_by(1_111).collect();
    let ordinary = instants.len();
    let evening = |at_ms: &&i64| is_fraud_evening(**at_ms);
    instants.extend(all.iter().filter(evening).step_by(13));
    assert!(ordinary > 15 && instants.len() > ordinary + 3);
    let seen = instants::run(program(), &image, &instants, 2, None).unwrap();
    assert_eq!(seen.different, []);
    let evenings = seen.evenings;
    assert!(evenings > 3);
    for fault in [InstantPlant::Machine, InstantPlant::Source] {
        let seen = instants::run(program(), &image, &instants, 2, Some(fault)).unwrap();
        assert_eq!(seen.different.len(), evenings, "{fault:?}");
        assert!(
            seen.different
                .iter()
                .all(|(at_ms, _)| is_fraud_evening(*at_ms))
        );
    }
}
