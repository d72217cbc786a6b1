//! The audit office's pages: a sign-in of their own, and everything on record about a ticket.
//!
//! A session is a random token in a cookie that no script reads and no other site sends; central
//! keeps its hash in memory for 30 minutes after the last use. Every form carries a second token
//! of the session, so that a page of somebody else's cannot post it.

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, web};
use keno_log::Event;
use keno_record::fault::chain;
use keno_record::keys::Tag;
use keno_service::authority::Operation;
use keno_service::authority::identity::Caller;
use keno_service::central::Central;
use keno_service::refusal::Refusal;
use keno_service::staff::{Attempt, Door, Origin};
use keno_service::{Stop, counter};
use keno_wire::reply::{Bilingual, TicketReference};
use serde::Deserialize;

use super::{error_page, fill, html, lang_of, message};
use crate::app::{App, AuditSession, blocking, blocking_command};
use crate::convert;
use crate::look_up::record::{AuditDraw, AuditRecord, audit_record, recomputed_by, who};
use crate::pages::view::{
    AuditFinding, AuditTicket, AuditView, EvaluationLine, Frame, Integrity, LifeLine, Message,
    MoneyLine, NotTaken, Purpose, SignInView,
};
use crate::pages::{Lang, render_audit, render_sign_in};
use crate::problem::ApiError;
use crate::report::facts;
use crate::request::body::Form;
use crate::request::caller::device_of;
use crate::trust::connections::proved_key;

/// Characters that are shown again of a remark that was not taken: more than one may have, so that
/// nothing is lost by one sign too many.
const TYPED_MOST: usize = 2_000;

/// The cookie without TLS, on central's own machine.
const COOKIE: &str = "boulier-audit";
/// The cookie over TLS: a browser takes it from this host alone, and only over TLS.
const SECURE_COOKIE: &str = "__Host-boulier-audit";

/// Name of the cookie at the door of a request, and what else is said of it.
const fn cookie(is_over_tls: bool) -> (&'static str, &'static str) {
    if is_over_tls {
        (SECURE_COOKIE, "Path=/; HttpOnly; SameSite=Strict; Secure")
    } else {
        (COOKIE, "Path=/audit; HttpOnly; SameSite=Strict")
    }
}

/// Whether somebody of these roles may sign in here, and go on looking.
fn may_look(roles: &[u8]) -> bool {
    Operation::SignInToAudit.judge_roles(roles).is_ok()
}

fn token_of(request: &HttpRequest) -> Option<String> {
    let (own, _) = cookie(proved_key(request).is_some());
    request
        .headers()
        .get_all(header::COOKIE)
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .find_map(|pair| {
            let (name, value) = pair.trim().split_once('=')?;
            (name == own).then(|| value.to_owned())
        })
}

/// Device and key of a request.
fn at(request: &HttpRequest, app: &App) -> Option<(u32, Tag)> {
    let number = device_of(request).ok()?.device;
    let key = app.central.view.get().devices.get(&number)?.key_hash;
    Some((number, key))
}

/// The auditor of a request, still with the role and the PIN, at the device where they signed in.
fn auditor(request: &HttpRequest, app: &App) -> Option<AuditSession> {
    let token = token_of(request)?;
    let session = app.audits.find(&token, app.central.clock.monotonic_ms())?;
    let view = app.central.view.get();
    let person = view.people.get(&session.who.badge);
    let is_known = session.who.must_stand(&view.people).is_ok()
        && person.is_some_and(|person| person.active && may_look(&person.roles));
    if !is_known || at(request, app) != Some(session.at) {
        app.audits.close(&token);
        return None;
    }
    Some(session)
}

fn to(path: &'static str) -> HttpResponse {
    HttpResponse::SeeOther()
        .insert_header((header::LOCATION, path))
        .finish()
}

fn audit_frame(app: &App, session: &AuditSession) -> Frame {
    Frame {
        form_token: session.form_token.clone(),
        ..fill::frame(app, "/audit")
    }
}

fn sign_in_page(app: &App, lang: Lang, refusal: Option<Bilingual>, badge: &str) -> HttpResponse {
    let view = SignInView {
        frame: fill::frame(app, "/audit/sign-in"),
        refusal,
        badge: badge.chars().take(32).collect(),
    };
    html(render_sign_in(&view, lang))
}

/// `GET /audit/sign-in`.
pub async fn sign_in_form(request: HttpRequest, app: web::Data<App>) -> HttpResponse {
    sign_in_page(&app, lang_of(&request), None, "")
}

