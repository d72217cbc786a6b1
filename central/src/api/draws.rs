//! Draws, for anyone; and the steps that people take.

use keno_draw::transcript::host_name;
use keno_game::TubesFinding;
use keno_record::roles::DeviceRole;
use keno_record::view::DrawInfo;
use keno_service::Central;
use keno_service::authority::identity::Caller;
use keno_service::draw::{Decision, Draw};
use keno_service::refusal::Refusal;
use keno_wire::desk::DecisionReply;
use keno_wire::reply::DrawView;
use keno_wire::request::DrawActionRequest;
use keno_words::problem as words;

use super::handler::{ApiError, App, By, Reply, blocking, look, web};
use super::types::{TranscriptHolder, TranscriptReply};
use crate::convert;
use crate::problem::unknown_draw;
use crate::report::facts;
use crate::request::second::second_at_the_screen;

/// The number in a path.
pub(crate) fn number_of(path: &str) -> Result<u64, ApiError> {
    path.parse()
        .ok()
        .filter(|number| *number > 0 && i64::try_from(*number).is_ok())
        .ok_or_else(|| Refusal::RecordUnknown.into())
}

fn shown(central: &Central, draw: &DrawInfo) -> DrawView {
    convert::draw_view(central, draw, central.clock.now_ms())
}

/// The last draw whose result is official.
#[utoipa::path(
    get, path = "/api/v1/draws/last", tag = "draws", operation_id = "last_draw",
    responses((status = 200, description = "The draw", body = DrawView))
)]
pub(super) async fn last(app: web::Data<App>) -> Reply<DrawView> {
    let view = app.central.view.get();
    let draw = view.last_official().ok_or(Refusal::RecordUnknown)?;
    Ok(web::Json(shown(&app.central, draw)))
}

/// The next draw that is open for sale.
#[utoipa::path(
    get, path = "/api/v1/draws/next", tag = "draws", operation_id = "next_draw",
    responses((status = 200, description = "The draw", body = DrawView))
)]
pub(super) async fn next(app: web::Data<App>) -> Reply<DrawView> {
    let view = app.central.view.get();
    let draw = view.next_open().ok_or(Refusal::RecordUnknown)?;
    Ok(web::Json(shown(&app.central, draw)))
}

/// One draw. Its numbers are as many as have been shown.
#[utoipa::path(
    get, path = "/api/v1/draws/{number}", tag = "draws", operation_id = "draw",
    params(("number" = u64, Path, description = "Draw number", example = 1)),
    responses((status = 200, description = "The draw", body = DrawView))
)]
pub(super) async fn one(app: web::Data<App>, path: web::Path<String>) -> Reply<DrawView> {
    let number = number_of(&path)?;
    look(move || Ok(shown(&app.central, &Draw(number).find(&app.central)?))).await
}

/// Everything from which the numbers of a draw follow, once its secrets are published.
#[utoipa::path(
    get, path = "/api/v1/draws/{number}/transcript", tag = "draws", operation_id = "transcript",
    params(("number" = u64, Path, description = "Draw number", example = 1)),
    responses((status = 200, description = "The transcript", body = TranscriptReply))
)]
pub(super) async fn transcript(
    app: web::Data<App>,
    path: web::Path<String>,
) -> Reply<TranscriptReply> {
    let number = number_of(&path)?;
    let central = app.central.clone();
    let transcript = blocking(move || Draw(number).transcript(&central))
        .await
        .map_err(|stop| unknown_draw(stop.into()))?;
    let assurance = facts::assurance(transcript.assurance());
    // What has no host is a folder of this machine.
    let host = |place: usize| {
        let host = transcript.hosts.get(place);
        let name = host.and_then(|host| host_name(&host.key));
        name.unwrap_or("central").to_owned()
    };
    Ok(web::Json(TranscriptReply {
        house: transcript.ctx.house,
        draw: transcript.ctx.draw,
        log_size: transcript.ctx.log_size,
        seal_root: hex::encode(transcript.ctx.seal_root),
        rule_book_hash: hex::encode(transcript.ctx.rule_book_hash),
        pool: transcript.ctx.pool_size,
        drawn: transcript.ctx.drawn,
        holders: transcript
            .holders
            .iter()
            .zip(1..)
            .map(|(holder, place)| TranscriptHolder {
                name: holder.name.clone(),
                host: host(place),
                commitment: hex::encode(holder.commitment),
                secret: hex::encode(holder.secret),
            })
            .collect(),
        drawn_by: host(0),
        balls: transcript.balls,
        words_used: transcript.words_used,
        words_rejected: transcript.rejected,
        assurance,
    }))
}

