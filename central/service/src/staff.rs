//! People and devices: who is on record, who may act with whom, and how each is recognised.

pub(crate) mod acting;
pub(crate) mod devices;
pub(crate) mod people;
pub(crate) mod pins;
pub(crate) mod recovery_code;
pub(crate) mod sessions;
pub(crate) mod signing;
pub(crate) mod two_people;

pub use crate::central::pin_door::{Attempt, Credential, Door, Recognised, limiter, new_pin, odds};
pub use acting::{make_acting, name_acting};
pub use devices::{follow_device_key, must_serve, record_device, record_device_key, revoke_device};
pub use people::{NewPerson, choose_pin, make_card, reset_pin, withdraw_person};
pub use pins::{
    is_badge_locked, keeps_pins, lift_badge, recognise_at_console, recognise_owner_at_console,
};
pub use recovery_code::{RecoveryCode, RecoveryTried};
pub use sessions::{LastHeard, end_overlong, relieve, sign_off, sign_on};
pub use signing::{Signed, SignedAt};
pub use two_people::{ADMINISTRATORS_MIN, administrators, must_differ, staff_of};
