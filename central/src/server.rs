//! The server: what every request shares, the table of its addresses, and listening.

use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::sync::Arc;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::http::{ConnectionType, Method};
use actix_web::middleware::{Next, from_fn};
use actix_web::{HttpRequest, HttpResponse, HttpServer, ResponseError, Route, web};
use keno_service::Central;
use keno_service::fault::{Fault, Stop};
use keno_service::house::Tls;
use thiserror::Error;

use crate::access::{AccessFault, AccessLog};
use crate::alarm::Alarms;
use crate::limits::LookUpLimits;
use crate::live::Hub;
use crate::metrics::Metrics;
use crate::problem::ApiError;
use crate::site::{AuditSessions, PrizeCache};
use crate::trust::authority::TrustFault;
use crate::trust::{Trust, gate, listener};
use crate::wall::Wall;
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
    /// Trust between devices and central.
    pub trust: Trust,
    /// What the supervisor's wall keeps.
    pub wall: Wall,
}

/// What stands around an opened central cannot be opened.
#[derive(Debug, Error)]
pub enum AppFault {
    /// The access log.
    #[error(transparent)]
    Access(#[from] AccessFault),
    /// The authority of the house.
    #[error(transparent)]
    Trust(#[from] TrustFault),
}

impl App {
    /// Everything around an opened central; the access log and the authority are files in its
    /// data folder.
    ///
    /// # Errors
    /// An [`AppFault`].
    pub fn new(central: Arc<Central>, folder: &Path) -> Result<Self, AppFault> {
        let alarms = Alarms::of(&central, folder);
        let access = AccessLog::open(folder)?;
        for device in access.stops.all().into_keys() {
            central.stops.set(device, true);
        }
        Ok(Self {
            live: Hub::new(&central),
            metrics: Metrics::with(&alarms),
            alarms,
            access,
            trust: Trust::open(&central, folder)?,
            limits: LookUpLimits::new(central.house.unknown_numbers_per_minute),
            tile_roots: log_site::TileRoots::default(),
            prize_cache: PrizeCache::default(),
            audits: AuditSessions::default(),
            wall: Wall::default(),
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
    let refused = app
        .as_ref()
        .and_then(|app| gate::judge(request.request(), app).err());
    let mut response = match refused {
        None => next.call(request).await?.map_into_left_body(),
        Some(refusal) => {
            let mut response = request.into_response(refusal.error_response());
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
        "{0} can be reached from other machines, and this listener has no TLS: listen on \
         127.0.0.1 or [::1] here, and name tls.listen for the others"
    )]
    NotLoopback(SocketAddr),
    /// TLS cannot be prepared.
    #[error("central cannot prepare TLS")]
    Tls(#[from] TrustFault),
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
    /// Where it listens with TLS, if it does.
    pub tls: Option<SocketAddr>,
    /// The server.
    pub server: actix_web::dev::Server,
}

/// Listens on an address of this machine alone, without TLS.
///
/// # Errors
/// [`ServeFault::NotLoopback`] or [`ServeFault::Listen`].
pub fn serve(app: web::Data<App>, address: SocketAddr) -> Result<Served, ServeFault> {
    serve_with(app, address, None)
}

/// As [`serve`], and with TLS on another address, which other machines may reach.
///
/// # Errors
/// A [`ServeFault`].
pub fn serve_with(
    app: web::Data<App>,
    address: SocketAddr,
    tls: Option<&Tls>,
) -> Result<Served, ServeFault> {
    if !address.ip().is_loopback() {
        return Err(ServeFault::NotLoopback(address));
    }
    let bind = |address: SocketAddr| {
        TcpListener::bind(address)
            .and_then(|listener| Ok((listener.local_addr()?, listener)))
            .map_err(|source| ServeFault::Listen { address, source })
    };
    let (address, plain) = bind(address)?;
    let fault = |source| ServeFault::Listen { address, source };
    let secure = match tls {
        None => None,
        Some(tls) => {
            let clock = &app.central.clock;
            let config = listener::server_config(&app.trust.authority, &tls.names, clock)?;
            let (address, socket) = bind(tls.listen)?;
            Some((address, socket, config))
        }
    };
    let connections = Arc::clone(&app.trust.connections);
    let mut server = HttpServer::new(move || {
        let app = app.clone();
        actix_web::App::new().configure(move |cfg| configure(cfg, app))
    })
    .on_connect(move |connection, shared| {
        listener::on_connect(&connections, connection, shared);
    })
    .shutdown_timeout(5)
    // An answer is written whole: it never waits for an acknowledgement of the one before.
    .tcp_nodelay(true)
    // The program stops it, and what waits behind it, in order.
    .disable_signals()
    .listen(plain)
    .map_err(fault)?;
    let tls = secure.as_ref().map(|(address, ..)| *address);
    if let Some((address, socket, config)) = secure {
        server = server
            .listen_rustls_0_23(socket, config)
            .map_err(|source| ServeFault::Listen { address, source })?;
    }
    Ok(Served {
        address,
        tls,
        server: server.run(),
    })
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
