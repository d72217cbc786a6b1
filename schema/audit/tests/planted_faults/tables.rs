//! The tables beside this file, each row of which is planted in a story of its own: keno-audit finds
//! what the row says, where it says, and the verifier in Python finds the same first.

use std::sync::LazyLock;

use keno_audit::finding::Finding;
use keno_testing::chosen_faults;

use super::*;
use crate::support::follower;
use crate::support::table::{Row, rows};

/// Which story the rows of a table change.
#[derive(Clone, Copy)]
enum Story {
    House,
    Followed,
}

/// What the verifier in Python is to find. Of what is wrong in one entry RULES.md does not say which
/// is named first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Alike {
    /// The same first: entry and name.
    First,
    /// The same entry, and there the same name too.
    Entry,
}

/// A table: its name, its story, what Python is to find, and its text.
type Table = (&'static str, Story, Alike, &'static str);

macro_rules! tables {
    ($($story:ident $alike:ident: $($name:literal)*;)*) => {
        &[$($(($name, Story::$story, Alike::$alike, include_str!(concat!($name, ".txt")))),*),*]
    };
}

const TABLES: &[Table] = tables! {
    House Entry: "acting" "authority" "damaged" "draws" "epochs" "hand_over" "hands" "headers" "house"
        "lost" "payments" "people" "sales";
    House First: "ball_line" "hosts" "room" "room_day" "room_sets";
    Followed First: "follower" "follower_lawful";
};

static ROWS: LazyLock<Vec<(&Table, Vec<Row>)>> = LazyLock::new(|| {
    let tables = TABLES.iter();
    tables.map(|table| (table, rows(table.3))).collect()
});

/// Every row of every table.
pub fn all() -> impl Iterator<Item = &'static Row> {
    ROWS.iter().flat_map(|(_, rows)| rows)
}

/// A row that is planted, and its table.
type Told = (&'static Table, &'static Row);

/// The story with what a row says done to it.
fn told((table, row): Told) -> Log {
    match table.1 {
        Story::House => play(Fault::Row(row)),
        Story::Followed => follower::play(Fault::Row(row)),
    }
}

/// What is wrong with what was found by a row; none where it is as the row says.
fn amiss(row: &Row, log: &Log, found: &[Finding]) -> Option<String> {
    let first = found.first();
    let is_so = match &row.finding {
        None => first.is_none(),
        Some(name) => {
            let entry = Some(log.at(&row.named.0) + row.named.1);
            let is_it = |it: &&Finding| it.name() == name && it.entry == entry;
            let is_first = first.is_some_and(|it| is_it(&it));
            is_first != row.is_later && found.iter().any(|it| is_it(&it))
        }
    };
    let found = first.map_or("nothing".to_owned(), ToString::to_string);
    (!is_so).then(|| format!("{}\nfound: {found}", row.text))
}

/// Whether what Python found is as it is to be: the entry, and what is wrong with it.
fn is_alike((table, row): Told, found: &[Finding], strange: &Strange) -> bool {
    let (entry, name) = first_of(found);
    let names = &strange.1;
    strange.0 == entry
        && match (table.2, &row.finding) {
            (Alike::Entry, Some(name)) => names.contains(row.strange.as_ref().unwrap_or(name)),
            _ => names.first().map_or("", String::as_str) == name,
        }
}

/// What is wrong with what is found by some of the rows.
fn wrong(rows: &[Told]) -> Vec<String> {
    let mut wrong = Vec::new();
    let (mut exports, mut found) = (Vec::new(), Vec::new());
    for it in rows {
        let log = told(*it);
        let export = log.export();
        let outcome = verify(export.as_slice(), Outside::default(), Options::default()).unwrap();
        wrong.extend(amiss(it.1, &log, &outcome.findings));
        exports.push(export);
        found.push(outcome.findings);
    }
    for ((it, ours), theirs) in rows.iter().zip(found).zip(strange(&exports)) {
        if !is_alike(*it, &ours, &theirs) {
            let (text, ours) = (&it.1.text, first_of(&ours));
            wrong.push(format!("{text}\nfound: {ours:?}, and in Python {theirs:?}"));
        }
    }
    wrong
}

/// The rows that this run plants: a change of what judges them, or of the table, is one of them all.
fn chosen() -> Vec<Told> {
    let rows = ROWS.iter().flat_map(|(table, rows)| {
        let numbered = rows.iter().zip(1..);
        numbered.map(move |(row, number)| (format!("{} {number}", table.0), (*table, row)))
    });
    let rows: Vec<(String, Told)> = rows.collect();
    let names: Vec<&str> = rows.iter().map(|it| it.0.as_str()).collect();
    // What both verifiers stand on, and what the logs are made with.
    let folders = [
        "schema/audit/",
        "schema/book/",
        "schema/game/",
        "schema/log/",
        "schema/testing/",
        "packaging/line/",
        "e2e/stranger/",
    ];
    let chosen = chosen_faults("of the audit", &names, |_, path| {
        folders.iter().any(|folder| path.starts_with(folder))
    });
    let chosen: BTreeSet<&str> = chosen.into_iter().collect();
    let rows = rows.iter().filter(|it| chosen.contains(it.0.as_str()));
    rows.map(|it| it.1).collect()
}

#[test]
fn each_row_is_found_by_both_verifiers() {
    let rows = chosen();
    let at_a_time = std::thread::available_parallelism().map_or(1, |it| it.get());
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let parts = rows.chunks(rows.len().div_ceil(at_a_time).max(1));
        let parts: Vec<_> = parts.map(|part| scope.spawn(|| wrong(part))).collect();
        let parts = parts.into_iter().flat_map(|part| part.join().unwrap());
        parts.collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
