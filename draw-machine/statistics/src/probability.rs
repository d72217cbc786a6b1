//! Exact distributions of a fair draw, and what a statistic is worth.

use libm::{erfc, lgamma};

/// Probability that a standard normal number is further from 0 than `z`, on either side.
#[must_use]
pub fn normal_two_sided(z: f64) -> f64 {
    erfc(z.abs() / std::f64::consts::SQRT_2)
}

/// The `z` whose [`normal_two_sided`] is `p`, by halving; `p` in 1e-300..=1.
#[must_use]
pub fn normal_limit(p: f64) -> f64 {
    let (mut low, mut high) = (0.0, 40.0);
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if normal_two_sided(middle) > p {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// p-value of a chi-square number. From [`EVENNESS_FROM`] degrees of freedom on it is two-sided:
/// too even is as suspicious as too uneven. Below, only too uneven counts: a few counts come out
/// exactly even by chance, which the curve, being no lattice, takes for impossible.
#[must_use]
pub fn chi_square_tail(value: f64, degrees: f64) -> f64 {
    if degrees <= 0.0 {
        return 1.0;
    }
    let (even, uneven) = incomplete_gamma(degrees / 2.0, value / 2.0);
    if degrees < EVENNESS_FROM {
        return uneven;
    }
    (2.0 * even.min(uneven)).min(1.0)
}

/// The two incomplete gamma functions of `shape` at `at`, over the whole: lower and upper. The
/// smaller is computed, by its series or its continued fraction (Abramowitz and Stegun 6.5.29 and
/// 6.5.31), so that it keeps its digits however small it is.
fn incomplete_gamma(shape: f64, at: f64) -> (f64, f64) {
    const TERMS: u32 = 1_000_000;
    if at <= 0.0 {
        return (0.0, 1.0);
    }
    let front = (shape * at.ln() - at - lgamma(shape)).exp();
    if at < shape + 1.0 {
        let (mut term, mut total) = (1.0 / shape, 1.0 / shape);
        for step in 1..TERMS {
            term *= at / (shape + f64::from(step));
            total += term;
            if term < total * 1e-17 {
                break;
            }
        }
        return (front * total, 1.0 - front * total);
    }
    // Lentz's way through the continued fraction; its parts are positive and never near 0 here.
    let mut part = at + 1.0 - shape;
    let (mut ahead, mut behind) = (f64::INFINITY, 1.0 / part);
    let mut total = behind;
    for step in 1..TERMS {
        let step = f64::from(step);
        let factor = -step * (step - shape);
        part += 2.0;
        behind = 1.0 / (factor * behind + part);
        ahead = part + factor / ahead;
        let change = ahead * behind;
        total *= change;
        if (change - 1.0).abs() < 1e-16 {
            break;
        }
    }
    (1.0 - front * total, front * total)
}

/// Degrees of freedom from which an even outcome is judged too: with 30 expected in each bin,
/// ten or more bins come out exactly even less than once in 10^11.
pub const EVENNESS_FROM: f64 = 10.0;

/// Probability of `count` or more among `draws` draws, each with probability `share`: the exact
/// binomial tail, added up outwards from `count`. At 1 in 10^6 the normal curve is no substitute.
#[must_use]
pub fn so_many_or_more(draws: u64, share: f64, count: u64) -> f64 {
    if count == 0 {
        return 1.0;
    }
    if count > draws {
        return 0.0;
    }
    let (n, k) = (draws as f64, count as f64);
    let first = lgamma(n + 1.0) - lgamma(k + 1.0) - lgamma(n - k + 1.0)
        + k * share.ln()
        + (n - k) * (-share).ln_1p();
    let odds = share / (1.0 - share);
    let (mut term, mut total) = (1.0, 1.0);
    for at in count..draws {
        let ratio = (draws - at) as f64 / (at + 1) as f64 * odds;
        term *= ratio;
        total += term;
        if ratio < 1.0 && term < total * 1e-16 {
            break;
        }
    }
    (first + total.ln()).exp().min(1.0)
}

/// Two-sided p-value of the smallest and the largest of several counts that are each binomial, by
/// Bonferroni over all of them: however the counts depend on each other, it is not too small.
#[must_use]
pub fn extremes(draws: u64, share: f64, counts: impl Iterator<Item = u64> + Clone) -> f64 {
    let tests = counts.clone().count() as f64;
    let (Some(smallest), Some(largest)) = (counts.clone().min(), counts.max()) else {
        return 1.0;
    };
    let above = so_many_or_more(draws, share, largest);
    let below = so_many_or_more(draws, 1.0 - share, draws - smallest);
    (2.0 * tests * above.min(below)).min(1.0)
}

/// p-value of the largest of `tests` |z|, by Bonferroni.
#[must_use]
pub fn largest_of(z: f64, tests: usize) -> f64 {
    (normal_two_sided(z) * tests as f64).min(1.0)
}

/// Probability that a count of `draws` draws, whose share is `share` in a fair draw and
/// `share · (1 + relative)` in this one, is judged unfair at the two-sided level `level`.
#[must_use]
pub fn power(draws: f64, share: f64, relative: f64, level: f64) -> f64 {
    let shift = share * relative * draws / (draws * share * (1.0 - share)).sqrt();
    let limit = normal_limit(level);
    let beyond = |z: f64| 0.5 * erfc(z / std::f64::consts::SQRT_2);
    beyond(limit - shift) + beyond(limit + shift)
}

/// Draws that give [`power`] at least `wanted`, by doubling and halving.
#[must_use]
pub fn draws_for_power(share: f64, relative: f64, level: f64, wanted: f64) -> f64 {
    let mut high = 1.0;
    while power(high, share, relative, level) < wanted {
        high *= 2.0;
    }
    let mut low = high / 2.0;
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if power(middle, share, relative, level) < wanted {
            low = middle;
        } else {
            high = middle;
        }
    }
    high.ceil()
}

/// Probability of each number of common balls, 0..=`drawn`, between a fixed set of `marked` balls
/// and a draw of `drawn` out of `pool`.
#[must_use]
pub fn hypergeometric(pool: u8, marked: u8, drawn: u8) -> Vec<f64> {
    let ways = |n: u8, k: i32| -> f64 {
        if k < 0 || k > i32::from(n) {
            return 0.0;
        }
        (0..k).fold(1.0, |product, step| {
            product * f64::from(i32::from(n) - step) / f64::from(step + 1)
        })
    };
    let all = ways(pool, i32::from(drawn));
    (0..=i32::from(drawn))
        .map(|common| ways(marked, common) * ways(pool - marked, i32::from(drawn) - common) / all)
        .collect()
}

/// Probability of each sum of the numbers, from 0 to the largest: every subset of `drawn` out of
/// `1..=pool` counted, in whole numbers.
#[must_use]
pub fn sums(pool: u8, drawn: u8) -> Vec<f64> {
    let (pool, drawn) = (usize::from(pool), usize::from(drawn));
    let largest = drawn * (2 * pool + 1 - drawn) / 2;
    let mut ways = vec![vec![0_u128; largest + 1]; drawn + 1];
    ways[0][0] = 1;
    for ball in 1..=pool {
        for size in (1..=drawn.min(ball)).rev() {
            let (smaller, larger) = ways.split_at_mut(size);
            let (Some(from), Some(to)) = (smaller.last(), larger.first_mut()) else {
                continue;
            };
            for (sum, ways) in to.iter_mut().enumerate().skip(ball) {
                *ways += from[sum - ball];
            }
        }
    }
    let all: u128 = ways[drawn].iter().sum();
    ways[drawn]
        .iter()
        .map(|ways| *ways as f64 / all as f64)
        .collect()
}

/// Probability of each number of rises from one ball to the next in an order of `drawn` balls: the
/// Eulerian numbers over `drawn!`.
#[must_use]
pub fn rises(drawn: u8) -> Vec<f64> {
    let mut probability = vec![1.0];
    for length in 2..=usize::from(drawn) {
        let mut next = vec![0.0; length];
        for (rises, before) in probability.iter().enumerate() {
            // The largest falls into a rise or at the front, or makes a new rise.
            next[rises] += before * (rises + 1) as f64 / length as f64;
            next[rises + 1] += before * (length - rises - 1) as f64 / length as f64;
        }
        probability = next;
    }
    probability
}

/// Chi-square of counts against their probabilities, with its degrees of freedom. Neighbours are
/// put together until at least thirty are expected in each.
#[must_use]
pub fn chi_square(observed: &[u64], probability: &[f64]) -> (f64, f64) {
    const EXPECTED_MIN: f64 = 30.0;
    let total: u64 = observed.iter().sum();
    let mut bins: Vec<(f64, f64)> = Vec::new();
    let mut open = (0.0, 0.0);
    for (count, probability) in observed.iter().zip(probability) {
        open.0 += *count as f64;
        open.1 += probability * total as f64;
        if open.1 >= EXPECTED_MIN {
            bins.push(open);
            open = (0.0, 0.0);
        }
    }
    match bins.last_mut() {
        Some(last) => {
            last.0 += open.0;
            last.1 += open.1;
        }
        None => return (0.0, 0.0),
    }
    let value = bins
        .iter()
        .map(|(count, expected)| (count - expected).powi(2) / expected)
        .sum();
    (value, bins.len() as f64 - 1.0)
}

#[cfg(test)]
#[path = "probability_tests.rs"]
mod tests;
