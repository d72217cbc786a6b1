//! The screen of the back office beside central's pages: its people sign on, lock it and leave,
//! change express picks and limits, record who is on the staff, and see the wall. It has no till and
//! sells nothing; what it asks goes to central as the wall's questions do.

use actix_web::web;
use keno_wire::amendment::{AmendRequest, PreviewRequest};
use keno_wire::people::{
    CardRequest, MakeActingRequest, NameActingRequest, PersonRequest, ResetPinRequest,
    WithdrawRequest,
};
use keno_wire::request::SecondPerson;
use serde::{Deserialize, Serialize};

use super::code_image::code_image;
use super::door::{Shared, json_config};
use super::wall::{self, asks, asks_at, reads, step_then};
use super::{assets, people, scanner_door};

/// A card is made: what its code says comes with its image.
async fn card(shared: web::Data<Shared>, asked: web::Json<CardRequest>) -> actix_web::HttpResponse {
    let with_image = |mut reply: serde_json::Value| {
        let text = reply["text"].as_str().unwrap_or_default().to_owned();
        reply["svg"] = code_image(&text, qrcode::EcLevel::M).into();
        reply
    };
    let path = "/people/card".to_owned();
    step_then(&shared, path, asked.into_inner(), with_image).await
}

/// Who lifts what keeps a badge out, beside whoever is signed on.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Lift {
    badge: String,
    second: SecondPerson,
}

/// The addresses of the back office.
pub(super) fn configure(cfg: &mut web::ServiceConfig) {
    assets::configure(
        cfg,
        &[
            assets::OFFICES,
            assets::OFFICE,
            assets::FRAME,
            assets::ASKING,
        ],
    );
    cfg.app_data(json_config())
        .configure(people::configure_signing)
        .configure(scanner_door::configure)
        .configure(wall::configure)
        .route("/agent/people/card", web::post().to(card));
    reads(cfg, "/agent/people", "/people");
    asks::<PersonRequest>(cfg, "/people");
    asks::<WithdrawRequest>(cfg, "/people/withdraw");
    asks::<NameActingRequest>(cfg, "/people/acting/naming");
    asks::<MakeActingRequest>(cfg, "/people/acting");
    asks::<ResetPinRequest>(cfg, "/people/pin/reset");
    asks::<Lift>(cfg, "/badges/lift");
    let (address, path) = ("/agent/amendments", "/rules/amendments");
    reads(cfg, address, path);
    asks_at::<AmendRequest>(cfg, address, path);
    let (address, path) = ("/agent/amendments/preview", "/rules/amendments/preview");
    asks_at::<PreviewRequest>(cfg, address, path);
}
