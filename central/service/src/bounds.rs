//! The most that a text or an amount of a request may be: a closed list, so that nothing in the
//! record grows as far as whoever writes it likes.

use crate::break_glass::RECOVERY;
use crate::refusal::Refusal;
use crate::till::TILL_CENTS_MOST;

/// Characters of a reason, a note, or what was seen as evidence.
pub const NOTE_MOST: usize = 500;

/// The most that a patron hands over for one ticket, in cents: as much as a till takes.
pub const RECEIVED_CENTS_MOST: i64 = TILL_CENTS_MOST;

/// Refuses a text that is too long. `field` is the request's.
///
/// # Errors
/// [`Refusal::TextTooLong`].
pub fn note(field: &'static str, text: &str) -> Result<(), Refusal> {
    match text.chars().nth(NOTE_MOST) {
        None => Ok(()),
        Some(_) => Err(Refusal::TextTooLong {
            field,
            most: NOTE_MOST,
        }),
    }
}

/// Characters of a badge or a staff number.
pub const WORD_MOST: usize = 64;

/// Refuses a badge or a staff number that is empty, or longer than one may be.
///
/// # Errors
/// [`Refusal::NameNeeded`] or [`Refusal::TextTooLong`].
pub fn word(field: &'static str, text: &str) -> Result<(), Refusal> {
    if text.trim().is_empty() {
        return Err(Refusal::NameNeeded { field });
    }
    match text.chars().nth(WORD_MOST) {
        None => Ok(()),
        Some(_) => Err(Refusal::TextTooLong {
            field,
            most: WORD_MOST,
        }),
    }
}

/// Names that stand in the record for no person.
const NOBODYS: [&str; 5] = ["guard", "console", "central", "device", RECOVERY];

/// Judges a badge: two that look alike are alike, and none is what central calls itself.
///
/// # Errors
/// As [`word`], or [`Refusal::BadgeSigns`].
pub fn badge(text: &str) -> Result<(), Refusal> {
    word("badge", text)?;
    let is_plain = |one: char| one.is_ascii_alphanumeric() || one == '-';
    let is_nobodys = NOBODYS.iter().any(|name| text.eq_ignore_ascii_case(name));
    if text.chars().all(is_plain) && !is_nobodys {
        Ok(())
    } else {
        Err(Refusal::BadgeSigns)
    }
}

/// Judges a staff number: none is what central calls itself.
///
/// # Errors
/// As [`word`], or [`Refusal::BadgeSigns`].
pub fn staff(text: &str) -> Result<(), Refusal> {
    word("staff", text)?;
    match NOBODYS
        .iter()
        .any(|name| text.trim().eq_ignore_ascii_case(name))
    {
        true => Err(Refusal::BadgeSigns),
        false => Ok(()),
    }
}

/// What fits of a text that a program wrote.
pub fn cut(text: &str) -> String {
    text.chars().take(NOTE_MOST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_badge_is_plain_and_nobody_is_central() {
        for plain in ["C142", "s-7", "X1"] {
            assert_eq!(badge(plain), Ok(()), "{plain}");
        }
        for other in [
            "guard",
            "Console",
            "CENTRAL",
            "device",
            "C 142",
            "C142 ",
            "C\u{202e}1",
            "Ｃ142",
            "<b>",
            "=1+1",
            "É1",
        ] {
            assert_eq!(badge(other), Err(Refusal::BadgeSigns), "{other:?}");
        }
        assert!(badge(" ").is_err());
    }
}
