//! The server: what every request shares, the table of its addresses, and listening.

use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::http::{ConnectionType, Method};
use actix_web::middleware::{Next, from_fn};
use actix_web::{HttpRequest, HttpResponse, ResponseError, Route, web};
use keno_record::fault::Fault;
use keno_service::Central;
use keno_service::Stop;
use keno_service::house::Tls;
use thiserror::Error;
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::access::{AccessFault, AccessLog};
use crate::alarm::Alarms;
use crate::console::Console;
use crate::entrance::{Budget, Class, Door, DoorRefusal, Line, descriptors, judge, listen};
use crate::idle::Idle;
use crate::limits::LookUpLimits;
use crate::live::Hub;
use crate::metrics::Metrics;
use crate::papers::Papers;
use crate::problem::ApiError;
use crate::site::{AuditSessions, PrizeCache};
use crate::trust::authority::TrustFault;
use crate::trust::{Trust, gate, listener};
use crate::wall::Wall;
use crate::{api, doors, log_site, pages, site};

/// Largest body of a request, in bytes.
pub const BODY_BYTES_MAX: usize = 64 * 1024;

/// What every request shares.
#[derive(Debug)]
pub struct App {
    /// The use cases.
    pub central: Arc<Central>,
    /// The key of the command line on this machine.
    pub console: Console,
    /// Live events.
    pub live: Arc<Hub>,
    /// Counters.
    pub metrics: Metrics,
    /// Who looked.
    pub access: Arc<AccessLog>,
    /// Whether anybody is in front of the devices.
    pub idle: Idle,
    /// Against guessing.
    pub limits: LookUpLimits,
    /// Roots of full tiles.
    pub tile_roots: Arc<log_site::TileRoots>,
    /// What papers know of the log.
    pub papers: Papers,
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
    /// Turns of those who are no devices.
    pub strangers: Semaphore,
}

