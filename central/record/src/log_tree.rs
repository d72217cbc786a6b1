//! Nodes of the log's tree, computed from the leaf hashes in the record.

use std::collections::HashMap;

use keno_log::hash::Hash;
use keno_log::tile::{TILE_HEIGHT, TILE_WIDTH};
use keno_log::tree;
use keno_schema::Connection;
use parking_lot::Mutex;

use crate::fault::Fault;
use crate::store::log;

/// Roots of full tiles that were computed before: they never change, and a proof over millions
/// of leaves need not read them all again. 32 bytes for every 256 leaves.
#[derive(Debug, Default)]
pub struct TileRoots(Mutex<HashMap<u64, Hash>>);

impl TileRoots {
    fn get(&self, tile: u64) -> Option<Hash> {
        self.0.lock().get(&tile).copied()
    }

    fn keep(&self, tile: u64, root: Hash) {
        self.0.lock().insert(tile, root);
    }
}

/// Nodes of the tree, computed from the leaf hashes in the record.
pub struct TreeReader<'a> {
    connection: &'a mut Connection,
    roots: &'a TileRoots,
    size: u64,
    /// The leaves last read, a whole tile of them: proofs ask for neighbours.
    leaves: Option<(u64, Vec<Hash>)>,
}

impl<'a> TreeReader<'a> {
    /// A reader of the tree of the first `size` leaves.
    pub fn new(connection: &'a mut Connection, roots: &'a TileRoots, size: u64) -> Self {
        Self {
            connection,
            roots,
            size,
            leaves: None,
        }
    }

    /// Node (`level`, `index`): the root of a complete subtree.
    ///
    /// # Errors
    /// [`Fault::Record`] when the tree has no such node or leaves are missing.
    pub fn node(&mut self, level: u8, index: u64) -> Result<Hash, Fault> {
        let outside = || Fault::Record(format!("the tree has no node {level}/{index}"));
        let leaves = 1_u64.checked_shl(u32::from(level)).ok_or_else(outside)?;
        let first = index.checked_mul(leaves).ok_or_else(outside)?;
        let end = first.checked_add(leaves).ok_or_else(outside)?;
        if end > self.size {
            return Err(outside());
        }
        if level == TILE_HEIGHT {
            return self.tile_root(index);
        }
        if level < TILE_HEIGHT {
            return self.within_tile(first, leaves);
        }
        // Tile by tile, so that memory stays small however high the node stands.
        let width = u64::from(TILE_WIDTH);
        let mut hashes = Vec::new();
        for tile in first / width..end / width {
            hashes.push(self.tile_root(tile)?);
        }
        Ok(tree::root_of(&hashes))
    }

    /// The root of a full tile of level 0.
    fn tile_root(&mut self, tile: u64) -> Result<Hash, Fault> {
        if let Some(root) = self.roots.get(tile) {
            return Ok(root);
        }
        let width = u64::from(TILE_WIDTH);
        let root = self.within_tile(tile * width, width)?;
        self.roots.keep(tile, root);
        Ok(root)
    }

    fn within_tile(&mut self, first: u64, leaves: u64) -> Result<Hash, Fault> {
        let missing = || Fault::Record(format!("leaf hashes from {first} on are missing"));
        let width = u64::from(TILE_WIDTH);
        let tile = first / width;
        if self.leaves.as_ref().is_none_or(|(at, _)| *at != tile) {
            let hashes = log::leaf_hashes(self.connection, tile * width, i64::from(TILE_WIDTH))?;
            self.leaves = Some((tile, hashes));
        }
        let start = usize::try_from(first % width).map_err(|_| missing())?;
        let count = usize::try_from(leaves).map_err(|_| missing())?;
        self.leaves
            .as_ref()
            .and_then(|(_, hashes)| hashes.get(start..start + count))
            .map(tree::root_of)
            .ok_or_else(missing)
    }
}
