//! A patron at the counter who is not paid: a minor, or somebody excluded. Who it was is nowhere.
//!
//! It is no loss of the prize (s. 86): the ticket is paid by two people from then on, so that the
//! house decides through a supervisor and never one person at the screen where it was refused.
//!
//! The same fact carries one thing about the ticket itself: that its price was given back.

use keno_log::Event;
use keno_log::event::PatronRefused;
use keno_record::sequencer::Lane;
use keno_record::ticket::MONEY_GIVEN_BACK;
use keno_record::ticket::Ticket;

use crate::Stop;
use crate::authority::Operation;
use crate::authority::identity::Caller;
use crate::central::Central;
use crate::counter::paper::{Named, Paper};
use crate::counter::papers::may_confirm;
use crate::counter::ticket::{
    FIRST_COPY, must_be_sold, reason_of, said_last, ticket_named, ticket_of,
};
use crate::refusal::Refusal;
use crate::staff::sessions::must_be_open;

/// The leaf that said so first.
fn given_back_before(ticket: &Ticket) -> Option<u64> {
    let given_back = MONEY_GIVEN_BACK.1;
    let is_said =
        |event: &Event| matches!(event, Event::PatronRefused(it) if it.reason == given_back);
    let mut facts = ticket.facts.iter();
    Some(facts.find(|fact| is_said(&fact.event))?.leaf)
}

/// The price of a sale that was put aside was given back: the terminal of the sale says it of its
/// ticket, of which no paper came out. Said again, it answers the same.
///
/// # Errors
/// [`Refusal::PrintElsewhere`] at another terminal, [`Refusal::PaperIsWhole`] of a ticket whose
/// paper came out, [`Refusal::NumberUnknown`], one of a withdrawn ticket, or a fault.
async fn note_given_back(central: &Central, caller: &Caller, ticket: u64) -> Result<u64, Stop> {
    caller.may(Operation::RefusePatron)?;
    let event = PatronRefused {
        ticket,
        reason: MONEY_GIVEN_BACK.1,
        device: caller.device.device,
        badge: caller.badge.clone(),
    };
    let session = caller.session;
    central
        .sequencer
        .submit(Lane::Money, move |judge| {
            must_be_open(judge, session)?;
            let sold = ticket_of(judge, ticket)?;
            must_be_sold(&sold)?;
            if !may_confirm(judge, &sold, event.device)? {
                return Err(Refusal::PrintElsewhere.into());
            }
            if sold.copy != FIRST_COPY || sold.confirmed_copy >= sold.copy {
                return Err(Refusal::PaperIsWhole.into());
            }
            // Whoever says it again, and whatever came since: it is said once.
            if let Some(leaf) = given_back_before(&sold) {
                return Ok(leaf);
            }
            Ok(judge.record(event.clone())?)
        })
        .await
}

impl Named {
    /// Why a patron is not paid. "Other" is for a supervisor to decide.
    pub const REFUSAL_REASONS: [(&str, u8); 3] = [("minor", 1), ("excluded", 2), ("other", 3)];

    /// The name of a reason as a row has it.
    pub fn refusal_reason(reason: u8) -> Option<&'static str> {
        let found = Self::REFUSAL_REASONS
            .iter()
            .chain([&MONEY_GIVEN_BACK])
            .find(|(_, number)| *number == reason);
        found.map(|(name, _)| *name)
    }

    /// The holder of a ticket is not paid; or, by the reference of its ticket and the reason
    /// `money_given_back`, the price of a sale that was put aside was given back.
    ///
    /// # Errors
    /// [`Refusal::ClaimCodeNeeded`]; what `refuse_holder` refuses with, and `note_given_back`.
    pub async fn refuse_patron(
        self,
        central: &Central,
        caller: &Caller,
        reason: &str,
    ) -> Result<u64, Stop> {
        match self {
            Named::Paper(paper) => refuse_holder(central, caller, &paper, reason).await,
            Named::Reference(ticket) if reason == MONEY_GIVEN_BACK.0 => {
                note_given_back(central, caller, ticket).await
            }
            Named::Reference(_) | Named::File(_) => Err(Refusal::ClaimCodeNeeded.into()),
        }
    }
}

/// The holder of a ticket is not paid. A ticket can be refused again, to another holder. The
/// bare number will do: whoever is refused may keep hold of the paper.
///
/// # Errors
/// A refusal in the order of [`Refusal`], or a fault.
async fn refuse_holder(
    central: &Central,
    caller: &Caller,
    paper: &Paper,
    reason: &str,
) -> Result<u64, Stop> {
    caller.may(Operation::RefusePatron)?;
    let named = Named::from(paper);
    let ticket = named.must_find(central)?;
    match paper.check_claim(&ticket) {
        Ok(()) | Err(Refusal::ClaimCodeNeeded) => {}
        Err(refusal) => return Err(refusal.into()),
    }
    must_be_sold(&ticket)?;
    let reason = reason_of(&Named::REFUSAL_REASONS, reason)?;
    let (number, copy, is_whole) = (ticket.number, ticket.copy, paper.is_claimed());
    let event = PatronRefused {
        ticket: number,
        reason,
        device: caller.device.device,
        badge: caller.badge.clone(),
    };
    let session = caller.session;
    central
        .sequencer
        .submit(Lane::Money, move |judge| {
            must_be_open(judge, session)?;
            // Another counter may have cancelled or duplicated it meanwhile.
            let ticket = ticket_named(judge, &named, number)?;
            if is_whole && ticket.copy != copy {
                return Err(Refusal::CopyReplaced.into());
            }
            must_be_sold(&ticket)?;
            let said = Event::from(event.clone());
            if let Some(leaf) = said_last(&ticket, &said) {
                return Ok(leaf);
            }
            Ok(judge.record(said)?)
        })
        .await
}
