//! What central recorded for a key.

use keno_game::Tender;
use keno_wire::coded::Name;
use keno_wire::reply::{CancelReply, LostRefundReply, PayReply, SellReply, TillMovementReply};

use super::done::{Fact, without_claim_code};

/// A fact that central recorded for a key.
#[derive(Debug, Clone)]
pub(super) enum Recorded {
    Sale(Box<SellReply>),
    Cancellation(CancelReply),
    Payment(PayReply),
    TillMovement(TillMovementReply),
    LostRefund(LostRefundReply),
}

impl Recorded {
    /// Change, refund, prize or movement in cents.
    pub(super) const fn owed_cents(&self) -> i64 {
        match self {
            Self::Sale(reply) => reply.ticket.change_cents,
            Self::Cancellation(reply) => reply.handed_cents(),
            Self::Payment(reply) => reply.cash_cents,
            Self::TillMovement(reply) => reply.amount_cents,
            Self::LostRefund(reply) => reply.amount_cents,
        }
    }

    /// True when central had answered the key before.
    pub(super) const fn is_repeated(&self) -> bool {
        match self {
            Self::Sale(reply) => reply.repeated,
            Self::Cancellation(reply) => reply.repeated,
            Self::Payment(reply) => reply.repeated,
            Self::TillMovement(reply) => reply.repeated,
            Self::LostRefund(reply) => reply.repeated,
        }
    }

    /// What its cash is paid in.
    pub(super) const fn tender(&self) -> &Name<Tender> {
        match self {
            Self::Sale(reply) => &reply.ticket.tender,
            Self::Cancellation(reply) => &reply.tender,
            Self::Payment(reply) => &reply.tender,
            Self::TillMovement(_) => &Name::Known(Tender::Cash),
            Self::LostRefund(reply) => &reply.tender,
        }
    }

    /// The same as a page may have it.
    pub(super) fn shown(&self) -> Fact {
        match self {
            Self::Sale(reply) => Fact::Sale {
                ticket: without_claim_code(&reply.ticket),
            },
            Self::Cancellation(reply) => Fact::Cancellation(reply.clone()),
            Self::Payment(reply) => Fact::Payment(reply.clone()),
            Self::TillMovement(reply) => Fact::TillMovement(reply.clone()),
            Self::LostRefund(reply) => Fact::LostRefund(reply.clone()),
        }
    }

    pub(super) const fn leaf(&self) -> u64 {
        match self {
            Self::Sale(reply) => reply.ticket.ticket,
            Self::Cancellation(reply) => reply.leaf,
            Self::Payment(reply) => reply.payment,
            Self::TillMovement(reply) => reply.movement,
            Self::LostRefund(reply) => reply.leaf,
        }
    }
}
