//! The draw room: what somebody sees of it, and what two people do there.

use keno_draw::health::{HealthChecked, OsEntropy};
use keno_game::DrawState;
use keno_record::roles::DeviceRole;
use keno_record::state::{DrawRoom, SetOfBalls, Unusable};
use keno_record::view::{DrawInfo, View};
use keno_service::authority::Operation;
use keno_service::authority::identity::Caller;
use keno_service::draw::{Incident, RoomAsked, RoomStep};
use keno_service::{Central, Fault};
use keno_wire::coded::{Name, RoomCheck, RoomStepName, SetFault, TeamStep};
use keno_wire::room::{
    AgreementRequest, BallSetView, ChoiceRequest, EndRequest, IncidentRequest, LackView,
    MeasureRequest, OpenRoomView, OpeningRequest, RoomAskedView, RoomCheckView, RoomReply,
    SetChoiceView,
};

use super::handler::{App, By, Reply, SignedOn, done, look, web, write};
use super::types::DoneReply;
use crate::convert;
use crate::problem::unknown_draw;

fn fault_of(why: Unusable) -> SetFault {
    match why {
        Unusable::Unfit => SetFault::Unfit,
        Unusable::UsedUp => SetFault::UsedUp,
        Unusable::Outdated => SetFault::Outdated,
        Unusable::SetAside => SetFault::Aside,
    }
}

fn step_name(step: &RoomStep) -> RoomStepName {
    match step {
        RoomStep::Measure { .. } => RoomStepName::Measure,
        RoomStep::Offer { .. } => RoomStepName::Choose,
        RoomStep::Open { .. } => RoomStepName::Open,
        RoomStep::HandOver => RoomStepName::HandOver,
        RoomStep::End => RoomStepName::End,
    }
}

/// The lightest and the heaviest ball.
fn extremes(masses_mg: &[u32]) -> (u32, u32) {
    let (lightest, heaviest) = (masses_mg.iter().min(), masses_mg.iter().max());
    (
        lightest.copied().unwrap_or(0),
        heaviest.copied().unwrap_or(0),
    )
}

fn set_view(
    central: &Central,
    view: &View,
    name: &str,
    set: &SetOfBalls,
    now_ms: i64,
) -> BallSetView {
    let (lightest_mg, heaviest_mg) = extremes(&set.masses_mg);
    let of_set = |one: &&keno_record::state::Frequency| one.set.as_deref() == Some(name);
    let counted = view.frequencies.iter().find(of_set);
    BallSetView {
        name: name.to_owned(),
        balls: u8::try_from(set.masses_mg.len()).unwrap_or(u8::MAX),
        lightest_mg,
        heaviest_mg,
        instruments: set.instruments.clone(),
        measured_at_ms: set.measured_at_ms,
        measured_at_local: central.calendar.minute_text(set.measured_at_ms),
        good_until_ms: set.good_until_ms,
        good_until_local: central.calendar.minute_text(set.good_until_ms),
        starts: set.starts,
        most_draws: set.most_draws,
        fault: set.unusable(now_ms).map(|why| fault_of(why).into()),
        draws: counted.map_or(0, |it| it.draws),
        spread_tenths: counted.map_or(0, |it| it.spread_tenths()),
        uneven: counted.map_or(Vec::new(), |it| it.uneven().collect()),
    }
}

fn asked_view(central: &Central, view: &View, caller: &Caller, asked: RoomAsked) -> RoomAskedView {
    let may_agree = asked.may_agree(central, view, &caller.badge);
    let step = step_name(&asked.step).into();
    let (mut set, mut masses, mut gauge) = (None, None, None);
    let (mut sets, mut draw) = (Vec::new(), None);
    let said = match asked.step {
        RoomStep::Measure {
            set: name,
            masses_mg,
            passed,
            instruments,
        } => {
            (set, masses, gauge) = (Some(name), Some(masses_mg), Some(passed));
            instruments
        }
        RoomStep::Offer { reason } => {
            let choice = view.room.choice.as_ref();
            let aside = choice.and_then(|it| it.chosen.as_deref());
            sets = view.room.usable(central.clock.now_ms(), aside);
            let by = view.choosing_draw();
            draw = by.map(|it| convert::draw_time(central, it.number(), it.draws_at_ms()));
            reason
        }
        RoomStep::Open { camera, .. } => camera,
        RoomStep::HandOver | RoomStep::End => String::new(),
    };
    RoomAskedView {
        number: asked.number,
        step,
        set,
        masses_mg: masses,
        passed: gauge,
        sets,
        draw,
        said,
        is_own: asked.by == caller.badge,
        by: asked.by,
        may_agree,
    }
}

/// The set that was chosen may be used, or is in use.
fn has_set(room: &DrawRoom, now_ms: i64) -> bool {
    let name = match (&room.open, &room.choice) {
        (Some(open), _) => Some(&open.set),
        (None, Some(choice)) => choice.chosen.as_ref(),
        (None, None) => None,
    };
    let set = name.and_then(|name| room.sets.get(name));
    set.is_some_and(|set| set.unusable(now_ms).is_none())
}

