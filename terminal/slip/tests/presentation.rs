//! The receipt of presented tickets: what it says of each, and of their payment.

#![allow(clippy::unwrap_used)]

use keno_slip::{Issue, Width, presentation_receipt};
use keno_wire::reply::PresentationReply;

fn presented(end: &str, draws: &[u64]) -> PresentationReply {
    PresentationReply {
        leaf: 4_711,
        ticket: 12,
        number_end: end.to_owned(),
        presented_at_local: "2026-11-21 23:59:59".to_owned(),
        claim_by: "2026-11-21".to_owned(),
        draws: draws.to_vec(),
        repeated: false,
        terminal: "T07".to_owned(),
        badge: "C142".to_owned(),
        house_name: "Casino de démonstration".to_owned(),
    }
}

fn texts(presented: &[PresentationReply], issue: Issue, width: Width) -> String {
    let paper = presentation_receipt(presented, issue, width);
    assert!(
        paper
            .texts()
            .iter()
            .all(|line| line.chars().count() <= width.columns())
    );
    paper.texts().join("\n").replace('\u{A0}', " ")
}

#[test]
fn each_ticket_has_its_moment_its_deadline_and_its_place_in_the_record() {
    let expected = "\
Casino de démonstration
REÇU DE PRÉSENTATION
Presentation receipt
Billets présentés / Tickets presented          2
…6663                        2026-11-21 23:59:59
 tirages / draws                    101-103, 105
 au plus tard / at the latest         2026-11-21
 dans le délai / in time                 n° 4711
…0042                        2026-11-21 23:59:59
 tirages / draws                             102
 au plus tard / at the latest         2026-11-21
 dans le délai / in time                 n° 4711
n° : place au registre / place in the record
Pour ces tirages, un lot se paie aussi plus
tard. Gardez les billets avec ce reçu.
For these draws a prize can be paid later too.
Keep the tickets with this receipt.
Ce reçu n’est pas un billet.
This receipt is not a ticket.
T07 C142
*** FIN / END";
    let both = [
        presented("6663", &[101, 102, 103, 105]),
        presented("0042", &[102]),
    ];
    assert_eq!(texts(&both, Issue::First, Width::Wide), expected);
    assert!(texts(&both, Issue::Reprint, Width::Narrow).contains("RÉIMPRESSION"));
}
