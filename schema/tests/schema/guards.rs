//! Every guard refuses what it is there to refuse, on both databases.

use std::collections::{BTreeMap, BTreeSet};

use diesel::result::{DatabaseErrorKind, Error};

use crate::Own;
use crate::declared;

/// A row of each table that every guard accepts, in the order of the references. `B32` is a
/// value of 32 bytes, `B62` of 62, `B` of three, `TRUE` a truth.
const GOOD: [(&str, &[(&str, &str)]); 19] = [
    (
        "log_entry",
        &[
            ("leaf_index", "0"),
            ("leaf", "B62"),
            ("leaf_hash", "B32"),
            ("nonce", "B32"),
            ("body", "B"),
        ],
    ),
    (
        "house",
        &[
            ("id", "1"),
            ("code", "'demo'"),
            ("name", "'x'"),
            ("zone", "'x'"),
            ("log_key", "'x'"),
            ("first_draw", "1"),
            ("sales_suspended_leaf", "NULL"),
            ("schedule_halted_leaf", "NULL"),
            ("fence", "1"),
            ("instance", "'x'"),
        ],
    ),
    (
        "log_head",
        &[
            ("id", "1"),
            ("size", "1"),
            ("edge", "B"),
            ("root", "B32"),
            ("at_ms", "0"),
        ],
    ),
    (
        "rule_book",
        &[
            ("version", "1"),
            ("effective_from", "1"),
            ("hash", "B32"),
            ("text", "'x'"),
            ("published_by", "'S1'"),
            ("second", "'S2'"),
            ("leaf", "1"),
        ],
    ),
    (
        "person",
        &[
            ("badge", "'C1'"),
            ("name", "'x'"),
            ("roles", "B"),
            ("credential", "'x'"),
            ("active", "TRUE"),
            ("leaf", "2"),
        ],
    ),
    (
        "device",
        &[
            ("number", "1"),
            ("name", "'T01'"),
            ("role", "1"),
            ("key_hash", "B32"),
            ("active", "TRUE"),
            ("leaf", "3"),
        ],
    ),
    (
        "session",
        &[
            ("number", "1"),
            ("device", "1"),
            ("badge", "'C1'"),
            ("token_hash", "B32"),
            ("opened_leaf", "4"),
            ("ended_leaf", "NULL"),
        ],
    ),
    (
        "shift",
        &[
            ("number", "1"),
            ("device", "1"),
            ("badge", "'C1'"),
            ("float_cents", "0"),
            ("opened_leaf", "5"),
            ("closed_leaf", "NULL"),
            ("counted_cents", "NULL"),
            ("expected_cents", "NULL"),
        ],
    ),
    (
        "till_movement",
        &[
            ("leaf", "6"),
            ("shift", "1"),
            ("kind", "1"),
            ("amount_cents", "1"),
            ("moved_by", "'S1'"),
            ("second", "'S2'"),
        ],
    ),
    (
        "draw",
        &[
            ("number", "1"),
            ("state", "4"),
            ("closes_at_ms", "1"),
            ("draws_at_ms", "2"),
            ("source", "1"),
            ("pool_size", "80"),
            ("drawn", "20"),
            ("cap_cents", "1"),
            ("full_below_cents", "1"),
            ("scheduled_leaf", "7"),
            ("opened_leaf", "8"),
            ("closed_leaf", "9"),
            ("seal_root", "B32"),
            ("tickets", "0"),
            ("selections", "0"),
            ("wagered_cents", "0"),
            ("started_leaf", "10"),
            ("voided_leaf", "NULL"),
            ("void_reason", "NULL"),
        ],
    ),
    (
        "draw_holder",
        &[
            ("draw", "1"),
            ("position", "0"),
            ("holder", "'machine'"),
            ("commitment", "B32"),
            ("commitment_leaf", "8"),
            ("secret", "B32"),
        ],
    ),
    (
        "draw_result",
        &[
            ("draw", "1"),
            ("machine", "1"),
            ("balls", "B"),
            ("words_used", "20"),
            ("words_rejected", "0"),
            ("secrets_hash", "B32"),
            ("recorded_leaf", "11"),
            ("recorded_at_ms", "1"),
            ("certified_leaf", "NULL"),
            ("certifiers", "NULL"),
            ("revealed_leaf", "NULL"),
        ],
    ),
    (
        "draw_settlement",
        &[
            ("draw", "1"),
            ("leaf", "12"),
            ("winners", "0"),
            ("small_cents", "1"),
            ("large_cents", "1"),
            ("payable_cents", "2"),
            ("small_numerator", "1"),
            ("small_denominator", "1"),
            ("large_numerator", "1"),
            ("large_denominator", "1"),
            ("breakage_cents", "0"),
            ("prize_root", "B32"),
        ],
    ),
    (
        "ticket",
        &[
            ("number", "20"),
            ("control_hash", "B32"),
            ("device", "1"),
            ("session", "1"),
            ("counter", "1"),
            ("control_attempt", "0"),
            ("secret_key", "1"),
            ("rule_book", "1"),
            ("first_draw", "1"),
            ("last_draw", "2"),
            ("selections", "'x'"),
            ("per_draw_cents", "100"),
            ("total_cents", "200"),
            ("cap_cents", "1"),
            ("claim_by", "20261231"),
            ("tender", "1"),
            ("received_cents", "200"),
            ("badge", "'C1'"),
            ("shift", "1"),
            ("intake", "1"),
            ("replay_of", "NULL"),
            ("sold_at_ms", "1"),
            ("state", "1"),
            ("copy", "1"),
            ("confirmed_copy", "0"),
            ("presented_at_ms", "NULL"),
            ("released_leaf", "NULL"),
        ],
    ),
    (
        "ticket_fact",
        &[("leaf", "21"), ("ticket", "20"), ("kind", "1")],
    ),
    (
        "prize",
        &[
            ("draw", "1"),
            ("ticket", "20"),
            ("computed_cents", "1"),
            ("payable_cents", "1"),
            ("expired_leaf", "NULL"),
        ],
    ),
    (
        "payment",
        &[
            ("number", "22"),
            ("ticket", "20"),
            ("total_cents", "1"),
            ("tender", "1"),
            ("rounding_cents", "0"),
            ("path", "1"),
            ("badge", "'C1'"),
            ("second", "'S1'"),
            ("shift", "1"),
            ("paid_at_ms", "1"),
            ("reversed_leaf", "NULL"),
        ],
    ),
    (
        "payment_item",
        &[
            ("payment", "22"),
            ("draw", "1"),
            ("ticket", "20"),
            ("kind", "1"),
            ("amount_cents", "1"),
            ("reversed", "0"),
        ],
    ),
    (
        "command_key",
        &[
            ("device", "1"),
            ("session", "1"),
            ("counter", "1"),
            ("kind", "1"),
            ("content_hash", "B32"),
            ("leaf", "1"),
        ],
    ),
];

