//! Payment of prizes and refunds: each (ticket, draw) once; the amount shown is the amount paid,
//! or nothing.

use std::collections::BTreeMap;

use keno_game::{DrawState, PaidKind, PayoutThresholds, Tender};
use keno_log::event::{PaidItem, PaymentReversed, PrizePaid};
use keno_log::{CommandKey, Event, Hash};
use keno_record::calendar::day_text;
use keno_record::fault::Fault;
use keno_record::roles::DeviceRole;
use keno_record::sequencer::{Judge, Lane};
use keno_record::state::KeyKind;
use keno_record::store::{big, payments};
use keno_record::ticket::Ticket;
use keno_schema::rows::PaymentRow;

use crate::authority::Operation;
use crate::authority::identity::Caller;
use crate::central::Central;
use crate::central::pin_door::Recognised;
use crate::counter::check::closes_at;
use crate::counter::deadline::{Claims, Extensions};
use crate::counter::ground::{Ground, ground_without_code, typed_takes_two};
use crate::counter::key::{ContentHash, Recorded, judge_key};
use crate::counter::owed::{Due, due_of, rules_of, tier_cents};
use crate::counter::paper::Named;
use crate::counter::ticket::{
    already_paid, fact_of, is_held, must_be_sold, ticket_named, ticket_of,
};
use crate::counter::till::till_of;
use crate::refusal::Refusal;
use crate::staff::acting::must_not_be_own;
use crate::staff::two_people::must_be_second;
use crate::{Stop, bounds};

/// A request to pay.
#[derive(Debug, Clone)]
pub struct PayOrder {
    /// Counter of the device's key.
    pub counter: u64,
    /// Session of the device's key.
    pub session: u64,
    /// What the paper says, or the leaf that stands for its code.
    pub paper: Named,
    /// Draws and the amounts that were shown.
    pub items: Vec<(u64, i64)>,
    /// Second person, already recognised.
    pub second: Option<Recognised>,
}

/// Within so many milliseconds claims are linked: 24 consecutive hours.
const LINKED_WITHIN_MS: i64 = 24 * 3_600_000;
/// Payments at one till are linked from this part of the limit on: what is smaller would name every
/// patron of a busy day.
const CONSIDERABLE: i64 = 10;

fn content_hash(order: &PayOrder, ticket: u64) -> Hash {
    let mut content = ContentHash::of("pay").number(big(ticket));
    for (draw, cents) in &order.items {
        content = content.optional(Some(*draw)).number(*cents);
    }
    content.finish()
}

/// Cash rounding to five cents: what is handed over minus what is owed.
pub fn cash_rounding(cents: i64) -> i64 {
    match cents.rem_euclid(5) {
        0 => 0,
        1 => -1,
        2 => -2,
        3 => 2,
        _ => 1,
    }
}

/// Whether two people pay: from an amount of the rules on, and a ticket whose holder was not paid
/// once. That leaves the decision to a supervisor, whatever the amount.
pub(crate) fn takes_two(second_from_cents: i64, tier_cents: i64, was_refused: bool) -> bool {
    was_refused || tier_cents >= second_from_cents
}

/// Judges one item against the record.
fn judge_item(
    judge: &mut Judge<'_>,
    ticket: &Ticket,
    draw: u64,
    shown: i64,
    claims: &Claims,
) -> Result<Due, Stop> {
    if draw < ticket.first_draw || draw > ticket.last_draw {
        return Err(Refusal::DrawNotOfTicket { draw }.into());
    }
    let (due, live) = due_of(judge, ticket, draw)?;
    // A refund has a deadline as a prize has.
    if due.is_some() && claims.is_over(draw, &live.leaves) {
        let day = day_text(claims.until(&live.leaves));
        return Err(Refusal::ClaimExpired { day }.into());
    }
    let Some(due) = due else {
        return Err(match live.state {
            DrawState::Scheduled | DrawState::Open => Refusal::NotDrawnYet { draw },
            _ => Refusal::ResultNotOfficial { draw },
        }
        .into());
    };
    let payable = due.cents();
    if let Some((payment, _)) = ticket.paid(Some(draw)) {
        return Err(already_paid(judge, &payment, draw).into());
    }
    if payable == 0 {
        return Err(Refusal::NothingToPay.into());
    }
    if payable != shown {
        return Err(Refusal::AmountChanged {
            draw,
            shown,
            payable,
        }
        .into());
    }
    Ok(due)
}

