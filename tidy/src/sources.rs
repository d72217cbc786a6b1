//! Rules for single source files and manifests.

use std::collections::BTreeMap;

use crate::Breach;
use crate::code::{code_only, has_word, without_tests};
use crate::repository::TextFile;

/// A file of more lines than this holds more than one subject.
pub const LINES_MAX: usize = 800;

/// Folders of code that cannot fail on account of the world.
const PURE: &[&str] = &["schema/game/src/", "schema/log/src/", "terminal/slip/src/"];

/// Folders of code that computes money or proves it: exact, so without floats.
const EXACT: &[&str] = &["schema/game/src/", "schema/log/src/", "schema/audit/src/"];

/// Modules of the standard library that reach the world.
const STD_WORLD: &[&str] = &["fs", "net", "time", "env", "process", "thread", "os"];

/// Other words by which code reaches the world.
const WORLD: &[&str] = &[
    "SystemTime",
    "Instant",
    "RandomState",
    "rand::",
    "getrandom",
    "chrono",
    "diesel",
    "tokio",
    "rustix",
    "stdin()",
    "stdout()",
    "print!",
    "println!",
    "eprint!",
    "eprintln!",
];

/// What is left open. Written in two parts, so that this file does not break its own rule.
const LEFT_OPEN: &[&str] = &[
    concat!("to", "do!"),
    concat!("unimple", "mented!"),
    concat!("db", "g!"),
    concat!("FIX", "ME"),
    concat!("XX", "X"),
];

/// Tests that do not run, or cannot fail, or depend on how fast the machine is.
const HOLLOW: &[&str] = &[
    concat!("#[ig", "nore"),
    concat!("assert!(tr", "ue"),
    concat!("thread::sl", "eep"),
    concat!("time::sl", "eep"),
];

/// The same in JavaScript.
const HOLLOW_SCRIPT: &[&str] = &[
    concat!("test.sk", "ip("),
    concat!("describe.sk", "ip("),
    concat!("it.sk", "ip("),
    concat!("test.fix", "me("),
    concat!(".on", "ly("),
    concat!("waitForTime", "out("),
];

fn is_rust(file: &TextFile) -> bool {
    file.path.ends_with(".rs")
}

fn is_script(file: &TextFile) -> bool {
    [".js", ".mjs", ".ts"]
        .iter()
        .any(|end| file.path.ends_with(end))
}

fn lies_in(file: &TextFile, folders: &[&str]) -> bool {
    folders.iter().any(|folder| file.path.starts_with(folder))
}

/// A tests' folder, or a file of tests beside the code.
fn is_test(file: &TextFile) -> bool {
    let path = format!("/{}", file.path);
    path.contains("/tests/") || path.contains("/e2e/") || path.ends_with("_tests.rs")
}

/// The first line that holds one of the words, of each line that does.
fn lines_with(file: &TextFile, text: &str, words: &[&str], tell: &str) -> Vec<Breach> {
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if let Some(word) = words.iter().find(|word| has_word(line, word)) {
            found.push(Breach::line(
                &file.path,
                index + 1,
                format!("{word} {tell}"),
            ));
        }
    }
    found
}

/// Every module says what it is for, in its first line: who opens a file learns whether it is the
/// right one.
pub fn without_head(file: &TextFile) -> Vec<Breach> {
    let is_module = is_rust(file) && format!("/{}", file.path).contains("/src/");
    if !is_module || file.text().starts_with("//! ") {
        return Vec::new();
    }
    vec![Breach::line(
        &file.path,
        1,
        "does not begin with //! and what the module is for",
    )]
}

/// A file with two subjects becomes two files.
pub fn too_long(file: &TextFile) -> Vec<Breach> {
    let lines = file.text().lines().count();
    if !is_rust(file) || lines <= LINES_MAX {
        return Vec::new();
    }
    vec![Breach::whole(
        &file.path,
        format!("has {lines} lines, of {LINES_MAX} at most"),
    )]
}

/// What is left open is done or taken out before it is kept.
pub fn left_open(file: &TextFile) -> Vec<Breach> {
    let is_page = file.path.ends_with(".html") || file.path.ends_with(".css");
    if !is_rust(file) && !is_script(file) && !is_page {
        return Vec::new();
    }
    lines_with(file, file.text(), LEFT_OPEN, "is left open")
}

