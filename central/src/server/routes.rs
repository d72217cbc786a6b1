//! The table of addresses as a router, and what is done around every request: it is judged before
//! its address is looked at, and its answer carries the headers of the house and is counted.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use actix_web::body::{BodySize, EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::http::{ConnectionType, Method, Version, header};
use actix_web::middleware::{Compress, Condition, Next, from_fn};
use actix_web::{HttpMessage, HttpRequest, HttpResponse, ResponseError, web};
use keno_service::access::{AccessKind, AccessLine};
use keno_wire::problem::PROBLEMS;
use tokio::sync::SemaphorePermit;

use super::{gate, judge, shared};
use crate::app::App;
use crate::endpoint::Endpoint;
use crate::entrance::{Class, DoorRefusal, Line};
use crate::problem::{ApiError, language};
use crate::request::caller::{badge_that_asks, device_that_asks};
use crate::{api, doors, pages, site};

/// Largest body of a request, in bytes.
pub const BODY_BYTES_MAX: usize = 64 * 1024;

/// The addresses of a server that answers for `app`, with headers, counters and problems.
pub fn configure(cfg: &mut web::ServiceConfig, app: web::Data<App>) {
    let mut endpoints = api::endpoints();
    endpoints.extend(site::endpoints());
    // What has no row in the table of authority does not exist.
    endpoints.retain(|endpoint| doors::operation_of(&endpoint.method, &endpoint.path).is_some());
    let mut by_path: Vec<(String, Vec<Endpoint>)> = Vec::new();
    for endpoint in endpoints {
        match by_path.iter_mut().find(|(path, _)| *path == endpoint.path) {
            Some((_, of_path)) => of_path.push(endpoint),
            None => by_path.push((endpoint.path.clone(), vec![endpoint])),
        }
    }
    // A path in which nothing varies is compared at once; the others want a search each.
    by_path.sort_by_key(|(path, _)| path.contains('{'));
    let mut scope = web::scope("")
        .app_data(app)
        .app_data(web::PayloadConfig::new(BODY_BYTES_MAX))
        .app_data(web::PathConfig::default().error_handler(|error, request| {
            // What stands in the path is none of what varies there: there is no such address.
            let response = match request.app_data::<web::Data<App>>() {
                Some(app) if !is_for_programs(request.path()) => site::not_found(request, app),
                _ => ApiError::PathUnknown.error_response(),
            };
            actix_web::error::InternalError::from_response(error, response).into()
        }))
        .wrap(from_fn(around));
    for (path, of_path) in by_path {
        let allow = allow_of(&of_path);
        let is_shared = shared::is_for_everybody(&of_path);
        let resource = of_path
            .into_iter()
            .fold(web::resource(path.as_str()), |resource, endpoint| {
                resource.route(endpoint.route)
            })
            .default_service(web::to(move || async move {
                ApiError::MethodNotAllowed { allow }.error_response()
            }))
            .app_data(Pattern(path.into()))
            .wrap(Condition::new(is_shared, from_fn(shared::unless_known)))
            .wrap(Condition::new(is_shared, Compress::default()))
            .wrap(from_fn(allowed));
        scope = scope.service(resource);
    }
    cfg.service(scope.default_service(web::to(unknown_path)));
}

fn allow_of(endpoints: &[Endpoint]) -> &'static str {
    let has = |method: &Method| endpoints.iter().any(|endpoint| endpoint.method == *method);
    match (has(&Method::GET), has(&Method::POST), has(&Method::DELETE)) {
        (true, true, _) => "GET, HEAD, POST",
        (true, false, _) => "GET, HEAD",
        (false, true, _) => "POST",
        (false, false, _) => "DELETE",
    }
}

/// Whether a path is one that programs ask for, and no page.
fn is_for_programs(path: &str) -> bool {
    [
        "/api/",
        "/log/",
        "/live",
        "/metrics",
        "/healthz",
        "/openapi.json",
        PROBLEMS,
    ]
    .iter()
    .any(|prefix| path.starts_with(prefix))
}

