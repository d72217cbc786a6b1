//! Payments: what is due, once, to the cent; undone in the same shift only; or expired.

use keno_log::event::{PaymentReversed, PrizePaid};

use super::{Model, Payment, Stage, Standing, Ticket, Wrong, local_day, must};

/// What a draw of a ticket owes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Due {
    /// Nothing, or nothing yet.
    Nothing,
    /// A prize.
    Prize(i64),
    /// The wager of a void draw.
    Refund(i64),
}

impl Model {
    /// What a draw of a ticket owes, paid or not.
    pub fn due(&self, number: u64, ticket: &Ticket, draw: u64) -> Due {
        let Some(found) = self.draws.get(&draw) else {
            return Due::Nothing;
        };
        let sold = &ticket.sold;
        let is_on_it = (sold.first_draw..=sold.last_draw).contains(&draw);
        match found.stage {
            _ if !is_on_it || ticket.standing != Standing::Sold => Due::Nothing,
            Stage::Settled => match found.prizes.get(&number) {
                Some((_, payable)) if *payable > 0 => Due::Prize(*payable),
                _ => Due::Nothing,
            },
            Stage::Void => Due::Refund(sold.per_draw_cents),
            _ => Due::Nothing,
        }
    }

    /// All that a ticket was paid and still owes: what its limits are judged on.
    pub fn tier(&self, number: u64, ticket: &Ticket) -> i64 {
        (ticket.sold.first_draw..=ticket.sold.last_draw)
            .map(|draw| match self.due(number, ticket, draw) {
                Due::Prize(cents) | Due::Refund(cents) => cents,
                Due::Nothing => 0,
            })
            .sum()
    }

    /// The last day to claim what a draw of a ticket owes.
    pub fn claim_until(&self, ticket: &Ticket, draw: u64) -> u32 {
        let decided_at_ms = self.draws.get(&draw).and_then(|draw| draw.decided_at_ms);
        let book = self.books.get(&ticket.sold.rule_book).map(|(_, book)| book);
        let extended = match (decided_at_ms, book) {
            (Some(at_ms), Some(book)) => local_day(at_ms, book.claim_days),
            _ => 0,
        };
        let last = extended.max(ticket.sold.claim_by);
        let began = self.silences.iter().filter(|(since, _)| *since <= last);
        began.map(|(_, until)| *until).fold(last, u32::max)
    }

    /// Whether what a draw of a ticket owes can no longer be claimed at a moment.
    pub fn claim_is_over(&self, ticket: &Ticket, draw: u64, at_ms: i64) -> bool {
        !ticket.presented.contains(&draw) && local_day(at_ms, 0) > self.claim_until(ticket, draw)
    }

    pub(super) fn pay(&mut self, leaf: u64, at_ms: i64, body: &PrizePaid) -> Result<(), Wrong> {
        self.use_key(&body.key, "payment", leaf)?;
        self.on_what(at_ms, body)?;
        let ticket = self.ticket(body.ticket)?;
        must(!self.is_held(ticket, at_ms), || {
            "the ticket is held".to_owned()
        })?;
        must(!body.items.is_empty(), || "nothing is paid".to_owned())?;
        let (mut total, mut refunds) = (0, 0);
        for item in &body.items {
            let due = self.due(body.ticket, ticket, item.draw);
            let told = match item.kind {
                1 => Due::Prize(item.amount_cents),
                _ => Due::Refund(item.amount_cents),
            };
            must(due == told, || {
                format!("draw {} owes {due:?}, paid {told:?}", item.draw)
            })?;
            let is_open = !ticket.paid.contains_key(&item.draw);
            must(is_open, || format!("draw {} is paid or over", item.draw))?;
            must(!self.claim_is_over(ticket, item.draw, at_ms), || {
                format!("to be claimed by {}", self.claim_until(ticket, item.draw))
            })?;
            total += item.amount_cents;
            refunds += usize::from(item.kind != 1);
        }
        must(total == body.total_cents, || format!("sum {total}"))?;
        let tender = if refunds == 0 { 1 } else { ticket.sold.tender };
        let unmixed = refunds == 0 || refunds == body.items.len() || tender == 1;
        must(body.tender == tender && unmixed, || {
            format!("paid in tender {}", body.tender)
        })?;
        let book = self.book_of(ticket)?;
        let all = self.tier(body.ticket, ticket);
        let needs_two = all >= book.second_person_cents || ticket.refused.is_some();
        let is_at_cage = self.device_roles.get(&body.key.device) == Some(&7);
        must(is_at_cage || all < book.cage_cents, || {
            format!("{all} is paid away from the cage")
        })?;
        let two = body
            .second
            .as_ref()
            .is_some_and(|second| *second != body.badge);
        must(two || !needs_two, || {
            "a second person is missing".to_owned()
        })?;
        let handed = body.total_cents + body.rounding_cents;
        let rounded = if tender == 1 {
            handed % 5 == 0 && body.rounding_cents.abs() <= 2
        } else {
            body.rounding_cents == 0
        };
        must(rounded, || format!("{handed} handed over"))?;
        let cash_cents = if tender == 1 { handed } else { 0 };
        self.move_cash(body.shift, -cash_cents, body.key.device)?;
        let draws: Vec<u64> = body.items.iter().map(|item| item.draw).collect();
        let ticket = self.ticket_mut(body.ticket)?;
        for draw in &draws {
            let before = ticket.paid.insert(*draw, leaf);
            must(before.is_none(), || format!("draw {draw} is paid twice"))?;
        }
        let payment = Payment {
            ticket: body.ticket,
            draws,
            cash_cents,
            shift: body.shift,
            reversed: None,
        };
        self.payments.insert(leaf, payment);
        Ok(())
    }

    pub(super) fn reverse(&mut self, leaf: u64, body: &PaymentReversed) -> Result<(), Wrong> {
        let payment = self.payments.get_mut(&body.payment);
        let payment = payment.ok_or_else(|| format!("payment {} is unknown", body.payment))?;
        let lawful = payment.reversed.is_none()
            && payment.ticket == body.ticket
            && payment.shift == body.shift
            && payment.cash_cents == body.cash_cents
            && body.by != body.second;
        must(lawful, || format!("{payment:?} is undone as {body:?}"))?;
        payment.reversed = Some(leaf);
        let payment = payment.clone();
        let till = self.tills.get_mut(&payment.shift);
        let till = till.ok_or_else(|| format!("shift {} is closed", payment.shift))?;
        till.expected_cents += payment.cash_cents;
        let ticket = self.ticket_mut(payment.ticket)?;
        for draw in &payment.draws {
            ticket.paid.remove(draw);
        }
        Ok(())
    }
}
