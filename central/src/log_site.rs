//! The published log: checkpoints, tiles, public facts, proofs.
//!
//! Headers and hashes are for anyone. Bodies are shown for public kinds only, and those that
//! would tell a number before its moment only once the last number of their draw was shown.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use actix_web::http::header;
use actix_web::{HttpResponse, web};
use keno_log::hash::Hash;
use keno_log::proof::{BuildFault, consistency_proof, inclusion_proof};
use keno_log::tile::{TILE_HEIGHT, TILE_WIDTH, Tile};
use keno_log::{EventKind, tree};
use keno_record::calendar::day_text;
use keno_record::fault::Fault;
use keno_record::store::{house, log, unbig};
use keno_schema::Connection;
use keno_service::Central;
use keno_service::Stop;
use keno_service::refusal::Refusal;
use serde::Deserialize;

use crate::api::Query;
use crate::api::openapi::Problems;
use crate::api::types::{ConsistencyReply, EntryReply, InclusionReply};
use crate::problem::ApiError;
use crate::server::{App, Endpoint, blocking};

/// The addresses under `/log`.
pub fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get("/log/checkpoint", web::to(checkpoint)),
        Endpoint::get("/log/tile/{tile:.*}", web::to(tile)),
        Endpoint::get("/log/entries/{index}", web::to(entry)),
        Endpoint::get("/log/epochs", web::to(epochs)),
        Endpoint::get("/log/inclusion/{index}", web::to(inclusion)),
        Endpoint::get("/log/consistency", web::to(consistency)),
    ]
}

const IMMUTABLE: &str = "public, max-age=31536000, immutable";

/// Roots of full tiles that were computed before: they never change, and a proof over millions
/// of leaves need not read them all again. 32 bytes for every 256 leaves.
#[derive(Debug, Default)]
pub struct TileRoots(Mutex<HashMap<u64, Hash>>);

impl TileRoots {
    fn get(&self, tile: u64) -> Option<Hash> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&tile)
            .copied()
    }

    fn keep(&self, tile: u64, root: Hash) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(tile, root);
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

/// The newest signed checkpoint.
#[utoipa::path(
    get, path = "/log/checkpoint", tag = "log", operation_id = "checkpoint",
    responses((status = 200, description = "A signed note (C2SP tlog-checkpoint)", body = String, content_type = "text/plain"), Problems)
)]
pub(crate) async fn checkpoint(app: web::Data<App>) -> Result<HttpResponse, ApiError> {
    let newest = app.central.checkpoint().ok_or(Refusal::RecordUnavailable)?;
    Ok(HttpResponse::Ok()
        .content_type("text/plain; charset=utf-8")
        .body(newest.note.clone()))
}

/// Leaves under the newest signed checkpoint: what lies beyond is not published yet.
fn signed_size(app: &App) -> u64 {
    app.central.checkpoint().map_or(0, |newest| newest.size)
}

/// Hashes of a tile (C2SP tlog-tiles, height 8): those of leaves at level 0.
#[utoipa::path(
    get, path = "/log/tile/{tile}", tag = "log", operation_id = "tile",
    params(("tile" = String, Path, description = "Level and number, such as `0/x001/234`, with `.p/5` behind a partial one", example = "0/000.p/1")),
    responses((status = 200, description = "Hashes of 32 bytes", body = Vec<u8>, content_type = "application/octet-stream"), Problems)
)]
pub(crate) async fn tile(
    app: web::Data<App>,
    path: web::Path<String>,
) -> Result<HttpResponse, ApiError> {
    let tile = Tile::parse_path(&format!("tile/{path}")).map_err(|_| Refusal::RecordUnknown)?;
    let size = signed_size(&app);
    let nodes = size >> (u32::from(TILE_HEIGHT) * u32::from(tile.level()));
    let end = tile.index() * u64::from(TILE_WIDTH) + u64::from(tile.width());
    if end > nodes {
        return Err(Refusal::RecordUnknown.into());
    }
    let bytes = blocking(move || {
        let mut reader = app.central.readers.get()?;
        let mut tree = TreeReader::new(&mut reader, &app.tile_roots, size);
        Ok(tile.bytes(&mut |level, index| tree.node(level, index))?)
    })
    .await?;
    let cache = if tile.is_full() {
        IMMUTABLE
    } else {
        "no-cache"
    };
    Ok(HttpResponse::Ok()
        .content_type("application/octet-stream")
        .insert_header((header::CACHE_CONTROL, cache))
        .body(bytes))
}

/// Whether the body of a public fact may be shown at `now_ms`.
fn may_show(central: &Central, kind: EventKind, draw: u64) -> Result<bool, Fault> {
    if !kind.is_public() {
        return Ok(false);
    }
    let tells_numbers = matches!(
        kind,
        EventKind::BallsRecorded
            | EventKind::DrawCertified
            | EventKind::SecretsRevealed
            | EventKind::DrawSettled
    );
    if !tells_numbers {
        return Ok(true);
    }
    let now_ms = central.clock.now_ms();
    let interval_ms = central.schedule.ball_interval_ms;
    Ok(central.draw_range(draw, draw)?.first().is_some_and(|draw| {
        draw.reveal_ends_ms(interval_ms)
            .is_some_and(|ends_ms| now_ms >= ends_ms)
    }))
}

