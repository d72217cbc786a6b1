//! What can happen to a ticket besides being paid: cancelled, unpaid, printed, released,
//! duplicated, presented, found to differ.

use keno_record::store::log::event_at;
use std::collections::BTreeSet;

use keno_game::{DrawState, TicketState};
use keno_log::event::{
    ClaimPresented, DiscrepancyNoted, PaymentHeld, PrintConfirmed, TicketCancelled,
    TicketDuplicated, TicketReleased, TicketUnpaid,
};
use keno_log::{CommandKey, Event, EventKind};
use keno_schema::rows::TicketRow;

use crate::Stop;
use crate::acting::must_not_be_own;
use crate::authority::{Operation, second_roles};
use crate::bounds;
use crate::central::Central;
use crate::claim::{Named, Paper, check_claim};
use crate::damaged::{AFTERWARDS, BY_CODE, ground_without_code};
use crate::deadline::{Claims, Extensions, decided_at, draws_of, has_outcome};
use crate::hand_over::has_taken_since;
use crate::identity::{Caller, DeviceCaller};
use crate::patron::is_given_back;
use crate::pay::must_not_be_paid;
use crate::pins::Recognised;
use crate::refusal::Refusal;
use crate::sell::{ContentHash, judge_key};
use crate::till::till_of;
use keno_record::calendar::day_text;
use keno_record::fault::Fault;
use keno_record::planted::{Plant, planted};
use keno_record::roles::has_any;
use keno_record::sequencer::{Judge, Lane};
use keno_record::state::KeyKind;
use keno_record::store::{big, payments, tickets, unbig};

/// The paper of a sale; each duplicate counts on.
pub(crate) const FIRST_COPY: i16 = 1;

/// Done on the code of the ticket's living paper.
const ON_CODE: u8 = 1;
/// Done because the print of the ticket's newest paper was never confirmed.
const ON_UNCONFIRMED: u8 = 2;
/// Done on a file that was judged to be paid.
const ON_FILE: u8 = 3;

/// Why a payment is held: a paper that a duplicate replaced was shown.
pub const REPLACED_SHOWN: u8 = 3;

/// A ticket that was presented as a claim.
#[derive(Debug, Clone)]
pub struct Presented {
    /// Leaf of this presentation; of the first one when nothing was left to present.
    pub leaf: u64,
    /// When: the moment that counts.
    pub at_ms: i64,
    /// The draws whose prize or refund waits from here on, ascending.
    pub draws: Vec<u64>,
    /// The last day to claim the last of them, yyyymmdd.
    pub claim_until: u32,
    /// Something was left to present.
    pub is_first: bool,
    /// The ticket.
    pub row: TicketRow,
}

/// Why a ticket is cancelled.
pub const CANCEL_REASONS: [(&str, u8); 5] = [
    ("changed_mind", 1),
    ("keyed_wrong", 2),
    ("printed_badly", 3),
    ("not_paid", 4),
    ("other", 5),
];

/// How a print was confirmed.
pub const PRINT_MEANS: [(&str, u8); 3] = [("printer", 1), ("status", 2), ("clerk", 3)];

/// A ticket is held when its paper is unconfirmed so long after its first draw closed.
pub const HELD_AFTER_MS: i64 = 30_000;

/// A cancellation as recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cancelled {
    /// Leaf of the fact.
    pub leaf: u64,
    /// The event.
    pub event: TicketCancelled,
    /// When.
    pub at_ms: i64,
    /// True when the key had been answered before.
    pub repeated: bool,
}

/// On what two people replace a ticket's paper or say that it was never paid for: the code of the
/// living paper, or a print that was never confirmed. With anything else somebody may well hold a
/// paper of this ticket.
fn paper_or_unconfirmed(ticket: &Named, row: &TicketRow) -> Result<u8, Refusal> {
    match ticket.check_claim(row) {
        Ok(()) => Ok(ON_CODE),
        Err(Refusal::ClaimCodeNeeded | Refusal::CopyReplaced) if row.confirmed_copy < row.copy => {
            Ok(ON_UNCONFIRMED)
        }
        Err(refusal) => Err(refusal),
    }
}

