//! The nineteen verdicts of a ticket: shape and tone. The words come from central.

use keno_wire::coded::{Name, VerdictCode};

/// How a verdict looks. Never colour alone (WCAG 1.4.1): each tone has its shape beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    /// Which, as in [`keno_wire::reply::VerdictView::code`].
    pub code: VerdictCode,
    /// Shape: name of a symbol in `shapes.html`.
    pub shape: &'static str,
    /// Tone: `good`, `wait`, `plain`, `care` or `stop`.
    pub tone: &'static str,
}

const fn row(code: VerdictCode, shape: &'static str, tone: &'static str) -> Verdict {
    Verdict { code, shape, tone }
}

/// Every verdict, in the order in which the house lists them.
pub const VERDICTS: [Verdict; 19] = [
    row(VerdictCode::NotYetDrawn, "clock", "wait"),
    row(VerdictCode::PartlyDrawn, "clock", "wait"),
    row(VerdictCode::Winner, "star", "good"),
    row(VerdictCode::WinnerAtCage, "star", "good"),
    row(VerdictCode::NotWinner, "dash", "plain"),
    row(VerdictCode::AlreadyPaid, "check", "care"),
    row(VerdictCode::Cancelled, "cross", "care"),
    row(VerdictCode::VoidUnpaid, "cross", "stop"),
    row(VerdictCode::Replaced, "arrows", "care"),
    row(VerdictCode::ClaimExpired, "hourglass", "stop"),
    row(VerdictCode::InDoubt, "question", "care"),
    row(VerdictCode::WinHeld, "star", "wait"),
    row(VerdictCode::DrawUnofficial, "clock", "wait"),
    row(VerdictCode::DrawCancelled, "cross", "care"),
    row(VerdictCode::NotFound, "question", "plain"),
    row(VerdictCode::RecordLost, "question", "care"),
    row(VerdictCode::LostRefunded, "check", "care"),
    row(VerdictCode::Unreadable, "question", "plain"),
    row(VerdictCode::CentralDown, "plug", "care"),
];

/// How a verdict looks; one that this page does not know looks like a doubt, never like a loss.
pub fn verdict(code: &Name<VerdictCode>) -> Verdict {
    VERDICTS
        .into_iter()
        .find(|row| code.known() == Some(row.code))
        .unwrap_or(row(VerdictCode::InDoubt, "question", "care"))
}

#[cfg(test)]
mod tests {
    use keno_wire::coded::Coded;

    use super::*;

    #[test]
    fn nineteen_different_verdicts_and_an_unknown_one_is_a_doubt() {
        let mut codes: Vec<_> = VERDICTS.iter().map(|row| row.code.code()).collect();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), 19);
        assert_eq!(verdict(&"winner".into()).shape, "star");
        assert_eq!(verdict(&"something new".into()).code, VerdictCode::InDoubt);
        let shapes = include_str!("../../templates/shapes.html");
        for row in VERDICTS {
            assert!(
                shapes.contains(&format!("id=\"shape-{}\"", row.shape)),
                "{}",
                row.shape
            );
        }
    }
}
