//! A till in the middle of its shift, counted by two people; and the sheet of a shift that was
//! counted.

use keno_record::fault::Fault;
use keno_service::authority::Operation;
use keno_service::counter::CountOrder;
use keno_service::refusal::Refusal;
use keno_wire::reply::{ShiftSheetReply, TillCountReply};
use keno_wire::request::TillCountRequest;
use keno_wire::wall::ApprovalContent;

use super::draws::number_of;
use super::handler::{App, By, Reply, SignedOn, command, look, web};
use crate::report::House;
use crate::request::second::{Approvable, second_person};
use crate::{convert, report};

/// Count the till of this device blind in the middle of a shift, by two people.
///
/// It moves nothing and closes nothing. Sent again after a lost answer it is another count.
#[utoipa::path(
    post, path = "/api/v1/shifts/counts", tag = "sessions", operation_id = "count_till",
    request_body(content = TillCountRequest, example = json!({
        "counted_cents": 512_345, "reason": "change disputed by a patron",
        "second": {"badge": "S101", "pin": "246813"}
    })),
    responses((status = 200, description = "Recorded, and what was expected; both people sign the paper", body = TillCountReply))
)]
pub(super) async fn count(By(app, caller, asked): By<TillCountRequest>) -> Reply<TillCountReply> {
    command(async move || {
        let central = &app.central;
        let what = Approvable::once(ApprovalContent::TillCount {
            counted_cents: asked.counted_cents,
            reason: asked.reason.clone(),
        });
        let second =
            second_person(&app, &caller, &asked.second, Operation::CountTill, what).await?;
        let order = CountOrder {
            counted_cents: asked.counted_cents,
            reason: asked.reason,
            second: second.person.clone(),
        };
        let counted = second.after(order.count(central, &caller).await)?;
        Ok(convert::till_count_reply(central, &counted))
    })
    .await
}

/// The sheet of a shift, once its till was counted: a clerk's is the last one that was counted at
/// this device, a supervisor's and an auditor's any.
#[utoipa::path(
    get, path = "/api/v1/shifts/{number}/sheet", tag = "sessions", operation_id = "shift_sheet",
    params(("number" = u64, Path, description = "Shift number", example = 1)),
    responses((status = 200, description = "The sheet", body = ShiftSheetReply))
)]
pub(super) async fn sheet(
    app: web::Data<App>,
    SignedOn(caller): SignedOn,
    path: web::Path<String>,
) -> Reply<ShiftSheetReply> {
    let number = number_of(&path)?;
    let central = app.central.clone();
    look(move || {
        let mut reader = central.readers.get().map_err(Fault::from)?;
        caller.may_read_sheet(&mut reader, number)?;
        report::shift_reply(&mut reader, &House::of(&app.central), number)?
            .ok_or_else(|| Refusal::TillStillOpen.into())
    })
    .await
}
