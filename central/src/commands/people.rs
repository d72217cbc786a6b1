//! Who gives a command: badges, and PINs asked for without showing them.

use std::io::{BufRead, Write};

use keno_service::Central;
use keno_service::identity::{Role, has_any};
use keno_service::people::Recognised;
use keno_service::refusal::Refusal;
use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};

use super::ByTwo;
use super::fail::{advised, refused};

/// Fewest digits of a PIN.
const PIN_DIGITS_MIN: usize = 4;
/// Most digits of a PIN.
const PIN_DIGITS_MAX: usize = 12;

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

/// A PIN from the environment, or asked for.
fn pin(variable: &str, question: &str) -> anyhow::Result<String> {
    if let Ok(pin) = std::env::var(variable) {
        return Ok(pin);
    }
    let mut notes = std::io::stderr();
    write!(notes, "{question}: ")?;
    notes.flush()?;
    echo(false);
    let mut line = String::new();
    let read = std::io::stdin().lock().read_line(&mut line);
    echo(true);
    writeln!(notes)?;
    if read? == 0 {
        return Err(advised(
            "no PIN was given",
            &[&format!("type it, or set {variable}")],
        ));
    }
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}

/// A PIN for a new credential.
///
/// # Errors
/// Unless it is 4 to 12 digits.
pub fn new_pin(badge: &str) -> anyhow::Result<String> {
    let pin = pin("BOULIER_NEW_PIN", &format!("New PIN of {badge}"))?;
    let is_long_enough = (PIN_DIGITS_MIN..=PIN_DIGITS_MAX).contains(&pin.len());
    if !is_long_enough || !pin.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(advised(
            format!("a PIN is {PIN_DIGITS_MIN} to {PIN_DIGITS_MAX} digits"),
            &[],
        ));
    }
    Ok(pin)
}

/// The PIN of the person who gives a command to a central that runs.
///
/// # Errors
/// When none is given.
pub fn pin_of(badge: &str) -> anyhow::Result<String> {
    pin("BOULIER_PIN", &format!("PIN of {badge}"))
}

/// Recognises the person who gives a command.
///
/// # Errors
/// When badge and PIN are wrong, or none of `roles` is theirs.
pub fn one(central: &Central, badge: &str, roles: &[Role]) -> anyhow::Result<Recognised> {
    let pin = pin_of(badge)?;
    let person = central.recognise(badge, &pin).map_err(refused)?;
    if !has_any(&person.roles, roles) {
        return Err(refused(Refusal::WrongRole {
            needed: roles.first().map_or("", |role| role.name()),
        }));
    }
    Ok(person)
}

/// Recognises the two people who give a command.
///
/// # Errors
/// As [`one`], or when they are the same.
pub fn two(central: &Central, people: &ByTwo, roles: &[Role]) -> anyhow::Result<()> {
    if people.by == people.second {
        return Err(refused(Refusal::SamePersonTwice));
    }
    one(central, &people.by, roles)?;
    let pin = pin(
        "BOULIER_SECOND_PIN",
        &format!("PIN of {}, the second person", people.second),
    )?;
    central
        .recognise_second(&people.by, &people.second, &pin, roles)
        .map_err(refused)?;
    Ok(())
}
