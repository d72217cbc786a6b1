//! `house.toml`: what the house decides about the installation and that is not a rule of the
//! game. Nothing in it is secret; nothing in it is read from the record.

mod ball_sets;
mod connections;
mod held_wins;
mod hosts;
mod kind;
mod sessions;
mod staff;
mod tls;
mod wall;

use std::collections::BTreeSet;
use std::fmt;
use std::net::SocketAddr;
use std::ops::RangeInclusive;
use std::path::{Component, Path, PathBuf};

use chrono::NaiveTime;
use keno_book::toml_faults;
use keno_book::toml_faults::{FileFault, Section, Words, quoted};
use keno_draw_machine::ball_link::BallMachine;
use keno_game::RuleBook;
use keno_line::HostPlace;
use keno_log::checkpoint::VerifyingKey;
use keno_record::calendar::Calendar;
use keno_schema::postgres_address::{AddressFault, PARAMETERS, PostgresAddress, is_postgres};
use keno_words::{address, file_fault};

pub use ball_sets::BallSetLimits;
pub use connections::Connections;
use held_wins::HeldWins;
pub use hosts::Holder;
use kind::HouseFaultKind;
use sessions::SessionTimes;
use staff::HouseStaff;
pub(crate) use staff::people_needed;
pub use tls::Tls;
use wall::CashBands;

/// The one format of house files that this program reads.
const FORMAT: i64 = 1;

/// One fault of the house file.
pub type HouseFault = FileFault<HouseFaultKind>;

type Reader = toml_faults::Reader<HouseFaultKind>;

/// Minutes between two draws.
const EVERY_MINUTES: RangeInclusive<i64> = 1..=60;
/// Seconds between the close of sales and the first number.
const CLOSE_BEFORE_SECONDS: RangeInclusive<i64> = 5..=300;
/// Milliseconds between two numbers.
const BALL_INTERVAL_MS: RangeInclusive<i64> = 500..=10_000;
/// Draws open for sale at once.
const SALEABLE_DRAWS: RangeInclusive<i64> = 1..=2_000;
/// Milliseconds between the commitment of the numbers and the first that is shown.
const START_LEAD_MS: RangeInclusive<i64> = 100..=60_000;
/// Commands that wait for the writer.
const SALE_QUEUE: RangeInclusive<i64> = 1..=65_536;
/// Unknown control numbers that one kiosk may ask for in a minute.
const UNKNOWN_NUMBERS: RangeInclusive<i64> = 1..=1_000;
/// Numbers of one draw.
const NUMBERS_DRAWN: u64 = 20;

/// A house file that was judged. Paths are as written: join them to the data folder.
#[derive(Clone, PartialEq, Eq)]
pub struct HouseFile {
    /// Part of every derivation; never changed.
    pub code: String,
    /// Shown to people.
    pub name: String,
    /// IANA name; [`Calendar::new`] knows it.
    pub zone: String,
    /// Minutes between two draws.
    pub every_minutes: u16,
    /// Local time of the first draw of the day.
    pub first: NaiveTime,
    /// Local time after which the day has no draw.
    pub last: NaiveTime,
    /// Seconds between the close of sales and the first number.
    pub close_before_seconds: u16,
    /// Milliseconds between two numbers.
    pub ball_interval_ms: u32,
    /// Draws open for sale at once.
    pub saleable_draws: u16,
    /// Milliseconds between the commitment of the numbers and the first that is shown.
    pub start_lead_ms: u32,
    /// Local times from which and until which balls are drawn; never, when absent.
    pub balls: Option<(NaiveTime, NaiveTime)>,
    /// What sets of balls are held to.
    pub ball_sets: BallSetLimits,
    /// Holders of the draw's secrets, in the order of the derivation.
    pub holders: Vec<Holder>,
    /// Where the computer that draws is, when it is on a host of its own.
    pub machine: Option<HostPlace>,
    /// Who follows the log, on a host of its own.
    pub follower: Option<HostPlace>,
    /// The machine that reads its own balls, where there is one.
    pub ball_machine: Option<BallMachine>,
    /// Whose cosignatures of checkpoints are taken.
    pub witnesses: Vec<VerifyingKey>,
    /// Commands that may wait for the writer.
    pub sale_queue: usize,
    /// Unknown control numbers that one kiosk may ask for in a minute.
    pub unknown_numbers_per_minute: u32,
    /// Where central listens.
    pub listen: SocketAddr,
    /// How devices and patrons reach central over the network; nobody does without it.
    pub tls: Option<Tls>,
    /// A file, or the address of PostgreSQL: `postgres://…` or `host=…`.
    pub database_url: String,
    /// Where the server's keys are: a file, or `credential:NAME`; `keys.toml` when absent.
    pub keys_file: Option<PathBuf>,
    /// The oldest version of an agent that may sign on; any, when absent.
    pub agents_minimum: Option<String>,
    /// The first anchor file.
    pub anchors_file: PathBuf,
    /// Further anchor files.
    pub anchors_extra: Vec<PathBuf>,
    /// Run when an alarm is raised.
    pub alarm_command: Option<String>,
    /// Who decides about a win that is held, and by when.
    pub held_wins: HeldWins,
    /// Where a till is said to hold little or much cash.
    pub cash: CashBands,
    /// How many connections there may be at once.
    pub connections: Connections,
    /// How long somebody stays signed on.
    pub sessions: SessionTimes,
    /// How few people there are, and what a second person shows.
    pub staff: HouseStaff,
}

