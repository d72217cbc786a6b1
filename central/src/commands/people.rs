//! Who gives a command: badges, and PINs asked for without showing them.

use std::io::{BufRead, Write};

use keno_record::roles::{Role, has_any};
use keno_service::access::AccessLog;
use keno_service::authority::Operation;
use keno_service::refusal::Refusal;
use keno_service::staff::{NewPerson, NewPin, Recognised, RecoveryCode, RecoveryTried};
use keno_service::{Central, staff};
use keno_wire::badge_card::BadgeCard;
use keno_wire::people::Signer;
use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};

use super::fail::{advised, refused, stopped};
use super::{ByTwo, note, say};

/// Reads a role's name.
pub fn role(name: &str) -> Result<Role, String> {
    Role::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = Role::ALL.iter().map(|role| role.name()).collect();
        format!("a role is one of {}", names.join(", "))
    })
}

/// Shows, or does not show, what is typed, when a person types at all.
fn echo(is_shown: bool) {
    let input = std::io::stdin();
    if let Ok(mut modes) = tcgetattr(&input) {
        modes.local_modes.set(LocalModes::ECHO, is_shown);
        // A terminal that refuses shows the PIN; there is nothing else to try.
        let _ = tcsetattr(&input, OptionalActions::Now, &modes);
    }
}

/// A line of standard input, asked for on the other stream; `None` at its end.
fn line(question: &str) -> anyhow::Result<Option<String>> {
    let mut notes = std::io::stderr();
    write!(notes, "{question}: ")?;
    notes.flush()?;
    let mut line = String::new();
    let count = std::io::stdin().lock().read_line(&mut line)?;
    Ok((count > 0).then(|| line.trim_end_matches(['\r', '\n']).to_owned()))
}

/// A control number or claim code, scanned or typed: never an argument, which everybody on the
/// machine can read.
///
/// # Errors
/// When none is given.
pub fn code(question: &str) -> anyhow::Result<String> {
    let typed = line(question)?.filter(|code| !code.trim().is_empty());
    typed.ok_or_else(|| {
        advised(
            "no code was given",
            &["scan it, or type it, after the question"],
        )
    })
}

/// Codes, a line each, until an empty one.
///
/// # Errors
/// When none is given.
pub fn codes(question: &str) -> anyhow::Result<Vec<String>> {
    let mut codes = vec![code(question)?];
    while let Some(next) = line(question)?.filter(|code| !code.trim().is_empty()) {
        codes.push(next);
    }
    Ok(codes)
}

/// A PIN, asked for: never an argument and never in the environment, which others can read.
fn pin(question: &str) -> anyhow::Result<String> {
    unseen(question)?.ok_or_else(|| {
        advised(
            "no PIN was given",
            &["type it, or give it as a line of standard input"],
        )
    })
}

/// A line that is not shown while it is typed; none at the end of the input.
fn unseen(question: &str) -> anyhow::Result<Option<String>> {
    echo(false);
    let typed = line(question);
    echo(true);
    writeln!(std::io::stderr())?;
    typed
}

/// The secret on the card of a badge, where there is one: with it alone a PIN is replaced that
/// others set.
///
/// # Errors
/// When the input cannot be read, or says no card of this badge.
pub fn card_of(badge: &str) -> anyhow::Result<String> {
    let question = format!("Card of {badge}, scanned, if it has one");
    let text = unseen(&question)?.unwrap_or_default();
    if text.trim().is_empty() {
        return Ok(String::new());
    }
    let card = BadgeCard::read(&text).filter(|card| card.badge == badge);
    card.map(|card| card.secret).ok_or_else(|| {
        advised(
            format!("this is no card of {badge}"),
            &["scan it, or type what its code says: KB1, sixteen signs, the badge"],
        )
    })
}

/// A PIN for a new credential.
///
/// # Errors
/// When none is given, or one that is too easy to guess.
pub fn new_pin(badge: &str) -> anyhow::Result<String> {
    let pin = pin(&format!("New PIN of {badge}"))?;
    NewPin::choose(&pin).map_err(refused)?;
    Ok(pin)
}

/// The PIN of the person who gives a command to a central that runs.
///
/// # Errors
/// When none is given.
pub fn pin_of(badge: &str) -> anyhow::Result<String> {
    pin(&format!("PIN of {badge}"))
}

/// Keeps the counters of PINs in the data folder, beside those of a central that serves.
fn keep(central: &Central) -> anyhow::Result<()> {
    Ok(AccessLog::keep_pins_once(central)?)
}

/// Recognises the person who gives a command.
///
/// # Errors
/// When badge and PIN are wrong, or the operation is not theirs.
pub fn one(central: &Central, badge: &str, operation: Operation) -> anyhow::Result<Recognised> {
    keep(central)?;
    let pin = pin_of(badge)?;
    Recognised::at_console(central, badge, &pin, &|roles| {
        operation.judge_roles(roles).is_ok()
    })
    .map_err(stopped)
}

