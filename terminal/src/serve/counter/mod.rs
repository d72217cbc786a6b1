//! The counter's screen: what it asks of this device beside the commands that move money.
//!
//! - `on_sale`: draws and rules, as central last told them.
//! - `draft`: what a slip in the making comes to.
//! - `split`: what to offer for ways that groups do not generate.
//! - `damaged`: papers whose code cannot be read.
//! - `customer`: what the patron's screen shows.
//! - `lock`: a screen that nobody is in front of.
//! - `presentations`: tickets presented as claims, one after the other.
//! - `till`: the till, and what two people do.
//! - `patron`: a holder who is not paid.

pub(super) mod customer;
mod damaged;
pub(super) mod draft;
pub(super) mod lock;
pub(super) mod on_sale;
mod patron;
pub(super) mod presentations;
mod split;
mod till;

use actix_web::{HttpResponse, web};
use keno_wire::people::Signer;
use keno_wire::request::UnlockRequest;
use keno_wire::slip_code::{RulesInForce, SlipCode, SlipContent};
use serde::{Deserialize, Serialize};

use self::draft::{Confirm, DraftAsked, DraftView};
use super::http::{Needs, Shared, asset, give, refused, signs_on};
use crate::agent::Agent;
use crate::exit::Exit;

/// What the page needs to make a slip.
#[derive(Serialize)]
struct House {
    /// What of the rules a slip needs; none while they are unknown.
    rules: Option<on_sale::RulesView>,
    /// The rules of later draws, where they are others.
    later: Vec<on_sale::LaterRulesView>,
    /// The draws on sale.
    draws: Vec<keno_wire::counter::SaleDraw>,
}

async fn house(shared: web::Data<Shared>) -> HttpResponse {
    let sale = shared.board.on_sale();
    HttpResponse::Ok().json(House {
        rules: sale.as_ref().and_then(|sale| sale.rules()),
        later: sale
            .as_ref()
            .map_or_else(Vec::new, |sale| sale.later_rules()),
        draws: sale.map_or_else(Vec::new, |sale| sale.draws().to_vec()),
    })
}

#[derive(Serialize)]
struct Drafted {
    /// What it comes to; none while no rules are known.
    draft: Option<DraftView>,
}

/// Tells what a slip in the making comes to, and shows it to the patron.
async fn draft(shared: web::Data<Shared>, asked: web::Json<DraftAsked>) -> HttpResponse {
    // A page that is opened while the screen is locked has a slip too, which nobody sees.
    if locked(&shared).is_some() {
        return HttpResponse::Ok().json(Drafted { draft: None });
    }
    let asked = asked.into_inner();
    let sale = shared.board.on_sale();
    let view = sale.and_then(|sale| draft::view(&asked, &sale));
    shared.board.show_draft(view.clone(), asked.is_next);
    HttpResponse::Ok().json(Drafted { draft: view })
}

/// Why a screen does nothing.
#[derive(Debug, Serialize)]
pub(super) struct Left {
    name: &'static str,
    title: Sentence,
}

#[derive(Debug, Serialize)]
struct Sentence {
    fr: &'static str,
    en: &'static str,
}

const LOCKED: Left = Left {
    name: "terminal_locked",
    title: Sentence {
        fr: "Ce terminal est verrouillé.",
        en: "This terminal is locked.",
    },
};

pub(super) const UNTOUCHED: Left = Left {
    name: "terminal_left",
    title: Sentence {
        fr: "Personne n’a touché à ce terminal depuis longtemps : son écran est fermé.",
        en: "Nobody has touched this terminal for a long time: its screen is closed.",
    },
};

/// Why this screen shows nothing of its person's: it is locked, or nobody touched it for so long
/// that it would be if it could.
pub(super) fn left(shared: &Shared) -> Option<&'static Left> {
    if shared.lock.is_locked() {
        return Some(&LOCKED);
    }
    shared.lock.is_due().then_some(&UNTOUCHED)
}

pub(super) fn refusal_of(left: &Left) -> HttpResponse {
    refused(left.name, 423, left.title.fr, left.title.en)
}

/// The refusal of a screen that is locked.
pub(super) fn locked(shared: &Shared) -> Option<HttpResponse> {
    shared.lock.is_locked().then(|| refusal_of(&LOCKED))
}

/// Refuses a sale that was not confirmed as its price asks for; nothing has been done.
pub(super) fn unconfirmed(
    shared: &Shared,
    slip: &keno_wire::request::Slip,
    total_cents: i64,
    is_replay: bool,
    (how, typed_cents): (Confirm, Option<i64>),
) -> Option<HttpResponse> {
    let sale = shared.board.on_sale()?;
    // Where no rules are known at all, central alone judges; the rules of another draw judge nothing.
    sale.book()?;
    let Some(book) = sale.book_for(slip.first_draw) else {
        return Some(refused(
            draft::RULES_UNKNOWN,
            503,
            draft::RULES_UNKNOWN_FR,
            draft::RULES_UNKNOWN_EN,
        ));
    };
    let needed = draft::confirm(&book.rules, slip, total_cents, is_replay).how;
    if how < needed {
        return Some(refused(
            "confirm_needed",
            409,
            "Cette vente se confirme par une autre touche : dites la mise totale au joueur.",
            "This sale is confirmed by another key: tell the player the total wager.",
        ));
    }
    (needed == Confirm::Typed && typed_cents != Some(total_cents)).then(|| {
        refused(
            "total_mistyped",
            409,
            "Le total saisi n’est pas la mise totale : rien n’a été vendu.",
            "The total that was typed is not the total wager: nothing was sold.",
        )
    })
}