/// What stands around an opened central cannot be opened.
#[derive(Debug, Error)]
pub enum AppFault {
    /// The access log.
    #[error(transparent)]
    Access(#[from] AccessFault),
    /// The key of the console.
    #[error("the key of the console cannot be written")]
    Console(#[source] std::io::Error),
    /// What holds papers against the log.
    #[error("no thread can be made")]
    Papers(#[source] std::io::Error),
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
        let access = Arc::new(AccessLog::open_for(&central, folder)?);
        access.keep_pins_of(&central);
        let tile_roots = Arc::new(log_site::TileRoots::default());
        for device in access.stops.all().into_keys() {
            central.stops.set(device, true);
        }
        Ok(Self {
            console: Console::open(folder).map_err(AppFault::Console)?,
            live: Hub::new(&central),
            metrics: Metrics::with(&alarms),
            alarms,
            access,
            idle: Idle::default(),
            trust: Trust::open(&central, folder)?,
            limits: LookUpLimits::new(central.house.unknown_numbers_per_minute),
            papers: Papers::start(&central, &tile_roots).map_err(AppFault::Papers)?,
            tile_roots,
            prize_cache: PrizeCache::default(),
            audits: AuditSessions::default(),
            wall: Wall::default(),
            strangers: Semaphore::new(STRANGERS_AT_WORK),
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
    // What has no row in the table of authority does not exist.
    endpoints.retain(|endpoint| doors::operation_of(&endpoint.method, endpoint.path).is_some());
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

/// Whether a path is one that programs ask for, and no page.
fn is_for_programs(path: &str) -> bool {
    [
        "/api/",
        "/log/",
        "/live",
        "/metrics",
        "/healthz",
        "/openapi.json",
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

/// Requests of strangers that are worked on at once. Half of the reading connections are beyond
/// their reach, and so are the threads that devices need.
pub const STRANGERS_AT_WORK: usize = 4;
/// A stranger's request waits so long for its turn.
const STRANGER_WAITS: Duration = Duration::from_secs(5);

/// What is answered from memory, or only asks whether central is there: it needs no turn.
fn needs_no_turn(path: &str) -> bool {
    ["/live", "/healthz", "/openapi.json", "/assets/"]
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
        line.become_of(match api::device_that_asks(request.request()) {
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

async fn around(
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let app = request.app_data::<web::Data<App>>().cloned();
    let started_ms = app
        .as_ref()
        .map_or(0, |app| app.central.clock.monotonic_ms());
    let method = request.method().clone();
    let line = request.request().conn_data::<Arc<Line>>().cloned();
    let judged =
        match &app {
            None => Ok(None),
            Some(app) => judged(app, &mut request, line.as_deref())
                .await
                .map_err(|error| match error {
                    ApiError::Door(_) => refused_response(request.request(), app, &error),
                    _ => error.error_response(),
                }),
        };
    let forbidden = match (&judged, &app) {
        (Ok(_), Some(app)) => doors::judge(request.request())
            .err()
            .map(|refusal| refused_response(request.request(), app, &refusal)),
        _ => None,
    };
    let mut response = match (judged, forbidden) {
        (Ok(turn), None) => {
            let response = next.call(request).await?.map_into_left_body();
            drop(turn);
            response
        }
        (Ok(_), Some(response)) => request.into_response(response).map_into_right_body(),
        (Err(refusal), _) => {
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
    /// The system gives fewer descriptors than the doors need.
    #[error(
        "central needs {needed} descriptors for its connections and may have {allowed}: raise the \
         limit (LimitNOFILE of its unit, ulimit -n), or lower [connections] in house.toml"
    )]
    Descriptors {
        /// For all doors and files.
        needed: usize,
        /// What the system gives.
        allowed: u64,
    },
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

/// The servers of all doors: run them by awaiting this; stop them by its handle.
pub struct Servers {
    handles: Handles,
    all: Pin<Box<dyn Future<Output = std::io::Result<()>>>>,
}

/// Stops every server.
#[derive(Debug, Clone)]
pub struct Handles(Vec<actix_web::dev::ServerHandle>);

impl Handles {
    /// Takes nothing new, and waits for what is being answered where that is `graceful`.
    ///
    /// They are told at once; what is returned ends when they have ended.
    pub fn stop(&self, graceful: bool) -> impl Future<Output = ()> + use<> {
        let stopping: Vec<_> = self.0.iter().map(|one| one.stop(graceful)).collect();
        async move {
            futures_util::future::join_all(stopping).await;
        }
    }
}

impl Servers {
    fn of(servers: Vec<actix_web::dev::Server>) -> Self {
        let handles = servers.iter().map(actix_web::dev::Server::handle).collect();
        Self {
            handles: Handles(handles),
            all: Box::pin(async move {
                futures_util::future::try_join_all(servers).await?;
                Ok(())
            }),
        }
    }

    /// What stops them.
    pub fn handle(&self) -> Handles {
        self.handles.clone()
    }
}

impl Future for Servers {
    type Output = std::io::Result<()>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        self.all.as_mut().poll(context)
    }
}

/// A central that listens.
pub struct Served {
    /// Where it listens without TLS; the port is the one that was given out for port 0.
    pub address: SocketAddr,
    /// Where it listens for devices with TLS, if it does.
    pub tls: Option<SocketAddr>,
    /// Where it listens for everybody with TLS, if it does.
    pub public: Option<SocketAddr>,
    /// The servers.
    pub server: Servers,
}

/// Listens on an address of this machine alone, without TLS.
///
/// # Errors
/// [`ServeFault::NotLoopback`] or [`ServeFault::Listen`].
pub fn serve(app: web::Data<App>, address: SocketAddr) -> Result<Served, ServeFault> {
    serve_with(&app, address, None)
}

/// As [`serve`], and with TLS on two other addresses, which other machines may reach: one for
/// devices, one for everybody.
///
/// # Errors
/// A [`ServeFault`].
pub fn serve_with(
    app: &web::Data<App>,
    address: SocketAddr,
    tls: Option<&Tls>,
) -> Result<Served, ServeFault> {
    if !address.ip().is_loopback() {
        return Err(ServeFault::NotLoopback(address));
    }
    let names = tls.map_or(&[][..], |tls| tls.names.as_slice());
    let mut at = vec![(Door::Own, address)];
    at.extend(
        tls.iter()
            .flat_map(|tls| [(Door::Devices, tls.listen), (Door::Public, tls.public)]),
    );
    let most = app.central.house.connections;
    let doors: Vec<_> = at
        .into_iter()
        .map(|(door, address)| (Budget::new(door, most, names), address))
        .collect();
    let needed = doors.iter().map(|(budget, _)| budget.sockets()).sum();
    descriptors::keep(needed).map_err(|allowed| ServeFault::Descriptors { needed, allowed })?;
    let (mut listening, mut servers) = (Vec::new(), Vec::new());
    for (budget, address) in doors {
        let fault = |source| ServeFault::Listen { address, source };
        let config = if budget.door().is_over_tls() {
            let (authority, clock) = (&app.trust.authority, &app.central.clock);
            Some(listener::server_config(
                budget.door(),
                authority,
                names,
                clock,
            )?)
        } else {
            None
        };
        let socket = TcpListener::bind(address).map_err(fault)?;
        listening.push(socket.local_addr().map_err(fault)?);
        servers.push(listen::serve(app, &budget, socket, config).map_err(fault)?);
    }
    Ok(Served {
        address: listening[0],
        tls: listening.get(1).copied(),
        public: listening.get(2).copied(),
        server: Servers::of(servers),
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
