//! What every page needs: paths, and formats in that language.

use std::borrow::Borrow;
use std::fmt::Display;

use keno_wire::reply::Bilingual;

use super::assets::asset_url;
use super::format;
use super::lang::Lang;
use super::view::Frame;
use super::words::{EN, FR, Words};

/// A whole number, or a reference to one: templates hand over either, as deep as their loops go.
pub(super) trait Whole {
    /// The number itself.
    fn whole(&self) -> u64;
}

impl Whole for u64 {
    fn whole(&self) -> u64 {
        *self
    }
}

impl<T: Whole + ?Sized> Whole for &T {
    fn whole(&self) -> u64 {
        (*self).whole()
    }
}

/// A page's frame in one language, with the formats that templates call.
pub(super) struct Page<'a> {
    pub lang: Lang,
    /// The words of that language.
    pub w: &'static Words,
    /// The words of the other one, for what is said in both.
    pub other_words: &'static Words,
    pub frame: &'a Frame,
    /// Section of the navigation that this page belongs to.
    pub section: &'static str,
}

impl<'a> Page<'a> {
    pub fn new(frame: &'a Frame, lang: Lang, section: &'static str) -> Self {
        Self {
            lang,
            w: lang.words(),
            other_words: lang.other().words(),
            frame,
            section,
        }
    }

    pub fn asset(&self, name: &str) -> &'static str {
        asset_url(name)
    }

    /// A path of this site that keeps the language.
    pub fn link(&self, path: &str) -> String {
        in_language(path, self.lang)
    }

    /// This page in the other language.
    pub fn other(&self) -> String {
        in_language(&self.frame.path, self.lang.other())
    }

    pub fn draw_link(&self, draw: impl Whole) -> String {
        self.link(&format!("/draws/{}", draw.whole()))
    }

    pub fn is(&self, section: &str) -> bool {
        self.section == section
    }

    pub fn money(&self, cents: impl Borrow<i64>) -> String {
        format::money(*cents.borrow(), self.lang)
    }

    pub fn money_short(&self, cents: impl Borrow<i64>) -> String {
        format::money_short(*cents.borrow(), self.lang)
    }

    pub fn count(&self, number: impl Whole) -> String {
        format::count(number.whole(), self.lang)
    }

    pub fn draw_number(&self, draw: impl Whole) -> String {
        format::draw_number(draw.whole())
    }

    pub fn control(&self, digits: &str) -> String {
        format::control_number(digits)
    }

    pub fn date(&self, day: &str) -> String {
        format::date(day, self.lang)
    }

    pub fn day_of(&self, local: &str) -> String {
        format::date(format::day(local), self.lang)
    }

    pub fn hour<'t>(&self, local: &'t str) -> &'t str {
        format::hour(local)
    }

    pub fn moment(&self, at_ms: impl Borrow<i64>) -> String {
        format::moment(*at_ms.borrow(), self.frame.zone)
    }

    pub fn instant(&self, at_ms: impl Borrow<i64>) -> String {
        format::instant(*at_ms.borrow(), self.frame.zone)
    }

    pub fn percent(&self, text: &str) -> String {
        format::percent(text, self.lang)
    }

    /// Numbers in ascending order, two digits each.
    pub fn ascending(&self, balls: &[u8]) -> Vec<String> {
        let mut sorted = balls.to_vec();
        sorted.sort_unstable();
        sorted.iter().map(|ball| self.two(ball)).collect()
    }

    pub fn two(&self, number: impl Display) -> String {
        format!("{number:0>2}")
    }

    /// The sentence of this language.
    pub fn say<'t>(&self, both: &'t Bilingual) -> &'t str {
        self.lang.of(both)
    }
}

fn in_language(path: &str, lang: Lang) -> String {
    match lang {
        Lang::Fr => path.to_owned(),
        Lang::En if path.contains('?') => format!("{path}&lang=en"),
        Lang::En => format!("{path}?lang=en"),
    }
}

/// Puts values into the `{name}` places of a sentence.
pub(super) fn fill(sentence: &str, values: &[(&str, &dyn Display)]) -> String {
    values
        .iter()
        .fold(sentence.to_owned(), |text, (name, value)| {
            text.replace(&format!("{{{name}}}"), &value.to_string())
        })
}

/// What is said of a thing in each language.
pub(super) fn both(of: impl Fn(&'static Words, Lang) -> String) -> Bilingual {
    Bilingual {
        fr: of(&FR, Lang::Fr),
        en: of(&EN, Lang::En),
    }
}
