//! The pages of this device and what they ask, on loopback alone.
//!
//! A page elsewhere cannot ask for anything: the host must be this machine by one of its own
//! names, and a command must carry a header that a foreign page may not send unasked.

use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use actix_web::body::MessageBody;
use actix_web::dev::{Server, ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::middleware::{Next, from_fn};
use actix_web::{HttpResponse, HttpServer, web};
use keno_wire::people::ChoosePinRequest;
use keno_wire::reply::Bilingual;
use keno_wire::request::{CommandKey, Slip};
use serde::{Deserialize, Serialize};

use super::board::{Board, Link};
use super::counter::draft::Confirm;
use super::counter::lock::Lock;
use super::counter::presentations::Presentations;
use super::counter::{self};
use super::hands::{Ended, Hands, NotTaken, Work};
use super::scans::Scans;
use super::site::{self, Site};
use super::wall::{self, Wall};
use super::{technician, trials};
use crate::agent::{Agent, Credentials, LostTicket, SaleOptions, Second};
use crate::config::Role;
use crate::exit::{Exit, Stop};
use crate::journal::ParkedMoney;

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
    /// The supervisor's wall.
    pub(super) wall: Arc<Wall>,
    /// Central's pages, where this device is an office.
    pub(super) site: Option<Arc<Site>>,
    /// What is presented as claims.
    pub(super) presentations: Arc<Presentations>,
    /// The scanner.
    pub(super) scans: Arc<Scans>,
    /// What the technician's page needs.
    pub(super) about: technician::About,
}

/// What this device does not do, or not now.
#[derive(Debug, Clone, Serialize)]
struct Refused {
    /// Stable name.
    name: &'static str,
    /// The sentence.
    title: Bilingual,
}

pub(super) fn refused(name: &'static str, status: u16, fr: &str, en: &str) -> HttpResponse {
    let status = actix_web::http::StatusCode::from_u16(status)
        .unwrap_or(actix_web::http::StatusCode::BAD_REQUEST);
    HttpResponse::build(status).json(Refused {
        name,
        title: Bilingual {
            fr: fr.to_owned(),
            en: en.to_owned(),
        },
    })
}

/// What must hold before a command is given to the hands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Needs {
    /// Nothing of central: it is about this device.
    Nothing,
    /// A central that is trusted.
    Central,
    /// The same, with a clock near this machine's.
    Sale,
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
    Some(refused(name, 503, &sentence.fr, &sentence.en))
}

pub(super) async fn give(
    shared: &Shared,
    name: &'static str,
    needs: Needs,
    typed: &str,
    work: Work,
) -> HttpResponse {
    if !matches!(name, "unlock" | "sign_on" | "choose_pin" | "relief")
        && let Some(refusal) = counter::locked(shared)
    {
        return refusal;
    }
    shared.lock.touch();
    if let Some(refusal) = not_now(shared.board.link(), needs) {
        return refusal;
    }
    answer(shared.hands.run(name, typed, work).await)
}

