//! What is asked of any ticket: whether it stands, is held, or was paid.

use keno_game::TicketState;
use keno_log::Event;
use keno_record::sequencer::Judge;
use keno_record::store::leaves::event_at;
use keno_record::store::tickets::MONEY_GIVEN_BACK;
use keno_record::store::{payments, tickets};
use keno_schema::rows::{PaymentRow, TicketRow};

use crate::Stop;
use crate::refusal::Refusal;

/// True of a ticket whose price was given back when its sale was put aside.
pub fn is_given_back(row: &TicketRow) -> bool {
    row.refused_reason == Some(MONEY_GIVEN_BACK.1)
}

/// The refusal that says when and where a draw of a ticket was paid.
pub(crate) fn already_paid(judge: &Judge<'_>, payment: &PaymentRow, draw: u64) -> Refusal {
    Refusal::AlreadyPaid {
        draw,
        at: judge.calendar.minute_text(payment.paid_at_ms),
        device: judge
            .state
            .shifts
            .get(&payment.shift)
            .and_then(|shift| judge.state.devices.get(&shift.device))
            .map_or_else(
                || format!("quart/shift {}", payment.shift),
                |device| device.name.clone(),
            ),
    }
}

/// Refuses a ticket of which a draw was paid: what is withdrawn gives the whole wager back, and a
/// void draw of it may have been refunded before the first draw closed.
///
/// # Errors
/// [`Refusal::AlreadyPaid`], or the database's.
pub(crate) fn must_not_be_paid(judge: &mut Judge<'_>, ticket: u64) -> Result<(), Stop> {
    let paid = payments::of_ticket(judge.connection, ticket)?;
    match paid.iter().find(|(_, item)| payments::stands(item)) {
        Some((payment, item)) => Err(already_paid(judge, payment, item.draw).into()),
        None => Ok(()),
    }
}

/// The paper of a sale; each duplicate counts on.
pub(crate) const FIRST_COPY: u8 = 1;

/// A ticket is held when its paper is unconfirmed so long after its first draw closed.
pub const HELD_AFTER_MS: i64 = 30_000;

/// The ticket's row as the writer sees it, with everything of this batch.
pub fn ticket_row(judge: &mut Judge<'_>, ticket: u64) -> Result<TicketRow, Stop> {
    judge.settle_rows()?;
    tickets::find(judge.connection, ticket)?.ok_or_else(|| Refusal::NumberUnknown.into())
}

/// The leaf of the last fact of a ticket when it says just this: whoever repeats it, because an
/// answer was lost or out of malice, writes no second one.
pub(crate) fn said_last(
    judge: &mut Judge<'_>,
    ticket: u64,
    event: &Event,
) -> Result<Option<u64>, Stop> {
    judge.settle_rows()?;
    let facts = tickets::facts(judge.connection, ticket)?;
    let Some(last) = facts.last() else {
        return Ok(None);
    };
    let leaf = last.leaf;
    let (said, _) = event_at(judge.connection, leaf)?;
    Ok((said == *event).then_some(leaf))
}

/// Refuses a ticket that is withdrawn.
pub fn must_be_sold(row: &TicketRow) -> Result<(), Refusal> {
    match TicketState::from_code(row.state) {
        Some(TicketState::Sold) => Ok(()),
        Some(TicketState::Cancelled) => Err(Refusal::TicketCancelled),
        Some(TicketState::VoidUnpaid) => Err(Refusal::TicketVoidUnpaid),
        None => Err(Refusal::RecordUnknown),
    }
}

/// True when a ticket is held and was not released by two people: its win is improbable, or its
/// paper was unconfirmed too long after its first draw closed. It stays in the draw (s. 81); it
/// is not paid until then.
pub fn is_held(row: &TicketRow, first_closes_at_ms: Option<i64>, now_ms: i64) -> bool {
    let unconfirmed = row.confirmed_copy < row.copy
        && first_closes_at_ms.is_some_and(|closed| now_ms >= closed + HELD_AFTER_MS);
    row.state == TicketState::Sold
        && row.released_leaf.is_none()
        && (unconfirmed || row.held_leaf.is_some())
}
