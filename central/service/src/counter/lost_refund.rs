//! Tickets whose record a restore lost: their price is given back on the record, once, by two
//! people (`RULES.md`, "Lost tickets").

use keno_game::{RuleBook, Tender};
use keno_log::CommandKey;
use keno_log::event::LostTicketRefunded;
use keno_record::fault::Fault;
use keno_record::roles::DeviceRole;
use keno_record::sequencer::{Judge, Lane};
use keno_record::state::{KeyKind, State};
use keno_record::store::leaves::body_at;
use keno_record::store::tickets;

use crate::authority::Operation;
use crate::authority::identity::Caller;
use crate::central::Central;
use crate::central::pin_door::Recognised;
use crate::counter::check::shift_place;
use crate::counter::key::{ContentHash, Recorded, judge_key};
use crate::counter::paper::Paper;
use crate::counter::till::till_of;
use crate::refusal::Refusal;
use crate::staff::two_people::must_be_second;
use crate::{Stop, bounds};

/// A request to refund a ticket that a restore lost.
#[derive(Debug, Clone)]
pub struct LostRefundOrder {
    /// Counter of the device's key.
    pub counter: u64,
    /// Session of the device's key.
    pub session: u64,
    /// What the paper says.
    pub paper: Paper,
    /// The price on the paper.
    pub amount_cents: i64,
    /// The tender on the paper.
    pub tender: String,
    /// How the two found out what was paid, in words.
    pub reason: String,
    /// Second person, already recognised.
    pub second: Recognised,
}

/// What the rules say of price and tender. The book that the ticket was sold under is lost, so
/// any version may have been it.
fn judge_terms(state: &State, amount_cents: i64, tender: &str) -> Result<Tender, Refusal> {
    let books = || state.rule_books.values().map(|published| &published.rules);
    let most = books().map(RuleBook::most_of_a_ticket).max().unwrap_or(0);
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    if !(1..=most).contains(&amount_cents) {
        return Err(Refusal::AmountInvalid { most });
    }
    let tender = Tender::from_code(tender).ok_or(Refusal::TenderUnknown)?;
    if !books().any(|rules| rules.tenders.contains(&tender)) {
        return Err(Refusal::TenderNotAccepted);
    }
    Ok(tender)
}

/// True from the lowest limit on that any version sets for the cage.
fn is_for_the_cage(state: &State, amount_cents: i64) -> bool {
    let limits = state.rule_books.values();
    let lowest = limits.map(|book| book.rules.payout.cage.get()).min();
    lowest.is_some_and(|lowest| amount_cents >= lowest)
}

/// The refusal that says when, where and by whom a lost ticket was refunded.
fn already_refunded(judge: &mut Judge<'_>, leaf: u64) -> Result<Refusal, Stop> {
    judge.settle_rows()?;
    let (refunded, at_ms) = body_at::<LostTicketRefunded>(judge.connection, leaf)?;
    let device = judge.state.devices.get(&refunded.key.device);
    Ok(Refusal::LostRefunded {
        at: judge.calendar.minute_text(at_ms),
        device: device.map(|device| device.name.clone()).unwrap_or_default(),
        by: refunded.badge,
        second: refunded.second,
    })
}

impl LostRefundOrder {
    /// Two people give the price of a ticket back whose record a restore lost, out of the till at
    /// the caller's device, against its paper.
    ///
    /// # Errors
    /// A refusal in the order of [`Refusal`], or a fault; nothing was recorded unless it is
    /// [`Stop::Broke`].
    pub async fn refund(
        &self,
        central: &Central,
        caller: &Caller,
    ) -> Result<Recorded<LostTicketRefunded>, Stop> {
        caller.may(Operation::RefundLost)?;
        must_be_second(central, Operation::RefundLost, caller, &self.second)?;
        let key = CommandKey {
            device: caller.device.device,
            session: self.session,
            counter: self.counter,
        };
        let place = self.paper.place(&central.keys, &central.house_code);
        let content = ContentHash::of("lost")
            .number(i64::from(place.series))
            .number(i64::try_from(place.leaf).unwrap_or(i64::MAX))
            .number(self.amount_cents)
            .text(&self.tender)
            .text(&self.reason)
            .finish();
        let (caller, order) = (caller.clone(), self.clone());
        // An epoch is opened by a restore, and never beside it.
        let lost = self.paper.lost_place(central);
        let (leaf, repeated) = central
            .sequencer
            .submit(Lane::Money, move |judge| {
                if let Some(leaf) = judge_key(judge, &key, KeyKind::LostRefund, &content)? {
                    return Ok((leaf, true));
                }
                let is_claimed = order.paper.is_claimed();
                if is_claimed && order.paper.true_claim().is_none() {
                    return Err(Refusal::NumberUnknown.into());
                }
                let (shift, _) = till_of(judge, key.device)?;
                let tender = judge_terms(judge.state, order.amount_cents, &order.tender)?;
                // A ticket that is in the record is paid, cancelled or refunded as any other,
                // whatever the code on this paper is.
                judge.settle_rows()?;
                if let Some(leaf) = judge.state.epochs.leaf(place)
                    && tickets::find(judge.connection, leaf)?.is_some()
                {
                    return Err(Refusal::TicketNotLost.into());
                }
                if !is_claimed {
                    return Err(Refusal::ClaimCodeNeeded.into());
                }
                let (sold_epoch, lost_leaf) = lost.ok_or(Refusal::NothingLost)?;
                let before = judge.state.lost_refunds.get(&(sold_epoch, lost_leaf));
                if let Some(leaf) = before.copied() {
                    return Err(already_refunded(judge, leaf)?.into());
                }
                bounds::reason("reason", &order.reason)?;
                if is_for_the_cage(judge.state, order.amount_cents)
                    && caller.device.role != DeviceRole::Cage
                {
                    return Err(Refusal::CageOnly.into());
                }
                let leaf = judge.record(LostTicketRefunded {
                    key,
                    content_hash: content,
                    sold_epoch,
                    lost_leaf,
                    amount_cents: order.amount_cents,
                    tender: tender.number(),
                    reason: order.reason.clone(),
                    badge: caller.badge.clone(),
                    second: order.second.badge.clone(),
                    shift,
                })?;
                Ok((leaf, false))
            })
            .await?;
        Ok(Recorded::read(central, leaf, repeated)?)
    }
}

impl Paper {
    /// The refund of the lost ticket of this number, if there was one, and its moment.
    ///
    /// # Errors
    /// A fault.
    pub fn lost_refund(
        &self,
        central: &Central,
    ) -> Result<Option<(LostTicketRefunded, i64)>, Fault> {
        let view = central.view.get();
        let lost = self.lost_from(central, &view.epochs);
        let Some(leaf) = lost.and_then(|lost| view.lost_refunds.get(&lost)) else {
            return Ok(None);
        };
        body_at(&mut *central.readers.get()?, *leaf).map(Some)
    }

    /// For people who look a number up that is in no record: who refunded it, and when, if it was
    /// lost and refunded.
    ///
    /// # Errors
    /// [`Refusal::LostRefunded`], [`Refusal::NumberUnknown`], or a fault.
    pub fn why_unknown(&self, central: &Central) -> Result<Refusal, Fault> {
        Ok(match self.lost_refund(central)? {
            None => Refusal::NumberUnknown,
            Some((refunded, at_ms)) => Refusal::LostRefunded {
                at: central.calendar.minute_text(at_ms),
                device: shift_place(central, refunded.shift),
                by: refunded.badge,
                second: refunded.second,
            },
        })
    }
}
