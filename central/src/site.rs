//! The pages: each fills a plain view and has it rendered. Reading is done off the async threads.

mod audit_pages;
mod fill;

use actix_web::http::header::{AcceptEncoding, ContentEncoding, Encoding};
use actix_web::http::{StatusCode, header};
use actix_web::{HttpRequest, HttpResponse, ResponseError, web};
use keno_draw::published::to_json;
use keno_service::draw::Draw;
use keno_service::refusal::Refusal;
use keno_service::{Fault, Stop};
use serde::Deserialize;

use crate::app::{App, blocking};
use crate::endpoint::Endpoint;
use crate::entrance::DoorRefusal;
use crate::look_up::check::check_ticket;
use crate::pages;
use crate::pages::view::{CheckView, DrawPageView, HomeView, Message, MessageView};
use crate::pages::{
    Lang, PageFault, render_board, render_check, render_draw, render_draws, render_home,
    render_message, render_prizes,
};
use crate::problem::ApiError;
use crate::request::body::Form;
use keno_service::counter::{Asker, Viewer};

/// The addresses of the pages.
pub fn endpoints() -> Vec<Endpoint> {
    let (get, post) = (Endpoint::get, Endpoint::post);
    vec![
        get("/", web::to(home)),
        get("/board", web::to(board)),
        get("/check", web::to(check_form)),
        post("/check", web::to(check_answer)),
        get("/draws", web::to(draws)),
        get("/draws/{number}", web::to(draw)),
        get("/draws/{number}/transcript.json", web::to(transcript)),
        get("/draws/{number}/certificate.pdf", web::to(certificate)),
        get("/prizes", web::to(prizes)),
        get("/audit", web::to(audit_pages::form)),
        post("/audit", web::to(audit_pages::look_up)),
        get("/audit/sign-in", web::to(audit_pages::sign_in_form)),
        post("/audit/sign-in", web::to(audit_pages::sign_in)),
        post("/audit/sign-out", web::to(audit_pages::sign_out)),
        get("/assets/{name}", web::to(asset)),
    ]
}

/// The language that a request asks for: French unless `?lang=en`.
fn lang_of(request: &HttpRequest) -> Lang {
    Lang::from_code(
        request
            .query_string()
            .split('&')
            .find_map(|pair| pair.strip_prefix("lang=")),
    )
}

fn html(rendered: Result<String, PageFault>) -> HttpResponse {
    match rendered {
        Ok(page) => HttpResponse::Ok()
            .content_type("text/html; charset=utf-8")
            .body(page),
        Err(fault) => {
            tracing::error!(%fault, "a page could not be rendered");
            HttpResponse::InternalServerError().finish()
        }
    }
}

/// A page that says why there is no other, with its status.
fn message(app: &App, path: &str, lang: Lang, message: Message) -> HttpResponse {
    let view = MessageView {
        frame: fill::frame(app, path),
        message,
    };
    let mut response = html(render_message(&view, lang));
    *response.status_mut() = match message {
        Message::NotFound | Message::NoSuchDraw => StatusCode::NOT_FOUND,
        Message::TooMany => StatusCode::TOO_MANY_REQUESTS,
        Message::Starting | Message::Down => StatusCode::SERVICE_UNAVAILABLE,
        Message::Forbidden | Message::FormExpired => StatusCode::FORBIDDEN,
        Message::WrongName => StatusCode::MISDIRECTED_REQUEST,
        Message::TooLong => StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
    };
    response
}

/// The page for an error of a page.
fn error_page(app: &App, path: &str, lang: Lang, error: &ApiError) -> HttpResponse {
    let why = match error {
        ApiError::Refused(
            Refusal::TooManyUnknown | Refusal::LockedOut { .. } | Refusal::PinsBusy,
        ) => Message::TooMany,
        ApiError::Refused(
            Refusal::WrongRole { .. }
            | Refusal::WrongPlace { .. }
            | Refusal::DeviceUnknown
            | Refusal::DeviceRevoked,
        )
        | ApiError::Trust(_)
        | ApiError::Door(DoorRefusal::OriginForeign)
        | ApiError::AgentTooOld { .. } => Message::Forbidden,
        ApiError::FormExpired => Message::FormExpired,
        ApiError::Door(DoorRefusal::HostUnknown) => Message::WrongName,
        ApiError::Door(DoorRefusal::HeadTooLarge) => Message::TooLong,
        ApiError::Door(
            DoorRefusal::RequestLate | DoorRefusal::StrangersBusy | DoorRefusal::StreamsFull,
        ) => Message::Down,
        ApiError::Refused(_)
        | ApiError::PathUnknown
        | ApiError::Malformed(_)
        | ApiError::TooLarge
        | ApiError::MediaTypeUnsupported
        | ApiError::MethodNotAllowed { .. } => Message::NotFound,
        ApiError::Broke(_) | ApiError::Unsure(_) => {
            // Said once, by the response that programs would get.
            drop(error.error_response());
            Message::Down
        }
    };
    message(app, path, lang, why)
}

