//! Tails against values computed to 30 digits by another program (mpmath).

use super::*;

#[track_caller]
fn assert_near(found: f64, expected: f64, relative: f64) {
    assert!(
        (found - expected).abs() <= relative * expected.abs(),
        "{found:e} instead of {expected:e}"
    );
}

#[test]
fn chi_square_tails_are_those_of_the_table() {
    for (value, degrees, expected) in [
        (189.6, 79.0, 8.824_926_5e-11),
        (40.0, 79.0, 1.525_790_3e-4),
        (118.2, 79.0, 5.680_798_1e-3),
        (3400.0, 3080.0, 7.737_640_6e-5),
        (2700.0, 3080.0, 4.467_723_6e-7),
        (1800.0, 1501.0, 2.692_257_9e-7),
        (10.2, 11.0, 0.975_016_18),
    ] {
        assert_near(chi_square_tail(value, degrees), expected, 1e-6);
    }
    // Counts that are exactly even are as impossible as any.
    assert!(chi_square_tail(0.0, 79.0) < 1e-300);
    // But for a few counts, which come out even by chance; there only the upper tail counts.
    assert_near(chi_square_tail(0.0, 3.0), 1.0, 0.0);
    assert_near(chi_square_tail(3.841_458_821, 1.0), 0.05, 1e-8);
}

#[test]
fn normal_tails_are_those_of_the_table() {
    for (z, expected) in [
        (1.0, 0.317_310_507_9),
        (-3.0, 2.699_796_063e-3),
        (5.35, 8.795_423_188e-8),
        (8.0, 1.244_192_115e-15),
    ] {
        assert_near(normal_two_sided(z), expected, 1e-8);
        assert_near(normal_limit(expected), f64::abs(z), 1e-8);
    }
}

#[test]
fn binomial_tails_are_exact() {
    let pair = 20.0 * 19.0 / (80.0 * 79.0);
    for (draws, share, count, expected) in [
        (1_000_000, 0.25, 252_000, 1.977_311_318e-6),
        (1_000_000, 0.75, 752_000, 1.904_184_431e-6),
        (500_000, 2.0 / (80.0 * 79.0), 220, 1.994_345_821e-6),
        (20, 0.5, 15, 0.020_694_732_67),
    ] {
        assert_near(so_many_or_more(draws, share, count), expected, 1e-6);
    }
    assert_near(so_many_or_more(1_000_000, pair, 0), 1.0, 0.0);
    assert_near(so_many_or_more(10, pair, 11), 0.0, 0.0);
    // Ten throws of a coin in each of two rows: none in one of them, 2 · 2 · 2^-10.
    assert_near(extremes(10, 0.5, [0, 5].into_iter()), 4.0 / 1024.0, 1e-9);
}

#[test]
fn the_power_is_that_of_the_textbook() {
    // (z of 1e-4 two-sided + z of 99 % one-sided)² · p(1−p) / (p · 1 %)².
    let expected = (3.890_592 + 2.326_348_f64).powi(2) * 0.1875 / 0.0025_f64.powi(2);
    assert_near(draws_for_power(0.25, 0.01, 1e-4, 0.99), expected, 1e-5);
    assert_near(power(1e6, 0.25, 0.0, 1e-4), 1e-4, 1e-6);
}
