//! Terminals that a supervisor has stopped from selling, and let sell again. It is no fact of the
//! record: whatever was sold stands, payments go on, and the terminal keeps its key and its people.
//! Who did it, when and why stands in the file of the access log, where a restart finds it.

use std::collections::BTreeMap;

use diesel::QueryResult;
use keno_record::store::access;
use keno_record::store::access::{AccessFile, StopRow};
use parking_lot::Mutex;

use super::{AccessLog, Entry};
use crate::authority::identity::Caller;
use crate::refusal::Refusal;
use crate::{Central, Stop, bounds};

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

impl AccessLog {
    /// Stops a terminal from selling, or lets it sell again. Payments go on, and whoever is signed on
    /// there stays. Blocks.
    ///
    /// # Errors
    /// [`Refusal::ReasonNeeded`], [`Refusal::RecordUnknown`], and as [`bounds::note`]; a fault.
    pub fn decide_stop(
        &self,
        central: &Central,
        caller: &Caller,
        device: u32,
        reason: &str,
        is_stopped: bool,
    ) -> Result<(), Stop> {
        let reason = reason.trim();
        bounds::reason("reason", reason)?;
        if !central.view.get().devices.contains_key(&device) {
            return Err(Refusal::RecordUnknown.into());
        }
        let line = StopLine {
            device,
            is_stopped,
            decision: Decision {
                at_ms: central.clock.now_ms(),
                by: caller.badge.clone(),
                reason: reason.to_owned(),
            },
        };
        let apply = || central.stops.set(device, is_stopped);
        self.stops
            .decide(line, |line| self.write_entry(Entry::Stop(line)), apply)?;
        Ok(())
    }
}

/// A line for the writer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StopLine {
    pub(super) device: u32,
    pub(super) is_stopped: bool,
    pub(super) decision: Decision,
}

pub(super) fn write(file: &mut AccessFile, line: &StopLine) -> QueryResult<()> {
    let row = StopRow {
        at_ms: line.decision.at_ms,
        device: i64::from(line.device),
        stopped: i16::from(line.is_stopped),
        badge: line.decision.by.clone(),
        reason: line.decision.reason.clone(),
    };
    access::insert_stop(file, &row)
}

/// What the file holds.
pub(super) fn read(file: &mut AccessFile) -> QueryResult<Stops> {
    let mut standing = BTreeMap::new();
    for row in access::stops(file)? {
        let device = u32::try_from(row.device).unwrap_or(0);
        if row.stopped == 0 {
            standing.remove(&device);
        } else {
            let decision = Decision {
                at_ms: row.at_ms,
                by: row.badge,
                reason: row.reason,
            };
            standing.insert(device, decision);
        }
    }
    Ok(Stops {
        standing: Mutex::new(standing),
        writing: Mutex::default(),
    })
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
    pub(super) fn decide<E>(
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
