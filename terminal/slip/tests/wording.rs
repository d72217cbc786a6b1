//! What the papers say, word for word, and what is refused.

#![allow(clippy::unwrap_used)]

use crate::support::sample;
use keno_slip::{Fact, Issue, Mark, SlipFault, Width, ticket};
use keno_wire::reply::{
    CancelReply, LostRefundReply, PaidItemView, PayReply, TicketView, TillMovementReply,
};
use keno_wire::request::{CommandKey, TillMovementKind};

fn texts(name: &str, issue: Issue, width: Width) -> Vec<String> {
    let paper = ticket(&sample(name), issue, width).unwrap();
    paper
        .texts()
        .iter()
        .map(|text| text.replace('\u{A0}', " "))
        .collect()
}

#[test]
fn the_full_ticket() {
    let expected = "\
N° 0731 5528 9014 6663
Casino de démonstration
K E N O
5 TIRAGES / DRAWS         048 214 à / to 048 218
Premier / First                 2026-11-20 21:08
Dernier, prévu / Last, planned  2026-11-20 21:24
A  SIMPLE, 5 NUMÉROS                 MISE-ÉCLAIR
   Straight, 5 spots                  Quick pick
   07  18  33  42  71
   Mise 2,00 $ x 5 tirages               10,00 $
   Wager $2.00 x 5 draws                  $10.00
B  COMBINAISON, 8 NUMÉROS
   Way, 8 spots
   (03 14 22 29)  (40 51 66 80)
   2 x 4 numéros 1,00 $                2/4 $1.00
   1 x 8 numéros 1,00 $                1/8 $1.00
   Mise 3,00 $ x 5 tirages               15,00 $
   Wager $3.00 x 5 draws                  $15.00
MISE TOTALE                              25,00 $
Total wager                               $25.00
PAYÉ, comptant / PAID, cash  2026-11-20 21:05:11
Maximum payable en lots par tirage      50 000 $
Maximum total aggregate payout per draw  $50,000
RÉCLAMER AU PLUS TARD LE / CLAIM BY   2027-11-20
À                                 Comptoirs Keno
At                                 Keno counters
Dès 5 000 $, à                 Caisse principale
From $5,000 on, at                     Main cage
Vérifiez ce billet avant le tirage.
Check this ticket before the draw.
Divergence : l’ordinateur central prévaut.
Discrepancy: the central computer prevails.
Règles et lots : comptoir et borne Keno
Rules and prizes: Keno counter and kiosk
Démonstration : billet sans valeur.
Demonstration: a ticket of no value.
18 ans et plus / 18 and over
T07  C142  règles/rules v12             ORIGINAL
N° 0731 5528 9014 6663
CODE  7Q4ZK 9M2XW 8RT5V B3NDX
*** FIN / END";
    assert_eq!(
        texts("full", Issue::First, Width::Wide).join("\n"),
        expected
    );
}

#[test]
fn duplicates_and_reprints_say_so() {
    let has = |lines: &[String], text: &str| lines.iter().any(|line| line == text);
    let duplicate = texts("duplicate", Issue::First, Width::Narrow);
    assert!(has(&duplicate, "DUPLICATA 2 / DUPLICATE 2"));
    assert!(!duplicate.concat().contains("ORIGINAL"));
    let original = texts("full", Issue::First, Width::Narrow);
    assert!(!original.concat().contains("DUPLICAT"));
    assert!(!original.concat().contains("REPRINT"));
    assert!(has(
        &texts("full", Issue::Reprint, Width::Wide),
        "RÉIMPRESSION / REPRINT"
    ));
}

#[test]
fn a_paper_without_the_secret_is_not_payable_and_has_no_code() {
    let paper = ticket(&sample("information"), Issue::First, Width::Wide).unwrap();
    assert!(
        paper
            .texts()
            .contains(&"POUR INFORMATION, NON PAYABLE".to_owned())
    );
    assert!(
        !paper
            .lines
            .iter()
            .any(|line| matches!(line.mark, Mark::Qr { .. } | Mark::Itf { .. }))
    );
}

#[test]
fn the_hour_that_repeats_is_told_apart() {
    let lines = texts("king", Issue::First, Width::Wide);
    assert!(
        lines
            .iter()
            .any(|line| line.ends_with("2026-11-01 01:08 HAE/EDT")),
        "{lines:#?}"
    );
    assert!(
        lines.iter().any(|line| line.trim() == "Roi / King  01"),
        "{lines:#?}"
    );
}

#[test]
fn twenty_groups_are_all_there() {
    for width in [Width::Wide, Width::Narrow] {
        let paper = ticket(&sample("way-190"), Issue::First, width).unwrap();
        let text = paper
            .fact_texts(Fact::Selections)
            .join(" ")
            .replace('\u{A0}', " ");
        for group in 0..20 {
            let [a, b, c, d] = [1, 2, 3, 4].map(|offset| group * 4 + offset);
            assert!(
                text.contains(&format!("({a:02} {b:02} {c:02} {d:02})")),
                "{text}"
            );
        }
    }
}

