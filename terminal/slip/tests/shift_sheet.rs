//! The sheet of a shift and the paper of a count, word for word on both widths, and never wider.

#![allow(clippy::unwrap_used)]

use crate::generated::house_text;
use keno_slip::{Issue, Mark, Paper, Width, shift_sheet, till_count_receipt};
use keno_wire::reply::{PieceLine, ShiftLine, ShiftSheetReply, TillCountReply};
use proptest::prelude::*;

fn line(count: u64, cash_cents: i64, coupon_cents: i64, chip_cents: i64) -> ShiftLine {
    ShiftLine {
        count,
        amount_cents: cash_cents
            .wrapping_add(coupon_cents)
            .wrapping_add(chip_cents),
        cash_cents,
        coupon_cents,
        chip_cents,
    }
}

fn count() -> TillCountReply {
    TillCountReply {
        leaf: 9_118_302,
        shift: 12,
        counted_cents: 61_000,
        expected_cents: 61_205,
        difference_cents: -205,
        reason: "monnaie contestée".to_owned(),
        at_local: "2026-11-20 21:40:02".to_owned(),
        terminal: "T07".to_owned(),
        badge: "C142".to_owned(),
        second: "S007".to_owned(),
        house_name: "Casino de démonstration".to_owned(),
    }
}

fn sheet() -> ShiftSheetReply {
    ShiftSheetReply {
        shift: 12,
        business_day: "2026-11-20".to_owned(),
        terminal: "T06 → T07".to_owned(),
        opened_at_local: "2026-11-20 16:02:11".to_owned(),
        closed_at_local: "2026-11-20 23:58:40".to_owned(),
        holder: "C142".to_owned(),
        outgoing: "C143".to_owned(),
        incoming: None,
        seconds: vec!["S007".to_owned(), "S008".to_owned()],
        float_cents: 50_000,
        sales: line(41, 123_450, 1_000, 500),
        cancels: line(2, 450, 0, 0),
        unpaid: line(0, 0, 0, 0),
        payouts: line(7, 62_203, 0, 0),
        refunds: line(3, 200, 250, 0),
        lost_refunds: line(0, 0, 0, 0),
        reversals: line(1, 3_000, 0, 0),
        fills: line(1, 100_000, 0, 0),
        drops: line(1, 150_000, 0, 0),
        rounding_cents: 2,
        chip_change_cents: 1_800,
        coupons: pieces(3, 4_500, 4_600),
        chips: pieces(1, 2_500, 2_500),
        counts: vec![count()],
        expected_cents: 63_595,
        counted_cents: 63_500,
        difference_cents: -95,
        added_up_cents: 63_595,
        opened_leaf: 9_100_000,
        closed_leaf: 9_118_500,
        at_local: "2026-11-20 23:58:41".to_owned(),
        house_name: "Casino de démonstration".to_owned(),
    }
}

fn text(paper: &Paper) -> String {
    paper.texts().join("\n").replace('\u{A0}', " ")
}

