//! The supervisor's wall at this device, a counter or the back office, and the way that its calls go:
//! what its page asks goes to central in the session of whoever is signed on here, on a way of its
//! own. Nothing of it waits for the hands, and no sale waits for it.

use std::sync::Arc;

use crate::serve::object::object;
use actix_web::{HttpResponse, web};
use keno_wire::reply::Bilingual;
use keno_wire::request::SecondPerson;
use keno_wire::wall::{ApprovalRequest, GrantRequest, MessageRequest, RefuseRequest};
use keno_words::{Say, counter as words};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::assets;
use super::door::{self, Shared};
use crate::central::{CallFault, Central, Session};

/// A refusal, as the pages read one. It is an answer like any other: the page's own device did what
/// it was asked.
fn said(name: &str, status: u16, title: &dyn Say) -> HttpResponse {
    let title = Bilingual::of(title);
    HttpResponse::Ok().json(object! { "name": name, "status": status, "title": title })
}

fn away() -> HttpResponse {
    said("central_away", 503, &words::ShownMayBeOld)
}

fn unanswered() -> HttpResponse {
    said("central_unanswered", 503, &words::NotKnownWhetherDone)
}

/// A call in the session of whoever is signed on here, off the pages' own thread; `lost` says what is
/// told when it may have arrived and no answer came.
async fn call(
    shared: &web::Data<Shared>,
    lost: fn() -> HttpResponse,
    ask: impl FnOnce(&Central, &Session) -> Result<Value, CallFault> + Send + 'static,
) -> Result<Value, HttpResponse> {
    let way = Arc::clone(&shared.in_session);
    let answered = web::block(move || way.call(ask)).await;
    match answered {
        Ok(Ok(Some(Ok(reply)))) => Ok(reply),
        Ok(Ok(Some(Err(CallFault::Refused(problem))))) => {
            Err(said(problem.name(), problem.status, &problem.sentence))
        }
        Ok(Ok(Some(Err(CallFault::Unreachable(_))))) => Err(away()),
        Ok(Ok(Some(Err(CallFault::Lost(_))))) => Err(lost()),
        Ok(Ok(None)) => Err(said("not_signed_in", 401, &words::NobodyIsSignedOn)),
        Ok(Err(error)) => {
            tracing::error!(error = format!("{error:#}"), "the wall's way to central");
            Err(away())
        }
        Err(_) => Err(away()),
    }
}

/// What is told of a screen that nobody is in front of, and whether something waits for a supervisor,
/// but nothing of what it is; none while nobody can tell.
fn left(refusal: door::Left, waits: Option<bool>) -> HttpResponse {
    let (name, words) = refusal.said();
    let title = Bilingual::of(words);
    HttpResponse::Ok().json(object! { "name": name, "title": title, "status": 423, "waits": waits })
}

async fn read(shared: &web::Data<Shared>, path: String) -> HttpResponse {
    // What a person may see is not shown in that person's absence. Whoever watches touches nothing:
    // reading keeps no screen from locking itself.
    if let Some(refusal) = door::left(shared) {
        return left(refusal, None);
    }
    let read = move |central: &Central, session: &Session| central.read_in(Some(session), &path);
    match call(shared, away, read).await {
        Ok(reply) => HttpResponse::Ok().json(reply),
        Err(refusal) => refusal,
    }
}

async fn step(
    shared: &web::Data<Shared>,
    path: String,
    body: impl Serialize + Send + 'static,
) -> HttpResponse {
    step_then(shared, path, body, |reply| reply).await
}

/// A step, and what the page is given of its reply.
pub(super) async fn step_then(
    shared: &web::Data<Shared>,
    path: String,
    body: impl Serialize + Send + 'static,
    done: impl FnOnce(Value) -> Value,
) -> HttpResponse {
    if let Some(refusal) = door::locked(shared) {
        return refusal;
    }
    let post =
        move |central: &Central, session: &Session| central.post_in(Some(session), &path, &body);
    match call(shared, unanswered, post).await {
        Ok(reply) => HttpResponse::Ok().json(done(reply)),
        Err(refusal) => refusal,
    }
}

