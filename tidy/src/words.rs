//! The project speaks of itself alone, and what it points at is there.

use std::collections::BTreeSet;

use crate::Breach;
use crate::code::has_word;
use crate::repository::TextFile;

/// Places of the machines on which the project is made, and tools by which: no reader has them.
/// In two parts each, so that this file does not break its own rule.
const FOREIGN: &[&str] = &[
    concat!("/wo", "rk/"),
    concat!("/tmp/pl", "an"),
    concat!("/tmp/stu", "dio"),
    concat!("/fa", "rm/"),
    concat!(".libr", "ary/"),
    concat!("before-", "stop"),
    concat!("DEVEL", "OPERS.md"),
    concat!("clau", "de"),
    concat!("anthro", "pic"),
    concat!("open", "ai"),
    concat!("chat", "gpt"),
    concat!("copi", "lot"),
];

/// Documents that may be cited only where a reader finds them: once they are in the repository.
const CITED: &[&str] = &[
    concat!("design", ".md"),
    concat!("style", ".md"),
    concat!("ux", ".md"),
    concat!("crates", ".md"),
    concat!("bylaw", ".md"),
    concat!("requirements", ".md"),
    concat!("reliability", ".md"),
    concat!("performance", ".md"),
    concat!("layout", ".md"),
    concat!("brief", ".md"),
];

/// Words that mean nothing to a reader of the repository.
pub fn foreign(files: &[TextFile]) -> Vec<Breach> {
    let names: BTreeSet<&str> = files
        .iter()
        .filter_map(|file| file.path.rsplit('/').next())
        .collect();
    let cited: Vec<&str> = CITED
        .iter()
        .filter(|name| !names.contains(**name))
        .copied()
        .collect();
    let mut found = Vec::new();
    for file in files.iter().filter(|file| !file.path.ends_with(".lock")) {
        for (index, line) in file.text().lines().enumerate() {
            let lower = line.to_lowercase();
            for word in FOREIGN.iter().filter(|word| has_foreign(&lower, word)) {
                let words = format!("{word} means nothing to who reads this repository");
                found.push(Breach::line(&file.path, index + 1, words));
            }
            for name in cited.iter().filter(|name| has_word(line, name)) {
                let words = format!("{name} is cited and is not in the repository");
                found.push(Breach::line(&file.path, index + 1, words));
            }
        }
    }
    found
}

/// A word in a line of small letters; a path only where it begins at the root.
fn has_foreign(lower: &str, word: &str) -> bool {
    let word = word.to_lowercase();
    if !word.starts_with('/') {
        return has_word(lower, &word);
    }
    lower.match_indices(&word).any(|(start, _)| {
        let before = lower.get(..start).and_then(|text| text.chars().next_back());
        !before.is_some_and(|one| one.is_alphanumeric() || "_.-/}".contains(one))
    })
}

/// Where the French stands that is read on a screen. Of Rust, the texts of `sentence_fr` alone.
const FRENCH: &[&str] = &[
    "terminal/src/serve/pages/words/fr.json",
    "central/src/pages/words.rs",
    "central/service/src/refusal.rs",
    "central/service/src/check.rs",
];

/// French whose signs could begin a line: before `: ; ? ! »` and after `«` a space does not break;
/// and an apostrophe is none of a typewriter.
pub fn loose_french(files: &[TextFile]) -> Vec<Breach> {
    let mut found = Vec::new();
    for file in files
        .iter()
        .filter(|file| FRENCH.contains(&file.path.as_str()))
    {
        let has_functions = file.text().contains("fn sentence_fr");
        let mut is_french = !has_functions;
        for (index, line) in file.text().lines().enumerate() {
            if has_functions && line.contains(" fn ") {
                is_french = line.contains("fn sentence_fr");
            }
            // Between quotes; none of these texts has one within.
            for text in line.split('"').skip(1).step_by(2).filter(|_| is_french) {
                for wrong in wrong_in_french(text) {
                    let words = format!("has “{wrong}”: U+00A0 beside a sign, and ’");
                    found.push(Breach::line(&file.path, index + 1, words));
                }
            }
        }
    }
    found
}

fn wrong_in_french(text: &str) -> Vec<&'static str> {
    [" :", " ;", " ?", " !", " »", "« ", "'"]
        .into_iter()
        .filter(|wrong| text.contains(wrong))
        .collect()
}

