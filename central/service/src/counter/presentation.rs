//! A ticket presented as a claim: the claim clock stops (s. 86).

use keno_log::EventKind;
use keno_log::event::ClaimPresented;
use keno_record::calendar::day_text;
use keno_record::sequencer::{Judge, Lane};
use keno_record::ticket::Ticket;

use crate::Stop;
use crate::authority::Operation;
use crate::authority::identity::Caller;
use crate::central::Central;
use crate::counter::deadline::{Claims, Extensions, decided_at, draws_of, has_outcome};
use crate::counter::ground::{AFTERWARDS, Ground, ground_without_code};
use crate::counter::paper::Named;
use crate::counter::ticket::{doubtful, must_be_sold, ticket_named};
use crate::refusal::Refusal;
use crate::staff::acting::must_not_be_own;

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
    pub ticket: Ticket,
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
    ticket: Ticket,
    presenting: &Presenting,
) -> Result<Presented, Stop> {
    let extensions = Extensions::of(judge, ticket.sale.rule_book);
    let (presented_at_ms, second) = presenting.afterwards.clone().unzip();
    if let Some(second) = &second {
        let two = (presenting.badge.as_str(), second.as_str(), None);
        must_not_be_own(judge, Operation::PresentAfterwards, &ticket.badge, two)?;
    }
    let at_ms = presented_at_ms.unwrap_or(judge.now_ms);
    let claims = Claims::of(extensions, at_ms, &ticket);
    let (first, last) = (ticket.first_draw, ticket.last_draw);
    let all = draws_of(judge.connection, judge.state, first, last).map_err(doubtful)?;
    let (mut draws, mut until) = (Vec::new(), 0);
    let (mut late, mut to_come) = (None, None);
    for (number, live) in &all {
        let last_day = claims.until(&live.leaves);
        if !has_outcome(live.state) {
            to_come = to_come.or(Some(*number));
        } else if ticket.paid(Some(*number)).is_some() {
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
        let mut facts = ticket.facts.iter();
        let first = facts.find(|fact| fact.event.kind() == EventKind::ClaimPresented);
        return match (first, late, to_come) {
            (Some(first), _, _) => Ok(Presented {
                leaf: first.leaf,
                at_ms: ticket.presented_at_ms().unwrap_or(judge.now_ms),
                draws: claims.presented().iter().copied().collect(),
                claim_until: until,
                is_first: false,
                ticket,
            }),
            (None, Some(day), _) => Err(Refusal::ClaimExpired { day: day_text(day) }.into()),
            (None, None, Some(draw)) => Err(Refusal::NotDrawnYet { draw }.into()),
            (None, None, None) => Err(Refusal::NothingToPay.into()),
        };
    }
    let leaf = judge.record(ClaimPresented {
        ticket: ticket.number,
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
        ticket,
    })
}

impl Named {
    /// The ticket is presented as a claim: for each of its draws that has numbers, or is void, the
    /// claim clock stops (s. 86). Of a draw to come nothing is presented, and it is not stopped.
    /// One that is late is late. Presenting a ticket again presents the draws that came since; when
    /// there are none, nothing is recorded and the answer is the first one.
    ///
    /// # Errors
    /// A refusal or a fault.
    pub async fn present(self, central: &Central, caller: &Caller) -> Result<Presented, Stop> {
        caller.may(Operation::Present)?;
        self.must_find(central)?;
        let path = match &self {
            Named::Paper(paper) => Ground::of_code(paper.is_typed()).path,
            Named::Reference(_) | Named::File(_) => {
                let (named, caller) = (self.clone(), caller.clone());
                let ground =
                    move |judge: &mut Judge<'_>| ground_without_code(judge, &named, &caller);
                central.sequencer.submit(Lane::Money, ground).await?.path
            }
        };
        present_by(central, &self, Presenting::now(caller, path)).await
    }
}

pub(crate) async fn present_by(
    central: &Central,
    named: &Named,
    presenting: Presenting,
) -> Result<Presented, Stop> {
    let ticket = named.must_find(central)?;
    if let Named::Paper(paper) = named {
        paper.check_claim(&ticket)?;
    }
    must_be_sold(&ticket)?;
    let (number, copy, named) = (ticket.number, ticket.copy, named.clone());
    central
        .sequencer
        .submit(Lane::Money, move |judge| {
            // Another counter may have cancelled or duplicated it meanwhile.
            let ticket = ticket_named(judge, &named, number)?;
            if ticket.copy != copy {
                return Err(Refusal::CopyReplaced.into());
            }
            must_be_sold(&ticket)?;
            judge_presentation(judge, ticket, &presenting)
        })
        .await
}
