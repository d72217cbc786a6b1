//! How often a PIN may be tried: pure, told the time, and asked under one lock.
//!
//! A try is counted when it begins, before anything is hashed: tries at the same time therefore
//! see one another. Who counts is the pair of a badge and the place where it is typed, so that
//! nobody at one device can keep a person out at another.

use std::collections::{BTreeMap, HashMap, VecDeque};

/// Failures of a badge at a device before it waits there.
pub const FREE_FAILURES: u32 = 5;
/// The first wait, in milliseconds; each further failure doubles it.
pub const FIRST_WAIT_MS: i64 = 30_000;
/// The longest wait.
pub const LONGEST_WAIT_MS: i64 = 15 * 60_000;
/// Failures of a badge at devices where it never succeeded, together, before those are locked.
pub const STRANGE_FAILURES_MAX: u32 = 100;
/// Failures at a device within an hour before it is slowed down.
pub const DEVICE_HOURLY: usize = 20;
/// Failures in the house within an hour before each device that failed is slowed down.
pub const HOUSE_HOURLY: usize = 200;
/// The hour.
pub const HOUR_MS: i64 = 60 * 60_000;
/// Tries of one device that may be under way at once, their answers among them.
pub const UNDER_WAY_MAX: u32 = 4;
/// Tries of the whole house that may wait for their hash.
pub const QUEUE_MAX: u32 = 32;
/// Badges that nobody has are counted like any other, and so many pairs of them are remembered.
const STRANGERS_MAX: usize = 1_024;

/// Where a PIN is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// A device that proved its key.
    Device(u32),
    /// The command line on central's own host.
    Console,
}

impl Origin {
    /// The device; `None` for the command line.
    pub fn device(self) -> Option<u32> {
        match self {
            Self::Device(number) => Some(number),
            Self::Console => None,
        }
    }
}

/// How a badge stands at one origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Count {
    /// The badge.
    pub badge: String,
    /// Where.
    pub origin: Origin,
    /// Failures since it last succeeded there.
    pub failures: u32,
    /// No try is taken before, UTC milliseconds.
    pub waits_until_ms: i64,
    /// Whether it ever succeeded there.
    pub has_succeeded: bool,
}

/// Why a try is not taken. Nothing is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotTaken {
    /// This badge waits here, for so many milliseconds more.
    Waits(i64),
    /// This badge is locked wherever it never succeeded, until two people lift it.
    Locked,
    /// Too many are being tried here, or in the whole house.
    Busy,
}

#[derive(Debug, Clone, Copy, Default)]
struct Pair {
    failures: u32,
    waits_until_ms: i64,
    has_succeeded: bool,
}

impl Pair {
    /// What is to be kept of it.
    fn count(self, badge: &str, origin: Origin) -> Count {
        Count {
            badge: badge.to_owned(),
            origin,
            failures: self.failures,
            waits_until_ms: self.waits_until_ms,
            has_succeeded: self.has_succeeded,
        }
    }
}

/// The counters of a house.
#[derive(Debug, Default)]
pub struct Limiter {
    badges: BTreeMap<String, BTreeMap<Origin, Pair>>,
    /// Pairs whose badge nobody has, the oldest first.
    strangers: VecDeque<(String, Origin)>,
    by_origin: HashMap<Origin, VecDeque<i64>>,
    house: VecDeque<i64>,
    under_way: HashMap<Origin, u32>,
    queued: u32,
}

/// How long a badge waits after its failures at an origin.
pub fn wait_ms(failures: u32) -> i64 {
    match failures.checked_sub(FREE_FAILURES) {
        None => 0,
        Some(more) => FIRST_WAIT_MS
            .checked_shl(more.min(16))
            .unwrap_or(LONGEST_WAIT_MS)
            .min(LONGEST_WAIT_MS),
    }
}

fn forget_old(times: &mut VecDeque<i64>, now_ms: i64) {
    while times.front().is_some_and(|at| now_ms - at >= HOUR_MS) {
        times.pop_front();
    }
}

impl Limiter {
    /// Takes up what was kept when central last ran.
    pub fn take_up(&mut self, counts: Vec<Count>, failed: Vec<(i64, Origin)>) {
        for count in counts {
            let pair = Pair {
                failures: count.failures,
                waits_until_ms: count.waits_until_ms,
                has_succeeded: count.has_succeeded,
            };
            self.badges
                .entry(count.badge)
                .or_default()
                .insert(count.origin, pair);
        }
        for (at_ms, origin) in failed {
            self.house.push_back(at_ms);
            self.by_origin.entry(origin).or_default().push_back(at_ms);
        }
    }

    /// Failures at origins where the badge never succeeded; the console is on central's own host
    /// and is never locked, so that a stolen device can always be revoked there.
    fn strange_failures(&self, badge: &str) -> u32 {
        self.badges.get(badge).map_or(0, |origins| {
            origins
                .iter()
                .filter(|(origin, pair)| !pair.has_succeeded && **origin != Origin::Console)
                .map(|(_, pair)| pair.failures)
                .fold(0, u32::saturating_add)
        })
    }

