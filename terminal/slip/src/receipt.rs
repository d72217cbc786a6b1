//! Receipts: a cancellation, the payment of prizes or refunds, a fill, a drop or a count of the till.

use keno_game::{ControlNumber, PaidKind};
use keno_wire::coded::Name;
use keno_wire::reply::{CancelReply, LostRefundReply, PayReply, TillCountReply, TillMovementReply};
use keno_wire::request::TillMovementKind;
use keno_words::{Money, Say, both, paper};

use crate::fault::SlipFault;
use crate::layout::{Draft, unbroken};
use crate::money::draw_number;
use crate::paper::{Issue, Paper, Size, Width};
use crate::ticket::tender_name;

/// Where a person signs.
pub(crate) const SIGNATURE_LINE: &str = "_____________________";

pub(crate) fn head(width: Width, house_name: &str, title: &dyn Say, issue: Issue) -> Draft {
    let mut draft = Draft::new(width);
    draft.centre(house_name, Size::Normal, true);
    draft.feed(1);
    draft.title(title, Size::Tall);
    if issue == Issue::Reprint {
        draft.centre(&both(&paper::Reprint), Size::Tall, true);
    }
    draft.rule();
    draft
}

/// Which till, and of which shift.
pub(crate) fn till_and_shift(draft: &mut Draft, terminal: &str, shift: u64) {
    let of = format!("{terminal} · {shift}");
    draft.pair(0, &both(&paper::TillAndShift), &of);
}

/// The receipt of a cancellation. The ticket is dead, so its whole number may be read here.
///
/// # Errors
/// [`SlipFault::ControlNumber`].
pub fn cancellation_receipt(
    reply: &CancelReply,
    issue: Issue,
    width: Width,
) -> Result<Paper, SlipFault> {
    let number =
        ControlNumber::parse(&reply.control_number).map_err(|_| SlipFault::ControlNumber)?;
    let mut draft = head(width, &reply.house_name, &paper::CancellationReceipt, issue);
    draft.pair(0, &both(&paper::Ticket), &unbroken(&number.to_string()));
    draft.pair(0, &both(&paper::CancelledOn), &unbroken(&reply.at_local));
    draft.rule();
    let tender = tender_name(&reply.tender);
    draft.pair_each_bold(&paper::RefundedIn { tender }, &Money(reply.handed_cents()));
    if reply.change_cents > 0 {
        draft.pair_each_bold(&paper::ChangeTakenBack, &Money(reply.change_cents));
    }
    draft.rule();
    draft.sentence(&paper::NoLongerInDraw);
    draft.pair(
        0,
        &format!("{}  {}", reply.terminal, reply.badge),
        &format!("n° {}", reply.leaf),
    );
    Ok(draft.finish())
}

/// The receipt of a payment. It shows only the last digits of the control number: with draws
/// left, the ticket still is money.
///
/// # Errors
/// [`SlipFault::ControlNumber`].
pub fn payment_receipt(reply: &PayReply, issue: Issue, width: Width) -> Result<Paper, SlipFault> {
    let number =
        ControlNumber::parse(&reply.control_number).map_err(|_| SlipFault::ControlNumber)?;
    let digits = number.digits();
    let (_, last) = digits.split_at(digits.len().saturating_sub(4));
    let mut draft = head(width, &reply.house_name, &paper::PaymentReceipt, issue);
    draft.pair(0, &both(&paper::Ticket), &format!("…{last}"));
    draft.pair(0, &both(&paper::PaidOn), &unbroken(&reply.at_local));
    draft.rule();
    for item in &reply.items {
        let kind = match &item.kind {
            Name::Known(PaidKind::Prize) => both(&paper::Prize),
            Name::Known(PaidKind::Refund) => both(&paper::Refund),
            other => both(other),
        };
        let name = format!("{}  {kind}", draw_number(item.draw));
        draft.pair(0, &name, &Money(item.amount_cents).fr());
    }
    draft.rule();
    draft.pair_each_bold(&paper::Total, &Money(reply.total_cents));
    let tender = tender_name(&reply.tender);
    draft.pair_each_bold(&paper::HandedOverIn { tender }, &Money(reply.cash_cents));
    draft.rule();
    let draws = &reply.draws_left;
    match draws {
        0 => draft.sentence(&paper::NoDrawLeft),
        1 => draft.sentence(&paper::DrawLeft { draws }),
        _ => draft.sentence(&paper::DrawsLeft { draws }),
    }
    let people = match &reply.second {
        Some(second) => format!("{}  {} + {second}", reply.terminal, reply.badge),
        None => format!("{}  {}", reply.terminal, reply.badge),
    };
    draft.pair(0, &people, &format!("n° {}", reply.payment));
    Ok(draft.finish())
}

