//! Slips in the making, by the rules of the demonstration.

use keno_wire::counter::{CounterReply, SaleDraw};
use serde_json::{Value, json};

use super::*;
use crate::serve::counter::on_sale::tests::facts;

const RULES: &str = include_str!("../../../../../samples/rules/demonstration.toml");

/// Draws 5 to 44, one in four minutes, of which the last are on the next day.
fn sale() -> OnSale {
    sale_with(&[])
}

/// The same where other rules govern from later draws on.
fn sale_with(later: &[(u64, &str)]) -> OnSale {
    let draws = (5..45)
        .map(|draw: u64| SaleDraw {
            draw: DrawTime {
                draw,
                draws_at_ms: i64::try_from(draw).unwrap() * 240_000,
                local: if draw < 40 {
                    format!("2026-11-20 23:{draw:02}")
                } else {
                    format!("2026-11-21 00:{:02}", draw - 40)
                },
                zone_mark: String::new(),
            },
            closes_at_ms: i64::try_from(draw).unwrap() * 240_000 - 10_000,
        })
        .collect();
    OnSale::told(
        CounterReply {
            draws,
            ..facts(None, &[])
        },
        RULES,
        later,
    )
}

fn asked(slip: Value) -> DraftAsked {
    serde_json::from_value(json!({ "slip": slip })).unwrap()
}

fn of(slip: Value) -> DraftView {
    view(&asked(slip), &sale()).unwrap()
}

fn quick(spots: u8, cents: i64) -> Value {
    json!({"type": "straight", "quick_pick": spots, "wager_cents": cents})
}

#[test]
fn a_price_is_told_with_its_draws() {
    let draft = of(
        json!({"selections": [quick(5, 200), {"type": "straight", "numbers": [7, 18], "wager_cents": 150}], "draws": 3}),
    );
    assert_eq!(draft.per_draw_cents, Some(350));
    assert_eq!(draft.total_cents, Some(1_050));
    assert_eq!(draft.first.as_ref().map(|draw| draw.draw), Some(5));
    assert_eq!(draft.last.as_ref().map(|draw| draw.draw), Some(7));
    assert_eq!(draft.confirm.how, Confirm::Enter);
    assert!(draft.refusal.is_none() && !draft.is_other_day && !draft.ends_other_day);
}

#[test]
fn two_quick_picks_of_one_size_are_priced_though_nobody_knows_their_numbers() {
    // Stood in for by the same numbers, they would carry 40 dollars on them: 20 are permitted.
    let draft = of(json!({"selections": [quick(4, 2_000), quick(4, 2_000)], "draws": 1}));
    assert_eq!((draft.total_cents, draft.refusal), (Some(4_000), None));
    // What the patron chose is known, and is refused.
    let numbers = json!({"type": "straight", "numbers": [1, 2], "wager_cents": 2_000});
    let draft = of(json!({"selections": [numbers, numbers], "draws": 1}));
    assert_eq!(draft.refusal.unwrap().name, "same_numbers_over_limit");
}

#[test]
fn what_is_missing_is_named_where_it_is() {
    let table = [
        (json!({"selections": [], "draws": 1}), "no_selections", None),
        (
            json!({"selections": [quick(5, 200), quick(11, 200)], "draws": 1}),
            "too_many_numbers",
            Some(1),
        ),
        (
            json!({"selections": [quick(5, 30)], "draws": 1}),
            "wager_below_minimum",
            Some(0),
        ),
        (
            json!({"selections": [quick(5, 200)], "draws": 21}),
            "too_many_draws",
            None,
        ),
    ];
    for (slip, name, selection) in table {
        let draft = of(slip);
        let refusal = draft.refusal.unwrap();
        assert_eq!((refusal.name, refusal.selection), (name, selection));
        assert_eq!(draft.total_cents, None);
    }
}

