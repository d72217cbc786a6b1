//! `[[holder]]`, `[machine]`, `[follower]` and `[[witness]]`: who holds the secrets of a draw and where it
//! is drawn, within central or on hosts of their own, who follows the log, and whose cosignatures are
//! taken.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use keno_book::signs::is_hidden;
use keno_book::toml_faults::{Section, Words, quoted};
use keno_draw_machine::ball_link::{BallMachine, BallPlace};
use keno_draw_machine::beacon::BeaconPlace;
use keno_line::HostPlace;
use keno_log::beacon::Beacon;
use keno_log::checkpoint::{KeyFault, VerifyingKey};
use keno_record::record::origin_of;
use keno_words::{Say, file_fault};

use super::{HouseFaultKind, Reader, code, path, plain};

/// Bytes of a key's name.
const NAME_MAX: usize = 128;
/// Speeds of a serial line.
const BAUDS: RangeInclusive<i64> = 1_200..=230_400;
/// Holders of a draw's secrets.
const HOLDERS: RangeInclusive<usize> = 1..=4;

/// Relays of a beacon.
const RELAYS: RangeInclusive<usize> = 1..=3;

/// A holder of the draw's secrets, by its name: 1 to 16 of `a-z`, `0-9` and the hyphen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Holder {
    /// In a folder of central's machine.
    Within(String, PathBuf),
    /// On a host of its own.
    Host(String, Box<HostPlace>),
    /// A public beacon of randomness.
    Beacon(String, Box<BeaconPlace>),
}

impl Holder {
    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Self::Within(name, _) | Self::Host(name, _) | Self::Beacon(name, _) => name,
        }
    }

    /// Its folder, for one within central.
    pub fn folder(&self) -> Option<&Path> {
        match self {
            Self::Within(_, folder) => Some(folder),
            Self::Host(..) | Self::Beacon(..) => None,
        }
    }

    /// Its host, for one that is not within central.
    pub fn host(&self) -> Option<&HostPlace> {
        match self {
            Self::Within(..) | Self::Beacon(..) => None,
            Self::Host(_, place) => Some(place),
        }
    }

    /// Its beacon, for one that is no holder of the house's own.
    pub fn beacon(&self) -> Option<&BeaconPlace> {
        match self {
            Self::Within(..) | Self::Host(..) => None,
            Self::Beacon(_, place) => Some(place),
        }
    }
}

/// The hosts that a house file names.
pub(super) struct Hosts {
    /// Holders in the order of the derivation.
    pub holders: Vec<Holder>,
    /// The machine, when it is not within central.
    pub machine: Option<HostPlace>,
    /// Who follows the log, if anybody does.
    pub follower: Option<HostPlace>,
    /// The machine that reads its own balls.
    pub ball_machine: Option<BallMachine>,
    /// Whose cosignatures of checkpoints are taken.
    pub witnesses: Vec<VerifyingKey>,
}

pub(super) fn read(reader: &mut Reader, root: &Section<'_>) -> Hosts {
    let sections = reader.sections(
        root,
        "holder",
        &["name", "folder", "address", "key", "beacon", "relays"],
    );
    let is_list = !reader.faults().iter().any(|fault| fault.place == "holder");
    if is_list && !HOLDERS.contains(&sections.len()) {
        let (count, min, max) = (sections.len(), HOLDERS.start(), HOLDERS.end());
        let words = file_fault::HoldersOutOfRange {
            count: &count,
            max: &max,
            min: &min,
        };
        fault(reader, "holder", HouseFaultKind::HoldersOutOfRange, &words);
    }
    let mut holders = Vec::new();
    let (mut names, mut folders, mut keys) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let mut beacons = BTreeSet::new();
    for section in &sections {
        let name = code(reader, section, "name");
        if name
            .as_ref()
            .is_some_and(|name| !names.insert(name.clone()))
        {
            let (kind, words) = (HouseFaultKind::HolderRepeated, &file_fault::HolderRepeated);
            fault(reader, &section.at("name"), kind, words);
        }
        let holder = read_holder(reader, section, name.unwrap_or_default());
        let repeated = match &holder {
            Some(Holder::Within(_, folder)) if !folders.insert(plain(folder)) => Some("folder"),
            Some(Holder::Host(_, host)) if !keys.insert(host.key.to_bytes()) => Some("key"),
            Some(Holder::Beacon(_, place)) if !beacons.insert(place.beacon.key()) => Some("beacon"),
            _ => None,
        };
        if let Some(which) = repeated {
            let (kind, words) = (HouseFaultKind::FolderRepeated, &file_fault::FolderRepeated);
            fault(reader, &section.at(which), kind, words);
        }
        // One without a name is a fault already.
        holders.extend(holder);
    }
    if !holders.is_empty() && holders.iter().all(|holder| holder.beacon().is_some()) {
        let (kind, words) = (HouseFaultKind::BeaconAlone, &file_fault::BeaconAlone);
        fault(reader, "holder", kind, words);
    }
    let machine = read_machine(reader, root, &sections, &keys);
    keys.extend(machine.iter().map(|host| host.key.to_bytes()));
    let follower = read_named(reader, root, "follower", &keys);
    keys.extend(follower.iter().map(|host| host.key.to_bytes()));
    let hosts = holders.iter().filter_map(Holder::host);
    let hosts = hosts.chain(&machine).chain(&follower);
    let names = hosts.map(|host| host.key.name().to_owned()).collect();
    Hosts {
        ball_machine: read_ball_machine(reader, root),
        witnesses: read_witnesses(reader, root, keys, names),
        follower,
        holders,
        machine,
    }
}

