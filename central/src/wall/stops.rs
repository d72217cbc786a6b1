//! Terminals that a supervisor has stopped from selling, and let sell again. It is no fact of the
//! record: whatever was sold stands, payments go on, and the terminal keeps its key and its people.
//! Who did it, when and why stands in the file of the access log, where a restart finds it.

use std::collections::BTreeMap;

use diesel::prelude::*;
use diesel::sqlite::SqliteConnection;
use parking_lot::Mutex;

diesel::table! {
    /// Each time that a terminal was stopped, or let sell again.
    terminal_stop (id) {
        /// In the order of writing.
        id -> BigInt,
        /// When, UTC milliseconds.
        at_ms -> BigInt,
        /// Device.
        device -> BigInt,
        /// 1 stopped, 0 sells again.
        stopped -> SmallInt,
        /// Badge.
        badge -> Text,
        /// Why.
        reason -> Text,
    }
}

/// Who decided it, when and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// When, UTC milliseconds.
    pub at_ms: i64,
    /// Badge.
    pub by: String,
    /// Why.
    pub reason: String,
}

/// A line for the writer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StopLine {
    pub(crate) device: u32,
    pub(crate) is_stopped: bool,
    pub(crate) decision: Decision,
}

/// The table in the file of the access log.
pub(crate) struct StopFile;

impl StopFile {
    pub(crate) const TABLE: &'static str = "CREATE TABLE IF NOT EXISTS terminal_stop (
             id INTEGER PRIMARY KEY,
             at_ms BIGINT NOT NULL,
             device BIGINT NOT NULL,
             stopped SMALLINT NOT NULL CHECK (stopped IN (0, 1)),
             badge TEXT NOT NULL,
             reason TEXT NOT NULL)";

    pub(crate) fn write(connection: &mut SqliteConnection, line: &StopLine) -> QueryResult<()> {
        diesel::insert_into(terminal_stop::table)
            .values((
                terminal_stop::at_ms.eq(line.decision.at_ms),
                terminal_stop::device.eq(i64::from(line.device)),
                terminal_stop::stopped.eq(i16::from(line.is_stopped)),
                terminal_stop::badge.eq(&line.decision.by),
                terminal_stop::reason.eq(&line.decision.reason),
            ))
            .execute(connection)
            .map(drop)
    }

    /// What the file holds.
    pub(crate) fn read(connection: &mut SqliteConnection) -> QueryResult<Stops> {
        let rows: Vec<(i64, i64, i64, i16, String, String)> = terminal_stop::table
            .order(terminal_stop::id.asc())
            .load(connection)?;
        let mut standing = BTreeMap::new();
        for (_, at_ms, device, stopped, by, reason) in rows {
            let device = u32::try_from(device).unwrap_or(0);
            if stopped == 1 {
                standing.insert(device, Decision { at_ms, by, reason });
            } else {
                standing.remove(&device);
            }
        }
        Ok(Stops {
            standing: Mutex::new(standing),
            writing: Mutex::default(),
        })
    }
}

/// The terminals that are stopped.
#[derive(Debug, Default)]
pub struct Stops {
    standing: Mutex<BTreeMap<u32, Decision>>,
    /// Held while one is written: whoever reads does not wait for the disk.
    writing: Mutex<()>,
}

impl Stops {
    fn with<R>(&self, change: impl FnOnce(&mut BTreeMap<u32, Decision>) -> R) -> R {
        change(&mut self.standing.lock())
    }

    /// The terminals that are stopped, with who decided it.
    pub fn all(&self) -> BTreeMap<u32, Decision> {
        self.with(|standing| standing.clone())
    }

    /// Stops a terminal, or lets it sell again: `write` writes that first, then `apply` makes it
    /// so. What is so already is left as it is.
    ///
    /// # Errors
    /// As `write` gives them; then nothing has changed.
    pub(crate) fn decide<E>(
        &self,
        line: StopLine,
        write: impl FnOnce(StopLine) -> Result<(), E>,
        apply: impl FnOnce(),
    ) -> Result<(), E> {
        let _turn = self.writing.lock();
        if self.with(|standing| standing.contains_key(&line.device)) == line.is_stopped {
            return Ok(());
        }
        write(line.clone())?;
        self.with(|standing| {
            if line.is_stopped {
                standing.insert(line.device, line.decision);
            } else {
                standing.remove(&line.device);
            }
        });
        apply();
        Ok(())
    }
}
