//! Tickets: sold, withdrawn, printed, released, duplicated, presented.

use std::collections::{BTreeMap, BTreeSet};

use keno_log::event::{
    ClaimPresented, PatronRefused, PaymentHeld, PrintConfirmed, TicketCancelled, TicketDuplicated,
    TicketSold, TicketUnpaid,
};

use super::{Model, Stage, Standing, Ticket, Wrong, local_day, must};
use crate::prizes::price;

impl Model {
    pub(super) fn sell(&mut self, leaf: u64, at_ms: i64, body: &TicketSold) -> Result<(), Wrong> {
        self.use_key(&body.key, "sale", leaf)?;
        must(!self.sales_suspended, || "sales are stopped".to_owned())?;
        must(body.first_draw <= body.last_draw, || "no draw".to_owned())?;
        for number in body.first_draw..=body.last_draw {
            let draw = self.draws.get(&number);
            must(draw.is_some_and(|draw| draw.stage == Stage::Open), || {
                format!("draw {number} is {:?}", draw.map(|draw| draw.stage))
            })?;
            let cap = draw.map(|draw| draw.cap_cents);
            must(cap == Some(body.cap_cents), || {
                format!("maximum {} and not {cap:?}", body.cap_cents)
            })?;
        }
        let book = self.book_for(body.first_draw);
        let book = book.filter(|book| book.version == body.rule_book);
        let book = book.ok_or_else(|| format!("rules {} are not in force", body.rule_book))?;
        for selection in &body.selections {
            let is_named = selection.kind == 4;
            let numbers = book.set().filter(|_| is_named);
            must(
                !is_named || selection.groups == [numbers.unwrap_or_default()],
                || format!("the set has other numbers than {selection:?}"),
            )?;
        }
        let per_draw: i64 = body.selections.iter().map(|one| price(one, book)).sum();
        let draws = i64::try_from(body.last_draw - body.first_draw + 1).unwrap_or(i64::MAX);
        must(per_draw == body.per_draw_cents, || {
            format!("{} a draw and not {per_draw}", body.per_draw_cents)
        })?;
        must(body.total_cents == per_draw * draws, || {
            format!("price {} for {draws} x {per_draw}", body.total_cents)
        })?;
        must(body.received_cents >= body.total_cents, || {
            "credit was given (s. 5)".to_owned()
        })?;
        // A draw that is late counts from the sale.
        let last = self.draws.get(&body.last_draw);
        let drawn_ms = last.map_or(at_ms, |draw| draw.draws_at_ms.max(at_ms));
        let claim_by = local_day(drawn_ms, book.claim_days);
        must(body.claim_by == claim_by, || {
            format!("to be claimed by {} and not {claim_by}", body.claim_by)
        })?;
        if let Some(earlier) = body.replay_of {
            self.ticket(earlier)?;
        }
        let given = if body.tender == 3 {
            body.received_cents - body.total_cents
        } else {
            0
        };
        must(body.chip_change_cents == given && given <= 10_000, || {
            format!("{} of {given} in change", body.chip_change_cents)
        })?;
        let cash = if body.tender == 1 {
            body.total_cents
        } else {
            0
        };
        self.move_cash(body.shift, cash - given, body.key.device)?;
        for number in body.first_draw..=body.last_draw {
            if let Some(draw) = self.draws.get_mut(&number) {
                draw.tickets.insert(leaf);
            }
        }
        let ticket = Ticket {
            sold: body.clone(),
            standing: Standing::Sold,
            copy: 1,
            confirmed_copy: 0,
            presented_at_ms: None,
            presented: BTreeSet::new(),
            released: false,
            held_by_guard: false,
            refused: None,
            paid: BTreeMap::new(),
        };
        self.tickets.insert(leaf, ticket);
        Ok(())
    }

    /// Takes a ticket out of play.
    fn withdraw(&mut self, ticket: u64, to: Standing) -> Result<TicketSold, Wrong> {
        let found = self.ticket_mut(ticket)?;
        must(found.standing == Standing::Sold, || {
            format!("ticket {ticket} is {:?}", found.standing)
        })?;
        must(found.paid.is_empty(), || {
            format!("ticket {ticket} was paid in part and is given back whole")
        })?;
        found.standing = to;
        Ok(found.sold.clone())
    }

    pub(super) fn cancel(&mut self, leaf: u64, body: &TicketCancelled) -> Result<(), Wrong> {
        self.use_key(&body.key, "cancellation", leaf)?;
        let sold = self.withdraw(body.ticket, Standing::Cancelled)?;
        let stage = self.draws.get(&sold.first_draw).map(|draw| draw.stage);
        let mut range = self.draws.range(sold.first_draw..=sold.last_draw);
        let none_begun = range.all(|(_, draw)| !draw.started);
        must(stage == Some(Stage::Open) && none_begun, || {
            format!(
                "draw {} is {stage:?}, or a later one has begun",
                sold.first_draw
            )
        })?;
        must(
            (body.refund_cents, body.tender) == (sold.total_cents, sold.tender),
            || format!("{} given back in tender {}", body.refund_cents, body.tender),
        )?;
        let book = self.books.get(&sold.rule_book).map(|(_, book)| book);
        let most = book.map_or(0, |book| book.cancel_alone_cents);
        let two = body.second.as_ref().is_some_and(|it| *it != body.badge);
        must(two || sold.total_cents <= most, || {
            format!("{} is given back by one", sold.total_cents)
        })?;
        let ticket = self.ticket(body.ticket)?;
        let is_unconfirmed = ticket.confirmed_copy < ticket.copy;
        must(
            body.on == 1 || (body.on == 2 && two && is_unconfirmed),
            || format!("cancelled on {}", body.on),
        )?;
        // A chip goes back whole, and its change comes back.
        let cash = match sold.tender {
            1 => sold.total_cents,
            _ => -sold.chip_change_cents,
        };
        self.given_back.insert(leaf, cash);
        self.move_cash(body.shift, -cash, body.key.device)
    }