#[test]
fn the_sheet_on_80_millimetres() {
    let expected = "\
Casino de démonstration
FEUILLE DE QUART
Shift sheet
Jour d’affaires / Business day        2026-11-20
Tiroir · quart / Till · shift    T06 -> T07 · 12
Ouvert / Opened              2026-11-20 16:02:11
Fermé / Closed               2026-11-20 23:58:40
Ouvert pour / Opened for                    C142
Sortant / Outgoing                          C143
Deuxièmes personnes / Seconds         S007, S008
COMPTANT / CASH
Fonds de caisse / Float                 500,00 $
+ Mises / Write (41)                  1 234,50 $
- Annulations / Cancels (2)               4,50 $
- Non payées / Unpaid (0)                 0,00 $
- Lots payés / Payouts (7)              622,03 $
- Remboursements / Refunds (3)            2,00 $
- Billets perdus / Lost tickets (0)       0,00 $
+ Renversés / Reversed (1)               30,00 $
+ Approvisionnements / Fills (1)      1 000,00 $
- Dépôts / Drops (1)                  1 500,00 $
- Arrondi 5 ¢ / Rounding                  0,02 $
- Monnaie sur jetons / Change for chips  18,00 $
COMPTÉ (à l’aveugle)                    635,00 $
Counted (blind)                          $635.00
ATTENDU                                 635,95 $
Expected                                 $635.95
MANQUE                                   -0,95 $
Short                                     -$0.95
COUPONS
Mises / Write                            10,00 $
Remboursements / Refunds                  2,50 $
Comptés, 3 / Counted, 3                  45,00 $
Attendus / Expected                      46,00 $
Écart / Difference                       -1,00 $
JETONS / CHIPS
Mises / Write                             5,00 $
Comptés, 1 / Counted, 1                  25,00 $
Attendus / Expected                      25,00 $
Écart / Difference                        0,00 $
DÉCOMPTES EN COURS DE QUART
Counts in the middle of the shift
n° 9118302                   2026-11-20 21:40:02
Compté / Counted                        610,00 $
Attendu / Expected                      612,05 $
Écart / Difference                       -2,05 $
  C142 + S007 : monnaie contestée
Signatures
Sortant / Outgoing
C143                       _____________________
Entrant / Incoming
                           _____________________
Superviseur / Supervisor
                           _____________________
2026-11-20 23:58:41                   n° 9118500
*** FIN / END";
    assert_eq!(
        text(&shift_sheet(&sheet(), Issue::First, Width::Wide)),
        expected
    );
}

#[test]
fn the_sheet_on_58_millimetres() {
    let expected = "\
Casino de démonstration
FEUILLE DE QUART
Shift sheet
Jour d’affaires / Business day
                      2026-11-20
Tiroir · quart / Till · shift
                 T06 -> T07 · 12
Ouvert / Opened
             2026-11-20 16:02:11
Fermé / Closed
             2026-11-20 23:58:40
Ouvert pour / Opened for    C142
Sortant / Outgoing          C143
Deuxièmes personnes / Seconds
                      S007, S008
COMPTANT / CASH
Fonds de caisse / Float
                        500,00 $
+ Mises / Write (41)  1 234,50 $
- Annulations / Cancels (2)
                          4,50 $
- Non payées / Unpaid (0)
                          0,00 $
- Lots payés / Payouts (7)
                        622,03 $
- Remboursements / Refunds (3)
                          2,00 $
- Billets perdus / Lost tickets
(0)                       0,00 $
+ Renversés / Reversed (1)
                         30,00 $
+ Approvisionnements / Fills (1)
                      1 000,00 $
- Dépôts / Drops (1)  1 500,00 $
- Arrondi 5 ¢ / Rounding  0,02 $
- Monnaie sur jetons / Change
for chips                18,00 $
COMPTÉ (à l’aveugle)    635,00 $
Counted (blind)          $635.00
ATTENDU                 635,95 $
Expected                 $635.95
MANQUE                   -0,95 $
Short                     -$0.95
COUPONS
Mises / Write            10,00 $
Remboursements / Refunds  2,50 $
Comptés, 3 / Counted, 3  45,00 $
Attendus / Expected      46,00 $
Écart / Difference       -1,00 $
JETONS / CHIPS
Mises / Write             5,00 $
Comptés, 1 / Counted, 1  25,00 $
Attendus / Expected      25,00 $
Écart / Difference        0,00 $
DÉCOMPTES EN COURS DE QUART
Counts in the middle of the
shift
n° 9118302   2026-11-20 21:40:02
Compté / Counted        610,00 $
Attendu / Expected      612,05 $
Écart / Difference       -2,05 $
  C142 + S007 : monnaie
  contestée
Signatures
Sortant / Outgoing
C143       _____________________
Entrant / Incoming
           _____________________
Superviseur / Supervisor
           _____________________
2026-11-20 23:58:41   n° 9118500
*** FIN / END";
    assert_eq!(
        text(&shift_sheet(&sheet(), Issue::First, Width::Narrow)),
        expected
    );
}

