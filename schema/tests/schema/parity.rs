//! Both databases against `tables.rs` and against each other.

use std::collections::BTreeSet;

use crate::schema::Own;
use crate::schema::declared::{self, Column, Table};

/// Every reference of the schema: table, column, table referred to, its column.
const REFERENCES: [(&str, &str, &str, &str); 17] = [
    ("damaged_file", "ticket", "ticket", "number"),
    ("draw_holder", "draw", "draw", "number"),
    ("draw_result", "draw", "draw", "number"),
    ("draw_settlement", "draw", "draw", "number"),
    ("hand_over", "device", "device", "number"),
    ("hand_over", "shift", "shift", "number"),
    ("payment", "ticket", "ticket", "number"),
    ("payment_item", "draw", "draw", "number"),
    ("payment_item", "payment", "payment", "number"),
    ("session", "badge", "person", "badge"),
    ("session", "device", "device", "number"),
    ("shift", "badge", "person", "badge"),
    ("shift", "device", "device", "number"),
    ("ticket_fact", "ticket", "ticket", "number"),
    ("till_count", "device", "device", "number"),
    ("till_count", "shift", "shift", "number"),
    ("till_movement", "shift", "shift", "number"),
];

/// Indexes by name, with their columns.
const INDEXES: [(&str, &str, &str); 6] = [
    ("damaged_file_by_ticket", "damaged_file", "ticket"),
    ("payment_by_ticket", "payment", "ticket"),
    ("session_open", "session", "ended_leaf"),
    ("ticket_by_last_draw", "ticket", "last_draw"),
    ("ticket_fact_by_ticket", "ticket_fact", "ticket,leaf"),
    ("ticket_held", "ticket", "number"),
];

/// Unique constraints besides the keys.
const UNIQUES: [(&str, &str); 4] = [
    ("draw", "scheduled_leaf"),
    ("epoch", "leaf"),
    ("payment_item", "ticket,draw,reversed"),
    ("rule_book", "leaf"),
];

fn sqlite_type(kind: &str) -> &'static str {
    match kind {
        "SmallInt" | "BigInt" | "Bool" => "INTEGER",
        "Text" => "TEXT",
        "Binary" => "BLOB",
        other => panic!("a type of no column so far: {other}"),
    }
}

fn postgres_type(kind: &str) -> &'static str {
    match kind {
        "SmallInt" => "smallint",
        "BigInt" => "bigint",
        "Bool" => "boolean",
        "Text" => "text",
        "Binary" => "bytea",
        other => panic!("a type of no column so far: {other}"),
    }
}

/// Tables of the record: those of the migrations' own book-keeping left out.
fn table_names(own: &mut Own) -> Vec<String> {
    let query = if own.is_sqlite() {
        "SELECT name AS value FROM sqlite_schema WHERE type = 'table' \
         AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name <> '__diesel_schema_migrations' ORDER BY name"
    } else {
        "SELECT table_name::text AS value FROM information_schema.tables \
         WHERE table_schema = 'public' AND table_name <> '__diesel_schema_migrations' \
         ORDER BY table_name COLLATE \"C\""
    };
    own.texts(query)
}

/// A table as the database has it: columns in order as `name type nullable`, and the key.
fn table_as_is(own: &mut Own, name: &str) -> (Vec<(String, String, bool)>, Vec<String>) {
    let (columns, key) = if own.is_sqlite() {
        (
            format!(
                // A column of the key is never null in a STRICT table.
                "SELECT name || ' ' || type || ' ' || (\"notnull\" = 0 AND pk = 0) AS value \
                 FROM pragma_table_info('{name}') ORDER BY cid"
            ),
            format!(
                "SELECT name AS value FROM pragma_table_info('{name}') WHERE pk > 0 ORDER BY pk"
            ),
        )
    } else {
        (
            format!(
                "SELECT column_name || ' ' || data_type || ' ' || \
                 CASE is_nullable WHEN 'YES' THEN '1' ELSE '0' END AS value \
                 FROM information_schema.columns \
                 WHERE table_schema = 'public' AND table_name = '{name}' ORDER BY ordinal_position"
            ),
            format!(
                "SELECT a.attname::text AS value FROM pg_index i \
                 CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY k(attnum, place) \
                 JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum \
                 WHERE i.indrelid = 'public.{name}'::regclass AND i.indisprimary ORDER BY k.place"
            ),
        )
    };
    let columns = own
        .texts(&columns)
        .iter()
        .map(|line| {
            let mut words = line.split(' ');
            let mut word = || words.next().unwrap().to_owned();
            (word(), word(), word() == "1")
        })
        .collect();
    (columns, own.texts(&key))
}

