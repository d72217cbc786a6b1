//! The judgement on draws that are fair by construction: its p-values are uniform.

use rand_chacha::rand_core::Rng;

use super::*;
use crate::draws::stream;

/// Fair draws from a stream, by the plain way: 64 bits modulo what is left.
fn fair(seed: u64, count: usize, pool: u8, drawn: u8) -> Draws {
    let mut chance = stream(seed, "fair", 0);
    let mut balls = Vec::with_capacity(count * usize::from(drawn));
    for _ in 0..count {
        let mut order: Vec<u8> = (1..=pool).collect();
        for place in 0..usize::from(drawn) {
            let left = (order.len() - place) as u64;
            order.swap(place, place + (chance.next_u64() % left) as usize);
        }
        balls.extend_from_slice(&order[..usize::from(drawn)]);
    }
    Draws { pool, drawn, balls }
}

#[test]
fn p_values_of_fair_draws_are_uniform() {
    const RUNS: usize = 300;
    let mut by_name: std::collections::BTreeMap<String, Vec<f64>> = Default::default();
    let expected = Expected::of(Design {
        pool: 80,
        drawn: 20,
    });
    for seed in 0..RUNS as u64 {
        let judgement = judge_by(&fair(seed, 400, 80, 20), &expected);
        assert!(judgement.is_fair(), "seed {seed}\n{judgement}");
        for row in judgement.rows {
            by_name.entry(row.name).or_default().push(row.p);
        }
    }
    assert_eq!(by_name.len(), 17);
    for (name, mut p) in by_name {
        assert_eq!(p.len(), RUNS);
        p.sort_by(f64::total_cmp);
        let below = |level: f64| p.iter().filter(|p| **p < level).count();
        // 3 and 15 are expected; more than these would come once in 10,000 and once in 3,000.
        assert!(below(0.01) <= 10, "{name}: {} below 1 %", below(0.01));
        assert!(below(0.05) <= 29, "{name}: {} below 5 %", below(0.05));
        if name == "possible" || name.ends_with("worst") {
            // Never too small, and often 1: corrected for the worst of several.
            continue;
        }
        assert!(below(0.05) >= 4, "{name}: {} below 5 %", below(0.05));
        let distance = p
            .iter()
            .enumerate()
            .map(|(place, p)| {
                let before = place as f64 / RUNS as f64;
                (p - before)
                    .abs()
                    .max((before + 1.0 / RUNS as f64 - p).abs())
            })
            .fold(0.0, f64::max);
        // Kolmogorov and Smirnov: once in 10,000.
        let scaled = distance * (RUNS as f64).sqrt();
        assert!(scaled < 2.23, "{name}: {scaled}");
    }
}

#[test]
fn a_wrong_factor_would_not_be_uniform() {
    // The usual Σ(O−E)²/E, as if the balls of a draw were independent: its mean is 60, not 79.
    let mut small = 0;
    for seed in 0..100 {
        let draws = fair(seed, 600, 80, 20);
        let mut counts = [0_u64; 80];
        draws
            .balls
            .iter()
            .for_each(|ball| counts[usize::from(*ball) - 1] += 1);
        let usual: f64 = counts
            .iter()
            .map(|n| (*n as f64 - 150.0).powi(2) / 150.0)
            .sum();
        small += usize::from(chi_square_tail(usual, 79.0) < 0.05);
    }
    assert!(small > 20, "{small} of 100 below 5 %");
}

#[test]
fn no_draws_and_impossible_draws_are_not_fair() {
    let none = Draws {
        pool: 80,
        drawn: 20,
        balls: Vec::new(),
    };
    assert!(!judge(&none).is_fair());
    let mut bad = fair(1, 600, 80, 20);
    bad.balls[40] = bad.balls[41];
    assert_eq!(judge(&bad).p("possible"), Some(0.0));
    bad.balls[40] = 0;
    assert!(!judge(&bad).is_fair());
    assert!(!Judgement::default().is_fair());
}

#[test]
fn a_p_value_that_is_no_number_fails() {
    let mut judgement = Judgement::default();
    judgement.tell("nothing", String::new(), f64::NAN);
    assert!(!judgement.is_fair());
}