pub(super) fn answer(ended: Result<Ended, NotTaken>) -> HttpResponse {
    match ended {
        Ok(ended) => HttpResponse::Ok().json(ended),
        Err(NotTaken::Busy) => refused(
            "terminal_busy",
            409,
            "Une commande est en cours : attendez-la, ou mettez-la de côté.",
            "A command is at work: wait for it, or put it aside.",
        ),
        Err(NotTaken::Stopped) => refused(
            "terminal_stopping",
            503,
            "Ce terminal s’arrête.",
            "This terminal is stopping.",
        ),
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

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SignOn {
    badge: String,
    pin: String,
    #[serde(default)]
    float_cents: Option<i64>,
}

pub(super) async fn sign_on(shared: web::Data<Shared>, asked: web::Json<SignOn>) -> HttpResponse {
    let asked = asked.into_inner();
    // A locked screen is its person's: signing on is no way around that. Where there is no till, and
    // nothing in doubt, it ends the session of whoever left, and shows nothing of it.
    if shared.role == Role::Pos && !shared.lock.opens_for(&asked.badge) {
        return counter::of_another(&shared);
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
pub(super) struct ChoosePin {
    badge: String,
    pin: String,
    new_pin: String,
    #[serde(default)]
    card: String,
}

/// The owner of a badge chooses another PIN: before signing on, or whoever the screen is locked for.
pub(super) async fn choose_pin(
    shared: web::Data<Shared>,
    asked: web::Json<ChoosePin>,
) -> HttpResponse {
    let asked = asked.into_inner();
    if !shared.lock.opens_for(&asked.badge) {
        return counter::of_another(&shared);
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
pub(super) fn signs_on(
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

pub(super) async fn sign_off(shared: web::Data<Shared>) -> HttpResponse {
    give(
        &shared,
        "sign_off",
        Needs::Central,
        "",
        Box::new(|agent| agent.sign_off()),
    )
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sale {
    slip: Slip,
    /// The total that was told, in cents: another price is not sold.
    total_cents: i64,
    #[serde(default = "cash")]
    tender: String,
    /// What the patron handed over, in cents; the price when it is not said.
    #[serde(default)]
    received_cents: Option<i64>,
    #[serde(default = "screen")]
    intake: String,
    /// The ticket that is repeated: its leaf index.
    #[serde(default)]
    replay_of: Option<u64>,
    /// By which key it was confirmed.
    #[serde(default = "usual_key")]
    confirm: Confirm,
    /// The total as the clerk typed it, in cents, where it has to be.
    #[serde(default)]
    typed_cents: Option<i64>,
}

const fn usual_key() -> Confirm {
    Confirm::Enter
}

fn cash() -> String {
    "cash".to_owned()
}

fn screen() -> String {
    "screen".to_owned()
}

async fn sell(shared: web::Data<Shared>, asked: web::Json<Sale>) -> HttpResponse {
    let asked = asked.into_inner();
    let is_replay = asked.replay_of.is_some() || asked.intake == "replay";
    let refusal = counter::unconfirmed(
        &shared,
        &asked.slip,
        asked.total_cents,
        is_replay,
        (asked.confirm, asked.typed_cents),
    );
    if let Some(refusal) = refusal {
        return refusal;
    }
    let options = SaleOptions {
        tender: asked.tender,
        received_cents: asked.received_cents,
        told_cents: Some(asked.total_cents),
        // The key that brought this here is the one that says so.
        is_confirmed: true,
        intake: asked.intake,
        replay_of: asked.replay_of,
    };
    let slip = asked.slip;
    let work = move |agent: &mut Agent<'static>| agent.sell_slip(&slip, &options);
    give(&shared, "sale", Needs::Sale, "", Box::new(work)).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Code {
    code: String,
}

async fn check(shared: web::Data<Shared>, asked: web::Json<Code>) -> HttpResponse {
    let code = asked.into_inner().code;
    let is_kiosk = shared.role == Role::Kiosk;
    let work = move |agent: &mut Agent<'static>| {
        if is_kiosk {
            agent.check_for_patron(&code)
        } else {
            agent.check(&code)
        }
    };
    give(&shared, "check", Needs::Central, "", Box::new(work)).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cancellation {
    code: String,
    reason: String,
}

async fn cancel(shared: web::Data<Shared>, asked: web::Json<Cancellation>) -> HttpResponse {
    let asked = asked.into_inner();
    let work = move |agent: &mut Agent<'static>| agent.cancel(&asked.code, &asked.reason);
    give(&shared, "cancellation", Needs::Central, "", Box::new(work)).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Payment {
    code: String,
    /// The amount that was shown, in cents: another is not paid.
    total_cents: i64,
    #[serde(default)]
    second: Option<keno_wire::request::SecondPerson>,
}

async fn pay(shared: web::Data<Shared>, asked: web::Json<Payment>) -> HttpResponse {
    let asked = asked.into_inner();
    let second = asked.second.map_or_else(Second::default, Second::from);
    let work = move |agent: &mut Agent<'static>| {
        agent.pay_told(&asked.code, second, true, Some(asked.total_cents))
    };
    give(&shared, "payment", Needs::Central, "", Box::new(work)).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LostRefund {
    code: String,
    amount_cents: i64,
    #[serde(default = "cash")]
    tender: String,
    reason: String,
    second: keno_wire::request::SecondPerson,
}

async fn refund_lost(shared: web::Data<Shared>, asked: web::Json<LostRefund>) -> HttpResponse {
    let asked = asked.into_inner();
    let second = Second::from(asked.second);
    let ticket = LostTicket {
        code: asked.code,
        amount_cents: asked.amount_cents,
        tender: asked.tender,
        reason: asked.reason,
    };
    let work = move |agent: &mut Agent<'static>| agent.refund_lost(&ticket, second);
    give(&shared, "lost_refund", Needs::Central, "", Box::new(work)).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Park {
    key: CommandKey,
    /// What becomes of the money, of a sale.
    money: Option<ParkedMoney>,
}

async fn park(shared: web::Data<Shared>, asked: web::Json<Park>) -> HttpResponse {
    if let Some(refusal) = counter::locked(&shared) {
        return refusal;
    }
    let Park { key, money } = asked.into_inner();
    // What asks about this key now stops asking; then it is put aside. What asks about another
    // goes on: a page that was opened before does not put that one aside.
    shared.hands.interrupt(key);
    let work: Work = Box::new(move |agent| agent.park(Some(key), money));
    answer(shared.hands.queue("park", "", work).await)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Key {
    key: CommandKey,
}

async fn acknowledge(shared: web::Data<Shared>, asked: web::Json<Key>) -> HttpResponse {
    let key = asked.into_inner().key;
    let work = move |agent: &mut Agent<'static>| agent.acknowledge(key);
    give(&shared, "acknowledge", Needs::Nothing, "", Box::new(work)).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Paper {
    key: CommandKey,
    /// The clerk has looked: it ends with `*** FIN / END`, or it does not.
    whole: bool,
}

async fn paper(shared: web::Data<Shared>, asked: web::Json<Paper>) -> HttpResponse {
    let Paper { key, whole } = asked.into_inner();
    let typed = if whole { "1\n" } else { "0\n" };
    let work = move |agent: &mut Agent<'static>| agent.resolve_key(key);
    give(&shared, "paper", Needs::Central, typed, Box::new(work)).await
}

async fn resolve(shared: web::Data<Shared>) -> HttpResponse {
    let work = |agent: &mut Agent<'static>| {
        agent.resolve()?;
        Ok(Exit::Done)
    };
    give(&shared, "resolve", Needs::Central, "", Box::new(work)).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HandOut {
    /// The slip that is being made.
    #[serde(default)]
    draft: Option<Slip>,
}

/// What is open here, written down for a neighbour.
#[derive(Serialize)]
struct HandedOut {
    /// The code, as text.
    code: String,
    /// The same, as an image.
    svg: String,
}

/// Writes down what is open, and does nothing any more; asked again, it shows the same.
async fn hand_out(shared: web::Data<Shared>, asked: web::Json<HandOut>) -> HttpResponse {
    if let Some(refusal) = counter::locked(&shared) {
        return refusal;
    }
    let draft = asked.into_inner().draft;
    let (say, said) = std::sync::mpsc::channel();
    let work: Work = Box::new(move |agent| {
        let code = agent.hand_out(draft)?;
        // Nobody listens when the page has gone.
        let _ = say.send(code);
        Ok(Exit::Done)
    });
    // Also while central is being asked about a key: it may never answer again.
    if let Some(key) = shared.board.view().asking {
        shared.hands.interrupt(key);
    }
    let ended = shared.hands.queue("hand_out", "", work).await;
    let Ok(code) = said.try_recv() else {
        return answer(ended);
    };
    let svg = code_image(&code, qrcode::EcLevel::L);
    HttpResponse::Ok().json(HandedOut { code, svg })
}

/// A QR code as an image for a page; nothing where the text is too long for one.
pub(super) fn code_image(text: &str, level: qrcode::EcLevel) -> String {
    let image = qrcode::QrCode::with_error_correction_level(text, level);
    let drawn = image.map(|image| {
        let mut drawing = image.render::<qrcode::render::svg::Color<'_>>();
        drawing.min_dimensions(360, 360).build()
    });
    drawn.unwrap_or_default()
}

async fn take_back(shared: web::Data<Shared>) -> HttpResponse {
    let work = |agent: &mut Agent<'static>| agent.take_back();
    give(&shared, "take_back", Needs::Nothing, "", Box::new(work)).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TakeOver {
    device: u32,
    reason: String,
    /// The code of the terminal that is left, when it could still show one.
    #[serde(default)]
    code: Option<String>,
    second: keno_wire::request::SecondPerson,
}

async fn take_over(shared: web::Data<Shared>, asked: web::Json<TakeOver>) -> HttpResponse {
    let asked = asked.into_inner();
    let second = Second::from(asked.second);
    let work = move |agent: &mut Agent<'static>| {
        agent.take_over(asked.device, &asked.reason, asked.code.as_deref(), second)
    };
    give(&shared, "take_over", Needs::Central, "", Box::new(work)).await
}

/// A file of the pages, of this kind.
pub(super) async fn asset(kind: &'static str, body: &'static str) -> HttpResponse {
    HttpResponse::Ok().content_type(kind).body(body)
}

fn file(kind: &'static str, body: &'static str) -> actix_web::Route {
    web::get().to(move || asset(kind, body))
}

/// How a request of a page is read.
pub(super) fn json_config() -> web::JsonConfig {
    web::JsonConfig::default()
        .limit(BODY_BYTES_MAX)
        .error_handler(|error, _| {
            let response = refused(
                "request_unreadable",
                400,
                "Cette demande ne peut pas être lue.",
                "This request cannot be read.",
            );
            actix_web::error::InternalError::from_response(error, response).into()
        })
}

/// How what varies in an address is read: what stands there and is none of it makes no address.
pub(super) fn path_config() -> web::PathConfig {
    web::PathConfig::default().error_handler(|error, _| {
        actix_web::error::InternalError::from_response(error, path_unknown()).into()
    })
}

fn configure(cfg: &mut web::ServiceConfig, shared: web::Data<Shared>) {
    let role = shared.role;
    if shared.site.is_some() {
        return site::configure(cfg, shared);
    }
    let json = json_config();
    let mut scope = web::scope("")
        .app_data(shared)
        .app_data(json)
        .app_data(path_config())
        .wrap(from_fn(around))
        .route("/favicon.ico", web::get().to(no_icon))
        .route(
            "/agent.js",
            file(
                "text/javascript; charset=utf-8",
                include_str!("pages/agent.js"),
            ),
        )
        .route(
            "/agent.css",
            file("text/css; charset=utf-8", include_str!("pages/agent.css")),
        )
        .route("/agent/state", web::get().to(state));
    let html = match role {
        Role::Pos => None,
        Role::Kiosk => Some(include_str!("pages/kiosk.html")),
        Role::Display => Some(include_str!("pages/display.html")),
        Role::Audit | Role::Desk | Role::Office => None,
    };
    if let Some(html) = html {
        scope = scope.route("/", file("text/html; charset=utf-8", html));
    }
    if matches!(role, Role::Pos | Role::Kiosk) {
        scope = scope.route("/agent/checks", web::post().to(check));
    }
    if role == Role::Pos {
        scope = scope
            .route("/agent/sign-on", web::post().to(sign_on))
            .route("/agent/pin", web::post().to(choose_pin))
            .route("/agent/sign-off", web::post().to(sign_off))
            .route("/agent/sales", web::post().to(sell))
            .route("/agent/cancellations", web::post().to(cancel))
            .route("/agent/payments", web::post().to(pay))
            .route("/agent/lost-refunds", web::post().to(refund_lost))
            .route("/agent/park", web::post().to(park))
            .route("/agent/acknowledge", web::post().to(acknowledge))
            .route("/agent/paper", web::post().to(paper))
            .route("/agent/resolve", web::post().to(resolve))
            .route("/agent/hand-out", web::post().to(hand_out))
            .route("/agent/take-back", web::post().to(take_back))
            .route("/agent/take-over", web::post().to(take_over))
            .configure(counter::configure)
            .configure(technician::configure)
            .configure(wall::configure)
            .configure(trials::configure);
    }
    cfg.service(scope.default_service(web::to(|| async { path_unknown() })));
}

fn path_unknown() -> HttpResponse {
    refused("path_unknown", 404, "Adresse inconnue.", "Unknown address.")
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
        let refusal = refused(
            "host_unknown",
            421,
            "Cette page n’est que pour cette machine.",
            "This page is for this machine alone.",
        );
        request.into_response(refusal).map_into_boxed_body()
    } else if is_command && !request.headers().contains_key(PAGE_HEADER) {
        let refusal = refused(
            "page_header_missing",
            403,
            "Cette demande ne vient pas d’une page de ce terminal.",
            "This request does not come from a page of this terminal.",
        );
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

/// A server on a listener of loopback.
///
/// # Errors
/// As the operating system gives them.
pub(super) fn serve(listener: TcpListener, shared: Shared) -> std::io::Result<Server> {
    let shared = web::Data::new(shared);
    Ok(HttpServer::new(move || {
        let shared = shared.clone();
        actix_web::App::new().configure(move |cfg| configure(cfg, shared))
    })
    .workers(1)
    .shutdown_timeout(5)
    .disable_signals()
    .listen(listener)?
    .run())
}
