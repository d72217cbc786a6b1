//! The demonstration rule book is lawful as published, and every rule about rules
//! catches its planted fault.
#![allow(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

use crate::common::{cents, demonstration, table};
use keno_game::returns::RETURN_FLOOR;
use keno_game::{
    Carried, Cents, Game, RuleBook, RuleFaultCode, SelectionType, SpotsAllowed, Tender,
};

fn plays(game: &mut Game, kind: SelectionType, min: u8, max: u8) {
    game.types.insert(kind, SpotsAllowed { min, max });
}

#[test]
fn the_demonstration_book_is_certified() {
    let certificate = demonstration().check().unwrap();
    assert_eq!(certificate.lines.len(), 10 * 40);
    assert!(certificate.lowest.rate >= RETURN_FLOOR);
    assert!(
        certificate
            .lines
            .iter()
            .all(|line| line.rate >= certificate.lowest.rate)
    );
    // The cap bites no ticket: 2,500 for one on 20.00 is just the cap.
    let first = &certificate.lines[0];
    assert_eq!(
        (first.wager, &first.carried),
        (cents("0.50"), &Carried::Alone)
    );
    assert_eq!(first.rate.to_string(), "3/4");
}

/// The published file says what the tests hold: money, limits and every prize.
#[test]
fn the_published_file_is_the_book_of_these_tests() {
    let text = include_str!("../../../samples/rules/demonstration.toml");
    let file: toml::Table = text.parse().unwrap();
    let book = demonstration();
    let game = &book.games[0];
    let at = |keys: &[&str]| {
        keys.iter()
            .fold(toml::Value::Table(file.clone()), |value, key| {
                match key.parse::<usize>() {
                    Ok(index) if value.is_array() => value[index].clone(),
                    _ => value[*key].clone(),
                }
            })
    };
    let money = |keys: &[&str]| cents(at(keys).as_str().unwrap());
    let number = |keys: &[&str]| at(keys).as_integer().unwrap();
    let word = |keys: &[&str]| at(keys).as_str().unwrap().to_owned();

    assert_eq!(number(&["version"]), i64::from(book.version));
    assert_eq!(number(&["pool", "size"]), i64::from(book.pool.size()));
    assert_eq!(number(&["pool", "drawn"]), i64::from(book.pool.drawn()));
    assert_eq!(money(&["cap", "per_draw"]), book.cap);
    assert_eq!(money(&["cap", "full_below"]), book.cap_threshold);
    let limits = &book.limits;
    assert_eq!(
        number(&["limits", "selections"]),
        i64::from(limits.selections_max)
    );
    assert_eq!(number(&["limits", "draws"]), i64::from(limits.draws_max));
    assert_eq!(
        number(&["limits", "draws_ahead"]),
        i64::from(limits.draws_ahead_max)
    );
    assert_eq!(number(&["limits", "ways"]), i64::from(limits.ways_max));
    assert_eq!(money(&["confirm", "second_key"]), book.confirm.second_key);
    assert_eq!(money(&["confirm", "type_total"]), book.confirm.type_total);
    assert_eq!(
        money(&["payout", "second_person"]),
        book.payout.second_person
    );
    assert_eq!(money(&["payout", "cage"]), book.payout.cage);
    assert_eq!(
        money(&["payout", "federal_report"]),
        book.payout.federal_report
    );
    assert_eq!(money(&["tenders", "chip_change"]), book.chip_change);
    let payout = &book.payout;
    assert_eq!(money(&["payout", "cancel_alone"]), payout.cancel_alone);
    assert_eq!(money(&["payout", "typed_alone"]), payout.typed_alone);
    assert_eq!(
        number(&["payout", "typed_per_day"]),
        i64::from(payout.typed_per_day)
    );
    assert_eq!(number(&["claim", "days"]), i64::from(book.claim.days));
    assert_eq!(word(&["claim", "place", "fr"]), book.claim.place_fr);
    assert_eq!(word(&["claim", "cage", "en"]), book.claim.cage_en);
    let tenders: Vec<Tender> = at(&["tenders", "accepted"])
        .as_array()
        .unwrap()
        .iter()
        .map(|code| Tender::from_code(code.as_str().unwrap()).unwrap())
        .collect();
    assert_eq!(tenders, book.tenders);

    assert_eq!(word(&["game", "0", "code"]), game.code);
    for name in ["straight", "way", "king"] {
        let kind = SelectionType::from_code(name).unwrap();
        let read = SpotsAllowed {
            min: u8::try_from(number(&["game", "0", name, "min"])).unwrap(),
            max: u8::try_from(number(&["game", "0", name, "max"])).unwrap(),
        };
        assert_eq!(Some(read), game.spots_allowed(kind));
    }
    assert_eq!(
        at(&["game", "0", "king_alone"]).as_bool(),
        Some(game.king_alone)
    );
    assert_eq!(money(&["game", "0", "wager", "step"]), game.wager.step);
    assert_eq!(money(&["game", "0", "wager", "min"]), game.wager.min);
    assert_eq!(money(&["game", "0", "wager", "max"]), game.wager.max);
    assert_eq!(
        money(&["game", "0", "wager", "same_numbers"]),
        game.wager.same_numbers_max
    );
    let pays = at(&["game", "0", "pays"]);
    let pays = pays.as_table().unwrap();
    assert_eq!(pays.len(), game.tables.len());
    for (spots, prizes) in pays {
        let prizes: Vec<(u8, &str)> = prizes
            .as_table()
            .unwrap()
            .iter()
            .map(|(catch, pays)| (catch.parse().unwrap(), pays.as_str().unwrap()))
            .collect();
        let spots = spots.parse().unwrap();
        assert_eq!(game.table(spots), Some(&table(spots, &prizes)), "{spots}");
    }
}

