//! What is recorded in a house before it sells.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{Context, anyhow};
use keno_record::roles::{DeviceRole, Role};
use keno_service::central::Options;
use keno_service::draw::Conductor;
use keno_service::staff::DeviceNumber;
use keno_service::{Central, Stop, house};

use crate::open::RULES;
use crate::staff::{Person, Pins, people, record_staff};

/// A device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Device {
    /// Number.
    pub number: u32,
    /// Name.
    pub name: String,
    /// What it is.
    pub role: DeviceRole,
}

/// Devices of numbers, names and roles.
pub fn devices(of: &[(u32, &str, DeviceRole)]) -> Vec<Device> {
    of.iter()
        .map(|(number, name, role)| Device {
            number: *number,
            name: (*name).to_owned(),
            role: *role,
        })
        .collect()
}

/// Counters of these numbers, named T01, T02 and so on.
pub fn counters(numbers: impl IntoIterator<Item = u32>) -> Vec<Device> {
    numbers
        .into_iter()
        .map(|number| Device {
            number,
            name: format!("T{number:02}"),
            role: DeviceRole::Counter,
        })
        .collect()
}

/// What is recorded in a house before it sells, in this order.
#[derive(Debug, Clone)]
pub struct NewHouse {
    /// Badges of the first two administrators, who record everybody and everything else.
    pub administrators: [&'static str; 2],
    /// Everybody else.
    pub people: Vec<Person>,
    /// The PINs of all of them.
    pub pins: Pins,
    /// Devices.
    pub devices: Vec<Device>,
    /// Text of the rules, from the first draw on; a house without any has no draw on sale.
    pub rules: Option<String>,
    /// Badges of those who publish them.
    pub publishers: [&'static str; 2],
}

/// Clerks C1 and C2, supervisors S1 and S2, of whom the second is at the cage too, an auditor A1,
/// administrators X1 and X2, all without PINs; counters T01 and T02; the demonstration rules.
impl Default for NewHouse {
    fn default() -> Self {
        Self {
            administrators: ["X1", "X2"],
            people: people(&[
                ("C1", &[Role::Clerk]),
                ("C2", &[Role::Clerk]),
                ("S1", &[Role::Supervisor]),
                ("S2", &[Role::Supervisor, Role::Cage]),
                ("A1", &[Role::Auditor]),
            ]),
            pins: Pins::None,
            devices: counters(1..=2),
            rules: Some(RULES.to_owned()),
            publishers: ["S1", "S2"],
        }
    }
}

/// A house just founded.
#[derive(Debug)]
pub struct Founded {
    /// Its central.
    pub central: Arc<Central>,
    /// Keys of the devices, in hexadecimal.
    pub keys: BTreeMap<u32, String>,
}

/// Opens central on an empty folder, furnishes the house and puts its draws on sale.
///
/// # Errors
/// When central cannot be opened, or refuses something.
pub fn found(options: Options, house: &NewHouse) -> anyhow::Result<Founded> {
    let central = Central::open(options).context("the house cannot be founded")?;
    let keys = furnish(&central, house)
        .map_err(|stop| anyhow!("the house cannot be furnished: {stop:?}"))?;
    if house.rules.is_some() {
        Conductor::tick(&central);
    }
    Ok(Founded { central, keys })
}

/// Records people, devices and rules in a house that has none. Gives the keys of the devices, in
/// hexadecimal.
///
/// # Errors
/// What central refuses.
pub fn furnish(central: &Central, house: &NewHouse) -> Result<BTreeMap<u32, String>, Stop> {
    record_staff(central, house.administrators, &house.people, house.pins)?;
    let keys = record_devices(central, house.administrators, &house.devices)?;
    if let Some(rules) = &house.rules {
        let [by, second] = house.publishers;
        house::publish_rules(central, rules, 1, by, second)?;
    }
    Ok(keys)
}

/// Records devices by two administrators. Gives their keys, in hexadecimal.
///
/// # Errors
/// What central refuses.
pub fn record_devices(
    central: &Central,
    [by, second]: [&str; 2],
    devices: &[Device],
) -> Result<BTreeMap<u32, String>, Stop> {
    let mut keys = BTreeMap::new();
    for device in devices {
        let role = device.role.number();
        let key = DeviceNumber(device.number).record(central, &device.name, role, (by, second))?;
        keys.insert(device.number, key);
    }
    Ok(keys)
}
