//! The house: its rules, and what its supervisors see and answer.

pub(crate) mod approvals;
pub(crate) mod rule_changes;
pub(crate) mod rules;
pub(crate) mod supervision;

pub use approvals::{Approval, Approvals, Question, Standing};
pub use rule_changes::{AmendmentPlan, first_draws};
pub use rules::publish_rules;
pub use supervision::{
    Held, KeyEvidence, held_tickets, key_evidence, last_sale, session_opened_ms,
};
