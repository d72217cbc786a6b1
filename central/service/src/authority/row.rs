//! What a row of the table says.

use keno_record::roles::{DeviceRole, Role};

/// Roles of persons, at devices of these roles.
pub type Grant = (&'static [DeviceRole], &'static [Role]);

/// Who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    /// Anybody, from anywhere.
    Public,
    /// A device that proved its key; nobody need be signed on.
    Device {
        /// Its role.
        at: &'static [DeviceRole],
    },
    /// Anybody, from anywhere; a device or session that is named must be right.
    Anyone,
    /// Any device, and whoever asks from central's own machine.
    House,
    /// A person whose badge and PIN come with the request.
    Signing {
        /// Role of the device.
        at: &'static [DeviceRole],
        /// Roles of the person.
        roles: &'static [Role],
        /// Also from the command line of central's own machine.
        console: bool,
    },
    /// A person who is signed on.
    Person {
        /// Role of the device.
        at: &'static [DeviceRole],
        /// Roles of the person.
        roles: &'static [Role],
        /// Other roles of persons, at other devices.
        also: &'static [Grant],
    },
    /// A person at the command line of central's own machine.
    Console {
        /// Roles of the person.
        roles: &'static [Role],
    },
    /// Whoever has the account of central's own machine.
    Host,
}

/// Who else must agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Second {
    /// Nobody.
    None,
    /// Another person of one of these roles.
    OneOf(&'static [Role]),
    /// Another person of one of these roles, where the rules of the game ask for one.
    WhenRuled(&'static [Role]),
    /// Another person of `either`, unless the first is of `alone`.
    UnlessBy {
        /// Who needs nobody.
        alone: &'static [Role],
        /// Who may stand beside anybody else.
        either: &'static [Role],
    },
    /// Another person; one of the two must be of `answering`.
    Beside {
        /// Who answers for it.
        answering: &'static [Role],
        /// Who may stand beside them.
        either: &'static [Role],
    },
}

/// What must be the asker's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Own {
    /// Nothing.
    Nothing,
    /// The session.
    Session,
    /// The open till of the device.
    Till,
    /// The till that the asker opened or took over; another's only by a supervisor and a second
    /// person.
    TillOpened,
    /// The last shift that was counted at the device, for those who do not read every one.
    Shift,
    /// The till that made the payment.
    TillPaid,
    /// The device that issued the paper.
    Paper,
    /// The device of the key, or one that was left to it.
    Key,
}

/// Which limits count a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// None of its own.
    None,
    /// A badge with a PIN is tried.
    Pin,
    /// A number or code is tried.
    Number,
}

/// A way in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Door {
    /// An address for programs.
    Api(&'static str, &'static str),
    /// An address of a page.
    Page(&'static str, &'static str),
    /// A command of `keno-central`.
    Command(&'static str),
}

impl Door {
    /// How it is written.
    pub fn text(&self) -> String {
        match self {
            Self::Api(method, path) | Self::Page(method, path) => format!("{method} {path}"),
            Self::Command(words) => format!("keno-central {words}"),
        }
    }
}

/// A row: one operation.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// Stable name.
    pub name: &'static str,
    /// Who asks, and from where.
    pub who: Who,
    /// Who else must agree.
    pub second: Second,
    /// What must be the asker's own.
    pub own: Own,
    /// Which limits count it.
    pub limit: Limit,
    /// What the access log is told, and when.
    pub logged: &'static str,
    /// The ways in.
    pub doors: &'static [Door],
}

impl Who {
    /// The roles of persons who may ask at a device of this role; none where nobody signs on for
    /// it.
    pub fn roles_at(&self, place: DeviceRole) -> Vec<Role> {
        let Self::Person { at, roles, also } = *self else {
            return Vec::new();
        };
        std::iter::once((at, roles))
            .chain(also.iter().copied())
            .filter(|(at, _)| at.contains(&place))
            .flat_map(|(_, roles)| roles.iter().copied())
            .collect()
    }
}

impl Row {
    pub(super) const fn of(name: &'static str, who: Who, doors: &'static [Door]) -> Self {
        Self {
            name,
            who,
            second: Second::None,
            own: Own::Nothing,
            limit: Limit::None,
            logged: "",
            doors,
        }
    }

    pub(super) const fn second(self, second: Second) -> Self {
        Self { second, ..self }
    }

    pub(super) const fn own(self, own: Own) -> Self {
        Self { own, ..self }
    }

    pub(super) const fn limit(self, limit: Limit) -> Self {
        Self { limit, ..self }
    }

    pub(super) const fn logged(self, logged: &'static str) -> Self {
        Self { logged, ..self }
    }
}

pub(super) const fn device(at: &'static [DeviceRole]) -> Who {
    Who::Device { at }
}

pub(super) const fn person(at: &'static [DeviceRole], roles: &'static [Role]) -> Who {
    Who::Person {
        at,
        roles,
        also: &[],
    }
}

pub(super) const fn people(
    at: &'static [DeviceRole],
    roles: &'static [Role],
    also: &'static [Grant],
) -> Who {
    Who::Person { at, roles, also }
}

pub(super) const fn signing(at: &'static [DeviceRole], roles: &'static [Role]) -> Who {
    Who::Signing {
        at,
        roles,
        console: false,
    }
}

pub(super) const fn signing_or_console(at: &'static [DeviceRole], roles: &'static [Role]) -> Who {
    Who::Signing {
        at,
        roles,
        console: true,
    }
}

pub(super) const fn console(roles: &'static [Role]) -> Who {
    Who::Console { roles }
}

pub(super) const fn get(path: &'static str) -> Door {
    Door::Api("GET", path)
}

pub(super) const fn post(path: &'static str) -> Door {
    Door::Api("POST", path)
}

pub(super) const fn delete(path: &'static str) -> Door {
    Door::Api("DELETE", path)
}

pub(super) const fn page(path: &'static str) -> Door {
    Door::Page("GET", path)
}

pub(super) const fn form(path: &'static str) -> Door {
    Door::Page("POST", path)
}

pub(super) const fn command(words: &'static str) -> Door {
    Door::Command(words)
}
