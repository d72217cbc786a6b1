//! A connection that would lose an acknowledged sale is refused.

use diesel::connection::SimpleConnection;
use keno_schema::{Connection, Database, OpenFault, on};

use crate::schema::Own;

fn value(connection: &mut Connection, query: &str) -> String {
    use diesel::prelude::*;
    #[derive(QueryableByName)]
    struct Text {
        #[diesel(sql_type = diesel::sql_types::Text)]
        value: String,
    }
    on!(connection, c => diesel::sql_query(query).get_result::<Text>(c))
        .unwrap()
        .value
}

/// What each setting must read, for a connection that writes and one that reads.
fn settings(sqlite: bool) -> &'static [(&'static str, &'static str, &'static str)] {
    if sqlite {
        &[
            (
                "SELECT journal_mode AS value FROM pragma_journal_mode",
                "wal",
                "wal",
            ),
            (
                "SELECT CAST(synchronous AS TEXT) AS value FROM pragma_synchronous",
                "2",
                "2",
            ),
            (
                "SELECT CAST(foreign_keys AS TEXT) AS value FROM pragma_foreign_keys",
                "1",
                "1",
            ),
            (
                "SELECT CAST(query_only AS TEXT) AS value FROM pragma_query_only",
                "0",
                "1",
            ),
            (
                "SELECT CAST(timeout AS TEXT) AS value FROM pragma_busy_timeout",
                "5000",
                "5000",
            ),
        ]
    } else {
        &[
            (
                "SELECT current_setting('synchronous_commit') AS value",
                "on",
                "on",
            ),
            (
                "SELECT current_setting('default_transaction_read_only') AS value",
                "off",
                "on",
            ),
            (
                "SELECT current_setting('lock_timeout') AS value",
                "5s",
                "5s",
            ),
        ]
    }
}

/// A leaf is the first byte that matters here; two leaves stand for a whole record.
#[test]
fn a_record_of_another_format_is_not_opened_and_one_leaf_alone_does_not_say_so() {
    for (first, last, refused) in [
        (4, 4, None),
        (1, 1, Some(1)),
        (3, 3, Some(3)),
        (5, 5, Some(5)),
        // Damage: whoever verifies the record names the leaf.
        (3, 4, None),
        (4, 3, None),
        (3, 5, None),
    ] {
        for mut own in Own::both() {
            let is_sqlite = own.is_sqlite();
            let blob = |hex: String| match is_sqlite {
                true => format!("x'{hex}'"),
                false => format!("'\\x{hex}'"),
            };
            for (index, format) in [(0, first), (1, 7), (2, last)] {
                let leaf = blob(format!("{format:02x}{}", "00".repeat(61)));
                let hash = blob(format!("{index:02x}{}", "00".repeat(31)));
                own.run(&format!(
                    "INSERT INTO log_entry (leaf_index, leaf, leaf_hash, nonce, body) \
                     VALUES ({index}, {leaf}, {hash}, {hash}, {hash})"
                ))
                .unwrap();
            }
            for opened in [own.database.open_writer(), own.database.open_reader()] {
                match (opened, refused) {
                    (Ok(_), None) => {}
                    (Err(fault @ OpenFault::OtherFormat { found }), Some(format)) => {
                        assert_eq!(found, format);
                        let english = fault.to_string();
                        assert!(english.contains(&format!("format {format}")), "{english}");
                        assert!(english.contains("Nothing was changed"), "{english}");
                        assert_eq!(english.contains("keno-central init"), format < 4);
                    }
                    (opened, _) => panic!("{}: {opened:?} {first} {last}", own.name()),
                }
            }
        }
    }
}

#[test]
fn every_connection_sets_what_durability_rests_on() {
    for mut own in Own::both() {
        let settings = settings(own.is_sqlite());
        for (query, writer, _) in settings {
            assert_eq!(value(&mut own.connection, query), *writer, "{query}");
        }
        // All eight at once: none is a connection that another test made ready.
        let pool = own.database.read_pool(8).unwrap();
        let mut readers: Vec<_> = (0..8).map(|_| pool.get().unwrap()).collect();
        for (number, reader) in readers.iter_mut().enumerate() {
            for (query, _, wanted) in settings {
                assert_eq!(value(reader, query), *wanted, "reader {number}: {query}");
            }
            let write = on!(&mut **reader, c => c.batch_execute(
                "INSERT INTO ticket_fact (leaf, ticket, kind) VALUES (1, 1, 1)"
            ));
            let words = write.unwrap_err().to_string();
            assert!(
                words.contains("readonly") || words.contains("read-only"),
                "reader {number} could write: {words}"
            );
        }
    }
}

