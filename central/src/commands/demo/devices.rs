//! The devices of the demonstration: their keys, which a house keeps in each device alone, and the
//! settings of its counters and offices.

use std::net::SocketAddr;
use std::path::Path;

use anyhow::Context;
use keno_record::roles::DeviceRole;
use keno_service::Central;
use keno_service::staff::DeviceNumber;
use keno_words::{Say, demo};
use serde::{Deserialize, Serialize};

use super::super::fail::stopped;
use super::super::note;
use super::super::whole::write_whole;

/// Devices: number, name, role, and where they stand.
pub(super) const DEVICES: [(u32, &str, DeviceRole, &dyn Say); 8] = [
    (1, "T01", DeviceRole::Counter, &demo::Counter),
    (2, "T02", DeviceRole::Counter, &demo::Counter),
    (3, "K01", DeviceRole::Kiosk, &demo::Kiosk),
    (4, "M01", DeviceRole::Display, &demo::DisplayBoard),
    (AUDIT_OFFICE, "A01", DeviceRole::Audit, &demo::AuditOffice),
    (BACK_OFFICE, "B01", DeviceRole::Office, &demo::BackOffice),
    (DESKS[0], "P01", DeviceRole::Desk, &demo::DrawDesk),
    (DESKS[1], "P02", DeviceRole::Desk, &demo::DrawDesk),
];

/// The device of the audit office.
const AUDIT_OFFICE: u32 = 5;
/// The device of the back office.
const BACK_OFFICE: u32 = 6;
/// The two draw desks.
const DESKS: [u32; 2] = [7, 8];
/// The offices: their settings, device, role, place in words, and where their pages are.
const OFFICES: [(&str, u32, &str, &str, &str); 4] = [
    (
        "audit.toml",
        AUDIT_OFFICE,
        "audit",
        "audit",
        "127.0.0.1:8483",
    ),
    (
        "office.toml",
        BACK_OFFICE,
        "office",
        "back",
        "127.0.0.1:8484",
    ),
    ("desk.toml", DESKS[0], "desk", "draw", "127.0.0.1:8485"),
    ("desk-2.toml", DESKS[1], "desk", "draw", "127.0.0.1:8486"),
];

/// Where the virtual printer takes bytes.
const PRINTER: &str = "127.0.0.1:9100";

/// A device and its key, as kept for the demonstration alone: a house keeps no keys.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct KeptDevice {
    pub(super) number: u32,
    name: String,
    pub(super) key: String,
}

#[derive(Default, Serialize, Deserialize)]
struct KeptDevices {
    #[serde(default)]
    device: Vec<KeptDevice>,
}

/// Devices whose keys are not kept get new ones, by two badges.
pub(super) fn enrol(
    central: &Central,
    data: &Path,
    (by, second): (&str, &str),
) -> anyhow::Result<Vec<KeptDevice>> {
    let path = data.join("devices.toml");
    let kept: KeptDevices = match std::fs::read_to_string(&path) {
        Ok(text) => {
            toml::from_str(&text).with_context(|| format!("{} cannot be read", path.display()))?
        }
        Err(fault) if fault.kind() == std::io::ErrorKind::NotFound => KeptDevices::default(),
        Err(fault) => {
            return Err(fault).with_context(|| format!("{} cannot be read", path.display()));
        }
    };
    let view = central.view.get();
    let mut devices = Vec::new();
    let mut has_changed = false;
    for (number, name, role, _) in DEVICES {
        let known = kept.device.iter().find(|device| {
            let key = hex::decode(&device.key).unwrap_or_default();
            device.number == number
                && keno_service::authority::identity::DeviceCaller::of_sent_key(&view, number, &key)
                    .is_ok()
        });
        if let Some(device) = known {
            devices.push(device.clone());
            continue;
        }
        if view
            .devices
            .get(&number)
            .is_some_and(|device| !device.active)
        {
            note(&format!("{name} was revoked, and stays so"));
            continue;
        }
        if view.devices.contains_key(&number) {
            note(&format!(
                "the key of {name} was not kept in devices.toml: it gets a new one"
            ));
        }
        let key = DeviceNumber(number)
            .record(central, name, role.number(), (by, second))
            .map_err(stopped)?;
        has_changed = true;
        devices.push(KeptDevice {
            number,
            name: name.to_owned(),
            key,
        });
    }
    if has_changed {
        let text = toml::to_string(&KeptDevices {
            device: devices.clone(),
        })?;
        let head =
            "# Keys of the demonstration's devices. A house keeps each in its device alone.\n\n";
        write_whole(&path, format!("{head}{text}").as_bytes())?;
    }
    Ok(devices)
}

/// Badge and PIN of a clerk.
type Clerk = (&'static str, &'static str);

