//! The follower of the log: who follows, which finished draws wait for what it says of them, and which
//! of those differ (`RULES.md`, "The follower").

use std::collections::{BTreeMap, BTreeSet};

use keno_log::checkpoint::{SignatureLine, VerifyingKey};
use keno_log::event::{DrawFollowed, FollowerBegan, PayoutsOpened};
use keno_log::follower::Said;
use keno_log::{Event, Hash};

const MINUTE_MS: i64 = 60_000;

/// Who follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Begun {
    /// Verifier key, C2SP text form.
    pub key: String,
    /// What it chose when it began.
    pub began: Hash,
}

/// What a follower found wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Differing {
    /// By the name of `RULES.md`.
    pub finding: String,
    /// The entry in which that is, if it is in one.
    pub entry: Option<u64>,
    /// What the one who says so chose when it began; none where nobody had begun.
    pub began: Option<Hash>,
    /// It was said before, by one who began earlier.
    pub again: bool,
}

/// A finished draw that waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitingDraw {
    /// Size of the tree just after the leaf that finished it.
    pub size: u64,
    /// Its root.
    pub root: Hash,
    /// When that was, UTC milliseconds.
    pub since_ms: i64,
    /// For so many minutes large payments wait, where its rules say so.
    pub minutes: Option<u16>,
    /// What differs, where something does.
    pub differs: Option<Differing>,
}

impl WaitingDraw {
    /// When two people may open what nothing was said of; never where its rules do not make
    /// anybody wait.
    pub fn may_be_opened_ms(&self) -> Option<i64> {
        let minutes = self.minutes?;
        Some(self.since_ms.saturating_add(i64::from(minutes) * MINUTE_MS))
    }

    /// Whether two people may open its payouts at a moment: no time opens what differs, but who began
    /// since and says so too.
    pub fn may_be_opened(&self, now_ms: i64) -> bool {
        match &self.differs {
            Some(differs) => differs.again,
            None => self.may_be_opened_ms().is_some_and(|at| now_ms >= at),
        }
    }

    /// Whether a payment of a ticket waits, which comes to what needs a second person or does not.
    pub fn holds_up(&self, is_large: bool) -> bool {
        self.differs.is_some() || (is_large && self.minutes.is_some())
    }
}

/// Who follows, and what waits.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Following {
    /// The last who began.
    pub last: Option<Begun>,
    /// Every beginning.
    pub begun: BTreeSet<Hash>,
    /// What waits, by draw.
    pub waiting: BTreeMap<u64, WaitingDraw>,
}

impl Following {
    fn began(&self) -> Option<Hash> {
        self.last.as_ref().map(|last| last.began)
    }

    /// Whether somebody began since the draw was said to differ; so it is too where it was not.
    pub fn has_begun_since(&self, waiting: &WaitingDraw) -> bool {
        let differs = waiting.differs.as_ref();
        differs.is_none_or(|differs| self.began() != differs.began)
    }

    /// The draw, and whether it differs, for which a payment of these draws waits.
    pub fn holds_up(
        &self,
        draws: impl Iterator<Item = u64>,
        is_large: bool,
    ) -> Option<(u64, bool)> {
        let mut waiting = draws.filter_map(|draw| Some((draw, self.waiting.get(&draw)?)));
        waiting
            .find(|(_, waiting)| waiting.holds_up(is_large))
            .map(|(draw, waiting)| (draw, waiting.differs.is_some()))
    }

    /// What a fact of the follower changes, in the record of a house. Memory pays by it, and takes no
    /// row's word: a 66 that the last who began has not signed and a 67 too early change nothing,
    /// whatever a verifier makes of them.
    pub(super) fn change(&mut self, house: &str, at_ms: i64, event: &Event) {
        match event {
            Event::FollowerBegan(body) => self.begin(body),
            Event::DrawFollowed(body) if self.has_said(house, body) => self.say(body),
            Event::PayoutsOpened(body) if self.may_open(body, at_ms) => {
                self.waiting.remove(&body.draw);
            }
            _ => {}
        }
    }

    /// Whether the last who began may say this of a draw, and has signed it.
    pub fn has_said(&self, house: &str, body: &DrawFollowed) -> bool {
        let waiting = self.waiting.get(&body.draw);
        let Some((waiting, last)) = waiting.zip(self.last.as_ref()) else {
            return false;
        };
        let said = Said {
            draw: body.draw,
            tree: (waiting.size, waiting.root),
            finding: &body.finding,
            entry: body.entry,
        };
        let text = said.text(house, &last.began);
        self.has_begun_since(waiting)
            && said.is_well_formed()
            && VerifyingKey::parse(&last.key)
                .is_ok_and(|key| SignatureLine::is_under(&body.signature, &text, &key))
    }

    fn may_open(&self, body: &PayoutsOpened, at_ms: i64) -> bool {
        let waiting = self.waiting.get(&body.draw);
        body.by != body.second && waiting.is_some_and(|waiting| waiting.may_be_opened(at_ms))
    }

    fn begin(&mut self, body: &FollowerBegan) {
        self.begun.insert(body.began);
        self.last = Some(Begun {
            key: body.key.clone(),
            began: body.began,
        });
    }

    fn say(&mut self, body: &DrawFollowed) {
        if body.finding.is_empty() {
            self.waiting.remove(&body.draw);
            return;
        }
        let began = self.began();
        if let Some(waiting) = self.waiting.get_mut(&body.draw) {
            waiting.differs = Some(Differing {
                finding: body.finding.clone(),
                entry: body.entry,
                began,
                again: waiting.differs.is_some(),
            });
        }
    }
}
