//! Messages of the supervisors to the clerks.

use actix_web::web;
use keno_record::fault::Fault;
use keno_record::view::View;
use keno_service::Stop;
use keno_service::authority::identity::DeviceCaller;
use keno_service::refusal::Refusal;
use keno_wire::wall::{AcknowledgementView, MessageRequest, MessageView, PendingMessage};
use keno_words::malformed;

use super::types::Nothing;
use crate::app::{App, blocking};
use crate::convert;
use crate::problem::{ApiError, Problems};
use crate::request::body::Body;
use crate::request::caller::SignedOn;
use crate::wall::Message;

/// Letters of a message.
const LETTERS_MOST: usize = 300;
/// Nobody reads in the last moments before a close of sales: wagers come first.
const QUIET_MS: i64 = 60_000;

fn view_of(app: &App, view: &View, id: u64, message: &Message) -> MessageView {
    let local = |at_ms: i64| app.central.calendar.second_text(at_ms);
    // Where nobody is signed on nobody can read it, and who wrote it has.
    let mut waiting: Vec<u32> = view
        .sessions
        .values()
        .filter(|session| session.badge != message.by)
        .map(|session| session.device)
        .filter(|device| {
            view.devices
                .get(device)
                .is_some_and(|known| known.active && known.has_till())
        })
        .filter(|device| message.waits_at(*device))
        .collect();
    waiting.sort_unstable();
    MessageView {
        id,
        by: message.by.clone(),
        at_ms: message.at_ms,
        local: local(message.at_ms),
        device: message.device,
        fr: message.fr.clone(),
        en: message.en.clone(),
        acknowledged: message
            .read
            .iter()
            .map(|(device, (badge, at_ms))| AcknowledgementView {
                device: *device,
                name: convert::terminal_name(view, *device),
                badge: badge.clone(),
                at_ms: *at_ms,
                local: local(*at_ms),
            })
            .collect(),
        waiting,
    }
}

/// The messages of the last hours, the newest first.
pub(super) fn shown(app: &App, view: &View) -> Vec<MessageView> {
    app.access
        .messages
        .shown(app.central.clock.now_ms())
        .iter()
        .map(|(id, message)| view_of(app, view, *id, message))
        .collect()
}

/// True in the last moments before a close of sales: at most half the time between two draws, so
/// that a message comes at all where draws are close to each other.
fn is_quiet(app: &App, view: &View, now_ms: i64) -> bool {
    let every_ms = i64::from(app.central.house.every_minutes) * 60_000;
    let quiet_ms = QUIET_MS.min(every_ms / 2);
    view.next_open()
        .map(|draw| draw.closes_at_ms() - now_ms)
        .is_some_and(|left_ms| (0..quiet_ms).contains(&left_ms))
}

/// The messages that wait for whoever is at a device, now.
pub(super) fn pending(app: &App, view: &View, device: &DeviceCaller) -> Vec<PendingMessage> {
    let now_ms = app.central.clock.now_ms();
    if !device.role.has_till() || is_quiet(app, view, now_ms) {
        return Vec::new();
    }
    let badge = view
        .sessions
        .values()
        .find(|session| session.device == device.device)
        .map(|session| session.badge.as_str());
    app.access
        .messages
        .pending(device.device, now_ms)
        .into_iter()
        .filter(|(_, message)| badge != Some(message.by.as_str()))
        .map(|(id, message)| PendingMessage {
            id,
            by: message.by,
            local: app.central.calendar.second_text(message.at_ms),
            fr: message.fr,
            en: message.en,
        })
        .collect()
}

fn text_of(text: &str, field: &str) -> Result<String, ApiError> {
    let text = text.trim();
    let is_plain = !text.is_empty()
        && text.chars().count() <= LETTERS_MOST
        && !text.chars().any(char::is_control);
    if is_plain {
        return Ok(text.to_owned());
    }
    Err(ApiError::malformed(
        Some(field),
        &malformed::Message {
            letters_most: &LETTERS_MOST,
        },
    ))
}

/// Send a word to every counter, or to one. It waits there until somebody has read it.
#[utoipa::path(
    post, path = "/api/v1/messages", tag = "wall", operation_id = "send_message",
    request_body(content = MessageRequest, example = json!({
        "fr": "Le tirage de 15 h est retardé.", "en": "The 3 p.m. draw is late."
    })),
    responses((status = 200, description = "It waits at the counters", body = MessageView), Problems)
)]
pub(super) async fn send(
    app: web::Data<App>,
    SignedOn(caller): SignedOn,
    Body(asked): Body<MessageRequest>,
) -> Result<web::Json<MessageView>, ApiError> {
    let fr = text_of(&asked.fr, "fr")?;
    let en = match &asked.en {
        Some(en) => text_of(en, "en")?,
        None => fr.clone(),
    };
    let view = app.central.view.get();
    if let Some(device) = asked.device {
        let known = view.devices.get(&device);
        if known.is_none_or(|known| !known.has_till()) {
            return Err(Refusal::RecordUnknown.into());
        }
    }
    let message = Message {
        at_ms: app.central.clock.now_ms(),
        by: caller.badge,
        device: asked.device,
        fr,
        en,
        read: std::collections::BTreeMap::new(),
    };
    let (shared, sent) = (app.clone(), message.clone());
    let id = blocking(move || {
        let access = &shared.access;
        access
            .messages
            .send(sent, |line| access.write_message(line))
            .map_err(unwritten)
    })
    .await?;
    Ok(web::Json(view_of(&app, &view, id, &message)))
}

/// The access log cannot be written: nothing was done.
pub(super) fn unwritten(fault: crate::access::AccessFault) -> Stop {
    Stop::Broke(Fault::Record(fault.to_string()))
}

/// Whoever is signed on at this device has read it.
#[utoipa::path(
    post, path = "/api/v1/messages/{id}/acknowledge", tag = "wall",
    operation_id = "acknowledge_message",
    params(("id" = u64, Path, description = "Its number", example = 1)),
    request_body(content = Nothing, example = json!({})),
    responses((status = 200, description = "Noted", body = MessageView), Problems)
)]
pub(super) async fn acknowledge(
    app: web::Data<App>,
    SignedOn(caller): SignedOn,
    id: web::Path<u64>,
    Body(Nothing {}): Body<Nothing>,
) -> Result<web::Json<MessageView>, ApiError> {
    let (id, device) = (id.into_inner(), caller.device.device);
    let is_for = |message: &Message| message.device.is_none_or(|only| only == device);
    if !app.access.messages.one(id).is_some_and(|one| is_for(&one)) {
        return Err(Refusal::RecordUnknown.into());
    }
    let at_ms = app.central.clock.now_ms();
    let shared = app.clone();
    blocking(move || {
        let access = &shared.access;
        let read = (caller.badge.as_str(), at_ms);
        access
            .messages
            .acknowledge(id, device, read, |line| access.write_message(line))
            .map_err(unwritten)
    })
    .await?;
    let message = app.access.messages.one(id).ok_or(Refusal::RecordUnknown)?;
    Ok(web::Json(view_of(
        &app,
        &app.central.view.get(),
        id,
        &message,
    )))
}