/// The wall; a locked one says that something waits.
async fn wall(shared: web::Data<Shared>) -> HttpResponse {
    let Some(refusal) = door::left(&shared) else {
        return read(&shared, "/wall".to_owned()).await;
    };
    let looks = |central: &Central, session: &Session| central.read_in(Some(session), "/wall");
    let wall = call(&shared, away, looks).await.ok();
    let waits = |list: &str| {
        wall.as_ref()
            .and_then(|wall| wall.get(list)?.as_array().map(|all| !all.is_empty()))
    };
    let lists = ["alarms", "approvals", "in_doubt", "held"].map(waits);
    let any = |one: Option<bool>, other| one.into_iter().chain(other).reduce(|a, b| a || b);
    left(refusal, lists.into_iter().fold(None, any))
}

/// Whoever is signed on here has read it. The page is told at once, and not with central's next
/// word.
async fn acknowledge(shared: web::Data<Shared>, id: web::Path<u64>) -> HttpResponse {
    let id = id.into_inner();
    let path = format!("/messages/{id}/acknowledge");
    let board = Arc::clone(&shared.board);
    let read = move |reply| {
        if let Some(sale) = board.on_sale() {
            board.set_on_sale(sale.without(id));
        }
        reply
    };
    step_then(&shared, path, json!({}), read).await
}

#[derive(serde::Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Reason {
    reason: String,
}

#[derive(serde::Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct ByTwo {
    second: SecondPerson,
}

#[derive(serde::Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Begin {
    began: String,
    second: SecondPerson,
}

#[derive(serde::Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct OpenPayouts {
    draw: u64,
    reason: String,
    second: SecondPerson,
}

/// The path at central, with the numbers of the page's own address.
fn filled(path: &str, numbers: &[u64]) -> String {
    let fill = |path: String, number: &u64| path.replacen("{id}", &number.to_string(), 1);
    numbers.iter().fold(path.to_owned(), fill)
}

/// The address of a question that central answers at the same path as the page asks it, or at
/// another.
pub(super) fn reads(cfg: &mut web::ServiceConfig, address: &str, path: &'static str) {
    let read = move |shared: web::Data<Shared>, numbers: web::Path<Vec<u64>>| async move {
        read(&shared, filled(path, &numbers)).await
    };
    cfg.route(address, web::get().to(read));
}

/// The address of a step that is passed on to central as the page asks it, at the same path.
pub(super) fn asks<Asked>(cfg: &mut web::ServiceConfig, path: &'static str)
where
    Asked: DeserializeOwned + Serialize + Send + 'static,
{
    asks_at::<Asked>(cfg, &format!("/agent{path}"), path);
}

/// The same at another path than that of the page.
pub(super) fn asks_at<Asked>(cfg: &mut web::ServiceConfig, address: &str, path: &'static str)
where
    Asked: DeserializeOwned + Serialize + Send + 'static,
{
    let pass = move |shared: web::Data<Shared>,
                     numbers: web::Path<Vec<u64>>,
                     asked: web::Json<Asked>| async move {
        step(&shared, filled(path, &numbers), asked.into_inner()).await
    };
    cfg.route(address, web::post().to(pass));
}

/// The addresses.
pub(super) fn configure(cfg: &mut web::ServiceConfig) {
    assets::configure(cfg, &[assets::WALL]);
    let address = "/agent/messages/{id}/acknowledge";
    cfg.route("/agent/wall", web::get().to(wall))
        .route(address, web::post().to(acknowledge));
    reads(cfg, "/agent/approvals/{id}", "/approvals/{id}");
    reads(cfg, "/agent/damaged/files", "/damaged/files");
    asks::<ApprovalRequest>(cfg, "/approvals");
    asks::<GrantRequest>(cfg, "/approvals/{id}/grant");
    asks::<RefuseRequest>(cfg, "/approvals/{id}/refuse");
    asks::<MessageRequest>(cfg, "/messages");
    asks::<Reason>(cfg, "/terminals/{id}/stop");
    asks::<Reason>(cfg, "/terminals/{id}/start");
    asks::<Reason>(cfg, "/house/suspend");
    asks::<ByTwo>(cfg, "/house/resume");
    asks::<Begin>(cfg, "/follower/begin");
    asks::<OpenPayouts>(cfg, "/follower/payouts");
}
