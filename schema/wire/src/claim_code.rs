//! What a ticket says of itself: the claim code in its QR, digits and A-Z only, so that it survives
//! any keyboard layout, and its secret once more in print, for a paper that no scanner reads.
//!
//! ```text
//! KT2 <control number: 16 digits> <copy: 2 digits> <secret: 20 signs>
//!     <size of the newest checkpoint: 11 digits> <root: 52 signs> <mark: 16 signs>
//! ```
//!
//! without the spaces: 120 characters, which a QR of version 5 still holds at level M. All signs
//! are in Crockford's base 32, which leaves out I, L, O and U.
//!
//! **The mark** (80 bits) is made under the claim key over every other sign. So no sign can be
//! changed, and size and root are what central stated when the paper was made; but only who has
//! the key can tell. **The secret** is 90 bits and two check signs, which find any one or two signs
//! that were misheard, and any two that changed places: whoever types it is told at once, and it
//! is no guess. It stands alone: typed behind the control number it is the claim code of a paper
//! whose QR cannot be read.

use keno_game::ControlNumber;
use thiserror::Error;

const PREFIX: &str = "KT2";
/// Crockford's base 32.
pub(crate) const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const NUMBER_DIGITS: usize = 16;
const COPY_DIGITS: usize = 2;
/// Signs of the secret with its check signs.
const SECRET_SIGNS: usize = 20;
const SECRET_CHECK_SIGNS: usize = 2;
const SIZE_DIGITS: usize = 11;
const ROOT_SIGNS: usize = 52;
const MARK_SIGNS: usize = 16;
const LENGTH: usize = PREFIX.len()
    + NUMBER_DIGITS
    + COPY_DIGITS
    + SECRET_SIGNS
    + SIZE_DIGITS
    + ROOT_SIGNS
    + MARK_SIGNS;
/// Signs of a group in print.
const GROUP: usize = 5;
/// Signs of an AIM identifier, which a scanner may put first: `]Q1`.
const AIM_SIGNS: usize = 3;

/// The 90 bits of a claim secret; the last six bits are zero.
pub type SecretBits = [u8; 12];
/// The 80 bits of a mark.
pub type MarkBits = [u8; 10];

/// A claim code, read.
#[derive(Clone, PartialEq, Eq)]
pub struct ClaimCode {
    /// Control number.
    pub control_number: ControlNumber,
    /// Copy index; 1 is the original.
    pub copy: u8,
    /// The secret.
    pub secret: SecretBits,
    /// Leaves of the tree at the newest checkpoint when the paper was made.
    pub log_size: u64,
    /// Its root.
    pub log_root: [u8; 32],
    /// What central made over all of that.
    pub mark: MarkBits,
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
    /// It does not begin with `KT2`.
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
    /// The check signs of the secret are wrong.
    #[error("the check signs of the secret are wrong")]
    CheckSigns,
}

/// The first `signs` × 5 bits of `bytes` in base 32; bits past the end are zero.
fn to_base32(bytes: &[u8], signs: usize) -> String {
    let mut text = String::with_capacity(signs);
    let (mut held, mut bits) = (0_usize, 0);
    for byte in bytes.iter().chain([&0]) {
        held = (held << 8 | usize::from(*byte)) & 0xfff;
        bits += 8;
        while bits >= 5 {
            bits -= 5;
            text.push(sign(held >> bits & 0x1f));
        }
    }
    text.truncate(signs);
    text
}

fn sign(value: usize) -> char {
    char::from(*ALPHABET.get(value).unwrap_or(&b'0'))
}

fn value_of(sign: u8) -> Result<u8, ClaimCodeFault> {
    let at = ALPHABET.iter().position(|&letter| letter == sign);
    at.and_then(|at| u8::try_from(at).ok())
        .ok_or(ClaimCodeFault::Character)
}

/// The bytes whose bits these signs are. Bits past the end must be zero, or one value would have
/// several texts.
fn from_base32<const BYTES: usize>(text: &str) -> Result<[u8; BYTES], ClaimCodeFault> {
    let mut bytes = [0_u8; BYTES];
    for (position, letter) in text.bytes().enumerate() {
        let value = value_of(letter)?;
        for bit in (0..5).filter(|bit| value & (0x10 >> bit) != 0) {
            let at = position * 5 + bit;
            *bytes.get_mut(at / 8).ok_or(ClaimCodeFault::Character)? |= 0x80 >> (at % 8);
        }
    }
    Ok(bytes)
}

