//! What waits for a second person who stands at the wall.

use keno_schema::rows::TicketRow;
use keno_service::authority::Operation;
use keno_service::authority::identity::Caller;
use keno_service::refusal::Refusal;
use keno_service::{Central, Stop, bounds, counter, house, staff};
use keno_wire::wall::{
    ApprovalContent, ApprovalRequest, ApprovalTicket, ApprovalView, ApprovalsReply, GrantRequest,
    RefuseRequest,
};

use super::amendments;
use super::handler::{App, Body, Problems, Reply, SignedOn, blocking, look, web};
use crate::convert;
use crate::wall::{Asked, content_hash, kind_name, name_of};
use keno_service::access::{AccessKind, AccessLine};
use keno_service::counter::Asker;

/// Letters of a reason that are shown.
const REASON_MOST: usize = 400;

/// What is to be approved.
const fn operation_of(content: &ApprovalContent) -> Operation {
    match content {
        ApprovalContent::Payment { .. } => Operation::Pay,
        ApprovalContent::TillMovement { .. } => Operation::MoveTill,
        ApprovalContent::TillCount { .. } => Operation::CountTill,
        ApprovalContent::Duplicate { .. } => Operation::Duplicate,
        ApprovalContent::Unpaid { .. } => Operation::MarkUnpaid,
        ApprovalContent::Release { .. } => Operation::Release,
        ApprovalContent::Reversal { .. } => Operation::ReversePayment,
        ApprovalContent::LostRefund { .. } => Operation::RefundLost,
        ApprovalContent::TakeOver { .. } => Operation::TakeOver,
        ApprovalContent::RulesAmendment { .. } => Operation::AmendRules,
    }
}

fn ticket_of(central: &Central, row: &TicketRow) -> ApprovalTicket {
    ApprovalTicket {
        ticket: row.number,
        number: counter::control_number(central, row).masked(),
        first_draw: row.first_draw,
        last_draw: row.last_draw,
        total_cents: row.total_cents,
    }
}

fn row_of_code(central: &Central, code: &str) -> Result<TicketRow, Stop> {
    let row = counter::find_named(central, &convert::named(central, code)?)?;
    Ok(row.ok_or(Refusal::NumberUnknown)?)
}

fn ticket_of_code(central: &Central, code: &str) -> Result<ApprovalTicket, Stop> {
    Ok(ticket_of(central, &row_of_code(central, code)?))
}

/// What supervisors see of a question. Whether the command will be allowed is judged when it comes.
fn asked(central: &Central, caller: &Caller, request: &ApprovalRequest) -> Result<Asked, Stop> {
    let content = &request.content;
    let mut asked = Asked {
        session: caller.session,
        by: caller.badge.clone(),
        device: caller.device.device,
        name: caller.device.name.clone(),
        content: content_hash(content),
        what: name_of(content),
        kind: None,
        ticket: None,
        amendment: None,
        amount_cents: None,
        rule: "always_by_two",
        reason: String::new(),
    };
    let mut words = "";
    match content {
        ApprovalContent::Payment { code, items } => {
            let sum = items
                .iter()
                .try_fold(0_i64, |sum, item| sum.checked_add(item.amount_cents));
            asked.amount_cents = sum;
            let row = row_of_code(central, code)?;
            // What would be refused is not asked for.
            convert::named(central, code)?.check_claim(&row)?;
            asked.ticket = Some(ticket_of(central, &row));
            // Whoever grants it is told that a holder was not paid.
            asked.rule = if row.refused_reason.is_some() {
                "patron_refused"
            } else {
                "payout_limit"
            };
        }
        ApprovalContent::TillMovement { kind, amount_cents } => {
            asked.kind = Some(kind_name(*kind));
            asked.amount_cents = Some(*amount_cents);
        }
        ApprovalContent::TillCount {
            counted_cents,
            reason,
        } => {
            asked.amount_cents = Some(*counted_cents);
            words = reason;
        }
        ApprovalContent::Duplicate { code, reason: why }
        | ApprovalContent::Release {
            code,
            evidence: why,
        } => {
            asked.ticket = Some(ticket_of_code(central, code)?);
            words = why;
        }
        ApprovalContent::Unpaid { code } => asked.ticket = Some(ticket_of_code(central, code)?),
        ApprovalContent::Reversal { payment, reason } => {
            let (row, cents) =
                house::payment_facts(central, *payment)?.ok_or(Refusal::PaymentUnknown)?;
            asked.ticket = Some(ticket_of(central, &row));
            asked.amount_cents = Some(cents);
            words = reason;
        }
        // The record has that ticket no more: what is shown is what the clerk read.
        ApprovalContent::LostRefund {
            amount_cents,
            reason,
            ..
        } => {
            asked.amount_cents = Some(*amount_cents);
            words = reason;
        }
        ApprovalContent::TakeOver { reason, .. } => words = reason,
        ApprovalContent::RulesAmendment {
            base_version,
            changes,
            effective_from,
        } => {
            let (base, from) = (*base_version, *effective_from);
            asked.amendment = Some(amendments::waiting(central, base, changes, from)?);
        }
    }
    let both = [words, request.reason.trim()];
    for text in both {
        bounds::note("reason", text)?;
    }
    let said: Vec<&str> = both.into_iter().filter(|text| !text.is_empty()).collect();
    asked.reason = said.join(" · ").chars().take(REASON_MOST).collect();
    Ok(asked)
}

