//! The supervisor's wall: how the terminals are, and what waits for somebody.

use keno_record::fault::Fault;
use keno_record::roles::DeviceRole;
use keno_record::state::WaitingDraw;
use keno_record::view::View;
use keno_service::access::Decision;
use keno_service::authority::identity::Caller;
use keno_service::house::KeyEvidence;
use keno_service::staff::DeviceNumber;
use keno_service::{Central, Stop, counter};
use keno_wire::coded::{self, FollowerStanding, Name, TerminalStanding};
use keno_wire::reply::Bilingual;
use keno_wire::wall::{
    CashBand, FollowerView, HeardReply, HeldView, InDoubtView, LastSale, OpenReport,
    RecordEvidence, StopRequest, StoppedView, TerminalReport, TerminalState, UnfollowedView,
    WallClock, WallReply, WallRow,
};

use super::handler::{App, Body, By, Reply, blocking, log_size, look, web};
use super::messages;
use super::types::DoneReply;
use crate::convert;
use crate::request::caller::KnownDevice;
use crate::wall::{Heard, SILENT_AFTER_MS};

/// Commands in one report that are looked at.
const OPEN_MOST: usize = 32;
/// Draws that wait for the second computation and are shown.
const UNFOLLOWED_MOST: usize = 50;
/// Letters of a name in a report that are kept.
const NAME_MOST: usize = 32;

fn cut(text: &mut String) {
    *text = text.chars().take(NAME_MOST).collect();
}

/// A name that is not known here may be of any length.
fn cut_name<T>(name: &mut Name<T>) {
    if let Name::Other(text) = name {
        cut(text);
    }
}

/// A device says how it is. It is kept in memory, with central's time; a report that is lost is no
/// fault.
#[utoipa::path(
    post, path = "/api/v1/terminals/report", tag = "wall", operation_id = "report_terminal",
    request_body(content = TerminalReport, example = json!({
        "version": "0.1.0", "locked": false,
        "printer": {"state": "ready", "near_end": false},
        "open": [{
            "key": {"session": 1, "counter": 7}, "kind": "sale", "stage": "parked",
            "total_cents": 500, "since_ms": 12000
        }]
    })),
    responses((status = 200, description = "Heard", body = HeardReply))
)]
pub(super) async fn report(
    app: web::Data<App>,
    KnownDevice(device): KnownDevice,
    Body(mut asked): Body<TerminalReport>,
) -> Reply<HeardReply> {
    asked.open.truncate(OPEN_MOST);
    cut(&mut asked.version);
    for open in &mut asked.open {
        cut_name(&mut open.kind);
        cut_name(&mut open.stage);
        open.money.iter_mut().for_each(cut_name);
    }
    if let Some(printer) = &mut asked.printer {
        cut(&mut printer.state);
    }
    if !asked.open.is_empty() {
        let (app, device) = (app.clone(), device.clone());
        let (kept, report) = blocking(move || {
            let keys = asked.open.iter();
            let keys = keys.map(|open| (open.device, open.key.session, open.key.counter));
            let kept = device.can_be_open(&app.central, &keys.collect::<Vec<_>>())?;
            Ok((kept, asked))
        })
        .await?;
        asked = report;
        let mut kept = kept.into_iter();
        asked.open.retain(|_| kept.next().unwrap_or(false));
    }
    let clock = &app.central.clock;
    let view = app.central.view.get();
    let mut sessions = view.sessions.iter();
    if let Some((session, _)) = sessions.find(|(_, session)| session.device == device.device) {
        let now_ms = clock.monotonic_ms();
        app.idle
            .heard(device.device, *session, asked.hand_ms, now_ms);
    }
    app.wall
        .reports
        .hear(device.device, asked, clock.monotonic_ms());
    Ok(web::Json(HeardReply {
        heard_ms: clock.now_ms(),
    }))
}

fn role_name(role: u8) -> &'static str {
    DeviceRole::from_number(role).map_or("unknown", DeviceRole::name)
}

fn state_of(heard: Option<&Heard>, now_ms: i64) -> TerminalState {
    match heard {
        None => TerminalState::NeverHeard,
        Some(heard) if now_ms - heard.at_ms > SILENT_AFTER_MS => TerminalState::Silent,
        Some(heard) if heard.report.locked => TerminalState::Locked,
        Some(_) => TerminalState::Online,
    }
}

fn band(central: &Central, expected_cents: i64) -> CashBand {
    let bands = central.house.cash;
    if expected_cents < bands.low_cents {
        CashBand::Low
    } else if expected_cents < bands.high_cents {
        CashBand::Usual
    } else {
        CashBand::High
    }
}

