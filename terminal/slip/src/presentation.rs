//! The receipt of tickets that were presented as claims: with it a patron can show, whenever they
//! are paid, that they were in time (s. 86).

use keno_wire::reply::PresentationReply;
use keno_words::{both, paper};

use crate::layout::unbroken;
use crate::paper::{Issue, Paper, Width};
use crate::receipt::head;

/// Draws as they are read: a run as its first and last, the others one by one.
pub fn draws_text(draws: &[u64]) -> String {
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for draw in draws {
        match runs.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(*draw) => *last = *draw,
            _ => runs.push((*draw, *draw)),
        }
    }
    let texts = runs
        .iter()
        .map(|(first, last)| match last.abs_diff(*first) {
            0 => first.to_string(),
            _ => format!("{first}-{last}"),
        });
    texts.collect::<Vec<_>>().join(", ")
}

/// The receipt of these presentations, in the order in which they were made; the house, the
/// terminal and the clerk are those of the last. Only the last digits of a control number are on
/// it: the tickets still are money.
pub fn presentation_receipt(presented: &[PresentationReply], issue: Issue, width: Width) -> Paper {
    let last = presented.last();
    let house_name = last.map_or("", |one| one.house_name.as_str());
    let mut draft = head(width, house_name, &paper::PresentationReceipt, issue);
    draft.pair_bold(
        0,
        &both(&paper::TicketsPresented),
        &presented.len().to_string(),
    );
    draft.rule();
    for one in presented {
        draft.pair(
            0,
            &format!("…{}", one.number_end),
            &unbroken(&one.presented_at_local),
        );
        draft.pair(1, &both(&paper::ForDraws), &draws_text(&one.draws));
        draft.pair(1, &both(&paper::AtTheLatest), &one.claim_by);
        draft.pair(1, &both(&paper::InTime), &format!("n° {}", one.leaf));
    }
    draft.left(0, &both(&paper::PlaceInRecord));
    draft.rule();
    draft.sentence(&paper::KeepTickets);
    draft.sentence(&paper::ReceiptIsNoTicket);
    if let Some(last) = last {
        draft.pair(0, &format!("{}  {}", last.terminal, last.badge), "");
    }
    draft.finish()
}