/// A database's address may hold a password: it is not shown.
impl fmt::Debug for HouseFile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("HouseFile")
            .field("code", &self.code)
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl HouseFile {
    /// Whether the database is a file.
    pub fn database_is_a_file(&self) -> bool {
        !is_postgres(&self.database_url)
    }
}

impl HouseFile {
    /// The house file of the demonstration.
    pub fn demonstration() -> String {
        DEMONSTRATION.to_owned()
    }
}

const DEMONSTRATION: &str = include_str!("house_file/demonstration.toml");

impl HouseFile {
    /// Reads and judges a house file.
    ///
    /// # Errors
    /// Every fault that was found, by line. A text that is no TOML, or of another format, is not
    /// judged further.
    pub fn read(text: &str) -> Result<HouseFile, Vec<HouseFault>> {
        read_with(text, None)
    }

    /// As [`Self::read`], for a house that plays these rules: as many draws must be open for sale as one
    /// ticket may carry.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn read_for(text: &str, rules: &RuleBook) -> Result<HouseFile, Vec<HouseFault>> {
        read_with(text, Some(rules.limits.draws_max))
    }
}

fn read_with(text: &str, draws_of_ticket: Option<u16>) -> Result<HouseFile, Vec<HouseFault>> {
    let document = toml_faults::parse(text)?;
    let (mut reader, root) = Reader::new(text, &document);
    if !reader.format_is_known(&root, FORMAT) {
        return Err(reader.into_faults());
    }
    reader.only(
        &root,
        &[
            "format",
            "house",
            "schedule",
            "ball_sets",
            "holder",
            "machine",
            "follower",
            "witness",
            "ball_machine",
            "limits",
            "listen",
            "tls",
            "database",
            "anchors",
            "alarms",
            "keys",
            "agents",
            "wall",
            "held_wins",
            "connections",
            "sessions",
            "staff",
        ],
    );
    match read_house(&mut reader, &root, draws_of_ticket) {
        Some(house) if reader.faults().is_empty() => Ok(house),
        _ => Err(reader.into_faults()),
    }
}

