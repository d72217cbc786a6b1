//! Who is asking: roles, and a caller that was recognised.

use subtle::ConstantTimeEq;

use crate::keys::{Tag, token_hash};
use crate::refusal::Refusal;
use crate::staff::Staff;
use crate::state::Device;
use crate::view::View;

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

    /// What a sentence in French calls it.
    pub fn name_fr(self) -> &'static str {
        match self {
            Self::Clerk => "commis",
            Self::Supervisor => "superviseur",
            Self::Cage => "caissier de la caisse principale",
            Self::Marker => "marqueur",
            Self::Verifier => "contrôleur du tirage",
            Self::Auditor => "auditeur",
            Self::Technician => "technicien",
            Self::Administrator => "administrateur",
        }
    }

    /// What a sentence in English calls it.
    pub fn name_en(self) -> &'static str {
        match self {
            Self::Cage => "cage cashier",
            Self::Verifier => "draw verifier",
            other => other.name(),
        }
    }

    /// The role of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }
}

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

    /// What a sentence in French calls it.
    pub fn name_fr(self) -> &'static str {
        match self {
            Self::Counter => "comptoir",
            Self::Kiosk => "borne",
            Self::Display => "écran d’affichage",
            Self::Audit => "audit interne",
            Self::Desk => "poste de tirage",
            Self::Office => "bureau de l’administration",
            Self::Cage => "caisse principale",
        }
    }

    /// What a sentence in English calls it.
    pub fn name_en(self) -> &'static str {
        match self {
            Self::Counter => "counter",
            Self::Kiosk => "kiosk",
            Self::Display => "hall display",
            Self::Audit => "audit office",
            Self::Desk => "draw desk",
            Self::Office => "back office",
            Self::Cage => "main cage",
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

/// A device that proved its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceCaller {
    /// Device number.
    pub device: u32,
    /// What it is.
    pub role: DeviceRole,
    /// Name on paper.
    pub name: String,
}

/// A person signed on at a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The device.
    pub device: DeviceCaller,
    /// Session number.
    pub session: u64,
    /// Badge.
    pub badge: String,
    /// Role numbers.
    pub roles: Vec<u8>,
}

/// True when one of `roles` is among the numbers.
pub fn has_any(numbers: &[u8], roles: &[Role]) -> bool {
    roles.iter().any(|role| numbers.contains(&role.number()))
}

/// A device as a caller. One of a role that this program does not know may do nothing.
fn caller_of(number: u32, device: &Device) -> Result<DeviceCaller, Refusal> {
    Ok(DeviceCaller {
        device: number,
        role: DeviceRole::from_number(device.role).ok_or(Refusal::DeviceUnknown)?,
        name: device.name.clone(),
    })
}

/// Bytes of a key that a device sends. A public key has another length: whoever has only seen
/// one cannot send it in the place of a key whose hash it has.
const SENT_KEY_BYTES: usize = 32;

/// Recognises a device by the key that it sends.
///
/// # Errors
/// [`Refusal::DeviceUnknown`] (also for a wrong key: which one, an outsider need not learn) or
/// [`Refusal::DeviceRevoked`].
pub fn device(view: &View, number: u32, key: &[u8]) -> Result<DeviceCaller, Refusal> {
    let given = token_hash(key);
    let known = view.devices.get(&number);
    // A comparison is made in any case, so that timing does not tell which devices exist.
    let expected = known.map_or([0; 32], |device| device.key_hash);
    let matches = bool::from(given.ct_eq(&expected)) && key.len() == SENT_KEY_BYTES;
    match known {
        Some(device) if matches && device.active => caller_of(number, device),
        Some(_) if matches => Err(Refusal::DeviceRevoked),
        _ => Err(Refusal::DeviceUnknown),
    }
}

/// Recognises a device by the hash of the public key whose private half it has just proved to
/// hold. The hash of an active device is no secret: nothing is learnt from how long this takes.
///
/// # Errors
/// [`Refusal::DeviceRevoked`], or [`Refusal::DeviceUnknown`] for a key that no device has now.
pub fn device_of_key(view: &View, key_hash: &Tag) -> Result<DeviceCaller, Refusal> {
    let mut refusal = Refusal::DeviceUnknown;
    for (number, device) in &view.devices {
        if device.key_hash != *key_hash {
            continue;
        }
        if device.active {
            return caller_of(*number, device);
        }
        refusal = Refusal::DeviceRevoked;
    }
    Err(refusal)
}

/// Recognises a session by its token; `staff` says which roles count now.
///
/// # Errors
/// [`Refusal::SessionEnded`] when no such session is open at this device, or its person's badge
/// was withdrawn.
pub fn session(
    view: &View,
    device: DeviceCaller,
    number: u64,
    token: &[u8],
    staff: Staff<'_>,
) -> Result<Caller, Refusal> {
    let given = token_hash(token);
    let known = view
        .sessions
        .get(&number)
        .filter(|session| session.device == device.device);
    let expected = known.map_or([0; 32], |session| session.token_hash);
    let matches: bool = given.ct_eq(&expected).into();
    let Some(session) = known.filter(|_| matches) else {
        return Err(Refusal::SessionEnded);
    };
    let person = view.people.get(&session.badge);
    if !person.is_some_and(|person| person.active) {
        return Err(Refusal::SessionEnded);
    }
    Ok(Caller {
        device,
        session: number,
        badge: session.badge.clone(),
        roles: staff.roles(&session.badge),
    })
}
