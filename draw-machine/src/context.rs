//! What defines a draw, but for its secrets. Pure.

use crate::bytes::{put, put_u64};

/// Everything but the secrets that defines a draw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawContext {
    /// Name of the house, as in its commitments.
    pub house: String,
    /// Draw number, sequential, never reused.
    pub draw: u64,
    /// Number of leaves of the game log just after the leaf that closed the draw.
    pub log_size: u64,
    /// Root of the game log at that size (RFC 6962).
    pub seal_root: [u8; 32],
    /// SHA-256 of the rule book in force for the draw.
    pub rule_book_hash: [u8; 32],
    /// Balls in the pool, numbered from 1: 80, or 70.
    pub pool_size: u8,
    /// Balls drawn from it: 20.
    pub drawn: u8,
}

/// Appends the fields of a context in the order of `DRAW.md`.
pub(crate) fn put_context(out: &mut Vec<u8>, context: &DrawContext) {
    put(out, context.house.as_bytes());
    put_u64(out, context.draw);
    put_u64(out, context.log_size);
    put(out, &context.seal_root);
    put(out, &context.rule_book_hash);
    put(out, &[context.pool_size]);
    put(out, &[context.drawn]);
}
