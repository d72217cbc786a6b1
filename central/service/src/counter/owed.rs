//! What a ticket was paid and still owes.

use keno_record::sequencer::Judge;
use keno_record::store::{draws, payments};
use keno_schema::rows::TicketRow;

use crate::Stop;
use crate::counter::deadline::Claims;

/// What the tiers of a payment are judged on: all that the ticket was paid and still owes, in all
/// its draws, so that nobody passes below a limit by paying draw after draw. What was reversed is
/// owed again; what has expired is not owed.
pub(crate) fn tier_cents(
    judge: &mut Judge<'_>,
    row: &TicketRow,
    claims: &Claims,
) -> Result<i64, Stop> {
    let prizes = payments::prizes_of(judge.connection, row.number, row.first_draw, row.last_draw)?;
    let void = draws::void_between(judge.connection, row.first_draw, row.last_draw)?;
    let prizes = prizes.iter().map(|prize| (prize.draw, prize.payable_cents));
    let refunds = void.into_iter().map(|draw| (draw, row.per_draw_cents));
    let owed = prizes.chain(refunds);
    let stands = owed.filter(|(draw, _)| !claims.is_expired(*draw));
    Ok(stands.fold(0, |sum: i64, (_, cents)| sum.saturating_add(cents)))
}
