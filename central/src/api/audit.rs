//! Everything on record about one ticket, for the audit office: each view with a purpose.

use keno_service::central::Central;
use keno_wire::reply::RecordedReply;
use keno_wire::request::TicketRecordRequest;
use keno_words::malformed;
use serde::Deserialize;
use utoipa::ToSchema;

use super::handler::{ApiError, By, Reply, command, look};
use super::types::{AuditTicketReply, LifeFact};
use crate::convert;
use crate::look_up::record::{AuditRecord, audit_record, recomputed_by, who};
use crate::pages::view::Purpose;
use crate::report::facts;

/// The purpose of a request; one that is not on the list is refused.
pub(crate) fn purpose_of(name: &str) -> Result<Purpose, ApiError> {
    Purpose::from_name(name).ok_or_else(|| {
        let all = Purpose::ALL.map(Purpose::name).join(", ");
        ApiError::malformed(Some("purpose"), &malformed::Purpose { all: &all })
    })
}

/// Everything on record about a ticket.
#[utoipa::path(
    post, path = "/api/v1/audit/tickets", tag = "audit", operation_id = "audit_ticket",
    request_body(content = TicketRecordRequest, example = json!({"code": "0731552890146663", "purpose": "claim"})),
    responses((status = 200, description = "The ticket", body = AuditTicketReply))
)]
pub(super) async fn ticket(
    By(app, caller, asked): By<TicketRecordRequest>,
) -> Reply<AuditTicketReply> {
    let purpose = purpose_of(&asked.purpose)?;
    look(move || {
        let device = Some(caller.device.device);
        let record = audit_record(&app, &caller.badge, device, &asked.code, purpose)?;
        Ok(reply_of(&app.central, record))
    })
    .await
}

/// `POST /api/v1/audit/remarks`: what the audit office remarks on a ticket.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RemarkRequest {
    /// Leaf index of the ticket.
    ticket: u64,
    /// The remark, 1 to 500 characters.
    text: String,
}

/// A remark of the audit office on a ticket. It stands in the ticket's life, and nothing follows
/// from it.
#[utoipa::path(
    post, path = "/api/v1/audit/remarks", tag = "audit", operation_id = "remark_ticket",
    request_body(content = RemarkRequest, example = json!({
        "ticket": 41, "text": "the patron was heard on 21 November"
    })),
    responses((status = 200, description = "Recorded", body = RecordedReply))
)]
pub(super) async fn remark(By(app, caller, asked): By<RemarkRequest>) -> Reply<RecordedReply> {
    command(async move || caller.remark(&app.central, asked.ticket, &asked.text).await).await
}

fn reply_of(central: &Central, record: AuditRecord) -> AuditTicketReply {
    AuditTicketReply {
        verdict: convert::verdict_view(&record.verdict, true),
        ticket: record.view,
        state: convert::ticket_state(&record.picture.ticket).into(),
        held: record.picture.held,
        presented_at_ms: record.picture.ticket.presented_at_ms(),
        life: record
            .facts
            .iter()
            .map(|fact| LifeFact {
                leaf: fact.leaf,
                kind: fact.event.kind().name().to_owned(),
                at_ms: fact.at_ms,
                by: who(central, &fact.event),
                detail: facts::detail(&fact.event),
                leaf_hash: hex::encode(fact.leaf_hash),
            })
            .collect(),
        draws: record.draws,
        recomputed_by: recomputed_by(),
        inclusion: record.inclusion,
        before: record.neighbours.0,
        after: record.neighbours.1,
        replay_of: record.replay_of,
        next: central
            .view
            .get()
            .next_open()
            .map(|draw| convert::draw_time(central, draw.number(), draw.draws_at_ms())),
    }
}
