//! Keys of commands: how each ended.

use std::collections::{BTreeMap, HashMap, HashSet};

use keno_log::CommandKey;

/// How a command key ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyEnd {
    Outcome,
    Closed,
}

/// The keys of a log. A device counts, so those of a session that were answered are few runs.
#[derive(Debug, Default)]
pub(super) struct Keys {
    /// The first counter of each run of those that were answered, to its last, by device and session.
    answered: HashMap<(u32, u64), BTreeMap<u64, u64>>,
    closed: HashSet<CommandKey>,
}

impl Keys {
    /// How a key ended, if it has.
    pub(super) fn end_of(&self, key: &CommandKey) -> Option<KeyEnd> {
        if self.closed.contains(key) {
            return Some(KeyEnd::Closed);
        }
        let runs = self.answered.get(&(key.device, key.session))?;
        let (_, last) = runs.range(..=key.counter).next_back()?;
        (*last >= key.counter).then_some(KeyEnd::Outcome)
    }

    /// A key was answered that had not ended.
    pub(super) fn answer(&mut self, key: &CommandKey) {
        let runs = self.answered.entry((key.device, key.session)).or_default();
        let counter = key.counter;
        let last = counter
            .checked_add(1)
            .and_then(|next| runs.remove(&next))
            .unwrap_or(counter);
        match runs.range_mut(..counter).next_back() {
            Some((_, before)) if before.checked_add(1) == Some(counter) => *before = last,
            _ => {
                runs.insert(counter, last);
            }
        }
    }

    /// A key was closed.
    pub(super) fn close(&mut self, key: &CommandKey) {
        self.closed.insert(*key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(counter: u64) -> CommandKey {
        CommandKey {
            device: 1,
            session: 2,
            counter,
        }
    }

    /// In whatever order they come, the same keys are known, and no others.
    #[test]
    fn runs_are_the_same_in_every_order() {
        let counters = [3, 1, 2, 7, 5, 6, u64::MAX, 0, u64::MAX - 1, 9];
        for turn in 0..counters.len() {
            let mut keys = Keys::default();
            let mut known = HashSet::new();
            for counter in counters[turn..].iter().chain(&counters[..turn]) {
                keys.answer(&key(*counter));
                known.insert(*counter);
                for asked in (0..=10).chain([u64::MAX - 2, u64::MAX - 1, u64::MAX]) {
                    let end = known.contains(&asked).then_some(KeyEnd::Outcome);
                    assert_eq!(keys.end_of(&key(asked)), end, "{asked} after {counter}");
                }
            }
            let runs = &keys.answered[&(1, 2)];
            assert_eq!(runs.len(), 4, "{runs:?}");
        }
        let mut keys = Keys::default();
        keys.answer(&key(4));
        keys.close(&key(4));
        assert_eq!(keys.end_of(&key(4)), Some(KeyEnd::Closed));
        assert_eq!(
            keys.end_of(&CommandKey {
                device: 9,
                ..key(4)
            }),
            None
        );
    }
}
