//! Goldens: what a program said when somebody last looked at it, as text beside the tests.
//!
//! A test that says something else fails and shows the difference. To accept what it says now:
//!
//! ```text
//! INSTA_UPDATE=always cargo test -p PACKAGE --test TEST
//! ```
//!
//! then read `git diff`, and commit it with the reason.

mod json;
mod redact;
mod rows;
mod shapes;

use std::path::PathBuf;
use std::process::Command;

pub use json::{lines_of_json, tight_json};
pub use redact::redacted;
pub use shapes::{Shapes, differences};

/// A folder of goldens.
#[derive(Debug, Clone)]
pub struct Goldens {
    folder: PathBuf,
}

impl Goldens {
    /// The goldens in a folder of the package whose test runs: `Goldens::of("tests/goldens/papers")`.
    ///
    /// # Panics
    /// Where the test's own folder is gone.
    pub fn of(folder: &str) -> Self {
        Self {
            folder: std::path::absolute(folder).unwrap_or_else(|fault| panic!("{folder}: {fault}")),
        }
    }

    /// Panics unless the golden of this name says the text, without regard to empty lines at the
    /// ends.
    #[track_caller]
    pub fn hold(&self, name: &str, text: &str) {
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(&self.folder);
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!(name, text));
    }
}

/// What a program says to `--help`, and each of its commands, and each of theirs.
///
/// # Panics
/// When it cannot be run, or says no help.
pub fn help_of(program: &str) -> String {
    let mut text = String::new();
    let mut waiting: Vec<Vec<String>> = vec![Vec::new()];
    while let Some(command) = waiting.pop() {
        // Without an environment, of which the help would say the values.
        let said = Command::new(program)
            .args(&command)
            .arg("--help")
            .env_clear()
            .output()
            .unwrap_or_else(|fault| panic!("{program}: {fault}"));
        let help = String::from_utf8_lossy(&said.stdout).into_owned();
        assert!(said.status.success(), "{command:?}: {help}");
        text.push_str(&format!("## {} --help\n", command.join(" ")));
        for line in help.lines().filter(|line| !line.trim().is_empty()) {
            text.push_str(&format!("{line}\n"));
        }
        let listed = help.split("\nCommands:\n").nth(1).unwrap_or_default();
        let names = listed
            .lines()
            .take_while(|line| line.starts_with("  "))
            .filter(|line| !line.starts_with("   "))
            .filter_map(|line| line.split_whitespace().next())
            .filter(|name| *name != "help");
        let mut below: Vec<Vec<String>> = names
            .map(|name| command.iter().cloned().chain([name.to_owned()]).collect())
            .collect();
        below.reverse();
        waiting.append(&mut below);
    }
    text
}
