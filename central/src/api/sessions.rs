//! Signing on and off, and the till.

use keno_service::authority::Operation;
use keno_service::authority::identity::Caller;
use keno_service::counter::{TillContents, TillOrder};
use keno_service::refusal::Refusal;
use keno_service::staff::{Attempt, Badge, Door, Origin};
use keno_service::{Stop, bounds};
use keno_wire::people::{BeginAnewRequest, ReliefRequest};
use keno_wire::reply::{CloseShiftReply, RecordedReply, SignOnReply, TillMovementReply};
use keno_wire::request::{
    CloseShiftRequest, PieceCount, SignOnRequest, TillMovementRequest, UnlockRequest,
};
use keno_wire::wall::ApprovalContent;

use super::handler::{ApiError, App, Body, By, Reply, SignedOn, answered, command, log_size, web};
use super::types::{DoneReply, LiftRequest, Nothing};
use crate::convert;
use crate::request::caller::{CurrentDevice, Device};
use crate::request::second::{Approvable, second_at_the_screen, second_person};
use crate::request::signer::{signed, signer};
use keno_service::access::{AccessKind, AccessLine};

/// Sign on with badge and PIN.
///
/// An earlier session at the device ends. With `float_cents`, a till is opened if none is open.
#[utoipa::path(
    post, path = "/api/v1/sessions", tag = "sessions", operation_id = "sign_on",
    request_body(content = SignOnRequest, example = json!({"badge": "C142", "pin": "471108", "float_cents": 50000})),
    responses((status = 200, description = "Signed on", body = SignOnReply))
)]
pub(super) async fn sign_on(
    app: web::Data<App>,
    CurrentDevice(device): CurrentDevice,
    Body(asked): Body<SignOnRequest>,
) -> Reply<SignOnReply> {
    let place = device.role;
    let person = Attempt {
        badge: &asked.badge,
        pin: &asked.pin,
        card: None,
        origin: Origin::Device(device.device),
        door: Door::SignOn,
        may: &|roles| Operation::may_sign_on(place, roles),
    }
    .recognise(&app.central)
    .await?;
    // A till that could not be opened is refused before the person is signed on: a refusal
    // leaves no trace.
    if let Some(float_cents) = asked.float_cents {
        person.may_open_shift(float_cents)?;
    }
    let opened = person
        .sign_on(&app.central, &device)
        .await
        .map_err(ApiError::of_command)?;
    let mut shift = opened.shift;
    if let (None, Some(float_cents)) = (shift, asked.float_cents) {
        let caller = Caller {
            device,
            session: opened.session,
            badge: person.badge,
            roles: person.roles,
        };
        shift = Some(
            caller
                .open_shift(&app.central, float_cents)
                .await
                // The person is signed on by now: it may not be said that nothing was done.
                .map_err(|stop| match stop {
                    Stop::Undone(fault) => ApiError::Unsure(fault),
                    other => ApiError::of_command(other),
                })?,
        );
    }
    Ok(web::Json(SignOnReply {
        session: opened.session,
        token: opened.token,
        shift,
        roles: convert::role_names(&opened.roles),
        central_ms: app.central.clock.now_ms(),
    }))
}

/// Two people, one of them a supervisor, end the session of somebody who does not come back, and one
/// of them goes on at the terminal: both badges and PINs are right, or nothing comes of it. The till
/// stays open, and what is in doubt stays there.
#[utoipa::path(
    post, path = "/api/v1/sessions/relief", tag = "sessions", operation_id = "relieve",
    request_body(content = ReliefRequest, example = json!({
        "absent": "C142", "staying": {"badge": "S201", "pin": "582917"},
        "second": {"badge": "C143", "pin": "693028"}
    })),
    responses((status = 200, description = "Signed on", body = SignOnReply))
)]
pub(super) async fn relieve(
    app: web::Data<App>,
    CurrentDevice(device): CurrentDevice,
    Body(asked): Body<ReliefRequest>,
) -> Reply<SignOnReply> {
    let central = &app.central;
    let origin = Origin::Device(device.device);
    let (staying, second) = (signed(&asked.staying), signed(&asked.second));
    let (staying, second) = staying
        .recognise_relief(central, origin, &asked.absent, second)
        .await?;
    let opened = staying
        .relieve(central, &device, &asked.absent, &second)
        .await
        .map_err(ApiError::of_command)?;
    Ok(web::Json(SignOnReply {
        session: opened.session,
        token: opened.token,
        shift: opened.shift,
        roles: convert::role_names(&opened.roles),
        central_ms: central.clock.now_ms(),
    }))
}

/// Whoever is signed on comes back to a locked screen. Nothing is recorded; tries count as at
/// sign-on.
#[utoipa::path(
    post, path = "/api/v1/sessions/unlock", tag = "sessions", operation_id = "unlock",
    request_body(content = UnlockRequest, example = json!({"badge": "C142", "pin": "471108"})),
    responses((status = 200, description = "It is the person who is signed on", body = DoneReply))
)]
pub(super) async fn unlock(By(app, caller, asked): By<UnlockRequest>) -> Reply<DoneReply> {
    caller
        .recognise_again(&app.central, &asked.badge, &asked.pin)
        .await?;
    app.idle.unlocked(
        caller.device.device,
        caller.session,
        app.central.clock.monotonic_ms(),
    );
    log_size(&app)
}

