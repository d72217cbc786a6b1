//! The one place of the agent that asks what time it is. Nothing is decided by it but how long
//! something has lasted, and whether this machine's clock is far from central's.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A moment, for durations.
#[expect(
    clippy::disallowed_methods,
    reason = "how long central has been silent is told to the clerk and decides nothing in the record"
)]
pub(crate) fn now() -> Instant {
    Instant::now()
}

/// This machine's clock, UTC milliseconds.
#[expect(
    clippy::disallowed_methods,
    reason = "it is compared with central's clock, stands on waiting slips, and decides nothing itself"
)]
pub(crate) fn system_ms() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| {
            i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
        })
}

/// Milliseconds since a moment.
pub(crate) fn since_ms(moment: Instant) -> u64 {
    u64::try_from(now().saturating_duration_since(moment).as_millis()).unwrap_or(u64::MAX)
}

/// How often central is asked whether it is there.
pub(crate) const HEARTBEAT: Duration = Duration::from_millis(300);
