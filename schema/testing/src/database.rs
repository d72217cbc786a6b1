//! Databases on a private server: one for each test, copied from a template.

use std::collections::hash_map::RandomState;
use std::error::Error;
use std::fs::File;
use std::hash::{BuildHasher, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::TestingFault;

/// A server that belongs to the tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PostgresServer {
    /// `postgres://USER@`
    before_name: String,
    /// The name of the database that statements about databases are sent to.
    name: String,
    /// `?host=/FOLDER`
    after_name: String,
    /// Where the socket is.
    folder: PathBuf,
}

/// A database of one test's own; dropped with this value.
#[derive(Debug)]
pub struct PostgresDatabase {
    server: PostgresServer,
    name: String,
    address: String,
}

impl PostgresServer {
    /// The server at `postgres://USER@/NAME?host=/FOLDER`. Any other form is refused: tests
    /// create and drop databases, and a server behind a folder of ours holds nothing else.
    ///
    /// # Errors
    /// [`TestingFault::NotPrivate`].
    pub fn at(address: &str) -> Result<Self, TestingFault> {
        let parts = || {
            let (before, rest) = address.split_once("@/")?;
            let (name, folder) = rest.split_once("?host=")?;
            let user = before.strip_prefix("postgres://")?;
            let plain = |text: &str| !text.is_empty() && !text.contains(['/', '?', '&', '@', ':']);
            let private = plain(user)
                && plain(name)
                && folder.starts_with('/')
                && !folder.contains(['&', '?', '%', ',']);
            private.then(|| Self {
                before_name: format!("{before}@"),
                name: name.to_owned(),
                after_name: format!("?host={folder}"),
                folder: PathBuf::from(folder),
            })
        };
        parts().ok_or_else(|| TestingFault::NotPrivate(address.to_owned()))
    }

    /// The address of the database `name` on this server.
    pub fn address(&self, name: &str) -> String {
        format!("{}/{name}{}", self.before_name, self.after_name)
    }

    /// The folder of the socket.
    pub fn socket_folder(&self) -> &Path {
        &self.folder
    }

    /// As [`crate::postgres_database`], on this server.
    ///
    /// # Errors
    /// As [`crate::postgres_database`].
    pub fn database<E>(
        &self,
        template: &str,
        migrate: impl FnOnce(&str) -> Result<(), E>,
    ) -> Result<PostgresDatabase, TestingFault>
    where
        E: Into<Box<dyn Error + Send + Sync>>,
    {
        check_name(template)?;
        let finished = format!("template_{template}");
        // Other tests wait here while the first one migrates; the lock ends with `lock`, also
        // when a test is killed, and a half-made template has another name.
        let lock = File::create(self.folder.join(format!("{finished}.lock")))?;
        lock.lock()?;
        let known = format!("SELECT count(*) FROM pg_database WHERE datname = '{finished}'");
        if self.sql(&self.name, &known)? != "1" {
            let building = format!("building_{template}");
            self.sql(
                &self.name,
                &format!("DROP DATABASE IF EXISTS {building} WITH (FORCE)"),
            )?;
            self.sql(
                &self.name,
                &format!("CREATE DATABASE {building} TEMPLATE template0 STRATEGY = FILE_COPY"),
            )?;
            migrate(&self.address(&building))
                .map_err(|error| TestingFault::Template(error.into().to_string()))?;
            self.sql(
                &self.name,
                &format!("ALTER DATABASE {building} RENAME TO {finished}"),
            )?;
        }
        drop(lock);
        self.copy_of(&finished)
    }

    /// An empty database of this test's own.
    ///
    /// # Errors
    /// [`TestingFault::Statement`].
    pub fn empty_database(&self) -> Result<PostgresDatabase, TestingFault> {
        self.copy_of("template0")
    }

