//! People, PINs and devices, on a house that runs or not.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use keno_record::roles::{DeviceRole, Role};
use keno_service::Central;
use keno_service::authority::Operation;
use keno_service::staff::{Badge, NewPerson, Origin};
use keno_service::staff::{DeviceNumber, RecoveryCode};
use keno_wire::badge_card::BadgeCard;
use keno_wire::people::{
    CardReply, CardRequest, ChoosePinRequest, MakeActingRequest, NameActingRequest, PersonRequest,
    ResetPinReply, ResetPinRequest, Signer, WithdrawRequest,
};
use keno_wire::trust::{ApproveReply, ApproveRequest, ReturnRequest, RevokeRequest};
use qrcode::{EcLevel, QrCode};

use super::fail::{advised, stopped};
use super::folder::Folder;
use super::{
    AdminCommand, ByTwo, Data, DeviceCommand, Ending, PersonCommand, PinCommand, ask, note, people,
    say,
};

/// Runs a command about people or devices: a central that runs is asked over its interface, and
/// for one that does not it is done here.
pub fn run(command: AdminCommand) -> anyhow::Result<Ending> {
    match command {
        AdminCommand::First { data, founders } => {
            let central = Folder::read(&data.data)?.open()?;
            people::found(&central, &founders.administrators)?;
        }
        AdminCommand::Recover(asked) => recover(&asked)?,
        AdminCommand::RecoveryCode { data, people: two } => {
            let central = Folder::read(&data.data)?.open()?;
            people::two(&central, &two, Operation::RenewRecoveryCode)?;
            let renewed = RecoveryCode::renew(&central, &two.by, &two.second);
            people::say_code(&renewed.map_err(stopped)?)?;
        }
        AdminCommand::Person(PersonCommand::Add(asked)) => add(asked)?,
        AdminCommand::Person(PersonCommand::Card(asked)) => make_card(&asked)?,
        AdminCommand::Person(PersonCommand::Withdraw(asked)) => withdraw(&asked)?,
        AdminCommand::Person(PersonCommand::NameActing(asked)) => name_acting(&asked)?,
        AdminCommand::Person(PersonCommand::Act(asked)) => act(&asked)?,
        AdminCommand::Pin(PinCommand::Choose { data, badge }) => choose_pin(&data.data, badge)?,
        AdminCommand::Pin(PinCommand::Reset(asked)) => reset_pin(&asked)?,
        AdminCommand::Device(DeviceCommand::Add {
            data,
            device,
            people,
        }) => {
            enrol(&data, &device, &people)?;
        }
        AdminCommand::Device(DeviceCommand::Approve(asked)) => approve(asked)?,
        AdminCommand::Device(DeviceCommand::Return {
            data,
            number,
            people,
        }) => {
            take_back(&data, number, &people)?;
        }
        AdminCommand::Device(DeviceCommand::Revoke { data, number, by }) => {
            revoke(&data.data, number, by)?;
        }
    }
    Ok(Ending::Done)
}

/// Has two people do something: by asking the central that runs, which is handed both as they
/// signed, or here once both are recognised.
fn by_two<T>(
    folder: Folder,
    two: &ByTwo,
    operation: Operation,
    ask: impl FnOnce(&Folder, Signer, Signer) -> anyhow::Result<T>,
    here: impl FnOnce(&Central) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    if folder.is_held() {
        let (by, second) = people::signers(two)?;
        return ask(&folder, by, second);
    }
    let central = folder.open()?;
    people::two(&central, two, operation)?;
    here(&central)
}

#[derive(Debug, Args)]
pub struct Card {
    #[command(flatten)]
    data: Data,
    /// Badge.
    #[arg(long)]
    badge: String,
    /// Draw the code into this new file, as SVG.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    people: ByTwo,
}

