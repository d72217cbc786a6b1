//! Machine, holders and the follower of the log on hosts of their own: what their settings say of
//! central, whether they are at work, and those of the demonstration.

use std::fmt::Write as _;
use std::io;
use std::path::Path;

use anyhow::Context;
use keno_draw_machine::line::{Answer, Ask, BOUNDS};
use keno_line::{Host, HostKey, HostPlace, follow};
use keno_log::checkpoint::SignatureLine;
use keno_log::follower::beginning;
use keno_record::clock::{Clock as _, SystemClock};
use keno_record::keys::{ServerKeys, signing_key};
use keno_record::record::origin_of;
use keno_service::house_file::HouseFile;

use super::folder::Folder;
use super::whole::write_whole;
use super::{Ending, say};

/// What the settings of every host say of this central, as lines of TOML.
fn of_central(keys: &ServerKeys, house: &str) -> anyhow::Result<String> {
    let log = signing_key(keys, &origin_of(house)).context("the log key cannot be used")?;
    let line = HostKey::of_central(*keys.draw_line_seed())?;
    Ok(format!(
        "house = \"{house}\"\ncentral = \"{}\"\nlog = \"{}\"\n",
        line.verifying_key(),
        log.verifying_key()
    ))
}

/// The hosts of a house, machine first.
fn hosts_of(house: &HouseFile) -> impl Iterator<Item = &HostPlace> {
    let holders = house.holders.iter().filter_map(|holder| holder.host());
    house.machine.iter().chain(holders)
}

/// What is said of a host.
struct Told {
    words: String,
    is_well: bool,
}

impl Told {
    /// What is said of an answer; `words` has none for one that this central does not know.
    fn of<A>(answer: io::Result<A>, words: impl FnOnce(A) -> Option<Self>) -> Self {
        let ill = |words: String| Self {
            words,
            is_well: false,
        };
        match answer {
            Ok(answer) => words(answer).unwrap_or_else(|| {
                let another =
                    "it answers what this central does not know: is it of another version?";
                ill(another.to_owned())
            }),
            Err(fault) => ill(format!("it does not answer: {fault}")),
        }
    }
}

/// What is said of machine or holder.
fn of_part(answer: Answer) -> Option<Told> {
    let Answer::State {
        part,
        name,
        draws,
        healthy: is_well,
    } = answer
    else {
        return None;
    };
    let ill = if is_well {
        ""
    } else {
        ", and its entropy is ill"
    };
    let words = format!("{part} {name}, {draws} draws on record{ill}");
    Some(Told { words, is_well })
}

/// What is said of the follower at a place.
fn of_follower(house: &HouseFile, place: &HostPlace, answer: follow::Answer) -> Option<Told> {
    let follow::Answer::State {
        size,
        began,
        signature,
        findings,
    } = answer
    else {
        return None;
    };
    let text = beginning(&house.code, &began.0);
    let is_ours = SignatureLine::is_under(&signature, &text, &place.key);
    let whose = if is_ours {
        ""
    } else {
        ", and it follows another house, or under another name: look at house and host in its settings"
    };
    Some(Told {
        words: format!("follower, {size} entries, {findings} findings{whose}"),
        is_well: findings == 0 && is_ours,
    })
}

/// Prints what the settings of the hosts say of central, and how each host answers.
pub fn hosts(data: &Path) -> anyhow::Result<Ending> {
    let folder = Folder::read(data)?;
    let keys = ServerKeys::load_from(&folder.keys()?)?;
    let house = &folder.house;
    let mut text = of_central(&keys, &house.code)?;
    let own = HostKey::of_central(*keys.draw_line_seed())?;
    let mut all_answer = true;
    let mut tell = |place: &HostPlace, said: Told| {
        all_answer &= said.is_well;
        writeln!(
            text,
            "# {} at {}: {}",
            place.key.name(),
            place.address,
            said.words
        )
    };
    if let Some(place) = &house.follower {
        let host = Host::new(&house.code, place, &own, follow::BOUNDS)?;
        let answer = host.answer(&follow::Ask::State);
        tell(
            place,
            Told::of(answer, |answer| of_follower(house, place, answer)),
        )?;
    }
    for place in hosts_of(house) {
        let host = Host::new(&house.code, place, &own, BOUNDS)?;
        tell(place, Told::of(host.answer(&Ask::State), of_part))?;
    }
    let now_ms = SystemClock::new().now_ms();
    for place in house.holders.iter().filter_map(|holder| holder.beacon()) {
        let newest = place.beacon.newest(now_ms).saturating_sub(1);
        let said = place.round(newest);
        all_answer &= said.is_ok();
        let said = said.map_or_else(|words| words, |_| format!("round {newest} is there"));
        writeln!(text, "# beacon {}: {said}", place.beacon.name())?;
    }
    say(&text)?;
    Ok(if all_answer {
        Ending::Done
    } else {
        Ending::Wrong
    })
}

