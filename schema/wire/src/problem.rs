//! Problems (RFC 9457): a refusal or a fault as `application/problem+json`.

use keno_words::{Language, Say};
use macro_rules_attribute::apply;

use crate::reply::Bilingual;

/// Before the name of a problem: an address of central, which says what it means.
pub const PROBLEMS: &str = "/problems/";

/// A refusal or a fault, fit for the person who reads it.
#[apply(reply!)]
pub struct Problem {
    /// An address of central that says what it means, such as `/problems/draw_closed`: its last part
    /// is the stable name.
    #[serde(rename = "type")]
    pub kind: String,
    /// HTTP status.
    pub status: u16,
    /// What is wrong and what to do, in the language that was asked for.
    pub title: String,
    /// The same in both languages.
    pub sentence: Bilingual,
    /// Selection that is at fault, A is 0.
    pub selection: Option<u8>,
    /// Field that is at fault.
    pub field: Option<String>,
    /// The same command may succeed later.
    pub retry: bool,
    /// The draw that could be sold instead, for a closed draw.
    pub next_draw: Option<u64>,
}

impl Problem {
    /// A problem by its stable name, in the first language of the house.
    pub fn of(name: &str, status: u16, words: &dyn Say) -> Self {
        let sentence = Bilingual::of(words);
        Self {
            kind: format!("{PROBLEMS}{name}"),
            status,
            title: sentence.fr.clone(),
            sentence,
            selection: None,
            field: None,
            retry: false,
            next_draw: None,
        }
    }

    /// The same, in a language.
    #[must_use]
    pub fn in_language(self, language: Language) -> Self {
        Self {
            title: self.sentence.said(language),
            ..self
        }
    }

    /// The stable name without the path, such as `draw_closed`.
    pub fn name(&self) -> &str {
        self.kind.rsplit('/').next().unwrap_or(&self.kind)
    }
}
