//! How much longer to wait for a device that may never answer.

use std::time::{Duration, Instant};

/// A moment after which nothing is waited for.
#[derive(Debug, Clone, Copy)]
pub struct Deadline(Option<Instant>);

#[expect(
    clippy::disallowed_methods,
    reason = "a device that babbles would stretch a wait without end: only the moment at which \
              it began can bound it"
)]
fn now() -> Instant {
    Instant::now()
}

impl Deadline {
    /// So long from now.
    pub fn after(wait: Duration) -> Self {
        Self(now().checked_add(wait))
    }

    /// What is left; none once the moment has come.
    pub fn left(self) -> Option<Duration> {
        match self.0 {
            // So far away that no clock holds it.
            None => Some(Duration::MAX),
            Some(moment) => moment
                .checked_duration_since(now())
                .filter(|left| !left.is_zero()),
        }
    }
}

/// Measures how long something took.
#[derive(Debug, Clone, Copy)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts now.
    pub fn start() -> Self {
        Self(now())
    }

    /// Time since the start.
    pub fn elapsed(self) -> Duration {
        now().saturating_duration_since(self.0)
    }
}
