//! The frozen vectors: draws whose balls may never change.

use serde::Deserialize;

use crate::context::DrawContext;
use crate::expand::{Expansion, balls, commitment};
use crate::published::bytes_of;

/// The vectors as committed beside `DRAW.md`.
pub const VECTORS_JSON: &str = include_str!("../vectors.json");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Vector {
    name: String,
    house: String,
    draw: u64,
    log_size: u64,
    seal_root: String,
    rule_book_hash: String,
    pool_size: u8,
    drawn: u8,
    secrets: Vec<String>,
    commitments: Vec<String>,
    balls: Vec<u8>,
    words_used: u64,
    rejected: u64,
}

/// Why the vectors do not hold. Closed.
#[derive(Debug, thiserror::Error)]
pub enum VectorFault {
    /// The text is not a list of vectors.
    #[error("the vectors cannot be read")]
    Malformed(#[source] serde_json::Error),
    /// A hash or a secret of a vector is not 64 lower-case hexadecimal digits.
    #[error("vector {name:?} cannot be read")]
    NotHexadecimal {
        /// Name of the vector.
        name: String,
    },
    /// There is no vector at all.
    #[error("there are no vectors")]
    Missing,
    /// This program computes another commitment.
    #[error("vector {name:?} gives another commitment here")]
    CommitmentDiffers {
        /// Name of the vector.
        name: String,
    },
    /// This program computes other balls or counts.
    #[error("vector {name:?} gives other balls here")]
    BallsDiffer {
        /// Name of the vector.
        name: String,
    },
}

/// Recomputes the committed vectors; gives how many there are.
///
/// # Errors
/// The first [`VectorFault`].
pub fn check_vectors() -> Result<usize, VectorFault> {
    check_text(VECTORS_JSON)
}

fn check_text(text: &str) -> Result<usize, VectorFault> {
    let vectors: Vec<Vector> = serde_json::from_str(text).map_err(VectorFault::Malformed)?;
    if vectors.is_empty() {
        return Err(VectorFault::Missing);
    }
    for vector in &vectors {
        check_one(vector)?;
    }
    Ok(vectors.len())
}

fn check_one(vector: &Vector) -> Result<(), VectorFault> {
    let bytes = |text: &String| {
        bytes_of("vector", text).map_err(|_| VectorFault::NotHexadecimal {
            name: vector.name.clone(),
        })
    };
    let secrets = vector
        .secrets
        .iter()
        .map(bytes)
        .collect::<Result<Vec<_>, _>>()?;
    let commitments = vector
        .commitments
        .iter()
        .map(bytes)
        .collect::<Result<Vec<_>, _>>()?;
    let recomputed: Vec<[u8; 32]> = secrets
        .iter()
        .map(|secret| commitment(&vector.house, vector.draw, secret))
        .collect();
    if recomputed != commitments {
        return Err(VectorFault::CommitmentDiffers {
            name: vector.name.clone(),
        });
    }
    let context = DrawContext {
        house: vector.house.clone(),
        draw: vector.draw,
        log_size: vector.log_size,
        seal_root: bytes(&vector.seal_root)?,
        rule_book_hash: bytes(&vector.rule_book_hash)?,
        pool_size: vector.pool_size,
        drawn: vector.drawn,
    };
    let expected = Expansion {
        balls: vector.balls.clone(),
        words_used: vector.words_used,
        rejected: vector.rejected,
    };
    if balls(&context, &secrets) != expected {
        return Err(VectorFault::BallsDiffer {
            name: vector.name.clone(),
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_vectors_hold() {
        assert!(check_vectors().unwrap() >= 6);
    }

    #[test]
    fn some_vector_rejects_a_word_and_some_has_another_pool() {
        let vectors: Vec<Vector> = serde_json::from_str(VECTORS_JSON).unwrap();
        assert!(vectors.iter().any(|vector| vector.rejected > 0));
        assert!(vectors.iter().any(|vector| vector.pool_size == 70));
        for vector in vectors {
            assert_eq!(vector.words_used, u64::from(vector.drawn) + vector.rejected);
        }
    }

    #[test]
    fn planted_changes_are_caught() {
        let changed = |change: fn(&mut serde_json::Value)| {
            let mut vectors: serde_json::Value = serde_json::from_str(VECTORS_JSON).unwrap();
            change(&mut vectors);
            check_text(&vectors.to_string()).unwrap_err()
        };
        let fault = changed(|v| v[0]["balls"].as_array_mut().unwrap().swap(0, 1));
        assert!(matches!(fault, VectorFault::BallsDiffer { .. }));
        let fault = changed(|v| v[1]["draw"] = 999_999.into());
        assert!(matches!(fault, VectorFault::CommitmentDiffers { .. }));
        let fault = changed(|v| v[1]["log_size"] = 999_999.into());
        assert!(matches!(fault, VectorFault::BallsDiffer { .. }));
        let fault = changed(|v| *v = serde_json::json!([]));
        assert!(matches!(fault, VectorFault::Missing));
    }
}
