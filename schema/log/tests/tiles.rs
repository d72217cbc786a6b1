//! Tiles and bundles: paths, which ones change, and reading nodes back.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a failed helper is a failed test

use std::collections::BTreeMap;

use crate::support::tiles::{
    Bundle, BytesFault, ENTRY_BYTES_MAX, Nodes as _, ReadFault, changed_bundles, changed_tiles,
    read_node, tile_of,
};
use crate::support::{leaves, reader};
use keno_log::hash::Hash;
use keno_log::proof::{
    consistency_proof, inclusion_proof, inclusion_proof_of, verify_consistency, verify_inclusion,
};
use keno_log::tile::{TILE_WIDTH, Tile, TileFault};
use keno_log::tree::{Edge, root_of};

/// Files by path, as a log keeps them.
type Files = BTreeMap<String, Vec<u8>>;

fn write_tiles(files: &mut Files, leaves: &[Hash], old_size: u64, new_size: u64) {
    let tree = &leaves[..new_size as usize];
    for tile in changed_tiles(old_size, new_size) {
        let Ok(bytes) = tile.bytes(&mut reader(tree));
        assert_eq!(bytes.len(), usize::from(tile.width()) * 32);
        files.insert(tile.path(), bytes);
    }
}

fn fetcher(files: &Files) -> impl FnMut(Tile) -> Result<Vec<u8>, String> + '_ {
    |tile| files.get(&tile.path()).cloned().ok_or_else(|| tile.path())
}

#[test]
fn paths_are_those_of_the_specification() {
    for (level, index, width, path) in [
        (0, 0, 256, "tile/0/000"),
        (0, 1_234_067, 256, "tile/0/x001/x234/067"),
        (0, 1_234, 256, "tile/0/x001/234"),
        (1, 999, 255, "tile/1/999.p/255"),
        (3, 1_000, 1, "tile/3/x001/000.p/1"),
        (7, 0, 112, "tile/7/000.p/112"),
    ] {
        let tile = Tile::new(level, index, width).unwrap();
        assert_eq!(tile.path(), path);
        assert_eq!(Tile::parse_path(path), Ok(tile));
        let bundle_path = path.replacen(&format!("tile/{level}/"), "tile/entries/", 1);
        let bundle = Bundle::new(index, width).unwrap();
        assert_eq!(bundle.path(), bundle_path);
        assert_eq!(Bundle::parse_path(&bundle_path), Ok(bundle));
        assert_eq!(bundle.first_entry(), index * 256);
    }
}

#[test]
fn other_spellings_of_a_path_are_refused() {
    for path in [
        "",
        "tile",
        "tile/",
        "tile/0",
        "tile/0/",
        "tile/00/000",
        "tile/+0/000",
        "tile/-1/000",
        "tile/0/0",
        "tile/0/0000",
        "tile/0/00x",
        "tile/0/x000/000",
        "tile/0/001/000",
        "tile/0/x001/x000",
        "tile/0/x001//000",
        "tile/0/+01",
        "tile/0/000.p/0",
        "tile/0/000.p/",
        "tile/0/000.p/256",
        "tile/0/000.p/01",
        "tile/0/000.p/+1",
        "tile/0/000.p/1/",
        "/tile/0/000",
        "tile/0/000/",
        "tile/0/000.p/1.p/1",
        "tile/8/000",
        "tile/entries/000",
        "tile/0/../000",
        "tile/0/x999/x999/x999/x999/x999/x999/x999/999",
        "tile/7/001",
        "tile/0/００0",
    ] {
        let fault = Tile::parse_path(path).expect_err(path);
        assert!(
            matches!(fault, TileFault::PathInvalid | TileFault::OutOfRange),
            "{path}"
        );
        assert!(
            Bundle::parse_path(&path.replacen("tile/0/", "tile/entries/", 1)).is_err()
                || path == "tile/entries/000",
            "{path}"
        );
    }
}

#[test]
fn tiles_that_no_tree_has_are_refused() {
    for (level, index, width) in [
        (0, 0, 0),
        (0, 0, 257),
        (8, 0, 1),
        (7, 1, 1),
        (7, 0, 256),
        (0, u64::MAX, 1),
        (0, u64::MAX / 256, 256),
        (1, u64::MAX >> 16, 256),
    ] {
        assert_eq!(
            Tile::new(level, index, width),
            Err(TileFault::OutOfRange),
            "{level} {index}"
        );
    }
    assert!(Tile::new(0, u64::MAX / 256, 255).is_ok());
    assert!(Tile::new(7, 0, 255).is_ok());
}

