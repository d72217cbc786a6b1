//! Rows of tickets.

use keno_game::TicketState;
use keno_log::Event;
use keno_log::event::TicketSold;
use keno_schema::rows::TicketRow;

use super::Projection;
use crate::fault::Fault;
use crate::store::tickets;

/// The row of a ticket that was just sold.
pub(crate) fn row_of(leaf: u64, body: &TicketSold) -> TicketRow {
    TicketRow {
        number: leaf,
        device: body.key.device,
        session: body.key.session,
        first_draw: body.first_draw,
        last_draw: body.last_draw,
        badge: body.badge.clone(),
        shift: body.shift,
        state: TicketState::Sold.code(),
        copy: 1,
        confirmed_copy: 0,
        held_leaf: None,
        released_leaf: None,
    }
}

/// What becomes of a ticket's row by a fact of it; false when nothing does.
pub(crate) fn follow(row: &mut TicketRow, leaf: u64, event: &Event) -> bool {
    match event {
        Event::PrintConfirmed(body) => row.confirmed_copy = body.copy,
        Event::TicketCancelled(_) => row.state = TicketState::Cancelled.code(),
        Event::TicketUnpaid(_) => row.state = TicketState::VoidUnpaid.code(),
        Event::TicketReleased(_) => row.released_leaf = Some(leaf),
        Event::TicketDuplicated(body) => row.copy = body.copy,
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
        let row = row_of(self.leaf, body);
        self.pending.tickets.push(row);
    }

    /// What becomes of a ticket's own row.
    pub(super) fn of_ticket(&mut self, ticket: u64, event: &Event) -> Result<(), Fault> {
        if self.pending.holds(ticket) {
            self.pending.flush(self.connection)?;
        }
        if let Some(mut row) = tickets::find(self.connection, ticket)?
            && follow(&mut row, self.leaf, event)
        {
            tickets::set_life(self.connection, &row)?;
        }
        Ok(())
    }
}