/// On what a duplicate is made: as [`paper_or_unconfirmed`], or a file that is paid.
fn duplicate_on(
    judge: &mut Judge<'_>,
    named: &Named,
    row: &TicketRow,
    caller: &Caller,
) -> Result<u8, Stop> {
    let on = if matches!(named, Named::File(_)) {
        ground_without_code(judge, named, caller)?;
        ON_FILE
    } else {
        paper_or_unconfirmed(named, row)?
    };
    // What becomes of a sale that was put aside was said before anybody could know what is drawn.
    if on != ON_CODE && is_given_back(row) {
        return Err(Refusal::MoneyGivenBack.into());
    }
    Ok(on)
}

/// Holds a ticket of which a replaced paper was shown, if anything of it can still be paid.
fn hold_both(judge: &mut Judge<'_>, number: i64, badge: &str) -> Result<(), Stop> {
    let row = ticket_row(judge, number)?;
    let paid = payments::of_ticket(judge.connection, number)?;
    let is_paid = paid.iter().any(|(_, item)| item.reversed == 0);
    let was_looked_at = row.held_leaf.is_some() || row.released_leaf.is_some();
    if must_be_sold(&row).is_err() || is_paid || was_looked_at {
        return Ok(());
    }
    judge.record(PaymentHeld {
        ticket: unbig(number),
        draw: unbig(row.first_draw),
        reason: REPLACED_SHOWN,
        by: badge.to_owned(),
    })?;
    Ok(())
}

/// The ticket's row as the writer sees it, with everything of this batch.
pub fn ticket_row(judge: &mut Judge<'_>, ticket: i64) -> Result<TicketRow, Stop> {
    judge.settle_rows()?;
    tickets::find(judge.connection, ticket)?.ok_or_else(|| Refusal::NumberUnknown.into())
}

/// Whether a device may say that the newest paper of a ticket came out: the one that sold it, or
/// one at which the person is signed on who made the newest duplicate. The record names the person
/// of a duplicate and no device.
pub(crate) fn may_confirm(
    judge: &mut Judge<'_>,
    row: &TicketRow,
    device: u32,
) -> Result<bool, Stop> {
    if row.copy == FIRST_COPY {
        let sold_at = u32::try_from(row.device).unwrap_or(0);
        return Ok(
            sold_at == device || has_taken_since(judge.connection, device, sold_at, row.number)?
        );
    }
    let facts = tickets::facts(judge.connection, row.number)?;
    for fact in facts.iter().rev() {
        let (event, _) = event_at(judge.connection, unbig(fact.leaf))?;
        if let Event::TicketDuplicated(made) = event {
            let mut sessions = judge.state.sessions.values();
            return Ok(sessions.any(|one| one.device == device && one.badge == made.by));
        }
    }
    Ok(false)
}

/// The leaf that says that the paper of a copy came out.
fn confirmed_before(judge: &mut Judge<'_>, ticket: i64, copy: u8) -> Result<Option<u64>, Stop> {
    let kind = i16::from(EventKind::PrintConfirmed.number());
    for fact in tickets::facts(judge.connection, ticket)?.iter().rev() {
        if fact.kind != kind {
            continue;
        }
        let leaf = unbig(fact.leaf);
        if let (Event::PrintConfirmed(body), _) = event_at(judge.connection, leaf)?
            && body.copy == copy
        {
            return Ok(Some(leaf));
        }
    }
    Ok(None)
}

/// The leaf of the last fact of a ticket when it says just this: whoever repeats it, because an
/// answer was lost or out of malice, writes no second one.
pub(crate) fn said_last(
    judge: &mut Judge<'_>,
    ticket: u64,
    event: &Event,
) -> Result<Option<u64>, Stop> {
    judge.settle_rows()?;
    let facts = tickets::facts(judge.connection, big(ticket))?;
    let Some(last) = facts.last() else {
        return Ok(None);
    };
    let leaf = unbig(last.leaf);
    let (said, _) = event_at(judge.connection, leaf)?;
    Ok((said == *event).then_some(leaf))
}

/// Refuses a ticket that is withdrawn.
pub fn must_be_sold(row: &TicketRow) -> Result<(), Refusal> {
    match u8::try_from(row.state)
        .ok()
        .and_then(TicketState::from_code)
    {
        Some(TicketState::Sold) => Ok(()),
        Some(TicketState::Cancelled) => Err(Refusal::TicketCancelled),
        Some(TicketState::VoidUnpaid) => Err(Refusal::TicketVoidUnpaid),
        None => Err(Refusal::RecordUnknown),
    }
}