/// The paper of a fill or a drop, which both people sign.
pub fn till_movement_receipt(reply: &TillMovementReply, issue: Issue, width: Width) -> Paper {
    let (title, moved): (&dyn Say, &dyn Say) = match reply.kind {
        TillMovementKind::Fill => (&paper::Fill, &paper::PutIntoTill),
        TillMovementKind::Drop => (&paper::Drop, &paper::TakenOutOfTill),
    };
    let mut draft = head(width, &reply.house_name, title, issue);
    till_and_shift(&mut draft, &reply.terminal, reply.shift);
    draft.pair(0, &both(&paper::On), &unbroken(&reply.at_local));
    draft.rule();
    draft.pair_each_bold(moved, &Money(reply.amount_cents));
    draft.rule();
    signed(&mut draft, &reply.badge, &reply.second, reply.movement);
    draft.finish()
}

/// What a count came to: counted, expected, and over or short.
pub(crate) fn counted(draft: &mut Draft, counted_cents: i64, expected_cents: i64, over_cents: i64) {
    draft.pair_each_bold(&paper::CountedBlind, &Money(counted_cents));
    draft.pair_each_bold(&paper::ExpectedTitle, &Money(expected_cents));
    let name: &dyn Say = match over_cents {
        0 => &paper::Exact,
        1.. => &paper::Over,
        _ => &paper::Short,
    };
    draft.pair_each_bold(name, &Money(over_cents));
}

/// The paper of a count in the middle of a shift, which both people sign.
pub fn till_count_receipt(reply: &TillCountReply, width: Width) -> Paper {
    let mut draft = head(width, &reply.house_name, &paper::TillCount, Issue::First);
    till_and_shift(&mut draft, &reply.terminal, reply.shift);
    draft.pair(0, &both(&paper::On), &unbroken(&reply.at_local));
    draft.rule();
    counted(
        &mut draft,
        reply.counted_cents,
        reply.expected_cents,
        reply.difference_cents,
    );
    draft.rule();
    draft.left(0, &format!("{}: {}", both(&paper::Reason), reply.reason));
    draft.sentence(&paper::TillStaysOpen);
    draft.rule();
    signed(&mut draft, &reply.badge, &reply.second, reply.leaf);
    draft.finish()
}

/// Where both people sign, and the number in the record.
fn signed(draft: &mut Draft, badge: &str, second: &str, leaf: u64) {
    draft.left(0, "Signatures");
    for badge in [badge, second] {
        draft.feed(2);
        draft.pair(0, badge, SIGNATURE_LINE);
    }
    draft.feed(1);
    draft.pair(0, "", &format!("n° {leaf}"));
}

/// The paper of a lost ticket's refund, which both people sign. It is kept with the ticket, whose
/// number the record does not have.
pub fn lost_refund_receipt(reply: &LostRefundReply, issue: Issue, width: Width) -> Paper {
    let mut draft = head(width, &reply.house_name, &paper::LostTicketRefunded, issue);
    till_and_shift(&mut draft, &reply.terminal, reply.shift);
    draft.pair(0, &both(&paper::On), &unbroken(&reply.at_local));
    draft.rule();
    let tender = tender_name(&reply.tender);
    draft.pair_each_bold(&paper::RefundedIn { tender }, &Money(reply.amount_cents));
    draft.rule();
    draft.left(0, &format!("{}: {}", both(&paper::Reason), reply.reason));
    draft.sentence(&paper::KeepLostTicket);
    draft.rule();
    signed(&mut draft, &reply.badge, &reply.second, reply.leaf);
    draft.finish()
}