impl PayOrder {
    /// Pays prizes and refunds of a ticket.
    ///
    /// # Errors
    /// A refusal in the order of [`Refusal`], or a fault; nothing was recorded unless it is
    /// [`Stop::Broke`].
    pub async fn pay(
        &self,
        central: &Central,
        caller: &Caller,
    ) -> Result<Recorded<PrizePaid>, Stop> {
        caller.may(Operation::Pay)?;
        if let Some(second) = &self.second {
            must_be_second(central, Operation::Pay, caller, second)?;
        }
        let ticket = self.paper.must_find(central)?;
        // Whoever pays holds the paper, however many people agree.
        let without_code = match &self.paper {
            Named::File(_) => Some(self.paper.clone()),
            Named::Reference(leaf) if *leaf != ticket.number => Some(self.paper.clone()),
            named => {
                named.check_claim(&ticket)?;
                None
            }
        };
        let key = CommandKey {
            device: caller.device.device,
            session: self.session,
            counter: self.counter,
        };
        let number = ticket.number;
        let content = content_hash(self, number);
        let items = self.items.clone();
        let (caller, second) = (caller.clone(), self.second.clone());
        let closes = closes_at(central, ticket.first_draw)?;
        let named = self.paper.clone();
        let line = central.follower.as_ref();
        let is_another_named =
            line.is_some_and(|line| line.is_another_named(&central.view.get().following));
        let (leaf, repeated) = central
            .sequencer
            .submit(Lane::Money, move |judge| {
                if let Some(leaf) = judge_key(judge, &key, KeyKind::Payment, &content)? {
                    return Ok((leaf, true));
                }
                let payment = PaymentInHand {
                    caller: &caller,
                    second: second.as_ref(),
                    key,
                    content,
                    first_closes_at_ms: closes,
                    without_code: without_code.clone(),
                    is_typed: named.is_typed(),
                    is_another_named,
                };
                let ticket = ticket_named(judge, &named, number)?;
                if without_code.is_none() {
                    // Another counter may have made a duplicate meanwhile.
                    named.check_claim(&ticket)?;
                }
                judge_payment(judge, &ticket, &items, &payment).map(|leaf| (leaf, false))
            })
            .await?;
        Ok(Recorded::read(central, leaf, repeated)?)
    }
}

impl Recorded<PrizePaid> {
    /// What the claims linked to a payment come to, from `payout.federal_report` of the ticket's
    /// rules on. Nobody is known to be the same claimant; what the house sees is linked: payments
    /// of the same ticket, and, of a tenth of that amount or more, payments at one till, whatever
    /// is sold between; all within 24 consecutive hours up to this one and not reversed.
    ///
    /// # Errors
    /// A fault.
    pub fn report_cents(&self, central: &Central) -> Result<Option<i64>, Fault> {
        let reader = &mut *central.readers.get()?;
        let view = central.view.get();
        let Some(ticket) = Ticket::read(reader, self.event.ticket)? else {
            return Ok(None);
        };
        let rules = view.rule_books.get(&ticket.sale.rule_book);
        let Some(from) = rules.map(|rules| rules.rules.payout.federal_report.get()) else {
            return Ok(None);
        };
        let since_ms = self.at_ms.saturating_sub(LINKED_WITHIN_MS);
        let is_linked = |row: &PaymentRow| {
            row.number <= self.leaf && row.paid_at_ms > since_ms && row.reversed_leaf.is_none()
        };
        let mut linked: BTreeMap<u64, i64> = ticket
            .payments()
            .into_iter()
            .filter(|(row, _)| is_linked(row))
            .map(|(row, _)| (row.number, row.total_cents))
            .collect();
        let opened = view
            .shifts
            .get(&self.event.shift)
            .map(|shift| shift.opened_leaf);
        let first = opened.unwrap_or(self.leaf);
        let at_till = payments::of_shift(reader, self.event.shift, first, self.leaf)?;
        let sum_of = |linked: &BTreeMap<u64, i64>| {
            let cents = linked.values();
            cents.fold(0_i64, |sum, cents| sum.saturating_add(*cents))
        };
        let is_considerable = |cents: i64| cents >= from / CONSIDERABLE;
        if is_considerable(sum_of(&linked)) {
            let at_till = at_till.iter().filter(|row| is_linked(row));
            let paid = at_till.map(|row| (row.number, row.total_cents));
            linked.extend(paid.filter(|(_, cents)| is_considerable(*cents)));
        }
        let sum = sum_of(&linked);
        Ok((sum >= from).then_some(sum))
    }
}

