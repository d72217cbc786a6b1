//! What was due, what was paid, once.

use keno_log::event::{ClaimPresented, PatronRefused, PaymentReversed, PrizePaid};

use super::damaged::{AFTERWARDS, AFTERWARDS_MS, BY_CODE, BY_FILE, BY_READING, BY_TYPING};
use super::tills::CASH;
use super::{DrawState, Payment, Replay, add};
use crate::tickets::Ticket;

/// Kind of a paid item: a prize.
const PRIZE: u8 = 1;
/// Why a holder is not paid: the price was given back, and no paper is made any more.
const MONEY_GIVEN_BACK: u8 = 4;
/// Kind of a paid item: the refund of a void draw.
const REFUND: u8 = 2;

impl Replay {
    /// Draws of a ticket are presented: each once, with numbers or void, and in time.
    pub(super) fn claim_presented(&mut self, body: &ClaimPresented) {
        let Some(ticket) = self.ticket_of(body.ticket) else {
            return;
        };
        let today = match body.presented_at_ms {
            None => Some(self.now.business_day),
            Some(at_ms) => self.calendar.and_then(|calendar| calendar.day(at_ms)),
        };
        let mut holds = !body.draws.is_empty() && self.is_presented_well(body);
        for draw in &body.draws {
            let found = self.draws.get(draw);
            let has_outcome =
                found.is_some_and(|it| it.balls.is_some() || it.state == DrawState::Void);
            let is_new = self.presented.insert((ticket.leaf, *draw));
            let in_time = today.is_some_and(|day| day <= self.claim_until(&ticket, *draw));
            // What is entered afterwards was drawn, or void, at that hour.
            let decided = self.draws.get(draw).and_then(|it| it.decided_at_ms);
            let had_outcome = body
                .presented_at_ms
                .is_none_or(|at_ms| decided.is_some_and(|it| it <= at_ms));
            holds &= had_outcome;
            holds &= ticket.covers(*draw) && has_outcome && is_new && in_time;
        }
        must!(self, holds => PresentationWrong, "ticket {}, draws {:?}", ticket.leaf, body.draws);
    }

    /// Whether the path of a presentation was open to it, and its moment is one.
    fn is_presented_well(&self, body: &ClaimPresented) -> bool {
        let is_now = body.presented_at_ms.is_none() && body.second.is_none();
        match body.path {
            BY_CODE | BY_TYPING => is_now,
            BY_READING => is_now && self.damaged.is_read(body.ticket),
            BY_FILE => is_now && self.damaged.is_filed(body.ticket),
            AFTERWARDS => {
                let latest = self.now.at_ms;
                let earliest = latest.saturating_sub(AFTERWARDS_MS);
                let is_then = |at_ms: i64| (earliest..=latest).contains(&at_ms);
                body.presented_at_ms.is_some_and(is_then) && body.second.is_some()
            }
            _ => false,
        }
    }

    /// The last day to claim what a draw of a ticket owes: that on the paper, or the claim period
    /// from the day on which the draw was decided, if later; and that after a silence.
    fn claim_until(&self, ticket: &Ticket, draw: u64) -> u32 {
        let decided = self.draws.get(&draw).and_then(|draw| draw.decided_at_ms);
        let book = self.books.get(ticket.terms.rule_book).map(|it| &it.book);
        let extended = match (self.calendar, decided, book) {
            (Some(calendar), Some(at_ms), Some(book)) => calendar.day_after(at_ms, book.claim_days),
            _ => None,
        };
        let day = extended.unwrap_or(0).max(ticket.terms.claim_by);
        day.max(self.silence_until(day))
    }

    /// A holder is not paid: two people pay the ticket from here on. Nothing ends that.
    pub(super) fn patron_refused(&mut self, body: &PatronRefused) {
        let Some(Ticket { withdrawn, .. }) = self.ticket_of(body.ticket) else {
            return;
        };
        must!(self, withdrawn == 0 => TicketWithdrawn, "by entry {withdrawn}");
        self.refused.insert(body.ticket);
        if body.reason == MONEY_GIVEN_BACK {
            self.given_back.insert(body.ticket);
        }
    }

