//! Every guard refuses what it is there to refuse, on both databases.

use std::collections::{BTreeMap, BTreeSet};

use diesel::result::{DatabaseErrorKind, Error};

use crate::schema::Own;
use crate::schema::declared;
use crate::schema::violations::{CHECKS, GOOD, REPEATED};

/// Columns that are a BOOLEAN on PostgreSQL, which holds nothing else.
const YES_OR_NO: [&str; 2] = ["active", "must_change"];

fn literal(own: &Own, value: &str) -> String {
    let bytes = |count: usize| {
        let hex = "ab".repeat(count);
        if own.is_sqlite() {
            format!("x'{hex}'")
        } else {
            format!("'\\x{hex}'")
        }
    };
    match value {
        "B" => bytes(3),
        "B32" => bytes(32),
        "B62" => bytes(62),
        "TRUE" if own.is_sqlite() => "1".to_owned(),
        other => other.to_owned(),
    }
}

/// The statement that inserts the good row of a table with some columns changed.
fn insert(own: &Own, table: &str, changed: &[(&str, &str)]) -> String {
    let (_, good) = GOOD.iter().find(|(name, _)| *name == table).unwrap();
    for (column, _) in changed {
        assert!(good.iter().any(|(name, _)| name == column), "{column}");
    }
    let columns: Vec<&str> = good.iter().map(|(column, _)| *column).collect();
    let values: Vec<String> = good
        .iter()
        .map(|(column, value)| {
            let changed = changed.iter().find(|(name, _)| name == column);
            literal(own, changed.map_or(value, |(_, value)| value))
        })
        .collect();
    format!(
        "INSERT INTO {table} ({}) VALUES ({})",
        columns.join(", "),
        values.join(", ")
    )
}

/// The good rows of all tables that a row of `table` may refer to.
fn before(own: &Own, table: &str) -> Vec<String> {
    GOOD.iter()
        .take_while(|(name, _)| *name != table)
        .map(|(name, _)| insert(own, name, &[]))
        .collect()
}

fn database_error(outcome: diesel::QueryResult<()>, what: &str) -> (DatabaseErrorKind, String) {
    match outcome {
        Err(Error::DatabaseError(kind, information)) => (kind, information.message().to_owned()),
        other => panic!("{what}: expected the database to refuse, got {other:?}"),
    }
}

#[test]
fn the_good_rows_are_whole_and_accepted() {
    for mut own in Own::both() {
        let listed: Vec<&str> = GOOD.iter().map(|(name, _)| *name).collect();
        assert_eq!(listed, keno_schema::tables::TABLES);
        for table in declared::tables() {
            let (_, good) = GOOD.iter().find(|(name, _)| *name == table.name).unwrap();
            let declared: Vec<_> = table.columns.iter().map(|c| c.name.as_str()).collect();
            let given: Vec<_> = good.iter().map(|(column, _)| *column).collect();
            assert_eq!(given, declared, "{}", table.name);
        }
        let all: Vec<String> = listed.iter().map(|name| insert(&own, name, &[])).collect();
        own.try_out(&all).unwrap();
    }
}

#[test]
fn every_check_refuses_what_it_guards() {
    for mut own in Own::both() {
        for (table, changed, check) in CHECKS {
            if !own.is_sqlite() && changed.iter().any(|(column, _)| YES_OR_NO.contains(column)) {
                // A BOOLEAN holds nothing else.
                continue;
            }
            let what = format!("{table} {changed:?} on {}", own.name());
            let mut statements = before(&own, table);
            statements.push(insert(&own, table, changed));
            let (kind, words) = database_error(own.try_out(&statements), &what);
            assert!(
                matches!(kind, DatabaseErrorKind::CheckViolation),
                "{what}: {words}"
            );
            if own.is_sqlite() {
                assert_eq!(words, format!("CHECK constraint failed: {check}"), "{what}");
            }
        }
    }
}

