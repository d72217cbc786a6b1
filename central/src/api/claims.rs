//! Presenting a ticket as a claim, paying it, undoing a payment.

use actix_web::web;
use keno_service::authority::Operation;
use keno_service::counter;
use keno_service::counter::{Named, PayOrder};
use keno_wire::reply::{PayReply, PresentationReply, RecordedReply};
use keno_wire::request::{PayRequest, PresentRequest, ReverseRequest};
use keno_wire::wall::ApprovalContent;

use crate::app::{App, blocking_command};
use crate::convert;
use crate::problem::{ApiError, Problems};
use crate::request::body::Body;
use crate::request::caller::SignedOn;
use crate::request::second::{Approvable, second_person};

/// The ticket is presented as a claim: the first time stops the claim clock (s. 86).
#[utoipa::path(
    post, path = "/api/v1/presentations", tag = "claims", operation_id = "present",
    request_body(content = PresentRequest, example = json!({"code": "KT2073155289014666301MPJTB9D5MPJTB9D5MPJT"})),
    responses((status = 200, description = "Presented", body = PresentationReply), Problems)
)]
pub(super) async fn present(
    app: web::Data<App>,
    SignedOn(caller): SignedOn,
    Body(asked): Body<PresentRequest>,
) -> Result<web::Json<PresentationReply>, ApiError> {
    let named = convert::named(&app.central, &asked.code)?;
    let is_guess = counter::is_guess(&named);
    let shared = app.clone();
    let reply = blocking_command(move || async move {
        let central = &shared.central;
        let present = counter::present(central, &caller, named);
        let presented =
            counter::counted(central, &shared.limits, &caller, is_guess, present).await?;
        Ok(convert::presentation_reply(central, &caller, &presented))
    })
    .await
    .map_err(ApiError::of_command)?;
    Ok(web::Json(reply))
}

/// Pay prizes and refunds of a ticket: each (ticket, draw) once, at the amounts that were shown.
#[utoipa::path(
    post, path = "/api/v1/payments", tag = "claims", operation_id = "pay",
    request_body(content = PayRequest, example = json!({
        "key": {"session": 1, "counter": 3}, "code": "KT2073155289014666301MPJTB9D5MPJTB9D5MPJT",
        "items": [{"draw": 1, "amount_cents": 200}],
        "second": {"badge": "S101", "pin": "246813"}
    })),
    responses((status = 200, description = "Paid; hand the cash over", body = PayReply), Problems)
)]
pub(super) async fn pay(
    app: web::Data<App>,
    SignedOn(caller): SignedOn,
    Body(asked): Body<PayRequest>,
) -> Result<web::Json<PayReply>, ApiError> {
    let paper = convert::named(&app.central, &asked.code)?;
    let shared = app.clone();
    let reply = blocking_command(move || async move {
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
        let pay = counter::pay(central, &caller, &order);
        let paid = match &order.paper {
            Named::Paper(paper) => {
                counter::counted_by_key(
                    central,
                    &shared.limits,
                    &caller,
                    (paper, asked.key.session, asked.key.counter),
                    pay,
                )
                .await
            }
            // A leaf is no guess at a number.
            Named::Reference(_) | Named::File(_) => pay.await,
        };
        let paid = match &second {
            Some(second) => second.after(paid)?,
            None => paid?,
        };
        Ok(convert::pay_reply(central, &paid)?)
    })
    .await
    .map_err(ApiError::of_command)?;
    app.metrics.paid(&reply);
    Ok(web::Json(reply))
}

/// Undo a payment that was not handed over, by two people in the same shift.
#[utoipa::path(
    post, path = "/api/v1/reversals", tag = "claims", operation_id = "reverse",
    request_body(content = ReverseRequest, example = json!({
        "payment": 120, "reason": "the patron left", "second": {"badge": "S101", "pin": "246813"}
    })),
    responses((status = 200, description = "Undone", body = RecordedReply), Problems)
)]
pub(super) async fn reverse(
    app: web::Data<App>,
    SignedOn(caller): SignedOn,
    Body(asked): Body<ReverseRequest>,
) -> Result<web::Json<RecordedReply>, ApiError> {
    let shared = app.clone();
    let leaf = blocking_command(move || async move {
        let what = Approvable::once(ApprovalContent::Reversal {
            payment: asked.payment,
            reason: asked.reason.clone(),
        });
        let second = second_person(
            &shared,
            &caller,
            &asked.second,
            Operation::ReversePayment,
            what,
        )
        .await?;
        let reversed = counter::reverse_payment(
            &shared.central,
            &caller,
            &second.person,
            asked.payment,
            &asked.reason,
        )
        .await;
        second.after(reversed)
    })
    .await
    .map_err(ApiError::of_command)?;
    Ok(web::Json(RecordedReply { leaf }))
}