/// Product in the field of 32 elements of x⁵ + x² + 1.
fn times(left: u8, right: u8) -> u8 {
    (0..5).rev().fold(0, |product: u8, bit| {
        let doubled = product << 1;
        let reduced = if doubled & 0x20 == 0 {
            doubled
        } else {
            doubled ^ 0x25
        };
        if right >> bit & 1 == 1 {
            reduced ^ left
        } else {
            reduced
        }
    })
}

/// What is left of the signs divided by (x + α)(x + α²) = x² + 6x + 8: two check signs behind them
/// make any two texts differ in three signs at least.
fn check_signs(values: impl IntoIterator<Item = u8>) -> [u8; SECRET_CHECK_SIGNS] {
    values.into_iter().fold([0, 0], |[high, low], value| {
        let carried = value ^ high;
        [low ^ times(carried, 6), times(carried, 8)]
    })
}

/// The text of a claim secret.
pub fn secret_text(secret: &SecretBits) -> String {
    let mut text = to_base32(secret, SECRET_SIGNS - SECRET_CHECK_SIGNS);
    let checks = check_signs(text.bytes().filter_map(|letter| value_of(letter).ok()));
    text.extend(checks.map(|value| sign(usize::from(value))));
    text
}

/// Reads a claim secret.
///
/// # Errors
/// [`ClaimCodeFault::Length`], [`ClaimCodeFault::Character`] or [`ClaimCodeFault::CheckSigns`].
pub fn read_secret(text: &str) -> Result<SecretBits, ClaimCodeFault> {
    if text.len() != SECRET_SIGNS || !text.is_ascii() {
        return Err(ClaimCodeFault::Length);
    }
    let values = text.bytes().map(value_of).collect::<Result<Vec<_>, _>>()?;
    let (own, checks) = values.split_at(SECRET_SIGNS - SECRET_CHECK_SIGNS);
    if check_signs(own.iter().copied()) != checks {
        return Err(ClaimCodeFault::CheckSigns);
    }
    from_base32(text.get(..own.len()).unwrap_or_default())
}

/// The claim secret as it is printed and read aloud: `MPJTB 9D5MP JTB9D 5MP0W`.
pub fn secret_in_groups(secret: &SecretBits) -> String {
    let text = secret_text(secret);
    let signs: Vec<char> = text.chars().collect();
    let groups: Vec<String> = signs.chunks(GROUP).map(|it| it.iter().collect()).collect();
    groups.join(" ")
}

/// A code as it was printed, from whatever a scanner or a person made of it: a code is one thing at
/// every door. An AIM identifier before it is left out, and what people put between signs: spaces,
/// hyphens, dots. Small letters are capitals; O is 0, I and L are 1, which no code of ours has.
pub fn plain(text: &str) -> String {
    without_identifier(text)
        .chars()
        .filter(|sign| {
            !sign.is_whitespace() && !matches!(sign, '-' | '\u{2010}'..='\u{2015}' | '.')
        })
        .map(|sign| match sign.to_ascii_uppercase() {
            'O' => '0',
            'I' | 'L' => '1',
            other => other,
        })
        .collect()
}

/// What was read, without an AIM identifier before it and spaces around it.
pub(crate) fn without_identifier(text: &str) -> &str {
    let text = text.trim();
    let is_aim = |signs: &str| {
        signs.starts_with(']') && signs.chars().skip(1).all(|it| it.is_ascii_alphanumeric())
    };
    match text.split_at_checked(AIM_SIGNS) {
        Some((signs, rest)) if is_aim(signs) => rest,
        _ => text,
    }
}

/// The leaf of a ticket that is named by reference: `#95`. Nothing on a paper begins so.
pub fn reference(text: &str) -> Option<u64> {
    text.trim().strip_prefix('#')?.trim().parse().ok()
}

/// The code on the receipt of a file: `#1180-7KQ4M2PX`, its leaf and its secret.
pub fn file_code(text: &str) -> Option<(u64, String)> {
    let (leaf, secret) = text.trim().strip_prefix('#')?.split_once('-')?;
    Some((leaf.trim().parse().ok()?, plain(secret)))
}

/// The same as text.
pub fn file_code_text(leaf: u64, secret: &str) -> String {
    format!("#{leaf}-{secret}")
}

