//! The one place of the campaigns that knows what time it is, and that lets time pass.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A stopwatch.
#[derive(Debug, Clone, Copy)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts now.
    #[expect(clippy::disallowed_methods, reason = "a campaign measures real time")]
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// Time since the start.
    pub fn elapsed(self) -> Duration {
        self.0.elapsed()
    }
}

/// UTC milliseconds.
#[expect(
    clippy::disallowed_methods,
    reason = "draws are at whole minutes of the real clock, and kills are aimed at them"
)]
pub fn now_ms() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .ok()
        .and_then(|since| i64::try_from(since.as_millis()).ok())
        .unwrap_or(0)
}

/// Waits for a word, at most so long; true when the time was over first.
pub fn is_over(word: &Receiver<()>, after: Duration) -> bool {
    matches!(word.recv_timeout(after), Err(RecvTimeoutError::Timeout))
}

/// Lets so much time pass.
pub fn pass(time: Duration) {
    let (hold, word) = std::sync::mpsc::channel::<()>();
    let _ = word.recv_timeout(time);
    drop(hold);
}
