//! Which change of the rules withdraws which slips: those that show what has changed, and no other.
#![allow(clippy::unwrap_used)]

use crate::common::demonstration;
use keno_game::{Cents, Game, RuleBook, SelectionType, SpotsAllowed, Tender};
use keno_wire::request::{Selection, Slip};
use keno_wire::slip_code::{RulesInForce, SlipLanguage, draws_of, wagers_of};
use keno_wire::{SlipCode, SlipCodeRefusal};

/// What a slip may depend on.
#[derive(Clone)]
struct Rules {
    book: RuleBook,
    place_fr: String,
    place_en: String,
}

impl Rules {
    fn in_force(&self) -> RulesInForce<'_> {
        RulesInForce {
            rules: &self.book,
            rules_place_fr: &self.place_fr,
            rules_place_en: &self.place_en,
        }
    }
}

fn plays(game: &mut Game, kind: SelectionType, min: u8, max: u8) {
    game.types.insert(kind, SpotsAllowed { min, max });
}

fn game(code: &str) -> Game {
    let mut game = Game {
        code: code.to_owned(),
        name_fr: code.to_owned(),
        name_en: code.to_owned(),
        ..demonstration().games.remove(0)
    };
    game.types.remove(&SelectionType::King);
    game
}

fn rules() -> Rules {
    Rules {
        book: RuleBook {
            version: 7,
            games: vec![game("keno"), game("special")],
            tenders: vec![Tender::Cash],
            ..demonstration()
        },
        place_fr: "Comptoir".to_owned(),
        place_en: "Counter".to_owned(),
    }
}

/// A blank slip, an express card for 5 numbers at 2.00 and an e-slip, all of the first game.
fn slips(rules: &Rules) -> [SlipCode; 3] {
    let (in_force, language) = (rules.in_force(), SlipLanguage::French);
    let e_slip = Slip {
        selections: vec![Selection {
            game: "keno".to_owned(),
            kind: "straight".into(),
            numbers: vec![7, 18],
            groups: Vec::new(),
            kings: Vec::new(),
            quick_pick: None,
            wager_cents: Some(200),
            ways: Vec::new(),
        }],
        draws: 2,
        first_draw: None,
    };
    [
        SlipCode::blank(in_force, language, 0),
        SlipCode::express(in_force, language, 0, 5, Cents::new(200)),
        SlipCode::e_slip(&e_slip, in_force, language).unwrap(),
    ]
    .map(|code| SlipCode::parse(&code.text()).unwrap())
}

type Change = fn(&mut Rules);

const ALL: &str = "blank express e-slip";
const BLANK: &str = "blank";
const NONE: &str = "";

