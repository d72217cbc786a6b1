//! How often control numbers that do not exist may be asked for: guessing is made slow.
//!
//! Each device has a budget of its own, so that nothing a kiosk does stops a counter or another
//! kiosk. Strangers have one for each address, and one for all of them together, since addresses
//! are cheap; what strangers use up is theirs alone. A code with a true secret is no guess, and
//! never comes here.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;

use parking_lot::Mutex;

use crate::authority::identity::Caller;
use crate::counter::paper::Named;
use crate::refusal::Refusal;
use crate::{Central, Stop};

const WINDOW_MS: i64 = 60_000;
/// So many addresses may guess at full speed before every stranger waits.
const STRANGERS_FACTOR: usize = 20;
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
    strangers: VecDeque<i64>,
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
    /// [`Refusal::TooManyUnknown`] when the asker, or strangers together, have used theirs up.
    pub fn take(&self, asker: Asker, now_ms: i64) -> Result<(), Refusal> {
        let mut asked = self.asked.lock();
        let is_stranger = matches!(asker, Asker::Peer(_));
        forget_old(&mut asked.strangers, now_ms);
        if is_stranger && asked.strangers.len() >= self.per_asker.saturating_mul(STRANGERS_FACTOR) {
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
        if is_stranger {
            asked.strangers.push_back(now_ms);
        }
        Ok(())
    }

    /// The number exists: the place taken at `taken_ms` is free again.
    pub fn was_known(&self, asker: Asker, taken_ms: i64) {
        let give_back = |times: &mut VecDeque<i64>| {
            if let Some(at) = times.iter().rposition(|at| *at == taken_ms) {
                times.remove(at);
            }
        };
        let mut asked = self.asked.lock();
        if matches!(asker, Asker::Peer(_)) {
            give_back(&mut asked.strangers);
        }
        if let Some(times) = asked.by.get_mut(&asker) {
            give_back(times);
        }
    }

    /// Carries out what somebody asks about a number that no true code came with: an unknown one
    /// counts, at any door.
    ///
    /// # Errors
    /// [`Refusal::TooManyUnknown`], and nothing was carried out; or what came of it.
    async fn counted_for<T>(
        &self,
        asker: Asker,
        now_ms: i64,
        work: impl Future<Output = Result<T, Stop>>,
    ) -> Result<T, Stop> {
        self.take(asker, now_ms)?;
        let outcome = work.await;
        let is_unknown = matches!(
            &outcome,
            Err(Stop::Refused(refusal))
                if *refusal == Refusal::NumberUnknown || *refusal == Refusal::PaperDisagrees
        );
        if !is_unknown {
            self.was_known(asker, now_ms);
        }
        outcome
    }
}

impl Named {
    /// Whether somebody names a ticket without a secret that this house made. A leaf is no guess at a
    /// number.
    pub fn is_guess(&self) -> bool {
        matches!(self, Named::Paper(paper) if paper.true_claim().is_none())
    }
}

impl LookUpLimits {
    /// Carries out a command about a ticket, at the budget of the device that asks when it is a guess.
    ///
    /// # Errors
    /// [`Refusal::TooManyUnknown`], and nothing was carried out; or what came of it.
    pub async fn counted<T>(
        &self,
        central: &Central,
        caller: &Caller,
        is_guess: bool,
        work: impl Future<Output = Result<T, Stop>>,
    ) -> Result<T, Stop> {
        if !is_guess {
            return work.await;
        }
        let asker = Asker::Device(caller.device.device);
        self.counted_for(asker, central.clock.monotonic_ms(), work)
            .await
    }

    /// The same of a command with a key, by session and counter. One that was used is answered whatever
    /// is left of the budget: what was recorded must not seem refused.
    ///
    /// # Errors
    /// As [`Self::counted`].
    pub async fn counted_by_key<T>(
        &self,
        central: &Central,
        caller: &Caller,
        (named, session, counter): (&Named, u64, u64),
        work: impl Future<Output = Result<T, Stop>>,
    ) -> Result<T, Stop> {
        let is_guess = named.is_guess()
            && caller
                .device
                .ask_key(central, None, session, counter)?
                .kind
                .is_none();
        self.counted(central, caller, is_guess, work).await
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    fn peer(number: u8) -> Asker {
        Asker::Peer(Some(IpAddr::V4(Ipv4Addr::new(10, 0, 0, number))))
    }

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
    fn what_strangers_and_kiosks_use_up_is_theirs_alone() {
        let limits = LookUpLimits::new(5);
        for number in 0..20 {
            for _ in 0..5 {
                limits.take(peer(number), 0).unwrap();
            }
        }
        assert_eq!(limits.take(peer(99), 1), Err(Refusal::TooManyUnknown));
        for kiosk in 100..200 {
            for _ in 0..5 {
                limits.take(Asker::Device(kiosk), 1).unwrap();
            }
            assert_eq!(
                limits.take(Asker::Device(kiosk), 1),
                Err(Refusal::TooManyUnknown)
            );
        }
        assert_eq!(limits.take(Asker::Device(1), 1), Ok(()));
        assert_eq!(limits.take(peer(99), 60_000), Ok(()));
    }
}
