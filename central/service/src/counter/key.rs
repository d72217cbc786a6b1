//! What every command with a key shares: the hash of its content, one outcome a
//! key, and what that was.

use keno_log::{CommandKey, Event, Hash};
use keno_record::fault::Fault;
use keno_record::sequencer::Judge;
use keno_record::state::{KeyKind, State};
use keno_record::store::keys;
use keno_record::store::leaves::{body_at, event_at};
use sha2::{Digest, Sha256};

use crate::Stop;
use crate::central::Central;
use crate::counter::ticket::{doubtful, fact_of};
use crate::refusal::Refusal;

/// SHA-256 over the fields of a command, each with its length: what tells a repetition from
/// another command under the same key.
#[derive(Default)]
pub struct ContentHash(Sha256);

impl ContentHash {
    /// A hash of a kind of command.
    pub fn of(kind: &str) -> Self {
        Self::default().text(kind)
    }

    /// Adds bytes.
    pub fn bytes(mut self, bytes: &[u8]) -> Self {
        self.0
            .update(u64::try_from(bytes.len()).unwrap_or(u64::MAX).to_be_bytes());
        self.0.update(bytes);
        self
    }

    /// Adds text.
    pub fn text(self, text: &str) -> Self {
        self.bytes(text.as_bytes())
    }

    /// Adds a number.
    pub fn number(self, number: i64) -> Self {
        self.bytes(&number.to_be_bytes())
    }

    /// Adds a number that may be absent.
    pub fn optional(self, number: Option<u64>) -> Self {
        match number {
            None => self.bytes(&[]),
            Some(number) => self.bytes(&number.to_be_bytes()),
        }
    }

    /// The hash.
    pub fn finish(self) -> Hash {
        self.0.finalize().into()
    }
}

/// What a command came to, as recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded<T> {
    /// Leaf of the fact.
    pub leaf: u64,
    /// The fact.
    pub event: T,
    /// When, UTC milliseconds.
    pub at_ms: i64,
    /// True when its key had been answered before.
    pub repeated: bool,
}

impl<T: TryFrom<Event, Error = Event>> Recorded<T> {
    /// Reads it from the record.
    ///
    /// # Errors
    /// A fault.
    pub fn read(central: &Central, leaf: u64, repeated: bool) -> Result<Self, Fault> {
        let (event, at_ms) = body_at(&mut *central.readers.get()?, leaf)?;
        Ok(Self {
            leaf,
            event,
            at_ms,
            repeated,
        })
    }
}

/// Refuses a key beyond what the record counts: there it would be another's.
///
/// # Errors
/// [`Refusal::KeyForeign`].
pub(crate) fn must_be_countable(key: &CommandKey) -> Result<(), Refusal> {
    match i64::try_from(key.counter.max(key.session)) {
        Ok(_) => Ok(()),
        Err(_) => Err(Refusal::KeyForeign),
    }
}

/// What a key was answered with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KeyOutcome {
    /// Kind of outcome.
    pub kind: KeyKind,
    /// SHA-256 of the request; zero for a closed key.
    content_hash: Hash,
    /// Leaf of the fact.
    pub leaf: u64,
}

/// What a key was answered, by its leaf: memory, or the row of a session that has ended, says where.
pub(crate) fn outcome_of(
    judge: &mut Judge<'_>,
    key: &CommandKey,
) -> Result<Option<KeyOutcome>, Stop> {
    let leaf = match judge.state.key(key) {
        Some(leaf) => Some(leaf),
        None if judge.state.sessions.contains_key(&key.session) => None,
        None => {
            judge.settle_rows()?;
            let page = judge.state.ended_page(key);
            keys::ended(judge.connection, key, page).map_err(doubtful)?
        }
    };
    let Some(leaf) = leaf else { return Ok(None) };
    let fact = fact_of(judge, leaf)?;
    let event = fact.as_ref().map(|fact| &fact.event);
    let kind = event.and_then(|event| KeyKind::answered_by(event.kind()));
    let names = event.map(Event::names).unwrap_or_default();
    match kind {
        Some(kind) if names.key == Some(*key) => Ok(Some(KeyOutcome {
            kind,
            content_hash: names.content.unwrap_or_default(),
            leaf,
        })),
        _ => {
            let what = format!("leaf {leaf} did not answer a key that names it");
            Err(doubtful(Fault::Record(what)))
        }
    }
}

/// The same for a reader, of a leaf that nobody has proven: where it is, memory says or proves.
pub(crate) fn answer_of(
    central: &Central,
    key: CommandKey,
) -> Result<Option<(KeyKind, u64)>, Fault> {
    let look = move |state: &State| (state.key(&key), state.ended_page(&key));
    let (open, page) = central.look(look)?;
    let mut reader = central.readers.get()?;
    let leaf = match open {
        Some(leaf) => Some(leaf),
        None => keys::ended(&mut reader, &key, page)?,
    };
    let Some(leaf) = leaf else { return Ok(None) };
    let (event, _) = event_at(&mut reader, leaf)?;
    Ok(KeyKind::answered_by(event.kind()).map(|kind| (kind, leaf)))
}

/// Judges a key before anything else: an answered key repeats its answer.
///
/// `Ok(None)` means the key is new and may be used by this session.
///
/// # Errors
/// [`Refusal::KeyForeign`], [`Refusal::KeyOtherContent`], [`Refusal::KeyClosed`],
/// [`Refusal::SessionEnded`], or a fault.
pub fn judge_key(
    judge: &mut Judge<'_>,
    key: &CommandKey,
    kind: KeyKind,
    content_hash: &Hash,
) -> Result<Option<u64>, Stop> {
    must_be_countable(key)?;
    let known = outcome_of(judge, key)?;
    match known {
        Some(outcome) if outcome.kind == KeyKind::Closed => Err(Refusal::KeyClosed.into()),
        Some(outcome) if outcome.kind != kind || outcome.content_hash != *content_hash => {
            Err(Refusal::KeyOtherContent.into())
        }
        Some(outcome) => Ok(Some(outcome.leaf)),
        None => match judge.state.sessions.get(&key.session) {
            Some(session) if session.device == key.device => Ok(None),
            Some(_) => Err(Refusal::KeyForeign.into()),
            None => Err(Refusal::SessionEnded.into()),
        },
    }
}
