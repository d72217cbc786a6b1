//! The published log: checkpoints, tiles, public facts, proofs.
//!
//! Headers and hashes are for anyone. Bodies are shown for public kinds only, and those that
//! would tell a number before its moment only once the last number of their draw was shown.

use actix_web::HttpResponse;
use actix_web::http::header;
use keno_log::EventKind;
use keno_log::proof::{BuildFault, consistency_proof, inclusion_proof};
use keno_log::tile::{TILE_HEIGHT, TILE_WIDTH, Tile};
use keno_record::calendar::day_text;
use keno_record::fault::Fault;
use keno_record::log_tree::TreeReader;
use keno_record::past_draws::draw_range;
use keno_record::store::log;
use keno_service::refusal::Refusal;
use keno_service::{Central, Stop};
use serde::Deserialize;

use super::handler::{ApiError, App, Reply, blocking, look, web};
use super::types::{
    ConsistencyReply, CosignatureReply, CosignatureRequest, EntryReply, InclusionReply,
};
use crate::request::body::{Body, Query};

const IMMUTABLE: &str = "public, max-age=31536000, immutable";

/// The newest signed checkpoint.
#[utoipa::path(
    get, path = "/log/checkpoint", tag = "log", operation_id = "checkpoint",
    responses((status = 200, description = "A signed note (C2SP tlog-checkpoint)", body = String, content_type = "text/plain"))
)]
pub(crate) async fn checkpoint(app: web::Data<App>) -> Result<HttpResponse, ApiError> {
    let newest = app.central.checkpoint().ok_or(Refusal::RecordUnavailable)?;
    Ok(HttpResponse::Ok()
        .content_type("text/plain; charset=utf-8")
        .body(newest.note.clone()))
}

/// Whose cosignature is asked for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct By {
    by: Option<String>,
}

/// The newest checkpoint that somebody beside the log has cosigned, the follower or a witness, or that
/// one of them has: its leaves lie on another machine too, unchanged.
#[utoipa::path(
    get, path = "/log/cosigned", tag = "log", operation_id = "cosigned",
    params(("by" = Option<String>, Query, description = "Name of who cosigned", example = "audit-office")),
    responses((status = 200, description = "A signed note with a cosignature (C2SP tlog-cosignature)", body = String, content_type = "text/plain"))
)]
pub(crate) async fn cosigned(
    app: web::Data<App>,
    Query(asked): Query<By>,
) -> Result<HttpResponse, ApiError> {
    let newest = app.central.checkpoint().ok_or(Refusal::RecordUnavailable)?;
    let note = app.central.cosignatures.note(&newest, asked.by.as_deref());
    Ok(HttpResponse::Ok()
        .content_type("text/plain; charset=utf-8")
        .body(note.ok_or(Refusal::RecordUnknown)?))
}

/// Hand in a checkpoint of this log that a witness whom the house names has cosigned.
#[utoipa::path(
    post, path = "/log/cosigned", tag = "log", operation_id = "take_cosignature",
    request_body(content = CosignatureRequest, example = json!({"note": "boulier/demo\n1\n…"})),
    responses((status = 200, description = "Who cosigned it", body = CosignatureReply))
)]
pub(crate) async fn take_cosignature(
    app: web::Data<App>,
    Body(asked): Body<CosignatureRequest>,
) -> Reply<CosignatureReply> {
    let taken = move || app.central.cosignatures.take(&app.central, &asked.note);
    Ok(web::Json(CosignatureReply {
        by: blocking(taken).await?,
    }))
}

/// Leaves under the newest signed checkpoint: what lies beyond is not published yet.
fn signed_size(app: &App) -> u64 {
    app.central.checkpoint().map_or(0, |newest| newest.size)
}

/// Hashes of a tile (C2SP tlog-tiles, height 8): those of leaves at level 0.
#[utoipa::path(
    get, path = "/log/tile/{tile}", tag = "log", operation_id = "tile",
    params(("tile" = String, Path, description = "Level and number, such as `0/x001/234`, with `.p/5` behind a partial one", example = "0/000.p/1")),
    responses((status = 200, description = "Hashes of 32 bytes", body = Vec<u8>, content_type = "application/octet-stream"))
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
        let mut tree = TreeReader::new(&mut reader, &app.central.tile_roots, size);
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
            | EventKind::HostsSigned
            | EventKind::DrawCertified
            | EventKind::SecretsRevealed
            | EventKind::DrawSettled
    );
    if !tells_numbers {
        return Ok(true);
    }
    let now_ms = central.clock.now_ms();
    let interval_ms = central.schedule.ball_interval_ms;
    Ok(draw_range(central, draw, draw)?
        .first()
        .is_some_and(|draw| {
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
        index: row.leaf_index,
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
    responses((status = 200, description = "The entry", body = EntryReply))
)]
pub(crate) async fn entry(app: web::Data<App>, path: web::Path<String>) -> Reply<EntryReply> {
    let index = path.parse().map_err(|_| Refusal::RecordUnknown)?;
    look(move || entry_reply(&app.central, index)).await
}

/// The leaves that opened the later epochs of the log, in their order; none for a log that was
/// never restored (`FORMAT.md`, "Epochs").
#[utoipa::path(
    get, path = "/log/epochs", tag = "log", operation_id = "epochs",
    responses((status = 200, description = "The entries of kind `EpochOpened`", body = Vec<EntryReply>))
)]
pub(crate) async fn epochs(app: web::Data<App>) -> Reply<Vec<EntryReply>> {
    let size = signed_size(&app);
    look(move || {
        let view = app.central.view.get();
        let later = view.epochs.later().iter();
        later
            .map(|opened| opened.first)
            .filter(|leaf| *leaf < size)
            .map(|leaf| entry_reply(&app.central, leaf))
            .collect()
    })
    .await
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
    responses((status = 200, description = "The proof", body = InclusionReply))
)]
pub(crate) async fn inclusion(
    app: web::Data<App>,
    path: web::Path<String>,
    Query(query): Query<InclusionQuery>,
) -> Reply<InclusionReply> {
    let index: u64 = path.parse().map_err(|_| Refusal::RecordUnknown)?;
    let size = query.size;
    if index >= size || size > signed_size(&app) {
        return Err(Refusal::RecordUnknown.into());
    }
    look(move || {
        let mut reader = app.central.readers.get()?;
        let mut tree = TreeReader::new(&mut reader, &app.central.tile_roots, size);
        let proof = inclusion_proof(index, size, &mut |level, index| tree.node(level, index))
            .map_err(no_proof)?;
        Ok(InclusionReply {
            index,
            size,
            leaf_hash: hex::encode(tree.node(0, index)?),
            proof: proof.iter().map(hex::encode).collect(),
        })
    })
    .await
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
    responses((status = 200, description = "The proof", body = ConsistencyReply))
)]
pub(crate) async fn consistency(
    app: web::Data<App>,
    Query(query): Query<ConsistencyQuery>,
) -> Reply<ConsistencyReply> {
    let ConsistencyQuery { from, to } = query;
    if from > to || to > signed_size(&app) {
        return Err(Refusal::RecordUnknown.into());
    }
    look(move || {
        let mut reader = app.central.readers.get()?;
        let mut tree = TreeReader::new(&mut reader, &app.central.tile_roots, to);
        let proof = consistency_proof(from, to, &mut |level, index| tree.node(level, index))
            .map_err(no_proof)?;
        Ok(ConsistencyReply {
            from,
            to,
            proof: proof.iter().map(hex::encode).collect(),
        })
    })
    .await
}
