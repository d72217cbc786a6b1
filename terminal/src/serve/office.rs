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
use super::door::{HTML, SCRIPT, STYLE, Shared, asset, json_config};
use super::wall::{self, read, step, step_then};
use super::{people, screen};

async fn amendable(shared: web::Data<Shared>) -> actix_web::HttpResponse {
    read(&shared, "/rules/amendments".to_owned()).await
}

async fn preview(
    shared: web::Data<Shared>,
    asked: web::Json<PreviewRequest>,
) -> actix_web::HttpResponse {
    let path = "/rules/amendments/preview".to_owned();
    step(&shared, path, asked.into_inner()).await
}

async fn amend(
    shared: web::Data<Shared>,
    asked: web::Json<AmendRequest>,
) -> actix_web::HttpResponse {
    step(&shared, "/rules/amendments".to_owned(), asked.into_inner()).await
}

async fn people(shared: web::Data<Shared>) -> actix_web::HttpResponse {
    read(&shared, "/people".to_owned()).await
}

/// What two people, or one, ask of the staff, as central reads it.
fn asks<Asked>(path: &'static str) -> actix_web::Route
where
    Asked: serde::de::DeserializeOwned + Serialize + Send + 'static,
{
    let handler = move |shared: web::Data<Shared>, asked: web::Json<Asked>| async move {
        step(&shared, path.to_owned(), asked.into_inner()).await
    };
    web::post().to(handler)
}

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

const FILES: [(&str, &str, &str); 8] = [
    ("/office", HTML, include_str!("pages/office.html")),
    (
        "/office.js",
        SCRIPT,
        include_str!("pages/counter/office.js"),
    ),
    ("/limits", HTML, include_str!("pages/limits.html")),
    ("/limits.css", STYLE, include_str!("pages/limits.css")),
    (
        "/limits.js",
        SCRIPT,
        include_str!("pages/counter/limits.js"),
    ),
    ("/staff", HTML, include_str!("pages/staff.html")),
    ("/staff.css", STYLE, include_str!("pages/staff.css")),
    ("/staff.js", SCRIPT, include_str!("pages/counter/staff.js")),
];

/// What its pages share with those of a counter.
const SHARED: [&str; 11] = [
    "/ask.js",
    "/counter.css",
    "/damaged.js",
    "/device.js",
    "/dom.js",
    "/draft.js",
    "/en.json",
    "/fr.json",
    "/frame.js",
    "/redraw.js",
    "/words.js",
];

/// The addresses of the back office.
pub(super) fn configure(cfg: &mut web::ServiceConfig) {
    let shared = screen::FILES.iter().copied();
    let shared = shared.filter(|(path, ..)| SHARED.contains(path));
    for (path, kind, body) in FILES.into_iter().chain(shared) {
        cfg.route(path, web::get().to(move || asset(kind, body)));
    }
    cfg.app_data(json_config())
        .configure(people::configure_signing)
        .configure(wall::configure)
        .route("/agent/people", web::get().to(people))
        .route("/agent/people", asks::<PersonRequest>("/people"))
        .route(
            "/agent/people/withdraw",
            asks::<WithdrawRequest>("/people/withdraw"),
        )
        .route("/agent/people/card", web::post().to(card))
        .route(
            "/agent/people/acting/naming",
            asks::<NameActingRequest>("/people/acting/naming"),
        )
        .route(
            "/agent/people/acting",
            asks::<MakeActingRequest>("/people/acting"),
        )
        .route(
            "/agent/people/pin/reset",
            asks::<ResetPinRequest>("/people/pin/reset"),
        )
        .route("/agent/badges/lift", asks::<Lift>("/badges/lift"))
        .route("/agent/amendments", web::get().to(amendable))
        .route("/agent/amendments", web::post().to(amend))
        .route("/agent/amendments/preview", web::post().to(preview));
}
