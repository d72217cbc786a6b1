//! Slips as marks: what a reader looks for stands where it is said, nothing covers anything else,
//! and the mentions are the rule book's.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use crate::common::demonstration;
use keno_game::{Cents, Pool, RuleBook, SelectionType, SpotsAllowed};
use keno_slip::form::{
    Area, CardPick, Field, Form, FormFault, FormRules, Item, blank_slip, express_card,
};
use keno_wire::SlipCode;
use keno_wire::slip_code::{RulesInForce, SlipContent, SlipLanguage};

const CARD: CardPick = CardPick {
    game: 0,
    spots: 10,
    wager: Cents::new(1_250),
    key: 8,
};

fn plays(book: &mut RuleBook, min: u8, max: u8) {
    let spots = SpotsAllowed { min, max };
    book.games[0].types.insert(SelectionType::Straight, spots);
}

fn book() -> RuleBook {
    let mut book = demonstration();
    book.version = 12;
    book.games[0].types.remove(&SelectionType::King);
    book
}

fn rules(book: &RuleBook, language: SlipLanguage) -> FormRules<'_> {
    FormRules {
        in_force: RulesInForce {
            rules: book,
            rules_place_fr: "Comptoir et borne Keno",
            rules_place_en: "Keno counter and kiosk",
        },
        language,
    }
}

fn blank(book: &RuleBook) -> Form {
    blank_slip(&rules(book, SlipLanguage::French), 0).unwrap()
}

fn texts(form: &Form) -> Vec<&str> {
    form.items
        .iter()
        .filter_map(|item| match item {
            Item::Text(text) => Some(text.text.as_str()),
            _ => None,
        })
        .collect()
}

fn boxes(form: &Form) -> Vec<(Field, Area)> {
    let of = |item: &Item| match item {
        Item::Box { field, area, .. } => Some((*field, *area)),
        _ => None,
    };
    form.items.iter().filter_map(of).collect()
}

fn timing(form: &Form) -> Vec<Area> {
    let of = |item: &Item| match item {
        Item::Timing(area) => Some(*area),
        _ => None,
    };
    form.items.iter().filter_map(of).collect()
}

fn code(form: &Form) -> (Area, SlipCode) {
    let of = |item: &Item| match item {
        Item::Qr { area, code } => Some((*area, SlipCode::parse(code).unwrap())),
        _ => None,
    };
    form.items.iter().find_map(of).unwrap()
}

/// What an item covers, and its name for who reads the failure.
fn covered(item: &Item) -> (Area, String) {
    match item {
        Item::Corner(area) | Item::Timing(area) => (*area, format!("{item:?}")),
        Item::Box { area, .. } => (*area, format!("{item:?}")),
        Item::Text(text) => (text.area(), text.text.clone()),
        Item::Rule { x, y, length } => (
            Area {
                x: *x,
                y: y - 10,
                width: *length,
                height: 20,
            },
            "rule".to_owned(),
        ),
        // With four modules of white on each side, of the 21 or more that it has.
        Item::Qr { area, .. } => {
            let white = area.width * 4 / 21;
            (
                Area {
                    x: area.x - white,
                    y: (area.y - white).max(0),
                    width: area.width + 2 * white,
                    height: area.height + white + area.y.min(white),
                },
                "QR".to_owned(),
            )
        }
    }
}

/// Nothing lies outside the sheet, nothing covers anything else, and what stands in a box is in it.
fn stands_apart(form: &Form) {
    let all: Vec<(Area, String)> = form.items.iter().map(covered).collect();
    for (place, (area, name)) in all.iter().enumerate() {
        let is_inside = area.x >= 0
            && area.y >= 0
            && area.x + area.width <= form.width
            && area.y + area.height <= form.height;
        assert!(is_inside, "{name} is outside: {area:?}");
        for (other, other_name) in &all[place + 1..] {
            assert!(!area.meets(*other), "{name} meets {other_name}");
        }
    }
    for item in &form.items {
        if let Item::Box {
            area,
            label: Some(label),
            ..
        } = item
        {
            assert!(
                label.x > area.x && label.x + label.width() < area.x + area.width,
                "{label:?}"
            );
        }
    }
}

#[test]
fn every_sheet_has_all_apart_in_both_languages() {
    let book = book();
    for language in SlipLanguage::ALL {
        let rules = rules(&book, language);
        stands_apart(&blank_slip(&rules, 0).unwrap());
        for spots in 1..=10 {
            for cents in [50, 100, 1_250, 2_000, 999_999, 123_456_789] {
                let wager = Cents::new(cents);
                let card = CardPick {
                    spots,
                    wager,
                    ..CARD
                };
                stands_apart(&express_card(&rules, card).unwrap());
            }
        }
    }
}

