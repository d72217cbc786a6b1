//! The house of a scenario: people, devices, a clock that moves when told, a database of its own.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::sync::{Arc, LazyLock, Mutex};

use keno_central::app::App;
use keno_log::event::PersonRecorded;
use keno_service::Central;
use keno_service::central::{Options, keys_path};
use keno_service::clock::{Clock, ManualClock};
use keno_service::house::{self, HouseFile};
use keno_service::identity::Role;
use keno_service::keys::ServerKeys;
use keno_service::new_pin::NewPin;
use keno_service::pins::{Credential, credential};
use keno_service::sell::QuickPicks;
use keno_service::sequencer::Lane;
use keno_testing::{Durability, PostgresDatabase, PrivatePostgres, TestFolder};

use super::door::Door;
use super::faults::Held;

/// 20 November 2026, 12:00:00 in Montréal.
pub const NOON_MS: i64 = 1_795_194_000_000;

/// The demonstration rules, whose maximum per draw is 50,000.00.
pub const RULES: &str = include_str!("../../../samples/rules/demonstration.toml");

/// The PIN of everyone.
pub const PIN: &str = "471108";

/// Who works in the house, by badge.
const PEOPLE: [(&str, Role); 12] = [
    ("D1", Role::Administrator),
    ("D2", Role::Administrator),
    ("C1", Role::Clerk),
    ("C2", Role::Clerk),
    ("C3", Role::Clerk),
    ("S1", Role::Supervisor),
    ("S2", Role::Supervisor),
    ("G1", Role::Cage),
    ("M1", Role::Marker),
    ("V1", Role::Verifier),
    ("A1", Role::Auditor),
    ("E1", Role::Technician),
];

/// Devices: number, name, role (1 counter, 2 kiosk, 4 audit office, 5 draw desk, 6 back office,
/// 7 main cage).
const DEVICES: [(u32, &str, u8); 8] = [
    (1, "T01", 1),
    (2, "T02", 1),
    (3, "T03", 1),
    (11, "K01", 2),
    (21, "O01", 4),
    (31, "B01", 6),
    (41, "P01", 5),
    (51, "G01", 7),
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
    pub swept_day: u32,
    /// Where the record is.
    pub store: Store,
    /// The data folder.
    pub folder: tempfile::TempDir,
}

/// Keys of the server, one set for all houses, so that a PIN is hashed once for all of them.
static KEYS: LazyLock<String> = LazyLock::new(|| {
    let folder = TestFolder::new().unwrap();
    let path = folder.join("keys.toml");
    ServerKeys::generate(&keno_service::chance::Chance::System)
        .unwrap()
        .save_new(&path)
        .unwrap();
    std::fs::read_to_string(path).unwrap()
});

/// A folder in memory where there is one: what survives a power cut is not asked here, and a
/// house syncs its files some hundred times before its first sale.
fn data_folder() -> tempfile::TempDir {
    let memory = std::path::Path::new("/dev/shm");
    let parent = if memory.is_dir() {
        memory.to_owned()
    } else {
        std::env::temp_dir()
    };
    tempfile::Builder::new()
        .prefix("keno-scenario-")
        .tempdir_in(parent)
        .unwrap()
}

fn credential_of(central: &Central, badge: &str) -> Credential {
    static MADE: Mutex<BTreeMap<String, Credential>> = Mutex::new(BTreeMap::new());
    let mut made = MADE.lock().unwrap();
    made.entry(badge.to_owned())
        .or_insert_with(|| credential(&central.keys, badge, &NewPin::choose(PIN).unwrap()).unwrap())
        .clone()
}

/// A TOML text with one value changed: `section.key`, where `section` may be empty. A key that
/// is not there is added; the value `absent` takes it away.
pub fn changed(text: &str, place: &str, value: &str) -> String {
    let (section, key) = place.rsplit_once('.').unwrap_or(("", place));
    let is_header = |line: &str| {
        let line = line.trim();
        line == format!("[{section}]") || line == format!("[[{section}]]")
    };
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
    let mut text = changed(&house::demonstration(), "schedule.saleable_draws", "20");
    for (place, value) in &wanted.house {
        text = changed(&text, place, value);
    }
    house::read(&text).unwrap_or_else(|faults| panic!("the house file: {faults:?}"))
}

impl House {
    /// A founded house with people, devices, rules, and draws on sale.
    pub fn open(on: On, wanted: &Wanted) -> Self {
        let folder = data_folder();
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
        let keys = keys_path(folder.path());
        std::fs::write(&keys, KEYS.as_str()).unwrap();
        std::fs::set_permissions(&keys, std::fs::Permissions::from_mode(0o600)).unwrap();
        let clock = Arc::new(ManualClock::at(NOON_MS));
        let mut options =
            Options::new(folder.path().to_owned(), file, Arc::clone(&clock) as Arc<_>);
        options.quick_picks = Some(QuickPicks::seeded([7; 32]));
        options.reserve_bytes = 64 * 1024;
        options.fatal = Some(Box::new(|_| {}));
        let central = Central::open(options).unwrap();
        record_people(&central);
        let devices = DEVICES
            .iter()
            .map(|(number, name, role)| {
                let key = central
                    .record_device(*number, name, *role, "D1", "D2")
                    .unwrap();
                ((*name).to_owned(), (*number, key))
            })
            .collect();
        let mut rules = RULES.to_owned();
        for (place, value) in &wanted.rules {
            rules = changed(&rules, place, value);
        }
        if !wanted.without_rules {
            if let Err(stop) = central.publish_rules(&rules, 1, "D1", "S1") {
                panic!("the rules of this house are refused: {stop:?}");
            }
            central.tick();
        }
        let app = App::new(Arc::clone(&central), folder.path()).unwrap();
        Self {
            door: Door::open(app),
            swept_day: central.calendar.business_day(clock.now_ms()),
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
            .submit_blocking(Lane::Draw, |judge| Ok(judge.state.edge.size()))
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

/// Everyone in one batch: a house costs one commit for its people.
fn record_people(central: &Central) {
    let people: Vec<PersonRecorded> = PEOPLE
        .iter()
        .map(|(badge, role)| {
            let made = credential_of(central, badge);
            central.know_credential(&made);
            let is_founder = *role == Role::Administrator;
            let (by, second) = if is_founder {
                ("console", "")
            } else {
                ("D1", "D2")
            };
            PersonRecorded {
                badge: (*badge).to_owned(),
                staff: (*badge).to_owned(),
                name: String::new(),
                roles: vec![role.number()],
                credential: made.hash,
                must_change: false,
                card: 0,
                active: true,
                by: by.to_owned(),
                second: second.to_owned(),
            }
        })
        .collect();
    central
        .sequencer
        .submit_blocking(Lane::Money, move |judge| {
            for person in &people {
                judge.record(person.clone())?;
            }
            Ok(())
        })
        .unwrap();
}

#[test]
fn one_value_of_a_text_is_changed_added_or_taken_away() {
    let text = "version = 1\n[cap]\nper_draw = \"5\"\n[[game]]\nking = 1\n";
    assert!(changed(text, "version", "2").starts_with("version = 2\n[cap]"));
    assert!(changed(text, "cap.per_draw", "\"6\"").contains("per_draw = \"6\""));
    assert!(changed(text, "cap.other", "7").contains("[cap]\nother = 7\nper_draw"));
    assert!(!changed(text, "game.king", "absent").contains("king"));
}
