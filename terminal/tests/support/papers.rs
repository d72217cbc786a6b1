//! Every paper that a terminal prints, with the texts of a house in it.

#![allow(clippy::unwrap_used, reason = "a test's failure is its own report")]

use keno_slip::aside::{Aside, What, aside};
use keno_slip::{
    DoubtMoney, InDoubt, Issue, Paper, Width, cancellation_receipt, in_doubt, lost_refund_receipt,
    payment_receipt, shift_sheet, test_page, ticket, till_count_receipt, till_movement_receipt,
};
use keno_wire::reply::{
    CancelReply, LostRefundReply, PaidItemView, PayReply, PieceLine, ShiftLine, ShiftSheetReply,
    TicketView, TillCountReply, TillMovementReply,
};
use keno_wire::request::{CommandKey, TillMovementKind};

/// What people may write.
pub struct Texts<'a> {
    /// The house.
    pub house: &'a str,
    /// The terminal.
    pub terminal: &'a str,
    /// The clerk.
    pub badge: &'a str,
    /// How the wager was paid.
    pub tender: &'a str,
}

const KEY: CommandKey = CommandKey {
    session: 3,
    counter: 12,
};

/// All papers by their names, with a ticket of each standing.
pub fn every_paper(
    views: &[(&'static str, TicketView)],
    texts: &Texts<'_>,
    width: Width,
) -> Vec<(String, Paper)> {
    let owned = str::to_owned;
    let at_local = "2026-11-20 21:05:11".to_owned();
    let mut papers = Vec::new();
    for (name, view) in views {
        for (issue, word) in [(Issue::First, ""), (Issue::Reprint, "-reprint")] {
            let paper = ticket(view, issue, width).unwrap();
            papers.push((format!("ticket-{name}{word}"), paper));
        }
    }
    let cancelled = CancelReply {
        key: KEY,
        leaf: 9_118_205,
        control_number: "0731552890146663".to_owned(),
        refund_cents: 2_500,
        above_cents: 0,
        change_cents: 0,
        tender: texts.tender.into(),
        at_local: at_local.clone(),
        terminal: owned(texts.terminal),
        badge: owned(texts.badge),
        house_name: owned(texts.house),
        repeated: false,
    };
    let paid = PayReply {
        key: KEY,
        payment: 9_118_300,
        control_number: "0731552890146663".to_owned(),
        items: vec![
            PaidItemView {
                draw: 48_214,
                kind: "prize".into(),
                amount_cents: 123_450,
            },
            PaidItemView {
                draw: 48_215,
                kind: "refund".into(),
                amount_cents: 500,
            },
        ],
        total_cents: 123_950,
        cash_cents: 123_950,
        tender: texts.tender.into(),
        draws_left: 3,
        report_cents: None,
        at_local: at_local.clone(),
        terminal: owned(texts.terminal),
        badge: owned(texts.badge),
        second: Some(owned(texts.badge)),
        house_name: owned(texts.house),
        repeated: false,
    };
    let moved = TillMovementReply {
        key: KEY,
        movement: 9_118_301,
        shift: 77,
        kind: TillMovementKind::Drop,
        amount_cents: 200_000,
        at_local,
        terminal: owned(texts.terminal),
        badge: owned(texts.badge),
        second: owned(texts.badge),
        house_name: owned(texts.house),
        repeated: false,
    };
    let refunded = LostRefundReply {
        key: KEY,
        leaf: 9_118_303,
        shift: 77,
        amount_cents: 2_500,
        tender: "cash".into(),
        reason: "price read on the paper".to_owned(),
        at_local: moved.at_local.clone(),
        terminal: owned(texts.terminal),
        badge: owned(texts.badge),
        second: owned(texts.badge),
        house_name: owned(texts.house),
        repeated: false,
    };
    let counted = TillCountReply {
        leaf: 9_118_304,
        shift: 77,
        counted_cents: 61_000,
        expected_cents: 61_205,
        difference_cents: -205,
        reason: owned(texts.tender),
        at_local: moved.at_local.clone(),
        terminal: owned(texts.terminal),
        badge: owned(texts.badge),
        second: owned(texts.badge),
        house_name: owned(texts.house),
    };
    papers.push(("count".to_owned(), till_count_receipt(&counted, width)));
    let sheet = shift(counted, texts);
    for (issue, word) in [(Issue::First, ""), (Issue::Reprint, "-reprint")] {
        papers.push((format!("shift{word}"), shift_sheet(&sheet, issue, width)));
        papers.push((
            format!("cancellation{word}"),
            cancellation_receipt(&cancelled, issue, width).unwrap(),
        ));
        papers.push((
            format!("payment{word}"),
            payment_receipt(&paid, issue, width).unwrap(),
        ));
        papers.push((
            format!("till{word}"),
            till_movement_receipt(&moved, issue, width),
        ));
        papers.push((
            format!("lost{word}"),
            lost_refund_receipt(&refunded, issue, width),
        ));
    }
    let doubt = InDoubt {
        device: 7,
        session: 3,
        counter: 12,
        badge: texts.badge,
        total_cents: 2_500,
        received_cents: 4_000,
        draws: Some(2),
        money: DoubtMoney::Kept,
        at: "2026-11-23 12:00 UTC",
    };
    papers.push(("in-doubt".to_owned(), in_doubt(&doubt, width)));
    let back = InDoubt {
        money: DoubtMoney::GivenBack,
        ..doubt
    };
    papers.push(("in-doubt-given-back".to_owned(), in_doubt(&back, width)));
    for (name, what) in [
        ("aside-cancellation", What::Cancellation),
        ("aside-payment", What::Payment),
        ("aside-till", What::TillMovement),
        ("aside-lost", What::LostRefund),
    ] {
        let command = Aside {
            device: 7,
            session: KEY.session,
            counter: KEY.counter,
            badge: texts.badge,
            what,
            amount_cents: 2_500,
        };
        papers.push((name.to_owned(), aside(&command, width)));
    }
    papers.push(("test-page".to_owned(), test_page(texts.terminal, width)));
    papers
}

/// A shift with something of everything in it.
fn shift(counted: TillCountReply, texts: &Texts<'_>) -> ShiftSheetReply {
    let line = ShiftLine {
        count: 41,
        amount_cents: 124_950,
        cash_cents: 123_450,
        coupon_cents: 1_000,
        chip_cents: 500,
    };
    ShiftSheetReply {
        shift: 77,
        business_day: "2026-11-20".to_owned(),
        terminal: texts.terminal.to_owned(),
        opened_at_local: "2026-11-20 16:02:11".to_owned(),
        closed_at_local: "2026-11-20 23:58:40".to_owned(),
        holder: texts.badge.to_owned(),
        outgoing: texts.badge.to_owned(),
        incoming: Some(texts.badge.to_owned()),
        seconds: vec![texts.badge.to_owned()],
        float_cents: 50_000,
        sales: line,
        cancels: line,
        unpaid: line,
        payouts: line,
        refunds: line,
        lost_refunds: line,
        reversals: line,
        fills: line,
        drops: line,
        rounding_cents: 2,
        chip_change_cents: 1_800,
        coupons: pieces(3, 4_500, 4_600),
        chips: pieces(1, 2_500, 2_500),
        counts: vec![counted.clone(), counted],
        expected_cents: 63_595,
        counted_cents: 63_500,
        difference_cents: -95,
        added_up_cents: 63_595,
        opened_leaf: 9_100_000,
        closed_leaf: 9_118_500,
        at_local: "2026-11-20 23:58:41".to_owned(),
        house_name: texts.house.to_owned(),
    }
}

/// Coupons or chips that were counted.
fn pieces(pieces: u32, counted_cents: i64, expected_cents: i64) -> PieceLine {
    PieceLine {
        pieces,
        counted_cents,
        expected_cents,
        difference_cents: counted_cents - expected_cents,
    }
}
