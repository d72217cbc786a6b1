//! Messages of the supervisors to the clerks, and who has read them. They stand in the file of the
//! access log, written by its one writer, so that a restart loses none.

use std::collections::BTreeMap;

use diesel::prelude::*;
use diesel::sqlite::SqliteConnection;
use parking_lot::Mutex;

/// Messages are shown for so many hours.
pub const SHOWN_HOURS: i64 = 12;
const SHOWN_MS: i64 = SHOWN_HOURS * 60 * 60 * 1000;

diesel::table! {
    /// Messages.
    message (id) {
        /// Number.
        id -> BigInt,
        /// When it was sent, UTC milliseconds.
        at_ms -> BigInt,
        /// Badge of who sent it.
        sender -> Text,
        /// Device that it is for; every counter when null.
        device -> Nullable<BigInt>,
        /// In French.
        fr -> Text,
        /// In English.
        en -> Text,
    }
}

diesel::table! {
    /// Who has read which.
    acknowledgement (message, device) {
        /// Message.
        message -> BigInt,
        /// Device at which.
        device -> BigInt,
        /// Badge.
        badge -> Text,
        /// When, UTC milliseconds.
        at_ms -> BigInt,
    }
}

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

/// A line for the writer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum MessageLine {
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

/// The tables in the file of the access log.
pub(crate) struct MessageFile;

impl MessageFile {
    pub(crate) const TABLES: [&'static str; 2] = [
        "CREATE TABLE IF NOT EXISTS message (
             id INTEGER PRIMARY KEY,
             at_ms BIGINT NOT NULL,
             sender TEXT NOT NULL,
             device BIGINT,
             fr TEXT NOT NULL,
             en TEXT NOT NULL)",
        "CREATE TABLE IF NOT EXISTS acknowledgement (
             message BIGINT NOT NULL REFERENCES message (id),
             device BIGINT NOT NULL,
             badge TEXT NOT NULL,
             at_ms BIGINT NOT NULL,
             PRIMARY KEY (message, device))",
    ];

    pub(crate) fn write(connection: &mut SqliteConnection, line: &MessageLine) -> QueryResult<()> {
        match line {
            MessageLine::Sent(id, sent) => diesel::insert_into(message::table)
                .values((
                    message::id.eq(number(*id)),
                    message::at_ms.eq(sent.at_ms),
                    message::sender.eq(&sent.by),
                    message::device.eq(sent.device.map(i64::from)),
                    message::fr.eq(&sent.fr),
                    message::en.eq(&sent.en),
                ))
                .execute(connection),
            // The first who reads it at a device has read it.
            MessageLine::Read {
                message,
                device,
                badge,
                at_ms,
            } => diesel::insert_or_ignore_into(acknowledgement::table)
                .values((
                    acknowledgement::message.eq(number(*message)),
                    acknowledgement::device.eq(i64::from(*device)),
                    acknowledgement::badge.eq(badge),
                    acknowledgement::at_ms.eq(at_ms),
                ))
                .execute(connection),
        }
        .map(drop)
    }

    /// What the file holds.
    pub(crate) fn read(connection: &mut SqliteConnection) -> QueryResult<Messages> {
        type Sent = (i64, i64, String, Option<i64>, String, String);
        let sent: Vec<Sent> = message::table.load(connection)?;
        let read: Vec<(i64, i64, String, i64)> = acknowledgement::table.load(connection)?;
        let device = |device: i64| u32::try_from(device).unwrap_or(0);
        let mut all: BTreeMap<u64, Message> = sent
            .into_iter()
            .map(|(id, at_ms, by, only, fr, en)| {
                let one = Message {
                    at_ms,
                    by,
                    device: only.map(device),
                    fr,
                    en,
                    read: BTreeMap::new(),
                };
                (u64::try_from(id).unwrap_or(0), one)
            })
            .collect();
        for (message, at, badge, at_ms) in read {
            if let Some(one) = all.get_mut(&u64::try_from(message).unwrap_or(0)) {
                one.read.insert(device(at), (badge, at_ms));
            }
        }
        Ok(Messages {
            all: Mutex::new(all),
            writing: Mutex::default(),
        })
    }
}

fn number(id: u64) -> i64 {
    i64::try_from(id).unwrap_or(i64::MAX)
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
    pub(crate) fn send<E>(
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
    pub(crate) fn acknowledge<E>(
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
