//! The ticket (ss. 81-84, 86).

use keno_game::{ControlNumber, Tender};
use keno_wire::claim_code::{self, ClaimCode};
use keno_wire::coded::Name;
use keno_wire::reply::{DrawTime, TicketView};
use keno_words::{Money, Say, both, paper};

use crate::fault::SlipFault;
use crate::layout::{Draft, unbroken};
use crate::money::{RoundMoney, draw_number};
use crate::paper::{Fact, Issue, Paper, Size, Width};
use crate::selection;
use crate::text::printable;

/// A tender in both languages; what this version does not know, and the coupon, by its own name.
pub(crate) fn tender_name(tender: &Name<Tender>) -> &dyn Say {
    match tender {
        Name::Known(Tender::Cash) => &paper::Cash,
        Name::Known(Tender::Chip) => &paper::Chips,
        Name::Known(Tender::Coupon) | Name::Other(_) => tender,
    }
}

/// A local time without a break in it, with both names of its zone on the night when the hour
/// repeats.
fn time(draw: &DrawTime) -> String {
    let zone = match draw.zone_mark.as_str() {
        "" => String::new(),
        "HAE" => " HAE/EDT".to_owned(),
        "HNE" => " HNE/EST".to_owned(),
        other => format!(" {other}"),
    };
    unbroken(&format!("{}{zone}", draw.local))
}

fn check(view: &TicketView) -> Result<(ControlNumber, Option<ClaimCode>), SlipFault> {
    if view.selections.is_empty() {
        return Err(SlipFault::NoSelections);
    }
    if view.draws == 0 || view.last.draw < view.first.draw {
        return Err(SlipFault::Draws);
    }
    let per_draw = view.selections.iter().try_fold(0_i64, |sum, selection| {
        sum.checked_add(selection.per_draw_cents)
    });
    if view.total_cents <= 0
        || per_draw != Some(view.per_draw_cents)
        || view.per_draw_cents.checked_mul(i64::from(view.draws)) != Some(view.total_cents)
    {
        return Err(SlipFault::Total);
    }
    let number =
        ControlNumber::parse(&view.control_number).map_err(|_| SlipFault::ControlNumber)?;
    if view.cap_cents <= 0 {
        return Err(SlipFault::Cap);
    }
    if printable(&view.claim_by).trim().is_empty() {
        return Err(SlipFault::ClaimBy);
    }
    let code = match &view.claim_code {
        None => None,
        Some(text) => Some(ClaimCode::parse(text).map_err(|_| SlipFault::ClaimCode)?),
    };
    let is_foreign = |code: &ClaimCode| code.control_number != number || code.copy != view.copy;
    if code.as_ref().is_some_and(is_foreign) {
        return Err(SlipFault::ClaimCode);
    }
    Ok((number, code))
}

/// The control number as it is read out: `N° 0731 5528 9014 6663`.
fn number_line(draft: &mut Draft, number: &ControlNumber) {
    draft.stating(Fact::ControlNumber, |draft| {
        draft.centre(&unbroken(&format!("N° {number}")), Size::Normal, true);
    });
}

/// The claim secret as it is read out and typed behind the control number, for a QR that no scanner
/// reads: `CODE  MPJTB 9D5MP JTB9D 5MP0W`.
fn secret_line(draft: &mut Draft, code: &ClaimCode) {
    let signs = claim_code::secret_in_groups(&code.secret);
    draft.centre(&unbroken(&format!("CODE  {signs}")), Size::Normal, true);
}

/// What kind of paper of this ticket this is; nothing for the one and only original.
fn write_standing(draft: &mut Draft, view: &TicketView, issue: Issue) {
    if view.copy > 1 {
        let duplicate = paper::Duplicate { copy: &view.copy };
        draft.centre(&both(&duplicate), Size::Tall, true);
    }
    if issue == Issue::Reprint {
        draft.centre(&both(&paper::Reprint), Size::Tall, true);
    }
    if view.claim_code.is_none() {
        draft.title(&paper::ForInformation, Size::Tall);
    }
}

