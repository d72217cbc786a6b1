//! People, PINs and devices, on a house that runs or not.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use anyhow::Context as _;
use keno_record::roles::{DeviceRole, Role};
use keno_service::authority::Operation;
use keno_service::staff::NewPerson;
use keno_service::staff::RecoveryCode;
use keno_service::staff::limiter::Origin;
use keno_service::{counter, staff};
use keno_wire::badge_card::BadgeCard;
use keno_wire::people::{
    CardReply, CardRequest, ChoosePinRequest, MakeActingRequest, NameActingRequest, PersonRequest,
    ResetPinReply, ResetPinRequest, WithdrawRequest,
};
use keno_wire::reply::RecordedReply;
use keno_wire::trust::{ApproveReply, ApproveRequest, ReturnRequest, RevokeRequest};
use qrcode::{EcLevel, QrCode};

use super::fail::{advised, stopped};
use super::folder::Folder;
use super::{
    AdminCommand, ByTwo, DeviceCommand, Ending, PersonCommand, PinCommand, ask, note, people, say,
};

/// Number of a device's role.
fn role_number(name: &str) -> u8 {
    // The command line takes no other name.
    DeviceRole::from_name(name).map_or(0, DeviceRole::number)
}

/// Makes a card for a badge, and draws its code into a new file that only its owner's account reads.
fn make_card(data: &Path, badge: &str, svg: Option<&Path>, two: &ByTwo) -> anyhow::Result<()> {
    let folder = Folder::read(data)?;
    // A card that is made counts from then on: where it goes is known before.
    let image = svg.map(|path| new_file(path).map(|file| (path, file)));
    let image = image.transpose()?;
    let made = make_card_of(folder, badge, two);
    if let (Err(_), Some((path, _))) = (&made, &image) {
        // It was made for this alone, and is empty.
        std::fs::remove_file(path)?;
    }
    let text = made?;
    if let Some((path, mut file)) = image {
        let code = QrCode::with_error_correction_level(&text, EcLevel::M)?
            .render::<qrcode::render::svg::Color<'_>>()
            .min_dimensions(240, 240)
            .build();
        file.write_all(code.as_bytes())
            .with_context(|| format!("{} cannot be written", path.display()))?;
        note(&format!(
            "its code is drawn in {}: print it on the card and delete the file",
            path.display()
        ));
    }
    note(&format!(
        "what the code on the card of {badge} says, said once; a card before counts no more:"
    ));
    say(&text)
}

/// A file that was not there, for its owner alone.
fn new_file(path: &Path) -> anyhow::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(0o600);
    options.open(path).map_err(|fault| {
        advised(
            format!("{} cannot be made: {fault}", path.display()),
            &["name a file that is not there yet, in a folder that is"],
        )
    })
}

/// Makes the card; what its code says.
fn make_card_of(folder: Folder, badge: &str, two: &ByTwo) -> anyhow::Result<String> {
    Ok(if folder.is_held() {
        let (by, second) = people::signers(two)?;
        let badge = badge.to_owned();
        let request = CardRequest { badge, by, second };
        let reply: CardReply = ask::running(&folder, "/people/card", &request)?;
        reply.text
    } else {
        let central = folder.open()?;
        people::two(&central, two, Operation::MakeCard)?;
        let (_, secret) =
            staff::make_card(&central, badge, &two.by, &two.second).map_err(stopped)?;
        BadgeCard::of(badge, &secret).text()
    })
}

/// Runs a command about people or devices: a central that runs is asked over its interface, and
/// for one that does not it is done here.
pub fn run(command: AdminCommand) -> anyhow::Result<Ending> {
    match command {
        AdminCommand::First { data, founders } => {
            let central = Folder::read(&data.data)?.open()?;
            people::found(&central, &founders.administrators)?;
        }
        AdminCommand::Recover {
            data,
            badge,
            staff,
            name,
            by,
        } => recover(&data.data, &badge, (&staff, &name), &by)?,
        AdminCommand::RecoveryCode { data, people: two } => {
            let central = Folder::read(&data.data)?.open()?;
            people::two(&central, &two, Operation::RenewRecoveryCode)?;
            let renewed = RecoveryCode::renew(&central, &two.by, &two.second);
            people::say_code(&renewed.map_err(stopped)?)?;
        }
        AdminCommand::Person(command) => person(command)?,
        AdminCommand::Pin(PinCommand::Choose { data, badge }) => choose_pin(&data.data, badge)?,
        AdminCommand::Pin(PinCommand::Reset {
            data,
            badge,
            people: two,
        }) => reset_pin(&data.data, badge, &two)?,
        AdminCommand::Device(command) => device(command)?,
    }
    Ok(Ending::Done)
}