#[test]
fn a_draw_never_rolls_by_itself() {
    let draft = of(json!({"selections": [quick(5, 200)], "draws": 1, "first_draw": 4}));
    let refusal = draft.refusal.unwrap();
    assert_eq!((refusal.name, refusal.next_draw), ("draw_closed", Some(5)));
    assert_eq!(draft.total_cents, None);
    let draft = of(json!({"selections": [quick(5, 200)], "draws": 2, "first_draw": 44}));
    assert_eq!(draft.refusal.unwrap().name, "draw_unknown");
}

#[test]
fn a_slip_is_priced_by_the_rules_of_its_first_draw() {
    // From draw 8 on a selection costs at least a dollar and a big sale is one of 4 dollars; the
    // rules from draw 20 on cannot be read here.
    let later = RULES
        .replacen("version = 1", "version = 2", 1)
        .replacen("min = \"0.50\"", "min = \"1.00\"", 1)
        .replacen("second_key = \"25.00\"", "second_key = \"4.00\"", 1);
    assert!(keno_book::rules_file::read(&later).is_ok());
    let sale = sale_with(&[(8, &later), (20, "format = 9")]);
    let of = |cents: i64, first: Option<u64>| {
        let mut slip = json!({"selections": [quick(5, cents)], "draws": 2});
        if let Some(first) = first {
            slip["first_draw"] = json!(first);
        }
        let draft = view(&asked(slip), &sale).unwrap();
        let refusal = draft.refusal.map(|refusal| refusal.name);
        (draft.total_cents, draft.confirm.how, refusal)
    };
    let enter = Confirm::Enter;
    assert_eq!(of(50, None), (Some(100), enter, None));
    // The last draw of a slip does not say which rules govern it.
    assert_eq!(of(50, Some(7)), (Some(100), enter, None));
    assert_eq!(of(50, Some(8)), (None, enter, Some("wager_below_minimum")));
    assert_eq!(of(100, Some(8)), (Some(200), enter, None));
    assert_eq!(of(200, Some(7)), (Some(400), enter, None));
    assert_eq!(of(200, Some(19)), (Some(400), Confirm::Key, None));
    // Nothing is told by rules of another draw.
    assert_eq!(of(100, Some(20)), (None, enter, Some("rules_unknown")));
    let slip = json!({"selections": [quick(5, 100)], "draws": 1, "first_draw": 20});
    let draft = view(&asked(slip), &sale).unwrap();
    assert_eq!(draft.selections[0].per_draw_cents, None);
    assert_eq!(draft.per_draw_cents, None);
    let ways = json!({"type": "way", "groups": [[1, 2], [3, 4]], "ways": [{"spots": 3, "ways": 2, "wager_cents": 100}]});
    let mut slip = json!({"selections": [ways], "draws": 1});
    let told = |slip: &Value| {
        let draft = view(&asked(slip.clone()), &sale).unwrap();
        let one = &draft.selections[0];
        (one.generated.len(), one.refusal.is_some())
    };
    assert_eq!(told(&slip), (2, true));
    slip["first_draw"] = json!(20);
    assert_eq!(told(&slip), (0, false));
}

#[test]
fn draws_of_another_day_are_announced() {
    let at = |first: u64, draws: u32| {
        let draft = of(json!({"selections": [quick(5, 200)], "draws": draws, "first_draw": first}));
        (draft.is_other_day, draft.ends_other_day)
    };
    assert_eq!(at(5, 1), (false, false));
    assert_eq!(at(38, 5), (false, true));
    assert_eq!(at(41, 2), (true, false));
}

#[test]
fn how_a_sale_is_confirmed() {
    let how = |slip: Value, is_replay: bool| {
        let mut asked = asked(slip);
        asked.is_replay = is_replay;
        let confirm = view(&asked, &sale()).unwrap().confirm;
        (confirm.how, confirm.because)
    };
    let slip = |cents: i64, draws: u32| json!({"selections": [quick(5, cents)], "draws": draws});
    assert_eq!(how(slip(1_200, 2), false), (Confirm::Enter, vec![]));
    assert_eq!(how(slip(1_250, 2), false), (Confirm::Key, vec!["total"]));
    assert_eq!(how(slip(100, 9), false), (Confirm::Enter, vec![]));
    assert_eq!(how(slip(100, 10), false), (Confirm::Key, vec!["draws"]));
    assert_eq!(how(slip(100, 1), true), (Confirm::Key, vec!["replay"]));
    assert_eq!(
        how(slip(1_000, 10), true),
        (Confirm::Typed, vec!["total", "draws", "replay"])
    );
    let way = json!({"type": "way", "groups": [[1, 2], [3, 4]], "ways": [{"spots": 2, "wager_cents": 100}]});
    assert_eq!(
        how(json!({"selections": [way], "draws": 1}), false),
        (Confirm::Key, vec!["way"])
    );
}