    fn copy_of(&self, template: &str) -> Result<PostgresDatabase, TestingFault> {
        // A number of its own for each database and process, from the keys that the standard
        // library draws for its hash maps: process ids come back, and a killed test leaves its
        // database behind.
        let name = format!("t_{:016x}", RandomState::new().build_hasher().finish());
        // Files are copied as they are: page by page through the log costs ten times as much.
        let create = format!("CREATE DATABASE {name} TEMPLATE {template} STRATEGY = FILE_COPY");
        self.sql(&self.name, &create)?;
        let address = self.address(&name);
        Ok(PostgresDatabase {
            server: self.clone(),
            name,
            address,
        })
    }

    /// Runs one statement through `psql` and returns what it prints: rows as lines, columns
    /// divided by `|`.
    ///
    /// # Errors
    /// [`TestingFault::Statement`] with the words of psql.
    pub fn sql(&self, name: &str, statement: &str) -> Result<String, TestingFault> {
        let output = Command::new(psql())
            .args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d"])
            .arg(self.address(name))
            .args(["-c", statement])
            .stdin(Stdio::null())
            .output()
            .map_err(|error| TestingFault::Statement(format!("psql cannot be run: {error}")))?;
        if output.status.success() {
            Ok(String::from_utf8_lossy(&output.stdout)
                .trim_end()
                .to_owned())
        } else {
            let words = String::from_utf8_lossy(&output.stderr);
            Err(TestingFault::Statement(words.trim_end().to_owned()))
        }
    }
}

impl PostgresDatabase {
    /// `postgres://USER@/NAME?host=/FOLDER`
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The name of the database.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Runs one statement in this database; see [`PostgresServer::sql`].
    ///
    /// # Errors
    /// [`TestingFault::Statement`].
    pub fn sql(&self, statement: &str) -> Result<String, TestingFault> {
        self.server.sql(&self.name, statement)
    }
}

impl Drop for PostgresDatabase {
    fn drop(&mut self) {
        let statement = format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name);
        // The server's folder goes at the end anyway, and a test may have crashed the server:
        // a database that stays behind only costs a few megabytes until then.
        let _ = self.server.sql(&self.server.name, &statement);
    }
}

/// Names are put into SQL as they are.
fn check_name(name: &str) -> Result<(), TestingFault> {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    if (1..=40).contains(&name.len()) && name.bytes().all(plain) {
        Ok(())
    } else {
        Err(TestingFault::Name(name.to_owned()))
    }
}

/// psql from where Debian puts the server's programs, or from `PATH`: there Debian has a wrapper
/// in Perl, which takes longer than what it is asked to run.
fn psql() -> PathBuf {
    let versions = std::fs::read_dir("/usr/lib/postgresql");
    let programs = versions.into_iter().flatten().flatten();
    programs
        .map(|one| one.path().join("bin/psql"))
        .filter(|path| path.is_file())
        .max()
        .unwrap_or_else(|| PathBuf::from("psql"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_server_behind_a_socket_folder_is_touched() {
        let server = PostgresServer::at("postgres://postgres@/postgres?host=/tmp/x").unwrap();
        assert_eq!(
            server.address("t_1"),
            "postgres://postgres@/t_1?host=/tmp/x"
        );
        assert_eq!(server.socket_folder(), Path::new("/tmp/x"));
        for other in [
            "postgres://keno:secret@db.example:5432/keno",
            "postgres://keno@localhost/keno?host=/tmp/x",
            "postgres://keno@/keno?host=db.example",
            "postgres://keno@/keno?host=/tmp/x&port=5433",
            "postgres://keno@/keno?host=/tmp/x,db.example",
            "postgres:///keno?host=/tmp/x",
            "",
        ] {
            let refused = PostgresServer::at(other);
            assert_eq!(
                refused,
                Err(TestingFault::NotPrivate(other.to_owned())),
                "{other}"
            );
        }
    }

    #[test]
    fn a_name_that_would_be_sql_is_refused() {
        assert_eq!(check_name("record_2"), Ok(()));
        for name in ["", "a; drop", "Record", "a\"b", &"a".repeat(41)] {
            assert_eq!(check_name(name), Err(TestingFault::Name(name.to_owned())));
        }
    }
}
