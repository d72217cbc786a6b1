//! The door that every question of a page comes through: whether it is this machine's, whether the
//! screen is locked, whether central is there for it; and how it is refused in words.
//!
//! A page elsewhere cannot ask for anything: the host must be this machine by one of its own
//! names, and a command must carry a header that a foreign page may not send unasked.

use std::sync::Arc;
use std::time::Duration;

use crate::serve::object::object;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{HttpResponse, web};
use keno_wire::reply::Bilingual;
use keno_words::{Say, counter as words};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::board::{Board, Link};
use super::ended::Ended;
use super::hands::{Beforehand, Hands, NotTaken, Work};
use super::lock::Lock;
use super::scans::Scans;
use super::task::{Needs, Task};
use super::way::InSession;
use crate::agent::{Agent, Done};
use crate::config::Role;
use crate::exit::{Exit, Stop};

/// Largest body of a request, in bytes.
const BODY_BYTES_MAX: usize = 64 * 1024;
/// How long a page waits for a change at most.
const STATE_WITHIN: Duration = Duration::from_secs(2);
/// The header that a command carries.
const PAGE_HEADER: &str = "Boulier-Page";

/// What every request shares.
pub(super) struct Shared {
    pub(super) role: Role,
    pub(super) board: Arc<Board>,
    pub(super) hands: Hands,
    /// The lock of a counter's screen.
    pub(super) lock: Arc<Lock>,
    /// The way to central of whoever is signed on here.
    pub(super) in_session: Arc<InSession>,
    /// The scanner.
    pub(super) scans: Arc<Scans>,
}

/// What this device does not do, or not now, by its stable name and in a sentence.
pub(super) fn refused(name: &'static str, status: u16, words: &dyn Say) -> HttpResponse {
    let status = actix_web::http::StatusCode::from_u16(status)
        .unwrap_or(actix_web::http::StatusCode::BAD_REQUEST);
    HttpResponse::build(status).json(object! { "name": name, "title": Bilingual::of(words) })
}

fn not_now(link: Link, needs: Needs) -> Option<HttpResponse> {
    let is_fit = match needs {
        Needs::Nothing => true,
        Needs::Central => matches!(link, Link::Trusted | Link::Skewed),
        Needs::Sale => link == Link::Trusted,
    };
    if is_fit {
        return None;
    }
    let name = match link {
        Link::Away | Link::Trusted => "central_away",
        Link::Unproven => "central_unproven",
        Link::Revoked => "device_revoked",
        Link::Unknown => "device_unknown",
        Link::HandedOver(_) => "device_handed_over",
        Link::Refused(_) => "central_log_refused",
        Link::Skewed => "clock_skewed",
    };
    let sentence = link.sentence();
    Some(refused(name, 503, &sentence))
}

