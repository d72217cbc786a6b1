//! Whether the tables are those that the migrations make: no view in the place of one, no trigger or
//! rule beside it, no other column, check or index.
//!
//! The database itself is asked how it would make them: a second SQLite in memory, or a schema of
//! PostgreSQL in a transaction that is taken back. What is none of ours is left alone, unless it
//! hangs on a table of ours.

use std::collections::BTreeMap;

use diesel::connection::SimpleConnection;
use diesel::result::Error;
use diesel::sql_types::Text;
use diesel::{
    Connection as _, PgConnection, QueryResult, QueryableByName, RunQueryDsl, SqliteConnection,
};

use crate::migrate::{ACCESS, MigrateFault, POSTGRES, SQLITE, make};
use crate::tables::TABLES;
use crate::{Connection, WriteFault, write};

/// What there is, by what it is called, and how it was made.
type Made = BTreeMap<String, String>;

/// Objects that are told by name.
const TOLD: usize = 4;

#[derive(QueryableByName)]
struct Object {
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Text)]
    made: String,
}

/// Tables, indexes, triggers and views as they were written, of our tables in whatever capitals; and
/// whatever refers to one of them.
const OF_SQLITE: &str = "
SELECT type || ' ' || name AS name, tbl_name || ' ' || coalesce(sql, '') AS made
    FROM sqlite_master WHERE lower(tbl_name) IN (TABLES)
