//! The control number of a ticket (s. 82(4)): 16 digits, the last two a check.

use std::fmt;

use thiserror::Error;

/// Payloads are below this: 14 digits.
pub const PAYLOAD_LIMIT: u64 = 100_000_000_000_000;

/// Sixteen digits: 14 of payload and the two check digits of ISO 7064 MOD 97-10,
/// which catch every single wrong digit and every swap of two neighbours.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ControlNumber([u8; 16]);

/// A text or payload that is not a control number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ControlNumberError {
    /// Not sixteen characters once spaces are taken out.
    #[error("a control number has 16 digits")]
    NotSixteenDigits,
    /// Something other than the digits 0 to 9.
    #[error("a control number has digits only")]
    NotDigits,
    /// Mistyped: the check digits disagree.
    #[error("the check digits of the control number disagree")]
    CheckDigits,
    /// More than 14 digits of payload.
    #[error("the payload of a control number has more than 14 digits")]
    PayloadTooLarge,
}

impl ControlNumberError {
    /// Stable name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            ControlNumberError::NotSixteenDigits => "not_sixteen_digits",
            ControlNumberError::NotDigits => "not_digits",
            ControlNumberError::CheckDigits => "check_digits",
            ControlNumberError::PayloadTooLarge => "payload_too_large",
        }
    }
}

impl ControlNumber {
    /// The control number of an (unguessable) payload.
    ///
    /// # Errors
    /// [`ControlNumberError::PayloadTooLarge`] from 10^14 on.
    pub fn from_payload(payload: u64) -> Result<ControlNumber, ControlNumberError> {
        if payload >= PAYLOAD_LIMIT {
            return Err(ControlNumberError::PayloadTooLarge);
        }
        // ISO 7064 MOD 97-10: the whole number leaves 1 when divided by 97.
        let shifted = payload * 100;
        let mut rest = shifted + (98 - shifted % 97);
        let mut digits = [0u8; 16];
        for digit in digits.iter_mut().rev() {
            *digit = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
        Ok(ControlNumber(digits))
    }

    /// Reads 16 digits; spaces are ignored.
    ///
    /// # Errors
    /// [`ControlNumberError`]: the length first, then the digits, then the check.
    pub fn parse(text: &str) -> Result<ControlNumber, ControlNumberError> {
        let mut digits = [0u8; 16];
        let mut count = 0usize;
        let mut has_other = false;
        for character in text.chars().filter(|character| !character.is_whitespace()) {
            let slot = digits
                .get_mut(count)
                .ok_or(ControlNumberError::NotSixteenDigits)?;
            match u8::try_from(character) {
                Ok(byte) if byte.is_ascii_digit() => *slot = byte,
                _ => has_other = true,
            }
            count += 1;
        }
        if count != digits.len() {
            return Err(ControlNumberError::NotSixteenDigits);
        }
        if has_other {
            return Err(ControlNumberError::NotDigits);
        }
        let remainder = digits.iter().fold(0u32, |rest, digit| {
            (rest * 10 + u32::from(digit - b'0')) % 97
        });
        // Check digits 00, 01 and 99 leave 1 as well for some payloads, but the
        // method never gives them: one payload has one number.
        let number = ControlNumber(digits);
        if remainder != 1 || ControlNumber::from_payload(number.payload()) != Ok(number) {
            return Err(ControlNumberError::CheckDigits);
        }
        Ok(number)
    }

    /// The 14 digits of payload as a number.
    #[must_use]
    pub fn payload(&self) -> u64 {
        self.0
            .iter()
            .take(14)
            .fold(0, |value, digit| value * 10 + u64::from(digit - b'0'))
    }

    /// The 16 digits as ASCII bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }

    /// The 16 digits without spaces.
    #[must_use]
    pub fn digits(&self) -> String {
        self.0.iter().map(|digit| char::from(*digit)).collect()
    }

    /// What a screen may show to those who need not know it: the last four.
    #[must_use]
    pub fn masked(&self) -> String {
        let last: String = self.0.iter().skip(12).map(|d| char::from(*d)).collect();
        format!("•••• •••• •••• {last}")
    }
}

/// In fours: `0731 5528 9014 6663`.
impl fmt::Display for ControlNumber {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, digit) in self.0.iter().enumerate() {
            if index > 0 && index.is_multiple_of(4) {
                formatter.write_str(" ")?;
            }
            write!(formatter, "{}", char::from(*digit))?;
        }
        Ok(())
    }
}

/// Masked: a control number that ends up in a process log is not a leak.
impl fmt::Debug for ControlNumber {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "ControlNumber({})", self.masked())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_verifies() {
        let number = ControlNumber::parse("0731552890146663").unwrap();
        assert_eq!(number.to_string(), "0731 5528 9014 6663");
        assert_eq!(number.digits(), "0731552890146663");
        assert_eq!(number.masked(), "•••• •••• •••• 6663");
        assert_eq!(format!("{number:?}"), "ControlNumber(•••• •••• •••• 6663)");
        assert_eq!(ControlNumber::parse(" 0731 5528 9014 6663 "), Ok(number));
        assert_eq!(ControlNumber::from_payload(7_315_528_901_466), Ok(number));
        assert_eq!(number.payload(), 7_315_528_901_466);
    }

    #[test]
    fn refusals_are_told_apart() {
        assert_eq!(
            ControlNumber::parse("073155289014666"),
            Err(ControlNumberError::NotSixteenDigits)
        );
        assert_eq!(
            ControlNumber::parse("07315528901466630"),
            Err(ControlNumberError::NotSixteenDigits)
        );
        assert_eq!(
            ControlNumber::parse("073155289014666x"),
            Err(ControlNumberError::NotDigits)
        );
        assert_eq!(
            ControlNumber::parse("٠731552890146663"),
            Err(ControlNumberError::NotDigits)
        );
        assert_eq!(
            ControlNumber::parse("0731552890146664"),
            Err(ControlNumberError::CheckDigits)
        );
        assert_eq!(
            ControlNumber::from_payload(PAYLOAD_LIMIT),
            Err(ControlNumberError::PayloadTooLarge)
        );
    }

    #[test]
    fn every_single_wrong_digit_and_every_swap_of_neighbours_is_caught() {
        for payload in [0, 1, 95, 96, 97, 7_315_528_901_466, PAYLOAD_LIMIT - 1] {
            let right = ControlNumber::from_payload(payload).unwrap().digits();
            assert!(ControlNumber::parse(&right).is_ok());
            for place in 0..16 {
                for wrong in b'0'..=b'9' {
                    let mut digits = right.clone().into_bytes();
                    if digits[place] == wrong {
                        continue;
                    }
                    digits[place] = wrong;
                    let text = String::from_utf8(digits).unwrap();
                    assert_eq!(
                        ControlNumber::parse(&text),
                        Err(ControlNumberError::CheckDigits)
                    );
                }
                let mut digits = right.clone().into_bytes();
                if place < 15 && digits[place] != digits[place + 1] {
                    digits.swap(place, place + 1);
                    let text = String::from_utf8(digits).unwrap();
                    assert!(ControlNumber::parse(&text).is_err());
                }
            }
        }
    }
}
