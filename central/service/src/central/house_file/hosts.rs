//! `[[holder]]`, `[machine]` and `[follower]`: who holds the secrets of a draw and where it is drawn,
//! within central or on hosts of their own, and who follows the log.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use keno_book::toml_faults::{Section, Words, quoted};
use keno_line::HostPlace;
use keno_log::checkpoint::VerifyingKey;
use keno_words::{Say, file_fault};

use super::{HouseFaultKind, Reader, code, path, plain};

/// Holders of a draw's secrets.
const HOLDERS: RangeInclusive<usize> = 1..=4;

/// A holder of the draw's secrets, by its name: 1 to 16 of `a-z`, `0-9` and the hyphen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Holder {
    /// In a folder of central's machine.
    Within(String, PathBuf),
    /// On a host of its own.
    Host(String, Box<HostPlace>),
}

impl Holder {
    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Self::Within(name, _) | Self::Host(name, _) => name,
        }
    }

    /// Its folder, for one within central.
    pub fn folder(&self) -> Option<&Path> {
        match self {
            Self::Within(_, folder) => Some(folder),
            Self::Host(..) => None,
        }
    }

    /// Its host, for one that is not within central.
    pub fn host(&self) -> Option<&HostPlace> {
        match self {
            Self::Within(..) => None,
            Self::Host(_, place) => Some(place),
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
}

pub(super) fn read(reader: &mut Reader, root: &Section<'_>) -> Hosts {
    let sections = reader.sections(root, "holder", &["name", "folder", "address", "key"]);
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
            _ => None,
        };
        if let Some(which) = repeated {
            let (kind, words) = (HouseFaultKind::FolderRepeated, &file_fault::FolderRepeated);
            fault(reader, &section.at(which), kind, words);
        }
        // One without a name is a fault already.
        holders.extend(holder);
    }
    let machine = read_machine(reader, root, &sections, &keys);
    keys.extend(machine.iter().map(|host| host.key.to_bytes()));
    Hosts {
        follower: read_named(reader, root, "follower", &keys),
        holders,
        machine,
    }
}

fn read_holder(reader: &mut Reader, section: &Section<'_>, name: String) -> Option<Holder> {
    if !section.has("address") && !section.has("key") {
        return path(reader, section, "folder").map(|folder| Holder::Within(name, folder));
    }
    if section.has("folder") {
        let (kind, words) = (HouseFaultKind::HostMalformed, &file_fault::FolderAndHost);
        fault(reader, &section.at("folder"), kind, words);
    }
    read_host(reader, section).map(|place| Holder::Host(name, Box::new(place)))
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

fn read_host(reader: &mut Reader, section: &Section<'_>) -> Option<HostPlace> {
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
    let text = reader.text(section, "key")?;
    let Ok(key) = VerifyingKey::parse(text) else {
        let words = file_fault::HostKeyMalformed {
            shown: &quoted(text),
        };
        let kind = HouseFaultKind::HostMalformed;
        fault(reader, &section.at("key"), kind, &words);
        return None;
    };
    Some(HostPlace {
        address: address?.to_owned(),
        key,
    })
}

fn fault(reader: &mut Reader, place: &str, kind: HouseFaultKind, words: &dyn Say) {
    reader.fault(place, kind, Words::of(words));
}
