//! The papers of a file about a damaged ticket: the receipt of whoever presented it, and the answer.

use keno_wire::damaged::{FileView, JudgementView};

use crate::layout::Draft;
use crate::paper::{Issue, Paper, Size, Width};
use crate::receipt::head;

/// What stands at the top of both papers.
fn about(draft: &mut Draft, file: &FileView) {
    draft.pair_bold(0, "Dossier / File", &file.code);
    let at = file.opened_at_local.replace(' ', "\u{A0}");
    draft.pair(0, "Présenté le / Presented on", &at);
    draft.pair(
        0,
        "Terminal · préposé / clerk",
        &format!("{} · {}", file.terminal, file.badge),
    );
    draft.pair(0, "Par / By", &file.presented_by);
    draft.rule();
}

fn complaints(draft: &mut Draft, file: &FileView) {
    draft.rule();
    draft.pair(0, "Plaintes", &file.complaints.fr);
    draft.pair(0, "Complaints", &file.complaints.en);
}

/// The receipt that whoever presents a damaged ticket is given at once: what was kept, by when and
/// where the answer comes, where to complain.
pub fn file_receipt(file: &FileView, issue: Issue, width: Width) -> Paper {
    let mut draft = head(
        width,
        &file.house_name,
        "BILLET ENDOMMAGÉ, REÇU",
        "Damaged ticket, receipt",
        issue,
    );
    about(&mut draft, file);
    draft.left_styled(0, "Le billet a été gardé.", Size::Normal, true);
    draft.left(0, "The ticket was kept.");
    let digits = file.digits;
    draft.left(
        0,
        &format!(
            "Lisible : {digits} chiffres sur 16 du numéro / Legible: {digits} digits of 16 of its number"
        ),
    );
    if !file.note.trim().is_empty() {
        draft.left(0, &file.note);
    }
    draft.rule();
    draft.pair_bold(0, "RÉPONSE AU PLUS TARD LE", &file.answer_by);
    draft.pair(0, "Answer by", &file.answer_by);
    draft.left(
        0,
        "À ce comptoir, avec ce reçu. Le délai de réclamation est arrêté à l’heure ci-dessus (art. 86).",
    );
    draft.left(
        0,
        "At this counter, with this receipt. The claim period stops at the hour above (s. 86).",
    );
    complaints(&mut draft, file);
    draft.finish()
}

/// The answer about a file, with its reason and section.
pub fn file_answer(
    file: &FileView,
    judgement: &JudgementView,
    issue: Issue,
    width: Width,
) -> Paper {
    let (title, title_en) = match judgement.is_paid {
        true => ("BILLET ENDOMMAGÉ, ACCEPTÉ", "Damaged ticket, accepted"),
        false => ("BILLET ENDOMMAGÉ, REFUSÉ", "Damaged ticket, refused"),
    };
    let mut draft = head(width, &file.house_name, title, title_en, issue);
    about(&mut draft, file);
    draft.pair(
        0,
        "Décidé le / Decided on",
        &judgement.at_local.replace(' ', "\u{A0}"),
    );
    match &judgement.words {
        None => {
            draft.left_styled(
                0,
                "Le lot se paie au comptoir, avec le reçu du dossier.",
                Size::Normal,
                true,
            );
            draft.left(
                0,
                "The prize is paid at the counter, with the receipt of the file.",
            );
        }
        Some(words) => {
            draft.left_styled(0, &words.fr, Size::Normal, true);
            draft.left(0, &words.en);
            draft.left(0, &format!("Constaté / Seen: {}", judgement.note));
        }
    }
    let mut people = format!("{} · {}", judgement.by, judgement.second);
    if let Some(third) = &judgement.third {
        people.push_str(" · ");
        people.push_str(third);
    }
    draft.pair(0, "Par / By", &people);
    complaints(&mut draft, file);
    draft.finish()
}
