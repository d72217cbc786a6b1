//! The repository's own files.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A file of the repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextFile {
    /// From the root, with `/`.
    pub path: String,
    /// What it says; `None` when it is not text.
    pub text: Option<String>,
}

impl TextFile {
    /// A file as a rule's test hands it in.
    pub fn new(path: &str, text: &str) -> Self {
        Self {
            path: path.to_owned(),
            text: Some(text.to_owned()),
        }
    }

    /// The text, empty when it is none.
    pub fn text(&self) -> &str {
        self.text.as_deref().unwrap_or_default()
    }
}

/// Folders that hold what was built or run, never what was written.
const NOT_OURS: &[&str] = &[
    "target",
    "node_modules",
    "output",
    "demo-data",
    "data",
    ".git",
];

/// The root of the repository in which this runs: the nearest folder that has a `Cargo.lock`. Asked at
/// run time, since clones that share a build folder share this program.
pub fn root() -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    let mut folders = here.ancestors();
    let top = folders.find(|folder| folder.join("Cargo.lock").is_file());
    top.unwrap_or(&here).to_owned()
}

/// Every tracked file that is there; without git (an unpacked archive), every file.
///
/// # Errors
/// When the folder cannot be read.
pub fn files() -> std::io::Result<Vec<TextFile>> {
    let root = root();
    let mut paths = match tracked(&root) {
        Some(paths) => paths,
        None => walked(&root)?,
    };
    paths.sort();
    paths.dedup();
    let mut files = Vec::with_capacity(paths.len());
    for path in paths {
        let full = root.join(&path);
        // Taken out of the folder and not yet out of the index; or a link.
        if !std::fs::symlink_metadata(&full).is_ok_and(|about| about.is_file()) {
            continue;
        }
        let text = String::from_utf8(std::fs::read(&full)?).ok();
        files.push(TextFile { path, text });
    }
    Ok(files)
}

fn tracked(root: &Path) -> Option<Vec<String>> {
    let output = Command::new("git")
        .args(["ls-files", "-z"])
        .current_dir(root)
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let listing = String::from_utf8(output.stdout).ok()?;
    let paths: Vec<String> = listing
        .split('\0')
        .filter(|path| !path.is_empty())
        .map(str::to_owned)
        .collect();
    (output.status.success() && !paths.is_empty()).then_some(paths)
}

/// Every file below the root that was written and not built.
fn walked(root: &Path) -> std::io::Result<Vec<String>> {
    let mut paths = Vec::new();
    let mut waiting = vec![root.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let entry = entry?;
            let is_ours = !NOT_OURS.iter().any(|name| entry.file_name() == *name);
            let kind = entry.file_type()?;
            if kind.is_dir() && is_ours {
                waiting.push(entry.path());
            } else if kind.is_file()
                && let Ok(path) = entry.path().strip_prefix(root)
            {
                paths.push(path.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_of_listing_find_this_very_file() {
        let here = "tidy/src/repository.rs".to_owned();
        let walked = walked(&root()).unwrap();
        assert!(walked.contains(&here));
        assert!(!walked.iter().any(|path| path.starts_with("target/")));
        let files = files().unwrap();
        let found = files
            .iter()
            .find(|file| file.path == "tidy/Cargo.toml")
            .unwrap();
        assert!(found.text().contains("keno-tidy"));
    }
}
