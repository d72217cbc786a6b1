//! What is told of a ticket that is looked up or presented: verdict, draws, what it owes.

use keno_game::{BallSet, DrawState, TicketState};
use keno_log::event::SelectionRecord;
use keno_record::calendar::day_text;
use keno_record::fault::Fault;
use keno_service::authority::identity::Caller;
use keno_service::central::Central;
use keno_service::counter::{
    Answered, DueKind, DueState, Named, Paper, Presented, TicketDraw, Verdict,
};
use keno_wire::coded::{Due, Name, Payment, TicketDrawState};
use keno_wire::reply::{
    Bilingual, CheckReply, PresentationReply, TicketDrawView, TicketView, VerdictView,
};
use keno_wire::request::PayItem;
use keno_words::counter as words;

use super::reply::{Said, Secret, draw_time, numbers_of, terminal_name, ticket_state, ticket_view};

/// The reply to an inquiry about a ticket that exists.
///
/// Without its paper's code the reply says the verdict alone, and not even that the prize is one
/// for the cage. `knows_refusals` is for who is signed on, never for a patron: a holder who was not
/// paid is told of. `typed_by` is as of [`Answered::takes_two`].
///
/// # Errors
/// A fault.
pub fn check_reply(
    central: &Central,
    answered: &Answered,
    knows_refusals: bool,
    typed_by: Option<&str>,
) -> Result<CheckReply, Fault> {
    let (picture, verdict) = (&answered.picture, &answered.verdict);
    let ticket = &picture.ticket;
    let refused = ticket.refused_reason().filter(|_| knows_refusals);
    let patron_refused = refused.and_then(Named::refusal_reason).map(str::to_owned);
    let state = ticket_state(ticket);
    if !answered.is_whole {
        let verdict = match verdict {
            Verdict::WinnerAtCage => &Verdict::Winner { cents: 0 },
            // Whoever has only seen its number need not learn what it is worth.
            Verdict::WinHeld { .. } => &Verdict::InDoubt,
            other => other,
        };
        return Ok(CheckReply {
            code_needed: true,
            patron_refused,
            ..bare_check_reply(verdict, Some(state))
        });
    }
    let selections = &ticket.sale.selections;
    let ticket = ticket_view(central, Said::of(ticket, Secret::Withheld))?;
    let now_ms = central.clock.now_ms();
    let payable: Vec<PayItem> = answered
        .payable()
        .into_iter()
        .map(|(draw, amount_cents)| PayItem { draw, amount_cents })
        .collect();
    let total: i64 = payable
        .iter()
        .fold(0, |sum: i64, item| sum.saturating_add(item.amount_cents));
    let claim_by = answered
        .claim_until()
        .map_or_else(|| ticket.claim_by.clone(), day_text);
    Ok(CheckReply {
        payable_cents: Some(total),
        payable,
        ticket: Some(TicketView { claim_by, ..ticket }),
        draws: picture
            .draws
            .iter()
            .map(|draw| untold(ticket_draw_view(central, draw, selections, now_ms)))
            .collect(),
        second_person: total > 0 && answered.takes_two(central, knows_refusals, typed_by)?,
        cancel_by_two: answered.cancels_by_two(central),
        patron_refused,
        verdict: verdict_view(verdict, true),
        ..bare_check_reply(verdict, Some(state))
    })
}

/// What waits for the second computation is not told: it may come to another amount.
fn untold(draw: TicketDrawView) -> TicketDrawView {
    match draw.payment.known() {
        Some(Payment::Waits) => TicketDrawView {
            computed_cents: 0,
            payable_cents: 0,
            ..draw
        },
        _ => draw,
    }
}

/// The reply about a paper that leads to no ticket, or to none that counts.
pub fn bare_check_reply(verdict: &Verdict, state: Option<TicketState>) -> CheckReply {
    CheckReply {
        verdict: verdict_view(verdict, false),
        payable_cents: None,
        payable: Vec::new(),
        ticket: None,
        draws: Vec::new(),
        state: state.map(Name::Known),
        second_person: false,
        cancel_by_two: false,
        code_needed: false,
        till_short: false,
        for_the_cage: false,
        patron_refused: None,
    }
}