/// The example in the specification: 70,000 leaves, and a tree of 256.
#[test]
fn a_tree_has_the_tiles_that_the_specification_counts() {
    let count = |level, width| {
        changed_tiles(0, 70_000)
            .filter(|tile| tile.level() == level && tile.width() == width)
            .count()
    };
    assert_eq!(count(0, 256), 273);
    assert_eq!(count(0, 112), 1);
    assert_eq!(count(1, 256), 1);
    assert_eq!(count(1, 17), 1);
    assert_eq!(count(2, 1), 1);
    assert_eq!(changed_tiles(0, 70_000).count(), 277);

    let paths: Vec<_> = changed_tiles(0, 256).map(|tile| tile.path()).collect();
    assert_eq!(paths, ["tile/0/000", "tile/1/000.p/1"]);
    assert_eq!(changed_tiles(0, 0).count(), 0);
    assert_eq!(changed_tiles(u64::MAX - 1, u64::MAX).count(), 1);
    assert_eq!(changed_tiles(0, u64::MAX).next(), Tile::new(0, 0, 256).ok());
}

#[test]
fn only_new_and_grown_tiles_are_named() {
    let changed =
        |old, new| -> Vec<String> { changed_tiles(old, new).map(|tile| tile.path()).collect() };
    assert_eq!(changed(0, 1), ["tile/0/000.p/1"]);
    assert_eq!(changed(5, 5), [""; 0]);
    assert_eq!(changed(6, 5), [""; 0]);
    assert_eq!(changed(250, 255), ["tile/0/000.p/255"]);
    assert_eq!(
        changed(255, 257),
        ["tile/0/000", "tile/0/001.p/1", "tile/1/000.p/1"]
    );
    assert_eq!(changed(256, 257), ["tile/0/001.p/1"]);
    assert_eq!(
        changed(65_535, 65_536),
        ["tile/0/255", "tile/1/000", "tile/2/000.p/1"]
    );
    let bundles: Vec<_> = changed_bundles(255, 600)
        .map(|bundle| bundle.path())
        .collect();
    assert_eq!(
        bundles,
        [
            "tile/entries/000",
            "tile/entries/001",
            "tile/entries/002.p/88"
        ]
    );
}

/// What changes step by step is all that a tree of the final size consists of.
#[test]
fn growth_step_by_step_leaves_no_tile_out() {
    let leaves = leaves(1_700);
    let mut files = Files::new();
    let mut size = 0;
    for step in [1, 1, 2, 250, 2, 255, 1, 256, 511, 7, 400] {
        write_tiles(&mut files, &leaves, size, size + step);
        size += step;
        let mut whole = Files::new();
        write_tiles(&mut whole, &leaves, 0, size);
        for (path, bytes) in &whole {
            assert_eq!(files.get(path), Some(bytes), "{path} at {size}");
        }
    }
}

#[test]
fn proofs_and_edges_are_built_from_tiles_alone() {
    let leaves = leaves(1_100);
    for size in [1, 2, 7, 255, 256, 257, 511, 512, 700, 1_024, 1_100] {
        let tree = &leaves[..size as usize];
        let root = root_of(tree);
        let mut files = Files::new();
        write_tiles(&mut files, &leaves, 0, size);
        let mut fetch = fetcher(&files);
        let mut get = |level, index| read_node(size, level, index, &mut fetch);

        assert_eq!(Edge::read(size, &mut get).unwrap().root(), root);
        for index in (0..size).step_by(37) {
            let proof = inclusion_proof(index, size, &mut get).unwrap();
            assert_eq!(proof, inclusion_proof_of(index, tree).unwrap());
            assert_eq!(
                verify_inclusion(&leaves[index as usize], index, size, &proof, &root),
                Ok(())
            );
        }
        for old in (1..size).step_by(41) {
            let proof = consistency_proof(old, size, &mut get).unwrap();
            let old_root = root_of(&leaves[..old as usize]);
            assert_eq!(
                verify_consistency(old, size, &old_root, &root, &proof),
                Ok(())
            );
        }
    }
}

#[test]
fn every_node_is_read_back_and_none_outside_the_tree() {
    let leaves = leaves(530);
    let size = 530;
    let mut files = Files::new();
    write_tiles(&mut files, &leaves, 0, size);
    for level in 0..=9 {
        for index in 0..size >> level {
            let start = (index << level) as usize;
            let expected = root_of(&leaves[start..start + (1 << level)]);
            assert_eq!(
                read_node(size, level, index, &mut fetcher(&files)),
                Ok(expected)
            );
        }
    }
    let outside = Err(ReadFault::Tile(BytesFault::NodeOutside));
    for (level, index) in [
        (0, 530),
        (1, 265),
        (9, 1),
        (10, 0),
        (63, 0),
        (64, 0),
        (255, 0),
    ] {
        assert_eq!(read_node(size, level, index, &mut fetcher(&files)), outside);
        assert_eq!(tile_of(size, level, index), Err(BytesFault::NodeOutside));
    }
    assert_eq!(read_node(0, 0, 0, &mut fetcher(&files)), outside);
}