/// Every part is read before any of them is given up, so that all faults are found.
fn read_house(
    reader: &mut Reader,
    root: &Section<'_>,
    draws_of_ticket: Option<u16>,
) -> Option<HouseFile> {
    let house = reader.section(root, "house", &["code", "name", "zone"]);
    let code = code(reader, &house, "code");
    let name = plain_text(reader, &house, "name");
    let zone = read_zone(reader, &house);
    let schedule = read_schedule(reader, root, draws_of_ticket);
    let ball_sets = ball_sets::read(reader, root);
    let hosts = hosts::read(reader, root);
    let limits = reader.section(
        root,
        "limits",
        &["sale_queue", "unknown_numbers_per_minute"],
    );
    let sale_queue: Option<u32> = reader.number(&limits, "sale_queue", SALE_QUEUE);
    let unknown = reader.number(&limits, "unknown_numbers_per_minute", UNKNOWN_NUMBERS);
    let listen = read_listen(reader, root);
    let tls = tls::read(reader, root);
    let database_url = read_database(reader, root);
    let anchors = read_anchors(reader, root);
    let alarm_command = read_alarm(reader, root);
    let keys_file = read_keys(reader, root);
    let agents_minimum = read_agents(reader, root);
    let cash = wall::read(reader, root);
    let held_wins = held_wins::read(reader, root);
    let connections = connections::read(reader, root);
    let sessions = sessions::read(reader, root);
    let staff = staff::read(reader, root);
    let schedule = schedule?;
    let (anchors_file, anchors_extra) = anchors?;
    Some(HouseFile {
        code: code?,
        name: name?,
        zone: zone?,
        every_minutes: schedule.every_minutes,
        first: schedule.first,
        last: schedule.last,
        close_before_seconds: schedule.close_before_seconds,
        ball_interval_ms: schedule.ball_interval_ms,
        saleable_draws: schedule.saleable_draws,
        start_lead_ms: schedule.start_lead_ms,
        balls: schedule.balls,
        ball_sets: ball_sets?,
        holders: hosts.holders,
        machine: hosts.machine,
        follower: hosts.follower,
        ball_machine: hosts.ball_machine,
        witnesses: hosts.witnesses,
        sale_queue: usize::try_from(sale_queue?).ok()?,
        unknown_numbers_per_minute: unknown?,
        listen: listen?,
        tls,
        database_url: database_url?,
        keys_file,
        agents_minimum,
        anchors_file,
        anchors_extra,
        alarm_command,
        held_wins: held_wins?,
        cash: cash?,
        connections: connections?,
        sessions: sessions?,
        staff: staff?,
    })
}

struct Schedule {
    every_minutes: u16,
    first: NaiveTime,
    last: NaiveTime,
    close_before_seconds: u16,
    ball_interval_ms: u32,
    saleable_draws: u16,
    start_lead_ms: u32,
    balls: Option<(NaiveTime, NaiveTime)>,
}

fn read_schedule(
    reader: &mut Reader,
    root: &Section<'_>,
    draws_of_ticket: Option<u16>,
) -> Option<Schedule> {
    let section = reader.section(
        root,
        "schedule",
        &[
            "every_minutes",
            "first",
            "last",
            "close_before_seconds",
            "ball_interval_ms",
            "saleable_draws",
            "start_lead_ms",
            "balls_from",
            "balls_until",
        ],
    );
    let every: Option<u16> = reader.number(&section, "every_minutes", EVERY_MINUTES);
    let first = local_time(reader, &section, "first");
    let last = local_time(reader, &section, "last");
    let close: Option<u16> = reader.number(&section, "close_before_seconds", CLOSE_BEFORE_SECONDS);
    let interval: Option<u32> = reader.number(&section, "ball_interval_ms", BALL_INTERVAL_MS);
    let saleable: Option<u16> = reader.number(&section, "saleable_draws", SALEABLE_DRAWS);
    let lead: Option<u32> = reader.number(&section, "start_lead_ms", START_LEAD_MS);
    if let (Some(first), Some(last)) = (first, last)
        && first > last
    {
        let detail = Words::of(&file_fault::ScheduleReversed);
        reader.fault(
            &section.at("last"),
            HouseFaultKind::ScheduleReversed,
            detail,
        );
    }
    if let (Some(every), Some(interval)) = (every, interval) {
        let shown_ms = u64::from(interval) * NUMBERS_DRAWN;
        let every_ms = u64::from(every) * 60_000;
        if shown_ms >= every_ms {
            let detail = Words::of(&file_fault::DrawsOverlap {
                every_ms: &every_ms,
                numbers_drawn: &NUMBERS_DRAWN,
                shown_ms: &shown_ms,
            });
            reader.fault(
                &section.at("ball_interval_ms"),
                HouseFaultKind::DrawsOverlap,
                detail,
            );
        }
    }
    if let (Some(close), Some(lead)) = (close, lead) {
        let close_ms = u32::from(close) * 1_000;
        if lead >= close_ms {
            let detail = Words::of(&file_fault::LeadBeyondClose {
                close_ms: &close_ms,
            });
            reader.fault(
                &section.at("start_lead_ms"),
                HouseFaultKind::LeadBeyondClose,
                detail,
            );
        }
    }
    if let (Some(saleable), Some(draws)) = (saleable, draws_of_ticket)
        && saleable < draws
    {
        let detail = Words::of(&file_fault::SaleableBelowTicket { draws: &draws });
        reader.fault(
            &section.at("saleable_draws"),
            HouseFaultKind::SaleableBelowTicket,
            detail,
        );
    }
    let balls = read_balls(reader, &section);
    Some(Schedule {
        every_minutes: every?,
        first: first?,
        last: last?,
        close_before_seconds: close?,
        ball_interval_ms: interval?,
        saleable_draws: saleable?,
        start_lead_ms: lead?,
        balls,
    })
}

