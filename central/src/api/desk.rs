//! The desk of the draws: what somebody sees there, and the balls that they enter.

use keno_draw::ball_reader::{INCIDENTS, Incident};
use keno_game::DrawState;
use keno_record::roles::{DeviceRole, has_any};
use keno_record::view::{DrawInfo, View};
use keno_service::Fault;
use keno_service::authority::Operation;
use keno_service::authority::identity::Caller;
use keno_service::draw::{Decision, Draw, EnteredBall, Offered};
use keno_wire::coded::{DrawDecision, LineStandingName, Name};
use keno_wire::desk::{BallRequest, DeskDraw, DeskReply, EntererView, LineView, WaitingView};

use super::draws::number_of;
use super::handler::{App, By, Reply, SignedOn, look, web, write};
use crate::convert;
use crate::problem::unknown_draw;
use crate::report::facts::line_incident;

/// Draws on sale that the desk sees beside those under way.
const ON_SALE_SHOWN: usize = 1;

/// What is possible, as far as whoever asks has a role for it.
fn offered(offered: Offered, caller: &Caller, may_replace: bool) -> Vec<Name<DrawDecision>> {
    use Operation as Of;
    let all = [
        (offered.certify, Of::CertifyDraw, DrawDecision::Certify),
        (offered.resume, Of::ResumeDraw, DrawDecision::Resume),
        (offered.complete, Of::ResumeDraw, DrawDecision::Complete),
        (offered.void, Of::VoidDraw, DrawDecision::Void),
        (
            offered.void_unfinished,
            Of::VoidDraw,
            DrawDecision::VoidUnfinished,
        ),
        (offered.stand_in, Of::StandIn, DrawDecision::StandIn),
        (
            offered.replace && may_replace,
            Of::EnterBall,
            DrawDecision::Replace,
        ),
        (offered.postpone, Of::PostponeDraw, DrawDecision::Postpone),
        (offered.suspend, Of::SuspendDraw, DrawDecision::Suspend),
    ];
    all.into_iter()
        .filter(|(is_offered, operation, _)| *is_offered && caller.may(*operation).is_ok())
        .map(|(_, _, decision)| decision.into())
        .collect()
}

/// How many balls somebody has entered, of those that are not asked again.
fn count(entries: &[u8]) -> u8 {
    let entered = entries.iter().filter(|number| **number != 0).count();
    u8::try_from(entered).unwrap_or(u8::MAX)
}

fn waiting(app: &App, view: &View, caller: &Caller, draw: u64) -> Option<WaitingView> {
    let waiting = Draw(draw).waiting(&app.central)?;
    let may_agree = waiting.may_agree(&app.central, view, &caller.badge);
    let mut minutes = None;
    let (decision, finding, leaving) = match waiting.decision {
        Decision::Certify => (DrawDecision::Certify, None, None),
        Decision::Suspend => (DrawDecision::Suspend, None, None),
        Decision::Resume => (DrawDecision::Resume, None, None),
        Decision::Complete => (DrawDecision::Complete, None, None),
        Decision::Void(None) => (DrawDecision::Void, None, None),
        Decision::Void(Some(finding)) => (DrawDecision::VoidUnfinished, Some(finding), None),
        Decision::StandIn => (DrawDecision::StandIn, None, None),
        Decision::Postpone(by_minutes) => {
            minutes = Some(by_minutes);
            (DrawDecision::Postpone, None, None)
        }
        Decision::Replace { leaving } => (DrawDecision::Replace, None, Some(leaving)),
    };
    Some(WaitingView {
        number: waiting.number,
        decision: decision.into(),
        finding: finding.map(Into::into),
        leaving,
        minutes,
        reason: waiting.reason,
        may_agree,
        by: waiting.by,
    })
}

fn desk_draw(app: &App, view: &View, caller: &Caller, draw: &DrawInfo) -> Result<DeskDraw, Fault> {
    let number = Draw(draw.number());
    // While it is on sale anybody may still sell for it.
    let is_sealed = draw.state() != DrawState::Open;
    let sold = is_sealed && number.sold_by(&app.central, view, &caller.badge)?.is_some();
    let enterers: Vec<&str> = draw.enterers().collect();
    let is_one_of_them = enterers.contains(&caller.badge.as_str());
    let has_place = enterers.len() < 2 || is_one_of_them;
    let is_drawing = draw.is_of_balls() && draw.state() == DrawState::Drawing;
    let line = line(app, draw);
    let reads = |line: &LineView| line.standing.known() == Some(LineStandingName::Reads);
    let is_read = line.as_ref().is_some_and(reads);
    let is_mine = is_drawing && has_place && !sold && !is_read && may_enter(caller);
    let offered = match sold {
        true => Vec::new(),
        false => offered(Offered::of(view, draw), caller, !is_one_of_them),
    };
    let mut waiting = waiting(app, view, caller, draw.number());
    if let Some(waiting) = &mut waiting {
        waiting.may_agree &= !sold;
    }
    Ok(DeskDraw {
        draw: convert::draw_view(&app.central, draw, app.central.clock.now_ms()),
        sold,
        entered: draw.entered_by(&caller.badge).to_vec(),
        next: draw.next_ball(&caller.badge).filter(|_| is_mine),
        enterers: enterers
            .into_iter()
            .map(|badge| EntererView {
                badge: badge.to_owned(),
                entered: count(draw.entered_by(badge)),
            })
            .collect(),
        offered,
        line,
        waiting,
    })
}

