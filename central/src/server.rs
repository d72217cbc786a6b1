//! The server: what every request shares, the table of its addresses, and listening.

use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::sync::Arc;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::middleware::{Next, from_fn};
use actix_web::{HttpRequest, HttpResponse, HttpServer, ResponseError, Route, web};
use keno_service::Central;
use keno_service::fault::{Fault, Stop};
use thiserror::Error;

use crate::access::{AccessFault, AccessLog};
use crate::alarm::Alarms;
use crate::limits::LookUpLimits;
use crate::live::Hub;
use crate::metrics::Metrics;
use crate::problem::ApiError;
use crate::site::{AuditSessions, PrizeCache};
use crate::{api, log_site, pages, site};

/// Largest body of a request, in bytes.
pub const BODY_BYTES_MAX: usize = 64 * 1024;

/// What every request shares.
#[derive(Debug)]
pub struct App {
    /// The use cases.
    pub central: Arc<Central>,
    /// Live events.
    pub live: Arc<Hub>,
    /// Counters.
    pub metrics: Metrics,
    /// Who looked.
    pub access: AccessLog,
    /// Against guessing.
    pub limits: LookUpLimits,
    /// Roots of full tiles.
    pub tile_roots: log_site::TileRoots,
    /// Prize tables of the pages.
    pub prize_cache: PrizeCache,
    /// Auditors signed in at the pages.
    pub audits: AuditSessions,
    /// What stands.
    pub alarms: Alarms,
}

impl App {
    /// Everything around an opened central; the access log is a file in its data folder.
    ///
    /// # Errors
    /// [`AccessFault::Open`].
    pub fn new(central: Arc<Central>, folder: &Path) -> Result<Self, AccessFault> {
        let alarms = Alarms::of(&central, folder);
        Ok(Self {
            live: Hub::new(&central),
            metrics: Metrics::with(&alarms),
            alarms,
            access: AccessLog::open(folder)?,
            limits: LookUpLimits::new(central.house.unknown_numbers_per_minute),
            tile_roots: log_site::TileRoots::default(),
            prize_cache: PrizeCache::default(),
            audits: AuditSessions::default(),
            central,
        })
    }
}

/// Runs blocking work (every statement of diesel, every PIN) off the async threads.
///
/// # Errors
/// What the work says; a fault when its thread is gone.
pub async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Stop> + Send + 'static,
) -> Result<T, Stop> {
    web::block(work)
        .await
        .unwrap_or(Err(Stop::Broke(Fault::Stopped)))
}

/// As [`blocking`], for a command that reads before it is handed to the writer, or after.
///
/// # Errors
/// What the command says.
pub async fn blocking_command<T, F, W>(work: W) -> Result<T, Stop>
where
    T: Send + 'static,
    F: Future<Output = Result<T, Stop>>,
    W: FnOnce() -> F + Send + 'static,
{
    let runtime = tokio::runtime::Handle::current();
    blocking(move || runtime.block_on(work())).await
}

/// An address of the server with one method.
pub struct Endpoint {
    /// Method.
    pub method: Method,
    /// Path, with `{name}` for what varies.
    pub path: &'static str,
    /// What answers.
    pub route: Route,
}

impl Endpoint {
    /// A `GET`.
    pub fn get(path: &'static str, route: Route) -> Self {
        Self {
            method: Method::GET,
            path,
            route: route.method(Method::GET),
        }
    }

    /// A `POST`.
    pub fn post(path: &'static str, route: Route) -> Self {
        Self {
            method: Method::POST,
            path,
            route: route.method(Method::POST),
        }
    }

    /// A `DELETE`.
    pub fn delete(path: &'static str, route: Route) -> Self {
        Self {
            method: Method::DELETE,
            path,
            route: route.method(Method::DELETE),
        }
    }
}

/// Every address for programs: those that `/openapi.json` describes.
pub fn program_endpoints() -> Vec<Endpoint> {
    let mut all = api::endpoints();
    all.extend(log_site::endpoints());
    all.extend([
        Endpoint::get("/live", web::to(crate::live::live)),
        Endpoint::get("/metrics", web::to(crate::metrics::metrics)),
        Endpoint::get("/healthz", web::to(crate::metrics::healthz)),
        Endpoint::get("/openapi.json", web::to(api::openapi::document)),
    ]);
    all
}

