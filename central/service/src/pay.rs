//! Payment of prizes and refunds: each (ticket, draw) once; the amount shown is the amount paid,
//! or nothing.

use keno_game::{DrawState, Tender};
use keno_log::event::{PaidItem, PaymentReversed, PrizePaid};
use keno_log::{CommandKey, Event, Hash};
use keno_schema::rows::{PaymentRow, TicketRow};

use crate::calendar::day_text;
use crate::central::Central;
use crate::claim::{Paper, check_claim};
use crate::fault::{Fault, Stop};
use crate::identity::{Caller, Role, TILL_ROLES, has_any};
use crate::people::Recognised;
use crate::planted::{Plant, planted};
use crate::refusal::Refusal;
use crate::sell::{ContentHash, judge_key};
use crate::sequencer::{Judge, Lane};
use crate::state::KeyKind;
use crate::store::{big, draws, payments, unbig};
use crate::till::till_of;
use crate::withdraw::{event_at, is_held, must_be_sold, ticket_row};

/// A request to pay.
#[derive(Debug, Clone)]
pub struct PayOrder {
    /// Counter of the device's key.
    pub counter: u64,
    /// Session of the device's key.
    pub session: u64,
    /// What the paper says.
    pub paper: Paper,
    /// Draws and the amounts that were shown.
    pub items: Vec<(u64, i64)>,
    /// Second person, already recognised.
    pub second: Option<Recognised>,
}

/// A payment as recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paid {
    /// Leaf of the fact.
    pub leaf: u64,
    /// The event.
    pub event: PrizePaid,
    /// When.
    pub at_ms: i64,
    /// True when the key had been answered before.
    pub repeated: bool,
}

/// Paying by claim code.
const PATH_CODE: u8 = 1;
/// Paying by control number under supervision (s. 83).
const PATH_SUPERVISED: u8 = 2;

/// Roles that may be second person at a payment.
pub const SECOND_ROLES: [Role; 2] = [Role::Supervisor, Role::Cage];

