//! The counter's screen: the addresses that its page asks.
//!
//! - `commands`: what moves money, and what becomes of it in doubt.
//! - `hand_over`: a terminal that is left, and the neighbour that goes on.
//! - `till`: the till, and what two people do.
//! - `presentations`: tickets presented as claims, one after the other.
//! - `damaged`: papers whose code cannot be read.
//! - `patron`: a holder who is not paid.

pub(super) mod commands;
mod damaged;
mod hand_over;
pub(super) mod presentations;
mod till;

use crate::serve::object::object;
use actix_web::{HttpResponse, web};
use keno_game::Intake;
use keno_wire::coded::Name;
use keno_wire::slip_code::{RulesInForce, SlipCode, SlipContent};
use keno_words::counter as words;
use serde::Deserialize;

use super::assets;
use super::counter::draft::{self, DraftAsked};
use super::counter::on_sale::OnSale;
use super::door::{Shared, locked, refused};

/// What the page needs to make a slip.
async fn house(shared: web::Data<Shared>) -> HttpResponse {
    let sale = shared.board.on_sale();
    let sale = sale.as_deref();
    HttpResponse::Ok().json(object! {
        // What of the rules a slip needs; none while they are unknown.
        "rules": sale.and_then(OnSale::rules),
        // The rules of later draws, where they are others.
        "later": sale.map_or_else(Vec::new, OnSale::later_rules),
        // The draws on sale.
        "draws": sale.map_or(&[][..], OnSale::draws),
    })
}

/// Tells what a slip in the making comes to, and shows it to the patron.
async fn draft(shared: web::Data<Shared>, asked: web::Json<DraftAsked>) -> HttpResponse {
    // A page that is opened while the screen is locked has a slip too, which nobody sees.
    if locked(&shared).is_some() {
        return HttpResponse::Ok().json(object! { "draft": () });
    }
    let asked = asked.into_inner();
    let sale = shared.board.on_sale();
    let view = sale.and_then(|sale| draft::view(&asked, &sale));
    shared.board.show_draft(view.clone(), asked.is_next);
    // None while no rules are known.
    HttpResponse::Ok().json(object! { "draft": view })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Code {
    code: String,
}

/// Reads the code of a card or a slip, by the rules in force: one that was made under others is
/// refused, with the reason.
async fn slip_code(shared: web::Data<Shared>, asked: web::Json<Code>) -> HttpResponse {
    if let Some(refusal) = locked(&shared) {
        return refusal;
    }
    let sale = shared.board.on_sale();
    let Some(book) = sale.as_ref().and_then(|sale| sale.book()) else {
        return refused("rules_unknown", 503, &words::RulesNotKnownYet);
    };
    let in_force = RulesInForce {
        rules: &book.rules,
        rules_place_fr: &book.texts.rules_place_fr,
        rules_place_en: &book.texts.rules_place_en,
    };
    let read = SlipCode::parse(&asked.code)
        .and_then(|code| code.slip(in_force).map(|slip| (code.content, slip)));
    match read {
        Ok((content, slip)) => {
            // As it is recorded.
            let intake = Name::Known(match content {
                SlipContent::Blank { .. } => Intake::Slip,
                SlipContent::Express { .. } => Intake::Express,
                SlipContent::ESlip(_) => Intake::ESlip,
            });
            // There is no slip where people have marked one.
            HttpResponse::Ok().json(object! { "intake": intake, "slip": slip })
        }
        // The code was read and judged: that is an answer, and no failure of the question.
        Err(refusal) => refused(refusal.name(), 200, &refusal),
    }
}

/// The addresses of a counter.
pub(super) fn configure(cfg: &mut web::ServiceConfig) {
    assets::configure(cfg, &[assets::FRAME, assets::ASKING, assets::COUNTER]);
    cfg.route("/agent/house", web::get().to(house))
        .route("/agent/draft", web::post().to(draft))
        .route("/agent/slip-codes", web::post().to(slip_code));
    commands::configure(cfg);
    hand_over::configure(cfg);
    presentations::configure(cfg);
    till::configure(cfg);
    damaged::configure(cfg);
}
