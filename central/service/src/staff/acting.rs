//! Acting supervisors (`RULES.md`, "Acting supervisors"): named beforehand by two administrators, made
//! so for one business day by a supervisor, or by the cage and another person, and never judges of
//! what they sold themselves.

use keno_log::event::{ActingMade, ActingNamed};
use keno_record::people::{People, Staff, is_one_human};
use keno_record::roles::{DeviceRole, Role, TILL_ROLES, has_any};
use keno_record::sequencer::{Judge, Lane};

use crate::Stop;
use crate::authority::{Operation, THIRD_JUDGES};
use crate::central::Central;
use crate::refusal::Refusal;
use crate::staff::people::{Badge, serving};
use crate::staff::two_people::{must_be_two, must_differ};

/// Who never acts, with whatever badge: they judge the others, or make people and devices.
const NEVER: [Role; 3] = [Role::Auditor, Role::Technician, Role::Administrator];

/// Refuses a badge that cannot act as a supervisor.
fn must_be_able(people: &People, badge: &str) -> Result<(), Refusal> {
    let of_human: Vec<u8> = people
        .iter()
        .filter(|(one, person)| person.active && is_one_human(people, one, badge))
        .flat_map(|(_, person)| person.roles.iter().copied())
        .collect();
    let own = people.get(badge).filter(|person| person.active);
    let roles = own.map_or(&[][..], |person| &person.roles);
    if roles.is_empty() || has_any(roles, &[Role::Supervisor]) || has_any(&of_human, &NEVER) {
        return Err(Refusal::CannotAct);
    }
    Ok(())
}

impl Badge<'_> {
    /// Two administrators name somebody who may be made an acting supervisor, or take it back.
    /// Asked again, it answers the same.
    ///
    /// # Errors
    /// As `must_be_two`; [`Refusal::RecordUnknown`], [`Refusal::CannotAct`],
    /// [`Refusal::NotNamedToAct`]; a fault.
    pub fn name_acting(
        self,
        central: &Central,
        may_act: bool,
        by: &str,
        second: &str,
    ) -> Result<u64, Stop> {
        let (badge, by, second) = (self.0.to_owned(), by.to_owned(), second.to_owned());
        central
            .sequencer
            .submit_blocking(Lane::Money, move |judge| {
                must_be_two(judge.staff(), Operation::NameActing, &by, &second)?;
                serving(judge, &badge)?;
                match (may_act, judge.state.acting.get(&badge)) {
                    (false, None) => return Err(Refusal::NotNamedToAct.into()),
                    (true, _) => must_be_able(&judge.state.people, &badge)?,
                    (false, Some(_)) => {}
                }
                if let Some(named) = judge.state.acting.get(&badge).filter(|_| may_act) {
                    return Ok(named.named);
                }
                Ok(judge.record(ActingNamed {
                    badge: badge.clone(),
                    may_act,
                    by: by.clone(),
                    second: second.clone(),
                })?)
            })
    }

    /// Makes somebody who was named an acting supervisor for the rest of the business day: by a
    /// supervisor, or by the cage and another person. Asked again, it answers the same.
    ///
    /// # Errors
    /// [`Refusal::WrongRole`], [`Refusal::SecondPersonNeeded`], [`Refusal::SecondPersonRefused`],
    /// [`Refusal::NotNamedToAct`], [`Refusal::CannotAct`], and as [`must_differ`]; a fault.
    pub fn make_acting(
        self,
        central: &Central,
        by: &str,
        second: Option<&str>,
    ) -> Result<u64, Stop> {
        let (badge, by) = (self.0.to_owned(), by.to_owned());
        let second = second.map(str::to_owned);
        central
            .sequencer
            .submit_blocking(Lane::Money, move |judge| {
                let staff = judge.staff();
                let second = agreed(staff, &badge, &by, second.as_deref())?;
                must_be_able(staff.people, &badge)?;
                let Some(acting) = judge.state.acting.get(&badge) else {
                    return Err(Refusal::NotNamedToAct.into());
                };
                let today = judge.calendar.business_day(judge.now_ms);
                if let Some((_, leaf)) = acting.made.filter(|(day, _)| *day == today) {
                    return Ok(leaf);
                }
                Ok(judge.record(ActingMade {
                    badge: badge.clone(),
                    by: by.clone(),
                    second: second.map(str::to_owned),
                })?)
            })
    }
}

/// Who agrees beside whoever makes somebody act, by the roles that they are recorded with: nobody
/// who acts passes it on. A supervisor needs nobody.
fn agreed<'a>(
    staff: Staff<'_>,
    badge: &str,
    by: &str,
    second: Option<&'a str>,
) -> Result<Option<&'a str>, Refusal> {
    must_differ(staff.people, by, badge)?;
    if has_any(staff.recorded(by), &[Role::Supervisor]) {
        return Ok(None);
    }
    if !has_any(staff.recorded(by), &[Role::Cage]) {
        return Err(Refusal::WrongRole {
            needed: vec![Role::Supervisor, Role::Cage],
        });
    }
    let second = second.ok_or(Refusal::SecondPersonNeeded)?;
    must_differ(staff.people, by, second)?;
    must_differ(staff.people, second, badge)?;
    if !has_any(staff.recorded(second), &TILL_ROLES) {
        return Err(Refusal::SecondPersonRefused);
    }
    Ok(Some(second))
}

/// Refuses what people agree on about a ticket where one of them has the role for it only as an
/// acting supervisor, and sold that ticket.
///
/// # Errors
/// [`Refusal::ActingOwnSale`].
pub(crate) fn must_not_be_own(
    judge: &Judge<'_>,
    operation: Operation,
    seller: &str,
    (by, second, third): (&str, &str, Option<&str>),
) -> Result<(), Refusal> {
    let staff = judge.staff();
    let is_own = |badge: &str| staff.acts(badge) && is_one_human(staff.people, badge, seller);
    let roles = |badge: &str| match is_own(badge) {
        true => staff.recorded(badge).to_vec(),
        false => staff.roles(badge),
    };
    if ![Some(by), Some(second), third]
        .into_iter()
        .flatten()
        .any(is_own)
    {
        return Ok(());
    }
    let who = operation.row().who;
    let first = roles(by);
    let mut places = DeviceRole::ALL.into_iter();
    let may = places.any(|place| has_any(&first, &who.roles_at(place)))
        && has_any(&roles(second), operation.second_roles(&first))
        && third.is_none_or(|third| has_any(&roles(third), THIRD_JUDGES));
    match may {
        true => Ok(()),
        false => Err(Refusal::ActingOwnSale),
    }
}
