//! The claim code in a ticket's QR: digits and A-Z only, so that it survives any keyboard
//! layout.
//!
//! ```text
//! KT1 <control number: 16 digits> <copy: 2 digits> <secret: 20 characters>
//!     <size of the newest checkpoint: 11 digits> <root: 52 characters>
//! ```
//!
//! without the spaces: 104 characters. Secret (100 bits) and root (256 bits) are in Crockford's
//! base 32, which leaves out I, L, O and U. Any two papers together can expose a log that was
//! rewritten, because each carries the size and root of the tree at its time.

use keno_game::ControlNumber;
use thiserror::Error;

const PREFIX: &str = "KT1";
/// Crockford's base 32.
pub(crate) const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const SECRET_CHARACTERS: usize = 20;
const ROOT_CHARACTERS: usize = 52;
const SIZE_DIGITS: usize = 11;
const LENGTH: usize = 3 + 16 + 2 + SECRET_CHARACTERS + SIZE_DIGITS + ROOT_CHARACTERS;

/// Bits of the claim secret.
pub const SECRET_BITS: usize = SECRET_CHARACTERS * 5;

/// A claim code, read.
#[derive(Clone, PartialEq, Eq)]
pub struct ClaimCode {
    /// Control number.
    pub control_number: ControlNumber,
    /// Copy index; 1 is the original.
    pub copy: u8,
    /// The secret as printed.
    pub secret: String,
    /// Leaves of the tree at the newest checkpoint when the paper was made.
    pub log_size: u64,
    /// Its root.
    pub log_root: [u8; 32],
}

impl std::fmt::Debug for ClaimCode {
    /// The secret is left out: a code in a log would be money.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("ClaimCode")
            .field("control_number", &self.control_number.masked())
            .field("copy", &self.copy)
            .field("log_size", &self.log_size)
            .finish_non_exhaustive()
    }
}

/// Why a text is not a claim code of this house's kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ClaimCodeFault {
    /// It does not begin with `KT1`.
    #[error("not a claim code")]
    Prefix,
    /// It is too short or too long: the paper is torn or the scan was cut.
    #[error("the claim code is not whole")]
    Length,
    /// A character is not one of the code's.
    #[error("a character of the claim code was misread")]
    Character,
    /// The control number's check digits are wrong.
    #[error("the check digits of the control number are wrong")]
    CheckDigits,
}

/// The first `characters` × 5 bits of `bytes` in base 32; bits past the end are zero.
fn to_base32(bytes: &[u8], characters: usize) -> String {
    (0..characters)
        .map(|position| {
            let value = (0..5).fold(0_usize, |value, bit| {
                let at = position * 5 + bit;
                let set = bytes
                    .get(at / 8)
                    .is_some_and(|byte| byte & (0x80 >> (at % 8)) != 0);
                (value << 1) | usize::from(set)
            });
            char::from(*ALPHABET.get(value).unwrap_or(&b'0'))
        })
        .collect()
}

fn root_from_base32(text: &str) -> Result<[u8; 32], ClaimCodeFault> {
    let mut root = [0_u8; 32];
    for (position, character) in text.bytes().enumerate() {
        let value = ALPHABET
            .iter()
            .position(|&letter| letter == character)
            .ok_or(ClaimCodeFault::Character)?;
        for bit in 0..5 {
            if value & (0x10 >> bit) == 0 {
                continue;
            }
            let at = position * 5 + bit;
            // The last character holds four bits past the end: they must be zero, or one root
            // would have several texts.
            let byte = root.get_mut(at / 8).ok_or(ClaimCodeFault::Character)?;
            *byte |= 0x80 >> (at % 8);
        }
    }
    Ok(root)
}

/// The text of a claim secret: the first 100 bits of `mac`.
pub fn secret_text(mac: &[u8; 32]) -> String {
    to_base32(mac, SECRET_CHARACTERS)
}

