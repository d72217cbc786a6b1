//! Commitments and winning numbers, recomputed from `DRAW.md`.

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::{Digest as _, Sha256};

use keno_log::Hash;

use crate::chacha::Words;

/// What the balls of a computer draw follow from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Derivation<'a> {
    /// Short name of the house.
    pub house: &'a str,
    /// Draw number.
    pub draw: u64,
    /// Leaves in the tree just after the closing leaf.
    pub seal_size: u64,
    /// Root of that tree.
    pub seal_root: Hash,
    /// SHA-256 of the rule book in force for new tickets of the draw.
    pub rule_book_hash: Hash,
    /// Numbers in the pool.
    pub pool_size: u8,
    /// Numbers drawn.
    pub drawn: u8,
}

/// The numbers and how the key stream was used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recomputed {
    /// Winning numbers in the order drawn.
    pub balls: Vec<u8>,
    /// Words read from the key stream.
    pub words_used: u64,
    /// Words among them beyond the largest multiple.
    pub words_rejected: u64,
}

/// What a holder publishes before the first wager for `draw`.
#[must_use]
pub fn commitment(house: &str, draw: u64, secret: &Hash) -> Hash {
    hash_of_fields(&[
        b"boulier/commitment/v1",
        house.as_bytes(),
        &draw.to_be_bytes(),
        secret,
    ])
}

/// SHA-256 over fields, each behind its length.
fn hash_of_fields(fields: &[&[u8]]) -> Hash {
    let mut hasher = Sha256::new();
    for field in fields {
        hasher.update(length_of(field));
        hasher.update(field);
    }
    hasher.finalize().into()
}

/// What binds a draw to the public beacon of this text (`DRAW.md`, 1).
#[must_use]
pub fn beacon_commitment(house: &str, draw: u64, beacon: &str) -> Hash {
    hash_of_fields(&[
        b"boulier/beacon/v1",
        house.as_bytes(),
        &draw.to_be_bytes(),
        beacon.as_bytes(),
    ])
}

/// The secret that a beacon's round gives a draw, by its signature; of no bytes where it had no round.
#[must_use]
pub fn round_secret(house: &str, draw: u64, beacon: &str, signature: &[u8]) -> Hash {
    hash_of_fields(&[
        b"boulier/round/v1",
        house.as_bytes(),
        &draw.to_be_bytes(),
        beacon.as_bytes(),
        signature,
    ])
}

/// SHA-256 over the secrets in holder order, nothing between them.
#[must_use]
pub fn secrets_hash(secrets: &[Hash]) -> Hash {
    let mut hasher = Sha256::new();
    for secret in secrets {
        hasher.update(secret);
    }
    hasher.finalize().into()
}

/// The winning numbers of `derivation` and `secrets` (in holder order).
#[must_use]
pub fn recompute(derivation: &Derivation<'_>, secrets: &[Hash]) -> Recomputed {
    let mut words = Words::new(&key(derivation, secrets));
    let mut numbers: Vec<u8> = (1..=derivation.pool_size).collect();
    let mut balls = Vec::with_capacity(usize::from(derivation.drawn));
    let (mut words_used, mut words_rejected) = (0, 0);
    for step in 0..derivation.drawn.min(derivation.pool_size) {
        let left = u32::from(derivation.pool_size - step);
        // 2^32 modulo `left`: as many of the highest words are rejected, so that each of the
        // numbers left is equally likely.
        let excess = (u32::MAX % left + 1) % left;
        let word = loop {
            let word = words.next_word();
            words_used += 1;
            if word <= u32::MAX - excess {
                break word;
            }
            words_rejected += 1;
        };
        let from = usize::from(step) + (word % left) as usize;
        numbers.swap(usize::from(step), from);
        balls.extend(numbers.get(usize::from(step)));
    }
    Recomputed {
        balls,
        words_used,
        words_rejected,
    }
}