/// What signs an auditor in.
#[derive(Deserialize)]
pub struct SignInForm {
    badge: String,
    pin: String,
    #[serde(default)]
    purpose: String,
}

/// True when a browser says that the form came from another site.
fn is_foreign(request: &HttpRequest) -> bool {
    request
        .headers()
        .get("sec-fetch-site")
        .is_some_and(|site| site != "same-origin" && site != "none")
}

/// `POST /audit/sign-in`.
pub async fn sign_in(
    request: HttpRequest,
    app: web::Data<App>,
    form: Result<Form<SignInForm>, ApiError>,
) -> HttpResponse {
    let lang = lang_of(&request);
    let Ok(Form(form)) = form else {
        return sign_in_page(&app, lang, None, "");
    };
    if is_foreign(&request) {
        return message(&app, "/audit/sign-in", lang, Message::FormExpired);
    }
    let badge: String = form.badge.trim().chars().take(64).collect();
    let is_over_tls = proved_key(&request).is_some();
    let recognised = match device_of(&request) {
        Err(refusal) => Err(refusal.into()),
        Ok(device) => {
            let attempt = Attempt {
                badge: &badge,
                pin: &form.pin,
                card: None,
                origin: Origin::Device(device.device),
                door: Door::Audit,
                may: &may_look,
            };
            attempt.recognise(&app.central).await
        }
    };
    let refusal = match recognised {
        Ok(who) => {
            let purpose = Purpose::from_name(&form.purpose);
            let now_ms = app.central.clock.monotonic_ms();
            let opened = at(&request, &app).map(|at| app.audits.open(who, at, purpose, now_ms));
            return match opened {
                Some(Ok(token)) => signed_in(&token, is_over_tls),
                _ => message(&app, "/audit/sign-in", lang, Message::Down),
            };
        }
        Err(Stop::Refused(refusal)) => refusal,
        Err(Stop::Broke(fault) | Stop::Undone(fault)) => {
            tracing::error!(cause = %chain(&fault), "a sign-in met a fault");
            Refusal::RecordUnavailable
        }
    };
    let words = Bilingual::of(&refusal);
    sign_in_page(&app, lang, Some(words), &badge)
}

fn signed_in(token: &str, is_over_tls: bool) -> HttpResponse {
    let (name, said) = cookie(is_over_tls);
    HttpResponse::SeeOther()
        .insert_header((header::LOCATION, "/audit"))
        .insert_header((header::SET_COOKIE, format!("{name}={token}; {said}")))
        .finish()
}

/// What signs an auditor out.
#[derive(Deserialize)]
pub struct SignOutForm {
    #[serde(default)]
    form_token: String,
}

/// `POST /audit/sign-out`.
pub async fn sign_out(
    request: HttpRequest,
    app: web::Data<App>,
    form: Result<Form<SignOutForm>, ApiError>,
) -> HttpResponse {
    let Some(session) = auditor(&request, &app) else {
        return to("/audit/sign-in");
    };
    let is_own = form.is_ok_and(|Form(form)| form.form_token == session.form_token);
    if !is_own {
        return message(&app, "/audit", lang_of(&request), Message::FormExpired);
    }
    if let Some(token) = token_of(&request) {
        app.audits.close(&token);
    }
    let (name, said) = cookie(proved_key(&request).is_some());
    HttpResponse::SeeOther()
        .insert_header((header::LOCATION, "/audit/sign-in"))
        .insert_header((header::SET_COOKIE, format!("{name}=; {said}; Max-Age=0")))
        .finish()
}

fn audit_page(
    app: &App,
    lang: Lang,
    session: &AuditSession,
    purpose: Option<Purpose>,
    searched: &str,
    (found, refusal): (AuditFinding, Option<NotTaken>),
) -> HttpResponse {
    let view = AuditView {
        frame: audit_frame(app, session),
        badge: session.who.badge.clone(),
        purpose,
        searched: searched.chars().take(120).collect(),
        found,
        refusal,
    };
    html(render_audit(&view, lang))
}

/// `GET /audit`.
pub async fn form(request: HttpRequest, app: web::Data<App>) -> HttpResponse {
    let Some(session) = auditor(&request, &app) else {
        return to("/audit/sign-in");
    };
    audit_page(
        &app,
        lang_of(&request),
        &session,
        session.purpose,
        "",
        (AuditFinding::Idle, None),
    )
}

/// What an auditor asks.
#[derive(Deserialize)]
pub struct LookUpForm {
    number: String,
    purpose: String,
    #[serde(default)]
    form_token: String,
    /// Leaf of the ticket that the remark is about.
    ticket: Option<u64>,
    #[serde(default)]
    remark: String,
}