/// The page for what the table of authority refuses.
pub fn refused(request: &HttpRequest, app: &App, refusal: &ApiError) -> HttpResponse {
    error_page(app, "/", lang_of(request), refusal)
}

/// The page for an address that does not exist.
pub fn not_found(request: &HttpRequest, app: &App) -> HttpResponse {
    // The path stands in the page only as itself: an unknown one is not repeated.
    message(app, "/", lang_of(request), Message::NotFound)
}

async fn asset(
    path: web::Path<String>,
    accepts: Option<web::Header<AcceptEncoding>>,
) -> HttpResponse {
    let Some(asset) = pages::asset(&path) else {
        return HttpResponse::NotFound().finish();
    };
    let mut answer = HttpResponse::Ok();
    answer
        .content_type(asset.mime)
        .insert_header((header::CACHE_CONTROL, asset.cache))
        .insert_header((header::VARY, header::ACCEPT_ENCODING.as_str()));
    let wanted = [Encoding::gzip(), Encoding::identity()];
    match (
        asset.gzip,
        accepts.and_then(|of| of.negotiate(wanted.iter())),
    ) {
        (Some(gzip), Some(Encoding::Known(ContentEncoding::Gzip))) => {
            answer.insert_header(ContentEncoding::Gzip).body(gzip)
        }
        _ => answer.body(asset.bytes),
    }
}

async fn home(request: HttpRequest, app: web::Data<App>) -> HttpResponse {
    let now = crate::live::snapshot(&app.central, 0);
    let newest = app.central.checkpoint();
    let cosigned = (newest.iter()).flat_map(|newest| app.central.cosignatures.newest(newest));
    let mut cosigned: Vec<_> = cosigned.map(|one| (one.by, Some(one.size))).collect();
    for witness in &app.central.house.witnesses {
        if !cosigned.iter().any(|(by, _)| by == witness.name()) {
            cosigned.push((witness.name().to_owned(), None));
        }
    }
    let view = HomeView {
        frame: fill::frame(&app, "/"),
        next: now.next,
        last: now.last.into_iter().next(),
        checkpoint: newest.map(|newest| (newest.size, hex::encode(newest.root))),
        cosigned,
    };
    html(render_home(&view, lang_of(&request)))
}

/// A page that is filled off the async threads.
async fn page<V: Send + 'static>(
    (app, path, lang): (web::Data<App>, &str, Lang),
    fill: impl FnOnce(&App) -> Result<V, Stop> + Send + 'static,
    render: fn(&V, Lang) -> Result<String, PageFault>,
) -> HttpResponse {
    let shared = app.clone();
    match blocking(move || fill(&shared)).await {
        Ok(view) => html(render(&view, lang)),
        Err(stop) => error_page(&app, path, lang, &stop.into()),
    }
}

async fn board(request: HttpRequest, app: web::Data<App>) -> HttpResponse {
    let at = (app, "/board", lang_of(&request));
    page(at, |app| Ok(fill::board(app)), render_board).await
}

async fn prizes(request: HttpRequest, app: web::Data<App>) -> HttpResponse {
    let at = (app, "/prizes", lang_of(&request));
    page(at, |app| Ok(fill::prizes(app)), render_prizes).await
}

fn check_view(app: &App, reply: Option<keno_wire::reply::CheckReply>) -> CheckView {
    let now = crate::live::snapshot(&app.central, 0);
    CheckView {
        frame: fill::frame(app, "/check"),
        reply,
        next: now.next.map(|draw| draw.draw),
        last: now.last.into_iter().next(),
        hide_from_cents: crate::api::current_rules(&app.central)
            .map_or(0, |rules| rules.rules.payout.second_person.get()),
    }
}

