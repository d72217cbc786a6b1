//! The guard over wins: one that is too improbable holds its payment and stops sales until
//! people have looked.
//!
//! At the Casino de Montréal in April 1994 one player hit 19 of 20 three times running, each one
//! chance in 10^15, and was three times not stopped.

use keno_game::{Cents, DrawState};
use keno_log::event::{PaymentHeld, SalesSuspended};
use keno_record::fault::Fault;
use keno_record::people::GUARD;
use keno_record::sequencer::Judge;
use keno_record::state::improbable::{Seen, watch};
use keno_record::ticket::Ticket;
use keno_words::both;
use keno_words::report::SalesStoppedForWins;

use crate::counter::deadline::draws_of;
use crate::draw::steps::Draw;

/// Why a win is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Suspicion {
    /// The win had less than one chance in 10^9.
    Improbable = 1,
    /// A rare top prize, and the ticket had won one in an earlier draw.
    TopAgain = 2,
}

impl Draw {
    /// What of the wins that were seen people must look at, ascending by ticket.
    ///
    /// # Errors
    /// A fault of the database, or of a record that cannot be read.
    pub fn improbable_wins(
        self,
        judge: &mut Judge<'_>,
        seen: &Seen,
    ) -> Result<Vec<(u64, Suspicion)>, Fault> {
        let mut found: Vec<(u64, Suspicion)> = seen
            .improbable
            .iter()
            .map(|ticket| (*ticket, Suspicion::Improbable))
            .collect();
        for ticket in &seen.rare {
            if won_a_top_before(judge, *ticket, self.0)? {
                found.push((*ticket, Suspicion::TopAgain));
            }
        }
        found.sort_unstable();
        found.dedup_by_key(|(ticket, _)| *ticket);
        Ok(found)
    }
}

/// True when a ticket's prize in an earlier draw was at least the largest it can win for one of
/// its selections at a rare top: judged by the amount, which the record holds.
fn won_a_top_before(judge: &mut Judge<'_>, ticket: u64, number: u64) -> Result<bool, Fault> {
    judge.settle_rows()?;
    let Some(ticket) = Ticket::read(judge.connection, ticket)? else {
        return Ok(false);
    };
    let Some(rules) = judge.state.rule_books.get(&ticket.sale.rule_book) else {
        return Ok(false);
    };
    let top = ticket
        .sale
        .selections
        .iter()
        .flat_map(|selection| {
            let game = rules.rules.game(&selection.game);
            selection.conditioning.iter().filter_map(move |line| {
                let table = game?.table(line.spots)?;
                let rare = watch(rules.rules.pool, table).rare_top.contains(&true);
                rare.then(|| table.top_prize(Cents::new(line.wager_cents)).get())
            })
        })
        .min();
    let Some(top) = top else { return Ok(false) };
    // The draw itself is not settled yet.
    for draw in draws_of(judge.connection, judge.state, ticket.first_draw, number)?.values() {
        let prize = match draw.state {
            DrawState::Settled => ticket.prize(&rules.rules, draw)?,
            _ => None,
        };
        if prize.is_some_and(|prize| prize.computed.get() >= top) {
            return Ok(true);
        }
    }
    Ok(false)
}

impl Draw {
    /// Holds what is suspicious, and stops sales: the manager is called.
    ///
    /// # Errors
    /// A fault.
    pub fn hold_wins(
        self,
        judge: &mut Judge<'_>,
        suspicions: &[(u64, Suspicion)],
    ) -> Result<(), Fault> {
        for (ticket, suspicion) in suspicions {
            tracing::error!(
                ticket,
                draw = self.0,
                ?suspicion,
                "a win is held by the guard"
            );
            judge.record(PaymentHeld {
                ticket: *ticket,
                draw: self.0,
                reason: *suspicion as u8,
                by: GUARD.to_owned(),
            })?;
        }
        if !suspicions.is_empty() && judge.state.sales_suspended.is_none() {
            judge.record(SalesSuspended {
                reason: both(&SalesStoppedForWins {
                    draw: &self.0,
                    count: &suspicions.len(),
                }),
                by: GUARD.to_owned(),
            })?;
        }
        Ok(())
    }
}
