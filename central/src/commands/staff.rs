//! Who is on the staff, and which devices are enrolled, by the record.

use std::path::Path;

use keno_record::roles::{DeviceRole, Role};
use keno_record::store::people;

use super::folder::Folder;
use super::{Ending, say};

/// Says it for a badge.
pub(super) fn say_person(
    badge: &str,
    staff: &str,
    roles: &[u8],
    may_act: bool,
) -> anyhow::Result<()> {
    let has = |role: &Role| roles.contains(&role.number());
    let roles: Vec<&str> = Role::ALL.into_iter().filter(has).map(Role::name).collect();
    let roles = roles.join(", ");
    let named = match may_act {
        true => "; may be made an acting supervisor",
        false => "",
    };
    say(&format!(
        "STAFF: {badge}, staff number {staff}: {roles}{named}"
    ))
}

/// Says it for a device, by the number of its role.
pub(super) fn say_device(number: u32, name: &str, role: u8) -> anyhow::Result<()> {
    let role = DeviceRole::from_number(role).map_or("unknown", DeviceRole::name);
    say(&format!("DEVICE: {number} {name}: {role}"))
}

/// Says it for every badge and device that stands. Central may run.
pub(super) fn list(data: &Path) -> anyhow::Result<Ending> {
    let folder = Folder::read(data)?;
    let (people, devices) = people::standing(&mut folder.reader()?)?;
    for person in people {
        let may_act = person.named_leaf.is_some();
        say_person(&person.badge, &person.staff, &person.roles, may_act)?;
    }
    for device in devices {
        say_device(device.number, &device.name, device.role)?;
    }
    Ok(Ending::Done)
}
