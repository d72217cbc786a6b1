//! How long to wait for a device that may never answer, and how much longer.

use std::time::{Duration, Instant};

use crate::clock::now;

/// How long to wait for what.
#[derive(Debug, Clone, Copy)]
pub struct Timing {
    /// For a connection, and for a printer to take more bytes.
    pub connect: Duration,
    /// For an answer about its state.
    pub status: Duration,
    /// For the confirmation, above what the paper takes to be printed.
    pub confirmation: Duration,
    /// How fast the paper moves, in millimetres a second: of the slowest printer that is in use,
    /// unless the settings say.
    pub millimetres_per_second: u32,
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(3),
            status: Duration::from_secs(1),
            confirmation: Duration::from_secs(1),
            millimetres_per_second: 60,
        }
    }
}

impl Timing {
    /// How long a paper of that length takes to be printed.
    pub fn printing(&self, millimetres: u32) -> Duration {
        Duration::from_millis(
            u64::from(millimetres) * 1_000 / u64::from(self.millimetres_per_second.max(1)),
        )
    }
}

/// A moment after which nothing is waited for.
#[derive(Debug, Clone, Copy)]
pub struct Deadline(Option<Instant>);

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
