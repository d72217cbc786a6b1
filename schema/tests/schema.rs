//! The schema is tested, not trusted: both databases are read back and held to `tables.rs`, every
//! guard refuses what it is there to refuse, every row travels there and back.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a failure here is the test's own"
)]

mod altered;
mod connections;
mod declared;
mod guards;
mod parity;
mod round_trip;
mod violations;

use diesel::connection::SimpleConnection;
use keno_schema::{Connection, Database, migrate::migrate};

/// A migrated database of one test's own.
struct Own {
    connection: Connection,
    database: Database,
    _folder: Option<keno_testing::TestFolder>,
    _server: Option<keno_testing::PostgresDatabase>,
}

impl Own {
    fn sqlite() -> Self {
        let folder = keno_testing::TestFolder::new().unwrap();
        let database = Database::Sqlite(folder.join("keno.sqlite"));
        Self {
            connection: database.open_writer().unwrap(),
            database,
            _folder: Some(folder),
            _server: None,
        }
        .migrated()
    }

    fn postgres() -> Self {
        let server = keno_testing::empty_postgres_database().unwrap();
        let database = Database::parse(server.address());
        Self {
            connection: database.open_writer().unwrap(),
            database,
            _folder: None,
            _server: Some(server),
        }
        .migrated()
    }

    fn both() -> [Self; 2] {
        [Self::sqlite(), Self::postgres()]
    }

    fn migrated(mut self) -> Self {
        migrate(&mut self.connection).unwrap();
        self
    }

    fn name(&self) -> &'static str {
        match self.connection {
            Connection::Sqlite(_) => "SQLite",
            Connection::Postgres(_) => "PostgreSQL",
        }
    }

    fn is_sqlite(&self) -> bool {
        matches!(self.connection, Connection::Sqlite(_))
    }

    fn run(&mut self, statement: &str) -> diesel::QueryResult<()> {
        keno_schema::on!(&mut self.connection, c => c.batch_execute(statement))
    }

    /// Runs statements and takes them back.
    fn try_out(&mut self, statements: &[String]) -> diesel::QueryResult<()> {
        self.run("BEGIN").unwrap();
        let outcome = statements
            .iter()
            .try_for_each(|statement| self.run(statement));
        self.run("ROLLBACK").unwrap();
        outcome
    }

    /// One column of text, in the order of the statement.
    fn texts(&mut self, query: &str) -> Vec<String> {
        use diesel::prelude::*;
        #[derive(QueryableByName)]
        struct Text {
            #[diesel(sql_type = diesel::sql_types::Text)]
            value: String,
        }
        keno_schema::on!(&mut self.connection, c => diesel::sql_query(query).load::<Text>(c))
            .unwrap_or_else(|fault| panic!("{query}: {fault}"))
            .into_iter()
            .map(|row| row.value)
            .collect()
    }
}
