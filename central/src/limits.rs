//! How often control numbers that do not exist may be asked for: guessing is made slow, for each
//! device and for the house together.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use keno_service::refusal::Refusal;

const WINDOW_MS: i64 = 60_000;
/// So many devices may guess at full speed before the whole house waits.
const HOUSE_FACTOR: usize = 20;
/// Askers kept in memory; beyond it those whose minute is over go.
const ASKERS_MAX: usize = 4_096;

/// Who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Asker {
    /// A device that proved its key.
    Device(u32),
    /// Somebody at an address; `None` when there is no address, as in tests.
    Peer(Option<IpAddr>),
}

#[derive(Debug, Default)]
struct Asked {
    by: HashMap<Asker, VecDeque<i64>>,
    house: VecDeque<i64>,
}

/// Unknown numbers asked for in the last minute.
#[derive(Debug)]
pub struct LookUpLimits {
    per_asker: usize,
    asked: Mutex<Asked>,
}

fn forget_old(times: &mut VecDeque<i64>, now_ms: i64) {
    while times.front().is_some_and(|at| now_ms - at >= WINDOW_MS) {
        times.pop_front();
    }
}

impl LookUpLimits {
    /// So many unknown numbers a minute for each asker.
    pub fn new(per_asker: u32) -> Self {
        Self {
            per_asker: usize::try_from(per_asker).unwrap_or(usize::MAX),
            asked: Mutex::default(),
        }
    }

    /// Takes a place before the look-up, so that look-ups at the same time count too. Give it
    /// back with [`Self::was_known`] when the number exists.
    ///
    /// # Errors
    /// [`Refusal::TooManyUnknown`] when asker or house have used theirs up.
    pub fn take(&self, asker: Asker, now_ms: i64) -> Result<(), Refusal> {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        forget_old(&mut asked.house, now_ms);
        if asked.house.len() >= self.per_asker.saturating_mul(HOUSE_FACTOR) {
            return Err(Refusal::TooManyUnknown);
        }
        if asked.by.len() >= ASKERS_MAX {
            asked.by.retain(|_, times| {
                forget_old(times, now_ms);
                !times.is_empty()
            });
        }
        let times = asked.by.entry(asker).or_default();
        forget_old(times, now_ms);
        if times.len() >= self.per_asker {
            return Err(Refusal::TooManyUnknown);
        }
        times.push_back(now_ms);
        asked.house.push_back(now_ms);
        Ok(())
    }

    /// The number exists: the place taken at `taken_ms` is free again.
    pub fn was_known(&self, asker: Asker, taken_ms: i64) {
        let give_back = |times: &mut VecDeque<i64>| {
            if let Some(at) = times.iter().rposition(|at| *at == taken_ms) {
                times.remove(at);
            }
        };
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        give_back(&mut asked.house);
        if let Some(times) = asked.by.get_mut(&asker) {
            give_back(times);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_unknown_numbers_a_minute_and_known_ones_are_free() {
        let limits = LookUpLimits::new(5);
        let kiosk = Asker::Device(9);
        for _ in 0..100 {
            limits.take(kiosk, 0).unwrap();
            limits.was_known(kiosk, 0);
        }
        for at in 0..5 {
            limits.take(kiosk, at).unwrap();
        }
        assert_eq!(limits.take(kiosk, 59_999), Err(Refusal::TooManyUnknown));
        assert_eq!(limits.take(Asker::Device(8), 59_999), Ok(()));
        assert_eq!(limits.take(kiosk, 60_000), Ok(()));
    }

    #[test]
    fn many_askers_together_reach_the_limit_of_the_house() {
        let limits = LookUpLimits::new(5);
        for device in 0..100 {
            limits.take(Asker::Device(device), 0).unwrap();
        }
        assert_eq!(
            limits.take(Asker::Device(100), 1),
            Err(Refusal::TooManyUnknown)
        );
        assert_eq!(limits.take(Asker::Device(100), 60_000), Ok(()));
    }
}
