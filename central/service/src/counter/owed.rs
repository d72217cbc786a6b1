//! What a ticket was paid and still owes.

use std::sync::Arc;

use keno_game::{DrawState, RuleBook};
use keno_record::fault::Fault;
use keno_record::sequencer::Judge;
use keno_record::state::{Draw, PublishedRules};
use keno_record::ticket::Ticket;

use crate::Stop;
use crate::counter::deadline::draws_of;
use crate::counter::ticket::doubtful;
use crate::refusal::Refusal;

/// What a finished draw of a ticket owes, in cents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Due {
    /// Its prize; nothing when it won nothing.
    Prize(i64),
    /// Its wager, of a void draw.
    Refund(i64),
}

impl Due {
    /// What a draw of a ticket owes, by its leaves; none before the draw is finished.
    pub(crate) fn of(
        rules: &RuleBook,
        ticket: &Ticket,
        draw: &Draw,
    ) -> Result<Option<Self>, Fault> {
        Ok(match draw.state {
            DrawState::Settled => {
                let prize = ticket.prize(rules, draw)?;
                Some(Self::Prize(prize.map_or(0, |prize| prize.payable.get())))
            }
            DrawState::Void => Some(Self::Refund(ticket.sale.per_draw_cents)),
            _ => None,
        })
    }

    /// As much as that.
    pub(crate) const fn cents(self) -> i64 {
        let (Self::Prize(cents) | Self::Refund(cents)) = self;
        cents
    }
}

/// What one draw of a ticket owes, and the draw; none of the first before the draw is finished.
///
/// # Errors
/// [`Refusal::NotDrawnYet`] of one that is in no record, [`Refusal::TicketDoubtful`], or a fault.
pub(crate) fn due_of(
    judge: &mut Judge<'_>,
    ticket: &Ticket,
    draw: u64,
) -> Result<(Option<Due>, Draw), Stop> {
    let found = draws_of(judge.connection, judge.state, draw, draw).map_err(doubtful)?;
    let live = found.into_values().next();
    let live = live.ok_or(Refusal::NotDrawnYet { draw })?;
    let due = Due::of(&rules_of(judge, ticket)?.rules, ticket, &live);
    Ok((due.map_err(doubtful)?, live))
}

/// The rules that a ticket was sold under.
///
/// # Errors
/// [`Fault::Record`] where the record has none.
pub(crate) fn rules_of(judge: &Judge<'_>, ticket: &Ticket) -> Result<Arc<PublishedRules>, Fault> {
    let book = judge.state.rule_books.get(&ticket.sale.rule_book).cloned();
    book.ok_or_else(|| Fault::Record(format!("ticket {} has no rule book", ticket.number)))
}

/// What the tiers of a payment are judged on: all that the ticket was paid and still owes, in all
/// its draws, so that nobody passes below a limit by paying draw after draw. What was reversed is
/// owed again.
pub(crate) fn tier_cents(judge: &mut Judge<'_>, ticket: &Ticket) -> Result<i64, Stop> {
    let (first, last) = (ticket.first_draw, ticket.last_draw);
    let draws = draws_of(judge.connection, judge.state, first, last).map_err(doubtful)?;
    let book = rules_of(judge, ticket)?;
    let mut sum = 0_i64;
    for draw in draws.values() {
        let due = Due::of(&book.rules, ticket, draw).map_err(doubtful)?;
        sum = sum.saturating_add(due.map_or(0, Due::cents));
    }
    Ok(sum)
}
