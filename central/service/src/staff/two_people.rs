//! The staff: who is one human, which roles exclude one another, and who may record whom.

use std::collections::BTreeSet;

use keno_record::people::{People, Staff, is_one_human, setters};
use keno_record::roles::{Role, has_any};
use keno_record::state::Person;
use keno_record::view::View;

use crate::authority::Operation;
use crate::authority::identity::Caller;
use crate::central::Central;
use crate::central::pin_door::Recognised;
use crate::refusal::Refusal;

/// Administrators that a house has at least, once it has them: no one is needed who is alone.
pub const ADMINISTRATORS_MIN: usize = 2;

/// Roles that nobody has together: whoever judges, makes people or keys moves no money.
const EXCLUDED: [(Role, &[Role]); 3] = [
    (
        Role::Auditor,
        &[
            Role::Clerk,
            Role::Supervisor,
            Role::Cage,
            Role::Marker,
            Role::Verifier,
            Role::Technician,
            Role::Administrator,
        ],
    ),
    (
        Role::Administrator,
        &[
            Role::Clerk,
            Role::Cage,
            Role::Supervisor,
            Role::Marker,
            Role::Verifier,
        ],
    ),
    (
        Role::Technician,
        &[Role::Clerk, Role::Cage, Role::Supervisor],
    ),
];

/// Refuses two badges that are no two people: one human, or one whose PIN the other set. Until its
/// owner has chosen another, whoever set a PIN can give it as the owner, and would be both.
///
/// # Errors
/// [`Refusal::SamePersonTwice`], [`Refusal::PinKnownToOther`].
pub fn must_differ(people: &People, one: &str, other: &str) -> Result<(), Refusal> {
    if is_one_human(people, one, other) {
        return Err(Refusal::SamePersonTwice);
    }
    let knows = |one: &str, other: &str| {
        setters(people, other).any(|setter| is_one_human(people, one, setter))
    };
    if knows(one, other) || knows(other, one) {
        return Err(Refusal::PinKnownToOther);
    }
    Ok(())
}

/// The first two roles among these that exclude one another.
pub fn excluded_pair(roles: &[u8]) -> Option<(Role, Role)> {
    EXCLUDED.into_iter().find_map(|(one, others)| {
        let others = others.iter().copied();
        has_any(roles, &[one])
            .then(|| others.into_iter().find(|other| has_any(roles, &[*other])))
            .flatten()
            .map(|other| (one, other))
    })
}

/// How many humans are administrators.
pub fn administrators(people: &People) -> usize {
    people
        .values()
        .filter(|person| person.active && has_any(&person.roles, &[Role::Administrator]))
        .map(|person| person.staff.as_str())
        .collect::<BTreeSet<_>>()
        .len()
}

/// Refuses two badges that may not do this together: each with the roles of the operation's row,
/// two people, both of the staff.
///
/// # Errors
/// As [`must_differ`]; [`Refusal::WrongRole`], [`Refusal::SecondPersonRefused`].
pub fn must_be_two(
    staff: Staff<'_>,
    operation: Operation,
    by: &str,
    second: &str,
) -> Result<(), Refusal> {
    must_differ(staff.people, by, second)?;
    let roles = staff.roles(by);
    operation.judge_roles(&roles)?;
    if has_any(&staff.roles(second), operation.second_roles(&roles)) {
        Ok(())
    } else {
        Err(Refusal::SecondPersonRefused)
    }
}

/// Refuses a second person, already recognised, who may not do this with the caller: another human,
/// with a role that the operation takes beside the caller's.
///
/// # Errors
/// As [`must_differ`]; [`Refusal::SecondPersonRefused`].
pub fn must_be_second(
    central: &Central,
    operation: Operation,
    caller: &Caller,
    second: &Recognised,
) -> Result<(), Refusal> {
    must_differ(&central.view.get().people, &caller.badge, &second.badge)?;
    if has_any(&second.roles, operation.second_roles(&caller.roles)) {
        Ok(())
    } else {
        Err(Refusal::SecondPersonRefused)
    }
}

