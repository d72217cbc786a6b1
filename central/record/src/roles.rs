//! What people and devices are, by the numbers that the record has.

keno_game::numbered! {
    /// What a person may do.
    Role, number, from_number, name, from_name {
        /// Sells, pays, cancels.
        Clerk = 1 "clerk",
        /// Approves, suspends, releases.
        Supervisor = 2 "supervisor",
        /// Pays the large prizes.
        Cage = 3 "cage",
        /// Enters the balls; takes draw steps.
        Marker = 4 "marker",
        /// Enters them again, blind; certifies.
        Verifier = 5 "verifier",
        /// Reads everything, writes nothing about money.
        Auditor = 6 "auditor",
        /// Enrols and tests devices.
        Technician = 7 "technician",
        /// Publishes rules, makes people.
        Administrator = 8 "administrator",
    }
}

// What a sentence calls it.
keno_words::says! { Role: role { Clerk, Supervisor, Cage, Marker, Verifier, Auditor, Technician, Administrator } }

/// Who may have a till, and pay from it.
pub const TILL_ROLES: [Role; 3] = [Role::Clerk, Role::Supervisor, Role::Cage];

keno_game::numbered! {
    /// What a device is, and so where it stands: what may be done at all from there.
    DeviceRole, number, from_number, name, from_name {
        /// Sells, pays and cancels over a counter.
        Counter = 1 "counter",
        /// A patron's: checks tickets; nobody signs on there.
        Kiosk = 2 "kiosk",
        /// Shows the board.
        Display = 3 "display",
        /// The audit office.
        Audit = 4 "audit",
        /// The desk from which draws are held.
        Desk = 5 "desk",
        /// The back office: rules, limits, staff.
        Office = 6 "office",
        /// A counter of the main cage: pays what the others may not.
        Cage = 7 "cage",
    }
}

impl DeviceRole {
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
