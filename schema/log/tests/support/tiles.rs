//! Tiles as whoever monitors a log reads them (C2SP tlog-tiles): which ones a growth changes, a
//! node out of the one that holds it, and the bundles of entries beside them. A house publishes
//! tiles of hashes alone and reads none back, so that nothing of this ships.
//!
//! What is read back is only what the keeper of the tiles says: build a proof from it and check
//! that against a signed root.

use keno_log::hash::{HASH_BYTES, Hash};
use keno_log::tile::{TILE_HEIGHT, TILE_LEVEL_MAX, TILE_WIDTH, Tile, TileFault};
use keno_log::tree::root_of;

/// Longest entry in a bundle, in bytes: its length is a 16-bit number.
pub const ENTRY_BYTES_MAX: usize = u16::MAX as usize;

/// Why the bytes of a tile or a bundle are refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BytesFault {
    /// They are not as many hashes, or entries, as the width says.
    WrongLength,
    /// The node is not within the tree, or not within the tile.
    NodeOutside,
    /// An entry is above [`ENTRY_BYTES_MAX`].
    EntryTooLong,
}

/// Why a node could not be read from tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadFault<E> {
    /// The node or its tile is not as it should be.
    Tile(BytesFault),
    /// The tile could not be fetched.
    Fetch(E),
}

/// Reading a tile.
pub trait Nodes {
    /// Reads node (`level`, `index`) from this tile's `bytes`. Levels between those of the tile and
    /// of the next one up are hashed together here.
    fn node(&self, bytes: &[u8], level: u8, index: u64) -> Result<Hash, BytesFault>;
}

impl Nodes for Tile {
    fn node(&self, bytes: &[u8], level: u8, index: u64) -> Result<Hash, BytesFault> {
        let (hashes, rest) = bytes.as_chunks::<HASH_BYTES>();
        if !rest.is_empty() || hashes.len() != usize::from(self.width()) {
            return Err(BytesFault::WrongLength);
        }
        let outside = BytesFault::NodeOutside;
        // The tile's own root is a node too: that of the level above.
        let height = level
            .checked_sub(self.level() * TILE_HEIGHT)
            .filter(|height| *height <= TILE_HEIGHT)
            .ok_or(outside)?;
        let count = 1_u64 << height;
        let start = index
            .checked_mul(count)
            .and_then(|start| start.checked_sub(self.index() * u64::from(TILE_WIDTH)))
            .and_then(|start| usize::try_from(start).ok())
            .ok_or(outside)?;
        let end = start.checked_add(count as usize).ok_or(outside)?;
        hashes.get(start..end).map(root_of).ok_or(outside)
    }
}

/// One bundle of entries: those whose leaf hashes a tile of level 0 holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bundle(Tile);

impl Bundle {
    /// The bundle of `width` entries (1 to 256), number `index`.
    pub fn new(index: u64, width: u16) -> Result<Self, TileFault> {
        Tile::new(0, index, width).map(Self)
    }

    /// Index in the log of the bundle's first entry.
    pub const fn first_entry(&self) -> u64 {
        self.0.index() * TILE_WIDTH as u64
    }

    /// The path below the log's prefix: `tile/entries/x001/234`, with `.p/5` behind it for a
    /// partial bundle of 5 entries.
    pub fn path(&self) -> String {
        self.0.path().replacen("tile/0/", "tile/entries/", 1)
    }

    /// Reads a path that [`Bundle::path`] wrote; no other spelling is accepted.
    pub fn parse_path(path: &str) -> Result<Self, TileFault> {
        let number = path.strip_prefix("tile/entries/");
        let number = number.ok_or(TileFault::PathInvalid)?;
        Tile::parse_path(&format!("tile/0/{number}")).map(Self)
    }

    /// The bundle's bytes: each entry behind its length.
    pub fn bytes<B: AsRef<[u8]>>(&self, entries: &[B]) -> Result<Vec<u8>, BytesFault> {
        if entries.len() != usize::from(self.0.width()) {
            return Err(BytesFault::WrongLength);
        }
        let mut bytes = Vec::new();
        for entry in entries {
            let entry = entry.as_ref();
            let length = u16::try_from(entry.len()).map_err(|_| BytesFault::EntryTooLong)?;
            bytes.extend_from_slice(&length.to_be_bytes());
            bytes.extend_from_slice(entry);
        }
        Ok(bytes)
    }

    /// The entries in a bundle's bytes.
    pub fn entries<'a>(&self, bytes: &'a [u8]) -> Result<Vec<&'a [u8]>, BytesFault> {
        let short = BytesFault::WrongLength;
        let mut rest = bytes;
        let mut entries = Vec::new();
        for _ in 0..self.0.width() {
            let (length, after) = rest.split_first_chunk().ok_or(short)?;
            let length = usize::from(u16::from_be_bytes(*length));
            let (entry, after) = after.split_at_checked(length).ok_or(short)?;
            entries.push(entry);
            rest = after;
        }
        rest.is_empty().then_some(entries).ok_or(short)
    }
}

/// The tiles that the growth of a tree adds or makes wider.
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
        tiles.map(move |index| Tile::new(level, index, width_at(index, nodes_after)).unwrap())
    })
}

/// The bundles that the growth of a tree adds or makes longer.
pub fn changed_bundles(old_size: u64, new_size: u64) -> impl Iterator<Item = Bundle> {
    changed_tiles(old_size, new_size)
        .take_while(|tile| tile.level() == 0)
        .map(Bundle)
}

/// The tile that holds node (`level`, `index`) of a tree of `size` leaves.
pub fn tile_of(size: u64, level: u8, index: u64) -> Result<Tile, BytesFault> {
    let nodes = size.checked_shr(u32::from(level)).unwrap_or(0);
    if index >= nodes {
        return Err(BytesFault::NodeOutside);
    }
    let tile_level = level / TILE_HEIGHT;
    let height = level % TILE_HEIGHT;
    // `index << height` is a node of the tile's level within the tree.
    let tile_index = (index << height) / u64::from(TILE_WIDTH);
    let width = width_at(tile_index, size >> (TILE_HEIGHT * tile_level));
    Ok(Tile::new(tile_level, tile_index, width).unwrap())
}

/// Reads node (`level`, `index`) of a tree of `size` leaves from tiles. `fetch` may answer with a
/// wider state of the tile that it is asked for: a tile that grew begins as it was.
pub fn read_node<E>(
    size: u64,
    level: u8,
    index: u64,
    fetch: &mut dyn FnMut(Tile) -> Result<Vec<u8>, E>,
) -> Result<Hash, ReadFault<E>> {
    let tile = tile_of(size, level, index).map_err(ReadFault::Tile)?;
    let bytes = fetch(tile).map_err(ReadFault::Fetch)?;
    let wrong_length = ReadFault::Tile(BytesFault::WrongLength);
    if bytes.len() > usize::from(TILE_WIDTH) * HASH_BYTES || bytes.len() % HASH_BYTES != 0 {
        return Err(wrong_length);
    }
    match bytes.get(..usize::from(tile.width()) * HASH_BYTES) {
        None => Err(wrong_length),
        Some(within) => tile.node(within, level, index).map_err(ReadFault::Tile),
    }
}

/// The width of tile `index` of a level that has so many nodes.
fn width_at(index: u64, nodes: u64) -> u16 {
    let width = u64::from(TILE_WIDTH);
    // At most 256, so it fits.
    (nodes - index * width).min(width) as u16
}
