//! The two languages of the pages.

use keno_wire::reply::Bilingual;
use keno_words::{Language, Say};

use super::words::{EN, FR, Words};

/// A language of the house.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Lang {
    /// French: what a page speaks unless asked otherwise.
    #[default]
    Fr,
    /// English.
    En,
}

impl Lang {
    /// Both, French first.
    pub const ALL: [Self; 2] = [Self::Fr, Self::En];

    /// The value of `?lang=`; anything but `en` is French.
    pub fn from_code(code: Option<&str>) -> Self {
        if code == Some("en") {
            Self::En
        } else {
            Self::Fr
        }
    }

    /// `fr` or `en`.
    pub fn code(self) -> &'static str {
        match self {
            Self::Fr => "fr",
            Self::En => "en",
        }
    }

    /// The other one.
    pub fn other(self) -> Self {
        match self {
            Self::Fr => Self::En,
            Self::En => Self::Fr,
        }
    }

    /// A text of the house in it.
    pub fn of(self, both: &Bilingual) -> &str {
        match self {
            Self::Fr => &both.fr,
            Self::En => &both.en,
        }
    }

    /// Words of the catalogue in it.
    pub fn said(self, words: &dyn Say) -> String {
        words.said(match self {
            Self::Fr => Language::French,
            Self::En => Language::English,
        })
    }

    pub(super) fn words(self) -> &'static Words {
        match self {
            Self::Fr => &FR,
            Self::En => &EN,
        }
    }
}
