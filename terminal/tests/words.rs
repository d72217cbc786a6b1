//! The words of the screens: the same keys and the same values in both languages, and each key
//! that a page asks for is there.

#![allow(clippy::unwrap_used, reason = "a test's failure is its own report")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

type Catalogue = BTreeMap<String, String>;
type Plant = fn(&mut Catalogue);

fn pages() -> PathBuf {
    PathBuf::from("src/serve/pages")
}

fn catalogue(language: &str) -> Catalogue {
    let text = std::fs::read_to_string(pages().join(format!("words/{language}.json"))).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The `{names}` of a text.
fn values(text: &str) -> BTreeSet<&str> {
    text.split('{')
        .skip(1)
        .filter_map(|rest| rest.split_once('}'))
        .map(|(name, _)| name)
        .collect()
}

/// What differs between two catalogues.
fn differences(fr: &Catalogue, en: &Catalogue) -> Vec<String> {
    let keys: BTreeSet<&String> = fr.keys().chain(en.keys()).collect();
    keys.into_iter()
        .filter_map(|key| match (fr.get(key), en.get(key)) {
            (Some(fr), Some(en)) if values(fr) != values(en) => Some(format!("{key}: values")),
            (Some(fr), Some(en)) if fr.is_empty() != en.is_empty() => Some(format!("{key}: empty")),
            (Some(_), Some(_)) => None,
            _ => Some(format!("{key}: in one language alone")),
        })
        .collect()
}

/// The scripts of the screens that have these words.
fn scripts() -> String {
    let mut all = String::new();
    for folder in ["counter", "."] {
        for entry in std::fs::read_dir(pages().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let is_ours = path
                .extension()
                .is_some_and(|ending| ending == "js" || ending == "html");
            if is_ours {
                all.push_str(&std::fs::read_to_string(path).unwrap());
            }
        }
    }
    all
}

/// Keys that a script names whole, and beginnings to which it adds the rest.
fn named(script: &str) -> (BTreeSet<&str>, BTreeSet<&str>) {
    let (mut whole, mut beginnings) = (BTreeSet::new(), BTreeSet::new());
    let is_key = |text: &str| {
        text.contains('.')
            && text.bytes().all(|byte| {
                byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"._".contains(&byte)
            })
    };
    for quote in ['"', '`'] {
        for text in script.split(quote) {
            let start = text.split("${").next().unwrap_or_default();
            if start.len() < text.len() && start.ends_with(['.', '_']) && is_key(start) {
                beginnings.insert(start);
            } else if is_key(text) {
                whole.insert(text);
            }
        }
    }
    (whole, beginnings)
}

#[test]
fn both_languages_say_the_same_things() {
    let (fr, en) = (catalogue("fr"), catalogue("en"));
    assert!(fr.len() > 100, "the words are there");
    assert_eq!(differences(&fr, &en), Vec::<String>::new());
}

#[test]
fn a_missing_word_is_seen() {
    let (fr, en) = (catalogue("fr"), catalogue("en"));
    let plants: [(&str, Plant); 3] = [
        ("sale.total: in one language alone", |words| {
            words.remove("sale.total");
        }),
        ("head.draw: values", |words| {
            words.insert("head.draw".to_owned(), "DRAW {number}".to_owned());
        }),
        ("late.next: empty", |words| {
            words.insert("late.next".to_owned(), String::new());
        }),
    ];
    for (seen, plant) in plants {
        let mut planted = en.clone();
        plant(&mut planted);
        assert_eq!(differences(&fr, &planted), [seen]);
    }
}

#[test]
fn every_word_that_a_page_asks_for_is_there_and_none_is_idle() {
    let fr = catalogue("fr");
    let scripts = scripts();
    let (whole, beginnings) = named(&scripts);
    let groups: BTreeSet<&str> = fr.keys().filter_map(|key| key.split('.').next()).collect();
    let of_ours = |key: &&&str| {
        key.split('.')
            .next()
            .is_some_and(|group| groups.contains(group))
    };
    let is_file =
        |key: &str| key.ends_with(".js") || key.ends_with(".json") || key.ends_with(".css");
    let unknown: Vec<&&str> = whole
        .iter()
        .filter(of_ours)
        .filter(|key| !is_file(key) && !fr.contains_key(**key))
        .filter(|key| !beginnings.iter().any(|start| key.starts_with(start)))
        .collect();
    assert_eq!(unknown, Vec::<&&str>::new(), "keys without words");
    let idle: Vec<&String> = fr
        .keys()
        .filter(|key| !whole.contains(key.as_str()))
        .filter(|key| !beginnings.iter().any(|start| key.starts_with(start)))
        .collect();
    assert_eq!(idle, Vec::<&String>::new(), "words that no page says");
}
