//! The one door: lanes of commands, one writer thread, one transaction for all that waits.
//!
//! No timer: a batch is whatever queued up during the last commit, so an idle terminal pays one
//! sync and busy ones share it. No reply before the commit. A refusal leaves no trace.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use keno_log::leaf::body_commitment;
use keno_log::tree::Edge;
use keno_log::{Event, Leaf, LeafHeader};
use keno_schema::rows::LogEntryRow;
use keno_schema::{Connection, Database, WriteFault};
use tokio::sync::oneshot;

use crate::calendar::Calendar;
use crate::clock::Clock;
use crate::fault::{Fault, Stop};
use crate::keys::ServerKeys;
use crate::project::{self, PendingRows};
use crate::refusal::Refusal;
use crate::state::{State, Undo};
use crate::store::{big, log};

/// Which queue a command waits in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    /// Draw steps: always first, never shed.
    Draw,
    /// Payments, cancellations, sign-ons: reserved places, never shed.
    Money,
    /// Sales: the only thing that is shed.
    Sale,
}

/// How many commands one transaction takes at most.
pub const BATCH_MAX: usize = 500;
/// Places of a batch that sales leave to payments and cancellations.
const MONEY_RESERVED: usize = 100;
/// Waiting payments and cancellations; beyond it even they are told to come back.
const MONEY_QUEUE_MAX: usize = 4096;

/// What judges a command: the state in memory, the transaction, and the pen.
pub struct Judge<'a> {
    /// The state, with what this batch has recorded so far.
    pub state: &'a mut State,
    /// The write transaction. Statements that read see what is recorded once
    /// [`Judge::settle_rows`] was called.
    pub connection: &'a mut Connection,
    /// The moment of this batch, UTC milliseconds; never before the last leaf.
    pub now_ms: i64,
    /// The house's calendar.
    pub calendar: Calendar,
    /// The server's keys.
    pub keys: &'a ServerKeys,
    pending: &'a mut PendingRows,
    undo: &'a mut Vec<Undo>,
    alone: bool,
}

/// A body with its commitment, computed before the writer sees it.
#[derive(Debug, Clone)]
pub struct PreparedEvent {
    event: Event,
    body: Vec<u8>,
    nonce: [u8; 32],
    commitment: [u8; 32],
}

impl PreparedEvent {
    /// Encodes and commits to an event.
    pub fn new(event: Event, keys: &ServerKeys) -> Self {
        let body = event.encode();
        let nonce = keys.nonce(&body);
        let commitment = body_commitment(&nonce, &body);
        Self {
            event,
            body,
            nonce,
            commitment,
        }
    }

    /// The event.
    pub fn event(&self) -> &Event {
        &self.event
    }
}

impl Judge<'_> {
    /// True when this command is alone in its transaction: it may be one whose batch failed, so
    /// what constraints would refuse is looked up first.
    pub fn replayed_alone(&self) -> bool {
        self.alone
    }

    /// Writes held-back rows, so that statements of this transaction see them.
    ///
    /// # Errors
    /// The database's.
    pub fn settle_rows(&mut self) -> Result<(), Fault> {
        self.pending.flush(self.connection)
    }

    /// Records a fact. Returns its leaf index.
    ///
    /// # Errors
    /// A [`Fault`] ends the batch; a judge refuses before it records.
    pub fn record(&mut self, event: impl Into<Event>) -> Result<u64, Fault> {
        let prepared = PreparedEvent::new(event.into(), self.keys);
        self.record_prepared(&prepared)
    }

    /// Records a fact whose body was encoded before.
    ///
    /// # Errors
    /// As [`Self::record`].
    pub fn record_prepared(&mut self, prepared: &PreparedEvent) -> Result<u64, Fault> {
        let index = self.state.edge.size();
        let header = LeafHeader {
            kind: prepared.event.kind(),
            index,
            at_ms: self.now_ms,
            business_day: self.calendar.business_day(self.now_ms),
            draw: prepared.event.draw(),
        };
        let leaf = Leaf {
            header,
            commitment: prepared.commitment,
        };
        let leaf_hash = leaf.hash();
        // A sale that a later fact names may still be held back.
        if matches!(
            prepared.event,
            Event::TicketCancelled(_) | Event::TicketUnpaid(_)
        ) {
            self.pending.flush(self.connection)?;
        }
        let connection = &mut *self.connection;
        self.state.apply(
            &header,
            &prepared.event,
            leaf_hash,
            &mut |ticket| project::sale_of(connection, ticket),
            self.undo,
        )?;
        self.pending.entries.push(LogEntryRow {
            leaf_index: big(index),
            leaf: leaf.to_bytes(),
            leaf_hash: leaf_hash.to_vec(),
            nonce: prepared.nonce.to_vec(),
            body: prepared.body.clone(),
        });
        project::project(
            self.connection,
            self.pending,
            self.state,
            &header,
            &prepared.event,
        )?;
        Ok(index)
    }

    /// Replaces the settlement under way.
    pub fn set_settling(&mut self, settling: Option<crate::state::Settling>) {
        self.state.set_settling(settling, self.undo);
    }
}