/// True when a ticket is held and was not released by two people: its win is improbable, or its
/// paper was unconfirmed too long after its first draw closed. It stays in the draw (s. 81); it
/// is not paid until then.
pub fn is_held(row: &TicketRow, first_closes_at_ms: Option<i64>, now_ms: i64) -> bool {
    let unconfirmed = row.confirmed_copy < row.copy
        && first_closes_at_ms.is_some_and(|closed| now_ms >= closed + HELD_AFTER_MS);
    row.state == i16::from(TicketState::Sold.code())
        && row.released_leaf.is_none()
        && (unconfirmed || row.held_leaf.is_some())
}

/// How a ticket is presented.
#[derive(Debug, Clone)]
pub(crate) struct Presenting {
    path: u8,
    device: u32,
    badge: String,
    afterwards: Option<(i64, String)>,
}

impl Presenting {
    /// By somebody at a device, at this moment.
    pub(crate) fn now(caller: &Caller, path: u8) -> Self {
        Self {
            path,
            device: caller.device.device,
            badge: caller.badge.clone(),
            afterwards: None,
        }
    }

    /// By two people, at a moment that has passed.
    pub(crate) fn afterwards(caller: &Caller, second: &str, presented_at_ms: i64) -> Self {
        Self {
            afterwards: Some((presented_at_ms, second.to_owned())),
            ..Self::now(caller, AFTERWARDS)
        }
    }
}

/// Presents the draws of a ticket that can be.
pub(crate) fn judge_presentation(
    judge: &mut Judge<'_>,
    row: TicketRow,
    presenting: &Presenting,
) -> Result<Presented, Stop> {
    let extensions = Extensions::of(judge, row.rule_book);
    let (presented_at_ms, second) = presenting.afterwards.clone().unzip();
    if let Some(second) = &second {
        let two = (presenting.badge.as_str(), second.as_str(), None);
        must_not_be_own(judge, Operation::PresentAfterwards, &row.badge, two)?;
    }
    let at_ms = presented_at_ms.unwrap_or(judge.now_ms);
    let claims = Claims::of(judge.connection, extensions, at_ms, &row)?;
    let paid: BTreeSet<u64> = payments::of_ticket(judge.connection, row.number)?
        .iter()
        .filter(|(_, item)| item.reversed == 0)
        .map(|(_, item)| unbig(item.draw))
        .collect();
    let all = draws_of(judge.connection, judge.state, row.first_draw, row.last_draw)?;
    let (mut draws, mut until) = (Vec::new(), 0);
    let (mut late, mut to_come) = (None, None);
    for (number, live) in &all {
        let last_day = claims.until(&live.leaves);
        if !has_outcome(live.state) && !planted(Plant::PresentedEarly) {
            to_come = to_come.or(Some(*number));
        } else if paid.contains(number) {
            continue;
        } else if claims.is_presented(*number) {
            until = until.max(last_day);
        } else if presented_at_ms.is_some() && decided_at(&live.leaves).is_none_or(|it| it > at_ms)
        {
            // It had no outcome then.
            to_come = to_come.or(Some(*number));
        } else if claims.is_over(*number, &live.leaves) {
            late = late.max(Some(last_day));
        } else {
            until = until.max(last_day);
            draws.push(*number);
        }
    }
    if draws.is_empty() {
        let first = tickets::facts(judge.connection, row.number)?
            .into_iter()
            .find(|fact| fact.kind == i16::from(EventKind::ClaimPresented.number()));
        return match (first, late, to_come) {
            (Some(first), _, _) => Ok(Presented {
                leaf: unbig(first.leaf),
                at_ms: row.presented_at_ms.unwrap_or(judge.now_ms),
                draws: claims.presented().iter().copied().collect(),
                claim_until: until,
                is_first: false,
                row,
            }),
            (None, Some(day), _) => Err(Refusal::ClaimExpired { day: day_text(day) }.into()),
            (None, None, Some(draw)) => Err(Refusal::NotDrawnYet { draw }.into()),
            (None, None, None) => Err(Refusal::NothingToPay.into()),
        };
    }
    let leaf = judge.record(ClaimPresented {
        ticket: unbig(row.number),
        draws: draws.clone(),
        path: presenting.path,
        device: presenting.device,
        badge: presenting.badge.clone(),
        presented_at_ms,
        second,
    })?;
    Ok(Presented {
        leaf,
        at_ms,
        draws,
        claim_until: until,
        is_first: true,
        row,
    })
}

