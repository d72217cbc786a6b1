//! People and devices, on a house that does not run; devices also on one that does.

use keno_service::authority::Operation;
use keno_service::identity::{DeviceRole, Role, has_any};

use keno_wire::reply::RecordedReply;
use keno_wire::trust::{ApproveReply, ApproveRequest, RevokeRequest};

use super::fail::{advised, stopped};
use super::folder::Folder;
use super::{AdminCommand, DeviceCommand, Ending, PersonCommand, ask, note, people, say};

/// Number of a device's role.
fn role_number(name: &str) -> u8 {
    // The command line takes no other name.
    DeviceRole::from_name(name).map_or(0, DeviceRole::number)
}

/// Runs a command about people or devices.
pub fn run(command: AdminCommand) -> anyhow::Result<Ending> {
    match command {
        AdminCommand::First { data, badge, name } => {
            let central = Folder::read(&data.data)?.open()?;
            let has_one = central
                .view
                .get()
                .people
                .values()
                .any(|person| person.active && has_any(&person.roles, &[Role::Administrator]));
            if has_one {
                return Err(advised(
                    "this house has an administrator already",
                    &["an administrator makes further people: `keno-central admin person add`"],
                ));
            }
            let pin = people::new_pin(&badge)?;
            central
                .record_person(&badge, &name, &[Role::Administrator], &pin, "console")
                .map_err(stopped)?;
            note(&format!("{badge} is the first administrator"));
        }
        AdminCommand::Person(PersonCommand::Add {
            data,
            badge,
            name,
            roles,
            by,
        }) => {
            let central = Folder::read(&data.data)?.open()?;
            people::one(&central, &by, Operation::RecordPerson)?;
            let pin = people::new_pin(&badge)?;
            central
                .record_person(&badge, &name, &roles, &pin, &by)
                .map_err(stopped)?;
            note(&format!("{badge} is recorded"));
        }
        AdminCommand::Person(PersonCommand::Withdraw { data, badge, by }) => {
            let central = Folder::read(&data.data)?.open()?;
            people::one(&central, &by, Operation::RecordPerson)?;
            if badge == by {
                return Err(advised("nobody withdraws their own badge", &[]));
            }
            central.withdraw_person(&badge, &by).map_err(stopped)?;
            note(&format!("{badge} is withdrawn"));
        }
        AdminCommand::Device(DeviceCommand::Add {
            data,
            number,
            name,
            role,
            by,
        }) => {
            let central = Folder::read(&data.data)?.open()?;
            people::one(&central, &by, Operation::RecordDevice)?;
            let key = central
                .record_device(number, &name, role_number(&role), &by)
                .map_err(stopped)?;
            note("the key of the device, said once:");
            say(&key)?;
        }
        AdminCommand::Device(DeviceCommand::Approve {
            data,
            code,
            number,
            name,
            role,
            by,
        }) => {
            let folder = Folder::read(&data.data)?;
            if !folder.is_held() {
                return Err(advised(
                    "central does not run, and no device can wait for it",
                    &["start it: `keno-central serve`, then enrol again at the device"],
                ));
            }
            let pin = people::pin_of(&by)?;
            let reply: ApproveReply = ask::running(
                &folder,
                "/enrolments/approve",
                &ApproveRequest {
                    code,
                    device: number,
                    name,
                    role,
                    badge: by,
                    pin,
                },
            )?;
            note(&format!(
                "device {} is enrolled (leaf {})",
                reply.device, reply.leaf
            ));
        }
        AdminCommand::Device(DeviceCommand::Return { data, number, by }) => {
            let folder = Folder::read(&data.data)?;
            if folder.is_held() {
                let pin = people::pin_of(&by)?;
                let reply: RecordedReply = ask::running(
                    &folder,
                    &format!("/devices/{number}/return"),
                    &RevokeRequest { badge: by, pin },
                )?;
                note(&format!(
                    "device {number} serves again (leaf {})",
                    reply.leaf
                ));
                return Ok(Ending::Done);
            }
            let central = folder.open()?;
            people::one(&central, &by, Operation::ReturnDevice)?;
            central.return_device(number, &by).map_err(stopped)?;
            note(&format!("device {number} serves again"));
        }
        AdminCommand::Device(DeviceCommand::Revoke { data, number, by }) => {
            let folder = Folder::read(&data.data)?;
            if folder.is_held() {
                let pin = people::pin_of(&by)?;
                let reply: RecordedReply = ask::running(
                    &folder,
                    &format!("/devices/{number}/revoke"),
                    &RevokeRequest { badge: by, pin },
                )?;
                note(&format!("device {number} is revoked (leaf {})", reply.leaf));
                return Ok(Ending::Done);
            }
            let central = folder.open()?;
            people::one(&central, &by, Operation::RevokeDevice)?;
            central.revoke_device(number, &by).map_err(stopped)?;
            note(&format!("device {number} is revoked"));
        }
    }
    Ok(Ending::Done)
}