    pub(super) fn prize_paid(&mut self, body: &PrizePaid) {
        self.use_key(body.key);
        let Some(ticket) = self.ticket_of(body.ticket) else {
            return;
        };
        must!(self, ticket.withdrawn == 0 => TicketWithdrawn, "by entry {}", ticket.withdrawn);
        let is_held = self.held.contains(&ticket.leaf);
        must!(self, !is_held => PaymentWhileHeld, "ticket {}", ticket.leaf);
        let mut sum = 0_i128;
        for item in &body.items {
            self.judge_item(&ticket, item.draw, item.kind, item.amount_cents);
            sum += i128::from(item.amount_cents);
        }
        let tender_fits = body.items.iter().all(|item| match item.kind {
            REFUND => body.tender == ticket.terms.tender,
            _ => body.tender == CASH,
        });
        let rounding = match body.tender {
            CASH => cash_rounding(body.total_cents),
            _ => 0,
        };
        let rounding_fits = body.rounding_cents == rounding;
        let whole = !body.items.is_empty() && sum == i128::from(body.total_cents);
        must!(self, whole && tender_fits && rounding_fits => PaymentTotal,
            "{} for items of {sum}, rounding {}, tender {}",
            body.total_cents, body.rounding_cents, body.tender);
        self.judge_path(body, &ticket);
        self.judge_people(body, &ticket);
        let today = self.now.business_day;
        let late = body.items.iter().find(|item| {
            !self.presented.contains(&(ticket.leaf, item.draw))
                && today > self.claim_until(&ticket, item.draw)
        });
        must!(self, late.is_none() => PaymentLate, "draw {}", late.map_or(0, |item| item.draw));
        let payment = Payment {
            ticket: body.ticket,
            shift: body.shift,
            items: body
                .items
                .iter()
                .map(|item| (item.draw, item.kind, item.amount_cents))
                .collect(),
            cash_cents: match body.tender {
                CASH => i128::from(body.total_cents) + i128::from(body.rounding_cents),
                _ => 0,
            },
            reversed: false,
        };
        let out_cents = -payment.cash_cents;
        self.through_till(body.shift, body.key.device, body.tender, out_cents);
        self.add_paid(&payment, 1);
        self.payments.insert(self.now.entry, payment);
    }

    fn judge_item(&mut self, ticket: &Ticket, draw: u64, kind: u8, amount_cents: i64) {
        let due = match kind {
            PRIZE => self.prize_due(ticket, draw),
            REFUND => self.refund_due(ticket, draw),
            _ => None,
        };
        match due {
            None | Some(0) => {
                find!(self => PaymentNotDue, "ticket {}, draw {draw}", ticket.leaf);
            }
            Some(due) if due != amount_cents => {
                find!(self => PaymentAmount, "{amount_cents} for {due}, draw {draw}");
            }
            Some(_) => {}
        }
        let is_first = self.paid.insert((ticket.leaf, draw));
        must!(self, is_first => PaymentTwice, "ticket {}, draw {draw}", ticket.leaf);
    }

    fn prize_due(&self, ticket: &Ticket, draw: u64) -> Option<i64> {
        if !ticket.covers(draw) {
            return None;
        }
        self.draws.get(&draw)?.payable_cents(ticket.leaf)
    }

    /// The wagers of a ticket for a void draw in its range.
    fn refund_due(&self, ticket: &Ticket, draw: u64) -> Option<i64> {
        let void = self.draws.get(&draw)?.state == DrawState::Void;
        (void && ticket.covers(draw)).then_some(ticket.terms.per_draw_cents)
    }

    /// All that a ticket was paid and still owes, in all its draws: what the limits of a payment
    /// are judged on.
    pub(super) fn tier_cents(&self, ticket: &Ticket) -> i128 {
        if ticket.terms.last_draw < ticket.terms.first_draw {
            return 0;
        }
        let draws = self
            .draws
            .range(ticket.terms.first_draw..=ticket.terms.last_draw);
        let owed = draws.map(|(_, draw)| match draw.state {
            DrawState::Void => ticket.terms.per_draw_cents,
            _ => draw.payable_cents(ticket.leaf).unwrap_or(0),
        });
        owed.map(i128::from).sum()
    }

