//! Rust text with its comments, literals or tests taken out, so that a rule about code is not
//! broken by prose.

use std::ops::Range;

/// Where the reader stands in the text.
enum State {
    Code,
    LineComment,
    /// How many block comments are open.
    BlockComment(usize),
    Text,
    /// How many `#` close it.
    RawText(usize),
}

/// What a character of the text is part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Code,
    Comment,
    /// A string literal with its quotes.
    Text,
    /// A character literal with its quotes.
    Character,
}

/// The text with every comment, string and character literal replaced by spaces. Lines stay
/// lines and characters stay in their place, so what is found here lies there in the original.
pub fn code_only(text: &str) -> String {
    kept(text, |kind| kind == Kind::Code)
}

/// The text with every comment replaced by spaces, and with its literals.
pub fn without_comments(text: &str) -> String {
    kept(text, |kind| kind != Kind::Comment)
}

/// What stands between the quotes of each string literal, with the line on which it begins,
/// counted from 1.
pub fn string_literals(text: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut line = 1;
    let mut is_within = false;
    for (one, kind) in text.chars().zip(kinds(text)) {
        let is_text = kind == Kind::Text;
        if is_text && !is_within {
            found.push((line, String::new()));
        }
        if let Some((_, literal)) = found.last_mut().filter(|_| is_text) {
            literal.push(one);
        }
        is_within = is_text;
        line += usize::from(one == '\n');
    }
    for (_, literal) in &mut found {
        let within = literal.trim_start_matches('r').trim_matches('#');
        *literal = within.trim_matches('"').to_owned();
    }
    found
}

fn kept(text: &str, is_kept: impl Fn(Kind) -> bool) -> String {
    text.chars()
        .zip(kinds(text))
        .map(|(one, kind)| match is_kept(kind) || one == '\n' {
            true => one,
            false => ' ',
        })
        .collect()
}

/// The kind of each character of the text.
fn kinds(text: &str) -> Vec<Kind> {
    let characters: Vec<char> = text.chars().collect();
    let at = |index: usize| characters.get(index).copied().unwrap_or('\0');
    let mut kinds = Vec::with_capacity(characters.len());
    let mut state = State::Code;
    while kinds.len() < characters.len() {
        let index = kinds.len();
        let here = at(index);
        let next = at(index + 1);
        // How many characters this step takes, and of which kind.
        let mut taken = 1;
        let mut kind = match state {
            State::Code => Kind::Code,
            State::LineComment | State::BlockComment(_) => Kind::Comment,
            State::Text | State::RawText(_) => Kind::Text,
        };
        match state {
            State::Code => match (here, next) {
                ('/', '/') => (state, taken, kind) = (State::LineComment, 2, Kind::Comment),
                ('/', '*') => (state, taken, kind) = (State::BlockComment(1), 2, Kind::Comment),
                ('"', _) => (state, kind) = (State::Text, Kind::Text),
                ('r', '"' | '#') if !follows_name(&characters, index) => {
                    let hashes = (index + 1..).take_while(|&place| at(place) == '#').count();
                    if at(index + 1 + hashes) == '"' {
                        (state, taken) = (State::RawText(hashes), hashes + 2);
                        kind = Kind::Text;
                    }
                }
                // A quote alone is a lifetime.
                ('\'', _) => {
                    if let Some(length) = character_length(&characters, index) {
                        (taken, kind) = (length, Kind::Character);
                    }
                }
                _ => {}
            },
            State::LineComment => {
                if here == '\n' {
                    state = State::Code;
                }
            }
            State::BlockComment(depth) => match (here, next) {
                ('/', '*') => (state, taken) = (State::BlockComment(depth + 1), 2),
                ('*', '/') if depth == 1 => (state, taken) = (State::Code, 2),
                ('*', '/') => (state, taken) = (State::BlockComment(depth - 1), 2),
                _ => {}
            },
            State::Text => match here {
                '\\' => taken = 2,
                '"' => state = State::Code,
                _ => {}
            },
            State::RawText(hashes) => {
                let closed = (1..=hashes).all(|offset| at(index + offset) == '#');
                if here == '"' && closed {
                    (state, taken) = (State::Code, hashes + 1);
                }
            }
        }
        let end = (index + taken).min(characters.len());
        kinds.resize(end, kind);
    }
    kinds
}

/// The text with every item under `#[cfg(test)]` replaced by spaces, its attribute included.
/// Lines stay lines.
pub fn without_tests(text: &str) -> String {
    let code: Vec<char> = code_only(text).chars().collect();
    let tests = test_items(&code);
    let is_test = |place: usize| tests.iter().any(|range| range.contains(&place));
    text.chars()
        .enumerate()
        .map(|(place, one)| match one == '\n' || !is_test(place) {
            true => one,
            false => ' ',
        })
        .collect()
}

/// Where the items under `#[cfg(test)]` stand in code without comments and literals.
fn test_items(code: &[char]) -> Vec<Range<usize>> {
    const ATTRIBUTES: [&str; 2] = ["#[cfg(test)]", "#[cfg(all(test,"];
    let begins = |place: usize, word: &str| {
        let here = code.get(place..place + word.len()).unwrap_or_default();
        here.first() == Some(&'#') && word.chars().eq(here.iter().copied())
    };
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut place = 0;
    while place < code.len() {
        if ATTRIBUTES.iter().any(|attribute| begins(place, attribute)) {
            let end = item_end(code, place);
            found.push(place..end);
            place = end;
        } else {
            place += 1;
        }
    }
    found
}

