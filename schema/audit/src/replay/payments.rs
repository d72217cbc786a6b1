//! What was due, what was paid, once.

use keno_log::event::{ClaimPresented, PatronRefused, PaymentReversed, PrizePaid, PrizesExpired};

use super::tills::CASH;
use super::{DrawState, DueEnd, Payment, Replay};
use crate::finding::FindingCode;
use crate::ticket::Ticket;

/// Kind of a paid item: a prize.
const PRIZE: u8 = 1;
/// Kind of a paid item: the refund of a void draw.
const REFUND: u8 = 2;
/// Path of a payment: by control number, supervised (s. 83).
const SUPERVISED: u8 = 2;

impl Replay {
    pub(super) fn claim_presented(&mut self, body: &ClaimPresented) {
        let day = self.now.business_day;
        let Some(place) = self.known_ticket(body.ticket) else {
            return;
        };
        if let Some(ticket) = self.tickets.get_mut(place)
            && ticket.presented == 0
        {
            ticket.presented = day;
        }
    }

    /// A holder is not paid: two people pay the ticket from here on. Nothing ends that.
    pub(super) fn patron_refused(&mut self, body: &PatronRefused) {
        let Some(place) = self.known_ticket(body.ticket) else {
            return;
        };
        let withdrawn = self.tickets.get(place).map_or(0, |ticket| ticket.withdrawn);
        self.expect_that(withdrawn == 0, FindingCode::TicketWithdrawn, || {
            format!("by entry {withdrawn}")
        });
        self.refused.insert(body.ticket);
    }

