//! Many texts of a few shapes: one whole, of the others what is different.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;

use super::rows::folded;
use similar::{Algorithm, DiffOp, capture_diff_slices};

/// Signs of a line that say where something is different.
const LABEL: usize = 60;

/// Texts of a golden. The first of a shape stands whole; a later one says which it is as, and the
/// lines that it has not (`-`) and has instead (`+`), each time behind the line that comes before
/// (`@`). Rows that are alike but for one number are one line. Nothing is lost: from the golden each text can be made again, sign for sign.
#[derive(Debug, Clone, Default)]
pub struct Shapes {
    /// How often each title was used.
    titles: BTreeMap<String, usize>,
    wholes: Vec<(String, Vec<String>)>,
    text: String,
}

impl Shapes {
    /// The golden so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Takes a text that stands elsewhere as one of the shapes: what is as it says so, and where.
    pub fn know(&mut self, title: &str, text: &str) {
        let lines = folded(&lines_of(text));
        self.wholes.push((title.to_owned(), lines));
    }

    /// Puts in a text under a title. What stands in the heading is never left out.
    pub fn put(&mut self, title: &str, heading: &str, text: &str) {
        let lines = folded(&lines_of(text));
        let times = self.titles.entry(title.to_owned()).or_default();
        *times += 1;
        let title = match times {
            1 => title.to_owned(),
            times => format!("{title}, {times}"),
        };
        self.text.push_str(&format!("## {title}\n"));
        if !heading.is_empty() {
            self.text.push_str(&format!("{}\n", heading.trim_end()));
        }
        let nearest = self
            .wholes
            .iter()
            .map(|(of, whole)| (of, changes(whole, &lines)))
            .min_by_key(|(_, differences)| differences.lines().count());
        match nearest {
            Some((of, differences)) if 2 * differences.lines().count() < lines.len() => {
                let but = if differences.is_empty() { "" } else { ", but" };
                self.text
                    .push_str(&format!("as \"{of}\"{but}\n{differences}\n"));
            }
            _ => {
                self.text.push_str(&format!("{}\n\n", lines.join("\n")));
                self.wholes.push((title, lines));
            }
        }
    }
}

/// What is different in the second text, and behind which lines of the first: the lines that it has
/// not (`-`) and has instead (`+`), each time behind the line that comes before (`@`).
pub fn differences(text: &str, other: &str) -> String {
    changes(&lines_of(text), &lines_of(other))
}

fn lines_of(text: &str) -> Vec<String> {
    text.trim_end().lines().map(str::to_owned).collect()
}

fn changes(whole: &[String], other: &[String]) -> String {
    let mut text = String::new();
    for change in capture_diff_slices(Algorithm::Patience, whole, other) {
        if matches!(change, DiffOp::Equal { .. }) {
            continue;
        }
        let (old, new) = (change.old_range(), change.new_range());
        text.push_str(&place(whole, old.start));
        for (sign, lines) in [('-', of(whole, old)), ('+', of(other, new))] {
            for line in lines {
                text.push_str(&format!("{sign}{line}\n"));
            }
        }
    }
    text
}

fn of(lines: &[String], range: Range<usize>) -> &[String] {
    lines.get(range).unwrap_or_default()
}

fn label(line: &str) -> String {
    line.trim().chars().take(LABEL).collect()
}

/// The line before a place; if it stands elsewhere too, the last before it that does not, and how
/// many follow. The first line needs no words.
fn place(lines: &[String], at: usize) -> String {
    let before = of(lines, 0..at);
    let once = |one: &String| {
        lines
            .iter()
            .filter(|line| label(line) == label(one))
            .count()
            == 1
    };
    let mut text = String::new();
    match before.iter().rposition(once) {
        Some(known) => {
            let further = before.len() - known - 1;
            let name = before
                .get(known)
                .map(|line| label(line))
                .unwrap_or_default();
            let _ = write!(text, "@ {name}");
            if further > 0 {
                let _ = write!(text, " + {further}");
            }
            text.push('\n');
        }
        None if before.is_empty() => {}
        None => {
            let _ = writeln!(text, "@ + {}", before.len());
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = "a\n{\n  b\n}\n{\n  c\n}\nd\nrow 1\nrow 2\nrow 3\nrow 4\ne\nf\ng\nh";

    fn held(texts: &[&str]) -> String {
        let mut shapes = Shapes::default();
        for (number, text) in texts.iter().enumerate() {
            shapes.put(&format!("{number}"), "heading", text);
        }
        shapes.text().to_owned()
    }

    #[test]
    fn one_of_a_shape_is_whole_and_of_the_others_what_is_different() {
        let other = WHOLE.replace("  c", "  x");
        let far = "another";
        let text = held(&[WHOLE, WHOLE, &other, far]);
        let folded = WHOLE.replace("row 1\nrow 2\nrow 3\nrow 4", "row {1, 2, 3, 4}");
        let wanted = format!(
            "## 0\nheading\n{folded}\n\n## 1\nheading\nas \"0\"\n\n\
             ## 2\nheading\nas \"0\", but\n@ b + 2\n-  c\n+  x\n\n## 3\nheading\nanother\n\n"
        );
        assert_eq!(text, wanted);
    }

    /// Every change of a text changes the golden: a line that is changed, dropped, doubled or put
    /// elsewhere, wherever it stands.
    #[test]
    fn no_two_texts_have_the_same_golden() {
        let lines: Vec<&str> = WHOLE.lines().collect();
        let mut texts = vec![WHOLE.to_owned()];
        for at in 0..lines.len() {
            let mut changed = lines.clone();
            changed[at] = "changed";
            texts.push(changed.join("\n"));
            let mut dropped = lines.clone();
            let line = dropped.remove(at);
            texts.push(dropped.join("\n"));
            for to in 0..=dropped.len() {
                let mut moved = dropped.clone();
                moved.insert(to, line);
                texts.push(moved.join("\n"));
                let mut doubled = lines.clone();
                doubled.insert(to, line);
                texts.push(doubled.join("\n"));
            }
        }
        texts.sort();
        texts.dedup();
        let mut goldens: Vec<String> = texts.iter().map(|text| held(&[WHOLE, text])).collect();
        assert!(
            goldens
                .iter()
                .filter(|text| text.contains("as \"0\""))
                .count()
                > 200
        );
        goldens.sort();
        goldens.dedup();
        assert_eq!(goldens.len(), texts.len());
    }
}
