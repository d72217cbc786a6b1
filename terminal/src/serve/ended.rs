//! How a command ended, as a page is told: the last step of what it came to.

use keno_wire::Problem;
use keno_wire::request::CommandKey;
use serde::Serialize;

use crate::agent::{Done, Fact};
use crate::exit::Exit;
use crate::told::Line;

/// A sentence of a command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Sentence {
    /// A fact; else a trouble, a refusal, a question or a hint.
    pub(super) is_fact: bool,
    /// French.
    pub(super) fr: String,
    /// English.
    pub(super) en: String,
}

impl From<&Line> for Sentence {
    fn from(line: &Line) -> Self {
        let sentence = line.sentence();
        Self {
            is_fact: line.is_fact(),
            fr: sentence.fr,
            en: sentence.en,
        }
    }
}

/// How a command ended, for the page that gave it.
#[derive(Debug, Serialize)]
pub(super) struct Ended<'a> {
    /// `done`, `refused`, `central_unreachable`, `printer_trouble`, `in_doubt` or `failed`.
    exit: Exit,
    /// What was said, in its order.
    said: Vec<Sentence>,
    /// The key that was journaled for it; none when nothing of it can have reached central.
    sent: Option<CommandKey>,
    /// What the command came to.
    fact: Option<&'a Fact>,
    /// The refusal of central that ended it.
    problem: Option<&'a Problem>,
}

impl<'a> Ended<'a> {
    pub(super) fn of(done: &'a Done) -> Self {
        Self {
            exit: done.exit,
            said: done.said.iter().map(Sentence::from).collect(),
            sent: done.sent,
            fact: done.fact.as_ref(),
            problem: done.problem(),
        }
    }
}