/// What of a declared table the database has otherwise.
fn differences(own: &mut Own, table: &Table) -> Vec<String> {
    let (found, key) = table_as_is(own, &table.name);
    let is_sqlite = own.is_sqlite();
    let kind_of = |column: &Column| {
        if is_sqlite {
            sqlite_type(&column.kind)
        } else {
            postgres_type(&column.kind)
        }
    };
    let declared: Vec<(String, String, bool)> = table
        .columns
        .iter()
        .map(|column| {
            (
                column.name.clone(),
                kind_of(column).to_owned(),
                column.nullable,
            )
        })
        .collect();
    let mut differences = Vec::new();
    if declared != found {
        differences.push(format!(
            "{} of {}: {declared:?} is declared, {found:?} is there",
            table.name,
            own.name()
        ));
    }
    if table.key != key {
        differences.push(format!("key of {}: {key:?}", table.name));
    }
    differences
}

#[test]
fn both_databases_are_as_declared() {
    for mut own in Own::both() {
        let tables = declared::tables();
        let mut names: Vec<String> = tables.iter().map(|table| table.name.clone()).collect();
        names.sort();
        assert_eq!(table_names(&mut own), names, "{}", own.name());
        for table in &tables {
            assert_eq!(differences(&mut own, table), Vec::<String>::new());
        }
    }
}

/// The comparison itself: each way in which a declaration can be wrong is seen.
#[test]
fn a_wrong_declaration_is_seen() {
    for mut own in Own::both() {
        let right = declared::tables()
            .into_iter()
            .find(|table| table.name == "shift")
            .unwrap();
        type Change = fn(&mut Table);
        let changes: [Change; 6] = [
            |table| table.columns[5].nullable = false,
            |table| table.columns[3].kind = "Text".to_owned(),
            |table| table.columns[3].name = "float".to_owned(),
            |table| table.columns.swap(1, 2),
            |table| drop(table.columns.pop()),
            |table| table.key = vec!["device".to_owned()],
        ];
        for (number, change) in changes.iter().enumerate() {
            let mut wrong = right.clone();
            change(&mut wrong);
            assert!(
                !differences(&mut own, &wrong).is_empty(),
                "change {number} on {}",
                own.name()
            );
        }
    }
}

fn references(own: &mut Own) -> BTreeSet<String> {
    if own.is_sqlite() {
        table_names(own)
            .iter()
            .flat_map(|name| {
                own.texts(&format!(
                    "SELECT '{name}' || ' ' || \"from\" || ' ' || \"table\" || ' ' || \"to\" AS value \
                     FROM pragma_foreign_key_list('{name}')"
                ))
            })
            .collect()
    } else {
        own.texts(
            "SELECT t.relname || ' ' || a.attname || ' ' || r.relname || ' ' || b.attname AS value \
             FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid \
             JOIN pg_class r ON r.oid = c.confrelid \
             JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1] \
             JOIN pg_attribute b ON b.attrelid = c.confrelid AND b.attnum = c.confkey[1] \
             WHERE c.contype = 'f'",
        )
        .into_iter()
        .collect()
    }
}

#[test]
fn references_are_the_same_in_both() {
    let listed: BTreeSet<String> = REFERENCES
        .iter()
        .map(|(table, column, other, key)| format!("{table} {column} {other} {key}"))
        .collect();
    for mut own in Own::both() {
        assert_eq!(references(&mut own), listed, "{}", own.name());
    }
}

/// Named indexes as `name table columns`, and unique constraints as `table columns`.
fn indexes(own: &mut Own) -> (BTreeSet<String>, BTreeSet<String>) {
    if own.is_sqlite() {
        let listed = own.texts(
            "SELECT i.origin || ' ' || i.name || ' ' || t.name || ' ' || \
             (SELECT group_concat(c.name, ',') FROM pragma_index_info(i.name) c) AS value \
             FROM sqlite_schema t, pragma_index_list(t.name) i WHERE t.type = 'table' \
             AND t.name <> '__diesel_schema_migrations'",
        );
        let of = |origin: &str, skip: usize| {
            listed
                .iter()
                .filter(|line| line.starts_with(origin))
                .map(|line| line.splitn(skip + 1, ' ').last().unwrap().to_owned())
                .collect()
        };
        (of("c ", 1), of("u ", 2))
    } else {
        let columns = "(SELECT string_agg(a.attname, ',' ORDER BY k.place) \
                       FROM unnest(i.indkey) WITH ORDINALITY k(attnum, place) \
                       JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum)";
        let from = "FROM pg_index i JOIN pg_class n ON n.oid = i.indexrelid \
                    JOIN pg_class t ON t.oid = i.indrelid \
                    WHERE t.relnamespace = 'public'::regnamespace \
                    AND t.relname <> '__diesel_schema_migrations' AND NOT i.indisprimary";
        let named = own.texts(&format!(
            "SELECT n.relname || ' ' || t.relname || ' ' || {columns} AS value {from} AND NOT i.indisunique"
        ));
        let unique = own.texts(&format!(
            "SELECT t.relname || ' ' || {columns} AS value {from} AND i.indisunique"
        ));
        (named.into_iter().collect(), unique.into_iter().collect())
    }
}