fn content_hash(order: &PayOrder, ticket: i64) -> Hash {
    let mut content = ContentHash::of("pay").number(ticket);
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

/// What one draw of a ticket owes, as the writer sees it.
enum Due {
    Prize(i64),
    Refund(i64),
}

/// The refusal that says when and where a draw of a ticket was paid.
fn already_paid(judge: &Judge<'_>, payment: &PaymentRow, draw: u64) -> Refusal {
    Refusal::AlreadyPaid {
        draw,
        at: judge.calendar.minute_text(payment.paid_at_ms),
        device: judge
            .state
            .shifts
            .get(&unbig(payment.shift))
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
pub(crate) fn must_not_be_paid(judge: &mut Judge<'_>, ticket: i64) -> Result<(), Stop> {
    let paid = payments::of_ticket(judge.connection, ticket)?;
    match paid.iter().find(|(_, item)| item.reversed == 0) {
        Some((payment, item)) => Err(already_paid(judge, payment, unbig(item.draw)).into()),
        None => Ok(()),
    }
}

/// Judges one item against the record.
fn judge_item(
    judge: &mut Judge<'_>,
    row: &TicketRow,
    draw: u64,
    shown: i64,
    claim_over: bool,
) -> Result<Due, Stop> {
    if big(draw) < row.first_draw || big(draw) > row.last_draw {
        return Err(Refusal::DrawNotOfTicket { draw }.into());
    }
    let state = match judge.state.draws.get(&draw) {
        Some(draw) => Some(draw.state),
        None => draws::full(judge.connection, big(draw))?
            .and_then(|(row, _, _)| u8::try_from(row.state).ok())
            .and_then(DrawState::from_code),
    };
    let due = match state {
        None | Some(DrawState::Scheduled | DrawState::Open) => {
            return Err(Refusal::NotDrawnYet { draw }.into());
        }
        Some(DrawState::Void) => Due::Refund(row.per_draw_cents),
        Some(DrawState::Settled) => {
            let prize = payments::prizes_of(judge.connection, row.number, big(draw), big(draw))?;
            match prize.first() {
                Some(prize) if prize.expired_leaf.is_none() && !claim_over => {
                    Due::Prize(prize.payable_cents)
                }
                Some(_) => {
                    return Err(Refusal::ClaimExpired {
                        day: day_text(u32::try_from(row.claim_by).unwrap_or(0)),
                    }
                    .into());
                }
                None => Due::Prize(0),
            }
        }
        Some(_) => return Err(Refusal::ResultNotOfficial { draw }.into()),
    };
    let (Due::Prize(payable) | Due::Refund(payable)) = due;
    let paid = payments::of_ticket(judge.connection, row.number)?;
    if let Some((payment, _)) = paid
        .iter()
        .find(|(_, item)| {
            item.draw == big(draw) && (item.reversed == 0 || planted(Plant::ReversedStaysPaid))
        })
        .filter(|_| !planted(Plant::PaidTwice))
    {
        return Err(already_paid(judge, payment, draw).into());
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

impl Central {
    /// Pays prizes and refunds of a ticket.
    ///
    /// # Errors
    /// A refusal in the order of [`Refusal`], or a fault; nothing was recorded unless it is
    /// [`Stop::Broke`].
    pub async fn pay(&self, caller: &Caller, order: &PayOrder) -> Result<Paid, Stop> {
        caller.must_be(&TILL_ROLES)?;
        if let Some(second) = &order.second
            && second.badge == caller.badge
        {
            return Err(Refusal::SamePersonTwice.into());
        }
        let row = self
            .find_ticket(&order.paper.number)?
            .ok_or(Refusal::NumberUnknown)?;
        let path = match check_claim(&self.keys, &self.house_code, &order.paper, &row) {
            Ok(()) => PATH_CODE,
            // The bare number is the supervised path of s. 83.
            Err(Refusal::ClaimCodeNeeded)
                if order
                    .second
                    .as_ref()
                    .is_some_and(|second| has_any(&second.roles, &[Role::Supervisor])) =>
            {
                PATH_SUPERVISED
            }
            Err(refusal) => return Err(refusal.into()),
        };
        let key = CommandKey {
            device: caller.device.device,
            session: order.session,
            counter: order.counter,
        };
        let number = row.number;
        let content = content_hash(order, number);
        let items = order.items.clone();
        let (caller, second) = (caller.clone(), order.second.clone());
        let closes = self.closes_at(unbig(row.first_draw))?;
        let (leaf, repeated) = self
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
                    path,
                    first_closes_at_ms: closes,
                };
                judge_payment(judge, number, &items, &payment).map(|leaf| (leaf, false))
            })
            .await?;
        Ok(self.paid_before(leaf, repeated)?)
    }

    /// A payment read from the record.
    ///
    /// # Errors
    /// A fault.
    pub fn paid_before(&self, leaf: u64, repeated: bool) -> Result<Paid, Fault> {
        let mut reader = self.readers.get()?;
        match event_at(&mut reader, leaf)? {
            (Event::PrizePaid(event), at_ms) => Ok(Paid {
                leaf,
                event,
                at_ms,
                repeated,
            }),
            _ => Err(Fault::Record(format!("leaf {leaf} is not a payment"))),
        }
    }

    /// Two people undo a payment that was not handed over, in the same shift.
    ///
    /// # Errors
    /// A refusal or a fault.
    pub async fn reverse_payment(
        &self,
        caller: &Caller,
        second: &str,
        payment: u64,
        reason: &str,
    ) -> Result<u64, Stop> {
        caller.must_be(&TILL_ROLES)?;
        if caller.badge == second {
            return Err(Refusal::SamePersonTwice.into());
        }
        if reason.trim().is_empty() {
            return Err(Refusal::ReasonNeeded.into());
        }
        let (by, second, reason) = (caller.badge.clone(), second.to_owned(), reason.to_owned());
        self.sequencer
            .submit(Lane::Money, move |judge| {
                judge.settle_rows()?;
                let row = payments::find(judge.connection, big(payment))?
                    .ok_or(Refusal::PaymentUnknown)?;
                if row.reversed_leaf.is_some() {
                    return Err(Refusal::PaymentReversed.into());
                }
                let shift = unbig(row.shift);
                if !judge.state.shifts.contains_key(&shift) {
                    return Err(Refusal::PaymentOtherShift.into());
                }
                let cash_cents = if row.tender == i16::from(Tender::Cash.number()) {
                    row.total_cents + row.rounding_cents
                } else {
                    0
                };
                Ok(judge.record(PaymentReversed {
                    payment,
                    ticket: unbig(row.ticket),
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
    path: u8,
    first_closes_at_ms: Option<i64>,
}

fn judge_payment(
    judge: &mut Judge<'_>,
    number: i64,
    items: &[(u64, i64)],
    payment: &PaymentInHand<'_>,
) -> Result<u64, Stop> {
    let (shift, _) = till_of(judge, payment.caller.device.device)?;
    let row = ticket_row(judge, number)?;
    must_be_sold(&row)?;
    if is_held(&row, payment.first_closes_at_ms, judge.now_ms) && !planted(Plant::HeldPaid) {
        return Err(Refusal::TicketHeld.into());
    }
    if items.is_empty() {
        return Err(Refusal::NothingToPay.into());
    }
    // In time is judged by when the ticket was presented (s. 86): queues and outages do not
    // cost a patron the prize.
    let presented = row.presented_at_ms.unwrap_or(judge.now_ms);
    let claim_over = i64::from(judge.calendar.business_day(presented)) > row.claim_by;
    let mut seen = std::collections::BTreeSet::new();
    let mut paid = Vec::with_capacity(items.len());
    let (mut total, mut refunds) = (0_i64, 0_usize);
    for &(draw, shown) in items {
        if !seen.insert(draw) {
            return Err(Refusal::DrawListedTwice { draw }.into());
        }
        let (kind, cents) = match judge_item(judge, &row, draw, shown, claim_over)? {
            Due::Prize(cents) => (1, cents),
            Due::Refund(cents) => (2, cents),
        };
        refunds += usize::from(kind == 2);
        total = total
            .checked_add(cents)
            .ok_or_else(|| Fault::Record("a payment beyond what can be counted".to_owned()))?;
        paid.push(PaidItem {
            draw,
            kind,
            amount_cents: cents,
        });
    }
    // A prize is paid in cash; a refund goes back in the tender of the sale.
    let sale_tender = u8::try_from(row.tender).unwrap_or(1);
    let cash = Tender::Cash.number();
    let tender = if refunds == 0 {
        cash
    } else if refunds == paid.len() || sale_tender == cash {
        sale_tender
    } else {
        return Err(Refusal::MixedTenders.into());
    };
    let limits = u32::try_from(row.rule_book)
        .ok()
        .and_then(|version| judge.state.rule_books.get(&version))
        .map(|rules| rules.rules.payout)
        .ok_or_else(|| Fault::Record(format!("ticket {number} has no rule book")))?;
    if total >= limits.cage.get() && !has_any(&payment.caller.roles, &[Role::Cage]) {
        return Err(Refusal::CageOnly.into());
    }
    // A holder who was not paid once leaves the decision to a supervisor, whatever the amount.
    let was_refused = row.refused_reason.is_some() && !planted(Plant::RefusedPaidAlone);
    let by_two = was_refused || total >= limits.second_person.get();
    if by_two && payment.second.is_none() {
        return Err(Refusal::SecondPersonNeeded.into());
    }
    let rounding_cents = if tender == cash {
        cash_rounding(total)
    } else {
        0
    };
    Ok(judge.record(PrizePaid {
        ticket: unbig(number),
        key: payment.key,
        content_hash: payment.content,
        items: paid,
        total_cents: total,
        tender,
        rounding_cents,
        path: payment.path,
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
