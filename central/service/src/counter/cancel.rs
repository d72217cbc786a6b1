//! A sale taken back before its first draw closes.

use keno_game::DrawState;
use keno_log::CommandKey;
use keno_log::event::TicketCancelled;
use keno_record::sequencer::{Judge, Lane};
use keno_record::state::KeyKind;
use keno_record::store::big;
use keno_record::ticket::Ticket;

use crate::Stop;
use crate::authority::Operation;
use crate::authority::identity::Caller;
use crate::central::Central;
use crate::central::pin_door::Recognised;
use crate::counter::key::{ContentHash, Recorded, judge_key};
use crate::counter::owed::rules_of;
use crate::counter::paper::Named;
use crate::counter::papers::{ON_CODE, ON_UNCONFIRMED};
use crate::counter::ticket::{
    is_given_back, must_be_sold, must_not_be_paid, reason_of, ticket_named,
};
use crate::counter::till::till_of;
use crate::refusal::Refusal;
use crate::staff::acting::must_not_be_own;
use crate::staff::two_people::must_be_second;

/// A request to cancel.
#[derive(Debug, Clone)]
pub struct CancelOrder {
    /// Counter of the device's key.
    pub counter: u64,
    /// Session of the device's key.
    pub session: u64,
    /// What the paper says; or the leaf of a ticket whose print was never confirmed, of which two
    /// people have the pieces.
    pub named: Named,
    /// Name of the reason.
    pub reason: String,
    /// Second person, already recognised.
    pub second: Option<Recognised>,
}

/// On what a ticket is cancelled: the code of its living paper, or, by two who have its pieces, a
/// print that was never confirmed.
pub(crate) fn cancel_on(named: &Named, ticket: &Ticket, is_by_two: bool) -> Result<u8, Refusal> {
    // What was given back already is not given back again, here or elsewhere: it was not paid.
    if is_given_back(ticket) {
        return Err(Refusal::MoneyGivenBack);
    }
    match named.check_claim(ticket) {
        Ok(()) => Ok(ON_CODE),
        Err(Refusal::ClaimCodeNeeded) if is_by_two && ticket.confirmed_copy < ticket.copy => {
            Ok(ON_UNCONFIRMED)
        }
        Err(refusal) => Err(refusal),
    }
}

/// Refuses that one person cancels alone more than the rules of the ticket say.
fn must_suffice(
    judge: &mut Judge<'_>,
    ticket: &Ticket,
    (badge, second): (&str, Option<&str>),
) -> Result<(), Stop> {
    if let Some(second) = second {
        let two = (badge, second, None);
        return Ok(must_not_be_own(
            judge,
            Operation::Cancel,
            &ticket.badge,
            two,
        )?);
    }
    let payout = rules_of(judge, ticket)?.rules.payout;
    if payout.is_cancelled_by_two(ticket.sale.total_cents) {
        return Err(Refusal::SecondPersonNeeded.into());
    }
    Ok(())
}

impl CancelOrder {
    /// Why a ticket is cancelled, as it is recorded.
    pub const REASONS: [(&'static str, u8); 5] = [
        ("changed_mind", 1),
        ("keyed_wrong", 2),
        ("printed_badly", 3),
        ("not_paid", 4),
        ("other", 5),
    ];

    /// Cancels a ticket before its first draw closes; the wager is given back in the tender of the
    /// sale.
    ///
    /// # Errors
    /// A refusal or a fault; nothing was recorded unless it is [`Stop::Broke`].
    pub async fn cancel(
        &self,
        central: &Central,
        caller: &Caller,
    ) -> Result<Recorded<TicketCancelled>, Stop> {
        caller.may(Operation::Cancel)?;
        if let Some(second) = &self.second {
            must_be_second(central, Operation::Cancel, caller, second)?;
        }
        let reason = reason_of(&Self::REASONS, &self.reason)?;
        // Of a leaf that one person names, nothing is told.
        if self.second.is_none() && !matches!(self.named, Named::Paper(_)) {
            return Err(Refusal::ClaimCodeNeeded.into());
        }
        let ticket = self.named.must_find(central)?;
        let is_by_two = self.second.is_some();
        cancel_on(&self.named, &ticket, is_by_two)?;
        let (number, copy) = (ticket.number, ticket.copy);
        let key = CommandKey {
            device: caller.device.device,
            session: self.session,
            counter: self.counter,
        };
        let content = ContentHash::of("cancel")
            .number(big(number))
            .number(i64::from(reason))
            .finish();
        let (device, badge) = (caller.device.device, caller.badge.clone());
        let second = self.second.as_ref().map(|second| second.badge.clone());
        let named = self.named.clone();
        let (leaf, repeated) = central
            .sequencer
            .submit(Lane::Money, move |judge| {
                if let Some(leaf) = judge_key(judge, &key, KeyKind::Cancellation, &content)? {
                    return Ok((leaf, true));
                }
                let (shift, _) = till_of(judge, device)?;
                let ticket = ticket_named(judge, &named, number)?;
                if ticket.copy != copy {
                    return Err(Refusal::CopyReplaced.into());
                }
                must_be_sold(&ticket)?;
                let first = ticket.first_draw;
                let state = judge.state.draws.get(&first).map(|draw| draw.state);
                if state != Some(DrawState::Open) {
                    return Err(Refusal::CancelAfterClose { draw: first }.into());
                }
                must_not_be_paid(judge, &ticket)?;
                let on = cancel_on(&named, &ticket, is_by_two)?;
                must_suffice(judge, &ticket, (&badge, second.as_deref()))?;
                let leaf = judge.record(TicketCancelled {
                    first_draw: first,
                    ticket: number,
                    key,
                    content_hash: content,
                    reason,
                    refund_cents: ticket.sale.total_cents,
                    tender: ticket.sale.tender,
                    badge: badge.clone(),
                    shift,
                    on,
                    second: second.clone(),
                })?;
                Ok((leaf, false))
            })
            .await?;
        Ok(Recorded::read(central, leaf, repeated)?)
    }
}
