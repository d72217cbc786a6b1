//! The screens of the draw desk beside central's pages: balls are entered there, each person blind of
//! the other, and two decide about a draw, or about the draw room. What they ask goes to central as the
//! wall's questions do.

use actix_web::web;
use keno_wire::desk::BallRequest;
use keno_wire::request::DrawActionRequest;
use keno_wire::room::{
    AgreementRequest, ChoiceRequest, EndRequest, IncidentRequest, MeasureRequest, OpeningRequest,
};

use super::assets;
use super::door::json_config;
use super::people;
use super::scanner_door;
use super::wall::{self, asks, reads};

/// What is decided of a draw, by its path.
const DECISIONS: [&str; 7] = [
    "/draws/{id}/suspend",
    "/draws/{id}/resume",
    "/draws/{id}/void",
    "/draws/{id}/certification",
    "/draws/{id}/replacement",
    "/draws/{id}/computer",
    "/draws/{id}/postponement",
];

/// The addresses of the draw desk.
pub(super) fn configure(cfg: &mut web::ServiceConfig) {
    assets::configure(
        cfg,
        &[assets::OFFICES, assets::DESK, assets::FRAME, assets::ASKING],
    );
    cfg.app_data(json_config())
        .configure(people::configure_signing)
        .configure(scanner_door::configure)
        .configure(wall::configure);
    reads(cfg, "/agent/desk", "/desk");
    asks::<BallRequest>(cfg, "/draws/{id}/balls");
    for path in DECISIONS {
        asks::<DrawActionRequest>(cfg, path);
    }
    reads(cfg, "/agent/room", "/room");
    asks::<MeasureRequest>(cfg, "/room/measures");
    asks::<ChoiceRequest>(cfg, "/room/choice");
    asks::<OpeningRequest>(cfg, "/room/opening");
    asks::<EndRequest>(cfg, "/room/end");
    asks::<AgreementRequest>(cfg, "/room/agreement");
    asks::<IncidentRequest>(cfg, "/room/incidents");
}