    /// Payments of a ticket that comes to the limit of its rules or more, and of one whose holder
    /// was not paid once, are made by two. From another limit on it is
    /// the cage that pays.
    fn judge_people(&mut self, body: &PrizePaid, ticket: &Ticket) {
        let tier = self.tier_cents(ticket);
        let book = self.books.get(ticket.terms.rule_book).map(|it| &it.book);
        let is_large = book.is_some_and(|book| tier >= i128::from(book.second_person_cents));
        let is_for_cage = book.is_some_and(|book| tier >= i128::from(book.cage_cents));
        must!(self, !is_for_cage || self.is_of_the_cage(body.key.device) => PaymentPlace,
            "{tier} at device {}", body.key.device);
        let was_refused = self.refused.contains(&ticket.leaf);
        self.judge_followed(body.items.iter().map(|item| item.draw), is_large);
        let needed = is_large || was_refused;
        must!(self, !needed || body.second.is_some() => PaymentAlone, "{tier} by {}", body.badge);
    }

    fn add_paid(&mut self, payment: &Payment, sign: i64) {
        for (_, kind, amount_cents) in &payment.items {
            let sum = match *kind {
                REFUND => &mut self.totals.refunded_cents,
                _ => &mut self.totals.paid_cents,
            };
            add(sum, amount_cents.saturating_mul(sign));
        }
    }

    pub(super) fn payment_reversed(&mut self, body: &PaymentReversed) {
        let shift_open = self.is_till_open(body.shift);
        let matches = self.payments.get(&body.payment).is_some_and(|payment| {
            let same = (payment.ticket, payment.shift) == (body.ticket, body.shift);
            same && shift_open && !payment.reversed
        });
        if !matches {
            find!(self => ReversalWrong, "payment {}, ticket {}", body.payment, body.ticket);
            return;
        }
        let Some(mut payment) = self.payments.remove(&body.payment) else {
            return;
        };
        let cash_cents = payment.cash_cents;
        must!(self, i128::from(body.cash_cents) == cash_cents => ReversalAmount,
            "{} for {cash_cents}", body.cash_cents);
        for (draw, _, _) in &payment.items {
            self.paid.remove(&(payment.ticket, *draw));
        }
        self.add_paid(&payment, -1);
        self.back_through_till(body.shift, i128::from(body.cash_cents));
        payment.reversed = true;
        self.payments.insert(body.payment, payment);
    }

    /// What was owed, of which nothing was paid, and which can no longer be claimed on the day of the
    /// last entry: nobody records it, it follows from the day.
    pub(super) fn expired_cents(&self) -> i64 {
        let mut sum = 0;
        let lawful = |it: &Ticket| it.withdrawn == 0 && it.terms.first_draw <= it.terms.last_draw;
        for ticket in self.tickets.iter().filter(lawful) {
            for (number, draw) in self
                .draws
                .range(ticket.terms.first_draw..=ticket.terms.last_draw)
            {
                let owed = match draw.state {
                    DrawState::Void => ticket.terms.per_draw_cents,
                    _ => draw.payable_cents(ticket.leaf).unwrap_or(0),
                };
                let key = (ticket.leaf, *number);
                let ended = self.paid.contains(&key) || self.presented.contains(&key);
                if owed > 0 && !ended && self.now.business_day > self.claim_until(&ticket, *number)
                {
                    add(&mut sum, owed);
                }
            }
        }
        sum
    }
}

/// Cash is handed over in steps of five cents: what that adds to, or takes from, an amount.
#[must_use]
pub fn cash_rounding(cents: i64) -> i64 {
    match cents.rem_euclid(5) {
        1 => -1,
        2 => -2,
        3 => 2,
        4 => 1,
        _ => 0,
    }
}