fn row(
    app: &App,
    view: &View,
    number: u32,
    heard: Option<&Heard>,
    stopped: Option<&Decision>,
    last_sale: Option<&(i64, i64)>,
) -> Result<WallRow, Fault> {
    let central = &app.central;
    let local = |at_ms: i64| central.calendar.second_text(at_ms);
    let known = view.devices.get(&number);
    let is_left = view
        .handed_over
        .get(&number)
        .is_some_and(|left| left.is_locked);
    let standing = match known {
        Some(device) if !device.active => TerminalStanding::Revoked,
        _ if is_left => TerminalStanding::Left,
        _ => TerminalStanding::Active,
    };
    let session = view
        .sessions
        .iter()
        .find(|(_, session)| session.device == number);
    let since_ms = match session {
        Some((number, _)) => app.wall.opened_ms(central, *number)?,
        None => None,
    };
    let shift = view.shift_at(number);
    let now_ms = central.clock.monotonic_ms();
    Ok(WallRow {
        device: number,
        name: convert::terminal_name(view, number),
        role: role_name(known.map_or(0, |device| device.role)).to_owned(),
        standing: standing.into(),
        badge: session.map(|(_, session)| session.badge.clone()),
        since_ms,
        since_local: since_ms.map(local),
        shift: shift.map(|(number, _)| number),
        state: state_of(heard, now_ms),
        silent_ms: heard.map(|heard| u64::try_from(now_ms - heard.at_ms).unwrap_or(0)),
        last_sale: last_sale.map(|&(at_ms, total_cents)| LastSale {
            at_ms,
            local: local(at_ms),
            total_cents,
        }),
        cash: shift.map(|(_, shift)| band(central, shift.expected_cents)),
        printer: heard.and_then(|heard| heard.report.printer.clone()),
        version: heard.map(|heard| heard.report.version.clone()),
        in_doubt: heard.map_or(0, |heard| {
            u32::try_from(heard.report.open.len()).unwrap_or(u32::MAX)
        }),
        stopped: stopped.map(|decision| StoppedView {
            by: decision.by.clone(),
            at_ms: decision.at_ms,
            local: local(decision.at_ms),
            reason: decision.reason.clone(),
        }),
    })
}

fn evidence(central: &Central, device: u32, open: &OpenReport) -> Result<RecordEvidence, Fault> {
    let key = keno_log::CommandKey {
        device: open.device.unwrap_or(device),
        session: open.key.session,
        counter: open.key.counter,
    };
    let said = |state: coded::KeyEvidence, leaf| RecordEvidence {
        state: state.into(),
        leaf,
        total_cents: None,
        print_confirmed: None,
        reference: None,
    };
    Ok(match KeyEvidence::of(central, &key)? {
        KeyEvidence::Unknown => said(coded::KeyEvidence::Unknown, None),
        KeyEvidence::Closed => said(coded::KeyEvidence::Closed, None),
        KeyEvidence::Recorded { leaf } => said(coded::KeyEvidence::Recorded, Some(leaf)),
        KeyEvidence::Sale {
            ticket,
            total_cents,
            print_confirmed,
        } => RecordEvidence {
            total_cents: Some(total_cents),
            print_confirmed: Some(print_confirmed),
            reference: convert::without_paper(central, &counter::Sold::read(central, ticket)?),
            ..said(coded::KeyEvidence::Recorded, Some(ticket))
        },
    })
}

fn draw_clock(central: &Central, view: &View) -> WallClock {
    let now_ms = central.clock.now_ms();
    let next = view.next_open();
    WallClock {
        central_ms: now_ms,
        local: central.calendar.second_text(now_ms),
        next: next.map(|draw| convert::draw_time(central, draw.number(), draw.draws_at_ms())),
        closes_at_ms: next.map(|draw| draw.closes_at_ms()),
        sales_suspended: view.sales_suspended.is_some(),
        restored: view.waits_after_restore(),
        schedule_halted: view.schedule_halted.is_some(),
    }
}

fn follower_of(central: &Central, view: &View) -> Option<FollowerView> {
    let line = central.follower.as_ref()?;
    let heard = line.heard();
    let now_ms = central.clock.monotonic_ms();
    let log_size = central.checkpoint().map_or(0, |newest| newest.size);
    let is_on_record = heard.is_on_record(line, &view.following);
    let began = heard.beginning.as_ref().filter(|_| !is_on_record);
    let standing = match () {
        () if heard.is_away(now_ms) => FollowerStanding::Away,
        () if heard.refuses.is_some() => FollowerStanding::Refuses,
        () if heard.beginning.is_none() => FollowerStanding::NotHeard,
        () if !is_on_record => FollowerStanding::NotOnRecord,
        () => FollowerStanding::AtWork,
    };
    Some(FollowerView {
        name: line.name().to_owned(),
        standing: standing.into(),
        silent_ms: u64::try_from(heard.silent_ms(now_ms)).unwrap_or(0),
        behind: log_size.saturating_sub(heard.size),
        began: began.map(|own| hex::encode(own.began)),
        refuses: heard.refuses.map(|it| format!("{}: {}", it.name, it.words)),
    })
}

