//! Who works in the house of a test, and whether they have PINs.

use argon2::{Algorithm, Argon2, Params, PasswordHasher, Version};
use keno_log::event::PersonRecorded;
use keno_log::hash::sha256;
use keno_record::fault::Fault;
use keno_record::roles::Role;
use keno_record::sequencer::Lane;
use keno_record::store::people;
use keno_schema::rows::CredentialRow;
use keno_service::staff::{Credential, NewPerson};
use keno_service::{Central, Stop};

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
    /// Kept as the house keeps them, but hashed with the least work that argon2id knows: a credential
    /// says how much it takes, so that trying one costs as little. Everybody stands in one batch.
    Quick(fn(&str) -> String),
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
        Pins::None | Pins::Quick(_) => {
            let mut all = recordings(central, ["console", ""], &founders, pins)?;
            all.extend(recordings(central, administrators, others, pins)?);
            record_all(central, all)
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
        return record_all(central, recordings(central, [by, second], people, pins)?);
    };
    for person in people {
        let pin = pin_of(&person.badge);
        let person = NewPerson::of(&person.badge, &person.roles, &pin);
        person.record(central, by, second)?;
    }
    Ok(())
}

/// A person with the credential that is kept beside the record.
type Recording = (PersonRecorded, Option<CredentialRow>);

fn recordings(
    central: &Central,
    [by, second]: [&str; 2],
    people: &[Person],
    pins: Pins,
) -> Result<Vec<Recording>, Stop> {
    people
        .iter()
        .map(|person| {
            let made = match pins {
                Pins::Quick(pin_of) => Some(quick_credential(
                    central,
                    &person.badge,
                    &pin_of(&person.badge),
                )?),
                Pins::None | Pins::Recorded(_) => None,
            };
            let event = PersonRecorded {
                badge: person.badge.clone(),
                staff: person.badge.clone(),
                name: String::new(),
                roles: person.roles.iter().map(|role| role.number()).collect(),
                credential: made.as_ref().map_or([0; 32], |made| made.hash),
                must_change: false,
                card: 0,
                active: true,
                by: by.to_owned(),
                second: second.to_owned(),
            };
            let row = made.map(|Credential { hash, phc }| CredentialRow { hash, phc });
            Ok((event, row))
        })
        .collect()
}

/// One batch, so that people cost one commit.
fn record_all(central: &Central, all: Vec<Recording>) -> Result<(), Stop> {
    central
        .sequencer
        .submit_blocking(Lane::Money, move |judge| {
            for (event, row) in &all {
                if let Some(row) = row {
                    people::insert_credential(judge.connection, row).map_err(Fault::from)?;
                }
                judge.record(event.clone())?;
            }
            Ok(())
        })
}

/// A credential of little work, with a salt that follows from the badge, known to central.
fn quick_credential(central: &Central, badge: &str, pin: &str) -> Result<Credential, Stop> {
    let peppered = central.keys.peppered(badge, pin);
    let params = Params::new(Params::MIN_M_COST, 1, 1, None).map_err(|_| BROKEN)?;
    let salt = sha256(badge.as_bytes());
    let phc = Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
        .hash_password_with_salt(peppered.as_slice(), &salt[..16])
        .map_err(|_| BROKEN)?
        .to_string();
    let made = Credential {
        hash: sha256(phc.as_bytes()),
        phc,
    };
    made.make_known(central);
    Ok(made)
}

const BROKEN: Fault = Fault::Crypto("argon2id");
