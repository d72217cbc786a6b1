//! No line of any paper is wider than the paper, whatever a house writes and however long a
//! selection is; the control number comes first and last.

#![allow(clippy::unwrap_used)]

use crate::generated::{house_text, ticket_view};
use keno_game::ControlNumber;
use keno_slip::aside::{Aside, What, aside};
use keno_slip::{Issue, Mark, Paper, Width, ticket};
use keno_wire::reply::{CancelReply, LostRefundReply, PaidItemView, PayReply, TillMovementReply};
use keno_wire::request::{CommandKey, TillMovementKind};
use proptest::prelude::*;

/// Names of all sample tickets.
const SAMPLES: [&str; 6] = ["full", "duplicate", "information", "king", "set", "way-190"];

/// What is wrong with a paper's lines; empty when nothing is.
fn faults(paper: &Paper) -> Vec<String> {
    let mut faults = Vec::new();
    for line in &paper.lines {
        match &line.mark {
            Mark::Text(text) => {
                if text.columns() > paper.width.columns() {
                    faults.push(format!("too wide: {}", text.text()));
                }
                if text.text().chars().any(char::is_control) {
                    faults.push(format!("control: {:?}", text.text()));
                }
                if text.text().contains('\u{202F}') {
                    faults.push(format!("narrow space: {:?}", text.text()));
                }
            }
            Mark::Rule(columns) if *columns > paper.width.columns() => {
                faults.push(format!("rule of {columns}"));
            }
            Mark::Qr {
                payload,
                module_dots,
                // Version 5 has 37 modules and a margin of 4 on either side.
            } if payload.len() > 122 || 45 * usize::from(*module_dots) > paper.width.dots() => {
                faults.push("QR does not fit".to_owned());
            }
            Mark::Itf { digits, bar_dots } => {
                // A pair of digits takes at most 18 narrow bars, start and stop 9.
                let bars = digits.len() / 2 * 18 + 9;
                if bars * usize::from(*bar_dots) > paper.width.dots() {
                    faults.push("bars do not fit".to_owned());
                }
            }
            _ => {}
        }
    }
    faults
}

proptest! {
    #[test]
    fn tickets(view in ticket_view()) {
        for width in [Width::Wide, Width::Narrow] {
            for issue in [Issue::First, Issue::Reprint] {
                let paper = ticket(&view, issue, width).unwrap();
                prop_assert_eq!(faults(&paper), Vec::<String>::new());
                let texts = paper.texts();
                let number = ControlNumber::parse(&view.control_number).unwrap();
                let number = format!("N° {number}").replace(' ', "\u{A0}");
                prop_assert_eq!(texts.first(), Some(&number));
                prop_assert_eq!(texts.iter().rev().nth(1), Some(&number));
                prop_assert_eq!(texts.last().map(String::as_str), Some("*** FIN / END"));
            }
        }
    }

    #[test]
    fn receipts(
        house_name in house_text(), terminal in house_text(), badge in house_text(),
        tender in house_text(), kind in house_text(), cents in any::<i64>(), draws_left in any::<u32>(),
        items in prop::collection::vec(any::<u64>(), 0..40),
    ) {
        let key = CommandKey { session: 1, counter: 1 };
        let cancelled = CancelReply {
            key, leaf: u64::MAX, control_number: "0731552890146663".to_owned(),
            refund_cents: cents, above_cents: cents, change_cents: cents, tender: tender.as_str().into(), at_local: "2026-11-20 21:05:11".to_owned(),
            terminal: terminal.clone(), badge: badge.clone(), house_name: house_name.clone(), repeated: false,
        };
        let moved = TillMovementReply {
            key, movement: u64::MAX, shift: u64::MAX, kind: TillMovementKind::Fill, amount_cents: cents,
            at_local: "2026-11-20 21:05:11".to_owned(), terminal: terminal.clone(), badge: badge.clone(),
            second: badge.clone(), house_name: house_name.clone(), repeated: false,
        };
        let refunded = LostRefundReply {
            key, leaf: u64::MAX, shift: u64::MAX, amount_cents: cents, tender: tender.as_str().into(), reason: kind.clone(),
            at_local: "2026-11-20 21:05:11".to_owned(), terminal: terminal.clone(), badge: badge.clone(),
            second: badge.clone(), house_name: house_name.clone(), repeated: false,
        };
        let paid = PayReply {
            key, payment: u64::MAX, control_number: "0731552890146663".to_owned(),
            items: items.iter().map(|&draw| PaidItemView { draw, kind: kind.as_str().into(), amount_cents: cents }).collect(),
            total_cents: cents, cash_cents: cents, tender: tender.into(), draws_left, report_cents: None,
            at_local: "2026-11-20 21:05:11".to_owned(), terminal, badge: badge.clone(), second: Some(badge),
            house_name, repeated: false,
        };
        for width in [Width::Wide, Width::Narrow] {
            let paper = keno_slip::till_movement_receipt(&moved, Issue::Reprint, width);
            prop_assert_eq!(faults(&paper), Vec::<String>::new());
            let paper = keno_slip::lost_refund_receipt(&refunded, Issue::Reprint, width);
            prop_assert_eq!(faults(&paper), Vec::<String>::new());
            let paper = keno_slip::cancellation_receipt(&cancelled, Issue::Reprint, width).unwrap();
            prop_assert_eq!(faults(&paper), Vec::<String>::new());
            let paper = keno_slip::payment_receipt(&paid, Issue::First, width).unwrap();
            prop_assert_eq!(faults(&paper), Vec::<String>::new());
            let text = paper.texts().concat().replace('\u{A0}', "");
            prop_assert!(!text.contains("07315528"));
        }
    }
}

#[test]
fn samples_and_fixed_papers() {
    for width in [Width::Wide, Width::Narrow] {
        for name in SAMPLES {
            let paper = ticket(&crate::support::sample(name), Issue::First, width).unwrap();
            assert_eq!(faults(&paper), Vec::<String>::new(), "{name}");
        }
        assert_eq!(
            faults(&keno_slip::test_page("T07", width)),
            Vec::<String>::new()
        );
        for money in [
            keno_slip::DoubtMoney::Kept,
            keno_slip::DoubtMoney::GivenBack,
        ] {
            let sale = keno_slip::InDoubt {
                device: u64::MAX,
                session: u64::MAX,
                counter: u64::MAX,
                badge: "C142",
                total_cents: i64::MAX,
                received_cents: i64::MIN,
                draws: Some(u64::MAX),
                money,
                at: "2026-11-23 12:00 UTC",
            };
            assert_eq!(
                faults(&keno_slip::in_doubt(&sale, width)),
                Vec::<String>::new()
            );
        }
        for what in [
            What::Cancellation,
            What::Payment,
            What::TillMovement,
            What::LostRefund,
        ] {
            let command = Aside {
                device: u64::MAX,
                session: u64::MAX,
                counter: u64::MAX,
                badge: "C142",
                what,
                amount_cents: i64::MAX,
            };
            let paper = aside(&command, width);
            assert_eq!(faults(&paper), Vec::<String>::new(), "{what:?}");
            assert!(paper.texts().concat().contains("EN SUSPENS"));
        }
    }
}

#[test]
fn the_check_of_width_catches_a_line_that_is_one_too_long() {
    let mut paper = ticket(&crate::support::sample("full"), Issue::First, Width::Wide).unwrap();
    for line in &mut paper.lines {
        if let Mark::Text(text) = &mut line.mark {
            text.spans[0].text = "x".repeat(49);
            break;
        }
    }
    assert_eq!(faults(&paper).len(), 1);
}