async fn check_form(request: HttpRequest, app: web::Data<App>) -> HttpResponse {
    html(render_check(&check_view(&app, None), lang_of(&request)))
}

#[derive(Debug, Deserialize)]
struct CheckForm {
    code: String,
    #[serde(default)]
    lang: String,
}

async fn check_answer(
    request: HttpRequest,
    app: web::Data<App>,
    form: Result<Form<CheckForm>, ApiError>,
) -> HttpResponse {
    let Form(form) = match form {
        Ok(form) => form,
        Err(error) => return error_page(&app, "/check", lang_of(&request), &error),
    };
    let lang = Lang::from_code(Some(&form.lang));
    let viewer = Viewer {
        is_person: false,
        is_cage: false,
        asker: Asker::Peer(request.peer_addr().map(|address| address.ip())),
        device: None,
        badge: String::new(),
    };
    let shared = app.clone();
    let reply = blocking(move || check_ticket(&shared, &viewer, &form.code)).await;
    let reply = match reply {
        Ok(reply) => reply,
        Err(Stop::Refused(Refusal::TooManyUnknown)) => {
            return message(&app, "/check", lang, Message::TooMany);
        }
        // To a patron a mistyped, torn or foreign code is one that cannot be read.
        Err(Stop::Refused(_)) => {
            crate::convert::bare_check_reply(&keno_service::counter::Verdict::Unreadable, None)
        }
        Err(Stop::Broke(fault) | Stop::Undone(fault)) => {
            tracing::error!(cause = %keno_record::fault::chain(&fault), "a check met a fault");
            crate::convert::bare_check_reply(&keno_service::counter::Verdict::CentralDown, None)
        }
    };
    html(render_check(&check_view(&app, Some(reply)), lang))
}

#[derive(Debug, Deserialize)]
struct DrawsQuery {
    #[serde(default)]
    from: Option<u64>,
}

async fn draws(request: HttpRequest, app: web::Data<App>) -> HttpResponse {
    let from = web::Query::<DrawsQuery>::from_query(request.query_string())
        .ok()
        .and_then(|query| query.from);
    let at = (app, "/draws", lang_of(&request));
    page(at, move |app| Ok(fill::draws(app, from)?), render_draws).await
}

/// The transcript of a draw as it is published: what `keno-draw-machine check` reads.
async fn transcript(
    request: HttpRequest,
    app: web::Data<App>,
    path: web::Path<String>,
) -> HttpResponse {
    let lang = lang_of(&request);
    let Ok(number) = crate::api::draw_number_of(&path) else {
        return message(&app, "/draws", lang, Message::NoSuchDraw);
    };
    let central = app.central.clone();
    let published = blocking(move || {
        let transcript = Draw(number).transcript(&central)?;
        to_json(&transcript).map_err(|fault| Fault::Machine(fault.to_string()).into())
    });
    match published.await {
        Ok(text) => HttpResponse::Ok()
            .content_type("application/json")
            .body(text),
        Err(Stop::Refused(_)) => message(&app, "/draws", lang, Message::NotFound),
        Err(stop) => error_page(&app, "/draws", lang, &stop.into()),
    }
}

/// The certificate of a draw, as the interface gives it.
async fn certificate(
    request: HttpRequest,
    app: web::Data<App>,
    path: web::Path<String>,
) -> HttpResponse {
    match crate::api::certificate_of_draw(app.clone(), &path).await {
        Ok(answer) => answer,
        Err(error) => error_page(&app, "/draws", lang_of(&request), &error),
    }
}

async fn draw(request: HttpRequest, app: web::Data<App>, path: web::Path<String>) -> HttpResponse {
    let lang = lang_of(&request);
    let Ok(number) = crate::api::draw_number_of(&path) else {
        return message(&app, "/draws", lang, Message::NoSuchDraw);
    };
    let shared = app.clone();
    let view: Result<DrawPageView, Stop> = blocking(move || fill::draw(&shared, number)).await;
    match view {
        Ok(view) => html(render_draw(&view, lang)),
        Err(Stop::Refused(_)) => message(&app, "/draws", lang, Message::NoSuchDraw),
        Err(stop) => error_page(&app, "/draws", lang, &stop.into()),
    }
}
