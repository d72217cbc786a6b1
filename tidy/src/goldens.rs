//! How much the goldens say, and that they do not say it twice.
//!
//! A golden that nobody can read is accepted unread, and of one that is a copy of another the second
//! tells nothing. `Shapes` of keno-testing holds one text of a shape and of the others what is
//! different.

use std::collections::HashMap;

use crate::Breach;
use crate::repository::TextFile;

/// Lines that all goldens together may have.
const MOST_LINES: usize = 30_000;

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

#[cfg(test)]
mod tests {
    use super::*;

    fn told(goldens: &[(&str, &str)]) -> Vec<String> {
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
        assert_eq!(told(&[("a.snap", &lines)]), [""; 0]);
        assert_eq!(
            told(&[("a.snap", &lines), ("b.snap", "x"), ("c.rs", "x")]),
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
        assert_eq!(told(&[("a.snap", &own), ("b.snap", &few)]), [""; 0]);
        assert_eq!(told(&[("a.snap", &short), ("b.snap", &short)]), [""; 0]);
        assert_eq!(told(&[("a.snap", &twice)]), [""; 0]);
        assert_eq!(
            told(&[("a.snap", &own), ("b.snap", &own), ("c.snap", &few)]),
            ["105 of 135 long lines stand in two goldens, and 20 of 100 may; 50 of them in b.snap"]
        );
    }
}