/// Whether what was searched leads to the ticket that the form is about.
async fn is_number_of(app: &web::Data<App>, number: &str, ticket: u64) -> bool {
    let (shared, number) = (app.clone(), number.to_owned());
    let found = blocking(move || {
        let named = convert::named(&shared.central, &number)?;
        Ok::<_, Stop>(named.find(&shared.central)?)
    })
    .await;
    found.is_ok_and(|row| row.is_some_and(|row| row.number == ticket))
}

/// What an auditor remarks on the ticket that the page shows.
async fn remark(
    request: &HttpRequest,
    app: &web::Data<App>,
    badge: &str,
    ticket: u64,
    text: &str,
) -> Result<(), ApiError> {
    let central = &app.central;
    let people = &central.view.get().people;
    let roles = people.get(badge).map(|person| person.roles.clone());
    let caller = Caller {
        device: device_of(request)?,
        // Nobody signs on at the pages with a session of the record.
        session: 0,
        badge: badge.to_owned(),
        roles: roles.unwrap_or_default(),
    };
    let (shared, text) = (app.clone(), text.to_owned());
    blocking_command(async move || caller.remark(&shared.central, ticket, &text).await)
        .await
        .map(drop)
        .map_err(ApiError::of_command)
}

/// `POST /audit`.
pub async fn look_up(
    request: HttpRequest,
    app: web::Data<App>,
    form: Result<Form<LookUpForm>, ApiError>,
) -> HttpResponse {
    let lang = lang_of(&request);
    let Some(session) = auditor(&request, &app) else {
        return to("/audit/sign-in");
    };
    let Ok(Form(form)) = form else {
        return to("/audit");
    };
    let purpose = match Purpose::from_name(&form.purpose) {
        Some(purpose) if form.form_token == session.form_token => purpose,
        _ => return message(&app, "/audit", lang, Message::FormExpired),
    };
    // A field of several lines: what is recorded is one.
    let typed = form.remark.lines().map(str::trim).collect::<Vec<_>>();
    let typed = typed.join(" ");
    let remarked = match form.ticket {
        Some(ticket) if !is_number_of(&app, &form.number, ticket).await => {
            Err(ApiError::FormExpired)
        }
        Some(ticket) => remark(&request, &app, &session.who.badge, ticket, &typed).await,
        None => Ok(()),
    };
    let why = match remarked {
        Ok(()) => None,
        // The ticket of the number is shown all the same, and that is on record.
        Err(ApiError::FormExpired) => Some(Bilingual::of(&keno_words::problem::FormExpired)),
        // What is wrong with the text is said beside the ticket that it is about.
        Err(ApiError::Refused(refusal)) if refusal.field() == Some("text") => {
            Some(Bilingual::of(&refusal))
        }
        Err(error) => return error_page(&app, "/audit", lang, &error),
    };
    let refusal = why.map(|why| NotTaken {
        why,
        typed: typed.chars().take(TYPED_MOST).collect(),
    });
    let shared = app.clone();
    let (badge, number) = (session.who.badge.clone(), form.number.clone());
    let found = blocking(move || {
        let record = audit_record(&shared, &badge, None, &number, purpose)?;
        Ok(audit_ticket(&shared.central, record))
    })
    .await;
    let found = match found {
        Ok(ticket) => AuditFinding::Ticket(Box::new(ticket)),
        Err(Stop::Refused(Refusal::NumberUnknown)) => AuditFinding::Unknown,
        Err(Stop::Refused(refusal @ Refusal::LostRefunded { .. })) => {
            AuditFinding::LostRefunded(Bilingual::of(&refusal))
        }
        Err(Stop::Refused(_)) => AuditFinding::Malformed,
        Err(Stop::Broke(fault) | Stop::Undone(fault)) => {
            tracing::error!(cause = %chain(&fault), "an audit view met a fault");
            AuditFinding::Unavailable
        }
    };
    let shown = (found, refusal);
    audit_page(&app, lang, &session, Some(purpose), &form.number, shown)
}

