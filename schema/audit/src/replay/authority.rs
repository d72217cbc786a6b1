//! Who did what, and where (`RULES.md`, "People and places").

use keno_log::{CommandKey, Event};

use super::Replay;
use crate::finding::FindingCode;

// Roles of persons.
const CLERK: u8 = 1;
const SUPERVISOR: u8 = 2;
const CASHIER: u8 = 3;
const MARKER: u8 = 4;
const VERIFIER: u8 = 5;
const AUDITOR: u8 = 6;
const TECHNICIAN: u8 = 7;
const ADMINISTRATOR: u8 = 8;

const SELLERS: &[u8] = &[CLERK, SUPERVISOR];
const TELLERS: &[u8] = &[CLERK, SUPERVISOR, CASHIER];
const CASH: &[u8] = &[SUPERVISOR, CASHIER];
const SUPERVISORS: &[u8] = &[SUPERVISOR];
/// Who judges a file as the third.
const THIRDS: &[u8] = &[SUPERVISOR, CASHIER, ADMINISTRATOR];
const DECIDERS: &[u8] = &[SUPERVISOR, ADMINISTRATOR];
const RESTORERS: &[u8] = &[SUPERVISOR, TECHNICIAN, ADMINISTRATOR];
/// Any role: who signs on, or is signed off.
const ANYONE: &[u8] = &[1, 2, 3, 4, 5, 6, 7, 8];

// Roles of devices.
/// Role of a device at the main cage.
const CAGE: u8 = 7;
/// Where there is a till: counter and cage.
const TILLS: &[u8] = &[1, CAGE];
/// Where people sign on: there, and at audit office, draw desk and back office.
const STAFFED: &[u8] = &[1, 4, 5, 6, CAGE];

/// Who recorded a fact when it was no person.
const CONSOLE: &str = "console";
const CENTRAL: &str = "central";
const GUARD: &str = "guard";

/// Who did what a fact tells, and who may.
#[derive(Debug, Clone, Copy)]
struct Act<'a> {
    by: &'a str,
    roles: &'static [u8],
    /// Names beside the badges.
    names: &'static [&'static str],
    second: Option<&'a str>,
    second_roles: &'static [u8],
    /// One of the two must have one of these; none: nothing more is asked.
    answering: &'static [u8],
    /// The session whose badge `by` must be.
    key: Option<CommandKey>,
    device: Option<(u32, &'static [u8])>,
}

const fn alone<'a>(by: &'a str, roles: &'static [u8]) -> Act<'a> {
    Act {
        by,
        roles,
        names: &[],
        second: None,
        second_roles: &[],
        answering: &[],
        key: None,
        device: None,
    }
}

impl<'a> Act<'a> {
    const fn or(self, names: &'static [&'static str]) -> Self {
        Self { names, ..self }
    }

    const fn with(self, second: &'a str, second_roles: &'static [u8]) -> Self {
        Self {
            second: Some(second),
            second_roles,
            ..self
        }
    }

    const fn answering(self, answering: &'static [u8]) -> Self {
        Self { answering, ..self }
    }

    /// A command of a session, at a till.
    const fn key(self, key: CommandKey) -> Self {
        Self {
            key: Some(key),
            ..self.at(key.device, TILLS)
        }
    }

    const fn at(self, device: u32, places: &'static [u8]) -> Self {
        Self {
            device: Some((device, places)),
            ..self
        }
    }
}

