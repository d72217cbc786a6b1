//! Papers whose code cannot be read (s. 83): read by two people, or kept with a file.

use keno_game::ControlNumber;
use keno_service::authority::Operation;
use keno_service::counter::{FileDecision, FileOrder, Paper};
use keno_service::refusal::Refusal;
use keno_service::{Stop, counter};
use keno_wire::claim_code::plain;
use keno_wire::claim_code::{file_code_text, reference_text};
use keno_wire::damaged::{
    AfterwardsRequest, FileView, FilesReply, JudgeFileRequest, OpenFileRequest, ReadingReply,
    ReadingRequest,
};
use keno_wire::reply::PresentationReply;
use keno_words::malformed;

use super::handler::{ApiError, App, By, Reply, SignedOn, command, look, web};
use crate::convert;
use crate::look_up::check::reply_about;
use crate::request::second::{second_at_the_screen, third_at_the_screen};
use keno_service::counter::{Asker, Named};

/// What stands on a paper but its code is typed, and a second person looks at it: either all of it
/// is of one ticket, which is then presented and can be paid here in this shift, or nothing is
/// said but that it does not agree.
#[utoipa::path(
    post, path = "/api/v1/damaged/readings", tag = "claims", operation_id = "read_damaged",
    request_body(content = ReadingRequest, example = json!({
        "number": "0731552890146663",
        "reading": {"first_draw": 1, "last_draw": 1, "total_cents": 200, "terminal": "Comptoir 1", "numbers": [4, 17, 33]},
        "second": {"badge": "S101", "pin": "246813"}
    })),
    responses((status = 200, description = "It agrees", body = ReadingReply))
)]
pub(super) async fn read(By(app, caller, asked): By<ReadingRequest>) -> Reply<ReadingReply> {
    let number = ControlNumber::parse(&plain(&asked.number)).map_err(Refusal::from)?;
    let paper = Paper::number_alone(number);
    command(async move || {
        let central = &app.central;
        let second =
            second_at_the_screen(&app, &caller, &asked.second, Operation::ReadDamaged).await?;
        let sold_at = paper.find(central)?.map(|ticket| ticket.device);
        let reading = convert::reading(central, &asked.reading, sold_at);
        let read = paper.read_damaged(central, &caller, &second, &reading);
        let is_guess = paper.true_claim().is_none();
        let read = app.limits.counted(central, &caller, is_guess, read).await?;
        Ok(ReadingReply {
            code: reference_text(read.leaf),
            check: reply_about(central, read.ticket, true)?,
        })
    })
    .await
}

/// A damaged paper is kept and its file opened: the reply is what its receipt says. Whether a
/// ticket was found is not told.
#[utoipa::path(
    post, path = "/api/v1/damaged/files", tag = "claims", operation_id = "open_file",
    request_body(content = OpenFileRequest, example = json!({
        "number": "0731 5528 9014 ????", "reading": {"first_draw": 1},
        "presented_by": "as told", "note": "torn below the numbers"
    })),
    responses((status = 200, description = "Opened", body = FileView))
)]
pub(super) async fn open(By(app, caller, asked): By<OpenFileRequest>) -> Reply<FileView> {
    command(async move || {
        let central = &app.central;
        let order = FileOrder {
            fragment: convert::fragment(central, &asked.number, &asked.reading)?,
            presented_by: asked.presented_by,
            note: asked.note,
        };
        // Each file counts as a guess at a number: what is legible may be little.
        let now_ms = central.clock.monotonic_ms();
        app.limits
            .take(Asker::Device(caller.device.device), now_ms)?;
        let file = order.open(central, &caller).await?;
        let mut view = convert::file_view(central, &file)?;
        view.code = file_code_text(file.number, &Named::receipt_secret(central, file.number));
        Ok(view)
    })
    .await
}