/// A command in a lane.
trait Job: Send {
    /// Judges and records. An error is a fault of the batch; a refusal is kept as the answer.
    fn judge(&mut self, judge: &mut Judge<'_>) -> Result<(), Fault>;
    /// The batch is committed: answers.
    fn answer(self: Box<Self>);
    /// The batch failed on this command alone: answers why.
    fn fail(self: Box<Self>, stop: Stop);
}

type JudgeFn<T> = Box<dyn FnMut(&mut Judge<'_>) -> Result<T, Stop> + Send>;

struct TypedJob<T> {
    judge: JudgeFn<T>,
    outcome: Option<Result<T, Refusal>>,
    reply: oneshot::Sender<Result<T, Stop>>,
}

impl<T: Send> Job for TypedJob<T> {
    fn judge(&mut self, judge: &mut Judge<'_>) -> Result<(), Fault> {
        self.outcome = None;
        match (self.judge)(judge) {
            Ok(value) => self.outcome = Some(Ok(value)),
            Err(Stop::Refused(refusal)) => self.outcome = Some(Err(refusal)),
            Err(Stop::Broke(fault) | Stop::Undone(fault)) => return Err(fault),
        }
        Ok(())
    }

    fn answer(self: Box<Self>) {
        let outcome = match self.outcome {
            Some(Ok(value)) => Ok(value),
            Some(Err(refusal)) => Err(Stop::Refused(refusal)),
            None => Err(Stop::Broke(Fault::Stopped)),
        };
        // Whoever asked may have gone; the fact stands all the same.
        let _ = self.reply.send(outcome);
    }

    fn fail(self: Box<Self>, stop: Stop) {
        let _ = self.reply.send(Err(stop));
    }
}

#[derive(Default)]
struct Lanes {
    draw: VecDeque<Box<dyn Job>>,
    money: VecDeque<Box<dyn Job>>,
    sale: VecDeque<Box<dyn Job>>,
    stopping: bool,
}

struct Shared {
    lanes: Mutex<Lanes>,
    waiting: Condvar,
    sale_queue_max: usize,
}

/// What happens at the edge of a commit: tests plant faults here.
pub trait CommitHook: Send {
    /// Called just before `COMMIT`; an error undoes the transaction.
    fn before_commit(&mut self) -> Result<(), Fault> {
        Ok(())
    }
    /// Called after a `COMMIT` that succeeded; true pretends that its outcome is unknown.
    fn outcome_lost(&mut self) -> bool {
        false
    }
}

/// No faults.
#[derive(Debug)]
pub struct NoHook;
impl CommitHook for NoHook {}

/// What the writer does when it may not go on: the process ends, and the next start recovers.
pub type Fatal = Box<dyn Fn(&Fault) + Send>;

/// Called after each commit with the state it left.
pub type Committed = Box<dyn FnMut(&State) + Send>;

/// What the writer is made of.
pub struct WriterParts {
    /// Where the record is.
    pub database: Database,
    /// The write connection.
    pub connection: Connection,
    /// The state as recovered.
    pub state: State,
    /// The server's keys.
    pub keys: Arc<ServerKeys>,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// The house's calendar.
    pub calendar: Calendar,
    /// Called after each commit.
    pub committed: Committed,
    /// Called when the writer may not go on.
    pub fatal: Fatal,
    /// Called with the fault that a command failed on.
    pub faulted: Box<dyn Fn(&Fault) + Send>,
    /// Planted faults.
    pub hook: Box<dyn CommitHook>,
    /// Sales that may wait.
    pub sale_queue_max: usize,
    /// Commands in one transaction; 1 commits each alone (the baseline of the benchmark).
    pub batch_max: usize,
}

/// The handle on the writer.
pub struct Sequencer {
    shared: Arc<Shared>,
    thread: Mutex<Option<std::thread::JoinHandle<()>>>,
}

impl std::fmt::Debug for Sequencer {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Sequencer(..)")
    }
}

impl Sequencer {
    /// Starts the writer.
    ///
    /// # Errors
    /// When no thread can be started.
    pub fn start(parts: WriterParts) -> std::io::Result<Self> {
        let shared = Arc::new(Shared {
            lanes: Mutex::default(),
            waiting: Condvar::new(),
            sale_queue_max: parts.sale_queue_max,
        });
        let of_writer = Arc::clone(&shared);
        let thread = std::thread::Builder::new()
            .name("writer".to_owned())
            .spawn(move || {
                // A panic of the writer ends the process: half-applied memory must not answer.
                let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                    Writer::new(parts).run(&of_writer);
                }));
                if outcome.is_err() {
                    tracing::error!("the writer panicked; the process ends");
                    std::process::abort();
                }
            })?;
        Ok(Self {
            shared,
            thread: Mutex::new(Some(thread)),
        })
    }

    /// Hands a command to the writer and waits for its answer.
    ///
    /// The closure may be called more than once: a batch that fails is replayed one by one.
    ///
    /// # Errors
    /// A refusal, or a fault.
    pub async fn submit<T: Send + 'static>(
        &self,
        lane: Lane,
        judge: impl FnMut(&mut Judge<'_>) -> Result<T, Stop> + Send + 'static,
    ) -> Result<T, Stop> {
        self.enqueue(lane, Box::new(judge))?
            .await
            .unwrap_or(Err(Stop::Broke(Fault::Stopped)))
    }

    /// As [`Self::submit`], for a thread of its own.
    ///
    /// # Errors
    /// A refusal, or a fault.
    pub fn submit_blocking<T: Send + 'static>(
        &self,
        lane: Lane,
        judge: impl FnMut(&mut Judge<'_>) -> Result<T, Stop> + Send + 'static,
    ) -> Result<T, Stop> {
        self.enqueue(lane, Box::new(judge))?
            .blocking_recv()
            .unwrap_or(Err(Stop::Broke(Fault::Stopped)))
    }

    fn enqueue<T: Send + 'static>(
        &self,
        lane: Lane,
        judge: JudgeFn<T>,
    ) -> Result<oneshot::Receiver<Result<T, Stop>>, Stop> {
        let (reply, answer) = oneshot::channel();
        let job: Box<dyn Job> = Box::new(TypedJob {
            judge,
            outcome: None,
            reply,
        });
        let mut lanes = self
            .shared
            .lanes
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if lanes.stopping {
            return Err(Stop::Undone(Fault::Stopped));
        }
        match lane {
            Lane::Draw => lanes.draw.push_back(job),
            Lane::Money if lanes.money.len() >= MONEY_QUEUE_MAX => {
                return Err(Refusal::QueueFull.into());
            }
            Lane::Money => lanes.money.push_back(job),
            Lane::Sale if lanes.sale.len() >= self.shared.sale_queue_max => {
                return Err(Refusal::QueueFull.into());
            }
            Lane::Sale => lanes.sale.push_back(job),
        }
        drop(lanes);
        self.shared.waiting.notify_one();
        Ok(answer)
    }

    /// How many commands wait: draw steps, money, sales.
    pub fn waiting(&self) -> (usize, usize, usize) {
        let lanes = self
            .shared
            .lanes
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        (lanes.draw.len(), lanes.money.len(), lanes.sale.len())
    }

    /// Answers what waits, then stops the writer.
    pub fn stop(&self) {
        self.shared
            .lanes
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .stopping = true;
        self.shared.waiting.notify_all();
        let thread = self
            .thread
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(thread) = thread
            && thread.join().is_err()
        {
            tracing::error!("the writer ended in a panic");
        }
    }
}

