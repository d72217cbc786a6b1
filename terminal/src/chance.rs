//! The one place where this program asks the operating system for chance.

use std::io;

/// So many bytes of the operating system.
///
/// # Errors
/// When the operating system has none to give.
pub fn bytes<const COUNT: usize>() -> io::Result<[u8; COUNT]> {
    let mut bytes = [0_u8; COUNT];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes)
}