impl Caller {
    /// Two people undo a payment that was not handed over, in the same shift and at the till that
    /// paid.
    ///
    /// # Errors
    /// A refusal or a fault.
    pub async fn reverse_payment(
        &self,
        central: &Central,
        second: &Recognised,
        payment: u64,
        reason: &str,
    ) -> Result<u64, Stop> {
        self.may(Operation::ReversePayment)?;
        must_be_second(central, Operation::ReversePayment, self, second)?;
        bounds::reason("reason", reason)?;
        let (by, second, reason) = (self.badge.clone(), second.badge.clone(), reason.to_owned());
        let (device, session) = (self.device.device, self.session);
        central
            .sequencer
            .submit(Lane::Money, move |judge| {
                let here = judge.state.sessions.get(&session);
                if here.is_none_or(|session| session.device != device) {
                    return Err(Refusal::SessionEnded.into());
                }
                let of = fact_of(judge, payment)?.and_then(|fact| match fact.event {
                    Event::PrizePaid(body) => Some(body.ticket),
                    _ => None,
                });
                let ticket = ticket_of(judge, of.ok_or(Refusal::PaymentUnknown)?)?;
                let mut paid = ticket.payments().into_iter();
                let paid = paid.find(|(row, _)| row.number == payment);
                let (row, _) = paid.ok_or(Refusal::PaymentUnknown)?;
                if row.reversed_leaf.is_some() {
                    return Err(Refusal::PaymentReversed.into());
                }
                let two = (by.as_str(), second.as_str(), None);
                must_not_be_own(judge, Operation::ReversePayment, &ticket.badge, two)?;
                let shift = row.shift;
                let Some(till) = judge.state.shifts.get(&shift) else {
                    return Err(Refusal::PaymentOtherShift.into());
                };
                // The cash comes back to where it left, under the eyes of who paid it.
                if till.device != device {
                    let of = judge.state.devices.get(&till.device);
                    return Err(Refusal::PaymentOtherTill {
                        device: of.map_or_else(String::new, |device| device.name.clone()),
                    }
                    .into());
                }
                let cash_cents = if row.tender == Tender::Cash {
                    row.total_cents + row.rounding_cents
                } else {
                    0
                };
                Ok(judge.record(PaymentReversed {
                    payment,
                    ticket: row.ticket,
                    reason: reason.clone(),
                    by: by.clone(),
                    second: second.clone(),
                    shift,
                    cash_cents,
                })?)
            })
            .await
    }
}

struct PaymentInHand<'a> {
    caller: &'a Caller,
    second: Option<&'a Recognised>,
    key: CommandKey,
    content: Hash,
    first_closes_at_ms: Option<i64>,
    /// What stands for the code.
    without_code: Option<Named>,
    /// The number and the 20 signs were typed.
    is_typed: bool,
    /// The record names another follower than the house file.
    is_another_named: bool,
}

impl PaymentInHand<'_> {
    /// Whether two people pay it because the signs of the paper were typed.
    fn is_typed_by_two(
        &self,
        judge: &mut Judge<'_>,
        limits: &PayoutThresholds,
        tier: i64,
    ) -> Result<bool, Fault> {
        let now = (&judge.state.people, judge.calendar, judge.now_ms);
        let badge = &self.caller.badge;
        Ok(self.is_typed && typed_takes_two(judge.connection, now, badge, (limits, tier))?)
    }
}

