//! Patches of the product, each of which plants one fault; all of them in one text.
//!
//! A patch is a sentence that says what the mistake is, and under it what `git diff` prints. Where
//! a hunk goes is found by its lines alone, so that the product may move; they must stand at one
//! place, and no two patches may change the same line. All hunks are found in the product as it
//! stands: no patch waits for another.

use std::path::Path;
use std::{fs, io};

/// Where the patches lie, and of what sort the faults of each folder are.
pub const FOLDERS: [&str; 2] = ["mistakes", "doors"];

/// One fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Patch {
    /// As its file is called, without the ending.
    pub name: String,
    /// Which of [`FOLDERS`] it lies in.
    pub folder: &'static str,
    /// What mistake it is.
    pub sentence: String,
    /// What it changes.
    pub hunks: Vec<Hunk>,
}

/// A change at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    /// The file, from the root of the repository.
    pub file: String,
    /// Each line as it stands in the patch: after a space if it stays, `-` if it goes, `+` if it
    /// comes.
    pub lines: Vec<String>,
}

/// A run of lines that is replaced by others.
struct Edit<'a> {
    patch: &'a str,
    from: usize,
    to: usize,
    put: Vec<&'a str>,
}

/// Every patch in the folder of this file, by folder and name.
///
/// # Errors
/// A folder that cannot be read, or a file that is no patch.
pub fn read_all(folder: &Path) -> io::Result<Vec<Patch>> {
    let mut all = Vec::new();
    for kind in FOLDERS {
        for entry in fs::read_dir(folder.join(kind))? {
            let path = entry?.path();
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let text = fs::read_to_string(&path)?;
            let patch = read(&name, kind, &text)
                .map_err(|words| io::Error::other(format!("{}: {words}", path.display())))?;
            all.push(patch);
        }
    }
    all.sort_by(|one, other| (one.folder, &one.name).cmp(&(other.folder, &other.name)));
    Ok(all)
}

/// A patch out of the text of its file, or the words of what is wrong with it.
fn read(name: &str, folder: &'static str, text: &str) -> Result<Patch, String> {
    let mut lines = text.lines().peekable();
    let sentence = lines.next().unwrap_or_default();
    if !sentence.ends_with('.') || lines.next() != Some("") {
        return Err("its first line is to be a sentence, and its second empty".to_owned());
    }
    let (mut file, mut hunks) = (None, Vec::<Hunk>::new());
    while let Some(line) = lines.next() {
        if let Some(path) = line.strip_prefix("+++ b/") {
            file = Some(path.to_owned());
        } else if line.starts_with("@@ ") {
            let Some(file) = file.clone() else {
                return Err("a hunk is of no file".to_owned());
            };
            let mut hunk = Hunk {
                file,
                lines: Vec::new(),
            };
            while let Some(line) = lines.next_if(|line| !is_head(line)) {
                if !line.starts_with([' ', '-', '+', '\\']) && !line.is_empty() {
                    return Err(format!("a hunk has a line {line:?}"));
                }
                hunk.lines.push(line.to_owned());
            }
            hunks.push(hunk);
        }
    }
    if hunks.is_empty() {
        return Err("it changes nothing".to_owned());
    }
    Ok(Patch {
        name: name.to_owned(),
        folder,
        sentence: sentence.to_owned(),
        hunks,
    })
}

fn is_head(line: &str) -> bool {
    line.starts_with("@@ ") || line.starts_with("diff ")
}

/// The text of a file with everything planted in it that fits, and the words of what does not.
pub fn plant_all(patches: &[Patch], file: &str, text: &str) -> (String, Vec<String>) {
    let lines: Vec<&str> = text.lines().collect();
    let (mut edits, mut wrong) = (Vec::new(), Vec::new());
    for patch in patches {
        for hunk in patch.hunks.iter().filter(|hunk| hunk.file == file) {
            match edits_of(patch, hunk, &lines) {
                Ok(found) => edits.extend(found),
                Err(words) => wrong.push(words),
            }
        }
    }
    edits.sort_by_key(|edit| (edit.from, edit.to));
    let (mut planted, mut done, mut last) = (Vec::new(), 0, "");
    for edit in edits {
        if edit.from < done {
            wrong.push(format!(
                "{last} and {} change the same line of {file}: plant one of them by a line of \
                 its own.",
                edit.patch
            ));
            continue;
        }
        planted.extend_from_slice(&lines[done..edit.from]);
        planted.extend(edit.put);
        (done, last) = (edit.to, edit.patch);
    }
    planted.extend_from_slice(&lines[done..]);
    (planted.join("\n") + "\n", wrong)
}