/// One planted fault: what is changed, the code and the place that it must tell.
type Planted = (fn(&mut RuleBook), RuleFaultCode, &'static str);

#[test]
fn every_planted_fault_is_told_with_its_place() {
    use RuleFaultCode as Code;
    let planted: Vec<Planted> = vec![
        (|b| b.version = 0, Code::VersionZero, "version"),
        (
            |b| (b.cap, b.cap_threshold) = (Cents::ZERO, Cents::ZERO),
            Code::CapNotPositive,
            "cap",
        ),
        (
            |b| b.cap_threshold = cents("50000.01"),
            Code::CapThresholdOutOfRange,
            "cap_threshold",
        ),
        (
            |b| b.cap_threshold = cents("-0.01"),
            Code::CapThresholdOutOfRange,
            "cap_threshold",
        ),
        (
            |b| b.limits.selections_max = 0,
            Code::LimitOutOfRange,
            "limits.selections_max",
        ),
        (
            |b| b.limits.draws_max = 0,
            Code::LimitOutOfRange,
            "limits.draws_max",
        ),
        (
            |b| b.limits.ways_max = 2001,
            Code::LimitOutOfRange,
            "limits.ways_max",
        ),
        (
            |b| b.limits.ways_max = 0,
            Code::LimitOutOfRange,
            "limits.ways_max",
        ),
        (
            |b| b.liability_max = Some(Cents::ZERO),
            Code::LiabilityNotPositive,
            "liability_max",
        ),
        (|b| b.tenders.clear(), Code::TendersMissing, "tenders"),
        (
            |b| b.tenders.push(Tender::Cash),
            Code::TenderRepeated,
            "tenders[3]",
        ),
        (
            |b| b.confirm.second_key = Cents::ZERO,
            Code::ConfirmOutOfRange,
            "confirm.second_key",
        ),
        (
            |b| b.confirm.type_total = cents("24.99"),
            Code::ConfirmOutOfRange,
            "confirm.type_total",
        ),
        (
            |b| b.confirm.draws = 0,
            Code::ConfirmOutOfRange,
            "confirm.draws",
        ),
        (
            |b| b.chip_change = Cents::new(-1),
            Code::ChipChangeNegative,
            "tenders.chip_change",
        ),
        (
            |b| b.payout.cancel_alone = Cents::new(-1),
            Code::PayoutOutOfRange,
            "payout.cancel_alone",
        ),
        (
            |b| b.payout.typed_alone = Cents::new(-1),
            Code::PayoutOutOfRange,
            "payout.typed_alone",
        ),
        (
            |b| b.payout.cage = Cents::ZERO,
            Code::PayoutOutOfRange,
            "payout.cage",
        ),
        (
            |b| b.payout.federal_report = cents("10000.01"),
            Code::FederalReportRaised,
            "payout.federal_report",
        ),
        (
            |b| b.payout.second_computation = Some(0),
            Code::SecondComputationOutOfRange,
            "payout.second_computation",
        ),
        (
            |b| b.payout.second_computation = Some(10_081),
            Code::SecondComputationOutOfRange,
            "payout.second_computation",
        ),
        (|b| b.claim.days = 0, Code::ClaimDaysZero, "claim.days"),
        (
            |b| b.limits.copies_max = 9,
            Code::LimitOutOfRange,
            "limits.copies_max",
        ),
        (
            |b| b.damaged.at_once = cents("-0.01"),
            Code::DamagedOutOfRange,
            "damaged.at_once",
        ),
        (
            |b| b.damaged.third_person = Cents::ZERO,
            Code::DamagedOutOfRange,
            "damaged.third_person",
        ),
        (
            |b| b.damaged.wait_hours = 0,
            Code::DamagedOutOfRange,
            "damaged.wait_hours",
        ),
        (
            |b| (b.damaged.wait_hours, b.damaged.answer_days) = (49, 2),
            Code::DamagedOutOfRange,
            "damaged.answer_days",
        ),
        (
            |b| b.damaged.complaints_en = " ".to_owned(),
            Code::TextMissing,
            "damaged.complaints_en",
        ),
        (
            |b| b.claim.place_fr = " ".to_owned(),
            Code::TextMissing,
            "claim.place_fr",
        ),
        (
            |b| b.games[0].name_en = "Keno\u{1b}@".to_owned(),
            Code::TextMalformed,
            "games[0].name_en",
        ),
        (|b| b.games.clear(), Code::GamesMissing, "games"),
        (
            |b| b.games[0].code = "Keno".to_owned(),
            Code::GameCodeMalformed,
            "games[0].code",
        ),
        (
            |b| b.games[0].code = "a".repeat(17),
            Code::GameCodeMalformed,
            "games[0].code",
        ),
        (
            |b| b.games.push(b.games[0].clone()),
            Code::GameCodeRepeated,
            "games[1].code",
        ),
        (|b| b.games[0].types.clear(), Code::TypesMissing, "games[0]"),
        (
            |b| plays(&mut b.games[0], SelectionType::Way, 0, 10),
            Code::SpotsOutOfRange,
            "games[0].way",
        ),
        (
            |b| plays(&mut b.games[0], SelectionType::King, 5, 4),
            Code::SpotsOutOfRange,
            "games[0].king",
        ),
        (
            |b| plays(&mut b.games[0], SelectionType::Straight, 1, 11),
            Code::TableMissing,
            "games[0].straight",
        ),
        (
            |b| {
                let again = b.games[0].tables[2].clone();
                b.games[0].tables.push(again);
            },
            Code::TableRepeated,
            "games[0].tables[10].spots",
        ),
        (
            |b| {
                b.pool = keno_game::Pool::TWENTY_OF_SEVENTY;
                b.games[0].tables.push(table(71, &[(20, "2")]));
            },
            Code::TableBeyondPool,
            "games[0].tables[10].spots",
        ),
        (
            |b| b.games[0].wager.step = Cents::ZERO,
            Code::WagerNotPositive,
            "games[0].wager.step",
        ),
        (
            |b| b.games[0].wager.min = cents("20.50"),
            Code::WagerReversed,
            "games[0].wager.max",
        ),
        (
            |b| b.games[0].wager.min = cents("0.75"),
            Code::WagerOffStep,
            "games[0].wager.min",
        ),
        (
            |b| {
                let wager = &mut b.games[0].wager;
                (wager.step, wager.min) = (cents("42949673.00"), cents("42949673.00"));
                (wager.max, wager.same_numbers_max) = (wager.min, wager.min);
            },
            Code::WagerTooLarge,
            "games[0].wager.max",
        ),
        (
            |b| {
                let wager = &mut b.games[0].wager;
                (wager.max, wager.same_numbers_max) = (cents("5000.50"), cents("5000.50"));
            },
            Code::WagersTooMany,
            "games[0].wager.step",
        ),
        (
            |b| b.games[0].wager.same_numbers_max = cents("19.99"),
            Code::SameNumbersBelowMaximum,
            "games[0].wager.same_numbers_max",
        ),
        (
            |b| b.games[0].tables[0] = table(1, &[(1, "2.59")]),
            Code::ReturnBelowFloor,
            "games[0].tables[0].pays",
        ),
    ];
    for (plant, code, path) in planted {
        let mut book = demonstration();
        plant(&mut book);
        let faults = book.check().unwrap_err();
        let told: Vec<_> = faults
            .iter()
            .map(|fault| (fault.code, fault.path.as_str()))
            .collect();
        assert_eq!(told, [(code, path)]);
        assert!(faults[0].to_string().starts_with(path));
        assert!(faults[0].to_string().contains(code.name()));
    }
}

#[test]
fn all_faults_are_told_at_once() {
    let mut book = demonstration();
    book.version = 0;
    book.claim.days = 0;
    book.games[0].wager.step = cents("0.30");
    let codes: Vec<_> = book
        .check()
        .unwrap_err()
        .into_iter()
        .map(|fault| fault.code)
        .collect();
    use RuleFaultCode as Code;
    assert_eq!(
        codes,
        [
            Code::VersionZero,
            Code::ClaimDaysZero,
            Code::WagerOffStep,
            Code::WagerOffStep
        ]
    );
}

#[test]
fn codes_of_faults_are_in_order_and_have_names_of_their_own() {
    let mut names: Vec<_> = RuleFaultCode::ALL.iter().map(|code| code.name()).collect();
    assert!(RuleFaultCode::ALL.is_sorted());
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), RuleFaultCode::ALL.len());
}

#[test]
fn a_special_game_has_its_own_gate() {
    let mut book = demonstration();
    let mut special = book.games[0].clone();
    special.code = "special-20".to_owned();
    special.types.clear();
    plays(&mut special, SelectionType::Straight, 20, 20);
    special.tables = vec![table(20, &[(0, "200"), (7, "1")])];
    book.games.push(special);
    let Err(faults) = book.check() else {
        panic!("the special returns too little");
    };
    assert_eq!(faults[0].path, "games[1].tables[0].pays");
    assert_eq!(faults[0].line.as_ref().unwrap().game, "special-20");
}
