//! Who looked: a second file beside the record, with a writer of its own.
//!
//! Look-ups (a keyed hash of the number, never the number), sign-ons, lock-outs, and every view
//! of the audit office with its purpose. Nothing about money depends on it, so it does not wait
//! in the record's queue; an audit view, however, is shown only once its line is on disk. Messages
//! of the supervisors to the clerks stand in the same file, and are shown once they are on disk.
//! Each line is a leaf of a chain of its own (`chain`), whose head is anchored beside the record's.

mod chain;
mod messages;
mod pins;
mod stops;

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, OnceLock};

use diesel::QueryResult;
use keno_log::access::AccessRecord;
use keno_log::tree::Edge;
use keno_record::store::access;
use keno_record::store::access::{AccessFile, Chain};
use parking_lot::Mutex;
use thiserror::Error;

use self::messages::{MessageLine, Messages};
use self::pins::KeptPins;
use self::stops::{StopLine, Stops};
use crate::central::pin_door::limiter::{Count, HOUR_MS};
use crate::central::pin_door::{Door, Keeper, Reason, Tried};
use crate::staff::pins::{keep_pins, keeps_pins};
use crate::{Central, Fault, Stop};

pub use self::chain::{JudgedFile, export};
pub use self::messages::Message;
pub use self::stops::Decision;

/// Name of the file in the data folder.
const FILE: &str = "access.sqlite";
/// Lines that may wait; more are dropped with an alarm in the log of the process.
const WAITING_MAX: usize = 8_192;
/// Lines in one transaction.
const BATCH_MAX: usize = 1_000;

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessKind {
    /// An inquiry about a ticket.
    LookUp,
    /// An inquiry about a number that does not exist.
    UnknownNumber,
    /// Someone signed on.
    SignedOn,
    /// Badge, PIN or place was wrong.
    SignOnRefused,
    /// A badge was locked out.
    LockedOut,
    /// A second person gave badge and PIN at the screen of the first.
    SecondPerson,
    /// Two people lifted what kept a badge out.
    LockLifted,
    /// Somebody let a device begin anew with this central, whose log it had refused.
    BegunAnew,
    /// An auditor looked a ticket up.
    AuditView,
    /// Somebody at a device was refused what is not theirs to do.
    Refused,
    /// A supervisor granted at the wall what two people do.
    ApprovalGranted,
    /// A supervisor refused it.
    ApprovalRefused,
}

impl AccessKind {
    /// Stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::LookUp => "look_up",
            Self::UnknownNumber => "unknown_number",
            Self::SignedOn => "signed_on",
            Self::SignOnRefused => "sign_on_refused",
            Self::LockedOut => "locked_out",
            Self::SecondPerson => "second_person",
            Self::LockLifted => "lock_lifted",
            Self::BegunAnew => "begun_anew",
            Self::AuditView => "audit_view",
            Self::Refused => "refused",
            Self::ApprovalGranted => "approval_granted",
            Self::ApprovalRefused => "approval_refused",
        }
    }
}

/// One line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccessLine {
    /// When, UTC milliseconds.
    pub at_ms: i64,
    /// What.
    pub kind: AccessKind,
    /// Device number, if one proved its key.
    pub device: Option<u32>,
    /// Badge, as given.
    pub badge: String,
    /// Keyed hash of the number that was asked for, in hexadecimal.
    pub trace: String,
    /// Purpose of an audit view; the operation that was refused, and why.
    pub purpose: String,
}

/// The file cannot be used.
#[derive(Debug, Error)]
pub enum AccessFault {
    /// It cannot be opened.
    #[error("the access log {path} cannot be opened: {why}")]
    Open {
        /// The file.
        path: String,
        /// Why.
        why: String,
    },
    /// A line could not be written.
    #[error("the access log cannot be written")]
    Write,
}

impl From<AccessFault> for Stop {
    /// What could not be noted was not done.
    fn from(fault: AccessFault) -> Self {
        Self::Broke(Fault::Record(fault.to_string()))
    }
}

enum Entry {
    Line(AccessLine),
    Count(Count),
    Message(MessageLine),
    Stop(StopLine),
}

type Waiting = (Entry, Option<SyncSender<bool>>);

/// Is told of the head of the chain after each commit.
type Anchors = Box<dyn Fn(u32, &Edge) + Send + Sync>;

/// A handle on the access log.
pub struct AccessLog {
    sender: Mutex<Option<SyncSender<Waiting>>>,
    thread: Mutex<Option<std::thread::JoinHandle<()>>>,
    lock_outs: AtomicU64,
    pins: Mutex<Option<KeptPins>>,
    anchors: Arc<OnceLock<Anchors>>,
    /// Messages of the supervisors.
    pub messages: Messages,
    /// Terminals that they stopped.
    pub stops: Stops,
}

impl std::fmt::Debug for AccessLog {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("AccessLog(..)")
    }
}

fn record(line: &AccessLine) -> AccessRecord {
    AccessRecord {
        at_ms: line.at_ms,
        kind: line.kind.name().to_owned(),
        device: line.device,
        badge: line.badge.clone(),
        trace: line.trace.clone(),
        purpose: line.purpose.clone(),
    }
}

