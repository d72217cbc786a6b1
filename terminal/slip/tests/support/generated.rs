//! Tickets made up by the machine, shared by the tests of papers and of bytes.
#![allow(clippy::unwrap_used)]

use keno_game::ControlNumber;
use keno_wire::reply::{Bilingual, ConditioningView, DrawTime, SelectionView, TicketView};
use proptest::prelude::*;

/// What a house may write: French, anything printable, commands of a printer.
pub fn house_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ -~éèêàçùôîœÉÈÀÇ«»’]{1,200}",
        "\\PC{1,80}",
        "[\\x00-\\x1F\\x7F]{1,12}[a-zé ]{1,80}",
    ]
}

/// A sentence in both languages.
pub fn bilingual() -> impl Strategy<Value = Bilingual> {
    (house_text(), house_text()).prop_map(|(fr, en)| Bilingual { fr, en })
}

/// A selection of any size.
pub fn selection() -> impl Strategy<Value = SelectionView> {
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
                    kind: kind.into(),
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
    /// A ticket that holds together and is otherwise anything.
    pub fn ticket_view()(
        house_name in house_text(),
        selections in prop::collection::vec(selection(), 1..5),
        first in 1_u64..100_000_000_000,
        draws in 1_u32..=100,
        zone_mark in prop_oneof![Just(String::new()), Just("HAE".to_owned()), house_text()],
        payload in 0_u64..100_000_000_000_000,
        copy in 1_u8..=99,
        cap_cents in 1_i64..=i64::MAX,
        claim_by in "[0-9]{4}-[0-9]{2}-[0-9]{2}",
        (claim_place, cage_place, rules_place, notice) in
            (bilingual(), bilingual(), bilingual(), bilingual()),
        cage_from_cents in 1_i64..=i64::MAX,
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
            tender: tender.into(),
            received_cents: 0,
            change_cents: 0,
            sold_at_ms: 0,
            sold_at_local: "2026-11-20 21:05:11".to_owned(),
            cap_cents,
            claim_by,
            claim_place,
            cage_from_cents,
            cage_place,
            rules_place,
            notice,
            rule_book: u32::MAX,
            terminal,
            badge,
            intake: "screen".into(),
        }
    }
}
