//! What unpaid, lost and damaged tickets leave in memory beside their wagers, keys and cash.

use keno_game::Tender;
use keno_log::event::{FileJudged, LostTicketRefunded, TicketCancelled, TicketSold, TicketUnpaid};

use super::{State, Undo};
use crate::fault::Fault;

impl State {
    /// A sale is undone: a chip goes back whole, and its change comes back.
    pub(super) fn take_cancelled(
        &mut self,
        body: &TicketCancelled,
        sold: &TicketSold,
        undo: &mut Vec<Undo>,
    ) -> Result<(), Fault> {
        self.withdraw_ticket(body.ticket, sold, undo)?;
        if sold.chip_change_cents != 0 {
            self.move_till(body.shift, sold.chip_change_cents, undo);
        }
        Ok(())
    }

    /// The patron did not pay what was sold: whose cash that was is in the sale.
    pub(super) fn take_unpaid(
        &mut self,
        body: &TicketUnpaid,
        sold: &TicketSold,
        undo: &mut Vec<Undo>,
    ) -> Result<(), Fault> {
        self.withdraw_ticket(body.ticket, sold, undo)?;
        // What was not received is not there; nor was change given for it.
        let cash = if sold.tender == Tender::Cash {
            body.amount_cents
        } else {
            0
        };
        let cents = sold.chip_change_cents - cash;
        if cents != 0 {
            self.move_till(sold.shift, cents, undo);
        }
        Ok(())
    }

    pub(super) fn judge_file(&mut self, leaf: u64, body: &FileJudged, undo: &mut Vec<Undo>) {
        let before = self.judged_files.insert(body.file, leaf);
        undo.push(Undo::JudgedFile(body.file, before));
    }

    pub(super) fn refund_lost(
        &mut self,
        leaf: u64,
        body: &LostTicketRefunded,
        undo: &mut Vec<Undo>,
    ) {
        let place = (body.sold_epoch, body.lost_leaf);
        let before = self.lost_refunds.insert(place, leaf);
        undo.push(Undo::LostRefund(place, before));
    }
}