async fn unknown_path(request: HttpRequest, app: web::Data<App>) -> HttpResponse {
    if is_for_programs(request.path()) {
        ApiError::PathUnknown.error_response()
    } else {
        site::not_found(&request, &app)
    }
}

/// An address as the table of authority has it.
#[derive(Debug, Clone)]
struct Pattern(Arc<str>);

/// Judges who asks by the table of authority, once the router has found the address: by what it
/// found and by nothing that is read off the path a second time, which may be spelled otherwise.
async fn allowed(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let app = request.app_data::<web::Data<App>>().cloned();
    let pattern = request.app_data::<Pattern>().cloned();
    let (app, pattern) = app.zip(pattern).ok_or(ApiError::PathUnknown)?;
    let judged = doors::judge(request.request(), &pattern.0);
    request.extensions_mut().insert(pattern.clone());
    if let Err(refusal) = judged {
        note_refusal(request.request(), &app, &pattern, &refusal);
        let response = refused_response(request.request(), &app, &refusal);
        return Ok(request.into_response(response).map_into_right_body());
    }
    let answered = next.call(request).await?;
    let error = answered.response().error();
    if let Some(refusal) = error.and_then(actix_web::Error::as_error::<ApiError>) {
        note_refusal(answered.request(), &app, &pattern, refusal);
    }
    Ok(answered.map_into_left_body())
}

/// Whoever tries at a device what is not theirs to do leaves a line in the access log.
fn note_refusal(request: &HttpRequest, app: &App, pattern: &Pattern, refusal: &ApiError) {
    let ApiError::Refused(refusal) = refusal else {
        return;
    };
    let operation = doors::operation_of(request.method(), &pattern.0);
    let (Some(operation), Some(device)) = (operation, device_that_asks(request)) else {
        return;
    };
    if refusal.is_about_authority() {
        app.access.note(AccessLine {
            at_ms: app.central.clock.now_ms(),
            kind: AccessKind::Refused,
            device: Some(device.device),
            badge: badge_that_asks(request),
            trace: String::new(),
            purpose: format!("{} {}", operation.row().name, refusal.name()),
        });
    }
}

/// Headers that every answer carries, unless it says otherwise itself.
const HEADERS: [(&str, &str); 5] = [
    ("content-security-policy", pages::CONTENT_SECURITY_POLICY),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("x-frame-options", "DENY"),
    ("cache-control", "no-store"),
];

/// What a browser is told over TLS: never to come without.
const STRICT_TRANSPORT: &str = "max-age=31536000";

/// A stranger's request waits so long for its turn.
const STRANGER_WAITS: Duration = Duration::from_secs(5);

/// What is answered from memory, or only asks whether central is there: it needs no turn.
fn needs_no_turn(path: &str) -> bool {
    ["/live", "/healthz", "/openapi.json", "/assets/", PROBLEMS]
        .iter()
        .any(|prefix| path.starts_with(prefix))
}

/// Whatever is judged before an address is looked at. A stranger's request has its turn when this
/// is done, and keeps it until it is answered.
async fn judged<'a>(
    app: &'a App,
    request: &mut ServiceRequest,
    line: Option<&Line>,
) -> Result<Option<SemaphorePermit<'a>>, ApiError> {
    if let Some(line) = line {
        judge::head(request.request(), line.door(), line.names())?;
    }
    gate::judge(request.request(), app)?;
    let class = line.map_or(Class::Device, Line::class);
    if let Some(line) = line
        && class < Class::Device
    {
        line.become_of(match device_that_asks(request.request()) {
            Some(_) => Class::Device,
            None => Class::Stranger,
        })?;
    }
    judge::body(request, BODY_BYTES_MAX).await?;
    let Some(line) = line else { return Ok(None) };
    line.request_arrived();
    if line.class() == Class::Device || needs_no_turn(request.path()) {
        return Ok(None);
    }
    match tokio::time::timeout(STRANGER_WAITS, app.strangers.acquire()).await {
        Ok(Ok(turn)) => Ok(Some(turn)),
        _ => Err(DoorRefusal::StrangersBusy.into()),
    }
}