impl Drop for Sequencer {
    fn drop(&mut self) {
        self.stop();
    }
}

struct Writer {
    parts: WriterParts,
    pending: PendingRows,
    undo: Vec<Undo>,
}

/// How a batch ended that did not commit.
enum BatchEnd {
    Undone(Fault),
    Unknown,
}

impl Writer {
    fn new(parts: WriterParts) -> Self {
        Self {
            parts,
            pending: PendingRows::default(),
            undo: Vec::new(),
        }
    }

    fn run(&mut self, shared: &Shared) {
        while let Some(batch) = take_batch(shared, self.parts.batch_max) {
            self.run_batch(batch);
        }
    }

    fn run_batch(&mut self, mut batch: Vec<Box<dyn Job>>) {
        match self.transact(&mut batch) {
            Ok(()) => {
                self.undo.clear();
                (self.parts.committed)(&self.parts.state);
                for job in batch {
                    job.answer();
                }
            }
            Err(BatchEnd::Undone(fault)) => {
                self.take_back();
                self.mend_connection();
                if batch.len() > 1 {
                    // One bad command must not take its neighbours down.
                    tracing::warn!(%fault, commands = batch.len(), "a batch is replayed one by one");
                    for job in batch {
                        self.run_batch(vec![job]);
                    }
                } else if matches!(fault, Fault::HeadMoved) {
                    (self.parts.fatal)(&fault);
                    for job in batch {
                        job.fail(Stop::Undone(Fault::HeadMoved));
                    }
                } else {
                    tracing::error!(fault = %chain(&fault), "a command failed");
                    (self.parts.faulted)(&fault);
                    // The fault itself and not its words: a draw that fails by its machine's
                    // fault is suspended, by another's it is tried again.
                    if let Some(job) = batch.pop() {
                        job.fail(Stop::Undone(fault));
                    }
                }
            }
            Err(BatchEnd::Unknown) => self.find_out(batch),
        }
    }