/// Violations of checks: table, what is changed of the good row, and the check as it stands in
/// the migration of SQLite. Each check of a migration is violated at least once.
const CHECKS: &[(&str, &[(&str, &str)], &str)] = &[
    ("log_entry", &[("leaf_index", "-1")], "leaf_index >= 0"),
    ("log_entry", &[("leaf", "B32")], "length(leaf) = 62"),
    ("log_entry", &[("leaf_hash", "B")], "length(leaf_hash) = 32"),
    ("log_entry", &[("nonce", "B")], "length(nonce) = 32"),
    ("house", &[("id", "2")], "id = 1"),
    ("house", &[("first_draw", "0")], "first_draw > 0"),
    ("log_head", &[("id", "0")], "id = 1"),
    ("log_head", &[("size", "-1")], "size >= 0"),
    ("log_head", &[("root", "B62")], "length(root) = 32"),
    ("rule_book", &[("version", "0")], "version > 0"),
    ("rule_book", &[("second", "'S1'")], "published_by <> second"),
    ("person", &[("active", "2")], "active IN (0, 1)"),
    ("device", &[("number", "0")], "number > 0"),
    ("device", &[("role", "0")], "role BETWEEN 1 AND 4"),
    ("device", &[("role", "5")], "role BETWEEN 1 AND 4"),
    ("device", &[("key_hash", "B")], "length(key_hash) = 32"),
    ("device", &[("active", "-1")], "active IN (0, 1)"),
    ("session", &[("number", "0")], "number > 0"),
    ("session", &[("token_hash", "B")], "length(token_hash) = 32"),
    ("shift", &[("number", "-1")], "number > 0"),
    ("shift", &[("float_cents", "-1")], "float_cents >= 0"),
    (
        "shift",
        &[("closed_leaf", "9")],
        "(closed_leaf IS NULL) = (counted_cents IS NULL)",
    ),
    (
        "shift",
        &[("counted_cents", "1")],
        "(closed_leaf IS NULL) = (counted_cents IS NULL)",
    ),
    ("till_movement", &[("kind", "0")], "kind IN (1, 2)"),
    ("till_movement", &[("kind", "3")], "kind IN (1, 2)"),
    (
        "till_movement",
        &[("amount_cents", "0")],
        "amount_cents > 0",
    ),
    (
        "till_movement",
        &[("moved_by", "'S2'")],
        "moved_by <> second",
    ),
    ("draw", &[("number", "0")], "number > 0"),
    ("draw", &[("state", "0")], "state BETWEEN 1 AND 9"),
    ("draw", &[("state", "10")], "state BETWEEN 1 AND 9"),
    ("draw", &[("source", "3")], "source IN (1, 2)"),
    ("draw", &[("cap_cents", "0")], "cap_cents > 0"),
    (
        "draw",
        &[("closes_at_ms", "2")],
        "closes_at_ms < draws_at_ms",
    ),
    (
        "draw",
        &[("seal_root", "NULL")],
        "(closed_leaf IS NULL) = (seal_root IS NULL)",
    ),
    (
        "draw",
        &[("closed_leaf", "NULL"), ("seal_root", "NULL")],
        "started_leaf IS NULL OR closed_leaf IS NOT NULL",
    ),
    (
        "draw",
        &[("state", "9")],
        "state <> 9 OR voided_leaf IS NOT NULL",
    ),
    (
        "draw_holder",
        &[("commitment", "NULL")],
        "secret IS NULL OR commitment IS NOT NULL",
    ),
    (
        "draw_settlement",
        &[("small_denominator", "0")],
        "small_denominator > 0",
    ),
    (
        "draw_settlement",
        &[("large_denominator", "0")],
        "large_denominator > 0",
    ),
    (
        "draw_settlement",
        &[("breakage_cents", "-1")],
        "breakage_cents >= 0",
    ),
    (
        "draw_settlement",
        &[("payable_cents", "3")],
        "payable_cents <= small_cents + large_cents",
    ),
    (
        "ticket",
        &[("control_hash", "B")],
        "length(control_hash) = 32",
    ),
    (
        "ticket",
        &[
            ("per_draw_cents", "0"),
            ("total_cents", "0"),
            ("received_cents", "0"),
        ],
        "per_draw_cents > 0",
    ),
    (
        "ticket",
        // With no draw at all every other rule holds, and the ticket would cost nothing.
        &[
            ("per_draw_cents", "100"),
            ("last_draw", "0"),
            ("total_cents", "0"),
        ],
        "total_cents > 0",
    ),
    ("ticket", &[("tender", "4")], "tender BETWEEN 1 AND 3"),
    ("ticket", &[("tender", "0")], "tender BETWEEN 1 AND 3"),
    ("ticket", &[("state", "0")], "state BETWEEN 1 AND 3"),
    ("ticket", &[("state", "4")], "state BETWEEN 1 AND 3"),
    ("ticket", &[("copy", "0")], "copy >= 1"),
    ("ticket", &[("first_draw", "4")], "last_draw >= first_draw"),
    (
        "ticket",
        &[("total_cents", "100")],
        "total_cents = per_draw_cents * (last_draw - first_draw + 1)",
    ),
    (
        "ticket",
        &[("received_cents", "199")],
        "received_cents >= total_cents",
    ),
    (
        "prize",
        &[("computed_cents", "0"), ("payable_cents", "0")],
        "computed_cents > 0",
    ),
    ("prize", &[("payable_cents", "-1")], "payable_cents >= 0"),
    (
        "prize",
        &[("payable_cents", "2")],
        "payable_cents <= computed_cents",
    ),
    ("payment", &[("total_cents", "0")], "total_cents > 0"),
    (
        "payment",
        &[("rounding_cents", "3")],
        "rounding_cents BETWEEN -2 AND 2",
    ),
    (
        "payment",
        &[("rounding_cents", "-3")],
        "rounding_cents BETWEEN -2 AND 2",
    ),
    (
        "payment",
        &[("second", "'C1'")],
        "second IS NULL OR second <> badge",
    ),
    ("payment_item", &[("kind", "3")], "kind IN (1, 2)"),
    ("payment_item", &[("amount_cents", "0")], "amount_cents > 0"),
    ("command_key", &[("kind", "0")], "kind BETWEEN 1 AND 4"),
    ("command_key", &[("kind", "5")], "kind BETWEEN 1 AND 4"),
];