fn unfollowed_of(central: &Central, view: &View) -> Vec<UnfollowedView> {
    let now_ms = central.clock.now_ms();
    let minute = |at_ms: i64| central.calendar.minute_text(at_ms);
    let one = |(draw, waiting): (&u64, &WaitingDraw)| UnfollowedView {
        draw: *draw,
        since_local: minute(waiting.since_ms),
        holds_large: waiting.minutes.is_some(),
        differs: waiting.differs.as_ref().map(|it| it.finding.clone()),
        entry: waiting.differs.as_ref().and_then(|it| it.entry),
        opens_local: waiting
            .may_be_opened_ms()
            .filter(|_| waiting.differs.is_none())
            .map(|at_ms| central.calendar.minute_after_text(at_ms)),
        may_be_opened: waiting.may_be_opened(now_ms),
    };
    let (differing, awaited): (Vec<_>, Vec<_>) = view
        .following
        .waiting
        .iter()
        .partition(|(_, waiting)| waiting.differs.is_some());
    let all = differing.into_iter().chain(awaited);
    all.take(UNFOLLOWED_MOST).map(one).collect()
}

fn wall_of(app: &App) -> Result<WallReply, Stop> {
    let central = &app.central;
    let view = central.view.get();
    let (heard, stops) = (app.wall.reports.all(), app.access.stops.all());
    let mut numbers: Vec<u32> = view.devices.keys().copied().collect();
    numbers.sort_unstable();
    let sales = DeviceNumber::last_sales(central)?;
    let of = |number| {
        let (heard, stopped) = (heard.get(&number), stops.get(&number));
        row(app, &view, number, heard, stopped, sales.get(&number))
    };
    let rows = numbers.into_iter().map(of).collect::<Result<Vec<_>, _>>()?;
    let mut in_doubt = Vec::new();
    for (device, heard) in &heard {
        for open in &heard.report.open {
            in_doubt.push(InDoubtView {
                device: *device,
                name: convert::terminal_name(&view, *device),
                terminal: open.clone(),
                record: evidence(central, *device, open)?,
            });
        }
    }
    let held = app.wall.held(central)?.into_iter().map(|held| HeldView {
        name: convert::terminal_name(&view, held.device),
        why: held.why.to_owned(),
        decided_by_local: held
            .decided_by_ms
            .map(|at_ms| central.calendar.minute_text(at_ms)),
        is_late: held.is_late(central.clock.now_ms()),
        ticket: held.ticket,
        number: held.number,
        device: held.device,
        first_draw: held.first_draw,
        last_draw: held.last_draw,
        total_cents: held.total_cents,
    });
    Ok(WallReply {
        house_name: central.house_name.clone(),
        clock: draw_clock(central, &view),
        alarms: app
            .alarms
            .standing()
            .into_iter()
            .map(|told| Bilingual::of(&told.alarm))
            .collect(),
        rows,
        in_doubt,
        held: held.collect(),
        follower: follower_of(central, &view),
        unfollowed: unfollowed_of(central, &view),
        approvals: app.wall.waiting(central),
        messages: messages::shown(app, &view),
    })
}

/// How the terminals are, and what waits for a supervisor. Cash is told as a band alone.
#[utoipa::path(
    get, path = "/api/v1/wall", tag = "wall", operation_id = "wall",
    responses((status = 200, description = "The wall", body = WallReply))
)]
pub(super) async fn wall(app: web::Data<App>) -> Reply<WallReply> {
    look(move || wall_of(&app)).await
}

async fn decide(
    app: web::Data<App>,
    caller: Caller,
    device: u32,
    reason: String,
    is_stopped: bool,
) -> Reply<DoneReply> {
    let shared = app.clone();
    blocking(move || {
        let (central, log) = (&shared.central, &shared.access);
        log.decide_stop(central, &caller, device, &reason, is_stopped)
    })
    .await?;
    log_size(&app)
}

/// Stop a terminal from selling. Payments go on, and whoever is signed on there stays.
#[utoipa::path(
    post, path = "/api/v1/terminals/{number}/stop", tag = "wall", operation_id = "stop_terminal",
    params(("number" = u32, Path, description = "Device number", example = 1)),
    request_body(content = StopRequest, example = json!({"reason": "the till is being counted"})),
    responses((status = 200, description = "It sells nothing", body = DoneReply))
)]
pub(super) async fn stop(
    number: web::Path<u32>,
    By(app, caller, asked): By<StopRequest>,
) -> Reply<DoneReply> {
    decide(app, caller, number.into_inner(), asked.reason, true).await
}

/// Let a terminal sell again that a supervisor has stopped.
#[utoipa::path(
    post, path = "/api/v1/terminals/{number}/start", tag = "wall", operation_id = "start_terminal",
    params(("number" = u32, Path, description = "Device number", example = 1)),
    request_body(content = StopRequest, example = json!({"reason": "the till is right"})),
    responses((status = 200, description = "It sells again", body = DoneReply))
)]
pub(super) async fn start(
    number: web::Path<u32>,
    By(app, caller, asked): By<StopRequest>,
) -> Reply<DoneReply> {
    decide(app, caller, number.into_inner(), asked.reason, false).await
}
