//! Between a question to the supervisors as it travels and as the service judges it.

use keno_log::Hash;
use keno_service::authority::Operation;
use keno_service::authority::identity::Caller;
use keno_service::counter::{ContentHash, Paper};
use keno_service::house::{Approval, Standing};
use keno_service::{Central, Fault};
use keno_wire::amendment::ApprovalAmendment;
use keno_wire::coded::{ApprovalRule, ApprovalState, Approved};
use keno_wire::request::TillMovementKind;
use keno_wire::wall::{ApprovalContent, ApprovalTicket, ApprovalView};

/// What supervisors are shown of a question beside what the service knows of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// What is to be approved.
    pub what: Approved,
    /// Which way cash goes, of a till movement.
    pub kind: Option<TillMovementKind>,
    /// The change of the rules that it is about.
    pub amendment: Option<ApprovalAmendment>,
}

impl Shown {
    /// A question in which nothing is shown but what it is about.
    pub const fn of(what: Approved) -> Self {
        Self {
            what,
            kind: None,
            amendment: None,
        }
    }
}

/// What is to be approved, as the table of authority has it and as it travels.
pub const fn operation_of(content: &ApprovalContent) -> (Operation, Approved) {
    match content {
        ApprovalContent::Payment { .. } => (Operation::Pay, Approved::Payment),
        ApprovalContent::Cancellation { .. } => (Operation::Cancel, Approved::Cancellation),
        ApprovalContent::TillMovement { .. } => (Operation::MoveTill, Approved::TillMovement),
        ApprovalContent::TillCount { .. } => (Operation::CountTill, Approved::TillCount),
        ApprovalContent::Duplicate { .. } => (Operation::Duplicate, Approved::Duplicate),
        ApprovalContent::Unpaid { .. } => (Operation::MarkUnpaid, Approved::Unpaid),
        ApprovalContent::Release { .. } => (Operation::Release, Approved::Release),
        ApprovalContent::Reversal { .. } => (Operation::ReversePayment, Approved::Reversal),
        ApprovalContent::LostRefund { .. } => (Operation::RefundLost, Approved::LostRefund),
        ApprovalContent::TakeOver { .. } => (Operation::TakeOver, Approved::TakeOver),
        ApprovalContent::RulesAmendment { .. } => (Operation::AmendRules, Approved::RulesAmendment),
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

const fn state(standing: Standing) -> ApprovalState {
    match standing {
        Standing::Waiting => ApprovalState::Waiting,
        Standing::Granted => ApprovalState::Granted,
        Standing::Refused => ApprovalState::Refused,
        Standing::Used => ApprovalState::Used,
        Standing::Expired => ApprovalState::Expired,
    }
}

const fn rule(what: Approved, is_refused: bool) -> ApprovalRule {
    match what {
        Approved::Payment if is_refused => ApprovalRule::PatronRefused,
        Approved::Payment => ApprovalRule::PayoutLimit,
        Approved::Cancellation => ApprovalRule::CancelLimit,
        _ => ApprovalRule::AlwaysByTwo,
    }
}

/// A question as a caller sees it: who may not answer it knows what they asked, and a leaf or a
/// payment that somebody names tells them nothing of its ticket.
pub fn approval_for(caller: &Caller, central: &Central, approval: Approval<Shown>) -> ApprovalView {
    let view = approval_view(central, approval);
    match caller.may(Operation::AnswerApproval) {
        Ok(()) => view,
        Err(_) => ApprovalView {
            ticket: None,
            amount_cents: None,
            ..view
        },
    }
}

/// A question as supervisors see it.
pub fn approval_view(central: &Central, approval: Approval<Shown>) -> ApprovalView {
    let (asked, answer) = (approval.asked, approval.answer);
    let rule = rule(asked.shown.what, asked.is_refused);
    ApprovalView {
        id: approval.id,
        what: asked.shown.what.into(),
        kind: asked.shown.kind,
        state: state(approval.standing).into(),
        by: asked.by,
        device: asked.device,
        name: asked.name,
        ticket: asked.ticket.map(|ticket| ApprovalTicket {
            ticket: ticket.number,
            number: Paper::control_number(central, ticket.number).masked(),
            first_draw: ticket.first_draw,
            last_draw: ticket.last_draw,
            total_cents: ticket.sale.total_cents,
        }),
        amendment: asked.shown.amendment,
        amount_cents: asked.amount_cents,
        rule: rule.into(),
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