/// The checks of a table of SQLite, from the SQL that made it.
fn checks_in(sql: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in sql.match_indices("CHECK (") {
        let inside = &sql[at + "CHECK (".len()..];
        let mut depth = 1;
        let end = inside
            .char_indices()
            .find(|(_, letter)| {
                depth += match letter {
                    '(' => 1,
                    ')' => -1,
                    _ => 0,
                };
                depth == 0
            })
            .unwrap()
            .0;
        found.push(inside[..end].to_owned());
    }
    found
}

/// A check that nothing here violates is one that nobody has seen at work.
#[test]
fn no_check_is_left_untried() {
    let mut sqlite = Own::sqlite();
    let mut written: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for table in keno_schema::tables::TABLES {
        let sql = sqlite.texts(&format!(
            "SELECT sql AS value FROM sqlite_schema WHERE type = 'table' AND name = '{table}'"
        ));
        let checks = checks_in(&sql[0]);
        if !checks.is_empty() {
            written.insert((*table).to_owned(), checks.into_iter().collect());
        }
    }
    let mut tried: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (table, _, check) in CHECKS {
        tried
            .entry((*table).to_owned())
            .or_default()
            .insert((*check).to_owned());
    }
    assert_eq!(tried, written);
    // PostgreSQL has the same number of them in each table, those of truths apart.
    let mut postgres = Own::postgres();
    for table in keno_schema::tables::TABLES {
        let there = postgres.texts(&format!(
            "SELECT conname::text AS value FROM pg_constraint \
             WHERE contype = 'c' AND conrelid = 'public.{table}'::regclass"
        ));
        let wanted = written.get(*table).map_or(0, |checks| {
            checks
                .iter()
                .filter(|check| {
                    !YES_OR_NO
                        .iter()
                        .any(|one| check.starts_with(&format!("{one} IN")))
                })
                .count()
        });
        assert_eq!(there.len(), wanted, "{table}: {there:?}");
    }
}

/// Without its check the violation would pass: it is the check that refuses, nothing else.
#[test]
fn without_its_check_a_violation_passes() {
    let mut own = Own::postgres();
    own.run("ALTER TABLE ticket DROP CONSTRAINT ticket_state_check")
        .unwrap();
    let mut statements = before(&own, "ticket");
    statements.push(insert(&own, "ticket", &[("state", "4")]));
    own.try_out(&statements).unwrap();
}

#[test]
fn what_may_be_there_once_is_refused_twice() {
    for mut own in Own::both() {
        // Every key.
        for (table, _) in GOOD {
            let mut statements = before(&own, table);
            statements.push(insert(&own, table, &[]));
            statements.push(insert(&own, table, &[]));
            let (kind, words) = database_error(own.try_out(&statements), table);
            // On SQLite a trigger speaks before the key: it also refuses INSERT OR REPLACE.
            let by_trigger = table == "log_entry" && words.contains("insert-only");
            assert!(
                matches!(kind, DatabaseErrorKind::UniqueViolation) || by_trigger,
                "{table}: {words}"
            );
        }
        for (table, changed) in REPEATED {
            let mut statements = before(&own, table);
            if table == "payment_item" {
                statements.push(insert(&own, "payment", &[("number", "23")]));
            }
            statements.push(insert(&own, table, &[]));
            statements.push(insert(&own, table, changed));
            let (kind, words) = database_error(own.try_out(&statements), table);
            assert!(
                matches!(kind, DatabaseErrorKind::UniqueViolation),
                "{table}: {words}"
            );
        }
        // A reversed payment makes room for the next, as often as it takes.
        let mut statements = before(&own, "payment_item");
        statements.push(insert(&own, "payment", &[("number", "23")]));
        statements.push(insert(&own, "payment_item", &[("reversed", "22")]));
        statements.push(insert(&own, "payment_item", &[("payment", "23")]));
        own.try_out(&statements).unwrap();
    }
}

