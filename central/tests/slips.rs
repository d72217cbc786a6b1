//! Selection slips and express cards through the public door: what is printed says what the rule
//! book in force says, is read back from the paper, and stands at its places.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test's failure is its own report"
)]

use std::path::Path;
use std::process::Command;

use crate::common::printed::Printed;
use crate::common::{House, Person, RULES, blocking};
use keno_book::rules_file;
use keno_book::rules_file::RuleBookFile;
use keno_central::report::slips;
use keno_service::house;
use keno_service::house_file::HouseFile;
use keno_slip::form::{Area, Form, Item};
use keno_wire::slip_code::{RulesInForce, SlipLanguage};
use keno_wire::{SlipCode, SlipCodeRefusal};

/// The red of each dot: what a reader with a red light sees.
struct Picture {
    width: usize,
    height: usize,
    red: Vec<u8>,
}

impl Picture {
    /// From a binary PPM: `P6`, width, height and 255, each followed by one white space.
    fn of(ppm: &[u8]) -> Self {
        let mut fields = ppm.splitn(4, u8::is_ascii_whitespace);
        assert_eq!(fields.next(), Some(b"P6".as_slice()));
        let mut number = || -> usize {
            let field = fields.next().unwrap();
            std::str::from_utf8(field).unwrap().parse().unwrap()
        };
        let (width, height) = (number(), number());
        let dots = fields.next().unwrap().strip_prefix(b"255\n").unwrap();
        assert_eq!(dots.len(), width * height * 3);
        Self {
            width,
            height,
            red: dots.iter().step_by(3).copied().collect(),
        }
    }

    /// How many of the dots of an area are dark, in thousandths; one dot around it is left out,
    /// or, with a negative `inside`, taken in.
    fn darkness(&self, area: Area, inside: i32) -> usize {
        let dot = |hundredths: i32| usize::try_from(hundredths.max(0)).unwrap() / 10;
        let rows = dot(area.y + inside)..dot(area.y + area.height - inside).min(self.height);
        let (left, right) = (dot(area.x + inside), dot(area.x + area.width - inside));
        let dots: Vec<u8> = rows
            .flat_map(|row| &self.red[row * self.width + left..row * self.width + right])
            .copied()
            .collect();
        let dark = dots.iter().filter(|red| **red < 128).count();
        dark * 1_000 / dots.len()
    }
}

/// Every mark is black where the form says, and a red light sees white where boxes are.
fn stands_at_its_places(picture: &Picture, form: &Form) {
    let dots = |hundredths: i32| usize::try_from(hundredths).unwrap() / 10;
    assert!(picture.width.abs_diff(dots(form.width)) <= 1);
    assert!(picture.height.abs_diff(dots(form.height)) <= 1);
    for item in &form.items {
        match item {
            Item::Corner(area) | Item::Timing(area) => {
                assert_eq!(picture.darkness(*area, 10), 1_000, "{area:?}");
                // A millimetre of white around it: above, below and at both sides.
                for (x, y, width, height) in [
                    (area.x, area.y - 100, area.width, 80),
                    (area.x, area.y + area.height + 20, area.width, 80),
                    (area.x - 100, area.y, 80, area.height),
                    (area.x + area.width + 20, area.y, 80, area.height),
                ] {
                    let around = Area {
                        x,
                        y,
                        width,
                        height,
                    };
                    assert_eq!(picture.darkness(around, 0), 0, "{area:?}");
                }
            }
            Item::Box { area, field, .. } => {
                assert_eq!(picture.darkness(*area, -10), 0, "{field:?}");
            }
            Item::Qr { area, .. } => {
                assert!((300..700).contains(&picture.darkness(*area, 0)));
            }
            Item::Text(text) => {
                assert!(picture.darkness(text.area(), 0) > 20, "{}", text.text);
            }
            Item::Rule { x, y, length } => {
                let middle = Area {
                    x: *x,
                    y: y - 5,
                    width: *length,
                    height: 10,
                };
                assert_eq!(picture.darkness(middle, 0), 1_000);
            }
        }
    }
}

async fn slip(house: &House, person: &Person, name: &str) -> Vec<u8> {
    let answer = house.get_as(person, &format!("/api/v1/slips/{name}")).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(answer.header("content-type"), "application/pdf");
    answer.body
}