/// A host of the demonstration that takes part in its draws.
struct DemoHost {
    /// Its name, and that of its folder.
    name: &'static str,
    address: &'static str,
    /// Of a holder: whose secrets.
    holder: Option<&'static str>,
}

const DEMO_HOSTS: [DemoHost; 3] = [
    DemoHost {
        name: "draw-room",
        address: "127.0.0.1:8490",
        holder: None,
    },
    DemoHost {
        name: "machine-room",
        address: "127.0.0.1:8491",
        holder: Some("machine"),
    },
    DemoHost {
        name: "audit-office",
        address: "127.0.0.1:8492",
        holder: Some("audit"),
    },
];

/// Who follows the log of the demonstration, and where.
const DEMO_FOLLOWER: (&str, &str) = ("audit-follower", "127.0.0.1:8493");

/// Where the hosts of the demonstration have their folders.
const DEMO_FOLDER: &str = "hosts";

fn demo_key(data: &Path, name: &str) -> anyhow::Result<HostKey> {
    let folder = data.join(DEMO_FOLDER).join(name);
    Ok(HostKey::read_or_make(&folder, name)?)
}

/// The house file of a demonstration whose machine and holders are programs of their own: their keys
/// are made here, which in a house each host does itself.
pub(super) fn demo_house(data: &Path, text: &str) -> anyhow::Result<String> {
    let mut text = text.to_owned();
    for host in &DEMO_HOSTS {
        let key = demo_key(data, host.name)?;
        let place = format!(
            "address = \"{}\"\nkey = \"{}\"",
            host.address,
            key.verifying_key()
        );
        text = match host.holder {
            None => text.replacen(
                "[[holder]]",
                &format!("[machine]\n{place}\n\n[[holder]]"),
                1,
            ),
            Some(name) => {
                let named = format!("name = \"{name}\"\n");
                let (before, after) = text.split_once(&named).context("no such holder")?;
                let (_, after) = after.split_once('\n').context("no folder")?;
                format!("{before}{named}{place}\n{after}")
            }
        };
    }
    let (name, address) = DEMO_FOLLOWER;
    let key = demo_key(data, name)?;
    let key = key.verifying_key();
    write!(
        text,
        "\n[follower]\naddress = \"{address}\"\nkey = \"{key}\"\n"
    )?;
    Ok(text)
}

/// Settings of the demonstration's hosts, where its house file names them; those that are there stay.
pub(super) fn write_demo_hosts(
    data: &Path,
    house: &HouseFile,
    keys: &ServerKeys,
) -> anyhow::Result<()> {
    if house.machine.is_none() {
        return Ok(());
    }
    let of_central = of_central(keys, &house.code)?;
    let mut holders = String::new();
    for host in &DEMO_HOSTS {
        if let Some(holder) = host.holder {
            let key = demo_key(data, host.name)?;
            writeln!(holders, "{holder} = \"{}\"", key.verifying_key())?;
        }
    }
    for host in &DEMO_HOSTS {
        let path = data.join(DEMO_FOLDER).join(host.name).join("host.toml");
        if path.exists() {
            continue;
        }
        let part = match host.holder {
            None => "part = \"machine\"\n".to_owned(),
            Some(holder) => format!(
                "part = \"holder\"\nholder = \"{holder}\"\n\
                 second_folder = \"second\"          # in a house: on another disk or host\n"
            ),
        };
        let holders = match host.holder {
            None => format!("\n[holders]\n{holders}"),
            Some(_) => String::new(),
        };
        let text = format!(
            "# A host of the demonstration, for keno-draw-machine serve.\n\
             host = \"{}\"\nlisten = \"{}\"\nfolder = \".\"\n{part}{of_central}{holders}",
            host.name, host.address
        );
        write_whole(&path, text.as_bytes())?;
    }
    let (name, address) = DEMO_FOLLOWER;
    let path = data.join(DEMO_FOLDER).join(name).join("host.toml");
    if house.follower.is_some() && !path.exists() {
        let text = format!(
            "# The follower of the demonstration, for keno-audit follow.\n\
             host = \"{name}\"\nlisten = \"{address}\"\nfolder = \".\"\n{of_central}"
        );
        write_whole(&path, text.as_bytes())?;
    }
    Ok(())
}