#[test]
fn a_wider_state_of_a_tile_serves_and_a_narrower_or_torn_one_does_not() {
    let leaves = leaves(300);
    let expected = Ok(leaves[199]);
    let mut wide = Files::new();
    write_tiles(&mut wide, &leaves, 0, 300);
    let full = wide["tile/0/000"].clone();
    let answer = |bytes: &[u8]| {
        let bytes = bytes.to_vec();
        read_node(200, 0, 199, &mut |_| Ok::<_, ()>(bytes.clone()))
    };
    assert_eq!(answer(&full), expected);
    assert_eq!(answer(&full[..200 * 32]), expected);
    let short = Err(ReadFault::Tile(BytesFault::WrongLength));
    assert_eq!(answer(&full[..199 * 32]), short);
    assert_eq!(answer(&full[..200 * 32 + 1]), short);
    assert_eq!(answer(&[full.as_slice(), &[0; 32]].concat()), short);
    assert_eq!(answer(&[]), short);
    let failing = &mut |_: Tile| Err::<Vec<u8>, _>("gone");
    assert_eq!(
        read_node(200, 0, 199, failing),
        Err(ReadFault::Fetch("gone"))
    );
}

/// A keeper of tiles that changes one bit is caught by the signed root.
#[test]
fn a_flipped_bit_in_a_tile_breaks_the_proof() {
    let leaves = leaves(300);
    let root = root_of(&leaves);
    let mut files = Files::new();
    write_tiles(&mut files, &leaves, 0, 300);
    files.get_mut("tile/0/001.p/44").unwrap()[40] ^= 1;
    let mut fetch = fetcher(&files);
    let mut get = |level, index| read_node(300, level, index, &mut fetch);
    let proof = inclusion_proof(299, 300, &mut get).unwrap();
    assert!(verify_inclusion(&leaves[299], 299, 300, &proof, &root).is_err());
    assert_ne!(Edge::read(300, &mut get).unwrap().root(), root);
}

#[test]
fn a_tile_answers_only_for_its_own_nodes() {
    let leaves = leaves(512);
    let tile = Tile::new(0, 1, 200).unwrap();
    let Ok(bytes) = tile.bytes(&mut reader(&leaves));
    assert_eq!(tile.node(&bytes, 0, 256), Ok(leaves[256]));
    assert_eq!(tile.node(&bytes, 3, 32), Ok(root_of(&leaves[256..264])));
    for (level, index) in [
        (0, 255),
        (0, 456),
        (7, 3),
        (8, 1),
        (9, 0),
        (64, 0),
        (0, u64::MAX),
    ] {
        assert_eq!(
            tile.node(&bytes, level, index),
            Err(BytesFault::NodeOutside),
            "{level} {index}"
        );
    }
    assert_eq!(tile.node(&bytes[1..], 0, 256), Err(BytesFault::WrongLength));
    assert_eq!(
        tile.node(&bytes[32..], 0, 257),
        Err(BytesFault::WrongLength)
    );

    // The root of a full tile is the node one level of tiles above.
    let full = Tile::new(0, 1, TILE_WIDTH).unwrap();
    let Ok(bytes) = full.bytes(&mut reader(&leaves));
    assert_eq!(full.node(&bytes, 8, 1), Ok(root_of(&leaves[256..512])));
    let above = Tile::new(1, 0, 2).unwrap();
    let Ok(bytes) = above.bytes(&mut reader(&leaves));
    assert_eq!(above.node(&bytes, 8, 1), Ok(root_of(&leaves[256..512])));
    assert_eq!(above.node(&bytes, 7, 0), Err(BytesFault::NodeOutside));
}

#[test]
fn bundles_come_back_and_damaged_ones_do_not() {
    let longest = vec![7; ENTRY_BYTES_MAX];
    let entries: [&[u8]; 3] = [b"first", b"", &longest];
    let bundle = Bundle::new(9, 3).unwrap();
    let bytes = bundle.bytes(&entries).unwrap();
    assert_eq!(bytes[..9], *b"\x00\x05first\x00\x00");
    assert_eq!(bundle.entries(&bytes).unwrap(), entries);
    for length in [0, 1, 2, 6, 7, 8, 9, 10, bytes.len() - 1] {
        assert_eq!(
            bundle.entries(&bytes[..length]),
            Err(BytesFault::WrongLength),
            "{length}"
        );
    }
    assert_eq!(
        bundle.entries(&[bytes.as_slice(), &[0, 0]].concat()),
        Err(BytesFault::WrongLength)
    );
    assert_eq!(bundle.bytes(&entries[..2]), Err(BytesFault::WrongLength));
    let too_long = vec![0; ENTRY_BYTES_MAX + 1];
    assert_eq!(
        Bundle::new(0, 1).unwrap().bytes(&[too_long]),
        Err(BytesFault::EntryTooLong)
    );
}
