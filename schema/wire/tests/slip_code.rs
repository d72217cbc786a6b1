//! Codes of slips: what is written is read, what was misread is refused, and a slip that was made
//! under other rules is refused with both versions.
#![allow(clippy::unwrap_used)]

use crate::common::demonstration;
use keno_game::{
    BallSet, Cents, Game, PayTable, Pays, Pool, RuleBook, SelectionType, SlipRefusalCode,
    SpotsAllowed,
};
use keno_wire::claim_code::plain;
use keno_wire::request::{Conditioning, Selection, Slip};
use keno_wire::slip_code::{
    CHARACTERS_MAX, ESlipFault, RulesInForce, SlipContent, SlipLanguage, SlipVersion,
};
use keno_wire::{ClaimCode, SlipCode, SlipCodeRefusal};
use keno_words::Say;
use proptest::collection::vec;
use proptest::prelude::*;

const ALPHABET: &str = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

fn game(code: &str) -> Game {
    Game {
        code: code.to_owned(),
        ..demonstration().games.remove(0)
    }
}

fn book(version: u32, pool: Pool) -> RuleBook {
    RuleBook {
        version,
        pool,
        games: vec![game("keno"), game("special")],
        ..demonstration()
    }
}

fn twelve() -> RuleBook {
    book(12, Pool::TWENTY_OF_EIGHTY)
}

fn in_force(rules: &RuleBook) -> RulesInForce<'_> {
    RulesInForce {
        rules,
        rules_place_fr: "Comptoir",
        rules_place_en: "Counter",
    }
}

fn straight(numbers: &[i64], wager_cents: i64) -> Selection {
    Selection {
        game: "keno".to_owned(),
        kind: "straight".into(),
        numbers: numbers.to_vec(),
        groups: Vec::new(),
        kings: Vec::new(),
        quick_pick: None,
        wager_cents: Some(wager_cents),
        ways: Vec::new(),
    }
}

fn slip(selections: Vec<Selection>) -> Slip {
    Slip {
        selections,
        draws: 5,
        first_draw: None,
    }
}

fn e_slip(asked: &Slip) -> Result<SlipCode, ESlipFault> {
    SlipCode::e_slip(asked, in_force(&twelve()), SlipLanguage::French)
}

fn samples() -> Vec<(SlipCode, &'static str)> {
    // As they were written under rules that are gone: the reader knows the mark from the code alone.
    let version = SlipVersion {
        rules: 12,
        pool_size: 80,
        mark: 0x5_F5F5,
        language: SlipLanguage::French,
    };
    let made = |content| SlipCode { version, content };
    let express = SlipContent::Express {
        game: 0,
        spots: 5,
        wager: Cents::new(200),
    };
    let e_slip = e_slip(&slip(vec![straight(&[7, 18, 33, 42, 71], 200)])).unwrap();
    vec![
        (made(SlipContent::Blank { game: 0 }), BLANK),
        (made(express), EXPRESS),
        (made(e_slip.content), E_SLIP),
    ]
}

const BLANK: &str = "KS10RQTZA0G70JVQR";
const EXPRESS: &str = "KS18RQTZA02W6005QVWPG";
const E_SLIP: &str = "KS1GRQTZAA2018E945AHZ1G0P6GD4T8";

/// Papers that are out there are read by the next program too.
#[test]
fn codes_are_as_they_were() {
    for (code, text) in samples() {
        assert_eq!(code.text(), text, "{code:?}");
        assert_eq!(SlipCode::parse(text).as_ref(), Ok(&code));
        assert_eq!(SlipCode::parse(&format!(" {text}\t")), Ok(code));
        assert!(!ClaimCode::looks_like(text));
        let is_safe = |byte: u8| byte.is_ascii_digit() || byte.is_ascii_uppercase();
        assert!(text.bytes().all(is_safe));
    }
}

#[test]
fn an_express_card_is_a_computer_pick_for_one_draw_and_a_blank_slip_is_no_slip() {
    let rules = twelve();
    let (house, language) = (in_force(&rules), SlipLanguage::French);
    let blank = SlipCode::blank(house, language, 0);
    let card = SlipCode::express(house, language, 0, 5, Cents::new(200));
    // As long as they always were.
    assert_eq!(
        (blank.text().len(), card.text().len()),
        (BLANK.len(), EXPRESS.len())
    );
    assert_eq!(blank.slip(in_force(&rules)), Ok(None));
    let mut picked = straight(&[], 200);
    picked.quick_pick = Some(5);
    let expected = Slip {
        draws: 1,
        ..slip(vec![picked])
    };
    assert_eq!(card.slip(in_force(&rules)), Ok(Some(expected)));
    assert_eq!((blank.name(), card.name()), ("blank_slip", "express_card"));
}

