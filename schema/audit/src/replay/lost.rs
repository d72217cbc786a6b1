//! Refunds of tickets whose record a restore lost (`RULES.md`, "Lost tickets").

use keno_log::event::LostTicketRefunded;

use super::sales::half;
use super::{Replay, add};
use crate::rule_book::RuleBook;

impl Replay {
    pub(super) fn lost_ticket_refunded(&mut self, body: &LostTicketRefunded) {
        self.use_key(body.key);
        let back_cents = -i128::from(body.amount_cents);
        self.through_till(body.shift, body.key.device, body.tender, back_cents);
        let was_lost = self.was_lost(body);
        must!(self, was_lost => LostTicketEpoch,
            "of epoch {}, at {} leaves", body.sold_epoch, body.paper_size);
        let control = half(&body.control_hash);
        let is_known = self.controls.contains(&control);
        must!(self, !is_known => LostTicketKnown);
        let is_first = self.lost_controls.insert(control);
        must!(self, is_first => LostTicketTwice);
        let dearest = self.books.dearest_cents();
        let is_accepted = self.books.accepts(body.tender);
        let is_price = (1..=dearest).contains(&i128::from(body.amount_cents));
        must!(self, is_price && is_accepted => LostTicketAmount,
            "{} of at most {dearest}, tender {}", body.amount_cents, body.tender);
        add(&mut self.totals.lost_refunded_cents, body.amount_cents);
    }

    /// The epoch in which the ticket was sold has ended and lost something: as far as was known
    /// when the next one was opened, or as the paper shows.
    fn was_lost(&self, body: &LostTicketRefunded) -> bool {
        let ended_it = self.epoch_above(body.sold_epoch);
        body.sold_epoch > 0
            && ended_it
                .is_some_and(|opened| opened.lost_size.max(body.paper_size) > opened.continues_size)
    }
}

/// The most that a ticket can cost by a book: every draw, every selection, every way, at the
/// highest wager. Wider than any figure.
pub(super) fn dearest_ticket_cents(book: &RuleBook) -> i128 {
    let games = book.games.iter().map(|game| {
        let ways = if game.has_ways() { book.ways_max } else { 1 };
        i128::from(ways) * i128::from(game.max_cents)
    });
    let selection = games.max().unwrap_or(0);
    i128::from(book.draws_max) * i128::from(book.selections_max) * selection
}