/// A leaf as [`reference()`] reads it.
pub fn reference_text(leaf: u64) -> String {
    format!("#{leaf}")
}

/// What somebody scanned or typed, to say which ticket it is.
#[derive(Clone, PartialEq, Eq)]
pub enum PaperCode {
    /// The whole QR.
    Scanned(Box<ClaimCode>),
    /// The control number and the secret, both in print.
    Typed {
        /// Control number.
        control_number: ControlNumber,
        /// The secret.
        secret: SecretBits,
    },
    /// The control number alone: no claim.
    Number(ControlNumber),
}

impl std::fmt::Debug for PaperCode {
    /// The secret is left out.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("PaperCode")
            .field("control_number", &self.control_number().masked())
            .field("is_claim", &!matches!(self, Self::Number(_)))
            .finish()
    }
}

impl PaperCode {
    /// Reads what was scanned or typed, as [`plain`] makes it.
    ///
    /// # Errors
    /// A [`ClaimCodeFault`].
    pub fn parse(text: &str) -> Result<Self, ClaimCodeFault> {
        let typed = plain(text);
        if ClaimCode::looks_like(&typed) {
            return ClaimCode::parse(&typed).map(|code| Self::Scanned(Box::new(code)));
        }
        if !typed.is_ascii() || typed.starts_with(|letter: char| !letter.is_ascii_digit()) {
            return Err(ClaimCodeFault::Prefix);
        }
        if typed.len() != NUMBER_DIGITS && typed.len() != NUMBER_DIGITS + SECRET_SIGNS {
            return Err(ClaimCodeFault::Length);
        }
        let (number, secret) = typed.split_at(NUMBER_DIGITS);
        if !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(ClaimCodeFault::Character);
        }
        let control_number =
            ControlNumber::parse(number).map_err(|_| ClaimCodeFault::CheckDigits)?;
        if secret.is_empty() {
            return Ok(Self::Number(control_number));
        }
        Ok(Self::Typed {
            control_number,
            secret: read_secret(secret)?,
        })
    }

    /// The control number.
    pub fn control_number(&self) -> ControlNumber {
        match self {
            Self::Scanned(code) => code.control_number,
            Self::Typed { control_number, .. } | Self::Number(control_number) => *control_number,
        }
    }
}

impl ClaimCode {
    /// The code as it stands in the QR.
    pub fn text(&self) -> String {
        format!(
            "{PREFIX}{}{:02}{}{:011}{}{}",
            self.control_number.digits(),
            self.copy,
            secret_text(&self.secret),
            self.log_size,
            to_base32(&self.log_root, ROOT_SIGNS),
            to_base32(&self.mark, MARK_SIGNS),
        )
    }

    /// True when the text begins as a claim code does.
    pub fn looks_like(text: &str) -> bool {
        text.starts_with(PREFIX)
    }

