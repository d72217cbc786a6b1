//! PostgreSQL goes away under the writer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use keno_record::fault::Fault;
use keno_record::sequencer::CommitHook;
use keno_service::draw::Draw;
use keno_service::{Central, Stop};

use crate::failures::rules_where_one_number_always_wins;
use crate::support::{House, RULES, assert_same, options, quick, slip, wait};

/// Ends the server's side of the writer's connection inside its transaction, so that `COMMIT`
/// fails and nothing is kept.
struct CutBeforeCommit {
    armed: Arc<AtomicBool>,
    database: Arc<keno_testing::PostgresDatabase>,
    state: &'static str,
}

impl CommitHook for CutBeforeCommit {
    fn before_commit(&mut self) -> Result<(), Fault> {
        if self.armed.swap(false, Ordering::SeqCst) {
            cut(&self.database, self.state);
        }
        Ok(())
    }
}

/// Ends every connection in this state but one's own; returns once the server says so.
fn cut(database: &keno_testing::PostgresDatabase, state: &str) {
    let ended = database
        .sql(&format!(
            "SELECT count(pg_terminate_backend(pid, 10000)) FROM pg_stat_activity \
             WHERE datname = current_database() AND pid <> pg_backend_pid() AND state = '{state}'"
        ))
        .unwrap();
    assert_ne!(ended.trim(), "0", "nothing was cut");
}

/// The outcome of the commit is unknown; the head is read again and says that nothing was kept.
/// The clerk is told so, and the same key succeeds afterwards, once.
#[test]
fn a_connection_cut_before_the_commit_keeps_nothing() {
    let database = Arc::new(keno_testing::empty_postgres_database().unwrap());
    let armed = Arc::new(AtomicBool::new(false));
    let fatal = Arc::new(AtomicBool::new(false));
    let house = House::founded(Some(database.address()), RULES, |options| {
        options.hook = Some(Box::new(CutBeforeCommit {
            armed: Arc::clone(&armed),
            database: Arc::clone(&database),
            state: "idle in transaction",
        }));
        let fatal = Arc::clone(&fatal);
        options.fatal = Some(Box::new(move |_| fatal.store(true, Ordering::SeqCst)));
    });
    let clerk = house.clerk(1, "C1");
    let order = house.order(&clerk, slip(vec![quick(5, 200)], 1), None);
    let before = house.remembered();
    armed.store(true, Ordering::SeqCst);
    let outcome = wait(order.sell(&house.central, &clerk));
    assert!(
        matches!(outcome, Err(Stop::Undone(Fault::UnknownCommit))),
        "{outcome:?}"
    );
    assert_same(&house.remembered(), &before, "memory and before");
    assert_same(&house.recovered(), &before, "disk and before");
    let sold = wait(order.sell(&house.central, &clerk)).unwrap();
    assert!(!sold.repeated, "the first try left nothing");
    assert_same(&house.remembered(), &house.recovered(), "memory and disk");
    assert!(!fatal.load(Ordering::SeqCst), "the process goes on");
}

/// A settlement whose connection is cut before the commit left nothing, and is made again.
#[test]
fn a_settlement_that_was_lost_is_made_again() {
    let database = Arc::new(keno_testing::empty_postgres_database().unwrap());
    let armed = Arc::new(AtomicBool::new(false));
    let rules = rules_where_one_number_always_wins();
    let house = House::founded(Some(database.address()), &rules, |options| {
        options.hook = Some(Box::new(CutBeforeCommit {
            armed: Arc::clone(&armed),
            database: Arc::clone(&database),
            state: "idle in transaction",
        }));
    });
    let clerk = house.clerk(1, "C1");
    let draw = house.next_draw();
    house.sell(&clerk, slip(vec![quick(5, 200)], 1));
    Draw(draw).close(&house.central).unwrap();
    house.until_official(draw);
    let leaves = house.events().len() as u64;
    armed.store(true, Ordering::SeqCst);
    let lost = Draw(draw).settle(&house.central);
    assert!(
        matches!(lost, Err(Stop::Undone(Fault::UnknownCommit))),
        "{lost:?}"
    );
    assert!(!armed.load(Ordering::SeqCst));
    assert_eq!(Draw(draw).settle(&house.central).unwrap(), leaves);
    assert_same(&house.remembered(), &house.recovered(), "memory and disk");
}

