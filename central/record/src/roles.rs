//! What people and devices are, by the numbers that the record has.

/// What a person may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Sells, pays, cancels.
    Clerk = 1,
    /// Approves, suspends, releases.
    Supervisor = 2,
    /// Pays the large prizes.
    Cage = 3,
    /// Enters the balls; takes draw steps.
    Marker = 4,
    /// Enters them again, blind; certifies.
    Verifier = 5,
    /// Reads everything, writes nothing about money.
    Auditor = 6,
    /// Enrols and tests devices.
    Technician = 7,
    /// Publishes rules, makes people.
    Administrator = 8,
}

impl Role {
    /// Every role.
    pub const ALL: [Self; 8] = [
        Self::Clerk,
        Self::Supervisor,
        Self::Cage,
        Self::Marker,
        Self::Verifier,
        Self::Auditor,
        Self::Technician,
        Self::Administrator,
    ];

    /// Stable number.
    pub fn number(self) -> u8 {
        self as u8
    }

    /// Stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Clerk => "clerk",
            Self::Supervisor => "supervisor",
            Self::Cage => "cage",
            Self::Marker => "marker",
            Self::Verifier => "verifier",
            Self::Auditor => "auditor",
            Self::Technician => "technician",
            Self::Administrator => "administrator",
        }
    }

    /// The role of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }
}

// What a sentence calls it.
keno_words::says! { Role: role { Clerk, Supervisor, Cage, Marker, Verifier, Auditor, Technician, Administrator } }

/// Who may have a till, and pay from it.
pub const TILL_ROLES: [Role; 3] = [Role::Clerk, Role::Supervisor, Role::Cage];

/// What a device is, and so where it stands: what may be done at all from there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DeviceRole {
    /// Sells, pays and cancels over a counter.
    Counter = 1,
    /// A patron's: checks tickets; nobody signs on there.
    Kiosk = 2,
    /// Shows the board.
    Display = 3,
    /// The audit office.
    Audit = 4,
    /// The desk from which draws are held.
    Desk = 5,
    /// The back office: rules, limits, staff.
    Office = 6,
    /// A counter of the main cage: pays what the others may not.
    Cage = 7,
}

impl DeviceRole {
    /// Every role of a device.
    pub const ALL: [Self; 7] = [
        Self::Counter,
        Self::Kiosk,
        Self::Display,
        Self::Audit,
        Self::Desk,
        Self::Office,
        Self::Cage,
    ];

    /// Stable number, as the record has it.
    pub fn number(self) -> u8 {
        self as u8
    }

    /// Stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Counter => "counter",
            Self::Kiosk => "kiosk",
            Self::Display => "display",
            Self::Audit => "audit",
            Self::Desk => "desk",
            Self::Office => "office",
            Self::Cage => "cage",
        }
    }

    /// The role of a number.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.number() == number)
    }

    /// The role of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }

    /// True where tickets are sold and paid from a till.
    pub fn has_till(self) -> bool {
        matches!(self, Self::Counter | Self::Cage)
    }
}

// What a sentence calls it.
keno_words::says! { DeviceRole: place { Counter, Kiosk, Display, Audit, Desk, Office, Cage } }

/// True when one of `roles` is among the numbers.
pub fn has_any(numbers: &[u8], roles: &[Role]) -> bool {
    roles.iter().any(|role| numbers.contains(&role.number()))
}
