//! Who is in front of the screen: signing on and off, choosing a PIN, the lock, and the relief of
//! somebody who does not come back.

use std::sync::Arc;

use actix_web::{HttpResponse, web};
use keno_wire::people::{ChoosePinRequest, Signer};
use keno_wire::request::UnlockRequest;
use serde::Deserialize;

use super::door::{Needs, Shared, give, of_another, refused};
use crate::agent::{Agent, Credentials};
use crate::config::Role;
use crate::exit::{Exit, Stop};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SignOn {
    badge: String,
    pin: String,
    #[serde(default)]
    float_cents: Option<i64>,
}

async fn sign_on(shared: web::Data<Shared>, asked: web::Json<SignOn>) -> HttpResponse {
    let asked = asked.into_inner();
    // A locked screen is its person's: signing on is no way around that. Where there is no till, and
    // nothing in doubt, it ends the session of whoever left, and shows nothing of it.
    if shared.role == Role::Pos && !shared.lock.opens_for(&asked.badge) {
        return of_another(&shared);
    }
    let (lock, board) = (Arc::clone(&shared.lock), Arc::clone(&shared.board));
    let work = move |agent: &mut Agent<'static>| {
        signs_on(agent, asked.badge, asked.pin, asked.float_cents)?;
        lock.unlock()?;
        board.set_locked(None);
        agent.resolve()?;
        Ok(Exit::Done)
    };
    give(&shared, "sign_on", Needs::Central, "", Box::new(work)).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChoosePin {
    badge: String,
    pin: String,
    new_pin: String,
    #[serde(default)]
    card: String,
}

/// The owner of a badge chooses another PIN: before signing on, or whoever the screen is locked for.
async fn choose_pin(shared: web::Data<Shared>, asked: web::Json<ChoosePin>) -> HttpResponse {
    let asked = asked.into_inner();
    if !shared.lock.opens_for(&asked.badge) {
        return of_another(&shared);
    }
    let work = move |agent: &mut Agent<'static>| {
        agent.choose_pin(&ChoosePinRequest {
            badge: asked.badge,
            pin: asked.pin,
            new_pin: asked.new_pin,
            card: asked.card,
        })?;
        Ok(Exit::Done)
    };
    give(&shared, "choose_pin", Needs::Central, "", Box::new(work)).await
}

/// A PIN is not kept for later: a session that ends is opened by its person.
fn signs_on(
    agent: &mut Agent<'static>,
    badge: String,
    pin: String,
    float_cents: Option<i64>,
) -> Result<(), Stop> {
    agent.credentials = Credentials {
        badge: Some(badge),
        pin: Some(pin),
    };
    let signed_on = agent.sign_on(float_cents);
    agent.credentials = Credentials::default();
    signed_on.map(|_| ())
}

async fn sign_off(shared: web::Data<Shared>) -> HttpResponse {
    give(
        &shared,
        "sign_off",
        Needs::Central,
        "",
        Box::new(|agent| agent.sign_off()),
    )
    .await
}

async fn lock(shared: web::Data<Shared>) -> HttpResponse {
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

async fn unlock(shared: web::Data<Shared>, asked: web::Json<UnlockRequest>) -> HttpResponse {
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
struct Relief {
    /// Badge of who stays at this terminal.
    badge: String,
    pin: String,
    second: Signer,
}

/// Two people, one of them a supervisor, end the session of somebody who does not come back.
async fn relief(shared: web::Data<Shared>, asked: web::Json<Relief>) -> HttpResponse {
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

/// A hand at the screen.
async fn here(shared: web::Data<Shared>) -> HttpResponse {
    shared.lock.touch();
    HttpResponse::Ok().json(serde_json::json!({}))
}

/// The addresses of every screen that people sign on at.
pub(super) fn configure_signing(cfg: &mut web::ServiceConfig) {
    cfg.route("/agent/sign-on", web::post().to(sign_on))
        .route("/agent/pin", web::post().to(choose_pin))
        .route("/agent/sign-off", web::post().to(sign_off))
        .route("/agent/lock", web::post().to(lock))
        .route("/agent/unlock", web::post().to(unlock))
        .route("/agent/here", web::post().to(here));
}

/// Those of a counter.
pub(super) fn configure(cfg: &mut web::ServiceConfig) {
    configure_signing(cfg);
    cfg.route("/agent/relief", web::post().to(relief));
}
