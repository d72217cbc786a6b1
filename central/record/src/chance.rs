//! Chance, asked of the operating system in one place. The balls of a draw do not come from
//! here: they come from the holders' secrets and the seal.

use parking_lot::Mutex;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use zeroize::Zeroizing;

use crate::fault::Fault;

/// 32 random bytes of the operating system.
///
/// # Errors
/// [`Fault::Crypto`] when it gives none.
pub fn bytes() -> Result<Zeroizing<[u8; 32]>, Fault> {
    let mut bytes = Zeroizing::new([0_u8; 32]);
    getrandom::fill(bytes.as_mut_slice()).map_err(|_| Fault::Crypto("random bytes"))?;
    Ok(bytes)
}

/// Where central's random keys and tokens come from.
pub enum Chance {
    /// The operating system: the only choice of a house that runs.
    System,
    /// A stream of a known seed, so that a simulated day can be played again byte for byte.
    Seeded(Mutex<Box<ChaCha20Rng>>),
}

impl std::fmt::Debug for Chance {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::System => "System",
            Self::Seeded(_) => "Seeded(..)",
        })
    }
}

impl Chance {
    /// A stream of a known seed: for simulation.
    pub fn seeded(seed: [u8; 32]) -> Self {
        Self::Seeded(Mutex::new(Box::new(ChaCha20Rng::from_seed(seed))))
    }

    /// 32 random bytes.
    ///
    /// # Errors
    /// [`Fault::Crypto`] when the operating system gives none.
    pub fn bytes(&self) -> Result<Zeroizing<[u8; 32]>, Fault> {
        match self {
            Self::System => bytes(),
            Self::Seeded(stream) => {
                let mut bytes = Zeroizing::new([0_u8; 32]);
                stream.lock().fill_bytes(bytes.as_mut_slice());
                Ok(bytes)
            }
        }
    }

    /// 32 random bytes in hexadecimal: a session's or a device's token.
    ///
    /// # Errors
    /// As [`Self::bytes`].
    pub fn token(&self) -> Result<String, Fault> {
        Ok(hex::encode(self.bytes()?.as_slice()))
    }
}
