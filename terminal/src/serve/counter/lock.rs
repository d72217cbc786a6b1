//! A screen that is locked does nothing until the person who is signed on comes back. It stays
//! locked through a restart: pulling the plug is no key.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::serve::clock::{now, since_ms};

const FILE: &str = "locked";

/// Whether this counter is locked, and when a hand was last seen.
#[derive(Debug)]
pub(in crate::serve) struct Lock {
    path: PathBuf,
    /// After so long without a hand it locks itself; never when zero.
    after: Duration,
    touched: Mutex<Instant>,
}

impl Lock {
    /// The lock of a folder.
    pub(in crate::serve) fn of(folder: &Path, after: Duration) -> Self {
        Self {
            path: folder.join(FILE),
            after,
            touched: Mutex::new(now()),
        }
    }

    /// True from [`Self::lock`] to [`Self::unlock`], whatever happens to this program in between.
    pub(in crate::serve) fn is_locked(&self) -> bool {
        self.path.exists()
    }

    /// Locks it.
    ///
    /// # Errors
    /// As the operating system gives them.
    pub(in crate::serve) fn lock(&self) -> std::io::Result<()> {
        std::fs::File::create(&self.path)?.sync_all()
    }

    /// Unlocks it.
    ///
    /// # Errors
    /// As the operating system gives them.
    pub(in crate::serve) fn unlock(&self) -> std::io::Result<()> {
        self.touch();
        match std::fs::remove_file(&self.path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// A hand was seen.
    pub(in crate::serve) fn touch(&self) {
        *self.touched.lock().unwrap_or_else(PoisonError::into_inner) = now();
    }

    /// True when no hand was seen for too long.
    pub(in crate::serve) fn is_due(&self) -> bool {
        let touched = *self.touched.lock().unwrap_or_else(PoisonError::into_inner);
        !self.after.is_zero() && u128::from(since_ms(touched)) >= self.after.as_millis()
    }
}
