//! People and devices: recorded, withdrawn, revoked.

use keno_log::event::{DeviceRecorded, PersonRecorded, SessionEnded};

use crate::central::Central;
use crate::fault::Stop;
use crate::hand_over::must_serve;
use crate::identity::Role;
use crate::keys::{Tag, token_hash};
use crate::new_pin::NewPin;
use crate::pins::credential;
use crate::planted::{Plant, planted};
use crate::refusal::Refusal;
use crate::sequencer::Lane;
use crate::sessions::{DEVICE_REVOKED, end_sessions_at};

impl Central {
    /// Records a person as they are to stand.
    ///
    /// # Errors
    /// [`Refusal::PinTooEasy`], or a fault.
    pub fn record_person(
        &self,
        badge: &str,
        name: &str,
        roles: &[Role],
        pin: &str,
        by: &str,
    ) -> Result<u64, Stop> {
        let mut numbers: Vec<u8> = roles.iter().map(|role| role.number()).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let event = PersonRecorded {
            badge: badge.to_owned(),
            name: name.to_owned(),
            roles: numbers,
            credential: credential(&self.keys, badge, &NewPin::choose(pin)?)?,
            active: true,
            by: by.to_owned(),
        };
        self.sequencer
            .submit_blocking(Lane::Money, move |judge| Ok(judge.record(event.clone())?))
    }

    /// Withdraws a badge; its sessions end.
    ///
    /// # Errors
    /// [`Refusal::RecordUnknown`] for a badge that does not exist.
    pub fn withdraw_person(&self, badge: &str, by: &str) -> Result<u64, Stop> {
        let (badge, by) = (badge.to_owned(), by.to_owned());
        self.sequencer.submit_blocking(Lane::Money, move |judge| {
            let Some(person) = judge.state.people.get(&badge).cloned() else {
                return Err(Refusal::RecordUnknown.into());
            };
            let open: Vec<u64> = judge
                .state
                .sessions
                .iter()
                .filter(|(_, session)| session.badge == badge && !planted(Plant::WithdrawnStays))
                .map(|(number, _)| *number)
                .collect();
            for session in open {
                judge.record(SessionEnded {
                    session,
                    reason: 3,
                    by: by.clone(),
                })?;
            }
            Ok(judge.record(PersonRecorded {
                badge: badge.clone(),
                name: person.name,
                roles: person.roles,
                credential: person.credential,
                active: false,
                by: by.clone(),
            })?)
        })
    }

    /// Enrols a device, or gives it a new key. Returns the key, 32 bytes in hexadecimal: said
    /// once, kept nowhere.
    ///
    /// # Errors
    /// A fault.
    pub fn record_device(
        &self,
        device: u32,
        name: &str,
        role: u8,
        by: &str,
    ) -> Result<String, Stop> {
        let key = self.chance.token()?;
        let event = DeviceRecorded {
            device,
            name: name.to_owned(),
            role,
            key_hash: token_hash(&hex::decode(&key).unwrap_or_default()),
            active: true,
            by: by.to_owned(),
        };
        self.sequencer
            .submit_blocking(Lane::Money, move |judge| Ok(judge.record(event.clone())?))?;
        Ok(key)
    }

    /// Records a device under the hash of its public key: a new device, or a new key for a number
    /// that another device had. Whoever is signed on at that number is signed off: the session's
    /// token went with the old device.
    ///
    /// # Errors
    /// A fault.
    pub fn record_device_key(
        &self,
        device: u32,
        name: &str,
        role: u8,
        key_hash: Tag,
        by: &str,
    ) -> Result<u64, Stop> {
        let event = DeviceRecorded {
            device,
            name: name.to_owned(),
            role,
            key_hash,
            active: true,
            by: by.to_owned(),
        };
        self.sequencer.submit_blocking(Lane::Money, move |judge| {
            end_sessions_at(judge, device, DEVICE_REVOKED, &event.by)?;
            Ok(judge.record(event.clone())?)
        })
    }

    /// A device has proved a new key of its own: it counts from here on, the old one no more.
    /// Sessions go on. The leaf, or `None` when the key was in force already.
    ///
    /// # Errors
    /// [`Refusal::DeviceUnknown`] when the device has another key by now than the one that the
    /// new key follows; [`Refusal::DeviceRevoked`].
    pub fn follow_device_key(
        &self,
        device: u32,
        before: Tag,
        key_hash: Tag,
    ) -> Result<Option<u64>, Stop> {
        self.sequencer.submit_blocking(Lane::Money, move |judge| {
            let Some(known) = judge.state.devices.get(&device).cloned() else {
                return Err(Refusal::DeviceUnknown.into());
            };
            if !known.active {
                return Err(Refusal::DeviceRevoked.into());
            }
            // A record of the device would let it serve again.
            must_serve(&judge.state.handed_over, &judge.state.devices, device)?;
            if known.key_hash == key_hash {
                return Ok(None);
            }
            if known.key_hash != before {
                return Err(Refusal::DeviceUnknown.into());
            }
            Ok(Some(judge.record(DeviceRecorded {
                device,
                name: known.name,
                role: known.role,
                key_hash,
                active: true,
                by: "device".to_owned(),
            })?))
        })
    }

    /// Revokes a device; its sessions end.
    ///
    /// # Errors
    /// [`Refusal::DeviceUnknown`].
    pub fn revoke_device(&self, device: u32, by: &str) -> Result<u64, Stop> {
        let by = by.to_owned();
        self.sequencer.submit_blocking(Lane::Money, move |judge| {
            let Some(known) = judge.state.devices.get(&device).cloned() else {
                return Err(Refusal::DeviceUnknown.into());
            };
            end_sessions_at(judge, device, DEVICE_REVOKED, &by)?;
            Ok(judge.record(DeviceRecorded {
                device,
                name: known.name,
                role: known.role,
                key_hash: known.key_hash,
                active: false,
                by: by.clone(),
            })?)
        })
    }
}
