//! The follower of the log: two people say who it is, and open payouts that wait for it.

use keno_service::Refusal;
use keno_service::authority::Operation;
use keno_service::draw::Draw;

use super::handler::{By, Reply, done};
use super::types::{BeginFollowingRequest, DoneReply, OpenPayoutsRequest};
use crate::request::second::second_at_the_screen;

/// Say that the log is followed from here on by who answers at the place that the house names, and
/// began its copy so: by two people, one not of the counter.
#[utoipa::path(
    post, path = "/api/v1/follower/begin", tag = "house", operation_id = "begin_following",
    request_body(content = BeginFollowingRequest, example = json!({
        "began": "5f0c1b62a7d8e94433ac20b9d1e6f7785f0c1b62a7d8e94433ac20b9d1e6f778",
        "second": {"badge": "V301", "pin": "135792"}
    })),
    responses((status = 200, description = "It is on record", body = DoneReply))
)]
pub(super) async fn begin(By(app, caller, asked): By<BeginFollowingRequest>) -> Reply<DoneReply> {
    let operation = Operation::BeginFollowing;
    let second = second_at_the_screen(&app, &caller, &asked.second, operation).await?;
    done(app, move |central| {
        let line = central.follower.as_ref().ok_or(Refusal::NobodyBegins)?;
        line.begin(central, &caller, &second, &asked.began)
            .map(drop)
    })
    .await
}

/// Open the payouts of a draw for which the second computation is still awaited after the time of its
/// rules, or which differed, and again by who began since: by two people, one not of the counter.
#[utoipa::path(
    post, path = "/api/v1/follower/payouts", tag = "house", operation_id = "open_payouts",
    request_body(content = OpenPayoutsRequest, example = json!({
        "draw": 1, "reason": "the audit office is without power",
        "second": {"badge": "V301", "pin": "135792"}
    })),
    responses((status = 200, description = "The draw is paid as any other", body = DoneReply))
)]
pub(super) async fn payouts(By(app, caller, asked): By<OpenPayoutsRequest>) -> Reply<DoneReply> {
    let operation = Operation::OpenPayouts;
    let second = second_at_the_screen(&app, &caller, &asked.second, operation).await?;
    done(app, move |central| {
        let draw = Draw(asked.draw);
        draw.open_payouts(central, &caller, &second, &asked.reason)
            .map(drop)
    })
    .await
}
