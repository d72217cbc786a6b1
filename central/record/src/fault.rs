//! What broke. A fault is logged once, where it is handled, and tells the caller nothing but
//! that it may try again.

use std::fmt;

use keno_log::RetiredKind;
use keno_words::{Language, Say, record_format};
use thiserror::Error;

keno_words::says!(Held of RetiredKind: retired {
    SecretEscrowed,
});

/// A leaf is of a kind that an earlier version recorded, and this one does not know: the record is not
/// opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetiredLeaf {
    /// Which leaf.
    pub leaf: u64,
    /// Its kind.
    pub kind: RetiredKind,
}

/// What to do about it.
impl Say for RetiredLeaf {
    fn say(&self, language: Language, to: &mut String) {
        let (leaf, kind, what) = (&self.leaf, &self.kind.number(), &Held(&self.kind));
        record_format::Retired { leaf, kind, what }.say(language, to);
    }
}

impl fmt::Display for RetiredLeaf {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.en())
    }
}

impl std::error::Error for RetiredLeaf {}

/// Something broke; the rules did not say no.
#[derive(Debug, Error)]
pub enum Fault {
    /// A statement failed.
    #[error("the database refused a statement")]
    Database(#[from] diesel::result::Error),
    /// No reading connection became free.
    #[error("no reading connection is free")]
    Readers(#[from] diesel::r2d2::PoolError),
    /// Another central has written to the record since this one read it.
    #[error("another central has written to this record")]
    HeadMoved,
    /// The outcome of a commit is unknown and could not be found out.
    #[error("the outcome of a commit is unknown")]
    UnknownCommit,
    /// The record holds something that this program does not understand.
    #[error("the record cannot be read: {0}")]
    Record(String),
    /// The record holds what an earlier version recorded.
    #[error("the record cannot be read")]
    Retired(#[from] RetiredLeaf),
    /// The writer has stopped.
    #[error("the writer has stopped")]
    Stopped,
    /// Keys or passwords could not be computed.
    #[error("a cryptographic operation failed: {0}")]
    Crypto(&'static str),
    /// The holder of a draw's secret failed.
    #[error("the draw machine failed: {0}")]
    Machine(String),
    /// A host of its own, machine or holder, cannot be reached: it is asked again.
    #[error("a host of the draw does not answer: {0}")]
    Away(String),
    /// A file outside the database could not be read or written.
    #[error("a file of the house cannot be used: {0}")]
    File(String),
}

/// Too many commands wait: come again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueueFull;

/// Why a command was not carried out. `R` is the list of refusals of whoever judges it: the record
/// knows none of them.
#[derive(Debug, Error)]
pub enum Stop<R> {
    /// The rules say no; nothing was recorded.
    #[error("refused: {0}")]
    Refused(R),
    /// Something broke, before a command was judged or after it was committed: what was recorded
    /// is not said.
    #[error("a fault")]
    Broke(#[from] Fault),
    /// Something broke while the command was carried out, and its transaction was taken back:
    /// nothing was recorded.
    #[error("a fault, and nothing was recorded")]
    Undone(#[source] Fault),
}

impl<R> From<diesel::result::Error> for Stop<R> {
    fn from(fault: diesel::result::Error) -> Self {
        Self::Broke(fault.into())
    }
}

impl<R> From<diesel::r2d2::PoolError> for Stop<R> {
    fn from(fault: diesel::r2d2::PoolError) -> Self {
        Self::Broke(fault.into())
    }
}

/// A fault with its causes, for the log.
pub fn chain(fault: &dyn std::error::Error) -> String {
    let mut text = fault.to_string();
    let mut source = fault.source();
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    text
}
