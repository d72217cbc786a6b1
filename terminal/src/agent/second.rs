//! The second person of what one must not do alone.

use keno_wire::badge_card::BadgeCard;
use keno_wire::request::SecondPerson;

use super::Agent;
use crate::exit::{Exit, Stop};
use crate::told::Entry;

/// The second person as far as the command line names them; what is missing is asked.
#[derive(Clone, Default)]
pub struct Second {
    /// Badge.
    pub badge: Option<String>,
    /// PIN.
    pub pin: Option<String>,
    /// The secret on the badge's card, where it was scanned apart from the badge.
    pub card: String,
    /// An approval from the supervisor's wall, in the place of both.
    pub approval: Option<u64>,
}

impl From<SecondPerson> for Second {
    fn from(person: SecondPerson) -> Self {
        Self {
            badge: Some(person.badge),
            pin: Some(person.pin),
            card: person.card,
            approval: person.approval,
        }
    }
}

impl Second {
    /// True when a second person was named.
    pub const fn is_named(&self) -> bool {
        self.badge.is_some() || self.approval.is_some()
    }
}

/// A badge that was typed, or the badge and the secret of a card that was scanned into the same place.
pub(super) fn shown(given: String) -> (String, String) {
    match BadgeCard::read(&given) {
        Some(card) => (card.badge, card.secret),
        None => (given, String::new()),
    }
}

/// What the journal writes of a second person.
pub(super) fn noted(second: &SecondPerson) -> String {
    match second.approval {
        Some(number) => format!("approval {number}"),
        None => second.badge.clone(),
    }
}

impl Agent<'_> {
    /// Badge and PIN of the second person, asked when they were not given.
    pub(super) fn second_person(&mut self, second: Second) -> Result<SecondPerson, Stop> {
        if let Some(approval) = second.approval {
            return Ok(SecondPerson {
                approval: Some(approval),
                ..SecondPerson::default()
            });
        }
        let badge = match second.badge {
            Some(badge) => Some(badge),
            None => self.told.enter(Entry::SecondBadge),
        };
        // A scanner that types gives the whole card.
        let (badge, typed) = shown(badge.ok_or(Stop::End(Exit::Refused))?);
        let card = if typed.is_empty() { second.card } else { typed };
        let pin = match second.pin {
            Some(pin) => Some(pin),
            None => self.told.enter(Entry::SecondPin),
        };
        let pin = pin.ok_or(Stop::End(Exit::Refused))?;
        Ok(SecondPerson {
            badge,
            pin,
            card,
            approval: None,
        })
    }
}
