//! What a ticket leaves in memory beside its wagers: the answer to its key, and the cash.

use keno_game::Tender;
use keno_log::event::{LostTicketRefunded, PrizePaid, TicketCancelled, TicketSold, TicketUnpaid};

use super::{KeyKind, State, Undo};
use crate::fault::Fault;
use crate::planted::{Plant, planted};

impl State {
    pub(super) fn sell(
        &mut self,
        leaf: u64,
        body: &TicketSold,
        undo: &mut Vec<Undo>,
    ) -> Result<(), Fault> {
        self.add_ticket(leaf, body, undo)?;
        self.answer_key(body.key, KeyKind::Sale, body.content_hash, leaf, undo);
        if body.tender == Tender::Cash {
            self.move_till(body.shift, body.total_cents, undo);
        }
        Ok(())
    }

    pub(super) fn cancel(
        &mut self,
        leaf: u64,
        body: &TicketCancelled,
        sold: &TicketSold,
        undo: &mut Vec<Undo>,
    ) -> Result<(), Fault> {
        self.withdraw_ticket(body.ticket, sold, undo)?;
        let hash = body.content_hash;
        self.answer_key(body.key, KeyKind::Cancellation, hash, leaf, undo);
        if body.tender == Tender::Cash || planted(Plant::ChipAsCash) {
            self.move_till(body.shift, -body.refund_cents, undo);
        }
        Ok(())
    }

    /// The patron did not pay what was sold.
    pub(super) fn take_unpaid(
        &mut self,
        body: &TicketUnpaid,
        sold: &TicketSold,
        undo: &mut Vec<Undo>,
    ) -> Result<(), Fault> {
        self.withdraw_ticket(body.ticket, sold, undo)?;
        if sold.tender == Tender::Cash {
            self.move_till(sold.shift, -body.amount_cents, undo);
        }
        Ok(())
    }

    pub(super) fn pay(&mut self, leaf: u64, body: &PrizePaid, undo: &mut Vec<Undo>) {
        self.answer_key(body.key, KeyKind::Payment, body.content_hash, leaf, undo);
        if body.tender == Tender::Cash {
            self.move_till(body.shift, -(body.total_cents + body.rounding_cents), undo);
        }
    }

    pub(super) fn refund_lost(
        &mut self,
        leaf: u64,
        body: &LostTicketRefunded,
        undo: &mut Vec<Undo>,
    ) {
        let hash = body.content_hash;
        self.answer_key(body.key, KeyKind::LostRefund, hash, leaf, undo);
        let before = self.lost_refunds.insert(body.control_hash, leaf);
        undo.push(Undo::LostRefund(body.control_hash, before));
        if body.tender == Tender::Cash {
            self.move_till(body.shift, -body.amount_cents, undo);
        }
    }
}