/// The server restarts between two commands: the next may fail, the one after must not. Seen to
/// fail: without `mend_connection` every command fails from then on.
#[test]
fn a_connection_lost_while_idle_is_made_again() {
    let database = Arc::new(keno_testing::empty_postgres_database().unwrap());
    let house = House::founded(Some(database.address()), RULES, |_| {});
    let clerk = house.clerk(1, "C1");
    let order = house.order(&clerk, slip(vec![quick(5, 200)], 1), None);
    cut(&database, "idle");
    let _ = wait(order.sell(&house.central, &clerk));
    let sold = wait(order.sell(&house.central, &clerk)).unwrap();
    assert_eq!(sold.sold.key.counter, order.counter);
    assert_same(&house.remembered(), &house.recovered(), "memory and disk");
}

/// The server goes away in the middle of a batch: each of its commands is tried again alone.
#[test]
fn a_connection_lost_inside_a_transaction_costs_one_command() {
    let database = Arc::new(keno_testing::empty_postgres_database().unwrap());
    let house = House::founded(Some(database.address()), RULES, |_| {});
    let clerk = house.clerk(1, "C1");
    let before = house.remembered();
    let of_job = Arc::clone(&database);
    let outcome =
        house
            .central
            .sequencer
            .submit_blocking(keno_record::sequencer::Lane::Draw, move |judge| {
                judge.record(keno_log::event::SalesSuspended {
                    reason: "essai".to_owned(),
                    by: "S1".to_owned(),
                })?;
                cut(&of_job, "idle in transaction");
                judge.settle_rows()?;
                Ok(())
            });
    assert!(matches!(outcome, Err(Stop::Undone(_))), "{outcome:?}");
    assert_same(&house.remembered(), &before, "memory and before");
    house.sell(&clerk, slip(vec![quick(5, 200)], 1));
    assert_same(&house.remembered(), &house.recovered(), "memory and disk");
}

/// Another central writes while this one runs: this one may record nothing more.
#[test]
fn a_head_moved_by_another_is_fatal() {
    let database = Arc::new(keno_testing::empty_postgres_database().unwrap());
    let fatal = Arc::new(AtomicBool::new(false));
    let house = House::founded(Some(database.address()), RULES, |options| {
        let fatal = Arc::clone(&fatal);
        options.fatal = Some(Box::new(move |_| fatal.store(true, Ordering::SeqCst)));
    });
    let clerk = house.clerk(1, "C1");
    let order = house.order(&clerk, slip(vec![quick(5, 200)], 1), None);
    database.sql("UPDATE log_head SET size = size + 1").unwrap();
    let outcome = wait(order.sell(&house.central, &clerk));
    assert!(
        matches!(outcome, Err(Stop::Undone(Fault::HeadMoved))),
        "{outcome:?}"
    );
    assert!(fatal.load(Ordering::SeqCst));
    database.sql("UPDATE log_head SET size = size - 1").unwrap();
    let tickets = database.sql("SELECT count(*) FROM ticket").unwrap();
    assert_eq!(tickets.trim(), "0");
}

/// A commit whose answer is lost while the server is still at it: the old head is what anyone
/// sees, and the new one comes a moment later.
struct CommitInFlight {
    armed: Arc<AtomicBool>,
    database: Arc<keno_testing::PostgresDatabase>,
    answered: Arc<AtomicBool>,
    server: Option<std::thread::JoinHandle<()>>,
}

impl Drop for CommitInFlight {
    fn drop(&mut self) {
        if let Some(server) = self.server.take() {
            server.join().unwrap();
        }
    }
}

impl CommitHook for CommitInFlight {
    fn before_commit(&mut self) -> Result<(), Fault> {
        if self.armed.load(Ordering::SeqCst) {
            let kept = "DROP TABLE IF EXISTS kept; CREATE TABLE kept AS SELECT * FROM log_head";
            self.database.sql(kept).unwrap();
        }
        Ok(())
    }

    fn outcome_lost(&mut self) -> bool {
        if !self.armed.swap(false, Ordering::SeqCst) {
            return false;
        }
        self.server = Some(in_flight(&self.database, &self.answered));
        true
    }
}

