//! Tickets: sold, withdrawn, copied; and command keys.

use keno_log::CommandKey;
use keno_log::event::{
    KeyClosed, PrintConfirmed, TicketCancelled, TicketDuplicated, TicketSold, TicketUnpaid,
};

use super::damaged::{ON_CODE, ON_FILE, ON_UNCONFIRMED};
use super::keys::KeyEnd;
use super::tills::{CASH, CHIP};
use super::{DrawState, Replay, add};
use crate::finding::FindingCode;
use crate::rule_book::{CANCEL_ALONE_CENTS, CHIP_CHANGE_CENTS};
use crate::ticket::{Unlawful, Wagers, judge};
use crate::tickets::{Seller, Terms, Ticket};

impl Replay {
    pub(super) fn ticket_sold(&mut self, body: &TicketSold) {
        self.use_key(body.key);
        let price_cents = i128::from(body.total_cents);
        self.through_till(body.shift, body.key.device, body.tender, price_cents);
        self.back_through_till(body.shift, -i128::from(body.chip_change_cents));
        if self.sales_suspended {
            find!(self => TicketWhileSuspended);
        }
        if let Err((code, detail)) = self.judge_draws(body) {
            self.find(code, detail);
        }
        if let Some(first) = body.replay_of {
            self.ticket_named(first);
        }
        let wagers = match self.judge_wagers(body) {
            Ok(wagers) => wagers,
            Err((code, detail)) => {
                self.find(code, detail);
                Wagers::None
            }
        };
        if let Err((code, detail)) = self.judge_reach(body) {
            self.find(code, detail);
        }
        self.judge_change(body);
        if body.chip_change_cents != 0 {
            self.chip_changes
                .insert(self.now.entry, body.chip_change_cents);
        }
        self.keep_ticket(body, wagers);
    }

    /// Change for a chip is what was received above the price, up to the limit; a record of before
    /// does not say it.
    fn judge_change(&mut self, body: &TicketSold) {
        let book = self.books.get(body.rule_book).map(|it| &it.book);
        let limit = book.and_then(|book| book.chip_change_cents);
        let change = body.received_cents.saturating_sub(body.total_cents);
        let holds = match body.tender {
            CHIP if body.chip_change_cents == 0 && limit.is_none() => true,
            CHIP => {
                body.chip_change_cents == change && change <= limit.unwrap_or(CHIP_CHANGE_CENTS)
            }
            _ => body.chip_change_cents == 0,
        };
        must!(self, holds => TicketChange, "{} of {change}", body.chip_change_cents);
    }

    /// Every draw of the ticket takes wagers, on the terms that the ticket says.
    fn judge_draws(&self, body: &TicketSold) -> Result<(), Unlawful> {
        // A range too long to be followed is found when the ticket is judged.
        for number in (body.first_draw..=body.last_draw).take(crate::ticket::DRAWS_MAX as usize) {
            let detail = || format!("draw {number}");
            let Some(draw) = self.draws.get(&number) else {
                return Err((FindingCode::TicketDrawNotOpen, detail()));
            };
            match draw.state {
                DrawState::Open => {}
                DrawState::Scheduled | DrawState::Void => {
                    return Err((FindingCode::TicketDrawNotOpen, detail()));
                }
                _ => return Err((FindingCode::TicketAfterClose, detail())),
            }
            if draw.cap.cap_cents != body.cap_cents {
                return Err((FindingCode::TicketCap, detail()));
            }
        }
        Ok(())
    }

    /// How far ahead the ticket begins, and until when it may be claimed: by the rules of its
    /// own version, or of none that is known.
    fn judge_reach(&self, body: &TicketSold) -> Result<(), Unlawful> {
        let Some(published) = self.books.get(body.rule_book) else {
            return Ok(());
        };
        let from = self.finished_through.saturating_add(1);
        let lowest = self.open_draws.range(from..).next();
        if let Some(lowest) = lowest
            && body.first_draw > lowest.saturating_add(published.book.draws_ahead_max)
        {
            let detail = format!("draw {} from draw {lowest}", body.first_draw);
            return Err((FindingCode::TicketLimits, detail));
        }
        let (Some(calendar), Some(last)) = (self.calendar, self.draws.get(&body.last_draw)) else {
            return Ok(());
        };
        let from_ms = last.draws_at_ms.max(self.now.at_ms);
        let claim_by = calendar.day_after(from_ms, published.book.claim_days);
        if claim_by == Some(body.claim_by) {
            return Ok(());
        }
        let detail = format!("{} for {}", body.claim_by, claim_by.unwrap_or(0));
        Err((FindingCode::TicketClaimBy, detail))
    }

