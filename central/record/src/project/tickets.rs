//! Rows of tickets.

use keno_game::TicketState;
use keno_log::Event;
use keno_log::event::TicketSold;
use keno_schema::rows::TicketRow;

use super::Projection;
use crate::fault::Fault;
use crate::store::tickets;

/// The row of a ticket that was just sold.
pub(crate) fn row_of(leaf: u64, sold_at_ms: i64, body: &TicketSold) -> TicketRow {
    TicketRow {
        number: leaf,
        device: body.key.device,
        session: body.key.session,
        counter: body.key.counter,
        secret_key: body.secret_key,
        rule_book: body.rule_book,
        first_draw: body.first_draw,
        last_draw: body.last_draw,
        per_draw_cents: body.per_draw_cents,
        total_cents: body.total_cents,
        claim_by: body.claim_by,
        tender: body.tender,
        received_cents: body.received_cents,
        badge: body.badge.clone(),
        shift: body.shift,
        sold_at_ms,
        state: TicketState::Sold.code(),
        copy: 1,
        confirmed_copy: 0,
        presented_at_ms: None,
        held_leaf: None,
        released_leaf: None,
        refused_reason: None,
    }
}

/// What becomes of a ticket's row by a fact of it; false when nothing does.
pub(crate) fn follow(row: &mut TicketRow, leaf: u64, at_ms: i64, event: &Event) -> bool {
    match event {
        Event::PrintConfirmed(body) => row.confirmed_copy = body.copy,
        Event::TicketCancelled(_) => row.state = TicketState::Cancelled.code(),
        Event::TicketUnpaid(_) => row.state = TicketState::VoidUnpaid.code(),
        Event::TicketReleased(_) => row.released_leaf = Some(leaf),
        Event::TicketDuplicated(body) => row.copy = body.copy,
        // The first presentation counts.
        Event::ClaimPresented(body) => {
            let presented = body.presented_at_ms.unwrap_or(at_ms);
            row.presented_at_ms.get_or_insert(presented);
        }
        // A price that was given back stays so, whatever else a holder is refused for.
        Event::PatronRefused(body) => {
            let given_back = Some(tickets::MONEY_GIVEN_BACK.1);
            if row.refused_reason != given_back {
                row.refused_reason = Some(body.reason);
            }
        }
        // An earlier release does not cover it.
        Event::PaymentHeld(_) => {
            row.held_leaf = Some(leaf);
            row.released_leaf = None;
        }
        _ => return false,
    }
    true
}

impl Projection<'_> {
    pub(super) fn sold(&mut self, body: &TicketSold) {
        let row = row_of(self.leaf, self.header.at_ms, body);
        self.pending.tickets.push(row);
    }

    /// What becomes of a ticket's own row.
    pub(super) fn of_ticket(&mut self, ticket: u64, event: &Event) -> Result<(), Fault> {
        if self.pending.holds(ticket) {
            self.pending.flush(self.connection)?;
        }
        if let Some(mut row) = tickets::find(self.connection, ticket)?
            && follow(&mut row, self.leaf, self.header.at_ms, event)
        {
            tickets::set_life(self.connection, &row)?;
        }
        Ok(())
    }
}
