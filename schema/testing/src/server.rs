//! A private PostgreSQL server, and the one that all tests of a run share.

use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::OnceLock;

use crate::{PostgresDatabase, PostgresServer, TestingFault};

/// The environment variable that holds the address of the shared server; `scripts/with-postgres`
/// sets it.
pub const ADDRESS_VARIABLE: &str = "BOULIER_TEST_POSTGRES";

/// The keeper of a server: it stops the server and removes its folder when its standard input
/// ends. A pipe ends with the process that holds it, also when that is killed, and a process's
/// exit handlers would need `unsafe` here.
const KEEPER: &str = include_str!("../../../scripts/private-postgres");

/// How much a private server writes through to the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// Nothing is synced: for tests of what is written.
    Fast,
    /// Everything is, as on a real server: for tests of what survives.
    Synced,
}

/// A server of one's own, stopped and removed with this value (or with the process, in whatever
/// way it ends).
#[derive(Debug)]
pub struct PrivatePostgres {
    server: PostgresServer,
    keeper: Child,
    commands: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl PrivatePostgres {
    /// Starts a server: about two seconds.
    ///
    /// # Errors
    /// [`TestingFault::Server`] when PostgreSQL is not installed or does not start.
    pub fn start(durability: Durability) -> Result<Self, TestingFault> {
        let mut keeper = Command::new("sh")
            .args(["-c", KEEPER, "private-postgres"])
            .arg(match durability {
                Durability::Fast => "fast",
                Durability::Synced => "synced",
            })
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // A test runner waits for whoever holds its error stream.
            .stderr(Stdio::null())
            // Ctrl-C is for the tests; the keeper sees the pipe end.
            .process_group(0)
            .spawn()
            .map_err(|error| TestingFault::Server(format!("sh cannot be run: {error}")))?;
        let commands = keeper.stdin.take();
        let Some(stdout) = keeper.stdout.take() else {
            return Err(TestingFault::Server("its keeper has no output".to_owned()));
        };
        let mut answers = BufReader::new(stdout);
        let address = ready_address(&mut answers)?;
        Ok(Self {
            server: PostgresServer::at(&address)?,
            keeper,
            commands,
            answers,
        })
    }

    /// The server: its address, and databases on it.
    pub fn server(&self) -> &PostgresServer {
        &self.server
    }

    /// Ends the server's processes at once, without a checkpoint and without telling anyone, as
    /// when the machine loses them. What was committed under [`Durability::Synced`] is there
    /// again after [`Self::start_again`].
    ///
    /// # Errors
    /// [`TestingFault::Server`] when the keeper does not answer.
    pub fn crash(&mut self) -> Result<(), TestingFault> {
        self.command("crash")?;
        match answer(&mut self.answers)?.as_str() {
            "crashed" => Ok(()),
            other => Err(TestingFault::Server(format!(
                "its keeper answered {other:?}"
            ))),
        }
    }

    /// Starts the server again on what it finds, under the same address.
    ///
    /// # Errors
    /// [`TestingFault::Server`] when it does not start.
    pub fn start_again(&mut self) -> Result<(), TestingFault> {
        self.command("start")?;
        ready_address(&mut self.answers).map(drop)
    }

    fn command(&mut self, word: &str) -> Result<(), TestingFault> {
        let Some(commands) = self.commands.as_mut() else {
            return Err(TestingFault::Server("its keeper has no input".to_owned()));
        };
        writeln!(commands, "{word}")
            .and_then(|()| commands.flush())
            .map_err(|error| TestingFault::Server(format!("its keeper is gone: {error}")))
    }
}

impl Drop for PrivatePostgres {
    fn drop(&mut self) {
        drop(self.commands.take());
        // Nothing can be done in a drop about a keeper that is gone already.
        let _ = self.keeper.wait();
    }
}

/// One line of the keeper.
fn answer(answers: &mut impl BufRead) -> Result<String, TestingFault> {
    let mut line = String::new();
    answers
        .read_line(&mut line)
        .map_err(|error| TestingFault::Server(format!("its keeper cannot be read: {error}")))?;
    Ok(line.trim_end().to_owned())
}

/// The address out of `ready ADDRESS`, or the reason out of `failed REASON`.
fn ready_address(answers: &mut impl BufRead) -> Result<String, TestingFault> {
    let line = answer(answers)?;
    match line.split_once(' ') {
        Some(("ready", address)) => Ok(address.to_owned()),
        Some(("failed", reason)) => Err(TestingFault::Server(reason.to_owned())),
        _ => Err(TestingFault::Server(format!(
            "its keeper answered {line:?}"
        ))),
    }
}

/// The server that this process shares with the other tests of its run.
#[derive(Debug)]
enum Shared {
    /// Started by `scripts/with-postgres`, for all processes.
    Given(PostgresServer),
    /// Started by this process, for all its tests; never dropped: its keeper sees the process end.
    Own(PrivatePostgres),
}

/// The server that all tests share: the one named by [`ADDRESS_VARIABLE`], or else one that the
/// first caller of this process starts and that ends with the process. It is
/// [`Durability::Fast`].
///
/// # Errors
/// [`TestingFault::Server`] when none can be started, [`TestingFault::NotPrivate`] when the
/// variable names a server that is not reached through a socket folder.
pub fn postgres() -> Result<&'static PostgresServer, TestingFault> {
    static SHARED: OnceLock<Result<Shared, TestingFault>> = OnceLock::new();
    let shared = SHARED.get_or_init(|| match std::env::var(ADDRESS_VARIABLE) {
        Ok(address) if !address.is_empty() => PostgresServer::at(&address).map(Shared::Given),
        _ => PrivatePostgres::start(Durability::Fast).map(Shared::Own),
    });
    match shared {
        Ok(Shared::Given(server)) => Ok(server),
        Ok(Shared::Own(own)) => Ok(own.server()),
        Err(fault) => Err(fault.clone()),
    }
}

/// A database of this test's own on the shared server ([`postgres`]), migrated by `migrate`.
///
/// `migrate` gets the address of an empty database and runs once for each `template` name in a
/// whole test run, over all processes; it must leave no connection open. Every test then gets a
/// copy. The name of the template is 1 to 40 of a-z, 0-9 and _.
///
/// # Errors
/// A [`TestingFault`] when there is no server, or the template or the copy cannot be made.
pub fn postgres_database<E>(
    template: &str,
    migrate: impl FnOnce(&str) -> Result<(), E>,
) -> Result<PostgresDatabase, TestingFault>
where
    E: Into<Box<dyn Error + Send + Sync>>,
{
    postgres()?.database(template, migrate)
}

/// An empty database of this test's own on the shared server.
///
/// # Errors
/// A [`TestingFault`] when there is no server or the database cannot be made.
pub fn empty_postgres_database() -> Result<PostgresDatabase, TestingFault> {
    postgres()?.empty_database()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_keeper_says_is_read_to_the_letter() {
        let ready = ready_address(&mut "ready postgres://x?host=/y\n".as_bytes());
        assert_eq!(ready.as_deref(), Ok("postgres://x?host=/y"));
        let failed = ready_address(&mut "failed no initdb here\n".as_bytes());
        assert_eq!(
            failed,
            Err(TestingFault::Server("no initdb here".to_owned()))
        );
        // A keeper that dies says nothing at all.
        assert!(matches!(
            ready_address(&mut "".as_bytes()),
            Err(TestingFault::Server(_))
        ));
    }
}