    /// Reads a code, as [`plain`] makes it.
    ///
    /// # Errors
    /// A [`ClaimCodeFault`] in the order of its declaration.
    pub fn parse(text: &str) -> Result<Self, ClaimCodeFault> {
        let text = plain(text);
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
        let (number, rest) = rest.split_at(NUMBER_DIGITS);
        let (copy, rest) = rest.split_at(COPY_DIGITS);
        let (secret, rest) = rest.split_at(SECRET_SIGNS);
        let (size, rest) = rest.split_at(SIZE_DIGITS);
        let (root, mark) = rest.split_at(ROOT_SIGNS);
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(number) || !digits(copy) || !digits(size) {
            return Err(ClaimCodeFault::Character);
        }
        Ok(Self {
            control_number: ControlNumber::parse(number)
                .map_err(|_| ClaimCodeFault::CheckDigits)?,
            copy: copy.parse().map_err(|_| ClaimCodeFault::Character)?,
            secret: read_secret(secret)?,
            log_size: size.parse().map_err(|_| ClaimCodeFault::Character)?,
            log_root: from_base32(root)?,
            mark: from_base32(mark)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> ClaimCode {
        let mut secret = [0xA5; 12];
        secret[11] &= 0xC0;
        ClaimCode {
            control_number: ControlNumber::parse("0731552890146663").unwrap(),
            copy: 1,
            secret,
            log_size: 9_118_204,
            log_root: [0x3C; 32],
            mark: [0x96; 10],
        }
    }

    #[test]
    fn round_trip() {
        let text = sample().text();
        assert_eq!(text.len(), LENGTH);
        // `keno-audit` reads this very text by a reader of its own.
        assert_eq!(
            text,
            "KT2073155289014666301\
             MPJTB9D5MPJTB9D5MP0W00009118204\
             7GY3RF1W7GY3RF1W7GY3RF1W7GY3RF1W7GY3RF1W7GY3RF1W7GY0\
             JTB9D5MPJTB9D5MP"
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
                // I is 1, as people type it.
                if plain(&changed) != text {
                    assert_ne!(ClaimCode::parse(&changed), Ok(sample()), "{changed}");
                }
            }
        }
    }

    #[test]
    fn a_code_is_one_thing_however_it_comes() {
        let text = sample().text();
        let of_four: Vec<_> = text
            .as_bytes()
            .chunks(4)
            .map(String::from_utf8_lossy)
            .collect();
        for (read, how) in [
            (text.to_lowercase(), "small letters"),
            (
                text.replace('0', "O").replace('1', "l"),
                "letters for digits",
            ),
            (of_four.join(" "), "spaces"),
            (of_four.join("-"), "hyphens"),
            (of_four.join("\u{2011}"), "other hyphens"),
            (format!("]Q1{text}"), "an identifier"),
            (format!(" ]q1{} \r\n", text.to_lowercase()), "all at once"),
        ] {
            assert_eq!(ClaimCode::parse(&read), Ok(sample()), "{how}");
            assert!(
                matches!(PaperCode::parse(&read), Ok(PaperCode::Scanned(_))),
                "{how}"
            );
        }
        let number = sample().control_number.digits();
        for read in [number.replace('0', "o"), format!("]I0{number}")] {
            assert!(matches!(PaperCode::parse(&read), Ok(PaperCode::Number(_))));
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
        assert_eq!(
            PaperCode::parse("https://example"),
            Err(ClaimCodeFault::Prefix)
        );
        assert_eq!(
            PaperCode::parse("0731 5528 9014 666"),
            Err(ClaimCodeFault::Length)
        );
    }

    #[test]
    fn one_or_two_wrong_signs_of_a_secret_and_two_that_changed_places_are_found() {
        let text = secret_text(&sample().secret).into_bytes();
        let is_wrong = |signs: &[u8]| {
            read_secret(std::str::from_utf8(signs).unwrap()) == Err(ClaimCodeFault::CheckSigns)
        };
        for one in 0..text.len() {
            for other in one..text.len() {
                for first in ALPHABET {
                    for second in ALPHABET {
                        let mut changed = text.clone();
                        changed[other] = *second;
                        changed[one] = *first;
                        assert!(changed == text || is_wrong(&changed), "{one} {other}");
                    }
                }
                let mut swapped = text.clone();
                swapped.swap(one, other);
                assert!(swapped == text || is_wrong(&swapped), "{one} {other}");
            }
        }
    }

    #[test]
    fn what_is_read_aloud_is_typed_as_people_type() {
        let code = sample();
        let secret = secret_in_groups(&code.secret);
        assert_eq!(secret, "MPJTB 9D5MP JTB9D 5MP0W");
        let typed = PaperCode::Typed {
            control_number: code.control_number,
            secret: code.secret,
        };
        for text in [
            format!("0731 5528 9014 6663 {secret}"),
            format!("0731552890146663{}", secret.replace(' ', "")),
            format!("0731-5528-9014-6663 {}", secret.to_lowercase()),
            format!("0731552890146663 {}", secret.replace('0', "o")),
        ] {
            assert_eq!(PaperCode::parse(&text), Ok(typed.clone()), "{text}");
        }
        assert_eq!(
            PaperCode::parse(" 0731 5528 9014 6663 "),
            Ok(PaperCode::Number(code.control_number))
        );
        assert_eq!(
            PaperCode::parse(&code.text()),
            Ok(PaperCode::Scanned(Box::new(code)))
        );
    }

    #[test]
    fn debug_does_not_show_the_secret() {
        let code = sample();
        let typed = PaperCode::parse("0731552890146663 MPJTB9D5MPJTB9D5MP0W").unwrap();
        for shown in [format!("{code:?}"), format!("{typed:?}")] {
            assert!(!shown.contains(&secret_text(&code.secret)), "{shown}");
            assert!(!shown.contains("165"), "{shown}");
            assert!(!shown.contains("0731552890146663"), "{shown}");
        }
    }
}