    pub(super) fn unpaid(&mut self, body: &TicketUnpaid) -> Result<(), Wrong> {
        let sold = self.withdraw(body.ticket, Standing::Unpaid)?;
        let draw = self.draws.get(&sold.first_draw);
        let in_time = draw
            .is_some_and(|draw| !draw.started && matches!(draw.stage, Stage::Open | Stage::Closed));
        must(in_time && body.by != body.second, || {
            format!("draw {} has begun, or one person decides", sold.first_draw)
        })?;
        must(body.amount_cents == sold.total_cents, || {
            format!("{} of {}", body.amount_cents, sold.total_cents)
        })?;
        let ticket = self.ticket(body.ticket)?;
        let is_unconfirmed = ticket.confirmed_copy < ticket.copy;
        must(body.on == 1 || (body.on == 2 && is_unconfirmed), || {
            format!("ticket {} without its paper: {body:?}", body.ticket)
        })?;
        // What was counted already is not counted again.
        if let Some(till) = self.tills.get_mut(&sold.shift) {
            let price = if sold.tender == 1 {
                sold.total_cents
            } else {
                0
            };
            till.expected_cents += sold.chip_change_cents - price;
        }
        Ok(())
    }

    pub(super) fn print(&mut self, body: &PrintConfirmed) -> Result<(), Wrong> {
        let ticket = self.ticket_mut(body.ticket)?;
        must(body.copy == ticket.copy, || {
            format!("copy {} of {}", body.copy, ticket.copy)
        })?;
        ticket.confirmed_copy = body.copy;
        Ok(())
    }

    pub(super) fn release(&mut self, at_ms: i64, ticket: u64) -> Result<(), Wrong> {
        let is_held = self.is_held(self.ticket(ticket)?, at_ms);
        must(is_held, || format!("ticket {ticket} is not held"))?;
        self.ticket_mut(ticket)?.released = true;
        Ok(())
    }

    pub(super) fn duplicate(&mut self, body: &TicketDuplicated) -> Result<(), Wrong> {
        let ticket = self.ticket_mut(body.ticket)?;
        let may = ticket.standing == Standing::Sold && ticket.paid.is_empty();
        must(
            may && body.copy == ticket.copy + 1 && body.copy <= 4,
            || format!("copy {} of ticket {}", body.copy, body.ticket),
        )?;
        let is_unconfirmed = ticket.confirmed_copy < ticket.copy;
        must(body.on == 1 || (body.on == 2 && is_unconfirmed), || {
            format!("ticket {} without its paper: {body:?}", body.ticket)
        })?;
        ticket.copy = body.copy;
        Ok(())
    }

    pub(super) fn present(&mut self, at_ms: i64, body: &ClaimPresented) -> Result<(), Wrong> {
        let ticket = self.ticket(body.ticket)?;
        must(!body.draws.is_empty(), || "no draw is presented".to_owned())?;
        let is_read = self.readings.keys().any(|(read, _)| *read == body.ticket);
        let of = |file: &super::File| file.opened.ticket == Some(body.ticket);
        let is_open = match body.path {
            1 => true,
            2 => is_read,
            3 => self.files.values().any(of),
            _ => false,
        };
        must(is_open && body.presented_at_ms.is_none(), || {
            format!("presented how: {body:?}")
        })?;
        for draw in &body.draws {
            let found = self.draws.get(draw);
            let has_outcome = found.is_some_and(|it| it.balls.is_some() || it.stage == Stage::Void);
            let is_on_it = (ticket.sold.first_draw..=ticket.sold.last_draw).contains(draw);
            let is_over = self.claim_is_over(ticket, *draw, at_ms);
            must(
                has_outcome && is_on_it && !is_over && !ticket.presented.contains(draw),
                || format!("draw {draw} is presented without numbers, late or again"),
            )?;
        }
        let ticket = self.ticket_mut(body.ticket)?;
        ticket.presented.extend(&body.draws);
        must(ticket.standing == Standing::Sold, || {
            format!("a ticket that is {:?} is presented", ticket.standing)
        })?;
        ticket.presented_at_ms.get_or_insert(at_ms);
        Ok(())
    }

    pub(super) fn refuse_patron(&mut self, body: &PatronRefused) -> Result<(), Wrong> {
        let ticket = self.ticket_mut(body.ticket)?;
        let lawful = ticket.standing == Standing::Sold && (1..=3).contains(&body.reason);
        must(lawful, || {
            format!("a ticket that is {:?}: {body:?}", ticket.standing)
        })?;
        ticket.refused = Some(body.reason);
        Ok(())
    }

    pub(super) fn hold(&mut self, body: &PaymentHeld) -> Result<(), Wrong> {
        self.ticket_mut(body.ticket)?.held_by_guard = true;
        Ok(())
    }
}
