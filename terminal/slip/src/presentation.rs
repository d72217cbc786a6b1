//! The receipt of tickets that were presented as claims: with it a patron can show, whenever they
//! are paid, that they were in time (s. 86).

use keno_wire::reply::PresentationReply;

use crate::paper::{Issue, Paper, Size, Width};
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
    let mut draft = head(
        width,
        house_name,
        "REÇU DE PRÉSENTATION",
        "Presentation receipt",
        issue,
    );
    draft.pair_bold(
        0,
        "Billets présentés / Tickets presented",
        &presented.len().to_string(),
    );
    draft.rule();
    for one in presented {
        draft.pair(
            0,
            &format!("…{}", one.number_end),
            &one.presented_at_local.replace(' ', "\u{A0}"),
        );
        draft.pair(1, "tirages / draws", &draws_text(&one.draws));
        draft.pair(1, "au plus tard / at the latest", &one.claim_by);
        draft.pair(1, "dans le délai / in time", &format!("n° {}", one.leaf));
    }
    draft.left(0, "n° : place au registre / place in the record");
    draft.rule();
    draft.left_styled(
        0,
        "Pour ces tirages, un lot se paie aussi plus tard. Gardez les billets avec ce reçu.",
        Size::Normal,
        true,
    );
    draft.left(
        0,
        "For these draws a prize can be paid later too. Keep the tickets with this receipt.",
    );
    draft.left_styled(0, "Ce reçu n’est pas un billet.", Size::Normal, true);
    draft.left(0, "This receipt is not a ticket.");
    if let Some(last) = last {
        draft.pair(0, &format!("{}  {}", last.terminal, last.badge), "");
    }
    draft.finish()
}