/// How somebody reads a staff number: letters and figures alone, without zeros before them.
fn read_staff(text: &str) -> String {
    let signs = text.chars().filter(char::is_ascii_alphanumeric);
    let read: String = signs.map(|sign| sign.to_ascii_lowercase()).collect();
    read.trim_start_matches('0').to_owned()
}

/// Refuses a new badge or staff number that people would read as one on record: one human would be
/// two to the record.
fn must_look_apart(people: &People, badge: &str, staff: &str) -> Result<(), Refusal> {
    let (read, lower) = (read_staff(staff), badge.to_lowercase());
    let alike = people.iter().find_map(|(one, person)| {
        if one.to_lowercase() == lower {
            return Some(one);
        }
        let is_other = person.staff != staff && read_staff(&person.staff) == read;
        is_other.then_some(&person.staff)
    });
    alike.map_or(Ok(()), |other| {
        Err(Refusal::LooksLikeAnother {
            other: other.clone(),
        })
    })
}

/// Refuses a person who may not stand so on record beside the others.
///
/// # Errors
/// [`Refusal::RolesExclude`], [`Refusal::LooksLikeAnother`], [`Refusal::StaffNumberKept`],
/// [`Refusal::AdministratorsTooFew`].
pub fn must_stand(people: &People, badge: &str, wanted: &Person) -> Result<(), Refusal> {
    if let Some((one, other)) = excluded_pair(&wanted.roles) {
        return Err(Refusal::RolesExclude { one, other });
    }
    // Two badges of one human would have excluded roles between them.
    let with_others: Vec<u8> = people
        .iter()
        .filter(|(one, person)| *one != badge && person.active && person.staff == wanted.staff)
        .flat_map(|(_, person)| person.roles.iter().copied())
        .chain(wanted.roles.iter().copied())
        .collect();
    if wanted.active
        && let Some((one, other)) = excluded_pair(&with_others)
    {
        return Err(Refusal::RolesExclude { one, other });
    }
    let before = people.get(badge);
    if before.is_none() {
        must_look_apart(people, badge, &wanted.staff)?;
    }
    if let Some(before) = before
        && before.staff != wanted.staff
    {
        return Err(Refusal::StaffNumberKept {
            staff: before.staff.clone(),
        });
    }
    let mut after = people.clone();
    after.insert(badge.to_owned(), wanted.clone());
    let left = administrators(&after);
    if left < ADMINISTRATORS_MIN && left < administrators(people) {
        return Err(Refusal::AdministratorsTooFew);
    }
    Ok(())
}

/// The staff of a picture, at this moment.
pub fn staff_of<'a>(central: &Central, view: &'a View) -> Staff<'a> {
    let now_ms = central.clock.now_ms();
    let day = central.calendar.business_day(now_ms);
    let soon = central.calendar.business_day(now_ms + ENDS_BEFORE_MS);
    Staff::on(&view.people, &view.acting, (day == soon).then_some(day))
}

/// So long before midnight nobody is taken for an acting supervisor any more: what is granted then
/// could be recorded on the next day.
pub(crate) const ENDS_BEFORE_MS: i64 = 60_000;

#[cfg(test)]
mod tests {
    use keno_record::people::{ActingPeople, badges_of_humans};

    use super::*;

    fn person(staff: &str, roles: &[Role]) -> Person {
        Person {
            staff: staff.to_owned(),
            name: String::new(),
            roles: roles.iter().map(|role| role.number()).collect(),
            credential: [0; 32],
            must_change: false,
            pin_set_by: Vec::new(),
            card: 0,
            active: true,
        }
    }

    fn house() -> People {
        [
            ("D1", person("1", &[Role::Administrator])),
            ("D2", person("2", &[Role::Administrator])),
            ("D3", person("2", &[Role::Administrator])),
            ("T1", person("3", &[Role::Technician])),
            ("C1", person("4", &[Role::Clerk])),
        ]
        .into_iter()
        .map(|(badge, person)| (badge.to_owned(), person))
        .collect()
    }

