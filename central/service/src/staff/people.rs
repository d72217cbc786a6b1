//! People and devices: recorded by two people, withdrawn, revoked; and PINs, chosen and reset.

use keno_log::event::{PersonRecorded, SessionEnded};
use keno_record::people::{CONSOLE, People, RECOVERY, is_one_human, setters};
use keno_record::roles::{Role, has_any};
use keno_record::sequencer::{Judge, Lane};
use keno_record::state::Person;
use keno_record::store::people;
use keno_schema::rows::CredentialRow;
use zeroize::Zeroizing;

use crate::authority::Operation;
use crate::central::Central;
use crate::central::pin_door::limiter::Origin;
use crate::central::pin_door::new_pin::NewPin;
use crate::central::pin_door::{Credential, Recognised};
use crate::refusal::Refusal;
use crate::staff::two_people::{ADMINISTRATORS_MIN, administrators, must_be_two, must_stand};
use crate::{Stop, bounds};

/// Why a session ended: its person was recorded anew.
const PERSON_CHANGED: u8 = 8;

/// Whose PIN is never reset by others than two administrators.
const NEVER_RESET: [Role; 3] = [Role::Supervisor, Role::Administrator, Role::Auditor];

/// A person as they are to stand.
#[derive(Clone, Copy)]
pub struct NewPerson<'a> {
    /// Badge.
    pub badge: &'a str,
    /// Staff number.
    pub staff: &'a str,
    /// Name shown to colleagues; may be empty.
    pub name: &'a str,
    /// Roles.
    pub roles: &'a [Role],
    /// The PIN.
    pub pin: &'a str,
    /// True when somebody else has set the PIN.
    pub must_change: bool,
}

impl<'a> NewPerson<'a> {
    /// Somebody who chose the PIN, with their badge as staff number.
    pub const fn of(badge: &'a str, roles: &'a [Role], pin: &'a str) -> Self {
        Self {
            badge,
            staff: badge,
            name: "",
            roles,
            pin,
            must_change: false,
        }
    }
}

/// A badge on record, or said to be: what is done about whoever has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Badge<'a>(pub &'a str);

/// A person's record with the credential that it names.
pub(crate) struct Recording {
    pub(crate) badge: String,
    pub(crate) wanted: Person,
    pub(crate) credential: Credential,
}

/// Numbers of cards that an epoch has for itself.
const CARDS_OF_AN_EPOCH: u32 = 0x1_0000;

pub(crate) fn recording(central: &Central, person: &NewPerson<'_>) -> Result<Recording, Stop> {
    bounds::badge(person.badge)?;
    bounds::staff(person.staff)?;
    bounds::note("name", person.name)?;
    let mut roles: Vec<u8> = person.roles.iter().map(|role| role.number()).collect();
    roles.sort_unstable();
    roles.dedup();
    let credential = new_credential(central, person.badge, person.pin)?;
    Ok(Recording {
        badge: person.badge.to_owned(),
        wanted: Person {
            staff: person.staff.to_owned(),
            name: person.name.to_owned(),
            roles,
            credential: credential.hash,
            must_change: person.must_change,
            pin_set_by: Vec::new(),
            card: 0,
            active: true,
        },
        credential,
    })
}

/// A credential for a PIN that may be chosen, known to this central from here on. One that no
/// record names afterwards is nobody's.
fn new_credential(central: &Central, badge: &str, pin: &str) -> Result<Credential, Stop> {
    let made = Credential::of(&central.keys, badge, &NewPin::choose(pin)?)?;
    made.make_known(central);
    Ok(made)
}

