//! A house founded for a campaign: a data folder on which the real central is then started.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use keno_house_builder::{NewHouse, Person, Pins, devices, found, people};
use keno_record::clock::ManualClock;
use keno_record::roles::{DeviceRole, Role};
use keno_service::Central;
use keno_service::house_file::HouseFile;
use keno_testing::{Durability, PostgresDatabase, PrivatePostgres, TestFolder};

use crate::clock::now_ms;
use crate::hosts::Hosts;

/// The float of every till, in cents.
pub const FLOAT_CENTS: i64 = 500_000;

/// The device of the people who decide about draws.
pub const OFFICE: u32 = 99;

/// A kiosk.
pub const KIOSK: u32 = 98;

/// The supervisor at the office; the other one is second person everywhere.
pub const OFFICE_BADGE: &str = "S1";
/// Second person of every counter and of the office.
pub const SECOND_BADGE: &str = "S2";

/// Sales close so long before the first number, in milliseconds.
pub const CLOSE_BEFORE_MS: i64 = 5_000;
/// Numbers are recorded so long before the first is shown.
pub const LEAD_MS: i64 = 100;
/// All numbers are shown in so long.
pub const SHOWN_IN_MS: i64 = 10_000;

/// Which database holds the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Kind {
    /// A file in the data folder.
    Sqlite,
    /// A private server, which syncs as a real one does.
    Postgres,
}

/// What is recorded in a house, and what is done in it then.
pub type Furnished<'a> = (
    &'a NewHouse,
    &'a dyn Fn(&Arc<Central>) -> anyhow::Result<()>,
);

/// A founded house. What it stands on goes with it.
#[derive(Debug)]
pub struct Founded {
    folder: TestFolder,
    /// The program, copied.
    pub program: PathBuf,
    /// Keys of the devices, in hexadecimal.
    pub keys: BTreeMap<u32, String>,
    /// Machine and holders, when they are on hosts of their own.
    pub hosts: Option<Mutex<Hosts>>,
    // In this order: the database is dropped while its server runs.
    _database: Option<PostgresDatabase>,
    server: Option<PrivatePostgres>,
}

pub use keno_testing::pin_of;

/// The badge of the clerk at a counter.
pub fn clerk_of(device: u32) -> String {
    format!("C{device}")
}

/// The house file, with the record elsewhere than in the folder if an address is given: a draw every minute, closed 5 s before, shown in 10 s; any free port.
pub fn house_text(database: Option<&str>) -> String {
    let mut text = HouseFile::demonstration();
    let url = database.unwrap_or("keno.sqlite");
    for (from, to) in [
        ("every_minutes = 2", "every_minutes = 1".to_owned()),
        ("last = \"23:58\"", "last = \"23:59\"".to_owned()),
        (
            "close_before_seconds = 10",
            "close_before_seconds = 5".to_owned(),
        ),
        (
            "ball_interval_ms = 2000",
            "ball_interval_ms = 500".to_owned(),
        ),
        ("saleable_draws = 40", "saleable_draws = 24".to_owned()),
        ("start_lead_ms = 1500", "start_lead_ms = 100".to_owned()),
        ("127.0.0.1:8480", "127.0.0.1:0".to_owned()),
        ("url = \"keno.sqlite\"", format!("url = \"{url}\"")),
    ] {
        text = text.replace(from, &to);
    }
    text
}

impl Founded {
    /// Founds a house with so many counters, `ago_ms` before now: draws that were due since are
    /// taken as soon as central starts.
    ///
    /// # Errors
    /// When the house cannot be founded.
    pub fn new(
        kind: Kind,
        durability: Durability,
        program: &Path,
        counters: u32,
        ago_ms: i64,
    ) -> anyhow::Result<Self> {
        Self::with(kind, durability, program, counters, ago_ms, "")
    }

    /// As [`Self::new`], with more at the end of the house file.
    ///
    /// # Errors
    /// When the house cannot be founded.
    pub fn with(
        kind: Kind,
        durability: Durability,
        program: &Path,
        counters: u32,
        ago_ms: i64,
        more: &str,
    ) -> anyhow::Result<Self> {
        let edit = |text: String| text + more;
        Self::edited(kind, durability, program, counters, ago_ms, &edit)
    }

    /// As [`Self::new`], with the house file edited.
    ///
    /// # Errors
    /// When the house cannot be founded.
    pub fn edited(
        kind: Kind,
        durability: Durability,
        program: &Path,
        counters: u32,
        ago_ms: i64,
        edit: &dyn Fn(String) -> String,
    ) -> anyhow::Result<Self> {
        Self::with_hosts(kind, durability, program, counters, ago_ms, (edit, None))
    }

