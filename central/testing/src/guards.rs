//! Somebody with the database's own tools, who leaves no trace in the schema.

use diesel::connection::SimpleConnection;
use diesel::sql_types::Text;
use diesel::{QueryResult, QueryableByName, RunQueryDsl};
use keno_schema::{Connection, on};

#[derive(QueryableByName)]
struct Trigger {
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Text)]
    sql: String,
}

/// Does `work` without the triggers that guard the record, and puts them back.
///
/// # Errors
/// The database's.
pub fn without_guards<R>(
    connection: &mut Connection,
    work: impl FnOnce(&mut Connection) -> QueryResult<R>,
) -> QueryResult<R> {
    let (before, after) = match connection {
        Connection::Sqlite(c) => {
            let triggers: Vec<Trigger> = diesel::sql_query(
                "SELECT name, sql FROM sqlite_master \
                 WHERE type = 'trigger' AND tbl_name = 'log_entry'",
            )
            .load(c)?;
            let drop = |trigger: &Trigger| format!("DROP TRIGGER {};", trigger.name);
            let make = |trigger: &Trigger| format!("{};", trigger.sql);
            (
                triggers.iter().map(drop).collect(),
                triggers.iter().map(make).collect(),
            )
        }
        Connection::Postgres(_) => (
            "ALTER TABLE log_entry DISABLE TRIGGER USER".to_owned(),
            "ALTER TABLE log_entry ENABLE TRIGGER USER".to_owned(),
        ),
    };
    run(connection, before)?;
    let done = work(connection)?;
    run(connection, after)?;
    Ok(done)
}

fn run(connection: &mut Connection, statements: String) -> QueryResult<()> {
    on!(connection, c => c.batch_execute(&statements))
}
