//! The record of days as it is: the entries of a day's log, its export, its checkpoint, and the
//! rows that a table holds afterwards. Whoever moves code sees here that no byte moved with it. The
//! shortest day has each entry, which shows where a difference begins; the others have a line for
//! each kind.
//!
//! `INSTA_UPDATE=always cargo test -p keno-sim --test suite goldens` accepts what it is now.

#![allow(clippy::unwrap_used, reason = "a test's failure is its own report")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use diesel::sql_types::Text;
use diesel::{QueryableByName, RunQueryDsl, SqliteConnection, sql_query};
use keno_game::SelectionType;
use keno_log::EventKind;
use keno_log::export::{ExportReader, ExportRecord};
use keno_log::hash::sha256;
use keno_record::recover::recover;
use keno_record::snapshot::STATE_FORMAT;
use keno_schema::Connection;
use keno_sim::day::{Day, Settings, Villain};
use keno_testing::Goldens;

/// A text that a database gives.
#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    text: String,
}

fn lines(connection: &mut SqliteConnection, query: &str) -> Vec<String> {
    let lines: Vec<Line> = sql_query(query).load(connection).unwrap();
    lines.into_iter().map(|line| line.text).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

/// A day of a seed: the day itself, and its export.
fn played(seed: u64, settings: Settings) -> (Day, Vec<u8>) {
    let played = Day::open(seed, settings).and_then(|mut day| {
        day.run()?;
        day.end()?;
        let export = day.export()?;
        Ok((day, export))
    });
    played.unwrap_or_else(|failure| panic!("seed {seed}: {failure:?}"))
}

/// Every entry of an export, with its kind: what its header says, and length and hash of its body;
/// and the checkpoint that ends it.
fn entries(export: &[u8]) -> (Vec<(&'static str, String)>, String) {
    let (mut lines, mut end) = (Vec::new(), String::new());
    for record in ExportReader::new(export).unwrap() {
        match record.unwrap() {
            ExportRecord::Entry(exported) => {
                let entry = exported.entry().unwrap();
                let header = entry.leaf.header;
                let kind = header.kind.name();
                let line = format!(
                    "{:5} {kind:22} draw {:3} day {} at {} body {:5} {} leaf {}\n",
                    header.index,
                    header.draw,
                    header.business_day,
                    header.at_ms,
                    entry.body.len(),
                    &hex(&sha256(&entry.body))[..16],
                    &hex(&exported.leaf_hash)[..16],
                );
                lines.push((kind, line));
            }
            ExportRecord::End(checkpoint) => end = checkpoint,
        }
    }
    (lines, end)
}

/// Every kind: how many entries, and one hash over their lines.
fn kinds_of(entries: &[(&'static str, String)]) -> String {
    let mut kinds: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (kind, line) in entries {
        kinds.entry(kind).or_default().push(line);
    }
    let mut text = String::new();
    for (kind, lines) in kinds {
        let hash = hex(&sha256(lines.concat().as_bytes()));
        writeln!(text, "{kind:22} {:4} entries {hash}", lines.len()).unwrap();
    }
    text
}

/// Every table of the database: its rows in the order of their texts, as one hash over what SQLite
/// says is stored, and so whatever type a program reads it with.
fn tables(connection: &mut SqliteConnection) -> String {
    let tables = "SELECT name AS text FROM sqlite_master WHERE type = 'table' AND \
                  name NOT LIKE 'sqlite_%' AND name NOT LIKE '__diesel%' ORDER BY name";
    let mut text = String::new();
    for table in lines(connection, tables) {
        let columns = lines(
            connection,
            &format!("SELECT name AS text FROM pragma_table_info('{table}')"),
        );
        let quoted: Vec<String> = columns
            .iter()
            .map(|column| format!("quote(\"{column}\")"))
            .collect();
        let rows = lines(
            connection,
            &format!(
                "SELECT {} AS text FROM \"{table}\" ORDER BY text",
                quoted.join(" || ',' || ")
            ),
        );
        writeln!(
            text,
            "{table:16} {:5} rows {} of {}",
            rows.len(),
            hex(&sha256(rows.join("\n").as_bytes())),
            columns.join(", ")
        )
        .unwrap();
    }
    text
}

/// The settings of the days: small enough to be read.
const SMALL: Settings = Settings {
    draws: 12,
    commands: 150,
    faults: true,
    hand_overs: true,
    named_sets: true,
    remarks: true,
    villains: &[],
    bystanders: true,
};

/// Days, by the names of their goldens.
const DAYS: [(&str, u64, Settings); 3] = [
    ("a-short-day", 5, SMALL),
    (
        "a-long-day",
        6,
        Settings {
            draws: 60,
            commands: 900,
            ..SMALL
        },
    ),
    (
        "a-dishonest-day",
        31,
        Settings {
            draws: 25,
            commands: 250,
            villains: Villain::ALL,
            ..SMALL
        },
    ),
];

/// What no simulated day does. Of these, the days of `central/tests/goldens_replies` and the
/// vectors of `schema/log` have entries; of draws of balls, `central/service/tests/balls.rs` and
/// `ball_line.rs`; of hosts,
/// `central/service/tests/hosts.rs`.
const NOT_PLAYED: [&str; 24] = [
    "EpochOpened",
    "ActingNamed",
    "ActingMade",
    "BallEntered",
    "BallDrawn",
    "EntererReplaced",
    "TubesAttested",
    "ComputerStoodIn",
    "HostsNamed",
    "HostsSigned",
    "DrawPostponed",
    "PaymentHeld",
    "LostTicketRefunded",
    "FileJudged",
    "BallSetMeasured",
    "BallSetsOffered",
    "DrawRoomOpened",
    "DrawRoomEnded",
    "IncidentLogged",
    "FollowerBegan",
    "DrawFollowed",
    "PayoutsOpened",
    "BallRead",
    "LineIncident",
];

#[test]
fn days_are_recorded_as_ever() {
    let goldens = Goldens::of("tests/goldens");
    let mut kinds = BTreeSet::new();
    let mut types = BTreeSet::new();
    // A change here is another memory of the same leaves, or other bytes of it: a start must not go
    // on from a snapshot of before. `STATE_FORMAT` is raised with it.
    let mut states = format!("state format {STATE_FORMAT}\n");
    for (name, seed, settings) in DAYS {
        let (day, export) = played(seed, settings);
        let (entries, checkpoint) = entries(&export);
        kinds.extend(entries.iter().map(|(kind, _)| *kind));
        let lines = match name {
            "a-short-day" => entries.iter().map(|(_, line)| line.as_str()).collect(),
            _ => kinds_of(&entries),
        };
        let mut text = format!(
            "export {} bytes, SHA-256 {}\n{lines}{checkpoint}",
            export.len(),
            hex(&sha256(&export))
        );
        let Connection::Sqlite(mut rows) = day.world.reader().unwrap() else {
            panic!("a simulated day is kept in a file");
        };
        text.push('\n');
        text.push_str(&tables(&mut rows));
        goldens.hold(name, &text);
        let sold = day.model.tickets.values();
        types.extend(sold.flat_map(|ticket| ticket.sold.selections.iter().map(|one| one.kind)));
        let state = recover(&mut day.world.reader().unwrap(), &[], None, i64::MAX).unwrap();
        let state = state.to_bytes();
        writeln!(
            states,
            "{name} {} bytes, SHA-256 {}",
            state.len(),
            hex(&sha256(&state))
        )
        .unwrap();
    }
    goldens.hold("states", &states);
    let all = (0..=u8::MAX).filter_map(EventKind::from_number);
    let never: Vec<&str> = all
        .map(EventKind::name)
        .filter(|name| !kinds.contains(name))
        .collect();
    assert_eq!(never, NOT_PLAYED, "in none of these days");
    let all = SelectionType::ALL.map(SelectionType::number);
    assert_eq!(types, BTreeSet::from(all), "types that these days sell");
}
