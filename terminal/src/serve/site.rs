//! Central's pages at an office: audit office, draw desk, back office. Central takes no PIN from a
//! connection without an active device, so its pages come through this one, which is such a device.
//!
//! What passes is a closed list of addresses, read or sent as a form by a page of this very address;
//! everything else ends here, in words. Nothing of what passes is kept, judged or logged.

use std::net::SocketAddr;
use std::time::Duration;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::http::{Method, StatusCode};
use actix_web::middleware::{Next, from_fn};
use actix_web::{HttpRequest, HttpResponse, web};
use keno_wire::Problem;
use keno_wire::reply::Bilingual;
use keno_words::{Say, counter as words};

use super::assets::{self, HTML};
use super::board::Link;
use super::door::{HEADERS, Shared, no_icon, state};
use super::way::{self, Beside};
use super::{desk, office};
use crate::central::{CallFault, PageReply, PageRequest, Patience};
use crate::config::{Config, Role};
use crate::trust::Time;

/// Largest form, in bytes.
const FORM_BYTES_MAX: usize = 64 * 1024;
/// Longest path with its query, in bytes.
const TARGET_BYTES_MAX: usize = 1_024;
/// A page of central may take so long: a PIN is hashed slowly, a report is long.
const PAGE_WITHIN: Duration = Duration::from_secs(20);
/// After so long without a page the person is told, when central answers nothing else either.
const SILENT_AFTER: Duration = Duration::from_secs(2);

/// What a form of a page is sent as.
const FORM: &str = "application/x-www-form-urlencoded";

/// Pages that are only read, by every office: the first segment of their address.
const PUBLIC: [&str; 4] = ["draws", "prizes", "assets", "log"];
/// Pages with a sign-on of their own, and whose they are.
const OF_OFFICES: [(&str, Role); 1] = [("audit", Role::Audit)];

/// Headers of central's answer that reach the browser as they are.
const PASSED: [&str; 8] = [
    "cache-control",
    "content-disposition",
    "content-security-policy",
    "content-type",
    "referrer-policy",
    "retry-after",
    "x-content-type-options",
    "x-frame-options",
];

/// Central's pages at this device.
pub(super) struct Site {
    role: Role,
    /// Browsers give a cookie to every port of a host: those of this device carry its number.
    cookies: String,
    way: Beside,
}

impl Site {
    /// The pages of an office; none at any other device.
    pub(super) fn of(config: &Config, patience: Patience, time: Time) -> Option<Self> {
        let is_office = matches!(config.role, Role::Audit | Role::Desk | Role::Office);
        let device = way::device(config).ok().filter(|_| is_office)?;
        let reaching = config.clone();
        let patience = Patience {
            answer: patience.answer.max(PAGE_WITHIN),
            ..patience
        };
        Some(Self {
            role: config.role,
            cookies: format!("boulier-{device}-"),
            way: Beside::new(Box::new(move || way::connect(&reaching, patience, time))),
        })
    }

    /// The certificate was renewed.
    pub(super) fn renewed(&self) {
        self.way.renewed();
    }

    /// Whether this device passes that on. Signs that an address of central does not have are no
    /// address: nothing is decoded here that central would decode once more.
    fn passes(&self, method: &Method, path: &str, query: &str) -> bool {
        let is_sign = |sign: u8| sign.is_ascii_alphanumeric() || b"/-_.".contains(&sign);
        let mut segments = path.split('/').skip(1);
        let is_plain = path.len() + query.len() < TARGET_BYTES_MAX
            && path.bytes().all(is_sign)
            && query
                .bytes()
                .all(|sign| is_sign(sign) || b"=&".contains(&sign))
            && !segments.clone().any(|segment| segment.starts_with('.'));
        let first = segments.next().unwrap_or_default();
        let is_own = OF_OFFICES
            .iter()
            .any(|(name, role)| first == *name && *role == self.role);
        is_plain
            && match *method {
                Method::GET => is_own || PUBLIC.contains(&first),
                Method::POST => is_own,
                _ => false,
            }
    }