fn write_draws(draft: &mut Draft, view: &TicketView) {
    if view.first.draw == view.last.draw {
        draft.pair_bold(
            0,
            &format!("{} {}", view.draws, both(&paper::OneDraw)),
            &draw_number(view.first.draw),
        );
        draft.pair(0, &both(&paper::On), &time(&view.first));
        return;
    }
    draft.pair_bold(
        0,
        &format!("{} {}", view.draws, both(&paper::SeveralDraws)),
        &format!(
            "{} {} {}",
            draw_number(view.first.draw),
            both(&paper::FirstToLast),
            draw_number(view.last.draw)
        ),
    );
    draft.pair(0, &both(&paper::FirstDraw), &time(&view.first));
    // Only its number binds: a late draw moves the times of those after it.
    draft.pair(0, &both(&paper::LastDraw), &time(&view.last));
}

fn write_law(draft: &mut Draft, view: &TicketView) {
    draft.sentence(&paper::CheckTicket);
    draft.sentence(&paper::CentralPrevails);
    let place = &view.rules_place;
    draft.sentence(&paper::RulesAndPrizes { place });
    draft.sentence(&view.notice);
    draft.left(0, &both(&paper::Adults));
}

/// The ticket of a sale, a duplicate of it when its copy index is above 1, or a paper for
/// information when the claim code is not to be given again.
///
/// The control number is the first text on the paper and the last before its end, because a
/// torn paper keeps one of its edges (s. 83). The claim secret stands once in print, by the lower
/// one: whoever holds only the other half has no claim.
///
/// # Errors
/// A [`SlipFault`] when one of the six facts of s. 82 is missing or contradicts another, or
/// when the claim code is not of this ticket and copy.
pub fn ticket(view: &TicketView, issue: Issue, width: Width) -> Result<Paper, SlipFault> {
    let (number, code) = check(view)?;
    let mut draft = Draft::new(width);
    number_line(&mut draft, &number);
    draft.feed(1);
    draft.centre(&view.house_name, Size::Normal, true);
    draft.centre("K E N O", Size::Double, true);
    write_standing(&mut draft, view, issue);
    draft.rule();
    draft.stating(Fact::Draws, |draft| write_draws(draft, view));
    draft.rule();
    for (position, selection) in view.selections.iter().enumerate() {
        if position > 0 {
            draft.feed(1);
        }
        selection::write(&mut draft, position, selection, view.draws)?;
    }
    draft.rule();
    draft.stating(Fact::Wagers, |draft| {
        draft.pair_each_bold(&paper::TotalWager, &Money(view.total_cents));
    });
    let tender = tender_name(&view.tender);
    draft.pair(
        0,
        &both(&paper::PaidIn { tender }),
        &unbroken(&view.sold_at_local),
    );
    draft.rule();
    draft.stating(Fact::MaximumPerDraw, |draft| {
        draft.pair_each_bold(&paper::MaximumPerDraw, &RoundMoney(view.cap_cents));
    });
    draft.stating(Fact::ClaimDeadline, |draft| {
        draft.pair_bold(0, &both(&paper::ClaimBy), &view.claim_by);
        draft.pair_each(0, &paper::ClaimAt, &view.claim_place);
        let amount = &RoundMoney(view.cage_from_cents);
        draft.pair_each(0, &paper::ClaimAtFrom { amount }, &view.cage_place);
    });
    draft.rule();
    if let Some(code) = &code {
        draft.feed(1);
        draft.qr(code.text());
        draft.feed(1);
        draft.itf(number.digits());
        draft.feed(1);
    }
    write_law(&mut draft, view);
    draft.rule();
    draft.pair(
        0,
        &format!(
            "{}  {}  {}/{} v{}",
            view.terminal,
            view.badge,
            paper::Rules::FR,
            paper::Rules::EN,
            view.rule_book
        ),
        &if view.copy > 1 {
            paper::Duplicate { copy: &view.copy }.fr()
        } else {
            "ORIGINAL".to_owned()
        },
    );
    number_line(&mut draft, &number);
    if let Some(code) = &code {
        secret_line(&mut draft, code);
    }
    Ok(draft.finish())
}
