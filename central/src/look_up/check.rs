//! What a paper or a typed number comes to, for whoever asks. Nothing moves.

use keno_game::TicketState;
use keno_record::fault::Fault;
use keno_record::ticket::Ticket;
use keno_service::Stop;
use keno_service::central::Central;
use keno_service::counter::{Answered, Found, Named, Paper, Verdict, Viewer};
use keno_service::refusal::Refusal;
use keno_wire::claim_code::file_code;
use keno_wire::reply::CheckReply;

use crate::app::App;
use crate::convert;

/// The answer to an inquiry. Blocks.
///
/// A bare control number is answered with the verdict alone, whoever asks: never an amount, never
/// the ticket.
///
/// # Errors
/// [`Refusal::CodeUnreadable`], [`Refusal::NumberMistyped`], [`Refusal::TooManyUnknown`], or a
/// fault.
pub fn check_ticket(app: &App, viewer: &Viewer, code: &str) -> Result<CheckReply, Stop> {
    let central = &app.central;
    if let (true, Some(device)) = (viewer.is_person, viewer.device) {
        match convert::named(central, code)? {
            Named::Paper(_) if file_code(code).is_some() => {
                app.limits
                    .take(viewer.asker, central.clock.monotonic_ms())?;
                return Err(Refusal::NumberUnknown.into());
            }
            Named::Paper(_) => {}
            named => {
                let ticket = named.without_code(central, device, &viewer.badge)?;
                return Ok(for_viewer(central, viewer, ticket, (true, false))?);
            }
        }
    }
    let paper = convert::paper(central, code)?;
    if let Some(claim) = paper.true_claim() {
        app.papers.seen(central, claim);
    }
    match viewer.look_up(central, &app.access, &app.limits, &paper)? {
        Found::Nothing(verdict) => {
            if verdict == Verdict::NotFound {
                app.metrics.unknown_number();
            }
            Ok(convert::bare_check_reply(&verdict, None))
        }
        Found::Replaced => Ok(convert::bare_check_reply(
            &Verdict::Replaced,
            Some(TicketState::Sold),
        )),
        Found::Ticket { ticket, is_whole } => {
            let shown = (is_whole, paper.is_typed());
            Ok(for_viewer(central, viewer, *ticket, shown)?)
        }
    }
}

/// What a ticket comes to, as whoever asks sees it.
fn for_viewer(
    central: &Central,
    viewer: &Viewer,
    ticket: Ticket,
    (is_whole, is_typed): (bool, bool),
) -> Result<CheckReply, Fault> {
    let answered = Answered::of(central, ticket, is_whole)?;
    let typed_by = Some(&*viewer.badge).filter(|_| is_typed && viewer.is_person);
    let mut reply = convert::check_reply(central, &answered, viewer.is_person, typed_by)?;
    if viewer.is_person {
        reply = convert::at_a_counter(reply, &answered.verdict);
        if let Some(device) = viewer.device {
            let cents = reply.payable_cents.unwrap_or(0);
            reply.till_short = answered.is_till_short(central, device, cents);
        }
    }
    // Where the number alone was shown, not even that is said.
    reply.for_the_cage = is_whole && answered.verdict == Verdict::WinnerAtCage && !viewer.is_cage;
    Ok(reply)
}

/// The reply about a ticket in the record.
pub(crate) fn reply_about(
    central: &Central,
    ticket: Ticket,
    is_whole: bool,
) -> Result<CheckReply, Fault> {
    let answered = Answered::of(central, ticket, is_whole)?;
    convert::check_reply(central, &answered, false, None)
}

/// The ticket that a paper leads to, with the claim left aside: for people who may look.
pub(crate) fn ticket_of(central: &Central, paper: &Paper) -> Result<Ticket, Stop> {
    match paper.find(central)? {
        Some(ticket) => Ok(ticket),
        None => Err(paper.why_unknown(central)?.into()),
    }
}
