//! How much the goldens say, and that they do not say it twice; and how many programs the tests are.
//!
//! A golden that nobody can read is accepted unread, and of one that is a copy of another the second
//! tells nothing. `Shapes` of keno-testing holds one text of a shape and of the others what is
//! different.

use std::collections::HashMap;

use crate::Breach;
use crate::repository::TextFile;

/// Lines that all goldens together may have.
const MOST_LINES: usize = 30_000;

/// Programs that the tests of all packages may be: each is linked at every build.
const MOST_PROGRAMS: usize = 30;

/// Signs of a line that is no coincidence.
const LONG: usize = 40;

/// Of a hundred such lines, how many may stand in another golden too.
const MOST_COPIED: usize = 20;

/// Goldens that are too long together, and lines that stand in more than one of them.
pub fn breaches(files: &[TextFile]) -> Vec<Breach> {
    let goldens: Vec<&TextFile> = files
        .iter()
        .filter(|file| file.path.ends_with(".snap"))
        .collect();
    let mut found = Vec::new();
    let lines: usize = goldens
        .iter()
        .map(|golden| golden.text().lines().count())
        .sum();
    if lines > MOST_LINES {
        let words = format!("{lines} lines in all, and {MOST_LINES} are allowed");
        found.push(Breach::whole("*.snap", words));
    }
    let mut places: HashMap<&str, Vec<&str>> = HashMap::new();
    for golden in &goldens {
        for line in golden.text().lines().map(str::trim) {
            if line.chars().count() >= LONG {
                places.entry(line).or_default().push(&golden.path);
            }
        }
    }
    let long: usize = places.values().map(Vec::len).sum();
    let copied: Vec<&Vec<&str>> = places
        .values()
        .filter(|places| places.iter().any(|place| *place != places[0]))
        .collect();
    let number: usize = copied.iter().map(|places| places.len()).sum();
    if 100 * number > MOST_COPIED * long {
        let mut goldens: HashMap<&str, usize> = HashMap::new();
        for place in copied.into_iter().flatten() {
            *goldens.entry(place).or_default() += 1;
        }
        let most = goldens
            .iter()
            .max_by_key(|(place, count)| (**count, **place));
        let most = most.map(|(place, count)| format!("; {count} of them in {place}"));
        let words = format!(
            "{number} of {long} long lines stand in two goldens, and {MOST_COPIED} of 100 may{}",
            most.unwrap_or_default()
        );
        found.push(Breach::whole("*.snap", words));
    }
    found
}

/// Too many programs of tests, and manifests from which cargo would make more of them than they say.
pub fn programs(files: &[TextFile]) -> Vec<Breach> {
    let mut found = Vec::new();
    let mut programs = 0;
    for manifest in files
        .iter()
        .filter(|file| file.path.ends_with("Cargo.toml"))
    {
        let has = |line: &str| {
            manifest
                .text()
                .lines()
                .filter(|it| it.trim() == line)
                .count()
        };
        programs += has("[[test]]");
        let folder = manifest.path.trim_end_matches("Cargo.toml");
        let is_of_tests = |file: &TextFile| file.path.starts_with(&format!("{folder}tests/"));
        if has("autotests = false") == 0 && files.iter().any(is_of_tests) {
            let words = "without `autotests = false` each file in `tests` is a program of its own";
            found.push(Breach::whole(&manifest.path, words));
        }
    }
    if programs > MOST_PROGRAMS {
        let words = format!("{programs} programs of tests, and {MOST_PROGRAMS} are allowed");
        found.push(Breach::whole("Cargo.toml", words));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listed;

    #[test]
    fn programs_of_tests_are_counted_and_none_makes_itself() {
        let named = "[package]\nautotests = false\n\n[[test]]\nname = \"suite\"\n";
        let paths: Vec<String> = (0..=MOST_PROGRAMS)
            .map(|it| format!("{it}/Cargo.toml"))
            .collect();
        let files: Vec<TextFile> = paths
            .iter()
            .map(|path| TextFile::new(path, named))
            .collect();
        assert_eq!(programs(&files[1..]), []);
        let told = |files: &[TextFile]| listed(&programs(files));
        assert_eq!(
            told(&files),
            "Cargo.toml: 31 programs of tests, and 30 are allowed"
        );
        let own = TextFile::new("a/Cargo.toml", "[package]\n\n[[test]]\n");
        let test = TextFile::new("a/tests/main.rs", "");
        assert_eq!(programs(std::slice::from_ref(&own)), []);
        assert!(told(&[own, test]).starts_with("a/Cargo.toml: without `autotests"));
    }

    fn texts(goldens: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<TextFile> = goldens
            .iter()
            .map(|(path, text)| TextFile::new(path, text))
            .collect();
        breaches(&files)
            .into_iter()
            .map(|breach| breach.words)
            .collect()
    }

    #[test]
    fn goldens_that_grew_are_found() {
        let lines = "x\n".repeat(MOST_LINES);
        assert_eq!(texts(&[("a.snap", &lines)]), [""; 0]);
        assert_eq!(
            texts(&[("a.snap", &lines), ("b.snap", "x"), ("c.rs", "x")]),
            ["30001 lines in all, and 30000 are allowed"]
        );
    }

    #[test]
    fn a_golden_that_is_a_copy_is_found() {
        let line = |number: usize| format!("{number:02} {}\n", "x".repeat(LONG));
        let own: String = (0..50).map(line).collect();
        let few: String = (45..80).map(line).collect();
        let short = "x".repeat(LONG - 1);
        let twice = own.repeat(2);
        assert_eq!(texts(&[("a.snap", &own), ("b.snap", &few)]), [""; 0]);
        assert_eq!(texts(&[("a.snap", &short), ("b.snap", &short)]), [""; 0]);
        assert_eq!(texts(&[("a.snap", &twice)]), [""; 0]);
        assert_eq!(
            texts(&[("a.snap", &own), ("b.snap", &own), ("c.snap", &few)]),
            ["105 of 135 long lines stand in two goldens, and 20 of 100 may; 50 of them in b.snap"]
        );
    }
}
