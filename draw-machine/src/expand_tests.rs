//! Tests of the expansion: exhaustive for small words, statistical for real ones.

use super::*;

type Accept = fn(u64, u64, u64) -> Option<u64>;

/// First (space, candidates) where going through every word of the space does not give every
/// number equally often; `None` when the step is exactly uniform throughout.
fn first_bias(step: Accept) -> Option<(u64, u64)> {
    for space in 1..=128u64 {
        for candidates in 1..=space {
            let mut counts = vec![0u64; usize::try_from(candidates).unwrap()];
            for word in 0..space {
                if let Some(number) = step(word, space, candidates) {
                    counts[usize::try_from(number).unwrap()] += 1;
                }
            }
            // Nothing more may be thrown away than needed, or the loop might never end.
            if counts.iter().any(|count| *count != space / candidates) {
                return Some((space, candidates));
            }
        }
    }
    None
}

#[test]
fn the_rejection_step_is_exactly_uniform() {
    assert_eq!(first_bias(accept), None);
}

#[test]
fn planted_modulo_bias_is_caught() {
    assert_eq!(first_bias(|word, _, n| Some(word % n)), Some((3, 2)));
}

#[test]
fn planted_zone_one_too_wide_is_caught() {
    let one_too_wide: Accept = |word, space, n| {
        let zone = space - space % n;
        (word <= zone).then_some(word % n)
    };
    assert_eq!(first_bias(one_too_wide), Some((3, 2)));
}

#[test]
fn planted_zone_too_narrow_is_caught() {
    let too_narrow: Accept = |word, space, n| {
        let zone = space - space % n;
        (word < zone.saturating_sub(n)).then_some(word % n)
    };
    assert_eq!(first_bias(too_narrow), Some((1, 1)));
}

#[test]
fn the_border_of_the_real_space_is_where_it_must_be() {
    for candidates in 1..=255u64 {
        let zone = WORD_SPACE - WORD_SPACE % candidates;
        assert_eq!(
            accept(zone - 1, WORD_SPACE, candidates),
            Some(candidates - 1)
        );
        let last = accept(WORD_SPACE - 1, WORD_SPACE, candidates);
        assert_eq!(last.is_some(), candidates.is_power_of_two(), "{candidates}");
        if zone < WORD_SPACE {
            assert_eq!(accept(zone, WORD_SPACE, candidates), None);
        }
    }
}

/// Every ordered result of `drawn` of `pool`, with how often each occurs when the words are
/// all the sequences of accepted words of a tiny space.
fn all_results(pool: u8, drawn: u8, space: u64) -> std::collections::BTreeMap<Vec<u8>, u64> {
    let mut results = std::collections::BTreeMap::new();
    let sequences = space.pow(u32::from(drawn));
    for sequence in 0..sequences {
        let mut rest = sequence;
        let mut spent = 0;
        let expansion = partial_fisher_yates(pool, drawn, space, || {
            let word = if spent < drawn { rest % space } else { 0 };
            rest /= space;
            spent += 1;
            word
        });
        // A sequence with a rejection would need more words than were enumerated.
        if expansion.rejected == 0 {
            *results.entry(expansion.balls).or_insert(0) += 1;
        }
    }
    results
}

#[test]
fn every_order_of_a_small_pool_is_equally_likely() {
    for (pool, drawn, space, orders) in [(4, 2, 16, 12), (5, 3, 16, 60), (4, 4, 8, 24)] {
        let results = all_results(pool, drawn, space);
        assert_eq!(results.len(), orders);
        let counts: std::collections::BTreeSet<u64> = results.values().copied().collect();
        assert_eq!(counts.len(), 1, "{pool} {drawn} {space}: {counts:?}");
    }
}

#[test]
fn a_rejected_word_is_counted_and_the_next_one_is_used() {
    // Space 16, pool 5: words of 15 are rejected.
    let mut words = [15, 15, 2, 0].into_iter();
    let expansion = partial_fisher_yates(5, 2, 16, || words.next().unwrap());
    assert_eq!(
        expansion,
        Expansion {
            balls: vec![3, 2],
            words_used: 4,
            rejected: 2
        }
    );
}

#[test]
fn a_pool_too_small_yields_no_ball_twice() {
    let expansion = partial_fisher_yates(3, 9, 16, || 0);
    assert_eq!(expansion.balls, vec![1, 2, 3]);
    assert!(partial_fisher_yates(0, 9, 16, || 0).balls.is_empty());
}

fn context(draw: u64) -> DrawContext {
    DrawContext {
        house: "statistics".to_owned(),
        draw,
        log_size: 1_000 + draw,
        seal_root: [7; 32],
        rule_book_hash: [9; 32],
        pool_size: 80,
        drawn: 20,
    }
}

const DRAWS: u64 = 20_000;