/// Every character of every sample is changed into every other, left out, doubled and swapped with
/// its neighbour.
#[test]
fn every_changed_character_is_refused() {
    for (_, text) in samples() {
        for at in 0..text.len() {
            for letter in (0..=127).map(char::from).chain(['é']) {
                let mut changed = text.to_owned();
                changed.replace_range(at..=at, &letter.to_string());
                // What people put between signs is left out, and letters that look like digits are those.
                if plain(&changed) != text {
                    assert!(SlipCode::parse(&changed).is_err(), "{changed:?}");
                }
            }
            let (before, after) = text.split_at(at);
            let left_out = format!("{before}{}", after.get(1..).unwrap_or_default());
            assert!(SlipCode::parse(&left_out).is_err(), "{left_out}");
            let doubled = format!("{before}{}{after}", after.get(..1).unwrap());
            assert!(SlipCode::parse(&doubled).is_err(), "{doubled}");
            let mut swapped: Vec<char> = text.chars().collect();
            if at > 0 && swapped[at - 1] != swapped[at] {
                swapped.swap(at - 1, at);
                let swapped: String = swapped.into_iter().collect();
                assert!(SlipCode::parse(&swapped).is_err(), "{swapped}");
            }
        }
    }
}

/// The body with another check than its own is refused; with its own, what it says counts.
fn sealed(body: &str) -> String {
    let checked = format!("KS1{body}");
    let crc = u64::from(crc32fast::hash(checked.as_bytes())) << 3;
    let check = (0..7).rev().map(|at| {
        let value = (crc >> (at * 5)) & 31;
        ALPHABET.as_bytes()[usize::try_from(value).unwrap()]
    });
    let check: String = check.map(char::from).collect();
    format!("{checked}{check}")
}

#[test]
fn what_no_program_writes_is_unreadable_with_its_check_right() {
    let body = |text: &str| text[3..text.len() - 7].to_owned();
    assert_eq!(sealed(&body(EXPRESS)), EXPRESS);
    for (of, text) in [
        ("nothing", sealed("")),
        ("a fourth kind", sealed(&format!("Z{}", &body(BLANK)[1..]))),
        ("a number with a group too many", sealed("0RQTZB00")),
        ("bits that end too early", sealed(&body(EXPRESS)[..8])),
        (
            "characters after the end",
            sealed(&format!("{}0", body(BLANK))),
        ),
        (
            "bits that are not zero at the end",
            sealed(&format!("{}1", &body(EXPRESS)[..10])),
        ),
        (
            "a count of four thousand million",
            sealed("80000000ZZZZZZZF"),
        ),
    ] {
        assert_eq!(
            SlipCode::parse(&text),
            Err(SlipCodeRefusal::Unreadable),
            "{of}: {text}"
        );
    }
}

/// One of each, in order.
const REFUSALS: [SlipCodeRefusal; 8] = [
    SlipCodeRefusal::Unreadable,
    SlipCodeRefusal::OtherFormat,
    SlipCodeRefusal::CheckWrong,
    SlipCodeRefusal::OtherPool {
        slip: 70,
        house: 80,
    },
    SlipCodeRefusal::VersionUnknown {
        slip: 13,
        in_force: 12,
    },
    SlipCodeRefusal::VersionWithdrawn {
        slip: 11,
        in_force: 12,
    },
    SlipCodeRefusal::GameUnknown,
    SlipCodeRefusal::OtherRules { version: 12 },
];

