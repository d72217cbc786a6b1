//! Inquiries: what a paper or a typed number comes to. Nothing moves.

use actix_web::web;
use keno_record::roles::DeviceRole;
use keno_service::central::Central;
use keno_wire::reply::CheckReply;
use keno_wire::request::CheckRequest;

use crate::app::{App, blocking};
use crate::look_up::check::{Viewer, check_ticket};
use crate::problem::{ApiError, Problems};
use crate::request::body::Body;
use crate::request::caller::Anyone;

/// Whether the till of a device has less cash than can be paid now. A ticket that was not paid in
/// cash is paid in its own tender, of which no till runs out.
fn is_till_short(central: &Central, device: u32, reply: &CheckReply) -> bool {
    let view = central.view.get();
    let Some((_, shift)) = view.shift_at(device) else {
        return false;
    };
    let is_cash = reply
        .ticket
        .as_ref()
        .is_some_and(|ticket| ticket.tender == "cash");
    is_cash && reply.payable_cents.unwrap_or(0) > shift.expected_cents
}

/// What a paper or a typed number comes to.
///
/// A number that does not exist is answered with the verdict `not_found`; so many of those a
/// minute, and the asker waits.
#[utoipa::path(
    post, path = "/api/v1/checks", tag = "tickets", operation_id = "check",
    request_body(content = CheckRequest, example = json!({"code": "0731552890146663"})),
    responses((status = 200, description = "The verdict", body = CheckReply), Problems)
)]
pub(super) async fn check(
    app: web::Data<App>,
    anyone: Anyone,
    Body(asked): Body<CheckRequest>,
) -> Result<web::Json<CheckReply>, ApiError> {
    let device = anyone.device.as_ref().map(|device| device.device);
    let is_clerk = anyone.person.is_some();
    let viewer = Viewer {
        is_person: is_clerk,
        is_cage: is_clerk
            && anyone
                .device
                .as_ref()
                .is_some_and(|device| device.role == DeviceRole::Cage),
        asker: anyone.asker,
        device,
        badge: anyone.person.map(|person| person.badge).unwrap_or_default(),
    };
    let shared = app.clone();
    let mut reply = blocking(move || check_ticket(&shared, &viewer, &asked.code)).await?;
    if is_clerk && let Some(device) = device {
        reply.till_short = is_till_short(&app.central, device, &reply);
    }
    Ok(web::Json(reply))
}