/// What two people decide of a draw: the second gives badge and PIN at the same screen, or asks the
/// same from a session of their own at a draw desk.
async fn decided(
    number: u64,
    app: web::Data<App>,
    caller: Caller,
    asked: DrawActionRequest,
    decision: Decision,
) -> Reply<DecisionReply> {
    let second = match &asked.second {
        Some(second) => {
            let operation = decision.operation();
            Some(second_at_the_screen(&app, &caller, second, operation).await?)
        }
        None if caller.device.role == DeviceRole::Desk || decision == Decision::Suspend => None,
        None => return Err(Refusal::SecondPersonNeeded.into()),
    };
    let (draw, by) = (Draw(number), caller.badge);
    let at_work = app.clone();
    let work = move || {
        let central = &at_work.central;
        let reason = &asked.reason;
        let Some(second) = second else {
            return draw.decide(central, &by, decision, reason, asked.agreeing);
        };
        draw.carry_out(central, &decision, reason, (&by, &second.badge))?;
        Ok(true)
    };
    let is_done = blocking(work)
        .await
        .map_err(|stop| unknown_draw(ApiError::of_command(stop)))?;
    let log_size = app.central.view.get().log_size;
    Ok(web::Json(DecisionReply { log_size, is_done }))
}

/// What somebody says of the tubes, which is one of these.
fn finding_of(
    asked: &DrawActionRequest,
    may_be: &[TubesFinding],
) -> Result<Option<TubesFinding>, ApiError> {
    let Some(finding) = &asked.finding else {
        return Ok(None);
    };
    let known = finding.known().filter(|known| may_be.contains(known));
    let unknown = || ApiError::malformed(Some("finding"), &words::FindingUnknown);
    known.map(Some).ok_or_else(unknown)
}

/// Interrupt a draw; its seal stands. Once a ball was entered two people do.
#[utoipa::path(
    post, path = "/api/v1/draws/{number}/suspend", tag = "draws", operation_id = "suspend_draw",
    params(("number" = u64, Path, description = "Draw number", example = 2)),
    request_body(content = DrawActionRequest, example = json!({"reason": "the machine stopped"})),
    responses((status = 200, description = "Suspended, or it waits for a second person", body = DecisionReply))
)]
pub(super) async fn suspend(
    path: web::Path<String>,
    By(app, caller, asked): By<DrawActionRequest>,
) -> Reply<DecisionReply> {
    decided(number_of(&path)?, app, caller, asked, Decision::Suspend).await
}

/// Go on with an interrupted draw from its seal, by two people; with balls, from the last that is in
/// the tubes.
#[utoipa::path(
    post, path = "/api/v1/draws/{number}/resume", tag = "draws", operation_id = "resume_draw",
    params(("number" = u64, Path, description = "Draw number", example = 2)),
    request_body(content = DrawActionRequest, example = json!({"reason": "the machine is checked", "second": {"badge": "S102", "pin": "135792"}})),
    responses((status = 200, description = "It goes on, or waits for a second person", body = DecisionReply))
)]
pub(super) async fn resume(
    path: web::Path<String>,
    By(app, caller, asked): By<DrawActionRequest>,
) -> Reply<DecisionReply> {
    let decision = match finding_of(&asked, &[TubesFinding::InTubes])? {
        None => Decision::Resume,
        Some(_) => Decision::Complete,
    };
    decided(number_of(&path)?, app, caller, asked, decision).await
}

