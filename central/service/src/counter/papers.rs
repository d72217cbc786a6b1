//! The papers of a ticket: printed, never paid for, released, duplicated, found to differ; and what
//! the audit office remarks.

use keno_game::{DrawState, PrintMeans};
use keno_log::event::{
    DiscrepancyNoted, PaymentHeld, PrintConfirmed, TicketDuplicated, TicketReleased,
    TicketRemarked, TicketUnpaid,
};
use keno_log::{Event, EventKind};
use keno_record::fault::Fault;
use keno_record::sequencer::{Judge, Lane};
use keno_record::ticket::Ticket;

use crate::authority::Operation;
use crate::authority::identity::{Caller, DeviceCaller};
use crate::central::Central;
use crate::central::pin_door::Recognised;
use crate::counter::check::closes_at;
use crate::counter::ground::ground_without_code;
use crate::counter::hand_over::has_taken_since;
use crate::counter::paper::{Named, Paper};
use crate::counter::ticket::{
    FIRST_COPY, is_given_back, is_held, must_be_sold, must_not_be_paid, said_last, ticket_named,
    ticket_of,
};
use crate::refusal::Refusal;
use crate::staff::acting::must_not_be_own;
use crate::staff::two_people::must_be_second;
use crate::{Stop, bounds};

/// Done on the code of the ticket's living paper.
pub(crate) const ON_CODE: u8 = 1;
/// Done because the print of the ticket's newest paper was never confirmed.
pub(crate) const ON_UNCONFIRMED: u8 = 2;
/// Done on a file that was judged to be paid.
const ON_FILE: u8 = 3;

/// On what two people replace a ticket's paper or say that it was never paid for: the code of the
/// living paper, or a print that was never confirmed. With anything else somebody may well hold a
/// paper of this ticket.
fn paper_or_unconfirmed(named: &Named, ticket: &Ticket) -> Result<u8, Refusal> {
    match named.check_claim(ticket) {
        Ok(()) => Ok(ON_CODE),
        Err(Refusal::ClaimCodeNeeded | Refusal::CopyReplaced)
            if ticket.confirmed_copy < ticket.copy =>
        {
            Ok(ON_UNCONFIRMED)
        }
        Err(refusal) => Err(refusal),
    }
}

/// On what a duplicate is made: as [`paper_or_unconfirmed`], or a file that is paid.
fn duplicate_on(
    judge: &mut Judge<'_>,
    named: &Named,
    ticket: &Ticket,
    caller: &Caller,
) -> Result<u8, Stop> {
    let on = if matches!(named, Named::File(_)) {
        ground_without_code(judge, named, caller)?;
        ON_FILE
    } else {
        paper_or_unconfirmed(named, ticket)?
    };
    // What becomes of a sale that was put aside was said before anybody could know what is drawn.
    if on != ON_CODE && is_given_back(ticket) {
        return Err(Refusal::MoneyGivenBack.into());
    }
    Ok(on)
}

/// Holds a ticket of which a replaced paper was shown, if anything of it can still be paid.
fn hold_both(judge: &mut Judge<'_>, number: u64, badge: &str) -> Result<(), Stop> {
    let ticket = ticket_of(judge, number)?;
    let is_paid = ticket.paid(None).is_some();
    let was_looked_at = ticket.held_leaf.is_some() || ticket.released_leaf.is_some();
    if must_be_sold(&ticket).is_err() || is_paid || was_looked_at {
        return Ok(());
    }
    judge.record(PaymentHeld {
        ticket: number,
        draw: ticket.first_draw,
        reason: Paper::REPLACED_SHOWN,
        by: badge.to_owned(),
    })?;
    Ok(())
}

/// Whether a device may say that the newest paper of a ticket came out: the one that sold it, or
/// one at which the person is signed on who made the newest duplicate. The record names the person
/// of a duplicate and no device.
pub(crate) fn may_confirm(
    judge: &mut Judge<'_>,
    ticket: &Ticket,
    device: u32,
) -> Result<bool, Stop> {
    if ticket.copy == FIRST_COPY {
        let sold_at = ticket.device;
        return Ok(
            sold_at == device || has_taken_since(judge.connection, device, sold_at, ticket.number)?
        );
    }
    let made = ticket
        .facts
        .iter()
        .rev()
        .find_map(|fact| match &fact.event {
            Event::TicketDuplicated(made) => Some(&made.by),
            _ => None,
        });
    let mut sessions = judge.state.sessions.values();
    Ok(sessions.any(|one| one.device == device && Some(&one.badge) == made))
}

/// The leaf that says that the paper of a copy came out.
fn confirmed_before(ticket: &Ticket, copy: u8) -> Option<u64> {
    let mut facts = ticket.facts.iter().rev();
    let is_of = |event: &Event| matches!(event, Event::PrintConfirmed(it) if it.copy == copy);
    facts.find(|fact| is_of(&fact.event)).map(|fact| fact.leaf)
}