/// Moves the head to that of a table.
fn head_of(table: &str) -> String {
    format!(
        "UPDATE log_head SET size = t.size, edge = t.edge, root = t.root, at_ms = t.at_ms \
         FROM {table} t;"
    )
}

/// The head goes back to that of the table `kept`, and a transaction that moves it forward again
/// is open: it commits once somebody waits for it, or once somebody was told something.
fn in_flight(
    database: &keno_testing::PostgresDatabase,
    answered: &Arc<AtomicBool>,
) -> std::thread::JoinHandle<()> {
    let back = head_of("kept");
    database
        .sql(&format!(
            "CREATE TABLE moved AS SELECT * FROM log_head; {back}"
        ))
        .unwrap();
    let database = keno_schema::Database::Postgres(database.address().to_owned());
    let answered = Arc::clone(answered);
    let (begun, has_begun) = std::sync::mpsc::channel();
    let server = std::thread::spawn(move || {
        use diesel::connection::SimpleConnection;
        let mut connection = database.open_writer().unwrap();
        let keno_schema::Connection::Postgres(connection) = &mut connection else {
            panic!("not PostgreSQL");
        };
        let forward = head_of("moved");
        connection
            .batch_execute(&format!("BEGIN; {forward}"))
            .unwrap();
        begun.send(()).unwrap();
        let mut watcher = database.open_reader().unwrap();
        let keno_schema::Connection::Postgres(watcher) = &mut watcher else {
            panic!("not PostgreSQL");
        };
        let waited_for =
            "DO $$ BEGIN ASSERT EXISTS (SELECT FROM pg_locks WHERE NOT granted); END $$";
        while watcher.batch_execute(waited_for).is_err() && !answered.load(Ordering::SeqCst) {}
        connection.batch_execute("COMMIT").unwrap();
    });
    has_begun.recv().unwrap();
    server
}

/// Central was killed while the server was at its last commit, and the next one starts at once: it
/// waits for the end of that commit. Seen to fail: with the record read without the head's lock,
/// head and leaves disagree and central does not start.
#[test]
fn a_start_waits_for_the_commit_of_a_central_that_was_killed() {
    let database = Arc::new(keno_testing::empty_postgres_database().unwrap());
    let mut house = House::founded(Some(database.address()), RULES, |_| {});
    let clerk = house.clerk(1, "C1");
    database
        .sql("CREATE TABLE kept AS SELECT * FROM log_head")
        .unwrap();
    house.sell(&clerk, slip(vec![quick(5, 200)], 1));
    let anchors = house.path().join("anchors.log");
    house.stop();
    // The publisher of the dead one had not heard of the commit.
    std::fs::remove_file(anchors).unwrap();
    let answered = Arc::default();
    let server = in_flight(&database, &answered);
    let opened = Central::open(options(
        &house.path(),
        &house.clock,
        Some(database.address()),
    ));
    answered.store(true, Ordering::SeqCst);
    server.join().unwrap();
    let opened = opened.unwrap();
    assert_eq!(
        database.sql("SELECT count(*) FROM ticket").unwrap().trim(),
        "1"
    );
    drop(opened);
}

/// Nobody is told that nothing was recorded while it still may be. Seen to fail: with the head
/// read without its lock, the sale is answered as undone and stands in the record.
#[test]
fn a_commit_in_flight_is_waited_for() {
    let database = Arc::new(keno_testing::empty_postgres_database().unwrap());
    let (armed, answered) = (Arc::new(AtomicBool::new(false)), Arc::default());
    let house = House::founded(Some(database.address()), RULES, |options| {
        options.hook = Some(Box::new(CommitInFlight {
            armed: Arc::clone(&armed),
            database: Arc::clone(&database),
            answered: Arc::clone(&answered),
            server: None,
        }));
    });
    let clerk = house.clerk(1, "C1");
    let order = house.order(&clerk, slip(vec![quick(5, 200)], 1), None);
    armed.store(true, Ordering::SeqCst);
    let sold = wait(order.sell(&house.central, &clerk));
    answered.store(true, Ordering::SeqCst);
    assert!(!sold.unwrap().repeated);
    assert_same(&house.remembered(), &house.recovered(), "memory and disk");
    house.sell(&clerk, slip(vec![quick(5, 200)], 1));
}