impl Central {
    /// Cancels a ticket before its first draw closes, with its paper; the wager is given back in
    /// the tender of the sale.
    ///
    /// # Errors
    /// A refusal or a fault; nothing was recorded unless it is [`Stop::Broke`].
    pub async fn cancel(
        &self,
        caller: &Caller,
        session: u64,
        counter: u64,
        paper: &Paper,
        reason: &str,
    ) -> Result<Cancelled, Stop> {
        caller.may(Operation::Cancel)?;
        let reason = CANCEL_REASONS
            .iter()
            .find(|(name, _)| *name == reason)
            .map(|(_, number)| *number)
            .ok_or(Refusal::ReasonUnknown)?;
        let row = self.find_ticket(paper)?.ok_or(Refusal::NumberUnknown)?;
        check_claim(paper, &row)?;
        let (number, copy) = (row.number, row.copy);
        let key = CommandKey {
            device: caller.device.device,
            session,
            counter,
        };
        let content = ContentHash::of("cancel")
            .number(number)
            .number(i64::from(reason))
            .finish();
        let (device, badge) = (caller.device.device, caller.badge.clone());
        let (leaf, repeated) = self
            .sequencer
            .submit(Lane::Money, move |judge| {
                if let Some(leaf) = judge_key(judge, &key, KeyKind::Cancellation, &content)? {
                    return Ok((leaf, true));
                }
                let (shift, _) = till_of(judge, device)?;
                let row = ticket_row(judge, number)?;
                if row.copy != copy {
                    return Err(Refusal::CopyReplaced.into());
                }
                if !planted(Plant::CancelledTwice) {
                    must_be_sold(&row)?;
                }
                let first = unbig(row.first_draw);
                let state = judge.state.draws.get(&first).map(|draw| draw.state);
                if state != Some(DrawState::Open) && !planted(Plant::CancelledLate) {
                    return Err(Refusal::CancelAfterClose { draw: first }.into());
                }
                must_not_be_paid(judge, number)?;
                let leaf = judge.record(TicketCancelled {
                    first_draw: first,
                    ticket: unbig(number),
                    key,
                    content_hash: content,
                    reason,
                    refund_cents: row.total_cents,
                    tender: u8::try_from(row.tender).unwrap_or(1),
                    badge: badge.clone(),
                    shift,
                })?;
                Ok((leaf, false))
            })
            .await?;
        Ok(self.cancelled_before(leaf, repeated)?)
    }

    /// A cancellation read from the record.
    ///
    /// # Errors
    /// A fault.
    pub fn cancelled_before(&self, leaf: u64, repeated: bool) -> Result<Cancelled, Fault> {
        let mut reader = self.readers.get()?;
        match event_at(&mut reader, leaf)? {
            (Event::TicketCancelled(event), at_ms) => Ok(Cancelled {
                leaf,
                event,
                at_ms,
                repeated,
            }),
            _ => Err(Fault::Record(format!("leaf {leaf} is not a cancellation"))),
        }
    }

