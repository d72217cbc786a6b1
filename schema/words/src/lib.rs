//! Every word that a person reads, in the languages of the house.
//!
//! `fr.json` and `en.json` beside this package's manifest are the catalogues: a text a line, by
//! its area and its stable name, with `{places}` for values. Each text is a type here, a field a
//! place (`build.rs` makes them), and a value is anything that can [`Say`] itself in a language.
//! Nothing here knows what a ticket or a draw is, and nothing fails.

use std::path::{Path, PathBuf};

include!(concat!(env!("OUT_DIR"), "/words.rs"));

/// A language of the house.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// The first language of a house in Québec.
    French,
    /// The second.
    English,
}

/// What can be read by a person, in every language.
pub trait Say {
    /// Adds it to a text.
    fn say(&self, language: Language, to: &mut String);

    /// As a text of its own.
    fn said(&self, language: Language) -> String {
        let mut text = String::new();
        self.say(language, &mut text);
        text
    }

    /// In French.
    fn fr(&self) -> String {
        self.said(Language::French)
    }

    /// In English.
    fn en(&self) -> String {
        self.said(Language::English)
    }
}

/// In both languages on one line: `Mise / Wager`.
#[must_use]
pub fn both(words: &dyn Say) -> String {
    format!("{} / {}", words.fr(), words.en())
}

impl<T: Say + ?Sized> Say for &T {
    fn say(&self, language: Language, to: &mut String) {
        (**self).say(language, to);
    }
}

impl<T: Say + ?Sized> Say for Box<T> {
    fn say(&self, language: Language, to: &mut String) {
        (**self).say(language, to);
    }
}

/// As a person types it.
impl Say for Path {
    fn say(&self, _: Language, to: &mut String) {
        to.push_str(&self.display().to_string());
    }
}

impl Say for PathBuf {
    fn say(&self, language: Language, to: &mut String) {
        self.as_path().say(language, to);
    }
}

/// Nothing is said of what is not there.
impl<T: Say> Say for Option<T> {
    fn say(&self, language: Language, to: &mut String) {
        if let Some(one) = self {
            one.say(language, to);
        }
    }
}

/// Has each case of an enumeration say the text of its own name in an area of the catalogue. Its
/// fields are the places of the text, as they are or as the value after `=`; where a case has
/// several texts, or fields that are no places, what stands after `=>` chooses: it is handed a
/// function that says. An enumeration of a package without words is said by a type around it:
/// `Said of Finding`.
#[macro_export]
macro_rules! says {
    ($said:ident of $kind:ident: $area:ident $cases:tt) => {
        /// What is said of it.
        struct $said<'a>(&'a $kind);

        $crate::says!(@impl ($said<'_>) $kind (.0) $area $cases);
    };
    ($kind:ty: $area:ident $cases:tt) => {
        $crate::says!(@impl ($kind) Self () $area $cases);
    };
    (@impl ($said:ty) $kind:ident ($($of:tt)*) $area:ident { $(
        $case:ident $({ $($field:ident $(= $value:expr)?),* $(,)? })? $(=> $choice:expr)?
    ),* $(,)? }) => {
        impl $crate::Say for $said {
            #[allow(unused_variables)]
            fn say(&self, language: $crate::Language, to: &mut String) {
                match self $($of)* {
                    $($kind::$case $({ $($field),* })? => $crate::says!(
                        @ $area $case { $($($field $($value)?),*)? } language, to $(, $choice)?
                    ),)*
                }
            }
        }
    };
    (@ $area:ident $case:ident { $($field:ident $($value:expr)?),* } $language:ident, $to:ident) => {
        $crate::Say::say(
            &$crate::$area::$case { $($field: $crate::says!(@value $field $($value)?)),* },
            $language,
            $to,
        )
    };
    (@ $area:ident $case:ident { $($field:ident $($value:expr)?),* } $language:ident, $to:ident, $choice:expr) => {
        $crate::chosen($choice, &mut |words| words.say($language, $to))
    };
    (@value $field:ident) => { $field };
    (@value $field:ident $value:expr) => { &$value };
}

/// Hands a choice of words the function that says them.
pub fn chosen(choice: impl FnOnce(&mut dyn FnMut(&dyn Say)), say: &mut dyn FnMut(&dyn Say)) {
    choice(say);
}

/// What is written alike in every language.
macro_rules! said_as_shown {
    ($($kind:ty)*) => {
        $(impl Say for $kind {
            fn say(&self, _: Language, to: &mut String) {
                to.push_str(&self.to_string());
            }
        })*
    };
}

said_as_shown! { str String char u8 u16 u32 u64 usize i64 }

/// An amount of money in cents: `1 234,50 $` with spaces that do not break, and `$1,234.50`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Money(pub i64);

impl Say for Money {
    fn say(&self, language: Language, to: &mut String) {
        let absolute = self.0.unsigned_abs();
        let sign = if self.0 < 0 { "-" } else { "" };
        let (whole, part) = ((absolute / 100).to_string(), absolute % 100);
        to.push_str(&match language {
            Language::French => format!("{sign}{},{part:02}\u{a0}$", grouped(&whole, '\u{a0}')),
            Language::English => format!("{sign}${}.{part:02}", grouped(&whole, ',')),
        });
    }
}

/// Digits in groups of three from the right.
pub fn grouped(digits: &str, separator: char) -> String {
    let mut text = String::with_capacity(digits.len() * 2);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(separator);
        }
        text.push(digit);
    }
    text
}

/// A number with decimals, written with a point: French has a comma there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decimal<'a>(pub &'a str);

impl Say for Decimal<'_> {
    fn say(&self, language: Language, to: &mut String) {
        match language {
            Language::French => to.push_str(&self.0.replace('.', ",")),
            Language::English => to.push_str(self.0),
        }
    }
}

/// Several, with the same sign between any two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Joined<'a, T>(pub &'a [T], pub &'a str);

impl<T: Say> Say for Joined<'_, T> {
    fn say(&self, language: Language, to: &mut String) {
        for (index, one) in self.0.iter().enumerate() {
            if index > 0 {
                to.push_str(self.1);
            }
            one.say(language, to);
        }
    }
}

/// One of several: *a, b or c*.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OneOf<'a, T>(pub &'a [T]);

impl<T: Say> Say for OneOf<'_, T> {
    fn say(&self, language: Language, to: &mut String) {
        for (index, one) in self.0.iter().enumerate() {
            match index {
                0 => {}
                _ if index + 1 == self.0.len() => value::Or.say(language, to),
                _ => to.push_str(", "),
            }
            one.say(language, to);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_know_their_language() {
        let amount = Money(123_450);
        assert_eq!(amount.fr(), "1\u{a0}234,50\u{a0}$");
        assert_eq!(amount.en(), "$1,234.50");
        assert_eq!(Money(-5).en(), "-$0.05");
        assert_eq!(Money(123_456_789).en(), "$1,234,567.89");
        for (all, fr, en) in [
            (&[][..], "", ""),
            (&["a"], "a", "a"),
            (&["a", "b"], "a ou b", "a or b"),
            (&["a", "b", "c"], "a, b ou c", "a, b or c"),
        ] {
            assert_eq!((OneOf(all).fr(), OneOf(all).en()), (fr.into(), en.into()));
        }
        let joined = Joined(&[Decimal("1.5"), Decimal("2")], " + ");
        assert_eq!(
            (joined.fr().as_str(), joined.en().as_str()),
            ("1,5 + 2", "1.5 + 2")
        );
        assert_eq!(None::<u8>.fr(), "");
        assert_eq!(Some(Money(0)).fr(), "0,00\u{a0}$");
    }
}