    pub(super) fn prize_paid(&mut self, body: &PrizePaid) {
        self.use_key(body.key);
        let Some(place) = self.known_ticket(body.ticket) else {
            return;
        };
        let Some(ticket) = self.tickets.get(place).cloned() else {
            return;
        };
        self.expect_that(ticket.withdrawn == 0, FindingCode::TicketWithdrawn, || {
            format!("by entry {}", ticket.withdrawn)
        });
        let is_held = self.held.contains(&ticket.leaf);
        self.expect_that(!is_held, FindingCode::PaymentWhileHeld, || {
            format!("ticket {}", ticket.leaf)
        });
        let mut sum = 0_i128;
        for item in &body.items {
            self.judge_item(&ticket, item.draw, item.kind, item.amount_cents);
            sum += i128::from(item.amount_cents);
        }
        let tender_fits = body.items.iter().all(|item| match item.kind {
            REFUND => body.tender == ticket.tender,
            _ => body.tender == CASH,
        });
        let rounding = match body.tender {
            CASH => cash_rounding(body.total_cents),
            _ => 0,
        };
        let rounding_fits = body.rounding_cents == rounding;
        let whole = !body.items.is_empty() && sum == i128::from(body.total_cents);
        self.expect_that(
            whole && tender_fits && rounding_fits,
            FindingCode::PaymentTotal,
            || {
                format!(
                    "{} for items of {sum}, rounding {}, tender {}",
                    body.total_cents, body.rounding_cents, body.tender
                )
            },
        );
        self.judge_people(body, &ticket);
        // The deadline is for prizes (s. 86); a refund is the patron's own money.
        let has_prize = body.items.iter().any(|item| item.kind == PRIZE);
        let day = match ticket.presented {
            0 => self.now.business_day,
            presented => presented,
        };
        self.expect_that(
            !has_prize || day <= ticket.claim_by,
            FindingCode::PaymentLate,
            || format!("{day}, to claim by {}", ticket.claim_by),
        );
        let payment = Payment {
            ticket: body.ticket,
            shift: body.shift,
            items: body
                .items
                .iter()
                .map(|item| (item.draw, item.kind, item.amount_cents))
                .collect(),
            cash_cents: match body.tender {
                CASH => body.total_cents.saturating_add(body.rounding_cents),
                _ => 0,
            },
            reversed: false,
        };
        let out_cents = payment.cash_cents.saturating_neg();
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
                let detail = format!("ticket {}, draw {draw}", ticket.leaf);
                self.find(FindingCode::PaymentNotDue, detail);
            }
            Some(due) if due != amount_cents => {
                let detail = format!("{amount_cents} for {due}, draw {draw}");
                self.find(FindingCode::PaymentAmount, detail);
            }
            Some(_) => {}
        }
        let before = self.due_ends.insert((ticket.leaf, draw), DueEnd::Paid);
        self.expect_that(before.is_none(), FindingCode::PaymentTwice, || {
            format!("ticket {}, draw {draw}", ticket.leaf)
        });
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
        (void && ticket.covers(draw)).then_some(ticket.per_draw_cents)
    }

    /// Supervised payments, those from the limit of the ticket's rules on, and those of a ticket
    /// whose holder was not paid once, are made by two.
    fn judge_people(&mut self, body: &PrizePaid, ticket: &Ticket) {
        let reaches =
            |published: &super::Published| body.total_cents >= published.book.second_person_cents;
        let is_large = self.books.get(&ticket.rule_book).is_some_and(reaches);
        let was_refused = self.refused.contains(&ticket.leaf);
        let needed = is_large || body.path == SUPERVISED || was_refused;
        self.expect_that(
            !needed || body.second.is_some(),
            FindingCode::PaymentAlone,
            || format!("{} by {}", body.total_cents, body.badge),
        );
    }

    fn add_paid(&mut self, payment: &Payment, sign: i64) {
        for (_, kind, amount_cents) in &payment.items {
            let sum = match *kind {
                REFUND => &mut self.totals.refunded_cents,
                _ => &mut self.totals.paid_cents,
            };
            *sum = sum.saturating_add(amount_cents.saturating_mul(sign));
        }
    }

    pub(super) fn payment_reversed(&mut self, body: &PaymentReversed) {
        let shift_open = self.is_till_open(body.shift);
        let matches = self.payments.get(&body.payment).is_some_and(|payment| {
            let same = (payment.ticket, payment.shift) == (body.ticket, body.shift);
            same && shift_open && !payment.reversed
        });
        if !matches {
            let detail = format!("payment {}, ticket {}", body.payment, body.ticket);
            self.find(FindingCode::ReversalWrong, detail);
            return;
        }
        let Some(mut payment) = self.payments.remove(&body.payment) else {
            return;
        };
        let cash_cents = payment.cash_cents;
        self.expect_that(
            body.cash_cents == cash_cents,
            FindingCode::ReversalAmount,
            || format!("{} for {cash_cents}", body.cash_cents),
        );
        for (draw, _, _) in &payment.items {
            self.due_ends.remove(&(payment.ticket, *draw));
        }
        self.add_paid(&payment, -1);
        self.back_through_till(body.shift, body.cash_cents);
        payment.reversed = true;
        self.payments.insert(body.payment, payment);
    }

    pub(super) fn prizes_expired(&mut self, body: &PrizesExpired) {
        let today = self.now.business_day;
        for item in &body.items {
            let Some(place) = self.known_ticket(item.ticket) else {
                continue;
            };
            let Some(ticket) = self.tickets.get(place).cloned() else {
                continue;
            };
            let in_time = ticket.presented != 0 && ticket.presented <= ticket.claim_by;
            // The day of the sweep itself is never over, whatever the slice says.
            let over = ticket.claim_by <= body.through_day
                && body.through_day <= today
                && ticket.claim_by < today;
            self.expect_that(over && !in_time, FindingCode::ExpiryEarly, || {
                format!("ticket {}, to claim by {}", ticket.leaf, ticket.claim_by)
            });
            // A refund is the patron's own money and does not expire.
            let due = self
                .prize_due(&ticket, item.draw)
                .filter(|due| *due > 0 && ticket.withdrawn == 0);
            let before = self
                .due_ends
                .insert((item.ticket, item.draw), DueEnd::Expired);
            let unpaid = due == Some(item.amount_cents) && before.is_none();
            self.expect_that(unpaid, FindingCode::ExpiryNotDue, || {
                format!("ticket {}, draw {}", item.ticket, item.draw)
            });
            let sum = self.totals.expired_cents.saturating_add(item.amount_cents);
            self.totals.expired_cents = sum;
        }
    }
}

/// Cash is handed over in steps of five cents: what that adds to, or takes from, an amount.
#[must_use]
pub fn cash_rounding(cents: i64) -> i64 {
    // Two cents up at the most: the nearest multiple lies at or below.
    let up = cents.saturating_add(2);
    up - up.rem_euclid(5) - cents
}
