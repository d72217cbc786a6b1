//! What tests need of the world: a private PostgreSQL, a database of one's own, a folder, the
//! programs that are under test.
//!
//! Only tests may need this package. It knows no table: who wants a migrated database hands in
//! the migration, which runs once for all tests and is copied from then on.
//!
//! ```no_run
//! # fn migrate(_address: &str) -> Result<(), std::io::Error> { Ok(()) }
//! # fn main() -> Result<(), keno_testing::TestingFault> {
//! let database = keno_testing::postgres_database("record", migrate)?;
//! println!("{}", database.address());
//! # Ok(())
//! # }
//! ```

pub mod beacon;
mod database;
mod fault;
mod folder;
mod golden;
mod paper;
mod pin;
mod planted;
mod programs;
mod server;

pub use database::{PostgresDatabase, PostgresServer};
pub use fault::TestingFault;
pub use folder::{TestFolder, copy_folder, file_from_template};
pub use golden::{Goldens, Shapes, differences, help_of, lines_of_json, redacted, tight_json};
pub use paper::pages_of_paper;
pub use pin::pin_of;
pub use planted::{ALL_VARIABLE, LAST_PASSED, REPORT_VARIABLE, chosen_faults};
pub use programs::{BINARIES_VARIABLE, programs};
pub use server::{
    ADDRESS_VARIABLE, Durability, PrivatePostgres, empty_postgres_database, postgres,
    postgres_database,
};
