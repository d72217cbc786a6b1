//! Every draw of small pools is gone through, and the moments are found again.

use super::*;

/// Every set of `drawn` balls out of `1..=pool`.
fn sets(pool: u8, drawn: u8) -> Vec<Vec<u8>> {
    (0_u32..1 << pool)
        .filter(|bits| bits.count_ones() == u32::from(drawn))
        .map(|bits| {
            (1..=pool)
                .filter(|ball| bits >> (ball - 1) & 1 == 1)
                .collect()
        })
        .collect()
}

/// Every order of `drawn` balls out of `1..=pool`.
pub(crate) fn orders(pool: u8, drawn: u8) -> Vec<Vec<u8>> {
    let mut all = vec![Vec::new()];
    for _ in 0..drawn {
        all = all
            .iter()
            .flat_map(|order: &Vec<u8>| {
                (1..=pool)
                    .filter(|ball| !order.contains(ball))
                    .map(|ball| [order.as_slice(), &[ball]].concat())
            })
            .collect();
    }
    all
}

/// The covariance matrix of rows that are equally likely.
fn covariance(rows: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let count = rows.len() as f64;
    let width = rows[0].len();
    let mean: Vec<f64> = (0..width)
        .map(|place| rows.iter().map(|row| row[place]).sum::<f64>() / count)
        .collect();
    let entry = |one: usize, other: usize| {
        let product = |row: &Vec<f64>| (row[one] - mean[one]) * (row[other] - mean[other]);
        rows.iter().map(product).sum::<f64>() / count
    };
    (0..width)
        .map(|one| (0..width).map(|other| entry(one, other)).collect())
        .collect()
}

/// Asserts that the matrix takes the vector to a multiple of itself.
#[track_caller]
fn assert_eigen(matrix: &[Vec<f64>], vector: &[f64], eigenvalue: f64) {
    for (row, value) in matrix.iter().zip(vector) {
        let image: f64 = row.iter().zip(vector).map(|(a, b)| a * b).sum();
        assert!(
            (image - eigenvalue * value).abs() < 1e-12,
            "{image} {value}"
        );
    }
}

#[track_caller]
fn assert_near(found: f64, expected: f64) {
    assert!(
        (found - expected).abs() < 1e-12 * expected.abs().max(1.0),
        "{found} instead of {expected}"
    );
}

const SMALL: [(u8, u8); 5] = [(6, 3), (7, 2), (7, 5), (8, 4), (5, 1)];

#[test]
fn single_balls_have_these_moments() {
    for (pool, drawn) in SMALL {
        let design = Design { pool, drawn };
        let rows: Vec<Vec<f64>> = sets(pool, drawn)
            .iter()
            .map(|set| {
                (1..=pool)
                    .map(|ball| f64::from(u8::from(set.contains(&ball))))
                    .collect()
            })
            .collect();
        let matrix = covariance(&rows);
        let n = f64::from(pool);
        for (one, row) in matrix.iter().enumerate() {
            assert_near(row[one], design.single_variance());
            for (other, entry) in row.iter().enumerate() {
                let projector = f64::from(u8::from(one == other)) - 1.0 / n;
                assert_near(*entry, design.single_eigenvalue() * projector);
            }
        }
    }
}

#[test]
fn the_usual_sum_takes_the_factor_79_to_60() {
    let design = Design {
        pool: 80,
        drawn: 20,
    };
    // Σ(O−E)²/(Nλ) = factor · Σ(O−E)²/E with E = N·k/n.
    assert_near(design.share() / design.single_eigenvalue(), 79.0 / 60.0);
    assert_near(design.pair_degrees(), 3_080.0);
    assert_near(design.position_degrees(), 1_501.0);
    assert_near(design.overlap_mean(), 5.0);
    assert_near(design.sum_mean(), 810.0);
    assert_near(design.sum_variance(), 8_100.0);
    // The same, from a uniform number with the correction for a finite pool.
    assert_near(20.0 * (80.0 * 80.0 - 1.0) / 12.0 * 60.0 / 79.0, 8_100.0);
}

#[test]
fn pairs_have_these_eigenvalues_and_no_others() {
    for (pool, drawn) in SMALL {
        let design = Design { pool, drawn };
        let pairs: Vec<(u8, u8)> = (1..=pool)
            .flat_map(|one| (one + 1..=pool).map(move |other| (one, other)))
            .collect();
        let rows: Vec<Vec<f64>> = sets(pool, drawn)
            .iter()
            .map(|set| {
                let both = |pair: &(u8, u8)| set.contains(&pair.0) && set.contains(&pair.1);
                pairs
                    .iter()
                    .map(|pair| f64::from(u8::from(both(pair))))
                    .collect()
            })
            .collect();
        let matrix = covariance(&rows);
        assert_near(matrix[0][0], design.pair_variance());
        let of_pairs = |value: &dyn Fn(u8, u8) -> f64| -> Vec<f64> {
            pairs.iter().map(|pair| value(pair.0, pair.1)).collect()
        };
        // The constant; what comes from single balls; a ring of four pairs with changing signs,
        // which sums to nothing at each ball.
        assert_eigen(&matrix, &of_pairs(&|_, _| 1.0), 0.0);
        let of_ball = |ball: u8| [2.0, -3.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0][usize::from(ball) - 1];
        let singles = of_pairs(&|one, other| of_ball(one) + of_ball(other));
        assert_eigen(&matrix, &singles, design.pair_eigenvalue_of_singles());
        let ring = of_pairs(&|one, other| match (one, other) {
            (1, 2) | (3, 4) => 1.0,
            (2, 3) | (1, 4) => -1.0,
            _ => 0.0,
        });
        assert_eigen(&matrix, &ring, design.pair_eigenvalue());
        // The trace leaves no room for another.
        let trace: f64 = (0..pairs.len()).map(|place| matrix[place][place]).sum();
        let known = design.single_degrees() * design.pair_eigenvalue_of_singles()
            + design.pair_degrees() * design.pair_eigenvalue();
        assert_near(trace, known);
    }
}