/// Draw desks at which somebody is signed on.
fn desks(view: &View) -> usize {
    let is_desk = |number: &&u32| {
        let device = view.devices.get(number);
        device.is_some_and(|it| it.active && it.role == DeviceRole::Desk.number())
    };
    let mut desks: Vec<&u32> = view.sessions.values().map(|it| &it.device).collect();
    desks.sort_unstable();
    desks.dedup();
    desks.iter().filter(|number| is_desk(number)).count()
}

fn checks(central: &Central, view: &View, next: Option<&DrawInfo>) -> Vec<RoomCheckView> {
    let now_ms = central.clock.now_ms();
    let is_committed = next.is_some_and(|draw| {
        let holders = draw.holders();
        !holders.is_empty() && holders.iter().all(|it| it.commitment.is_some())
    });
    let all = [
        (RoomCheck::Set, has_set(&view.room, now_ms)),
        (
            RoomCheck::Chooser,
            view.room.open.is_some() || view.choosing_draw().is_some(),
        ),
        (RoomCheck::Commitments, is_committed),
        (
            RoomCheck::Generator,
            HealthChecked::new(OsEntropy).start_up().is_ok(),
        ),
        (RoomCheck::Desks, desks(view) >= 2),
        (RoomCheck::Floats, !view.shifts.is_empty()),
    ];
    let line = central.ball_line.as_ref();
    let machine = line.map(|line| (RoomCheck::BallMachine, line.standing().answers));
    all.into_iter()
        .chain(machine)
        .map(|(check, is_good)| RoomCheckView {
            check: check.into(),
            is_good,
        })
        .collect()
}

/// What may be asked of the room as it is.
fn offered(caller: &Caller, view: &View, is_undecided: bool) -> Vec<Name<RoomStepName>> {
    use RoomStepName::{Choose, End, HandOver, Measure, Open};
    let room = &view.room;
    let is_open = room.open.is_some();
    let chosen = room.choice.as_ref().map(|it| it.chosen.is_some());
    let all = [
        (true, Operation::MeasureBallSet, Measure),
        (
            !is_open
                && !room.sets.is_empty()
                && chosen != Some(false)
                && view.choosing_draw().is_some(),
            Operation::OpenDrawRoom,
            Choose,
        ),
        (
            !is_open && chosen == Some(true),
            Operation::OpenDrawRoom,
            Open,
        ),
        (is_open, Operation::EndDrawRoom, HandOver),
        (is_open && !is_undecided, Operation::EndDrawRoom, End),
    ];
    all.into_iter()
        .filter(|(is_possible, operation, _)| *is_possible && caller.may(*operation).is_ok())
        .map(|(_, _, step)| step.into())
        .collect()
}

fn lack((operation, people): (Operation, u8)) -> LackView {
    let step = match operation {
        Operation::EnterBall => TeamStep::Enter,
        Operation::CertifyDraw => TeamStep::Certify,
        Operation::VoidDraw => TeamStep::Decide,
        _ => TeamStep::Room,
    };
    LackView {
        step: step.into(),
        people,
    }
}

fn reply(central: &Central, caller: &Caller) -> Result<RoomReply, Fault> {
    // Before the view: a step that is no longer asked has come about in it.
    let asked = RoomAsked::waiting(central);
    let view = central.view.get();
    let now_ms = central.clock.now_ms();
    let time = |draw: &DrawInfo| convert::draw_time(central, draw.number(), draw.draws_at_ms());
    let mut of_balls = view.draws.values().filter(|draw| draw.is_of_balls());
    let is_undecided = of_balls.clone().any(|draw| {
        use DrawState::{Closed, Drawing, Drawn, Suspended};
        matches!(draw.state(), Closed | Drawing | Drawn | Suspended)
    });
    let next = of_balls.find(|draw| matches!(draw.state(), DrawState::Open | DrawState::Closed));
    let waits = view.waits_for_room(now_ms, central.schedule.start_lead_ms);
    let room = &view.room;
    let choice = match &room.choice {
        Some(choice) => {
            let draw = convert::time_of(central, &view, choice.draw)?;
            Some(SetChoiceView {
                sets: choice.sets.clone(),
                draw,
                chosen: choice.chosen.clone(),
            })
        }
        None => None,
    };
    let limits = central.house.ball_sets;
    Ok(RoomReply {
        central_ms: now_ms,
        badge: caller.badge.clone(),
        balls: view.newest_rules().map_or(0, |it| it.rules.pool.size()),
        bounds_mg: vec![limits.least_mg, limits.most_mg],
        open: room.open.as_ref().map(|open| OpenRoomView {
            set: open.set.clone(),
            since_ms: open.since_ms,
            since_local: central.calendar.minute_text(open.since_ms),
            people: open.people.clone(),
        }),
        choice,
        sets: room
            .sets
            .iter()
            .map(|(name, set)| set_view(central, &view, name, set, now_ms))
            .collect(),
        checks: checks(central, &view, next.map(AsRef::as_ref)),
        lacks: RoomStep::lacks(central, &view)?
            .into_iter()
            .map(lack)
            .collect(),
        next: next.map(|draw| time(draw)),
        waits: waits.map(|draw| time(draw)),
        asked: asked.map(|it| asked_view(central, &view, caller, it)),
        offered: offered(caller, &view, is_undecided),
    })
}

