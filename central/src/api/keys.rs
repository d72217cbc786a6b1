//! What became of a key, and closing one.

use keno_record::state::KeyKind;
use keno_service::counter::KeyAnswer;
use keno_service::{Central, Stop, counter};
use keno_wire::reply::KeyReply;
use keno_wire::request::KeyRequest;

use super::handler::{App, Body, Problems, Reply, SignedOn, command, look, web};
use crate::convert;
use crate::request::caller::Device;

/// An answer with the reply that the key had.
fn key_reply(central: &Central, answer: KeyAnswer) -> Result<KeyReply, Stop> {
    let mut reply = KeyReply {
        state: "unknown".to_owned(),
        leaf: answer.leaf,
        sale: None,
        cancellation: None,
        payment: None,
        till_movement: None,
        lost_refund: None,
    };
    match (answer.kind, answer.leaf) {
        (None, _) => {}
        (Some(KeyKind::Sale), Some(leaf)) => {
            reply.state = "sale".to_owned();
            reply.sale = Some(convert::sell_reply(
                central,
                &counter::sold_before(central, leaf)?,
            )?);
        }
        (Some(KeyKind::Cancellation), Some(leaf)) => {
            reply.state = "cancellation".to_owned();
            let cancelled = counter::cancelled_before(central, leaf, true)?;
            reply.cancellation = Some(convert::cancel_reply(central, &cancelled)?);
        }
        (Some(KeyKind::Payment), Some(leaf)) => {
            reply.state = "payment".to_owned();
            let paid = counter::paid_before(central, leaf, true)?;
            reply.payment = Some(convert::pay_reply(central, &paid)?);
        }
        (Some(KeyKind::TillMovement), Some(leaf)) => {
            reply.state = "till_movement".to_owned();
            let moved = counter::till_movement_before(central, leaf, true)?;
            reply.till_movement = Some(convert::till_movement_reply(central, &moved)?);
        }
        (Some(KeyKind::LostRefund), Some(leaf)) => {
            reply.state = "lost_refund".to_owned();
            let refunded = counter::lost_refund_before(central, leaf, true)?;
            reply.lost_refund = Some(convert::lost_refund_reply(central, &refunded));
        }
        (Some(KeyKind::Closed), _) | (Some(_), None) => reply.state = "closed".to_owned(),
    }
    Ok(reply)
}

/// What became of a key of this device, or of one that was handed over to it.
#[utoipa::path(
    post, path = "/api/v1/keys/question", tag = "keys", operation_id = "ask_key",
    request_body(content = KeyRequest, example = json!({"key": {"session": 1, "counter": 1}})),
    responses((status = 200, description = "What is known of it", body = KeyReply), Problems)
)]
pub(super) async fn question(
    app: web::Data<App>,
    Device(device): Device,
    Body(asked): Body<KeyRequest>,
) -> Reply<KeyReply> {
    look(move || {
        let answer = counter::ask_key(
            &app.central,
            &device,
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
    responses((status = 200, description = "Closed, or what it had come to", body = KeyReply), Problems)
)]
pub(super) async fn close(
    app: web::Data<App>,
    SignedOn(caller): SignedOn,
    Body(asked): Body<KeyRequest>,
) -> Reply<KeyReply> {
    command(async move || {
        let answer = counter::close_key(
            &app.central,
            &caller,
            asked.device,
            asked.key.session,
            asked.key.counter,
        )
        .await?;
        key_reply(&app.central, answer)
    })
    .await
}
