//! The supervisor's wall at this device, a counter or the back office, and the way that its calls go:
//! what its page asks goes to central in the session of whoever is signed on here, on a way of its
//! own. Nothing of it waits for the hands, and no sale waits for it.

use std::sync::Arc;

use actix_web::{HttpResponse, web};
use keno_wire::reply::Bilingual;
use keno_wire::request::SecondPerson;
use keno_wire::wall::{ApprovalRequest, GrantRequest, MessageRequest, RefuseRequest};
use keno_words::counter as words;
use serde::Serialize;
use serde_json::Value;

use super::door::{self, HTML, SCRIPT, STYLE, Shared, asset};
use crate::central::{CallFault, Central, Session};

/// A refusal of central, as the pages read one. It is an answer like any other: the page's own
/// device did what it was asked.
#[derive(Serialize)]
struct Refused<'a> {
    name: &'a str,
    status: u16,
    title: &'a Bilingual,
}

fn said(name: &str, status: u16, title: &Bilingual) -> HttpResponse {
    HttpResponse::Ok().json(Refused {
        name,
        status,
        title,
    })
}

fn away() -> HttpResponse {
    let title = Bilingual::of(&words::ShownMayBeOld);
    said("central_away", 503, &title)
}

fn unanswered() -> HttpResponse {
    let title = Bilingual::of(&words::NotKnownWhetherDone);
    said("central_unanswered", 503, &title)
}

fn nobody() -> HttpResponse {
    let title = Bilingual::of(&words::NobodyIsSignedOn);
    said("not_signed_in", 401, &title)
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
            Err(said(problem.name(), problem.status, &problem.title))
        }
        Ok(Ok(Some(Err(CallFault::Unreachable(_))))) => Err(away()),
        Ok(Ok(Some(Err(CallFault::Lost(_))))) => Err(lost()),
        Ok(Ok(None)) => Err(nobody()),
        Ok(Err(error)) => {
            tracing::error!(error = format!("{error:#}"), "the wall's way to central");
            Err(away())
        }
        Err(_) => Err(away()),
    }
}

/// What is told of a screen that nobody is in front of.
#[derive(Serialize)]
struct Left {
    #[serde(flatten)]
    refusal: &'static door::Left,
    status: u16,
    /// Whether something waits for a supervisor, and nothing of what it is; none while nobody can
    /// tell.
    waits: Option<bool>,
}

fn left(refusal: &'static door::Left, waits: Option<bool>) -> HttpResponse {
    HttpResponse::Ok().json(Left {
        refusal,
        status: 423,
        waits,
    })
}

pub(super) async fn read(shared: &web::Data<Shared>, path: String) -> HttpResponse {
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

pub(super) async fn step(
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

async fn ask(shared: web::Data<Shared>, asked: web::Json<ApprovalRequest>) -> HttpResponse {
    step(&shared, "/approvals".to_owned(), asked.into_inner()).await
}

async fn approval(shared: web::Data<Shared>, id: web::Path<u64>) -> HttpResponse {
    read(&shared, format!("/approvals/{id}")).await
}

async fn grant(
    shared: web::Data<Shared>,
    id: web::Path<u64>,
    asked: web::Json<GrantRequest>,
) -> HttpResponse {
    let path = format!("/approvals/{id}/grant");
    step(&shared, path, asked.into_inner()).await
}

async fn refuse(
    shared: web::Data<Shared>,
    id: web::Path<u64>,
    asked: web::Json<RefuseRequest>,
) -> HttpResponse {
    let path = format!("/approvals/{id}/refuse");
    step(&shared, path, asked.into_inner()).await
}

async fn send(shared: web::Data<Shared>, asked: web::Json<MessageRequest>) -> HttpResponse {
    step(&shared, "/messages".to_owned(), asked.into_inner()).await
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
    step_then(&shared, path, serde_json::json!({}), read).await
}

#[derive(serde::Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Reason {
    reason: String,
}

async fn suspend(shared: web::Data<Shared>, asked: web::Json<Reason>) -> HttpResponse {
    step(&shared, "/house/suspend".to_owned(), asked.into_inner()).await
}

#[derive(serde::Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct ByTwo {
    second: SecondPerson,
}

async fn resume(shared: web::Data<Shared>, asked: web::Json<ByTwo>) -> HttpResponse {
    step(&shared, "/house/resume".to_owned(), asked.into_inner()).await
}

async fn stop(
    shared: web::Data<Shared>,
    number: web::Path<u32>,
    asked: web::Json<Reason>,
) -> HttpResponse {
    let path = format!("/terminals/{number}/stop");
    step(&shared, path, asked.into_inner()).await
}

async fn start(
    shared: web::Data<Shared>,
    number: web::Path<u32>,
    asked: web::Json<Reason>,
) -> HttpResponse {
    let path = format!("/terminals/{number}/start");
    step(&shared, path, asked.into_inner()).await
}

async fn files(shared: web::Data<Shared>) -> HttpResponse {
    read(&shared, "/damaged/files".to_owned()).await
}

const FILES: [(&str, &str, &str); 6] = [
    ("/wall", HTML, include_str!("pages/wall.html")),
    ("/wall.css", STYLE, include_str!("pages/wall.css")),
    ("/wall.js", SCRIPT, include_str!("pages/counter/wall.js")),
    (
        "/messages.js",
        SCRIPT,
        include_str!("pages/counter/messages.js"),
    ),
    ("/changes.css", STYLE, include_str!("pages/changes.css")),
    (
        "/changes.js",
        SCRIPT,
        include_str!("pages/counter/changes.js"),
    ),
];

/// The addresses.
pub(super) fn configure(cfg: &mut web::ServiceConfig) {
    for (path, kind, body) in FILES {
        cfg.route(path, web::get().to(move || asset(kind, body)));
    }
    cfg.route("/agent/wall", web::get().to(wall))
        .route("/agent/approvals", web::post().to(ask))
        .route("/agent/approvals/{id}", web::get().to(approval))
        .route("/agent/approvals/{id}/grant", web::post().to(grant))
        .route("/agent/approvals/{id}/refuse", web::post().to(refuse))
        .route("/agent/messages", web::post().to(send))
        .route(
            "/agent/messages/{id}/acknowledge",
            web::post().to(acknowledge),
        )
        .route("/agent/terminals/{number}/stop", web::post().to(stop))
        .route("/agent/terminals/{number}/start", web::post().to(start))
        .route("/agent/damaged/files", web::get().to(files))
        .route("/agent/house/suspend", web::post().to(suspend))
        .route("/agent/house/resume", web::post().to(resume));
}
