//! Tiles: the tree cut into files of up to 256 hashes, so that proofs need no
//! server (C2SP tlog-tiles, height 8), and bundles of up to 256 entries.
//!
//! Tile (level, index) holds the nodes of height `8 * level` from number
//! `256 * index` on; see [`crate::tree`] for what a node is. A tile that is
//! full never changes; the last one of each level is partial and its width
//! stands in its path. What is read back from tiles is only what their keeper
//! says: build a proof from it and check that against a signed root.

use crate::hash::{HASH_BYTES, Hash};
use crate::tree::root_of;

/// Levels of the tree in one tile.
pub const TILE_HEIGHT: u8 = 8;

/// Hashes in a full tile, entries in a full bundle.
pub const TILE_WIDTH: u16 = 1 << TILE_HEIGHT;

/// The topmost level of tiles that a tree of at most 2^64 leaves can have.
pub const TILE_LEVEL_MAX: u8 = 7;

/// Longest entry in a bundle, in bytes: its length is a 16-bit number.
pub const ENTRY_BYTES_MAX: usize = u16::MAX as usize;

/// Why a tile, a bundle or a path is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, thiserror::Error)]
pub enum TileFault {
    /// Not the path of a tile or bundle in its one spelling.
    #[error("the path is not that of a tile")]
    PathInvalid,
    /// Level, index or width that no tree has.
    #[error("no tree has a tile of that level, index and width")]
    OutOfRange,
    /// The bytes are not as many hashes, or entries, as the width says.
    #[error("the tile's length does not fit its width")]
    WrongLength,
    /// The node is not within the tree, or not within the tile.
    #[error("the tile does not hold the node")]
    NodeOutside,
    /// An entry is above [`ENTRY_BYTES_MAX`].
    #[error("an entry is too long for a bundle")]
    EntryTooLong,
}

impl TileFault {
    /// The stable name of this fault.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::PathInvalid => "path_invalid",
            Self::OutOfRange => "out_of_range",
            Self::WrongLength => "wrong_length",
            Self::NodeOutside => "node_outside",
            Self::EntryTooLong => "entry_too_long",
        }
    }
}

/// Why a node could not be read from tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ReadFault<E> {
    /// The node or its tile is not as it should be.
    #[error("the tile cannot be used")]
    Tile(#[source] TileFault),
    /// The tile could not be fetched.
    #[error("the tile could not be fetched")]
    Fetch(#[source] E),
}

/// One tile of the tree: which nodes, and how many of them there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tile {
    level: u8,
    index: u64,
    width: u16,
}

/// One bundle of entries: those whose leaf hashes tile (0, index) holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bundle {
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

    /// Reads node (`level`, `index`) from this tile's `bytes`. Levels between
    /// those of the tile and of the next one up are hashed together here.
    ///
    /// # Errors
    /// [`TileFault::WrongLength`] or [`TileFault::NodeOutside`].
    pub fn node(&self, bytes: &[u8], level: u8, index: u64) -> Result<Hash, TileFault> {
        let (hashes, rest) = bytes.as_chunks::<HASH_BYTES>();
        if !rest.is_empty() || hashes.len() != usize::from(self.width) {
            return Err(TileFault::WrongLength);
        }
        let outside = TileFault::NodeOutside;
        // The tile's own root is a node too: that of the level above.
        let height = level
            .checked_sub(self.level * TILE_HEIGHT)
            .filter(|height| *height <= TILE_HEIGHT)
            .ok_or(outside)?;
        let count = 1_u64 << height;
        let start = index
            .checked_mul(count)
            .and_then(|start| start.checked_sub(self.index * u64::from(TILE_WIDTH)))
            .and_then(|start| usize::try_from(start).ok())
            .ok_or(outside)?;
        let end = start.checked_add(count as usize).ok_or(outside)?;
        hashes.get(start..end).map(root_of).ok_or(outside)
    }
}

impl Bundle {
    /// The bundle of `width` entries (1 to 256), number `index`.
    ///
    /// # Errors
    /// [`TileFault::OutOfRange`].
    pub fn new(index: u64, width: u16) -> Result<Self, TileFault> {
        Tile::new(0, index, width).map(Self::beside)
    }

    /// The bundle whose entries hash to the leaf hashes of `tile`, of level 0.
    const fn beside(tile: Tile) -> Self {
        Self {
            index: tile.index,
            width: tile.width,
        }
    }

    /// The number of the bundle.
    #[must_use]
    pub const fn index(&self) -> u64 {
        self.index
    }

    /// Number of entries, 1 to 256.
    #[must_use]
    pub const fn width(&self) -> u16 {
        self.width
    }

    /// Index in the log of the bundle's first entry.
    #[must_use]
    pub const fn first_entry(&self) -> u64 {
        self.index * TILE_WIDTH as u64
    }

    /// The path below the log's prefix: `tile/entries/x001/234`, with `.p/5`
    /// behind it for a partial bundle of width 5.
    #[must_use]
    pub fn path(&self) -> String {
        format!("tile/entries/{}", number_path(self.index, self.width))
    }

    /// Reads a path that [`Bundle::path`] wrote; no other spelling is accepted.
    ///
    /// # Errors
    /// [`TileFault::PathInvalid`] or [`TileFault::OutOfRange`].
    pub fn parse_path(path: &str) -> Result<Self, TileFault> {
        let number = path
            .strip_prefix("tile/entries/")
            .ok_or(TileFault::PathInvalid)?;
        let (index, width) = parse_number_path(number)?;
        let bundle = Self::new(index, width)?;
        if bundle.path() != path {
            return Err(TileFault::PathInvalid);
        }
        Ok(bundle)
    }