#[test]
fn every_refusal_by_an_example_in_order() {
    let rules = twelve();
    let pool_of_70 = Pool::new(70, 20).unwrap();
    let made_under = |rules: &RuleBook, cap_cents: i64| {
        let mut made = rules.clone();
        made.cap = Cents::new(cap_cents);
        let (in_force, language) = (in_force(&made), SlipLanguage::English);
        let code = SlipCode::express(in_force, language, 1, 3, Cents::new(100));
        SlipCode::parse(&code.text()).unwrap()
    };
    let cap = rules.cap.get();
    let mut one_game = rules.clone();
    one_game.games.truncate(1);
    let mut seen = Vec::new();
    let read = SlipCode::parse(EXPRESS).unwrap();
    for text in [
        EXPRESS.to_lowercase(),
        format!("]Q1{EXPRESS}"),
        EXPRESS.replace('0', "O"),
    ] {
        assert_eq!(SlipCode::parse(&text).as_ref(), Ok(&read), "{text}");
    }
    for text in [
        "KT2073155289014666301",
        "KS",
        "KSX",
        "KS1",
        "KS1012345",
        "ks1",
        &format!("KS1{}", "0".repeat(200)),
        &format!("{EXPRESS}é"),
    ] {
        assert_eq!(
            SlipCode::parse(text),
            Err(SlipCodeRefusal::Unreadable),
            "{text}"
        );
    }
    seen.push(SlipCodeRefusal::Unreadable);
    seen.push(SlipCode::parse("KS2ABCDEFGH").unwrap_err());
    let wrong = format!("{}{}", &EXPRESS[..EXPRESS.len() - 7], "0000000");
    seen.push(SlipCode::parse(&wrong).unwrap_err());
    // A slip for the other pool is that before it is one of another version.
    let other = made_under(&book(11, pool_of_70), 1);
    seen.push(other.judge(in_force(&rules)).unwrap_err());
    let newer = made_under(&book(13, Pool::TWENTY_OF_EIGHTY), cap);
    seen.push(newer.slip(in_force(&rules)).unwrap_err());
    let older = made_under(&book(11, Pool::TWENTY_OF_EIGHTY), 1);
    seen.push(older.slip(in_force(&rules)).unwrap_err());
    let special = made_under(&rules, cap);
    assert!(special.slip(in_force(&rules)).is_ok());
    seen.push(special.slip(in_force(&one_game)).unwrap_err());
    let foreign = made_under(&rules, 1);
    seen.push(foreign.slip(in_force(&rules)).unwrap_err());
    assert_eq!(seen, REFUSALS);
    for refusal in seen {
        let (fr, en) = (refusal.fr(), refusal.en());
        assert!(fr.ends_with('.') && en.ends_with('.') && fr != en);
        if let SlipCodeRefusal::VersionUnknown { slip, in_force }
        | SlipCodeRefusal::VersionWithdrawn { slip, in_force } = refusal
        {
            for sentence in [fr, en] {
                assert!(sentence.contains(&slip.to_string()), "{sentence}");
                assert!(sentence.contains(&in_force.to_string()), "{sentence}");
            }
        }
    }
    let mut names = REFUSALS.map(SlipCodeRefusal::name).to_vec();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 8);
}

#[test]
fn what_a_code_cannot_hold_is_refused_when_it_is_made() {
    let asked = |change: fn(&mut Slip)| {
        let mut asked = slip(vec![straight(&[7, 18], 200)]);
        change(&mut asked);
        e_slip(&asked)
    };
    assert!(asked(|_| {}).is_ok());
    for (change, fault) in [
        (
            (|it| it.first_draw = Some(7)) as fn(&mut Slip),
            ESlipFault::FirstDraw,
        ),
        (|it| it.draws = 70_000, ESlipFault::Range),
        (
            |it| it.selections[0].kind = "queen".into(),
            ESlipFault::Shape,
        ),
        (
            |it| it.selections[0].quick_pick = Some(5),
            ESlipFault::Shape,
        ),
        (
            |it| it.selections[0].game = "super".to_owned(),
            ESlipFault::Game,
        ),
        (|it| it.selections[0].numbers[0] = 200, ESlipFault::Range),
        (
            |it| it.selections[0].wager_cents = Some(-1),
            ESlipFault::Range,
        ),
        (
            |it| it.selections[0].wager_cents = Some(1 << 40),
            ESlipFault::Range,
        ),
        (|it| it.selections[0].kings = vec![5], ESlipFault::Range),
        (
            |it| it.selections = vec![it.selections[0].clone(); 40],
            ESlipFault::TooLong,
        ),
    ] {
        assert_eq!(asked(change), Err(fault));
    }
}

/// The most that a slip of these rules holds fits one code: four selections of ten numbers.
#[test]
fn a_full_slip_of_simple_selections_fits() {
    let numbers: Vec<i64> = (71..=80).collect();
    let code = e_slip(&slip(vec![straight(&numbers, 2_000); 4])).unwrap();
    assert!(code.text().len() <= CHARACTERS_MAX, "{}", code.text().len());
}

/// The name alone is written with the numbers that the rules name, and comes back with them; under
/// rules that name others the same code asks for what they do not sell.
#[test]
fn an_e_slip_of_a_set_has_its_numbers() {
    let rules = |first: u8| {
        let mut rules = twelve();
        let numbers: Vec<u8> = (first..first + 40).collect();
        let game = &mut rules.games[1];
        game.set = BallSet::from_numbers(&numbers).ok();
        let forty = SpotsAllowed { min: 40, max: 40 };
        game.types = [(SelectionType::NamedSet, forty)].into();
        game.tables = vec![PayTable::new(40, &[(11, Pays::from_hundredths(200))]).unwrap()];
        rules
    };
    let (now, later) = (rules(1), rules(41));
    let asked = Selection {
        game: "special".to_owned(),
        kind: "set".into(),
        ..straight(&[], 200)
    };
    let asked = slip(vec![asked]);
    let code = SlipCode::e_slip(&asked, in_force(&now), SlipLanguage::French).unwrap();
    let read = SlipCode::parse(&code.text()).unwrap();
    let said = read.slip(in_force(&now)).unwrap().unwrap();
    assert_eq!(said.selections[0].kind, "set");
    assert_eq!(said.selections[0].numbers, (1..=40).collect::<Vec<i64>>());
    let price = |said: &Slip, rules: &RuleBook| {
        let slip = keno_wire::slip::slip(said).unwrap();
        keno_game::slip::price(&slip, rules, &mut |_, _| BallSet::EMPTY).map(|it| it.total)
    };
    assert_eq!(price(&said, &now), Ok(Cents::new(1_000)));
    let said = read.slip(in_force(&later)).unwrap().unwrap();
    let refused = price(&said, &later).unwrap_err();
    assert_eq!(refused.code, SlipRefusalCode::NumbersNotOfType);
}

