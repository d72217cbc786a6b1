//! Devices on record: enrolled, given another key, revoked; and which of them serve.

use std::collections::{BTreeMap, HashMap};

use keno_log::event::{DeviceRecorded, SessionEnded};
use keno_record::keys::{Tag, token_hash};
use keno_record::sequencer::{Judge, Lane};
use keno_record::state::{Device, HandedOver};

use crate::authority::Operation;
use crate::central::Central;
use crate::refusal::Refusal;
use crate::staff::two_people::must_be_two;
use crate::{Stop, bounds};

/// The number of a device: what is done about the device, or known of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeviceNumber(pub u32);

impl DeviceNumber {
    /// Refuses a device that was handed over to another.
    ///
    /// # Errors
    /// [`Refusal::DeviceHandedOver`] with the name of the one that goes on.
    pub fn must_serve(
        self,
        handed_over: &BTreeMap<u32, HandedOver>,
        devices: &HashMap<u32, Device>,
    ) -> Result<(), Refusal> {
        if devices.get(&self.0).is_some_and(|device| !device.active) {
            return Err(Refusal::DeviceRevoked);
        }
        match handed_over.get(&self.0).filter(|left| left.is_locked) {
            None => Ok(()),
            Some(left) => Err(Refusal::DeviceHandedOver {
                to: name_of(devices, left.to),
            }),
        }
    }
}

pub(crate) fn name_of(devices: &HashMap<u32, Device>, device: u32) -> String {
    devices
        .get(&device)
        .map_or_else(|| device.to_string(), |known| known.name.clone())
}

impl DeviceNumber {
    /// Enrols a device, or gives it a new key, by two people; whoever is signed on at it is signed off.
    /// Returns the key, 32 bytes in hexadecimal: said once, kept nowhere.
    ///
    /// # Errors
    /// As [`bounds::word`] and `must_be_two`; a fault.
    pub fn record(
        self,
        central: &Central,
        name: &str,
        role: u8,
        people: (&str, &str),
    ) -> Result<String, Stop> {
        let key = central.chance.token()?;
        let key_hash = token_hash(&hex::decode(&key).unwrap_or_default());
        let operation = Operation::RecordDevice;
        self.record_by(central, operation, (name, role), key_hash, people)?;
        Ok(key)
    }

    /// Records a device under the hash of its public key, by two people: a new device, or a new key
    /// for a number that another device had; whoever is signed on at it is signed off.
    ///
    /// # Errors
    /// As [`Self::record`].
    pub fn record_key(
        self,
        central: &Central,
        name: &str,
        role: u8,
        key_hash: Tag,
        people: (&str, &str),
    ) -> Result<u64, Stop> {
        let operation = Operation::ApproveEnrolment;
        self.record_by(central, operation, (name, role), key_hash, people)
    }

    /// As both of them: a session's token went with the old device.
    fn record_by(
        self,
        central: &Central,
        operation: Operation,
        (name, role): (&str, u8),
        key_hash: Tag,
        (by, second): (&str, &str),
    ) -> Result<u64, Stop> {
        bounds::word("name", name)?;
        let event = DeviceRecorded {
            device: self.0,
            name: name.to_owned(),
            role,
            key_hash,
            active: true,
            by: by.to_owned(),
            second: second.to_owned(),
        };
        central
            .sequencer
            .submit_blocking(Lane::Money, move |judge| {
                must_be_two(judge.staff(), operation, &event.by, &event.second)?;
                end_sessions_at(judge, self.0, DEVICE_REVOKED, &event.by)?;
                Ok(judge.record(event.clone())?)
            })
    }

    /// A device has proved a new key of its own: it counts from here on, the old one no more.
    /// Sessions go on. The leaf, or `None` when the key was in force already.
    ///
    /// # Errors
    /// [`Refusal::DeviceUnknown`] when the device has another key by now than the one that the
    /// new key follows; [`Refusal::DeviceRevoked`].
    pub fn follow_key(
        self,
        central: &Central,
        before: Tag,
        key_hash: Tag,
    ) -> Result<Option<u64>, Stop> {
        central
            .sequencer
            .submit_blocking(Lane::Money, move |judge| {
                let Some(known) = judge.state.devices.get(&self.0).cloned() else {
                    return Err(Refusal::DeviceUnknown.into());
                };
                if !known.active {
                    return Err(Refusal::DeviceRevoked.into());
                }
                // A record of the device would let it serve again.
                self.must_serve(&judge.state.handed_over, &judge.state.devices)?;
                if known.key_hash == key_hash {
                    return Ok(None);
                }
                if known.key_hash != before {
                    return Err(Refusal::DeviceUnknown.into());
                }
                Ok(Some(judge.record(DeviceRecorded {
                    device: self.0,
                    name: known.name,
                    role: known.role,
                    key_hash,
                    active: true,
                    by: "device".to_owned(),
                    second: String::new(),
                })?))
            })
    }

    /// Revokes a device, by one person and at once; its sessions end.
    ///
    /// # Errors
    /// [`Refusal::DeviceUnknown`].
    pub fn revoke(self, central: &Central, by: &str) -> Result<u64, Stop> {
        let by = by.to_owned();
        central
            .sequencer
            .submit_blocking(Lane::Money, move |judge| {
                let Some(known) = judge.state.devices.get(&self.0).cloned() else {
                    return Err(Refusal::DeviceUnknown.into());
                };
                end_sessions_at(judge, self.0, DEVICE_REVOKED, &by)?;
                Ok(judge.record(DeviceRecorded {
                    device: self.0,
                    name: known.name,
                    role: known.role,
                    key_hash: known.key_hash,
                    active: false,
                    by: by.clone(),
                    second: String::new(),
                })?)
            })
    }
}
/// Why a session ended: its device was revoked, or has another key.
pub(crate) const DEVICE_REVOKED: u8 = 4;

/// Ends every session at a device, for that reason.
pub(crate) fn end_sessions_at(
    judge: &mut Judge<'_>,
    device: u32,
    reason: u8,
    by: &str,
) -> Result<(), Stop> {
    let open: Vec<u64> = judge
        .state
        .sessions
        .iter()
        .filter(|(_, session)| session.device == device)
        .map(|(number, _)| *number)
        .collect();
    for session in open {
        judge.record(SessionEnded {
            session,
            reason,
            by: by.to_owned(),
        })?;
    }
    Ok(())
}
