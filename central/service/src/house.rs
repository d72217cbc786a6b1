//! The house: its rules, and what its supervisors see and answer.

pub(crate) mod approvals;
pub(crate) mod rule_changes;
pub(crate) mod rules;
pub(crate) mod supervision;

pub use approvals::{Approval, Approvals, Question, Standing};
pub use rule_changes::AmendmentPlan;
pub use rules::publish_rules;
pub use supervision::{Held, KeyEvidence, session_opened_ms};
