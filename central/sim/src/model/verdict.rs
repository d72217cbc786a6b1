//! What a patron must be told of a ticket, said again from the record alone.

use super::payments::Due;
use super::{Model, Stage, Standing};

/// A verdict: its stable name and, where it tells one, its amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    /// Stable name.
    pub name: &'static str,
    /// Amount in cents.
    pub cents: Option<i64>,
}

impl Model {
    /// The verdict on a ticket at a moment.
    pub fn verdict(&self, number: u64, now_ms: i64) -> Option<Verdict> {
        let ticket = self.tickets.get(&number)?;
        let name = |name| Some(Verdict { name, cents: None });
        let with = |name, cents| {
            Some(Verdict {
                name,
                cents: Some(cents),
            })
        };
        match ticket.standing {
            Standing::Cancelled => return name("cancelled"),
            Standing::Unpaid => return name("void_unpaid"),
            Standing::Sold => {}
        }
        if self.is_held(ticket, now_ms) {
            return name("in_doubt");
        }
        let (mut owed, mut has_prize, mut has_paid, mut has_expired) = (0, false, false, false);
        let (mut done, mut on_sale, mut between) = (0_u64, 0_u64, 0_u64);
        for draw in ticket.sold.first_draw..=ticket.sold.last_draw {
            match self.draws.get(&draw)?.stage {
                Stage::Settled | Stage::Void => done += 1,
                Stage::Scheduled | Stage::Open => on_sale += 1,
                _ => between += 1,
            }
            let due = self.due(number, ticket, draw);
            let (Due::Prize(cents) | Due::Refund(cents)) = due else {
                continue;
            };
            let is_prize = matches!(due, Due::Prize(_));
            if ticket.paid.contains_key(&draw) {
                has_paid = true;
            } else if self.claim_is_over(ticket, draw, now_ms) {
                has_expired = true;
            } else {
                owed += cents;
                has_prize |= is_prize;
            }
        }
        let (_, book) = self.books.get(&ticket.sold.rule_book)?;
        match () {
            () if owed > 0 && self.tier(number, ticket) >= book.cage_cents => {
                name("winner_at_cage")
            }
            () if owed > 0 && has_prize => with("winner", owed),
            () if owed > 0 => with("draw_cancelled", owed),
            () if between > 0 && (done == 0 || on_sale == 0) => name("draw_unofficial"),
            () if on_sale > 0 && done == 0 => name("not_yet_drawn"),
            () if on_sale > 0 => name("partly_drawn"),
            () if has_paid => name("already_paid"),
            () if has_expired => name("claim_expired"),
            () => name("not_winner"),
        }
    }
}