    #[test]
    fn two_badges_of_one_human_are_one() {
        let people = house();
        let nobody = ActingPeople::new();
        let staff = Staff::on(&people, &nobody, None);
        assert!(is_one_human(&people, "D2", "D3"));
        assert!(is_one_human(&people, "console", "console"));
        assert!(!is_one_human(&people, "D1", "D2"));
        assert!(!is_one_human(&people, "unknown", "other"));
        assert_eq!(badges_of_humans(&people, &["D2".to_owned()]), ["D2", "D3"]);
        assert_eq!(administrators(&people), 2);
        let two = |by, second| must_be_two(staff, Operation::RecordPerson, by, second);
        assert_eq!(two("D1", "D2"), Ok(()));
        assert_eq!(two("D2", "D3"), Err(Refusal::SamePersonTwice));
        assert_eq!(two("D1", "C1"), Err(Refusal::SecondPersonRefused));
        let devices = |by, second| must_be_two(staff, Operation::RecordDevice, by, second);
        assert_eq!(devices("T1", "D1"), Ok(()));
        assert_eq!(devices("D1", "T1"), Ok(()));
        assert_eq!(devices("D1", "D2"), Ok(()));
        assert_eq!(devices("T1", "T1"), Err(Refusal::SamePersonTwice));
        assert_eq!(devices("T1", "C1"), Err(Refusal::SecondPersonRefused));
    }

    #[test]
    fn who_set_a_pin_is_nobody_beside_its_badge() {
        let mut people = house();
        let known = Err(Refusal::PinKnownToOther);
        people.get_mut("C1").expect("stands").pin_set_by = vec!["D1".to_owned(), "D2".to_owned()];
        assert_eq!(must_differ(&people, "C1", "D1"), known);
        assert_eq!(must_differ(&people, "D1", "C1"), known);
        // Nor with another badge.
        assert_eq!(must_differ(&people, "D3", "C1"), known);
        assert_eq!(must_differ(&people, "T1", "C1"), Ok(()));
        assert_eq!(must_differ(&people, "D1", "D2"), Ok(()));
    }

    #[test]
    fn roles_that_exclude_one_another_are_refused() {
        let people = house();
        let stands = |badge, wanted: &Person| must_stand(&people, badge, wanted);
        let two = [
            (Role::Auditor, Role::Clerk),
            (Role::Auditor, Role::Administrator),
            (Role::Administrator, Role::Supervisor),
            (Role::Administrator, Role::Marker),
            (Role::Technician, Role::Cage),
        ];
        for (one, other) in two {
            let refused = Err(Refusal::RolesExclude { one, other });
            assert_eq!(stands("N1", &person("9", &[other, one])), refused);
        }
        let allowed = person("9", &[Role::Clerk, Role::Supervisor, Role::Marker]);
        assert_eq!(stands("N1", &allowed), Ok(()));
        // The same human under another badge.
        assert_eq!(
            stands("N1", &person("4", &[Role::Technician])),
            Err(Refusal::RolesExclude {
                one: Role::Technician,
                other: Role::Clerk
            })
        );
        assert_eq!(
            stands("C1", &person("5", &[Role::Clerk])),
            Err(Refusal::StaffNumberKept {
                staff: "4".to_owned()
            })
        );
    }

    #[test]
    fn two_administrators_stay() {
        let mut people = house();
        let withdrawn = |badge: &str, people: &People| Person {
            active: false,
            ..people[badge].clone()
        };
        let few = Err(Refusal::AdministratorsTooFew);
        assert_eq!(must_stand(&people, "D1", &withdrawn("D1", &people)), few);
        assert_eq!(must_stand(&people, "D1", &person("1", &[Role::Clerk])), few);
        // Another badge of the same human still stands.
        assert_eq!(must_stand(&people, "D2", &withdrawn("D2", &people)), Ok(()));
        people.insert("D4".to_owned(), person("8", &[Role::Administrator]));
        assert_eq!(must_stand(&people, "D1", &withdrawn("D1", &people)), Ok(()));
    }
}
