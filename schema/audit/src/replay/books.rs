//! The rule books that were published, and which of them is in force for a draw.

use std::collections::{BTreeMap, BTreeSet};

use keno_log::Hash;

use super::Published;
use super::lost::dearest_ticket_cents;

/// The versions of the rules. What is asked of them at every ticket is kept beside them: a log may
/// hold as many books as tickets.
#[derive(Debug, Default)]
pub(super) struct Books {
    by_version: BTreeMap<u32, Published>,
    /// From which draw on which version is in force: both ascend.
    in_force: BTreeMap<u64, u32>,
    dearest_cents: i128,
    tenders: BTreeSet<u8>,
}

impl Books {
    /// The highest version; 0 before the first.
    pub(super) fn last_version(&self) -> u32 {
        let last = self.by_version.last_key_value();
        last.map_or(0, |(version, _)| *version)
    }

    /// A version.
    pub(super) fn get(&self, version: u32) -> Option<&Published> {
        self.by_version.get(&version)
    }

    /// Versions with the draw from which each governs and its hash.
    pub(super) fn versions(&self) -> impl Iterator<Item = (u32, u64, Hash)> {
        let books = self.by_version.iter();
        books.map(|(version, it)| (*version, it.effective_from, it.hash))
    }

    /// The highest version.
    pub(super) fn newest(&self) -> Option<&Published> {
        let newest = self.by_version.iter().max_by_key(|(version, _)| **version);
        newest.map(|(_, published)| published)
    }

    /// The highest version that governs a draw.
    pub(super) fn in_force(&self, draw: u64) -> Option<(u32, &Published)> {
        let (_, version) = self.in_force.range(..=draw).next_back()?;
        Some((*version, self.by_version.get(version)?))
    }

    /// The most that a ticket can cost by any book.
    pub(super) fn dearest_cents(&self) -> i128 {
        self.dearest_cents
    }

    /// Whether some book accepts a tender.
    pub(super) fn accepts(&self, tender: u8) -> bool {
        self.tenders.contains(&tender)
    }

    /// Adds a book.
    pub(super) fn publish(&mut self, version: u32, published: Published) {
        let is_newest = version > self.last_version();
        let from = published.effective_from;
        self.dearest_cents = self
            .dearest_cents
            .max(dearest_ticket_cents(&published.book));
        self.tenders.extend(&published.book.tenders);
        self.by_version.insert(version, published);
        if is_newest {
            self.put_in_force(from, version);
        } else {
            // A number that does not follow is found; what is in force is what the highest say.
            self.in_force.clear();
            let all: Vec<(u64, u32)> = self.versions().map(|(it, from, _)| (from, it)).collect();
            for (from, version) in all {
                self.put_in_force(from, version);
            }
        }
    }

    /// The highest version so far takes the place of all that begin with it or after it.
    fn put_in_force(&mut self, from: u64, version: u32) {
        drop(self.in_force.split_off(&from));
        self.in_force.insert(from, version);
    }
}