/// A witness is none of the others, who work for the house, by key or by name.
fn read_witnesses(
    reader: &mut Reader,
    root: &Section<'_>,
    mut keys: BTreeSet<[u8; 32]>,
    mut names: BTreeSet<String>,
) -> Vec<VerifyingKey> {
    if !root.has("witness") {
        return Vec::new();
    }
    let sections = reader.sections(root, "witness", &["key"]);
    let mut witnesses: Vec<VerifyingKey> = Vec::new();
    for section in &sections {
        let Some(key) = read_key(reader, section, VerifyingKey::parse_cosigner) else {
            continue;
        };
        // The log's own names begin so.
        let is_taken =
            key.name().starts_with(&origin_of("")) || !names.insert(key.name().to_owned());
        if is_taken || !keys.insert(key.to_bytes()) {
            let (kind, words) = (HouseFaultKind::FolderRepeated, &file_fault::FolderRepeated);
            fault(reader, &section.at("key"), kind, words);
        }
        witnesses.push(key);
    }
    witnesses
}

fn read_holder(reader: &mut Reader, section: &Section<'_>, name: String) -> Option<Holder> {
    if section.has("beacon") || section.has("relays") {
        return read_beacon(reader, section).map(|place| Holder::Beacon(name, Box::new(place)));
    }
    if !section.has("address") && !section.has("key") {
        return path(reader, section, "folder").map(|folder| Holder::Within(name, folder));
    }
    if section.has("folder") {
        let (kind, words) = (HouseFaultKind::HostMalformed, &file_fault::FolderAndHost);
        fault(reader, &section.at("folder"), kind, words);
    }
    read_host(reader, section).map(|place| Holder::Host(name, Box::new(place)))
}

/// A beacon is nobody's folder or host.
fn read_beacon(reader: &mut Reader, section: &Section<'_>) -> Option<BeaconPlace> {
    for key in ["folder", "address", "key"] {
        if section.has(key) {
            let (kind, words) = (HouseFaultKind::HostMalformed, &file_fault::BeaconAndHost);
            fault(reader, &section.at(key), kind, words);
        }
    }
    let text = reader.text(section, "beacon");
    let beacon = text.and_then(|text| Beacon::parse(text).ok());
    if let Some(text) = text.filter(|_| beacon.is_none()) {
        let words = file_fault::BeaconMalformed {
            shown: &quoted(text),
        };
        let kind = HouseFaultKind::HostMalformed;
        fault(reader, &section.at("beacon"), kind, &words);
    }
    let mut relays: Vec<String> = Vec::new();
    for (place, text) in reader.texts(section, "relays") {
        // What a relay says proves itself; in clear it needs no authority of the web.
        let after = text.strip_prefix("http://").unwrap_or_default();
        let is_relay = !after.is_empty() && after.bytes().all(|byte| byte.is_ascii_graphic());
        if is_relay {
            relays.push(text.trim_end_matches('/').to_owned());
        } else {
            let words = file_fault::RelayMalformed {
                shown: &quoted(text),
            };
            fault(reader, &place, HouseFaultKind::HostMalformed, &words);
        }
    }
    if section.has("relays") && !RELAYS.contains(&relays.len()) {
        let (min, max) = (RELAYS.start(), RELAYS.end());
        let words = file_fault::RelaysOutOfRange {
            max: &max,
            min: &min,
        };
        let kind = HouseFaultKind::HostMalformed;
        fault(reader, &section.at("relays"), kind, &words);
    }
    Some(BeaconPlace {
        beacon: beacon?,
        relays,
    })
}