fn person(command: PersonCommand) -> anyhow::Result<()> {
    match command {
        PersonCommand::Add {
            data,
            badge,
            staff,
            name,
            roles,
            people: two,
        } => add(&data.data, &badge, (staff, name), &roles, &two),
        PersonCommand::Withdraw {
            data,
            badge,
            people: two,
        } => withdraw(&data.data, &badge, &two),
        PersonCommand::Card {
            data,
            badge,
            svg,
            people: two,
        } => make_card(&data.data, &badge, svg.as_deref(), &two),
        PersonCommand::NameActing {
            data,
            badge,
            no_more,
            people: two,
        } => name_acting(&data.data, &badge, !no_more, &two),
        PersonCommand::Act {
            data,
            badge,
            by,
            second,
        } => act(&data.data, &badge, &by, second),
    }
}

fn device(command: DeviceCommand) -> anyhow::Result<()> {
    match command {
        DeviceCommand::Add {
            data,
            number,
            name,
            role,
            people: two,
        } => {
            let central = Folder::read(&data.data)?.open()?;
            people::two(&central, &two, Operation::RecordDevice)?;
            let key = staff::record_device(
                &central,
                number,
                &name,
                role_number(&role),
                &two.by,
                &two.second,
            )
            .map_err(stopped)?;
            note("the key of the device, said once:");
            say(&key)
        }
        DeviceCommand::Approve {
            data,
            code,
            number,
            name,
            role,
            people: two,
        } => approve(&data.data, code, (number, name, role), &two),
        DeviceCommand::Return {
            data,
            number,
            people: two,
        } => take_back(&data.data, number, &two),
        DeviceCommand::Revoke { data, number, by } => revoke(&data.data, number, by),
    }
}

/// Makes an administrator with the recovery code.
fn recover(data: &Path, badge: &str, (staff, name): (&str, &str), by: &str) -> anyhow::Result<()> {
    let central = Folder::read(data)?.open()?;
    people::one(&central, by, Operation::RecoverAdministrator)?;
    let tried = people::recovery_code(&central)?;
    let person = NewPerson {
        badge,
        staff,
        name,
        roles: &[Role::Administrator],
        pin: &people::new_pin(badge)?,
        must_change: true,
    };
    let code = tried
        .recover_administrator(&central, &person, by)
        .map_err(stopped)?;
    note(&format!(
        "{badge} is an administrator, and chooses a PIN first; an alarm stands until two \
         administrators have made another code: `keno-central admin recovery-code`"
    ));
    people::say_code(&code)?;
    Ok(())
}

/// Records a person.
fn add(
    data: &Path,
    badge: &str,
    (staff, name): (String, String),
    roles: &[Role],
    two: &ByTwo,
) -> anyhow::Result<()> {
    let folder = Folder::read(data)?;
    if folder.is_held() {
        let (by, second) = people::signers(two)?;
        let request = PersonRequest {
            pin: people::new_pin(badge)?,
            badge: badge.to_owned(),
            staff,
            name,
            roles: roles.iter().map(|role| role.name().to_owned()).collect(),
            by,
            second,
        };
        let _: RecordedReply = ask::running(&folder, "/people", &request)?;
    } else {
        let central = folder.open()?;
        people::two(&central, two, Operation::RecordPerson)?;
        let person = NewPerson {
            badge,
            staff: &staff,
            name: &name,
            roles,
            pin: &people::new_pin(badge)?,
            must_change: true,
        };
        person
            .record(&central, &two.by, &two.second)
            .map_err(stopped)?;
    }
    note(&format!("{badge} is recorded, and chooses a PIN first"));
    Ok(())
}

/// Withdraws a person.
fn withdraw(data: &Path, badge: &str, two: &ByTwo) -> anyhow::Result<()> {
    let folder = Folder::read(data)?;
    if folder.is_held() {
        let (by, second) = people::signers(two)?;
        let request = WithdrawRequest {
            badge: badge.to_owned(),
            by,
            second,
        };
        let _: RecordedReply = ask::running(&folder, "/people/withdraw", &request)?;
    } else {
        let central = folder.open()?;
        people::two(&central, two, Operation::RecordPerson)?;
        staff::withdraw_person(&central, badge, &two.by, &two.second).map_err(stopped)?;
    }
    note(&format!("{badge} is withdrawn"));
    Ok(())
}

/// Says whether a person may be made an acting supervisor.
fn name_acting(data: &Path, badge: &str, may_act: bool, two: &ByTwo) -> anyhow::Result<()> {
    let folder = Folder::read(data)?;
    if folder.is_held() {
        let (by, second) = people::signers(two)?;
        let request = NameActingRequest {
            badge: badge.to_owned(),
            may_act,
            by,
            second,
        };
        let _: RecordedReply = ask::running(&folder, "/people/acting/naming", &request)?;
    } else {
        let central = folder.open()?;
        people::two(&central, two, Operation::NameActing)?;
        let named = staff::name_acting(&central, badge, may_act, &two.by, &two.second);
        named.map_err(stopped)?;
    }
    let words = match may_act {
        true => "may be made an acting supervisor, a business day at a time",
        false => "is not made an acting supervisor any more",
    };
    note(&format!("{badge} {words}"));
    Ok(())
}