/// The addresses of a server that answers for `app`, with headers, counters and problems.
pub fn configure(cfg: &mut web::ServiceConfig, app: web::Data<App>) {
    let mut endpoints = program_endpoints();
    endpoints.extend(site::endpoints());
    let mut by_path: Vec<(&'static str, Vec<Endpoint>)> = Vec::new();
    for endpoint in endpoints {
        match by_path.iter_mut().find(|(path, _)| *path == endpoint.path) {
            Some((_, of_path)) => of_path.push(endpoint),
            None => by_path.push((endpoint.path, vec![endpoint])),
        }
    }
    let mut scope = web::scope("")
        .app_data(app)
        .app_data(web::PayloadConfig::new(BODY_BYTES_MAX))
        .wrap(from_fn(around));
    for (path, of_path) in by_path {
        let allow = allow_of(&of_path);
        let resource = of_path
            .into_iter()
            .fold(web::resource(path), |resource, endpoint| {
                resource.route(endpoint.route)
            })
            .default_service(web::to(move || async move {
                ApiError::MethodNotAllowed { allow }.error_response()
            }));
        scope = scope.service(resource);
    }
    cfg.service(scope.default_service(web::to(unknown_path)));
}

fn allow_of(endpoints: &[Endpoint]) -> &'static str {
    let has = |method: &Method| endpoints.iter().any(|endpoint| endpoint.method == *method);
    match (has(&Method::GET), has(&Method::POST), has(&Method::DELETE)) {
        (true, true, _) => "GET, POST",
        (true, false, _) => "GET",
        (false, true, _) => "POST",
        (false, false, _) => "DELETE",
    }
}

async fn unknown_path(request: HttpRequest, app: web::Data<App>) -> HttpResponse {
    let for_programs = ["/api/", "/log/", "/live", "/metrics"]
        .iter()
        .any(|prefix| request.path().starts_with(prefix));
    if for_programs {
        ApiError::PathUnknown.error_response()
    } else {
        site::not_found(&request, &app)
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

async fn around(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let app = request.app_data::<web::Data<App>>().cloned();
    let started_ms = app
        .as_ref()
        .map_or(0, |app| app.central.clock.monotonic_ms());
    let method = request.method().clone();
    let mut response = next.call(request).await?;
    for (name, value) in HEADERS {
        let name = HeaderName::from_static(name);
        let headers = response.headers_mut();
        if !headers.contains_key(&name) {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
    if let Some(app) = app {
        let error = response.response().error();
        if let Some(ApiError::Unsure(_)) = error.and_then(|error| error.as_error()) {
            app.alarms.commit_unknown();
        }
        let route = response
            .request()
            .match_pattern()
            .unwrap_or_else(|| "unknown".to_owned());
        app.metrics.answered(
            &method,
            &route,
            response.status().as_u16(),
            app.central.clock.monotonic_ms() - started_ms,
        );
    }
    Ok(response)
}

/// The server cannot listen.
#[derive(Debug, Error)]
pub enum ServeFault {
    /// Not an address of this machine alone.
    #[error(
        "{0} can be reached from other machines and central has no TLS: listen on 127.0.0.1 or \
         [::1], and put a proxy with TLS in front"
    )]
    NotLoopback(SocketAddr),
    /// The address is taken or may not be used.
    #[error("central cannot listen on {address}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        #[source]
        source: std::io::Error,
    },
}

/// A server that listens: run it by awaiting it; stop it by its handle.
pub struct Served {
    /// Where it listens; the port is the one that was given out for port 0.
    pub address: SocketAddr,
    /// The server.
    pub server: actix_web::dev::Server,
}

/// Listens on an address of this machine alone.
///
/// # Errors
/// [`ServeFault::NotLoopback`] or [`ServeFault::Listen`].
pub fn serve(app: web::Data<App>, address: SocketAddr) -> Result<Served, ServeFault> {
    if !address.ip().is_loopback() {
        return Err(ServeFault::NotLoopback(address));
    }
    let fault = |source| ServeFault::Listen { address, source };
    let listener = TcpListener::bind(address).map_err(fault)?;
    let address = listener.local_addr().map_err(fault)?;
    let server = HttpServer::new(move || {
        let app = app.clone();
        actix_web::App::new().configure(move |cfg| configure(cfg, app))
    })
    .shutdown_timeout(5)
    // The program stops it, and what waits behind it, in order.
    .disable_signals()
    .listen(listener)
    .map_err(fault)?
    .run();
    Ok(Served { address, server })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_each_address_once() {
        let mut seen = std::collections::BTreeSet::new();
        let mut all = program_endpoints();
        all.extend(site::endpoints());
        for endpoint in all {
            assert!(
                seen.insert((endpoint.path, endpoint.method.to_string())),
                "{} {}",
                endpoint.method,
                endpoint.path
            );
        }
        assert!(seen.len() > 40);
    }
}
