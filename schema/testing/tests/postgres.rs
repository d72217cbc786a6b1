//! The private server as tests meet it: real processes, a real database.

use std::io::Error;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use keno_testing::{
    Durability, PostgresServer, PrivatePostgres, TestingFault, empty_postgres_database, postgres,
    postgres_database,
};

/// A migration as a caller would hand it in, by psql.
fn migrate(address: &str) -> Result<(), Error> {
    let done = Command::new("psql")
        .args(["-X", "-q", "-d", address, "-c"])
        .arg("CREATE TABLE fact (number BIGINT PRIMARY KEY); INSERT INTO fact VALUES (7)")
        .stdin(Stdio::null())
        .status()?;
    if done.success() {
        Ok(())
    } else {
        Err(Error::other("psql refused the migration"))
    }
}

#[test]
fn every_test_has_a_copy_of_its_own_and_the_migration_ran_once() {
    // A server that outlives this process may know the name from an earlier run.
    let template = &format!("facts_{}", std::process::id());
    let runs = AtomicUsize::new(0);
    let counted = |address: &str| {
        runs.fetch_add(1, Ordering::SeqCst);
        migrate(address)
    };
    std::thread::scope(|scope| {
        let tests: Vec<_> = (0..4)
            .map(|number| {
                scope.spawn(move || {
                    let database = postgres_database(template, counted).unwrap();
                    database
                        .sql(&format!("INSERT INTO fact VALUES ({})", 100 + number))
                        .unwrap();
                    let rows = database
                        .sql("SELECT number FROM fact ORDER BY number")
                        .unwrap();
                    assert_eq!(rows, format!("7\n{}", 100 + number));
                    database.name().to_owned()
                })
            })
            .collect();
        let mut names: Vec<_> = tests.into_iter().map(|test| test.join().unwrap()).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), 4);
        let server = postgres().unwrap();
        for name in names {
            let left = format!("SELECT count(*) FROM pg_database WHERE datname = '{name}'");
            assert_eq!(
                server.sql("postgres", &left).as_deref(),
                Ok("0"),
                "{name} was not dropped"
            );
        }
    });
    assert_eq!(runs.load(Ordering::SeqCst), 1);
}

#[test]
fn a_migration_that_fails_leaves_no_template() {
    let template = &format!("broken_{}", std::process::id());
    let refused = postgres_database(template, |address| {
        migrate(address)?;
        Err(Error::other("no such column"))
    });
    assert!(matches!(refused, Err(TestingFault::Template(words)) if words == "no such column"));
    let database = postgres_database(template, migrate).unwrap();
    assert_eq!(database.sql("SELECT number FROM fact").as_deref(), Ok("7"));
}

#[test]
fn an_empty_database_is_empty_and_reached_by_its_socket_alone() {
    let database = empty_postgres_database().unwrap();
    let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'";
    assert_eq!(database.sql(tables).as_deref(), Ok("0"));
    assert_eq!(database.sql("SHOW listen_addresses").as_deref(), Ok(""));
    assert!(matches!(
        database.sql("SELECT nothing"),
        Err(TestingFault::Statement(_))
    ));
}

/// Waits until a server's folder is gone: its keeper removes it last, some time after the holder
/// of the pipe died.
const UNTIL_REMOVED: &str = "tries=300; while [ -e \"$1\" ] && [ $tries -gt 0 ]; do \
                             sleep 0.1; tries=$((tries - 1)); done; [ ! -e \"$1\" ]";

#[test]
fn a_synced_server_keeps_what_was_committed_through_a_crash() {
    let mut own = PrivatePostgres::start(Durability::Synced).unwrap();
    let server = own.server().clone();
    assert_eq!(server.sql("postgres", "SHOW fsync").as_deref(), Ok("on"));
    server
        .sql("postgres", "CREATE TABLE fact (number BIGINT)")
        .unwrap();
    server
        .sql("postgres", "INSERT INTO fact VALUES (7)")
        .unwrap();
    own.crash().unwrap();
    assert!(server.sql("postgres", "SELECT number FROM fact").is_err());
    own.start_again().unwrap();
    assert_eq!(
        server.sql("postgres", "SELECT number FROM fact").as_deref(),
        Ok("7")
    );
    let folder = server.socket_folder().to_owned();
    drop(own);
    assert!(!folder.exists(), "the server's folder outlived it");
}

/// A holder of the keeper's pipe that dies by a signal which no handler sees.
const START_AND_DIE: &str = "coproc SERVER { exec sh \"$1\" fast; }; \
                             read -r line <&\"${SERVER[0]}\"; echo \"$line\"; kill -9 $$";

#[test]
fn a_server_ends_with_the_process_that_started_it_even_when_that_is_killed() {
    let script = "../../scripts/private-postgres";
    let output = Command::new("bash")
        .args(["-c", START_AND_DIE])
        .args(["bash", script])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(!output.status.success());
    let line = String::from_utf8(output.stdout).unwrap();
    let address = line
        .trim_end()
        .strip_prefix("ready ")
        .expect("the server came up");
    let folder = PostgresServer::at(address)
        .unwrap()
        .socket_folder()
        .to_owned();
    let removed = Command::new("sh")
        .args(["-c", UNTIL_REMOVED, "sh"])
        .arg(&folder)
        .status()
        .unwrap();
    assert!(
        removed.success(),
        "the server of a killed test is still there"
    );
}