/// The code of the ticket that a question is about.
fn code_of(content: &ApprovalContent) -> Option<&str> {
    match content {
        ApprovalContent::Payment { code, .. }
        | ApprovalContent::Duplicate { code, .. }
        | ApprovalContent::Release { code, .. }
        | ApprovalContent::Unpaid { code } => Some(code),
        _ => None,
    }
}

/// Ask a supervisor at the wall to be the second person of a command. The number that comes back
/// stands in the command's `second` once it is granted.
#[utoipa::path(
    post, path = "/api/v1/approvals", tag = "wall", operation_id = "ask_approval",
    request_body(content = ApprovalRequest, example = json!({
        "content": {"what": "till_movement", "kind": "fill", "amount_cents": 100000},
        "reason": "monnaie"
    })),
    responses((status = 200, description = "It waits", body = ApprovalView), Problems)
)]
pub(super) async fn ask(
    app: web::Data<App>,
    SignedOn(caller): SignedOn,
    Body(request): Body<ApprovalRequest>,
) -> Reply<ApprovalView> {
    // Whoever may not do it does not ask a supervisor for it either.
    caller.may(operation_of(&request.content))?;
    look(move || {
        let central = &app.central;
        let now_ms = central.clock.monotonic_ms();
        let is_guess = code_of(&request.content)
            .map(|code| convert::named(central, code))
            .transpose()?
            .is_some_and(|named| counter::is_guess(&named));
        let asker = Asker::Device(caller.device.device);
        if is_guess {
            app.limits.take(asker, now_ms)?;
        }
        let asked = asked(central, &caller, &request);
        if is_guess && !matches!(asked, Err(Stop::Refused(Refusal::NumberUnknown))) {
            app.limits.was_known(asker, now_ms);
        }
        let asked = asked?;
        let id = app.wall.approvals.ask(asked, now_ms);
        Ok(app.wall.approvals.one(id, now_ms)?.1)
    })
    .await
}

/// What waits for a supervisor, the oldest first.
#[utoipa::path(
    get, path = "/api/v1/approvals", tag = "wall", operation_id = "approvals",
    responses((status = 200, description = "What waits", body = ApprovalsReply), Problems)
)]
pub(super) async fn list(app: web::Data<App>) -> Reply<ApprovalsReply> {
    let now_ms = app.central.clock.monotonic_ms();
    Ok(web::Json(ApprovalsReply {
        waiting: app.wall.approvals.waiting(now_ms),
    }))
}