#[test]
fn indexes_are_the_same_in_both() {
    let named: BTreeSet<String> = INDEXES
        .iter()
        .map(|(name, table, columns)| format!("{name} {table} {columns}"))
        .collect();
    let unique: BTreeSet<String> = UNIQUES
        .iter()
        .map(|(table, columns)| format!("{table} {columns}"))
        .collect();
    for mut own in Own::both() {
        assert_eq!(
            indexes(&mut own),
            (named.clone(), unique.clone()),
            "{}",
            own.name()
        );
    }
}

/// Everything that a migration made, as text.
fn picture(own: &mut Own) -> Vec<String> {
    if own.is_sqlite() {
        return own.texts(
            "SELECT type || ' ' || name || ' ' || tbl_name || ' ' || coalesce(sql, '') AS value \
             FROM sqlite_schema WHERE tbl_name <> '__diesel_schema_migrations' ORDER BY type, name",
        );
    }
    let mut lines = Vec::new();
    for query in [
        "SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || \
         coalesce(column_default, '') AS value FROM information_schema.columns \
         WHERE table_schema = 'public' AND table_name <> '__diesel_schema_migrations' \
         ORDER BY table_name, ordinal_position",
        "SELECT t.relname || ' ' || c.conname || ' ' || pg_get_constraintdef(c.oid) AS value \
         FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid \
         WHERE t.relnamespace = 'public'::regnamespace \
         AND t.relname <> '__diesel_schema_migrations' ORDER BY 1",
        "SELECT indexdef AS value FROM pg_indexes WHERE schemaname = 'public' \
         AND tablename <> '__diesel_schema_migrations' ORDER BY 1",
        "SELECT pg_get_triggerdef(oid) AS value FROM pg_trigger WHERE NOT tgisinternal \
         AND tgrelid::regclass::text <> '__diesel_schema_migrations' ORDER BY 1",
        "SELECT pg_get_functiondef(oid) AS value FROM pg_proc \
         WHERE pronamespace = 'public'::regnamespace \
         AND proname NOT LIKE 'diesel%' ORDER BY 1",
    ] {
        lines.extend(own.texts(query));
    }
    lines
}

#[test]
fn migrations_go_down_and_up_again_to_the_same_schema() {
    use diesel_migrations::MigrationHarness;
    use keno_schema::migrate::{POSTGRES, SQLITE, migrate};
    for mut own in Own::both() {
        let first = picture(&mut own);
        assert!(first.len() > 19, "{first:?}");
        match &mut own.connection {
            keno_schema::Connection::Sqlite(c) => drop(c.revert_all_migrations(SQLITE).unwrap()),
            keno_schema::Connection::Postgres(c) => {
                drop(c.revert_all_migrations(POSTGRES).unwrap())
            }
        }
        assert_eq!(picture(&mut own), Vec::<String>::new(), "{}", own.name());
        assert!(!migrate(&mut own.connection).unwrap().is_empty());
        assert_eq!(picture(&mut own), first, "{}", own.name());
        assert_eq!(
            migrate(&mut own.connection).unwrap(),
            Vec::<String>::new(),
            "nothing is run twice"
        );
    }
}

/// The picture sees what a `down.sql` may forget, down to a function and one word of a check.
#[test]
fn a_forgotten_step_is_seen() {
    for mut own in Own::both() {
        let before = picture(&mut own);
        own.run("DROP INDEX session_open").unwrap();
        assert_ne!(picture(&mut own), before, "{}", own.name());
        own.run("CREATE INDEX session_open ON session (ended_leaf)")
            .unwrap();
        assert_eq!(picture(&mut own), before, "{}", own.name());
        let change = if own.is_sqlite() {
            "DROP TRIGGER log_entry_never_deleted"
        } else {
            "CREATE FUNCTION left_behind() RETURNS int LANGUAGE sql AS 'SELECT 1'"
        };
        own.run(change).unwrap();
        assert_ne!(picture(&mut own), before, "{}", own.name());
    }
}

#[test]
fn migrations_have_the_same_names_in_both() {
    let root = std::path::Path::new("../migrations");
    let names = |of: &str| -> BTreeSet<_> {
        std::fs::read_dir(root.join(of))
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect()
    };
    assert_eq!(names("sqlite"), names("postgres"));
    assert!(!names("sqlite").is_empty());
}
