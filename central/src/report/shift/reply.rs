//! A shift as a reply, for the terminal that prints it.

use keno_wire::reply::{ShiftLine, ShiftSheetReply, TillCountReply};

use super::layout::business_day;
use super::{ShiftFacts, Tendered};
use crate::report::House;

fn line(tendered: &Tendered) -> ShiftLine {
    ShiftLine {
        count: tendered.count,
        amount_cents: tendered.cents,
        cash_cents: tendered.cash_cents,
        coupon_cents: tendered.coupon_cents,
        chip_cents: tendered.chip_cents,
    }
}

/// What the leaves say of a shift; nothing before its till was counted.
pub fn sheet_reply(house: &House, facts: &ShiftFacts) -> Option<ShiftSheetReply> {
    let (closed, closed_at_ms) = facts.closed.as_ref()?;
    let figures = &facts.figures;
    let at = |at_ms: i64| house.calendar.second_text(at_ms);
    let counts = facts
        .counts
        .iter()
        .map(|(fact, body, terminal)| TillCountReply {
            leaf: fact.leaf,
            shift: body.shift,
            counted_cents: body.counted_cents,
            expected_cents: body.expected_cents,
            difference_cents: body.counted_cents.saturating_sub(body.expected_cents),
            reason: body.reason.clone(),
            at_local: at(fact.at_ms),
            terminal: terminal.clone(),
            badge: body.by.clone(),
            second: body.second.clone(),
            house_name: house.name.clone(),
        })
        .collect();
    Some(ShiftSheetReply {
        shift: facts.opened.shift,
        business_day: business_day(&house.calendar, facts),
        terminal: facts.device.clone(),
        opened_at_local: at(facts.opened_at_ms),
        closed_at_local: at(*closed_at_ms),
        holder: facts.opened.badge.clone(),
        outgoing: closed.by.clone(),
        incoming: facts.incoming.clone(),
        seconds: facts.seconds.iter().cloned().collect(),
        float_cents: figures.float_cents,
        sales: line(&figures.sales),
        cancels: line(&figures.cancels),
        unpaid: line(&figures.unpaid),
        payouts: line(&figures.prizes),
        refunds: line(&figures.refunds),
        lost_refunds: line(&figures.lost),
        reversals: line(&figures.reversals),
        fills: line(&figures.fills),
        drops: line(&figures.drops),
        rounding_cents: figures.rounding_cents,
        counts,
        expected_cents: closed.expected_cents,
        counted_cents: closed.counted_cents,
        difference_cents: closed.counted_cents.saturating_sub(closed.expected_cents),
        added_up_cents: figures.expected_cents(),
        opened_leaf: facts.leaves.0,
        closed_leaf: facts.leaves.1,
        at_local: at(house.now_ms),
        house_name: house.name.clone(),
    })
}
