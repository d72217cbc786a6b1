//! Presenting a ticket as a claim, paying it, undoing a payment.

use keno_service::authority::Operation;
use keno_service::counter::PayOrder;
use keno_wire::reply::{PayReply, PresentationReply, RecordedReply};
use keno_wire::request::{PayRequest, PresentRequest, ReverseRequest};
use keno_wire::wall::ApprovalContent;

use super::handler::{App, Body, Reply, SignedOn, command, web};
use crate::convert;
use crate::request::second::{Approvable, second_person};

/// The ticket is presented as a claim: the first time stops the claim clock (s. 86).
#[utoipa::path(
    post, path = "/api/v1/presentations", tag = "claims", operation_id = "present",
    request_body(content = PresentRequest, example = json!({"code": "KT2073155289014666301MPJTB9D5MPJTB9D5MPJT"})),
    responses((status = 200, description = "Presented", body = PresentationReply))
)]
pub(super) async fn present(
    app: web::Data<App>,
    SignedOn(caller): SignedOn,
    Body(asked): Body<PresentRequest>,
) -> Reply<PresentationReply> {
    let named = convert::named(&app.central, &asked.code)?;
    let is_guess = named.is_guess();
    command(async move || {
        let central = &app.central;
        let present = named.present(central, &caller);
        let presented = app
            .limits
            .counted(central, &caller, is_guess, present)
            .await?;
        Ok(convert::presentation_reply(central, &caller, &presented))
    })
    .await
}

/// Pay prizes and refunds of a ticket: each (ticket, draw) once, at the amounts that were shown.
#[utoipa::path(
    post, path = "/api/v1/payments", tag = "claims", operation_id = "pay",
    request_body(content = PayRequest, example = json!({
        "key": {"session": 1, "counter": 3}, "code": "KT2073155289014666301MPJTB9D5MPJTB9D5MPJT",
        "items": [{"draw": 1, "amount_cents": 200}],
        "second": {"badge": "S101", "pin": "246813"}
    })),
    responses((status = 200, description = "Paid; hand the cash over", body = PayReply))
)]
pub(super) async fn pay(
    app: web::Data<App>,
    SignedOn(caller): SignedOn,
    Body(asked): Body<PayRequest>,
) -> Reply<PayReply> {
    let paper = convert::named(&app.central, &asked.code)?;
    let shared = app.clone();
    let reply: web::Json<PayReply> = command(async move || {
        let central = &shared.central;
        let what = || Approvable {
            content: ApprovalContent::Payment {
                code: asked.code.clone(),
                items: asked.items.clone(),
            },
            key: Some(asked.key),
        };
        let second = match &asked.second {
            Some(second) => {
                Some(second_person(&shared, &caller, second, Operation::Pay, what()).await?)
            }
            None => None,
        };
        let order = PayOrder {
            counter: asked.key.counter,
            session: asked.key.session,
            paper,
            items: asked
                .items
                .iter()
                .map(|item| (item.draw, item.amount_cents))
                .collect(),
            second: second.as_ref().map(|second| second.person.clone()),
        };
        let pay = order.pay(central, &caller);
        let key = (&order.paper, order.session, order.counter);
        let limits = &shared.limits;
        let paid = limits.counted_by_key(central, &caller, key, pay).await;
        let paid = match &second {
            Some(second) => second.after(paid)?,
            None => paid?,
        };
        Ok(convert::pay_reply(central, &paid)?)
    })
    .await?;
    app.metrics.paid(&reply);
    Ok(reply)
}

/// Undo a payment that was not handed over, by two people in the same shift.
#[utoipa::path(
    post, path = "/api/v1/reversals", tag = "claims", operation_id = "reverse",
    request_body(content = ReverseRequest, example = json!({
        "payment": 120, "reason": "the patron left", "second": {"badge": "S101", "pin": "246813"}
    })),
    responses((status = 200, description = "Undone", body = RecordedReply))
)]
pub(super) async fn reverse(
    app: web::Data<App>,
    SignedOn(caller): SignedOn,
    Body(asked): Body<ReverseRequest>,
) -> Reply<RecordedReply> {
    command(async move || {
        let what = Approvable::once(ApprovalContent::Reversal {
            payment: asked.payment,
            reason: asked.reason.clone(),
        });
        let operation = Operation::ReversePayment;
        let second = second_person(&app, &caller, &asked.second, operation, what).await?;
        let (person, payment, reason) = (&second.person, asked.payment, &asked.reason);
        let reversed = caller.reverse_payment(&app.central, person, payment, reason);
        second.after(reversed.await)
    })
    .await
}
