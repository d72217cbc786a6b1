//! A scenario as lines: an action, and for what people do, the expected outcome.

/// A line of a scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Line in the file, from 1.
    pub number: usize,
    /// What happens.
    pub action: String,
    /// The expected outcome, after the last `->`; absent for clock, house and faults.
    pub expected: Option<String>,
}

/// The lines of a table. A line that begins with `#` is a comment; empty ones mean nothing.
pub fn read(text: &str) -> Vec<Line> {
    text.lines()
        .zip(1..)
        .map(|(line, number)| (line.trim(), number))
        .filter(|(line, _)| !line.is_empty() && !line.starts_with('#'))
        .map(|(line, number)| {
            let (action, expected) = match line.rsplit_once("->") {
                Some((action, expected)) => (action.trim(), Some(plain(expected))),
                None => (line, None),
            };
            Line {
                number,
                action: action.to_owned(),
                expected,
            }
        })
        .collect()
}

/// Words with one space between them.
fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn lines_are_read_with_their_numbers_and_outcomes() {
    let lines = read("# title\n\nclock +30s\nC1@T01 signs on   ->  ok   shift 1\n");
    assert_eq!(lines.len(), 2);
    assert_eq!((lines[0].number, lines[0].expected.as_deref()), (3, None));
    assert_eq!(lines[1].action, "C1@T01 signs on");
    assert_eq!(lines[1].expected.as_deref(), Some("ok shift 1"));
}