impl ClaimCode {
    /// The code as it stands in the QR.
    pub fn text(&self) -> String {
        format!(
            "{PREFIX}{}{:02}{}{:011}{}",
            self.control_number.digits(),
            self.copy,
            self.secret,
            self.log_size,
            to_base32(&self.log_root, ROOT_CHARACTERS),
        )
    }

    /// True when the text begins as a claim code does.
    pub fn looks_like(text: &str) -> bool {
        text.starts_with(PREFIX)
    }

    /// Reads a scanned code. Spaces around it are ignored.
    ///
    /// # Errors
    /// A [`ClaimCodeFault`] in the order of its declaration.
    pub fn parse(text: &str) -> Result<Self, ClaimCodeFault> {
        let text = text.trim();
        if !text.starts_with(PREFIX) {
            return Err(ClaimCodeFault::Prefix);
        }
        if !text.is_ascii() {
            return Err(ClaimCodeFault::Character);
        }
        if text.len() != LENGTH {
            return Err(ClaimCodeFault::Length);
        }
        let (_, rest) = text.split_at(PREFIX.len());
        let (number, rest) = rest.split_at(16);
        let (copy, rest) = rest.split_at(2);
        let (secret, rest) = rest.split_at(SECRET_CHARACTERS);
        let (size, root) = rest.split_at(SIZE_DIGITS);
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(number) || !digits(copy) || !digits(size) {
            return Err(ClaimCodeFault::Character);
        }
        if !secret.bytes().all(|byte| ALPHABET.contains(&byte)) {
            return Err(ClaimCodeFault::Character);
        }
        Ok(Self {
            control_number: ControlNumber::parse(number)
                .map_err(|_| ClaimCodeFault::CheckDigits)?,
            copy: copy.parse().map_err(|_| ClaimCodeFault::Character)?,
            secret: secret.to_owned(),
            log_size: size.parse().map_err(|_| ClaimCodeFault::Character)?,
            log_root: root_from_base32(root)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> ClaimCode {
        ClaimCode {
            control_number: ControlNumber::parse("0731552890146663").unwrap(),
            copy: 1,
            secret: secret_text(&[0xA5; 32]),
            log_size: 9_118_204,
            log_root: [0x3C; 32],
        }
    }

    #[test]
    fn round_trip() {
        let text = sample().text();
        assert_eq!(text.len(), LENGTH);
        // `keno-audit` reads this very text by a reader of its own.
        assert_eq!(
            text,
            "KT1073155289014666301\
             MPJTB9D5MPJTB9D5MPJT00009118204\
             7GY3RF1W7GY3RF1W7GY3RF1W7GY3RF1W7GY3RF1W7GY3RF1W7GY0"
        );
        assert!(
            text.bytes()
                .all(|b| b.is_ascii_digit() || b.is_ascii_uppercase())
        );
        assert_eq!(ClaimCode::parse(&text), Ok(sample()));
    }

    #[test]
    fn every_changed_character_is_refused_or_changes_the_code() {
        let text = sample().text();
        for at in 0..text.len() {
            for letter in ["0", "7", "A", "Z", "I", "~"] {
                let mut changed = text.clone();
                changed.replace_range(at..=at, letter);
                if changed != text {
                    assert_ne!(ClaimCode::parse(&changed), Ok(sample()), "{changed}");
                }
            }
        }
    }

    #[test]
    fn torn_and_foreign_codes_are_named() {
        let text = sample().text();
        assert_eq!(ClaimCode::parse(&text[..50]), Err(ClaimCodeFault::Length));
        assert_eq!(
            ClaimCode::parse("https://example"),
            Err(ClaimCodeFault::Prefix)
        );
        let wrong = text.replacen("0731552890146663", "0731552890146664", 1);
        assert_eq!(ClaimCode::parse(&wrong), Err(ClaimCodeFault::CheckDigits));
    }

    #[test]
    fn debug_does_not_show_the_secret() {
        let shown = format!("{:?}", sample());
        assert!(!shown.contains(&sample().secret), "{shown}");
        assert!(!shown.contains("0731552890146663"), "{shown}");
    }
}
