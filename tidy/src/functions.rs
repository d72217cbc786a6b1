//! No function of the product above a hundred lines.
//!
//! A function that cannot be seen whole is not understood whole, and what it does for one case
//! hides among what it does for the others. Lines of the body count, without blank ones and
//! comments. A plain table in the form of a function may be longer, and there are five at most.

use crate::Breach;
use crate::packages::{Module, products};
use crate::ratchet::{self, Row};
use crate::repository::TextFile;

/// A body of more lines than this is cut into functions.
pub const LINES_MAX: usize = 100;

/// Functions that are one plain table each, with their lines: a row a case, no branch within.
const TABLES: &[(&str, usize)] = &[];
const TABLES_MAX: usize = 5;

/// Functions that are to be cut yet, by name with the type that they belong to, and their lines.
/// A list to take from.
const NOT_YET: &[(&str, usize)] = &[];

/// A function with a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// Its name, after that of the type whose `impl` or trait it stands in: `State::apply`.
    pub name: String,
    /// The line on which it begins, from 1.
    pub line: usize,
    /// The lines of its body that are neither blank nor comments, without those of its braces.
    pub body_lines: usize,
}

/// Functions that are too long and not listed, and what is listed and is shorter by now.
pub fn breaches(files: &[TextFile]) -> Vec<Breach> {
    let mut long = Vec::new();
    let mut found = Vec::new();
    let listed: Vec<Row> = TABLES
        .iter()
        .chain(NOT_YET)
        .map(|(name, lines)| Row::new(*name, *lines))
        .collect();
    for package in products(files) {
        for module in package.modules() {
            for function in functions(module) {
                if function.body_lines <= LINES_MAX {
                    continue;
                }
                let row = Row::new(&function.name, function.body_lines);
                if !listed.contains(&row) {
                    let words = format!(
                        "{} has {} lines, of {LINES_MAX} at most",
                        function.name, function.body_lines
                    );
                    found.push(Breach::line(&module.file, function.line, words));
                }
                long.push(row);
            }
        }
    }
    if TABLES.len() > TABLES_MAX {
        found.push(Breach::whole(
            "tidy/src/functions.rs",
            format!("has {} tables, of {TABLES_MAX}", TABLES.len()),
        ));
    }
    found.extend(ratchet::breaches("tidy/src/functions.rs", &listed, &long));
    found
}

/// Every function with a body in the module, tests left out.
pub fn functions(module: &Module) -> Vec<Function> {
    let is_full: Vec<bool> = module
        .text
        .lines()
        .map(|line| !line.trim().is_empty())
        .collect();
    let mut reader = Reader::default();
    for one in module.code.chars() {
        if one.is_alphanumeric() || one == '_' {
            reader.word.push(one);
        } else {
            reader.end_word();
            reader.sign(one);
        }
    }
    let body_lines = |first: usize, last: usize| {
        // Lines count from 1, and those of the two braces do not count.
        let within = is_full.get(first..last.saturating_sub(1));
        within.map_or(0, |lines| lines.iter().filter(|full| **full).count())
    };
    let mut found: Vec<Function> = reader
        .closed
        .into_iter()
        .map(|(name, line, first, last)| Function {
            name,
            line,
            body_lines: body_lines(first, last),
        })
        .collect();
    found.sort_by_key(|function| function.line);
    found
}

/// What a brace opened.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Opened {
    /// The body of a function: its name, the line of its name, the line of the brace.
    Function(String, usize, usize),
    /// An `impl` or a trait, with the name of the type.
    Type(String),
    Other,
}

/// A head that was begun and has no brace yet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
enum Head {
    #[default]
    None,
    /// After `fn`, whose name is the next word.
    Fn,
    /// A function's name and line.
    Named(String, usize),
    /// `impl` or `trait`: the last name at the outermost level, and how many `<` are open.
    Type(String, usize),
}

/// Reads code sign by sign and keeps the functions that were closed.
#[derive(Default)]
struct Reader {
    line: usize,
    word: String,
    head: Head,
    /// Round and square brackets that are open within the head.
    brackets: usize,
    opened: Vec<Opened>,
    /// Name, line of the name, line of the opening brace and of the closing one.
    closed: Vec<(String, usize, usize, usize)>,
}

