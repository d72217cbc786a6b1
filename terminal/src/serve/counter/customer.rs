//! What the patron's screen shows: the slip in the making field for field, what became of it, and
//! the verdict of every inquiry.

use keno_wire::reply::{CheckReply, TicketDrawView, VerdictView};
use serde::Serialize;

use super::draft::DraftView;
use crate::agent::Fact;

/// What the patron's screen shows.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(in crate::serve) enum Customer {
    /// Nobody is served.
    #[default]
    Idle,
    /// A slip is being made.
    Draft {
        /// What it comes to.
        draft: Box<DraftView>,
    },
    /// It was sold.
    Sold {
        /// Price, in cents.
        total_cents: i64,
        /// Change.
        change_cents: i64,
        /// The last four digits of the control number.
        number_end: String,
    },
    /// A ticket was looked up.
    Verdict {
        /// What central says.
        verdict: VerdictView,
        /// What can be paid now, in cents.
        payable_cents: Option<i64>,
        /// It is paid at the main cage, and not here.
        for_the_cage: bool,
        /// Its draws.
        draws: Vec<TicketDrawView>,
        /// The last four digits of the control number, where central showed the ticket.
        number_end: Option<String>,
    },
    /// Prizes were paid.
    Paid {
        /// Cash handed over, in cents.
        cash_cents: i64,
        /// The last four digits of the control number.
        number_end: String,
        /// Draws of the ticket that are still to come.
        draws_left: u32,
    },
    /// A ticket was cancelled.
    Cancelled {
        /// Given back, in cents.
        handed_cents: i64,
        /// Change for a chip that comes back, in cents.
        change_cents: i64,
        /// The last four digits of the control number.
        number_end: String,
    },
}

fn end_of(number: &str) -> String {
    let digits: Vec<char> = number.chars().filter(char::is_ascii_digit).collect();
    digits.iter().rev().take(4).rev().collect()
}

fn verdict(check: &CheckReply) -> Customer {
    let ticket = check.ticket.as_ref();
    Customer::Verdict {
        verdict: check.verdict.clone(),
        payable_cents: check.payable_cents,
        for_the_cage: check.for_the_cage,
        draws: check.draws.clone(),
        number_end: ticket.map(|ticket| end_of(&ticket.control_number)),
    }
}

impl Customer {
    /// What the patron sees of a command; none when it is no business of theirs.
    pub(in crate::serve) fn of(fact: &Fact) -> Option<Self> {
        match fact {
            Fact::Sale { ticket } => Some(Self::Sold {
                total_cents: ticket.total_cents,
                change_cents: ticket.change_cents,
                number_end: end_of(&ticket.control_number),
            }),
            Fact::Check { check, .. } => Some(verdict(check)),
            Fact::Payment(reply) => Some(Self::Paid {
                cash_cents: reply.cash_cents,
                number_end: end_of(&reply.control_number),
                draws_left: reply.draws_left,
            }),
            Fact::Cancellation(reply) => Some(Self::Cancelled {
                handed_cents: reply.handed_cents(),
                change_cents: reply.change_cents,
                number_end: end_of(&reply.control_number),
            }),
            _ => None,
        }
    }

    /// What a slip in the making shows after what is shown now. An empty slip leaves what became
    /// of the last one on the screen until the next is begun.
    pub(in crate::serve) fn after(&self, draft: Option<DraftView>, is_next: bool) -> Self {
        match draft {
            Some(draft) if !draft.selections.is_empty() => Self::Draft {
                draft: Box::new(draft),
            },
            _ if is_next => Self::Idle,
            _ => match self {
                Self::Draft { .. } | Self::Verdict { .. } => Self::Idle,
                other => other.clone(),
            },
        }
    }
}
