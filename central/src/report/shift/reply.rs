//! A shift as a reply, for the terminal that prints it.

use keno_wire::reply::{PieceLine, ShiftSheetReply, TillCountReply};

use super::ShiftFacts;
use super::layout::business_day;
use crate::report::House;

fn pieces(pieces: u32, counted_cents: i64, expected_cents: i64) -> PieceLine {
    PieceLine {
        pieces,
        counted_cents,
        expected_cents,
        difference_cents: counted_cents.saturating_sub(expected_cents),
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
        sales: figures.sales,
        cancels: figures.cancels,
        unpaid: figures.unpaid,
        payouts: figures.prizes,
        refunds: figures.refunds,
        lost_refunds: figures.lost,
        reversals: figures.reversals,
        fills: figures.fills,
        drops: figures.drops,
        rounding_cents: figures.rounding_cents,
        chip_change_cents: figures.chip_change_cents,
        coupons: pieces(closed.coupons, closed.coupon_cents, figures.coupons_cents),
        chips: pieces(closed.chips, closed.chip_cents, figures.chips_cents),
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
