//! The house of a scenario: people, devices, a clock that moves when told, a database of its own.

use std::collections::BTreeMap;
use std::sync::Arc;

use keno_central::app::App;
use keno_house_builder::{Founded, NewHouse, Pins, devices, found, people};
use keno_record::clock::ManualClock;
use keno_record::roles::{DeviceRole, Role};
use keno_record::sequencer::Lane;
use keno_service::Central;
use keno_service::house_file::HouseFile;
use keno_testing::{Durability, PostgresDatabase, PrivatePostgres, TestFolder};

use super::door::Door;
use super::faults::Held;

pub use keno_house_builder::{NOON_MS, RULES};

/// The PIN of everyone.
pub const PIN: &str = "471108";

/// Who works in the house beside the administrators D1 and D2, by badge.
const PEOPLE: [(&str, &[Role]); 13] = [
    ("C1", &[Role::Clerk]),
    ("C2", &[Role::Clerk]),
    ("C3", &[Role::Clerk]),
    ("S1", &[Role::Supervisor]),
    ("S2", &[Role::Supervisor]),
    ("G1", &[Role::Cage]),
    ("M1", &[Role::Marker]),
    ("V1", &[Role::Verifier]),
    ("V2", &[Role::Verifier]),
    ("W1", &[Role::Verifier, Role::Clerk]),
    ("W2", &[Role::Supervisor, Role::Marker]),
    ("A1", &[Role::Auditor]),
    ("E1", &[Role::Technician]),
];

/// Devices: number, name, role.
const DEVICES: [(u32, &str, DeviceRole); 10] = [
    (1, "T01", DeviceRole::Counter),
    (2, "T02", DeviceRole::Counter),
    (3, "T03", DeviceRole::Counter),
    (11, "K01", DeviceRole::Kiosk),
    (21, "O01", DeviceRole::Audit),
    (31, "B01", DeviceRole::Office),
    (41, "P01", DeviceRole::Desk),
    (42, "P02", DeviceRole::Desk),
    (43, "P03", DeviceRole::Desk),
    (51, "G01", DeviceRole::Cage),
];

/// On which database a scenario runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum On {
    /// A file.
    Sqlite,
    /// A database of its own on the tests' server.
    Postgres,
}

impl On {
    /// The name in a table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
        }
    }
}

/// How a house differs from the usual one.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// Changes to the house file.
    pub house: Vec<(String, String)>,
    /// Changes to the rule book.
    pub rules: Vec<(String, String)>,
    /// No rules are published.
    pub without_rules: bool,
    /// PostgreSQL on a server of its own, which can be stopped.
    pub own_server: bool,
}

/// A ticket by its name in the table.
#[derive(Debug, Clone)]
pub struct Ticket {
    /// Leaf index.
    pub leaf: u64,
    /// Control number.
    pub number: String,
    /// Claim codes by copy.
    pub codes: BTreeMap<u8, String>,
    /// The request that was sent for it.
    pub request: serde_json::Value,
    /// Leaf of its last payment.
    pub payment: Option<u64>,
}

/// Where the record is, kept alive as long as the house.
pub enum Store {
    /// In the folder.
    File,
    /// On the shared server.
    Shared(PostgresDatabase),
    /// On a server of its own.
    Own(PrivatePostgres, PostgresDatabase),
}

/// A house.
pub struct House {
    /// The public door; before `central`, so that it goes first.
    pub door: Door,
    /// Central itself: for the clock and for faults.
    pub central: Arc<Central>,
    /// The clock.
    pub clock: Arc<ManualClock>,
    /// Keys of the devices, by name: number and key.
    pub devices: BTreeMap<String, (u32, String)>,
    /// Sessions by person and device: number and token.
    pub sessions: BTreeMap<(String, String), (u64, String)>,
    /// Tickets by name.
    pub tickets: BTreeMap<String, Ticket>,
    /// Keys of commands by name: session and counter.
    pub keys: BTreeMap<String, (u64, u64)>,
    /// The last counter given out.
    pub counter: u64,
    /// Requests that wait for their answers, by name.
    pub waiting: BTreeMap<String, (super::door::Waiting, serde_json::Value)>,
    /// The writer, held by a scenario.
    pub held: Option<Held>,
    /// The rules as published first.
    pub rules: String,
    /// The business day that was swept.
    /// Where the record is.
    pub store: Store,
    /// The data folder.
    pub folder: TestFolder,
}