/// One of the first two administrators.
#[derive(Debug, Clone)]
pub struct Founder {
    badge: String,
    staff: String,
}

/// Reads BADGE=STAFF.
pub fn founder(text: &str) -> Result<Founder, String> {
    match text.split_once('=') {
        Some((badge, staff)) if !badge.is_empty() && !staff.is_empty() => Ok(Founder {
            badge: badge.to_owned(),
            staff: staff.to_owned(),
        }),
        _ => Err("an administrator is a badge and a staff number: D401=4711".to_owned()),
    }
}

/// Makes the first two administrators; each types a PIN.
///
/// # Errors
/// When they are not two, or the house has administrators.
pub fn found(central: &Central, founders: &[Founder]) -> anyhow::Result<()> {
    let [first, second] = founders else {
        return Err(advised(
            "a house has two administrators from the first day",
            &["give both: --administrator D401=4711 --administrator D402=4712"],
        ));
    };
    if first.badge == second.badge || first.staff == second.staff {
        return Err(refused(Refusal::SamePersonTwice));
    }
    NewPerson::must_be_wanted(&central.view.get().people).map_err(refused)?;
    let pins = [new_pin(&first.badge)?, new_pin(&second.badge)?];
    let people: Vec<NewPerson<'_>> = founders
        .iter()
        .zip(&pins)
        .map(|(founder, pin)| NewPerson {
            staff: &founder.staff,
            ..NewPerson::of(&founder.badge, &[Role::Administrator], pin)
        })
        .collect();
    NewPerson::record_founders(central, &people).map_err(stopped)?;
    note(&format!(
        "{} and {} are the first administrators",
        first.badge, second.badge
    ));
    say_code(&RecoveryCode::first(central).map_err(stopped)?)
}

/// Says the recovery code, once.
///
/// # Errors
/// When nothing can be printed.
pub fn say_code(code: &RecoveryCode) -> anyhow::Result<()> {
    note(
        "the recovery code of the house, said once: write it down, seal it, and keep it where no \
         administrator reaches it alone",
    );
    say(&code.printed())
}

/// Asks for the recovery code, without showing it.
///
/// # Errors
/// When it is wrong, or was tried too often.
pub fn recovery_code(central: &Central) -> anyhow::Result<RecoveryTried> {
    keep(central)?;
    let typed = pin("Recovery code of the house")?;
    RecoveryTried::recognise(central, &typed).map_err(stopped)
}

/// The two people who give a command to a central that runs.
///
/// # Errors
/// When no PIN is given.
pub fn signers(people: &ByTwo) -> anyhow::Result<(Signer, Signer)> {
    let by = at_the_console(&people.by, pin_of(&people.by)?);
    let second = at_the_console(&people.second, pin_of_second(&people.second)?);
    Ok((by, second))
}

/// Whoever gives a command to a central that runs, and the second person if one is named.
///
/// # Errors
/// When no PIN is given.
pub fn one_or_two(by: &str, second: Option<&str>) -> anyhow::Result<(Signer, Option<Signer>)> {
    let by = at_the_console(by, pin_of(by)?);
    let Some(second) = second else {
        return Ok((by, None));
    };
    let second = at_the_console(second, pin_of_second(second)?);
    Ok((by, Some(second)))
}

/// Somebody at the console, where no card is scanned.
fn at_the_console(badge: &str, pin: String) -> Signer {
    Signer {
        badge: badge.to_owned(),
        pin,
        card: String::new(),
    }
}

fn pin_of_second(badge: &str) -> anyhow::Result<String> {
    pin(&format!("PIN of {badge}, the second person"))
}

/// Recognises the owner of a badge who chooses another PIN; the PIN as it is.
///
/// # Errors
/// When badge and PIN are wrong.
pub fn owner(central: &Central, badge: &str) -> anyhow::Result<(Recognised, String)> {
    keep(central)?;
    let pin = pin_of(badge)?;
    let owner = Recognised::owner_at_console(central, badge, &pin).map_err(stopped)?;
    Ok((owner, pin))
}

/// Recognises the two people who give a command.
///
/// # Errors
/// As [`one`], or when they are the same.
pub fn two(central: &Central, people: &ByTwo, operation: Operation) -> anyhow::Result<()> {
    staff::must_differ(&central.view.get().people, &people.by, &people.second).map_err(refused)?;
    let first = one(central, &people.by, operation)?;
    let roles = operation.second_roles(&first.roles);
    let pin = pin_of_second(&people.second)?;
    Recognised::at_console(central, &people.second, &pin, &|numbers| {
        has_any(numbers, roles)
    })
    .map_err(stopped)?;
    Ok(())
}