/// Takes a fact away from a ticket.
type Spoil = fn(&mut TicketView);

#[test]
fn a_ticket_that_lacks_a_fact_is_refused_by_name() {
    let cases: [(SlipFault, Spoil); 12] = [
        (SlipFault::NoSelections, |view| view.selections.clear()),
        (SlipFault::NoNumbers, |view| {
            view.selections[0].groups.clear()
        }),
        (SlipFault::Wager, |view| {
            view.selections[0].per_draw_cents = 0;
            view.selections[1].per_draw_cents = 500;
        }),
        (SlipFault::Total, |view| view.total_cents += 1),
        (SlipFault::Total, |view| view.per_draw_cents += 1),
        (SlipFault::Draws, |view| view.draws = 0),
        (SlipFault::Draws, |view| view.last.draw = 1),
        (SlipFault::ControlNumber, |view| {
            view.control_number = "0731552890146664".to_owned()
        }),
        (SlipFault::Cap, |view| view.cap_cents = 0),
        (SlipFault::ClaimBy, |view| {
            view.claim_by = "\u{1B}\n".to_owned()
        }),
        (SlipFault::ClaimCode, |view| {
            view.claim_code = Some("KT2".to_owned())
        }),
        (SlipFault::ClaimCode, |view| view.copy = 2),
    ];
    for (fault, spoil) in cases {
        let mut view = sample("full");
        spoil(&mut view);
        assert_eq!(
            ticket(&view, Issue::First, Width::Wide),
            Err(fault),
            "{}",
            fault.name()
        );
    }
}

#[test]
fn receipts() {
    let key = CommandKey {
        session: 3,
        counter: 9,
    };
    let paid = PayReply {
        key,
        payment: 9_118_300,
        control_number: "0731552890146663".to_owned(),
        items: vec![
            PaidItemView {
                draw: 48_214,
                kind: "prize".into(),
                amount_cents: 402,
            },
            PaidItemView {
                draw: 48_215,
                kind: "refund".into(),
                amount_cents: 300_000,
            },
        ],
        total_cents: 300_402,
        cash_cents: 300_400,
        tender: "cash".into(),
        draws_left: 3,
        report_cents: None,
        at_local: "2026-11-20 21:31:02".to_owned(),
        terminal: "T07".to_owned(),
        badge: "C142".to_owned(),
        second: Some("S007".to_owned()),
        house_name: "Casino de démonstration".to_owned(),
        repeated: false,
    };
    let paper = keno_slip::payment_receipt(&paid, Issue::Reprint, Width::Wide).unwrap();
    let expected = "\
Casino de démonstration
REÇU DE PAIEMENT DE LOT
Prize payment receipt
RÉIMPRESSION / REPRINT
Billet / Ticket                            …6663
Payé le / Paid               2026-11-20 21:31:02
048 214  lot / prize                      4,02 $
048 215  remboursement / refund       3 000,00 $
TOTAL                                 3 004,02 $
Total                                  $3,004.02
REMIS, comptant                       3 004,00 $
Handed over, cash                      $3,004.00
3 tirages à venir : gardez votre billet.
3 draws left: keep your ticket.
T07  C142 + S007                      n° 9118300
*** FIN / END";
    assert_eq!(paper.texts().join("\n").replace('\u{A0}', " "), expected);

    let mut cancelled = CancelReply {
        key,
        leaf: 9_118_301,
        control_number: "0731552890146663".to_owned(),
        refund_cents: 2_500,
        above_cents: 0,
        change_cents: 0,
        tender: "cash".into(),
        at_local: "2026-11-20 21:06:40".to_owned(),
        terminal: "T07".to_owned(),
        badge: "C142".to_owned(),
        house_name: "Casino de démonstration".to_owned(),
        repeated: false,
    };
    let paper = keno_slip::cancellation_receipt(&cancelled, Issue::First, Width::Wide).unwrap();
    let text = paper.texts().join("\n").replace('\u{A0}', " ");
    assert!(text.contains("REÇU D’ANNULATION\nCancellation receipt"));
    assert!(text.contains("REMBOURSÉ, comptant                      25,00 $"));
    assert!(text.contains("Refunded, cash                            $25.00"));
    // A chip goes back whole, and its change comes back.
    cancelled.tender = "chip".into();
    (cancelled.above_cents, cancelled.change_cents) = (7_500, 7_500);
    let paper = keno_slip::cancellation_receipt(&cancelled, Issue::First, Width::Wide).unwrap();
    let text = paper.texts().join("\n").replace('\u{A0}', " ");
    assert!(
        text.contains("REMBOURSÉ, jetons                       100,00 $"),
        "{text}"
    );
    assert!(
        text.contains("Monnaie reprise                          75,00 $"),
        "{text}"
    );
    assert!(
        text.contains("Change taken back                         $75.00"),
        "{text}"
    );
}

