//! Which planted faults a run plants: those of what changed since the last commit that passed, and
//! a fifth of all, another fifth at every commit.
//!
//! That commit stands in [`LAST_PASSED`], a file in the build's own folder, which `scripts/test`
//! writes once everything has passed on a clean tree. Where it is not known, or git does not say
//! what changed since, every fault runs; so they do where [`ALL_VARIABLE`] is set.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use sha2::{Digest as _, Sha256};

/// In the build's own folder: the last commit of which every test passed.
pub const LAST_PASSED: &str = "last-passed";

/// Set to anything, every planted fault runs.
pub const ALL_VARIABLE: &str = "BOULIER_PLANTED_ALL";

/// Names a file to which it is added which faults ran: the output of a test that passes is lost
/// between others.
pub const REPORT_VARIABLE: &str = "BOULIER_PLANTED_REPORT";

/// One of so many faults runs at a commit though nothing that it touches has changed.
const ONE_OF: u64 = 5;

/// What chooses: a change of it changes every choice.
const CHOOSER: &str = "schema/testing/src/planted.rs";

/// What is known of the tree since it last passed.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Since {
    /// Nothing, for this reason.
    Unknown(String),
    /// Which files are others than at a commit, or new; paths from the root of the repository.
    Commit {
        passed: String,
        head: String,
        changed: Vec<String>,
    },
}

/// Why a fault runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reason {
    All,
    Changed,
    Fifth,
}

/// Those of the faults that this run plants, in their order. `is_touched` says of a fault's name and
/// the path of a file, from the root of the repository, whether a change of the file is one of the
/// fault. Which they are is said to standard error, past what a test captures, and in the file that
/// [`REPORT_VARIABLE`] names.
pub fn chosen_faults<'a>(
    whose: &str,
    names: &[&'a str],
    is_touched: impl Fn(&str, &str) -> bool,
) -> Vec<&'a str> {
    let since = if std::env::var_os(ALL_VARIABLE).is_some() {
        Since::Unknown(format!("{ALL_VARIABLE} is set"))
    } else {
        Since::read(build_folder().as_deref(), Path::new("."))
    };
    let chosen = since.choose(names, is_touched);
    tell(&since.words(whose, names.len(), &chosen));
    chosen.into_iter().map(|(name, _)| name).collect()
}

/// The build's own folder, which has this program in it, once a commit stands there.
fn build_folder() -> Option<PathBuf> {
    let own = std::env::current_exe().ok()?;
    let mut folders = own.ancestors();
    let found = folders.find(|folder| folder.join(LAST_PASSED).is_file());
    found.map(Path::to_owned)
}

fn tell(words: &str) {
    // Who cannot be told is not kept from testing.
    let _ = writeln!(std::io::stderr(), "{words}");
    let Some(file) = std::env::var_os(REPORT_VARIABLE) else {
        return;
    };
    let mut options = std::fs::OpenOptions::new();
    let report = options.create(true).append(true).open(file);
    let _ = report.and_then(|mut report| writeln!(report, "{words}"));
}

/// What git says in a folder; nothing where it fails.
fn git(root: &Path, arguments: &[&str]) -> Option<String> {
    let mut command = Command::new("git");
    command.args(arguments).current_dir(root);
    let said = command.stdin(Stdio::null()).output().ok()?;
    let text = String::from_utf8(said.stdout).ok()?;
    said.status.success().then_some(text)
}

impl Since {
    fn read(build: Option<&Path>, root: &Path) -> Self {
        let passed =
            build.and_then(|folder| std::fs::read_to_string(folder.join(LAST_PASSED)).ok());
        let Some(passed) = passed.map(|text| text.trim().to_owned()) else {
            return Self::Unknown("no commit is known that passed".to_owned());
        };
        let is_commit = passed.len() >= 40 && passed.bytes().all(|sign| sign.is_ascii_hexdigit());
        let known = is_commit.then(|| Self::of(root, &passed)).flatten();
        known
            .unwrap_or_else(|| Self::Unknown(format!("what changed since {passed:?} is not known")))
    }

