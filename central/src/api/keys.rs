//! What became of a key, and closing one.

use keno_record::state::KeyKind;
use keno_service::counter::{KeyAnswer, Recorded, Sold};
use keno_service::{Central, Stop};
use keno_wire::coded::KeyState;
use keno_wire::reply::KeyReply;
use keno_wire::request::KeyRequest;

use super::handler::{App, Body, By, Reply, command, look, web};
use crate::convert;
use crate::request::caller::Device;

/// An answer with the reply that the key had.
fn key_reply(central: &Central, answer: KeyAnswer) -> Result<KeyReply, Stop> {
    let mut reply = KeyReply {
        state: KeyState::Closed.into(),
        leaf: answer.leaf,
        sale: None,
        cancellation: None,
        payment: None,
        till_movement: None,
        lost_refund: None,
    };
    let Some(kind) = answer.kind else {
        reply.state = KeyState::Unknown.into();
        return Ok(reply);
    };
    let Some(leaf) = answer.leaf else {
        return Ok(reply);
    };
    let state = match kind {
        KeyKind::Sale => {
            let sold = Sold::read(central, leaf)?;
            reply.sale = Some(convert::sell_reply(central, &sold)?);
            KeyState::Sale
        }
        KeyKind::Cancellation => {
            let cancelled = Recorded::read(central, leaf, true)?;
            reply.cancellation = Some(convert::cancel_reply(central, &cancelled)?);
            KeyState::Cancellation
        }
        KeyKind::Payment => {
            let paid = Recorded::read(central, leaf, true)?;
            reply.payment = Some(convert::pay_reply(central, &paid)?);
            KeyState::Payment
        }
        KeyKind::TillMovement => {
            let moved = Recorded::read(central, leaf, true)?;
            reply.till_movement = Some(convert::till_movement_reply(central, &moved)?);
            KeyState::TillMovement
        }
        KeyKind::LostRefund => {
            let refunded = Recorded::read(central, leaf, true)?;
            reply.lost_refund = Some(convert::lost_refund_reply(central, &refunded));
            KeyState::LostRefund
        }
        KeyKind::Closed => KeyState::Closed,
    };
    reply.state = state.into();
    Ok(reply)
}

/// What became of a key of this device, or of one that was handed over to it.
#[utoipa::path(
    post, path = "/api/v1/keys/question", tag = "keys", operation_id = "ask_key",
    request_body(content = KeyRequest, example = json!({"key": {"session": 1, "counter": 1}})),
    responses((status = 200, description = "What is known of it", body = KeyReply))
)]
pub(super) async fn question(
    app: web::Data<App>,
    Device(device): Device,
    Body(asked): Body<KeyRequest>,
) -> Reply<KeyReply> {
    look(move || {
        let answer = device.ask_key(
            &app.central,
            asked.device,
            asked.key.session,
            asked.key.counter,
        )?;
        key_reply(&app.central, answer)
    })
    .await
}

/// Close a key that has no outcome: a late copy of its command is refused from here on. A key
/// that has one keeps it, and the reply says it.
#[utoipa::path(
    post, path = "/api/v1/keys/close", tag = "keys", operation_id = "close_key",
    request_body(content = KeyRequest, example = json!({"key": {"session": 1, "counter": 9}})),
    responses((status = 200, description = "Closed, or what it had come to", body = KeyReply))
)]
pub(super) async fn close(By(app, caller, asked): By<KeyRequest>) -> Reply<KeyReply> {
    command(async move || {
        let answer = caller
            .close_key(
                &app.central,
                asked.device,
                asked.key.session,
                asked.key.counter,
            )
            .await?;
        key_reply(&app.central, answer)
    })
    .await
}
