//! The people on record: who is one human, and which roles count on a business day.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::roles::{Role, has_any};
use crate::state::{Acting, Person};

/// The badge of the recovery code, which is nobody's.
pub const RECOVERY: &str = "recovery";

/// Who acts where the first administrators are made: nobody is on record yet.
pub const CONSOLE: &str = "console";

/// The name under which the automatic guard signs.
pub const GUARD: &str = "guard";

/// People by badge.
pub type People = HashMap<String, Person>;

/// Who may act as a supervisor, by badge.
pub type ActingPeople = BTreeMap<String, Acting>;

/// The staff as it stands on a business day.
#[derive(Debug, Clone, Copy)]
pub struct Staff<'a> {
    /// By badge, as recorded.
    pub people: &'a People,
    acting: &'a ActingPeople,
    /// yyyymmdd; none: nobody acts.
    day: Option<u32>,
}

impl<'a> Staff<'a> {
    /// The staff on a day, yyyymmdd; with none, nobody acts.
    pub fn on(people: &'a People, acting: &'a ActingPeople, day: Option<u32>) -> Self {
        Self {
            people,
            acting,
            day,
        }
    }

    /// The roles with which a badge is recorded; none when it was withdrawn or never was.
    pub fn recorded(&self, badge: &str) -> &'a [u8] {
        let person = self.people.get(badge).filter(|person| person.active);
        person.map_or(&[][..], |person| &person.roles)
    }

    /// Whether somebody is an acting supervisor on that day.
    pub fn acts(&self, badge: &str) -> bool {
        let made = self.acting.get(badge).and_then(|acting| acting.made);
        made.is_some_and(|(day, _)| Some(day) == self.day) && !self.recorded(badge).is_empty()
    }

    /// The roles that count: those recorded, and a supervisor's where somebody acts as one.
    pub fn roles(&self, badge: &str) -> Vec<u8> {
        let mut roles = self.recorded(badge).to_vec();
        if self.acts(badge) && !has_any(&roles, &[Role::Supervisor]) {
            roles.push(Role::Supervisor.number());
            roles.sort_unstable();
        }
        roles
    }
}

/// True when two badges are one human: the same badge, or the same staff number.
pub fn is_one_human(people: &People, one: &str, other: &str) -> bool {
    let staff = |badge: &str| people.get(badge).map(|person| person.staff.as_str());
    one == other || (staff(one).is_some() && staff(one) == staff(other))
}

/// Who set the PIN of a badge that its owner has not changed yet.
pub fn setters<'a>(people: &'a People, badge: &str) -> impl Iterator<Item = &'a str> {
    let person = people.get(badge);
    person
        .into_iter()
        .flat_map(|person| &person.pin_set_by)
        .map(String::as_str)
}

/// Every badge of the humans who have one of these.
pub fn badges_of_humans(people: &People, badges: &[String]) -> Vec<String> {
    let mut all: BTreeSet<&String> = badges.iter().collect();
    all.extend(
        people
            .keys()
            .filter(|badge| badges.iter().any(|one| is_one_human(people, one, badge))),
    );
    all.into_iter().cloned().collect()
}