    fn take_back(&mut self) {
        self.pending.clear();
        self.parts.state.take_back(&mut self.undo);
    }

    /// Makes a connection again that PostgreSQL has ended (a restart, a failover): otherwise every
    /// later command would fail on it. What another central wrote meanwhile shows in the head.
    fn mend_connection(&mut self) {
        use diesel::r2d2::R2D2Connection;
        let Connection::Postgres(connection) = &mut self.parts.connection else {
            return;
        };
        if !connection.is_broken() && connection.ping().is_ok() {
            return;
        }
        match self.parts.database.open_writer() {
            Ok(connection) => {
                tracing::warn!("the connection to the database was made again");
                self.parts.connection = connection;
            }
            Err(fault) => {
                tracing::error!(fault = %chain(&fault), "the database cannot be reached");
            }
        }
    }

    fn transact(&mut self, batch: &mut [Box<dyn Job>]) -> Result<(), BatchEnd> {
        let Self {
            parts,
            pending,
            undo,
        } = self;
        let old_size = parts.state.edge.size();
        let now_ms = parts.clock.now_ms().max(parts.state.last_at_ms);
        let (state, keys, calendar, hook) = (
            &mut parts.state,
            parts.keys.as_ref(),
            parts.calendar,
            &mut parts.hook,
        );
        let outcome =
            keno_schema::write(&mut parts.connection, |connection| -> Result<(), Fault> {
                if log::lock_head(connection)?.unwrap_or(0) != old_size {
                    return Err(Fault::HeadMoved);
                }
                let alone = batch.len() == 1;
                for job in batch.iter_mut() {
                    let mut judge = Judge {
                        state,
                        connection,
                        now_ms,
                        calendar,
                        keys,
                        pending,
                        undo,
                        alone,
                    };
                    job.judge(&mut judge)?;
                }
                pending.flush(connection)?;
                if state.edge.size() != old_size {
                    let moved = if old_size == 0 {
                        log::insert_head(connection, &state.edge, now_ms)?;
                        true
                    } else {
                        log::advance_head(connection, old_size, &state.edge, now_ms)?
                    };
                    if !moved {
                        return Err(Fault::HeadMoved);
                    }
                }
                hook.before_commit()
            });
        match outcome {
            Ok(()) if parts.hook.outcome_lost() => Err(BatchEnd::Unknown),
            Ok(()) => Ok(()),
            Err(WriteFault::Undone(fault)) => Err(BatchEnd::Undone(fault)),
            Err(WriteFault::Begin(fault)) => Err(BatchEnd::Undone(fault.into())),
            Err(WriteFault::Unknown(fault)) => {
                tracing::error!(%fault, "the outcome of a commit is unknown");
                Err(BatchEnd::Unknown)
            }
        }
    }

