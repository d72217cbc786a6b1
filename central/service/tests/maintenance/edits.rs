//! Somebody with the file and its tools, who changes one thing of it: whatever it is, `verify` names
//! something, or the database refuses it.

use std::collections::BTreeMap;
use std::path::Path;

use diesel::connection::SimpleConnection;
use diesel::sql_types::{BigInt, Text};
use diesel::{QueryableByName, RunQueryDsl, SqliteConnection};
use keno_house_builder::without_guards;
use keno_log::hash::sha256;
use keno_schema::Connection;
use keno_schema::tables::TABLES;

use super::stopped;

/// Edits that every run of the tests tries, unless [`COUNT_VARIABLE`] says how many.
const EDITS: u64 = 60;
/// How many, for a longer look.
const COUNT_VARIABLE: &str = "BOULIER_EDITS";
/// Files beside the database that a start believes in some way.
const FILES: [&str; 2] = ["state.snapshot", "anchors.log"];

#[derive(QueryableByName)]
struct Name {
    #[diesel(sql_type = Text)]
    name: String,
}

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    count: i64,
}

/// Numbers that follow from the number of an edit: the same edits in every run.
struct Dice(u64, u8);

impl Dice {
    /// Below a bound that is not 0.
    fn below(&mut self, bound: u64) -> u64 {
        self.1 += 1;
        let mut bytes = self.0.to_be_bytes().to_vec();
        bytes.push(self.1);
        let first = sha256(&bytes)[..8].try_into().unwrap();
        u64::from_be_bytes(first) % bound
    }

    fn one_of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[usize::try_from(self.below(all.len() as u64)).unwrap()]
    }
}

/// A file of the house with one bit of it another. Not of the last line of the anchors: one that a
/// power cut tore is passed over, and whoever has the file can take it away altogether.
fn flipped(name: &str, bytes: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut lines = bytes.rsplit(|byte| *byte == b'\n').skip(1);
    let last = match name {
        "anchors.log" => lines.next().map_or(0, |line| line.len() + 1),
        _ => 0,
    };
    let mut bytes = bytes.to_vec();
    let at = usize::try_from(dice.below((bytes.len() - last) as u64)).unwrap();
    // Not the one that makes a capital of a letter: a hash in capitals is the same hash.
    bytes[at] ^= 1 << dice.below(5);
    bytes
}

fn names(connection: &mut SqliteConnection, query: String) -> Vec<String> {
    let rows: Vec<Name> = diesel::sql_query(query).load(connection).unwrap();
    rows.into_iter().map(|row| row.name).collect()
}

fn count(connection: &mut SqliteConnection, table: &str) -> u64 {
    let query = format!("SELECT count(*) AS count FROM {table}");
    let row: Count = diesel::sql_query(query).get_result(connection).unwrap();
    u64::try_from(row.count).unwrap()
}

/// A statement that changes one row of one table: a cell, the row itself, or another like it.
fn statement(connection: &mut SqliteConnection, dice: &mut Dice) -> String {
    let tables: Vec<&str> = TABLES
        .iter()
        .copied()
        .filter(|table| count(connection, table) > 0)
        .collect();
    let table = *dice.one_of(&tables);
    let rows = count(connection, table);
    let of_table = |keys: &str| {
        format!("SELECT name FROM pragma_table_info('{table}') WHERE {keys} ORDER BY cid")
    };
    let keys = names(connection, of_table("pk > 0"));
    let columns = names(connection, of_table("true"));
    let key = keys.join(", ");
    let row = dice.below(rows);
    let which =
        format!("({key}) = (SELECT {key} FROM {table} ORDER BY {key} LIMIT 1 OFFSET {row})");
    let column = dice.one_of(&columns);
    let other = |column: &str| {
        format!(
            "CASE typeof({column}) WHEN 'integer' THEN {column} + 1 WHEN 'text' THEN {column} || 'x' \
             WHEN 'blob' THEN CAST(substr({column}, 1, length({column}) - 1) || \
             CASE WHEN substr({column}, -1) = x'00' THEN x'01' ELSE x'00' END AS BLOB) ELSE 1 END"
        )
    };
    match dice.below(8) {
        0 => format!("DELETE FROM {table} WHERE {which}"),
        1 => {
            let cells: Vec<String> = columns
                .iter()
                .map(|column| match keys.last() == Some(column) {
                    true => format!("max({column}) OVER () + 1"),
                    false => column.clone(),
                })
                .collect();
            format!(
                "INSERT INTO {table} SELECT * FROM (SELECT {} FROM {table}) LIMIT 1",
                cells.join(", ")
            )
        }
        _ => format!(
            "UPDATE {table} SET {column} = {} WHERE {which}",
            other(column)
        ),
    }
}

#[test]
fn whatever_somebody_edits_is_named() {
    let edits = std::env::var(COUNT_VARIABLE).map_or(EDITS, |count| count.parse().unwrap());
    let day = stopped(None);
    day.keep_snapshot(day.checkpoint.size / 2);
    assert_eq!(day.words(), Vec::<String>::new());
    let folder = day.house.path();
    let read = |name: &str| std::fs::read(Path::new(&folder).join(name)).unwrap();
    let record = read("keno.sqlite");
    let files = FILES.map(|name| (name, read(name)));
    let (mut unseen, mut sorts) = (Vec::new(), BTreeMap::<String, u32>::new());
    for edit in 0..edits {
        let mut dice = Dice(edit, 0);
        let told = if dice.below(10) == 0 {
            let (name, bytes) = dice.one_of(&files);
            std::fs::write(folder.join(name), flipped(name, bytes, &mut dice)).unwrap();
            format!("a bit of {name}")
        } else {
            let mut connection = day.connection();
            let Connection::Sqlite(c) = &mut connection else {
                panic!("this house is on SQLite")
            };
            c.batch_execute("PRAGMA foreign_keys = OFF").unwrap();
            let statement = statement(c, &mut dice);
            let done = without_guards(&mut connection, |connection| {
                let Connection::Sqlite(c) = connection else {
                    panic!("this house is on SQLite")
                };
                // What the database refuses is no edit.
                Ok(diesel::sql_query(&statement).execute(c).unwrap_or(0))
            });
            if done.unwrap() == 0 {
                *sorts
                    .entry("refused by the database".to_owned())
                    .or_default() += 1;
                continue;
            }
            statement
        };
        let mut connection = day.connection();
        let judged = keno_service::maintenance::verify(&mut connection, &day.anchors(), &folder);
        drop(connection);
        let named = match judged {
            Ok(judged) => judged.findings.iter().map(|it| format!("{it:?}")).next(),
            Err(fault) => Some(format!("{fault:?}")),
        };
        match named {
            Some(named) => {
                let sort = named.split([' ', '(', '{']).next().unwrap_or_default();
                *sorts.entry(sort.to_owned()).or_default() += 1;
            }
            None => unseen.push(format!("{edit}: {told}")),
        }
        std::fs::write(folder.join("keno.sqlite"), &record).unwrap();
        for (name, bytes) in &files {
            std::fs::write(folder.join(name), bytes).unwrap();
        }
    }
    assert_eq!(unseen, Vec::<String>::new(), "{sorts:?}");
    assert_eq!(day.words(), Vec::<String>::new(), "nothing is left of them");
    println!("{edits} edits: {sorts:?}");
}
