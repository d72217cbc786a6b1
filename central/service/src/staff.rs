//! People and devices: who is on record, who may act with whom, and how each is recognised.

pub(crate) mod acting;
pub(crate) mod devices;
pub(crate) mod people;
pub(crate) mod pins;
pub(crate) mod recovery_code;
pub(crate) mod sessions;
pub(crate) mod signing;
pub(crate) mod two_people;

pub use crate::central::pin_door::limiter::Origin;
pub use crate::central::pin_door::new_pin::NewPin;
pub use crate::central::pin_door::odds::guesses_within;
pub use crate::central::pin_door::{Attempt, Credential, Door, Recognised};
pub use devices::DeviceNumber;
pub use people::{Badge, NewPerson};
pub use recovery_code::{RecoveryCode, RecoveryTried};
pub use sessions::LastHeard;
pub use signing::{Signed, SignedAt};
pub use two_people::{must_differ, staff_of};
