//! Money: whole cents, added and multiplied with checks.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// An amount of Canadian money in cents; negative where money goes out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Cents(i64);

/// An amount that does not fit 64 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("an amount of money is beyond what can be counted")]
pub struct CentsOverflow;

/// A text that is not an amount such as `12.34`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("an amount is written with a point and two decimals, such as 12.34")]
pub struct CentsTextError;

impl Cents {
    /// No money.
    pub const ZERO: Cents = Cents(0);

    /// An amount of `cents` cents.
    #[must_use]
    pub const fn new(cents: i64) -> Cents {
        Cents(cents)
    }

    /// The amount in cents.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }

    /// The sum, or `None` beyond 64 bits.
    #[must_use]
    pub const fn checked_add(self, other: Cents) -> Option<Cents> {
        match self.0.checked_add(other.0) {
            Some(cents) => Some(Cents(cents)),
            None => None,
        }
    }

    /// The difference, or `None` beyond 64 bits.
    #[must_use]
    pub const fn checked_sub(self, other: Cents) -> Option<Cents> {
        match self.0.checked_sub(other.0) {
            Some(cents) => Some(Cents(cents)),
            None => None,
        }
    }

    /// The amount `times` times, or `None` beyond 64 bits.
    #[must_use]
    pub fn checked_mul(self, times: u64) -> Option<Cents> {
        i64::try_from(i128::from(self.0) * i128::from(times))
            .ok()
            .map(Cents)
    }

    fn parts(self) -> (&'static str, u64, u64) {
        let absolute = self.0.unsigned_abs();
        let sign = if self.0 < 0 { "-" } else { "" };
        (sign, absolute / 100, absolute % 100)
    }
}

/// `12.34`: a point, two decimals, no grouping, in any language.
impl fmt::Display for Cents {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, whole, part) = self.parts();
        formatter.pad(&format!("{sign}{whole}.{part:02}"))
    }
}

/// Reads what `Display` writes, and nothing else: one amount, one text.
impl FromStr for Cents {
    type Err = CentsTextError;

    fn from_str(text: &str) -> Result<Cents, CentsTextError> {
        let (is_negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (whole, part) = digits.split_once('.').ok_or(CentsTextError)?;
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        let has_leading_zero = whole.len() > 1 && whole.starts_with('0');
        if !is_number(whole) || !is_number(part) || part.len() != 2 || has_leading_zero {
            return Err(CentsTextError);
        }
        let magnitude: i128 = format!("{whole}{part}")
            .parse()
            .map_err(|_| CentsTextError)?;
        if is_negative && magnitude == 0 {
            return Err(CentsTextError);
        }
        let signed = if is_negative { -magnitude } else { magnitude };
        i64::try_from(signed).map(Cents).map_err(|_| CentsTextError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_is_written_with_a_point() {
        let amount = Cents::new(123_450);
        assert_eq!(amount.to_string(), "1234.50");
        assert_eq!(Cents::new(-5).to_string(), "-0.05");
        assert_eq!(Cents::new(i64::MIN).to_string(), "-92233720368547758.08");
    }

    #[test]
    fn an_amount_has_one_text() {
        for cents in [0, 5, -5, 99, 100, 12_345, i64::MAX, i64::MIN] {
            let amount = Cents::new(cents);
            assert_eq!(amount.to_string().parse(), Ok(amount));
        }
        for text in [
            "",
            "1",
            "1.",
            ".50",
            "1.5",
            "1.500",
            "01.00",
            "+1.00",
            "1,00",
            "-0.00",
            " 1.00",
            "1e2.00",
            "92233720368547758.08",
        ] {
            assert_eq!(text.parse::<Cents>(), Err(CentsTextError), "{text}");
        }
    }

    #[test]
    fn overflow_is_told() {
        let most = Cents::new(i64::MAX);
        assert_eq!(most.checked_add(Cents::new(1)), None);
        assert_eq!(most.checked_mul(2), None);
        assert_eq!(Cents::new(i64::MIN).checked_sub(Cents::new(1)), None);
        assert_eq!(Cents::new(-3).checked_mul(u64::MAX), None);
    }
}