fn write_batch(file: &mut AccessFile, chain: &mut Chain, batch: &[Waiting]) -> QueryResult<bool> {
    let mut longer = chain.clone();
    access::write(file, |file| {
        for (entry, _) in batch {
            match entry {
                Entry::Line(line) => access::append(file, &mut longer, &record(line))?,
                Entry::Count(count) => pins::write(file, count)?,
                Entry::Message(line) => messages::write(file, line)?,
                Entry::Stop(line) => stops::write(file, line)?,
            }
        }
        access::keep_head(file, chain, &longer)
    })?;
    let has_grown = longer != *chain;
    *chain = longer;
    Ok(has_grown)
}

fn run(
    file: &mut AccessFile,
    chain: &mut Chain,
    anchors: &OnceLock<Anchors>,
    lines: &Receiver<Waiting>,
) {
    while let Ok(first) = lines.recv() {
        let mut batch = vec![first];
        while batch.len() < BATCH_MAX {
            match lines.try_recv() {
                Ok(line) => batch.push(line),
                Err(_) => break,
            }
        }
        let written = write_batch(file, chain, &batch);
        match (&written, anchors.get()) {
            (Err(error), _) => {
                tracing::error!(%error, lines = batch.len(), "the access log could not be written");
            }
            (Ok(true), Some(anchors)) => anchors(chain.epoch, &chain.edge),
            (Ok(_), _) => {}
        }
        for (_, answer) in batch {
            if let Some(answer) = answer {
                // Whoever no longer waits need not be told.
                let _ = answer.send(written.is_ok());
            }
        }
    }
}

impl AccessLog {
    /// Opens `access.sqlite` in the data folder and starts its writer. A file that is not there is
    /// begun in this epoch of the record.
    ///
    /// # Errors
    /// [`AccessFault::Open`].
    pub fn open(folder: &Path, epoch: u32) -> Result<Self, AccessFault> {
        let path = folder.join(FILE);
        let fault = |why: String| AccessFault::Open {
            path: path.display().to_string(),
            why,
        };
        let mut file = access::open(&path).map_err(|error| fault(error.to_string()))?;
        let unread = |error: diesel::result::Error| fault(error.to_string());
        let messages = messages::read(&mut file).map_err(unread)?;
        let stops = stops::read(&mut file).map_err(unread)?;
        let pins = pins::read(&mut file).map_err(unread)?;
        let mut chain = access::begin_chain(&mut file, epoch).map_err(unread)?;
        let anchors = Arc::new(OnceLock::new());
        let of_thread = Arc::clone(&anchors);
        let (sender, receiver) = sync_channel::<Waiting>(WAITING_MAX);
        let thread = std::thread::Builder::new()
            .name("access-log".to_owned())
            .spawn(move || run(&mut file, &mut chain, &of_thread, &receiver))
            .map_err(|error| fault(error.to_string()))?;
        Ok(Self {
            sender: Mutex::new(Some(sender)),
            thread: Mutex::new(Some(thread)),
            lock_outs: AtomicU64::new(0),
            pins: Mutex::new(Some(pins)),
            anchors,
            messages,
            stops,
        })
    }

    fn sender(&self) -> Option<SyncSender<Waiting>> {
        self.sender.lock().clone()
    }

    /// Notes a line; it is written soon. Never waits.
    pub fn note(&self, line: AccessLine) {
        if line.kind == AccessKind::LockedOut {
            self.lock_outs.fetch_add(1, Ordering::Relaxed);
        }
        let Some(sender) = self.sender() else { return };
        if let Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) =
            sender.try_send((Entry::Line(line), None))
        {
            tracing::error!("a line of the access log was dropped: its writer is behind");
        }
    }

    /// Tries refused since the start because the badge was locked out, or at a device that fails
    /// too often.
    pub fn lock_outs(&self) -> u64 {
        self.lock_outs.load(Ordering::Relaxed)
    }

    /// Writes a line and waits until it is on disk. Call it off the async threads.
    ///
    /// # Errors
    /// [`AccessFault::Write`].
    pub fn write(&self, line: AccessLine) -> Result<(), AccessFault> {
        self.write_entry(Entry::Line(line))
    }

    /// As [`Self::open`], for this central: what the log comes to is anchored beside its record.
    ///
    /// # Errors
    /// [`AccessFault::Open`].
    pub fn open_for(central: &Central, folder: &Path) -> Result<Self, AccessFault> {
        let epoch = central.view.get().epoch.number.max(1);
        let log = Self::open(folder, epoch)?;
        // Only this sets it, once.
        let _ = log.anchors.set(Box::new(central.access_anchors()));
        Ok(log)
    }

    /// Keeps the counters of PINs in the data folder for a command, beside those of a central that
    /// serves; where they are kept already, nothing is opened.
    ///
    /// # Errors
    /// [`AccessFault::Open`].
    pub fn keep_pins_once(central: &Central) -> Result<(), AccessFault> {
        if !keeps_pins(central) {
            Arc::new(Self::open_for(central, &central.folder)?).keep_pins_of(central);
        }
        Ok(())
    }

    /// Keeps the counters of PINs of a central from here on, with what was kept before.
    pub fn keep_pins_of(self: &Arc<Self>, central: &Central) {
        let kept = self.pins.lock().take();
        if let Some(kept) = kept {
            let now_ms = central.clock.now_ms();
            let failed = kept
                .failed
                .into_iter()
                .filter(|(at_ms, _)| (0..HOUR_MS).contains(&(now_ms - at_ms)))
                .collect();
            keep_pins(
                central,
                Arc::clone(self) as Arc<dyn Keeper>,
                kept.counts,
                failed,
            );
        }
    }

    fn write_entry(&self, entry: Entry) -> Result<(), AccessFault> {
        let (answer, answered) = sync_channel(1);
        self.sender()
            .ok_or(AccessFault::Write)?
            .send((entry, Some(answer)))
            .map_err(|_| AccessFault::Write)?;
        match answered.recv() {
            Ok(true) => Ok(()),
            Ok(false) | Err(_) => Err(AccessFault::Write),
        }
    }
}