fn any_selection() -> impl Strategy<Value = Selection> {
    let numbers = || vec(1_i64..=80, 1..=10);
    let line = (
        proptest::option::of(0_u32..3_000),
        1_u8..=10,
        50_i64..=4_294_967_295,
    )
        .prop_map(|(ways, spots, wager_cents)| Conditioning {
            ways,
            spots,
            wager_cents,
        });
    let base = (
        prop_oneof![Just("keno"), Just("special")],
        proptest::option::of(50_i64..=4_294_967_295),
    )
        .prop_map(|(game, wager_cents)| Selection {
            game: game.to_owned(),
            wager_cents,
            ..straight(&[], 0)
        });
    prop_oneof![
        (base.clone(), numbers()).prop_map(|(base, numbers)| Selection { numbers, ..base }),
        (base.clone(), 0_u8..=127).prop_map(|(base, spots)| Selection {
            quick_pick: Some(spots),
            ..base
        }),
        (
            base,
            prop_oneof![Just("way"), Just("king")],
            vec(vec(1_i64..=80, 0..=4), 0..=4),
            vec(1_i64..=80, 0..=3),
            vec(line, 0..=3)
        )
            .prop_map(|(base, kind, groups, kings, ways)| Selection {
                kind: kind.into(),
                groups,
                kings,
                ways,
                ..base
            }),
    ]
}

proptest! {
    #[test]
    fn what_is_written_is_read(
        selections in vec(any_selection(), 0..=4), draws in 0_u32..=65_535, english in any::<bool>()
    ) {
        let asked = Slip { selections, draws, first_draw: None };
        let rules = twelve();
        let language = SlipLanguage::ALL[usize::from(english)];
        match SlipCode::e_slip(&asked, in_force(&rules), language) {
            Ok(code) => {
                let text = code.text();
                prop_assert!(text.len() <= CHARACTERS_MAX);
                let read = SlipCode::parse(&text);
                prop_assert_eq!(read.as_ref(), Ok(&code));
                prop_assert_eq!(code.slip(in_force(&rules)), Ok(Some(asked)));
                prop_assert_eq!(code.version.language, language);
            }
            Err(fault) => prop_assert_eq!(fault, ESlipFault::TooLong),
        }
    }

    #[test]
    fn cards_of_any_version_are_read(
        rules in any::<u32>(), spots in 1_u8..=127, cents in 0_i64..=4_294_967_295, game in any::<u8>()
    ) {
        let book = book(rules, Pool::TWENTY_OF_EIGHTY);
        let (in_force, language) = (in_force(&book), SlipLanguage::English);
        for code in [
            SlipCode::express(in_force, language, game, spots, Cents::new(cents)),
            SlipCode::blank(in_force, language, game),
        ] {
            prop_assert_eq!(SlipCode::parse(&code.text()), Ok(code));
        }
    }

    #[test]
    fn no_text_breaks_the_reader(text in any::<String>()) {
        prop_assert!(SlipCode::parse(&text).is_err());
    }

    /// With its check made right, whatever is read is written again as it was.
    #[test]
    fn no_body_breaks_the_reader_and_each_has_one_text(
        body in "[0-9A-HJKMNP-TV-Z]{0,150}"
    ) {
        let text = sealed(&body);
        if let Ok(code) = SlipCode::parse(&text) {
            prop_assert_eq!(code.text(), text);
            let rules = twelve();
            let _ = code.slip(in_force(&rules));
        }
    }

    /// E-slips of chance: bodies that begin as an e-slip of these rules does.
    #[test]
    fn no_e_slip_breaks_the_reader(body in "[0-9A-HJKMNP-TV-Z]{0,140}") {
        let start = &E_SLIP[3..9];
        let text = sealed(&format!("{start}{body}"));
        if let Ok(code) = SlipCode::parse(&text) {
            prop_assert_eq!(code.text(), text);
            let rules = twelve();
            let _ = code.slip(in_force(&rules));
        }
    }
}