fn audit_ticket(central: &Central, record: AuditRecord) -> AuditTicket {
    let inclusion = record.inclusion;
    let leaf = record.view.ticket;
    AuditTicket {
        verdict: convert::verdict_view(&record.verdict, true),
        state: convert::ticket_state(&record.picture.ticket),
        held: record.picture.held,
        life: record
            .facts
            .iter()
            .map(|fact| LifeLine {
                at_ms: fact.at_ms,
                kind: fact.event.kind().name().to_owned(),
                leaf: Some(fact.leaf),
                by: who(central, &fact.event),
                detail: facts::detail(&fact.event),
            })
            .collect(),
        evaluation: evaluation(&record.draws, &record.picture.ticket.sale.selections),
        // Before the first settlement there is nothing to compare, and nobody computed.
        recomputed_by: record
            .draws
            .iter()
            .any(|draw| !draw.recomputed.is_empty())
            .then(recomputed_by),
        money: record
            .facts
            .iter()
            .filter_map(|fact| money_line(central, &fact.event, fact.at_ms))
            .collect(),
        integrity: Integrity {
            leaf,
            leaf_hash: record
                .facts
                .first()
                .map(|fact| hex::encode(fact.leaf_hash))
                .unwrap_or_default(),
            checkpoint_size: inclusion.as_ref().map_or(0, |found| found.size),
            checkpoint_root: inclusion
                .as_ref()
                .map(|found| found.root.clone())
                .unwrap_or_default(),
            included: inclusion.as_ref().map(|found| found.included),
            path: inclusion.map(|found| found.proof).unwrap_or_default(),
        },
        before: record.neighbours.0.map(by_reference),
        after: record.neighbours.1.map(by_reference),
        replay_of: record.replay_of.map(by_reference),
        incidents: record
            .facts
            .iter()
            .filter(|fact| fact.event.kind().marks().incident)
            .map(|fact| incident(central, &fact.event))
            .collect(),
        looked_at_ms: central.clock.now_ms(),
        ticket: record.view,
    }
}

/// A ticket that is not in hand: its leaf finds it again, and its number stays masked.
fn by_reference(ticket: TicketReference) -> String {
    let TicketReference {
        ticket,
        number,
        terminal,
        sold_at_local,
    } = ticket;
    format!("#{ticket} · {number} · {terminal} · {sold_at_local}")
}

fn incident(central: &Central, event: &Event) -> Bilingual {
    let by = who(central, event);
    let (kind, told) = (facts::kind(event.kind()), facts::detail(event));
    let with = |words: &str, detail: &str| {
        [words, &by, detail]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(" · ")
    };
    Bilingual {
        fr: with(&kind.fr, &told.fr),
        en: with(&kind.en, &told.en),
    }
}

/// One line a draw and selection. The record stores one prize a draw: it stands whole against the
/// sum, so what differs shows on selection A.
fn evaluation(
    draws: &[AuditDraw],
    selections: &[keno_log::event::SelectionRecord],
) -> Vec<EvaluationLine> {
    let mut lines = Vec::new();
    for draw in draws {
        let others: i64 = draw
            .recomputed
            .iter()
            .skip(1)
            .map(|line| line.payable_cents)
            .fold(0, i64::saturating_add);
        for (record, selection) in selections.iter().zip(0_u8..) {
            let recomputed = draw
                .recomputed
                .iter()
                .find(|line| line.selection == selection);
            let stored = recomputed.map(|line| {
                if selection == 0 {
                    draw.stored.payable_cents.saturating_sub(others)
                } else {
                    line.payable_cents
                }
            });
            lines.push(EvaluationLine {
                draw: draw.stored.draw.clone(),
                selection,
                numbers: convert::numbers_of(record).iter().collect(),
                balls: draw.stored.balls.clone(),
                catches: recomputed
                    .map(|line| line.catches.clone())
                    .unwrap_or_default(),
                stored_cents: stored,
                recomputed_cents: recomputed.map(|line| line.payable_cents),
                before_cap_cents: recomputed
                    .filter(|line| line.computed_cents > line.payable_cents)
                    .map(|line| line.computed_cents),
                payment: draw.stored.payment.clone(),
            });
        }
    }
    lines
}

fn money_line(central: &Central, event: &Event, at_ms: i64) -> Option<MoneyLine> {
    let names = event.names();
    let (shift, amount_cents) = names.shift.zip(names.amount_cents())?;
    let terminal = match names.key {
        Some(key) => convert::terminal_name(&central.view.get(), key.device),
        None => counter::shift_place(central, shift),
    };
    let cash = keno_game::Tender::Cash.number();
    Some(MoneyLine {
        at_ms,
        kind: event.kind().name().to_owned(),
        amount_cents,
        tender: convert::tender_name(names.tender.unwrap_or(cash)),
        terminal,
        shift: Some(shift),
        badges: names.badges().map(str::to_owned).collect(),
    })
}
