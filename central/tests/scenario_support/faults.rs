//! Faults of the world, and what is done at the console of central's own machine.

use std::sync::mpsc::{Receiver, Sender, channel};

use diesel::connection::SimpleConnection;
use keno_log::Event;
use keno_log::checkpoint::{Note, SigningKey};
use keno_log::event::{DrawFollowed, FollowerBegan};
use keno_log::follower::{Said, beginning};
use keno_log::hash::sha256;
use keno_record::sequencer::{Judge, Lane};
use keno_schema::{Connection, Database};
use keno_service::staff::{Badge, DeviceNumber};
use keno_service::{Stop, draw};

use super::house::{House, Store};

/// A writer that was told to wait; dropping it lets the writer go on.
#[derive(Debug)]
pub struct Held {
    _go_on: Sender<()>,
}

fn run(connection: &mut Connection, statements: &str) {
    match connection {
        Connection::Sqlite(connection) => connection.batch_execute(statements).unwrap(),
        Connection::Postgres(connection) => connection.batch_execute(statements).unwrap(),
    }
}

/// The key of whoever follows the log in these tables.
fn follower_key() -> SigningKey {
    SigningKey::from_seed("audit-office", &[5; 32]).unwrap()
}

/// The signature line of a follower under a text.
fn signed(text: &str) -> String {
    let note = Note::sign(text, &follower_key()).unwrap();
    note.signatures()[0].to_string()
}

impl House {
    /// A line about a fault. Returns false for a line about something else.
    pub fn fault(&mut self, action: &str) -> bool {
        match action {
            "hold the writer" => self.held = Some(self.hold()),
            "release the writer" => drop(self.held.take()),
            "the database refuses every new leaf" => self.statements(
                "CREATE TRIGGER planted BEFORE INSERT ON log_entry \
                 BEGIN SELECT RAISE(ABORT, 'planted: no leaf'); END;",
                "CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS \
                 $$ BEGIN RAISE EXCEPTION 'planted: no leaf'; END $$; \
                 CREATE TRIGGER planted BEFORE INSERT ON log_entry \
                 FOR EACH ROW EXECUTE FUNCTION planted();",
            ),
            "the database takes leaves again" => self.statements(
                "DROP TRIGGER planted;",
                "DROP TRIGGER planted ON log_entry; DROP FUNCTION planted();",
            ),
            // The databases' own words for it, for the rest of this house.
            "the database is read-only" => self.of_writer(
                "PRAGMA query_only = 1;",
                "SET default_transaction_read_only = on;",
            ),
            "the disk is full" => self.pages_max("1"),
            "the disk has room again" => self.pages_max("1073741823"),
            "the database server stops" => match &mut self.store {
                Store::Own(server, _) => server.crash().unwrap(),
                _ => panic!("this house has no server of its own: with own server"),
            },
            "the database server starts again" => match &mut self.store {
                Store::Own(server, _) => server.start_again().unwrap(),
                _ => panic!("this house has no server of its own: with own server"),
            },
            "the clock is doubted" => draw::halt_schedule(&self.central, 1, 0, 0).unwrap(),
            "somebody follows the log" => {
                let began = sha256(&self.next_counter().to_be_bytes());
                self.tells(FollowerBegan {
                    key: follower_key().verifying_key().to_string(),
                    began,
                    signature: signed(&beginning(&self.central.house_code, &began)),
                    by: "S1".to_owned(),
                    second: "V1".to_owned(),
                });
            }
            _ => return self.follower(action) || self.console(action),
        }
        true
    }

    /// `the follower differs on draw 1`: what it would have signed.
    fn follower(&mut self, action: &str) -> bool {
        let Some(draw) = action.strip_prefix("the follower differs on draw ") else {
            return false;
        };
        let draw = draw.parse().unwrap();
        let following = self.central.view.get().following.clone();
        let waiting = &following.waiting[&draw];
        let said = Said {
            draw,
            tree: (waiting.size, waiting.root),
            finding: "settlement_root",
            entry: None,
        };
        let began = following.last.as_ref().unwrap().began;
        self.tells(DrawFollowed {
            draw,
            finding: said.finding.to_owned(),
            entry: None,
            signature: signed(&said.text(&self.central.house_code, &began)),
        });
        true
    }

    /// Records a fact as it is.
    fn tells(&self, fact: impl Into<Event>) {
        let fact = fact.into();
        let record = move |judge: &mut Judge<'_>| Ok::<_, Stop>(judge.record(fact.clone())?);
        self.central
            .sequencer
            .submit_blocking(Lane::Draw, record)
            .unwrap();
    }

    /// `console revokes T02`, `console withdraws C2`.
    fn console(&mut self, action: &str) -> bool {
        let words: Vec<&str> = action.split_whitespace().collect();
        match words.as_slice() {
            ["console", "revokes", device] => {
                let (number, _) = self.devices[*device];
                DeviceNumber(number).revoke(&self.central, "D1").unwrap();
            }
            ["console", "returns", device] => {
                let (number, _) = self.devices[*device];
                DeviceNumber(number)
                    .serve_again(&self.central, "D1", "D2")
                    .unwrap();
            }
            ["console", "withdraws", badge] => {
                Badge(badge).withdraw(&self.central, "D1", "D2").unwrap();
            }
            _ => return false,
        }
        true
    }

    /// Has the writer wait inside a transaction, as behind a slow disk.
    fn hold(&self) -> Held {
        let (go_on, wait): (Sender<()>, Receiver<()>) = channel();
        let (holds, held) = channel();
        let central = std::sync::Arc::clone(&self.central);
        std::thread::spawn(move || {
            let outcome = central.sequencer.submit_blocking(Lane::Draw, move |_| {
                holds.send(()).unwrap();
                // The other end is dropped to let the writer go on.
                let _ = wait.recv();
                Ok::<(), Stop>(())
            });
            outcome.unwrap();
        });
        held.recv().unwrap();
        Held { _go_on: go_on }
    }

    /// Runs statements on a connection of the fault's own.
    fn statements(&self, on_sqlite: &str, on_postgres: &str) {
        let database = match &self.store {
            Store::File => {
                Database::Sqlite(self.folder.path().join(&self.central.house.database_url))
            }
            Store::Shared(database) | Store::Own(_, database) => {
                Database::Postgres(database.address().to_owned())
            }
        };
        let mut connection = database.open_writer().unwrap();
        let statements = match &connection {
            Connection::Sqlite(_) => on_sqlite,
            Connection::Postgres(_) => on_postgres,
        };
        run(&mut connection, statements);
    }

    /// Bounds the pages of the file: SQLite then says what it says on a full disk.
    fn pages_max(&self, pages: &str) {
        self.of_writer(&format!("PRAGMA max_page_count = {pages};"), "");
    }

    /// Runs statements on the writer's own connection.
    fn of_writer(&self, on_sqlite: &str, on_postgres: &str) {
        let (on_sqlite, on_postgres) = (on_sqlite.to_owned(), on_postgres.to_owned());
        self.central
            .sequencer
            .submit_blocking(Lane::Draw, move |judge| {
                let statements = match &judge.connection {
                    Connection::Sqlite(_) => &on_sqlite,
                    Connection::Postgres(_) => &on_postgres,
                };
                run(judge.connection, statements);
                Ok::<_, keno_service::Stop>(())
            })
            .unwrap();
    }
}
