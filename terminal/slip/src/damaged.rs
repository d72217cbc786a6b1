//! The papers of a file about a damaged ticket: the receipt of whoever presented it, and the answer.

use keno_wire::damaged::{FileView, JudgementView};
use keno_words::{Say, both, paper};

use crate::layout::{Draft, unbroken};
use crate::paper::{Issue, Paper, Width};
use crate::receipt::head;

/// What stands at the top of both papers.
fn about(draft: &mut Draft, file: &FileView) {
    draft.pair_bold(0, &both(&paper::File), &file.code);
    let at = unbroken(&file.opened_at_local);
    draft.pair(0, &both(&paper::PresentedOn), &at);
    draft.pair(
        0,
        &both(&paper::TerminalAndClerk),
        &format!("{} · {}", file.terminal, file.badge),
    );
    draft.pair(0, &both(&paper::By), &file.presented_by);
    draft.rule();
}

fn complaints(draft: &mut Draft, file: &FileView) {
    draft.rule();
    draft.pair_each(0, &paper::Complaints, &file.complaints);
}

/// The receipt that whoever presents a damaged ticket is given at once: what was kept, by when and
/// where the answer comes, where to complain.
pub fn file_receipt(file: &FileView, issue: Issue, width: Width) -> Paper {
    let mut draft = head(width, &file.house_name, &paper::DamagedReceipt, issue);
    about(&mut draft, file);
    draft.sentence(&paper::TicketWasKept);
    let digits = &file.digits;
    draft.left(0, &both(&paper::LegibleDigits { digits }));
    if !file.note.trim().is_empty() {
        draft.left(0, &file.note);
    }
    draft.rule();
    draft.pair_each_bold(&paper::AnswerBy, &file.answer_by);
    draft.left(0, paper::AnswerHere::FR);
    draft.left(0, paper::AnswerHere::EN);
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
    let title: &dyn Say = match judgement.is_paid {
        true => &paper::DamagedAccepted,
        false => &paper::DamagedRefused,
    };
    let mut draft = head(width, &file.house_name, title, issue);
    about(&mut draft, file);
    let at = unbroken(&judgement.at_local);
    draft.pair(0, &both(&paper::DecidedOn), &at);
    match &judgement.words {
        None => draft.sentence(&paper::PrizeIsPaidHere),
        Some(words) => {
            draft.sentence(words);
            let seen = both(&paper::Seen);
            draft.left(0, &format!("{seen}: {}", judgement.note));
        }
    }
    let mut people = format!("{} · {}", judgement.by, judgement.second);
    if let Some(third) = &judgement.third {
        people.push_str(" · ");
        people.push_str(third);
    }
    draft.pair(0, &both(&paper::By), &people);
    complaints(&mut draft, file);
    draft.finish()
}