/// Lift, by two people, what keeps a badge out after too many wrong PINs, at every device.
#[utoipa::path(
    post, path = "/api/v1/badges/lift", tag = "sessions", operation_id = "lift_badge",
    request_body(content = LiftRequest, example = json!({
        "badge": "C142", "second": {"badge": "S102", "pin": "135790"}
    })),
    responses((status = 200, description = "Its PIN may be tried again everywhere", body = DoneReply))
)]
pub(super) async fn lift(By(app, caller, asked): By<LiftRequest>) -> Reply<DoneReply> {
    let second = second_at_the_screen(&app, &caller, &asked.second, Operation::LiftBadge).await?;
    if !app.central.view.get().people.contains_key(&asked.badge) {
        return Err(Refusal::RecordUnknown.into());
    }
    Badge(&asked.badge).lift(&app.central);
    app.access.note(AccessLine {
        at_ms: app.central.clock.now_ms(),
        kind: AccessKind::LockLifted,
        device: Some(caller.device.device),
        badge: asked.badge,
        trace: String::new(),
        purpose: format!("{} + {}", caller.badge, second.badge),
    });
    log_size(&app)
}

/// Somebody who has seen the evidence lets a device begin anew with this central, whose log it had
/// refused. Nothing of the record changes; the access log says who it was, and of what.
#[utoipa::path(
    post, path = "/api/v1/devices/begin-anew", tag = "sessions", operation_id = "begin_anew",
    request_body(content = BeginAnewRequest, example = json!({
        "by": {"badge": "T301", "pin": "582917"}, "refused": "restored"
    })),
    responses((status = 200, description = "Badge and PIN are right: the device begins anew", body = DoneReply))
)]
pub(super) async fn begin_anew(
    app: web::Data<App>,
    Device(device): Device,
    Body(asked): Body<BeginAnewRequest>,
) -> Reply<DoneReply> {
    bounds::word("refused", &asked.refused)?;
    let origin = Origin::Device(device.device);
    let by = signer(
        &app,
        (Operation::BeginAnew, Door::Devices, origin),
        &asked.by,
    )
    .await?;
    app.access.note(AccessLine {
        at_ms: app.central.clock.now_ms(),
        kind: AccessKind::BegunAnew,
        device: Some(device.device),
        badge: by.badge,
        trace: String::new(),
        purpose: asked.refused,
    });
    log_size(&app)
}

/// Sign off: the session's unknown keys are dead from here on.
#[utoipa::path(
    delete, path = "/api/v1/sessions/current", tag = "sessions", operation_id = "sign_off",
    responses((status = 200, description = "Signed off", body = RecordedReply))
)]
pub(super) async fn sign_off(
    app: web::Data<App>,
    SignedOn(caller): SignedOn,
) -> Reply<RecordedReply> {
    answered(caller.sign_off(&app.central).await)
}

/// Sign off, for clients that only post.
#[utoipa::path(
    post, path = "/api/v1/sessions/end", tag = "sessions", operation_id = "end_session",
    request_body(content = Nothing, example = json!({})),
    responses((status = 200, description = "Signed off", body = RecordedReply))
)]
pub(super) async fn end_session(
    app: web::Data<App>,
    signed_on: SignedOn,
    Body(Nothing {}): Body<Nothing>,
) -> Reply<RecordedReply> {
    sign_off(app, signed_on).await
}

/// Count the till blind and close it.
#[utoipa::path(
    post, path = "/api/v1/shifts/close", tag = "sessions", operation_id = "close_shift",
    request_body(content = CloseShiftRequest, example = json!({"counted_cents": 50000})),
    responses((status = 200, description = "The till is closed; the expected figure is shown only now", body = CloseShiftReply))
)]
pub(super) async fn close_shift(
    By(app, caller, asked): By<CloseShiftRequest>,
) -> Reply<CloseShiftReply> {
    command(async move || {
        let second = match &asked.second {
            Some(second) => {
                Some(second_at_the_screen(&app, &caller, second, Operation::CloseTill).await?)
            }
            None => None,
        };
        let pieces = |count: Option<PieceCount>| {
            let count = count.unwrap_or_default();
            (count.pieces, count.total_cents)
        };
        let counted = TillContents {
            cash_cents: asked.counted_cents,
            coupons: pieces(asked.coupons),
            chips: pieces(asked.chips),
        };
        let closed = caller
            .close_shift(&app.central, counted, second.as_ref())
            .await?;
        Ok(CloseShiftReply {
            shift: closed.shift,
            leaf: closed.leaf,
            counted_cents: closed.counted_cents,
            expected_cents: closed.expected_cents,
            difference_cents: closed.counted_cents.saturating_sub(closed.expected_cents),
        })
    })
    .await
}

/// Fill or drop the till of this device, by two people.
#[utoipa::path(
    post, path = "/api/v1/shifts/movements", tag = "sessions", operation_id = "move_till",
    request_body(content = TillMovementRequest, example = json!({
        "key": {"session": 1, "counter": 4}, "kind": "fill", "amount_cents": 100000,
        "second": {"badge": "S101", "pin": "246813"}
    })),
    responses((status = 200, description = "Recorded; both people sign the paper", body = TillMovementReply))
)]
pub(super) async fn move_till(
    By(app, caller, asked): By<TillMovementRequest>,
) -> Reply<TillMovementReply> {
    command(async move || {
        let central = &app.central;
        let what = Approvable {
            content: ApprovalContent::TillMovement {
                kind: asked.kind,
                amount_cents: asked.amount_cents,
            },
            key: Some(asked.key),
        };
        let second = second_person(&app, &caller, &asked.second, Operation::MoveTill, what).await?;
        let order = TillOrder {
            counter: asked.key.counter,
            session: asked.key.session,
            kind: convert::till_movement_kind(asked.kind),
            amount_cents: asked.amount_cents,
            second: second.person.clone(),
        };
        let moved = second.after(order.move_cash(central, &caller).await)?;
        Ok(convert::till_movement_reply(central, &moved)?)
    })
    .await
}