/// Local times from which and until which balls are drawn: both, or neither.
fn read_balls(reader: &mut Reader, section: &Section<'_>) -> Option<(NaiveTime, NaiveTime)> {
    if !section.has("balls_from") && !section.has("balls_until") {
        return None;
    }
    let from = local_time(reader, section, "balls_from")?;
    let until = local_time(reader, section, "balls_until")?;
    if from > until {
        let detail = Words::of(&file_fault::ScheduleReversed);
        reader.fault(
            &section.at("balls_until"),
            HouseFaultKind::ScheduleReversed,
            detail,
        );
    }
    Some((from, until))
}

fn read_zone(reader: &mut Reader, house: &Section<'_>) -> Option<String> {
    let zone = reader.text(house, "zone")?;
    if Calendar::new(zone).is_err() {
        let shown = quoted(zone);
        let detail = Words::of(&file_fault::ZoneUnknown { shown: &shown });
        reader.fault(&house.at("zone"), HouseFaultKind::ZoneUnknown, detail);
        return None;
    }
    Some(zone.to_owned())
}

fn read_listen(reader: &mut Reader, root: &Section<'_>) -> Option<SocketAddr> {
    let section = reader.section(root, "listen", &["address"]);
    let text = reader.text(&section, "address")?;
    let place = section.at("address");
    let Ok(address) = text.parse::<SocketAddr>() else {
        let shown = quoted(text);
        let detail = Words::of(&file_fault::AddressMalformed { shown: &shown });
        reader.fault(&place, HouseFaultKind::AddressMalformed, detail);
        return None;
    };
    if !address.ip().is_loopback() {
        let detail = Words::of(&file_fault::AddressNotLoopback);
        reader.fault(&place, HouseFaultKind::AddressNotLoopback, detail);
    }
    Some(address)
}

fn read_database(reader: &mut Reader, root: &Section<'_>) -> Option<String> {
    let section = reader.section(root, "database", &["url"]);
    let url = plain_text(reader, &section, "url")?;
    if is_postgres(&url) {
        if let Err(fault) = PostgresAddress::parse(&url) {
            let detail = address_words(&fault);
            reader.fault(&section.at("url"), HouseFaultKind::DatabaseUnknown, detail);
        }
    } else if url.contains("://") || url.starts_with(':') {
        // The address is not quoted: it may hold a password.
        let detail = Words::of(&file_fault::DatabaseUnknown);
        reader.fault(&section.at("url"), HouseFaultKind::DatabaseUnknown, detail);
    }
    Some(url)
}

/// What is wrong with an address. No sentence repeats what may be a password.
fn address_words(fault: &AddressFault) -> Words {
    match fault {
        // What exactly is wrong is told in English alone.
        AddressFault::Malformed(_) => Words::new(address::Malformed::FR, fault.to_string()),
        AddressFault::NoTls(_) => Words::new(address::NoTls::FR, fault.to_string()),
        AddressFault::ParameterUnknown => {
            let known = &PARAMETERS.join(", ");
            Words::of(&address::ParameterUnknown { known })
        }
        AddressFault::ParameterRepeated(name) => Words::of(&address::ParameterRepeated { name }),
        AddressFault::Plain(host) => Words::of(&address::Plain { host }),
        AddressFault::Environment(name) => Words::of(&address::Environment { name }),
    }
}

