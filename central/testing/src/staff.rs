//! Who works in the house of a test, and whether they have PINs.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use anyhow::Context;
use keno_log::event::PersonRecorded;
use keno_record::chance::Chance;
use keno_record::keys::ServerKeys;
use keno_record::record::keys_path;
use keno_record::roles::Role;
use keno_record::sequencer::Lane;
use keno_service::staff::{Credential, NewPerson, NewPin};
use keno_service::{Central, Stop};
use keno_testing::TestFolder;

/// Somebody of the house; the badge is the staff number too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// Badge.
    pub badge: String,
    /// Roles.
    pub roles: Vec<Role>,
}

impl Person {
    /// Somebody with these roles.
    pub fn of(badge: &str, roles: &[Role]) -> Self {
        Self {
            badge: badge.to_owned(),
            roles: roles.to_vec(),
        }
    }
}

/// People of badges and roles.
pub fn people(of: &[(&str, &[Role])]) -> Vec<Person> {
    of.iter()
        .map(|(badge, roles)| Person::of(badge, roles))
        .collect()
}

/// Whether people have PINs, given by their badges.
#[derive(Debug, Clone, Copy)]
pub enum Pins {
    /// Nobody has one: whoever acts is taken for recognised. Everybody stands in one batch.
    None,
    /// Recorded as the house does it, by two administrators: an argon2id and a commit for each.
    Recorded(fn(&str) -> String),
    /// Made once in a process, with server keys that all such houses share, and known until
    /// central is opened anew. Everybody stands in one batch.
    Shared(fn(&str) -> String),
}

/// Records the two first administrators of a house, and others by them.
///
/// # Errors
/// What central refuses.
pub(crate) fn record_staff(
    central: &Central,
    administrators: [&str; 2],
    others: &[Person],
    pins: Pins,
) -> Result<(), Stop> {
    let founders = administrators.map(|badge| Person::of(badge, &[Role::Administrator]));
    match pins {
        Pins::Recorded(pin_of) => {
            let [first, second] = administrators.map(pin_of);
            let founder = |badge, pin| NewPerson::of(badge, &[Role::Administrator], pin);
            NewPerson::record_founders(
                central,
                &[
                    founder(administrators[0], &first),
                    founder(administrators[1], &second),
                ],
            )?;
            record_people(central, administrators, others, pins)
        }
        Pins::None | Pins::Shared(_) => {
            let mut events = events(central, ["console", ""], &founders, pins)?;
            events.extend(self::events(central, administrators, others, pins)?);
            record_all(central, events)
        }
    }
}

/// Records people by two administrators who stand already.
///
/// # Errors
/// What central refuses.
pub fn record_people(
    central: &Central,
    [by, second]: [&str; 2],
    people: &[Person],
    pins: Pins,
) -> Result<(), Stop> {
    let Pins::Recorded(pin_of) = pins else {
        return record_all(central, events(central, [by, second], people, pins)?);
    };
    for person in people {
        let pin = pin_of(&person.badge);
        let person = NewPerson::of(&person.badge, &person.roles, &pin);
        person.record(central, by, second)?;
    }
    Ok(())
}

fn events(
    central: &Central,
    [by, second]: [&str; 2],
    people: &[Person],
    pins: Pins,
) -> Result<Vec<PersonRecorded>, Stop> {
    let credential_of = |badge: &str| match pins {
        Pins::Shared(pin_of) => {
            let made = shared_credential(central, badge, &pin_of(badge))?;
            made.make_known(central);
            Ok::<_, Stop>(made.hash)
        }
        Pins::None | Pins::Recorded(_) => Ok([0; 32]),
    };
    people
        .iter()
        .map(|person| {
            Ok(PersonRecorded {
                badge: person.badge.clone(),
                staff: person.badge.clone(),
                name: String::new(),
                roles: person.roles.iter().map(|role| role.number()).collect(),
                credential: credential_of(&person.badge)?,
                must_change: false,
                card: 0,
                active: true,
                by: by.to_owned(),
                second: second.to_owned(),
            })
        })
        .collect()
}

/// One batch, so that people cost one commit.
fn record_all(central: &Central, events: Vec<PersonRecorded>) -> Result<(), Stop> {
    central
        .sequencer
        .submit_blocking(Lane::Money, move |judge| {
            for event in &events {
                judge.record(event.clone())?;
            }
            Ok(())
        })
}

/// The credential of a badge and a PIN by the shared keys: argon2id is slow on purpose.
fn shared_credential(central: &Central, badge: &str, pin: &str) -> Result<Credential, Stop> {
    static MADE: Mutex<BTreeMap<(String, String), Credential>> = Mutex::new(BTreeMap::new());
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (badge.to_owned(), pin.to_owned());
    if let Some(known) = made.get(&key) {
        return Ok(known.clone());
    }
    let new = Credential::of(&central.keys, badge, &NewPin::choose(pin)?)?;
    made.insert(key, new.clone());
    Ok(new)
}

/// Puts the keys that houses of [`Pins::Shared`] share where central looks for its own.
pub(crate) fn share_keys(folder: &Path) -> anyhow::Result<()> {
    static KEYS: Mutex<Option<String>> = Mutex::new(None);
    let mut keys = KEYS.lock().unwrap_or_else(PoisonError::into_inner);
    if keys.is_none() {
        let place = TestFolder::new()?;
        let path = place.join("keys.toml");
        ServerKeys::generate(&Chance::System)?.save_new(&path)?;
        *keys = Some(std::fs::read_to_string(path)?);
    }
    let text = keys.as_deref().context("no keys were made")?;
    let path = keys_path(folder);
    std::fs::write(&path, text)?;
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600))?;
    Ok(())
}
