//! Chance, asked of the operating system in one place. The balls of a draw do not come from
//! here: they come from the holders' secrets and the seal.

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