/// Asks for a step, and shows the room.
async fn ask(app: web::Data<App>, caller: Caller, step: RoomStep) -> Reply<RoomReply> {
    write(move || {
        step.ask(&app.central, &caller)?;
        Ok(reply(&app.central, &caller)?)
    })
    .await
}

/// The draw room: its sets of balls, what was chosen, who is missing, and what waits.
#[utoipa::path(
    get, path = "/api/v1/room", tag = "draws", operation_id = "draw_room",
    responses((status = 200, description = "The draw room", body = RoomReply))
)]
pub(super) async fn seen(app: web::Data<App>, SignedOn(caller): SignedOn) -> Reply<RoomReply> {
    look(move || Ok(reply(&app.central, &caller)?)).await
}

/// A set for the example.
fn masses() -> Vec<u32> {
    vec![2_700; 80]
}

/// A set of balls was measured: it waits for the second person who saw it.
#[utoipa::path(
    post, path = "/api/v1/room/measures", tag = "draws", operation_id = "measure_ball_set",
    request_body(content = MeasureRequest, example = json!({"set": "A", "masses_mg": masses(), "passed": true, "instruments": "balance B-1, calibre C-2, 2026-11-02"})),
    responses((status = 200, description = "It waits for a second person", body = RoomReply))
)]
pub(super) async fn measure(By(app, caller, asked): By<MeasureRequest>) -> Reply<RoomReply> {
    let step = RoomStep::Measure {
        set: asked.set,
        masses_mg: asked.masses_mg,
        passed: asked.passed,
        instruments: asked.instruments,
    };
    ask(app, caller, step).await
}

/// Chance is to choose a set, by the secrets of a draw of the computer that is on sale.
#[utoipa::path(
    post, path = "/api/v1/room/choice", tag = "draws", operation_id = "choose_ball_set",
    request_body(content = ChoiceRequest, example = json!({"reason": ""})),
    responses((status = 200, description = "It waits for a second person", body = RoomReply))
)]
pub(super) async fn choose(By(app, caller, asked): By<ChoiceRequest>) -> Reply<RoomReply> {
    let step = RoomStep::Offer {
        reason: asked.reason,
    };
    ask(app, caller, step).await
}

/// The set that was chosen is in the machine, every ball counted, and the tubes are empty.
#[utoipa::path(
    post, path = "/api/v1/room/opening", tag = "draws", operation_id = "open_draw_room",
    request_body(content = OpeningRequest, example = json!({"counted": 80, "camera": "camera 3, 18:52:10"})),
    responses((status = 200, description = "It waits for a second person", body = RoomReply))
)]
pub(super) async fn open(By(app, caller, asked): By<OpeningRequest>) -> Reply<RoomReply> {
    let step = RoomStep::Open {
        counted: asked.counted,
        camera: asked.camera,
    };
    ask(app, caller, step).await
}

/// The room's day is over, or passes to whoever agrees.
#[utoipa::path(
    post, path = "/api/v1/room/end", tag = "draws", operation_id = "end_draw_room",
    request_body(content = EndRequest, example = json!({"hands_over": true})),
    responses((status = 200, description = "It waits for a second person", body = RoomReply))
)]
pub(super) async fn end(By(app, caller, asked): By<EndRequest>) -> Reply<RoomReply> {
    let step = match asked.hands_over {
        true => RoomStep::HandOver,
        false => RoomStep::End,
    };
    ask(app, caller, step).await
}

/// The second person agrees to what was asked: it is recorded.
#[utoipa::path(
    post, path = "/api/v1/room/agreement", tag = "draws", operation_id = "agree_in_room",
    request_body(content = AgreementRequest, example = json!({"number": 1})),
    responses((status = 200, description = "The room, with what was recorded", body = RoomReply))
)]
pub(super) async fn agree(By(app, caller, asked): By<AgreementRequest>) -> Reply<RoomReply> {
    write(move || {
        RoomAsked::agree(&app.central, &caller, asked.number)?;
        Ok(reply(&app.central, &caller)?)
    })
    .await
}

/// Something happened in the draw room.
#[utoipa::path(
    post, path = "/api/v1/room/incidents", tag = "draws", operation_id = "log_incident",
    request_body(content = IncidentRequest, example = json!({"draw": 2, "text": "a ball stuck at the mouth of the tube", "camera": "camera 3, 19:04:30"})),
    responses((status = 200, description = "Recorded", body = DoneReply))
)]
pub(super) async fn incident(By(app, caller, asked): By<IncidentRequest>) -> Reply<DoneReply> {
    done(app, move |central| {
        let incident = Incident {
            draw: asked.draw,
            text: asked.text,
            camera: asked.camera,
        };
        incident.log(central, &caller)
    })
    .await
    .map_err(unknown_draw)
}