/// The machine that reads the balls of a draw that is being drawn.
fn line(app: &App, draw: &DrawInfo) -> Option<LineView> {
    let read = draw.line();
    let line = app.central.ball_line.as_ref();
    let is_drawing = draw.is_of_balls() && draw.state() == DrawState::Drawing;
    // Once people enter, a machine that never read a ball is nobody's business.
    let concerns = read.has_read() || draw.enterers().next().is_none();
    if !is_drawing || !concerns || (line.is_none() && !read.has_read()) {
        return None;
    }
    let standing = line.map(|line| line.standing()).unwrap_or_default();
    let name = match () {
        () if read.has_stopped => LineStandingName::Stopped,
        () if draw.is_drawn() => LineStandingName::Whole,
        () if standing.reads(draw.number()) => LineStandingName::Reads,
        () if standing.is_connected && !standing.is_silent && standing.is_stalled => {
            LineStandingName::Stalled
        }
        () if standing.is_connected => LineStandingName::Silent,
        () => LineStandingName::Away,
    };
    let had = INCIDENTS.iter();
    let had = had.filter(|incident| read.has_had(incident.number()));
    let (stops, noticed): (Vec<_>, Vec<_>) = had.partition(|incident| incident.stops());
    let words = |incident: &Incident| line_incident(incident.number());
    Some(LineView {
        machine: match line {
            Some(line) => line.name().to_owned(),
            None => read.machine.clone(),
        },
        standing: name.into(),
        why: stops.into_iter().next().map(words),
        noticed: noticed.into_iter().map(words).collect(),
    })
}

/// Whether somebody may enter balls at all.
fn may_enter(caller: &Caller) -> bool {
    let roles = Operation::EnterBall.row().who.roles_at(DeviceRole::Desk);
    has_any(&caller.roles, &roles)
}

fn reply(app: &App, caller: &Caller) -> Result<DeskReply, Fault> {
    let view = app.central.view.get();
    let is_under_way = |state: DrawState| {
        matches!(
            state,
            DrawState::Closed | DrawState::Drawing | DrawState::Drawn | DrawState::Suspended
        )
    };
    let under_way = view
        .draws
        .values()
        .filter(|draw| is_under_way(draw.state()));
    let on_sale = view
        .draws
        .values()
        .filter(|draw| draw.state() == DrawState::Open)
        .take(ON_SALE_SHOWN);
    Ok(DeskReply {
        central_ms: app.central.clock.now_ms(),
        badge: caller.badge.clone(),
        enters: may_enter(caller),
        draws: under_way
            .chain(on_sale)
            .map(|draw| desk_draw(app, &view, caller, draw))
            .collect::<Result<_, _>>()?,
    })
}

/// The draws at their desk, as far as whoever asks may see them.
#[utoipa::path(
    get, path = "/api/v1/desk", tag = "draws", operation_id = "desk",
    responses((status = 200, description = "The desk", body = DeskReply))
)]
pub(super) async fn desk(app: web::Data<App>, SignedOn(caller): SignedOn) -> Reply<DeskReply> {
    look(move || Ok(reply(&app, &caller)?)).await
}

/// Enter a ball, blind of the other who enters it. It counts once both have entered the same.
#[utoipa::path(
    post, path = "/api/v1/draws/{number}/balls", tag = "draws", operation_id = "enter_ball",
    params(("number" = u64, Path, description = "Draw number", example = 2)),
    request_body(content = BallRequest, example = json!({"position": 1, "number": 66})),
    responses((status = 200, description = "The desk, with this ball", body = DeskReply))
)]
pub(super) async fn ball(
    path: web::Path<String>,
    By(app, caller, asked): By<BallRequest>,
) -> Reply<DeskReply> {
    let number = number_of(&path)?;
    let ball = EnteredBall {
        position: asked.position,
        number: asked.number,
    };
    write(move || {
        Draw(number).enter_ball(&app.central, &caller, ball)?;
        Ok(reply(&app, &caller)?)
    })
    .await
    .map_err(unknown_draw)
}
