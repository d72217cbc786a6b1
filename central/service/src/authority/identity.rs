//! Who is asking: roles, and a caller that was recognised.

use keno_record::keys::{Tag, token_hash};
use keno_record::people::Staff;
use keno_record::roles::DeviceRole;
use keno_record::state::Device;
use keno_record::view::View;
use subtle::ConstantTimeEq;

use crate::refusal::Refusal;

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

impl DeviceCaller {
    /// Recognises a device by the key that it sends.
    ///
    /// # Errors
    /// [`Refusal::DeviceUnknown`] (also for a wrong key: which one, an outsider need not learn) or
    /// [`Refusal::DeviceRevoked`].
    pub fn of_sent_key(view: &View, number: u32, key: &[u8]) -> Result<DeviceCaller, Refusal> {
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
    pub fn of_key(view: &View, key_hash: &Tag) -> Result<DeviceCaller, Refusal> {
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
    /// [`Refusal::SessionEnded`] when no such session is open, or its person's badge was withdrawn;
    /// [`Refusal::SessionElsewhere`] when it is another device's. Only who has its token learns that.
    pub fn signed_on(
        self,
        view: &View,
        number: u64,
        token: &[u8],
        staff: Staff<'_>,
    ) -> Result<Caller, Refusal> {
        let given = token_hash(token);
        let known = view.sessions.get(&number);
        let expected = known.map_or([0; 32], |session| session.token_hash);
        let matches: bool = given.ct_eq(&expected).into();
        let Some(session) = known.filter(|_| matches) else {
            return Err(Refusal::SessionEnded);
        };
        if session.device != self.device {
            return Err(Refusal::SessionElsewhere);
        }
        let person = view.people.get(&session.badge);
        if !person.is_some_and(|person| person.active) {
            return Err(Refusal::SessionEnded);
        }
        Ok(Caller {
            device: self,
            session: number,
            badge: session.badge.clone(),
            roles: staff.roles(&session.badge),
        })
    }
}