    fn judge_wagers(&self, body: &TicketSold) -> Result<Wagers, Unlawful> {
        match self.book_of_draw(body.first_draw) {
            Some((version, published)) if version == body.rule_book => judge(body, &published.book),
            found => {
                let in_force = found.map_or(0, |(version, _)| version);
                let detail = format!("version {}, in force {in_force}", body.rule_book);
                Err((FindingCode::TicketRuleBook, detail))
            }
        }
    }

    fn keep_ticket(&mut self, body: &TicketSold, wagers: Wagers) {
        let badge = self.badge_number(&body.badge);
        let entry = self.now.entry;
        // A range that ends before it begins holds no draw.
        if body.first_draw <= body.last_draw {
            for (_, draw) in self.draws.range_mut(body.first_draw..=body.last_draw) {
                draw.first_wager.get_or_insert(entry);
            }
        }
        let terms = Terms {
            first_draw: body.first_draw,
            last_draw: body.last_draw,
            per_draw_cents: body.per_draw_cents,
            total_cents: body.total_cents,
            rule_book: body.rule_book,
            claim_by: body.claim_by,
            selections: u32::try_from(body.selections.len()).unwrap_or(u32::MAX),
            tender: body.tender,
        };
        let seller = Seller {
            badge,
            device: body.key.device,
            shift: body.shift,
        };
        let place = self.tickets.push(entry, terms, seller, wagers);
        self.live.entry(body.last_draw).or_default().push(place);
        self.totals.tickets += 1;
        add(&mut self.totals.sold_cents, body.total_cents);
    }

    pub(super) fn ticket_cancelled(&mut self, body: &TicketCancelled) {
        self.use_key(body.key);
        let back_cents = -i128::from(body.refund_cents);
        self.through_till(body.shift, body.key.device, body.tender, back_cents);
        let change = self.chip_changes.get(&body.ticket).copied().unwrap_or(0);
        self.back_through_till(body.shift, i128::from(change));
        let Some(ticket) = self.standing_ticket(body.ticket, body.first_draw) else {
            return;
        };
        let first = self.draws.get(&ticket.terms.first_draw);
        let open = first.is_some_and(|draw| draw.state == DrawState::Open);
        must!(self, open => CancelAfterClose, "draw {}", ticket.terms.first_draw);
        let as_sold =
            (body.refund_cents, body.tender) == (ticket.terms.total_cents, ticket.terms.tender);
        must!(self, as_sold => CancelAmount, "{} for {}", body.refund_cents, ticket.terms.total_cents);
        self.judge_cancelling(body, &ticket);
        self.tickets.withdraw(ticket.place, self.now.entry);
        add(&mut self.totals.cancelled_cents, body.refund_cents);
    }

    /// On what a ticket is cancelled, and by how many. A record of before does not say it: under
    /// rules that have the limit there is none.
    fn judge_cancelling(&mut self, body: &TicketCancelled, ticket: &Ticket) {
        let book = self.books.get(ticket.terms.rule_book).map(|it| &it.book);
        let limit = book.and_then(|book| book.cancel_alone_cents);
        let is_given_back = self.given_back.contains(&body.ticket);
        let is_of_before = body.on == 0 && limit.is_none() && body.second.is_none();
        let holds = match body.on {
            0 => is_of_before,
            ON_CODE => !is_given_back,
            ON_UNCONFIRMED => ticket.confirmed != ticket.copy && !is_given_back,
            _ => false,
        };
        must!(self, holds => CancelWithoutPaper, "on {} of copy {}", body.on, ticket.copy);
        let most = limit.unwrap_or(CANCEL_ALONE_CENTS);
        let is_small = ticket.terms.total_cents <= most && body.on != ON_UNCONFIRMED;
        must!(self, is_small || is_of_before || body.second.is_some() => CancelAlone,
            "{} by {}", ticket.terms.total_cents, body.badge);
    }