/// Second rows that repeat what may be there once: table, and what differs from the good row.
const REPEATED: [(&str, &[(&str, &str)]); 4] = [
    ("rule_book", &[("version", "2")]),
    ("draw", &[("number", "2")]),
    ("ticket", &[("number", "30")]),
    // A second payment of the same draw of the same ticket.
    ("payment_item", &[("payment", "23")]),
];

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
            if !own.is_sqlite() && changed.iter().any(|(column, _)| *column == "active") {
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
                .filter(|check| !check.starts_with("active IN"))
                .count()
        });
        assert_eq!(there.len(), wanted, "{table}: {there:?}");
    }
}

/// Without its check the violation would pass: it is the check that refuses, nothing else.
#[test]
fn without_its_check_a_violation_passes() {
    let mut own = Own::postgres();
    own.run("ALTER TABLE ticket DROP CONSTRAINT ticket_tender_check")
        .unwrap();
    let mut statements = before(&own, "ticket");
    statements.push(insert(&own, "ticket", &[("tender", "4")]));
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
            assert!(
                matches!(kind, DatabaseErrorKind::UniqueViolation),
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
            ("draw_holder", "draw"),
            ("draw_result", "draw"),
            ("draw_settlement", "draw"),
            ("ticket_fact", "ticket"),
            ("prize", "draw"),
            ("prize", "ticket"),
            ("payment", "ticket"),
            ("payment_item", "payment"),
            ("payment_item", "draw"),
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
        for statement in [
            "UPDATE log_entry SET body = nonce",
            "UPDATE log_entry SET leaf_index = leaf_index + 1",
            "DELETE FROM log_entry",
            "DELETE FROM log_entry WHERE leaf_index = 0",
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