impl Keeper for AccessLog {
    fn keep(&self, count: Count) -> Receiver<bool> {
        let (answer, answered) = sync_channel(1);
        if let Some(sender) = self.sender() {
            // Without a writer the answer is dropped, which says that nothing was kept.
            let _ = sender.send((Entry::Count(count), Some(answer)));
        }
        answered
    }

    fn tried(&self, tried: Tried) {
        let door = tried.door.name();
        let (kind, purpose) = match (tried.reason, tried.door) {
            // The answer at the wall has a line of its own.
            (Reason::Right, Door::Approval) => return,
            (Reason::Right, Door::Second) => (AccessKind::SecondPerson, String::new()),
            (Reason::Right, Door::SignOn) => (AccessKind::SignedOn, String::new()),
            (Reason::Right, _) => (AccessKind::SignedOn, door.to_owned()),
            (Reason::Waits | Reason::Locked, _) => (
                AccessKind::LockedOut,
                format!("{door}: {}", tried.reason.name()),
            ),
            (reason, _) => (
                AccessKind::SignOnRefused,
                format!("{door}: {}", reason.name()),
            ),
        };
        if tried.is_slow && tried.reason != Reason::Right {
            self.lock_outs.fetch_add(1, Ordering::Relaxed);
        }
        self.note(AccessLine {
            at_ms: tried.at_ms,
            kind,
            device: tried.origin.device(),
            badge: tried.badge,
            trace: String::new(),
            purpose,
        });
    }
}

impl Drop for AccessLog {
    /// Writes what waits, then stops the writer.
    fn drop(&mut self) {
        drop(self.sender.lock().take());
        let thread = self.thread.lock().take();
        if let Some(thread) = thread
            && thread.join().is_err()
        {
            tracing::error!("the writer of the access log ended in a panic");
        }
    }
}

#[cfg(test)]
mod tests {
    use diesel::prelude::*;
    use diesel::sqlite::SqliteConnection;

    use super::*;

    #[derive(QueryableByName)]
    struct Count {
        #[diesel(sql_type = diesel::sql_types::BigInt)]
        count: i64,
    }

    fn line(kind: AccessKind) -> AccessLine {
        AccessLine {
            at_ms: 7,
            kind,
            device: Some(3),
            badge: "A1".to_owned(),
            trace: "ab".to_owned(),
            purpose: "claim".to_owned(),
        }
    }

    #[test]
    fn lines_survive_the_handle_and_cannot_be_changed() {
        let folder = tempfile::tempdir().unwrap();
        let log = AccessLog::open(folder.path(), 1).unwrap();
        for _ in 0..50 {
            log.note(line(AccessKind::LookUp));
        }
        log.write(line(AccessKind::AuditView)).unwrap();
        // Its -wal and -shm too: who looked at which ticket is nobody else's.
        for file in std::fs::read_dir(folder.path()).unwrap() {
            let mode = std::os::unix::fs::PermissionsExt::mode(
                &file.unwrap().metadata().unwrap().permissions(),
            );
            assert_eq!(mode & 0o777, 0o600);
        }
        drop(log);
        let path = folder.path().join(FILE);
        let mut connection = SqliteConnection::establish(path.to_str().unwrap()).unwrap();
        let count: Count = diesel::sql_query("SELECT count(*) AS count FROM access")
            .get_result(&mut connection)
            .unwrap();
        assert_eq!(count.count, 51);
        assert!(
            diesel::sql_query("UPDATE access SET badge = 'B2'")
                .execute(&mut connection)
                .is_err()
        );
    }

    #[test]
    fn a_line_that_cannot_be_written_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let log = AccessLog::open(folder.path(), 1).unwrap();
        let path = folder.path().join(FILE);
        let mut other = SqliteConnection::establish(path.to_str().unwrap()).unwrap();
        diesel::sql_query("DROP TABLE access")
            .execute(&mut other)
            .unwrap();
        assert!(log.write(line(AccessKind::AuditView)).is_err());
    }
}