    pub(super) fn ticket_unpaid(&mut self, body: &TicketUnpaid) {
        let Some(ticket) = self.standing_ticket(body.ticket, body.first_draw) else {
            return;
        };
        let first = self.draws.get(&ticket.terms.first_draw);
        // Once the machine has had the seal a number may exist, even if the draw was suspended
        // and resumed since; and a later draw of the ticket may come before its first.
        let waits =
            first.is_some_and(|draw| matches!(draw.state, DrawState::Open | DrawState::Closed));
        let from_first = self.draws.range(ticket.terms.first_draw..);
        let mut range = from_first.take_while(|(number, _)| **number <= ticket.terms.last_draw);
        let before_start = waits && range.all(|(_, draw)| draw.rule_book_hash.is_none());
        must!(self, before_start => UnpaidAfterBall, "draw {}", ticket.terms.first_draw);
        let whole = body.amount_cents == ticket.terms.total_cents;
        must!(self, whole => UnpaidAmount, "{} for {}", body.amount_cents, ticket.terms.total_cents);
        let holds = match body.on {
            ON_CODE => true,
            ON_UNCONFIRMED => ticket.confirmed != ticket.copy,
            _ => false,
        };
        must!(self, holds => UnpaidWithoutPaper, "on {} of copy {}", body.on, ticket.copy);
        self.tickets.withdraw(ticket.place, self.now.entry);
        if ticket.terms.tender == CASH {
            self.back_through_till(ticket.seller.shift, -i128::from(body.amount_cents));
        }
        let change = self.chip_changes.get(&body.ticket).copied().unwrap_or(0);
        self.back_through_till(ticket.seller.shift, i128::from(change));
        add(&mut self.totals.unpaid_cents, body.amount_cents);
    }

    /// A ticket that is not withdrawn, whose first draw is the one named.
    fn standing_ticket(&mut self, leaf: u64, first_draw: u64) -> Option<Ticket> {
        let ticket = self.ticket_of(leaf)?;
        let (first, last) = (ticket.terms.first_draw, ticket.terms.last_draw);
        must!(self, first == first_draw => TicketUnknown,
            "the first draw of ticket {leaf} is {first}");
        let is_standing = ticket.withdrawn == 0;
        must!(self, is_standing => TicketWithdrawn, "by entry {}", ticket.withdrawn);
        // The whole wager is given back: no part of it may have been before.
        let mut of_ticket = self.paid.range((leaf, first)..=(leaf, last.max(first)));
        let paid = of_ticket.next().map(|(_, draw)| *draw);
        must!(self, paid.is_none() => WithdrawnPaid, "draw {}", paid.unwrap_or(0));
        is_standing.then_some(ticket)
    }

    pub(super) fn ticket_named(&mut self, leaf: u64) {
        self.ticket_of(leaf);
    }

    pub(super) fn ticket_duplicated(&mut self, body: &TicketDuplicated) {
        let Some(ticket) = self.ticket_of(body.ticket) else {
            return;
        };
        let before = ticket.copy;
        self.tickets.set_copy(ticket.place, body.copy);
        let book = self.books.get(ticket.terms.rule_book);
        let most = book.map_or(u8::MAX, |it| it.book.copies_max);
        let follows = before.checked_add(1) == Some(body.copy) && body.copy <= most;
        must!(self, follows => CopyWrong, "{} after {before}", body.copy);
        let is_given_back = self.given_back.contains(&body.ticket);
        let holds = match body.on {
            ON_CODE => true,
            ON_UNCONFIRMED => ticket.confirmed != before && !is_given_back,
            ON_FILE => self.damaged.is_granted(body.ticket) && !is_given_back,
            _ => false,
        };
        must!(self, holds => DuplicateWithoutPaper, "on {} of copy {before}", body.on);
    }

    pub(super) fn print_confirmed(&mut self, body: &PrintConfirmed) {
        let Some(ticket) = self.ticket_of(body.ticket) else {
            return;
        };
        if ticket.copy == body.copy {
            self.tickets.confirm(ticket.place, body.copy);
        }
        must!(self, ticket.copy == body.copy => CopyWrong, "{} of {}", body.copy, ticket.copy);
    }

    /// A payment is held, or a ticket released from every hold.
    pub(super) fn ticket_held(&mut self, leaf: u64, held: bool) {
        self.ticket_named(leaf);
        if held {
            self.held.insert(leaf);
        } else {
            self.held.remove(&leaf);
        }
    }

    /// A key has one outcome, in an open session of its device, and none once it is closed.
    pub(super) fn use_key(&mut self, key: CommandKey) {
        let session = self.sessions.get(&key.session);
        let of_device = session.is_some_and(|it| it.device == key.device && self.is_open(it));
        must!(self, of_device => SessionWrong, "{}", describe(key));
        match self.keys.end_of(&key) {
            None => self.keys.answer(&key),
            Some(KeyEnd::Outcome) => find!(self => KeyRepeated, "{}", describe(key)),
            Some(KeyEnd::Closed) => find!(self => KeyClosed, "{}", describe(key)),
        }
    }

    pub(super) fn key_closed(&mut self, body: &KeyClosed) {
        let before = self.keys.end_of(&body.key);
        self.keys.close(&body.key);
        must!(self, before.is_none() => KeyRepeated, "{}", describe(body.key));
    }
}

fn describe(key: CommandKey) -> String {
    format!(
        "device {}, session {}, counter {}",
        key.device, key.session, key.counter
    )
}
