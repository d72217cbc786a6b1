//! People and devices: who recorded them, who is one human, and which roles nobody has together.

use std::collections::HashMap;

use keno_log::event::{ActingMade, ActingNamed, DeviceRecorded, PersonRecorded};

use super::Replay;

// Roles of persons.
pub(super) const CLERK: u8 = 1;
pub(super) const SUPERVISOR: u8 = 2;
pub(super) const CASHIER: u8 = 3;
pub(super) const MARKER: u8 = 4;
pub(super) const VERIFIER: u8 = 5;
pub(super) const AUDITOR: u8 = 6;
pub(super) const TECHNICIAN: u8 = 7;
pub(super) const ADMINISTRATOR: u8 = 8;

/// Role numbers that are counted: 0 to 8.
const ROLES: usize = 9;

/// A role, and those that nobody has beside it.
const EXCLUDED: [(u8, &[u8]); 3] = [
    (
        AUDITOR,
        &[
            CLERK,
            SUPERVISOR,
            CASHIER,
            MARKER,
            VERIFIER,
            TECHNICIAN,
            ADMINISTRATOR,
        ],
    ),
    (
        ADMINISTRATOR,
        &[CLERK, SUPERVISOR, CASHIER, MARKER, VERIFIER],
    ),
    (TECHNICIAN, &[CLERK, SUPERVISOR, CASHIER]),
];

/// Who acts where nobody is on record yet.
const CONSOLE: &str = "console";
/// The recovery code, which stands as a badge that nobody has.
const RECOVERY: &str = "recovery";
/// Who acts where a device follows its own key.
const DEVICE: &str = "device";

/// How a badge stands by its last record.
#[derive(Debug, Clone)]
struct Badge {
    record: PersonRecorded,
    /// Whether two administrators have named whoever has it.
    may_act: bool,
    /// The business day on which it was made an acting supervisor last.
    acts_on: Option<u32>,
}

/// The staff, as far as the log was read.
#[derive(Debug, Default)]
pub(super) struct Staff {
    badges: HashMap<String, Badge>,
    /// How each device stands by its last record.
    devices: HashMap<u32, DeviceRecorded>,
    /// How many standing badges of each human have each role.
    humans: HashMap<String, [u64; ROLES]>,
    /// How many humans are administrators.
    administrators: u64,
    /// Who used the recovery code, until another is recorded.
    recovery_used_by: Option<String>,
    /// The business day of the entry being judged.
    pub(super) today: u32,
    /// Who sold the ticket about which two act in the entry being judged.
    pub(super) seller: Option<String>,
}

impl Staff {
    /// The last record of a badge.
    fn record(&self, badge: &str) -> Option<&PersonRecorded> {
        self.badges.get(badge).map(|badge| &badge.record)
    }

    /// True when two badges are one human.
    pub(super) fn is_one_human(&self, one: &str, other: &str) -> bool {
        let staff = |badge: &str| self.record(badge).map(|badge| &badge.staff);
        one == other || (staff(one).is_some() && staff(one) == staff(other))
    }

    /// Whether the PIN of a badge is still the one that others set.
    pub(super) fn must_change(&self, badge: &str) -> bool {
        // The recovery code is nobody's PIN.
        badge != RECOVERY && self.record(badge).is_some_and(|badge| badge.must_change)
    }

    /// Who has a badge: the staff number, or the badge itself where it has none.
    pub(super) fn human(&self, badge: &str) -> String {
        let found = self.record(badge);
        found.map_or_else(
            || format!("badge {badge}"),
            |found| format!("staff {}", found.staff),
        )
    }

    /// The roles with which a badge stands now, that of an acting supervisor among them; none when
    /// it does not stand.
    pub(super) fn roles_now(&self, badge: &str) -> Option<Vec<u8>> {
        let mut roles = self.roles(badge)?.to_vec();
        if self.acts(badge) {
            roles.push(SUPERVISOR);
        }
        Some(roles)
    }