    fn of(folder: &Path, passed: &str) -> Option<Self> {
        let top = git(folder, &["rev-parse", "--show-toplevel"])?;
        let root = Path::new(top.trim_end());
        let head = git(root, &["rev-parse", "HEAD"])?.trim().to_owned();
        let list = ["--name-only", "-z", "--no-renames", "--relative"];
        let altered = git(root, &[&["diff"], &list[..], &[passed, "--"]].concat())?;
        let new = git(root, &["ls-files", "-z", "--others", "--exclude-standard"])?;
        let paths = altered.split('\0').chain(new.split('\0'));
        Some(Self::Commit {
            passed: passed.to_owned(),
            head,
            changed: paths
                .filter(|it| !it.is_empty())
                .map(str::to_owned)
                .collect(),
        })
    }

    fn choose<'a>(
        &self,
        names: &[&'a str],
        is_touched: impl Fn(&str, &str) -> bool,
    ) -> Vec<(&'a str, Reason)> {
        let reason_of = |name: &str| match self {
            Self::Unknown(_) => Some(Reason::All),
            Self::Commit { changed, .. } if changed.iter().any(|path| is_touched(name, path)) => {
                Some(Reason::Changed)
            }
            Self::Commit { changed, .. } if changed.iter().any(|path| path == CHOOSER) => {
                Some(Reason::Changed)
            }
            Self::Commit { head, .. } => is_of_the_fifth(head, name).then_some(Reason::Fifth),
        };
        let named = names.iter().copied();
        named
            .filter_map(|name| Some((name, reason_of(name)?)))
            .collect()
    }

    fn words(&self, whose: &str, of: usize, chosen: &[(&str, Reason)]) -> String {
        let (passed, head) = match self {
            Self::Unknown(why) => return format!("planted faults {whose}: all {of} ran ({why})"),
            Self::Commit { passed, head, .. } => (passed, head),
        };
        let count = |wanted| {
            chosen
                .iter()
                .filter(|(_, reason)| *reason == wanted)
                .count()
        };
        let names: Vec<&str> = chosen.iter().map(|(name, _)| *name).collect();
        format!(
            "planted faults {whose}: {} of {of} ran (changed since {:.8}: {}, a fifth of the others \
             by {head:.8}: {}): {}",
            chosen.len(),
            passed,
            count(Reason::Changed),
            count(Reason::Fifth),
            names.join(", ")
        )
    }
}