/// What a counter is told of a ticket that wins and whose number alone was typed: the public
/// sentence would send its patron there.
pub fn at_a_counter(reply: CheckReply, verdict: &Verdict) -> CheckReply {
    let wins = matches!(
        verdict,
        Verdict::Winner { .. } | Verdict::WinnerAtCage | Verdict::DrawCancelled { .. }
    );
    if !reply.code_needed || !wins {
        return reply;
    }
    let sentence = Bilingual::of(&words::WinnerNeedsCode);
    let verdict = VerdictView {
        sentence,
        ..reply.verdict
    };
    CheckReply { verdict, ..reply }
}

/// A verdict in words, with or without amounts.
pub(crate) fn verdict_view(verdict: &Verdict, amounts: bool) -> VerdictView {
    VerdictView {
        code: verdict.name().into(),
        sentence: Bilingual::of(verdict.words(amounts)),
    }
}

/// One draw of a ticket. Numbers and catches show once the last number has been shown.
pub fn ticket_draw_view(
    central: &Central,
    ticket_draw: &TicketDraw,
    selections: &[SelectionRecord],
    now_ms: i64,
) -> TicketDrawView {
    let draw = &ticket_draw.draw;
    let state = match draw.state() {
        DrawState::Scheduled | DrawState::Open => TicketDrawState::ToCome,
        DrawState::Settled => TicketDrawState::Settled,
        DrawState::Void => TicketDrawState::Void,
        DrawState::Closed
        | DrawState::Drawing
        | DrawState::Drawn
        | DrawState::Official
        | DrawState::Suspended => TicketDrawState::BeingVerified,
    };
    let (_, drawn) = draw.pool();
    let balls = match draw.state() {
        DrawState::Official | DrawState::Settled => {
            draw.shown(now_ms, central.schedule.ball_interval_ms)
        }
        _ => &[],
    };
    let winning = BallSet::from_numbers(balls)
        .ok()
        .filter(|_| balls.len() == usize::from(drawn));
    TicketDrawView {
        draw: draw_time(central, draw.number(), draw.draws_at_ms()),
        state: state.into(),
        balls: balls.to_vec(),
        caught: winning.map_or_else(Vec::new, |winning| {
            selections
                .iter()
                .map(|record| numbers_of(record).intersection(winning).len())
                .collect()
        }),
        computed_cents: ticket_draw.computed_cents,
        payable_cents: ticket_draw.payable_cents,
        kind: match ticket_draw.kind {
            DueKind::None => Due::Nothing,
            DueKind::Prize => Due::Prize,
            DueKind::Refund => Due::Refund,
        }
        .into(),
        payment: match ticket_draw.due {
            DueState::None => Payment::Nothing,
            DueState::Unpaid => Payment::Unpaid,
            DueState::Waits => Payment::Waits,
            DueState::Paid { .. } => Payment::Paid,
            DueState::Expired => Payment::Expired,
        }
        .into(),
    }
}

/// The reply to a presentation.
pub fn presentation_reply(
    central: &Central,
    caller: &Caller,
    presented: &Presented,
) -> PresentationReply {
    let ticket = presented.ticket.number;
    let digits = Paper::control_number(central, ticket).digits();
    let (_, end) = digits.split_at(digits.len().saturating_sub(4));
    PresentationReply {
        leaf: presented.leaf,
        ticket,
        number_end: end.to_owned(),
        presented_at_local: central.calendar.second_text(presented.at_ms),
        claim_by: day_text(presented.claim_until),
        draws: presented.draws.clone(),
        repeated: !presented.is_first,
        terminal: terminal_name(&central.view.get(), caller.device.device),
        badge: caller.badge.clone(),
        house_name: central.house_name.clone(),
    }
}
