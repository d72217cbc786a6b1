//! What a paper or a typed number comes to, for whoever asks. Nothing moves.

use keno_log::EventKind;
use keno_record::fault::Fault;
use keno_record::project::sale_of;
use keno_record::store::log::event_at;
use keno_record::store::{tickets, unbig};
use keno_service::central::Central;
use keno_service::counter::{Named, Paper, Verdict, check_claim};
use keno_service::refusal::Refusal;
use keno_service::{Stop, counter};
use keno_wire::claim_code::file_code;
use keno_wire::reply::CheckReply;

use crate::app::App;
use crate::convert;
use crate::convert::{Said, Secret};
use crate::limits::Asker;
use keno_service::access::{AccessKind, AccessLine};

/// Who asks about a ticket.
#[derive(Debug, Clone)]
pub struct Viewer {
    /// Somebody on the staff, who is told that the paper's code is needed.
    pub is_person: bool,
    /// A person of the main cage.
    pub is_cage: bool,
    /// For limits.
    pub asker: Asker,
    /// For the access log.
    pub device: Option<u32>,
    /// For the access log.
    pub badge: String,
}

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
    let taken_ms = central.clock.monotonic_ms();
    if let (true, Some(device)) = (viewer.is_person, viewer.device) {
        match convert::named(central, code)? {
            Named::Paper(_) if file_code(code).is_some() => {
                app.limits.take(viewer.asker, taken_ms)?;
                return Err(Refusal::NumberUnknown.into());
            }
            Named::Paper(_) => {}
            named => {
                let row = counter::without_code(central, device, &viewer.badge, &named)?;
                return for_viewer(central, viewer, row, true);
            }
        }
    }
    let paper = convert::paper(central, code)?;
    if let Some(claim) = paper.true_claim() {
        app.papers.seen(central, claim);
    }
    // A code with a true secret is no guess, whoever shows it.
    let is_guess = paper.true_claim().is_none();
    if is_guess {
        app.limits.take(viewer.asker, taken_ms)?;
    }
    let was_known = || {
        if is_guess {
            app.limits.was_known(viewer.asker, taken_ms);
        }
    };
    let line = AccessLine {
        at_ms: central.clock.now_ms(),
        kind: AccessKind::LookUp,
        device: viewer.device,
        badge: viewer.badge.clone(),
        trace: hex::encode(central.keys.trace(&paper.number.digits())),
        purpose: String::new(),
    };
    let Some(row) = counter::find_ticket(central, &paper)? else {
        if let Some(verdict) = refunded_as_lost(central, &paper)? {
            was_known();
            app.access.note(line);
            return Ok(convert::bare_check_reply(&verdict, None));
        }
        if let Some(at_ms) = counter::lost_in_restore(central, &paper) {
            app.access.note(line);
            let date = central.calendar.minute_text(at_ms);
            return Ok(convert::bare_check_reply(
                &Verdict::RecordLost { date },
                None,
            ));
        }
        app.metrics.unknown_number();
        app.access.note(AccessLine {
            kind: AccessKind::UnknownNumber,
            ..line
        });
        return Ok(convert::bare_check_reply(&Verdict::NotFound, None));
    };
    let is_whole = match check_claim(&paper, &row) {
        Ok(()) => true,
        Err(Refusal::ClaimCodeNeeded) => false,
        Err(Refusal::CopyReplaced) => {
            app.access.note(line);
            return Ok(convert::bare_check_reply(&Verdict::Replaced, Some("sold")));
        }
        Err(refusal) => return Err(refusal.into()),
    };
    was_known();
    app.access.note(line);
    for_viewer(central, viewer, row, is_whole)
}

/// What a ticket comes to, as whoever asks sees it.
fn for_viewer(
    central: &Central,
    viewer: &Viewer,
    row: keno_schema::rows::TicketRow,
    is_whole: bool,
) -> Result<CheckReply, Stop> {
    let refused = row.refused_reason.filter(|_| viewer.is_person);
    let (verdict, mut reply) = answered(central, row, is_whole)?;
    if viewer.is_person {
        reply = convert::at_a_counter(reply, &verdict);
    }
    // Where the number alone was shown, not even that is said.
    reply.for_the_cage = is_whole && verdict == Verdict::WinnerAtCage && !viewer.is_cage;
    Ok(convert::with_refusal(reply, refused))
}

/// The verdict on a ticket that a restore lost and that was refunded. A secret that is not this
/// house's learns nothing.
fn refunded_as_lost(central: &Central, paper: &Paper) -> Result<Option<Verdict>, Fault> {
    // Looked for whatever the claim is: in vain, and as long, when it is wrong.
    let row = counter::lost_refund_of(central, paper)?;
    if paper.is_claimed() && counter::lost_in_restore(central, paper).is_none() {
        return Ok(None);
    }
    Ok(row.map(|row| Verdict::LostRefunded {
        date: central.calendar.minute_text(row.refunded_at_ms),
        place: counter::shift_place(central, unbig(row.shift)),
    }))
}

/// The verdict with its date filled in: the picture alone does not hold when a ticket was
/// cancelled.
pub(crate) fn dated(central: &Central, verdict: Verdict, ticket: i64) -> Result<Verdict, Fault> {
    let Verdict::Cancelled { .. } = &verdict else {
        return Ok(verdict);
    };
    let mut reader = central.readers.get()?;
    let kind = i16::from(EventKind::TicketCancelled.number());
    let fact = tickets::facts(&mut reader, ticket)?
        .into_iter()
        .find(|fact| fact.kind == kind);
    Ok(match fact {
        None => verdict,
        Some(fact) => {
            let (_, at_ms) = event_at(&mut reader, unbig(fact.leaf))?;
            Verdict::Cancelled {
                date: central.calendar.minute_text(at_ms),
            }
        }
    })
}

/// The verdict on a ticket in the record, and the reply that says it.
fn answered(
    central: &Central,
    row: keno_schema::rows::TicketRow,
    is_whole: bool,
) -> Result<(Verdict, CheckReply), Fault> {
    let number = row.number;
    let ticket = unbig(number);
    let copy = u8::try_from(row.copy).unwrap_or(1);
    let sold_at_ms = row.sold_at_ms;
    let picture = counter::ticket_picture(central, row)?;
    let verdict = dated(central, counter::verdict(central, &picture), number)?;
    if !is_whole {
        let reply = convert::check_reply(central, &picture, verdict.clone(), None);
        return Ok((verdict, reply));
    }
    let sold = sale_of(&mut *central.readers.get()?, ticket)?;
    let view = convert::ticket_view(
        central,
        Said {
            ticket,
            sold: &sold,
            sold_at_ms,
            copy,
            secret: Secret::Withheld,
        },
    )?;
    let ticket = Some((view, &sold));
    let reply = convert::check_reply(central, &picture, verdict.clone(), ticket);
    Ok((verdict, reply))
}

/// The reply about a ticket in the record.
pub(crate) fn reply_about(
    central: &Central,
    row: keno_schema::rows::TicketRow,
    is_whole: bool,
) -> Result<CheckReply, Fault> {
    Ok(answered(central, row, is_whole)?.1)
}

/// The ticket that a paper leads to, with the claim left aside: for people who may look.
pub(crate) fn ticket_of(
    central: &Central,
    paper: &Paper,
) -> Result<keno_schema::rows::TicketRow, Stop> {
    match counter::find_ticket(central, paper)? {
        Some(row) => Ok(row),
        None => Err(counter::why_unknown(central, paper)?.into()),
    }
}
