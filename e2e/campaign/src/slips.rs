//! Slips of every kind, with the price that we add up ourselves: a price that central does not
//! share is refused by it, and no campaign expects that.

use serde_json::{Value, json};

use crate::chance::Chance;

/// A slip with its price.
#[derive(Debug, Clone)]
pub struct Order {
    /// As a request says it.
    pub slip: Value,
    /// Price in cents.
    pub total_cents: i64,
}

/// Wagers, in cents.
const WAGERS: [i64; 4] = [50, 100, 150, 200];

/// A selection and its wager for one draw.
fn selection(chance: &mut Chance) -> (Value, i64) {
    let wager = chance.pick(&WAGERS).copied().unwrap_or(100);
    match chance.below(10) {
        // Few numbers: one in four wins.
        0..=3 => {
            let spots = usize::try_from(chance.below(2) + 1).unwrap_or(1);
            let numbers = chance.numbers(spots);
            (
                json!({"type": "straight", "numbers": numbers, "wager_cents": wager}),
                wager,
            )
        }
        4 => {
            let spots = usize::try_from(chance.below(8) + 3).unwrap_or(3);
            let numbers = chance.numbers(spots);
            (
                json!({"type": "straight", "numbers": numbers, "wager_cents": wager}),
                wager,
            )
        }
        5 | 6 => {
            let spots = chance.below(10) + 1;
            (
                json!({"type": "straight", "quick_pick": spots, "wager_cents": wager}),
                wager,
            )
        }
        7 | 8 => {
            let all = chance.numbers(8);
            let (first, second) = all.split_at(4);
            let ways = json!([
                {"ways": 2, "spots": 4, "wager_cents": wager},
                {"ways": 1, "spots": 8, "wager_cents": wager},
            ]);
            (
                json!({"type": "way", "groups": [first, second], "ways": ways}),
                3 * wager,
            )
        }
        _ => {
            let all = chance.numbers(5);
            let (kings, groups) = all.split_at(1);
            let (first, second) = groups.split_at(2);
            let ways = json!([{"ways": 2, "spots": 3, "wager_cents": wager}]);
            (
                json!({"type": "king", "groups": [first, second], "kings": kings, "ways": ways}),
                2 * wager,
            )
        }
    }
}

/// A slip of one to four selections, for one to five draws, perhaps beginning later than the
/// next draw.
pub fn any(chance: &mut Chance, next_draw: u64) -> Order {
    let selections = 1 + u64::from(chance.percent(25)) * chance.below(4);
    let draws = if chance.percent(25) {
        2 + chance.below(4)
    } else {
        1
    };
    let mut all = Vec::new();
    let mut per_draw_cents = 0;
    for _ in 0..selections {
        let (one, cents) = selection(chance);
        all.push(one);
        per_draw_cents += cents;
    }
    let mut slip = json!({"selections": all, "draws": draws});
    if next_draw > 0 && chance.percent(20) {
        slip["first_draw"] = json!(next_draw + chance.below(4));
    }
    Order {
        slip,
        total_cents: per_draw_cents * i64::try_from(draws).unwrap_or(1),
    }
}

/// A slip that almost surely wins in the draw: twenty numbers, each a way of its own.
pub fn sure(chance: &mut Chance, draw: u64) -> Order {
    let groups: Vec<[u8; 1]> = chance.numbers(20).into_iter().map(|one| [one]).collect();
    let ways = json!([{"ways": 20, "spots": 1, "wager_cents": 50}]);
    Order {
        slip: json!({
            "selections": [{"type": "way", "groups": groups, "ways": ways}],
            "draws": 1, "first_draw": draw,
        }),
        total_cents: 1_000,
    }
}