/// Where a hunk changes the lines of its file, and to what.
fn edits_of<'a>(patch: &'a Patch, hunk: &'a Hunk, lines: &[&str]) -> Result<Vec<Edit<'a>>, String> {
    let before: Vec<&str> = hunk
        .lines
        .iter()
        .filter(|line| !line.starts_with(['+', '\\']))
        .map(|line| line.get(1..).unwrap_or_default())
        .collect();
    let places = lines.windows(before.len().max(1)).enumerate();
    let places: Vec<usize> = places
        .filter(|(_, window)| *window == before)
        .map(|(at, _)| at)
        .collect();
    let [start] = places[..] else {
        return Err(format!(
            "{} ({}) stands at {} places of {} where it is to stand at one: \
             central/sim/planted/renew makes it again, or tells you to. It looks for:\n{}",
            patch.name,
            patch.folder,
            places.len(),
            hunk.file,
            before.join("\n")
        ));
    };
    let mut edits: Vec<Edit<'a>> = Vec::new();
    let (mut at, mut is_open) = (start, false);
    for line in &hunk.lines {
        let sign = line.chars().next().unwrap_or(' ');
        if matches!(sign, ' ' | '\\') {
            at += usize::from(sign == ' ');
            is_open = false;
            continue;
        }
        if !is_open {
            edits.push(Edit {
                patch: &patch.name,
                from: at,
                to: at,
                put: Vec::new(),
            });
            is_open = true;
        }
        let Some(edit) = edits.last_mut() else {
            continue;
        };
        if sign == '-' {
            at += 1;
            edit.to = at;
        } else {
            edit.put.push(&line[1..]);
        }
    }
    Ok(edits)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "a\nb\nc\nd\ne\nb\n";

    fn patch(name: &str, lines: &str) -> Patch {
        let text = format!("A mistake.\n\ndiff x\n--- a/f\n+++ b/f\n@@ -9 +9 @@ g\n{lines}");
        read(name, "doors", &text).unwrap_or_else(|words| panic!("{words}"))
    }

    fn planted(patches: &[Patch]) -> (String, Vec<String>) {
        plant_all(patches, "f", TEXT)
    }

    #[test]
    fn patches_of_one_file_are_planted_together_wherever_they_stand() {
        let inserted = patch("inserted", " c\n+1\n d\n");
        let replaced = patch("replaced", " b\n-c\n+2\n+3\n d\n");
        let twice = patch("twice", " a\n-b\n+4\n c\n+5\n d\n-e\n b\n");
        let other = Patch {
            hunks: vec![Hunk {
                file: "g".to_owned(),
                lines: vec!["-a".to_owned()],
            }],
            ..inserted.clone()
        };
        assert_eq!(
            planted(&[inserted.clone(), replaced.clone(), other]),
            ("a\nb\n2\n3\n1\nd\ne\nb\n".to_owned(), vec![])
        );
        assert_eq!(
            planted(&[inserted, replaced, twice]),
            ("a\n4\n2\n3\n1\n5\nd\nb\n".to_owned(), vec![])
        );
    }

    #[test]
    fn a_patch_that_does_not_fit_any_more_and_two_on_one_line_are_told() {
        let moved = patch("moved", " c\n+1\n e\n");
        let anywhere = patch("anywhere", "-b\n+1\n");
        let one = patch("one", " c\n-d\n+1\n e\n");
        let two = patch("two", " c\n-d\n+2\n e\n");
        let (text, wrong) = planted(&[moved, anywhere, one, two]);
        assert_eq!(text, "a\nb\nc\n1\ne\nb\n");
        assert_eq!(wrong.len(), 3, "{wrong:?}");
        assert!(wrong[0].starts_with("moved (doors) stands at 0 places of f "));
        assert!(wrong[1].starts_with("anywhere (doors) stands at 2 places of f "));
        assert!(wrong[2].starts_with("one and two change the same line of f: "));
    }

    #[test]
    fn what_is_no_patch_is_told() {
        let told = |text: &str| read("x", "doors", text).err().unwrap_or_default();
        assert!(told("").starts_with("its first line"));
        assert!(told("A mistake.\ndiff\n").starts_with("its first line"));
        assert_eq!(told("A mistake.\n\n"), "it changes nothing");
        assert_eq!(told("A mistake.\n\n@@ -1 +1 @@\n"), "a hunk is of no file");
        assert!(told("A mistake.\n\n+++ b/f\n@@ -1 +1 @@\nx\n").starts_with("a hunk has a line"));
    }
}
