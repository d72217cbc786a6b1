//! Rust text without its comments and literals, so that a rule about code is not broken by prose.

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

/// The text with every comment, string and character literal replaced by spaces. Lines stay
/// lines, so the number of a line is that of the original.
pub fn code_only(text: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let at = |index: usize| characters.get(index).copied().unwrap_or('\0');
    let mut code = String::with_capacity(text.len());
    let mut state = State::Code;
    let mut index = 0;
    while index < characters.len() {
        let here = at(index);
        let next = at(index + 1);
        // How many characters this step takes, and whether they are code.
        let mut taken = 1;
        let mut is_code = false;
        match state {
            State::Code => match (here, next) {
                ('/', '/') => (state, taken) = (State::LineComment, 2),
                ('/', '*') => (state, taken) = (State::BlockComment(1), 2),
                ('"', _) => state = State::Text,
                ('r', '"' | '#') if !follows_name(&characters, index) => {
                    let hashes = (index + 1..).take_while(|&place| at(place) == '#').count();
                    if at(index + 1 + hashes) == '"' {
                        (state, taken) = (State::RawText(hashes), hashes + 2);
                    } else {
                        is_code = true;
                    }
                }
                ('\'', _) => match character_length(&characters, index) {
                    Some(length) => taken = length,
                    // A lifetime.
                    None => is_code = true,
                },
                _ => is_code = true,
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
        for place in index..(index + taken).min(characters.len()) {
            let one = at(place);
            code.push(if is_code || one == '\n' { one } else { ' ' });
        }
        index += taken;
    }
    code
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
    fn a_word_is_a_word_alone() {
        assert!(has_word("x: f64,", "f64"));
        assert!(!has_word("leaf64", "f64"));
        assert!(!has_word("f64_bits", "f64"));
        assert!(has_word("use rand::rng;", "rand::"));
        assert!(!has_word("use operand::x;", "rand::"));
    }
}
