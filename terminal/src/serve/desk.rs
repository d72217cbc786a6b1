//! The screen of the draw desk beside central's pages: balls are entered there, each person blind of
//! the other, and two decide about a draw. What it asks goes to central as the wall's questions do.

use actix_web::web;
use keno_wire::desk::BallRequest;
use keno_wire::request::DrawActionRequest;

use super::assets;
use super::door::json_config;
use super::people;
use super::wall::{self, asks, reads};

/// What is decided of a draw, by its path.
const DECISIONS: [&str; 6] = [
    "/draws/{id}/suspend",
    "/draws/{id}/resume",
    "/draws/{id}/void",
    "/draws/{id}/certification",
    "/draws/{id}/replacement",
    "/draws/{id}/computer",
];

/// The addresses of the draw desk.
pub(super) fn configure(cfg: &mut web::ServiceConfig) {
    assets::configure(
        cfg,
        &[assets::OFFICES, assets::DESK, assets::FRAME, assets::ASKING],
    );
    cfg.app_data(json_config())
        .configure(people::configure_signing)
        .configure(wall::configure);
    reads(cfg, "/agent/desk", "/desk");
    asks::<BallRequest>(cfg, "/draws/{id}/balls");
    for path in DECISIONS {
        asks::<DrawActionRequest>(cfg, path);
    }
}