#[test]
fn a_fill_and_a_drop_are_signed_by_two() {
    let mut moved = TillMovementReply {
        key: CommandKey {
            session: 3,
            counter: 9,
        },
        movement: 9_118_302,
        shift: 12,
        kind: TillMovementKind::Fill,
        amount_cents: 100_000,
        at_local: "2026-11-20 21:40:02".to_owned(),
        terminal: "T07".to_owned(),
        badge: "C142".to_owned(),
        second: "S007".to_owned(),
        house_name: "Casino de démonstration".to_owned(),
        repeated: false,
    };
    let text = |moved: &TillMovementReply, issue| {
        let paper = keno_slip::till_movement_receipt(moved, issue, Width::Wide);
        paper.texts().join("\n").replace('\u{A0}', " ")
    };
    let expected = "\
Casino de démonstration
APPROVISIONNEMENT
Fill
Tiroir · quart / Till · shift           T07 · 12
Le / On                      2026-11-20 21:40:02
MIS DANS LE TIROIR                    1 000,00 $
Put into the till                      $1,000.00
Signatures
C142                       _____________________
S007                       _____________________
                                      n° 9118302
*** FIN / END";
    assert_eq!(text(&moved, Issue::First), expected);
    moved.kind = TillMovementKind::Drop;
    let text = text(&moved, Issue::Reprint);
    for words in [
        "DÉPÔT\nDrop\nRÉIMPRESSION / REPRINT",
        "SORTI DU TIROIR                       1 000,00 $",
        "Taken out of the till                  $1,000.00",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn a_refund_of_a_lost_ticket_is_signed_by_two_and_kept_with_it() {
    let reply = LostRefundReply {
        key: CommandKey {
            session: 3,
            counter: 9,
        },
        leaf: 9_118_302,
        shift: 12,
        amount_cents: 2_500,
        tender: "cash".into(),
        reason: "prix lu sur le papier".to_owned(),
        at_local: "2026-11-20 21:40:02".to_owned(),
        terminal: "T07".to_owned(),
        badge: "C142".to_owned(),
        second: "S007".to_owned(),
        house_name: "Casino de démonstration".to_owned(),
        repeated: false,
    };
    let text = |issue| {
        let paper = keno_slip::lost_refund_receipt(&reply, issue, Width::Wide);
        paper.texts().join("\n").replace('\u{A0}', " ")
    };
    let expected = "\
Casino de démonstration
BILLET PERDU, REMBOURSÉ
Lost ticket, refunded
Tiroir · quart / Till · shift           T07 · 12
Le / On                      2026-11-20 21:40:02
REMBOURSÉ, comptant                      25,00 $
Refunded, cash                            $25.00
Motif / Reason: prix lu sur le papier
L’inscription de ce billet est perdue
(restauration). Gardez-le avec ce papier.
The record of this ticket was lost (restore).
Keep it with this paper.
Signatures
C142                       _____________________
S007                       _____________________
                                      n° 9118302
*** FIN / END";
    assert_eq!(text(Issue::First), expected);
    assert!(text(Issue::Reprint).contains("Lost ticket, refunded\nRÉIMPRESSION / REPRINT"));
}

#[test]
fn a_sale_in_doubt_is_not_a_ticket() {
    use keno_slip::DoubtMoney::{GivenBack, Kept};
    for (money, promised, other) in [
        (Kept, "GARDÉ DANS L’ENVELOPPE", "ARGENT RENDU"),
        (GivenBack, "ARGENT RENDU AU JOUEUR", "ENVELOPPE"),
    ] {
        let sale = keno_slip::InDoubt {
            device: 7,
            session: 3,
            counter: 9,
            badge: "C142",
            total_cents: 2_500,
            received_cents: 4_000,
            draws: Some(2),
            money,
            at: "2026-11-23 12:00 UTC",
        };
        let lines = keno_slip::in_doubt(&sale, Width::Wide).texts();
        assert_eq!(lines[0], "EN SUSPENS");
        assert_eq!(lines[1], "NON VALIDE COMME BILLET");
        // Once for the envelope, once for the player, whose part says when and how many draws.
        let keys = lines.iter().filter(|line| line.ends_with("7-3-9"));
        assert_eq!(keys.count(), 2);
        let at = lines
            .iter()
            .position(|line| line.contains("REÇU D’ATTENTE"));
        let slip = lines[at.unwrap()..].join("\n");
        for words in ["Sans valeur", "40,00", "25,00", "12:00 UTC", promised] {
            assert!(slip.contains(words), "{words}: {slip}");
        }
        // Neither part says the other thing of the money, nor promises a ticket that is not given.
        assert!(!lines.join("\n").contains(other), "{lines:?}");
        assert_eq!(slip.contains("your ticket"), money == Kept, "{slip}");
    }
}
