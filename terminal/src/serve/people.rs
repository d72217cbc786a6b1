//! Who is in front of the screen: signing on and off, choosing a PIN, the lock, and the relief of
//! somebody who does not come back.

use std::sync::Arc;

use actix_web::{HttpResponse, web};
use keno_wire::people::{ChoosePinRequest, ReliefRequest, Signer};
use keno_wire::request::{SignOnRequest, UnlockRequest};
use keno_words::counter as words;
use serde::Deserialize;

use super::board::Board;
use super::door::{Shared, give, of_another, order, refused};
use super::lock::Lock;
use super::task::Task;
use crate::agent::{Agent, Credentials};
use crate::config::Role;
use crate::exit::{Exit, Stop};

async fn sign_on(shared: web::Data<Shared>, asked: web::Json<SignOnRequest>) -> HttpResponse {
    let asked = asked.into_inner();
    // A locked screen is its person's: signing on is no way around that. Where there is no till, and
    // nothing in doubt, it ends the session of whoever left, and shows nothing of it.
    if shared.role == Role::Pos && !shared.lock.opens_for(&asked.badge) {
        return of_another(&shared);
    }
    let (lock, board) = (Arc::clone(&shared.lock), Arc::clone(&shared.board));
    let who = Credentials {
        badge: Some(asked.badge),
        pin: Some(asked.pin),
    };
    let work = move |agent: &mut Agent<'static>| {
        agent.sign_on_as(who, asked.float_cents)?;
        opened(&lock, &board)?;
        agent.resolve()
    };
    give(&shared, Task::SignOn, work).await
}

/// The owner of a badge chooses another PIN: before signing on, or whoever the screen is locked for.
async fn choose_pin(shared: web::Data<Shared>, asked: web::Json<ChoosePinRequest>) -> HttpResponse {
    let asked = asked.into_inner();
    if !shared.lock.opens_for(&asked.badge) {
        return of_another(&shared);
    }
    give(&shared, Task::ChoosePin, move |agent| {
        agent.choose_pin(&asked)
    })
    .await
}

/// The screen is open again, and everybody who looks at it hears so.
fn opened(lock: &Lock, board: &Board) -> Result<Exit, Stop> {
    lock.unlock()?;
    board.set_locked(None);
    Ok(Exit::Done)
}

async fn lock(shared: web::Data<Shared>) -> HttpResponse {
    let Some(badge) = shared.board.badge() else {
        return refused("nobody_signed_on", 409, &words::NobodyIsSignedOn);
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
            refused("terminal_fault", 500, &words::TerminalHasFault)
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
        agent.come_back(&asked)?;
        opened(&lock, &board)
    };
    give(&shared, Task::Unlock, work).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Relief {
    /// Who stays at this terminal.
    staying: Signer,
    second: Signer,
}

/// Two people, one of them a supervisor, end the session of somebody who does not come back.
async fn relief(shared: web::Data<Shared>, asked: web::Json<Relief>) -> HttpResponse {
    let Relief { staying, second } = asked.into_inner();
    let (lock, board) = (shared.lock.clone(), shared.board.clone());
    let work = move |agent: &mut Agent<'static>| {
        agent.relieve(&ReliefRequest {
            absent: lock.owner().unwrap_or_default(),
            staying,
            second,
        })?;
        opened(&lock, &board)?;
        agent.resolve()
    };
    give(&shared, Task::Relief, work).await
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
        .route("/agent/lock", web::post().to(lock))
        .route("/agent/unlock", web::post().to(unlock))
        .route("/agent/here", web::post().to(here));
    order(cfg, "sign-off", Task::SignOff, Agent::sign_off);
}

/// Those of a counter.
pub(super) fn configure(cfg: &mut web::ServiceConfig) {
    configure_signing(cfg);
    cfg.route("/agent/relief", web::post().to(relief));
}
