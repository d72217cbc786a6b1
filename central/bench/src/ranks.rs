//! What stands in the middle of measured values, or at a share of them.

use std::time::Duration;

/// The median; 0 of nothing.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match (sorted.len() % 2, sorted.get(middle)) {
        (_, None) => 0.0,
        (1, Some(value)) => *value,
        (_, Some(upper)) => {
            let lower = sorted.get(middle - 1).copied().unwrap_or(*upper);
            f64::midpoint(lower, *upper)
        }
    }
}

/// The smallest duration that at least `share` of all do not exceed; zero of none.
pub fn percentile(durations: &mut [Duration], share: f64) -> Duration {
    if durations.is_empty() {
        return Duration::ZERO;
    }
    durations.sort_unstable();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a rank within the list"
    )]
    let rank = (durations.len() as f64 * share).ceil() as usize;
    durations[rank.clamp(1, durations.len()) - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_median_and_a_percentile_are_members_or_between_two() {
        assert!((median(&[3.0, 1.0, 2.0]) - 2.0).abs() < 1e-9);
        assert!((median(&[4.0, 1.0, 2.0, 3.0]) - 2.5).abs() < 1e-9);
        let mut times: Vec<Duration> = (1..=200).rev().map(Duration::from_millis).collect();
        assert_eq!(percentile(&mut times, 0.5), Duration::from_millis(100));
        assert_eq!(percentile(&mut times, 0.99), Duration::from_millis(198));
        assert_eq!(percentile(&mut times[..1], 0.99), Duration::from_millis(1));
    }
}