    /// Whether a badge acts as a supervisor today, and not about a ticket that its human sold.
    fn acts(&self, badge: &str) -> bool {
        let known = self.badges.get(badge).filter(|known| known.record.active);
        let is_own = |seller: &String| self.is_one_human(seller, badge);
        known.is_some_and(|known| known.acts_on == Some(self.today))
            && !self.seller.as_ref().is_some_and(is_own)
    }

    /// Whether somebody acts on this day, whoever it is.
    pub(super) fn is_acted_on(&self, day: u32) -> bool {
        let mut badges = self.badges.values();
        badges.any(|badge| badge.acts_on == Some(day))
    }

    /// Whether a badge could be made an acting supervisor.
    fn can_act(&self, badge: &str) -> bool {
        let roles = self.roles(badge).unwrap_or_default();
        let human = self.record(badge);
        let counts = human.and_then(|human| self.humans.get(&human.staff));
        let of_human = |role: u8| counts.is_some_and(|counts| counts[usize::from(role)] > 0);
        !roles.is_empty()
            && !roles.contains(&SUPERVISOR)
            && !of_human(AUDITOR)
            && !of_human(TECHNICIAN)
            && !of_human(ADMINISTRATOR)
    }

    fn is_named_well(&self, body: &ActingNamed) -> bool {
        let by_two =
            self.has(&body.by, &[ADMINISTRATOR]) && self.has(&body.second, &[ADMINISTRATOR]);
        by_two && (!body.may_act || self.can_act(&body.badge))
    }

    fn is_made_well(&self, body: &ActingMade) -> bool {
        let named = self.badges.get(&body.badge);
        let is_another = |badge: &str| !self.is_one_human(badge, &body.badge);
        let is_agreed = match &body.second {
            None => self.has(&body.by, &[SUPERVISOR]),
            Some(second) => {
                self.has(&body.by, &[CASHIER])
                    && self.has(second, &[CLERK, SUPERVISOR, CASHIER])
                    && is_another(second)
            }
        };
        named.is_some_and(|named| named.may_act)
            && self.can_act(&body.badge)
            && is_another(&body.by)
            && is_agreed
    }

    /// The roles with which a badge stands; none when it does not.
    pub(super) fn roles(&self, badge: &str) -> Option<&[u8]> {
        let badge = self.record(badge).filter(|badge| badge.active);
        badge.map(|badge| badge.roles.as_slice())
    }

    /// The role of a device, and whether it is active; none for one that was never recorded.
    pub(super) fn place(&self, device: u32) -> Option<(u8, bool)> {
        let device = self.devices.get(&device);
        device.map(|device| (device.role, device.active))
    }

    /// Whether a badge stands with one of these roles.
    fn has(&self, badge: &str, roles: &[u8]) -> bool {
        let found = self.roles(badge).unwrap_or_default();
        found.iter().any(|role| roles.contains(role))
    }

    fn count(&mut self, badge: &PersonRecorded, step: i64) {
        if !badge.active {
            return;
        }
        let counts = self.humans.entry(badge.staff.clone()).or_default();
        let was = counts[usize::from(ADMINISTRATOR)] > 0;
        let mut seen = [false; ROLES];
        for role in &badge.roles {
            // A role that stands there twice is one.
            let place = usize::from(*role);
            if place < ROLES && !std::mem::replace(&mut seen[place], true) {
                counts[place] = counts[place].saturating_add_signed(step);
            }
        }
        let is = counts[usize::from(ADMINISTRATOR)] > 0;
        self.administrators = self
            .administrators
            .saturating_add_signed(i64::from(is) - i64::from(was));
    }

    fn take(&mut self, badge: &str, stands: Badge) {
        if let Some(before) = self.badges.remove(badge) {
            self.count(&before.record, -1);
        }
        self.count(&stands.record, 1);
        self.badges.insert(badge.to_owned(), stands);
    }

