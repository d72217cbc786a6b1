//! The frozen draws that stand beside `DRAW.md`, recomputed by the second computation.

#![allow(clippy::unwrap_used)]

use keno_audit::balls::{Derivation, commitment, recompute};
use keno_log::Hash;
use serde_json::Value;

const VECTORS: &str = include_str!("../../../draw-machine/vectors.json");

fn hash(value: &Value) -> Hash {
    let text = value.as_str().unwrap();
    assert_eq!(text.len(), 64);
    std::array::from_fn(|at| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).unwrap())
}

fn hashes(value: &Value) -> Vec<Hash> {
    value.as_array().unwrap().iter().map(hash).collect()
}

#[test]
fn the_frozen_draws_come_out_the_same() {
    let vectors: Vec<Value> = serde_json::from_str(VECTORS).unwrap();
    assert!(vectors.len() >= 8);
    for vector in vectors {
        let number = |name: &str| vector[name].as_u64().unwrap();
        let derivation = Derivation {
            house: vector["house"].as_str().unwrap(),
            draw: number("draw"),
            seal_size: number("log_size"),
            seal_root: hash(&vector["seal_root"]),
            rule_book_hash: hash(&vector["rule_book_hash"]),
            pool_size: number("pool_size") as u8,
            drawn: number("drawn") as u8,
        };
        let secrets = hashes(&vector["secrets"]);
        let commitments: Vec<Hash> = secrets
            .iter()
            .map(|secret| commitment(derivation.house, derivation.draw, secret))
            .collect();
        assert_eq!(commitments, hashes(&vector["commitments"]));
        let balls: Vec<u8> = serde_json::from_value(vector["balls"].clone()).unwrap();
        let found = recompute(&derivation, &secrets);
        assert_eq!(found.balls, balls, "{}", vector["name"]);
        assert_eq!(found.words_used, number("words_used"));
        assert_eq!(found.words_rejected, number("rejected"));
    }
}
