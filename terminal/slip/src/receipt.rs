//! Receipts: a cancellation, the payment of prizes or refunds, a fill, a drop or a count of the till.

use keno_game::ControlNumber;
use keno_wire::reply::{CancelReply, LostRefundReply, PayReply, TillCountReply, TillMovementReply};
use keno_wire::request::TillMovementKind;

use crate::fault::SlipFault;
use crate::layout::Draft;
use crate::money::{draw_number, english, french};
use crate::paper::{Issue, Paper, Size, Width};
use crate::ticket::tender_names;

/// Where a person signs.
pub(crate) const SIGNATURE_LINE: &str = "_____________________";

pub(crate) fn head(
    width: Width,
    house_name: &str,
    title_fr: &str,
    title_en: &str,
    issue: Issue,
) -> Draft {
    let mut draft = Draft::new(width);
    draft.centre(house_name, Size::Normal, true);
    draft.feed(1);
    draft.centre(title_fr, Size::Tall, true);
    draft.centre(title_en, Size::Normal, false);
    if issue == Issue::Reprint {
        draft.centre("RÉIMPRESSION / REPRINT", Size::Tall, true);
    }
    draft.rule();
    draft
}

pub(crate) fn amount(draft: &mut Draft, name_fr: &str, name_en: &str, cents: i64) {
    draft.pair_bold(0, name_fr, &french(cents));
    draft.pair(0, name_en, &english(cents));
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
    let mut draft = head(
        width,
        &reply.house_name,
        "REÇU D’ANNULATION",
        "Cancellation receipt",
        issue,
    );
    draft.pair(
        0,
        "Billet / Ticket",
        &format!("{number}").replace(' ', "\u{A0}"),
    );
    draft.pair(
        0,
        "Annulé le / Cancelled",
        &reply.at_local.replace(' ', "\u{A0}"),
    );
    draft.rule();
    let (tender_fr, tender_en) = tender_names(&reply.tender);
    amount(
        &mut draft,
        &format!("REMBOURSÉ, {tender_fr}"),
        &format!("Refunded, {tender_en}"),
        reply.refund_cents,
    );
    draft.rule();
    draft.left_styled(
        0,
        "Ce billet ne participe plus au tirage.",
        Size::Normal,
        true,
    );
    draft.left(0, "This ticket is no longer in the draw.");
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
    let mut draft = head(
        width,
        &reply.house_name,
        "REÇU DE PAIEMENT DE LOT",
        "Prize payment receipt",
        issue,
    );
    draft.pair(0, "Billet / Ticket", &format!("…{last}"));
    draft.pair(0, "Payé le / Paid", &reply.at_local.replace(' ', "\u{A0}"));
    draft.rule();
    for item in &reply.items {
        let (kind_fr, kind_en) = match item.kind.as_str() {
            "prize" => ("lot", "prize"),
            "refund" => ("remboursement", "refund"),
            other => (other, other),
        };
        draft.pair(
            0,
            &format!("{}  {kind_fr} / {kind_en}", draw_number(item.draw)),
            &french(item.amount_cents),
        );
    }
    draft.rule();
    amount(&mut draft, "TOTAL", "Total", reply.total_cents);
    let (tender_fr, tender_en) = tender_names(&reply.tender);
    amount(
        &mut draft,
        &format!("REMIS, {tender_fr}"),
        &format!("Handed over, {tender_en}"),
        reply.cash_cents,
    );
    draft.rule();
    if reply.draws_left == 0 {
        draft.left_styled(
            0,
            "Aucun tirage à venir pour ce billet.",
            Size::Normal,
            true,
        );
        draft.left(0, "No draws left on this ticket.");
    } else {
        let many = if reply.draws_left == 1 { "" } else { "s" };
        draft.left_styled(
            0,
            &format!(
                "{} tirage{many} à venir : gardez votre billet.",
                reply.draws_left
            ),
            Size::Normal,
            true,
        );
        draft.left(
            0,
            &format!("{} draw{many} left: keep your ticket.", reply.draws_left),
        );
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
    let (title_fr, title_en) = match reply.kind {
        TillMovementKind::Fill => ("APPROVISIONNEMENT", "Fill"),
        TillMovementKind::Drop => ("DÉPÔT", "Drop"),
    };
    let mut draft = head(width, &reply.house_name, title_fr, title_en, issue);
    draft.pair(
        0,
        "Caisse · quart / Till · shift",
        &format!("{} · {}", reply.terminal, reply.shift),
    );
    draft.pair(0, "Le / On", &reply.at_local.replace(' ', "\u{A0}"));
    draft.rule();
    let (name_fr, name_en) = match reply.kind {
        TillMovementKind::Fill => ("MIS DANS LA CAISSE", "Put into the till"),
        TillMovementKind::Drop => ("SORTI DE LA CAISSE", "Taken out of the till"),
    };
    amount(&mut draft, name_fr, name_en, reply.amount_cents);
    draft.rule();
    signed(&mut draft, &reply.badge, &reply.second, reply.movement);
    draft.finish()
}

/// What a count came to: counted, expected, and over or short.
pub(crate) fn counted(draft: &mut Draft, counted_cents: i64, expected_cents: i64, over_cents: i64) {
    amount(
        draft,
        "COMPTÉ (à l’aveugle)",
        "Counted (blind)",
        counted_cents,
    );
    amount(draft, "ATTENDU", "Expected", expected_cents);
    let (name_fr, name_en) = match over_cents {
        0 => ("JUSTE", "Exact"),
        1.. => ("SURPLUS", "Over"),
        _ => ("MANQUE", "Short"),
    };
    amount(draft, name_fr, name_en, over_cents);
}

/// The paper of a count in the middle of a shift, which both people sign.
pub fn till_count_receipt(reply: &TillCountReply, width: Width) -> Paper {
    let mut draft = head(
        width,
        &reply.house_name,
        "DÉCOMPTE DE LA CAISSE",
        "Till count",
        Issue::First,
    );
    draft.pair(
        0,
        "Caisse · quart / Till · shift",
        &format!("{} · {}", reply.terminal, reply.shift),
    );
    draft.pair(0, "Le / On", &reply.at_local.replace(' ', "\u{A0}"));
    draft.rule();
    counted(
        &mut draft,
        reply.counted_cents,
        reply.expected_cents,
        reply.difference_cents,
    );
    draft.rule();
    draft.left(0, &format!("Motif / Reason: {}", reply.reason));
    draft.left_styled(0, "La caisse reste ouverte.", Size::Normal, true);
    draft.left(0, "The till stays open.");
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
    let mut draft = head(
        width,
        &reply.house_name,
        "BILLET PERDU, REMBOURSÉ",
        "Lost ticket, refunded",
        issue,
    );
    draft.pair(
        0,
        "Caisse · quart / Till · shift",
        &format!("{} · {}", reply.terminal, reply.shift),
    );
    draft.pair(0, "Le / On", &reply.at_local.replace(' ', "\u{A0}"));
    draft.rule();
    let (tender_fr, tender_en) = tender_names(&reply.tender);
    amount(
        &mut draft,
        &format!("REMBOURSÉ, {tender_fr}"),
        &format!("Refunded, {tender_en}"),
        reply.amount_cents,
    );
    draft.rule();
    draft.left(0, &format!("Motif / Reason: {}", reply.reason));
    draft.left_styled(
        0,
        "L’inscription de ce billet est perdue (restauration). Gardez-le avec ce papier.",
        Size::Normal,
        true,
    );
    draft.left(
        0,
        "The record of this ticket was lost (restore). Keep it with this paper.",
    );
    draft.rule();
    signed(&mut draft, &reply.badge, &reply.second, reply.leaf);
    draft.finish()
}