fn in_force(book: &RuleBookFile) -> RulesInForce<'_> {
    RulesInForce {
        rules: &book.rules,
        rules_place_fr: &book.texts.rules_place_fr,
        rules_place_en: &book.texts.rules_place_en,
    }
}

/// The mentions of s. 77 of the demonstration's rule book.
const MENTIONS: [&str; 6] = [
    "Choisissez de 1 à 10 numéros par sélection.",
    "Choose 1 to 10 numbers per selection.",
    "Règles du Keno : Comptoir et borne Keno.",
    "Keno rules: Keno counter and kiosk.",
    "Maximum payable en lots par tirage : 50 000 $.",
    "Maximum total aggregate payout per draw: $50,000.",
];

#[actix_web::test]
async fn every_slip_has_its_mentions_its_code_and_its_marks_on_paper() {
    let house = House::new(None);
    let supervisor = house.sign_on(2, "S1").await;
    let book = rules_file::read(RULES).unwrap();
    let names = slips::names(&book);
    assert_eq!(
        (names.len(), names[0].as_str(), names[8].as_str()),
        (9, "blank", "express-8")
    );
    for language in SlipLanguage::ALL {
        for name in ["blank", "express-3"] {
            let address = format!("{name}?language={}", language.code());
            let printed = Printed::new(&slip(&house, &supervisor, &address).await);
            let text = printed.text();
            for mention in MENTIONS {
                assert!(text.contains(mention), "{address}: {mention}\n{text}");
            }
            let codes = printed.codes();
            assert_eq!(codes.len(), 1, "{address}: {codes:?}");
            let code = SlipCode::parse(&codes[0]).unwrap();
            assert_eq!(code.version.language, language);
            let sold = code.slip(in_force(&book)).unwrap();
            assert_eq!(sold.is_some(), name != "blank");
            if let Some(sold) = sold {
                let one = &sold.selections[0];
                assert_eq!((one.quick_pick, one.wager_cents), (Some(5), Some(200)));
                // What the card stands for is sold.
                let priced = serde_json::json!({ "slip": sold });
                let clerk = house.post(&supervisor, "/prices", priced).await;
                assert_eq!(clerk.status, 200, "{}", clerk.text());
                assert_eq!(clerk.value()["total_cents"], 200);
            }
            let form = slips::form(&book, language, name).unwrap();
            stands_at_its_places(&Picture::of(&printed.ppm()), &form);
        }
    }
}

/// A mark that is moved or a box in black is seen by the test above.
#[test]
fn a_form_that_is_not_what_is_printed_is_noticed() {
    let book = rules_file::read(RULES).unwrap();
    let form = slips::form(&book, SlipLanguage::French, "blank").unwrap();
    let picture = Picture::of(&Printed::new(&slips::pdf(&form, 0).unwrap()).ppm());
    stands_at_its_places(&picture, &form);
    let change_of = |change: fn(&mut Item)| {
        let mut changed = form.clone();
        changed.items.iter_mut().for_each(change);
        std::panic::catch_unwind(|| stands_at_its_places(&picture, &changed)).is_err()
    };
    assert!(change_of(|item| {
        if let Item::Timing(area) = item {
            area.y += 30;
        }
    }));
    assert!(change_of(|item| {
        if let Item::Box { area, .. } = item {
            area.x -= 1_000;
        }
    }));
    assert!(change_of(|item| {
        if let Item::Corner(area) = item {
            area.x += 60;
        }
    }));
}

#[actix_web::test]
async fn slips_are_for_supervisors_and_unknown_ones_are_refused() {
    let house = House::new(None);
    let clerk = house.sign_on(1, "C1").await;
    let supervisor = house.sign_on(2, "S1").await;
    let refused = house.get_as(&clerk, "/api/v1/slips/blank").await;
    assert_eq!(refused.status, 403);
    for name in [
        "express-9",
        "express-0",
        "express-01",
        "blank-keno",
        "blanc",
        "express-x",
    ] {
        let refused = house
            .get_as(&supervisor, &format!("/api/v1/slips/{name}"))
            .await;
        assert_eq!(
            refused.refusal(),
            (404, "record_unknown".to_owned()),
            "{name}"
        );
    }
    let refused = house
        .get_as(&supervisor, "/api/v1/slips/blank?language=de")
        .await;
    assert_eq!(refused.status, 400);
    assert_eq!(house.get("/api/v1/slips/blank").await.status, 401);
}

