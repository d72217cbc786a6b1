//! The one place of this program that reads a clock.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Now, on the clock that nobody can set.
#[expect(
    clippy::disallowed_methods,
    reason = "measuring is what this program is for; nothing it judges depends on the time"
)]
pub fn now() -> Instant {
    Instant::now()
}

/// Now, as other processes of this machine say it: since the epoch of Unix.
#[expect(
    clippy::disallowed_methods,
    reason = "what is measured is when another process said something, by the clock of both"
)]
pub fn wall() -> Duration {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.unwrap_or_default()
}

/// How long a piece of work took, and what it returned.
pub fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = now();
    let value = work();
    (start.elapsed(), value)
}

/// Milliseconds of a duration, with what is below them.
pub fn ms(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1_000.0
}