    /// After an unknown commit nobody is answered until the head has been read again.
    fn find_out(&mut self, batch: Vec<Box<dyn Job>>) {
        let wanted = self.parts.state.edge.clone();
        let before = self.undo.iter().find_map(|undo| match undo {
            Undo::Head(edge, _) => Some(edge.clone()),
            _ => None,
        });
        let found = if matches!(self.parts.database, Database::Sqlite(_)) {
            // A failed commit on SQLite leaves the file's state to recovery.
            None
        } else {
            match self.parts.database.open_writer() {
                Ok(connection) => {
                    // The old one is dropped before the head is asked for.
                    self.parts.connection = connection;
                    decided_head(&mut self.parts.connection)
                }
                Err(_) => None,
            }
        };
        match found {
            Some(edge) if edge == wanted => {
                self.undo.clear();
                (self.parts.committed)(&self.parts.state);
                for job in batch {
                    job.answer();
                }
            }
            Some(edge) if Some(&edge) == before.as_ref() => {
                self.take_back();
                for job in batch {
                    job.fail(Stop::Undone(Fault::UnknownCommit));
                }
            }
            _ => {
                (self.parts.fatal)(&Fault::UnknownCommit);
                // Only a test's fatal returns; nobody is answered with an outcome.
                self.take_back();
                for job in batch {
                    job.fail(Stop::Broke(Fault::UnknownCommit));
                }
            }
        }
    }
}

/// The head once no transaction can move it any more. One whose commit is in doubt holds the lock
/// of the head's row until it has ended, whoever still listens to it; when it takes too long,
/// nothing is known.
fn decided_head(connection: &mut Connection) -> Option<Edge> {
    let read = keno_schema::write(connection, |connection| {
        log::lock_head(connection)?;
        log::head(connection)
    });
    match read {
        Ok(head) => head.map(|(edge, _)| edge),
        Err(fault) => {
            tracing::error!(%fault, "the head cannot be read");
            None
        }
    }
}

/// Waits for commands and takes a batch: draw steps, then payments and cancellations in their
/// reserved places, then sales. `None` once the writer is to stop and nothing waits.
fn take_batch(shared: &Shared, batch_max: usize) -> Option<Vec<Box<dyn Job>>> {
    let mut lanes = shared.lanes.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        let waiting = lanes.draw.len() + lanes.money.len() + lanes.sale.len();
        if waiting > 0 {
            let mut batch = Vec::with_capacity(waiting.min(batch_max));
            let take = |queue: &mut VecDeque<Box<dyn Job>>, batch: &mut Vec<_>, most: usize| {
                let count = queue.len().min(most.saturating_sub(batch.len()));
                batch.extend(queue.drain(..count));
            };
            take(&mut lanes.draw, &mut batch, batch_max);
            let sales_waiting = !lanes.sale.is_empty();
            let money_most = if sales_waiting && batch_max > MONEY_RESERVED {
                batch.len().saturating_add(MONEY_RESERVED).min(batch_max)
            } else {
                batch_max
            };
            take(&mut lanes.money, &mut batch, money_most);
            take(&mut lanes.sale, &mut batch, batch_max);
            take(&mut lanes.money, &mut batch, batch_max);
            return Some(batch);
        }
        if lanes.stopping {
            return None;
        }
        lanes = shared
            .waiting
            .wait(lanes)
            .unwrap_or_else(PoisonError::into_inner);
    }
}

/// A fault with its causes, for the log.
pub fn chain(fault: &dyn std::error::Error) -> String {
    let mut text = fault.to_string();
    let mut source = fault.source();
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    text
}
