//! One key, two machines. Each agent says with every request which machine and folder it runs in
//! (`Boulier-Instance`: a value that is not in the folder with the key, so that it is not copied
//! with it). A device that is started again, or moved, goes on under a new value and never comes
//! back to an old one. A value that comes back has been alive all the while: two machines hold
//! the key.

use std::collections::{HashMap, VecDeque};

use parking_lot::Mutex;

use super::Hash;

/// Header of an instance.
pub const INSTANCE_HEADER: &str = "Boulier-Instance";
/// Letters of a value that are looked at.
const VALUE_MAX: usize = 64;
/// Values of a device that are remembered.
const REMEMBERED: usize = 8;

#[derive(Debug)]
struct Seen {
    key: Hash,
    /// The newest last.
    values: VecDeque<String>,
    is_copied: bool,
}

/// What was seen of each device since the start.
#[derive(Debug, Default)]
pub struct Copies(Mutex<HashMap<u32, Seen>>);

impl Copies {
    /// A request of a device, with the value that it gave; one without a value is an instance of
    /// its own, since an agent always gives one. True when this request shows for the first time
    /// that two machines hold the key.
    pub fn note(&self, device: u32, key: Hash, value: &str) -> bool {
        let value: String = value.chars().take(VALUE_MAX).collect();
        let mut all = self.0.lock();
        let seen = all.entry(device).or_insert_with(|| Seen {
            key,
            values: VecDeque::new(),
            is_copied: false,
        });
        if seen.key != key {
            // A new key: what held the old one holds nothing.
            *seen = Seen {
                key,
                values: VecDeque::new(),
                is_copied: false,
            };
        }
        if seen.values.back() == Some(&value) {
            return false;
        }
        let came_back = seen.values.contains(&value);
        seen.values.retain(|before| *before != value);
        seen.values.push_back(value);
        if seen.values.len() > REMEMBERED {
            seen.values.pop_front();
        }
        let is_first = came_back && !seen.is_copied;
        seen.is_copied |= came_back;
        is_first
    }

    /// Devices whose key in force two machines hold: `key_of` says the key in force.
    pub fn copied(&self, key_of: impl Fn(u32) -> Option<Hash>) -> Vec<u32> {
        let all = self.0.lock();
        let mut devices: Vec<u32> = all
            .iter()
            .filter(|(device, seen)| seen.is_copied && key_of(**device) == Some(seen.key))
            .map(|(device, _)| *device)
            .collect();
        devices.sort_unstable();
        devices
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: Hash = [1; 32];

    fn notes(values: &[&str]) -> Vec<u32> {
        let copies = Copies::default();
        for value in values {
            copies.note(7, KEY, value);
        }
        copies.copied(|_| Some(KEY))
    }

    #[test]
    fn a_value_that_comes_back_is_a_second_holder_and_starts_are_none() {
        assert_eq!(notes(&["a", "a", "b", "b", "c"]), [0; 0]);
        assert_eq!(notes(&["a", "b", "a"]), [7]);
        assert_eq!(notes(&["a", "b", "c", "d", "b"]), [7]);
        // Who leaves the value out is no less a second holder.
        assert_eq!(notes(&["a", "", "a"]), [7]);
    }

    #[test]
    fn it_is_told_once_and_ends_with_the_key() {
        let copies = Copies::default();
        let told: Vec<bool> = ["a", "b", "a", "b", "a"]
            .iter()
            .map(|value| copies.note(7, KEY, value))
            .collect();
        assert_eq!(told, [false, false, true, false, false]);
        assert_eq!(copies.copied(|_| Some(KEY)), [7]);
        assert_eq!(copies.copied(|_| Some([2; 32])), [0; 0]);
        assert_eq!(copies.copied(|_| None), [0; 0]);
        assert!(!copies.note(7, [2; 32], "a"));
        assert_eq!(copies.copied(|_| Some([2; 32])), [0; 0]);
    }
}
