//! What a follower said of finished draws, and which payments wait for it (`RULES.md`, "The
//! follower").

use std::collections::{BTreeMap, HashSet};

use keno_log::Hash;
use keno_log::event::{DrawFollowed, FollowerBegan, PayoutsOpened};
use keno_log::follower::{Said, beginning};

use super::Replay;
use super::hosts::has_signed;

const MINUTE_MS: i64 = 60_000;

/// A finished draw that waits.
#[derive(Debug, Clone, Copy)]
struct Waiting {
    /// Size and root of the tree just after the entry that finished it.
    size: u64,
    root: Hash,
    /// When that was.
    since_ms: i64,
    /// For so many minutes large payouts wait, where its rules say so.
    minutes: Option<u16>,
    /// How many beginnings there had been when it was last said to differ.
    differs: Option<usize>,
    /// It was said to differ more than once.
    differs_again: bool,
}

/// Who follows the log, and what waits for it.
#[derive(Debug, Default)]
pub(super) struct Follower {
    /// Key and beginning, of the last that began.
    last: Option<(String, Hash)>,
    begun: HashSet<Hash>,
    beginnings: usize,
    waiting: BTreeMap<u64, Waiting>,
}

impl Follower {
    /// Whether somebody began since the draw was said to differ; so it is too where it was not.
    fn has_begun_since(&self, waiting: &Waiting) -> bool {
        waiting.differs.is_none_or(|then| self.beginnings > then)
    }
}

impl Replay {
    /// Size and root of the tree just after a draw was finished, while the draw waits for what a
    /// follower says of it.
    #[must_use]
    pub fn waits(&self, draw: u64) -> Option<(u64, Hash)> {
        let waiting = self.follower.waiting.get(&draw)?;
        Some((waiting.size, waiting.root))
    }

    fn house_code(&self) -> &str {
        self.house.as_ref().map_or("", |house| house.house.as_str())
    }

    pub(super) fn follower_began(&mut self, body: &FollowerBegan) {
        let text = beginning(self.house_code(), &body.began);
        let is_new = self.follower.begun.insert(body.began);
        // Nothing is signed by a key that is none.
        let is_right = is_new && has_signed(&body.key, &text, &body.signature);
        self.follower.last = Some((body.key.clone(), body.began));
        self.follower.beginnings += 1;
        must!(self, is_right => FollowerWrong, "{}", body.key);
    }

    /// A draw was settled, or is void.
    pub(super) fn draw_waits(&mut self, draw: u64) {
        let book = self.book_of_draw(draw);
        let minutes = book.and_then(|(_, published)| published.book.second_computation_minutes);
        if minutes.is_none() && self.follower.last.is_none() {
            return;
        }
        let waiting = Waiting {
            size: self.edge.size(),
            root: self.edge.root(),
            since_ms: self.now.at_ms,
            minutes,
            differs: None,
            differs_again: false,
        };
        self.follower.waiting.insert(draw, waiting);
    }

    pub(super) fn draw_followed(&mut self, body: &DrawFollowed) {
        if !self.draws.contains_key(&body.draw) {
            find!(self => DrawUnknown, "draw {}", body.draw);
            return;
        }
        let house = self.house_code();
        let waiting = self.follower.waiting.get(&body.draw);
        let is_right = match (waiting, &self.follower.last) {
            (Some(waiting), Some((key, began))) => {
                let said = Said {
                    draw: body.draw,
                    tree: (waiting.size, waiting.root),
                    finding: &body.finding,
                    entry: body.entry,
                };
                self.follower.has_begun_since(waiting)
                    && said.is_well_formed()
                    && has_signed(key, &said.text(house, began), &body.signature)
            }
            _ => false,
        };
        if body.finding.is_empty() {
            self.follower.waiting.remove(&body.draw);
        } else if let Some(waiting) = self.follower.waiting.get_mut(&body.draw) {
            waiting.differs_again = waiting.differs.is_some();
            waiting.differs = Some(self.follower.beginnings);
        }
        must!(self, is_right => FollowedWrong, "draw {}", body.draw);
    }

    pub(super) fn payouts_opened(&mut self, body: &PayoutsOpened) {
        if !self.draws.contains_key(&body.draw) {
            find!(self => DrawUnknown, "draw {}", body.draw);
            return;
        }
        let at_ms = self.now.at_ms;
        let is_over = |waiting: &Waiting| {
            waiting.minutes.is_some_and(|minutes| {
                let until =
                    i128::from(waiting.since_ms) + i128::from(i64::from(minutes) * MINUTE_MS);
                i128::from(at_ms) >= until
            })
        };
        let is_right = self
            .follower
            .waiting
            .get(&body.draw)
            .is_some_and(|waiting| match waiting.differs {
                Some(_) => waiting.differs_again,
                None => is_over(waiting),
            });
        self.follower.waiting.remove(&body.draw);
        must!(self, is_right => PayoutsOpenedWrong, "draw {}", body.draw);
    }

    /// Nothing is paid of a draw that differs, and where a ticket comes to much, nothing of one for
    /// which the follower is awaited.
    pub(super) fn judge_followed(&mut self, draws: impl Iterator<Item = u64>, is_large: bool) {
        let (mut frozen, mut unfollowed) = (None, None);
        for draw in draws {
            let Some(waiting) = self.follower.waiting.get(&draw) else {
                continue;
            };
            if waiting.differs.is_some() {
                frozen = frozen.or(Some(draw));
            }
            if is_large && waiting.minutes.is_some() {
                unfollowed = unfollowed.or(Some(draw));
            }
        }
        must!(self, frozen.is_none() => PaymentFrozen, "draw {}", frozen.unwrap_or(0));
        must!(self, unfollowed.is_none() => PaymentUnfollowed, "draw {}", unfollowed.unwrap_or(0));
    }
}
