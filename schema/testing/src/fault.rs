//! Why the world could not be made ready for a test.

use thiserror::Error;

/// Why the world could not be made ready for a test. The texts are for the person who reads a
/// failed test, so each says what to do where something can be done.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TestingFault {
    /// The private server did not come up.
    #[error("no PostgreSQL for this test: {0} (`make test` installs and starts what is absent)")]
    Server(String),
    /// The address in the environment is not that of a private server.
    #[error(
        "{0} is not the address of a private server (postgres://…?host=/FOLDER): tests create and \
         drop databases, so no other server is touched"
    )]
    NotPrivate(String),
    /// A name that cannot stand in SQL as it is.
    #[error("{0:?} cannot name a database: 1 to 40 of a-z, 0-9 and _ are wanted")]
    Name(String),
    /// A statement of the tests' own housekeeping failed.
    #[error("psql refused a statement: {0}")]
    Statement(String),
    /// The caller's migration of a template failed.
    #[error("the template cannot be made: {0}")]
    Template(String),
    /// The programs under test cannot be built.
    #[error("the programs cannot be built: {0}")]
    Programs(String),
    /// A file or a folder of the tests' own could not be used.
    #[error("a test's folder or file cannot be used: {0}")]
    File(String),
}

impl From<std::io::Error> for TestingFault {
    fn from(error: std::io::Error) -> Self {
        Self::File(error.to_string())
    }
}
