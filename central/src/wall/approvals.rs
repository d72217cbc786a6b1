//! Between a question to the supervisors as it travels and as the service judges it.

use keno_log::Hash;
use keno_service::authority::Operation;
use keno_service::counter::{ContentHash, Paper};
use keno_service::house::Approval;
use keno_service::{Central, Fault};
use keno_wire::amendment::ApprovalAmendment;
use keno_wire::request::TillMovementKind;
use keno_wire::wall::{ApprovalContent, ApprovalTicket, ApprovalView};

/// What supervisors are shown of a question beside what the service knows of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shown {
    /// Which way cash goes, of a till movement.
    pub kind: Option<TillMovementKind>,
    /// The change of the rules that it is about.
    pub amendment: Option<ApprovalAmendment>,
}

/// What is to be approved, and the stable name of its command.
pub const fn operation_of(content: &ApprovalContent) -> (Operation, &'static str) {
    match content {
        ApprovalContent::Payment { .. } => (Operation::Pay, "payment"),
        ApprovalContent::TillMovement { .. } => (Operation::MoveTill, "till_movement"),
        ApprovalContent::TillCount { .. } => (Operation::CountTill, "till_count"),
        ApprovalContent::Duplicate { .. } => (Operation::Duplicate, "duplicate"),
        ApprovalContent::Unpaid { .. } => (Operation::MarkUnpaid, "unpaid"),
        ApprovalContent::Release { .. } => (Operation::Release, "release"),
        ApprovalContent::Reversal { .. } => (Operation::ReversePayment, "reversal"),
        ApprovalContent::LostRefund { .. } => (Operation::RefundLost, "lost_refund"),
        ApprovalContent::TakeOver { .. } => (Operation::TakeOver, "take_over"),
        ApprovalContent::RulesAmendment { .. } => (Operation::AmendRules, "rules_amendment"),
    }
}

/// Hash of what is asked. It is compared while central runs and kept nowhere, so that the order in
/// which its text has the fields is nobody's affair.
///
/// # Errors
/// A fault when it cannot be written as text.
pub fn content_hash(content: &ApprovalContent) -> Result<Hash, Fault> {
    let text = serde_json::to_string(content)
        .map_err(|_| Fault::Record("what is to be approved cannot be written".to_owned()))?;
    Ok(ContentHash::of("approval").text(&text).finish())
}

/// Stable name of which way cash goes.
const fn kind_name(kind: TillMovementKind) -> &'static str {
    match kind {
        TillMovementKind::Fill => "fill",
        TillMovementKind::Drop => "drop",
    }
}

/// A question as supervisors, and whoever asked it, see it.
pub fn approval_view(central: &Central, approval: Approval<Shown>) -> ApprovalView {
    let (asked, answer) = (approval.asked, approval.answer);
    ApprovalView {
        id: approval.id,
        what: asked.what.to_owned(),
        kind: asked.shown.kind.map(|kind| kind_name(kind).to_owned()),
        state: approval.standing.to_owned(),
        by: asked.by,
        device: asked.device,
        name: asked.name,
        ticket: asked.ticket.map(|row| ApprovalTicket {
            ticket: row.number,
            number: Paper::control_number(central, &row).masked(),
            first_draw: row.first_draw,
            last_draw: row.last_draw,
            total_cents: row.total_cents,
        }),
        amendment: asked.shown.amendment,
        amount_cents: asked.amount_cents,
        rule: asked.rule.to_owned(),
        reason: asked.reason,
        age_ms: approval.age_ms,
        answered_by: answer.as_ref().map(|answer| answer.by.clone()),
        refusal: answer.and_then(|answer| answer.refusal),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_that_differ_anywhere_have_other_hashes() {
        let duplicate = |code: &str, reason: &str| {
            content_hash(&ApprovalContent::Duplicate {
                code: code.to_owned(),
                reason: reason.to_owned(),
            })
            .unwrap()
        };
        assert_eq!(duplicate("1", "23"), duplicate("1", "23"));
        assert_ne!(duplicate("1", "23"), duplicate("12", "3"));
        let unpaid = content_hash(&ApprovalContent::Unpaid {
            code: "1".to_owned(),
        });
        assert_ne!(duplicate("1", ""), unpaid.unwrap());
    }
}