impl Named {
    /// Two people mark a ticket unpaid before the first ball of its first draw (s. 83), with its
    /// paper in hand, or when none is known to have come out: who holds a paper has paid, for all
    /// that anybody can tell.
    ///
    /// # Errors
    /// A refusal or a fault.
    pub async fn mark_unpaid(
        self,
        central: &Central,
        caller: &Caller,
        second: &Recognised,
    ) -> Result<u64, Stop> {
        caller.may(Operation::MarkUnpaid)?;
        must_be_second(central, Operation::MarkUnpaid, caller, second)?;
        let ticket = self.must_find(central)?;
        paper_or_unconfirmed(&self, &ticket)?;
        let number = ticket.number;
        let (by, second) = (caller.badge.clone(), second.badge.clone());
        central
            .sequencer
            .submit(Lane::Money, move |judge| {
                let ticket = ticket_named(judge, &self, number)?;
                must_be_sold(&ticket)?;
                let two = (by.as_str(), second.as_str(), None);
                must_not_be_own(judge, Operation::MarkUnpaid, &ticket.badge, two)?;
                let first = ticket.first_draw;
                // Once the machine has had the seal of a draw its numbers may exist, even if it was
                // suspended and resumed since; a later draw of the ticket may come first when the
                // first one is late. Nobody withdraws a wager that may have lost.
                let begun = (first..=ticket.last_draw).find(|draw| {
                    judge.state.draws.get(draw).is_none_or(|live| {
                        let waits = matches!(
                            live.state,
                            DrawState::Scheduled
                                | DrawState::Open
                                | DrawState::Closed
                                | DrawState::Suspended
                                | DrawState::Void
                        );
                        let mut leaves = live.leaves.iter();
                        let has_begun = leaves.any(|(kind, _, _)| *kind == EventKind::DrawStarted);
                        !waits || has_begun || live.balls.is_some()
                    })
                });
                let state = judge.state.draws.get(&first).map(|draw| draw.state);
                let waits = matches!(state, Some(DrawState::Open | DrawState::Closed));
                let late = begun.or((!waits).then_some(first));
                if let Some(draw) = late {
                    return Err(Refusal::UnpaidAfterFirstBall { draw }.into());
                }
                must_not_be_paid(judge, &ticket)?;
                if state == Some(DrawState::Closed) {
                    // The seal counts the ticket; it is out of play, and the record says why.
                    tracing::info!(ticket = number, "a sealed ticket is marked unpaid");
                }
                // A print may have been confirmed meanwhile.
                let on = paper_or_unconfirmed(&self, &ticket)?;
                Ok(judge.record(TicketUnpaid {
                    first_draw: first,
                    ticket: number,
                    amount_cents: ticket.sale.total_cents,
                    on,
                    by: by.clone(),
                    second: second.clone(),
                })?)
            })
            .await
    }
}

impl DeviceCaller {
    /// The paper of a copy came out whole.
    ///
    /// # Errors
    /// A refusal or a fault.
    pub async fn confirm_print(
        &self,
        central: &Central,
        number: u64,
        copy: u8,
        how: PrintMeans,
    ) -> Result<u64, Stop> {
        let device = self.device;
        central
            .sequencer
            .submit(Lane::Money, move |judge| {
                // It moves no cash, and every sale has one: its leaves are read and not proven.
                judge.settle_rows()?;
                let found = Ticket::read(judge.connection, number)?;
                let ticket = found.ok_or(Refusal::NumberUnknown)?;
                if copy != ticket.copy {
                    return Err(Refusal::CopyReplaced.into());
                }
                if !may_confirm(judge, &ticket, device)? {
                    return Err(Refusal::PrintElsewhere.into());
                }
                if ticket.confirmed_copy >= ticket.copy
                    && let Some(leaf) = confirmed_before(&ticket, copy)
                {
                    return Ok(leaf);
                }
                Ok(judge.record(PrintConfirmed {
                    ticket: number,
                    copy,
                    how: how.number(),
                    device,
                })?)
            })
            .await
    }
}

impl Named {
    /// Two people release a held ticket on evidence.
    ///
    /// # Errors
    /// A refusal or a fault.
    pub async fn release(
        self,
        central: &Central,
        caller: &Caller,
        second: &Recognised,
        evidence: &str,
    ) -> Result<u64, Stop> {
        caller.may(Operation::Release)?;
        must_be_second(central, Operation::Release, caller, second)?;
        bounds::reason("evidence", evidence)?;
        let ticket = self.must_find(central)?;
        if !is_held(
            &ticket,
            closes_at(central, ticket.first_draw)?,
            central.clock.now_ms(),
        ) {
            return Err(Refusal::NotHeld.into());
        }
        let (number, first_closes_at_ms) = (ticket.number, closes_at(central, ticket.first_draw)?);
        let event = TicketReleased {
            ticket: ticket.number,
            evidence: evidence.to_owned(),
            by: caller.badge.clone(),
            second: second.badge.clone(),
        };
        central
            .sequencer
            .submit(Lane::Money, move |judge| {
                // Two counters may do it at the same time.
                let ticket = ticket_named(judge, &self, number)?;
                let two = (event.by.as_str(), event.second.as_str(), None);
                must_not_be_own(judge, Operation::Release, &ticket.badge, two)?;
                if !is_held(&ticket, first_closes_at_ms, judge.now_ms) {
                    return Err(Refusal::NotHeld.into());
                }
                Ok(judge.record(event.clone())?)
            })
            .await
    }

