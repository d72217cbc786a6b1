//! Messages of the supervisors to the clerks, and who has read them. They stand in the file of the
//! access log, written by its one writer, so that a restart loses none.

use std::collections::BTreeMap;

use diesel::QueryResult;
use keno_record::people::is_one_human;
use keno_record::store::access::{AccessFile, AcknowledgementRow, MessageRow};
use keno_record::store::{access, big, unbig};
use keno_record::view::View;
use parking_lot::Mutex;

use super::{AccessFault, AccessLog, Entry};
use crate::authority::identity::{Caller, DeviceCaller};
use crate::refusal::Refusal;
use crate::{Central, Stop};

/// Messages are shown for so many hours.
const SHOWN_HOURS: i64 = 12;
const SHOWN_MS: i64 = SHOWN_HOURS * 60 * 60 * 1000;

/// A message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// When it was sent, UTC milliseconds.
    pub at_ms: i64,
    /// Badge of who sent it.
    pub by: String,
    /// Device that it is for; every counter when there is none.
    pub device: Option<u32>,
    /// In French.
    pub fr: String,
    /// In English.
    pub en: String,
    /// Who has read it, by device: badge and moment.
    pub read: BTreeMap<u32, (String, i64)>,
}

impl Message {
    fn is_shown(&self, now_ms: i64) -> bool {
        now_ms - self.at_ms < SHOWN_MS
    }

    /// Whether it waits for somebody at a device.
    pub fn waits_at(&self, device: u32) -> bool {
        self.device.is_none_or(|only| only == device) && !self.read.contains_key(&device)
    }
}

/// Nobody reads in the last moments before a close of sales: wagers come first.
const QUIET_MS: i64 = 60_000;

/// True in the last moments before a close of sales: at most half the time between two draws, so
/// that a message comes at all where draws are close to each other.
fn is_quiet(central: &Central, view: &View, now_ms: i64) -> bool {
    let every_ms = i64::from(central.house.every_minutes) * 60_000;
    let quiet_ms = QUIET_MS.min(every_ms / 2);
    view.next_open()
        .map(|draw| draw.closes_at_ms() - now_ms)
        .is_some_and(|left_ms| (0..quiet_ms).contains(&left_ms))
}

impl Message {
    /// Where a message waits. Where nobody is signed on nobody can read it, and who wrote it has.
    pub fn waiting_at(&self, view: &View) -> Vec<u32> {
        let has_till = |device: &u32| {
            let known = view.devices.get(device);
            known.is_some_and(|known| known.active && known.has_till())
        };
        let mut waiting: Vec<u32> = view
            .sessions
            .values()
            .filter(|session| session.badge != self.by)
            .map(|session| session.device)
            .filter(|device| has_till(device) && self.waits_at(*device))
            .collect();
        waiting.sort_unstable();
        waiting
    }
}

impl AccessLog {
    /// The messages that wait for whoever is at a device, now, the oldest first.
    pub fn pending_messages(
        &self,
        central: &Central,
        device: &DeviceCaller,
    ) -> Vec<(u64, Message)> {
        let (view, now_ms) = (central.view.get(), central.clock.now_ms());
        if !device.role.has_till() || is_quiet(central, &view, now_ms) {
            return Vec::new();
        }
        let mut sessions = view.sessions.values();
        let here = sessions.find(|session| session.device == device.device);
        let mut pending = self.messages.pending(device.device, now_ms);
        pending.retain(|(_, message)| here.is_none_or(|here| here.badge != message.by));
        pending
    }

    /// Sends a message; it is on disk before it is shown. Blocks.
    ///
    /// # Errors
    /// [`Refusal::RecordUnknown`] for a device without a till; a fault.
    pub fn send_message(&self, central: &Central, message: Message) -> Result<u64, Stop> {
        if let Some(device) = message.device {
            let view = central.view.get();
            let known = view.devices.get(&device);
            if known.is_none_or(|known| !known.has_till()) {
                return Err(Refusal::RecordUnknown.into());
            }
        }
        Ok(self.send(message)?)
    }

    /// Whoever is signed on at a device has read a message. Blocks.
    ///
    /// # Errors
    /// [`Refusal::RecordUnknown`] for one that is for another device; a fault.
    pub fn acknowledge_message(
        &self,
        central: &Central,
        caller: &Caller,
        id: u64,
    ) -> Result<Message, Stop> {
        let device = caller.device.device;
        let is_for = |message: &Message| message.device.is_none_or(|only| only == device);
        if !self.messages.one(id).is_some_and(|one| is_for(&one)) {
            return Err(Refusal::RecordUnknown.into());
        }
        let read = (caller.badge.as_str(), central.clock.now_ms());
        self.messages.acknowledge(id, device, read, |line| {
            self.write_entry(Entry::Message(line))
        })?;
        self.messages
            .one(id)
            .ok_or_else(|| Refusal::RecordUnknown.into())
    }