/// The refusal of a screen that is locked for somebody else.
pub(super) fn of_another(shared: &Shared) -> HttpResponse {
    let owner = shared.lock.owner().unwrap_or_default();
    refused(
        "terminal_locked_for_another",
        423,
        &format!(
            "Ce terminal est verrouillé par {owner}, et seul cet insigne le déverrouille. Si cette \
             personne ne revient pas, une surveillance et une autre personne terminent sa session."
        ),
        &format!(
            "This terminal is locked by {owner}, and that badge alone unlocks it. If that person \
             does not come back, a supervisor and another person end the session."
        ),
    )
}

pub(super) async fn lock(shared: web::Data<Shared>) -> HttpResponse {
    let Some(badge) = shared.board.badge() else {
        return refused(
            "nobody_signed_on",
            409,
            "Personne n’est en service à ce terminal.",
            "Nobody is signed on at this terminal.",
        );
    };
    // Whoever locks what is locked changes nothing of whose it is.
    let locked = match shared.lock.owner() {
        Some(owner) => Ok(owner),
        None => shared.lock.lock(&badge).map(|()| badge),
    };
    match locked {
        Ok(owner) => {
            shared.board.set_locked(Some(owner));
            HttpResponse::Ok().json(serde_json::json!({}))
        }
        Err(error) => {
            tracing::error!(%error, "the screen cannot be locked");
            refused(
                "terminal_fault",
                500,
                "Ce terminal a un défaut : appelez le technicien.",
                "This terminal has a fault: call the technician.",
            )
        }
    }
}

pub(super) async fn unlock(
    shared: web::Data<Shared>,
    asked: web::Json<UnlockRequest>,
) -> HttpResponse {
    let asked = asked.into_inner();
    if !shared.lock.opens_for(&asked.badge) {
        return of_another(&shared);
    }
    let (lock, board) = (shared.lock.clone(), shared.board.clone());
    let work = move |agent: &mut Agent<'static>| {
        if agent.signed_on().is_none() || !agent.unlock(&asked)? {
            // The session has ended meanwhile, and its person is back.
            signs_on(agent, asked.badge, asked.pin, None)?;
        }
        lock.unlock()?;
        board.set_locked(None);
        Ok(Exit::Done)
    };
    give(&shared, "unlock", Needs::Central, "", Box::new(work)).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Relief {
    /// Badge of who stays at this terminal.
    badge: String,
    pin: String,
    second: Signer,
}

/// Two people, one of them a supervisor, end the session of somebody who does not come back.
pub(super) async fn relief(shared: web::Data<Shared>, asked: web::Json<Relief>) -> HttpResponse {
    let asked = asked.into_inner();
    let (lock, board) = (shared.lock.clone(), shared.board.clone());
    let staying = UnlockRequest {
        badge: asked.badge,
        pin: asked.pin,
    };
    let work = move |agent: &mut Agent<'static>| {
        let absent = lock.owner().unwrap_or_default();
        agent.relieve(&absent, &staying, &asked.second)?;
        lock.unlock()?;
        board.set_locked(None);
        agent.resolve()?;
        Ok(Exit::Done)
    };
    give(&shared, "relief", Needs::Central, "", Box::new(work)).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Number {
    number: u64,
}

#[derive(Serialize)]
struct Read {
    /// What was read; none when another page has it already.
    text: Option<String>,
}

