//! Exact fractions, compared without a bound on their size.

use std::fmt;

/// The least return, in hundredths of the wager (s. 85).
pub const LEAST_PERCENT: u128 = 65;

/// A return as an exact fraction, reduced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fraction {
    /// Numerator.
    pub numerator: u128,
    /// Denominator, never 0.
    pub denominator: u128,
}

impl Fraction {
    pub(super) fn reduced(numerator: u128, denominator: u128) -> Self {
        let divisor = greatest_common_divisor(numerator, denominator).max(1);
        Self {
            numerator: numerator / divisor,
            denominator: denominator / divisor,
        }
    }

    /// Whether it is below [`LEAST_PERCENT`], compared as fractions.
    #[must_use]
    pub fn is_below_least(&self) -> bool {
        product(self.numerator, 100) < product(self.denominator, LEAST_PERCENT)
    }

    pub(super) fn is_below(&self, other: &Self) -> bool {
        product(self.numerator, other.denominator) < product(other.numerator, self.denominator)
    }

    /// The percentage in millionths of a percent, rounded down.
    #[must_use]
    pub fn percent_millionths(&self) -> u128 {
        let whole = self.numerator / self.denominator;
        let rest = self.numerator % self.denominator;
        let scale = 100_000_000;
        match rest.checked_mul(scale) {
            Some(scaled) => whole * scale + scaled / self.denominator,
            // Rounded down too, and by a little more: what is below 65 never reads 65.
            None => whole * scale + rest / (self.denominator / scale + 1),
        }
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = self.percent_millionths();
        let (whole, decimals) = (percent / 1_000_000, percent % 1_000_000);
        write!(
            formatter,
            "{}/{} ({whole}.{decimals:06} %)",
            self.numerator, self.denominator
        )
    }
}

/// The product of two numbers, as its upper and lower 128 bits.
fn product(left: u128, right: u128) -> (u128, u128) {
    const HALF: u32 = 64;
    let low = |number: u128| number & u128::from(u64::MAX);
    let (a, b, c, d) = (left >> HALF, low(left), right >> HALF, low(right));
    let (lowest, middle, other) = (b * d, a * d, b * c);
    let carried = (lowest >> HALF) + low(middle) + low(other);
    let upper = a * c + (middle >> HALF) + (other >> HALF) + (carried >> HALF);
    (upper, (carried << HALF) | low(lowest))
}

pub(super) fn greatest_common_divisor(mut larger: u128, mut smaller: u128) -> u128 {
    while smaller != 0 {
        (larger, smaller) = (smaller, larger % smaller);
    }
    larger
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_beyond_128_bits_are_exact() {
        assert_eq!(product(u128::MAX, u128::MAX), (u128::MAX - 1, 1));
        assert_eq!(product(u128::MAX, 2), (1, u128::MAX - 1));
        assert_eq!(product(1 << 64, 1 << 64), (1, 0));
        assert_eq!(product(3 << 70, 5 << 60), (15 * 4, 0));
        assert_eq!(product(12, 13), (0, 156));
    }
}