    /// The cookies of central among those of a request.
    fn cookies_of(&self, request: &HttpRequest) -> Option<String> {
        let own: Vec<&str> = request
            .headers()
            .get_all(header::COOKIE)
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(';'))
            .filter_map(|pair| pair.trim().strip_prefix(&self.cookies))
            .collect();
        (!own.is_empty()).then(|| own.join("; "))
    }

    /// A cookie of central, for this machine: it has no TLS to be kept to, and no domain.
    fn cookie(&self, given: &str) -> String {
        let mut parts = given.split(';').map(str::trim);
        let mut cookie = format!("{}{}", self.cookies, parts.next().unwrap_or_default());
        for part in parts {
            let name = part.split('=').next().unwrap_or_default();
            if ["path", "max-age", "expires"].contains(&name.to_ascii_lowercase().as_str()) {
                cookie.push_str("; ");
                cookie.push_str(part);
            }
        }
        cookie + "; HttpOnly; SameSite=Strict"
    }

    fn answer(&self, base: &str, page: PageReply) -> Option<HttpResponse> {
        let status = StatusCode::from_u16(page.status).ok()?;
        let mut response = HttpResponse::build(status);
        for (name, value) in page.headers {
            if PASSED.contains(&name.as_str()) {
                response.insert_header((name, value));
            } else if name == "set-cookie" {
                response.append_header((header::SET_COOKIE, self.cookie(&value)));
            } else if name == "location" {
                let path = value.strip_prefix(base).unwrap_or(&value);
                // Nobody is sent anywhere else from here.
                if !path.starts_with('/') || path.starts_with("//") || path.contains('\\') {
                    return None;
                }
                response.insert_header((header::LOCATION, path));
            }
        }
        Some(response.body(page.body))
    }
}

/// A text where HTML is read.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// This device's own page: why there is none of central.
fn told(shared: &Shared, status: StatusCode, sentence: &Bilingual) -> HttpResponse {
    let page = include_str!("pages/site.html")
        .replace("{device}", &shared.board.view().device.to_string())
        .replace("{fr}", &escaped(&sentence.fr))
        .replace("{en}", &escaped(&sentence.en));
    HttpResponse::build(status).content_type(HTML).body(page)
}

fn say(shared: &Shared, status: StatusCode, words: &dyn Say) -> HttpResponse {
    told(shared, status, &Bilingual::of(words))
}

fn silent(shared: &Shared) -> HttpResponse {
    say(
        shared,
        StatusCode::SERVICE_UNAVAILABLE,
        &words::CentralSilent,
    )
}

/// Ends when central has been silent for everyone at this device, and not for a page alone.
async fn until_silent(shared: &Shared) {
    tokio::time::sleep(SILENT_AFTER).await;
    loop {
        let change = shared.board.changed();
        if shared.board.link() == Link::Away {
            return;
        }
        shared.board.until_changed(change).await;
    }
}

async fn pass(
    (shared, site): (web::Data<Shared>, web::Data<Site>),
    request: HttpRequest,
    form: Result<web::Bytes, actix_web::Error>,
) -> HttpResponse {
    let (method, path, query) = (request.method(), request.path(), request.query_string());
    if !site.passes(method, path, query) {
        return say(&shared, StatusCode::NOT_FOUND, &words::PageOfOtherDesk);
    }
    let link = shared.board.link();
    if matches!(
        link,
        Link::Revoked | Link::Unknown | Link::HandedOver(_) | Link::Refused(_)
    ) {
        return told(&shared, StatusCode::SERVICE_UNAVAILABLE, &link.sentence());
    }
    let is_form = request
        .headers()
        .get(header::CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok())
        .is_some_and(|kind| {
            kind.split(';')
                .next()
                .is_some_and(|kind| kind.trim() == FORM)
        });
    let form = match (method == Method::POST, form) {
        (false, _) => None,
        (true, Ok(form)) if is_form => Some(form.to_vec()),
        (true, _) => {
            return say(&shared, StatusCode::PAYLOAD_TOO_LARGE, &words::FormNotSent);
        }
    };
    let target = match query {
        "" => path.to_owned(),
        query => format!("{path}?{query}"),
    };
    let mut headers = Vec::new();
    if let Some(cookies) = site.cookies_of(&request) {
        headers.push(("cookie", cookies));
    }
    let at_work = site.clone();
    let asking = web::block(move || {
        let central = at_work.way.central()?;
        if form.is_some() {
            // That the form is of a page of this address was judged here, where it can be.
            headers.push(("content-type", FORM.to_owned()));
            headers.push(("origin", central.base().to_owned()));
            headers.push(("sec-fetch-site", "same-origin".to_owned()));
        }
        let asked = PageRequest {
            target,
            headers,
            form,
        };
        anyhow::Ok((central.page(asked), central.base().to_owned()))
    });
    let asked = tokio::select! {
        asked = asking => asked,
        () = until_silent(&shared) => return silent(&shared),
    };
    let (page, base) = match asked {
        Ok(Ok((Ok(page), base))) => (page, base),
        Ok(Ok((Err(CallFault::Lost(error)), _))) => {
            tracing::warn!(%error, "a page of central was lost");
            return silent(&shared);
        }
        Ok(Err(error)) => {
            tracing::error!(error = format!("{error:#}"), "the pages' way to central");
            return silent(&shared);
        }
        _ => return silent(&shared),
    };
    let is_problem = page
        .headers
        .iter()
        .any(|(name, value)| name == "content-type" && value == "application/problem+json");
    if is_problem && let Ok(problem) = serde_json::from_slice::<Problem>(&page.body) {
        let status = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::BAD_GATEWAY);
        return told(&shared, status, &problem.sentence);
    }
    site.answer(&base, page).unwrap_or_else(|| silent(&shared))
}

