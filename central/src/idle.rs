//! Whether anybody is still in front of a device where somebody is signed on. Kept in memory: after
//! a restart everybody was just seen, so that no counter waits for a PIN. An idle session asks for
//! an unlock and loses nothing: its keys live, and can be asked about. So does one of a device that
//! was silent for longer than that: who was there meanwhile is not known.

use std::collections::HashMap;

use actix_web::http::Method;
use parking_lot::Mutex;

/// A device that was not heard for longer was away, and that time does not count: it tells how it
/// is every five seconds.
const GAP_MS: i64 = 6_000;

/// What an idle session may still ask for: to be unlocked or ended, and what became of its keys.
const WHILE_IDLE: [&str; 5] = [
    "/api/v1/sessions/unlock",
    "/api/v1/sessions/end",
    "/api/v1/sessions/current",
    "/api/v1/keys/question",
    "/api/v1/keys/close",
];

#[derive(Debug, Clone, Copy)]
struct Standing {
    session: u64,
    idle_ms: i64,
    heard_ms: i64,
    /// It was silent for too long, and nobody has unlocked it since.
    was_silent: bool,
}

/// How long each device with a session has been without a hand. Times are of the monotonic clock.
#[derive(Debug)]
pub struct Idle {
    limit_ms: i64,
    all: Mutex<HashMap<u32, Standing>>,
}

impl Idle {
    /// An unlock is asked for after so long, in milliseconds.
    pub fn after(limit_ms: i64) -> Self {
        let all = Mutex::default();
        Self { limit_ms, all }
    }

    fn of<R>(
        &self,
        device: u32,
        session: u64,
        now_ms: i64,
        change: impl FnOnce(&mut Standing) -> R,
    ) -> R {
        let mut all = self.all.lock();
        let fresh = Standing {
            session,
            idle_ms: 0,
            heard_ms: now_ms,
            was_silent: false,
        };
        let standing = all.entry(device).or_insert(fresh);
        if standing.session != session {
            *standing = fresh;
        }
        let gap_ms = now_ms.saturating_sub(standing.heard_ms);
        if gap_ms <= GAP_MS {
            standing.idle_ms = standing.idle_ms.saturating_add(gap_ms.max(0));
        }
        standing.was_silent |= gap_ms >= self.limit_ms;
        standing.heard_ms = now_ms;
        change(standing)
    }

    /// A device says since when it saw no hand, if it knows.
    pub fn heard(&self, device: u32, session: u64, hand_ms: Option<u64>, now_ms: i64) {
        self.of(device, session, now_ms, |standing| {
            let told = hand_ms.and_then(|ms| i64::try_from(ms).ok());
            standing.idle_ms = told.map_or(standing.idle_ms, |told| told.min(standing.idle_ms));
        });
    }

    /// Somebody who is signed on asks. False when nobody was seen for so long and this is nothing
    /// that an idle session may ask; else what people ask for, and programs do not by themselves,
    /// shows that somebody is there.
    pub fn lets(
        &self,
        device: u32,
        session: u64,
        (method, path): (&Method, &str),
        now_ms: i64,
    ) -> bool {
        let limit_ms = self.limit_ms;
        self.of(device, session, now_ms, |standing| {
            if WHILE_IDLE.contains(&path) {
                return true;
            }
            if standing.was_silent || standing.idle_ms >= limit_ms {
                return false;
            }
            if !method.is_safe() {
                standing.idle_ms = 0;
            }
            true
        })
    }

    /// The right PIN was typed there.
    pub fn unlocked(&self, device: u32, session: u64, now_ms: i64) {
        self.of(device, session, now_ms, |standing| {
            (standing.idle_ms, standing.was_silent) = (0, false);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SALE: (&Method, &str) = (&Method::POST, "/api/v1/sales");
    const WALL: (&Method, &str) = (&Method::GET, "/api/v1/wall");
    const QUESTION: (&Method, &str) = (&Method::POST, "/api/v1/keys/question");
    const LIMIT: i64 = 600_000;

    #[test]
    fn only_time_in_which_the_device_was_heard_counts() {
        let idle = Idle::after(LIMIT);
        assert!(idle.lets(1, 7, SALE, 0));
        // Nearly ten minutes away: nothing of it counts.
        assert!(idle.lets(1, 7, WALL, LIMIT - 1));
        for tick in 1..=120 {
            idle.heard(1, 7, None, LIMIT + tick * 5_000);
        }
        assert!(!idle.lets(1, 7, SALE, 2 * LIMIT));
        assert!(!idle.lets(1, 7, WALL, 2 * LIMIT + 1));
        assert!(idle.lets(1, 7, QUESTION, 2 * LIMIT + 2));
        idle.unlocked(1, 7, 2 * LIMIT + 3);
        assert!(idle.lets(1, 7, SALE, 2 * LIMIT + 4));
        // Another session there, and one elsewhere, begin anew.
        assert!(idle.lets(1, 8, SALE, 2 * LIMIT + 5));
        assert!(idle.lets(2, 9, SALE, 2 * LIMIT + 6));
    }

    #[test]
    fn a_device_that_was_silent_for_too_long_is_unlocked_at_its_return() {
        let idle = Idle::after(LIMIT);
        assert!(idle.lets(1, 7, SALE, 0));
        // Whatever it says of hands; and its keys can be asked about.
        idle.heard(1, 7, Some(0), LIMIT);
        idle.heard(1, 7, Some(0), LIMIT + 5_000);
        assert!(!idle.lets(1, 7, SALE, LIMIT + 5_001));
        assert!(idle.lets(1, 7, QUESTION, LIMIT + 5_002));
        assert!(!idle.lets(1, 7, WALL, LIMIT + 5_003));
        idle.unlocked(1, 7, LIMIT + 5_004);
        assert!(idle.lets(1, 7, SALE, LIMIT + 5_005));
    }

    #[test]
    fn a_hand_at_the_device_keeps_its_session_awake() {
        let idle = Idle::after(LIMIT);
        for tick in 0..500 {
            idle.heard(1, 7, Some(2_000), tick * 5_000);
        }
        assert!(idle.lets(1, 7, SALE, 2_500_000));
    }
}
