//! The screen of the back office beside central's pages: its people sign on, lock it and leave, and
//! change express picks and limits. It has no till and sells nothing; what it asks goes to central
//! as the wall's questions do.

use actix_web::web;
use keno_wire::amendment::{AmendRequest, PreviewRequest};

use super::counter::{self, HTML, SCRIPT, STYLE};
use super::http::{Shared, asset, choose_pin, json_config, sign_off, sign_on};
use super::wall::{approval, ask, read, step};

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

const FILES: [(&str, &str, &str); 7] = [
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
    ("/changes.css", STYLE, include_str!("pages/changes.css")),
    (
        "/changes.js",
        SCRIPT,
        include_str!("pages/counter/changes.js"),
    ),
];

/// What its pages share with those of a counter.
const SHARED: [&str; 9] = [
    "/ask.js",
    "/counter.css",
    "/device.js",
    "/dom.js",
    "/draft.js",
    "/en.json",
    "/fr.json",
    "/frame.js",
    "/words.js",
];

/// The addresses of the back office.
pub(super) fn configure(cfg: &mut web::ServiceConfig) {
    let shared = counter::FILES.iter().copied();
    let shared = shared.filter(|(path, ..)| SHARED.contains(path));
    for (path, kind, body) in FILES.into_iter().chain(shared) {
        cfg.route(path, web::get().to(move || asset(kind, body)));
    }
    cfg.app_data(json_config())
        .route("/agent/sign-on", web::post().to(sign_on))
        .route("/agent/pin", web::post().to(choose_pin))
        .route("/agent/sign-off", web::post().to(sign_off))
        .route("/agent/lock", web::post().to(counter::lock))
        .route("/agent/unlock", web::post().to(counter::unlock))
        .route("/agent/relief", web::post().to(counter::relief))
        .route("/agent/here", web::post().to(counter::here))
        .route("/agent/approvals", web::post().to(ask))
        .route("/agent/approvals/{id}", web::get().to(approval))
        .route("/agent/amendments", web::get().to(amendable))
        .route("/agent/amendments", web::post().to(amend))
        .route("/agent/amendments/preview", web::post().to(preview));
}
