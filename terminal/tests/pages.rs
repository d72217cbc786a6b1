//! Nothing idle in the pages: each class and each id that a style sheet has a rule for is one that
//! a page sets which loads it, and what a script exports is imported by another.

#![allow(clippy::unwrap_used, reason = "a test's failure is its own report")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The files of the pages by their names, which are unlike one another.
type Files = BTreeMap<String, String>;

fn files() -> Files {
    let pages = Path::new("src/serve/pages");
    [pages.join("counter"), pages.to_owned()]
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .map(|path: PathBuf| {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, std::fs::read_to_string(path).unwrap())
        })
        .collect()
}

/// What stands between `before` and the next `after`, everywhere in a text.
fn between<'t>(text: &'t str, before: &str, after: char) -> impl Iterator<Item = &'t str> {
    text.split(before)
        .skip(1)
        .filter_map(move |rest| rest.split_once(after))
        .map(|(found, _)| found)
}

/// A page with every script that it loads.
fn with_scripts(html: &str, files: &Files) -> Vec<String> {
    let mut wanted: Vec<&str> = between(html, "src=\"/", '"').collect();
    let mut taken = BTreeSet::new();
    while let Some(name) = wanted.pop() {
        if let Some(script) = files.get(name).filter(|_| taken.insert(name)) {
            wanted.extend(between(script, "from \"/", '"'));
        }
    }
    let scripts = taken.into_iter().map(|name| files[name].clone());
    std::iter::once(html.to_owned()).chain(scripts).collect()
}

/// A script without its comments, and without lists that are only asked whether they include
/// something.
fn code(script: &str) -> String {
    let mut code: String = script
        .lines()
        .filter(|line| !line.trim_start().starts_with(['/', '*']))
        .map(|line| line.split(" // ").next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join("\n");
    while let Some(at) = code.find("].includes(") {
        let start = code[..at].rfind('[').unwrap();
        code.replace_range(start..=at, "");
    }
    code
}

/// The words that a page sets somewhere: those of its texts in quotes, but for what is compared or
/// looked for.
fn set_words(page: &[String]) -> BTreeSet<String> {
    let reads = ["=== ", "!== ", "case ", "at(", "getElementById("];
    let mut words = BTreeSet::new();
    for code in page.iter().map(|script| code(script)) {
        for (line, quote) in code.lines().flat_map(|line| [(line, '"'), (line, '`')]) {
            let mut before = "";
            for (index, part) in line.split(quote).enumerate() {
                if index % 2 == 1 && !reads.iter().any(|read| before.ends_with(read)) {
                    let fixed = part.split("${").flat_map(|one| one.split('}').next_back());
                    words.extend(fixed.flat_map(str::split_whitespace).map(str::to_owned));
                }
                before = part;
            }
        }
    }
    words
}

/// Classes and ids of the selectors of a style sheet.
fn selected(css: &str) -> BTreeSet<String> {
    let bare: String = css
        .split("/*")
        .enumerate()
        .map(|(index, part)| match index {
            0 => part,
            _ => part.split_once("*/").map_or("", |(_, rest)| rest),
        })
        .collect();
    let mut names = BTreeSet::new();
    for selector in bare.split_inclusive(['{', '}']) {
        let Some(selector) = selector.strip_suffix('{') else {
            continue;
        };
        for part in selector.split(['.', '#']).skip(1) {
            let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
            let name: String = part.chars().take_while(|one| is_of_name(*one)).collect();
            if name.starts_with(|first: char| first.is_ascii_alphabetic()) {
                names.insert(name);
            }
        }
    }
    names
}

/// Rules for what no page sets: `sheet: name`.
fn idle_rules(files: &Files) -> Vec<String> {
    let mut idle = Vec::new();
    for (sheet, css) in files.iter().filter(|(name, _)| name.ends_with(".css")) {
        let set: BTreeSet<String> = files
            .iter()
            .filter(|(name, html)| {
                name.ends_with(".html") && html.contains(&format!("href=\"/{sheet}\""))
            })
            .flat_map(|(_, html)| set_words(&with_scripts(html, files)))
            .collect();
        let names = selected(css).into_iter().filter(|name| !set.contains(name));
        idle.extend(names.map(|name| format!("{sheet}: {name}")));
    }
    idle
}

/// Names that a script exports and no other imports: `script: name`.
fn idle_exports(files: &Files) -> Vec<String> {
    let mut idle = Vec::new();
    for (script, text) in files {
        let imports = |other: &str| -> BTreeSet<String> {
            let from = format!("from \"/{script}\"");
            let mut names = BTreeSet::new();
            for line in other.lines().filter(|line| line.contains(&from)) {
                if let Some(all) = between(line, "* as ", ' ').next() {
                    let of_all = format!("{all}.");
                    names.extend(other.split(&of_all).skip(1).map(first_word));
                }
                names.extend(
                    between(line, "{", '}')
                        .flat_map(|list| list.split(','))
                        .map(|name| name.trim().to_owned()),
                );
            }
            names
        };
        let used: BTreeSet<String> = files.values().flat_map(|other| imports(other)).collect();
        let exported = ["export const ", "export class ", "export function "]
            .iter()
            .flat_map(|start| text.split(start).skip(1))
            .map(first_word);
        let names = exported.filter(|name| !used.contains(name));
        idle.extend(names.map(|name| format!("{script}: {name}")));
    }
    idle
}

fn first_word(text: &str) -> String {
    text.chars()
        .take_while(|letter| letter.is_ascii_alphanumeric() || *letter == '_')
        .collect()
}

#[test]
fn every_rule_is_for_something_that_a_page_sets() {
    let files = files();
    assert!(files.len() > 30, "the pages are there");
    assert!(selected(&files["counter.css"]).len() > 60);
    assert_eq!(idle_rules(&files), Vec::<String>::new());
}

#[test]
fn every_export_is_imported() {
    assert_eq!(idle_exports(&files()), Vec::<String>::new());
}

#[test]
fn what_is_idle_is_seen() {
    let mut files = files();
    files.get_mut("counter.css").unwrap().push_str(
        "@media (max-width: 1px) { .keys .planted:hover, .nowhere { color: red; } } #sale-nowhere, #work {}",
    );
    // A class of one page is no use for the sheet of another.
    files
        .get_mut("customer.css")
        .unwrap()
        .push_str(".presets { margin: 1.5rem; }");
    let draft = files.get_mut("draft.js").unwrap();
    draft.push_str("export const planted = () => {};\n");
    // Other scripts say its name, and do not import it.
    files
        .get_mut("sale.js")
        .unwrap()
        .push_str("const planted = 1;\n");
    assert_eq!(
        idle_rules(&files),
        [
            "counter.css: nowhere",
            "counter.css: planted",
            "counter.css: sale-nowhere",
            "customer.css: presets"
        ]
    );
    assert_eq!(idle_exports(&files), ["draft.js: planted"]);
}
