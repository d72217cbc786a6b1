//! `chosen-faults`: which planted faults a run plants, for programs that are not Rust.
//!
//! Reads rows of a name, a tab, and the files of the fault, with spaces between them, by their paths
//! from the root of the repository; one that ends in `/` is a folder and all below it. Says the names
//! of those that are chosen, a line each, and to standard error which and why.
//!
//! ```text
//! cargo run --locked -q -p keno-testing --bin chosen-faults "of the pages" < rows
//! ```

use std::collections::HashMap;
use std::process::ExitCode;

fn is_of(file: &str, path: &str) -> bool {
    file == path || (file.ends_with('/') && path.starts_with(file))
}

fn main() -> ExitCode {
    let whose = std::env::args().nth(1);
    let rows = std::io::read_to_string(std::io::stdin());
    let (Some(whose), Ok(rows)) = (whose, rows) else {
        eprintln!("chosen-faults: whose faults they are is the argument, and rows are the input");
        return ExitCode::from(2);
    };
    let rows: Vec<(&str, &str)> = rows
        .lines()
        .filter(|row| !row.is_empty())
        .map(|row| row.split_once('\t').unwrap_or((row, "")))
        .collect();
    if let Some((name, _)) = rows.iter().find(|(_, files)| files.is_empty()) {
        eprintln!("chosen-faults: {name} has no files, and no change would be one of it");
        return ExitCode::from(2);
    }
    let names: Vec<&str> = rows.iter().map(|(name, _)| *name).collect();
    let files: HashMap<&str, &str> = rows.into_iter().collect();
    let chosen = keno_testing::chosen_faults(&whose, &names, |name, path| {
        let files = files.get(name).copied().unwrap_or_default();
        files.split(' ').any(|file| is_of(file, path))
    });
    for name in chosen {
        println!("{name}");
    }
    ExitCode::SUCCESS
}
