//! A counter that is left: its printer, its screen or its line failed in the middle of a shift. Two
//! people go on at a neighbour with its till and with what it left open, and it serves no more
//! until it is recorded anew.

use std::collections::BTreeMap;

use keno_log::CommandKey;
use keno_log::event::{DeviceHandedOver, DeviceRecorded};
use keno_record::fault::Fault;
use keno_record::sequencer::Lane;
use keno_record::state::HandedOver;
use keno_record::store::hand_overs;
use keno_record::ticket::Ticket;
use keno_schema::Connection;

use crate::authority::Operation;
use crate::authority::identity::Caller;
use crate::central::Central;
use crate::central::pin_door::Recognised;
use crate::refusal::Refusal;
use crate::staff::devices::{DeviceNumber, end_sessions_at, name_of};
use crate::staff::sessions::must_be_open;
use crate::staff::two_people::{must_be_second, must_be_two};
use crate::{Stop, bounds};

/// Why a session ended: its device was handed over.
const DEVICE_HANDED_OVER: u8 = 5;

/// A device that was left, and what the record knows of what it left open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    /// Leaf of the fact.
    pub leaf: u64,
    /// Device that was left.
    pub device: u32,
    /// Its name.
    pub name: String,
    /// Till that moved.
    pub shift: Option<u64>,
    /// Tickets that it sold and whose paper nobody has confirmed, in the order of their keys.
    pub unconfirmed: Vec<Unconfirmed>,
}

/// A ticket whose paper nobody has confirmed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unconfirmed {
    /// Key of its sale.
    pub key: CommandKey,
    /// The ticket.
    pub ticket: u64,
    /// Its price.
    pub total_cents: i64,
    /// What the patron handed over.
    pub received_cents: i64,
}

impl DeviceNumber {
    /// True when what `device` left open is `to`'s by now: it was handed over to it, or to one that
    /// was handed over to it in turn.
    pub fn has_taken(self, handed_over: &BTreeMap<u32, HandedOver>, device: u32) -> bool {
        let mut at = device;
        // A device can come back into service and be left again: no chain is longer than all of them.
        for _ in 0..=handed_over.len() {
            match handed_over.get(&at) {
                Some(left) if left.to == self.0 => return true,
                Some(left) => at = left.to,
                None => return false,
            }
        }
        false
    }
}

/// The device that a key is of: the caller's, or one that was handed over to it after the key's
/// session was opened. What that device does once it serves again is its own affair.
///
/// # Errors
/// [`Refusal::KeyForeign`] or a fault.
pub(crate) fn key_device(
    connection: &mut Connection,
    handed_over: &BTreeMap<u32, HandedOver>,
    here: u32,
    left: Option<u32>,
    session: u64,
) -> Result<u32, Stop> {
    let Some(device) = left.filter(|left| *left != here) else {
        return Ok(here);
    };
    let known = hand_overs::session(connection, session).map_err(Fault::from)?;
    let is_taken = match known {
        Some((of, opened)) => of == device && has_taken_since(connection, here, device, opened)?,
        // A session that a restore lost is in no row, and its keys are dead.
        None => DeviceNumber(here).has_taken(handed_over, device),
    };
    if is_taken {
        Ok(device)
    } else {
        Err(Refusal::KeyForeign.into())
    }
}

/// True when what `device` had open at a leaf came to `here`: by the first time that it was left
/// after that, and so on from there. What became of it later is another story.
///
/// # Errors
/// The database's.
pub(crate) fn has_taken_since(
    connection: &mut Connection,
    here: u32,
    device: u32,
    leaf: u64,
) -> Result<bool, Fault> {
    let (mut at, mut since) = (device, leaf);
    loop {
        match hand_overs::next(connection, at, since)? {
            None => return Ok(false),
            Some((_, to)) if to == here => return Ok(true),
            Some((leaf, to)) => (at, since) = (to, leaf),
        }
    }
}

