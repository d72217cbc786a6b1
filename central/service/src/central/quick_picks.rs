//! Random numbers for quick picks.

use keno_game::{BallSet, Pool};
use keno_record::chance::Chance;
use keno_record::fault::Fault;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Random numbers for quick picks: a stream of its own, never the draw's.
pub struct QuickPicks(ChaCha20Rng);

impl std::fmt::Debug for QuickPicks {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("QuickPicks(..)")
    }
}

impl QuickPicks {
    /// A stream seeded by chance.
    ///
    /// # Errors
    /// [`Fault::Crypto`].
    pub fn new(chance: &Chance) -> Result<Self, Fault> {
        Ok(Self(ChaCha20Rng::from_seed(*chance.bytes()?)))
    }

    /// A stream of a known seed: for tests.
    pub fn seeded(seed: [u8; 32]) -> Self {
        Self(ChaCha20Rng::from_seed(seed))
    }

    /// A number below `limit`, every one as likely: words past the largest multiple are thrown
    /// away.
    fn below(&mut self, limit: u32) -> u32 {
        let usable = u32::MAX - u32::MAX % limit;
        loop {
            let word = self.0.next_u32();
            if word < usable {
                return word % limit;
            }
        }
    }

    /// So many distinct numbers of the pool.
    pub fn pick(&mut self, spots: u8, pool: Pool) -> BallSet {
        let mut set = BallSet::EMPTY;
        while set.len() < spots.min(pool.size()) {
            let number = self.below(u32::from(pool.size())) + 1;
            if let Ok(number) = u8::try_from(number) {
                let _ = set.insert(number);
            }
        }
        set
    }
}
