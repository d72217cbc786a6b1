//! Refunds of tickets whose record a restore lost (`RULES.md`, "Lost tickets").

use keno_log::event::LostTicketRefunded;

use super::{Replay, add};
use crate::rule_book::RuleBook;

impl Replay {
    pub(super) fn lost_ticket_refunded(&mut self, body: &LostTicketRefunded) {
        self.use_key(body.key);
        let back_cents = -i128::from(body.amount_cents);
        self.through_till(body.shift, body.key.device, body.tender, back_cents);
        let was_lost = self.was_lost(body);
        must!(self, was_lost => LostTicketEpoch,
            "leaf {} of epoch {}", body.lost_leaf, body.sold_epoch);
        let is_first = self.lost_tickets.insert((body.sold_epoch, body.lost_leaf));
        must!(self, is_first => LostTicketTwice);
        let dearest = self.books.dearest_cents();
        let is_accepted = self.books.accepts(body.tender);
        let is_price = (1..=dearest).contains(&i128::from(body.amount_cents));
        must!(self, is_price && is_accepted => LostTicketAmount,
            "{} of at most {dearest}, tender {}", body.amount_cents, body.tender);
        add(&mut self.totals.lost_refunded_cents, body.amount_cents);
    }

    /// The epoch in which the ticket was sold has ended, and lost its leaf.
    fn was_lost(&self, body: &LostTicketRefunded) -> bool {
        let ended_it = self.epoch_above(body.sold_epoch);
        body.sold_epoch > 0
            && ended_it.is_some_and(|opened| body.lost_leaf >= opened.continues_size)
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
