//! The one place of the agent that asks what time it is. Nothing is decided by it but how long
//! something has lasted, and whether this machine's clock is far from central's or a certificate has ended.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A moment, for durations.
#[expect(
    clippy::disallowed_methods,
    reason = "how long central has been silent is told to the clerk and decides nothing in the \
              record; a device that babbles would stretch a wait without end, and only the moment \
              at which it began can bound it"
)]
pub(crate) fn now() -> Instant {
    Instant::now()
}

/// This machine's clock, UTC milliseconds.
#[expect(
    clippy::disallowed_methods,
    reason = "it is compared with central's clock, stands on waiting slips, and decides nothing itself"
)]
pub fn system_ms() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| {
            i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
        })
}

/// Waits between two questions.
#[expect(
    clippy::disallowed_methods,
    reason = "nothing announces that central is back, or that a code was typed: between two \
              questions there is only time"
)]
pub(crate) fn wait(pause: Duration) {
    std::thread::sleep(pause);
}

/// Milliseconds since a moment.
pub(crate) fn since_ms(moment: Instant) -> u64 {
    u64::try_from(now().saturating_duration_since(moment).as_millis()).unwrap_or(u64::MAX)
}

/// How often central is asked whether it is there.
pub(crate) const HEARTBEAT: Duration = Duration::from_millis(300);
