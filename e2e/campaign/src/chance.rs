//! Choices of a campaign, from its seed. What the threads of central do is not in our hands: the
//! same seed makes the same choices, not the same run.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A stream of choices.
#[derive(Debug, Clone)]
pub struct Chance(ChaCha8Rng);

impl Chance {
    /// The stream of one actor under a campaign's seed.
    pub fn new(seed: u64, actor: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(actor);
        Self(rng)
    }

    /// A number below `limit`; 0 for a limit of 0.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0.next_u64().checked_rem(limit).unwrap_or(0)
    }

    /// True so many times in a hundred.
    pub fn percent(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// One of a list.
    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        let place = usize::try_from(self.below(u64::try_from(list.len()).ok()?)).ok()?;
        list.get(place)
    }

    /// So many different numbers from 1 to 80, ascending.
    pub fn numbers(&mut self, count: usize) -> Vec<u8> {
        let mut all: Vec<u8> = (1..=80).collect();
        let mut taken = Vec::new();
        while taken.len() < count && !all.is_empty() {
            let place = usize::try_from(self.below(u64::try_from(all.len()).unwrap_or(1)));
            taken.push(all.swap_remove(place.unwrap_or(0)));
        }
        taken
    }
}