    /// Whether a device, or the house, failed too often within the hour: its refusals come late
    /// and its tries one by one. Nobody is locked.
    pub fn is_slow(&mut self, origin: Origin, now_ms: i64) -> bool {
        forget_old(&mut self.house, now_ms);
        let Some(times) = self.by_origin.get_mut(&origin) else {
            return false;
        };
        forget_old(times, now_ms);
        times.len() >= DEVICE_HOURLY || (!times.is_empty() && self.house.len() >= HOUSE_HOURLY)
    }

    /// Takes a place among the tries that are under way, which [`Self::ended`] gives back.
    ///
    /// # Errors
    /// [`NotTaken::Busy`].
    pub fn enter(&mut self, origin: Origin, now_ms: i64) -> Result<(), NotTaken> {
        let most = if self.is_slow(origin, now_ms) {
            1
        } else {
            UNDER_WAY_MAX
        };
        let under_way = self.under_way.entry(origin).or_default();
        if *under_way >= most {
            return Err(NotTaken::Busy);
        }
        *under_way += 1;
        Ok(())
    }

    /// The answer to a try has left.
    pub fn ended(&mut self, origin: Origin) {
        if let Some(under_way) = self.under_way.get_mut(&origin) {
            *under_way = under_way.saturating_sub(1);
            if *under_way == 0 {
                self.under_way.remove(&origin);
            }
        }
    }

    /// Counts a try as a failure, before it is judged. `is_known` tells whether somebody has that
    /// badge: only then is there a hash, for which there must be room, and a count to keep.
    ///
    /// # Errors
    /// Why it is not taken.
    pub fn begin(
        &mut self,
        badge: &str,
        is_known: bool,
        origin: Origin,
        now_ms: i64,
    ) -> Result<Count, NotTaken> {
        let is_strange = self.strange_failures(badge) >= STRANGE_FAILURES_MAX;
        let known = self.badges.get(badge).and_then(|all| all.get(&origin));
        let (is_new, pair) = (known.is_none(), known.copied().unwrap_or_default());
        if pair.failures >= FREE_FAILURES && now_ms < pair.waits_until_ms {
            return Err(NotTaken::Waits(pair.waits_until_ms - now_ms));
        }
        if is_strange && !pair.has_succeeded && origin != Origin::Console {
            return Err(NotTaken::Locked);
        }
        if is_known {
            if self.queued >= QUEUE_MAX {
                return Err(NotTaken::Busy);
            }
            self.queued += 1;
        } else if is_new {
            self.make_room();
            self.strangers.push_back((badge.to_owned(), origin));
        }
        let pair = self.pair(badge, origin);
        pair.failures = pair.failures.saturating_add(1);
        let wait = wait_ms(pair.failures);
        if wait > 0 {
            pair.waits_until_ms = now_ms.saturating_add(wait);
        }
        Ok(pair.count(badge, origin))
    }

    fn pair(&mut self, badge: &str, origin: Origin) -> &mut Pair {
        let origins = self.badges.entry(badge.to_owned()).or_default();
        origins.entry(origin).or_default()
    }

    /// A hash that waited is made.
    pub fn unqueued(&mut self) {
        self.queued = self.queued.saturating_sub(1);
    }

    /// A try failed: the hour of device and house counts it.
    pub fn failed(&mut self, origin: Origin, now_ms: i64) {
        forget_old(&mut self.house, now_ms);
        // Beyond the limit nothing changes any more: no flood fills the memory.
        if self.house.len() < HOUSE_HOURLY * 2 {
            self.house.push_back(now_ms);
        }
        let times = self.by_origin.entry(origin).or_default();
        forget_old(times, now_ms);
        if times.len() >= DEVICE_HOURLY * 2 {
            times.pop_front();
        }
        times.push_back(now_ms);
    }

    /// A try was right: the badge has its free tries there again.
    pub fn succeeded(&mut self, badge: &str, origin: Origin) -> Count {
        let pair = self.pair(badge, origin);
        *pair = Pair {
            has_succeeded: true,
            ..Pair::default()
        };
        pair.count(badge, origin)
    }

    /// Two people lift what keeps a badge out, everywhere. What is to be kept.
    pub fn lift(&mut self, badge: &str) -> Vec<Count> {
        let Some(origins) = self.badges.get_mut(badge) else {
            return Vec::new();
        };
        origins
            .iter_mut()
            .filter(|(_, pair)| pair.failures > 0)
            .map(|(origin, pair)| {
                pair.failures = 0;
                pair.waits_until_ms = 0;
                pair.count(badge, *origin)
            })
            .collect()
    }

    /// Whether a badge is locked wherever it never succeeded.
    pub fn is_locked(&self, badge: &str) -> bool {
        self.strange_failures(badge) >= STRANGE_FAILURES_MAX
    }