impl Caller {
    /// Two people go on at the caller's device with what another left open: its sessions end, its
    /// open till moves here, and it is locked. Asked again, it answers the same.
    ///
    /// # Errors
    /// A refusal in the order of [`Refusal`], or a fault; nothing was recorded unless it is
    /// [`Stop::Broke`].
    pub async fn take_over(
        &self,
        central: &Central,
        second: &Recognised,
        device: u32,
        reason: &str,
    ) -> Result<Taken, Stop> {
        self.may(Operation::TakeOver)?;
        must_be_second(central, Operation::TakeOver, self, second)?;
        let to = self.device.device;
        if device == to {
            return Err(Refusal::DeviceIsThisOne.into());
        }
        bounds::reason("reason", reason)?;
        let session = self.session;
        let (by, second, reason) = (
            self.badge.clone(),
            second.badge.clone(),
            reason.trim().to_owned(),
        );
        central
            .sequencer
            .submit(Lane::Money, move |judge| {
                must_be_open(judge, session)?;
                let known = judge.state.devices.get(&device);
                if known.is_none_or(|known| !known.has_till()) {
                    return Err(Refusal::NoSuchCounter.into());
                }
                let left = judge.state.handed_over.get(&device);
                if left.is_some_and(|left| left.is_locked && left.to == to) {
                    return Ok(());
                }
                DeviceNumber(device).must_serve(&judge.state.handed_over, &judge.state.devices)?;
                let till_at = |at: u32| {
                    let mut shifts = judge.state.shifts.iter();
                    shifts.find(|(_, shift)| shift.device == at)
                };
                let shift = till_at(device).map(|(number, _)| *number);
                if shift.is_some() && till_at(to).is_some() {
                    return Err(Refusal::TillAlreadyOpen.into());
                }
                end_sessions_at(judge, device, DEVICE_HANDED_OVER, &by)?;
                judge.record(DeviceHandedOver {
                    device,
                    to,
                    shift,
                    reason: reason.clone(),
                    by: by.clone(),
                    second: second.clone(),
                })?;
                Ok(())
            })
            .await?;
        DeviceNumber(device)
            .left_open(central)
            .map_err(Stop::Broke)?
            .ok_or(Stop::Broke(Fault::Record(format!(
                "device {device} was not handed over"
            ))))
    }
}

impl DeviceNumber {
    /// What a device left open when it was handed over the last time, as the record knows it.
    ///
    /// # Errors
    /// A fault.
    pub fn left_open(self, central: &Central) -> Result<Option<Taken>, Fault> {
        let view = central.view.get();
        let Some(left) = view.handed_over.get(&self.0) else {
            return Ok(None);
        };
        let mut reader = central.readers.get()?;
        let sales = hand_overs::unconfirmed(&mut reader, self.0, left.leaf, left.shift)?;
        let mut unconfirmed = Vec::new();
        for number in sales {
            let Some(ticket) = Ticket::if_it_holds(&mut reader, number)? else {
                // A counter goes on for all the others.
                tracing::error!(number, "a ticket that was left is not what was recorded");
                continue;
            };
            unconfirmed.push(Unconfirmed {
                key: ticket.sale.key,
                ticket: number,
                total_cents: ticket.sale.total_cents,
                received_cents: ticket.sale.received_cents,
            });
        }
        unconfirmed.sort_by_key(|sale| sale.key);
        Ok(Some(Taken {
            leaf: left.leaf,
            device: self.0,
            name: name_of(&view.devices, self.0),
            shift: left.shift,
            unconfirmed,
        }))
    }

    /// A device that was handed over is mended and serves again, as it was recorded.
    ///
    /// # Errors
    /// [`Refusal::RecordUnknown`], [`Refusal::RevokedForGood`], [`Refusal::DeviceNotHandedOver`], and
    /// as `must_be_two`.
    pub fn serve_again(self, central: &Central, by: &str, second: &str) -> Result<u64, Stop> {
        let (by, second) = (by.to_owned(), second.to_owned());
        central
            .sequencer
            .submit_blocking(Lane::Money, move |judge| {
                must_be_two(judge.staff(), Operation::ReturnDevice, &by, &second)?;
                let Some(known) = judge.state.devices.get(&self.0).cloned() else {
                    return Err(Refusal::RecordUnknown.into());
                };
                if !known.active {
                    return Err(Refusal::RevokedForGood.into());
                }
                let left = judge.state.handed_over.get(&self.0);
                if !left.is_some_and(|left| left.is_locked) {
                    return Err(Refusal::DeviceNotHandedOver.into());
                }
                Ok(judge.record(DeviceRecorded {
                    device: self.0,
                    name: known.name,
                    role: known.role,
                    key_hash: known.key_hash,
                    active: true,
                    by: by.clone(),
                    second: second.clone(),
                })?)
            })
    }
}
