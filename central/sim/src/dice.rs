//! Every choice of a simulated day comes from here, and this comes from its seed.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A stream of choices.
pub struct Dice(ChaCha20Rng);

impl std::fmt::Debug for Dice {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Dice(..)")
    }
}

impl Dice {
    /// The choices of a seed, and of nothing else.
    pub fn of(seed: u64, purpose: u64) -> Self {
        let mut key = [0_u8; 32];
        key[..8].copy_from_slice(&seed.to_be_bytes());
        key[8..16].copy_from_slice(&purpose.to_be_bytes());
        Self(ChaCha20Rng::from_seed(key))
    }

    /// 32 bytes.
    pub fn bytes(&mut self) -> [u8; 32] {
        let mut bytes = [0_u8; 32];
        self.0.fill_bytes(&mut bytes);
        bytes
    }

    /// A number below `limit` (0 when `limit` is). The bias of the remainder does not matter here.
    pub fn below(&mut self, limit: usize) -> usize {
        let word = usize::try_from(self.0.next_u32()).unwrap_or(0);
        word.checked_rem(limit).unwrap_or(0)
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        let span = usize::try_from(high - low + 1).unwrap_or(1);
        low + i64::try_from(self.below(span)).unwrap_or(0)
    }

    /// True so many times in a thousand.
    pub fn in_thousand(&mut self, times: usize) -> bool {
        self.below(1_000) < times
    }

    /// One of these.
    pub fn one<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        of.get(self.below(of.len()))
    }

    /// So many different numbers from 1 to 80.
    pub fn numbers(&mut self, count: usize) -> Vec<u8> {
        let mut all: Vec<u8> = (1..=80).collect();
        let count = count.min(all.len());
        (0..count)
            .map(|_| {
                let at = self.below(all.len());
                all.swap_remove(at)
            })
            .collect()
    }
}