/// The files of damaged papers: those that wait first.
#[utoipa::path(
    get, path = "/api/v1/damaged/files", tag = "claims", operation_id = "files",
    responses((status = 200, description = "The files", body = FilesReply))
)]
pub(super) async fn list(app: web::Data<App>, SignedOn(caller): SignedOn) -> Reply<FilesReply> {
    caller.may(Operation::ReadFiles)?;
    look(move || {
        let central = &app.central;
        let files = counter::FileView::all(central)?;
        let files = files.iter().map(|file| convert::file_view(central, file));
        let files = files.collect::<Result<_, _>>()?;
        Ok(FilesReply { files })
    })
    .await
}

/// The SHA-256 of a picture, as hexadecimal digits.
fn picture_hash(text: &str) -> Result<[u8; 32], ApiError> {
    let mut hash = [0; 32];
    hex::decode_to_slice(text.trim(), &mut hash)
        .map_err(|_| ApiError::malformed(Some("picture"), &malformed::Picture))?;
    Ok(hash)
}

/// Two people who did not open a file decide whether its ticket is paid; from the amount of the
/// rules on a third as well.
#[utoipa::path(
    post, path = "/api/v1/damaged/files/{number}/judgement", tag = "claims", operation_id = "judge_file",
    params(("number" = u64, Path, description = "Number of the file")),
    request_body(content = JudgeFileRequest, example = json!({
        "picture": "0000000000000000000000000000000000000000000000000000000000000000",
        "note": "number and draw fit, the paper is ours", "second": {"badge": "C142", "pin": "471108"}
    })),
    responses((status = 200, description = "Decided", body = FileView))
)]
pub(super) async fn judge(
    number: web::Path<u64>,
    By(app, caller, asked): By<JudgeFileRequest>,
) -> Reply<FileView> {
    let picture = picture_hash(&asked.picture)?;
    let file = number.into_inner();
    command(async move || {
        let central = &app.central;
        let second =
            second_at_the_screen(&app, &caller, &asked.second, Operation::JudgeFile).await?;
        let third = match &asked.third {
            Some(third) => Some(third_at_the_screen(&app, &caller, third).await?),
            None => None,
        };
        let decision = FileDecision {
            file,
            refused: asked.refused,
            picture,
            note: asked.note,
            second,
            third,
        };
        decision.judge(central, &caller).await?;
        Ok(convert::file_view(
            central,
            &counter::FileView::of(central, file)?,
        )?)
    })
    .await
}

/// A presentation that took place while nothing could be entered, by two people, with its hour: in
/// time is judged by that.
#[utoipa::path(
    post, path = "/api/v1/presentations/afterwards", tag = "claims", operation_id = "present_afterwards",
    request_body(content = AfterwardsRequest, example = json!({
        "code": "KT2073155289014666301MPJTB9D5MPJTB9D5MPJT", "presented_at_ms": 1_795_000_000_000_i64,
        "second": {"badge": "S101", "pin": "246813"}
    })),
    responses((status = 200, description = "Presented", body = PresentationReply))
)]
pub(super) async fn present_afterwards(
    By(app, caller, asked): By<AfterwardsRequest>,
) -> Reply<PresentationReply> {
    let paper = convert::paper(&app.central, &asked.code)?;
    let central = &app.central;
    let typed = asked.presented_at.as_deref();
    let presented_at_ms = match (asked.presented_at_ms, typed) {
        (Some(at_ms), None) => Some(at_ms),
        (None, Some(text)) => central.calendar.last_shown(central.clock.now_ms(), text),
        _ => None,
    };
    let presented_at_ms = presented_at_ms.ok_or(Stop::from(Refusal::MomentInvalid))?;
    command(async move || {
        let central = &app.central;
        let operation = Operation::PresentAfterwards;
        let second = second_at_the_screen(&app, &caller, &asked.second, operation).await?;
        let present = paper.present_afterwards(central, &caller, &second, presented_at_ms);
        let is_guess = paper.true_claim().is_none();
        let presented = app
            .limits
            .counted(central, &caller, is_guess, present)
            .await?;
        Ok(convert::presentation_reply(central, &caller, &presented))
    })
    .await
}