/// Whether a fault is among the fifth of a commit: as good as by chance, and the same each time.
fn is_of_the_fifth(head: &str, name: &str) -> bool {
    let hash = Sha256::digest(format!("{head} {name}"));
    let number = hash.iter().take(8).fold(0_u64, |sum, byte| {
        sum.wrapping_mul(256).wrapping_add(u64::from(*byte))
    });
    number.is_multiple_of(ONE_OF)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test's failure is its own report")]

    use std::collections::BTreeSet;
    use std::fs;

    use super::*;
    use crate::TestFolder;

    const NAMES: [&str; 4] = ["late_sale", "paid_twice", "any_role", "early_balls"];

    fn of_file(name: &str, path: &str) -> bool {
        path == format!("{name}.rs")
    }

    fn head(number: u64) -> String {
        hex::encode(Sha256::digest(number.to_be_bytes()))
    }

    fn since(number: u64, changed: &[&str]) -> Since {
        Since::Commit {
            passed: head(u64::MAX),
            head: head(number),
            changed: changed.iter().map(|path| (*path).to_owned()).collect(),
        }
    }

    fn names(chosen: &[(&'static str, Reason)]) -> BTreeSet<&'static str> {
        chosen.iter().map(|(name, _)| *name).collect()
    }

    type Chooser = fn(&Since) -> Vec<(&'static str, Reason)>;

    /// At how many of a hundred commits a choice leaves a fault out that was changed.
    fn left_out(choose: Chooser) -> usize {
        let commits = 0..100;
        let skips = commits.filter(|number| {
            let chosen = choose(&since(*number, &["any_role.rs", "README.md"]));
            !names(&chosen).contains("any_role")
        });
        skips.count()
    }

    #[test]
    fn what_changed_always_runs_and_a_choice_that_skips_it_is_seen() {
        assert_eq!(left_out(|since| since.choose(&NAMES, of_file)), 0);
        let planted: Chooser = |since| {
            let mut chosen = since.choose(&NAMES, of_file);
            chosen.retain(|(_, reason)| *reason != Reason::Changed);
            chosen
        };
        assert_eq!(left_out(planted), 100);
        let by_chance: Chooser = |since| since.choose(&NAMES, |_, _| false);
        assert!(left_out(by_chance) > 0);
    }

    #[test]
    fn a_fifth_is_the_same_for_a_commit_another_for_the_next_and_leaves_none_out_for_long() {
        let fifth = |number| names(&since(number, &["README.md"]).choose(&NAMES, of_file));
        assert_eq!(fifth(7), fifth(7));
        assert!((0..10).any(|number| fifth(number) != fifth(number + 1)));
        let count: usize = (0..2_000).map(|number| fifth(number).len()).sum();
        // A fifth of 8,000; five deviations to either side.
        assert!((1_420..=1_780).contains(&count), "{count}");
        let seen: BTreeSet<&str> = (0..40).flat_map(fifth).collect();
        assert_eq!(seen, BTreeSet::from(NAMES));
    }

    #[test]
    fn whoever_changes_the_choice_runs_all() {
        let changed = since(1, &["schema/testing/src/planted.rs"]);
        assert_eq!(changed.choose(&NAMES, of_file).len(), NAMES.len());
    }

    #[test]
    fn what_ran_is_said_in_a_line() {
        let unknown = Since::Unknown("no commit is known that passed".to_owned());
        let chosen = unknown.choose(&NAMES, of_file);
        assert_eq!(
            unknown.words("of the simulator", NAMES.len(), &chosen),
            "planted faults of the simulator: all 4 ran (no commit is known that passed)"
        );
        let known = Since::Commit {
            passed: "0123456789".repeat(4),
            head: "9876543210".repeat(4),
            changed: Vec::new(),
        };
        let chosen = [("any_role", Reason::Changed), ("late_sale", Reason::Fifth)];
        assert_eq!(
            known.words("of the simulator", NAMES.len(), &chosen),
            "planted faults of the simulator: 2 of 4 ran (changed since 01234567: 1, a fifth of \
             the others by 98765432: 1): any_role, late_sale"
        );
    }

    /// A repository with one commit, and the folder of a build beside it.
    fn repository() -> (TestFolder, PathBuf, PathBuf, String) {
        let folder = TestFolder::new().unwrap();
        let (root, build) = (folder.path().join("root"), folder.path().join("build"));
        fs::create_dir_all(&root).unwrap();
        fs::create_dir_all(&build).unwrap();
        for name in NAMES {
            fs::write(root.join(format!("{name}.rs")), "sound").unwrap();
        }
        let commit = [
            "-c",
            "user.name=x",
            "-c",
            "user.email=x",
            "commit",
            "-q",
            "-m",
            "x",
        ];
        for arguments in [&["init", "-q"][..], &["add", "."], &commit] {
            assert!(git(&root, arguments).is_some(), "git {arguments:?}");
        }
        let passed = git(&root, &["rev-parse", "HEAD"]).unwrap();
        (folder, root, build, passed)
    }

    #[test]
    fn git_says_what_changed_since_the_commit_that_passed() {
        let (_folder, root, build, passed) = repository();
        let read = || Since::read(Some(&build), &root);
        let is_all = |since: &Since| {
            let chosen = since.choose(&NAMES, of_file);
            chosen.len() == NAMES.len() && chosen.iter().all(|it| it.1 == Reason::All)
        };
        // Unknown, no commit, and one that is not there.
        assert!(is_all(&read()));
        assert!(is_all(&Since::read(None, &root)));
        for nothing in ["", "main", &"0".repeat(40)] {
            fs::write(build.join(LAST_PASSED), nothing).unwrap();
            assert!(is_all(&read()), "{nothing:?}");
        }
        fs::write(build.join(LAST_PASSED), &passed).unwrap();
        assert!(is_all(&Since::read(Some(&build), &build)), "no repository");
        let changed = || match read() {
            Since::Commit { changed, .. } => changed,
            Since::Unknown(why) => panic!("{why}"),
        };
        assert_eq!(changed(), Vec::<String>::new());
        // Changed and not committed, new, taken away.
        fs::write(root.join("any_role.rs"), "not sound").unwrap();
        fs::write(root.join("new.rs"), "new").unwrap();
        fs::remove_file(root.join("late_sale.rs")).unwrap();
        assert_eq!(changed(), ["any_role.rs", "late_sale.rs", "new.rs"]);
        // And what was committed since.
        assert!(git(&root, &["add", "any_role.rs"]).is_some());
        assert_eq!(changed(), ["any_role.rs", "late_sale.rs", "new.rs"]);
    }
}
