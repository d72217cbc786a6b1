//! A screen that is locked does nothing until the person who locked it comes back, whatever becomes
//! of the session meanwhile, or until two others have ended it. It stays locked through a restart:
//! pulling the plug is no key.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use keno_daemon::private::write_whole;
use parking_lot::Mutex;

use crate::clock::{now, since_ms};
use crate::kept;

const FILE: &str = "locked";

/// Whether this counter is locked, and when a hand was last seen.
#[derive(Debug)]
pub(super) struct Lock {
    path: PathBuf,
    /// After so long without a hand it locks itself; never when zero.
    after: Duration,
    touched: Mutex<Instant>,
}

impl Lock {
    /// The lock of a folder.
    pub(super) fn of(folder: &Path, after: Duration) -> Self {
        Self {
            path: folder.join(FILE),
            after,
            touched: Mutex::new(now()),
        }
    }

    /// True from [`Self::lock`] to [`Self::unlock`], whatever happens to this program in between.
    pub(super) fn is_locked(&self) -> bool {
        self.path.exists()
    }

    /// Whose it is while it is locked.
    pub(super) fn owner(&self) -> Option<String> {
        std::fs::read_to_string(&self.path).ok()
    }

    /// Whether that badge may open it: its own, or any while it is open already.
    pub(super) fn opens_for(&self, badge: &str) -> bool {
        self.owner().is_none_or(|owner| owner == badge)
    }

    /// Locks it for whoever is signed on.
    ///
    /// # Errors
    /// As the operating system gives them.
    pub(super) fn lock(&self, badge: &str) -> std::io::Result<()> {
        // Whole or not at all: a lock without an owner would open for nobody.
        write_whole(&self.path, badge.as_bytes())
    }

    /// Unlocks it.
    ///
    /// # Errors
    /// As the operating system gives them.
    pub(super) fn unlock(&self) -> std::io::Result<()> {
        self.touch();
        kept::remove(&self.path)
    }

    /// A hand was seen.
    pub(super) fn touch(&self) {
        *self.touched.lock() = now();
    }

    /// Milliseconds since a hand was seen; a locked screen sees none.
    pub(super) fn hand_ms(&self) -> Option<u64> {
        let touched = *self.touched.lock();
        (!self.is_locked()).then(|| since_ms(touched))
    }

    /// True when no hand was seen for too long.
    pub(super) fn is_due(&self) -> bool {
        let touched = *self.touched.lock();
        !self.after.is_zero() && u128::from(since_ms(touched)) >= self.after.as_millis()
    }
}