/// Runs `slips` and gives the names of the files.
fn made(arguments: &[&str], out: &Path) -> Vec<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_keno-central"))
        .arg("slips")
        .args(arguments)
        .arg("--out")
        .arg(out)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let mut names: Vec<String> = std::fs::read_dir(out)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort_unstable();
    names
}

/// A version that begins later does not change the slips of today. One that governs the next draw
/// withdraws those that show what it changed, and no other.
async fn slips_follow_the_rules_in_force(database: Option<&str>) {
    let house = House::new(database);
    let supervisor = house.sign_on(2, "S1").await;
    let folder = house.folder.path();
    let text = HouseFile::demonstration();
    let text = match database {
        Some(address) => text.replace("keno.sqlite", address),
        None => text.to_owned(),
    };
    std::fs::write(folder.join("house.toml"), text).unwrap();
    let data = folder.to_str().unwrap();
    let first = rules_file::read(RULES).unwrap();
    let later = RULES.replace("version = 1", "version = 2");
    blocking(|| house::publish_rules(&house.central, &later, 50, "X1", "S1").unwrap());
    let out = folder.join("first");
    let names = made(&["--data", data], &out);
    assert_eq!(names.len(), 9);
    assert_eq!(names[0], "slip-v1-fr-blank.pdf");
    let card = Printed::new(&std::fs::read(out.join("slip-v1-fr-express-1.pdf")).unwrap());
    let old = SlipCode::parse(&card.codes()[0]).unwrap();
    assert!(old.slip(in_force(&first)).is_ok());
    // Nothing that it shows is another under version 2.
    assert!(
        old.slip(in_force(&rules_file::read(&later).unwrap()))
            .is_ok()
    );

    let next = house.next_draw();
    let third = RULES.replace("version = 1", "version = 3");
    let third = third.replace("Keno counter and kiosk", "Keno counters");
    let third = rules_file::read(&third).unwrap();
    blocking(|| house::publish_rules(&house.central, &third.text, next, "X1", "S1").unwrap());
    let out = folder.join("third");
    let names = made(&["--data", data, "--language", "en"], &out);
    assert_eq!(names[0], "slip-v3-en-blank.pdf");
    let versions = SlipCodeRefusal::VersionWithdrawn {
        slip: 1,
        in_force: 3,
    };
    assert_eq!(old.slip(in_force(&third)), Err(versions));
    let served = Printed::new(&slip(&house, &supervisor, "express-1").await);
    let new = SlipCode::parse(&served.codes()[0]).unwrap();
    assert!(new.slip(in_force(&third)).is_ok());
    assert!(new.slip(in_force(&first)).is_err());

    // Before it is published, from the file; a faulty one has no slips.
    let draft = folder.join("draft.toml");
    let fourth = RULES.replace("version = 1", "version = 4");
    std::fs::write(&draft, fourth.replace("\"50000.00\"", "\"60000.00\"")).unwrap();
    let out = folder.join("fourth");
    made(&["--rules", draft.to_str().unwrap()], &out);
    let blank = Printed::new(&std::fs::read(out.join("slip-v4-fr-blank.pdf")).unwrap());
    assert!(
        blank
            .text()
            .contains("Maximum payable en lots par tirage : 60 000 $.")
    );
    std::fs::write(&draft, "format = 3\n").unwrap();
    let wrong = Command::new(env!("CARGO_BIN_EXE_keno-central"))
        .args(["slips", "--rules", draft.to_str().unwrap(), "--out"])
        .arg(folder.join("none"))
        .output()
        .unwrap();
    assert_eq!(wrong.status.code(), Some(1));
    assert!(!folder.join("none").exists());
}

#[actix_web::test]
async fn slips_follow_the_rules_in_force_on_sqlite() {
    slips_follow_the_rules_in_force(None).await;
}

#[actix_web::test]
async fn slips_follow_the_rules_in_force_on_postgresql() {
    let database = keno_testing::empty_postgres_database().unwrap();
    slips_follow_the_rules_in_force(Some(database.address())).await;
}
