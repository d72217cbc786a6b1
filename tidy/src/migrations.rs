//! Two databases, one schema: the same migrations under the same names, each with its way back.

use std::collections::{BTreeMap, BTreeSet};

use crate::Breach;
use crate::repository::TextFile;

const DATABASES: &[&str] = &["sqlite", "postgres"];
const STEPS: &[&str] = &["up.sql", "down.sql"];

/// Migrations that one database has and the other lacks, that lack a step, or whose step is
/// empty.
pub fn breaches(files: &[TextFile]) -> Vec<Breach> {
    let mut found = Vec::new();
    // Name of the migration → database and step → whether it says something.
    let mut known: BTreeMap<&str, BTreeMap<(&str, &str), bool>> = BTreeMap::new();
    for file in files {
        let parts: Vec<&str> = file.path.split('/').collect();
        if let ["migrations", database, name, step] = parts.as_slice()
            && DATABASES.contains(database)
        {
            if !STEPS.contains(step) {
                let words = "a migration is an up.sql and a down.sql and nothing else";
                found.push(Breach::whole(&file.path, words));
            }
            let says = file.text().lines().any(|line| {
                let line = line.trim();
                !line.is_empty() && !line.starts_with("--")
            });
            known
                .entry(name)
                .or_default()
                .insert((database, step), says);
        }
    }
    for (name, steps) in &known {
        for database in DATABASES {
            for step in STEPS {
                let path = format!("migrations/{database}/{name}/{step}");
                match steps.get(&(*database, *step)) {
                    Some(true) => {}
                    Some(false) => found.push(Breach::whole(path, "has no statement")),
                    None => found.push(Breach::whole(path, "is not there")),
                }
            }
        }
    }
    // Diesel orders migrations by what stands before the first `_`; two alike have no order.
    let numbers: Vec<&str> = known
        .keys()
        .filter_map(|name| name.split('_').next())
        .collect();
    let distinct: BTreeSet<&str> = numbers.iter().copied().collect();
    if distinct.len() != numbers.len() {
        found.push(Breach::whole(
            "migrations",
            "two migrations have the same number",
        ));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(database: &str, name: &str) -> [TextFile; 2] {
        let one = |step| {
            TextFile::new(
                &format!("migrations/{database}/{name}/{step}"),
                "-- why\nSELECT 1;\n",
            )
        };
        [one("up.sql"), one("down.sql")]
    }

    #[test]
    fn the_same_names_with_both_steps_break_nothing() {
        let files = [
            pair("sqlite", "0001_record"),
            pair("postgres", "0001_record"),
        ]
        .concat();
        assert_eq!(breaches(&files), []);
    }

    #[test]
    fn a_lacking_database_step_or_statement_is_found() {
        let mut files = [
            pair("sqlite", "0001_record"),
            pair("postgres", "0001_record"),
            pair("sqlite", "0002_till"),
        ]
        .concat();
        files.remove(1);
        files[1].text = Some("-- later\n\n".to_owned());
        files.push(TextFile::new("migrations/sqlite/0002_till/notes.txt", "x"));
        files.extend(pair("sqlite", "0001_again"));
        files.extend(pair("postgres", "0001_again"));
        let found: Vec<String> = breaches(&files).iter().map(ToString::to_string).collect();
        assert_eq!(
            found,
            [
                "migrations/sqlite/0002_till/notes.txt: a migration is an up.sql and a down.sql and \
                 nothing else",
                "migrations/sqlite/0001_record/down.sql: is not there",
                "migrations/postgres/0001_record/up.sql: has no statement",
                "migrations/postgres/0002_till/up.sql: is not there",
                "migrations/postgres/0002_till/down.sql: is not there",
                "migrations: two migrations have the same number",
            ]
        );
    }
}
