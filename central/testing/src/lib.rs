//! Houses for tests: a central that is opened on a folder, with people, devices, rules and draws
//! on sale.
//!
//! [`options`] says how central is opened: on which folder and database, by which clock, with
//! which draw machine, hook and seeds. [`NewHouse`] says what is recorded in it, and its default
//! is the house that most tests share. [`found`] does both; [`furnish`] the second alone, for
//! whoever opens central in a way of their own.
//!
//! Only tests and what judges the house from outside may need this package: nothing here ships.
//!
//! ```no_run
//! # use std::sync::Arc;
//! # use keno_house_builder::{NOON_MS, NewHouse, counters, found, house_file, options};
//! # use keno_record::clock::ManualClock;
//! # fn main() -> anyhow::Result<()> {
//! let folder = keno_testing::TestFolder::new()?;
//! let clock = Arc::new(ManualClock::at(NOON_MS));
//! let options = options(folder.path(), &clock, house_file(None)?);
//! let house = NewHouse { devices: counters(1..=5), ..NewHouse::default() };
//! let founded = found(options, &house)?;
//! assert_eq!(founded.keys.len(), 5);
//! # Ok(())
//! # }
//! ```

mod follower_host;
mod furnish;
mod guards;
mod open;
mod record;
mod staff;
pub mod stranger;

pub use follower_host::{FOLLOWER_NOW, FollowerHost};
pub use furnish::{Device, Founded, NewHouse, counters, devices, found, furnish, record_devices};
pub use guards::without_guards;
pub use open::{NOON_MS, RULES, house_file, options};
pub use record::{exported, is_over, until_draw};
pub use staff::{Person, Pins, people, record_people};
