//! Two samples in pairs: Wilcoxon's test of signed ranks.
//!
//! The two of a pair are asked one after the other in an order by lot. If central treats them
//! alike, the sign of their difference is a coin's, whatever else the machine does meanwhile and
//! however slow or noisy it is: the test is right without any assumption about the noise.

/// A difference is found from here on: a fair pair of samples gets there once in a million times,
/// two-sided.
pub const FOUND_AT: f64 = 4.891_638;

/// Standard deviations on each side of the interval that is told with a difference: 99.9 %.
const TOLD_WITHIN: f64 = 3.290_527;

/// What the pairs say.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Judged {
    /// Pairs.
    pub pairs: usize,
    /// The statistic, in standard deviations: 0 for no difference at all.
    pub z: f64,
    /// The median of the differences, in nanoseconds.
    pub median_ns: i64,
    /// The interval in which the median is, 99.9 %.
    pub within_ns: (i64, i64),
}

impl Judged {
    /// True when the first of the pairs are not like the second.
    pub fn is_different(&self) -> bool {
        self.z.abs() >= FOUND_AT
    }
}

/// A count as a number to reckon with; counts here are small.
fn real(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::MAX, f64::from)
}

/// The place `deviations` standard deviations from the middle of so many sorted values.
fn place(count: usize, deviations: f64) -> usize {
    let at = (real(count) + deviations * real(count).sqrt()) / 2.0;
    (0..count)
        .rev()
        .find(|place| real(*place) <= at)
        .unwrap_or(0)
}

/// Judges differences: first less second, in nanoseconds.
pub fn judge(differences: &[i64]) -> Judged {
    let mut sorted = differences.to_vec();
    sorted.sort_unstable();
    let at = |place: usize| sorted.get(place).copied().unwrap_or(0);
    let count = sorted.len();
    let mut sized: Vec<(u64, bool)> = sorted
        .iter()
        .filter(|difference| **difference != 0)
        .map(|difference| (difference.unsigned_abs(), *difference > 0))
        .collect();
    sized.sort_unstable();
    // Equal sizes share the mean of their ranks.
    let (mut positive, mut before) = (0.0, 0_usize);
    for equal in sized.chunk_by(|left, right| left.0 == right.0) {
        let rank = real(before) + (real(equal.len()) + 1.0) / 2.0;
        let above = equal.iter().filter(|(_, is_positive)| *is_positive).count();
        positive += rank * real(above);
        before += equal.len();
    }
    let pairs = real(sized.len());
    let mean = pairs * (pairs + 1.0) / 4.0;
    let deviation = (pairs * (pairs + 1.0) * (2.0 * pairs + 1.0) / 24.0).sqrt();
    Judged {
        pairs: count,
        z: if sized.is_empty() {
            0.0
        } else {
            (positive - mean) / deviation
        },
        median_ns: at(place(count, 0.0)),
        within_ns: (
            at(place(count, -TOLD_WITHIN)),
            at(place(count, TOLD_WITHIN)),
        ),
    }
}

/// The median of times.
pub fn median(times: &[u64]) -> u64 {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Chance;

    /// The time of one question on a machine that has good and bad hours, and sometimes stops.
    fn time(chance: &mut Chance, pair: u64) -> i64 {
        let hour = 200_000 + 150_000 * ((pair / 97) % 5);
        let stop = if chance.percent(3) {
            chance.below(20_000_000)
        } else {
            0
        };
        i64::try_from(hour + chance.below(60_000) + stop).unwrap()
    }

    fn differences(seed: u64, slower_ns: i64) -> Vec<i64> {
        let mut chance = Chance::new(seed, 0);
        (0..1_000)
            .map(|pair| time(&mut chance, pair) + slower_ns - time(&mut chance, pair))
            .collect()
    }

    #[test]
    fn what_is_alike_is_found_alike_whatever_the_machine_does() {
        let all: Vec<f64> = (0..2_000)
            .map(|seed| judge(&differences(seed, 0)).z)
            .collect();
        assert!(all.iter().all(|z| z.abs() < FOUND_AT));
        let spread = all.iter().map(|z| z * z).sum::<f64>() / 2_000.0;
        assert!((0.9..1.1).contains(&spread), "{spread}");
    }

    #[test]
    fn a_tenth_of_a_millisecond_is_always_found_and_told() {
        let mut outside = 0;
        for seed in 0..200 {
            for slower in [100_000, -100_000] {
                let judged = judge(&differences(seed, slower));
                assert!(judged.is_different(), "seed {seed}: {judged:?}");
                let (from, to) = judged.within_ns;
                outside += usize::from(!(from < slower && slower < to));
            }
        }
        // An interval of 99.9 %, 400 times.
        assert!(outside <= 2, "{outside} of 400");
    }

    #[test]
    fn ranks_are_as_in_the_books() {
        // Ranks of 8 differences without ties: 1 to 8; the negative ones have 2 and 5.
        let judged = judge(&[1, -2, 3, 4, -5, 6, 7, 8]);
        let expected = (29.0 - 18.0) / 51.0_f64.sqrt();
        assert!((judged.z - expected).abs() < 1e-9, "{judged:?}");
        assert_eq!(judge(&[]), Judged::default());
        assert!(judge(&[0, 0, 5, -5]).z.abs() < 1e-9);
    }
}
