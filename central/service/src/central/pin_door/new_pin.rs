//! Which PINs a house takes: judged where one is chosen, by everyone in the same way.

use crate::refusal::Refusal;

/// Fewest digits of a PIN.
pub const DIGITS_MIN: usize = 6;
/// Most digits of a PIN.
pub const DIGITS_MAX: usize = 12;

/// A PIN that somebody may choose.
///
/// Only digits; no three in a row that are alike or follow one another, and no piece that is
/// said again and again. What is left are 903,696 of the million PINs of six digits: those that
/// people choose first are gone, and who guesses at random gains little.
#[derive(Clone, PartialEq, Eq)]
pub struct NewPin(String);

impl NewPin {
    /// Judges a PIN that somebody chose.
    ///
    /// # Errors
    /// [`Refusal::PinTooEasy`].
    pub fn choose(text: &str) -> Result<Self, Refusal> {
        let digits = text.as_bytes();
        let is_sound = (DIGITS_MIN..=DIGITS_MAX).contains(&digits.len())
            && digits.iter().all(u8::is_ascii_digit)
            && !has_sequence(digits)
            && !is_repetition(digits);
        if is_sound {
            Ok(Self(text.to_owned()))
        } else {
            Err(Refusal::PinTooEasy)
        }
    }

    /// Its digits.
    pub fn digits(&self) -> &str {
        &self.0
    }
}

/// Never shown, not even by mistake.
impl std::fmt::Debug for NewPin {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("NewPin")
    }
}

/// Three digits in a row that are alike, or that count up or down by one.
fn has_sequence(digits: &[u8]) -> bool {
    digits.windows(3).any(|three| {
        let (first, second, third) = (three[0], three[1], three[2]);
        [-1, 0, 1].iter().any(|step| {
            first.checked_add_signed(*step) == Some(second)
                && second.checked_add_signed(*step) == Some(third)
        })
    })
}

/// The same piece from the beginning to the end, the last time perhaps in part.
fn is_repetition(digits: &[u8]) -> bool {
    (1..=digits.len() / 2).any(|piece| digits.iter().zip(&digits[piece..]).all(|(a, b)| a == b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pin_is_six_digits_that_nobody_guesses_first() {
        let good = ["471108", "900716", "112233", "135792", "381936393616"];
        for pin in good {
            assert_eq!(NewPin::choose(pin).unwrap().digits(), pin);
        }
        let easy = [
            ("", "nothing"),
            ("47110", "five digits"),
            ("3819363936160", "thirteen digits"),
            ("47110x", "a letter"),
            ("47 110", "a space"),
            ("٤٧١١٠٨", "digits of another script"),
            ("000000", "one digit"),
            ("111222", "three alike"),
            ("123456", "a sequence"),
            ("987654", "a sequence downwards"),
            ("470123", "a sequence at the end"),
            ("932107", "a sequence inside"),
            ("121212", "two digits thrice"),
            ("483483", "three digits twice"),
            ("4834834", "and a part of them again"),
            ("381936381936", "six digits twice"),
        ];
        for (pin, why) in easy {
            assert_eq!(NewPin::choose(pin), Err(Refusal::PinTooEasy), "{why}");
        }
    }

    #[test]
    fn most_pins_of_six_digits_are_left() {
        let left = (0..1_000_000)
            .filter(|pin| NewPin::choose(&format!("{pin:06}")).is_ok())
            .count();
        assert_eq!(left, 903_696);
    }
}
