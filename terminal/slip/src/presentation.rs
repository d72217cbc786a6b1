//! The receipt of tickets that were presented as claims: with it a patron can show, whenever they
//! are paid, that they were in time (s. 86).

use keno_wire::reply::PresentationReply;

use crate::paper::{Issue, Paper, Size, Width};
use crate::receipt::head;

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
        let standing = if one.in_time {
            "dans le délai / in time"
        } else {
            "HORS DÉLAI / LATE"
        };
        draft.pair(1, "au plus tard / at the latest", &one.claim_by);
        draft.pair(1, standing, &format!("n° {}", one.leaf));
    }
    draft.left(0, "n° : place au registre / place in the record");
    draft.rule();
    if presented.iter().any(|one| one.in_time) {
        draft.left_styled(
            0,
            "Présentés dans le délai : un lot se paie aussi plus tard. Gardez les billets avec ce reçu.",
            Size::Normal,
            true,
        );
        draft.left(
            0,
            "Presented in time: a prize can be paid later too. Keep the tickets with this receipt.",
        );
    }
    if presented.iter().any(|one| !one.in_time) {
        draft.left_styled(
            0,
            "Hors délai : le lot n’est plus payé (art. 86).",
            Size::Normal,
            true,
        );
        draft.left(0, "Late: the prize is no longer paid (s. 86).");
    }
    draft.left_styled(0, "Ce reçu n’est pas un billet.", Size::Normal, true);
    draft.left(0, "This receipt is not a ticket.");
    if let Some(last) = last {
        draft.pair(0, &format!("{}  {}", last.terminal, last.badge), "");
    }
    draft.finish()
}