/// The place after the item whose first attribute begins at `start`.
fn item_end(code: &[char], start: usize) -> usize {
    let mut depth = 0_usize;
    // `use a::{b, c};` goes on behind its brace.
    let mut is_use = false;
    let mut word = String::new();
    let mut is_attribute = false;
    for (place, one) in code.iter().enumerate().skip(start) {
        if one.is_alphanumeric() {
            word.push(*one);
        } else {
            is_use |= depth == 0 && word == "use";
            word.clear();
        }
        match one {
            '#' if depth == 0 => is_attribute = true,
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => {
                depth = depth.saturating_sub(1);
                let is_body = *one == '}' && !is_use;
                if depth == 0 && is_attribute {
                    is_attribute = false;
                } else if depth == 0 && is_body {
                    return place + 1;
                }
            }
            ';' if depth == 0 => return place + 1,
            _ => {}
        }
    }
    code.len()
}

/// Whether the character before is part of a name, so that an `r` here opens no raw text. `br"` and
/// `cr"` open one.
fn follows_name(characters: &[char], index: usize) -> bool {
    let before = |back: usize| {
        index
            .checked_sub(back)
            .and_then(|place| characters.get(place))
    };
    let is_name = |one: Option<&char>| one.is_some_and(|one| one.is_alphanumeric() || *one == '_');
    match before(1) {
        Some('b' | 'c') => is_name(before(2)),
        one => is_name(one),
    }
}

/// The length of the character literal that begins at a quote; `None` for a lifetime.
fn character_length(characters: &[char], index: usize) -> Option<usize> {
    match (characters.get(index + 1)?, characters.get(index + 2)?) {
        ('\\', _) => {
            // An escape: `'\n'`, `'\''`, `'\u{1f}'`.
            let rest = characters.get(index + 3..)?;
            rest.iter()
                .take(10)
                .position(|one| *one == '\'')
                .map(|place| place + 4)
        }
        (_, '\'') => Some(3),
        _ => None,
    }
}

/// Whether `word` stands in `line` by itself, with no letter, digit or `_` on either side.
pub fn has_word(line: &str, word: &str) -> bool {
    let joins = |one: char| one.is_alphanumeric() || one == '_';
    line.match_indices(word).any(|(start, _)| {
        let before = line.get(..start).and_then(|text| text.chars().next_back());
        let after = line
            .get(start + word.len()..)
            .and_then(|text| text.chars().next());
        // A word that ends in a sign of its own, such as `::`, needs no border there.
        let open_before = word.starts_with(joins) && before.is_some_and(joins);
        let open_after = word.ends_with(joins) && after.is_some_and(joins);
        !open_before && !open_after
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_are_blank_and_code_stays() {
        let text = concat!(
            "//! std::fs\n",
            "use a::b; // std::fs\n",
            "/* x /* std::fs */ y */ let c = \"std::fs \\\" //\"; d\n",
            "let e = r#\"std::fs \" //\"#; let f = br\"std::fs\"; g('\"', '\\'', b'/'); h\n",
            "fn i<'a>(j: &'a str) { k }\n",
            "let r#type = bar\"\"; l\n",
        );
        let code = code_only(text);
        assert!(!code.contains("std::fs"), "{code}");
        assert_eq!(code.lines().count(), text.lines().count());
        for (line, kept) in [
            (1, "use a::b;"),
            (2, "let c ="),
            (2, "; d"),
            (3, "; g("),
            (3, "); h"),
            (4, "fn i<'a>(j: &'a str) { k }"),
            (5, "; l"),
        ] {
            assert!(
                code.lines().nth(line).unwrap().contains(kept),
                "{line}: {kept}\n{code}"
            );
        }
    }

    #[test]
    fn comments_go_alone_where_literals_stay() {
        let text = "a(\"// b\"); // c\n/* d */ e('\"'); /// \"f\"\n";
        assert_eq!(
            without_comments(text),
            "a(\"// b\");     \n        e('\"');        \n"
        );
    }

    #[test]
    fn string_literals_are_found_with_their_lines() {
        let text = "a(\"b \\\" c\");\n// \"d\"\ne('f', r#\"g\nh\"#, \"\");\nbr\"i\"";
        let found = string_literals(text);
        let expected = [(1, "b \\\" c"), (3, "g\nh"), (4, ""), (5, "i")];
        let expected = expected.map(|(line, text)| (line, text.to_owned()));
        assert_eq!(found, expected);
    }

    #[test]
    fn what_stands_under_test_goes_and_the_rest_stays() {
        let text = concat!(
            "use a::b;\n",
            "#[cfg(test)]\nuse c::{d, e};\n",
            "#[cfg(test)]\n#[path = \"x.rs\"]\nmod f;\n",
            "#[cfg(all(test, unix))]\npub fn g(h: [u8; 2]) { i(\"}\") }\n",
            "fn j() {}\n",
            "#[cfg(test)]\nmod tests {\n    fn k() {}\n}\n",
            "#[cfg(feature = \"l\")]\nfn l() {}\n",
        );
        let kept = without_tests(text);
        assert_eq!(kept.lines().count(), text.lines().count());
        let kept: Vec<&str> = kept.split_whitespace().collect();
        assert_eq!(
            kept.join(" "),
            "use a::b; fn j() {} #[cfg(feature = \"l\")] fn l() {}"
        );
    }

    #[test]
    fn a_word_is_a_word_alone() {
        assert!(has_word("x: f64,", "f64"));
        assert!(!has_word("leaf64", "f64"));
        assert!(!has_word("f64_bits", "f64"));
        assert!(has_word("use rand::rng;", "rand::"));
        assert!(!has_word("use operand::x;", "rand::"));
    }
}