/// A TOML text with one value changed: `section.key`, where `section` may be empty. A key that
/// is not there is added; the value `absent` takes it away. `section.name.fr` is the key `name.fr`
/// of a section.
pub fn changed(text: &str, place: &str, value: &str) -> String {
    let is_header_of = |section: &str, line: &str| {
        let line = line.trim();
        line == format!("[{section}]") || line == format!("[[{section}]]")
    };
    let (mut section, mut key) = place.rsplit_once('.').unwrap_or(("", place));
    if !text.lines().any(|line| is_header_of(section, line)) {
        (section, key) = place.split_once('.').unwrap_or((section, key));
    }
    let is_header = |line: &str| is_header_of(section, line);
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let start = if section.is_empty() {
        0
    } else {
        let header = lines.iter().position(|line| is_header(line));
        header.unwrap_or_else(|| panic!("the rules have no section [{section}]")) + 1
    };
    let end = lines[start..]
        .iter()
        .position(|line| line.starts_with('['))
        .map_or(lines.len(), |length| start + length);
    let is_key = |line: &String| {
        line.split_once('=')
            .is_some_and(|(name, _)| name.trim() == key)
    };
    let at = lines[start..end]
        .iter()
        .position(is_key)
        .map(|at| start + at);
    match (at, value) {
        (Some(at), "absent") => drop(lines.remove(at)),
        (Some(at), _) => lines[at] = format!("{key} = {value}"),
        (None, "absent") => panic!("the rules have no {place}"),
        (None, _) => lines.insert(start, format!("{key} = {value}")),
    }
    lines.join("\n") + "\n"
}

fn house_file(wanted: &Wanted) -> HouseFile {
    let mut text = changed(&HouseFile::demonstration(), "schedule.saleable_draws", "20");
    for (place, value) in &wanted.house {
        text = changed(&text, place, value);
    }
    HouseFile::read(&text).unwrap_or_else(|faults| panic!("the house file: {faults:?}"))
}

impl House {
    /// A founded house with people, devices, rules, and draws on sale.
    pub fn open(on: On, wanted: &Wanted) -> Self {
        let folder = TestFolder::in_memory().unwrap();
        let mut file = house_file(wanted);
        let store = match on {
            On::Sqlite => Store::File,
            On::Postgres if wanted.own_server => {
                let server = PrivatePostgres::start(Durability::Synced).unwrap();
                let database = server.server().empty_database().unwrap();
                Store::Own(server, database)
            }
            On::Postgres => Store::Shared(
                keno_testing::postgres_database("scenarios", |address| {
                    let mut connection = keno_schema::Database::parse(address).open_writer()?;
                    keno_schema::migrate::migrate(&mut connection)?;
                    Ok::<_, Box<dyn std::error::Error + Send + Sync>>(())
                })
                .unwrap(),
            ),
        };
        match &store {
            Store::File => {}
            Store::Shared(database) | Store::Own(_, database) => {
                file.database_url = database.address().to_owned();
            }
        }
        let clock = Arc::new(ManualClock::at(NOON_MS));
        let mut options = keno_house_builder::options(folder.path(), &clock, file);
        options.reserve_bytes = 64 * 1024;
        let mut rules = RULES.to_owned();
        for (place, value) in &wanted.rules {
            rules = changed(&rules, place, value);
        }
        let house = NewHouse {
            administrators: ["D1", "D2"],
            people: people(&PEOPLE),
            pins: Pins::Quick(|_| PIN.to_owned()),
            devices: devices(&DEVICES),
            rules: (!wanted.without_rules).then(|| rules.clone()),
            publishers: ["D1", "S1"],
        };
        let Founded { central, keys } = found(options, &house).unwrap();
        let devices = DEVICES
            .iter()
            .map(|(number, name, _)| ((*name).to_owned(), (*number, keys[number].clone())))
            .collect();
        let app = App::new(Arc::clone(&central), folder.path()).unwrap();
        Self {
            door: Door::open(app),
            central,
            clock,
            devices,
            sessions: BTreeMap::new(),
            tickets: BTreeMap::new(),
            keys: BTreeMap::new(),
            counter: 0,
            waiting: BTreeMap::new(),
            held: None,
            rules,
            store,
            folder,
        }
    }

    /// Leaves in the record, from the writer itself; `None` while it cannot be asked.
    pub fn log_size(&self) -> Option<u64> {
        if self.held.is_some() {
            return None;
        }
        self.central
            .sequencer
            .submit_blocking(Lane::Draw, |judge| {
                Ok::<_, keno_service::Stop>(judge.state.edge.size())
            })
            .ok()
    }

    /// The ticket of a name.
    pub fn ticket(&self, name: &str) -> &Ticket {
        self.tickets
            .get(name)
            .unwrap_or_else(|| panic!("no ticket is named {name:?}"))
    }

    /// A fresh counter of a device.
    pub fn next_counter(&mut self) -> u64 {
        self.counter += 1;
        self.counter
    }
}

#[test]
fn one_value_of_a_text_is_changed_added_or_taken_away() {
    let text = "version = 1\n[cap]\nper_draw = \"5\"\n[[game]]\nking = 1\n";
    assert!(changed(text, "version", "2").starts_with("version = 2\n[cap]"));
    assert!(changed(text, "cap.per_draw", "\"6\"").contains("per_draw = \"6\""));
    assert!(changed(text, "cap.other", "7").contains("[cap]\nother = 7\nper_draw"));
    assert!(!changed(text, "game.king", "absent").contains("king"));
}
