//! Keys of the open sessions, with what each was answered.
//!
//! They are kept in pages, so that a copy of the state shares them: what a copy costs the writer does
//! not grow with what a session has sold. A page is copied when one of its keys changes while
//! another state has it too.

use std::collections::BTreeMap;
use std::sync::Arc;

use keno_log::CommandKey;

use super::KeyOutcome;

/// Counters of a session that lie in one page, as a power of two.
const PAGE_BITS: u32 = 10;

/// Which page a key lies in: device, session, and the upper part of its counter. Pages in this order
/// have the keys in theirs.
type PageNumber = (u32, u64, u64);

/// Keys with their outcomes, ascending.
#[derive(Debug, Clone, Default)]
pub struct Keys {
    pages: BTreeMap<PageNumber, Arc<BTreeMap<CommandKey, KeyOutcome>>>,
}

fn page_of(key: &CommandKey) -> PageNumber {
    (key.device, key.session, key.counter >> PAGE_BITS)
}

impl Keys {
    /// What a key was answered.
    pub fn get(&self, key: &CommandKey) -> Option<KeyOutcome> {
        self.pages.get(&page_of(key))?.get(key).copied()
    }

    /// All of them, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (&CommandKey, &KeyOutcome)> {
        self.pages.values().flat_map(|page| page.iter())
    }

    pub(super) fn insert(&mut self, key: CommandKey, outcome: KeyOutcome) {
        let page = self.pages.entry(page_of(&key)).or_default();
        Arc::make_mut(page).insert(key, outcome);
    }

    pub(super) fn remove(&mut self, key: &CommandKey) {
        let number = page_of(key);
        if let Some(page) = self.pages.get_mut(&number) {
            let page = Arc::make_mut(page);
            page.remove(key);
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

impl FromIterator<(CommandKey, KeyOutcome)> for Keys {
    fn from_iter<I: IntoIterator<Item = (CommandKey, KeyOutcome)>>(pairs: I) -> Self {
        let mut keys = Self::default();
        for (key, outcome) in pairs {
            keys.insert(key, outcome);
        }
        keys
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::KeyKind;

    fn key(session: u64, counter: u64) -> CommandKey {
        CommandKey {
            device: 1,
            session,
            counter,
        }
    }

    fn outcome(leaf: u64) -> KeyOutcome {
        KeyOutcome {
            kind: KeyKind::Sale,
            content_hash: [0; 32],
            leaf,
        }
    }

    fn leaves(keys: &Keys) -> Vec<u64> {
        keys.iter().map(|(_, outcome)| outcome.leaf).collect()
    }

    #[test]
    fn a_copy_shares_what_has_not_changed_and_stays_as_it_was() {
        let all = (0..5_000).map(|counter| (key(3, counter), outcome(counter)));
        let mut keys: Keys = all.collect();
        let copy = keys.clone();
        keys.insert(key(3, 5_000), outcome(5_000));
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
        let all = pairs.map(|(session, counter)| (key(session, counter), outcome(counter)));
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
