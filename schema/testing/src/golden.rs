//! Goldens: what a program said when somebody last looked at it, as text beside the tests.
//!
//! A test that says something else fails and shows the difference. To accept what it says now:
//!
//! ```text
//! INSTA_UPDATE=always cargo test -p PACKAGE --test TEST
//! ```
//!
//! then read `git diff`, and commit it with the reason.

use std::path::PathBuf;
use std::process::Command;

/// A folder of goldens.
#[derive(Debug, Clone)]
pub struct Goldens {
    folder: PathBuf,
}

impl Goldens {
    /// The goldens in a folder, named from the root of its package:
    /// `Goldens::of(env!("CARGO_MANIFEST_DIR"), "tests/goldens/papers")`.
    pub fn of(package: &str, folder: &str) -> Self {
        Self {
            folder: PathBuf::from(package).join(folder),
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
        text.push_str(&format!("## {} --help\n\n{help}\n", command.join(" ")));
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

/// A JSON text over lines, each field and element on its own but those of a list of plain values:
/// no other sign is changed, and fields keep their order, so that two texts are alike only where
/// the bytes are.
pub fn lines_of_json(text: &str) -> String {
    let mut lines = String::new();
    let mut depth = 0_usize;
    let mut rest = text;
    while let Some(sign) = rest.chars().next() {
        let whole = match sign {
            '"' => string_at(rest),
            '[' => plain_list_at(rest),
            '{' if rest.starts_with("{}") => 2,
            _ => 0,
        };
        let (taken, after) = rest.split_at(if whole > 0 { whole } else { sign.len_utf8() });
        rest = after;
        match sign {
            '{' | '[' if whole == 0 => {
                depth += 1;
                lines.push(sign);
                new_line(&mut lines, depth);
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                new_line(&mut lines, depth);
                lines.push(sign);
            }
            ',' => {
                lines.push(sign);
                new_line(&mut lines, depth);
            }
            _ => lines.push_str(taken),
        }
    }
    lines
}

/// Bytes of the string that a text begins with; to the end if it has none.
fn string_at(text: &str) -> usize {
    let mut escaped = true;
    for (at, sign) in text.char_indices() {
        if sign == '"' && !escaped {
            return at + 1;
        }
        // The first sign opens the string.
        escaped = at > 0 && sign == '\\' && !escaped;
    }
    text.len()
}

/// Bytes of the list that a text begins with, if it holds neither lists nor objects; else 0.
fn plain_list_at(text: &str) -> usize {
    let mut at = 1;
    while let Some(sign) = text.get(at..).and_then(|rest| rest.chars().next()) {
        match sign {
            ']' => return at + 1,
            '[' | '{' => return 0,
            '"' => at += string_at(text.get(at..).unwrap_or_default()),
            _ => at += sign.len_utf8(),
        }
    }
    0
}

fn new_line(lines: &mut String, depth: usize) {
    lines.push('\n');
    lines.extend(std::iter::repeat_n(' ', 2 * depth));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_field_has_its_line_and_no_sign_is_lost() {
        let text = r#"{"b":[1,{}],"a":"x, \"{y}\\","c":[],"d":{"e":null},"f":[1,"],",3]}"#;
        let lines = lines_of_json(text);
        let wanted = r#"{
  "b":[
    1,
    {}
  ],
  "a":"x, \"{y}\\",
  "c":[],
  "d":{
    "e":null
  },
  "f":[1,"],",3]
}"#;
        assert_eq!(lines, wanted);
        let without = |text: &str| text.replace(['\n', ' '], "");
        assert_eq!(without(&lines), without(text));
    }
}
