//! The one door: lanes of commands, one writer thread, one transaction for all that waits.
//!
//! No timer: a batch is whatever queued up during the last commit, so an idle terminal pays one
//! sync and busy ones share it. No reply before the commit. A refusal leaves no trace.

mod judge;
mod writer;

use std::collections::VecDeque;
use std::sync::Arc;

use keno_schema::{Connection, Database};
use parking_lot::{Condvar, Mutex, MutexGuard};
use tokio::sync::oneshot;
use writer::Writer;

use crate::Stop;
use crate::calendar::Calendar;
use crate::clock::Clock;
use crate::fault::{Fault, QueueFull};
use crate::keys::ServerKeys;
use crate::state::State;

pub use judge::{Judge, PreparedEvent};

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

/// How a command failed that was not refused.
enum Failure {
    /// What was recorded is not said.
    Broke(Fault),
    /// Its transaction was taken back.
    Undone(Fault),
}

/// A command in a lane.
trait Job: Send {
    /// Judges and records. An error is a fault of the batch; a refusal is kept as the answer.
    fn judge(&mut self, judge: &mut Judge<'_>) -> Result<(), Fault>;
    /// The batch is committed: answers.
    fn answer(self: Box<Self>);
    /// The batch failed on this command alone: answers why.
    fn fail(self: Box<Self>, failure: Failure);
}

/// A look at the writer's memory.
type Look = Box<dyn FnOnce(&State) + Send>;

type JudgeFn<T, R> = Box<dyn FnMut(&mut Judge<'_>) -> Result<T, Stop<R>> + Send>;

struct TypedJob<T, R> {
    judge: JudgeFn<T, R>,
    outcome: Option<Result<T, R>>,
    reply: oneshot::Sender<Result<T, Stop<R>>>,
}

impl<T: Send, R: Send> Job for TypedJob<T, R> {
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

    fn fail(self: Box<Self>, failure: Failure) {
        let _ = self.reply.send(Err(match failure {
            Failure::Broke(fault) => Stop::Broke(fault),
            Failure::Undone(fault) => Stop::Undone(fault),
        }));
    }
}

#[derive(Default)]
struct Lanes {
    draw: VecDeque<Box<dyn Job>>,
    money: VecDeque<Box<dyn Job>>,
    sale: VecDeque<Box<dyn Job>>,
    looks: Vec<Look>,
    stopping: bool,
}

struct Shared {
    lanes: Mutex<Lanes>,
    waiting: Condvar,
    sale_queue_max: usize,
}

impl Shared {
    /// The lanes, while commands are still taken.
    fn open_lanes<R>(&self) -> Result<MutexGuard<'_, Lanes>, Stop<R>> {
        let lanes = self.lanes.lock();
        if lanes.stopping {
            return Err(Stop::Undone(Fault::Stopped));
        }
        Ok(lanes)
    }
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

/// Who moves the writer.
enum Drive {
    /// A thread of its own.
    Thread(Mutex<Option<std::thread::JoinHandle<()>>>),
    /// Whoever calls [`Sequencer::step`].
    Steps(Mutex<Box<Writer>>),
}

/// The handle on the writer.
pub struct Sequencer {
    shared: Arc<Shared>,
    drive: Drive,
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
        let shared = Self::shared(&parts);
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
            drive: Drive::Thread(Mutex::new(Some(thread))),
        })
    }

    /// A writer without a thread: nothing is judged until [`Self::step`] is called. Dropping the
    /// handle then drops what waits unanswered, as a crash would. For simulation.
    ///
    /// # Errors
    /// None: the same form as [`Self::start`].
    pub fn stepped(parts: WriterParts) -> std::io::Result<Self> {
        Ok(Self {
            shared: Self::shared(&parts),
            drive: Drive::Steps(Mutex::new(Box::new(Writer::new(parts)))),
        })
    }

    fn shared(parts: &WriterParts) -> Arc<Shared> {
        Arc::new(Shared {
            lanes: Mutex::default(),
            waiting: Condvar::new(),
            sale_queue_max: parts.sale_queue_max,
        })
    }

    /// Runs what waits as one batch, when nothing runs by itself. Returns whether anything did.
    pub fn step(&self) -> bool {
        let Drive::Steps(writer) = &self.drive else {
            return false;
        };
        writer.lock().step(&self.shared)
    }

    /// Looks at the state as the writer holds it, when nothing runs by itself.
    pub fn peek<T>(&self, look: impl FnOnce(&State) -> T) -> Option<T> {
        match &self.drive {
            Drive::Thread(_) => None,
            Drive::Steps(writer) => Some(look(writer.lock().state())),
        }
    }

    /// Hands a command to the writer and waits for its answer.
    ///
    /// The closure may be called more than once: a batch that fails is replayed one by one.
    ///
    /// # Errors
    /// A refusal, or a fault.
    pub async fn submit<T: Send + 'static, R: From<QueueFull> + Send + 'static>(
        &self,
        lane: Lane,
        judge: impl FnMut(&mut Judge<'_>) -> Result<T, Stop<R>> + Send + 'static,
    ) -> Result<T, Stop<R>> {
        self.enqueue(lane, Box::new(judge))?
            .await
            .unwrap_or(Err(Stop::Broke(Fault::Stopped)))
    }

    /// As [`Self::submit`], for a thread of its own.
    ///
    /// # Errors
    /// A refusal, or a fault.
    pub fn submit_blocking<T: Send + 'static, R: From<QueueFull> + Send + 'static>(
        &self,
        lane: Lane,
        judge: impl FnMut(&mut Judge<'_>) -> Result<T, Stop<R>> + Send + 'static,
    ) -> Result<T, Stop<R>> {
        let mut answer = self.enqueue(lane, Box::new(judge))?;
        let stopped = || Err(Stop::Broke(Fault::Stopped));
        if matches!(self.drive, Drive::Thread(_)) {
            return answer.blocking_recv().unwrap_or_else(|_| stopped());
        }
        loop {
            match answer.try_recv() {
                Ok(answer) => return answer,
                Err(oneshot::error::TryRecvError::Empty) if self.step() => {}
                Err(_) => return stopped(),
            }
        }
    }

    /// Looks at the writer's memory between two batches, as the last commit left it: in no
    /// transaction, so that there is no outcome to be in doubt about. The writer does nothing
    /// else meanwhile, so it must be short; and what was seen may have changed by the time that
    /// it is used.
    ///
    /// # Errors
    /// A refusal or a fault of the look itself, or [`Fault::Stopped`].
    pub fn look_blocking<T: Send + 'static, R: Send + 'static>(
        &self,
        look: impl FnOnce(&State) -> Result<T, Stop<R>> + Send + 'static,
    ) -> Result<T, Stop<R>> {
        // Not a channel of the runtime: a command that waits for its answer may look too.
        let (reply, answer) = std::sync::mpsc::sync_channel(1);
        if let Drive::Steps(writer) = &self.drive {
            let writer = writer.lock();
            return look(writer.state());
        }
        let mut lanes = self.shared.open_lanes()?;
        lanes.looks.push(Box::new(move |state| {
            // Whoever asked may have gone.
            let _ = reply.send(look(state));
        }));
        drop(lanes);
        self.shared.waiting.notify_one();
        answer.recv().unwrap_or(Err(Stop::Undone(Fault::Stopped)))
    }

    fn enqueue<T: Send + 'static, R: From<QueueFull> + Send + 'static>(
        &self,
        lane: Lane,
        judge: JudgeFn<T, R>,
    ) -> Result<oneshot::Receiver<Result<T, Stop<R>>>, Stop<R>> {
        let (reply, answer) = oneshot::channel();
        let job: Box<dyn Job> = Box::new(TypedJob {
            judge,
            outcome: None,
            reply,
        });
        let mut lanes = self.shared.open_lanes()?;
        match lane {
            Lane::Draw => lanes.draw.push_back(job),
            Lane::Money if lanes.money.len() >= MONEY_QUEUE_MAX => {
                return Err(Stop::Refused(QueueFull.into()));
            }
            Lane::Money => lanes.money.push_back(job),
            Lane::Sale if lanes.sale.len() >= self.shared.sale_queue_max => {
                return Err(Stop::Refused(QueueFull.into()));
            }
            Lane::Sale => lanes.sale.push_back(job),
        }
        drop(lanes);
        self.shared.waiting.notify_one();
        Ok(answer)
    }

    /// How many commands wait: draw steps, money, sales.
    pub fn waiting(&self) -> (usize, usize, usize) {
        let lanes = self.shared.lanes.lock();
        (lanes.draw.len(), lanes.money.len(), lanes.sale.len())
    }

    /// Answers what waits, then stops the writer.
    pub fn stop(&self) {
        self.shared.lanes.lock().stopping = true;
        self.shared.waiting.notify_all();
        let thread = match &self.drive {
            Drive::Thread(thread) => thread.lock().take(),
            Drive::Steps(_) => {
                while self.step() {}
                None
            }
        };
        if let Some(thread) = thread
            && thread.join().is_err()
        {
            tracing::error!("the writer ended in a panic");
        }
    }
}

impl Drop for Sequencer {
    fn drop(&mut self) {
        if matches!(self.drive, Drive::Thread(_)) {
            self.stop();
        }
    }
}