/// Gives a command to the hands, when nothing speaks against it, and answers with how it ended.
pub(super) async fn give(
    shared: &Shared,
    task: Task,
    work: impl FnOnce(&mut Agent<'static>) -> Result<Exit, Stop> + Send + 'static,
) -> HttpResponse {
    give_answered(shared, task, Beforehand::default(), Box::new(work)).await
}

/// The address of a command, below `/agent/`: what the page asks is given to the hands as it is.
pub(super) fn command<Asked: DeserializeOwned + Send + 'static>(
    cfg: &mut web::ServiceConfig,
    name: &str,
    task: Task,
    work: fn(&mut Agent<'static>, Asked) -> Result<Exit, Stop>,
) {
    let take = move |shared: web::Data<Shared>, asked: web::Json<Asked>| async move {
        let asked = asked.into_inner();
        give(&shared, task, move |agent| work(agent, asked)).await
    };
    cfg.route(&format!("/agent/{name}"), web::post().to(take));
}

/// As [`command`], of one of which nothing more is to be said.
pub(super) fn order(
    cfg: &mut web::ServiceConfig,
    name: &str,
    task: Task,
    work: fn(&mut Agent<'static>) -> Result<Exit, Stop>,
) {
    let take = move |shared: web::Data<Shared>| async move { give(&shared, task, work).await };
    cfg.route(&format!("/agent/{name}"), web::post().to(take));
}

/// As [`give`], with what the person has answered already.
pub(super) async fn give_answered(
    shared: &Shared,
    task: Task,
    beforehand: Beforehand,
    work: Work,
) -> HttpResponse {
    if !task.is_before_the_lock()
        && let Some(refusal) = locked(shared)
    {
        return refusal;
    }
    shared.lock.touch();
    if let Some(refusal) = not_now(shared.board.link(), task.needs()) {
        return refusal;
    }
    answer(shared.hands.run(task, beforehand, work).await)
}

pub(super) fn answer(ended: Result<Done, NotTaken>) -> HttpResponse {
    match ended {
        Ok(done) => HttpResponse::Ok().json(Ended::of(&done)),
        Err(NotTaken::Busy) => refused("terminal_busy", 409, &words::CommandAtWork),
        Err(NotTaken::Stopped) => refused("terminal_stopping", 503, &words::TerminalStopping),
    }
}

#[derive(Deserialize)]
pub(super) struct After {
    /// The change that the page has seen.
    after: Option<u64>,
}

/// What the page sees: at once, or when it is not as it was at `after`, at the latest after
/// [`STATE_WITHIN`], so that a silent page knows that this program is there.
pub(super) async fn state(shared: web::Data<Shared>, asked: web::Query<After>) -> HttpResponse {
    if let Some(after) = asked.after {
        let _ = tokio::time::timeout(STATE_WITHIN, shared.board.until_changed(after)).await;
    }
    HttpResponse::Ok().json(shared.board.view())
}

pub(super) async fn no_icon() -> HttpResponse {
    HttpResponse::NoContent().finish()
}

/// Why a screen does nothing.
#[derive(Clone, Copy)]
pub(super) enum Left {
    /// It is locked.
    Locked,
    /// Nobody touched it for so long that it would be locked if it could.
    Untouched,
}

impl Left {
    /// Its stable name, and the sentence.
    pub(super) fn said(self) -> (&'static str, &'static dyn Say) {
        match self {
            Self::Locked => ("terminal_locked", &words::Locked),
            Self::Untouched => ("terminal_left", &words::Left),
        }
    }
}

/// Why this screen shows nothing of its person's, if it does not.
pub(super) fn left(shared: &Shared) -> Option<Left> {
    if shared.lock.is_locked() {
        return Some(Left::Locked);
    }
    shared.lock.is_due().then_some(Left::Untouched)
}

pub(super) fn refusal_of(left: Left) -> HttpResponse {
    let (name, words) = left.said();
    refused(name, 423, words)
}

/// The refusal of a screen that is locked.
pub(super) fn locked(shared: &Shared) -> Option<HttpResponse> {
    (shared.lock.is_locked()).then(|| refusal_of(Left::Locked))
}

/// The refusal of a screen that is locked for somebody else.
pub(super) fn of_another(shared: &Shared) -> HttpResponse {
    let owner = shared.lock.owner().unwrap_or_default();
    refused(
        "terminal_locked_for_another",
        423,
        &words::LockedBy { owner: &owner },
    )
}

/// How a request of a page is read.
pub(super) fn json_config() -> web::JsonConfig {
    web::JsonConfig::default()
        .limit(BODY_BYTES_MAX)
        .error_handler(|error, _| {
            let response = refused("request_unreadable", 400, &words::RequestUnreadable);
            actix_web::error::InternalError::from_response(error, response).into()
        })
}

/// How what varies in an address is read: what stands there and is none of it makes no address.
pub(super) fn path_config() -> web::PathConfig {
    web::PathConfig::default().error_handler(|error, _| {
        actix_web::error::InternalError::from_response(error, path_unknown()).into()
    })
}

pub(super) fn path_unknown() -> HttpResponse {
    refused("path_unknown", 404, &words::UnknownAddress)
}

/// The host of a request, without its port.
fn is_own_name(request: &ServiceRequest) -> bool {
    // The header itself: what a proxy would say is what a foreign page may say, too.
    let Some(host) = request
        .headers()
        .get(actix_web::http::header::HOST)
        .and_then(|host| host.to_str().ok())
    else {
        return false;
    };
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    matches!(name, "localhost" | "127.0.0.1" | "[::1]")
}

pub(super) const HEADERS: [(&str, &str); 5] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
         img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("x-frame-options", "DENY"),
    ("cache-control", "no-store"),
];

/// What every answer carries, and what no request may do.
pub(super) async fn around(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let is_command = request.method() != actix_web::http::Method::GET;
    let mut response = if !is_own_name(&request) {
        let refusal = refused("host_unknown", 421, &words::PageForThisMachine);
        request.into_response(refusal).map_into_boxed_body()
    } else if is_command && !request.headers().contains_key(PAGE_HEADER) {
        let refusal = refused("page_header_missing", 403, &words::RequestNotFromTerminal);
        request.into_response(refusal).map_into_boxed_body()
    } else {
        next.call(request).await?.map_into_boxed_body()
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(
            HeaderName::from_static(name),
            HeaderValue::from_static(value),
        );
    }
    Ok(response)
}