/// One mark a row on each edge, at the middle of the row's boxes, as far from one another as the
/// document of the form says.
#[test]
fn timing_marks_and_corners_are_at_their_places() {
    let form = blank(&book());
    assert_eq!((form.width, form.height), (9_500, 20_000));
    let marks = timing(&form);
    let middles: BTreeSet<i32> = marks.iter().map(|mark| mark.y + 50).collect();
    let of_boxes: BTreeSet<i32> = boxes(&form).iter().map(|(_, area)| area.y + 150).collect();
    assert_eq!(middles, of_boxes);
    // Head, eight rows of numbers, computer pick, type, wager: twice; and the draws.
    assert_eq!((middles.len(), marks.len()), (25, 50));
    let middles: Vec<i32> = middles.into_iter().collect();
    assert!(middles.windows(2).all(|pair| pair[1] - pair[0] == 600));
    for mark in marks {
        assert_eq!((mark.width, mark.height), (400, 100));
        assert!(mark.x == 300 || mark.x == 9_500 - 300 - 400);
    }
    let corners: Vec<(i32, i32, i32)> = form
        .items
        .iter()
        .filter_map(|item| match item {
            Item::Corner(area) => Some((area.x, area.y, area.width)),
            _ => None,
        })
        .collect();
    assert_eq!(
        corners,
        [
            (300, 300, 500),
            (8_700, 300, 500),
            (300, 19_200, 500),
            (8_700, 19_200, 500)
        ]
    );
}

#[test]
fn every_field_has_one_box_on_the_grid() {
    let form = blank(&book());
    let all = boxes(&form);
    for (field, area) in &all {
        assert_eq!((area.width, area.height), (500, 300));
        assert_eq!((area.x - 1_350) % 700, 0, "{field:?}");
    }
    let fields: std::collections::HashSet<Field> = all.iter().map(|(field, _)| *field).collect();
    assert_eq!(fields.len(), all.len());
    let mut expected = Vec::new();
    for panel in 0..2 {
        expected.push(Field::Cancel { panel });
        expected.extend((1..=80).map(|number| Field::Number { panel, number }));
        expected.extend((1..=10).map(|spots| Field::QuickPick { panel, spots }));
        expected.extend([Field::Straight { panel }, Field::Way { panel }]);
        let wagers = [50, 100, 200, 300, 500, 1_000, 2_000].map(Cents::new);
        expected.extend(wagers.map(|wager| Field::Wager { panel, wager }));
    }
    expected.extend([1, 2, 3, 5, 10, 20].map(|draws| Field::Draws { draws }));
    let in_order: Vec<Field> = all.iter().map(|(field, _)| *field).collect();
    assert_eq!(in_order, expected);
    // 07 is the seventh of the first row of numbers.
    let seven = Field::Number {
        panel: 0,
        number: 7,
    };
    let (_, area) = all.iter().find(|(field, _)| *field == seven).unwrap();
    assert_eq!((area.x, area.y), (5_550, 4_650));
}

/// The three mentions of s. 77, in both languages, with the figures of the rule book.
#[test]
fn the_mentions_are_the_rule_books() {
    let mut book = book();
    plays(&mut book, 2, 8);
    book.cap = Cents::new(12_345_600);
    for form in [
        blank(&book),
        express_card(&rules(&book, SlipLanguage::English), CARD).unwrap(),
    ] {
        let all = texts(&form).join("\n").replace('\u{a0}', " ");
        for mention in [
            "Choisissez de 2 à 8 numéros par sélection.",
            "Choose 2 to 8 numbers per selection.",
            "Règles du Keno : Comptoir et borne Keno.",
            "Keno rules: Keno counter and kiosk.",
            "Maximum payable en lots par tirage : 123 456 $.",
            "Maximum total aggregate payout per draw: $123,456.",
        ] {
            assert!(all.contains(mention), "{mention}\n{all}");
        }
    }
}

#[test]
fn the_codes_are_those_of_the_rules() {
    let book = book();
    let rules = rules(&book, SlipLanguage::French);
    let (_, read) = code(&blank(&book));
    assert_eq!(read.judge(rules.in_force), Ok(()));
    assert_eq!(read.content, SlipContent::Blank { game: 0 });
    let card = express_card(&rules, CARD).unwrap();
    let (_, read) = code(&card);
    let said = SlipContent::Express {
        game: 0,
        spots: 10,
        wager: CARD.wager,
    };
    assert_eq!(
        (read.content, read.version.language),
        (said, SlipLanguage::French)
    );
    let all = texts(&card);
    assert!(all.contains(&"10") && all.contains(&"12,50\u{a0}$") && all.contains(&"F8 v12 FR"));
}

