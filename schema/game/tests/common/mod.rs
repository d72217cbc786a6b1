//! A rule book to plant faults in, and short ways to write tables.
#![allow(dead_code)]

pub mod selection_text;

use keno_game::{
    Cents, Claim, ConfirmThresholds, Damaged, Game, Limits, PayTable, PayoutThresholds, Pays, Pool,
    RuleBook, SelectionType, SpotsAllowed, Tender, WagerLimits,
};

/// A table from `(catch, "pays")`.
pub fn table(spots: u8, pays: &[(u8, &str)]) -> PayTable {
    let pays: Vec<(u8, Pays)> = pays
        .iter()
        .map(|(catch, text)| (*catch, text.parse().unwrap()))
        .collect();
    PayTable::new(spots, &pays).unwrap()
}

/// Cents from a text such as `12.34`.
pub fn cents(text: &str) -> Cents {
    text.parse().unwrap()
}

/// Georgia's 7 spots: lawful at 10.00 on the same numbers, not at 20.00.
pub fn georgia() -> PayTable {
    table(7, &[(3, "1"), (4, "3"), (5, "15"), (6, "125"), (7, "4000")])
}

/// The tables of the demonstration rule book.
pub fn demonstration_tables() -> Vec<PayTable> {
    vec![
        table(1, &[(1, "3")]),
        table(2, &[(2, "12")]),
        table(3, &[(2, "1"), (3, "42")]),
        table(4, &[(2, "1"), (3, "4"), (4, "100")]),
        table(5, &[(3, "2"), (4, "20"), (5, "450")]),
        table(6, &[(3, "1"), (4, "7"), (5, "50"), (6, "1600")]),
        table(7, &[(0, "1"), (4, "3"), (5, "25"), (6, "250"), (7, "2500")]),
        table(
            8,
            &[(0, "2"), (5, "12"), (6, "80"), (7, "900"), (8, "2500")],
        ),
        table(
            9,
            &[
                (4, "1"),
                (5, "5"),
                (6, "40"),
                (7, "300"),
                (8, "2000"),
                (9, "2500"),
            ],
        ),
        table(
            10,
            &[
                (0, "3"),
                (5, "2"),
                (6, "15"),
                (7, "100"),
                (8, "900"),
                (9, "2000"),
                (10, "2500"),
            ],
        ),
    ]
}

/// The demonstration rule book.
pub fn demonstration() -> RuleBook {
    let one_to_ten = SpotsAllowed { min: 1, max: 10 };
    RuleBook {
        version: 1,
        pool: Pool::TWENTY_OF_EIGHTY,
        cap: cents("50000.00"),
        cap_threshold: cents("1000.00"),
        games: vec![Game {
            code: "keno".to_owned(),
            name_fr: "Keno".to_owned(),
            name_en: "Keno".to_owned(),
            tables: demonstration_tables(),
            types: CHOSEN.map(|kind| (kind, one_to_ten)).into(),
            set: None,
            king_alone: true,
            wager: WagerLimits {
                step: cents("0.50"),
                min: cents("0.50"),
                max: cents("20.00"),
                same_numbers_max: cents("20.00"),
            },
        }],
        limits: Limits {
            selections_max: 4,
            draws_max: 20,
            draws_ahead_max: 100,
            ways_max: 2000,
            copies_max: 4,
        },
        tenders: vec![Tender::Cash, Tender::Coupon, Tender::Chip],
        chip_change: cents("100.00"),
        confirm: ConfirmThresholds {
            second_key: cents("25.00"),
            type_total: cents("100.00"),
            draws: 10,
        },
        payout: PayoutThresholds {
            second_person: cents("1000.00"),
            cage: cents("5000.00"),
            federal_report: cents("10000.00"),
            cancel_alone: cents("100.00"),
            typed_alone: cents("50.00"),
            typed_per_day: 5,
            second_computation: None,
        },
        claim: Claim {
            days: 365,
            place_fr: "Comptoirs Keno".to_owned(),
            place_en: "Keno counters".to_owned(),
            cage_fr: "Caisse principale".to_owned(),
            cage_en: "Main cage".to_owned(),
        },
        damaged: Damaged {
            at_once: cents("200.00"),
            per_day: 5,
            wait_hours: 24,
            third_person: cents("2000.00"),
            answer_days: 30,
            complaints_fr: "Direction des jeux".to_owned(),
            complaints_en: "Gaming management".to_owned(),
        },
        liability_max: None,
    }
}

/// The types whose numbers are chosen: the book names no set.
pub const CHOSEN: [SelectionType; 3] = [
    SelectionType::Straight,
    SelectionType::Way,
    SelectionType::King,
];

/// The demonstration rule book with Georgia's 7 spots alone, up to 20.00 a wager.
pub fn georgia_book(max: &str, same_numbers_max: &str) -> RuleBook {
    let mut book = demonstration();
    let game = &mut book.games[0];
    let seven = SpotsAllowed { min: 7, max: 7 };
    game.tables = vec![georgia()];
    game.types = CHOSEN.map(|kind| (kind, seven)).into();
    game.wager.max = cents(max);
    game.wager.same_numbers_max = cents(same_numbers_max);
    book
}