    /// As [`Self::edited`], with machine and holders on hosts of their own that this program makes, if
    /// one is given.
    ///
    /// # Errors
    /// When the house cannot be founded.
    pub fn with_hosts(
        kind: Kind,
        durability: Durability,
        program: &Path,
        counters: u32,
        ago_ms: i64,
        hosted: (&dyn Fn(String) -> String, Option<&Path>),
    ) -> anyhow::Result<Self> {
        let furnished: Furnished<'_> = (&new_house(counters), &|_| Ok(()));
        Self::furnished(kind, durability, program, ago_ms, hosted, furnished)
    }

    /// As [`Self::with_hosts`], with people, devices and rules of its own, and what is done in it before
    /// it is left to the program.
    ///
    /// # Errors
    /// When the house cannot be founded, or that cannot be done.
    pub fn furnished(
        kind: Kind,
        durability: Durability,
        program: &Path,
        ago_ms: i64,
        (edit, machine): (&dyn Fn(String) -> String, Option<&Path>),
        (house, work): Furnished<'_>,
    ) -> anyhow::Result<Self> {
        let folder = TestFolder::new()?;
        let (server, database) = match kind {
            Kind::Sqlite => (None, None),
            Kind::Postgres => {
                let server = PrivatePostgres::start(durability)?;
                let database = server.server().empty_database()?;
                (Some(server), Some(database))
            }
        };
        let mut founded = Self {
            program: crate::central::copied(program, folder.path())?,
            folder,
            keys: BTreeMap::new(),
            hosts: None,
            server,
            _database: database,
        };
        let address = founded._database.as_ref().map(PostgresDatabase::address);
        let mut text = edit(house_text(address));
        std::fs::create_dir_all(founded.data())?;
        if let Some(machine) = machine {
            let at = founded.beside("hosts");
            let hosts = Hosts::found(machine, &at, &founded.data(), &mut text)?;
            founded.hosts = Some(Mutex::new(hosts));
        }
        std::fs::write(founded.data().join("house.toml"), &text)?;
        let file = HouseFile::read(&text)
            .map_err(|faults| anyhow::anyhow!("the house file is wrong: {faults:?}"))?;
        let clock = Arc::new(ManualClock::at(now_ms() - ago_ms));
        let options = keno_house_builder::options(&founded.data(), &clock, file);
        let new = found(options, house)?;
        founded.keys = new.keys;
        let central = new.central;
        work(&central)?;
        central.sequencer.stop();
        // Whatever waits for the folder's lock waits for this.
        if Arc::into_inner(central).is_none() {
            anyhow::bail!("the founding central is still in use");
        }
        Ok(founded)
    }

    /// The data folder.
    pub fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    /// Where the record is written first: a folder, and how the names of its files end.
    pub fn written_first(&self) -> (PathBuf, &'static str) {
        match &self.server {
            None => (self.data(), "keno.sqlite-wal"),
            Some(server) => (server.server().socket_folder().join("data/pg_wal"), ""),
        }
    }

    /// Another empty database of the house's server, if it has one.
    ///
    /// # Errors
    /// When the server makes none.
    pub fn empty_database(&self) -> anyhow::Result<Option<PostgresDatabase>> {
        let server = self.server.as_ref();
        let made = server.map(|server| server.server().empty_database());
        Ok(made.transpose()?)
    }

    /// A path beside the data folder.
    pub fn beside(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

/// People, devices and rules: a clerk at each counter, two supervisors, the office and a kiosk.
pub(crate) fn new_house(counters: u32) -> NewHouse {
    let mut staff = people(&[
        (OFFICE_BADGE, &[Role::Supervisor]),
        (SECOND_BADGE, &[Role::Supervisor]),
    ]);
    staff.extend((1..=counters).map(|device| Person::of(&clerk_of(device), &[Role::Clerk])));
    let mut all = keno_house_builder::counters((1..=counters).chain([OFFICE]));
    all.extend(devices(&[(KIOSK, "K98", DeviceRole::Kiosk)]));
    NewHouse {
        people: staff,
        pins: Pins::Quick(pin_of),
        devices: all,
        publishers: ["X1", "X2"],
        ..NewHouse::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_house_file_says_what_the_campaigns_count_on() {
        let file = HouseFile::read(&house_text(None)).unwrap();
        assert_eq!(
            (
                file.every_minutes,
                file.close_before_seconds,
                file.saleable_draws
            ),
            (1, 5, 24)
        );
        assert_eq!((file.ball_interval_ms, file.start_lead_ms), (500, 100));
        assert_eq!(file.listen.port(), 0);
        let other = HouseFile::read(&house_text(Some("postgres://u@/n?host=/h"))).unwrap();
        assert!(!other.database_is_a_file());
    }
}