/// Makes a card for a badge, and draws its code into a new file that only its owner's account reads.
fn make_card(asked: &Card) -> anyhow::Result<()> {
    let (badge, two) = (&asked.badge, &asked.people);
    let folder = Folder::read(&asked.data.data)?;
    // A card that is made counts from then on: where it goes is known before.
    let image = asked.svg.as_deref();
    let image = image.map(|path| new_file(path).map(|file| (path, file)));
    let image = image.transpose()?;
    let made = by_two(
        folder,
        two,
        Operation::MakeCard,
        |folder, by, second| {
            let badge = badge.clone();
            let request = CardRequest { badge, by, second };
            let reply: CardReply = ask::running(folder, "/people/card", &request)?;
            Ok(reply.text)
        },
        |central| {
            let made = Badge(badge).make_card(central, &two.by, &two.second);
            Ok(BadgeCard::of(badge, &made.map_err(stopped)?.1).text())
        },
    );
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

#[derive(Debug, Args)]
pub struct Recover {
    #[command(flatten)]
    data: Data,
    /// Badge of the new administrator.
    #[arg(long)]
    badge: String,
    /// Staff number of the new administrator.
    #[arg(long, value_name = "NUMBER")]
    staff: String,
    /// Name shown to colleagues.
    #[arg(long, default_value = "")]
    name: String,
    /// Badge of the administrator who is left.
    #[arg(long, value_name = "BADGE")]
    by: String,
}

fn recover(asked: &Recover) -> anyhow::Result<()> {
    let (badge, by) = (&*asked.badge, &*asked.by);
    let central = Folder::read(&asked.data.data)?.open()?;
    people::one(&central, by, Operation::RecoverAdministrator)?;
    let tried = people::recovery_code(&central)?;
    let person = NewPerson {
        badge,
        staff: &asked.staff,
        name: &asked.name,
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

#[derive(Debug, Args)]
pub struct Add {
    #[command(flatten)]
    data: Data,
    /// Badge.
    #[arg(long)]
    badge: String,
    /// Staff number: two badges with the same are one human.
    #[arg(long, value_name = "NUMBER")]
    staff: String,
    /// Name shown to colleagues.
    #[arg(long, default_value = "")]
    name: String,
    /// Roles, such as clerk,supervisor.
    #[arg(long, value_delimiter = ',', required = true, value_parser = people::role)]
    roles: Vec<Role>,
    #[command(flatten)]
    people: ByTwo,
}

/// Records a person, as they are to stand.
fn add(asked: Add) -> anyhow::Result<()> {
    let (badge, roles, two) = (&asked.badge, &asked.roles, &asked.people);
    by_two(
        Folder::read(&asked.data.data)?,
        two,
        Operation::RecordPerson,
        |folder, by, second| {
            let request = PersonRequest {
                pin: people::new_pin(badge)?,
                badge: badge.clone(),
                staff: asked.staff.clone(),
                name: asked.name.clone(),
                roles: roles.iter().map(|role| role.name().to_owned()).collect(),
                by,
                second,
            };
            ask::recorded(folder, "/people", &request)
        },
        |central| {
            let person = NewPerson {
                badge,
                staff: &asked.staff,
                name: &asked.name,
                roles,
                pin: &people::new_pin(badge)?,
                must_change: true,
            };
            person
                .record(central, &two.by, &two.second)
                .map_err(stopped)
        },
    )?;
    note(&format!("{badge} is recorded, and chooses a PIN first"));
    Ok(())
}

#[derive(Debug, Args)]
pub struct Withdraw {
    #[command(flatten)]
    data: Data,
    /// Badge.
    #[arg(long)]
    badge: String,
    #[command(flatten)]
    people: ByTwo,
}

/// Withdraws a person.
fn withdraw(asked: &Withdraw) -> anyhow::Result<()> {
    let (badge, two) = (&asked.badge, &asked.people);
    by_two(
        Folder::read(&asked.data.data)?,
        two,
        Operation::RecordPerson,
        |folder, by, second| {
            let badge = badge.clone();
            let request = WithdrawRequest { badge, by, second };
            ask::recorded(folder, "/people/withdraw", &request)
        },
        |central| {
            Badge(badge)
                .withdraw(central, &two.by, &two.second)
                .map_err(stopped)
        },
    )?;
    note(&format!("{badge} is withdrawn"));
    Ok(())
}

#[derive(Debug, Args)]
pub struct NameActing {
    #[command(flatten)]
    data: Data,
    /// Badge.
    #[arg(long)]
    badge: String,
    /// Take the naming back.
    #[arg(long)]
    no_more: bool,
    #[command(flatten)]
    people: ByTwo,
}

/// Says whether a person may be made an acting supervisor.
fn name_acting(asked: &NameActing) -> anyhow::Result<()> {
    let (badge, may_act, two) = (&asked.badge, !asked.no_more, &asked.people);
    by_two(
        Folder::read(&asked.data.data)?,
        two,
        Operation::NameActing,
        |folder, by, second| {
            let request = NameActingRequest {
                badge: badge.clone(),
                may_act,
                by,
                second,
            };
            ask::recorded(folder, "/people/acting/naming", &request)
        },
        |central| {
            Badge(badge)
                .name_acting(central, may_act, &two.by, &two.second)
                .map_err(stopped)
        },
    )?;
    let words = match may_act {
        true => "may be made an acting supervisor, a business day at a time",
        false => "is not made an acting supervisor any more",
    };
    note(&format!("{badge} {words}"));
    Ok(())
}

#[derive(Debug, Args)]
pub struct Act {
    #[command(flatten)]
    data: Data,
    /// Badge of who acts.
    #[arg(long)]
    badge: String,
    /// Badge of the supervisor, or of the cage.
    #[arg(long, value_name = "BADGE")]
    by: String,
    /// Badge of the second person, where it is the cage.
    #[arg(long, value_name = "BADGE")]
    second: Option<String>,
}

/// Makes a person an acting supervisor until midnight.
fn act(asked: &Act) -> anyhow::Result<()> {
    let (badge, by, second) = (&*asked.badge, &*asked.by, &asked.second);
    let folder = Folder::read(&asked.data.data)?;
    if folder.is_held() {
        let (by, second) = people::one_or_two(by, second.as_deref())?;
        let request = MakeActingRequest {
            badge: badge.to_owned(),
            by,
            second,
        };
        ask::recorded(&folder, "/people/acting", &request)?;
    } else {
        let central = folder.open()?;
        match second {
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
        let made = Badge(badge).make_acting(&central, by, second.as_deref());
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
        ask::recorded(&folder, "/people/pin", &request)?;
    } else {
        let central = folder.open()?;
        let (owner, pin) = people::owner(&central, &badge)?;
        owner
            .choose_pin(&central, &pin, &people::new_pin(&badge)?, Origin::Console)
            .map_err(stopped)?;
    }
    note("the new PIN counts from here on");
    Ok(())
}

#[derive(Debug, Args)]
pub struct ResetPin {
    #[command(flatten)]
    data: Data,
    /// Badge of the clerk.
    #[arg(long)]
    badge: String,
    #[command(flatten)]
    people: ByTwo,
}

/// A PIN that two people reset.
fn reset_pin(asked: &ResetPin) -> anyhow::Result<()> {
    let (badge, two) = (&asked.badge, &asked.people);
    let pin = by_two(
        Folder::read(&asked.data.data)?,
        two,
        Operation::ResetPin,
        |folder, by, second| {
            let badge = badge.clone();
            let request = ResetPinRequest { badge, by, second };
            let reply: ResetPinReply = ask::running(folder, "/people/pin/reset", &request)?;
            Ok(reply.pin)
        },
        |central| {
            let reset = Badge(badge).reset_pin(central, &two.by, &two.second);
            Ok(reset.map_err(stopped)?.1)
        },
    )?;
    note("the PIN, said once, good for nothing but to choose another:");
    say(&pin)
}

/// What a device is to be.
#[derive(Debug, Args)]
pub struct NewDevice {
    /// Number of the device.
    #[arg(long)]
    number: u32,
    /// Name on screens and paper.
    #[arg(long)]
    name: String,
    /// What it is.
    #[arg(long, value_parser = ["counter", "kiosk", "display", "audit", "desk", "office", "cage"])]
    role: String,
}

/// Enrols a device by its key, which is said once.
fn enrol(data: &Data, device: &NewDevice, two: &ByTwo) -> anyhow::Result<()> {
    let central = Folder::read(&data.data)?.open()?;
    people::two(&central, two, Operation::RecordDevice)?;
    // The command line takes no other name of a role.
    let role = DeviceRole::from_name(&device.role).map_or(0, DeviceRole::number);
    let (number, name) = (device.number, &device.name);
    let key = DeviceNumber(number).record(&central, name, role, (&two.by, &two.second));
    note("the key of the device, said once:");
    say(&key.map_err(stopped)?)
}

#[derive(Debug, Args)]
pub struct Approve {
    #[command(flatten)]
    data: Data,
    /// The code on the device's screen.
    #[arg(long)]
    code: String,
    #[command(flatten)]
    device: NewDevice,
    #[command(flatten)]
    people: ByTwo,
}

/// Enrols the device that waits with a code.
fn approve(asked: Approve) -> anyhow::Result<()> {
    let folder = Folder::read(&asked.data.data)?;
    if !folder.is_held() {
        return Err(advised(
            "central does not run, and no device can wait for it",
            &["start it: `keno-central serve`, then enrol again at the device"],
        ));
    }
    let (by, second) = people::signers(&asked.people)?;
    let request = ApproveRequest {
        code: asked.code,
        device: asked.device.number,
        name: asked.device.name,
        role: asked.device.role,
        badge: by.badge,
        pin: by.pin,
        card: String::new(),
        second,
    };
    let reply: ApproveReply = ask::running(&folder, "/enrolments/approve", &request)?;
    let (device, leaf) = (reply.device, reply.leaf);
    note(&format!("device {device} is enrolled (leaf {leaf})"));
    Ok(())
}

/// Has a device that was handed over serve again.
fn take_back(data: &Data, number: u32, two: &ByTwo) -> anyhow::Result<()> {
    let at = by_two(
        Folder::read(&data.data)?,
        two,
        Operation::ReturnDevice,
        |folder, by, second| {
            let (path, request) = (
                format!("/devices/{number}/return"),
                ReturnRequest { by, second },
            );
            let leaf = ask::recorded(folder, &path, &request)?;
            Ok(format!(" (leaf {leaf})"))
        },
        |central| {
            let returned = DeviceNumber(number).serve_again(central, &two.by, &two.second);
            returned.map_err(stopped).map(|_| String::new())
        },
    )?;
    note(&format!("device {number} serves again{at}"));
    Ok(())
}

/// Revokes a device.
fn revoke(data: &Path, number: u32, by: String) -> anyhow::Result<()> {
    let folder = Folder::read(data)?;
    if folder.is_held() {
        let pin = people::pin_of(&by)?;
        let (path, badge) = (format!("/devices/{number}/revoke"), by);
        let leaf = ask::recorded(&folder, &path, &RevokeRequest { badge, pin })?;
        note(&format!("device {number} is revoked (leaf {leaf})"));
        return Ok(());
    }
    let central = folder.open()?;
    people::one(&central, &by, Operation::RevokeDevice)?;
    DeviceNumber(number)
        .revoke(&central, &by)
        .map_err(stopped)?;
    note(&format!("device {number} is revoked"));
    Ok(())
}
