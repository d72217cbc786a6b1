//! Price, sale, cancellation.

use keno_service::authority::Operation;
use keno_service::counter::CancelOrder;
use keno_wire::reply::{CancelReply, PriceReply, SellReply};
use keno_wire::request::{CancelRequest, PriceRequest, SellRequest};
use keno_wire::wall::ApprovalContent;

use super::handler::{ApiError, App, Body, By, Reply, answered, blocking, command, look, web};
use crate::convert;
use crate::request::caller::Device;
use crate::request::second::{Approvable, second_person};

/// What a slip would cost; nothing is recorded.
#[utoipa::path(
    post, path = "/api/v1/prices", tag = "sales", operation_id = "price",
    request_body(content = PriceRequest, example = json!({
        "slip": {"selections": [{"type": "straight", "numbers": [7, 18, 33, 42, 71], "wager_cents": 200}], "draws": 2}
    })),
    responses((status = 200, description = "The price", body = PriceReply))
)]
pub(super) async fn price(
    app: web::Data<App>,
    _: Device,
    Body(asked): Body<PriceRequest>,
) -> Reply<PriceReply> {
    let order = convert::slip_order(&asked.slip)?;
    let central = app.central.clone();
    // A slip of many ways costs milliseconds of arithmetic.
    look(move || {
        let quote = order.quote(&central)?;
        Ok(convert::price_reply(&central, &quote)?)
    })
    .await
}

/// Register a slip that is paid for: the reply is the ticket.
///
/// The same key with the same content has the same answer; the claim code is in it until the
/// paper is confirmed or the first draw closes.
#[utoipa::path(
    post, path = "/api/v1/sales", tag = "sales", operation_id = "sell",
    request_body(content = SellRequest, example = json!({
        "key": {"session": 1, "counter": 1},
        "slip": {"selections": [{"game": "keno", "type": "way", "groups": [[3, 14, 22, 29], [40, 51, 66, 80]],
                                 "ways": [{"ways": 2, "spots": 4, "wager_cents": 100}, {"ways": 1, "spots": 8, "wager_cents": 100}]}],
                 "draws": 1},
        "tender": "cash", "received_cents": 500, "total_cents": 300, "intake": "slip"
    })),
    responses((status = 200, description = "The ticket", body = SellReply))
)]
pub(super) async fn sell(By(app, caller, asked): By<SellRequest>) -> Reply<SellReply> {
    let order = convert::sell_order(&asked)?;
    let sold = order
        .sell(&app.central, &caller)
        .await
        .map_err(ApiError::of_command)?;
    app.metrics.sold(&sold);
    // What was just sold has its draws and rules in memory; an older sale may need the record.
    let reply = if sold.repeated {
        let central = app.central.clone();
        blocking(move || Ok(convert::sell_reply(&central, &sold)?)).await
    } else {
        convert::sell_reply(&app.central, &sold).map_err(Into::into)
    };
    answered(reply)
}

/// Cancel a ticket before its first draw closes, with its paper; or, by two people, with the pieces
/// of a print that was never confirmed.
#[utoipa::path(
    post, path = "/api/v1/cancellations", tag = "sales", operation_id = "cancel",
    request_body(content = CancelRequest, example = json!({
        "key": {"session": 1, "counter": 2}, "code": "0731552890146663", "reason": "changed_mind"
    })),
    responses((status = 200, description = "Cancelled; give the wager back", body = CancelReply))
)]
pub(super) async fn cancel(By(app, caller, asked): By<CancelRequest>) -> Reply<CancelReply> {
    let named = convert::named(&app.central, &asked.code)?;
    let shared = app.clone();
    let reply: web::Json<CancelReply> = command(async move || {
        let central = &shared.central;
        let what = || Approvable {
            content: ApprovalContent::Cancellation {
                code: asked.code.clone(),
                reason: asked.reason.clone(),
            },
            key: Some(asked.key),
        };
        let second = match &asked.second {
            Some(second) => {
                Some(second_person(&shared, &caller, second, Operation::Cancel, what()).await?)
            }
            None => None,
        };
        let order = CancelOrder {
            counter: asked.key.counter,
            session: asked.key.session,
            named,
            reason: asked.reason.clone(),
            second: second.as_ref().map(|second| second.person.clone()),
        };
        let cancel = order.cancel(central, &caller);
        let key = (&order.named, order.session, order.counter);
        let limits = &shared.limits;
        let cancelled = limits.counted_by_key(central, &caller, key, cancel).await;
        let cancelled = match &second {
            Some(second) => second.after(cancelled)?,
            None => cancelled?,
        };
        Ok(convert::cancel_reply(central, &cancelled)?)
    })
    .await?;
    app.metrics.cancelled(&reply);
    Ok(reply)
}