#[test]
fn positions_have_these_eigenvalues_and_no_others() {
    for (pool, drawn) in [(5, 3), (6, 2), (4, 3)] {
        let design = Design { pool, drawn };
        let cells: Vec<(usize, u8)> = (0..usize::from(drawn))
            .flat_map(|place| (1..=pool).map(move |ball| (place, ball)))
            .collect();
        let rows: Vec<Vec<f64>> = orders(pool, drawn)
            .iter()
            .map(|order| {
                let is = |cell: &(usize, u8)| order[cell.0] == cell.1;
                cells
                    .iter()
                    .map(|cell| f64::from(u8::from(is(cell))))
                    .collect()
            })
            .collect();
        let matrix = covariance(&rows);
        assert_near(matrix[0][0], design.position_variance());
        let of_ball = |ball: u8| [2.0, -3.0, 1.0, 0.0, 0.0, 0.0][usize::from(ball) - 1];
        let vector = |of_place: &[f64]| -> Vec<f64> {
            cells
                .iter()
                .map(|cell| of_place[cell.0] * of_ball(cell.1))
                .collect()
        };
        assert_eigen(
            &matrix,
            &vector(&[1.0, -1.0, 0.0]),
            design.position_eigenvalue(),
        );
        let over_places =
            (f64::from(pool) - f64::from(drawn)) / (f64::from(pool) * (f64::from(pool) - 1.0));
        assert_eigen(&matrix, &vector(&[1.0, 1.0, 1.0]), over_places);
        let trace: f64 = (0..cells.len()).map(|place| matrix[place][place]).sum();
        let known = design.position_degrees() * design.position_eigenvalue()
            + design.single_degrees() * over_places;
        assert_near(trace, known);
        // Summed over the places it is the single balls.
        assert_near(over_places * f64::from(drawn), design.single_eigenvalue());
    }
}

#[test]
fn overlaps_are_independent_along_a_distance_and_uncorrelated_between_two() {
    let design = Design { pool: 5, drawn: 2 };
    let all = sets(5, 2);
    let count = all.len() as f64;
    let common =
        |one: &Vec<u8>, other: &Vec<u8>| one.iter().filter(|ball| other.contains(ball)).count();
    let (mut joint, mut alone) = ([[0.0; 3]; 3], [0.0; 3]);
    let mut across = 0.0;
    for first in &all {
        for second in &all {
            for third in &all {
                let weight = 1.0 / count.powi(3);
                joint[common(first, second)][common(second, third)] += weight;
                alone[common(first, second)] += weight;
                across += weight
                    * (common(first, third) as f64 - design.overlap_mean())
                    * (common(second, third) as f64 - design.overlap_mean());
            }
        }
    }
    for (one, row) in joint.iter().enumerate() {
        for (other, entry) in row.iter().enumerate() {
            assert_near(*entry, alone[one] * alone[other]);
        }
    }
    assert!(across.abs() < 1e-12);
    let expected = crate::probability::hypergeometric(5, 2, 2);
    for (found, expected) in alone.iter().zip(expected) {
        assert_near(*found, expected);
    }
    let squares: f64 = alone
        .iter()
        .zip(0..)
        .map(|(p, n)| p * f64::from(n * n))
        .sum();
    assert_near(
        squares - design.overlap_mean().powi(2),
        design.overlap_variance(),
    );
}

#[test]
fn sums_and_rises_have_these_distributions() {
    for (pool, drawn) in SMALL {
        let design = Design { pool, drawn };
        let expected = crate::probability::sums(pool, drawn);
        let mut found = vec![0.0; expected.len()];
        let all = sets(pool, drawn);
        for set in &all {
            let sum: usize = set.iter().map(|ball| usize::from(*ball)).sum();
            found[sum] += 1.0 / all.len() as f64;
        }
        for (found, expected) in found.iter().zip(&expected) {
            assert_near(*found, *expected);
        }
        let moment = |power: i32| -> f64 {
            expected
                .iter()
                .zip(0..)
                .map(|(p, sum)| p * f64::from(sum).powi(power))
                .sum()
        };
        assert_near(moment(1), design.sum_mean());
        assert_near(moment(2) - moment(1).powi(2), design.sum_variance());
    }
    let all = orders(6, 4);
    let expected = crate::probability::rises(4);
    let mut found = [0.0; 4];
    for order in &all {
        found[order.windows(2).filter(|pair| pair[0] < pair[1]).count()] += 1.0 / all.len() as f64;
    }
    for (found, expected) in found.iter().zip(expected) {
        assert_near(*found, expected);
    }
}
