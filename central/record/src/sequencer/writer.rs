//! The writer: one thread, one transaction for all that waits, and what is done when one fails.

use std::collections::VecDeque;

use keno_log::tree::Edge;
use keno_schema::{Connection, Database, WriteFault};

use super::judge::Judge;
use super::{Failure, Job, Lanes, Look, MONEY_RESERVED, Shared, WriterParts};
use crate::fault::{Fault, chain};
use crate::project::PendingRows;
use crate::state::{State, Undo};
use crate::store::log;

pub(super) struct Writer {
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
    pub(super) fn new(parts: WriterParts) -> Self {
        Self {
            parts,
            pending: PendingRows::default(),
            undo: Vec::new(),
        }
    }

    pub(super) fn run(&mut self, shared: &Shared) {
        while let Some((looks, batch)) = wait_for_batch(shared, self.parts.batch_max) {
            self.take(looks, batch);
        }
    }

    /// Runs what waits as one batch; false when nothing does.
    pub(super) fn step(&mut self, shared: &Shared) -> bool {
        let batch = {
            let mut lanes = shared.lanes.lock();
            take_batch(&mut lanes, self.parts.batch_max)
        };
        match batch {
            Some((looks, batch)) => {
                self.take(looks, batch);
                true
            }
            None => false,
        }
    }

    /// Shows the memory to those who want to look, then runs a batch.
    fn take(&mut self, looks: Vec<Look>, batch: Vec<Box<dyn Job>>) {
        for look in looks {
            look(&self.parts.state);
        }
        if !batch.is_empty() {
            self.run_batch(batch);
        }
    }

    pub(super) fn state(&self) -> &State {
        &self.parts.state
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
                        job.fail(Failure::Undone(Fault::HeadMoved));
                    }
                } else {
                    tracing::error!(fault = %chain(&fault), "a command failed");
                    (self.parts.faulted)(&fault);
                    // The fault itself and not its words: a draw that fails by its machine's
                    // fault is suspended, by another's it is tried again.
                    if let Some(job) = batch.pop() {
                        job.fail(Failure::Undone(fault));
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
                for job in batch.iter_mut() {
                    let mut judge = Judge {
                        state,
                        connection,
                        now_ms,
                        calendar,
                        keys,
                        pending,
                        undo,
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
            Undo::Head(edge, ..) => Some(edge.clone()),
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
                    job.fail(Failure::Undone(Fault::UnknownCommit));
                }
            }
            _ => {
                (self.parts.fatal)(&Fault::UnknownCommit);
                // Only a test's fatal returns; nobody is answered with an outcome.
                self.take_back();
                for job in batch {
                    job.fail(Failure::Broke(Fault::UnknownCommit));
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

/// What waited: looks, and the commands of a batch.
type Waiting = (Vec<Look>, Vec<Box<dyn Job>>);

/// Waits for commands and takes a batch. `None` once the writer is to stop and nothing waits.
fn wait_for_batch(shared: &Shared, batch_max: usize) -> Option<Waiting> {
    let mut lanes = shared.lanes.lock();
    loop {
        if let Some(batch) = take_batch(&mut lanes, batch_max) {
            return Some(batch);
        }
        if lanes.stopping {
            return None;
        }
        shared.waiting.wait(&mut lanes);
    }
}

/// Takes a batch of what waits: draw steps, then payments and cancellations in their reserved
/// places, then sales; and every look. `None` when nothing waits.
fn take_batch(lanes: &mut Lanes, batch_max: usize) -> Option<Waiting> {
    let waiting = lanes.draw.len() + lanes.money.len() + lanes.sale.len();
    if waiting == 0 && lanes.looks.is_empty() {
        return None;
    }
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
    Some((std::mem::take(&mut lanes.looks), batch))
}
