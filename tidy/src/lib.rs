//! The rules of this house, as functions over its own text.
//!
//! Each rule takes text or a graph and returns what breaks it, so that it can be shown a planted
//! fault; the tests in `tests/house.rs` hold the repository against all of them. A rule has its
//! reason in its documentation: a rule that nobody can explain is taken out.

pub mod catalogue;
pub mod code;
pub mod documents;
pub mod floors;
pub mod french;
pub mod front;
pub mod functions;
pub mod goldens;
pub mod imports;
pub mod migrations;
pub mod packages;
pub mod product_lines;
pub mod ratchet;
pub mod repository;
pub mod rings;
pub mod sources;
pub mod words;

use std::fmt;

/// One place that breaks a rule.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Breach {
    /// The file or the package.
    pub place: String,
    /// The line, from 1; 0 when it is the whole of the place.
    pub line: usize,
    /// What is wrong, and what would be right.
    pub words: String,
}

impl Breach {
    /// A breach by the whole of a file or package.
    pub fn whole(place: impl Into<String>, words: impl Into<String>) -> Self {
        Self::line(place, 0, words)
    }

    /// A breach in one line, counted from 1.
    pub fn line(place: impl Into<String>, line: usize, words: impl Into<String>) -> Self {
        Self {
            place: place.into(),
            line,
            words: words.into(),
        }
    }
}

impl fmt::Display for Breach {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(formatter, "{}: {}", self.place, self.words),
            line => write!(formatter, "{}:{line}: {}", self.place, self.words),
        }
    }
}

/// All breaches, one a line, for the message of a failed test.
pub fn listed(breaches: &[Breach]) -> String {
    let lines: Vec<String> = breaches.iter().map(ToString::to_string).collect();
    lines.join("\n")
}
