//! Messages of the supervisors to the clerks.

use keno_record::view::View;
use keno_service::access::Message;
use keno_service::authority::identity::DeviceCaller;
use keno_wire::wall::{AcknowledgementView, MessageRequest, MessageView, PendingMessage};
use keno_words::malformed;

use super::handler::{ApiError, App, By, Reply, blocking, web};
use super::types::Nothing;
use crate::convert;

/// Letters of a message.
const LETTERS_MOST: usize = 300;

fn view_of(app: &App, view: &View, id: u64, message: &Message) -> MessageView {
    let local = |at_ms: i64| app.central.calendar.second_text(at_ms);
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
        waiting: message.waiting_at(view),
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

/// The messages that wait for whoever is at a device, now.
pub(super) fn pending(app: &App, device: &DeviceCaller) -> Vec<PendingMessage> {
    app.access
        .pending_messages(&app.central, device)
        .into_iter()
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
    responses((status = 200, description = "It waits at the counters", body = MessageView))
)]
pub(super) async fn send(By(app, caller, asked): By<MessageRequest>) -> Reply<MessageView> {
    let fr = text_of(&asked.fr, "fr")?;
    let en = match &asked.en {
        Some(en) => text_of(en, "en")?,
        None => fr.clone(),
    };
    let message = Message {
        at_ms: app.central.clock.now_ms(),
        by: caller.badge,
        device: asked.device,
        fr,
        en,
        read: std::collections::BTreeMap::new(),
    };
    let (shared, sent) = (app.clone(), message.clone());
    let id = blocking(move || shared.access.send_message(&shared.central, sent)).await?;
    let view = app.central.view.get();
    Ok(web::Json(view_of(&app, &view, id, &message)))
}

/// Whoever is signed on at this device has read it.
#[utoipa::path(
    post, path = "/api/v1/messages/{id}/acknowledge", tag = "wall",
    operation_id = "acknowledge_message",
    params(("id" = u64, Path, description = "Its number", example = 1)),
    request_body(content = Nothing, example = json!({})),
    responses((status = 200, description = "Noted", body = MessageView))
)]
pub(super) async fn acknowledge(
    id: web::Path<u64>,
    By(app, caller, Nothing {}): By<Nothing>,
) -> Reply<MessageView> {
    let (id, shared) = (id.into_inner(), app.clone());
    let read = move || {
        shared
            .access
            .acknowledge_message(&shared.central, &caller, id)
    };
    let message = blocking(read).await?;
    let view = app.central.view.get();
    Ok(web::Json(view_of(&app, &view, id, &message)))
}