/// How a question stands: for the session that asked, and for supervisors.
#[utoipa::path(
    get, path = "/api/v1/approvals/{id}", tag = "wall", operation_id = "approval",
    params(("id" = u64, Path, description = "Its number", example = 1)),
    responses((status = 200, description = "How it stands", body = ApprovalView), Problems)
)]
pub(super) async fn one(
    app: web::Data<App>,
    SignedOn(caller): SignedOn,
    id: web::Path<u64>,
) -> Reply<ApprovalView> {
    let now_ms = app.central.clock.monotonic_ms();
    let (session, view) = app.wall.approvals.one(id.into_inner(), now_ms)?;
    if session != caller.session && caller.may(Operation::AnswerApproval).is_err() {
        return Err(Refusal::ApprovalUnknown.into());
    }
    Ok(web::Json(view))
}

/// The supervisor who is signed on gives the PIN once more, and the answer is noted.
async fn answer(
    app: &web::Data<App>,
    caller: Caller,
    id: u64,
    pin: String,
    kind: AccessKind,
    answer: impl FnOnce(&App, &str, i64) -> Result<ApprovalView, Refusal>,
) -> Reply<ApprovalView> {
    let central = &app.central;
    app.wall
        .approvals
        .may_answer(id, &caller.badge, central.clock.monotonic_ms())?;
    let (_, asked) = app.wall.approvals.one(id, central.clock.monotonic_ms())?;
    staff::recognise_answering(central, &caller, &asked.by, &pin).await?;
    let view = answer(app, &caller.badge, central.clock.monotonic_ms())?;
    app.access.note(AccessLine {
        at_ms: central.clock.now_ms(),
        kind,
        device: Some(caller.device.device),
        badge: caller.badge,
        trace: String::new(),
        purpose: format!("{} {} {}", view.what, view.by, view.name),
    });
    Ok(web::Json(view))
}

/// Grant it: the command of that session, with that content, may come once within five minutes.
#[utoipa::path(
    post, path = "/api/v1/approvals/{id}/grant", tag = "wall", operation_id = "grant_approval",
    params(("id" = u64, Path, description = "Its number", example = 1)),
    request_body(content = GrantRequest, example = json!({"pin": "246813"})),
    responses((status = 200, description = "Granted", body = ApprovalView), Problems)
)]
pub(super) async fn grant(
    app: web::Data<App>,
    SignedOn(caller): SignedOn,
    id: web::Path<u64>,
    Body(asked): Body<GrantRequest>,
) -> Reply<ApprovalView> {
    let id = id.into_inner();
    let now_ms = app.central.clock.monotonic_ms();
    if let Some(ticket) = app.wall.approvals.one(id, now_ms)?.1.ticket {
        let (central, badge) = (app.central.clone(), caller.badge.clone());
        blocking(move || counter::must_not_grant_own(&central, &badge, ticket.ticket)).await?;
    }
    let kind = AccessKind::ApprovalGranted;
    answer(&app, caller, id, asked.pin, kind, move |app, by, now_ms| {
        app.wall.approvals.grant(id, by, now_ms)
    })
    .await
}

/// Refuse it, with a reason that the clerk reads.
#[utoipa::path(
    post, path = "/api/v1/approvals/{id}/refuse", tag = "wall", operation_id = "refuse_approval",
    params(("id" = u64, Path, description = "Its number", example = 1)),
    request_body(content = RefuseRequest, example = json!({"pin": "246813", "reason": "je viens voir"})),
    responses((status = 200, description = "Refused", body = ApprovalView), Problems)
)]
pub(super) async fn refuse(
    app: web::Data<App>,
    SignedOn(caller): SignedOn,
    id: web::Path<u64>,
    Body(asked): Body<RefuseRequest>,
) -> Reply<ApprovalView> {
    let reason = asked.reason.trim().to_owned();
    if reason.is_empty() {
        return Err(Refusal::ReasonNeeded.into());
    }
    bounds::note("reason", &reason)?;
    let id = id.into_inner();
    let kind = AccessKind::ApprovalRefused;
    answer(&app, caller, id, asked.pin, kind, move |app, by, now_ms| {
        app.wall.approvals.refuse(id, by, &reason, now_ms)
    })
    .await
}