UNION ALL SELECT 'reference of ' || lower(\"table\") || ' by ' || m.name,
    group_concat(concat_ws(' ', f.\"from\", f.\"to\", on_update, on_delete))
    FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f
    WHERE m.type = 'table' AND m.sql LIKE 'CREATE TABLE%' AND lower(\"table\") IN (TABLES)
    GROUP BY 1
";

/// All there is in a file that is ours alone, but for what SQLite keeps there for itself.
const OF_FILE: &str = "
SELECT type || ' ' || name AS name, tbl_name || ' ' || coalesce(sql, '') AS made FROM sqlite_master
    WHERE NOT (sql IS NULL AND name LIKE 'sqlite!_autoindex!_%' ESCAPE '!')
    AND NOT (type = 'table' AND name IN ('sqlite_stat1', 'sqlite_stat4'))
";

/// The tables that an unqualified name reaches, and whatever changes what is read or written there.
const OF_POSTGRES: &str = "
WITH ours AS (
    SELECT c.* FROM pg_class c WHERE c.relname IN (TABLES) AND pg_table_is_visible(c.oid)
)
SELECT 'table ' || relname AS name,
    concat_ws(' ', relkind, relpersistence, relrowsecurity, relhassubclass, relispartition) AS made
    FROM ours
UNION ALL SELECT 'column ' || relname || '.' || attname,
    concat_ws(' ', attnum, format_type(atttypid, atttypmod), attnotnull, attgenerated,
        pg_get_expr(adbin, adrelid))
    FROM ours JOIN pg_attribute ON attrelid = ours.oid
    LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE attnum > 0 AND NOT attisdropped
UNION ALL SELECT 'constraint ' || relname || '.' || conname,
    concat_ws(' ', pg_get_constraintdef(pg_constraint.oid), convalidated)
    FROM ours JOIN pg_constraint ON conrelid = ours.oid
UNION ALL SELECT 'index ' || indexrelid::regclass::text,
    concat_ws(' ', pg_get_indexdef(indexrelid, 0, true), indisvalid, indisready)
    FROM ours JOIN pg_index ON indrelid = ours.oid
UNION ALL SELECT 'trigger ' || relname || '.' || tgname,
    concat_ws(' ', pg_get_triggerdef(pg_trigger.oid, true), tgenabled, prosrc)
    FROM ours JOIN pg_trigger ON tgrelid = ours.oid JOIN pg_proc ON pg_proc.oid = tgfoid
    WHERE NOT tgisinternal
UNION ALL SELECT 'reference of ' || relname, string_agg(tgenabled::text, '' ORDER BY tgenabled)
    FROM ours JOIN pg_trigger ON tgrelid = ours.oid WHERE tgisinternal GROUP BY relname
UNION ALL SELECT 'rule ' || relname || '.' || rulename, ''
    FROM ours JOIN pg_rewrite ON ev_class = ours.oid
UNION ALL SELECT 'policy ' || relname || '.' || polname, ''
    FROM ours JOIN pg_policy ON polrelid = ours.oid
UNION ALL SELECT 'heir of ' || relname, inhrelid::regclass::text
    FROM ours JOIN pg_inherits ON inhparent = ours.oid
";

/// What SQLite finds wrong with its own pages: also an index that does not hold what its table does.
///
/// # Errors
/// The database's.
pub fn damaged(connection: &mut SqliteConnection) -> QueryResult<Option<String>> {
    let told: Object = diesel::sql_query(
        "SELECT '' AS name, integrity_check AS made FROM pragma_integrity_check LIMIT 1",
    )
    .get_result(connection)?;
    Ok(Some(told.made).filter(|told| told != "ok"))
}

/// With the names of our tables in the place of `TABLES`.
fn query(text: &str) -> String {
    let names: Vec<String> = TABLES.iter().map(|name| format!("'{name}'")).collect();
    text.replace("TABLES", &names.join(", "))
}

fn of_sqlite(connection: &mut SqliteConnection) -> QueryResult<Vec<Object>> {
    diesel::sql_query(query(OF_SQLITE)).load(connection)
}

fn of_postgres(connection: &mut PgConnection) -> QueryResult<Vec<Object>> {
    diesel::sql_query(query(OF_POSTGRES)).load(connection)
}

/// What was renamed and back again has our names in quotes, on SQLite. Other quotes mean something: a
/// whole condition within them is a text, and never holds.
fn by_name(objects: Vec<Object>) -> Made {
    let quoted: Vec<(String, &str)> = TABLES
        .iter()
        .map(|name| (format!("\"{name}\""), *name))
        .collect();
    let plain = |made: String| match made.contains('"') {
        true => quoted
            .iter()
            .fold(made, |made, (quoted, name)| made.replace(quoted, name)),
        false => made,
    };
    let all = objects.into_iter();
    all.map(|it| (it.name, plain(it.made))).collect()
}

/// What there is, and what the migrations make: a schema of its own in a transaction that is taken
/// back.
fn on_postgres(connection: &mut Connection) -> Result<(Vec<Object>, Vec<Object>), MigrateFault> {
    let mut both = Ok((Vec::new(), Vec::new()));
    let taken_back = write(connection, |connection| -> Result<(), Error> {
        if let Connection::Postgres(c) = connection {
            c.batch_execute("SET TRANSACTION READ WRITE")?;
            let found = of_postgres(c)?;
            c.batch_execute(
                "CREATE SCHEMA boulier_as_made; SET LOCAL search_path = boulier_as_made",
            )?;
            both = make(&POSTGRES, c).and_then(|()| Ok((found, of_postgres(c)?)));
        }
        Err(Error::RollbackTransaction)
    });
    match taken_back {
        Ok(()) | Err(WriteFault::Undone(Error::RollbackTransaction)) => both,
        Err(WriteFault::Undone(fault) | WriteFault::Begin(fault) | WriteFault::Unknown(fault)) => {
            Err(fault.into())
        }
    }
}

/// Every object that is not as the migrations make it, and what about it is so.
///
/// # Errors
/// [`MigrateFault`] when the database cannot be asked, or does not let its tables be made a second
/// time.
pub fn altered(connection: &mut Connection) -> Result<Vec<String>, MigrateFault> {
    let (found, made) = match connection {
        Connection::Sqlite(c) => {
            let mut second = SqliteConnection::establish(":memory:")?;
            make(&SQLITE, &mut second)?;
            (of_sqlite(c)?, of_sqlite(&mut second)?)
        }
        Connection::Postgres(_) => on_postgres(connection)?,
    };
    Ok(differences(found, made))
}

/// The tables as they were once, to be compared with what they are later: nothing is written for it.
#[derive(Debug, Clone)]
pub struct Picture(Made);

fn objects(connection: &mut Connection) -> QueryResult<Vec<Object>> {
    match connection {
        Connection::Sqlite(c) => of_sqlite(c),
        Connection::Postgres(c) => of_postgres(c),
    }
}

impl Picture {
    /// The tables as they are.
    ///
    /// # Errors
    /// The database's.
    pub fn of(connection: &mut Connection) -> QueryResult<Self> {
        objects(connection).map(|objects| Self(by_name(objects)))
    }

    /// What is not as it was, as a list in words; nothing where all is.
    ///
    /// # Errors
    /// The database's.
    pub fn changed(&self, connection: &mut Connection) -> QueryResult<Option<String>> {
        let found = by_name(objects(connection)?);
        Ok(listed(compared(&found, &self.0)))
    }
}

fn differences(found: Vec<Object>, made: Vec<Object>) -> Vec<String> {
    compared(&by_name(found), &by_name(made))
}

fn compared(found: &Made, made: &Made) -> Vec<String> {
    let lost = made.iter().filter_map(|(name, how)| match found.get(name) {
        None => Some(format!("{name} is missing")),
        Some(other) if other != how => Some(format!("{name} is not as it was made")),
        Some(_) => None,
    });
    let added = found.keys().filter(|name| !made.contains_key(*name));
    lost.chain(added.map(|name| format!("{name} was added")))
        .collect()
}

/// The first of [`altered`], as a list in words; nothing where there are none.
///
/// # Errors
/// As [`altered`].
pub fn told(connection: &mut Connection) -> Result<Option<String>, MigrateFault> {
    Ok(listed(altered(connection)?))
}

/// As [`told`], of the file of the access log, in which everything is ours.
///
/// # Errors
/// As [`altered`].
pub fn told_of_access(file: &mut SqliteConnection) -> Result<Option<String>, MigrateFault> {
    let mut second = SqliteConnection::establish(":memory:")?;
    second.batch_execute(ACCESS)?;
    let all = |c: &mut SqliteConnection| diesel::sql_query(OF_FILE).load(c);
    Ok(listed(differences(all(file)?, all(&mut second)?)))
}

fn listed(mut all: Vec<String>) -> Option<String> {
    all.truncate(TOLD);
    (!all.is_empty()).then(|| all.join(", "))
}