    /// The bundle's bytes: each entry behind its length, a big-endian `u16`.
    ///
    /// # Errors
    /// [`TileFault::WrongLength`] if `entries` are not `width` many, or
    /// [`TileFault::EntryTooLong`].
    pub fn bytes<B: AsRef<[u8]>>(&self, entries: &[B]) -> Result<Vec<u8>, TileFault> {
        if entries.len() != usize::from(self.width) {
            return Err(TileFault::WrongLength);
        }
        let mut bytes = Vec::new();
        for entry in entries {
            let entry = entry.as_ref();
            let length = u16::try_from(entry.len()).map_err(|_| TileFault::EntryTooLong)?;
            bytes.extend_from_slice(&length.to_be_bytes());
            bytes.extend_from_slice(entry);
        }
        Ok(bytes)
    }

    /// The entries in this bundle's `bytes`.
    ///
    /// # Errors
    /// [`TileFault::WrongLength`] if the bytes are not exactly `width` entries.
    pub fn entries<'a>(&self, bytes: &'a [u8]) -> Result<Vec<&'a [u8]>, TileFault> {
        let mut rest = bytes;
        let mut entries = Vec::with_capacity(usize::from(self.width));
        for _ in 0..self.width {
            let (length, after) = rest.split_first_chunk().ok_or(TileFault::WrongLength)?;
            let length = usize::from(u16::from_be_bytes(*length));
            let (entry, after) = after
                .split_at_checked(length)
                .ok_or(TileFault::WrongLength)?;
            entries.push(entry);
            rest = after;
        }
        if !rest.is_empty() {
            return Err(TileFault::WrongLength);
        }
        Ok(entries)
    }
}

/// The tiles that are new or have grown between two sizes of the tree, level by
/// level from the leaves, at the width that they have at `new_size`. None if
/// the tree has not grown; with `old_size` 0, all tiles of the tree.
pub fn changed_tiles(old_size: u64, new_size: u64) -> impl Iterator<Item = Tile> {
    (0..=TILE_LEVEL_MAX).flat_map(move |level| {
        let nodes_before = old_size >> (TILE_HEIGHT * level);
        let nodes_after = new_size >> (TILE_HEIGHT * level);
        let tile_width = u64::from(TILE_WIDTH);
        // The first tile that lacked a node, to the last one that has any.
        let tiles = if nodes_before < nodes_after {
            nodes_before / tile_width..nodes_after.div_ceil(tile_width)
        } else {
            0..0
        };
        tiles.map(move |index| Tile {
            level,
            index,
            width: width_at(index, nodes_after),
        })
    })
}

/// The bundles that are new or have grown between two sizes of the log; see
/// [`changed_tiles`].
pub fn changed_bundles(old_size: u64, new_size: u64) -> impl Iterator<Item = Bundle> {
    changed_tiles(old_size, new_size)
        .take_while(|tile| tile.level == 0)
        .map(Bundle::beside)
}

/// The tile that holds node (`level`, `index`) in the tree of `size` leaves, at
/// the width that it has there.
///
/// # Errors
/// [`TileFault::NodeOutside`] if the tree has no such complete subtree.
pub fn tile_of(size: u64, level: u8, index: u64) -> Result<Tile, TileFault> {
    let nodes = size.checked_shr(u32::from(level)).unwrap_or(0);
    if index >= nodes {
        return Err(TileFault::NodeOutside);
    }
    let tile_level = level / TILE_HEIGHT;
    let height = level % TILE_HEIGHT;
    // `index << height` is a node of the tile's level within the tree.
    let tile_index = (index << height) / u64::from(TILE_WIDTH);
    Tile::new(
        tile_level,
        tile_index,
        width_at(tile_index, size >> (TILE_HEIGHT * tile_level)),
    )
}

/// Reads node (`level`, `index`) of the tree of `size` leaves from its tile,
/// which `fetch` answers. Partial tiles may be deleted once they have grown, so
/// `fetch` may answer a wider state of the same tile.
///
/// As a closure this is the `get` of [`crate::proof`] and
/// [`crate::tree::Edge::read`].
///
/// # Errors
/// [`ReadFault::Fetch`] with what `fetch` said; [`ReadFault::Tile`] if the tree
/// has no such node or the tile is too short or no tile.
pub fn read_node<E>(
    size: u64,
    level: u8,
    index: u64,
    fetch: &mut dyn FnMut(Tile) -> Result<Vec<u8>, E>,
) -> Result<Hash, ReadFault<E>> {
    let tile = tile_of(size, level, index).map_err(ReadFault::Tile)?;
    let bytes = fetch(tile).map_err(ReadFault::Fetch)?;
    let wrong_length = ReadFault::Tile(TileFault::WrongLength);
    if bytes.len() > usize::from(TILE_WIDTH) * HASH_BYTES || bytes.len() % HASH_BYTES != 0 {
        return Err(wrong_length);
    }
    match bytes.get(..usize::from(tile.width) * HASH_BYTES) {
        None => Err(wrong_length),
        Some(within) => tile.node(within, level, index).map_err(ReadFault::Tile),
    }
}

/// Width of tile `index` of a level that has `nodes` nodes, one of them in it.
fn width_at(index: u64, nodes: u64) -> u16 {
    let width = u64::from(TILE_WIDTH);
    // At most 256, so it fits.
    (nodes - index * width).min(width) as u16
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
