//! What waits for a second person who stands at the wall.

use keno_service::authority::identity::Caller;
use keno_service::house::Question;
use keno_service::{Central, Stop};
use keno_wire::wall::{
    ApprovalContent, ApprovalRequest, ApprovalView, ApprovalsReply, GrantRequest, RefuseRequest,
};

use super::amendments;
use super::handler::{App, Body, Reply, SignedOn, web};
use crate::app::blocking_command;
use crate::convert;
use crate::wall::{Shown, approval_for, approval_view, content_hash, operation_of};

/// What is asked, as the service judges it.
fn question(central: &Central, request: ApprovalRequest) -> Result<Question<Shown>, Stop> {
    let (operation, what) = operation_of(&request.content);
    let content = content_hash(&request.content)?;
    let (mut code, mut payment, mut amount_cents, mut words) = (None, None, None, None);
    let mut shown = Shown::of(what);
    match request.content {
        ApprovalContent::Payment { code: of, items } => {
            let mut amounts = items.iter().map(|item| item.amount_cents);
            amount_cents = amounts.try_fold(0_i64, i64::checked_add);
            code = Some(of);
        }
        ApprovalContent::Cancellation { code: of, reason } => {
            (code, words) = (Some(of), Some(reason));
        }
        ApprovalContent::TillMovement {
            kind,
            amount_cents: of,
        } => {
            (shown.kind, amount_cents) = (Some(kind), Some(of));
        }
        ApprovalContent::TillCount {
            counted_cents,
            reason,
        } => {
            (amount_cents, words) = (Some(counted_cents), Some(reason));
        }
        ApprovalContent::Duplicate {
            code: of,
            reason: why,
        }
        | ApprovalContent::Release {
            code: of,
            evidence: why,
        } => {
            (code, words) = (Some(of), Some(why));
        }
        ApprovalContent::Unpaid { code: of } => code = Some(of),
        ApprovalContent::Reversal {
            payment: of,
            reason,
        } => {
            (payment, words) = (Some(of), Some(reason));
        }
        // The record has that ticket no more: what is shown is what the clerk read.
        ApprovalContent::LostRefund {
            amount_cents: of,
            reason,
            ..
        } => {
            (amount_cents, words) = (Some(of), Some(reason));
        }
        ApprovalContent::TakeOver { reason, .. } => words = Some(reason),
        ApprovalContent::RulesAmendment {
            base_version,
            changes,
            effective_from,
        } => {
            let waiting = amendments::waiting(central, base_version, &changes, effective_from)?;
            shown.amendment = Some(waiting);
        }
    }
    let named = code
        .map(|code| convert::named(central, &code))
        .transpose()?;
    Ok(Question {
        operation,
        what: what.name(),
        content,
        named,
        payment,
        amount_cents,
        reasons: [words.unwrap_or_default(), request.reason.trim().to_owned()],
        shown,
    })
}

/// Ask a supervisor at the wall to be the second person of a command. The number that comes back
/// stands in the command's `second` once it is granted.
#[utoipa::path(
    post, path = "/api/v1/approvals", tag = "wall", operation_id = "ask_approval",
    request_body(content = ApprovalRequest, example = json!({
        "content": {"what": "till_movement", "kind": "fill", "amount_cents": 100000},
        "reason": "monnaie"
    })),
    responses((status = 200, description = "It waits", body = ApprovalView))
)]
pub(super) async fn ask(
    app: web::Data<App>,
    SignedOn(caller): SignedOn,
    Body(request): Body<ApprovalRequest>,
) -> Reply<ApprovalView> {
    // Whoever may not do it does not ask a supervisor for it either.
    caller.may(operation_of(&request.content).0)?;
    let view = blocking_command(async move || {
        let central = &app.central;
        let question = question(central, request)?;
        let approvals = &app.wall.approvals;
        let asked = approvals.ask(central, &app.limits, &caller, question);
        Ok(approval_for(&caller, central, asked.await?))
    })
    .await?;
    Ok(web::Json(view))
}

/// What waits for a supervisor, the oldest first.
#[utoipa::path(
    get, path = "/api/v1/approvals", tag = "wall", operation_id = "approvals",
    responses((status = 200, description = "What waits", body = ApprovalsReply))
)]
pub(super) async fn list(app: web::Data<App>) -> Reply<ApprovalsReply> {
    let waiting = app.wall.waiting(&app.central);
    Ok(web::Json(ApprovalsReply { waiting }))
}

/// How a question stands: for the session that asked, and for supervisors.
#[utoipa::path(
    get, path = "/api/v1/approvals/{id}", tag = "wall", operation_id = "approval",
    params(("id" = u64, Path, description = "Its number", example = 1)),
    responses((status = 200, description = "How it stands", body = ApprovalView))
)]
pub(super) async fn one(
    app: web::Data<App>,
    SignedOn(caller): SignedOn,
    id: web::Path<u64>,
) -> Reply<ApprovalView> {
    let approval = app
        .wall
        .approvals
        .one(&app.central, &caller, id.into_inner())?;
    Ok(web::Json(approval_for(&caller, &app.central, approval)))
}

async fn answer(
    app: &App,
    caller: &Caller,
    question: (u64, &str),
    refusal: Option<&str>,
) -> Reply<ApprovalView> {
    let (central, approvals) = (&app.central, &app.wall.approvals);
    let answered = approvals.answer(central, &app.access, caller, question, refusal);
    Ok(web::Json(approval_view(central, answered.await?)))
}

/// Grant it: the command of that session, with that content, may come once within five minutes.
#[utoipa::path(
    post, path = "/api/v1/approvals/{id}/grant", tag = "wall", operation_id = "grant_approval",
    params(("id" = u64, Path, description = "Its number", example = 1)),
    request_body(content = GrantRequest, example = json!({"pin": "246813"})),
    responses((status = 200, description = "Granted", body = ApprovalView))
)]
pub(super) async fn grant(
    app: web::Data<App>,
    SignedOn(caller): SignedOn,
    id: web::Path<u64>,
    Body(asked): Body<GrantRequest>,
) -> Reply<ApprovalView> {
    answer(&app, &caller, (id.into_inner(), &asked.pin), None).await
}

/// Refuse it, with a reason that the clerk reads.
#[utoipa::path(
    post, path = "/api/v1/approvals/{id}/refuse", tag = "wall", operation_id = "refuse_approval",
    params(("id" = u64, Path, description = "Its number", example = 1)),
    request_body(content = RefuseRequest, example = json!({"pin": "246813", "reason": "je viens voir"})),
    responses((status = 200, description = "Refused", body = ApprovalView))
)]
pub(super) async fn refuse(
    app: web::Data<App>,
    SignedOn(caller): SignedOn,
    id: web::Path<u64>,
    Body(asked): Body<RefuseRequest>,
) -> Reply<ApprovalView> {
    let question = (id.into_inner(), asked.pin.as_str());
    answer(&app, &caller, question, Some(&asked.reason)).await
}
