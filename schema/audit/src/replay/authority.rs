//! Who did what, and where (`RULES.md`, "People and places").

use keno_log::{Event, EventKind};

use super::Replay;
use super::people::{
    ADMINISTRATOR, AUDITOR, CASHIER, CLERK, MARKER, SUPERVISOR, TECHNICIAN, VERIFIER,
};

const SELLERS: &[u8] = &[CLERK, SUPERVISOR];
const TELLERS: &[u8] = &[CLERK, SUPERVISOR, CASHIER];
const CASH: &[u8] = &[SUPERVISOR, CASHIER];
const SUPERVISORS: &[u8] = &[SUPERVISOR];
/// Who judges a file as the third.
const THIRDS: &[u8] = &[SUPERVISOR, CASHIER, ADMINISTRATOR];
const DECIDERS: &[u8] = &[SUPERVISOR, ADMINISTRATOR];
/// Who decides about a draw.
const JUDGES: &[u8] = &[SUPERVISOR, VERIFIER, ADMINISTRATOR];
/// Who says what they saw of the balls: whoever decides about a draw, or enters its balls.
const ATTESTERS: &[u8] = &[SUPERVISOR, MARKER, VERIFIER, ADMINISTRATOR];
/// Who enters balls.
const ENTERERS: &[u8] = &[MARKER, VERIFIER];
/// Who works in the draw room.
const ROOM: &[u8] = &[SUPERVISOR, MARKER, VERIFIER];
/// Who opens payouts for which the second computation is out.
const OPENERS: &[u8] = &[SUPERVISOR, VERIFIER, AUDITOR, ADMINISTRATOR];
/// Of whom one is not of the counter.
const OFFICE: &[u8] = &[VERIFIER, AUDITOR, ADMINISTRATOR];
const RESTORERS: &[u8] = &[SUPERVISOR, TECHNICIAN, ADMINISTRATOR];
/// Any role: who signs on, or is signed off.
const ANYONE: &[u8] = &[1, 2, 3, 4, 5, 6, 7, 8];

// Roles of devices.
/// Role of a device at the main cage.
const CAGE: u8 = 7;
/// Role of a device at the desk of the draws.
const DESK: u8 = 5;
/// Where there is a till: counter and cage.
const TILLS: &[u8] = &[1, CAGE];
/// Where people sign on: there, and at audit office, draw desk and back office.
const STAFFED: &[u8] = &[1, 4, 5, 6, CAGE];

/// Who recorded a fact when it was no person.
const CONSOLE: &str = "console";
const CENTRAL: &str = "central";
const GUARD: &str = "guard";

/// Who may do what a fact tells.
#[derive(Debug, Clone, Copy)]
struct Rule {
    by: &'static [u8],
    /// Names beside the badges.
    names: &'static [&'static str],
    second: &'static [u8],
    /// One of the two must have one of these; none: nothing more is asked.
    answering: &'static [u8],
    place: Place,
}

