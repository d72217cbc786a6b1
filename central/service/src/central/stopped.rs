//! Terminals that do not sell for now.

use std::collections::BTreeSet;

use parking_lot::RwLock;

/// Terminals that a supervisor has stopped from selling. It is judged with a sale, and is no fact
/// of the record: what was sold before stands, and payments go on.
#[derive(Debug, Default)]
pub struct Stops(RwLock<BTreeSet<u32>>);

impl Stops {
    /// A terminal does not sell, or sells again.
    pub fn set(&self, device: u32, is_stopped: bool) {
        let mut stopped = self.0.write();
        if is_stopped {
            stopped.insert(device);
        } else {
            stopped.remove(&device);
        }
    }

    /// Whether a terminal is stopped.
    pub fn is_stopped(&self, device: u32) -> bool {
        self.0.read().contains(&device)
    }
}