impl NewPerson<'_> {
    /// Refuses founders to a house that has its administrators.
    ///
    /// # Errors
    /// [`Refusal::HouseHasAdministrators`].
    pub fn must_be_wanted(people: &People) -> Result<(), Refusal> {
        match administrators(people) < ADMINISTRATORS_MIN {
            true => Ok(()),
            false => Err(Refusal::HouseHasAdministrators),
        }
    }

    /// Records the first administrators of a house that has none: nobody is there yet who could.
    ///
    /// # Errors
    /// [`Refusal::HouseHasAdministrators`], [`Refusal::PinTooEasy`], or a fault.
    pub fn record_founders(central: &Central, founders: &[NewPerson<'_>]) -> Result<(), Stop> {
        let recordings = founders
            .iter()
            .map(|founder| recording(central, founder))
            .collect::<Result<Vec<_>, _>>()?;
        central
            .sequencer
            .submit_blocking(Lane::Money, move |judge| {
                for one in &recordings {
                    let is_administrator = one.wanted.roles == [Role::Administrator.number()];
                    Self::must_be_wanted(&judge.state.people)?;
                    if !is_administrator {
                        return Err(Refusal::HouseHasAdministrators.into());
                    }
                    must_stand(&judge.state.people, &one.badge, &one.wanted)?;
                    keep(judge, &one.credential)?;
                    record(judge, &one.badge, one.wanted.clone(), (CONSOLE, ""))?;
                }
                Ok(())
            })
    }

    /// Records a person as they are to stand, by two administrators; their sessions end.
    ///
    /// # Errors
    /// [`Refusal::PinTooEasy`], and as `must_be_two` and `must_stand`; a fault.
    pub fn record(&self, central: &Central, by: &str, second: &str) -> Result<u64, Stop> {
        let one = recording(central, self)?;
        let (by, second) = (by.to_owned(), second.to_owned());
        central
            .sequencer
            .submit_blocking(Lane::Money, move |judge| {
                must_be_two(judge.staff(), Operation::RecordPerson, &by, &second)?;
                must_stand(&judge.state.people, &one.badge, &one.wanted)?;
                keep(judge, &one.credential)?;
                // A card that was handed over goes on.
                let known = judge.state.people.get(&one.badge);
                let wanted = Person {
                    card: known.map_or(0, |known| known.card),
                    ..one.wanted.clone()
                };
                record(judge, &one.badge, wanted, (&by, &second))
            })
    }
}

impl Badge<'_> {
    /// Makes a card for a badge, by two administrators: the one before counts no more, nor do the
    /// sessions of its owner. Returns the leaf and the secret that the card is to show.
    ///
    /// # Errors
    /// [`Refusal::RecordUnknown`] for a badge that nobody has, and as `must_be_two`; a fault.
    pub fn make_card(
        self,
        central: &Central,
        by: &str,
        second: &str,
    ) -> Result<(u64, Zeroizing<String>), Stop> {
        let (of, by, second) = (self.0.to_owned(), by.to_owned(), second.to_owned());
        let (leaf, number) = central
            .sequencer
            .submit_blocking(Lane::Money, move |judge| {
                let operation = Operation::MakeCard;
                must_be_two(judge.staff(), operation, &by, &second)?;
                let person = serving(judge, &of)?;
                // A card of a part that a restore lost is not made again: each epoch has numbers of its own.
                let first = judge.state.epoch.number.saturating_mul(CARDS_OF_AN_EPOCH);
                let number = person.card.checked_add(1).ok_or(Refusal::RecordUnknown)?;
                let number = number.max(first);
                let wanted = Person {
                    card: number,
                    ..person
                };
                Ok((record(judge, &of, wanted, (&by, &second))?, number))
            })?;
        Ok((
            leaf,
            central
                .keys
                .card_secret(&central.house_code, self.0, number),
        ))
    }

    /// Withdraws a badge, by two administrators; its sessions end.
    ///
    /// # Errors
    /// [`Refusal::RecordUnknown`] for a badge that does not exist, [`Refusal::OwnBadge`],
    /// [`Refusal::AdministratorsTooFew`], and as `must_be_two`; a fault.
    pub fn withdraw(self, central: &Central, by: &str, second: &str) -> Result<u64, Stop> {
        let (badge, by, second) = (self.0.to_owned(), by.to_owned(), second.to_owned());
        central
            .sequencer
            .submit_blocking(Lane::Money, move |judge| {
                let people = &judge.state.people;
                must_be_two(judge.staff(), Operation::RecordPerson, &by, &second)?;
                let Some(person) = people.get(&badge).filter(|_| badge != RECOVERY).cloned() else {
                    return Err(Refusal::RecordUnknown.into());
                };
                if badge == by || badge == second {
                    return Err(Refusal::OwnBadge.into());
                }
                let wanted = Person {
                    active: false,
                    ..person
                };
                must_stand(people, &badge, &wanted)?;
                record(judge, &badge, wanted, (&by, &second))
            })
    }

    /// Gives a clerk who forgot the PIN another that is good until they have changed it: by a
    /// supervisor and a second person, and never for whoever answers for others.
    ///
    /// # Errors
    /// [`Refusal::PinNotReset`], [`Refusal::RecordUnknown`], and as `must_be_two`; a fault.
    pub fn reset_pin(
        self,
        central: &Central,
        by: &str,
        second: &str,
    ) -> Result<(u64, String), Stop> {
        let pin = one_time_pin(central)?;
        let made = new_credential(central, self.0, &pin)?;
        let (badge, by, second) = (self.0.to_owned(), by.to_owned(), second.to_owned());
        let leaf = central
            .sequencer
            .submit_blocking(Lane::Money, move |judge| {
                let people = &judge.state.people;
                must_be_two(judge.staff(), Operation::ResetPin, &by, &second)?;
                let person = serving(judge, &badge)?;
                let is_clerk = has_any(&person.roles, &[Role::Clerk]);
                let is_own = [&by, &second]
                    .iter()
                    .any(|one| is_one_human(people, one, &badge));
                if !is_clerk || has_any(&person.roles, &NEVER_RESET) || is_own {
                    return Err(Refusal::PinNotReset.into());
                }
                let wanted = Person {
                    credential: made.hash,
                    must_change: true,
                    ..person
                };
                keep(judge, &made)?;
                record(judge, &badge, wanted, (&by, &second))
            })?;
        Ok((leaf, pin))
    }
}

