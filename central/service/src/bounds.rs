//! The most that a text or an amount of a request may be: a closed list, so that nothing in the
//! record grows as far as whoever writes it likes.

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

/// What fits of a text that a program wrote.
pub fn cut(text: &str) -> String {
    text.chars().take(NOTE_MOST).collect()
}
