//! Time as an argument: nothing else in central reads a clock.

use std::future::{Future, ready};
use std::pin::Pin;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use parking_lot::Mutex;

/// What is waited for.
pub type Moment<'a> = Pin<Box<dyn Future<Output = ()> + Send + 'a>>;

/// Where the time comes from.
pub trait Clock: Send + Sync + 'static {
    /// UTC milliseconds since 1970.
    fn now_ms(&self) -> i64;
    /// Milliseconds on a clock that nobody can set, from an arbitrary start.
    fn monotonic_ms(&self) -> i64;
    /// Waits until [`Self::monotonic_ms`] is so much.
    fn until(&self, monotonic_ms: i64) -> Moment<'_>;
}

/// The machine's clock.
#[derive(Debug)]
pub struct SystemClock {
    start: std::time::Instant,
}

impl SystemClock {
    /// The machine's clock; its monotonic side starts at 0 now.
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place that reads a clock"
    )]
    pub fn new() -> Self {
        Self {
            start: std::time::Instant::now(),
        }
    }
}

impl Default for SystemClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place that reads a clock"
    )]
    fn now_ms(&self) -> i64 {
        chrono::Utc::now().timestamp_millis()
    }

    fn monotonic_ms(&self) -> i64 {
        i64::try_from(self.start.elapsed().as_millis()).unwrap_or(i64::MAX)
    }

    fn until(&self, monotonic_ms: i64) -> Moment<'_> {
        let wait = monotonic_ms.saturating_sub(self.monotonic_ms());
        let wait = Duration::from_millis(u64::try_from(wait).unwrap_or(0));
        Box::pin(tokio::time::sleep(wait))
    }
}

/// A clock that moves only when told to: for tests and drills.
#[derive(Debug)]
pub struct ManualClock {
    wall: AtomicI64,
    monotonic: AtomicI64,
    awaited: Mutex<Vec<i64>>,
}

impl ManualClock {
    /// A clock that stands at `now_ms`.
    pub fn at(now_ms: i64) -> Self {
        Self {
            wall: AtomicI64::new(now_ms),
            monotonic: AtomicI64::new(0),
            awaited: Mutex::default(),
        }
    }

    /// Time passes.
    pub fn advance(&self, by_ms: i64) {
        self.wall.fetch_add(by_ms, Ordering::SeqCst);
        self.monotonic.fetch_add(by_ms, Ordering::SeqCst);
    }

    /// The moments that were waited for since this was last asked. Nobody waits on this clock.
    pub fn awaited(&self) -> Vec<i64> {
        std::mem::take(&mut self.awaited.lock())
    }

    /// Someone sets the wall clock; no time passes.
    pub fn jump(&self, by_ms: i64) {
        self.wall.fetch_add(by_ms, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now_ms(&self) -> i64 {
        self.wall.load(Ordering::SeqCst)
    }

    fn monotonic_ms(&self) -> i64 {
        self.monotonic.load(Ordering::SeqCst)
    }

    fn until(&self, monotonic_ms: i64) -> Moment<'_> {
        let mut awaited = self.awaited.lock();
        awaited.push(monotonic_ms);
        Box::pin(ready(()))
    }
}