    /// Two people mark a ticket unpaid before the first ball of its first draw (s. 83), with its
    /// paper in hand, or when none is known to have come out: who holds a paper has paid, for all
    /// that anybody can tell.
    ///
    /// # Errors
    /// A refusal or a fault.
    pub async fn mark_unpaid(
        &self,
        caller: &Caller,
        second: &str,
        ticket: impl Into<Named>,
    ) -> Result<u64, Stop> {
        caller.may(Operation::MarkUnpaid)?;
        self.must_differ(&caller.badge, second)?;
        let ticket = ticket.into();
        let row = self.find_named(&ticket)?.ok_or(Refusal::NumberUnknown)?;
        if !planted(Plant::UnpaidWithPaper) {
            paper_or_unconfirmed(&ticket, &row)?;
        }
        let number = row.number;
        let (by, second) = (caller.badge.clone(), second.to_owned());
        self.sequencer
            .submit(Lane::Money, move |judge| {
                let row = ticket_row(judge, number)?;
                must_be_sold(&row)?;
                let two = (by.as_str(), second.as_str(), None);
                must_not_be_own(judge, Operation::MarkUnpaid, &row.badge, two)?;
                let first = unbig(row.first_draw);
                // Once the machine has had the seal of a draw its numbers may exist, even if it was
                // suspended and resumed since; a later draw of the ticket may come first when the
                // first one is late. Nobody withdraws a wager that may have lost.
                let begun = (first..=unbig(row.last_draw)).find(|draw| {
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
                if let Some(draw) = late.filter(|_| !planted(Plant::UnpaidLate)) {
                    return Err(Refusal::UnpaidAfterFirstBall { draw }.into());
                }
                must_not_be_paid(judge, number)?;
                if state == Some(DrawState::Closed) {
                    // The seal counts the ticket; it is out of play, and the record says why.
                    tracing::info!(ticket = number, "a sealed ticket is marked unpaid");
                }
                // A print may have been confirmed meanwhile.
                let on = match paper_or_unconfirmed(&ticket, &row) {
                    Err(_) if planted(Plant::UnpaidWithPaper) => ON_UNCONFIRMED,
                    on => on?,
                };
                Ok(judge.record(TicketUnpaid {
                    first_draw: first,
                    ticket: unbig(number),
                    amount_cents: row.total_cents,
                    on,
                    by: by.clone(),
                    second: second.clone(),
                })?)
            })
            .await
    }

    /// The paper of a copy came out whole.
    ///
    /// # Errors
    /// A refusal or a fault.
    pub async fn confirm_print(
        &self,
        device: &DeviceCaller,
        ticket: u64,
        copy: u8,
        how: &str,
    ) -> Result<u64, Stop> {
        let how = PRINT_MEANS
            .iter()
            .find(|(name, _)| *name == how)
            .map(|(_, number)| *number)
            .ok_or(Refusal::ReasonUnknown)?;
        let device = device.device;
        self.sequencer
            .submit(Lane::Money, move |judge| {
                let row = ticket_row(judge, big(ticket))?;
                if i16::from(copy) != row.copy {
                    return Err(Refusal::CopyReplaced.into());
                }
                if !may_confirm(judge, &row, device)? {
                    return Err(Refusal::PrintElsewhere.into());
                }
                if row.confirmed_copy >= row.copy
                    && let Some(leaf) = confirmed_before(judge, row.number, copy)?
                {
                    return Ok(leaf);
                }
                Ok(judge.record(PrintConfirmed {
                    ticket,
                    copy,
                    how,
                    device,
                })?)
            })
            .await
    }

    /// Two people release a held ticket on evidence.
    ///
    /// # Errors
    /// A refusal or a fault.
    pub async fn release(
        &self,
        caller: &Caller,
        second: &Recognised,
        ticket: impl Into<Named>,
        evidence: &str,
    ) -> Result<u64, Stop> {
        caller.may(Operation::Release)?;
        self.must_differ(&caller.badge, &second.badge)?;
        if !has_any(
            &second.roles,
            second_roles(Operation::Release, &caller.roles),
        ) {
            return Err(Refusal::SecondPersonRefused.into());
        }
        if evidence.trim().is_empty() {
            return Err(Refusal::ReasonNeeded.into());
        }
        bounds::note("evidence", evidence)?;
        let row = self
            .find_named(&ticket.into())?
            .ok_or(Refusal::NumberUnknown)?;
        if !is_held(
            &row,
            self.closes_at(unbig(row.first_draw))?,
            self.clock.now_ms(),
        ) {
            return Err(Refusal::NotHeld.into());
        }
        let (number, first_closes_at_ms) = (row.number, self.closes_at(unbig(row.first_draw))?);
        let event = TicketReleased {
            ticket: unbig(row.number),
            evidence: evidence.to_owned(),
            by: caller.badge.clone(),
            second: second.badge.clone(),
        };
        self.sequencer
            .submit(Lane::Money, move |judge| {
                // Two counters may do it at the same time.
                let row = ticket_row(judge, number)?;
                let two = (event.by.as_str(), event.second.as_str(), None);
                must_not_be_own(judge, Operation::Release, &row.badge, two)?;
                if !is_held(&row, first_closes_at_ms, judge.now_ms) {
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
        &self,
        caller: &Caller,
        second: &str,
        ticket: impl Into<Named>,
        reason: &str,
    ) -> Result<(u64, u8), Stop> {
        caller.may(Operation::Duplicate)?;
        let ticket = ticket.into();
        self.must_differ(&caller.badge, second)?;
        if reason.trim().is_empty() {
            return Err(Refusal::ReasonNeeded.into());
        }
        bounds::note("reason", reason)?;
        let row = self.find_named(&ticket)?.ok_or(Refusal::NumberUnknown)?;
        let acting = caller.clone();
        // A copy whose code could not be said would leave the patron without any paper.
        let key = u16::try_from(row.secret_key).ok();
        if key.is_none_or(|key| !self.keys.has_claim_key(key)) {
            return Err(Stop::Undone(Fault::Crypto(
                "the claim key of a ticket is missing",
            )));
        }
        let number = row.number;
        let (by, second, reason) = (caller.badge.clone(), second.to_owned(), reason.to_owned());
        self.sequencer
            .submit(Lane::Money, move |judge| {
                let row = ticket_row(judge, number)?;
                must_be_sold(&row)?;
                let two = (by.as_str(), second.as_str(), None);
                must_not_be_own(judge, Operation::Duplicate, &row.badge, two)?;
                let paid = payments::of_ticket(judge.connection, number)?;
                if paid.iter().any(|(_, item)| item.reversed == 0) {
                    return Err(Refusal::DuplicateAfterPayment.into());
                }
                let on = duplicate_on(judge, &ticket, &row, &acting)?;
                let version = u32::try_from(row.rule_book).unwrap_or(0);
                let book = judge.state.rule_books.get(&version);
                let most = book.map_or(0, |book| book.rules.limits.copies_max);
                let copy = u8::try_from(row.copy)
                    .ok()
                    .and_then(|copy| copy.checked_add(1))
                    .filter(|copy| *copy <= most)
                    .ok_or(Refusal::CopiesUsedUp { most })?;
                let leaf = judge.record(TicketDuplicated {
                    ticket: unbig(number),
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

    /// The ticket is presented as a claim: for each of its draws that has numbers, or is void, the
    /// claim clock stops (s. 86). Of a draw to come nothing is presented, and it is not stopped.
    /// One that is late is late. Presenting a ticket again presents the draws that came since; when
    /// there are none, nothing is recorded and the answer is the first one.
    ///
    /// # Errors
    /// A refusal or a fault.
    pub async fn present(
        &self,
        caller: &Caller,
        named: impl Into<Named>,
    ) -> Result<Presented, Stop> {
        caller.may(Operation::Present)?;
        let named = named.into();
        self.find_named(&named)?.ok_or(Refusal::NumberUnknown)?;
        let path = match &named {
            Named::Paper(_) => BY_CODE,
            Named::Reference(_) | Named::File(_) => {
                let (named, caller) = (named.clone(), caller.clone());
                let ground =
                    move |judge: &mut Judge<'_>| ground_without_code(judge, &named, &caller);
                self.sequencer.submit(Lane::Money, ground).await?.path
            }
        };
        self.present_by(&named, Presenting::now(caller, path)).await
    }

    pub(crate) async fn present_by(
        &self,
        named: &Named,
        presenting: Presenting,
    ) -> Result<Presented, Stop> {
        let row = self.find_named(named)?.ok_or(Refusal::NumberUnknown)?;
        if let Named::Paper(paper) = named {
            check_claim(paper, &row)?;
        }
        must_be_sold(&row)?;
        let (number, copy) = (row.number, row.copy);
        self.sequencer
            .submit(Lane::Money, move |judge| {
                // Another counter may have cancelled or duplicated it meanwhile.
                let row = ticket_row(judge, number)?;
                if row.copy != copy {
                    return Err(Refusal::CopyReplaced.into());
                }
                must_be_sold(&row)?;
                judge_presentation(judge, row, &presenting)
            })
            .await
    }

    /// Paper and record differ; payment follows the record (s. 84). A paper that a duplicate has
    /// replaced, shown before anything was paid, holds the ticket: one of the two is in the wrong
    /// hands. Once two people have released it, such a paper blocks the true holder no more.
    ///
    /// # Errors
    /// A refusal or a fault.
    pub async fn note_discrepancy(
        &self,
        caller: &Caller,
        paper: &Paper,
        facts: u8,
        note: &str,
    ) -> Result<u64, Stop> {
        caller.may(Operation::NoteDiscrepancy)?;
        bounds::note("note", note)?;
        let row = self.find_ticket(paper)?.ok_or(Refusal::NumberUnknown)?;
        let is_replaced = check_claim(paper, &row) == Err(Refusal::CopyReplaced);
        let number = row.number;
        let event = DiscrepancyNoted {
            ticket: unbig(row.number),
            facts,
            note: note.to_owned(),
            badge: caller.badge.clone(),
        };
        self.sequencer
            .submit(Lane::Money, move |judge| {
                let said = Event::from(event.clone());
                if let Some(leaf) = said_last(judge, event.ticket, &said)? {
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