/// Part of the rule book, a change of it, and the slips that it withdraws.
fn table() -> Vec<(&'static str, Change, &'static str)> {
    vec![
        // What s. 77 puts on every slip.
        ("cap", |it| it.book.cap = Cents::new(6_000_000), ALL),
        ("rules' place, French", |it| it.place_fr.push('s'), ALL),
        ("rules' place, English", |it| it.place_en.push('s'), ALL),
        (
            "fewest numbers",
            |it| plays(&mut it.book.games[0], SelectionType::Straight, 2, 10),
            ALL,
        ),
        (
            "most numbers",
            |it| plays(&mut it.book.games[0], SelectionType::Straight, 1, 9),
            ALL,
        ),
        // Which game it is.
        (
            "code",
            |it| it.book.games[0].code = "classic".to_owned(),
            ALL,
        ),
        ("name, French", |it| it.book.games[0].name_fr.push('!'), ALL),
        (
            "name, English",
            |it| it.book.games[0].name_en.push('!'),
            ALL,
        ),
        ("games swapped", |it| it.book.games.swap(0, 1), ALL),
        (
            "one game alone",
            |it| {
                it.book.games.pop();
            },
            ALL,
        ),
        ("a third game", |it| it.book.games.push(game("third")), NONE),
        (
            "another game's numbers",
            |it| plays(&mut it.book.games[1], SelectionType::Straight, 2, 4),
            NONE,
        ),
        // The boxes of the form.
        (
            "type asked",
            |it| {
                it.book.games[0].types.remove(&SelectionType::Way);
            },
            BLANK,
        ),
        (
            "king beside way",
            |it| plays(&mut it.book.games[0], SelectionType::King, 1, 10),
            NONE,
        ),
        (
            "a box of wager more",
            |it| it.book.games[0].wager.max = Cents::new(2_500),
            BLANK,
        ),
        (
            "a wager without a box",
            |it| it.book.games[0].wager.max = Cents::new(2_200),
            NONE,
        ),
        (
            "smallest wager",
            |it| it.book.games[0].wager.min = Cents::new(100),
            BLANK,
        ),
        (
            "step that keeps the boxes",
            |it| it.book.games[0].wager.step = Cents::new(10),
            NONE,
        ),
        (
            "step that takes the card's wager",
            |it| {
                it.book.games[0].wager.step = Cents::new(150);
                it.book.games[0].wager.min = Cents::new(150);
            },
            "blank express",
        ),
        (
            "largest wager under the card's",
            |it| it.book.games[0].wager.max = Cents::new(100),
            "blank express",
        ),
        ("one panel", |it| it.book.limits.selections_max = 1, BLANK),
        (
            "selections above the panels",
            |it| it.book.limits.selections_max = 3,
            NONE,
        ),
        (
            "a box of draws less",
            |it| it.book.limits.draws_max = 10,
            BLANK,
        ),
        (
            "another box of draws",
            |it| it.book.limits.draws_max = 25,
            BLANK,
        ),
        // What no slip shows.
        (
            "threshold of the cap",
            |it| it.book.cap_threshold = Cents::new(1),
            NONE,
        ),
        (
            "same numbers",
            |it| it.book.games[0].wager.same_numbers_max = Cents::new(4_000),
            NONE,
        ),
        ("prizes", |it| it.book.games[0].tables.clear(), NONE),
        ("king alone", |it| it.book.games[0].king_alone = false, NONE),
        ("draws ahead", |it| it.book.limits.draws_ahead_max = 1, NONE),
        ("ways", |it| it.book.limits.ways_max = 10, NONE),
        (
            "liability",
            |it| it.book.liability_max = Some(Cents::new(1)),
            NONE,
        ),
        ("tenders", |it| it.book.tenders.push(Tender::Coupon), NONE),
        (
            "second key",
            |it| it.book.confirm.second_key = Cents::new(1),
            NONE,
        ),
        (
            "typed total",
            |it| it.book.confirm.type_total = Cents::new(20_000),
            NONE,
        ),
        ("confirmed draws", |it| it.book.confirm.draws = 2, NONE),
        (
            "second person",
            |it| it.book.payout.second_person = Cents::new(1),
            NONE,
        ),
        ("cage", |it| it.book.payout.cage = Cents::new(1), NONE),
        (
            "federal report",
            |it| it.book.payout.federal_report = Cents::new(1),
            NONE,
        ),
        ("claim", |it| it.book.claim.days = 30, NONE),
        (
            "place of claim",
            |it| it.book.claim.place_fr.push('s'),
            NONE,
        ),
        ("nothing", |_| {}, NONE),
    ]
}

/// The names of the slips of version 7 that are withdrawn under a later version.
fn withdrawn(later: &Rules) -> String {
    let names: Vec<&str> = slips(&rules())
        .iter()
        .zip(["blank", "express", "e-slip"])
        .filter_map(|(code, name)| match code.judge(later.in_force()) {
            Ok(()) => None,
            Err(refusal) => {
                let both = SlipCodeRefusal::VersionWithdrawn {
                    slip: 7,
                    in_force: 9,
                };
                assert_eq!(refusal, both, "{name}");
                Some(name)
            }
        })
        .collect();
    names.join(" ")
}

#[test]
fn a_change_withdraws_the_slips_that_show_it_and_no_other() {
    for (part, change, expected) in table() {
        let mut later = rules();
        change(&mut later);
        later.book.version = 9;
        assert_eq!(withdrawn(&later), expected, "{part}");
    }
}

/// A slip of the same version is asked about its mark alone: whether its pick is sold, the price says.
#[test]
fn a_slip_of_the_version_in_force_is_of_these_rules_or_of_others() {
    let house = rules();
    for code in slips(&house) {
        assert_eq!(code.judge(house.in_force()), Ok(()));
        let mut other = house.clone();
        other.book.cap = Cents::new(1);
        assert_eq!(
            code.judge(other.in_force()),
            Err(SlipCodeRefusal::OtherRules { version: 7 })
        );
        // An earlier version never takes a slip of a later one, even if nothing on it changed.
        let mut earlier = house.clone();
        earlier.book.version = 6;
        let unknown = SlipCodeRefusal::VersionUnknown {
            slip: 7,
            in_force: 6,
        };
        assert_eq!(code.judge(earlier.in_force()), Err(unknown));
    }
}

/// Marks on papers that are out there: what is hashed is as it was.
#[test]
fn marks_are_as_they_were() {
    let marks = slips(&rules()).map(|code| code.version.mark);
    assert_eq!(marks, [174_956, 469_159, 676_278]);
}

#[test]
fn what_a_form_offers_follows_the_rules() {
    let rules = rules();
    let wagers: Vec<i64> = wagers_of(&rules.book.games[0])
        .iter()
        .map(|wager| wager.get())
        .collect();
    assert_eq!(wagers, [50, 100, 200, 300, 500, 1_000, 2_000]);
    assert_eq!(draws_of(&rules.book), [1, 2, 3, 5, 10, 20]);
}
