//! `ARCHITECTURE.md` is read by who comes new: paragraphs that can be taken in at once, sentences
//! of one thought.
//!
//! A paragraph is what stands between blank lines, an item of a list, or a row of a table. What
//! is too long today is counted below; it holds for new text at once, since the numbers only
//! fall.

use crate::Breach;
use crate::ratchet::{self, Row};
use crate::repository::TextFile;

/// The document that is held to this.
pub const HELD: &str = "ARCHITECTURE.md";

/// A paragraph of more words than this is two.
pub const PARAGRAPH_WORDS_MAX: usize = 100;

/// A sentence of more words than this has more than one thought.
pub const SENTENCE_WORDS_MAX: usize = 60;

/// What is too long yet: how many, and the words of the longest.
const NOT_YET: &[(&str, usize)] = &[];

/// Paragraphs and sentences that are too long and not counted, and what is counted and is
/// shorter by now.
pub fn breaches(files: &[TextFile]) -> Vec<Breach> {
    let text = files.iter().find(|file| file.path == HELD);
    let long = too_long(text.map_or("", TextFile::text));
    let listed: Vec<Row> = NOT_YET
        .iter()
        .map(|(name, number)| Row::new(*name, *number))
        .collect();
    let mut counted = Vec::new();
    for (unit, all) in [
        ("paragraphs", &long.paragraphs),
        ("sentences", &long.sentences),
    ] {
        counted.push(Row::new(format!("{unit} too long"), all.len()));
        let most = all.iter().map(|(_, words)| *words).max();
        counted.push(Row::new(
            format!("words of the longest of the {unit}"),
            most.unwrap_or(0),
        ));
    }
    let mut found = ratchet::breaches("tidy/src/documents.rs", &listed, &counted);
    if !found.is_empty() {
        for (unit, max, all) in [
            ("paragraph", PARAGRAPH_WORDS_MAX, &long.paragraphs),
            ("sentence", SENTENCE_WORDS_MAX, &long.sentences),
        ] {
            let told = all.iter().map(|(line, words)| {
                Breach::line(
                    HELD,
                    *line,
                    format!("a {unit} of {words} words, of {max} at most"),
                )
            });
            found.extend(told);
        }
    }
    found
}

/// Where something too long begins, from 1, and how many words it has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TooLong {
    /// Paragraphs of more than [`PARAGRAPH_WORDS_MAX`].
    pub paragraphs: Vec<(usize, usize)>,
    /// Sentences of more than [`SENTENCE_WORDS_MAX`], at the line of their paragraph.
    pub sentences: Vec<(usize, usize)>,
}

/// What is too long in a document.
pub fn too_long(text: &str) -> TooLong {
    let mut found = TooLong::default();
    for (line, paragraph) in paragraphs(text) {
        let length = words(&paragraph);
        if length > PARAGRAPH_WORDS_MAX {
            found.paragraphs.push((line, length));
        }
        for sentence in sentences(&paragraph) {
            let length = words(sentence);
            if length > SENTENCE_WORDS_MAX {
                found.sentences.push((line, length));
            }
        }
    }
    found
}

/// The paragraphs with the lines on which they begin. Code between fences is none.
fn paragraphs(text: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut is_code = false;
    let mut goes_on = false;
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.starts_with("```") {
            (is_code, goes_on) = (!is_code, false);
            continue;
        }
        if is_code || line.is_empty() {
            goes_on = false;
            continue;
        }
        let marker = line.split_whitespace().next().unwrap_or_default();
        let is_number = marker
            .strip_suffix('.')
            .is_some_and(|digits| digits.chars().all(|one| one.is_ascii_digit()));
        let is_alone = line.starts_with('|') || line.starts_with('#');
        let begins = is_alone || is_number || ["-", "*", "+"].contains(&marker);
        match found.last_mut().filter(|_| goes_on && !begins) {
            Some((_, paragraph)) => {
                paragraph.push(' ');
                paragraph.push_str(line);
            }
            None => found.push((index + 1, line.to_owned())),
        }
        goes_on = !is_alone;
    }
    found
}

/// What ends in a point, a question or an exclamation mark before a word that begins large.
fn sentences(paragraph: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    for (place, _) in paragraph.match_indices([' ', '\u{a0}']) {
        let before = paragraph.get(start..place).unwrap_or_default();
        let ended = before.trim_end_matches([')', '*', '`', '"', '”', '»', '\u{a0}']);
        let after = paragraph.get(place..).unwrap_or_default();
        let next = after
            .trim_start()
            .trim_start_matches(['*', '`', '(', '"', '“', '«']);
        let is_large = next.chars().next().is_some_and(|one| !one.is_lowercase());
        let is_digit = next.starts_with(|one: char| one.is_ascii_digit());
        if ended.ends_with(['.', '?', '!']) && is_large && !is_digit {
            found.push(before);
            start = place;
        }
    }
    found.push(paragraph.get(start..).unwrap_or_default());
    found
}

/// Words, of which signs alone are none.
fn words(text: &str) -> usize {
    text.split_whitespace()
        .filter(|word| word.contains(char::is_alphanumeric))
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn many(words: usize) -> String {
        vec!["word"; words].join(" ")
    }

    #[test]
    fn a_paragraph_one_word_too_long_is_found() {
        let half = many(50);
        let at_most = format!(
            "# Head\n\n{half}. And\n{}.\n- {half}.\n- {half}.\n",
            many(49)
        );
        assert_eq!(too_long(&at_most), TooLong::default());
        let text = format!("# Head\n\n{half}. And\n{half}.\n\n| {half} |\n| {half} |\n");
        assert_eq!(too_long(&text).paragraphs, [(3, 101)]);
        let code = format!("```\n{}\n{}\n```\n", many(60), many(60));
        assert_eq!(too_long(&code), TooLong::default());
    }

    #[test]
    fn a_sentence_one_word_too_long_is_found() {
        let half = many(30);
        for whole in ["Of s. 84 ", "Of `a.b` and e.g. of ", "Of (which?) and "] {
            let text = format!("{whole}{half} {half}.");
            assert_eq!(too_long(&text).sentences.len(), 1, "{whole}");
        }
        for end in [". ", ".** ", "? `", ".) "] {
            let text = format!("- **{half}{end}Then {half}.");
            assert_eq!(too_long(&text), TooLong::default(), "{end}");
        }
    }

    #[test]
    fn a_long_paragraph_that_comes_is_told_with_its_line() {
        let text = format!("# A\n\n{}.\n", many(101));
        let found = breaches(&[TextFile::new(HELD, &text)]);
        let told: Vec<String> = found.iter().map(ToString::to_string).collect();
        let wanted = "ARCHITECTURE.md:3: a paragraph of 101 words, of 100 at most";
        assert!(told.iter().any(|one| one == wanted), "{told:?}");
    }
}