    fn excluded(&self, staff: &str) -> Option<(u8, u8)> {
        let counts = self.humans.get(staff)?;
        let has = |role: u8| counts[usize::from(role)] > 0;
        EXCLUDED.into_iter().find_map(|(one, others)| {
            let other = others.iter().copied().find(|other| has(*other));
            other.filter(|_| has(one)).map(|other| (one, other))
        })
    }

    /// Whether who recorded a person may have done so (`RULES.md`, "People").
    fn is_recorded_well(&self, body: &PersonRecorded) -> bool {
        let before = self.record(&body.badge);
        let keeps_staff = before.is_none_or(|before| before.staff == body.staff);
        if body.badge.is_empty() || body.staff.is_empty() || !keeps_staff {
            return false;
        }
        if body.badge == RECOVERY {
            return self.is_code_recorded_well(body);
        }
        if body.second == RECOVERY {
            return self.is_recovered_well(body);
        }
        let only_the_pin = before.is_some_and(|before| {
            before.active
                && body.active
                && before.name == body.name
                && before.roles == body.roles
                && before.card == body.card
        });
        let (by, second) = (body.by.as_str(), body.second.as_str());
        if second.is_empty() {
            let founds = by == CONSOLE
                && body.roles == [ADMINISTRATOR]
                && body.active
                && body.card == 0
                && self.administrators < 2;
            let chooses = by == body.badge && only_the_pin && !body.must_change;
            return founds || chooses;
        }
        let by_administrators =
            self.has(by, &[ADMINISTRATOR]) && self.has(second, &[ADMINISTRATOR]);
        if by_administrators {
            let card = before.map_or(0, |before| before.card);
            // A card is made by two, and none that was made counts again.
            return body.card >= card
                && (body.active || (by != body.badge && second != body.badge));
        }
        (self.has(by, &[SUPERVISOR]) || self.acts(by))
            && self.has(second, &[CLERK, SUPERVISOR, CASHIER])
            && self.has(&body.badge, &[CLERK])
            && !self.has(&body.badge, &[SUPERVISOR, AUDITOR, ADMINISTRATOR])
            && !self.is_one_human(by, &body.badge)
            && !self.is_one_human(second, &body.badge)
            && only_the_pin
            && body.must_change
    }

    /// A recovery code: the first one, one by two administrators, or the one after a use, by who
    /// used the last.
    fn is_code_recorded_well(&self, body: &PersonRecorded) -> bool {
        let before = self.record(RECOVERY);
        let (by, second) = (body.by.as_str(), body.second.as_str());
        let is_plain = body.staff == RECOVERY
            && body.roles.is_empty()
            && body.active
            && body.card == 0
            && before.is_none_or(|before| before.credential != body.credential);
        let is_first = before.is_none() && by == CONSOLE && second.is_empty() && !body.must_change;
        let by_two = self.has(by, &[ADMINISTRATOR])
            && self.has(second, &[ADMINISTRATOR])
            && !body.must_change;
        let after_use =
            second.is_empty() && body.must_change && self.recovery_used_by.as_deref() == Some(by);
        is_plain && (is_first || by_two || after_use)
    }

    /// An administrator made by one who is left, with a code that was not used before.
    fn is_recovered_well(&self, body: &PersonRecorded) -> bool {
        let by = body.by.as_str();
        self.badges.contains_key(RECOVERY)
            && self.recovery_used_by.is_none()
            && self.has(by, &[ADMINISTRATOR])
            && !self.badges.contains_key(&body.badge)
            && self.record(by).is_some_and(|left| left.staff != body.staff)
            && body.roles == [ADMINISTRATOR]
            && body.active
            && body.card == 0
            && body.must_change
    }

