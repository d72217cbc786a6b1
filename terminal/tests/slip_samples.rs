//! The sample slips: the good ones have the price that their README says, the bad ones get the
//! refusal that they are named after, by the rules themselves.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use keno_game::{
    BallSet, Cents, ConditioningAsked, Pick, Pool, RuleBook, Slip, SlipRefusalCode, SlipSelection,
};
use keno_terminal::slip_file::{SlipFile, SlipFileFault};

/// What no slip gets by the rules of the demonstration: one number is enough there, no price is too
/// large to be counted, and a stream of seeds does not fail.
const NO_SAMPLE: [&str; 3] = ["too_few_numbers", "total_overflow", "quick_pick_failed"];

fn samples() -> PathBuf {
    PathBuf::from("../samples")
}

fn slips(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "json")
        })
        .collect();
    paths.sort();
    paths
}

fn name(path: &Path) -> String {
    path.file_stem().unwrap().to_str().unwrap().to_owned()
}

/// The demonstration rule book.
fn rules() -> RuleBook {
    let text = std::fs::read_to_string(samples().join("rules/demonstration.toml")).unwrap();
    keno_book::rules_file::read(&text).unwrap().rules
}

/// A slip as the rules take it. A number that is not a byte is outside every pool, as 0 is.
fn asked(slip: &keno_wire::request::Slip) -> Slip {
    let bytes = |numbers: &[i64]| -> Vec<u8> {
        numbers
            .iter()
            .map(|&number| u8::try_from(number).unwrap_or(0))
            .collect()
    };
    let selections = slip
        .selections
        .iter()
        .map(|selection| {
            let kind = selection
                .kind
                .known()
                .unwrap_or_else(|| panic!("{}", selection.kind));
            let mut groups: Vec<Vec<u8>> =
                selection.groups.iter().map(|group| bytes(group)).collect();
            if !selection.numbers.is_empty() {
                groups.insert(0, bytes(&selection.numbers));
            }
            let pick = match selection.quick_pick {
                Some(spots) => Pick::Quick { spots },
                None => Pick::Numbers {
                    groups,
                    kings: bytes(&selection.kings),
                },
            };
            SlipSelection {
                game: selection.game.clone(),
                kind,
                pick,
                conditioning: selection
                    .ways
                    .iter()
                    .map(|line| ConditioningAsked {
                        ways: line.ways,
                        spots: line.spots,
                        wager: Cents::new(line.wager_cents),
                    })
                    .collect(),
                wager: selection.wager_cents.map(Cents::new),
            }
        })
        .collect();
    Slip {
        selections,
        draws: u16::try_from(slip.draws).unwrap(),
    }
}

/// The lowest numbers: which ones the computer picks is of no account here.
fn lowest(spots: u8, _pool: Pool) -> BallSet {
    BallSet::from_numbers(&(1..=spots).collect::<Vec<u8>>()).unwrap()
}

#[test]
fn the_good_ones_have_the_price_of_the_readme() {
    let readme = std::fs::read_to_string(samples().join("slips/README.md")).unwrap();
    let mut prices: BTreeMap<String, i64> = readme
        .lines()
        .filter_map(|line| {
            let rest = line.strip_prefix("| `")?;
            let (file, rest) = rest.split_once(".json` |")?;
            let price = rest
                .trim_end_matches([' ', '|', '$'])
                .rsplit('|')
                .next()?
                .trim();
            Some((file.to_owned(), price.replace(',', "").parse().ok()?))
        })
        .collect();
    let rules = rules();
    for path in slips(&samples().join("slips")) {
        let file = SlipFile::read(&path).unwrap();
        let priced = keno_game::slip::price(&asked(&file.slip()), &rules, &mut lowest);
        let total = priced
            .unwrap_or_else(|refusal| panic!("{}: {refusal:?}", path.display()))
            .total;
        assert_eq!(
            prices.remove(&name(&path)),
            Some(total.get()),
            "{}",
            path.display()
        );
        if let Some(received) = file.received_cents {
            assert!(received >= total.get(), "{}", path.display());
        }
    }
    assert_eq!(
        prices,
        BTreeMap::new(),
        "in the README and not in the folder"
    );
}

#[test]
fn the_bad_ones_get_the_refusal_of_their_name() {
    let rules = rules();
    let paths = slips(&samples().join("slips/bad"));
    let mut without: BTreeSet<&str> = SlipRefusalCode::ALL.map(SlipRefusalCode::name).into();
    for path in paths {
        let name = name(&path);
        without.remove(name.as_str());
        match SlipFile::read(&path) {
            Err(SlipFileFault::Json { line, .. }) => {
                assert!(
                    name.starts_with("malformed_") && line > 1,
                    "{name} at line {line}"
                );
            }
            Err(other) => panic!("{name}: {other}"),
            Ok(file) => {
                let refusal =
                    keno_game::slip::price(&asked(&file.slip()), &rules, &mut lowest).unwrap_err();
                assert_eq!(refusal.code.name(), name);
            }
        }
    }
    assert_eq!(
        without,
        BTreeSet::from(NO_SAMPLE),
        "refusals without a sample"
    );
}
