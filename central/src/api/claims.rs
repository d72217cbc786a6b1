//! Presenting a ticket as a claim, paying it, undoing a payment.

use std::sync::Arc;

use actix_web::web;
use keno_service::Central;
use keno_service::fault::Stop;
use keno_service::identity::{Caller, Role, TILL_ROLES};
use keno_service::pay::{PayOrder, SECOND_ROLES};
use keno_service::people::Recognised;
use keno_wire::reply::{PayReply, RecordedReply};
use keno_wire::request::{PayRequest, PresentRequest, ReverseRequest, SecondPerson};

use super::body::Body;
use super::caller::SignedOn;
use super::openapi::Problems;
use crate::convert;
use crate::problem::ApiError;
use crate::server::{App, blocking_command};

/// Checks the second person of a two-person action. Blocks for the PIN, and counts a wrong one:
/// whoever asks has been judged before, so that nobody else can lock a supervisor out.
///
/// # Errors
/// As [`Central::recognise_second`].
pub(super) fn second_person(
    central: &Central,
    first: &Caller,
    second: &SecondPerson,
    roles: &[Role],
) -> Result<Recognised, Stop> {
    Ok(central.recognise_second(&first.badge, &second.badge, &second.pin, roles)?)
}

/// The ticket is presented as a claim: the first time stops the claim clock (s. 86).
#[utoipa::path(
    post, path = "/api/v1/presentations", tag = "claims", operation_id = "present",
    security(("device" = [], "session" = [])),
    request_body(content = PresentRequest, example = json!({"code": "0731552890146663"})),
    responses((status = 200, description = "Presented", body = RecordedReply), Problems)
)]
pub(super) async fn present(
    app: web::Data<App>,
    SignedOn(caller): SignedOn,
    Body(asked): Body<PresentRequest>,
) -> Result<web::Json<RecordedReply>, ApiError> {
    let paper = convert::paper(&asked.code)?;
    let central = app.central.clone();
    let leaf = blocking_command(move || async move { central.present(&caller, &paper).await })
        .await
        .map_err(ApiError::of_command)?;
    Ok(web::Json(RecordedReply { leaf }))
}

/// Pay prizes and refunds of a ticket: each (ticket, draw) once, at the amounts that were shown.
#[utoipa::path(
    post, path = "/api/v1/payments", tag = "claims", operation_id = "pay",
    security(("device" = [], "session" = [])),
    request_body(content = PayRequest, example = json!({
        "key": {"session": 1, "counter": 3}, "code": "0731552890146663",
        "items": [{"draw": 1, "amount_cents": 200}],
        "second": {"badge": "S101", "pin": "2468"}
    })),
    responses((status = 200, description = "Paid; hand the cash over", body = PayReply), Problems)
)]
pub(super) async fn pay(
    app: web::Data<App>,
    SignedOn(caller): SignedOn,
    Body(asked): Body<PayRequest>,
) -> Result<web::Json<PayReply>, ApiError> {
    caller.must_be(&TILL_ROLES)?;
    let paper = convert::paper(&asked.code)?;
    let central: Arc<Central> = app.central.clone();
    let reply = blocking_command(move || async move {
        let second = asked
            .second
            .as_ref()
            .map(|second| second_person(&central, &caller, second, &SECOND_ROLES))
            .transpose()?;
        let order = PayOrder {
            counter: asked.key.counter,
            session: asked.key.session,
            paper,
            items: asked
                .items
                .iter()
                .map(|item| (item.draw, item.amount_cents))
                .collect(),
            second,
        };
        let paid = central.pay(&caller, &order).await?;
        Ok(convert::pay_reply(&central, &paid)?)
    })
    .await
    .map_err(ApiError::of_command)?;
    app.metrics.paid(&reply);
    Ok(web::Json(reply))
}

/// Undo a payment that was not handed over, by two people in the same shift.
#[utoipa::path(
    post, path = "/api/v1/reversals", tag = "claims", operation_id = "reverse",
    security(("device" = [], "session" = [])),
    request_body(content = ReverseRequest, example = json!({
        "payment": 120, "reason": "the patron left", "second": {"badge": "S101", "pin": "2468"}
    })),
    responses((status = 200, description = "Undone", body = RecordedReply), Problems)
)]
pub(super) async fn reverse(
    app: web::Data<App>,
    SignedOn(caller): SignedOn,
    Body(asked): Body<ReverseRequest>,
) -> Result<web::Json<RecordedReply>, ApiError> {
    caller.must_be(&TILL_ROLES)?;
    let central = app.central.clone();
    let leaf = blocking_command(move || async move {
        let second = second_person(&central, &caller, &asked.second, &[Role::Supervisor])?;
        central
            .reverse_payment(&caller, &second.badge, asked.payment, &asked.reason)
            .await
    })
    .await
    .map_err(ApiError::of_command)?;
    Ok(web::Json(RecordedReply { leaf }))
}