    fn is_device_recorded_well(&self, body: &DeviceRecorded, is_locked: bool) -> bool {
        let (by, second) = (body.by.as_str(), body.second.as_str());
        let keys = [TECHNICIAN, ADMINISTRATOR];
        if !second.is_empty() {
            return body.active
                && self.has(by, &keys)
                && self.has(second, &keys)
                && (self.has(by, &[ADMINISTRATOR]) || self.has(second, &[ADMINISTRATOR]));
        }
        if !body.active {
            return self.has(by, &keys);
        }
        let before = self.devices.get(&body.device);
        by == DEVICE
            && !is_locked
            && before.is_some_and(|before| {
                before.active && before.name == body.name && before.role == body.role
            })
    }
}

impl Replay {
    pub(super) fn person_recorded(&mut self, body: &PersonRecorded) {
        let is_own = body.by == body.badge && body.second.is_empty();
        if !is_own {
            self.must_have_chosen(&[&body.by, &body.second]);
        }
        if !body.second.is_empty() {
            self.are_two(&body.by, &body.second);
        }
        let is_well = self.staff.is_recorded_well(body);
        must!(self, is_well => PersonWrong,
            "{:?} by {:?} and {:?}", body.badge, body.by, body.second);
        let open = self.sessions_of(&body.badge);
        must!(self, open == 0 => PersonSession, "{open} of {:?}", body.badge);
        let before = self.staff.administrators;
        let last = self.staff.badges.get(&body.badge);
        let stands = Badge {
            may_act: is_own && last.is_some_and(|last| last.may_act),
            acts_on: None,
            record: body.clone(),
        };
        if body.badge == RECOVERY {
            self.staff.recovery_used_by = None;
        } else if body.second == RECOVERY {
            self.staff.recovery_used_by = Some(body.by.clone());
        }
        self.staff.take(&body.badge, stands);
        let after = self.staff.administrators;
        must!(self, after >= before.min(2) => AdministratorsFew, "{after} after {:?}", body.badge);
        let excluded = self.staff.excluded(&body.staff).filter(|_| body.active);
        if let Some((one, other)) = excluded {
            find!(self => RolesExcluded, "{one} and {other} of {:?}", body.staff);
        }
    }

    pub(super) fn acting_named(&mut self, body: &ActingNamed) {
        self.must_have_chosen(&[&body.by, &body.second]);
        self.are_two(&body.by, &body.second);
        let is_well = self.staff.is_named_well(body);
        must!(self, is_well => ActingWrong,
            "{:?} by {:?} and {:?}", body.badge, body.by, body.second);
        if let Some(named) = self.staff.badges.get_mut(&body.badge) {
            named.may_act = body.may_act;
            named.acts_on = named.acts_on.filter(|_| body.may_act);
        }
    }

    /// Somebody acts as a supervisor for the business day of this entry.
    pub(super) fn acting_made(&mut self, body: &ActingMade) {
        let second = body.second.as_deref();
        self.must_have_chosen(&[&body.by, second.unwrap_or_default()]);
        if let Some(second) = second {
            self.are_two(&body.by, second);
        }
        let is_well = self.staff.is_made_well(body);
        must!(self, is_well => ActingWrong, "{:?} by {:?} and {second:?}", body.badge, body.by);
        let today = self.staff.today;
        if let Some(made) = self.staff.badges.get_mut(&body.badge) {
            made.acts_on = Some(today);
        }
    }

    /// A device that is recorded again, and active, serves again. Its role is the last that was
    /// recorded.
    pub(super) fn device_recorded(&mut self, body: &DeviceRecorded) {
        self.must_have_chosen(&[&body.by, &body.second]);
        if !body.second.is_empty() {
            self.are_two(&body.by, &body.second);
        }
        let is_locked = self.locked.contains(&body.device);
        let is_well = self.staff.is_device_recorded_well(body, is_locked);
        must!(self, is_well => DeviceWrong,
            "{} by {:?} and {:?}", body.device, body.by, body.second);
        self.staff.devices.insert(body.device, body.clone());
        if body.active {
            self.locked.remove(&body.device);
        }
    }
}