    /// Two people issue a duplicate: the old copy index is dead. The living paper is in their
    /// hands, or it never was whole for all that anybody knows.
    ///
    /// # Errors
    /// A refusal or a fault. Returns leaf and new copy index.
    pub async fn duplicate(
        self,
        central: &Central,
        caller: &Caller,
        second: &Recognised,
        reason: &str,
    ) -> Result<(u64, u8), Stop> {
        caller.may(Operation::Duplicate)?;
        must_be_second(central, Operation::Duplicate, caller, second)?;
        bounds::reason("reason", reason)?;
        let ticket = self.must_find(central)?;
        let acting = caller.clone();
        // A copy whose code could not be said would leave the patron without any paper.
        if !central.keys.has_claim_key(ticket.sale.secret_key) {
            return Err(Stop::Undone(Fault::Crypto(
                "the claim key of a ticket is missing",
            )));
        }
        let number = ticket.number;
        let (by, second, reason) = (
            caller.badge.clone(),
            second.badge.clone(),
            reason.to_owned(),
        );
        central
            .sequencer
            .submit(Lane::Money, move |judge| {
                let ticket = ticket_named(judge, &self, number)?;
                must_be_sold(&ticket)?;
                let two = (by.as_str(), second.as_str(), None);
                must_not_be_own(judge, Operation::Duplicate, &ticket.badge, two)?;
                if ticket.paid(None).is_some() {
                    return Err(Refusal::DuplicateAfterPayment.into());
                }
                let on = duplicate_on(judge, &self, &ticket, &acting)?;
                let book = judge.state.rule_books.get(&ticket.sale.rule_book);
                let most = book.map_or(0, |book| book.rules.limits.copies_max);
                let copy = ticket
                    .copy
                    .checked_add(1)
                    .filter(|copy| *copy <= most)
                    .ok_or(Refusal::CopiesUsedUp { most })?;
                let leaf = judge.record(TicketDuplicated {
                    ticket: number,
                    copy,
                    on,
                    reason: reason.clone(),
                    by: by.clone(),
                    second: second.clone(),
                })?;
                Ok((leaf, copy))
            })
            .await
    }
}

impl Paper {
    /// Paper and record differ; payment follows the record (s. 84). A paper that a duplicate has
    /// replaced, shown before anything was paid, holds the ticket: one of the two is in the wrong
    /// hands. Once two people have released it, such a paper blocks the true holder no more.
    ///
    /// # Errors
    /// A refusal or a fault.
    pub async fn note_discrepancy(
        &self,
        central: &Central,
        caller: &Caller,
        facts: u8,
        note: &str,
    ) -> Result<u64, Stop> {
        caller.may(Operation::NoteDiscrepancy)?;
        bounds::note("note", note)?;
        let ticket = Named::from(self).must_find(central)?;
        let is_replaced = self.check_claim(&ticket) == Err(Refusal::CopyReplaced);
        let (number, named) = (ticket.number, Named::from(self));
        let event = DiscrepancyNoted {
            ticket: ticket.number,
            facts,
            note: note.to_owned(),
            badge: caller.badge.clone(),
        };
        central
            .sequencer
            .submit(Lane::Money, move |judge| {
                let said = Event::from(event.clone());
                let ticket = ticket_named(judge, &named, number)?;
                if let Some(leaf) = said_last(&ticket, &said) {
                    return Ok(leaf);
                }
                if is_replaced {
                    hold_both(judge, number, &event.badge)?;
                }
                Ok(judge.record(said)?)
            })
            .await
    }
}

impl Caller {
    /// The audit office remarks on a ticket, sold or withdrawn. Said again at once, it answers the same.
    ///
    /// # Errors
    /// [`Refusal::RemarkNeeded`] without a text, one of [`bounds::note`], [`Refusal::TicketUnknown`],
    /// one of the caller's place and role, or a fault.
    pub async fn remark(&self, central: &Central, ticket: u64, text: &str) -> Result<u64, Stop> {
        self.may(Operation::RemarkTicket)?;
        let text = text.trim();
        if text.is_empty() {
            return Err(Refusal::RemarkNeeded.into());
        }
        bounds::note("text", text)?;
        let said = Event::from(TicketRemarked {
            ticket,
            text: text.to_owned(),
            badge: self.badge.clone(),
        });
        central
            .sequencer
            .submit(Lane::Money, move |judge| {
                let found = match ticket_of(judge, ticket) {
                    Err(Stop::Refused(Refusal::NumberUnknown)) => {
                        Err(Refusal::TicketUnknown.into())
                    }
                    found => found,
                }?;
                if let Some(leaf) = said_last(&found, &said) {
                    return Ok(leaf);
                }
                Ok(judge.record(said.clone())?)
            })
            .await
    }
}
