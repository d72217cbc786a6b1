//! What the operating system gives that nobody else has.

/// 32 bytes by chance; none where the operating system gives none.
pub(crate) fn chance() -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).ok()?;
    Some(bytes)
}