/// Settings for `keno-terminal` at both counters, each with its clerk, and at both offices. A file that is there stays
/// as it is, but for the address of central and the key, without which it could not be used.
pub(super) fn write_terminals(
    data: &Path,
    address: SocketAddr,
    devices: &[KeptDevice],
    clerks: [Clerk; 2],
) -> anyhow::Result<()> {
    let data = std::path::absolute(data)?;
    let counters = [
        ("terminal.toml", 1, Some(clerks[0])),
        ("terminal-2.toml", 2, Some(clerks[1])),
    ];
    let offices = OFFICES.map(|(file, device, ..)| (file, device, None));
    for (file, device, clerk) in counters.into_iter().chain(offices) {
        let Some(kept) = devices.iter().find(|kept| kept.number == device) else {
            continue;
        };
        let path = data.join(file);
        let central_line = format!("central = \"http://{address}\"");
        let key_line = format!("device_key = \"{}\"", kept.key);
        let text = match std::fs::read_to_string(&path) {
            Ok(old) => {
                old.lines()
                    .map(|line| match line.split('=').next().map(str::trim) {
                        Some("central") => central_line.clone(),
                        Some("device_key") => key_line.clone(),
                        _ => line.to_owned(),
                    })
                    .collect::<Vec<_>>()
                    .join("\n")
                    + "\n"
            }
            Err(_) => match clerk {
                Some(clerk) => terminal_text(&data, kept, clerk, &central_line, &key_line),
                None => office_text(&data, kept, &central_line, &key_line),
            },
        };
        if std::fs::read_to_string(&path).ok().as_ref() != Some(&text) {
            write_whole(&path, text.as_bytes())?;
        }
    }
    Ok(())
}

/// Where a device keeps its journal, as a value of its settings.
fn journal_of(data: &Path, device: &KeptDevice) -> toml::Value {
    let journal = data.join(format!("terminal-{}", device.name));
    toml::Value::String(journal.display().to_string())
}

fn office_text(data: &Path, device: &KeptDevice, central_line: &str, key_line: &str) -> String {
    let journal = journal_of(data, device);
    let office = OFFICES
        .iter()
        .find(|(_, number, ..)| *number == device.number);
    let (role, name, pages) = office.map_or(("audit", "", ""), |(_, _, role, name, pages)| {
        (*role, *name, *pages)
    });
    format!(
        "# The {name} office of the demonstration, for keno-terminal.\n\
         {central_line}\n\
         role = \"{role}\"\n\
         listen = \"{pages}\"\n\
         device = {}\n\
         {key_line}\n\
         journal = {journal}\n\
         language = \"fr\"\n",
        device.number
    )
}

fn terminal_text(
    data: &Path,
    device: &KeptDevice,
    (badge, pin): Clerk,
    central_line: &str,
    key_line: &str,
) -> String {
    let journal = journal_of(data, device);
    format!(
        "# Counter {} of the demonstration, for keno-terminal.\n\
         {central_line}\n\
         device = {}\n\
         {key_line}\n\
         badge = \"{}\"\n\
         pin = \"{}\"           # in a house the clerk types it\n\
         printer = \"virtual\"\n\
         printer_address = \"{PRINTER}\"\n\
         columns = 48\n\
         journal = {journal}\n\
         language = \"fr\"\n",
        device.name, device.number, badge, pin
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLERKS: [Clerk; 2] = [("C142", "246813"), ("C143", "864297")];

    #[test]
    fn settings_of_a_terminal_are_kept_but_for_address_and_key() {
        let folder = tempfile::tempdir().unwrap();
        let device = |key: &str| {
            vec![KeptDevice {
                number: 1,
                name: "T01".to_owned(),
                key: key.to_owned(),
            }]
        };
        let address = |port: u16| SocketAddr::from(([127, 0, 0, 1], port));
        write_terminals(folder.path(), address(1), &device("00ff"), CLERKS).unwrap();
        let path = folder.path().join("terminal.toml");
        let text = std::fs::read_to_string(&path).unwrap();
        let settings: toml::Table = text.parse().unwrap();
        assert_eq!(settings["device"].as_integer(), Some(1));
        assert_eq!(settings["device_key"].as_str(), Some("00ff"));
        assert_eq!(settings["central"].as_str(), Some("http://127.0.0.1:1"));
        use std::os::unix::fs::MetadataExt;
        assert_eq!(std::fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
        std::fs::write(&path, text.replace("columns = 48", "columns = 32")).unwrap();
        write_terminals(folder.path(), address(2), &device("11ff"), CLERKS).unwrap();
        let settings: toml::Table = std::fs::read_to_string(&path).unwrap().parse().unwrap();
        assert_eq!(settings["columns"].as_integer(), Some(32));
        assert_eq!(settings["device_key"].as_str(), Some("11ff"));
        assert_eq!(settings["central"].as_str(), Some("http://127.0.0.1:2"));
        assert_eq!(std::fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
    }
}