/// A test runs, can fail, and does not wait on a wall clock.
pub fn hollow_tests(file: &TextFile) -> Vec<Breach> {
    let tell = "makes a test that does not run, cannot fail or waits on a wall clock";
    if is_rust(file) {
        // An attribute stands in the code; sleeping is right nowhere, and clippy sees to it
        // outside of the tests.
        let (everywhere, in_tests) = HOLLOW.split_at(2);
        let code = code_only(file.text());
        let mut found = lines_with(file, &code, everywhere, tell);
        if is_test(file) {
            found.extend(lines_with(file, &code, in_tests, tell));
        }
        return found;
    }
    if is_script(file) && is_test(file) {
        return lines_with(file, file.text(), HOLLOW_SCRIPT, tell);
    }
    Vec::new()
}

/// The ground floor cannot fail on account of the world: no file, network, clock, chance or
/// printing. Time and seeds are arguments.
pub fn reaches_the_world(file: &TextFile) -> Vec<Breach> {
    if !is_rust(file) || !lies_in(file, PURE) {
        return Vec::new();
    }
    let tell = "reaches the world, and this code is pure";
    let code = code_only(file.text());
    let mut found = lines_with(file, &code, WORLD, tell);
    for (index, _) in code.match_indices("std::") {
        let rest = code.get(index + "std::".len()..).unwrap_or_default();
        let line = code.get(..index).unwrap_or_default().lines().count().max(1);
        let names: Vec<&str> = match rest.strip_prefix('{') {
            // `use std::{fs, io::Write};`, of which only the first step of each path matters.
            Some(group) => group
                .split(';')
                .next()
                .unwrap_or_default()
                .split([',', '{'])
                .collect(),
            None => vec![rest],
        };
        for name in names {
            let name = name
                .trim()
                .split(|one: char| !one.is_alphanumeric() && one != '_')
                .next();
            if let Some(module) = STD_WORLD.iter().find(|module| name == Some(module)) {
                found.push(Breach::line(
                    &file.path,
                    line,
                    format!("std::{module} {tell}"),
                ));
            }
        }
    }
    found
}

/// Every statement stands in the record's store: keno-central has none of its own.
pub fn states_sql(file: &TextFile) -> Vec<Breach> {
    if !is_rust(file) || !file.path.starts_with("central/src/") {
        return Vec::new();
    }
    let tell = "is for statements, which stand in central/record/src/store/";
    let code = code_only(&without_tests(file.text()));
    lines_with(file, &code, &["diesel", "on!"], tell)
}

/// Money and proofs are exact: no float, by name or as a number with a point.
pub fn has_float(file: &TextFile) -> Vec<Breach> {
    if !is_rust(file) || !lies_in(file, EXACT) {
        return Vec::new();
    }
    // The names not even in a comment: there is nothing to say about them here.
    let names = [concat!("f", "32"), concat!("f", "64")];
    let mut found = lines_with(file, file.text(), &names, "is not exact");
    for (index, line) in code_only(file.text()).lines().enumerate() {
        if has_point_number(line) {
            found.push(Breach::line(
                &file.path,
                index + 1,
                "a number with a point is not exact",
            ));
        }
    }
    found
}

/// Whether a line holds a number such as `0.65`; `pair.0.1` and `1..20` are none.
fn has_point_number(code: &str) -> bool {
    let bytes = code.as_bytes();
    let digit = |place: usize| bytes.get(place).is_some_and(u8::is_ascii_digit);
    code.match_indices('.').any(|(point, _)| {
        let digits = bytes.get(..point).unwrap_or_default();
        let whole = digits
            .iter()
            .rev()
            .take_while(|one| one.is_ascii_digit() || **one == b'_')
            .count();
        let before = (point - whole)
            .checked_sub(1)
            .and_then(|place| bytes.get(place));
        let joins = |one: &u8| one.is_ascii_alphanumeric() || *one == b'_' || *one == b'.';
        whole > 0 && digit(point + 1) && !before.is_some_and(joins)
    })
}

/// The bytes of the operating system's chance are asked for in one file of a package at most, so
/// that everything else can be given a seed.
pub fn scattered_chance(files: &[TextFile]) -> Vec<Breach> {
    let mut packages: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for file in files.iter().filter(|file| is_rust(file) && !is_test(file)) {
        let asks = code_only(file.text())
            .lines()
            .any(|line| has_word(line, "getrandom::"));
        if let Some((package, _)) = file.path.split_once("/src/").filter(|_| asks) {
            packages.entry(package).or_default().push(&file.path);
        }
    }
    packages
        .into_iter()
        .filter(|(_, paths)| paths.len() > 1)
        .map(|(package, paths)| {
            let places = paths.join(", ");
            Breach::whole(
                package,
                format!("asks for chance in more than one place: {places}"),
            )
        })
        .collect()
}

