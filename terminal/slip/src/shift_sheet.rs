//! The sheet of a shift whose till was counted: what went through it, what was expected and
//! counted, and where the people of the hand-over sign.

use keno_wire::reply::{PieceLine, ShiftLine, ShiftSheetReply, TillCountReply};
use keno_words::{Money, Say, both, paper};

use crate::layout::{Draft, unbroken};
use crate::paper::{Issue, Paper, Size, Width};
use crate::receipt::{SIGNATURE_LINE, counted, head, till_and_shift};

/// Which way a kind of movement moves the cash of the till.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    In,
    Out,
}

/// A kind of movement with its name.
struct Kind<'a> {
    way: Way,
    name: &'static dyn Say,
    line: &'a ShiftLine,
}

fn kinds(reply: &ShiftSheetReply) -> [Kind<'_>; 9] {
    let kind = |way, name, line| Kind { way, name, line };
    [
        kind(Way::In, &paper::Sales, &reply.sales),
        kind(Way::Out, &paper::Cancels, &reply.cancels),
        kind(Way::Out, &paper::Unpaid, &reply.unpaid),
        kind(Way::Out, &paper::Payouts, &reply.payouts),
        kind(Way::Out, &paper::Refunds, &reply.refunds),
        kind(Way::Out, &paper::LostTickets, &reply.lost_refunds),
        kind(Way::In, &paper::Reversed, &reply.reversals),
        kind(Way::In, &paper::Fills, &reply.fills),
        kind(Way::Out, &paper::Drops, &reply.drops),
    ]
}

/// A figure with its name.
fn figure(draft: &mut Draft, name: &str, cents: i64) {
    draft.pair(0, name, &Money(cents).fr());
}

fn cash(draft: &mut Draft, reply: &ShiftSheetReply) {
    draft.centre(&both(&paper::CashTitle), Size::Normal, true);
    figure(draft, &both(&paper::OpeningFloat), reply.float_cents);
    for kind in kinds(reply) {
        let sign = match kind.way {
            Way::In => "+\u{A0}",
            Way::Out => "-\u{A0}",
        };
        let name = format!("{sign}{} ({})", both(kind.name), kind.line.count);
        figure(draft, &name, kind.line.cash_cents);
    }
    let rounding = format!("-\u{A0}{}", both(&paper::Rounding));
    figure(draft, &rounding, reply.rounding_cents);
    if reply.chip_change_cents != 0 {
        let change = format!("-\u{A0}{}", both(&paper::ChipChange));
        figure(draft, &change, reply.chip_change_cents);
    }
    draft.rule();
    counted(
        draft,
        reply.counted_cents,
        reply.expected_cents,
        reply.difference_cents,
    );
    if reply.added_up_cents != reply.expected_cents {
        draft.left_styled(0, &both(&paper::AddsUpTo), Size::Normal, true);
        draft.pair_bold(0, "", &Money(reply.added_up_cents).fr());
    }
    draft.rule();
}

/// What went through the till in another tender, where anything did.
fn other_tenders(draft: &mut Draft, reply: &ShiftSheetReply) {
    let kinds = kinds(reply);
    let coupons = kinds.iter().map(|kind| (kind, kind.line.coupon_cents));
    let coupons = coupons.collect::<Vec<_>>();
    tender(draft, "COUPONS", &coupons, &reply.coupons);
    let chips = kinds.iter().map(|kind| (kind, kind.line.chip_cents));
    let chips = chips.collect::<Vec<_>>();
    tender(draft, &both(&paper::ChipsTitle), &chips, &reply.chips);
}

fn tender(draft: &mut Draft, name: &str, figures: &[(&Kind<'_>, i64)], counted: &PieceLine) {
    if figures.iter().all(|(_, cents)| *cents == 0) && *counted == PieceLine::default() {
        return;
    }
    draft.centre(name, Size::Normal, true);
    for (kind, cents) in figures.iter().filter(|(_, cents)| *cents != 0) {
        figure(draft, &both(kind.name), *cents);
    }
    let pieces = &counted.pieces;
    let name = both(&paper::PiecesCounted { pieces });
    figure(draft, &name, counted.counted_cents);
    figure(draft, &both(&paper::PiecesExpected), counted.expected_cents);
    figure(draft, &both(&paper::Difference), counted.difference_cents);
    draft.rule();
}

fn counts(draft: &mut Draft, counts: &[TillCountReply]) {
    if counts.is_empty() {
        return;
    }
    draft.title(&paper::CountsInShift, Size::Normal);
    for count in counts {
        let at = unbroken(&count.at_local);
        draft.pair(0, &format!("n° {}", count.leaf), &at);
        figure(draft, &both(&paper::Counted), count.counted_cents);
        figure(draft, &both(&paper::Expected), count.expected_cents);
        figure(draft, &both(&paper::Difference), count.difference_cents);
        let people = format!("{} + {}", count.badge, count.second);
        draft.left(2, &format!("{people} : {}", count.reason));
    }
    draft.rule();
}

/// The sheet of a shift; the people of the hand-over sign it.
pub fn shift_sheet(reply: &ShiftSheetReply, issue: Issue, width: Width) -> Paper {
    let mut draft = head(width, &reply.house_name, &paper::ShiftSheet, issue);
    draft.pair(0, &both(&paper::BusinessDay), &reply.business_day);
    till_and_shift(&mut draft, &reply.terminal, reply.shift);
    let (opened, closed) = (&reply.opened_at_local, &reply.closed_at_local);
    draft.pair(0, &both(&paper::Opened), &unbroken(opened));
    draft.pair(0, &both(&paper::Closed), &unbroken(closed));
    draft.pair(0, &both(&paper::OpenedFor), &reply.holder);
    draft.pair(0, &both(&paper::Outgoing), &reply.outgoing);
    if let Some(incoming) = &reply.incoming {
        draft.pair(0, &both(&paper::Incoming), incoming);
    }
    if !reply.seconds.is_empty() {
        let seconds = reply.seconds.join(", ");
        draft.pair(0, &both(&paper::Seconds), &seconds);
    }
    draft.rule();
    cash(&mut draft, reply);
    other_tenders(&mut draft, reply);
    counts(&mut draft, &reply.counts);
    draft.left(0, "Signatures");
    for (name, badge) in [
        (both(&paper::Outgoing), reply.outgoing.as_str()),
        (
            both(&paper::Incoming),
            reply.incoming.as_deref().unwrap_or(""),
        ),
        (both(&paper::Supervisor), ""),
    ] {
        draft.feed(2);
        draft.left(0, &name);
        draft.pair(0, badge, SIGNATURE_LINE);
    }
    draft.feed(1);
    draft.pair(0, &reply.at_local, &format!("n° {}", reply.closed_leaf));
    draft.finish()
}