fn judge_payment(
    judge: &mut Judge<'_>,
    ticket: &Ticket,
    items: &[(u64, i64)],
    payment: &PaymentInHand<'_>,
) -> Result<u64, Stop> {
    let (shift, _) = till_of(judge, payment.caller.device.device)?;
    must_be_sold(ticket)?;
    if let Some(second) = payment.second {
        let two = (payment.caller.badge.as_str(), second.badge.as_str(), None);
        must_not_be_own(judge, Operation::Pay, &ticket.badge, two)?;
    }
    if is_held(ticket, payment.first_closes_at_ms, judge.now_ms) {
        return Err(Refusal::TicketHeld.into());
    }
    if items.is_empty() {
        return Err(Refusal::NothingToPay.into());
    }
    // In time is judged by when the draw was presented (s. 86): queues and outages do not cost a
    // patron the prize.
    let extensions = Extensions::of(judge, ticket.sale.rule_book);
    let claims = Claims::of(extensions, judge.now_ms, ticket);
    let limits = rules_of(judge, ticket)?.rules.payout;
    let tier = tier_cents(judge, ticket)?;
    let must_be_followed = |judge: &Judge<'_>| {
        let is_large = tier >= limits.second_person.get();
        let mut draws = items.iter().map(|(draw, _)| *draw);
        // What another agreed to releases nothing that is large.
        if payment.is_another_named
            && is_large
            && limits.second_computation.is_some()
            && let Some(draw) = draws.next()
        {
            return Err(Refusal::SecondComputationAwaited { draw });
        }
        match judge.state.following.holds_up(draws, is_large) {
            Some((draw, true)) => Err(Refusal::DrawDiffers { draw }),
            Some((draw, false)) => Err(Refusal::SecondComputationAwaited { draw }),
            None => Ok(()),
        }
    };
    // Before an amount is judged, which nobody is told while it may be another; who has no code is not
    // told either how much it is.
    if payment.without_code.is_none() {
        must_be_followed(judge)?;
    }
    let mut seen = std::collections::BTreeSet::new();
    let mut paid = Vec::with_capacity(items.len());
    let (mut total, mut refunds) = (0_i64, 0_usize);
    for &(draw, shown) in items {
        if !seen.insert(draw) {
            return Err(Refusal::DrawListedTwice { draw }.into());
        }
        let (kind, cents) = match judge_item(judge, ticket, draw, shown, &claims)? {
            Due::Prize(cents) => (PaidKind::Prize, cents),
            Due::Refund(cents) => (PaidKind::Refund, cents),
        };
        refunds += usize::from(kind == PaidKind::Refund);
        total = total
            .checked_add(cents)
            .ok_or_else(|| Fault::Record("a payment beyond what can be counted".to_owned()))?;
        paid.push(PaidItem {
            draw,
            kind: kind.number(),
            amount_cents: cents,
        });
    }
    // A prize is paid in cash; a refund goes back in the tender of the sale.
    let cash = Tender::Cash.number();
    let tender = if refunds == 0 {
        cash
    } else if refunds == paid.len() || ticket.sale.tender == cash {
        ticket.sale.tender
    } else {
        return Err(Refusal::MixedTenders.into());
    };
    // The cage is a place: a badge does not take it to another counter.
    let is_at_cage = payment.caller.device.role == DeviceRole::Cage;
    if tier >= limits.cage.get() && !is_at_cage {
        return Err(Refusal::CageOnly.into());
    }
    // A holder who was not paid once leaves the decision to a supervisor, whatever the amount.
    let was_refused = ticket.refused_reason().is_some();
    let ground = match &payment.without_code {
        Some(named) => ground_without_code(judge, named, payment.caller)?,
        None => Ground::of_code(payment.is_typed),
    };
    ground.must_suffice(judge, ticket, &payment.caller.badge, tier)?;
    must_be_followed(judge)?;
    let by_two = takes_two(limits.second_person.get(), tier, was_refused);
    if payment.second.is_none() && (by_two || payment.is_typed_by_two(judge, &limits, tier)?) {
        return Err(Refusal::SecondPersonNeeded.into());
    }
    let rounding_cents = if tender == cash {
        cash_rounding(total)
    } else {
        0
    };
    Ok(judge.record(PrizePaid {
        ticket: ticket.number,
        key: payment.key,
        content_hash: payment.content,
        items: paid,
        total_cents: total,
        tender,
        rounding_cents,
        path: ground.path,
        badge: payment.caller.badge.clone(),
        second: payment.second.map(|second| second.badge.clone()),
        shift,
    })?)
}

#[cfg(test)]
mod tests {
    use super::cash_rounding;

    #[test]
    fn cash_is_rounded_to_five_cents() {
        for (cents, handed) in [
            (100, 100),
            (101, 100),
            (102, 100),
            (103, 105),
            (104, 105),
            (105, 105),
        ] {
            assert_eq!(cents + cash_rounding(cents), handed);
        }
    }
}