/// Where it is done.
#[derive(Debug, Clone, Copy)]
enum Place {
    Anywhere,
    /// At a device of these roles.
    At(&'static [u8]),
    /// By a command of a session, whose badge it is, at a till.
    Command,
}

const fn alone(by: &'static [u8], place: Place) -> Rule {
    two(by, &[], &[], place)
}

const fn named(by: &'static [u8], names: &'static [&'static str]) -> Rule {
    Rule {
        names,
        ..alone(by, Place::Anywhere)
    }
}

const fn two(
    by: &'static [u8],
    second: &'static [u8],
    answering: &'static [u8],
    place: Place,
) -> Rule {
    Rule {
        by,
        names: &[],
        second,
        answering,
        place,
    }
}

/// The rule of a kind of fact; none where nobody acts, or where it is judged elsewhere.
fn rule(kind: EventKind) -> Option<Rule> {
    use EventKind as Kind;
    use Place::{Anywhere, At, Command};
    Some(match kind {
        Kind::RuleBookPublished | Kind::ScheduleConfirmed | Kind::SalesResumed => {
            two(DECIDERS, DECIDERS, &[], Anywhere)
        }
        Kind::SessionOpened => alone(ANYONE, At(STAFFED)),
        Kind::SessionEnded => named(ANYONE, &[CONSOLE, CENTRAL]),
        Kind::ShiftOpened | Kind::FileOpened | Kind::PatronRefused => alone(TELLERS, At(TILLS)),
        Kind::ShiftClosed => two(TELLERS, TELLERS, SUPERVISORS, Anywhere),
        Kind::TillMoved | Kind::LostTicketRefunded => two(TELLERS, TELLERS, CASH, Command),
        Kind::TillCounted
        | Kind::DeviceHandedOver
        | Kind::ClaimPresented
        | Kind::DamagedTicketRead => two(TELLERS, TELLERS, CASH, At(TILLS)),
        Kind::SalesSuspended => named(DECIDERS, &[GUARD]),
        Kind::EpochOpened => two(RESTORERS, RESTORERS, &[], Anywhere),
        Kind::DrawSuspended => named(&[SUPERVISOR, MARKER, VERIFIER, ADMINISTRATOR], &[GUARD]),
        Kind::DrawResumed | Kind::DrawVoided | Kind::ComputerStoodIn => {
            two(JUDGES, JUDGES, DECIDERS, Anywhere)
        }
        Kind::TubesAttested => two(ATTESTERS, ATTESTERS, &[], Anywhere),
        Kind::BallEntered => alone(ENTERERS, At(&[DESK])),
        Kind::DrawPostponed => two(
            &[SUPERVISOR, VERIFIER],
            &[SUPERVISOR, VERIFIER],
            SUPERVISORS,
            Anywhere,
        ),
        Kind::BallSetMeasured
        | Kind::BallSetsOffered
        | Kind::DrawRoomOpened
        | Kind::DrawRoomEnded => two(ROOM, ROOM, &[], Anywhere),
        Kind::FollowerBegan | Kind::PayoutsOpened => two(OPENERS, OPENERS, OFFICE, Anywhere),
        Kind::IncidentLogged => alone(ROOM, At(&[DESK])),
        Kind::EntererReplaced => two(
            ENTERERS,
            &[SUPERVISOR, MARKER, VERIFIER],
            SUPERVISORS,
            Anywhere,
        ),
        Kind::TicketSold => alone(SELLERS, Command),
        Kind::TicketCancelled => two(SELLERS, CASH, &[], Command),
        Kind::TicketUnpaid | Kind::TicketReleased | Kind::TicketDuplicated => {
            two(SELLERS, SELLERS, SUPERVISORS, Anywhere)
        }
        Kind::FileJudged => two(CASH, TELLERS, &[], Anywhere),
        Kind::PrizePaid => two(TELLERS, CASH, &[], Command),
        Kind::PaymentReversed => two(TELLERS, SUPERVISORS, &[], Anywhere),
        Kind::DiscrepancyNoted | Kind::KeyClosed => alone(TELLERS, Anywhere),
        Kind::TicketRemarked => alone(&[AUDITOR], Anywhere),
        Kind::PaymentHeld => named(TELLERS, &[GUARD]),
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
        let Some(rule) = rule(event.kind()) else {
            return;
        };
        let names = event.names();
        let by = names.by.unwrap_or_default();
        self.must_have_chosen(&[by, names.second.unwrap_or_default()]);
        match names.second {
            Some(second) if !self.are_two(by, second) => {}
            second => self.must_be_theirs(&rule, by, second),
        }
        let key = names.key.filter(|_| matches!(rule.place, Place::Command));
        match (rule.place, key, names.device) {
            (Place::At(places), _, Some(device)) => self.must_be_at(device, places),
            (_, Some(key), _) => self.must_be_at(key.device, TILLS),
            _ => {}
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
            let number = self.badges.get(by).copied();
            let is_there = number.is_some() && self.badge_at(device) == number;
            must!(self, is_there => SessionBadge,
                "{by:?} is not signed on at device {device}");
        }
        if let Some(key) = key {
            let session = self.sessions.get(&key.session);
            let number = self.badges.get(by).copied();
            let is_own = session.is_none_or(|session| Some(session.badge) == number);
            must!(self, is_own => SessionBadge, "{by:?} in session {}", key.session);
        }
    }

    /// Who sold the ticket about which two people act: an acting supervisor is none there.
    fn seller_where_two_act(&self, event: &Event) -> Option<String> {
        let names = event.names();
        let ticket = match event {
            Event::FileJudged(body) => self.damaged.ticket_of(body.file)?,
            _ => names.second.and(names.ticket)?,
        };
        if !self.staff.is_acted_on(self.now.business_day) {
            return None;
        }
        let seller = self.ticket_at(ticket)?.seller.badge;
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

    fn must_be_theirs(&mut self, rule: &Rule, by: &str, second: Option<&str>) {
        let is_theirs = rule.names.contains(&by) || self.must_have(by, rule.by);
        let Some(second) = second else {
            return;
        };
        if !self.must_have(second, rule.second) || !is_theirs {
            return;
        }
        let answers = |badge| {
            let roles = self.staff.roles_now(badge).unwrap_or_default();
            roles.iter().any(|role| rule.answering.contains(role))
        };
        let is_answered = rule.answering.is_empty() || answers(by) || answers(second);
        must!(self, is_answered => RoleWrong,
            "neither {by:?} nor {second:?} answers for it");
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
        let of_role = found.map_or(String::new(), |role| format!(" of role {role}"));
        must!(self, found.is_some_and(|role| places.contains(&role)) => PlaceWrong,
            "device {device}{of_role}");
    }
}