fn entry_reply(central: &Central, index: u64) -> Result<EntryReply, Stop> {
    let row = {
        let mut reader = central.readers.get()?;
        log::entry(&mut reader, index)?.ok_or(Refusal::RecordUnknown)?
    };
    let (entry, leaf_hash) = log::checked_entry(&row)?;
    let leaf = &entry.leaf;
    let is_shown = may_show(central, leaf.header.kind, leaf.header.draw)?;
    Ok(EntryReply {
        index: unbig(row.leaf_index),
        kind: leaf.header.kind.name().to_owned(),
        at_ms: leaf.header.at_ms,
        business_day: day_text(leaf.header.business_day),
        draw: leaf.header.draw,
        leaf: hex::encode(&row.leaf),
        leaf_hash: hex::encode(leaf_hash),
        nonce: is_shown.then(|| hex::encode(entry.nonce)),
        body: is_shown.then(|| hex::encode(&entry.body)),
    })
}

/// One entry: header and leaf always, the body of public facts when it may be shown.
#[utoipa::path(
    get, path = "/log/entries/{index}", tag = "log", operation_id = "entry",
    params(("index" = u64, Path, description = "Leaf index", example = 0)),
    responses((status = 200, description = "The entry", body = EntryReply), Problems)
)]
pub(crate) async fn entry(
    app: web::Data<App>,
    path: web::Path<String>,
) -> Result<web::Json<EntryReply>, ApiError> {
    let index = path.parse().map_err(|_| Refusal::RecordUnknown)?;
    let central = app.central.clone();
    let reply = blocking(move || entry_reply(&central, index)).await?;
    Ok(web::Json(reply))
}

/// The leaves that opened the later epochs of the log, in their order; none for a log that was
/// never restored (`FORMAT.md`, "Epochs").
#[utoipa::path(
    get, path = "/log/epochs", tag = "log", operation_id = "epochs",
    responses((status = 200, description = "The entries of kind `EpochOpened`", body = Vec<EntryReply>), Problems)
)]
pub(crate) async fn epochs(app: web::Data<App>) -> Result<web::Json<Vec<EntryReply>>, ApiError> {
    let size = signed_size(&app);
    let reply = blocking(move || {
        let rows = house::epochs(&mut *app.central.readers.get()?)?;
        rows.iter()
            .map(|row| unbig(row.leaf))
            .filter(|leaf| *leaf < size)
            .map(|leaf| entry_reply(&app.central, leaf))
            .collect()
    })
    .await?;
    Ok(web::Json(reply))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct InclusionQuery {
    size: u64,
}

fn no_proof(fault: BuildFault<Fault>) -> Stop {
    match fault {
        BuildFault::Read(fault) => fault.into(),
        BuildFault::IndexOutside | BuildFault::SizeBackwards => Refusal::RecordUnknown.into(),
    }
}

/// A proof that a leaf is in the tree of `size` leaves.
#[utoipa::path(
    get, path = "/log/inclusion/{index}", tag = "log", operation_id = "inclusion",
    params(
        ("index" = u64, Path, description = "Leaf index", example = 0),
        ("size" = u64, Query, description = "Leaves of the tree", example = 2)
    ),
    responses((status = 200, description = "The proof", body = InclusionReply), Problems)
)]
pub(crate) async fn inclusion(
    app: web::Data<App>,
    path: web::Path<String>,
    Query(query): Query<InclusionQuery>,
) -> Result<web::Json<InclusionReply>, ApiError> {
    let index: u64 = path.parse().map_err(|_| Refusal::RecordUnknown)?;
    let size = query.size;
    if index >= size || size > signed_size(&app) {
        return Err(Refusal::RecordUnknown.into());
    }
    let reply = blocking(move || {
        let mut reader = app.central.readers.get()?;
        let mut tree = TreeReader::new(&mut reader, &app.tile_roots, size);
        let proof = inclusion_proof(index, size, &mut |level, index| tree.node(level, index))
            .map_err(no_proof)?;
        Ok(InclusionReply {
            index,
            size,
            leaf_hash: hex::encode(tree.node(0, index)?),
            proof: proof.iter().map(hex::encode).collect(),
        })
    })
    .await?;
    Ok(web::Json(reply))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ConsistencyQuery {
    from: u64,
    to: u64,
}

/// A proof that the tree of `from` leaves is the beginning of the tree of `to`.
#[utoipa::path(
    get, path = "/log/consistency", tag = "log", operation_id = "consistency",
    params(
        ("from" = u64, Query, description = "Leaves of the older tree", example = 1),
        ("to" = u64, Query, description = "Leaves of the newer tree", example = 2)
    ),
    responses((status = 200, description = "The proof", body = ConsistencyReply), Problems)
)]
pub(crate) async fn consistency(
    app: web::Data<App>,
    Query(query): Query<ConsistencyQuery>,
) -> Result<web::Json<ConsistencyReply>, ApiError> {
    let ConsistencyQuery { from, to } = query;
    if from > to || to > signed_size(&app) {
        return Err(Refusal::RecordUnknown.into());
    }
    let reply = blocking(move || {
        let mut reader = app.central.readers.get()?;
        let mut tree = TreeReader::new(&mut reader, &app.tile_roots, to);
        let proof = consistency_proof(from, to, &mut |level, index| tree.node(level, index))
            .map_err(no_proof)?;
        Ok(ConsistencyReply {
            from,
            to,
            proof: proof.iter().map(hex::encode).collect(),
        })
    })
    .await?;
    Ok(web::Json(reply))
}