/// The act that a fact tells; none where nobody acted, or where the fact is judged elsewhere.
fn act(event: &Event) -> Option<Act<'_>> {
    Some(match event {
        Event::RuleBookPublished(body) => alone(&body.by, DECIDERS).with(&body.second, DECIDERS),
        Event::SessionOpened(body) => alone(&body.badge, ANYONE).at(body.device, STAFFED),
        Event::SessionEnded(body) => alone(&body.by, ANYONE).or(&[CONSOLE, CENTRAL]),
        Event::ShiftOpened(body) => alone(&body.badge, TELLERS).at(body.device, TILLS),
        Event::ShiftClosed(body) => match &body.second {
            None => alone(&body.by, TELLERS),
            Some(second) => alone(&body.by, TELLERS)
                .with(second, TELLERS)
                .answering(SUPERVISORS),
        },
        Event::TillMoved(body) => alone(&body.by, TELLERS)
            .with(&body.second, TELLERS)
            .answering(CASH)
            .key(body.key),
        Event::TillCounted(body) => alone(&body.by, TELLERS)
            .with(&body.second, TELLERS)
            .answering(CASH)
            .at(body.device, TILLS),
        Event::ScheduleConfirmed(body) => alone(&body.by, DECIDERS).with(&body.second, DECIDERS),
        Event::SalesSuspended(body) => alone(&body.by, DECIDERS).or(&[GUARD]),
        Event::SalesResumed(body) => alone(&body.by, DECIDERS).with(&body.second, DECIDERS),
        Event::EpochOpened(body) => alone(&body.by, RESTORERS).with(&body.second, RESTORERS),
        Event::DeviceHandedOver(body) => alone(&body.by, TELLERS)
            .with(&body.second, TELLERS)
            .answering(CASH)
            .at(body.to, TILLS),
        Event::DrawSuspended(body) => {
            alone(&body.by, &[SUPERVISOR, MARKER, ADMINISTRATOR]).or(&[GUARD])
        }
        Event::DrawResumed(body) => {
            alone(&body.by, DECIDERS).with(&body.second, &[SUPERVISOR, VERIFIER, ADMINISTRATOR])
        }
        Event::DrawVoided(body) => {
            alone(&body.by, DECIDERS).with(&body.second, &[SUPERVISOR, VERIFIER, ADMINISTRATOR])
        }
        Event::TicketSold(body) => alone(&body.badge, SELLERS).key(body.key),
        Event::TicketCancelled(body) => alone(&body.badge, SELLERS).key(body.key),
        Event::TicketUnpaid(body) => alone(&body.by, SELLERS)
            .with(&body.second, SELLERS)
            .answering(SUPERVISORS),
        Event::TicketReleased(body) => alone(&body.by, SELLERS)
            .with(&body.second, SELLERS)
            .answering(SUPERVISORS),
        Event::TicketDuplicated(body) => alone(&body.by, SELLERS)
            .with(&body.second, SELLERS)
            .answering(SUPERVISORS),
        Event::ClaimPresented(body) => match &body.second {
            None => alone(&body.badge, TELLERS).at(body.device, TILLS),
            Some(second) => alone(&body.badge, TELLERS)
                .with(second, TELLERS)
                .answering(CASH)
                .at(body.device, TILLS),
        },
        Event::DamagedTicketRead(body) => alone(&body.badge, TELLERS)
            .with(&body.second, TELLERS)
            .answering(CASH)
            .at(body.device, TILLS),
        Event::FileOpened(body) => alone(&body.badge, TELLERS).at(body.device, TILLS),
        Event::FileJudged(body) => alone(&body.by, CASH).with(&body.second, TELLERS),
        Event::PrizePaid(body) => match &body.second {
            None => alone(&body.badge, TELLERS).key(body.key),
            Some(second) => alone(&body.badge, TELLERS).with(second, CASH).key(body.key),
        },
        Event::PaymentReversed(body) => alone(&body.by, TELLERS).with(&body.second, SUPERVISORS),
        Event::DiscrepancyNoted(body) => alone(&body.badge, TELLERS),
        Event::TicketRemarked(body) => alone(&body.badge, &[AUDITOR]),
        Event::KeyClosed(body) => alone(&body.badge, TELLERS),
        Event::PaymentHeld(body) => alone(&body.by, TELLERS).or(&[GUARD]),
        Event::LostTicketRefunded(body) => alone(&body.badge, TELLERS)
            .with(&body.second, TELLERS)
            .answering(CASH)
            .key(body.key),
        Event::PatronRefused(body) => alone(&body.badge, TELLERS).at(body.device, TILLS),
        _ => return None,
    })
}

impl Replay {
    /// Whether a device is one of the main cage.
    pub(super) fn is_of_the_cage(&self, device: u32) -> bool {
        self.staff
            .place(device)
            .is_some_and(|(role, _)| role == CAGE)
    }

