//! Properties over random trees, sizes and bytes.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a failed helper is a failed test

use crate::support::leaves;
use crate::support::tiles::{Bundle, changed_tiles, tile_of};
use keno_log::checkpoint::{Checkpoint, Note, SigningKey, VerifyingKey, open, sign};
use keno_log::hash::{EMPTY_ROOT, Hash};
use keno_log::proof::{
    consistency_proof_of, inclusion_proof_of, verify_consistency, verify_inclusion,
};
use keno_log::tile::Tile;
use keno_log::tree::{Edge, root_of};
use proptest::prelude::*;

/// No file of earlier failures is kept: a case that finds a fault becomes a
/// named test in one of the neighbouring files.
fn config() -> ProptestConfig {
    ProptestConfig {
        failure_persistence: None,
        cases: 128,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn proofs_of_random_trees_verify(size in 1_u64..3_000, index: u64, old: u64) {
        let (index, old) = (index % size, old % size + 1);
        let tree = leaves(size);
        let root = root_of(&tree);
        let proof = inclusion_proof_of(index, &tree).unwrap();
        prop_assert!(proof.len() <= 12);
        prop_assert_eq!(verify_inclusion(&tree[index as usize], index, size, &proof, &root), Ok(()));
        let proof = consistency_proof_of(old, &tree).unwrap();
        prop_assert!(proof.len() <= 13);
        let old_root = root_of(&tree[..old as usize]);
        prop_assert_eq!(verify_consistency(old, size, &old_root, &root, &proof), Ok(()));
    }

    #[test]
    fn verifiers_answer_any_input_without_panic(
        leaf: Hash, root: Hash, first: u64, second: u64,
        proof in prop::collection::vec(any::<Hash>(), 0..70),
    ) {
        prop_assert!(verify_inclusion(&leaf, first, second, &proof, &root).is_err());
        let verdict = verify_consistency(first, second, &leaf, &root, &proof);
        prop_assert!(verdict.is_err());
    }

    #[test]
    fn an_edge_restored_from_bytes_grows_the_same(size in 0_u64..300, more in 0_u64..300) {
        let tree = leaves(size + more);
        let mut edge = Edge::new();
        tree[..size as usize].iter().for_each(|leaf| edge.append(*leaf));
        let mut restored = Edge::from_bytes(&edge.to_bytes()).unwrap();
        tree[size as usize..].iter().for_each(|leaf| restored.append(*leaf));
        prop_assert_eq!(restored.root(), root_of(&tree));
    }

    #[test]
    fn any_bytes_are_an_edge_in_one_way_or_none(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(edge) = Edge::from_bytes(&bytes) {
            prop_assert_eq!(edge.to_bytes(), bytes);
        }
    }

    #[test]
    fn a_tile_path_comes_back(level in 0_u8..8, index: u64, width in 1_u16..=256, shift in 0_u32..64) {
        if let Ok(tile) = Tile::new(level, index >> shift, width) {
            prop_assert_eq!(Tile::parse_path(&tile.path()), Ok(tile));
        }
        if let Ok(bundle) = Bundle::new(index >> shift, width) {
            prop_assert_eq!(Bundle::parse_path(&bundle.path()), Ok(bundle));
        }
    }

    #[test]
    fn any_text_is_a_path_in_one_way_or_none(path in "tile/([0-9]{1,2}|entries)/(x[0-9]{3}/){0,2}[0-9]{2,4}(\\.p/[0-9]{1,3})?") {
        if let Ok(tile) = Tile::parse_path(&path) {
            prop_assert_eq!(tile.path(), path.clone());
        }
        if let Ok(bundle) = Bundle::parse_path(&path) {
            prop_assert_eq!(bundle.path(), path);
        }
    }

    /// Growth from any size, however large: each changed tile is one that the
    /// tree has, and has a node that it had not before.
    #[test]
    fn changed_tiles_hold_new_nodes_of_the_tree(old: u64, shift in 0_u32..64, growth in 0_u64..2_000) {
        let old = old >> shift;
        let new = old.saturating_add(growth);
        let mut seen = 0_u64;
        for tile in changed_tiles(old, new) {
            let (level, last) = tile.nodes().last().unwrap();
            prop_assert_eq!(tile_of(new, level, last), Ok(tile));
            prop_assert!(tile_of(old, level, last).is_err());
            seen += tile.nodes().filter(|(level, index)| tile_of(old, *level, *index).is_err()).count() as u64;
        }
        let expected: u64 = (0..8).map(|level| (new >> (8 * level)) - (old >> (8 * level))).sum();
        prop_assert_eq!(seen, expected);
    }

    #[test]
    fn a_signed_checkpoint_opens(origin in "[^\\p{Cc}]{1,40}", size: u64, root: Hash, seed: [u8; 32],
                                 extensions in prop::collection::vec("[^\\p{Cc}]{1,20}", 0..3)) {
        let root = if size == 0 { EMPTY_ROOT } else { root };
        let checkpoint = Checkpoint { origin, size, root, extensions };
        let key = SigningKey::from_seed("log.example", &seed).unwrap();
        let note = sign(&checkpoint, &key).unwrap();
        prop_assert_eq!(open(&note, key.verifying_key()), Ok(checkpoint));
        let vkey = key.verifying_key().to_string();
        prop_assert_eq!(&VerifyingKey::parse(&vkey).unwrap(), key.verifying_key());
    }

    #[test]
    fn any_text_is_a_note_in_one_way_or_none(text in "(a\n|\n|— [a+] ?[A-Z]{4}[A-Z]{0,3}={0,2}\n){0,6}") {
        if let Ok(note) = Note::parse(&text) {
            prop_assert_eq!(note.to_string(), text);
        }
    }

    #[test]
    fn a_body_is_read_in_one_way_or_none(text in "[a-z]{0,3}\n[+0-9]{0,4}\n([A-Za-z0-9+/]{43}=|47DEQpj8HBSa\\+/TImW\\+5JCeuQeRkm5NMpJWZG3hSuFU=)\n{1,2}([a-z]{0,2}\n){0,2}") {
        if let Ok(checkpoint) = Checkpoint::from_body(&text) {
            prop_assert_eq!(checkpoint.body(), Ok(text));
        }
    }
}
