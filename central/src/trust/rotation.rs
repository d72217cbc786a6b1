//! New keys of devices that were given a certificate but have not been used yet. A new key counts
//! only once a connection has proved it: until then the old one does, so that an answer that is
//! lost locks no device out. What is here is in memory alone: after a start of central, a device
//! whose new key is not known any more asks again with its old one.

use std::collections::HashMap;

use parking_lot::{Mutex, MutexGuard};

use super::Hash;

/// Where a new key is proved: the one address for which it need not count yet.
pub const CONFIRM_PATH: &str = "/api/v1/certificates/confirm";

/// A new key of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewKey {
    /// The device.
    pub device: u32,
    /// Hash of the key that it follows.
    pub before: Hash,
    /// Hash of the new key.
    pub key: Hash,
}

/// New keys that wait for their first connection: the newest of each device.
#[derive(Debug, Default)]
pub struct Rotations(Mutex<HashMap<u32, NewKey>>);

impl Rotations {
    fn waiting(&self) -> MutexGuard<'_, HashMap<u32, NewKey>> {
        self.0.lock()
    }

    /// A device was given a certificate for a new key; one that was given before is forgotten.
    pub fn offer(&self, new: NewKey) {
        self.waiting().insert(new.device, new);
    }

    /// The new key of that hash.
    pub fn of_key(&self, key: &Hash) -> Option<NewKey> {
        self.waiting().values().find(|new| new.key == *key).copied()
    }

    /// The key counts, or never will.
    pub fn done(&self, key: &Hash) {
        self.waiting().retain(|_, new| new.key != *key);
    }
}