/// Q = (79/60)·Σ(O−E)²/E over how often each number was drawn. Twenty of eighty without
/// replacement: the plain sum has mean 60, and only with the factor is it chi-squared with 79
/// degrees of freedom.
fn frequency_q(draw: impl Fn(u64) -> Vec<u8>) -> f64 {
    let mut counts = [0u32; 81];
    for number in 1..=DRAWS {
        for ball in draw(number) {
            counts[usize::from(ball)] += 1;
        }
    }
    let expected = DRAWS as f64 / 4.0;
    let sum: f64 = counts[1..]
        .iter()
        .map(|count| (f64::from(*count) - expected).powi(2) / expected)
        .sum();
    sum * 79.0 / 60.0
}

/// Bounds of chi-squared with 79 degrees of freedom, 0.5 % on each side (99 % within).
const CHI_79: std::ops::RangeInclusive<f64> = 50.38..=115.12;

#[test]
fn numbers_are_equally_frequent() {
    let q = frequency_q(|draw| balls(&context(draw), &[[1; 32], [2; 32]]).balls);
    assert!(CHI_79.contains(&q), "{q}");
}

#[test]
fn planted_unequal_ball_is_caught_by_frequency() {
    // Ball 80 replaced by ball 1 in one draw out of ten.
    let q = frequency_q(|draw| {
        let mut drawn = balls(&context(draw), &[[1; 32], [2; 32]]).balls;
        if draw % 10 == 0 && !drawn.contains(&1) {
            for ball in &mut drawn {
                if *ball == 80 {
                    *ball = 1;
                }
            }
        }
        drawn
    });
    assert!(!CHI_79.contains(&q), "{q}");
}

#[test]
fn places_in_the_order_and_neighbouring_draws_look_independent() {
    // Each number is equally likely at each of the 20 places: 20 × 79 degrees of freedom,
    // mean 1,580, standard deviation about 56; four of them on either side.
    let mut at_place = vec![[0u32; 81]; 20];
    let mut previous: Vec<u8> = Vec::new();
    let mut overlap = 0u64;
    for draw in 1..=DRAWS {
        let drawn = balls(&context(draw), &[[3; 32]]).balls;
        for (place, ball) in drawn.iter().enumerate() {
            at_place[place][usize::from(*ball)] += 1;
        }
        overlap += drawn.iter().filter(|ball| previous.contains(ball)).count() as u64;
        previous = drawn;
    }
    let expected = DRAWS as f64 / 80.0;
    let sum: f64 = at_place
        .iter()
        .flat_map(|counts| counts[1..].iter())
        .map(|count| (f64::from(*count) - expected).powi(2) / expected)
        .sum();
    assert!((1_356.0..1_804.0).contains(&sum), "{sum}");
    // Overlap of two draws: mean 5, standard deviation 1.688.
    let mean = overlap as f64 / (DRAWS - 1) as f64;
    assert!(
        (mean - 5.0).abs() < 4.0 * 1.688 / (DRAWS as f64).sqrt(),
        "{mean}"
    );
}

#[test]
fn every_field_of_the_context_moves_the_balls() {
    let base = context(1);
    let secrets = [[1; 32], [2; 32]];
    let reference = balls(&base, &secrets);
    let variants = [
        DrawContext {
            house: "other".to_owned(),
            ..base.clone()
        },
        DrawContext {
            draw: 2,
            ..base.clone()
        },
        DrawContext {
            log_size: 1,
            ..base.clone()
        },
        DrawContext {
            seal_root: [8; 32],
            ..base.clone()
        },
        DrawContext {
            rule_book_hash: [8; 32],
            ..base.clone()
        },
        DrawContext {
            pool_size: 79,
            ..base.clone()
        },
        DrawContext {
            drawn: 19,
            ..base.clone()
        },
    ];
    for variant in &variants {
        assert_ne!(
            balls(variant, &secrets).balls[..19],
            reference.balls[..19],
            "{variant:?}"
        );
    }
    assert_ne!(balls(&base, &[[2; 32], [1; 32]]), reference, "holder order");
    assert_ne!(balls(&base, &[[1; 32]]), reference, "a secret left out");
}

#[test]
fn the_keystream_is_chacha20_of_rfc_8439() {
    // RFC 8439 A.1, test vector 1: zero key, zero nonce, counter 0.
    let mut keystream = ChaCha20Rng::from_seed([0; 32]);
    let words: Vec<u32> = (0..4).map(|_| keystream.next_u32()).collect();
    assert_eq!(words, [0xade0_b876, 0x903d_f1a0, 0xe56a_5d40, 0x28bd_8653]);
}

#[test]
fn the_derivation_is_hkdf_of_rfc_5869() {
    // RFC 5869 A.1.
    let mut output = [0u8; 42];
    let salt: Vec<u8> = (0..=12).collect();
    let info: Vec<u8> = (0xf0..=0xf9).collect();
    Hkdf::<Sha256>::new(Some(&salt), &[0x0b; 22])
        .expand(&info, &mut output)
        .unwrap();
    assert_eq!(
        hex::encode(output),
        "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
    );
}