/// Links of the documents that lead nowhere.
pub fn dead_links(files: &[TextFile]) -> Vec<Breach> {
    let mut places: BTreeSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
    for file in files {
        let folders = file
            .path
            .match_indices('/')
            .filter_map(|(end, _)| file.path.get(..end));
        places.extend(folders);
    }
    let mut found = Vec::new();
    for file in files.iter().filter(|file| file.path.ends_with(".md")) {
        for (index, line) in file.text().lines().enumerate() {
            for target in line.split("](").skip(1) {
                let target = target.split([')', '#', ' ']).next().unwrap_or_default();
                if target.is_empty() || target.contains(':') {
                    continue;
                }
                let place = joined(&file.path, target);
                if !place.is_empty() && !places.contains(place.as_str()) {
                    let words = format!("links to {target}, which is not there");
                    found.push(Breach::line(&file.path, index + 1, words));
                }
            }
        }
    }
    found
}

/// The place that a relative link of a file leads to, from the root.
fn joined(from: &str, link: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    if link.starts_with('/') {
        parts.clear();
    }
    for part in link.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            name => parts.push(name),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: [(String, usize); 0] = [];

    fn lines(rule: fn(&[TextFile]) -> Vec<Breach>, files: &[TextFile]) -> Vec<(String, usize)> {
        rule(files)
            .into_iter()
            .map(|breach| (breach.place, breach.line))
            .collect()
    }

    #[test]
    fn every_foreign_word_is_found_and_its_like_is_not() {
        for word in FOREIGN {
            let files = [TextFile::new(
                "a/b.rs",
                &format!("x\n// see {word}x y\n// {word} y"),
            )];
            assert!(
                lines(foreign, &files).contains(&("a/b.rs".to_owned(), 3)),
                "{word}"
            );
        }
        let path = concat!("/wo", "rk/");
        for innocent in [
            format!("art{path}x"),
            format!("$folder{path}x"),
            "the work/life".into(),
        ] {
            let innocent = innocent.replace("$folder", "folder");
            assert_eq!(
                lines(foreign, &[TextFile::new("a.md", &innocent)]),
                NONE,
                "{innocent}"
            );
        }
    }

    #[test]
    fn a_document_may_be_cited_once_it_is_here() {
        let name = concat!("design", ".md");
        let citing = TextFile::new("a/b.rs", &format!("// {name} says why\n"));
        assert_eq!(
            lines(foreign, std::slice::from_ref(&citing)),
            [("a/b.rs".to_owned(), 1)]
        );
        let here = TextFile::new(&format!("docs/{name}"), "");
        assert_eq!(lines(foreign, &[citing, here]), NONE);
    }

    #[test]
    fn french_that_breaks_before_its_sign_is_found() {
        let said = "{\n\"a\": \"Fini\u{a0}: «\u{a0}oui\u{a0}» l’an\",\n\"b\": \"Fini : oui\",\n\"c\": \"l'an\",\n\"d\": \"« oui\u{a0}»\"\n}";
        let place = "terminal/src/serve/pages/words/fr.json";
        let at = |line| (place.to_owned(), line);
        let found = lines(loose_french, &[TextFile::new(place, said)]);
        assert_eq!(found, [at(3), at(4), at(5)]);
        assert_eq!(
            lines(loose_french, &[TextFile::new("a/en.json", said)]),
            NONE
        );
        let code = "    fn name() {\n\"a ;\"\n    fn sentence_fr() {\n\"a ;\" ; \"b\"\n    fn sentence_en() {\n\"a's\"\n";
        let place = "central/service/src/check.rs";
        let found = lines(loose_french, &[TextFile::new(place, code)]);
        assert_eq!(found, [(place.to_owned(), 4)]);
    }

    #[test]
    fn a_link_that_leads_nowhere_is_found() {
        let files = [
            TextFile::new(
                "docs/a.md",
                "[x](b.md) [y](../c/d.rs#e) [z](https://x.y) [w](#here)",
            ),
            TextFile::new("docs/b.md", "[x](../c) [y](/c/d.rs)\n[z](gone.md)"),
            TextFile::new("c/d.rs", "[x](gone.md)"),
        ];
        assert_eq!(lines(dead_links, &files), [("docs/b.md".to_owned(), 2)]);
    }
}