/// Void a draw, by two people: every wager for it is refunded.
#[utoipa::path(
    post, path = "/api/v1/draws/{number}/void", tag = "draws", operation_id = "void_draw",
    params(("number" = u64, Path, description = "Draw number", example = 2)),
    request_body(content = DrawActionRequest, example = json!({"reason": "the machine broke", "second": {"badge": "S102", "pin": "135792"}})),
    responses((status = 200, description = "Void, or it waits for a second person", body = DecisionReply))
)]
pub(super) async fn void(
    path: web::Path<String>,
    By(app, caller, asked): By<DrawActionRequest>,
) -> Reply<DecisionReply> {
    use TubesFinding::{Emptied, Fell, PersonMissing};
    let decision = Decision::Void(finding_of(&asked, &[Emptied, Fell, PersonMissing])?);
    decided(number_of(&path)?, app, caller, asked, decision).await
}

/// Declare the balls of a draw official, by two people: both have entered every ball alike, or its
/// machine has read them all.
#[utoipa::path(
    post, path = "/api/v1/draws/{number}/certification", tag = "draws", operation_id = "certify_draw",
    params(("number" = u64, Path, description = "Draw number", example = 2)),
    request_body(content = DrawActionRequest, example = json!({"reason": ""})),
    responses((status = 200, description = "Official, or it waits for a second person", body = DecisionReply))
)]
pub(super) async fn certify(
    path: web::Path<String>,
    By(app, caller, asked): By<DrawActionRequest>,
) -> Reply<DecisionReply> {
    decided(number_of(&path)?, app, caller, asked, Decision::Certify).await
}

/// Take the place of somebody who entered balls, by two people: every ball is entered anew.
#[utoipa::path(
    post, path = "/api/v1/draws/{number}/replacement", tag = "draws", operation_id = "replace_enterer",
    params(("number" = u64, Path, description = "Draw number", example = 2)),
    request_body(content = DrawActionRequest, example = json!({"reason": "taken ill", "leaving": "V101"})),
    responses((status = 200, description = "Replaced, or it waits for a second person", body = DecisionReply))
)]
pub(super) async fn replace(
    path: web::Path<String>,
    By(app, caller, asked): By<DrawActionRequest>,
) -> Reply<DecisionReply> {
    let leaving = asked.leaving.clone().unwrap_or_default();
    let decision = Decision::Replace { leaving };
    decided(number_of(&path)?, app, caller, asked, decision).await
}

/// Let the computer draw in place of the ball machine, by two people: no ball was entered.
#[utoipa::path(
    post, path = "/api/v1/draws/{number}/computer", tag = "draws", operation_id = "stand_in",
    params(("number" = u64, Path, description = "Draw number", example = 2)),
    request_body(content = DrawActionRequest, example = json!({"reason": "the machine does not start"})),
    responses((status = 200, description = "The computer draws, or it waits for a second person", body = DecisionReply))
)]
pub(super) async fn stand_in(
    path: web::Path<String>,
    By(app, caller, asked): By<DrawActionRequest>,
) -> Reply<DecisionReply> {
    decided(number_of(&path)?, app, caller, asked, Decision::StandIn).await
}

/// Hold a draw that is closed later, by two people: so many minutes after its moment, or after now where
/// that is over.
#[utoipa::path(
    post, path = "/api/v1/draws/{number}/postponement", tag = "draws", operation_id = "postpone_draw",
    params(("number" = u64, Path, description = "Draw number", example = 2)),
    request_body(content = DrawActionRequest, example = json!({"reason": "the film is not running", "minutes": 10})),
    responses((status = 200, description = "Postponed, or it waits for a second person", body = DecisionReply))
)]
pub(super) async fn postpone(
    path: web::Path<String>,
    By(app, caller, asked): By<DrawActionRequest>,
) -> Reply<DecisionReply> {
    let decision = Decision::Postpone(asked.minutes.unwrap_or(0));
    decided(number_of(&path)?, app, caller, asked, decision).await
}