impl Reader {
    fn end_word(&mut self) {
        if self.word.is_empty() {
            return;
        }
        let word = std::mem::take(&mut self.word);
        self.head = match (std::mem::take(&mut self.head), word.as_str()) {
            (Head::Fn, _) => Head::Named(word, self.line + 1),
            (Head::None, "fn") => Head::Fn,
            (Head::None, "impl" | "trait") => Head::Type(String::new(), 0),
            // What bounds a type is not its name.
            (Head::Type(name, _), "where") => Head::Type(name, 1),
            // `impl A for B` belongs to B.
            (Head::Type(_, 0), "for") => Head::Type(String::new(), 0),
            (Head::Type(_, 0), _) => Head::Type(word, 0),
            (head, _) => head,
        };
    }

    fn sign(&mut self, sign: char) {
        match (sign, &mut self.head) {
            ('\n', _) => self.line += 1,
            // A pointer to a function has no name.
            ('(', Head::Fn) => (self.head, self.brackets) = (Head::None, 0),
            ('(' | '[', Head::Named(..)) => self.brackets += 1,
            (')' | ']', Head::Named(..)) => self.brackets = self.brackets.saturating_sub(1),
            ('<', Head::Type(_, open)) => *open += 1,
            ('>', Head::Type(_, open)) => *open = open.saturating_sub(1),
            // Declared without a body.
            (';', _) if self.brackets == 0 => self.head = Head::None,
            ('{', _) if self.brackets == 0 => {
                let opened = match std::mem::take(&mut self.head) {
                    Head::Named(name, line) => {
                        Opened::Function(self.full_name(&name), line, self.line + 1)
                    }
                    Head::Type(name, _) => Opened::Type(name),
                    Head::None | Head::Fn => Opened::Other,
                };
                self.opened.push(opened);
            }
            ('{', _) => self.opened.push(Opened::Other),
            ('}', _) => {
                if let Some(Opened::Function(name, line, first)) = self.opened.pop() {
                    self.closed.push((name, line, first, self.line + 1));
                }
            }
            _ => {}
        }
    }

    fn full_name(&self, name: &str) -> String {
        match self.opened.last() {
            Some(Opened::Type(of)) => format!("{of}::{name}"),
            _ => name.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packages::packages;

    fn found(text: &str) -> Vec<(String, usize, usize)> {
        let files = [
            TextFile::new("central/Cargo.toml", "[package]\nname = \"p\"\n"),
            TextFile::new("central/src/lib.rs", text),
        ];
        let packages = packages(&files);
        let all = functions(&packages[0].crates[0].modules[0]);
        all.into_iter()
            .map(|one| (one.name, one.line, one.body_lines))
            .collect()
    }

    #[test]
    fn functions_are_named_and_their_lines_counted() {
        let text = concat!(
            "fn a(b: [u8; 2], c: fn(u8) -> u8) -> [u8; 2] {\n    d();\n\n    // no\n    \"\n    e\n\"\n}\n",
            "impl<'a, T: Into<U>> From<V> for State<'a, T>\nwhere\n    T: W,\n{\n",
            "    /// Told.\n    fn apply(&self) {\n        fn inner() {\n            f();\n        }\n        g(|| {\n            h\n        });\n    }\n}\n",
            "pub trait Door {\n    fn open(&self);\n    fn shut(&self) { i }\n}\n",
            "fn j() -> impl Iterator<Item = u8> {\n    k\n}\n",
            "#[cfg(test)]\nmod tests {\n    fn l() {\n        m\n    }\n}\n",
        );
        let expected = [
            ("a", 1, 4),
            ("State::apply", 14, 6),
            ("inner", 15, 1),
            ("Door::shut", 25, 0),
            ("j", 27, 1),
        ];
        let expected = expected.map(|(name, line, lines)| (name.to_owned(), line, lines));
        assert_eq!(found(text), expected);
    }

    #[test]
    fn a_function_one_line_too_long_is_found() {
        let told = |lines: usize| -> Vec<String> {
            let body = "    b();\n    // c\n\n".repeat(lines);
            let files = [
                TextFile::new("central/Cargo.toml", "[package]\nname = \"p\"\n"),
                TextFile::new("central/src/lib.rs", &format!("fn a() {{\n{body}}}\n")),
            ];
            let found = breaches(&files);
            let words = found.iter().map(ToString::to_string);
            words.filter(|one| one.contains("lib.rs")).collect()
        };
        assert_eq!(told(LINES_MAX), Vec::<String>::new());
        assert_eq!(
            told(LINES_MAX + 1),
            ["central/src/lib.rs:1: a has 101 lines, of 100 at most"]
        );
    }
}