    /// Tells whoever is signed on elsewhere with the badge of a second person, or another badge of
    /// theirs, that it was used. Blocks.
    ///
    /// # Errors
    /// [`AccessFault`].
    pub fn tell_elsewhere(
        &self,
        central: &Central,
        first: &Caller,
        second: &str,
        (fr, en): (&str, &str),
    ) -> Result<(), AccessFault> {
        let view = central.view.get();
        let sessions = view.sessions.values();
        for session in sessions.filter(|session| session.device != first.device.device) {
            if is_one_human(&view.people, &session.badge, second) {
                self.send(Message {
                    at_ms: central.clock.now_ms(),
                    by: first.badge.clone(),
                    device: Some(session.device),
                    fr: fr.to_owned(),
                    en: en.to_owned(),
                    read: BTreeMap::new(),
                })?;
            }
        }
        Ok(())
    }
}

impl AccessLog {
    fn send(&self, message: Message) -> Result<u64, AccessFault> {
        self.messages
            .send(message, |line| self.write_entry(Entry::Message(line)))
    }
}

/// A line for the writer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum MessageLine {
    /// A message was sent.
    Sent(u64, Message),
    /// It was read.
    Read {
        /// Message.
        message: u64,
        /// Device at which.
        device: u32,
        /// Badge.
        badge: String,
        /// When, UTC milliseconds.
        at_ms: i64,
    },
}

pub(super) fn write(file: &mut AccessFile, line: &MessageLine) -> QueryResult<()> {
    match line {
        MessageLine::Sent(id, sent) => {
            let row = MessageRow {
                id: big(*id),
                at_ms: sent.at_ms,
                sender: sent.by.clone(),
                device: sent.device.map(i64::from),
                fr: sent.fr.clone(),
                en: sent.en.clone(),
            };
            access::insert_message(file, &row)
        }
        MessageLine::Read {
            message,
            device,
            badge,
            at_ms,
        } => {
            let row = AcknowledgementRow {
                message: big(*message),
                device: i64::from(*device),
                badge: badge.clone(),
                at_ms: *at_ms,
            };
            access::acknowledge(file, &row)
        }
    }
}

/// What the file holds.
pub(super) fn read(file: &mut AccessFile) -> QueryResult<Messages> {
    let (sent, read) = access::messages(file)?;
    let device = |device: i64| u32::try_from(device).unwrap_or(0);
    let mut all: BTreeMap<u64, Message> = sent
        .into_iter()
        .map(|row| {
            let one = Message {
                at_ms: row.at_ms,
                by: row.sender,
                device: row.device.map(device),
                fr: row.fr,
                en: row.en,
                read: BTreeMap::new(),
            };
            (unbig(row.id), one)
        })
        .collect();
    for row in read {
        if let Some(one) = all.get_mut(&unbig(row.message)) {
            one.read.insert(device(row.device), (row.badge, row.at_ms));
        }
    }
    Ok(Messages {
        all: Mutex::new(all),
        writing: Mutex::default(),
    })
}

/// The messages as they stand in the file.
#[derive(Debug, Default)]
pub struct Messages {
    all: Mutex<BTreeMap<u64, Message>>,
    /// Held while one is written: whoever reads does not wait for the disk.
    writing: Mutex<()>,
}

impl Messages {
    fn with<R>(&self, change: impl FnOnce(&mut BTreeMap<u64, Message>) -> R) -> R {
        change(&mut self.all.lock())
    }

    /// Those of the last hours, the newest first.
    pub fn shown(&self, now_ms: i64) -> Vec<(u64, Message)> {
        self.with(|all| {
            all.iter()
                .rev()
                .filter(|(_, one)| one.is_shown(now_ms))
                .map(|(id, one)| (*id, one.clone()))
                .collect()
        })
    }

    /// Those that wait for somebody at a device, the oldest first.
    pub fn pending(&self, device: u32, now_ms: i64) -> Vec<(u64, Message)> {
        let mut pending = self.shown(now_ms);
        pending.retain(|(_, one)| one.waits_at(device));
        pending.reverse();
        pending
    }

    /// A message, if there is one of that number.
    pub fn one(&self, id: u64) -> Option<Message> {
        self.with(|all| all.get(&id).cloned())
    }

    /// Writes a message by `write`, under the number after the last; then it is shown.
    ///
    /// # Errors
    /// As `write` gives them; then there is no such message.
    pub(super) fn send<E>(
        &self,
        message: Message,
        write: impl FnOnce(MessageLine) -> Result<(), E>,
    ) -> Result<u64, E> {
        let _turn = self.writing.lock();
        let id = self.with(|all| all.keys().next_back().map_or(1, |last| last + 1));
        write(MessageLine::Sent(id, message.clone()))?;
        self.with(|all| all.insert(id, message));
        Ok(id)
    }

    /// Somebody at a device has read it; `write` writes that.
    ///
    /// # Errors
    /// As `write` gives them; then it waits as before.
    pub(super) fn acknowledge<E>(
        &self,
        message: u64,
        device: u32,
        (badge, at_ms): (&str, i64),
        write: impl FnOnce(MessageLine) -> Result<(), E>,
    ) -> Result<(), E> {
        let _turn = self.writing.lock();
        if self
            .one(message)
            .is_none_or(|one| one.read.contains_key(&device))
        {
            return Ok(());
        }
        write(MessageLine::Read {
            message,
            device,
            badge: badge.to_owned(),
            at_ms,
        })?;
        self.with(|all| {
            if let Some(one) = all.get_mut(&message) {
                one.read.insert(device, (badge.to_owned(), at_ms));
            }
        });
        Ok(())
    }
}