    fn make_room(&mut self) {
        if self.strangers.len() < STRANGERS_MAX {
            return;
        }
        let Some((badge, origin)) = self.strangers.pop_front() else {
            return;
        };
        if let Some(origins) = self.badges.get_mut(&badge) {
            // Somebody may have got that badge meanwhile: what he did is not forgotten.
            if origins.get(&origin).is_some_and(|pair| !pair.has_succeeded) {
                origins.remove(&origin);
            }
            if origins.is_empty() {
                self.badges.remove(&badge);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: Origin = Origin::Device(1);

    fn tried(limiter: &mut Limiter, badge: &str, origin: Origin, now_ms: i64) -> bool {
        match limiter.begin(badge, true, origin, now_ms) {
            Ok(_) => {
                limiter.unqueued();
                limiter.failed(origin, now_ms);
                true
            }
            Err(_) => false,
        }
    }

    #[test]
    fn five_then_thirty_seconds_doubling_to_a_quarter_of_an_hour() {
        let mut limiter = Limiter::default();
        for _ in 0..5 {
            assert!(tried(&mut limiter, "C1", HERE, 0));
        }
        let mut now_ms = 0;
        for seconds in [30, 60, 120, 240, 480, 900, 900, 900] {
            assert_eq!(
                limiter.begin("C1", true, HERE, now_ms),
                Err(NotTaken::Waits(seconds * 1_000))
            );
            now_ms += seconds * 1_000;
            assert!(!tried(&mut limiter, "C1", HERE, now_ms - 1));
            assert!(tried(&mut limiter, "C1", HERE, now_ms));
        }
        // Another device, another person: untouched.
        assert!(tried(&mut limiter, "C1", Origin::Device(2), now_ms));
        assert!(tried(&mut limiter, "C2", HERE, now_ms));
        limiter.succeeded("C1", HERE);
        assert!(tried(&mut limiter, "C1", HERE, now_ms));
    }

    #[test]
    fn a_hundred_failures_lock_only_where_the_badge_never_succeeded_until_it_is_lifted() {
        let mut limiter = Limiter::default();
        limiter.succeeded("S1", HERE);
        for device in 10..30 {
            for _ in 0..5 {
                assert!(tried(&mut limiter, "S1", Origin::Device(device), 0));
            }
        }
        for device in [10, 30, 99] {
            assert_eq!(
                limiter.begin("S1", true, Origin::Device(device), HOUR_MS),
                Err(NotTaken::Locked)
            );
        }
        assert!(limiter.is_locked("S1"));
        assert!(tried(&mut limiter, "S1", HERE, HOUR_MS));
        assert!(tried(&mut limiter, "S1", Origin::Console, HOUR_MS));
        assert_eq!(limiter.lift("S1").len(), 22);
        assert!(tried(&mut limiter, "S1", Origin::Device(30), HOUR_MS));
    }

    #[test]
    fn twenty_an_hour_slow_a_device_and_two_hundred_those_that_failed() {
        let mut limiter = Limiter::default();
        for at in 0..20 {
            assert!(!limiter.is_slow(HERE, at));
            limiter.failed(HERE, at);
        }
        assert!(limiter.is_slow(HERE, 20));
        limiter.enter(HERE, 20).unwrap();
        assert_eq!(limiter.enter(HERE, 20), Err(NotTaken::Busy));
        assert!(!limiter.is_slow(Origin::Device(2), 20));
        for device in 0..180 {
            limiter.failed(Origin::Device(100 + device), 30);
        }
        assert!(limiter.is_slow(Origin::Device(100), 31));
        assert!(!limiter.is_slow(Origin::Device(2), 31));
        assert!(!limiter.is_slow(HERE, HOUR_MS + 30));
    }

    #[test]
    fn badges_that_nobody_has_are_counted_and_fill_no_memory() {
        let mut limiter = Limiter::default();
        for _ in 0..5 {
            limiter.begin("Z9", false, HERE, 0).unwrap();
        }
        assert_eq!(
            limiter.begin("Z9", false, HERE, 0),
            Err(NotTaken::Waits(30_000))
        );
        for number in 0..5_000 {
            limiter
                .begin(&format!("Z{number}x"), false, HERE, 0)
                .unwrap();
        }
        assert!(limiter.badges.len() <= STRANGERS_MAX);
        assert_eq!(limiter.queued, 0);
    }

    #[test]
    fn what_was_kept_counts_after_a_start() {
        let mut before = Limiter::default();
        let kept: Vec<Count> = (0..5)
            .map(|_| before.begin("C1", true, HERE, 7).unwrap())
            .collect();
        let mut after = Limiter::default();
        after.take_up(kept, vec![(7, HERE); 20]);
        assert_eq!(
            after.begin("C1", true, HERE, 8),
            Err(NotTaken::Waits(29_999))
        );
        assert!(after.is_slow(HERE, 8));
    }

    #[test]
    fn a_full_queue_counts_nothing() {
        let mut limiter = Limiter::default();
        for number in 0..QUEUE_MAX {
            limiter.begin(&format!("C{number}"), true, HERE, 0).unwrap();
        }
        assert_eq!(limiter.begin("S1", true, HERE, 0), Err(NotTaken::Busy));
        limiter.unqueued();
        assert_eq!(limiter.begin("S1", true, HERE, 0).unwrap().failures, 1);
    }
}