    /// Whoever did what a fact tells was there, had the role for it, and was two where it takes
    /// two.
    pub(super) fn judge_authority(&mut self, event: &Event) {
        self.staff.seller = self.seller_where_two_act(event);
        if let Event::PrintConfirmed(body) = event {
            self.must_be_at(body.device, TILLS);
        }
        if let Event::DrawCertified(body) = event {
            for certifier in body.certifiers.iter().filter(|one| *one != GUARD) {
                self.must_have_chosen(&[certifier]);
                self.must_have(certifier, &[SUPERVISOR, MARKER, VERIFIER]);
            }
        }
        if let Event::FileJudged(body) = event
            && let Some(third) = &body.third
        {
            self.must_have_chosen(&[third]);
            self.must_have(third, THIRDS);
        }
        let Some(act) = act(event) else {
            return;
        };
        self.must_have_chosen(&[act.by, act.second.unwrap_or_default()]);
        match act.second {
            Some(second) if !self.are_two(act.by, second) => {}
            second => self.must_be_theirs(&act, second),
        }
        if let Some((device, places)) = act.device {
            self.must_be_at(device, places);
        }
        if let Event::SessionOpened(body) = event {
            let is_revoked = self
                .staff
                .place(body.device)
                .is_some_and(|(_, active)| !active);
            must!(self, !is_revoked => PlaceWrong, "device {} is revoked", body.device);
        }
        if let Event::PaymentReversed(body) = event
            && let Some(device) = self.device_of_till(body.shift)
        {
            let number = self.badges.get(act.by).copied();
            let is_there = number.is_some() && self.badge_at(device) == number;
            must!(self, is_there => SessionBadge,
                "{:?} is not signed on at device {device}", act.by);
        }
        if let Some(key) = act.key {
            let session = self.sessions.get(&key.session);
            let number = self.badges.get(act.by).copied();
            let is_own = session.is_none_or(|session| Some(session.badge) == number);
            must!(self, is_own => SessionBadge, "{:?} in session {}", act.by, key.session);
        }
    }

    /// Who sold the ticket about which two people act: an acting supervisor is none there.
    fn seller_where_two_act(&self, event: &Event) -> Option<String> {
        let ticket = match event {
            Event::TicketUnpaid(body) => body.ticket,
            Event::TicketReleased(body) => body.ticket,
            Event::TicketDuplicated(body) => body.ticket,
            Event::ClaimPresented(body) if body.second.is_some() => body.ticket,
            Event::PrizePaid(body) if body.second.is_some() => body.ticket,
            Event::PaymentReversed(body) => body.ticket,
            Event::DamagedTicketRead(body) => body.ticket,
            Event::FileJudged(body) => self.damaged.ticket_of(body.file)?,
            _ => return None,
        };
        if !self.staff.is_acted_on(self.now.business_day) {
            return None;
        }
        let seller = self.tickets.get(self.ticket_place(ticket)?)?.badge;
        let mut badges = self.badges.iter();
        let found = badges.find(|(_, number)| **number == seller);
        found.map(|(badge, _)| badge.clone())
    }

    /// Nobody acts with a PIN that others set: those know it.
    pub(super) fn must_have_chosen(&mut self, badges: &[&str]) {
        let known = badges.iter().find(|badge| self.staff.must_change(badge));
        if let Some(badge) = known {
            find!(self => PinNotChosen, "{badge:?}");
        }
    }

    /// A session that a supervisor ended is another human's.
    pub(super) fn judge_relief(&mut self, by: &str, number: u32) {
        let whose = self.badges.iter().find(|(_, known)| **known == number);
        let Some(absent) = whose.map(|(badge, _)| badge.clone()) else {
            return;
        };
        if self.are_two(by, &absent) {
            self.must_have(by, SUPERVISORS);
        }
    }

    /// Whether two badges are two humans; a finding when they are not.
    pub(super) fn are_two(&mut self, by: &str, second: &str) -> bool {
        let are_two = !by.is_empty() && !second.is_empty() && !self.staff.is_one_human(by, second);
        must!(self, are_two => SamePerson, "{by:?} and {second:?}");
        are_two
    }

    fn must_be_theirs(&mut self, act: &Act<'_>, second: Option<&str>) {
        let is_theirs = act.names.contains(&act.by) || self.must_have(act.by, act.roles);
        let Some(second) = second else {
            return;
        };
        if !self.must_have(second, act.second_roles) || !is_theirs {
            return;
        }
        let answers = |badge| {
            let roles = self.staff.roles_now(badge).unwrap_or_default();
            roles.iter().any(|role| act.answering.contains(role))
        };
        let is_answered = act.answering.is_empty() || answers(act.by) || answers(second);
        must!(self, is_answered => RoleWrong,
            "neither {:?} nor {second:?} answers for it", act.by);
    }

    /// Whether a badge stands with one of these roles; a finding when it does not.
    fn must_have(&mut self, badge: &str, roles: &[u8]) -> bool {
        let Some(found) = self.staff.roles_now(badge) else {
            find!(self => BadgeUnknown, "{badge:?}");
            return false;
        };
        let has = found.iter().any(|role| roles.contains(role));
        if !has {
            find!(self => RoleWrong, "{badge:?} has {found:?}");
        }
        has
    }

    fn must_be_at(&mut self, device: u32, places: &[u8]) {
        let found = self.staff.place(device).map(|(role, _)| role);
        self.expect_that(
            found.is_some_and(|role| places.contains(&role)),
            FindingCode::PlaceWrong,
            || match found {
                Some(role) => format!("device {device} of role {role}"),
                None => format!("device {device}"),
            },
        );
    }
}
