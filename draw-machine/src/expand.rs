//! From secrets and seal to balls: pure, frozen, written down in `DRAW.md`.
//!
//! The algorithm is ours from the key on (raw `u32` words of ChaCha20, rejection, partial
//! Fisher-Yates) because a library's `sample` changes between releases, and a draw must be
//! recomputable for as long as a ticket can be claimed.
//!
//! ChaCha20 is not among the generators of NIST SP 800-90A. It serves here as an expander of
//! a key that is derived anew for each draw; it is never reseeded and never outlives the draw.

use hkdf::Hkdf;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use crate::bytes::{put, put_u64};
use crate::context::DrawContext;

/// Domain tag of a commitment.
pub const COMMITMENT_TAG: &str = "boulier/commitment/v1";
/// Domain tag of the commitment of a public beacon.
pub const BEACON_TAG: &str = "boulier/beacon/v1";
/// Domain tag of the secret that the round of a beacon gives a draw.
pub const ROUND_TAG: &str = "boulier/round/v1";
/// Domain tag of the derivation of the balls.
pub const DRAW_TAG: &str = "boulier/draw/v1";
/// How many different values a word of the keystream takes: 2^32.
const WORD_SPACE: u64 = 1 << 32;

/// What the key of a draw expands to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Expansion {
    /// Balls in the order in which they were drawn, numbered from 1.
    pub balls: Vec<u8>,
    /// Words of 32 bits taken from the keystream, rejected ones included.
    pub words_used: u64,
    /// Words rejected because they would have favoured the lower balls.
    pub rejected: u64,
}

/// The 32 bytes that bind a holder to `secret` for `draw` in `house`, published before the
/// first wager for that draw.
///
/// SHA-256 over tag, house, draw, secret, each length-prefixed.
#[must_use]
pub fn commitment(house: &str, draw: u64, secret: &[u8; 32]) -> [u8; 32] {
    // Sized so that the vector never moves and leaves no copy of the secret behind.
    let mut input = Zeroizing::new(Vec::with_capacity(house.len() + 128));
    put(&mut input, COMMITMENT_TAG.as_bytes());
    put(&mut input, house.as_bytes());
    put_u64(&mut input, draw);
    put(&mut input, secret);
    Sha256::digest(input.as_slice()).into()
}

/// What binds a draw to the public beacon that holds one of its secrets, before its first wager: which
/// beacon it is. The round follows from when the draw closes.
///
/// SHA-256 over tag, house, draw, the beacon's text, each length-prefixed.
#[must_use]
pub fn beacon_commitment(house: &str, draw: u64, beacon: &str) -> [u8; 32] {
    of_beacon(BEACON_TAG, house, draw, &[beacon.as_bytes()])
}

/// The secret of a draw that the signature of its round gives; of no bytes for a draw that had no round,
/// since it was void or of balls. No two beacons give one secret.
///
/// SHA-256 over tag, house, draw, the beacon's text, signature, each length-prefixed.
#[must_use]
pub fn round_secret(house: &str, draw: u64, beacon: &str, signature: &[u8]) -> [u8; 32] {
    of_beacon(ROUND_TAG, house, draw, &[beacon.as_bytes(), signature])
}

fn of_beacon(tag: &str, house: &str, draw: u64, more: &[&[u8]]) -> [u8; 32] {
    let mut input = Vec::new();
    put(&mut input, tag.as_bytes());
    put(&mut input, house.as_bytes());
    put_u64(&mut input, draw);
    for field in more {
        put(&mut input, field);
    }
    Sha256::digest(input).into()
}

/// The balls of a draw, in order.
///
/// `secrets_in_holder_order` are the revealed secrets in the order in which the record names
/// their holders. A context whose pool is smaller than the balls asked of it yields every ball
/// of the pool and no more; `Transcript::check` and the machine refuse such a context first.
#[must_use]
pub fn balls(context: &DrawContext, secrets_in_holder_order: &[[u8; 32]]) -> Expansion {
    let Some(key) = key(context, secrets_in_holder_order) else {
        // Not reachable (HKDF gives up to 8,160 bytes); no ball at all is the answer that
        // every check downstream refuses.
        return Expansion::default();
    };
    let mut keystream = ChaCha20Rng::from_seed(*key);
    partial_fisher_yates(context.pool_size, context.drawn, WORD_SPACE, || {
        u64::from(keystream.next_u32())
    })
}

/// HKDF-SHA256: secrets as input, seal as salt, everything else that defines the draw as info.
fn key(context: &DrawContext, secrets: &[[u8; 32]]) -> Option<Zeroizing<[u8; 32]>> {
    let mut input = Zeroizing::new(Vec::with_capacity(secrets.len() * 36));
    for secret in secrets {
        put(&mut input, secret);
    }
    let mut info = Vec::new();
    put(&mut info, DRAW_TAG.as_bytes());
    put(&mut info, context.house.as_bytes());
    put_u64(&mut info, context.draw);
    put_u64(&mut info, context.log_size);
    put(&mut info, &context.rule_book_hash);
    put(&mut info, &[context.pool_size]);
    put(&mut info, &[context.drawn]);
    let mut key = Zeroizing::new([0u8; 32]);
    Hkdf::<Sha256>::new(Some(&context.seal_root), &input)
        .expand(&info, key.as_mut_slice())
        .ok()?;
    Some(key)
}

/// Takes `drawn` balls out of `1..=pool_size`: at step i, a uniform place among those from i
/// on changes places with place i.
///
/// `word_space` is how many values `next_word` can give (2^32 in a draw). It is an argument so
/// that a test can go through every word of a tiny space.
fn partial_fisher_yates(
    pool_size: u8,
    drawn: u8,
    word_space: u64,
    mut next_word: impl FnMut() -> u64,
) -> Expansion {
    let mut order: Vec<u8> = (1..=pool_size).collect();
    let mut expansion = Expansion::default();
    for place in 0..drawn.min(pool_size) {
        let candidates = u64::from(pool_size - place);
        let offset = loop {
            expansion.words_used += 1;
            match accept(next_word(), word_space, candidates) {
                Some(offset) => break offset,
                None => expansion.rejected += 1,
            }
        };
        let other = usize::from(place).saturating_add(usize::try_from(offset).unwrap_or(0));
        order.swap(usize::from(place), other);
    }
    order.truncate(usize::from(drawn));
    expansion.balls = order;
    expansion
}

/// A uniform number below `candidates` from a uniform word below `word_space`, or `None` when
/// the word lies beyond the largest multiple of `candidates` and would favour low numbers.
fn accept(word: u64, word_space: u64, candidates: u64) -> Option<u64> {
    let zone = word_space - word_space % candidates;
    (word < zone).then_some(word % candidates)
}

#[cfg(test)]
#[path = "expand_tests.rs"]
mod tests;
