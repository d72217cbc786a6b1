//! The second person of what one must not do alone.

use keno_wire::badge_card::BadgeCard;
use keno_wire::request::SecondPerson;

use super::Agent;
use crate::exit::{Exit, Stop};
use crate::told::Entry;

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
    /// The second person of a command, whose badge and PIN are asked where they were not given.
    pub(super) fn second_person(&mut self, second: SecondPerson) -> Result<SecondPerson, Stop> {
        if second.approval.is_some() {
            return Ok(SecondPerson {
                approval: second.approval,
                ..SecondPerson::default()
            });
        }
        // A scanner that types gives the whole card.
        let (badge, typed) = shown(self.given_or_typed(second.badge, Entry::SecondBadge)?);
        Ok(SecondPerson {
            badge,
            pin: self.given_or_typed(second.pin, Entry::SecondPin)?,
            card: if typed.is_empty() { second.card } else { typed },
            approval: None,
        })
    }

    /// The same where it may be done alone.
    pub(super) fn second_person_if_any(
        &mut self,
        second: Option<SecondPerson>,
    ) -> Result<Option<SecondPerson>, Stop> {
        second.map(|second| self.second_person(second)).transpose()
    }

    fn given_or_typed(&mut self, given: String, entry: Entry) -> Result<String, Stop> {
        if given.is_empty() {
            return self.typed(entry);
        }
        Ok(given)
    }

    /// What the person types when it is asked for.
    ///
    /// # Errors
    /// [`Exit::Refused`] when nobody answers.
    pub(super) fn typed(&mut self, entry: Entry) -> Result<String, Stop> {
        self.told.enter(entry).ok_or(Stop::End(Exit::Refused))
    }
}
