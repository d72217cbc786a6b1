//! What the pages ask about scanners, and how the keyboard that is none is registered.

use actix_web::{HttpResponse, web};
use serde::Deserialize;

use super::door::{Shared, locked};
use crate::scanner::meaning;
use crate::serve::object::object;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Number {
    number: u64,
}

/// What the scanner read, to the page that asks first.
async fn scan(shared: web::Data<Shared>, asked: web::Json<Number>) -> HttpResponse {
    // Whoever reads the code can claim: it waits for the person who is signed on.
    if let Some(refusal) = locked(&shared) {
        return refusal;
    }
    shared.lock.touch();
    // None when another page has it already.
    HttpResponse::Ok().json(object! { "text": shared.scans.take(asked.number) })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Texts {
    /// What a scanner typed into the page: by the layout of this machine, and by its own.
    read: Vec<String>,
}

/// Makes a code of what a scanner typed.
async fn read(shared: web::Data<Shared>, asked: web::Json<Texts>) -> HttpResponse {
    let texts: Vec<&[u8]> = asked.read.iter().map(String::as_bytes).collect();
    let text = meaning::read(&texts, shared.scans.settings());
    HttpResponse::Ok().json(object! { "text": text })
}

/// How scans come in, for a page that has just been opened.
async fn scanner_kind(shared: web::Data<Shared>) -> HttpResponse {
    let settings = shared.scans.settings();
    HttpResponse::Ok().json(object! {
        "kind": settings.kind,
        "class": shared.scans.class(),
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Register {
    /// Whether it is begun, or left.
    begin: bool,
}

/// Registers the keyboard: what is shown is typed on it. It moves nothing, and whoever stands here can
/// pull and plug as well.
async fn register(shared: web::Data<Shared>, asked: web::Json<Register>) -> HttpResponse {
    match shared.scans.register(asked.begin) {
        Ok(()) => HttpResponse::Ok().json(object! { "digits": shared.scans.digits() }),
        Err(error) => {
            tracing::error!(%error, "chance");
            HttpResponse::InternalServerError().finish()
        }
    }
}

/// The addresses of every device that people work at.
pub(super) fn configure(cfg: &mut web::ServiceConfig) {
    cfg.route("/agent/scanner", web::get().to(scanner_kind))
        .route("/agent/scans", web::post().to(scan))
        .route("/agent/scans/read", web::post().to(read))
        .route("/agent/keyboard", web::post().to(register));
}
