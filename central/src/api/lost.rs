//! The refund of a ticket whose record a restore lost.

use keno_service::authority::Operation;
use keno_service::counter::LostRefundOrder;
use keno_service::refusal::Refusal;
use keno_wire::reply::LostRefundReply;
use keno_wire::request::LostRefundRequest;
use keno_wire::wall::ApprovalContent;

use super::handler::{By, Reply, command};
use crate::convert;
use crate::request::second::{Approvable, second_person};

/// Give the price of a lost ticket back, by two people, once: its paper proves that this house
/// made it, and the record has it no more.
#[utoipa::path(
    post, path = "/api/v1/lost-refunds", tag = "claims", operation_id = "refund_lost",
    request_body(content = LostRefundRequest, example = json!({
        "key": {"session": 1, "counter": 8},
        "code": "KT2073155289014666301MPJTB9D5MPJTB9D5MP0W000091182047GY3RF1W7GY3RF1W7GY3RF1W7GY3RF1W7GY3RF1W7GY3RF1W7GY0JTB9D5MPJTB9D5MP",
        "amount_cents": 500, "tender": "cash", "reason": "price read on the paper",
        "second": {"badge": "S101", "pin": "246813"}
    })),
    responses((status = 200, description = "Refunded; hand it over and keep the paper", body = LostRefundReply))
)]
pub(super) async fn refund(
    By(app, caller, asked): By<LostRefundRequest>,
) -> Reply<LostRefundReply> {
    let paper = convert::paper(&app.central, &asked.code)?;
    if !paper.is_claimed() {
        return Err(Refusal::ClaimCodeNeeded.into());
    }
    command(async move || {
        let central = &app.central;
        let what = Approvable {
            content: ApprovalContent::LostRefund {
                code: asked.code,
                amount_cents: asked.amount_cents,
                tender: asked.tender.clone(),
                reason: asked.reason.clone(),
            },
            key: Some(asked.key),
        };
        let second =
            second_person(&app, &caller, &asked.second, Operation::RefundLost, what).await?;
        let order = LostRefundOrder {
            counter: asked.key.counter,
            session: asked.key.session,
            paper,
            amount_cents: asked.amount_cents,
            tender: asked.tender.into(),
            reason: asked.reason,
            second: second.person.clone(),
        };
        let refunded = second.after(order.refund(central, &caller).await)?;
        Ok(convert::lost_refund_reply(central, &refunded))
    })
    .await
}
