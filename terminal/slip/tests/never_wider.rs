//! No line of any paper is wider than the paper, whatever a house writes and however long a
//! selection is; the control number comes first and last.

#![allow(clippy::unwrap_used)]

mod support;

use keno_game::ControlNumber;
use keno_slip::{Issue, Mark, Paper, Width, ticket};
use keno_wire::reply::{
    Bilingual, CancelReply, ConditioningView, DrawTime, PaidItemView, PayReply, SelectionView,
    TicketView,
};
use keno_wire::request::CommandKey;
use proptest::prelude::*;

/// Names of all sample tickets.
const SAMPLES: [&str; 5] = ["full", "duplicate", "information", "king", "way-190"];

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
            } => {
                // Version 5 has 37 modules and a margin of 4 on either side.
                if payload.len() > 122 || 45 * usize::from(*module_dots) > paper.width.dots() {
                    faults.push("QR does not fit".to_owned());
                }
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

fn house_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ -~éèêàçùôîœÉÈÀÇ«»’]{1,200}",
        "\\PC{1,80}",
        "[\\x00-\\x1F\\x7F]{1,12}[a-zé ]{1,80}",
    ]
}

fn bilingual() -> impl Strategy<Value = Bilingual> {
    (house_text(), house_text()).prop_map(|(fr, en)| Bilingual { fr, en })
}

fn selection() -> impl Strategy<Value = SelectionView> {
    (
        prop_oneof![
            Just("straight"),
            Just("way"),
            Just("king"),
            Just("new_kind")
        ],
        any::<bool>(),
        prop::collection::vec(prop::collection::vec(1_u8..=80, 1..20), 1..=20),
        prop::collection::vec(1_u8..=80, 0..20),
        prop::collection::vec((1_u32..=2000, 1_u8..=80, 1_i64..=100_000_000), 1..=20),
        1_i64..=1_000_000_000,
        prop_oneof![Just("keno".to_owned()), "[a-z0-9-]{1,16}"],
        bilingual(),
    )
        .prop_map(
            |(kind, quick_pick, groups, kings, lines, per_draw_cents, game, game_name)| {
                SelectionView {
                    game,
                    game_name,
                    kind: kind.to_owned(),
                    quick_pick,
                    groups,
                    kings,
                    conditioning: lines
                        .into_iter()
                        .map(|(ways, spots, wager_cents)| ConditioningView {
                            ways,
                            spots,
                            wager_cents,
                        })
                        .collect(),
                    per_draw_cents,
                }
            },
        )
}

prop_compose! {
    fn ticket_view()(
        house_name in house_text(),
        selections in prop::collection::vec(selection(), 1..5),
        first in 1_u64..100_000_000_000,
        draws in 1_u32..=100,
        zone_mark in prop_oneof![Just(String::new()), Just("HAE".to_owned()), house_text()],
        payload in 0_u64..100_000_000_000_000,
        copy in 1_u8..=99,
        cap_cents in 1_i64..=i64::MAX,
        claim_by in "[0-9]{4}-[0-9]{2}-[0-9]{2}",
        (claim_place, rules_place) in (bilingual(), bilingual()),
        (terminal, badge, tender) in (house_text(), house_text(), house_text()),
    ) -> TicketView {
        let per_draw_cents = selections.iter().map(|selection| selection.per_draw_cents).sum();
        let time = |draw| DrawTime {
            draw,
            draws_at_ms: 0,
            local: "2026-11-20 21:08".to_owned(),
            zone_mark: zone_mark.clone(),
        };
        TicketView {
            ticket: 1,
            house_name,
            control_number: ControlNumber::from_payload(payload).unwrap().digits(),
            claim_code: None,
            copy,
            first: time(first),
            last: time(first + u64::from(draws) - 1),
            draws,
            per_draw_cents,
            total_cents: per_draw_cents * i64::from(draws),
            selections,
            tender,
            received_cents: 0,
            change_cents: 0,
            sold_at_ms: 0,
            sold_at_local: "2026-11-20 21:05:11".to_owned(),
            cap_cents,
            claim_by,
            claim_place,
            rules_place,
            rule_book: u32::MAX,
            terminal,
            badge,
            intake: "screen".to_owned(),
        }
    }
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
            refund_cents: cents, tender: tender.clone(), at_local: "2026-11-20 21:05:11".to_owned(),
            terminal: terminal.clone(), badge: badge.clone(), house_name: house_name.clone(), repeated: false,
        };
        let paid = PayReply {
            key, payment: u64::MAX, control_number: "0731552890146663".to_owned(),
            items: items.iter().map(|&draw| PaidItemView { draw, kind: kind.clone(), amount_cents: cents }).collect(),
            total_cents: cents, cash_cents: cents, tender, draws_left,
            at_local: "2026-11-20 21:05:11".to_owned(), terminal, badge: badge.clone(), second: Some(badge),
            house_name, repeated: false,
        };
        for width in [Width::Wide, Width::Narrow] {
            let paper = keno_slip::cancellation_receipt(&cancelled, Issue::Reprint, width).unwrap();
            prop_assert_eq!(faults(&paper), Vec::<String>::new());
            let paper = keno_slip::payment_receipt(&paid, Issue::First, width).unwrap();
            prop_assert_eq!(faults(&paper), Vec::<String>::new());
            prop_assert!(!paper.texts().concat().contains("0731"));
        }
    }
}

#[test]
fn samples_and_fixed_papers() {
    for width in [Width::Wide, Width::Narrow] {
        for name in SAMPLES {
            let paper = ticket(&support::sample(name), Issue::First, width).unwrap();
            assert_eq!(faults(&paper), Vec::<String>::new(), "{name}");
        }
        assert_eq!(
            faults(&keno_slip::test_page("T07", width)),
            Vec::<String>::new()
        );
        let sale = keno_slip::InDoubt {
            device: u64::MAX,
            session: u64::MAX,
            counter: u64::MAX,
            badge: "C142",
            total_cents: i64::MAX,
            received_cents: i64::MIN,
        };
        assert_eq!(
            faults(&keno_slip::in_doubt(&sale, width)),
            Vec::<String>::new()
        );
    }
}

#[test]
fn the_check_of_width_catches_a_line_that_is_one_too_long() {
    let mut paper = ticket(&support::sample("full"), Issue::First, Width::Wide).unwrap();
    for line in &mut paper.lines {
        if let Mark::Text(text) = &mut line.mark {
            text.spans[0].text = "x".repeat(49);
            break;
        }
    }
    assert_eq!(faults(&paper).len(), 1);
}
