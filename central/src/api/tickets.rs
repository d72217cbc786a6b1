//! What can happen to a ticket besides being paid: printed, unpaid, released, duplicated, found
//! to differ, its holder refused.

use keno_service::authority::Operation;
use keno_service::refusal::Refusal;
use keno_wire::reply::{RecordedReply, TicketView};
use keno_wire::request::{
    DiscrepancyRequest, DuplicateRequest, PatronRefusalRequest, PrintConfirmation, ReleaseRequest,
    UnpaidRequest,
};
use keno_wire::wall::ApprovalContent;
use keno_words::malformed;

use super::handler::{ApiError, App, Body, Reply, SignedOn, answered, command, web};
use crate::convert;
use crate::convert::{Said, Secret};
use crate::request::caller::Device;
use crate::request::second::{Approvable, second_person};

/// The paper of a copy came out whole.
#[utoipa::path(
    post, path = "/api/v1/prints", tag = "tickets", operation_id = "confirm_print",
    request_body(content = PrintConfirmation, example = json!({"ticket": 95, "copy": 1, "how": "printer"})),
    responses((status = 200, description = "Confirmed", body = RecordedReply))
)]
pub(super) async fn confirm_print(
    app: web::Data<App>,
    Device(device): Device,
    Body(asked): Body<PrintConfirmation>,
) -> Reply<RecordedReply> {
    let (ticket, copy) = (asked.ticket, asked.copy);
    let how = asked.how.known().ok_or(Refusal::PrintMeansUnknown)?;
    answered(device.confirm_print(&app.central, ticket, copy, how).await)
}

/// The patron left without paying: void, by two people before the first number (s. 83).
#[utoipa::path(
    post, path = "/api/v1/unpaid", tag = "tickets", operation_id = "unpaid",
    request_body(content = UnpaidRequest, example = json!({
        "code": "0731552890146663", "second": {"badge": "S101", "pin": "246813"}
    })),
    responses((status = 200, description = "Void", body = RecordedReply))
)]
pub(super) async fn unpaid(
    app: web::Data<App>,
    SignedOn(caller): SignedOn,
    Body(asked): Body<UnpaidRequest>,
) -> Reply<RecordedReply> {
    let named = convert::named(&app.central, &asked.code)?;
    let is_guess = named.is_guess();
    command(async move || {
        let what = Approvable::once(ApprovalContent::Unpaid { code: asked.code });
        let second =
            second_person(&app, &caller, &asked.second, Operation::MarkUnpaid, what).await?;
        let central = &app.central;
        let mark = named.mark_unpaid(central, &caller, &second.person);
        second.after(app.limits.counted(central, &caller, is_guess, mark).await)
    })
    .await
}

/// Release a held ticket on evidence, by two people.
#[utoipa::path(
    post, path = "/api/v1/releases", tag = "tickets", operation_id = "release",
    request_body(content = ReleaseRequest, example = json!({
        "code": "0731552890146663", "evidence": "the paper is whole, FIN at the bottom",
        "second": {"badge": "C142", "pin": "471108"}
    })),
    responses((status = 200, description = "Released", body = RecordedReply))
)]
pub(super) async fn release(
    app: web::Data<App>,
    SignedOn(caller): SignedOn,
    Body(asked): Body<ReleaseRequest>,
) -> Reply<RecordedReply> {
    let named = convert::named(&app.central, &asked.code)?;
    let is_guess = named.is_guess();
    command(async move || {
        let what = Approvable::once(ApprovalContent::Release {
            code: asked.code,
            evidence: asked.evidence.clone(),
        });
        let second = second_person(&app, &caller, &asked.second, Operation::Release, what).await?;
        let central = &app.central;
        let released = named.release(central, &caller, &second.person, &asked.evidence);
        second.after(
            app.limits
                .counted(central, &caller, is_guess, released)
                .await,
        )
    })
    .await
}

