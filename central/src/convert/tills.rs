//! Cash that moves, as replies say it: payments, refunds, fills, drops and counts.

use keno_game::{DrawState, PaidKind, Tender};
use keno_log::event::{LostTicketRefunded, PrizePaid, TillCounted, TillMoved};
use keno_record::fault::Fault;
use keno_record::past_draws::draw_range;
use keno_record::project::sale_of;
use keno_service::central::Central;
use keno_service::counter;
use keno_service::counter::{Paper, Recorded};
use keno_wire::reply::{
    LostRefundReply, PaidItemView, PayReply, TillCountReply, TillMovementReply,
};
use keno_wire::request::TillMovementKind;

use super::reply::{key, tender_name, terminal_name};

/// The reply to a payment. Reads the record.
///
/// # Errors
/// A fault.
pub fn pay_reply(central: &Central, paid: &Recorded<PrizePaid>) -> Result<PayReply, Fault> {
    let event = &paid.event;
    let sold = sale_of(&mut *central.readers.get()?, event.ticket)?;
    let draws = draw_range(central, sold.first_draw, sold.last_draw)?;
    let draws_left = draws
        .iter()
        .filter(|draw| !matches!(draw.state(), DrawState::Settled | DrawState::Void))
        .count();
    Ok(PayReply {
        key: key(&event.key),
        payment: paid.leaf,
        control_number: Paper::control_number(central, event.ticket).digits(),
        items: event
            .items
            .iter()
            .map(|item| PaidItemView {
                draw: item.draw,
                kind: PaidKind::from_number(item.kind).into(),
                amount_cents: item.amount_cents,
            })
            .collect(),
        total_cents: event.total_cents,
        cash_cents: if event.tender == Tender::Cash {
            event.total_cents + event.rounding_cents
        } else {
            0
        },
        tender: tender_name(event.tender),
        draws_left: u32::try_from(draws_left).unwrap_or(u32::MAX),
        at_local: central.calendar.second_text(paid.at_ms),
        terminal: terminal_name(&central.view.get(), event.key.device),
        badge: event.badge.clone(),
        second: event.second.clone(),
        house_name: central.house_name.clone(),
        report_cents: paid.report_cents(central)?,
        repeated: paid.repeated,
    })
}

/// The reply to the refund of a lost ticket.
pub fn lost_refund_reply(
    central: &Central,
    refunded: &Recorded<LostTicketRefunded>,
) -> LostRefundReply {
    let event = &refunded.event;
    LostRefundReply {
        key: key(&event.key),
        leaf: refunded.leaf,
        shift: event.shift,
        amount_cents: event.amount_cents,
        tender: tender_name(event.tender),
        reason: event.reason.clone(),
        at_local: central.calendar.second_text(refunded.at_ms),
        terminal: terminal_name(&central.view.get(), event.key.device),
        badge: event.badge.clone(),
        second: event.second.clone(),
        house_name: central.house_name.clone(),
        repeated: refunded.repeated,
    }
}

/// Which way cash goes, as a request says it.
pub const fn till_movement_kind(kind: TillMovementKind) -> counter::TillMovementKind {
    match kind {
        TillMovementKind::Fill => counter::TillMovementKind::Fill,
        TillMovementKind::Drop => counter::TillMovementKind::Drop,
    }
}

/// The reply to a fill or a drop.
///
/// # Errors
/// A fault, when the record holds no such movement.
pub fn till_movement_reply(
    central: &Central,
    moved: &Recorded<TillMoved>,
) -> Result<TillMovementReply, Fault> {
    let event = &moved.event;
    let kind = match counter::TillMovementKind::from_number(event.kind) {
        Some(counter::TillMovementKind::Fill) => TillMovementKind::Fill,
        Some(counter::TillMovementKind::Drop) => TillMovementKind::Drop,
        None => {
            let kind = event.kind;
            return Err(Fault::Record(format!(
                "leaf {}: movement {kind}",
                moved.leaf
            )));
        }
    };
    Ok(TillMovementReply {
        key: key(&event.key),
        movement: moved.leaf,
        shift: event.shift,
        kind,
        amount_cents: event.amount_cents,
        at_local: central.calendar.second_text(moved.at_ms),
        terminal: terminal_name(&central.view.get(), event.key.device),
        badge: event.by.clone(),
        second: event.second.clone(),
        house_name: central.house_name.clone(),
        repeated: moved.repeated,
    })
}

/// The reply to a count in the middle of a shift.
pub fn till_count_reply(central: &Central, counted: &Recorded<TillCounted>) -> TillCountReply {
    let event = &counted.event;
    TillCountReply {
        leaf: counted.leaf,
        shift: event.shift,
        counted_cents: event.counted_cents,
        expected_cents: event.expected_cents,
        difference_cents: event.counted_cents.saturating_sub(event.expected_cents),
        reason: event.reason.clone(),
        at_local: central.calendar.second_text(counted.at_ms),
        terminal: terminal_name(&central.view.get(), event.device),
        badge: event.by.clone(),
        second: event.second.clone(),
        house_name: central.house_name.clone(),
    }
}
