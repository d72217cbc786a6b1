//! The one place of this program that reads a clock.

use std::time::{Duration, Instant};

/// Now, on the clock that nobody can set.
#[expect(
    clippy::disallowed_methods,
    reason = "measuring is what this program is for; nothing it judges depends on the time"
)]
pub fn now() -> Instant {
    Instant::now()
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