/// Makes a person an acting supervisor until midnight.
fn act(data: &Path, badge: &str, by: &str, second: Option<String>) -> anyhow::Result<()> {
    let folder = Folder::read(data)?;
    if folder.is_held() {
        let (by, second) = people::one_or_two(by, second.as_deref())?;
        let request = MakeActingRequest {
            badge: badge.to_owned(),
            by,
            second,
        };
        let _: RecordedReply = ask::running(&folder, "/people/acting", &request)?;
    } else {
        let central = folder.open()?;
        match &second {
            None => {
                people::one(&central, by, Operation::MakeActing)?;
            }
            Some(second) => {
                let two = ByTwo {
                    by: by.to_owned(),
                    second: second.clone(),
                };
                people::two(&central, &two, Operation::MakeActing)?;
            }
        }
        let made = staff::make_acting(&central, badge, by, second.as_deref());
        made.map_err(stopped)?;
    }
    note(&format!(
        "{badge} is an acting supervisor until midnight, and never for tickets of their own"
    ));
    Ok(())
}

/// A PIN that its owner chooses.
fn choose_pin(data: &Path, badge: String) -> anyhow::Result<()> {
    let folder = Folder::read(data)?;
    if folder.is_held() {
        let request = ChoosePinRequest {
            pin: people::pin_of(&badge)?,
            new_pin: people::new_pin(&badge)?,
            card: people::card_of(&badge)?,
            badge,
        };
        let _: RecordedReply = ask::running(&folder, "/people/pin", &request)?;
    } else {
        let central = folder.open()?;
        let pin = people::owner(&central, &badge)?;
        staff::choose_pin(
            &central,
            &badge,
            &pin,
            &people::new_pin(&badge)?,
            Origin::Console,
        )
        .map_err(stopped)?;
    }
    note("the new PIN counts from here on");
    Ok(())
}

/// A PIN that two people reset.
fn reset_pin(data: &Path, badge: String, two: &ByTwo) -> anyhow::Result<()> {
    let folder = Folder::read(data)?;
    let pin = if folder.is_held() {
        let (by, second) = people::signers(two)?;
        let request = ResetPinRequest { badge, by, second };
        let reply: ResetPinReply = ask::running(&folder, "/people/pin/reset", &request)?;
        reply.pin
    } else {
        let central = folder.open()?;
        people::two(&central, two, Operation::ResetPin)?;
        let reset = staff::reset_pin(&central, &badge, &two.by, &two.second);
        reset.map_err(stopped)?.1
    };
    note("the PIN, said once, good for nothing but to choose another:");
    say(&pin)
}

/// Enrols the device that waits with a code.
fn approve(
    data: &Path,
    code: String,
    (device, name, role): (u32, String, String),
    two: &ByTwo,
) -> anyhow::Result<()> {
    let folder = Folder::read(data)?;
    if !folder.is_held() {
        return Err(advised(
            "central does not run, and no device can wait for it",
            &["start it: `keno-central serve`, then enrol again at the device"],
        ));
    }
    let (by, second) = people::signers(two)?;
    let reply: ApproveReply = ask::running(
        &folder,
        "/enrolments/approve",
        &ApproveRequest {
            code,
            device,
            name,
            role,
            badge: by.badge,
            pin: by.pin,
            card: String::new(),
            second,
        },
    )?;
    note(&format!(
        "device {} is enrolled (leaf {})",
        reply.device, reply.leaf
    ));
    Ok(())
}

/// Has a device that was handed over serve again.
fn take_back(data: &Path, number: u32, two: &ByTwo) -> anyhow::Result<()> {
    let folder = Folder::read(data)?;
    if folder.is_held() {
        let (by, second) = people::signers(two)?;
        let reply: RecordedReply = ask::running(
            &folder,
            &format!("/devices/{number}/return"),
            &ReturnRequest { by, second },
        )?;
        note(&format!(
            "device {number} serves again (leaf {})",
            reply.leaf
        ));
        return Ok(());
    }
    let central = folder.open()?;
    people::two(&central, two, Operation::ReturnDevice)?;
    counter::return_device(&central, number, &two.by, &two.second).map_err(stopped)?;
    note(&format!("device {number} serves again"));
    Ok(())
}

/// Revokes a device.
fn revoke(data: &Path, number: u32, by: String) -> anyhow::Result<()> {
    let folder = Folder::read(data)?;
    if folder.is_held() {
        let pin = people::pin_of(&by)?;
        let reply: RecordedReply = ask::running(
            &folder,
            &format!("/devices/{number}/revoke"),
            &RevokeRequest { badge: by, pin },
        )?;
        note(&format!("device {number} is revoked (leaf {})", reply.leaf));
        return Ok(());
    }
    let central = folder.open()?;
    people::one(&central, &by, Operation::RevokeDevice)?;
    staff::revoke_device(&central, number, &by).map_err(stopped)?;
    note(&format!("device {number} is revoked"));
    Ok(())
}