/// A PIN by chance.
fn one_time_pin(central: &Central) -> Result<String, Stop> {
    loop {
        let bytes = central.chance.bytes()?;
        // 250 is the last multiple of ten: every digit is as likely as any other.
        let digits = bytes.iter().filter(|byte| **byte < 250).take(8);
        let pin: String = digits.map(|byte| char::from(b'0' + byte % 10)).collect();
        if NewPin::choose(&pin).is_ok() {
            return Ok(pin);
        }
    }
}

/// The person of a badge that was not withdrawn; the recovery code is nobody.
pub(crate) fn serving(judge: &Judge<'_>, badge: &str) -> Result<Person, Refusal> {
    let person = judge.state.people.get(badge);
    person
        .filter(|person| person.active && badge != RECOVERY)
        .cloned()
        .ok_or(Refusal::RecordUnknown)
}

/// Refuses a choice at a device where somebody is signed on who set the PIN that it replaces.
fn must_be_apart(judge: &Judge<'_>, badge: &str, at: Origin) -> Result<(), Refusal> {
    let people = &judge.state.people;
    let is_there = |setter: &str| {
        let mut sessions = judge.state.sessions.values();
        sessions.any(|session| {
            at == Origin::Device(session.device) && is_one_human(people, &session.badge, setter)
        })
    };
    if setters(people, badge).any(is_there) {
        return Err(Refusal::PinChosenElsewhere);
    }
    Ok(())
}

/// Keeps a credential beside the record, in the transaction of the leaf that names it.
pub(crate) fn keep(judge: &mut Judge<'_>, made: &Credential) -> Result<(), Stop> {
    let row = CredentialRow {
        hash: made.hash,
        phc: made.phc.clone(),
    };
    people::insert_credential(judge.connection, &row).map_err(keno_record::fault::Fault::from)?;
    Ok(())
}

/// Records a person as they now stand. Every session of theirs ends first: it was opened by
/// somebody who stood otherwise.
pub(crate) fn record(
    judge: &mut Judge<'_>,
    badge: &str,
    wanted: Person,
    (by, second): (&str, &str),
) -> Result<u64, Stop> {
    let open: Vec<u64> = judge
        .state
        .sessions
        .iter()
        .filter(|(_, session)| session.badge == badge)
        .map(|(number, _)| *number)
        .collect();
    for session in open {
        judge.record(SessionEnded {
            session,
            reason: PERSON_CHANGED,
            by: by.to_owned(),
        })?;
    }
    Ok(judge.record(PersonRecorded {
        badge: badge.to_owned(),
        staff: wanted.staff,
        name: wanted.name,
        roles: wanted.roles,
        credential: wanted.credential,
        must_change: wanted.must_change,
        card: wanted.card,
        active: wanted.active,
        by: by.to_owned(),
        second: second.to_owned(),
    })?)
}

impl Recognised {
    /// The owner of a badge chooses another PIN. Their sessions end. One that
    /// others set is not changed where one of those is signed on: they know it, and would choose.
    ///
    /// # Errors
    /// [`Refusal::PinTooEasy`], [`Refusal::PinUnchanged`] for the same again,
    /// [`Refusal::PinChosenElsewhere`], [`Refusal::RecordUnknown`]; [`Refusal::BadgeOrPinWrong`] where
    /// others gave the owner another meanwhile; or a fault.
    pub fn choose_pin(
        &self,
        central: &Central,
        pin: &str,
        new_pin: &str,
        at: Origin,
    ) -> Result<u64, Stop> {
        if pin == new_pin {
            return Err(Refusal::PinUnchanged.into());
        }
        let made = new_credential(central, &self.badge, new_pin)?;
        let owner = self.clone();
        central
            .sequencer
            .submit_blocking(Lane::Money, move |judge| {
                owner.must_stand(&judge.state.people)?;
                let badge = owner.badge.as_str();
                must_be_apart(judge, badge, at)?;
                let wanted = Person {
                    credential: made.hash,
                    must_change: false,
                    ..serving(judge, badge)?
                };
                keep(judge, &made)?;
                record(judge, badge, wanted, (badge, ""))
            })
    }
}