/// What the scanner read, to the page that asks first.
async fn scan(shared: web::Data<Shared>, asked: web::Json<Number>) -> HttpResponse {
    // Whoever reads the code can claim: it waits for the person who is signed on.
    if let Some(refusal) = locked(&shared) {
        return refusal;
    }
    shared.lock.touch();
    HttpResponse::Ok().json(Read {
        text: shared.scans.take(asked.number),
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Code {
    code: String,
}

/// What a card or a slip asks for.
#[derive(Serialize)]
struct FromSlip {
    /// `slip`, `e_slip` or `express`, as it is recorded.
    intake: &'static str,
    /// What is asked; none for a slip that people have marked.
    slip: Option<keno_wire::request::Slip>,
}

/// Reads the code of a card or a slip, by the rules in force: one that was made under others is
/// refused, with the reason.
async fn slip_code(shared: web::Data<Shared>, asked: web::Json<Code>) -> HttpResponse {
    if let Some(refusal) = locked(&shared) {
        return refusal;
    }
    let sale = shared.board.on_sale();
    let Some(book) = sale.as_ref().and_then(|sale| sale.book()) else {
        return refused(
            "rules_unknown",
            503,
            "Les règles en vigueur ne sont pas encore connues de ce terminal.",
            "This terminal does not know the rules in force yet.",
        );
    };
    let in_force = RulesInForce {
        rules: &book.rules,
        rules_place_fr: &book.texts.rules_place_fr,
        rules_place_en: &book.texts.rules_place_en,
    };
    let read = SlipCode::parse(&asked.code)
        .and_then(|code| code.slip(in_force).map(|slip| (code.content, slip)));
    match read {
        Ok((content, slip)) => HttpResponse::Ok().json(FromSlip {
            intake: match content {
                SlipContent::Blank { .. } => "slip",
                SlipContent::Express { .. } => "express",
                SlipContent::ESlip(_) => "e_slip",
            },
            slip,
        }),
        // The code was read and judged: that is an answer, and no failure of the question.
        Err(refusal) => refused(
            refusal.name(),
            200,
            &refusal.sentence_fr(),
            &refusal.sentence_en(),
        ),
    }
}

/// A hand at the screen.
pub(super) async fn here(shared: web::Data<Shared>) -> HttpResponse {
    shared.lock.touch();
    HttpResponse::Ok().json(serde_json::json!({}))
}

pub(super) const HTML: &str = "text/html; charset=utf-8";
pub(super) const SCRIPT: &str = "text/javascript; charset=utf-8";
pub(super) const STYLE: &str = "text/css; charset=utf-8";
const JSON: &str = "application/json";

/// The files of the screens: address, type, content.
pub(super) const FILES: [(&str, &str, &str); 28] = [
    ("/", HTML, include_str!("../pages/counter.html")),
    ("/counter.css", STYLE, include_str!("../pages/counter.css")),
    ("/customer", HTML, include_str!("../pages/customer.html")),
    (
        "/customer.css",
        STYLE,
        include_str!("../pages/customer.css"),
    ),
    (
        "/arming.js",
        SCRIPT,
        include_str!("../pages/counter/arming.js"),
    ),
    ("/ask.js", SCRIPT, include_str!("../pages/counter/ask.js")),
    (
        "/counter.js",
        SCRIPT,
        include_str!("../pages/counter/counter.js"),
    ),
    (
        "/customer.js",
        SCRIPT,
        include_str!("../pages/counter/customer.js"),
    ),
    (
        "/device.js",
        SCRIPT,
        include_str!("../pages/counter/device.js"),
    ),
    (
        "/doubts.js",
        SCRIPT,
        include_str!("../pages/counter/doubts.js"),
    ),
    ("/dom.js", SCRIPT, include_str!("../pages/counter/dom.js")),
    (
        "/frame.js",
        SCRIPT,
        include_str!("../pages/counter/frame.js"),
    ),
    (
        "/draft.js",
        SCRIPT,
        include_str!("../pages/counter/draft.js"),
    ),
    ("/keys.js", SCRIPT, include_str!("../pages/counter/keys.js")),
    (
        "/damaged.js",
        SCRIPT,
        include_str!("../pages/counter/damaged.js"),
    ),
    (
        "/presentation.js",
        SCRIPT,
        include_str!("../pages/counter/presentation.js"),
    ),
    (
        "/reasons.js",
        SCRIPT,
        include_str!("../pages/counter/reasons.js"),
    ),
    (
        "/redraw.js",
        SCRIPT,
        include_str!("../pages/counter/redraw.js"),
    ),
    (
        "/refusal.js",
        SCRIPT,
        include_str!("../pages/counter/refusal.js"),
    ),
    ("/sale.js", SCRIPT, include_str!("../pages/counter/sale.js")),
    (
        "/sale_view.js",
        SCRIPT,
        include_str!("../pages/counter/sale_view.js"),
    ),
    (
        "/shift.js",
        SCRIPT,
        include_str!("../pages/counter/shift.js"),
    ),
    (
        "/ticket.js",
        SCRIPT,
        include_str!("../pages/counter/ticket.js"),
    ),
    (
        "/verdict.js",
        SCRIPT,
        include_str!("../pages/counter/verdict.js"),
    ),
    (
        "/wedge.js",
        SCRIPT,
        include_str!("../pages/counter/wedge.js"),
    ),
    (
        "/words.js",
        SCRIPT,
        include_str!("../pages/counter/words.js"),
    ),
    ("/fr.json", JSON, include_str!("../pages/words/fr.json")),
    ("/en.json", JSON, include_str!("../pages/words/en.json")),
];

/// The addresses of a counter.
pub(super) fn configure(cfg: &mut web::ServiceConfig) {
    for (path, kind, body) in FILES {
        cfg.route(path, web::get().to(move || asset(kind, body)));
    }
    cfg.route("/agent/house", web::get().to(house))
        .route("/agent/draft", web::post().to(draft))
        .route("/agent/lock", web::post().to(lock))
        .route("/agent/unlock", web::post().to(unlock))
        .route("/agent/relief", web::post().to(relief))
        .route("/agent/here", web::post().to(here))
        .route("/agent/scans", web::post().to(scan))
        .route("/agent/slip-codes", web::post().to(slip_code));
    presentations::configure(cfg);
    till::configure(cfg);
    patron::configure(cfg);
    damaged::configure(cfg);
}