#[test]
fn every_way_is_shown_and_counted() {
    let way = json!({"type": "way", "groups": [[3, 14, 22, 29], [40, 51, 66, 80]], "ways": []});
    let draft = of(json!({"selections": [way], "draws": 1}));
    let shown: Vec<(u8, u64, bool)> = draft.selections[0]
        .generated
        .iter()
        .map(|way| (way.spots, way.ways, way.is_playable))
        .collect();
    assert_eq!(shown, [(4, 2, true), (8, 1, true)]);
    // Twelve numbers cannot be played: they are shown, and not offered.
    let way = json!({"type": "way", "groups": [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]], "ways": [{"spots": 4, "wager_cents": 100}]});
    let draft = of(json!({"selections": [way], "draws": 1}));
    let shown: Vec<(u8, u64, bool)> = draft.selections[0]
        .generated
        .iter()
        .map(|way| (way.spots, way.ways, way.is_playable))
        .collect();
    assert_eq!(shown, [(4, 3, true), (8, 3, true), (12, 1, false)]);
    assert_eq!(draft.total_cents, Some(300));
}

#[test]
fn what_was_written_and_is_not_generated_is_offered_as_two() {
    let pairs = json!([[1, 2], [3, 4], [5, 6], [7, 8]]);
    let way = |ways: Value| json!({"selections": [{"type": "way", "groups": pairs, "ways": ways}], "draws": 1});
    let draft = of(way(json!([
        {"spots": 2, "wager_cents": 100},
        {"spots": 8, "wager_cents": 100},
        {"ways": 2, "spots": 4, "wager_cents": 100},
    ])));
    let one = &draft.selections[0];
    assert_eq!(one.refusal.as_ref().unwrap().name, "way_not_generated");
    let split = one.split.clone().unwrap();
    assert_eq!(split.second.groups, [[1, 2, 3, 4], [5, 6, 7, 8]]);
    // Both can be sold, and together they cost what was written: 4 + 1 + 2 ways.
    let sold = view(
        &asked(json!({"selections": [split.first, split.second], "draws": 1})),
        &sale(),
    )
    .unwrap();
    assert_eq!((sold.total_cents, sold.refusal), (Some(700), None));
    // Three of four: no neighbours taken together give three.
    let ways =
        json!([{"spots": 2, "wager_cents": 100}, {"ways": 3, "spots": 4, "wager_cents": 100}]);
    assert_eq!(of(way(ways)).selections[0].split, None);
    // As the groups generate them, nothing is offered.
    let ways = json!([{"ways": 6, "spots": 4, "wager_cents": 100}]);
    let draft = of(way(ways));
    assert_eq!(
        (draft.total_cents, &draft.selections[0].split),
        (Some(600), &None)
    );
}

#[test]
fn change_is_what_is_left() {
    let mut asked = asked(json!({"selections": [quick(5, 200)], "draws": 1}));
    for (received, change) in [
        (None, None),
        (Some(2_000), Some(1_800)),
        (Some(150), Some(-50)),
    ] {
        asked.received_cents = received;
        assert_eq!(view(&asked, &sale()).unwrap().change_cents, change);
    }
    // A coupon gives none.
    asked.tender = Name::Known(Tender::Coupon);
    for (received, change) in [(2_000, 0), (150, -50)] {
        asked.received_cents = Some(received);
        assert_eq!(view(&asked, &sale()).unwrap().change_cents, Some(change));
    }
}
