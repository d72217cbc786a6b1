//! Rows of tickets, with their selections as text.

use std::fmt::Write;

use keno_game::{SelectionType, TicketState};
use keno_log::Event;
use keno_log::event::{SelectionRecord, TicketSold};
use keno_schema::rows::TicketRow;

use super::Projection;
use crate::fault::Fault;
use crate::store::tickets;

/// The row of a ticket that was just sold.
pub(crate) fn row_of(leaf: u64, sold_at_ms: i64, body: &TicketSold) -> TicketRow {
    let mut selections = String::with_capacity(64 * body.selections.len());
    for (at, selection) in body.selections.iter().enumerate() {
        if at > 0 {
            selections.push_str("; ");
        }
        write_selection(&mut selections, selection);
    }
    TicketRow {
        number: leaf,
        control_hash: body.control_hash,
        device: body.key.device,
        session: body.key.session,
        counter: body.key.counter,
        control_attempt: body.control_attempt,
        secret_key: body.secret_key,
        rule_book: body.rule_book,
        first_draw: body.first_draw,
        last_draw: body.last_draw,
        selections,
        per_draw_cents: body.per_draw_cents,
        total_cents: body.total_cents,
        cap_cents: body.cap_cents,
        claim_by: body.claim_by,
        tender: body.tender,
        received_cents: body.received_cents,
        badge: body.badge.clone(),
        shift: body.shift,
        intake: body.intake,
        replay_of: body.replay_of,
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

/// A selection as text in the ticket's row: for people who read the table.
pub fn selection_text(selection: &SelectionRecord) -> String {
    let mut text = String::with_capacity(64);
    write_selection(&mut text, selection);
    text
}

/// Two digits at least, as on paper.
fn write_number(text: &mut String, number: u8) {
    if number < 10 {
        text.push('0');
    }
    // Writing to a text cannot fail.
    let _ = write!(text, "{number}");
}

fn write_selection(text: &mut String, selection: &SelectionRecord) {
    let kind = SelectionType::from_number(selection.kind);
    let has_ways = kind.is_none_or(SelectionType::has_ways);
    text.push_str(&selection.game);
    if selection.quick_pick {
        text.push_str(" QP");
    }
    for king in &selection.kings {
        text.push_str(" K");
        write_number(text, *king);
    }
    for group in &selection.groups {
        text.push_str(if has_ways { " (" } else { " " });
        for (at, number) in group.iter().enumerate() {
            if at > 0 {
                text.push(' ');
            }
            write_number(text, *number);
        }
        if has_ways {
            text.push(')');
        }
    }
    for line in &selection.conditioning {
        if has_ways {
            let _ = write!(text, " {}/{}", line.ways, line.spots);
        }
        let cents = line.wager_cents;
        let _ = write!(text, " @ {}.{:02}", cents / 100, cents % 100);
    }
}