/// PostgreSQL told to lose commits by default is told otherwise by each connection.
#[test]
fn a_careless_default_of_the_server_does_not_reach_a_connection() {
    let server = keno_testing::empty_postgres_database().unwrap();
    server
        .sql(&format!(
            "ALTER DATABASE \"{}\" SET synchronous_commit = off",
            server.name()
        ))
        .unwrap();
    let mut plain = <diesel::PgConnection as diesel::Connection>::establish(server.address())
        .map(Connection::Postgres)
        .unwrap();
    let query = "SELECT current_setting('synchronous_commit') AS value";
    assert_eq!(value(&mut plain, query), "off", "the fault is planted");
    let database = Database::parse(server.address());
    assert_eq!(value(&mut database.open_writer().unwrap(), query), "on");
}

fn refused_setting(outcome: Result<Connection, OpenFault>) -> (&'static str, String) {
    match outcome {
        Err(fault @ OpenFault::Setting { .. }) => {
            let words = fault.to_string();
            assert!(
                words.contains("only WAL keeps an acknowledged sale through a power cut")
                    && words.contains("put the data folder on a local disk"),
                "{words}"
            );
            match fault {
                OpenFault::Setting { setting, found, .. } => (setting, found),
                _ => unreachable!(),
            }
        }
        other => panic!("expected a refused setting, got {other:?}"),
    }
}

#[test]
fn a_database_that_cannot_keep_a_commit_is_refused_with_words() {
    // One in memory has no log to write ahead.
    let memory = Database::Sqlite(":memory:".into());
    assert_eq!(
        refused_setting(memory.open_writer()),
        ("journal_mode", "memory".to_owned())
    );
    // One that cannot be written keeps the mode it has.
    let folder = keno_testing::TestFolder::new().unwrap();
    let path = folder.join("old.sqlite");
    let mut old =
        <diesel::SqliteConnection as diesel::Connection>::establish(path.to_str().unwrap())
            .unwrap();
    old.batch_execute("CREATE TABLE a (b INTEGER)").unwrap();
    drop(old);
    let frozen = Database::Sqlite(format!("file:{}?immutable=1", path.display()).into());
    assert_eq!(
        refused_setting(frozen.open_writer()),
        ("journal_mode", "delete".to_owned())
    );
    // A reader does not change the mode: it refuses a file that nobody made durable, and takes
    // it once a writer has.
    let database = Database::Sqlite(path);
    assert_eq!(
        refused_setting(database.open_reader()),
        ("journal_mode", "delete".to_owned())
    );
    drop(database.open_writer().unwrap());
    database.open_reader().unwrap();
}

#[test]
fn an_absent_folder_is_refused() {
    let folder = keno_testing::TestFolder::new().unwrap();
    let database = Database::Sqlite(folder.join("nowhere").join("keno.sqlite"));
    assert!(matches!(database.open_writer(), Err(OpenFault::Connect(_))));
    assert!(matches!(database.read_pool(2), Err(OpenFault::Connect(_))));
}

#[test]
fn a_write_that_fails_leaves_nothing_and_one_that_succeeds_stays() {
    for mut own in Own::both() {
        let insert = "INSERT INTO ticket_fact (leaf, ticket, kind) VALUES (1, 1, 1)";
        let person = if own.is_sqlite() {
            "INSERT INTO person VALUES ('C1', '1', '', x'01', zeroblob(32), 0, 1, 0, NULL, NULL)"
        } else {
            "INSERT INTO person VALUES ('C1', '1', '', '\\x01', sha256(''), false, true, 0, NULL, NULL)"
        };
        let run = |connection: &mut Connection, statement: &str| on!(connection, c => c.batch_execute(statement));
        let undone = keno_schema::write(&mut own.connection, |connection| {
            run(connection, person)?;
            run(connection, insert)
        });
        assert!(
            matches!(undone, Err(keno_schema::WriteFault::Undone(_))),
            "a fact of no ticket: {undone:?}"
        );
        let count = "SELECT CAST(count(*) AS TEXT) AS value FROM person";
        assert_eq!(value(&mut own.connection, count), "0", "{}", own.name());
        keno_schema::write(&mut own.connection, |connection| run(connection, person)).unwrap();
        let mut reader = own.database.open_reader().unwrap();
        assert_eq!(value(&mut reader, count), "1", "{}", own.name());
    }
}
