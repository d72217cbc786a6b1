//! The most that a text or an amount of a request may be: a closed list, so that nothing in the
//! record grows as far as whoever writes it likes.

use keno_book::signs::is_hidden;
use keno_record::people::RECOVERY;
use unicode_normalization::char::is_combining_mark;

use crate::refusal::Refusal;

/// Characters of a reason, a note, or what was seen as evidence.
const NOTE_MOST: usize = 500;

/// The most that a patron hands over for one ticket, in cents: as much as a till takes.
pub(crate) const RECEIVED_CENTS_MOST: i64 = TILL_CENTS_MOST;

/// Marks above and below one letter. No language writes more; a heap of them is drawn over the
/// lines around it.
const MARKS_MOST: usize = 3;

/// Each sign of a text, and whether it may stand there: it is seen, and a mark is upon a letter
/// with few others.
fn signs(text: &str) -> impl Iterator<Item = (char, bool)> {
    let mut marks = MARKS_MOST;
    text.chars().map(move |sign| {
        marks = match (is_combining_mark(sign), sign.is_whitespace()) {
            (true, _) => marks.saturating_add(1),
            (false, true) => MARKS_MOST,
            (false, false) => 0,
        };
        (sign, !is_hidden(sign) && marks <= MARKS_MOST)
    })
}

/// Refuses a text with signs that may not stand in it. `field` is the request's.
///
/// # Errors
/// [`Refusal::TextSigns`].
fn seen(field: &'static str, text: &str) -> Result<(), Refusal> {
    match signs(text).all(|(_, may_stand)| may_stand) {
        false => Err(Refusal::TextSigns { field }),
        true => Ok(()),
    }
}

/// Refuses a text that is too long, or has signs that are not seen: every such text may be printed.
/// `field` is the request's.
///
/// # Errors
/// [`Refusal::TextTooLong`] or [`Refusal::TextSigns`].
pub fn note(field: &'static str, text: &str) -> Result<(), Refusal> {
    seen(field, text)?;
    match text.chars().nth(NOTE_MOST) {
        None => Ok(()),
        Some(_) => Err(Refusal::TextTooLong {
            field,
            most: NOTE_MOST,
        }),
    }
}

/// Judges a reason that must be given, as [`note`] does.
///
/// # Errors
/// [`Refusal::ReasonNeeded`], and as [`note`].
pub(crate) fn reason(field: &'static str, text: &str) -> Result<(), Refusal> {
    if text.trim().is_empty() {
        return Err(Refusal::ReasonNeeded);
    }
    note(field, text)
}

/// Judges a text that must be given and is no reason, as [`note`] does.
///
/// # Errors
/// [`Refusal::NameNeeded`], and as [`note`].
pub(crate) fn said(field: &'static str, text: &str) -> Result<(), Refusal> {
    if text.trim().is_empty() {
        return Err(Refusal::NameNeeded { field });
    }
    note(field, text)
}

/// Characters of a badge or a staff number.
const WORD_MOST: usize = 64;

/// Refuses a badge or a staff number that is empty, or longer than one may be.
///
/// # Errors
/// [`Refusal::NameNeeded`], [`Refusal::TextSigns`] or [`Refusal::TextTooLong`].
pub fn word(field: &'static str, text: &str) -> Result<(), Refusal> {
    if text.trim().is_empty() {
        return Err(Refusal::NameNeeded { field });
    }
    seen(field, text)?;
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
pub(crate) fn badge(text: &str) -> Result<(), Refusal> {
    word("badge", text)?;
    let is_plain = |one: char| one.is_ascii_alphanumeric() || one == '-';
    let is_nobodys = NOBODYS.iter().any(|name| text.eq_ignore_ascii_case(name));
    if text.chars().all(is_plain) && !is_nobodys {
        Ok(())
    } else {
        Err(Refusal::BadgeSigns)
    }
}

/// Judges a staff number: signs of ASCII without spaces around them, and none is what central calls
/// itself.
///
/// # Errors
/// As [`word`], or [`Refusal::BadgeSigns`].
pub(crate) fn staff(text: &str) -> Result<(), Refusal> {
    word("staff", text)?;
    // Two numbers that look alike would be two humans.
    let is_plain = text.is_ascii() && text.trim() == text;
    let is_nobodys = NOBODYS.iter().any(|name| text.eq_ignore_ascii_case(name));
    if is_plain && !is_nobodys {
        Ok(())
    } else {
        Err(Refusal::BadgeSigns)
    }
}

/// What fits of a text that a program wrote.
pub(crate) fn cut(text: &str) -> String {
    let seen = signs(text).map(|(sign, may_stand)| if may_stand { sign } else { ' ' });
    seen.take(NOTE_MOST).collect()
}

/// The most that a till is opened with, moved or counted at: $1,000,000.00, beyond any that a
/// counter holds, and a slip of the finger by two digits is still refused.
pub(crate) const TILL_CENTS_MOST: i64 = 100_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_has_only_signs_that_are_seen() {
        for hidden in [
            "\u{1b}@",
            "a\0b",
            "a\nb",
            "\t",
            "\u{7f}",
            "\u{9b}1m",
            "\u{202e}00,9",
            "\u{2028}",
            "C1\u{200b}61",
            "\u{feff}C1",
            // Alone they look like an empty text, and between others like nothing.
            "\u{3164}",
            "\u{2800}",
            "\u{34f}",
            "\u{e0041}",
            "a\u{61c}b",
            "a\u{206a}b",
            "a\u{180e}b",
            "a\u{fff9}b",
            "\u{e000}",
            "\u{ffff}",
            // Bytes that were no text.
            "a\u{fffd}b",
        ] {
            assert_eq!(
                note("note", hidden),
                Err(Refusal::TextSigns { field: "note" }),
                "{hidden:?}"
            );
            assert!(word("staff", &format!("C{hidden}")).is_err(), "{hidden:?}");
            assert_eq!(note("note", &cut(hidden)), Ok(()), "{hidden:?}");
        }
        // Marks upon nothing, and more upon a letter than a line has place for.
        for marks in ["\u{301}", "a \u{301}", "a\u{301}\u{302}\u{303}\u{304}b"] {
            let refused = Err(Refusal::TextSigns { field: "note" });
            assert_eq!(note("note", marks), refused, "{marks:?}");
            assert_eq!(note("note", &cut(marks)), Ok(()), "{marks:?}");
        }
        for seen in [
            "",
            "Cœur d’été « brûlé » 12\u{a0}$",
            "Ŵ 東 👍",
            "Nguye\u{302}\u{303}n",
        ] {
            assert_eq!(note("note", seen), Ok(()), "{seen:?}");
        }
    }

    #[test]
    fn a_badge_is_plain_and_nobody_is_central() {
        for plain in ["C142", "s-7", "X1"] {
            assert_eq!(badge(plain), Ok(()), "{plain}");
        }
        for other in [
            "guard", "Console", "CENTRAL", "device", "C 142", "C142 ", "Ｃ142", "<b>", "=1+1", "É1",
        ] {
            assert_eq!(badge(other), Err(Refusal::BadgeSigns), "{other:?}");
        }
        assert!(badge("C\u{202e}1").is_err());
        assert!(badge(" ").is_err());
    }
}
