//! A terminal that is left in the middle of a shift, and the neighbour that goes on.

use keno_record::fault::Fault;
use keno_service::Central;
use keno_service::authority::Operation;
use keno_service::counter::Taken;
use keno_service::staff::DeviceNumber;
use keno_wire::reply::{HandOversReply, LeftView, TakenView, UnconfirmedView};
use keno_wire::request::{CommandKey, TakeOverRequest};
use keno_wire::wall::ApprovalContent;

use super::handler::{App, Body, Reply, SignedOn, command, look, web};
use crate::convert;
use crate::request::caller::KnownDevice;
use crate::request::second::{Approvable, second_person};

fn taken_view(taken: Taken) -> TakenView {
    TakenView {
        leaf: taken.leaf,
        device: taken.device,
        name: taken.name,
        shift: taken.shift,
        unconfirmed: taken
            .unconfirmed
            .into_iter()
            .map(|one| UnconfirmedView {
                key: CommandKey {
                    session: one.key.session,
                    counter: one.key.counter,
                },
                ticket: one.ticket,
                total_cents: one.total_cents,
                received_cents: one.received_cents,
            })
            .collect(),
    }
}

fn hand_overs(central: &Central, device: u32) -> Result<HandOversReply, Fault> {
    let view = central.view.get();
    let left = view.handed_over.get(&device).map(|left| LeftView {
        leaf: left.leaf,
        to: left.to,
        to_name: convert::terminal_name(&view, left.to),
        is_locked: left.is_locked,
    });
    let mut taken = Vec::new();
    for from in view.handed_over.keys() {
        // Also what the one that was left had itself taken over.
        if DeviceNumber(device).has_taken(&view.handed_over, *from) {
            taken.extend(DeviceNumber(*from).left_open(central)?.map(taken_view));
        }
    }
    Ok(HandOversReply { left, taken })
}

/// Where this device was left to, and what it took over. A device that was left may ask, too.
#[utoipa::path(
    get, path = "/api/v1/hand-overs", tag = "hand-overs", operation_id = "hand_overs",
    responses((status = 200, description = "What was left and what was taken", body = HandOversReply))
)]
pub(super) async fn list(
    app: web::Data<App>,
    KnownDevice(device): KnownDevice,
) -> Reply<HandOversReply> {
    look(move || Ok(hand_overs(&app.central, device.device)?)).await
}

/// Two people go on here with what another terminal left open: its sessions end, its open till
/// moves here, and it is locked. Asked again, the answer is the same.
#[utoipa::path(
    post, path = "/api/v1/hand-overs", tag = "hand-overs", operation_id = "take_over",
    request_body(content = TakeOverRequest, example = json!({
        "device": 2, "reason": "imprimante en panne", "second": {"badge": "S101", "pin": "246813"}
    })),
    responses((status = 200, description = "Taken over", body = TakenView))
)]
pub(super) async fn take_over(
    app: web::Data<App>,
    SignedOn(caller): SignedOn,
    Body(asked): Body<TakeOverRequest>,
) -> Reply<TakenView> {
    command(async move || {
        let what = Approvable::once(ApprovalContent::TakeOver {
            device: asked.device,
            reason: asked.reason.clone(),
        });
        let second = second_person(&app, &caller, &asked.second, Operation::TakeOver, what).await?;
        let (central, person) = (&app.central, &second.person);
        let taken = caller.take_over(central, person, asked.device, &asked.reason);
        Ok(taken_view(second.after(taken.await)?))
    })
    .await
}