/// The language that was asked for comes first and in bold.
#[test]
fn the_language_asked_for_comes_first() {
    let book = book();
    let french = blank(&book);
    let english = blank_slip(&rules(&book, SlipLanguage::English), 0).unwrap();
    for (form, first, second) in [
        (&french, "FICHE DE SÉLECTION", "SELECTION SLIP"),
        (&english, "SELECTION SLIP", "FICHE DE SÉLECTION"),
    ] {
        let place = |wanted: &str| texts(form).iter().position(|text| *text == wanted);
        assert!(place(first) < place(second) && place(first).is_some());
        let is_bold = |wanted: &str| {
            form.items
                .iter()
                .any(|item| matches!(item, Item::Text(text) if text.text == wanted && text.is_bold))
        };
        assert!(is_bold(first) && !is_bold(second));
    }
    // Boxes stand at the same places: one reader for both.
    assert_eq!(boxes(&french), boxes(&english));
}

#[test]
fn other_rules_make_other_slips() {
    let mut of_70 = book();
    of_70.pool = Pool::new(70, 20).unwrap();
    of_70.games[0].types.remove(&SelectionType::Way);
    let form = blank(&of_70);
    stands_apart(&form);
    assert!(!boxes(&form).iter().any(|(field, _)| matches!(
        field,
        Field::Straight { .. } | Field::Number { number: 71.., .. }
    )));
    // Head, seven rows, computer pick and wager, twice, and the draws.
    assert_eq!(timing(&form).len(), 2 * 21);

    let mut one = book();
    one.limits.selections_max = 1;
    one.limits.draws_max = 7;
    one.games[0].wager.step = Cents::new(700);
    one.games[0].wager.min = Cents::new(700);
    let form = blank(&one);
    stands_apart(&form);
    assert_eq!(timing(&form).len(), 2 * 13);
    let wagers: Vec<i64> = boxes(&form)
        .iter()
        .filter_map(|(field, _)| match field {
            Field::Wager { wager, .. } => Some(wager.get()),
            _ => None,
        })
        .collect();
    assert_eq!(wagers, [700, 1_400]);
    assert!(
        boxes(&form)
            .iter()
            .any(|(field, _)| *field == Field::Draws { draws: 7 })
    );

    // Two rows of counts leave room for one panel.
    let mut long = book();
    plays(&mut long, 1, 15);
    let form = blank(&long);
    stands_apart(&form);
    assert!(
        !boxes(&form)
            .iter()
            .any(|(field, _)| *field == Field::Cancel { panel: 1 })
    );

    let mut two = book();
    let mut second = two.games[0].clone();
    second.code = "special".to_owned();
    second.name_fr = "Keno spécial".to_owned();
    two.games.push(second);
    let form = blank_slip(&rules(&two, SlipLanguage::French), 1).unwrap();
    stands_apart(&form);
    assert!(texts(&form).contains(&"Keno spécial"));
    assert_eq!(code(&form).1.content, SlipContent::Blank { game: 1 });
    let card = express_card(
        &rules(&two, SlipLanguage::French),
        CardPick { game: 1, ..CARD },
    );
    stands_apart(&card.unwrap());
}

#[test]
fn what_cannot_be_laid_out_is_refused() {
    let mut book = book();
    let of = |book: &RuleBook, game| blank_slip(&rules(book, SlipLanguage::French), game);
    assert_eq!(of(&book, 1), Err(FormFault::Game));
    // Words that go on and on: first they cost the second panel, then the slip.
    let place = "Comptoir et borne Keno, ".repeat(6);
    let long = |times: usize| place.repeat(times);
    let with_place = |text: &str| {
        let mut rules = rules(&book, SlipLanguage::French);
        rules.in_force.rules_place_fr = text;
        (blank_slip(&rules, 0), express_card(&rules, CARD))
    };
    let (form, card) = with_place(&long(1));
    stands_apart(&form.unwrap());
    assert_eq!(card, Err(FormFault::Room));
    let (form, _) = with_place(&long(20));
    assert_eq!(form, Err(FormFault::Room));
    book.games[0].types.remove(&SelectionType::Straight);
    assert_eq!(of(&book, 0), Err(FormFault::Game));
}
