//! Keys of the open sessions, with the leaf that answered each.
//!
//! They are kept in pages, so that a copy of the state shares them: what a copy costs the writer does
//! not grow with what a session has sold. A page is copied when one of its keys changes while
//! another state has it too. When a session ends, its pages are what is written of its keys.

use std::collections::BTreeMap;
use std::sync::Arc;

use keno_log::CommandKey;

/// Counters of a session that lie in one page, as a power of two.
const PAGE_BITS: u32 = 10;

/// Which page a key lies in: device, session, and the upper part of its counter. Pages in this order
/// have the keys in theirs.
pub type PageNumber = (u32, u64, u64);

/// The keys of a page: the lower part of the counter, and the leaf. Ascending.
pub type Page = Vec<(u16, u64)>;

/// Keys with their leaves, ascending.
#[derive(Debug, Clone, Default)]
pub struct Keys {
    pages: BTreeMap<PageNumber, Arc<Page>>,
}

/// The page that a key lies in, and its place there.
pub fn page_of(key: &CommandKey) -> (PageNumber, u16) {
    let lower = key.counter & ((1 << PAGE_BITS) - 1);
    (
        (key.device, key.session, key.counter >> PAGE_BITS),
        u16::try_from(lower).unwrap_or(u16::MAX),
    )
}

/// A page as its row has it: two bytes and eight a key.
pub fn page_bytes(page: &[(u16, u64)]) -> Vec<u8> {
    let key = |(lower, leaf): &(u16, u64)| [&lower.to_be_bytes()[..], &leaf.to_be_bytes()].concat();
    page.iter().flat_map(key).collect()
}

/// The leaf of a key in its page.
pub fn leaf_in(page: &[(u16, u64)], lower: u16) -> Option<u64> {
    let at = page
        .binary_search_by_key(&lower, |(lower, _)| *lower)
        .ok()?;
    page.get(at).map(|(_, leaf)| *leaf)
}

impl Keys {
    /// The leaf that answered a key.
    pub fn get(&self, key: &CommandKey) -> Option<u64> {
        let (number, lower) = page_of(key);
        leaf_in(self.pages.get(&number)?, lower)
    }

    /// All of them, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (CommandKey, u64)> {
        self.pages
            .iter()
            .flat_map(|((device, session, upper), page)| {
                page.iter().map(move |(lower, leaf)| {
                    let key = CommandKey {
                        device: *device,
                        session: *session,
                        counter: (upper << PAGE_BITS) | u64::from(*lower),
                    };
                    (key, *leaf)
                })
            })
    }

    /// The pages, ascending.
    pub fn pages(&self) -> impl Iterator<Item = (&PageNumber, &Page)> {
        self.pages.iter().map(|(number, page)| (number, &**page))
    }

    pub(super) fn insert(&mut self, key: CommandKey, leaf: u64) {
        let (number, lower) = page_of(&key);
        let page = Arc::make_mut(self.pages.entry(number).or_default());
        match page.binary_search_by_key(&lower, |(lower, _)| *lower) {
            Ok(at) => page.splice(at..=at, [(lower, leaf)]).for_each(drop),
            Err(at) => page.insert(at, (lower, leaf)),
        }
    }

    pub(super) fn remove(&mut self, key: &CommandKey) {
        let (number, lower) = page_of(key);
        if let Some(page) = self.pages.get_mut(&number) {
            let page = Arc::make_mut(page);
            page.retain(|(at, _)| *at != lower);
            if page.is_empty() {
                self.pages.remove(&number);
            }
        }
    }

    /// Takes the keys out that lie in pages of this session.
    pub(super) fn take_session(&mut self, session: u64) -> Self {
        let is_of = |number: &PageNumber, _: &mut _| number.1 == session;
        Self {
            pages: self.pages.extract_if(.., is_of).collect(),
        }
    }

    /// Puts keys back that were taken out.
    pub(super) fn put_back(&mut self, taken: Self) {
        self.pages.extend(taken.pages);
    }
}

impl FromIterator<(CommandKey, u64)> for Keys {
    fn from_iter<I: IntoIterator<Item = (CommandKey, u64)>>(pairs: I) -> Self {
        let mut keys = Self::default();
        for (key, leaf) in pairs {
            keys.insert(key, leaf);
        }
        keys
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(session: u64, counter: u64) -> CommandKey {
        CommandKey {
            device: 1,
            session,
            counter,
        }
    }

    fn leaves(keys: &Keys) -> Vec<u64> {
        keys.iter().map(|(_, leaf)| leaf).collect()
    }

    #[test]
    fn a_copy_shares_what_has_not_changed_and_stays_as_it_was() {
        let all = (0..5_000).map(|counter| (key(3, counter), counter));
        let mut keys: Keys = all.collect();
        let copy = keys.clone();
        keys.insert(key(3, 5_000), 5_000);
        keys.remove(&key(3, 0));
        assert_eq!(leaves(&copy), (0..5_000).collect::<Vec<_>>());
        assert_eq!(leaves(&keys), (1..=5_000).collect::<Vec<_>>());
        let shared = |number: &PageNumber| {
            let (one, other) = (keys.pages.get(number), copy.pages.get(number));
            one.zip(other)
                .is_some_and(|(one, other)| Arc::ptr_eq(one, other))
        };
        let are_shared: Vec<bool> = (0..5).map(|page| shared(&(1, 3, page))).collect();
        assert_eq!(are_shared, [false, true, true, true, false]);
    }

    #[test]
    fn the_keys_of_a_session_leave_together_and_come_back() {
        let pairs = [(1, 7), (2, 1), (2, 3_000), (4, 2)];
        let all = pairs.map(|(session, counter)| (key(session, counter), counter));
        let mut keys: Keys = all.into_iter().collect();
        let taken = keys.take_session(2);
        assert_eq!(
            (leaves(&taken), leaves(&keys)),
            (vec![1, 3_000], vec![7, 2])
        );
        assert_eq!(keys.get(&key(2, 1)), None);
        keys.put_back(taken);
        assert_eq!(leaves(&keys), [7, 1, 3_000, 2]);
        keys.remove(&key(4, 2));
        assert_eq!(keys.pages.len(), 3);
    }
}