/// Every package is held to the lints of the workspace and says what it is.
pub fn loose_manifest(file: &TextFile) -> Vec<Breach> {
    let is_package = file.path.ends_with("Cargo.toml") && file.text().contains("[package]");
    if !is_package {
        return Vec::new();
    }
    // A workspace of its own has nobody to inherit from.
    let wanted: &[&str] = match file.text().contains("\n[workspace]\n") {
        true => &["\ndescription = \"", "\npublish = false\n"],
        false => &[
            "[lints]\nworkspace = true\n",
            "\ndescription = \"",
            "\npublish.workspace = true\n",
        ],
    };
    let lacking = wanted.iter().filter(|part| !file.text().contains(**part));
    lacking
        .map(|part| Breach::whole(&file.path, format!("lacks {:?}", part.trim())))
        .collect()
}

/// Every script says at its head what it does and how it is called.
pub fn script_without_head(file: &TextFile) -> Vec<Breach> {
    let is_ours = file.path.starts_with("scripts/") || file.path == ".ci/run";
    if !is_ours || file.path.ends_with(".md") {
        return Vec::new();
    }
    let mut lines = file.text().lines();
    let first = lines.next().unwrap_or_default().starts_with("#!");
    let second = lines.next().unwrap_or_default().starts_with("# ");
    if first && second {
        return Vec::new();
    }
    vec![Breach::line(
        &file.path,
        1,
        "does not begin with #! and a comment on what it does",
    )]
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: [usize; 0] = [];

    /// The lines at which a rule finds something in `text` at `path`.
    fn lines(rule: fn(&TextFile) -> Vec<Breach>, path: &str, text: &str) -> Vec<usize> {
        rule(&TextFile::new(path, text))
            .iter()
            .map(|breach| breach.line)
            .collect()
    }

    #[test]
    fn a_module_without_its_head_is_found() {
        assert_eq!(lines(without_head, "a/src/b.rs", "//! What.\n"), NONE);
        assert_eq!(lines(without_head, "a/src/b.rs", "fn main() {}\n"), [1]);
        assert_eq!(lines(without_head, "src/b.rs", "use x;\n//! late\n"), [1]);
        assert_eq!(lines(without_head, "a/tests/b.rs", "fn main() {}\n"), NONE);
    }

    #[test]
    fn a_file_one_line_too_long_is_found() {
        let text = "x\n".repeat(LINES_MAX);
        assert_eq!(lines(too_long, "a/src/b.rs", &text), NONE);
        assert_eq!(lines(too_long, "a/src/b.rs", &format!("{text}x\n")), [0]);
    }

    #[test]
    fn what_is_left_open_is_found() {
        for word in LEFT_OPEN {
            let text = format!("//! A.\nfn a() {{ {word}(1) }}\n");
            assert_eq!(lines(left_open, "a/src/b.rs", &text), [2], "{word}");
            assert_eq!(lines(left_open, "a/b.txt", &text), NONE, "{word}");
        }
        assert_eq!(
            lines(left_open, "a/src/b.rs", "fn mytodo() { mktemp XXXXXX }"),
            NONE
        );
    }

    #[test]
    fn a_hollow_test_is_found() {
        for word in HOLLOW {
            let text = format!("\n{word}\n");
            assert_eq!(lines(hollow_tests, "a/tests/b.rs", &text), [2], "{word}");
            assert_eq!(
                lines(hollow_tests, "a/src/b_tests.rs", &text),
                [2],
                "{word}"
            );
            assert_eq!(
                lines(hollow_tests, "a/tests/b.rs", &format!("// {word}")),
                NONE,
                "{word}"
            );
        }
        for word in HOLLOW_SCRIPT {
            assert_eq!(
                lines(hollow_tests, "e2e/b.mjs", &format!("{word}x)")),
                [1],
                "{word}"
            );
        }
        // A shop's own skipping is no test's.
        assert_eq!(
            lines(hollow_tests, "a/tests/b.rs", "let x = y.iter().skip(1);"),
            NONE
        );
    }

    #[test]
    fn pure_code_that_reaches_the_world_is_found() {
        let pure = "schema/game/src/b.rs";
        for text in [
            "use std::fs;",
            "use std::fs::File;",
            "let now = std::time::Duration::ZERO;",
            "use std::{fmt, net::TcpStream};",
            "use std::{\n    fmt,\n    process,\n};",
            "let t = Instant::now();",
            "use rand::Rng;",
            "println!(\"x\");",
            "fn a(c: &mut diesel::PgConnection) {}",
        ] {
            assert_eq!(lines(reaches_the_world, pure, text), [1], "{text}");
            assert_eq!(
                lines(reaches_the_world, "central/src/b.rs", text),
                NONE,
                "{text}"
            );
        }
        for text in [
            "// never std::fs here",
            "use std::{fmt, collections::BTreeMap};",
            "use std::fmt;",
            "let environment = operand::x;",
            "let text = \"diesel\";",
        ] {
            assert_eq!(lines(reaches_the_world, pure, text), NONE, "{text}");
        }
        assert_eq!(
            lines(reaches_the_world, pure, "//! A.\n\nuse std::env;\n"),
            [3]
        );
    }

    #[test]
    fn a_statement_of_keno_central_is_found() {
        let central = "central/src/report/b.rs";
        for text in [
            "use diesel::prelude::*;",
            "let rows = on!(connection, c => draw::table.load(c))?;",
        ] {
            assert_eq!(lines(states_sql, central, text), [1], "{text}");
            let store = "central/record/src/store/b.rs";
            assert_eq!(lines(states_sql, store, text), NONE, "{text}");
        }
        let in_tests = "#[cfg(test)]\nmod tests {\n    use diesel::prelude::*;\n}\n";
        for text in [in_tests, "// as diesel gives it", "let text = \"diesel\";"] {
            assert_eq!(lines(states_sql, central, text), NONE, "{text}");
        }
    }

    #[test]
    fn a_float_in_exact_code_is_found() {
        let exact = "schema/audit/src/b.rs";
        let name = concat!("f", "64");
        assert_eq!(lines(has_float, exact, &format!("let a: {name} = b;")), [1]);
        assert_eq!(lines(has_float, exact, &format!("// as {name}")), [1]);
        assert_eq!(lines(has_float, exact, "let a = 0.65;"), [1]);
        assert_eq!(lines(has_float, exact, "let a = 1_000.5 * b;"), [1]);
        for text in [
            "let a = b.0.1;",
            "for a in 1..20 {}",
            "let a = leaf64;",
            "1.max(2)",
            "\"0.5\"",
        ] {
            assert_eq!(lines(has_float, exact, text), NONE, "{text}");
        }
        assert_eq!(lines(has_float, "central/src/b.rs", "let a = 0.65;"), NONE);
    }

    #[test]
    fn chance_in_two_places_of_a_package_is_found() {
        let asking = |path| TextFile::new(path, "getrandom::fill(&mut bytes)");
        let one = [
            asking("a/src/b.rs"),
            asking("c/src/d.rs"),
            asking("a/src/e_tests.rs"),
        ];
        assert_eq!(scattered_chance(&one), []);
        let two = [asking("a/src/b.rs"), asking("a/src/d.rs")];
        assert_eq!(scattered_chance(&two).len(), 1);
    }

    #[test]
    fn a_manifest_outside_of_the_lints_is_found() {
        let sound = "[package]\nname = \"a\"\ndescription = \"b\"\npublish.workspace = true\n\
                     [lints]\nworkspace = true\n";
        assert_eq!(lines(loose_manifest, "a/Cargo.toml", sound), NONE);
        let loose = sound.replace("[lints]\nworkspace = true\n", "");
        assert_eq!(lines(loose_manifest, "a/Cargo.toml", &loose), [0]);
        assert_eq!(lines(loose_manifest, "Cargo.toml", "[workspace]\n"), NONE);
        let apart =
            "[package]\nname = \"a\"\ndescription = \"b\"\npublish = false\n\n[workspace]\n";
        assert_eq!(lines(loose_manifest, "a/Cargo.toml", apart), NONE);
        let loose = apart.replace("publish = false\n", "");
        assert_eq!(lines(loose_manifest, "a/Cargo.toml", &loose), [0]);
    }

    #[test]
    fn a_script_without_its_head_is_found() {
        let sound = "#!/bin/sh\n# What it does.\n";
        assert_eq!(lines(script_without_head, "scripts/a", sound), NONE);
        assert_eq!(
            lines(script_without_head, "scripts/a", "#!/bin/sh\nset -e\n"),
            [1]
        );
        assert_eq!(lines(script_without_head, ".ci/run", "set -e\n"), [1]);
    }
}
