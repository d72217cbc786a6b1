//! The eighteen verdicts of a ticket: shape and tone. The words come from central.

/// How a verdict looks. Never colour alone (WCAG 1.4.1): each tone has its shape beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    /// Stable name, as in [`keno_wire::reply::VerdictView::code`].
    pub code: &'static str,
    /// Shape: name of a symbol in `shapes.html`.
    pub shape: &'static str,
    /// Tone: `good`, `wait`, `plain`, `care` or `stop`.
    pub tone: &'static str,
}

const fn row(code: &'static str, shape: &'static str, tone: &'static str) -> Verdict {
    Verdict { code, shape, tone }
}

/// Every verdict, in the order in which the house lists them.
pub const VERDICTS: [Verdict; 18] = [
    row("not_yet_drawn", "clock", "wait"),
    row("partly_drawn", "clock", "wait"),
    row("winner", "star", "good"),
    row("winner_at_cage", "star", "good"),
    row("not_winner", "dash", "plain"),
    row("already_paid", "check", "care"),
    row("cancelled", "cross", "care"),
    row("void_unpaid", "cross", "stop"),
    row("replaced", "arrows", "care"),
    row("claim_expired", "hourglass", "stop"),
    row("in_doubt", "question", "care"),
    row("draw_unofficial", "clock", "wait"),
    row("draw_cancelled", "cross", "care"),
    row("not_found", "question", "plain"),
    row("record_lost", "question", "care"),
    row("lost_refunded", "check", "care"),
    row("unreadable", "question", "plain"),
    row("central_down", "plug", "care"),
];

/// How a verdict looks; one that this page does not know looks like a doubt, never like a loss.
pub fn verdict(code: &str) -> Verdict {
    VERDICTS
        .into_iter()
        .find(|row| row.code == code)
        .unwrap_or(row("in_doubt", "question", "care"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eighteen_different_verdicts_and_an_unknown_one_is_a_doubt() {
        let mut codes: Vec<_> = VERDICTS.iter().map(|row| row.code).collect();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), 18);
        assert_eq!(verdict("winner").shape, "star");
        assert_eq!(verdict("something new").code, "in_doubt");
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
