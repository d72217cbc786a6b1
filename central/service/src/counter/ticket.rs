//! What is asked of any ticket: whether it stands, is held, or was paid.

use keno_game::TicketState;
use keno_log::Event;
use keno_record::fault::Fault;
use keno_record::sequencer::Judge;
use keno_record::store::leaves::{self, Fact};
use keno_record::store::{payments, tickets};
use keno_record::ticket::{MONEY_GIVEN_BACK, Ticket};
use keno_schema::rows::PaymentRow;

use crate::Stop;
use crate::counter::paper::Named;
use crate::refusal::Refusal;

impl Named {
    /// The ticket, which must be there.
    ///
    /// # Errors
    /// [`Refusal::NumberUnknown`], or a fault after which nothing was recorded.
    pub(crate) fn must_find(&self, central: &crate::Central) -> Result<Ticket, Stop> {
        let found = self.find(central).map_err(doubtful)?;
        Ok(found.ok_or(Refusal::NumberUnknown)?)
    }
}

/// The number of a reason by its name.
///
/// # Errors
/// [`Refusal::ReasonUnknown`].
pub(crate) fn reason_of(known: &[(&str, u8)], name: &str) -> Result<u8, Refusal> {
    let found = known.iter().find(|(it, _)| *it == name);
    found
        .map(|(_, number)| *number)
        .ok_or(Refusal::ReasonUnknown)
}

/// True of a ticket whose price was given back when its sale was put aside.
pub fn is_given_back(ticket: &Ticket) -> bool {
    ticket.refused_reason() == Some(MONEY_GIVEN_BACK.1)
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
/// [`Refusal::AlreadyPaid`].
pub(crate) fn must_not_be_paid(judge: &Judge<'_>, ticket: &Ticket) -> Result<(), Refusal> {
    match ticket.paid(None) {
        Some((payment, item)) => Err(already_paid(judge, &payment, item.draw)),
        None => Ok(()),
    }
}

/// The paper of a sale; each duplicate counts on.
pub(crate) const FIRST_COPY: u8 = 1;

/// A ticket is held when its paper is unconfirmed so long after its first draw closed.
pub const HELD_AFTER_MS: i64 = 30_000;

/// Refuses to decide about a ticket whose rows and leaves differ; the log of the process says where.
pub(crate) fn doubtful(fault: Fault) -> Stop {
    match fault {
        Fault::Record(what) => {
            tracing::error!(%what, "a ticket is not what was recorded: nothing is paid");
            Refusal::TicketDoubtful.into()
        }
        other => other.into(),
    }
}

/// A ticket as its leaves say, with everything of this batch. Its rows decide nothing, and must say
/// the same.
///
/// # Errors
/// [`Refusal::NumberUnknown`], [`Refusal::TicketDoubtful`], or a fault.
pub fn ticket_of(judge: &mut Judge<'_>, number: u64) -> Result<Ticket, Stop> {
    judge.settle_rows()?;
    let found = Ticket::proven(judge.connection, &judge.state.leaves, number);
    let ticket = found.map_err(doubtful)?.ok_or(Refusal::NumberUnknown)?;
    let row = tickets::find(judge.connection, number)?;
    let paid = payments::of_ticket(judge.connection, number)?;
    let payments = ticket.payments().into_iter();
    let payments: Vec<_> = payments.map(|(row, item)| (Some(row), item)).collect();
    if row.as_ref() != Some(&*ticket) || paid != payments {
        let what = format!("the rows of ticket {number} are not what its leaves say");
        return Err(doubtful(Fault::Record(what)));
    }
    Ok(ticket)
}

/// The same of what somebody names it by: the number on its paper is the one in its sale, and a
/// reading or a file is of it.
///
/// # Errors
/// As [`ticket_of`].
pub(crate) fn ticket_named(
    judge: &mut Judge<'_>,
    named: &Named,
    number: u64,
) -> Result<Ticket, Stop> {
    let ticket = ticket_of(judge, number)?;
    let is_of = match named {
        Named::Paper(paper) => {
            let code = &judge.state.house()?.code;
            paper.leaf(judge.keys, code, &judge.state.epochs) == Some(number)
        }
        Named::Reference(leaf) | Named::File(leaf) if *leaf == number => true,
        Named::Reference(leaf) | Named::File(leaf) => {
            match fact_of(judge, *leaf)?.map(|fact| fact.event) {
                Some(Event::DamagedTicketRead(body)) => body.ticket == number,
                Some(Event::FileOpened(body)) => body.ticket == Some(number),
                _ => false,
            }
        }
    };
    if is_of {
        return Ok(ticket);
    }
    let what = format!("ticket {number} was found by what is another's");
    Err(doubtful(Fault::Record(what)))
}

/// A leaf that somebody names, if it is one: that which was recorded.
///
/// # Errors
/// [`Refusal::TicketDoubtful`], or a fault.
pub(crate) fn fact_of(judge: &mut Judge<'_>, leaf: u64) -> Result<Option<Fact>, Stop> {
    judge.settle_rows()?;
    let fact = leaves::fact_if_any(judge.connection, leaf).map_err(doubtful)?;
    let fact = fact.filter(|fact| fact.leaf == leaf);
    let known = &judge.state.leaves;
    leaves::must_be_known(judge.connection, known, fact.as_slice()).map_err(doubtful)?;
    Ok(fact)
}

/// The leaf of the last fact of a ticket when it says just this: whoever repeats it, because an
/// answer was lost or out of malice, writes no second one.
pub(crate) fn said_last(ticket: &Ticket, event: &Event) -> Option<u64> {
    let last = ticket.facts.last();
    last.filter(|it| it.event == *event).map(|it| it.leaf)
}

/// Refuses a ticket that is withdrawn.
pub fn must_be_sold(ticket: &Ticket) -> Result<(), Refusal> {
    match TicketState::from_code(ticket.state) {
        Some(TicketState::Sold) => Ok(()),
        Some(TicketState::Cancelled) => Err(Refusal::TicketCancelled),
        Some(TicketState::VoidUnpaid) => Err(Refusal::TicketVoidUnpaid),
        None => Err(Refusal::RecordUnknown),
    }
}

/// True when a ticket is held and was not released by two people: its win is improbable, or its
/// paper was unconfirmed too long after its first draw closed. It stays in the draw (s. 81); it
/// is not paid until then.
pub fn is_held(ticket: &Ticket, first_closes_at_ms: Option<i64>, now_ms: i64) -> bool {
    let unconfirmed = ticket.confirmed_copy < ticket.copy
        && first_closes_at_ms.is_some_and(|closed| now_ms >= closed + HELD_AFTER_MS);
    ticket.state == TicketState::Sold
        && ticket.released_leaf.is_none()
        && (unconfirmed || ticket.held_leaf.is_some())
}