#[test]
fn what_must_be_there_is_never_null() {
    for mut own in Own::both() {
        let mut tried = 0;
        for table in declared::tables() {
            for column in table.columns.iter().filter(|column| !column.nullable) {
                let whole_number_key = table.key == [column.name.clone()]
                    && matches!(column.kind.as_str(), "BigInt" | "SmallInt");
                if own.is_sqlite() && whole_number_key {
                    // SQLite counts on by itself there; it is never null either.
                    continue;
                }
                let what = format!("{}.{} on {}", table.name, column.name, own.name());
                let mut statements = before(&own, &table.name);
                statements.push(insert(&own, &table.name, &[(&column.name, "NULL")]));
                let (kind, words) = database_error(own.try_out(&statements), &what);
                assert!(
                    matches!(kind, DatabaseErrorKind::NotNullViolation),
                    "{what}: {words}"
                );
                tried += 1;
            }
        }
        assert!(tried > 90, "{tried}");
    }
}

#[test]
fn a_row_never_refers_to_nothing() {
    for mut own in Own::both() {
        for (table, column) in [
            ("session", "device"),
            ("session", "badge"),
            ("shift", "device"),
            ("shift", "badge"),
            ("till_movement", "shift"),
            ("till_count", "shift"),
            ("till_count", "device"),
            ("draw_holder", "draw"),
            ("draw_result", "draw"),
            ("draw_settlement", "draw"),
            ("ticket_fact", "ticket"),
            ("payment", "ticket"),
            ("payment_item", "payment"),
            ("payment_item", "draw"),
            ("damaged_file", "ticket"),
        ] {
            let nothing = if column == "badge" { "'C9'" } else { "99" };
            let what = format!("{table}.{column} on {}", own.name());
            let mut statements = before(&own, table);
            statements.push(insert(&own, table, &[(column, nothing)]));
            let (kind, words) = database_error(own.try_out(&statements), &what);
            assert!(
                matches!(kind, DatabaseErrorKind::ForeignKeyViolation),
                "{what}: {words}"
            );
        }
        // What is referred to does not go away.
        let all: Vec<String> = GOOD
            .iter()
            .map(|(name, _)| insert(&own, name, &[]))
            .collect();
        for parent in ["draw", "ticket", "payment", "shift", "device", "person"] {
            let mut statements = all.clone();
            statements.push(format!("DELETE FROM {parent}"));
            let (kind, _) = database_error(own.try_out(&statements), parent);
            assert!(
                matches!(kind, DatabaseErrorKind::ForeignKeyViolation),
                "{parent} on {}",
                own.name()
            );
        }
    }
}

#[test]
fn the_record_is_insert_only() {
    for mut own in Own::both() {
        let at_once = if own.is_sqlite() {
            "INSERT OR REPLACE INTO log_entry SELECT * FROM log_entry"
        } else {
            "TRUNCATE log_entry"
        };
        for statement in [
            "UPDATE log_entry SET body = nonce",
            "UPDATE log_entry SET leaf_index = leaf_index + 1",
            "DELETE FROM log_entry",
            "DELETE FROM log_entry WHERE leaf_index = 0",
            at_once,
        ] {
            let row = insert(&own, "log_entry", &[]);
            let outcome = own.try_out(&[row, statement.to_owned()]);
            let (_, words) = database_error(outcome, statement);
            assert_eq!(words, "the record is insert-only", "{statement}");
        }
        // With the trigger gone the same statement passes: it is the trigger that refuses.
        let drop = if own.is_sqlite() {
            "DROP TRIGGER log_entry_never_deleted"
        } else {
            "DROP TRIGGER log_entry_never_changes ON log_entry"
        };
        let row = insert(&own, "log_entry", &[]);
        own.try_out(&[row, drop.to_owned(), "DELETE FROM log_entry".to_owned()])
            .unwrap();
    }
}