#[test]
fn a_reprint_says_so_and_names_who_came() {
    let reply = ShiftSheetReply {
        incoming: Some("C150".to_owned()),
        ..sheet()
    };
    for width in [Width::Wide, Width::Narrow] {
        let paper = text(&shift_sheet(&reply, Issue::Reprint, width));
        assert!(
            paper.contains("Shift sheet\nRÉIMPRESSION / REPRINT"),
            "{paper}"
        );
        assert!(paper.contains("Entrant / Incoming"), "{paper}");
        assert_eq!(paper.matches("C150").count(), 2, "{paper}");
        let first = text(&shift_sheet(&reply, Issue::First, width));
        assert!(!first.contains("REPRINT"));
    }
}

#[test]
fn a_sum_that_is_not_what_was_recorded_is_said() {
    let reply = ShiftSheetReply {
        added_up_cents: 63_600,
        ..sheet()
    };
    let paper = text(&shift_sheet(&reply, Issue::First, Width::Wide));
    assert!(
        paper.contains("ATTENTION") && paper.contains("636,00 $"),
        "{paper}"
    );
    let right = text(&shift_sheet(&sheet(), Issue::First, Width::Wide));
    assert!(!right.contains("ATTENTION"));
}

#[test]
fn a_count_in_the_middle_is_signed_by_two() {
    let expected = "\
Casino de démonstration
DÉCOMPTE DU TIROIR
Till count
Tiroir · quart / Till · shift           T07 · 12
Le / On                      2026-11-20 21:40:02
COMPTÉ (à l’aveugle)                    610,00 $
Counted (blind)                          $610.00
ATTENDU                                 612,05 $
Expected                                 $612.05
MANQUE                                   -2,05 $
Short                                     -$2.05
Motif / Reason: monnaie contestée
Le tiroir reste ouvert.
The till stays open.
Signatures
C142                       _____________________
S007                       _____________________
                                      n° 9118302
*** FIN / END";
    assert_eq!(text(&till_count_receipt(&count(), Width::Wide)), expected);
}

fn faults(paper: &Paper) -> Vec<String> {
    let lines = paper.lines.iter();
    lines
        .filter_map(|line| match &line.mark {
            Mark::Text(text)
                if text.columns() > paper.width.columns()
                    || text.text().chars().any(char::is_control) =>
            {
                Some(text.text().clone())
            }
            _ => None,
        })
        .collect()
}

proptest! {
    #[test]
    fn nothing_is_wider_than_the_paper(
        texts in prop::collection::vec(house_text(), 8), cents in any::<i64>(), number in any::<u64>(),
        times in 0_usize..4,
    ) {
        let counted = TillCountReply {
            leaf: number, shift: number, counted_cents: cents, expected_cents: cents,
            difference_cents: cents, reason: texts[0].clone(), terminal: texts[1].clone(),
            badge: texts[2].clone(), second: texts[3].clone(), house_name: texts[4].clone(), ..count()
        };
        let one = line(number, cents, cents, cents);
        let reply = ShiftSheetReply {
            shift: number, business_day: texts[5].clone(), terminal: texts[1].clone(),
            holder: texts[2].clone(), outgoing: texts[3].clone(), incoming: Some(texts[6].clone()),
            seconds: texts.clone(), float_cents: cents, sales: one, cancels: one, unpaid: one,
            payouts: one, refunds: one, lost_refunds: one, reversals: one, fills: one, drops: one,
            rounding_cents: cents, chip_change_cents: cents, counts: vec![counted.clone(); times], expected_cents: cents,
            counted_cents: cents, difference_cents: cents, added_up_cents: !cents,
            house_name: texts[7].clone(), ..sheet()
        };
        for width in [Width::Wide, Width::Narrow] {
            for issue in [Issue::First, Issue::Reprint] {
                prop_assert_eq!(faults(&shift_sheet(&reply, issue, width)), Vec::<String>::new());
            }
            prop_assert_eq!(faults(&till_count_receipt(&counted, width)), Vec::<String>::new());
        }
    }
}

/// Coupons or chips that were counted.
fn pieces(pieces: u32, counted_cents: i64, expected_cents: i64) -> PieceLine {
    PieceLine {
        pieces,
        counted_cents,
        expected_cents,
        difference_cents: counted_cents - expected_cents,
    }
}