fn read_anchors(reader: &mut Reader, root: &Section<'_>) -> Option<(PathBuf, Vec<PathBuf>)> {
    let section = reader.section(root, "anchors", &["file", "extra"]);
    let file = path(reader, &section, "file");
    let mut seen: BTreeSet<PathBuf> = file.iter().map(|file| plain(file)).collect();
    let mut extra = Vec::new();
    for (place, text) in reader.texts(&section, "extra") {
        if !is_plain_text(reader, &place, text) {
            continue;
        }
        let further = PathBuf::from(text);
        if !seen.insert(plain(&further)) {
            let detail = Words::of(&file_fault::AnchorRepeated);
            reader.fault(&place, HouseFaultKind::AnchorRepeated, detail);
        }
        extra.push(further);
    }
    Some((file?, extra))
}

fn read_alarm(reader: &mut Reader, root: &Section<'_>) -> Option<String> {
    if !root.has("alarms") {
        return None;
    }
    let section = reader.section(root, "alarms", &["command"]);
    if !section.has("command") {
        return None;
    }
    plain_text(reader, &section, "command")
}

fn read_keys(reader: &mut Reader, root: &Section<'_>) -> Option<PathBuf> {
    if !root.has("keys") {
        return None;
    }
    let section = reader.section(root, "keys", &["file"]);
    path(reader, &section, "file")
}

fn read_agents(reader: &mut Reader, root: &Section<'_>) -> Option<String> {
    if !root.has("agents") {
        return None;
    }
    let section = reader.section(root, "agents", &["minimum"]);
    let text = reader.text(&section, "minimum")?;
    let is_number = |part: &str| {
        part.parse::<u32>()
            .is_ok_and(|number| number.to_string() == part)
    };
    if text.split('.').count() != 3 || !text.split('.').all(is_number) {
        let shown = quoted(text);
        let detail = Words::of(&file_fault::VersionMalformed { shown: &shown });
        reader.fault(
            &section.at("minimum"),
            HouseFaultKind::VersionMalformed,
            detail,
        );
        return None;
    }
    Some(text.to_owned())
}

/// 1 to 16 of `a-z`, `0-9` and the hyphen.
fn code(reader: &mut Reader, section: &Section<'_>, key: &str) -> Option<String> {
    let text = reader.text(section, key)?;
    let is_sign = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if !(1..=16).contains(&text.len()) || !text.bytes().all(is_sign) {
        let detail = Words::of(&file_fault::CodeMalformed);
        reader.fault(&section.at(key), HouseFaultKind::CodeMalformed, detail);
        return None;
    }
    Some(text.to_owned())
}

fn plain_text(reader: &mut Reader, section: &Section<'_>, key: &str) -> Option<String> {
    let text = reader.text(section, key)?;
    is_plain_text(reader, &section.at(key), text).then(|| text.to_owned())
}

fn path(reader: &mut Reader, section: &Section<'_>, key: &str) -> Option<PathBuf> {
    plain_text(reader, section, key).map(PathBuf::from)
}

/// Whether a text says something and holds no control characters; reports it otherwise.
fn is_plain_text(reader: &mut Reader, place: &str, text: &str) -> bool {
    let is_plain = !text.trim().is_empty() && !text.chars().any(char::is_control);
    if !is_plain {
        let detail = Words::of(&file_fault::TextUnfit);
        reader.fault(place, HouseFaultKind::TextMalformed, detail);
    }
    is_plain
}

/// A path without what changes nothing: `./a/` is `a`.
fn plain(path: &Path) -> PathBuf {
    path.components()
        .filter(|component| *component != Component::CurDir)
        .collect()
}

/// `HH:MM`, both digits always written.
fn local_time(reader: &mut Reader, section: &Section<'_>, key: &str) -> Option<NaiveTime> {
    let text = reader.text(section, key)?;
    let time = time_of(text);
    if time.is_none() {
        let shown = quoted(text);
        let detail = Words::of(&file_fault::TimeMalformed { shown: &shown });
        reader.fault(&section.at(key), HouseFaultKind::TimeMalformed, detail);
    }
    time
}

fn time_of(text: &str) -> Option<NaiveTime> {
    let (hours, minutes) = text.split_once(':')?;
    let pair = |digits: &str| -> Option<u32> {
        let is_pair = digits.len() == 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_pair.then(|| digits.parse().ok()).flatten()
    };
    NaiveTime::from_hms_opt(pair(hours)?, pair(minutes)?, 0)
}

#[cfg(test)]
mod tests;