/// HKDF-SHA256 (RFC 5869) for one block of output: extract, then expand with the byte 1.
fn key(derivation: &Derivation<'_>, secrets: &[Hash]) -> Hash {
    let mut extract = keyed(&derivation.seal_root);
    for secret in secrets {
        extract.update(&length_of(secret));
        extract.update(secret);
    }
    let pseudo_random_key: Hash = extract.finalize().into_bytes().into();
    let mut expand = keyed(&pseudo_random_key);
    for field in [
        b"boulier/draw/v1".as_slice(),
        derivation.house.as_bytes(),
        &derivation.draw.to_be_bytes(),
        &derivation.seal_size.to_be_bytes(),
        &derivation.rule_book_hash,
        &[derivation.pool_size],
        &[derivation.drawn],
    ] {
        expand.update(&length_of(field));
        expand.update(field);
    }
    expand.update(&[1]);
    expand.finalize().into_bytes().into()
}

fn keyed(key: &Hash) -> Hmac<Sha256> {
    // A key of 32 bytes is shorter than SHA-256's block, so it is filled up with zeroes
    // (RFC 2104): the 64-byte form is the same key and its constructor cannot fail.
    let mut block = [0; 64];
    for (to, from) in block.iter_mut().zip(key) {
        *to = *from;
    }
    Hmac::new(&block.into())
}

fn length_of(field: &[u8]) -> [u8; 4] {
    u32::try_from(field.len()).unwrap_or(u32::MAX).to_be_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn derivation() -> Derivation<'static> {
        Derivation {
            house: "essai",
            draw: 7,
            seal_size: 1_234,
            seal_root: [3; 32],
            rule_book_hash: [4; 32],
            pool_size: 80,
            drawn: 20,
        }
    }

    #[test]
    fn the_key_is_hkdf_over_length_prefixed_fields() {
        let mut input = Vec::new();
        for secret in [[1_u8; 32], [2; 32]] {
            input.extend_from_slice(&[0, 0, 0, 32]);
            input.extend_from_slice(&secret);
        }
        let mut info = Vec::new();
        for field in [
            b"boulier/draw/v1".to_vec(),
            b"essai".to_vec(),
            7_u64.to_be_bytes().to_vec(),
            1_234_u64.to_be_bytes().to_vec(),
            vec![4; 32],
            vec![80],
            vec![20],
        ] {
            info.extend_from_slice(&(field.len() as u32).to_be_bytes());
            info.extend_from_slice(&field);
        }
        let mut expected = [0; 32];
        hkdf::Hkdf::<Sha256>::new(Some(&[3; 32]), &input)
            .expand(&info, &mut expected)
            .unwrap();
        assert_eq!(key(&derivation(), &[[1; 32], [2; 32]]), expected);
    }

    #[test]
    fn twenty_distinct_numbers_of_the_pool() {
        for draw in 0..200 {
            let derivation = Derivation {
                draw,
                ..derivation()
            };
            let drawn = recompute(&derivation, &[[9; 32]]);
            let mut sorted = drawn.balls.clone();
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!(sorted.len(), 20);
            assert!(sorted.iter().all(|ball| (1..=80).contains(ball)));
            assert_eq!(drawn.words_used - drawn.words_rejected, 20);
        }
    }

    #[test]
    fn every_input_moves_the_numbers() {
        let base = recompute(&derivation(), &[[1; 32], [2; 32]]);
        let other = |change: fn(&mut Derivation<'static>)| {
            let mut changed = derivation();
            change(&mut changed);
            recompute(&changed, &[[1; 32], [2; 32]])
        };
        assert_ne!(base, other(|it| it.house = "autre"));
        assert_ne!(base, other(|it| it.draw = 8));
        assert_ne!(base, other(|it| it.seal_size += 1));
        assert_ne!(base, other(|it| it.seal_root[0] ^= 1));
        assert_ne!(base, other(|it| it.rule_book_hash[0] ^= 1));
        assert_ne!(base, other(|it| it.pool_size = 70));
        assert_ne!(base, recompute(&derivation(), &[[2; 32], [1; 32]]));
    }
}