/// Whether a request is for this very address, and of a page of it or of the person alone.
fn is_own(request: &ServiceRequest) -> bool {
    let own: SocketAddr = request.app_config().local_addr();
    let text = |name: &str| {
        let value = request.headers().get(name)?;
        Some(value.to_str().unwrap_or_default().to_owned())
    };
    let host = text("host").unwrap_or_default();
    let names = ["localhost", "127.0.0.1", "[::1]"].map(|name| format!("{name}:{}", own.port()));
    if !names.contains(&host) {
        return false;
    }
    let from = text("sec-fetch-site");
    let is_same = from.as_deref() == Some("same-origin");
    if request.method() == Method::GET {
        // A link on another page may lead here; no page may read here, or show this inside itself.
        let is_visit = text("sec-fetch-mode").as_deref() == Some("navigate")
            && text("sec-fetch-dest").as_deref() == Some("document");
        return is_same || is_visit || matches!(from.as_deref(), None | Some("none"));
    }
    // Central's pages say nothing of where they are: their browser then has no origin to name.
    match text("origin").as_deref() {
        Some("null") => is_same,
        Some(origin) => origin == format!("http://{host}") && (is_same || from.is_none()),
        None => is_same,
    }
}

/// What every answer carries, and what no request may do.
async fn around(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let mut response = if is_own(&request) {
        next.call(request).await?.map_into_boxed_body()
    } else {
        let refusal = match request.app_data::<web::Data<Shared>>() {
            Some(shared) => say(shared, StatusCode::FORBIDDEN, &words::RequestNotFromDesk),
            None => HttpResponse::Forbidden().finish(),
        };
        request.into_response(refusal).map_into_boxed_body()
    };
    for (name, value) in HEADERS {
        let name = HeaderName::from_static(name);
        if !response.headers().contains_key(&name) {
            response
                .headers_mut()
                .insert(name, HeaderValue::from_static(value));
        }
    }
    Ok(response)
}

async fn start(shared: web::Data<Shared>) -> HttpResponse {
    let path = match shared.role {
        Role::Audit => "/audit",
        Role::Office | Role::Desk => "/office",
        _ => "/draws",
    };
    HttpResponse::SeeOther()
        .insert_header((header::LOCATION, path))
        .finish()
}

/// The addresses of an office.
pub(super) fn configure(
    cfg: &mut web::ServiceConfig,
    shared: web::Data<Shared>,
    site: web::Data<Site>,
) {
    let role = shared.role;
    let mut scope = web::scope("")
        .app_data(shared)
        .app_data(site)
        .app_data(web::PayloadConfig::new(FORM_BYTES_MAX))
        .wrap(from_fn(around))
        .route("/", web::get().to(start))
        .route("/favicon.ico", web::get().to(no_icon))
        .configure(|cfg| assets::configure(cfg, &[assets::LOOKS]))
        .route("/agent/state", web::get().to(state));
    match role {
        Role::Office => scope = scope.configure(office::configure),
        Role::Desk => scope = scope.configure(desk::configure),
        _ => {}
    }
    cfg.service(scope.default_service(web::to(pass)));
}
