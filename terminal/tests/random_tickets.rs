//! Tickets made up by the machine, through the printing path and back through the decoder: no
//! line is too wide, no house text is a command, one paper comes out.
#![allow(clippy::unwrap_used)]

use keno_slip::{Issue, Width, ticket};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn what_is_printed_is_what_was_laid_out(view in crate::generated::ticket_view()) {
        for width in [Width::Wide, Width::Narrow] {
            let paper = ticket(&view, Issue::First, width).unwrap();
            let sheet = crate::support::printed(&paper);
            let rule = "-".repeat(width.columns());
            let lines: Vec<String> = sheet.texts().into_iter().filter(|line| *line != rule).collect();
            prop_assert_eq!(lines, paper.texts());
        }
    }
}
