//! The line to the follower of the log, and what was heard on it.

use std::sync::mpsc::Sender;

use keno_line::follow::BOUNDS;
use keno_line::server::Refused;
use keno_line::{Host, HostKey, HostPlace};
use keno_log::Hash;
use keno_record::fault::Fault;
use keno_record::state::Following;
use parking_lot::Mutex;

/// Without an answer for so long a follower is away.
const AWAY_MS: i64 = 30_000;

/// What a follower said of itself when it last answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Beginning {
    /// What it chose when it began its copy.
    pub began: Hash,
    /// Its signature line under that.
    pub signature: String,
}

/// What was heard of a follower. Nothing of it is a fact: a start of central forgets it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Heard {
    /// When it last answered, on the clock that nobody can set; when central was opened, before it
    /// did.
    pub at_ms: i64,
    /// Entries that it has.
    pub size: u64,
    /// How it began, once it has said so.
    pub beginning: Option<Beginning>,
    /// Why it goes on with nothing: what it refuses, or what central cannot hand over.
    pub refuses: Option<Refused>,
}

impl Heard {
    /// Whether the one who answers is the last who began on record.
    pub fn is_on_record(&self, line: &FollowerLine, following: &Following) -> bool {
        let (Some(last), Some(own)) = (&following.last, &self.beginning) else {
            return false;
        };
        last.began == own.began && last.key == line.host.key().to_string()
    }

    /// For how long nothing was heard, in milliseconds.
    pub fn silent_ms(&self, now_ms: i64) -> i64 {
        now_ms.saturating_sub(self.at_ms)
    }

    /// Whether nothing was heard for so long that it is away.
    pub fn is_away(&self, now_ms: i64) -> bool {
        self.silent_ms(now_ms) > AWAY_MS
    }
}

/// The line to the follower that `house.toml` names.
#[derive(Debug)]
pub struct FollowerLine {
    pub(crate) host: Host,
    heard: Mutex<Heard>,
    pub(crate) feed: Mutex<Feed>,
    /// Held by the thread that feeds it; it ends with this.
    pub(crate) feeding: Mutex<Option<Sender<()>>>,
}

/// Where the feeding of a follower stands.
#[derive(Debug, Default)]
pub(crate) struct Feed {
    /// Entries that it has, as it last said.
    pub size: Option<u64>,
    /// What is wrong with the line, so that it is told once.
    pub trouble: Option<String>,
}

impl FollowerLine {
    /// The line to the follower at its place.
    ///
    /// # Errors
    /// [`Fault::Machine`]: a key that TLS does not take.
    pub(crate) fn new(
        house: &str,
        place: &HostPlace,
        own: &HostKey,
        now_ms: i64,
    ) -> Result<Self, Fault> {
        let host = Host::new(house, place, own, BOUNDS)
            .map_err(|broken| Fault::Machine(broken.to_string()))?;
        let heard = Heard {
            at_ms: now_ms,
            ..Heard::default()
        };
        Ok(Self {
            host,
            heard: Mutex::new(heard),
            feed: Mutex::default(),
            feeding: Mutex::default(),
        })
    }

    /// Name of the host.
    pub fn name(&self) -> &str {
        self.host.name()
    }

    /// Whether the record names another as who follows than the house file does: whoever can write to
    /// the database can name one.
    pub fn is_another_named(&self, following: &Following) -> bool {
        let key = self.host.key().to_string();
        following.last.as_ref().is_some_and(|last| last.key != key)
    }

    /// What was heard last.
    pub fn heard(&self) -> Heard {
        self.heard.lock().clone()
    }

    pub(crate) fn hear(&self, change: impl FnOnce(&mut Heard)) {
        change(&mut self.heard.lock());
    }
}
