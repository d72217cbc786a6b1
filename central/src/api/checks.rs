//! Inquiries: what a paper or a typed number comes to. Nothing moves.

use keno_record::roles::DeviceRole;
use keno_service::counter::Viewer;
use keno_wire::reply::CheckReply;
use keno_wire::request::CheckRequest;

use super::handler::{App, Body, Reply, look, web};
use crate::look_up::check::check_ticket;
use crate::request::caller::Anyone;

/// What a paper or a typed number comes to.
///
/// A number that does not exist is answered with the verdict `not_found`; so many of those a
/// minute, and the asker waits.
#[utoipa::path(
    post, path = "/api/v1/checks", tag = "tickets", operation_id = "check",
    request_body(content = CheckRequest, example = json!({"code": "0731552890146663"})),
    responses((status = 200, description = "The verdict", body = CheckReply))
)]
pub(super) async fn check(
    app: web::Data<App>,
    anyone: Anyone,
    Body(asked): Body<CheckRequest>,
) -> Reply<CheckReply> {
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
    look(move || check_ticket(&app, &viewer, &asked.code)).await
}