/// A machine that is not within central believes no secret that its holder did not sign for: those
/// within central sign nothing.
fn read_machine(
    reader: &mut Reader,
    root: &Section<'_>,
    holders: &[Section<'_>],
    keys: &BTreeSet<[u8; 32]>,
) -> Option<HostPlace> {
    if !root.has("machine") {
        return None;
    }
    let host = read_named(reader, root, "machine", keys);
    for holder in holders.iter().filter(|holder| holder.has("folder")) {
        let (kind, words) = (HouseFaultKind::HolderWithin, &file_fault::HolderWithin);
        fault(reader, &holder.at("folder"), kind, words);
    }
    host
}

/// A host with a section of its own, which may be missing; no host is two of these.
fn read_named(
    reader: &mut Reader,
    root: &Section<'_>,
    name: &str,
    keys: &BTreeSet<[u8; 32]>,
) -> Option<HostPlace> {
    if !root.has(name) {
        return None;
    }
    let section = reader.section(root, name, &["address", "key"]);
    let host = read_host(reader, &section);
    if host
        .as_ref()
        .is_some_and(|host| keys.contains(&host.key.to_bytes()))
    {
        let (kind, words) = (HouseFaultKind::FolderRepeated, &file_fault::FolderRepeated);
        fault(reader, &section.at("key"), kind, words);
    }
    host
}

/// Over TCP, or a serial line of this machine.
fn read_ball_machine(reader: &mut Reader, root: &Section<'_>) -> Option<BallMachine> {
    if !root.has("ball_machine") {
        return None;
    }
    let keys = ["name", "address", "device", "bauds"];
    let section = reader.section(root, "ball_machine", &keys);
    let name = code(reader, &section, "name");
    let place = if section.has("device") {
        if section.has("address") {
            let (kind, words) = (HouseFaultKind::HostMalformed, &file_fault::DeviceAndAddress);
            fault(reader, &section.at("device"), kind, words);
        }
        let bauds: Option<u32> = reader.number(&section, "bauds", BAUDS);
        BallPlace::Serial(path(reader, &section, "device")?, bauds?)
    } else {
        BallPlace::Network(read_address(reader, &section)?)
    };
    Some(BallMachine { name: name?, place })
}

fn read_host(reader: &mut Reader, section: &Section<'_>) -> Option<HostPlace> {
    let address = read_address(reader, section);
    let key = read_key(reader, section, VerifyingKey::parse)?;
    Some(HostPlace {
        address: address?,
        key,
    })
}

/// Host and port.
fn read_address(reader: &mut Reader, section: &Section<'_>) -> Option<String> {
    let address = reader.text(section, "address");
    let is_address = |text: &str| {
        let (name, port) = text.rsplit_once(':').unwrap_or_default();
        !name.is_empty() && port.parse::<u16>().is_ok_and(|port| port > 0)
    };
    if let Some(text) = address.filter(|text| !is_address(text)) {
        let words = file_fault::HostAddressMalformed {
            shown: &quoted(text),
        };
        let kind = HouseFaultKind::HostMalformed;
        fault(reader, &section.at("address"), kind, &words);
    }
    address.map(str::to_owned)
}

fn read_key(
    reader: &mut Reader,
    section: &Section<'_>,
    parse: fn(&str) -> Result<VerifyingKey, KeyFault>,
) -> Option<VerifyingKey> {
    let text = reader.text(section, "key")?;
    // Names are shown to everybody.
    let is_shown =
        |key: &VerifyingKey| key.name().len() <= NAME_MAX && !key.name().chars().any(is_hidden);
    let key = parse(text).ok().filter(is_shown);
    if key.is_none() {
        let words = file_fault::HostKeyMalformed {
            shown: &quoted(text),
        };
        let kind = HouseFaultKind::HostMalformed;
        fault(reader, &section.at("key"), kind, &words);
    }
    key
}

fn fault(reader: &mut Reader, place: &str, kind: HouseFaultKind, words: &dyn Say) {
    reader.fault(place, kind, Words::of(words));
}
