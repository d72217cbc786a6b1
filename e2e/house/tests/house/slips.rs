//! Slips: the good ones become the paper that central says, the bad ones nothing at all.

use std::path::{Path, PathBuf};

use keno_house_tests::counter::Counter;
use keno_house_tests::house::House;
use keno_house_tests::paper::{facts_of_central, facts_on_paper};
use keno_terminal::exit::Exit;
use keno_terminal::virtual_printer::{Row, Sheet};

fn slips(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new("../../samples/slips").join(folder);
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|one| one == "json"))
        .collect();
    paths.sort();
    paths
}

/// The six facts on a paper are those that central tells to who scans it.
fn agrees(house: &House, sheet: &Sheet) {
    assert!(sheet.is_cut);
    let codes = sheet.qr_payloads();
    let [code] = codes.as_slice() else {
        panic!("{codes:?}");
    };
    let claim = keno_wire::ClaimCode::parse(code).unwrap();
    let reply = house.check(code);
    assert_eq!(reply.verdict.code, "not_yet_drawn");
    let ticket = reply.ticket.unwrap();
    let facts = facts_on_paper(sheet).unwrap_or_else(|fault| {
        panic!("{fault}\n{}", sheet.texts().join("\n"));
    });
    assert_eq!(facts, facts_of_central(&ticket));
    assert_eq!(claim.control_number.digits(), ticket.control_number);
    assert_eq!(
        ticket.claim_code, None,
        "who asks is never given a code that pays"
    );
}

#[test]
fn every_good_slip_becomes_the_paper_that_central_says() {
    let house = House::new();
    let counter = Counter::open(&house);
    let narrow = Counter::open_as(
        &house,
        keno_house_tests::counter::Kind {
            device: 2,
            language: keno_terminal::config::Language::En,
            columns: 32,
        },
    );
    let paths = slips("");
    assert!(paths.len() >= 9);
    for path in &paths {
        for counter in [&counter, &narrow] {
            counter.sell(path).ended(Exit::Done);
            agrees(&house, &counter.newest_paper());
        }
    }
    for counter in [counter, narrow] {
        assert_eq!(counter.papers().len(), paths.len());
        assert_eq!(counter.open_items(), []);
    }
    assert_eq!(house.tickets(), 2 * paths.len() as u64);
}

#[test]
fn a_way_of_2_4_and_1_8_for_ten_draws_costs_30_dollars() {
    let house = House::new();
    let counter = Counter::open(&house);
    let slip = slips("")
        .into_iter()
        .find(|path| path.ends_with("en-way-2x4-1x8.json"))
        .unwrap();
    counter
        .sell(&slip)
        .ended(Exit::Done)
        .said(&["MISE TOTALE 30,00 $", "TOTAL WAGER $30.00"]);
    let facts = facts_on_paper(&counter.newest_paper()).unwrap();
    assert_eq!((facts.total_cents, facts.draws), (3_000, 10));
    assert_eq!(facts.selections[0].ways, [(2, 4, 100), (1, 8, 100)]);
    assert_eq!(facts.selections[0].per_draw_cents, 300);
    assert_eq!(facts.last.0, facts.first.0 + 9);
}

/// Before the money: the total in both languages, and how many numbers the computer will pick.
#[test]
fn the_clerk_is_told_what_the_slip_is_before_it_is_sold() {
    let house = House::new();
    let counter = Counter::open(&house);
    let slip = slips("")
        .into_iter()
        .find(|path| path.ends_with("fr-plusieurs-selections.json"))
        .unwrap();
    let size = house.log_size();
    counter
        .keno_typing("0\n", &["sell", slip.to_str().unwrap()])
        .ended(Exit::Refused)
        .said(&[
            "A  07 18 33 42 71  2,00 $ par tirage",
            "B  éclair 8  1,00 $ par tirage",
            "B  quick pick 8  $1.00 a draw",
            "C  (03 14 22 29)(40 51 66 80)  3,00 $ par tirage",
            "MISE TOTALE 30,00 $",
            "TOTAL WAGER $30.00",
            "Rien n’a été vendu.",
        ]);
    assert_eq!((house.log_size(), counter.papers().len()), (size, 0));
}

/// Every digit of a fact that is changed on the paper is noticed: else the check above would
/// prove nothing.
#[test]
fn a_digit_changed_on_the_paper_is_noticed() {
    let house = House::new();
    let counter = Counter::open(&house);
    let slip = slips("")
        .into_iter()
        .find(|path| path.ends_with("fr-plusieurs-selections.json"))
        .unwrap();
    counter.sell(&slip).ended(Exit::Done);
    let sheet = counter.newest_paper();
    let facts = facts_on_paper(&sheet).unwrap();
    let mut changed = 0;
    let mut rules = 0;
    for (at, row) in sheet.rows.iter().enumerate() {
        let Row::Text { cells, .. } = row else {
            continue;
        };
        if cells.iter().all(|cell| cell.character == '-') {
            rules += 1;
        }
        // Facts stand before the law's words; when it was paid is not one of them.
        let line = row.text().unwrap();
        if rules >= 5 || line.starts_with("PAYÉ") || line.contains("Casino") {
            continue;
        }
        for (place, cell) in cells.iter().enumerate() {
            let Some(digit) = cell.character.to_digit(10) else {
                continue;
            };
            let mut planted = sheet.clone();
            if let Row::Text { cells, .. } = &mut planted.rows[at] {
                cells[place].character = char::from_digit((digit + 1) % 10, 10).unwrap();
            }
            assert_ne!(
                facts_on_paper(&planted),
                Ok(facts.clone()),
                "{line:?}, character {place}"
            );
            changed += 1;
        }
    }
    assert!(changed > 150, "only {changed} digits were changed");
}

/// What central or the terminal says of each, in French and in English, beside the name.
fn words_of(name: &str) -> Vec<String> {
    if name.starts_with("malformed_") {
        return vec![
            "La fiche n’est pas bien formée : ligne ".to_owned(),
            "line ".to_owned(),
        ];
    }
    vec![format!("({name})")]
}

#[test]
fn every_bad_slip_is_refused_by_its_name_and_leaves_nothing() {
    let house = House::new();
    let counter = Counter::open(&house);
    let (before, commands) = (house.log_size(), counter.commands());
    let paths = slips("bad");
    assert!(paths.len() >= 20);
    for path in &paths {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let done = counter.sell(path).ended(Exit::Refused);
        let words = words_of(name);
        let done = done.said(&words.iter().map(String::as_str).collect::<Vec<_>>());
        // A sentence in each language, and not the same one twice.
        let lines: Vec<&str> = done.notes.lines().collect();
        assert!(
            lines.len() >= 2 && lines[0] != lines[1] && lines.iter().all(|line| line.len() > 3),
            "{name}: {}",
            done.notes
        );
        assert!(done.output.is_empty(), "{name}: {}", done.output);
    }
    assert_eq!(counter.papers().len(), 0);
    assert_eq!(house.log_size(), before, "a refusal leaves no trace");
    assert_eq!(counter.commands(), commands);
}
