//! Tiles: the tree cut into files of up to 256 hashes, so that proofs need no
//! server (C2SP tlog-tiles, height 8).
//!
//! Tile (level, index) holds the nodes of height `8 * level` from number
//! `256 * index` on; see [`crate::tree`] for what a node is. A tile that is
//! full never changes; the last one of each level is partial and its width
//! stands in its path.

use crate::hash::{HASH_BYTES, Hash};

/// Levels of the tree in one tile.
pub const TILE_HEIGHT: u8 = 8;

/// Hashes in a full tile.
pub const TILE_WIDTH: u16 = 1 << TILE_HEIGHT;

/// The topmost level of tiles that a tree of at most 2^64 leaves can have.
pub const TILE_LEVEL_MAX: u8 = 7;

faults! {
    /// Why a tile or a path is refused.
    TileFault {
        /// Not the path of a tile in its one spelling.
        PathInvalid "path_invalid": "the path is not that of a tile",
        /// Level, index or width that no tree has.
        OutOfRange "out_of_range": "no tree has a tile of that level, index and width",
    }
}

/// One tile of the tree: which nodes, and how many of them there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tile {
    level: u8,
    index: u64,
    width: u16,
}

impl Tile {
    /// The tile of `width` hashes (1 to 256), number `index` of `level` (0 to 7).
    ///
    /// # Errors
    /// [`TileFault::OutOfRange`].
    pub fn new(level: u8, index: u64, width: u16) -> Result<Self, TileFault> {
        if level > TILE_LEVEL_MAX || width == 0 || width > TILE_WIDTH {
            return Err(TileFault::OutOfRange);
        }
        let nodes_max = u64::MAX >> (TILE_HEIGHT * level);
        index
            .checked_mul(u64::from(TILE_WIDTH))
            .and_then(|first| first.checked_add(u64::from(width)))
            .filter(|end| *end <= nodes_max)
            .ok_or(TileFault::OutOfRange)?;
        Ok(Self {
            level,
            index,
            width,
        })
    }

    /// The level, 0 for leaf hashes.
    #[must_use]
    pub const fn level(&self) -> u8 {
        self.level
    }

    /// The number of the tile within its level.
    #[must_use]
    pub const fn index(&self) -> u64 {
        self.index
    }

    /// Number of hashes, 1 to 256.
    #[must_use]
    pub const fn width(&self) -> u16 {
        self.width
    }

    /// Whether the tile is full and so will never change.
    #[must_use]
    pub const fn is_full(&self) -> bool {
        self.width == TILE_WIDTH
    }

    /// The path below the log's prefix: `tile/0/x001/234`, with `.p/5` behind
    /// it for a partial tile of width 5.
    #[must_use]
    pub fn path(&self) -> String {
        let number = number_path(self.index, self.width);
        format!("tile/{}/{number}", self.level)
    }

    /// Reads a path that [`Tile::path`] wrote; no other spelling is accepted.
    ///
    /// # Errors
    /// [`TileFault::PathInvalid`] or [`TileFault::OutOfRange`].
    pub fn parse_path(path: &str) -> Result<Self, TileFault> {
        let (level, number) = path
            .strip_prefix("tile/")
            .and_then(|rest| rest.split_once('/'))
            .ok_or(TileFault::PathInvalid)?;
        let level = level.parse().map_err(|_| TileFault::PathInvalid)?;
        let (index, width) = parse_number_path(number)?;
        let tile = Self::new(level, index, width)?;
        if tile.path() != path {
            return Err(TileFault::PathInvalid);
        }
        Ok(tile)
    }

    /// The nodes (level, index) that the tile holds, in their order.
    pub fn nodes(&self) -> impl Iterator<Item = (u8, u64)> + use<> {
        let level = self.level * TILE_HEIGHT;
        let first = self.index * u64::from(TILE_WIDTH);
        (first..first + u64::from(self.width)).map(move |index| (level, index))
    }

    /// The tile's bytes, each node read with `get(level, index)` as for
    /// [`crate::proof::inclusion_proof`].
    ///
    /// # Errors
    /// What `get` answers.
    pub fn bytes<E>(&self, get: &mut dyn FnMut(u8, u64) -> Result<Hash, E>) -> Result<Vec<u8>, E> {
        let mut bytes = Vec::with_capacity(usize::from(self.width) * HASH_BYTES);
        for (level, index) in self.nodes() {
            bytes.extend_from_slice(&get(level, index)?);
        }
        Ok(bytes)
    }
}

/// `<N>[.p/<W>]` of the specification: `x001/234` or `x001/234.p/5`.
fn number_path(index: u64, width: u16) -> String {
    let mut path = format!("{:03}", index % 1000);
    let mut rest = index / 1000;
    while rest > 0 {
        path = format!("x{:03}/{path}", rest % 1000);
        rest /= 1000;
    }
    if width < TILE_WIDTH {
        path = format!("{path}.p/{width}");
    }
    path
}

/// Index and width in `<N>[.p/<W>]`. Other spellings of the same number are for
/// the caller to refuse, by writing it again and comparing.
fn parse_number_path(path: &str) -> Result<(u64, u16), TileFault> {
    let invalid = TileFault::PathInvalid;
    let (number, width) = match path.split_once(".p/") {
        None => (path, TILE_WIDTH),
        Some((number, width)) => (number, width.parse().map_err(|_| invalid)?),
    };
    let mut index: u64 = 0;
    for element in number.split('/') {
        let digits = element.strip_prefix('x').unwrap_or(element);
        let group: u16 = digits.parse().map_err(|_| invalid)?;
        if group > 999 {
            return Err(invalid);
        }
        index = index
            .checked_mul(1000)
            .and_then(|index| index.checked_add(u64::from(group)))
            .ok_or(invalid)?;
    }
    Ok((index, width))
}