/// Issue a duplicate, by two people: the old copy is dead. The reply is the new copy, to print.
#[utoipa::path(
    post, path = "/api/v1/duplicates", tag = "tickets", operation_id = "duplicate",
    request_body(content = DuplicateRequest, example = json!({
        "code": "0731552890146663", "reason": "printed badly", "second": {"badge": "S101", "pin": "246813"}
    })),
    responses((status = 200, description = "The new copy, with its own claim code", body = TicketView))
)]
pub(super) async fn duplicate(
    app: web::Data<App>,
    SignedOn(caller): SignedOn,
    Body(asked): Body<DuplicateRequest>,
) -> Reply<TicketView> {
    let named = convert::named(&app.central, &asked.code)?;
    let is_guess = named.is_guess();
    command(async move || {
        let central = &app.central;
        let what = Approvable::once(ApprovalContent::Duplicate {
            code: asked.code,
            reason: asked.reason.clone(),
        });
        let second =
            second_person(&app, &caller, &asked.second, Operation::Duplicate, what).await?;
        let made = named
            .clone()
            .duplicate(central, &caller, &second.person, &asked.reason);
        let (_, copy) = second.after(app.limits.counted(central, &caller, is_guess, made).await)?;
        let ticket = named.find(central)?.ok_or(Refusal::NumberUnknown)?;
        // The copy that was made here, whatever was made since.
        let said = Said {
            copy,
            ..Said::of(&ticket, Secret::Said)
        };
        Ok(convert::ticket_view(central, said)?)
    })
    .await
}

/// Bits of the facts that differ.
fn fact_bits(facts: &[u8]) -> Result<u8, ApiError> {
    let wrong = || ApiError::malformed(Some("facts"), &malformed::Facts);
    if facts.is_empty() {
        return Err(wrong());
    }
    facts.iter().try_fold(0_u8, |bits, &fact| {
        let bit = match fact {
            1..=6 => 1 << (fact - 1),
            _ => return Err(wrong()),
        };
        if bits & bit != 0 {
            return Err(wrong());
        }
        Ok(bits | bit)
    })
}

/// Paper and record differ: the fact is noted, and payment follows the record (s. 84).
#[utoipa::path(
    post, path = "/api/v1/discrepancies", tag = "tickets", operation_id = "note_discrepancy",
    request_body(content = DiscrepancyRequest, example = json!({
        "code": "0731552890146663", "facts": [1, 5], "note": "the paper shows 08 where the record has 07"
    })),
    responses((status = 200, description = "Noted", body = RecordedReply))
)]
pub(super) async fn discrepancy(
    app: web::Data<App>,
    SignedOn(caller): SignedOn,
    Body(asked): Body<DiscrepancyRequest>,
) -> Reply<RecordedReply> {
    let paper = convert::paper(&app.central, &asked.code)?;
    let facts = fact_bits(&asked.facts)?;
    command(async move || {
        let central = &app.central;
        let note = paper.note_discrepancy(central, &caller, facts, &asked.note);
        app.limits
            .counted(central, &caller, paper.true_claim().is_none(), note)
            .await
    })
    .await
}

/// The holder is not paid: a minor, or somebody excluded. From here on two people pay the ticket,
/// whatever the amount; who it was is not noted.
///
/// The terminal that put a sale aside and gave its price back says so here too, by the reference of
/// its ticket (`#` and its leaf) and the reason `money_given_back`: no paper of it is made from then
/// on.
#[utoipa::path(
    post, path = "/api/v1/patron-refusals", tag = "tickets", operation_id = "refuse_patron",
    request_body(content = PatronRefusalRequest, example = json!({
        "code": "0731552890146663", "reason": "minor"
    })),
    responses((status = 200, description = "Noted", body = RecordedReply))
)]
pub(super) async fn refuse_patron(
    app: web::Data<App>,
    SignedOn(caller): SignedOn,
    Body(asked): Body<PatronRefusalRequest>,
) -> Reply<RecordedReply> {
    let named = convert::named(&app.central, &asked.code)?;
    command(async move || {
        let central = &app.central;
        let is_guess = named.is_guess();
        let refuse = named.refuse_patron(central, &caller, &asked.reason);
        app.limits.counted(central, &caller, is_guess, refuse).await
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_become_bits_and_no_other_number_does() {
        assert_eq!(fact_bits(&[1, 6]).unwrap(), 0b10_0001);
        for wrong in [&[][..], &[0], &[7], &[2, 2]] {
            assert!(fact_bits(wrong).is_err(), "{wrong:?}");
        }
    }
}
