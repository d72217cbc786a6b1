//! What the project points at is there, and its French keeps its signs.

use std::collections::BTreeSet;

use crate::Breach;
use crate::repository::TextFile;

/// How the name of a document ends.
const DOCUMENT: &str = ".md";

/// Documents that are named and are not in the repository: no reader finds them.
pub fn lost_citations(files: &[TextFile]) -> Vec<Breach> {
    let names: BTreeSet<&str> = files
        .iter()
        .filter_map(|file| file.path.rsplit('/').next())
        .collect();
    let mut found = Vec::new();
    for file in files.iter().filter(|file| !file.path.ends_with(".lock")) {
        for (index, line) in file.text().lines().enumerate() {
            for name in cited(line).filter(|name| !names.contains(name)) {
                let words = format!("{name} is cited and is not in the repository");
                found.push(Breach::line(&file.path, index + 1, words));
            }
        }
    }
    found
}

/// The names of documents in a line, without the folders before them.
fn cited(line: &str) -> impl Iterator<Item = &str> {
    let is_of_name = |one: char| one.is_alphanumeric() || one == '-' || one == '_' || one == '.';
    line.match_indices(DOCUMENT).filter_map(move |(place, _)| {
        let before = line.get(..place)?;
        let start = before.rfind(|one| !is_of_name(one)).map_or(0, |sign| {
            sign + before
                .get(sign..)
                .and_then(|rest| rest.chars().next())
                .map_or(1, char::len_utf8)
        });
        let end = place + DOCUMENT.len();
        let goes_on = line
            .get(end..)?
            .starts_with(|one: char| one.is_alphanumeric() || one == '_');
        // An ending alone is no name.
        (start < place && !goes_on).then(|| line.get(start..end))?
    })
}

/// Where the French stands.
const FRENCH: &[&str] = &[
    "terminal/src/serve/pages/words/fr.json",
    "schema/words/fr.json",
];

/// Texts of the catalogue, by the beginning of their key, whose French is written with the signs of
/// a typewriter yet. A list to take from.
const TYPEWRITTEN: &[&str] = &[
    "agent.",
    "alarm.",
    "audit.",
    "backup.",
    "command.",
    "compare.",
    "connection.",
    "counter.",
    "demo.",
    "door.",
    "enrolment.",
    "file_fault.",
    "finding.",
    "form.or_quick_pick",
    "journal.",
    "malformed.",
    "printer.",
    "problem.",
    "refusal.file_refused",
    "refusal.file_without_ticket",
    "report.",
    "rule.",
    "scanner.",
    "slip.in_selection",
    "slip_code.",
    "trust.",
    "verify.",
    "witness.",
];

/// French whose signs could begin a line: before `: ; ? ! »` and after `«` a space does not break;
/// and an apostrophe is none of a typewriter.
pub fn loose_french(files: &[TextFile]) -> Vec<Breach> {
    let mut found = Vec::new();
    let is_french = |file: &&TextFile| FRENCH.contains(&file.path.as_str());
    for file in files.iter().filter(is_french) {
        for (index, line) in file.text().lines().enumerate() {
            let key = line.trim_start().trim_start_matches('"');
            if TYPEWRITTEN.iter().any(|typed| key.starts_with(typed)) {
                continue;
            }
            for wrong in wrong_in_french(line) {
                let words = format!("has “{wrong}”: U+00A0 beside a sign, and ’");
                found.push(Breach::line(&file.path, index + 1, words));
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
    fn a_document_may_be_cited_where_it_is_here() {
        let name = concat!("design", ".md");
        let line = format!("// {name} says why, `{name}s` does not, nor does {DOCUMENT}\n");
        let citing = TextFile::new("a/b.rs", &format!("// first\n{line}"));
        assert_eq!(
            lines(lost_citations, std::slice::from_ref(&citing)),
            [("a/b.rs".to_owned(), 2)]
        );
        let in_folder = TextFile::new("a/c.rs", &format!("// «../docs/{name}»: why"));
        assert_eq!(
            lines(lost_citations, std::slice::from_ref(&in_folder)),
            [("a/c.rs".to_owned(), 1)]
        );
        let here = TextFile::new(&format!("docs/{name}"), "");
        assert_eq!(lines(lost_citations, &[citing, in_folder, here]), NONE);
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
        let place = "schema/words/fr.json";
        let areas = "{\n\"finding.a\": \"l'an\",\n\"page.b\": \"l'an\"\n}";
        let found = lines(loose_french, &[TextFile::new(place, areas)]);
        assert_eq!(found, [(place.to_owned(), 3)]);
    }

    #[test]
    fn a_link_that_leads_nowhere_is_found() {
        let files = [
            TextFile::new(
                "docs/pins.md",
                "[x](roles.md) [y](../c/d.rs#e) [z](https://x.y) [w](#here)",
            ),
            TextFile::new("docs/roles.md", "[x](../c) [y](/c/d.rs)\n[z](gone.rs)"),
            TextFile::new("c/d.rs", "[x](gone.rs)"),
        ];
        assert_eq!(lines(dead_links, &files), [("docs/roles.md".to_owned(), 2)]);
    }
}