/// What is refused before a handler sees it: a page's visitor is told by a page.
fn refused_response(request: &HttpRequest, app: &App, refusal: &ApiError) -> HttpResponse {
    if is_for_programs(request.path()) {
        refusal.error_response()
    } else {
        site::refused(request, app, refusal)
    }
}

/// What is left of a body where its head alone was asked for: how long it is.
struct Headless(BodySize);

impl MessageBody for Headless {
    type Error = Infallible;

    fn size(&self) -> BodySize {
        self.0
    }

    fn poll_next(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<web::Bytes, Infallible>>> {
        Poll::Ready(None)
    }
}

/// Answers in the language that is asked for, and with the head alone where that is asked for.
async fn around(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let is_head = request.method() == Method::HEAD;
    let language = language::of(request.request());
    let answer = language::answering(language, answered(request, next)).await?;
    Ok(answer.map_body(|_, body| {
        if is_head {
            EitherBody::right(Headless(body.size()))
        } else {
            EitherBody::left(body)
        }
    }))
}

async fn answered(
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let app = request.app_data::<web::Data<App>>().cloned();
    let started_ms = app
        .as_ref()
        .map_or(0, |app| app.central.clock.monotonic_ms());
    let method = request.method().clone();
    if request.version() < Version::HTTP_11 {
        // What is compressed comes in parts, which such a client does not know.
        request.headers_mut().remove(header::ACCEPT_ENCODING);
    }
    let line = request.request().conn_data::<Arc<Line>>().cloned();
    let judged =
        match &app {
            None => Ok(None),
            // No address of ours is spelled so, and two spellings of one would be judged by two.
            Some(app) if request.path().contains('%') => {
                Err(unknown_path(request.request().clone(), app.clone()).await)
            }
            Some(app) => judged(app, &mut request, line.as_deref())
                .await
                .map_err(|error| match error {
                    ApiError::Door(_) => refused_response(request.request(), app, &error),
                    _ => error.error_response(),
                }),
        };
    let mut response = match judged {
        Ok(turn) => {
            let response = next.call(request).await?.map_into_left_body();
            drop(turn);
            response
        }
        Err(refusal) => {
            let mut response = request.into_response(refusal);
            response
                .response_mut()
                .head_mut()
                .set_connection_type(ConnectionType::Close);
            response.map_into_right_body()
        }
    };
    for (name, value) in HEADERS {
        let name = HeaderName::from_static(name);
        let headers = response.headers_mut();
        if !headers.contains_key(&name) {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
    if let Some(line) = &line {
        if line.door().is_over_tls() {
            response.headers_mut().insert(
                header::STRICT_TRANSPORT_SECURITY,
                HeaderValue::from_static(STRICT_TRANSPORT),
            );
        }
        if line.is_old() {
            let head = response.response_mut().head_mut();
            head.set_connection_type(ConnectionType::Close);
        }
    }
    if let Some(app) = &app {
        let error = response.response().error();
        if let Some(ApiError::Unsure(_)) = error.and_then(|error| error.as_error()) {
            app.alarms.commit_unknown();
        }
        let extensions = response.request().extensions();
        let pattern = extensions.get::<Pattern>();
        app.metrics.answered(
            &method,
            pattern.map_or("unknown", |it| &*it.0),
            response.status().as_u16(),
            app.central.clock.monotonic_ms() - started_ms,
        );
    }
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_each_address_once() {
        let mut seen = std::collections::BTreeSet::new();
        let mut all = api::endpoints();
        all.extend(site::endpoints());
        for endpoint in all {
            assert!(
                seen.insert((endpoint.path.clone(), endpoint.method.to_string())),
                "{} {}",
                endpoint.method,
                endpoint.path
            );
        }
        assert!(seen.len() > 40);
    }
}
